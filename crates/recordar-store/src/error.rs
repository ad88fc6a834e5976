//! The errors of the store. Each says what happened, to what, and what to do about it.

use crate::failure::{Failure, FailureKind};
use recordar_domain::Invalid;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    // Yours: the request must change.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    #[error("operation id {id} was already used for another request")]
    OperationReused { id: String },
    #[error("there is no {what}")]
    NotFound { what: String },

    #[error("the call was cancelled; nothing was written")]
    Cancelled,

    #[error("there is no Recordar database at {target}")]
    NoDatabase { target: String },

    // The world's: the database, the disk or the network must change.
    #[error("cannot open the database {target}: {what}")]
    Connect { target: String, what: String, remedy: String },
    #[error("the database {target} is busy: another process kept it locked for {waited_ms} ms")]
    Busy { target: String, waited_ms: u128 },
    #[error("lost the connection to {target}, and {attempts} attempts to reconnect failed: {what}")]
    Lost { target: String, attempts: u32, what: String },
    #[error("the database {target} is read-only: {what}")]
    ReadOnly { target: String, what: String },
    #[error("the database {target} denies this user a right that Recordar needs: {what}")]
    Denied { target: String, what: String, remedy: String },
    #[error("no disk space is left for the database {target}: {what}")]
    Full { target: String, what: String },
    #[error("writes to {target} conflicted with other writers {attempts} times in a row: {what}")]
    Contended { target: String, attempts: u32, what: String },
    #[error("the database {target} has a table {table:?} that is not Recordar's")]
    Foreign { target: String, table: String },
    #[error("the database {target} has schema {found}, but this program supports only up to {known}")]
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

    /// A driver's failure, on its way to the retry loop. It never leaves the store.
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
    /// `what` names the missing thing and its space: `thread "t" in space user:ada`.
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
            Self::NoDatabase { .. } => "no_database",
            Self::Connect { .. } => "cannot_connect",
            Self::Busy { .. } => "database_busy",
            Self::Lost { .. } => "connection_lost",
            Self::ReadOnly { .. } => "database_read_only",
            Self::Denied { .. } => "database_denied",
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
            Self::OperationReused { .. } => "use a new operation id, or omit it",
            Self::NotFound { .. } => "check the name or id, and the space",
            Self::Cancelled => "repeat the call",
            Self::NoDatabase { .. } => {
                "store something first, for example with `recordar ingest PATH` or `recordar remember TEXT`; or go to the folder of your \
                 database, or name it with --database"
            }
            Self::Connect { remedy, .. } | Self::Denied { remedy, .. } | Self::Stream { remedy, .. } => remedy,
            Self::Busy { .. } => {
                "wait for the other process, or raise database.busy_timeout_ms; nothing was written, so it is safe to retry"
            }
            Self::Lost { .. } => {
                "check that the server is running, then retry with the same operation id; nothing is done twice"
            }
            Self::ReadOnly { .. } => {
                "give this user write permission for the file and its folder, or use another database"
            }
            Self::Full { .. } => {
                "free some disk space, or move the database; nothing was written, so it is safe to retry"
            }
            Self::Contended { .. } => {
                "retry with the same operation id; if it happens again, let fewer processes write to one space"
            }
            Self::Foreign { .. } => "use a separate database for Recordar",
            Self::SchemaNewer { .. } => "use the newer version of Recordar that upgraded this database",
            Self::Corrupt { .. } => "restore a backup; the damaged data cannot be repaired",
            Self::Constraint { .. } | Self::Database { .. } | Self::Failed(_) => {
                "this is probably a bug in Recordar; please report it, with the command you ran"
            }
        };
        text.to_owned()
    }

    /// Whether the request must change, rather than the world or the program.
    pub fn is_yours(&self) -> bool {
        use Error::{Cancelled, Invalid, NoDatabase, NotFound, OperationReused};
        matches!(self, Invalid(_) | OperationReused { .. } | NotFound { .. } | NoDatabase { .. } | Cancelled)
    }
}

/// Turns a driver's failure into an error with the database's name.
pub(crate) fn from_failure(failure: Failure, target: &str, attempts: u32, waited_ms: u128) -> Error {
    let (target, what) = (target.to_owned(), failure.what);
    match failure.kind {
        FailureKind::Connect { remedy, .. } => Error::Connect { target, what, remedy },
        FailureKind::Busy => Error::Busy { target, waited_ms },
        FailureKind::Lost => Error::Lost { target, attempts, what },
        FailureKind::Conflict => Error::Contended { target, attempts, what },
        FailureKind::ReadOnly => Error::ReadOnly { target, what },
        FailureKind::Denied => Error::Denied { target, what, remedy: "ask the owner of the database".to_owned() },
        FailureKind::Full => Error::Full { target, what },
        FailureKind::Damaged => Error::Corrupt { what },
        FailureKind::Constraint => Error::Constraint { what },
        FailureKind::Other => Error::Database { what },
    }
}
