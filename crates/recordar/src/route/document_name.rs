//! Finding a document by the name that a user gives it: a path, a file name or an id.

use recordar_domain::{Invalid, SpaceName};
use recordar_store::{DocumentRow, Error as StoreError, Reading, SpaceId};
use std::path::Path;

/// Finds a document by its stored path, its path on this disk, its id, or the end of its path if that is unique, such as its file name or
/// the short name that results show.
/// A number that is the name of one document and the id of another is ambiguous; `id:7` is always an id.
pub(crate) fn find_document(
    reading: &mut Reading<'_>,
    id: SpaceId,
    space: &SpaceName,
    name: &str,
) -> Result<DocumentRow, StoreError> {
    if let Some(number) = name.strip_prefix("id:").and_then(|number| number.parse().ok())
        && let Some(document) = reading.document(id, number)?
    {
        return Ok(document);
    }
    let mut by_path = reading.document_at(id, name)?;
    if by_path.is_none()
        && let Some(path) = absolute(name)
    {
        by_path = reading.document_at(id, &path)?;
    }
    let by_id = name.parse().ok().map(|number| reading.document(id, number)).transpose()?.flatten();
    match (by_path, by_id) {
        (Some(by_path), Some(by_id)) if by_path.id != by_id.id => {
            return Err(Invalid::new(
                format!("{name:?} is the path of one document and the id of another, {}", by_id.path),
                format!("write id:{} or id:{name}", by_path.id),
            )
            .into());
        }
        (Some(document), _) | (None, Some(document)) => return Ok(document),
        (None, None) => {}
    }
    let documents = reading.documents(id)?;
    let end = format!("/{name}");
    let mut named = documents.into_iter().filter(|document| document.filename == name || document.path.ends_with(&end));
    match (named.next(), named.next()) {
        (Some(only), None) => Ok(only),
        (Some(first), Some(second)) => Err(Invalid::new(
            format!("several documents are named {name:?}: {}, {} …", first.path, second.path),
            "give the full path, or the id from `recordar doc list`",
        )
        .into()),
        (None, _) => Err(absent(name, space)),
    }
}

/// The path a file would be stored under: with links resolved if it exists, else as given.
pub(crate) fn absolute(name: &str) -> Option<String> {
    let path = Path::new(name);
    let absolute = path.canonicalize().or_else(|_| std::path::absolute(path)).ok()?;
    absolute.to_str().map(str::to_owned)
}

pub(crate) fn absent(name: &str, space: &SpaceName) -> StoreError {
    StoreError::absent(format!("document {name:?} in space {space}"))
}
