//! What each reply shows. Every field is listed, so that a new one must be declared as shown or redacted.

use crate::answer::{AskResult, Citation, UsedChunk};
use crate::compose::{
    ComposeChange, ComposeDiff, ComposeRequest, ComposeResult, ComposedFile, ComposedMessage, Conflict, FlaggedText,
    Sent,
};
use crate::config::ModelFolder;
use crate::enrich::{Backlog, WorkReport};
use crate::error::Error;
use crate::guard::{Hide, Hiding, PieceOf};
use crate::ingest::{BatchReport, FileReport, Helper, HelperReport, IngestReport, Problem, Skipped};
use crate::key::{KeyView, MadeKey};
use crate::noun::chunk::QueryChunk;
use crate::noun::fact::FactView;
use crate::noun::hit::HitView;
use crate::noun::item::ItemView;
use crate::noun::labels::LabelView;
use crate::noun::memory::{MemoryEntry, Provenance};
use crate::noun::method::ModelProblem;
use crate::noun::path::{DroppedPath, PathError};
use crate::reason::Selected;
use crate::recall::RecallResult;
use crate::receipt::{
    AnswerReceipt, ComposeReceipt, Receipt, ReceiptChunk, ReceiptMemory, ReceiptSummary, ReceiptView, SentReceipt,
    StagedInputs, TreeInputs, Why, WhyAnswer,
};
use crate::route::document::DocumentFallback;
use crate::route::tree::SelectResponse;
use crate::verb::classify::{ClassifiedDocument, ClassifyReport};
use crate::verb::contextual_helper::{HelperVersion, HelperView};
use crate::verb::documents::{ChunkView, Difference, DocumentText, DocumentView, VersionView};
use crate::verb::edit_document::DocumentEdit;
use crate::verb::entail::Entailed;
use crate::verb::expiry::{ExpireReport, ExpirySet, ExpiryView};
use crate::verb::facts::{ExtractReport, FactChanged, FactHistory, FactList, FactStep};
use crate::verb::find_document::DocumentResult;
use crate::verb::forget::ForgetReport;
use crate::verb::import::{ImportReport, ImportedConversation};
use crate::verb::important::ImportantMarked;
use crate::verb::items::{AboutDocument, ItemList, StoredItem};
use crate::verb::metrics::MetricsReport;
use crate::verb::model_folders::{AddedModel, CheckedModel, ModelsCheck};
use crate::verb::models::{ModelsReport, ModelsTest};
use crate::verb::operation::OperationView;
use crate::verb::query::{PathView, QueryResult};
use crate::verb::records::{BucketList, BucketView, RecordList, RecordView, RecordsDeleted, RecordsPut};
use crate::verb::reembed::Reembedded;
use crate::verb::remember::Remembered;
use crate::verb::search::{SearchReply, SearchResult, ThreadHitView, ThreadSearchResult};
use crate::verb::spaces::SpaceNames;
use crate::verb::standing_texts::{StandingTextDifference, StandingTextHistory, StandingTextSet, StandingTextView};
use crate::verb::summaries::{SummariesQueued, SummaryList, SummaryView};
use crate::verb::threads::{MessageView, ThreadView};
use crate::verb::transfer::{ExportReport, RestoreReport};
use crate::verb::tree::{CategoryView, TreeEdited, TreeView};
use crate::verb::update::{HistoryEntry, ItemHistory, Updated};
use crate::verb::vocabulary::{SuggestionView, VocabularyChangeView, VocabularyEdited, VocabularyView};
use crate::verb::why_not::WhyNot;
use crate::verb::work::{DeadJobView, JobsChanged, QueueReport};
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

impl Hide for StoredItem {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            item,
            tokens: _,
            source,
            importance: _,
            recorded_at: _,
            live: _,
            derived_from: _,
            important: _,
            about,
        } = self;
        hiding.all([item, source, about])
    }
}

impl Hide for AboutDocument {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { document, version: _ } = self;
        document.hide(hiding)
    }
}

