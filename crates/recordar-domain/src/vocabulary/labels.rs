//! The labels of a message (D2): what it is about, in the terms of a vocabulary.

use super::terms::{TermKind, Vocabulary, term_name};
use crate::invalid::Invalid;
use crate::item::Importance;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub const MAX_TOPICS: usize = 3;
/// More are ignored; a longer one is no entity.
const MAX_ENTITIES: usize = 32;
const MAX_ENTITY_BYTES: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    Low,
    Medium,
    High,
}

impl Confidence {
    pub const ALL: [Self; 3] = [Self::Low, Self::Medium, Self::High];

    /// The number that stands for it in the database. Never renumbered.
    pub fn code(self) -> i64 {
        self as i64 + 1
    }

    pub fn of_code(code: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|confidence| confidence.code() == code)
    }
}

/// Something named in a message: an order, a person, an amount.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Entity {
    #[serde(rename = "type")]
    pub kind: String,
    pub value: String,
}

impl Entity {
    /// What entities are compared by: `#5678` and `5678` are the same order.
    pub fn key(&self) -> String {
        let spaced = self.value.split_whitespace().collect::<Vec<_>>().join(" ");
        spaced.trim_start_matches('#').to_lowercase()
    }
}

/// Labels as a model gives them, or a built-in method finds them: not yet checked.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct LabelDraft {
    pub topics: Vec<String>,
    pub category: String,
    pub message_type: String,
    #[serde(default)]
    pub entities: Vec<Entity>,
    pub importance: f64,
    pub confidence: Confidence,
    #[serde(default)]
    pub suggested_topic: Option<String>,
    #[serde(default)]
    pub suggested_category: Option<String>,
}

/// The labels of a message. Every term is of the vocabulary that made them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Labels {
    /// One to three, the most confident first.
    pub(super) topics: Vec<String>,
    pub(super) category: String,
    pub(super) message_type: String,
    pub(super) entities: Vec<Entity>,
    pub(super) importance: Importance,
    pub(super) confidence: Confidence,
    /// Only if the confidence is low.
    pub(super) suggested_topic: Option<String>,
    pub(super) suggested_category: Option<String>,
    pub(super) vocabulary_version: String,
}

impl Vocabulary {
    /// Checks labels. The error tells the model what to change.
    pub fn labels(&self, draft: LabelDraft) -> Result<Labels, String> {
        let unknown = |invalid: Invalid| format!("{}; {}", invalid.what, invalid.remedy);
        let mut topics: Vec<String> = Vec::new();
        for topic in draft.topics {
            self.check(TermKind::Topic, &topic).map_err(unknown)?;
            if !topics.contains(&topic) {
                topics.push(topic);
            }
        }
        if topics.is_empty() || topics.len() > MAX_TOPICS {
            return Err(format!("give 1 to {MAX_TOPICS} topics"));
        }
        self.check(TermKind::Category, &draft.category).map_err(unknown)?;
        self.check(TermKind::MessageType, &draft.message_type).map_err(unknown)?;
        let entities = self.entities(draft.entities).map_err(unknown)?;
        let importance = Importance::new(draft.importance).map_err(|invalid| invalid.what)?;
        let suggestion = |kind: TermKind, text: Option<String>| {
            let name = text.and_then(|text| term_name(&text).ok());
            name.filter(|name| draft.confidence == Confidence::Low && !self.has(kind, name))
        };
        Ok(Labels {
            topics,
            category: draft.category,
            message_type: draft.message_type,
            entities,
            importance,
            confidence: draft.confidence,
            suggested_topic: suggestion(TermKind::Topic, draft.suggested_topic),
            suggested_category: suggestion(TermKind::Category, draft.suggested_category),
            vocabulary_version: self.version().to_owned(),
        })
    }

    /// The labels of a message of which nothing is known.
    pub fn plain_labels(&self) -> Labels {
        let one = |kind: TermKind| self.names(kind).last().map_or_else(String::new, |name| (*name).to_owned());
        Labels {
            topics: vec![self.catch_all().map_or_else(|| one(TermKind::Topic), str::to_owned)],
            category: one(TermKind::Category),
            message_type: one(TermKind::MessageType),
            entities: Vec::new(),
            importance: Importance::default(),
            confidence: Confidence::Low,
            suggested_topic: None,
            suggested_category: None,
            vocabulary_version: self.version().to_owned(),
        }
    }

