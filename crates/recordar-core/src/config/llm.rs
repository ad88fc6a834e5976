//! The language model of the configuration: which one, how to reach it, what it may cost, and what happens if it is unavailable.

use super::{Reader, own_file};
use recordar_domain::Digest;
use recordar_llm::{
    Ceiling, Ceilings, ClientSettings, Error as ModelError, ErrorKind, Parameters, Profile, Remote, RemoteOptions,
    Secret, Structured, Table,
};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;
use toml::Value;

/// A configured language model.
#[derive(Debug, Clone)]
pub struct LlmConfig {
    pub profile: Profile,
    pub remote: RemoteOptions,
    /// The environment variable its key is read from.
    pub key_env: Option<String>,
    pub client: ClientSettings,
    /// Maximum tokens of a reply.
    pub max_output_tokens: u32,
    pub when_away: WhenAway,
    pub cassette: Option<Cassette>,
    /// Another model of the provider, tried if the first fails to answer a composed prompt.
    pub fallback_model: Option<String>,
    /// What is known of models, for others of the provider.
    table: Table,
}

impl LlmConfig {
    /// Another model of the same provider.
    pub fn other(&self, model: &str) -> Result<Profile, ModelError> {
        let profile = self.table.profile(&self.profile.name.provider, model).filter(|_| is_model_name(model));
        let unknown = || {
            let what = format!("{model:?} is not the name of a model");
            ModelError::new(ErrorKind::Invalid, what, "use letters, digits and -_.:/@+, as the provider does")
        };
        profile.ok_or_else(unknown)
    }
}

fn is_model_name(model: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/@+".contains(c);
    !model.is_empty() && model.len() <= 200 && model.chars().all(is_plain) && !model.contains("..")
}

/// What happens if the model cannot be called, or its replies are invalid.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WhenAway {
    /// The call fails with an error.
    #[default]
    Error,
    /// The built-in method is used instead, and the result says so.
    BuiltIn,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cassette {
    pub path: PathBuf,
    /// Whether the model is called for requests that are not recorded yet.
    pub records: bool,
}

pub(super) const KEYS: [&str; 24] = [
    "llm.provider",
    "llm.model",
    "llm.fallback_model",
    "llm.base_url",
    "llm.key_env",
    "llm.api_key",
    "llm.structured",
    "llm.deterministic",
    "llm.seed",
    "llm.max_output_tokens",
    "llm.timeout_seconds",
    "llm.retries",
    "llm.retry_wait_ms",
    "llm.repairs",
    "llm.concurrency",
    "llm.when_away",
    "llm.max_tokens_per_call",
    "llm.max_tokens_per_operation",
    "llm.max_tokens_per_day",
    "llm.max_usd_per_call",
    "llm.max_usd_per_operation",
    "llm.max_usd_per_day",
    "llm.models_file",
    "llm.cassette",
];

pub(super) const NONE: &str = "none";
const MAX_TABLE_BYTES: u64 = 1024 * 1024;
const TABLE_REMEDY: &str = "correct it; `recordar models table` prints the built-in one as an example";

