//! Looking up an operation by its id: whether it was done, its result, or its error.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_domain::{OperationId, SpaceName, Timestamp};
use recordar_store::OperationRow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The record of an operation id: one entry, or one for each part, such as the files of a folder.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct OperationView {
    pub operation: String,
    pub kind: String,
    pub state: String,
    pub revision: Option<i64>,
    pub recorded_at: Timestamp,
    pub result: Option<serde_json::Value>,
    pub error: Option<String>,
}

impl Recordar {
    pub fn operation(&self, space: &SpaceName, id: &OperationId) -> Result<Vec<OperationView>, Error> {
        self.showing(|memory| {
            let parts = memory.store.read(|reading| match reading.space(space)? {
                Some(space) => reading.operation_parts(space.id, id),
                None => Ok(Vec::new()),
            })?;
            if parts.is_empty() {
                return Err(recordar_store::Error::absent(format!("operation {id} in space {space}")).into());
            }
            Ok(parts.into_iter().map(view).collect())
        })
    }
}

fn view(row: OperationRow) -> OperationView {
    OperationView {
        operation: row.id,
        kind: row.kind,
        state: row.state.name().to_owned(),
        revision: row.revision,
        recorded_at: row.recorded_at,
        result: row.result.and_then(|json| serde_json::from_str(&json).ok()),
        error: row.error,
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct OperationArguments {
    /// The operation's id.
    operation: String,
}

impl Verb for OperationArguments {
    const NAME: &'static str = "operation";
    const ABOUT: &'static str = "Show the status and result of an operation.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = Vec<OperationView>;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<Vec<OperationView>, Error> {
        memory.operation(call.space(), &OperationId::parse(&self.operation)?)
    }
}
