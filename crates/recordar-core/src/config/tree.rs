//! The settings of the category tree, its descent, and the final prompt.

use super::Reader;
use crate::noun::limits::MAX_TOKEN_BUDGET;
use crate::tree::{CategoryLimits, Traversal, TraversalStrategy};
use recordar_domain::Invalid;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use toml::Value;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeConfig {
    pub hierarchy_depth: u32,
    pub batch_size: u32,
    pub category_limits: CategoryLimits,
    /// Whether ingested documents are classified.
    pub classify: bool,
    /// Default settings for descending the tree.
    pub traversal: Traversal,
}

impl TreeConfig {
    /// What to say if the configuration sets another depth than the tree has, and what to do about it. The default says nothing about
    /// a tree that was deepened.
    pub fn depth_note(&self, stored: Option<u32>) -> Option<(String, String)> {
        let wanted = Some(self.hierarchy_depth).filter(|wanted| *wanted != DEFAULT_DEPTH)?;
        let stored = stored.filter(|stored| *stored != wanted)?;
        let what = format!("the tree has {stored} levels; tree.hierarchy_depth = {wanted} applies to new trees only");
        let remedy = match wanted > stored {
            true => format!("add levels with `recordar tree deepen {wanted}`, or set tree.hierarchy_depth to {stored}"),
            false => format!("set tree.hierarchy_depth to {stored}; levels cannot be removed"),
        };
        Some((what, remedy))
    }
}

/// Default settings for answering.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerConfig {
    pub route: Route,
    /// Maximum tokens of the final prompt.
    pub max_token_budget: u32,
    pub prompt_limiting_strategy: PromptLimiting,
    pub use_rankings: bool,
    pub summarization_instruction_headroom_tokens: u32,
    pub summary_char_overage_tolerance_percent: u32,
    pub summary_max_retries: u32,
}

/// Where to look for an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// Searches all items.
    #[default]
    Recall,
    /// Descends the category tree of the documents.
    Tree,
}

impl Route {
    pub fn parse(name: &str) -> Result<Self, Invalid> {
        match name {
            "recall" => Ok(Self::Recall),
            "tree" => Ok(Self::Tree),
            _ => Err(Invalid::new(format!("unrecognised route {name:?}"), "use \"recall\" or \"tree\"")),
        }
    }
}

/// How the final prompt is kept within its budget; never both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PromptLimiting {
    /// Drops paths, lowest rank first.
    #[default]
    #[serde(alias = "PRUNE")]
    Prune,
    /// Shortens every chunk.
    #[serde(alias = "SUMMARIZE")]
    Summarize,
}

impl PromptLimiting {
    pub fn parse(name: &str) -> Result<Self, Invalid> {
        match name.to_lowercase().as_str() {
            "prune" => Ok(Self::Prune),
            "summarize" => Ok(Self::Summarize),
            _ => {
                let what = format!("unrecognised prompt limiting strategy {name:?}");
                Err(Invalid::new(what, "use \"prune\" or \"summarize\""))
            }
        }
    }
}

const DEFAULT_CATEGORY_LIMIT: u32 = 128;
const DEFAULT_DEPTH: u32 = 3;

