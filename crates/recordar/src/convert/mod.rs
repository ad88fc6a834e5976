//! What other systems export, read as our messages: pure functions from the bytes of a file to conversations.
//!
//! Nothing here reads a file, a clock or the store. The bytes come from a `Source`, a few at a time: `outline` finds what lies
//! where, `pieces` reads it, and `gather` hands messages over, so that a file may be larger than memory; a conversation of ChatGPT or
//! Claude, and a transcript, is held as a whole. One message that cannot be kept does not refuse the others, and
//! whatever is not kept is told in `left_out`. The same export gives the same names and ids, and a later, longer one gives
//! them to what it repeats; by those the verb that stores knows what is there already.

mod chatgpt;
mod claude;
mod facts;
mod gather;
mod mem0;
mod outline;
mod pieces;
mod read;
mod speaker;
mod stamp;
mod subtitles;
mod transcript;
mod turn;
mod zep;

pub(crate) use pieces::Source;

use crate::verb::remember::Message;
use gather::Gathering;
use pieces::{Pieces, Record};
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

/// What a file comes to, before anything of it is handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Survey {
    pub(crate) format: ForeignFormat,
    /// In the order in which they begin in the file.
    pub(crate) conversations: Vec<Surveyed>,
}

/// One conversation, or what was known of one user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Surveyed {
    /// The user id that the export names, where it names one (mem0, zep).
    pub(crate) user_id: Option<String>,
    /// Stable: the same conversation gets the same name in a later export, such as `chatgpt:<id>`. None for memories that
    /// belong to no conversation.
    pub(crate) thread: Option<String>,
    pub(crate) title: Option<String>,
    /// How many of its messages are handed over.
    pub(crate) messages: usize,
}

/// Messages of one conversation, in the order they were said: all of them, or as many as one transaction takes.
pub(crate) struct Piece {
    /// Its place in the survey.
    pub(crate) conversation: usize,
    /// Each with the id it had there, by which a later import knows it again.
    pub(crate) messages: Vec<(String, Message)>,
}

/// An export that can be read.
pub(crate) struct Foreign<'a> {
    source: &'a dyn Source,
    name: &'a str,
    format: ForeignFormat,
    content: Content<'a>,
}

