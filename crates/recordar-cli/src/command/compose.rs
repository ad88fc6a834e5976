//! `recordar compose`: the finished prompt, and what it is made of; with `--send`, what the model answers.

use super::ask::{called, cost, hint_at_model};
use super::explain::{hint_at_nothing, show_confidence, show_trace};
use super::{cannot_read, read_stdin};
use crate::arguments::{Session, Spec, flag};
use crate::outcome::Outcome;
use crate::output::{Output, plural};
use clap::Arg;
use recordar::compose::{ComposeChange, ComposeDiff, ComposeResult, ComposedSection, Conflict, FlaggedText, Sent};
use recordar::file_access::open_plain;
use recordar::model::ModelProblem;
use recordar::trace::{Action, Decision};
use recordar::verb::verbs;
use recordar::{Error, Invalid};
use serde_json::{Map, Value};
use std::io::Read;
use std::path::Path;

/// The most that is read of an edited prompt; the engine has a lower limit.
const MAX_BYTES: u64 = 16 * 1024 * 1024;

pub(crate) const COMMAND: Spec = Spec::verb::<verbs::Compose>(&["compose"], run)
    .positional(&["query"])
    .optional(&["query"])
    .described(&[("prompt", "With --send: a file with the prompt as you edited it, or - for standard input")])
    .with(|command| {
        let diff = Arg::new("diff").long("diff").value_name("RECEIPT").conflicts_with("query");
        let diff = diff.help("Compose the prompt of a receipt again, and show what changed since then, and why");
        command.arg(flag("explain", "Show what each stage kept or dropped, and why")).arg(diff)
    });

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let mut arguments = session.arguments()?;
    if let Some(receipt) = session.text("diff") {
        if let Some(other) = arguments.keys().next() {
            let what =
                format!("--diff composes what the receipt was made of, so --{} has no effect", other.replace('_', "-"));
            return Err(Invalid::new(what, "leave it out").into());
        }
        return diff(session, receipt);
    }
    if !arguments.contains_key("query") {
        return Err(Invalid::new("what to ask is missing", "recordar compose \"your question\"").into());
    }
    if let Some(Value::String(file)) = arguments.get("prompt") {
        let text = edited(file)?;
        arguments.insert("prompt".to_owned(), text.into());
    }
    if arguments.contains_key("send") {
        hint_at_model(session.memory()?, session.output);
    }
    let mut shown = String::new();
    let result = session.call_streaming::<verbs::Compose>(arguments, &mut |text| {
        if !session.output.is_json {
            session.output.raw(text);
            shown.push_str(text);
        }
    })?;
    session.output.result(&result, |output| show(&result, (&shown, session.has("explain")), output));
    Ok(Outcome::Done)
}

/// What the composition of a receipt would be now.
fn diff(session: &Session<'_>, receipt: String) -> Result<Outcome, Error> {
    let arguments = Map::from_iter([("receipt".to_owned(), receipt.into())]);
    let result = session.call::<verbs::ComposeDiff>(arguments)?;
    session.output.result(&result, |output| {
        output.raw(&result.diff);
        for ComposeChange { section, change, what, why } in &result.changes {
            output.line(&format!("[{section}] {change}: {what} ({why})"));
        }
        let ComposeDiff { receipt, made_at, tokens_then, tokens_now, .. } = &result;
        match result.identical {
            true => output.hint(&format!("the same prompt as in receipt {receipt}, made at {made_at}, byte for byte")),
            false => output
                .hint(&format!("receipt {receipt}, made at {made_at}: {tokens_then} tokens then, {tokens_now} now")),
        }
    });
    Ok(Outcome::Done)
}

fn edited(file: &str) -> Result<String, Error> {
    let mut bytes = Vec::new();
    match file {
        "-" => bytes = read_stdin(MAX_BYTES)?,
        file => {
            let read = open_plain(Path::new(file)).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
            read.map_err(|error| cannot_read(file, &error))?;
        }
    }
    let is_too_long = bytes.len() as u64 > MAX_BYTES;
    String::from_utf8(bytes).ok().filter(|_| !is_too_long).ok_or_else(|| {
        Invalid::new(format!("{file} is not UTF-8 text, or larger than {MAX_BYTES} bytes"), "give a text file").into()
    })
}

/// `streamed` is what was shown of the answer while it came in.
fn show(result: &ComposeResult, (streamed, explain): (&str, bool), output: &Output) {
    match &result.sent {
        Some(sent) => answered(sent, streamed, output),
        None => output.line(result.prompt.trim_end()),
    }
    let sections = result.sections.iter().map(|ComposedSection { name, tokens, .. }| format!("{name} {tokens}"));
    output.hint(&format!("{}: {}", plural(result.tokens as u64, "token"), sections.collect::<Vec<_>>().join(", ")));
    if result.sent.is_none() {
        output.hint(&cost(result.estimate.as_ref()));
    }
    if let Some(same) = result.same_tokens {
        output.hint(&format!("the first {} are the same as last time", plural(same as u64, "token")));
    }
    if let Some(receipt) = &result.receipt {
        output.hint(&format!("receipt {receipt}: `recordar why {receipt}` proves the prompt"));
    }
    show_confidence(&result.confidence, output);
    show_calls(result, output);
    for Conflict { winner, loser, loser_text, .. } in &result.conflicts {
        output.warn(&format!("{loser} contradicts {winner}, which is used: {loser_text}"));
    }
    for FlaggedText { source, text } in &result.flagged {
        output.warn(&format!("{source} has an instruction to the model, which is quoted as such or left out: {text}"));
    }
    if explain {
        show_trace(&result.trace, output);
    }
    hint_at_nothing(&result.trace, output);
    let decisions = result.trace.stages.iter().flat_map(|stage| &stage.decisions);
    for missing in decisions.filter(|decision| decision.reason == "no_such_thread") {
        output.hint(&format!(
            "nothing is stored in the thread {}; `recordar thread list` shows all threads",
            missing.subject
        ));
    }
}

/// What agents asked of models, and what was done otherwise.
pub(super) fn show_calls(result: &ComposeResult, output: &Output) {
    result.responses.iter().for_each(|call| output.hint(&called(call)));
    for stage in &result.trace.stages {
        let is_left_out = [
            "shape",
            "gate by judge or model",
            "condense by model",
            "retrieve",
            "rerank",
            "search (history)",
            "receipt",
        ]
        .contains(&stage.name.trim_end_matches(" (rerun)"));
        // That the reranker finds no answer is no failure; `show_confidence` says it.
        let is_failure =
            |decision: &&Decision| decision.action == Action::Refused && decision.reason != "not_confident";
        for decision in stage.decisions.iter().filter(is_failure).filter(|_| is_left_out) {
            output.warn(&format!("{}: {}", stage.name, decision.detail));
        }
    }
}

fn answered(sent: &Sent, streamed: &str, output: &Output) {
    match streamed == sent.answer {
        true => output.line(""),
        false => output.line(&sent.answer),
    }
    if let Some(ModelProblem { what, .. }) = &sent.model_problem {
        output.warn(&format!("{what}; answered by the fallback model, {}", sent.model));
    }
    for number in &sent.unknown_citations {
        output.warn(&format!("the answer cites [{number}], which is no source of the prompt"));
    }
    sent.responses.iter().for_each(|call| output.hint(&called(call)));
}
