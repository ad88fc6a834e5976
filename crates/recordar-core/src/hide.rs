//! What is shown of the nouns in replies. Every field is listed, so that a new one must be declared as shown or redacted.

use crate::answer::{AskResult, Citation, Excerpt, UsedChunk};
use crate::compose::{
    ComposeChange, ComposeDiff, ComposeRequest, ComposeResult, ComposedFile, ComposedMessage, Conflict, FlaggedText,
    Sent,
};
use crate::config::ModelFolder;
use crate::error::Error;
use crate::guard::{Hide, Hiding};
use crate::noun::chunk::QueryChunk;
use crate::noun::fact::{FactView, StoredFact};
use crate::noun::hit::HitView;
use crate::noun::item::ItemView;
use crate::noun::labels::LabelView;
use crate::noun::memory::{MemoryEntry, Provenance};
use crate::noun::method::ModelProblem;
use crate::noun::path::{DroppedPath, PathError};
use crate::problem::Problem;
use crate::reason::{Selected, Stated, StatedPart};
use crate::recall::RecallResult;
use crate::receipt::{
    AnswerReceipt, ComposeReceipt, Receipt, ReceiptChunk, ReceiptMemory, ReceiptSummary, ReceiptView, SentReceipt,
    StagedInputs, TreeInputs, Why, WhyAnswer,
};
use crate::route::document::DocumentFallback;
use crate::route::tree::SelectResponse;
use recordar_compose::{CondensedContext, Piece};
use recordar_convert::LeftOut;
use recordar_domain::text::one_line;
use recordar_domain::{Attributes, Decision, Entity, Metadata, Stage, Trace};
use recordar_llm::{CallReport, Exchange};

type Hidden = Result<(), Error>;

impl Hide for ItemView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            space: _,
            item_id: _,
            kind: _,
            text,
            thread,
            role: _,
            speaker,
            document,
            document_name,
            section,
            sections,
            occurred_at: _,
            stored,
        } = self;
        let before = text.clone();
        hiding.all([text, thread, speaker, document, document_name, section, stored])?;
        // The places were those of the text as it is stored.
        if *text != before {
            sections.clear();
        }
        sections.iter_mut().try_for_each(|start| start.section.hide(hiding))
    }
}

impl Hide for HitView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        // The words come from the question.
        let Self { item, snippet, score: _, parts: _, words: _, cosine: _, rerank: _ } = self;
        let before = item.text.clone();
        hiding.all([item, snippet])?;
        hide_snippet(snippet, &before, &item.text);
        Ok(())
    }
}

impl Hide for Provenance {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            collection: _,
            item_id: _,
            document,
            document_name,
            section,
            search_type: _,
            original_length: _,
            was_redacted: _,
            stage: _,
            thread_title,
        } = self;
        hiding.all([document, document_name, section, thread_title])
    }
}

impl Hide for MemoryEntry {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            id: _,
            content,
            score: _,
            rerank: _,
            timestamp: _,
            session_id,
            message_id,
            kind: _,
            role: _,
            speaker,
            unverified: _,
            provenance,
            stored,
        } = self;
        hiding.all([content, session_id, message_id, speaker, provenance, stored])
    }
}

/// What an administrator requested unredacted is shown unredacted.
impl Hide for RecallResult {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            query: _,
            spaces: _,
            memories,
            metadata,
            text,
            candidates: _,
            // Made from the question.
            staged: _,
            skipped: _,
            problem: _,
            confidence: _,
            rerank_problem,
            receipt: _,
            trace,
            timing: _,
        } = self;
        if !metadata.config.enable_redaction {
            return Ok(());
        }
        hiding.all([memories, text, rerank_problem, trace])
    }
}

impl Hide for Citation {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { number: _, collection: _, item_id: _, document, document_name, section, speaker, time: _ } = self;
        hiding.all([document, document_name, section, speaker])
    }
}

impl Hide for Excerpt {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { number: _, text, sentence, confidence: _ } = self;
        hiding.all([text, sentence])
    }
}

impl Hide for UsedChunk {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { chunk_id: _, category_path, document, summarized: _ } = self;
        hiding.all([category_path, document])
    }
}

impl Hide for AskResult {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            query: _,
            spaces: _,
            route: _,
            answer,
            method: _,
            model: _,
            model_problem,
            confidence: _,
            rerank_problem,
            citations,
            excerpts,
            unsure: _,
            nearest,
            facts,
            memories,
            used_chunks,
            dropped_paths,
            responses,
            estimate: _,
            receipt: _,
            trace,
            total_latency: _,
            rerank_ms: _,
            is_exact,
        } = self;
        if *is_exact {
            return Ok(());
        }
        hiding.all([
            answer,
            model_problem,
            rerank_problem,
            citations,
            excerpts,
            nearest,
            facts,
            memories,
            used_chunks,
            dropped_paths,
            responses,
            trace,
        ])
    }
}

