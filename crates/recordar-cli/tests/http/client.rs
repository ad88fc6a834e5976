//! A client of a few lines, so that a test can also send what no library would.

use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

pub(crate) struct Client {
    addr: SocketAddr,
    key: Option<String>,
    connection: Option<BufReader<TcpStream>>,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// The JSON of an answer that must have this status.
    pub(crate) fn is(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        self.json()
    }
}

impl Client {
    pub(crate) fn new(addr: SocketAddr, key: Option<&str>) -> Self {
        Self { addr, key: key.map(str::to_owned), connection: None }
    }

    pub(crate) fn call(&mut self, verb: &str, space: &str, arguments: &Value) -> Answer {
        self.call_with(verb, space, arguments, &[])
    }

    pub(crate) fn call_with(&mut self, verb: &str, space: &str, arguments: &Value, headers: &[(&str, &str)]) -> Answer {
        let path = format!("/v1/{verb}?space={space}");
        let headers = [headers, &[("Content-Type", "application/json")]].concat();
        self.send("POST", &path, &headers, arguments.to_string().as_bytes()).unwrap()
    }

    pub(crate) fn get(&mut self, path: &str) -> Answer {
        self.send("GET", path, &[], b"").unwrap()
    }

    /// Sends files beside arguments.
    pub(crate) fn upload(&mut self, path: &str, files: &[(&str, &[u8])], arguments: &Value) -> Answer {
        let mut body = Vec::new();
        let mut part = |head: &str, content: &[u8]| {
            body.extend_from_slice(format!("--here\r\nContent-Disposition: form-data; {head}\r\n\r\n").as_bytes());
            body.extend_from_slice(content);
            body.extend_from_slice(b"\r\n");
        };
        part("name=\"arguments\"", arguments.to_string().as_bytes());
        files.iter().for_each(|(name, content)| part(&format!("name=\"file\"; filename=\"{name}\""), content));
        body.extend_from_slice(b"--here--\r\n");
        self.send("POST", path, &[("Content-Type", "multipart/form-data; boundary=here")], &body).unwrap()
    }

    pub(crate) fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> std::io::Result<Answer> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => BufReader::new(connect(self.addr)?),
        };
        let host = headers
            .iter()
            .find(|(name, _)| *name == "Host")
            .map_or_else(|| self.addr.to_string(), |host| host.1.to_owned());
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {}\r\n", body.len());
        if let Some(key) = &self.key {
            head.push_str(&format!("Authorization: Bearer {key}\r\n"));
        }
        for (name, value) in headers.iter().filter(|(name, _)| *name != "Host") {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        let mut bytes = head.into_bytes();
        bytes.extend_from_slice(body);
        // A server may refuse before it has read everything.
        let sent = connection.get_mut().write_all(&bytes);
        let answer = read(&mut connection).map_err(|error| sent.err().unwrap_or(error))?;
        if answer.headers.get("connection").is_none_or(|value| value != "close") {
            self.connection = Some(connection);
        }
        Ok(answer)
    }
}

pub(crate) fn connect(addr: SocketAddr) -> std::io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&addr, Duration::from_secs(10))?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(Duration::from_secs(120)))?;
    Ok(stream)
}

/// An answer from a connection.
pub(crate) fn read(connection: &mut impl BufRead) -> std::io::Result<Answer> {
    let mut line = || {
        let mut line = String::new();
        match connection.read_line(&mut line)? {
            0 => Err(std::io::ErrorKind::UnexpectedEof.into()),
            _ => Ok::<String, std::io::Error>(line.trim_end().to_owned()),
        }
    };
    let status = line()?.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap();
    let mut headers = BTreeMap::new();
    loop {
        let header = line()?;
        let Some((name, value)) = header.split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let mut body = Vec::new();
    if headers.get("transfer-encoding").is_some_and(|value| value == "chunked") {
        loop {
            let mut size = String::new();
            connection.read_line(&mut size)?;
            let size = usize::from_str_radix(size.trim(), 16).map_err(|_| std::io::ErrorKind::UnexpectedEof)?;
            let mut chunk = vec![0; size + 2];
            connection.read_exact(&mut chunk)?;
            body.extend_from_slice(&chunk[..size]);
            if size == 0 {
                break;
            }
        }
    } else if let Some(length) = headers.get("content-length") {
        body.resize(length.parse().unwrap(), 0);
        connection.read_exact(&mut body)?;
    }
    Ok(Answer { status, headers, body })
}
