//! Documents whose files are gone: reported, and retired when the caller says so.

use super::load::Search;
use super::pipeline::Stages;
use super::{FileReport, FileStatus, IngestRequest};
use crate::{Error, Recordar};
use recordar_domain::{Action, Hasher, SpaceName};
use recordar_store::{Operation, Settled, VersionRow};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The live documents under the searched paths that are no longer on the disk, by path. A path that was given and is
/// missing is no failure when documents of it are stored: then they are what vanished.
pub(super) fn vanished(search: &mut Search, newest: &HashMap<String, VersionRow>) -> Vec<(String, VersionRow)> {
    let is_under = |path: &str, root: &PathBuf| Path::new(path).starts_with(root);
    let live: Vec<(&String, &VersionRow)> = newest.iter().filter(|(_, version)| version.retired.is_none()).collect();
    let (missing, refused) = std::mem::take(&mut search.refused)
        .into_iter()
        .partition(|(root, problem)| problem.code == "missing" && live.iter().any(|(path, _)| is_under(path, root)));
    search.refused = refused;
    let missing: Vec<(PathBuf, _)> = missing;
    search.roots.extend(missing.into_iter().map(|(root, _)| root));
    let is_gone = |path: &str| search.roots.iter().any(|root| is_under(path, root)) && !Path::new(path).exists();
    let mut gone: Vec<(String, VersionRow)> = live
        .into_iter()
        .filter(|(path, _)| is_gone(path))
        .map(|(path, version)| (path.clone(), version.clone()))
        .collect();
    gone.sort_by(|one, other| one.0.cmp(&other.0));
    gone
}

/// A folder in which nothing at all is left is more likely a disk that is not mounted than a folder that was cleared.
pub(super) fn check(search: &Search, vanished: &[(String, VersionRow)], request: &IngestRequest) -> Result<(), Error> {
    if request.prune && !request.force && search.found.is_empty() && !vanished.is_empty() {
        return Err(Error::input(
            "nothing_left",
            format!("no document is left in the given paths, and {} would be retired", vanished.len()),
            "check that the disk is mounted; use --force with --prune if they are really gone",
        ));
    }
    Ok(())
}

impl Recordar {
    pub(super) fn settle_vanished(
        &self,
        space: &SpaceName,
        vanished: &[(String, VersionRow)],
        request: &IngestRequest,
        stages: &mut Stages,
    ) -> Result<Vec<FileReport>, Error> {
        let mut retired: HashMap<i64, u64> = HashMap::new();
        if request.prune && !vanished.is_empty() {
            let id = request.operation.part(b"prune");
            let digest = vanished.iter().fold(Hasher::default(), |hasher, (path, _)| hasher.field(path)).finish();
            let operation = Operation { id: &id, kind: "prune", request: digest };
            let written = self.store.write(space, &operation, (self.clock)(), |writing| {
                let mut retire = |version: &VersionRow| Ok((version.id, writing.retire_version(version.id)?));
                let retired = vanished.iter().map(|(_, version)| retire(version));
                retired.collect::<Result<Vec<_>, recordar_store::Error>>().map(Settled::Commit)
            })?;
            retired.extend(written.value);
        }
        let (status, action) = match request.prune {
            true => (FileStatus::Retired, Action::Changed),
            false => (FileStatus::Vanished, Action::Kept),
        };
        let report = |(path, version): &(String, VersionRow)| {
            stages.manifest.decide(path, action, "vanished", "the file is gone from the disk");
            FileReport {
                document_id: Some(version.document_id),
                version_id: Some(version.id),
                version: Some(version.number),
                retired_chunks: retired.get(&version.id).copied().unwrap_or(0),
                ..FileReport::new(path, status)
            }
        };
        Ok(vanished.iter().map(report).collect())
    }
}
