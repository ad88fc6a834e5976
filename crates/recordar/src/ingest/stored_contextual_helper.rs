//! The helpers of documents that are stored: which sources have none, and storing another one.

use super::contextual_helper::{HelperInput, HelperReport, check_helper};
use super::places::{Placer, Places, PlacingRequest, ToPlace};
use super::session::Session;
use crate::engine::Recordar;
use crate::error::Error;
use crate::route::document_name::find_document;
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
            let document = reading.document_at(space.id, path)?;
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

/// Replaces the helper of a stored document, if requested.
pub(crate) fn renew_helper(
    (memory, space): (&Recordar, &SpaceName),
    path: &str,
    placing: &PlacingRequest,
    session: &Session,
    operation: &OperationId,
) -> Result<Option<HelperReport>, Error> {
    let given = placing.given(path);
    if given.is_none() && !placing.regenerate_helper {
        return Ok(None);
    }
    let source = read_source(memory, space, path)?;
    renew((memory, space), &source, (given, placing.regenerate_helper), session, &operation.part(b"helper"))
}

/// Stores another helper of a source, if there is one to store.
pub(crate) fn renew(
    (memory, space): (&Recordar, &SpaceName),
    source: &Source,
    (given, regenerate): (Option<&HelperInput>, bool),
    session: &Session,
    operation: &OperationId,
) -> Result<Option<HelperReport>, Error> {
    let document = ToPlace {
        path: &source.path,
        filename: &source.filename,
        attributes: &source.attributes,
        chunks: source.chunks.iter().map(|chunk| (chunk.text.as_str(), chunk.section.as_deref())).collect(),
        is_classified: false,
        given,
        regenerate,
    };
    let request = Hasher::default().field(&source.path).field(format!("{given:?} {regenerate}")).finish();
    let places = Placer::new(memory, space, &document, session)?.places;
    if put_helper((memory, space), source.document_id, &places, operation, request)? {
        // The helper made now was not stored; the one made then is.
        return Ok(None);
    }
    match (places.helper, places.problem) {
        (None, Some(problem)) => Err(Error::input(&problem.code, problem.what, problem.remedy)),
        (helper, _) => Ok(helper),
    }
}

fn put_helper(
    (memory, space): (&Recordar, &SpaceName),
    document_id: i64,
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
        Ok(Settled::Commit(writing.add_helper(document_id, *origin, &helper.text, helper.tokens as i64)?.number))
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
