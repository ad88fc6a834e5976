//! The built-in embedders: every token has a fixed vector, and a text's vector is the sum of its tokens' vectors.
//!
//! The table is compiled into the program; `scripts/make-embedder` generates it. A text is split into words and each word,
//! separately, into tokens of the table's vocabulary, so that a word always has the same vector and is looked up once. All
//! sums are of integers: every machine gets the same vector.

use crate::name::EmbedderName;
use crate::quantise::quantised;
use pulp::{Arch, Simd, WithSimd};
use recordar_domain::text::each_word;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The components of a vector of the table.
const TABLE_DIMENSION: usize = 256;

static BYTES: &[u8] = include_bytes!("../assets/static-256.table");
static TABLE: LazyLock<Table> = LazyLock::new(|| Table::read(BYTES).unwrap_or_default());

/// Longer words are split into parts of this number of characters.
const MAX_WORD_CHARS: usize = 48;
/// The number of words in the cache before it is cleared.
const MAX_MEMO: usize = 1 << 16;
const MAX_MEMO_TOKENS: usize = 1 << 20;
/// Longer words are seldom seen twice.
const MAX_MEMO_BYTES: usize = 64;
/// The number of tokens that can be summed in 32 bits: a component is at most 127 × 255.
const MAX_SUMMED: usize = 1 << 16;

/// Makes vectors, and caches the tokens of words.
#[derive(Default)]
pub struct Embedder {
    name: EmbedderName,
    /// The words' ranges in `tokens`.
    memo: FxHashMap<Box<str>, (u32, u32)>,
    tokens: Vec<u32>,
    text_tokens: Vec<u32>,
}

impl Embedder {
    pub fn named(name: EmbedderName) -> Self {
        Self { name, ..Self::default() }
    }

    /// The vector of a text: its direction matters, its length does not. All zeros if the text has no words.
    pub fn embed(&mut self, text: &str) -> Vec<i8> {
        let mut text_tokens = std::mem::take(&mut self.text_tokens);
        text_tokens.clear();
        each_word(text, |word| {
            let (start, end) = self.tokens_of(word);
            text_tokens.extend_from_slice(&self.tokens[start as usize..end as usize]);
        });
        let vector = match self.name {
            EmbedderName::Static256 => embed_tokens::<256>(&text_tokens),
            EmbedderName::Static128 => embed_tokens::<128>(&text_tokens),
        };
        self.text_tokens = text_tokens;
        vector
    }

    /// The vector of a question, with a weight for each word.
    pub fn embed_weighted<'a>(&mut self, words: impl Iterator<Item = (&'a str, f64)>) -> Vec<i8> {
        match self.name {
            EmbedderName::Static256 => self.embed_weighted_in::<256>(words),
            EmbedderName::Static128 => self.embed_weighted_in::<128>(words),
        }
    }

    fn embed_weighted_in<'a, const D: usize>(&mut self, words: impl Iterator<Item = (&'a str, f64)>) -> Vec<i8> {
        let mut sums = [0.0_f64; D];
        for (word, weight) in words {
            let (start, end) = self.tokens_of(word);
            let part = sum::<D>(&self.tokens[start as usize..end as usize]);
            sums.iter_mut().zip(part).for_each(|(sum, part)| *sum += weight * f64::from(part));
        }
        quantised(&sums)
    }

    fn tokens_of(&mut self, word: &str) -> (u32, u32) {
        if let Some(range) = self.memo.get(word) {
            return *range;
        }
        if self.memo.len() >= MAX_MEMO || self.tokens.len() >= MAX_MEMO_TOKENS {
            self.memo.clear();
            self.tokens.clear();
        }
        let start = self.tokens.len() as u32;
        let mut rest = word;
        while !rest.is_empty() {
            let end = rest.char_indices().nth(MAX_WORD_CHARS).map_or(rest.len(), |(end, _)| end);
            TABLE.tokens(&rest[..end], &mut self.tokens);
            rest = &rest[end..];
        }
        let range = (start, self.tokens.len() as u32);
        if word.len() <= MAX_MEMO_BYTES {
            self.memo.insert(word.into(), range);
        }
        range
    }
}

fn embed_tokens<const D: usize>(tokens: &[u32]) -> Vec<i8> {
    let mut sums = [0_i64; D];
    for tokens in tokens.chunks(MAX_SUMMED) {
        sums.iter_mut().zip(sum::<D>(tokens)).for_each(|(sum, part)| *sum += i64::from(part));
    }
    quantised(&sums.map(|sum| sum as f64))
}

/// The sum of the first components of the tokens' vectors.
fn sum<const D: usize>(tokens: &[u32]) -> [i32; D] {
    Arch::new().dispatch(Sum { table: &TABLE, tokens })
}

/// What runs in `with_simd` is compiled for each kind of processor, provided that all of it is inlined there.
struct Sum<'a, const D: usize> {
    table: &'a Table,
    tokens: &'a [u32],
}

impl<const D: usize> WithSimd for Sum<'_, D> {
    type Output = [i32; D];

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> [i32; D] {
        let mut sums = [0_i32; D];
        for token in self.tokens {
            let weight = i16::from(self.table.weights[*token as usize]);
            let vector = &self.table.vectors[*token as usize * TABLE_DIMENSION..][..D];
            for (sum, value) in sums.iter_mut().zip(vector) {
                *sum += i32::from(weight * i16::from(*value as i8));
            }
        }
        sums
    }
}

#[derive(Default)]
struct Table {
    vocabulary: FxHashMap<&'static [u8], u32>,
    weights: &'static [u8],
    vectors: &'static [u8],
}

