//! Composing: rules, project memory, files, a condensed context, history and the task, in one prompt of fixed order. It reads from top to bottom:
//! files, history, first shaping, retrieval, gate, condensing, audit, at most one rerun, conflicts, prompt, ceiling.

mod chain;
mod conflicts;
mod diff;
mod files;
mod find;
mod history;
mod receipt;
mod relevance;
mod send;
mod stage;

use crate::engine::Recordar;
use crate::flow::recall::forgotten_meanwhile;
pub(crate) use diff::diff;
use recordar_core::compose::{
    Agent, Agents, By, ComposeRequest, ComposeResult, ComposedMessage, ComposedSection, FlaggedText,
};
use recordar_core::error::Error;
use recordar_core::guard::Guard;
use recordar_core::noun::limits::MAX_QUERY_BYTES;
use recordar_core::recall::RecallProblem;
use recordar_core::receipt::{SentReceipt, StandingVersions};

use chain::{Chain, Chained};
use conflicts::{Settled, settle};
use files::{Injected, inject, off_documents};
use history::read_talk;
use recordar_compose::{
    Cleared, ContextFact, History, Lexicon, Parts, Reader, Said, Shape, ShapeFrom, SuperPrompt, may_name_files,
};
use recordar_domain::{
    Action, Digest, Invalid, SpaceName, Stage, StandingText, Timestamp, Trace, check_text, synonyms,
};
use recordar_llm::Operation;
use recordar_store::{Error as StoreError, Reading, SpaceId};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

const MAX_LINE_BYTES: usize = 4 * 1024;

/// How often a prompt is composed again because something in it was forgotten before its receipt was written.
const RECEIPT_ATTEMPTS: usize = 3;

/// Receives an answer while it comes in.
pub(crate) type OnText<'a> = Option<&'a mut dyn FnMut(&str)>;

/// A composition, ready to start.
struct Composing<'a> {
    memory: &'a Recordar,
    space: &'a SpaceName,
    request: &'a ComposeRequest,
    agents: &'a Agents,
    guard: Guard,
    /// All calls of models, under one ceiling.
    operation: &'a Operation,
    now: Timestamp,
    asked_at: Timestamp,
    /// Where it reads; nothing if the space does not exist.
    at: Option<At>,
}

/// A space at a revision.
#[derive(Debug, Clone, Copy)]
struct At {
    space: SpaceId,
    incarnation: i64,
    /// The newest revision.
    newest: i64,
    /// The one that is read: the newest, or that of a time.
    revision: i64,
}

/// What the owner of the space wrote.
#[derive(Default)]
struct Standing {
    rules: String,
    project: String,
    synonyms: Vec<Vec<String>>,
    versions: StandingVersions,
}

/// A composition, with what its receipt needs.
struct Composed {
    result: ComposeResult,
    prompt: SuperPrompt,
    files: Injected,
    settled: Settled,
    versions: StandingVersions,
    /// Every item that the trace may name.
    found: BTreeSet<i64>,
    sent: Option<SentReceipt>,
}

pub(crate) fn compose(
    memory: &Recordar,
    space: &SpaceName,
    request: &ComposeRequest,
    mut on_text: OnText<'_>,
) -> Result<ComposeResult, Error> {
    let started = Instant::now();
    check_rate(memory, space)?;
    let wants_receipt = memory.wants_receipt(request.receipt)?;
    // One operation, however many attempts it takes.
    let operation = memory.reasoning.operation();
    for _ in 0..RECEIPT_ATTEMPTS {
        let composing = Composing::new(memory, space, request, &operation)?;
        let mut composed = composing.compose()?;
        composed.result.same_tokens = composing.same_as_last(&composed)?;
        if request.send {
            let (sent, receipt) = composing.send(&composed.prompt, &composed.settled.context, on_text.take())?;
            (composed.result.sent, composed.sent) = (Some(sent), Some(receipt));
        }
        if wants_receipt && composing.at.is_some() {
            let kept = composing.keep_receipt(&composed);
            match kept {
                Ok(Some(receipt)) => composed.result.receipt = Some(receipt),
                Ok(None) if !request.send => continue,
                Err(error) if !request.send => return Err(error),
                // It is not sent, and paid for, a second time, and the answer is not lost.
                Ok(None) => composed.without_receipt("forgotten", "something in the prompt was forgotten meanwhile"),
                Err(error) => composed.without_receipt(error.code(), &error.to_string()),
            }
        }
        composed.result.total_latency = started.elapsed().as_secs_f64() * 1e3;
        return Ok(composed.result);
    }
    Err(forgotten_meanwhile())
}

