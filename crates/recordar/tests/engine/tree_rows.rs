//! The rows of a store, held against what is true of a tree at any moment: nothing in it is half written.

use crate::ada;
use recordar::Recordar;
use recordar::category::{CategoryView, TreeView};
use std::collections::{BTreeMap, BTreeSet};

/// Everything that is stored, beside what models cost.
pub(crate) struct Rows {
    pub(crate) lines: Vec<String>,
    tables: BTreeMap<String, Vec<Vec<String>>>,
    tree: TreeView,
    /// Of each category, the names from the root.
    paths: BTreeMap<i64, Vec<String>>,
}

/// A chunk, and where it hangs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredChunk {
    pub(crate) id: i64,
    pub(crate) document: i64,
    pub(crate) version: i64,
    pub(crate) category: Option<i64>,
    pub(crate) is_live: bool,
    /// As it is shown in a row.
    pub(crate) text: String,
}

impl Rows {
    pub(crate) fn of(memory: &Recordar) -> Self {
        let is_memory = |line: &String| !line.starts_with("spending ") && !line.starts_with("reservations ");
        let lines: Vec<String> = memory.raw().unwrap().lines().into_iter().filter(is_memory).collect();
        let mut tables: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
        for line in &lines {
            let mut fields = fields(line);
            tables.entry(fields.remove(0)).or_default().push(fields);
        }
        let tree = memory.tree(&ada()).unwrap();
        let mut paths = BTreeMap::new();
        tree.roots.iter().for_each(|root| gather(root, &[], &mut paths));
        Self { lines, tables, tree, paths }
    }

    fn rows(&self, table: &str) -> impl Iterator<Item = &Vec<String>> {
        self.tables.get(table).into_iter().flatten()
    }

    pub(crate) fn chunks(&self) -> Vec<StoredChunk> {
        let chunk = |row: &Vec<String>| StoredChunk {
            id: number(&row[1]),
            document: number(&row[3]),
            version: number(&row[4]),
            category: (row[17] != "null").then(|| number(&row[17])),
            is_live: row[20] == "null",
            text: row[11].clone(),
        };
        self.rows("items").map(chunk).collect()
    }

    /// The names from the root to the leaf that a chunk hangs on.
    pub(crate) fn path_of(&self, chunk: i64) -> Option<&Vec<String>> {
        let chunk = self.chunks().into_iter().find(|stored| stored.id == chunk && stored.is_live)?;
        self.paths.get(&chunk.category?)
    }

    pub(crate) fn path(&self, category: i64) -> Option<&Vec<String>> {
        self.paths.get(&category)
    }

    /// Names on each level, from the first.
    pub(crate) fn names_by_level(&self) -> Vec<u64> {
        self.tree.levels.iter().map(|level| level.categories).collect()
    }

    /// What is wrong with it, if anything is. `caps` has one number for each level.
    pub(crate) fn check(&self, caps: &[u64]) -> Result<(), String> {
        self.check_documents()?;
        self.check_categories(caps)?;
        self.check_helpers()?;
        let chunks = self.chunks();
        let live = |is_placed: bool| {
            chunks.iter().filter(|chunk| chunk.is_live && chunk.category.is_some() == is_placed).count() as u64
        };
        let told = (self.tree.chunks, self.tree.unclassified);
        check(told == (live(true), live(false)), || format!("the tree tells {told:?} chunks"))
    }

    /// No document without its one live version, no version without all of its chunks, and no chunk of nothing.
    fn check_documents(&self) -> Result<(), String> {
        let documents: BTreeSet<i64> = self.rows("documents").map(|row| number(&row[1])).collect();
        let chunks = self.chunks();
        let mut versions: BTreeMap<i64, i64> = BTreeMap::new();
        for row in self.rows("versions") {
            let (id, document) = (number(&row[1]), number(&row[2]));
            versions.insert(id, document);
            let held = chunks.iter().filter(|chunk| chunk.version == id).count() as i64;
            check(held == number(&row[16]) && documents.contains(&document), || {
                format!("version {id} of document {document} has {held} of {} chunks", row[16])
            })?;
            let is_live = row[21] == "null";
            let is_alike = chunks.iter().filter(|chunk| chunk.version == id).all(|chunk| chunk.is_live == is_live);
            check(is_alike, || format!("chunks of version {id} are not live as it is"))?;
        }
        for document in &documents {
            let live = self.rows("versions").filter(|row| number(&row[2]) == *document && row[21] == "null").count();
            check(live == 1, || format!("document {document} has {live} live versions"))?;
        }
        for chunk in &chunks {
            let is_of = versions.get(&chunk.version) == Some(&chunk.document);
            check(is_of, || format!("chunk {} is of no version", chunk.id))?;
        }
        Ok(())
    }