/// The prompt was redacted part by part: a pattern must not reach across its sections.
impl Hide for ComposeResult {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            space: _,
            query: _,
            prompt: _,
            tokens: _,
            tokenizer: _,
            sections: _,
            files,
            context,
            history,
            shape,
            rerun: _,
            conflicts,
            flagged,
            confidence: _,
            estimate: _,
            sent,
            same_tokens: _,
            receipt: _,
            responses,
            trace,
            total_latency: _,
        } = self;
        hiding.all([files, history, conflicts, flagged, sent, responses, trace])?;
        let CondensedContext { facts, constraints, open_issues, sources } = context;
        for fact in facts.iter_mut().chain(constraints) {
            hiding.text(&mut fact.text)?;
        }
        for source in sources {
            hiding.all([&mut source.document, &mut source.section])?;
        }
        open_issues.hide(hiding)?;
        shape.iter_mut().try_for_each(|shape| hiding.all([&mut shape.need, &mut shape.targets]))
    }
}

impl Hide for ComposeDiff {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { receipt: _, made_at: _, query, identical: _, tokens_then: _, tokens_now: _, changes, diff } = self;
        hiding.all([query, changes, diff])
    }
}

impl Hide for ComposeChange {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { section: _, change: _, what, why } = self;
        hiding.all([what, why])
    }
}

impl Hide for Sent {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { answer, model: _, model_problem, citations: _, unknown_citations: _, edited: _, responses } = self;
        hiding.all([answer, model_problem, responses])
    }
}

impl Hide for ComposedFile {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        hiding.text(&mut self.path)
    }
}

impl Hide for ComposedMessage {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        hiding.all([&mut self.speaker, &mut self.text])
    }
}

impl Hide for Conflict {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { winner, winner_text, loser, loser_text, rule: _ } = self;
        hiding.all([winner, winner_text, loser, loser_text])
    }
}

impl Hide for FlaggedText {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        hiding.all([&mut self.source, &mut self.text])
    }
}

impl Hide for Problem {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { code: _, what, remedy } = self;
        hiding.all([what, remedy])
    }
}

impl Hide for ModelProblem {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { code: _, what, remedy } = self;
        hiding.all([what, remedy])
    }
}

impl Hide for CallReport {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        // An error may quote a model's reply; the rest is settings and numbers.
        hiding.text(&mut self.outcome)
    }
}

impl Hide for DroppedPath {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { category_path, reason: _, detail } = self;
        hiding.all([category_path, detail])
    }
}

impl Hide for Selected {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { category, ranked_relevance: _ } = self;
        hiding.text(category)
    }
}

impl Hide for SelectResponse {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            llm_output,
            timestamp: _,
            latency_ms: _,
            method: _,
            model: _,
            tokens_prompt: _,
            tokens_completion: _,
            level: _,
            under,
            outcome,
        } = self;
        hiding.all([llm_output, under, outcome])
    }
}

impl Hide for QueryChunk {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            chunk_id: _,
            text_content,
            category_path,
            ranked_relevance: _,
            created_at: _,
            document,
            section,
            rerank: _,
            document_id: _,
            occurred_at: _,
        } = self;
        hiding.all([text_content, category_path, document, section])
    }
}

impl Hide for PathError {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { category_path, code: _, what } = self;
        hiding.all([category_path, what])
    }
}

impl Hide for Metadata {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        self.try_change(|fields| fields.hide(hiding))
    }
}

impl Hide for Attributes {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        self.texts_mut().try_for_each(|text| hiding.text(text))?;
        self.metadata.hide(hiding)
    }
}

impl Hide for DocumentFallback {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { step: _, what } = self;
        hiding.text(what)
    }
}

impl Hide for LabelView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            topics: _,
            category: _,
            message_type: _,
            entities,
            confidence: _,
            suggested_topic,
            suggested_category,
            importance: _,
            role: _,
            vocabulary_version: _,
            enrichment_model: _,
        } = self;
        hiding.all([entities, suggested_topic, suggested_category])
    }
}

impl Hide for Entity {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { kind: _, value } = self;
        value.hide(hiding)
    }
}

impl Hide for ReceiptMemory {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            collection: _,
            item_id: _,
            item_sha256: _,
            score: _,
            original_length: _,
            span: _,
            place,
            unverified: _,
        } = self;
        match place {
            Some(place) => place.thread_title.hide(hiding),
            None => Ok(()),
        }
    }
}

impl Hide for StagedInputs {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { intent, uses_at: _ } = self;
        intent.entities_mut().iter_mut().try_for_each(|entity| entity.hide(hiding))
    }
}

impl Hide for WhyAnswer {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { answer, method: _, model: _, citations: _ } = self;
        hiding.text(answer)
    }
}

impl Hide for Exchange {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { request_sha256: _, completion } = self;
        hiding.text(&mut completion.text)
    }
}

