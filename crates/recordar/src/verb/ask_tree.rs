//! Asking by the tree: descend, retrieve, fit the budget by pruning or by summarising (never both), and answer (A10, A11).

use super::ask::{AskRequest, AskResult, Citation, UsedChunk};
use super::query::{all_empty, check_limits};
use super::recall::Plan;
use crate::assemble::{ChunkSize, Compression, Pruned, Redactor, parts, prune};
use crate::config::{PromptLimiting, Route};
use crate::engine::Recordar;
use crate::error::Error;
use crate::noun::chunk::QueryChunk;
use crate::noun::limits::MAX_CHUNKS;
use crate::noun::method::Method;
use crate::noun::method::ModelProblem;
use crate::noun::path::{DroppedPath, TreePath};
use crate::noun::summary::TextToSummarise;
use crate::reason::{Answer, AnswerTask, Done, Evidence, Performed, Reasoner, SummariseTask, Task};
use crate::route::leaves::Place;
use crate::route::tree::Descended;
use recordar_domain::{Action, Invalid, SpaceName, Stage};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// Candidates for the final prompt.
struct Material<'a> {
    question: &'a str,
    paths: Vec<TreePath>,
    /// With the number of its path; ordered by path, then by time and id.
    chunks: Vec<(usize, QueryChunk)>,
    /// By document: its name and its helper.
    helpers: BTreeMap<i64, (String, String)>,
    most: usize,
}

/// A text considered for the final prompt.
struct Piece {
    /// The index of its chunk.
    at: usize,
    text: String,
    is_summary: bool,
}

/// The decisions made so far.
struct Limited {
    pieces: Vec<Piece>,
    dropped: Vec<DroppedPath>,
    problem: Option<ModelProblem>,
    stages: Vec<Stage>,
}

impl Recordar {
    pub(super) fn ask_by_tree(&self, plan: &Plan<'_>, request: &AskRequest) -> Result<AskResult, Error> {
        let started = Instant::now();
        let space = one_space(plan, request)?;
        let traversal = self.traversal(&request.descent)?;
        check_limits(&request.descent, MAX_CHUNKS)?;
        let question = request.recall.query.as_str();
        let operation = self.operation_of_model();
        let tree = self.tree_of(space)?;
        let Descended { paths, mut dropped, problem, stage, .. } =
            self.find_paths(&tree, question, &traversal, &operation)?;
        let mut result = AskResult::new(question, vec![space.to_string()], Route::Tree);
        result.trace.stages.push(stage);
        let limits = (request.descent.limit_per_path, MAX_CHUNKS + 1);
        let retrieved = self.retrieve(space, &paths, Place::default(), limits, plan.redactor.as_deref())?;
        result.trace.stages.push(retrieved.stage);
        if retrieved.chunks.is_empty() {
            return Err(all_empty(&paths, dropped));
        }
        if retrieved.chunks.len() > MAX_CHUNKS {
            let what = format!("the question matches more than {MAX_CHUNKS} chunks");
            return Err(Invalid::new(what, "lower limit_per_path, or follow fewer paths").into());
        }
        for empty in &retrieved.errors {
            let reason = "empty".to_owned();
            dropped.push(DroppedPath {
                category_path: empty.category_path.clone(),
                reason,
                detail: empty.what.clone(),
            });
        }
        let most = request.limiting.max_token_budget.unwrap_or(self.config.answer.max_token_budget) as usize;
        let helpers = self.helpers_of(space, &retrieved.chunks, plan.redactor.as_deref())?;
        let (paths, chunks) = without_empty(paths, retrieved.chunks);
        let material = Material { question, paths, chunks, helpers, most };
        let reasoner = self.reasoner(&operation);
        let strategy = request.limiting.prompt_limiting_strategy;
        let limited = match strategy.unwrap_or(self.config.answer.prompt_limiting_strategy) {
            PromptLimiting::Prune => self.pruned(
                &material,
                request.limiting.use_rankings.unwrap_or(self.config.answer.use_rankings),
                &dropped,
            )?,
            PromptLimiting::Summarize => self.summarized(&material, &reasoner, &dropped)?,
        };
        dropped.extend(limited.dropped);
        result.trace.stages.extend(limited.stages);
        result.model_problem = problem.or(limited.problem);
        result.dropped_paths = dropped;
        self.answer_from(&material, &limited.pieces, &reasoner, &mut result)?;
        result.responses = operation.calls();
        result.total_latency = started.elapsed().as_secs_f64() * 1e3;
        Ok(result)
    }

