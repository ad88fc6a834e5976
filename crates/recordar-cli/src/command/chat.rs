//! `recordar chat`: a conversation with the configured model. Every prompt is composed as `recordar compose --send` does, in one thread, and what is
//! said is remembered.

use super::ask::called;
use super::compose::show_calls;
use super::explain::show_trace;
use super::facts::show_facts;
use super::forget::listed;
use crate::arguments::{Session, Spec};
use crate::outcome::Outcome;
use crate::output::{Output, plural};
use recordar::compose::{ComposeResult, ComposedSection, Sent};
use recordar::verb::verbs;
use recordar::{Error, Invalid, system_clock};
use serde_json::{Map, Value, json};
use std::io::{BufRead, IsTerminal, Read, Write};

/// The most that is read of a line.
const MAX_LINE_BYTES: u64 = 1024 * 1024;

const HELP: &str = "\
/why        what the last answer was made of, and what was left out
/prompt     the last prompt, as it was sent
/facts      what is known as facts
/forget     forget the last question and its answer; /forget ID forgets an item
/help       this
/quit       leave; Ctrl-D does too";

pub(crate) const COMMAND: Spec = Spec::verb::<verbs::Compose>(&["chat"], run)
    .about("Talk with the configured language model: each prompt is composed from memory, answered, and remembered")
    .hidden(&["query", "send", "prompt", "as_of", "asked_at"])
    .optional(&["query"])
    .described(&[("thread", "The conversation to continue; a new one by default")]);

/// A conversation.
struct Chat<'a> {
    session: &'a Session<'a>,
    /// The options of every composition.
    options: Map<String, Value>,
    thread: String,
    last: Option<Turn>,
    has_failed: bool,
}

/// The last question and its answer.
struct Turn {
    composed: ComposeResult,
    /// How they are stored.
    items: Vec<i64>,
}

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let mut options = session.arguments()?;
    if session.memory()?.config().llm.is_none() {
        let remedy = "set llm.provider and llm.model in recordar.toml; `recordar ask` answers without a model";
        return Err(Error::input("no_model", "no language model is configured to talk with", remedy));
    }
    let new = || format!("chat {}", system_clock()());
    let thread = options.get("thread").and_then(Value::as_str).map_or_else(new, str::to_owned);
    options.insert("thread".to_owned(), thread.clone().into());
    options.insert("send".to_owned(), true.into());
    let mut chat = Chat { session, options, thread, last: None, has_failed: false };
    chat.talk()?;
    // A script wants to know; a person has seen it.
    let is_script = !std::io::stdin().is_terminal();
    Ok(if chat.has_failed && is_script { Outcome::Failed } else { Outcome::Done })
}

