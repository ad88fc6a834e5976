//! The numbers of a sentence: how much of what, and which of several is meant.

use super::bounds::{Bound, bound_before, bound_behind, bounded};
use super::line::{Edge, Line};
use super::lists::{known, unit};
use super::tokens::Kind;

/// How much of what: from `low` to `high`, in the smallest unit of what is measured.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub(super) measure: Measure,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) bound: Bound,
    pub(super) is_revoked: bool,
    /// Stands before what it tells more about: a 30-second break.
    pub(super) is_attribute: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Measure {
    /// What a unit measures, and per what: `pressure`, `euro/night`.
    Unit(String),
    /// What is counted: the words behind the number, of which the last may be none of it.
    Count(Vec<String>),
    /// A time of day, or when something begins or ends.
    Clock(Edge),
    /// A number behind which nothing stands.
    Bare,
}

/// "Must not be more than 20".
const MAX_BEFORE: usize = 4;
const MINUTES_OF_HALF_A_DAY: f64 = 720.0;

/// Reads the amounts and the times of day.
pub(super) fn values(line: &mut Line<'_>) -> Vec<Value> {
    let mut found = Vec::new();
    for at in 0..line.tokens.len() {
        match line.tokens[at].kind {
            _ if line.used[at] => {}
            // An index: `pair[0]`.
            _ if line.word(at.wrapping_sub(1)) == "[" => line.take(at..at + 1),
            Kind::Number(_) | Kind::Clock(_) => value(line, at, &mut found),
            Kind::Word if matches!(line.word(at), "noon" | "midnight") && line.word(at.wrapping_sub(1)) != "every" => {
                let minute = if line.word(at) == "noon" { MINUTES_OF_HALF_A_DAY } else { 0.0 };
                line.take(at..at + 1);
                push_clock((minute, minute), Edge::At, Bound::Exact, &mut found);
            }
            _ => {}
        }
    }
    found
}

fn value(line: &mut Line<'_>, at: usize, found: &mut Vec<Value>) {
    let (mut start, mut bound) = bound_before(line, at);
    let before = line.word(start.wrapping_sub(1)).to_owned();
    // "Never holds more than 800" is at most 800.
    let denial = (start.saturating_sub(MAX_BEFORE)..start)
        .find(|at| matches!(line.word(*at), "not" | "never" | "cannot") || line.word(*at).ends_with("n't"));
    if let Some(denial) = denial.filter(|_| matches!(bound, Bound::More | Bound::Less)) {
        bound = if bound == Bound::More { Bound::Most } else { Bound::Least };
        line.take(denial..denial + 1);
    }
    if let Some((minute, end)) = clock(line, at, &before, bound) {
        let range = matches!(line.word(end), "to" | "-" | "–" | "until" | "till" | "and")
            .then(|| clock(line, end + 1, "to", Bound::Exact));
        let is_spelled =
            matches!(line.word(at.wrapping_sub(1)), "past" | "to") && line.word(at.wrapping_sub(2)) != "from";
        line.take(if is_spelled { start.saturating_sub(2)..end } else { start..end });
        let edge = match before.as_str() {
            "until" | "till" if !line.is_change => Edge::Until,
            "from" | "since" => Edge::From,
            _ => line.edge,
        };
        if let Some(Some((last, last_end))) = range.filter(|_| !line.is_change) {
            line.take(end..last_end);
            push_clock((minute, minute), Edge::From, bound, found);
            return push_clock((last, last), Edge::Until, bound, found);
        }
        let is_revoked = line.is_change && edge == Edge::From;
        push_clock((minute, minute), if is_revoked { line.edge } else { edge }, bound, found);
        if let Some(last) = found.last_mut() {
            last.is_revoked = is_revoked;
        }
        return;
    }
    let Some(low) = line.amount(at) else { return };
    let (mut high, mut end) = (low, at + 1);
    let (mut measure, mut factor) = (None, 1.0);
    if let Some((of, many)) = line
        .tokens
        .get(start.wrapping_sub(1))
        .and_then(|token| unit(&token.word))
        .filter(|unit| matches!(unit.0, "euro" | "dollar" | "pound"))
    {
        (measure, factor, start) = (Some(of.to_owned()), many, start - 1);
    }
    read_unit(line, &mut end, &mut measure, &mut factor);
    let is_revoked = line.is_change && line.word(start.wrapping_sub(1)) == "from";
    // "Two hours long": only of lengths does it say more.
    if measure.as_deref() == Some("time") && line.word(end) == "long" {
        line.take(end..end + 1);
    }
    let joins = matches!(line.word(end), "to" | "-" | "–") || before == "between" && line.word(end) == "and";
    let mut low_factor = factor;
    if joins
        && line.amount(end + 1).is_some_and(|last| last > low)
        && !is_revoked
        && let Some(last) = line.amount(end + 1)
    {
        (high, end) = (last, end + 2);
        let had = measure.is_some();
        read_unit(line, &mut end, &mut measure, &mut factor);
        low_factor = if had { low_factor } else { factor };
    }
    if let Some((behind, phrase_end)) = bound_behind(line, end) {
        (bound, end) = (behind, phrase_end);
    }
    line.take(start..end);
    // "Raised by 2 bar" does not say to how much.
    if line.is_change && before == "by" {
        return;
    }
    let is_attribute = line.word(at + 1) == "-" && line.tokens[at + 1].is_joined;
    let nouns = counted(line, end);
    let measure = match measure {
        Some(of) => Measure::Unit(of + &per(line, end)),
        None if nouns.is_empty() => number_of(line).map_or(Measure::Bare, |noun| Measure::Count(vec![noun])),
        None => Measure::Count(nouns),
    };
    let (low, high) = bounded(low * low_factor, high * factor, bound);
    found.push(Value { measure, low, high, bound, is_revoked, is_attribute });
}

