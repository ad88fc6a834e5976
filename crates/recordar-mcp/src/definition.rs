//! A tool as a client sees it: name, description, schemas of arguments and reply, hints. Pure.

use crate::schema::{self, Adjustment};
use crate::settings::Settings;
use crate::tool::Tool;
use recordar::call::Effect;
use rmcp::model::{Tool as Definition, ToolAnnotations};
use std::sync::Arc;

pub(crate) fn of(tool: &Tool, settings: &Settings) -> Definition {
    let schema = Arc::new(schema::of(tool, &Adjustment::new(tool, settings)));
    let definition = Definition::new(tool.name(), tool.description, schema).with_title(tool.title);
    definition.with_raw_output_schema(Arc::new(schema::of_reply(tool.reply))).with_annotations(hints(tool))
}

/// A tool that only reads needs no other hints.
fn hints(tool: &Tool) -> ToolAnnotations {
    let hints = ToolAnnotations::new().open_world(false);
    match tool.verb.effect {
        Effect::Reads => hints.read_only(true),
        effect => hints.destructive(effect == Effect::Destroys).idempotent(tool.is_idempotent),
    }
}
