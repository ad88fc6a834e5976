//! Documents whose files no longer exist: reported, and retired on request.

use super::load::Search;
use super::pipeline::Stages;
use super::{FileReport, FileStatus, IngestRequest, Problem};
use crate::engine::Recordar;
use crate::error::Error;
use recordar_domain::{Action, Hasher, SpaceName};
use recordar_store::{Operation, Settled, VersionRow};
use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Live documents under the searched paths whose files no longer exist, by path. A given path that is
/// missing is not a failure if documents of it are stored: they are the ones that vanished.
pub(super) fn vanished(search: &mut Search, newest: &HashMap<String, VersionRow>) -> Vec<(String, VersionRow)> {
    let is_under = |path: &str, root: &PathBuf| Path::new(path).starts_with(root);
    let live: Vec<(&String, &VersionRow)> = newest.iter().filter(|(_, version)| version.retired.is_none()).collect();
    let (missing, refused) = std::mem::take(&mut search.refused)
        .into_iter()
        .partition(|(root, problem)| problem.code == "missing" && live.iter().any(|(path, _)| is_under(path, root)));
    search.refused = refused;
    let missing: Vec<(PathBuf, _)> = missing;
    search.roots.extend(missing.into_iter().map(|(root, _)| root));
    let is_gone = |path: &str| search.roots.iter().any(|root| is_under(path, root)) && is_absent(Path::new(path));
    let mut gone: Vec<(String, VersionRow)> = live
        .into_iter()
        .filter(|(path, _)| is_gone(path))
        .map(|(path, version)| (path.clone(), version.clone()))
        .collect();
    gone.sort_by(|one, other| one.0.cmp(&other.0));
    gone
}

/// Whether the file certainly does not exist. One that cannot be checked is not gone.
fn is_absent(path: &Path) -> bool {
    path.metadata().is_err_and(|error| matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory))
}

/// A completely empty path is more likely an unmounted disk than a folder that was cleared.
pub(super) fn check(search: &Search, vanished: &[(String, VersionRow)], request: &IngestRequest) -> Result<(), Error> {
    let is_emptied = |root: &&PathBuf| {
        let is_under = |path: &Path| path.starts_with(root);
        vanished.iter().any(|(path, _)| is_under(Path::new(path)))
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
    vanished: &[(String, VersionRow)],
    request: &IngestRequest,
    stages: &mut Stages,
) -> Vec<FileReport> {
    let retired = match retire_vanished(memory, space, vanished, request) {
        Ok(retired) => retired,
        Err(error) => {
            let failed = |(path, _): &(String, VersionRow)| FileReport::failed(path, Problem::from(&error));
            return vanished.iter().map(failed).collect();
        }
    };
    let (status, action) = match request.prune {
        true => (FileStatus::Retired, Action::Changed),
        false => (FileStatus::Vanished, Action::Kept),
    };
    let report = |(path, version): &(String, VersionRow)| {
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
    vanished: &[(String, VersionRow)],
    request: &IngestRequest,
) -> Result<HashMap<i64, u64>, Error> {
    if !request.prune || vanished.is_empty() {
        return Ok(HashMap::new());
    }
    let id = request.operation.part(b"prune");
    // By id: a digest of the paths would outlive the documents.
    let field = |hasher: Hasher, (_, version): &(String, VersionRow)| hasher.field(version.id.to_le_bytes());
    let digest = vanished.iter().fold(Hasher::default(), field).finish();
    let operation = Operation { id: &id, kind: "prune", request: digest };
    let written = memory.store.write(space, &operation, (memory.clock)(), |writing| {
        let mut retire = |version: &VersionRow| Ok((version.id, writing.retire_version(version.id)?));
        let retired = vanished.iter().map(|(_, version)| retire(version));
        retired.collect::<Result<Vec<_>, recordar_store::Error>>().map(Settled::Commit)
    })?;
    Ok(written.value.into_iter().collect())
}
