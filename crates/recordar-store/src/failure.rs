//! A failure in a driver, for the retry loop and for the error it becomes.

/// A failure in a driver, classified by what can be done about it.
#[derive(Debug, Clone)]
pub struct Failure {
    pub(crate) kind: FailureKind,
    pub(crate) what: String,
    /// Whether a retry is ruled out, whatever the kind.
    pub(crate) is_final: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FailureKind {
    /// The database could not be reached or opened; the remedy names the part that failed. It may be transient, as while
    /// a server is starting.
    Connect {
        remedy: String,
        is_passing: bool,
    },
    /// Another process held the lock too long.
    Busy,
    /// The connection is lost. The whole transaction may be retried on a new one.
    Lost,
    /// A deadlock or a write conflict. The whole transaction may be retried.
    Conflict,
    ReadOnly,
    /// The user of the connection lacks a right.
    Denied,
    Full,
    Damaged,
    Constraint,
    Other,
}

impl Failure {
    pub(crate) fn new(kind: FailureKind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into(), is_final: false }
    }

    pub(crate) fn connect(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::new(FailureKind::Connect { remedy: remedy.into(), is_passing: false }, what)
    }

    /// A server that does not answer: it may be starting.
    pub(crate) fn no_answer(place: &str, why: &str) -> Self {
        let remedy = "start the server, or correct the host and port in the URL".to_owned();
        Self::new(FailureKind::Connect { remedy, is_passing: true }, format!("nothing answers at {place} ({why})"))
    }

    /// The remedy for a rejected login.
    pub(crate) fn refused_remedy(user: &str) -> String {
        format!(
            "the server refused user {user:?}: check the name and the password; give the password with --ask-password or in \
             the file named by RECORDAR_DATABASE_PASSWORD_FILE"
        )
    }

    pub(crate) fn finally(self) -> Self {
        Self { is_final: true, ..self }
    }

    pub(crate) fn may_be_repeated(&self) -> bool {
        !self.is_final
            && matches!(
                self.kind,
                FailureKind::Lost | FailureKind::Conflict | FailureKind::Connect { is_passing: true, .. }
            )
    }
}
