//! Points in time: 64-bit microseconds since 1970 in UTC, written as RFC 3339. The clock itself comes from outside.

use crate::invalid::Invalid;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// Parses RFC 3339 (`2026-01-31T09:30:00+01:00`), or a date or a date and time without an offset, taken as UTC.
    pub fn parse(text: &str) -> Result<Self, Invalid> {
        let trimmed = text.trim();
        let zoned = trimmed.parse::<jiff::Timestamp>();
        let local = || trimmed.parse::<jiff::civil::DateTime>()?.to_zoned(jiff::tz::TimeZone::UTC);
        zoned.or_else(|_| local().map(|zoned| zoned.timestamp())).map(|time| Self(time.as_microsecond())).map_err(
            |_: jiff::Error| {
                Invalid::new(
                    format!("{text:?} is not a valid time"),
                    "use ISO 8601, for example 2026-01-31 or 2026-01-31T09:30:00Z",
                )
            },
        )
    }

    /// Whether it is in the years that can be written as a date.
    pub fn is_writable(self) -> bool {
        jiff::Timestamp::from_microsecond(self.0).is_ok()
    }

    /// The day in UTC.
    pub(crate) fn date(self) -> Option<jiff::civil::Date> {
        Some(jiff::Timestamp::from_microsecond(self.0).ok()?.to_zoned(jiff::tz::TimeZone::UTC).date())
    }

    /// The first moment of a day in UTC.
    pub(crate) fn start_of(day: jiff::civil::Date) -> Option<Self> {
        Some(Self(day.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp().as_microsecond()))
    }

    pub(crate) fn just_before(self) -> Self {
        Self(self.0.saturating_sub(1))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_microsecond(self.0) {
            Ok(time) => write!(f, "{time}"),
            // Outside the years -9999 to 9999 there is no RFC 3339 form, so the number is shown.
            Err(_) => write!(f, "{}us", self.0),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(|invalid| D::Error::custom(format!("{}; {}", invalid.what, invalid.remedy)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, shown: &str) {
        assert_eq!(Timestamp::parse(text).unwrap().to_string(), shown, "{text}");
    }

    #[test]
    fn times_are_read_with_and_without_offset() {
        check("2026-01-31T09:30:00+01:00", "2026-01-31T08:30:00Z");
        check("2026-01-31T09:30:00.000001Z", "2026-01-31T09:30:00.000001Z");
        check("2026-01-31T09:30:00", "2026-01-31T09:30:00Z");
        check(" 2026-01-31 ", "2026-01-31T00:00:00Z");
        check("1969-12-31T23:59:59Z", "1969-12-31T23:59:59Z");
    }

    #[test]
    fn what_is_not_a_time_is_refused_with_an_example() {
        for text in ["", "yesterday", "2026-13-01", "31/01/2026"] {
            let refused = Timestamp::parse(text).unwrap_err();
            assert!(refused.remedy.contains("2026-01-31"), "{text}");
        }
    }
}
