//! From the row of an item to an index entry: its words, vector and position.

use super::facets::facets;
use crate::prompt::context_headings;
use recordar_domain::text::{LANGUAGE_MARK, Language, Term, Terms, normalized_hash};
use recordar_domain::{Hasher, ItemKind, Role};
use recordar_index::{Amendment, CHUNK, DERIVED, Entry, Item, LANGUAGE, LIVE, Make, SPEAKER, UNCOUNTED};
use recordar_models::{Embedder, VectorModel};
use recordar_store::{Error as StoreError, HeadingRow, IndexRow};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The settings of an index: the tokenizer of words and the embedding model.
pub(super) fn make(how: &Preparation) -> Make {
    let echoes = if how.skips_repeated { "" } else { "-repeated" };
    Make {
        words: format!("{}-fields-4{echoes}", Terms::make(how.language)),
        model: how.embedder.name().to_owned(),
        model_hash: how.embedder.hash().to_string(),
        dimension: how.embedder.dimension(),
    }
}

/// An index knows the terms of other languages by their first character.
const _: () = assert!(LANGUAGE_MARK == LANGUAGE);

/// How texts are prepared for an index.
#[derive(Debug, Clone)]
pub struct Preparation {
    pub language: Language,
    /// Whether a message whose text is already there is found only once.
    pub skips_repeated: bool,
    pub embedder: VectorModel,
}

/// Tokenises and embeds. One per thread, with its own cache.
pub(super) struct Preparer {
    terms: Terms,
    vectors: Vectors,
    skips_repeated: bool,
}

/// Where the vectors of items come from.
enum Vectors {
    Made(Embedder),
    /// Rows of the database, with as many components.
    Stored(usize),
}

impl Vectors {
    /// The vector of an item; all zeros, and false, if it has none yet.
    fn of(&mut self, row: &IndexRow) -> (Vec<i8>, bool) {
        match self {
            Self::Made(embedder) => (embedder.embed(&with_headings(row)), true),
            Self::Stored(dimension) => match &row.vector {
                Some(bytes) if bytes.len() == *dimension => (bytes.iter().map(|byte| *byte as i8).collect(), true),
                _ => (vec![0; *dimension], false),
            },
        }
    }
}

pub(super) struct Prepared {
    entry: Entry,
    stems: String,
    facets: Vec<String>,
    vector: Vec<i8>,
    /// Whether its vector is still to be made, by the caller's embedder.
    pub lacks_vector: bool,
}

impl Prepared {
    pub(super) fn item(&self) -> Item<'_> {
        Item { entry: self.entry, stems: &self.stems, facets: &self.facets, vector: &self.vector }
    }
}

impl Preparer {
    pub(super) fn new(how: &Preparation) -> Self {
        let vectors = match &how.embedder {
            VectorModel::BuiltIn(name) => Vectors::Made(Embedder::named(*name)),
            VectorModel::Own(own) => Vectors::Stored(own.dimension()),
        };
        Self { terms: Terms::new(how.language), vectors, skips_repeated: how.skips_repeated }
    }

    pub(super) fn prepare(&mut self, row: &IndexRow) -> Result<Prepared, StoreError> {
        let mut stems = String::with_capacity(row.text.len());
        let mut add = |prefix: Option<char>, stem: &str| {
            if !stem.is_empty() {
                stems.extend(prefix);
                stems.push_str(stem);
                stems.push(' ');
            }
        };
        let uncounted = |term: &Term<'_>| term.is_extra.then_some(UNCOUNTED);
        self.terms.each(self.terms.language_of(&row.text), &row.text, |term| add(uncounted(&term), term.stem));
        // Headings summarise a chunk in few words, which do not make it longer. Their language is their own, because they may change
        // while the chunk stays.
        let section = row.section.as_deref().unwrap_or_default();
        let language = self.terms.language_of(section);
        for _ in 0..HEADING_WEIGHT {
            self.terms.each(language, section, |term| add(Some(UNCOUNTED), term.stem));
        }
        let speaker = row.speaker.as_deref().unwrap_or_default();
        self.terms.each(self.terms.default_language(), speaker, |term| {
            if !term.is_extra {
                add(Some(SPEAKER), term.stem);
            }
        });
        let role = |role: &String| Role::parse(role).map_or(0, role_code);
        let born = narrow(row.born)?;
        let is_context = self.skips_repeated && is_recalled_context(row);
        let entry = Entry {
            id: narrow(row.id)?,
            group: narrow(row.thread_id.or(row.document_id).unwrap_or(0))?,
            role: match row.kind {
                ItemKind::Chunk => CHUNK,
                _ => row.role.as_ref().map_or(0, role) | if row.is_derived { DERIVED } else { 0 },
            },
            occurred_at: row.occurred_at.as_micros(),
            order: if row.kind == ItemKind::Chunk { row.place } else { row.occurred_at.as_micros() },
            born,
            // A context that was stored as a message is never live: its memories are.
            retired: if is_context { born } else { row.retired.map_or(Ok(LIVE), narrow)? },
            print: if self.skips_repeated { print(row) } else { 0 },
        };
        let (vector, has_vector) = self.vectors.of(row);
        Ok(Prepared { entry, stems, facets: facets(row), vector, lacks_vector: !has_vector })
    }

