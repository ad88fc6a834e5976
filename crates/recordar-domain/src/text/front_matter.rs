//! Front matter: what a page says of itself before its text, between two lines of three dashes (YAML) or pluses (TOML).
//!
//! Only the few fields that pages of different systems share are read, line by line: a page is not refused because its front
//! matter is not quite valid.

use std::ops::Range;

/// The fields of a page's front matter, as they are written there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FrontMatter {
    /// The place of the title in the text, without its quotation marks.
    pub title: Option<Range<usize>>,
    pub tags: Vec<String>,
    pub date: Option<String>,
    pub language: Option<String>,
    /// Where the page itself begins.
    pub end: usize,
}

/// More tags than this are not read.
const MAX_TAGS: usize = 32;
/// A longer value is not a title, a date or a language.
const MAX_VALUE_BYTES: usize = 500;

impl FrontMatter {
    /// The front matter at the start of a Markdown text, if it has one. A single line of dashes is a rule.
    pub fn of(text: &str) -> Option<Self> {
        let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let mut lines = Lines { text, at: start };
        let (_, first) = lines.next()?;
        let (fence, separator) = match first.trim_end() {
            "---" => ("---", ':'),
            "+++" => ("+++", '='),
            _ => return None,
        };
        let mut found = Self::default();
        let mut is_in_tags = false;
        for (at, line) in lines.by_ref() {
            let body = line.trim_end();
            if body == fence || (body == "..." && separator == ':') {
                found.end = at + line.len();
                return Some(found);
            }
            if is_in_tags && let Some(tag) = body.trim_start().strip_prefix("- ") {
                found.add_tag(tag);
                continue;
            }
            let Some((key, value)) = body.split_once(separator).filter(|(key, _)| !key.starts_with([' ', '\t', '#']))
            else {
                continue;
            };
            let value_at = at + key.len() + separator.len_utf8();
            is_in_tags = found.read(key.trim(), value, value_at);
        }
        None
    }

    pub fn title<'a>(&self, text: &'a str) -> Option<&'a str> {
        text.get(self.title.clone()?)
    }

    /// Reads one field. True if tags may follow on lines of their own.
    fn read(&mut self, key: &str, value: &str, at: usize) -> bool {
        let inner = inner(value);
        let plain = value.get(inner.clone()).filter(|plain| is_plain(plain));
        match key {
            "title" => self.title = self.title.take().or(plain.map(|_| at + inner.start..at + inner.end)),
            "date" => self.date = self.date.take().or(plain.map(str::to_owned)),
            "lang" | "language" | "locale" => self.language = self.language.take().or(plain.map(str::to_owned)),
            "tags" => {
                let list = value.trim();
                let list = list.strip_prefix('[').and_then(|list| list.strip_suffix(']')).unwrap_or(list);
                list.split(',').for_each(|tag| self.add_tag(tag));
                return list.is_empty();
            }
            _ => {}
        }
        false
    }

    fn add_tag(&mut self, tag: &str) {
        let tag = &tag[inner(tag)];
        if is_plain(tag) && self.tags.len() < MAX_TAGS {
            self.tags.push(tag.to_owned());
        }
    }
}

fn is_plain(value: &str) -> bool {
    // A block scalar, a nested value or an anchor says nothing on this line.
    !value.is_empty() && value.len() <= MAX_VALUE_BYTES && !value.starts_with(['|', '>', '{', '[', '&', '*'])
}

/// The part of a value between its quotation marks, or before a comment.
fn inner(value: &str) -> Range<usize> {
    let start = value.len() - value.trim_start().len();
    let trimmed = &value[start..];
    if let Some(quote) = trimmed.chars().next().filter(|c| matches!(c, '"' | '\''))
        && let Some(length) = trimmed[1..].rfind(quote)
    {
        return start + 1..start + 1 + length;
    }
    let end = trimmed.find(" #").unwrap_or(trimmed.len());
    start..start + trimmed[..end].trim_end().len()
}

/// The lines of a text from a place on, each with its place.
struct Lines<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = &self.text[self.at..];
        let length = rest.find('\n').map_or(rest.len(), |end| end + 1);
        let line = (self.at, &rest[..length]);
        self.at += length;
        (length > 0).then_some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i19_front_matter_says_title_tags_date_and_language() {
        let check = |text: &str, title: Option<&str>, tags: &[&str], date: Option<&str>, language: Option<&str>| {
            let found = FrontMatter::of(text).unwrap();
            assert_eq!(found.title(text), title, "{text:?}");
            assert_eq!(found.tags, tags, "{text:?}");
            assert_eq!((found.date.as_deref(), found.language.as_deref()), (date, language), "{text:?}");
            assert_eq!(&text[found.end..], "Text\n", "{text:?}");
        };
        check(
            "---\ntitle: Lamp care # daily\ndate: 2026-01-02\n---\nText\n",
            Some("Lamp care"),
            &[],
            Some("2026-01-02"),
            None,
        );
        check(
            "\u{feff}---\r\ntitle: \"The lamp: care\"\r\ntags: [oil, 'two words']\r\nlang: de\r\n---\r\nText\n",
            Some("The lamp: care"),
            &["oil", "two words"],
            None,
            Some("de"),
        );
        check("---\ntags:\n  - oil\n  - \"lens\"\nreviewers:\n- ada\n---\nText\n", None, &["oil", "lens"], None, None);
        check("+++\ntitle = \"Lamp\"\ntags = [\"oil\"]\n# no = key\n+++\nText\n", Some("Lamp"), &["oil"], None, None);
        check("---\ntitle: >\n  folded\nmenu:\n  title: nested\n---\nText\n", None, &[], None, None);
        check("---\n---\nText\n", None, &[], None, None);
    }

    #[test]
    fn i19_a_rule_is_no_front_matter() {
        for text in ["---\n\n# Guide\n", "", "text\n---\na: b\n---\n", "----\na: b\n---\n"] {
            assert_eq!(FrontMatter::of(text), None, "{text:?}");
        }
    }
}
