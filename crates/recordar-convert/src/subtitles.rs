//! Subtitles of meetings, WebVTT (Zoom, Teams) and SRT: cues, each between two offsets from the start.
//!
//! `<v Ada>text</v>` or `Ada: text` names the speaker; a cue without a name continues the last speaker. Cues end where
//! it suits the screen, so one that does not end a sentence is joined with the next of the same speaker.

use crate::gather::{Draft, Gathering};
use crate::speaker::{MARKS, is_name, who};
use crate::stamp::is_offset;
use crate::turn::{ends_sentence, named};
use recordar_domain::Invalid;

/// Some captions have no sentences; joined text is no longer than this plus the next cue.
const MAX_JOINED_BYTES: usize = 2000;

pub(super) fn is_one(text: &str) -> bool {
    let mut lines = text.lines().map(bare).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let second = lines.next().unwrap_or_default();
    let is_numbered = || is_number(first) && timing(second).is_some();
    first.split_whitespace().next() == Some("WEBVTT") || timing(first).is_some() || is_numbered()
}

pub(super) fn read(gathering: &mut Gathering<'_>, text: &str, file: &str) -> Result<(), Invalid> {
    let (cues, others) = cues(text);
    let (speeches, unnamed) = speeches(&cues, text.contains("<v "));
    if speeches.is_empty() {
        return Err(Invalid::new(
            format!("{file} has no cue that names a speaker"),
            "use subtitles with names, as in `<v Ada>I take the 8:15 train.</v>` or `Ada: I take the 8:15 train.`",
        ));
    }
    let place = gathering.open(None, Some(file), None);
    let thread = format!("transcript:{file}");
    if others > 0 {
        gathering.leave_out(&thread, "not_spoken", format!("{others} lines outside any cue, such as notes"));
    }
    if unnamed > 0 {
        gathering.leave_out(&thread, "no_speaker", format!("{unnamed} cues before the first named speaker"));
    }
    let detail = format!("{} turns are kept without a time, because subtitles have no date", speeches.len());
    gathering.leave_out(&thread, "no_date", detail);
    for Speech { from, name, text } in speeches {
        let (role, speaker) = who(name);
        let (stamp, speaker) = (Some(from.to_owned()), speaker.map(str::to_owned));
        gathering.add(place, Draft { text, role, speaker, stamp, ..Draft::default() });
    }
    Ok(())
}

struct Cue<'a> {
    from: &'a str,
    lines: Vec<&'a str>,
}

struct Speech<'a> {
    from: &'a str,
    name: &'a str,
    text: String,
}

/// The cues, and how many lines are outside any cue.
fn cues(text: &str) -> (Vec<Cue<'_>>, usize) {
    let mut lines = text.lines().map(bare).peekable();
    let (mut cues, mut is_cue, mut others): (Vec<Cue<'_>>, bool, usize) = (Vec::new(), false, 0);
    while let Some(line) = lines.next() {
        let is_before_times = lines.peek().is_some_and(|next| timing(next).is_some());
        if let Some(from) = timing(line) {
            is_cue = true;
            cues.push(Cue { from, lines: Vec::new() });
        } else if line.is_empty() {
            is_cue = false;
        } else if is_before_times && (!is_cue || is_number(line)) {
            // The number or name of the next cue.
            is_cue = false;
        } else if let Some(cue) = cues.last_mut().filter(|_| is_cue) {
            cue.lines.push(line);
        } else if !line.starts_with("WEBVTT") {
            others += 1;
        }
    }
    (cues, others)
}

/// Who said what; and how many cues precede the first named speaker.
fn speeches<'a>(cues: &[Cue<'a>], has_voices: bool) -> (Vec<Speech<'a>>, usize) {
    let (mut speeches, mut unnamed): (Vec<Speech<'a>>, usize) = (Vec::new(), 0);
    for Cue { from, lines } in cues {
        for (name, text) in lines.iter().flat_map(|line| voices(line, has_voices)) {
            let text = plain(text);
            let Some(name) = name.or_else(|| Some(speeches.last()?.name)) else {
                unnamed += 1;
                continue;
            };
            let goes_on = |last: &&mut Speech<'_>| {
                let is_open = !ends_sentence(&last.text) && last.text.len() < MAX_JOINED_BYTES;
                last.name == name && (last.from == *from || is_open)
            };
            match speeches.last_mut().filter(goes_on) {
                _ if text.is_empty() => {}
                Some(last) => last.text.extend([" ", &text]),
                None => speeches.push(Speech { from, name, text }),
            }
        }
    }
    (speeches, unnamed)
}

/// A line of a cue, cut where another speaks.
fn voices(line: &str, has_voices: bool) -> Vec<(Option<&str>, &str)> {
    if !has_voices {
        let said = named(line, is_display_name);
        return vec![said.map_or((None, line), |(name, text)| (Some(name), text))];
    }
    let mut parts = line.split("<v ");
    let before = parts.next().filter(|before| !before.trim().is_empty()).map(|before| (None, before));
    let voice = |part| str::split_once(part, '>').map_or((None, part), |(name, text)| (Some(name.trim()), text));
    before.into_iter().chain(parts.map(voice)).filter(|(name, _)| *name != Some("")).collect()
}

