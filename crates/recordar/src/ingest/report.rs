//! The report of an ingestion, file by file.

use super::{BatchReport, HelperReport};
use recordar_core::noun::method::ModelProblem;
use recordar_core::problem::Problem;
use recordar_domain::{Action, Stage, Trace};
use recordar_llm::CallReport;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct IngestReport {
    pub space: String,
    pub operation: String,
    pub totals: Totals,
    pub files: Vec<FileReport>,
    /// What was found in folders and not read, by reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// Notes about the whole call.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Problem>,
    /// The classification calls, in order.
    pub batches: Vec<BatchReport>,
    /// Every call of the model, including failed ones.
    pub responses: Vec<CallReport>,
    pub trace: Trace,
    pub timing: IngestTiming,
}

/// Files and folders that were not read for one reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Skipped {
    pub reason: String,
    /// What the reason means.
    pub what: String,
    pub count: u64,
    /// The first of them.
    pub paths: Vec<String>,
}

impl Skipped {
    const MOST_PATHS: usize = 10;

    /// What the load stage dropped, in the order of the reasons.
    pub(super) fn of(load: &Stage) -> Vec<Self> {
        let mut by_reason: BTreeMap<&str, Self> = BTreeMap::new();
        for decision in load.decisions.iter().filter(|decision| decision.action == Action::Dropped) {
            let skipped = by_reason.entry(&decision.reason).or_insert_with(|| Self {
                reason: decision.reason.clone(),
                what: decision.detail.clone(),
                count: 0,
                paths: Vec::new(),
            });
            skipped.count += 1;
            if skipped.paths.len() < Self::MOST_PATHS {
                skipped.paths.push(decision.subject.clone());
            }
        }
        by_reason.into_values().collect()
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Totals {
    pub files: u64,
    pub added: u64,
    pub updated: u64,
    pub moved: u64,
    pub unchanged: u64,
    /// Of the unchanged ones, those that have other attributes now.
    pub attributes_changed: u64,
    pub vanished: u64,
    pub retired: u64,
    pub failed: u64,
    pub not_tried: u64,
    /// Already done under this operation id; not counted above, and nothing was stored again.
    pub repeated: u64,
    /// Skipped in folders: other types, links, empty and generated files, what globs leave out.
    pub skipped: u64,
    pub bytes: u64,
    pub chunks: u64,
    pub tokens: u64,
    /// Of the chunks.
    pub classified: u64,
    pub unclassified: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FileReport {
    pub path: String,
    pub status: FileStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_id: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version_id: Option<i64>,
    /// The current version's number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<i64>,
    pub bytes: u64,
    pub chunks: u64,
    pub tokens: u64,
    /// Of the chunks, those that the previous version had.
    pub kept_chunks: u64,
    /// Chunks of the previous version that are no longer live.
    pub retired_chunks: u64,
    /// Where the file was before it moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_from: Option<String>,
    /// Whether its tags, topic, note, provider or metadata changed without its content.
    pub attributes_changed: bool,
    /// Chunks that have a leaf in the category tree.
    pub classified: u64,
    /// Chunks without a leaf, pending for `classify`.
    pub unclassified: u64,
    /// The source's helper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub helper: Option<HelperReport>,
    /// Why the configured model did not do all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_problem: Option<ModelProblem>,
    /// Whether this operation was done before; then this is its original result.
    pub repeated: bool,
    pub warnings: Vec<Problem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Problem>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileStatus {
    Added,
    Updated,
    /// Stored before under another name; its file is here now.
    Moved,
    Unchanged,
    /// Stored, but the file no longer exists.
    Vanished,
    /// Vanished, and retired by `prune`.
    Retired,
    Failed,
    /// Skipped because the database failed at an earlier file.
    NotTried,
}

impl FileStatus {
    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Updated => "updated",
            Self::Moved => "moved",
            Self::Unchanged => "unchanged",
            Self::Vanished => "vanished",
            Self::Retired => "retired",
            Self::Failed => "failed",
            Self::NotTried => "not tried",
        }
    }
}

/// CPU seconds by stage. Measured, and not part of any digest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, JsonSchema)]
pub struct IngestTiming {
    pub read_cpu_s: f64,
    pub manifest_cpu_s: f64,
    pub chunk_cpu_s: f64,
    pub store_cpu_s: f64,
    /// Placing the documents in the tree without a model.
    pub place_cpu_s: f64,
}

impl FileReport {
    pub(super) fn new(path: &str, status: FileStatus) -> Self {
        Self {
            path: path.to_owned(),
            status,
            document_id: None,
            version_id: None,
            version: None,
            bytes: 0,
            chunks: 0,
            tokens: 0,
            kept_chunks: 0,
            retired_chunks: 0,
            moved_from: None,
            attributes_changed: false,
            classified: 0,
            unclassified: 0,
            helper: None,
            model_problem: None,
            repeated: false,
            warnings: Vec::new(),
            error: None,
        }
    }

    pub(super) fn failed(path: &str, problem: Problem) -> Self {
        Self { error: Some(problem), ..Self::new(path, FileStatus::Failed) }
    }
}

impl Totals {
    pub(super) fn of(files: &[FileReport]) -> Self {
        let count = |status| files.iter().filter(|file| file.status == status && !file.repeated).count() as u64;
        let is_stored = |file: &&FileReport| {
            matches!(file.status, FileStatus::Added | FileStatus::Updated | FileStatus::Moved) && !file.repeated
        };
        let sum = |amount: fn(&FileReport) -> u64| files.iter().filter(is_stored).map(amount).sum();
        Self {
            files: files.len() as u64,
            added: count(FileStatus::Added),
            updated: count(FileStatus::Updated),
            moved: count(FileStatus::Moved),
            attributes_changed: files.iter().filter(|file| file.attributes_changed).count() as u64,
            unchanged: count(FileStatus::Unchanged),
            vanished: count(FileStatus::Vanished),
            retired: count(FileStatus::Retired),
            failed: count(FileStatus::Failed),
            not_tried: count(FileStatus::NotTried),
            repeated: files.iter().filter(|file| file.repeated).count() as u64,
            skipped: 0,
            bytes: sum(|file| file.bytes),
            chunks: sum(|file| file.chunks),
            tokens: sum(|file| file.tokens),
            classified: sum(|file| file.classified),
            unclassified: sum(|file| file.unclassified),
        }
    }
}
