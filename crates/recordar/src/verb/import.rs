//! Importing: a space or store of Recordar as it was, and conversations and memories of other systems as
//! messages, facts and summaries. Anything imported before is skipped.

use crate::call::{Call, Effect, Reach, ReachKind, Upload, Verb};
use crate::engine::Recordar;
use crate::enrich::Labelling;
use crate::verb::import_source::{FileSource, Folder};
use crate::verb::remember::add_messages;
use crate::verb::transfer::unreadable;
use recordar_convert::{Archive, Files, Foreign, ForeignFormat, Hints, LeftOut, Parts, Piece, Survey, Surveyed};
use recordar_core::error::Error;
use recordar_core::file::open_plain;
use recordar_core::receipt::sources_of_body;
use recordar_domain::Message;
use recordar_domain::{Digest, Hasher, Invalid, OperationId, SpaceName};
use recordar_store::{
    EXPORT_MARK, Error as StoreError, Expectations, ImportedSpace, Operation, Reading, Replace, Settled, SpaceId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::ops::ControlFlow;
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
    /// Detected from the content if absent.
    pub format: Option<ImportFormat>,
    /// Put each user's data into a separate space, `user:ID`.
    pub each_user: bool,
    /// Thread name, for a file with a single conversation.
    pub thread: Option<String>,
    /// The day of the first line, for a log of IRC that has only times.
    pub date: Option<String>,
    /// Whether the call names a space. An export of Recordar names its own, which then must be the same.
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
    /// None for memories outside any conversation.
    pub thread: Option<String>,
    pub title: Option<String>,
    /// New messages, facts and summaries.
    pub added: usize,
    /// Added items that replace an older text of the same item.
    pub updated: usize,
    /// Items that were already here.
    pub known: usize,
}

/// An export of another system is read several times, piece by piece.
const MAX_FOREIGN_BYTES: u64 = 1024 * 1024 * 1024;

impl Recordar {
    /// Imports a file, or a folder that an export was unpacked into. An export of Recordar names its own spaces; one of another
    /// system goes into `space`.
    pub fn import_file(&self, space: &SpaceName, path: &Path, request: &ImportRequest) -> Result<ImportReport, Error> {
        self.showing(|memory| {
            let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            if path.is_dir() {
                if request.format == Some(ImportFormat::Recordar) {
                    let what = format!("{} is a folder", path.display());
                    return Err(Invalid::new(what, "use the file that `recordar export` wrote").into());
                }
                return memory.import_files(space, &Folder::open(path)?, &name, request);
            }
            let file = open_plain(path).map_err(|error| unreadable(&path.display().to_string(), &error))?;
            memory.import_open(space, file, &name, request)
        })
    }

    /// The same from any reader. `name` names the thread of a transcript.
    pub fn import(
        &self,
        space: &SpaceName,
        file: &mut dyn BufRead,
        name: &str,
        request: &ImportRequest,
    ) -> Result<ImportReport, Error> {
        self.showing(|memory| {
            if is_own(file, name, request)? {
                return memory.import_own(space, file, request);
            }
            // A stream that can only be read once is first copied to a temporary file.
            let mut spool = || {
                let mut spool = tempfile::tempfile()?;
                std::io::copy(&mut file.take(MAX_FOREIGN_BYTES + 1), &mut spool)?;
                Ok(spool)
            };
            memory.import_foreign(space, &spool().map_err(|error| unreadable(name, &error))?, name, request)
        })
    }

    /// The same from an open file.
    pub fn import_open(
        &self,
        space: &SpaceName,
        file: File,
        name: &str,
        request: &ImportRequest,
    ) -> Result<ImportReport, Error> {
        self.showing(|memory| {
            let mut reader = BufReader::new(file);
            match is_own(&mut reader, name, request)? {
                true => memory.import_own(space, &mut reader, request),
                false => memory.import_foreign(space, reader.get_ref(), name, request),
            }
        })
    }

    fn import_own(
        &self,
        space: &SpaceName,
        file: &mut dyn BufRead,
        request: &ImportRequest,
    ) -> Result<ImportReport, Error> {
        let expected = Expectations {
            space: request.names_space.then_some(space),
            sources_of: &sources_of_body,
            adds_vocabularies: self.within.is_none(),
        };
        let spaces = self.store.import(file, Replace::Nothing, &expected)?;
        self.imported(&spaces);
        Ok(ImportReport { spaces, ..ImportReport::new(ImportFormat::Recordar, request) })
    }

