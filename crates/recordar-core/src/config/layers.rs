//! The configuration files in order: the one named or found, then the user's own. A file that was only
//! found in a folder may have come with a repository, so some of its settings are ignored
//! until the user trusts that exact file.

use super::own_file::{self, OwnFile};
use super::trust::TrustList;
use super::{
    ConfigFile, FILE_NAME, KEYS, Overrides, Surroundings, begins_like_key, defaults, llm, lookup, parse, server,
    without_secrets,
};
use crate::error::Error;
use recordar_domain::Digest;
use recordar_store::DatabaseUrl;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The source of a configuration file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FileSource {
    /// Named by `--config`, `RECORDAR_CONFIG` or a parameter.
    Named,
    /// Found in the current folder or a parent folder.
    Found { trusted: bool },
    /// The user's own, for every folder.
    Own,
    /// No file: a program's own settings.
    Program,
}

/// A setting and its value, without secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Setting {
    pub key: String,
    pub value: String,
    /// What set it: a file, an environment variable, or a parameter.
    pub set_by: String,
}

impl Setting {
    pub(super) fn new(key: &str, value: &str, set_by: &str) -> Self {
        Self { key: key.to_owned(), value: value.to_owned(), set_by: set_by.to_owned() }
    }
}

/// One file, with the settings that apply.
pub(super) struct Layer {
    pub(super) source: FileSource,
    /// None if a program supplied the text.
    pub(super) path: Option<PathBuf>,
    /// The base folder for relative paths.
    pub(super) folder: PathBuf,
    pub(super) table: Table,
    /// Of the whole file.
    pub(super) sha256: Digest,
    /// Whether others can read it.
    pub(super) is_exposed: bool,
    /// What else is trusted, if this file is trusted only because of it.
    pub(super) trusted: Option<TrustList>,
}

/// Which model answers, where, and with which key. A file that sets the provider sets all of this, so that no file's key goes to
/// another file's address.
const OF_ONE_MODEL: [&str; 7] =
    ["llm.provider", "llm.model", "llm.base_url", "llm.key_env", "llm.api_key", "llm.structured", "llm.models_file"];
const DATABASE_URL: &str = "database.url";
const PASSWORD_FILE: &str = "database.password_file";
/// Whether the user's model is called in the background, which costs money.
const IN_PROCESS: &str = "work.in_process";

/// The layers, highest priority first.
pub(super) fn find(overrides: &Overrides, around: &Surroundings) -> Result<Vec<Layer>, Error> {
    let own = Layer::own(around)?;
    let is_own = |path: &Path| own.as_ref().and_then(|own| own.path.as_deref()).is_some_and(|own| is_same(own, path));
    let named = overrides.file.clone().or_else(|| around.variable("RECORDAR_CONFIG").map(PathBuf::from));
    let upper = match named {
        Some(path) => Some((FileSource::Named, around.folder.join(path))),
        None => found(&around.folder).map(|path| (FileSource::Found { trusted: false }, path)),
    };
    let program = Layer::of_program(&overrides.settings, around);
    let mut layers = Vec::new();
    if let Some((source, path)) = upper.filter(|(_, path)| !is_own(path)) {
        let layer = Layer::read(source, path, around)?;
        let is_decided =
            overrides.database.is_some() || program.as_ref().is_some_and(|by| by.get(DATABASE_URL).is_some());
        let decides_database = !is_decided && around.variable("RECORDAR_DATABASE").is_none();
        layers.push(if source == FileSource::Named {
            layer
        } else {
            layer.held_back(own.as_ref(), decides_database, around)?
        });
    }
    layers.extend(own);
    layers.splice(..0, program);
    keep_models_apart(&mut layers);
    Ok(layers)
}

/// The nearest file of that name, in the folder or a parent.
pub(super) fn found(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().map(|folder| folder.join(FILE_NAME)).find(|path| path.is_file())
}

fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

