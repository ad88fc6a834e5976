//! The times that transcripts write before a name: exact ones, dates whose first number may be the day or the month, and
//! times of day, which are no points in time. Without a zone they are taken as UTC, as everywhere.

use recordar_domain::Timestamp;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Stamp {
    At(Timestamp),
    /// Two numbers that are day and month, in an order that the whole file decides.
    Dated {
        first: u32,
        second: u32,
        year: u32,
        clock: (u32, u32, u32),
    },
    TimeOfDay,
}

/// Whether the day comes first, and how far that is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DayOrder {
    pub(super) is_day_first: bool,
    pub(super) is_certain: bool,
}

impl Stamp {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let spaced: String = text.trim().chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
        if spaced.as_bytes().get(4) == Some(&b'-')
            && let Ok(time) = Timestamp::parse(&spaced)
        {
            return Some(Self::At(time));
        }
        if clock(&spaced).is_some() {
            return Some(Self::TimeOfDay);
        }
        let (date, time) = spaced.split_once(',').or_else(|| spaced.split_once(' '))?;
        let clock = clock(time)?;
        let separator = date.chars().find(|c| !c.is_ascii_digit()).filter(|c| matches!(c, '.' | '/' | '-'))?;
        let mut numbers = date.trim().trim_end_matches('.').split(separator);
        let (a, b, c) = (numbers.next()?, numbers.next()?, numbers.next()?);
        let number = |digits: &str| digits.parse::<u32>().ok().filter(|_| digits.len() <= 4);
        match (a.len(), c.len(), numbers.next()) {
            (4, ..=2, None) => at(number(a)?, number(b)?, number(c)?, clock).map(Self::At),
            (1..=2, 2 | 4, None) => {
                let year = if c.len() == 2 { 2000 + number(c)? } else { number(c)? };
                let (first, second) = (number(a)?, number(b)?);
                let is_date = (1..=31).contains(&first) && (1..=31).contains(&second) && first.min(second) <= 12;
                is_date.then_some(Self::Dated { first, second, year, clock })
            }
            _ => None,
        }
    }

    /// The point in time; None for a time of day, or for a day that no calendar has.
    pub(super) fn time(self, order: DayOrder) -> Option<Timestamp> {
        match self {
            Self::At(time) => Some(time),
            Self::TimeOfDay => None,
            Self::Dated { first, second, year, clock } => {
                // A number above 12 tells for its own line, whatever the others say.
                let is_day_first = first > 12 || (order.is_day_first && second <= 12);
                let (day, month) = if is_day_first { (first, second) } else { (second, first) };
                at(year, month, day, clock)
            }
        }
    }
}

impl DayOrder {
    /// A number above 12 is a day; otherwise the order in which time does not run backwards; otherwise the day first.
    pub(super) fn of(stamps: &[Stamp]) -> Self {
        let pairs = || {
            stamps.iter().filter_map(|stamp| match stamp {
                Stamp::Dated { first, second, .. } => Some((*first, *second)),
                _ => None,
            })
        };
        let is_day_first = pairs().any(|(first, _)| first > 12);
        let is_month_first = pairs().any(|(_, second)| second > 12);
        if is_day_first != is_month_first {
            return Self { is_day_first, is_certain: true };
        }
        let runs_on = |is_day_first: bool| {
            stamps.iter().map(|stamp| stamp.time(Self { is_day_first, is_certain: false })).is_sorted()
        };
        let is_certain = pairs().all(|(first, second)| first == second) || runs_on(true) != runs_on(false);
        Self { is_day_first: runs_on(true) || !runs_on(false), is_certain: is_certain && !is_day_first }
    }
}

fn at(year: u32, month: u32, day: u32, (hour, minute, second): (u32, u32, u32)) -> Option<Timestamp> {
    Timestamp::parse(&format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")).ok()
}

/// `10:15`, `10:15:02`, `10:15 PM`.
fn clock(text: &str) -> Option<(u32, u32, u32)> {
    let lower = text.trim().to_ascii_lowercase().replace('.', "");
    let morning = lower.strip_suffix("am").map(|time| (time, 0));
    let half = morning.or_else(|| lower.strip_suffix("pm").map(|time| (time, 12)));
    let (time, afternoon) = half.map_or((lower.as_str(), None), |(time, hours)| (time.trim_end(), Some(hours)));
    let mut numbers = time.split(':').map(|digits| {
        let is_number = matches!(digits.len(), 1..=2) && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<u32>().ok().filter(|_| is_number)
    });
    let (hour, minute, second) = (numbers.next()??, numbers.next()??, numbers.next().unwrap_or(Some(0))?);
    let hour = match afternoon {
        Some(hours) if (1..=12).contains(&hour) => hour % 12 + hours,
        Some(_) => return None,
        None => hour,
    };
    (numbers.next().is_none() && hour < 24 && minute < 60 && second < 60).then_some((hour, minute, second))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(texts: &[&str]) -> (Vec<String>, DayOrder) {
        let stamps: Vec<Stamp> = texts.iter().map(|text| Stamp::parse(text).unwrap()).collect();
        let order = DayOrder::of(&stamps);
        let shown = |stamp: &Stamp| stamp.time(order).map_or("none".to_owned(), |time| time.to_string());
        (stamps.iter().map(shown).collect(), order)
    }

    #[test]
    fn import_transcript_times_are_read_as_written() {
        for (text, shown) in [
            ("2024-01-31 10:15", "2024-01-31T10:15:00Z"),
            ("2024-01-31T10:15:00.5+01:00", "2024-01-31T09:15:00.5Z"),
            ("2024/01/31, 10:15", "2024-01-31T10:15:00Z"),
            ("31.12.23, 10:15", "2023-12-31T10:15:00Z"),
            ("12/31/23, 10:15\u{202f}PM", "2023-12-31T22:15:00Z"),
            ("31/12/2023, 12:00:02 a.m.", "2023-12-31T00:00:02Z"),
            ("10:15", "none"),
            ("31.2.23, 10:15", "none"),
        ] {
            assert_eq!(times(&[text]).0, [shown], "{text}");
        }
        for text in [
            "",
            "13:75",
            "25:00",
            "1/2",
            "99/99/2023, 10:15",
            "chapter 1",
            "1.2.3",
            "13:00 PM",
            "+1:+2",
            "1/2/3/4, 10:15",
        ] {
            assert_eq!(Stamp::parse(text), None, "{text}");
        }
    }

    #[test]
    fn import_transcript_decides_day_and_month_from_the_whole_file() {
        let known = |is_day_first| DayOrder { is_day_first, is_certain: true };
        assert_eq!(times(&["1/2/24, 10:00", "13/2/24, 10:00"]).1, known(true));
        assert_eq!(times(&["1/2/24, 10:00", "2/13/24, 10:00"]).1, known(false));
        // As days of December and January they would run backwards.
        assert_eq!(times(&["1/12/24, 10:00", "2/1/24, 10:00"]).1, known(false));
        assert_eq!(times(&["3/3/24, 10:00"]).1, known(true));
        assert_eq!(times(&["1/2/24, 10:00", "2/3/24, 10:00"]).1, DayOrder { is_day_first: true, is_certain: false });
        assert!(!times(&["13/2/24, 10:00", "2/13/24, 10:00"]).1.is_certain);
    }
}
