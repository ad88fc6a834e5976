//! The words of recalling and of its reasons.

use super::Descent;
use super::{ModeName, OperationOption};
use clap::{Args, Subcommand};
use recordar::{AskRequest, Error, LimitingOptions, PromptLimiting, RecallRequest, Route};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Recall {
    /// What to recall memories for: a question, or what the user just said
    pub(crate) query: String,
    #[command(flatten)]
    pub(crate) options: RecallOptions,
    /// Whether to search at all; false gives an empty result. For scripts that decide whether memory is on
    #[arg(long, value_name = "true|false", default_value_t = true, action = clap::ArgAction::Set)]
    pub(crate) use_memory: bool,
    /// The conversation that asks: a name, which is checked and kept in a receipt, and chooses nothing
    #[arg(long, alias = "session", value_name = "NAME")]
    pub(crate) session_id: Option<String>,
    /// Keep a receipt, or none, whatever is configured
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) receipt: Option<bool>,
    /// Show what was found with the parts of each score, and what each stage kept or dropped, and why
    #[arg(long)]
    pub(crate) explain: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Ask {
    /// The question
    pub(crate) query: String,
    /// Where to look: recall searches everything that is stored, tree descends the categories of the documents [default: as
    /// configured, or tree with an option of its own]
    #[arg(long, value_name = "ROUTE")]
    route: Option<String>,
    #[command(flatten)]
    pub(crate) options: RecallOptions,
    #[command(flatten)]
    descent: Descent,
    /// The most tokens of the final prompt
    #[arg(long, value_name = "TOKENS", help_heading = "Descending the tree")]
    max_token_budget: Option<u32>,
    /// Where chunks are too many for it: prune drops paths, summarize shortens every chunk
    #[arg(long, value_name = "prune|summarize", help_heading = "Descending the tree")]
    prompt_limiting_strategy: Option<String>,
    /// With prune: drop the lowest rank first, rather than the last in order
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true",
          help_heading = "Descending the tree")]
    use_rankings: Option<bool>,
    /// The conversation that asks: a name, which is checked and kept in a receipt, and chooses nothing
    #[arg(long, alias = "session", value_name = "NAME")]
    pub(crate) session_id: Option<String>,
    /// Keep a receipt, or none, whatever is configured
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) receipt: Option<bool>,
    /// Only say what an answer would cost at the most; no model is asked
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Show what the answer was made from, every call of the model, and what each stage kept or dropped, and why
    #[arg(long)]
    pub(crate) explain: bool,
}

impl Ask {
    pub(crate) fn request(&self, recall: RecallRequest) -> Result<AskRequest, Error> {
        let limiting = LimitingOptions {
            max_token_budget: self.max_token_budget,
            prompt_limiting_strategy: self
                .prompt_limiting_strategy
                .as_deref()
                .map(PromptLimiting::parse)
                .transpose()?,
            use_rankings: self.use_rankings,
        };
        let route = self.route.as_deref().map(Route::parse).transpose()?;
        Ok(AskRequest { recall, dry_run: self.dry_run, route, descent: self.descent.options()?, limiting })
    }
}

#[derive(Debug, Args)]
pub(crate) struct Models {
    #[command(subcommand)]
    pub(crate) action: ModelsAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsAction {
    /// What is configured, what it can and costs, and what was spent today
    List,
    /// Do every task once with the configured language model, on a text of three sentences
    Test {
        /// Only say what it would cost at the most; no model is asked
        #[arg(long)]
        dry_run: bool,
    },
    /// The built-in table of providers and models, as a file for llm.models_file is written
    Table,
}

/// What a recall can be told. Where nothing is said, recordar.toml says it.
#[derive(Debug, Args)]
pub(crate) struct RecallOptions {
    /// Look into this space as well; may be given several times
    #[arg(long = "also", value_name = "KIND:NAME")]
    pub(crate) also: Vec<String>,
    /// How many memories, at most (1 to 20) [default: 8]
    #[arg(long, value_name = "N")]
    pub(crate) top_k: Option<u32>,
    /// Sentences of each (1 to 5) [default: 2]
    #[arg(long, value_name = "N")]
    pub(crate) clip_sentences: Option<u32>,
    /// Tokens of all of them together (100 to 3000) [default: 1500]
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<u32>,
    /// By what to search [default: hybrid]
    #[arg(long, value_enum)]
    pub(crate) search_type: Option<ModeName>,
    /// Leave out what scores less (0 to 1) [default: 0.3]
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    pub(crate) min_score: Option<f64>,
    /// In what order: alternate, score_first or recency_first [default: alternate]
    #[arg(long, value_name = "STRATEGY")]
    pub(crate) interleaving: Option<String>,
    /// The share of places for the first order of score_first or recency_first (0 to 1)
    #[arg(long, alias = "ratio", value_name = "SHARE", allow_negative_numbers = true, requires = "interleaving")]
    pub(crate) interleaving_ratio: Option<f64>,
    /// Take out social security numbers, card numbers and e-mail addresses, or leave them
    #[arg(
        long,
        alias = "redact",
        value_name = "true|false",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    pub(crate) enable_redaction: Option<bool>,
    /// A regular expression whose matches are taken out, too, beside the configured ones; may be given several times. It
    /// switches redaction on
    #[arg(long = "custom-redaction-pattern", alias = "redact-pattern", value_name = "REGEX")]
    pub(crate) custom_redaction_patterns: Vec<String>,
    /// When the question is asked, for "last week" and the like [default: now, or --as-of]
    #[arg(long, value_name = "TIME")]
    pub(crate) asked_at: Option<String>,
    /// Recall what was stored at that time, ranked as it was then. A date alone is its first moment in UTC
    #[arg(long, value_name = "TIME")]
    pub(crate) as_of: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Why {
    /// The receipt's id, or the beginning of it
    pub(crate) receipt: String,
    /// Show what each stage kept or dropped then
    #[arg(long)]
    pub(crate) explain: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WhyNot {
    /// The item's id
    pub(crate) item: i64,
    /// What was asked
    pub(crate) query: String,
    #[command(flatten)]
    pub(crate) options: RecallOptions,
    /// Show what each stage kept or dropped
    #[arg(long)]
    pub(crate) explain: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Receipts {
    #[command(subcommand)]
    pub(crate) action: ReceiptsAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ReceiptsAction {
    /// The receipts of the space, the newest first
    List {
        /// How many, at most
        #[arg(long, short = 'n', default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
        limit: u32,
    },
    /// What a receipt holds
    Show {
        /// Its id, or the beginning of it
        receipt: String,
    },
    /// Write receipts with the items they name, one JSON object a line, for another database
    Export {
        /// Their ids [default: all]
        receipts: Vec<String>,
        /// Where to write them [default: standard output]
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Take in receipts that were exported
    Import {
        /// The file, or - for standard input
        file: PathBuf,
        #[command(flatten)]
        operation: OperationOption,
    },
}
