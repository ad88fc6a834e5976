//! The time that a question asks about: "in May 2023", "on 8 May 2023", "three weeks ago", "since Monday". English words, days in UTC.
//!
//! A time without a year is the last one before the question. Months and weekdays alone need a preposition: "may" and "march" are words, and
//! April is a name.

use super::each_word;
use crate::time::Timestamp;
use jiff::civil::Date;
use jiff::{Span, ToSpan};

/// A time that a question may name has no first or no last day: "since Monday", "before June".
const EVER_BEFORE: Timestamp = Timestamp::from_micros(i64::MIN);
const EVER_AFTER: Timestamp = Timestamp::from_micros(i64::MAX);

/// The first and the last moment that a question names, if any. "ago" and "last" count from `asked_at`. Without a beginning or an end, it
/// is the earliest or the latest moment that there is.
pub fn period(question: &str, asked_at: Timestamp) -> Option<(Timestamp, Timestamp)> {
    let mut words = Vec::new();
    each_word(&question.to_lowercase(), |word| words.push(word.replace('\u{2019}', "'")));
    let words: Vec<&str> = words.iter().map(|word| word.strip_suffix("'s").unwrap_or(word)).collect();
    let today = asked_at.date();
    let read = |at: usize| today.and_then(|today| between(&words[at..], today));
    if let Some((first, last)) = (0..words.len()).find_map(read) {
        return closed(first, last);
    }
    let (at, (first, last)) = find(&words, date)
        .or_else(|| find(&words, month_of_year))
        .or_else(|| find(&words, |words| day_of_month(words, today?)))
        .or_else(|| (1..words.len()).find_map(|at| Some((at, whole_year(&words[at - 1..=at])?))))
        .or_else(|| (1..words.len()).find_map(|at| Some((at, named(&words, at, today?)?))))
        .or_else(|| find(&words, |words| relative(words, today?)))?;
    let is_between = |word: &&&str| FILLERS.contains(*word) || matches!(**word, "last" | "this");
    let mut before = words[..at].iter().rev().filter(|word| !is_between(word)).copied();
    let (relation, unit) = (before.next().unwrap_or_default(), before.next().unwrap_or_default());
    // "The week before 8 May" ends there, and "by 8 May" is about that day.
    match (relation, days_of(unit)) {
        ("before", Some(days)) => {
            return closed(first.checked_sub(days.days()).ok()?, first.checked_sub(1.day()).ok()?);
        }
        ("after", Some(days)) => return closed(last.checked_add(1.day()).ok()?, last.checked_add(days.days()).ok()?),
        ("by", _) if first == last => return closed(first, last),
        _ => {}
    }
    match relation {
        "since" => Some((Timestamp::start_of(first)?, EVER_AFTER)),
        "after" => Some((Timestamp::start_of(last.checked_add(1.day()).ok()?)?, EVER_AFTER)),
        "before" => Some((EVER_BEFORE, Timestamp::start_of(first)?.just_before())),
        "until" | "till" | "by" => Some((EVER_BEFORE, closed(first, last)?.1)),
        _ => closed(first, last),
    }
}

/// The first day of the last weekend, week, month or year by the calendar, if a text names one. [`period`] is wider, since people who ask are not exact.
pub fn began(text: &str, said_at: Timestamp) -> Option<Timestamp> {
    let mut words = Vec::new();
    each_word(text, |word| words.push(word.to_lowercase()));
    let today = said_at.date()?;
    let at = words.windows(2).position(|pair| pair[0] == "last")?;
    // "The last week of August".
    let unit = words.get(at + 1).filter(|_| words.get(at + 2).is_none_or(|word| word != "of"))?.as_str();
    let monday = || last_weekday("monday", today, true).map(|(monday, _)| monday);
    let day = match unit {
        // Of a weekend that goes on, the one before.
        "weekend" => monday()?.checked_sub(2.days()).ok()?,
        "week" => monday()?.checked_sub(7.days()).ok()?,
        "month" => today.first_of_month().yesterday().ok()?.first_of_month(),
        "year" => today.first_of_year().yesterday().ok()?.first_of_year(),
        _ => return None,
    };
    Timestamp::start_of(day)
}

