//! The guard: what may enter a prompt, a context or a reply is decided here, and only here.
//!
//! Prompts and contexts are made of [`SafeText`] and [`SafePassage`], which nothing else can make of stored text. Replies go through [`Hide`].
//! It redacts; and what is composed is also searched for instructions to the model.

mod chunk;
mod cleared;
mod evidence;
mod hide;
mod passage;
mod redactor;
mod text;

pub use chunk::SafeChunk;
pub(crate) use evidence::above;
pub use evidence::{Evidence, Said};
pub use hide::PieceOf;
pub use hide::{Hide, Hiding};
pub use passage::SafePassage;
pub use redactor::Redactor;
pub use text::SafeText;

use crate::error::Error;
use crate::noun::chunk::QueryChunk;
use crate::noun::passage::Passage;
use recordar_domain::Stage;
use std::sync::Arc;

/// Clears stored text for people and for models, by the patterns of one call; or by none, if redaction is off.
#[derive(Clone)]
pub struct Guard {
    redactor: Option<Arc<Redactor>>,
}

impl Guard {
    pub fn new(redactor: Arc<Redactor>) -> Self {
        Self { redactor: Some(redactor) }
    }

    /// Lets everything through: redaction is off.
    pub fn off() -> Self {
        Self { redactor: None }
    }

    pub fn redacts(&self) -> bool {
        self.redactor.is_some()
    }

    /// Every pattern, in order; none if redaction is off.
    pub fn patterns(&self) -> Vec<String> {
        self.redactor.as_ref().map_or(Vec::new(), |redactor| redactor.patterns())
    }

    /// For the parts of a reply; nothing if redaction is off.
    pub fn hiding(&self) -> Option<Hiding<'_>> {
        self.redactor.as_deref().map(Hiding::new)
    }

    pub fn text(&self, text: &str) -> Result<SafeText, Error> {
        SafeText::clear(text.to_owned(), self.redactor.as_deref())
    }

    /// Clears the text of a chunk and the names of its source.
    pub fn chunk(&self, chunk: QueryChunk) -> Result<SafeChunk, Error> {
        SafeChunk::clear(chunk, |text| self.text(text))
    }

    /// Clears the passages of a context. There is a stage only if redaction is on.
    pub fn passages(&self, passages: Vec<Passage>) -> Result<(Vec<SafePassage>, Option<Stage>), Error> {
        match &self.redactor {
            Some(redactor) => passage::redact(passages, redactor).map(|(passages, stage)| (passages, Some(stage))),
            None => Ok((passage::as_they_are(passages), None)),
        }
    }
}

#[cfg(test)]
pub fn safe(passages: Vec<Passage>) -> Vec<SafePassage> {
    passage::as_they_are(passages)
}