/// The time of day at a token, and where it ends.
fn clock(line: &Line<'_>, at: usize, before: &str, bound: Bound) -> Option<(f64, usize)> {
    let next = line.word(at + 1).replace('.', "");
    let spelled = line.word(at.wrapping_sub(1));
    let shift = match (line.word(at.wrapping_sub(2)), spelled) {
        ("half", "past") => Some(30.0),
        ("quarter", "past") => Some(15.0),
        ("quarter", "to") => Some(-15.0),
        _ => None,
    };
    let half = match next.as_str() {
        "am" | "pm" => Some(next.as_str()),
        _ => None,
    };
    let (minute, is_plain) = match line.tokens.get(at)?.kind {
        Kind::Clock(minute) => (f64::from(minute), false),
        Kind::Number(hour) if (0.0..=24.0).contains(&hour) && hour.fract() == 0.0 => (hour * 60.0, true),
        Kind::Number(hour) if half.is_some() && hour < 13.0 => ((hour.trunc() + hour.fract() / 0.6) * 60.0, true),
        _ => return None,
    };
    let is_oclock = next == "o'clock";
    let is_word = |at: usize| line.tokens.get(at).is_some_and(|token| token.kind == Kind::Word && !token.is_stop);
    let is_followed = is_word(at + 1) && !known(&line.tokens[at + 1].key).is_weak || unit(&next).is_some();
    let is_at = matches!(before, "at" | "until" | "till" | "from" | "to")
        || matches!(bound, Bound::Less | Bound::More) && before == "at";
    let is_last = line.tokens.get(at + 1).is_none_or(|next| next.kind == Kind::Mark);
    let is_range = before != "from" || is_last || matches!(line.word(at + 1), "to" | "-" | "–" | "until" | "till");
    if is_plain
        && half.is_none()
        && !is_oclock
        && shift.is_none()
        && (!is_at || is_followed || !is_range || bound != Bound::Exact)
    {
        return None;
    }
    let minute = match half {
        Some("pm") if minute < MINUTES_OF_HALF_A_DAY => minute + MINUTES_OF_HALF_A_DAY,
        Some("am") if minute >= MINUTES_OF_HALF_A_DAY => minute - MINUTES_OF_HALF_A_DAY,
        _ => minute,
    };
    let minute = minute + shift.unwrap_or_default();
    Some((minute, at + 1 + usize::from(half.is_some() || is_oclock)))
}

