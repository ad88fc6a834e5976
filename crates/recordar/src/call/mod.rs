//! The waist between the engine and its faces: one table of verbs, each with arguments and a reply in JSON.
//!
//! `verb` defines a verb, `entry` is a verb without its types, `arguments` and `looks` read arguments, `reply` is the result. `carried` has
//! the files that a caller sends or takes. The verbs
//! themselves are in `verb/`, each beside its implementation. A face iterates over the table and changes nothing about what is
//! stored, found or forgotten.

mod arguments;
mod carried;
mod entry;
mod looks;
mod reply;
mod verb;

pub use arguments::{Arguments, Given, With};
pub use carried::Carried;
pub use entry::{Schema, VerbEntry};
pub use recordar_core::noun::progress::Progress;
pub use recordar_core::noun::upload::Upload;
pub use recordar_core::within::{Effect, Within};
pub use reply::Reply;
pub use verb::{NamedSpaces, Reach, ReachKind, Verb, WhenCarried};

use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::recall::Authority;
use recordar_domain::{Cancel, Invalid, OperationId, SpaceName};
use recordar_llm::Account;
use recordar_store::Error as StoreError;
use serde_json::{Map, Value};
use std::sync::Arc;

/// The caller and its permissions.
#[derive(Debug, Clone)]
pub struct Caller {
    pub space: SpaceName,
    /// Whether the call names the space, rather than the configuration.
    pub names_space: bool,
    /// The only spaces the caller may read and write; any, if absent.
    pub within: Option<Within>,
    /// Whether the caller may use files of this machine. One that is confined to spaces may not in any case.
    pub files: bool,
    pub authority: Authority,
    /// Whose limit model calls count against, besides the store's.
    pub account: Option<Account>,
    /// A fresh id, for a write without one.
    pub operation: OperationId,
}

/// One call: its caller, cancellation and progress.
pub struct Call<'a> {
    pub caller: Caller,
    /// A cancelled write is not committed.
    pub cancel: Cancel,
    pub progress: Option<&'a mut dyn FnMut(Progress)>,
    /// Receives an answer while it comes in.
    pub on_text: Option<&'a mut dyn FnMut(&str)>,
    /// Files that the caller sends or takes, in place of files of this machine.
    pub carried: Option<Carried<'a>>,
}

impl Recordar {
    /// Runs a verb of the table.
    pub fn call(&self, verb: &VerbEntry, call: Call<'_>, arguments: Map<String, Value>) -> Result<Reply, Error> {
        verb.run(self, call, arguments)
    }

    /// The same for a verb known by its type, with a typed reply.
    pub fn call_as<V: Verb>(&self, mut call: Call<'_>, arguments: Map<String, Value>) -> Result<V::Reply, Error> {
        let (memory, arguments) = self.accepted::<V>(&call, arguments)?;
        memory.showing(|memory| arguments.run(memory, &mut call))
    }

    /// The arguments of a call, if its caller may make it, and the memory it works on.
    pub(crate) fn accepted<V: Verb>(&self, call: &Call<'_>, arguments: Map<String, Value>) -> Result<(Self, V), Error> {
        let schema = entry::argument_schema::<V>();
        let arguments = V::read(&Given::new(V::NAME, &schema, arguments)?)?;
        V::REACH.check(&arguments, self, call)?;
        Ok((self.for_call(call, V::EFFECT)?, arguments))
    }

    /// The memory that a call works on. Not generic, so that it is compiled once.
    fn for_call(&self, call: &Call<'_>, effect: Effect) -> Result<Self, Error> {
        let within = call.caller.within.clone().map(Arc::new);
        let keeps_receipts = within.as_ref().is_none_or(|within| within.may_write(call.space()));
        let memory = Self {
            within,
            keeps_receipts,
            ..self.cancelled_by(call.cancel.clone()).charged_to(call.caller.account.clone())
        };
        if effect == Effect::Writes {
            memory.create()?;
        }
        Ok(memory)
    }
}

impl Call<'_> {
    pub fn new(caller: Caller) -> Self {
        Self { caller, cancel: Cancel::default(), progress: None, on_text: None, carried: None }
    }

    pub fn space(&self) -> &SpaceName {
        &self.caller.space
    }

    /// The given operation id, or the fresh one.
    pub(crate) fn operation(&self, named: Option<String>) -> Result<OperationId, Invalid> {
        named.map_or(Ok(self.caller.operation.clone()), |id| OperationId::parse(&id))
    }

    /// The caller's space and the others it names.
    pub(crate) fn spaces(&self, also: &[SpaceName]) -> Vec<SpaceName> {
        std::iter::once(&self.caller.space).chain(also).cloned().collect()
    }

    /// Only administrators see, and decide about, what concerns the data of others.
    pub(crate) fn for_administrators(&self) -> Result<(), Error> {
        if self.caller.authority == Authority::Administrator {
            return Ok(());
        }
        Err(Error::input("out_of_reach", "only administrators may do this", "ask an administrator"))
    }

    /// Reports progress, if requested.
    pub fn tell(&mut self, progress: Progress) {
        if let Some(listener) = &mut self.progress {
            listener(progress);
        }
    }
}

impl Caller {
    /// Data that may not be seen does not exist for the caller.
    fn absent() -> Error {
        StoreError::absent("such data in the spaces of this caller").into()
    }

    fn out_of_reach(verb: &str, reach: ReachKind) -> Error {
        let reaches = if reach == ReachKind::Files { "files of the machine" } else { "the whole store" };
        let what = format!("{verb} is for administrators: it uses {reaches}");
        Error::input("out_of_reach", what, "use an administrator's key, or ask an administrator to run it")
    }
}
