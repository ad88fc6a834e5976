//! Prompts are files: the system prompt, a line of dashes, and the user prompt with names in braces. Also parses replies.

use serde_json::Value;

pub(crate) struct Prompt {
    pub(crate) system: String,
    pub(crate) user: String,
}

/// Fills in a prompt file in one pass, so a value is never read as part of the prompt.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> Prompt {
    let (system, user) = template.split_once("\n---\n").unwrap_or((template, ""));
    Prompt { system: filled(system.trim(), values), user: filled(user.trim(), values) }
}

fn filled(template: &str, values: &[(&str, &str)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((name, after)) = after.split_once('}') else { break };
        text.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value));
        rest = after;
    }
    text.push_str(rest);
    text
}

/// A text between fences, which it cannot close.
pub(super) fn fenced(text: &str) -> String {
    format!("\"\"\"\n{}\n\"\"\"", text.replace("\"\"\"", "'''"))
}

/// A number as a schema takes it for whole: 1, and also 1.0.
pub(super) fn whole_number(value: &Value) -> Option<i64> {
    let whole = |number: f64| (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64);
    value.as_i64().or_else(|| whole(value.as_f64()?))
}
