//! Plain transcripts: lines that begin with a speaker, in one of the styles of `turn`, and lines that continue the
//! text; subtitles are read in their own file.
//!
//! The style of most turns is the style of the file; a line of another style is part of someone's text. Apart
//! from that and from code blocks, a line is a turn or not regardless of the others: names are not counted, so that a longer
//! transcript is read as the shorter one was.

use crate::gather::{Draft, Gathering};
use crate::speaker::{MARKS, is_header, role, who};
use crate::stamp::{DayOrder, Stamp};
use crate::subtitles;
use crate::turn::{Style, Turn, ends_sentence, turn};
use recordar_domain::{Invalid, Role};
use std::collections::BTreeSet;

type Line<'a> = (&'a str, Option<Turn<'a>>);

const MIN_TURNS: usize = 2;
/// Maximum lines per turn of people, in a file that is not declared a transcript.
const LINES_A_TURN: usize = 8;

/// Whether a file that is not declared a transcript is one.
pub(super) fn is_one(text: &str) -> bool {
    let lines = lines(text);
    subtitles::is_one(text) || style(&lines).is_some_and(|style| is_talk(&lines, style))
}

pub(super) fn read(gathering: &mut Gathering<'_>, text: &str, file: &str) -> Result<(), Invalid> {
    if subtitles::is_one(text) {
        return subtitles::read(gathering, text, file);
    }
    let lines = lines(text);
    let Some(style) = style(&lines) else {
        let remedy = gathering.format().remedy();
        return Err(Invalid::new(format!("{file} has fewer than {MIN_TURNS} lines that name a speaker"), remedy));
    };
    let first = lines.iter().position(|(_, turn)| turn.is_some_and(|turn| turn.style == style)).unwrap_or(0);
    let (before, said) = lines.split_at(first);
    let heading = before.iter().find_map(|(line, _)| line.strip_prefix('#'));
    let place = gathering.open(None, Some(file), heading.map(|title| title.trim_matches(['#', ' '])));
    let others = before.iter().filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#')).count();
    let thread = format!("transcript:{file}");
    if others > 0 {
        gathering.leave_out(&thread, "before_first_turn", format!("{others} lines before the first turn"));
    }
    let order = day_order(gathering, &thread, &turns(said, style).collect::<Vec<_>>());
    for (index, turn) in said.iter().enumerate().filter_map(|(index, (_, turn))| Some((index, (*turn)?))) {
        if turn.style != style {
            continue;
        }
        let further = said[index + 1..].iter().take_while(|(_, next)| next.is_none_or(|next| next.style != style));
        let mut text = turn.text.to_owned();
        for (line, _) in further {
            text.push('\n');
            text.push_str(line);
        }
        let text = text.trim().trim_end_matches("\n---").trim_end();
        match turn.name {
            Some(_) if is_omitted(text) => gathering.leave_out(&thread, "no_text", format!("{text} in {file}")),
            Some(_) if turn.style == Style::Stamped && is_notice(text) => {
                gathering.leave_out(&thread, "no_speaker", text.trim_start_matches(MARKS));
            }
            Some(name) => gathering.add(place, draft(turn, name, text, order)),
            None => gathering.leave_out(&thread, "no_speaker", text),
        }
    }
    Ok(())
}

/// Whether the day comes before the month; uncertain times are reported.
fn day_order(gathering: &mut Gathering<'_>, thread: &str, turns: &[Turn<'_>]) -> DayOrder {
    let stamps: Vec<Stamp> = turns.iter().filter_map(|turn| Some(turn.stamp?.1)).collect();
    let order = DayOrder::of(&stamps);
    if !order.is_certain {
        let read = if order.is_day_first { "day/month" } else { "month/day" };
        let detail = format!("all turns are kept; dates are ambiguous and were read as {read}");
        gathering.leave_out(thread, "date_order", detail);
    }
    let undated = stamps.iter().filter(|stamp| **stamp == Stamp::Undated).count();
    if undated > 0 {
        let detail = format!("{undated} turns are kept without a time, because their times have no date");
        gathering.leave_out(thread, "no_date", detail);
    }
    order
}

