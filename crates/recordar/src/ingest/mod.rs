//! Documents in: load, manifest, chunk, store. One file is one transaction; of many, the good ones land.

mod load;
mod pipeline;
mod prepare;
mod report;

pub(crate) use load::decode;
pub use report::{FileReport, FileStatus, IngestReport, IngestTiming, Problem, Progress, Totals};

use crate::{Error, Recordar};
use load::shown;
use pipeline::{Stages, in_order, timed};
use prepare::{Prepared, manifest, prepare};
use recordar_domain::{
    Action, Attributes, FileType, Hasher, Invalid, Manifest, OperationId, SpaceName, Stage, Timestamp, Trace,
};
use recordar_store::{NewVersion, Operation, Settled, VersionRow};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Files and folders to be stored.
#[derive(Debug, Clone)]
pub struct IngestRequest {
    pub paths: Vec<PathBuf>,
    pub attributes: Attributes,
    /// What the files are, whatever their endings say.
    pub file_type: Option<FileType>,
    /// Retire what is stored of the given folders and no longer there.
    pub prune: bool,
    /// Make a new version even where the content is the same.
    pub force: bool,
    pub operation: OperationId,
}

/// A text to be stored as a document, which need not be a file.
#[derive(Debug, Clone)]
pub struct TextRequest {
    /// The document's path: what a later version of it is known by.
    pub name: String,
    pub text: String,
    pub file_type: FileType,
    pub attributes: Attributes,
    /// When the text is from, if that is known.
    pub mtime: Option<Timestamp>,
    pub force: bool,
    pub operation: OperationId,
}

/// What one stored file left in its operation: numbers only, so that a forgotten document leaves nothing there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Stored {
    status: FileStatus,
    document_id: i64,
    version_id: i64,
    version: i64,
    chunks: u64,
    tokens: u64,
    retired_chunks: u64,
}

/// What is current in the store, by path.
type Current = HashMap<String, VersionRow>;

impl Recordar {
    /// Stores one text as a document.
    pub fn ingest_text(&self, space: &SpaceName, request: TextRequest) -> Result<IngestReport, Error> {
        check_name(&request.name)?;
        let max_bytes = self.config.max_file_bytes;
        let text = decode(request.text.into_bytes(), max_bytes)
            .map_err(|problem| Invalid::new(format!("{}: {}", request.name, problem.what), problem.remedy))?;
        let file = Ingesting { attributes: &request.attributes, force: request.force };
        let mut stages = Stages::default();
        let manifest = timed(&mut stages.timing.manifest_cpu_s, || {
            manifest(&request.name, &text, request.file_type, request.mtime)
        });
        let current = self.store.read(|reading| {
            let Some(space) = reading.space(space)? else { return Ok(None) };
            reading.latest_version_at(space.id, &request.name)
        })?;
        let report = match self.decide(text, manifest, current.as_ref(), &file, &mut stages) {
            Ready::Done(report) => report,
            Ready::Store(manifest, prepared) => timed(&mut stages.timing.store_cpu_s, || {
                self.store_version(space, &manifest, &prepared, &file, &request.operation)
            })?,
        };
        Ok(stages.report(space, &request.operation, vec![report]))
    }

