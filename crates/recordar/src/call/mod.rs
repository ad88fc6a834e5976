//! Verbs by name, with arguments that are an object of JSON: what Python, MCP and every other language speak. The names, options
//! and defaults are here once; a face only carries them.

mod arguments;
mod reply;
mod tree_arguments;

pub use reply::Reply;

use crate::verb::search::names;
use crate::{Authority, Error, ExportScope, Recordar, TreeEdit};
use arguments::{
    AskArguments, AttributeArguments, BackupArguments, DocumentArguments, DocumentTextArguments,
    DocumentVersionsArguments, ExportArguments, ForgetArguments, ForgetTarget, ImportArguments, IngestArguments,
    IngestTextArguments, MessagesArguments, NoArguments, OperationArguments, RecallArguments, RecallOptions,
    ReceiptsArguments, RememberArguments, RestoreArguments, SearchArguments, TestModelsArguments, WhyArguments,
    WhyNotArguments,
};
use recordar_domain::{Invalid, OperationId, SpaceName};
use recordar_store::Error as StoreError;
use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::sync::OnceLock;
use tree_arguments::{
    ClassifyArguments, DeepenTreeArguments, DescentArguments, HelperArguments, MergeCategoriesArguments,
    MoveCategoryArguments, PlacingArguments, QueryArguments, RenameCategoryArguments, RouteArguments,
};

/// Who calls, and from where.
#[derive(Debug, Clone)]
pub struct Caller {
    pub space: SpaceName,
    /// Whether the space was named for this call, rather than configured.
    pub names_space: bool,
    /// The only spaces that it may see anything of, beside its own; any, where nothing is said.
    pub within: Option<Vec<SpaceName>>,
    pub authority: Authority,
    /// A fresh id, for a write that names none of its own.
    pub operation: OperationId,
}

/// Everything that can be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    Remember,
    Ingest,
    IngestText,
    Recall,
    Query,
    Ask,
    Search,
    Documents,
    Document,
    DocumentText,
    DocumentVersions,
    Classify,
    Tree,
    RenameCategory,
    MergeCategories,
    MoveCategory,
    DeepenTree,
    Helper,
    Threads,
    Messages,
    Spaces,
    Why,
    WhyNot,
    Receipts,
    Forget,
    Operation,
    Export,
    Import,
    Backup,
    Restore,
    Models,
    TestModels,
}

