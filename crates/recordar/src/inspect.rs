//! `doctor`: configuration, database, disk and models, each finding with its remedy.

use crate::engine::{Recordar, system_clock};
use recordar_core::config::{Config, ConfigFile, FileSource, LlmConfig, ModelKind, Overrides, Rights, is_exposed};
use recordar_core::error::Error;
use recordar_core::index::StoreEmbedder;
use recordar_core::judges::{kind, load, refused};
use recordar_core::noun::rerank::Rerank;
use recordar_domain::text::TokenCounter;
use recordar_judge::Judge;
use rustix::fs::statvfs;
use serde::Serialize;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// `configuration`, `files`, `database`, `disk` or `models`.
    pub area: &'static str,
    pub status: FindingStatus,
    pub what: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingStatus {
    Ok,
    Warning,
    Failed,
}

impl Finding {
    fn ok(area: &'static str, what: impl Into<String>) -> Self {
        Self { area, status: FindingStatus::Ok, what: what.into(), remedy: None }
    }

    fn bad(area: &'static str, status: FindingStatus, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { area, status, what: what.into(), remedy: Some(remedy.into()) }
    }

    fn failed(area: &'static str, error: &Error) -> Self {
        Self::bad(area, FindingStatus::Failed, error.to_string(), error.remedy())
    }
}

impl Recordar {
    /// Checks everything that can be checked without changing anything but the schema.
    pub fn doctor(overrides: &Overrides) -> Vec<Finding> {
        match Config::load(overrides) {
            Err(Error::Config { mistakes }) => mistakes
                .into_iter()
                .map(|mistake| {
                    let what =
                        format!("{} = {} is not valid; allowed: {}", mistake.key, mistake.value, mistake.allowed);
                    Finding::bad("configuration", FindingStatus::Failed, what, mistake.fix)
                })
                .collect(),
            Err(error) => vec![Finding::failed("configuration", &error)],
            Ok(config) => {
                let mut findings = configuration(&config);
                findings.extend(files(&config));
                findings.extend(disk(&config));
                findings.extend(models(&config));
                findings.extend(database(config));
                findings
            }
        }
    }
}

/// The files in use, and the source of every setting.
fn configuration(config: &Config) -> Vec<Finding> {
    let ok = |what: String| Finding::ok("configuration", what);
    let file = |ConfigFile { path, source, .. }: &ConfigFile| {
        let found = match source {
            FileSource::Named => "you specified it",
            FileSource::Found { trusted: true } => "found in the current folder or above it, and trusted",
            FileSource::Found { trusted: false } => {
                "found in the current folder or above it; nothing in it requires trust"
            }
            FileSource::Own => "your own configuration, which applies in every folder",
            FileSource::Program => "set by a program",
        };
        ok(format!("{} is valid: {found}", path.display()))
    };
    let mut findings: Vec<Finding> = config.files.iter().map(file).collect();
    if findings.is_empty() {
        findings.push(ok("no recordar.toml was found".to_owned()));
    }
    let settings = &config.settings;
    findings.extend(
        settings.iter().map(|setting| ok(format!("{} = {}, set by {}", setting.key, setting.value, setting.set_by))),
    );
    findings.push(ok(match settings.is_empty() {
        true => "all settings have their default values".to_owned(),
        false => "all other settings have their default values".to_owned(),
    }));
    findings
}

/// Files that others can read, but should not.
fn files(config: &Config) -> Vec<Finding> {
    let warn = |path: &Path, what: &str| {
        let what = format!("{} {what}", path.display());
        Finding::bad("files", FindingStatus::Warning, what, format!("chmod 600 {}", path.display()))
    };
    let exposing = config.files.iter().filter(|file| file.exposes_secret);
    let mut findings: Vec<Finding> =
        exposing.map(|file| warn(&file.path, "contains a key or a password and is readable by other users")).collect();
    let content = database_files(config).into_iter().chain(cassette(config));
    let can_be_read = |path: &PathBuf| path.metadata().is_ok_and(|metadata| is_exposed(&Rights::of(&metadata)));
    findings.extend(
        content.filter(can_be_read).map(|path| warn(&path, "contains memories and is readable by other users")),
    );
    findings
}

/// A SQLite database is a file with others beside it.
fn database_files(config: &Config) -> Vec<PathBuf> {
    let Some(path) = config.database.url.sqlite_path() else { return Vec::new() };
    let beside = |suffix: &str| {
        let mut name = OsString::from(path);
        name.push(suffix);
        PathBuf::from(name)
    };
    ["", "-wal", "-shm", "-journal"].map(beside).to_vec()
}

fn cassette(config: &Config) -> Option<PathBuf> {
    Some(config.llm.as_ref()?.cassette.as_ref()?.path.clone())
}

