//! A1: the files that are injected, whole or packed; and those that are off.

use super::{At, Composing, Documents, named};
use recordar_compose::{InjectedFile, Lexicon, Need, Reader, Repeatable, Statement, statements};
use recordar_core::compose::ComposedFile;
use recordar_core::error::Error;
use recordar_core::route::document_name::find_document;
use recordar_core::route::document_text::version_text;
use recordar_domain::{Action, Invalid, Stage};
use recordar_store::{ChunkRow, DocumentRow, Error as StoreError, VersionRow};

/// The files of a composition.
#[derive(Default)]
pub(super) struct Injected {
    pub(super) injected: Vec<InjectedFile>,
    pub(super) views: Vec<ComposedFile>,
    /// The paths that each has or had.
    pub(super) paths: Vec<Vec<String>>,
    /// The chunks of each, with how much of their text the one before has.
    pub(super) chunks: Vec<Vec<(i64, usize)>>,
    /// What each of them says.
    pub(super) texts: Vec<FileText>,
}

/// What is shown of a file, to be compared.
pub(super) struct FileText {
    pub(super) body: String,
    pub(super) repeatable: Repeatable,
    pub(super) statements: Vec<Statement>,
}

/// Reads the files that the request names, and packs them if it says so.
pub(super) fn inject(
    composing: &Composing<'_>,
    lexicon: &Lexicon,
    reader: &mut Reader,
) -> Result<(Injected, Option<Stage>), Error> {
    let (request, counter) = (composing.request, &composing.memory.counter);
    let mut files = Injected::default();
    if request.files.is_empty() {
        return Ok((files, None));
    }
    let mut stage = Stage::new("files");
    let need = Need::read(&request.query, lexicon, reader, |_| 1.0);
    let mut read: Vec<(DocumentRow, VersionRow, Vec<ChunkRow>)> = Vec::new();
    for name in &request.files {
        let found = composing.memory.store.read(|reading| {
            let At { space, revision, .. } =
                composing.at.ok_or_else(|| StoreError::absent(format!("document {name:?}")))?;
            let document = find_document(reading, space, composing.space, name)?;
            let version = reading.version_at(space, document.id, revision)?;
            let version = version.ok_or_else(|| StoreError::absent(format!("a version of {name:?} at that time")))?;
            let chunks = reading.chunks(space, version.id)?;
            Ok((document, version, chunks))
        });
        let found = found.map_err(|error| named(name, error.into()))?;
        if !read.iter().any(|(document, ..)| document.id == found.0.id) {
            read.push(found);
        }
    }
    let budget = request.file_tokens / read.len().max(1);
    for (document, version, chunks) in read {
        files.chunks.push(chunks.iter().map(|chunk| (chunk.id, chunk.overlap)).collect());
        let (text, _) = version_text(&document.path, &version, &chunks)?;
        let text = composing.guard.cleared(&text)?;
        let shown = document.name.clone().unwrap_or_else(|| document.path.clone());
        let shown = composing.name(&shown)?;
        let label = format!("version {}, sha256 {}", version.number, &version.sha256.to_string()[..12]);
        if text.as_str().trim().is_empty() && version.forgotten > 0 {
            let what = format!("nothing of {shown} is left: its text was forgotten");
            return Err(Invalid::new(what, "ingest it again, or leave it out").into());
        }
        let file = match request.pack {
            true => InjectedFile::packed(shown, label, text, (budget, counter), &need, reader),
            false => InjectedFile::full(shown, label, text, counter),
        };
        let file = InjectedFile { is_incomplete: version.forgotten > 0, ..file };
        if !request.pack && file.tokens > request.max_tokens {
            let what = format!("{} has {} tokens, and the ceiling is {}", file.name, file.tokens, request.max_tokens);
            return Err(Invalid::new(what, "raise --max-tokens, or use --pack").into());
        }
        let how = match file.is_whole() {
            true => format!("{}, whole, {} tokens", file.version, file.tokens),
            false => format!("{}, packed, {} of {} lines left out", file.version, file.lines_left_out, file.lines),
        };
        stage.decide(&file.name, Action::Kept, if file.is_whole() { "whole" } else { "packed" }, how);
        files.paths.push(paths(composing, &document)?);
        files.views.push(ComposedFile {
            document_id: document.id,
            path: file.name.clone(),
            version: version.number,
            sha256: version.sha256,
            whole: file.is_whole() && !file.is_incomplete,
            tokens: file.tokens,
            lines: file.lines,
            lines_left_out: file.lines_left_out,
        });
        // What was left out says nothing.
        let body: String = file.parts.iter().map(|part| &file.text.as_str()[part.clone()]).collect();
        files.texts.push(FileText {
            repeatable: Repeatable::new(&body, reader),
            statements: statements(&body, reader),
            body,
        });
        files.injected.push(file);
    }
    Ok((files, Some(stage)))
}

/// The documents that are off.
pub(super) fn off_documents(composing: &Composing<'_>) -> Result<Documents, Error> {
    let mut off = Documents::new();
    for name in &composing.request.off {
        let found = composing.memory.store.read(|reading| {
            let at = composing.at.ok_or_else(|| StoreError::absent(format!("document {name:?}")))?;
            find_document(reading, at.space, composing.space, name)
        });
        let document = found.map_err(|error| named(name, error.into()))?;
        off.insert(document.id, paths(composing, &document)?);
    }
    Ok(off)
}

/// All paths that a document has or had.
fn paths(composing: &Composing<'_>, document: &DocumentRow) -> Result<Vec<String>, Error> {
    let versions = composing.read(|reading, at| reading.versions(at.space, document.id))?;
    Ok(versions.into_iter().filter_map(|version| version.path).chain([document.path.clone()]).collect())
}
