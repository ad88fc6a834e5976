//! A passage: a candidate item on its way into a context.

use super::fact::Unverified;
use super::item::{ItemView, item_name};
use super::rerank::RerankView;
use super::staged::StagedPlace;
use recordar_domain::text::normalized_hash;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Only this much of an item is considered. It is far more than a budget can hold.
const MAX_LOOKED_AT: usize = 32 * 1024;

pub struct Passage {
    pub item: ItemView,
    /// Identifies passages with the same text; made from the whole text.
    pub normalized_hash: String,
    pub score: f64,
    /// The stems of the question's words, and the score that each added through the item itself.
    pub words: Vec<(String, f64)>,
    /// Characters before anything was removed.
    pub original_length: usize,
    pub span: Span,
    /// Where a staged recall found it.
    pub place: Option<StagedPlace>,
    /// What reranking did with it.
    pub rerank: Option<RerankView>,
    /// How many messages a summary takes the place of.
    pub stands_for: usize,
    /// What must be shown of it: the place of a fact that it states and that was found.
    pub states: Option<(usize, usize)>,
    /// Why a fact or a summary is to be looked at again.
    pub unverified: Option<Unverified>,
}

/// The part of a text that is shown, in bytes, and whether text precedes and follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    pub start: usize,
    pub end: usize,
    pub is_late: bool,
    pub is_cut: bool,
}

impl Passage {
    pub fn new(mut item: ItemView, score: f64) -> Self {
        let original_length = item.text.chars().count();
        let normalized_hash = normalized_hash(&item.text);
        let is_cut = look_at(&mut item.text);
        let span = Span { start: 0, end: item.text.len(), is_late: false, is_cut };
        Self {
            item,
            normalized_hash,
            score,
            words: Vec::new(),
            original_length,
            span,
            place: None,
            rerank: None,
            stands_for: 0,
            states: None,
            unverified: None,
        }
    }

    /// The passage's name in a trace.
    pub fn name(&self) -> String {
        item_name(&self.item.space, self.item.item_id)
    }
}

/// Cuts a text to the part that is considered. True if it was longer.
pub(crate) fn look_at(text: &mut String) -> bool {
    if text.len() <= MAX_LOOKED_AT {
        return false;
    }
    let end = text.floor_char_boundary(MAX_LOOKED_AT);
    // Cut between words, so that no secret is split before it can be recognised.
    let word = text[..end].rfind(char::is_whitespace).filter(|at| *at > MAX_LOOKED_AT / 2);
    text.truncate(word.unwrap_or(end));
    true
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::noun::item::StoredWith;
    use recordar_domain::{ItemKind, Timestamp};

    pub fn passage(id: i64, text: &str) -> Passage {
        let item = ItemView {
            space: "user:ada".to_owned(),
            item_id: id,
            kind: ItemKind::Message,
            text: text.to_owned(),
            thread: Some("talk".to_owned()),
            role: Some("user".to_owned()),
            speaker: None,
            document: None,
            document_name: None,
            section: None,
            sections: Vec::new(),
            occurred_at: Timestamp::from_micros(0),
            stored: StoredWith::default(),
        };
        Passage::new(item, 0.5)
    }

    pub fn scored(id: i64, score: f64, seconds: i64) -> Passage {
        let mut passage = passage(id, &format!("text {id}"));
        passage.score = score;
        passage.item.occurred_at = Timestamp::from_micros(seconds * 1_000_000);
        passage
    }

    #[test]
    fn e6_the_length_is_that_before_anything_was_taken_away() {
        let long = "word ".repeat(10_000);
        let passage = passage(1, &long);
        assert_eq!(passage.original_length, 50_000);
        assert!(passage.span.is_cut && passage.item.text.len() < 33_000 && passage.item.text.ends_with("word"));
    }
}
