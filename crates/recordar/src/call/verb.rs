//! Everything about a verb, on the type of its arguments. Every face is made from it.

use super::arguments::Arguments;
use super::{Call, Caller};
use crate::engine::Recordar;
use recordar_core::error::Error;
use recordar_core::guard::Hide;
use recordar_core::within::Effect;
use schemars::JsonSchema;
use serde::Serialize;
use std::any::Any;

/// A verb, implemented by the type of its arguments, beside the function that does the work.
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
/// Nor does one whose reply does not say what to redact.
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
    /// Its name in every face, in snake_case.
    const NAME: &'static str;
    /// What it does, in one sentence.
    const ABOUT: &'static str;
    const EFFECT: Effect;
    const REACH: Reach<Self>;
    /// Whether it may take long: it calls a model, or reads or writes much.
    const IS_LONG: bool;

    /// It declares which of its text is stored text, which redaction applies to.
    type Reply: Hide + Serialize + JsonSchema + Any + Send;

    /// Runs it. Access has been checked.
    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<Self::Reply, Error>;
}

/// The data that a call can access.
pub enum Reach<V> {
    /// The caller's space only.
    OwnSpace,
    /// The caller's space and those named in the arguments: the function returns them.
    Spaces(NamedSpaces<V>),
    /// Every space that the caller may read: the verb leaves out the others.
    Readable,
    /// All spaces, or data that they share.
    Store,
    /// Files of the machine that runs it, and so anything. If the caller carries them instead, what the function says; without
    /// one, they cannot be carried.
    Files(Option<WhenCarried<V>>),
}

/// What a call reaches whose files travel with it.
pub type WhenCarried<V> = fn(&V) -> ReachKind;

/// The spaces that a call would access besides the caller's own.
pub type NamedSpaces<V> = fn(&V, &Recordar, &Caller) -> Result<Vec<String>, Error>;

/// The same without the function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReachKind {
    OwnSpace,
    Spaces,
    Readable,
    Store,
    Files,
}

impl ReachKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::OwnSpace => "own_space",
            Self::Spaces => "spaces",
            Self::Readable => "readable",
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
            Self::Readable => ReachKind::Readable,
            Self::Store => ReachKind::Store,
            Self::Files(_) => ReachKind::Files,
        }
    }

    /// Whether callers may send or take its files.
    pub(super) const fn is_carried(&self) -> bool {
        matches!(self, Self::Files(Some(_)))
    }
}

impl<V: Verb> Reach<V> {
    /// Rejects calls beyond the caller's permissions, before anything is done.
    pub(super) fn check(&self, arguments: &V, memory: &Recordar, call: &Call<'_>) -> Result<(), Error> {
        let caller = &call.caller;
        let reaches = match self {
            Self::Files(Some(reaches)) if call.carried.is_some() => reaches(arguments),
            reach => reach.kind(),
        };
        if reaches == ReachKind::Files && !caller.files {
            return Err(Caller::out_of_reach(V::NAME, reaches));
        }
        let Some(within) = &caller.within else { return Ok(()) };
        match reaches {
            ReachKind::Store | ReachKind::Files => return Err(Caller::out_of_reach(V::NAME, reaches)),
            ReachKind::Readable => return Ok(()),
            ReachKind::OwnSpace | ReachKind::Spaces => within.check(&caller.space, V::EFFECT)?,
        }
        let named = match self {
            Self::Spaces(named) => named(arguments, memory, caller)?,
            _ => Vec::new(),
        };
        if named.iter().all(|name| within.may_read_named(name)) { Ok(()) } else { Err(Caller::absent()) }
    }
}
