//! How a turn begins in plain text: the styles of transcripts, each read from one line (and a look at the line below).

use crate::speaker::{MARKS, is_messenger_name, is_name, is_nick, role};
use crate::stamp::Stamp;

/// How turns begin. Where two styles have as many turns, the earlier of these counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `[2024-01-31 10:15] Ada: text`, `31.12.23, 10:15 - Ada: text`, `10:15:02 From Ada to Everyone: text`
    Stamped,
    /// `[Ada] 10:15: text`; `Ada  10:15 AM` and `Speaker 1 (00:12):`, with the text below
    NameFirst,
    /// `**Ada:** text`
    Bold,
    /// `## User`, with the text below
    Heading,
    /// `<ada> text`
    Nick,
    /// `Ada: text`
    Plain,
}

impl Style {
    pub(super) const ALL: [Self; 6] =
        [Self::Stamped, Self::NameFirst, Self::Bold, Self::Heading, Self::Nick, Self::Plain];

    pub(super) fn has_times(self) -> bool {
        matches!(self, Self::Stamped | Self::NameFirst)
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Turn<'a> {
    pub(super) style: Style,
    pub(super) stamp: Option<(&'a str, Stamp)>,
    /// Nobody speaks in the notices that a messenger writes among the messages.
    pub(super) name: Option<&'a str>,
    pub(super) text: &'a str,
}

/// No time is written longer.
const MAX_STAMP_BYTES: usize = 48;

/// The turn that a line begins, if it begins one. `below` is the line after it.
pub(super) fn turn<'a>(line: &'a str, below: Option<&str>) -> Option<Turn<'a>> {
    if line.starts_with('#') {
        let name = line.trim_start_matches('#').trim().trim_matches('*').trim_end_matches(':');
        let is_role = role(name).is_some();
        return is_role.then_some(Turn { style: Style::Heading, stamp: None, name: Some(name), text: "" });
    }
    if let Some((stamp, rest)) = marked_stamp(line) {
        let said = nick(rest).or_else(|| bold(rest)).or_else(|| named(rest, is_messenger_name));
        let (name, text) = said.map_or((None, rest), |(name, text)| (Some(name), text));
        return Some(Turn { style: Style::Stamped, stamp: Some(stamp), name, text });
    }
    if let Some(turn) = bare_stamp(line) {
        return Some(turn);
    }
    if let Some((name, stamp, text)) = name_first(line) {
        // A list of songs and how long they are has nothing below a name and a time but the next.
        let is_said = || below.is_some_and(|below| !below.trim().is_empty() && name_first(below).is_none());
        let turn = Turn { style: Style::NameFirst, stamp: Some(stamp), name: Some(name), text };
        return (!text.is_empty() || is_said()).then_some(turn);
    }
    let styled = |style: Style| move |(name, text)| Turn { style, stamp: None, name: Some(name), text };
    let bold = bold(line).map(styled(Style::Bold));
    bold.or_else(|| nick(line).map(styled(Style::Nick))).or_else(|| named(line, is_name).map(styled(Style::Plain)))
}

/// Whether a text ends as a sentence does.
pub(super) fn ends_sentence(text: &str) -> bool {
    let is_after = |c: char| c.is_whitespace() || "\"'”’»)]*_".contains(c);
    text.trim_end_matches(is_after).ends_with(['.', '!', '?', '…', '。', '！', '？'])
}

/// `Ada: text`
pub(super) fn named(line: &str, is_name: fn(&str) -> bool) -> Option<(&str, &str)> {
    let (name, text) = at_colon(line)?;
    is_name(name).then_some((name.trim(), text))
}

/// The line before and after its first colon. `https://…`, `8:15` and `std::mem` have none that tells a name.
fn at_colon(line: &str) -> Option<(&str, &str)> {
    let (at, colon) = line.char_indices().find(|(_, c)| matches!(c, ':' | '：'))?;
    let text = &line[at + colon.len_utf8()..];
    let is_spaced = colon == '：' || text.is_empty() || text.starts_with(char::is_whitespace);
    is_spaced.then_some((&line[..at], text.trim_start()))
}

fn stamp(written: &str) -> Option<(&str, Stamp)> {
    let stamp = (written.len() <= MAX_STAMP_BYTES).then(|| Stamp::parse(written))??;
    Some((written, stamp))
}

