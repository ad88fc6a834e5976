//! The configuration: read and validated once; every mistake is reported with its key, value, range and fix.

mod layers;
mod llm;
mod model_folders;
mod own_file;
mod password;
mod server;
mod surroundings;
mod tree;
mod trust;

pub use crate::error::Mistake;
pub use layers::{FileSource, Setting};
pub use llm::{Cassette, LlmConfig, WhenAway};
pub use model_folders::{MAX_MODEL_FOLDERS, ModelFolder, ModelFolders, ModelKind, SHIPPED_JUDGE};
pub use model_folders::{absolute, name_of};
pub use own_file::{Rights, is_exposed};
pub use server::{ServerConfig, TlsFiles, parse_addr};
pub use surroundings::{Surroundings, User};
pub use tree::{AnswerConfig, PromptLimiting, Route, TreeConfig};
pub use trust::{Trust, Trusted, TrustedFile};

use crate::compose::{Agent, Agents, By, parse_agents};
use crate::error::Error;
use crate::guard::Redactor;
use crate::noun::rerank::Rerank;
use crate::recall::{
    BudgetCovers, CLIP_SENTENCES, ExcerptRule, Interleaving, MAX_TOKENS, Range, RecallSettings, Strategy, TOP_K,
};
use layers::Layer;
use recordar_domain::text::{Chunking, Language};
use recordar_domain::{Invalid, SpaceName};
use recordar_index::Mode as SearchMode;
use recordar_store::{DatabaseUrl, Password, StoreOptions};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;
use toml::{Table, Value};

/// A validated configuration. Nothing below checks again.
#[derive(Debug, Clone)]
pub struct Config {
    /// The files it was read from, highest priority first.
    pub files: Vec<ConfigFile>,
    /// Every setting that differs from its default, and its source.
    pub settings: Vec<Setting>,
    pub space: SpaceName,
    pub database: StoreOptions,
    /// The model whose tokens are counted: the language model, unless `tokens.model` is set.
    pub model: String,
    /// Whether `tokens.model` is set.
    pub is_model_given: bool,
    pub chunking: Chunking,
    pub max_file_bytes: u64,
    /// What this machine is called: each machine has its own roots of collections.
    pub machine: String,
    /// The language for stemming words in searches.
    pub language: Language,
    /// Whether messages with a text that is already there are found only once.
    pub skip_repeated: bool,
    /// Maximum memory of all search indexes together.
    pub index_bytes: usize,
    pub recall: RecallConfig,
    pub enrichment: EnrichmentConfig,
    /// Whether facts are extracted from messages: at once by plain patterns, and then by the language model if there is one, from the queue.
    pub extracts_facts: bool,
    pub summaries: SummariesConfig,
    pub work: WorkConfig,
    /// Whether receipts are kept of what is recalled.
    pub receipts: bool,
    pub compose: ComposeConfig,
    /// Whether a missing contextual helper is generated, rather than required from the user.
    pub auto_source_identification: bool,
    pub tree: TreeConfig,
    pub answer: AnswerConfig,
    /// The language model, if configured.
    pub llm: Option<LlmConfig>,
    pub server: ServerConfig,
    /// The models that may be loaded from folders of this machine.
    pub model_folders: ModelFolders,
}

/// Default recall settings, set by the administrator.
#[derive(Debug, Clone, PartialEq)]
pub struct RecallConfig {
    pub settings: RecallSettings,
    /// The reranker of `ask`, `compose` and `chat`: the judge, unless `recall.rerank` says otherwise.
    pub answers_rerank: Rerank,
    /// How long a result may be served from the cache while nothing is written; 0 disables it.
    pub cache_seconds: u32,
    /// Maximum recalls from a space per minute; 0 for no limit.
    pub per_minute: u32,
}

/// How messages are labelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnrichmentConfig {
    /// Whether messages are labelled: by the language model if there is one, from the queue; else at once by the built-in method.
    pub enabled: bool,
    /// Whether the uses of memories in staged recalls are counted.
    pub count_uses: bool,
}

