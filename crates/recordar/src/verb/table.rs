//! The table: every verb, once, in the order that lists and help show them.

use crate::call::VerbEntry;
use recordar_core::error::Error;
use recordar_domain::Invalid;

/// The arguments of every verb by name, for typed calls.
pub mod verbs {
    pub use crate::verb::ask::AskArguments as Ask;
    pub use crate::verb::classify::ClassifyArguments as Classify;
    pub use crate::verb::compose::ComposeArguments as Compose;
    pub use crate::verb::compose_diff::ComposeDiffArguments as ComposeDiff;
    pub use crate::verb::confirm_fact::ConfirmFactArguments as ConfirmFact;
    pub use crate::verb::contextual_helper::HelperArguments as Helper;
    pub use crate::verb::documents::{
        DocumentDiffArguments as DocumentDiff, DocumentTextArguments as DocumentText,
        DocumentVersionsArguments as DocumentVersions, DocumentsArguments as Documents,
    };
    pub use crate::verb::edit_document::{
        MoveDocumentArguments as MoveDocument, SetDocumentArguments as SetDocument,
        TagDocumentArguments as TagDocument, UntagDocumentArguments as UntagDocument,
    };
    pub use crate::verb::edit_tree::{
        DeepenTreeArguments as DeepenTree, MergeCategoriesArguments as MergeCategories,
        MoveCategoryArguments as MoveCategory, RenameCategoryArguments as RenameCategory,
    };
    pub use crate::verb::entail::EntailArguments as Entail;
    pub use crate::verb::expiry::{
        ExpireArguments as Expire, ExpiriesArguments as Expiries, SetExpiryArguments as SetExpiry,
    };
    pub use crate::verb::facts::{
        CorrectFactArguments as CorrectFact, ExtractFactsArguments as ExtractFacts,
        FactHistoryArguments as FactHistory, FactsArguments as Facts, RestoreFactArguments as RestoreFact,
        RetireFactArguments as RetireFact,
    };
    pub use crate::verb::find_document::DocumentArguments as Document;
    pub use crate::verb::forget::ForgetArguments as Forget;
    pub use crate::verb::import::ImportArguments as Import;
    pub use crate::verb::important::ImportantArguments as Important;
    pub use crate::verb::ingest::{IngestArguments as Ingest, IngestTextArguments as IngestText};
    pub use crate::verb::items::{ItemArguments as Item, ItemsArguments as Items};
    pub use crate::verb::keys::{KeysArguments as Keys, MakeKeyArguments as MakeKey, RevokeKeyArguments as RevokeKey};
    pub use crate::verb::metrics::MetricsArguments as Metrics;
    pub use crate::verb::model_folders::{
        AddModelArguments as AddModel, CheckModelsArguments as CheckModels, RemoveModelArguments as RemoveModel,
    };
    pub use crate::verb::models::{ModelsArguments as Models, TestModelsArguments as TestModels};
    pub use crate::verb::operation::OperationArguments as Operation;
    pub use crate::verb::query::QueryArguments as Query;
    pub use crate::verb::recall::RecallArguments as Recall;
    pub use crate::verb::receipts::{ReceiptsArguments as Receipts, WhyArguments as Why};
    pub use crate::verb::records::{
        BucketsArguments as Buckets, DeleteRecordsArguments as DeleteRecords, PutRecordsArguments as PutRecords,
        RecordsArguments as Records,
    };
    pub use crate::verb::reembed::ReembedArguments as Reembed;
    pub use crate::verb::remember::RememberArguments as Remember;
    pub use crate::verb::search::SearchArguments as Search;
    pub use crate::verb::spaces::SpacesArguments as Spaces;
    pub use crate::verb::standing_texts::{
        SetStandingTextArguments as SetStandingText, StandingTextArguments as StandingText,
        StandingTextDiffArguments as StandingTextDiff, StandingTextHistoryArguments as StandingTextHistory,
    };
    pub use crate::verb::summaries::{SummariesArguments as Summaries, SummariseThreadsArguments as SummariseThreads};
    pub use crate::verb::threads::{MessagesArguments as Messages, ThreadsArguments as Threads};
    pub use crate::verb::transfer::{
        BackupArguments as Backup, ExportArguments as Export, RestoreArguments as Restore,
    };
    pub use crate::verb::tree::TreeArguments as Tree;
    pub use crate::verb::update::{HistoryArguments as History, UpdateArguments as Update};
    pub use crate::verb::vocabulary::{
        ApproveTermArguments as ApproveTerm, ImportVocabularyArguments as ImportVocabulary,
        RejectTermArguments as RejectTerm, SuggestionsArguments as Suggestions, UndoApprovalArguments as UndoApproval,
        VocabularyArguments as Vocabulary, VocabularyHistoryArguments as VocabularyHistory,
    };
    pub use crate::verb::why_not::WhyNotArguments as WhyNot;
    pub use crate::verb::work::{
        CancelJobsArguments as CancelJobs, EnrichArguments as Enrich, QueueArguments as Queue,
        RetryJobsArguments as RetryJobs, WorkArguments as Work,
    };
}

