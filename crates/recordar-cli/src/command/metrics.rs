//! `recordar metrics`: the metrics of recalls; and the same at the end of a server.

use crate::arguments::{Session, Spec};
use crate::outcome::Outcome;
use recordar::Error;
use recordar::metrics::{Measured, MetricsReport};
use recordar::verb::verbs;

pub(crate) const COMMAND: Spec = Spec::verb::<verbs::Metrics>(&["metrics"], run);

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::Metrics>(|report, output| {
        output.table(&["metric", "count", "mean", "most"], rows(report));
        output.hint(
            "note: each process counts its own recalls, and this command has made none; a program that keeps running calls `metrics`, \
             and `recordar mcp` prints them when it ends",
        );
    })
}

/// A row for each metric.
pub(super) fn rows(report: &MetricsReport) -> impl Iterator<Item = Vec<String>> {
    let retrieval = &report.retrieval;
    let all = [
        ("retrieval.latency_ms", retrieval.latency_ms),
        ("retrieval.results_count", retrieval.results_count),
        ("retrieval.tokens_used", retrieval.tokens_used),
        ("retrieval.dedup_ratio", retrieval.dedup_ratio),
        ("retrieval.cache_hit_rate", retrieval.cache_hit_rate),
    ];
    all.into_iter().map(|(name, Measured { count, mean, most, .. })| {
        vec![name.to_owned(), count.to_string(), format!("{mean:.3}"), format!("{most:.3}")]
    })
}
