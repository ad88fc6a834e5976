//! Plain transcripts: lines that begin with who speaks, in one of four styles, and lines that go on with what was said.
//!
//! The style that most turns have is the style of the file; a line of another style is part of what somebody said. Apart
//! from that and from blocks of code, a line is a turn by itself or not at all: names are not counted, so that a longer
//! transcript is read as the shorter one was.

use super::gather::{Draft, Gathering};
use super::speaker::{MARKS, is_messenger_name, is_name, role, who};
use super::stamp::{DayOrder, Stamp};
use recordar_domain::Invalid;

/// How turns begin. Where two styles have as many turns, the earlier of these counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `[2024-01-31 10:15] Ada: text`, `31.12.23, 10:15 - Ada: text`
    Stamped,
    /// `**Ada:** text`
    Bold,
    /// `## User`, with the text below
    Heading,
    /// `Ada: text`
    Plain,
}

impl Style {
    const ALL: [Self; 4] = [Self::Stamped, Self::Bold, Self::Heading, Self::Plain];
}

#[derive(Debug, Clone, Copy)]
struct Turn<'a> {
    style: Style,
    stamp: Option<(&'a str, Stamp)>,
    /// Nobody speaks in the notices that a messenger writes among the messages.
    name: Option<&'a str>,
    text: &'a str,
}

const MIN_TURNS: usize = 2;
/// No time is written longer.
const MAX_STAMP_BYTES: usize = 48;

pub(super) fn is_one(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| style(&lines(text)).is_some())
}

pub(super) fn read(gathering: &mut Gathering, bytes: &[u8], file: &str) -> Result<(), Invalid> {
    let text = std::str::from_utf8(bytes)
        .map_err(|error| Invalid::new(format!("{file} is not UTF-8: {error}"), "save it as UTF-8"))?;
    let lines = lines(text);
    let Some(style) = style(&lines) else {
        let remedy = gathering.format().remedy();
        return Err(Invalid::new(format!("{file} has fewer than {MIN_TURNS} lines that tell who speaks"), remedy));
    };
    let first = lines.iter().position(|(_, turn)| turn.is_some_and(|turn| turn.style == style)).unwrap_or(0);
    let (before, said) = lines.split_at(first);
    let heading = before.iter().find_map(|(line, _)| line.strip_prefix('#'));
    let place = gathering.open(None, Some(file), heading.map(|title| title.trim_matches(['#', ' '])));
    let others = before.iter().filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#')).count();
    let thread = format!("transcript:{file}");
    if others > 0 {
        gathering.leave_out(&thread, "before_first_turn", format!("{others} lines before somebody speaks"));
    }
    let turns = || said.iter().filter_map(|(_, turn)| turn.filter(|turn| turn.style == style));
    let order = DayOrder::of(&turns().filter_map(|turn| Some(turn.stamp?.1)).collect::<Vec<Stamp>>());
    if !order.is_certain {
        let read = if order.is_day_first { "the day" } else { "the month" };
        gathering.leave_out(
            &thread,
            "date_order",
            format!("nothing tells day from month; {read} was taken to come first"),
        );
    }
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
            Some(name) => gathering.add(place, draft(turn, name, text, order)),
            None => gathering.leave_out(&thread, "no_speaker", text),
        }
    }
    Ok(())
}

fn draft(turn: Turn<'_>, name: &str, text: &str, order: DayOrder) -> Draft {
    let (role, speaker) = who(name);
    let time = turn.stamp.and_then(|(written, stamp)| match stamp {
        Stamp::TimeOfDay => None,
        stamp => Some(stamp.time(order).ok_or_else(|| written.to_owned())),
    });
    // The id is of the stamp as written: a longer file may show that its day and month are the other way round.
    let stamp = turn.stamp.map(|(written, _)| written.to_owned());
    let speaker = speaker.map(str::to_owned);
    Draft { text: text.to_owned(), role, speaker, time, stamp, ..Draft::default() }
}

/// The lines, each with the turn that it may begin. In a block of code nobody begins to speak, save with a time.
fn lines(text: &str) -> Vec<(&str, Option<Turn<'_>>)> {
    let fences = |line: &str| line.matches("```").count() % 2;
    let mut fences_ahead: usize = text.lines().map(fences).sum();
    let mut is_code = false;
    let mut read = |line| {
        let turn = turn(line).filter(|turn| !is_code || turn.style == Style::Stamped);
        // A last fence that nothing closes is none.
        if fences(line) == 1 {
            is_code = !is_code && fences_ahead > 1;
            fences_ahead -= 1;
        }
        (line, turn)
    };
    text.lines().map(|line| line.trim_start_matches(MARKS)).map(&mut read).collect()
}

