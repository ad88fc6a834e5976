//! The objects of a PDF file. They are found by looking through the whole file, as other programs do with a damaged one: tables that say where
//! objects are can be wrong, and are not needed.

use super::filter::unpacked;
use super::object::{Dict, Object, Reader, is_space};
use std::cell::Cell;
use std::collections::BTreeMap;

/// Object streams that are kept may have as many bytes as the budget; more objects than this are not counted.
const MAX_OBJECTS: usize = 4_000_000;

#[derive(Clone, Copy)]
enum Place {
    /// Behind the word `obj`.
    InFile(usize),
    /// In an unpacked object stream.
    Packed(usize, usize),
}

pub(super) struct File<'a> {
    bytes: &'a [u8],
    places: BTreeMap<u32, Place>,
    packed: Vec<Vec<u8>>,
    pub(super) root: Option<Object>,
    pub(super) info: Option<Object>,
    pub(super) is_encrypted: bool,
    /// Bytes that may still be unpacked.
    left: usize,
    /// Bytes of objects that may still be read: an object can be asked for again and again.
    unread: Cell<usize>,
}

impl<'a> File<'a> {
    pub(super) fn read(bytes: &'a [u8], budget: usize) -> Self {
        let mut file = Self {
            bytes,
            places: BTreeMap::new(),
            packed: Vec::new(),
            root: None,
            info: None,
            is_encrypted: false,
            left: budget,
            unread: Cell::new(budget.saturating_add(20 * bytes.len())),
        };
        let mut at = 0;
        while let Some(offset) = find(&bytes[at..], b"obj", b"trailer") {
            at += offset;
            if bytes[at..].starts_with(b"trailer") {
                let mut reader = Reader::new(bytes, at + 7);
                if let Some(Object::Dict(trailer)) = reader.next() {
                    file.read_trailer(&trailer);
                }
                // What follows a damaged one is still looked at.
                at += 7;
                continue;
            }
            let number = number_before(bytes, at);
            at += 3;
            if let Some(number) = number.filter(|_| file.places.len() < MAX_OBJECTS) {
                file.places.insert(number, Place::InFile(at));
                at = file.look_into(at);
            }
        }
        file
    }

    fn read_trailer(&mut self, trailer: &Dict) {
        self.root = trailer.get("Root").cloned().or(self.root.take());
        self.info = trailer.get("Info").cloned().or(self.info.take());
        self.is_encrypted |= trailer.get("Encrypt").is_some_and(|encrypt| *encrypt != Object::Null);
    }

    /// Looks at the object at a place: skips a stream, and takes the objects out of an object stream. Returns where to go on.
    fn look_into(&mut self, at: usize) -> usize {
        let mut reader = Reader::new(self.bytes, at);
        reader.skip_space();
        if !self.bytes[reader.at..].starts_with(b"<<") {
            return at;
        }
        let Some(Object::Dict(dict)) = reader.next() else { return at };
        let Some((raw, end)) = self.stream_at(&dict, reader.at) else { return reader.at };
        if dict.is("Type", "XRef") {
            self.read_trailer(&dict);
        } else if dict.is("Type", "ObjStm") {
            self.unpack_objects(&dict, raw);
        }
        end
    }

    /// The bytes of a stream that begins at a place, and where it ends.
    fn stream_at(&self, dict: &Dict, at: usize) -> Option<(&'a [u8], usize)> {
        let mut at = at;
        while self.bytes.get(at).is_some_and(|byte| is_space(*byte)) {
            at += 1;
        }
        if !self.bytes[at..].starts_with(b"stream") {
            return None;
        }
        at += 6;
        at += usize::from(self.bytes.get(at) == Some(&b'\r'));
        at += usize::from(self.bytes.get(at) == Some(&b'\n'));
        let rest = self.bytes.get(at..)?;
        if let Some(length) = dict.get("Length").and_then(Object::number).filter(|length| *length >= 0.0) {
            let length = length as usize;
            let after = rest.get(length..).unwrap_or_default();
            if after[..after.len().min(24)].trim_ascii_start().starts_with(b"endstream") {
                return Some((&rest[..length], at + length));
            }
        }
        let length = find(rest, b"endstream", b"endstream").unwrap_or(rest.len());
        Some((&rest[..length], at + length))
    }

