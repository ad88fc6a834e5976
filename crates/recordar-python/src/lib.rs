//! The native half of the Python package: it passes calls to the engine and results back, and decides nothing. Classes for
//! results and exceptions are written in Python.

mod embedder;
mod engine;
mod gate;
mod json;

use pyo3::pymodule;

#[pymodule]
mod _native {
    use crate::engine::raise;
    #[pymodule_export]
    use crate::engine::{Cancel, Engine};
    use crate::json::Json;
    #[pymodule_export]
    use crate::json::Later;
    use pyo3::exceptions::PyValueError;
    use pyo3::prelude::*;
    use recordar::document::{FileType, SelectFiles};
    use recordar::{Config, Error, Recordar};
    use std::path::{Path, PathBuf};

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

    /// The reply of a server, as `Engine.call` returns one.
    #[pyfunction]
    fn split_json(py: Python<'_>, json: String) -> PyResult<Bound<'_, PyAny>> {
        let json = Json::split(json, Vec::new()).map_err(|error| PyValueError::new_err(error.to_string()))?;
        json.into_python(py)
    }

    /// The files that an ingestion of these paths would read: absolute, and without links.
    #[pyfunction]
    fn selected_files(
        py: Python<'_>,
        paths: Vec<PathBuf>,
        file_type: Option<&str>,
        include: Vec<String>,
        exclude: Vec<String>,
    ) -> PyResult<Vec<PathBuf>> {
        let select = || -> Result<Vec<PathBuf>, Error> {
            let file_type = file_type.map(FileType::parse).transpose()?;
            // Only an open memory looks for files. This one is empty.
            let config = Config::from_toml("[database]\nurl = \"sqlite::memory:\"", Path::new("."))?;
            let memory = Recordar::open_existing(config, recordar::system_clock())?;
            Ok(memory.watched(&paths, &SelectFiles { file_type, include, exclude })?.files)
        };
        py.detach(select).map_err(|error| raise(py, &error))
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
