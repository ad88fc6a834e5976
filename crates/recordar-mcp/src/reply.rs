//! The part of a reply that an agent is shown, as JSON. Every token costs, so it is what the agent can act on: texts, ids,
//! scores, reasons. `explain` gives the rest. A truncated reply always says so. Pure.

use recordar::Invalid;
use recordar::answer::{AskResult, Citation, Excerpt, Route};
use recordar::category::{CategoryView, TreeView};
use recordar::compose::{ComposeResult, ComposedFile, Conflict, FlaggedText};
use recordar::document::{DocumentResult, DocumentText, DocumentView, FileReport, IngestReport, VersionView};
use recordar::facts::FactView;
use recordar::item::{ItemList, StoredItem, StoredWith};
use recordar::query::{QueryChunk, QueryResult};
use recordar::recall::{MemoryEntry, RecallResult};
use recordar::receipt::Why;
use recordar::search::{HitView, JudgeConfidence, SearchReply, ThreadSearchResult};
use recordar::thread::{MessageView, ThreadView};
use recordar::why_not::WhyNot;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The most of a document that is shown at once, in bytes.
const MAX_TEXT_BYTES: usize = 60_000;
/// The most entries of a list that are shown at once.
const MAX_LISTED: usize = 200;
/// The most of a hit that is shown, in characters.
const MAX_HIT_CHARS: usize = 2_000;
/// The most metadata of an item that is shown, in bytes, and otherwise the most names of its fields.
const MAX_METADATA_BYTES: usize = 2_000;
const MAX_FIELDS: usize = 20;
/// The most dropped paths that are shown.
pub(crate) const MAX_PATHS: usize = 20;
/// The most contradictions, and the most instructions in stored text, that are shown of a composition; and the most of each text, in characters.
const MAX_FINDINGS: usize = 20;
const MAX_FINDING_CHARS: usize = 300;
/// The largest full reply that is sent.
const MAX_WHOLE_BYTES: usize = 4 * 1024 * 1024;

/// The full reply, if it is not too large to send.
pub(crate) fn explained(whole: Value) -> Result<Value, Invalid> {
    let bytes = whole.to_string().len();
    if bytes > MAX_WHOLE_BYTES {
        return Err(Invalid::new(
            format!("the full reply is {bytes} bytes; the limit is {MAX_WHOLE_BYTES}"),
            "call it without explain, or request less",
        ));
    }
    Ok(whole)
}

pub(crate) fn recall(result: &RecallResult) -> Value {
    tidy(json!({
        "memories": result.memories.iter().map(memory).collect::<Vec<_>>(),
        "total_tokens": result.metadata.total_tokens,
        "receipt": result.receipt,
        "skipped": result.skipped,
        "problem": result.problem,
        "confidence": confidence(&result.confidence),
        "rerank_problem": result.rerank_problem,
    }))
}

/// How sure the reranker is that anything here answers.
fn confidence(confidence: &JudgeConfidence) -> Value {
    let JudgeConfidence { judged, best, least, enough } = confidence;
    tidy(json!({ "judged": judged, "best": best.map(rounded), "least": least, "enough": enough }))
}

fn memory(memory: &MemoryEntry) -> Value {
    tidy(json!({
        "item_id": memory.provenance.item_id,
        "space": memory.provenance.collection,
        "type": memory.kind,
        "content": memory.content,
        "unverified": memory.unverified,
        "score": rounded(memory.score),
        "judged": memory.rerank.as_ref().map(|rerank| rerank.judged),
        "time": memory.timestamp,
        "thread": memory.session_id,
        "role": memory.role,
        "speaker": memory.speaker,
        "document": memory.provenance.document,
        "document_name": memory.provenance.document_name,
        "section": memory.provenance.section,
        "own_id": memory.stored.own_id,
        "metadata": metadata(&memory.stored),
    }))
}