    /// Rows are about as many as items.
    pub(super) fn imported(&self, spaces: &[ImportedSpace]) {
        for imported in spaces.iter().filter(|imported| !imported.known) {
            if let Ok(space) = SpaceName::parse(&imported.space) {
                self.grew(&space, imported.rows as usize);
            }
        }
    }

    fn import_foreign(
        &self,
        space: &SpaceName,
        file: &File,
        name: &str,
        request: &ImportRequest,
    ) -> Result<ImportReport, Error> {
        let source = FileSource::new(file).map_err(|error| unreadable(name, &error))?;
        if source.bytes > MAX_FOREIGN_BYTES {
            let what = format!("{name} is larger than {MAX_FOREIGN_BYTES} bytes");
            return Err(Invalid::new(what, "split it, for example by conversation").into());
        }
        if Archive::is_one(&source) {
            return self.import_files(space, &Archive::open(&source, name)?, name, request);
        }
        self.import_read(space, &Foreign::open(&source, &hints(request), name)?, request)
    }

    /// An export of several files: Slack's is read as it is; parts of one file are joined first.
    fn import_files(
        &self,
        space: &SpaceName,
        files: &dyn Files,
        name: &str,
        request: &ImportRequest,
    ) -> Result<ImportReport, Error> {
        let parts = match Parts::find(files, hints(request).format, name)? {
            Parts::Slack { .. } if request.date.is_some() => {
                let what = format!("{name} is an export of Slack, which has its own dates");
                return Err(Invalid::new(what, "leave out the date; it is for logs of IRC that have only times").into());
            }
            Parts::Slack { root } => {
                return self.import_read(space, &Foreign::open_slack(files, &root, name)?, request);
            }
            Parts::Conversations(parts) => parts,
        };
        let failed = |error: std::io::Error| unreadable(name, &error);
        let mut spool = tempfile::tempfile().map_err(failed)?;
        for part in &parts {
            files.copy(*part, &mut spool)?;
            spool.write_all(b"\n").map_err(failed)?;
        }
        let source = FileSource::new(&spool).map_err(failed)?;
        let name = match &parts[..] {
            [one] => files.names()[*one].as_str(),
            _ => name,
        };
        self.import_read(space, &Foreign::open(&source, &hints(request), name)?, request)
    }

    fn import_read(
        &self,
        space: &SpaceName,
        foreign: &Foreign<'_>,
        request: &ImportRequest,
    ) -> Result<ImportReport, Error> {
        let survey = foreign.survey()?;
        let mut importing = Importing::new(self, space, &survey, request)?;
        let mut failed = None;
        let left_out = foreign.hand_over(&survey, &mut |piece| match importing.take(piece) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        });
        if let Some(error) = failed {
            return Err(importing.stopped(error));
        }
        Ok(importing.report(ImportFormat::Foreign(survey.format), left_out?))
    }
}

fn hints(request: &ImportRequest) -> Hints<'_> {
    let format = match request.format {
        Some(ImportFormat::Foreign(format)) => Some(format),
        _ => None,
    };
    Hints { format, date: request.date.as_deref() }
}

/// Whether a file is an export of Recordar.
fn is_own(file: &mut dyn BufRead, name: &str, request: &ImportRequest) -> Result<bool, Error> {
    let beginning = file.fill_buf().map_err(|error| unreadable(name, &error))?;
    Ok(match request.format {
        Some(format) => format == ImportFormat::Recordar,
        None => beginning.starts_with(EXPORT_MARK.as_bytes()),
    })
}

impl ImportReport {
    fn new(format: ImportFormat, request: &ImportRequest) -> Self {
        Self {
            format: format.name(),
            operation: request.operation.to_string(),
            spaces: Vec::new(),
            conversations: Vec::new(),
            left_out: Vec::new(),
        }
    }
}

/// The conversations of a file during the import.
struct Importing<'a> {
    memory: &'a Recordar,
    request: &'a ImportRequest,
    conversations: Vec<Incoming>,
    /// Items that could not be imported, besides those the file itself omits.
    left_out: Vec<LeftOut>,
    known: StoredMessages,
}

struct Incoming {
    /// None if it cannot be imported.
    space: Option<SpaceName>,
    thread: Option<String>,
    title: Option<String>,
    /// How many messages are still to come, and how many pieces have been read.
    ahead: usize,
    pieces: usize,
    /// How many earlier conversations of the file have the same target.
    before: usize,
    /// Whether another conversation of the file has the same target.
    is_shared: bool,
    imported: Option<ImportedConversation>,
}

