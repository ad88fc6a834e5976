//! Documents whose files no longer exist: reported, and retired on request.

use super::collection::Collections;
use super::load::{Search, shown};
use super::pipeline::Stages;
use super::select::Selection;
use super::{FileReport, FileStatus, IngestRequest, Newest, Problem};
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_domain::{Action, Hasher, SpaceName};
use recordar_store::{DocumentRow, Operation, Settled, VersionRow};
use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A live document whose file no longer exists.
#[derive(Debug, Clone)]
pub(super) struct Vanished {
    /// Where the file was.
    pub(super) path: String,
    pub(super) document: DocumentRow,
    pub(super) version: VersionRow,
}

/// Live documents under the searched paths whose files no longer exist, by path. A given path that is
/// missing is not a failure if documents of it are stored: they are the ones that vanished.
///
/// A file that the globs of the call leave out has not vanished for it.
pub(super) fn vanished(
    search: &mut Search,
    newest: &Newest,
    collections: &Collections,
    selection: &Selection,
) -> Vec<Vanished> {
    let live = newest.all().filter(|(_, version)| version.retired.is_none());
    let live: Vec<(PathBuf, &DocumentRow, &VersionRow)> =
        live.filter_map(|(document, version)| Some((collections.location(document)?, document, version))).collect();
    let (missing, refused) = std::mem::take(&mut search.refused)
        .into_iter()
        .partition(|(root, problem)| problem.code == "missing" && live.iter().any(|(path, ..)| path.starts_with(root)));
    search.refused = refused;
    let missing: Vec<(PathBuf, _)> = missing;
    search.roots.extend(missing.into_iter().map(|(root, _)| root));
    let is_meant = |path: &Path, root: &PathBuf| {
        path.strip_prefix(root).is_ok_and(|relative| selection.left_out(relative).is_none())
    };
    let is_gone = |path: &Path| search.roots.iter().any(|root| is_meant(path, root)) && is_absent(path);
    let mut gone: Vec<Vanished> = live
        .into_iter()
        .filter(|(path, ..)| is_gone(path))
        .map(|(path, document, version)| Vanished {
            path: shown(&path),
            document: document.clone(),
            version: version.clone(),
        })
        .collect();
    gone.sort_by(|one, other| one.path.cmp(&other.path).then(one.document.id.cmp(&other.document.id)));
    gone
}

/// Whether the file certainly does not exist. One that cannot be checked is not gone.
fn is_absent(path: &Path) -> bool {
    path.metadata().is_err_and(|error| matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory))
}

/// A completely empty path is more likely an unmounted disk than a folder that was cleared.
pub(super) fn check(search: &Search, vanished: &[Vanished], request: &IngestRequest) -> Result<(), Error> {
    let is_emptied = |root: &&PathBuf| {
        let is_under = |path: &Path| path.starts_with(root);
        vanished.iter().any(|gone| is_under(Path::new(&gone.path)))
            && !search.found.iter().any(|found| is_under(&found.path))
    };
    if request.prune
        && !request.force
        && let Some(root) = search.roots.iter().find(is_emptied)
    {
        return Err(Error::input(
            "nothing_left",
            format!("{} is empty, so all its documents would be retired", root.display()),
            "check that the disk is mounted; if the files are really gone, use --prune with --force",
        ));
    }
    Ok(())
}

/// Retires vanished documents if requested, and reports them either way.
pub(super) fn report_vanished(
    memory: &Recordar,
    space: &SpaceName,
    vanished: &[Vanished],
    request: &IngestRequest,
    stages: &mut Stages,
) -> Vec<FileReport> {
    let retired = match retire_vanished(memory, space, vanished, request) {
        Ok(retired) => retired,
        Err(error) => {
            let failed = |gone: &Vanished| FileReport::failed(&gone.path, Problem::from(&error));
            return vanished.iter().map(failed).collect();
        }
    };
    let (status, action) = match request.prune {
        true => (FileStatus::Retired, Action::Changed),
        false => (FileStatus::Vanished, Action::Kept),
    };
    let report = |Vanished { path, version, .. }: &Vanished| {
        stages.manifest.decide(path, action, "vanished", "the file no longer exists");
        FileReport {
            document_id: Some(version.document_id),
            version_id: Some(version.id),
            version: Some(version.number),
            retired_chunks: retired.get(&version.id).copied().unwrap_or(0),
            ..FileReport::new(path, status)
        }
    };
    vanished.iter().map(report).collect()
}

/// One transaction for all of them. Returns how many chunks each version had.
fn retire_vanished(
    memory: &Recordar,
    space: &SpaceName,
    vanished: &[Vanished],
    request: &IngestRequest,
) -> Result<HashMap<i64, u64>, Error> {
    if !request.prune || vanished.is_empty() {
        return Ok(HashMap::new());
    }
    let id = request.operation.part(b"prune");
    // By id: a digest of the paths would outlive the documents.
    let field = |hasher: Hasher, gone: &Vanished| hasher.field(gone.version.id.to_le_bytes());
    let digest = vanished.iter().fold(Hasher::default(), field).finish();
    let operation = Operation { id: &id, kind: "prune", request: digest };
    let written = memory.store.write(space, &operation, (memory.clock)(), |writing| {
        let mut retire = |version: &VersionRow| Ok((version.id, writing.retire_version(version.id)?));
        let retired = vanished.iter().map(|gone| retire(&gone.version));
        retired.collect::<Result<Vec<_>, recordar_store::Error>>().map(Settled::Commit)
    })?;
    Ok(written.value.into_iter().collect())
}
