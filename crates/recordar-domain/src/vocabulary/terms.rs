//! The terms of a vocabulary, and the schemas by which a model may use them.

use crate::digest::Hasher;
use crate::invalid::Invalid;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A list that a term belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TermKind {
    Topic,
    Category,
    MessageType,
    EntityType,
}

impl TermKind {
    pub const ALL: [Self; 4] = [Self::Topic, Self::Category, Self::MessageType, Self::EntityType];

    /// The name of its list in a file.
    pub fn list(self) -> &'static str {
        match self {
            Self::Topic => "topics",
            Self::Category => "categories",
            Self::MessageType => "message_types",
            Self::EntityType => "entity_types",
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Topic => "topic",
            Self::Category => "category",
            Self::MessageType => "message_type",
            Self::EntityType => "entity_type",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Term {
    pub name: String,
    /// What it covers, in the words people use. The built-in labels compare messages with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}

/// A vocabulary as people write it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VocabularyFile {
    pub version: String,
    /// The topic of messages that no other fits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub catch_all: Option<String>,
    pub topics: Vec<String>,
    pub categories: Vec<String>,
    pub message_types: Vec<String>,
    pub entity_types: Vec<String>,
    /// What terms cover, by list and term.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub about: BTreeMap<String, BTreeMap<String, String>>,
}

/// A checked version of the terms. It never changes: an edit makes a new version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vocabulary {
    version: String,
    catch_all: Option<String>,
    lists: [Vec<Term>; 4],
}

/// The seed's terms, with the category that its third stage needs.
const FIRST_VERSION: &str = "2024-01-15";
const TOPICS: [&str; 13] = [
    "refund",
    "shipping",
    "account_access",
    "billing",
    "product_issue",
    "cancellation",
    "order_status",
    "payment",
    "returns",
    "technical_support",
    "pricing",
    "subscription",
    "general_inquiry",
];
const CATEGORIES: [&str; 8] = [
    "support_request",
    "complaint",
    "inquiry",
    "feedback",
    "transaction",
    "escalation",
    "conversation",
    Vocabulary::PREFERENCE,
];
const MESSAGE_TYPES: [&str; 6] = ["question", "statement", "request", "confirmation", "follow_up", "clarification"];
const ENTITY_TYPES: [&str; 8] =
    ["order_id", "product_name", "person_name", "date", "amount", "tracking_number", "email", "phone"];

const MAX_TERMS: usize = 500;
const MAX_NAME_BYTES: usize = 64;
const MAX_ABOUT_BYTES: usize = 500;
const MAX_VERSION_BYTES: usize = 64;

impl Vocabulary {
    /// The category of preferences, which the third stage of a staged recall looks for.
    pub const PREFERENCE: &'static str = "user_preference";

    /// The vocabulary of a new store.
    pub fn first() -> Self {
        let list = |names: &[&str]| names.iter().map(|name| Term { name: (*name).to_owned(), about: None }).collect();
        Self {
            version: FIRST_VERSION.to_owned(),
            catch_all: Some("general_inquiry".to_owned()),
            lists: [list(&TOPICS), list(&CATEGORIES), list(&MESSAGE_TYPES), list(&ENTITY_TYPES)],
        }
    }