impl<'a> Importing<'a> {
    /// Decides the target of everything before importing anything.
    fn new(
        memory: &'a Recordar,
        space: &SpaceName,
        survey: &Survey,
        request: &'a ImportRequest,
    ) -> Result<Self, Error> {
        let coming = || survey.conversations.iter().filter(|conversation| conversation.messages > 0);
        let users: BTreeSet<&str> = coming().filter_map(|conversation| conversation.user_id.as_deref()).collect();
        if users.len() > 1 && !request.each_user {
            let shown: Vec<&str> = users.into_iter().take(5).collect();
            return Err(Invalid::new(
                format!("the file holds data of several users ({} …), which must be kept apart", shown.join(", ")),
                "import each user into a separate space with --each-user (each_user=True), or split the file",
            )
            .into());
        }
        let mut left_out = Vec::new();
        let mut conversations = Vec::with_capacity(survey.conversations.len());
        for Surveyed { user_id, thread, title, messages } in &survey.conversations {
            let user = user_id.as_deref().filter(|_| request.each_user);
            let own = user.map_or(Ok(space.clone()), SpaceName::user);
            if own.is_err() && *messages > 0 {
                left_out.push(LeftOut {
                    subject: thread.clone().unwrap_or_default(),
                    reason: "user_id",
                    detail: "its user id is not a valid space name".to_owned(),
                });
            }
            conversations.push(Incoming {
                space: own.ok().filter(|_| *messages > 0),
                thread: thread.clone(),
                title: title.clone(),
                ahead: *messages,
                pieces: 0,
                before: 0,
                is_shared: false,
                imported: None,
            });
        }
        if let Some(thread) = &request.thread {
            name_thread(&mut conversations, thread)?;
        }
        let mut places: BTreeMap<_, usize> = BTreeMap::new();
        // Several may have the same target: with and without a user, if both belong to the caller.
        for one in &mut conversations {
            let before = places.entry((one.space.clone(), one.thread.clone())).or_default();
            one.before = *before;
            *before += 1;
        }
        for one in &mut conversations {
            one.is_shared = places.get(&(one.space.clone(), one.thread.clone())).is_some_and(|count| *count > 1);
        }
        Ok(Self { memory, request, conversations, left_out, known: StoredMessages::default() })
    }

