//! A fact, as callers see it.

use recordar_domain::{FactMethod, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;

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
    /// When it was stored.
    #[schemars(with = "String")]
    pub recorded_at: Timestamp,
}
