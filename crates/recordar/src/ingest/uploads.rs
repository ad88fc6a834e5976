//! Files that were sent, instead of read from folders. Each is a document of its own name; there is no folder that could lose one.

use super::load::{Loaded, converted};
use super::pipeline::{Stages, timed};
use super::{
    FileReport, FileStatus, IngestReport, IngestRequest, Ingestion, Problem, Ready, Renewal, check_helpers, check_name,
};
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::noun::progress::Progress;
use recordar_core::noun::upload::Upload;
use recordar_core::prepare::manifest;
use recordar_domain::{Action, DocumentName, FileType, Invalid, OperationId, SpaceName};
use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

pub(crate) fn ingest_uploads(
    memory: &Recordar,
    space: &SpaceName,
    request: &IngestRequest,
    uploads: &[Upload],
    progress: &mut dyn FnMut(Progress),
) -> Result<IngestReport, Error> {
    check(request, uploads)?;
    let IngestRequest { attributes, force, placing, operation, .. } = request;
    let names = uploads.iter().map(|upload| upload.name.as_str());
    check_helpers(memory, space, placing, names)?;
    let ingestion = Ingestion::begin((memory, space), (attributes, *force, placing), operation, None)?;
    let (mut stages, mut files, mut renewals) = (Stages::default(), Vec::new(), Vec::new());
    for (done, upload) in (1..).zip(uploads) {
        let stored = match memory.cancel.is_cancelled() {
            true => Ok(FileReport::new(&upload.name, FileStatus::NotTried)),
            false => ingestion.store_upload(upload, request, &mut renewals, &mut stages),
        };
        let report = stored.unwrap_or_else(|error| FileReport::failed(&upload.name, Problem::from(&error)));
        memory.grew(space, report.chunks as usize);
        files.push(report);
        let message = format!("{done}/{} files", uploads.len());
        progress(Progress { done, total: uploads.len() as u64, message });
    }
    ingestion.renew(renewals, &mut files, operation);
    ingestion.place(&mut files, operation, &mut stages, progress);
    let warnings = ingestion.depth_warning();
    Ok(IngestReport { warnings, ..stages.report(space, operation, files, &ingestion.session) })
}

/// Options about folders mean nothing here, and must not seem to have worked.
fn check(request: &IngestRequest, uploads: &[Upload]) -> Result<(), Invalid> {
    let IngestRequest { include, exclude, collection, prune, .. } = request;
    let options = [
        ("include", !include.is_empty()),
        ("exclude", !exclude.is_empty()),
        ("root", collection.root.is_some()),
        ("prune", *prune),
    ];
    if let Some((option, _)) = options.iter().find(|(_, is_given)| *is_given) {
        return Err(Invalid::new(
            format!("{option} is for folders, and files were sent"),
            format!("leave out {option}"),
        ));
    }
    uploads.iter().try_for_each(|upload| check_name(&upload.name))?;
    let mut names = BTreeSet::new();
    match uploads.iter().find(|upload| !names.insert(&upload.name)) {
        None => Ok(()),
        Some(twice) => Err(Invalid::new(
            format!("two files have the name {:?}; nothing was stored", twice.name),
            "give each file a name of its own",
        )),
    }
}

impl Ingestion<'_> {
    /// One transaction, as for a file of a folder.
    fn store_upload(
        &self,
        upload: &Upload,
        request: &IngestRequest,
        renewals: &mut Vec<Renewal>,
        stages: &mut Stages,
    ) -> Result<FileReport, Error> {
        let by_name = FileType::of_path(Path::new(&upload.name));
        let file_type = request.file_type.or(by_name).unwrap_or(FileType::Text);
        let read_as = (file_type, request.file_type.is_none());
        let loaded = match timed(&mut stages.timing.read_cpu_s, || self.read_upload(upload, read_as)) {
            Ok(loaded) => loaded,
            Err(problem) => {
                stages.load.decide(&upload.name, Action::Refused, &problem.code, problem.what.clone());
                return Ok(FileReport::failed(&upload.name, problem));
            }
        };
        let manifest =
            timed(&mut stages.timing.manifest_cpu_s, || manifest(&upload.name, &loaded.text, loaded.file_type, None));
        let collection = request.collection.collection.clone();
        let name = DocumentName { collection, name: upload.name.clone() };
        let operation: OperationId = request.operation.part(upload.name.as_bytes());
        let mut ready = self.chunk_if_new(loaded, manifest, (name, None), &operation, stages);
        if let Ready::Unchanged(_, renewal) = &mut ready {
            renewals.extend(renewal.take().map(|renewal| *renewal));
        }
        self.finish(ready, &operation, stages)
    }

    fn read_upload(&self, upload: &Upload, (file_type, is_by_name): (FileType, bool)) -> Result<Loaded, Problem> {
        let max_bytes = self.memory.config.max_file_bytes;
        let mut bytes = Vec::new();
        let unreadable =
            |error: std::io::Error| Problem::new("unreadable", format!("it cannot be read: {error}"), "send it again");
        (&upload.file).take(max_bytes + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        let loaded = converted(bytes, file_type, max_bytes)?;
        Ok(if is_by_name { loaded.by_text() } else { loaded })
    }
}
