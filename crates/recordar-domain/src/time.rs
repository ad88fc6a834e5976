//! Points in time: 64-bit microseconds since 1970 in UTC, written as RFC 3339. The clock itself comes from outside.

use crate::invalid::Invalid;
use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::temporal::Pieces;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);

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
        let time = zoned.or_else(|_: jiff::Error| local().map(|zoned| zoned.timestamp()));
        time.map(|time| Self(time.as_microsecond())).or_else(|_: jiff::Error| {
            Self::at_the_edge(trimmed).ok_or_else(|| {
                Invalid::new(
                    format!("{text:?} is not a valid time"),
                    "use ISO 8601, for example 2026-01-31 or 2026-01-31T09:30:00Z",
                )
            })
        })
    }

    /// The first and last days that can be written, which `jiff::Timestamp` leaves out for the sake of time zones.
    fn at_the_edge(text: &str) -> Option<Self> {
        let pieces = Pieces::parse(text).ok()?;
        let local = pieces.date().to_datetime(pieces.time().unwrap_or(Time::midnight()));
        let offset_s = pieces.to_numeric_offset().map_or(0, |offset| i64::from(offset.seconds()));
        let time = Self(Self::of_utc(local)?.0 - offset_s * 1_000_000);
        time.is_writable().then_some(time)
    }

    fn of_utc(time: DateTime) -> Option<Self> {
        i64::try_from(time.duration_since(EPOCH).as_micros()).ok().map(Self)
    }

    fn utc(self) -> Option<DateTime> {
        EPOCH.checked_add(SignedDuration::from_micros(self.0)).ok()
    }

    /// Its day, as it is written: `2026-01-31`.
    pub fn day(self) -> String {
        self.to_string().chars().take_while(|letter| *letter != 'T').collect()
    }

    /// Its day as people write it: `31 January 2026`.
    pub fn long_day(self) -> String {
        self.date().map_or_else(|| self.day(), |date| date.strftime("%-d %B %Y").to_string())
    }

    /// Whether it is in the years that can be written as a date.
    pub fn is_writable(self) -> bool {
        self.utc().is_some()
    }

    /// The day in UTC.
    pub(crate) fn date(self) -> Option<Date> {
        self.utc().map(DateTime::date)
    }

    /// The first moment of a day in UTC.
    pub(crate) fn start_of(day: Date) -> Option<Self> {
        Self::of_utc(day.to_datetime(Time::midnight()))
    }

    pub(crate) fn just_before(self) -> Self {
        Self(self.0.saturating_sub(1))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.utc() {
            Some(time) => write!(f, "{time}Z"),
            // Outside the years -9999 to 9999 there is no RFC 3339 form, so the number is shown.
            None => write!(f, "{}us", self.0),
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
    fn i19_7_the_last_day_that_can_be_written_is_a_date() {
        check("9999-12-31", "9999-12-31T00:00:00Z");
        check("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z");
        check("9999-12-31T23:59:59+02:00", "9999-12-31T21:59:59Z");
        check("-009999-01-01", "-009999-01-01T00:00:00Z");
        for beyond in ["9999-12-31T23:59:59-02:00", "10000-01-01", "-009999-01-01T00:00:00+01:00", "9999-12-32"] {
            assert!(Timestamp::parse(beyond).is_err(), "{beyond}");
        }
        for shown in ["2026-01-31T08:30:00Z", "9999-12-30T22:00:00Z", "1969-12-31T23:59:59.5Z"] {
            let time: jiff::Timestamp = shown.parse().unwrap();
            assert_eq!(Timestamp::from_micros(time.as_microsecond()).to_string(), time.to_string());
        }
        assert!(!Timestamp::from_micros(i64::MAX).is_writable());
    }

    #[test]
    fn what_is_not_a_time_is_refused_with_an_example() {
        for text in ["", "yesterday", "2026-13-01", "31/01/2026"] {
            let refused = Timestamp::parse(text).unwrap_err();
            assert!(refused.remedy.contains("2026-01-31"), "{text}");
        }
    }
}