/// How old messages are summed up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SummariesConfig {
    /// Whether they are: by the language model if there is one, else by the built-in method; always from the queue.
    pub enabled: bool,
    /// The last messages of a thread are never summed up.
    pub recent_messages: usize,
}

/// How prompts are composed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComposeConfig {
    pub agents: Agents,
    /// How long a stage may take.
    pub stage_time: Duration,
}

/// How jobs of the queue are done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkConfig {
    /// Whether this process does jobs in the background.
    pub in_process: bool,
    /// How long a job stays with a worker that gives no sign of life.
    pub lease: Duration,
    /// How often a job is tried before it is set aside.
    pub attempts: u32,
}

/// Settings that a caller passes besides the files. Priority: parameter, environment, the file named or found,
/// the user's own file.
#[derive(Debug, Clone, Default)]
pub struct Overrides {
    pub file: Option<PathBuf>,
    pub database: Option<String>,
    /// The database password, if the user was asked for it.
    pub password: Option<Password>,
    pub space: Option<String>,
    /// Anything that a file can set, by the same names: sections as objects (`{"recall": {"top_k": 12}}`), or keys with a dot
    /// (`{"recall.top_k": 12}`). Null leaves a key unset.
    pub settings: Map<String, Json>,
}

impl Overrides {
    /// The same with one more setting, by its name in a file.
    ///
    /// ```
    /// # use recordar_core as recordar;
    /// use recordar::config::{Config, Overrides, Surroundings};
    ///
    /// # let around = Surroundings { folder: "/".into(), variables: Default::default(), user: recordar::config::User::of_process() };
    /// let overrides = Overrides::default().with("recall.top_k", 12).with("tree", serde_json::json!({"batch_size": 10}));
    /// let config = Config::load_in(&overrides, &around)?;
    /// assert_eq!((config.recall.settings.top_k, config.tree.batch_size), (12, 10));
    /// # Ok::<(), recordar::error::Error>(())
    /// ```
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Json>) -> Self {
        self.settings.insert(key.to_owned(), value.into());
        self
    }
}

/// A file that a configuration was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigFile {
    pub path: PathBuf,
    pub source: FileSource,
    /// Whether it contains a key or a password that other users can read.
    pub exposes_secret: bool,
}

const FILE_NAME: &str = "recordar.toml";
const DEFAULT_DATABASE: &str = "sqlite:recordar.db";
/// Its tokens are counted if nothing else is configured.
const DEFAULT_TOKENS_MODEL: &str = "gpt-4o-mini";
const MIB: i64 = 1024 * 1024;

impl Config {
    /// The commented file that `init` writes. It also documents the defaults.
    pub const TEMPLATE: &'static str = include_str!("recordar.toml");

    /// Reads the parameters, the environment (`RECORDAR_DATABASE`, `RECORDAR_SPACE`, `RECORDAR_CONFIG` and those of the password), the
    /// nearest `recordar.toml` from the current folder upwards, and the user's own below it.
    pub fn load(overrides: &Overrides) -> Result<Self, Error> {
        Self::load_in(overrides, &Surroundings::of_process()?)
    }

    /// The same for any folder, environment and user.
    pub fn load_in(overrides: &Overrides, around: &Surroundings) -> Result<Self, Error> {
        let layers = layers::find(overrides, around)?;
        Self::read(&layers, overrides, around)
    }

    /// Reads a configuration from a text, ignoring files and the environment. Relative paths in it are resolved against `folder`.
    pub fn from_toml(text: &str, folder: &Path) -> Result<Self, Error> {
        let layers = [Layer::of_text(text, folder)?];
        let around = Surroundings { folder: folder.to_owned(), variables: BTreeMap::new(), user: User::of_process() };
        Self::read(&layers, &Overrides::default(), &around)
    }

