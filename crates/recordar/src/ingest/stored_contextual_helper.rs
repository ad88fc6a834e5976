//! The helpers of documents that are stored: which sources have none, and storing another one.

use super::Problem;
use super::contextual_helper::{HelperInput, HelperReport, check_helper};
use super::places::{Placer, Places, PlacingRequest, ToPlace};
use super::session::Session;
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::route::document_name::{document_at_path, find_document};
use recordar_domain::{Attributes, Digest, Hasher, OperationId, SpaceName};
use recordar_store::{ChunkRow, Error as StoreError, Operation, Settled};

/// The parts of a document its helper is made from.
pub(crate) struct Source {
    pub(crate) document_id: i64,
    pub(crate) path: String,
    filename: String,
    attributes: Attributes,
    chunks: Vec<ChunkRow>,
}

/// The paths whose sources lack a required helper.
pub(crate) fn sources_without_helper(
    memory: &Recordar,
    space: &SpaceName,
    paths: &[String],
) -> Result<Vec<String>, Error> {
    if memory.config.auto_source_identification {
        return Ok(Vec::new());
    }
    Ok(memory.store.read(|reading| {
        let Some(space) = reading.space(space)? else { return Ok(paths.to_vec()) };
        let mut missing = Vec::new();
        for path in paths {
            let document = document_at_path(reading, space.id, path)?;
            let helper = document.map_or(Ok(None), |document| reading.helper(space.id, document.id))?;
            if helper.is_none() {
                missing.push(path.clone());
            }
        }
        Ok(missing)
    })?)
}

/// Rejects invalid helpers, and sources without a required one, before anything is stored.
pub(super) fn check_helpers<'a>(
    memory: &Recordar,
    space: &SpaceName,
    placing: &PlacingRequest,
    paths: impl Iterator<Item = &'a str>,
) -> Result<(), Error> {
    for given in placing.helpers.values().chain(&placing.helper) {
        check_helper(given, &memory.counter)?;
    }
    let open: Vec<String> = paths.filter(|path| placing.given(path).is_none()).map(str::to_owned).collect();
    let missing = sources_without_helper(memory, space, &open)?;
    let Some(first) = missing.first() else { return Ok(()) };
    let others = if missing.len() > 1 { format!(" and {} more", missing.len() - 1) } else { String::new() };
    let what = format!(
        "{first}{others} cannot be ingested: the contextual helper's date, author, topic and description are missing"
    );
    let remedy = "provide them (use \"unknown\" if not known), or set ingest.auto_source_identification to true";
    Err(Error::input("helper_missing", what, remedy))
}

/// What became of the helper of a stored document.
#[derive(Default)]
pub(crate) struct Renewed {
    pub(crate) helper: Option<HelperReport>,
    pub(crate) warnings: Vec<Problem>,
}

/// Replaces the helper of a stored document, if requested, or tries again to generate one that is missing.
pub(crate) fn renew_helper(
    (memory, space): (&Recordar, &SpaceName),
    path: &str,
    (placing, is_missing): (&PlacingRequest, bool),
    session: &Session,
    operation: &OperationId,
) -> Result<Renewed, Error> {
    let given = placing.given(path);
    let is_requested = given.is_some() || placing.regenerate_helper;
    if !is_requested && !is_missing {
        return Ok(Renewed::default());
    }
    let source = read_source(memory, space, path)?;
    let operation = operation.part(b"helper");
    if !is_requested {
        return generate_missing((memory, space), &source, session, &operation);
    }
    let places = renewed((memory, space), &source, (given, placing.regenerate_helper, false), session, &operation)?;
    let Some(places) = places else { return Ok(Renewed::default()) };
    let warnings = if places.keeps_users_helper { places.helper_warnings(path) } else { Vec::new() };
    Ok(Renewed { helper: report_or_problem(places)?, warnings })
}

/// Tries again to generate the helper of a source that has none. If that fails, the warning says why.
pub(crate) fn generate_missing(
    place: (&Recordar, &SpaceName),
    source: &Source,
    session: &Session,
    operation: &OperationId,
) -> Result<Renewed, Error> {
    let places = renewed(place, source, (None, true, false), session, operation)?.unwrap_or_default();
    Ok(Renewed { warnings: places.helper_warnings(&source.path), helper: places.helper })
}

