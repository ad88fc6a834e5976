//! Retrieval, reranking, gate and condensing: from what must be known to a condensed context.

use super::files::Injected;
use super::find::{Found, exactly};
use super::{Composing, Documents};
use recordar_compose::{
    CondensedContext, ContextFact, DEFAULT_THETA, GatedChunk, Lexicon, Need, Reader, Refusal, as_chunks, condense,
    gate, item_name, supports,
};
use recordar_core::compose::{Agent, By};
use recordar_core::error::Error;
use recordar_core::noun::hit::HitView;
use recordar_core::noun::item::ItemView;
use recordar_core::noun::rerank::JudgeConfidence;
use recordar_core::rerank::{FoundAt, rerank_items};
use recordar_core::route::Question;
use recordar_core::route::search::shown_at;
use recordar_domain::text::SectionStart;
use recordar_domain::{Action, Stage, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

/// The open issue where documents were found and none is kept, and no file is given.
const NO_ANSWER: &str = "Nothing in the documents answers this.";

/// How many chunks of each file that the audit adds.
const PER_TARGET: usize = 5;

pub(super) struct Chain<'a> {
    pub(super) composing: &'a Composing<'a>,
    pub(super) lexicon: &'a Lexicon,
    pub(super) files: &'a Injected,
    /// Documents that are not used.
    pub(super) off: &'a Documents,
}

#[derive(Default)]
pub(super) struct Chained {
    pub(super) context: CondensedContext,
    pub(super) chunks: Vec<GatedChunk>,
    pub(super) confidence: JudgeConfidence,
    /// Every chunk that the trace may name.
    pub(super) found: BTreeSet<i64>,
    /// When each chunk's document was written.
    pub(super) written: BTreeMap<i64, Timestamp>,
    pub(super) stages: Vec<Stage>,
}

impl Chained {
    /// Nothing is retrieved.
    pub(super) fn locked() -> Self {
        let mut stage = Stage::new("retrieve");
        stage.decide("documents", Action::Dropped, "lock", "with lock, only files are used");
        Self { stages: vec![stage], ..Self::default() }
    }
}