/// A composition counts as a recall.
fn check_rate(memory: &Recordar, space: &SpaceName) -> Result<(), Error> {
    let per_minute = memory.config.recall.per_minute;
    if memory.recalls.rate().allows(std::slice::from_ref(space), per_minute, (memory.clock)()) {
        return Ok(());
    }
    let RecallProblem { detail, remedy, .. } = RecallProblem::rate_limited(per_minute);
    Err(Error::input("rate_limited", detail, remedy))
}

impl Composed {
    fn without_receipt(&mut self, reason: &str, detail: &str) {
        let mut stage = Stage::new("receipt");
        stage.decide("receipt", Action::Refused, reason, detail);
        self.result.trace.stages.push(stage);
    }
}

/// What was found for a prompt, as A2 shaped it.
struct Shaped {
    found: Chained,
    shape: Option<Shape>,
    /// Why retrieval ran once more.
    rerun: Option<&'static str>,
}

/// Shapes the prompt, retrieves, audits, and retrieves once more if that changed the scope (ORC-02 to ORC-04.1). A rerun that finds no more is
/// rolled back (SAF-A4).
fn shaped(
    chain: &Chain<'_>,
    query: &str,
    said: &[&str],
    trace: &mut Trace,
    reader: &mut Reader,
) -> Result<Shaped, Error> {
    let composing = chain.composing;
    let files = chain.composing.files_named_in(std::iter::once(query))?;
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let rules = composing.has(Agent::A2).then(|| Shape::first(query, ShapeFrom { said, files: &files }, reader));
    let first = rules.map(|rules| composing.shaped_by_model(query, said, rules, &mut trace.stages)).transpose()?;
    if composing.request.lock {
        let mut found = Chained::locked();
        trace.stages.append(&mut found.stages);
        return Ok(Shaped { found, shape: first, rerun: None });
    }
    let need = first.as_ref().map_or(query.to_owned(), |shape| shape.need.clone());
    let targets = first.as_ref().map_or(&[][..], |shape| &shape.targets);
    let mut found = chain.run((&need, &need), targets, reader)?;
    trace.stages.append(&mut found.stages);
    let Some(first) = first else { return Ok(Shaped { found, shape: None, rerun: None }) };
    let files = chain.composing.files_named_in(found.context.all().map(|fact| fact.text.as_str()))?;
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    // What an injected file says is not missing.
    let said = if chain.files.injected.is_empty() { said } else { &[] };
    let after = first.audit(&found.context, ShapeFrom { said, files: &files }, reader);
    let mut stage = Stage::new("audit");
    let Some(change) = first.scope_change(&after) else {
        stage.decide("scope", Action::Kept, "unchanged", "");
        trace.stages.push(stage);
        return Ok(Shaped { found, shape: Some(after), rerun: None });
    };
    stage.decide("scope", Action::Changed, change, "retrieval runs once more");
    let mut again = chain.run((&after.need, &need), &after.targets, reader)?;
    again.stages.iter_mut().for_each(|stage| stage.name = format!("{} (rerun)", stage.name));
    // More, and nothing lost: a wider question may bring other things in the place of the right ones.
    let is_kept = |fact: &ContextFact| again.context.all().any(|other| other.text == fact.text);
    let is_better = again.context.len() > found.context.len() && found.context.all().all(is_kept);
    if !is_better {
        stage.decide("scope", Action::Refused, "rolled_back", "the rerun found no more, or lost something");
    }
    trace.stages.push(stage);
    trace.stages.append(&mut again.stages);
    // The trace names what either pass found.
    again.found.extend(&found.found);
    found.found.clone_from(&again.found);
    Ok(match is_better {
        true => Shaped { found: again, shape: Some(after), rerun: Some(change) },
        false => Shaped { found, shape: Some(first), rerun: None },
    })
}

