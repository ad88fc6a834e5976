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

/// The spaces that someone may use: one such as `user:ada`, those of a kind such as `user:*`, those that begin alike such as `user:team-*`, or
/// all, as `*`. Only the last character may be a star.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct SpacePattern {
    pattern: String,
    /// Whether it is the name of one space, even if that ends with a star.
    is_exact: bool,
}

impl SpacePattern {
    /// The pattern that matches every space.
    pub fn all() -> Self {
        Self { pattern: "*".to_owned(), is_exact: false }
    }

    /// The pattern that matches this space alone.
    pub fn exactly(space: &SpaceName) -> Self {
        Self { pattern: space.as_str().to_owned(), is_exact: true }
    }

    pub fn parse(pattern: &str) -> Result<Self, Invalid> {
        let refuse = |why: &str| {
            Err(Invalid::new(
                format!("{pattern:?} is not a valid pattern of spaces: {why}"),
                "use a space such as user:ada, a kind such as user:*, a prefix such as user:team-*, or * for all spaces",
            ))
        };
        let (fixed, has_star) = pattern.strip_suffix('*').map_or((pattern, false), |fixed| (fixed, true));
        if fixed.contains('*') {
            return refuse("only its last character may be a star");
        }
        if fixed.is_empty() && has_star {
            return Ok(Self::all());
        }
        // Some space must match: with a letter in place of the star, it is the name of one.
        let example = if has_star { format!("{fixed}x") } else { fixed.to_owned() };
        match SpaceName::parse(&example) {
            Ok(_) => Ok(Self { pattern: pattern.to_owned(), is_exact: !has_star }),
            Err(_) if !fixed.contains(':') => refuse("it has no colon"),
            Err(_) => refuse("no space can have such a name"),
        }
    }

    /// The one space that it matches, if it is the name of one.
    pub fn space(&self) -> Option<SpaceName> {
        self.is_exact.then(|| SpaceName(self.pattern.clone()))
    }

    pub fn matches(&self, space: &SpaceName) -> bool {
        match self.pattern.strip_suffix('*').filter(|_| !self.is_exact) {
            Some(prefix) => space.as_str().starts_with(prefix),
            None => self.pattern == space.as_str(),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.pattern
    }
}

impl fmt::Display for SpacePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.pattern)
    }
}

impl TryFrom<String> for SpacePattern {
    type Error = Invalid;

    fn try_from(pattern: String) -> Result<Self, Invalid> {
        Self::parse(&pattern)
    }
}

impl From<SpacePattern> for String {
    fn from(pattern: SpacePattern) -> Self {
        pattern.pattern
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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

    #[test]
    fn i25_keys_a_pattern_is_a_space_a_kind_a_prefix_or_all() {
        let check = |pattern: &str, matching: &[&str], others: &[&str]| {
            let pattern = SpacePattern::parse(pattern).unwrap();
            let is_matched = |name: &&str| pattern.matches(&SpaceName::parse(name).unwrap());
            assert!(matching.iter().all(&is_matched), "{pattern}: {matching:?}");
            assert!(!others.iter().any(&is_matched), "{pattern}: {others:?}");
        };
        check("user:ada", &["user:ada"], &["user:adam", "user:ad", "users:ada"]);
        check("user:*", &["user:ada", "user:*", "user:a:b"], &["users:ada", "project:user:ada"]);
        check("user:team-*", &["user:team-1", "user:team-"], &["user:team", "user:a-team-1"]);
        check("*", &["user:ada", "project:x"], &[]);
        for pattern in ["", "ada", "*:ada", "user:*a", "**", "user:**", "us*", "User:*", "user: *", "user:a\n*", ":*"] {
            let error = SpacePattern::parse(pattern).unwrap_err();
            assert!(error.remedy.contains("user:team-*"), "{pattern:?}: {error}");
        }
        let longest = format!("user:{}*", "a".repeat(249));
        assert!(SpacePattern::parse(&longest).is_ok() && SpacePattern::parse(&format!("a{longest}")).is_err());
        assert_eq!(serde_json::to_string(&SpacePattern::all()).unwrap(), "\"*\"");
        assert!(serde_json::from_str::<SpacePattern>("\"us*\"").is_err());
    }

    proptest! {
        #[test]
        fn i25_keys_a_pattern_matches_what_begins_with_it(kind in "[a-z0-9_-]{1,6}", name in "[^\\p{C}\\s*]{1,12}", cut in 0_usize..12, other in "\\PC{0,20}") {
            let space = SpaceName::parse(&format!("{kind}:{name}")).unwrap();
            let exact = SpacePattern::parse(space.as_str()).unwrap();
            prop_assert!(exact.matches(&space));
            let prefix: String = name.chars().take(cut).collect();
            let begins_alike = SpacePattern::parse(&format!("{kind}:{prefix}*")).unwrap();
            prop_assert!(begins_alike.matches(&space));
            let longer = SpaceName::parse(&format!("{space}x")).unwrap();
            prop_assert!(!exact.matches(&longer));
            // Whatever is accepted stays the same when it is written and read, and some space matches it.
            if let Ok(pattern) = SpacePattern::parse(&other) {
                prop_assert_eq!(SpacePattern::parse(pattern.as_str()).unwrap(), pattern);
            }
        }
    }
}