impl Chain<'_> {
    /// What must be known may be wider than what was asked, of which the context says what is open.
    pub(super) fn run(
        &self,
        (need, asked): (&str, &str),
        targets: &[String],
        reader: &mut Reader,
    ) -> Result<Chained, Error> {
        let (composing, request) = (self.composing, self.composing.request);
        let mut stages = Vec::new();
        let Some(found) = self.retrieve(need, targets, &mut stages, reader)? else {
            return Ok(Chained { stages, ..Chained::default() });
        };
        let all = found.hits.iter().map(|hit| hit.item.item_id).chain(found.not_eligible.iter().copied());
        let all: BTreeSet<i64> = all.collect();
        let weigh = |stems: &[String]| {
            let known = found
                .weights
                .iter()
                .find(|(own, _)| own.split(' ').any(|stem| stems.iter().any(|asked| asked == stem)));
            known.map_or(0.0, |(_, weight)| *weight)
        };
        let needed = Need::read(need, self.lexicon, reader, weigh);
        let asked_for = Need::read(asked, self.lexicon, reader, weigh);
        let (hits, confidence) = self.reranked(need, found, &mut stages)?;
        let mut judging = Stage::new("gate by judge or model");
        let texts = || hits.iter().map(|hit| hit.item.text.as_str());
        let judged = composing.judged_support(need, texts(), &mut judging)?;
        stages.extend((!judging.decisions.is_empty()).then_some(judging));
        let theta = match composing.agents.get(&Agent::A3) {
            None => 0.0,
            Some(_) if judged.is_none() && needed.is_empty() => 0.0,
            Some(by) => request.theta.unwrap_or(if judged.is_some() { default_theta(by) } else { DEFAULT_THETA }),
        };
        let support = judged.unwrap_or_else(|| supports(&needed, texts(), reader));
        // A question without a telling word is gated by what the reranker finds alone; a gate that is switched off is off.
        let is_off = request.theta.is_some_and(|theta| theta <= 0.0) || !composing.has(Agent::A3);
        let refusal = not_sure(&confidence).or_else(|| self.below_min_score(&hits)).filter(|_| !is_off);
        let named = hits.into_iter().zip(support).map(|(hit, support)| (item_name(hit.item.item_id), support, hit));
        let (kept, stage) = gate(named.collect(), theta, refusal.as_ref());
        stages.push(stage);
        let mut chained = Chained { found: all, confidence, ..Chained::default() };
        for (_, hit) in kept {
            chained.written.insert(hit.item.item_id, hit.item.occurred_at);
            chained.chunks.push(self.chunk(&hit)?);
        }
        let counter = &composing.memory.counter;
        let by_model = composing.condensed_by_model(need, &chained.chunks, &mut stages)?;
        chained.context = if let Some(context) = by_model {
            context
        } else if composing.has(Agent::A4) {
            let files: Vec<&str> = self.files.texts.iter().map(|file| file.body.as_str()).collect();
            let (question, _) = Question::read(need, composing.memory.config.language, composing.asked_at);
            let mut meaning = question.meaning();
            reader.compare_with(move |text| meaning.likeness(text));
            let (context, mut stage) =
                condense((&needed, &asked_for), &chained.chunks, request.context_tokens, counter, (&files, reader));
            let checked = context.check(&chained.chunks);
            if let Err(invalid) = &checked {
                stage.decide("context", Action::Refused, "invalid", &invalid.what);
            }
            stages.push(stage);
            if checked.is_ok() { context } else { as_chunks(&chained.chunks, request.context_tokens, counter) }
        } else {
            as_chunks(&chained.chunks, request.context_tokens, counter)
        };
        if chained.chunks.is_empty() && self.files.texts.is_empty() {
            let is_unanswered = !chained.found.is_empty();
            chained.context.open_issues = is_unanswered.then(|| NO_ANSWER.to_owned()).into_iter().collect();
        }
        self.drop_secrets(&mut chained.context)?;
        chained.stages = stages;
        Ok(chained)
    }

    /// The best chunks; nothing if retrieval fails for now, and then only files are used (SAF-A2).
    fn retrieve(
        &self,
        need: &str,
        targets: &[String],
        stages: &mut Vec<Stage>,
        reader: &mut Reader,
    ) -> Result<Option<Found>, Error> {
        let (composing, k) = (self.composing, self.composing.request.k);
        let others = self.lexicon.others(&reader.stems_in_order(need)).join(" ");
        let query = format!("{need} {others}");
        let off = self.off.values().flatten().filter_map(|path| Some(format!("!path={}", exactly(path)?)));
        let filter: Vec<String> = std::iter::once("kind=chunk".to_owned()).chain(off.take(MAX_CONDITIONS)).collect();
        let retrieved = composing.in_time(|memory| {
            let mut found = composing.find(memory, &query, &filter, k)?;
            for target in targets {
                let Some(path) = exactly(target) else { continue };
                let of = [filter.clone(), vec![format!("path={path}")]].concat();
                for hit in composing.find(memory, &query, &of, PER_TARGET)?.hits {
                    if !found.hits.iter().any(|known| known.item.item_id == hit.item.item_id) {
                        found.hits.push(hit);
                    }
                }
            }
            Ok(found)
        });
        Ok(match retrieved? {
            Ok(found) => Some(self.eligible(found, stages)),
            Err(left_out) => {
                stages.push(left_out.stage("retrieve", "documents", "only files are used"));
                None
            }
        })
    }

    /// Without the chunks of files that are off, or injected anyway.
    fn eligible(&self, mut found: Found, stages: &mut Vec<Stage>) -> Found {
        stages.append(&mut found.stages);
        let mut stage = Stage::new("eligible");
        let (hits, others) = found.hits.into_iter().partition(|hit| self.is_eligible(&hit.item, &mut stage));
        stages.push(stage);
        let others: Vec<HitView> = others;
        Found { hits, not_eligible: others.iter().map(|hit| hit.item.item_id).collect(), ..found }
    }

    /// Whether a chunk's file is on, and not injected anyway.
    fn is_eligible(&self, item: &ItemView, stage: &mut Stage) -> bool {
        let path = item.document.as_deref().unwrap_or_default();
        let is_path = |known: &String| known == path;
        let injected = self.files.views.iter().zip(&self.files.paths).find(|(_, known)| known.iter().any(is_path));
        let reason = match injected {
            _ if self.off.values().flatten().any(is_path) => ("off", "the file is off"),
            Some((file, _)) if file.whole => ("injected", "the whole file is injected"),
            _ => return true,
        };
        stage.decide(item_name(item.item_id), Action::Dropped, reason.0, reason.1);
        false
    }

    /// Why nothing is used, if the best score is below what a recall keeps.
    fn below_min_score(&self, hits: &[HitView]) -> Option<Refusal> {
        let least = self.composing.memory.config.recall.settings.min_score;
        let best = hits.iter().map(|hit| hit.score).max_by(f64::total_cmp)?;
        let detail = format!("the best score is {best:.3}; at least {least} is needed");
        best.total_cmp(&least).is_lt().then_some(Refusal { setting: "min_score", detail })
    }

    /// In the reranker's order, if one is on, and how sure it is that any of them answers.
    fn reranked(
        &self,
        need: &str,
        found: Found,
        stages: &mut Vec<Stage>,
    ) -> Result<(Vec<HitView>, JudgeConfidence), Error> {
        let memory = self.composing.memory;
        let choice = memory.answers_reranker(self.composing.request.rerank.as_ref())?;
        let Some(judge) = choice.model() else {
            stages.extend(choice.problem().map(|problem| problem.stage()));
            return Ok((found.hits, JudgeConfidence::default()));
        };
        let spaces = [self.composing.space.clone()];
        let at = FoundAt { spaces: &spaces, revisions: shown_at(&found.moments), turns: found.turns };
        let scored: Vec<(&ItemView, f64)> = found.hits.iter().map(|hit| (&hit.item, hit.score)).collect();
        let reranked = self
            .composing
            .in_time(|memory| rerank_items(judge, need, (&memory.store, &at), &scored, &memory.judged_first()))?;
        let reranked = match reranked {
            Ok(reranked) => reranked,
            Err(left_out) => {
                stages.push(left_out.stage("rerank", &judge.name, "the search's order stays"));
                return Ok((found.hits, JudgeConfidence::default()));
            }
        };
        let arranged = reranked.arrange(found.hits);
        stages.push(reranked.stage);
        let hits = arranged.into_iter().map(|(hit, view)| HitView { score: view.score, ..hit }).collect();
        Ok((hits, reranked.confidence))
    }

    /// Without facts that are secrets once they stand alone, which they were not inside their chunk.
    fn drop_secrets(&self, context: &mut CondensedContext) -> Result<(), Error> {
        let is_plain = |fact: &ContextFact| Ok::<_, Error>(self.composing.redacted(&fact.text)? == fact.text);
        for list in [&mut context.facts, &mut context.constraints] {
            let kept: Vec<bool> = list.iter().map(is_plain).collect::<Result<_, _>>()?;
            let mut kept = kept.into_iter();
            list.retain(|_| kept.next().unwrap_or(false));
        }
        Ok(())
    }

    fn chunk(&self, hit: &HitView) -> Result<GatedChunk, Error> {
        let (item, guard) = (&hit.item, &self.composing.guard);
        let clear = |text: &str| self.composing.name(text);
        let text = guard.cleared(&item.text)?;
        // What clearing changed is no longer where its sections begin.
        let sections = if text.as_str() == item.text { item.sections.as_slice() } else { &[] };
        let section =
            |start: &SectionStart| Ok::<_, Error>(SectionStart { at: start.at, section: clear(&start.section)? });
        Ok(GatedChunk {
            item_id: item.item_id,
            document: clear(item.source().unwrap_or_default())?,
            section: item.section.as_deref().map(clear).transpose()?,
            day: item.occurred_at.day(),
            sections: sections.iter().map(section).collect::<Result<_, _>>()?,
            text,
            score: hit.score,
        })
    }
}

/// Why nothing is used, if the reranker finds that nothing answers.
fn not_sure(confidence: &JudgeConfidence) -> Option<Refusal> {
    confidence.refusal().map(|detail| Refusal { setting: "min_confidence", detail })
}

/// The strictness unless the caller sets it. By rules and by the judge, it keeps 99 % of the evidence (docs/benchmarks.md); a model's was not measured.
fn default_theta(by: &By) -> f64 {
    match by {
        By::Rules => DEFAULT_THETA,
        By::Judge | By::Folder(_) => 0.02,
        By::Model => 0.2,
    }
}

/// Conditions of a filter that name files.
const MAX_CONDITIONS: usize = 24;
