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

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