impl Reader<'_> {
    /// `None` if no model is configured. Everything is checked all the same.
    pub(super) fn llm(&mut self) -> Option<LlmConfig> {
        let timeout = Duration::from_secs(self.int("llm.timeout_seconds", 120, 1, 3600) as u64);
        let settings = self.client_settings(timeout);
        let structured = self.structured();
        let deterministic = self.bool("llm.deterministic", true);
        let seed = self.int("llm.seed", 0, 0, i64::from(i32::MAX));
        let parameters = Parameters { temperature: deterministic.then_some(0.0), seed: deterministic.then_some(seed) };
        let max_output_tokens = self.int("llm.max_output_tokens", 2048, 64, 1_000_000) as u32;
        let when_away = self.when_away();
        let cassette = self.cassette();
        let own_table = self.models_table();
        let (own_key, own_env) = (self.secret("llm.api_key"), self.key_env());
        let base_url = self.optional_text("llm.base_url");
        // Read here because most commands need no model.
        let table = own_table.before(Table::built_in());
        let fallback_model = self.fallback_model();
        let profile = self.profile(&table)?;
        let key_env = own_env.or_else(|| profile.key_env.clone());
        // Names the variable to set if the key is rejected.
        let key_place = own_key.as_ref().map(|_| "llm.api_key".to_owned()).or_else(|| key_env.clone());
        let from_environment = || Some(self.around.variable(key_env.as_deref()?)?.trim().to_owned());
        let key = own_key.or_else(from_environment).map(Secret::new);
        let remote = RemoteOptions { base_url, key, key_env: key_place, structured, parameters, timeout };
        // A key from the environment is checked when used: searching needs none.
        let any_key = remote.key.as_ref().map(|_| Secret::new("any"));
        if let Err(error) = Remote::new(profile.clone(), RemoteOptions { key: any_key, ..remote.clone() }) {
            self.mistake("llm.base_url", "…", format!("the address of a provider ({})", error.what), error.remedy);
        }
        if settings.ceilings.has_money() && profile.price.is_none() {
            let fix = "give its price in the file that llm.models_file names, or remove llm.max_usd_*";
            let model = format!("{:?}", profile.name.model);
            self.mistake("llm.model", model, "a model with a known price, because spending is limited", fix);
        }
        Some(LlmConfig {
            profile,
            remote,
            key_env,
            client: settings,
            max_output_tokens,
            when_away,
            cassette,
            fallback_model,
            table,
        })
    }

    fn profile(&mut self, table: &Table) -> Option<Profile> {
        let provider = self.text("llm.provider", NONE);
        let model = self.optional_text("llm.model");
        if provider == NONE {
            if let Some(model) = model {
                let fix = "set llm.provider as well, or remove llm.model";
                self.mistake("llm.model", format!("{model:?}"), "unset if there is no provider", fix);
            }
            return None;
        }
        let Some(model) = model else {
            self.mistake("llm.model", "\"\"", "the name of a model", "write for example model = \"gpt-4o-mini\"");
            return None;
        };
        if !is_model_name(&model) {
            self.mistake(
                "llm.model",
                format!("{model:?}"),
                "letters, digits and -_.:/@+",
                "write it as the provider does",
            );
            return None;
        }
        let profile = table.profile(&provider, &model);
        if profile.is_none() {
            let names = table.provider_names().join("\", \"");
            let fix = "for another OpenAI-compatible server, use \"compatible\" with llm.base_url";
            self.mistake("llm.provider", format!("{provider:?}"), format!("\"none\", \"{names}\""), fix);
        }
        profile
    }

    fn fallback_model(&mut self) -> Option<String> {
        const KEY: &str = "llm.fallback_model";
        let model = self.optional_text(KEY)?;
        if !is_model_name(&model) {
            let value = format!("{model:?}");
            self.mistake(KEY, value, "letters, digits and -_.:/@+", "write it as the provider does");
            return None;
        }
        Some(model)
    }

    fn client_settings(&mut self, timeout: Duration) -> ClientSettings {
        let mut ceiling = |scope: &str, tokens: i64| Ceiling {
            tokens: Some(self.int(&format!("llm.max_tokens_{scope}"), tokens, 1, 1_000_000_000_000) as u64),
            nano_usd: self.money(&format!("llm.max_usd_{scope}")),
        };
        let ceilings = Ceilings {
            call: ceiling("per_call", 200_000),
            operation: ceiling("per_operation", 2_000_000),
            day: ceiling("per_day", 10_000_000),
        };
        ClientSettings {
            retries: self.int("llm.retries", 3, 0, 10) as u32,
            retry_wait: Duration::from_millis(self.int("llm.retry_wait_ms", 500, 1, 60_000) as u64),
            repairs: self.int("llm.repairs", 2, 0, 5) as u32,
            concurrency: self.int("llm.concurrency", 4, 1, 64) as usize,
            patience: timeout,
            ceilings,
        }
    }

    /// A limit in US dollars, if set.
    fn money(&mut self, key: &str) -> Option<u64> {
        let value = self.get(key)?;
        let number = value.as_float().or_else(|| value.as_integer().map(|number| number as f64));
        let usd = number.filter(|number| (0.0..=1e6).contains(number));
        if usd.is_none() {
            self.mistake(key, value, "a number of dollars", format!("write for example {key} = 5.0, or remove it"));
        }
        usd.map(|usd| (usd * 1e9) as u64)
    }

    fn structured(&mut self) -> Option<Structured> {
        const KEY: &str = "llm.structured";
        let name = self.text(KEY, "auto");
        let found = Structured::ALL.into_iter().find(|structured| structured.name() == name);
        if found.is_none() && name != "auto" {
            let allowed = "\"auto\", \"native\", \"tool\" or \"prompted\"";
            self.mistake(KEY, format!("{name:?}"), allowed, "set it to \"auto\", the default");
        }
        found
    }

    fn when_away(&mut self) -> WhenAway {
        const KEY: &str = "llm.when_away";
        match self.text(KEY, "error").as_str() {
            "error" => WhenAway::Error,
            "built_in" => WhenAway::BuiltIn,
            other => {
                let fix = "set it to \"error\", the default";
                self.mistake(KEY, format!("{other:?}"), "\"error\" or \"built_in\"", fix);
                WhenAway::Error
            }
        }
    }

    /// `record:PATH` or `replay:PATH`.
    fn cassette(&mut self) -> Option<Cassette> {
        const KEY: &str = "llm.cassette";
        let given = self.optional_text(KEY)?;
        match given.split_once(':') {
            Some((mode @ ("record" | "replay"), path)) if !path.is_empty() => {
                Some(Cassette { path: self.folder_of(KEY).join(path), records: mode == "record" })
            }
            _ => {
                let fix = format!("write for example {KEY} = \"record:replies.jsonl\"");
                self.mistake(KEY, format!("{given:?}"), "\"record:PATH\" or \"replay:PATH\"", fix);
                None
            }
        }
    }

    /// The user's own table; empty if there is none.
    fn models_table(&mut self) -> Table {
        const KEY: &str = "llm.models_file";
        let Some(given) = self.optional_text(KEY) else { return Table::default() };
        let read = self.read_table(&self.folder_of(KEY).join(&given));
        match read.and_then(|text| Table::parse(&text).map_err(|error| (error.to_string(), TABLE_REMEDY.to_owned()))) {
            Ok(table) => table,
            Err((why, fix)) => {
                self.mistake(KEY, format!("{given:?} ({why})"), "a table of models", fix);
                Table::default()
            }
        }
    }

    /// A table also decides where keys are sent, so it must be the user's own; if the file that names it is trusted by its hash, so
    /// is the table. Returns what is wrong, and what to do.
    fn read_table(&self, path: &Path) -> Result<String, (String, String)> {
        let layer = self.layer_of("llm.models_file").filter(|layer| layer.path.is_some());
        let Some(layer) = layer else {
            return read_bounded(path).map_err(|error| (error, TABLE_REMEDY.to_owned()));
        };
        let read = own_file::read("the table of models", path, self.around.user);
        let text = read.map_err(|error| (error.to_string(), error.remedy()))?.text;
        if layer.trusted.as_ref().is_some_and(|trusted| !trusted.holds(path, Digest::of(&text))) {
            let fix = format!("review it, then run `recordar trust {}`", layer.shown());
            return Err(("it changed since it was trusted".to_owned(), fix));
        }
        Ok(text)
    }

    /// The name of a variable. It is shown, so it must not be the key itself.
    fn key_env(&mut self) -> Option<String> {
        const KEY: &str = "llm.key_env";
        let is_name = |name: &str| {
            name.len() <= 100 && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        };
        match self.get(KEY)? {
            Value::String(name) if !name.is_empty() && is_name(name) => Some(name.clone()),
            _ => {
                let fix = "write for example key_env = \"MY_KEY\", and set that variable to the key";
                self.mistake(KEY, "…", "the name of an environment variable: capital letters, digits and _", fix);
                None
            }
        }
    }

    pub(super) fn optional_text(&mut self, key: &str) -> Option<String> {
        self.get(key)?;
        Some(self.text(key, "")).filter(|text| !text.is_empty())
    }

    /// A text that is never shown, even if invalid.
    fn secret(&mut self, key: &str) -> Option<String> {
        match self.get(key)? {
            Value::String(text) if !text.trim().is_empty() && text.chars().all(|c| c.is_ascii_graphic()) => {
                Some(text.clone())
            }
            _ => {
                let fix = "copy the key from the provider, or better, set the environment variable";
                self.mistake(key, "…", "a key: letters, digits and symbols without spaces", fix);
                None
            }
        }
    }
}

fn read_bounded(path: &Path) -> Result<String, String> {
    let mut text = String::new();
    let file = crate::file::open_plain(path).map_err(|error| error.to_string())?;
    file.take(MAX_TABLE_BYTES + 1).read_to_string(&mut text).map_err(|error| error.to_string())?;
    if text.len() as u64 > MAX_TABLE_BYTES { Err("it is larger than 1 MiB".to_owned()) } else { Ok(text) }
}
