//! The waist between the engine and its faces: one table of verbs, each with arguments and a reply in JSON.
//!
//! `verb` is what is true of a verb, `table` lists them, `arguments` and `looks` read what was given, `reply` is what comes back. The verbs
//! themselves stand in `verb/`, each beside the function that does it. A face iterates over the table and adds nothing to what is
//! stored, found or forgotten.

mod arguments;
mod looks;
mod reply;
mod table;
mod verb;

use crate::engine::Recordar;
use crate::error::Error;
use crate::noun::progress::Progress;
use crate::recall::Authority;
pub use arguments::{Arguments, Given, With};
use recordar_domain::{Cancel, Invalid, OperationId, SpaceName};
use recordar_store::Error as StoreError;
pub use reply::Reply;
use serde_json::{Map, Value};
use std::sync::Arc;
pub use table::{Schema, VERBS, VerbEntry, verbs};
pub use verb::{Effect, NamedSpaces, Reach, ReachKind, Verb};

/// Who calls, and from where.
#[derive(Debug, Clone)]
pub struct Caller {
    pub space: SpaceName,
    /// Whether the space was named for this call, rather than configured.
    pub names_space: bool,
    /// The only spaces that the caller may see anything of, beside its own; any, if absent.
    pub within: Option<Vec<SpaceName>>,
    pub authority: Authority,
    /// A fresh id, for a write that names none of its own.
    pub operation: OperationId,
}

/// One call: who makes it, how to give it up, and whom to tell how far it has come.
pub struct Call<'a> {
    pub caller: Caller,
    /// A write that is cancelled is not committed.
    pub cancel: Cancel,
    pub progress: Option<&'a mut dyn FnMut(Progress)>,
}

impl Recordar {
    /// Does what a verb of the table says.
    pub fn call(&self, verb: &VerbEntry, call: Call<'_>, arguments: Map<String, Value>) -> Result<Reply, Error> {
        verb.run(self, call, arguments)
    }

    /// The same for a verb that is known by its type, with a reply of its type.
    pub fn call_as<V: Verb>(&self, mut call: Call<'_>, arguments: Map<String, Value>) -> Result<V::Reply, Error> {
        let schema = table::argument_schema::<V>();
        let arguments = V::read(&Given::new(V::NAME, &schema, arguments)?)?;
        V::REACH.check(&arguments, self, &call.caller)?;
        let within = call.caller.within.as_ref().map(|also| Arc::new(call.spaces(also)));
        let memory = Self { within, ..self.cancelled_by(call.cancel.clone()) };
        memory.showing(|memory| arguments.run(memory, &mut call))
    }
}

impl Call<'_> {
    pub fn new(caller: Caller) -> Self {
        Self { caller, cancel: Cancel::default(), progress: None }
    }

    pub fn space(&self) -> &SpaceName {
        &self.caller.space
    }

    /// The operation id that was named, or the fresh one.
    pub(crate) fn operation(&self, named: Option<String>) -> Result<OperationId, Invalid> {
        named.map_or(Ok(self.caller.operation.clone()), |id| OperationId::parse(&id))
    }

    /// The caller's space and those that it names beside it.
    pub(crate) fn spaces(&self, also: &[SpaceName]) -> Vec<SpaceName> {
        std::iter::once(&self.caller.space).chain(also).cloned().collect()
    }

    /// Says how far it has come, to whoever wants to know.
    pub fn tell(&mut self, progress: Progress) {
        if let Some(listener) = &mut self.progress {
            listener(progress);
        }
    }
}

impl Caller {
    /// What may not be seen is not there.
    fn absent() -> Error {
        StoreError::absent("such thing in the spaces that this caller may see").into()
    }

    fn out_of_reach(verb: &str, reach: ReachKind) -> Error {
        let reaches = if reach == ReachKind::Files { "files of this machine" } else { "the whole store" };
        let what = format!("{verb} reaches {reaches}, and this caller is confined to its spaces");
        Error::input("out_of_reach", what, "ask an administrator to do it")
    }
}
