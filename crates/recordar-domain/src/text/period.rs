//! The time that a question asks about: "in May 2023", "on 8 May 2023", "three weeks ago", "last Friday". English words,
//! days in UTC.

use super::each_word;
use crate::time::Timestamp;
use jiff::civil::Date;
use jiff::{Span, ToSpan};

/// The first and the last moment that a question names, if any. "ago" and "last" count from `asked_at`.
pub fn period(question: &str, asked_at: Timestamp) -> Option<(Timestamp, Timestamp)> {
    let mut words = Vec::new();
    each_word(&question.to_lowercase(), |word| words.push(word.to_owned()));
    let words: Vec<&str> = words.iter().map(|word| word.strip_suffix("'s").unwrap_or(word)).collect();
    let (first, last) = (0..words.len())
        .find_map(|at| date(&words[at..]))
        .or_else(|| (0..words.len()).find_map(|at| month_of_year(&words[at..])))
        .or_else(|| words.windows(2).find_map(whole_year))
        .or_else(|| {
            let today = asked_at.date()?;
            (0..words.len()).find_map(|at| relative(&words[at..], today))
        })?;
    Some((Timestamp::start_of(first)?, Timestamp::start_of(last.checked_add(1.day()).ok()?)?.just_before()))
}

type Days = (Date, Date);

/// `2023-05-08`, `May 8th, 2023`, `8 of May 2023`.
fn date(words: &[&str]) -> Option<Days> {
    let without_of: Vec<&str> = words.iter().copied().take(4).filter(|word| *word != "of").collect();
    let (one, two, three) = (*without_of.first()?, *without_of.get(1)?, *without_of.get(2)?);
    let parts = year(one)
        .zip(two.parse().ok().zip(three.parse().ok()))
        .or_else(|| year(three).zip(month(one).zip(day(two))))
        .or_else(|| year(three).zip(month(two).zip(day(one))));
    let (year, (month, day)) = parts?;
    let date = Date::new(year, month, day).ok()?;
    Some((date, date))
}

/// `May 2023`, `May of 2023`.
fn month_of_year(words: &[&str]) -> Option<Days> {
    let first = month(words.first()?)?;
    let next = if words.get(1) == Some(&"of") { words.get(2)? } else { words.get(1)? };
    let first = Date::new(year(next)?, first, 1).ok()?;
    Some((first, first.last_of_month()))
}

/// `in 2023`, `winter of 2023`. A number alone may be anything.
fn whole_year(words: &[&str]) -> Option<Days> {
    let first = BEFORE_YEARS.contains(&words[0]).then(|| Date::new(year(words[1])?, 1, 1).ok())??;
    Some((first, first.last_of_year()))
}

/// `two weeks ago`, `last Friday`, `yesterday`, `last month`.
fn relative(words: &[&str], today: Date) -> Option<Days> {
    let before = |span: Span| today.checked_sub(span).ok();
    if let Some((count, unit, after)) = counted(words)
        && words.get(after) == Some(&"ago")
    {
        // "A month ago" is seldom meant to the day.
        let (days, slack) = match unit {
            "day" => (1, 0),
            "week" => (7, 3),
            "month" => (30, 15),
            _ => (365, 180),
        };
        return Some((before((count * days + slack).days())?, before((count * days - slack).days())?));
    }
    let last = |days: i64| Some((before(days.days())?, before(1.day())?));
    match (*words.first()?, words.get(1).copied().unwrap_or_default()) {
        ("yesterday", _) => last(1),
        ("last", "week") => last(14),
        ("last", "weekend") => last(9),
        ("last", "month") => last(60),
        ("last", "year") => last(730),
        ("last", name) => {
            let weekday = WEEKDAYS.iter().position(|weekday| *weekday == name)? as i64;
            let today_is = i64::from(today.weekday().to_monday_zero_offset());
            let day = before(((today_is - weekday - 1).rem_euclid(7) + 1).days())?;
            Some((day, day))
        }
        _ => None,
    }
}

/// A number, a unit, and the number of words they took.
fn counted<'a>(words: &[&'a str]) -> Option<(i64, &'a str, usize)> {
    let (count, at) = match words {
        ["a", "couple", "of", ..] => (2, 3),
        ["a", "few", ..] => (3, 2),
        ["a" | "an", ..] => (1, 1),
        [word, ..] => {
            let spelled = NUMBERS.iter().position(|number| number == word).map(|index| index as i64 + 1);
            (spelled.or_else(|| word.parse().ok().filter(|count| (1..1000).contains(count)))?, 1)
        }
        [] => return None,
    };
    let unit = words.get(at)?;
    let unit = unit.strip_suffix('s').unwrap_or(unit);
    ["day", "week", "month", "year"].contains(&unit).then_some((count, unit, at + 1))
}

fn year(word: &str) -> Option<i16> {
    word.parse().ok().filter(|year| word.len() == 4 && (1900..2100).contains(year))
}

fn day(word: &str) -> Option<i8> {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word);
    digits.parse().ok().filter(|day| (1..=31).contains(day))
}

fn month(word: &str) -> Option<i8> {
    let is_meant = |name: &&str| {
        *name == word || (word.len() == 3 && name.starts_with(word)) || (word, *name) == ("sept", "september")
    };
    MONTHS.iter().position(is_meant).map(|index| index as i8 + 1)
}

const BEFORE_YEARS: [&str; 14] = [
    "in", "of", "during", "year", "since", "until", "by", "before", "after", "spring", "summer", "autumn", "fall",
    "winter",
];
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const WEEKDAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const NUMBERS: [&str; 12] =
    ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_name_times() {
        // A Sunday.
        let asked_at = Timestamp::parse("2026-11-15T12:00:00Z").unwrap();
        let check = |question: &str, expected: Option<(&str, &str)>| {
            let found = period(question, asked_at);
            let days = found.map(|(from, to)| (from.to_string()[..10].to_owned(), to.to_string()[..10].to_owned()));
            assert_eq!(days, expected.map(|(from, to)| (from.to_owned(), to.to_owned())), "{question}");
        };
        check("What did I do on May 8th, 2023?", Some(("2023-05-08", "2023-05-08")));
        check("the 8th of May 2023", Some(("2023-05-08", "2023-05-08")));
        check("log 2023-05-08", Some(("2023-05-08", "2023-05-08")));
        check("Who called in Sept 2023?", Some(("2023-09-01", "2023-09-30")));
        check("the winter of 2023", Some(("2023-01-01", "2023-12-31")));
        check("in December of 2024", Some(("2024-12-01", "2024-12-31")));
        check("two weeks ago", Some(("2026-10-29", "2026-11-04")));
        check("what was it a couple of days ago", Some(("2026-11-13", "2026-11-13")));
        check("last Friday's dinner", Some(("2026-11-13", "2026-11-13")));
        check("last Sunday", Some(("2026-11-08", "2026-11-08")));
        check("yesterday", Some(("2026-11-14", "2026-11-14")));
        check("last month", Some(("2026-09-16", "2026-11-14")));
        for question in
            ["", "May I come in?", "February 31 lamps", "12345", "999999 years ago", "the last lamp", "a week"]
        {
            check(question, None);
        }
        check("INV-2041", None);
        check("room 2030", None);
        check("31 February 2023", Some(("2023-02-01", "2023-02-28")));
    }
}
