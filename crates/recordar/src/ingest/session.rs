//! What the documents of one call share.

use recordar_core::config::WhenAway;
use recordar_core::reason::Reasoning;
use recordar_core::tree::Tree;
use recordar_llm::Operation;
use recordar_store::SpaceId;
use std::sync::{Mutex, PoisonError};

/// State shared by the documents of one call: the model's budget, whether it is worth calling, and the tree as this call
/// left it.
pub(crate) struct Session {
    pub(crate) operation: Operation,
    when_away: WhenAway,
    tree: Mutex<Option<KeptTree>>,
}

/// The tree at a revision of a space. Every write makes a new revision, so it stays valid until then.
struct KeptTree {
    space: SpaceId,
    revision: i64,
    tree: Tree,
}

impl Session {
    pub(crate) fn new(reasoning: &Reasoning) -> Self {
        Self { operation: reasoning.operation(), when_away: reasoning.when_away(), tree: Mutex::default() }
    }

    /// Whether the model is unavailable, and nothing else may do its work.
    pub(crate) fn has_given_up(&self) -> bool {
        self.operation.away().is_some() && self.when_away == WhenAway::Error
    }

    pub(super) fn tree_at(&self, space: SpaceId, revision: i64) -> Option<Tree> {
        let kept = self.tree.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.as_ref().filter(|kept| kept.space == space && kept.revision == revision);
        kept.map(|kept| kept.tree.clone())
    }

    /// Keeps the tree as a committed transaction left it.
    pub(crate) fn keep(&self, space: SpaceId, revision: i64, tree: Tree) {
        *self.tree.lock().unwrap_or_else(PoisonError::into_inner) = Some(KeptTree { space, revision, tree });
    }
}
