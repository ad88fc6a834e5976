//! The time to a finished prompt, and the RAM that it needs: documents, a conversation, rules and project memory, all generated. The baseline is a
//! recall of the same questions. No language model is called.

use super::ram;
use super::text::Sentences;
use super::{no_room, to_store};
use crate::output::Output;
use recordar::compose::{ComposeRequest, ComposeResult};
use recordar::eval::Latency;
use recordar::item::Role;
use recordar::measure::Judge;
use recordar::recall::RecallRequest;
use recordar::search::Rerank;
use recordar::standing::StandingText;
use recordar::text::TokenCounter;
use recordar::{Config, Error, Message, OperationId, Recordar, SpaceName, Timestamp, system_clock};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

const VOCABULARY: usize = 60_000;
/// Several chunks.
const DOCUMENT_TOKENS: usize = 2_500;
const SECTION_SENTENCES: usize = 6;
const THREAD: &str = "talk";
const THREAD_MESSAGES: usize = 400;
const RULES: usize = 10;
const PROJECT_SENTENCES: usize = 15;
const QUESTION_WORDS: usize = 6;
const WARM_UP: usize = 20;
/// The judge is slow, so it gets a tenth of the questions.
const JUDGED_ONE_IN: usize = 10;
/// Every recall is a new one, and a full one.
const TOML: &str = "[recall]\ncache_seconds = 0\nmin_score = 0.0\nrerank = \"off\"";

#[derive(Serialize)]
struct ComposeFigures {
    #[serde(flatten)]
    stored: Stored,
    questions: usize,
    /// The first prompt after the store was opened: it opens the index, too.
    first_ms: f64,
    /// The finished prompt, with the settings that are the default.
    #[serde(flatten)]
    compose: Percentiles,
    /// Of a prompt, on average.
    mean_tokens: f64,
    mean_facts: f64,
    mean_messages: f64,
    /// The baseline.
    recall: Percentiles,
    /// Of the baseline's p50.
    ratio: f64,
    /// The process while it composed, at its peak; absent where the system does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_rss_mb: Option<f64>,
    /// The process just before, with what building the store has left behind.
    #[serde(skip_serializing_if = "Option::is_none")]
    rss_before_mb: Option<f64>,
    /// Whether the peak is also that of building the store, because the system cannot reset it.
    peak_covers_building: bool,
    /// Absent if the judge cannot be loaded.
    #[serde(skip_serializing_if = "Option::is_none")]
    judged: Option<Judged>,
}

#[derive(Serialize)]
struct Stored {
    /// Of the documents.
    tokens: u64,
    documents: u64,
    chunks: u64,
    /// Of the thread that the questions continue.
    messages: usize,
    build_s: f64,
}

/// The same with `rerank = judge` on both sides.
#[derive(Serialize)]
struct Judged {
    questions: usize,
    #[serde(flatten)]
    compose: Percentiles,
    recall: Percentiles,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_rss_mb: Option<f64>,
}

#[derive(Serialize, Clone, Copy)]
struct Percentiles {
    p50_ms: f64,
    p90_ms: f64,
}

pub(crate) fn run(tokens: usize, questions: usize, output: &Output) -> Result<(), Error> {
    let folder = tempfile::tempdir().map_err(|error| no_room(&error))?;
    let space = SpaceName::user("bench")?;
    let mut writer = Writer::new();
    let stored = writer.fill(folder.path(), &space, tokens)?;
    let (warm_up, asked) = (writer.questions(WARM_UP), writer.questions(questions));

    // Opened again, as a program does that starts now.
    let memory = open(folder.path())?;
    let peak_covers_building = !ram::reset_peak();
    let rss_before_mb = ram::now().map(megabytes);
    let (first_ms, first) = milliseconds(|| compose(&memory, &space, &writer.question(), None));
    first?;
    warm_up.iter().try_for_each(|question| compose(&memory, &space, question, None).map(drop))?;
    let (mut shown_tokens, mut facts, mut messages) = (0, 0, 0);
    let times = percentiles(&asked, |question| {
        let composed = compose(&memory, &space, question, None)?;
        shown_tokens += composed.tokens;
        facts += composed.context.len();
        messages += composed.history.len();
        Ok(())
    })?;
    let peak_rss_mb = ram::peak().map(megabytes);
    warm_up.iter().try_for_each(|question| recall(&memory, &space, question, None))?;
    let baseline = percentiles(&asked, |question| recall(&memory, &space, question, None))?;
    let judged = judged(&memory, &space, &asked[..questions.div_ceil(JUDGED_ONE_IN)])?;
    let mean = |sum: usize| sum as f64 / questions as f64;
    let figures = ComposeFigures {
        stored,
        questions,
        first_ms,
        compose: times,
        mean_tokens: mean(shown_tokens),
        mean_facts: mean(facts),
        mean_messages: mean(messages),
        recall: baseline,
        ratio: times.p50_ms / baseline.p50_ms,
        peak_rss_mb,
        rss_before_mb,
        peak_covers_building,
        judged,
    };
    output.result(&figures, |output| show(&figures, output));
    Ok(())
}

