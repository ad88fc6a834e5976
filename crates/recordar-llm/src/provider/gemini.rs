//! Google's Gemini. A stream is made of the same objects as a whole reply.

use super::schema::adapted;
use super::{Asking, Gathered, Outgoing, json_f64, number_at, object, text_at};
use crate::request::{Finish, Output, Speaker, Structured};
use serde_json::{Value, json};

pub(super) fn outgoing(asking: &Asking<'_>) -> Outgoing {
    let request = asking.request;
    let contents = request.turns.iter().map(|turn| {
        let role = if turn.speaker == Speaker::User { "user" } else { "model" };
        json!({"role": role, "parts": [{"text": turn.text}]})
    });
    let (mut mime_type, mut response_schema, mut tools, mut tool_config) = (None, None, None, None);
    if let (Output::Json(schema), Some(mode)) = (&request.output, asking.mode()) {
        let adapted = adapted(&schema.schema, asking.profile.schema);
        match mode {
            Structured::Native => {
                mime_type = Some(json!("application/json"));
                response_schema = Some(adapted);
            }
            Structured::Tool => {
                let function =
                    json!({"name": schema.name, "description": schema.description, "parametersJsonSchema": adapted});
                tools = Some(json!([{"functionDeclarations": [function]}]));
                let forced = json!({"mode": "ANY", "allowedFunctionNames": [schema.name]});
                tool_config = Some(json!({"functionCallingConfig": forced}));
            }
            Structured::Prompted => {}
        }
    }
    let generation = object([
        ("maxOutputTokens", Some(json!(request.max_output_tokens))),
        ("temperature", asking.temperature().map(json_f64)),
        ("seed", asking.seed().map(Value::from)),
        ("responseMimeType", mime_type),
        ("responseJsonSchema", response_schema),
    ]);
    let body = object([
        (
            "systemInstruction",
            Some(asking.system())
                .filter(|system| !system.is_empty())
                .map(|system| json!({"parts": [{"text": system}]})),
        ),
        ("contents", Some(contents.collect())),
        ("generationConfig", Some(generation)),
        ("tools", tools),
        ("toolConfig", tool_config),
    ]);
    let verb = if asking.streams { "streamGenerateContent?alt=sse" } else { "generateContent" };
    Outgoing { path: format!("/models/{}:{verb}", asking.profile.name.model), headers: Vec::new(), body }
}

pub(super) fn take_reply(gathered: &mut Gathered, body: &Value) -> Result<(), String> {
    if let Some(reason) = text_at(body, "/promptFeedback/blockReason") {
        gathered.refusal = format!("the prompt was blocked: {reason}");
        gathered.finish = Some(Finish::Refused);
    }
    take_usage(gathered, body);
    let Some(candidate) = body.pointer("/candidates/0") else {
        let is_known = gathered.finish.is_some() || body.get("usageMetadata").is_some();
        return if is_known { Ok(()) } else { Err("it has no candidates".to_owned()) };
    };
    for part in candidate.pointer("/content/parts").and_then(Value::as_array).into_iter().flatten() {
        // A summary of its thoughts is not part of the reply.
        if part.get("thought").and_then(Value::as_bool) != Some(true) {
            gathered.text.push_str(text_at(part, "/text").unwrap_or_default());
        }
        if let Some(call) = part.get("functionCall") {
            gathered.tools += 1;
            // Added, not replaced: a stream sends increments.
            gathered.arguments.push_str(&call.get("args").map(Value::to_string).unwrap_or_default());
        }
    }
    gathered.finish = text_at(candidate, "/finishReason").map(finish).or(gathered.finish);
    Ok(())
}

fn take_usage(gathered: &mut Gathered, body: &Value) {
    let sum = |fields: [&str; 2]| {
        let counted: Vec<u64> = fields.iter().filter_map(|at| number_at(body, at)).collect();
        counted.first().map(|_| counted.iter().fold(0, |sum: u64, tokens| sum.saturating_add(*tokens)))
    };
    let prompt = sum(["/usageMetadata/promptTokenCount", "/usageMetadata/toolUsePromptTokenCount"]);
    let completion = sum(["/usageMetadata/candidatesTokenCount", "/usageMetadata/thoughtsTokenCount"]);
    // It omits zeros.
    let rest = || number_at(body, "/usageMetadata/totalTokenCount")?.checked_sub(prompt?);
    gathered.count(prompt, completion.or_else(rest));
}

fn finish(reason: &str) -> Finish {
    match reason {
        "MAX_TOKENS" => Finish::Length,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE" => Finish::Refused,
        _ => Finish::Stop,
    }
}
