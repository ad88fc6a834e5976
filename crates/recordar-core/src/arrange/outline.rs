//! What a document says of itself, and the units that are placed together: whole documents, or the parts of a long one.

use super::title::{body_and_tags, folder_name, is_index, plain, stem, title, valid};
use super::vocabulary::{Bag, IN_FOLDER, IN_HEADING, IN_TEXT, IN_TITLE, Term, Vocabulary};
use recordar_domain::text::Language;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A document of more chunks is placed in parts.
const LONG_CHUNKS: usize = 64;
/// Only this much of a document's beginning is considered.
const MAX_BEGINNING: usize = 4 * 1024;
/// Separates the headings of a section.
const HEADINGS: &str = " > ";

/// A document whose chunks need leaves. Its texts have been cleared: names are made of them.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    /// As it is stored.
    pub path: String,
    pub filename: String,
    /// The names of its folders, from the root.
    pub folders: Vec<String>,
    /// The text of its first chunk, if that is known.
    pub beginning: String,
    /// Its chunks in order, each with its section.
    pub chunks: Vec<(i64, Option<String>)>,
}

/// Chunks that are placed together.
pub(super) struct Unit {
    /// The folders above it, by number, from the root.
    pub(super) folders: Vec<usize>,
    pub(super) name: String,
    pub(super) vector: Vec<(Term, f64)>,
    /// The words of its name and its nearest folder.
    pub(super) named: Vec<Term>,
    /// The words of its headings and tags.
    pub(super) headed: Vec<Term>,
    pub(super) chunks: Vec<i64>,
    /// The path of its document, without the file.
    pub(super) folder_path: String,
}

/// All that is to be placed, in the order of paths.
pub(super) struct Units {
    pub(super) list: Vec<Unit>,
    /// The name of each folder for people.
    pub(super) folder_names: Vec<String>,
    /// Whether it is a long document, whose parts are placed as the files of a folder are.
    pub(super) is_document: Vec<bool>,
    pub(super) vocabulary: Vocabulary,
}

impl Units {
    /// The documents come in the order of their paths.
    pub(super) fn of(documents: &[Outline], language: Language) -> Self {
        let mut vocabulary = Vocabulary::new(language);
        let mut folders = Folders::default();
        let mut parts: Vec<(usize, Part)> = Vec::new();
        for (number, document) in documents.iter().enumerate() {
            let chain = folders.chain(document);
            let title = title(&document.beginning, &document.filename);
            if let (true, Some(title), Some(own)) = (is_index(&document.filename), &title, chain.last()) {
                folders.names[*own].clone_from(title);
            }
            parts.extend(split(document, chain, title, &mut folders).into_iter().map(|part| (number, part)));
        }
        let mut bags = Vec::with_capacity(parts.len());
        for (number, part) in &parts {
            let found = part.bag(&documents[*number], &folders, &mut vocabulary);
            vocabulary.count(&found.0);
            bags.push(found);
        }
        let mut list = Vec::with_capacity(parts.len());
        for ((number, part), (bag, headed)) in parts.into_iter().zip(bags) {
            let nearest = part.folders.last().map_or("", |folder| folders.names[*folder].as_str());
            let named = vocabulary.terms_of(&format!("{} {nearest}", part.heading));
            let folder_path = folder_of(&documents[number].path).to_owned();
            let vector = vocabulary.vector(&bag);
            let Part { folders, name, chunks, .. } = part;
            list.push(Unit { folders, name, vector, named, headed, chunks, folder_path });
        }
        Self { list, folder_names: folders.names, is_document: folders.is_document, vocabulary }
    }

    pub(super) fn weight(&self, units: &[usize]) -> u64 {
        units.iter().map(|unit| self.list[*unit].chunks.len() as u64).sum()
    }
}

/// The folder of a path; empty if it has none.
pub(super) fn folder_of(path: &str) -> &str {
    path.rfind('/').map_or("", |at| &path[..at])
}

/// Folders by number, in the order of paths.
#[derive(Default)]
struct Folders {
    numbers: HashMap<String, usize>,
    names: Vec<String>,
    is_document: Vec<bool>,
}

impl Folders {
    fn number(&mut self, key: &str, name: &str) -> usize {
        if let Some(number) = self.numbers.get(key) {
            return *number;
        }
        let number = self.names.len();
        self.numbers.insert(key.to_owned(), number);
        self.names.push(folder_name(name).or_else(|| valid(name)).unwrap_or_default());
        self.is_document.push(false);
        number
    }

    /// The folders above a document, from the root.
    fn chain(&mut self, document: &Outline) -> Vec<usize> {
        let folder = folder_of(&document.path);
        let ends = folder.match_indices('/').map(|(at, _)| at).chain([folder.len()]).filter(|end| *end > 0);
        let ends: Vec<usize> = ends.collect();
        // The names have been cleared; there are as many of them as folders.
        let mut chain: Vec<usize> =
            ends.iter().zip(&document.folders).map(|(end, name)| self.number(&folder[..*end], name)).collect();
        // Files that are named by a date are kept by year.
        if let Some(year) = year(&document.filename) {
            chain.push(self.number(&format!("{folder}/ {year}"), year));
        }
        chain
    }
}

