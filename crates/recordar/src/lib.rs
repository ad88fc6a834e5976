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

mod answer;
mod assemble;
pub mod call;
mod config;
mod convert;
mod doctor;
mod engine;
mod error;
mod file;
mod flow;
#[doc(hidden)]
pub mod fuzzing;
mod guard;
mod index;
mod ingest;
#[doc(hidden)]
pub mod measure;
mod noun;
mod private_file;
mod prompt;
mod reason;
mod recall;
mod receipt;
mod route;
mod tree;
mod verb;

pub use answer::{AskRequest, AskResult, Citation, LimitingOptions, UsedChunk};
pub use config::{
    AnswerConfig, Cassette, Config, ConfigFile, FileSource, LlmConfig, Overrides, PromptLimiting, RecallConfig, Route,
    Setting, Surroundings, TreeConfig, Trust, Trusted, TrustedFile, User, WhenAway,
};
pub use convert::{ForeignFormat, LeftOut};
pub use doctor::{Finding, FindingStatus};
pub use engine::{Clock, Recordar, system_clock};
pub use error::{Error, Mistake, NoPath};
pub use file::open_plain;
pub use guard::{Hide, Hiding};
pub use ingest::{
    BatchReport, FileReport, FileStatus, Helper, HelperInput, HelperReport, IngestReport, IngestRequest, IngestTiming,
    PlacingRequest, Problem, TextRequest, Totals,
};
pub use noun::chunk::QueryChunk;
pub use noun::descent::DescentOptions;
pub use noun::hit::{HitView, WordView};
pub use noun::item::ItemView;
pub use noun::memory::{MemoryEntry, Provenance};
pub use noun::method::{Method, ModelProblem};
pub use noun::path::{DroppedPath, PathError};
pub use noun::progress::Progress;
pub use noun::search::SearchRequest;
pub use noun::summary::{Summary, TextToSummarise};
pub use private_file::write_private;
pub use reason::Selected;
pub use recall::{
    Authority, Fallback, Interleaving, Measured, RecallMetrics, RecallOverrides, RecallProblem, RecallSettings,
    Strategy, recall_range,
};
pub use recall::{CandidateView, RecallMetadata, RecallRequest, RecallResult, RecallTiming};
pub use receipt::{
    AnswerReceipt, FoundItem, Receipt, ReceiptChunk, ReceiptExport, ReceiptHelper, ReceiptMemory, ReceiptSummary,
    ReceiptView, ReceiptsImported, TreeInputs, Why, WhyAnswer,
};
pub use recordar_domain::{
    Action, Attributes, Decision, Digest, FileType, HelperFields, Importance, Invalid, ItemKind, Manifest, Metadata,
    OperationId, Role, SpaceName, Stage, Timestamp, Trace, iso_date, text,
};
pub use recordar_index::{Evidence, Mode as SearchMode};
pub use recordar_llm::{
    CallReport, Ceiling, Ceilings, Estimate, Exchange, ModelName, ModelSettings, Parameters, Spend, Structured,
    Table as ModelTable, usd,
};
pub use recordar_store::{
    Cancel, DatabaseUrl, ExportedSpace, Forgotten, FullText, ImportedSpace, Password, RawStore, RawTransactions,
};
pub use route::document::{DocumentFallback, DocumentMeta, DocumentRequest, VersionStrategy};
pub use route::tree::SelectResponse;
pub use tree::{CategoryLimits, Traversal, TraversalStrategy};
pub use verb::classify::{ClassifiedDocument, ClassifyReport};
pub use verb::document::DocumentResult;
pub use verb::documents::{ChunkView, Difference, DocumentText, DocumentView, VersionView};
pub use verb::eval::{EvalReport, EvalRow, EvalSet, Figures, KindReport, Latency, RecallFigures};
pub use verb::forget::{ForgetReport, ForgetRequest};
pub use verb::helper::{HelperRequest, HelperVersion, HelperView};
pub use verb::import::{ImportFormat, ImportReport, ImportRequest, ImportedConversation};
pub use verb::models::{KeyState, LlmReport, ModelsReport, ModelsTest, PriceView, TaskTest};
pub use verb::operation::OperationView;
pub use verb::query::{PathView, QueryRequest, QueryResult};
pub use verb::remember::{Message, Remembered};
pub use verb::search::{SearchReply, SearchResult, SearchTiming, ThreadHitView, ThreadSearchResult};
pub use verb::spaces::SpaceNames;
pub use verb::summarise::SummariseResult;
pub use verb::threads::{MessageView, ThreadView};
pub use verb::transfer::{ExportReport, ExportScope, RestoreReport};
pub use verb::tree::{CategoryView, LevelView, TreeEdit, TreeEdited, TreeView};
pub use verb::why_not::{FallenAt, SettingChange, WhyNot};
