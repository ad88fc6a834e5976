//! The options of commands that only the command line has.

use clap::{Args, Subcommand};
use recordar::eval::MADE_WORDS;
use recordar::search::{Rerank, SearchMode};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The file to write
    #[arg(default_value = "recordar.toml", conflicts_with = "own")]
    pub(crate) path: PathBuf,
    /// Write your own configuration, which applies in every folder: ~/.config/recordar/recordar.toml
    #[arg(long)]
    pub(crate) own: bool,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Eval {
    /// Folders with corpus.jsonl, queries.jsonl and qrels.tsv; of several, the means are shown too
    #[arg(required = true, value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,
    /// Read corpus.jsonl from another folder; for one set only
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: Option<PathBuf>,
    /// Questions that the corpus does not answer, in the format of queries.jsonl; the report says for how many of them recall returns nothing
    #[arg(long, value_name = "FILE")]
    pub(crate) off_topic: Option<PathBuf>,
    /// Write one row per question to this file, as JSON lines
    #[arg(long, value_name = "FILE")]
    pub(crate) rows: Option<PathBuf>,
    /// Show the differences to an earlier run, by the file that its --rows wrote
    #[arg(long, value_name = "FILE")]
    pub(crate) compare: Option<PathBuf>,
    /// List the questions that changed most
    #[arg(long, short, requires = "compare")]
    pub(crate) verbose: bool,
    /// How to search [default: hybrid]
    #[arg(long, value_parser = mode)]
    pub(crate) mode: Option<SearchMode>,
    /// Reranker: off, judge (the built-in model) or folder:NAME (a model that you added) [default: recall.rerank in the configuration]
    #[arg(long, value_parser = rerank)]
    pub(crate) rerank: Option<Rerank>,
    /// Only items that pass these conditions, as in `recordar search`; may be given several times
    #[arg(long, conflicts_with_all = ["baseline", "words"])]
    pub(crate) filter: Vec<String>,
    /// Measure plain BM25 on the same texts, too
    #[arg(long)]
    pub(crate) baseline: bool,
    /// Measure questions of these numbers of words, made from the corpus, beside plain BM25
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', value_parser = words)]
    pub(crate) words: Vec<usize>,
    /// Switch off the signals of a score one by one
    #[arg(long)]
    pub(crate) ablate: bool,
}

fn mode(name: &str) -> Result<SearchMode, String> {
    let names = SearchMode::ALL.map(SearchMode::name).join(", ");
    SearchMode::ALL.into_iter().find(|mode| mode.name() == name).ok_or_else(|| format!("use one of {names}"))
}

fn rerank(text: &str) -> Result<Rerank, String> {
    Rerank::parse(text).map_err(|invalid| invalid.remedy)
}

fn words(number: &str) -> Result<usize, String> {
    let (least, most) = MADE_WORDS.into_inner();
    let count = number.trim().parse().ok().filter(|count| MADE_WORDS.contains(count));
    count.ok_or_else(|| format!("use a number from {least} to {most}"))
}

#[derive(Debug, Args)]
pub(crate) struct Bench {
    #[command(subcommand)]
    pub(crate) what: BenchWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BenchWhat {
    /// Compose prompts from generated documents and a conversation; baseline: a recall of the same questions
    Compose {
        /// Tokens of all documents together
        #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(10_000..=100_000_000))]
        tokens: u32,
        /// Number of questions; with the judge, a tenth of them
        #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(10..=100_000))]
        questions: u32,
    },
    /// Send requests to a server over generated messages; baselines: /healthz, and plain single inserts
    Http {
        /// Number of messages that are stored before
        #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1000..=10_000_000))]
        items: u32,
        /// Requests a second
        #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
        rate: u32,
        /// Seconds of that rate
        #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=3600))]
        seconds: u32,
        /// An empty database to fill, such as postgres://USER@HOST/DATABASE [default: a temporary SQLite file]
        #[arg(long)]
        url: Option<String>,
    },
    /// Ingest generated text; baselines: only counting its tokens, and only inserting its rows
    Ingest {
        /// Megabytes of text
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=2000))]
        mb: u32,
    },
    /// Run everything that a recall does after its search, and a cached recall
    Policy {
        /// Number of recalls
        #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(10..=100_000))]
        recalls: u32,
    },
    /// Search generated messages; baselines: SQLite's full-text index and a scan of all vectors
    Recall {
        /// Number of messages
        #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1000..=10_000_000))]
        items: u32,
    },
    /// Judge 10, 20 and 50 candidates of 64, 128 and 256 tokens; baseline: the same weights in a folder, run by rten
    Rerank {
        /// A folder with the same weights, which scripts/bench-judge makes; may be given several times
        #[arg(long = "folder", value_name = "FOLDER")]
        folders: Vec<PathBuf>,
        /// Numbers of candidates
        #[arg(long, value_name = "N,N,…", value_delimiter = ',', default_values_t = [10, 20, 50], value_parser = clap::value_parser!(u32).range(1..=1000))]
        candidates: Vec<u32>,
        /// Tokens of a candidate with its question
        #[arg(long, value_name = "N,N,…", value_delimiter = ',', default_values_t = [64, 128, 256], value_parser = clap::value_parser!(u32).range(20..=256))]
        tokens: Vec<u32>,
        /// How often each number is measured
        #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..=1000))]
        rounds: u32,
    },
    /// Run the stages of a staged recall; baseline: SELECT 1
    Stages {
        /// Messages of the space that is recalled from
        #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(100..=1_000_000))]
        messages: u32,
        /// Messages in other spaces
        #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(0..=10_000_000))]
        others: u32,
        /// An empty database to fill, such as postgres://USER@HOST/DATABASE [default: a temporary SQLite file]
        #[arg(long)]
        url: Option<String>,
    },
    /// Descend category trees without a model; baseline: printing them with their counts
    Tree {
        /// Number of chunks in the wide tree
        #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1000..=10_000_000))]
        chunks: u32,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Consent {
    /// Skip the confirmation, which is asked for only on a terminal
    #[arg(long, short)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReceiptsShow {
    /// The receipt's id, or the start of it
    pub(crate) receipt: String,
}

#[derive(Debug, Args)]
pub(crate) struct ReceiptsExport {
    /// Receipt ids [default: all]
    pub(crate) receipts: Vec<String>,
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Trust {
    /// The configuration file [default: recordar.toml in this folder or the nearest parent that has one]
    pub(crate) file: Option<PathBuf>,
    /// List the trusted files
    #[arg(long, conflicts_with_all = ["file", "remove"])]
    pub(crate) list: bool,
    /// Stop trusting this file
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    pub(crate) remove: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ReceiptsImport {
    /// The file to read, or - for standard input
    pub(crate) file: PathBuf,
    /// Operation id. Repeating the command with the same id has no further effect
    #[arg(long, value_name = "ID")]
    operation: Option<String>,
}
