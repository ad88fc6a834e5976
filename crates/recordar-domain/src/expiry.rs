//! When something is to be forgotten: at a time, or after a duration.

use crate::invalid::Invalid;
use crate::time::Timestamp;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expiry {
    At(Timestamp),
    /// From when it is set.
    After {
        seconds: i64,
    },
}

/// The units of a duration, in seconds.
const UNITS: [(char, i64); 5] = [('s', 1), ('m', 60), ('h', 3600), ('d', 86_400), ('w', 604_800)];

impl Expiry {
    /// Parses a duration (`30d`, `12h`) or a time (`2026-12-31`).
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let trimmed = text.trim();
        let duration = trimmed.chars().last().and_then(|last| {
            let (unit, seconds) = UNITS.into_iter().find(|(unit, _)| *unit == last)?;
            let digits = trimmed.strip_suffix(unit)?;
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse::<i64>().ok().filter(|_| is_number)?.checked_mul(seconds)
        });
        if let Some(seconds) = duration {
            return Ok(Self::After { seconds });
        }
        Timestamp::parse(trimmed).map(Self::At).map_err(|_| {
            Invalid::new(
                format!("{text:?} is neither a time nor a duration"),
                "use a time such as 2026-12-31, or a duration such as 30d (units: s, m, h, d, w)",
            )
        })
    }

    /// The moment itself, if it is set now.
    pub fn at(self, now: Timestamp) -> Result<Timestamp, Invalid> {
        let end = match self {
            Self::At(time) => Some(time),
            Self::After { seconds } => seconds
                .checked_mul(1_000_000)
                .and_then(|micros| now.as_micros().checked_add(micros))
                .map(Timestamp::from_micros),
        };
        end.filter(|end| end.is_writable())
            .ok_or_else(|| Invalid::new("the duration is too long", "use a time before the year 10000"))
    }
}

impl fmt::Display for Expiry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::At(time) => write!(f, "{time}"),
            Self::After { seconds } => write!(f, "{seconds}s"),
        }
    }
}

impl Serialize for Expiry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Expiry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(|invalid| D::Error::custom(format!("{}: {}", invalid.what, invalid.remedy)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i20_retention_reads_times_and_durations() {
        let now = Timestamp::parse("2026-01-31T10:00:00Z").unwrap();
        for (given, end) in [
            ("30d", "2026-03-02T10:00:00Z"),
            (" 12h ", "2026-01-31T22:00:00Z"),
            ("90m", "2026-01-31T11:30:00Z"),
            ("2w", "2026-02-14T10:00:00Z"),
            ("0s", "2026-01-31T10:00:00Z"),
            ("2026-12-31", "2026-12-31T00:00:00Z"),
            ("2026-12-31T10:00:00+01:00", "2026-12-31T09:00:00Z"),
        ] {
            let expiry = Expiry::parse(given).unwrap();
            assert_eq!(expiry.at(now).unwrap().to_string(), end, "{given}");
            assert_eq!(Expiry::parse(&expiry.to_string()), Ok(expiry), "{given}");
        }
        for given in ["", "d", "-1d", "+1d", "1.5d", "30 d", "30x", "soon", "99999999999999999999d", "1dd", "小"] {
            assert!(Expiry::parse(given).unwrap_err().remedy.contains("30d"), "{given}");
        }
        for given in ["9999999999999d", "200000000000000s", "9223372036854775807s"] {
            assert!(Expiry::parse(given).map_or(true, |expiry| expiry.at(now).is_err()), "{given}");
        }
    }
}
