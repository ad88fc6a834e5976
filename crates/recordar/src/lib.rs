//! Recordar: memory and context for LLM applications, with a reason for every choice.
//!
//! Everything begins with a [`Recordar`], opened from a [`Config`]:
//!
//! ```
//! use recordar::{Config, Message, OperationId, Recordar, SpaceName};
//!
//! # fn main() -> Result<(), recordar::Error> {
//! # let folder = tempfile::tempdir().unwrap();
//! let config = Config::from_toml("[database]\nurl = \"sqlite:memory.db\"", folder.path())?;
//! let memory = Recordar::open(config, recordar::system_clock())?;
//! let space = SpaceName::user("ada")?;
//! let operation = OperationId::parse("first-words")?;
//! memory.remember(&space, &[Message::new("I take the 8:15 train.")], &operation)?;
//! # Ok(())
//! # }
//! ```
//!
//! The engine is synchronous. The caller supplies the clock and operation ids, so that the same calls store the same rows.
//!
//! What is used everywhere stands at the root; the rest is in modules by noun.

pub mod call;
mod engine;
mod enrich;
mod expire;
mod fact;
mod flow;
#[doc(hidden)]
pub mod fuzzing;
mod ingest;
mod inspect;
pub mod key;
#[doc(hidden)]
pub mod measure;
mod summary;
pub mod verb;

pub use engine::{Clock, Recordar, system_clock};
pub use recordar_core::config::Config;
pub use recordar_core::error::Error;
pub use recordar_core::{answer, compose};
pub use recordar_domain::{Invalid, Message, OperationId, SpaceName, Timestamp, text};

/// The category tree: its settings, its shape, editing it and growing it.
pub mod category {
    pub use crate::ingest::BatchReport;
    pub use crate::verb::classify::{ClassifiedDocument, ClassifyReport};
    pub use crate::verb::tree::{CategoryView, LevelView, TreeEdit, TreeEdited, TreeView};
    pub use recordar_core::config::TreeConfig;
    pub use recordar_core::tree::{CategoryLimits, Traversal, TraversalStrategy};
}

/// The configuration: read and validated once; every mistake is reported with its key, value, range and fix.
pub mod config {
    pub use recordar_core::config::{
        AnswerConfig, Cassette, ComposeConfig, Config, ConfigFile, EnrichmentConfig, FileSource, LlmConfig,
        MAX_MODEL_FOLDERS, Mistake, ModelFolder, ModelFolders, ModelKind, Overrides, PromptLimiting, RecallConfig,
        Route, SHIPPED_JUDGE, ServerConfig, Setting, SummariesConfig, Surroundings, TlsFiles, TreeConfig, Trust,
        Trusted, TrustedFile, User, WhenAway, WorkConfig, parse_addr,
    };
}

/// The database: its address, cancelling a call, and its rows as they are.
pub mod database {
    pub use recordar_store::{Cancel, DatabaseUrl, FullText, Password, RawStore, RawTransactions};
}

/// `doctor`: a check of configuration, database, disk and models.
pub mod doctor {
    pub use crate::inspect::{Finding, FindingStatus};
}

/// Documents: ingesting them, finding one, its versions and its chunks.
pub mod document {
    pub use crate::ingest::{
        CollectionRequest, FileReport, FileStatus, IngestReport, IngestRequest, IngestTiming, PlacingRequest, Problem,
        SelectFiles, Skipped, TextRequest, Totals, Watched,
    };
    pub use crate::verb::documents::{
        ChunkView, Difference, DocumentText, DocumentView, DocumentsRequest, VersionView,
    };
    pub use crate::verb::edit_document::{AttributesChange, DocumentEdit};
    pub use crate::verb::find_document::DocumentResult;
    pub use recordar_core::route::document::{DocumentFallback, DocumentMeta, DocumentRequest, VersionStrategy};
    pub use recordar_domain::{Attributes, Digest, FileType, Manifest};
}

