//! Operation ids: what makes a write repeatable. The same id twice is the same operation, done once.

use crate::{Digest, Invalid};
use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperationId(String);

impl OperationId {
    pub const MAX_BYTES: usize = 200;

    pub fn parse(id: &str) -> Result<Self, Invalid> {
        if id.is_empty() || id.len() > Self::MAX_BYTES || id.chars().any(|c| c.is_control() || c.is_whitespace()) {
            return Err(Invalid::new(
                format!("{id:?} is not an operation id"),
                "use 1 to 200 bytes without spaces or control characters, for example a UUID",
            ));
        }
        Ok(Self(id.to_owned()))
    }

    /// The id of one part of a larger operation. The part is named by a digest, so that the id stays short and
    /// holds nothing of the content.
    pub fn part(&self, name: &[u8]) -> Self {
        let digest = Digest::of(name).to_string();
        let kept = (0..=self.0.len().min(Self::MAX_BYTES - 17)).rfind(|&at| self.0.is_char_boundary(at)).unwrap_or(0);
        Self(format!("{}/{}", &self.0[..kept], &digest[..16]))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn digest(&self) -> Digest {
        Digest::of(&self.0)
    }
}

impl fmt::Display for OperationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
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
    }
}
