//! `doctor`: configuration, database, disk and models, each finding with its remedy.

use crate::{Config, Error, LlmConfig, Overrides, Recordar, system_clock};
use recordar_domain::text::TokenCounter;
use recordar_models::{DIMENSION, MODEL};
use rustix::fs::statvfs;
use serde::Serialize;
use std::path::Path;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// `configuration`, `database`, `disk` or `models`.
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
    /// Looks at everything that can be looked at without changing anything but the schema.
    pub fn doctor(overrides: &Overrides) -> Vec<Finding> {
        match Config::load(overrides) {
            Err(Error::Config { mistakes }) => mistakes
                .into_iter()
                .map(|mistake| {
                    let what = format!("{} = {}: allowed is {}", mistake.key, mistake.value, mistake.allowed);
                    Finding::bad("configuration", FindingStatus::Failed, what, mistake.fix)
                })
                .collect(),
            Err(error) => vec![Finding::failed("configuration", &error)],
            Ok(config) => {
                let mut findings = vec![configuration(&config)];
                findings.extend(disk(&config));
                findings.extend(models(&config));
                findings.extend(database(config));
                findings
            }
        }
    }
}

fn configuration(config: &Config) -> Finding {
    Finding::ok(
        "configuration",
        match &config.file {
            Some(file) => format!("{} is valid", file.display()),
            None => "there is no recordar.toml, so the defaults apply".to_owned(),
        },
    )
}

fn database(config: Config) -> Vec<Finding> {
    let url = config.database.url.to_string();
    if config.database.url.sqlite_path().is_some_and(|path| !path.exists()) {
        return vec![Finding::ok(
            "database",
            format!("{url} is not there yet; the first command that needs it makes it"),
        )];
    }
    let looked_at = Recordar::open(config, system_clock()).and_then(|memory| {
        let health = memory.store.health()?;
        let spaces = memory.spaces()?.len();
        Ok((health, spaces))
    });
    match looked_at {
        Err(error) => vec![Finding::failed("database", &error)],
        Ok((health, spaces)) => {
            let opened = format!("{url} opens; schema {}, spaces: {spaces}", health.schema);
            let engine = health.findings.into_iter().map(|finding| Finding::ok("database", finding));
            std::iter::once(Finding::ok("database", opened)).chain(engine).collect()
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
            let what = format!("the folder {} cannot be looked at: {error}", folder.display());
            return Some(Finding::bad("disk", FindingStatus::Failed, what, format!("mkdir -p {}", folder.display())));
        }
    };
    let free = statistics.f_bavail.saturating_mul(statistics.f_frsize);
    let what = format!("{} MiB are free in {}", free / (1024 * 1024), folder.display());
    Some(if free < LITTLE {
        Finding::bad("disk", FindingStatus::Warning, what, "free some space, or move the database")
    } else {
        Finding::ok("disk", what)
    })
}

fn models(config: &Config) -> Vec<Finding> {
    let counter = TokenCounter::for_model(&config.model);
    let tokens = if counter.is_exact() {
        Finding::ok("models", format!("tokens are counted for {} with {}", config.model, counter.name()))
    } else {
        let what = format!("the tokenizer of {} is not known; {} counts in its place", config.model, counter.name());
        let remedy =
            "set tokens.model to a model of the OpenAI, Llama, Qwen, DeepSeek or Mistral families, if one is meant";
        Finding::bad("models", FindingStatus::Warning, what, remedy)
    };
    let embedder = format!("the built-in embedder {MODEL} makes vectors of {DIMENSION} numbers");
    vec![tokens, Finding::ok("models", embedder), language_model(config)]
}

fn language_model(config: &Config) -> Finding {
    let Some(LlmConfig { profile, remote, key_env, .. }) = &config.llm else {
        return Finding::ok("models", "no language model is configured, and none is needed");
    };
    match (&remote.key, key_env) {
        (None, Some(key_env)) => {
            let what = format!("the language model {} is configured, and its key is missing", profile.name);
            Finding::bad("models", FindingStatus::Warning, what, format!("set {key_env} to your key"))
        }
        _ => Finding::ok("models", format!("the language model is {}; `recordar models test` tries it", profile.name)),
    }
}