fn keep_models_apart(layers: &mut [Layer]) {
    let Some(first) = layers.iter().position(|layer| layer.get("llm.provider").is_some()) else { return };
    for layer in &mut layers[first + 1..] {
        OF_ONE_MODEL.iter().for_each(|key| layer.remove(key));
    }
}

impl Layer {
    pub(super) fn of_text(text: &str, folder: &Path) -> Result<Self, Error> {
        let (table, sha256) = (parse(text, None)?, Digest::of(text));
        let (source, folder) = (FileSource::Named, folder.to_owned());
        Ok(Self { source, path: None, folder, table, sha256, is_exposed: false, trusted: None })
    }

    /// The settings of a program, if there are any. Its relative paths are those of the current folder.
    fn of_program(settings: &Map<String, Json>, around: &Surroundings) -> Option<Self> {
        let mut table = Table::new();
        settings.iter().for_each(|(key, value)| put(&mut table, key, value));
        (!table.is_empty()).then(|| Self {
            source: FileSource::Program,
            path: None,
            folder: around.folder.clone(),
            table,
            sha256: Digest::of(""),
            is_exposed: false,
            trusted: None,
        })
    }

    /// The user's own, if it exists.
    pub(super) fn own(around: &Surroundings) -> Result<Option<Self>, Error> {
        let path = around.own_file().filter(|path| path.symlink_metadata().is_ok());
        path.map(|path| Self::read(FileSource::Own, path, around)).transpose()
    }

