//! Moving a store to another embedder while it is searched (D2). Every space gets a job, which saves the segments of its index for the new
//! one beside those of the old; when no job is left, all processes search with the new one. What was written since, and a space without
//! saved segments, is embedded when it is searched, as always. Each step is recorded, so that whoever works next goes on with it.

use super::REEMBED;
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::index::{StoreEmbedder, new_embedder};
use recordar_domain::SpaceName;
use recordar_models::VectorModel;
use recordar_store::{EmbedderState, Embedders, NewJob};

/// How often a space is looked at again because something in it was forgotten meanwhile.
const MAX_ROUNDS: usize = 3;

/// Records that the store is to be moved to an embedder. Nothing happens if it has that one.
pub(crate) fn begin_move(memory: &Recordar, model: &VectorModel) -> Result<(), Error> {
    let wanted = new_embedder(model, (memory.clock)());
    memory.store.begin_reembedding(&wanted, VectorModel::default().hash())?;
    Ok(())
}

/// Whether this program can embed spaces for the embedder that the store is being moved to.
pub(super) fn can_embed(memory: &Recordar) -> Result<bool, Error> {
    let Embedders { pending, .. } = memory.store.read(|reading| reading.embedders())?;
    // A built-in one that this program does not have is an error of its own, for whoever begins.
    let Some(dimension) = pending.as_ref().and_then(|row| row.dimension) else { return Ok(true) };
    let is_it = |model: &VectorModel| {
        pending.as_ref().is_some_and(|row| row.model == model.name() && dimension == model.dimension())
    };
    Ok(memory.indexes.given().is_some_and(|own| is_it(&own.model())))
}

/// Takes the steps of a move that are due: queues its jobs, ends it when they are done, drops the segments that nobody searches any more.
pub(crate) fn advance_move(memory: &Recordar) -> Result<(), Error> {
    let Embedders { current, pending } = memory.store.read(|reading| reading.embedders())?;
    let mut settling = current.filter(|row| row.state == EmbedderState::Settling).map(|row| row.number);
    if let Some(pending) = pending {
        if pending.state == EmbedderState::Queueing {
            queue_spaces(memory)?;
            memory.store.end_queueing(pending.number)?;
        }
        if memory.store.end_moving(pending.number, REEMBED)? {
            settling = Some(pending.number);
        }
    }
    if let Some(number) = settling {
        for space in spaces(memory)? {
            memory.store.drop_old_segments(&space)?;
        }
        memory.store.end_settling(number)?;
    }
    Ok(())
}

/// The job: saves the segments of a space for the embedder that the store is being moved to, if any.
pub(super) fn embed_space(memory: &Recordar, space: &SpaceName) -> Result<(), Error> {
    for _ in 0..MAX_ROUNDS {
        let pending = || memory.store.read(|reading| StoreEmbedder::pending(&reading.embedders()?));
        let Some(embedder) = pending()? else { return Ok(()) };
        memory.indexes.embed_for(&memory.store, space, &embedder, &memory.cancel)?;
        // Another embedder may have been asked for meanwhile, and found this job queued.
        if memory.indexes.save_for(&memory.store, space, &embedder)? && pending()? == Some(embedder) {
            return Ok(());
        }
    }
    // What could not be saved is built when it is searched.
    Ok(())
}

/// Queues a job for every space that has items. Those that have one keep it.
fn queue_spaces(memory: &Recordar) -> Result<(), Error> {
    for space in spaces(memory)? {
        let due_at = (memory.clock)();
        memory.store.add_jobs(&space, &[NewJob { kind: REEMBED, subject: 0, due_at }], due_at)?;
    }
    Ok(())
}

fn spaces(memory: &Recordar) -> Result<Vec<SpaceName>, Error> {
    Ok(memory.store.read(|reading| {
        let mut names = Vec::new();
        for space in reading.spaces()? {
            if reading.next_item(space.id, 0)?.is_some() {
                names.push(SpaceName::parse(&space.name)?);
            }
        }
        Ok(names)
    })?)
}
