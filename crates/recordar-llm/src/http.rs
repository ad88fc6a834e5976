//! The only file that does HTTP. A request runs on its own thread, so that a call can be cancelled at any moment; incoming
//! bytes are limited, redirects are not followed, and every resolved address is checked before it is called.

use crate::address::{is_metadata_name, refusal};
use crate::error::{ErrorKind, Failure};
use crate::gate::CANCEL_CHECK_INTERVAL;
use recordar_domain::Cancel;
use std::io::Read;
use std::net::IpAddr;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Proxy};
use url::{Host, Url};

/// A longer reply is refused. The longest replies of models have tens of thousands of tokens, each with some 300 bytes of overhead.
pub(crate) const MAX_REPLY_BYTES: usize = 8 * 1024 * 1024;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const BUFFER_BYTES: usize = 16 * 1024;
/// The number of pieces that may wait to be read; beyond it the server waits.
const QUEUE: usize = 16;

/// Connections to one server. An agent belongs to one call at a time, so that cancelling a call closes only its connection.
pub(crate) struct Http {
    base: Url,
    sends_key: bool,
    idle: Mutex<Vec<Agent>>,
}

pub(crate) struct Post {
    pub(crate) path: String,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

/// A reply whose body is still coming in.
pub(crate) struct Incoming<'a> {
    http: &'a Http,
    agent: Option<Agent>,
    events: Receiver<Event>,
    cancel: &'a Cancel,
    deadline: Instant,
    timeout: Duration,
    bytes: usize,
    pub(crate) status: u16,
    pub(crate) retry_after: Option<Duration>,
    /// The target of a redirect.
    pub(crate) location: Option<String>,
}

enum Event {
    Head { status: u16, retry_after: Option<Duration>, location: Option<String> },
    Bytes(Vec<u8>),
    End,
    Failed(Failure),
}

impl Http {
    /// Refuses an address that is invalid as written.
    pub(crate) fn new(base: Url, sends_key: bool) -> Result<Self, String> {
        let plain_key = sends_key && base.scheme() != "https";
        let refused = match base.host() {
            _ if !matches!(base.scheme(), "http" | "https") => Some("it does not start with http:// or https://"),
            _ if !base.username().is_empty() || base.password().is_some() => Some("it contains a user or a password"),
            _ if base.query().is_some() || base.fragment().is_some() => Some("it contains a ? or a #"),
            None => Some("it names no host"),
            Some(Host::Domain(name)) if is_metadata_name(name) => Some("it names a cloud metadata service"),
            Some(Host::Domain(_)) => None,
            Some(Host::Ipv4(ip)) => refusal(IpAddr::V4(ip), plain_key),
            Some(Host::Ipv6(ip)) => refusal(IpAddr::V6(ip), plain_key),
        };
        refused.map_or(Ok(Self { base, sends_key, idle: Mutex::default() }), |why| Err(why.to_owned()))
    }

    fn base_url(&self) -> &str {
        self.base.as_str().trim_end_matches('/')
    }

    /// The same for messages: some addresses have a key in the path.
    pub(crate) fn shown_url(&self) -> String {
        const MAX_SEGMENT: usize = 16;
        let shown = |segment: &str| if segment.len() > MAX_SEGMENT { "…".to_owned() } else { segment.to_owned() };
        let path: Vec<String> = self.base.path_segments().into_iter().flatten().map(shown).collect();
        format!("{}://{}/{}", self.base.scheme(), self.host(), path.join("/")).trim_end_matches('/').to_owned()
    }

    /// The server, for messages.
    pub(crate) fn host(&self) -> String {
        let host = self.base.host_str().unwrap_or_default();
        self.base.port().map_or(host.to_owned(), |port| format!("{host}:{port}"))
    }