pub(crate) fn ask(result: &AskResult) -> Value {
    let documents = documents_of(result);
    tidy(json!({
        "answer": result.answer,
        "method": result.method,
        "model": result.model,
        "model_problem": result.model_problem,
        "confidence": confidence(&result.confidence),
        "rerank_problem": result.rerank_problem,
        "route": result.route,
        "citations": result.citations.iter().map(citation).collect::<Vec<_>>(),
        "excerpts": (!result.excerpts.is_empty()).then(|| result.excerpts.iter().map(excerpt).collect::<Vec<_>>()),
        "unsure": result.unsure.then_some(true),
        "nearest": (!result.nearest.is_empty()).then(|| result.nearest.iter().map(citation).collect::<Vec<_>>()),
        "facts": (!result.facts.is_empty()).then(|| result.facts.iter().take(MAX_LISTED).map(fact).collect::<Vec<_>>()),
        "documents": (result.route == Route::Tree).then_some(&documents[..documents.len().min(MAX_LISTED)]),
        "more_documents": more(documents.len(), MAX_LISTED),
        "dropped_paths": result.dropped_paths.get(..MAX_PATHS).unwrap_or(&result.dropped_paths),
        "more_dropped_paths": more(result.dropped_paths.len(), MAX_PATHS),
        "estimate": result.estimate,
        "receipt": result.receipt,
    }))
}

/// The documents that a tree answer is made from, since the model cites no passages.
pub(crate) fn documents_of(result: &AskResult) -> Vec<&str> {
    let documents: BTreeSet<&str> = result.used_chunks.iter().map(|chunk| chunk.document.as_str()).collect();
    documents.into_iter().collect()
}

/// The number that is not shown, if any.
fn more(count: usize, shown: usize) -> Option<usize> {
    count.checked_sub(shown).filter(|more| *more > 0)
}

/// What holds, and since when.
fn fact(fact: &FactView) -> Value {
    tidy(json!({
        "subject": fact.subject,
        "attribute": fact.attribute,
        "value": fact.value,
        "since": fact.since,
        "unverified": fact.unverified,
        "item_id": fact.source,
    }))
}

fn citation(citation: &Citation) -> Value {
    tidy(json!({
        "number": citation.number,
        "item_id": citation.item_id,
        "space": citation.collection,
        "document": citation.document,
        "document_name": citation.document_name,
        "section": citation.section,
        "speaker": citation.speaker,
        "time": citation.time,
    }))
}

/// The answer has the whole text.
fn excerpt(excerpt: &Excerpt) -> Value {
    tidy(json!({
        "number": excerpt.number,
        "sentence": excerpt.sentence,
        "confidence": excerpt.confidence.map(rounded),
    }))
}

/// The prompt from a character on, and what it is made of.
pub(crate) fn compose(result: &ComposeResult, offset: usize) -> Value {
    let (prompt, next) = part(&result.prompt, offset);
    let (conflicts, flagged) = (&result.conflicts, &result.flagged);
    tidy(json!({
        "prompt": prompt,
        "offset": (offset > 0).then_some(offset),
        "next_offset": next,
        "tokens": result.tokens,
        "sections": result.sections.iter().map(|section| json!({"name": section.name, "tokens": section.tokens})).collect::<Vec<_>>(),
        "sources": result.context.sources,
        "files": result.files.iter().map(composed_file).collect::<Vec<_>>(),
        "conflicts": conflicts.iter().take(MAX_FINDINGS).map(conflict).collect::<Vec<_>>(),
        "more_conflicts": more(conflicts.len(), MAX_FINDINGS),
        "flagged": flagged.iter().take(MAX_FINDINGS).map(flagged_text).collect::<Vec<_>>(),
        "more_flagged": more(flagged.len(), MAX_FINDINGS),
        "missing_thread": missing_thread(result),
        "confidence": confidence(&result.confidence),
        "receipt": result.receipt,
    }))
}

fn composed_file(file: &ComposedFile) -> Value {
    tidy(json!({
        "document_id": file.document_id,
        "path": file.path,
        "version": file.version,
        "tokens": file.tokens,
        "lines_left_out": (file.lines_left_out > 0).then_some(file.lines_left_out),
    }))
}

fn conflict(conflict: &Conflict) -> Value {
    json!({
        "winner": conflict.winner,
        "winner_text": beginning(&conflict.winner_text, MAX_FINDING_CHARS).0,
        "loser": conflict.loser,
        "loser_text": beginning(&conflict.loser_text, MAX_FINDING_CHARS).0,
        "rule": conflict.rule,
    })
}

fn flagged_text(flagged: &FlaggedText) -> Value {
    json!({ "source": flagged.source, "text": beginning(&flagged.text, MAX_FINDING_CHARS).0 })
}

/// The thread that was asked for, if nothing is stored in it.
fn missing_thread(result: &ComposeResult) -> Option<&str> {
    let mut decisions = result.trace.stages.iter().flat_map(|stage| &stage.decisions);
    decisions.find(|decision| decision.reason == "no_such_thread").map(|decision| decision.subject.as_str())
}

