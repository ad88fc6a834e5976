//! Headings of reStructuredText: a line of text with a line of one punctuation mark below it, and perhaps above it. Which mark means
//! which level is decided by the order in which a text uses them.

use super::structure::{Label, MAX_MARK_DEPTH, Mark, Marks, Structure};
use crate::document::FileType;

/// A line with its place, without what ends it.
#[derive(Clone, Copy, Default)]
struct Line<'a> {
    at: usize,
    text: &'a str,
}

pub(super) fn underlined(text: &str, marks: &mut Marks) {
    let mut styles: Vec<(char, bool)> = Vec::new();
    let mut before = [Line::default(), Line::default()];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let line = Line { at, text: line.trim_end().trim_start_matches('\u{feff}') };
        at += line_length(text, at);
        let [above, title] = before;
        before = [title, line];
        let Some(mark) = adornment(line.text) else { continue };
        let name = title.text.trim();
        let has_overline = above.text == line.text;
        let width = line.text.chars().count();
        let is_title = !name.is_empty()
            && adornment(title.text).is_none()
            && (has_overline || (above.text.is_empty() && !title.text.starts_with([' ', '\t'])))
            && (width >= 4 || width >= name.chars().count());
        if !is_title {
            continue;
        }
        let style = (mark, has_overline);
        let level = styles.iter().position(|known| *known == style).unwrap_or_else(|| {
            styles.push(style);
            styles.len() - 1
        });
        let from = text[title.at..].find(name).map_or(title.at, |offset| title.at + offset);
        let depth = (level + 1).min(usize::from(MAX_MARK_DEPTH)) as u8;
        let at = if has_overline { above.at } else { title.at };
        marks.push(Mark { at, depth, label: Label::Name(from..from + name.len()) });
        // An underline is not also the overline of the next title.
        before = [Line::default(), Line { at: line.at, text: "" }];
    }
}

/// How much of a text is looked at to tell what it is.
const MAX_READ_BYTES: usize = 64 * 1024;

/// Whether a plain text is reStructuredText: it has an underlined title, and what only reStructuredText has, a directive, a target or a role.
pub fn is_restructured(text: &str) -> bool {
    let text = &text[..text.floor_char_boundary(MAX_READ_BYTES.min(text.len()))];
    let is_sign = |c: char| matches!(c, '-' | '_' | ':' | '.' | '+');
    let is_name =
        |word: &str| word.starts_with(char::is_alphabetic) && word.chars().all(|c| c.is_alphanumeric() || is_sign(c));
    let is_directive = |line: &str| {
        let own = line.trim_start().strip_prefix(".. ");
        own.is_some_and(|own| own.starts_with('_') || own.split_once("::").is_some_and(|(name, _)| is_name(name)))
    };
    // `:class:` or `:py:class:` before what it marks, and no `key:`.
    let has_role = |line: &str| {
        let mut ends = line.match_indices(":`");
        ends.any(|(end, _)| {
            let start = line[..end]
                .rfind(|c: char| !c.is_alphanumeric() && !is_sign(c))
                .map_or(0, |at| at + line[at..].chars().next().map_or(1, char::len_utf8));
            line[start..end].strip_prefix(':').is_some_and(is_name)
        })
    };
    text.lines().any(|line| is_directive(line) || has_role(line))
        && Structure::of(text, FileType::Rst).is_ok_and(|structure| !structure.marks().is_empty())
}

fn line_length(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len() - at, |end| end + 1)
}

/// The punctuation mark that a whole line repeats.
fn adornment(line: &str) -> Option<char> {
    let first = line.chars().next().filter(char::is_ascii_punctuation)?;
    (line.len() >= 2 && line.chars().all(|c| c == first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::is_restructured;
    use crate::document::FileType;
    use crate::text::Structure;

    #[test]
    fn i43_restructured_text_is_recognised_by_a_title_and_what_only_it_has() {
        for text in [
            "Models\n======\n\n.. module:: django.db\n\nA model is :class:`x`.\n",
            ".. _topics:\n\nTopics\n------\n\ntext\n",
            "Topics\n------\n\nSee :doc:`/ref/models` for more.\n",
        ] {
            assert!(is_restructured(text), "{text}");
        }
        for text in [
            "Lamps\n=====\n\nA plain text with a title: `code`.\n",
            "No title here.\n\n.. note:: this one\n",
            "Total\n-----\n12:30 :`\n",
            "Listing\n-------\n\nUsage:`ls -l`, key:`v`, :`foo` and 12:30:`x`.\n",
            "",
        ] {
            assert!(!is_restructured(text), "{text}");
        }
    }

    #[test]
    fn i20_formats_headings_of_restructured_text_are_section_paths() {
        let text = "======\n Lamp \n======\n\nintro\n\nInstall\n=======\n\nfirst\n\nOn Linux\n--------\nsecond\n\n\
                    =====  =====\nA      B\n=====  =====\n1      2\n=====  =====\n\n::\n\n  code\n  ----\n\nUse\n===\n\nthird\n\n----\n\nlast\n";
        let sections = Structure::of(text, FileType::Rst).unwrap().sections(text);
        for (needle, expected) in [
            ("intro", "Lamp"),
            ("first", "Lamp > Install"),
            ("second", "Lamp > Install > On Linux"),
            ("1      2", "Lamp > Install > On Linux"),
            ("code", "Lamp > Install > On Linux"),
            ("third", "Lamp > Use"),
            ("last", "Lamp > Use"),
        ] {
            assert_eq!(sections.at(text.find(needle).unwrap()).unwrap_or(""), expected, "{needle}");
        }
    }
}
