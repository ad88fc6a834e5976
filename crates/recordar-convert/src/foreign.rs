//! Reading an export: which format it has, what it holds, and its messages one after the other.

use crate::files::Files;
use crate::gather::Gathering;
use crate::pieces::{Pieces, Record, Source, broken, not_utf8};
use crate::slack::Workspace;
use crate::survey::{ForeignFormat, LeftOut, Piece, Survey};
use crate::{chatgpt, claude, irc, mem0, pieces, transcript, zep};
use recordar_domain::Invalid;
use serde_json::Value;
use std::ops::ControlFlow;

/// A recognised export.
pub struct Foreign<'a> {
    name: &'a str,
    format: ForeignFormat,
    content: Content<'a>,
}

/// What a caller knows about an export.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hints<'a> {
    /// Detected from the content if absent.
    pub format: Option<ForeignFormat>,
    /// The day of the first line, for a log that has only times.
    pub date: Option<&'a str>,
}

enum Content<'a> {
    Json(&'a dyn Source, Pieces<'a>),
    Transcript(String),
    Irc(String, Option<jiff::civil::Date>),
    Slack(Workspace<'a>),
}

/// How many records are examined before the format counts as unrecognised.
const RECORDS_TO_TELL: usize = 16;

/// How much of a text is examined to recognise a transcript or a log.
const BYTES_TO_TELL: usize = 1024 * 1024;

/// Detects the format by the shape of the first records.
pub(crate) fn detect(source: &dyn Source, name: &str, pieces: &Pieces<'_>) -> Result<Option<ForeignFormat>, Invalid> {
    let (mut found, mut seen, mut has_objects) = (None, 0, false);
    let look = &mut |record: Record<'_>| {
        let record = pieces.sketch(record)?;
        seen += 1;
        has_objects |= record.is_object();
        found = shape(&record);
        let is_enough = found.is_some() || seen == RECORDS_TO_TELL;
        Ok(if is_enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    // Errors in a record are reported when it is read.
    let is_read = pieces.each_record(look).is_ok();
    let is_json = is_read && (pieces.error.is_none() || seen == RECORDS_TO_TELL);
    if found.is_some() || has_objects || is_json {
        return Ok(found);
    }
    // `[10:15] Ada: …` begins as a list of numbers does.
    let head = pieces::head(source, name, BYTES_TO_TELL)?;
    let text = String::from_utf8_lossy(&head);
    Ok(match () {
        () if irc::is_one(&text) => Some(ForeignFormat::Irc),
        () if transcript::is_one(&text) => Some(ForeignFormat::Transcript),
        () => None,
    })
}

/// Examines a record, and anything that wraps it.
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
    /// Surveys an export. `name` is the name of the file: a transcript has no other.
    pub fn open(source: &'a dyn Source, hints: &Hints<'_>, name: &'a str) -> Result<Self, Invalid> {
        let date = hints.date.map(irc::parse_date).transpose()?;
        refuse_container(source, name)?;
        let pieces = Pieces::find(source, name)?;
        let format = match hints.format {
            Some(format) => format,
            None => detect(source, name, &pieces)?.ok_or_else(|| unknown(source, &pieces, name))?,
        };
        if date.is_some() && format != ForeignFormat::Irc {
            let what = format!("{name} is read as {}, for which no date is needed", format.name());
            return Err(Invalid::new(what, "leave out the date; it is for logs of IRC that have only times"));
        }
        let text = || {
            let bytes = pieces::head(source, name, usize::MAX)?;
            String::from_utf8(bytes).map_err(|error| not_utf8(name, error.utf8_error().valid_up_to()))
        };
        let content = match (format, &pieces.error) {
            (ForeignFormat::Transcript, _) => Content::Transcript(text()?),
            (ForeignFormat::Irc, _) => Content::Irc(text()?, date),
            (ForeignFormat::Slack, _) => {
                return Err(Invalid::new(format!("{name} is a single file"), ForeignFormat::Slack.remedy()));
            }
            (_, Some(error)) => return Err(broken(name, error.is_eof(), &error.to_string())),
            (_, None) => Content::Json(source, pieces),
        };
        Ok(Self { name, format, content })
    }

    /// The same for Slack's export: the files below `root`.
    pub fn open_slack(files: &'a dyn Files, root: &str, name: &'a str) -> Result<Self, Invalid> {
        let content = Content::Slack(Workspace::open(files, root, name)?);
        Ok(Self { name, format: ForeignFormat::Slack, content })
    }

    /// Counts the contents. Any error in the file is found here, before anything is passed on.
    pub fn survey(&self) -> Result<Survey, Invalid> {
        let mut gathering = Gathering::counting(self.format);
        self.read(&mut gathering)?;
        Ok(gathering.survey())
    }

    /// Passes on the messages, until `take` stops, and returns what was left out.
    pub fn hand_over(
        &self,
        survey: &Survey,
        take: &mut dyn FnMut(Piece) -> ControlFlow<()>,
    ) -> Result<Vec<LeftOut>, Invalid> {
        let mut gathering = Gathering::handing(survey, take);
        self.read(&mut gathering)?;
        Ok(gathering.finish())
    }

    fn read(&self, gathering: &mut Gathering<'_>) -> Result<(), Invalid> {
        let (source, pieces) = match &self.content {
            Content::Transcript(text) => return transcript::read(gathering, text, self.name),
            Content::Irc(text, date) => return irc::read(gathering, text, self.name, *date),
            Content::Slack(workspace) => return workspace.read(gathering),
            Content::Json(source, pieces) => (*source, pieces),
        };
        if pieces.halves > 0 {
            let detail = format!("{} unpaired surrogates, replaced by U+FFFD", pieces.halves);
            gathering.leave_out(self.name, "broken_character", detail);
        }
        let (records, known) = read_json(gathering, pieces, self.name)?;
        if records == 0 || known > 0 || gathering.is_over() {
            return Ok(());
        }
        let format = self.format;
        let remedy = match detect(source, self.name, pieces)? {
            Some(other) if other != format => {
                format!("it looks like {0}: set the format to {0}, or omit the format", other.name())
            }
            _ => format.remedy().to_owned(),
        };
        Err(Invalid::new(format!("{} has no records in the format {}", self.name, format.name()), remedy))
    }
}

