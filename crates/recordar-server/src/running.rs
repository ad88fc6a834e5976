//! Calls by their operation ids: how far they are, how to cancel them, and the results of those that nobody waited for.

use bytes::Bytes;
use http::StatusCode;
use recordar::call::Progress;
use recordar::database::Cancel;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Results that are kept for those who come back for them.
const MAX_KEPT: usize = 1000;
const MAX_KEPT_OF_KEY: usize = 64;
const MAX_KEPT_BYTES: usize = 64 * 1024 * 1024;

/// Which call: an operation id belongs to a key and a space.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CallId {
    /// The id of the key; empty without one.
    pub(crate) owner: String,
    pub(crate) space: String,
    pub(crate) operation: String,
}

/// Whose calls someone may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    /// Those of the same key.
    Own,
    /// Everyone's, for administrators.
    Anyones,
}

pub(crate) struct RunningCall {
    pub(crate) verb: &'static str,
    pub(crate) cancel: Cancel,
    progress: Mutex<Option<Progress>>,
    /// The reply, once there is one.
    outcome: Mutex<Option<(StatusCode, Bytes)>>,
}

#[derive(Default)]
pub(crate) struct Running(Arc<Mutex<Calls>>);

#[derive(Default)]
struct Calls {
    /// Several may have the same id: only one of them has an effect.
    running: BTreeMap<CallId, Vec<Arc<RunningCall>>>,
    /// In the order in which they ended.
    ended: VecDeque<(CallId, Arc<RunningCall>)>,
    ended_bytes: usize,
}

/// A call that is noted until it is dropped.
pub(crate) struct NotedCall {
    pub(crate) call: Arc<RunningCall>,
    id: CallId,
    calls: Arc<Mutex<Calls>>,
}

impl Running {
    pub(crate) fn begin(&self, id: &CallId, verb: &'static str, cancel: Cancel) -> NotedCall {
        let call = Arc::new(RunningCall { verb, cancel, progress: Mutex::default(), outcome: Mutex::default() });
        lock(&self.0).running.entry(id.clone()).or_default().push(Arc::clone(&call));
        NotedCall { call, id: id.clone(), calls: Arc::clone(&self.0) }
    }

    pub(crate) fn find(&self, id: &CallId, whose: Whose) -> Option<Arc<RunningCall>> {
        let calls = lock(&self.0);
        let ended = || calls.ended.iter().rev().find(|(known, _)| whose.includes(id, known)).map(|(_, call)| call);
        let running = || calls.running_with(id, whose).next();
        // One's own comes before another's of the same id.
        calls.running_with(id, Whose::Own).next().or_else(running).or_else(ended).cloned()
    }

    /// Cancels all calls with this id. One of them, if there is one.
    pub(crate) fn cancel(&self, id: &CallId, whose: Whose) -> Option<Arc<RunningCall>> {
        let calls = lock(&self.0);
        calls.running_with(id, whose).for_each(|call| call.cancel.cancel());
        calls.running_with(id, whose).next().cloned()
    }

    pub(crate) fn cancel_all(&self) {
        lock(&self.0).running.values().flatten().for_each(|call| call.cancel.cancel());
    }
}

impl NotedCall {
    /// Keeps the reply of a call that nobody waited for, within limits: the oldest of the same key go first.
    pub(crate) fn end(self, status: StatusCode, reply: Bytes) {
        let mut calls = lock(&self.calls);
        calls.ended_bytes += reply.len();
        *lock(&self.call.outcome) = Some((status, reply));
        calls.ended.push_back((self.id.clone(), Arc::clone(&self.call)));
        let kept = calls.ended.iter().filter(|(id, _)| id.owner == self.id.owner).count();
        if kept > MAX_KEPT_OF_KEY
            && let Some(oldest) = calls.ended.iter().position(|(id, _)| id.owner == self.id.owner)
        {
            calls.forget_ended(oldest);
        }
        while calls.ended.len() > MAX_KEPT || (calls.ended_bytes > MAX_KEPT_BYTES && calls.ended.len() > 1) {
            calls.forget_ended(0);
        }
    }
}

impl Whose {
    fn includes(self, asked: &CallId, known: &CallId) -> bool {
        let is_same = asked.space == known.space && asked.operation == known.operation;
        is_same && (self == Self::Anyones || asked.owner == known.owner)
    }
}

impl Calls {
    fn running_with<'a>(&'a self, id: &'a CallId, whose: Whose) -> impl Iterator<Item = &'a Arc<RunningCall>> {
        let same = self.running.iter().filter(move |(known, _)| whose.includes(id, known));
        same.flat_map(|(_, calls)| calls)
    }

    fn forget_ended(&mut self, at: usize) {
        let Some((_, call)) = self.ended.remove(at) else { return };
        let bytes = lock(&call.outcome).as_ref().map_or(0, |(_, reply)| reply.len());
        self.ended_bytes -= bytes;
    }
}

impl Drop for NotedCall {
    fn drop(&mut self) {
        let mut calls = lock(&self.calls);
        let Some(same) = calls.running.get_mut(&self.id) else { return };
        same.retain(|call| !Arc::ptr_eq(call, &self.call));
        if same.is_empty() {
            calls.running.remove(&self.id);
        }
    }
}

impl RunningCall {
    pub(crate) fn tell(&self, progress: Progress) {
        *lock(&self.progress) = Some(progress);
    }

    pub(crate) fn shown(&self, id: &CallId) -> Value {
        let outcome = lock(&self.outcome);
        let state = match outcome.as_ref() {
            None => "running",
            Some((status, _)) if status.is_success() => "done",
            Some(_) if self.cancel.is_cancelled() => "cancelled",
            Some(_) => "failed",
        };
        let mut shown = json!({"operation": id.operation, "space": id.space, "verb": self.verb, "state": state});
        if let Some(progress) = lock(&self.progress).as_ref() {
            shown["progress"] = event(progress);
        }
        if let Some((status, reply)) = outcome.as_ref() {
            let field = if status.is_success() { "result" } else { "problem" };
            shown[field] = serde_json::from_slice(reply).unwrap_or(Value::Null);
        }
        shown
    }
}

pub(crate) fn event(progress: &Progress) -> Value {
    json!({"done": progress.done, "total": progress.total, "message": progress.message})
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
