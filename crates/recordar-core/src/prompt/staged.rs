//! Composing a staged context (D6) from a template: a section for each stage, with the titles of other threads.

use super::context::{fill, marking, unreadable};
use crate::guard::SafePassage;
use crate::noun::staged::StageSource;
use recordar_domain::Invalid;
use std::borrow::Cow;

const TEMPLATE: &str = include_str!("staged.prompt.md");

/// The template for these memories. It is stored in receipts.
pub fn staged_template(passages: &[SafePassage]) -> Cow<'static, str> {
    match passages.iter().any(|passage| passage.unverified.is_some()) {
        true => Cow::Owned(marking(TEMPLATE)),
        false => Cow::Borrowed(TEMPLATE),
    }
}

pub(crate) fn is_staged_template(text: &str) -> bool {
    text == TEMPLATE || text == marking(TEMPLATE)
}

/// The headings of the sections.
pub(super) fn headings() -> impl Iterator<Item = &'static str> {
    TEMPLATE.split("\n\n").filter_map(|section| section.lines().next())
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
