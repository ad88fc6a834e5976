//! Counters of a server, and all metrics in Prometheus' text format.

use recordar::metrics::{Measured, MetricsReport};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

#[derive(Default)]
pub(crate) struct Metrics {
    /// By route and status.
    requests: Mutex<BTreeMap<(&'static str, u16), u64>>,
    times: Mutex<BTreeMap<&'static str, Times>>,
    pub(crate) connections: AtomicI64,
    running: AtomicI64,
}

/// Counts a call while it runs.
pub(crate) struct CountedCall<'a>(&'a AtomicI64);

impl Drop for CountedCall<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Upper ends of the buckets, in seconds.
const BUCKETS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

#[derive(Default)]
struct Times {
    buckets: [u64; BUCKETS.len()],
    count: u64,
    seconds: f64,
}

impl Metrics {
    pub(crate) fn count(&self, route: &'static str, status: u16, time: Duration) {
        *lock(&self.requests).entry((route, status)).or_default() += 1;
        let seconds = time.as_secs_f64();
        let mut times = lock(&self.times);
        let times = times.entry(route).or_default();
        BUCKETS.iter().zip(&mut times.buckets).filter(|(end, _)| seconds <= **end).for_each(|(_, count)| *count += 1);
        times.count += 1;
        times.seconds += seconds;
    }

    pub(crate) fn count_running(&self) -> CountedCall<'_> {
        self.running.fetch_add(1, Ordering::Relaxed);
        CountedCall(&self.running)
    }

    pub(crate) fn text(&self, report: &MetricsReport) -> String {
        let mut out = String::new();
        let retrieval = &report.retrieval;
        for (name, about, measured) in [
            ("latency_ms", "Time of a recall, in milliseconds", &retrieval.latency_ms),
            ("results_count", "Results of a recall", &retrieval.results_count),
            ("tokens_used", "Tokens of a recall's context", &retrieval.tokens_used),
            ("dedup_ratio", "Share of duplicates among a recall's results", &retrieval.dedup_ratio),
            ("cache_hit_rate", "Share of recalls that were cached", &retrieval.cache_hit_rate),
        ] {
            summary(&mut out, &format!("retrieval_{name}"), about, measured);
        }
        head(&mut out, "recordar_http_requests_total", "Requests by route and status", "counter");
        for ((route, status), count) in lock(&self.requests).iter() {
            let _ = writeln!(out, "recordar_http_requests_total{{route=\"{route}\",status=\"{status}\"}} {count}");
        }
        head(&mut out, "recordar_http_request_seconds", "Time of a request", "histogram");
        for (route, times) in lock(&self.times).iter() {
            let name = "recordar_http_request_seconds";
            for (end, count) in BUCKETS.iter().zip(times.buckets) {
                let _ = writeln!(out, "{name}_bucket{{route=\"{route}\",le=\"{end}\"}} {count}");
            }
            let _ = writeln!(out, "{name}_bucket{{route=\"{route}\",le=\"+Inf\"}} {}", times.count);
            let _ = writeln!(out, "{name}_sum{{route=\"{route}\"}} {}", times.seconds);
            let _ = writeln!(out, "{name}_count{{route=\"{route}\"}} {}", times.count);
        }
        for (name, about, value) in [
            ("recordar_http_connections", "Open connections", self.connections.load(Ordering::Relaxed)),
            ("recordar_calls_running", "Calls that are running", self.running.load(Ordering::Relaxed)),
        ] {
            head(&mut out, name, about, "gauge");
            let _ = writeln!(out, "{name} {value}");
        }
        out
    }
}

fn summary(out: &mut String, name: &str, about: &str, measured: &Measured) {
    head(out, name, about, "summary");
    let _ = writeln!(out, "{name}_sum {}\n{name}_count {}", measured.sum, measured.count);
    let highest = format!("{name}_max");
    head(out, &highest, &format!("{about}: the highest so far"), "gauge");
    let _ = writeln!(out, "{highest} {}", measured.most);
}

fn head(out: &mut String, name: &str, about: &str, kind: &str) {
    let _ = writeln!(out, "# HELP {name} {about}.\n# TYPE {name} {kind}");
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