fn draft(turn: Turn<'_>, name: &str, text: &str, order: DayOrder) -> Draft {
    let (role, speaker) = who(name);
    let time = turn.stamp.and_then(|(written, stamp)| match stamp {
        Stamp::Undated => None,
        stamp => Some(stamp.time(order).ok_or_else(|| written.to_owned())),
    });
    // The id uses the stamp as written: a longer file may show that its day and month are swapped.
    let stamp = turn.stamp.map(|(written, _)| written.to_owned());
    let speaker = speaker.map(str::to_owned);
    Draft { text: text.to_owned(), role, speaker, time, stamp, ..Draft::default() }
}

/// The lines, each with the turn it may begin. In a code block no turn begins, except with a time.
fn lines(text: &str) -> Vec<Line<'_>> {
    let fences = |line: &str| line.matches("```").count() % 2;
    let mut fences_ahead: usize = text.lines().map(fences).sum();
    let mut is_code = false;
    let mut lines = text.lines().map(|line| line.trim_start_matches(MARKS)).peekable();
    let mut read = Vec::new();
    while let Some(line) = lines.next() {
        let turn = turn(line, lines.peek().copied()).filter(|turn| !is_code || turn.style.has_times());
        // A last fence that is never closed does not count.
        if fences(line) == 1 {
            is_code = !is_code && fences_ahead > 1;
            fences_ahead -= 1;
        }
        read.push((line, turn));
    }
    read
}

fn turns<'a>(lines: &[Line<'a>], style: Style) -> impl Iterator<Item = Turn<'a>> {
    lines.iter().filter_map(move |(_, turn)| turn.filter(|turn| turn.style == style))
}

fn style(lines: &[Line<'_>]) -> Option<Style> {
    let counts = Style::ALL.map(|style| (turns(lines, style).filter(|turn| turn.name.is_some()).count(), style));
    let most = counts.iter().map(|(count, _)| *count).max().filter(|most| *most >= MIN_TURNS)?;
    counts.iter().find(|(count, _)| *count == most).map(|(_, style)| *style)
}

/// Tells people who talk from a list of labels and values (`Name: Foo`, `Version: 1`). Labels that headers are made of do
/// not count; of the others there has to be an assistant, or two of whom one speaks again, or most end as sentences do. A
/// manual has such lines as well, but far between.
fn is_talk(lines: &[Line<'_>], style: Style) -> bool {
    let all = || turns(lines, style).filter_map(|turn| Some((turn.name?, turn.text)));
    let talk: Vec<(&str, &str)> = all().filter(|(name, _)| !is_header(name)).collect();
    let names: BTreeSet<&str> = talk.iter().map(|(name, _)| *name).collect();
    let is_answered = names.len() > 1 && talk.len() > names.len();
    let has_assistant = || names.iter().any(|name| matches!(role(name), Some((Role::Assistant, _))));
    let sentences = || talk.iter().filter(|(_, text)| ends_sentence(text)).count();
    match style {
        Style::Stamped | Style::NameFirst | Style::Heading => true,
        Style::Nick => is_answered,
        Style::Bold | Style::Plain => {
            let is_mostly_talk = talk.len() * 2 > all().count();
            let is_dense =
                || talk.len() * LINES_A_TURN >= lines.iter().filter(|(line, _)| !line.trim().is_empty()).count();
            is_mostly_talk && (has_assistant() || (is_dense() && (is_answered || sentences() * 2 > talk.len())))
        }
    }
}

/// What WhatsApp writes in the place of a picture.
fn is_omitted(text: &str) -> bool {
    let is_tag = ["<Media omitted>", "<Medien ausgeschlossen>"].contains(&text);
    is_tag || (text.starts_with('\u{200e}') && text.ends_with(" omitted") && text.split(' ').count() <= 3)
}

/// What WhatsApp itself writes on an iPhone, in somebody's name and behind a mark. A poll or a place is marked as well, but
/// has several lines or a link.
fn is_notice(text: &str) -> bool {
    text.starts_with('\u{200e}') && !text.contains('\n') && !text.contains("://")
}