/// Evaluation: questions with known answers, and how well they are found.
pub mod eval {
    pub use crate::verb::eval::{
        Ablation, AnswerKind, Baseline, ChangedQuestion, Comparison, Differences, EvalMeans, EvalOptions, EvalReport,
        EvalRow, EvalSet, Figures, KindReport, Latency, MADE_WORDS, MeanAblation, MeanDifference, MeanWords,
        PairedDifference, RecallFigures, SavedRun, WordsReport,
    };
}

/// Facts: what holds, since when, and who said so.
pub mod facts {
    pub use crate::verb::confirm_fact::FactConfirmed;
    pub use crate::verb::facts::{ExtractReport, FactChanged, FactHistory, FactList, FactStep, FactsRequest};
    pub use recordar_core::noun::fact::{FactView, StoredFact, Unverified};
    pub use recordar_domain::FactMethod;
}

/// Standing texts of a space, which come before everything that is found, and what people mark as important.
pub mod standing {
    pub use crate::verb::important::ImportantMarked;
    pub use crate::verb::standing_texts::{
        StandingTextDifference, StandingTextHistory, StandingTextSet, StandingTextView,
    };
    pub use recordar_domain::StandingText;
}

/// Summaries of old messages.
pub mod summaries {
    pub use crate::verb::summaries::{SummariesQueued, SummaryList, SummaryView};
}

/// Files that others may be changing, and files with content or secrets.
pub mod file_access {
    pub use recordar_core::file::open_plain;
    pub use recordar_core::private_file::write_private;
}

/// Forgetting: deleting for good, now or when an end has come.
pub mod forget {
    pub use crate::expire::Expired;
    pub use crate::verb::expiry::{ExpireReport, ExpirySet, ExpiryTarget, ExpiryView};
    pub use crate::verb::forget::{ForgetReport, ForgetRequest};
    pub use recordar_domain::Expiry;
    pub use recordar_store::Forgotten;
}

/// Records: named values that applications keep, and that are never searched.
pub mod record {
    pub use crate::verb::records::{
        BucketList, BucketView, Record, RecordList, RecordName, RecordOrdering, RecordView, RecordsDeleted, RecordsPut,
        RecordsRequest,
    };
}

/// Contextual helpers: what prompts say of a source.
pub mod helper {
    pub use crate::ingest::{Helper, HelperInput, HelperReport};
    pub use crate::verb::contextual_helper::{HelperRequest, HelperVersion, HelperView};
    pub use recordar_domain::{HelperFields, iso_date};
}

/// Items: messages, facts, summaries and chunks.
pub mod item {
    pub use crate::verb::items::{AboutDocument, ItemList, ItemName, ItemsRequest, StoredItem};
    pub use crate::verb::update::{HistoryEntry, ItemHistory, UpdateRequest, Updated};
    pub use recordar_core::noun::item::{ItemView, StoredWith};
    pub use recordar_domain::{Importance, ItemKind, Metadata, Role};
}

/// Models: what they can and cost, their calls, who did a task, and those from folders.
pub mod model {
    pub use crate::verb::entail::Entailed;
    pub use crate::verb::model_folders::{AddedModel, CheckedModel, ModelsCheck};
    pub use crate::verb::models::{JudgeReport, KeyState, LlmReport, ModelsReport, ModelsTest, PriceView, TaskTest};
    pub use crate::verb::reembed::Reembedded;
    pub use crate::verb::summarise::SummariseResult;
    pub use recordar_core::config::{ModelFolder, ModelFolders, ModelKind, SHIPPED_JUDGE};
    pub use recordar_core::noun::method::{Method, ModelProblem};
    pub use recordar_core::noun::summary::{Summary, TextToSummarise};
    pub use recordar_core::reason::EntailmentView;
    pub use recordar_llm::{
        CallReport, Ceiling, Ceilings, Estimate, Exchange, ModelName, ModelSettings, Parameters, Spend, Structured,
        Table as ModelTable, usd,
    };
    pub use recordar_models::{Embed, EmbedFailure, EmbedderName, MAX_DIMENSION, TextKind};
}

/// Metrics of recalls.
pub mod metrics {
    pub use crate::verb::metrics::{MetricsReport, RetrievalMetrics};
    pub use recordar_core::recall::Measured;
}