impl<'a> Composing<'a> {
    /// Everything up to the finished prompt.
    fn compose(&self) -> Result<Composed, Error> {
        let (memory, request) = (self.memory, self.request);
        let mut reader = Reader::new(memory.config.language);
        let standing = self.standing()?;
        let lexicon = Lexicon::new(&standing.synonyms, &mut reader);
        let mut trace = Trace::default();

        let (files, stage) = inject(self, &lexicon, &mut reader)?;
        trace.stages.extend(stage);
        let off = off_documents(self)?;
        let (talk, stages) = read_talk(self, &lexicon, &files, &off, &mut reader)?;
        trace.stages.extend(stages);

        let said: Vec<&str> = talk.asked.iter().map(String::as_str).collect();
        let query = self.redacted(&request.query)?;
        let chain = Chain { composing: self, lexicon: &lexicon, files: &files, off: &off };
        let Shaped { found: chained, shape, rerun } = shaped(&chain, &query, &said, &mut trace, &mut reader)?;
        let found = files.chunks.iter().flatten().map(|(id, _)| *id);
        let found = found.chain(talk.found.iter().copied()).chain(chained.found.iter().copied()).collect();

        let confidence = chained.confidence.clone();
        let (settled, stage) = settle(chained, &files, talk, &mut reader);
        trace.stages.extend(stage);
        let mode = request.mode.as_deref().map(|mode| self.redacted(mode)).transpose()?;
        let prompt = SuperPrompt::build(&Parts {
            rules: &standing.rules,
            project: &standing.project,
            files: &files.injected,
            context: &settled.context,
            history: &settled.history,
            mode: mode.as_deref(),
            shape: shape.as_ref(),
            task: &self.task(&query)?,
        });
        let tokens = memory.counter.count(prompt.as_str());
        let count = |section: &recordar_compose::SectionSpan| {
            let text = &prompt.as_str()[section.start..section.end];
            ComposedSection { name: section.name.clone(), tokens: memory.counter.count(text), sha256: Digest::of(text) }
        };
        let sections: Vec<ComposedSection> = prompt.sections().iter().map(count).collect();
        let estimate = self.check_ceiling(&prompt, tokens, &sections)?;
        let result = ComposeResult {
            space: self.space.to_string(),
            query,
            prompt: prompt.as_str().to_owned(),
            tokens,
            tokenizer: memory.counter.name(),
            sections,
            files: files.views.clone(),
            context: settled.context.clone(),
            history: entries(&settled.history),
            shape,
            rerun,
            conflicts: settled.conflicts.clone(),
            flagged: settled.flagged(&files),
            confidence,
            estimate,
            sent: None,
            same_tokens: None,
            receipt: None,
            responses: self.operation.calls(),
            trace,
            total_latency: 0.0,
        };
        Ok(Composed { result, prompt, files, settled, versions: standing.versions, found, sent: None })
    }

    fn new(
        memory: &'a Recordar,
        space: &'a SpaceName,
        request: &'a ComposeRequest,
        operation: &'a Operation,
    ) -> Result<Self, Error> {
        request.check()?;
        check_text("the query", &request.query, MAX_QUERY_BYTES)?;
        for (name, text) in [("the task", &request.task), ("the mode", &request.mode), ("the thread", &request.thread)]
        {
            text.as_deref().map(|text| check_text(name, text, MAX_LINE_BYTES)).transpose()?;
        }
        let at = memory.store.read(|reading| {
            let Some(row) = reading.space(space)? else { return Ok(None) };
            let revision = request.as_of.map_or(Ok(row.revision), |time| reading.revision_at(row.id, time))?;
            Ok(Some(At { space: row.id, incarnation: row.incarnation, newest: row.revision, revision }))
        })?;
        let now = (memory.clock)();
        let asked_at = request.asked_at.or(request.as_of).unwrap_or(now);
        let agents = request.agents.as_ref().unwrap_or(&memory.config.compose.agents);
        if !request.files.is_empty() && !agents.contains_key(&Agent::A1) {
            let what = "files are injected by agent a1, which is off";
            return Err(Invalid::new(what, "add a1 to --agents, or leave the files out").into());
        }
        if agents.values().any(|by| *by == By::Model) && !memory.reasoning.has_model() {
            return Err(send::no_model("for the agents"));
        }
        Ok(Self { memory, space, request, agents, guard: memory.configured_guard()?, operation, now, asked_at, at })
    }

    fn has(&self, agent: Agent) -> bool {
        self.agents.contains_key(&agent)
    }

    fn is_by_model(&self, agent: Agent) -> bool {
        self.agents.get(&agent) == Some(&By::Model)
    }

