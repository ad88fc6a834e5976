//! PDF: its text layer, page by page. Pages are separated by form feeds; their numbers are their sections.
//!
//! The reader is our own. `pdf-extract` panics on what it does not know and has no limits; `hayro-syntax` unpacks without a limit; `lopdf` can
//! be limited for each stream, not for a file, and brings thirty crates for what is left of the work: fonts and places are ours in any case. Everything here
//! is read within budgets: of unpacked bytes, of objects, of pages, of nested drawings.

mod cmap;
mod file;
mod filter;
mod font;
mod glyph;
mod object;
mod page;

use crate::loaded::{Loaded, Note, Refused};
use file::File;
use object::{Dict, Object};
use page::{Fonts, page};
use std::collections::BTreeSet;
use std::rc::Rc;

const MAX_PAGES: usize = 100_000;
const MAX_TREE_DEPTH: usize = 64;
/// Drawing takes more bytes than the text that is drawn.
const BYTES_FOR_TEXT: usize = 4;

pub(crate) fn load(bytes: &[u8], limit: usize) -> Result<Loaded, Refused> {
    const HEAD_BYTES: usize = 1024;
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    if !head.windows(5).any(|window| window == b"%PDF-") {
        return Err(Refused::damaged("it is not a PDF: it does not begin with %PDF-"));
    }
    let mut file = File::read(bytes, limit.saturating_mul(BYTES_FOR_TEXT));
    if file.is_encrypted {
        let remedy = "remove the encryption first, for example with: qpdf --decrypt OLD NEW";
        return Err(Refused::new("encrypted", "it is encrypted", remedy));
    }
    let pages = pages(&file);
    if pages.is_empty() {
        return Err(Refused::damaged("it has no pages that can be read"));
    }
    let mut fonts = Fonts::default();
    let (mut text, mut blank, mut unknown, mut known) = (String::new(), Vec::new(), 0, 0);
    let mut left_out = 0;
    for (index, (dict, resources)) in pages.iter().enumerate() {
        let read = page(&mut file, &mut fonts, dict, resources, limit.saturating_sub(text.len()));
        if read.text.trim().is_empty() {
            blank.push(index + 1);
        }
        known += read.text.chars().filter(|c| !c.is_whitespace()).count();
        unknown += read.unknown;
        if index > 0 {
            text.push('\u{c}');
        }
        text.push_str(&read.text);
        if text.len() > limit {
            return Err(Refused::too_large(limit as u64));
        }
        if file.is_exhausted() {
            left_out = pages.len() - index - 1;
            break;
        }
    }
    if file.is_exhausted() && known == 0 {
        let what = "it unpacks to much more than a document of its size has";
        return Err(Refused::new("bomb", what, "check where it comes from; to read it, print it to a new PDF"));
    }
    let mut notes = notes(&blank, pages.len(), (known, unknown))?;
    if file.is_exhausted() {
        let what =
            format!("it unpacks to much more than a document of its size has; the last {left_out} pages were not read");
        notes.push(Note::new("unread_parts", what, "split it, or raise ingest.max_file_bytes"));
    }
    Ok(Loaded { text, notes, description: description(&file) })
}

/// What could not be read of the pages. If that is everything, the file is refused.
fn notes(blank: &[usize], pages: usize, (known, unknown): (usize, usize)) -> Result<Vec<Note>, Refused> {
    let unmapped = "its fonts do not say which characters they draw";
    let ocr = "make a text layer first, for example with: ocrmypdf --force-ocr OLD NEW";
    if known == 0 {
        let what = match unknown {
            0 => format!("none of its {pages} pages has text: scanned images?"),
            _ => format!("its text cannot be read: {unmapped}"),
        };
        return Err(Refused::new("no_text", what, ocr));
    }
    let mut notes = Vec::new();
    if !blank.is_empty() {
        let shown: Vec<String> = blank.iter().take(10).map(usize::to_string).collect();
        let more = if blank.len() > shown.len() { ", …" } else { "" };
        let what =
            format!("{} of its {pages} pages without text ({}{more}): scanned images?", blank.len(), shown.join(", "));
        notes.push(Note::new(
            "pages_without_text",
            what,
            "if they have text, make a text layer, for example with: ocrmypdf OLD NEW",
        ));
    }
    if unknown * 20 > known {
        let what = format!("{unknown} of its {} characters are missing: {unmapped}", known + unknown);
        notes.push(Note::new("unread_parts", what, ocr));
    }
    Ok(notes)
}

/// The pages in their order, each with its resources, which a page may have from the groups it is in.
fn pages(file: &File<'_>) -> Vec<(Dict, Rc<Dict>)> {
    let root = file.root.as_ref().map(|root| file.resolve(root));
    let tree = root.as_ref().and_then(Object::dict).and_then(|root| root.get("Pages")).cloned();
    let mut pages = Vec::new();
    let mut seen = BTreeSet::new();
    let mut open: Vec<(Object, Rc<Dict>, usize)> = tree.into_iter().map(|tree| (tree, Rc::default(), 0)).collect();
    while let Some((object, inherited, depth)) = open.pop() {
        if let Object::Reference(number) = object
            && !seen.insert(number)
        {
            continue;
        }
        let Object::Dict(node) = file.resolve(&object) else { continue };
        let resources = file.dict(&node, "Resources").map_or(inherited, Rc::new);
        match file.get(&node, "Kids") {
            Some(Object::Array(kids)) if depth < MAX_TREE_DEPTH => {
                let room = MAX_PAGES.saturating_sub(pages.len() + open.len());
                open.extend(kids.into_iter().take(room).rev().map(|kid| (kid, Rc::clone(&resources), depth + 1)));
            }
            _ if pages.len() < MAX_PAGES => pages.push((node, resources)),
            _ => break,
        }
    }
    if pages.is_empty() {
        let loose = file.loose_pages(MAX_PAGES).into_iter();
        pages = loose
            .filter_map(|object| file.resolve(&object).dict().cloned())
            .map(|node| {
                let resources = file.dict(&node, "Resources").unwrap_or_default();
                (node, Rc::new(resources))
            })
            .collect();
    }
    pages
}

fn description(file: &File<'_>) -> Vec<(&'static str, String)> {
    let info = file.info.as_ref().map(|info| file.resolve(info));
    let Some(Object::Dict(info)) = info else { return Vec::new() };
    let text = |key: &str| match file.get(&info, key) {
        Some(Object::Text(text)) => text_of(&text),
        _ => String::new(),
    };
    let fields = [
        ("title", text("Title")),
        ("author", text("Author")),
        ("subject", text("Subject")),
        ("date", date(&text("CreationDate"))),
    ];
    fields.into_iter().filter(|(_, value)| !value.trim().is_empty()).collect()
}

/// A text outside of pages: UTF-16 or UTF-8 with a mark, else Latin.
fn text_of(text: &[u8]) -> String {
    match text {
        [0xfe, 0xff, rest @ ..] => {
            let units: Vec<u16> = rest.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
            String::from_utf16_lossy(&units)
        }
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        text => encoding_rs::WINDOWS_1252.decode_without_bom_handling(text).0.into_owned(),
    }
}

/// `D:20260131093000+01'00'` as `2026-01-31`.
fn date(text: &str) -> String {
    let digits: String = text.trim_start_matches("D:").chars().take_while(char::is_ascii_digit).collect();
    match digits.len() {
        8.. => format!("{}-{}-{}", &digits[..4], &digits[4..6], &digits[6..8]),
        4..=7 => digits[..4].to_owned(),
        _ => String::new(),
    }
}