    fn read(layers: &[Layer], overrides: &Overrides, around: &Surroundings) -> Result<Self, Error> {
        let mut reader = Reader { layers, around, mistakes: Vec::new() };
        reader.refuse_unknown();
        // A parameter or variable is not a mistake in a file.
        let unless_set =
            |key: &str, variable: &str| around.variable(variable).filter(|_| !reader.is_set_by_program(key));
        let given_url = overrides.database.clone().or_else(|| unless_set("database.url", "RECORDAR_DATABASE"));
        let given_space = overrides.space.clone().or_else(|| unless_set("space", "RECORDAR_SPACE"));
        let database = match &given_url {
            Some(url) => Some(DatabaseUrl::parse(url, &around.folder)?),
            None => {
                let folder = reader.folder_of("database.url");
                let parse = |url: &str| DatabaseUrl::parse(url, &folder);
                reader.checked("database.url", DEFAULT_DATABASE, "a database URL", parse)
            }
        };
        let space = match &given_space {
            Some(space) => Some(SpaceName::parse(space)?),
            None => reader.checked("space", "user:default", "a kind, a colon and a name", SpaceName::parse),
        };
        reader.optional_text("database.password_file");
        let password = password::find(&reader, overrides, database.as_ref(), given_url.is_some())?;
        let busy_timeout_ms = reader.int("database.busy_timeout_ms", 15_000, 100, 600_000);
        let connections = reader.int("database.connections", 4, 1, 64);
        let attempts = reader.int("database.attempts", 7, 1, 20);
        let is_model_given = reader.get("tokens.model").is_some();
        let given_model = reader.text("tokens.model", DEFAULT_TOKENS_MODEL);
        let chunking = reader.chunking();
        let max_file_bytes = reader.int("ingest.max_file_bytes", 64 * MIB, 1, 1024 * MIB);
        let machine = reader.checked("ingest.machine", HOST_NAME, "a name", machine_name);
        let auto_source_identification = reader.bool("ingest.auto_source_identification", true);
        let language = reader.checked("index.language", "auto", Language::NAMES, Language::parse);
        let skip_repeated = reader.bool("index.skip_repeated", true);
        let memory_mib = reader.int("index.memory_mib", 1024, 1, 1024 * 1024);
        let recall = reader.recall();
        let enrichment = EnrichmentConfig {
            enabled: reader.bool("enrichment.enabled", true),
            count_uses: reader.bool("enrichment.count_uses", true),
        };
        let extracts_facts = reader.bool("facts.enabled", true);
        let summaries = SummariesConfig {
            enabled: reader.bool("summaries.enabled", false),
            recent_messages: reader.int("summaries.recent_messages", 20, 1, 10_000) as usize,
        };
        let work = WorkConfig {
            in_process: reader.bool("work.in_process", false),
            lease: Duration::from_secs(reader.int("work.lease_seconds", 60, 1, 3600) as u64),
            attempts: reader.int("work.attempts", 5, 1, 20) as u32,
        };
        let receipts = reader.bool("receipts.enabled", false);
        let compose = reader.compose();
        let tree = reader.tree();
        let answer = reader.answer();
        let llm = reader.llm();
        let server = reader.server();
        let model = match &llm {
            Some(llm) if !is_model_given => llm.profile.name.model.clone(),
            _ => given_model,
        };
        let (true, Some(url), Some(space), Some(language), Some(machine), Some(server)) =
            (reader.mistakes.is_empty(), database, space, language, machine, server)
        else {
            return Err(Error::Config { mistakes: reader.mistakes });
        };
        let (is_url_given, is_space_given) = (given_url.is_some(), given_space.is_some());
        let mut settings = given_settings(overrides, (is_url_given, &url), (is_space_given, &space));
        settings.extend(password.as_ref().map(|(_, set_by)| Setting::new("database.password", "…", set_by)));
        settings.extend(file_settings(layers, &settings));
        let url = match password {
            Some((password, _)) => url.with_password(password),
            None => url,
        };
        let database = StoreOptions {
            url,
            busy_timeout: Duration::from_millis(busy_timeout_ms as u64),
            connections: connections as usize,
            attempts: attempts as u32,
        };
        let max_file_bytes = max_file_bytes as u64;
        let index_bytes = (memory_mib * MIB) as usize;
        Ok(Self {
            files: layers.iter().filter_map(Layer::file).collect(),
            settings,
            space,
            database,
            model,
            is_model_given,
            chunking,
            max_file_bytes,
            machine,
            language,
            skip_repeated,
            index_bytes,
            recall,
            enrichment,
            extracts_facts,
            summaries,
            work,
            receipts,
            compose,
            auto_source_identification,
            tree,
            answer,
            llm,
            server,
            model_folders: ModelFolders { file: around.models_file(), user: around.user },
        })
    }
}

