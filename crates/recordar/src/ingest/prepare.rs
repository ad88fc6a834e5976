//! From a text to a storable document: its manifest, structure and chunks. Pure.

use super::Problem;
use recordar_domain::text::{Chunk, Chunking, Cut, Structure, TokenCounter, Unstructured, chunk};
use recordar_domain::{Action, Digest, FileType, Manifest, Stage, Timestamp};
use recordar_store::NewChunk;
use std::collections::BTreeMap;

/// A text that is ready to store.
pub(super) struct Prepared {
    pub(super) text: String,
    pub(super) sections: Vec<Option<String>>,
    pub(super) chunks: Vec<Chunk>,
    pub(super) warnings: Vec<Problem>,
}

pub(super) fn manifest(path: &str, text: &str, file_type: FileType, mtime: Option<Timestamp>) -> Manifest {
    Manifest {
        path: path.to_owned(),
        sha256: Digest::of(text),
        mtime,
        file_type,
        bytes: text.len() as u64,
        chars: text.chars().count() as u64,
    }
}

pub(super) fn prepare(
    text: String,
    manifest: &Manifest,
    chunking: &Chunking,
    counter: &TokenCounter,
    stage: &mut Stage,
) -> Prepared {
    let mut warnings = Vec::new();
    let structure = Structure::of(&text, manifest.file_type).unwrap_or_else(|Unstructured(why)| {
        stage.decide(&manifest.path, Action::Changed, "unstructured", why.clone());
        warnings.push(Problem::new(
            "unstructured",
            format!("{why}; stored as plain text"),
            "correct the file and ingest it again if its structure matters",
        ));
        Structure::default()
    });
    let chunks = chunk(&text, &structure, chunking, counter);
    if let (Chunking::Delimiter { min_tokens, .. }, [only]) = (chunking, chunks.as_slice())
        && only.tokens < *min_tokens
    {
        warnings.push(Problem::new(
            "short",
            format!("it has {} tokens, fewer than chunk_min_tokens ({min_tokens}); kept as one chunk", only.tokens),
            "no action is needed",
        ));
    }
    for (cut, count) in cuts(&chunks) {
        stage.decide(&manifest.path, Action::Kept, cut.name(), format!("{count} chunks end here"));
    }
    let sections = structure.sections(&text, chunks.iter().map(|chunk| chunk.start));
    Prepared { text, sections, chunks, warnings }
}

fn cuts(chunks: &[Chunk]) -> BTreeMap<Cut, usize> {
    let mut cuts = BTreeMap::new();
    for chunk in chunks {
        *cuts.entry(chunk.cut).or_default() += 1;
    }
    cuts
}

impl Prepared {
    pub(super) fn rows(&self) -> Vec<NewChunk<'_>> {
        let row = |(chunk, section): (&Chunk, &Option<String>)| NewChunk {
            text: chunk.text(&self.text),
            overlap: chunk.overlap,
            section: section.clone(),
            tokens: chunk.tokens,
        };
        self.chunks.iter().zip(&self.sections).map(row).collect()
    }

    /// The text of each chunk, and its section.
    pub(super) fn texts(&self) -> Vec<(&str, Option<&str>)> {
        let chunks = self.chunks.iter().zip(&self.sections);
        chunks.map(|(chunk, section)| (chunk.text(&self.text), section.as_deref())).collect()
    }

    pub(super) fn tokens(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.tokens as u64).sum()
    }
}
