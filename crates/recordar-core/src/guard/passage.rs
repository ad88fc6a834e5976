//! A passage that may be shown: cleared, and then cut to what fits.

use super::hide::{Hide, Hiding};
use super::redactor::{Redactor, UNSURE_BYTES};
use crate::error::Error;
use crate::noun::item::ItemView;
use crate::noun::memory::{MemoryEntry, Provenance};
use crate::noun::passage::{Passage, Span};
use recordar_domain::text::{SectionStart, TokenCounter};
use recordar_domain::{Action, ItemKind, Stage};
use recordar_index::Mode as SearchMode;
use std::ops::Deref;
use std::time::Instant;

/// Marks that a text continues.
const ELLIPSIS: &str = "...";

/// A passage after the guard. Contexts are composed of these alone.
pub struct SafePassage {
    passage: Passage,
    /// The original item, if redaction changed it.
    unredacted: Option<Box<ItemView>>,
    pub tokens: usize,
}

impl Deref for SafePassage {
    type Target = Passage;

    fn deref(&self) -> &Passage {
        &self.passage
    }
}

impl SafePassage {
    /// The item before any changes, up to the part that was considered.
    pub fn source(&self) -> &ItemView {
        self.unredacted.as_deref().unwrap_or(&self.item)
    }

    pub fn content(&self) -> String {
        let (before, behind) = self.ellipses();
        format!("{before}{}{behind}", self.shown())
    }

    /// The section of the part that is shown.
    pub fn section(&self) -> Option<&str> {
        self.item.section_at(self.span.start)
    }

    /// The section of something that is quoted from the part that is shown.
    pub fn section_of(&self, quoted: &str) -> Option<&str> {
        let place = self.shown().find(quoted).unwrap_or_default();
        self.item.section_at(self.span.start + place)
    }

    /// The part of the text that is shown.
    pub fn shown(&self) -> &str {
        self.item.text.get(self.span.start..self.span.end).unwrap_or_default()
    }

    /// The marks before and after it.
    pub(crate) fn ellipses(&self) -> (&'static str, &'static str) {
        let ellipsis = |is_there| if is_there { ELLIPSIS } else { "" };
        (ellipsis(self.span.is_late), ellipsis(self.span.is_cut))
    }

    pub fn is_redacted(&self) -> bool {
        self.unredacted.is_some()
    }

    /// Shows this part of the text and no other.
    pub fn show(&mut self, span: Span) {
        self.passage.span = span;
    }

    /// Keeps as much of the shown text as fits into this many tokens. False if nothing fits.
    pub fn truncate(&mut self, max_tokens: usize, counter: &TokenCounter) -> bool {
        let (before, _) = self.ellipses();
        let fitting = counter.fit(before, self.shown(), ELLIPSIS, max_tokens);
        self.passage.span.end = self.passage.span.start + fitting;
        self.passage.span.is_cut = true;
        fitting > 0
    }

    pub fn to_entry(&self, search_type: SearchMode) -> MemoryEntry {
        let item = &self.item;
        MemoryEntry {
            id: item.item_id.to_string(),
            content: self.content(),
            score: self.score,
            rerank: self.rerank.clone(),
            timestamp: item.occurred_at,
            session_id: item.thread.clone(),
            message_id: (item.kind == ItemKind::Message).then(|| item.item_id.to_string()),
            kind: item.kind,
            role: item.role.clone(),
            speaker: item.speaker.clone(),
            unverified: self.unverified,
            provenance: Provenance {
                collection: item.space.clone(),
                item_id: item.item_id,
                document: item.document.clone(),
                document_name: item.document_name.clone(),
                section: self.section().map(str::to_owned),
                search_type,
                original_length: self.original_length,
                was_redacted: self.is_redacted(),
                stage: self.place.as_ref().map(|place| place.source),
                thread_title: self.place.as_ref().and_then(|place| place.thread_title.clone()),
            },
            stored: item.stored.clone(),
        }
    }
}

/// Redacts every part of an item that a context shows: its text and names.
pub(super) fn redact(passages: Vec<Passage>, redactor: &Redactor) -> Result<(Vec<SafePassage>, Stage), Error> {
    let mut cleared = Vec::with_capacity(passages.len());
    let mut stage = Stage::new("redact");
    let deadline = Instant::now() + Redactor::MAX_TIME;
    let mut hiding = Hiding::new(redactor);
    for mut passage in passages {
        let mut unredacted = None;
        let mut item = passage.item.clone();
        let before = item.text.clone();
        let ItemView { text, thread, speaker, document, document_name, section, sections, .. } = &mut item;
        let names = [thread, speaker, document, document_name, section].into_iter().flatten();
        let names = names.chain(sections.iter_mut().map(|start| &mut start.section));
        let mut found = Vec::new();
        let title = passage.place.as_mut().and_then(|place| place.thread_title.as_mut());
        for field in std::iter::once(text).chain(names).chain(title) {
            if let Some((redacted, what)) = redactor.redact(field, deadline)? {
                *field = redacted;
                found.push(what);
            }
        }
        if item.text != before {
            item.sections = moved(std::mem::take(&mut item.sections), &before, |text| {
                Ok(redactor.redact(text, deadline)?.map_or(text.len(), |(redacted, _)| redacted.len()))
            })?;
        }
        if passage.span.is_cut {
            // The text was already cut, perhaps within a secret.
            item.text.truncate(item.text.floor_char_boundary(item.text.len().saturating_sub(UNSURE_BYTES)));
            found.push("its last bytes, because the text was cut there".to_owned());
        }
        if !found.is_empty() {
            stage.decide(passage.name(), Action::Changed, "redacted", found.join(", "));
            passage.span.end = item.text.len();
            unredacted = Some(Box::new(std::mem::replace(&mut passage.item, item)));
        }
        // No context shows these, so they do not count as a change of the passage.
        passage.item.stored.hide(&mut hiding)?;
        cleared.push(SafePassage { passage, unredacted, tokens: 0 });
    }
    Ok((cleared, stage))
}

/// Sections of a text whose length changed: each begins after what is left of the text before it.
fn moved(
    mut sections: Vec<SectionStart>,
    text: &str,
    length: impl Fn(&str) -> Result<usize, Error>,
) -> Result<Vec<SectionStart>, Error> {
    for start in &mut sections {
        start.at = length(text.get(..start.at).unwrap_or(text))?;
    }
    Ok(sections)
}

/// Passages of a call that does not redact.
pub(super) fn as_they_are(passages: Vec<Passage>) -> Vec<SafePassage> {
    passages.into_iter().map(|passage| SafePassage { passage, unredacted: None, tokens: 0 }).collect()
}
