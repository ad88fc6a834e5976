//! Reads the judge's own file (`scripts/pack-judge` says what is in it). Nothing is believed: dimensions have limits, the
//! length must be exactly what they make, and nothing is allocated before that is known.

use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::ops::Range;

const MAGIC: &[u8] = b"recojudg";
/// The numbers of a vector that are added in parallel. Sizes are multiples of it, so that no row has a remainder.
pub(crate) const LANES: usize = 16;

const HASH_BYTES: usize = 32;
const MAX_HEADER_BYTES: usize = 1 << 16;
const MAX_VOCABULARY: usize = 1 << 18;
const MAX_HIDDEN: usize = 1024;
const MAX_LAYERS: usize = 24;
const MAX_INTERMEDIATE: usize = 4096;
const MAX_POSITIONS: usize = 1024;
/// The classes of the entailment head.
pub(crate) const CLASSES: usize = 3;
/// The kinds of token: those of the first text, and those of the second.
pub(crate) const TYPES: usize = 2;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    pub(crate) name: String,
    pub(crate) recipe: String,
    pub(crate) vocab_bytes: usize,
    pub(crate) vocabulary: usize,
    pub(crate) hidden: usize,
    pub(crate) layers: usize,
    pub(crate) heads: usize,
    pub(crate) intermediate: usize,
    pub(crate) positions: usize,
    pub(crate) calibration: BTreeMap<String, f64>,
}

impl Header {
    /// The header of a file, and where its body is.
    pub(crate) fn read(bytes: &[u8]) -> Result<(Self, Range<usize>), String> {
        let rest = bytes.strip_prefix(MAGIC).ok_or("it is not a judge's file")?;
        let (length, rest) = rest.split_first_chunk().ok_or("it is cut")?;
        let length = u32::from_le_bytes(*length) as usize;
        if length > MAX_HEADER_BYTES {
            return Err(format!("its header claims {length} bytes; the limit is {MAX_HEADER_BYTES}"));
        }
        let (header, rest) = rest.split_at_checked(length).ok_or("it is cut in its header")?;
        let (body, _) = rest.split_last_chunk::<HASH_BYTES>().ok_or("it is cut")?;
        let header: Self =
            serde_json::from_slice(header).map_err(|error| format!("its header is damaged ({error})"))?;
        header.check(body.len())?;
        let end = bytes.len() - HASH_BYTES;
        Ok((header, end - body.len()..end))
    }

    fn check(&self, body: usize) -> Result<(), String> {
        let within = |name: &str, value: usize, limit: usize| match value {
            0 => Err(format!("its header says {name} 0")),
            value if value > limit => Err(format!("its header says {name} {value}; the limit is {limit}")),
            _ => Ok(()),
        };
        within("vocabulary", self.vocabulary, MAX_VOCABULARY)?;
        within("vocab_bytes", self.vocab_bytes, self.vocabulary * 256)?;
        within("hidden", self.hidden, MAX_HIDDEN)?;
        within("layers", self.layers, MAX_LAYERS)?;
        within("heads", self.heads, self.hidden)?;
        within("intermediate", self.intermediate, MAX_INTERMEDIATE)?;
        within("positions", self.positions, MAX_POSITIONS)?;
        if !self.hidden.is_multiple_of(self.heads * LANES) || !self.intermediate.is_multiple_of(LANES) {
            return Err(format!("the size of a head, and the intermediate size, must be multiples of {LANES}"));
        }
        if self.calibration.values().any(|number| !number.is_finite()) {
            return Err("a calibration number is not finite".to_owned());
        }
        let expected = self.body_bytes();
        if expected == body { Ok(()) } else { Err(format!("its content has {body} bytes instead of {expected}")) }
    }

    fn body_bytes(&self) -> usize {
        let rows = |rows: usize, columns: usize| rows * (columns + size_of::<f32>());
        let linear = |outputs: usize, inputs: usize| rows(outputs, inputs) + outputs * size_of::<f32>();
        let full = |numbers: usize| numbers * size_of::<f32>();
        let (hidden, intermediate) = (self.hidden, self.intermediate);
        let layer = linear(3 * hidden, hidden)
            + linear(hidden, hidden)
            + linear(intermediate, hidden)
            + linear(hidden, intermediate)
            + full(4 * hidden);
        self.vocab_bytes
            + rows(self.vocabulary, hidden)
            + rows(self.positions, hidden)
            + full((TYPES + 2) * hidden)
            + self.layers * layer
            + full((1 + CLASSES) * (hidden + 1))
    }
}

/// The sha256 that is stored at the end of a file, in hexadecimal digits.
pub(crate) fn stored_hash(bytes: &[u8]) -> String {
    bytes[bytes.len().saturating_sub(HASH_BYTES)..].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether the stored sha256 is that of all before it.
pub(crate) fn has_stored_hash(bytes: &[u8]) -> bool {
    let (content, stored) = bytes.split_at(bytes.len().saturating_sub(HASH_BYTES));
    Sha256::digest(content)[..] == *stored
}

/// Reads a body from its start to its end. Its length was checked against the header: what is missing reads as nothing.
pub(crate) struct Body<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Body<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// Where the next bytes are.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    pub(crate) fn take(&mut self, length: usize) -> &'a [u8] {
        let taken = self.bytes.get(self.position..).and_then(|rest| rest.get(..length)).unwrap_or_default();
        self.position += length;
        taken
    }

    pub(crate) fn numbers(&mut self, count: usize) -> Vec<f32> {
        let (numbers, _) = self.take(count * size_of::<f32>()).as_chunks();
        numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    }
}
