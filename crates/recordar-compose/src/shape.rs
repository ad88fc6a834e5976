//! A2 by rules: what a prompt asks for, and what must be known for it. It runs before retrieval and once more after it, never a third time.

use crate::context::CondensedContext;
use crate::stems::Reader;
use schemars::JsonSchema;
use serde::Serialize;

/// What a prompt asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Shape {
    /// What is to be done: `explain`, `find`, `compare`, `decide`, `plan`, `write`, `change`, `summarise` or `answer`.
    pub intent: String,
    /// What is to come out of it: `code`, `specification`, `plan` or `text`.
    pub deliverable: String,
    /// `brief`, `normal` or `thorough`.
    pub depth: String,
    /// `prose`, `list`, `table` or `code`.
    pub format: String,
    /// What must be known, restated so that a passage can be held against it.
    pub need: String,
    /// The files that the prompt is about.
    pub targets: Vec<String>,
}

/// What A2 reads besides the prompt.
#[derive(Debug, Clone, Copy, Default)]
pub struct ShapeFrom<'a> {
    /// What the user said before, the newest first.
    pub said: &'a [&'a str],
    /// The names of files that exist.
    pub files: &'a [&'a str],
}

/// At most this many files are looked into because a text names them.
const MAX_TARGETS: usize = 4;
const MAX_SAID_BYTES: usize = 600;

/// A prompt with fewer words that count may go on from the one before.
const FEW_WORDS: usize = 2;

/// The first word of a prompt that is in this table decides.
const INTENTS: [(&str, &[&str]); 8] = [
    ("compare", &["compare", "difference", "differences", "versus", "vs"]),
    ("summarise", &["summarise", "summarize", "summary", "tl;dr", "overview"]),
    ("change", &["fix", "refactor", "change", "rename", "migrate", "update", "correct", "debug", "repair"]),
    ("plan", &["plan", "roadmap", "schedule", "steps"]),
    ("write", &["write", "draft", "implement", "create", "generate", "design", "build", "add"]),
    ("decide", &["should", "decide", "choose", "recommend", "better", "best"]),
    ("explain", &["explain", "why", "how"]),
    ("find", &["find", "where", "which", "who", "when", "list"]),
];

const DELIVERABLES: [(&str, &[&str]); 3] = [
    ("code", &["code", "function", "script", "class", "implement", "refactor", "sql", "regex", "program", "debug"]),
    ("specification", &["spec", "specification", "requirements", "interface", "schema"]),
    ("plan", &["plan", "roadmap", "schedule"]),
];

const DEPTHS: [(&str, &[&str]); 2] = [
    ("brief", &["brief", "briefly", "short", "shortly", "quick", "one-line"]),
    ("thorough", &["thorough", "thoroughly", "detail", "detailed", "details", "comprehensive", "in-depth", "complete"]),
];

const FORMATS: [(&str, &[&str]); 2] = [("table", &["table"]), ("list", &["list", "bullets", "bullet", "steps"])];

/// A prompt that begins so goes on from the one before.
const GOES_ON: [&str; 12] =
    ["and", "but", "so", "then", "what about", "how about", "it", "that", "this", "these", "those", "why not"];

