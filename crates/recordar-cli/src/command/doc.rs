//! `recordar doc`: looking at documents.

use super::explain::show_trace;
use super::{Outcome, open, time};
use crate::arguments::{Doc, DocAction, DocGet, Global};
use crate::output::{Output, bytes};
use recordar::{
    DocumentMeta, DocumentRequest, DocumentResult, DocumentText, DocumentView, Error, VersionStrategy, VersionView,
};

pub(crate) fn run(doc: &Doc, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let (memory, space) = open(global)?;
    match &doc.action {
        DocAction::List => {
            let documents = memory.documents(&space)?;
            output.result(&documents, |output| list(&documents, space.as_str(), output));
        }
        DocAction::Show { name, version, chunks } => {
            let document = memory.document_text(&space, name, *version)?;
            output.result(&document, |output| show(&document, *chunks, output));
        }
        DocAction::Get(get) => {
            let found = memory.document(&space, &request(get)?)?;
            output.result(&found, |output| show_found(&found, get.explain, output));
        }
        DocAction::Versions { name } => {
            let versions = memory.document_versions(&space, name)?;
            output.result(&versions, |output| show_versions(&versions, output));
        }
        DocAction::Diff { name, from, to } => {
            let difference = memory.document_diff(&space, name, *from, *to)?;
            output.result(&difference, |output| {
                if difference.diff.is_empty() {
                    output.line(&format!("versions {} and {} have the same text", difference.from, difference.to));
                } else {
                    output.raw(&difference.diff);
                }
                if difference.forgotten_chunks > 0 {
                    output.hint(
                        "note: chunks were forgotten from these texts; the lines at the gaps are shown as changed",
                    );
                }
            });
        }
    }
    Ok(Outcome::Done)
}

fn request(get: &DocGet) -> Result<DocumentRequest, Error> {
    let meta = DocumentMeta {
        filename: get.filename.clone().or_else(|| get.file_name.clone()),
        topic: get.topic.clone(),
        note: get.note.clone(),
        provider: get.provider.clone(),
        tags: get.tags.clone(),
        query: get.query.clone(),
    };
    Ok(DocumentRequest {
        meta,
        k: get.k,
        default_tags: get.default_tags.clone(),
        strategy: VersionStrategy::parse(&get.strategy)?,
        as_of: time(get.as_of.as_deref())?,
        strict: get.strict,
    })
}

fn list(documents: &[DocumentView], space: &str, output: &Output) {
    if documents.is_empty() {
        output.line(&format!("{space} has no documents; store some with `recordar ingest PATH`"));
        return;
    }
    let row = |document: &DocumentView| {
        vec![
            document.document_id.to_string(),
            document.path.clone(),
            document.versions.to_string(),
            document.version.chunks.to_string(),
            document.version.tokens.to_string(),
            bytes(document.version.bytes as u64),
            document.version.attributes.tags().join(", "),
            if document.live { "live".to_owned() } else { "retired".to_owned() },
        ]
    };
    let header = ["id", "document", "versions", "chunks", "tokens", "size", "tags", "state"];
    output.table(&header, documents.iter().map(row));
}

fn show(document: &DocumentText, chunks: bool, output: &Output) {
    if chunks {
        for chunk in &document.chunks {
            let section = chunk.section.as_deref().map(|section| format!(", {section}")).unwrap_or_default();
            output.line(&format!("── item {} · {} tokens{section}", chunk.item_id, chunk.tokens));
            output.line(chunk.text.trim_end());
        }
    } else {
        output.raw(&document.text);
    }
    if !document.verified {
        let gaps = document.document.version.forgotten_chunks;
        output.hint(&format!("note: this is not the file byte for byte: {gaps} of its chunks were forgotten"));
    }
}

fn show_found(found: &DocumentResult, explain: bool, output: &Output) {
    show(&found.document, false, output);
    if explain {
        show_trace(&found.trace, output);
    }
    for fallback in &found.fallbacks {
        output.warn(&format!("note: {}; --strict makes that an error", fallback.what));
    }
    let DocumentView { path, version, versions, .. } = &found.document.document;
    output.hint(&format!("version {} of {versions} of {path}, ingested at {}", version.number, version.ingested_at));
}

fn show_versions(versions: &[VersionView], output: &Output) {
    let row = |version: &VersionView| {
        vec![
            version.number.to_string(),
            version.ingested_at.to_string(),
            version.sha256.to_string()[..12].to_owned(),
            bytes(version.bytes as u64),
            version.chunks.to_string(),
            version.tokens.to_string(),
            version.attributes.note.clone().unwrap_or_default(),
            if version.live { "live".to_owned() } else { "retired".to_owned() },
        ]
    };
    output.table(
        &["version", "ingested at", "sha256", "size", "chunks", "tokens", "note", "state"],
        versions.iter().map(row),
    );
}
