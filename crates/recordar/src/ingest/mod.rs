//! Ingesting documents: load, manifest, chunk, helper, classify, store. One file is one transaction; a failed file does not stop the rest.

mod classify;
mod contextual_helper;
mod load;
mod pipeline;
mod places;
mod prepare;
mod report;
mod session;
mod stored_contextual_helper;
mod vanished;

pub use classify::BatchReport;
pub(crate) use classify::Placement;
pub use contextual_helper::{Helper, HelperInput, HelperReport};
pub(crate) use contextual_helper::{check_helper, origin_name};
pub(crate) use load::decode;
pub use places::PlacingRequest;
pub(crate) use places::{Placer, Places, ToPlace};
pub use report::{FileReport, FileStatus, IngestReport, IngestTiming, Problem, Totals};
pub(crate) use session::Session;
pub(crate) use stored_contextual_helper::{read_source, renew, renew_helper, sources_without_helper};

use crate::config::Config;
use crate::engine::Recordar;
use crate::error::Error;
use crate::noun::progress::Progress;
use load::shown;
use pipeline::{Stages, in_order, timed};
use places::Leaves;
use prepare::{Prepared, manifest, prepare};
use recordar_domain::{
    Action, Attributes, Digest, FileType, Hasher, Invalid, Manifest, OperationId, SpaceName, Stage, Timestamp, Trace,
};
use recordar_store::{NewVersion, Operation, OperationRow, OperationState, Settled, VersionRow};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use stored_contextual_helper::check_helpers;

/// Files and folders to store.
#[derive(Debug, Clone)]
pub struct IngestRequest {
    pub paths: Vec<PathBuf>,
    pub attributes: Attributes,
    /// File type, regardless of extension.
    pub file_type: Option<FileType>,
    /// Retire documents of the given folders whose files no longer exist.
    pub prune: bool,
    /// Store a new version even if the content is unchanged; prune even if nothing is left.
    pub force: bool,
    pub placing: PlacingRequest,
    pub operation: OperationId,
}

/// A text to store as a document; it need not be a file.
#[derive(Debug, Clone)]
pub struct TextRequest {
    /// The document's path, which identifies later versions.
    pub name: String,
    pub text: String,
    pub file_type: FileType,
    pub attributes: Attributes,
    /// When the text was written, if known.
    pub mtime: Option<Timestamp>,
    pub force: bool,
    pub placing: PlacingRequest,
    pub operation: OperationId,
}

/// The stored result of one file: numbers only, so that a forgotten document leaves nothing there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
struct Stored {
    status: FileStatus,
    document_id: i64,
    version_id: i64,
    version: i64,
    chunks: u64,
    tokens: u64,
    retired_chunks: u64,
    #[serde(default)]
    classified: u64,
}

/// One call: its request, and the state of the store when it began.
struct Ingestion<'a> {
    memory: &'a Recordar,
    space: &'a SpaceName,
    attributes: &'a Attributes,
    force: bool,
    placing: &'a PlacingRequest,
    session: Session,
    /// The newest version of each document, by path.
    newest: HashMap<String, VersionRow>,
    /// Results stored under this operation id before, by the digest of the part's id.
    done: HashMap<Digest, OperationRow>,
}

/// A file after every step that needs no transaction.
enum Ready {
    Done(FileReport),
    Store(Manifest, Prepared),
}

