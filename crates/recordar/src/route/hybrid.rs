//! The hybrid route: by words and by meaning, in one or several spaces, each with its own statistics.

use super::Question;
use crate::index::{Indexes, role_code};
use crate::{Error, SearchMode};
use recordar_domain::{Action, Role, SpaceName, Stage};
use recordar_index::{Found, GroupHit, Hit, Index, Lookup, NOW, Search};

/// A hit with the space it was found in, as a place in the list that was asked for.
pub(crate) struct Candidate<H> {
    pub(crate) space: usize,
    pub(crate) hit: H,
}

pub(crate) struct HybridRoute<'a> {
    pub(crate) indexes: &'a Indexes,
    pub(crate) spaces: &'a [SpaceName],
    pub(crate) question: &'a Question,
    pub(crate) text: &'a str,
    pub(crate) mode: SearchMode,
    pub(crate) depth: usize,
}

impl HybridRoute<'_> {
    /// The best items of all spaces: by score, then by the order of the spaces, then by id; and how many had a score.
    pub(crate) fn items(&self) -> Result<(Vec<Candidate<Hit>>, usize, Stage), Error> {
        let mut stage = Stage::new("hybrid");
        let mut all_scored = 0;
        let mut candidates = Vec::new();
        for (number, space) in self.spaces.iter().enumerate() {
            let Some(found) = self.in_space(space, &mut stage, Index::search)? else { continue };
            let Found { hits, scored, by_words, by_vector, candidates: all } = found;
            let detail = format!("{by_words} by words, {by_vector} by meaning, {all} in all, {scored} with a score");
            stage.decide(space.as_str(), Action::Kept, "candidates", detail);
            all_scored += scored;
            candidates.extend(hits.into_iter().map(|hit| Candidate { space: number, hit }));
        }
        rank(&mut candidates, |hit| (hit.score, hit.id));
        Ok((candidates, all_scored, stage))
    }

    /// The threads and documents of all spaces that have a score, the best first.
    pub(crate) fn groups(&self) -> Result<(Vec<Candidate<GroupHit>>, Stage), Error> {
        let mut stage = Stage::new("hybrid");
        let mut candidates = Vec::new();
        for (number, space) in self.spaces.iter().enumerate() {
            let Some(hits) = self.in_space(space, &mut stage, Index::search_groups)? else { continue };
            stage.decide(space.as_str(), Action::Kept, "candidates", format!("{} threads and documents", hits.len()));
            candidates.extend(hits.into_iter().map(|hit| Candidate { space: number, hit }));
        }
        rank(&mut candidates, |hit| (hit.score, hit.best));
        Ok((candidates, stage))
    }

    fn in_space<T>(
        &self,
        space: &SpaceName,
        stage: &mut Stage,
        search: impl FnOnce(&Index, &Lookup, &Search<'_>) -> T,
    ) -> Result<Option<T>, Error> {
        let found = self.indexes.with(space, |index| {
            let lookup = index.look_up(&self.question.stems(), NOW);
            for (number, word) in self.question.words.iter().enumerate() {
                let reason = if lookup.is_speaker(number) { "speaker" } else { "word" };
                let detail = format!("{space}: in {} items", lookup.holding(number));
                stage.decide(&word.spelled, Action::Kept, reason, detail);
            }
            let vector = self.question.vector(self.text, &lookup, self.mode);
            let period = self.question.period.map(|(from, to)| (from.as_micros(), to.as_micros()));
            let role = self.question.is_first_person.then(|| role_code(Role::User));
            search(index, &lookup, &Search { mode: self.mode, vector: &vector, role, period, depth: self.depth })
        })?;
        if found.is_none() {
            stage.decide(space.as_str(), Action::Dropped, "no_such_space", "nothing is stored in it");
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
