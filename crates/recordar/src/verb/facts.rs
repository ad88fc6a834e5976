//! Facts: listing what holds, the history of a fact, and what people may do about it.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::enrich::ensure_working;
use crate::fact::{Person, extract_again};
use recordar_core::error::Error;
use recordar_core::fact::{FactsAt, changed_words, living, view_facts, view_some_facts};
use recordar_core::noun::fact::{FactView, StoredFact};
use recordar_domain::{Hasher, Importance, Invalid, OperationId, SpaceName, Statement, Timestamp};
use recordar_store::{Error as StoreError, FactRow, FactWords, FactsOf, ItemRow, Operation, Reading, Settled, Writing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most facts that are listed.
const MAX_LISTED: usize = 10_000;

/// Which facts to list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FactsRequest {
    pub subject: Option<String>,
    pub attribute: Option<String>,
    /// What was known and held then.
    pub as_of: Option<Timestamp>,
    /// What held then, as far as is known.
    pub at: Option<Timestamp>,
    /// Also what does not hold.
    pub all: bool,
    /// Only what is to be looked at again.
    pub unverified: bool,
    pub limit: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FactList {
    pub space: String,
    /// By subject and attribute; the newest of each first.
    pub facts: Vec<FactView>,
    /// With `unverified`, facts and summaries that were stored as they are, by number; they come after the others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stored: Vec<StoredFact>,
    /// How many more there are.
    pub more: usize,
}

/// All statements about the subject and attribute of a fact.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FactHistory {
    pub space: String,
    pub subject: String,
    pub attribute: String,
    /// The newest first.
    pub facts: Vec<FactView>,
    /// What people did about them, the newest first.
    pub steps: Vec<FactStep>,
}

/// A fact that a person retired, restored or confirmed.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FactStep {
    pub fact: i64,
    /// `retired`, `restored` or `confirmed`.
    pub step: &'static str,
    #[schemars(with = "String")]
    pub at: Timestamp,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FactChanged {
    pub space: String,
    pub operation: String,
    pub revision: i64,
    /// The fact as it is now; of a correction, the new one.
    pub fact: FactView,
    /// Whether anything changed.
    pub changed: bool,
    /// Whether this operation was done before; then this is its original result.
    pub repeated: bool,
}

/// What reading stored messages again has found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExtractReport {
    pub space: String,
    pub operation: String,
    /// Messages that had no facts yet, or only built-in ones where a model is configured.
    pub messages: u64,
    /// Facts that are new.
    pub facts: u64,
    /// Messages that are queued for the model: `recordar work` reads them.
    pub queued: u64,
}

#[derive(Serialize, Deserialize)]
struct StoredChange {
    fact: i64,
    changed: bool,
}

impl Recordar {
    /// The facts of a space: those that hold, or all.
    pub fn facts(&self, space: &SpaceName, request: &FactsRequest) -> Result<FactList, Error> {
        if !(1..=MAX_LISTED).contains(&request.limit) {
            let what = format!("limit {} is out of range: 1 to {MAX_LISTED}", request.limit);
            return Err(Invalid::new(what, format!("use a number from 1 to {MAX_LISTED}")).into());
        }
        self.showing(|memory| {
            let now = (memory.clock)();
            let (facts, stored, more) = memory.store.read(|reading| {
                let known = moment(reading, space, request.as_of, now)?;
                let moment = FactsAt { at: request.at.unwrap_or(known.at), ..known };
                let which = request.subject.as_deref().map_or(FactsOf::All, FactsOf::Subject);
                let mut rows = reading.facts(moment.space, which, moment.revision)?;
                if let Some(attribute) = &request.attribute {
                    let wanted = recordar_domain::plain(attribute);
                    rows.retain(|row| recordar_domain::plain(&row.statement.attribute) == wanted);
                }
                let mut stored = Vec::new();
                if request.unverified {
                    rows = unverified_of(reading, moment, rows)?;
                    if request.subject.is_none() && request.attribute.is_none() {
                        stored = unverified_stored(reading, moment)?;
                    }
                }
                let mut more = 0;
                let facts = view_some_facts(reading, moment, rows, |facts| {
                    facts.retain(|fact| request.all || fact.state == "holds");
                    facts.sort_by(|one, other| {
                        let key = |fact: &FactView| (fact.subject.to_lowercase(), fact.attribute.to_lowercase());
                        key(one).cmp(&key(other)).then(other.since.cmp(&one.since)).then(other.fact.cmp(&one.fact))
                    });
                    more = facts.len().saturating_sub(request.limit);
                    facts.truncate(request.limit);
                })?;
                let listed = stored.len().min(request.limit - facts.len());
                more += stored.len() - listed;
                stored.truncate(listed);
                Ok((facts, stored, more))
            })?;
            Ok(FactList { space: space.to_string(), facts, stored, more })
        })
    }

