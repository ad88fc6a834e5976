//! Composing a staged context (D6) from a template: a section for each stage, with the titles of other threads.

use super::context::{fill, unreadable};
use crate::guard::SafePassage;
use crate::noun::staged::StageSource;
use recordar_domain::Invalid;

const TEMPLATE: &str = include_str!("staged.prompt.md");

/// The template of staged contexts. It is stored in receipts.
pub fn staged_template() -> &'static str {
    TEMPLATE
}

pub(crate) fn is_staged_template(text: &str) -> bool {
    text == TEMPLATE
}

/// The text, empty if there are no memories. Passages come in the order of their sections.
pub fn compose_staged(template: &str, passages: &[SafePassage]) -> Result<String, Invalid> {
    let mut parts = Vec::new();
    for (source, section) in StageSource::ALL.into_iter().zip(template.trim_end().split("\n\n")) {
        let (heading, line) = section.split_once('\n').ok_or_else(unreadable)?;
        let is_here = |passage: &&SafePassage| passage.place.as_ref().is_some_and(|place| place.source == source);
        let mut lines = passages.iter().filter(is_here).peekable();
        if lines.peek().is_none() {
            continue;
        }
        let mut text = heading.to_owned();
        for passage in lines {
            text.push('\n');
            fill(line, passage, &mut text);
        }
        parts.push(text);
    }
    Ok(parts.join("\n\n"))
}
