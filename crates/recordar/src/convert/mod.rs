//! What other systems export, read as our messages: pure functions from the bytes of a file to conversations.
//!
//! Nothing here reads a file, a clock or the store. One message that cannot be kept does not refuse the others, and
//! whatever is not kept is told in `left_out`. The same export gives the same names and ids, and a later, longer one gives
//! them to what it repeats; by those the verb that stores knows what is there already.

mod chatgpt;
mod claude;
mod facts;
mod gather;
mod mem0;
mod read;
mod speaker;
mod stamp;
mod subtitles;
mod transcript;
mod turn;
mod zep;

use crate::Message;
use gather::Gathering;
use recordar_domain::Invalid;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::ControlFlow;

/// What another system exported, as far as it can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ForeignFormat {
    ChatGpt,
    Claude,
    Mem0,
    Zep,
    Transcript,
}

impl ForeignFormat {
    pub const ALL: [Self; 5] = [Self::ChatGpt, Self::Claude, Self::Mem0, Self::Zep, Self::Transcript];

    pub fn name(self) -> &'static str {
        match self {
            Self::ChatGpt => "chatgpt",
            Self::Claude => "claude",
            Self::Mem0 => "mem0",
            Self::Zep => "zep",
            Self::Transcript => "transcript",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Invalid> {
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            Invalid::new(
                format!("{name:?} is not a format that can be imported"),
                "use chatgpt, claude, mem0, zep or transcript, or none to have it told from the file",
            )
        })
    }

    /// What to give, for whoever gave something else.
    fn remedy(self) -> &'static str {
        match self {
            Self::ChatGpt => "give conversations.json from the data export of ChatGPT",
            Self::Claude => "give conversations.json from the data export of claude.ai",
            Self::Mem0 => "give what get_all() of mem0 returned, as JSON: {\"results\": [{\"id\": …, \"memory\": …}]}",
            Self::Zep => "give a thread as JSON, {\"thread_id\": …, \"messages\": […]}, or {\"edges\": […]} of a graph",
            Self::Transcript => "give UTF-8 text in which at least two lines begin as in `Ada: I take the 8:15 train.`",
        }
    }
}

/// One conversation, or what was known of one user, in the order it was said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Conversation {
    /// The user id that the export names, where it names one (mem0, zep).
    pub(crate) user_id: Option<String>,
    /// Stable: the same conversation gets the same name in a later export, such as `chatgpt:<id>`. None for memories that
    /// belong to no conversation.
    pub(crate) thread: Option<String>,
    pub(crate) title: Option<String>,
    /// Each with the id it had there, by which a later import knows it again.
    pub(crate) messages: Vec<(String, Message)>,
}

/// What was read, and what was left out and why.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Converted {
    pub(crate) format: ForeignFormat,
    pub(crate) conversations: Vec<Conversation>,
    pub(crate) left_out: Vec<LeftOut>,
}

/// Something that was not kept, or not as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LeftOut {
    /// The conversation or the message, as `thread/id`.
    pub subject: String,
    /// A short code, such as `empty`, `hidden` or `other_branch`.
    pub reason: &'static str,
    pub detail: String,
}

/// How many records are looked at before a file counts as unknown.
const RECORDS_TO_TELL: usize = 16;

