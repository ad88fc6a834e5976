//! Tables (CSV, TSV) as rows of `column: value` lines, so that every chunk says what its values are.

use crate::loaded::{Loaded, Note, Refused};

/// Tables with more columns are matrices.
const MAX_COLUMNS: usize = 100_000;
const MAX_NAME_CHARS: usize = 200;

pub(crate) fn load(text: &str, limit: usize) -> Result<Loaded, Refused> {
    let text = text.trim_start_matches('\u{feff}');
    // Excel says its separator so.
    let first_line = text.lines().next().unwrap_or_default();
    let said = first_line.strip_prefix("sep=").and_then(|said| said.chars().next()).filter(char::is_ascii);
    let (text, separator) = match said {
        Some(separator) => (&text[first_line.len()..], separator as u8),
        None => (text, separator_of(text)),
    };
    let mut records = Records { text, at: 0, separator, has_open_quote: false };
    let mut first = Vec::new();
    if !records.next(&mut first)? {
        return Ok(Loaded::default());
    }
    let has_header = is_header(&first);
    let names: Vec<String> = first.iter().enumerate().map(|(index, name)| column(index, name, has_header)).collect();
    let mut written = String::new();
    let mut cells = if has_header { Vec::new() } else { first };
    let mut has_row = !has_header || records.next(&mut cells)?;
    // A table of nothing but a header still says what it would hold.
    if !has_row {
        written = names.join("\n");
    }
    while has_row {
        let before = written.len();
        for (index, cell) in cells.iter().enumerate().filter(|(_, cell)| !cell.trim().is_empty()) {
            match names.get(index) {
                Some(name) => written.push_str(name),
                None => written.push_str(&column(index, "", false)),
            }
            written.push_str(": ");
            let mut lines = cell.lines().map(str::trim).filter(|line| !line.is_empty());
            written.push_str(lines.next().unwrap_or_default());
            lines.for_each(|line| {
                written.push_str("\n  ");
                written.push_str(line);
            });
            written.push('\n');
            if written.len() > limit {
                return Err(Refused::too_large(limit as u64));
            }
        }
        if written.len() > before {
            written.push('\n');
        }
        has_row = records.next(&mut cells)?;
    }
    let mut notes = Vec::new();
    if records.has_open_quote {
        let what = "a quotation mark is never closed; everything after it was read as one value";
        notes.push(Note::new("open_quote", what, "close it in the file and ingest it again"));
    }
    Ok(Loaded { text: written, notes, description: Vec::new() })
}

fn column(index: usize, name: &str, has_header: bool) -> String {
    let name: String = name.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(MAX_NAME_CHARS).collect();
    if has_header && !name.is_empty() { name } else { format!("column {}", index + 1) }
}

/// Names are words, each another one. Values are often numbers, empty or repeated.
fn is_header(cells: &[String]) -> bool {
    let is_name = |cell: &String| {
        let cell = cell.trim();
        cell.chars().any(char::is_alphabetic) && cell.parse::<f64>().is_err() && cell.chars().count() <= MAX_NAME_CHARS
    };
    let mut sorted: Vec<&str> = cells.iter().map(|cell| cell.trim()).filter(|cell| !cell.is_empty()).collect();
    sorted.sort_unstable();
    let are_distinct = sorted.windows(2).all(|pair| pair[0] != pair[1]);
    // The column of row numbers often has no name.
    let unnamed = cells.iter().filter(|cell| cell.trim().is_empty()).count();
    are_distinct
        && unnamed * 4 <= cells.len()
        && cells.iter().filter(|cell| !cell.trim().is_empty()).all(is_name)
        && !sorted.is_empty()
}

/// The separator that divides the first lines most evenly.
fn separator_of(text: &str) -> u8 {
    const SAMPLE_BYTES: usize = 64 * 1024;
    const SAMPLE_LINES: usize = 20;
    let counts = |separator: u8| {
        let mut counts = vec![0_usize];
        let mut in_quotes = false;
        for byte in text.bytes().take(SAMPLE_BYTES) {
            match byte {
                b'"' => in_quotes = !in_quotes,
                b'\n' if !in_quotes && counts.len() == SAMPLE_LINES => break,
                b'\n' if !in_quotes => counts.push(0),
                byte if byte == separator && !in_quotes => counts.last_mut().into_iter().for_each(|count| *count += 1),
                _ => {}
            }
        }
        counts
    };
    let rating = |separator: &u8| {
        let counts = counts(*separator);
        let first = counts[0];
        if first > 0 { counts.iter().filter(|count| **count == first).count() } else { 0 }
    };
    // Of equal ones, the last of the list.
    *[b'|', b';', b'\t', b','].iter().max_by_key(|separator| rating(separator)).unwrap_or(&b',')
}

struct Records<'a> {
    text: &'a str,
    at: usize,
    separator: u8,
    has_open_quote: bool,
}

impl Records<'_> {
    /// Reads the next record that is not a blank line.
    fn next(&mut self, cells: &mut Vec<String>) -> Result<bool, Refused> {
        cells.clear();
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b'\n' | b'\r')) {
            self.at += 1;
        }
        if self.at >= bytes.len() {
            return Ok(false);
        }
        loop {
            if cells.len() == MAX_COLUMNS {
                let what = format!("it has more than {MAX_COLUMNS} columns");
                return Err(Refused::new("too_wide", what, "turn rows into columns, or ingest it with --type text"));
            }
            cells.push(self.cell());
            match bytes.get(self.at) {
                Some(byte) if *byte == self.separator => self.at += 1,
                _ => return Ok(true),
            }
        }
    }

    /// One value, with its quotation marks taken off. Stops at a separator, the end of the line or of the text.
    fn cell(&mut self) -> String {
        let bytes = self.text.as_bytes();
        let mut value = String::new();
        if bytes.get(self.at) == Some(&b'"') {
            self.at += 1;
            loop {
                let rest = &self.text[self.at..];
                let Some(end) = rest.find('"') else {
                    value.push_str(rest);
                    self.at = bytes.len();
                    self.has_open_quote = true;
                    return value;
                };
                value.push_str(&rest[..end]);
                self.at += end + 1;
                if bytes.get(self.at) != Some(&b'"') {
                    break;
                }
                value.push('"');
                self.at += 1;
            }
        }
        let end = bytes[self.at..].iter().position(|byte| *byte == self.separator || matches!(byte, b'\n' | b'\r'));
        let end = end.map_or(bytes.len(), |length| self.at + length);
        value.push_str(&self.text[self.at..end]);
        self.at = end;
        value
    }
}
