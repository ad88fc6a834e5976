//! The arguments of the verbs of the category tree. What stands above a field is what programs and language models are told about it.

use super::Caller;
use crate::{
    DescentOptions, HelperInput, HelperRequest, LimitingOptions, PlacingRequest, PromptLimiting, QueryRequest, Route,
    TraversalStrategy, TreeEdit,
};
use recordar_domain::{HelperFields, Invalid, OperationId};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What prompts say of a source: the whole text, or what it is composed of.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct HelperArgument {
    /// The whole, in at most 300 tokens; the others are left out then.
    text: Option<String>,
    /// When the document was made, as ISO 8601 writes it, or unknown.
    date: Option<String>,
    /// Who wrote it, or unknown.
    author: Option<String>,
    /// What it is about, or unknown.
    topic: Option<String>,
    /// What it is, in at most 200 tokens, or unknown.
    description: Option<String>,
}

impl HelperArgument {
    fn input(self) -> Result<HelperInput, Invalid> {
        let Self { text, date, author, topic, description } = self;
        let has_fields = [&date, &author, &topic, &description].iter().any(|field| field.is_some());
        match text {
            Some(_) if has_fields => Err(Invalid::new(
                "a contextual helper is a text or has fields, not both",
                "give text, or date, author, topic and description",
            )),
            Some(text) => Ok(HelperInput::Text(text)),
            None => Ok(HelperInput::Fields(HelperFields {
                date: date.unwrap_or_default(),
                author: author.unwrap_or_default(),
                topic: topic.unwrap_or_default(),
                description: description.unwrap_or_default(),
            })),
        }
    }
}

/// How a document is classified.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct PlacingArguments {
    /// Classify it, or not, whatever is configured.
    classify: Option<bool>,
    /// What prompts say of the source: an object with text, or with date, author, topic and description.
    helper: Option<HelperArgument>,
    /// Make the contextual helper anew of what the source says now; one that a user gave stays.
    #[serde(default)]
    regenerate_helper: bool,
}

impl PlacingArguments {
    pub(super) fn request(self) -> Result<PlacingRequest, Invalid> {
        Ok(PlacingRequest {
            classify: self.classify,
            helper: self.helper.map(HelperArgument::input).transpose()?,
            helpers: BTreeMap::new(),
            regenerate_helper: self.regenerate_helper,
        })
    }
}

/// How the tree is descended.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct DescentArguments {
    /// How many categories are followed: one_shot, wide_branch, zoom_in or branch_out.
    #[schemars(with = "Option<String>", extend("enum" = ["one_shot", "wide_branch", "zoom_in", "branch_out"]))]
    strategy: Option<TraversalStrategy>,
    /// N of the strategy, from 1 to 128; 3 for wide_branch, 6 for zoom_in and branch_out.
    n: Option<u32>,
    /// By how many N changes from level to level, from 0 to 128; 2 for zoom_in and branch_out.
    n2: Option<u32>,
    /// Categories that are selected under a parent at the most, from 1 to 128.
    max_per_level: Option<u32>,
    /// Paths that are followed at the most, from 1 to 1000; 64 where nothing is said.
    max_paths: Option<u32>,
    /// Chunks that are taken of each path at the most, from 1 to 10000; all where nothing is said.
    limit_per_path: Option<usize>,
}

