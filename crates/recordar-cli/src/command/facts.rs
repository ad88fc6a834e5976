//! `recordar facts`: what holds, since when, and who said so.

use crate::arguments::{Session, Spec};
use crate::outcome::Outcome;
use crate::output::{Output, plural};
use recordar::Error;
use recordar::facts::{
    ExtractReport, FactChanged, FactConfirmed, FactHistory, FactList, FactMethod, FactView, StoredFact, Unverified,
};
use recordar::text::one_line;
use recordar::verb::verbs;

/// The most of a stored text that a line shows, in characters.
const MAX_CHARS: usize = 120;

pub(crate) const LIST: Spec = Spec::verb::<verbs::Facts>(&["facts", "list"], list);
pub(crate) const HISTORY: Spec = Spec::verb::<verbs::FactHistory>(&["facts", "history"], history).positional(&["fact"]);
pub(crate) const RETIRE: Spec = Spec::verb::<verbs::RetireFact>(&["facts", "retire"], retire).positional(&["fact"]);
pub(crate) const RESTORE: Spec = Spec::verb::<verbs::RestoreFact>(&["facts", "restore"], restore).positional(&["fact"]);
pub(crate) const CORRECT: Spec =
    Spec::verb::<verbs::CorrectFact>(&["facts", "correct"], correct).positional(&["fact", "value"]);
pub(crate) const CONFIRM: Spec = Spec::verb::<verbs::ConfirmFact>(&["facts", "confirm"], confirm).positional(&["fact"]);
pub(crate) const EXTRACT: Spec = Spec::verb::<verbs::ExtractFacts>(&["facts", "extract"], extract);

fn list(session: &Session<'_>) -> Result<Outcome, Error> {
    let is_narrow = ["subject", "attribute", "as_of", "at"].iter().any(|name| session.has_any(name));
    let is_of_unverified = session.has("unverified");
    session.print::<verbs::Facts>(|list, output| match is_of_unverified && !is_narrow && is_empty(list) {
        true => output.line("nothing to look at: no fact or summary is unverified"),
        false => show_facts(list, is_narrow, output),
    })
}

fn is_empty(list: &FactList) -> bool {
    list.facts.is_empty() && list.stored.is_empty()
}

pub(super) fn show_facts(list: &FactList, is_narrow: bool, output: &Output) {
    if is_empty(list) {
        output.line("no facts");
        output.hint(match is_narrow {
            true => "none match; `recordar facts list --all` shows all that are known. --as-of is the time of storing, --at the time of holding",
            false => "a message such as \"I live in Lisbon.\" states one; `recordar facts extract` reads messages that are already stored",
        });
        return;
    }
    output.table(
        &["fact", "statement", "since", "remark"],
        list.facts.iter().map(row).chain(list.stored.iter().map(stored_row)),
    );
    if list.more > 0 {
        output.hint(&format!("{} more; see them with --limit", list.more));
    }
}

fn row(fact: &FactView) -> Vec<String> {
    vec![fact.fact.to_string(), statement(fact), fact.since.day(), remark(fact)]
}

fn stored_row(stored: &StoredFact) -> Vec<String> {
    let sources: Vec<String> = stored.sources.iter().map(ToString::to_string).collect();
    let from = if sources.is_empty() { String::new() } else { format!("; from {}", sources.join(", ")) };
    let remark = format!("{}{from}", unverified(stored.unverified));
    vec![stored.item.to_string(), one_line(&stored.text, MAX_CHARS), stored.recorded_at.day(), remark]
}

fn unverified(why: Unverified) -> String {
    format!("unverified: {}", why.words())
}

fn statement(fact: &FactView) -> String {
    format!("{} · {} · {}", fact.subject, fact.attribute, fact.value)
}

/// What is remarkable about a fact: that it does not hold, or that others say otherwise.
fn remark(fact: &FactView) -> String {
    let mut remarks: Vec<String> = Vec::new();
    match (fact.state, fact.replaced_by) {
        ("ended", Some(by)) => {
            let until = fact.until.map(|until| until.day()).unwrap_or_default();
            remarks.push(format!("until {until}, then {by}"));
        }
        ("overruled", Some(by)) => remarks.push(format!("overruled by {by}")),
        ("holds", _) => {}
        ("ahead", _) => remarks.push("begins later".to_owned()),
        (state, _) => remarks.push(state.to_owned()),
    }
    if !fact.conflicts.is_empty() {
        let others: Vec<String> = fact.conflicts.iter().map(ToString::to_string).collect();
        remarks.push(format!("in conflict with {}", others.join(", ")));
    }
    if fact.method == FactMethod::Person {
        remarks.push("by a person".to_owned());
    }
    remarks.extend(fact.unverified.map(unverified));
    remarks.join("; ")
}

fn history(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::FactHistory>(show_history)
}

fn show_history(history: &FactHistory, output: &Output) {
    output.line(&format!("{} · {}", history.subject, history.attribute));
    for fact in &history.facts {
        let remark = remark(fact);
        let remark = if remark.is_empty() { fact.state.to_owned() } else { remark };
        output.line(&format!("  {}  {}  since {} ({remark})", fact.fact, fact.value, fact.since.day()));
        if let (Some(quote), Some(source)) = (&fact.quote, fact.source) {
            output.line(&format!("      \"{quote}\" (item {source})"));
        }
    }
    for step in &history.steps {
        output.line(&format!("  {}: {} was {}", step.at.day(), step.fact, step.step));
    }
}

fn retire(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::RetireFact>(|changed, output| show_change(changed, "retired", output))
}

fn restore(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::RestoreFact>(|changed, output| show_change(changed, "restored", output))
}

fn correct(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::CorrectFact>(|changed, output| {
        show_change(changed, "stored", output);
        output.hint("it stays, whatever is said later, until you retire or correct it");
    })
}

fn confirm(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::ConfirmFact>(|confirmed: &FactConfirmed, output| {
        let done = if confirmed.changed { "confirmed" } else { "was already confirmed" };
        output.line(&format!("{done}: {}  {}", confirmed.fact, one_line(&confirmed.text, MAX_CHARS)));
        if let Some(date) = confirmed.review_by {
            output.line(&format!("look at it again by {}", date.day()));
        }
    })
}

fn show_change(changed: &FactChanged, done: &str, output: &Output) {
    let fact = &changed.fact;
    let done = if changed.changed { done.to_owned() } else { format!("was already {done}") };
    output.line(&format!("{done}: {}  {}", fact.fact, statement(fact)));
}

fn extract(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::ExtractFacts>(|report: &ExtractReport, output| {
        output.line(&format!("{} read: {}", plural(report.messages, "message"), plural(report.facts, "new fact")));
        if report.queued > 0 {
            output.line(&format!("{} queued for the model", plural(report.queued, "message")));
            output.hint("`recordar work` asks it; its facts take the place of these");
        }
    })
}
