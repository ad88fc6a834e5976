//! The trace: what was kept or dropped, where and why. A stage returns its decisions together with its output, and
//! the stages of a flow, in order, are its trace. It is a result for people and programs, not a log.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Trace {
    pub stages: Vec<Stage>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stage {
    pub name: String,
    pub decisions: Vec<Decision>,
}

/// One decision: its subject, the action, the rule that decided, and details for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Decision {
    pub subject: String,
    pub action: Action,
    /// A stable name of the rule, for programs: `unchanged`, `outside_root`, `delimiter`.
    pub reason: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    Kept,
    Changed,
    Dropped,
    Refused,
}

impl Trace {
    /// Adds a stage after the others, or its decisions to those of the stage with that name.
    pub fn add(&mut self, stage: Stage) {
        match self.stages.iter_mut().find(|known| known.name == stage.name) {
            Some(known) => known.decisions.extend(stage.decisions),
            None => self.stages.push(stage),
        }
    }
}

impl Stage {
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), decisions: Vec::new() }
    }

    pub fn decide(&mut self, subject: impl Into<String>, action: Action, reason: &str, detail: impl Into<String>) {
        self.decisions.push(Decision {
            subject: subject.into(),
            action,
            reason: reason.to_owned(),
            detail: detail.into(),
        });
    }
}
