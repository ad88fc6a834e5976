//! The texts of an answer by the tree: descend, retrieve, and keep the prompt within its budget by pruning or by summarising, never
//! both (A10, A11).

use super::answer::{Material, Origin, answer_task};
use super::plan::Plan;
use crate::engine::Recordar;
use recordar_core::answer::{AskRequest, AskResult, Citation, UsedChunk};
use recordar_core::assemble::{ChunkSize, Compression, Pruned, parts, prune};
use recordar_core::config::{PromptLimiting, Route};
use recordar_core::error::Error;
use recordar_core::guard::{Evidence, Guard, SafeChunk, SafeText};
use recordar_core::noun::limits::{MAX_CHUNKS, MAX_TOKEN_BUDGET};
use recordar_core::noun::method::{Method, ModelProblem};
use recordar_core::noun::path::{DroppedPath, TreePath};
use recordar_core::noun::summary::Summary;
use recordar_core::reason::{Done, LongText, Performed, Reasoner, SummariseTask, Task};
use recordar_core::receipt::{FoundItem, ReceiptHelper, ReceiptSummary};
use recordar_core::route::leaves::{PagePosition, all_empty, retrieve, retrieve_ranked};
use recordar_core::route::tree::{Descended, descend, read_tree};
use recordar_domain::{Action, Digest, Invalid, SpaceName, Stage};
use std::collections::{BTreeMap, BTreeSet};

/// Without a model, the best chunks of all paths: more would not fit into most prompts.
const MOST_RANKED: usize = 20;

/// The record of a descent, for a receipt.
pub(crate) struct TreeOrigin {
    /// The incarnation and revision of the space.
    pub(crate) revision: (i64, i64),
    /// Every chunk that was retrieved, used or not, every helper, and every category that the trace names.
    pub(crate) found: Vec<FoundItem>,
    /// The chunks of the prompt, in its order, and their summaries.
    pub(crate) chunks: Vec<(i64, Option<ReceiptSummary>)>,
    pub(crate) helpers: Vec<ReceiptHelper>,
}

/// The texts that may go into the final prompt.
struct Candidates<'a> {
    memory: &'a Recordar,
    question: SafeText,
    paths: Vec<TreePath>,
    /// With the number of its path; in the order of the paths, then by time and id.
    chunks: Vec<(usize, SafeChunk)>,
    /// By document.
    helpers: BTreeMap<i64, Helper>,
    most: usize,
}

struct Helper {
    id: i64,
    document: SafeText,
    text: SafeText,
    stored_sha256: Digest,
}

/// The tree that was descended: its space, when, and the categories that the trace names.
struct SearchedTree<'a> {
    space: &'a SpaceName,
    revision: (i64, i64),
    categories: BTreeSet<i64>,
}

/// A text of the final prompt.
struct Piece {
    /// The place of its chunk.
    at: usize,
    evidence: Evidence,
    summary: Option<ReceiptSummary>,
}

/// The texts that fit.
struct Limited {
    pieces: Vec<Piece>,
    dropped: Vec<DroppedPath>,
    problem: Option<ModelProblem>,
    stage: Stage,
}

