//! OpenAI's Chat Completions API, which many other servers support.

use super::schema::adapted;
use super::{Asking, Gathered, Outgoing, arguments_text, json_f64, number_at, object, text_at};
use crate::request::{Finish, Output, Speaker, Structured};
use crate::table::{OutputLimit, ToolChoice};
use serde_json::{Value, json};

pub(super) fn outgoing(asking: &Asking<'_>) -> Outgoing {
    let request = asking.request;
    let system = Some(asking.system()).filter(|system| !system.is_empty());
    let system = system.map(|system| json!({"role": "system", "content": system})).into_iter();
    let turns = request.turns.iter().map(|turn| {
        let role = if turn.speaker == Speaker::User { "user" } else { "assistant" };
        json!({"role": role, "content": turn.text})
    });
    let (mut response_format, mut tools, mut tool_choice, mut parallel) = (None, None, None, None);
    if let (Output::Json(schema), Some(mode)) = (&request.output, asking.mode()) {
        let parameters = adapted(&schema.schema, asking.profile.schema);
        let (name, description) = (&schema.name, &schema.description);
        match mode {
            Structured::Native => {
                let named = json!({"name": name, "description": description, "strict": true, "schema": parameters});
                response_format = Some(json!({"type": "json_schema", "json_schema": named}));
            }
            Structured::Tool => {
                let function =
                    json!({"name": name, "description": description, "strict": true, "parameters": parameters});
                tools = Some(json!([{"type": "function", "function": function}]));
                (tool_choice, parallel) = match asking.profile.tool_choice {
                    ToolChoice::ByName => (Some(json!({"type": "function", "function": {"name": name}})), None),
                    ToolChoice::Required => (Some(json!("required")), Some(json!(false))),
                };
            }
            Structured::Prompted => {}
        }
    }
    let limit = Some(json!(request.max_output_tokens));
    let (max_tokens, max_completion_tokens) = match asking.profile.output_limit {
        OutputLimit::MaxTokens => (limit, None),
        OutputLimit::MaxCompletionTokens => (None, limit),
    };
    let reports_usage = asking.streams && asking.profile.stream_usage;
    let body = object([
        ("model", Some(json!(asking.profile.name.model))),
        ("messages", Some(system.chain(turns).collect())),
        ("max_tokens", max_tokens),
        ("max_completion_tokens", max_completion_tokens),
        ("temperature", asking.temperature().map(json_f64)),
        ("seed", asking.seed().map(Value::from)),
        ("response_format", response_format),
        ("tools", tools),
        ("tool_choice", tool_choice),
        ("parallel_tool_calls", parallel),
        ("stream", asking.streams.then_some(json!(true))),
        ("stream_options", reports_usage.then(|| json!({"include_usage": true}))),
    ]);
    Outgoing { path: "/chat/completions".to_owned(), headers: Vec::new(), body }
}

pub(super) fn take_reply(gathered: &mut Gathered, body: &Value) -> Result<(), String> {
    let choice = body.pointer("/choices/0").ok_or("it has no choices")?;
    let message = choice.get("message").filter(|message| message.is_object()).ok_or("it has no message")?;
    take_message(gathered, message);
    for call in message.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
        gathered.tools += 1;
        gathered.arguments = call.pointer("/function/arguments").map(arguments_text).unwrap_or_default();
    }
    // Some servers omit it; a complete reply has ended anyway.
    gathered.finish = Some(finish(choice).unwrap_or(Finish::Stop));
    take_usage(gathered, body);
    Ok(())
}

pub(super) fn take_event(gathered: &mut Gathered, event: &Value) -> Result<(), String> {
    take_usage(gathered, event);
    // The last event has none, only the usage.
    let Some(choice) = event.pointer("/choices/0") else { return Ok(()) };
    if let Some(delta) = choice.get("delta") {
        take_message(gathered, delta);
        for call in delta.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            let number = call.get("index").and_then(Value::as_u64).unwrap_or(0) as usize;
            gathered.tools = gathered.tools.max(number.saturating_add(1));
            gathered.arguments.push_str(text_at(call, "/function/arguments").unwrap_or_default());
        }
    }
    gathered.finish = finish(choice).or(gathered.finish);
    Ok(())
}

fn take_message(gathered: &mut Gathered, message: &Value) {
    match message.get("content") {
        // Some send parts; thinking parts are not part of the reply.
        Some(Value::Array(parts)) => {
            parts.iter().filter_map(|part| text_at(part, "/text")).for_each(|text| gathered.text.push_str(text));
        }
        content => gathered.text.push_str(content.and_then(Value::as_str).unwrap_or_default()),
    }
    gathered.refusal.push_str(text_at(message, "/refusal").unwrap_or_default());
}

fn take_usage(gathered: &mut Gathered, body: &Value) {
    let (prompt, completion) = (number_at(body, "/usage/prompt_tokens"), number_at(body, "/usage/completion_tokens"));
    // Some count thinking only in the total.
    let rest = || number_at(body, "/usage/total_tokens")?.checked_sub(prompt?);
    gathered.count(prompt, completion.map(|completion| completion.max(rest().unwrap_or(0))));
}

fn finish(choice: &Value) -> Option<Finish> {
    Some(match text_at(choice, "/finish_reason")? {
        "length" => Finish::Length,
        "content_filter" => Finish::Refused,
        _ => Finish::Stop,
    })
}
