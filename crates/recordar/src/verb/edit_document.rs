//! Changing what is known about a document without a new version of its text: its tags, topic, note, provider and metadata; and its name.

use super::documents::{DocumentView, document_view};
use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::ingest::check_name;
use recordar_core::error::Error;
use recordar_core::route::document_name::find_document;
use recordar_domain::{Attributes, DocumentName, Hasher, Invalid, Metadata, OperationId, SpaceName};
use recordar_store::{DocumentRow, Error as StoreError, NewPlace, Operation, Settled, VersionRow, Writing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A change of a document's attributes. What is absent stays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AttributesChange {
    pub add_tags: Vec<String>,
    pub remove_tags: Vec<String>,
    /// An empty text removes the field.
    pub topic: Option<String>,
    pub note: Option<String>,
    pub provider: Option<String>,
    /// Fields to set; `null` removes one.
    pub metadata: serde_json::Map<String, serde_json::Value>,
}

/// A document after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DocumentEdit {
    #[serde(flatten)]
    pub document: DocumentView,
    /// False if everything was like that before; then nothing was written.
    pub changed: bool,
    pub operation: String,
    /// Whether this operation was done before.
    pub repeated: bool,
}

impl Recordar {
    /// Changes the attributes of a document from now on. As of earlier times, it has those of then.
    pub fn edit_document(
        &self,
        space: &SpaceName,
        name: &str,
        change: &AttributesChange,
        operation: &OperationId,
    ) -> Result<DocumentEdit, Error> {
        self.change_document(space, name, operation, "attributes", |writing, document, newest| {
            let attributes = change.apply(&newest.attributes)?;
            if attributes == newest.attributes {
                return Ok(false);
            }
            writing.set_attributes(document.id, &attributes)?;
            Ok(true)
        })
    }

    /// Gives a document another name in its collection, or another path if it belongs to none. Its history stays.
    pub fn move_document(
        &self,
        space: &SpaceName,
        name: &str,
        to: &str,
        operation: &OperationId,
    ) -> Result<DocumentEdit, Error> {
        let to = to.trim().to_owned();
        check_name(&to)?;
        if to.split('/').any(|part| part == "..") {
            let what = format!("{to:?} leads out of a folder");
            return Err(Invalid::new(what, "give a name without ..").into());
        }
        self.change_document(space, name, operation, "move", |writing, document, newest| {
            move_to(writing, document, newest, &to)
        })
    }

