//! A caller's own embedder at work: it embeds the items of a space that have no vector yet, before an index is made of them, and questions.
//!
//! It may be slow, fail or be missing, and a search must not: then items without a vector are found by their words. It is never asked
//! within a transaction. What it made is stored batch by batch, so nothing is asked for twice.

use super::embedder::StoreEmbedder;
use crate::error::Error;
use recordar_domain::{Cancel, Digest, SpaceName};
use recordar_index::{Index, Make};
use recordar_models::{EmbedderName, OwnEmbedder, OwnProblem, TextKind, VectorModel};
use recordar_store::{Error as StoreError, NewVector, NewVectors, Store, UnembeddedItem};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The texts of one call.
const BATCH: usize = 64;
const BATCH_BYTES: usize = 1024 * 1024;
/// How long a search embeds items before it goes on with those that have vectors.
pub(super) const SEARCH_PATIENCE: Duration = Duration::from_secs(10);
/// After so many failures in a row, it is not the texts. Halving a batch down to one text takes seven.
const MAX_FAILURES: usize = 8;
/// How long searches leave an embedder alone that failed.
const REST: Duration = Duration::from_secs(30);
/// The vectors of the last questions: a search asks several times.
const MAX_QUESTIONS: usize = 64;

/// The caller's embedder, if there is one, and what is known of it.
#[derive(Default)]
pub(super) struct Own {
    embedder: Option<OwnEmbedder>,
    questions: Mutex<VecDeque<(Digest, Arc<Vec<i8>>)>>,
    /// The embedder of the store when it was last looked up.
    current: Mutex<Option<StoreEmbedder>>,
    /// Since when it does not answer at all, and what it said last.
    away: Mutex<Option<(Instant, OwnProblem)>>,
}

/// What an attempt to embed the items of a space came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Pass {
    /// Vectors that were stored.
    pub(super) kept: u64,
    /// Items that are left without one.
    pub(super) left: u64,
    pub(super) problem: Option<OwnProblem>,
}

/// Until when the items of a space are left alone that an embedder refused. New ones are worth a try.
#[derive(Debug, Default)]
pub(super) struct Rest(Option<Instant>);

impl Rest {
    pub(super) fn after(pass: &Pass) -> Self {
        Self(pass.problem.as_ref().and_then(|_| Instant::now().checked_add(REST)))
    }

    pub(super) fn is_over(&self) -> bool {
        self.0.is_none_or(|until| Instant::now() >= until)
    }
}

/// The vector of a question by the caller's embedder, for indexes of that embedder.
pub struct AskedVector {
    /// Absent if no embedder was given, or the store does not use it.
    model: Option<VectorModel>,
    vector: Result<Arc<Vec<i8>>, String>,
}

impl AskedVector {
    /// The vector for an index, or why there is none. `None` for an index of a built-in embedder.
    pub fn of(&self, index: &Index) -> Option<Result<&[i8], String>> {
        let Make { model: name, model_hash, .. } = index.make();
        if EmbedderName::parse(name).is_some() {
            return None;
        }
        Some(match &self.model {
            Some(model) if model.hash().to_string() == *model_hash => match &self.vector {
                Ok(vector) => Ok(vector),
                Err(problem) => Err(problem.clone()),
            },
            _ => Err(format!("the embedder {name:?} of the database was not given to this program")),
        })
    }
}

impl Own {
    pub(super) fn new(embedder: Option<OwnEmbedder>) -> Self {
        Self { embedder, ..Self::default() }
    }

    pub(super) fn given(&self) -> Option<&OwnEmbedder> {
        self.embedder.as_ref()
    }

