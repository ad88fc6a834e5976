//! Looking up an operation by its id: whether it was done, with what result, or how it failed.

use crate::{Error, Recordar};
use recordar_domain::{OperationId, SpaceName, Timestamp};
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize)]
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
    pub fn operation(&self, space: &SpaceName, id: &OperationId) -> Result<OperationView, Error> {
        let row = self.store.read(|reading| {
            let found = reading.space(space)?.map(|space| reading.operation(space.id, id)).transpose()?.flatten();
            found.ok_or_else(|| recordar_store::Error::NotFound {
                what: format!("operation {id}"),
                space: space.to_string(),
            })
        })?;
        Ok(OperationView {
            operation: row.id,
            kind: row.kind,
            state: row.state.name().to_owned(),
            revision: row.revision,
            recorded_at: row.recorded_at,
            result: row.result.and_then(|json| serde_json::from_str(&json).ok()),
            error: row.error,
        })
    }
}
