//! A file of another system, read in pieces: memory holds a run of small records or one large one, and never
//! the file.

use crate::outline::{Extent, Inside, Node, Outliner, Part};
use crate::read;
use recordar_domain::Invalid;
use serde_json::{Map, Value};
use std::io::{BufReader, Read};
use std::ops::ControlFlow;

/// A source that can be read repeatedly, at any offset.
pub trait Source {
    fn bytes(&self) -> u64;

    /// Fills the buffer from an offset on. Fewer bytes are an error.
    fn read_at(&self, at: u64, buffer: &mut [u8]) -> std::io::Result<()>;
}

impl Source for &[u8] {
    fn bytes(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, at: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        let found = usize::try_from(at).ok().and_then(|at| self.get(at..at.checked_add(buffer.len())?));
        buffer.copy_from_slice(found.ok_or(std::io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// A record of a file.
pub(super) enum Record<'a> {
    Whole(Value),
    /// One that is too large to read unnecessarily.
    Large(&'a Node),
}

pub(super) type Taken = Result<ControlFlow<()>, Invalid>;

pub(super) struct Pieces<'a> {
    source: &'a dyn Source,
    name: &'a str,
    parts: Vec<Part>,
    /// Why it is not valid JSON, if so.
    pub(super) error: Option<serde_json::Error>,
    /// How many unpaired surrogate escapes it contains.
    pub(super) halves: usize,
}

/// An object whose large fields stay in the file.
pub(super) struct Fields<'a> {
    pub(super) small: Value,
    large: Option<&'a Node>,
}

const BUFFER_BYTES: usize = 64 * 1024;
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl<'a> Pieces<'a> {
    /// Reads the file once to find its structure. Fails if it cannot be read or is not UTF-8.
    pub(super) fn find(source: &'a dyn Source, name: &'a str) -> Result<Self, Invalid> {
        let head = head(source, name, BYTE_ORDER_MARK.len())?;
        let start = if head == BYTE_ORDER_MARK { head.len() as u64 } else { 0 };
        let outliner = Outliner::beginning_at(start);
        let mut reader = BufReader::with_capacity(
            BUFFER_BYTES,
            Outlining { source, at: start, outliner: Some(outliner), utf8: Utf8::default() },
        );
        let error = read::skim(&mut reader).err();
        let mut outlining = reader.into_inner();
        let (parts, halves) = outlining.outliner.take().unwrap_or_default().finish();
        // After the JSON ends early, the rest must still be UTF-8.
        std::io::copy(&mut outlining, &mut std::io::sink()).map_err(|error| unreadable(name, &error))?;
        match error {
            Some(error) if error.is_io() && !outlining.utf8.is_broken() => Err(unreadable(name, &error.into())),
            error => match outlining.utf8.broken_at(source.bytes()) {
                Some(at) => Err(not_utf8(name, at as usize)),
                None => Ok(Self { source, name, parts, error, halves }),
            },
        }
    }

    /// Passes on the records of the file, until told to stop: the elements of lists, and consecutive objects.
    pub(super) fn each_record(&self, take: &mut dyn FnMut(Record<'_>) -> Taken) -> Result<(), Invalid> {
        for part in &self.parts {
            let next = match part {
                Part::Large(_, Node { inside: Inside::List(parts), .. }) => self.elements(parts, take)?,
                Part::Large(_, node) => take(Record::Large(node))?,
                Part::Run(extent) => self.run(extent, ("", ""), take)?,
            };
            if next.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Passes on the elements of a large list, until told to stop.
    pub(super) fn each_in(&self, list: &Node, take: &mut dyn FnMut(Record<'_>) -> Taken) -> Result<(), Invalid> {
        match &list.inside {
            Inside::List(parts) => self.elements(parts, take).map(|_| ()),
            _ => Ok(()),
        }
    }

    fn elements(&self, parts: &[Part], take: &mut dyn FnMut(Record<'_>) -> Taken) -> Taken {
        for part in parts {
            let next = match part {
                Part::Run(extent) => self.run(extent, ("[", "]"), take)?,
                Part::Large(_, node) => take(Record::Large(node))?,
            };
            if next.is_break() {
                return Ok(next);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// A whole record, held in memory.
    pub(super) fn value(&self, record: Record<'_>) -> Result<Value, Invalid> {
        const MAX_RECORD_BYTES: u64 = 128 * 1024 * 1024;
        match record {
            Record::Whole(value) => Ok(value),
            Record::Large(node) if node.extent.end - node.extent.start > MAX_RECORD_BYTES => Err(Invalid::new(
                format!("one of its conversations exceeds {} MiB", MAX_RECORD_BYTES >> 20),
                "leave it out, or split the file",
            )),
            Record::Large(node) => self.parse(&node.extent, ("", "")),
        }
    }

    pub(super) fn fields<'n>(&self, record: Record<'n>) -> Result<Fields<'n>, Invalid> {
        match record {
            Record::Whole(small) => Ok(Fields { small, large: None }),
            Record::Large(node) => {
                Ok(Fields { small: Value::Object(self.small_fields(node, usize::MAX)?), large: Some(node) })
            }
        }
    }

    /// The part that shows a record's shape: the first element of a large list, the fields of a large object.
    pub(super) fn sketch(&self, record: Record<'_>) -> Result<Value, Invalid> {
        const MOST_RUNS: usize = 4;
        let node = match record {
            Record::Whole(value) => return Ok(value),
            Record::Large(node) => node,
        };
        match &node.inside {
            Inside::List(_) => {
                let mut first = Vec::new();
                self.each_in(node, &mut |record| {
                    first.push(self.sketch(record)?);
                    Ok(ControlFlow::Break(()))
                })?;
                Ok(first.into())
            }
            Inside::Object(parts) => {
                let mut fields = self.small_fields(node, MOST_RUNS)?;
                for part in parts {
                    if let Part::Large(key, node) = part {
                        fields.insert(key.clone(), self.sketch(Record::Large(node))?);
                    }
                }
                Ok(fields.into())
            }
            Inside::Text => Ok("…".into()),
            Inside::Unknown => Ok(Value::Null),
        }
    }

    fn small_fields(&self, object: &Node, most_runs: usize) -> Result<Map<String, Value>, Invalid> {
        let mut fields = Map::new();
        let Inside::Object(parts) = &object.inside else { return Ok(fields) };
        let runs = parts.iter().filter_map(|part| match part {
            Part::Run(extent) => Some(extent),
            Part::Large(..) => None,
        });
        for extent in runs.take(most_runs) {
            fields.extend(self.parse::<Map<String, Value>>(extent, ("{", "}"))?);
        }
        Ok(fields)
    }

    fn run(&self, extent: &Extent, around: (&str, &str), take: &mut dyn FnMut(Record<'_>) -> Taken) -> Taken {
        let bytes = self.load(extent, around)?;
        let mut outcome = Ok(ControlFlow::Continue(()));
        let mut hand_over = |value: Value| {
            outcome = take(Record::Whole(value));
            match outcome {
                Ok(ControlFlow::Continue(())) => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        };
        let read = read::each(&bytes, &mut hand_over);
        read.map_err(|error| self.broken(&error, extent.start, around.0.len()))?;
        outcome
    }

    fn parse<T: serde::de::DeserializeOwned>(&self, extent: &Extent, around: (&str, &str)) -> Result<T, Invalid> {
        let bytes = self.load(extent, around)?;
        serde_json::from_slice(&bytes).map_err(|error| self.broken(&error, extent.start, around.0.len()))
    }

    /// The bytes of an extent between two marks, with unpaired surrogates replaced.
    fn load(&self, extent: &Extent, (open, close): (&str, &str)) -> Result<Vec<u8>, Invalid> {
        let length = (extent.end - extent.start) as usize;
        let mut bytes = Vec::with_capacity(length + open.len() + close.len());
        bytes.extend_from_slice(open.as_bytes());
        bytes.resize(open.len() + length, 0);
        let read = self.source.read_at(extent.start, &mut bytes[open.len()..]);
        read.map_err(|error| unreadable(self.name, &error))?;
        bytes.extend_from_slice(close.as_bytes());
        if self.halves > 0 {
            read::replace_unpaired_surrogates(&mut bytes);
        }
        Ok(bytes)
    }

    /// The error in a part, by its position in the whole file.
    fn broken(&self, error: &serde_json::Error, start: u64, added: usize) -> Invalid {
        let place = format!(" at line {} column {}", error.line(), error.column());
        let what = error.to_string();
        let (mut line, mut column) = (error.line(), error.column());
        let before = lines_before(self.source, start);
        if let (Ok((lines, bytes)), Some(said)) = (before, what.strip_suffix(&place)) {
            if line == 1 {
                column = (column + bytes).saturating_sub(added);
            }
            line += lines;
            return broken(self.name, error.is_eof(), &format!("{said} at line {line} column {column}"));
        }
        broken(self.name, error.is_eof(), &what)
    }
}

impl<'a> Fields<'a> {
    /// A field that holds others, small or large.
    pub(super) fn holder(&mut self, key: &str) -> Option<Record<'a>> {
        if let Some(node) = self.large(key) {
            return node.holds().then_some(Record::Large(node));
        }
        let held = self.small.get_mut(key).filter(|held| held.is_array() || held.is_object())?;
        Some(Record::Whole(held.take()))
    }

    pub(super) fn is_list(&self, key: &str) -> bool {
        match self.large(key) {
            Some(node) => node.is_list(),
            None => self.small.get(key).is_some_and(Value::is_array),
        }
    }

    /// Whether a field is a text that is large.
    pub(super) fn is_large_text(&self, key: &str) -> bool {
        self.large(key).is_some_and(|node| node.inside == Inside::Text)
    }

    pub(super) fn large(&self, key: &str) -> Option<&'a Node> {
        self.large?.field(key)
    }

    pub(super) fn node(&self) -> Option<&'a Node> {
        self.large
    }
}

/// The first bytes of a file.
pub(super) fn head(source: &dyn Source, name: &str, bytes: usize) -> Result<Vec<u8>, Invalid> {
    let mut head = vec![0; source.bytes().min(bytes as u64) as usize];
    source.read_at(0, &mut head).map_err(|error| unreadable(name, &error))?;
    Ok(head)
}

fn unreadable(name: &str, error: &std::io::Error) -> Invalid {
    let remedy = "try again while no other process changes the file";
    Invalid::new(format!("{name} can no longer be read: {error}"), remedy)
}

/// How many lines end before a byte, and how many bytes of the last one stand before it.
fn lines_before(source: &dyn Source, end: u64) -> std::io::Result<(usize, usize)> {
    let (mut at, mut lines, mut column) = (0, 0, 0);
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut start = vec![0; BYTE_ORDER_MARK.len().min(end as usize)];
    source.read_at(0, &mut start)?;
    if start == BYTE_ORDER_MARK {
        at = start.len() as u64;
    }
    while at < end {
        let length = (end - at).min(BUFFER_BYTES as u64) as usize;
        source.read_at(at, &mut buffer[..length])?;
        let read = &buffer[..length];
        lines += read.iter().filter(|byte| **byte == b'\n').count();
        column = read.iter().rposition(|byte| *byte == b'\n').map_or(column + length, |last| length - last - 1);
        at += length as u64;
    }
    Ok((lines, column))
}

/// Bytes passing from a source to the JSON parser, examined on the way.
struct Outlining<'a> {
    source: &'a dyn Source,
    at: u64,
    outliner: Option<Outliner>,
    utf8: Utf8,
}

impl Read for Outlining<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = (self.source.bytes() - self.at).min(buffer.len() as u64) as usize;
        let buffer = &mut buffer[..length];
        self.source.read_at(self.at, buffer)?;
        self.utf8.feed(buffer, self.at);
        if let Some(outliner) = &mut self.outliner {
            outliner.feed(buffer);
        }
        self.at += length as u64;
        Ok(length)
    }
}

/// Whether bytes that come one after the other are UTF-8.
#[derive(Default)]
struct Utf8 {
    /// The beginning of a character whose end has not come.
    unfinished: Vec<u8>,
    broken_at: Option<u64>,
}

impl Utf8 {
    fn feed(&mut self, bytes: &[u8], at: u64) {
        if self.is_broken() {
            return;
        }
        let mut rest = bytes;
        // A character has four bytes at most; those that are still missing complete what is left of the bytes before.
        while !self.unfinished.is_empty() && !rest.is_empty() {
            self.unfinished.push(rest[0]);
            rest = &rest[1..];
            match std::str::from_utf8(&self.unfinished) {
                Ok(_) => self.unfinished.clear(),
                Err(error) if error.error_len().is_none() => {}
                Err(_) => {
                    let start = at + (bytes.len() - rest.len()) as u64 - self.unfinished.len() as u64;
                    self.broken_at = Some(start);
                    return;
                }
            }
        }
        if let Err(error) = std::str::from_utf8(rest) {
            let valid = error.valid_up_to();
            match error.error_len() {
                Some(_) => self.broken_at = Some(at + (bytes.len() - rest.len() + valid) as u64),
                None => self.unfinished = rest[valid..].to_vec(),
            }
        }
    }

    fn is_broken(&self) -> bool {
        self.broken_at.is_some()
    }

    fn broken_at(&self, end: u64) -> Option<u64> {
        self.broken_at.or_else(|| (!self.unfinished.is_empty()).then(|| end - self.unfinished.len() as u64))
    }
}

pub(crate) fn broken(name: &str, is_cut_off: bool, error: &str) -> Invalid {
    let what = if is_cut_off { "is truncated" } else { "is not valid JSON" };
    Invalid::new(format!("{name} {what}: {error}"), "export it again, or use the original file; nothing was imported")
}

pub(crate) fn not_utf8(name: &str, at: usize) -> Invalid {
    Invalid::new(
        format!("{name} is not UTF-8: byte {} is invalid", at + 1),
        format!(
            "if it is text, save it as UTF-8 or convert it, for example with `iconv -f LATIN1 -t UTF-8 '{name}' > utf-8.txt` \
             (CP1252 instead of LATIN1 for files from Windows); if it is truncated, export it again"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_is_told_however_the_bytes_come() {
        for given in [
            &b"a\xc3\xa4\xf0\x9f\x98\x80z"[..],
            b"ok\xe9 x",
            b"\xf0\x9f\x98",
            b"a\xc3",
            b"\xed\xa0\x80",
            b"",
            b"\xc3\xc3\xa4",
        ] {
            let expected = std::str::from_utf8(given).err().map(|error| error.valid_up_to() as u64);
            for size in 1..=given.len().max(1) {
                let mut utf8 = Utf8::default();
                let mut at = 0;
                for piece in given.chunks(size) {
                    utf8.feed(piece, at);
                    at += piece.len() as u64;
                }
                assert_eq!(utf8.broken_at(at), expected, "{given:?} by {size}");
            }
        }
    }

    #[test]
    fn import_says_where_in_the_file_it_is_broken() {
        let long = "x".repeat(70_000);
        // Valid JSON that cannot be represented is found when its part is read, and reported by line.
        let given = format!("[{{\"a\": \"{long}\"}},\n {{\"b\": 1}},\n {{\"c\": [1,\n 1e999]}}]");
        let bytes = given.as_bytes();
        let pieces = Pieces::find(&bytes, "f").unwrap();
        let refused = pieces.each_record(&mut |_| Ok(ControlFlow::Continue(()))).unwrap_err();
        let whole = serde_json::from_str::<Value>(&given).unwrap_err().to_string();
        assert!(refused.what.ends_with(&whole), "{} / {whole}", refused.what);
    }
}
