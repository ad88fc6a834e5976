//! Internal parsers, exposed for `recordar-fuzz`. Not part of the API: it may change at any time.

use crate::ingest::{Problem, decode};
use recordar_core::error::Error;
use recordar_core::guard::{Evidence, Redactor, SafeText};
use recordar_core::reason;
use recordar_core::reason::{
    AnswerTask, BuiltInAnswer, ClassifyTask, FactsTask, HelperTask, LongText, Said, SelectTask, Source, SumUpTask,
    SummariseTask, Task, TextToClassify,
};
use recordar_domain::text::Language;
use recordar_domain::{Cancel, Timestamp};
use recordar_llm::{
    Call, Ceilings, ChatModel, Client, ClientSettings, Completion, Failure, MemoryLedger, ModelName, ModelSettings,
    Parameters, Request, Structured,
};
use std::sync::Arc;
use std::time::Duration;

/// The text of a document, as ingestion reads it.
pub fn document(bytes: &[u8], max_bytes: u64) -> Result<String, Problem> {
    decode(bytes.to_vec(), max_bytes)
}

/// A text redacted with the built-in patterns and these.
pub fn redact(patterns: &[String], text: &str) -> Result<String, Error> {
    Redactor::new(patterns)?.without_secrets(text.to_owned())
}

const EPOCH: Timestamp = Timestamp::from_micros(0);

/// The quotes of the facts that the built-in patterns find in a message, and its built-in summary.
pub fn read_message(speaker: &str, text: &str) -> Result<(Vec<String>, String), Error> {
    let message = SafeText::given(text);
    let task = FactsTask { message: &message, speaker, said_at: EPOCH, most_output_tokens: 256 };
    let quote = |fact: reason::Extracted| text[fact.span.0..fact.span.1].to_owned();
    let quotes = task.built_in().into_iter().map(quote).collect();
    let messages = [Said { speaker: SafeText::given(speaker), text: message, at: EPOCH }];
    let task = SumUpTask { messages: &messages, language: Language::parse("auto")?, most_output_tokens: 256 };
    Ok((quotes, task.built_in().lines.join("\n")))
}

/// The tasks of a model.
pub const TASKS: [&str; 8] =
    ["answer", "answer_from_tree", "classify", "select", "summarise", "helper", "facts", "sum_up"];

/// The parsed reply to one of the tasks.
pub fn reply(task: &str, completion: Completion) -> Result<String, Error> {
    let language = Language::parse("english")?;
    let passage = |source: &str, text: &str| Evidence::given(source, Timestamp::from_micros(0), text);
    let question = SafeText::given("When is the lamp lit?");
    let texts = ["A keeper's notes.", "The lamp is lit at dusk.", "The boat comes on Mondays."];
    let [notes, lamp, boat] = texts.map(SafeText::given);
    let passages = [passage("notes.md", "The lamp is lit at dusk."), passage("log.md", "The boat comes on Mondays.")];
    let helpers = [(SafeText::given("notes.md"), notes.clone())];
    let answer = |helpers| AnswerTask {
        question: &question,
        passages: &passages,
        helpers,
        language,
        max_output_tokens: 256,
        accepts_any_length: true,
        built_in: BuiltInAnswer::WhatHolds,
    };
    match task {
        "answer" => said(&answer(None), completion),
        "answer_from_tree" => said(&answer(Some(&helpers)), completion),
        "classify" => {
            let text = |id, text| TextToClassify { id, text, section: None };
            let task = ClassifyTask {
                helper: &notes,
                path: vec!["Light".to_owned()],
                depth: 3,
                options: vec!["Lamps".to_owned(), "Boats".to_owned()],
                may_create: true,
                chunks: vec![text(1, &lamp), text(2, &boat)],
                is_retry: false,
                language,
                most_output_tokens: 256,
            };
            said(&task, completion)
        }
        "select" => {
            let choice = |name: &str| reason::Choice { name: name.to_owned(), below: String::new(), found: 0.0 };
            let task = SelectTask {
                question: &question,
                path: vec!["Light".to_owned()],
                depth: 3,
                options: vec![choice("Lamps"), choice("Boats"), choice("Weather")],
                n: 3,
                language,
                most_output_tokens: 256,
            };
            said(&task, completion)
        }
        "summarise" => {
            let text = |id: i64, text: &SafeText| LongText { id, text: text.clone(), target_chars: 20 };
            let chunks = [text(7, &lamp), text(-8, &boat)];
            let task =
                SummariseTask { chunks: &chunks, is_retry: false, is_length_checked: true, most_output_tokens: 256 };
            said(&task, completion)
        }
        "facts" => {
            let task = FactsTask { message: &boat, speaker: "Ada", said_at: EPOCH, most_output_tokens: 256 };
            said(&task, completion)
        }
        "sum_up" => {
            let messages = [lamp, boat].map(|text| Said { speaker: SafeText::given("Ada"), text, at: EPOCH });
            said(&SumUpTask { messages: &messages, language, most_output_tokens: 256 }, completion)
        }
        _ => {
            let source = Source {
                filename: SafeText::given("notes.md"),
                title: None,
                headings: vec![SafeText::given("Light")],
                beginning: lamp,
                topic: None,
            };
            said(&HelperTask { source: &source, most_output_tokens: 256 }, completion)
        }
    }
}

/// A model that always gives the same reply.
fn said<T: Task<Reply: std::fmt::Debug>>(task: &T, completion: Completion) -> Result<String, Error> {
    let settings = ClientSettings {
        retries: 0,
        retry_wait: Duration::ZERO,
        repairs: 1,
        concurrency: 1,
        patience: Duration::ZERO,
        ceilings: Ceilings::default(),
    };
    let clock = Arc::new(|| Timestamp::from_micros(0));
    let client = Client::new(Box::new(Saying::new(completion)), None, settings, Arc::<MemoryLedger>::default(), clock)?;
    let operation = client.operation(Cancel::default());
    let reply = client.structured(&task.request(), &operation, &|value| task.read(value))?;
    Ok(format!("{reply:?}"))
}

struct Saying {
    settings: ModelSettings,
    completion: Completion,
}

impl Saying {
    fn new(completion: Completion) -> Self {
        let name = ModelName { provider: "fuzzing".to_owned(), model: "saying".to_owned() };
        let parameters = Parameters { temperature: None, seed: None };
        Self { settings: ModelSettings { name, structured: Structured::Prompted, parameters }, completion }
    }
}

impl ChatModel for Saying {
    fn settings(&self) -> &ModelSettings {
        &self.settings
    }

    fn complete(&self, _: &Request, _: &mut Call<'_>) -> Result<Completion, Failure> {
        Ok(self.completion.clone())
    }
}
