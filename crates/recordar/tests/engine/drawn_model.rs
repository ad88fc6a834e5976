//! A model on loopback for the tasks of the tree: it sees in a request which task it is, and what the schema leaves it to say.

use recordar_testkit::{Answer, Received};
use serde_json::{Value, json};

/// A request, as far as a model needs to understand it.
pub(crate) struct Asked {
    pub(crate) task: String,
    pub(crate) schema: Value,
    /// The first words of the user.
    pub(crate) user: String,
    is_tool: bool,
}

impl Asked {
    pub(crate) fn read(received: &Received) -> Self {
        let body: Value = serde_json::from_str(&received.body).unwrap();
        let (native, tool) = (&body["response_format"]["json_schema"], &body["tools"][0]["function"]);
        let (named, schema) = if native.is_object() { (native, "schema") } else { (tool, "parameters") };
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        Self {
            task: text(&named["name"]),
            schema: named[schema].clone(),
            user: text(&body["messages"][1]["content"]),
            is_tool: tool.is_object(),
        }
    }

    /// What may be said in a field of the entries of a list, where that is told.
    pub(crate) fn allowed(&self, list: &str, field: &str) -> Option<Vec<Value>> {
        let field = &self.schema["properties"][list]["items"]["properties"][field];
        field["enum"].as_array().cloned()
    }

    /// The names that a classification may choose from, where it must.
    pub(crate) fn forced(&self) -> Option<Vec<String>> {
        Some(self.allowed("chunks", "category")?.iter().map(|name| name.as_str().unwrap().to_owned()).collect())
    }

    /// The level that is asked about, from 1; and the names above it.
    pub(crate) fn level(&self) -> (usize, String) {
        let line = self.user.lines().find_map(|line| line.strip_prefix("Level ")).unwrap();
        let (level, rest) = line.split_once(" of ").unwrap();
        let under = rest.split_once(", under ").map_or("", |(_, under)| under.split_once(". Categories").unwrap().0);
        (level.parse().unwrap(), under.to_owned())
    }

    /// The names that are offered.
    pub(crate) fn options(&self) -> Vec<String> {
        let Some((_, list)) = self.user.split_once("Categories") else { return Vec::new() };
        list.lines().skip(1).map_while(|line| line.strip_prefix("- ")).map(str::to_owned).collect()
    }

    /// The chunks to be classified, by their ids.
    pub(crate) fn chunks(&self) -> Vec<(i64, String)> {
        let read = |part: &str| {
            let (id, text) = part.split_once(":\n\"\"\"\n")?;
            Some((id.parse().ok()?, text.split_once("\n\"\"\"")?.0.to_owned()))
        };
        self.user.split("Chunk ").filter_map(read).collect()
    }

    /// A reply that fits. `name` says the category of a chunk.
    pub(crate) fn honest(&self, mut name: impl FnMut(&str) -> String) -> Value {
        match self.task.as_str() {
            "classify" => {
                let entry = |(id, text): (i64, String)| json!({"id": id, "category": name(&text)});
                json!({"chunks": self.chunks().into_iter().map(entry).collect::<Vec<_>>()})
            }
            "select" => {
                let names = self.allowed("categories", "category").unwrap();
                let ranks = self.allowed("categories", "ranked_relevance").unwrap();
                let entry = |(name, rank)| json!({"category": name, "ranked_relevance": rank});
                json!({"categories": names.into_iter().zip(ranks).map(entry).collect::<Vec<_>>()})
            }
            "helper" => json!({"author": "Ada", "date": "unknown", "topic": "Lamps", "summary": "What is kept."}),
            "summarise" => {
                let entry = |id| json!({"chunk_id": id, "summary": "Kept."});
                let ids = self.allowed("summaries", "chunk_id").unwrap();
                json!({"summaries": ids.into_iter().map(entry).collect::<Vec<_>>()})
            }
            "answer" => json!({"answer": "It is kept dry."}),
            other => panic!("{other} is no task of the tree"),
        }
    }

    /// A text as this request wants it.
    pub(crate) fn reply(&self, text: &str) -> Answer {
        let function = json!({"name": self.task, "arguments": text});
        let message = match self.is_tool {
            true => json!({"role": "assistant", "content": null, "tool_calls": [{"function": function}]}),
            false => json!({"role": "assistant", "content": text}),
        };
        let choice = json!({"index": 0, "finish_reason": "stop", "message": message});
        Answer::json(json!({"choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": 9}}))
    }
}

/// A configuration with a model at a server, small chunks, and no patience.
pub(crate) fn with_model(url: &str, more: &str) -> String {
    format!(
        "{SMALL_CHUNKS}[llm]\nprovider = \"compatible\"\nmodel = \"small\"\nbase_url = {url:?}\nretry_wait_ms = 1\n\
         max_output_tokens = 400\ntimeout_seconds = 60\n{more}"
    )
}

pub(crate) const SMALL_CHUNKS: &str = "[chunking]\nchunk_min_tokens = 8\nchunk_max_tokens = 24\n";
