//! The body of a request: JSON, or files with JSON beside them. Everything has a limit, and a client that is silent is given up.

use crate::problem::Problem;
use crate::server::Server;
use crate::settings::Settings;
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING};
use http::{HeaderMap, StatusCode};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use multer::{Constraints, Multipart, SizeLimit};
use recordar::call::Upload;
use serde_json::{Map, Value};
use std::io::{Seek, Write};

/// More files are sent in several requests.
const MAX_FILES: usize = 100;
/// A request must be complete after this many times the silence that is allowed.
const PATIENCE: u32 = 6;
/// What signs in is short.
const MAX_SMALL_BYTES: u64 = 4096;

/// What came with a request.
pub(crate) struct Sent {
    pub(crate) arguments: Map<String, Value>,
    /// None if the request was JSON alone.
    pub(crate) files: Option<Vec<Upload>>,
}

pub(crate) async fn read(
    headers: &HeaderMap,
    body: Incoming,
    server: &Server,
    takes_files: bool,
) -> Result<Sent, Problem> {
    let kind = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let media = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let settings = &server.settings;
    match media.as_str() {
        "multipart/form-data" if takes_files => {
            let _turn = server.uploads.acquire().await.map_err(|_| Problem::broken())?;
            let reading = read_files(headers, &kind, body, settings);
            tokio::time::timeout(settings.config.call_time, reading).await.map_err(|_| silent())?
        }
        "" if is_empty(headers) => Ok(Sent { arguments: Map::new(), files: None }),
        "application/json" => {
            let bytes = read_all(headers, body, server).await?;
            Ok(Sent { arguments: object(&bytes)?, files: None })
        }
        _ => {
            let files = if takes_files { ", or files as multipart/form-data" } else { "" };
            let remedy = format!("send JSON with `Content-Type: application/json`{files}");
            let what = format!("the content type {media:?} is not supported here");
            Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", what, remedy))
        }
    }
}

/// A whole body, within its limit. All of them together have one, too.
pub(crate) async fn read_all(headers: &HeaderMap, body: Incoming, server: &Server) -> Result<Bytes, Problem> {
    let config = &server.settings.config;
    let length = length(headers).unwrap_or(config.max_body_bytes).min(config.max_body_bytes);
    let turn = server.bodies.acquire_many(length.div_ceil(1024) as u32).await.map_err(|_| Problem::broken())?;
    let bytes = read_at_most(headers, body, &server.settings, config.max_body_bytes).await;
    drop(turn);
    bytes
}

/// A short body, of someone who may be anyone.
pub(crate) async fn read_small(
    headers: &HeaderMap,
    body: Incoming,
    settings: &Settings,
) -> Result<Map<String, Value>, Problem> {
    object(&read_at_most(headers, body, settings, MAX_SMALL_BYTES).await?)
}

async fn read_at_most(
    headers: &HeaderMap,
    mut body: Incoming,
    settings: &Settings,
    most: u64,
) -> Result<Bytes, Problem> {
    check_length(headers, most, "server.max_body_mib")?;
    let idle = settings.config.idle_time;
    let reading = async {
        let mut all = Vec::new();
        loop {
            let frame = tokio::time::timeout(idle, body.frame()).await.map_err(|_| silent())?;
            let Some(frame) = frame else { return Ok(all.into()) };
            let Ok(data) = frame.map_err(|_| broken_off())?.into_data() else { continue };
            if all.len() as u64 + data.len() as u64 > most {
                return Err(too_large(most, "server.max_body_mib"));
            }
            all.extend_from_slice(&data);
        }
    };
    tokio::time::timeout(idle * PATIENCE, reading).await.map_err(|_| silent())?
}

pub(crate) fn object(bytes: &[u8]) -> Result<Map<String, Value>, Problem> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Map::new());
    }
    serde_json::from_slice(bytes).map_err(|error| {
        let what = format!("the request is not a JSON object: {error}");
        Problem::new(StatusCode::BAD_REQUEST, "invalid", what, "send an object with the arguments of the verb")
    })
}

