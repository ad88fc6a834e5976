//! The hybrid route: searches by words and by meaning in one or more spaces, each with its own statistics.

use super::Question;
use super::filter::Limited;
use super::phrase::{missing_phrases, with_phrases};
use crate::error::Error;
use crate::index::{IndexView, Indexes, Moment, role_code};
use recordar_domain::{Action, Role, SpaceName, Stage, Timestamp};
use recordar_index::{
    EVER, Found, GroupHit, Hit, Index, Lookup, MAX_TERMS, Mode as SearchMode, Search, Signal, SignalSet, Standing,
};
use recordar_store::Cancel;
use std::cmp::Ordering;

/// A hit with its space, as an index into the list of spaces.
pub struct Candidate<H> {
    pub space: usize,
    pub hit: H,
}

/// The results of the route in all spaces.
pub struct FoundItems {
    pub candidates: Vec<Candidate<Hit>>,
    /// How many items had a score.
    pub scored: usize,
    /// The moment searched in each space; `None` if the space does not exist.
    pub moments: Vec<Option<Moment>>,
    /// How rare each word of the question is in each space.
    pub rarities: Vec<Vec<f64>>,
    /// What the filter let through, if there is one; and the search.
    pub stages: Vec<Stage>,
}

/// Threads and documents, the moment searched in each space, and the stages of the search.
pub type FoundGroups = (Vec<Candidate<GroupHit>>, Vec<Option<Moment>>, Vec<Stage>);

/// The decisions of a search.
struct Decisions {
    filter: Stage,
    hybrid: Stage,
}

impl Decisions {
    fn new() -> Self {
        Self { filter: Stage::new("filter"), hybrid: Stage::new("hybrid") }
    }

    fn stages(self) -> Vec<Stage> {
        [self.filter, self.hybrid]
            .into_iter()
            .filter(|stage| stage.name != "filter" || !stage.decisions.is_empty())
            .collect()
    }
}

/// The moment of a space to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    Now,
    AsOf(Timestamp),
    /// Everything ever stored that is not forgotten.
    Ever,
}

impl When {
    pub fn as_of(time: Option<Timestamp>) -> Self {
        time.map_or(Self::Now, Self::AsOf)
    }
}

pub struct HybridRoute<'a> {
    pub indexes: &'a Indexes,
    pub cancel: &'a Cancel,
    pub spaces: &'a [SpaceName],
    pub question: &'a Question,
    pub text: &'a str,
    pub mode: SearchMode,
    pub when: When,
    pub depth: usize,
    /// Only these items.
    pub limited: Limited<'a>,
    /// Signals that do not count.
    pub without: SignalSet,
}