/// `Ada Lovelace (she/her)`, `Ada | Engines`
fn is_display_name(name: &str) -> bool {
    is_name(name.split(['(', '|', '/']).next().unwrap_or_default().trim())
}

/// Without tags and escapes.
fn plain(text: &str) -> String {
    let (mut plain, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once('<') {
        plain.push_str(before);
        let is_tag = behind.starts_with(|c: char| c == '/' || c.is_ascii_alphanumeric());
        rest = match behind.split_once('>').filter(|_| is_tag) {
            Some((_, after)) => after,
            None => {
                plain.push('<');
                behind
            }
        };
    }
    plain.push_str(rest);
    // The escape of `&` comes last, as what it makes is no escape.
    let escapes = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")];
    let plain = escapes.iter().fold(plain, |text, (escape, shown)| text.replace(escape, shown));
    plain.trim().to_owned()
}

fn bare(line: &str) -> &str {
    line.trim_start_matches(MARKS).trim()
}

fn is_number(line: &str) -> bool {
    !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit())
}

/// `00:00:05.000 --> 00:00:06.000 align:start`: from when.
fn timing(line: &str) -> Option<&str> {
    let (from, to) = line.split_once("-->")?;
    let is_timing = is_offset(from.trim()) && is_offset(to.split_whitespace().next()?);
    is_timing.then_some(from.trim())
}

#[cfg(test)]
mod tests {
    use crate::survey::ForeignFormat;
    use crate::tests::{Converted, check, convert, left_out};

    fn read(text: &str) -> (Converted, Vec<String>) {
        let read = convert(text.as_bytes(), None, "meeting.vtt").unwrap();
        assert_eq!(read.format, ForeignFormat::Transcript);
        check(&read);
        let show = |message: &recordar_domain::Message| {
            assert_eq!(message.time, None);
            format!("{} {}", message.speaker.as_deref().unwrap_or(message.role.name()), message.text)
        };
        let told = read.conversations[0].messages.iter().map(|(_, message)| show(message)).collect();
        (read, told)
    }

    #[test]
    fn import_subtitles_tell_who_speaks_and_no_times() {
        for (text, expected) in [
            (
                "\u{feff}WEBVTT\r\n\r\n1\r\n00:00:05.000 --> 00:00:06.000\r\nAda Lovelace: Where is\r\n\r\n2\r\n\
                 00:00:06.000 --> 00:00:07.000\r\nAda Lovelace: the violin? It was\r\n\r\n3\r\n00:00:07.000 --> 00:00:08.000\r\n\
                 here.\r\n\r\n4\r\n00:00:09.000 --> 00:00:10.000\r\nBob (he/him): In the garden house. At 8:15.\r\n",
                vec!["Ada Lovelace Where is the violin? It was here.", "Bob (he/him) In the garden house. At 8:15."],
            ),
            (
                "WEBVTT\n\na1/2-0\n00:03.120 --> 00:05.210 align:start\n<v Ada Lovelace>R&amp;D &lt; 3 <i>people</i>.</v>\n\n\
                 00:00:05.210 --> 00:00:06.000\n<v Bob>Note: yes\nindeed</v> <v Ada Lovelace>So</v>\n\n\
                 00:00:07.000 --> 00:00:08.000\n<v Ada Lovelace>be it.</v>\n\n00:00:08.000 --> 00:00:09.000\n<v Ada Lovelace>End.</v>",
                vec![
                    "Ada Lovelace R&D < 3 people.",
                    "Bob Note: yes indeed",
                    "Ada Lovelace So be it.",
                    "Ada Lovelace End.",
                ],
            ),
            (
                "1\n00:00:01,000 --> 00:00:02,000\nAda: 1 < 2\n2\n00:00:02,500 --> 00:00:03,000\nAssistant: 42\n",
                vec!["Ada 1 < 2", "assistant 42"],
            ),
        ] {
            assert_eq!(read(text).1, expected, "{text}");
        }
    }

    #[test]
    fn import_subtitles_tell_what_they_left_out() {
        let text = "WEBVTT - talk\nKind: captions\n\nNOTE by Eve\n\n00:01.000 --> 00:02.000\n(music)\n\n\
                    00:02.000 --> 00:03.000\nAda: Hi.\n";
        let (read, told) = read(text);
        assert_eq!(told, ["Ada Hi."]);
        assert_eq!(
            left_out(&read),
            ["not_spoken", "no_speaker", "no_date"].map(|r| format!("{r} transcript:meeting.vtt"))
        );
        let nobody = "WEBVTT\n\n00:01.000 --> 00:02.000\nnobody is named\n";
        assert!(convert(nobody.as_bytes(), None, "a.vtt").unwrap_err().what.contains("names a speaker"));
    }

    #[test]
    fn import_subtitles_join_no_endless_speech() {
        let cue =
            |n: usize| format!("00:{:02}:{:02}.000 --> 01:00:00.000\n<v Ada>and so on and on</v>\n\n", n / 60, n % 60);
        let text: String = std::iter::once("WEBVTT\n\n".to_owned()).chain((0..600).map(cue)).collect();
        let told = read(&text).1;
        assert!(told.len() > 3 && told.iter().all(|turn| turn.len() < 2100), "{}", told.len());
    }
}