    pub(crate) fn post<'a>(
        &'a self,
        post: Post,
        timeout: Duration,
        cancel: &'a Cancel,
    ) -> Result<Incoming<'a>, Failure> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let agent = idle.unwrap_or_else(|| self.agent());
        let url = format!("{}{}", self.base_url(), post.path);
        let (sender, events) = sync_channel(QUEUE);
        let worker = agent.clone();
        std::thread::Builder::new()
            .name("recordar-llm".to_owned())
            .spawn(move || {
                if let Err(failure) = send_and_forward(&worker, &url, &post, timeout, &sender) {
                    // The receiver may be gone.
                    let _ = sender.send(Event::Failed(failure));
                }
            })
            .map_err(|error| {
                let what = format!("cannot start a thread: {error}");
                Failure::fatal(ErrorKind::Away, what, "close other programs, or lower llm.concurrency")
            })?;
        let deadline = Instant::now() + timeout;
        let mut incoming = Incoming {
            http: self,
            agent: Some(agent),
            events,
            cancel,
            deadline,
            timeout,
            bytes: 0,
            status: 0,
            retry_after: None,
            location: None,
        };
        if let Event::Head { status, retry_after, location } = incoming.next_event()? {
            (incoming.status, incoming.retry_after, incoming.location) = (status, retry_after, location);
        }
        Ok(incoming)
    }

    /// A body in pieces, as if it had come from the network: for fuzzing.
    pub(crate) fn given<'a>(&'a self, status: u16, pieces: Vec<Vec<u8>>, cancel: &'a Cancel) -> Incoming<'a> {
        let (sender, events) = sync_channel(pieces.len() + 1);
        for event in pieces.into_iter().map(Event::Bytes).chain([Event::End]) {
            // There is room for all of them, and the receiver is below.
            let _ = sender.send(event);
        }
        let timeout = CONNECT_TIMEOUT;
        Incoming {
            http: self,
            agent: None,
            events,
            cancel,
            deadline: Instant::now() + timeout,
            timeout,
            bytes: 0,
            status,
            retry_after: None,
            location: None,
        }
    }

    fn agent(&self) -> Agent {
        let is_here = match self.base.host() {
            Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
            Some(Host::Ipv4(ip)) => ip.is_loopback(),
            Some(Host::Ipv6(ip)) => ip.is_loopback(),
            None => false,
        };
        // A proxy resolves names itself, unchecked; then only the provider's certificate identifies the server.
        let has_proxy = self.base.scheme() == "https" && !is_here;
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(if has_proxy { Proxy::try_from_env() } else { None })
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .timeout_resolve(Some(CONNECT_TIMEOUT))
            .max_idle_connections_per_host(1)
            .user_agent(concat!("recordar/", env!("CARGO_PKG_VERSION")))
            .build();
        let plain_key = self.sends_key && self.base.scheme() != "https";
        let resolver = CheckedResolver { inner: DefaultResolver::default(), plain_key };
        Agent::with_parts(config, DefaultConnector::new(), resolver)
    }
}

impl Incoming<'_> {
    /// The next piece of the body; none at its end.
    pub(crate) fn next(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        match self.next_event()? {
            Event::Bytes(bytes) => {
                self.bytes += bytes.len();
                if self.bytes > MAX_REPLY_BYTES {
                    let what = format!("the reply is longer than {} MiB", MAX_REPLY_BYTES >> 20);
                    let remedy = "check that llm.base_url is the address of a language model";
                    return Err(Failure::fatal(ErrorKind::Unfit, what, remedy).may_cost());
                }
                Ok(Some(bytes))
            }
            _ => {
                let agent = self.agent.take();
                self.http.idle.lock().unwrap_or_else(PoisonError::into_inner).extend(agent);
                Ok(None)
            }
        }
    }

    pub(crate) fn whole(&mut self) -> Result<Vec<u8>, Failure> {
        let mut body = Vec::new();
        while let Some(bytes) = self.next()? {
            body.extend(bytes);
        }
        Ok(body)
    }

    fn next_event(&mut self) -> Result<Event, Failure> {
        loop {
            if self.cancel.is_cancelled() {
                return Err(Failure::cancelled().may_cost());
            }
            let left = self.deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(timed_out(self.timeout));
            }
            match self.events.recv_timeout(left.min(CANCEL_CHECK_INTERVAL)) {
                Ok(Event::Failed(failure)) => return Err(failure),
                Ok(event) => return Ok(event),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(broken_off("its thread ended unexpectedly")),
            }
        }
    }
}

