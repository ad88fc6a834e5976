//! Traces for OpenTelemetry: a span for each request, sent as OTLP over HTTP with JSON. The protocol is one JSON document, so the SDK with its
//! many crates is not needed.

use recordar::Timestamp;
use serde_json::{Value, json};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// Spans that wait to be sent. More are dropped: a collector that is away must not fill the memory.
const MAX_WAITING: usize = 4096;
const MAX_BATCH: usize = 512;
const INTERVAL: Duration = Duration::from_secs(1);

pub(crate) struct Telemetry(SyncSender<Span>);

/// A request that was answered.
pub(crate) struct Span {
    /// Of the caller's own trace, if it is part of one: `traceparent` of W3C Trace Context.
    pub(crate) parent: Option<Parent>,
    pub(crate) method: String,
    pub(crate) route: &'static str,
    pub(crate) status: u16,
    pub(crate) request_id: String,
    pub(crate) began: Timestamp,
    pub(crate) took: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parent {
    trace: String,
    span: String,
}

impl Parent {
    pub(crate) fn parse(header: &str) -> Option<Self> {
        let parts: Vec<&str> = header.split('-').collect();
        let is_hex = |text: &str, length: usize| {
            text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
        };
        let is_set = |text: &str| text.bytes().any(|byte| byte != b'0');
        match parts.as_slice() {
            ["00", trace, span, flags]
                if is_hex(trace, 32) && is_hex(span, 16) && is_hex(flags, 2) && is_set(trace) && is_set(span) =>
            {
                Some(Self { trace: (*trace).to_owned(), span: (*span).to_owned() })
            }
            _ => None,
        }
    }
}

impl Telemetry {
    pub(crate) fn to(endpoint: &str) -> Self {
        let (send, receive) = sync_channel(MAX_WAITING);
        let address = format!("{}/v1/traces", endpoint.trim_end_matches('/'));
        std::thread::spawn(move || send_all(&receive, &address));
        Self(send)
    }

    pub(crate) fn add(&self, span: Span) {
        let _ = self.0.try_send(span);
    }
}

/// Sends spans in batches until the server is gone. One that cannot be sent is lost.
fn send_all(spans: &Receiver<Span>, address: &str) {
    let agent = ureq::Agent::config_builder().timeout_global(Some(Duration::from_secs(5))).max_redirects(0).build();
    let agent = ureq::Agent::new_with_config(agent);
    let (mut batch, mut last, mut is_over) = (Vec::new(), Instant::now(), false);
    while !is_over {
        match spans.recv_timeout(INTERVAL.saturating_sub(last.elapsed())) {
            Ok(span) => batch.push(shown(&span)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => is_over = true,
        }
        if !batch.is_empty() && (is_over || batch.len() >= MAX_BATCH || last.elapsed() >= INTERVAL) {
            let body = document(std::mem::take(&mut batch)).to_string();
            let _ = agent.post(address).header("content-type", "application/json").send(body);
        }
        if last.elapsed() >= INTERVAL {
            last = Instant::now();
        }
    }
}

fn document(spans: Vec<Value>) -> Value {
    let resource =
        json!({"attributes": [text("service.name", "recordar"), text("service.version", env!("CARGO_PKG_VERSION"))]});
    let scope = json!({"name": "recordar-server", "version": env!("CARGO_PKG_VERSION")});
    json!({"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": scope, "spans": spans}]}]})
}

fn shown(span: &Span) -> Value {
    let began = Duration::from_micros(u64::try_from(span.began.as_micros()).unwrap_or(0));
    let random = || uuid::Uuid::new_v4().simple().to_string();
    let trace = span.parent.as_ref().map_or_else(random, |parent| parent.trace.clone());
    let own: String = random().chars().take(16).collect();
    let mut shown = json!({
        "traceId": trace,
        "spanId": own,
        "name": format!("{} {}", span.method, span.route),
        "kind": 2,
        "startTimeUnixNano": began.as_nanos().to_string(),
        "endTimeUnixNano": (began + span.took).as_nanos().to_string(),
        "attributes": [
            text("http.request.method", &span.method),
            text("http.route", span.route),
            json!({"key": "http.response.status_code", "value": {"intValue": span.status.to_string()}}),
            text("recordar.request_id", &span.request_id),
        ],
        "status": {"code": if span.status >= 500 { 2 } else { 0 }},
    });
    if let Some(parent) = &span.parent {
        shown["parentSpanId"] = json!(parent.span);
    }
    shown
}

fn text(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_continues_the_trace_of_its_caller() {
        let (trace, span) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");
        let parent = Parent::parse(&format!("00-{trace}-{span}-01")).unwrap();
        let request = Span {
            parent: Some(parent),
            method: "POST".to_owned(),
            route: "recall",
            status: 200,
            request_id: "r-1".to_owned(),
            began: Timestamp::from_micros(1_000_000),
            took: Duration::from_millis(2),
        };
        let sent = shown(&request);
        assert_eq!((sent["traceId"].as_str(), sent["parentSpanId"].as_str()), (Some(trace), Some(span)));
        assert_eq!(sent["endTimeUnixNano"], "1002000000");
        for bad in ["", "00-0-0-0", &format!("01-{trace}-{span}-01"), &format!("00-{}-{span}-01", "0".repeat(32))] {
            assert!(Parent::parse(bad).is_none(), "{bad}");
        }
    }
}