impl Hide for HistoryEntry {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { item, retired_at: _ } = self;
        item.hide(hiding)
    }
}

impl Hide for ItemHistory {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, entries } = self;
        entries.hide(hiding)
    }
}

impl Hide for Updated {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, operation: _, revision: _, item_id: _, replaced: _, repeated: _ } = self;
        Ok(())
    }
}

impl Hide for ItemList {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        // The ids that are missing are those of the call.
        let Self { space: _, items, missing: _, next: _ } = self;
        items.hide(hiding)
    }
}

/// A snippet of a text with secrets may begin or end within one, where no pattern recognises it: then the beginning of the hidden text is shown.
fn hide_snippet(snippet: &mut String, before: &str, hidden: &str) {
    const MAX_CHARS: usize = 240;
    if before != hidden {
        *snippet = one_line(hidden, MAX_CHARS);
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

impl Hide for SearchResult {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { query: _, spaces: _, mode: _, hits, rerank_problem, trace, timing: _ } = self;
        hiding.all([hits, rerank_problem, trace])
    }
}

impl Hide for ThreadHitView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, thread, document, score: _, parts: _, best_item_id: _, best_text, snippet, rerank: _ } =
            self;
        let before = best_text.clone();
        hiding.all([thread, document, best_text, snippet])?;
        hide_snippet(snippet, &before, best_text);
        Ok(())
    }
}

impl Hide for ThreadSearchResult {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { query: _, spaces: _, mode: _, threads, rerank_problem, trace, timing: _ } = self;
        hiding.all([threads, rerank_problem, trace])
    }
}

impl Hide for SearchReply {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        match self {
            Self::Items(found) => found.hide(hiding),
            Self::Threads(found) => found.hide(hiding),
        }
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
        let Self { number: _, collection: _, item_id: _, document, document_name, section } = self;
        hiding.all([document, document_name, section])
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
            rerank_problem,
            citations,
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

impl Hide for PathView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { category_path, category_ids: _, ranks: _, chunks: _ } = self;
        category_path.hide(hiding)
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

impl Hide for QueryResult {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            query: _,
            space: _,
            status: _,
            traversal: _,
            method: _,
            model_problem,
            rerank_problem,
            responses,
            paths,
            chunks,
            errors,
            dropped_paths,
            next: _,
            more: _,
            total_latency: _,
            rerank_ms: _,
            trace,
        } = self;
        hiding.all([model_problem, rerank_problem, responses, paths, chunks, errors, dropped_paths, trace])
    }
}

impl Hide for CategoryView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { id: _, name, level: _, chunks: _, children } = self;
        hiding.all([name, children])
    }
}

impl Hide for TreeView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, depth: _, categories: _, chunks: _, unclassified: _, levels: _, roots } = self;
        roots.hide(hiding)
    }
}

impl Hide for TreeEdited {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { edit: _, category_id: _, merged_categories: _, moved_chunks: _, depth: _, repeated: _ } = self;
        Ok(())
    }
}

impl Hide for Remembered {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, operation: _, revision: _, items: _, unchanged: _, repeated: _ } = self;
        Ok(())
    }
}

impl Hide for Problem {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { code: _, what, remedy } = self;
        hiding.all([what, remedy])
    }
}

impl Hide for Helper {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { text, tokens: _ } = self;
        hiding.text(text)
    }
}

impl Hide for HelperReport {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { helper, origin: _, reused: _, method: _, tokens_used: _, timestamp: _ } = self;
        helper.hide(hiding)
    }
}

impl Hide for HelperVersion {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { number: _, helper, origin: _, timestamp: _, is_live: _ } = self;
        helper.hide(hiding)
    }
}

impl Hide for HelperView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { document, document_id: _, helper, replaced_version: _, versions } = self;
        hiding.all([document, helper, versions])
    }
}