    /// All that was stated about the subject and attribute of a fact.
    pub fn fact_history(&self, space: &SpaceName, fact: i64) -> Result<FactHistory, Error> {
        self.showing(|memory| {
            let now = (memory.clock)();
            Ok(memory.store.read(|reading| {
                let moment = moment(reading, space, None, now)?;
                let row = named(reading, moment, space, fact)?;
                let Statement { subject, attribute, .. } = row.statement.clone();
                let rows = reading.facts(moment.space, FactsOf::Keys(&[row.key]), moment.revision)?;
                let mut steps = Vec::new();
                for row in &rows {
                    for (revision, is_retired) in reading.fact_marks(moment.space, row.item_id)? {
                        let Some(operation) = reading.operation_at(moment.space, revision)? else { continue };
                        let step = if is_retired { "retired" } else { "restored" };
                        steps.push((revision, FactStep { fact: row.item_id, step, at: operation.recorded_at }));
                    }
                    for confirmed in reading.confirmations_of(moment.space, row.item_id)? {
                        let Some(operation) = reading.operation_at(moment.space, confirmed.born)? else { continue };
                        let step = FactStep { fact: row.item_id, step: "confirmed", at: operation.recorded_at };
                        steps.push((confirmed.born, step));
                    }
                }
                steps.sort_by_key(|(revision, _)| std::cmp::Reverse(*revision));
                let mut facts = view_facts(reading, moment, rows)?;
                facts.sort_by_key(|fact| std::cmp::Reverse((fact.since, fact.fact)));
                let steps = steps.into_iter().map(|(_, step)| step).collect();
                Ok(FactHistory { space: space.to_string(), subject, attribute, facts, steps })
            })?)
        })
    }

    /// Retires a fact: it no longer counts, and what it had ended holds again. Or restores it.
    pub fn mark_fact(
        &self,
        space: &SpaceName,
        fact: i64,
        is_retired: bool,
        operation: &OperationId,
    ) -> Result<FactChanged, Error> {
        let kind = if is_retired { "retire_fact" } else { "restore_fact" };
        self.change_fact(space, fact, (kind, ""), operation, |writing, row| {
            if row.is_retired == is_retired {
                return Ok(Settled::Abandon(StoredChange { fact, changed: false }));
            }
            writing.mark_fact(fact, is_retired)?;
            Ok(Settled::Commit(StoredChange { fact, changed: true }))
        })
    }

    /// States what is right in the place of a fact. A person's word beats extracted ones, and stays.
    pub fn correct_fact(
        &self,
        space: &SpaceName,
        fact: i64,
        value: &str,
        operation: &OperationId,
    ) -> Result<FactChanged, Error> {
        let value = value.trim();
        self.change_fact(space, fact, ("correct_fact", value), operation, |writing, row| {
            let statement = Statement { value: value.to_owned(), ..row.statement.clone() };
            statement.check()?;
            let person =
                Person { statement, since: row.since, corrects: row.item_id, confidence: Importance::new(1.0)? };
            let fact = writing.add_facts(&[person.fact(&self.counter)])?;
            stand_by_present_words(writing, row.item_id, fact)?;
            Ok(Settled::Commit(StoredChange { fact, changed: true }))
        })
    }