    /// Reads something at the revision; a default if there is no space.
    fn read<T: Default>(
        &self,
        read: impl Fn(&mut Reading<'_>, At) -> Result<T, recordar_store::Error>,
    ) -> Result<T, Error> {
        let Some(at) = self.at else { return Ok(T::default()) };
        Ok(self.memory.store.read(|reading| read(reading, at))?)
    }

    fn standing(&self) -> Result<Standing, Error> {
        let texts = self.read(|reading, At { space, revision, .. }| {
            let mut text = |kind| {
                let row = reading.standing_text(space, kind, revision)?;
                Ok::<_, StoreError>(row.map_or((String::new(), 0), |row| (row.text, row.number)))
            };
            Ok([text(StandingText::Rules)?, text(StandingText::Project)?, text(StandingText::Synonyms)?])
        })?;
        let [(rules, of_rules), (project, of_project), (listed, of_synonyms)] = texts;
        let versions = StandingVersions { rules: of_rules, project: of_project, synonyms: of_synonyms };
        let mut groups = synonyms(&listed)?;
        groups.extend(synonyms(&self.request.synonyms.join("\n"))?);
        Ok(Standing { rules: self.redacted(&rules)?, project: self.redacted(&project)?, synonyms: groups, versions })
    }

    /// A text of the caller or the owner, redacted as it is shown.
    fn redacted(&self, text: &str) -> Result<String, Error> {
        self.guard.shown(text)
    }

    /// A stored name or title on one line, redacted; an instruction in it is marked.
    fn name(&self, text: &str) -> Result<String, Error> {
        Ok(self.guard.cleared(text)?.line())
    }

    /// What the documents are called, as results show them; none if no text names a file.
    fn files_named_in<'t>(&self, mut texts: impl Iterator<Item = &'t str>) -> Result<Vec<String>, Error> {
        if !texts.any(may_name_files) {
            return Ok(Vec::new());
        }
        self.read(|reading, at| {
            let documents = reading.documents(at.space)?;
            Ok(documents.into_iter().map(|document| document.name.unwrap_or(document.path)).collect())
        })
    }

    fn task(&self, query: &str) -> Result<String, Error> {
        match &self.request.task {
            Some(task) => Ok(format!("{}\n{query}", self.redacted(task)?)),
            None => Ok(query.to_owned()),
        }
    }

    /// The hard stop on tokens and cost (SAF-G3).
    fn check_ceiling(
        &self,
        prompt: &SuperPrompt,
        tokens: usize,
        sections: &[ComposedSection],
    ) -> Result<Option<recordar_llm::Estimate>, Error> {
        let most = self.request.max_tokens;
        if tokens > most {
            let largest = sections.iter().max_by_key(|section| section.tokens);
            let largest =
                largest.map_or(String::new(), |section| format!("; [{}] alone has {}", section.name, section.tokens));
            let what = format!("the prompt would have {tokens} tokens, and the ceiling is {most}{largest}");
            let remedy = "raise --max-tokens, or use less: --pack, fewer files or --turns, smaller --history-tokens or --context-tokens";
            return Err(Error::input("prompt_too_long", what, remedy));
        }
        let Ok(Some(client)) = self.memory.reasoning.client_of(self.request.model.as_deref()) else { return Ok(None) };
        self.check_cost(&client, prompt.as_str()).map(Some)
    }
}

/// The layers as results show them.
fn entries(history: &History) -> Vec<ComposedMessage> {
    let entry = |layer: &'static str, said: &Said| ComposedMessage {
        item_id: said.item_id,
        layer,
        speaker: said.speaker.as_str().to_owned(),
        at: said.at,
        text: said.text.as_str().to_owned(),
        summary: said.title.is_some(),
        external: said.is_external,
    };
    let earlier = history.earlier.iter().map(|said| entry("earlier", said));
    earlier.chain(history.recent.iter().map(|said| entry("recent", said))).collect()
}

/// The instructions in a text, each with where it stands.
fn flagged_in(source: &str, text: &Cleared) -> Vec<FlaggedText> {
    let spans = text.instructions().iter().filter_map(|span| text.as_str().get(span.clone()));
    spans.map(|text| FlaggedText { source: source.to_owned(), text: text.to_owned() }).collect()
}

/// Refuses an unknown file in the words of the option.
fn named(what: &str, error: Error) -> Error {
    match error {
        Error::Invalid(Invalid { what: why, remedy }) => Invalid::new(format!("{what}: {why}"), remedy).into(),
        other => other,
    }
}

/// All paths that documents have or had, by their number.
type Documents = BTreeMap<i64, Vec<String>>;