/// Stores files and folders. Failures of single files are in the report; an error means that nothing was tried.
///
/// The whole of it: what is stored, which files there are, which vanished; then each file is read and chunked beside others, and
/// classified and stored in order.
pub(crate) fn ingest(
    memory: &Recordar,
    space: &SpaceName,
    request: &IngestRequest,
    progress: &mut dyn FnMut(Progress),
) -> Result<IngestReport, Error> {
    let mut stages = Stages::default();
    let IngestRequest { attributes, force, placing, .. } = request;
    let ingestion = Ingestion::begin((memory, space), (attributes, *force, placing), &request.operation, None)?;
    let mut search = load::search(&request.paths, request.file_type, &mut stages.load);
    let found: Vec<String> = search.found.iter().map(|found| shown(&found.path)).collect();
    check_helpers(memory, space, placing, found.iter().map(String::as_str))?;
    let vanished = vanished::vanished(&mut search, &ingestion.newest);
    vanished::check(&search, &vanished, request)?;
    let mut files: Vec<FileReport> =
        search.refused.iter().map(|(path, problem)| FileReport::failed(&shown(path), problem.clone())).collect();
    let files_total = search.found.len();
    let (mut files_done, mut bytes_done) = (0_usize, 0_u64);
    let bytes_total = search.found.iter().map(|found| found.bytes).sum();
    let part = |found: &load::Found| request.operation.part(shown(&found.path).as_bytes());
    // Set if the database failed: the next file would fail the same way.
    let is_stopped = AtomicBool::new(false);
    let is_over = || is_stopped.load(Ordering::Relaxed) || memory.cancel.is_cancelled();
    let not_tried = |found: &load::Found| FileReport::new(&shown(&found.path), FileStatus::NotTried);
    in_order(
        &search.found,
        |found| match is_over() {
            true => (Ready::Done(not_tried(found)), Stages::default()),
            false => ingestion.prepare_file(found, &part(found)),
        },
        |found, (ready, file_stages)| {
            stages.append(file_stages);
            let report = match ready {
                _ if is_over() => not_tried(found),
                ready => ingestion.finish(ready, &part(found), &mut stages).unwrap_or_else(|error| {
                    is_stopped.store(error.concerns_every_file(), Ordering::Relaxed);
                    FileReport::failed(&shown(&found.path), Problem::from(&error))
                }),
            };
            files.push(report);
            files_done += 1;
            bytes_done += found.bytes;
            let message = format!("{files_done}/{files_total} files");
            progress(Progress { done: bytes_done, total: bytes_total, message });
        },
    );
    if !is_over() {
        files.extend(vanished::report_vanished(memory, space, &vanished, request, &mut stages));
    }
    Ok(stages.report(space, &request.operation, files, &ingestion.session))
}

/// Stores one text as a document.
pub(crate) fn ingest_text(memory: &Recordar, space: &SpaceName, request: &TextRequest) -> Result<IngestReport, Error> {
    check_name(&request.name)?;
    let text = decode(request.text.clone().into_bytes(), memory.config.max_file_bytes)
        .map_err(|problem| Error::input(&problem.code, problem.what, problem.remedy))?;
    check_helpers(memory, space, &request.placing, std::iter::once(request.name.as_str()))?;
    let TextRequest { attributes, force, placing, operation, .. } = request;
    let ingestion = Ingestion::begin((memory, space), (attributes, *force, placing), operation, Some(&request.name))?;
    let mut stages = Stages::default();
    let manifest =
        timed(&mut stages.timing.manifest_cpu_s, || manifest(&request.name, &text, request.file_type, request.mtime));
    let ready = ingestion.chunk_if_new(text, manifest, operation, &mut stages);
    let report = ingestion.finish(ready, operation, &mut stages)?;
    Ok(stages.report(space, operation, vec![report], &ingestion.session))
}

/// The files under these paths, as an ingestion would name them.
pub(crate) fn files_under(paths: &[PathBuf], file_type: Option<FileType>) -> Vec<String> {
    let search = load::search(paths, file_type, &mut Stage::new("load"));
    search.found.iter().map(|found| shown(&found.path)).collect()
}

impl<'a> Ingestion<'a> {
    /// Reads the stored state of one document, or of all.
    fn begin(
        (memory, space): (&'a Recordar, &'a SpaceName),
        (attributes, force, placing): (&'a Attributes, bool, &'a PlacingRequest),
        operation: &OperationId,
        only: Option<&str>,
    ) -> Result<Self, Error> {
        let (newest, done) = memory.store.read(|reading| {
            let Some(space) = reading.space(space)? else { return Ok((HashMap::new(), Vec::new())) };
            let done = reading.operation_parts(space.id, operation)?;
            if let Some(path) = only {
                let newest = reading.latest_version_at(space.id, path)?;
                return Ok((newest.into_iter().map(|version| (path.to_owned(), version)).collect(), done));
            }
            let paths: HashMap<i64, String> =
                reading.documents(space.id)?.into_iter().map(|document| (document.id, document.path)).collect();
            // Versions come in order, so the last one of a document wins.
            let by_path = |version: VersionRow| Some((paths.get(&version.document_id)?.clone(), version));
            Ok((reading.all_versions(space.id)?.into_iter().filter_map(by_path).collect(), done))
        })?;
        let done = done.into_iter().filter(|row| row.state == OperationState::Done && row.kind == KIND);
        let (session, done) = (Session::new(&memory.reasoning), done.map(|row| (row.digest, row)).collect());
        Ok(Self { memory, space, attributes, force, placing, session, newest, done })
    }