    /// Stores the new messages of a piece of a conversation: a part of the operation, in one transaction.
    fn take(&mut self, piece: Piece) -> Result<(), Error> {
        let Piece { conversation, mut messages } = piece;
        let Self { memory, request, conversations, left_out, known } = self;
        // The file is read twice, and may have been changed meanwhile.
        let changed = || {
            let what = "the file changed while it was being read";
            Error::input("changed", what, "import it again while no other process writes to it")
        };
        let incoming = conversations.get_mut(conversation).ok_or_else(changed)?;
        let number = incoming.pieces;
        incoming.pieces += 1;
        incoming.ahead = incoming.ahead.checked_sub(messages.len()).ok_or_else(changed)?;
        let Some(space) = incoming.space.clone() else { return Ok(()) };
        if request.thread.is_some() {
            messages.iter_mut().for_each(|(_, message)| message.thread.clone_from(&incoming.thread));
        }
        messages.retain(|(id, message)| {
            let refused = message.check().err();
            left_out.extend(refused.as_ref().map(|invalid| LeftOut {
                subject: id.clone(),
                reason: "refused",
                detail: invalid.what.clone(),
            }));
            refused.is_none()
        });
        if messages.is_empty() {
            return Ok(());
        }
        let imported = incoming.imported.get_or_insert_with(|| ImportedConversation {
            space: space.to_string(),
            thread: incoming.thread.clone(),
            title: incoming.title.clone(),
            added: 0,
            updated: 0,
            known: 0,
        });
        let texts =
            messages.iter().fold(Hasher::default(), |hasher, (id, message)| hasher.field(id).field(&message.text));
        let mut part = format!("{}\n{}\n{number}", imported.space, imported.thread.as_deref().unwrap_or_default());
        if incoming.before > 0 {
            part.push_str(&format!("\n{}", incoming.before));
        }
        let id = request.operation.part(part.as_bytes());
        let operation = Operation { id: &id, kind: "import", request: texts.finish() };
        let labelling = Labelling::of(memory)?;
        let written = memory.store.write(&space, &operation, (memory.clock)(), |writing| {
            let here = known.of(writing.revision() - 1, &space, imported.thread.as_deref(), |thread| {
                let space_id = writing.space_id();
                Origins::read(writing, space_id, thread)
            })?;
            let mut new: Vec<Cow<'_, Message>> =
                messages.iter().filter_map(|(id, message)| here.news(id, message)).collect();
            // A conversation whose title changed there is still found.
            if let Some(first) = new.first_mut().filter(|first| first.thread.is_some() && first.title != imported.title)
            {
                first.to_mut().title = imported.title.clone();
            }
            let updated = new.iter().filter(|message| !message.supersedes.is_empty()).count();
            let counts = Stored { added: new.len(), updated, known: messages.len() - new.len() };
            if new.is_empty() {
                return Ok(Settled::Abandon(counts));
            }
            let tokens: Vec<usize> = new.iter().map(|message| memory.counter.count(&message.text)).collect();
            let new: Vec<&Message> = new.iter().map(|message| &**message).collect();
            let first_id = add_messages(writing, &new, &tokens)?;
            labelling.store(writing, first_id, new.len(), &labelling.labels(&new))?;
            Ok(Settled::Commit(counts))
        })?;
        // A target shared by several conversations is looked up each time.
        known.wrote(&space, written.revision.filter(|_| !written.is_repeated));
        if incoming.is_shared || (incoming.ahead == 0 && incoming.thread.is_some()) {
            known.forget(&space, incoming.thread.as_deref());
        }
        let Stored { added, updated, known } = written.value;
        if !written.is_repeated {
            memory.grew(&space, added);
        }
        imported.known += if written.is_repeated { added + known } else { known };
        imported.added += if written.is_repeated { 0 } else { added };
        imported.updated += if written.is_repeated { 0 } else { updated };
        Ok(())
    }

    /// The error of an import that was cancelled, with what it had stored.
    fn stopped(self, error: Error) -> Error {
        let stored = self.conversations.iter().filter_map(|incoming| incoming.imported.as_ref());
        let (mut conversations, mut items) = (0, 0);
        for imported in stored.filter(|imported| imported.added > 0) {
            (conversations, items) = (conversations + 1, items + imported.added);
        }
        if !matches!(error, Error::Store(StoreError::Cancelled)) || items == 0 {
            return error;
        }
        let what = format!(
            "the import was cancelled; stored before that: {items} items of {conversations} of {} conversations",
            self.conversations.len()
        );
        Error::input("cancelled", what, "import the file again: what is already stored is skipped")
    }

