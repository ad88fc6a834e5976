//! Files that moved: a document vanished, and a new file has the same content, or most of it.

use super::load;
use super::vanished::Vanished;
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_domain::{Digest, SpaceName};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// The share of a document's lines, by bytes, or of its chunks, that the new file must have.
const LEAST_SHARE: f64 = 0.5;
/// Lines that more documents have say nothing about which of them it is.
const MOST_HOLDERS: usize = 20;

/// A file that no document has.
pub(super) struct NewPath<'a> {
    /// Its index among the files of the run.
    pub(super) index: usize,
    pub(super) found: &'a load::Found,
}

struct Stored {
    sha256: Digest,
    text: String,
    chunks: Vec<String>,
}

/// Which new files are documents that moved: for the index of each file, the place of the document in the list of those that vanished.
pub(super) fn moves(
    memory: &Recordar,
    space: &SpaceName,
    vanished: &[Vanished],
    new: &[NewPath<'_>],
) -> Result<BTreeMap<usize, usize>, Error> {
    if vanished.is_empty() || new.is_empty() {
        return Ok(BTreeMap::new());
    }
    let stored = memory.store.read(|reading| {
        let Some(space) = reading.space(space)? else { return Ok(Vec::new()) };
        let mut stored = Vec::with_capacity(vanished.len());
        for gone in vanished {
            let chunks = reading.chunks(space.id, gone.version.id)?;
            let chunks: Vec<String> = chunks.into_iter().map(|chunk| chunk.text[chunk.overlap..].to_owned()).collect();
            stored.push(Stored { sha256: gone.version.sha256, text: chunks.concat(), chunks });
        }
        Ok(stored)
    })?;
    if stored.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut holders: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, stored) in stored.iter().enumerate() {
        for line in stored.text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let known = holders.entry(line).or_default();
            if known.last() != Some(&place) {
                known.push(place);
            }
        }
    }
    // The best first: the same content, then the largest share, then the same file name; then by their order.
    let mut pairs: Vec<(bool, f64, bool, usize, usize)> = Vec::new();
    for file in new {
        if memory.cancel.is_cancelled() {
            break;
        }
        // One that cannot be read is reported when it is its turn.
        let Ok(loaded) = load::read(file.found, memory.config.max_file_bytes) else { continue };
        let digest = Digest::of(&loaded.text);
        let lines: BTreeSet<&str> = loaded.text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for line in &lines {
            for place in holders.get(line).filter(|known| known.len() <= MOST_HOLDERS).into_iter().flatten() {
                *shared.entry(*place).or_default() += line.len();
            }
        }
        for (place, stored) in stored.iter().enumerate() {
            let is_same = stored.sha256 == digest;
            if !is_same && !shared.contains_key(&place) {
                continue;
            }
            let share = if is_same { 1.0 } else { stored.share(&loaded.text, &lines) };
            if share >= LEAST_SHARE {
                let has_name = file.found.path.file_name() == Path::new(&vanished[place].path).file_name();
                pairs.push((is_same, share, has_name, file.index, place));
            }
        }
    }
    pairs.sort_by(|one, other| {
        let rest = (other.2, one.3, one.4).cmp(&(one.2, other.3, other.4));
        other.0.cmp(&one.0).then(other.1.total_cmp(&one.1)).then(rest)
    });
    let (mut moves, mut taken) = (BTreeMap::new(), BTreeSet::new());
    for (_, _, _, file, place) in pairs {
        if !moves.contains_key(&file) && taken.insert(place) {
            moves.insert(file, place);
        }
    }
    Ok(moves)
}

impl Stored {
    /// How much of it is in a text: the larger of the share of its lines and that of its chunks.
    fn share(&self, text: &str, lines: &BTreeSet<&str>) -> f64 {
        let (mut known, mut all) = (0, 0);
        for line in self.text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            all += line.len();
            known += if lines.contains(line) { line.len() } else { 0 };
        }
        let of_lines = known as f64 / all.max(1) as f64;
        if !(LEAST_SHARE / 2.0..LEAST_SHARE).contains(&of_lines) {
            return of_lines;
        }
        let is_there = |chunk: &&String| !chunk.trim().is_empty() && text.contains(chunk.as_str());
        of_lines.max(self.chunks.iter().filter(is_there).count() as f64 / self.chunks.len().max(1) as f64)
    }
}
