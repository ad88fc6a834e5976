//! The settings of the HTTP server. Only the user may decide them: they open doors, name certificates and write files.

use super::Reader;
use recordar_domain::Invalid;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;
use toml::Value;

pub(super) const KEYS: [&str; 17] = [
    "server.addr",
    "server.tls_certificate",
    "server.tls_key",
    "server.trusted_proxies",
    "server.allowed_hosts",
    "server.allowed_origins",
    "server.audit_file",
    "server.otlp_endpoint",
    "server.max_body_mib",
    "server.max_upload_mib",
    "server.max_connections",
    "server.max_calls",
    "server.max_long_calls",
    "server.requests_per_second",
    "server.call_seconds",
    "server.idle_seconds",
    "server.drain_seconds",
];

/// How a server listens, whom it trusts, and its limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerConfig {
    pub addr: SocketAddr,
    pub tls: Option<TlsFiles>,
    /// Whose X-Forwarded headers are believed.
    pub trusted_proxies: Vec<IpAddr>,
    /// Names under which it may be called, besides those of the machine itself.
    pub allowed_hosts: Vec<String>,
    /// Web pages of these origins may call it.
    pub allowed_origins: Vec<String>,
    pub audit_file: Option<PathBuf>,
    /// Where traces are sent, as OTLP over HTTP.
    pub otlp_endpoint: Option<String>,
    pub max_body_bytes: u64,
    pub max_upload_bytes: u64,
    pub max_connections: usize,
    /// How many short calls run at a time, and how many long ones.
    pub max_calls: usize,
    pub max_long_calls: usize,
    /// Of one key, or of one address without a key.
    pub requests_per_second: u32,
    pub call_time: Duration,
    /// How long a client may take to send a request, or to take a part of a reply.
    pub idle_time: Duration,
    /// How long running calls may go on after a request to stop.
    pub drain_time: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsFiles {
    pub certificate: PathBuf,
    pub key: PathBuf,
}

const MIB: u64 = 1024 * 1024;

impl Reader<'_> {
    pub(super) fn server(&mut self) -> Option<ServerConfig> {
        let addr = self.checked("server.addr", "127.0.0.1:7343", "an address and a port", parse_addr);
        let (certificate, key) = (self.path("server.tls_certificate"), self.path("server.tls_key"));
        let tls = match (certificate, key) {
            (Some(certificate), Some(key)) => Some(TlsFiles { certificate, key }),
            (None, None) => None,
            (Some(_), None) => self.half("server.tls_key"),
            (None, Some(_)) => self.half("server.tls_certificate"),
        };
        let mut proxies = Vec::new();
        for name in self.texts("server.trusted_proxies") {
            match name.parse() {
                Ok(address) => proxies.push(address),
                Err(_) => {
                    self.mistake("server.trusted_proxies", &name, "IP addresses", "write for example [\"10.0.0.5\"]")
                }
            }
        }
        let mut seconds = |key: &str, default: i64| Duration::from_secs(self.int(key, default, 1, 86_400) as u64);
        let call_time = seconds("server.call_seconds", 600);
        let idle_time = seconds("server.idle_seconds", 20);
        let drain_time = seconds("server.drain_seconds", 30);
        Some(ServerConfig {
            tls,
            trusted_proxies: proxies,
            allowed_hosts: self.texts("server.allowed_hosts"),
            allowed_origins: self.texts("server.allowed_origins"),
            audit_file: self.path("server.audit_file"),
            otlp_endpoint: self.optional_text("server.otlp_endpoint"),
            max_body_bytes: self.int("server.max_body_mib", 16, 1, 1024) as u64 * MIB,
            max_upload_bytes: self.int("server.max_upload_mib", 256, 1, 65_536) as u64 * MIB,
            max_connections: self.int("server.max_connections", 1024, 1, 100_000) as usize,
            max_calls: self.int("server.max_calls", 32, 1, 1024) as usize,
            max_long_calls: self.int("server.max_long_calls", 8, 1, 1024) as usize,
            requests_per_second: self.int("server.requests_per_second", 10_000, 1, 1_000_000) as u32,
            call_time,
            idle_time,
            drain_time,
            addr: addr?,
        })
    }

    fn path(&mut self, key: &str) -> Option<PathBuf> {
        let text = self.optional_text(key)?;
        Some(self.folder_of(key).join(text))
    }

    fn half<T>(&mut self, missing: &str) -> Option<T> {
        self.mistake(missing, "not set", "a PEM file", "set both server.tls_certificate and server.tls_key");
        None
    }

    /// A list of strings, empty by default.
    fn texts(&mut self, key: &str) -> Vec<String> {
        let Some(value) = self.get(key) else { return Vec::new() };
        let texts = value.as_array().map(|all| all.iter().map(|one| one.as_str().map(str::to_owned)).collect());
        let texts: Option<Vec<String>> = texts.unwrap_or_default();
        if texts.is_none() || !matches!(value, Value::Array(_)) {
            self.mistake(key, value, "a list of strings", format!("write for example {key} = [\"…\"]"));
        }
        texts.unwrap_or_default()
    }
}

/// An address with a port, or `localhost` with one.
pub fn parse_addr(text: &str) -> Result<SocketAddr, Invalid> {
    let plain = text.strip_prefix("localhost:").map_or(text.to_owned(), |port| format!("127.0.0.1:{port}"));
    plain.parse().map_err(|_| {
        let what = format!("{text:?} is not an address to listen on");
        Invalid::new(what, "use an IP address and a port, such as 127.0.0.1:7343 or 0.0.0.0:443")
    })
}