/// Tells the format by the shape of the first records, without reading a long file to its end.
fn detect(bytes: &[u8]) -> Option<ForeignFormat> {
    let (mut found, mut seen, mut has_objects) = (None, 0, false);
    let look = &mut |record: Value| {
        seen += 1;
        has_objects |= record.is_object();
        found = shape(&record);
        if found.is_some() || seen == RECORDS_TO_TELL { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    // What is wrong further on is told by `convert`.
    let is_json = read::each(bytes, look).is_ok();
    // `[10:15] Ada: …` begins as a list of numbers does.
    let is_transcript = || !has_objects && !is_json && transcript::is_one(&String::from_utf8_lossy(bytes));
    found.or_else(|| is_transcript().then_some(ForeignFormat::Transcript))
}

/// Looks at a record, and through what it may be wrapped in.
fn shape(record: &Value) -> Option<ForeignFormat> {
    const WRAPPERS: [&str; 7] = ["conversations", "results", "memories", "result", "points", "data", "items"];
    let mut record = record;
    for _ in 0..4 {
        let found = match record {
            _ if chatgpt::is_one(record) => Some(ForeignFormat::ChatGpt),
            _ if claude::is_one(record) => Some(ForeignFormat::Claude),
            _ if mem0::is_one(record) => Some(ForeignFormat::Mem0),
            _ if zep::is_one(record) => Some(ForeignFormat::Zep),
            _ => None,
        };
        let wrapped = WRAPPERS.iter().find_map(|key| record.get(key));
        match (found, wrapped) {
            (None, Some(Value::Array(list))) => record = list.first()?,
            (None, Some(object)) => record = object,
            _ => return found,
        }
    }
    None
}

/// Reads an export. `name` is the name of the file: a transcript has no other.
pub(crate) fn convert(bytes: &[u8], format: Option<ForeignFormat>, name: &str) -> Result<Converted, Invalid> {
    refuse_container(bytes, name)?;
    let (bytes, mended) = read::mend(bytes);
    let format = match format.or_else(|| detect(&bytes)) {
        Some(format) => format,
        None => return Err(unknown(&bytes, name)),
    };
    let mut gathering = Gathering::new(format);
    if mended > 0 {
        gathering.leave_out(name, "broken_character", format!("{mended} halves of characters, shown as U+FFFD"));
    }
    match format {
        ForeignFormat::Transcript => transcript::read(&mut gathering, &String::from_utf8_lossy(&bytes), name)?,
        _ => read_json(&mut gathering, &bytes, name)?,
    }
    Ok(gathering.finish())
}

fn read_json(gathering: &mut Gathering, bytes: &[u8], name: &str) -> Result<(), Invalid> {
    let format = gathering.format();
    let mut zep = zep::Reader::default();
    let (mut records, mut known) = (0_usize, 0_usize);
    let mut read = |record: Value| {
        for record in unwrapped(format, record) {
            records += 1;
            let is_known = match format {
                ForeignFormat::ChatGpt => chatgpt::read(gathering, &record),
                ForeignFormat::Claude => claude::read(gathering, &record),
                ForeignFormat::Mem0 => mem0::read(gathering, record),
                ForeignFormat::Zep | ForeignFormat::Transcript => zep.read(gathering, record),
            };
            if is_known {
                known += 1;
            } else {
                let detail = format!("record {records} is none of this format");
                gathering.leave_out(name, "unknown_record", detail);
            }
        }
        ControlFlow::Continue(())
    };
    read::each(bytes, &mut read).map_err(|error| broken(name, &error))?;
    if records > 0 && known == 0 {
        let remedy = match detect(bytes) {
            Some(other) if other != format => format!("it looks like {0}: name the format {0}, or none", other.name()),
            _ => format.remedy().to_owned(),
        };
        return Err(Invalid::new(format!("{name} holds nothing of the format {}", format.name()), remedy));
    }
    Ok(())
}

/// Some exports of conversations have their list in an object.
fn unwrapped(format: ForeignFormat, mut record: Value) -> Vec<Value> {
    match record.get_mut("conversations") {
        Some(Value::Array(list)) if matches!(format, ForeignFormat::ChatGpt | ForeignFormat::Claude) => {
            std::mem::take(list)
        }
        _ => vec![record],
    }
}

fn broken(name: &str, error: &serde_json::Error) -> Invalid {
    let what = if error.is_eof() { "breaks off" } else { "is not JSON that can be read" };
    Invalid::new(
        format!("{name} {what}: {error}"),
        "export it again, or give the file as it came: nothing was taken of it",
    )
}

/// Refuses what holds or shows an export and is none, and says what to give.
fn refuse_container(bytes: &[u8], name: &str) -> Result<(), Invalid> {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let head = start[..start.len().min(32)].to_ascii_lowercase();
    let refused = |what: &str, remedy: &str| Err(Invalid::new(format!("{name} is {what}"), remedy));
    match () {
        () if bytes.starts_with(b"PK\x03\x04") => refused("a ZIP archive", "unzip it and give conversations.json"),
        () if bytes.starts_with(b"\x1f\x8b") => {
            refused("compressed by gzip", "unpack it with gunzip and give the file in it")
        }
        () if bytes.starts_with(b"%PDF") => refused("a PDF", "give the export itself, as JSON or as text"),
        () if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") => {
            refused("text in UTF-16", "save it as UTF-8")
        }
        () if head.starts_with(b"<!doctype html") || head.starts_with(b"<html") => {
            refused("a web page", "give conversations.json, which lies beside it in the same export")
        }
        () if start.is_empty() => refused("empty", "give a file with something in it"),
        () => std::str::from_utf8(bytes).map(|_| ()).map_err(|error| not_utf8(name, error.valid_up_to())),
    }
}

fn not_utf8(name: &str, at: usize) -> Invalid {
    Invalid::new(
        format!("{name} is not UTF-8: byte {} is of no character", at + 1),
        format!(
            "if it is text, save it as UTF-8 or convert it, with `iconv -f LATIN1 -t UTF-8 '{name}' > utf-8.txt` for example \
             (CP1252 instead of LATIN1 where it is from Windows); if it broke off, export it again"
        ),
    )
}

fn unknown(bytes: &[u8], name: &str) -> Invalid {
    // Whoever breaks off within the first record is told that, and not that the format is unknown.
    // `[INFO] …` is no JSON that broke off.
    let mut marks = bytes.iter().filter(|byte| !byte.is_ascii_whitespace());
    let is_json = match marks.next() {
        Some(b'[') => marks.next().is_none_or(|mark| b"[{\"]".contains(mark)),
        first => first == Some(&b'{'),
    };
    match read::each(bytes, &mut |_| ControlFlow::Break(())) {
        Err(error) if is_json => broken(name, &error),
        _ => Invalid::new(
            format!("{name} is no export that can be told"),
            "give conversations.json of ChatGPT or claude.ai, memories of mem0, threads or facts of Zep, or a transcript \
             in which lines begin as in `Ada: I take the 8:15 train.`; or name the format, if it is one of these",
        ),
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod transcript_tests;
