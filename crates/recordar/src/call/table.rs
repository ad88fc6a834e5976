//! The table: every verb, once, in the order that lists and help show them.

use super::arguments::schema_of;
use super::{Call, Effect, ReachKind, Reply, Verb};
use crate::engine::Recordar;
use crate::error::Error;
use recordar_domain::Invalid;
use serde_json::{Map, Value};
use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The arguments of every verb by name, for typed calls.
pub mod verbs {
    pub use crate::verb::ask::AskArguments as Ask;
    pub use crate::verb::classify::ClassifyArguments as Classify;
    pub use crate::verb::document::DocumentArguments as Document;
    pub use crate::verb::documents::{
        DocumentDiffArguments as DocumentDiff, DocumentTextArguments as DocumentText,
        DocumentVersionsArguments as DocumentVersions, DocumentsArguments as Documents,
    };
    pub use crate::verb::edit_tree::{
        DeepenTreeArguments as DeepenTree, MergeCategoriesArguments as MergeCategories,
        MoveCategoryArguments as MoveCategory, RenameCategoryArguments as RenameCategory,
    };
    pub use crate::verb::forget::ForgetArguments as Forget;
    pub use crate::verb::helper::HelperArguments as Helper;
    pub use crate::verb::import::ImportArguments as Import;
    pub use crate::verb::ingest::{IngestArguments as Ingest, IngestTextArguments as IngestText};
    pub use crate::verb::models::{ModelsArguments as Models, TestModelsArguments as TestModels};
    pub use crate::verb::operation::OperationArguments as Operation;
    pub use crate::verb::query::QueryArguments as Query;
    pub use crate::verb::recall::RecallArguments as Recall;
    pub use crate::verb::receipts::{ReceiptsArguments as Receipts, WhyArguments as Why};
    pub use crate::verb::remember::RememberArguments as Remember;
    pub use crate::verb::search::SearchArguments as Search;
    pub use crate::verb::spaces::SpacesArguments as Spaces;
    pub use crate::verb::threads::{MessagesArguments as Messages, ThreadsArguments as Threads};
    pub use crate::verb::transfer::{
        BackupArguments as Backup, ExportArguments as Export, RestoreArguments as Restore,
    };
    pub use crate::verb::tree::TreeArguments as Tree;
    pub use crate::verb::why_not::WhyNotArguments as WhyNot;
}

/// All verbs. One that is not listed here is in no face.
pub static VERBS: [VerbEntry; 33] = [
    VerbEntry::of::<verbs::Recall>(),
    VerbEntry::of::<verbs::Ask>(),
    VerbEntry::of::<verbs::Query>(),
    VerbEntry::of::<verbs::Tree>(),
    VerbEntry::of::<verbs::Remember>(),
    VerbEntry::of::<verbs::Search>(),
    VerbEntry::of::<verbs::Ingest>(),
    VerbEntry::of::<verbs::IngestText>(),
    VerbEntry::of::<verbs::Documents>(),
    VerbEntry::of::<verbs::Document>(),
    VerbEntry::of::<verbs::DocumentText>(),
    VerbEntry::of::<verbs::DocumentVersions>(),
    VerbEntry::of::<verbs::DocumentDiff>(),
    VerbEntry::of::<verbs::Classify>(),
    VerbEntry::of::<verbs::RenameCategory>(),
    VerbEntry::of::<verbs::MergeCategories>(),
    VerbEntry::of::<verbs::MoveCategory>(),
    VerbEntry::of::<verbs::DeepenTree>(),
    VerbEntry::of::<verbs::Helper>(),
    VerbEntry::of::<verbs::Threads>(),
    VerbEntry::of::<verbs::Messages>(),
    VerbEntry::of::<verbs::Spaces>(),
    VerbEntry::of::<verbs::Why>(),
    VerbEntry::of::<verbs::WhyNot>(),
    VerbEntry::of::<verbs::Receipts>(),
    VerbEntry::of::<verbs::Forget>(),
    VerbEntry::of::<verbs::Operation>(),
    VerbEntry::of::<verbs::Export>(),
    VerbEntry::of::<verbs::Import>(),
    VerbEntry::of::<verbs::Backup>(),
    VerbEntry::of::<verbs::Restore>(),
    VerbEntry::of::<verbs::Models>(),
    VerbEntry::of::<verbs::TestModels>(),
];

/// A verb without its types: everything a face needs.
pub struct VerbEntry {
    pub name: &'static str,
    pub about: &'static str,
    pub effect: Effect,
    pub reach: ReachKind,
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
            is_long: V::IS_LONG,
            arguments: argument_schema::<V>,
            reply: schema_of::<V::Reply>,
            run: |memory, call, arguments| memory.call_as::<V>(call, arguments).map(Reply::of),
        }
    }

    /// The verb of that name.
    pub fn named(name: &str) -> Result<&'static Self, Error> {
        VERBS.iter().find(|verb| verb.name == name).ok_or_else(|| {
            let names: Vec<&str> = VERBS.iter().map(|verb| verb.name).collect();
            Invalid::new(format!("unrecognised verb {name:?}"), format!("use one of {}", names.join(", "))).into()
        })
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
