//! Numbers in the replies of models.

use serde_json::Value;

/// A number as a schema takes it for whole: 1, and also 1.0.
pub(super) fn whole_number(value: &Value) -> Option<i64> {
    let whole = |number: f64| (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64);
    value.as_i64().or_else(|| whole(value.as_f64()?))
}