    /// Every step for one file that needs no transaction. Runs in parallel with others.
    fn prepare_file(&self, found: &load::Found, operation: &OperationId) -> (Ready, Stages) {
        let mut stages = Stages::default();
        let path = shown(&found.path);
        let refused = |problem: Problem, mut stages: Stages| {
            stages.load.decide(&path, Action::Refused, &problem.code, problem.what.clone());
            (Ready::Done(FileReport::failed(&path, problem)), stages)
        };
        if let Err(invalid) = check_path(&found.path) {
            return refused(Problem::new("bad_name", invalid.what, invalid.remedy), stages);
        }
        let read = || load::read(&found.path, self.memory.config.max_file_bytes);
        let loaded = match timed(&mut stages.timing.read_cpu_s, read) {
            Ok(loaded) => loaded,
            Err(problem) => return refused(problem, stages),
        };
        let manifest =
            timed(&mut stages.timing.manifest_cpu_s, || manifest(&path, &loaded.text, found.file_type, loaded.mtime));
        let ready = self.chunk_if_new(loaded.text, manifest, operation, &mut stages);
        (ready, stages)
    }

    /// Whether a text was stored under this operation or is already stored; otherwise, its chunks.
    fn chunk_if_new(&self, text: String, manifest: Manifest, operation: &OperationId, stages: &mut Stages) -> Ready {
        let Stages { manifest: stage, chunk, timing, .. } = stages;
        if let Some(stored) = self.done_before(&manifest, operation) {
            stage.decide(&manifest.path, Action::Dropped, "repeated", "this operation was done before");
            return Ready::Done(FileReport { repeated: true, ..stored.report(&manifest) });
        }
        let newest = self.newest.get(&manifest.path);
        if let Some(current) = newest.filter(|newest| self.is_unchanged(&manifest, newest)) {
            stage.decide(&manifest.path, Action::Dropped, "unchanged", "its content is already stored");
            return Ready::Done(self.unchanged(&manifest, current));
        }
        let reason = if newest.is_some() { "changed" } else { "new" };
        stage.decide(&manifest.path, Action::Kept, reason, format!("sha256 {}", manifest.sha256));
        let prepare = || prepare(text, &manifest, &self.memory.config.chunking, &self.memory.counter, chunk);
        let prepared = timed(&mut timing.chunk_cpu_s, prepare);
        Ready::Store(manifest, prepared)
    }

    fn unchanged(&self, manifest: &Manifest, current: &VersionRow) -> FileReport {
        let mut report = Stored::unchanged(current).report(manifest);
        let remedy = "use --force to store it as a new version";
        if current.attributes != *self.attributes && *self.attributes != Attributes::default() {
            let what =
                "its content is unchanged, so the given tags, topic, note, provider and metadata were not stored";
            report.warnings.push(Problem::new("attributes_not_stored", what, remedy));
        }
        if current.chunking != chunking_json(&self.memory.config) || current.tokenizer != self.memory.counter.name() {
            let what = "its content is unchanged, so it keeps chunks made with other settings";
            report.warnings.push(Problem::new("chunked_otherwise", what, remedy));
        }
        if current.forgotten > 0 {
            let what = format!(
                "its content is unchanged; {} of its chunks were forgotten and stay forgotten",
                current.forgotten
            );
            report.warnings.push(Problem::new("chunks_forgotten", what, remedy));
        }
        report
    }

    /// The remaining work for a text: nothing, or to classify and store it.
    fn finish(&self, ready: Ready, operation: &OperationId, stages: &mut Stages) -> Result<FileReport, Error> {
        match ready {
            Ready::Done(mut report) => {
                if report.status == FileStatus::Unchanged && !report.repeated {
                    let Self { memory, space, placing, session, .. } = self;
                    report.helper = renew_helper((memory, space), &report.path, placing, session, operation)?;
                }
                Ok(report)
            }
            Ready::Store(manifest, prepared) => {
                let mut store_cpu_s = 0.0;
                let report = timed(&mut store_cpu_s, || self.place_and_store(&manifest, &prepared, operation, stages));
                stages.timing.store_cpu_s += store_cpu_s;
                report
            }
        }
    }

