//! The words of the category tree.

use super::OperationOption;
use clap::{Args, Subcommand};
use recordar::{DescentOptions, Error, HelperFields, HelperInput, PlacingRequest, TraversalStrategy};

#[derive(Debug, Args)]
pub(crate) struct Query {
    /// The question
    pub(crate) query: String,
    #[command(flatten)]
    pub(crate) descent: Descent,
    /// Chunks at the most (1 to 10000) [default: 1000]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// The next of the page before, for the chunks behind it
    #[arg(long, value_name = "NEXT")]
    pub(crate) after: Option<String>,
    /// Show every call of the model, and what each stage kept or dropped, and why
    #[arg(long)]
    pub(crate) explain: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Descending the tree")]
pub(crate) struct Descent {
    /// How many categories are followed: one_shot, wide_branch, zoom_in or branch_out [default: as configured]
    #[arg(long, value_name = "STRATEGY")]
    strategy: Option<String>,
    /// N of the strategy (1 to 128) [default: 3 for wide_branch, 6 for zoom_in and branch_out]
    #[arg(long, value_name = "N")]
    n: Option<u32>,
    /// By how many N changes from level to level (0 to 128) [default: 2 for zoom_in and branch_out]
    #[arg(long, value_name = "N")]
    n2: Option<u32>,
    /// Categories that are selected under a parent at the most (1 to 128)
    #[arg(long, value_name = "N")]
    max_per_level: Option<u32>,
    /// Paths that are followed at the most (1 to 1000) [default: 64]
    #[arg(long, value_name = "N")]
    max_paths: Option<u32>,
    /// Chunks that are taken of each path at the most (1 to 10000) [default: all]
    #[arg(long, value_name = "N")]
    limit_per_path: Option<usize>,
}

impl Descent {
    pub(crate) fn options(&self) -> Result<DescentOptions, Error> {
        Ok(DescentOptions {
            strategy: self.strategy.as_deref().map(TraversalStrategy::parse).transpose()?,
            n: self.n,
            n2: self.n2,
            max_per_level: self.max_per_level,
            max_paths: self.max_paths,
            limit_per_path: self.limit_per_path,
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct Tree {
    #[command(subcommand)]
    pub(crate) action: Option<TreeAction>,
    /// Levels that are shown
    #[arg(long, value_name = "N")]
    pub(crate) levels: Option<u32>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TreeAction {
    /// Give a category another name
    Rename {
        /// Its id, or its path, such as "Travel > Trains"
        category: String,
        /// What it is to be called
        name: String,
        #[command(flatten)]
        operation: OperationOption,
    },
    /// Put a category into another of the same level, with everything below it
    Merge {
        /// The category that goes: its id, or its path
        category: String,
        /// The category that it goes into
        into: String,
        #[command(flatten)]
        operation: OperationOption,
    },
    /// Put a category under another parent, on the level above it
    Move {
        /// The category: its id, or its path
        category: String,
        /// Its new parent
        under: String,
        #[command(flatten)]
        operation: OperationOption,
    },
    /// Give the tree more levels: every leaf goes under a category of its own name
    Deepen {
        /// How many levels it is to have, up to 100
        depth: u32,
        #[command(flatten)]
        operation: OperationOption,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Classify {
    /// Show every category that was found, and why
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) operation: OperationOption,
}

#[derive(Debug, Args)]
pub(crate) struct Helper {
    /// The document: its path, file name or id
    pub(crate) name: String,
    /// For the contextual helper: its topic, or unknown
    #[arg(long)]
    pub(crate) topic: Option<String>,
    #[command(flatten)]
    pub(crate) given: HelperOptions,
    /// Make it anew of what the document says now; one that you gave stays
    #[arg(long)]
    pub(crate) regenerate: bool,
    #[command(flatten)]
    pub(crate) operation: OperationOption,
}

/// What prompts say of a source.
#[derive(Debug, Args)]
pub(crate) struct HelperOptions {
    /// The contextual helper, as a whole, in at most 300 tokens
    #[arg(long = "helper", value_name = "TEXT", conflicts_with_all = ["date", "author", "description"])]
    text: Option<String>,
    /// For the contextual helper: when the document was made, such as 2024-05-31, or unknown
    #[arg(long, value_name = "DATE")]
    date: Option<String>,
    /// For the contextual helper: who wrote it, or unknown
    #[arg(long)]
    author: Option<String>,
    /// For the contextual helper: what it is, in at most 200 tokens, or unknown
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
}

impl HelperOptions {
    /// The topic is that of the document.
    pub(crate) fn input(&self, topic: Option<&String>) -> Option<HelperInput> {
        let Self { text, date, author, description } = self;
        if let Some(text) = text {
            return Some(HelperInput::Text(text.clone()));
        }
        if [date, author, description].iter().all(|field| field.is_none()) {
            return None;
        }
        let field = |field: &Option<String>| field.clone().unwrap_or_default();
        let fields = HelperFields {
            date: field(date),
            author: field(author),
            topic: topic.cloned().unwrap_or_default(),
            description: field(description),
        };
        Some(HelperInput::Fields(fields))
    }
}

/// How documents are classified.
#[derive(Debug, Args)]
pub(crate) struct Placing {
    /// Classify what is stored, or not, whatever is configured
    #[arg(long, value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    classify: Option<bool>,
    #[command(flatten)]
    helper: HelperOptions,
    /// Make contextual helpers anew of what the sources say now; those that you gave stay
    #[arg(long)]
    regenerate_helper: bool,
}

impl Placing {
    pub(crate) fn request(&self, topic: Option<&String>) -> PlacingRequest {
        PlacingRequest {
            classify: self.classify,
            helper: self.helper.input(topic),
            regenerate_helper: self.regenerate_helper,
            ..PlacingRequest::default()
        }
    }
}
