//! Headings of reStructuredText: a line of text with a line of one punctuation mark below it, and perhaps above it. Which mark means
//! which level is decided by the order in which a text uses them.

use super::structure::{Label, MAX_MARK_DEPTH, Mark, Marks};

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
    use crate::document::FileType;
    use crate::text::Structure;

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
