//! Database URLs: `sqlite:PATH`, `sqlite::memory:`, `postgres://…`, `mysql://…`. Parsed once, and always shown without the password.

use recordar_domain::Invalid;
use std::fmt;
use std::path::{Path, PathBuf};

#[derive(Clone)]
pub struct DatabaseUrl {
    pub(crate) target: Target,
    /// A password that is not in the URL.
    pub(crate) password: Option<Password>,
    shown: String,
}

/// A database password. It cannot be printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    pub fn new(password: impl Into<String>) -> Self {
        Self(password.into())
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

#[derive(Clone)]
pub(crate) enum Target {
    Sqlite(SqliteFile),
    /// A SQLite database in RAM, by its number in this process.
    Memory(u64),
    Postgres(String),
    MySql(String),
}

#[derive(Debug, Clone)]
pub(crate) struct SqliteFile {
    pub(crate) path: PathBuf,
    pub(crate) is_read_only: bool,
}

const MEMORY: &str = "sqlite::memory:";

impl DatabaseUrl {
    /// Parses a URL. A relative SQLite path is resolved against `folder`.
    pub fn parse(url: &str, folder: &Path) -> Result<Self, Invalid> {
        let scheme = url.split_once(':').map_or("", |(scheme, _)| scheme);
        match scheme {
            "sqlite" => Self::sqlite(url, folder),
            "postgres" | "postgresql" => Self::server(url, Target::Postgres),
            "mysql" | "mariadb" => {
                let url = format!("mysql{}", &url[scheme.len()..]);
                Self::server(&url, Target::MySql)
            }
            // Some programs write `host=… password=…`.
            "" if url.contains(['@', '=', ':']) => Err(Invalid::new(
                "this is not a database URL: it has no scheme",
                "use sqlite:PATH, postgres://USER@HOST/DATABASE or mysql://USER@HOST/DATABASE",
            )),
            "" => Err(Invalid::new(
                format!("{url:?} is not a database URL: it has no scheme"),
                format!("for a file, use sqlite:{url}"),
            )),
            _ => Err(Invalid::new(
                format!("{:?} has an unsupported database scheme", without_password(url)),
                "use sqlite:PATH, postgres://USER@HOST/DATABASE or mysql://USER@HOST/DATABASE",
            )),
        }
    }

    fn sqlite(url: &str, folder: &Path) -> Result<Self, Invalid> {
        let rest = url.trim_start_matches("sqlite:");
        let rest = rest.strip_prefix("//").unwrap_or(rest);
        let (path, options) = rest.split_once('?').unwrap_or((rest, ""));
        let is_read_only = match options {
            "" | "mode=rwc" => false,
            "mode=ro" => true,
            _ => {
                return Err(Invalid::new(
                    format!("{options:?} is not an option of a sqlite: URL"),
                    "omit it, or use ?mode=ro to open the file read-only",
                ));
            }
        };
        if path == ":memory:" && !is_read_only {
            return Ok(Self { shown: MEMORY.to_owned(), password: None, target: Target::Memory(0) });
        }
        if path.is_empty() || path == ":memory:" {
            return Err(Invalid::new(
                format!("{url:?} names no file"),
                "name one, for example sqlite:recordar.db; for a database that only this process has, use sqlite::memory:",
            ));
        }
        if path.starts_with('~') {
            let what = format!("{url:?} starts with ~, which only a shell expands");
            return Err(Invalid::new(what, "use the full path, for example sqlite:/home/ada/recordar.db"));
        }
        let path = folder.join(path);
        Ok(Self {
            shown: format!("sqlite:{}", path.display()),
            password: None,
            target: Target::Sqlite(SqliteFile { path, is_read_only }),
        })
    }

    fn server(url: &str, target: fn(String) -> Target) -> Result<Self, Invalid> {
        let example = "use a URL such as postgres://USER@HOST/DATABASE or mysql://USER@HOST/DATABASE; percent-encode special characters \
                       in a password, for example @ as %40";
        let parsed = url::Url::parse(url).map_err(|error| {
            Invalid::new(format!("{:?} is not a valid URL: {error}", without_password(url)), example)
        })?;
        // Otherwise, as in `mysql:x://ada:…`, a password would be read as part of a path.
        let begins_well = url.starts_with(&format!("{}://", parsed.scheme()));
        if !begins_well || parsed.path().trim_matches('/').is_empty() {
            return Err(Invalid::new(format!("{:?} names no host or database", without_password(url)), example));
        }
        Ok(Self { target: target(url.to_owned()), password: None, shown: without_password(url) })
    }