    fn helpers_of(
        &self,
        space: &SpaceName,
        chunks: &[(usize, QueryChunk)],
        redactor: Option<&Redactor>,
    ) -> Result<BTreeMap<i64, (String, String)>, Error> {
        let documents: BTreeMap<i64, &str> =
            chunks.iter().map(|(_, chunk)| (chunk.document_id, chunk.document.as_str())).collect();
        let ids: BTreeSet<i64> = documents.keys().copied().collect();
        let rows = self.store.read(|reading| match reading.space(space)? {
            Some(space) => reading.live_helpers(space.id, &ids),
            None => Ok(Vec::new()),
        })?;
        let mut helpers = BTreeMap::new();
        for row in rows {
            let text = redactor.map_or(Ok(row.text.clone()), |redactor| redactor.without_secrets(row.text.clone()))?;
            let document = documents.get(&row.document_id).copied().unwrap_or_default();
            helpers.insert(row.document_id, (document.to_owned(), text));
        }
        Ok(helpers)
    }

    /// Drops paths until the prompt fits. Dropping all of them is an error.
    fn pruned(&self, material: &Material<'_>, use_rankings: bool, dropped: &[DroppedPath]) -> Result<Limited, Error> {
        let sizes = self.sizes(material);
        let total = |kept: &[bool]| {
            let is_kept = |at: &usize| kept[material.chunks[*at].0];
            let chunks: Vec<usize> = (0..material.chunks.len()).filter(is_kept).collect();
            let estimate = self.fixed(material, &chunks) + chunks.iter().map(|at| sizes[*at].tokens).sum::<usize>();
            if estimate > material.most {
                return estimate;
            }
            // Joined texts may have more tokens than the sum of their parts.
            estimate.max(self.tokens_of(material, &material.pieces(chunks)))
        };
        let Pruned { kept, dropped: pruned, tokens, stage } =
            prune(&material.paths, material.most, use_rankings, total);
        let chunks: Vec<usize> = (0..material.chunks.len()).filter(|at| kept[material.chunks[*at].0]).collect();
        if chunks.is_empty() {
            let what = format!(
                "no path fits into answer.max_token_budget ({}): the prompt has {tokens} tokens without any path",
                material.most
            );
            let remedy = "raise answer.max_token_budget, lower limit_per_path, or set \
                          prompt_limiting_strategy to \"summarize\"";
            let dropped = [dropped, &pruned].concat();
            return Err(Error::paths("budget_exceeded", what, remedy, &material.paths, dropped));
        }
        Ok(Limited { pieces: material.pieces(chunks), dropped: pruned, problem: None, stages: vec![stage] })
    }