    /// The same labels with an approved term, under this version. An item that would get a fourth topic keeps its three most
    /// confident: the approved one, which its labeller found missing, and the first two.
    pub fn with_approved(&self, labels: &Labels, kind: TermKind, term: &str) -> Labels {
        let mut labels = Labels { confidence: Confidence::High, ..labels.clone() };
        match kind {
            TermKind::Category => {
                term.clone_into(&mut labels.category);
                labels.suggested_category = None;
            }
            _ => {
                labels.topics.retain(|topic| topic != term);
                labels.topics.insert(0, term.to_owned());
                labels.topics.truncate(MAX_TOPICS);
                labels.suggested_topic = None;
            }
        }
        self.version().clone_into(&mut labels.vocabulary_version);
        labels
    }

    /// The same labels without a term that was taken back. What is left without a topic gets the one for everything else, and suggests
    /// the term again.
    pub fn without_taken_back(&self, labels: &Labels, kind: TermKind, term: &str) -> Option<Labels> {
        let mut next = labels.clone();
        match kind {
            TermKind::Category if labels.category == term => {
                next.category = self.names(TermKind::Category).last()?.to_string();
                (next.confidence, next.suggested_category) = (Confidence::Low, Some(term.to_owned()));
            }
            TermKind::Topic if labels.topics.iter().any(|topic| topic == term) => {
                next.topics.retain(|topic| topic != term);
                if next.topics.is_empty() {
                    next.topics.push(self.catch_all().or(self.names(TermKind::Topic).last().copied())?.to_owned());
                    (next.confidence, next.suggested_topic) = (Confidence::Low, Some(term.to_owned()));
                }
            }
            _ => return None,
        }
        self.version().clone_into(&mut next.vocabulary_version);
        Some(next)
    }

    pub(super) fn entities(&self, entities: Vec<Entity>) -> Result<Vec<Entity>, Invalid> {
        let mut kept: Vec<Entity> = Vec::new();
        for entity in entities {
            self.check(TermKind::EntityType, &entity.kind)?;
            let value = entity.value.split_whitespace().collect::<Vec<_>>().join(" ");
            let entity = Entity { kind: entity.kind, value };
            let is_sound = !entity.key().is_empty() && entity.value.len() <= MAX_ENTITY_BYTES;
            if is_sound && !kept.contains(&entity) && kept.len() < MAX_ENTITIES {
                kept.push(entity);
            }
        }
        Ok(kept)
    }
}

impl Labels {
    /// Labels as they were stored; they were checked when they were made.
    pub fn restored(draft: LabelDraft, importance: Importance, vocabulary_version: String) -> Self {
        Self {
            topics: draft.topics,
            category: draft.category,
            message_type: draft.message_type,
            entities: draft.entities,
            importance,
            confidence: draft.confidence,
            suggested_topic: draft.suggested_topic,
            suggested_category: draft.suggested_category,
            vocabulary_version,
        }
    }

    pub fn topics(&self) -> &[String] {
        &self.topics
    }

    pub fn category(&self) -> &str {
        &self.category
    }

    pub fn message_type(&self) -> &str {
        &self.message_type
    }

    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    pub fn importance(&self) -> Importance {
        self.importance
    }

    pub fn confidence(&self) -> Confidence {
        self.confidence
    }

    pub fn suggested_topic(&self) -> Option<&str> {
        self.suggested_topic.as_deref()
    }

    pub fn suggested_category(&self) -> Option<&str> {
        self.suggested_category.as_deref()
    }

    pub fn vocabulary_version(&self) -> &str {
        &self.vocabulary_version
    }

    /// The importance that a caller gave counts more than the labeller's.
    pub fn with_importance(self, given: Option<Importance>) -> Self {
        Self { importance: given.unwrap_or(self.importance), ..self }
    }
}
