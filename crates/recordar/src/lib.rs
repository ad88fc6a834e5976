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

mod assemble;
pub mod call;
mod config;
mod convert;
mod doctor;
mod engine;
mod error;
mod file;
#[doc(hidden)]
pub mod fuzzing;
mod hide;
mod index;
mod ingest;
mod measure;
mod policy;
mod private_file;
mod reason;
mod route;
mod tree;
mod verb;

pub use assemble::{MemoryEntry, Provenance};
pub use call::Progress;
pub use config::{
    AnswerConfig, Cassette, CategoryLimits, Config, ConfigFile, FileSource, LlmConfig, Mistake, Overrides,
    PromptLimiting, RecallConfig, Route, Setting, Surroundings, TreeConfig, Trust, Trusted, TrustedFile, User,
    WhenAway,
};
pub use convert::{ForeignFormat, LeftOut};
pub use doctor::{Finding, FindingStatus};
pub use engine::{Clock, Recordar, system_clock};
pub use error::{Error, NoPath};
pub use file::open_plain;
pub use hide::{Hide, Hiding};
pub use ingest::{
    BatchReport, FileReport, FileStatus, Helper, HelperInput, HelperReport, IngestReport, IngestRequest, IngestTiming,
    PlacingRequest, Problem, TextRequest, Totals,
};
pub use measure::IndexFigures;
pub use policy::{
    Authority, Fallback, Interleaving, Measured, RecallMetrics, RecallOverrides, RecallProblem, RecallSettings,
    Strategy, recall_range,
};
pub use private_file::write_private;
pub use reason::{Method, ModelProblem, Selected, Summary, TextToSummarise};
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
pub use route::ItemView;
pub use route::document::{DocumentFallback, DocumentMeta, DocumentRequest, VersionStrategy};
pub use route::leaves::{PathError, QueryChunk};
pub use route::tree::{DroppedPath, SelectResponse};
pub use tree::{Traversal, TraversalStrategy};
pub use verb::answer_receipt::{AnswerReceipt, WhyAnswer};
pub use verb::ask::{AskRequest, AskResult, Citation, LimitingOptions, UsedChunk};
pub use verb::classify::{ClassifiedDocument, ClassifyReport};
pub use verb::document::DocumentResult;
pub use verb::documents::{ChunkView, Difference, DocumentText, DocumentView, VersionView};
pub use verb::eval::{EvalReport, EvalRow, EvalSet, Figures, KindReport, Latency, RecallFigures};
pub use verb::forget::{ForgetReport, ForgetRequest};
pub use verb::helper::{HelperRequest, HelperVersion, HelperView};
pub use verb::import::{ImportFormat, ImportReport, ImportRequest, ImportedConversation};
pub use verb::models::{KeyState, LlmReport, ModelsReport, ModelsTest, PriceView, TaskTest};
pub use verb::operation::OperationView;
pub use verb::query::{DescentOptions, PathView, QueryRequest, QueryResult};
pub use verb::recall::{CandidateView, RecallMetadata, RecallRequest, RecallResult, RecallTiming};
pub use verb::receipts::{FoundItem, Receipt, ReceiptExport, ReceiptMemory, ReceiptView, ReceiptsImported, Why};
pub use verb::remember::{Message, Remembered};
pub use verb::search::{
    HitView, SearchReply, SearchRequest, SearchResult, SearchTiming, ThreadHitView, ThreadSearchResult, WordView,
};
pub use verb::spaces::SpaceNames;
pub use verb::summarise::SummariseResult;
pub use verb::threads::{MessageView, ThreadView};
pub use verb::transfer::{ExportReport, ExportScope, RestoreReport};
pub use verb::tree::{CategoryView, LevelView, TreeEdit, TreeEdited, TreeView};
pub use verb::why_not::{FallenAt, SettingChange, WhyNot};