/// The one day that a text names which tells of what has happened: "born Friday", "since Saturday", "on the 30th of August". Nothing if it names several,
/// or may be about what is to come or did not happen.
pub fn told_day(text: &str, told_at: Timestamp) -> Option<Timestamp> {
    let mut words = Vec::new();
    each_word(text, |word| words.push(word.to_lowercase().replace('\u{2019}', "'")));
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let tells_of_the_past = has(&PASTS) || words.iter().any(|word| word.len() > 4 && word.ends_with("ed"));
    let is_doubtful = |word: &String| ["'ll", "n't"].iter().any(|ending| word.ends_with(ending));
    if !tells_of_the_past || has(&AHEAD) || words.iter().any(is_doubtful) {
        return None;
    }
    let is_day = |word: &String| is_weekday(word) || is_month(word) || ["yesterday", "today"].contains(&word.as_str());
    let days: Vec<usize> = (0..words.len()).filter(|at| is_day(&words[*at])).collect();
    let is_one =
        days.windows(2).all(|pair| is_weekday(&words[pair[0]]) && is_month(&words[pair[1]]) && pair[1] <= pair[0] + 4);
    // "Moved to Saturday", "booked for 3 March".
    let is_aimed_at =
        |at: &usize| words[at.saturating_sub(4)..*at].iter().any(|word| ["for", "to"].contains(&word.as_str()));
    if !is_one || days.len() > 2 || days.iter().any(is_aimed_at) {
        return None;
    }
    // What has lasted since a day began on that day.
    let on = text.to_lowercase().replace("since", "on");
    let is_one_day = |(from, to): &(Timestamp, Timestamp)| from.date().is_some() && from.date() == to.date();
    let day = match period(&on, told_at) {
        Some(named) => Some(named).filter(is_one_day)?.0,
        None => {
            let weekday = words.iter().find(|word| is_weekday(word))?;
            Timestamp::start_of(last_weekday(weekday, told_at.date()?, true)?.0)?
        }
    };
    // Without a year, a day that is long over is more likely the next one.
    let names_year = words.iter().any(|word| year(word).is_some());
    let is_near = Timestamp::start_of(told_at.date()?.checked_sub(LONG_OVER_DAYS.days()).ok()?)? <= day;
    (day <= told_at && (names_year || is_near)).then_some(day)
}

/// The days of a unit of time.
fn days_of(unit: &str) -> Option<i64> {
    match unit {
        "day" | "night" | "evening" => Some(1),
        "week" | "weekend" => Some(7),
        "month" => Some(31),
        _ => None,
    }
}

/// A period for people.
pub fn shown_period((from, to): (Timestamp, Timestamp)) -> String {
    match (from == EVER_BEFORE, to == EVER_AFTER) {
        (true, _) => format!("until {to}"),
        (_, true) => format!("since {from}"),
        _ => format!("from {from} to {to}"),
    }
}

type Days = (Date, Date);

fn closed(first: Date, last: Date) -> Option<(Timestamp, Timestamp)> {
    Some((Timestamp::start_of(first)?, Timestamp::start_of(last.checked_add(1.day()).ok()?)?.just_before()))
}

/// The first place where something can be read.
fn find(words: &[&str], read: impl Fn(&[&str]) -> Option<Days>) -> Option<(usize, Days)> {
    (0..words.len()).find_map(|at| Some((at, read(&words[at..])?)))
}