    /// Runs an edit of a document in a transaction. Nothing is written if it changes nothing.
    fn change_document(
        &self,
        space: &SpaceName,
        name: &str,
        operation: &OperationId,
        kind: &str,
        edit: impl Fn(&mut Writing<'_>, &DocumentRow, &VersionRow) -> Result<bool, StoreError>,
    ) -> Result<DocumentEdit, Error> {
        self.showing(|memory| {
            let absent = || StoreError::absent(format!("document {name:?} in space {space}"));
            let document = memory.store.read(|reading| {
                let id = reading.space(space)?.ok_or_else(absent)?.id;
                find_document(reading, id, space, name)
            })?;
            // By id: a digest of the change would outlive the document.
            let request = Hasher::default().field(document.id.to_le_bytes()).finish();
            let operation = Operation { id: operation, kind, request };
            let written = memory.store.write(space, &operation, (memory.clock)(), |writing| {
                let id = writing.space_id();
                let document = writing.document(id, document.id)?.ok_or_else(absent)?;
                let newest = writing.latest_version(id, document.id)?.ok_or_else(absent)?;
                if newest.retired.is_some() {
                    let what = format!("{} is retired: its file no longer exists", document.path);
                    return Err(Invalid::new(what, "ingest the file again, then change it").into());
                }
                let is_changed = edit(writing, &document, &newest)?;
                Ok(if is_changed { Settled::Commit(true) } else { Settled::Abandon(false) })
            })?;
            let view = memory.store.read(|reading| {
                let id = reading.space(space)?.ok_or_else(absent)?.id;
                let row = reading.document(id, document.id)?.ok_or_else(absent)?;
                let versions = reading.versions(id, row.id)?;
                let newest = versions.last().cloned().ok_or_else(absent)?;
                Ok(document_view(row, versions.len(), newest))
            })?;
            Ok(DocumentEdit {
                document: view,
                changed: written.value,
                operation: operation.id.to_string(),
                repeated: written.is_repeated,
            })
        })
    }
}

impl AttributesChange {
    fn apply(&self, before: &Attributes) -> Result<Attributes, Invalid> {
        let stays = |tag: &&str| !self.remove_tags.iter().any(|gone| gone.trim() == *tag);
        let mut tags: Vec<&str> = before.given_tags().filter(stays).collect();
        tags.extend(self.add_tags.iter().map(String::as_str));
        let text = |new: &Option<String>, old: &Option<String>| match new {
            Some(new) => Some(new.clone()).filter(|new| !new.trim().is_empty()),
            None => old.clone(),
        };
        let mut fields = serde_json::Map::from(before.metadata.clone());
        for (name, value) in &self.metadata {
            match value {
                serde_json::Value::Null => drop(fields.remove(name)),
                value => drop(fields.insert(name.clone(), value.clone())),
            }
        }
        Attributes::new(
            tags,
            text(&self.topic, &before.topic),
            text(&self.note, &before.note),
            text(&self.provider, &before.provider),
            Metadata::new(fields)?,
        )
    }
}

/// The move is a version of its own with the same chunks, so that earlier versions keep the name that they had.
fn move_to(
    writing: &mut Writing<'_>,
    document: &DocumentRow,
    newest: &VersionRow,
    to: &str,
) -> Result<bool, StoreError> {
    let space = writing.space_id();
    let name = match &document.collection {
        // An absolute path is one below the root of the collection.
        Some(collection) if Path::new(to).is_absolute() => {
            let roots = writing.roots(space)?;
            let below = roots.iter().rev().filter(|root| root.collection == *collection);
            let below = below.filter_map(|root| Path::new(to).strip_prefix(&root.root).ok()?.to_str()).next();
            let outside = || {
                let what = format!("{to} is not below the root of the collection {collection}");
                Invalid::new(what, "give a path relative to the root")
            };
            DocumentName { collection: Some(collection.clone()), name: below.ok_or_else(outside)?.to_owned() }
        }
        Some(collection) => DocumentName { collection: Some(collection.clone()), name: to.to_owned() },
        None => DocumentName::of_path(to),
    };
    if name == document.key() {
        return Ok(false);
    }
    if let Some(other) = writing.document_named(space, &name)? {
        let what = format!("another document is named {to}, with id {}", other.id);
        return Err(Invalid::new(what, "choose another name, or forget that document first").into());
    }
    let path = match (&document.name, name.collection.is_some()) {
        (Some(before), true) => match document.path.strip_suffix(before.as_str()) {
            Some(root) => format!("{root}{}", name.name),
            None => name.name.clone(),
        },
        _ => name.name.clone(),
    };
    let filename = Path::new(&path).file_name().map_or(path.clone(), |name| name.display().to_string());
    writing.move_document(document, newest, &NewPlace { name: &name, path: &path, filename: &filename })?;
    Ok(true)
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct TagDocumentArguments {
    /// Its path, file name or id.
    name: String,
    /// Tags to add.
    tags: Vec<String>,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for TagDocumentArguments {
    const NAME: &'static str = "tag_document";
    const ABOUT: &'static str = "Add tags to a document. Its text gets no new version.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = DocumentEdit;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<DocumentEdit, Error> {
        let change = AttributesChange { add_tags: self.tags, ..AttributesChange::default() };
        let operation = call.operation(self.operation)?;
        memory.edit_document(call.space(), &self.name, &change, &operation)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct UntagDocumentArguments {
    /// Its path, file name or id.
    name: String,
    /// Tags to remove.
    tags: Vec<String>,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for UntagDocumentArguments {
    const NAME: &'static str = "untag_document";
    const ABOUT: &'static str = "Remove tags from a document. Its text gets no new version.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = DocumentEdit;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<DocumentEdit, Error> {
        let change = AttributesChange { remove_tags: self.tags, ..AttributesChange::default() };
        let operation = call.operation(self.operation)?;
        memory.edit_document(call.space(), &self.name, &change, &operation)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct SetDocumentArguments {
    /// Its path, file name or id.
    name: String,
    /// Its topic; an empty text removes it.
    topic: Option<String>,
    /// A note about it; an empty text removes it.
    note: Option<String>,
    /// Who supplied it; an empty text removes it.
    provider: Option<String>,
    /// Fields of its metadata to set, as a JSON object. A field that is null is removed; the others stay.
    #[serde(default)]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    metadata: serde_json::Map<String, serde_json::Value>,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for SetDocumentArguments {
    const NAME: &'static str = "set_document";
    const ABOUT: &'static str =
        "Set the topic, note, provider or metadata of a document. Its text gets no new version.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = DocumentEdit;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<DocumentEdit, Error> {
        let Self { name, topic, note, provider, metadata, operation } = self;
        let change = AttributesChange { topic, note, provider, metadata, ..AttributesChange::default() };
        memory.edit_document(call.space(), &name, &change, &call.operation(operation)?)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct MoveDocumentArguments {
    /// Its path, file name or id.
    name: String,
    /// Its new name in the collection, or its new path.
    to: String,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for MoveDocumentArguments {
    const NAME: &'static str = "move_document";
    const ABOUT: &'static str = "Rename a document. Its history stays. The file itself is not touched.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = DocumentEdit;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<DocumentEdit, Error> {
        let operation = call.operation(self.operation)?;
        memory.move_document(call.space(), &self.name, &self.to, &operation)
    }
}
