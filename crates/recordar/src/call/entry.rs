//! A verb without its types: an entry of the table of verbs.

use super::Call;
use super::arguments::written_schema_of;
use super::reply::Reply;
use super::verb::{ReachKind, Verb};
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::within::Effect;
use serde_json::{Map, Value};
use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A verb without its types: everything a face needs.
pub struct VerbEntry {
    pub name: &'static str,
    pub about: &'static str,
    pub effect: Effect,
    pub reach: ReachKind,
    /// Whether callers may send or take its files, instead of naming files of the machine.
    pub is_carried: bool,
    pub is_long: bool,
    arguments: fn() -> Schema,
    reply: fn() -> Map<String, Value>,
    run: Run,
}

type Run = fn(&Recordar, Call<'_>, Map<String, Value>) -> Result<Reply, Error>;
/// A JSON schema, built once.
pub type Schema = Arc<Map<String, Value>>;

impl VerbEntry {
    pub const fn of<V: Verb>() -> Self {
        Self {
            name: V::NAME,
            about: V::ABOUT,
            effect: V::EFFECT,
            reach: V::REACH.kind(),
            is_carried: V::REACH.is_carried(),
            is_long: V::IS_LONG,
            arguments: argument_schema::<V>,
            reply: written_schema_of::<V::Reply>,
            run: |memory, call, arguments| memory.call_as::<V>(call, arguments).map(Reply::of),
        }
    }

    /// Whether callers take a file of it, rather than send some.
    pub fn is_download(&self) -> bool {
        self.is_carried && self.effect == Effect::Reads
    }

    /// The arguments as a JSON schema, with a description of each.
    pub fn schema(&self) -> Schema {
        (self.arguments)()
    }

    /// The reply as a JSON schema.
    pub fn reply_schema(&self) -> Map<String, Value> {
        (self.reply)()
    }

    pub(super) fn run(&self, memory: &Recordar, call: Call<'_>, arguments: Map<String, Value>) -> Result<Reply, Error> {
        (self.run)(memory, call, arguments)
    }
}

/// The schema of a verb's arguments, built once and checked on every call.
pub(super) fn argument_schema<V: Verb>() -> Schema {
    static MADE: OnceLock<Mutex<HashMap<TypeId, Schema>>> = OnceLock::new();
    let mut made = MADE.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(made.entry(TypeId::of::<V>()).or_insert_with(|| {
        let mut schema = V::schema();
        schema.insert("description".to_owned(), V::ABOUT.into());
        Arc::new(schema)
    }))
}