/// `between May and July 2023`, `from Monday to Wednesday`, `from 2019 until 2021`.
fn between(words: &[&str], today: Date) -> Option<Days> {
    const MAX_WORDS_BETWEEN: usize = 6;
    let joins: &[&str] = match *words.first()? {
        "between" => &["and"],
        "from" => &["to", "until", "till", "through"],
        _ => return None,
    };
    let near = words.len().min(MAX_WORDS_BETWEEN);
    let join = words[..near].iter().position(|word| joins.contains(word))?;
    let (from, to) = (&words[1..join], &words[join + 1..]);
    let (first, last) = end_point(to, today, None)?;
    let (start, _) = end_point(from, today, Some(last))?;
    (start <= last).then_some((start.min(first), last))
}

/// One end of a span, without a preposition. Of the beginning, the year may be that of the end.
fn end_point(words: &[&str], today: Date, end: Option<Date>) -> Option<Days> {
    let words = if words.first() == Some(&"the") { &words[1..] } else { words };
    let alone = || {
        let word = words.first()?;
        let latest = end.unwrap_or(today);
        let of_month = month(word).and_then(|month| last_month(month, latest));
        let of_week = || last_weekday(word, latest, true);
        let of_year = || {
            let first = Date::new(year(word)?, 1, 1).ok()?;
            Some((first, first.last_of_year()))
        };
        of_month.or_else(of_week).or_else(of_year)
    };
    date(words).or_else(|| month_of_year(words)).or_else(|| day_of_month(words, end.unwrap_or(today))).or_else(alone)
}

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

/// `8 May`, `May 8th`, `8th of May`: the last one.
fn day_of_month(words: &[&str], latest: Date) -> Option<Days> {
    let without_of: Vec<&str> = words.iter().copied().take(3).filter(|word| *word != "of").collect();
    let (one, two) = (*without_of.first()?, *without_of.get(1)?);
    let (month, day) = month(one).zip(day(two)).or_else(|| month(two).zip(day(one)))?;
    let in_year = |year: i16| Date::new(year, month, day).ok().filter(|date| *date <= latest);
    let date = in_year(latest.year()).or_else(|| in_year(latest.year().checked_sub(1)?))?;
    Some((date, date))
}

/// `in 2023`, `winter of 2023`. A number alone may be anything.
fn whole_year(words: &[&str]) -> Option<Days> {
    let first = BEFORE_YEARS.contains(&words[0]).then(|| Date::new(year(words[1])?, 1, 1).ok())??;
    Some((first, first.last_of_year()))
}

/// Words between a preposition and a name: "in the early summer".
const MAX_FILLERS: usize = 4;

/// `in October`, `last summer`, `on Tuesday`, `at the weekend`: names that need a word before them.
fn named(words: &[&str], at: usize, today: Date) -> Option<Days> {
    let word = words[at];
    let last = words[at - 1] == "last";
    // "This may be": only of names that are nothing else.
    let this = words[at - 1] == "this" && !AMBIGUOUS.contains(&word) && word != "weekend";
    let near = words[..at].iter().rev().take(MAX_FILLERS + 1);
    let before = near.copied().find(|word| !FILLERS.contains(word)).unwrap_or_default();
    if !last && !this && !PREPOSITIONS.contains(&before) {
        return None;
    }
    if let Some(number) = month(word) {
        // "In January and March".
        if let Some(["and" | "or", next]) = words.get(at + 1..at + 3)
            && let Some(next) = month(next)
        {
            let from_to = |one: i8, two: i8| {
                let (_, end) = last_month(two, today)?;
                Some((last_month(one, end)?.0, end))
            };
            // In either order; the shorter time begins later.
            return from_to(number, next).max(from_to(next, number));
        }
        let found = last_month(number, today)?;
        return if last && found.1 >= today { last_month(number, found.0.yesterday().ok()?) } else { Some(found) };
    }
    if let Some(season) = SEASONS.iter().position(|names| names.contains(&word)) {
        let found = last_season(season, today)?;
        return if last && found.1 >= today { last_season(season, found.0.yesterday().ok()?) } else { Some(found) };
    }
    if word == "weekend" && !last {
        let saturday = last_weekday("saturday", today, true)?.0;
        return Some((saturday, saturday.tomorrow().ok()?));
    }
    last_weekday(word, today, !last)
}