impl Verb {
    pub const ALL: [Self; 32] = [
        Self::Remember,
        Self::Ingest,
        Self::IngestText,
        Self::Recall,
        Self::Query,
        Self::Ask,
        Self::Search,
        Self::Documents,
        Self::Document,
        Self::DocumentText,
        Self::DocumentVersions,
        Self::Classify,
        Self::Tree,
        Self::RenameCategory,
        Self::MergeCategories,
        Self::MoveCategory,
        Self::DeepenTree,
        Self::Helper,
        Self::Threads,
        Self::Messages,
        Self::Spaces,
        Self::Why,
        Self::WhyNot,
        Self::Receipts,
        Self::Forget,
        Self::Operation,
        Self::Export,
        Self::Import,
        Self::Backup,
        Self::Restore,
        Self::Models,
        Self::TestModels,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Remember => "remember",
            Self::Ingest => "ingest",
            Self::IngestText => "ingest_text",
            Self::Recall => "recall",
            Self::Query => "query",
            Self::Ask => "ask",
            Self::Search => "search",
            Self::Documents => "documents",
            Self::Document => "document",
            Self::DocumentText => "document_text",
            Self::DocumentVersions => "document_versions",
            Self::Classify => "classify",
            Self::Tree => "tree",
            Self::RenameCategory => "rename_category",
            Self::MergeCategories => "merge_categories",
            Self::MoveCategory => "move_category",
            Self::DeepenTree => "deepen_tree",
            Self::Helper => "helper",
            Self::Threads => "threads",
            Self::Messages => "messages",
            Self::Spaces => "spaces",
            Self::Why => "why",
            Self::WhyNot => "why_not",
            Self::Receipts => "receipts",
            Self::Forget => "forget",
            Self::Operation => "operation",
            Self::Export => "export",
            Self::Import => "import",
            Self::Backup => "backup",
            Self::Restore => "restore",
            Self::Models => "models",
            Self::TestModels => "test_models",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|verb| verb.name() == name);
        found.ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|verb| verb.name()).collect();
            Invalid::new(format!("{name:?} is not a verb"), format!("use one of {}", names.join(", "))).into()
        })
    }

    /// The arguments as a JSON schema, with a description of each.
    pub fn schema(self) -> Map<String, Value> {
        match self {
            Self::Remember => schema_of::<RememberArguments>(),
            Self::Ingest => all([schema_of::<IngestArguments>(), attributes(), schema_of::<PlacingArguments>()]),
            Self::IngestText => {
                all([schema_of::<IngestTextArguments>(), attributes(), schema_of::<PlacingArguments>()])
            }
            Self::Recall => both(schema_of::<RecallArguments>(), schema_of::<RecallOptions>()),
            Self::Query => both(schema_of::<QueryArguments>(), schema_of::<DescentArguments>()),
            Self::Ask => all([
                schema_of::<AskArguments>(),
                schema_of::<RecallOptions>(),
                schema_of::<RouteArguments>(),
                schema_of::<DescentArguments>(),
            ]),
            Self::Search => schema_of::<SearchArguments>(),
            Self::Documents | Self::Tree | Self::Threads | Self::Spaces | Self::Models => schema_of::<NoArguments>(),
            Self::Classify => schema_of::<ClassifyArguments>(),
            Self::RenameCategory => schema_of::<RenameCategoryArguments>(),
            Self::MergeCategories => schema_of::<MergeCategoriesArguments>(),
            Self::MoveCategory => schema_of::<MoveCategoryArguments>(),
            Self::DeepenTree => schema_of::<DeepenTreeArguments>(),
            Self::Helper => schema_of::<HelperArguments>(),
            Self::Document => schema_of::<DocumentArguments>(),
            Self::DocumentText => schema_of::<DocumentTextArguments>(),
            Self::DocumentVersions => schema_of::<DocumentVersionsArguments>(),
            Self::Messages => schema_of::<MessagesArguments>(),
            Self::Why => schema_of::<WhyArguments>(),
            Self::WhyNot => both(schema_of::<WhyNotArguments>(), schema_of::<RecallOptions>()),
            Self::Receipts => schema_of::<ReceiptsArguments>(),
            Self::Forget => both(schema_of::<ForgetTarget>(), schema_of::<ForgetArguments>()),
            Self::Operation => schema_of::<OperationArguments>(),
            Self::Export => schema_of::<ExportArguments>(),
            Self::Import => schema_of::<ImportArguments>(),
            Self::Backup => schema_of::<BackupArguments>(),
            Self::Restore => schema_of::<RestoreArguments>(),
            Self::TestModels => schema_of::<TestModelsArguments>(),
        }
    }

    /// The names of the arguments.
    pub fn options(self) -> &'static [String] {
        static OPTIONS: OnceLock<Vec<Vec<String>>> = OnceLock::new();
        let names = |verb: &Self| {
            let schema = verb.schema();
            let properties = schema.get("properties").and_then(Value::as_object);
            let named = properties.into_iter().flat_map(|properties| properties.keys().cloned());
            // The policy knows a document's file name by two names.
            named.chain((*verb == Self::Document).then(|| "file_name".to_owned())).collect()
        };
        &OPTIONS.get_or_init(|| Self::ALL.iter().map(names).collect())[self as usize]
    }
}

fn schema_of<T: JsonSchema>() -> Map<String, Value> {
    match SchemaGenerator::default().into_root_schema_for::<T>().to_value() {
        Value::Object(schema) => schema,
        _ => Map::new(),
    }
}

fn attributes() -> Map<String, Value> {
    schema_of::<AttributeArguments>()
}

/// The schema of what is read as several, one object after the other.
fn all<const N: usize>(schemas: [Map<String, Value>; N]) -> Map<String, Value> {
    schemas.into_iter().reduce(both).unwrap_or_default()
}

/// The schema of what is read as two, one object after the other.
fn both(mut first: Map<String, Value>, second: Map<String, Value>) -> Map<String, Value> {
    for (key, value) in second {
        match (first.get_mut(&key), value) {
            (Some(Value::Object(object)), Value::Object(more)) => object.extend(more),
            (Some(Value::Array(list)), Value::Array(more)) => list.extend(more),
            (None, value) => drop(first.insert(key, value)),
            _ => {}
        }
    }
    first
}

