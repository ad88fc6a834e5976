//! `recordar remember`: one message, or a JSONL batch.

use super::{Outcome, cannot_read, open, read_stdin};
use crate::arguments::{Global, Remember};
use crate::output::{Output, plural};
use recordar::{Error, Importance, Invalid, ItemKind, Message, Metadata, Role, Timestamp};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// What is read at the most; the engine has its own, smaller limits on what it stores at once.
const MAX_BYTES: u64 = 128 * 1024 * 1024;

pub(crate) fn run(remember: &Remember, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let messages = match (&remember.jsonl, &remember.text) {
        (Some(path), _) => Message::from_jsonl(&read(path)?)?,
        (None, text) => vec![Message {
            text: match text.as_deref() {
                Some("-") => String::from_utf8(read(Path::new("-"))?)
                    .map_err(|_| Invalid::new("standard input is not valid UTF-8", "convert it first, with iconv"))?,
                text => text.unwrap_or_default().to_owned(),
            },
            thread: remember.thread.clone(),
            title: remember.title.clone(),
            role: Role::parse(&remember.role)?,
            source: remember.source.clone(),
            speaker: remember.speaker.clone(),
            time: remember.time.as_deref().map(Timestamp::parse).transpose()?,
            importance: remember.importance.map(Importance::new).transpose()?,
            metadata: remember.metadata.as_deref().map(Metadata::from_json).transpose()?.unwrap_or_default(),
            kind: ItemKind::parse(&remember.kind)?,
            supersedes: remember.supersedes.clone(),
            derived_from: remember.derived_from.clone(),
        }],
    };
    let operation = remember.operation.id()?;
    output.begin(&operation);
    let (memory, space) = open(global)?;
    let remembered = memory.remember(&space, &messages, &operation)?;
    output.result(&remembered, |output| {
        let items = &remembered.items;
        let ids = match items.as_slice() {
            [only] => format!("item {only}"),
            [first, .., last] => format!("items {first} to {last}"),
            [] => "nothing".to_owned(),
        };
        let before = if remembered.repeated { ", as before: this operation was done already" } else { "" };
        let noun = if messages.iter().all(|message| message.kind == messages[0].kind) {
            messages[0].kind.name()
        } else {
            "item"
        };
        output.line(&format!("remembered {} in {space} as {ids}{before}", plural(items.len() as u64, noun)));
    });
    Ok(Outcome::Done)
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let bytes = if path == Path::new("-") {
        read_stdin(MAX_BYTES)?
    } else {
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
        read.map_err(|error| cannot_read(&path.display().to_string(), &error))?;
        bytes
    };
    if bytes.len() as u64 > MAX_BYTES {
        let what = format!("{} is larger than {MAX_BYTES} bytes", path.display());
        return Err(Invalid::new(what, "split it into several batches").into());
    }
    Ok(bytes)
}
