//! The only values that pass between our code and a database.

use crate::error::Error;
use recordar_domain::{Digest, Timestamp};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Value {
    Null,
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl Value {
    /// The approximate size of the value on the wire.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Null | Self::Int(_) => 8,
            Self::Text(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
        }
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<Digest> for Value {
    fn from(value: Digest) -> Self {
        Self::Bytes(value.0.to_vec())
    }
}

impl From<Timestamp> for Value {
    fn from(value: Timestamp) -> Self {
        Self::Int(value.as_micros())
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// One row of a result. Columns are in the order of the SELECT; a value of an unexpected kind means a corrupt row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Row(pub(crate) Vec<Value>);

impl Row {
    pub(crate) fn int(&self, column: usize) -> Result<i64, Error> {
        self.optional_int(column)?.ok_or_else(|| unexpected(column, "a number"))
    }

    pub(crate) fn optional_int(&self, column: usize) -> Result<Option<i64>, Error> {
        match &self.0[column] {
            Value::Null => Ok(None),
            Value::Int(value) => Ok(Some(*value)),
            _ => Err(unexpected(column, "a number")),
        }
    }

    pub(crate) fn text(&self, column: usize) -> Result<String, Error> {
        self.optional_text(column)?.ok_or_else(|| unexpected(column, "text"))
    }

    pub(crate) fn optional_text(&self, column: usize) -> Result<Option<String>, Error> {
        match &self.0[column] {
            Value::Null => Ok(None),
            Value::Text(value) => Ok(Some(value.clone())),
            _ => Err(unexpected(column, "text")),
        }
    }

    pub(crate) fn time(&self, column: usize) -> Result<Timestamp, Error> {
        self.int(column).map(Timestamp::from_micros)
    }

    pub(crate) fn digest(&self, column: usize) -> Result<Digest, Error> {
        self.optional_digest(column)?.ok_or_else(|| unexpected(column, "a sha256 value"))
    }

    pub(crate) fn optional_digest(&self, column: usize) -> Result<Option<Digest>, Error> {
        match &self.0[column] {
            Value::Null => Ok(None),
            Value::Bytes(bytes) => {
                let bytes = bytes.as_slice().try_into().map_err(|_| unexpected(column, "a sha256 value"))?;
                Ok(Some(Digest(bytes)))
            }
            _ => Err(unexpected(column, "a sha256 value")),
        }
    }
}

fn unexpected(column: usize, expected: &str) -> Error {
    Error::Corrupt { what: format!("a row does not have {expected} in column {column}") }
}
