//! One line of an IRC log: when, who, and what. Each line is read by itself.

use crate::speaker::is_nick;
pub(super) use jiff::civil::Date;
use jiff::civil::Time;
use recordar_domain::Timestamp;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Line<'a> {
    Said {
        moment: Moment,
        nick: &'a str,
        text: &'a str,
        is_action: bool,
    },
    /// Somebody came or went, or something else that nobody said.
    Event {
        moment: Option<Moment>,
        text: &'a str,
        reason: &'static str,
    },
    Day(Day),
    Closed,
    Blank,
    Other,
}

/// A line that names the day of those after it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Day {
    pub(super) date: Date,
    /// Written at midnight, and not only where the log begins.
    pub(super) is_change: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Moment {
    At(Timestamp),
    InYear { month: i8, day: i8, clock: Time },
    OfDay(Time),
}

const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/// What a client writes about somebody, in the place of what they do.
const EVENTS: [&str; 26] = [
    "has joined",
    "has left",
    "has quit",
    "is now known as",
    "sets mode",
    "set mode",
    "gives channel operator",
    "removes channel operator",
    "gives voice",
    "removes voice",
    "gives half-op",
    "has changed the topic",
    "changed the topic",
    "changes topic",
    "has kicked",
    "was kicked",
    "has been kicked",
    "sets ban",
    "removes ban",
    "sets the channel",
    "has set the channel",
    "removes the channel",
    "joined #",
    "left #",
    "quit (",
    "has changed mode",
];
/// What a client writes about itself or the channel.
const OPENINGS: [&str; 12] = [
    "Now talking",
    "Topic for",
    "Topic:",
    "Disconnected",
    "Connected",
    "You are now",
    "You have",
    "Channel ",
    "Joins:",
    "Parts:",
    "Quits:",
    "Set by",
];

pub(super) fn line(written: &str) -> Line<'_> {
    let written = written.trim_start_matches('\u{feff}').trim_end();
    if written.trim().is_empty() {
        return Line::Blank;
    }
    if let Some(header) = header(written) {
        return header;
    }
    let Some((moment, rest)) = stamp(written) else { return Line::Other };
    said(moment, rest)
}

/// `--- Log opened Sat Jan 31 10:15:02 2026`, `--- Day changed Sun Feb 01 2026`, `**** BEGIN LOGGING AT Sat Jan 31 10:15:02 2026`
fn header(written: &str) -> Option<Line<'_>> {
    let marked = written.strip_prefix("--- ").or_else(|| written.strip_prefix("**** "))?;
    let opened = marked.strip_prefix("Log opened ").or_else(|| marked.strip_prefix("BEGIN LOGGING AT "));
    let day = |text: &str, is_change| Some(Line::Day(Day { date: english_date(text)?, is_change }));
    match (opened, marked.strip_prefix("Day changed ").or_else(|| marked.strip_prefix("Day changed to "))) {
        (Some(text), _) => day(text, false),
        (_, Some(text)) => day(text.trim_start_matches("to "), true),
        _ if marked.starts_with("Log closed") || marked.starts_with("ENDING LOGGING") => Some(Line::Closed),
        _ => None,
    }
}

/// `Sat Jan 31 10:15:02 2026`, `Sun Feb 01 2026`, `2026-02-01`
fn english_date(text: &str) -> Option<Date> {
    if let Ok(date) = text.trim().parse::<Date>() {
        return Some(date);
    }
    let words: Vec<&str> = text.split_whitespace().take(8).collect();
    let at = words.iter().position(|word| month(word).is_some())?;
    let day = words.get(at + 1)?.trim_end_matches(',').parse::<i8>().ok()?;
    let year = words[at + 2..].iter().find_map(|word| word.parse::<i16>().ok().filter(|_| word.len() == 4))?;
    Date::new(year, month(words[at])?, day).ok()
}

fn month(word: &str) -> Option<i8> {
    let short = word.get(..3)?.to_ascii_lowercase();
    let is_word = word.len() == 3 || word.bytes().all(|byte| byte.is_ascii_alphabetic());
    MONTHS.iter().position(|month| *month == short && is_word).map(|at| at as i8 + 1)
}

/// The time at the beginning of a line, and what follows it.
fn stamp(written: &str) -> Option<(Moment, &str)> {
    let bracketed = [('[', ']'), ('(', ')')].into_iter().find_map(|(open, close)| {
        let (inner, rest) = written.strip_prefix(open)?.split_once(close)?;
        Some((moment(inner.trim())?, rest))
    });
    bracketed.or_else(|| {
        // As many words as a time may have; the longest that is one counts.
        let ends: Vec<usize> = written.match_indices([' ', '\t']).map(|(at, _)| at).take(4).collect();
        ends.into_iter().rev().find_map(|end| Some((moment(&written[..end])?, &written[end..])))
    })
}