    /// Whether it is a SQLite database in RAM, which ends with the store that opened it.
    pub fn is_in_memory(&self) -> bool {
        matches!(self.target, Target::Memory(_))
    }

    pub(crate) fn is_file(&self) -> bool {
        matches!(self.target, Target::Sqlite(_))
    }

    /// Whether a server has it.
    pub fn is_server(&self) -> bool {
        matches!(self.target, Target::Postgres(_) | Target::MySql(_))
    }

    /// Each store in RAM has a number of its own.
    pub(crate) fn numbered(self, number: u64) -> Self {
        let target = if self.is_in_memory() { Target::Memory(number) } else { self.target };
        Self { target, ..self }
    }

    /// The same with a password from elsewhere, which overrides one in the URL.
    pub fn with_password(self, password: Password) -> Self {
        Self { password: Some(password), ..self }
    }

    /// Whether the URL itself contains a password, or something that may be one.
    pub fn holds_password(&self) -> bool {
        let (Target::Postgres(url) | Target::MySql(url)) = &self.target else { return false };
        let is_secret = |name: &str| ["pass", "pwd", "secret", "token"].iter().any(|part| name.contains(part));
        url::Url::parse(url).is_ok_and(|parsed| {
            parsed.password().is_some() || parsed.query_pairs().any(|(name, _)| is_secret(&name.to_lowercase()))
        })
    }

    /// The full URL, with the full path of a file, for another program. None if it contains a password or cannot be written
    /// as text.
    pub fn portable(&self) -> Option<String> {
        match &self.target {
            Target::Sqlite(file) => {
                let path = std::path::absolute(&file.path).ok()?;
                let url = format!("sqlite:{}{}", path.to_str()?, if file.is_read_only { "?mode=ro" } else { "" });
                // A question mark in a folder's name would start the options.
                let read = Self::parse(&url, Path::new("")).ok()?;
                (read.sqlite_path() == Some(&path)).then_some(url)
            }
            Target::Memory(_) => Some(MEMORY.to_owned()),
            Target::Postgres(url) | Target::MySql(url) => (!self.holds_password()).then(|| url.clone()),
        }
    }

    /// Whether the database is a file that is not there, in a folder that is.
    pub(crate) fn is_missing_file(&self) -> bool {
        self.sqlite_path().is_some_and(|path| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
            !path.exists() && folder.is_dir()
        })
    }

    /// How to give the user of this URL the rights that Recordar needs.
    pub(crate) fn grant(&self) -> String {
        let (Target::Postgres(url) | Target::MySql(url)) = &self.target else {
            return "give this user write permission for the file and its folder".to_owned();
        };
        let parsed = url::Url::parse(url).ok();
        let user = parsed.as_ref().map(url::Url::username).filter(|user| !user.is_empty()).unwrap_or("USER");
        let database = parsed.as_ref().map_or("DATABASE", |url| url.path().trim_matches('/'));
        match self.target {
            Target::MySql(_) => format!(
                "as an administrator of the server, run: GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES ON \
                 `{database}`.* TO '{user}'@'HOST'"
            ),
            _ => format!(
                "as the owner of the database {database}, run in it: GRANT USAGE, CREATE ON SCHEMA public TO \"{user}\"; if another user \
                 owns Recordar's tables, also: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \"{user}\""
            ),
        }
    }

    /// The file, if the database is one.
    pub fn sqlite_path(&self) -> Option<&Path> {
        match &self.target {
            Target::Sqlite(file) => Some(&file.path),
            _ => None,
        }
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({})", self.shown)
    }
}

