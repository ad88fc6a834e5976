//! How a number is bounded: at least 8, no more than 8, 8 or more.

use super::line::Line;
use super::tokens::Kind;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bound {
    Exact,
    About,
    Least,
    More,
    Most,
    Less,
}

/// The words before a number that bound it; the longest that fits counts.
const BOUNDS: [(&str, Bound); 40] = [
    ("no less than", Bound::Least),
    ("not less than", Bound::Least),
    ("no fewer than", Bound::Least),
    ("not fewer than", Bound::Least),
    ("no earlier than", Bound::Least),
    ("not earlier than", Bound::Least),
    ("a minimum of", Bound::Least),
    ("minimum of", Bound::Least),
    ("at least", Bound::Least),
    ("not before", Bound::Least),
    ("not until", Bound::Least),
    ("no more than", Bound::Most),
    ("not more than", Bound::Most),
    ("no later than", Bound::Most),
    ("not later than", Bound::Most),
    ("must not exceed", Bound::Most),
    ("not exceed", Bound::Most),
    ("never exceed", Bound::Most),
    ("a maximum of", Bound::Most),
    ("maximum of", Bound::Most),
    ("not over", Bound::Most),
    ("at most", Bound::Most),
    ("up to", Bound::Most),
    ("limited to", Bound::Most),
    ("as many as", Bound::Most),
    ("more than", Bound::More),
    ("greater than", Bound::More),
    ("longer than", Bound::More),
    ("over", Bound::More),
    ("above", Bound::More),
    ("after", Bound::More),
    ("less than", Bound::Less),
    ("fewer than", Bound::Less),
    ("under", Bound::Less),
    ("below", Bound::Less),
    ("before", Bound::Less),
    ("about", Bound::About),
    ("around", Bound::About),
    ("approximately", Bound::About),
    ("roughly", Bound::About),
];

const BOUNDS_BEHIND: [(&str, Bound); 8] = [
    ("or more", Bound::Least),
    ("at least", Bound::Least),
    ("at minimum", Bound::Least),
    ("or less", Bound::Most),
    ("or fewer", Bound::Most),
    ("at most", Bound::Most),
    ("at maximum", Bound::Most),
    ("or earlier", Bound::Most),
];

/// "20 guests are allowed at most".
const MAX_BEHIND: usize = 7;

/// That much around a number is about the same.
const ABOUT: f64 = 0.15;
/// Where the words that bound a number begin, and how they bound it.
pub(super) fn bound_before(line: &Line<'_>, at: usize) -> (usize, Bound) {
    let known = BOUNDS.iter().filter_map(|(phrase, bound)| Some((line.ends_with(at, phrase)?, *bound)));
    let (start, bound) = known.min_by_key(|(start, _)| *start).unwrap_or((at, Bound::Exact));
    // "Goes up to 12" says where it ends.
    let is_going = matches!(line.word(start.wrapping_sub(1)), "goes" | "went" | "go" | "rises" | "rose" | "going");
    (start, if is_going { Bound::Exact } else { bound })
}

pub(super) fn bound_behind(line: &Line<'_>, at: usize) -> Option<(Bound, usize)> {
    // Behind what is counted: "20 guests at most".
    let ends = at + 2..at + MAX_BEHIND;
    let found = ends.flat_map(|end| BOUNDS_BEHIND.iter().map(move |(phrase, bound)| (end, phrase, *bound)));
    found.filter_map(|(end, phrase, bound)| line.ends_with(end, phrase).map(|start| (start, bound, end))).find_map(
        |(start, bound, end)| {
            let counts_follow = line.tokens.get(end).is_some_and(|next| matches!(next.kind, Kind::Number(_)));
            (start >= at && !counts_follow).then_some((bound, if start == at { end } else { at }))
        },
    )
}

pub(super) fn bounded(low: f64, high: f64, bound: Bound) -> (f64, f64) {
    match bound {
        Bound::Exact => (low, high),
        Bound::About => (low * (1.0 - ABOUT), high * (1.0 + ABOUT)),
        Bound::Least | Bound::More => (low, f64::INFINITY),
        Bound::Most | Bound::Less => (f64::NEG_INFINITY, high),
    }
}
