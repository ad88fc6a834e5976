//! The arguments of each verb. What stands above a field is what programs and language models are told about it.

use super::Caller;
use super::tree_arguments::{DescentArguments, RouteArguments};
use crate::{
    AskRequest, DocumentMeta, DocumentRequest, ForgetRequest, ImportFormat, ImportRequest, IngestRequest, Interleaving,
    Message, PlacingRequest, RecallOverrides, RecallRequest, SearchMode, SearchRequest, Strategy, TextRequest,
    VersionStrategy,
};
use recordar_domain::{Attributes, FileType, Invalid, Metadata, SpaceName, Timestamp};
use schemars::JsonSchema;
use serde::Deserialize;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct NoArguments {}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct RememberArguments {
    /// What to store, in order: all of it or nothing.
    pub(super) messages: Vec<Message>,
    /// An id that makes it safe to repeat the call: what was done under it is not done again.
    pub(super) operation: Option<String>,
}

/// What is said about a document.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct AttributeArguments {
    /// Words to find it by.
    #[serde(default)]
    tags: Vec<String>,
    /// What it is about.
    topic: Option<String>,
    /// A note on it.
    note: Option<String>,
    /// Who supplied it.
    provider: Option<String>,
    /// An object to keep with it.
    #[serde(default)]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    metadata: Metadata,
}