impl Hide for AnswerReceipt {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            method: _,
            model: _,
            problem,
            prompt: _,
            language: _,
            max_output_tokens: _,
            accepts_any_length: _,
            quotes: _,
            quotes_sections: _,
            stated,
            quoted: _,
            passages: _,
            exchanges,
            answer_sha256: _,
            citations: _,
            tree,
        } = self;
        hiding.all([problem, stated, exchanges, tree])
    }
}

impl Hide for Stated {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { parts, rests_on: _ } = self;
        parts.iter_mut().try_for_each(|part| match part {
            StatedPart::Own(text) => hiding.text(text),
            StatedPart::Quoted(_) => Ok(()),
        })
    }
}

/// Of an answer by the tree, a receipt holds the summaries that a model wrote.
impl Hide for TreeInputs {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { chunks, helpers: _, prompt_sha256: _ } = self;
        for ReceiptChunk { item_id: _, item_sha256: _, summary } in chunks {
            if let Some(ReceiptSummary { method: _, target_chars: _, text }) = summary {
                text.hide(hiding)?;
            }
        }
        Ok(())
    }
}

impl Hide for ComposeReceipt {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { request, sections: _, files, versions: _, pieces, texts: _, sent } = self;
        hiding.all([request, files])?;
        for piece in pieces {
            if let Piece::Own(text) = piece {
                hiding.text(text)?;
            }
        }
        let Some(SentReceipt { model: _, max_output_tokens: _, edited, exchanges, answer_sha256: _, citations: _ }) =
            sent
        else {
            return Ok(());
        };
        hiding.all([edited, exchanges])
    }
}

impl Hide for ComposeRequest {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            query,
            task,
            mode,
            thread,
            files,
            lock: _,
            pack: _,
            file_tokens: _,
            off,
            k: _,
            search_type: _,
            rerank: _,
            theta: _,
            model: _,
            turns: _,
            history_tokens: _,
            context_tokens: _,
            synonyms,
            agents: _,
            max_tokens: _,
            max_usd: _,
            send: _,
            prompt,
            receipt: _,
            as_of: _,
            asked_at: _,
        } = self;
        hiding.all([query, task, mode, thread, files, off, synonyms, prompt])
    }
}

/// A receipt as shown; the stored one, and what is compared with it, stay unchanged.
impl Hide for Receipt {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            format: _,
            engine: _,
            made_at: _,
            query,
            session_id,
            asked_at: _,
            as_of: _,
            spaces: _,
            revisions: _,
            settings: _,
            filter,
            redaction: _,
            tokenizer: _,
            template: _,
            memories,
            found: _,
            total_tokens: _,
            memories_sha256: _,
            text_sha256: _,
            trace,
            staged,
            answer,
            compose,
        } = self;
        hiding.all([query, session_id, filter, memories, trace, staged, answer, compose])
    }
}

impl Hide for (String, Receipt) {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let (_id, receipt) = self;
        receipt.hide(hiding)
    }
}

impl Hide for Why {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { receipt: _, space: _, identical: _, differences, text, memories, answer, body } = self;
        hiding.all([differences, text, memories, answer, body])
    }
}

impl Hide for ReceiptView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { receipt: _, made_at: _, query, memories: _, total_tokens: _ } = self;
        hiding.text(query)
    }
}

impl Hide for FactView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            fact: _,
            subject,
            attribute,
            value,
            state: _,
            since: _,
            until: _,
            replaced_by: _,
            conflicts: _,
            several: _,
            method: _,
            confidence: _,
            source: _,
            quote,
            corrects: _,
            unverified: _,
            review_by: _,
            recorded_at: _,
        } = self;
        hiding.all([subject, attribute, value, quote])
    }
}

impl Hide for StoredFact {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { item: _, kind: _, text, sources: _, unverified: _, review_by: _, recorded_at: _ } = self;
        hiding.text(text)
    }
}

impl Hide for LeftOut {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { subject, reason: _, detail } = self;
        hiding.all([subject, detail])
    }
}

impl Hide for ModelFolder {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { name: _, path: _, sha256: _, kind: _, added_at: _ } = self;
        Ok(())
    }
}

impl Hide for Trace {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { stages } = self;
        stages.hide(hiding)
    }
}

impl Hide for Stage {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { name: _, decisions } = self;
        decisions.hide(hiding)
    }
}

impl Hide for Decision {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { subject, action: _, reason: _, detail } = self;
        hiding.all([subject, detail])
    }
}

/// A snippet of a text with secrets may begin or end within one, where no pattern recognises it: then the beginning of the hidden text is shown.
pub fn hide_snippet(snippet: &mut String, before: &str, hidden: &str) {
    const MAX_CHARS: usize = 240;
    if before != hidden {
        *snippet = one_line(hidden, MAX_CHARS);
    }
}
