//! An open memory, for Python. A call releases the interpreter while the engine works.

use crate::embedder::PythonEmbedder;
use crate::gate::Gate;
use crate::json::Json;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use recordar::call::{Call, Caller, VerbEntry};
use recordar::config::Overrides;
use recordar::recall::Authority;
use recordar::{Config, Error, OperationId, Recordar, SpaceName};
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Cancels a call from another thread.
#[pyclass(frozen, module = "recordar._native")]
#[derive(Default)]
pub(crate) struct Cancel {
    call: recordar::database::Cancel,
    /// Ends a call that runs elsewhere.
    hook: Mutex<Option<Py<PyAny>>>,
}

#[pymethods]
impl Cancel {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn cancel(&self, py: Python<'_>) -> PyResult<()> {
        self.call.cancel();
        let hook = self.hook.lock().unwrap_or_else(PoisonError::into_inner).take();
        hook.map_or(Ok(()), |hook| hook.call0(py).map(drop))
    }

    /// Calls a function when this is cancelled, or at once if it already is.
    fn when_cancelled(&self, py: Python<'_>, function: Py<PyAny>) -> PyResult<()> {
        *self.hook.lock().unwrap_or_else(PoisonError::into_inner) = Some(function);
        if self.call.is_cancelled() { self.cancel(py) } else { Ok(()) }
    }
}

#[pyclass(frozen, module = "recordar._native")]
pub(crate) struct Engine {
    /// Present until it is dropped. In a forked child it is never dropped: its connections and threads are the parent's.
    memory: Option<Recordar>,
    process: u32,
    gate: Gate,
    /// Given by the caller, to be given again after a fork.
    embedder: Option<Py<PyAny>>,
}

/// How often a long call checks for Ctrl-C.
const GLANCE: Duration = Duration::from_millis(100);

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (config=None, database=None, space=None, settings=None, embedder=None))]
    fn new(
        py: Python<'_>,
        config: Option<PathBuf>,
        database: Option<String>,
        space: Option<String>,
        settings: Option<String>,
        embedder: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        // Written by Python's half, so it is an object.
        let settings = settings.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
        let overrides = Overrides { file: config, database, space, settings, ..Overrides::default() };
        Self::open(py, embedder, || Config::load(&overrides))
    }

    /// The configured space.
    #[getter]
    fn space(&self) -> String {
        self.memory().config().space.to_string()
    }

    /// The database URL, without the password.
    #[getter]
    fn database(&self) -> String {
        self.memory().config().database.url.to_string()
    }

    /// Calls a verb with arguments in JSON. A result with fields comes back as its text fields and the JSON of the others, so that
    /// Python parses only the fields that are read; a list comes back as JSON.
    #[pyo3(signature = (verb, arguments, space, operation, cancel=None))]
    fn call<'py>(
        &self,
        py: Python<'py>,
        verb: &str,
        arguments: &str,
        space: Option<&str>,
        operation: &str,
        cancel: Option<&Cancel>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let cancel = cancel.map_or_else(recordar::database::Cancel::default, |cancel| cancel.call.clone());
        let prepared = self.prepare(verb, arguments, space, operation);
        let called = prepared.map_err(|error| raise(py, &error))?;
        let json = if called.verb.is_long {
            self.call_and_listen(py, called, &cancel)?
        } else {
            py.detach(|| self.run(called, &cancel))
        };
        json.map_err(|error| raise(py, &error))?.into_python(py)
    }

    /// The engine's own time for each of a number of calls, in seconds: the baseline for the overhead of Python.
    fn time(&self, py: Python<'_>, verb: &str, arguments: &str, operation: &str, rounds: usize) -> PyResult<Vec<f64>> {
        let called = self.prepare(verb, arguments, None, operation).map_err(|error| raise(py, &error))?;
        let time = || {
            let _pass = self.gate.enter();
            let one = |_| {
                let arguments = called.arguments.clone();
                let started = Instant::now();
                self.memory().call(called.verb, Call::new(called.caller.clone()), arguments)?;
                Ok(started.elapsed().as_secs_f64())
            };
            (0..rounds).map(one).collect::<Result<Vec<f64>, Error>>()
        };
        py.detach(time).map_err(|error| raise(py, &error))
    }

    /// The same memory for a process forked from the one that opened it.
    fn reopened(&self, py: Python<'_>) -> PyResult<Self> {
        let embedder = self.embedder.as_ref().map(|embedder| embedder.clone_ref(py));
        Self::open(py, embedder, || Ok(self.memory().config().clone()))
    }

    /// Waits for running calls, closes all connections, and holds back new calls. False on a timeout.
    fn pause(&self, py: Python<'_>, seconds: f64) -> bool {
        let patience = Duration::try_from_secs_f64(seconds).unwrap_or_default().min(Duration::from_secs(3600));
        py.detach(|| {
            let is_closed = self.gate.close(patience);
            if is_closed && !self.memory().pause(patience) {
                self.gate.open();
                return false;
            }
            is_closed
        })
    }

    fn resume(&self) {
        self.memory().resume();
        self.gate.open();
    }
}

