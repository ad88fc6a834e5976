//! Word documents as Markdown: headings by their styles, lists, tables as rows. A `.docx` file is a zip archive of XML.

use crate::archive::Archive;
use crate::loaded::{Loaded, Note, Refused};
use crate::markdown::Markdown;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use std::collections::BTreeMap;

const MAX_STYLES: usize = 10_000;
/// Longer rows are written as several.
const MAX_CELLS: usize = 2000;

pub(crate) fn load(bytes: &[u8], limit: usize) -> Result<Loaded, Refused> {
    // Encrypted documents and those of Word before 2007 are not zip archives, and begin like this.
    if bytes.starts_with(&[0xd0, 0xcf, 0x11, 0xe0]) {
        let what = "it is protected by a password, or is in the old .doc format";
        return Err(Refused::new("encrypted", what, "save it as .docx without a password, and ingest that file"));
    }
    let mut archive = Archive::open(bytes, limit)?;
    let styles = archive.read("word/styles.xml")?.map(|bytes| heading_styles(&xml(bytes))).unwrap_or_default();
    let Some(body) = archive.read("word/document.xml")? else {
        return Err(Refused::damaged("it is a zip archive, but not a Word document: word/document.xml is missing"));
    };
    let mut document = Document { styles: &styles, written: Markdown::new(limit), ..Document::new(limit) };
    let mut is_complete = document.read(&xml(body));
    for name in ["word/footnotes.xml", "word/endnotes.xml"] {
        if let Some(bytes) = archive.read(name)? {
            is_complete &= document.read(&xml(bytes));
        }
    }
    if document.written.is_empty() && !is_complete {
        return Err(Refused::damaged("its text is damaged at the beginning"));
    }
    let mut notes = Vec::new();
    if !is_complete {
        let remedy = "open it in Word, save it again, and ingest that file";
        notes.push(Note::new("unread_parts", "its text is damaged; only the part before that was read", remedy));
    }
    let description = archive.read("docProps/core.xml").ok().flatten().map(|bytes| properties(&xml(bytes)));
    Ok(Loaded { text: document.written.finish()?, notes, description: description.unwrap_or_default() })
}

fn xml(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// A tag without its prefix.
fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag.attributes().flatten().find(|attribute| local(attribute.key.as_ref()) == name)?;
    Some(found.value.to_string())
}

/// The levels of the styles that are headings. Their ids depend on the language of Word, their names do not.
fn heading_styles(styles: &str) -> BTreeMap<String, usize> {
    let mut levels = BTreeMap::new();
    let mut current = String::new();
    each_tag(styles, |tag, is_start| match local(tag.name().as_ref()) {
        "style" if is_start => current = attribute(tag, "styleId").unwrap_or_default(),
        "name" if levels.len() < MAX_STYLES => {
            let name = attribute(tag, "val").unwrap_or_default().to_lowercase();
            let level = match name.as_str() {
                "title" => Some(1),
                name => name.strip_prefix("heading ").and_then(|level| level.parse::<usize>().ok()),
            };
            if let Some(level) = level.filter(|_| !current.is_empty()) {
                levels.insert(current.clone(), level.clamp(1, 6));
            }
        }
        "outlineLvl" if levels.len() < MAX_STYLES && !current.is_empty() => {
            if let Some(level) =
                attribute(tag, "val").and_then(|value| value.parse::<usize>().ok()).filter(|level| *level < 9)
            {
                levels.entry(current.clone()).or_insert((level + 1).min(6));
            }
        }
        _ => {}
    });
    levels
}

fn each_tag(xml: &str, mut found: impl FnMut(&BytesStart<'_>, bool)) {
    let mut reader = Reader::from_str(xml);
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => found(&tag, true),
            Ok(Event::Empty(tag)) => found(&tag, false),
            Ok(Event::Eof) | Err(_) => return,
            Ok(_) => {}
        }
    }
}

/// Title, author and subject of a document. Its date changes whenever it is saved, as that of the file does.
fn properties(xml: &str) -> Vec<(&'static str, String)> {
    let mut reader = Reader::from_str(xml);
    let mut properties: Vec<(&'static str, String)> = Vec::new();
    let mut is_open = false;
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                let name = match local(tag.name().as_ref()) {
                    "title" => Some("title"),
                    "creator" => Some("author"),
                    "subject" => Some("subject"),
                    _ => None,
                };
                is_open = name.is_some();
                properties.extend(name.map(|name| (name, String::new())));
            }
            Ok(Event::Text(text)) if is_open => {
                if let Some((_, value)) = properties.last_mut() {
                    value.push_str(&text);
                }
            }
            Ok(Event::GeneralRef(reference)) if is_open => {
                if let Some((_, value)) = properties.last_mut() {
                    value.extend(character(&reference));
                }
            }
            Ok(Event::End(_)) => is_open = false,
            Ok(Event::Eof) | Err(_) => return properties,
            Ok(_) => {}
        }
    }
}

