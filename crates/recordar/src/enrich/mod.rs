//! Enrichment (D2): messages get labels after they are stored, and never wait for them. With a language model only it labels, from the queue;
//! without one the built-in method does, at once. The queue also moves a store to another embedder.

mod backfill;
mod backlog;
mod extract;
mod reembed;
mod sum_up;
mod work;
mod worker;

pub(crate) use backfill::backfill;
pub use backlog::Backlog;
pub(crate) use backlog::{Which, backlog, queue_backlog};
pub(crate) use reembed::{advance_move, begin_move};
pub use work::WorkReport;
pub(crate) use work::{WorkOptions, work};
pub(crate) use worker::ensure_working;

use crate::engine::Recordar;
use crate::fact::FACTS;
use crate::summary::SUMMARIES;
use recordar_core::error::Error;
use recordar_core::guard::SafeText;
use recordar_core::reason::{EnrichTask, Task};
use recordar_domain::{Labels, Message, Timestamp, Vocabulary};
use recordar_store::{Error as StoreError, LabelledBy, NewJob, Writing};
use std::sync::Arc;

/// What the queue calls labelling an item. Never renumbered.
pub(crate) const ENRICH: i64 = 1;
/// Embedding a space for the embedder that the store is being moved to; its subject is 0.
pub(crate) const REEMBED: i64 = 2;
/// All that workers do.
pub(crate) const EVERY_KIND: &[i64] = &[ENRICH, REEMBED, FACTS, SUMMARIES];

/// The labeller that a label names if it was no model.
pub(crate) const BUILT_IN: &str = "built-in";

/// How new messages of a call get their labels.
pub(crate) enum Labelling {
    Off,
    /// By the model, from the queue.
    Queued {
        due_at: Timestamp,
    },
    /// By the built-in method, with the messages.
    Now {
        vocabulary: Arc<Vocabulary>,
        language: recordar_domain::text::Language,
    },
}

impl Labelling {
    pub(crate) fn of(memory: &Recordar) -> Result<Self, Error> {
        if !memory.config.enrichment.enabled {
            return Ok(Self::Off);
        }
        Ok(match memory.config.llm {
            Some(_) => Self::Queued { due_at: (memory.clock)() },
            None => Self::Now { vocabulary: memory.vocabulary.get(&memory.store)?, language: memory.config.language },
        })
    }

    /// The labels that can be had before anything is stored.
    pub(crate) fn labels(&self, messages: &[&Message]) -> Vec<Labels> {
        let Self::Now { vocabulary, language } = self else { return Vec::new() };
        let label = |message: &&Message| {
            let text = SafeText::given(message.text.as_str());
            let task = EnrichTask { vocabulary, message: &text, language: *language, most_output_tokens: 0 };
            task.built_in().with_importance(message.importance)
        };
        messages.iter().map(label).collect()
    }

    /// Labels new items, or queues them, in the transaction that stores them.
    pub(crate) fn store(
        &self,
        writing: &mut Writing<'_>,
        first_id: i64,
        count: usize,
        labels: &[Labels],
    ) -> Result<(), StoreError> {
        match self {
            Self::Off => Ok(()),
            Self::Now { .. } => {
                let labelled: Vec<LabelledBy<'_>> =
                    (first_id..).zip(labels).map(|(id, labels)| (id, labels, BUILT_IN, None)).collect();
                writing.label_new(&labelled)
            }
            Self::Queued { due_at } => {
                let jobs: Vec<NewJob> =
                    (first_id..).take(count).map(|subject| NewJob { kind: ENRICH, subject, due_at: *due_at }).collect();
                writing.add_jobs(&jobs).map(drop)
            }
        }
    }
}
