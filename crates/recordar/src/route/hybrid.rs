//! The hybrid route: searches by words and by meaning in one or more spaces, each with its own statistics.

use super::Question;
use super::label_filter::label_filter;
use crate::error::Error;
use crate::index::{Indexes, Moment, role_code};
use crate::noun::labels::LabelQuery;
use recordar_domain::{Action, Role, SpaceName, Stage, Timestamp};
use recordar_index::{EVER, Filter, Found, GroupHit, Hit, Index, Lookup, Mode as SearchMode, Search, Standing};
use recordar_store::Cancel;
use std::cmp::Ordering;

/// A hit with its space, as an index into the list of spaces.
pub(crate) struct Candidate<H> {
    pub(crate) space: usize,
    pub(crate) hit: H,
}

/// The results of the route in all spaces.
pub(crate) struct FoundItems {
    pub(crate) candidates: Vec<Candidate<Hit>>,
    /// How many items had a score.
    pub(crate) scored: usize,
    /// The moment searched in each space; `None` if the space does not exist.
    pub(crate) moments: Vec<Option<Moment>>,
    pub(crate) stage: Stage,
}

/// The moment of a space to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    Now,
    AsOf(Timestamp),
    /// Everything ever stored that is not forgotten.
    Ever,
}

impl When {
    pub(crate) fn as_of(time: Option<Timestamp>) -> Self {
        time.map_or(Self::Now, Self::AsOf)
    }
}

pub(crate) struct HybridRoute<'a> {
    pub(crate) indexes: &'a Indexes,
    pub(crate) cancel: &'a Cancel,
    pub(crate) spaces: &'a [SpaceName],
    pub(crate) question: &'a Question,
    pub(crate) text: &'a str,
    pub(crate) mode: SearchMode,
    pub(crate) when: When,
    pub(crate) depth: usize,
    /// Only items with these labels.
    pub(crate) labels: &'a LabelQuery,
}

impl HybridRoute<'_> {
    /// The best items of all spaces: by score, then by the order of the spaces, then by id.
    pub(crate) fn items(&self) -> Result<FoundItems, Error> {
        let mut stage = Stage::new("hybrid");
        let mut all_scored = 0;
        let mut candidates = Vec::new();
        let mut moments = Vec::new();
        for (number, space) in self.spaces.iter().enumerate() {
            let found = self.in_space(space, &mut stage, Index::search)?;
            moments.push(found.as_ref().map(|(_, moment)| *moment));
            let Some((found, _)) = found else { continue };
            let Found { hits, scored, by_words, by_vector, candidates: all } = found;
            let detail = format!("{by_words} by words, {by_vector} by meaning, {all} in total, {scored} with a score");
            stage.decide(space.as_str(), Action::Kept, "candidates", detail);
            all_scored += scored;
            candidates.extend(hits.into_iter().map(|hit| Candidate { space: number, hit }));
        }
        rank(&mut candidates, |hit| (hit.score, hit.id));
        Ok(FoundItems { candidates, scored: all_scored, moments, stage })
    }

    /// The threads and documents of all spaces that have a score, best first.
    pub(crate) fn groups(&self) -> Result<(Vec<Candidate<GroupHit>>, Stage), Error> {
        let mut stage = Stage::new("hybrid");
        let mut candidates = Vec::new();
        for (number, space) in self.spaces.iter().enumerate() {
            let Some((hits, _)) = self.in_space(space, &mut stage, Index::search_groups)? else { continue };
            stage.decide(space.as_str(), Action::Kept, "candidates", format!("{} threads and documents", hits.len()));
            candidates.extend(hits.into_iter().map(|hit| Candidate { space: number, hit }));
        }
        rank(&mut candidates, |hit| (hit.score, hit.best));
        Ok((candidates, stage))
    }

    /// The scores of threads or versions by id, whether or not a search would find them.
    pub(crate) fn scores(&self, space: &SpaceName, ids: &[u32]) -> Result<(Vec<f64>, Stage), Error> {
        let mut stage = Stage::new("hybrid");
        let score = |index: &Index, lookup: &Lookup, search: &Search<'_>| index.score_groups(lookup, search, ids);
        let scores = self.in_space(space, &mut stage, score)?.map(|(scores, _)| scores);
        Ok((scores.unwrap_or_else(|| vec![0.0; ids.len()]), stage))
    }

    /// The score of one item and its rank among all items of all spaces, whether or not it is found; `None` if it
    /// is not live at the time in question.
    pub(crate) fn stand(&self, space: &SpaceName, id: u32) -> Result<Option<(Standing, usize)>, Error> {
        let mut stage = Stage::new("hybrid");
        let stand = |index: &Index, lookup: &Lookup, search: &Search<'_>| index.stand(lookup, search, id);
        let Some((Some(standing), _)) = self.in_space(space, &mut stage, stand)? else { return Ok(None) };
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
            rank += self.in_space(name, &mut stage, count)?.map_or(0, |(before, _)| before);
        }
        Ok(Some((standing, rank)))
    }

    fn in_space<T>(
        &self,
        space: &SpaceName,
        stage: &mut Stage,
        search: impl FnOnce(&Index, &Lookup, &Search<'_>) -> T,
    ) -> Result<Option<(T, Moment)>, Error> {
        let as_of = if let When::AsOf(time) = self.when { Some(time) } else { None };
        let run = |index: &Index, moment: Moment, only: Option<&Filter>| {
            let at = if self.when == When::Ever { EVER } else { moment.at };
            let lookup = index.look_up(&self.question.stems(), at);
            for (number, word) in self.question.words.iter().enumerate() {
                let reason = if lookup.is_speaker(number) { "speaker" } else { "word" };
                let detail = format!("{space}: in {} items", lookup.holding(number));
                stage.decide(&word.spelled, Action::Kept, reason, detail);
            }
            let vector = self.question.vector(self.text, index, &lookup, self.mode);
            let period = self.question.period.map(|(from, to)| (from.as_micros(), to.as_micros()));
            let role = self.question.is_first_person.then(|| role_code(Role::User));
            let search_for = Search { mode: self.mode, vector: &vector, role, period, depth: self.depth, only };
            (search(index, &lookup, &search_for), moment)
        };
        let found = match self.labels.is_empty() {
            true => self.indexes.with(space, as_of, self.cancel, |index, moment| run(index, moment, None))?,
            false => self.indexes.with_labels(space, as_of, self.cancel, |index, labels, moment| {
                run(index, moment, Some(&label_filter(index, labels, self.labels, moment.at)))
            })?,
        };
        if !self.labels.is_empty() && found.is_some() {
            stage.decide(space.as_str(), Action::Kept, "labels", "only items with the labels of the filter");
        }
        match (&found, as_of) {
            (None, _) => stage.decide(space.as_str(), Action::Dropped, "no_such_space", "the space does not exist"),
            (Some((_, moment)), Some(time)) => {
                let detail = format!("revision {} of {}, as of {time}", moment.at, moment.revision);
                stage.decide(space.as_str(), Action::Kept, "as_of", detail);
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
