//! The structure of a document: headings of Markdown, members and elements of JSON and YAML.
//!
//! Chunks are exact slices of the document. The structure says where a cut is natural, and names the section that a
//! place in the text belongs to (`Guide > Install`, `servers[2].ports`).

use crate::document::FileType;
use saphyr_parser::{Event, Parser};
use serde::de::IgnoredAny;
use std::ops::Range;

/// The parts of one document, in the order of the text.
#[derive(Debug, Default)]
pub struct Structure {
    marks: Vec<Mark>,
    is_markdown: bool,
}

/// The beginning of a part. Marks form a tree by their depth.
#[derive(Debug)]
pub(crate) struct Mark {
    pub(crate) at: usize,
    pub(crate) depth: u8,
    label: Label,
}

#[derive(Debug)]
enum Label {
    Name(Range<usize>),
    Index(usize),
}

/// Why a structured document is treated as plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unstructured(pub String);

/// Parts nested deeper than this are not distinguished.
pub(crate) const MAX_MARK_DEPTH: u8 = 12;
/// A document nested deeper is treated as plain text.
const MAX_NESTING: usize = 128;
/// Parts that follow each other more closely are not distinguished: cuts are much farther apart.
const LEAST_DISTANCE: usize = 64;

impl Structure {
    pub fn of(text: &str, file_type: FileType) -> Result<Self, Unstructured> {
        let mut marks = Marks { list: Vec::new(), least_distance: LEAST_DISTANCE };
        marks.read(text, file_type)?;
        Ok(Self { marks: marks.list, is_markdown: file_type == FileType::Markdown })
    }

    pub(crate) fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// The section of each of the given places, which are in ascending order.
    pub fn sections(&self, text: &str, places: impl IntoIterator<Item = usize>) -> Vec<Option<String>> {
        let mut path: Vec<&Mark> = Vec::new();
        let mut marks = self.marks.iter().peekable();
        let section_at = |place| {
            while let Some(mark) = marks.next_if(|mark| mark.at <= place) {
                path.retain(|open| open.depth < mark.depth);
                path.push(mark);
            }
            (!path.is_empty()).then(|| self.render(text, &path))
        };
        places.into_iter().map(section_at).collect()
    }

    fn render(&self, text: &str, path: &[&Mark]) -> String {
        const MAX_LABEL_CHARS: usize = 80;
        let mut rendered = String::new();
        for mark in path {
            match &mark.label {
                Label::Index(index) => rendered.push_str(&format!("[{index}]")),
                Label::Name(range) => {
                    if !rendered.is_empty() {
                        rendered.push_str(if self.is_markdown { " > " } else { "." });
                    }
                    rendered.extend(text[range.clone()].chars().take(MAX_LABEL_CHARS));
                }
            }
        }
        rendered
    }
}

/// Collects marks, and leaves out those that follow another of the same or a higher level too closely.
struct Marks {
    list: Vec<Mark>,
    least_distance: usize,
}

impl Marks {
    fn read(&mut self, text: &str, file_type: FileType) -> Result<(), Unstructured> {
        match file_type {
            FileType::Text => Ok(()),
            FileType::Markdown => {
                headings(text, self);
                Ok(())
            }
            FileType::Json => json_marks(text, self),
            FileType::Yaml => yaml_marks(text, self),
        }
    }

    fn push(&mut self, mark: Mark) {
        let last = self.list.last();
        if last.is_none_or(|last| mark.depth < last.depth || mark.at >= last.at + self.least_distance) {
            self.list.push(mark);
        }
    }
}

fn headings(text: &str, marks: &mut Marks) {
    let mut fence: Option<&str> = None;
    let mut previous: Option<Range<usize>> = None;
    let mut in_front_matter = has_front_matter(text);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let body = line.trim_end();
        let indented = body.trim_start_matches(' ');
        let indent = body.len() - indented.len();
        if in_front_matter {
            in_front_matter = start == 0 || body != "---";
            continue;
        }
        if let Some(open) = fence {
            if fence_of(indented).is_some_and(|(marker, rest)| marker.starts_with(open) && rest.is_empty()) {
                fence = None;
            }
            continue;
        }
        if let Some((marker, info)) = fence_of(indented)
            && !info.contains('`')
        {
            fence = Some(marker);
            previous = None;
            continue;
        }
        let hashes = indented.bytes().take_while(|b| *b == b'#').count();
        let title = &indented[hashes..];
        if indent < 4 && (1..=6).contains(&hashes) && (title.is_empty() || title.starts_with([' ', '\t'])) {
            marks.push(heading(text, start, hashes, start + indent + hashes..start + body.len()));
            previous = None;
        } else if let (Some(level), Some(above)) = (underline_level(indented), previous.take()) {
            marks.push(heading(text, above.start, level, above));
        } else if !indented.is_empty() && indent < 4 && !indented.starts_with(['-', '*', '+', '>', '|']) {
            previous = Some(start..start + body.len());
        }
    }
}

