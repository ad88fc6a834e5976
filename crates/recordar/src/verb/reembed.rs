//! Moving the store to another embedder.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::enrich::{REEMBED, WorkOptions, advance_move, begin_move, work};
use recordar_core::error::Error;
use recordar_core::index::StoreEmbedder;
use recordar_core::noun::progress::Progress;
use recordar_domain::{Invalid, OperationId};
use recordar_models::{EmbedderName, TextKind, VectorModel};
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
    /// Moves the store to another embedder: a built-in one, or the one that was given to this memory. Searches go on with the one it has until every space is embedded. If this is interrupted, `work`
    /// goes on with it. Asking for the embedder that the store has ends a move to another.
    pub fn reembed(
        &self,
        model: &str,
        operation: &OperationId,
        mut tell: impl FnMut(Progress),
    ) -> Result<Reembedded, Error> {
        let (before, _) = self.embedders()?;
        let model = self.model_named(model)?;
        self.check_embedder(&model)?;
        begin_move(self, &model)?;
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
            embedder: current.model.name().to_owned(),
            dimension: current.model.dimension(),
            changed: current.model != before.model,
            pending: pending.map(|pending| pending.model.name().to_owned()),
            spaces: report.reembedded,
            failed: queued.iter().filter(|status| status.kind == REEMBED).map(|status| status.dead).sum(),
        })
    }

    /// The embedder with a name, if this program has it.
    fn model_named(&self, name: &str) -> Result<VectorModel, Error> {
        if let Some(built_in) = EmbedderName::parse(name) {
            return Ok(VectorModel::BuiltIn(built_in));
        }
        let given = self.indexes.given().map(|own| own.model());
        if let Some(given) = given.as_ref().filter(|given| given.name() == name) {
            return Ok(given.clone());
        }
        let (current, pending) = self.embedders()?;
        if [Some(current), pending].into_iter().flatten().any(|known| known.model.name() == name) {
            let what = format!("the embedder {name:?} was not given to this program, so it cannot embed anything");
            let remedy = "run it in the Rust or Python program that opens the database with this embedder";
            return Err(Error::input("no_embedder", what, remedy));
        }
        let built_in = EmbedderName::ALL.map(EmbedderName::as_str).into_iter();
        let names: Vec<&str> = built_in.chain(given.as_ref().map(VectorModel::name)).collect();
        let remedy = format!("use one of {}; your own can be given in Rust and Python", names.join(", "));
        Err(Invalid::new(format!("unrecognised embedder {name:?}"), remedy).into())
    }

    /// Asks the caller's embedder for one vector, so that nothing begins which cannot be done.
    fn check_embedder(&self, model: &VectorModel) -> Result<(), Error> {
        let Some(own) = self.indexes.given().filter(|own| own.model() == *model) else { return Ok(()) };
        let checked = own.embed(vec!["A text to try.".to_owned()], TextKind::Passage, &self.cancel);
        checked.map(drop).map_err(|problem| {
            Error::input("embedder_failed", problem.what(), "correct the embedder; the database is unchanged")
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
    /// The embedder to move to: recordar-static-256.1, recordar-static-128.1, or the name of the program's own.
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
        memory.reembed(&self.model, &call.operation(None)?, |progress| call.tell(progress))
    }
}