    pub(super) fn read(source: FileSource, path: PathBuf, around: &Surroundings) -> Result<Self, Error> {
        let OwnFile { text, is_exposed, .. } = own_file::read("the configuration", &path, around.user)?;
        let (table, sha256) = (parse(&text, Some(&path))?, Digest::of(&text));
        let folder = path.parent().unwrap_or(&around.folder).to_owned();
        // Trust depends on the file's bytes, which are available here.
        let list = match source {
            FileSource::Found { .. } => Some(TrustList::read(around)?),
            _ => None,
        };
        let trusted = list.filter(|list| list.holds(&path, sha256));
        let source = if trusted.is_some() { FileSource::Found { trusted: true } } else { source };
        Ok(Self { source, path: Some(path), folder, table, sha256, is_exposed, trusted })
    }

    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        lookup(&self.table, key)
    }

    fn remove(&mut self, key: &str) {
        if let Some((section, name)) = key.split_once('.')
            && let Some(Value::Table(section)) = self.table.get_mut(section)
        {
            section.remove(name);
        }
    }

    /// A found file without the settings it may not decide. It is rejected if that would make a difference: using another
    /// database or model than it says would be no better than obeying it.
    fn held_back(mut self, own: Option<&Self>, decides_database: bool, around: &Surroundings) -> Result<Self, Error> {
        if self.trusted.is_some() {
            return Ok(self);
        }
        let settings = self.needing_trust(own, decides_database);
        if !settings.is_empty() {
            return Err(untrusted(&self.shown(), &settings, around));
        }
        // Settings that are the same without this file can be left out.
        let says_none = self.get("llm.provider").and_then(Value::as_str) == Some(llm::NONE);
        for key in llm::KEYS.iter().filter(|key| !says_none || **key != "llm.provider") {
            self.remove(key);
        }
        for key in server::KEYS {
            self.remove(key);
        }
        self.remove(PASSWORD_FILE);
        self.remove(IN_PROCESS);
        self.keep_redaction(own);
        Ok(self)
    }

    /// The file's settings that only the user may decide, and that make a difference.
    pub(super) fn needing_trust(&self, own: Option<&Self>, decides_database: bool) -> Vec<Setting> {
        // No model is called then, so it does not matter which.
        let is_offline = self.get("llm.provider").and_then(Value::as_str) == Some(llm::NONE);
        let of_model = llm::KEYS.iter().filter(|_| !is_offline);
        let differs = |key: &str| {
            let without = own.and_then(|own| own.get(key)).or_else(|| lookup(defaults(), key));
            self.get(key).is_some_and(|value| Some(value) != without)
        };
        let url = (decides_database && self.leads_out(own)).then_some(DATABASE_URL);
        let password = Some(PASSWORD_FILE).filter(|key| decides_database && differs(key));
        let keys = of_model.copied().chain(server::KEYS).chain([IN_PROCESS]).filter(|key| differs(key));
        url.into_iter().chain(password).chain(keys).map(|key| self.setting(key)).collect()
    }

    /// Whether the database is anything but a file in this file's folder.
    fn leads_out(&self, own: Option<&Self>) -> bool {
        let url = match self.get(DATABASE_URL) {
            // A value of the wrong type is reported as a mistake elsewhere.
            Some(url) => url.as_str(),
            None if own.is_some_and(|own| own.get(DATABASE_URL).is_some()) => None,
            None => Some(super::DEFAULT_DATABASE),
        };
        let Some(Ok(url)) = url.map(|url| DatabaseUrl::parse(url, &self.folder)) else { return false };
        url.sqlite_path().is_none_or(|path| !is_inside(path, &self.folder))
    }

    /// If the user redacts everywhere, such a file may add to it, but not weaken it.
    fn keep_redaction(&mut self, own: Option<&Self>) {
        const PATTERNS: &str = "recall.custom_redaction_patterns";
        const REDACTS: &str = "recall.enable_redaction";
        let Some(own) = own else { return };
        if own.get(REDACTS) == Some(&Value::Boolean(true)) && self.get(REDACTS) == Some(&Value::Boolean(false)) {
            self.remove(REDACTS);
        }
        let (Some(Value::Array(kept)), Some(Value::Array(more))) = (own.get(PATTERNS), self.get(PATTERNS)) else {
            return;
        };
        let all: Vec<Value> = kept.iter().chain(more.iter().filter(|one| !kept.contains(one))).cloned().collect();
        if let Some(Value::Table(recall)) = self.table.get_mut("recall") {
            recall.insert("custom_redaction_patterns".to_owned(), Value::Array(all));
        }
    }

    pub(super) fn setting(&self, key: &str) -> Setting {
        let value = self.get(key).map_or(super::DEFAULT_DATABASE.to_owned(), ToString::to_string);
        Setting { key: key.to_owned(), value: shown(key, &value, &self.folder), set_by: self.shown() }
    }

    pub(super) fn file(&self) -> Option<ConfigFile> {
        let (path, source) = (self.path.clone()?, self.source);
        Some(ConfigFile { path, source, exposes_secret: self.is_exposed && self.holds_secret() })
    }

    pub(super) fn shown(&self) -> String {
        self.path.as_ref().map_or("a program".to_owned(), |path| path.display().to_string())
    }

    /// Whether it contains a key or a password.
    fn holds_secret(&self) -> bool {
        let url = self.get(DATABASE_URL).and_then(Value::as_str);
        let url = url.and_then(|url| DatabaseUrl::parse(url, &self.folder).ok());
        self.get("llm.api_key").is_some() || url.is_some_and(|url| url.holds_password())
    }

    /// Its known settings that differ from the defaults.
    pub(super) fn settings(&self) -> impl Iterator<Item = Setting> {
        let keys = KEYS.iter().chain(&llm::KEYS).chain(&server::KEYS);
        let differs = |key: &&&str| self.get(key).is_some_and(|value| lookup(defaults(), key) != Some(value));
        keys.filter(differs).map(|key| self.setting(key))
    }
}