fn open(folder: &Path) -> Result<Recordar, Error> {
    Recordar::open(Config::from_toml(TOML, folder)?, system_clock())
}

fn compose(
    memory: &Recordar,
    space: &SpaceName,
    question: &str,
    rerank: Option<Rerank>,
) -> Result<ComposeResult, Error> {
    let request = ComposeRequest { thread: Some(THREAD.to_owned()), rerank, ..ComposeRequest::new(question) };
    memory.compose(space, &request)
}

fn recall(memory: &Recordar, space: &SpaceName, question: &str, rerank: Option<Rerank>) -> Result<(), Error> {
    let mut request = RecallRequest::new(question);
    request.settings.rerank = rerank;
    memory.recall(std::slice::from_ref(space), &request).map(drop)
}

fn judged(memory: &Recordar, space: &SpaceName, asked: &[String]) -> Result<Option<Judged>, Error> {
    if Judge::shipped().is_err() {
        return Ok(None);
    }
    let judge = || Some(Rerank::Judge);
    ram::reset_peak();
    // Each side runs once before it is timed.
    compose(memory, space, &asked[0], judge())?;
    let composed = percentiles(asked, |question| compose(memory, space, question, judge()).map(drop))?;
    let peak_rss_mb = ram::peak().map(megabytes);
    recall(memory, space, &asked[0], judge())?;
    let recalled = percentiles(asked, |question| recall(memory, space, question, judge()))?;
    Ok(Some(Judged { questions: asked.len(), compose: composed, recall: recalled, peak_rss_mb }))
}

fn percentiles(asked: &[String], mut call: impl FnMut(&str) -> Result<(), Error>) -> Result<Percentiles, Error> {
    let mut times = Vec::with_capacity(asked.len());
    for question in asked {
        let (taken, result) = milliseconds(|| call(question));
        result?;
        times.push(taken);
    }
    let Latency { p50: p50_ms, p90: p90_ms, .. } = Latency::of(times);
    Ok(Percentiles { p50_ms, p90_ms })
}

fn milliseconds<T>(step: impl FnOnce() -> T) -> (f64, T) {
    let started = Instant::now();
    let result = step();
    (started.elapsed().as_secs_f64() * 1e3, result)
}

fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// Writes everything that is stored, and questions about it; always the same.
struct Writer {
    sentences: Sentences,
    /// A sentence of each section, to ask about.
    subjects: Vec<String>,
}

impl Writer {
    fn new() -> Self {
        Self { sentences: Sentences::with_vocabulary(25, VOCABULARY), subjects: Vec::new() }
    }

    fn fill(&mut self, folder: &Path, space: &SpaceName, tokens: usize) -> Result<Stored, Error> {
        let texts = folder.join("texts");
        let memory = open(folder)?;
        let counter = TokenCounter::for_model(&Config::from_toml(TOML, folder)?.model);
        self.write_documents(&texts, tokens, &counter).map_err(|error| no_room(&error))?;
        let started = Instant::now();
        let request = to_store(texts, "bench-documents")?;
        let totals = memory.ingest(space, &request, &mut |_| {})?.totals;
        let messages = self.messages();
        memory.remember(space, &messages, &OperationId::parse("bench-messages")?)?;
        let rules: Vec<String> = (0..RULES).map(|_| self.sentence()).collect();
        let project: Vec<String> = (0..PROJECT_SENTENCES).map(|_| self.sentence()).collect();
        for (kind, text) in [(StandingText::Rules, rules.join("\n")), (StandingText::Project, project.join(" "))] {
            let operation = OperationId::parse(&format!("bench-{}", kind.name()))?;
            memory.set_standing_text(space, kind, &text, &operation)?;
        }
        Ok(Stored {
            tokens: totals.tokens,
            documents: totals.added,
            chunks: totals.chunks,
            messages: messages.len(),
            build_s: started.elapsed().as_secs_f64(),
        })
    }

