//! Postings: for each word, the items that contain it in ascending order, and its count in each.
//!
//! Encoded, a posting is the distance to the previous one, doubled, plus one if a count follows.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Posting {
    /// The item's place within its segment.
    pub(crate) local: u32,
    pub(crate) count: u32,
}

pub(crate) fn encode(postings: impl Iterator<Item = Posting>, out: &mut Vec<u8>) {
    let mut next = 0;
    for Posting { local, count } in postings {
        let distance = u64::from(local - next) << 1;
        if count == 1 {
            write_number(distance, out);
        } else {
            write_number(distance | 1, out);
            write_number(u64::from(count), out);
        }
        next = local + 1;
    }
}

/// The postings of one word. Damaged bytes only end it early.
pub(crate) struct Decoder<'a> {
    bytes: &'a [u8],
    next: u32,
    limit: u32,
}

impl<'a> Decoder<'a> {
    /// Decodes postings of a segment with `limit` items.
    pub(crate) fn new(bytes: &'a [u8], limit: u32) -> Self {
        Self { bytes, next: 0, limit }
    }
}

impl Iterator for Decoder<'_> {
    type Item = Posting;

    #[inline]
    fn next(&mut self) -> Option<Posting> {
        let head = read_number(&mut self.bytes)?;
        let count = if head & 1 == 1 { read_number(&mut self.bytes)?.min(u64::from(u32::MAX)) as u32 } else { 1 };
        let local = u32::try_from(u64::from(self.next) + (head >> 1)).ok().filter(|local| *local < self.limit)?;
        self.next = local + 1;
        Some(Posting { local, count })
    }
}

fn write_number(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[inline]
fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let (first, rest) = bytes.split_first()?;
    *bytes = rest;
    if *first < 0x80 {
        return Some(u64::from(*first));
    }
    let mut value = u64::from(first & 0x7f);
    for shift in 1..6 {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << (7 * shift);
        if *byte < 0x80 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postings_come_back_and_damage_ends_them() {
        let postings: Vec<Posting> = [(0, 1), (1, 300), (40_000, 1), (40_001, 2), (4_000_000_000, 7)]
            .map(|(local, count)| Posting { local, count })
            .to_vec();
        let mut bytes = Vec::new();
        encode(postings.iter().copied(), &mut bytes);
        assert_eq!(Decoder::new(&bytes, u32::MAX).collect::<Vec<_>>(), postings);
        assert_eq!(Decoder::new(&bytes, 41_000).count(), 4);
        for end in 0..bytes.len() {
            assert!(Decoder::new(&bytes[..end], u32::MAX).count() < postings.len());
        }
        assert_eq!(Decoder::new(&[0xff; 40], 10).count(), 0);
    }
}
