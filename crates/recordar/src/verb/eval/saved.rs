//! A run that was saved with `--rows`, to compare another one with.

use super::EvalRow;
use super::set::json_lines;
use recordar_core::error::Error;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

const REMEDY: &str = "use a file that `recordar eval --rows` wrote";

pub struct SavedRun {
    file: String,
    by_set: BTreeMap<String, Vec<EvalRow>>,
}

impl SavedRun {
    /// Reads a saved run that is to be compared with a run of these sets. Rows without the name of a set, as earlier versions wrote
    /// them, belong to the only set.
    pub fn read(path: &Path, sets: &[&str]) -> Result<Self, Error> {
        let file = path.display().to_string();
        let wrong = |what: String, remedy: &str| Error::input("eval_rows", format!("{file} {what}"), remedy);
        let mut by_set: BTreeMap<String, Vec<EvalRow>> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for mut row in json_lines::<EvalRow>(path, REMEDY)? {
            if row.set.is_empty() {
                let [only] = sets else {
                    let remedy = "compare one set at a time with a run of an earlier version";
                    return Err(wrong("has rows that do not name their set".to_owned(), remedy));
                };
                row.set = (*only).to_owned();
            }
            if !seen.insert((row.set.clone(), row.query.clone())) {
                return Err(wrong(format!("has two rows for the question {:?} of {}", row.query, row.set), REMEDY));
            }
            by_set.entry(row.set.clone()).or_default().push(row);
        }
        if !sets.iter().any(|set| by_set.contains_key(*set)) {
            let names: Vec<&str> = by_set.keys().map(String::as_str).collect();
            let has =
                if names.is_empty() { "has no rows".to_owned() } else { format!("has rows of {}", names.join(", ")) };
            return Err(wrong(format!("{has}, and none of {}", sets.join(", ")), "compare with a run of the same set"));
        }
        Ok(Self { file, by_set })
    }

    pub fn file(&self) -> &str {
        &self.file
    }

    /// `None` if the run had no such set.
    pub fn rows(&self, set: &str) -> Option<&[EvalRow]> {
        self.by_set.get(set).map(Vec::as_slice)
    }
}
