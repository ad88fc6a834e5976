//! The folder, environment and user of a configuration. All of it is collected here, so that nothing below
//! asks the process.

use crate::error::Error;
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Debug, Clone)]
pub struct Surroundings {
    /// The current folder.
    pub folder: PathBuf,
    /// The environment. An empty variable counts as unset.
    pub variables: BTreeMap<String, String>,
    pub user: User,
}

/// Who runs the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct User {
    pub uid: u32,
    pub gid: u32,
}

impl User {
    pub fn of_process() -> Self {
        Self { uid: rustix::process::geteuid().as_raw(), gid: rustix::process::getegid().as_raw() }
    }
}

impl Surroundings {
    pub fn of_process() -> Result<Self, Error> {
        let folder = std::env::current_dir().map_err(|error| {
            Error::input("no_folder", format!("the current folder cannot be read: {error}"), "change to another folder")
        })?;
        let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        Ok(Self { folder, variables: std::env::vars_os().filter_map(text).collect(), user: User::of_process() })
    }

    /// What this machine is called.
    pub(super) fn machine() -> String {
        let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
        if name.trim().is_empty() { "localhost".to_owned() } else { name }
    }

    pub(super) fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).filter(|value| !value.is_empty()).cloned()
    }

    /// The path of the user's own configuration, whether or not it exists.
    pub fn own_file(&self) -> Option<PathBuf> {
        Some(self.folder_of("XDG_CONFIG_HOME", ".config")?.join(super::FILE_NAME))
    }

    /// The path of the list of trusted files.
    pub fn trust_file(&self) -> Option<PathBuf> {
        Some(self.folder_of("XDG_STATE_HOME", ".local/state")?.join("trusted.json"))
    }

    /// The path of the register of model folders.
    pub fn models_file(&self) -> Option<PathBuf> {
        Some(self.folder_of("XDG_STATE_HOME", ".local/state")?.join("models.json"))
    }

    /// An XDG base directory. By its specification, a relative path is ignored.
    fn folder_of(&self, variable: &str, in_home: &str) -> Option<PathBuf> {
        let absolute = |name: &str| self.variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let folder = absolute(variable).or_else(|| Some(absolute("HOME")?.join(in_home)))?;
        Some(folder.join("recordar"))
    }
}
