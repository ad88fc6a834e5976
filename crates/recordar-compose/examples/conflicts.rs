//! How many pairs of sentences the rules for conflicts judge rightly: `cargo run --release -p recordar-compose --example conflicts -- FILE`.
//! Each line of the file is `{"id", "kind", "conflict", "first", "second"}`. With `--show`, the wrong ones are printed, too.

use recordar_compose::{Reader, Relation, statements};
use recordar_domain::text::Language;
use serde_json::Value;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{Write, stdout};

#[derive(Default)]
struct Counts {
    right: usize,
    all: usize,
    missed: usize,
    made_up: usize,
    unsure: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let show = arguments.iter().any(|argument| argument == "--show");
    let file = arguments.iter().find(|argument| !argument.starts_with("--")).ok_or("name a file of pairs")?;
    let mut reader = Reader::new(Language::ENGLISH);
    let mut kinds: BTreeMap<String, Counts> = BTreeMap::new();
    let mut out = stdout().lock();
    for line in std::fs::read_to_string(file)?.lines() {
        let pair: Value = serde_json::from_str(line)?;
        let text = |name: &str| pair.get(name).and_then(Value::as_str).ok_or_else(|| format!("no {name} in {line}"));
        let conflict = pair.get("conflict").and_then(Value::as_bool).ok_or_else(|| format!("no conflict in {line}"))?;
        let (first, second) = (statements(text("first")?, &mut reader), statements(text("second")?, &mut reader));
        let relations = || first.iter().flat_map(|one| second.iter().map(|other| one.relation(other)));
        let relation = [Relation::Contradicts, Relation::Unsure, Relation::Agrees]
            .into_iter()
            .find(|found| relations().any(|relation| relation == *found))
            .unwrap_or(Relation::Apart);
        let found = relation == Relation::Contradicts;
        for kind in [text("kind")?, "all"] {
            let counts = kinds.entry(kind.to_owned()).or_default();
            counts.all += 1;
            counts.right += usize::from(found == conflict);
            counts.missed += usize::from(conflict && !found);
            counts.made_up += usize::from(found && !conflict);
            counts.unsure += usize::from(relation == Relation::Unsure);
        }
        if show && found != conflict {
            writeln!(out, "{} {relation:?}: {} {}", text("id")?, text("first")?, text("second")?)?;
        }
    }
    for (kind, counts) in &kinds {
        let Counts { right, all, missed, made_up, unsure } = counts;
        writeln!(out, "{kind}: {right} of {all} right, {missed} missed, {made_up} made up, {unsure} unsure")?;
    }
    Ok(out.flush()?)
}
