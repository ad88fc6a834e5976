//! A recall prefers what holds at the time that is asked about: of messages that state the same thing, those that no longer hold come last; facts
//! that no longer hold are dropped, and a message takes the place of the fact that only repeats it. No message is lost by it.

use super::moment::FactsAt;
use super::standing::standing_of;
use crate::noun::passage::Passage;
use recordar_domain::text::Asking;
use recordar_domain::{Action, Digest, Stage, Standing, plain};
use recordar_store::{Error as StoreError, FactRow, FactsOf, Reading};
use std::collections::{BTreeMap, BTreeSet};

/// A fact, as far as an order depends on it.
#[derive(Debug)]
struct Seen {
    key: Digest,
    /// The message that says it, and where.
    source: Option<(i64, (usize, usize))>,
    is: Is,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Is {
    /// It holds, or another that says the same does.
    Held,
    /// It held, or will.
    Former,
    /// A person said that it is wrong.
    Denied,
}

/// What the passages of one space state.
#[derive(Debug, Default)]
pub struct FactsSeen {
    facts: BTreeMap<i64, Seen>,
    /// By source: the facts that it states.
    stated: BTreeMap<i64, Vec<i64>>,
}

impl FactsSeen {
    /// Reads what items state, or are, at a moment.
    pub fn of(reading: &mut Reading<'_>, moment: FactsAt, items: &[i64]) -> Result<Self, StoreError> {
        let mut rows = reading.facts(moment.space, FactsOf::Items(items), moment.revision)?;
        rows.extend(reading.facts(moment.space, FactsOf::Sources(items), moment.revision)?);
        let (standings, held) = standing_of(reading, moment, &rows)?;
        let mut seen = Self::default();
        for FactRow { item_id, key, source, is_retired, statement, .. } in rows {
            let is = match standings.get(&item_id) {
                _ if held.contains(&(key, plain(&statement.value))) => Is::Held,
                Some(Standing::Overruled { .. }) => Is::Denied,
                _ if is_retired => Is::Denied,
                _ => Is::Former,
            };
            let source = source.map(|source| (source.item_id, source.span));
            if seen.facts.insert(item_id, Seen { key, source, is }).is_none()
                && let Some((source, _)) = source
            {
                seen.stated.entry(source).or_default().push(item_id);
            }
        }
        Ok(seen)
    }

