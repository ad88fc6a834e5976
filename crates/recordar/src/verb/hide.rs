//! What each reply shows. Every field is listed, so that a new one must be declared as shown or redacted.

use crate::enrich::{Backlog, WorkReport};
use crate::ingest::{BatchReport, FileReport, Helper, HelperReport, IngestReport, Skipped};
use crate::key::{KeyView, MadeKey};
use crate::verb::classify::{ClassifiedDocument, ClassifyReport};
use crate::verb::confirm_fact::FactConfirmed;
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
use recordar_core::error::Error;
use recordar_core::guard::{Hide, Hiding, PieceOf};
use recordar_core::hide::hide_snippet;

type Hidden = Result<(), Error>;

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

impl Hide for SearchResult {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { query: _, spaces: _, mode: _, hits, confidence: _, rerank_problem, trace, timing: _ } = self;
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
        let Self { query: _, spaces: _, mode: _, threads, confidence: _, rerank_problem, trace, timing: _ } = self;
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

impl Hide for PathView {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { category_path, category_ids: _, ranks: _, chunks: _ } = self;
        category_path.hide(hiding)
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
            confidence: _,
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

impl Hide for FactList {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, facts, stored, more: _ } = self;
        facts.hide(hiding)?;
        stored.hide(hiding)
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

impl Hide for FactConfirmed {
    fn hide(&mut self, hiding: &mut Hiding<'_>) -> Hidden {
        let Self { space: _, operation: _, revision: _, fact: _, text, review_by: _, changed: _, repeated: _ } = self;
        text.hide(hiding)
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