pub(crate) fn query(result: &QueryResult) -> Value {
    let chunks = fitting(result.chunks.iter().map(chunk));
    let left_out = result.chunks.len() - chunks.len();
    tidy(json!({
        "chunks": chunks,
        "left_out": (left_out > 0).then_some(left_out),
        // The cursor is after all of them, so using it would skip those that are left out.
        "next": result.next.as_ref().filter(|_| left_out == 0),
        "status": result.status,
        "method": result.method,
        "model_problem": result.model_problem,
        "confidence": confidence(&result.confidence),
        "rerank_problem": result.rerank_problem,
        "errors": result.errors.get(..MAX_PATHS).unwrap_or(&result.errors),
        "more_errors": more(result.errors.len(), MAX_PATHS),
        "dropped_paths": result.dropped_paths.get(..MAX_PATHS).unwrap_or(&result.dropped_paths),
        "more_dropped_paths": more(result.dropped_paths.len(), MAX_PATHS),
    }))
}

fn chunk(chunk: &QueryChunk) -> Value {
    let (text, is_cut) = beginning(&chunk.text_content, MAX_HIT_CHARS);
    tidy(json!({
        "chunk_id": chunk.chunk_id,
        "text_content": text,
        "cut": is_cut.then_some(true),
        "category_path": chunk.category_path,
        "ranked_relevance": chunk.ranked_relevance,
        "judged": chunk.rerank.as_ref().map(|rerank| rerank.judged),
        "created_at": chunk.created_at,
        "document": chunk.document,
        "section": chunk.section,
    }))
}

/// Every category, parents first: a flat list is easier to truncate than a nested one.
pub(crate) fn tree(view: &TreeView, offset: usize) -> Value {
    let mut categories = Vec::new();
    view.roots.iter().for_each(|root| flatten(root, None, &mut categories));
    let mut shown = list("categories", &categories, offset, |(parent_id, category)| {
        tidy(json!({
            "id": category.id,
            "parent_id": parent_id,
            "name": category.name,
            "level": category.level,
            "chunks": category.chunks,
        }))
    });
    shown["depth"] = json!(view.depth);
    shown["unclassified"] = json!((view.unclassified > 0).then_some(view.unclassified));
    tidy(shown)
}

fn flatten<'a>(
    category: &'a CategoryView,
    parent_id: Option<i64>,
    categories: &mut Vec<(Option<i64>, &'a CategoryView)>,
) {
    categories.push((parent_id, category));
    category.children.iter().for_each(|child| flatten(child, Some(category.id), categories));
}

pub(crate) fn search(reply: &SearchReply) -> Value {
    let result = match reply {
        SearchReply::Items(result) => result,
        SearchReply::Threads(result) => return search_threads(result),
    };
    let hits = fitting(result.hits.iter().map(hit));
    let left_out = result.hits.len() - hits.len();
    tidy(json!({
        "hits": hits,
        "left_out": (left_out > 0).then_some(left_out),
        "confidence": confidence(&result.confidence),
        "rerank_problem": result.rerank_problem,
    }))
}

/// The first of them, up to the limit.
fn fitting(entries: impl Iterator<Item = Value>) -> Vec<Value> {
    let mut room = MAX_TEXT_BYTES;
    let fits = |entry: &Value| {
        let bytes = entry.to_string().len();
        let fits = bytes <= room;
        room = room.saturating_sub(bytes);
        fits
    };
    entries.take_while(fits).collect()
}

fn hit(hit: &HitView) -> Value {
    let item = &hit.item;
    let (text, is_cut) = beginning(&item.text, MAX_HIT_CHARS);
    tidy(json!({
        "item_id": item.item_id,
        "space": item.space,
        "type": item.kind,
        "text": text,
        "cut": is_cut.then_some(true),
        "snippet": is_cut.then_some(&hit.snippet),
        "score": rounded(hit.score),
        "judged": hit.rerank.as_ref().map(|rerank| rerank.judged),
        "time": item.occurred_at,
        "thread": item.thread,
        "role": item.role,
        "speaker": item.speaker,
        "document": item.document,
        "document_name": item.document_name,
        "section": item.section,
        "own_id": item.stored.own_id,
        "metadata": metadata(&item.stored),
    }))
}

/// The metadata, unless it is large: then its field names.
fn metadata(stored: &StoredWith) -> Option<Value> {
    let fields = &stored.metadata;
    let is_large = json!(fields).to_string().len() > MAX_METADATA_BYTES;
    let shown = if is_large {
        json!({ "left_out": fields.keys().take(MAX_FIELDS).collect::<Vec<_>>() })
    } else {
        json!(fields)
    };
    (!fields.is_empty()).then_some(shown)
}