/// Front matter is the text between two lines of three dashes at the very start; a single line is a rule.
fn has_front_matter(text: &str) -> bool {
    let mut lines = text.lines();
    lines.next().is_some_and(|first| first.trim_end() == "---") && lines.any(|line| line.trim_end() == "---")
}

/// The marker of a code fence, three or more of one character, and what stands behind it.
fn fence_of(line: &str) -> Option<(&str, &str)> {
    let first = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = line.trim_start_matches(first);
    let marker = &line[..line.len() - rest.len()];
    (marker.len() >= 3).then_some((marker, rest.trim()))
}

fn underline_level(line: &str) -> Option<usize> {
    let all = |c: char| line.len() >= 2 && line.chars().all(|d| d == c);
    if all('=') { Some(1) } else { all('-').then_some(2) }
}

fn heading(text: &str, at: usize, level: usize, title: Range<usize>) -> Mark {
    let trimmed = text[title.clone()].trim_end_matches('#').trim();
    let start = title.start + text[title].find(trimmed).unwrap_or(0);
    Mark { at, depth: level as u8, label: Label::Name(start..start + trimmed.len()) }
}

/// Walks JSON that is known to be valid and marks every member and element.
fn json_marks(text: &str, marks: &mut Marks) -> Result<(), Unstructured> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    if let Err(error) = serde_json::from_str::<IgnoredAny>(body) {
        return Err(Unstructured(format!("not valid JSON: {error}")));
    }
    let bytes = text.as_bytes();
    // One entry for each open container: `None` for an object, the next index for an array.
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut expects_part = false;
    let mut at = text.len() - body.len();
    while at < bytes.len() {
        let byte = bytes[at];
        let string_end = if byte == b'"' { end_of_string(bytes, at) } else { at + 1 };
        if expects_part && !byte.is_ascii_whitespace() && !matches!(byte, b']' | b'}') {
            expects_part = false;
            let label = match open.last_mut() {
                Some(Some(index)) => {
                    *index += 1;
                    Label::Index(*index - 1)
                }
                _ => Label::Name(at + 1..string_end - 1),
            };
            if open.len() <= usize::from(MAX_MARK_DEPTH) {
                marks.push(Mark { at: line_start(text, at), depth: open.len() as u8, label });
            }
        }
        match byte {
            b'{' | b'[' => {
                open.push((byte == b'[').then_some(0));
                expects_part = true;
                if open.len() > MAX_NESTING {
                    return Err(Unstructured(format!("JSON nested deeper than {MAX_NESTING} levels")));
                }
            }
            b'}' | b']' => {
                open.pop();
                expects_part = false;
            }
            b',' => expects_part = true,
            _ => {}
        }
        at = string_end;
    }
    Ok(())
}

fn end_of_string(bytes: &[u8], quote: usize) -> usize {
    let mut at = quote + 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// The start of the line, if only spaces come before `at` on it; else `at` itself.
fn line_start(text: &str, at: usize) -> usize {
    let head = text[..at].trim_end_matches([' ', '\t']);
    if head.is_empty() || head.ends_with('\n') { head.len() } else { at }
}

/// Marks the keys and elements of YAML that begin a line.
fn yaml_marks(text: &str, marks: &mut Marks) -> Result<(), Unstructured> {
    struct Open {
        next_index: Option<usize>,
        expects_key: bool,
    }
    let lines: Vec<usize> =
        std::iter::once(0).chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1)).collect();
    let mut open: Vec<Open> = Vec::new();
    let mut parser = Parser::new_from_str(text);
    while let Some(next) = parser.next_event() {
        let (event, span) = next.map_err(|error| Unstructured(format!("not valid YAML: {error}")))?;
        let begins_value =
            matches!(event, Event::Scalar(..) | Event::Alias(_) | Event::SequenceStart(..) | Event::MappingStart(..));
        if begins_value && let Some(parent) = open.last_mut() {
            let line = lines.get(span.start.line().saturating_sub(1)).copied().unwrap_or(text.len());
            let label = match (&mut parent.next_index, &event) {
                (Some(index), _) => {
                    *index += 1;
                    Some(Label::Index(*index - 1))
                }
                (None, Event::Scalar(key, ..)) if parent.expects_key => name_in(text, line, key),
                _ => None,
            };
            parent.expects_key = parent.next_index.is_none() && !parent.expects_key;
            let depth = open.len().min(usize::from(u8::MAX)) as u8;
            if let Some(label) = label
                && depth <= MAX_MARK_DEPTH
                && line < text.len()
            {
                marks.push(Mark { at: line, depth, label });
            }
        }
        match event {
            Event::SequenceStart(..) => open.push(Open { next_index: Some(0), expects_key: false }),
            Event::MappingStart(..) => open.push(Open { next_index: None, expects_key: true }),
            Event::SequenceEnd | Event::MappingEnd => drop(open.pop()),
            _ => {}
        }
        if open.len() > MAX_NESTING {
            return Err(Unstructured(format!("YAML nested deeper than {MAX_NESTING} levels")));
        }
    }
    Ok(())
}

