//! The controlled vocabulary: its terms, its history, and its evolution by suggestions (D1, D7).

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::enrich::backfill;
use recordar_core::current_vocabulary::{current, history};
use recordar_core::error::Error;
use recordar_core::noun::progress::Progress;
use recordar_domain::text::one_line;
use recordar_domain::{Invalid, Term, TermKind, Timestamp, Vocabulary, VocabularyFile, term_name};
use recordar_store::{VocabularyAction, VocabularyChange};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A version of the vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VocabularyView {
    pub version: String,
    /// Whether messages are labelled with it now.
    pub current: bool,
    /// The topic of messages that no other fits.
    pub catch_all: Option<String>,
    pub topics: Vec<Term>,
    pub categories: Vec<Term>,
    pub message_types: Vec<Term>,
    pub entity_types: Vec<Term>,
    /// The same as a file, in TOML.
    pub text: String,
}

/// A change of the vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VocabularyChangeView {
    /// The version that it made; a rejection makes none.
    pub version: String,
    /// import, approve, reject, undo, or foreign for versions that came with spaces of other databases.
    pub action: &'static str,
    pub kind: Option<TermKind>,
    pub term: Option<String>,
    /// Whether messages are still being relabelled because of it.
    pub pending: bool,
    pub made_at: Timestamp,
}

/// What an edit has done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct VocabularyEdited {
    pub version: String,
    pub kind: Option<TermKind>,
    pub term: Option<String>,
    /// Messages whose labels were changed.
    pub relabelled: u64,
}

/// A term that labellers missed, with the beginnings of some messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SuggestionView {
    pub term: String,
    pub kind: TermKind,
    pub frequency: i64,
    pub examples: Vec<String>,
}

/// Of each example.
const EXAMPLE_CHARS: usize = 100;
const MAX_EXAMPLES: usize = 5;
const MIN_FREQUENCY: i64 = 5;
const MAX_FREQUENCY: i64 = 1_000_000;
const MAX_LIMIT: usize = 1000;
const MAX_SUGGESTIONS: usize = 20;
const MAX_FILE_BYTES: usize = 1024 * 1024;

impl Recordar {
    /// The current version of the vocabulary, or another one of its history.
    pub fn vocabulary(&self, version: Option<&str>) -> Result<VocabularyView, Error> {
        let history = history(&self.store)?;
        let now = current(&history);
        let shown = match version.filter(|version| *version != now.version()) {
            None => now.clone(),
            Some(version) => {
                let first = std::iter::once(Vocabulary::first());
                let mut all = history.into_iter().map(|change| change.vocabulary).chain(first);
                all.find(|vocabulary| vocabulary.version() == version).ok_or_else(|| {
                    let what = format!("there is no vocabulary version {version:?}");
                    Invalid::new(what, "see `recordar vocab history`")
                })?
            }
        };
        let terms = |kind| shown.terms(kind).to_vec();
        let text = toml::to_string(&shown.to_file()).unwrap_or_default();
        Ok(VocabularyView {
            current: shown == now,
            catch_all: shown.catch_all().map(str::to_owned),
            topics: terms(TermKind::Topic),
            categories: terms(TermKind::Category),
            message_types: terms(TermKind::MessageType),
            entity_types: terms(TermKind::EntityType),
            version: shown.version().to_owned(),
            text,
        })
    }

    /// All changes of the vocabulary, oldest first; a store begins with the first version.
    pub fn vocabulary_history(&self) -> Result<Vec<VocabularyChangeView>, Error> {
        let view = |change: VocabularyChange| VocabularyChangeView {
            version: change.vocabulary.version().to_owned(),
            action: change.action.name(),
            kind: change.term.as_ref().map(|(kind, _)| *kind),
            term: change.term.map(|(_, term)| term),
            pending: change.is_pending,
            made_at: change.made_at,
        };
        Ok(history(&self.store)?.into_iter().map(view).collect())
    }