impl Chat<'_> {
    fn talk(&mut self) -> Result<(), Error> {
        let output = self.session.output;
        output.hint(&format!("thread {:?}; /help lists what else you can do", self.thread));
        while let Some(line) = self.read_line()? {
            let line = line.trim();
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let done = match word {
                "" => continue,
                "/quit" | "/exit" => break,
                "/help" => {
                    output.line(HELP);
                    Ok(())
                }
                "/why" => self.why(),
                "/prompt" => self.prompt(),
                "/facts" => self.facts(),
                "/forget" => self.forget(rest.trim()),
                word if word.starts_with('/') => {
                    Err(Invalid::new(format!("{word} is not known"), "/help lists what is").into())
                }
                _ => self.say(line),
            };
            // The conversation goes on: nothing but what failed is lost.
            match done {
                Err(error) if !self.session.is_interrupted() => {
                    self.has_failed = true;
                    output.warn(&format!("{error}\n  try: {}", error.remedy()));
                }
                done => done?,
            }
        }
        Ok(())
    }

    fn read_line(&self) -> Result<Option<String>, Error> {
        let is_terminal = std::io::stdin().is_terminal();
        if is_terminal {
            let mut stderr = std::io::stderr();
            let _ = write!(stderr, "> ").and_then(|()| stderr.flush());
        }
        let mut line = Vec::new();
        let read = std::io::stdin().lock().take(MAX_LINE_BYTES).read_until(b'\n', &mut line);
        let bytes = read.map_err(|error| super::cannot_read("standard input", &error))?;
        let text = String::from_utf8(line);
        let not_text = |_| Error::from(Invalid::new("that is not UTF-8 text", "type text"));
        if bytes == 0 { Ok(None) } else { text.map(Some).map_err(not_text) }
    }

    /// Composes, sends, shows and remembers.
    fn say(&mut self, said: &str) -> Result<(), Error> {
        let output = self.session.output;
        let mut arguments = self.options.clone();
        arguments.insert("query".to_owned(), said.into());
        let mut shown = String::new();
        let composed = self.session.call_streaming::<verbs::Compose>(arguments, &mut |text| {
            if !output.is_json {
                output.raw(text);
                shown.push_str(text);
            }
        })?;
        let Some(sent) = &composed.sent else { return Ok(()) };
        let messages = json!([
            {"text": said, "role": "user", "thread": self.thread},
            {"text": sent.answer, "role": "assistant", "thread": self.thread},
        ]);
        let has_answer = !sent.answer.trim().is_empty();
        output.result(&composed, |output| {
            output.line(if shown == sent.answer { "" } else { &sent.answer });
            show_context(&composed, sent, output);
        });
        // An empty answer is no message.
        let messages = if has_answer { messages } else { json!([messages[0]]) };
        let operation = uuid::Uuid::new_v4().to_string();
        let stored = Map::from_iter([("messages".to_owned(), messages), ("operation".to_owned(), operation.into())]);
        let items = self.session.call::<verbs::Remember>(stored)?.items;
        self.last = Some(Turn { composed, items });
        Ok(())
    }

    fn last(&self) -> Result<&Turn, Error> {
        let nothing = || Invalid::new("nothing was answered yet", "ask something first");
        Ok(self.last.as_ref().ok_or_else(nothing)?)
    }

    fn why(&self) -> Result<(), Error> {
        let (composed, output) = (&self.last()?.composed, self.session.output);
        for ComposedSection { name, tokens, .. } in &composed.sections {
            output.line(&format!("[{name}] {}", plural(*tokens as u64, "token")));
        }
        for source in &composed.context.sources {
            let section = source.section.as_ref().map_or(String::new(), |section| format!(", {section}"));
            output.line(&format!("[{}] {}{section} (item {})", source.number, source.document, source.item_id));
        }
        show_trace(&composed.trace, output);
        if let Some(receipt) = &composed.receipt {
            output.line(&format!("receipt {receipt}: `recordar why {receipt}` proves the prompt and the answer"));
        }
        Ok(())
    }

    fn prompt(&self) -> Result<(), Error> {
        self.session.output.line(self.last()?.composed.prompt.trim_end());
        Ok(())
    }

    fn facts(&self) -> Result<(), Error> {
        let facts = self.session.call::<verbs::Facts>(Map::new())?;
        show_facts(&facts, false, self.session.output);
        Ok(())
    }

    /// Forgets the last question and its answer, or an item by its id.
    fn forget(&mut self, named: &str) -> Result<(), Error> {
        let wrong = |_| Invalid::new(format!("{named:?} is not the id of an item"), "/why shows ids");
        let named = (!named.is_empty()).then(|| named.parse::<i64>().map_err(wrong)).transpose()?;
        let is_last = |turn: &Turn| named.is_none_or(|id| turn.items.contains(&id));
        if named.is_none() {
            self.last()?;
        }
        let Some(turn) = self.last.take_if(|turn| is_last(turn)) else {
            return self.forget_these("items", json!(named.into_iter().collect::<Vec<_>>()));
        };
        // Its receipt holds the question and the answer too.
        turn.composed.receipt.iter().try_for_each(|receipt| self.forget_these("receipts", json!([receipt])))?;
        self.forget_these("items", json!(turn.items))
    }

    fn forget_these(&self, what: &str, ids: Value) -> Result<(), Error> {
        let operation = uuid::Uuid::new_v4().to_string();
        let arguments = Map::from_iter([(what.to_owned(), ids), ("operation".to_owned(), operation.into())]);
        let report = self.session.call::<verbs::Forget>(arguments)?;
        self.session.output.line(&format!("forgotten: {}", listed(&report.forgotten)));
        Ok(())
    }
}

/// What an answer was made of, in a line or two.
fn show_context(composed: &ComposeResult, sent: &Sent, output: &Output) {
    let context = &composed.context;
    let mut documents: Vec<&str> = context.sources.iter().map(|source| source.document.as_str()).collect();
    documents.dedup();
    let from = if documents.is_empty() { String::new() } else { format!(" from {}", documents.join(", ")) };
    let facts = plural((context.facts.len() + context.constraints.len()) as u64, "fact");
    let (files, messages) = (composed.files.len() as u64, composed.history.len() as u64);
    output.hint(&format!("{facts}{from}; {}; {}", plural(files, "file"), plural(messages, "message")));
    for number in &sent.unknown_citations {
        output.warn(&format!("the answer cites [{number}], which is no source of the prompt"));
    }
    if let Some(problem) = &sent.model_problem {
        output.warn(&format!("{}; answered by the fallback model, {}", problem.what, sent.model));
    }
    show_calls(composed, output);
    sent.responses.iter().for_each(|call| output.hint(&called(call)));
}