    fn write_documents(&mut self, folder: &Path, tokens: usize, counter: &TokenCounter) -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let (mut written, mut number) = (0, 0);
        while written < tokens {
            let (mut text, mut counted) = (format!("# {}\n\n", self.title()), 0);
            while counted < DOCUMENT_TOKENS {
                let section = self.section();
                counted += counter.count(&section);
                text.push_str(&section);
            }
            std::fs::write(folder.join(format!("{number:05}.md")), &text)?;
            written += counted;
            number += 1;
        }
        Ok(())
    }

    fn section(&mut self) -> String {
        let sentences: Vec<String> = (0..SECTION_SENTENCES).map(|_| self.sentence()).collect();
        self.subjects.extend(sentences.first().cloned());
        format!("## {}\n\n{}\n\n", self.title(), sentences.join(" "))
    }

    fn title(&mut self) -> String {
        let words: Vec<String> = (0..3).map(|_| self.word()).collect();
        words.join(" ")
    }

    fn word(&mut self) -> String {
        let number = self.sentences.content_word();
        self.sentences.word(number).to_owned()
    }

    /// Some have a constraint or a number, so that there is something to sort and to compare.
    fn sentence(&mut self) -> String {
        let text = self.sentences.message();
        match self.sentences.below(10) {
            0 => format!("The {} must never change, {text}", self.word()),
            1 => format!("The {} has {} parts, {text}", self.word(), 2 + self.sentences.below(90)),
            _ => format!("The {} and {text}", self.word()),
        }
    }

    /// The user asks, the assistant replies; a minute each, the last one an hour ago.
    fn messages(&mut self) -> Vec<Message> {
        const MINUTE: i64 = 60_000_000;
        let now = system_clock()().as_micros();
        let message = |number: usize, text: String, role: Role| Message {
            thread: Some(THREAD.to_owned()),
            role,
            time: Some(Timestamp::from_micros(now - (60 + THREAD_MESSAGES - number) as i64 * MINUTE)),
            ..Message::new(&text)
        };
        (0..THREAD_MESSAGES)
            .map(|number| match number.is_multiple_of(2) {
                true => message(number, self.question(), Role::User),
                false => message(number, format!("{} {}", self.sentence(), self.sentence()), Role::Assistant),
            })
            .collect()
    }

    fn questions(&mut self, count: usize) -> Vec<String> {
        (0..count).map(|_| self.question()).collect()
    }

    /// About some words of one sentence.
    fn question(&mut self) -> String {
        const KINDS: [&str; 5] = [
            "What is known about",
            "Explain",
            "Which parts have",
            "Summarise what is said about",
            "What must be true of",
        ];
        let kind = KINDS[self.sentences.below(KINDS.len())];
        let chosen = self.sentences.below(self.subjects.len());
        let words: Vec<&str> = self.subjects[chosen].split([' ', ',', '.']).filter(|word| word.len() > 4).collect();
        let first = self.sentences.below(words.len().saturating_sub(QUESTION_WORDS) + 1);
        let asked: Vec<&str> = words.into_iter().skip(first).take(QUESTION_WORDS).collect();
        format!("{kind} {}?", asked.join(" "))
    }
}

fn show(figures: &ComposeFigures, output: &Output) {
    let Stored { tokens, documents, chunks, messages, build_s } = &figures.stored;
    output.line(&format!(
        "{tokens} tokens in {documents} documents ({chunks} chunks), a thread of {messages} messages, SQLite; stored in {build_s:.1} s"
    ));
    output.line(&format!(
        "{} questions; on average, a prompt has {:.0} tokens, {:.1} facts and {:.1} messages; the first took {:.1} ms",
        figures.questions, figures.mean_tokens, figures.mean_facts, figures.mean_messages, figures.first_ms,
    ));
    let row = |name: &str, times: &Percentiles, baseline: &Percentiles| {
        let ratio = format!("{:.2} ×", times.p50_ms / baseline.p50_ms);
        vec![name.to_owned(), format!("{:.2}", times.p50_ms), format!("{:.2}", times.p90_ms), ratio]
    };
    let mut rows = vec![
        row("the finished prompt", &figures.compose, &figures.recall),
        row("baseline: recall", &figures.recall, &figures.recall),
    ];
    if let Some(Judged { questions, compose, recall, .. }) = &figures.judged {
        rows.push(row(&format!("the finished prompt with the judge ({questions} questions)"), compose, recall));
        rows.push(row("baseline: recall with the judge", recall, recall));
    }
    output.table(&["", "p50 ms", "p90 ms", "p50 / recall"], rows);
    if let (Some(peak), Some(before)) = (figures.peak_rss_mb, figures.rss_before_mb) {
        let covers = match figures.peak_covers_building {
            true => "building the store, opening it and composing",
            false => "opening the index and composing, and what building the store left behind",
        };
        let judged = figures.judged.as_ref().and_then(|judged| judged.peak_rss_mb);
        let judged = judged.map_or(String::new(), |peak| format!("; with the judge {peak:.0} MB"));
        output.line(&format!(
            "peak RAM of the process: {peak:.0} MB, {before:.0} MB of it before the first question{judged}"
        ));
        output.line(&format!("this covers {covers}"));
    }
}
