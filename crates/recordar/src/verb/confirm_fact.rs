//! Confirming a fact or a summary: it stands by what its sources say now.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::fact::changed_words;
use recordar_domain::{Hasher, Invalid, ItemKind, OperationId, SpaceName, Timestamp};
use recordar_store::{Error as StoreError, ItemRow, Operation, Reading, Settled, SpaceId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FactConfirmed {
    pub space: String,
    pub operation: String,
    pub revision: i64,
    /// The number of the fact or summary, and what it says.
    pub fact: i64,
    pub text: String,
    /// When to look at it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub review_by: Option<Timestamp>,
    /// False if nothing changed: it was confirmed already, with this date.
    pub changed: bool,
    /// Whether this operation was done before; then this is its original result.
    pub repeated: bool,
}

/// The result of the operation.
#[derive(Serialize, Deserialize)]
struct Confirmed {
    fact: i64,
    review_by: Option<Timestamp>,
    is_changed: bool,
}

impl Recordar {
    /// Confirms a live fact or summary: it is verified until one of its sources changes again, or the date comes.
    pub fn confirm_fact(
        &self,
        space: &SpaceName,
        fact: i64,
        review_by: Option<Timestamp>,
        operation: &OperationId,
    ) -> Result<FactConfirmed, Error> {
        self.showing(|memory| {
            let now = (memory.clock)();
            let date = review_by.map(|date| date.to_string()).unwrap_or_default();
            let request = Hasher::default().field("confirm_fact").field(fact.to_le_bytes()).field(date).finish();
            let operation = Operation { id: operation, kind: "confirm_fact", request };
            let mut before = 0;
            let written = memory.store.write(space, &operation, now, |writing| {
                if writing.is_new_space() {
                    return Err(StoreError::absent(format!("space {space}")));
                }
                before = writing.revision() - 1;
                let (id, revision) = (writing.space_id(), writing.revision());
                let row = confirmable(writing, (id, space), fact)?;
                if let Some(date) = review_by.filter(|date| *date <= now) {
                    let what = format!("review_by {date} has passed already");
                    return Err(Invalid::new(what, "give a date that is still to come").into());
                }
                let confirmed = writing.confirmations(id, &[row.id], revision)?.remove(&row.id);
                let confirmed_before = confirmed.is_some();
                let earlier = confirmed.and_then(|confirmed| confirmed.review_by);
                // One that is still to come stays.
                let review_by = review_by.or(earlier.filter(|date| *date > now));
                let kept = writing.fact_words(id, &[row.id], revision)?;
                let changed = changed_words(writing, (id, revision), &kept)?;
                let confirmed = |is_changed| Confirmed { fact, review_by, is_changed };
                if changed.is_empty() && review_by == earlier && confirmed_before {
                    return Ok(Settled::Abandon(confirmed(false)));
                }
                writing.keep_words(&changed)?;
                writing.confirm(row.id, review_by)?;
                Ok(Settled::Commit(confirmed(true)))
            })?;
            let Confirmed { fact, review_by, is_changed } = written.value;
            let absent = || StoreError::absent(format!("fact {fact} in space {space}"));
            let row = memory.store.read(|reading| {
                let id = reading.space(space)?.ok_or_else(absent)?.id;
                reading.item(id, fact)?.ok_or_else(absent)
            })?;
            Ok(FactConfirmed {
                space: space.to_string(),
                operation: operation.id.to_string(),
                revision: written.revision.unwrap_or(before),
                fact,
                text: row.text,
                review_by,
                changed: is_changed,
                repeated: written.is_repeated,
            })
        })
    }
}

/// A live fact or summary.
fn confirmable(
    reading: &mut Reading<'_>,
    (id, space): (SpaceId, &SpaceName),
    fact: i64,
) -> Result<ItemRow, StoreError> {
    let row = reading.item(id, fact)?;
    let row = row.ok_or_else(|| StoreError::absent(format!("fact {fact} in space {space}")))?;
    if !matches!(row.kind, ItemKind::Fact | ItemKind::Summary) {
        let what = format!("item {fact} is a {}; only facts and summaries are confirmed", row.kind.name());
        return Err(Invalid::new(what, "choose one that `recordar facts list --unverified` shows").into());
    }
    if row.retired.is_some() {
        let what = format!("item {fact} is retired: another item has taken its place, or its message was changed");
        return Err(Invalid::new(what, "choose one that `recordar facts list --unverified` shows").into());
    }
    Ok(row)
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ConfirmFactArguments {
    /// The number of a fact or a summary.
    fact: i64,
    /// When to look at it again. Without it, an earlier date that is still to come stays.
    #[schemars(with = "Option<String>")]
    review_by: Option<Timestamp>,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for ConfirmFactArguments {
    const NAME: &'static str = "confirm_fact";
    const ABOUT: &'static str = "Confirm a fact or a summary: it is verified until something that it comes from changes again, or the date comes.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = FactConfirmed;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<FactConfirmed, Error> {
        memory.confirm_fact(call.space(), self.fact, self.review_by, &call.operation(self.operation)?)
    }
}
