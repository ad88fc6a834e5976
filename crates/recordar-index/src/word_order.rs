//! The order of the words of messages, a byte for each: enough to see which words of a question stand together.

/// The byte of a stem. Different stems may share one, so that words may seem to stand together that do not; it happens to one in 256.
pub(crate) fn mark(stem: &str) -> u8 {
    xxhash_rust::xxh3::xxh3_64(stem.as_bytes()) as u8
}

/// The marks of each item's words, in their order. Chunks have none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct WordOrder {
    ends: Vec<u32>,
    marks: Vec<u8>,
}

impl WordOrder {
    pub(crate) fn bytes(&self) -> usize {
        4 * self.ends.len() + self.marks.len()
    }

    pub(crate) fn push(&mut self, marks: impl Iterator<Item = u8>) {
        self.marks.extend(marks);
        self.ends.push(self.marks.len() as u32);
    }

    pub(crate) fn of(&self, item: usize) -> &[u8] {
        let start = if item == 0 { 0 } else { self.ends[item - 1] as usize };
        &self.marks[start..self.ends[item] as usize]
    }

    /// The same items; those that `keeps` rejects have no marks.
    pub(crate) fn kept(&self, keeps: impl Fn(u32) -> bool) -> Self {
        let mut kept = Self::default();
        for item in 0..self.ends.len() {
            let marks = if keeps(item as u32) { self.of(item) } else { &[] };
            kept.push(marks.iter().copied());
        }
        kept.marks.shrink_to_fit();
        kept
    }

    pub(crate) fn append(&mut self, other: &Self) {
        (0..other.ends.len()).for_each(|item| self.push(other.of(item).iter().copied()));
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.ends.iter().flat_map(|end| end.to_le_bytes()));
        out.extend_from_slice(&self.marks);
    }

    /// Reads what `write` wrote for a number of items, and returns the rest. `None` if it is invalid.
    pub(crate) fn read(bytes: &[u8], count: usize) -> Option<(Self, &[u8])> {
        let (ends, rest) = bytes.split_at_checked(count.checked_mul(4)?)?;
        let ends = crate::columns::numbers(ends);
        let (marks, rest) = rest.split_at_checked(ends.last().map_or(0, |end| *end as usize))?;
        ends.is_sorted().then(|| (Self { ends, marks: marks.to_vec() }, rest))
    }
}

/// The largest distance at which two words still stand together.
const MAX_DISTANCE: usize = 4;
/// What words in the other order count, compared with those in the order of the question.
const OTHER_ORDER: f32 = 0.7;

/// How near two words stand to each other in an item: 1 if the second follows the first, less at a distance, 0 if they do not stand
/// together.
pub(crate) fn nearness(marks: &[u8], first: u8, second: u8) -> f32 {
    let mut best = 0.0_f32;
    let mut seen: [Option<usize>; 2] = [None; 2];
    for (at, mark) in marks.iter().enumerate() {
        let near = |seen: Option<usize>, weight: f32| match seen.map(|seen| at - seen) {
            Some(distance @ 1..=MAX_DISTANCE) => weight / distance as f32,
            _ => 0.0,
        };
        if *mark == first {
            best = best.max(near(seen[1], OTHER_ORDER));
        }
        if *mark == second {
            best = best.max(near(seen[0], 1.0));
        }
        if *mark == first {
            seen[0] = Some(at);
        }
        if *mark == second {
            seen[1] = Some(at);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i21_words_that_stand_together_are_near() {
        let check = |text: &str, expected: f32| {
            let marks: Vec<u8> = text.split(' ').map(mark).collect();
            assert!((nearness(&marks, mark("lamp"), mark("oil")) - expected).abs() < 1e-6, "{text}");
        };
        check("lamp oil", 1.0);
        check("oil lamp", 0.7);
        check("lamp and oil", 0.5);
        check("lamp a b c oil", 0.25);
        check("lamp a b c d oil", 0.0);
        check("lamp x lamp oil", 1.0);
        check("lamp", 0.0);
        assert_eq!(nearness(&[3, 3], 3, 3), 1.0, "a word that follows itself");
        assert_eq!(nearness(&[3], 3, 3), 0.0, "one word is not two");
    }

    #[test]
    fn what_was_written_is_read_and_damage_is_noticed() {
        let mut order = WordOrder::default();
        order.push([1, 2, 3].into_iter());
        order.push([].into_iter());
        order.push([9].into_iter());
        let mut bytes = Vec::new();
        order.write(&mut bytes);
        bytes.push(7);
        assert_eq!(WordOrder::read(&bytes, 3), Some((order.clone(), &[7][..])));
        assert_eq!(WordOrder::read(&bytes[..bytes.len() - 2], 3), None);
        assert_eq!(WordOrder::read(&[9, 0, 0, 0, 1, 0, 0, 0, 5], 2), None, "ends descend");
        let kept = order.kept(|item| item != 0);
        assert_eq!((kept.of(0), kept.of(2)), (&[][..], &[9][..]));
    }
}