/// Operations: writes that are done once, however often they are asked for.
pub mod operation {
    pub use crate::verb::operation::OperationView;
}

/// How far a long call is, and what a call waits for.
pub mod progress {
    pub use recordar_core::noun::progress::Progress;
    pub use recordar_core::waits::WaitObserver;
}

/// Queries: descending the category tree.
pub mod query {
    pub use crate::verb::query::{PathView, QueryRequest, QueryResult};
    pub use recordar_core::noun::chunk::QueryChunk;
    pub use recordar_core::noun::descent::DescentOptions;
    pub use recordar_core::noun::path::{DroppedPath, PathError};
    pub use recordar_core::reason::Selected;
    pub use recordar_core::route::tree::SelectResponse;
}

/// The queue of jobs, and the backlog of messages without labels.
pub mod queue {
    pub use crate::enrich::{Backlog, WorkReport};
    pub use crate::verb::work::{DeadJobView, JobsChanged, QueueReport, QueuedKind};
}

/// Recalls: what is asked for, the settings, and what comes out.
pub mod recall {
    pub use recordar_core::recall::{
        Authority, BudgetCovers, CandidateView, ExcerptRule, Fallback, Interleaving, Measured, MemoryEntry, Provenance,
        RecallMetadata, RecallMetrics, RecallOverrides, RecallProblem, RecallRequest, RecallResult, RecallSettings,
        RecallTiming, Strategy, recall_range,
    };
}

/// Receipts: what a recall, an answer or a composition was made of, so that it can be made again and compared.
pub mod receipt {
    pub use recordar_core::receipt::{
        AnswerReceipt, ComposeReceipt, FoundItem, Receipt, ReceiptChunk, ReceiptExport, ReceiptHelper, ReceiptMemory,
        ReceiptPart, ReceiptSummary, ReceiptText, ReceiptView, ReceiptsImported, SentReceipt, StagedInputs,
        StandingVersions, TreeInputs, Why, WhyAnswer,
    };
}

/// Redaction of replies.
pub mod redaction {
    pub use recordar_core::guard::{Hide, Hiding};
}

/// Searches, and the parts of a score.
pub mod search {
    pub use crate::verb::search::{SearchReply, SearchResult, SearchTiming, ThreadHitView, ThreadSearchResult};
    pub use recordar_core::noun::hit::{HitView, WordView};
    pub use recordar_core::noun::rerank::{JudgeConfidence, Rerank, RerankView};
    pub use recordar_core::noun::search::SearchRequest;
    pub use recordar_domain::Filter;
    pub use recordar_index::{Evidence, Mode as SearchMode, Signal, SignalSet};
}

/// Threads and their messages.
pub mod thread {
    pub use crate::verb::remember::Remembered;
    pub use crate::verb::spaces::SpaceNames;
    pub use crate::verb::threads::{MessageView, ThreadView};
}

/// Traces: the decisions of a call.
pub mod trace {
    pub use recordar_domain::{Action, Decision, Stage, Trace};
}

/// Data in and out: exports, backups, and what other systems export.
pub mod transfer {
    pub use crate::verb::import::{ImportFormat, ImportReport, ImportRequest, ImportedConversation};
    pub use crate::verb::transfer::{ExportReport, ExportScope, RestoreReport};
    pub use recordar_convert::{ForeignFormat, LeftOut};
    pub use recordar_store::{ExportedSpace, ImportedSpace};
}

/// The controlled vocabulary, and the labels of messages.
pub mod vocabulary {
    pub use crate::verb::vocabulary::{SuggestionView, VocabularyChangeView, VocabularyEdited, VocabularyView};
    pub use recordar_core::noun::labels::{LabelQuery, LabelView};
    pub use recordar_core::noun::staged::{StageSource, StagedEvidence, StagedReport};
    pub use recordar_domain::{Confidence, Entity, Intent, Term, TermKind, TimeScope, Vocabulary, VocabularyFile};
}

/// Why an item is not in a context.
pub mod why_not {
    pub use crate::verb::why_not::{FallenAt, SettingChange, WhyNot};
}
