//! `recordar doc`: lists, shows and compares documents.

use super::explain::show_trace;
use crate::arguments::{Session, Spec, flag};
use crate::outcome::Outcome;
use crate::output::{Output, bytes};
use clap::Arg;
use recordar::Error;
use recordar::document::{DocumentEdit, DocumentResult, DocumentText, DocumentView, VersionView};
use recordar::verb::verbs;

pub(crate) const LIST: Spec = Spec::verb::<verbs::Documents>(&["doc", "list"], run_list);
pub(crate) const SHOW: Spec = Spec::verb::<verbs::DocumentText>(&["doc", "show"], run_show)
    .positional(&["name"])
    .with(|command| command.arg(flag("chunks", "Show the chunks with their sections and token counts instead")));
pub(crate) const GET: Spec =
    Spec::verb::<verbs::Document>(&["doc", "get"], run_get).hidden(&["meta"]).with(|command| {
        let named = Arg::new("named").value_name("FILENAME").conflicts_with("filename").help("File name or path");
        command.arg(named).arg(flag("explain", "Show what each stage kept or dropped"))
    });
pub(crate) const VERSIONS: Spec =
    Spec::verb::<verbs::DocumentVersions>(&["doc", "versions"], run_versions).positional(&["name"]);
pub(crate) const TAG: Spec = Spec::verb::<verbs::TagDocument>(&["doc", "tag"], run_tag).positional(&["name", "tags"]);
pub(crate) const UNTAG: Spec =
    Spec::verb::<verbs::UntagDocument>(&["doc", "untag"], run_untag).positional(&["name", "tags"]);
pub(crate) const SET: Spec = Spec::verb::<verbs::SetDocument>(&["doc", "set"], run_set).positional(&["name"]);
pub(crate) const MOVE: Spec = Spec::verb::<verbs::MoveDocument>(&["doc", "move"], run_move).positional(&["name", "to"]);
pub(crate) const DIFF: Spec = Spec::verb::<verbs::DocumentDiff>(&["doc", "diff"], run_diff).positional(&["name"]);

fn run_list(session: &Session<'_>) -> Result<Outcome, Error> {
    let space = session.space()?;
    let is_filtered = session.has_any("filter") || session.has_any("after");
    session.print::<verbs::Documents>(|documents, output| match documents.is_empty() && is_filtered {
        true => output.line("no document passes the filter, or none is left"),
        false => list(documents, space.as_str(), output),
    })
}

fn run_show(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::DocumentText>(|document, output| show(document, session.has("chunks"), output))
}

fn run_get(session: &Session<'_>) -> Result<Outcome, Error> {
    let mut arguments = session.arguments()?;
    // The most common argument may be given without an option.
    arguments.extend(session.text("named").map(|name| ("filename".to_owned(), name.into())));
    let found = session.call::<verbs::Document>(arguments)?;
    session.output.result(&found, |output| show_found(&found, session.has("explain"), output));
    Ok(Outcome::Done)
}

fn run_versions(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::DocumentVersions>(|versions, output| show_versions(versions, output))
}

fn run_diff(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::DocumentDiff>(|difference, output| {
        if difference.diff.is_empty() {
            output.line(&format!("versions {} and {} have the same text", difference.from, difference.to));
        } else {
            output.raw(&difference.diff);
        }
        if difference.forgotten_chunks > 0 {
            output
                .hint("note: chunks of these versions were forgotten; the lines around the gaps are shown as changed");
        }
    })
}

fn run_tag(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::TagDocument>(show_edit)
}

fn run_untag(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::UntagDocument>(show_edit)
}

fn run_set(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::SetDocument>(show_edit)
}

fn run_move(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::MoveDocument>(|edit, output| match edit.changed {
        true => {
            output.line(&format!("the document is now {}", short_name(&edit.document)));
            output.hint("its versions keep the names they had; the file itself was not touched");
        }
        false => output.line(&format!("it is {} already", short_name(&edit.document))),
    })
}

fn show_edit(edit: &DocumentEdit, output: &Output) {
    let attributes = &edit.document.version.attributes;
    let tags: Vec<&str> = attributes.given_tags().collect();
    let tags = if tags.is_empty() { "no tags".to_owned() } else { format!("tags: {}", tags.join(", ")) };
    let before = if edit.changed { "" } else { " (as before)" };
    output.line(&format!("{}{before}: {tags}", short_name(&edit.document)));
    for (name, text) in [("topic", &attributes.topic), ("note", &attributes.note), ("provider", &attributes.provider)] {
        if let Some(text) = text {
            output.line(&format!("  {name}: {text}"));
        }
    }
    if !attributes.metadata.is_empty() {
        output.line(&format!("  metadata: {}", attributes.metadata.to_json()));
    }
}

/// What a document is called in as few words as possible.
fn short_name(document: &DocumentView) -> &str {
    document.name.as_deref().unwrap_or(&document.path)
}

fn list(documents: &[DocumentView], space: &str, output: &Output) {
    if documents.is_empty() {
        output.line(&format!("{space} has no documents; store some with `recordar ingest PATH`"));
        return;
    }
    let row = |document: &DocumentView| {
        vec![
            document.document_id.to_string(),
            document.collection.clone().unwrap_or_default(),
            short_name(document).to_owned(),
            document.versions.to_string(),
            document.version.chunks.to_string(),
            document.version.tokens.to_string(),
            bytes(document.version.bytes as u64),
            document.version.attributes.tags().join(", "),
            if document.live { "live".to_owned() } else { "retired".to_owned() },
        ]
    };
    let header = ["id", "collection", "document", "versions", "chunks", "tokens", "size", "tags", "state"];
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
        output.hint(&format!("note: the text is incomplete: {gaps} of its chunks were forgotten"));
    }
}

fn show_found(found: &DocumentResult, explain: bool, output: &Output) {
    // First, because a long text would hide that it may not be what was meant.
    for fallback in &found.fallbacks {
        output.warn(&format!("note: {}; --strict makes that an error", fallback.what));
    }
    show(&found.document, false, output);
    if explain {
        show_trace(&found.trace, output);
    }
    let DocumentView { path, version, versions, .. } = &found.document.document;
    output.hint(&format!("version {} of {versions} of {path}, ingested at {}", version.number, version.ingested_at));
}

fn show_versions(versions: &[VersionView], output: &Output) {
    let row = |version: &VersionView| {
        vec![
            version.number.to_string(),
            version.name.clone().or_else(|| version.path.clone()).unwrap_or_default(),
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
        &["version", "document", "ingested at", "sha256", "size", "chunks", "tokens", "note", "state"],
        versions.iter().map(row),
    );
}