impl AttributeArguments {
    pub(super) fn attributes(self) -> Result<Attributes, Invalid> {
        Attributes::new(self.tags.iter().map(String::as_str), self.topic, self.note, self.provider, self.metadata)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct IngestArguments {
    /// Files and folders. In folders .txt .md .json .yml .yaml are read.
    paths: Vec<PathBuf>,
    /// What the files are, whatever their endings: text, markdown, json or yaml.
    #[serde(rename = "type")]
    #[schemars(with = "Option<String>", extend("enum" = ["text", "markdown", "json", "yaml"]))]
    file_type: Option<FileType>,
    /// Retire documents whose files are gone from the given paths.
    #[serde(default)]
    prune: bool,
    /// Store a new version even where the content is unchanged.
    #[serde(default)]
    force: bool,
    /// An id that makes it safe to repeat the call.
    operation: Option<String>,
}

impl IngestArguments {
    pub(super) fn request(
        self,
        attributes: Attributes,
        placing: PlacingRequest,
        caller: &Caller,
    ) -> Result<IngestRequest, Invalid> {
        Ok(IngestRequest {
            paths: self.paths,
            attributes,
            file_type: self.file_type,
            prune: self.prune,
            force: self.force,
            placing,
            operation: caller.operation(self.operation)?,
        })
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct IngestTextArguments {
    /// The text to store as a document.
    text: String,
    /// The document's name, such as notes/trip.md. The same name again is a new version of it.
    name: String,
    /// What it is: text, markdown, json or yaml. By the ending of its name, where nothing is said.
    #[serde(rename = "type")]
    #[schemars(with = "Option<String>", extend("enum" = ["text", "markdown", "json", "yaml"]))]
    file_type: Option<FileType>,
    /// When the text is from, such as 2026-01-31T09:30:00Z.
    #[schemars(with = "Option<String>")]
    mtime: Option<Timestamp>,
    /// Store a new version even where the content is unchanged.
    #[serde(default)]
    force: bool,
    /// An id that makes it safe to repeat the call: what was done under it is not done again.
    operation: Option<String>,
}

impl IngestTextArguments {
    pub(super) fn request(
        self,
        attributes: Attributes,
        placing: PlacingRequest,
        caller: &Caller,
    ) -> Result<TextRequest, Invalid> {
        let by_name = FileType::of_path(Path::new(&self.name));
        Ok(TextRequest {
            file_type: self.file_type.or(by_name).unwrap_or(FileType::Text),
            name: self.name,
            text: self.text,
            attributes,
            mtime: self.mtime,
            force: self.force,
            placing,
            operation: caller.operation(self.operation)?,
        })
    }
}

/// What a recall can be told. Where nothing is said, recordar.toml says it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct RecallOptions {
    /// Spaces to look into as well, such as shared:handbook.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    also: Vec<SpaceName>,
    /// How many memories, at most.
    top_k: Option<u32>,
    /// How many sentences of each.
    clip_sentences: Option<u32>,
    /// How many tokens all of them may have together.
    max_tokens: Option<u32>,
    /// By what to search: keyword, semantic or hybrid.
    #[schemars(with = "Option<String>", extend("enum" = ["keyword", "semantic", "hybrid"]))]
    search_type: Option<SearchMode>,
    /// Leave out what scores less, from 0 to 1.
    min_score: Option<f64>,
    /// In what order: alternate, score_first or recency_first.
    #[schemars(with = "Option<String>", extend("enum" = ["alternate", "score_first", "recency_first"]))]
    interleaving: Option<Strategy>,
    /// The share of places for the first order of score_first or recency_first, from 0 to 1.
    interleaving_ratio: Option<f64>,
    /// Take out social security numbers, card numbers and e-mail addresses.
    enable_redaction: Option<bool>,
    /// Regular expressions whose matches are taken out, too.
    #[serde(default)]
    custom_redaction_patterns: Vec<String>,
    /// When the question is asked, for "last week" and the like; now, where nothing is said.
    #[schemars(with = "Option<String>")]
    asked_at: Option<Timestamp>,
    /// Recall what was stored at that time, such as 2026-01-31T09:30:00Z, ranked as it was then.
    #[schemars(with = "Option<String>")]
    as_of: Option<Timestamp>,
}

impl RecallOptions {
    pub(super) fn request(self, query: &str, caller: &Caller) -> (Vec<SpaceName>, RecallRequest) {
        let ratio = self.interleaving_ratio;
        let strategy = self.interleaving.or(ratio.map(|_| Strategy::default()));
        let settings = RecallOverrides {
            top_k: self.top_k,
            clip_sentences: self.clip_sentences,
            max_tokens: self.max_tokens,
            search_type: self.search_type,
            min_score: self.min_score,
            enable_redaction: self.enable_redaction,
            custom_redaction_patterns: self.custom_redaction_patterns,
            interleaving: strategy.map(|strategy| Interleaving { strategy, ratio }),
        };
        let request = RecallRequest {
            settings,
            authority: caller.authority,
            asked_at: self.asked_at,
            as_of: self.as_of,
            ..RecallRequest::new(query)
        };
        (caller.spaces(&self.also), request)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct RecallArguments {
    /// What to recall memories for: a question, or what the user just said.
    query: String,
    /// Whether to search at all; false gives an empty result.
    use_memory: Option<bool>,
    /// The conversation that asks: a name, which is checked and kept in a receipt, and chooses nothing.
    session_id: Option<String>,
    /// Keep a receipt, or none, whatever is configured.
    receipt: Option<bool>,
}

impl RecallArguments {
    pub(super) fn request(self, options: RecallOptions, caller: &Caller) -> (Vec<SpaceName>, RecallRequest) {
        let (spaces, request) = options.request(&self.query, caller);
        let use_memory = self.use_memory.unwrap_or(request.use_memory);
        (spaces, RecallRequest { use_memory, session_id: self.session_id, receipt: self.receipt, ..request })
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct AskArguments {
    /// The question to answer from what is stored.
    query: String,
    /// The conversation that asks: a name, which is checked and kept in a receipt, and chooses nothing.
    session_id: Option<String>,
    /// Keep a receipt, or none, whatever is configured.
    receipt: Option<bool>,
    /// Say what an answer would cost at the most, and ask no model.
    #[serde(default)]
    dry_run: bool,
}

impl AskArguments {
    pub(super) fn request(
        self,
        options: RecallOptions,
        descent: DescentArguments,
        route: RouteArguments,
        caller: &Caller,
    ) -> (Vec<SpaceName>, AskRequest) {
        let (spaces, recall) = options.request(&self.query, caller);
        let recall = RecallRequest { session_id: self.session_id, receipt: self.receipt, ..recall };
        let (route, limiting) = (route.route, route.limiting());
        (spaces, AskRequest { recall, dry_run: self.dry_run, route, descent: descent.options(), limiting })
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct TestModelsArguments {
    /// Say what it would cost at the most, and ask no model.
    #[serde(default)]
    pub(super) dry_run: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct WhyNotArguments {
    /// The id of the item that is missed.
    pub(super) item: i64,
    /// What was asked.
    pub(super) query: String,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct SearchArguments {
    /// What to look for: words, or a question.
    query: String,
    /// Spaces to search as well, such as shared:handbook.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    also: Vec<SpaceName>,
    /// By what to search: keyword, semantic or hybrid.
    #[schemars(with = "Option<String>", extend("enum" = ["keyword", "semantic", "hybrid"]))]
    mode: Option<SearchMode>,
    /// How many hits, at most, from 1 to 1000; 10 where nothing is said.
    limit: Option<usize>,
    /// Find whole threads and documents instead of single items.
    #[serde(default)]
    pub(super) threads: bool,
    /// When the question is asked, for "last week" and the like; now, where nothing is said.
    #[schemars(with = "Option<String>")]
    asked_at: Option<Timestamp>,
    /// Search what was stored at that time, ranked as it was then.
    #[schemars(with = "Option<String>")]
    as_of: Option<Timestamp>,
}

impl SearchArguments {
    pub(super) fn request(&self, caller: &Caller) -> (Vec<SpaceName>, SearchRequest) {
        let default = SearchRequest::new(&self.query);
        let request = SearchRequest {
            mode: self.mode.unwrap_or(default.mode),
            limit: self.limit.unwrap_or(default.limit),
            asked_at: self.asked_at,
            as_of: self.as_of,
            ..default
        };
        (caller.spaces(&self.also), request)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct DocumentArguments {
    /// Its file name or path.
    #[serde(alias = "file_name")]
    filename: Option<String>,
    /// What it is about.
    topic: Option<String>,
    /// A note on it.
    note: Option<String>,
    /// Who supplied it.
    provider: Option<String>,
    /// Tags that it must have, all of them.
    #[serde(default)]
    tags: Vec<String>,
    /// What to search for, in the place of what the other fields say.
    query: Option<String>,
    /// How many documents are looked at, with all their versions, from 1 to 1000; 50 where nothing is said.
    k: Option<usize>,
    /// Tags that are always required.
    #[serde(default)]
    default_tags: Vec<String>,
    /// Which version: latest, earliest, longest or score.
    #[serde(default)]
    #[schemars(with = "Option<String>", extend("enum" = ["latest", "earliest", "longest", "score"]))]
    strategy: VersionStrategy,
    /// With latest: the newest version that was there at that time.
    #[schemars(with = "Option<String>")]
    as_of: Option<Timestamp>,
    /// Fail where the name, the tags, the query or the time match nothing, instead of going on without it.
    #[serde(default)]
    strict: bool,
}

impl DocumentArguments {
    pub(super) fn request(self) -> DocumentRequest {
        let Self { filename, topic, note, provider, tags, query, .. } = self;
        DocumentRequest {
            meta: DocumentMeta { filename, topic, note, provider, tags, query },
            k: self.k.unwrap_or(DocumentRequest::default().k),
            default_tags: self.default_tags,
            strategy: self.strategy,
            as_of: self.as_of,
            strict: self.strict,
        }
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct DocumentTextArguments {
    /// Its path, file name or id.
    pub(super) name: String,
    /// The number of a version; the newest, where nothing is said.
    pub(super) version: Option<i64>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct DocumentVersionsArguments {
    /// Its path, file name or id.
    pub(super) name: String,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct MessagesArguments {
    /// The thread's name; the messages that belong to no thread, where nothing is said.
    pub(super) thread: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct WhyArguments {
    /// The receipt's id, or the beginning of it.
    pub(super) receipt: String,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct ReceiptsArguments {
    /// How many, at most; 50 where nothing is said.
    #[serde(default = "fifty")]
    pub(super) limit: usize,
}

fn fifty() -> usize {
    50
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct ForgetArguments {
    /// Only say what would be removed.
    #[serde(default)]
    pub(super) dry_run: bool,
    /// An id that makes it safe to repeat the call: what was done under it is not done again.
    pub(super) operation: Option<String>,
}

/// One of these.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct ForgetTarget {
    /// The ids of single items.
    items: Option<Vec<i64>>,
    /// A document by its path, file name or id, with all its versions.
    document: Option<String>,
    /// A thread by its name, with all its messages.
    thread: Option<String>,
    /// Receipts by their ids, with the questions they hold; the items they name stay.
    receipts: Option<Vec<String>>,
    /// The whole space, with everything in it.
    #[serde(default)]
    whole_space: bool,
}

impl ForgetTarget {
    pub(super) fn request(self) -> Result<ForgetRequest, Invalid> {
        let targets = [
            self.items.map(ForgetRequest::Items),
            self.document.map(ForgetRequest::Document),
            self.thread.map(ForgetRequest::Thread),
            self.receipts.map(ForgetRequest::Receipts),
            self.whole_space.then_some(ForgetRequest::Space),
        ];
        let mut targets = targets.into_iter().flatten();
        match (targets.next(), targets.next()) {
            (Some(only), None) => Ok(only),
            (found, _) => Err(Invalid::new(
                if found.is_some() { "several things to forget were named" } else { "nothing to forget was named" },
                "name one of items, document, thread, receipts or whole_space",
            )),
        }
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct OperationArguments {
    /// The operation's id.
    pub(super) operation: String,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct ExportArguments {
    /// Where to write it.
    pub(super) file: PathBuf,
    /// The whole store instead of one space.
    #[serde(default)]
    pub(super) all: bool,
    /// Replace a file that is there already.
    #[serde(default)]
    pub(super) force: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct ImportArguments {
    /// What to read: an export of Recordar, ChatGPT, Claude, mem0 or Zep, or a transcript.
    file: PathBuf,
    /// What it is: recordar, chatgpt, claude, mem0, zep or transcript. By its content, where nothing is said.
    format: Option<String>,
    /// Put what belongs to different users into a space for each, user:ID.
    #[serde(default)]
    each_user: bool,
    /// What the thread is to be called, where the file holds one conversation.
    thread: Option<String>,
    /// An id that makes it safe to repeat the call.
    operation: Option<String>,
}

impl ImportArguments {
    pub(super) fn request(self, caller: &Caller) -> Result<(PathBuf, ImportRequest), Invalid> {
        let format = self.format.as_deref().map(ImportFormat::parse).transpose()?;
        let request = ImportRequest {
            format,
            each_user: self.each_user,
            thread: self.thread,
            names_space: caller.names_space,
            operation: caller.operation(self.operation)?,
        };
        Ok((self.file, request))
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct BackupArguments {
    /// Where to write it.
    pub(super) file: PathBuf,
    /// Replace a file that is there already.
    #[serde(default)]
    pub(super) force: bool,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct RestoreArguments {
    /// A backup. Everything that is in the store now is replaced by it.
    pub(super) file: PathBuf,
}