/// The template's settings as a table: they follow a # without a space.
fn defaults() -> &'static Table {
    static DEFAULTS: LazyLock<Table> = LazyLock::new(|| Config::defaults_text().parse().unwrap_or_default());
    &DEFAULTS
}

impl Config {
    /// The template with every default set.
    pub fn defaults_text() -> String {
        let set = |line: &str| {
            let is_setting = |rest: &&str| rest.starts_with(|c: char| c.is_ascii_lowercase());
            format!("{}\n", line.strip_prefix('#').filter(is_setting).unwrap_or(line))
        };
        Self::TEMPLATE.lines().map(set).collect()
    }
}

/// Settings from parameters and the environment.
fn given_settings(
    overrides: &Overrides,
    (is_url_given, url): (bool, &DatabaseUrl),
    (is_space_given, space): (bool, &SpaceName),
) -> Vec<Setting> {
    let by = |is_given: bool, parameter: &Option<String>, option: &str, variable: &str| match parameter {
        Some(_) => Some(format!("the option {option}")),
        None => is_given.then(|| variable.to_owned()),
    };
    let space_by = by(is_space_given, &overrides.space, "--space", "RECORDAR_SPACE");
    let url_by = by(is_url_given, &overrides.database, "--database", "RECORDAR_DATABASE");
    let space = space_by.map(|by| Setting::new("space", &format!("\"{space}\""), &by));
    let url = url_by.map(|by| Setting::new("database.url", &format!("\"{url}\""), &by));
    space.into_iter().chain(url).collect()
}

/// Settings from the files, if nothing above them applies.
fn file_settings(layers: &[Layer], given: &[Setting]) -> Vec<Setting> {
    let mut settings: Vec<Setting> = Vec::new();
    for (number, layer) in layers.iter().enumerate() {
        let is_set_above = |key: &str| {
            given.iter().any(|setting| setting.key == key)
                || layers[..number].iter().any(|above| above.get(key).is_some())
        };
        settings.extend(layer.settings().filter(|setting| !is_set_above(&setting.key)));
    }
    settings
}

fn parse(text: &str, path: Option<&Path>) -> Result<Table, Error> {
    text.parse::<Table>().map_err(|error| {
        let name = path.map_or("the configuration".to_owned(), |path| path.display().to_string());
        Error::input(
            "configuration",
            format!("{name} is not valid TOML: line {}: {}", line_of(text, error.span()), error.message()),
            "correct that line, or write a new file with `recordar init`",
        )
    })
}

fn lookup<'a>(table: &'a Table, key: &str) -> Option<&'a Value> {
    match key.split_once('.') {
        Some((section, name)) => table.get(section)?.as_table()?.get(name),
        None => table.get(key),
    }
}

/// Only the line number is shown: the line may contain a password.
fn line_of(text: &str, span: Option<std::ops::Range<usize>>) -> usize {
    let at = span.map_or(0, |span| span.start.min(text.len()));
    1 + text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count()
}

/// A key for display: a quoted one may contain anything, including terminal control characters.
fn shown_key(key: &str) -> String {
    const MAX_CHARS: usize = 100;
    let is_bare = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let short: String = key.chars().take(MAX_CHARS).collect();
    if !short.is_empty() && short.chars().all(is_bare) { short } else { format!("{short:?}") }
}

/// A value for display: anything like a server address may contain a password, and anything like a key may be one.
fn without_secrets(value: &str) -> String {
    let mut words = value.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | '.'));
    if value.contains('@') || words.any(looks_like_key) { "…".to_owned() } else { value.to_owned() }
}