impl Shape {
    pub const INTENTS: [&'static str; 9] =
        ["explain", "find", "compare", "decide", "plan", "write", "change", "summarise", "answer"];
    pub const DELIVERABLES: [&'static str; 4] = ["code", "specification", "plan", "text"];
    pub const DEPTHS: [&'static str; 3] = ["brief", "normal", "thorough"];
    pub const FORMATS: [&'static str; 4] = ["prose", "list", "table", "code"];

    /// The first pass, before anything is retrieved.
    pub fn first(prompt: &str, from: ShapeFrom<'_>, reader: &mut Reader) -> Self {
        let words = words(prompt);
        let intent = first_of(&INTENTS, &words).unwrap_or("answer");
        let is_asked = |deliverable: &&str| *deliverable != "plan" || intent == "plan";
        let deliverable = first_of(&DELIVERABLES, &words).filter(is_asked).unwrap_or("text");
        let format = first_of(&FORMATS, &words).unwrap_or(if deliverable == "code" { "code" } else { "prose" });
        Self {
            intent: intent.to_owned(),
            deliverable: deliverable.to_owned(),
            depth: first_of(&DEPTHS, &words).unwrap_or("normal").to_owned(),
            format: format.to_owned(),
            need: restated(prompt, from, reader),
            targets: targets(prompt, from.files),
        }
    }

    /// The second pass, after condensing. What was found may show that the prompt is about more than its words: what the conversation is
    /// about, or a file that the found text names. Rules, project memory and the lock are not its business.
    pub fn audit(&self, context: &CondensedContext, from: ShapeFrom<'_>, reader: &mut Reader) -> Self {
        let mut shape = self.clone();
        let has_little = context.len() < 2;
        if has_little && let Some(before) = from.said.first() {
            let more = reader.asked(beginning(before)).into_iter().map(|(word, _)| word).collect::<Vec<_>>().join(" ");
            if !more.is_empty() && !shape.need.contains(&more) {
                shape.need = format!("{} {more}", shape.need);
            }
        }
        if has_little && shape.depth == "normal" {
            shape.depth = "brief".to_owned();
        }
        let facts = context.facts.iter().chain(&context.constraints);
        for named in facts.flat_map(|fact| targets(&fact.text, from.files)) {
            let is_source = context.sources.iter().any(|source| source.document.ends_with(&named));
            if !is_source && !shape.targets.contains(&named) && shape.targets.len() < MAX_TARGETS {
                shape.targets.push(named);
            }
        }
        shape
    }

    /// Why retrieval may run once more (ORC-04.1): intent or domain, the set of files, or the deliverable changed. Depth and format do not
    /// count.
    pub fn scope_change(&self, after: &Self) -> Option<&'static str> {
        match () {
            () if self.intent != after.intent => Some("intent"),
            () if self.need != after.need => Some("domain"),
            () if self.targets != after.targets => Some("targets"),
            () if self.deliverable != after.deliverable => Some("deliverable"),
            () => None,
        }
    }
}

/// The prompt; and if it goes on from what was said before, the words of that too.
fn restated(prompt: &str, from: ShapeFrom<'_>, reader: &mut Reader) -> String {
    let counting = reader.asked(prompt).len();
    let plain = prompt.trim().to_lowercase();
    let goes_on = GOES_ON
        .iter()
        .any(|start| plain.strip_prefix(start).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)));
    match from.said.first() {
        Some(before) if counting < FEW_WORDS || goes_on => format!("{} {}", prompt.trim(), beginning(before)),
        _ => prompt.trim().to_owned(),
    }
}

/// Whether a text may name a file.
pub fn may_name_files(text: &str) -> bool {
    file_like(text).next().is_some()
}

/// The files that a text names, by their name or the end of their path.
fn targets(text: &str, files: &[&str]) -> Vec<String> {
    let named: Vec<&str> = file_like(text).collect();
    let is_named = |file: &&&str| {
        let ends =
            |word: &&str| file.strip_suffix(word).is_some_and(|before| before.is_empty() || before.ends_with('/'));
        named.iter().any(ends)
    };
    files.iter().filter(is_named).take(MAX_TARGETS).map(|file| (*file).to_owned()).collect()
}

/// As much of what was said before as a prompt may go on from.
fn beginning(said: &str) -> &str {
    said[..said.floor_char_boundary(MAX_SAID_BYTES.min(said.len()))].trim()
}

/// Words with a full stop inside, such as `a.md` and `docs/b.rs`.
fn file_like(text: &str) -> impl Iterator<Item = &str> {
    let is_mark = |c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | '`' | ',' | ';' | '(' | ')' | '[' | ']' | '<' | '>' | '?' | '!')
    };
    let words = text.split(is_mark).map(|word| word.trim_matches(['.', ':']));
    words.filter(|word| word.contains('.') && word.contains(char::is_alphabetic))
}

