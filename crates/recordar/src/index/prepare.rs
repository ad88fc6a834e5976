//! From the row of an item to an index entry: its words, vector and position.

use recordar_domain::Role;
use recordar_domain::text::{Language, Words};
use recordar_index::{Entry, Item, LIVE, Make, SPEAKER};
use recordar_models::{DIMENSION, Embedder, MODEL, MODEL_HASH};
use recordar_store::{Error as StoreError, IndexRow};

/// The settings of an index: the tokenizer of words and the embedding model.
pub(crate) fn make(language: Language) -> Make {
    Make {
        words: format!("{}-fields-1", Words::make(language)),
        model: MODEL.to_owned(),
        model_hash: MODEL_HASH.to_owned(),
        dimension: DIMENSION,
    }
}

/// Tokenises and embeds. One per thread, with its own cache.
pub(crate) struct Preparer {
    words: Words,
    embedder: Embedder,
}

pub(crate) struct Prepared {
    entry: Entry,
    stems: String,
    vector: Vec<i8>,
}

impl Prepared {
    pub(crate) fn item(&self) -> Item<'_> {
        Item { entry: self.entry, stems: &self.stems, vector: &self.vector }
    }
}

impl Preparer {
    pub(crate) fn new(language: Language) -> Self {
        Self { words: Words::new(language), embedder: Embedder::default() }
    }

    pub(crate) fn prepare(&mut self, row: &IndexRow) -> Result<Prepared, StoreError> {
        let mut stems = String::with_capacity(row.text.len());
        let mut add = |prefix: Option<char>, stem: &str| {
            if !stem.is_empty() {
                stems.extend(prefix);
                stems.push_str(stem);
                stems.push(' ');
            }
        };
        self.words.each(&row.text, |_, stem| add(None, stem));
        // Headings summarise a chunk in few words.
        for _ in 0..HEADING_WEIGHT {
            self.words.each(row.section.as_deref().unwrap_or_default(), |_, stem| add(None, stem));
        }
        self.words.each(row.speaker.as_deref().unwrap_or_default(), |_, stem| add(Some(SPEAKER), stem));
        let role = |role: &String| Role::parse(role).map_or(0, role_code);
        let entry = Entry {
            id: narrow(row.id)?,
            group: narrow(row.thread_id.or(row.version_id).unwrap_or(0))?,
            role: row.role.as_ref().map_or(0, role),
            occurred_at: row.occurred_at.as_micros(),
            born: narrow(row.born)?,
            retired: row.retired.map_or(Ok(LIVE), narrow)?,
        };
        Ok(Prepared { entry, stems, vector: self.embedder.embed(&row.text) })
    }
}

const HEADING_WEIGHT: usize = 2;

pub(crate) fn role_code(role: Role) -> u8 {
    match role {
        Role::User => 1,
        Role::Assistant => 2,
        Role::System => 3,
        Role::Tool => 4,
    }
}

/// Ids and revisions of an indexed space stay below 2³².
pub(crate) fn narrow(number: i64) -> Result<u32, StoreError> {
    u32::try_from(number)
        .ok()
        .filter(|number| *number < LIVE - 1)
        .ok_or_else(|| StoreError::Corrupt { what: format!("the number {number} exceeds the limit of an index") })
}