/// Reads every record; returns how many there are and how many have the format.
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
            ForeignFormat::Zep => zep.read(gathering, pieces, record)?,
            ForeignFormat::Transcript | ForeignFormat::Irc | ForeignFormat::Slack => false,
        };
        if is_known {
            known += 1;
        } else {
            gathering.leave_out(name, "unknown_record", format!("record {records} is not in this format"));
        }
        Ok(ControlFlow::Continue(()))
    };
    pieces.each_record(&mut |record| each_unwrapped(format, pieces, record, &mut read))?;
    Ok((records, known))
}

/// Some exports wrap the list of conversations in an object.
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

/// Rejects containers and views of an export, and says which file to use.
fn refuse_container(source: &dyn Source, name: &str) -> Result<(), Invalid> {
    let bytes = pieces::head(source, name, BYTES_TO_TELL)?;
    let start = bytes.strip_prefix(pieces::BYTE_ORDER_MARK).unwrap_or(&bytes).trim_ascii_start();
    let head = start[..start.len().min(32)].to_ascii_lowercase();
    let refused = |what: &str, remedy: &str| Err(Invalid::new(format!("{name} is {what}"), remedy));
    match () {
        () if bytes.starts_with(b"PK\x03\x04") => {
            refused("a ZIP archive inside another", "unpack it, and import what is in it")
        }
        () if bytes.starts_with(b"\x1f\x8b") => {
            refused("compressed with gzip", "unpack it with gunzip and use the file inside")
        }
        () if bytes.starts_with(b"%PDF") => refused("a PDF", "use the export itself, as JSON or text"),
        () if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") => {
            refused("text in UTF-16", "save it as UTF-8")
        }
        () if head.starts_with(b"<!doctype html") || head.starts_with(b"<html") => {
            refused("a web page", "use conversations.json from the same export")
        }
        () if start.is_empty() => refused("empty", "use a file with content"),
        () => Ok(()),
    }
}

fn unknown(source: &dyn Source, pieces: &Pieces<'_>, name: &str) -> Invalid {
    // A file truncated within the first record is reported as such, not as unrecognised.
    // `[INFO] …` is not truncated JSON.
    let head = pieces::head(source, name, BYTES_TO_TELL).unwrap_or_default();
    let text = head.strip_prefix(pieces::BYTE_ORDER_MARK).unwrap_or(&head);
    let mut marks = text.iter().filter(|byte| !byte.is_ascii_whitespace());
    let is_json = match marks.next() {
        Some(b'[') => marks.next().is_none_or(|mark| b"[{\"]".contains(mark)),
        first => first == Some(&b'{'),
    };
    // If a record precedes the truncation, the format is still unrecognised.
    let mut has_record = false;
    let _ = pieces.each_record(&mut |_| {
        has_record = true;
        Ok(ControlFlow::Break(()))
    });
    match &pieces.error {
        Some(error) if is_json && !has_record => broken(name, error.is_eof(), &error.to_string()),
        _ => Invalid::new(
            format!("{name} has an unrecognised export format"),
            "use an export of ChatGPT, claude.ai or Slack, memories from mem0, threads or facts from Zep, a log of IRC, or a \
             transcript with lines such as `Ada: I take the 8:15 train.`; if the file is one of these, set the format",
        ),
    }
}