    /// Makes the terms of a file the current version. Messages keep the labels they have.
    pub fn import_vocabulary(&self, text: &str) -> Result<VocabularyEdited, Error> {
        if text.len() > MAX_FILE_BYTES {
            return Err(Invalid::new("the vocabulary has more than 1 MiB", "shorten it").into());
        }
        let file: VocabularyFile = toml::from_str(text).map_err(|error| {
            let what = format!("the vocabulary cannot be read: {}", one_line(error.message(), 300));
            Invalid::new(what, "see `recordar vocab export` for a complete file")
        })?;
        let vocabulary = Vocabulary::from_file(file)?;
        let made_at = (self.clock)();
        let history = history(&self.store)?;
        if current(&history) == vocabulary {
            return Ok(edited(&new_change(&vocabulary, VocabularyAction::Import, None, made_at), 0));
        }
        let change = self.store.change_vocabulary(|history| {
            let known = history.iter().map(|change| &change.vocabulary);
            let first = Vocabulary::first();
            let same_name = known.chain([&first]).find(|known| known.version() == vocabulary.version());
            if same_name.is_some_and(|known| *known != vocabulary) {
                let what = format!("version {:?} already exists with other terms", vocabulary.version());
                return Err(Invalid::new(what, "give the new terms another version"));
            }
            Ok(new_change(&vocabulary, VocabularyAction::Import, None, made_at))
        })?;
        Ok(edited(&change, 0))
    }

    /// Terms that labellers missed often, in all spaces, with examples: the words of others, so for administrators only.
    pub fn suggestions(&self, kind: TermKind, min_frequency: i64, limit: usize) -> Result<Vec<SuggestionView>, Error> {
        if !(1..=MAX_FREQUENCY).contains(&min_frequency) || !(1..=MAX_LIMIT).contains(&limit) {
            let remedy = format!("use a frequency from 1 to {MAX_FREQUENCY}, and a limit from 1 to {MAX_LIMIT}");
            return Err(Invalid::new("the frequency or the limit of suggestions is out of range", remedy).into());
        }
        self.showing(|memory| {
            Ok(memory.store.read(|reading| {
                let history = reading.vocabulary_history()?;
                let vocabulary = current(&history);
                let is_rejected = |term: &str| {
                    let of_term = |change: &&VocabularyChange| {
                        change.term.as_ref().is_some_and(|(of, name)| *of == kind && name == term)
                    };
                    history.iter().rev().find(of_term).is_some_and(|change| change.action == VocabularyAction::Reject)
                };
                let mut rows = reading.suggestions(kind, min_frequency)?;
                rows.retain(|row| !vocabulary.has(kind, &row.term) && !is_rejected(&row.term));
                rows.sort_by(|one, other| other.frequency.cmp(&one.frequency).then_with(|| one.term.cmp(&other.term)));
                rows.truncate(limit);
                let mut suggestions = Vec::with_capacity(rows.len());
                for row in rows {
                    let mut examples: Vec<String> = Vec::new();
                    for (space, item) in reading.suggesting(kind, row.hash, 4 * MAX_EXAMPLES)? {
                        let Some(item) = reading.item(space, item)? else { continue };
                        let example: String = item.text.chars().take(EXAMPLE_CHARS).collect();
                        if !examples.contains(&example) && examples.len() < MAX_EXAMPLES {
                            examples.push(example);
                        }
                    }
                    suggestions.push(SuggestionView { term: row.term, kind, frequency: row.frequency, examples });
                }
                Ok(suggestions)
            })?)
        })
    }

    /// Adds a term as a new version, and gives it to the messages that suggested it.
    pub fn approve_term(
        &self,
        kind: TermKind,
        term: &str,
        tell: impl FnMut(Progress),
    ) -> Result<VocabularyEdited, Error> {
        let (term, made_at) = (checked_term(kind, term)?, (self.clock)());
        let change = self.store.change_vocabulary(|history| {
            let next = current(history).with_term(kind, &term, &day(made_at))?;
            Ok(VocabularyChange {
                is_pending: true,
                ..new_change(&next, VocabularyAction::Approve, Some((kind, term.clone())), made_at)
            })
        })?;
        self.follow(&change, tell)
    }