/// The last month of this number that has begun.
fn last_month(month: i8, latest: Date) -> Option<Days> {
    let year = if month <= latest.month() { latest.year() } else { latest.year().checked_sub(1)? };
    let first = Date::new(year, month, 1).ok()?;
    Some((first, first.last_of_month()))
}

/// The last season that has begun; 0 is spring.
fn last_season(season: usize, latest: Date) -> Option<Days> {
    let first = last_month(3 * season as i8 + 3, latest)?.0;
    Some((first, first.checked_add(2.months()).ok()?.last_of_month()))
}

/// The last day of this name, today or before today.
fn last_weekday(name: &str, today: Date, may_be_today: bool) -> Option<Days> {
    let weekday = WEEKDAYS.iter().position(|weekday| *weekday == name)? as i64;
    let today_is = i64::from(today.weekday().to_monday_zero_offset());
    let least = i64::from(!may_be_today);
    let day = today.checked_sub(((today_is - weekday - least).rem_euclid(7) + least).days()).ok()?;
    Some((day, day))
}

/// `two weeks ago`, `yesterday`, `last month`, `this week`, `the last three days`.
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
    if matches!(words, ["last" | "past", ..])
        && let Some((count, unit, _)) = counted(&words[1..])
    {
        let days = match unit {
            "day" => 1,
            "week" => 7,
            "month" => 30,
            _ => 365,
        };
        return Some((before((count * days).days())?, today));
    }
    let last = |days: i64| Some((before(days.days())?, before(1.day())?));
    let monday = || last_weekday("monday", today, true).map(|(monday, _)| monday);
    match (*words.first()?, words.get(1).copied().unwrap_or_default()) {
        ("yesterday", _) => last(1),
        ("today", _) | ("this", "morning" | "afternoon" | "evening") => Some((today, today)),
        ("last", "night") => Some((before(1.day())?, today)),
        ("last", "week") => last(14),
        ("last", "weekend") => last(9),
        ("last", "month") => last(60),
        ("last", "year") => last(730),
        ("past", "week") => Some((before(7.days())?, today)),
        ("past", "month") => Some((before(30.days())?, today)),
        ("past", "year") => Some((before(365.days())?, today)),
        ("this", "week") => Some((monday()?, monday()?.checked_add(6.days()).ok()?)),
        ("this", "month") => Some((today.first_of_month(), today.last_of_month())),
        ("this", "year") => Some((today.first_of_year(), today.last_of_year())),
        _ => None,
    }
}

