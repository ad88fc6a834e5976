//! Everything a recall does after its search: loading, choosing, cutting, counting, composing; and a cached recall.
//! The baseline is the search itself.

use super::no_room;
use super::text::Sentences;
use crate::output::{Output, bytes};
use allocation_counter::{AllocationInfo, measure};
use recordar::eval::Latency;
use recordar::measure;
use recordar::recall::RecallRequest;
use recordar::{Config, Error, Message, OperationId, Recordar, SpaceName, system_clock};
use serde::Serialize;
use std::time::Instant;

const MESSAGES: usize = 20_000;
const BATCH: usize = 1000;
const THREAD_MESSAGES: usize = 20;
/// Sentences of a message: more than are kept, so that there is something to clip.
const SENTENCES: usize = 4;

#[derive(Serialize)]
struct PolicyFigures {
    messages: usize,
    recalls: usize,
    mean_memories: f64,
    mean_tokens: f64,
    /// The search of a recall.
    search: Cost,
    /// Everything after it.
    policy: Cost,
    /// The same with redaction switched on.
    policy_redacting: Cost,
    /// A recall that is in the cache, whole.
    cache_hit: Cost,
}

#[derive(Serialize, Clone, Copy, Default)]
struct Cost {
    p50_ms: f64,
    p99_ms: f64,
    /// All allocated bytes, and the peak.
    allocated_bytes: u64,
    peak_bytes: u64,
}

pub(crate) fn run(recalls: usize, output: &Output) -> Result<(), Error> {
    let figures = run_all(recalls)?;
    output.result(&figures, |output| show(&figures, output));
    Ok(())
}

fn run_all(recalls: usize) -> Result<PolicyFigures, Error> {
    let folder = tempfile::tempdir().map_err(|error| no_room(&error))?;
    let open = |toml: &str| Recordar::open(Config::from_toml(toml, folder.path())?, system_clock());
    // Without a cache every recall is a new one, and without a threshold every one is full.
    let memory = open("[recall]\ncache_seconds = 0\nmin_score = 0.0")?;
    let redacting = open("[recall]\ncache_seconds = 0\nmin_score = 0.0\nenable_redaction = true")?;
    let caching = open("[recall]\ncache_seconds = 3600\nmin_score = 0.0")?;
    let space = [SpaceName::user("bench")?];
    let mut sentences = Sentences::with_vocabulary(11, 20_000);
    for batch in 0..MESSAGES / BATCH {
        let message = |number: usize, sentences: &mut Sentences| Message {
            thread: Some(format!("thread {}", number / THREAD_MESSAGES)),
            ..Message::new(&(0..SENTENCES).map(|_| sentences.message()).collect::<Vec<_>>().join(" "))
        };
        let first = batch * BATCH;
        let messages: Vec<Message> = (first..first + BATCH).map(|number| message(number, &mut sentences)).collect();
        memory.remember(&space[0], &messages, &OperationId::parse(&format!("bench-{batch}"))?)?;
    }
    let requests: Vec<RecallRequest> =
        (0..recalls).map(|_| RecallRequest::new(sentences.message().trim_end_matches('.'))).collect();
    let (mut memories, mut tokens) = (0, 0);
    for request in requests.iter().take(20) {
        for engine in [&memory, &redacting, &caching] {
            engine.recall(&space, request)?;
        }
    }
    let search = cost(&requests, |request| {
        let (info, result) = counted(|| measure::search_of_recall(&memory, &space, request));
        result.map(|_| (info, None))
    })?;
    let policy = cost(&requests, |request| {
        let (info, result) = counted(|| memory.recall(&space, request));
        let result = result?;
        memories += result.memories.len();
        tokens += result.metadata.total_tokens;
        Ok((info, Some(result.timing.processing_time)))
    })?;
    let policy_redacting = cost(&requests, |request| {
        let (info, result) = counted(|| redacting.recall(&space, request));
        result.map(|result| (info, Some(result.timing.processing_time)))
    })?;
    requests.iter().try_for_each(|request| caching.recall(&space, request).map(drop))?;
    let cache_hit = cost(&requests, |request| {
        let (info, result) = counted(|| caching.recall(&space, request));
        result.map(|result| {
            debug_assert!(result.timing.cached);
            (info, None)
        })
    })?;
    // A recall allocates for its search, too, which is not counted again.
    let after =
        |cost: Cost| Cost { allocated_bytes: cost.allocated_bytes.saturating_sub(search.allocated_bytes), ..cost };
    Ok(PolicyFigures {
        messages: MESSAGES,
        recalls,
        mean_memories: memories as f64 / recalls as f64,
        mean_tokens: tokens as f64 / recalls as f64,
        search,
        policy: after(policy),
        policy_redacting: after(policy_redacting),
        cache_hit,
    })
}

fn counted<T>(step: impl FnOnce() -> T) -> (AllocationInfo, T) {
    let mut result = None;
    let info = measure(|| result = Some(step()));
    (info, result.unwrap_or_else(|| unreachable!("the step was run")))
}

/// Times each call, or takes the time that the call reports, and averages its allocations.
fn cost(
    requests: &[RecallRequest],
    mut call: impl FnMut(&RecallRequest) -> Result<(AllocationInfo, Option<f64>), Error>,
) -> Result<Cost, Error> {
    let mut times = Vec::with_capacity(requests.len());
    let (mut allocated, mut peak) = (0, 0);
    for request in requests {
        let started = Instant::now();
        let (info, told) = call(request)?;
        times.push(told.unwrap_or_else(|| started.elapsed().as_secs_f64() * 1e3));
        allocated += info.bytes_total;
        peak = peak.max(info.bytes_max);
    }
    let Latency { p50, p99, .. } = Latency::of(times);
    Ok(Cost { p50_ms: p50, p99_ms: p99, allocated_bytes: allocated / requests.len().max(1) as u64, peak_bytes: peak })
}

fn show(figures: &PolicyFigures, output: &Output) {
    output.line(&format!(
        "{} recalls from {} messages, {:.1} memories and {:.0} tokens each",
        figures.recalls, figures.messages, figures.mean_memories, figures.mean_tokens,
    ));
    let row = |name: &str, cost: &Cost| {
        vec![
            name.to_owned(),
            format!("{:.3}", cost.p50_ms),
            format!("{:.3}", cost.p99_ms),
            bytes(cost.allocated_bytes),
            format!("{:.2} ×", cost.p50_ms / figures.search.p50_ms),
        ]
    };
    output.table(
        &["", "p50 ms", "p99 ms", "allocated", "p50 / search"],
        [
            row("baseline: search", &figures.search),
            row("everything after the search", &figures.policy),
            row("the same with redaction", &figures.policy_redacting),
            row("cached recall, total", &figures.cache_hit),
        ],
    );
    output.line(&format!("peak memory of a recall: {}", bytes(figures.policy.peak_bytes)));
}