fn database(config: Config) -> Vec<Finding> {
    let url = config.database.url.to_string();
    if config.database.url.sqlite_path().is_some_and(|path| !path.exists()) {
        return vec![Finding::ok("database", format!("{url} does not exist yet; it is created when first needed"))];
    }
    let tree = config.tree.clone();
    let looked_at = Recordar::open(config, system_clock()).and_then(|memory| {
        let health = memory.store.health()?;
        let spaces = memory.spaces()?.len();
        let now = (memory.clock)();
        let (embedder, indexed, depths, overdue) = memory.store.read(|reading| {
            let embedder = StoreEmbedder::current(&reading.embedders()?)?.model;
            let (mut items, mut saved, mut depths, mut overdue) = (0, 0, Vec::new(), 0);
            for space in reading.spaces()? {
                let (of_space, saved_of_space) = reading.indexed_items(space.id, embedder.hash())?;
                (items, saved) = (items + of_space, saved + saved_of_space);
                overdue += reading.count_expiries(space.id, now)?;
                depths.push((space.name, reading.tree_depth(space.id)?));
            }
            Ok((embedder, (items, saved), depths, overdue))
        })?;
        Ok((health, spaces, embedder, indexed, depths, overdue))
    });
    match looked_at {
        Err(error) => vec![Finding::failed("database", &error)],
        Ok((health, spaces, embedder, (items, saved), depths, overdue)) => {
            let opened = format!("{url} can be opened: schema {}, spaces: {spaces}", health.schema);
            let engine = health.findings.into_iter().map(|finding| Finding::ok("database", finding));
            let embedder = format!("its embedder is {}, with {} dimensions", embedder.name(), embedder.dimension());
            let rest = if saved < items { "; a search builds the rest" } else { "" };
            let index = format!("its search index is saved for {saved} of {items} items{rest}");
            let other_depth = depths.into_iter().filter_map(|(space, depth)| {
                let (what, remedy) = tree.depth_note(depth)?;
                Some(Finding::bad("tree", FindingStatus::Warning, format!("{space}: {what}"), remedy))
            });
            let overdue = (overdue > 0).then(|| {
                let what =
                    format!("the end of {overdue} threads, items or tags has come, and they are not forgotten yet");
                Finding::bad(
                    "retention",
                    FindingStatus::Warning,
                    what,
                    "run `recordar expire --all-spaces`, or a worker",
                )
            });
            let found = [opened, embedder, index].map(|what| Finding::ok("database", what));
            found.into_iter().chain(engine).chain(other_depth).chain(overdue).collect()
        }
    }
}

fn disk(config: &Config) -> Option<Finding> {
    const LITTLE: u64 = 512 * 1024 * 1024;
    let path = config.database.url.sqlite_path()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let statistics = match statvfs(folder) {
        Ok(statistics) => statistics,
        Err(error) => {
            let what = format!("the folder {} cannot be read: {error}", folder.display());
            return Some(Finding::bad("disk", FindingStatus::Failed, what, format!("mkdir -p {}", folder.display())));
        }
    };
    let free = statistics.f_bavail.saturating_mul(statistics.f_frsize);
    let what = format!("{} MiB free in {}", free / (1024 * 1024), folder.display());
    Some(if free < LITTLE {
        Finding::bad("disk", FindingStatus::Warning, what, "free some disk space, or move the database")
    } else {
        Finding::ok("disk", what)
    })
}

fn models(config: &Config) -> Vec<Finding> {
    let counter = TokenCounter::for_model(&config.model);
    let tokens = if counter.is_exact() {
        Finding::ok("models", format!("tokens are counted for {} with {}", config.model, counter.name()))
    } else {
        let what = format!("the tokenizer of {} is unknown; {} is used instead", config.model, counter.name());
        let remedy = "set tokens.model to an OpenAI, Llama, Qwen, DeepSeek or Mistral model if you use one";
        Finding::bad("models", FindingStatus::Warning, what, remedy)
    };
    let others = [Some(language_model(config)), reranker(config)].into_iter().flatten();
    [tokens].into_iter().chain(another_tokenizer(config, &counter)).chain(others).collect()
}

/// `tokens.model` may be set to another model than the one that reads the prompts.
fn another_tokenizer(config: &Config, counter: &TokenCounter) -> Option<Finding> {
    let reader = &config.llm.as_ref().filter(|_| config.is_model_given)?.profile.name.model;
    let own = TokenCounter::for_model(reader);
    if !own.is_exact() || own.name() == counter.name() {
        return None;
    }
    let what = format!(
        "tokens are counted for {} (tokens.model) with {}, but the language model is {reader}, which uses {}: prompts may exceed \
         their token limits",
        config.model,
        counter.name(),
        own.name()
    );
    let remedy = "remove tokens.model, so that tokens are counted for the language model";
    Some(Finding::bad("models", FindingStatus::Warning, what, remedy))
}

/// The configured reranker, loaded as a search would load it.
fn reranker(config: &Config) -> Option<Finding> {
    let loaded = match &config.recall.settings.rerank {
        Rerank::Off => return None,
        Rerank::Judge => Judge::shipped().map_err(|error| refused(&error)).map(kind),
        Rerank::Folder(name) => {
            config.model_folders.find(name).and_then(|model| load(&model, true)).map(|judge| kind(&judge))
        }
    };
    let name = &config.recall.settings.rerank;
    let unusable = |what: String, remedy: String| {
        let what = format!("recall.rerank is {name}, and results are not reranked: {what}");
        Finding::bad("models", FindingStatus::Warning, what, remedy)
    };
    Some(match loaded {
        Ok(ModelKind::Judge | ModelKind::Reranker) => Finding::ok("models", format!("results are reranked by {name}")),
        Ok(other) => {
            let what = format!("it is a model of the kind {}, which cannot rank results", other.name());
            unusable(what, "set recall.rerank to a reranker, to judge, or to off".to_owned())
        }
        Err(error) => unusable(error.to_string(), error.remedy()),
    })
}

fn language_model(config: &Config) -> Finding {
    let Some(LlmConfig { profile, remote, key_env, .. }) = &config.llm else {
        return Finding::ok("models", "no language model is configured; none is required");
    };
    match (&remote.key, key_env) {
        (None, Some(key_env)) => {
            let what = format!("the language model {} is configured, but its API key is missing", profile.name);
            Finding::bad("models", FindingStatus::Warning, what, format!("set {key_env} to your key"))
        }
        _ => Finding::ok(
            "models",
            format!("the language model is {}; test it with `recordar models test`", profile.name),
        ),
    }
}