    /// The caller's embedder, if the store uses it. `number` is that of the store's embedder.
    pub(super) fn of_store(
        &self,
        store: &Store,
        number: i64,
    ) -> Result<Option<(&OwnEmbedder, StoreEmbedder)>, StoreError> {
        // 0 is the built-in embedder of a store that was never moved.
        let Some(own) = self.embedder.as_ref().filter(|_| number != 0) else { return Ok(None) };
        let known = lock(&self.current).clone().filter(|current| current.number == number);
        let current = match known {
            Some(current) => current,
            None => {
                let current = store.read(|reading| StoreEmbedder::current(&reading.embedders()?))?;
                lock(&self.current).insert(current).clone()
            }
        };
        Ok((current.model == own.model()).then_some((own, current)))
    }

    /// Why it is not worth asking now.
    pub(super) fn away(&self) -> Option<OwnProblem> {
        let away = lock(&self.away);
        away.as_ref().filter(|(since, _)| since.elapsed() < REST).map(|(_, problem)| problem.clone())
    }

    /// Takes note of what a call came to.
    pub(super) fn heard(&self, problem: Option<&OwnProblem>) {
        *lock(&self.away) = match problem {
            Some(problem @ OwnProblem::Away(_)) => Some((Instant::now(), problem.clone())),
            _ => None,
        };
    }

    /// The vector of a question, if the store uses the caller's embedder.
    pub(super) fn ask(&self, store: &Store, text: &str, cancel: &Cancel) -> Result<AskedVector, Error> {
        let none = AskedVector { model: None, vector: Err(String::new()) };
        if self.embedder.is_none() {
            return Ok(none);
        }
        let number = store.read(|reading| reading.embedder_number())?;
        let Some((own, embedder)) = self.of_store(store, number)? else { return Ok(none) };
        let key = Digest::of(text);
        let known = lock(&self.questions).iter().find(|(known, _)| *known == key).map(|(_, vector)| Arc::clone(vector));
        let vector = match known {
            Some(vector) => Ok(vector),
            None => match self.away().map_or_else(|| self.embed_question(own, text, cancel), Err) {
                Ok(mut made) => {
                    let vector = Arc::new(made.pop().unwrap_or_default());
                    let mut questions = lock(&self.questions);
                    questions.truncate(MAX_QUESTIONS - 1);
                    questions.push_front((key, Arc::clone(&vector)));
                    Ok(vector)
                }
                Err(OwnProblem::Cancelled) => return Err(StoreError::Cancelled.into()),
                Err(problem) => Err(problem.what()),
            },
        };
        Ok(AskedVector { model: Some(embedder.model), vector })
    }

    fn embed_question(&self, own: &OwnEmbedder, text: &str, cancel: &Cancel) -> Result<Vec<Vec<i8>>, OwnProblem> {
        let made = own.embed(vec![text.to_owned()], TextKind::Question, cancel);
        self.heard(made.as_ref().err());
        made
    }
}

/// Embeds the items of a space that were changed after a revision and have no vector, until the time is over.
pub(super) fn embed_items(
    store: &Store,
    space: &SpaceName,
    (own, embedder): (&OwnEmbedder, &StoreEmbedder),
    since: i64,
    patience: Option<Duration>,
    cancel: &Cancel,
) -> Result<Pass, Error> {
    let started = Instant::now();
    let (mut pass, mut from, mut failures) = (Pass::default(), 0, 0);
    loop {
        let read = store.read(|reading| {
            let Some(row) = reading.space(space)? else { return Ok(None) };
            let model = embedder.model.hash();
            let items = reading.unembedded_items(row.id, model, (since, from), BATCH)?;
            let mut known = BTreeMap::new();
            for item in &items {
                let hash = Digest::of(&item.text);
                if let Some(bytes) = reading.vector_of_text(row.id, model, hash)? {
                    known.insert(hash, bytes);
                }
            }
            Ok(Some((row, items, known)))
        })?;
        let Some((row, items, mut known)) = read else { return Ok(Pass::default()) };
        let Some(last) = items.last() else {
            // A call that failed is of no interest if its texts were embedded by others.
            let problem = pass.problem.filter(|_| pass.left > 0);
            return Ok(Pass { problem, ..pass });
        };
        from = last.id + 1;
        let is_late = patience.is_some_and(|patience| started.elapsed() >= patience);
        if failures < MAX_FAILURES && !is_late {
            embed_texts(own, &items, &mut known, &mut failures, &mut pass.problem, cancel)?;
        }
        let vectors: Vec<NewVector> = items.iter().filter_map(|item| vector_of(item, &known)).collect();
        let kept = store.keep_vectors(
            space,
            &NewVectors {
                incarnation: row.incarnation,
                revision: row.revision,
                embedder: embedder.number,
                model: embedder.model.name(),
                model_hash: embedder.model.hash(),
                dimension: embedder.model.dimension(),
                vectors: &vectors,
            },
        )?;
        pass.kept += kept;
        pass.left += (items.len() - vectors.len()) as u64;
        if failures >= MAX_FAILURES || is_late || matches!(pass.problem, Some(OwnProblem::Away(_))) {
            return Ok(Pass { left: pass.left.max(1), ..pass });
        }
    }
}

