//! Reranking: the judge reads the question beside each of the first candidates, and its opinion is mixed with the search's score.

use super::shown::{FoundAt, Shown};
use crate::error::Error;
use crate::judges::{NotReranked, Reranker};
use crate::noun::item::{ItemView, item_name};
use crate::noun::method::ModelProblem;
use crate::noun::rerank::{JudgeConfidence, RerankView};
use recordar_domain::{Action, Cancel, Stage};
use recordar_judge::{DEFAULT_THREADS, Effort, Judge, Judged};
use recordar_store::{Error as StoreError, Store};
use std::time::Instant;

/// How many candidates are judged. Each costs milliseconds, and the answer is rarely further down.
pub const MAX_JUDGED: usize = 20;

/// A candidate of the search: an item, or a thread with some of its items.
pub struct Candidate {
    /// What a trace calls it.
    pub name: String,
    /// The search's score.
    pub score: f64,
    /// What is judged of it; the best counts. A candidate without any is not judged.
    pub passages: Vec<Shown>,
}

pub struct Reranked {
    /// The candidates in their new order, each by its place in the old one.
    pub order: Vec<(usize, RerankView)>,
    pub confidence: JudgeConfidence,
    pub stage: Stage,
    pub milliseconds: f64,
    /// Why the configured model judged none of them.
    pub problem: Option<ModelProblem>,
}

impl Reranked {
    /// Puts things into the new order, each with what is shown of its reranking.
    pub fn arrange<T>(&self, things: Vec<T>) -> Vec<(T, RerankView)> {
        let mut things: Vec<Option<T>> = things.into_iter().map(Some).collect();
        self.order.iter().filter_map(|(old, view)| Some((things[*old].take()?, view.clone()))).collect()
    }
}

/// How much is judged, and what the best candidate must reach.
pub struct Within<'a> {
    /// How many candidates are judged.
    pub most: usize,
    /// What the best opinion must reach; by default what was measured for the model.
    pub min_confidence: Option<f64>,
    pub cancel: &'a Cancel,
}

