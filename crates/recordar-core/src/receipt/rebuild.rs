//! Rebuilding: the same inputs and the same template, put together again and compared.

use super::answer::WhyAnswer;
use super::sources::{Sources, modified, same_item};
use super::{
    FIRST_FORMAT, MAX_BODY_BYTES, Receipt, ReceiptExport, SHOWN_DIGITS, check_receipt, item_digest, looked_at,
    memories_digest, parse,
};
use crate::error::Error;
use crate::guard::{Guard, Redactor};
use crate::noun::item::StoredWith;
use crate::noun::memory::MemoryEntry;
use crate::noun::passage::{Passage, Span};
use crate::prompt::{compose, compose_staged};
use recordar_domain::{Digest, Invalid};
use std::sync::Arc;

/// What a receipt makes: a context, or the prompt of an answer by the tree or of a composition; and the answer.
pub struct Rebuilt {
    pub memories: Vec<MemoryEntry>,
    pub text: String,
    pub answer: Option<WhyAnswer>,
}

/// Rebuilds the memories, the text and the answer of a receipt, and notes the differences.
pub fn rebuild(body: &Receipt, sources: Sources, differences: &mut Vec<String>) -> Result<Rebuilt, Error> {
    check_receipt(body)?;
    let guard = match body.redaction.is_empty() {
        true => Guard::off(),
        false => Guard::new(Arc::new(Redactor::exactly(&body.redaction)?)),
    };
    if let (Some(answer), Some(tree)) = (&body.answer, body.tree()) {
        if (sources.items.len(), sources.helpers.len()) != (tree.chunks.len(), tree.helpers.len()) {
            let [items, helpers] = [sources.items.len(), sources.helpers.len()];
            differences.push(format!(
                "{items} of {} chunks and {helpers} of {} helpers are available",
                tree.chunks.len(),
                tree.helpers.len()
            ));
            return Ok(Rebuilt { memories: Vec::new(), text: String::new(), answer: None });
        }
        let asked = (body.spaces[0].as_str(), body.query.as_str());
        let (text, answer) = answer.answer_by_tree_again(asked, tree, sources, &guard, differences)?;
        return Ok(Rebuilt { memories: Vec::new(), text, answer });
    }
    if let Some(compose) = &body.compose {
        let asked = (body.spaces[0].as_str(), body.text_sha256);
        let (text, answer) = compose.compose_again(asked, sources, &guard, differences)?;
        return Ok(Rebuilt { memories: Vec::new(), text, answer });
    }
    let items = sources.items;
    if items.len() != body.memories.len() {
        differences.push(format!("{} of {} items are available", items.len(), body.memories.len()));
    }
    let (mut passages, mut spans): (Vec<Passage>, Vec<Span>) = (Vec::new(), Vec::new());
    for (memory, item) in body.memories.iter().zip(items) {
        let Some(item) = same_item(item, (&memory.collection, memory.item_id), differences) else { continue };
        let mut passage = Passage::new(item, memory.score);
        // It is not shown either: a forged receipt could name anything, in any space.
        if item_digest(&passage.item)? != memory.item_sha256 {
            differences.push(modified(&memory.collection, memory.item_id));
            continue;
        }
        if body.format == FIRST_FORMAT {
            passage.item.sections.clear();
            passage.item.document_name = None;
        }
        passage.original_length = memory.original_length;
        passage.place.clone_from(&memory.place);
        passage.unverified = memory.unverified;
        spans.push(memory.span);
        passages.push(passage);
    }
    let (mut passages, _) = guard.passages(passages)?;
    passages.iter_mut().zip(spans).for_each(|(passage, span)| passage.show(span));
    let memories: Vec<MemoryEntry> =
        passages.iter().map(|passage| passage.to_entry(body.settings.search_type)).collect();
    let text = match body.staged {
        Some(_) => compose_staged(&body.template, &passages)?,
        None => compose(&body.template, &passages)?,
    };
    if memories_digest(&memories)? != body.memories_sha256 {
        differences.push("the memories differ from the original".to_owned());
    }
    if Digest::of(&text) != body.text_sha256 {
        differences.push("the text differs from the original".to_owned());
    }
    let passages = (passages.as_slice(), !body.settings.rerank.is_off());
    let answer = body.answer.as_ref().map(|answer| answer.answer_again(&body.query, passages, differences));
    Ok(Rebuilt { memories, text, answer: answer.transpose()?.flatten() })
}

/// An export is verified before any of it is stored.
pub fn check_export(export: &ReceiptExport) -> Result<(), Error> {
    let refuse = |why: String| {
        let id: String = export.receipt.chars().take(SHOWN_DIGITS).collect();
        Error::from(Invalid::new(
            format!("receipt {id} cannot be imported: {why}"),
            "export it again; the file was modified or truncated",
        ))
    };
    if Digest::from_hex(&export.receipt) != Some(Digest::of(&export.body)) || export.body.len() > MAX_BODY_BYTES {
        return Err(refuse("its sha256 does not match".to_owned()));
    }
    let body = parse(&export.body)?;
    check_receipt(&body)?;
    if !body.spaces.contains(&export.space) {
        return Err(refuse("it belongs to another space".to_owned()));
    }
    if !body.shows_only_found() {
        return Err(refuse("it shows an item that is not among its candidates".to_owned()));
    }
    if export.items.iter().any(|item| item.stored != StoredWith::default()) {
        return Err(refuse("it holds metadata, which no receipt proves".to_owned()));
    }
    if !body.shows_whole_items() && export.items.iter().any(|item| looked_at(item.clone()) != *item) {
        return Err(refuse("it holds more of an item's text than a recall reads".to_owned()));
    }
    let mut differences = Vec::new();
    let items = export.items.iter().cloned().map(Some).collect();
    let helpers = export.helpers.iter().cloned().map(Some).collect();
    rebuild(&body, Sources { items, helpers }, &mut differences)?;
    differences.into_iter().next().map_or(Ok(()), |difference| Err(refuse(difference)))
}