fn name_in(text: &str, line: usize, key: &str) -> Option<Label> {
    let end = text[line..].find('\n').map_or(text.len(), |length| line + length);
    let start = line + text[line..end].find(key)?;
    Some(Label::Name(start..start + key.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With every mark, also those that a whole document would do without.
    fn check(text: &str, file_type: FileType, expected: &[(&str, &str)]) {
        let mut marks = Marks { list: Vec::new(), least_distance: 0 };
        marks.read(text, file_type).unwrap();
        let structure = Structure { marks: marks.list, is_markdown: file_type == FileType::Markdown };
        let places = expected.iter().map(|(needle, _)| text.find(needle).unwrap());
        let sections = structure.sections(text, places);
        for ((needle, expected), section) in expected.iter().zip(sections) {
            assert_eq!(section.as_deref().unwrap_or(""), *expected, "{needle}");
        }
    }

    #[test]
    fn b1_markdown_headings_are_section_paths() {
        let text = "---\ntitle: x\n---\nintro\n\n# Guide #\ntext\n\n## Install\nrun\n```sh\n# not a heading\n```\nafter\n\nUse\n---\nit\n\n# End\nbye\n";
        check(
            text,
            FileType::Markdown,
            &[
                ("intro", ""),
                ("text", "Guide"),
                ("run", "Guide > Install"),
                ("after", "Guide > Install"),
                ("it\n", "Guide > Use"),
                ("bye", "End"),
            ],
        );
    }

    #[test]
    fn b1_json_members_and_elements_are_section_paths() {
        let text = r#"{"users": [{"name": "A, {b}"}, {"na\"me": [1, 22]}], "end": {}, "last": 7}"#;
        check(
            text,
            FileType::Json,
            &[
                ("\"A", "users[0].name"),
                ("{\"na\\\"me", "users[1]"),
                ("22", "users[1].na\\\"me[1]"),
                ("\"end", "end"),
                ("7", "last"),
            ],
        );
    }

    #[test]
    fn b1_yaml_keys_and_elements_are_section_paths() {
        let text = "servers:\n  - name: one\n    ports:\n      - 80\n      - 443\n  - name: two\n'quoted key': [1, 2]\nlast: done\n";
        check(
            text,
            FileType::Yaml,
            &[("one", "servers[0].name"), ("443", "servers[0].ports[1]"), ("two", "servers[1].name"), ("done", "last")],
        );
    }

    #[test]
    fn b1_a_rule_or_code_within_a_line_hides_no_heading() {
        check("---\n\n# Guide\ntext\n", FileType::Markdown, &[("text", "Guide")]);
        check("```a``` is code\n\n# Guide\ntext\n", FileType::Markdown, &[("text", "Guide")]);
        check("````\n```\n# no\n````\n# Guide\ntext\n", FileType::Markdown, &[("# no", ""), ("text", "Guide")]);
    }

    #[test]
    fn broken_json_and_yaml_are_said_to_be_unstructured() {
        for (text, file_type) in [
            ("{\"a\": ", FileType::Json),
            ("{} {}", FileType::Json),
            ("a: [1, 2", FileType::Yaml),
            ("a: b: c", FileType::Yaml),
        ] {
            let Unstructured(why) = Structure::of(text, file_type).unwrap_err();
            assert!(why.starts_with("not valid"), "{why}");
        }
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        for file_type in [FileType::Json, FileType::Yaml] {
            let Unstructured(why) = Structure::of(&deep, file_type).unwrap_err();
            assert!(why.contains("nested deeper") || why.contains("recursion limit"), "{why}");
        }
        assert!(Structure::of("\u{feff}{\"a\": 1}", FileType::Json).is_ok());
    }
}