    fn unpack_objects(&mut self, dict: &Dict, raw: &[u8]) {
        let number = |key: &str| dict.get(key).and_then(Object::number).map_or(0, |number| number.max(0.0) as usize);
        let Some(bytes) = unpacked(dict, raw, &mut self.left) else { return };
        let (count, first) = (number("N"), number("First"));
        let mut reader = Reader::new(&bytes[..first.min(bytes.len())], 0);
        let mut places = Vec::new();
        for _ in 0..count.min(MAX_OBJECTS.saturating_sub(self.places.len())) {
            let (Some(Object::Number(number)), Some(Object::Number(offset))) = (reader.next(), reader.next()) else {
                break;
            };
            places.push((number as u32, first.saturating_add(offset.max(0.0) as usize)));
        }
        let index = self.packed.len();
        self.places.extend(places.into_iter().map(|(number, at)| (number, Place::Packed(index, at))));
        self.packed.push(bytes);
    }

    /// What an object stands for. References to references are followed a few times.
    pub(super) fn resolve(&self, object: &Object) -> Object {
        let mut object = object.clone();
        for _ in 0..8 {
            let Object::Reference(number) = object else { return object };
            let mut reader = match self.places.get(&number) {
                Some(Place::InFile(at)) => Reader::new(self.bytes, *at),
                Some(Place::Packed(index, at)) => Reader::new(&self.packed[*index], *at),
                None => return Object::Null,
            };
            let start = reader.at;
            if self.unread.get() == 0 {
                return Object::Null;
            }
            object = reader.next().unwrap_or(Object::Null);
            self.unread.set(self.unread.get().saturating_sub(16 + reader.at.saturating_sub(start)));
        }
        Object::Null
    }

    pub(super) fn get(&self, dict: &Dict, key: &str) -> Option<Object> {
        Some(self.resolve(dict.get(key)?)).filter(|object| *object != Object::Null)
    }

    pub(super) fn dict(&self, dict: &Dict, key: &str) -> Option<Dict> {
        match self.get(dict, key) {
            Some(Object::Dict(dict)) => Some(dict),
            _ => None,
        }
    }

    pub(super) fn number(&self, dict: &Dict, key: &str) -> Option<f64> {
        self.get(dict, key)?.number()
    }

    /// A stream with its dictionary, not yet unpacked.
    pub(super) fn stream(&self, object: &Object) -> Option<(Dict, &'a [u8])> {
        let Object::Reference(number) = object else { return None };
        let Some(Place::InFile(at)) = self.places.get(number) else { return None };
        let mut reader = Reader::new(self.bytes, *at);
        let Some(Object::Dict(dict)) = reader.next() else { return None };
        let (raw, _) = self.stream_at(&dict, reader.at)?;
        let dict = self.with_filters(dict);
        Some((dict, raw))
    }

    /// Filters are sometimes objects of their own.
    fn with_filters(&self, dict: Dict) -> Dict {
        dict.map_values(&["Filter", "DecodeParms"], |value| match self.resolve(value) {
            Object::Array(array) => Object::Array(array.iter().map(|object| self.resolve(object)).collect()),
            object => object,
        })
    }

    /// Counts what is kept of the file.
    pub(super) fn charge(&mut self, bytes: usize) {
        self.left = self.left.saturating_sub(bytes);
    }

    /// Whether the file asked for more than it may.
    pub(super) fn is_exhausted(&self) -> bool {
        self.left == 0 || self.unread.get() == 0
    }

    pub(super) fn unpack(&mut self, object: &Object) -> Option<Vec<u8>> {
        let (dict, raw) = self.stream(object)?;
        self.left = self.left.checked_sub(raw.len())?;
        unpacked(&dict, raw, &mut self.left)
    }

    /// Every object that is a page, by number: for a file whose tree of pages is damaged.
    pub(super) fn loose_pages(&self, most: usize) -> Vec<Object> {
        let references = self.places.keys().map(|number| Object::Reference(*number));
        let is_page = |object: &Object| self.resolve(object).dict().is_some_and(|dict| dict.is("Type", "Page"));
        references.filter(is_page).take(most).collect()
    }
}

/// The place of the first of two words.
fn find(bytes: &[u8], one: &[u8], other: &[u8]) -> Option<usize> {
    let (first, second) = (one[0], other[0]);
    let is_there = |at: &usize| {
        let byte = bytes[*at];
        (byte == first && bytes[*at..].starts_with(one)) || (byte == second && bytes[*at..].starts_with(other))
    };
    (0..bytes.len()).find(is_there)
}

/// The number of the object whose word `obj` stands at a place: `12 0 obj`.
fn number_before(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = |end: usize| {
        let start = bytes[..end].iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |at| at + 1);
        (start < end && end - start <= 10).then_some(start)
    };
    let space = |end: usize| {
        let start = bytes[..end].iter().rposition(|byte| !is_space(*byte)).map_or(0, |at| at + 1);
        (start < end).then_some(start)
    };
    let generation = digits(space(at).unwrap_or(at))?;
    let end = space(generation)?;
    let start = digits(end)?;
    std::str::from_utf8(&bytes[start..end]).ok()?.parse().ok()
}