enum Content<'a> {
    Json(Pieces<'a>),
    Text(String),
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

/// What is looked at of a text to tell whether it is a transcript.
const BYTES_TO_TELL: usize = 1024 * 1024;

/// Tells the format by the shape of the first records.
fn detect(source: &dyn Source, name: &str, pieces: &Pieces<'_>) -> Result<Option<ForeignFormat>, Invalid> {
    let (mut found, mut seen, mut has_objects) = (None, 0, false);
    let look = &mut |record: Record<'_>| {
        let record = pieces.sketch(record)?;
        seen += 1;
        has_objects |= record.is_object();
        found = shape(&record);
        let is_enough = found.is_some() || seen == RECORDS_TO_TELL;
        Ok(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    // What is wrong with one of them is told by whoever reads it.
    let is_read = pieces.each_record(look).is_ok();
    let is_json = is_read && (pieces.error.is_none() || seen == RECORDS_TO_TELL);
    if found.is_some() || has_objects || is_json {
        return Ok(found);
    }
    // `[10:15] Ada: …` begins as a list of numbers does.
    let head = pieces::head(source, name, BYTES_TO_TELL)?;
    Ok(transcript::is_one(&String::from_utf8_lossy(&head)).then_some(ForeignFormat::Transcript))
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

impl<'a> Foreign<'a> {
    /// Looks through an export. `name` is the name of the file: a transcript has no other.
    pub(crate) fn open(source: &'a dyn Source, format: Option<ForeignFormat>, name: &'a str) -> Result<Self, Invalid> {
        refuse_container(source, name)?;
        let pieces = Pieces::find(source, name)?;
        let format = match format {
            Some(format) => format,
            None => detect(source, name, &pieces)?.ok_or_else(|| unknown(source, &pieces, name))?,
        };
        let content = match (format, &pieces.error) {
            (ForeignFormat::Transcript, _) => {
                let bytes = pieces::head(source, name, usize::MAX)?;
                let text =
                    String::from_utf8(bytes).map_err(|error| not_utf8(name, error.utf8_error().valid_up_to()))?;
                Content::Text(text)
            }
            (_, Some(error)) => return Err(broken(name, error.is_eof(), &error.to_string())),
            (_, None) => Content::Json(pieces),
        };
        Ok(Self { source, name, format, content })
    }

    /// Counts what there is. Whatever is wrong with a file is found here: nothing was handed over yet.
    pub(crate) fn survey(&self) -> Result<Survey, Invalid> {
        let mut gathering = Gathering::counting(self.format);
        self.read(&mut gathering)?;
        Ok(gathering.survey())
    }

    /// Hands over the messages, until `take` breaks off, and tells what was left out.
    pub(crate) fn hand_over(
        &self,
        survey: &Survey,
        take: &mut dyn FnMut(Piece) -> ControlFlow<()>,
    ) -> Result<Vec<LeftOut>, Invalid> {
        let mut gathering = Gathering::handing(survey, take);
        self.read(&mut gathering)?;
        Ok(gathering.finish())
    }

    fn read(&self, gathering: &mut Gathering<'_>) -> Result<(), Invalid> {
        let pieces = match &self.content {
            Content::Text(text) => return transcript::read(gathering, text, self.name),
            Content::Json(pieces) => pieces,
        };
        if pieces.halves > 0 {
            let detail = format!("{} halves of characters, shown as U+FFFD", pieces.halves);
            gathering.leave_out(self.name, "broken_character", detail);
        }
        let (records, known) = read_json(gathering, pieces, self.name)?;
        if records == 0 || known > 0 || gathering.is_over() {
            return Ok(());
        }
        let format = self.format;
        let remedy = match detect(self.source, self.name, pieces)? {
            Some(other) if other != format => format!("it looks like {0}: name the format {0}, or none", other.name()),
            _ => format.remedy().to_owned(),
        };
        Err(Invalid::new(format!("{} holds nothing of the format {}", self.name, format.name()), remedy))
    }
}

/// Reads every record, and tells how many there are and how many are of the format.
fn read_json(gathering: &mut Gathering<'_>, pieces: &Pieces<'_>, name: &str) -> Result<(usize, usize), Invalid> {
    let format = gathering.format();
    let mut zep = zep::Reader::default();
    let (mut records, mut known) = (0_usize, 0_usize);
    let mut read = |record: Record<'_>| {
        if gathering.is_over() {
            return Ok(ControlFlow::Break(()));
        }
        records += 1;
        let is_known = match format {
            ForeignFormat::ChatGpt => chatgpt::read(gathering, &pieces.value(record)?),
            ForeignFormat::Claude => claude::read(gathering, &pieces.value(record)?),
            ForeignFormat::Mem0 => mem0::read(gathering, pieces, record)?,
            ForeignFormat::Zep | ForeignFormat::Transcript => zep.read(gathering, pieces, record)?,
        };
        if is_known {
            known += 1;
        } else {
            gathering.leave_out(name, "unknown_record", format!("record {records} is none of this format"));
        }
        Ok(ControlFlow::Continue(()))
    };
    pieces.each_record(&mut |record| each_unwrapped(format, pieces, record, &mut read))?;
    Ok((records, known))
}

/// Some exports of conversations have their list in an object.
fn each_unwrapped(
    format: ForeignFormat,
    pieces: &Pieces<'_>,
    record: Record<'_>,
    read: &mut dyn FnMut(Record<'_>) -> pieces::Taken,
) -> pieces::Taken {
    if !matches!(format, ForeignFormat::ChatGpt | ForeignFormat::Claude) {
        return read(record);
    }
    let mut record = match record {
        Record::Large(node) => match node.field("conversations").filter(|list| list.is_list()) {
            Some(list) => return pieces.each_in(list, read).map(ControlFlow::Continue),
            None => pieces.value(Record::Large(node))?,
        },
        Record::Whole(record) => record,
    };
    match record.get_mut("conversations") {
        Some(Value::Array(list)) => {
            for record in std::mem::take(list) {
                if read(Record::Whole(record))?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        }
        _ => read(Record::Whole(record)),
    }
}

fn broken(name: &str, is_cut_off: bool, error: &str) -> Invalid {
    let what = if is_cut_off { "breaks off" } else { "is not JSON that can be read" };
    Invalid::new(
        format!("{name} {what}: {error}"),
        "export it again, or give the file as it came: nothing was taken of it",
    )
}

/// Refuses what holds or shows an export and is none, and says what to give.
fn refuse_container(source: &dyn Source, name: &str) -> Result<(), Invalid> {
    let bytes = pieces::head(source, name, BYTES_TO_TELL)?;
    let start = bytes.strip_prefix(pieces::BYTE_ORDER_MARK).unwrap_or(&bytes).trim_ascii_start();
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
        () => Ok(()),
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

fn unknown(source: &dyn Source, pieces: &Pieces<'_>, name: &str) -> Invalid {
    // Whoever breaks off within the first record is told that, and not that the format is unknown.
    // `[INFO] …` is no JSON that broke off.
    let head = pieces::head(source, name, BYTES_TO_TELL).unwrap_or_default();
    let text = head.strip_prefix(pieces::BYTE_ORDER_MARK).unwrap_or(&head);
    let mut marks = text.iter().filter(|byte| !byte.is_ascii_whitespace());
    let is_json = match marks.next() {
        Some(b'[') => marks.next().is_none_or(|mark| b"[{\"]".contains(mark)),
        first => first == Some(&b'{'),
    };
    // Where a record came before it broke off, its format is unknown all the same.
    let mut has_record = false;
    let _ = pieces.each_record(&mut |_| {
        has_record = true;
        Ok(ControlFlow::Break(()))
    });
    match &pieces.error {
        Some(error) if is_json && !has_record => broken(name, error.is_eof(), &error.to_string()),
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