fn style(lines: &[(&str, Option<Turn<'_>>)]) -> Option<Style> {
    let named = |turn: &Turn<'_>| turn.name.is_some();
    let count =
        |style: Style| lines.iter().filter_map(|(_, turn)| turn.filter(named)).filter(|t| t.style == style).count();
    let counts = Style::ALL.map(|style| (count(style), style));
    let most = counts.iter().map(|(count, _)| *count).max().filter(|most| *most >= MIN_TURNS)?;
    counts.iter().find(|(count, _)| *count == most).map(|(_, style)| *style)
}

fn turn(line: &str) -> Option<Turn<'_>> {
    if line.starts_with('#') {
        let name = line.trim_start_matches('#').trim().trim_matches('*').trim_end_matches(':');
        let is_role = role(name).is_some();
        return is_role.then_some(Turn { style: Style::Heading, stamp: None, name: Some(name), text: "" });
    }
    if let Some((stamp, rest)) = stamped(line) {
        let (name, text) =
            bold(rest).or_else(|| named(rest, is_messenger_name)).map_or((None, rest), |(n, t)| (Some(n), t));
        return Some(Turn { style: Style::Stamped, stamp: Some(stamp), name, text });
    }
    if let Some((name, text)) = bold(line) {
        return Some(Turn { style: Style::Bold, stamp: None, name: Some(name), text });
    }
    let (name, text) = named(line, is_name)?;
    Some(Turn { style: Style::Plain, stamp: None, name: Some(name), text })
}

/// A time in brackets, before a dash, or as ISO 8601 alone; and what follows it.
fn stamped(line: &str) -> Option<((&str, Stamp), &str)> {
    let closing = line.strip_prefix('[').map(|inner| (inner, ']')).or_else(|| Some((line.strip_prefix('(')?, ')')));
    let words = |count: usize| line.match_indices(' ').nth(count - 1).map(|(at, _)| line.split_at(at));
    let candidates = [
        closing.and_then(|(inner, bracket)| inner.split_once(bracket)),
        line.split_once(" - ").or_else(|| line.split_once(" – ")),
        words(2).filter(|(stamp, _)| stamp.as_bytes().get(4) == Some(&b'-')),
        words(1).filter(|(stamp, _)| stamp.as_bytes().get(4) == Some(&b'-')),
    ];
    let read = |(written, rest): (&str, &str)| {
        let stamp = (written.len() <= MAX_STAMP_BYTES).then(|| Stamp::parse(written))??;
        Some((written.len(), rest.len(), stamp))
    };
    let (written, rest, stamp) = candidates.into_iter().flatten().find_map(read)?;
    let begin = if closing.is_some() { 1 } else { 0 };
    let rest = line[line.len() - rest..].trim_start().trim_start_matches(MARKS);
    let rest = rest.strip_prefix("- ").unwrap_or(rest);
    Some(((&line[begin..begin + written], stamp), rest))
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

fn named(line: &str, is_name: fn(&str) -> bool) -> Option<(&str, &str)> {
    let (at, colon) = line.char_indices().find(|(_, c)| matches!(c, ':' | '：'))?;
    let (name, text) = (&line[..at], &line[at + colon.len_utf8()..]);
    // `https://…`, `8:15` and `std::mem` are no turns.
    let is_spaced = colon == '：' || text.is_empty() || text.starts_with(char::is_whitespace);
    (is_spaced && is_name(name)).then_some((name.trim(), text.trim_start()))
}

/// What WhatsApp writes in the place of a picture.
fn is_omitted(text: &str) -> bool {
    let is_tag = ["<Media omitted>", "<Medien ausgeschlossen>"].contains(&text);
    is_tag || (text.starts_with('\u{200e}') && text.ends_with(" omitted") && text.split(' ').count() <= 3)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{check, left_out};
    use super::super::{Converted, ForeignFormat, convert};

    fn read(text: &str) -> Converted {
        let read = convert(text.as_bytes(), None, "talk.txt").unwrap();
        assert_eq!(read.format, ForeignFormat::Transcript);
        check(&read);
        read
    }

    /// Each as `time role speaker: text`, with what is not there left out.
    fn told(text: &str) -> Vec<String> {
        let show = |message: &crate::Message| {
            let time = message.time.map(|time| time.to_string());
            let words = [time.as_deref(), Some(message.role.name()), message.speaker.as_deref()];
            format!("{}: {}", words.into_iter().flatten().collect::<Vec<_>>().join(" "), message.text)
        };
        read(text).conversations[0].messages.iter().map(|(_, message)| show(message)).collect()
    }

    #[test]
    fn import_transcript_reads_each_style() {
        for (text, expected) in [
            (
                "Ada: Hi\nASSISTANT: Hello\n  there\n\nBob von Ohm: So?",
                ["user Ada: Hi", "assistant: Hello\n  there", "user Bob von Ohm: So?"],
            ),
            (
                "**You:** Hi\n\n**ChatGPT**: Hello\nNote: x\n**System:** end",
                ["user: Hi", "assistant ChatGPT: Hello\nNote: x", "system: end"],
            ),
            (
                "# Trains\n\n## User\nHi\n\n---\n\n## Assistant\nUser: quoted\n### Details\n## Tool:\n42",
                ["user: Hi", "assistant: User: quoted\n### Details", "tool: 42"],
            ),
            (
                "You said:\nHi\nChatGPT said:\nHello\nYou said:\nBye",
                ["user: Hi", "assistant ChatGPT: Hello", "user: Bye"],
            ),
            (
                "[2024-01-31 10:15] Ada: Hi\n2024-01-31T10:15:01.000001Z Bob: yes\n2024-01-31 10:16 Ada: no",
                [
                    "2024-01-31T10:15:00Z user Ada: Hi",
                    "2024-01-31T10:15:01.000001Z user Bob: yes",
                    "2024-01-31T10:16:00Z user Ada: no",
                ],
            ),
            (
                "[10:15] Ada: Hi\n[10:16] **Claude:** Hello\n(10:17) Ada: Bye",
                ["user Ada: Hi", "assistant Claude: Hello", "user Ada: Bye"],
            ),
            (
                "31.12.23, 10:15 - Ada: Hi\nmore: lines\n31.12.23, 10:16 - +49 170 123: Prost 🥂\n1.1.24, 00:01 - Ada: ok",
                [
                    "2023-12-31T10:15:00Z user Ada: Hi\nmore: lines",
                    "2023-12-31T10:16:00Z user +49 170 123: Prost 🥂",
                    "2024-01-01T00:01:00Z user Ada: ok",
                ],
            ),
            (
                "\u{200e}[31/12/2023, 10:15:02] Ada: Hi\r\n[31/12/2023, 10:15:03] ~ Bob: yes\r\n[12/31/23, 10:15 PM] Eve: odd",
                [
                    "2023-12-31T10:15:02Z user Ada: Hi",
                    "2023-12-31T10:15:03Z user Bob: yes",
                    "2023-12-31T22:15:00Z user Eve: odd",
                ],
            ),
            ("小明：你好\n小红：你好！\n小明：再见", ["user 小明: 你好", "user 小红: 你好！", "user 小明: 再见"]),
        ] {
            assert_eq!(told(text), expected, "{text}");
        }
    }

    #[test]
    fn import_transcript_takes_labels_links_and_code_for_what_they_are() {
        let text = "User: See\nNote: http://x\nhttps://example.org: a link\nThe answer is: 42\n- Item: one\nstd::mem: x\n8:15: train\n\
                    ```\nAda: inside code\n```\n\"title\": \"x\",\nAssistant: Ok ```not closed\nUser: Bye";
        let told = told(text);
        assert_eq!(told.len(), 3);
        assert!(told[0].ends_with("\"title\": \"x\","));
        for text in ["Note: x\nhttps://a.b: c\nTime: 8:15\nso: lower", "Ada: alone", "", "{\n\"Ada\": 1,\n\"Bob\": 2\n"]
        {
            assert!(convert(text.as_bytes(), Some(ForeignFormat::Transcript), "t").is_err(), "{text}");
        }
        assert!(
            convert(b"Ada: \xff\nBob: x", Some(ForeignFormat::Transcript), "t").unwrap_err().remedy.contains("UTF-8")
        );
    }

    #[test]
    fn import_transcript_tells_what_it_left_out() {
        let text = "# Our talk\nrecorded by Eve\n[1/2/24, 10:00] Ada named this \"Trip: May\".\n[1/2/24, 10:00] Ada: <Media omitted>\n\
                    [1/2/24, 10:01] Ada:\n[1/2/24, 10:02] Bob: Hi";
        let read = read(text);
        assert_eq!(read.conversations[0].title.as_deref(), Some("Our talk"));
        assert_eq!(read.conversations[0].messages[0].1.time.unwrap().to_string(), "2024-02-01T10:02:00Z");
        let reasons: Vec<&str> = read.left_out.iter().map(|left| left.reason).collect();
        assert_eq!(reasons, ["before_first_turn", "date_order", "no_speaker", "no_text", "empty"]);
        assert!(left_out(&read)[4].starts_with("empty transcript:talk.txt/sha256-"));
    }

    #[test]
    fn import_transcript_gives_old_turns_the_same_ids_in_a_longer_one() {
        let short = "[1/2/24, 10:00] Ada: Hi\n[1/2/24, 10:00] Ada: Hi\n[2/3/24, 10:00] Bob: Note: yes\n";
        // The longer file shows that the month comes first: the times change, the ids do not.
        let long = format!("{short}[2/28/24, 10:00] Eve: new");
        let (short, long) = (read(short), read(&long));
        let ids =
            |read: &Converted| read.conversations[0].messages.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&short)[..], ids(&long)[..3]);
        assert_eq!(ids(&short)[1], format!("{}-2", ids(&short)[0]));
        assert_eq!(short.conversations[0].thread.as_deref(), Some("transcript:talk.txt"));
        assert_eq!(long.conversations[0].messages[0].1.time.unwrap().to_string(), "2024-01-02T10:00:00Z");
    }
}