    /// Every category stands on a whole path from a root to a leaf; chunks hang on leaves; no level has too many names.
    fn check_categories(&self, caps: &[u64]) -> Result<(), String> {
        let depths: Vec<i64> = self.rows("trees").map(|row| number(&row[1])).collect();
        check(depths.len() <= 1 && (depths.len() == 1 || self.paths.is_empty()), || format!("trees: {depths:?}"))?;
        let levels: BTreeMap<i64, i64> =
            self.rows("categories").map(|row| (number(&row[1]), number(&row[5]))).collect();
        let parents: BTreeSet<i64> =
            self.rows("categories").filter(|row| row[2] != "null").map(|row| number(&row[2])).collect();
        let mut keys = BTreeSet::new();
        for row in self.rows("categories") {
            let (id, level) = (number(&row[1]), number(&row[5]));
            let Some(name) = self.paths.get(&id).and_then(|path| path.last()) else {
                // What nothing live hangs on is kept for what was there, and not shown.
                let is_live = self.chunks().iter().any(|chunk| chunk.is_live && chunk.category == Some(id));
                check(!is_live, || format!("{id} is not in the tree"))?;
                continue;
            };
            let is_rooted = match row[2].as_str() {
                "null" => level == 1,
                parent => levels.get(&number(parent)) == Some(&(level - 1)),
            };
            check(is_rooted, || format!("category {name:?} on level {level} has the parent {}", row[2]))?;
            let is_leaf = level == depths[0];
            check(row[7] == if is_leaf { "1" } else { "0" }, || format!("category {name:?} is called a leaf"))?;
            check(is_leaf || parents.contains(&id), || format!("category {name:?} leads to no leaf"))?;
            let is_name = (1..=200).contains(&name.len()) && name == name.trim() && !name.contains(char::is_control);
            check(is_name, || format!("{name:?} is no name"))?;
            let is_new = keys.insert((row[2].clone(), recordar_domain::name_key(name)));
            check(is_new, || format!("{name:?} is there twice"))?;
        }
        for chunk in self.chunks() {
            let is_on_leaf = chunk.category.is_none_or(|category| levels.get(&category) == depths.first());
            check(is_on_leaf, || format!("chunk {} hangs on category {:?}", chunk.id, chunk.category))?;
        }
        let names = self.names_by_level();
        check(names.iter().zip(caps).all(|(names, cap)| names <= cap), || format!("{names:?} names, caps {caps:?}"))
    }

    /// Every helper is a document's, says something, and is the only live one of it.
    fn check_helpers(&self) -> Result<(), String> {
        let documents: BTreeSet<&String> = self.rows("documents").map(|row| &row[1]).collect();
        let mut live = BTreeSet::new();
        for row in self.rows("helpers") {
            check(documents.contains(&row[2]), || format!("helper {} is of no document", row[1]))?;
            let is_helper = row[5] != "\"\"" && (1..=300).contains(&number(&row[6]));
            check(is_helper, || format!("helper {} has {} tokens: {}", row[1], row[6], row[5]))?;
            let is_only = row[9] != "null" || live.insert(&row[2]);
            check(is_only, || format!("document {} has two live helpers", row[2]))?;
        }
        Ok(())
    }
}

pub(crate) fn check(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

fn number(field: &str) -> i64 {
    field.parse().unwrap_or_else(|_| panic!("{field} is no number"))
}

fn gather(category: &CategoryView, above: &[String], paths: &mut BTreeMap<i64, Vec<String>>) {
    let path = [above, std::slice::from_ref(&category.name)].concat();
    category.children.iter().for_each(|child| gather(child, &path, paths));
    paths.insert(category.id, path);
}

/// The fields of a row; a text is one, with its quotes.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut is_text, mut is_escaped) = (vec![String::new()], false, false);
    for c in line.chars() {
        match c {
            ' ' if !is_text => fields.push(String::new()),
            _ => {
                is_text ^= c == '"' && !is_escaped;
                is_escaped = is_text && c == '\\' && !is_escaped;
                fields.last_mut().unwrap().push(c);
            }
        }
    }
    fields
}
