//! The stream of messages, with an orderly end: where the input ends, the end is told only when every request is answered.
//! `rmcp` by itself would wait for five seconds, and then cancel what is still being done.

use rmcp::RoleServer;
use rmcp::model::{ClientNotification, JsonRpcMessage, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use std::collections::HashSet;
use std::future::Future;
use std::io::{Result, Write};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;

/// So many requests may wait for their answers. Beyond, nothing more is read until one is answered.
const MAX_UNANSWERED: usize = 256;
/// A longer message is passed over.
const MAX_MESSAGE_BYTES: usize = 64 * 1024 * 1024;

pub(crate) struct Orderly<R: AsyncRead + Unpin, W: AsyncWrite> {
    inner: AsyncRwTransport<RoleServer, Watched<R>, W>,
    unanswered: Arc<Unanswered>,
    /// Before a first request there is nothing that a notification or an answer could belong to.
    has_begun: bool,
    has_ended: bool,
}

impl<R, W> Orderly<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(crate) fn new(input: R, output: W) -> Self {
        let inner =
            AsyncRwTransport::new(Watched { input, line_bytes: 0 }, output).with_max_line_length(MAX_MESSAGE_BYTES);
        Self { inner, unanswered: Arc::default(), has_begun: false, has_ended: false }
    }
}

impl<R, W> Transport<RoleServer> for Orderly<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = std::io::Error;

    fn send(&mut self, message: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = Result<()>> + Send + 'static {
        let answered = match &message {
            JsonRpcMessage::Response(response) => Some(response.id.clone()),
            JsonRpcMessage::Error(error) => error.id.clone(),
            _ => None,
        };
        let (sending, unanswered) = (self.inner.send(message), Arc::clone(&self.unanswered));
        async move {
            let sent = sending.await;
            answered.iter().for_each(|id| unanswered.remove(id));
            sent
        }
    }

    /// It may be dropped and called again at any time: nothing is lost between two awaits.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        self.unanswered.fewer_than(MAX_UNANSWERED).await;
        while !self.has_ended {
            match self.inner.receive().await {
                None => self.has_ended = true,
                Some(message) => {
                    match &message {
                        JsonRpcMessage::Request(request) => {
                            self.has_begun = true;
                            self.unanswered.insert(&request.id);
                        }
                        // Nobody waits for what was cancelled, and nothing is sent for it.
                        JsonRpcMessage::Notification(notification) => {
                            if let ClientNotification::CancelledNotification(cancelled) = &notification.notification {
                                cancelled.params.request_id.iter().for_each(|id| self.unanswered.remove(id));
                            }
                        }
                        _ => {}
                    }
                    if self.has_begun {
                        return Some(message);
                    }
                }
            }
        }
        self.unanswered.fewer_than(1).await;
        None
    }

    async fn close(&mut self) -> Result<()> {
        self.inner.close().await
    }
}

/// An input whose lines are counted. `rmcp` passes over one that is too long; somebody should be told.
struct Watched<R> {
    input: R,
    line_bytes: usize,
}

impl<R: AsyncRead + Unpin> AsyncRead for Watched<R> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.input).poll_read(context, buffer);
        for line in buffer.filled()[before..].split_inclusive(|byte| *byte == b'\n') {
            let had = self.line_bytes;
            self.line_bytes += line.len();
            if had <= MAX_MESSAGE_BYTES && self.line_bytes > MAX_MESSAGE_BYTES {
                let mebibytes = MAX_MESSAGE_BYTES >> 20;
                let _ = writeln!(std::io::stderr(), "a message of more than {mebibytes} MiB is passed over");
            }
            if line.ends_with(b"\n") {
                self.line_bytes = 0;
            }
        }
        polled
    }
}

#[derive(Default)]
struct Unanswered {
    ids: Mutex<HashSet<RequestId>>,
    changed: Notify,
}

impl Unanswered {
    fn ids(&self) -> MutexGuard<'_, HashSet<RequestId>> {
        self.ids.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn insert(&self, id: &RequestId) {
        self.ids().insert(id.clone());
    }

    fn remove(&self, id: &RequestId) {
        self.ids().remove(id);
        self.changed.notify_waiters();
    }

    async fn fewer_than(&self, count: usize) {
        loop {
            let changed = self.changed.notified();
            if self.ids().len() < count {
                return;
            }
            changed.await;
        }
    }
}