fn push_clock(range: (f64, f64), edge: Edge, bound: Bound, found: &mut Vec<Value>) {
    let (low, high) = bounded(range.0, range.1, bound);
    let measure = Measure::Clock(edge);
    found.push(Value { measure, low, high, bound, is_revoked: false, is_attribute: false });
}

fn read_unit(line: &Line<'_>, end: &mut usize, measure: &mut Option<String>, factor: &mut f64) {
    let mut at = *end;
    // "A 30-second timeout".
    if line.word(at) == "-" && line.tokens[at].is_joined {
        at += 1;
    }
    let Some((of, many)) = unit(line.word(at)) else { return };
    (*measure, *factor) = (Some(of.to_owned()), many);
    *end = at + 1;
    while matches!(line.word(*end), "celsius" | "c" | "°") && of == "temperature" {
        *end += 1;
    }
}

/// "The number of members is 85."
fn number_of(line: &Line<'_>) -> Option<String> {
    let at = (2..line.tokens.len()).find(|at| line.ends_with(*at, "number of").is_some())?;
    line.tokens[at..].iter().find(|token| !token.is_stop).map(|token| token.key.clone())
}

/// What an amount is per: `/night`; nothing for most.
fn per(line: &mut Line<'_>, at: usize) -> String {
    let is_time = unit(line.word(at + 1)).is_some_and(|unit| matches!(unit.0, "time" | "months"));
    let is_per = match line.word(at) {
        "per" | "/" => true,
        "a" | "an" | "each" | "every" => is_time || line.word(at + 1) == "night",
        _ => false,
    };
    if !is_per {
        return String::new();
    }
    line.take(at..at + 2);
    format!("/{}", line.tokens.get(at + 1).map_or("", |token| token.key.as_str()))
}

/// What a number counts: the words behind it, up to one that is none.
fn counted(line: &mut Line<'_>, at: usize) -> Vec<String> {
    let is_noun = |at: &usize| {
        let token = &line.tokens[*at];
        token.kind == Kind::Word && !token.is_stop && !line.used[*at] && !known(&token.key).is_weak
    };
    let nouns: Vec<usize> = (at..line.tokens.len()).take(3).take_while(is_noun).collect();
    let mut keys: Vec<String> = nouns.iter().map(|at| line.tokens[*at].key.clone()).collect();
    let end = nouns.last().map_or(at, |last| last + 1);
    if !keys.is_empty() {
        let per = per(line, end);
        keys.iter_mut().for_each(|key| key.push_str(&per));
    }
    keys
}

impl Value {
    /// Whether both say how much of the same. Counts of the same things do, and times of day.
    pub(super) fn is_of_same(&self, other: &Self) -> bool {
        match (&self.measure, &other.measure) {
            (Measure::Count(own), Measure::Count(others)) => own.iter().any(|noun| others.contains(noun)),
            (own, others) => own == others,
        }
    }

    /// Whether both may hold.
    pub(super) fn agrees(&self, other: &Self) -> bool {
        let is_clock = matches!(self.measure, Measure::Clock(_));
        let size = [self.low, self.high]
            .into_iter()
            .filter(|end| end.is_finite())
            .fold(1e-3, |size: f64, end| size.max(end.abs()));
        let near = 1e-6 * size;
        let overlaps = self.low <= other.high + near && other.low <= self.high + near;
        // More than 3 is not 3.
        let touches = (self.low - other.high).abs() <= near
            && (self.bound == Bound::More || other.bound == Bound::Less)
            || (other.low - self.high).abs() <= near && (other.bound == Bound::More || self.bound == Bound::Less);
        let meets = overlaps && !touches;
        // Two bounds of the same kind are two rules.
        let is_most = |value: &Self| matches!(value.bound, Bound::Most | Bound::Less);
        if is_most(self) && is_most(other) && !is_clock {
            return (self.high - other.high).abs() <= near;
        }
        meets
    }

    /// Whether both are the least that is asked for, and differ.
    pub(super) fn are_other_least(&self, other: &Self) -> bool {
        let is_least = |value: &Self| matches!(value.bound, Bound::Least | Bound::More);
        is_least(self) && is_least(other) && (self.low - other.low).abs() > 1e-9
    }
}