impl Hide for FileReport {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            path,
            status: _,
            document_id: _,
            version_id: _,
            version: _,
            bytes: _,
            chunks: _,
            tokens: _,
            kept_chunks: _,
            retired_chunks: _,
            moved_from,
            attributes_changed: _,
            classified: _,
            unclassified: _,
            helper,
            model_problem,
            repeated: _,
            warnings,
            error,
        } = self;
        hiding.all([path, moved_from, helper, model_problem, warnings, error])
    }
}

impl Hide for BatchReport {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { document, level: _, under, sent: _, succeeded: _, retried: _, latency_ms: _, method: _ } = self;
        hiding.all([document, under])
    }
}

impl Hide for Skipped {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { reason: _, what: _, count: _, paths } = self;
        hiding.all([paths])
    }
}

impl Hide for IngestReport {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, operation: _, totals: _, files, skipped, warnings, batches, responses, trace, timing: _ } =
            self;
        hiding.all([files, skipped, warnings, batches, responses, trace])
    }
}

impl Hide for ClassifiedDocument {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { path, classified: _, unclassified: _, helper, model_problem, warnings } = self;
        hiding.all([path, helper, model_problem, warnings])
    }
}

impl Hide for ClassifyReport {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            space: _,
            operation: _,
            classified: _,
            unclassified: _,
            documents,
            warnings,
            batches,
            responses,
            trace,
        } = self;
        hiding.all([documents, warnings, batches, responses, trace])
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

impl Hide for VersionView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            version_id: _,
            number: _,
            sha256: _,
            bytes: _,
            chars: _,
            mtime: _,
            file_type: _,
            attributes,
            tokenizer: _,
            chunks: _,
            tokens: _,
            forgotten_chunks: _,
            ingested_at: _,
            live: _,
            path,
            name,
        } = self;
        hiding.all([attributes, path, name])
    }
}

impl Hide for DocumentView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { document_id: _, kind: _, path, filename, collection, name, versions: _, live: _, version } = self;
        hiding.all([path, filename, collection, name, version])
    }
}

impl Hide for DocumentEdit {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { document, changed: _, operation: _, repeated: _ } = self;
        document.hide(hiding)
    }
}

impl Hide for DocumentText {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { document, text, verified: _, chunks } = self;
        // The chunks without their overlaps are the text: a border may lie within a secret.
        let (mut at, mut pieces) = (0_usize, Vec::with_capacity(chunks.len()));
        for ChunkView { item_id: _, position: _, section, tokens: _, overlap, text } in chunks {
            section.hide(hiding)?;
            let start = at.saturating_sub(*overlap);
            at += text.len() - *overlap;
            pieces.push(PieceOf { start, text, overlap });
        }
        hiding.pieces(text, pieces)?;
        document.hide(hiding)
    }
}

impl Hide for DocumentFallback {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { step: _, what } = self;
        hiding.text(what)
    }
}

impl Hide for DocumentResult {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            document,
            score: _,
            query: _,
            required_tags: _,
            candidate_documents: _,
            candidate_versions: _,
            fallbacks,
            trace,
        } = self;
        hiding.all([document, fallbacks, trace])
    }
}

impl Hide for Difference {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { path, from: _, to: _, added_lines: _, removed_lines: _, forgotten_chunks: _, diff } = self;
        hiding.all([path, diff])
    }
}

impl Hide for ThreadView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { thread_id: _, name, title } = self;
        hiding.all([name, title])
    }
}

impl Hide for MessageView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            item_id: _,
            role: _,
            source,
            speaker,
            text,
            tokens: _,
            importance: _,
            metadata,
            labels,
            occurred_at: _,
            recorded_at: _,
        } = self;
        hiding.all([source, speaker, text, metadata, labels])
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

impl Hide for SuggestionView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { term, kind: _, frequency: _, examples } = self;
        hiding.all([term, examples])
    }
}

impl Hide for VocabularyView {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        // Somebody chose its terms for everybody to read.
        Ok(())
    }
}

impl Hide for VocabularyChangeView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { version: _, action: _, kind: _, term, pending: _, made_at: _ } = self;
        term.hide(hiding)
    }
}