fn vector_of(item: &UnembeddedItem, known: &BTreeMap<Digest, Vec<u8>>) -> Option<NewVector> {
    let text_hash = Digest::of(&item.text);
    let bytes = known.get(&text_hash)?.clone();
    Some(NewVector { item_id: item.id, text_hash, bytes })
}

/// Embeds the texts that are not known yet. If a call fails, each half is tried, so that one bad text does not keep the others from being
/// embedded.
fn embed_texts(
    own: &OwnEmbedder,
    items: &[UnembeddedItem],
    known: &mut BTreeMap<Digest, Vec<u8>>,
    failures: &mut usize,
    problem: &mut Option<OwnProblem>,
    cancel: &Cancel,
) -> Result<(), Error> {
    let mut texts: Vec<(Digest, &str)> = Vec::new();
    for item in items {
        let hash = Digest::of(&item.text);
        if !known.contains_key(&hash) && !texts.iter().any(|(other, _)| *other == hash) {
            texts.push((hash, &item.text));
        }
    }
    let mut calls: VecDeque<&[(Digest, &str)]> = batches(&texts).into();
    while let Some(call) = calls.pop_front() {
        let texts = call.iter().map(|(_, text)| (*text).to_owned()).collect();
        match own.embed(texts, TextKind::Passage, cancel) {
            Ok(made) => {
                *failures = 0;
                let bytes = made.into_iter().map(|vector| vector.into_iter().map(|value| value as u8).collect());
                known.extend(call.iter().map(|(hash, _)| *hash).zip(bytes));
            }
            Err(OwnProblem::Cancelled) => return Err(StoreError::Cancelled.into()),
            Err(found @ OwnProblem::Away(_)) => {
                *problem = Some(found);
                return Ok(());
            }
            Err(found) => {
                *failures += 1;
                if *failures >= MAX_FAILURES {
                    *problem = Some(found.for_long());
                    return Ok(());
                }
                *problem = Some(found);
                if call.len() > 1 {
                    let (first, second) = call.split_at(call.len() / 2);
                    calls.push_front(second);
                    calls.push_front(first);
                }
            }
        }
    }
    Ok(())
}

/// Calls of a limited size; one long text is a call of its own.
fn batches<'a, 't>(texts: &'a [(Digest, &'t str)]) -> Vec<&'a [(Digest, &'t str)]> {
    let mut batches = Vec::new();
    let (mut first, mut bytes) = (0, 0);
    for (number, (_, text)) in texts.iter().enumerate() {
        if number > first && bytes + text.len() > BATCH_BYTES {
            batches.push(&texts[first..number]);
            (first, bytes) = (number, 0);
        }
        bytes += text.len();
    }
    batches.extend((first < texts.len()).then_some(&texts[first..]));
    batches
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
