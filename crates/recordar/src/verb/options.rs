//! Arguments that several verbs take. The doc comment of each field is its description for people, programs and language models.

use crate::call::Call;
use crate::ingest::{HelperInput, PlacingRequest};
use recordar_core::answer::LimitingOptions;
use recordar_core::config::{PromptLimiting, Route};
use recordar_core::noun::descent::DescentOptions;
use recordar_core::noun::labels::LabelQuery;
use recordar_core::noun::limits::{MAX_CHUNKS, MAX_TOKEN_BUDGET};
use recordar_core::noun::rerank::Rerank;
use recordar_core::recall::{
    Authority, BudgetCovers, ExcerptRule, Interleaving, RecallOverrides, RecallRequest, RecallSettings, Strategy,
    recall_range,
};
use recordar_core::tree::{Traversal, TraversalStrategy};
use recordar_domain::{Attributes, Filter, HelperFields, Invalid, Metadata, SpaceName, Timestamp};
use recordar_index::Mode;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Metadata of a document.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct AttributeArguments {
    /// Tags to find it by.
    #[serde(default)]
    tags: Vec<String>,
    /// Its topic.
    topic: Option<String>,
    /// A note about it.
    note: Option<String>,
    /// Who supplied it.
    provider: Option<String>,
    /// A JSON object to store with it.
    #[serde(default)]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    metadata: Metadata,
}

impl AttributeArguments {
    pub(super) fn attributes(self) -> Result<Attributes, Invalid> {
        Attributes::new(self.tags.iter().map(String::as_str), self.topic, self.note, self.provider, self.metadata)
    }
}

/// The helper of a source: a whole text, or its fields.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct HelperArgument {
    /// The whole text, at most 300 tokens; then omit the other fields.
    text: Option<String>,
    /// When the document was written, in ISO 8601, or unknown.
    date: Option<String>,
    /// Its author, or unknown.
    author: Option<String>,
    /// Its topic, or unknown.
    topic: Option<String>,
    /// What it is, at most 200 tokens, or unknown.
    description: Option<String>,
}

