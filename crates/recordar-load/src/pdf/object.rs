//! The objects of a PDF, and the reader of their notation, which files and content streams share.

use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Object {
    Null,
    Bool,
    Number(f64),
    Name(Vec<u8>),
    Text(Vec<u8>),
    Array(Vec<Object>),
    Dict(Dict),
    /// Another object, by its number.
    Reference(u32),
    /// A bare word: an operator of a content stream, or `stream`.
    Word(Vec<u8>),
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Dict(BTreeMap<Vec<u8>, Object>);

impl Dict {
    pub(super) fn get(&self, key: &str) -> Option<&Object> {
        self.0.get(key.as_bytes())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Vec<u8>, &Object)> {
        self.0.iter()
    }

    /// With some values replaced.
    pub(super) fn map_values(mut self, keys: &[&str], with: impl Fn(&Object) -> Object) -> Self {
        for key in keys {
            if let Some(value) = self.0.get_mut(key.as_bytes()) {
                *value = with(value);
            }
        }
        self
    }

    pub(super) fn is(&self, key: &str, name: &str) -> bool {
        self.get(key).is_some_and(|value| *value == Object::Name(name.as_bytes().to_vec()))
    }
}

impl Object {
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn dict(&self) -> Option<&Dict> {
        match self {
            Self::Dict(dict) => Some(dict),
            _ => None,
        }
    }

    pub(super) fn array(&self) -> Option<&[Object]> {
        match self {
            Self::Array(array) => Some(array),
            _ => None,
        }
    }

    pub(super) fn name(&self) -> Option<&[u8]> {
        match self {
            Self::Name(name) => Some(name),
            _ => None,
        }
    }
}

/// Arrays and dictionaries that are nested deeper are not read.
const MAX_DEPTH: usize = 40;

/// Of the parts of one object, no more are kept.
const MAX_PARTS: usize = 1_000_000;

/// Reads objects one after the other.
pub(super) struct Reader<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// The parts of the object that is being read.
    parts: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at, parts: 0 }
    }

    /// The next object, or `None` at the end.
    pub(super) fn next(&mut self) -> Option<Object> {
        self.parts = 0;
        self.object(0)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            if byte == b'%' {
                while self.peek().is_some_and(|byte| !matches!(byte, b'\n' | b'\r')) {
                    self.at += 1;
                }
            } else if is_space(byte) {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    fn object(&mut self, depth: usize) -> Option<Object> {
        self.skip_space();
        let first = self.peek()?;
        match first {
            b'/' => Some(Object::Name(self.name())),
            b'(' => Some(Object::Text(self.literal())),
            b'<' if self.bytes.get(self.at + 1) == Some(&b'<') => {
                self.at += 2;
                Some(self.dict(depth))
            }
            b'<' => Some(Object::Text(self.hexadecimal())),
            b'[' => {
                self.at += 1;
                Some(self.array(depth))
            }
            b'0'..=b'9' | b'+' | b'-' | b'.' => Some(self.number()),
            // Brackets that close nothing, and braces of calculator functions.
            b']' | b'>' | b')' | b'{' | b'}' => {
                self.at += 1;
                Some(Object::Null)
            }
            _ => Some(self.word()),
        }
    }

    fn name(&mut self) -> Vec<u8> {
        self.at += 1;
        let mut name = Vec::new();
        while let Some(byte) = self.peek().filter(|byte| is_regular(*byte)) {
            self.at += 1;
            let hex = (byte == b'#').then(|| self.bytes.get(self.at..self.at + 2)).flatten();
            let hex = hex.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
            if hex.is_some() {
                self.at += 2;
            }
            name.push(hex.unwrap_or(byte));
        }
        name
    }

    fn literal(&mut self) -> Vec<u8> {
        self.at += 1;
        let (mut text, mut open) = (Vec::new(), 1);
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'\\' => self.escaped(&mut text),
                b'(' => {
                    open += 1;
                    text.push(byte);
                }
                b')' => {
                    open -= 1;
                    if open == 0 {
                        break;
                    }
                    text.push(byte);
                }
                _ => text.push(byte),
            }
        }
        text
    }

    fn escaped(&mut self, text: &mut Vec<u8>) {
        let Some(byte) = self.peek() else { return };
        self.at += 1;
        match byte {
            b'n' => text.push(b'\n'),
            b'r' => text.push(b'\r'),
            b't' => text.push(b'\t'),
            b'b' | b'f' => text.push(b' '),
            b'\r' => self.at += usize::from(self.peek() == Some(b'\n')),
            b'\n' => {}
            b'0'..=b'7' => {
                let mut code = u32::from(byte - b'0');
                for _ in 0..2 {
                    let Some(digit) = self.peek().filter(|byte| (b'0'..=b'7').contains(byte)) else { break };
                    code = code * 8 + u32::from(digit - b'0');
                    self.at += 1;
                }
                text.push(code as u8);
            }
            other => text.push(other),
        }
    }

    fn hexadecimal(&mut self) -> Vec<u8> {
        self.at += 1;
        let mut digits = Vec::new();
        while let Some(byte) = self.peek() {
            self.at += 1;
            if byte == b'>' {
                break;
            }
            digits.extend((byte as char).to_digit(16).map(|digit| digit as u8));
        }
        digits.chunks(2).map(|pair| pair[0] * 16 + pair.get(1).copied().unwrap_or(0)).collect()
    }

    fn array(&mut self, depth: usize) -> Object {
        let mut array = Vec::new();
        loop {
            self.skip_space();
            match self.peek() {
                None => break,
                Some(b']') => {
                    self.at += 1;
                    break;
                }
                Some(_) if depth >= MAX_DEPTH => {
                    self.at += 1;
                    continue;
                }
                Some(_) => {}
            }
            let Some(object) = self.object(depth + 1) else { break };
            // A word in an array is the end of a damaged one.
            if matches!(&object, Object::Word(word) if word.starts_with(b"endobj")) {
                break;
            }
            self.keep(object, &mut array);
        }
        Object::Array(array)
    }

    fn dict(&mut self, depth: usize) -> Object {
        let mut entries = Vec::new();
        loop {
            self.skip_space();
            match self.peek() {
                None => break,
                Some(b'>') => {
                    self.at += 1 + usize::from(self.bytes.get(self.at + 1) == Some(&b'>'));
                    break;
                }
                Some(_) if depth >= MAX_DEPTH => {
                    self.at += 1;
                    continue;
                }
                Some(_) => {}
            }
            let Some(object) = self.object(depth + 1) else { break };
            if matches!(&object, Object::Word(word) if word.starts_with(b"endobj") || word.starts_with(b"stream")) {
                break;
            }
            self.keep(object, &mut entries);
        }
        let mut dict = BTreeMap::new();
        let mut entries = entries.into_iter();
        while let Some(key) = entries.next() {
            if let (Object::Name(key), Some(value)) = (key, entries.next()) {
                dict.insert(key, value);
            }
        }
        Object::Dict(Dict(dict))
    }

    /// Adds a part. Two numbers and an `R` are a reference.
    fn keep(&mut self, object: Object, objects: &mut Vec<Object>) {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return;
        }
        objects.push(object);
        let [.., Object::Number(number), Object::Number(_), Object::Word(word)] = objects.as_slice() else { return };
        if word == b"R" {
            let reference = Object::Reference(*number as u32);
            objects.truncate(objects.len() - 3);
            objects.push(reference);
        }
    }

    fn number(&mut self) -> Object {
        let start = self.at;
        while self.peek().is_some_and(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.')) {
            self.at += 1;
        }
        let digits = std::str::from_utf8(&self.bytes[start..self.at]).unwrap_or_default();
        // Some programs write `--5` or `5-3`.
        let plain = digits.trim_start_matches(['+', '-']);
        let plain = plain.split(['+', '-']).next().unwrap_or_default();
        let number: f64 = plain.parse().unwrap_or(0.0);
        Object::Number(if digits.starts_with('-') { -number } else { number })
    }

    fn word(&mut self) -> Object {
        let start = self.at;
        while self.peek().is_some_and(is_regular) {
            self.at += 1;
        }
        self.at = self.at.max(start + 1);
        match &self.bytes[start..self.at] {
            b"true" | b"false" => Object::Bool,
            b"null" => Object::Null,
            word => Object::Word(word.to_vec()),
        }
    }
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, 0 | b'\t' | b'\n' | 12 | b'\r' | b' ')
}

fn is_regular(byte: u8) -> bool {
    !is_space(byte) && !matches!(byte, b'(' | b')' | b'<' | b'>' | b'[' | b']' | b'{' | b'}' | b'/' | b'%')
}
