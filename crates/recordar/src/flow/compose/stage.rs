//! Stages that ask a judge or a model, or that may take long: each within its time, and each with something to fall back on (SAF-B1, SAF-B2).

use super::Composing;
use crate::engine::Recordar;
use crate::flow::recall::is_unavailable;
use recordar_compose::{ChosenSentences, CondensedContext, GatedChunk, Shape, verified};
use recordar_core::compose::{Agent, By};
use recordar_core::error::Error;
use recordar_core::guard::{Guard, SafeText};
use recordar_core::judges::Reranker;
use recordar_core::noun::rerank::Rerank;
use recordar_core::reason::{Chosen, ChosenSentence, CondenseTask, GateTask, ShapeTask, Task};
use recordar_domain::{Action, Cancel, Stage};
use recordar_judge::{Effort, Judge};
use recordar_llm::{Error as ModelError, ErrorKind};
use std::time::Instant;

/// Who helps to shape a prompt reads so many of the things that were said before.
const SAID: usize = 3;
/// The judge's threads.
const THREADS: usize = 2;

const TIMEOUT: &str = "timeout";

/// Why a stage was left out.
pub(super) struct LeftOut {
    reason: &'static str,
    detail: String,
}

impl LeftOut {
    /// The stage, with what happens instead.
    pub(super) fn stage(self, name: &'static str, what: &str, instead: &str) -> Stage {
        let mut stage = Stage::new(name);
        stage.decide(what, Action::Refused, self.reason, format!("{}; {instead}", self.detail));
        stage
    }
}

