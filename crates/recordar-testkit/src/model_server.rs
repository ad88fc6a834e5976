//! A loopback server that responds as a test tells it to, well or badly: it stands in for a misbehaving language model.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A request.
#[derive(Debug, Clone)]
pub struct Received {
    pub path: String,
    /// By lower-case name.
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

/// A response.
#[derive(Debug, Clone)]
pub enum Answer {
    /// A well-formed response.
    Http {
        status: u16,
        headers: Vec<(String, String)>,
        body: Vec<u8>,
    },
    /// A well-formed response whose body comes in pieces of a number of bytes.
    Pieces {
        headers: Vec<(String, String)>,
        body: Vec<u8>,
        size: usize,
    },
    /// These bytes, whatever they are; then the connection is closed.
    Raw(Vec<u8>),
    /// A start, and then the same piece as long as the client reads.
    Endless {
        start: Vec<u8>,
        piece: Vec<u8>,
    },
    /// A start, then the same piece a number of times; then the connection is closed.
    Repeated {
        start: Vec<u8>,
        piece: Vec<u8>,
        times: usize,
    },
    /// A start, and nothing more, as long as the client waits.
    Silence(Vec<u8>),
    HangUp,
}

impl Answer {
    pub fn json(body: impl ToString) -> Self {
        Self::status(200, body)
    }

    pub fn status(status: u16, body: impl ToString) -> Self {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        Self::Http { status, headers, body: body.to_string().into_bytes() }
    }

    pub fn stream(body: impl Into<Vec<u8>>, size: usize) -> Self {
        Self::Pieces {
            headers: vec![("content-type".to_owned(), "text/event-stream".to_owned())],
            body: body.into(),
            size,
        }
    }
}

type Handler = dyn Fn(&Received) -> Answer + Send + Sync;

/// Ends when it is dropped.
pub struct ModelServer {
    port: u16,
    is_over: Arc<AtomicBool>,
    received: Arc<Mutex<Vec<Received>>>,
    open: Arc<AtomicUsize>,
}

const GLANCE: Duration = Duration::from_millis(20);
const MAX_BODY_BYTES: usize = 64 * 1024 * 1024;

impl ModelServer {
    pub fn start(handler: impl Fn(&Received) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port on loopback");
        let port = listener.local_addr().expect("an address").port();
        let (is_over, received) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
        let handler: Arc<Handler> = Arc::new(handler);
        let (over, log) = (Arc::clone(&is_over), Arc::clone(&received));
        let open = Arc::new(AtomicUsize::new(0));
        let now_open = Arc::clone(&open);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::Acquire) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let (handler, over, log) = (Arc::clone(&handler), Arc::clone(&over), Arc::clone(&log));
                let opened = Opened::new(&now_open);
                std::thread::spawn(move || {
                    // A connection that breaks is what these tests are about.
                    let _ = serve(stream, &*handler, &over, &log);
                    drop(opened);
                });
            }
        });
        Self { port, is_over, received, open }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/v1", self.port)
    }

    /// All requests so far.
    pub fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The number of open connections.
    pub fn open_connections(&self) -> usize {
        self.open.load(Ordering::Acquire)
    }
}

/// Counts a connection while it is served, even if a handler panics.
struct Opened(Arc<AtomicUsize>);

impl Opened {
    fn new(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(count))
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        drop(TcpStream::connect(("127.0.0.1", self.port)));
    }
}

fn serve(
    stream: TcpStream,
    handler: &Handler,
    is_over: &AtomicBool,
    log: &Mutex<Vec<Received>>,
) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(GLANCE))?;
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(Patient { stream, is_over });
    while let Some(received) = read_request(&mut reader)? {
        log.lock().unwrap_or_else(PoisonError::into_inner).push(received.clone());
        match handler(&received) {
            Answer::Http { status, headers, body } => {
                writer.write_all(head(status, &headers, body.len()).as_bytes())?;
                writer.write_all(&body)?;
            }
            Answer::Pieces { headers, body, size } => {
                writer.write_all(head(200, &headers, body.len()).as_bytes())?;
                for piece in body.chunks(size.max(1)) {
                    writer.write_all(piece)?;
                    writer.flush()?;
                }
            }
            Answer::Raw(bytes) => return writer.write_all(&bytes),
            Answer::Endless { start, piece } => {
                writer.write_all(&start)?;
                while !is_over.load(Ordering::Acquire) {
                    writer.write_all(&piece)?;
                }
                return Ok(());
            }
            Answer::Repeated { start, piece, times } => {
                writer.write_all(&start)?;
                return (0..times).try_for_each(|_| writer.write_all(&piece));
            }
            Answer::Silence(start) => {
                writer.write_all(&start)?;
                // Ends when the other side does, or the server.
                return std::io::copy(&mut reader, &mut std::io::sink()).map(drop);
            }
            Answer::HangUp => return Ok(()),
        }
    }
    Ok(())
}

fn head(status: u16, headers: &[(String, String)], length: usize) -> String {
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    format!("HTTP/1.1 {status} X\r\n{headers}content-length: {length}\r\n\r\n")
}

fn read_request(reader: &mut impl BufRead) -> std::io::Result<Option<Received>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length.min(MAX_BODY_BYTES)];
    reader.read_exact(&mut body)?;
    Ok(Some(Received { path, headers, body: String::from_utf8_lossy(&body).into_owned() }))
}

/// Reads until there is something, the other side ends, or the server does.
struct Patient<'a> {
    stream: TcpStream,
    is_over: &'a AtomicBool,
}

impl Read for Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    if self.is_over.load(Ordering::Acquire) {
                        return Ok(0);
                    }
                }
                read => return read,
            }
        }
    }
}
