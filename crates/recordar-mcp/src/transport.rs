//! The stream of messages, one per line. Every request gets a reply, even one that cannot be parsed, and when the input ends,
//! the stream ends only after every reply is written. `rmcp`'s own stream skips what it cannot parse, and its loop waits five
//! seconds at the end and then cancels running calls.

use crate::message::{self, Incoming, Refusal};
use rmcp::RoleServer;
use rmcp::model::{ClientNotification, ClientRequest, GetMeta, JsonRpcMessage, RequestId, ServerResult};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use std::collections::{HashSet, VecDeque};
use std::future::Future;
use std::io::{Error, ErrorKind, Result};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Notify;

/// The most requests that wait for a reply. At the limit nothing is read until one is answered.
const MAX_UNANSWERED: usize = 256;
/// A longer message is refused.
const MAX_MESSAGE_BYTES: usize = 64 * 1024 * 1024;
/// Clients that write the id last write it here.
const MAX_END_BYTES: usize = 1024;

pub(crate) struct Orderly<R, W> {
    lines: Lines<R>,
    /// The remaining messages of a batch.
    waiting: VecDeque<Incoming>,
    output: Output<W>,
    unanswered: Arc<Unanswered>,
    /// Before a session starts, a notification or a reply belongs to nothing, and `rmcp` would give up.
    has_begun: bool,
    /// Whether it was also answered: a refused first request starts no session.
    is_held: bool,
}

impl<R, W> Orderly<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    pub(crate) fn new(input: R, output: W) -> Self {
        Self {
            lines: Lines { input: BufReader::new(input), line: Vec::new(), too_long: None, has_ended: false },
            waiting: VecDeque::new(),
            output: Output(Arc::new(tokio::sync::Mutex::new(Some(output)))),
            unanswered: Arc::default(),
            has_begun: false,
            is_held: false,
        }
    }

    /// Replies on a separate task, since receiving may be cancelled at any await, and half a line must not be written.
    fn refuse(&self, refusal: Refusal) {
        let (output, unanswered) = (self.output.clone(), Arc::clone(&self.unanswered));
        unanswered.state().refusals += 1;
        tokio::spawn(async move {
            let _ = output.write(&refusal.to_json()).await;
            unanswered.state().refusals -= 1;
            unanswered.changed.notify_waiters();
        });
    }

    /// The message, if it is one for the server.
    fn take(&mut self, message: RxJsonRpcMessage<RoleServer>) -> Option<RxJsonRpcMessage<RoleServer>> {
        match &message {
            JsonRpcMessage::Request(request) => {
                if !self.unanswered.insert(&request.id) {
                    let id = request.id.clone().into_json_value();
                    self.refuse(Refusal::invalid(id, "an earlier request with this id is not answered yet"));
                    return None;
                }
                // By a handshake, or without one, as the protocol has it since 2026-07-28.
                let begins = match &request.request {
                    ClientRequest::InitializeRequest(_) => true,
                    ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
                    request => request.get_meta().protocol_version().is_some(),
                };
                self.has_begun |= begins;
                return Some(message);
            }
            // A cancelled request gets no reply.
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification {
                    cancelled.params.request_id.iter().for_each(|id| self.unanswered.remove(id));
                }
            }
            _ => {}
        }
        self.has_begun.then_some(message)
    }
}

impl<R, W> Transport<RoleServer> for Orderly<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = Error;

    fn send(&mut self, message: TxJsonRpcMessage<RoleServer>) -> impl Future<Output = Result<()>> + Send + 'static {
        let answered = match &message {
            JsonRpcMessage::Response(response) => {
                let is_probe =
                    matches!(response.result, ServerResult::EmptyResult(_) | ServerResult::DiscoverResult(_));
                self.is_held |= !is_probe;
                Some(response.id.clone())
            }
            JsonRpcMessage::Error(error) => {
                self.has_begun &= self.is_held;
                error.id.clone()
            }
            _ => None,
        };
        let (output, unanswered) = (self.output.clone(), Arc::clone(&self.unanswered));
        async move {
            let sent = match serde_json::to_value(&message) {
                Ok(message) => output.write(&message).await,
                Err(error) => Err(error.into()),
            };
            answered.iter().for_each(|id| unanswered.remove(id));
            sent
        }
    }

    /// It may be dropped and called again at any time: nothing is lost between two awaits.
    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            self.unanswered.fewer_than(MAX_UNANSWERED).await;
            match self.waiting.pop_front() {
                Some(Incoming::Refused(refusal)) => self.refuse(refusal),
                Some(Incoming::Message(message)) => {
                    if let Some(message) = self.take(*message) {
                        return Some(message);
                    }
                }
                None => match self.lines.next().await {
                    Some(incoming) => self.waiting.extend(incoming),
                    None => {
                        self.unanswered.fewer_than(1).await;
                        return None;
                    }
                },
            }
        }
    }

    async fn close(&mut self) -> Result<()> {
        drop(self.output.0.lock().await.take());
        Ok(())
    }
}

/// The lines of the input. The last one needs no newline.
struct Lines<R> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// The ids at the beginning of a line that is too long: of the rest only the end is kept.
    too_long: Option<Vec<Value>>,
    has_ended: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// The content of the next line. A partly read line is kept if this is cancelled at its only await.
    async fn next(&mut self) -> Option<Vec<Incoming>> {
        while !self.has_ended {
            // A stream that can no longer be read has ended.
            let read = self.input.fill_buf().await.unwrap_or_default();
            let end = read.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(read.len(), |end| end + 1);
            self.has_ended = taken == 0;
            self.line.extend_from_slice(&read[..taken]);
            self.input.consume(taken);
            if self.too_long.is_none() && self.line.len() > MAX_MESSAGE_BYTES {
                self.too_long = Some(message::ids_in(&self.line));
            }
            if self.too_long.is_some() && self.line.len() > MAX_END_BYTES {
                self.line = self.line.split_off(self.line.len() - MAX_END_BYTES);
            }
            if end.is_some() || self.has_ended {
                let line = std::mem::take(&mut self.line);
                return Some(match self.too_long.take() {
                    Some(ids) => message::too_long(ids, &line, MAX_MESSAGE_BYTES),
                    None => message::read(&line),
                });
            }
        }
        None
    }
}

/// Where whole lines are written, one after the other.
struct Output<W>(Arc<tokio::sync::Mutex<Option<W>>>);

impl<W> Clone for Output<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W: AsyncWrite + Unpin> Output<W> {
    async fn write(&self, message: &Value) -> Result<()> {
        let mut output = self.0.lock().await;
        let output = output.as_mut().ok_or_else(|| Error::new(ErrorKind::NotConnected, "the output is closed"))?;
        output.write_all(format!("{message}\n").as_bytes()).await?;
        output.flush().await
    }
}

#[derive(Default)]
struct Unanswered {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    ids: HashSet<RequestId>,
    /// Replies to invalid messages that are being written.
    refusals: usize,
}

impl Unanswered {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn insert(&self, id: &RequestId) -> bool {
        self.state().ids.insert(id.clone())
    }

    fn remove(&self, id: &RequestId) {
        self.state().ids.remove(id);
        self.changed.notify_waiters();
    }

    async fn fewer_than(&self, count: usize) {
        loop {
            let changed = self.changed.notified();
            let waiting = {
                let state = self.state();
                state.ids.len() + state.refusals
            };
            if waiting < count {
                return;
            }
            changed.await;
        }
    }
}
