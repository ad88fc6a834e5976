//! Writing receipts.

use super::answer::Origin;
use super::context::Context;
use super::descent::TreeOrigin;
use super::plan::Plan;
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::guard::SafePassage;
use recordar_core::noun::memory::MemoryEntry;
use recordar_core::prompt::{Prompt, staged_template, template};
use recordar_core::reason::{AnswerTask, Task};
use recordar_core::recall::CandidateView;
use recordar_core::receipt::{
    AnswerReceipt, FORMAT, FoundItem, MAX_BODY_BYTES, Receipt, ReceiptChunk, ReceiptMemory, STAGED_FORMAT,
    StagedInputs, TREE_FORMAT, TreeInputs, item_digest, memories_digest, shown, sources_of, unreadable,
};
use recordar_core::route::Items;
use recordar_domain::{Digest, Invalid, Trace};
use recordar_store::{ReceiptRow, SearchedSpace};

/// What a receipt is written of: the inputs of a context, of an answer, or of both.
pub(crate) struct Inputs<'a> {
    pub(crate) passages: &'a [SafePassage],
    pub(crate) memories: &'a [MemoryEntry],
    pub(crate) text: &'a str,
    pub(crate) total_tokens: usize,
    pub(crate) found: Vec<FoundItem>,
    /// The incarnation and revision of each space.
    pub(crate) revisions: &'a [Option<(i64, i64)>],
    pub(crate) trace: &'a Trace,
    pub(crate) staged: Option<StagedInputs>,
    pub(crate) answer: Option<AnswerReceipt>,
}

impl<'a> Inputs<'a> {
    pub(crate) fn of_context(context: &'a Context) -> Self {
        let Context { result, passages, revisions, .. } = context;
        Self {
            passages,
            memories: &result.memories,
            text: &result.text,
            total_tokens: result.metadata.total_tokens,
            found: result.candidates.iter().map(found_item).collect(),
            revisions,
            trace: &result.trace,
            staged: result
                .staged
                .as_ref()
                .map(|staged| StagedInputs { intent: staged.intent.clone(), uses_at: staged.uses_at.clone() }),
            answer: None,
        }
    }
}

/// Stores the receipt of a context. False if data was forgotten meanwhile: then the context must be assembled again.
pub(crate) fn write_context_receipt(memory: &Recordar, plan: &Plan<'_>, context: &mut Context) -> Result<bool, Error> {
    let kept = write_receipt(memory, plan, &Inputs::of_context(context))?;
    context.result.receipt.clone_from(&kept);
    Ok(kept.is_some())
}

/// Stores a receipt and returns its id; nothing if data was forgotten since its inputs were read.
pub(crate) fn write_receipt(memory: &Recordar, plan: &Plan<'_>, inputs: &Inputs<'_>) -> Result<Option<String>, Error> {
    let receipt = receipt_of(memory, plan, inputs)?;
    let searched = plan.spaces.iter().zip(inputs.revisions).filter_map(|(name, moment)| {
        moment.map(|(incarnation, revision)| SearchedSpace { name: name.clone(), incarnation, revision })
    });
    let remedy = "shorten the query, lower limit_per_path, or go without a receipt";
    keep_receipt(memory, &receipt, &searched.collect::<Vec<_>>(), remedy)
}

/// Stores a receipt and returns its id; nothing if data was forgotten since the spaces were searched.
pub(super) fn keep_receipt(
    memory: &Recordar,
    receipt: &Receipt,
    searched: &[SearchedSpace],
    remedy: &str,
) -> Result<Option<String>, Error> {
    let body = serde_json::to_string(receipt).map_err(|error| unreadable(&error))?;
    if body.len() > MAX_BODY_BYTES {
        let what = format!("the receipt has {} bytes; the limit is {MAX_BODY_BYTES}", body.len());
        return Err(Invalid::new(what, remedy).into());
    }
    let row = ReceiptRow { digest: Digest::of(&body), made_at: receipt.made_at, body };
    let sources = sources_of(&receipt.found)?;
    // The first space that exists; some of several may not.
    let Some(own) = searched.first() else { return Ok(None) };
    let is_kept = memory.store.keep_receipt(&own.name, &row, &sources, searched)?;
    Ok(is_kept.then(|| shown(row.digest)))
}

/// Refuses a receipt that would be too large before a model is paid for the answer.
pub(crate) fn check_receipt_size(origin: &Origin) -> Result<(), Invalid> {
    let Origin::Tree(tree) = origin else { return Ok(()) };
    const AROUND: usize = 40;
    let bytes: usize = tree.found.iter().map(|item| item.collection.len() + AROUND).sum();
    if bytes <= MAX_BODY_BYTES / 2 {
        return Ok(());
    }
    let what = format!("the receipt of this answer would name {} items, too many to keep", tree.found.len());
    Err(Invalid::new(what, "lower limit_per_path, follow fewer paths, or ask without a receipt"))
}

