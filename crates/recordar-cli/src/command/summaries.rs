//! `recordar summaries`: what sums up the old messages of threads.

use crate::arguments::{Session, Spec};
use crate::outcome::Outcome;
use recordar::Error;
use recordar::summaries::{SummariesQueued, SummaryList};
use recordar::verb::verbs;

pub(crate) const LIST: Spec = Spec::verb::<verbs::Summaries>(&["summaries", "list"], list);
pub(crate) const MAKE: Spec = Spec::verb::<verbs::SummariseThreads>(&["summaries", "make"], make);

fn list(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::Summaries>(|list: &SummaryList, output| {
        if list.summaries.is_empty() {
            output.line("no summaries");
            output.hint(
                "old messages are summed up if summaries.enabled is true; `recordar summaries make` queues those already stored",
            );
            return;
        }
        for summary in &list.summaries {
            let ids: Vec<String> = summary.messages.iter().map(ToString::to_string).collect();
            let messages = format!("messages {}", ids.join(", "));
            let thread = summary.thread.as_ref().map(|thread| format!(" of {thread}")).unwrap_or_default();
            let tokens = format!("{} tokens instead of {}", summary.tokens, summary.message_tokens);
            output.line(&format!("{}  {messages}{thread}, {tokens}", summary.summary));
            for line in summary.text.lines() {
                output.line(&format!("    {line}"));
            }
        }
        if list.more {
            output.hint("there are more; see them with --limit");
        }
    })
}

fn make(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::SummariseThreads>(|queued: &SummariesQueued, output| {
        output.line(if queued.queued { "queued" } else { "already queued" });
        output.hint("`recordar work` makes the summaries");
    })
}
