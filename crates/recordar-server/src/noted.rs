//! What is noted of a request while it is answered, for the audit log.

use crate::audit::Entry;
use crate::identity::Identity;
use crate::server::Server;
use http::{Method, StatusCode};
use recordar::SpaceName;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What is known of a request while it is answered. When the last that answers it lets go of this, a line is written: also if the client
/// has gone, and for a call that nobody waits for when it ends.
pub(crate) struct Noted {
    /// None if requests of this kind are not audited, or none are.
    server: Option<Arc<Server>>,
    pub(crate) request_id: String,
    address: IpAddr,
    method: Method,
    verb: &'static str,
    known: Mutex<Known>,
    status: AtomicU16,
}

#[derive(Default)]
pub(crate) struct Known {
    pub(crate) identity: Option<Identity>,
    pub(crate) space: Option<SpaceName>,
    pub(crate) operation: Option<String>,
    pub(crate) tool: Option<&'static str>,
}

/// As proxies log a request whose client has gone.
const CLIENT_GONE: u16 = 499;

impl Noted {
    pub(crate) fn new(
        server: Option<Arc<Server>>,
        request_id: &str,
        address: IpAddr,
        (method, verb): (&Method, &'static str),
    ) -> Self {
        let (request_id, method, known) = (request_id.to_owned(), method.clone(), Mutex::default());
        Self { server, request_id, address, method, verb, known, status: AtomicU16::new(CLIENT_GONE) }
    }

    pub(crate) fn know(&self, set: impl FnOnce(&mut Known)) {
        set(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// The status of the reply, unless it is known how the call ended.
    pub(crate) fn replied(&self, status: StatusCode) {
        let _ = self.status.compare_exchange(CLIENT_GONE, status.as_u16(), Ordering::Relaxed, Ordering::Relaxed);
    }

    /// How a call ended that was replied to before: with events, or without waiting for it.
    pub(crate) fn ended(&self, status: StatusCode) {
        self.status.store(status.as_u16(), Ordering::Relaxed);
    }

    pub(crate) fn status(&self) -> u16 {
        self.status.load(Ordering::Relaxed)
    }
}

impl Drop for Noted {
    fn drop(&mut self) {
        let Some(server) = &self.server else { return };
        let Some(audit) = &server.audit else { return };
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        audit.add(&Entry {
            time: server.engine.now(),
            request_id: &self.request_id,
            key: known.identity.as_ref().map(Identity::id).filter(|id| !id.is_empty()),
            key_name: known.identity.as_ref().and_then(Identity::name),
            address: self.address.to_string(),
            method: self.method.as_str(),
            verb: self.verb,
            tool: known.tool,
            space: known.space.as_ref().map(SpaceName::as_str),
            operation: known.operation.as_deref(),
            status: self.status(),
        });
    }
}
