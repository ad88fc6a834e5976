//! Arithmetic on 8-bit vectors and their signs. Integers only, so that every machine gets the same numbers.
//!
//! What runs in `with_simd` is compiled for each kind of processor, provided that all of it is inlined there.

use pulp::{Arch, Simd, WithSimd};

/// Vectors with their squares and signs, one after the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Vectors {
    pub(crate) dimension: usize,
    /// Read from a segment, they stay in its bytes, after its head: copying them would take longer than everything else.
    components: Vec<u8>,
    head: usize,
    /// The dot product of each with itself.
    squares: Vec<u32>,
    /// One bit for each component, set where it is positive; those of 64 components together for all vectors, and then
    /// those of the next 64, so that they can be compared many at a time.
    signs: Vec<Vec<u64>>,
}

impl Vectors {
    pub(crate) fn new(dimension: usize) -> Self {
        let signs = vec![Vec::new(); dimension.div_ceil(64)];
        Self { dimension, components: Vec::new(), head: 0, squares: Vec::new(), signs }
    }

    pub(crate) fn len(&self) -> usize {
        self.squares.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.components.len() + 4 * self.squares.len() + 8 * self.signs.len() * self.len()
    }

    pub(crate) fn push(&mut self, vector: &[i8]) {
        self.components.extend(vector.iter().map(|value| *value as u8));
        self.squares.push(square(vector));
        for (plane, word) in self.signs.iter_mut().zip(sign_words(vector)) {
            plane.push(word);
        }
    }

    pub(crate) fn append(&mut self, other: &Self) {
        self.components.extend_from_slice(other.components());
        self.squares.extend_from_slice(&other.squares);
        for (plane, others) in self.signs.iter_mut().zip(&other.signs) {
            plane.extend_from_slice(others);
        }
    }

    /// Clears a vector.
    pub(crate) fn clear(&mut self, index: usize) {
        self.components[self.head + index * self.dimension..][..self.dimension].fill(0);
        self.squares[index] = 0;
        self.signs.iter_mut().for_each(|plane| plane[index] = 0);
    }

    pub(crate) fn get(&self, index: usize) -> StoredVector<'_> {
        let components = &self.components[self.head + index * self.dimension..][..self.dimension];
        StoredVector { components, square: self.squares[index] }
    }

    /// Adds for each vector the number of signs that differ from the question's, at most 255. With many components they are counted
    /// in twos, fours and so on, so that the nearer half of all distances can be told apart.
    pub(crate) fn sign_distances(&self, question: &QuestionVector, out: &mut Vec<u8>) {
        let planes: Vec<(&[u64], u64)> =
            self.signs.iter().map(Vec::as_slice).zip(question.signs.iter().copied()).collect();
        Arch::new().dispatch(Distances { planes: &planes, count: self.len(), shift: sign_shift(self.dimension), out });
    }

    /// Frees unused capacity.
    pub(crate) fn shrunk(mut self) -> Self {
        self.components.shrink_to_fit();
        self.squares.shrink_to_fit();
        self.signs.iter_mut().for_each(Vec::shrink_to_fit);
        self
    }

    pub(crate) fn components(&self) -> &[u8] {
        &self.components[self.head..]
    }

    /// Writes everything except the components.
    pub(crate) fn write_rest(&self, out: &mut Vec<u8>) {
        out.extend(self.squares.iter().flat_map(|square| square.to_le_bytes()));
        out.extend(self.signs.iter().flatten().flat_map(|word| word.to_le_bytes()));
    }

    /// Reads the bytes that `write_rest` wrote for a number of vectors, and takes the components from the bytes that start with
    /// a head. `None` if they are invalid.
    pub(crate) fn read(rest: &[u8], count: usize, dimension: usize) -> Option<Self> {
        let (squares, rest) = rest.split_at_checked(count.checked_mul(4)?)?;
        if rest.len() != count.checked_mul(8 * dimension.div_ceil(64))? {
            return None;
        }
        let plane = |bytes: &[u8]| bytes.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let mut signs: Vec<Vec<u64>> = rest.chunks(8 * count.max(1)).map(plane).collect();
        signs.resize(dimension.div_ceil(64), Vec::new());
        Some(Self {
            dimension,
            components: Vec::new(),
            head: 0,
            squares: squares.as_chunks().0.iter().map(|square| u32::from_le_bytes(*square)).collect(),
            signs,
        })
    }

    /// Sets the components of vectors that were read: the bytes from `head` to `end`.
    pub(crate) fn with_components(mut self, mut bytes: Vec<u8>, head: usize, end: usize) -> Self {
        bytes.truncate(end);
        bytes.shrink_to_fit();
        (self.components, self.head) = (bytes, head);
        self
    }
}

/// One stored vector.
#[derive(Clone, Copy)]
pub(crate) struct StoredVector<'a> {
    components: &'a [u8],
    square: u32,
}

/// A question's vector, prepared for many comparisons.
pub(crate) struct QuestionVector {
    components: Vec<i16>,
    square: u32,
    signs: Vec<u64>,
}

impl QuestionVector {
    pub(crate) fn new(vector: &[i8]) -> Self {
        let components = vector.iter().map(|value| i16::from(*value)).collect();
        Self { components, square: square(vector), signs: sign_words(vector).collect() }
    }

