//! The definition of a command: a verb of the table with the command line's own options, or a command that only the
//! command line has. Each definition stands beside the function that runs it.

use super::schema::{Spelling, given};
use super::{Global, Session};
use crate::outcome::Outcome;
use clap::{ArgMatches, Command};
use recordar::call::{Verb, VerbEntry};
use recordar::{Error, Invalid};
use serde_json::{Map, Value};

pub(crate) struct Spec {
    /// The words that call it, such as `doc show`.
    pub(crate) path: &'static [&'static str],
    pub(crate) verb: Option<VerbEntry>,
    pub(crate) about: &'static str,
    run: fn(&Session<'_>) -> Result<Outcome, Error>,
    /// Positional arguments, in order.
    positional: &'static [&'static str],
    /// Arguments that are optional here.
    optional: &'static [&'static str],
    /// Arguments that are not offered.
    hidden: &'static [&'static str],
    /// A definition of the schema whose fields are also options, and one of them that has another name.
    definition: Option<&'static str>,
    renamed: Option<(&'static str, &'static str)>,
    /// Help for arguments that accept more here than elsewhere, such as - for standard input.
    described: &'static [(&'static str, &'static str)],
    /// Options that only the command line has.
    own: fn(Command) -> Command,
}

const DESCENT: &str = "Descending the tree";
pub(super) const OF_A_DESCENT: [&str; 9] = [
    "strategy",
    "n",
    "n2",
    "max_per_level",
    "max_paths",
    "limit_per_path",
    "max_token_budget",
    "prompt_limiting_strategy",
    "use_rankings",
];

impl Spec {
    /// A command that is a verb.
    pub(crate) const fn verb<V: Verb>(
        path: &'static [&'static str],
        run: fn(&Session<'_>) -> Result<Outcome, Error>,
    ) -> Self {
        let verb = Some(VerbEntry::of::<V>());
        Self { verb, ..Self::own(path, V::ABOUT, |command| command, run) }
    }

    /// A command that only a terminal has.
    pub(crate) const fn own(
        path: &'static [&'static str],
        about: &'static str,
        own: fn(Command) -> Command,
        run: fn(&Session<'_>) -> Result<Outcome, Error>,
    ) -> Self {
        Self {
            path,
            verb: None,
            about,
            run,
            positional: &[],
            optional: &[],
            hidden: &[],
            definition: None,
            renamed: None,
            described: &[],
            own,
        }
    }

    pub(crate) const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    pub(crate) const fn positional(self, positional: &'static [&'static str]) -> Self {
        Self { positional, ..self }
    }

    pub(crate) const fn optional(self, optional: &'static [&'static str]) -> Self {
        Self { optional, ..self }
    }

    pub(crate) const fn hidden(self, hidden: &'static [&'static str]) -> Self {
        Self { hidden, ..self }
    }

    pub(crate) const fn definition(self, definition: &'static str) -> Self {
        Self { definition: Some(definition), ..self }
    }

    pub(crate) const fn renamed(self, field: &'static str, flag: &'static str) -> Self {
        Self { renamed: Some((field, flag)), ..self }
    }

    pub(crate) const fn described(self, described: &'static [(&'static str, &'static str)]) -> Self {
        Self { described, ..self }
    }

    pub(crate) const fn with(self, own: fn(Command) -> Command) -> Self {
        Self { own, ..self }
    }

    pub(crate) fn command(&self, command: Command) -> Command {
        let properties = self.properties();
        let required = self.required();
        let is_descent = properties.contains_key("max_paths");
        let mut args: Vec<(usize, clap::Arg)> = Vec::new();
        for (name, property) in &properties {
            let place = self.positional.iter().position(|positional| positional == name);
            let spelling = Spelling {
                name,
                property,
                is_positional: place.is_some(),
                is_required: required.contains(name) && !self.optional.contains(&name.as_str()),
                has_short: !properties.contains_key("n"),
                flag: self.renamed.filter(|(field, _)| field == name).map(|(_, flag)| flag),
                about: self.described.iter().find(|(argument, _)| argument == name).map(|(_, about)| *about),
            };
            let arg = spelling.arg();
            let in_descent = is_descent && OF_A_DESCENT.contains(&name.as_str());
            args.push((place.unwrap_or(usize::MAX), if in_descent { arg.help_heading(DESCENT) } else { arg }));
        }
        args.sort_by_key(|(place, _)| *place);
        let about = self.about.strip_suffix('.').unwrap_or(self.about);
        (self.own)(command.args(args.into_iter().map(|(_, arg)| arg))).about(about)
    }

    /// The arguments that the command offers, by name.
    pub(crate) fn properties(&self) -> Map<String, Value> {
        let Some(verb) = &self.verb else { return Map::new() };
        let schema = verb.schema();
        let object = |value: Option<&Value>| value.and_then(Value::as_object).cloned().unwrap_or_default();
        let own = object(schema.get("properties"));
        let definition = self.definition.and_then(|name| schema.get("$defs")?.get(name)?.get("properties"));
        let mut properties = object(definition);
        // The verb's own description of an argument wins.
        properties.extend(own);
        properties.retain(|name, _| !self.hidden.contains(&name.as_str()));
        properties
    }

    fn required(&self) -> Vec<String> {
        let required = self.verb.as_ref().and_then(|verb| verb.schema().get("required").cloned());
        serde_json::from_value(required.unwrap_or_default()).unwrap_or_default()
    }

    pub(super) fn given(&self, matches: &ArgMatches) -> Result<Map<String, Value>, Invalid> {
        given(matches, &self.properties())
    }

    pub(crate) fn run(
        &'static self,
        matches: &ArgMatches,
        global: &Global,
        output: &crate::output::Output,
    ) -> Result<Outcome, Error> {
        let session = Session::new(self, matches, global.clone(), output)?;
        let outcome = (self.run)(&session);
        session.finish();
        outcome
    }
}