impl Hide for VocabularyEdited {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { version: _, kind: _, term, relabelled: _ } = self;
        term.hide(hiding)
    }
}

impl Hide for WorkReport {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            labelled: _,
            extracted: _,
            summarised: _,
            backfilled: _,
            reembedded: _,
            expired: _,
            failed: _,
            dead: _,
            lost: _,
            model_problem,
            tokens: _,
        } = self;
        model_problem.hide(hiding)
    }
}

impl Hide for QueueReport {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { kinds: _, dead } = self;
        dead.hide(hiding)
    }
}

impl Hide for DeadJobView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        // A model's error may quote the message.
        let Self { space: _, kind: _, item_id: _, attempts: _, error, queued_at: _ } = self;
        error.hide(hiding)
    }
}

impl Hide for JobsChanged {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, jobs: _ } = self;
        Ok(())
    }
}

impl Hide for Backlog {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { messages: _, labelled_by: _, tokens: _, usd: _, queued: _ } = self;
        Ok(())
    }
}

impl Hide for ReceiptMemory {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { collection: _, item_id: _, item_sha256: _, score: _, original_length: _, span: _, place } = self;
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

impl Hide for SpaceNames {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        // Calls refer to a space by its name.
        Ok(())
    }
}

impl Hide for KeyView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        // Patterns are shown as the names of spaces are. A key can be named by its id.
        let Self {
            id: _,
            name,
            admin: _,
            spaces: _,
            read: _,
            created_at: _,
            expires_at: _,
            revoked_at: _,
            last_used_at: _,
            max_usd_per_day: _,
            spent_today_usd: _,
        } = self;
        name.hide(hiding)
    }
}

impl Hide for MadeKey {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        // The key is shown now or never.
        let Self { key: _, view } = self;
        view.hide(hiding)
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
            passages: _,
            exchanges,
            answer_sha256: _,
            citations: _,
            tree,
        } = self;
        hiding.all([problem, exchanges, tree])
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

impl Hide for WhyNot {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self {
            space: _,
            item_id: _,
            query: _,
            place: _,
            stage: _,
            reason,
            rank: _,
            score: _,
            parts: _,
            reranked: _,
            rerank: _,
            changes: _,
            advice,
            trace,
        } = self;
        hiding.all([reason, advice, trace])
    }
}

impl Hide for ForgetReport {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, operation: _, dry_run: _, target, forgotten: _, scrubbed: _, repeated: _, warnings } =
            self;
        hiding.all([target, warnings])
    }
}

impl Hide for ExpirySet {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, operation: _, expires_at: _, expired_at_before: _, repeated: _ } = self;
        Ok(())
    }
}

impl Hide for ExpiryView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { kind: _, subject, id, expires_at: _, is_due: _ } = self;
        hiding.all([subject, id])
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
            recorded_at: _,
        } = self;
        hiding.all([subject, attribute, value, quote])
    }
}

impl Hide for FactList {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, facts, more: _ } = self;
        facts.hide(hiding)
    }
}

impl Hide for FactStep {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { fact: _, step: _, at: _ } = self;
        Ok(())
    }
}

impl Hide for FactHistory {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, subject, attribute, facts, steps } = self;
        hiding.all([subject, attribute])?;
        steps.hide(hiding)?;
        facts.hide(hiding)
    }
}

impl Hide for FactChanged {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, operation: _, revision: _, fact, changed: _, repeated: _ } = self;
        fact.hide(hiding)
    }
}

impl Hide for ExtractReport {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, operation: _, messages: _, facts: _, queued: _ } = self;
        Ok(())
    }
}

impl Hide for StandingTextView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, kind: _, version: _, text, tokens: _, set_at: _ } = self;
        text.hide(hiding)
    }
}

impl Hide for StandingTextHistory {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, kind: _, versions } = self;
        versions.hide(hiding)
    }
}

impl Hide for StandingTextDifference {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, kind: _, from: _, to: _, diff } = self;
        diff.hide(hiding)
    }
}

