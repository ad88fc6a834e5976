//! Spaces: the unit of tenancy. Every row of the store belongs to one.

use crate::digest::Digest;
use crate::invalid::Invalid;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The name of a space, such as `user:ada` or `project:x`: a kind, a colon, and a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
pub struct SpaceName(String);

impl SpaceName {
    pub const MAX_BYTES: usize = 255;

    pub fn parse(name: &str) -> Result<Self, Invalid> {
        let refuse = |why: &str| {
            Err(Invalid::new(
                format!("{name:?} is not a valid space name: {why}"),
                "use a kind, a colon and a name, for example user:ada, shared:handbook or project:x",
            ))
        };
        let Some((kind, rest)) = name.split_once(':') else {
            return refuse("it has no colon");
        };
        if kind.is_empty()
            || !kind.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-')
        {
            return refuse("its kind, before the colon, must consist of lower-case letters, digits, - and _");
        }
        if rest.trim().is_empty() || rest.trim() != rest {
            return refuse("the colon must be followed by a name without spaces around it");
        }
        if name.len() > Self::MAX_BYTES {
            return refuse("it is longer than 255 bytes");
        }
        if name.chars().any(char::is_control) {
            return refuse("it contains a control character");
        }
        Ok(Self(name.to_owned()))
    }

    /// The space of a user: `user:{id}`.
    pub fn user(id: &str) -> Result<Self, Invalid> {
        Self::parse(&format!("user:{id}"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn digest(&self) -> Digest {
        Digest::of(&self.0)
    }
}

impl fmt::Display for SpaceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for SpaceName {
    type Error = Invalid;

    fn try_from(name: String) -> Result<Self, Invalid> {
        Self::parse(&name)
    }
}

impl From<SpaceName> for String {
    fn from(name: SpaceName) -> Self {
        name.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_a_kind_and_a_name() {
        for name in ["user:ada", "shared:hand book", "project:a:b", "user:日本", "x-1:'; DROP TABLE items; --"] {
            assert_eq!(SpaceName::parse(name).unwrap().as_str(), name);
        }
        for name in ["", "ada", ":ada", "user:", "user: ", "user: ada", "User:ada", "user:a\nb", "user:a\0"] {
            assert!(SpaceName::parse(name).is_err(), "{name:?}");
        }
        assert!(SpaceName::user(&"a".repeat(251)).is_err());
    }
}