impl Recordar {
    /// Does what is called for. An argument that is not known is an error: a typing mistake must not pass for a default.
    pub fn call(&self, caller: &Caller, verb: Verb, arguments: Map<String, Value>) -> Result<Reply, Error> {
        refuse_unknown(verb, &arguments)?;
        let given = Given { verb, arguments: Value::Object(arguments) };
        let space = &caller.space;
        Ok(match verb {
            Verb::Remember => {
                let RememberArguments { messages, operation } = given.read()?;
                Reply::Remember(self.remember(space, &messages, &caller.operation(operation)?)?)
            }
            Verb::Ingest => {
                let attributes = given.read::<AttributeArguments>()?.attributes()?;
                let placing = given.read::<PlacingArguments>()?.request()?;
                let request = given.read::<IngestArguments>()?.request(attributes, placing, caller)?;
                Reply::Ingest(Box::new(self.ingest(space, &request, &mut |_| {})?))
            }
            Verb::IngestText => {
                let attributes = given.read::<AttributeArguments>()?.attributes()?;
                let placing = given.read::<PlacingArguments>()?.request()?;
                let request = given.read::<IngestTextArguments>()?.request(attributes, placing, caller)?;
                Reply::Ingest(Box::new(self.ingest_text(space, request)?))
            }
            Verb::Recall => {
                let (spaces, request) = given.read::<RecallArguments>()?.request(given.read()?, caller);
                caller.check_spaces(&names(&spaces))?;
                Reply::Recall(Box::new(self.recall(&spaces, &request)?))
            }
            Verb::Query => {
                let request = given.read::<QueryArguments>()?.request(given.read()?);
                Reply::Query(Box::new(self.query(space, &request)?))
            }
            Verb::Ask => {
                let asked: AskArguments = given.read()?;
                let (spaces, request) = asked.request(given.read()?, given.read()?, given.read()?, caller);
                caller.check_spaces(&names(&spaces))?;
                Reply::Ask(Box::new(self.ask(&spaces, &request)?))
            }
            Verb::Search => {
                let arguments: SearchArguments = given.read()?;
                let (spaces, request) = arguments.request(caller);
                caller.check_spaces(&names(&spaces))?;
                if arguments.threads {
                    Reply::SearchThreads(Box::new(self.search_threads(&spaces, &request)?))
                } else {
                    Reply::Search(Box::new(self.search(&spaces, &request)?))
                }
            }
            Verb::Documents => Reply::Documents(self.documents(space)?),
            Verb::Document => {
                let request = given.read::<DocumentArguments>()?.request();
                Reply::Document(Box::new(self.document(space, &request)?))
            }
            Verb::DocumentText => {
                let DocumentTextArguments { name, version } = given.read()?;
                Reply::DocumentText(Box::new(self.document_text(space, &name, version)?))
            }
            Verb::DocumentVersions => {
                let DocumentVersionsArguments { name } = given.read()?;
                Reply::DocumentVersions(self.document_versions(space, &name)?)
            }
            Verb::Classify => {
                let ClassifyArguments { operation } = given.read()?;
                Reply::Classify(Box::new(self.classify(space, &caller.operation(operation)?)?))
            }
            Verb::Tree => Reply::Tree(Box::new(self.tree(space)?)),
            Verb::RenameCategory => self.edited(caller, given.read::<RenameCategoryArguments>()?.edit())?,
            Verb::MergeCategories => self.edited(caller, given.read::<MergeCategoriesArguments>()?.edit())?,
            Verb::MoveCategory => self.edited(caller, given.read::<MoveCategoryArguments>()?.edit())?,
            Verb::DeepenTree => self.edited(caller, given.read::<DeepenTreeArguments>()?.edit())?,
            Verb::Helper => {
                let (request, operation) = given.read::<HelperArguments>()?.request(caller)?;
                Reply::Helper(Box::new(self.helper(space, &request, &operation)?))
            }
            Verb::Threads => Reply::Threads(self.threads(space)?),
            Verb::Messages => {
                let MessagesArguments { thread } = given.read()?;
                Reply::Messages(self.messages(space, thread.as_deref())?)
            }
            Verb::Spaces => Reply::Spaces(self.spaces()?),
            Verb::Why => {
                let WhyArguments { receipt } = given.read()?;
                let why = self.why(space, &receipt)?;
                caller.check_spaces(&why.body.spaces)?;
                Reply::Why(Box::new(why))
            }
            Verb::WhyNot => {
                let WhyNotArguments { item, query } = given.read()?;
                let (spaces, request) = given.read::<RecallOptions>()?.request(&query, caller);
                caller.check_spaces(&names(&spaces))?;
                Reply::WhyNot(Box::new(self.why_not(&spaces, (space, item), &request)?))
            }
            Verb::Receipts => {
                let ReceiptsArguments { limit } = given.read()?;
                Reply::Receipts(self.receipts(space, limit)?)
            }
            Verb::Forget => {
                let ForgetArguments { dry_run, operation } = given.read()?;
                let request = given.read::<ForgetTarget>()?.request()?;
                Reply::Forget(Box::new(self.forget(space, &request, dry_run, &caller.operation(operation)?)?))
            }
            Verb::Operation => {
                let OperationArguments { operation } = given.read()?;
                Reply::Operation(self.operation(space, &OperationId::parse(&operation)?)?)
            }
            Verb::Export => {
                let ExportArguments { file, all, force } = given.read()?;
                let scope = if all { ExportScope::Store } else { ExportScope::Spaces(vec![space.clone()]) };
                Reply::Export(self.export_file(&scope, &file, force)?)
            }
            Verb::Import => {
                let (file, request) = given.read::<ImportArguments>()?.request(caller)?;
                Reply::Import(Box::new(self.import_file(space, &file, &request)?))
            }
            Verb::Backup => {
                let BackupArguments { file, force } = given.read()?;
                Reply::Export(self.export_file(&ExportScope::Store, &file, force)?)
            }
            Verb::Restore => {
                let RestoreArguments { file } = given.read()?;
                Reply::Restore(self.restore_file(&file)?)
            }
            Verb::Models => Reply::Models(Box::new(self.models()?)),
            Verb::TestModels => {
                let TestModelsArguments { dry_run } = given.read()?;
                Reply::TestModels(self.test_models(dry_run)?)
            }
        })
    }
}