    /// The keys about which an item says what holds, and those about which it says what does not.
    fn keys(&self, item: i64) -> (BTreeSet<Digest>, BTreeSet<Digest>) {
        let own = std::iter::once(&item).filter(|id| self.facts.contains_key(id));
        let facts = own.chain(self.stated.get(&item).into_iter().flatten());
        let (mut held, mut former) = (BTreeSet::new(), BTreeSet::new());
        for Seen { key, is, .. } in facts.filter_map(|id| self.facts.get(id)) {
            if *is == Is::Held {
                held.insert(*key)
            } else {
                former.insert(*key)
            };
        }
        (held, former)
    }
}

/// Puts passages in order by what holds. They come best first, and `seen` has the facts of each space. The first `shown` of them will be shown.
pub fn prefer(
    passages: Vec<Passage>,
    seen: &BTreeMap<String, FactsSeen>,
    (question, shown): (&str, usize),
) -> (Vec<Passage>, Option<Stage>) {
    if seen.values().all(|seen| seen.facts.is_empty()) {
        return (passages, None);
    }
    let mut stage = Stage::new("facts");
    let is_fact = |passage: &&Passage| {
        seen.get(&passage.item.space).is_some_and(|seen| seen.facts.contains_key(&passage.item.item_id))
    };
    let without_facts: Vec<Key> = passages.iter().filter(|passage| !is_fact(passage)).take(shown).map(key).collect();
    let passages = by_what_holds(passages, seen, question, &mut stage);
    (keep_threads(passages, &without_facts, shown, &mut stage), Some(stage))
}

fn by_what_holds(
    passages: Vec<Passage>,
    seen: &BTreeMap<String, FactsSeen>,
    question: &str,
    stage: &mut Stage,
) -> Vec<Passage> {
    let passages = without_denied(passages, seen, stage);
    let passages = without_repeats(passages, seen, stage);
    if Asking::of(question).of_the_past {
        stage.decide("order", Action::Kept, "asks_former", "the question is about what is no more");
        return passages;
    }
    let passages = without_former_facts(passages, seen, stage);
    what_holds_first(passages, seen, stage)
}

/// A passage: its space and its item.
type Key = (String, i64);

fn key(passage: &Passage) -> Key {
    (passage.item.space.clone(), passage.item.item_id)
}

/// What facts bring among the shown takes no thread's or document's only place: instead of the only passage of one, the weakest of another that has
/// several is left out. `without_facts` would be shown without them.
fn keep_threads(mut passages: Vec<Passage>, without_facts: &[Key], shown: usize, stage: &mut Stage) -> Vec<Passage> {
    let thread = |passage: &Passage| {
        let item = &passage.item;
        let own = || format!("item {}", item.item_id);
        (item.space.clone(), item.thread.clone().or_else(|| item.document.clone()).unwrap_or_else(own))
    };
    let pushed_out = |passage: &Passage| without_facts.contains(&key(passage));
    for at in shown..passages.len() {
        let lost = thread(&passages[at]);
        if !pushed_out(&passages[at]) || passages[..shown].iter().any(|passage| thread(passage) == lost) {
            continue;
        }
        let has_others = |place: &usize| {
            let own = thread(&passages[*place]);
            passages[..shown].iter().filter(|passage| thread(passage) == own).count() > 1
        };
        let Some(place) = (0..shown).rev().filter(|place| pushed_out(&passages[*place])).find(has_others) else {
            continue;
        };
        let detail = format!("in the place of {}, whose thread is there already", passages[place].name());
        stage.decide(passages[at].name(), Action::Changed, "only_of_thread", detail);
        passages.swap(place, at);
    }
    passages
}

/// Drops facts of which a person said that they are wrong. The messages that stated them stay.
fn without_denied(mut passages: Vec<Passage>, seen: &BTreeMap<String, FactsSeen>, stage: &mut Stage) -> Vec<Passage> {
    passages.retain(|passage| {
        let fact = seen.get(&passage.item.space).and_then(|seen| seen.facts.get(&passage.item.item_id));
        let is_denied = fact.is_some_and(|fact| fact.is == Is::Denied);
        if is_denied {
            stage.decide(passage.name(), Action::Dropped, "denied", "a person said that it is wrong");
        }
        !is_denied
    });
    passages
}

/// Drops facts that no longer hold, if something that does is there. The messages that stated them stay.
fn without_former_facts(passages: Vec<Passage>, seen: &BTreeMap<String, FactsSeen>, stage: &mut Stage) -> Vec<Passage> {
    let held: BTreeSet<(String, Digest)> = passages
        .iter()
        .filter_map(|passage| Some((&passage.item.space, seen.get(&passage.item.space)?.keys(passage.item.item_id).0)))
        .flat_map(|(space, keys)| keys.into_iter().map(move |key| (space.clone(), key)))
        .collect();
    let mut kept = passages;
    kept.retain(|passage| {
        let fact = seen.get(&passage.item.space).and_then(|seen| seen.facts.get(&passage.item.item_id));
        let is_former =
            fact.is_some_and(|fact| fact.is == Is::Former && held.contains(&(passage.item.space.clone(), fact.key)));
        if is_former {
            stage.decide(passage.name(), Action::Dropped, "ended", "it no longer holds, and what does is there");
        }
        !is_former
    });
    kept
}

/// Drops facts whose message is there as well; it takes their place if that is better.
fn without_repeats(passages: Vec<Passage>, seen: &BTreeMap<String, FactsSeen>, stage: &mut Stage) -> Vec<Passage> {
    let place: BTreeMap<(&str, i64), usize> = passages
        .iter()
        .enumerate()
        .map(|(at, passage)| ((passage.item.space.as_str(), passage.item.item_id), at))
        .collect();
    let source_of = |passage: &Passage| {
        let (source, span) = seen.get(&passage.item.space)?.facts.get(&passage.item.item_id)?.source?;
        Some((*place.get(&(passage.item.space.as_str(), source))?, span))
    };
    // By place: the best place that a passage may take, the score there, and where it says the best of the facts.
    let mut best: BTreeMap<usize, (usize, f64, (usize, usize))> = BTreeMap::new();
    let mut dropped: BTreeSet<usize> = BTreeSet::new();
    for (at, passage) in passages.iter().enumerate() {
        let Some((source, span)) = source_of(passage) else { continue };
        dropped.insert(at);
        let detail = format!("{} says it", passages[source].name());
        stage.decide(passage.name(), Action::Dropped, "said_by_message", detail);
        let (place, score, _) = best.entry(source).or_insert((source, passages[source].score, span));
        (*place, *score) = ((*place).min(at), score.max(passage.score));
    }
    let mut ordered: Vec<(usize, usize, Passage)> = Vec::with_capacity(passages.len());
    for (at, mut passage) in passages.into_iter().enumerate().filter(|(at, _)| !dropped.contains(at)) {
        let stated = best.get(&at).copied();
        let (to, score) = stated.map_or((at, passage.score), |(to, score, _)| (to, score));
        passage.states = stated.map(|(_, _, span)| span);
        if to < at {
            let detail = format!("from place {} to {}: a fact that it states was found there", at + 1, to + 1);
            stage.decide(passage.name(), Action::Changed, "states_fact", detail);
            passage.score = score;
        }
        ordered.push((to, at, passage));
    }
    ordered.sort_by_key(|(to, at, _)| (*to, *at));
    ordered.into_iter().map(|(_, _, passage)| passage).collect()
}

/// Moves what no longer holds behind what does, if both are about the same thing.
fn what_holds_first(passages: Vec<Passage>, seen: &BTreeMap<String, FactsSeen>, stage: &mut Stage) -> Vec<Passage> {
    let keys: Vec<(BTreeSet<Digest>, BTreeSet<Digest>)> = passages
        .iter()
        .map(|passage| seen.get(&passage.item.space).map(|seen| seen.keys(passage.item.item_id)).unwrap_or_default())
        .collect();
    let mut order: Vec<usize> = (0..passages.len()).collect();
    let mut moved: BTreeMap<usize, (usize, f64)> = BTreeMap::new();
    for former in 0..passages.len() {
        let is_about = |held: &usize| {
            passages[*held].item.space == passages[former].item.space
                && keys[*held].0.intersection(&keys[former].1).any(|key| !keys[former].0.contains(key))
        };
        // The best of those that hold; it and the former one change places.
        let Some(holds) = order.iter().copied().find(|held| *held != former && is_about(held)) else { continue };
        let at = |wanted: usize| order.iter().position(|index| *index == wanted).unwrap_or_default();
        let (from, behind) = (at(former), at(holds));
        if from < behind {
            order.swap(from, behind);
            let (better, worse) = (passages[former].score, passages[holds].score);
            moved.insert(holds, (from, better.max(worse)));
            moved.insert(former, (behind, better.min(worse)));
            let detail = format!("no longer holds: it changes places with {}, which does", passages[holds].name());
            stage.decide(passages[former].name(), Action::Changed, "ended", detail);
        }
    }
    let mut unplaced: Vec<Option<Passage>> = passages.into_iter().map(Some).collect();
    let place = |index: &usize| {
        let mut passage = unplaced[*index].take()?;
        if let Some((_, score)) = moved.get(index) {
            passage.score = *score;
        }
        Some(passage)
    };
    order.iter().filter_map(place).collect()
}