    fn report(self, format: ImportFormat, mut left_out: Vec<LeftOut>) -> ImportReport {
        left_out.extend(self.left_out);
        let conversations = self.conversations.into_iter().filter_map(|incoming| incoming.imported).collect();
        ImportReport { conversations, left_out, ..ImportReport::new(format, self.request) }
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Stored {
    added: usize,
    updated: usize,
    known: usize,
}

/// Stored messages of the conversations being imported: read once, and again if another process has written since. Messages
/// this import adds are not needed, because no id occurs twice in a conversation.
#[derive(Default)]
struct StoredMessages {
    /// The revision of each space that it is valid for.
    revisions: BTreeMap<SpaceName, i64>,
    origins: BTreeMap<(SpaceName, Option<String>), Origins>,
}

impl StoredMessages {
    fn of(
        &mut self,
        revision: i64,
        space: &SpaceName,
        thread: Option<&str>,
        read: impl FnOnce(Option<&str>) -> Result<Origins, StoreError>,
    ) -> Result<&Origins, StoreError> {
        if self.revisions.insert(space.clone(), revision) != Some(revision) {
            self.origins.retain(|(own, _), _| own != space);
        }
        let key = (space.clone(), thread.map(str::to_owned));
        match self.origins.entry(key) {
            std::collections::btree_map::Entry::Occupied(known) => Ok(known.into_mut()),
            std::collections::btree_map::Entry::Vacant(missing) => Ok(missing.insert(read(thread)?)),
        }
    }

    /// Notes what this import has written.
    fn wrote(&mut self, space: &SpaceName, revision: Option<i64>) {
        if let Some(revision) = revision {
            self.revisions.insert(space.clone(), revision);
        }
    }

    fn forget(&mut self, space: &SpaceName, thread: Option<&str>) {
        self.origins.remove(&(space.clone(), thread.map(str::to_owned)));
    }
}

/// The stored messages of a conversation, by original system and id. Ids and texts are digests, because there may be
/// many.
#[derive(Default)]
struct Origins(HashMap<Digest, Vec<OriginHere>>);

struct OriginHere {
    id: i64,
    text: Digest,
    is_live: bool,
}

impl Origins {
    fn read(reading: &mut Reading<'_>, space: SpaceId, thread: Option<&str>) -> Result<Self, StoreError> {
        let mut origins = Self::default();
        let thread_id = match thread.map(|name| reading.thread(space, name)).transpose()? {
            Some(None) => return Ok(origins),
            Some(Some(thread)) => Some(thread.id),
            None => None,
        };
        reading.each_with_metadata(space, thread_id, |row| {
            let metadata = serde_json::from_str::<serde_json::Value>(&row.metadata).unwrap_or_default();
            if let (Some(origin), Some(id)) = (metadata["origin"].as_str(), metadata["origin_id"].as_str()) {
                let here = OriginHere { id: row.id, text: Digest::of(&row.text), is_live: row.is_live };
                origins.0.entry(Self::key(origin, id)).or_default().push(here);
            }
        })?;
        Ok(origins)
    }

    fn key(origin: &str, id: &str) -> Digest {
        Hasher::default().field(origin).field(id).finish()
    }

    /// The message, if it is not stored yet. If its text has changed, it replaces the stored one.
    fn news<'m>(&self, id: &str, message: &'m Message) -> Option<Cow<'m, Message>> {
        let key = Self::key(message.source.as_deref().unwrap_or_default(), id);
        let Some(here) = self.0.get(&key) else { return Some(Cow::Borrowed(message)) };
        let text = Digest::of(&message.text);
        if here.iter().any(|row| row.text == text) {
            return None;
        }
        let supersedes = here.iter().filter(|row| row.is_live).map(|row| row.id).collect();
        Some(Cow::Owned(Message { supersedes, ..message.clone() }))
    }
}

/// Renames the only conversation of a file.
fn name_thread(conversations: &mut [Incoming], thread: &str) -> Result<(), Invalid> {
    let mut coming: Vec<&mut Incoming> = conversations.iter_mut().filter(|one| one.space.is_some()).collect();
    let [conversation] = &mut coming[..] else {
        let what = format!("the file holds {} conversations, but one thread name was given", coming.len());
        return Err(Invalid::new(what, "leave the name out, or split the file"));
    };
    conversation.thread = Some(thread.to_owned());
    Ok(())
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ImportArguments {
    /// The file or folder: an export of Recordar, ChatGPT, Claude, Slack, mem0 or Zep (also the ZIP archive as it was downloaded), a log of
    /// IRC, or a transcript.
    file: PathBuf,
    /// Format: recordar, chatgpt, claude, mem0, zep, transcript, irc or slack. Detected by default.
    #[schemars(extend("enum" = ["recordar", "chatgpt", "claude", "mem0", "zep", "transcript", "irc", "slack"]))]
    format: Option<String>,
    /// Import each user's data into a separate space, user:ID.
    #[serde(default)]
    each_user: bool,
    /// Thread name, for a file with a single conversation.
    thread: Option<String>,
    /// The day of the first line, such as 2026-01-31, for a log of IRC that has only times.
    date: Option<String>,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for ImportArguments {
    const NAME: &'static str = "import";
    const ABOUT: &'static str = "Import an export of Recordar or another system.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> =
        Reach::Files(Some(|import| if import.each_user { ReachKind::Store } else { ReachKind::OwnSpace }));
    const IS_LONG: bool = true;
    type Reply = ImportReport;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<ImportReport, Error> {
        let Self { file, format, each_user, thread, date, operation } = self;
        let format = format.as_deref().map(ImportFormat::parse).transpose()?;
        // An export that names another space must not lead a confined caller there.
        let names_space = call.caller.names_space || call.caller.within.is_some();
        let operation = call.operation(operation)?;
        let request = ImportRequest { format, each_user, thread, date, names_space, operation };
        match call.carried.take() {
            None => memory.import_file(call.space(), &file, &request),
            Some(carried) => {
                let Upload { name, file } = carried.only_upload(Self::NAME)?;
                memory.import_open(call.space(), file, &name, &request)
            }
        }
    }
}