/// Puts a value where a file would have it: a dot leads into a section.
fn put(table: &mut Table, key: &str, value: &Json) {
    if let Some((section, name)) = key.split_once('.') {
        let section = table.entry(section).or_insert_with(|| Value::Table(Table::new()));
        if let Value::Table(section) = section {
            put(section, name, value);
        }
        return;
    }
    match (value, table.get_mut(key)) {
        (Json::Object(members), Some(Value::Table(section))) => {
            members.iter().for_each(|(name, value)| put(section, name, value));
        }
        _ => drop(of_json(value).map(|value| table.insert(key.to_owned(), value))),
    }
}

/// What TOML writes for a value; nothing for null.
fn of_json(value: &Json) -> Option<Value> {
    Some(match value {
        Json::Null => return None,
        Json::Bool(value) => Value::Boolean(*value),
        Json::String(text) => Value::String(text.clone()),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::Integer(number),
            None => Value::Float(number.as_f64().unwrap_or(f64::NAN)),
        },
        Json::Array(list) => Value::Array(list.iter().filter_map(of_json).collect()),
        Json::Object(members) => {
            let mut table = Table::new();
            members.iter().for_each(|(name, value)| put(&mut table, name, value));
            Value::Table(table)
        }
    })
}

/// A value for display. A key is never shown, whatever it looks like.
pub(super) fn shown(key: &str, value: &str, folder: &Path) -> String {
    match key {
        "llm.api_key" => "…".to_owned(),
        DATABASE_URL => {
            let url = DatabaseUrl::parse(value.trim_matches(['"', '\'']), folder);
            url.map_or("…".to_owned(), |url| format!("\"{url}\""))
        }
        "llm.base_url" => shown_address(value),
        // To trust a file, the user must see where it writes.
        "llm.cassette" | "llm.models_file" | PASSWORD_FILE => value.to_owned(),
        // Model names are long and contain digits.
        "llm.model" | "tokens.model" if !begins_like_key(value.trim_matches('"')) => value.to_owned(),
        _ => without_secrets(value),
    }
}

/// An address that may contain a secret, always shown with its host.
fn shown_address(value: &str) -> String {
    let Some((scheme, rest)) = value.split_once("://").filter(|_| without_secrets(value) != value) else {
        return without_secrets(value);
    };
    let authority = rest.split(['/', '\\', '?', '#', '"']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let secret = if host == authority { "" } else { "…@" };
    format!("{scheme}://{secret}{host}/…\"")
}

fn untrusted(file: &str, settings: &[Setting], around: &Surroundings) -> Error {
    let list: String = settings.iter().map(|setting| format!("\n  {} = {}", setting.key, setting.value)).collect();
    let what = format!(
        "{file} was found in a folder and is not trusted, but it decides where keys, passwords and memories go:{list}"
    );
    let own = around.own_file().map_or(String::new(), |own| format!(", or move these lines to {}", own.display()));
    let remedy = format!("review the file, then run `recordar trust {file}`{own}");
    Error::input("untrusted_configuration", what, remedy)
}

/// Whether a path stays in a folder, after resolving links. A path that does not exist yet stays.
fn is_inside(path: &Path, folder: &Path) -> bool {
    use std::path::Component;
    if path.components().any(|component| component == Component::ParentDir) {
        return false;
    }
    let existing = path.ancestors().find(|path| path.symlink_metadata().is_ok());
    let (Ok(folder), Some(existing)) = (folder.canonicalize(), existing) else { return false };
    existing.canonicalize().is_ok_and(|existing| existing.starts_with(&folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r16_an_address_is_shown_with_its_host_and_without_its_secrets() {
        let check = |value: &str, expected: &str| assert_eq!(shown("llm.base_url", value, Path::new("/")), expected);
        check("\"https://api.example/v1\"", "\"https://api.example/v1\"");
        check("\"https://ada:s3cret@evil.example/v1\"", "\"https://…@evil.example/…\"");
        check("\"https://evil.example/sk-test-0123\"", "\"https://evil.example/…\"");
        check("\"https://evil.example?to=api.example@x\"", "\"https://evil.example/…\"");
        check("\"sk-test-0123\"", "…");
    }
}
