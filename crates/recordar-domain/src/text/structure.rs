//! The structure of a document: headings of Markdown, members and elements of JSON and YAML; definitions of source code are in
//! `definitions`, headings of reStructuredText in `underlines`, rows, records, pages and mails in `parts`.
//!
//! Chunks are exact slices of the document. The structure says where a cut is natural, and names the section that a
//! place in the text belongs to (`Guide > Install`, `servers[2].ports`).

use super::definitions::definitions;
use super::front_matter::FrontMatter;
use super::parts::{json_lines, mails, pages, rows};
use super::underlines::underlined;
use crate::document::FileType;
use saphyr_parser::{Event, Parser};
use schemars::JsonSchema;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The parts of one document, in the order of the text.
#[derive(Debug, Default)]
pub struct Structure {
    marks: Vec<Mark>,
    /// Whether parts are named by headings, and not by keys.
    has_headings: bool,
}

/// A section, and the byte of the text where it begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SectionStart {
    pub at: usize,
    pub section: String,
}

/// The sections of a text, in its order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sections(Vec<SectionStart>);

impl Sections {
    /// The section of a place.
    pub fn at(&self, place: usize) -> Option<&str> {
        let next = self.0.partition_point(|start| start.at <= place);
        Some(self.0[next.checked_sub(1)?].section.as_str())
    }

    /// Those that begin in a part of the text.
    pub fn within(&self, part: Range<usize>) -> &[SectionStart] {
        let first = self.0.partition_point(|start| start.at < part.start);
        let end = self.0.partition_point(|start| start.at < part.end);
        &self.0[first..end.max(first)]
    }
}

/// The beginning of a part. Marks form a tree by their depth.
#[derive(Debug)]
pub(crate) struct Mark {
    pub(crate) at: usize,
    pub(crate) depth: u8,
    pub(super) label: Label,
}

#[derive(Debug)]
pub(super) enum Label {
    Name(Range<usize>),
    Index(usize),
    /// A page or a row with its number.
    Numbered(&'static str, usize),
}

/// Why a structured document is treated as plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unstructured(pub String);

/// So many bytes of section names are kept of any text.
const LEAST_NAME_BYTES: usize = 1024 * 1024;
/// Parts nested deeper than this are not distinguished.
pub(crate) const MAX_MARK_DEPTH: u8 = 12;
/// A document nested deeper is treated as plain text.
const MAX_NESTING: usize = 128;
/// Members and elements that follow each other more closely are not distinguished: cuts are much farther apart. Headings are: each is
/// cited.
const LEAST_DISTANCE: usize = 64;

impl Structure {
    pub fn of(text: &str, file_type: FileType) -> Result<Self, Unstructured> {
        let has_headings = !matches!(file_type, FileType::Json | FileType::Yaml | FileType::Jsonl);
        let is_dense = !has_headings || file_type == FileType::Csv;
        let mut marks = Marks { list: Vec::new(), least_distance: if is_dense { LEAST_DISTANCE } else { 0 } };
        marks.read(text, file_type)?;
        Ok(Self { marks: marks.list, has_headings })
    }

    pub(crate) fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Every section with the place where it begins, in the order of the text. In a text of little but long headings in each other, the last ones
    /// are left out: their names together would be many times the text.
    pub fn sections(&self, text: &str) -> Sections {
        let mut left = 4 * text.len() + LEAST_NAME_BYTES;
        let mut path: Vec<&Mark> = Vec::new();
        let mut list = Vec::with_capacity(self.marks.len());
        for mark in &self.marks {
            path.retain(|open| open.depth < mark.depth);
            path.push(mark);
            let section = self.render(text, &path);
            let Some(rest) = left.checked_sub(section.len()) else { break };
            left = rest;
            list.push(SectionStart { at: mark.at, section });
        }
        Sections(list)
    }

