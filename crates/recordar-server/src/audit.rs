//! Who did what to which space, as lines of JSON, without content.

use recordar::Error;
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

pub(crate) struct Audit(Mutex<File>);

#[derive(Serialize)]
pub(crate) struct Entry<'a> {
    pub(crate) time: recordar::Timestamp,
    pub(crate) request_id: &'a str,
    /// The key's id and name; neither without a key.
    pub(crate) key: Option<&'a str>,
    pub(crate) key_name: Option<&'a str>,
    pub(crate) address: String,
    pub(crate) method: &'a str,
    pub(crate) verb: &'a str,
    /// The tool that an agent called, at /mcp.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tool: Option<&'a str>,
    pub(crate) space: Option<&'a str>,
    pub(crate) operation: Option<&'a str>,
    pub(crate) status: u16,
}

impl Audit {
    /// Opens the file to add to it. Only its owner can read a new one.
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let opened = OpenOptions::new().create(true).append(true).mode(0o600).open(path);
        opened.map(|file| Self(Mutex::new(file))).map_err(|error| {
            let what = format!("the audit file {} cannot be written: {error}", path.display());
            Error::input("unwritable", what, "check server.audit_file, its permissions and the free disk space")
        })
    }

    /// One write, so that lines of several servers do not mix.
    pub(crate) fn add(&self, entry: &Entry<'_>) {
        let Ok(mut line) = serde_json::to_vec(entry) else { return };
        line.push(b'\n');
        let written = self.0.lock().unwrap_or_else(PoisonError::into_inner).write_all(&line);
        if let Err(error) = written {
            // Whoever runs the server must know that the log has gaps.
            let _ = writeln!(std::io::stderr(), "a line of the audit log cannot be written: {error}");
        }
    }
}
