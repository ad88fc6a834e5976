//! `recordar rules`, `project` and `synonyms`: the standing texts of a space; and `recordar important`.

use super::read_stdin;
use crate::arguments::{Session, Spec};
use crate::outcome::Outcome;
use recordar::standing::StandingTextView;
use recordar::text::one_line;
use recordar::verb::verbs;
use recordar::{Error, Invalid};
use serde_json::{Map, Value, json};

/// The most that is read from standard input; the engine has a lower limit.
const MAX_BYTES: u64 = 1024 * 1024;
const SHOWN_CHARS: usize = 60;

pub(crate) const SHOW_RULES: Spec = show_of(&["rules", "show"], "Show the rules of a space");
pub(crate) const SET_RULES: Spec = set_of(&["rules", "set"], "Set the rules; the earlier ones stay in the history");
pub(crate) const RULES_HISTORY: Spec = history_of(&["rules", "history"], "List all versions of the rules");
pub(crate) const DIFF_RULES: Spec = diff_of(&["rules", "diff"], "Show what changed between two versions of the rules");

pub(crate) const SHOW_PROJECT: Spec = show_of(&["project", "show"], "Show what is known about the project");
pub(crate) const SET_PROJECT: Spec =
    set_of(&["project", "set"], "Set what is known about the project; the earlier text stays in the history");
pub(crate) const PROJECT_HISTORY: Spec = history_of(&["project", "history"], "List all versions of the project memory");
pub(crate) const DIFF_PROJECT: Spec =
    diff_of(&["project", "diff"], "Show what changed between two versions of the project memory");

pub(crate) const SHOW_SYNONYMS: Spec = show_of(&["synonyms", "show"], "Show the words that mean the same");
pub(crate) const SET_SYNONYMS: Spec =
    set_of(&["synonyms", "set"], "Set the words that mean the same; the earlier ones stay in the history");
pub(crate) const SYNONYMS_HISTORY: Spec = history_of(&["synonyms", "history"], "List all versions of the synonyms");
pub(crate) const DIFF_SYNONYMS: Spec =
    diff_of(&["synonyms", "diff"], "Show what changed between two versions of the synonyms");

pub(crate) const IMPORTANT: Spec = Spec::verb::<verbs::Important>(&["important"], important)
    .positional(&["item"])
    .described(&[("item", "Its number, as `search` shows it; or use --id")]);

// The first word of each command says which text it is about.

const fn show_of(path: &'static [&'static str], about: &'static str) -> Spec {
    Spec::verb::<verbs::StandingText>(path, show).about(about).hidden(&["kind"])
}

const fn set_of(path: &'static [&'static str], about: &'static str) -> Spec {
    Spec::verb::<verbs::SetStandingText>(path, set)
        .about(about)
        .positional(&["text"])
        .hidden(&["kind"])
        .described(&[("text", "The new text, or - to read it from standard input; \"\" for none")])
}

const fn history_of(path: &'static [&'static str], about: &'static str) -> Spec {
    Spec::verb::<verbs::StandingTextHistory>(path, history).about(about).hidden(&["kind"])
}

const fn diff_of(path: &'static [&'static str], about: &'static str) -> Spec {
    Spec::verb::<verbs::StandingTextDiff>(path, diff).about(about).hidden(&["kind"])
}

/// The arguments that were given, and the text that the command is named after.
fn arguments(session: &Session<'_>) -> Result<Map<String, Value>, Error> {
    let mut arguments = session.arguments()?;
    arguments.insert("kind".to_owned(), json!(session.group()));
    Ok(arguments)
}

fn show(session: &Session<'_>) -> Result<Outcome, Error> {
    let view = session.call::<verbs::StandingText>(arguments(session)?)?;
    session.output.result(&view, |output| {
        if !view.text.is_empty() {
            output.line(view.text.trim_end());
        }
        output.hint(&about(&view));
    });
    Ok(Outcome::Done)
}

fn about(view: &StandingTextView) -> String {
    match view.set_at {
        Some(time) if view.text.is_empty() => format!("version {}, set {time}, is empty", view.version),
        Some(time) => format!("version {}, set {time}, {} tokens", view.version, view.tokens),
        None => format!("nothing was set; set it with `recordar {} set TEXT`", view.kind),
    }
}

fn set(session: &Session<'_>) -> Result<Outcome, Error> {
    let mut arguments = arguments(session)?;
    if arguments.get("text").is_some_and(|text| text == "-") {
        let text = String::from_utf8(read_stdin(MAX_BYTES)?).map_err(|_| {
            Invalid::new("standard input is not valid UTF-8", "convert it first, for example with iconv")
        })?;
        arguments.insert("text".to_owned(), json!(text));
    }
    let set = session.call::<verbs::SetStandingText>(arguments)?;
    session.output.result(&set, |output| {
        let done = if set.changed { "set" } else { "unchanged:" };
        let before = if set.repeated { "; this operation was already done" } else { "" };
        output.line(&format!("{done} version {} of the {} of {}{before}", set.version, set.kind, set.space));
    });
    Ok(Outcome::Done)
}

fn history(session: &Session<'_>) -> Result<Outcome, Error> {
    let history = session.call::<verbs::StandingTextHistory>(arguments(session)?)?;
    session.output.result(&history, |output| {
        if history.versions.is_empty() {
            output.line("nothing was set");
            return;
        }
        let row = |view: &StandingTextView| {
            let set_at = view.set_at.map(|time| time.to_string()).unwrap_or_default();
            vec![view.version.to_string(), set_at, view.tokens.to_string(), one_line(&view.text, SHOWN_CHARS)]
        };
        output.table(&["version", "set", "tokens", "text"], history.versions.iter().map(row));
    });
    Ok(Outcome::Done)
}

fn diff(session: &Session<'_>) -> Result<Outcome, Error> {
    let difference = session.call::<verbs::StandingTextDiff>(arguments(session)?)?;
    session.output.result(&difference, |output| match difference.diff.trim_end() {
        "" => output.line("no differences"),
        diff => output.line(diff),
    });
    Ok(Outcome::Done)
}

fn important(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::Important>(|marked, output| {
        let state = match (marked.important, marked.changed) {
            (true, true) => "is now marked as important",
            (true, false) => "was already marked as important",
            (false, true) => "is no longer marked as important",
            (false, false) => "was not marked as important",
        };
        output.line(&format!("item {} {state}", marked.item));
    })
}
