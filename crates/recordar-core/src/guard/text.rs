//! Text that may enter a prompt.

use super::redactor::Redactor;
use crate::error::Error;

/// Text that the guard has cleared. Prompts take no other. Outside of this room it is made only of the caller's own words; a summary of cleared
/// text counts as cleared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SafeText(String);

impl SafeText {
    pub(super) fn clear(text: String, redactor: Option<&Redactor>) -> Result<Self, Error> {
        Ok(Self(match redactor {
            Some(redactor) => redactor.without_secrets(text)?,
            None => text,
        }))
    }

    /// For what the room has cleared in another way.
    pub(super) fn cleared(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The caller's own words, which came with this call and not from the store: a question, or a text to summarise.
    pub fn given(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text up to a byte, which must be the border of a character.
    pub fn up_to(&self, end: usize) -> Self {
        Self(self.0[..end].to_owned())
    }

    /// A part of the text, by bytes that are borders of characters.
    pub fn part(&self, range: std::ops::Range<usize>) -> Self {
        Self(self.0[range].to_owned())
    }

    pub fn join(texts: &[Self], between: &'static str) -> Self {
        Self(texts.iter().map(Self::as_str).collect::<Vec<_>>().join(between))
    }
}
