//! A request as a call of the engine: at once, as events, as a download, or without waiting for it.

use crate::body::{Part, Reply, streamed, whole};
use crate::identity::Identity;
use crate::noted::Noted;
use crate::openapi::is_path;
use crate::problem::Problem;
use crate::running::{CallId, event};
use crate::server::{Permit, Server};
use crate::uploads::Sent;
use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use recordar::call::{Call, Carried, Effect, Progress, Reply as Replied, Upload, VerbEntry};
use recordar::database::Cancel;
use recordar::{Error, OperationId, SpaceName};
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::mpsc::{Receiver, Sender, channel};

pub(crate) const OPERATION: HeaderName = HeaderName::from_static("recordar-operation");
/// Parts of a reply that wait for the client.
const WAITING_PARTS: usize = 16;
const DOWNLOAD_PART_BYTES: usize = 64 * 1024;

/// Everything about a call but how its reply is sent.
pub(crate) struct Asked {
    verb: &'static VerbEntry,
    identity: Identity,
    space: SpaceName,
    names_space: bool,
    operation: OperationId,
    arguments: Map<String, Value>,
    files: Option<Vec<Upload>>,
    cancel: Cancel,
    noted: Arc<Noted>,
}

/// Cancels a call whose client has gone.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Asked {
    pub(crate) fn new(
        (verb, identity, noted): (&'static VerbEntry, &Identity, &Arc<Noted>),
        (space, names_space): (SpaceName, bool),
        headers: &HeaderMap,
        sent: Sent,
        cancel: Cancel,
    ) -> Result<Self, Problem> {
        let Sent { mut arguments, files } = sent;
        let operation = operation(headers, &mut arguments, verb)?;
        if let Some(files) = &files {
            name_files(verb, &mut arguments, files)?;
        }
        let (identity, noted) = (identity.clone(), Arc::clone(noted));
        Ok(Self { verb, identity, space, names_space, operation, arguments, files, cancel, noted })
    }

    pub(crate) fn operation(&self) -> &str {
        self.operation.as_str()
    }

    fn id(&self) -> CallId {
        CallId {
            owner: self.identity.id().to_owned(),
            space: self.space.to_string(),
            operation: self.operation.as_str().to_owned(),
        }
    }

    pub(crate) async fn answer(self, server: &Arc<Server>, headers: &HeaderMap) -> Result<Reply, Problem> {
        let permit = server.permit(self.verb.is_long, &self.space).await?;
        // A client that also takes JSON is not kept waiting for events.
        let wants_events = accepts(headers, "text/event-stream") && !accepts(headers, "application/json");
        let wants_file = self.verb.is_download() && !self.arguments.contains_key("file");
        match () {
            () if wants_file => self.download(server, permit).await,
            () if wants_events => Ok(self.events(server, permit)),
            () if prefers_async(headers) && self.verb.is_long => Ok(self.begin(server, permit)),
            () => self.wait(server, permit).await,
        }
    }

    /// Runs it on a thread of its own, and waits for it. If the client goes, it is cancelled.
    async fn wait(self, server: &Arc<Server>, permit: Permit) -> Result<Reply, Problem> {
        let _cancel = CancelOnDrop(self.cancel.clone());
        let server = Arc::clone(server);
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let running = server.running.begin(&self.id(), self.verb.name, self.cancel.clone());
            let noted = Arc::clone(&self.noted);
            let outcome = self.run(&server, &mut |progress| running.call.tell(progress), None, None);
            // Also if the client has gone meanwhile.
            noted.ended(outcome.as_ref().map_or_else(|problem| problem.status, |_| StatusCode::OK));
            outcome
        });
        let json = done.await.map_err(|_| Problem::broken())??;
        Ok(json_reply(StatusCode::OK, json))
    }

    /// The same, without waiting: the result is kept for a while.
    fn begin(self, server: &Arc<Server>, permit: Permit) -> Reply {
        let id = self.id();
        let running = server.running.begin(&id, self.verb.name, self.cancel.clone());
        let mut reply = json_reply(StatusCode::ACCEPTED, running.call.shown(&id).to_string());
        reply.headers_mut().insert("preference-applied", HeaderValue::from_static("respond-async"));
        let address = format!("/v1/operations/{}?space={}", escaped(&id.operation), escaped(&id.space));
        if let Ok(address) = HeaderValue::from_str(&address) {
            reply.headers_mut().insert(LOCATION, address);
        }
        let server = Arc::clone(server);
        tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let noted = Arc::clone(&self.noted);
            let run = AssertUnwindSafe(|| self.run(&server, &mut |progress| running.call.tell(progress), None, None));
            let outcome = catch_unwind(run).unwrap_or_else(|_| Err(Problem::broken()));
            let (status, bytes) = match outcome {
                Ok(json) => (StatusCode::OK, Bytes::from(json)),
                Err(problem) => (problem.status, problem.to_json(&noted.request_id).to_string().into()),
            };
            noted.ended(status);
            running.end(status, bytes);
        });
        reply
    }

    /// Progress, text and the result as server-sent events.
    fn events(self, server: &Arc<Server>, permit: Permit) -> Reply {
        let (send, parts) = channel(WAITING_PARTS);
        let cancel = CancelOnDrop(self.cancel.clone());
        let server = Arc::clone(server);
        tokio::task::spawn_blocking(move || {
            let (_permit, cancel) = (permit, self.cancel.clone());
            let running = server.running.begin(&self.id(), self.verb.name, cancel.clone());
            let noted = Arc::clone(&self.noted);
            let tell = |name: &str, data: &Value| {
                if pass_on(&send, sse(name, &data.to_string()), &cancel).is_err() {
                    cancel.cancel();
                }
            };
            let mut progress = |progress: Progress| {
                tell("progress", &event(&progress));
                running.call.tell(progress);
            };
            let mut on_text = |text: &str| tell("text", &json!({ "text": text }));
            let run = AssertUnwindSafe(|| self.run(&server, &mut progress, Some(&mut on_text), None));
            let last = match catch_unwind(run).unwrap_or_else(|_| Err(Problem::broken())) {
                Ok(json) => {
                    noted.ended(StatusCode::OK);
                    sse("result", &json)
                }
                Err(problem) => {
                    noted.ended(problem.status);
                    sse("problem", &problem.to_json(&noted.request_id).to_string())
                }
            };
            let _ = send.blocking_send(Ok(last));
        });
        let mut reply = Reply::new(streamed(None, parts, cancel));
        reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
        reply
    }

    /// The file that the verb would write, while it is written. What fails before its first byte is a problem; later, the connection breaks off.
    async fn download(mut self, server: &Arc<Server>, permit: Permit) -> Result<Reply, Problem> {
        self.arguments.insert("file".to_owned(), json!("download"));
        let (send, mut parts): (Sender<Part>, Receiver<Part>) = channel(WAITING_PARTS);
        let (cancel, verb, space) = (CancelOnDrop(self.cancel.clone()), self.verb.name, self.space.clone());
        let server = Arc::clone(server);
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            let running = server.running.begin(&self.id(), self.verb.name, self.cancel.clone());
            let noted = Arc::clone(&self.noted);
            let mut out = Parts { send: send.clone(), waiting: Vec::new(), cancel: self.cancel.clone() };
            let run = AssertUnwindSafe(|| {
                let outcome = self.run(&server, &mut |progress| running.call.tell(progress), None, Some(&mut out));
                outcome.and_then(|_| out.flush().map_err(|_| Problem::broken()))
            });
            let outcome = catch_unwind(run).unwrap_or_else(|_| Err(Problem::broken()));
            noted.ended(outcome.as_ref().map_or_else(|problem| problem.status, |()| StatusCode::OK));
            if outcome.is_err() {
                // A client that has got something already must not take it for everything.
                let _ = send.blocking_send(Err(io::Error::other("the export failed")));
            }
            outcome
        });
        let first = match parts.recv().await {
            Some(Ok(first)) => Some(first),
            Some(Err(_)) | None => {
                done.await.map_err(|_| Problem::broken())??;
                None
            }
        };
        let mut reply = Reply::new(streamed(first, parts, cancel));
        let headers = reply.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"));
        let name = space.as_str().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{verb}-{name}.jsonl\"")) {
            headers.insert(CONTENT_DISPOSITION, value);
        }
        Ok(reply)
    }

    /// The reply of a verb whose reply is a list.
    pub(crate) async fn stored(self, server: &Arc<Server>) -> Result<Vec<Value>, Problem> {
        let (permit, server) = (server.permit(false, &self.space).await?, Arc::clone(server));
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            self.run(&server, &mut |_| {}, None, None)
        });
        let json = done.await.map_err(|_| Problem::broken())??;
        serde_json::from_str(&json).map_err(|_| Problem::broken())
    }

    fn run<'a>(
        self,
        server: &Server,
        progress: &'a mut dyn FnMut(Progress),
        on_text: Option<&'a mut dyn FnMut(&str)>,
        out: Option<&'a mut dyn Write>,
    ) -> Result<String, Problem> {
        let _counted = server.metrics.count_running();
        let (sees_store, began) = (self.identity.sees_store(), Instant::now());
        let caller = self.identity.caller(self.space, self.names_space, self.operation);
        let carried = match (self.files, out) {
            (Some(files), _) => Some(Carried::Uploads(files)),
            (None, Some(out)) => Some(Carried::Download(out)),
            (None, None) => None,
        };
        let call =
            Call { cancel: self.cancel.clone(), progress: Some(progress), on_text, carried, ..Call::new(caller) };
        let replied = server.engine.call(self.verb, call, self.arguments);
        if self.verb.name.ends_with("_key") {
            server.identities.forget();
        }
        let problem = |error: Error| match error.code() {
            "cancelled" if server.is_stopping() => {
                let what = "the server is stopping; nothing more was stored";
                Problem::new(
                    StatusCode::SERVICE_UNAVAILABLE,
                    "stopping",
                    what,
                    "send the request again with the same id",
                )
                .after(1)
            }
            "cancelled" if began.elapsed() >= server.settings.config.call_time => {
                let what = "the call took longer than server.call_seconds allows";
                let remedy = "ask for less, or send `Prefer: respond-async`";
                Problem::new(StatusCode::GATEWAY_TIMEOUT, "timeout", what, remedy)
            }
            _ if sees_store => Problem::from(error),
            _ => Problem::from(error).for_strangers(),
        };
        let text = replied.map_err(problem)?;
        Replied::to_json(&text).map_err(|_| Problem::broken())
    }
}

