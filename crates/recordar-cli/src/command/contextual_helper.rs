//! `recordar helper`: the short description of a source that prompts include. And the dialogue that asks for it before an ingest.

use crate::arguments::{Session, Spec};
use crate::outcome::Outcome;
use crate::output::{Output, complain, plural, printable};
use recordar::helper::{HelperFields, HelperInput, HelperView};
use recordar::verb::verbs;
use recordar::{Error, Recordar};
use serde_json::{Map, Value};
use std::io::Write;

pub(crate) const COMMAND: Spec = Spec::verb::<verbs::Helper>(&["helper"], run)
    .positional(&["name"])
    .hidden(&["helper"])
    .definition("HelperArgument")
    .renamed("text", "helper")
    .described(&[
        ("text", "The whole contextual helper (the description of the source in prompts), at most 300 tokens"),
        ("date", "The date of the document, for its contextual helper, such as 2024-05-31, or \"unknown\""),
        ("author", "The author, for the contextual helper, or \"unknown\""),
        ("description", "A description of at most 200 tokens, for the contextual helper, or \"unknown\""),
        ("topic", "The topic, for the contextual helper, or \"unknown\""),
    ]);

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let mut arguments = session.arguments()?;
    let topic = arguments.remove("topic");
    gather(&mut arguments, topic);
    let view = session.call::<verbs::Helper>(arguments)?;
    session.output.result(&view, |output| show(&view, output));
    Ok(Outcome::Done)
}

/// Collects the fields of a contextual helper into one argument. The topic alone is not a helper.
pub(super) fn gather(arguments: &mut Map<String, Value>, topic: Option<Value>) {
    let fields = ["text", "date", "author", "description"];
    let mut helper: Map<String, Value> = fields.iter().filter_map(|field| arguments.remove_entry(*field)).collect();
    if !helper.is_empty() {
        let topic = topic.filter(|_| !helper.contains_key("text"));
        helper.extend(topic.map(|topic| ("topic".to_owned(), topic)));
        arguments.insert("helper".to_owned(), Value::Object(helper));
    }
}

fn show(view: &HelperView, output: &Output) {
    let Some(report) = &view.helper else {
        output.hint("no contextual helper; set one with --helper, or generate one with --regenerate");
        return;
    };
    output.line(&report.helper.text);
    let versions = plural(view.versions.len() as u64, "version");
    let tokens = plural(report.helper.tokens, "token");
    output.hint(&format!("{}, {tokens}, {}, {versions}", report.origin, report.timestamp));
    if let Some(number) = view.replaced_version {
        output.hint(&format!(
            "note: it replaces version {number}, which a user had set\n  try: to set that one again, use --helper; `--json` shows its text"
        ));
    }
}

/// Asks for the helper of a source on the terminal until it is confirmed; none if the user cancels.
pub(super) fn ask_for_helper(memory: &Recordar, path: &str) -> Option<HelperFields> {
    complain(&format!(
        "{}: describe it for prompts. Enter \"unknown\" for anything you do not know; Ctrl-D cancels.",
        printable(path, &[])
    ));
    let mut fields = HelperFields::default();
    loop {
        fields.date = ask_until("Date of the document, such as 2024-05-31", &fields.date, |text| {
            some(text)?;
            recordar::helper::iso_date(text).map_err(|invalid| format!("{}; {}", invalid.what, invalid.remedy))
        })?;
        fields.author = ask_until("Author", &fields.author, some)?;
        fields.topic = ask_until("Topic", &fields.topic, some)?;
        fields.description = ask_until("Description, in a few sentences", &fields.description, some)?;
        let input = HelperInput::Fields(fields.clone());
        let is_confirmed = match memory.preview_helper(&input) {
            Ok(preview) => {
                complain(&format!("\n{}\n({} of 300)\n", preview.text, plural(preview.tokens, "token")));
                choose()?
            }
            Err(error) => {
                complain(&format!("{error}; {}", error.remedy()));
                false
            }
        };
        if is_confirmed {
            return Some(fields);
        }
    }
}

fn some(text: &str) -> Result<String, String> {
    if text.is_empty() { Err("enter a value, or unknown".to_owned()) } else { Ok(text.to_owned()) }
}

/// Asks until the answer is valid; an empty line means the value in brackets. None at the end of the input.
fn ask_until(question: &str, known: &str, check: impl Fn(&str) -> Result<String, String>) -> Option<String> {
    loop {
        let shown = if known.is_empty() { String::new() } else { format!(" [{known}]") };
        let answer = ask(&format!("{question}{shown}: "))?;
        let answer = if answer.is_empty() { known } else { &answer };
        match check(answer) {
            Ok(answer) => return Some(answer),
            Err(why) => complain(&why),
        }
    }
}

/// True to confirm, false to edit, none to cancel.
fn choose() -> Option<bool> {
    loop {
        match ask("Confirm, edit or cancel? [c/e/x] ")?.to_lowercase().as_str() {
            "c" | "confirm" | "y" | "yes" => return Some(true),
            "e" | "edit" => return Some(false),
            "x" | "cancel" | "n" | "no" => return None,
            _ => complain("enter c, e or x"),
        }
    }
}

fn ask(question: &str) -> Option<String> {
    let mut stderr = std::io::stderr();
    let _ = write!(stderr, "{question}");
    let _ = stderr.flush();
    let mut answer = String::new();
    match std::io::stdin().read_line(&mut answer) {
        Ok(read) if read > 0 => Some(answer.trim().to_owned()),
        _ => None,
    }
}
