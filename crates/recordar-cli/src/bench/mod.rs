//! `recordar bench`: measurements on this machine, each against a named baseline in the same run.

mod compose;
mod http;
mod ingest;
mod policy;
mod ram;
mod recall;
mod rerank;
mod stages;
mod text;
mod tree;

use crate::arguments::{Bench, BenchWhat, Session, Spec};
use crate::outcome::Outcome;
use clap::Args;
use recordar::document::{Attributes, CollectionRequest, IngestRequest, PlacingRequest};
use recordar::{Error, OperationId};
use std::path::PathBuf;

pub(crate) const COMMAND: Spec = Spec::own(&["bench"], "Measure Recordar on this machine", Bench::augment_args, run);

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let (bench, output): (Bench, _) = (session.own()?, session.output);
    match bench.what {
        BenchWhat::Compose { tokens, questions } => compose::run(tokens as usize, questions as usize, output)?,
        BenchWhat::Http { items, rate, seconds, url } => {
            let load = http::Load { items: items as usize, rate: rate as usize, seconds: u64::from(seconds) };
            http::run(&load, url.as_deref(), output)?;
        }
        BenchWhat::Ingest { mb } => ingest::run(mb, output)?,
        BenchWhat::Policy { recalls } => policy::run(recalls as usize, output)?,
        BenchWhat::Stages { messages, others, url } => {
            stages::run(messages as usize, others as usize, url.as_deref(), output)?;
        }
        BenchWhat::Tree { chunks } => tree::run(chunks as usize, output)?,
        BenchWhat::Rerank { folders, candidates, tokens, rounds } => {
            let sizes = |numbers: Vec<u32>| numbers.into_iter().map(|number| number as usize).collect();
            let grid = rerank::Grid { candidates: sizes(candidates), tokens: sizes(tokens), rounds: rounds as usize };
            rerank::run(&folders, &grid, output)?;
        }
        BenchWhat::Recall { items } => recall::run(items as usize, output)?,
    }
    Ok(Outcome::Done)
}

/// A folder that is ingested. Only storing is measured, and no bench uses the tree.
fn to_store(folder: PathBuf, operation: &str) -> Result<IngestRequest, Error> {
    Ok(IngestRequest {
        paths: vec![folder],
        only: None,
        attributes: Attributes::default(),
        file_type: None,
        include: Vec::new(),
        exclude: Vec::new(),
        collection: CollectionRequest::default(),
        prune: false,
        force: false,
        placing: PlacingRequest { classify: Some(false), ..PlacingRequest::default() },
        operation: OperationId::parse(operation)?,
    })
}

fn no_room(error: &std::io::Error) -> Error {
    let what = format!("the benchmark texts cannot be written or read: {error}");
    Error::input("no_room", what, "free some disk space for temporary files, or set TMPDIR to another folder")
}
