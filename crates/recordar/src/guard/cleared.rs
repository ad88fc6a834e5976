//! Stored text for a composed prompt: redacted, and searched for instructions to the model (SAF-G1).

use super::Guard;
use super::redactor::Redactor;
use crate::error::Error;
use recordar_compose::{Cleared, normal};
use recordar_injection::instructions;
use std::time::Instant;

/// Longer texts are searched in pieces of about this many bytes, which end at a line.
const MAX_SEARCHED_BYTES: usize = 64 * 1024;

impl Guard {
    /// Clears a stored text for composing.
    pub(crate) fn cleared(&self, text: &str) -> Result<Cleared, Error> {
        let text = self.without_split_secrets(normal(text))?;
        let (mut spans, mut start) = (Vec::new(), 0);
        while start < text.len() {
            let most = text.floor_char_boundary(text.len().min(start + MAX_SEARCHED_BYTES));
            let line = text[start..most].rfind('\n').map(|at| start + at + 1);
            let end = if most == text.len() { most } else { line.unwrap_or(most) };
            let found = instructions(&text[start..end]).into_iter();
            spans.extend(found.map(|found| start + found.span.start..start + found.span.end));
            start = end;
        }
        Ok(Cleared::by_guard(text, spans))
    }

    /// Redacts a text, also what a prompt would join: a secret with a line break inside.
    fn without_split_secrets(&self, text: String) -> Result<String, Error> {
        let Some(redactor) = &self.redactor else { return Ok(text) };
        let deadline = Instant::now() + Redactor::MAX_TIME;
        let on_one_line = text.replace(['\n', '\t'], " ");
        let mut secrets = redactor.secrets(&text, deadline)?;
        secrets.extend(redactor.secrets(&on_one_line, deadline)?);
        secrets.sort_by_key(|secret| (secret.start, secret.end));
        Ok(Redactor::without(&text, &secrets))
    }
}