impl Composing<'_> {
    /// When the stage that begins now must end.
    fn stage_cancel(&self) -> Cancel {
        self.memory.cancel.until(Instant::now() + self.memory.config.compose.stage_time)
    }

    /// Runs a stage that can be left out: because its time passes, or the database is away. An error if the whole call is cancelled.
    pub(super) fn in_time<T>(
        &self,
        run: impl FnOnce(&Recordar) -> Result<T, Error>,
    ) -> Result<Result<T, LeftOut>, Error> {
        match run(&self.memory.cancelled_by(self.stage_cancel())) {
            Err(error) if error.is_cancelled() && !self.memory.cancel.is_cancelled() => {
                Ok(Err(LeftOut { reason: TIMEOUT, detail: self.stage_time() }))
            }
            Err(Error::Store(error)) if is_unavailable(&error) => {
                Ok(Err(LeftOut { reason: "unavailable", detail: error.to_string() }))
            }
            ran => ran.map(Ok),
        }
    }

    fn stage_time(&self) -> String {
        format!("it took more than {} s", self.memory.config.compose.stage_time.as_secs())
    }

    /// Asks the model within the stage's time. Nothing, and why, if it gives no usable reply.
    fn ask_model<T: Task>(&self, task: &T, stage: &mut Stage) -> Result<Option<T::Reply>, Error> {
        let mut part = self.operation.part();
        part.cancel = self.stage_cancel();
        let reasoner = self.memory.reasoning.reasoner(&part);
        let asked = reasoner.asked(task, &part);
        let name = reasoner.model().map_or("model".to_owned(), |model| model.name.to_string());
        self.operation.join(part);
        let error = match asked {
            None => return Ok(None),
            Some(Ok(reply)) => {
                stage.decide(name, Action::Kept, "model", "");
                return Ok(Some(reply));
            }
            Some(Err(error)) => error,
        };
        if self.memory.cancel.is_cancelled() {
            return Err(error.into());
        }
        let (reason, detail) = match error.kind {
            ErrorKind::Cancelled => (TIMEOUT, self.stage_time()),
            _ => (error.code(), error.what.clone()),
        };
        stage.decide(name, Action::Refused, reason, format!("{detail}; it is done by rules"));
        if error.kind == ErrorKind::Cancelled {
            // The stages after it do not wait for it again.
            let what = format!("the model did not answer an earlier stage: {detail}");
            self.operation.give_up(&ModelError::new(ErrorKind::Away, what, "raise compose.stage_seconds"));
        }
        Ok(None)
    }

    /// A2's first pass by the model, or what rules make of the prompt.
    pub(super) fn shaped_by_model(
        &self,
        query: &str,
        said: &[&str],
        rules: Shape,
        stages: &mut Vec<Stage>,
    ) -> Result<Shape, Error> {
        if !self.is_by_model(Agent::A2) {
            return Ok(rules);
        }
        let mut stage = Stage::new("shape");
        let request = self.guard.text(query)?;
        let said = said.iter().take(SAID).map(|said| self.guard.text(said)).collect::<Result<Vec<SafeText>, _>>()?;
        let asked = self.ask_model(&ShapeTask { request: &request, said: &said, rules: &rules }, &mut stage)?;
        stages.push(stage);
        let Some(shape) = asked else { return Ok(rules) };
        Ok(Shape { need: self.redacted(&shape.need)?, ..shape })
    }

    /// How much each text tells of what must be known, from 0 to 1, by the judge or the model; nothing if rules are to say so.
    pub(super) fn judged_support<'t>(
        &self,
        need: &str,
        texts: impl Iterator<Item = &'t str>,
        stage: &mut Stage,
    ) -> Result<Option<Vec<f64>>, Error> {
        let texts: Vec<&str> = texts.collect();
        match self.agents.get(&Agent::A3) {
            _ if texts.is_empty() => Ok(None),
            Some(By::Judge) => {
                let judge = Reranker::shipped()?;
                Ok(self.supports_by_judge(&judge, need, &texts, stage))
            }
            Some(By::Folder(name)) => {
                let judge = self.memory.reranker(Some(&Rerank::Folder(name.clone())))?;
                Ok(judge.model().and_then(|judge| self.supports_by_judge(judge, need, &texts, stage)))
            }
            Some(By::Model) => {
                let passages: Vec<SafeText> = texts
                    .iter()
                    .map(|text| Ok(Guard::safe(&self.guard.cleared(text)?)))
                    .collect::<Result<_, Error>>()?;
                let need = self.guard.text(need)?;
                Ok(self.ask_model(&GateTask { need: &need, passages: &passages }, stage)?.flatten())
            }
            Some(By::Rules) | None => Ok(None),
        }
    }

    fn supports_by_judge(&self, judge: &Judge, need: &str, texts: &[&str], stage: &mut Stage) -> Option<Vec<f64>> {
        let cancel = self.stage_cancel();
        let stop = || cancel.is_cancelled();
        let effort = Effort { threads: THREADS, stop: &stop };
        let (refused, detail) = match judge.relevance(need, texts, &effort) {
            Ok(judged) if judged.len() == texts.len() => {
                stage.decide(judge.name(), Action::Kept, "judge", "");
                return Some(judged.iter().map(|judged| 1.0 / (1.0 + libm::exp(-f64::from(judged.logit)))).collect());
            }
            Ok(_) => (TIMEOUT, self.stage_time()),
            Err(error) => ("judge_failed", error.to_string()),
        };
        stage.decide(judge.name(), Action::Refused, refused, format!("{detail}; it is done by rules"));
        None
    }

    /// A4 by the model: the sentences that it chose, held against the chunks. Nothing if it gives none that are there.
    pub(super) fn condensed_by_model(
        &self,
        need: &str,
        chunks: &[GatedChunk],
        stages: &mut Vec<Stage>,
    ) -> Result<Option<CondensedContext>, Error> {
        if !self.is_by_model(Agent::A4) || chunks.is_empty() {
            return Ok(None);
        }
        let mut stage = Stage::new("condense by model");
        let passages: Vec<SafeText> = chunks.iter().map(|chunk| Guard::safe(&chunk.text)).collect();
        let (need, most_output_tokens) = (self.guard.text(need)?, self.memory.reasoning.max_output_tokens());
        let task = CondenseTask { need: &need, passages: &passages, most_output_tokens };
        let asked = self.ask_model(&task, &mut stage)?.flatten();
        stages.push(stage);
        let Some(Chosen { facts, constraints, open_issues }) = asked else { return Ok(None) };
        fn sentences(chosen: &[ChosenSentence]) -> Vec<(usize, &str)> {
            chosen.iter().map(|chosen| (chosen.passage, chosen.sentence.as_str())).collect()
        }
        let chosen = ChosenSentences {
            facts: sentences(&facts),
            constraints: sentences(&constraints),
            open_issues: open_issues.iter().map(|issue| self.name(issue)).collect::<Result<_, _>>()?,
        };
        let (context, mut stage) = verified(&chosen, chunks, self.request.context_tokens, &self.memory.counter);
        let is_usable = !context.is_empty() && context.check(chunks).is_ok();
        if !is_usable {
            stage.decide(
                "context",
                Action::Refused,
                "nothing_verified",
                "nothing that the model chose is there word for word; it is done by rules",
            );
        }
        stages.push(stage);
        Ok(is_usable.then_some(context))
    }
}