/// Whether a receipt can be kept: only in a space that exists.
pub(crate) fn has_space_for_receipt(origin: &Origin) -> bool {
    match origin {
        Origin::Context(context) => context.revisions.iter().any(Option::is_some),
        Origin::Tree(_) => true,
    }
}

/// Stores the receipt of an answer with the inputs of its prompt. Nothing if data was forgotten meanwhile.
pub(crate) fn write_answer_receipt(
    memory: &Recordar,
    plan: &Plan<'_>,
    origin: &Origin,
    answer: Option<AnswerReceipt>,
    (task, trace): (&AnswerTask<'_>, &Trace),
) -> Result<Option<String>, Error> {
    match origin {
        Origin::Context(context) => {
            let inputs = Inputs::of_context(context);
            let trace = if answer.is_some() { trace } else { inputs.trace };
            write_receipt(memory, plan, &Inputs { answer, trace, ..inputs })
        }
        Origin::Tree(origin) => {
            let prompt = task.prompt();
            let Some(tree) = tree_inputs(memory, plan, origin, &prompt)? else { return Ok(None) };
            let inputs = Inputs {
                passages: &[],
                memories: &[],
                text: "",
                total_tokens: memory.reasoning.prompt_tokens(task, &memory.counter),
                found: origin.found.clone(),
                revisions: &[Some(origin.revision)],
                trace,
                staged: None,
                answer: answer.map(|answer| AnswerReceipt { tree: Some(tree), ..answer }),
            };
            write_receipt(memory, plan, &inputs)
        }
    }
}

/// The chunks and helpers of a prompt, with the digests of what is stored. Nothing if one of them is gone.
fn tree_inputs(
    memory: &Recordar,
    plan: &Plan<'_>,
    origin: &TreeOrigin,
    prompt: &Prompt,
) -> Result<Option<TreeInputs>, Error> {
    let items = memory.store.read(|reading| {
        let mut known = Items::at(&plan.spaces, vec![Some(origin.revision.1)]);
        origin.chunks.iter().map(|(id, _)| known.get(reading, 0, *id)).collect::<Result<Option<Vec<_>>, _>>()
    })?;
    let Some(items) = items else { return Ok(None) };
    let mut chunks = Vec::with_capacity(items.len());
    for (item, (item_id, summary)) in items.iter().zip(&origin.chunks) {
        chunks.push(ReceiptChunk { item_id: *item_id, item_sha256: item_digest(item)?, summary: summary.clone() });
    }
    Ok(Some(TreeInputs { chunks, helpers: origin.helpers.clone(), prompt_sha256: prompt.digest() }))
}

fn receipt_of(memory: &Recordar, plan: &Plan<'_>, inputs: &Inputs<'_>) -> Result<Receipt, Error> {
    let entry = |passage: &SafePassage| {
        Ok(ReceiptMemory {
            collection: passage.item.space.clone(),
            item_id: passage.item.item_id,
            item_sha256: item_digest(passage.source())?,
            score: passage.score,
            original_length: passage.original_length,
            span: passage.span,
            place: passage.place.clone(),
            unverified: passage.unverified,
        })
    };
    let is_by_tree = inputs.answer.as_ref().is_some_and(|answer| answer.tree.is_some());
    Ok(Receipt {
        format: match inputs.staged {
            Some(_) => STAGED_FORMAT,
            None if is_by_tree => TREE_FORMAT,
            None => FORMAT,
        },
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        made_at: plan.now,
        query: plan.request.query.clone(),
        session_id: plan.request.session_id.clone(),
        asked_at: plan.asked_at(),
        as_of: plan.request.as_of,
        spaces: plan.spaces.iter().map(|space| space.to_string()).collect(),
        revisions: inputs.revisions.iter().map(|revision| revision.map(|(_, revision)| revision)).collect(),
        settings: plan.settings.clone(),
        filter: plan.request.filter.conditions(),
        redaction: plan.guard.patterns(),
        tokenizer: memory.counter.name().to_owned(),
        template: match inputs.staged {
            Some(_) => staged_template(inputs.passages).into_owned(),
            None => template(inputs.passages).into_owned(),
        },
        memories: inputs.passages.iter().map(entry).collect::<Result<_, Error>>()?,
        found: inputs.found.clone(),
        total_tokens: inputs.total_tokens,
        memories_sha256: memories_digest(inputs.memories)?,
        text_sha256: Digest::of(inputs.text),
        trace: inputs.trace.clone(),
        staged: inputs.staged.clone(),
        answer: inputs.answer.clone(),
        compose: None,
    })
}

fn found_item(candidate: &CandidateView) -> FoundItem {
    FoundItem { collection: candidate.space.clone(), item_id: candidate.item_id }
}
