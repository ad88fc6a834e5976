//! The native half of the Python package: it passes calls to the engine and results back, and decides nothing. Classes for
//! results and exceptions are written in Python.

mod embedder;
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

    /// The table of verbs: for each its name, what it does, its effect, its reach, whether it is long, and the JSON schemas of its
    /// arguments and of its reply.
    #[pyfunction]
    fn verbs() -> String {
        let entries = recordar::verb::VERBS.iter().map(|verb| {
            serde_json::json!({
                "name": verb.name,
                "about": verb.about,
                "effect": verb.effect.name(),
                "reach": verb.reach.name(),
                "is_long": verb.is_long,
                "arguments": *verb.schema(),
                "reply": verb.reply_schema(),
            })
        });
        serde_json::Value::from_iter(entries).to_string()
    }

    /// The names of the verbs that change stored data.
    #[pyfunction]
    fn writing() -> Vec<&'static str> {
        let writes = |verb: &&recordar::call::VerbEntry| verb.effect != recordar::call::Effect::Reads;
        recordar::verb::VERBS.iter().filter(writes).map(|verb| verb.name).collect()
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
