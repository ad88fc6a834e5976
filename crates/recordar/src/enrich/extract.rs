//! Extracting facts by the model, from the queue. What the message does not say is not stored; a hostile reply costs a call, and nothing else.

use super::work::{Failures, LeasedMessage, WorkReport, read_messages, steady, with_heartbeat};
use crate::engine::Recordar;
use crate::fact::{FACTS, new_facts, speaker_of};
use recordar_core::config::WhenAway;
use recordar_core::error::Error;
use recordar_core::noun::method::ModelProblem;
use recordar_core::reason::{Extracted, FactsTask, Reasoner};
use recordar_domain::{Digest, FactMethod, Hasher, OperationId};
use recordar_store::{LeasedJobs, NewFact, Operation, Settled};

/// Extracts the facts of the messages of a lease. Returns why the model could not be used, if so.
pub(super) fn extract(
    memory: &Recordar,
    leased: &LeasedJobs,
    lease: Digest,
    operation: &OperationId,
    is_proven: &mut bool,
    report: &mut WorkReport,
) -> Result<Option<ModelProblem>, Error> {
    let messages = read_messages(memory, leased)?;
    let calls = memory.reasoning.operation();
    // What the patterns found was stored with the message; they never take the model's place.
    let reasoner = Reasoner { when_away: WhenAway::Error, ..memory.reasoning.reasoner(&calls) };
    let method = if reasoner.model().is_some() { FactMethod::Model } else { FactMethod::BuiltIn };
    let tasks: Vec<FactsTask<'_>> = messages
        .iter()
        .map(|message| FactsTask {
            message: &message.text,
            speaker: speaker_of(message.role, message.speaker.as_deref()).unwrap_or_default(),
            said_at: message.said_at,
            most_output_tokens: memory.reasoning.max_output_tokens(),
        })
        .collect();
    let performed = with_heartbeat(memory, leased, lease, || reasoner.perform_all(&tasks));
    report.tokens += calls.calls().iter().map(|call| call.tokens_prompt + call.tokens_completion).sum::<u64>();
    *is_proven |= performed.iter().any(|performed| performed.done.is_ok());
    let mut failures = Failures::new(memory, *is_proven);
    let mut done: Vec<(&LeasedMessage, Vec<Extracted>)> = Vec::new();
    for (message, performed) in messages.iter().zip(performed) {
        match performed.done {
            Ok(reply) => done.push((message, reply.reply)),
            Err(error) => {
                failures.take((message.item_id, message.attempts), &error, !performed.calls.is_empty(), report)
            }
        }
    }
    let Failures { released, problem, .. } = failures;
    *is_proven &= problem.is_none();
    let committed = commit(memory, leased, lease, operation, (done, method))?;
    report.extracted += committed;
    report.lost += (leased.jobs.len() as u64).saturating_sub(committed + released.len() as u64);
    if !released.is_empty() {
        steady(memory).release_jobs(lease, &leased.space, &released)?;
    }
    Ok(problem)
}

/// Stores the facts of the messages that are still this worker's, and ends their jobs, in one transaction.
fn commit(
    memory: &Recordar,
    leased: &LeasedJobs,
    lease: Digest,
    operation: &OperationId,
    (done, method): (Vec<(&LeasedMessage, Vec<Extracted>)>, FactMethod),
) -> Result<u64, Error> {
    if done.is_empty() {
        return Ok(0);
    }
    let id = operation.part(&lease.0);
    let subjects: Vec<i64> = done.iter().map(|(message, _)| message.item_id).collect();
    let request = subjects.iter().fold(Hasher::default(), |hasher, id| hasher.field(id.to_le_bytes())).finish();
    let operation = Operation { id: &id, kind: "extract_facts", request };
    let written = steady(memory).write(&leased.space, &operation, (memory.clock)(), |writing| {
        let (held, space) = (writing.finish_jobs(lease, FACTS, &subjects)?, writing.space_id());
        let mut facts: Vec<NewFact> = Vec::new();
        for (message, extracted) in done.iter().filter(|(message, _)| held.contains(&message.item_id)) {
            // What was quoted has to be in the text as it is stored, not only as the model was shown it.
            let Some(item) = writing.item(space, message.item_id)?.filter(|item| item.retired.is_none()) else {
                continue;
            };
            let shown = message.text.as_str();
            let quoted = |fact: &Extracted| {
                let quote = shown.get(fact.span.0..fact.span.1)?;
                let start = item.text.find(quote)?;
                Some(Extracted { span: (start, start + quote.len()), ..fact.clone() })
            };
            let extracted: Vec<Extracted> = extracted.iter().filter_map(quoted).collect();
            writing.take_back_facts(message.item_id)?;
            facts.extend(new_facts(extracted, method, (message.item_id, message.thread_id), &memory.counter));
        }
        // Nothing is left if the space was forgotten: it must not be made again.
        if held.is_empty() {
            return Ok(Settled::Abandon([0, 0]));
        }
        if !facts.is_empty() {
            writing.add_facts(&facts)?;
        }
        Ok(Settled::Commit([held.len() as u64, facts.len() as u64]))
    })?;
    memory.grew(&leased.space, written.value[1] as usize);
    Ok(written.value[0])
}