/// Keys are long and mix letters with digits, or have a known prefix.
fn looks_like_key(word: &str) -> bool {
    let has = |is: fn(&char) -> bool| word.chars().any(|c| is(&c));
    begins_like_key(word) || word.len() >= 20 && has(char::is_ascii_digit) && has(char::is_ascii_alphabetic)
}

fn begins_like_key(word: &str) -> bool {
    const BEGINNINGS: [&str; 9] = ["sk-", "gsk_", "xai-", "AIza", "key-", "hf_", "hf-", "eyJ", "Bearer"];
    BEGINNINGS.iter().any(|beginning| word.starts_with(beginning))
}

/// Takes typed values from the layers and collects mistakes.
struct Reader<'a> {
    layers: &'a [Layer],
    around: &'a Surroundings,
    mistakes: Vec<Mistake>,
}

/// The setting by which a machine is called like its host.
const HOST_NAME: &str = "auto";

/// What a machine is called: by default its host name.
fn machine_name(name: &str) -> Result<String, Invalid> {
    const MAX_BYTES: usize = 200;
    if name == HOST_NAME {
        return Ok(Surroundings::machine());
    }
    if name.trim().is_empty() || name.len() > MAX_BYTES || name.chars().any(char::is_control) {
        return Err(Invalid::new(format!("{name:?}"), "use 1 to 200 bytes without control characters"));
    }
    Ok(name.to_owned())
}

/// Every known key, besides those of the language model and of the server. Anything else is a mistake, so that a typo does not silently become a
/// default.
const KEYS: [&str; 61] = [
    "space",
    "database.url",
    "database.password_file",
    "database.busy_timeout_ms",
    "database.connections",
    "database.attempts",
    "tokens.model",
    "chunking.method",
    "chunking.chunk_min_tokens",
    "chunking.chunk_max_tokens",
    "chunking.delimiters",
    "chunking.recursive_tokens",
    "chunking.recursive_overlap",
    "ingest.max_file_bytes",
    "ingest.machine",
    "ingest.auto_source_identification",
    "index.language",
    "index.skip_repeated",
    "index.memory_mib",
    "recall.top_k",
    "recall.clip_sentences",
    "recall.excerpts",
    "recall.max_tokens",
    "recall.budget_covers",
    "recall.search_type",
    "recall.min_score",
    "recall.min_confidence",
    "recall.rerank",
    "recall.interleaving",
    "recall.interleaving_ratio",
    "recall.enable_redaction",
    "recall.custom_redaction_patterns",
    "recall.cache_seconds",
    "recall.per_minute",
    "enrichment.enabled",
    "enrichment.count_uses",
    "facts.enabled",
    "summaries.enabled",
    "summaries.recent_messages",
    "work.in_process",
    "work.lease_seconds",
    "work.attempts",
    "receipts.enabled",
    "compose.agents",
    "compose.stage_seconds",
    "tree.hierarchy_depth",
    "tree.batch_size",
    "tree.max_categories_per_level",
    "tree.classify",
    "tree.strategy",
    "tree.n",
    "tree.n2",
    "tree.max_paths",
    "tree.max_per_level",
    "answer.route",
    "answer.max_token_budget",
    "answer.prompt_limiting_strategy",
    "answer.use_rankings",
    "answer.summarization_instruction_headroom_tokens",
    "answer.summary_char_overage_tolerance_percent",
    "answer.summary_max_retries",
];