    /// Stores files and folders. Failures of single files are in the report; an error means that nothing was tried.
    pub fn ingest(
        &self,
        space: &SpaceName,
        request: &IngestRequest,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<IngestReport, Error> {
        let mut stages = Stages::default();
        let search = load::search(&request.paths, request.file_type, &mut stages.load);
        let current = self.current(space)?;
        let mut files: Vec<FileReport> =
            search.refused.iter().map(|(path, problem)| FileReport::failed(&shown(path), problem.clone())).collect();
        let file = Ingesting { attributes: &request.attributes, force: request.force };
        let mut done = Progress {
            files: 0,
            files_total: search.found.len() as u64,
            bytes: 0,
            bytes_total: search.found.iter().map(|found| found.bytes).sum(),
        };
        let mut is_stopped = false;
        in_order(
            &search.found,
            |found| self.prepare_file(found, &current, &file),
            |found, (ready, file_stages)| {
                stages.append(file_stages);
                let path = shown(&found.path);
                let report = match ready {
                    _ if is_stopped => FileReport::new(&path, FileStatus::NotTried),
                    Ready::Done(report) => report,
                    Ready::Store(manifest, prepared) => {
                        let operation = request.operation.part(path.as_bytes());
                        let stored = timed(&mut stages.timing.store_cpu_s, || {
                            self.store_version(space, &manifest, &prepared, &file, &operation)
                        });
                        stored.unwrap_or_else(|error| {
                            is_stopped = error.concerns_every_file();
                            FileReport::failed(&path, Problem::from(&error))
                        })
                    }
                };
                files.push(report);
                done.files += 1;
                done.bytes += found.bytes;
                progress(done);
            },
        );
        if !is_stopped {
            files.extend(self.vanished(space, &search.roots, &current, request, &mut stages)?);
        }
        Ok(stages.report(space, &request.operation, files))
    }

    fn current(&self, space: &SpaceName) -> Result<Current, Error> {
        let current = self.store.read(|reading| {
            let Some(space) = reading.space(space)? else { return Ok(Current::new()) };
            let paths: HashMap<i64, String> =
                reading.documents(space.id)?.into_iter().map(|document| (document.id, document.path)).collect();
            let versions = reading.all_versions(space.id)?;
            // Versions come in order, so the last one of a document stays.
            let by_path = |version: VersionRow| Some((paths.get(&version.document_id)?.clone(), version));
            Ok(versions.into_iter().filter_map(by_path).collect())
        })?;
        Ok(current)
    }

    /// Everything about one file that needs no transaction. Runs beside others.
    fn prepare_file(&self, found: &load::Found, current: &Current, file: &Ingesting<'_>) -> (Ready, Stages) {
        let mut stages = Stages::default();
        let path = shown(&found.path);
        let refused = |problem: Problem, mut stages: Stages| {
            stages.load.decide(&path, Action::Refused, &problem.code, problem.what.clone());
            (Ready::Done(FileReport::failed(&path, problem)), stages)
        };
        if let Err(invalid) = check_path(&found.path) {
            return refused(Problem::new("bad_name", invalid.what, invalid.remedy), stages);
        }
        let read = || load::read(&found.path, self.config.max_file_bytes);
        let loaded = match timed(&mut stages.timing.read_cpu_s, read) {
            Ok(loaded) => loaded,
            Err(problem) => return refused(problem, stages),
        };
        let manifest =
            timed(&mut stages.timing.manifest_cpu_s, || manifest(&path, &loaded.text, found.file_type, loaded.mtime));
        let ready = self.decide(loaded.text, manifest, current.get(&path), file, &mut stages);
        (ready, stages)
    }

    /// Whether a text is stored already, and if not, its chunks.
    fn decide(
        &self,
        text: String,
        manifest: Manifest,
        current: Option<&VersionRow>,
        file: &Ingesting<'_>,
        stages: &mut Stages,
    ) -> Ready {
        let Stages { manifest: stage, chunk, timing, .. } = stages;
        if let Some(current) = current.filter(|current| file.is_unchanged(&manifest, current)) {
            stage.decide(&manifest.path, Action::Dropped, "unchanged", "its content is stored already");
            return Ready::Done(self.unchanged(&manifest, current, file));
        }
        let reason = if current.is_some() { "changed" } else { "new" };
        stage.decide(&manifest.path, Action::Kept, reason, format!("sha256 {}", manifest.sha256));
        let prepare = || prepare(text, &manifest, &self.config.chunking, &self.counter, chunk);
        let prepared = timed(&mut timing.chunk_cpu_s, prepare);
        Ready::Store(manifest, prepared)
    }

    fn unchanged(&self, manifest: &Manifest, current: &VersionRow, file: &Ingesting<'_>) -> FileReport {
        let mut report = FileReport::new(&manifest.path, FileStatus::Unchanged);
        report.document_id = Some(current.document_id);
        report.version_id = Some(current.id);
        report.version = Some(current.number);
        report.bytes = manifest.bytes;
        report.chunks = current.chunks as u64;
        report.tokens = current.tokens as u64;
        let remedy = "use --force to store it as a new version";
        if current.attributes != *file.attributes && *file.attributes != Attributes::default() {
            let what =
                "its content is unchanged, so the tags, topic, note, provider and metadata given now were not stored";
            report.warnings.push(Problem::new("attributes_not_stored", what, remedy));
        }
        if current.chunking != self.chunking_json() || current.tokenizer != self.counter.name() {
            let what = "its content is unchanged, so it keeps the chunks of other settings";
            report.warnings.push(Problem::new("chunked_otherwise", what, remedy));
        }
        report
    }

    /// The one transaction of a file: its document, its version, its chunks, and the retirement of those before.
    fn store_version(
        &self,
        space: &SpaceName,
        manifest: &Manifest,
        prepared: &Prepared,
        file: &Ingesting<'_>,
        operation: &OperationId,
    ) -> Result<FileReport, Error> {
        let chunking = self.chunking_json();
        let request = Hasher::default()
            .field(&manifest.path)
            .field(manifest.sha256.0)
            .field(manifest.file_type.name())
            .field(serde_json::to_vec(file.attributes).unwrap_or_default())
            .finish();
        let operation = Operation { id: operation, kind: "ingest", request };
        let filename =
            Path::new(&manifest.path).file_name().map_or(manifest.path.clone(), |name| name.display().to_string());
        let new = NewVersion {
            manifest,
            filename: &filename,
            attributes: file.attributes,
            chunking: &chunking,
            tokenizer: self.counter.name(),
        };
        let rows = prepared.rows();
        let written = self.store.write(space, &operation, (self.clock)(), |writing| {
            // Another process may have stored the same content since we looked.
            let space = writing.space_id();
            let current = writing.latest_version_at(space, &manifest.path)?;
            if let Some(current) = current.filter(|current| file.is_unchanged(manifest, current)) {
                return Ok(Settled::Abandon(Stored {
                    status: FileStatus::Unchanged,
                    document_id: current.document_id,
                    version_id: current.id,
                    version: current.number,
                    chunks: current.chunks as u64,
                    tokens: current.tokens as u64,
                    retired_chunks: 0,
                }));
            }
            let stored = writing.add_version(new, &rows)?;
            Ok(Settled::Commit(Stored {
                status: if stored.number == 1 { FileStatus::Added } else { FileStatus::Updated },
                document_id: stored.document_id,
                version_id: stored.version_id,
                version: stored.number,
                chunks: rows.len() as u64,
                tokens: prepared.tokens(),
                retired_chunks: stored.retired_chunks,
            }))
        })?;
        let stored = written.value;
        Ok(FileReport {
            path: manifest.path.clone(),
            status: stored.status,
            document_id: Some(stored.document_id),
            version_id: Some(stored.version_id),
            version: Some(stored.version),
            bytes: manifest.bytes,
            chunks: stored.chunks,
            tokens: stored.tokens,
            retired_chunks: stored.retired_chunks,
            repeated: written.is_repeated,
            warnings: prepared.warnings.clone(),
            error: None,
        })
    }

    /// What is stored of the searched folders and gone from the disk: reported, and retired with `prune`.
    fn vanished(
        &self,
        space: &SpaceName,
        roots: &[PathBuf],
        current: &Current,
        request: &IngestRequest,
        stages: &mut Stages,
    ) -> Result<Vec<FileReport>, Error> {
        let is_gone = |path: &str| {
            let path = Path::new(path);
            roots.iter().any(|root| path.starts_with(root)) && !path.exists()
        };
        let mut gone: Vec<(&String, &VersionRow)> =
            current.iter().filter(|(path, version)| version.retired.is_none() && is_gone(path)).collect();
        gone.sort_by_key(|(path, _)| path.as_str());
        let mut retired: HashMap<i64, u64> = HashMap::new();
        if request.prune && !gone.is_empty() {
            let id = request.operation.part(b"prune");
            let digest = gone.iter().fold(Hasher::default(), |hasher, (path, _)| hasher.field(path)).finish();
            let operation = Operation { id: &id, kind: "prune", request: digest };
            let written = self.store.write(space, &operation, (self.clock)(), |writing| {
                let retire =
                    |(_, version): &(&String, &VersionRow)| Ok((version.id, writing.retire_version(version.id)?));
                gone.iter().map(retire).collect::<Result<Vec<_>, recordar_store::Error>>().map(Settled::Commit)
            })?;
            retired.extend(written.value);
        }
        let report = |(path, version): (&String, &VersionRow)| {
            let status = if request.prune { FileStatus::Retired } else { FileStatus::Vanished };
            let detail = "the file is gone from its folder";
            stages.manifest.decide(
                path,
                if request.prune { Action::Changed } else { Action::Kept },
                "vanished",
                detail,
            );
            let mut report = FileReport::new(path, status);
            report.document_id = Some(version.document_id);
            report.version_id = Some(version.id);
            report.version = Some(version.number);
            report.retired_chunks = retired.get(&version.id).copied().unwrap_or(0);
            report
        };
        Ok(gone.into_iter().map(report).collect())
    }

    pub(crate) fn chunking_json(&self) -> String {
        serde_json::to_string(&self.config.chunking).unwrap_or_default()
    }
}

/// What all files of one call share.
struct Ingesting<'a> {
    attributes: &'a Attributes,
    force: bool,
}

impl Ingesting<'_> {
    /// Whether a version that is stored makes a new one needless.
    fn is_unchanged(&self, manifest: &Manifest, current: &VersionRow) -> bool {
        !self.force
            && current.retired.is_none()
            && current.sha256 == manifest.sha256
            && current.file_type == manifest.file_type
    }
}

/// A file after everything that needs no transaction.
enum Ready {
    Done(FileReport),
    Store(Manifest, Prepared),
}

impl Stages {
    fn report(self, space: &SpaceName, operation: &OperationId, files: Vec<FileReport>) -> IngestReport {
        let mut store = Stage::new("store");
        for file in &files {
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
        let trace = Trace { stages: vec![self.load, self.manifest, self.chunk, store] };
        IngestReport {
            space: space.to_string(),
            operation: operation.to_string(),
            totals: Totals::of(&files),
            files,
            trace,
            timing: self.timing,
        }
    }
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
            format!("{name:?} is not a name for a document"),
            "use 1 to 4096 bytes without NUL, for example notes/today.md",
        ));
    }
    Ok(())
}
