//! The command that a client starts: this program with the settings that apply here and now. A client starts it from any
//! folder and without this shell's environment, so everything is given in full.

use crate::arguments::{Global, Install};
use recordar::config::{ConfigFile, FileSource};
use recordar::{Config, Error, SpaceName};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The path of this program.
pub(super) fn program() -> Result<String, Error> {
    let unknown = |error: std::io::Error| {
        Error::input("no_program", format!("the path of this program is unknown: {error}"), "reinstall Recordar")
    };
    let path = std::env::current_exe().map_err(unknown)?;
    // Windows would put \\?\ before it, which not every client can start.
    text(&if cfg!(windows) { path } else { path.canonicalize().map_err(unknown)? })
}

pub(super) fn arguments(install: &Install, global: &Global) -> Result<Vec<String>, Error> {
    let config = Config::load(&global.overrides()?)?;
    let set_by =
        |key: &str| config.settings.iter().find(|setting| setting.key == key).map(|setting| setting.set_by.as_str());
    let is_in_file =
        |key: &str| set_by(key).is_some_and(|by| config.files.iter().any(|file| by == file.path.display().to_string()));
    let mut words = Vec::new();
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    let file = config.files.first();
    match file {
        // It is found again there, and applies as far as it is trusted then: later changes to it need trust again.
        Some(ConfigFile { path, source: FileSource::Found { .. }, .. }) => {
            option("--directory", text(&absolute(path.parent().unwrap_or(Path::new(".")))?)?);
        }
        Some(ConfigFile { path, .. }) => option("--config", text(&absolute(path)?)?),
        None => {}
    }
    // The default is in the folder of the project's file, but not in that of the user's own.
    let has_project = file.is_some_and(|file| file.source != FileSource::Own);
    if !is_in_file("database.url") && (!has_project || set_by("database.url").is_some()) {
        option("--database", database(&config)?);
    }
    if set_by("database.password").is_some_and(|by| !by.starts_with("database.password_file")) {
        return Err(secret(&config));
    }
    // Without a file, the server would take the space from a file in the folder where it is started.
    if !is_in_file("space") && (file.is_none() || set_by("space").is_some()) {
        option("--space", config.space.to_string());
    }
    words.push("mcp".to_owned());
    for name in &install.also {
        words.extend(["--also".to_owned(), SpaceName::parse(name)?.to_string()]);
    }
    words.extend(install.read_only.then(|| "--read-only".to_owned()));
    Ok(words)
}

/// Whether an entry starts Recordar's server: this program or another copy of it.
pub(super) fn is_ours(entry: &Value, program: &str) -> bool {
    let command = entry["command"].as_str().unwrap_or_default();
    let name = command.rsplit(['/', '\\']).next().unwrap_or_default();
    let serves = entry["args"].as_array().is_some_and(|words| words.iter().any(|word| word == "mcp"));
    serves && (command == program || name.starts_with("recordar"))
}

/// Other programs and backups read a client's settings, so passwords are not written there.
fn database(config: &Config) -> Result<String, Error> {
    let url = &config.database.url;
    url.portable().ok_or_else(|| match url.sqlite_path() {
        Some(path) => Error::input(
            "unwritable_path",
            format!("the path {} cannot be written as a database URL", path.display()),
            "rename the folder, or set the database in a recordar.toml and use --config FILE",
        ),
        None => secret(config),
    })
}

fn secret(config: &Config) -> Error {
    Error::input(
        "secret",
        format!("{} contains a password, which is not written to a client's settings", config.database.url),
        "set database.url and database.password_file in your own recordar.toml (`recordar init --own`), or use --config FILE",
    )
}

pub(super) fn absolute(path: &Path) -> Result<PathBuf, Error> {
    std::path::absolute(path).map_err(|error| super::super::cannot_read(&path.display().to_string(), &error))
}

fn text(path: &Path) -> Result<String, Error> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        let what = format!("the path {} is not valid UTF-8 and cannot be written to JSON settings", path.display());
        Error::input("not_utf8", what, "rename the folder or file")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn install_knows_its_own_entries() {
        let check = |command: &str, words: &[&str], expected: bool| {
            assert_eq!(is_ours(&json!({"command": command, "args": words}), "/opt/memory"), expected, "{command}");
        };
        check("/usr/bin/recordar", &["--space", "user:ada", "mcp"], true);
        check("C:\\Programs\\recordar.exe", &["mcp"], true);
        check("/opt/memory", &["mcp", "--read-only"], true);
        check("/usr/bin/recordar", &["serve"], false);
        check("npx", &["-y", "mcp"], false);
        assert!(!is_ours(&json!({"url": "https://example.org/mcp"}), "/opt/memory"));
        assert!(!is_ours(&json!(5), "/opt/memory"));
    }
}