/// Reranks items with the scores of the search that found them.
pub fn rerank_items(
    judge: &Reranker,
    question: &str,
    (store, found): (&Store, &FoundAt<'_>),
    items: &[(&ItemView, f64)],
    within: &Within<'_>,
) -> Result<Reranked, Error> {
    let judged: Vec<&ItemView> = items.iter().take(within.most).map(|(item, _)| *item).collect();
    let mut shown = found.show(store, &judged)?.into_iter();
    let candidate = |(item, score): &(&ItemView, f64)| Candidate {
        name: item_name(&item.space, item.item_id),
        score: *score,
        passages: shown.next().into_iter().collect(),
    };
    let candidates: Vec<Candidate> = items.iter().map(candidate).collect();
    rerank(judge, question, &candidates, within)
}

/// Judges candidates, which are best first, and sorts them by the mixed score. Of more than `most`, the rest follows as it was.
pub fn rerank(
    judge: &Reranker,
    question: &str,
    candidates: &[Candidate],
    &Within { most, min_confidence, cancel }: &Within<'_>,
) -> Result<Reranked, Error> {
    let started = Instant::now();
    let mut stage = Stage::new("rerank");
    let opinions = match opinions(judge, question, &candidates[..candidates.len().min(most)], cancel, &mut stage)? {
        Ok(opinions) => opinions,
        Err(failed) => return Ok(unchanged(candidates, failed, started)),
    };
    let mix = Mix::of(judge);
    let mut order = Vec::with_capacity(candidates.len());
    let mut unjudged = Vec::new();
    for (place, Candidate { score: search, passages, .. }) in candidates.iter().enumerate() {
        let search = *search;
        let Some((passage, opinion)) = opinions.get(place).and_then(Option::as_ref) else {
            unjudged.push((place, RerankView::unjudged(search)));
            continue;
        };
        let logit = f64::from(opinion.logit);
        let (score, judge) = (mix.score(search, logit), Some(sigmoid(logit)));
        let (item_id, read) = (passages[*passage].item_id, passages[*passage].read(&opinion.bytes));
        order.push((place, RerankView { judged: true, score, search, judge, item_id, read }));
    }
    order.sort_by(|(place, one), (other_place, other)| other.score.total_cmp(&one.score).then(place.cmp(other_place)));
    stage.decide(&judge.name, Action::Kept, "mix", mix.describe());
    for (rank, (place, view)) in (1..).zip(&order) {
        let RerankView { search, score, read, judge, item_id, .. } = view;
        let judge = judge.unwrap_or_default();
        let read = read.map_or(String::new(), |[from, to]| format!("; characters {from} to {to} were read"));
        let moved = format!("rank {} becomes {rank}", place + 1);
        let turn = item_id.map_or(String::new(), |id| format!("; item {id} was judged"));
        let detail = format!("{moved}: search {search:.6}, judge {judge:.6}, score {score:.6}{turn}{read}");
        stage.decide(&candidates[*place].name, Action::Kept, "judged", detail);
    }
    if !unjudged.is_empty() {
        let detail = "they were not judged, and follow in the search's order";
        stage.decide(format!("{} more", unjudged.len()), Action::Kept, "not_judged", detail);
    }
    let best = order.iter().filter_map(|(_, view)| view.judge).max_by(f64::total_cmp);
    let confidence = JudgeConfidence::new(best, min_confidence.or_else(|| judge.min_confidence()));
    decide_confidence(&confidence, &mut stage);
    order.append(&mut unjudged);
    Ok(Reranked { order, confidence, stage, milliseconds: milliseconds(started), problem: None })
}

/// Says whether the best opinion reaches what is needed.
pub fn decide_confidence(JudgeConfidence { best, least, enough, .. }: &JudgeConfidence, stage: &mut Stage) {
    let (Some(least), Some(enough)) = (least, enough) else { return };
    let best = best.map_or("there is no candidate".to_owned(), |best| format!("the best candidate has {best:.6}"));
    let (action, reason, means) = match enough {
        true => (Action::Kept, "confident", "which reaches"),
        false => (Action::Refused, "not_confident", "so probably nothing answers the question; needed is"),
    };
    stage.decide("confidence", action, reason, format!("{best}, {means} {least}"));
}

/// The search's order, since the configured model failed.
fn unchanged(candidates: &[Candidate], failed: NotReranked, started: Instant) -> Reranked {
    let view = |(place, candidate): (usize, &Candidate)| (place, RerankView::unjudged(candidate.score));
    let order = candidates.iter().enumerate().map(view).collect();
    let (confidence, stage) = (JudgeConfidence::default(), failed.stage());
    Reranked { order, confidence, stage, milliseconds: milliseconds(started), problem: Some(failed.problem) }
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// The best opinion on each candidate, with the passage it is about; `None` for a candidate without passages.
type Opinions = Vec<Option<(usize, Judged)>>;

fn opinions(
    judge: &Reranker,
    question: &str,
    candidates: &[Candidate],
    cancel: &Cancel,
    stage: &mut Stage,
) -> Result<Result<Opinions, NotReranked>, Error> {
    let texts: Vec<&str> =
        candidates.iter().flat_map(|candidate| &candidate.passages).map(|shown| shown.text.as_str()).collect();
    let stop = || cancel.is_cancelled();
    let effort = Effort { threads: DEFAULT_THREADS, stop: &stop };
    let judged = match judge.relevance(question, &texts, &effort) {
        Ok(judged) => judged,
        Err(error) => return judge.failed(&error).map(Err),
    };
    if judged.len() < texts.len() {
        return Err(StoreError::Cancelled.into());
    }
    let tokens: usize = judged.iter().map(|judged| judged.tokens).sum();
    let hash = judge.hash().get(..16).unwrap_or_default();
    let detail = format!("{hash}: {} passages, {tokens} tokens", judged.len());
    stage.decide(&judge.name, Action::Kept, "model", detail);
    let mut judged = judged.into_iter();
    let best = |candidate: &Candidate| {
        let own = judged.by_ref().take(candidate.passages.len()).enumerate();
        // Of equal opinions, the first.
        own.reduce(|best, other| if other.1.logit.total_cmp(&best.1.logit).is_gt() { other } else { best })
    };
    Ok(Ok(candidates.iter().map(best).collect()))
}

/// How the search's score and the judge's opinion become one: the weights of a logistic regression.
struct Mix {
    search: f64,
    judge: f64,
    bias: f64,
}

/// Beyond these, a search's score says no more.
const SEARCH_SCORES: (f64, f64) = (0.001, 0.999);

impl Mix {
    fn of(judge: &Judge) -> Self {
        let number = |name: &str| judge.calibration().get(name).copied().unwrap_or_default();
        Self { search: number("mix_search"), judge: number("mix_judge"), bias: number("mix_bias") }
    }

    /// From 0 to 1. It depends on the question and the item alone.
    fn score(&self, search: f64, logit: f64) -> f64 {
        let search = search.clamp(SEARCH_SCORES.0, SEARCH_SCORES.1);
        sigmoid(self.search * libm::log(search / (1.0 - search)) + self.judge * logit + self.bias)
    }

    fn describe(&self) -> String {
        let Self { search, judge, bias } = self;
        format!("score = sigmoid({search} × logit(search) + {judge} × logit(judge) + {bias})")
    }
}

fn sigmoid(logit: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-logit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(text: &str, score: f64) -> Candidate {
        Candidate { name: text.to_owned(), score, passages: vec![Shown::chunk(None, text)] }
    }

    fn within(most: usize, cancel: &Cancel) -> Within<'_> {
        Within { most, min_confidence: None, cancel }
    }

    const QUESTION: &str = "How do I undo a commit?";

    #[test]
    fn i22_the_judge_changes_the_order_and_the_rest_follows() {
        let judge = &Reranker::shipped().unwrap();
        let texts = ["git log lists commits.", "git revert makes a commit that undoes another.", "It rains."];
        let candidates: Vec<_> = texts.iter().map(|text| candidate(text, 0.5)).collect();
        let reranked = rerank(judge, QUESTION, &candidates, &within(2, &Cancel::default())).unwrap();
        let places: Vec<usize> = reranked.order.iter().map(|(place, _)| *place).collect();
        assert_eq!(places, [1, 0, 2]);
        let views: Vec<&RerankView> = reranked.order.iter().map(|(_, view)| view).collect();
        assert!(views[..2].iter().all(|view| view.judged && (0.0..=1.0).contains(&view.score) && view.search == 0.5));
        assert!(!views[2].judged && views[2].judge.is_none() && views[2].score == 0.5);
        let reasons: Vec<&str> = reranked.stage.decisions.iter().map(|decision| decision.reason.as_ref()).collect();
        assert_eq!(reasons, ["model", "mix", "judged", "judged", "not_judged", "confident"]);
    }

    #[test]
    fn i22_a_judged_score_depends_on_question_and_item_alone() {
        let judge = &Reranker::shipped().unwrap();
        let alone =
            rerank(judge, QUESTION, &[candidate("git log lists commits.", 0.4)], &within(20, &Cancel::default()))
                .unwrap();
        let others: Vec<_> = (0..7).map(|_| candidate("git revert undoes one.", 0.9)).collect();
        let among: Vec<_> = others.into_iter().chain([candidate("git log lists commits.", 0.4)]).collect();
        let among = rerank(judge, QUESTION, &among, &within(20, &Cancel::default())).unwrap();
        assert_eq!(alone.order[0].1, among.order.iter().find(|(place, _)| *place == 7).unwrap().1);
    }

    #[test]
    fn i22_a_thread_is_judged_by_its_best_turn_and_one_without_turns_follows() {
        let judge = &Reranker::shipped().unwrap();
        let turns = ["It rains.", "git revert makes a commit that undoes another."];
        let thread = Candidate {
            name: "both".to_owned(),
            score: 0.5,
            passages: turns.iter().map(|text| Shown::chunk(None, text)).collect(),
        };
        let empty = Candidate { name: "empty".to_owned(), score: 0.9, passages: Vec::new() };
        let candidates = [empty, candidate(turns[0], 0.5), candidate(turns[1], 0.5), thread];
        let reranked = rerank(judge, QUESTION, &candidates, &within(20, &Cancel::default())).unwrap();
        let places: Vec<usize> = reranked.order.iter().map(|(place, _)| *place).collect();
        assert_eq!(places, [2, 3, 1, 0]);
        assert_eq!(reranked.order[0].1.judge, reranked.order[1].1.judge);
    }

    #[test]
    fn i22_scores_stay_between_0_and_1_and_a_cancelled_call_ends() {
        let mix = Mix::of(&Reranker::shipped().unwrap());
        for search in [-1.0, 0.0, 0.5, 1.0, 2.0] {
            for logit in [-1e9, -3.0, 0.0, 3.0, 1e9] {
                assert!((0.0..=1.0).contains(&mix.score(search, logit)), "{search} {logit}");
            }
        }
        let cancel = Cancel::default();
        cancel.cancel();
        let ended = rerank(&Reranker::shipped().unwrap(), QUESTION, &[candidate("a", 0.1)], &within(20, &cancel));
        assert!(matches!(ended, Err(Error::Store(StoreError::Cancelled))));
    }

    #[test]
    fn i41_the_judge_says_whether_anything_answers() {
        let judge = &Reranker::shipped().unwrap();
        let judged = |texts: &[&str], min_confidence| {
            let candidates: Vec<_> = texts.iter().map(|text| candidate(text, 0.5)).collect();
            let within = Within { most: 20, min_confidence, cancel: &Cancel::default() };
            rerank(judge, QUESTION, &candidates, &within).unwrap()
        };
        let (answer, other) = ("git revert makes a commit that undoes another.", "The lamp is cleaned on Mondays.");
        let sure = judged(&[other, answer], None);
        assert_eq!(sure.confidence.best, sure.order[0].1.judge);
        assert_eq!((sure.confidence.least, sure.confidence.enough), (judge.min_confidence(), Some(true)));
        let unsure = judged(&[other], None);
        assert!(unsure.confidence.says_no() && unsure.confidence.judged);
        let said = unsure.stage.decisions.last().unwrap();
        assert_eq!((said.action, said.reason.as_ref()), (Action::Refused, "not_confident"));
        assert!(judged(&[], None).confidence.says_no(), "nothing was found, so nothing answers");
        assert!(!judged(&[other], Some(0.0)).confidence.says_no());
        assert!(judged(&[answer], Some(1.0)).confidence.says_no());
    }
}
