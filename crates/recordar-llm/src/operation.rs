//! One operation of a user, which may take many calls.

use crate::cassette::Exchange;
use crate::error::{Error, ErrorKind};
use crate::limits::{Account, Ceiling, Purse, Reservation, Reserved, Spend, lock};
use crate::report::CallReport;
use recordar_domain::Cancel;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What it may spend, what it spent, and what was replied.
pub struct Operation {
    pub cancel: Cancel,
    account: Option<Account>,
    ceiling: Ceiling,
    purse: Arc<Mutex<Purse>>,
    /// Why the model cannot be had, once that is known.
    away: Arc<OnceLock<Error>>,
    pub(crate) log: Mutex<Log>,
}

#[derive(Default)]
pub(crate) struct Log {
    pub(crate) calls: Vec<CallReport>,
    pub(crate) exchanges: Vec<Exchange>,
}

impl Operation {
    pub fn new(ceiling: Ceiling, cancel: Cancel) -> Self {
        Self { cancel, account: None, ceiling, purse: Arc::default(), away: Arc::default(), log: Mutex::default() }
    }

    /// The same operation on the account of a caller.
    pub fn charged_to(self, account: Option<Account>) -> Self {
        Self { account, ..self }
    }

    /// A part of the operation that may run in parallel with others: it spends from the same purse, and keeps its own log until it is
    /// joined, so that the log is in the order of the parts, whichever ends first.
    pub fn part(&self) -> Self {
        let (purse, away) = (Arc::clone(&self.purse), Arc::clone(&self.away));
        let (cancel, account) = (self.cancel.clone(), self.account.clone());
        Self { cancel, account, ceiling: self.ceiling, purse, away, log: Mutex::default() }
    }

    /// Why further calls are pointless.
    pub fn away(&self) -> Option<&Error> {
        self.away.get()
    }

    pub fn give_up(&self, error: &Error) {
        drop(self.away.set(error.clone()));
    }

    pub fn join(&self, part: Self) {
        let Log { calls, exchanges } = part.log.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut log = lock(&self.log);
        log.calls.extend(calls);
        log.exchanges.extend(exchanges);
    }

    /// Every call that was made, also those that failed, in the order they ended.
    pub fn calls(&self) -> Vec<CallReport> {
        lock(&self.log).calls.clone()
    }

    /// Says of the last call that its reply was refused. Calls of one part follow each other.
    pub(crate) fn refuse_last(&self) {
        if let Some(last) = lock(&self.log).calls.last_mut() {
            Error::new(ErrorKind::Unfit, "", "").code().clone_into(&mut last.outcome);
        }
    }

    /// Every reply, by the digest of its request.
    pub fn exchanges(&self) -> Vec<Exchange> {
        lock(&self.log).exchanges.clone()
    }

    pub fn spent(&self) -> Spend {
        lock(&self.purse).spent
    }

    pub(crate) fn check_cancelled(&self) -> Result<(), Error> {
        if self.cancel.is_cancelled() { Err(Error::cancelled()) } else { Ok(()) }
    }

    pub(crate) fn reserve(&self, reservation: &Reservation) -> Reserved {
        lock(&self.purse).reserve(reservation, &self.ceiling)
    }

    pub(crate) fn settle(&self, reservation: &Reservation, spent: Spend) {
        lock(&self.purse).settle(reservation, spent);
    }

    pub(crate) fn release(&self, reservation: &Reservation) {
        lock(&self.purse).release(reservation);
    }

    pub(crate) fn account(&self) -> Option<&Account> {
        self.account.as_ref()
    }

    pub(crate) fn ceiling(&self) -> &Ceiling {
        &self.ceiling
    }
}
