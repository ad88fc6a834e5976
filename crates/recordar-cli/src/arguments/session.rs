//! A running command: its arguments, the memory it works on, and calls of verbs.

use super::{Global, Spec};
use crate::interrupt::cancel_on_interrupt;
use crate::outcome::Outcome;
use crate::output::{Output, complain};
use crate::progress::show_waits;
use clap::{ArgMatches, FromArgMatches};
use recordar::call::{Call, Caller, Effect, Progress, Verb};
use recordar::database::Cancel;
use recordar::recall::Authority;
use recordar::{Config, Error, OperationId, Recordar, SpaceName, system_clock};
use serde_json::{Map, Value};
use std::cell::OnceCell;
use std::path::PathBuf;

pub(crate) struct Session<'a> {
    spec: &'static Spec,
    matches: &'a ArgMatches,
    pub(crate) global: Global,
    pub(crate) output: &'a Output,
    operation: OperationId,
    opened: OnceCell<(Recordar, SpaceName)>,
    /// Set by Ctrl-C, once it is watched for.
    cancel: Cancel,
    is_watched: OnceCell<()>,
}

impl<'a> Session<'a> {
    pub(super) fn new(
        spec: &'static Spec,
        matches: &'a ArgMatches,
        global: Global,
        output: &'a Output,
    ) -> Result<Self, Error> {
        let writes = spec.verb.as_ref().is_none_or(|verb| verb.effect != Effect::Reads);
        let named = matches.try_get_one::<String>("operation").ok().filter(|_| writes);
        let given = named.flatten().cloned().unwrap_or_else(|| uuid::Uuid::new_v4().to_string());
        let operation = OperationId::parse(&given)?;
        // An error can then say how to repeat it safely.
        if named.is_some() {
            output.begin(&operation);
        }
        let (opened, cancel, is_watched) = (OnceCell::new(), Cancel::default(), OnceCell::new());
        Ok(Self { spec, matches, global, output, operation, opened, cancel, is_watched })
    }

    /// The verb's arguments that were given.
    pub(crate) fn arguments(&self) -> Result<Map<String, Value>, Error> {
        Ok(self.spec.given(self.matches)?)
    }