    /// Sets a suggestion aside: it is suggested no more.
    pub fn reject_term(&self, kind: TermKind, term: &str) -> Result<VocabularyEdited, Error> {
        let (term, made_at) = (checked_term(kind, term)?, (self.clock)());
        let change = self.store.change_vocabulary(|history| {
            let vocabulary = current(history);
            if vocabulary.has(kind, &term) {
                let what = format!("{term} is already in {}", kind.list());
                return Err(Invalid::new(what, "undo its approval with `recordar vocab undo`"));
            }
            Ok(new_change(&vocabulary, VocabularyAction::Reject, Some((kind, term.clone())), made_at))
        })?;
        Ok(edited(&change, 0))
    }

    /// Takes an approved term back: a new version without it, and the labels of before.
    pub fn undo_approval(
        &self,
        kind: TermKind,
        term: &str,
        tell: impl FnMut(Progress),
    ) -> Result<VocabularyEdited, Error> {
        let (term, made_at) = (checked_term(kind, term)?, (self.clock)());
        let change = self.store.change_vocabulary(|history| {
            let is_approval = |change: &&VocabularyChange| {
                change.action == VocabularyAction::Approve && change.term == Some((kind, term.clone()))
            };
            let vocabulary = current(history);
            let approval = history.iter().rev().find(is_approval).filter(|_| vocabulary.has(kind, &term));
            let approval = approval.ok_or_else(|| {
                let what = format!("there is no approval of the {} {term} to undo", kind.name());
                Invalid::new(what, "see `recordar vocab history`")
            })?;
            let next = vocabulary.without_term(kind, &term, &day(made_at));
            Ok(VocabularyChange {
                undoes: Some(approval.number),
                is_pending: true,
                ..new_change(&next, VocabularyAction::Undo, Some((kind, term.clone())), made_at)
            })
        })?;
        self.follow(&change, tell)
    }

    /// Relabels the messages that a change concerns. If this is interrupted, `work` goes on with it.
    fn follow(&self, change: &VocabularyChange, mut tell: impl FnMut(Progress)) -> Result<VocabularyEdited, Error> {
        let done = backfill(self, |done| {
            tell(Progress { done: done.items, total: 0, message: "messages relabelled".to_owned() });
        })?;
        Ok(edited(change, done.items))
    }
}

fn checked_term(kind: TermKind, term: &str) -> Result<String, Invalid> {
    if !matches!(kind, TermKind::Topic | TermKind::Category) {
        let what = format!("a {} cannot be approved or rejected", kind.name());
        return Err(Invalid::new(what, "edit the file of `recordar vocab export` and import it"));
    }
    term_name(term)
}

fn day(time: Timestamp) -> String {
    time.to_string().chars().take(10).collect()
}

fn new_change(
    vocabulary: &Vocabulary,
    action: VocabularyAction,
    term: Option<(TermKind, String)>,
    made_at: Timestamp,
) -> VocabularyChange {
    VocabularyChange {
        number: 0,
        vocabulary: vocabulary.clone(),
        action,
        term,
        undoes: None,
        is_pending: false,
        made_at,
    }
}

fn edited(change: &VocabularyChange, relabelled: u64) -> VocabularyEdited {
    VocabularyEdited {
        version: change.vocabulary.version().to_owned(),
        kind: change.term.as_ref().map(|(kind, _)| *kind),
        term: change.term.as_ref().map(|(_, term)| term.clone()),
        relabelled,
    }
}