impl<'a> Reader<'a> {
    fn get(&self, key: &str) -> Option<&'a Value> {
        self.layer_of(key)?.get(key)
    }

    /// The layer that decides a setting.
    fn layer_of(&self, key: &str) -> Option<&'a Layer> {
        self.layers.iter().find(|layer| layer.get(key).is_some())
    }

    /// The base folder of a relative path. If no file sets it: the folder of the project's file, or the current one; never
    /// that of the user's own.
    fn folder_of(&self, key: &str) -> PathBuf {
        let is_of_project = |layer: &&Layer| !matches!(layer.source, FileSource::Own | FileSource::Program);
        let of_project = || self.layers.iter().find(is_of_project);
        let layer = self.layer_of(key).or_else(of_project);
        layer.map_or(&self.around.folder, |layer| &layer.folder).clone()
    }

    /// Whether a program sets it, which also decides over the environment.
    fn is_set_by_program(&self, key: &str) -> bool {
        self.layer_of(key).is_some_and(|layer| layer.source == FileSource::Program)
    }

    fn mistake(&mut self, key: &str, value: impl ToString, allowed: impl Into<String>, fix: impl Into<String>) {
        let file = self.file_of(key);
        let (key, value) = (key.to_owned(), without_secrets(&value.to_string()));
        self.mistakes.push(Mistake { key, value, allowed: allowed.into(), fix: fix.into(), file });
    }

    /// The file that contains a setting, or a part of one.
    fn file_of(&self, key: &str) -> Option<PathBuf> {
        let setting = key.split('[').next().unwrap_or(key);
        let end = setting.match_indices('.').nth(1).map_or(setting.len(), |(at, _)| at);
        self.layer_of(&setting[..end])?.path.clone()
    }

    /// A text with its own rules, whose errors never show a password.
    fn checked<T>(
        &mut self,
        key: &str,
        default: &str,
        allowed: &str,
        parse: impl Fn(&str) -> Result<T, Invalid>,
    ) -> Option<T> {
        let text = self.text(key, default);
        let file = self.file_of(key);
        let mistake = |invalid: Invalid| Mistake {
            key: key.to_owned(),
            value: invalid.what,
            allowed: allowed.to_owned(),
            fix: invalid.remedy,
            file,
        };
        parse(&text).map_err(|invalid| self.mistakes.push(mistake(invalid))).ok()
    }

    fn refuse_unknown(&mut self) {
        let keys = || KEYS.iter().chain(&llm::KEYS).chain(&server::KEYS);
        let is_section = |name: &str| keys().any(|key| key.starts_with(&format!("{name}.")));
        let mut unknown = Vec::new();
        for layer in self.layers {
            for (name, value) in &layer.table {
                match value {
                    Value::Table(section) if is_section(name) => {
                        unknown.extend(section.iter().map(|(key, value)| (layer, format!("{name}.{key}"), value)));
                    }
                    value => unknown.push((layer, name.clone(), value)),
                }
            }
        }
        unknown.retain(|(_, key, _)| !keys().any(|known| known == key));
        for (layer, key, value) in unknown {
            let last = key.rsplit('.').next().unwrap_or(&key);
            let near = keys().find(|known| known.ends_with(last) || near(known, &key));
            let fix = near.map_or("remove it".to_owned(), |near| format!("did you mean {near}? correct or remove it"));
            // A misplaced value may be a secret.
            let shown = match value {
                Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => value.to_string(),
                _ => "…".to_owned(),
            };
            let name = if key.split('.').any(begins_like_key) { "…".to_owned() } else { shown_key(&key) };
            self.mistakes.push(Mistake {
                key: name,
                value: shown,
                allowed: "a known key".to_owned(),
                fix,
                file: layer.path.clone(),
            });
        }
    }

    fn text(&mut self, key: &str, default: &str) -> String {
        match self.get(key) {
            None => default.to_owned(),
            Some(Value::String(text)) if !text.trim().is_empty() => text.clone(),
            Some(other) => {
                self.mistake(key, other, "a string", format!("write for example {key} = {default:?}"));
                default.to_owned()
            }
        }
    }

    fn int(&mut self, key: &str, default: i64, least: i64, most: i64) -> i64 {
        match self.get(key) {
            None => default,
            Some(Value::Integer(value)) if (least..=most).contains(value) => *value,
            Some(other) => {
                let allowed = format!("a whole number from {least} to {most}");
                self.mistake(
                    key,
                    other,
                    allowed,
                    format!("set it to {default}, the default, or to another number in the range"),
                );
                default
            }
        }
    }

    fn bool(&mut self, key: &str, default: bool) -> bool {
        match self.get(key) {
            None => default,
            Some(Value::Boolean(value)) => *value,
            Some(other) => {
                self.mistake(key, other, "true or false", format!("set it to {default}, the default, or {}", !default));
                default
            }
        }
    }

    /// A number from 0 to 1, if there is one.
    fn share(&mut self, key: &str) -> Option<f64> {
        let value = self.get(key)?;
        let number = value.as_float().or_else(|| value.as_integer().map(|number| number as f64));
        let share = number.filter(|number| (0.0..=1.0).contains(number));
        if share.is_none() {
            self.mistake(key, value, "a number from 0 to 1", format!("write for example {key} = 0.3"));
        }
        share
    }

    fn recall(&mut self) -> RecallConfig {
        let default = RecallSettings::default();
        let mut ranged = |key: &str, default: u32, range: &Range| {
            let (least, most) = range.administrator;
            self.int(key, default.into(), least.into(), most.into()) as u32
        };
        let top_k = ranged("recall.top_k", default.top_k, &TOP_K);
        let clip_sentences = ranged("recall.clip_sentences", default.clip_sentences, &CLIP_SENTENCES);
        let max_tokens = ranged("recall.max_tokens", default.max_tokens, &MAX_TOKENS);
        let excerpts = self.checked("recall.excerpts", "fill", "\"fill\" or \"first_sentences\"", ExcerptRule::parse);
        let budget_covers =
            self.checked("recall.budget_covers", "text", "\"text\" or \"memories\"", BudgetCovers::parse);
        let search_type =
            self.checked("recall.search_type", "hybrid", "\"hybrid\", \"semantic\" or \"keyword\"", parse_mode);
        let min_score = self.share("recall.min_score").unwrap_or(default.min_score);
        let enable_redaction = self.bool("recall.enable_redaction", default.enable_redaction);
        let is_rerank_set = self.get("recall.rerank").is_some();
        let rerank = self.checked("recall.rerank", "off", Rerank::ALLOWED, Rerank::parse).unwrap_or_default();
        let answers_rerank = if is_rerank_set { rerank.clone() } else { Rerank::Judge };
        let settings = RecallSettings {
            top_k,
            clip_sentences,
            excerpts: excerpts.unwrap_or_default(),
            max_tokens,
            budget_covers: budget_covers.unwrap_or_default(),
            search_type: search_type.unwrap_or_default(),
            min_score,
            min_confidence: self.share("recall.min_confidence"),
            enable_redaction,
            custom_redaction_patterns: self.redaction_patterns(),
            interleaving: self.interleaving(),
            rerank,
        };
        let cache_seconds = self.int("recall.cache_seconds", 60, 0, 3600) as u32;
        let per_minute = self.int("recall.per_minute", 0, 0, 1_000_000) as u32;
        RecallConfig { settings, answers_rerank, cache_seconds, per_minute }
    }

    fn interleaving(&mut self) -> Interleaving {
        const KEY: &str = "recall.interleaving";
        let allowed = "\"alternate\", \"score_first\" or \"recency_first\"";
        let strategy = self.checked(KEY, "alternate", allowed, Strategy::parse).unwrap_or_default();
        let ratio = self.share("recall.interleaving_ratio");
        let interleaving = Interleaving { strategy, ratio };
        if let (Err(invalid), Some(ratio)) = (interleaving.check(), ratio) {
            self.mistake("recall.interleaving_ratio", ratio, invalid.what, invalid.remedy);
        }
        interleaving
    }

    fn compose(&mut self) -> ComposeConfig {
        const KEY: &str = "compose.agents";
        let stage_seconds = self.int("compose.stage_seconds", 20, 1, 3600) as u64;
        let all: Agents = Agent::ALL.into_iter().map(|agent| (agent, By::Rules)).collect();
        let given = self.get(KEY);
        let read = given.map(|given| {
            let names = texts(given).filter(|names| !names.is_empty());
            let names = names
                .ok_or_else(|| Invalid::new("not a list of agents", "write for example [\"a1\", \"a3=judge\"]"))?;
            parse_agents(names.iter().map(String::as_str))
        });
        let agents = match read {
            Some(Err(invalid)) => {
                self.mistake(
                    KEY,
                    given.map_or(String::new(), ToString::to_string),
                    "a list of agents, such as [\"a1\", \"a2\", \"a3=judge\", \"a4\"]",
                    invalid.remedy,
                );
                all
            }
            Some(Ok(agents)) => agents,
            None => all,
        };
        ComposeConfig { agents, stage_time: Duration::from_secs(stage_seconds) }
    }

    fn redaction_patterns(&mut self) -> Vec<String> {
        const KEY: &str = "recall.custom_redaction_patterns";
        let Some(given) = self.get(KEY) else { return Vec::new() };
        let patterns = texts(given).unwrap_or_else(|| {
            self.mistake(KEY, given, "a list of regular expressions", "write for example [\"(?i)project \\\\w+\"]");
            Vec::new()
        });
        if let Err(invalid) = Redactor::new(&patterns) {
            self.mistake(KEY, &invalid.what, "regular expressions without look-around", &invalid.remedy);
        }
        patterns
    }

    fn chunking(&mut self) -> Chunking {
        let mistakes_before = self.mistakes.len();
        let min = self.int("chunking.chunk_min_tokens", 300, 1, 8191);
        let max = self.int("chunking.chunk_max_tokens", 500, 16, 8192);
        if min >= max && self.mistakes.len() == mistakes_before {
            self.mistake(
                "chunking.chunk_min_tokens",
                min,
                format!("less than chunk_max_tokens, which is {max}"),
                format!("lower it to at most {}, or raise chunk_max_tokens above {min}", max - 1),
            );
        }
        let tokens = self.int("chunking.recursive_tokens", 1024, 32, 8192);
        let overlap = self.int("chunking.recursive_overlap", 200.min(tokens / 2), 0, tokens / 2);
        let delimiters = self.delimiters();
        match self.text("chunking.method", "delimiter").as_str() {
            "delimiter" => Chunking::Delimiter { min_tokens: min as usize, max_tokens: max as usize, delimiters },
            "recursive" => Chunking::Recursive { tokens: tokens as usize, overlap: overlap as usize },
            other => {
                let fix = "set it to \"delimiter\" or \"recursive\"";
                self.mistake("chunking.method", format!("{other:?}"), "\"delimiter\" or \"recursive\"", fix);
                Chunking::default()
            }
        }
    }

    fn delimiters(&mut self) -> Vec<String> {
        let Chunking::Delimiter { delimiters: default, .. } = Chunking::default() else {
            unreachable!("the default chunking is by delimiter")
        };
        let Some(given) = self.get("chunking.delimiters") else {
            return default;
        };
        match texts(given) {
            Some(texts) if is_list_of_delimiters(&texts) => texts,
            _ => {
                let fix = "write for example [\".\", \"\\n\"]";
                self.mistake("chunking.delimiters", given, "a list of 1 to 32 texts, none of them empty", fix);
                default
            }
        }
    }
}

/// A list of texts and nothing else.
fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|value| value.as_str().map(str::to_owned)).collect()
}

fn parse_mode(name: &str) -> Result<SearchMode, Invalid> {
    SearchMode::ALL.into_iter().find(|mode| mode.name() == name).ok_or_else(|| {
        Invalid::new(format!("unrecognised search type {name:?}"), "use \"hybrid\", \"semantic\" or \"keyword\"")
    })
}

fn is_list_of_delimiters(texts: &[String]) -> bool {
    (1..=32).contains(&texts.len())
        && texts.iter().all(|text| !text.is_empty() && text.len() <= 64 && !text.contains('\0'))
}

/// Whether two names differ by a typo: one letter added, removed or replaced, or two swapped.
fn near(known: &str, given: &str) -> bool {
    let (known, given): (Vec<char>, Vec<char>) = (known.chars().collect(), given.chars().collect());
    let head = known.iter().zip(&given).take_while(|(one, other)| one == other).count();
    let tail =
        known[head..].iter().rev().zip(given[head..].iter().rev()).take_while(|(one, other)| one == other).count();
    known.len() - head - tail <= 2 && given.len() - head - tail <= 2
}