async fn read_files(headers: &HeaderMap, kind: &str, body: Incoming, settings: &Settings) -> Result<Sent, Problem> {
    let most = settings.config.max_upload_bytes;
    check_length(headers, most, "server.max_upload_mib")?;
    let boundary = multer::parse_boundary(kind).map_err(|_| malformed("it has no boundary"))?;
    let limits = SizeLimit::new().whole_stream(most).for_field("arguments", settings.config.max_body_bytes);
    let mut parts =
        Multipart::with_constraints(body.into_data_stream(), boundary, Constraints::new().size_limit(limits));
    let (mut arguments, mut files) = (Map::new(), Vec::new());
    loop {
        let next = tokio::time::timeout(settings.config.idle_time, parts.next_field()).await.map_err(|_| silent())?;
        let Some(mut field) = next.map_err(|error| of_multipart(&error, most))? else { break };
        match (field.name(), field.file_name()) {
            (Some("arguments"), _) => {
                let text =
                    tokio::time::timeout(settings.config.idle_time, field.bytes()).await.map_err(|_| silent())?;
                arguments = object(&text.map_err(|error| of_multipart(&error, most))?)?;
            }
            (Some("file"), Some(name)) if files.len() < MAX_FILES => {
                // Browsers write quotation marks this way, and nothing else.
                let name = name.replace("%22", "\"");
                let mut file = tempfile::tempfile().map_err(|error| cannot_keep(&error))?;
                loop {
                    let chunk =
                        tokio::time::timeout(settings.config.idle_time, field.chunk()).await.map_err(|_| silent())?;
                    let Some(chunk) = chunk.map_err(|error| of_multipart(&error, most))? else { break };
                    file.write_all(&chunk).map_err(|error| cannot_keep(&error))?;
                }
                file.rewind().map_err(|error| cannot_keep(&error))?;
                files.push(Upload { name, file });
            }
            (Some("file"), Some(_)) => return Err(malformed(&format!("it has more than {MAX_FILES} files"))),
            _ => return Err(malformed("a part is neither `arguments` nor a `file` with a name")),
        }
    }
    if files.is_empty() {
        return Err(malformed("it has no file"));
    }
    Ok(Sent { arguments, files: Some(files) })
}

fn length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok())
}

fn is_empty(headers: &HeaderMap) -> bool {
    length(headers) == Some(0) || (length(headers).is_none() && !headers.contains_key(TRANSFER_ENCODING))
}

/// A body that says it is too large is not read at all.
fn check_length(headers: &HeaderMap, most: u64, setting: &str) -> Result<(), Problem> {
    if length(headers).is_some_and(|length| length > most) { Err(too_large(most, setting)) } else { Ok(()) }
}

fn too_large(most: u64, setting: &str) -> Problem {
    let what = format!("the request is larger than {most} bytes");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", what, format!("send less at a time, or raise {setting}"))
}

fn silent() -> Problem {
    let what = "the rest of the request did not come in time";
    Problem::new(StatusCode::REQUEST_TIMEOUT, "timeout", what, "send it again, faster")
}

fn broken_off() -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "invalid", "the request broke off", "send it again")
}

fn malformed(what: &str) -> Problem {
    let what = format!("the request is not valid multipart/form-data: {what}");
    let remedy = "send each file as a part named `file`, and the arguments as JSON in a part named `arguments`";
    Problem::new(StatusCode::BAD_REQUEST, "invalid", what, remedy)
}

fn of_multipart(error: &multer::Error, most: u64) -> Problem {
    match error {
        multer::Error::StreamSizeExceeded { .. } | multer::Error::FieldSizeExceeded { .. } => {
            too_large(most, "server.max_upload_mib")
        }
        error => malformed(&error.to_string()),
    }
}

fn cannot_keep(error: &std::io::Error) -> Problem {
    let what = format!("the file cannot be kept on the server's disk: {error}");
    Problem::new(StatusCode::INSUFFICIENT_STORAGE, "disk_full", what, "free some space there, and send it again")
}
