//! What loading a file gives: its text with notes, or why there is none.

/// The text of a file, and what a person should know about it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Loaded {
    pub text: String,
    /// What could not be read.
    pub notes: Vec<Note>,
    /// What the file says of itself, by name: title, author, date, subject.
    pub description: Vec<(&'static str, String)>,
}

/// Something about a file that a person should know: a stable code, what happened, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub code: &'static str,
    pub what: String,
    pub remedy: String,
}

/// Why a file is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused(pub Note);

impl From<String> for Loaded {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

impl Note {
    pub(crate) fn new(code: &'static str, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { code, what: what.into(), remedy: remedy.into() }
    }
}

impl Refused {
    pub(crate) fn new(code: &'static str, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self(Note::new(code, what, remedy))
    }

    pub(crate) fn too_large(max_bytes: u64) -> Self {
        let what = format!("it, or its text, exceeds the limit of {max_bytes} bytes");
        Self::new("too_large", what, "split it, or raise ingest.max_file_bytes")
    }

    pub(crate) fn damaged(what: impl Into<String>) -> Self {
        Self::new("damaged", what, "open it in the program it comes from, save it again, and ingest that file")
    }
}