fn words(text: &str) -> Vec<String> {
    let word = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    text.split_whitespace().map(word).filter(|word| !word.is_empty()).collect()
}

fn first_of(table: &[(&'static str, &[&str])], words: &[String]) -> Option<&'static str> {
    let named = |word: &String| table.iter().find(|(_, named)| named.contains(&word.as_str())).map(|(name, _)| *name);
    words.iter().find_map(named)
}

#[cfg(test)]
mod tests {
    use super::*;
    use recordar_domain::text::Language;

    fn first(prompt: &str, said: &[&str], files: &[&str]) -> Shape {
        Shape::first(prompt, ShapeFrom { said, files }, &mut Reader::new(Language::ENGLISH))
    }

    #[test]
    fn orc_02_the_first_pass_reads_intent_deliverable_and_targets() {
        let shape = first("Write a function that parses docs/a.md, briefly", &[], &["docs/a.md", "docs/b.md"]);
        assert_eq!(
            (&*shape.intent, &*shape.deliverable, &*shape.depth, &*shape.format),
            ("write", "code", "brief", "code")
        );
        assert_eq!(shape.targets, ["docs/a.md"]);
        assert_eq!(first("Why does the pump stop?", &[], &[]).intent, "explain");
        assert_eq!(first("Hello", &[], &[]).intent, "answer");
        let which = first("Which plan fits 12 machines?", &[], &[]);
        assert_eq!((&*which.intent, &*which.deliverable), ("find", "text"));
    }

    #[test]
    fn ch_11_a_prompt_that_goes_on_is_restated_with_what_was_said() {
        assert_eq!(
            first("And in winter?", &["What pressure does the pump need?"], &[]).need,
            "And in winter? What pressure does the pump need?"
        );
        assert_eq!(
            first("What pressure does the large pump need in winter?", &["Hello there"], &[]).need,
            "What pressure does the large pump need in winter?"
        );
        assert!(!first("Android phones with long battery life", &["Hello there"], &[]).need.contains("Hello"));
    }

    #[test]
    fn orc_04_1_only_material_changes_permit_a_rerun() {
        let shape = first("Explain the pump", &[], &[]);
        let with = |change: &dyn Fn(&mut Shape)| {
            let mut after = shape.clone();
            change(&mut after);
            shape.scope_change(&after)
        };
        assert_eq!(with(&|shape| shape.depth = "thorough".into()), None);
        assert_eq!(with(&|shape| shape.format = "table".into()), None);
        assert_eq!(with(&|shape| shape.intent = "plan".into()), Some("intent"));
        assert_eq!(with(&|shape| shape.need.push_str(" torque")), Some("domain"));
        assert_eq!(with(&|shape| shape.targets.push("a.md".into())), Some("targets"));
        assert_eq!(with(&|shape| shape.deliverable = "code".into()), Some("deliverable"));
    }

    #[test]
    fn orc_03_the_audit_changes_scope_only_by_what_was_found() {
        let mut reader = Reader::new(Language::ENGLISH);
        let shape = first("Which pump pressure is allowed in the large hall?", &[], &[]);
        let from = ShapeFrom { said: &[], files: &[] };
        let same = shape.audit(&CondensedContext::default(), from, &mut reader);
        assert_eq!(shape.scope_change(&same), None);
        let said = ["We talk about the Grundfos model"];
        let wider = shape.audit(&CondensedContext::default(), ShapeFrom { said: &said, files: &[] }, &mut reader);
        assert_eq!(shape.scope_change(&wider), Some("domain"));
        assert!(wider.need.contains("Grundfos"));
    }
}
