//! Replies in the three wire formats, made of a text, an end and a usage, any of which may be nonsense.

use serde_json::{Value, json};

/// One model for each wire format.
pub(crate) const PROVIDERS: [(&str, &str); 3] =
    [("openai", "gpt-4o-mini"), ("anthropic", "claude-sonnet-4-5"), ("gemini", "gemini-2.5-flash")];

#[derive(Debug, Clone)]
pub(crate) struct Reply {
    pub(crate) text: String,
    /// As the arguments of a tool.
    pub(crate) is_tool: bool,
    /// As OpenAI calls it; nothing where the reply does not say how it ended.
    pub(crate) finish: Option<String>,
    /// Tokens of the prompt and of the reply, if they are told.
    pub(crate) usage: Option<[Value; 2]>,
}

impl Reply {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_tool: false, finish: Some("stop".to_owned()), usage: Some([json!(12), json!(9)]) }
    }

    pub(crate) fn counted(self, prompt: u64, completion: u64) -> Self {
        Self { usage: Some([json!(prompt), json!(completion)]), ..self }
    }

    pub(crate) fn uncounted(self) -> Self {
        Self { usage: None, ..self }
    }

    /// The whole reply.
    pub(crate) fn body(&self, provider: &str) -> Value {
        let usage = self.usage(provider);
        match provider {
            "anthropic" => {
                let block = match self.is_tool {
                    true => json!({"type": "tool_use", "id": "t", "name": "sort", "input": self.arguments()}),
                    false => json!({"type": "text", "text": self.text}),
                };
                json!({"type": "message", "content": [block], "stop_reason": self.finish(provider), "usage": usage})
            }
            "gemini" => json!({"candidates": [self.candidate(&self.text, true)], "usageMetadata": usage}),
            _ => {
                let function = json!({"name": "sort", "arguments": self.text});
                let message = match self.is_tool {
                    true => json!({"role": "assistant", "content": null, "tool_calls": [{"function": function}]}),
                    false => json!({"role": "assistant", "content": self.text}),
                };
                let choice = json!({"index": 0, "message": message, "finish_reason": self.finish(provider)});
                json!({"choices": [choice], "usage": usage})
            }
        }
    }

    /// The same as a stream of events, with the text in pieces of so many characters.
    pub(crate) fn stream(&self, provider: &str, size: usize) -> String {
        self.events(provider, size).iter().map(|event| format!("data: {event}\n\n")).collect()
    }

    fn events(&self, provider: &str, size: usize) -> Vec<Value> {
        let characters: Vec<char> = self.text.chars().collect();
        let pieces = characters.chunks(size.max(1)).map(|piece| piece.iter().collect::<String>());
        let usage = self.usage(provider);
        match provider {
            "anthropic" => {
                let kind = if self.is_tool { "tool_use" } else { "text" };
                let start = [
                    json!({"type": "message_start", "message": {"usage": usage}}),
                    json!({"type": "content_block_start", "index": 0, "content_block": {"type": kind, "text": ""}}),
                ];
                let deltas = pieces.map(|piece| match self.is_tool {
                    true => json!({"type": "content_block_delta", "delta": {"partial_json": piece}}),
                    false => json!({"type": "content_block_delta", "delta": {"text": piece}}),
                });
                let end =
                    json!({"type": "message_delta", "delta": {"stop_reason": self.finish(provider)}, "usage": usage});
                start.into_iter().chain(deltas).chain([end, json!({"type": "message_stop"})]).collect()
            }
            "gemini" => {
                let last = json!({"candidates": [self.candidate("", true)], "usageMetadata": usage});
                if self.is_tool {
                    return vec![json!({"candidates": [self.candidate(&self.text, true)], "usageMetadata": usage})];
                }
                pieces.map(|piece| json!({"candidates": [self.candidate(&piece, false)]})).chain([last]).collect()
            }
            _ => {
                let deltas = pieces.map(|piece| match self.is_tool {
                    true => json!({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}),
                    false => json!({"content": piece}),
                });
                let choices = deltas.map(|delta| json!({"choices": [{"index": 0, "delta": delta}]}));
                let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": self.finish(provider)}]});
                choices.chain([end, json!({"choices": [], "usage": usage})]).collect()
            }
        }
    }

    fn candidate(&self, text: &str, is_last: bool) -> Value {
        let part = match self.is_tool && !text.is_empty() {
            true => json!({"functionCall": {"name": "sort", "args": self.arguments()}}),
            false => json!({"text": text}),
        };
        let finish = if is_last { self.finish("gemini") } else { Value::Null };
        json!({"content": {"role": "model", "parts": [part]}, "finishReason": finish})
    }

    /// What is no JSON is sent as a text, as a model that misunderstood would.
    fn arguments(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| json!(self.text))
    }

    fn usage(&self, provider: &str) -> Value {
        let Some([prompt, completion]) = &self.usage else { return Value::Null };
        match provider {
            "anthropic" => json!({"input_tokens": prompt, "output_tokens": completion}),
            "gemini" => json!({"promptTokenCount": prompt, "candidatesTokenCount": completion}),
            _ => json!({"prompt_tokens": prompt, "completion_tokens": completion}),
        }
    }

    fn finish(&self, provider: &str) -> Value {
        json!(self.finish.as_deref().map(|finish| match (provider, finish) {
            ("anthropic", "stop") => "end_turn",
            ("anthropic", "length") => "max_tokens",
            ("anthropic", "content_filter") => "refusal",
            ("gemini", "stop") => "STOP",
            ("gemini", "length") => "MAX_TOKENS",
            ("gemini", "content_filter") => "SAFETY",
            (_, other) => other,
        }))
    }
}
