//! `recordar remember`: one message, or a JSONL batch.

use super::{Outcome, cannot_read, open, read_stdin};
use crate::arguments::{Global, Remember};
use crate::output::{Output, plural};
use recordar::{Error, Importance, Invalid, Message, Metadata, Role, Timestamp};
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A batch is one transaction; what is larger is refused by the engine, too.
const MAX_BATCH_BYTES: u64 = 128 * 1024 * 1024;

pub(crate) fn run(remember: &Remember, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let messages = match (&remember.jsonl, &remember.text) {
        (Some(path), _) => read_batch(path)?,
        (None, text) => vec![Message {
            text: text.clone().unwrap_or_default(),
            thread: remember.thread.clone(),
            title: remember.title.clone(),
            role: Role::parse(&remember.role)?,
            source: remember.source.clone(),
            time: remember.time.as_deref().map(Timestamp::parse).transpose()?,
            importance: remember.importance.map(Importance::new).transpose()?,
            metadata: remember.metadata.as_deref().map(Metadata::from_json).transpose()?.unwrap_or_default(),
        }],
    };
    let operation = remember.operation.id()?;
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
        output.line(&format!("remembered {} in {space} as {ids}{before}", plural(items.len() as u64, "message")));
    });
    Ok(Outcome::Done)
}

fn read_batch(path: &Path) -> Result<Vec<Message>, Error> {
    let bytes = if path == Path::new("-") {
        read_stdin(MAX_BATCH_BYTES)?
    } else {
        let mut bytes = Vec::new();
        let read = File::open(path).and_then(|file| file.take(MAX_BATCH_BYTES + 1).read_to_end(&mut bytes));
        read.map_err(|error| cannot_read(&path.display().to_string(), &error))?;
        bytes
    };
    if bytes.len() as u64 > MAX_BATCH_BYTES {
        let what = format!("{} is larger than {MAX_BATCH_BYTES} bytes", path.display());
        return Err(Invalid::new(what, "split it into several batches").into());
    }
    let mut messages = Vec::new();
    for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let message = serde_json::from_slice(line).map_err(|error| {
            Invalid::new(
                format!("line {} of {} is not a message: {error}; nothing was stored", index + 1, path.display()),
                r#"write one JSON object a line, for example {"text": "I take the 8:15 train.", "thread": "trip"}"#,
            )
        })?;
        messages.push(message);
    }
    Ok(messages)
}