    /// Shortens every chunk; drops none.
    fn summarized(
        &self,
        material: &Material<'_>,
        reasoner: &Reasoner<'_>,
        dropped: &[DroppedPath],
    ) -> Result<Limited, Error> {
        let mut stage = Stage::new("summarize");
        let sizes = self.sizes(material);
        let all: Vec<usize> = (0..material.chunks.len()).collect();
        let fixed = self.fixed(material, &all);
        let too_small = |what: String| {
            let remedy = "raise answer.max_token_budget, lower limit_per_path, or follow fewer paths";
            Error::paths("budget_exceeded", what, remedy, &material.paths, dropped.to_vec())
        };
        let Some(compression) = Compression::new(material.most, fixed, &sizes) else {
            return Err(too_small(format!(
                "answer.max_token_budget is {}; the prompt has {fixed} tokens before any chunk",
                material.most
            )));
        };
        if !compression.is_needed() && self.tokens_of(material, &material.pieces(all.clone())) <= material.most {
            stage.decide("prompt", Action::Kept, "max_token_budget", "every chunk fits unchanged");
            return Ok(Limited {
                pieces: material.pieces(all),
                dropped: Vec::new(),
                problem: None,
                stages: vec![stage],
            });
        }
        stage.decide("prompt", Action::Changed, "max_token_budget", format!("ratio {:.4}", compression.ratio()));
        let texts: Vec<TextToSummarise> = (0..)
            .zip(&material.chunks)
            .map(|(at, (_, chunk)): (usize, _)| TextToSummarise {
                id: chunk.chunk_id,
                text: chunk.text_content.clone(),
                target_chars: compression.target_chars(sizes[at].chars),
            })
            .collect();
        let mut problem = None;
        let mut summaries: BTreeMap<i64, String> = BTreeMap::new();
        let mut open = texts.clone();
        for attempt in 0..=self.config.answer.summary_max_retries {
            self.summarise_parts(
                (&open, material.most),
                attempt > 0,
                reasoner,
                (&mut summaries, &mut problem, &mut stage),
            )?;
            let is_long = |text: &TextToSummarise| {
                summaries.get(&text.id).is_none_or(|summary| summary.chars().count() > text.target_chars)
            };
            open.retain(is_long);
            if open.is_empty() {
                break;
            }
        }
        for text in &open {
            let subject = format!("chunk {}", text.id);
            stage.decide(subject, Action::Kept, "too_long", format!("longer than {} characters", text.target_chars));
        }
        let combined: usize = summaries.values().map(|summary| summary.chars().count()).sum();
        let tolerance = self.config.answer.summary_char_overage_tolerance_percent;
        if !compression.allows(combined, tolerance) {
            let what =
                format!("the summaries have {combined} characters together, more than {tolerance} % over the target");
            return Err(too_small(what));
        }
        let pieces: Vec<Piece> = all
            .into_iter()
            .map(|at| Piece {
                at,
                text: summaries.remove(&material.chunks[at].1.chunk_id).unwrap_or_default(),
                is_summary: true,
            })
            .collect();
        let tokens = self.tokens_of(material, &pieces);
        if tokens > material.most {
            return Err(too_small(format!(
                "with all summaries the prompt has {tokens} tokens; answer.max_token_budget is {}",
                material.most
            )));
        }
        stage.decide("prompt", Action::Kept, "summarized", format!("{tokens} of {} tokens", material.most));
        Ok(Limited { pieces, dropped: Vec::new(), problem, stages: vec![stage] })
    }

    /// One request for each part, in parallel.
    fn summarise_parts(
        &self,
        (texts, most): (&[TextToSummarise], usize),
        is_retry: bool,
        reasoner: &Reasoner<'_>,
        (summaries, problem, stage): (&mut BTreeMap<i64, String>, &mut Option<ModelProblem>, &mut Stage),
    ) -> Result<(), Error> {
        let tokens_of = |texts: &[TextToSummarise]| {
            let prompt = self.summarise_task(texts, is_retry).prompt();
            self.counter.count(&prompt.system) + self.counter.count(&prompt.user)
        };
        let preface = tokens_of(&[]);
        let headroom = self.config.answer.summarization_instruction_headroom_tokens as usize;
        let cap = most.saturating_sub(headroom);
        let each = |text: &TextToSummarise| tokens_of(std::slice::from_ref(text)).saturating_sub(preface);
        let parts = parts(texts, cap, preface, each);
        let tasks: Vec<SummariseTask<'_>> = parts.iter().map(|part| self.summarise_task(part, is_retry)).collect();
        for (part, Performed { done, .. }) in parts.iter().zip(reasoner.perform_all(&tasks)) {
            let done = done?;
            let by = if done.method == Method::Model { "model" } else { "built_in" };
            let what = if is_retry { "chunks that were too long" } else { "chunks" };
            let ids: Vec<String> = part.iter().map(|text| text.id.to_string()).collect();
            stage.decide(format!("{what} {}", ids.join(", ")), Action::Changed, by, "summarised together");
            *problem = problem.take().or(done.problem.clone());
            if let Some(problem) = &done.problem {
                stage.decide("model", Action::Refused, &problem.code, &problem.what);
            }
            for summary in done.reply {
                // The second attempt is not always the shorter one.
                let kept = summaries.entry(summary.id).or_insert_with(|| summary.text.clone());
                if summary.text.chars().count() < kept.chars().count() {
                    *kept = summary.text;
                }
            }
        }
        Ok(())
    }

