//! What can go wrong in the store, said for people: what happened, to what, and what to do about it.

use crate::failure::{Failure, FailureKind};
use recordar_domain::Invalid;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    // Yours: the request has to change.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    #[error("operation id {id} was already used for another request")]
    OperationReused { id: String },
    #[error("there is no {what}")]
    NotFound { what: String },

    #[error("the call was cancelled, and nothing of it was written")]
    Cancelled,

    // The world's: the database, the disk or the network has to change.
    #[error("cannot open the database {target}: {what}")]
    Connect { target: String, what: String, remedy: String },
    #[error("the database {target} is busy: another process kept it locked for {waited_ms} ms")]
    Busy { target: String, waited_ms: u128 },
    #[error("the connection to {target} was lost, and {attempts} attempts did not bring it back: {what}")]
    Lost { target: String, attempts: u32, what: String },
    #[error("the database {target} can only be read: {what}")]
    ReadOnly { target: String, what: String },
    #[error("there is no room left for the database {target}: {what}")]
    Full { target: String, what: String },
    #[error("writers of {target} kept getting into each other's way, {attempts} times in a row: {what}")]
    Contended { target: String, attempts: u32, what: String },
    #[error("the database {target} has a table {table:?} that is not Recordar's")]
    Foreign { target: String, table: String },
    #[error("the database {target} has schema {found}, and this program knows up to {known}")]
    SchemaNewer { target: String, found: i64, known: i64 },
    #[error("{what}")]
    Stream { what: String, remedy: String },
    #[error("the database is damaged: {what}")]
    Corrupt { what: String },

    // Ours: a rule of the schema was broken, or a statement was wrong.
    #[error("the database refused a row: {what}")]
    Constraint { what: String },
    #[error("the database reported: {what}")]
    Database { what: String },

    /// What a driver said, on its way to the loop that decides whether to try again. It never leaves the store.
    #[doc(hidden)]
    #[error("{}", .0.what)]
    Failed(Failure),
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl Error {
    /// `what` with the place it was looked for in: `thread "t" in space user:ada`.
    pub fn absent(what: impl Into<String>) -> Self {
        Self::NotFound { what: what.into() }
    }

    /// A stable name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "invalid",
            Self::OperationReused { .. } => "operation_reused",
            Self::NotFound { .. } => "not_found",
            Self::Cancelled => "cancelled",
            Self::Connect { .. } => "cannot_connect",
            Self::Busy { .. } => "database_busy",
            Self::Lost { .. } => "connection_lost",
            Self::ReadOnly { .. } => "database_read_only",
            Self::Full { .. } => "disk_full",
            Self::Contended { .. } => "database_contended",
            Self::Foreign { .. } => "foreign_database",
            Self::SchemaNewer { .. } => "schema_newer",
            Self::Stream { .. } => "stream",
            Self::Corrupt { .. } => "database_damaged",
            Self::Constraint { .. } => "constraint",
            Self::Database { .. } | Self::Failed(_) => "database",
        }
    }

    pub fn remedy(&self) -> String {
        let text = match self {
            Self::Invalid(invalid) => &invalid.remedy,
            Self::OperationReused { .. } => "use a new operation id, or leave it out",
            Self::NotFound { .. } => "check the name, and the space it is looked for in",
            Self::Cancelled => "call again when you want it done",
            Self::Connect { remedy, .. } | Self::Stream { remedy, .. } => remedy,
            Self::Busy { .. } => {
                "wait for the other process, or raise database.busy_timeout_ms; nothing was written, so it is safe to repeat"
            }
            Self::Lost { .. } => {
                "check that the server runs, then repeat with the same operation id: nothing is done twice"
            }
            Self::ReadOnly { .. } => {
                "give this user the right to write to the file and its folder, or choose another database"
            }
            Self::Full { .. } => {
                "free some space or move the database; nothing of this operation was written, so it is safe to repeat"
            }
            Self::Contended { .. } => {
                "repeat with the same operation id; if it goes on, let fewer processes write to one space"
            }
            Self::Foreign { .. } => "give Recordar a database of its own",
            Self::SchemaNewer { .. } => "use the newer Recordar that upgraded this database",
            Self::Corrupt { .. } => "restore a backup; what was damaged cannot be told from what is right any more",
            Self::Constraint { .. } | Self::Database { .. } | Self::Failed(_) => {
                "this is likely a mistake in Recordar: please report it with the command you ran"
            }
        };
        text.to_owned()
    }

    /// Whether the request, rather than the world or the program, has to change.
    pub fn is_yours(&self) -> bool {
        matches!(self, Self::Invalid(_) | Self::OperationReused { .. } | Self::NotFound { .. } | Self::Cancelled)
    }
}

/// What a driver says of its own accord becomes an error with the database's name, once, here.
pub(crate) fn from_failure(failure: Failure, target: &str, attempts: u32, waited_ms: u128) -> Error {
    let (target, what) = (target.to_owned(), failure.what);
    match failure.kind {
        FailureKind::Connect { remedy, .. } => Error::Connect { target, what, remedy },
        FailureKind::Busy => Error::Busy { target, waited_ms },
        FailureKind::Lost => Error::Lost { target, attempts, what },
        FailureKind::Conflict => Error::Contended { target, attempts, what },
        FailureKind::ReadOnly => Error::ReadOnly { target, what },
        FailureKind::Full => Error::Full { target, what },
        FailureKind::Damaged => Error::Corrupt { what },
        FailureKind::Constraint => Error::Constraint { what },
        FailureKind::Other => Error::Database { what },
    }
}