impl DescentArguments {
    pub(super) fn options(self) -> DescentOptions {
        let Self { strategy, n, n2, max_per_level, max_paths, limit_per_path } = self;
        DescentOptions { strategy, n, n2, max_per_level, max_paths, limit_per_path }
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct QueryArguments {
    /// The question to find chunks for.
    query: String,
    /// Chunks at the most, from 1 to 10000; 1000 where nothing is said.
    limit: Option<usize>,
    /// The next of the page before, for the chunks behind it; the tree is not descended again.
    after: Option<String>,
}

impl QueryArguments {
    pub(super) fn request(self, descent: DescentArguments) -> QueryRequest {
        QueryRequest { query: self.query, descent: descent.options(), limit: self.limit, after: self.after }
    }
}

/// Where an answer is looked for, and how its prompt is kept short.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct RouteArguments {
    /// Where to look: recall searches everything that is stored, tree descends the categories of the documents.
    #[schemars(with = "Option<String>", extend("enum" = ["recall", "tree"]))]
    pub(super) route: Option<Route>,
    /// By the tree: the most tokens of the final prompt.
    max_token_budget: Option<u32>,
    /// By the tree, where chunks are too many: prune drops paths, summarize shortens every chunk.
    #[schemars(with = "Option<String>", extend("enum" = ["prune", "summarize"]))]
    prompt_limiting_strategy: Option<PromptLimiting>,
    /// With prune: drop the lowest rank first, rather than the last in order.
    use_rankings: Option<bool>,
}

impl RouteArguments {
    pub(super) fn limiting(&self) -> LimitingOptions {
        LimitingOptions {
            max_token_budget: self.max_token_budget,
            prompt_limiting_strategy: self.prompt_limiting_strategy,
            use_rankings: self.use_rankings,
        }
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct ClassifyArguments {
    /// An id that makes it safe to repeat the call: what was done under it is not done again.
    pub(super) operation: Option<String>,
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct HelperArguments {
    /// The document's path, file name or id.
    name: String,
    /// Another helper: an object with text, or with date, author, topic and description.
    helper: Option<HelperArgument>,
    /// Make it anew of what the document says now; one that a user gave stays.
    #[serde(default)]
    regenerate: bool,
    /// An id that makes it safe to repeat the call: what was done under it is not done again.
    operation: Option<String>,
}

impl HelperArguments {
    pub(super) fn request(self, caller: &Caller) -> Result<(HelperRequest, OperationId), Invalid> {
        let given = self.helper.map(HelperArgument::input).transpose()?;
        let request = HelperRequest { document: self.name, given, regenerate: self.regenerate };
        Ok((request, caller.operation(self.operation)?))
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct RenameCategoryArguments {
    /// The category: its id, or its path, such as Travel > Trains.
    category: String,
    /// What it is to be called.
    name: String,
    /// An id that makes it safe to repeat the call: what was done under it is not done again.
    operation: Option<String>,
}

impl RenameCategoryArguments {
    pub(super) fn edit(self) -> (TreeEdit, Option<String>) {
        (TreeEdit::Rename { category: self.category, name: self.name }, self.operation)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct MergeCategoriesArguments {
    /// The category that goes: its id, or its path, such as Travel > Trains.
    category: String,
    /// The category of the same level that it goes into, with everything below.
    into: String,
    /// An id that makes it safe to repeat the call: what was done under it is not done again.
    operation: Option<String>,
}

impl MergeCategoriesArguments {
    pub(super) fn edit(self) -> (TreeEdit, Option<String>) {
        (TreeEdit::Merge { category: self.category, into: self.into }, self.operation)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct MoveCategoryArguments {
    /// The category: its id, or its path, such as Travel > Trains.
    category: String,
    /// Its new parent, on the level above it.
    under: String,
    /// An id that makes it safe to repeat the call: what was done under it is not done again.
    operation: Option<String>,
}

impl MoveCategoryArguments {
    pub(super) fn edit(self) -> (TreeEdit, Option<String>) {
        (TreeEdit::Move { category: self.category, under: self.under }, self.operation)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct DeepenTreeArguments {
    /// How many levels the tree is to have, up to 100.
    depth: u32,
    /// An id that makes it safe to repeat the call: what was done under it is not done again.
    operation: Option<String>,
}

impl DeepenTreeArguments {
    pub(super) fn edit(self) -> (TreeEdit, Option<String>) {
        (TreeEdit::Deepen { depth: self.depth }, self.operation)
    }
}