/// The operation id: of the header, of the arguments, or a new one.
fn operation(
    headers: &HeaderMap,
    arguments: &mut Map<String, Value>,
    verb: &VerbEntry,
) -> Result<OperationId, Problem> {
    let header = match headers.get("idempotency-key").map(HeaderValue::to_str) {
        None => None,
        Some(Ok(id)) => Some(id.trim_matches('"').to_owned()),
        Some(Err(_)) => return Err(refused("the Idempotency-Key is not plain text")),
    };
    let takes_id = verb.effect != Effect::Reads && verb.schema()["properties"].get("operation").is_some();
    let argument = arguments.get("operation").and_then(Value::as_str).map(str::to_owned).filter(|_| takes_id);
    let given = match (header, argument) {
        (Some(header), Some(argument)) if header != argument => {
            return Err(refused("the Idempotency-Key and the argument `operation` differ"));
        }
        (Some(id), _) | (None, Some(id)) => Some(id),
        (None, None) => None,
    };
    let id = given.unwrap_or_else(|| uuid::Uuid::new_v4().to_string());
    OperationId::parse(&id).map_err(|invalid| Error::from(invalid).into())
}

fn refused(what: &str) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "invalid", what, "send one operation id, as the header or as the argument")
}

/// A verb that reads files gets the names of those that were sent.
fn name_files(verb: &VerbEntry, arguments: &mut Map<String, Value>, files: &[Upload]) -> Result<(), Problem> {
    if let Some(path) = arguments.keys().find(|name| is_path(name)) {
        let what = format!("{path} names files of the server, but files were sent");
        return Err(Problem::new(StatusCode::BAD_REQUEST, "invalid", what, format!("leave out {path}")));
    }
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    match verb.schema()["properties"].get("paths") {
        Some(_) => arguments.insert("paths".to_owned(), json!(names)),
        None => arguments.insert("file".to_owned(), json!(names.first())),
    };
    Ok(())
}