pub(crate) fn item(found: &StoredItem) -> Value {
    let item = &found.item;
    let (text, is_cut) = beginning(&item.text, MAX_HIT_CHARS);
    tidy(json!({
        "item_id": item.item_id,
        "own_id": item.stored.own_id,
        "space": item.space,
        "type": item.kind,
        "text": text,
        "cut": is_cut.then_some(true),
        "time": item.occurred_at,
        "thread": item.thread,
        "role": item.role,
        "speaker": item.speaker,
        "document": item.document,
        "section": item.section,
        "metadata": metadata(&item.stored),
        "retired": (!found.live).then_some(true),
    }))
}

/// One page of items, and the number to continue after.
pub(crate) fn items(list: &ItemList) -> Value {
    let items = fitting(list.items.iter().map(item));
    let next = match list.items.get(..items.len()) {
        Some([.., last]) if items.len() < list.items.len() => Some(last.item.item_id),
        _ => list.next,
    };
    tidy(json!({ "items": items, "missing": (!list.missing.is_empty()).then_some(&list.missing), "next": next }))
}

fn search_threads(result: &ThreadSearchResult) -> Value {
    let threads = result.threads.iter().map(|thread| {
        tidy(json!({
            "space": thread.space,
            "thread": thread.thread,
            "document": thread.document,
            "score": rounded(thread.score),
            "judged": thread.rerank.as_ref().map(|rerank| rerank.judged),
            "best_item_id": thread.best_item_id,
            "snippet": thread.snippet,
        }))
    });
    tidy(json!({
        "threads": threads.collect::<Vec<_>>(),
        "confidence": confidence(&result.confidence),
        "rerank_problem": result.rerank_problem,
    }))
}

pub(crate) fn documents(documents: &[DocumentView], offset: usize) -> Value {
    list("documents", documents, offset, document_view)
}

pub(crate) fn versions(versions: &[VersionView], offset: usize) -> Value {
    list("versions", versions, offset, version_view)
}

pub(crate) fn threads(threads: &[ThreadView], offset: usize) -> Value {
    list("threads", threads, offset, |thread| tidy(json!(thread)))
}

pub(crate) fn messages(messages: &[MessageView], offset: usize) -> Value {
    list("messages", messages, offset, message_view)
}

pub(crate) fn document(result: &DocumentResult) -> Value {
    let mut shown = document_text(&result.document, 0);
    shown["score"] = json!(result.score);
    shown["fallbacks"] = json!(result.fallbacks);
    tidy(shown)
}

fn document_view(document: &DocumentView) -> Value {
    tidy(json!({
        "document_id": document.document_id,
        "path": document.path,
        "type": document.version.file_type,
        "bytes": document.version.bytes,
        "versions": document.versions,
        "ingested_at": document.version.ingested_at,
        "retired": (!document.live).then_some(true),
        "topic": document.version.attributes.topic,
        "note": document.version.attributes.note,
    }))
}

fn version_view(version: &VersionView) -> Value {
    tidy(json!({
        "number": version.number,
        "bytes": version.bytes,
        "mtime": version.mtime,
        "ingested_at": version.ingested_at,
        "live": version.live.then_some(true),
        "forgotten_chunks": (version.forgotten_chunks > 0).then_some(version.forgotten_chunks),
    }))
}

fn message_view(message: &MessageView) -> Value {
    let (text, is_cut) = beginning(&message.text, MAX_HIT_CHARS);
    tidy(json!({
        "item_id": message.item_id,
        "role": message.role,
        "speaker": message.speaker,
        "text": text,
        "cut": is_cut.then_some(true),
        "time": message.occurred_at,
    }))
}

/// One page of a list, and the offset of the next.
fn list<T>(name: &str, entries: &[T], offset: usize, view: fn(&T) -> Value) -> Value {
    let mut room = MAX_TEXT_BYTES;
    let fitting = entries.iter().skip(offset).take(MAX_LISTED).map(view).enumerate().take_while(|(place, entry)| {
        let bytes = entry.to_string().len();
        let fits = bytes <= room || *place == 0;
        room = room.saturating_sub(bytes);
        fits
    });
    let shown: Vec<Value> = fitting.map(|(_, entry)| entry).collect();
    let next = offset.saturating_add(shown.len());
    tidy(json!({ name: shown, "total": entries.len(), "next_offset": (next < entries.len()).then_some(next) }))
}

