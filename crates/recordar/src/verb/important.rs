//! Marking items as important, by hand (CH-05).

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::verb::items::{ItemName, called, named};
use recordar_core::error::Error;
use recordar_domain::{Hasher, Invalid, OperationId, SpaceName};
use recordar_store::{Error as StoreError, Operation, Settled};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImportantMarked {
    pub space: String,
    pub operation: String,
    pub revision: i64,
    /// The number of the item.
    pub item: i64,
    /// Whether it is important now.
    pub important: bool,
    /// False if it was already so.
    pub changed: bool,
    pub repeated: bool,
}

/// The result of the operation.
#[derive(Serialize, Deserialize)]
struct Marked {
    item: i64,
    is_changed: bool,
}

impl Recordar {
    /// Marks a live item as important, or takes the mark away.
    pub fn mark_important(
        &self,
        space: &SpaceName,
        name: &ItemName,
        is_important: bool,
        operation: &OperationId,
    ) -> Result<ImportantMarked, Error> {
        let request = Hasher::default().field(called(name)).field([u8::from(is_important)]).finish();
        let operation = Operation { id: operation, kind: "important", request };
        let mut before = 0;
        let written = self.store.write(space, &operation, (self.clock)(), |writing| {
            before = writing.revision() - 1;
            let (id, revision) = (writing.space_id(), writing.revision());
            let found = named(writing, id, std::slice::from_ref(name))?.pop().flatten();
            let row = found.ok_or_else(|| StoreError::absent(format!("{} in space {space}", called(name))))?;
            if row.retired.is_some() {
                let what = format!("{} is retired: another item has taken its place", called(name));
                return Err(Invalid::new(what, "see which with `recordar item history`, and mark that one").into());
            }
            if writing.important_items(id, &[row.id], revision)?.contains(&row.id) == is_important {
                return Ok(Settled::Abandon(Marked { item: row.id, is_changed: false }));
            }
            writing.mark_important(row.id, is_important)?;
            if row.own_id.is_some() {
                // A digest of an own id would outlive the item.
                writing.drop_request();
            }
            Ok(Settled::Commit(Marked { item: row.id, is_changed: true }))
        })?;
        let Marked { item, is_changed } = written.value;
        Ok(ImportantMarked {
            space: space.to_string(),
            operation: operation.id.to_string(),
            revision: written.revision.unwrap_or(before),
            item,
            important: is_important,
            changed: is_changed,
            repeated: written.is_repeated,
        })
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ImportantArguments {
    /// Its number, as search results show it.
    item: Option<i64>,
    /// Your own id for it, instead of its number.
    id: Option<String>,
    /// Take the mark away.
    #[serde(default)]
    off: bool,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for ImportantArguments {
    const NAME: &'static str = "important";
    const ABOUT: &'static str =
        "Mark an item as important, or no longer. Composing prefers important items, however old they are.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = ImportantMarked;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<ImportantMarked, Error> {
        let name = ItemName::one(self.item, self.id)?;
        memory.mark_important(call.space(), &name, !self.off, &call.operation(self.operation)?)
    }
}