impl Hide for StandingTextSet {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, operation: _, revision: _, kind: _, version: _, changed: _, repeated: _ } = self;
        Ok(())
    }
}

impl Hide for ImportantMarked {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, operation: _, revision: _, item: _, important: _, changed: _, repeated: _ } = self;
        Ok(())
    }
}

impl Hide for SummaryView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { summary: _, text, tokens: _, messages: _, message_tokens: _, thread, from: _, to: _ } = self;
        text.hide(hiding)?;
        thread.hide(hiding)
    }
}

impl Hide for SummaryList {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, summaries, more: _ } = self;
        summaries.hide(hiding)
    }
}

impl Hide for SummariesQueued {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, operation: _, queued: _ } = self;
        Ok(())
    }
}

impl Hide for ExpireReport {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { operation: _, dry_run: _, spaces: _, expired: _, scrubbed: _, warnings } = self;
        warnings.hide(hiding)
    }
}

impl Hide for RecordView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { bucket, key, text, base64, size: _, recorded_at: _ } = self;
        // What a program has written cannot be looked through.
        *base64 = None;
        hiding.all([bucket, key, text])
    }
}

impl Hide for RecordList {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, records, next: _ } = self;
        records.hide(hiding)
    }
}

impl Hide for BucketView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { bucket, records: _ } = self;
        bucket.hide(hiding)
    }
}

impl Hide for BucketList {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, buckets, next: _ } = self;
        buckets.hide(hiding)
    }
}

impl Hide for RecordsPut {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, operation: _, stored: _, unchanged: _, deleted: _, repeated: _ } = self;
        Ok(())
    }
}

impl Hide for RecordsDeleted {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, operation: _, deleted: _, repeated: _ } = self;
        Ok(())
    }
}

impl Hide for OperationView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { operation: _, kind: _, state: _, revision: _, recorded_at: _, result, error } = self;
        hiding.all([result, error])
    }
}

/// The report about a file; for the file itself, see `redact`.
impl Hide for ExportReport {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { file: _, spaces: _ } = self;
        Ok(())
    }
}

impl Hide for RestoreReport {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { removed: _, spaces: _ } = self;
        Ok(())
    }
}

impl Hide for LeftOut {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { subject, reason: _, detail } = self;
        hiding.all([subject, detail])
    }
}

impl Hide for ImportedConversation {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, thread, title, added: _, updated: _, known: _ } = self;
        hiding.all([thread, title])
    }
}

impl Hide for ImportReport {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { format: _, operation: _, spaces: _, conversations, left_out } = self;
        hiding.all([conversations, left_out])
    }
}

/// None of these is stored text.
impl Hide for ModelsReport {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        Ok(())
    }
}

/// Names and paths of this machine's models are no stored text.
impl Hide for AddedModel {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { model, bytes: _, load_ms: _, sample_ms: _, replaced: _ } = self;
        model.hide(hiding)
    }
}

impl Hide for ModelFolder {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { name: _, path: _, sha256: _, kind: _, added_at: _ } = self;
        Ok(())
    }
}

/// What was judged came from the caller.
impl Hide for Entailed {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { relation: _, probabilities: _, method: _, model_problem, responses: _, trace } = self;
        hiding.all([model_problem, trace])
    }
}

impl Hide for ModelsCheck {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { passed: _, models } = self;
        models.hide(hiding)
    }
}

impl Hide for CheckedModel {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { name: _, path: _, sha256: _, kind: _, passed: _, sample_ms: _, problem: _, remedy: _ } = self;
        Ok(())
    }
}

impl Hide for Reembedded {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { embedder: _, dimension: _, changed: _, pending: _, spaces: _, failed: _ } = self;
        Ok(())
    }
}

impl Hide for MetricsReport {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
        let Self { retrieval: _ } = self;
        Ok(())
    }
}

impl Hide for ModelsTest {
    fn hide(&mut self, _: &mut Hiding<'_>) -> Hidden {
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
