//! The result of a call: the same JSON in every language.

use serde::Serialize;
use serde_json::Value;
use std::any::Any;

/// The reply of some verb. Callers that know the verb can get it by its type.
pub struct Reply {
    value: Box<dyn Any + Send>,
    json: fn(&dyn Any) -> serde_json::Result<String>,
    to_value: fn(&dyn Any) -> serde_json::Result<Value>,
}

impl Reply {
    pub fn of<T: Serialize + Any + Send>(value: T) -> Self {
        Self {
            value: Box::new(value),
            json: |value| serde_json::to_string(&value.downcast_ref::<T>()),
            to_value: |value| serde_json::to_value(value.downcast_ref::<T>()),
        }
    }

    pub fn get<T: Any>(&self) -> Option<&T> {
        self.value.downcast_ref()
    }

    pub fn get_mut<T: Any>(&mut self) -> Option<&mut T> {
        self.value.downcast_mut()
    }

    pub fn to_json(&self) -> serde_json::Result<String> {
        (self.json)(self.value.as_ref())
    }

    pub fn to_value(&self) -> serde_json::Result<Value> {
        (self.to_value)(self.value.as_ref())
    }
}
