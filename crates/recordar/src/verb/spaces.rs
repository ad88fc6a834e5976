//! The spaces of a store.

use crate::call::{Call, Effect, Reach, Verb};
use crate::{Error, Recordar};
use schemars::JsonSchema;
use serde::Deserialize;

impl Recordar {
    /// The spaces that hold something, in the order they were made.
    pub fn spaces(&self) -> Result<Vec<String>, Error> {
        let spaces = self.store.read(|reading| reading.spaces())?;
        Ok(spaces.into_iter().map(|space| space.name).collect())
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct SpacesArguments {}

impl Verb for SpacesArguments {
    const NAME: &'static str = "spaces";
    const ABOUT: &'static str = "List all spaces of the database.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::Store;
    const IS_LONG: bool = false;
    type Reply = Vec<String>;

    fn run(self, memory: &Recordar, _: &mut Call<'_>) -> Result<Vec<String>, Error> {
        memory.spaces()
    }
}
