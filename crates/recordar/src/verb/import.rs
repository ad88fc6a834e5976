//! Taking in what was exported: a space or a store of Recordar as it was, and conversations and memories of other systems as
//! messages, facts and summaries. What was taken in before is not taken in again.

use crate::call::{Call, Effect, Reach, Verb};
use crate::convert::{Conversation, Converted, convert};
use crate::verb::receipts::sources_of_body;
use crate::verb::remember::add_messages;
use crate::verb::transfer::{open_file, unreadable};
use crate::{Error, ForeignFormat, LeftOut, Message, Recordar};
use recordar_domain::{Hasher, Invalid, OperationId, SpaceName};
use recordar_store::{
    EXPORT_MARK, Error as StoreError, Expectations, ImportedSpace, Operation, OriginRow, Reading, Replace, Settled,
    SpaceId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, Read};
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportFormat {
    Recordar,
    Foreign(ForeignFormat),
}

impl ImportFormat {
    pub fn name(self) -> &'static str {
        match self {
            Self::Recordar => "recordar",
            Self::Foreign(format) => format.name(),
        }
    }

    pub fn parse(name: &str) -> Result<Self, Invalid> {
        if name == Self::Recordar.name() { Ok(Self::Recordar) } else { ForeignFormat::parse(name).map(Self::Foreign) }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportRequest {
    /// By the content, where nothing is said.
    pub format: Option<ImportFormat>,
    /// Put what belongs to different users into a space for each, `user:ID`.
    pub each_user: bool,
    /// What the thread is to be called, where the file holds one conversation that has no name of its own to keep.
    pub thread: Option<String>,
    /// Whether the space was named for this call. An export of Recordar names its own, which then has to be the same.
    pub names_space: bool,
    pub operation: OperationId,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImportReport {
    pub format: &'static str,
    pub operation: String,
    /// Whole spaces, from an export of Recordar.
    pub spaces: Vec<ImportedSpace>,
    /// Conversations and memories, from another system.
    pub conversations: Vec<ImportedConversation>,
    pub left_out: Vec<LeftOut>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImportedConversation {
    pub space: String,
    /// None for memories that belong to no conversation.
    pub thread: Option<String>,
    pub title: Option<String>,
    /// Messages, facts and summaries that are new.
    pub added: usize,
    /// Those of the added that take the place of an older text of the same.
    pub updated: usize,
    /// Those that were there already.
    pub known: usize,
}

/// What one transaction takes in.
const MAX_MESSAGES: usize = 5_000;
const MAX_BATCH_BYTES: usize = 16 * 1024 * 1024;
/// An export of another system is read whole.
const MAX_FOREIGN_BYTES: u64 = 1024 * 1024 * 1024;

impl Recordar {
    /// Takes in a file. An export of Recordar names its own spaces; what another system exported goes into `space`.
    pub fn import_file(&self, space: &SpaceName, path: &Path, request: &ImportRequest) -> Result<ImportReport, Error> {
        let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        self.import(space, &mut open_file(path)?, &name, request)
    }

    /// The same from anything that can be read. `name` is what a transcript's thread is called by.
    pub fn import(
        &self,
        space: &SpaceName,
        file: &mut dyn BufRead,
        name: &str,
        request: &ImportRequest,
    ) -> Result<ImportReport, Error> {
        let mut report = ImportReport {
            format: ImportFormat::Recordar.name(),
            operation: request.operation.to_string(),
            spaces: Vec::new(),
            conversations: Vec::new(),
            left_out: Vec::new(),
        };
        let beginning = file.fill_buf().map_err(|error| unreadable(name, &error))?;
        let format =
            request.format.or_else(|| beginning.starts_with(EXPORT_MARK.as_bytes()).then_some(ImportFormat::Recordar));
        let foreign = match format {
            Some(ImportFormat::Recordar) => {
                let expected =
                    Expectations { space: request.names_space.then_some(space), sources_of: &sources_of_body };
                report.spaces = self.store.import(file, Replace::Nothing, &expected)?;
                return Ok(report);
            }
            Some(ImportFormat::Foreign(format)) => Some(format),
            None => None,
        };
        let mut bytes = Vec::new();
        let read = file.take(MAX_FOREIGN_BYTES + 1).read_to_end(&mut bytes);
        read.map_err(|error| unreadable(name, &error))?;
        if bytes.len() as u64 > MAX_FOREIGN_BYTES {
            let what = format!("{name} is larger than {MAX_FOREIGN_BYTES} bytes");
            return Err(Invalid::new(what, "split it, by conversations for example").into());
        }
        let converted = convert(&bytes, foreign, name)?;
        drop(bytes);
        self.import_conversations(space, converted, request, &mut report)?;
        Ok(report)
    }

    fn import_conversations(
        &self,
        space: &SpaceName,
        converted: Converted,
        request: &ImportRequest,
        report: &mut ImportReport,
    ) -> Result<(), Error> {
        let Converted { format, conversations, left_out } = converted;
        (report.format, report.left_out) = (format.name(), left_out);
        let users: BTreeSet<&str> = conversations.iter().filter_map(|other| other.user_id.as_deref()).collect();
        if users.len() > 1 && !request.each_user {
            let shown: Vec<&str> = users.into_iter().take(5).collect();
            return Err(Invalid::new(
                format!(
                    "the file holds what belongs to several users ({} …), and they are to be kept apart",
                    shown.join(", ")
                ),
                "give each a space of its own with --each-user (each_user=True), or split the file",
            )
            .into());
        }
        let mut placed = Vec::with_capacity(conversations.len());
        for conversation in conversations {
            let user = conversation.user_id.as_deref().filter(|_| request.each_user);
            match user.map_or(Ok(space.clone()), SpaceName::user) {
                Ok(own) => placed.push((own, conversation)),
                Err(_) => report.left_out.push(LeftOut {
                    subject: conversation.thread.unwrap_or_default(),
                    reason: "user_id",
                    detail: "it belongs to a user whose id is no name for a space".to_owned(),
                }),
            }
        }
        if let Some(thread) = &request.thread {
            name_thread(&mut placed, thread)?;
        }
        // Several may go into one place: what names a user and what names none, where both are the caller's.
        let mut places: BTreeMap<(SpaceName, Option<String>), usize> = BTreeMap::new();
        for (own, mut conversation) in placed {
            conversation.messages.retain(|(id, message)| {
                let refused = message.check().err();
                report.left_out.extend(refused.as_ref().map(|invalid| LeftOut {
                    subject: id.clone(),
                    reason: "refused",
                    detail: invalid.what.clone(),
                }));
                refused.is_none()
            });
            if !conversation.messages.is_empty() {
                let before = places.entry((own.clone(), conversation.thread.clone())).or_default();
                report.conversations.push(self.import_conversation(own, conversation, *before, request)?);
                *before += 1;
            }
        }
        Ok(())
    }

    /// Stores what is new of a conversation, in batches, each of which is a part of the operation. `before` is how many others of
    /// the file went into the same place.
    fn import_conversation(
        &self,
        space: SpaceName,
        conversation: Conversation,
        before: usize,
        request: &ImportRequest,
    ) -> Result<ImportedConversation, Error> {
        let Conversation { thread, title, messages, .. } = conversation;
        let mut imported = ImportedConversation {
            space: space.to_string(),
            thread: thread.clone(),
            title,
            added: 0,
            updated: 0,
            known: 0,
        };
        for (number, batch) in batches(&messages).into_iter().enumerate() {
            let texts =
                batch.iter().fold(Hasher::default(), |hasher, (id, message)| hasher.field(id).field(&message.text));
            let mut part = format!("{}\n{}\n{number}", imported.space, thread.as_deref().unwrap_or_default());
            if before > 0 {
                part.push_str(&format!("\n{before}"));
            }
            let id = request.operation.part(part.as_bytes());
            let operation = Operation { id: &id, kind: "import", request: texts.finish() };
            let written = self.store.write(&space, &operation, (self.clock)(), |writing| {
                let space_id = writing.space_id();
                let here = Origins::read(writing, space_id, thread.as_deref())?;
                let mut new: Vec<Message> = batch.iter().filter_map(|(id, message)| here.news(id, message)).collect();
                // A conversation that was given another title there is found under that one.
                if let Some(first) = new.first_mut().filter(|first| first.thread.is_some()) {
                    first.title = imported.title.clone();
                }
                let updated = new.iter().filter(|message| !message.supersedes.is_empty()).count();
                let counts = Stored { added: new.len(), updated, known: batch.len() - new.len() };
                if new.is_empty() {
                    return Ok(Settled::Abandon(counts));
                }
                let tokens: Vec<usize> = new.iter().map(|message| self.counter.count(&message.text)).collect();
                add_messages(writing, &new.iter().collect::<Vec<_>>(), &tokens)?;
                Ok(Settled::Commit(counts))
            })?;
            let Stored { added, updated, known } = written.value;
            imported.known += if written.is_repeated { added + known } else { known };
            imported.added += if written.is_repeated { 0 } else { added };
            imported.updated += if written.is_repeated { 0 } else { updated };
        }
        Ok(imported)
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Stored {
    added: usize,
    updated: usize,
    known: usize,
}

/// What is here of a conversation, by the system it is from and the id it had there.
struct Origins(BTreeMap<(String, String), Vec<OriginRow>>);

impl Origins {
    fn read(reading: &mut Reading<'_>, space: SpaceId, thread: Option<&str>) -> Result<Self, StoreError> {
        let mut origins: BTreeMap<(String, String), Vec<OriginRow>> = BTreeMap::new();
        let thread_id = match thread.map(|name| reading.thread(space, name)).transpose()? {
            Some(None) => return Ok(Self(origins)),
            Some(Some(thread)) => Some(thread.id),
            None => None,
        };
        for row in reading.items_with_metadata(space, thread_id)? {
            if let Some(key) = serde_json::from_str(&row.metadata).ok().and_then(|metadata| origin(&metadata)) {
                origins.entry(key).or_default().push(row);
            }
        }
        Ok(Self(origins))
    }

    /// The message, where it is not here. One whose text has changed takes the place of what is here.
    fn news(&self, id: &str, message: &Message) -> Option<Message> {
        let key = (message.source.clone().unwrap_or_default(), id.to_owned());
        let Some(here) = self.0.get(&key) else { return Some(message.clone()) };
        if here.iter().any(|row| row.text == message.text) {
            return None;
        }
        let supersedes = here.iter().filter(|row| row.is_live).map(|row| row.id).collect();
        Some(Message { supersedes, ..message.clone() })
    }
}

fn origin(metadata: &serde_json::Value) -> Option<(String, String)> {
    Some((metadata["origin"].as_str()?.to_owned(), metadata["origin_id"].as_str()?.to_owned()))
}

/// Gives the only conversation of a file another name.
fn name_thread(placed: &mut [(SpaceName, Conversation)], thread: &str) -> Result<(), Invalid> {
    let [(_, conversation)] = placed else {
        let what = format!("the file holds {} conversations, and one name for a thread was given", placed.len());
        return Err(Invalid::new(what, "leave the name out, or split the file"));
    };
    conversation.thread = Some(thread.to_owned());
    conversation.messages.iter_mut().for_each(|(_, message)| message.thread = Some(thread.to_owned()));
    Ok(())
}

fn batches(messages: &[(String, Message)]) -> Vec<&[(String, Message)]> {
    let (mut batches, mut rest) = (Vec::new(), messages);
    while !rest.is_empty() {
        let mut bytes = 0;
        let fits = |(_, message): &&(String, Message)| {
            bytes += message.text.len();
            bytes <= MAX_BATCH_BYTES
        };
        let length = rest.iter().take(MAX_MESSAGES).take_while(fits).count().max(1);
        let (batch, behind) = rest.split_at(length);
        batches.push(batch);
        rest = behind;
    }
    batches
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ImportArguments {
    /// What to read: an export of Recordar, ChatGPT, Claude, mem0 or Zep, or a transcript.
    file: PathBuf,
    /// What it is: recordar, chatgpt, claude, mem0, zep or transcript. Recognised by its content by default.
    #[schemars(extend("enum" = ["recordar", "chatgpt", "claude", "mem0", "zep", "transcript"]))]
    format: Option<String>,
    /// Put what belongs to different users into a space for each, user:ID.
    #[serde(default)]
    each_user: bool,
    /// What the thread is to be called, where the file holds one conversation.
    thread: Option<String>,
    /// An id that makes it safe to repeat the call: what was done under it is not done again.
    operation: Option<String>,
}

impl Verb for ImportArguments {
    const NAME: &'static str = "import";
    const ABOUT: &'static str = "Take in an export, of Recordar or of another system.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::Files;
    const IS_LONG: bool = true;
    type Reply = ImportReport;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<ImportReport, Error> {
        let Self { file, format, each_user, thread, operation } = self;
        let format = format.as_deref().map(ImportFormat::parse).transpose()?;
        let (names_space, operation) = (call.caller.names_space, call.operation(operation)?);
        memory.import_file(call.space(), &file, &ImportRequest { format, each_user, thread, names_space, operation })
    }
}