    /// Finds the helper of a document and the leaves of its chunks, and stores all of it; again, if the tree was filled meanwhile.
    fn place_and_store(
        &self,
        manifest: &Manifest,
        prepared: &Prepared,
        operation: &OperationId,
        stages: &mut Stages,
    ) -> Result<FileReport, Error> {
        let document = ToPlace {
            path: &manifest.path,
            filename: &filename_of(&manifest.path),
            attributes: self.attributes,
            chunks: prepared.texts(),
            is_classified: self.placing.classify.unwrap_or(self.memory.config.tree.classify),
            given: self.placing.given(&manifest.path),
            regenerate: self.placing.regenerate_helper,
        };
        let mut placer = Placer::new(self.memory, self.space, &document, &self.session)?;
        let mut report = loop {
            placer.find_leaves()?;
            if let Some(report) = self.store_version((manifest, prepared), operation, &placer)? {
                break report;
            }
            placer.look_again()?;
        };
        let places = placer.places;
        if !report.repeated && report.status != FileStatus::Unchanged {
            let chunks = places.placements.len() as u64;
            report.unclassified = chunks - report.classified.min(chunks);
            report.warnings.extend(places.warning(report.classified));
            report.helper = places.helper;
            report.model_problem = places.problem;
        }
        stages.batches.extend(places.batches);
        places.stages.into_iter().for_each(|stage| stages.more.add(stage));
        Ok(report)
    }

    /// The transaction of one file: its document, version, chunks on their leaves and helper, and retiring the previous
    /// chunks. `None` if the leaves no longer fit.
    fn store_version(
        &self,
        (manifest, prepared): (&Manifest, &Prepared),
        operation: &OperationId,
        placer: &Placer<'_>,
    ) -> Result<Option<FileReport>, Error> {
        let operation = Operation { id: operation, kind: KIND, request: self.request(manifest) };
        let (chunking, filename, places) =
            (chunking_json(&self.memory.config), filename_of(&manifest.path), &placer.places);
        let new = NewVersion {
            manifest,
            filename: &filename,
            attributes: self.attributes,
            chunking: &chunking,
            tokenizer: self.memory.counter.name(),
        };
        let rows = prepared.rows();
        let mut grown = None;
        let written = self.memory.store.write(self.space, &operation, (self.memory.clock)(), |writing| {
            // Another process may have stored the same content meanwhile.
            let space = writing.space_id();
            let newest = writing.latest_version_at(space, &manifest.path)?;
            if let Some(current) = newest.filter(|newest| self.is_unchanged(manifest, newest)) {
                return Ok(Settled::Abandon(Some(Stored::unchanged(&current))));
            }
            let mut leaves = None;
            if places.is_classified() {
                let limits = &self.memory.config.tree.category_limits;
                leaves = places.leaves(writing, limits, &self.session, placer.is_last_attempt(), &|_| true)?;
                if leaves.is_none() {
                    return Ok(Settled::Abandon(None));
                }
            }
            let classified = leaves.as_ref().map_or(0, Leaves::classified);
            let stored = writing.add_version(new, &rows, |writing| {
                let Some(leaves) = leaves else { return Ok(Vec::new()) };
                let (leaves, tree) = leaves.make(writing)?;
                grown = Some((space, tree));
                Ok(leaves)
            })?;
            if let Some((origin, helper)) = &places.new_helper {
                writing.add_helper(stored.document_id, *origin, &helper.text, helper.tokens as i64)?;
            }
            Ok(Settled::Commit(Some(Stored {
                status: if stored.number == 1 { FileStatus::Added } else { FileStatus::Updated },
                document_id: stored.document_id,
                version_id: stored.version_id,
                version: stored.number,
                chunks: rows.len() as u64,
                tokens: prepared.tokens(),
                retired_chunks: stored.retired_chunks,
                classified,
            })))
        })?;
        let Some(stored) = written.value else { return Ok(None) };
        if let (Some(revision), Some((space, tree)), false) = (written.revision, grown, written.is_repeated) {
            self.session.keep(space, revision, tree);
        }
        let warnings = prepared.warnings.clone();
        Ok(Some(FileReport { repeated: written.is_repeated, warnings, ..stored.report(manifest) }))
    }

