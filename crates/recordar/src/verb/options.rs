//! Arguments that several verbs take. What stands above a field is what people, programs and language models read about it.

use crate::call::Call;
use crate::config::{PromptLimiting, Route};
use crate::ingest::{HelperInput, PlacingRequest};
use crate::policy::{Authority, Interleaving, RecallOverrides, RecallSettings, Strategy, recall_range};
use crate::tree::{Traversal, TraversalStrategy};
use crate::verb::ask::LimitingOptions;
use crate::verb::query::{DescentOptions, MAX_CHUNKS};
use crate::verb::recall::RecallRequest;
use recordar_domain::{Attributes, HelperFields, Invalid, Metadata, SpaceName, Timestamp};
use recordar_index::Mode;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub(crate) fn names(spaces: &[SpaceName]) -> Vec<String> {
    spaces.iter().map(SpaceName::to_string).collect()
}

/// What is said about a document.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct AttributeArguments {
    /// Words to find it by.
    #[serde(default)]
    tags: Vec<String>,
    /// What it is about.
    topic: Option<String>,
    /// A note on it.
    note: Option<String>,
    /// Who supplied it.
    provider: Option<String>,
    /// An object to keep with it.
    #[serde(default)]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    metadata: Metadata,
}

impl AttributeArguments {
    pub(super) fn attributes(self) -> Result<Attributes, Invalid> {
        Attributes::new(self.tags.iter().map(String::as_str), self.topic, self.note, self.provider, self.metadata)
    }
}

/// What prompts say of a source: the whole text, or what it is composed of.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HelperArgument {
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
    pub(super) fn input(self) -> Result<HelperInput, Invalid> {
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
pub struct PlacingArguments {
    /// Classify it, or not, whatever is configured.
    classify: Option<bool>,
    /// What prompts say of the source: an object with text, or with date, author, topic and description.
    helper: Option<HelperArgument>,
    /// Regenerate the contextual helper from what the source says now; one that a user gave stays.
    #[serde(default)]
    regenerate_helper: bool,
}

impl PlacingArguments {
    /// `helpers` are those of single sources, by their paths.
    pub(super) fn request(self, helpers: BTreeMap<String, HelperArgument>) -> Result<PlacingRequest, Invalid> {
        let given = helpers.into_iter().map(|(path, helper)| Ok((path, helper.input()?)));
        Ok(PlacingRequest {
            classify: self.classify,
            helper: self.helper.map(HelperArgument::input).transpose()?,
            helpers: given.collect::<Result<_, Invalid>>()?,
            regenerate_helper: self.regenerate_helper,
        })
    }
}

/// The settings of a recall. Those that are not given come from recordar.toml.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(transform = add_policy)]
pub struct RecallOptions {
    /// Spaces to look into as well, such as shared:handbook.
    #[serde(default)]
    pub(super) also: Vec<SpaceName>,
    /// How many memories, at most.
    top_k: Option<u32>,
    /// How many sentences of each.
    clip_sentences: Option<u32>,
    /// How many tokens all memories may have together.
    max_tokens: Option<u32>,
    /// By what to search: keyword, semantic or hybrid.
    #[schemars(with = "Option<String>", extend("enum" = ["keyword", "semantic", "hybrid"]))]
    search_type: Option<Mode>,
    /// Leave out what scores less.
    #[schemars(range(min = 0, max = 1))]
    min_score: Option<f64>,
    /// In what order: alternate, score_first or recency_first.
    #[schemars(with = "Option<String>", extend("enum" = ["alternate", "score_first", "recency_first"]))]
    interleaving: Option<Strategy>,
    /// The share of places for the first order of score_first or recency_first.
    #[schemars(range(min = 0, max = 1))]
    interleaving_ratio: Option<f64>,
    /// Take out social security numbers, card numbers and e-mail addresses.
    enable_redaction: Option<bool>,
    /// Regular expressions whose matches are taken out, too, beside the configured ones. They switch redaction on.
    #[serde(default)]
    custom_redaction_patterns: Vec<String>,
    /// When the question is asked, for "last week" and the like; now, or as_of, by default.
    asked_at: Option<Timestamp>,
    /// Recall what was stored at that time, such as 2026-01-31 or 2026-01-31T09:30:00Z, ranked as it was then.
    as_of: Option<Timestamp>,
}

/// The ranges and defaults of the policy: an administrator's ranges, since a face narrows them where others call.
fn add_policy(schema: &mut Schema) {
    let Some(Value::Object(properties)) = schema.get_mut("properties") else { return };
    let defaults = json!(RecallSettings::default());
    for (name, property) in properties {
        let value = if name == "interleaving" { &defaults[name]["strategy"] } else { &defaults[name] };
        if property.get("default").is_none_or(Value::is_null) && !value.is_null() {
            property["default"] = value.clone();
        }
        if let Some((least, most)) = recall_range(name, Authority::Administrator) {
            property["minimum"] = json!(least);
            property["maximum"] = json!(most);
        }
    }
}

impl RecallOptions {
    pub(super) fn request(self, query: String, call: &Call<'_>) -> (Vec<SpaceName>, RecallRequest) {
        let ratio = self.interleaving_ratio;
        let strategy = self.interleaving.or(ratio.map(|_| Strategy::default()));
        let settings = RecallOverrides {
            top_k: self.top_k,
            clip_sentences: self.clip_sentences,
            max_tokens: self.max_tokens,
            search_type: self.search_type,
            min_score: self.min_score,
            enable_redaction: self.enable_redaction,
            custom_redaction_patterns: self.custom_redaction_patterns,
            interleaving: strategy.map(|strategy| Interleaving { strategy, ratio }),
        };
        let request = RecallRequest {
            settings,
            authority: call.caller.authority,
            asked_at: self.asked_at,
            as_of: self.as_of,
            ..RecallRequest::new(&query)
        };
        (call.spaces(&self.also), request)
    }
}

/// How the tree is descended.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct DescentArguments {
    /// How many categories are followed: one_shot, wide_branch, zoom_in or branch_out; as configured by default.
    #[schemars(with = "Option<String>", extend("enum" = ["one_shot", "wide_branch", "zoom_in", "branch_out"]))]
    strategy: Option<TraversalStrategy>,
    /// N of the strategy; 3 for wide_branch, 6 for zoom_in and branch_out.
    #[schemars(range(min = 1, max = Traversal::MAX_N))]
    n: Option<u32>,
    /// How much N changes from level to level; 2 for zoom_in and branch_out.
    #[schemars(range(min = 0, max = Traversal::MAX_N))]
    n2: Option<u32>,
    /// Categories that are selected under a parent at the most.
    #[schemars(range(min = 1, max = Traversal::MAX_N))]
    max_per_level: Option<u32>,
    /// Paths that are followed at the most; 64, unless configured otherwise.
    #[schemars(range(min = 1, max = Traversal::MAX_PATHS))]
    max_paths: Option<u32>,
    /// Chunks that are taken of each path at the most; all by default.
    #[schemars(range(min = 1, max = MAX_CHUNKS))]
    limit_per_path: Option<usize>,
}

impl DescentArguments {
    pub(super) fn options(self) -> DescentOptions {
        let Self { strategy, n, n2, max_per_level, max_paths, limit_per_path } = self;
        DescentOptions { strategy, n, n2, max_per_level, max_paths, limit_per_path }
    }
}

/// Where an answer is looked for, and how its prompt is kept short.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RouteArguments {
    /// Where to look: recall searches everything, tree descends the categories of the documents.
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
