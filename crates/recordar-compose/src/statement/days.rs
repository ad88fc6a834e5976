//! The days of a sentence: dates, months, years and days of the week.

use super::bounds::{Bound, bound_before};
use super::line::{Edge, Line};
use super::tokens::Kind;

/// What is said of a day; nothing of what is not said.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Day {
    pub(super) year: Option<u16>,
    pub(super) month: Option<u8>,
    pub(super) day: Option<u8>,
    pub(super) weekday: Option<u8>,
    /// Each of them: "on Mondays".
    pub(super) is_repeated: bool,
    pub(super) edge: Option<Edge>,
    pub(super) in_subject: bool,
    pub(super) is_revoked: bool,
    at: usize,
}

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
const YEARS: std::ops::Range<f64> = 1000.0..2200.0;

/// Reads the days of a line. Parts that stand together are one day: Friday, 14 May 2026.
pub(super) fn days(line: &mut Line<'_>) -> Vec<Day> {
    let mut found: Vec<Day> = Vec::new();
    for at in 0..line.tokens.len() {
        if line.used[at] {
            continue;
        }
        let Some((mut day, range)) = part(line, at) else { continue };
        let (start, bound) = bound_before(line, range.start);
        let start = if line.word(start.wrapping_sub(1)) == "the" { start - 1 } else { start };
        day.edge = match (bound, line.word(start.wrapping_sub(1))) {
            (Bound::More, _) | (_, "from" | "since") => Some(Edge::From),
            (Bound::Less, _) | (_, "until" | "till") if !line.is_change => Some(Edge::Until),
            _ if line.edge == Edge::Until => Some(Edge::Until),
            _ => None,
        };
        (day.in_subject, day.at) = (at < line.verb, range.end);
        day.is_revoked = line.is_change && line.word(start.wrapping_sub(1)) == "from";
        if day.is_revoked {
            day.edge = None;
        }
        day.is_repeated |= matches!(line.word(start.wrapping_sub(1)), "every" | "each");
        line.take(start..range.end);
        let joins = |last: &&mut Day| {
            let gap = last.at..range.start;
            gap.len() <= 2 && gap.clone().all(|at| matches!(line.word(at), "," | "the" | "of" | "in" | "on"))
        };
        match found.last_mut().filter(joins).filter(|last| last.is_disjoint_in_parts(&day)) {
            Some(last) => {
                last.year = last.year.or(day.year);
                last.month = last.month.or(day.month);
                last.day = last.day.or(day.day);
                last.weekday = last.weekday.or(day.weekday);
                last.at = day.at;
            }
            None => found.push(day),
        }
    }
    found
}

/// What the tokens at a place say of a day.
fn part(line: &Line<'_>, at: usize) -> Option<(Day, std::ops::Range<usize>)> {
    let number = |at: usize| match line.tokens.get(at).map(|token| &token.kind) {
        Some(Kind::Number(value)) if value.fract() == 0.0 => Some(*value),
        _ => None,
    };
    let is_day = |value: &f64| (1.0..=31.0).contains(value);
    let token = &line.tokens[at];
    match token.kind {
        Kind::Date(year, month, day) => {
            Some((Day { year: Some(year), month: Some(month), day: Some(day), ..Day::default() }, at..at + 1))
        }
        Kind::Number(value) => {
            let mut end = at + 1;
            if matches!(line.word(end), "st" | "nd" | "rd" | "th") {
                end += 1;
            }
            let end = if line.word(end) == "of" { end + 1 } else { end };
            if is_day(&value)
                && let Some(month) = month(line, end)
            {
                return Some((Day { day: Some(value as u8), month: Some(month), ..Day::default() }, at..end + 1));
            }
            let before = line.word(at.wrapping_sub(1));
            let is_behind =
                matches!(before, "in" | "since" | "until" | "till" | "by" | "from" | "before" | "after" | "of")
                    || at > 0 && MONTHS.contains(&before)
                    || before == "," && line.used[at.saturating_sub(2)];
            let is_followed = line.tokens.get(at + 1).is_some_and(|next| {
                matches!(next.kind, Kind::Word) && !next.is_stop && super::lists::unit(&next.word).is_some()
                    || next.word == "%"
            });
            let is_year = YEARS.contains(&value) && value.fract() == 0.0 && token.word.len() == 4;
            (is_year && is_behind && !is_followed)
                .then(|| (Day { year: Some(value as u16), ..Day::default() }, at..at + 1))
        }
        Kind::Word => {
            if let Some(month) = month(line, at) {
                let day = number(at + 1).filter(is_day).filter(|_| {
                    !line.tokens.get(at + 2).is_some_and(|next| {
                        next.kind == Kind::Word
                            && !next.is_stop
                            && !matches!(next.word.as_str(), "th" | "st" | "nd" | "rd")
                    })
                });
                let mut end = at + 1 + usize::from(day.is_some());
                if day.is_some() && matches!(line.word(end), "th" | "st" | "nd" | "rd") {
                    end += 1;
                }
                return Some((Day { month: Some(month), day: day.map(|day| day as u8), ..Day::default() }, at..end));
            }
            let word = token.word.as_str();
            let singular = word.strip_suffix('s').unwrap_or(word);
            let place = WEEKDAYS.iter().position(|weekday| *weekday == singular)?;
            let is_repeated = singular.len() < word.len();
            Some((Day { weekday: Some(place as u8), is_repeated, ..Day::default() }, at..at + 1))
        }
        _ => None,
    }
}

fn month(line: &Line<'_>, at: usize) -> Option<u8> {
    let token = line.tokens.get(at).filter(|token| token.is_capital && token.kind == Kind::Word)?;
    let is_short = |month: &str| token.word.len() == 3 && month.starts_with(&token.word);
    let is_dated = [at.wrapping_sub(1), at + 1]
        .iter()
        .any(|at| line.tokens.get(*at).is_some_and(|token| matches!(token.kind, Kind::Number(_))));
    let place = MONTHS.iter().position(|month| *month == token.word || is_dated && is_short(month))?;
    // "May I" is no month, and "March on" is one only behind something.
    let is_verb = matches!(token.word.as_str(), "may" | "march" | "mar") && at == 0;
    (!is_verb).then_some(place as u8 + 1)
}

impl Day {
    fn is_disjoint_in_parts(&self, other: &Self) -> bool {
        (self.weekday.is_none() || other.weekday.is_none())
            && (self.month.is_none() || other.month.is_none())
            && (self.year.is_none() || other.year.is_none())
            && (self.day.is_none() || other.day.is_none())
            && self.is_revoked == other.is_revoked
    }

    /// Whether both may be the same day; nothing if they say nothing that could be compared.
    pub(super) fn agrees(&self, other: &Self) -> Option<bool> {
        fn part<T: PartialEq>(one: Option<T>, other: Option<T>) -> Option<bool> {
            Some(one? == other?)
        }
        let parts = [
            part(self.year, other.year),
            part(self.month, other.month),
            part(self.day, other.day).filter(|_| part(self.month, other.month) != Some(false)),
            part(self.weekday, other.weekday),
        ];
        parts.into_iter().flatten().reduce(|one, other| one && other).filter(|_| self.edge == other.edge)
    }
}
