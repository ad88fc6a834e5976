//! From a text to a storable document: its manifest, structure and chunks. Pure.

use crate::problem::Problem;
use recordar_domain::text::{
    Chunk, ChunkBefore, Chunking, Cut, FrontMatter, SectionStart, Sections, Structure, TokenCounter, Unstructured,
    recut,
};
use recordar_domain::{Action, Attributes, Digest, FileType, Manifest, Stage, Timestamp};
use recordar_store::{ChunkRow, NewChunk};
use std::collections::BTreeMap;

/// The attributes that were given, and what the front matter of a page adds to them.
pub fn with_front_matter(given: &Attributes, text: &str, file_type: FileType) -> Attributes {
    let Some(front) = (file_type == FileType::Markdown).then(|| FrontMatter::of(text)).flatten() else {
        return given.clone();
    };
    let fields =
        [("title", front.title(text)), ("date", front.date.as_deref()), ("language", front.language.as_deref())];
    let fields = fields.into_iter().filter_map(|(name, value)| Some((name, value?)));
    given.with_description(front.tags.iter().map(String::as_str), fields)
}

/// The attributes that a document keeps: those that are given now, and those of before where none are given, without what its text said of
/// itself.
pub fn inherited(given: &Attributes, before: &Attributes, text: &str, file_type: FileType) -> Attributes {
    let described = with_front_matter(&Attributes::default(), text, file_type);
    given.with_those_of(&before.without(&described))
}

/// A text that is ready to store.
pub struct Prepared {
    pub text: String,
    pub sections: Sections,
    pub chunks: Vec<Chunk>,
    pub warnings: Vec<Problem>,
}

pub fn manifest(path: &str, text: &str, file_type: FileType, mtime: Option<Timestamp>) -> Manifest {
    Manifest {
        path: path.to_owned(),
        sha256: Digest::of(text),
        mtime,
        file_type,
        bytes: text.len() as u64,
        chars: text.chars().count() as u64,
    }
}

pub fn prepare(
    text: String,
    manifest: &Manifest,
    chunking: &Chunking,
    counter: &TokenCounter,
    before: &[ChunkRow],
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
    let before = before.iter().map(|chunk| {
        let ChunkRow { text, overlap, tokens, .. } = chunk;
        ChunkBefore { text, overlap: *overlap, tokens: *tokens as usize }
    });
    let chunks = recut(&text, &structure, chunking, counter, &before.collect::<Vec<_>>());
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
    let sections = structure.sections(&text);
    Prepared { text, sections, chunks, warnings }
}

/// More sections than this are not kept of one chunk.
const MAX_SECTIONS: usize = 256;
/// Nor sections whose names are longer together.
const MAX_SECTION_BYTES: usize = 64 * 1024;

fn cuts(chunks: &[Chunk]) -> BTreeMap<Cut, usize> {
    let mut cuts = BTreeMap::new();
    for chunk in chunks {
        *cuts.entry(chunk.cut).or_default() += 1;
    }
    cuts
}

impl Prepared {
    pub fn rows(&self) -> Vec<NewChunk<'_>> {
        let row = |chunk: &Chunk| NewChunk {
            text: chunk.text(&self.text),
            overlap: chunk.overlap,
            section: self.sections.at(chunk.start).map(str::to_owned),
            sections: self.sections_in(chunk),
            tokens: chunk.tokens,
        };
        self.chunks.iter().map(row).collect()
    }

    /// The text of each chunk, and its section.
    pub fn texts(&self) -> Vec<(&str, Option<&str>)> {
        self.chunks.iter().map(|chunk| (chunk.text(&self.text), self.sections.at(chunk.start))).collect()
    }

    /// The sections that begin in a chunk, by their places in its text. If it begins with overlap, that of the overlap comes first.
    fn sections_in(&self, chunk: &Chunk) -> Vec<SectionStart> {
        let first = chunk.start - chunk.overlap;
        let overlapping = self.sections.at(first).filter(|_| chunk.overlap > 0);
        let overlapping = overlapping.map(|section| SectionStart { at: 0, section: section.to_owned() });
        let inner = self.sections.within(first + 1..chunk.end).iter();
        let inner = inner.map(|start| SectionStart { at: start.at - first, section: start.section.clone() });
        let mut bytes = 0;
        let fits = |start: &SectionStart| {
            bytes += start.section.len();
            bytes <= MAX_SECTION_BYTES
        };
        overlapping.into_iter().chain(inner).take(MAX_SECTIONS).take_while(fits).collect()
    }

    pub fn tokens(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.tokens as u64).sum()
    }
}
