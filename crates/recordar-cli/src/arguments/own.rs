//! The words of what only the command line has.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// Where to write it
    #[arg(default_value = "recordar.toml", conflicts_with = "own")]
    pub(crate) path: PathBuf,
    /// Write your own, which counts in every folder: ~/.config/recordar/recordar.toml
    #[arg(long)]
    pub(crate) own: bool,
    /// Replace a file that is there already
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Eval {
    /// A folder with corpus.jsonl, queries.jsonl and qrels.tsv
    pub(crate) folder: PathBuf,
    /// Take corpus.jsonl from another folder
    #[arg(long, value_name = "DIR")]
    pub(crate) corpus: Option<PathBuf>,
    /// Questions that nothing in the corpus answers, as in queries.jsonl: how many does recall leave empty?
    #[arg(long, value_name = "FILE")]
    pub(crate) off_topic: Option<PathBuf>,
    /// Write a row for each question to this file, as JSON lines
    #[arg(long, value_name = "FILE")]
    pub(crate) rows: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Bench {
    #[command(subcommand)]
    pub(crate) what: BenchWhat,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BenchWhat {
    /// Ingest generated text, against counting its tokens and inserting its rows alone
    Ingest {
        /// Megabytes of text
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=2000))]
        mb: u32,
    },
    /// Everything of a recall after its search, and a recall from the cache
    Policy {
        /// How many recalls
        #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(10..=100_000))]
        recalls: u32,
    },
    /// Search a space of generated messages, against SQLite's full-text index and a scan of all vectors
    Recall {
        /// How many messages
        #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1000..=10_000_000))]
        items: u32,
    },
    /// Descend category trees without a model, against drawing them with their counts
    Tree {
        /// Chunks of the wide tree
        #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1000..=10_000_000))]
        chunks: u32,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Consent {
    /// Do not ask. Only a terminal is asked: a script that runs this means it
    #[arg(long, short)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReceiptsShow {
    /// Its id, or the beginning of it
    pub(crate) receipt: String,
}

#[derive(Debug, Args)]
pub(crate) struct ReceiptsExport {
    /// Their ids [default: all]
    pub(crate) receipts: Vec<String>,
    /// Where to write them [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace a file that is there already
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Trust {
    /// The file [default: recordar.toml here or in a folder above]
    pub(crate) file: Option<PathBuf>,
    /// Show what is trusted
    #[arg(long, conflicts_with_all = ["file", "remove"])]
    pub(crate) list: bool,
    /// Trust this file no more
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    pub(crate) remove: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ReceiptsImport {
    /// The file, or - for standard input
    pub(crate) file: PathBuf,
    /// An id that makes it safe to repeat the command: what was done under it is not done again
    #[arg(long, value_name = "ID")]
    operation: Option<String>,
}
