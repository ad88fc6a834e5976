//! What a question asks for (D3), in the terms of a vocabulary.

use super::labels::{Entity, MAX_TOPICS};
use super::terms::{TermKind, Vocabulary};
use crate::invalid::Invalid;
use crate::time::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far back a question looks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimeScope {
    Today,
    Yesterday,
    LastWeek,
    LastMonth,
    #[default]
    All,
}

impl TimeScope {
    pub const ALL: [Self; 5] = [Self::Today, Self::Yesterday, Self::LastWeek, Self::LastMonth, Self::All];

    pub fn name(self) -> &'static str {
        match self {
            Self::Today => "today",
            Self::Yesterday => "yesterday",
            Self::LastWeek => "last_week",
            Self::LastMonth => "last_month",
            Self::All => "all",
        }
    }

    fn days(self) -> Option<i64> {
        match self {
            Self::Today => Some(1),
            Self::Yesterday => Some(2),
            Self::LastWeek => Some(7),
            Self::LastMonth => Some(30),
            Self::All => None,
        }
    }

    /// The earliest time it covers.
    pub fn since(self, asked_at: Timestamp) -> Option<Timestamp> {
        const DAY: i64 = 86_400_000_000;
        self.days().map(|days| Timestamp::from_micros(asked_at.as_micros().saturating_sub(days * DAY)))
    }
}

/// An intent as a model gives it, or a built-in method finds it: not yet checked.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct IntentDraft {
    #[serde(default)]
    pub topics: Vec<String>,
    #[serde(default)]
    pub category: Option<String>,
    #[serde(default)]
    pub time_scope: TimeScope,
    #[serde(default)]
    pub entities: Vec<Entity>,
    #[serde(default)]
    pub search_current_thread_only: bool,
}

/// What a question asks for. Every term is of the vocabulary that made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Intent {
    topics: Vec<String>,
    category: Option<String>,
    time_scope: TimeScope,
    entities: Vec<Entity>,
    search_current_thread_only: bool,
    vocabulary_version: String,
}

impl Vocabulary {
    /// The intent of a question of which nothing is known: it looks for everything, everywhere.
    pub fn open_intent(&self) -> Intent {
        Intent::open(self.version().to_owned())
    }

    /// Checks an intent. The error tells the model what to change.
    pub fn intent(&self, draft: IntentDraft) -> Result<Intent, String> {
        let unknown = |invalid: Invalid| format!("{}; {}", invalid.what, invalid.remedy);
        let mut topics: Vec<String> = Vec::new();
        for topic in draft.topics {
            self.check(TermKind::Topic, &topic).map_err(unknown)?;
            if !topics.contains(&topic) {
                topics.push(topic);
            }
        }
        if topics.len() > MAX_TOPICS {
            return Err(format!("give at most {MAX_TOPICS} topics"));
        }
        if let Some(category) = &draft.category {
            self.check(TermKind::Category, category).map_err(unknown)?;
        }
        Ok(Intent {
            topics,
            category: draft.category,
            time_scope: draft.time_scope,
            entities: self.entities(draft.entities).map_err(unknown)?,
            search_current_thread_only: draft.search_current_thread_only,
            vocabulary_version: self.version().to_owned(),
        })
    }
}

impl Intent {
    /// Looks for everything, everywhere.
    fn open(vocabulary_version: String) -> Self {
        Self {
            topics: Vec::new(),
            category: None,
            time_scope: TimeScope::All,
            entities: Vec::new(),
            search_current_thread_only: false,
            vocabulary_version,
        }
    }

    pub fn topics(&self) -> &[String] {
        &self.topics
    }

    pub fn category(&self) -> Option<&str> {
        self.category.as_deref()
    }

    pub fn time_scope(&self) -> TimeScope {
        self.time_scope
    }

    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    /// For redaction.
    pub fn entities_mut(&mut self) -> &mut [Entity] {
        &mut self.entities
    }

    pub fn search_current_thread_only(&self) -> bool {
        self.search_current_thread_only
    }

    pub fn vocabulary_version(&self) -> &str {
        &self.vocabulary_version
    }
}