impl HelperArgument {
    pub(super) fn input(self) -> Result<HelperInput, Invalid> {
        let Self { text, date, author, topic, description } = self;
        let has_fields = [&date, &author, &topic, &description].iter().any(|field| field.is_some());
        match text {
            Some(_) if has_fields => Err(Invalid::new(
                "a contextual helper has text or fields, not both",
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
    /// Whether to classify it. If omitted, tree.classify in the configuration decides.
    classify: Option<bool>,
    /// The source's helper (description in prompts): an object with text, or with date, author, topic and description.
    helper: Option<HelperArgument>,
    /// Regenerate the helper from the current text. A helper that a user has set is kept.
    #[serde(default)]
    regenerate_helper: bool,
}

impl PlacingArguments {
    /// `helpers` are those of individual sources, by path.
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

/// The settings of a recall. Defaults come from recordar.toml.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(transform = add_policy)]
pub struct RecallOptions {
    /// More spaces to search, such as shared:handbook.
    #[serde(default)]
    pub(super) also: Vec<SpaceName>,
    /// Maximum number of memories.
    top_k: Option<u32>,
    /// Sentences kept of each memory, at least.
    clip_sentences: Option<u32>,
    /// How much of each memory is shown: fill (the sentences that match best, and more while max_tokens has room) or first_sentences
    /// (clip_sentences from the beginning, and nothing more).
    #[schemars(with = "Option<String>", extend("enum" = ["fill", "first_sentences"]))]
    excerpts: Option<ExcerptRule>,
    /// Maximum tokens of the context.
    max_tokens: Option<u32>,
    /// What max_tokens bounds: text (with headings and sources) or memories.
    #[schemars(with = "Option<String>", extend("enum" = ["text", "memories"]))]
    budget_covers: Option<BudgetCovers>,
    /// keyword, semantic or hybrid.
    #[schemars(with = "Option<String>", extend("enum" = ["keyword", "semantic", "hybrid"]))]
    search_type: Option<Mode>,
    /// Minimum score, after reranking if it is on; memories below it are dropped.
    #[schemars(range(min = 0, max = 1))]
    min_score: Option<f64>,
    /// With a reranker: if it rates no candidate at least this relevant, nothing is recalled. By default, the value measured for the model.
    #[schemars(range(min = 0, max = 1))]
    min_confidence: Option<f64>,
    /// Reranker: off, judge (the built-in model) or folder:NAME (a model that you added). It reads the question with each candidate and
    /// reorders them. If omitted, recall.rerank in the configuration applies; if that is not set, ask uses the judge.
    rerank: Option<Rerank>,
    /// Order of the memories: alternate, score_first or recency_first.
    #[schemars(with = "Option<String>", extend("enum" = ["alternate", "score_first", "recency_first"]))]
    interleaving: Option<Strategy>,
    /// With score_first or recency_first: share of the places that the preferred order gets.
    #[schemars(range(min = 0, max = 1))]
    interleaving_ratio: Option<f64>,
    /// Redact social security numbers, card numbers and e-mail addresses.
    enable_redaction: Option<bool>,
    /// More regular expressions to redact. Turns redaction on.
    #[serde(default)]
    custom_redaction_patterns: Vec<String>,
    /// Only messages labelled with one of these topics of the vocabulary.
    #[serde(default)]
    topics: Vec<String>,
    /// Only messages of this category of the vocabulary.
    category: Option<String>,
    /// Only messages of this type of the vocabulary.
    message_type: Option<String>,
    /// Only messages that name one of these: an order, a person, an amount.
    #[serde(default)]
    entities: Vec<String>,
    /// Only items that pass these conditions, such as tag=release-0.9, path=docs/** or !kind=message. Fields: tag, path, type,
    /// collection, kind, thread, role, speaker, meta.KEY, since, before, until.
    #[serde(default)]
    filter: Vec<String>,
    /// When the question is asked, to interpret "last week" and the like; by default as_of, or now.
    asked_at: Option<Timestamp>,
    /// Recall from the state at that time, such as 2026-01-31 or 2026-01-31T09:30:00Z.
    as_of: Option<Timestamp>,
}

/// The policy's ranges and defaults: the administrator's ranges, since a face narrows them for other callers.
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
    pub(super) fn request(self, query: String, call: &Call<'_>) -> Result<(Vec<SpaceName>, RecallRequest), Invalid> {
        let ratio = self.interleaving_ratio;
        let strategy = self.interleaving.or(ratio.map(|_| Strategy::default()));
        let settings = RecallOverrides {
            top_k: self.top_k,
            clip_sentences: self.clip_sentences,
            excerpts: self.excerpts,
            max_tokens: self.max_tokens,
            budget_covers: self.budget_covers,
            search_type: self.search_type,
            min_score: self.min_score,
            min_confidence: self.min_confidence,
            rerank: self.rerank,
            enable_redaction: self.enable_redaction,
            custom_redaction_patterns: self.custom_redaction_patterns,
            interleaving: strategy.map(|strategy| Interleaving { strategy, ratio }),
        };
        let request = RecallRequest {
            settings,
            authority: call.caller.authority,
            asked_at: self.asked_at,
            as_of: self.as_of,
            labels: LabelQuery {
                topics: self.topics,
                category: self.category,
                message_type: self.message_type,
                entities: self.entities,
            },
            filter: Filter::parse(&self.filter)?,
            ..RecallRequest::new(&query)
        };
        Ok((call.spaces(&self.also), request))
    }
}

/// How the tree is descended.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct DescentArguments {
    /// Strategy: one_shot, wide_branch, zoom_in or branch_out. If omitted, tree.strategy in the configuration decides.
    #[schemars(with = "Option<String>", extend("enum" = ["one_shot", "wide_branch", "zoom_in", "branch_out"]))]
    strategy: Option<TraversalStrategy>,
    /// How many categories the strategy follows on the first level; default 3 for wide_branch, 6 for zoom_in and branch_out.
    #[schemars(range(min = 1, max = Traversal::MAX_N))]
    n: Option<u32>,
    /// How many categories fewer (zoom_in) or more (branch_out) it follows on each further level; default 2.
    #[schemars(range(min = 0, max = Traversal::MAX_N))]
    n2: Option<u32>,
    /// Maximum categories selected under one parent; default 128, unless configured.
    #[schemars(range(min = 1, max = Traversal::MAX_N))]
    max_per_level: Option<u32>,
    /// Maximum paths followed; default 64, unless configured.
    #[schemars(range(min = 1, max = Traversal::MAX_PATHS))]
    max_paths: Option<u32>,
    /// Maximum chunks per path; all by default.
    #[schemars(range(min = 1, max = MAX_CHUNKS))]
    limit_per_path: Option<usize>,
}

impl DescentArguments {
    pub(super) fn options(self) -> DescentOptions {
        let Self { strategy, n, n2, max_per_level, max_paths, limit_per_path } = self;
        DescentOptions { strategy, n, n2, max_per_level, max_paths, limit_per_path }
    }
}

/// Where to look for an answer, and how its prompt is limited.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RouteArguments {
    /// Where to look: recall searches all items; tree descends the document categories.
    #[schemars(with = "Option<String>", extend("enum" = ["recall", "tree"]))]
    pub(super) route: Option<Route>,
    /// With tree: maximum tokens of the final prompt.
    #[schemars(range(min = 1, max = MAX_TOKEN_BUDGET))]
    max_token_budget: Option<u32>,
    /// With tree, if the chunks exceed the budget: prune drops paths, summarize shortens every chunk.
    #[schemars(with = "Option<String>", extend("enum" = ["prune", "summarize"]))]
    prompt_limiting_strategy: Option<PromptLimiting>,
    /// With prune: drop the lowest-ranked path first, rather than the last in order.
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