    /// The request of a file's operation.
    fn request(&self, manifest: &Manifest) -> Digest {
        let asked = Hasher::default()
            .field(&manifest.path)
            .field(manifest.sha256.0)
            .field(manifest.file_type.name())
            .field(serde_json::to_vec(self.attributes).unwrap_or_default());
        match self.placing.given(&manifest.path) {
            Some(given) => asked.field(format!("{given:?}")).finish(),
            None => asked.finish(),
        }
    }

    /// The result of the same request under the same operation id. The store rejects a different request.
    fn done_before(&self, manifest: &Manifest, operation: &OperationId) -> Option<Stored> {
        let row = self.done.get(&operation.digest())?;
        let is_same = row.request.is_none_or(|request| request == self.request(manifest));
        serde_json::from_str(row.result.as_deref().filter(|_| is_same)?).ok()
    }

    /// Whether a stored version makes a new one unnecessary.
    fn is_unchanged(&self, manifest: &Manifest, newest: &VersionRow) -> bool {
        !self.force
            && newest.retired.is_none()
            && newest.sha256 == manifest.sha256
            && newest.file_type == manifest.file_type
    }
}

/// How a configuration chunks, as versions record it.
pub(crate) fn chunking_json(config: &Config) -> String {
    serde_json::to_string(&config.chunking).unwrap_or_default()
}

/// The operation kind of storing a file.
const KIND: &str = "ingest";

impl Stored {
    fn unchanged(current: &VersionRow) -> Self {
        Self {
            status: FileStatus::Unchanged,
            document_id: current.document_id,
            version_id: current.id,
            version: current.number,
            chunks: current.chunks as u64,
            tokens: current.tokens as u64,
            retired_chunks: 0,
            classified: 0,
        }
    }

    fn report(&self, manifest: &Manifest) -> FileReport {
        FileReport {
            document_id: Some(self.document_id),
            version_id: Some(self.version_id),
            version: Some(self.version),
            bytes: manifest.bytes,
            chunks: self.chunks,
            tokens: self.tokens,
            retired_chunks: self.retired_chunks,
            classified: self.classified,
            ..FileReport::new(&manifest.path, self.status)
        }
    }
}

impl Stages {
    fn report(
        self,
        space: &SpaceName,
        operation: &OperationId,
        files: Vec<FileReport>,
        session: &Session,
    ) -> IngestReport {
        let mut store = Stage::new("store");
        for file in files.iter().filter(|file| !file.repeated) {
            let (action, reason) = match file.status {
                FileStatus::Added => (Action::Kept, "added"),
                FileStatus::Updated => (Action::Kept, "updated"),
                FileStatus::Retired => (Action::Changed, "retired"),
                FileStatus::NotTried => (Action::Dropped, "not_tried"),
                FileStatus::Unchanged | FileStatus::Vanished | FileStatus::Failed => continue,
            };
            let detail = format!("{} chunks, {} retired", file.chunks, file.retired_chunks);
            store.decide(&file.path, action, reason, detail);
        }
        let skipped = self.load.decisions.iter().filter(|decision| decision.action == Action::Dropped).count();
        let mut trace = Trace { stages: vec![self.load, self.manifest, self.chunk] };
        trace.stages.extend(self.more.stages);
        trace.stages.push(store);
        IngestReport {
            space: space.to_string(),
            operation: operation.to_string(),
            totals: Totals { skipped: skipped as u64, ..Totals::of(&files) },
            files,
            batches: self.batches,
            responses: session.operation.calls(),
            trace,
            timing: self.timing,
        }
    }
}

fn filename_of(path: &str) -> String {
    Path::new(path).file_name().map_or(path.to_owned(), |name| name.display().to_string())
}

fn check_path(path: &Path) -> Result<(), Invalid> {
    match path.to_str() {
        Some(path) => check_name(path),
        None => Err(Invalid::new("its name is not valid UTF-8", "rename it")),
    }
}

fn check_name(name: &str) -> Result<(), Invalid> {
    const MAX_BYTES: usize = 4096;
    if name.trim().is_empty() || name.len() > MAX_BYTES || name.contains('\0') {
        return Err(Invalid::new(
            format!("invalid document name {name:?}"),
            "use 1 to 4096 bytes without NUL, for example notes/today.md",
        ));
    }
    Ok(())
}