fn moment(text: &str) -> Option<Moment> {
    if text.len() > 40 {
        return None;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        [one] if one.as_bytes().get(4) == Some(&b'-') && one.contains(':') => {
            Timestamp::parse(one).ok().map(Moment::At)
        }
        [one] => clock(one).map(Moment::OfDay),
        [date, time] if date.as_bytes().get(4) == Some(&b'-') => {
            clock(time.trim_end_matches('Z'))?;
            Timestamp::parse(&format!("{date}T{time}")).ok().map(Moment::At)
        }
        [time, half] if matches!(half.to_ascii_lowercase().as_str(), "am" | "pm") => {
            let clock = clock(time).filter(|clock| (1..=12).contains(&clock.hour()))?;
            let hour = clock.hour() % 12 + if half.eq_ignore_ascii_case("pm") { 12 } else { 0 };
            Time::new(hour, clock.minute(), clock.second(), 0).ok().map(Moment::OfDay)
        }
        [name, day, time] => {
            let day = day.parse::<i8>().ok().filter(|day| (1..=31).contains(day))?;
            Some(Moment::InYear { month: month(name)?, day, clock: clock(time)? })
        }
        _ => None,
    }
}

/// `10:15`, `10:15:02`
fn clock(text: &str) -> Option<Time> {
    let mut numbers = text.split(':').map(|digits| {
        let is_number = matches!(digits.len(), 1..=2) && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<i8>().ok().filter(|_| is_number)
    });
    let (hour, minute, second) = (numbers.next()??, numbers.next()??, numbers.next().unwrap_or(Some(0))?);
    let is_over = numbers.next().is_none();
    // A second is added to some days.
    Time::new(hour, minute, second.min(59), 0).ok().filter(|_| is_over && second <= 60)
}

fn said(moment: Moment, rest: &str) -> Line<'_> {
    // WeeChat separates its columns by tabs.
    if let Some((prefix, text)) = rest.strip_prefix('\t').and_then(|rest| rest.split_once('\t')) {
        let event = |reason| Line::Event { moment: Some(moment), text, reason };
        return match prefix.trim() {
            "-->" | "<--" => event("join_leave"),
            "--" | "=!=" | "" | "-" => event("notice"),
            "*" => action(moment, text),
            nick => speech(moment, nick, text),
        };
    }
    let rest = rest.trim_start();
    let event = |text, reason| Line::Event { moment: Some(moment), text, reason };
    if let Some(text) = ["-!- ", "*** "].into_iter().find_map(|mark| rest.strip_prefix(mark)) {
        return event(text, if is_joining(text) { "join_leave" } else { "notice" });
    }
    if let Some(text) = ["--> ", "<-- ", "→ ", "← "].into_iter().find_map(|mark| rest.strip_prefix(mark)) {
        return event(text, "join_leave");
    }
    if let Some(text) = rest.strip_prefix("-- ") {
        return event(text, "notice");
    }
    if let Some((nick, text)) = rest.strip_prefix('<').and_then(|inner| inner.split_once('>')) {
        let is_apart = text.is_empty() || text.starts_with([' ', '\t']);
        return if is_apart { speech(moment, nick, text.get(1..).unwrap_or_default()) } else { Line::Other };
    }
    if let Some(text) = rest.strip_prefix("* ").or_else(|| rest.strip_prefix("*\t")) {
        return action(moment, text);
    }
    // `-ChanServ- text`, `-ada:#rust- text`
    if let Some((nick, text)) = rest.strip_prefix('-').and_then(|inner| inner.split_once("- "))
        && is_nick(nick.split([':', '(']).next().unwrap_or_default())
    {
        return event(text, "notice");
    }
    Line::Other
}

/// A sign before a name says what its owner may do in the channel.
fn bare(nick: &str) -> &str {
    nick.trim().trim_start_matches(['@', '+', '%', '~', '&', '!', ' '])
}

fn is_plain_nick(nick: &str) -> bool {
    // Some names have one letter.
    is_nick(nick) || (nick.chars().count() == 1 && nick.contains(char::is_alphabetic))
}

fn speech<'a>(moment: Moment, nick: &'a str, text: &'a str) -> Line<'a> {
    let nick = bare(nick);
    if is_plain_nick(nick) { Line::Said { moment, nick, text, is_action: false } } else { Line::Other }
}

/// `ada waves`; HexChat and mIRC write joins in the same way.
fn action(moment: Moment, text: &str) -> Line<'_> {
    let text = text.trim_start();
    let event = |reason| Line::Event { moment: Some(moment), text, reason };
    if OPENINGS.iter().any(|opening| text.starts_with(opening)) {
        return event(if is_joining(text) { "join_leave" } else { "notice" });
    }
    let (nick, does) = text.split_once([' ', '\t']).unwrap_or((text, ""));
    // `ada (~ada@example.org) has joined`
    let (does, has_host) =
        match does.trim_start().strip_prefix(['(', '[']).and_then(|inner| inner.split_once([')', ']'])) {
            Some((host, rest)) if host.contains('@') => (rest.trim_start(), true),
            _ => (does.trim_start(), false),
        };
    if has_host || EVENTS.iter().any(|event| does.starts_with(event)) {
        return event(if is_joining(text) { "join_leave" } else { "notice" });
    }
    let nick = bare(nick);
    match is_plain_nick(nick) && !does.is_empty() {
        true => Line::Said { moment, nick, text: does, is_action: true },
        false => Line::Event { moment: Some(moment), text, reason: "notice" },
    }
}

fn is_joining(text: &str) -> bool {
    const WORDS: [&str; 8] = ["has joined", "has left", "has quit", "Joins:", "Parts:", "Quits:", "joined #", "quit ("];
    WORDS.iter().any(|word| text.contains(word))
}
