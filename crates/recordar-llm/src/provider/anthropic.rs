//! Anthropic's Messages API.

use super::schema::adapted;
use super::{Asking, Gathered, Outgoing, json_f64, number_at, object, text_at};
use crate::request::{Finish, Output, Speaker, Structured};
use serde_json::{Value, json};

const VERSION: &str = "2023-06-01";

pub(super) fn outgoing(asking: &Asking<'_>) -> Outgoing {
    let request = asking.request;
    let messages = request.turns.iter().map(|turn| {
        let role = if turn.speaker == Speaker::User { "user" } else { "assistant" };
        json!({"role": role, "content": turn.text})
    });
    let (mut tools, mut tool_choice, mut output_config) = (None, None, None);
    if let (Output::Json(schema), Some(mode)) = (&request.output, asking.mode()) {
        let adapted = adapted(&schema.schema, asking.profile.schema);
        let name = &schema.name;
        match mode {
            Structured::Native => output_config = Some(json!({"format": {"type": "json_schema", "schema": adapted}})),
            Structured::Tool => {
                let description = &schema.description;
                tools =
                    Some(json!([{"name": name, "description": description, "strict": true, "input_schema": adapted}]));
                tool_choice = Some(json!({"type": "tool", "name": name, "disable_parallel_tool_use": true}));
            }
            Structured::Prompted => {}
        }
    }
    let body = object([
        ("model", Some(json!(asking.profile.name.model))),
        ("max_tokens", Some(json!(request.max_output_tokens))),
        ("system", Some(asking.system()).filter(|system| !system.is_empty()).map(|system| json!(system))),
        ("messages", Some(messages.collect())),
        ("temperature", asking.temperature().map(json_f64)),
        ("tools", tools),
        ("tool_choice", tool_choice),
        ("output_config", output_config),
        ("stream", asking.streams.then_some(json!(true))),
    ]);
    Outgoing { path: "/messages".to_owned(), headers: vec![("anthropic-version", VERSION)], body }
}

pub(super) fn take_reply(gathered: &mut Gathered, body: &Value) -> Result<(), String> {
    let blocks = body.get("content").and_then(Value::as_array).ok_or("it has no content")?;
    for block in blocks {
        gathered.text.push_str(text_at(block, "/text").unwrap_or_default());
        if text_at(block, "/type") == Some("tool_use") {
            gathered.tools += 1;
            gathered.arguments = block.get("input").map(Value::to_string).unwrap_or_default();
        }
    }
    gathered.finish = finish(body.get("stop_reason"));
    take_usage(gathered, body.get("usage"));
    Ok(())
}

pub(super) fn take_event(gathered: &mut Gathered, event: &Value) -> Result<(), String> {
    match text_at(event, "/type").unwrap_or_default() {
        "message_start" => {
            take_usage(gathered, event.pointer("/message/usage"));
            // The count so far: the last event has the total.
            gathered.tokens_completion = None;
        }
        "content_block_start" if text_at(event, "/content_block/type") == Some("tool_use") => gathered.tools += 1,
        "content_block_start" => gathered.text.push_str(text_at(event, "/content_block/text").unwrap_or_default()),
        "content_block_delta" => {
            gathered.text.push_str(text_at(event, "/delta/text").unwrap_or_default());
            gathered.arguments.push_str(text_at(event, "/delta/partial_json").unwrap_or_default());
        }
        "message_delta" => {
            gathered.finish = finish(event.pointer("/delta/stop_reason")).or(gathered.finish);
            take_usage(gathered, event.get("usage"));
        }
        // Pings, ends of blocks, and future events.
        _ => {}
    }
    Ok(())
}

/// Tokens read from a cache or written to one are part of the prompt, too.
fn take_usage(gathered: &mut Gathered, usage: Option<&Value>) {
    let Some(usage) = usage else { return };
    let cached = ["/cache_creation_input_tokens", "/cache_read_input_tokens"];
    let cached = cached.iter().filter_map(|at| number_at(usage, at)).fold(0, u64::saturating_add);
    let prompt = number_at(usage, "/input_tokens").map(|tokens| tokens.saturating_add(cached));
    gathered.count(prompt, number_at(usage, "/output_tokens"));
}

fn finish(reason: Option<&Value>) -> Option<Finish> {
    Some(match reason?.as_str()? {
        "max_tokens" | "model_context_window_exceeded" => Finish::Length,
        "refusal" => Finish::Refused,
        _ => Finish::Stop,
    })
}