/// The year of a file name that begins with a date.
fn year(filename: &str) -> Option<&str> {
    let is_digits = |range: std::ops::Range<usize>| {
        filename.get(range).is_some_and(|part| part.bytes().all(|b| b.is_ascii_digit()))
    };
    let is_date =
        is_digits(0..4) && filename.get(4..5) == Some("-") && is_digits(5..7) && filename.get(7..8) == Some("-");
    filename.get(..4).filter(|_| is_date)
}

/// A document, or a part of a long one.
struct Part {
    folders: Vec<usize>,
    name: String,
    /// Its name without the number of a part.
    heading: String,
    /// The distinct headings of its chunks.
    headings: BTreeSet<String>,
    chunks: Vec<i64>,
    is_first: bool,
}

/// One part for a document, or one for each of the main headings of a long one.
fn split(document: &Outline, chain: Vec<usize>, title: Option<String>, folders: &mut Folders) -> Vec<Part> {
    let own_folder = chain.last().map(|folder| folders.names[*folder].clone());
    let fallback = || stem(&document.filename).or_else(|| valid(&document.filename));
    let name = title.or(own_folder).or_else(fallback).unwrap_or_else(|| "Document".to_owned());
    let headings =
        |chunks: &[(i64, Option<String>)]| chunks.iter().filter_map(|(_, section)| section.clone()).collect();
    let ids = |chunks: &[(i64, Option<String>)]| chunks.iter().map(|(id, _)| *id).collect();
    let chunks = document.chunks.as_slice();
    if chunks.len() <= LONG_CHUNKS {
        let (heading, headings) = (name.clone(), headings(chunks));
        return vec![Part { folders: chain, name, heading, headings, chunks: ids(chunks), is_first: true }];
    }
    let own = folders.number(&document.path, &name);
    folders.names[own].clone_from(&name);
    folders.is_document[own] = true;
    let folders: Vec<usize> = chain.into_iter().chain([own]).collect();
    let mut parts = Vec::new();
    for (at, (heading, chunks)) in by_heading(chunks).into_iter().enumerate() {
        let heading = heading.and_then(|heading| plain(&heading)).unwrap_or_else(|| name.clone());
        for (number, piece) in chunks.chunks(LONG_CHUNKS).enumerate() {
            let name = match number {
                0 => heading.clone(),
                _ => valid(&format!("{heading}, part {}", number + 1)).unwrap_or_else(|| heading.clone()),
            };
            let (heading, headings) = (heading.clone(), headings(piece));
            let (folders, is_first) = (folders.clone(), at == 0 && number == 0);
            parts.push(Part { folders, name, heading, headings, chunks: ids(piece), is_first });
        }
    }
    parts
}

type Chunk = (i64, Option<String>);

/// The chunks of a document by the first heading that they do not all share, in the order of the text.
fn by_heading(chunks: &[Chunk]) -> Vec<(Option<String>, Vec<Chunk>)> {
    let path = |section: &Option<String>| -> Vec<String> {
        section.as_ref().map_or(Vec::new(), |section| section.split(HEADINGS).map(str::to_owned).collect())
    };
    let paths: Vec<Vec<String>> = chunks.iter().map(|(_, section)| path(section)).collect();
    let longest = paths.iter().map(Vec::len).max().unwrap_or(0);
    let is_shared = |at: &usize| {
        let mut names = paths.iter().filter_map(|path| path.get(*at));
        let first = names.next();
        names.all(|name| Some(name) == first)
    };
    let shared = (0..longest).take_while(is_shared).count();
    let mut groups: Vec<(Option<String>, Vec<Chunk>)> = Vec::new();
    let mut numbers: BTreeMap<Option<String>, usize> = BTreeMap::new();
    // A few words before the first of these headings belong to it.
    const FEW: usize = 2;
    let before = paths.iter().take_while(|path| path.len() <= shared).count();
    let first = paths.get(before).and_then(|path| path.get(shared).cloned()).filter(|_| before <= FEW);
    for (chunk, path) in chunks.iter().zip(paths) {
        let heading = path.get(shared).cloned().or_else(|| first.clone().filter(|_| groups.len() <= 1));
        let number = *numbers.entry(heading.clone()).or_insert_with(|| {
            groups.push((heading, Vec::new()));
            groups.len() - 1
        });
        groups[number].1.push(chunk.clone());
    }
    groups
}

impl Part {
    /// Its words, and those of its headings and tags alone.
    fn bag(&self, document: &Outline, folders: &Folders, vocabulary: &mut Vocabulary) -> (Bag, Vec<Term>) {
        let mut bag = Bag::default();
        vocabulary.add_name(&mut bag, &self.heading, IN_TITLE);
        if let Some(folder) = self.folders.last() {
            vocabulary.add_name(&mut bag, &folders.names[*folder], IN_FOLDER);
        }
        let (body, tags) = match self.is_first {
            true => body_and_tags(&document.beginning),
            false => ("", Vec::new()),
        };
        let headings = self.headings.iter().flat_map(|section| section.split(HEADINGS));
        let names: BTreeSet<&str> = headings.chain(tags).collect();
        let mut headed = Vec::new();
        for name in names {
            vocabulary.add_name(&mut bag, name, IN_HEADING);
            headed.extend(vocabulary.terms_of(name));
        }
        vocabulary.add(&mut bag, &body[..body.floor_char_boundary(MAX_BEGINNING)], IN_TEXT);
        headed.sort_unstable();
        headed.dedup();
        (bag, headed)
    }
}