/// A time in brackets, before a dash, or as ISO 8601 alone; and what follows it.
fn marked_stamp(line: &str) -> Option<((&str, Stamp), &str)> {
    let words = |count: usize| {
        let parts = line.match_indices(' ').nth(count - 1).map(|(at, _)| line.split_at(at));
        parts.filter(|(written, _)| written.as_bytes().get(4) == Some(&b'-'))
    };
    let candidates = [
        line.strip_prefix('[').and_then(|inner| inner.split_once(']')),
        line.strip_prefix('(').and_then(|inner| inner.split_once(')')),
        line.split_once(" - ").or_else(|| line.split_once(" – ")),
        words(2),
        words(1),
    ];
    let (stamp, rest) = candidates.into_iter().flatten().find_map(|(written, rest)| Some((stamp(written)?, rest)))?;
    let rest = rest.trim_start().trim_start_matches(MARKS);
    Some((stamp, rest.strip_prefix("- ").unwrap_or(rest)))
}

/// A time of day that nothing marks as one, and a turn that tells who speaks beyond doubt: an agenda has such times as well.
fn bare_stamp(line: &str) -> Option<Turn<'_>> {
    let (written, rest) = line.split_once([' ', '\t'])?;
    let stamp = stamp(written)?;
    let has_tab = line.as_bytes().get(written.len()) == Some(&b'\t');
    let has_seconds = written.matches(':').count() == 2;
    let rest = rest.trim_start();
    let (name, text) = addressed(rest).or_else(|| nick(rest)).or_else(|| match (has_tab, has_seconds) {
        (true, _) => named(rest, is_messenger_name),
        (false, true) => named(rest, is_name),
        (false, false) => None,
    })?;
    Some(Turn { style: Style::Stamped, stamp: Some(stamp), name: Some(name), text })
}

/// `From Ada to Everyone: text`, as in the chats of Zoom.
fn addressed(rest: &str) -> Option<(&str, &str)> {
    let spoken = [("From ", " to "), ("Von ", " an ")];
    let (from, to) = spoken.iter().find_map(|(from, to)| Some((rest.strip_prefix(from)?, to)))?;
    let (who, text) = at_colon(from)?;
    let name = who.split_once(to).map_or(who, |(name, _)| name).trim();
    (!name.is_empty() && name.chars().count() <= 80).then_some((name, text))
}

/// A name, a time, and the text if it is on the same line.
fn name_first(line: &str) -> Option<(&str, (&str, Stamp), &str)> {
    if let Some((name, rest)) = line.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
        let has_letters = name.contains(char::is_alphabetic) && is_messenger_name(name);
        let (written, text) = rest.split_once(": ").unwrap_or((rest.trim_end().trim_end_matches(':'), ""));
        return has_letters.then_some((name.trim(), stamp(written.trim())?, text.trim_start()));
    }
    let in_brackets = || {
        let (name, rest) = line.split_once(" (")?;
        let (written, rest) = rest.split_once(')')?;
        let text = rest.trim().strip_prefix(':').or_else(|| rest.trim().is_empty().then_some(""))?;
        Some((name, stamp(written)?, text.trim_start()))
    };
    let apart = || {
        let (name, written) = line.split_once("  ").or_else(|| line.split_once('\t'))?;
        Some((name, stamp(written.trim())?, ""))
    };
    let (name, stamp, text) = in_brackets().or_else(apart)?;
    (is_name(name) || is_nick(name)).then_some((name.trim(), stamp, text))
}

/// `**Ada:** text`, `**Ada**: text`
fn bold(line: &str) -> Option<(&str, &str)> {
    let (name, rest) = line.strip_prefix("**")?.split_once("**")?;
    let (name, text) = match name.trim_end().strip_suffix(':') {
        Some(name) => (name, rest),
        None => (name, rest.trim_start().strip_prefix(':')?),
    };
    is_name(name).then_some((name.trim(), text.trim_start()))
}

/// `<ada> text`, as in IRC; a sign before the name tells what its owner may do.
fn nick(line: &str) -> Option<(&str, &str)> {
    let (name, text) = line.strip_prefix('<')?.split_once("> ")?;
    let name = name.trim_start_matches(['@', '+', '%', '~', '&', ' ']);
    (is_nick(name) && !text.contains("</")).then_some((name, text.trim_start()))
}
