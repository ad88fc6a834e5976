//! Connections: listening, TLS, and stopping without losing anything.

use crate::patient::Patient;
use crate::respond::respond;
use crate::server::Server;
use crate::settings::Settings;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use recordar::config::TlsFiles;
use recordar::{Error, Recordar};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{Notify, Semaphore};
use tokio_rustls::TlsAcceptor;

/// What happens to a server.
#[derive(Debug, Clone)]
pub enum Event {
    Started(Started),
    /// It accepts nothing more, and waits for running calls.
    Stopping,
}

/// How a server listens, once it does.
#[derive(Debug, Clone)]
pub struct Started {
    pub addr: SocketAddr,
    pub is_tls: bool,
    /// Whether calls need a key.
    pub needs_key: bool,
}

/// More headers are refused, and longer ones.
const MAX_HEADERS: usize = 64;
const MAX_HEADER_BYTES: usize = 64 * 1024;

/// Stops a server that runs within another program. Clones stop the same one.
#[derive(Debug, Clone, Default)]
pub struct Stopper(Arc<Notify>);

impl Stopper {
    /// Asks it to stop; asked once more while it stops, it cancels running calls.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

/// Serves until the process is told to stop (SIGTERM, Ctrl-C), and then until running calls have ended, or their time is over.
pub fn serve(engine: Recordar, settings: Settings, told: impl FnMut(Event)) -> Result<(), Error> {
    serve_with(engine, settings, Stop::by_signals, told)
}

/// The same within another program, whose signals are left alone.
pub fn serve_until(
    engine: Recordar,
    settings: Settings,
    stopper: Stopper,
    told: impl FnMut(Event),
) -> Result<(), Error> {
    serve_with(engine, settings, || Ok(Stop::ByHand(stopper)), told)
}

fn serve_with(
    engine: Recordar,
    settings: Settings,
    stop: impl FnOnce() -> std::io::Result<Stop>,
    mut told: impl FnMut(Event),
) -> Result<(), Error> {
    raise_file_limit();
    let needs_key = check_keys(&engine, &settings)?;
    let tls = settings.config.tls.as_ref().map(acceptor).transpose()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| cannot_serve(&error.to_string()))?;
    // The driver of PostgreSQL has a runtime of its own, which must not end within this one.
    let kept = engine.clone();
    let served = runtime.block_on(async {
        let addr = settings.config.addr;
        let listener = TcpListener::bind(addr).await.map_err(|error| cannot_serve(&format!("{addr}: {error}")))?;
        let addr = listener.local_addr().unwrap_or(addr);
        let server = Arc::new(Server::new(engine, settings)?);
        // From here on, whoever stops it waits for a clean end.
        let stop = stop().map_err(|error| cannot_serve(&error.to_string()))?;
        told(Event::Started(Started { addr, is_tls: tls.is_some(), needs_key }));
        accept_until(&server, listener, tls, stop, || told(Event::Stopping)).await;
        Ok(())
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
    drop(kept);
    served
}

/// What stops a server.
enum Stop {
    /// SIGTERM and Ctrl-C.
    BySignals {
        terminated: Signal,
        interrupted: Signal,
    },
    ByHand(Stopper),
}

impl Stop {
    fn by_signals() -> std::io::Result<Self> {
        let (terminated, interrupted) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        Ok(Self::BySignals { terminated, interrupted })
    }

    async fn asked(&mut self) {
        match self {
            Self::BySignals { terminated, interrupted } => tokio::select! {
                _ = terminated.recv() => {}
                _ = interrupted.recv() => {}
            },
            Self::ByHand(Stopper(asked)) => asked.notified().await,
        }
    }
}

/// A connection and a file that is sent are open files, and the usual limit of 1,024 is a low one.
fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
}

/// Whether calls need a key. Others than this machine may call only if there are keys.
fn check_keys(engine: &Recordar, settings: &Settings) -> Result<bool, Error> {
    if !settings.is_public() {
        return engine.had_keys();
    }
    if engine.has_keys()? {
        return Ok(true);
    }
    let what = match settings.is_local() {
        true => "server.trusted_proxies or server.allowed_hosts open the server to other machines, and there is no valid key".to_owned(),
        false => format!("other machines can reach {}, and there is no valid key", settings.config.addr),
    };
    let remedy = "make a key first: `recordar keys new NAME --admin`";
    Err(Error::input("no_keys", what, remedy))
}

async fn accept_until(
    server: &Arc<Server>,
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
    mut stop: Stop,
    stopping: impl FnOnce(),
) {
    let graceful = GracefulShutdown::new();
    let connections = Arc::new(Semaphore::new(server.settings.config.max_connections));
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.asked() => break,
        };
        // Out of file descriptors, or a client that was gone at once.
        let Ok((stream, peer)) = accepted else {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        // One too many is closed rather than kept waiting.
        let Ok(permit) = Arc::clone(&connections).try_acquire_owned() else { continue };
        let (server, tls, watcher) = (Arc::clone(server), tls.clone(), graceful.watcher());
        tokio::spawn(async move {
            let _permit = permit;
            server.metrics.connections.fetch_add(1, Ordering::Relaxed);
            connect(&server, stream, peer, tls, watcher).await;
            server.metrics.connections.fetch_sub(1, Ordering::Relaxed);
        });
    }
    // Whoever connects from now on is refused, and can turn to another server.
    drop(listener);
    server.stop();
    stopping();
    let drained = async {
        graceful.shutdown().await;
        server.calls_done().await;
    };
    let is_drained = tokio::select! {
        drained = tokio::time::timeout(server.settings.config.drain_time, drained) => drained.is_ok(),
        // Asked again: at once.
        () = stop.asked() => false,
    };
    if !is_drained {
        server.running.cancel_all();
        let _ = tokio::time::timeout(Duration::from_secs(5), server.calls_done()).await;
    }
}

