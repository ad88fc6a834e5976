//! `recordar vocab`: the vocabulary that messages are labelled with, and its evolution.

use super::{cannot_read, cannot_write, read_stdin};
use crate::arguments::{Session, Spec};
use crate::outcome::Outcome;
use crate::output::{Output, plural, printable};
use clap::{Arg, ArgAction};
use recordar::file_access::{open_plain, write_private};
use recordar::verb::verbs;
use recordar::vocabulary::{SuggestionView, Term, VocabularyChangeView, VocabularyEdited, VocabularyView};
use recordar::{Error, Invalid};
use serde_json::json;
use std::io::Read;
use std::path::Path;

const MAX_FILE_BYTES: u64 = 1024 * 1024;

pub(crate) const LIST: Spec = Spec::verb::<verbs::Vocabulary>(&["vocab", "list"], list);
pub(crate) const EXPORT: Spec = Spec::verb::<verbs::Vocabulary>(&["vocab", "export"], export)
    .about("Write the vocabulary to a file that can be edited and imported")
    .with(|command| {
        let output = Arg::new("output").long("output").short('o').value_name("FILE");
        let force = Arg::new("force").long("force").action(ArgAction::SetTrue);
        command
            .arg(output.help("The file to write; by default, standard output"))
            .arg(force.help("Replace an existing file"))
    });
pub(crate) const IMPORT: Spec = Spec::verb::<verbs::ImportVocabulary>(&["vocab", "import"], import)
    .about("Replace the vocabulary with the version in a file. Existing labels stay; `recordar enrich --outdated` relabels")
    .positional(&["text"])
    .described(&[("text", "A file as `vocab export` writes it, or - for standard input")]);
pub(crate) const HISTORY: Spec = Spec::verb::<verbs::VocabularyHistory>(&["vocab", "history"], history);
pub(crate) const SUGGESTIONS: Spec = Spec::verb::<verbs::Suggestions>(&["vocab", "suggestions"], suggestions);
pub(crate) const APPROVE: Spec = Spec::verb::<verbs::ApproveTerm>(&["vocab", "approve"], approve).positional(&["term"]);
pub(crate) const REJECT: Spec = Spec::verb::<verbs::RejectTerm>(&["vocab", "reject"], reject).positional(&["term"]);
pub(crate) const UNDO: Spec = Spec::verb::<verbs::UndoApproval>(&["vocab", "undo"], undo).positional(&["term"]);

fn list(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::Vocabulary>(|view, output| {
        let current = if view.current { "" } else { ", not the current one" };
        output.line(&format!("vocabulary {}{current}", printable(&view.version, &[])));
        let lists = [
            ("topics", &view.topics),
            ("categories", &view.categories),
            ("message types", &view.message_types),
            ("entity types", &view.entity_types),
        ];
        for (name, terms) in lists {
            show_terms(name, terms, view, output);
        }
    })
}

fn show_terms(name: &str, terms: &[Term], view: &VocabularyView, output: &Output) {
    output.line(&format!("{name}:"));
    for term in terms {
        let about = term.about.as_deref().map_or(String::new(), |about| format!(": {}", printable(about, &[])));
        let is_catch_all = name == "topics" && view.catch_all.as_ref() == Some(&term.name);
        let rest = if is_catch_all { " (if no other fits)" } else { "" };
        output.line(&format!("  {}{rest}{about}", term.name));
    }
}

fn export(session: &Session<'_>) -> Result<Outcome, Error> {
    let view = session.call::<verbs::Vocabulary>(session.arguments()?)?;
    let Some(file) = session.text("output").filter(|file| file != "-") else {
        session.output.result(&view, |output| output.raw(&view.text));
        return Ok(Outcome::Done);
    };
    let path = Path::new(&file);
    write_private(path, session.has("force"), |out| {
        out.write_all(view.text.as_bytes()).map_err(|error| cannot_write(path, &error))
    })?;
    session.output.result(&view, |output| output.line(&format!("version {} written to {file}", view.version)));
    Ok(Outcome::Done)
}

fn import(session: &Session<'_>) -> Result<Outcome, Error> {
    let mut arguments = session.arguments()?;
    let file = arguments.get("text").and_then(|text| text.as_str()).unwrap_or_default().to_owned();
    arguments.insert("text".to_owned(), json!(read(&file)?));
    let edited = session.call::<verbs::ImportVocabulary>(arguments)?;
    session.output.result(&edited, |output| {
        output.line(&format!("the vocabulary is now {}", printable(&edited.version, &[])));
        output.hint(
            "messages keep their labels; `recordar enrich --outdated --dry-run` shows what relabelling would take",
        );
    });
    Ok(Outcome::Done)
}

fn read(file: &str) -> Result<String, Error> {
    let bytes = match file {
        "-" => read_stdin(MAX_FILE_BYTES)?,
        file => {
            let unreadable = |error: std::io::Error| cannot_read(file, &error);
            let mut bytes = Vec::new();
            let opened = open_plain(Path::new(file)).map_err(unreadable)?;
            opened.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
            bytes
        }
    };
    String::from_utf8(bytes).map_err(|_| Invalid::new(format!("{file} is not UTF-8 text"), "save it as UTF-8").into())
}

fn history(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::VocabularyHistory>(|changes, output| {
        if changes.is_empty() {
            output.line("the vocabulary is the first one; nothing was changed");
            return;
        }
        let rows = changes.iter().map(|change| {
            let VocabularyChangeView { version, action, kind, term, pending, made_at } = change;
            let term = term.as_deref().map_or(String::new(), |term| printable(term, &[]).into_owned());
            let kind = kind.map_or(String::new(), |kind| format!("{} ", kind.name()));
            let state = if *pending { "relabelling" } else { "" };
            vec![made_at.to_string(), (*action).to_owned(), format!("{kind}{term}"), version.clone(), state.to_owned()]
        });
        output.table(&["made at", "action", "term", "version", "state"], rows);
        if changes.iter().any(|change| change.pending) {
            output.hint("`recordar work` finishes relabelling");
        }
    })
}

fn suggestions(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::Suggestions>(|suggestions, output| {
        if suggestions.is_empty() {
            output.line("no term is suggested often enough; lower --min-frequency to see rarer ones");
            return;
        }
        for SuggestionView { term, frequency, examples, .. } in suggestions {
            output.line(&format!("{} ({})", printable(term, &[]), plural(*frequency as u64, "message")));
            examples.iter().for_each(|example| output.line(&format!("  {}", printable(example, &[]))));
        }
        output.hint("`recordar vocab approve TERM` adds one, `recordar vocab reject TERM` sets it aside");
    })
}

fn approve(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::ApproveTerm>(|edited, output| told("added", edited, output))
}

fn reject(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::RejectTerm>(|edited, output| {
        output.line(&format!("{} is suggested no more", edited.term.as_deref().unwrap_or_default()));
    })
}

fn undo(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::UndoApproval>(|edited, output| told("removed", edited, output))
}

fn told(what: &str, edited: &VocabularyEdited, output: &Output) {
    output.line(&format!(
        "{what} {}; the vocabulary is now {}; {} relabelled",
        printable(edited.term.as_deref().unwrap_or_default(), &[]),
        edited.version,
        plural(edited.relabelled, "message")
    ));
}