    pub fn from_file(file: VocabularyFile) -> Result<Self, Invalid> {
        let VocabularyFile { version, catch_all, topics, categories, message_types, entity_types, mut about } = file;
        if version.trim().is_empty() || version.len() > MAX_VERSION_BYTES || version.chars().any(char::is_control) {
            let what = format!("a vocabulary's version must have 1 to {MAX_VERSION_BYTES} bytes in one line");
            return Err(Invalid::new(what, "use a date, such as version = \"2026-01-31\""));
        }
        let mut list = |kind: TermKind, names: Vec<String>| {
            let mut abouts = about.remove(kind.list()).unwrap_or_default();
            let terms = checked_names(kind, names)?.into_iter().map(|name| {
                let about = abouts.remove(&name);
                if about.as_ref().is_some_and(|about| about.len() > MAX_ABOUT_BYTES) {
                    let what = format!("the description of {name} has more than {MAX_ABOUT_BYTES} bytes");
                    return Err(Invalid::new(what, "shorten it"));
                }
                Ok(Term { name, about })
            });
            let terms = terms.collect::<Result<Vec<_>, _>>()?;
            match abouts.into_keys().next() {
                Some(name) => Err(Invalid::new(
                    format!("about.{} describes {name:?}, which is not in {}", kind.list(), kind.list()),
                    "add the term, or remove its description",
                )),
                None => Ok(terms),
            }
        };
        let lists = [
            list(TermKind::Topic, topics)?,
            list(TermKind::Category, categories)?,
            list(TermKind::MessageType, message_types)?,
            list(TermKind::EntityType, entity_types)?,
        ];
        if let Some(unknown) = about.into_keys().next() {
            let lists = TermKind::ALL.map(TermKind::list).join(", ");
            return Err(Invalid::new(format!("about.{unknown} is not a list of terms"), format!("use one of {lists}")));
        }
        let vocabulary = Self { version, catch_all, lists };
        match &vocabulary.catch_all {
            Some(topic) if !vocabulary.has(TermKind::Topic, topic) => {
                Err(Invalid::new(format!("catch_all is {topic:?}, which is not a topic"), "name one of the topics"))
            }
            _ => Ok(vocabulary),
        }
    }

    pub fn to_file(&self) -> VocabularyFile {
        let about = |kind: TermKind| {
            let described = self.terms(kind).iter().filter_map(|term| Some((term.name.clone(), term.about.clone()?)));
            (kind.list().to_owned(), described.collect::<BTreeMap<_, _>>())
        };
        let names = |kind| self.names(kind).into_iter().map(str::to_owned).collect();
        VocabularyFile {
            version: self.version.clone(),
            catch_all: self.catch_all.clone(),
            topics: names(TermKind::Topic),
            categories: names(TermKind::Category),
            message_types: names(TermKind::MessageType),
            entity_types: names(TermKind::EntityType),
            about: TermKind::ALL.map(about).into_iter().filter(|(_, described)| !described.is_empty()).collect(),
        }
    }

    /// The same with one more term, as a new version of that day. Its name has a part made of its terms, so that versions of
    /// different stores differ.
    pub fn with_term(&self, kind: TermKind, name: &str, day: &str) -> Result<Self, Invalid> {
        let name = term_name(name)?;
        if self.has(kind, &name) {
            return Err(Invalid::new(format!("{name} is already in {}", kind.list()), "see `recordar vocab list`"));
        }
        let mut next = self.clone();
        next.list_mut(kind).push(Term { name, about: None });
        if next.terms(kind).len() > MAX_TERMS {
            return Err(Invalid::new(format!("{} has {MAX_TERMS} terms, the maximum", kind.list()), "remove some"));
        }
        Ok(next.renamed(day))
    }

    pub fn without_term(&self, kind: TermKind, name: &str, day: &str) -> Self {
        let mut next = self.clone();
        next.list_mut(kind).retain(|term| term.name != name);
        next.catch_all = next.catch_all.filter(|topic| kind != TermKind::Topic || topic != name);
        next.renamed(day)
    }

    fn renamed(mut self, day: &str) -> Self {
        self.version.clear();
        let body = serde_json::to_string(&self.to_file()).unwrap_or_default();
        self.version = format!("{day}-{}", &Hasher::default().field(body).finish().to_string()[..8]);
        self
    }

    fn list_mut(&mut self, kind: TermKind) -> &mut Vec<Term> {
        &mut self.lists[kind as usize]
    }

    pub fn version(&self) -> &str {
        &self.version
    }

    /// The topic of messages that no other fits.
    pub fn catch_all(&self) -> Option<&str> {
        self.catch_all.as_deref()
    }

    pub fn terms(&self, kind: TermKind) -> &[Term] {
        &self.lists[kind as usize]
    }

    pub fn names(&self, kind: TermKind) -> Vec<&str> {
        self.terms(kind).iter().map(|term| term.name.as_str()).collect()
    }

    pub fn has(&self, kind: TermKind, name: &str) -> bool {
        self.terms(kind).iter().any(|term| term.name == name)
    }

    /// Refuses a term that is not in the vocabulary.
    pub fn check(&self, kind: TermKind, name: &str) -> Result<(), Invalid> {
        if self.has(kind, name) {
            return Ok(());
        }
        let names = self.names(kind).join(", ");
        Err(Invalid::new(format!("{name:?} is not a {} of the vocabulary", kind.name()), format!("use one of {names}")))
    }

