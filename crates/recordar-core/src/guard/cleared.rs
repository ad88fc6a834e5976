//! Stored text for a composed prompt: redacted, and searched for instructions to the model (SAF-G1).

use super::Guard;
use super::redactor::Redactor;
use super::text::SafeText;
use crate::error::Error;
use recordar_compose::{Cleared, OneSpaced, normal};
use recordar_injection::instructions;
use std::ops::Range;
use std::time::Instant;

/// Longer texts are searched in pieces of about this many bytes, which end at a line.
const MAX_SEARCHED_BYTES: usize = 64 * 1024;

impl Guard {
    /// Clears a stored text for composing.
    pub fn cleared(&self, text: &str) -> Result<Cleared, Error> {
        self.cleared_with(text, instructions_in)
    }

    /// The same with instructions that were found earlier, so that a receipt does not depend on how they are found later.
    pub(crate) fn cleared_with(
        &self,
        text: &str,
        find: impl FnOnce(&str) -> Vec<Range<usize>>,
    ) -> Result<Cleared, Error> {
        let text = self.without_split_secrets(normal(text))?;
        let spans = find(&text);
        Ok(Cleared::by_guard(text, spans))
    }

    /// A cleared text for a task.
    pub fn safe(text: &Cleared) -> SafeText {
        SafeText::cleared(text.as_str())
    }

    /// A text of the caller or the owner for composing, as it is shown: without what cannot be seen, and redacted.
    pub fn shown(&self, text: &str) -> Result<String, Error> {
        self.without_split_secrets(normal(text))
    }

    /// Redacts a text, also what somebody may join: a secret with line breaks or several spaces inside.
    fn without_split_secrets(&self, text: String) -> Result<String, Error> {
        let Some(redactor) = &self.redactor else { return Ok(text) };
        let deadline = Instant::now() + Redactor::MAX_TIME;
        let mut secrets = redactor.secrets(&text, deadline)?;
        let spaced = OneSpaced::new(&text);
        secrets
            .extend(redactor.secrets(&spaced.text, deadline)?.into_iter().filter_map(|secret| spaced.original(secret)));
        secrets.sort_by_key(|secret| (secret.start, secret.end));
        Ok(Redactor::without(&text, &secrets))
    }
}

fn instructions_in(text: &str) -> Vec<Range<usize>> {
    let (mut spans, mut start) = (Vec::new(), 0);
    while start < text.len() {
        let most = text.floor_char_boundary(text.len().min(start + MAX_SEARCHED_BYTES));
        let line = text[start..most].rfind('\n').map(|at| start + at + 1);
        let end = if most == text.len() { most } else { line.unwrap_or(most) };
        let found = instructions(&text[start..end]).into_iter();
        spans.extend(found.map(|found| start + found.span.start..start + found.span.end));
        start = end;
    }
    spans
}