impl Recordar {
    fn edited(&self, caller: &Caller, (edit, operation): (TreeEdit, Option<String>)) -> Result<Reply, Error> {
        Ok(Reply::TreeEdited(self.edit_tree(&caller.space, &edit, &caller.operation(operation)?)?))
    }
}

impl Caller {
    fn operation(&self, named: Option<String>) -> Result<OperationId, Invalid> {
        named.map_or(Ok(self.operation.clone()), |id| OperationId::parse(&id))
    }

    fn spaces(&self, also: &[SpaceName]) -> Vec<SpaceName> {
        std::iter::once(&self.space).chain(also).cloned().collect()
    }

    /// What may not be seen is not there.
    fn check_spaces(&self, named: &[String]) -> Result<(), Error> {
        let Some(within) = &self.within else { return Ok(()) };
        let is_seen = |name: &String| *name == self.space.as_str() || within.iter().any(|space| space.as_str() == name);
        if named.iter().all(is_seen) {
            Ok(())
        } else {
            Err(StoreError::absent("such thing in the spaces of this caller").into())
        }
    }
}

struct Given {
    verb: Verb,
    arguments: Value,
}

impl Given {
    fn read<T: DeserializeOwned>(&self) -> Result<T, Invalid> {
        serde_path_to_error::deserialize(&self.arguments).map_err(|error| {
            let path = error.path().to_string();
            let (name, verb) = (path.split(['.', '[']).next().unwrap_or_default(), self.verb.name());
            let schema = self.verb.schema();
            let described = schema.get("properties").and_then(|all| all.get(name)?.get("description")?.as_str());
            let remedy = match described {
                Some(description) => format!("{name}: {description}"),
                None => format!("give {}", self.verb.options().join(", ")),
            };
            let place = if name.is_empty() { String::new() } else { format!("{path}: ") };
            Invalid::new(format!("{verb} cannot be done: {place}{}", error.into_inner()), remedy)
        })
    }
}

fn refuse_unknown(verb: Verb, arguments: &Map<String, Value>) -> Result<(), Invalid> {
    let Some(unknown) = arguments.keys().find(|name| !verb.options().contains(name)) else { return Ok(()) };
    let remedy = match verb.options() {
        [] => "leave it out: there are none".to_owned(),
        options => format!("use {}", options.join(", ")),
    };
    Err(Invalid::new(format!("{} has no argument {unknown:?}", verb.name()), remedy))
}
