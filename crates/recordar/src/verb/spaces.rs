//! The spaces of a store.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use recordar_core::error::Error;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

impl Recordar {
    /// The spaces that hold data and may be read, in order of creation.
    pub fn spaces(&self) -> Result<Vec<String>, Error> {
        let spaces = self.store.read(|reading| reading.spaces())?;
        let may_read = |name: &String| self.within.as_ref().is_none_or(|within| within.may_read_named(name));
        Ok(spaces.into_iter().map(|space| space.name).filter(may_read).collect())
    }
}

/// Space names are shown unredacted, because calls refer to a space by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct SpaceNames(pub Vec<String>);

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct SpacesArguments {}

impl Verb for SpacesArguments {
    const NAME: &'static str = "spaces";
    const ABOUT: &'static str = "List the spaces that you may read.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Readable;
    const IS_LONG: bool = false;
    type Reply = SpaceNames;

    fn run(self, memory: &Recordar, _: &mut Call<'_>) -> Result<SpaceNames, Error> {
        memory.spaces().map(SpaceNames)
    }
}
