//! A chunk that a descent found, cleared.

use super::text::SafeText;
use crate::error::Error;
use crate::noun::chunk::QueryChunk;
use std::ops::Deref;

/// A chunk after the guard: its text and the names of its source are cleared.
pub struct SafeChunk(QueryChunk);

impl Deref for SafeChunk {
    type Target = QueryChunk;

    fn deref(&self) -> &QueryChunk {
        &self.0
    }
}

impl SafeChunk {
    pub(super) fn clear(mut chunk: QueryChunk, clear: impl Fn(&str) -> Result<SafeText, Error>) -> Result<Self, Error> {
        let QueryChunk { text_content, document, section, .. } = &mut chunk;
        for field in [text_content, document].into_iter().chain(section) {
            *field = clear(field)?.as_str().to_owned();
        }
        Ok(Self(chunk))
    }

    pub fn text(&self) -> SafeText {
        SafeText::cleared(&self.0.text_content)
    }

    pub fn document(&self) -> SafeText {
        SafeText::cleared(&self.0.document)
    }

    pub fn into_chunk(self) -> QueryChunk {
        self.0
    }
}