impl HybridRoute<'_> {
    /// The best items of all spaces: by score, then by the order of the spaces, then by id.
    pub fn items(&self) -> Result<FoundItems, Error> {
        let mut decisions = Decisions::new();
        let mut all_scored = 0;
        let mut candidates = Vec::new();
        let (mut moments, mut rarities) = (Vec::new(), Vec::new());
        let search = |index: &Index, lookup: &Lookup, search: &Search<'_>| {
            let rarities = (0..self.question.words.len()).map(|word| lookup.rarity(word)).collect();
            (index.search(lookup, search), rarities)
        };
        for (number, space) in self.spaces.iter().enumerate() {
            let found = self.in_space(space, &mut decisions, search)?;
            moments.push(found.as_ref().map(|(_, moment)| *moment));
            let Some(((found, own_rarities), _)) = found else {
                rarities.push(Vec::new());
                continue;
            };
            rarities.push(own_rarities);
            let Found { hits, scored, by_words, by_vector, candidates: all, is_complete } = found;
            let detail = match is_complete {
                true => format!("all {all} items of the filter, {scored} with a score"),
                false => format!("{by_words} by words, {by_vector} by meaning, {all} in total, {scored} with a score"),
            };
            decisions.hybrid.decide(space.as_str(), Action::Kept, "candidates", detail);
            all_scored += scored;
            candidates.extend(hits.into_iter().map(|hit| Candidate { space: number, hit }));
        }
        rank(&mut candidates, |hit| (hit.score, hit.id));
        Ok(FoundItems { candidates, scored: all_scored, moments, rarities, stages: decisions.stages() })
    }

    /// The threads and documents of all spaces that have a score, best first.
    pub fn groups(&self) -> Result<FoundGroups, Error> {
        let mut decisions = Decisions::new();
        let mut candidates = Vec::new();
        let mut moments = Vec::new();
        for (number, space) in self.spaces.iter().enumerate() {
            let found = self.in_space(space, &mut decisions, Index::search_groups)?;
            moments.push(found.as_ref().map(|(_, moment)| *moment));
            let Some((hits, _)) = found else { continue };
            let detail = format!("{} threads and documents", hits.len());
            decisions.hybrid.decide(space.as_str(), Action::Kept, "candidates", detail);
            candidates.extend(hits.into_iter().map(|hit| Candidate { space: number, hit }));
        }
        rank(&mut candidates, |hit| (hit.score, hit.best));
        Ok((candidates, moments, decisions.stages()))
    }

    /// The scores of versions by document and birth, whether or not a search would find them.
    pub fn scores(&self, space: &SpaceName, versions: &[(u32, u32)]) -> Result<(Vec<f64>, Stage), Error> {
        let mut decisions = Decisions::new();
        let score =
            |index: &Index, lookup: &Lookup, search: &Search<'_>| index.score_versions(lookup, search, versions);
        let scores = self.in_space(space, &mut decisions, score)?.map(|(scores, _)| scores);
        Ok((scores.unwrap_or_else(|| vec![0.0; versions.len()]), decisions.hybrid))
    }

    /// The score of one item and its rank among all items of all spaces, whether or not it is found; `None` if it
    /// is not live at the time in question.
    pub fn stand(&self, space: &SpaceName, id: u32) -> Result<Option<(Standing, usize)>, Error> {
        let mut decisions = Decisions::new();
        let stand = |index: &Index, lookup: &Lookup, search: &Search<'_>| index.stand(lookup, search, id);
        let Some((Some(standing), _)) = self.in_space(space, &mut decisions, stand)? else { return Ok(None) };
        let own = self.spaces.iter().position(|name| name == space);
        let mut rank = 1;
        for (number, name) in self.spaces.iter().enumerate() {
            // Ties go to earlier spaces, then to lower ids.
            let tie = match Some(number).cmp(&own) {
                Ordering::Less => u32::MAX,
                Ordering::Equal => id,
                Ordering::Greater => 0,
            };
            let count = |index: &Index, lookup: &Lookup, search: &Search<'_>| {
                index.count_before(lookup, search, standing.hit.score, tie)
            };
            rank += self.in_space(name, &mut decisions, count)?.map_or(0, |(before, _)| before);
        }
        Ok(Some((standing, rank)))
    }

    /// The score of every item of a space that can be found, by id.
    pub fn all_scores(&self, space: &SpaceName) -> Result<Vec<(u32, f64)>, Error> {
        let scores = self.in_space(space, &mut Decisions::new(), |index, lookup, search| {
            let mut scores = Vec::new();
            index.each_score(lookup, search, |id, score| scores.push((id, score)));
            scores
        })?;
        Ok(scores.map_or_else(Vec::new, |(scores, _)| scores))
    }

    /// The conditions of the filter that an item does not meet. None if it meets all of them or is not in the index.
    pub fn failed(&self, space: &SpaceName, id: u32) -> Result<Vec<String>, Error> {
        if !self.limited.has_filter() && self.question.phrases.is_empty() {
            return Ok(Vec::new());
        }
        let failed = self.indexes.with_beside(space, self.as_of(), self.cancel, self.limited.beside(), |view| {
            let mut failed = self.limited.failed(view, self.at(view.moment), id)?;
            failed.extend(missing_phrases(self.question, view, id)?);
            Ok(failed)
        })?;
        failed.unwrap_or_else(|| Ok(Vec::new()))
    }

    fn as_of(&self) -> Option<Timestamp> {
        if let When::AsOf(time) = self.when { Some(time) } else { None }
    }

    /// The revision to search, in the index's numbering.
    fn at(&self, moment: Moment) -> u32 {
        if self.when == When::Ever { EVER } else { moment.at }
    }

    fn in_space<T>(
        &self,
        space: &SpaceName,
        Decisions { filter, hybrid }: &mut Decisions,
        search: impl FnOnce(&Index, &Lookup, &Search<'_>) -> T,
    ) -> Result<Option<(T, Moment)>, Error> {
        let as_of = self.as_of();
        let asked = match self.mode {
            SearchMode::Keyword => None,
            _ => Some(self.indexes.ask(self.text, self.cancel)?),
        };
        let run = |view: &IndexView<'_>| -> Result<(T, Moment), Error> {
            let IndexView { index, moment, .. } = *view;
            let at = self.at(moment);
            let only = self.limited.positions(view, at)?;
            if let Some(only) = only.as_ref().filter(|_| self.limited.has_filter()) {
                self.limited.explain(filter, space, only.len());
            }
            let mut lookup = index.look_up(&self.question.asked(index), at);
            let (without, mode) = (self.without, self.without.mode_without(self.mode));
            if without.contains(Signal::Speaker) {
                lookup.ignore_speakers();
            }
            let only = with_phrases(self.question, (view, &lookup), only, (hybrid, space))?;
            for (number, word) in self.question.words.iter().enumerate() {
                if !lookup.is_looked_up(number) {
                    let detail = format!("{space}: {MAX_TERMS} other words of the question are more informative");
                    hybrid.decide(&word.spelled, Action::Dropped, "too_many_words", detail);
                    continue;
                }
                let reason = if lookup.is_speaker(number) { "speaker" } else { "word" };
                let detail = format!("{space}: in {} items", lookup.holding(number));
                hybrid.decide(&word.spelled, Action::Kept, reason, detail);
            }
            let (vector, mode) = match asked.as_ref().and_then(|asked| asked.of(index)) {
                None => (self.question.vector(self.text, index, &lookup, mode), mode),
                Some(Ok(vector)) => {
                    if view.unembedded > 0 {
                        let detail = format!("{} items have no vector yet, and are found by words", view.unembedded);
                        hybrid.decide(space.as_str(), Action::Kept, "unembedded", detail);
                    }
                    (vector.to_vec(), mode)
                }
                Some(Err(why)) => {
                    hybrid.decide(space.as_str(), Action::Dropped, "words_only", why);
                    (Vec::new(), SearchMode::Keyword)
                }
            };
            let period = self.question.period.filter(|_| !without.contains(Signal::Period));
            let period = period.map(|(from, to)| (from.as_micros(), to.as_micros()));
            let near = period.filter(|period| index.is_near_any(*period, at));
            if period.is_some() && near.is_none() {
                let detail = format!("{space}: no item is within a month of this time, so it does not count");
                hybrid.decide("time", Action::Dropped, "period", detail);
            }
            let speaks_as_user = self.question.is_first_person && !without.contains(Signal::Speaker);
            let role = speaks_as_user.then(|| role_code(Role::User));
            let (vector, depth, only) = (&vector[..], self.depth, only.as_ref());
            let search_for = Search { mode, vector, role, period: near, depth, only, without };
            Ok((search(index, &lookup, &search_for), moment))
        };
        let found = self.indexes.with_beside(space, as_of, self.cancel, self.limited.beside(), run)?.transpose()?;
        if self.limited.has_labels() && found.is_some() {
            hybrid.decide(space.as_str(), Action::Kept, "labels", "only items with the labels of the filter");
        }
        match (&found, as_of) {
            (None, _) => hybrid.decide(space.as_str(), Action::Dropped, "no_such_space", "the space does not exist"),
            (Some((_, moment)), Some(time)) => {
                let detail = format!("revision {} of {}, as of {time}", moment.at, moment.revision);
                hybrid.decide(space.as_str(), Action::Kept, "as_of", detail);
            }
            (Some(_), None) => {}
        }
        Ok(found)
    }
}

fn rank<H>(candidates: &mut [Candidate<H>], key: impl Fn(&H) -> (f64, u32)) {
    candidates.sort_by(|one, other| {
        let ((score, id), (other_score, other_id)) = (key(&one.hit), key(&other.hit));
        other_score.total_cmp(&score).then(one.space.cmp(&other.space)).then(id.cmp(&other_id))
    });
}