impl Reader<'_> {
    pub(super) fn tree(&mut self) -> TreeConfig {
        let hierarchy_depth = self.int("tree.hierarchy_depth", DEFAULT_DEPTH.into(), 1, 100) as u32;
        let batch_size = self.int("tree.batch_size", 5, 1, 50) as u32;
        let category_limits = self.category_limits(hierarchy_depth);
        let classify = self.bool("tree.classify", true);
        TreeConfig { hierarchy_depth, batch_size, category_limits, classify, traversal: self.traversal() }
    }

    fn traversal(&mut self) -> Traversal {
        let allowed = "\"one_shot\", \"wide_branch\", \"zoom_in\" or \"branch_out\"";
        let strategy = self.checked("tree.strategy", "wide_branch", allowed, TraversalStrategy::parse);
        let default = Traversal::new(strategy.unwrap_or_default());
        let most = i64::from(Traversal::MAX_N);
        Traversal {
            n: self.int("tree.n", default.n.into(), 1, most) as u32,
            n2: self.int("tree.n2", default.n2.into(), 0, most) as u32,
            max_per_level: self.int("tree.max_per_level", default.max_per_level.into(), 1, most) as u32,
            max_paths: self.int("tree.max_paths", default.max_paths.into(), 1, Traversal::MAX_PATHS.into()) as u32,
            ..default
        }
    }

    /// One number for all levels, a complete list, or a map of some levels.
    fn category_limits(&mut self, depth: u32) -> CategoryLimits {
        const KEY: &str = "tree.max_categories_per_level";
        let mut limits = CategoryLimits { default: DEFAULT_CATEGORY_LIMIT, by_level: BTreeMap::new() };
        let positive =
            |value: &Value| value.as_integer().and_then(|value| u32::try_from(value).ok()).filter(|v| *v > 0);
        let (allowed, fix) = ("a whole number, 1 or greater", "set it to 128, the default, or another positive number");
        match self.get(KEY) {
            None => {}
            Some(Value::Array(list)) => {
                if list.len() != depth as usize {
                    let fix = format!("give {depth} numbers, or a map of the levels that differ, as in {{ 2 = 64 }}");
                    let shown = Value::Array(list.clone());
                    self.mistake(KEY, shown, format!("one number for each of the {depth} levels"), fix);
                }
                for (level, value) in (1..=depth).zip(list) {
                    match positive(value) {
                        Some(limit) => drop(limits.by_level.insert(level, limit)),
                        None => self.mistake(&format!("{KEY}[{}]", level - 1), value, allowed, fix),
                    }
                }
            }
            Some(Value::Table(map)) => {
                for (level, value) in map {
                    match (level.parse().ok().filter(|level| (1..=depth).contains(level)), positive(value)) {
                        (Some(level), Some(limit)) => drop(limits.by_level.insert(level, limit)),
                        (None, _) => {
                            let allowed = format!("levels from 1 to {depth} (tree.hierarchy_depth)");
                            self.mistake(&format!("{KEY}.{level}"), value, allowed, "remove it, or deepen the tree");
                        }
                        (_, None) => self.mistake(&format!("{KEY}.{level}"), value, allowed, fix),
                    }
                }
            }
            Some(value) => match positive(value) {
                Some(limit) => limits.default = limit,
                None => self.mistake(KEY, value, "a whole number (1 or greater), a list, or a map of levels", fix),
            },
        }
        limits
    }

    pub(super) fn answer(&mut self) -> AnswerConfig {
        let limiting = self.checked(
            "answer.prompt_limiting_strategy",
            "prune",
            "\"prune\" or \"summarize\"",
            PromptLimiting::parse,
        );
        let headroom = self.int("answer.summarization_instruction_headroom_tokens", 1024, 0, 1_000_000);
        let tolerance = self.int("answer.summary_char_overage_tolerance_percent", 5, 0, 1_000);
        AnswerConfig {
            route: self.checked("answer.route", "recall", "\"recall\" or \"tree\"", Route::parse).unwrap_or_default(),
            max_token_budget: self.budget(),
            prompt_limiting_strategy: limiting.unwrap_or_default(),
            use_rankings: self.bool("answer.use_rankings", true),
            summarization_instruction_headroom_tokens: headroom as u32,
            summary_char_overage_tolerance_percent: tolerance as u32,
            summary_max_retries: self.int("answer.summary_max_retries", 1, 0, 10) as u32,
        }
    }

    fn budget(&mut self) -> u32 {
        const KEY: &str = "answer.max_token_budget";
        const OVERHEAD: i64 = 100;
        let budget = self.int(KEY, 8192, 1, MAX_TOKEN_BUDGET.into());
        let min = match self.get("chunking.chunk_min_tokens") {
            Some(Value::Integer(min)) => *min,
            _ => 300,
        };
        if budget <= min + OVERHEAD {
            self.mistake(
                KEY,
                budget,
                format!("more than chunk_min_tokens plus {OVERHEAD}, which is {}", min + OVERHEAD),
                format!("raise it to {} or more, or lower chunk_min_tokens", min + OVERHEAD + 1),
            );
        }
        budget as u32
    }
}
