//! What is true of a verb, said once, on the type of its arguments. Every face is made from it.

use super::arguments::Arguments;
use super::{Call, Caller};
use crate::engine::Recordar;
use crate::error::Error;
use crate::guard::Hide;
use schemars::JsonSchema;
use serde::Serialize;
use std::any::Any;

/// A verb. It is implemented by the type of the verb's arguments, beside the function that does the work.
///
/// Nothing here has a default: a verb that does not say how far it reaches does not compile.
///
/// ```compile_fail,E0046
/// use recordar::call::{Call, Effect, Verb};
/// use recordar::{Error, Recordar};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Boundless {}
///
/// impl Verb for Boundless {
///     const NAME: &'static str = "boundless";
///     const ABOUT: &'static str = "Says nothing about its reach.";
///     const EFFECT: Effect = Effect::Reads;
///     const IS_LONG: bool = false;
///     type Reply = String;
///     fn run(self, _: &Recordar, _: &mut Call<'_>) -> Result<String, Error> {
///         Ok(String::new())
///     }
/// }
/// ```
///
/// Nor does one whose reply does not say what is to be hidden of it.
///
/// ```compile_fail,E0277
/// use recordar::call::{Call, Effect, Reach, Verb};
/// use recordar::{Error, Recordar};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Talkative {}
///
/// #[derive(serde::Serialize, schemars::JsonSchema)]
/// struct Everything {
///     text: String,
/// }
///
/// impl Verb for Talkative {
///     const NAME: &'static str = "talkative";
///     const ABOUT: &'static str = "Says nothing about what it shows.";
///     const EFFECT: Effect = Effect::Reads;
///     const REACH: Reach<Self> = Reach::OwnSpace;
///     const IS_LONG: bool = false;
///     type Reply = Everything;
///     fn run(self, _: &Recordar, _: &mut Call<'_>) -> Result<Everything, Error> {
///         Ok(Everything { text: String::new() })
///     }
/// }
/// ```
pub trait Verb: Arguments + 'static {
    /// What every face calls it, in snake_case.
    const NAME: &'static str;
    /// What it does, in one sentence.
    const ABOUT: &'static str;
    const EFFECT: Effect;
    const REACH: Reach<Self>;
    /// Whether it may take long enough for somebody to lose patience: it asks a model, or reads or writes much.
    const IS_LONG: bool;

    /// It says what of it is stored text, which is hidden where redaction is on.
    type Reply: Hide + Serialize + JsonSchema + Any + Send;

    /// Does it. What the caller may reach has been checked.
    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<Self::Reply, Error>;
}

/// What a call does to what is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Reads,
    Writes,
    /// Removes for good.
    Destroys,
}

impl Effect {
    pub fn name(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Writes => "writes",
            Self::Destroys => "destroys",
        }
    }
}

/// How far a call can reach.
pub enum Reach<V> {
    /// Into the caller's space alone.
    OwnSpace,
    /// Into the caller's space and those that the arguments name: the function says which.
    Spaces(NamedSpaces<V>),
    /// Into all spaces, or into what they share.
    Store,
    /// Into files of the machine that runs it, and so into anything.
    Files,
}

/// The names of the spaces that a call would look into beside the caller's own.
pub type NamedSpaces<V> = fn(&V, &Recordar, &Caller) -> Result<Vec<String>, Error>;

/// The same without the function, for whoever only wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReachKind {
    OwnSpace,
    Spaces,
    Store,
    Files,
}

impl ReachKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::OwnSpace => "own_space",
            Self::Spaces => "spaces",
            Self::Store => "store",
            Self::Files => "files",
        }
    }
}

impl<V> Reach<V> {
    pub(super) const fn kind(&self) -> ReachKind {
        match self {
            Self::OwnSpace => ReachKind::OwnSpace,
            Self::Spaces(_) => ReachKind::Spaces,
            Self::Store => ReachKind::Store,
            Self::Files => ReachKind::Files,
        }
    }
}

impl<V: Verb> Reach<V> {
    /// Refuses what the caller may not reach, before anything is done.
    pub(super) fn check(&self, arguments: &V, memory: &Recordar, caller: &Caller) -> Result<(), Error> {
        let Some(within) = &caller.within else { return Ok(()) };
        let named = match self {
            Self::OwnSpace => return Ok(()),
            Self::Spaces(named) => named(arguments, memory, caller)?,
            Self::Store | Self::Files => return Err(Caller::out_of_reach(V::NAME, self.kind())),
        };
        let is_seen =
            |name: &String| *name == caller.space.as_str() || within.iter().any(|space| space.as_str() == name);
        if named.iter().all(is_seen) { Ok(()) } else { Err(Caller::absent()) }
    }
}