async fn connect(
    server: &Arc<Server>,
    stream: TcpStream,
    peer: SocketAddr,
    tls: Option<TlsAcceptor>,
    watcher: Watcher,
) {
    let _ = stream.set_nodelay(true);
    let idle = server.settings.config.idle_time;
    match tls {
        None => serve_connection(server, stream, peer, false, watcher).await,
        Some(tls) => {
            if let Ok(Ok(stream)) = tokio::time::timeout(idle, tls.accept(stream)).await {
                serve_connection(server, stream, peer, true, watcher).await;
            }
        }
    }
}

async fn serve_connection<S>(server: &Arc<Server>, stream: S, peer: SocketAddr, is_tls: bool, watcher: Watcher)
where
    S: AsyncRead + AsyncWrite + Unpin + 'static,
{
    let idle = server.settings.config.idle_time;
    let service = service_fn(|request| {
        let server = Arc::clone(server);
        async move { Ok::<_, Infallible>(respond(server, peer, is_tls, request).await) }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(idle).max_headers(MAX_HEADERS).max_buf_size(MAX_HEADER_BYTES);
    let connection = builder.serve_connection(TokioIo::new(Patient::new(stream, idle)), service);
    // A client that goes, or is too slow, is no error of ours.
    let _ = watcher.watch(connection).await;
}

fn acceptor(files: &TlsFiles) -> Result<TlsAcceptor, Error> {
    let failed = |path: &std::path::Path, error: &dyn std::fmt::Display| {
        let what = format!("{} cannot be used for TLS: {error}", path.display());
        Error::input("tls", what, "check server.tls_certificate and server.tls_key: PEM files that belong together")
    };
    let certificates = CertificateDer::pem_file_iter(&files.certificate)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| failed(&files.certificate, &error))?;
    if certificates.is_empty() {
        return Err(failed(&files.certificate, &"it contains no certificate"));
    }
    let key = PrivateKeyDer::from_pem_file(&files.key).map_err(|error| failed(&files.key, &error))?;
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(certificates, key))
        .map_err(|error| failed(&files.certificate, &error))?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}

fn cannot_serve(why: &str) -> Error {
    let what = format!("the server could not start: {why}");
    Error::input("cannot_serve", what, "choose another address with --addr, or stop the program that uses it")
}
