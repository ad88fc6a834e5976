//! An embedder written in Python. Python's half has checked and wrapped it: `recordar._embedder`.

use pyo3::prelude::*;
use recordar::model::{Embed, EmbedFailure, TextKind};
use std::time::Duration;

pub(crate) struct PythonEmbedder {
    name: String,
    dimension: usize,
    patience: Duration,
    embed: Py<PyAny>,
}

impl PythonEmbedder {
    /// From an object with `name`, `dimension`, `timeout` and `embed`.
    pub(crate) fn new(py: Python<'_>, given: &Py<PyAny>) -> PyResult<Self> {
        let given = given.bind(py);
        let seconds: f64 = given.getattr("timeout")?.extract()?;
        Ok(Self {
            name: given.getattr("name")?.extract()?,
            dimension: given.getattr("dimension")?.extract()?,
            patience: Duration::try_from_secs_f64(seconds).unwrap_or_default(),
            embed: given.getattr("embed")?.unbind(),
        })
    }
}

impl Embed for PythonEmbedder {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn embed(&self, texts: &[&str], kind: TextKind) -> Result<Vec<Vec<f32>>, EmbedFailure> {
        Python::attach(|py| {
            let made = self.embed.call1(py, (texts.to_vec(), kind.name()))?;
            made.extract(py)
        })
        .map_err(|error: PyErr| EmbedFailure(error.to_string()))
    }

    fn patience(&self) -> Duration {
        self.patience
    }
}
