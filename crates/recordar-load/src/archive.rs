//! Zip archives: single entries by name, never inflated beyond a limit.

use crate::loaded::Refused;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_with_limit};

const MAX_ENTRIES: usize = 10_000;
/// Text is not compressed better than this.
const MAX_RATIO: usize = 200;
/// Smaller entries may be: they cost nothing.
const SMALL_BYTES: usize = 1024 * 1024;

pub(crate) struct Archive<'a> {
    bytes: &'a [u8],
    entries: Vec<Entry<'a>>,
    /// Bytes that may still be inflated.
    left: usize,
}

struct Entry<'a> {
    name: &'a [u8],
    method: u16,
    is_encrypted: bool,
    packed: usize,
    header_at: usize,
}

impl<'a> Archive<'a> {
    pub(crate) fn open(bytes: &'a [u8], limit: usize) -> Result<Self, Refused> {
        let damaged = || Refused::damaged("it is not a complete zip archive");
        // The end of the directory is behind it, before a comment of at most 64 KiB.
        let first = bytes.len().saturating_sub(22 + 65_535);
        let end = bytes[first..].windows(4).rposition(|window| window == b"PK\x05\x06").ok_or_else(damaged)? + first;
        let count = usize::from(u16_at(bytes, end + 10).ok_or_else(damaged)?);
        let mut at = u32_at(bytes, end + 16).ok_or_else(damaged)? as usize;
        let mut entries = Vec::new();
        while entries.len() < count.min(MAX_ENTRIES) {
            let Some(entry) = Entry::read(bytes, &mut at) else { break };
            entries.push(entry);
        }
        if entries.is_empty() { Err(damaged()) } else { Ok(Self { bytes, entries, left: limit }) }
    }

    /// The bytes of an entry, or `None` if there is no such entry.
    pub(crate) fn read(&mut self, name: &str) -> Result<Option<Vec<u8>>, Refused> {
        let Some(entry) = self.entries.iter().find(|entry| entry.name == name.as_bytes()) else { return Ok(None) };
        if entry.is_encrypted {
            return Err(Refused::new(
                "encrypted",
                "it is encrypted",
                "save it without a password, and ingest that file",
            ));
        }
        let packed =
            entry.data(self.bytes).ok_or_else(|| Refused::damaged(format!("its part {name} is incomplete")))?;
        let bytes = match entry.method {
            0 => packed.to_vec(),
            8 => {
                let most = self.left.min(packed.len().saturating_mul(MAX_RATIO).max(SMALL_BYTES));
                decompress_to_vec_with_limit(packed, most).map_err(|error| match error.status {
                    TINFLStatus::HasMoreOutput => {
                        let what = format!("its part {name} unpacks to much more than a document has");
                        Refused::new("bomb", what, "check where it comes from; to read it, save it again in Word")
                    }
                    _ => Refused::damaged(format!("its part {name} cannot be unpacked")),
                })?
            }
            _ => return Err(Refused::damaged(format!("its part {name} is packed in an unknown way"))),
        };
        self.left = self.left.saturating_sub(bytes.len());
        Ok(Some(bytes))
    }
}

impl<'a> Entry<'a> {
    /// An entry of the central directory.
    fn read(bytes: &'a [u8], at: &mut usize) -> Option<Self> {
        let start = *at;
        if bytes.get(start..start.checked_add(4)?)? != b"PK\x01\x02" {
            return None;
        }
        let length = |offset: usize| u16_at(bytes, start + offset).map(usize::from);
        let name = bytes.get(start + 46..start + 46 + length(28)?)?;
        *at = start + 46 + length(28)? + length(30)? + length(32)?;
        Some(Self {
            name,
            method: u16_at(bytes, start + 10)?,
            is_encrypted: u16_at(bytes, start + 8)? & 1 == 1,
            packed: u32_at(bytes, start + 20)? as usize,
            header_at: u32_at(bytes, start + 42)? as usize,
        })
    }

    fn data(&self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let header = bytes.get(self.header_at..self.header_at.checked_add(30)?)?;
        if !header.starts_with(b"PK\x03\x04") {
            return None;
        }
        let start = self.header_at + 30 + usize::from(u16_at(header, 26)?) + usize::from(u16_at(header, 28)?);
        bytes.get(start..start.checked_add(self.packed)?)
    }
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?))
}
