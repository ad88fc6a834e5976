//! The native half of the Python package: it carries calls to the engine and results back, and decides nothing. What is Python's,
//! such as classes for results and exceptions, is written in Python.

mod engine;
mod gate;
mod json;

use pyo3::pymodule;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::engine::{Cancel, Engine};
    #[pymodule_export]
    use crate::json::Later;
    use pyo3::prelude::*;

    /// The arguments of a verb, as a JSON schema.
    #[pyfunction]
    fn schema(verb: &str) -> PyResult<String> {
        let verb = recordar::Verb::parse(verb);
        let verb = verb.map_err(|error| pyo3::exceptions::PyValueError::new_err(error.to_string()))?;
        Ok(serde_json::Value::Object(verb.schema()).to_string())
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
