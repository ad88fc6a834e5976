//! Labels follow a change of the vocabulary (D7): in bounded transactions, so that others can write in between, and each item once. Whoever is
//! interrupted leaves the rest to the next.

use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_domain::{Digest, Hasher, Labels, OperationId, SpaceName, TermKind};
use recordar_store::{LabelRow, LabelledBy, Operation, Settled, SpaceId, VocabularyAction, VocabularyChange, Writing};

/// Items labelled in one transaction.
const PAGE: usize = 500;

/// What a backfill has done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Backfilled {
    pub(crate) items: u64,
}

/// Brings all labels up to date that changes of the vocabulary concern.
pub(crate) fn backfill(memory: &Recordar, mut tell: impl FnMut(Backfilled)) -> Result<Backfilled, Error> {
    let mut done = Backfilled::default();
    let history = memory.store.read(|reading| reading.vocabulary_history())?;
    for change in history.iter().filter(|change| change.is_pending) {
        let Some((kind, term)) = &change.term else { continue };
        for space in concerned(memory, &history, change)? {
            loop {
                let items = match change.action {
                    VocabularyAction::Approve => approve_page(memory, &space, change, (*kind, term))?,
                    _ => undo_page(memory, &space, change)?,
                };
                if items == 0 {
                    break;
                }
                done.items += items;
                tell(done);
            }
            if change.action == VocabularyAction::Undo {
                done.items += take_back(memory, &space, change, (*kind, term))?;
                tell(done);
            }
        }
        memory.store.end_backfill(change.number)?;
    }
    Ok(done)
}

/// The spaces whose labels a change concerns.
fn concerned(
    memory: &Recordar,
    history: &[VocabularyChange],
    change: &VocabularyChange,
) -> Result<Vec<SpaceName>, Error> {
    let Some((kind, term)) = &change.term else { return Ok(Vec::new()) };
    Ok(memory.store.read(|reading| match change.action {
        VocabularyAction::Approve => reading.spaces_suggesting(*kind, Digest::of(term)),
        // What was labelled since the approval may have the term as well, in any space.
        _ if history.iter().any(|earlier| Some(earlier.number) == change.undoes) => {
            let spaces = reading.spaces()?;
            Ok(spaces.iter().map(|space| SpaceName::parse(&space.name)).collect::<Result<_, _>>()?)
        }
        _ => Ok(Vec::new()),
    })?)
}

/// Labels the next items that suggested an approved term with it.
fn approve_page(
    memory: &Recordar,
    space: &SpaceName,
    change: &VocabularyChange,
    (kind, term): (TermKind, &str),
) -> Result<u64, Error> {
    page(memory, space, change, |writing, id| {
        let rows = writing.suggesting_in(id, kind, Digest::of(term), PAGE)?;
        let labelled: Vec<(LabelRow, Labels)> = rows
            .into_iter()
            .map(|row| {
                let labels = change.vocabulary.with_approved(&row.labels, kind, term);
                (row, labels)
            })
            .collect();
        let rows: Vec<LabelledBy<'_>> = labelled
            .iter()
            .map(|(row, labels)| (row.item_id, labels, row.enrichment_model.as_str(), Some(change.number)))
            .collect();
        writing.label(&rows)?;
        Ok(rows.len() as u64)
    })
}

/// Gives the next items the labels they had before an approval that is undone.
fn undo_page(memory: &Recordar, space: &SpaceName, change: &VocabularyChange) -> Result<u64, Error> {
    let Some(undone) = change.undoes else { return Ok(0) };
    page(memory, space, change, |writing, id| {
        let pairs = writing.backfilled_in(id, undone, PAGE)?;
        let rows: Vec<LabelledBy<'_>> = pairs
            .iter()
            .map(|(_, before)| (before.item_id, &before.labels, before.enrichment_model.as_str(), before.backfill))
            .collect();
        writing.label(&rows)?;
        Ok(rows.len() as u64)
    })
}

/// Takes a term back from the items that were labelled with it since.
fn take_back(
    memory: &Recordar,
    space: &SpaceName,
    change: &VocabularyChange,
    (kind, term): (TermKind, &str),
) -> Result<u64, Error> {
    let (mut after, mut all) = (0, 0);
    loop {
        let rows = memory.store.read(|reading| match reading.space(space)? {
            Some(space) => reading.labels_after(space.id, after, PAGE),
            None => Ok(Vec::new()),
        })?;
        let Some(last) = rows.last() else { return Ok(all) };
        after = last.item_id;
        if !rows.iter().any(|row| change.vocabulary.without_taken_back(&row.labels, kind, term).is_some()) {
            continue;
        }
        let first = rows.first().map_or(0, |row| row.item_id);
        all += page(memory, space, change, |writing, id| {
            let rows = writing.labels_after(id, first - 1, PAGE)?;
            let labelled: Vec<(LabelRow, Labels)> = rows
                .into_iter()
                .filter_map(|row| {
                    let labels = change.vocabulary.without_taken_back(&row.labels, kind, term)?;
                    Some((row, labels))
                })
                .collect();
            let rows: Vec<LabelledBy<'_>> = labelled
                .iter()
                .map(|(row, labels)| (row.item_id, labels, row.enrichment_model.as_str(), None))
                .collect();
            writing.label(&rows)?;
            Ok(rows.len() as u64)
        })?;
    }
}

/// One transaction of a backfill; nothing is written if it finds nothing to do.
fn page(
    memory: &Recordar,
    space: &SpaceName,
    change: &VocabularyChange,
    mut body: impl FnMut(&mut Writing<'_>, SpaceId) -> Result<u64, recordar_store::Error>,
) -> Result<u64, Error> {
    // The same page has the same id whoever does it: two that work at once do it once.
    let revision = memory.store.read(|reading| Ok(reading.space(space)?.map(|row| (row.incarnation, row.revision))))?;
    let Some((incarnation, revision)) = revision else { return Ok(0) };
    let part = format!("{} {incarnation} {revision}", change.vocabulary.version());
    let id = OperationId::parse(&format!("vocabulary-{}", change.number))?.part(part.as_bytes());
    let request = Hasher::default().field(part).finish();
    let operation = Operation { id: &id, kind: "vocabulary", request };
    let written = memory.store.write(space, &operation, (memory.clock)(), |writing| {
        let id = writing.space_id();
        let items = body(writing, id)?;
        Ok(if items == 0 { Settled::Abandon(0) } else { Settled::Commit(items) })
    })?;
    Ok(if written.is_repeated { 1 } else { written.value })
}
