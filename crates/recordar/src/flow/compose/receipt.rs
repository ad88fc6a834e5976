//! The receipt of a composition, and what is the same as in the last one.

use super::history::title_bytes;
use super::{At, Composed, Composing};
use crate::flow::receipt::keep_receipt;
use recordar_compose::{Cleared, QuotedText};
use recordar_core::compose::ComposeRequest;
use recordar_core::config::RecallConfig;
use recordar_core::error::Error;
use recordar_core::recall::RecallSettings;
use recordar_core::receipt::{
    COMPOSE_FORMAT, ComposeReceipt, FoundItem, Receipt, ReceiptPart, ReceiptText, item_digest, memories_digest, parse,
};
use recordar_core::route::Items;
use recordar_domain::Digest;
use recordar_store::SearchedSpace;

/// How many of the newest receipts are looked at for the last composition.
const NEWEST: usize = 3;

impl Composing<'_> {
    /// Stores the receipt of a composition, and returns its id; nothing if something in it was forgotten meanwhile.
    pub(super) fn keep_receipt(&self, composed: &Composed) -> Result<Option<String>, Error> {
        let Some(At { incarnation, newest, .. }) = self.at else { return Ok(None) };
        let Some(texts) = self.quoted_texts(composed)? else { return Ok(None) };
        let result = &composed.result;
        let found = composed.found.iter().map(|id| FoundItem { collection: self.space.to_string(), item_id: *id });
        let RecallConfig { settings: configured, answers_rerank, .. } = &self.memory.config.recall;
        let receipt = Receipt {
            format: COMPOSE_FORMAT,
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            made_at: self.now,
            query: self.request.query.clone(),
            session_id: self.request.thread.clone(),
            asked_at: self.asked_at,
            as_of: self.request.as_of,
            spaces: vec![self.space.to_string()],
            revisions: vec![Some(newest)],
            settings: RecallSettings {
                search_type: self.request.search_type,
                rerank: self.request.rerank.clone().unwrap_or_else(|| answers_rerank.clone()),
                ..configured.clone()
            },
            filter: Vec::new(),
            redaction: self.guard.patterns(),
            tokenizer: result.tokenizer.to_owned(),
            template: String::new(),
            memories: Vec::new(),
            found: found.collect(),
            total_tokens: result.tokens,
            memories_sha256: memories_digest(&[])?,
            text_sha256: Digest::of(&result.prompt),
            trace: result.trace.clone(),
            staged: None,
            answer: None,
            compose: Some(ComposeReceipt {
                // Whatever is configured later.
                request: ComposeRequest { agents: Some(self.agents.clone()), ..self.request.clone() },
                versions: composed.versions,
                sections: result.sections.clone(),
                files: result.files.clone(),
                pieces: composed.prompt.pieces().to_vec(),
                texts,
                sent: composed.sent.clone(),
            }),
        };
        let searched = [SearchedSpace { name: self.space.clone(), incarnation, revision: newest }];
        keep_receipt(self.memory, &receipt, &searched, "use fewer or shorter files, or go without a receipt")
    }

    /// The texts that the prompt quotes, as receipts name them; nothing if one is gone.
    fn quoted_texts(&self, composed: &Composed) -> Result<Option<Vec<ReceiptText>>, Error> {
        let (spaces, revision) = ([self.space.clone()], self.at.map(|at| at.revision));
        let items = self.memory.store.read(|reading| {
            let (mut items, mut texts) = (Items::at(&spaces, vec![revision]), Vec::new());
            for quoted in composed.prompt.quoted() {
                let ids = match quoted {
                    QuotedText::File(place) => composed.files.chunks[*place].clone(),
                    QuotedText::Item(id) => vec![(*id, 0)],
                };
                let mut parts = Vec::with_capacity(ids.len());
                for (id, skip) in ids {
                    let Some(item) = items.get(reading, 0, id)? else { return Ok(None) };
                    parts.push((item, skip));
                }
                texts.push(parts);
            }
            Ok(Some(texts))
        })?;
        let Some(items) = items else { return Ok(None) };
        let mut texts = Vec::with_capacity(items.len());
        for (quoted, items) in composed.prompt.quoted().iter().zip(items) {
            let mut parts = Vec::with_capacity(items.len());
            for (item, skip) in items {
                let skip = skip + title_bytes(item.kind, &item.text);
                parts.push(ReceiptPart { item_id: item.item_id, item_sha256: item_digest(&item)?, skip });
            }
            let document_id = match quoted {
                QuotedText::File(place) => composed.files.views.get(*place).map(|file| file.document_id),
                QuotedText::Item(_) => None,
            };
            let instructions = composed.cleared(*quoted).map_or(&[][..], Cleared::instructions);
            let instructions = instructions.iter().map(|span| [span.start, span.end]).collect();
            texts.push(ReceiptText { document_id, parts, instructions });
        }
        Ok(Some(texts))
    }

    /// How many tokens, counted from the beginning, are the same as in the last composition of the thread: providers keep what a prompt begins with.
    pub(super) fn same_as_last(&self, composed: &Composed) -> Result<Option<usize>, Error> {
        let rows = self.in_time(|memory| {
            let Some(at) = self.at else { return Ok(Vec::new()) };
            Ok(memory.store.read(|reading| reading.receipts(at.space, NEWEST))?)
        })?;
        // Without the database nothing is said of the last time.
        let Ok(rows) = rows else { return Ok(None) };
        for row in rows {
            // One of a newer version says nothing here.
            let Some(last) = parse(&row.body).ok().and_then(|receipt| receipt.compose) else { continue };
            if last.request.thread != self.request.thread {
                continue;
            }
            let (sections, spans) = (&composed.result.sections, composed.prompt.sections());
            let same = sections.iter().zip(&last.sections).take_while(|(one, other)| one == other).count();
            let end = same.checked_sub(1).map_or(0, |last| spans[last].end);
            return Ok(Some(self.memory.counter.count(&composed.prompt.as_str()[..end])));
        }
        Ok(None)
    }
}

impl Composed {
    /// A text that the prompt quotes.
    fn cleared(&self, quoted: QuotedText) -> Option<&Cleared> {
        let history = &self.settled.history;
        match quoted {
            QuotedText::File(place) => self.files.injected.get(place).map(|file| &file.text),
            QuotedText::Item(id) => {
                let said = history.earlier.iter().chain(&history.recent).find(|said| said.item_id == id);
                let chunk = || self.settled.chunks.iter().find(|chunk| chunk.item_id == id).map(|chunk| &chunk.text);
                said.map(|said| &said.text).or_else(chunk)
            }
        }
    }
}