impl Drop for Incoming<'_> {
    /// Closes the connection of a body that was not read to its end.
    fn drop(&mut self) {
        if let Some(agent) = self.agent.take() {
            agent.shutdown();
        }
    }
}

/// Sends a request, and passes on the reply as long as the receiver is there.
fn send_and_forward(
    agent: &Agent,
    url: &str,
    post: &Post,
    timeout: Duration,
    sender: &SyncSender<Event>,
) -> Result<(), Failure> {
    let mut request = agent.post(url).config().timeout_global(Some(timeout)).build();
    for (name, value) in &post.headers {
        request = request.header(*name, value);
    }
    let response = request.send(&post.body[..]).map_err(|error| failure(error, timeout))?;
    let header = |name: &str| response.headers().get(name)?.to_str().ok().map(str::to_owned);
    let head = Event::Head {
        status: response.status().as_u16(),
        retry_after: retry_after(&header),
        location: header("location"),
    };
    if sender.send(head).is_err() {
        return Ok(());
    }
    let mut reader = response.into_body().into_reader();
    loop {
        let mut buffer = vec![0; BUFFER_BYTES];
        let read = reader.read(&mut buffer).map_err(|error| match ureq::Error::from(error) {
            ureq::Error::Timeout(_) => timed_out(timeout),
            ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::TimedOut => timed_out(timeout),
            ureq::Error::Io(error) => broken_off(&error.to_string()),
            error => broken_off(&error.to_string()),
        })?;
        buffer.truncate(read);
        let event = if read == 0 { Event::End } else { Event::Bytes(buffer) };
        if sender.send(event).is_err() || read == 0 {
            return Ok(());
        }
    }
}

/// The wait that a server asks for: milliseconds, whole or fractional seconds, or a date, which is compared with the server's own.
fn retry_after(header: &dyn Fn(&str) -> Option<String>) -> Option<Duration> {
    let number = |name: &str| header(name)?.trim().parse::<f64>().ok().filter(|n| n.is_finite() && *n >= 0.0);
    let date = |name: &str| jiff::fmt::rfc2822::parse(header(name)?.trim()).ok();
    let until =
        || Some(date("retry-after")?.timestamp().duration_since(date("date")?.timestamp()).as_secs_f64().max(0.0));
    let wait = number("retry-after-ms").map(|ms| ms / 1e3).or_else(|| number("retry-after")).or_else(until)?;
    // A day counts as never.
    Some(Duration::from_secs_f64(wait.min(86_400.0)))
}

fn failure(error: ureq::Error, timeout: Duration) -> Failure {
    use ureq::{Error, Timeout};
    const CHECK: &str = "check llm.base_url and the network, and that the server is running";
    let away = |what: String| Failure::passing(ErrorKind::Away, what, CHECK);
    match error {
        Error::Timeout(Timeout::Resolve | Timeout::Connect) => away("the connection timed out".to_owned()),
        Error::Timeout(_) => timed_out(timeout),
        Error::HostNotFound => away("its host name cannot be resolved".to_owned()),
        Error::ConnectionFailed => away("the connection failed".to_owned()),
        Error::Io(error) if error.kind() == std::io::ErrorKind::ConnectionRefused => {
            away("connection refused".to_owned())
        }
        Error::Io(error) if error.kind() == std::io::ErrorKind::TimedOut => timed_out(timeout),
        Error::Io(error) if is_unreachable(error.kind()) => away(format!("no route to the server: {error}")),
        Error::Io(error) if error.get_ref().is_some_and(|inner| inner.is::<rustls::Error>()) => untrusted_server(),
        Error::Io(error) => broken_off(&error.to_string()),
        Error::Other(refused) => {
            Failure::fatal(ErrorKind::Rejected, refused.to_string(), "set llm.base_url to the address of the provider")
        }
        error @ (Error::Protocol(_) | Error::LargeResponseHeader(..)) => Failure::passing(
            ErrorKind::Away,
            format!("invalid HTTP response: {error}"),
            "check that llm.base_url is the address of a language model",
        )
        .may_cost(),
        error => Failure::fatal(ErrorKind::Away, format!("the connection failed: {error}"), CHECK),
    }
}