/// What a verb writes, in parts of some size.
struct Parts {
    send: Sender<Part>,
    waiting: Vec<u8>,
    cancel: Cancel,
}

/// Passes a part on when the client has room for it, unless the call is cancelled meanwhile, or its time is over.
fn pass_on(send: &Sender<Part>, part: Bytes, cancel: &Cancel) -> io::Result<()> {
    const GLANCE: Duration = Duration::from_millis(5);
    let mut part = Ok(part);
    loop {
        match send.try_send(part) {
            Ok(()) => return Ok(()),
            Err(TrySendError::Full(_)) if cancel.is_cancelled() => return Err(io::ErrorKind::TimedOut.into()),
            Err(TrySendError::Full(again)) => part = again,
            Err(TrySendError::Closed(_)) => return Err(io::ErrorKind::BrokenPipe.into()),
        }
        std::thread::sleep(GLANCE);
    }
}

impl Write for Parts {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= DOWNLOAD_PART_BYTES {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let part = Bytes::from(std::mem::take(&mut self.waiting));
        pass_on(&self.send, part, &self.cancel)
    }
}

/// Whether a client takes this kind of reply, and says so by its name.
fn accepts(headers: &HeaderMap, kind: &str) -> bool {
    let given = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let mut kinds =
        given.flat_map(|value| value.split(',')).map(|one| one.split(';').next().unwrap_or_default().trim());
    kinds.any(|one| one.eq_ignore_ascii_case(kind))
}

/// Whether a client does not want to wait (RFC 7240).
pub(crate) fn prefers_async(headers: &HeaderMap) -> bool {
    let given = headers.get_all("prefer").iter().filter_map(|value| value.to_str().ok());
    let mut wishes = given.flat_map(|value| value.split([',', ';'])).map(str::trim);
    wishes.any(|wish| wish.eq_ignore_ascii_case("respond-async"))
}

pub(crate) fn json_reply(status: StatusCode, json: impl Into<Bytes>) -> Reply {
    let mut reply = Reply::new(whole(json));
    *reply.status_mut() = status;
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    reply
}

fn sse(name: &str, data: &str) -> Bytes {
    // JSON has no line breaks.
    Bytes::from(format!("event: {name}\ndata: {data}\n\n"))
}

fn escaped(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}