    fn render(&self, text: &str, path: &[&Mark]) -> String {
        const MAX_LABEL_CHARS: usize = 200;
        let mut rendered = String::new();
        let mut last = "";
        for mark in path {
            match &mark.label {
                Label::Index(index) => rendered.push_str(&format!("[{index}]")),
                Label::Numbered(what, number) => rendered.push_str(&format!("{what} {number}")),
                // A page often repeats its title as its first heading.
                Label::Name(range) if self.has_headings && text[range.clone()].eq_ignore_ascii_case(last) => {}
                Label::Name(range) => {
                    last = &text[range.clone()];
                    if !rendered.is_empty() {
                        rendered.push_str(if self.has_headings { " > " } else { "." });
                    }
                    rendered.extend(text[range.clone()].chars().take(MAX_LABEL_CHARS));
                }
            }
        }
        rendered
    }
}

/// Collects marks, and leaves out those that follow another of the same or a higher level too closely.
pub(super) struct Marks {
    pub(super) list: Vec<Mark>,
    least_distance: usize,
}

impl Marks {
    fn read(&mut self, text: &str, file_type: FileType) -> Result<(), Unstructured> {
        match file_type {
            FileType::Json => return json_marks(text, 0..text.len(), 0, self),
            FileType::Yaml => return yaml_marks(text, self),
            FileType::Jsonl => return json_lines(text, self),
            FileType::Text => {}
            FileType::Markdown => headings(text, FrontMatter::of(text).unwrap_or_default(), self),
            FileType::Html | FileType::Notebook | FileType::Docx => headings(text, FrontMatter::default(), self),
            FileType::Rst => underlined(text, self),
            FileType::Csv => rows(text, self),
            FileType::Email => mails(text, self),
            FileType::Pdf => pages(text, self),
            FileType::Code => definitions(text, self),
        }
        Ok(())
    }