    /// The first word of the command, such as `rules` of `rules show`.
    pub(crate) fn group(&self) -> &'static str {
        self.spec.path[0]
    }

    /// Whether an option of the command itself was given.
    pub(crate) fn has(&self, flag: &str) -> bool {
        self.matches.get_flag(flag)
    }

    /// Whether an option with a value was given.
    pub(crate) fn has_any(&self, name: &str) -> bool {
        self.matches.contains_id(name)
    }

    /// An option of the command itself that is a text.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.matches.get_one::<String>(name).cloned()
    }

    /// One that is a path.
    pub(crate) fn path(&self, name: &str) -> Option<PathBuf> {
        self.matches.get_one::<PathBuf>(name).cloned()
    }

    /// One that is a number.
    pub(crate) fn number(&self, name: &str) -> Option<u32> {
        self.matches.get_one::<u32>(name).copied()
    }

    /// The same command in another space.
    pub(crate) fn in_space(&self, name: &str) -> Self {
        Self {
            spec: self.spec,
            matches: self.matches,
            global: self.global.with_space(name),
            output: self.output,
            operation: self.operation.clone(),
            opened: OnceCell::new(),
            cancel: self.cancel.clone(),
            is_watched: self.is_watched.clone(),
        }
    }

    /// The options that only the command line has.
    pub(crate) fn own<T: FromArgMatches>(&self) -> Result<T, Error> {
        // The same definitions parsed it, so they can read it.
        T::from_arg_matches(self.matches).map_err(|error| Error::input("invalid", error.to_string(), "see --help"))
    }

    pub(crate) fn memory(&self) -> Result<&Recordar, Error> {
        Ok(&self.opened()?.0)
    }

    pub(crate) fn space(&self) -> Result<&SpaceName, Error> {
        Ok(&self.opened()?.1)
    }

    fn opened(&self) -> Result<&(Recordar, SpaceName), Error> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let opened = open(&self.global)?;
        // A command may do more than call its verb, such as read standard input and look things up before.
        if self.spec.verb.as_ref().is_some_and(|verb| verb.effect == Effect::Writes) {
            opened.0.create()?;
        }
        show_waits(&opened.0, self.output);
        Ok(self.opened.get_or_init(|| opened))
    }

    /// The memory for a write that is no call of a verb. From now on, Ctrl-C cancels it.
    pub(crate) fn memory_to_write(&self) -> Result<Recordar, Error> {
        self.watch_for_interrupts();
        Ok(self.memory()?.cancelled_by(self.cancel.clone()))
    }

    pub(crate) fn call<V: Verb>(&self, arguments: Map<String, Value>) -> Result<V::Reply, Error> {
        let call = self.new_call::<V>()?;
        self.memory()?.call_as::<V>(call, arguments)
    }

    /// From here on, Ctrl-C cancels a write instead of ending the process: the command can then say what was stored.
    pub(crate) fn new_call<V: Verb>(&self) -> Result<Call<'_>, Error> {
        if V::EFFECT != Effect::Reads {
            self.watch_for_interrupts();
        }
        Ok(Call { cancel: self.cancel.clone(), ..Call::new(self.caller()?) })
    }

    fn watch_for_interrupts(&self) {
        self.is_watched.get_or_init(|| cancel_on_interrupt(self.cancel.clone()));
    }

    pub(crate) fn is_interrupted(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// Waits for the index of what was stored. It was built meanwhile, so this is short unless much came at once.
    pub(super) fn finish(&self) {
        let Some((memory, _)) = self.opened.get() else { return };
        let was_interrupted = self.is_interrupted();
        memory.finish_index(&self.cancel);
        if self.is_interrupted() && !was_interrupted {
            complain("everything is stored; the next search builds the rest of the index");
        }
    }

    /// The same for long-running verbs.
    pub(crate) fn call_with_progress<V: Verb>(
        &self,
        arguments: Map<String, Value>,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<V::Reply, Error> {
        let call = Call { progress: Some(progress), ..self.new_call::<V>()? };
        self.memory()?.call_as::<V>(call, arguments)
    }

    /// The same for verbs whose answer can be shown while it comes in.
    pub(crate) fn call_streaming<V: Verb>(
        &self,
        arguments: Map<String, Value>,
        on_text: &mut dyn FnMut(&str),
    ) -> Result<V::Reply, Error> {
        let call = Call { on_text: Some(on_text), ..self.new_call::<V>()? };
        self.memory()?.call_as::<V>(call, arguments)
    }

    /// Calls the verb with the given arguments and prints its reply.
    pub(crate) fn print<V: Verb>(&self, show: impl FnOnce(&V::Reply, &Output)) -> Result<Outcome, Error> {
        let reply = self.call::<V>(self.arguments()?)?;
        self.output.result(&reply, |output| show(&reply, output));
        Ok(Outcome::Done)
    }

    /// A user of the command line controls the database and the configuration, so the administrator's ranges apply.
    fn caller(&self) -> Result<Caller, Error> {
        Ok(Caller {
            space: self.space()?.clone(),
            names_space: self.global.names_space(),
            within: None,
            files: true,
            authority: Authority::Administrator,
            account: None,
            operation: self.operation.clone(),
        })
    }

    pub(crate) fn operation(&self) -> &OperationId {
        &self.operation
    }
}

/// The engine and the space that a command works in. It creates no database.
pub(crate) fn open(global: &Global) -> Result<(Recordar, SpaceName), Error> {
    let config = Config::load(&global.overrides()?)?;
    let space = config.space.clone();
    Ok((Recordar::open_existing(config, system_clock())?, space))
}
