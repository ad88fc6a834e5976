//! What a request comes to (A2), by a model. The rules are in `recordar-compose`.

use super::Task;
use crate::guard::SafeText;
use crate::prompt::{Part, Prompt, fill};
use recordar_compose::Shape;
use serde_json::{Value, json};

const PROMPT: &str = include_str!("shape.prompt.md");
const MAX_OUTPUT_TOKENS: u32 = 512;
const MAX_NEED_BYTES: usize = 2_000;

pub struct ShapeTask<'a> {
    pub request: &'a SafeText,
    /// What the user said before, the newest first.
    pub said: &'a [SafeText],
    /// As rules read it.
    pub rules: &'a Shape,
}

impl Task for ShapeTask<'_> {
    type Reply = Shape;

    const NAME: &'static str = "shape";
    const DESCRIPTION: &'static str = "What the request comes to, and what must be known for it.";

    fn prompt(&self) -> Prompt {
        let said: Vec<Part> = self.said.iter().map(Part::fenced).collect();
        let said = if said.is_empty() { Part::words("(nothing)") } else { Part::join(&said, "\n") };
        fill(PROMPT, &[("said", said), ("request", Part::fenced(self.request))])
    }

    fn schema(&self) -> Value {
        json!({
            "type": "object",
            "properties": {
                "intent": {"type": "string", "enum": Shape::INTENTS},
                "deliverable": {"type": "string", "enum": Shape::DELIVERABLES},
                "depth": {"type": "string", "enum": Shape::DEPTHS},
                "format": {"type": "string", "enum": Shape::FORMATS},
                "need": {"type": "string"},
            },
            "required": ["intent", "deliverable", "depth", "format", "need"],
            "additionalProperties": false,
        })
    }

    fn max_output_tokens(&self) -> u32 {
        MAX_OUTPUT_TOKENS
    }

    fn read(&self, value: &Value) -> Result<Shape, String> {
        let text = |name: &str| value[name].as_str().map(str::to_owned).ok_or_else(|| format!("{name} is missing"));
        let need = text("need")?.split_whitespace().collect::<Vec<_>>().join(" ");
        if need.is_empty() || need.len() > MAX_NEED_BYTES {
            return Err(format!("need must be a sentence of at most {MAX_NEED_BYTES} bytes"));
        }
        let (intent, deliverable) = (text("intent")?, text("deliverable")?);
        let (depth, format) = (text("depth")?, text("format")?);
        Ok(Shape { intent, deliverable, depth, format, need, targets: self.rules.targets.clone() })
    }

    fn built_in(&self) -> Shape {
        self.rules.clone()
    }
}