/// Finds the texts for a question: tree, paths, chunks, helpers, and what of them fits into the prompt.
pub(super) fn descended(
    memory: &Recordar,
    plan: &Plan<'_>,
    request: &AskRequest,
    reasoner: &Reasoner<'_>,
) -> Result<Material, Error> {
    let space = one_space(plan, request)?;
    let traversal = request.descent.traversal(memory.config.tree.traversal)?;
    request.descent.check_limits(MAX_CHUNKS)?;
    let most = request.limiting.max_token_budget.unwrap_or(memory.config.answer.max_token_budget) as usize;
    check_budget(memory, &plan.request.query, most)?;
    let passing = memory.passing_chunks(space, &plan.request.filter)?;
    let (tree, row) = read_tree(&memory.store, space, passing.as_ref())?;
    let settings = (memory.config.language, memory.reasoning.max_output_tokens(), (memory.clock)());
    // Without a model, a search says which categories hold what is asked for, and which of their chunks are worth a place.
    let search = || memory.leaf_hits(space, &plan.request.query, &plan.request.filter);
    let hits = (!memory.reasoning.has_model()).then(search).transpose()?;
    let Descended { paths, mut dropped, problem, stage: descent, .. } =
        descend(&tree, &plan.request.query, &traversal, reasoner, hits.as_ref(), settings)?;
    let of_each = request.descent.limit_per_path;
    let mut retrieved = match &hits {
        Some(hits) => {
            let of_all = if of_each.is_some() { MAX_CHUNKS + 1 } else { MOST_RANKED };
            retrieve_ranked(&memory.store, space, (&paths, passing.as_ref()), hits, 0, (of_each, of_all))?
        }
        None => {
            let (from, limits) = (PagePosition::default(), (of_each, MAX_CHUNKS + 1));
            retrieve(&memory.store, space, (&paths, passing.as_ref()), from, limits)?
        }
    };
    // The prompt has them by path.
    retrieved.chunks.sort_by_key(|(path, _)| *path);
    if retrieved.chunks.is_empty() {
        return Err(all_empty(&paths, dropped));
    }
    if retrieved.chunks.len() > MAX_CHUNKS {
        let what = format!("the question matches more than {MAX_CHUNKS} chunks");
        return Err(Invalid::new(what, "lower limit_per_path, or follow fewer paths").into());
    }
    dropped.extend(retrieved.errors.iter().map(|empty| DroppedPath {
        category_path: empty.category_path.clone(),
        reason: "empty".to_owned(),
        detail: empty.what.clone(),
    }));
    let clear = |(path, chunk)| Ok((path, plan.guard.chunk(chunk)?));
    let chunks = retrieved.chunks.into_iter().map(clear).collect::<Result<Vec<_>, Error>>()?;
    let (paths, chunks) = without_empty(paths, chunks);
    let helpers = helpers_of(memory, space, &chunks, &plan.guard)?;
    let question = SafeText::given(&plan.request.query);
    let candidates = Candidates { memory, question, paths, chunks, helpers, most };
    let strategy = request.limiting.prompt_limiting_strategy;
    let limited = match strategy.unwrap_or(memory.config.answer.prompt_limiting_strategy) {
        PromptLimiting::Prune => {
            let use_rankings = request.limiting.use_rankings.unwrap_or(memory.config.answer.use_rankings);
            candidates.pruned(use_rankings, &dropped)?
        }
        PromptLimiting::Summarize => candidates.summarised(reasoner, &dropped)?,
    };
    let named = candidates.paths.iter().map(|path| &path.names).chain(dropped.iter().map(|path| &path.category_path));
    let categories: BTreeSet<i64> = named.flat_map(|names| tree.ids_along(names)).collect();
    dropped.extend(limited.dropped);
    let mut result = AskResult::new(&plan.request.query, vec![space.to_string()], Route::Tree);
    let searched = hits.map_or_else(Vec::new, |hits| hits.stages);
    result.trace.stages = searched.into_iter().chain([descent, retrieved.stage, limited.stage]).collect();
    result.model_problem = problem.or(limited.problem);
    result.dropped_paths = dropped;
    let space = SearchedTree { space, revision: (row.incarnation, row.revision), categories };
    Ok(candidates.material(limited.pieces, space, result))
}

/// Refuses a budget that the question and the instructions exceed, before a descent is paid for.
fn check_budget(memory: &Recordar, question: &str, most: usize) -> Result<(), Error> {
    if !(1..=MAX_TOKEN_BUDGET as usize).contains(&most) {
        let what = format!("max_token_budget {most} is out of range");
        return Err(Invalid::new(what, format!("use a number from 1 to {MAX_TOKEN_BUDGET}")).into());
    }
    let question = SafeText::given(question);
    let task = answer_task(memory, &question, &[], Some(&[]));
    let fixed = memory.reasoning.prompt_tokens(&task, &memory.counter);
    if fixed < most {
        return Ok(());
    }
    let what = format!("answer.max_token_budget is {most}; the prompt has {fixed} tokens before any chunk");
    let remedy = "raise answer.max_token_budget";
    Err(Error::paths("budget_exceeded", what, remedy, &[], Vec::new()))
}