impl Table {
    fn read(bytes: &'static [u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(b"recotabl")?;
        let (head, rest) = rest.split_at_checked(8)?;
        let rows = u32::from_le_bytes(*head.first_chunk()?) as usize;
        let (lengths, rest) = rest.split_at_checked(rows)?;
        let (mut texts, rest) = rest.split_at_checked(lengths.iter().map(|length| *length as usize).sum())?;
        let (weights, vectors) = rest.split_at_checked(rows)?;
        let mut vocabulary = FxHashMap::with_capacity_and_hasher(rows, rustc_hash::FxBuildHasher);
        for (token, length) in (0..).zip(lengths) {
            let (text, after) = texts.split_at(*length as usize);
            vocabulary.insert(text, token);
            texts = after;
        }
        (vectors.len() == rows * TABLE_DIMENSION).then_some(Self { vocabulary, weights, vectors })
    }

    /// Splits a word into tokens: starting with its characters, the two neighbours whose union comes first in the vocabulary
    /// are merged, until no two can be. A character that is not a token is written as bytes.
    fn tokens(&self, word: &str, out: &mut Vec<u32>) {
        let spelled = format!("\u{2581}{word}");
        let mut ends: Vec<usize> = spelled.char_indices().map(|(start, c)| start + c.len_utf8()).collect();
        let piece = |start: usize, end: usize| self.vocabulary.get(&spelled.as_bytes()[start..end]).copied();
        let joint = |ends: &[usize], index: usize| {
            let start = if index == 0 { 0 } else { ends[index - 1] };
            ends.get(index + 1).and_then(|end| piece(start, *end)).unwrap_or(u32::MAX)
        };
        // The union of each piece with the next. A merge changes only its neighbours.
        let mut joints: Vec<u32> = (0..ends.len()).map(|index| joint(&ends, index)).collect();
        while let Some((index, token)) = joints.iter().enumerate().min_by_key(|(_, token)| **token)
            && *token != u32::MAX
        {
            ends.remove(index);
            joints.remove(index);
            joints[index] = joint(&ends, index);
            if index > 0 {
                joints[index - 1] = joint(&ends, index - 1);
            }
        }
        let mut start = 0;
        for end in ends {
            match piece(start, end) {
                Some(token) => out.push(token),
                None => out.extend(
                    spelled.as_bytes()[start..end]
                        .iter()
                        .filter_map(|byte| self.vocabulary.get(format!("<0x{byte:02X}>").as_bytes()).copied()),
                ),
            }
            start = end;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recordar_domain::Digest;

    fn similarity(name: EmbedderName, one: &str, other: &str) -> f64 {
        let mut embedder = Embedder::named(name);
        let (one, other) = (embedder.embed(one), embedder.embed(other));
        let dot = |a: &[i8], b: &[i8]| a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum::<f64>();
        dot(&one, &other) / (dot(&one, &one) * dot(&other, &other)).sqrt()
    }

    #[test]
    fn the_table_is_the_one_that_is_named() {
        let (head, vectors) = BYTES.split_at(BYTES.len() - TABLE.vectors.len());
        for name in EmbedderName::ALL {
            let used = vectors.chunks(TABLE_DIMENSION).flat_map(|vector| &vector[..name.dimension()]);
            let bytes: Vec<u8> = head.iter().chain(used).copied().collect();
            assert_eq!(Digest::of(bytes).to_string(), name.hash(), "{name:?}");
            assert_eq!(EmbedderName::parse(name.as_str()), Some(name));
        }
        assert_eq!(TABLE.weights.len(), 32_000);
    }

    #[test]
    fn words_are_cut_as_the_tables_own_tokenizer_does() {
        let check = |word: &str, expected: &[u32]| {
            let mut tokens = Vec::new();
            TABLE.tokens(word, &mut tokens);
            assert_eq!(tokens, expected, "{word}");
        };
        check("lighthouse", &[301, 18919, 1709]);
        check("Caroline", &[26980]);
        check("unbelievably", &[443, 6596, 10384, 2197]);
        check("PrP", &[1588, 29925]);
        check("2023", &[29871, 29906, 29900, 29906, 29941]);
        check("naïve", &[1055, 30085, 345]);
        check("火", &[29871, 31313]);
        check("don't", &[1016, 29915, 29873]);
        check("ABRACADABRA", &[319, 15176, 2477, 3035, 2882, 4717]);
    }

    #[test]
    fn meaning_is_nearer_than_letters() {
        let check = |text: &str, near: &str, far: &str| {
            for name in EmbedderName::ALL {
                let (near, far) = (similarity(name, text, near), similarity(name, text, far));
                assert!(near > far + 0.1, "{name:?}, {text}: {near}, {far}");
            }
        };
        check("The doctor treated the patient.", "A physician saw someone ill.", "The docks were painted.");
        check("car repair", "automobile maintenance", "carpet");
        assert!((similarity(EmbedderName::default(), "one thing", "one thing") - 1.0).abs() < 1e-9);
    }

    #[test]
    fn any_text_has_a_vector_and_the_same_one_every_time() {
        for name in EmbedderName::ALL {
            let mut embedder = Embedder::named(name);
            for text in [
                "",
                " \u{1F600} ",
                "灯台の火は毎晩ともる",
                &"x".repeat(100_000),
                &"lamp oil ".repeat(100_000),
                "İ\u{0}é",
            ] {
                let vector = embedder.embed(text);
                assert_eq!(vector.len(), name.dimension());
                assert_eq!(vector, Embedder::named(name).embed(text));
            }
            assert!(embedder.embed("...").iter().all(|value| *value == 0));
            assert!(embedder.embed("lamp").iter().any(|value| value.abs() == 127));
            let weighted = embedder.embed_weighted([("lamp", 2.0), ("oil", 1.0)].into_iter());
            assert_eq!(weighted.len(), name.dimension());
        }
    }
}
