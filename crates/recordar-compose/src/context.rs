//! The condensed context, S_ctx: Facts, Constraints and Open Issues. Every fact cites the chunk that says it.

use crate::quote::Cleared;
use recordar_domain::Invalid;
use recordar_domain::text::SectionStart;
use schemars::JsonSchema;
use serde::Serialize;

pub(crate) const MAX_FACTS: usize = 64;
pub(crate) const MAX_OPEN_ISSUES: usize = 16;
const MAX_LINE_BYTES: usize = 4_000;

/// A chunk of a document that passed the gate: what a context is made of. Only documents have chunks, so no message can be one.
#[derive(Debug, Clone)]
pub struct GatedChunk {
    pub item_id: i64,
    /// The document, as it is shown.
    pub document: String,
    pub section: Option<String>,
    /// The sections that begin inside the text.
    pub sections: Vec<SectionStart>,
    pub day: String,
    pub text: Cleared,
    /// How relevant it is, from 0 to 1.
    pub score: f64,
}

impl GatedChunk {
    /// How traces name it.
    pub fn name(&self) -> String {
        item_name(self.item_id)
    }

    /// The section of a place in the text.
    pub(crate) fn section_at(&self, place: usize) -> Option<&str> {
        let inner = self.sections.iter().take_while(|start| start.at <= place).last();
        inner.map(|start| start.section.as_str()).or(self.section.as_deref())
    }
}

/// How the traces of a composition, which has one space, name an item.
pub fn item_name(id: i64) -> String {
    format!("item {id}")
}

/// Where a fact is said: a part of a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChunkCitation {
    /// The number of its source.
    pub source: usize,
    pub item_id: i64,
    /// Where it begins and ends in the chunk's text as shown, in bytes.
    pub start: usize,
    pub end: usize,
}

/// How a fact is supported by what it cites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Support {
    /// It is there word for word. No judge of ours can say with 95 % precision that something follows (docs/judge.md), so nothing else counts.
    Quoted,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ContextFact {
    pub text: String,
    pub support: Support,
    pub citations: Vec<ChunkCitation>,
}

/// A chunk that is cited, or one of its sections.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ContextSource {
    pub number: usize,
    pub item_id: i64,
    pub document: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    pub day: String,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct CondensedContext {
    pub facts: Vec<ContextFact>,
    pub constraints: Vec<ContextFact>,
    pub open_issues: Vec<String>,
    pub sources: Vec<ContextSource>,
}

impl CondensedContext {
    /// The number of facts and constraints.
    pub fn len(&self) -> usize {
        self.facts.len() + self.constraints.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Facts and constraints.
    pub fn all(&self) -> impl Iterator<Item = &ContextFact> {
        self.facts.iter().chain(&self.constraints)
    }

    /// Checks the schema (ORC-05): every fact and constraint cites at least one chunk, at a place that is there; what is called quoted is
    /// there word for word; nothing is too long.
    pub fn check(&self, chunks: &[GatedChunk]) -> Result<(), Invalid> {
        let invalid = |what: String| Invalid::new(what, "the chunks themselves are shown instead");
        if self.len() > MAX_FACTS || self.open_issues.len() > MAX_OPEN_ISSUES {
            return Err(invalid("the condensed context has too many entries".to_owned()));
        }
        for fact in self.facts.iter().chain(&self.constraints) {
            if fact.citations.is_empty() || fact.text.trim().is_empty() || fact.text.len() > MAX_LINE_BYTES {
                return Err(invalid(format!("the fact {:?} has no citation, or is empty or too long", fact.text)));
            }
            for citation in &fact.citations {
                let chunk = chunks.iter().find(|chunk| chunk.item_id == citation.item_id);
                let cited = chunk.and_then(|chunk| chunk.text.as_str().get(citation.start..citation.end));
                let is_source = self
                    .sources
                    .iter()
                    .any(|source| source.number == citation.source && source.item_id == citation.item_id);
                let Support::Quoted = fact.support;
                let is_there = cited.is_some_and(|cited| same_words(cited, &fact.text));
                if !is_there || !is_source {
                    return Err(invalid(format!("the fact {:?} is not where it is cited", fact.text)));
                }
            }
        }
        let is_too_long = |issue: &String| issue.trim().is_empty() || issue.len() > MAX_LINE_BYTES;
        if self.open_issues.iter().any(is_too_long) {
            return Err(invalid("an open issue is empty or too long".to_owned()));
        }
        Ok(())
    }
}

fn same_words(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}
