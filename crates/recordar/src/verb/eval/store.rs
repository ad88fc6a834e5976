//! Stores a corpus through the same calls that users make, and knows afterwards which item is which line.

use super::figures::AnswerKind;
use super::set::{CorpusLine, EvalSet};
use crate::engine::Recordar;
use crate::ingest::{PlacingRequest, TextRequest};
use recordar_core::error::Error;
use recordar_domain::{Attributes, FileType, Message, OperationId, SpaceName};
use std::collections::{BTreeMap, BTreeSet, HashMap};

const BATCH: usize = 5_000;

/// Where the corpus was stored.
#[derive(Default)]
pub(super) struct Stored {
    /// The corpus id of each message.
    messages: HashMap<(String, i64), String>,
    pub(super) ids: BTreeSet<String>,
    pub(super) threads: BTreeSet<String>,
}

impl Stored {
    /// The corpus id of an item: its document's name, or the message's.
    pub(super) fn corpus_id(&self, space: &str, item: i64, document: Option<&str>) -> Option<String> {
        match document {
            Some(path) => Some(path.to_owned()),
            None => self.messages.get(&(space.to_owned(), item)).cloned(),
        }
    }

    pub(super) fn answers_are(&self, relevant: &BTreeMap<String, f64>) -> AnswerKind {
        match relevant.keys().all(|id| self.threads.contains(id) && !self.ids.contains(id)) {
            true => AnswerKind::Threads,
            false => AnswerKind::Items,
        }
    }
}

impl Recordar {
    pub(super) fn store_corpus(&self, set: &EvalSet, progress: &mut impl FnMut(usize)) -> Result<Stored, Error> {
        let mut stored = Stored::default();
        let mut done = 0;
        let mut by_user: BTreeMap<&str, Vec<&CorpusLine>> = BTreeMap::new();
        for line in &set.corpus {
            by_user.entry(line.user()).or_default().push(line);
            stored.ids.insert(line.id.clone());
            stored.threads.extend(line.thread.clone());
        }
        for (user, lines) in by_user {
            let space = SpaceName::user(user)?;
            let (messages, documents): (Vec<&CorpusLine>, Vec<&CorpusLine>) =
                lines.into_iter().partition(|line| line.is_message());
            for (number, batch) in messages.chunks(BATCH).enumerate() {
                let operation = OperationId::parse(&format!("eval-{user}-{number}"))?;
                let messages: Vec<Message> = batch.iter().map(|line| message(line)).collect();
                let remembered = self.remember(&space, &messages, &operation)?;
                for (line, item) in batch.iter().zip(remembered.items) {
                    stored.messages.insert((space.to_string(), item), line.id.clone());
                }
                done += batch.len();
                progress(done);
            }
            for line in documents {
                self.ingest_text(&space, document(line)?)?;
                done += 1;
                progress(done);
            }
        }
        Ok(stored)
    }
}

fn message(line: &CorpusLine) -> Message {
    Message {
        thread: line.thread.clone(),
        title: line.thread.as_ref().and(line.title.clone()),
        role: line.role.unwrap_or_default(),
        speaker: line.speaker.clone(),
        time: line.created_at,
        ..Message::new(&line.text)
    }
}

/// A titled text is stored as a Markdown document, so that its title becomes the heading of its chunks.
fn document(line: &CorpusLine) -> Result<TextRequest, Error> {
    let title = line.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    Ok(TextRequest {
        name: line.id.clone(),
        text: title.map_or(line.text.clone(), |title| format!("# {}\n\n{}", title.replace('\n', " "), line.text)),
        file_type: if title.is_some() { FileType::Markdown } else { FileType::Text },
        attributes: Attributes::default(),
        mtime: line.created_at,
        force: false,
        // Only searching is measured.
        placing: PlacingRequest { classify: Some(false), ..PlacingRequest::default() },
        operation: OperationId::parse(&format!("eval-{}", recordar_domain::Digest::of(&line.id)))?,
    })
}
