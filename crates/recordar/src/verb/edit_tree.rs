//! The verbs that change the category tree.

use crate::call::{Call, Effect, Reach, Verb};
use crate::verb::tree::{TreeEdit, TreeEdited};
use crate::{Error, Recordar};
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RenameCategoryArguments {
    /// The category: its id, or its path, such as Travel > Trains.
    category: String,
    /// What it is to be called.
    name: String,
    /// An id that makes it safe to repeat the call: what was done under it is not done again.
    operation: Option<String>,
}

impl Verb for RenameCategoryArguments {
    const NAME: &'static str = "rename_category";
    const ABOUT: &'static str = "Give a category another name.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = TreeEdited;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<TreeEdited, Error> {
        let edit = TreeEdit::Rename { category: self.category, name: self.name };
        memory.edit_tree(call.space(), &edit, &call.operation(self.operation)?)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct MergeCategoriesArguments {
    /// The category that goes: its id, or its path, such as Travel > Trains.
    category: String,
    /// The category of the same level that it goes into, with everything below.
    into: String,
    /// An id that makes it safe to repeat the call: what was done under it is not done again.
    operation: Option<String>,
}

impl Verb for MergeCategoriesArguments {
    const NAME: &'static str = "merge_categories";
    const ABOUT: &'static str = "Put a category into another of the same level, with everything below it.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = true;
    type Reply = TreeEdited;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<TreeEdited, Error> {
        let edit = TreeEdit::Merge { category: self.category, into: self.into };
        memory.edit_tree(call.space(), &edit, &call.operation(self.operation)?)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct MoveCategoryArguments {
    /// The category: its id, or its path, such as Travel > Trains.
    category: String,
    /// Its new parent, on the level above it.
    under: String,
    /// An id that makes it safe to repeat the call: what was done under it is not done again.
    operation: Option<String>,
}

impl Verb for MoveCategoryArguments {
    const NAME: &'static str = "move_category";
    const ABOUT: &'static str = "Put a category under another parent, on the level above it.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = false;
    type Reply = TreeEdited;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<TreeEdited, Error> {
        let edit = TreeEdit::Move { category: self.category, under: self.under };
        memory.edit_tree(call.space(), &edit, &call.operation(self.operation)?)
    }
}

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct DeepenTreeArguments {
    /// How many levels the tree is to have.
    #[schemars(range(min = 2, max = 100))]
    depth: u32,
    /// An id that makes it safe to repeat the call: what was done under it is not done again.
    operation: Option<String>,
}

impl Verb for DeepenTreeArguments {
    const NAME: &'static str = "deepen_tree";
    const ABOUT: &'static str = "Give the tree more levels: every leaf goes under a category of its own name.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = true;
    type Reply = TreeEdited;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<TreeEdited, Error> {
        let edit = TreeEdit::Deepen { depth: self.depth };
        memory.edit_tree(call.space(), &edit, &call.operation(self.operation)?)
    }
}
