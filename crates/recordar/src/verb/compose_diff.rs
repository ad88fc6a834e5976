//! `compose_diff`: what a composition would be now.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::flow;
use recordar_core::compose::ComposeDiff;
use recordar_core::error::Error;
use recordar_domain::{Invalid, SpaceName};
use schemars::JsonSchema;
use serde::Deserialize;

impl Recordar {
    /// Composes the prompt of a receipt again, from what is stored now, and says what changed and why.
    pub fn compose_diff(&self, space: &SpaceName, receipt: &str) -> Result<ComposeDiff, Error> {
        self.showing(|memory| {
            // What is compared is as it is stored; the result is redacted as a whole.
            let why = memory.rebuilt(space, receipt)?;
            let Some(made) = &why.body.compose else {
                let what = format!("receipt {} is not of a composition", why.receipt);
                return Err(Invalid::new(what, "`recordar why` explains it; only compositions are compared").into());
            };
            if let Some(difference) = why.differences.first() {
                let what = format!("the prompt of receipt {} cannot be put together again: {difference}", why.receipt);
                return Err(Error::input("receipt", what, "compose it again"));
            }
            flow::compose::diff(memory, space, (why.receipt.clone(), &why.body), (&why.text, made))
        })
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct ComposeDiffArguments {
    /// The id of a composition's receipt, or a prefix of it.
    receipt: String,
}

impl Verb for ComposeDiffArguments {
    const NAME: &'static str = "compose_diff";
    const ABOUT: &'static str =
        "Compose the prompt of a receipt again from what is stored now, and show what changed since then, and why.";
    const EFFECT: Effect = Effect::Reads;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = true;
    type Reply = ComposeDiff;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<ComposeDiff, Error> {
        memory.compose_diff(call.space(), &self.receipt)
    }
}