    fn summarise_task<'a>(&self, chunks: &'a [TextToSummarise], is_retry: bool) -> SummariseTask<'a> {
        let most_output_tokens = self.max_output_tokens().max(output_tokens(chunks));
        SummariseTask { chunks, is_retry, is_length_checked: false, most_output_tokens }
    }

    fn answer_from(
        &self,
        material: &Material<'_>,
        pieces: &[Piece],
        reasoner: &Reasoner<'_>,
        result: &mut AskResult,
    ) -> Result<(), Error> {
        let (evidence, helpers) = material.prompt_parts(pieces);
        let Done { reply: Answer { text, citations }, method, problem, stage } =
            reasoner.perform(&self.tree_task(material.question, &evidence, &helpers))?;
        // Heavily truncated text may no longer contain an answer.
        result.method = if text.is_empty() { Method::Nothing } else { method };
        result.answer = text;
        result.model = reasoner.model().filter(|_| method == Method::Model).map(|model| model.name.to_string());
        result.model_problem = result.model_problem.take().or(problem);
        result.trace.stages.push(stage);
        let chunk = |piece: &Piece| &material.chunks[piece.at].1;
        result.used_chunks = pieces
            .iter()
            .map(|piece| UsedChunk {
                chunk_id: chunk(piece).chunk_id,
                category_path: chunk(piece).category_path.clone(),
                document: chunk(piece).document.clone(),
                summarized: piece.is_summary,
            })
            .collect();
        let citation = |number: usize| {
            let chunk = chunk(pieces.get(number.checked_sub(1)?)?);
            Some(Citation {
                number,
                collection: result.spaces.first().cloned().unwrap_or_default(),
                item_id: chunk.chunk_id,
                document: Some(chunk.document.clone()),
                section: chunk.section.clone(),
            })
        };
        result.citations = citations.into_iter().filter_map(citation).collect();
        Ok(())
    }

    fn tree_task<'a>(
        &self,
        question: &'a str,
        passages: &'a [Evidence],
        helpers: &'a [(String, String)],
    ) -> AnswerTask<'a> {
        let (language, max_output_tokens) = (self.config.language, self.max_output_tokens());
        AnswerTask { question, passages, helpers: Some(helpers), language, max_output_tokens }
    }

    /// The token count of a prompt of these pieces.
    fn tokens_of(&self, material: &Material<'_>, pieces: &[Piece]) -> usize {
        let (evidence, helpers) = material.prompt_parts(pieces);
        let prompt = self.tree_task(material.question, &evidence, &helpers).prompt();
        self.counter.count(&prompt.system) + self.counter.count(&prompt.user)
    }

    /// The token count of a prompt of these chunks without their texts: question, instructions and helpers of their sources.
    fn fixed(&self, material: &Material<'_>, chunks: &[usize]) -> usize {
        // An empty text would tokenise differently, so a single word stands for each.
        const WORD: &str = "x";
        let word = |at: &usize| Piece { at: *at, text: WORD.to_owned(), is_summary: false };
        let tokens = self.tokens_of(material, &chunks.iter().map(word).collect::<Vec<_>>());
        tokens.saturating_sub(chunks.len() * self.counter.count(WORD))
    }

    fn sizes(&self, material: &Material<'_>) -> Vec<ChunkSize> {
        let size = |(_, chunk): &(usize, QueryChunk)| ChunkSize {
            tokens: self.counter.count(&chunk.text_content),
            chars: chunk.text_content.chars().count(),
        };
        material.chunks.iter().map(size).collect()
    }
}