pub(crate) fn document_text(document: &DocumentText, offset: usize) -> Value {
    let view = &document.document;
    let (text, next) = part(&document.text, offset);
    let mut shown = document_view(view);
    let more = json!({
        "version": view.version.number,
        "chars": view.version.chars,
        "forgotten_chunks": (view.version.forgotten_chunks > 0).then_some(view.version.forgotten_chunks),
        "text": text,
        "offset": (offset > 0).then_some(offset),
        "next_offset": next,
    });
    if let (Value::Object(shown), Value::Object(more)) = (&mut shown, more) {
        shown.extend(more);
    }
    tidy(shown)
}

/// One page of a text from a character on, and the offset of the next.
pub(crate) fn part(text: &str, offset: usize) -> (&str, Option<usize>) {
    part_of(text, offset, MAX_TEXT_BYTES)
}

fn part_of(text: &str, offset: usize, max_bytes: usize) -> (&str, Option<usize>) {
    let start = text.char_indices().nth(offset).map_or(text.len(), |(at, _)| at);
    let rest = &text[start..];
    let shown = &rest[..rest.floor_char_boundary(max_bytes)];
    (shown, (shown.len() < rest.len()).then(|| offset + shown.chars().count()))
}

/// The text truncated to a number of characters, and whether it was.
fn beginning(text: &str, max_chars: usize) -> (&str, bool) {
    text.char_indices().nth(max_chars).map_or((text, false), |(end, _)| (&text[..end], true))
}

pub(crate) fn ingest(report: &IngestReport) -> Value {
    let files: Vec<Value> = report.files.iter().map(file).collect();
    match <[Value; 1]>::try_from(files) {
        Ok([only]) => only,
        Err(files) => json!({ "files": files }),
    }
}

fn file(file: &FileReport) -> Value {
    tidy(json!({
        "path": file.path,
        "status": file.status,
        "document_id": file.document_id,
        "version": file.version,
        "chunks": file.chunks,
        "unclassified": (file.unclassified > 0).then_some(file.unclassified),
        "tokens": file.tokens,
        "repeated": file.repeated.then_some(true),
        "warnings": file.warnings,
        "error": file.error,
    }))
}

pub(crate) fn why(why: &Why) -> Value {
    tidy(json!({
        "receipt": why.receipt,
        "identical": why.identical,
        "differences": why.differences,
        "query": why.body.query,
        "made_at": why.body.made_at,
        "as_of": why.body.as_of,
        "memories": why.memories.iter().map(memory).collect::<Vec<_>>(),
        "total_tokens": why.body.total_tokens,
    }))
}

pub(crate) fn why_not(why_not: &WhyNot) -> Value {
    tidy(json!({
        "item_id": why_not.item_id,
        "place": why_not.place,
        "stage": why_not.stage,
        "reason": why_not.reason,
        "rank": why_not.rank,
        "score": why_not.score.map(rounded),
        "reranked": why_not.reranked,
        "changes": why_not.changes,
        "advice": why_not.advice,
    }))
}

/// Removes empty members. An empty list of memories, hits or the like is kept: it is a result.
fn tidy(value: Value) -> Value {
    let Value::Object(object) = value else { return value };
    let says_nothing = |name: &str, value: &Value| match value {
        Value::Null => true,
        Value::String(text) => text.is_empty() && name != "text" && name != "content",
        Value::Array(list) => {
            const MAY_BE_LEFT_OUT: [&str; 9] = [
                "warnings",
                "fallbacks",
                "differences",
                "changes",
                "errors",
                "dropped_paths",
                "files",
                "conflicts",
                "flagged",
            ];
            list.is_empty() && MAY_BE_LEFT_OUT.contains(&name)
        }
        _ => false,
    };
    Value::Object(object.into_iter().filter(|(name, value)| !says_nothing(name, value)).collect::<Map<_, _>>())
}

/// Four digits are enough to compare scores.
fn rounded(score: f64) -> impl Serialize {
    (score * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_parts_is_the_text() {
        for text in ["", "a", "äöü日本👩‍👩‍👧", &"wört ".repeat(50)] {
            let (mut whole, mut offset) = (String::new(), Some(0));
            while let Some(at) = offset {
                let (shown, next) = part_of(text, at, 7);
                whole.push_str(shown);
                assert!(shown.len() <= 7 && next.is_none_or(|next| next > at));
                offset = next;
            }
            assert_eq!(whole, text);
        }
        assert_eq!(part_of("abc", 7, 10), ("", None));
    }
}
