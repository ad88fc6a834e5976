//! A search, from a question to the items it finds: what search, recall and evaluation share.

use super::filter::Limited;
use super::hybrid::{Candidate, FoundItems, HybridRoute, When};
use super::items::Items;
use super::pages::by_page;
use super::question::Question;
use crate::assemble::Excerpts;
use crate::error::Error;
use crate::index::{Indexes, Moment};
use crate::noun::hit::{HitView, WordView};
use crate::noun::item::item_name;
use crate::noun::search::SearchRequest;
use recordar_domain::text::{Language, Terms};
use recordar_domain::{Action, Cancel, SpaceName, Stage};
use recordar_index::Hit;
use recordar_store::Store;
use std::collections::BTreeMap;
use std::time::Instant;

impl<'a> HybridRoute<'a> {
    pub fn new(
        (indexes, cancel): (&'a Indexes, &'a Cancel),
        spaces: &'a [SpaceName],
        question: &'a Question,
        request: &'a SearchRequest,
    ) -> Self {
        let SearchRequest { query, mode, limit, as_of, labels, filter, without, .. } = request;
        let (when, limited) = (When::as_of(*as_of), Limited::new(labels, filter));
        let (mode, depth, without) = (*mode, *limit, *without);
        Self { indexes, cancel, spaces, question, text: query, mode, when, depth, limited, without }
    }
}

/// What a search found, best first.
pub struct Hits {
    pub hits: Vec<HitView>,
    /// The same as the index has them, before pages were looked at.
    pub candidates: Vec<Candidate<Hit>>,
    /// The moment searched in each space; `None` if the space does not exist.
    pub moments: Vec<Option<Moment>>,
    pub stages: Vec<Stage>,
    /// When the search itself was done. What came after is loading and ordering.
    pub searched: Instant,
}

/// The best items, in an order in which what their pages say counts.
pub fn best_hits(store: &Store, route: &HybridRoute<'_>, limit: usize, setting: Language) -> Result<Hits, Error> {
    let FoundItems { mut candidates, scored, moments, rarities, stages } = route.items()?;
    let searched = Instant::now();
    let ranked = take_best(&mut candidates, scored, limit, route.spaces, |hit| (hit.id, hit.score));
    let hits = view_items(store, route.spaces, &moments, &candidates, route.question)?;
    let (hits, paged) = by_page(hits, (route.question, route.text), (route.spaces, &rarities), setting);
    let stages = stages.into_iter().chain([ranked]).chain(paged).collect();
    Ok(Hits { hits, candidates, moments, stages, searched })
}

/// Keeps the best hits, with a decision for each, and counts the scored ones that are left out.
pub fn take_best<H>(
    found: &mut Vec<Candidate<H>>,
    scored: usize,
    limit: usize,
    spaces: &[SpaceName],
    key: impl Fn(&H) -> (u32, f64),
) -> Stage {
    let mut stage = Stage::new("rank");
    found.truncate(limit);
    let more = scored.saturating_sub(found.len());
    for (rank, Candidate { space, hit }) in found.iter().enumerate() {
        let (id, score) = key(hit);
        let detail = format!("rank {}, score {score:.6}", rank + 1);
        stage.decide(item_name(spaces[*space].as_str(), id.into()), Action::Kept, "score", detail);
    }
    if more > 0 {
        stage.decide(format!("{more} more"), Action::Dropped, "limit", format!("beyond the first {limit}"));
    }
    stage
}

/// Adds to each hit the part that matches best, and cites the section of that part.
pub fn add_snippets(hits: &mut [HitView], question: &Question, language: Language) {
    let mut splitter = Terms::new(language);
    let looked_up = question.looked_up();
    for hit in hits {
        let words: Vec<(String, f64)> = worths(&looked_up, &hit.words);
        let (snippet, place) = Excerpts::new(&words, &mut splitter).snippet(&hit.item.text, &hit.item.sections);
        hit.snippet = snippet;
        hit.item.section = hit.item.section_at(place).map(str::to_owned);
    }
}

/// The stems of the question's words, and the score that each added through the item itself.
pub fn worths(looked_up: &BTreeMap<&str, String>, found: &[WordView]) -> Vec<(String, f64)> {
    found.iter().filter_map(|found| Some((looked_up.get(found.word.as_str())?.clone(), found.own))).collect()
}

/// The revisions that results of a search show.
pub fn shown_at(moments: &[Option<Moment>]) -> Vec<Option<i64>> {
    moments.iter().map(|moment| moment.map(|moment| moment.shown())).collect()
}

fn view_items(
    store: &Store,
    spaces: &[SpaceName],
    moments: &[Option<Moment>],
    found: &[Candidate<Hit>],
    question: &Question,
) -> Result<Vec<HitView>, Error> {
    let hits = store.read(|reading| {
        let mut items = Items::at(spaces, shown_at(moments));
        let mut views = Vec::with_capacity(found.len());
        for Candidate { space, hit } in found {
            // Forgotten between the search and now.
            let Some(item) = items.get(reading, *space, i64::from(hit.id))? else { continue };
            let words = hit.terms.iter().map(|term| WordView {
                word: question.words[term.word].spelled.clone(),
                count: term.count,
                own: term.own,
                place: term.place,
            });
            views.push(HitView {
                item,
                snippet: String::new(),
                score: hit.score,
                parts: hit.evidence.clone(),
                words: words.collect(),
                cosine: hit.cosine,
                rerank: None,
            });
        }
        Ok(views)
    })?;
    Ok(hits)
}
