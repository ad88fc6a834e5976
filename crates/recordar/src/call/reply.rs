//! What a call gives back: the result of its verb, as JSON the same in every language.

use crate::*;
use serde::Serialize;

#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Reply {
    Remember(Remembered),
    Ingest(Box<IngestReport>),
    Recall(Box<RecallResult>),
    Query(Box<QueryResult>),
    Ask(Box<AskResult>),
    Search(Box<SearchResult>),
    SearchThreads(Box<ThreadSearchResult>),
    Documents(Vec<DocumentView>),
    Document(Box<DocumentResult>),
    DocumentText(Box<DocumentText>),
    DocumentVersions(Vec<VersionView>),
    Classify(Box<ClassifyReport>),
    Tree(Box<TreeView>),
    TreeEdited(TreeEdited),
    Helper(Box<HelperView>),
    Threads(Vec<ThreadView>),
    Messages(Vec<MessageView>),
    Spaces(Vec<String>),
    Why(Box<Why>),
    WhyNot(Box<WhyNot>),
    Receipts(Vec<ReceiptView>),
    Forget(Box<ForgetReport>),
    Operation(Vec<OperationView>),
    Export(ExportReport),
    Import(Box<ImportReport>),
    Restore(RestoreReport),
    Models(Box<ModelsReport>),
    TestModels(ModelsTest),
}