    /// How the words of a chunk differ from what was indexed, since headings above it changed: its own section, and the later ones in order.
    pub(super) fn amend(&mut self, own: Option<&str>, later: &[HeadingRow]) -> Result<Vec<Amendment>, StoreError> {
        let indexed = self.counts(own);
        let mut amendments = Vec::with_capacity(later.len());
        for (number, heading) in later.iter().enumerate() {
            let mut more = self.counts(heading.section.as_deref());
            for (stem, count) in &indexed {
                *more.entry(stem.clone()).or_default() -= count;
            }
            let stems = more.into_iter().map(|(stem, count)| (stem, count * HEADING_WEIGHT as i32));
            amendments.push(Amendment {
                id: narrow(heading.item_id)?,
                from: narrow(heading.born)?,
                to: later.get(number + 1).map_or(Ok(LIVE), |next| narrow(next.born))?,
                stems: stems.filter(|(_, count)| *count != 0).collect(),
            });
        }
        Ok(amendments)
    }

    fn counts(&mut self, section: Option<&str>) -> BTreeMap<String, i32> {
        let mut counts = BTreeMap::new();
        let section = section.unwrap_or_default();
        self.terms.each(self.terms.language_of(section), section, |Term { stem, .. }| {
            if !stem.is_empty() {
                *counts.entry(stem.to_owned()).or_default() += 1;
            }
        });
        counts
    }
}

/// How often the words of headings count.
const HEADING_WEIGHT: usize = 3;

/// The text for the vector: headings twice, because they name what the text is about and often does not repeat.
fn with_headings(row: &IndexRow) -> Cow<'_, str> {
    match row.section.as_deref().filter(|section| !section.is_empty()) {
        Some(section) => Cow::Owned(format!("{section}\n{section}\n{}", row.text)),
        None => Cow::Borrowed(&row.text),
    }
}

/// Whether a message is a context that was recalled and stored again.
fn is_recalled_context(row: &IndexRow) -> bool {
    row.kind == ItemKind::Message && context_headings().any(|heading| row.text.trim_start().starts_with(heading))
}

/// The same number for texts that deduplication takes for the same, of one kind and one speaker. 0 for chunks, which are never echoes, and for
/// texts without letters and digits.
fn print(row: &IndexRow) -> u64 {
    if row.kind == ItemKind::Chunk || !row.text.chars().any(char::is_alphanumeric) {
        return 0;
    }
    let text = u64::from_str_radix(&normalized_hash(&row.text), 16).unwrap_or(0);
    let of =
        Hasher::default().field(row.speaker.as_deref().unwrap_or_default()).field([row.kind.code() as u8]).finish();
    let of = of.0.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    (text ^ of).max(1)
}

pub(crate) fn role_code(role: Role) -> u8 {
    match role {
        Role::User => 1,
        Role::Assistant => 2,
        Role::System => 3,
        Role::Tool => 4,
    }
}

/// Ids and revisions of an indexed space stay below 2³².
pub(super) fn narrow(number: i64) -> Result<u32, StoreError> {
    u32::try_from(number)
        .ok()
        .filter(|number| *number < LIVE - 1)
        .ok_or_else(|| StoreError::Corrupt { what: format!("the number {number} exceeds the limit of an index") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use recordar_domain::Timestamp;

    #[test]
    fn texts_that_say_the_same_have_the_same_print() {
        let print_of = |kind: ItemKind, text: &str| {
            print(&IndexRow {
                id: 1,
                kind,
                thread_id: None,
                document_id: None,
                place: 0,
                section: None,
                role: None,
                speaker: None,
                text: text.to_owned(),
                is_derived: false,
                metadata: None,
                occurred_at: Timestamp::from_micros(0),
                born: 1,
                retired: None,
                vector: None,
            })
        };
        let message = |text: &str| print_of(ItemKind::Message, text);
        assert_eq!(message("The lamp is green."), message("“the LAMP  is green”"));
        assert_ne!(
            message("The lamp is green."),
            print_of(ItemKind::Fact, "The lamp is green"),
            "a fact is no echo of a message"
        );
        assert_ne!(message("The lamp is green."), message("The lamp is blue."));
        assert_eq!((message("…!"), message("👍"), message("")), (0, 0, 0));
        assert_eq!(print_of(ItemKind::Chunk, "The lamp is green."), 0);
    }
}