    pub(crate) fn is_nothing(&self) -> bool {
        self.square == 0
    }

    /// Calls `take` with the cosine of the question with each of the stored vectors, none below 0.
    pub(crate) fn cosines<'a>(&self, stored: impl Iterator<Item = StoredVector<'a>>, mut take: impl FnMut(f32)) {
        let own = f64::from(self.square).sqrt();
        let take = |dot: i32, square: u32| {
            let lengths = own * f64::from(square).sqrt();
            take(if lengths > 0.0 { (f64::from(dot) / lengths).max(0.0) as f32 } else { 0.0 });
        };
        Arch::new().dispatch(Dots { question: &self.components, stored, take });
    }
}

fn square(vector: &[i8]) -> u32 {
    vector.iter().map(|value| u32::from(value.unsigned_abs()).pow(2)).sum()
}

fn sign_words(vector: &[i8]) -> impl Iterator<Item = u64> + '_ {
    let word = |values: &[i8]| (0..).zip(values).fold(0, |bits, (index, value)| bits | u64::from(*value > 0) << index);
    vector.chunks(64).map(word)
}

struct Dots<'q, S, T> {
    question: &'q [i16],
    stored: S,
    take: T,
}

impl<'a, S: Iterator<Item = StoredVector<'a>>, T: FnMut(i32, u32)> WithSimd for Dots<'_, S, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<V: Simd>(mut self, _: V) {
        let (question, question_rest) = self.question.as_chunks::<32>();
        for StoredVector { components, square } in self.stored {
            let (stored, stored_rest) = components.as_chunks::<32>();
            let mut sums = [0_i32; 16];
            for (q, s) in question.iter().zip(stored) {
                for lane in 0..16 {
                    // Two products of 8-bit numbers fit into 16 bits: none of a question is below -127.
                    let one = q[lane].wrapping_mul(i16::from(s[lane] as i8));
                    let two = q[lane + 16].wrapping_mul(i16::from(s[lane + 16] as i8));
                    sums[lane] += i32::from(one.wrapping_add(two));
                }
            }
            let mut dot: i32 = sums.iter().sum();
            for (q, s) in question_rest.iter().zip(stored_rest) {
                dot += i32::from(*q) * i32::from(*s as i8);
            }
            (self.take)(dot, square);
        }
    }
}

/// How far distances of signs are shifted, so that half of the dimension fits into 8 bits.
fn sign_shift(dimension: usize) -> u32 {
    (dimension / 2 / 256).checked_ilog2().map_or(0, |doublings| doublings + 1)
}

struct Distances<'a> {
    planes: &'a [(&'a [u64], u64)],
    count: usize,
    shift: u32,
    out: &'a mut Vec<u8>,
}

impl WithSimd for Distances<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<V: Simd>(self, _: V) {
        const BLOCK: usize = 512;
        for first in (0..self.count).step_by(BLOCK) {
            let size = BLOCK.min(self.count - first);
            let mut differ = [0_u64; BLOCK];
            for (plane, question) in self.planes {
                for (differ, word) in differ.iter_mut().zip(&plane[first..first + size]) {
                    *differ += u64::from((word ^ question).count_ones());
                }
            }
            self.out.extend(differ[..size].iter().map(|differ| (*differ >> self.shift).min(255) as u8));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosines_and_distances_are_those_of_plain_arithmetic() {
        for (dimension, shift) in
            [(8, 0), (64, 0), (100, 0), (128, 0), (256, 0), (300, 0), (768, 1), (1536, 2), (4096, 4)]
        {
            let vector = |seed: usize| -> Vec<i8> {
                (0..dimension).map(|i| (((i * 7919 + seed * 104_729) % 255) as i16 - 127) as i8).collect()
            };
            let question = vector(0);
            let stored: Vec<Vec<i8>> = (1..700).map(vector).collect();
            let mut vectors = Vectors::new(dimension);
            stored.iter().for_each(|vector| vectors.push(vector));
            let mut rest = Vec::new();
            vectors.write_rest(&mut rest);
            assert!(Vectors::read(&rest[1..], vectors.len(), dimension).is_none());
            let read = Vectors::read(&rest, vectors.len(), dimension).unwrap();
            let (bytes, end) = ([b"head", vectors.components(), b"tail"].concat(), 4 + vectors.components().len());
            let vectors = read.with_components(bytes, 4, end);

            let asked = QuestionVector::new(&question);
            let dot = |a: &[i8], b: &[i8]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
            let mut next = stored.iter();
            asked.cosines((0..vectors.len()).map(|index| vectors.get(index)), |found| {
                let other = next.next().unwrap();
                let expected = dot(&question, other) / (dot(&question, &question) * dot(other, other)).sqrt();
                assert!((f64::from(found) - expected.max(0.0)).abs() < 1e-6, "{found} {expected}");
            });
            let mut distances = Vec::new();
            vectors.sign_distances(&asked, &mut distances);
            for (other, distance) in stored.iter().zip(distances) {
                let differ = question.iter().zip(other).filter(|(a, b)| (**a > 0) != (**b > 0)).count();
                assert_eq!(usize::from(distance), (differ >> shift).min(255), "{dimension}");
            }
        }
    }
}
