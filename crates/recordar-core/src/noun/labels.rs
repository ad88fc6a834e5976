//! Labels as results show them, and filters by labels.

use recordar_domain::{Confidence, Entity, Importance, Invalid, Labels, TermKind, Vocabulary};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The labels of a message, with the field names of the seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LabelView {
    /// One to three, the most confident first.
    pub topics: Vec<String>,
    pub category: String,
    pub message_type: String,
    pub entities: Vec<Entity>,
    pub confidence: Confidence,
    /// A topic that the vocabulary lacks, if the confidence is low.
    pub suggested_topic: Option<String>,
    pub suggested_category: Option<String>,
    pub importance: Importance,
    pub role: Option<String>,
    /// The version of the vocabulary that it was labelled with.
    pub vocabulary_version: String,
    /// The model that labelled it, or `built-in`.
    pub enrichment_model: String,
}

impl LabelView {
    pub fn new(labels: &Labels, role: Option<String>, enrichment_model: String) -> Self {
        let text = |text: Option<&str>| text.map(str::to_owned);
        Self {
            topics: labels.topics().to_vec(),
            category: labels.category().to_owned(),
            message_type: labels.message_type().to_owned(),
            entities: labels.entities().to_vec(),
            confidence: labels.confidence(),
            suggested_topic: text(labels.suggested_topic()),
            suggested_category: text(labels.suggested_category()),
            importance: labels.importance(),
            role,
            vocabulary_version: labels.vocabulary_version().to_owned(),
            enrichment_model,
        }
    }
}

/// Which labels the results of a search must have. What is empty does not filter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LabelQuery {
    /// At least one of these topics.
    pub topics: Vec<String>,
    pub category: Option<String>,
    pub message_type: Option<String>,
    /// At least one of these entities, such as `#5678`.
    pub entities: Vec<String>,
}

/// No filter.
pub static NO_LABELS: LabelQuery =
    LabelQuery { topics: Vec::new(), category: None, message_type: None, entities: Vec::new() };

/// More are refused.
const MAX_FILTERED: usize = 32;

impl LabelQuery {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Refuses terms that are not in the vocabulary: a typo would find nothing.
    pub fn check(&self, vocabulary: &Vocabulary) -> Result<(), Invalid> {
        if self.topics.len() > MAX_FILTERED || self.entities.len() > MAX_FILTERED {
            return Err(Invalid::new(format!("more than {MAX_FILTERED} topics or entities"), "name fewer"));
        }
        self.topics.iter().try_for_each(|topic| vocabulary.check(TermKind::Topic, topic))?;
        self.category.iter().try_for_each(|name| vocabulary.check(TermKind::Category, name))?;
        self.message_type.iter().try_for_each(|name| vocabulary.check(TermKind::MessageType, name))
    }

    /// What entities are compared by.
    pub(crate) fn entity_keys(&self) -> Vec<String> {
        let key = |value: &String| Entity { kind: String::new(), value: value.clone() }.key();
        self.entities.iter().map(key).collect()
    }
}
