//! Results for Python: the JSON of each field, so that Python parses only the fields that are read. The bulk of a recall, its
//! memories and the reasons, becomes JSON only on demand.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use recordar::call::Reply;
use recordar::recall::RecallResult;
use recordar::search::SearchReply;
use serde::Serialize;
use serde_json::value::RawValue;
use std::collections::BTreeMap;

pub(crate) enum Json {
    Fields(Fields),
    Whole(String),
}

#[derive(Default)]
pub(crate) struct Fields {
    /// As they are.
    texts: Vec<(String, String)>,
    /// As JSON.
    others: Vec<(String, String)>,
    put_off: Vec<(&'static str, Later)>,
}

/// A field that becomes JSON on demand.
#[pyclass(frozen, module = "recordar._native")]
pub(crate) struct Later(Box<dyn Fn() -> String + Send + Sync>);

#[pymethods]
impl Later {
    fn json(&self, py: Python<'_>) -> String {
        py.detach(|| (self.0)())
    }
}

fn later(value: impl Serialize + Send + Sync + 'static) -> Later {
    Later(Box::new(move || serde_json::to_string(&value).unwrap_or_default()))
}

impl Json {
    pub(crate) fn of(mut reply: Reply) -> Result<Self, serde_json::Error> {
        let mut put_off = Vec::new();
        if let Some(result) = reply.get_mut::<RecallResult>() {
            put_off.push(("memories", later(std::mem::take(&mut result.memories))));
            put_off.push(("candidates", later(std::mem::take(&mut result.candidates))));
            put_off.push(("trace", later(std::mem::take(&mut result.trace))));
        }
        if let Some(SearchReply::Items(result)) = reply.get_mut() {
            put_off.push(("trace", later(std::mem::take(&mut result.trace))));
        }
        Self::split(reply.to_json()?, put_off)
    }

    /// The parts of a reply that is JSON already.
    pub(crate) fn split(json: String, put_off: Vec<(&'static str, Later)>) -> Result<Self, serde_json::Error> {
        if !json.starts_with('{') {
            return Ok(Self::Whole(json));
        }
        let mut fields = Fields { put_off, ..Fields::default() };
        for (name, value) in serde_json::from_str::<BTreeMap<String, &RawValue>>(&json)? {
            if value.get().starts_with('"') {
                fields.texts.push((name, serde_json::from_str(value.get())?));
            } else {
                fields.others.push((name, value.get().to_owned()));
            }
        }
        Ok(Self::Fields(fields))
    }

    pub(crate) fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let Fields { texts, others, put_off } = match self {
            Self::Whole(json) => return Ok(json.into_pyobject(py)?.into_any()),
            Self::Fields(fields) => fields,
        };
        let (read, unread) = (PyDict::new(py), PyDict::new(py));
        texts.into_iter().try_for_each(|(name, text)| read.set_item(name, text))?;
        others.into_iter().try_for_each(|(name, json)| unread.set_item(name, json))?;
        put_off.into_iter().try_for_each(|(name, later)| unread.set_item(name, Bound::new(py, later)?))?;
        Ok((read, unread).into_pyobject(py)?.into_any())
    }
}