/// A tree belongs to one space, and not every recall setting applies to it.
fn one_space<'a>(plan: &'a Plan<'_>, request: &AskRequest) -> Result<&'a SpaceName, Invalid> {
    let recall = plan.request;
    let settings = &recall.settings;
    let unmeant = [
        (request.dry_run, "dry_run"),
        (recall.receipt == Some(true), "receipt"),
        (recall.as_of.is_some(), "as_of"),
        (settings.top_k.is_some(), "top_k"),
        (settings.clip_sentences.is_some(), "clip_sentences"),
        (settings.max_tokens.is_some(), "max_tokens"),
        (settings.search_type.is_some(), "search_type"),
        (settings.min_score.is_some(), "min_score"),
        (settings.interleaving.is_some(), "interleaving"),
    ];
    if let Some((_, name)) = unmeant.iter().find(|(is_said, _)| *is_said) {
        let what = format!("{name} does not apply to the route \"tree\"");
        return Err(Invalid::new(what, "leave it out, or use the route \"recall\""));
    }
    match plan.spaces.as_slice() {
        [space] => Ok(space),
        _ => Err(Invalid::new(
            "the route \"tree\" searches one space",
            "ask one space at a time, or use the route \"recall\"",
        )),
    }
}

/// The paths that have chunks, and the chunks renumbered accordingly.
fn without_empty(
    paths: Vec<TreePath>,
    mut chunks: Vec<(usize, QueryChunk)>,
) -> (Vec<TreePath>, Vec<(usize, QueryChunk)>) {
    let filled: BTreeSet<usize> = chunks.iter().map(|(path, _)| *path).collect();
    let numbers: BTreeMap<usize, usize> = filled.iter().copied().zip(0..).collect();
    chunks.iter_mut().for_each(|(path, _)| *path = numbers.get(path).copied().unwrap_or_default());
    let kept = paths.into_iter().enumerate().filter(|(at, _)| filled.contains(at)).map(|(_, path)| path);
    (kept.collect(), chunks)
}

impl Material<'_> {
    fn pieces(&self, chunks: Vec<usize>) -> Vec<Piece> {
        let piece = |at: usize| Piece { at, text: self.chunks[at].1.text_content.clone(), is_summary: false };
        chunks.into_iter().map(piece).collect()
    }

    /// The texts with their sources, and the helper of each source once.
    fn prompt_parts(&self, pieces: &[Piece]) -> (Vec<Evidence>, Vec<(String, String)>) {
        let evidence = |piece: &Piece| {
            let chunk = &self.chunks[piece.at].1;
            let source = format!("from {}", chunk.document);
            Evidence::new(source, chunk.section.as_deref(), chunk.occurred_at, piece.text.clone())
        };
        let documents: BTreeSet<i64> = pieces.iter().map(|piece| self.chunks[piece.at].1.document_id).collect();
        let helpers = documents.iter().filter_map(|id| self.helpers.get(id).cloned()).collect();
        (pieces.iter().map(evidence).collect(), helpers)
    }
}

/// Enough for summaries of these lengths and the surrounding JSON.
fn output_tokens(texts: &[TextToSummarise]) -> u32 {
    const AROUND: usize = 32;
    let needed: usize = texts.iter().map(|text| text.target_chars / 2 + AROUND).sum();
    u32::try_from(needed).unwrap_or(u32::MAX)
}
