//! `recordar work`, `queue` and `enrich`: the jobs of the queue, their state, and messages without labels.

use super::ask::hint_at_model;
use crate::arguments::{Session, Spec};
use crate::outcome::Outcome;
use crate::output::{Output, plural, printable};
use recordar::Error;
use recordar::queue::{Backlog, DeadJobView, JobsChanged, QueueReport, QueuedKind, WorkReport};
use recordar::verb::verbs;

pub(crate) const WORK: Spec = Spec::verb::<verbs::Work>(&["work"], work);
pub(crate) const QUEUE: Spec = Spec::verb::<verbs::Queue>(&["queue", "list"], queue);
pub(crate) const RETRY: Spec = Spec::verb::<verbs::RetryJobs>(&["queue", "retry"], retry);
pub(crate) const CANCEL: Spec = Spec::verb::<verbs::CancelJobs>(&["queue", "cancel"], cancel);
pub(crate) const ENRICH: Spec = Spec::verb::<verbs::Enrich>(&["enrich"], enrich);

fn work(session: &Session<'_>) -> Result<Outcome, Error> {
    hint_at_model(session.memory()?, session.output);
    let report = session.call::<verbs::Work>(session.arguments()?)?;
    session.output.result(&report, |output| show_work(&report, output));
    Ok(if report.model_problem.is_some() { Outcome::Failed } else { Outcome::Done })
}

fn show_work(report: &WorkReport, output: &Output) {
    let WorkReport {
        labelled,
        extracted,
        summarised,
        backfilled,
        reembedded,
        expired,
        failed,
        dead,
        lost,
        model_problem,
        tokens,
    } = report;
    if let Some(problem) = model_problem {
        output.warn(&format!("{}; the jobs wait\n  try: {}", problem.what, problem.remedy));
    }
    let spent = if *tokens > 0 { format!(", {tokens} tokens") } else { String::new() };
    if *labelled > 0 || *summarised + *extracted == 0 {
        output.line(&format!("{} labelled{spent}", plural(*labelled, "message")));
    }
    let rest = [
        (*extracted, "read for facts"),
        (*backfilled, "relabelled after a change of the vocabulary"),
        (*failed, "failed; they are tried again later"),
        (*dead, "set aside after too many attempts; see `recordar queue list`"),
        (*lost, "finished by another worker, or forgotten meanwhile"),
    ];
    if *summarised > 0 {
        output.line(&format!("{} of old messages made", plural(*summarised, "summary")));
    }
    if *reembedded > 0 {
        output.line(&format!("{} embedded for another embedder", plural(*reembedded, "space")));
    }
    if *expired > 0 {
        output.line(&format!("{expired} threads, items or tags forgotten, because their end had come"));
    }
    for (count, what) in rest.into_iter().filter(|(count, _)| *count > 0) {
        output.line(&format!("{} {what}", plural(count, "message")));
    }
}

fn queue(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::Queue>(show_queue)
}

fn show_queue(report: &QueueReport, output: &Output) {
    if report.kinds.is_empty() {
        output.line("the queue is empty");
        return;
    }
    let rows = report.kinds.iter().map(|kind| {
        let QueuedKind { kind, waiting, running, dead, oldest_at } = kind;
        let oldest = oldest_at.map_or(String::new(), |oldest| oldest.to_string());
        vec![(*kind).to_owned(), waiting.to_string(), running.to_string(), dead.to_string(), oldest]
    });
    output.table(&["jobs", "waiting", "running", "set aside", "oldest"], rows);
    for DeadJobView { space, item_id, attempts, error, .. } in &report.dead {
        let attempts = plural(*attempts as u64, "attempt");
        // A job about a whole space has no item.
        let item = if *item_id > 0 { format!(" item {item_id}") } else { String::new() };
        output.line(&format!("{}{item}, {attempts}: {}", printable(space, &[]), printable(error, &[])));
    }
    if !report.dead.is_empty() {
        output.hint("`recordar queue retry` tries those of a space again, `recordar queue cancel` removes its jobs");
    }
}

fn retry(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::RetryJobs>(|changed, output| told(changed, "to be tried again", output))
}

fn cancel(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::CancelJobs>(|changed, output| told(changed, "removed", output))
}

fn told(changed: &JobsChanged, what: &str, output: &Output) {
    output.line(&format!("{} of {} {what}", plural(changed.jobs, "job"), printable(&changed.space, &[])));
}

fn enrich(session: &Session<'_>) -> Result<Outcome, Error> {
    let arguments = session.arguments()?;
    let is_dry_run = arguments.contains_key("dry_run");
    let backlog = session.call::<verbs::Enrich>(arguments)?;
    session.output.result(&backlog, |output| show_backlog(&backlog, is_dry_run, output));
    Ok(Outcome::Done)
}

fn show_backlog(backlog: &Backlog, is_dry_run: bool, output: &Output) {
    let Backlog { messages, labelled_by, tokens, usd, queued } = backlog;
    let cost = match (tokens, usd) {
        (0, _) => String::new(),
        (tokens, None) => format!(", at most {tokens} tokens, of unknown price"),
        (tokens, Some(usd)) => format!(", at most {tokens} tokens and ${usd:.2}"),
    };
    output.line(&format!("{} to label by {}{cost}", plural(*messages, "message"), printable(labelled_by, &[])));
    if !is_dry_run {
        output.line(&format!("{} queued", plural(*queued, "message")));
        output.hint("`recordar work` labels them");
    }
}