    /// The parameters of the tool by which a model labels a message.
    pub fn label_schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "topics": {
                    "type": "array",
                    "items": {"type": "string", "enum": self.names(TermKind::Topic)},
                    "minItems": 1,
                    "maxItems": super::MAX_TOPICS,
                    "description": "1-3 topics that represent the INTENT of the message. Focus on what the user WANTS, not words they mention.",
                },
                "category": {
                    "type": "string",
                    "enum": self.names(TermKind::Category),
                    "description": "Single category that best describes the PURPOSE of this message.",
                },
                "message_type": {
                    "type": "string",
                    "enum": self.names(TermKind::MessageType),
                    "description": "Type of message",
                },
                "entities": self.entity_schema("Extracted entities - order IDs, amounts, names, etc."),
                "importance": {
                    "type": "number",
                    "minimum": 0.0,
                    "maximum": 1.0,
                    "description": "Importance: 0.0-0.3 casual, 0.4-0.6 normal, 0.7-1.0 critical",
                },
                "confidence": {
                    "type": "string",
                    "enum": ["high", "medium", "low"],
                    "description": "How confident are you in this classification?",
                },
                "suggested_topic": {
                    "type": ["string", "null"],
                    "description": "If no topic fits well, suggest a new one",
                },
                "suggested_category": {
                    "type": ["string", "null"],
                    "description": "If no category fits well, suggest a new one",
                },
            },
            "required": ["topics", "category", "message_type", "confidence", "importance"],
        })
    }

    /// The parameters of the tool by which a model reads a question.
    pub fn intent_schema(&self) -> Value {
        let categories = self.names(TermKind::Category).into_iter().map(Value::from).chain([Value::Null]);
        json!({
            "type": "object",
            "properties": {
                "topics": {
                    "type": "array",
                    "items": {"type": "string", "enum": self.names(TermKind::Topic)},
                    "maxItems": super::MAX_TOPICS,
                    "description": "Topics to search for based on user's INTENT",
                },
                "category": {
                    "type": ["string", "null"],
                    "enum": categories.collect::<Vec<_>>(),
                    "description": "Category filter if clearly applicable",
                },
                "time_scope": {
                    "type": "string",
                    "enum": super::TimeScope::ALL.map(super::TimeScope::name),
                    "description": "Time range for search",
                },
                "entities": self.entity_schema("Specific entities to search for (order IDs, names, amounts)"),
                "search_current_thread_only": {
                    "type": "boolean",
                    "description": "True if query is about current conversation only. False if user wants to search across all their history.",
                },
            },
            "required": ["topics", "time_scope", "search_current_thread_only"],
        })
    }

    fn entity_schema(&self, description: &str) -> Value {
        json!({
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "type": {"type": "string", "enum": self.names(TermKind::EntityType)},
                    "value": {"type": "string"},
                },
                "required": ["type", "value"],
            },
            "description": description,
        })
    }
}

fn checked_names(kind: TermKind, names: Vec<String>) -> Result<Vec<String>, Invalid> {
    if names.is_empty() || names.len() > MAX_TERMS {
        let what = format!("{} must have 1 to {MAX_TERMS} terms", kind.list());
        return Err(Invalid::new(what, "see `recordar vocab export` for a complete file"));
    }
    let mut known = BTreeSet::new();
    for name in &names {
        if term_name(name)? != *name {
            let what = format!("{name:?} in {} is not a term", kind.list());
            return Err(Invalid::new(what, "write terms in lower case with underscores, such as account_access"));
        }
        if !known.insert(name) {
            return Err(Invalid::new(format!("{name} is twice in {}", kind.list()), "remove one of them"));
        }
    }
    Ok(names)
}

/// A term as it is written in a vocabulary: lower case, words joined by underscores.
pub fn term_name(text: &str) -> Result<String, Invalid> {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.collect::<Vec<_>>().join("_");
    if name.is_empty() || name.len() > MAX_NAME_BYTES {
        let what = format!("a term must have 1 to {MAX_NAME_BYTES} bytes of letters, digits and underscores");
        return Err(Invalid::new(what, "use a word or two, such as account_access"));
    }
    Ok(name)
}