/// A number, a unit, and the number of words they took.
fn counted<'a>(words: &[&'a str]) -> Option<(i64, &'a str, usize)> {
    let (count, at) = match words {
        ["a", "couple", "of", ..] => (2, 3),
        ["couple", "of", ..] => (2, 2),
        ["a", "few", ..] => (3, 2),
        ["few", ..] => (3, 1),
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

/// Whether a word in lower case is a month, as it is or in short.
pub fn is_month(word: &str) -> bool {
    month(word).is_some()
}

pub fn is_weekday(word: &str) -> bool {
    WEEKDAYS.contains(&word)
}

/// Words between a preposition and a time.
const FILLERS: [&str; 9] = ["the", "of", "early", "late", "mid", "end", "beginning", "start", "middle"];
const PREPOSITIONS: [&str; 9] = ["in", "on", "at", "during", "since", "until", "by", "before", "after"];
/// A day without a year is looked for so far back.
const LONG_OVER_DAYS: i64 = 180;
/// Words of what has happened, besides those that end in "ed".
const PASTS: [&str; 44] = [
    "since",
    "yesterday",
    "ago",
    "was",
    "were",
    "went",
    "had",
    "got",
    "left",
    "made",
    "born",
    "came",
    "took",
    "gave",
    "sold",
    "bought",
    "rang",
    "told",
    "broke",
    "lost",
    "found",
    "met",
    "began",
    "died",
    "sent",
    "won",
    "said",
    "did",
    "gone",
    "done",
    "been",
    "taken",
    "given",
    "fell",
    "felt",
    "wrote",
    "paid",
    "saw",
    "ran",
    "flew",
    "drove",
    "built",
    "taught",
    "quit",
];
/// Words of what is to come, of what comes again, of a time that only ends or begins on a day, of what is not so, and of days that are called otherwise.
const AHEAD: [&str; 23] = [
    "will", "going", "gonna", "getting", "moving", "next", "every", "each", "this", "other", "coming", "till", "until",
    "by", "before", "after", "from", "tomorrow", "not", "never", "easter", "palm", "good",
];
/// Months that are also other words.
const AMBIGUOUS: [&str; 3] = ["may", "march", "mar"];
const BEFORE_YEARS: [&str; 14] = [
    "in", "of", "during", "year", "since", "until", "by", "before", "after", "spring", "summer", "autumn", "fall",
    "winter",
];
/// From March on.
const SEASONS: [&[&str]; 4] = [&["spring"], &["summer"], &["autumn", "fall"], &["winter"]];
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

    fn check(question: &str, expected: Option<(&str, &str)>) {
        // A Sunday.
        let asked_at = Timestamp::parse("2026-11-15T12:00:00Z").unwrap();
        let day = |time: Timestamp| match time {
            EVER_BEFORE | EVER_AFTER => "…".to_owned(),
            _ => time.to_string()[..10].to_owned(),
        };
        let days = period(question, asked_at).map(|(from, to)| (day(from), day(to)));
        assert_eq!(days, expected.map(|(from, to)| (from.to_owned(), to.to_owned())), "{question}");
    }

    #[test]
    fn i44_what_is_told_names_a_day() {
        let check = |text: &str, expected: Option<&str>| {
            let day = told_day(text, Timestamp::parse("2026-11-15T12:00:00Z").unwrap());
            assert_eq!(day.map(|day| day.to_string()[..10].to_owned()).as_deref(), expected, "{text}");
        };
        check("He's here. Born Friday, 8 pounds 1.", Some("2026-11-13"));
        check("Bosun went in his sleep, Sunday night", Some("2026-11-15"));
        check("Since Saturday I'm in the annexe", Some("2026-11-14"));
        check("We carried the last box down on the 30th of August", Some("2026-08-30"));
        check("They rang yesterday.", Some("2026-11-14"));
        check("on 2025-03-02 we signed", Some("2025-03-02"));
        check("On Thursday, 22 October, at the prefecture, they made me French.", Some("2026-10-22"));
        for text in [
            "Since May we live here.",
            "Last week it was done, finally.",
            "The match is next Friday",
            "Yoga is on Mondays",
            "We're getting married on 12 June!",
            "The wedding is Saturday, 12 December 2026.",
            "It was moved to Saturday, 12 December 2026.",
            "I'm moving on Friday.",
            "They said they'll fix it by Friday.",
            "We stayed in Rome until Friday",
            "It was every other Friday",
            "Signed the contract! I start there on December 1.",
            "I booked the ferry for March 3.",
            "The sofa did not come today, it comes on Saturday.",
            "The exam was not on Monday but on Tuesday.",
            "We met Olaf on Friday and painted the shed on Sunday.",
            "The exam was moved to Friday",
            "She has lived with us since Easter Sunday",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn questions_name_times() {
        check("What did I do on May 8th, 2023?", Some(("2023-05-08", "2023-05-08")));
        check("the 8th of May 2023", Some(("2023-05-08", "2023-05-08")));
        check("log 2023-05-08", Some(("2023-05-08", "2023-05-08")));
        check("Who called in Sept 2023?", Some(("2023-09-01", "2023-09-30")));
        check("the winter of 2023", Some(("2023-01-01", "2023-12-31")));
        check("in December of 2024", Some(("2024-12-01", "2024-12-31")));
        check("two weeks ago", Some(("2026-10-29", "2026-11-04")));
        check("the week before August 3, 2023", Some(("2023-07-27", "2023-08-02")));
        check("the day after 8 May 2023", Some(("2023-05-09", "2023-05-09")));
        check("won by July 10, 2022", Some(("2022-07-10", "2022-07-10")));
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

    #[test]
    fn i21_times_near_the_question() {
        check("What did Ada say this week?", Some(("2026-11-09", "2026-11-15")));
        check("this month's bills", Some(("2026-11-01", "2026-11-30")));
        check("this year", Some(("2026-01-01", "2026-12-31")));
        check("what happened today", Some(("2026-11-15", "2026-11-15")));
        check("this morning", Some(("2026-11-15", "2026-11-15")));
        check("in the last three days", Some(("2026-11-12", "2026-11-15")));
        check("over the past few weeks", Some(("2026-10-25", "2026-11-15")));
        check("during the past month", Some(("2026-10-16", "2026-11-15")));
        check("on Tuesday", Some(("2026-11-10", "2026-11-10")));
        check("on Sunday", Some(("2026-11-15", "2026-11-15")));
        check("at the weekend", Some(("2026-11-14", "2026-11-15")));
        check("last night", Some(("2026-11-14", "2026-11-15")));
    }

    #[test]
    fn i21_times_without_a_year() {
        check("in October", Some(("2026-10-01", "2026-10-31")));
        check("in November", Some(("2026-11-01", "2026-11-30")));
        check("in December", Some(("2025-12-01", "2025-12-31")));
        check("last November", Some(("2025-11-01", "2025-11-30")));
        check("early in March", Some(("2026-03-01", "2026-03-31")));
        check("Where were we in May?", Some(("2026-05-01", "2026-05-31")));
        check("the 8th of May", Some(("2026-05-08", "2026-05-08")));
        check("on December 24", Some(("2025-12-24", "2025-12-24")));
        check("the novels I read in January and March", Some(("2026-01-01", "2026-03-31")));
        check("the novels I read in March and January", Some(("2026-01-01", "2026-03-31")));
        check("last summer", Some(("2026-06-01", "2026-08-31")));
        check("last winter", Some(("2025-12-01", "2026-02-28")));
        check("last autumn", Some(("2025-09-01", "2025-11-30")));
        check("in the fall", Some(("2026-09-01", "2026-11-30")));
        for question in [
            "This may be wrong",
            "What did April say?",
            "the march of the lamps",
            "Monday blues",
            "May has a dog",
            "fall asleep",
            "next week",
            "Anything to watch tonight, or this weekend?",
        ] {
            check(question, None);
        }
    }

    #[test]
    fn i21_times_that_are_open_or_have_two_ends() {
        check("before June", Some(("…", "2026-05-31")));
        check("since Monday", Some(("2026-11-09", "…")));
        check("after 2021", Some(("2022-01-01", "…")));
        check("until the end of March", Some(("…", "2026-03-31")));
        check("since last summer", Some(("2026-06-01", "…")));
        check("before 8 May 2023", Some(("…", "2023-05-07")));
        check("since yesterday", Some(("2026-11-14", "…")));
        check("between May and July 2023", Some(("2023-05-01", "2023-07-31")));
        check("between November 2022 and the 3rd of March 2023", Some(("2022-11-01", "2023-03-03")));
        check("between November and February 2023", Some(("2022-11-01", "2023-02-28")));
        check("from Monday to Wednesday", Some(("2026-11-09", "2026-11-11")));
        check("from 2019 until 2021", Some(("2019-01-01", "2021-12-31")));
        check("between Ada and Bob", None);
        check("a letter from Ada to Bob in May 2023", Some(("2023-05-01", "2023-05-31")));
        let shown = |question: &str| shown_period(period(question, Timestamp::from_micros(0)).unwrap());
        assert_eq!(shown("after 2021"), "since 2022-01-01T00:00:00Z");
        assert_eq!(shown("before 2021"), "until 2020-12-31T23:59:59.999999Z");
    }
}