/// The character that a reference such as `&amp;` or `&#8211;` stands for.
fn character(reference: &str) -> Option<char> {
    match reference {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        other => {
            let number = other.strip_prefix('#')?;
            let code = match number.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

struct Document<'a> {
    styles: &'a BTreeMap<String, usize>,
    written: Markdown,
    paragraph: String,
    style: Option<String>,
    outline: Option<usize>,
    /// The level of the list that the paragraph is in.
    list: Option<usize>,
    /// The tables that are open, and the cells of the row of the outermost one.
    tables: usize,
    cells: Vec<String>,
    cell: String,
    /// Open elements whose text is not read: alternatives, deleted text.
    unread: usize,
    in_text: bool,
}

impl<'a> Document<'a> {
    fn new(limit: usize) -> Document<'static> {
        static NO_STYLES: BTreeMap<String, usize> = BTreeMap::new();
        Document {
            styles: &NO_STYLES,
            written: Markdown::new(limit),
            paragraph: String::new(),
            style: None,
            outline: None,
            list: None,
            tables: 0,
            cells: Vec::new(),
            cell: String::new(),
            unread: 0,
            in_text: false,
        }
    }

    /// Reads a part to its end. False if it is damaged.
    fn read(&mut self, xml: &str) -> bool {
        let mut reader = Reader::from_str(xml);
        let is_complete = loop {
            match reader.read_event() {
                Ok(Event::Start(tag)) => self.start(&tag, true),
                Ok(Event::Empty(tag)) => self.start(&tag, false),
                Ok(Event::End(tag)) => self.end(local(tag.name().as_ref())),
                Ok(Event::Text(text)) if self.in_text && self.unread == 0 => self.paragraph.push_str(&text),
                Ok(Event::CData(text)) if self.in_text && self.unread == 0 => self.paragraph.push_str(&text),
                Ok(Event::GeneralRef(reference)) if self.in_text && self.unread == 0 => {
                    self.paragraph.extend(character(&reference));
                }
                Ok(Event::Eof) => break true,
                Ok(_) => {}
                Err(_) => break false,
            }
        };
        self.end_paragraph();
        (self.in_text, self.unread, self.tables) = (false, 0, 0);
        is_complete
    }

    fn start(&mut self, tag: &BytesStart<'_>, has_content: bool) {
        match local(tag.name().as_ref()) {
            "Fallback" | "del" | "moveFrom" if has_content => self.unread += 1,
            "t" => self.in_text = has_content,
            "tab" | "ptab" => self.paragraph.push(' '),
            "br" | "cr" => self.paragraph.push('\n'),
            "noBreakHyphen" => self.paragraph.push('-'),
            "pStyle" => self.style = attribute(tag, "val"),
            "outlineLvl" => {
                self.outline = attribute(tag, "val").and_then(|level| level.parse().ok()).filter(|level| *level < 9)
            }
            "numPr" => self.list = Some(self.list.unwrap_or(0)),
            "ilvl" => self.list = attribute(tag, "val").and_then(|level| level.parse().ok()),
            "tbl" if has_content => {
                self.end_paragraph();
                self.tables += 1;
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "Fallback" | "del" | "moveFrom" => self.unread = self.unread.saturating_sub(1),
            "t" => self.in_text = false,
            "p" => self.end_paragraph(),
            "tc" if self.tables == 1 => {
                self.end_paragraph();
                let cell = std::mem::take(&mut self.cell);
                self.cells.push(cell);
                if self.cells.len() >= MAX_CELLS {
                    self.written.row(&std::mem::take(&mut self.cells));
                }
            }
            "tr" if self.tables == 1 => self.written.row(&std::mem::take(&mut self.cells)),
            "tbl" => self.tables = self.tables.saturating_sub(1),
            _ => {}
        }
    }

    fn end_paragraph(&mut self) {
        let text = std::mem::take(&mut self.paragraph);
        let (style, outline, list) = (self.style.take(), self.outline.take(), self.list.take());
        let level = style.as_ref().and_then(|style| self.styles.get(style)).copied().or(outline.map(|level| level + 1));
        if text.trim().is_empty() {
            return;
        }
        if self.tables > 0 {
            if !self.cell.is_empty() {
                self.cell.push(' ');
            }
            self.cell.push_str(text.trim());
        } else if let Some(level) = level {
            self.written.heading(level, &text);
        } else if let Some(depth) = list {
            self.written.item(depth.min(12) + 1, "-", &text);
        } else {
            self.written.paragraph(&text);
        }
    }
}