/// Topics and categories evolve by suggestions.
fn kind_of(name: Option<&str>) -> TermKind {
    if name == Some("category") { TermKind::Category } else { TermKind::Topic }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct VocabularyArguments {
    /// The version; by default, the current one.
    version: Option<String>,
}

impl Verb for VocabularyArguments {
    const NAME: &'static str = "vocabulary";
    const ABOUT: &'static str = "Show the vocabulary that messages are labelled with.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Store;
    const IS_LONG: bool = false;
    type Reply = VocabularyView;

    fn run(self, memory: &Recordar, _: &mut Call<'_>) -> Result<VocabularyView, Error> {
        memory.vocabulary(self.version.as_deref())
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct VocabularyHistoryArguments {}

impl Verb for VocabularyHistoryArguments {
    const NAME: &'static str = "vocabulary_history";
    const ABOUT: &'static str = "List all changes of the vocabulary.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Store;
    const IS_LONG: bool = false;
    type Reply = Vec<VocabularyChangeView>;

    fn run(self, memory: &Recordar, _: &mut Call<'_>) -> Result<Vec<VocabularyChangeView>, Error> {
        memory.vocabulary_history()
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ImportVocabularyArguments {
    /// The vocabulary as TOML, as the verb vocabulary returns it in text.
    text: String,
}

impl Verb for ImportVocabularyArguments {
    const NAME: &'static str = "import_vocabulary";
    const ABOUT: &'static str =
        "Replace the vocabulary with a new version. Existing labels stay; enrich with outdated relabels.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::Store;
    const IS_LONG: bool = false;
    type Reply = VocabularyEdited;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<VocabularyEdited, Error> {
        call.for_administrators()?;
        memory.import_vocabulary(&self.text)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct SuggestionsArguments {
    /// topic or category.
    #[schemars(extend("enum" = ["topic", "category"]))]
    kind: Option<String>,
    /// Show terms suggested at least this often.
    #[serde(default = "min_frequency")]
    #[schemars(range(min = 1, max = MAX_FREQUENCY))]
    min_frequency: i64,
    /// Maximum number of suggestions.
    #[serde(default = "max_suggestions")]
    #[schemars(range(min = 1, max = MAX_LIMIT))]
    limit: usize,
}

fn min_frequency() -> i64 {
    MIN_FREQUENCY
}

fn max_suggestions() -> usize {
    MAX_SUGGESTIONS
}

impl Verb for SuggestionsArguments {
    const NAME: &'static str = "suggestions";
    const ABOUT: &'static str = "List terms that the vocabulary lacks, with examples from all spaces.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Store;
    const IS_LONG: bool = false;
    type Reply = Vec<SuggestionView>;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<Vec<SuggestionView>, Error> {
        call.for_administrators()?;
        memory.suggestions(kind_of(self.kind.as_deref()), self.min_frequency, self.limit)
    }
}

/// A term to decide about.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ApproveTermArguments {
    /// The suggested term.
    term: String,
    /// topic or category.
    #[schemars(extend("enum" = ["topic", "category"]))]
    kind: Option<String>,
}

impl Verb for ApproveTermArguments {
    const NAME: &'static str = "approve_term";
    const ABOUT: &'static str = "Add a suggested term to the vocabulary, and to the messages that suggested it.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::Store;
    const IS_LONG: bool = true;
    type Reply = VocabularyEdited;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<VocabularyEdited, Error> {
        call.for_administrators()?;
        memory.approve_term(kind_of(self.kind.as_deref()), &self.term, |progress| call.tell(progress))
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RejectTermArguments {
    /// The suggested term.
    term: String,
    /// topic or category.
    #[schemars(extend("enum" = ["topic", "category"]))]
    kind: Option<String>,
}

impl Verb for RejectTermArguments {
    const NAME: &'static str = "reject_term";
    const ABOUT: &'static str = "Set a suggested term aside, so that it is suggested no more.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::Store;
    const IS_LONG: bool = false;
    type Reply = VocabularyEdited;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<VocabularyEdited, Error> {
        call.for_administrators()?;
        memory.reject_term(kind_of(self.kind.as_deref()), &self.term)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct UndoApprovalArguments {
    /// The approved term.
    term: String,
    /// topic or category.
    #[schemars(extend("enum" = ["topic", "category"]))]
    kind: Option<String>,
}

impl Verb for UndoApprovalArguments {
    const NAME: &'static str = "undo_approval";
    const ABOUT: &'static str = "Remove an approved term again, and restore the labels of before.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::Store;
    const IS_LONG: bool = true;
    type Reply = VocabularyEdited;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<VocabularyEdited, Error> {
        call.for_administrators()?;
        memory.undo_approval(kind_of(self.kind.as_deref()), &self.term, |progress| call.tell(progress))
    }
}
