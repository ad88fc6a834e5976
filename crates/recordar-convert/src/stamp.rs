//! The times that transcripts write before a name: exact ones, dates whose first number may be the day or the month, and
//! times of day or since the beginning, which are no points in time. Without a zone they are taken as UTC, as everywhere.

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
        /// Written as in the United States, where the month comes first: `1/31/24, 10:15 PM`. India and Britain write `pm`.
        is_american: bool,
    },
    /// A time of day, or since the beginning.
    Undated,
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
        let from = spaced.split_once(" --> ").map_or(spaced.as_str(), |(from, _)| from);
        if clock(&spaced).is_some() || is_offset(from) {
            return Some(Self::Undated);
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
                let is_american = separator == '/' && (time.ends_with("AM") || time.ends_with("PM"));
                is_date.then_some(Self::Dated { first, second, year, clock, is_american })
            }
            _ => None,
        }
    }

    /// The point in time; None for a time of day, or for a day that no calendar has.
    pub(super) fn time(self, order: DayOrder) -> Option<Timestamp> {
        match self {
            Self::At(time) => Some(time),
            Self::Undated => None,
            Self::Dated { first, second, year, clock, .. } => {
                // A number above 12 tells for its own line, whatever the others say.
                let is_day_first = first > 12 || (order.is_day_first && second <= 12);
                let (day, month) = if is_day_first { (first, second) } else { (second, first) };
                at(year, month, day, clock)
            }
        }
    }
}

impl DayOrder {
    /// A number above 12 is a day; otherwise the order in which time does not run backwards; otherwise what is customary
    /// where the clock is written so.
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
        let (runs_day_first, runs_month_first) = (runs_on(true), runs_on(false));
        let is_decided = runs_day_first != runs_month_first;
        let is_american = || stamps.iter().any(|stamp| matches!(stamp, Stamp::Dated { is_american: true, .. }));
        let is_same = pairs().all(|(first, second)| first == second);
        Self {
            is_day_first: if is_decided { runs_day_first } else { !is_american() },
            is_certain: (is_same || is_decided) && !is_day_first,
        }
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

/// `0:12`, `00:00:05.000`, `1:02:03,5`: how long after the beginning.
pub(super) fn is_offset(text: &str) -> bool {
    let is_digits =
        |text: &str, most: usize| (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    let parts: Vec<&str> = whole.split(':').collect();
    let is_below_60 = |part: &&str| part.parse::<u32>().is_ok_and(|number| number < 60);
    // Hours may be more than a day has; two numbers are minutes and seconds.
    let bounded = parts.len().saturating_sub(2);
    matches!(parts.len(), 2 | 3)
        && parts.iter().all(|part| is_digits(part, 2))
        && parts[bounded..].iter().all(is_below_60)
        && is_digits(fraction, 9)
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
            ("59:59", "none"),
            ("27:00:01.5", "none"),
            ("00:01.000 --> 00:02.000", "none"),
            ("31.2.23, 10:15", "none"),
        ] {
            assert_eq!(times(&[text]).0, [shown], "{text}");
        }
        for text in [
            "",
            "13:75",
            "60:00",
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
        // Nothing tells but the clock, which is American where its half of the day is in capitals.
        let guessed = |is_day_first| DayOrder { is_day_first, is_certain: false };
        assert_eq!(times(&["1/2/24, 10:00 PM", "2/3/24, 10:00\u{202f}AM"]).1, guessed(false));
        assert_eq!(times(&["01/02/2024, 10:00 pm", "02/03/2024, 10:00 am"]).1, guessed(true));
        assert_eq!(times(&["13/2/24, 10:00 PM", "2/3/24, 10:00 AM"]).1, known(true));
        assert_eq!(times(&["1/12/24, 10:00 PM", "12/12/24, 10:00 AM", "1/1/25, 10:00 AM"]).1, guessed(false));
        assert!(!times(&["13/2/24, 10:00", "2/13/24, 10:00"]).1.is_certain);
    }
}
