//! A passage: a candidate item on its way into a context.

use super::item::{ItemView, item_name};
use super::memory::{MemoryEntry, Provenance};
use recordar_domain::ItemKind;
use recordar_domain::text::{TokenCounter, normalized_hash};
use recordar_index::Mode as SearchMode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Marks that a text continues.
const ELLIPSIS: &str = "...";
/// Only this much of an item is considered. It is far more than a budget can hold.
const MAX_LOOKED_AT: usize = 32 * 1024;

pub(crate) struct Passage {
    pub(crate) item: ItemView,
    /// The original item, if redaction changed it.
    pub(crate) unredacted: Option<Box<ItemView>>,
    /// Identifies passages with the same text; made from the whole text.
    pub(crate) normalized_hash: String,
    pub(crate) score: f64,
    /// The stems of the question's words, and the score that each added through the item itself.
    pub(crate) words: Vec<(String, f64)>,
    /// Characters before anything was removed.
    pub(crate) original_length: usize,
    pub(crate) span: Span,
    pub(crate) tokens: usize,
}

/// The part of a text that is shown, in bytes, and whether text precedes and follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) is_late: bool,
    pub(crate) is_cut: bool,
}

impl Passage {
    pub(crate) fn new(mut item: ItemView, score: f64) -> Self {
        let original_length = item.text.chars().count();
        let normalized_hash = normalized_hash(&item.text);
        let is_cut = look_at(&mut item.text);
        let span = Span { start: 0, end: item.text.len(), is_late: false, is_cut };
        Self { item, unredacted: None, normalized_hash, score, words: Vec::new(), original_length, span, tokens: 0 }
    }

    /// The passage's name in a trace.
    pub(crate) fn name(&self) -> String {
        item_name(&self.item.space, self.item.item_id)
    }

    /// The item before any changes, up to the part that was considered.
    pub(crate) fn source(&self) -> &ItemView {
        self.unredacted.as_deref().unwrap_or(&self.item)
    }

    pub(crate) fn content(&self) -> String {
        let (before, behind) = self.ellipses();
        format!("{before}{}{behind}", self.shown())
    }

    /// The part of the text that is shown.
    pub(crate) fn shown(&self) -> &str {
        self.item.text.get(self.span.start..self.span.end).unwrap_or_default()
    }

    /// The marks before and after it.
    pub(crate) fn ellipses(&self) -> (&'static str, &'static str) {
        let ellipsis = |is_there| if is_there { ELLIPSIS } else { "" };
        (ellipsis(self.span.is_late), ellipsis(self.span.is_cut))
    }

    /// Keeps as much of the shown text as fits into this many tokens. False if nothing fits.
    pub(crate) fn cut(&mut self, max_tokens: usize, counter: &TokenCounter) -> bool {
        let (before, _) = self.ellipses();
        let fitting = counter.fit(before, self.shown(), ELLIPSIS, max_tokens);
        self.span.end = self.span.start + fitting;
        self.span.is_cut = true;
        fitting > 0
    }

    pub(crate) fn to_entry(&self, search_type: SearchMode) -> MemoryEntry {
        let item = &self.item;
        MemoryEntry {
            id: item.item_id.to_string(),
            content: self.content(),
            score: self.score,
            timestamp: item.occurred_at,
            session_id: item.thread.clone(),
            message_id: (item.kind == ItemKind::Message).then(|| item.item_id.to_string()),
            kind: item.kind,
            role: item.role.clone(),
            speaker: item.speaker.clone(),
            provenance: Provenance {
                collection: item.space.clone(),
                item_id: item.item_id,
                document: item.document.clone(),
                section: item.section.clone(),
                search_type,
                original_length: self.original_length,
                was_redacted: self.unredacted.is_some(),
            },
        }
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
pub(crate) mod tests {
    use super::*;
    use recordar_domain::Timestamp;

    pub(crate) fn passage(id: i64, text: &str) -> Passage {
        let item = ItemView {
            space: "user:ada".to_owned(),
            item_id: id,
            kind: ItemKind::Message,
            text: text.to_owned(),
            thread: Some("talk".to_owned()),
            role: Some("user".to_owned()),
            speaker: None,
            document: None,
            section: None,
            occurred_at: Timestamp::from_micros(0),
        };
        Passage::new(item, 0.5)
    }

    pub(crate) fn scored(id: i64, score: f64, seconds: i64) -> Passage {
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
        assert!(passage.span.is_cut && passage.content().len() < 33_000 && passage.content().ends_with("word..."));
    }
}
