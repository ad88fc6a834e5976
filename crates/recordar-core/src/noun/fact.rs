//! A fact, as callers see it.

use recordar_domain::{FactMethod, ItemKind, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why a fact or a summary is to be looked at again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unverified {
    /// Something that it comes from says other words now.
    SourceChanged,
    /// Something that it comes from was removed, or another item supersedes it.
    SourceRetired,
    /// The date by which to look again has come.
    ReviewDue,
}

impl Unverified {
    pub fn name(self) -> &'static str {
        match self {
            Self::SourceChanged => "source_changed",
            Self::SourceRetired => "source_retired",
            Self::ReviewDue => "review_due",
        }
    }

    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Self::SourceChanged => "its source changed",
            Self::SourceRetired => "its source was retired",
            Self::ReviewDue => "its review is due",
        }
    }
}

/// A fact or a summary that was stored as it is: it has no subject, attribute and value.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct StoredFact {
    /// Its number.
    pub item: i64,
    pub kind: ItemKind,
    pub text: String,
    /// The items that it comes from.
    pub sources: Vec<i64>,
    /// Why it is to be looked at again: `source_changed`, `source_retired` or `review_due`.
    pub unverified: Unverified,
    /// When to look at it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub review_by: Option<Timestamp>,
    /// When it was stored.
    #[schemars(with = "String")]
    pub recorded_at: Timestamp,
}

/// A fact, and what it is at the time that was asked about.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FactView {
    /// Its number, which is that of its item.
    pub fact: i64,
    pub subject: String,
    pub attribute: String,
    pub value: String,
    /// `holds`, `ended` (a newer one took its place), `overruled` (a person said otherwise), `retired` (by a person) or `ahead` (it begins
    /// later).
    pub state: &'static str,
    /// Since when it holds; of equal statements, the first counts.
    #[schemars(with = "String")]
    pub since: Timestamp,
    /// Until when it held.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub until: Option<Timestamp>,
    /// The fact that ended or overruled it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced_by: Option<i64>,
    /// Facts that hold as well and say something else.
    pub conflicts: Vec<i64>,
    /// Whether several values can hold at once.
    pub several: bool,
    /// Who extracted it: `person`, `model` or `built_in`.
    pub method: FactMethod,
    /// From 0 to 1.
    pub confidence: f64,
    /// The item that says so, and its words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// The fact that a person's word takes the place of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrects: Option<i64>,
    /// Why it is to be looked at again: `source_changed`, `source_retired` or `review_due`. Absent if nothing is known against it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unverified: Option<Unverified>,
    /// When to look at it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub review_by: Option<Timestamp>,
    /// When it was stored.
    #[schemars(with = "String")]
    pub recorded_at: Timestamp,
}