struct Called {
    caller: Caller,
    verb: &'static VerbEntry,
    arguments: Map<String, Value>,
}

impl Engine {
    fn open(
        py: Python<'_>,
        embedder: Option<Py<PyAny>>,
        config: impl FnOnce() -> Result<Config, Error> + Send,
    ) -> PyResult<Self> {
        let own = embedder.as_ref().map(|embedder| PythonEmbedder::new(py, embedder)).transpose()?;
        let open = || {
            let memory = Recordar::open_existing(config()?, recordar::system_clock())?;
            match own {
                Some(own) => memory.with_embedder(Arc::new(own)),
                None => Ok(memory),
            }
        };
        let memory = py.detach(open).map_err(|error| raise(py, &error))?;
        Ok(Self { memory: Some(memory), process: std::process::id(), gate: Gate::default(), embedder })
    }

    fn memory(&self) -> &Recordar {
        self.memory.as_ref().unwrap_or_else(|| unreachable!("it is there until the engine is dropped"))
    }

    fn prepare(&self, verb: &str, arguments: &str, space: Option<&str>, operation: &str) -> Result<Called, Error> {
        let space = space.map(SpaceName::parse).transpose()?;
        let caller = Caller {
            names_space: space.is_some(),
            space: space.unwrap_or_else(|| self.memory().config().space.clone()),
            within: None,
            files: true,
            // The program controls the database, so the administrator's ranges apply, as on the command line.
            authority: Authority::Administrator,
            account: None,
            operation: OperationId::parse(operation)?,
        };
        let arguments = serde_json::from_str(arguments).map_err(|error| {
            let what = format!("{verb}: invalid argument: {error}");
            Error::input("invalid", what, "use finite numbers and valid Unicode text")
        })?;
        Ok(Called { caller, verb: recordar::verb::named(verb)?, arguments })
    }

    fn run(&self, called: Called, cancel: &recordar::database::Cancel) -> Result<Json, Error> {
        let _pass = self.gate.enter();
        let call = Call { cancel: cancel.clone(), ..Call::new(called.caller) };
        let reply = self.memory().call(called.verb, call, called.arguments)?;
        Json::of(reply).map_err(|error| Error::input("reply", error.to_string(), "please report it"))
    }

    /// Runs on another thread, while this one listens for Ctrl-C.
    fn call_and_listen(
        &self,
        py: Python<'_>,
        called: Called,
        cancel: &recordar::database::Cancel,
    ) -> PyResult<Result<Json, Error>> {
        py.detach(|| {
            std::thread::scope(|scope| {
                let (send, receive) = channel();
                scope.spawn(move || send.send(self.run(called, cancel)));
                loop {
                    match receive.recv_timeout(GLANCE) {
                        Ok(reply) => return Ok(reply),
                        Err(RecvTimeoutError::Timeout) => {
                            Python::attach(|py| py.check_signals()).inspect_err(|_| cancel.cancel())?;
                        }
                        Err(RecvTimeoutError::Disconnected) => {
                            return Err(PyRuntimeError::new_err(
                                "the call failed because of a bug in Recordar; please report it",
                            ));
                        }
                    }
                }
            })
        })
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let memory = self.memory.take();
        if self.process != std::process::id() {
            std::mem::forget(memory);
        } else {
            // Waits for background writes without blocking the interpreter.
            Python::attach(|py| py.detach(|| drop(memory)));
        }
    }
}

/// The exception for an error, as the package defines it.
pub(crate) fn raise(py: Python<'_>, error: &Error) -> PyErr {
    let make = || {
        let errors = py.import("recordar.errors")?;
        let details = error.details().map(|(name, details)| json!({ name: details }).to_string());
        errors.call_method1("from_code", (error.code(), error.to_string(), error.remedy(), details))
    };
    make().map_or_else(|failed| failed, PyErr::from_value)
}
