//! Finding a document by the name that a user gives it: a path, a file name or an id.

use recordar_domain::{DocumentName, Invalid, SpaceName};
use recordar_store::{DocumentRow, Error as StoreError, Reading, RootRow, SpaceId};
use std::collections::BTreeMap;
use std::path::Path;

/// Finds a document by its stored path, its path on this disk, its id, or the end of its path if that is unique, such as its file name or
/// the short name that results show.
/// A number that is the name of one document and the id of another is ambiguous; `id:7` is always an id.
pub fn find_document(
    reading: &mut Reading<'_>,
    id: SpaceId,
    space: &SpaceName,
    name: &str,
) -> Result<DocumentRow, StoreError> {
    match find_current_document(reading, id, space, name) {
        Err(StoreError::NotFound { .. }) => once_named(reading, id, name)?.ok_or_else(|| absent(name, space)),
        found => found,
    }
}

/// The same by what documents are called now, and not by what they were called before they moved: for what cannot be undone.
pub fn find_current_document(
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
    let mut by_path = document_at_path(reading, id, name)?;
    if by_path.is_none()
        && let Some(path) = absolute(name)
    {
        by_path = document_at_path(reading, id, &path)?;
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
    let is_named = |document: &DocumentRow| {
        document.filename == name || document.path.ends_with(&end) || document.name.as_deref() == Some(name)
    };
    let mut named = documents.iter().filter(|document| is_named(document)).cloned();
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

/// The document whose file has a path on this or another machine: one without a collection, or the one that it is by a root of its
/// collection.
pub fn document_at_path(
    reading: &mut Reading<'_>,
    space: SpaceId,
    path: &str,
) -> Result<Option<DocumentRow>, StoreError> {
    if let Some(document) = reading.document_at(space, path)? {
        return Ok(Some(document));
    }
    let roots = reading.roots(space)?;
    let names: Vec<DocumentName> = roots.iter().rev().filter_map(|root| name_in(root, path)).collect();
    for name in &names {
        if let Some(document) = reading.document_named(space, name)? {
            return Ok(Some(document));
        }
    }
    Ok(None)
}

fn name_in(root: &RootRow, path: &str) -> Option<DocumentName> {
    let name = Path::new(path).strip_prefix(&root.root).ok()?.to_str().filter(|name| !name.is_empty())?;
    Some(DocumentName { collection: Some(root.collection.clone()), name: name.to_owned() })
}

/// The document that had a name in its collection, or a path, before it moved. Several may have had it.
fn once_named(reading: &mut Reading<'_>, space: SpaceId, name: &str) -> Result<Option<DocumentRow>, StoreError> {
    let mut names: Vec<DocumentName> = Vec::new();
    for document in reading.documents(space)? {
        if let Some(collection) = document.collection {
            names.push(DocumentName { collection: Some(collection), name: name.to_owned() });
        }
    }
    let absolute = absolute(name);
    let paths = [Some(name), absolute.as_deref()];
    let roots = reading.roots(space)?;
    names.extend(roots.iter().flat_map(|root| paths.iter().flatten().filter_map(|path| name_in(root, path))));
    names.sort_unstable();
    names.dedup();
    let mut found: BTreeMap<i64, DocumentRow> = BTreeMap::new();
    for name in &names {
        found.extend(reading.documents_once_named(space, name)?.into_iter().map(|document| (document.id, document)));
    }
    for version in reading.all_versions(space)? {
        if version.path.as_deref().is_some_and(|path| paths.contains(&Some(path))) {
            found.extend(reading.document(space, version.document_id)?.map(|document| (document.id, document)));
        }
    }
    let mut found = found.into_values();
    match (found.next(), found.next()) {
        (Some(first), Some(second)) => Err(Invalid::new(
            format!("several documents were once called {name:?}: {}, {} …", first.path, second.path),
            "give the path that it has now, or the id from `recordar doc list`",
        )
        .into()),
        (only, _) => Ok(only),
    }
}

/// The path a file would be stored under: with links resolved if it exists, else as given.
pub fn absolute(name: &str) -> Option<String> {
    let path = Path::new(name);
    let absolute = path.canonicalize().or_else(|_| std::path::absolute(path)).ok()?;
    absolute.to_str().map(str::to_owned)
}

pub fn absent(name: &str, space: &SpaceName) -> StoreError {
    StoreError::absent(format!("document {name:?} in space {space}"))
}
