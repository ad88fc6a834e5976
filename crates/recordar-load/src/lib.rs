//! Files of all supported formats as text that can be stored and cut: pure functions from bytes to text.
//!
//! Nothing here reads a file, a clock or the store. Of a plain format (text, Markdown, JSON, source code, …) the text is the file itself,
//! byte for byte. The other formats are written out as plain text: HTML, notebooks and Word documents as Markdown, pages of a PDF and mails
//! between form feeds, rows of a table as `column: value` lines. `recordar-domain: text/structure.rs` reads their parts.
//!
//! Whatever the bytes are, a loader ends in a text or in a reason, in time and RAM that are bounded by `max_bytes`: nothing is inflated
//! beyond it, nothing is nested deeper than a fixed depth, and no function calls itself for what a file contains.

mod archive;
mod docx;
mod encoding;
mod html;
mod loaded;
mod mail;
mod markdown;
mod notebook;
mod pdf;
mod table;
#[cfg(test)]
mod tests;

pub use loaded::{Loaded, Note, Refused};

use recordar_domain::FileType;

/// Reads a file of a known type. Neither the file nor its text may have more than `max_bytes`.
pub fn load(bytes: Vec<u8>, file_type: FileType, max_bytes: u64) -> Result<Loaded, Refused> {
    let limit = usize::try_from(max_bytes).unwrap_or(usize::MAX);
    if bytes.len() > limit {
        return Err(Refused::too_large(max_bytes));
    }
    let loaded = match file_type {
        FileType::Html => html::load(&encoding::decode_html(bytes)?, limit),
        FileType::Notebook => notebook::load(&encoding::decode(bytes)?, limit),
        FileType::Csv => table::load(&encoding::decode(bytes)?, limit),
        FileType::Email => mail::load(&bytes, limit),
        FileType::Docx => docx::load(&bytes, limit),
        FileType::Pdf => pdf::load(&bytes, limit),
        FileType::Text | FileType::Markdown | FileType::Json | FileType::Yaml => Ok(encoding::decode(bytes)?.into()),
        FileType::Rst | FileType::Jsonl | FileType::Code => Ok(encoding::decode(bytes)?.into()),
    }?;
    if loaded.text.len() > limit {
        return Err(Refused::too_large(max_bytes));
    }
    // A database cannot store it.
    let text = if loaded.text.contains('\0') { loaded.text.replace('\0', "\u{fffd}") } else { loaded.text };
    if text.chars().all(|c| c.is_whitespace() || c == '\u{feff}') {
        let what = if text.is_empty() { "it is empty" } else { "it contains only white space" };
        return Err(Refused::new(
            "empty",
            what,
            "add content, or leave it out (in a folder, with --exclude or .gitignore)",
        ));
    }
    let described = |(name, value): (&'static str, String)| Some((name, described(&value)?));
    let description = loaded.description.into_iter().filter_map(described).collect();
    Ok(Loaded { text, description, ..loaded })
}

/// What a file says of itself, on one line.
fn described(value: &str) -> Option<String> {
    const MAX_CHARS: usize = 500;
    Some(recordar_domain::text::one_line(value, MAX_CHARS)).filter(|value| !value.is_empty())
}