/// All verbs. One that is not listed here is in no face.
pub static VERBS: [VerbEntry; 85] = [
    VerbEntry::of::<verbs::Recall>(),
    VerbEntry::of::<verbs::Ask>(),
    VerbEntry::of::<verbs::Compose>(),
    VerbEntry::of::<verbs::ComposeDiff>(),
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
    VerbEntry::of::<verbs::TagDocument>(),
    VerbEntry::of::<verbs::UntagDocument>(),
    VerbEntry::of::<verbs::SetDocument>(),
    VerbEntry::of::<verbs::MoveDocument>(),
    VerbEntry::of::<verbs::Classify>(),
    VerbEntry::of::<verbs::RenameCategory>(),
    VerbEntry::of::<verbs::MergeCategories>(),
    VerbEntry::of::<verbs::MoveCategory>(),
    VerbEntry::of::<verbs::DeepenTree>(),
    VerbEntry::of::<verbs::Helper>(),
    VerbEntry::of::<verbs::Threads>(),
    VerbEntry::of::<verbs::Messages>(),
    VerbEntry::of::<verbs::Item>(),
    VerbEntry::of::<verbs::Items>(),
    VerbEntry::of::<verbs::Update>(),
    VerbEntry::of::<verbs::History>(),
    VerbEntry::of::<verbs::Facts>(),
    VerbEntry::of::<verbs::FactHistory>(),
    VerbEntry::of::<verbs::RetireFact>(),
    VerbEntry::of::<verbs::RestoreFact>(),
    VerbEntry::of::<verbs::CorrectFact>(),
    VerbEntry::of::<verbs::ConfirmFact>(),
    VerbEntry::of::<verbs::ExtractFacts>(),
    VerbEntry::of::<verbs::Summaries>(),
    VerbEntry::of::<verbs::SummariseThreads>(),
    VerbEntry::of::<verbs::StandingText>(),
    VerbEntry::of::<verbs::SetStandingText>(),
    VerbEntry::of::<verbs::StandingTextHistory>(),
    VerbEntry::of::<verbs::StandingTextDiff>(),
    VerbEntry::of::<verbs::Important>(),
    VerbEntry::of::<verbs::Spaces>(),
    VerbEntry::of::<verbs::Vocabulary>(),
    VerbEntry::of::<verbs::VocabularyHistory>(),
    VerbEntry::of::<verbs::ImportVocabulary>(),
    VerbEntry::of::<verbs::Suggestions>(),
    VerbEntry::of::<verbs::ApproveTerm>(),
    VerbEntry::of::<verbs::RejectTerm>(),
    VerbEntry::of::<verbs::UndoApproval>(),
    VerbEntry::of::<verbs::Enrich>(),
    VerbEntry::of::<verbs::Work>(),
    VerbEntry::of::<verbs::Queue>(),
    VerbEntry::of::<verbs::RetryJobs>(),
    VerbEntry::of::<verbs::CancelJobs>(),
    VerbEntry::of::<verbs::Entail>(),
    VerbEntry::of::<verbs::Why>(),
    VerbEntry::of::<verbs::WhyNot>(),
    VerbEntry::of::<verbs::Receipts>(),
    VerbEntry::of::<verbs::Forget>(),
    VerbEntry::of::<verbs::SetExpiry>(),
    VerbEntry::of::<verbs::Expiries>(),
    VerbEntry::of::<verbs::Expire>(),
    VerbEntry::of::<verbs::PutRecords>(),
    VerbEntry::of::<verbs::Records>(),
    VerbEntry::of::<verbs::Buckets>(),
    VerbEntry::of::<verbs::DeleteRecords>(),
    VerbEntry::of::<verbs::Operation>(),
    VerbEntry::of::<verbs::Export>(),
    VerbEntry::of::<verbs::Import>(),
    VerbEntry::of::<verbs::Backup>(),
    VerbEntry::of::<verbs::Restore>(),
    VerbEntry::of::<verbs::Models>(),
    VerbEntry::of::<verbs::TestModels>(),
    VerbEntry::of::<verbs::AddModel>(),
    VerbEntry::of::<verbs::CheckModels>(),
    VerbEntry::of::<verbs::RemoveModel>(),
    VerbEntry::of::<verbs::Reembed>(),
    VerbEntry::of::<verbs::Metrics>(),
    VerbEntry::of::<verbs::MakeKey>(),
    VerbEntry::of::<verbs::Keys>(),
    VerbEntry::of::<verbs::RevokeKey>(),
];

/// The verb of that name.
pub fn named(name: &str) -> Result<&'static VerbEntry, Error> {
    VERBS.iter().find(|verb| verb.name == name).ok_or_else(|| {
        let names: Vec<&str> = VERBS.iter().map(|verb| verb.name).collect();
        Invalid::new(format!("unrecognised verb {name:?}"), format!("use one of {}", names.join(", "))).into()
    })
}