/// A tree belongs to one space, and not every recall setting applies to it.
fn one_space<'a>(plan: &'a Plan<'_>, request: &AskRequest) -> Result<&'a SpaceName, Invalid> {
    let recall = plan.request;
    let settings = &recall.settings;
    let inapplicable = [
        (request.dry_run, "dry_run"),
        (recall.as_of.is_some(), "as_of"),
        (settings.top_k.is_some(), "top_k"),
        (settings.clip_sentences.is_some(), "clip_sentences"),
        (settings.excerpts.is_some(), "excerpts"),
        (settings.max_tokens.is_some(), "max_tokens"),
        (settings.budget_covers.is_some(), "budget_covers"),
        (settings.search_type.is_some(), "search_type"),
        (settings.min_score.is_some(), "min_score"),
        (settings.min_confidence.is_some(), "min_confidence"),
        (settings.interleaving.is_some(), "interleaving"),
        (settings.rerank.as_ref().is_some_and(|rerank| !rerank.is_off()), "rerank"),
    ];
    if let Some((_, name)) = inapplicable.iter().find(|(is_given, _)| *is_given) {
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
    mut chunks: Vec<(usize, SafeChunk)>,
) -> (Vec<TreePath>, Vec<(usize, SafeChunk)>) {
    let filled: BTreeSet<usize> = chunks.iter().map(|(path, _)| *path).collect();
    let numbers: BTreeMap<usize, usize> = filled.iter().copied().zip(0..).collect();
    chunks.iter_mut().for_each(|(path, _)| *path = numbers.get(path).copied().unwrap_or_default());
    let kept = paths.into_iter().enumerate().filter(|(at, _)| filled.contains(at)).map(|(_, path)| path);
    (kept.collect(), chunks)
}

fn helpers_of(
    memory: &Recordar,
    space: &SpaceName,
    chunks: &[(usize, SafeChunk)],
    guard: &Guard,
) -> Result<BTreeMap<i64, Helper>, Error> {
    let documents: BTreeMap<i64, SafeText> =
        chunks.iter().map(|(_, chunk)| (chunk.document_id, chunk.document())).collect();
    let ids: BTreeSet<i64> = documents.keys().copied().collect();
    let rows = memory.store.read(|reading| match reading.space(space)? {
        Some(space) => reading.live_helpers(space.id, &ids),
        None => Ok(Vec::new()),
    })?;
    let mut helpers = BTreeMap::new();
    for row in rows {
        let document = documents.get(&row.document_id).cloned().unwrap_or_default();
        let (text, stored_sha256) = (guard.text(&row.text)?, Digest::of(&row.text));
        helpers.insert(row.document_id, Helper { id: row.id, document, text, stored_sha256 });
    }
    Ok(helpers)
}

impl Candidates<'_> {
    /// Drops paths until the prompt fits. Dropping all of them is an error.
    fn pruned(&self, use_rankings: bool, dropped: &[DroppedPath]) -> Result<Limited, Error> {
        let sizes = self.sizes();
        let total = |kept: &[bool]| {
            let chunks = self.on_paths(kept);
            let estimate = self.fixed(&chunks) + chunks.iter().map(|at| sizes[*at].tokens).sum::<usize>();
            if estimate > self.most {
                return estimate;
            }
            // Joined texts may have more tokens than the sum of their parts.
            estimate.max(self.tokens_of(&self.whole(chunks)))
        };
        let Pruned { kept, dropped: pruned, tokens, stage } = prune(&self.paths, self.most, use_rankings, total);
        let chunks = self.on_paths(&kept);
        if chunks.is_empty() {
            let what = format!(
                "no path fits into answer.max_token_budget ({}): the prompt has {tokens} tokens without any path",
                self.most
            );
            let remedy = "raise answer.max_token_budget, lower limit_per_path, or set \
                          prompt_limiting_strategy to \"summarize\"";
            let dropped = [dropped, &pruned].concat();
            return Err(Error::paths("budget_exceeded", what, remedy, &self.paths, dropped));
        }
        Ok(Limited { pieces: self.whole(chunks), dropped: pruned, problem: None, stage })
    }

    /// Shortens every chunk; drops none.
    fn summarised(&self, reasoner: &Reasoner<'_>, dropped: &[DroppedPath]) -> Result<Limited, Error> {
        let mut stage = Stage::new("summarize");
        let sizes = self.sizes();
        let all: Vec<usize> = (0..self.chunks.len()).collect();
        let (fixed, most) = (self.fixed(&all), self.most);
        let too_small = |what: String| {
            let remedy = "raise answer.max_token_budget, lower limit_per_path, or follow fewer paths";
            Error::paths("budget_exceeded", what, remedy, &self.paths, dropped.to_vec())
        };
        let Some(compression) = Compression::new(most, fixed, &sizes) else {
            return Err(too_small(format!(
                "answer.max_token_budget is {most}; the prompt has {fixed} tokens before any chunk"
            )));
        };
        if !compression.is_needed() && self.tokens_of(&self.whole(all.clone())) <= most {
            stage.decide("prompt", Action::Kept, "max_token_budget", "every chunk fits unchanged");
            return Ok(Limited { pieces: self.whole(all), dropped: Vec::new(), problem: None, stage });
        }
        stage.decide("prompt", Action::Changed, "max_token_budget", format!("ratio {:.4}", compression.ratio()));
        let text = |(chunk, size): (&SafeChunk, &ChunkSize)| LongText {
            id: chunk.chunk_id,
            text: chunk.text(),
            target_chars: compression.target_chars(size.chars),
        };
        let texts: Vec<LongText> = self.chunks.iter().map(|(_, chunk)| chunk).zip(&sizes).map(text).collect();
        let (summaries, problem) = self.summaries(&texts, reasoner, &mut stage)?;
        let combined: usize = summaries.values().map(|summary| summary.text.chars().count()).sum();
        let tolerance = self.memory.config.answer.summary_char_overage_tolerance_percent;
        if !compression.allows(combined, tolerance) {
            let what =
                format!("the summaries have {combined} characters together, more than {tolerance} % over the target");
            return Err(too_small(what));
        }
        let pieces: Vec<Piece> = all.into_iter().map(|at| self.summary(at, &texts[at], &summaries)).collect();
        let tokens = self.tokens_of(&pieces);
        if tokens > most {
            return Err(too_small(format!(
                "with all summaries the prompt has {tokens} tokens; answer.max_token_budget is {most}"
            )));
        }
        stage.decide("prompt", Action::Kept, "summarized", format!("{tokens} of {most} tokens"));
        Ok(Limited { pieces, dropped: Vec::new(), problem, stage })
    }

    /// A summary of each text, by its id. Those that are too long are asked for again, a bounded number of times.
    fn summaries(
        &self,
        texts: &[LongText],
        reasoner: &Reasoner<'_>,
        stage: &mut Stage,
    ) -> Result<(BTreeMap<i64, Summary>, Option<ModelProblem>), Error> {
        let (mut summaries, mut problem): (BTreeMap<i64, Summary>, Option<ModelProblem>) = Default::default();
        let mut open = texts.to_vec();
        for attempt in 0..=self.memory.config.answer.summary_max_retries {
            for done in self.summarise_parts(&open, attempt > 0, reasoner, stage)? {
                problem = problem.or(done.problem);
                for summary in done.reply {
                    // The second attempt is not always the shorter one.
                    let length = summary.text.chars().count();
                    if summaries.get(&summary.id).is_none_or(|known| length < known.text.chars().count()) {
                        summaries.insert(summary.id, summary);
                    }
                }
            }
            open.retain(|text| summaries.get(&text.id).is_none_or(|summary| !summary.fits(text.target_chars)));
            if open.is_empty() {
                break;
            }
        }
        for text in &open {
            let subject = format!("chunk {}", text.id);
            stage.decide(subject, Action::Kept, "too_long", format!("longer than {} characters", text.target_chars));
        }
        Ok((summaries, problem))
    }

    /// One request for each part that fits a prompt, in parallel.
    fn summarise_parts(
        &self,
        texts: &[LongText],
        is_retry: bool,
        reasoner: &Reasoner<'_>,
        stage: &mut Stage,
    ) -> Result<Vec<Done<Vec<Summary>>>, Error> {
        let tokens_of = |texts: &[LongText]| self.counted(&self.summarise_task(texts, is_retry));
        let preface = tokens_of(&[]);
        let headroom = self.memory.config.answer.summarization_instruction_headroom_tokens as usize;
        let each = |text: &LongText| tokens_of(std::slice::from_ref(text)).saturating_sub(preface);
        let cap = self.most.saturating_sub(headroom);
        let mut parts = parts(texts, cap, preface, each);
        if self.memory.reasoning.has_model() {
            parts = self.within_budget(parts, cap, tokens_of)?;
        }
        let tasks: Vec<SummariseTask<'_>> = parts.iter().map(|part| self.summarise_task(part, is_retry)).collect();
        let mut made = Vec::with_capacity(parts.len());
        for (part, Performed { done, .. }) in parts.iter().zip(reasoner.perform_all(&tasks)) {
            let done = done?;
            let by = if done.method == Method::Model { "model" } else { "built_in" };
            let what = if is_retry { "chunks that were too long" } else { "chunks" };
            let ids: Vec<String> = part.iter().map(|text| text.id.to_string()).collect();
            stage.decide(format!("{what} {}", ids.join(", ")), Action::Changed, by, "summarised together");
            if let Some(problem) = &done.problem {
                stage.decide("model", Action::Refused, &problem.code, &problem.what);
            }
            made.push(done);
        }
        Ok(made)
    }

    /// Halves parts until each is within `cap`: joined texts may have more tokens than their sum. A single chunk may have more than that, but
    /// no more than the budget of a prompt; this is checked before anything is paid.
    fn within_budget<'t>(
        &self,
        parts: Vec<&'t [LongText]>,
        cap: usize,
        tokens_of: impl Fn(&[LongText]) -> usize,
    ) -> Result<Vec<&'t [LongText]>, Error> {
        let mut fitting = Vec::with_capacity(parts.len());
        let mut open: Vec<&[LongText]> = parts.into_iter().rev().collect();
        while let Some(part) = open.pop() {
            let tokens = tokens_of(part);
            if part.len() > 1 && tokens > cap {
                let (first, rest) = part.split_at(part.len() / 2);
                open.extend([rest, first]);
            } else if tokens > self.most {
                let (most, id) = (self.most, part.first().map_or(0, |text| text.id));
                let what = format!(
                    "the prompt that summarises chunk {id} has {tokens} tokens; answer.max_token_budget is {most}"
                );
                let remedy = "raise answer.max_token_budget, or set prompt_limiting_strategy to \"prune\"";
                return Err(Error::paths("budget_exceeded", what, remedy, &self.paths, Vec::new()));
            } else {
                fitting.push(part);
            }
        }
        Ok(fitting)
    }

    fn summarise_task<'a>(&self, chunks: &'a [LongText], is_retry: bool) -> SummariseTask<'a> {
        let most_output_tokens = self.memory.reasoning.max_output_tokens().max(output_tokens(chunks));
        SummariseTask { chunks, is_retry, is_length_checked: false, most_output_tokens }
    }

    /// The chunks of the paths that are kept.
    fn on_paths(&self, kept: &[bool]) -> Vec<usize> {
        (0..self.chunks.len()).filter(|at| kept[self.chunks[*at].0]).collect()
    }

    fn whole(&self, chunks: Vec<usize>) -> Vec<Piece> {
        let piece = |at: usize| Piece { at, evidence: Evidence::of_chunk(&self.chunks[at].1), summary: None };
        chunks.into_iter().map(piece).collect()
    }

    fn summary(&self, at: usize, text: &LongText, summaries: &BTreeMap<i64, Summary>) -> Piece {
        let (method, shown) = match summaries.get(&text.id) {
            Some(summary) => (summary.method, summary.text.as_str()),
            None => (Method::Nothing, ""),
        };
        // The built-in method makes the same summary again.
        let kept = (method != Method::BuiltIn).then(|| shown.to_owned());
        let summary = Some(ReceiptSummary { method, target_chars: text.target_chars, text: kept });
        Piece { at, evidence: Evidence::of_summary(&self.chunks[at].1, shown), summary }
    }

    fn counted<T: Task>(&self, task: &T) -> usize {
        self.memory.reasoning.prompt_tokens(task, &self.memory.counter)
    }

    /// The token count of a prompt of these pieces.
    fn tokens_of(&self, pieces: &[Piece]) -> usize {
        let evidence: Vec<Evidence> = pieces.iter().map(|piece| piece.evidence.clone()).collect();
        let helpers = self.helpers_of(pieces);
        self.counted(&answer_task(self.memory, &self.question, &evidence, Some(&helpers)))
    }

    /// The token count of a prompt of these chunks without their texts: question, instructions and helpers of their sources.
    fn fixed(&self, chunks: &[usize]) -> usize {
        // An empty text would tokenise differently, so a single word stands for each.
        const WORD: &str = "x";
        let word =
            |at: &usize| Piece { at: *at, evidence: Evidence::of_summary(&self.chunks[*at].1, WORD), summary: None };
        let tokens = self.tokens_of(&chunks.iter().map(word).collect::<Vec<_>>());
        tokens.saturating_sub(chunks.len() * self.memory.counter.count(WORD))
    }

    fn sizes(&self) -> Vec<ChunkSize> {
        let size = |(_, chunk): &(usize, SafeChunk)| ChunkSize {
            tokens: self.memory.counter.count(&chunk.text_content),
            chars: chunk.text_content.chars().count(),
        };
        self.chunks.iter().map(size).collect()
    }

    /// The documents of these pieces that have a helper, in order.
    fn documents_of(&self, pieces: &[Piece]) -> BTreeSet<i64> {
        let documents = pieces.iter().map(|piece| self.chunks[piece.at].1.document_id);
        documents.filter(|id| self.helpers.contains_key(id)).collect()
    }

    fn helpers_of(&self, pieces: &[Piece]) -> Vec<(SafeText, SafeText)> {
        let helper = |id: &i64| (self.helpers[id].document.clone(), self.helpers[id].text.clone());
        self.documents_of(pieces).iter().map(helper).collect()
    }

    /// What an answer is made from, and what its receipt needs.
    fn material(self, pieces: Vec<Piece>, searched: SearchedTree<'_>, mut result: AskResult) -> Material {
        let SearchedTree { space, revision, categories } = searched;
        let chunk = |piece: &Piece| &self.chunks[piece.at].1;
        let used = |piece: &Piece| UsedChunk {
            chunk_id: chunk(piece).chunk_id,
            category_path: chunk(piece).category_path.clone(),
            document: chunk(piece).document.clone(),
            summarized: piece.summary.is_some(),
        };
        let source = |(number, piece): (usize, &Piece)| Citation {
            number,
            collection: space.to_string(),
            item_id: chunk(piece).chunk_id,
            document: Some(chunk(piece).document.clone()),
            document_name: None,
            section: chunk(piece).section.clone(),
            speaker: None,
            time: None,
        };
        let helper = |id: &i64| {
            let Helper { id: helper_id, stored_sha256: text_sha256, .. } = self.helpers[id];
            let first = pieces.iter().position(|piece| chunk(piece).document_id == *id).unwrap_or_default();
            ReceiptHelper { helper_id, chunk: first, text_sha256 }
        };
        result.used_chunks = pieces.iter().map(used).collect();
        let helper_ids = self.helpers.values().map(|helper| helper.id);
        let found_ids = self.chunks.iter().map(|(_, chunk)| chunk.chunk_id).chain(helper_ids).chain(categories);
        let found = found_ids.map(|item_id| FoundItem { collection: space.to_string(), item_id }).collect();
        let chunks = pieces.iter().map(|piece| (chunk(piece).chunk_id, piece.summary.clone())).collect();
        let receipt_helpers = self.documents_of(&pieces).iter().map(helper).collect();
        let origin = Origin::Tree(TreeOrigin { revision, found, chunks, helpers: receipt_helpers });
        let (sources, helpers) = ((1..).zip(&pieces).map(source).collect(), Some(self.helpers_of(&pieces)));
        Material {
            result,
            evidence: pieces.into_iter().map(|piece| piece.evidence).collect(),
            helpers,
            sources,
            origin,
        }
    }
}

/// Enough for summaries of these lengths and the surrounding JSON.
fn output_tokens(texts: &[LongText]) -> u32 {
    const AROUND: usize = 32;
    let needed: usize = texts.iter().map(|text| text.target_chars / 2 + AROUND).sum();
    u32::try_from(needed).unwrap_or(u32::MAX)
}
