//! A fuzz target for every parser of outside bytes. A target is a function that must return for any bytes, quickly, without
//! a panic and in little memory; it asserts further promises if there are any.
//!
//! `scripts/fuzz` runs the targets under libFuzzer, guided by code coverage (`main.rs`); `tests/corpus.rs` runs the corpus
//! and a few thousand seeded mutations of it (`mutate`) in every `make test`. Both call the same functions, and those call the
//! engine's own parsers through its public functions.

mod calls;
mod chats;
mod configuration;
mod contract;
mod desk;
mod documents;
mod imports;
mod loaders;
mod mutate;
mod names;
mod networks;
mod replies;
mod segments;

pub use mutate::{Mutator, dictionary};

/// A parser, or several with the same input.
pub struct Target {
    /// Also the name of its folder in `corpus/`, and of its file in `dictionaries/`.
    pub name: &'static str,
    pub run: fn(&[u8]),
    /// Longer inputs find nothing that shorter ones would not.
    pub max_bytes: usize,
    /// The number of mutations that `make test` tries: about two seconds.
    pub rounds: usize,
}

pub const TARGETS: &[Target] = &[
    target("documents", documents::documents, 8192, 4000),
    target("pages", loaders::pages, 8192, 3000),
    target("notebooks", loaders::notebooks, 4096, 8000),
    target("tables", loaders::tables, 4096, 8000),
    target("mails", loaders::mails, 8192, 4000),
    target("word_documents", loaders::word_documents, 8192, 4000),
    target("pdf", loaders::pdf, 8192, 3000),
    target("words", documents::words, 4096, 10000),
    target("messages", documents::messages, 4096, 4000),
    target("instructions", documents::instructions, 4096, 4000),
    target("times", documents::times, 512, 60000),
    target("redaction", documents::redaction, 2048, 300),
    target("names", names::names, 1024, 60000),
    target("filters", names::filters, 1024, 1500),
    target("urls", names::urls, 1024, 20000),
    target("configuration", configuration::configuration, 4096, 8000),
    target("models_table", configuration::models_table, 4096, 40000),
    target("http_replies", replies::http_replies, 4096, 30000),
    target("task_replies", replies::task_replies, 4096, 4000),
    target("cassettes", replies::cassettes, 4096, 20000),
    target("segments", segments::segments, 8192, 100000),
    target("exports", imports::exports, 8192, 3000),
    target("foreign", imports::foreign, 8192, 1000),
    target("slack", chats::slack, 8192, 20000),
    target("irc", chats::irc, 4096, 20000),
    target("archives", chats::archives, 8192, 20000),
    target("receipts", imports::receipts, 8192, 10000),
    target("networks", networks::networks, 4096, 10000),
    target("mcp", calls::mcp, 4096, 1000),
];

const fn target(name: &'static str, run: fn(&[u8]), max_bytes: usize, rounds: usize) -> Target {
    Target { name, run, max_bytes, rounds }
}

impl Target {
    pub fn find(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.name == name)
    }
}