/// Before anything was sent.
fn is_unreachable(kind: std::io::ErrorKind) -> bool {
    use std::io::ErrorKind::{AddrNotAvailable, HostUnreachable, NetworkDown, NetworkUnreachable};
    matches!(kind, AddrNotAvailable | HostUnreachable | NetworkDown | NetworkUnreachable)
}

fn untrusted_server() -> Failure {
    let remedy =
        "use https:// in llm.base_url only for a server that supports TLS, with a certificate from a known authority";
    Failure::fatal(ErrorKind::Away, "cannot establish a trusted TLS connection", remedy)
}

fn timed_out(timeout: Duration) -> Failure {
    let what = format!("it did not finish its reply within {} s", timeout.as_secs_f64());
    let remedy = "try again later, raise llm.timeout_seconds, or lower llm.max_output_tokens";
    // A retry would take as long and cost as much.
    Failure::fatal(ErrorKind::Away, what, remedy).may_cost()
}

fn broken_off(why: &str) -> Failure {
    let what = format!("the connection was lost: {why}");
    Failure::passing(ErrorKind::Away, what, "try again; if it keeps happening, check the server's log").may_cost()
}

/// Resolves names as usual, and refuses addresses that must not be called.
#[derive(Debug)]
struct CheckedResolver {
    inner: DefaultResolver,
    plain_key: bool,
}

impl Resolver for CheckedResolver {
    fn resolve(
        &self,
        uri: &ureq::http::Uri,
        config: &ureq::config::Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.inner.resolve(uri, config, timeout).map_err(|error| match error {
            ureq::Error::Io(_) => ureq::Error::HostNotFound,
            error => error,
        })?;
        match found.iter().find_map(|address| refusal(address.ip(), self.plain_key)) {
            Some(why) => Err(ureq::Error::Other(format!("{}: {why}", uri.host().unwrap_or_default()).into())),
            None => Ok(found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_can_be_seen_to_be_wrong_are_refused_at_once() {
        let check = |url: &str, sends_key: bool, why: &str| {
            let refused = Http::new(Url::parse(url).unwrap(), sends_key).map(drop).unwrap_err();
            assert!(refused.contains(why), "{url}: {refused}");
        };
        check("ftp://example.org/v1", false, "http");
        check("http://169.254.169.254/latest", false, "metadata");
        check("http://[::ffff:169.254.169.254]/v1", false, "metadata");
        check("http://metadata.google.internal/v1", false, "metadata");
        check("http://8.8.8.8/v1", true, "unencrypted");
        check("https://me:pass@example.org/v1", false, "password");
        check("https://example.org/v1?key=1", false, "?");
        assert!(Http::new(Url::parse("http://127.0.0.1:1/v1").unwrap(), true).is_ok());
    }

    #[test]
    fn waits_are_read_as_servers_write_them() {
        let check = |millis: Option<&str>, seconds: Option<&str>, wait: Option<f64>| {
            let header = |name: &str| match name {
                "retry-after-ms" => millis.map(str::to_owned),
                "retry-after" => seconds.map(str::to_owned),
                _ => Some("Sun, 15 Nov 2026 13:59:30 GMT".to_owned()),
            };
            assert_eq!(retry_after(&header), wait.map(Duration::from_secs_f64), "{millis:?} {seconds:?}");
        };
        check(None, Some("2"), Some(2.0));
        check(Some("250"), Some("2"), Some(0.25));
        check(None, Some("0.5"), Some(0.5));
        check(None, Some("1e300"), Some(86_400.0));
        check(None, Some("-1"), None);
        check(None, Some("Sun, 15 Nov 2026 14:00:00 GMT"), Some(30.0));
        check(None, Some("Sun, 15 Nov 2026 13:00:00 GMT"), Some(0.0));
        check(None, Some("soon"), None);
        check(None, Some("NaN"), None);
    }
}