/// The helper of a stored document, generated if it has none and helpers are generated.
pub(crate) fn first_helper(
    (memory, space): (&Recordar, &SpaceName),
    document_id: i64,
    path: &str,
    session: &Session,
    operation: &OperationId,
) -> Result<Option<HelperReport>, Error> {
    let has_helper = memory.store.read(|reading| match reading.space(space)? {
        Some(space) => Ok(reading.helper(space.id, document_id)?.is_some()),
        None => Ok(true),
    })?;
    if has_helper || !memory.config.auto_source_identification {
        return Ok(None);
    }
    let source = read_source(memory, space, path)?;
    let part = operation.part(format!("helper {document_id}").as_bytes());
    renew((memory, space), &source, (None, true), session, &part)
}

/// Stores another helper of a source, if there is one to store. A generated one replaces the user's, too.
pub(crate) fn renew(
    place: (&Recordar, &SpaceName),
    source: &Source,
    (given, regenerate): (Option<&HelperInput>, bool),
    session: &Session,
    operation: &OperationId,
) -> Result<Option<HelperReport>, Error> {
    let places = renewed(place, source, (given, regenerate, true), session, operation)?;
    let Some(places) = places else { return Ok(None) };
    let report = report_or_problem(places)?;
    if report.is_none() {
        let what = format!("nothing could be said about {}, so its contextual helper stays as it is", source.path);
        return Err(Error::input("nothing_known", what, "set one with --helper"));
    }
    Ok(report)
}

fn report_or_problem(places: Places) -> Result<Option<HelperReport>, Error> {
    match (places.helper, places.problem) {
        (None, Some(problem)) => Err(Error::input(&problem.code, problem.what, problem.remedy)),
        (helper, _) => Ok(helper),
    }
}

/// `None` if the operation was done before: the helper made now was not stored; the one made then is.
fn renewed(
    (memory, space): (&Recordar, &SpaceName),
    source: &Source,
    (given, regenerate, replaces_users): (Option<&HelperInput>, bool, bool),
    session: &Session,
    operation: &OperationId,
) -> Result<Option<Places>, Error> {
    let document = ToPlace {
        document: Some(source.document_id),
        path: &source.path,
        filename: &source.filename,
        attributes: &source.attributes,
        chunks: source.chunks.iter().map(|chunk| (chunk.text.as_str(), chunk.section.as_deref())).collect(),
        is_classified: false,
        is_placed_later: false,
        given,
        regenerate,
    };
    let request = Hasher::default().field(&source.path).field(format!("{given:?} {regenerate}")).finish();
    let places = Placer::replacing((memory, space), &document, session, replaces_users)?.places;
    let is_repeated = put_helper((memory, space), (source.document_id, replaces_users), &places, operation, request)?;
    Ok((!is_repeated).then_some(places))
}

fn put_helper(
    (memory, space): (&Recordar, &SpaceName),
    (document_id, replaces_users): (i64, bool),
    places: &Places,
    operation: &OperationId,
    request: Digest,
) -> Result<bool, Error> {
    let Some((origin, helper)) = &places.new_helper else { return Ok(false) };
    let operation = Operation { id: operation, kind: "helper", request };
    let written = memory.store.write(space, &operation, (memory.clock)(), |writing| {
        let id = writing.space_id();
        // It may have been forgotten meanwhile.
        if writing.document(id, document_id)?.is_none() {
            return Err(StoreError::absent(format!("document {document_id} in space {space}")));
        }
        let tokens = helper.tokens as i64;
        let stored = match replaces_users {
            true => writing.replace_helper(document_id, *origin, &helper.text, tokens)?,
            false => writing.add_helper(document_id, *origin, &helper.text, tokens)?,
        };
        Ok(Settled::Commit(stored.number))
    })?;
    Ok(written.is_repeated)
}

pub(crate) fn read_source(memory: &Recordar, space: &SpaceName, name: &str) -> Result<Source, Error> {
    Ok(memory.store.read(|reading| {
        let id = reading.space(space)?.ok_or_else(|| StoreError::absent(format!("space {space}")))?.id;
        let document = find_document(reading, id, space, name)?;
        let version = reading.latest_version(id, document.id)?;
        let version = version.ok_or_else(|| StoreError::absent(format!("a version of {name:?} in space {space}")))?;
        let chunks = reading.chunks(id, version.id)?;
        Ok(Source {
            document_id: document.id,
            path: document.path,
            filename: document.filename,
            attributes: version.attributes,
            chunks,
        })
    })?)
}
