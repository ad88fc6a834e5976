//! Operation ids make a write safe to repeat: the same id twice is the same operation, done once.

use crate::digest::{Digest, Hasher};
use crate::invalid::Invalid;
use std::fmt;

/// The id of an operation, or of one part of it, such as a file of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationId {
    id: String,
    whole: Option<Digest>,
}

impl OperationId {
    pub const MAX_BYTES: usize = 200;

    pub fn parse(id: &str) -> Result<Self, Invalid> {
        if id.is_empty() || id.len() > Self::MAX_BYTES || id.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(Invalid::new(
                format!("{id:?} is not a valid operation id"),
                "use 1 to 200 bytes without spaces or control characters, for example a UUID",
            ));
        }
        Ok(Self { id: id.to_owned(), whole: None })
    }

    /// The id of one part of a larger operation. The part is named by a digest, so that the id stays short and
    /// contains no content.
    pub fn part(&self, name: &[u8]) -> Self {
        let digest = Hasher::default().field(self.whole_digest().0).field(name).finish().to_string();
        let kept = (0..=self.id.len().min(Self::MAX_BYTES - 17)).rfind(|&at| self.id.is_char_boundary(at)).unwrap_or(0);
        Self { id: format!("{}/{}", &self.id[..kept], &digest[..16]), whole: Some(self.whole_digest()) }
    }

    /// The id of an operation that follows this one, and is done on its own.
    pub fn following(&self, name: &[u8]) -> Self {
        let Self { id, .. } = self.part(name);
        Self { id, whole: None }
    }

    pub fn as_str(&self) -> &str {
        &self.id
    }

    pub fn digest(&self) -> Digest {
        Digest::of(&self.id)
    }

    /// The digest of the operation that this is part of, or of this one itself.
    pub fn whole_digest(&self) -> Digest {
        self.whole.unwrap_or_else(|| self.digest())
    }

    pub fn is_part(&self) -> bool {
        self.whole.is_some()
    }
}

impl fmt::Display for OperationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_short_and_plain_and_parts_stay_ids() {
        for id in ["", "a b", "a\nb"] {
            assert!(OperationId::parse(id).is_err(), "{id:?}");
        }
        assert!(OperationId::parse(&"x".repeat(201)).is_err());
        let long = OperationId::parse(&"é".repeat(100)).unwrap();
        let part = long.part(b"/home/ada/notes.md");
        assert!(OperationId::parse(part.as_str()).is_ok());
        assert_ne!(part, long.part(b"/home/ada/other.md"));
        let other = OperationId::parse(&format!("{}è", "é".repeat(99))).unwrap();
        assert_ne!(part, other.part(b"/home/ada/notes.md"), "long ids differ in their parts, too");
    }
}
