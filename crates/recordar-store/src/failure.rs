//! What a driver says went wrong, for the loop that decides whether to try again, and for the error that it becomes.

/// What went wrong in a driver, sorted by what can be done about it.
#[derive(Debug)]
pub struct Failure {
    pub(crate) kind: FailureKind,
    pub(crate) what: String,
    /// Whether trying again is out of the question, whatever the kind.
    pub(crate) is_final: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum FailureKind {
    /// The database could not be reached or opened; the remedy names the part that failed. It may be passing, as when
    /// a server is being started.
    Connect {
        remedy: String,
        is_passing: bool,
    },
    /// Somebody else kept the lock too long.
    Busy,
    /// The connection is gone. The whole transaction may be tried again on a new one.
    Lost,
    /// A deadlock, or two writers at once. The whole transaction may be tried again.
    Conflict,
    ReadOnly,
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

    /// A server that does not answer: it may be about to.
    pub(crate) fn no_answer(place: &str, why: &str) -> Self {
        let remedy = "start the server, or correct the host and the port in the URL".to_owned();
        Self::new(FailureKind::Connect { remedy, is_passing: true }, format!("nothing answers at {place} ({why})"))
    }

    /// What to do about a user who is not let in.
    pub(crate) fn refused_remedy(user: &str) -> String {
        format!(
            "the server refused user {user:?}: check the name and the password, which --ask-password asks for, and the file \
             that RECORDAR_DATABASE_PASSWORD_FILE names can hold"
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
