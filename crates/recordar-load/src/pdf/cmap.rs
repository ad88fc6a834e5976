//! Character maps: how a font says which characters its codes stand for (`ToUnicode`).

use super::object::{Object, Reader};

const MAX_ENTRIES: usize = 200_000;

#[derive(Default)]
pub(super) struct CharacterMap {
    /// Codes from one to another, and the text of the first, in UTF-16.
    ranges: Vec<(u32, u32, Vec<u16>)>,
    /// The lengths of codes, with the first byte from one to another.
    lengths: Vec<(u8, u8, usize)>,
}

impl CharacterMap {
    pub(super) fn read(bytes: &[u8]) -> Self {
        let mut map = Self::default();
        let mut reader = Reader::new(bytes, 0);
        let mut operands: Vec<Object> = Vec::new();
        while let Some(object) = reader.next() {
            let Object::Word(word) = object else {
                if operands.len() < MAX_ENTRIES {
                    operands.push(object);
                }
                continue;
            };
            match word.as_slice() {
                b"endbfchar" => operands.chunks_exact(2).for_each(|pair| map.add(&pair[0], &pair[0], &pair[1])),
                b"endbfrange" => operands.chunks_exact(3).for_each(|range| map.add(&range[0], &range[1], &range[2])),
                b"endcodespacerange" => operands.chunks_exact(2).for_each(|range| map.add_length(&range[0], &range[1])),
                _ => {}
            }
            operands.clear();
        }
        map.ranges.sort_by_key(|(first, ..)| *first);
        map
    }

    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }

    pub(super) fn get(&self, code: u32) -> Option<String> {
        let next = self.ranges.partition_point(|(first, ..)| *first <= code);
        let (first, last, text) = &self.ranges[next.checked_sub(1)?];
        if code > *last {
            return None;
        }
        let mut units = text.clone();
        if let Some(unit) = units.last_mut() {
            *unit = unit.wrapping_add((code - first) as u16);
        }
        Some(String::from_utf16_lossy(&units)).filter(|text| !text.is_empty() && !text.starts_with('\0'))
    }

    /// How many bytes the code has that stands here.
    pub(super) fn code_length(&self, rest: &[u8]) -> Option<usize> {
        let first = *rest.first()?;
        self.lengths.iter().find(|(from, to, _)| (*from..=*to).contains(&first)).map(|(.., length)| *length)
    }

    fn add(&mut self, first: &Object, last: &Object, to: &Object) {
        let (Object::Text(first), Object::Text(last)) = (first, last) else { return };
        let number = |code: &[u8]| code.iter().take(4).fold(0_u32, |number, byte| (number << 8) | u32::from(*byte));
        let (first, last) = (number(first), number(last));
        if self.ranges.len() >= MAX_ENTRIES || last < first {
            return;
        }
        match to {
            Object::Text(text) => self.ranges.push((first, last, units(text))),
            Object::Array(texts) => {
                for (index, text) in texts.iter().take((last - first) as usize + 1).enumerate() {
                    if let Object::Text(text) = text
                        && self.ranges.len() < MAX_ENTRIES
                    {
                        let code = first + index as u32;
                        self.ranges.push((code, code, units(text)));
                    }
                }
            }
            _ => {}
        }
    }

    fn add_length(&mut self, first: &Object, last: &Object) {
        const MAX_LENGTHS: usize = 100;
        if let (Object::Text(first), Object::Text(last)) = (first, last)
            && let (Some(from), Some(to)) = (first.first(), last.first())
            && self.lengths.len() < MAX_LENGTHS
        {
            self.lengths.push((*from, *to, first.len().clamp(1, 4)));
        }
    }
}

fn units(text: &[u8]) -> Vec<u16> {
    const MAX_UNITS: usize = 16;
    match text {
        [one] => vec![u16::from(*one)],
        text => text.chunks_exact(2).take(MAX_UNITS).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect(),
    }
}
