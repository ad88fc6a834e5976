//! The sections of a staged context (D6): duplicates removed by how texts begin, at most 7, 5 and 3 memories, each cut to 300 characters.

use crate::guard::SafePassage;
use crate::noun::passage::{Passage, Span};
use crate::noun::staged::StageSource;
use recordar_domain::{Action, Stage};
use std::collections::HashMap;

/// Texts that agree in this many characters are the same.
const BEGINNING: usize = 100;
const MAX_CHARS: usize = 300;

/// The places of a section.
pub(super) fn places(source: StageSource) -> usize {
    match source {
        StageSource::CurrentThread => 7,
        StageSource::CrossThread => 5,
        StageSource::Expansion => 3,
    }
}

/// Keeps the first passage of each beginning. Best first in, best first out.
pub fn deduplicate_by_beginning(mut passages: Vec<Passage>) -> (Vec<Passage>, Stage) {
    let mut stage = Stage::new("deduplicate");
    let mut seen: HashMap<String, String> = HashMap::new();
    passages.retain(|passage| {
        let beginning: String = passage.item.text.chars().take(BEGINNING).collect();
        let key = beginning.to_lowercase().trim().to_owned();
        if let Some(first) = seen.get(&key) {
            let detail = format!("begins like {first}");
            stage.decide(passage.name(), Action::Dropped, "first_100_characters", detail);
            return false;
        }
        seen.insert(key, passage.name());
        true
    });
    (passages, stage)
}

/// Puts passages into their sections, in the order of the sections, and drops those that find no place.
pub fn sections(passages: Vec<Passage>) -> (Vec<Passage>, Stage) {
    let mut stage = Stage::new("sections");
    let mut kept = Vec::with_capacity(passages.len());
    let mut by_source: [Vec<Passage>; 3] = Default::default();
    for passage in passages {
        let source = passage.place.as_ref().map_or(StageSource::CurrentThread, |place| place.source);
        let (section, most) = (&mut by_source[source as usize], places(source));
        if section.len() < most {
            section.push(passage);
        } else {
            let detail = format!("{} has {most} places", source.name());
            stage.decide(passage.name(), Action::Dropped, "section_full", detail);
        }
    }
    by_source.into_iter().for_each(|section| kept.extend(section));
    (kept, stage)
}

/// Cuts every passage to its first 300 characters.
pub fn clip_characters(mut passages: Vec<SafePassage>) -> (Vec<SafePassage>, Stage) {
    let mut stage = Stage::new("clip");
    for passage in &mut passages {
        let Span { start, end, is_late, is_cut } = passage.span;
        let text = &passage.item.text[start..end];
        let Some((cut, _)) = text.char_indices().nth(MAX_CHARS) else { continue };
        let detail = format!("{cut} of {} bytes", text.len());
        passage.show(Span { start, end: start + cut, is_late, is_cut });
        stage.decide(passage.name(), Action::Changed, "first_300_characters", detail);
    }
    (passages, stage)
}
