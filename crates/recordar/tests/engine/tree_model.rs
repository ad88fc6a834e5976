//! A model that knows the tasks of the tree and replies as a test tells it to.

use recordar_testkit::{Answer, ModelServer, Received};
use serde_json::{Value, json};

pub(crate) const KEY: &str = "sk-test-tree-0123456789";

/// What a model was asked.
pub(crate) struct Asked {
    /// `classify`, `select`, `helper`, `summarise` or `answer`.
    pub(crate) task: String,
    pub(crate) system: String,
    pub(crate) user: String,
    pub(crate) schema: Value,
}

impl Asked {
    pub(crate) fn of(received: &Received) -> Self {
        let body: Value = serde_json::from_str(&received.body).unwrap();
        let message = |role: &str| {
            let messages = body["messages"].as_array().unwrap();
            let found = messages.iter().find(|message| message["role"] == role);
            found.map_or(String::new(), |message| message["content"].as_str().unwrap().to_owned())
        };
        let format = &body["response_format"]["json_schema"];
        Self {
            task: format["name"].as_str().unwrap_or_default().to_owned(),
            system: message("system"),
            user: message("user"),
            schema: format["schema"].clone(),
        }
    }

    /// The chunks of a batch: their ids and texts.
    pub(crate) fn chunks(&self) -> Vec<(i64, String)> {
        let mut chunks = Vec::new();
        for part in format!("\n{}", self.user).split("\nChunk ").skip(1) {
            let (id, rest) = part.split_once(':').unwrap();
            let text = rest.split("\"\"\"\n").nth(1).unwrap_or_default();
            let id = id.split(' ').next().unwrap();
            chunks.push((id.parse().unwrap(), text.trim_end().to_owned()));
        }
        chunks
    }

    /// The names that are offered.
    pub(crate) fn options(&self) -> Vec<String> {
        let (_, list) = self.user.split_once("ategories").unwrap();
        list.lines().filter_map(|line| line.strip_prefix("- ")).map(str::to_owned).collect()
    }

    pub(crate) fn level(&self) -> usize {
        let (_, rest) = self.user.split_once("Level ").unwrap();
        rest.split(' ').next().unwrap().parse().unwrap()
    }
}

/// A server that replies to each task. What it is not told to do it does in a plain way: it classifies by the word after `L1:`, `L2:` and
/// so on, and selects the first names.
pub(crate) fn model(reply: impl Fn(&Asked) -> Option<Value> + Send + Sync + 'static) -> ModelServer {
    ModelServer::start(move |received| {
        let asked = Asked::of(received);
        completion(&reply(&asked).unwrap_or_else(|| plain(&asked)).to_string())
    })
}

/// A reply as OpenAI gives it.
pub(crate) fn completion(content: &str) -> Answer {
    Answer::json(json!({
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}],
        "usage": {"prompt_tokens": 50, "completion_tokens": 20},
    }))
}

pub(crate) fn plain(asked: &Asked) -> Value {
    match asked.task.as_str() {
        "classify" => classified(asked, |text| by_rule(text, asked.level())),
        "select" => selected(&asked.options(), most(asked)),
        "helper" => json!({"author": "Ada", "date": "unknown", "topic": "Lights", "summary": "Notes on lights."}),
        "summarise" => {
            let words = "The lamp burns all night long. ".repeat(20);
            let short = |id| words.chars().take(target(asked, id)).collect::<String>();
            let summary = |(id, _): (i64, String)| json!({"chunk_id": id, "summary": short(id)});
            json!({"summaries": asked.chunks().into_iter().map(summary).collect::<Vec<_>>()})
        }
        _ => json!({"answer": "It is so."}),
    }
}

/// The word that a chunk names for a level.
pub(crate) fn by_rule(text: &str, level: usize) -> String {
    let mark = format!("L{level}:");
    let word = text.split_whitespace().find_map(|word| word.strip_prefix(&mark));
    word.unwrap_or("Other").trim_end_matches('.').to_owned()
}

pub(crate) fn classified(asked: &Asked, name: impl Fn(&str) -> String) -> Value {
    let entry = |(id, text): (i64, String)| json!({"id": id, "category": name(&text)});
    json!({"chunks": asked.chunks().into_iter().map(entry).collect::<Vec<_>>()})
}

pub(crate) fn selected(names: &[String], most: u64) -> Value {
    let ranked: Vec<Value> = names
        .iter()
        .zip((1..=most).rev())
        .map(|(name, rank)| json!({"category": name, "ranked_relevance": rank}))
        .collect();
    json!({"categories": ranked})
}

/// N of a selection.
pub(crate) fn most(asked: &Asked) -> u64 {
    let ranks = &asked.schema["properties"]["categories"]["items"]["properties"]["ranked_relevance"]["enum"];
    ranks.as_array().unwrap().len() as u64
}

fn target(asked: &Asked, id: i64) -> usize {
    let (_, rest) = asked.user.split_once(&format!("Chunk {id} (")).unwrap();
    let (_, target) = rest.split_once("target_chars=").unwrap();
    target.split(')').next().unwrap().parse().unwrap()
}

/// A configuration with this model, short chunks, and no patience.
pub(crate) fn with_tree(server: &ModelServer, more: &str) -> String {
    format!(
        "{SHORT_CHUNKS}[llm]\nprovider = \"compatible\"\nmodel = \"small\"\nstructured = \"native\"\nbase_url = {:?}\napi_key = {KEY:?}\n\
         retries = 0\nretry_wait_ms = 1\nrepairs = 1\nmax_output_tokens = 256\n{more}",
        server.url()
    )
}

/// One line is one chunk.
pub(crate) const SHORT_CHUNKS: &str =
    "[chunking]\nchunk_min_tokens = 8\nchunk_max_tokens = 24\ndelimiters = [\"\\n\"]\n";

/// A text of so many lines, each a chunk that names its place.
pub(crate) fn lines(places: &[[&str; 3]]) -> String {
    let line = |(number, [one, two, three]): (usize, &[&str; 3])| {
        format!("Note {number} says that L1:{one} L2:{two} L3:{three} is where it belongs.\n")
    };
    (1..).zip(places).map(line).collect()
}

/// What was asked so far.
pub(crate) fn asked(server: &ModelServer, task: &str) -> Vec<Asked> {
    server.received().iter().map(Asked::of).filter(|asked| asked.task == task).collect()
}