    pub(super) fn push(&mut self, mark: Mark) {
        let last = self.list.last();
        if last.is_none_or(|last| mark.depth < last.depth || mark.at >= last.at + self.least_distance) {
            self.list.push(mark);
        }
    }
}

fn headings(text: &str, front_matter: FrontMatter, marks: &mut Marks) {
    let mut hidden: Option<Hidden<'_>> = None;
    let mut previous: Option<Range<usize>> = None;
    if let Some(title) = front_matter.title {
        marks.push(Mark { at: 0, depth: 1, label: Label::Name(title) });
    }
    let mut at = front_matter.end;
    for line in text[at..].split_inclusive('\n') {
        let (mut start, mut line) = (at, line);
        at += line.len();
        // A byte order mark is not part of the first line.
        if start == 0
            && let Some(rest) = line.strip_prefix('\u{feff}')
        {
            (start, line) = (line.len() - rest.len(), rest);
        }
        let body = line.trim_end();
        let indented = body.trim_start_matches(' ');
        let indent = body.len() - indented.len();
        if let Some(until) = hidden {
            hidden = (!until.ends_in(indented)).then_some(until);
            continue;
        }
        if let Some(begun) = Hidden::begins_in(indented) {
            hidden = begun;
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

/// Lines in which nothing is a heading, and what ends them.
#[derive(Clone, Copy)]
enum Hidden<'a> {
    Fence(&'a str),
    Comment,
    Element(&'static str),
}

impl<'a> Hidden<'a> {
    /// If hidden lines begin with this one: what hides the lines after it, if any.
    fn begins_in(line: &'a str) -> Option<Option<Self>> {
        if let Some((marker, info)) = fence_of(line) {
            return (!info.contains('`')).then_some(Some(Self::Fence(marker)));
        }
        if let Some(comment) = line.strip_prefix("<!--") {
            return Some((!comment.contains("-->")).then_some(Self::Comment));
        }
        let tag = line.strip_prefix('<')?;
        let is_named = |name: &&&str| {
            let (head, rest) = tag.split_at_checked(name.len()).unwrap_or_default();
            head.eq_ignore_ascii_case(name) && !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-')
        };
        let element = Self::Element(["pre", "script", "style", "textarea"].iter().find(is_named)?);
        Some((!element.ends_in(line)).then_some(element))
    }

    fn ends_in(self, line: &str) -> bool {
        match self {
            Self::Fence(open) => {
                fence_of(line).is_some_and(|(marker, rest)| marker.starts_with(open) && rest.is_empty())
            }
            Self::Comment => line.contains("-->"),
            Self::Element(name) => line.to_ascii_lowercase().contains(&format!("</{name}>")),
        }
    }
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

/// Marks every member and element of a part of a text that is JSON, below an outer depth.
pub(super) fn json_marks(text: &str, part: Range<usize>, outer: usize, marks: &mut Marks) -> Result<(), Unstructured> {
    let body = text[part.clone()].trim_start_matches('\u{feff}');
    if let Err(error) = serde_json::from_str::<IgnoredAny>(body) {
        return Err(Unstructured(format!("not valid JSON: {error}")));
    }
    let bytes = &text.as_bytes()[..part.end];
    // One entry for each open container: `None` for an object, the next index for an array.
    let mut open: Vec<Option<usize>> = Vec::new();
    let mut expects_part = false;
    let mut at = part.end - body.len();
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
            if outer + open.len() <= usize::from(MAX_MARK_DEPTH) {
                marks.push(Mark { at: line_start(text, at), depth: (outer + open.len()) as u8, label });
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
        let has_headings = !matches!(file_type, FileType::Json | FileType::Yaml | FileType::Jsonl);
        let structure = Structure { marks: marks.list, has_headings };
        let sections = structure.sections(text);
        for (needle, expected) in expected {
            assert_eq!(sections.at(text.find(needle).unwrap()).unwrap_or(""), *expected, "{needle}");
        }
    }

    #[test]
    fn b1_markdown_headings_are_section_paths() {
        let text = "---\ntitle: x\n---\nintro\n\n# Guide #\ntext\n\n## Install\nrun\n```sh\n# not a heading\n```\nafter\n\nUse\n---\nit\n\n# End\nbye\n";
        check(
            text,
            FileType::Markdown,
            &[
                ("intro", "x"),
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
    fn i19_every_heading_is_a_section_and_nothing_else_is() {
        let check = |text: &str, expected: &[(&str, &str)]| {
            let structure = Structure::of(text, FileType::Markdown).unwrap();
            let sections = structure.sections(text);
            for (needle, expected) in expected {
                assert_eq!(sections.at(text.find(needle).unwrap()).unwrap_or(""), *expected, "{needle} in {text:?}");
            }
        };
        check("# Lamp\n\n## Oil\nfill\n\n## Lens\nwipe\n", &[("fill", "Lamp > Oil"), ("wipe", "Lamp > Lens")]);
        check("\u{feff}# Lamp\nfill\n", &[("fill", "Lamp")]);
        check(
            "\u{feff}---\ntitle: 'Lamp'\n# oil: 1\n---\nfirst\n## Oil\nfill\n",
            &[("first", "Lamp"), ("fill", "Lamp > Oil")],
        );
        check("---\ntitle: Lamp\n---\nfirst\n# Care\nfill\n", &[("first", "Lamp"), ("fill", "Care")]);
        check("---\ntitle: Lamp\n---\n## lamp\nfirst\n### Oil\nfill\n", &[("first", "Lamp"), ("fill", "Lamp > Oil")]);
        check("+++\ntitle = \"Lamp\"\n# oil\n+++\nfill\n", &[("fill", "Lamp")]);
        check("# 灯\n<!--\n## Lamp\n-->\n<!-- ## One line -->\nfill\n", &[("fill", "灯")]);
        check("# Lamp\n<pre>\n# shell\n</pre>\nfill\n<presto>\n# Oil\nmore\n", &[("fill", "Lamp"), ("more", "Oil")]);
        check("# Lamp\n- a list\n  ~~~\n  # shell\n  ~~~\nfill\n", &[("fill", "Lamp")]);
        let long = format!("# {}\ntext\n", "word ".repeat(30).trim_end());
        check(&long, &[("text", &long[2..long.len() - 6])]);
    }

    #[test]
    fn i19_sections_that_begin_within_a_part_are_listed_with_their_places() {
        let text = "# Lamp\nintro\n## Oil\nfill\n# Door\nshut\n";
        let sections = Structure::of(text, FileType::Markdown).unwrap().sections(text);
        let within = |part| {
            let starts = sections.within(part).iter();
            starts.map(|start| (start.at, start.section.as_str())).collect::<Vec<_>>()
        };
        assert_eq!(within(8..text.len()), [(13, "Lamp > Oil"), (25, "Door")]);
        assert_eq!(within(0..13), [(0, "Lamp")]);
        assert_eq!(within(14..20), []);
    }

    #[test]
    fn i19_names_of_sections_take_no_more_than_a_few_times_the_text() {
        let deep: String = (1..6).map(|level| format!("{} {}\n", "#".repeat(level), "long ".repeat(40))).collect();
        let text = deep + &"###### a\n".repeat(200_000);
        let sections = Structure::of(&text, FileType::Markdown).unwrap().sections(&text);
        let bytes: usize = sections.within(0..text.len()).iter().map(|start| start.section.len()).sum();
        assert!(bytes <= 4 * text.len() + LEAST_NAME_BYTES && bytes > text.len(), "{bytes} of {}", text.len());
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
