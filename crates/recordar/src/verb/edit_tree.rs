//! The verbs that change the category tree.

use crate::call::{Call, Effect, Reach, Verb};
use crate::engine::Recordar;
use crate::verb::tree::{TreeEdit, TreeEdited};
use recordar_core::error::Error;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct RenameCategoryArguments {
    /// The category's id, or its path, such as Travel > Trains.
    category: String,
    /// The new name.
    name: String,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for RenameCategoryArguments {
    const NAME: &'static str = "rename_category";
    const ABOUT: &'static str = "Rename a category.";
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
    /// The category to merge: its id, or its path, such as Travel > Trains.
    category: String,
    /// The category to merge it into, on the same level.
    into: String,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for MergeCategoriesArguments {
    const NAME: &'static str = "merge_categories";
    const ABOUT: &'static str = "Merge a category and everything below it into another on the same level.";
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
    /// The category's id, or its path, such as Travel > Trains.
    category: String,
    /// The new parent, on the level above.
    under: String,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for MoveCategoryArguments {
    const NAME: &'static str = "move_category";
    const ABOUT: &'static str = "Move a category to another parent on the level above it.";
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
    /// The new number of levels.
    #[schemars(range(min = 2, max = 100))]
    depth: u32,
    /// Operation id. Repeating a call with the same id has no further effect.
    operation: Option<String>,
}

impl Verb for DeepenTreeArguments {
    const NAME: &'static str = "deepen_tree";
    const ABOUT: &'static str = "Add levels to the tree. Each leaf moves under a new category of the same name.";
    const EFFECT: Effect = Effect::Writes;
    const REACH: Reach<Self> = Reach::OwnSpace;
    const IS_LONG: bool = true;
    type Reply = TreeEdited;

    fn run(self, memory: &Recordar, call: &mut Call<'_>) -> Result<TreeEdited, Error> {
        let edit = TreeEdit::Deepen { depth: self.depth };
        memory.edit_tree(call.space(), &edit, &call.operation(self.operation)?)
    }
}
