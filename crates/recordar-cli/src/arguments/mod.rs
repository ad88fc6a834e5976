//! The options of every command, and how a command names its own.

mod install;
mod mcp;
mod own;
mod password;
mod schema;
mod serve;
mod session;
mod spec;
#[cfg(test)]
mod tests;

pub(crate) use install::{Client, Install, Scope};
pub(crate) use mcp::Mcp;
pub(crate) use own::{Bench, BenchWhat, Consent, Eval, Init, ReceiptsExport, ReceiptsImport, ReceiptsShow, Trust};
pub(crate) use serve::Serve;
pub(crate) use session::{Session, open};
pub(crate) use spec::Spec;

use crate::output::Output;
use clap::{Arg, ArgAction, Args};
use recordar::config::Overrides;
use recordar::database::{DatabaseUrl, Password};
use recordar::{Error, SpaceName};
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// The space to use, such as user:ada, shared:handbook or project:x [default: user:default]
    #[arg(long, global = true, value_name = "KIND:NAME", conflicts_with = "user")]
    space: Option<String>,
    /// Short for --space user:ID
    #[arg(long, alias = "user-id", global = true, value_name = "ID")]
    user: Option<String>,
    /// The database: sqlite:PATH, postgres://… or mysql://…, without the password [default: sqlite:recordar.db]
    #[arg(long, global = true, value_name = "URL")]
    database: Option<String>,
    /// Ask for the database password on the terminal
    #[arg(long, short = 'W', global = true)]
    ask_password: bool,
    #[arg(skip)]
    password: Option<Password>,
    /// The configuration file [default: recordar.toml in this folder or the nearest parent that has one]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Run as if started in this folder
    #[arg(long, short = 'C', global = true, value_name = "FOLDER")]
    directory: Option<PathBuf>,
    /// Print one JSON document instead of text
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Show no progress bar and no hints
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
}

/// An option that shows more.
pub(crate) fn flag(name: &'static str, help: &'static str) -> Arg {
    Arg::new(name).long(name).help(help).action(ArgAction::SetTrue)
}

impl Global {
    /// The same options, with the space that the command names.
    pub(crate) fn with_space(&self, name: &str) -> Self {
        Self { space: Some(name.to_owned()), user: None, ..self.clone() }
    }

    pub(crate) fn names_space(&self) -> bool {
        self.space.is_some() || self.user.is_some()
    }

    /// The first steps of every command: changing to the folder, and asking for the password.
    pub(crate) fn prepare(&mut self, output: &Output) -> Result<(), Error> {
        if let Some(folder) = &self.directory {
            std::env::set_current_dir(folder).map_err(|error| {
                let what = format!("cannot change to the folder {}: {error}", folder.display());
                Error::input("no_folder", what, "check the path given with --directory")
            })?;
        }
        if self.ask_password {
            self.password = Some(password::ask()?);
        }
        let url = self.database.as_ref().and_then(|url| DatabaseUrl::parse(url, Path::new("")).ok());
        if url.is_some_and(|url| url.holds_password()) {
            output.warn(
                "warning: every user of this machine can see the password in --database while the command runs; set \
                 RECORDAR_DATABASE, or omit the password and use --ask-password or RECORDAR_DATABASE_PASSWORD_FILE",
            );
        }
        Ok(())
    }

    pub(crate) fn overrides(&self) -> Result<Overrides, Error> {
        let user = self.user.as_deref().map(SpaceName::user).transpose()?;
        Ok(Overrides {
            file: self.config.clone(),
            database: self.database.clone(),
            password: self.password.clone(),
            space: user.map(String::from).or_else(|| self.space.clone()),
            ..Overrides::default()
        })
    }
}
