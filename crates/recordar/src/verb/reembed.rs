//! Moving the store to another embedder.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::enrich::{REEMBED, WorkOptions, advance_move, begin_move, work};
use crate::error::Error;
use crate::index::StoreEmbedder;
use crate::noun::progress::Progress;
use recordar_domain::{Invalid, OperationId};
use recordar_models::EmbedderName;
use recordar_store::Error as StoreError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state of the store after a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Reembedded {
    /// The embedder that searches use now.
    pub embedder: String,
    pub dimension: usize,
    /// Whether searches used another one before.
    pub changed: bool,
    /// The embedder that the store is still being moved to.
    pub pending: Option<String>,
    /// Spaces that this call embedded.
    pub spaces: u64,
    /// Spaces that could not be embedded. They hold up the move; `queue` has the reasons.
    pub failed: u64,
}

impl Recordar {
    /// Moves the store to another embedder. Searches go on with the one it has until every space is embedded. If this is interrupted, `work`
    /// goes on with it. Asking for the embedder that the store has ends a move to another.
    pub fn reembed(
        &self,
        embedder: EmbedderName,
        operation: &OperationId,
        mut tell: impl FnMut(Progress),
    ) -> Result<Reembedded, Error> {
        let (before, _) = self.embedders()?;
        begin_move(self, embedder)?;
        let options = WorkOptions { keeps_running: false, spaces: None, kinds: &[REEMBED] };
        let report = work(self, &options, operation, |report| {
            tell(Progress { done: report.reembedded, total: 0, message: "spaces embedded".to_owned() });
        })?;
        // Another worker may have done the last space.
        advance_move(self)?;
        let (current, pending) = self.embedders()?;
        let now = (self.clock)();
        let queued = self.store.read(|reading| reading.queue_status(None, now))?;
        Ok(Reembedded {
            embedder: current.name.as_str().to_owned(),
            dimension: current.name.dimension(),
            changed: current.name != before.name,
            pending: pending.map(|pending| pending.name.as_str().to_owned()),
            spaces: report.reembedded,
            failed: queued.iter().filter(|status| status.kind == REEMBED).map(|status| status.dead).sum(),
        })
    }

    /// The embedder of the store, and the one that it is being moved to.
    pub(super) fn embedders(&self) -> Result<(StoreEmbedder, Option<StoreEmbedder>), Error> {
        let embedders = match self.store.read(|reading| reading.embedders()) {
            Err(StoreError::NoDatabase { .. }) => return Ok((StoreEmbedder::default(), None)),
            embedders => embedders?,
        };
        Ok((StoreEmbedder::current(&embedders)?, StoreEmbedder::pending(&embedders)?))
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ReembedArguments {
    /// The embedder to move to.
    #[schemars(extend("enum" = EmbedderName::ALL.map(EmbedderName::as_str)))]
    model: String,
}

impl Verb for ReembedArguments {
    const NAME: &'static str = "reembed";
    const ABOUT: &'static str = "Move the database to another embedder, while searches go on.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::Store;
    const IS_LONG: bool = true;
    type Reply = Reembedded;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<Reembedded, Error> {
        call.for_administrators()?;
        let embedder = EmbedderName::parse(&self.model).ok_or_else(|| {
            let names = EmbedderName::ALL.map(EmbedderName::as_str).join(", ");
            Invalid::new(format!("unrecognised embedder {:?}", self.model), format!("use one of {names}"))
        })?;
        memory.reembed(embedder, &call.operation(None)?, |progress| call.tell(progress))
    }
}