    fn change_fact(
        &self,
        space: &SpaceName,
        fact: i64,
        (kind, value): (&'static str, &str),
        operation: &OperationId,
        change: impl Fn(&mut Writing<'_>, &FactRow) -> Result<Settled<StoredChange>, StoreError>,
    ) -> Result<FactChanged, Error> {
        self.showing(|memory| {
            let now = (memory.clock)();
            let request = Hasher::default().field(kind).field(fact.to_le_bytes()).field(value).finish();
            let operation = Operation { id: operation, kind, request };
            let mut before = 0;
            let written = memory.store.write(space, &operation, now, |writing| {
                if writing.is_new_space() {
                    return Err(StoreError::absent(format!("space {space}")));
                }
                before = writing.revision() - 1;
                let moment = FactsAt { space: writing.space_id(), revision: before, at: now, now };
                let row = named(writing, moment, space, fact)?;
                change(writing, &row)
            })?;
            memory.grew(space, usize::from(written.value.changed && !written.is_repeated));
            let StoredChange { fact, changed } = written.value;
            let view = memory.store.read(|reading| {
                let moment = moment(reading, space, None, now)?;
                let row = named(reading, moment, space, fact)?;
                Ok(view_facts(reading, moment, vec![row])?.pop())
            })?;
            let view = view.ok_or_else(|| Error::from(StoreError::absent(format!("fact {fact} in space {space}"))))?;
            Ok(FactChanged {
                space: space.to_string(),
                operation: operation.id.to_string(),
                revision: written.revision.unwrap_or(before),
                fact: view,
                changed,
                repeated: written.is_repeated,
            })
        })
    }
}

fn moment(
    reading: &mut Reading<'_>,
    space: &SpaceName,
    as_of: Option<Timestamp>,
    now: Timestamp,
) -> Result<FactsAt, StoreError> {
    let row = reading.space(space)?.ok_or_else(|| StoreError::absent(format!("space {space}")))?;
    let revision = match as_of {
        Some(time) => reading.revision_at(row.id, time)?,
        None => row.revision,
    };
    let now = as_of.unwrap_or(now);
    Ok(FactsAt { space: row.id, revision, at: now, now })
}

/// Those facts that are to be looked at again.
fn unverified_of(
    reading: &mut Reading<'_>,
    moment: FactsAt,
    mut rows: Vec<FactRow>,
) -> Result<Vec<FactRow>, StoreError> {
    let known = living(reading, moment, &rows.iter().map(|row| row.item_id).collect::<Vec<_>>())?;
    rows.retain(|row| known.get(&row.item_id).is_some_and(|living| living.unverified.is_some()));
    Ok(rows)
}

/// Facts and summaries without a statement that are to be looked at again, by number.
fn unverified_stored(reading: &mut Reading<'_>, moment: FactsAt) -> Result<Vec<StoredFact>, StoreError> {
    let ids = reading.items_with_words(moment.space, moment.revision)?;
    let mut stored = Vec::new();
    for (id, known) in living(reading, moment, &ids)? {
        let Some(unverified) = known.unverified else { continue };
        let is_live =
            |row: &ItemRow| row.born <= moment.revision && row.retired.is_none_or(|retired| retired > moment.revision);
        let Some(row) = reading.item(moment.space, id)?.filter(is_live) else { continue };
        stored.push(StoredFact {
            item: id,
            kind: row.kind,
            text: row.text,
            sources: reading.sources_of_item(moment.space, id)?,
            unverified,
            review_by: known.review_by,
            recorded_at: row.recorded_at,
        });
    }
    Ok(stored)
}

/// A person's correction comes from what the message of the corrected fact says now.
fn stand_by_present_words(writing: &mut Writing<'_>, corrected: i64, fact: i64) -> Result<(), StoreError> {
    let (space, revision) = (writing.space_id(), writing.revision());
    let sources = writing.fact_words(space, &[corrected], revision)?;
    let unknown: Vec<FactWords> =
        sources.into_iter().map(|of| FactWords { item_id: fact, words: None, ..of }).collect();
    let mut words = changed_words(writing, (space, revision), &unknown)?;
    // Nothing may stand in the place of a source now: that is known as well, so that an import does not take the source's own words.
    let gone: Vec<FactWords> =
        unknown.into_iter().filter(|of| !words.iter().any(|known| known.source_id == of.source_id)).collect();
    words.extend(gone);
    writing.keep_words(&words)
}

fn named(reading: &mut Reading<'_>, moment: FactsAt, space: &SpaceName, fact: i64) -> Result<FactRow, StoreError> {
    let found = reading.facts(moment.space, FactsOf::Items(&[fact]), moment.revision)?.pop();
    found.ok_or_else(|| StoreError::absent(format!("fact {fact} in space {space}")))
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct FactsArguments {
    /// Only facts about this subject, such as a person's name.
    subject: Option<String>,
    /// Only this attribute, such as "lives in".
    attribute: Option<String>,
    /// What was known at this time, and held.
    #[schemars(with = "Option<String>")]
    as_of: Option<Timestamp>,
    /// What held at this time, as far as is known.
    #[schemars(with = "Option<String>")]
    at: Option<Timestamp>,
    /// Also facts that have ended, that a person retired or overruled, or that begin later.
    #[serde(default)]
    all: bool,
    /// Only facts that are to be looked at again: something that they come from was changed or retired, or their date has come. Also stored facts and
    /// summaries.
    #[serde(default)]
    unverified: bool,
    /// The most facts to list.
    #[serde(default = "most_listed")]
    #[schemars(range(min = 1, max = 10_000))]
    limit: usize,
}

fn most_listed() -> usize {
    1000
}

impl Verb for FactsArguments {
    const NAME: &'static str = "facts";
    const ABOUT: &'static str = "List facts: what holds, since when, and who said so.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = FactList;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<FactList, Error> {
        let Self { subject, attribute, as_of, at, all, unverified, limit } = self;
        memory.facts(call.space(), &FactsRequest { subject, attribute, as_of, at, all, unverified, limit })
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct FactHistoryArguments {
    /// The number of a fact.
    fact: i64,
}

impl Verb for FactHistoryArguments {
    const NAME: &'static str = "fact_history";
    const ABOUT: &'static str =
        "Show all that was stated about the same subject and attribute as a fact, and what people did about it.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = FactHistory;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<FactHistory, Error> {
        memory.fact_history(call.space(), self.fact)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RetireFactArguments {
    /// The number of a fact.
    fact: i64,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for RetireFactArguments {
    const NAME: &'static str = "retire_fact";
    const ABOUT: &'static str =
        "Retire a fact: it no longer counts, and what it had ended holds again. It stays in the history.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = FactChanged;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<FactChanged, Error> {
        memory.mark_fact(call.space(), self.fact, true, &call.operation(self.operation)?)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RestoreFactArguments {
    /// The number of a fact.
    fact: i64,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for RestoreFactArguments {
    const NAME: &'static str = "restore_fact";
    const ABOUT: &'static str = "Restore a fact that was retired.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = FactChanged;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<FactChanged, Error> {
        memory.mark_fact(call.space(), self.fact, false, &call.operation(self.operation)?)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct CorrectFactArguments {
    /// The number of a fact.
    fact: i64,
    /// The right value.
    value: String,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for CorrectFactArguments {
    const NAME: &'static str = "correct_fact";
    const ABOUT: &'static str = "Correct a fact. A person's word beats extracted ones, and stays.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = FactChanged;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<FactChanged, Error> {
        memory.correct_fact(call.space(), self.fact, &self.value, &call.operation(self.operation)?)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ExtractFactsArguments {
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for ExtractFactsArguments {
    const NAME: &'static str = "extract_facts";
    const ABOUT: &'static str = "Extract facts from messages that are already stored: at once, and by the language model, if there is one, from the queue.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = true;
    type Reply = ExtractReport;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<ExtractReport, Error> {
        let space = call.space().clone();
        let operation = call.operation(self.operation)?;
        let report = extract_again(memory, &space, &operation)?;
        ensure_working(memory);
        let [messages, facts, queued] = report;
        Ok(ExtractReport { space: space.to_string(), operation: operation.to_string(), messages, facts, queued })
    }
}