/// Hides everything between the user name and the last `@`, even in an invalid URL. If it is mistyped, any part may be the password,
/// so only parts that cannot be one are shown. Options may contain passwords too, so they are not shown.
fn without_password(url: &str) -> String {
    let without_options = |text: &str| text.split_once('?').map_or(text, |(address, _)| address).to_owned();
    let is_scheme = |scheme: &str| !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let (scheme, rest) = match url.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (scheme, rest.strip_prefix("//")),
        _ => ("…", None),
    };
    match (rest, url.rsplit_once('@')) {
        (Some(rest), Some((_, host))) => {
            let user = rest.split(['@', ':', '?', '/']).next().unwrap_or_default();
            format!("{scheme}://{user}:***@{}", without_options(host))
        }
        (None, Some((_, host))) => format!("{scheme}:***@{}", without_options(host)),
        (Some(rest), None) if is_address(&without_options(rest)) => format!("{scheme}://{}", without_options(rest)),
        _ => format!("{scheme}:***"),
    }
}

/// Whether it is a host, perhaps with a port, and a database. If the host is missing, the password is in the place of the port.
fn is_address(text: &str) -> bool {
    let (host, database) = text.split_once('/').unwrap_or((text, ""));
    let port = host.rsplit_once(':').filter(|_| !host.ends_with(']')).map(|(_, port)| port);
    port.is_none_or(|port| port.bytes().all(|byte| byte.is_ascii_digit())) && !database.contains(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a1_urls_are_read_and_shown_without_their_password() {
        let check = |url: &str, shown: &str| {
            assert_eq!(DatabaseUrl::parse(url, Path::new("/home/ada")).unwrap().to_string(), shown);
        };
        check("sqlite:recordar.db", "sqlite:/home/ada/recordar.db");
        check("sqlite:///var/lib/r.db?mode=ro", "sqlite:/var/lib/r.db");
        check("sqlite::memory:", "sqlite::memory:");
        check("postgres://ada:s3cret@db.example/memory?sslmode=require", "postgres://ada:***@db.example/memory");
        check("postgres://ada@db.example/memory", "postgres://ada:***@db.example/memory");
        check("mariadb://ada:a:b%40c@db.example:3307/memory", "mysql://ada:***@db.example:3307/memory");
    }

    #[test]
    fn a1_urls_are_written_down_for_others_whole_and_without_a_password() {
        let check = |url: &str, written: Option<&str>| {
            assert_eq!(DatabaseUrl::parse(url, Path::new("/home/ada")).unwrap().portable().as_deref(), written);
        };
        check("sqlite:recordar.db", Some("sqlite:/home/ada/recordar.db"));
        check("sqlite:./a/r.db?mode=ro", Some("sqlite:/home/ada/a/r.db?mode=ro"));
        check(
            "postgres://ada@db.example/memory?sslmode=require",
            Some("postgres://ada@db.example/memory?sslmode=require"),
        );
        check("mariadb://db.example/memory", Some("mysql://db.example/memory"));
        check("postgres://ada:s3cret@db.example/memory", None);
        check("postgres://db.example/memory?user=ada&password=s3cret", None);
        check("mysql://ada:@db.example/memory?PassWord=x", None);
        assert_eq!(DatabaseUrl::parse("sqlite:r.db", Path::new("/wh?t")).unwrap().portable(), None);
    }

    #[test]
    fn a1_what_is_not_a_url_is_refused_without_showing_a_password() {
        for url in [
            "",
            "recordar.db",
            "oracle://ada:s3cret@x/y",
            "postgres://ada:s3cret@host",
            "postgres:ada:s3cret@host/db",
            "mysql:/ada:s3cret@host/db",
            "postgres://ada:s3c?ret@host",
            "sqlite:",
            "sqlite:a?x=y",
            "sqlite::memory:?mode=ro",
            "mysql://ada:s3c@ret@:x/y",
            "postgres//ada:s3cret@host/db",
            "ada:s3cret@host/db",
            "post gres://ada:s3cret@host/db",
            "host=db user=ada password=s3cret",
            "db?password=s3cret",
            "postgres://ada:s3cret/db",
            "mysql:s3cret",
            "mysql:x://ada:s3cret@host/db",
            "postgres:x//ada:s3cret/db",
            "postgres:/\n/x://ada:s3cret@host/db",
        ] {
            let refused = DatabaseUrl::parse(url, Path::new("/")).unwrap_err();
            assert!(!refused.what.contains("s3c") && !refused.remedy.contains("s3c"), "{}", refused.what);
            assert!(!refused.remedy.is_empty());
        }
    }
}
