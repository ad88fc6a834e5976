//! Classifying a batch of chunks on one level of the tree (A4, A5). Built in: the nearest name, or a new one from the chunk's main words.

use super::Task;
use super::likeness::{Likeness, Seen, Term, nearness_of_name, with_likeness};
use super::whole_number::whole_number;
use crate::guard::SafeText;
use crate::prompt::{Part, Prompt, fill};
use recordar_domain::text::Language;
use recordar_domain::{CategoryPlace, NewCategory};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

const PROMPT: &str = include_str!("classify.prompt.md");
const MAY_CREATE: &str = "Use a category that exists wherever one fits. Where none does, name a new one: short, general enough for other texts, \
     and not the same in other words.";
const MUST_CHOOSE: &str = "Choose from the categories that exist: no more can be made.";
/// Sent to a model whose reply was invalid.
const STRICTER: &str =
    " The reply before did not fit for these chunks: use each id once, and a category as it was asked for.";
/// Maximum characters of a new name, as the model is told.
const MAX_NAME_CHARS: usize = 60;
/// Tokens of a chunk in a reply: the name, a token for each character, and the surrounding JSON.
const TOKENS_FOR_EACH: u32 = 96;
/// Built in: from this similarity on, a name matches.
const NEAR_ENOUGH: f64 = 0.42;

pub struct TextToClassify<'a> {
    /// Its number in the batch, from 1; the same in every follow-up.
    pub id: usize,
    pub text: &'a SafeText,
    pub section: Option<&'a SafeText>,
}

pub struct ClassifyTask<'a> {
    pub helper: &'a SafeText,
    /// The names from the root to the current position of the chunks.
    pub path: Vec<String>,
    pub depth: u32,
    /// The names to choose from.
    pub options: Vec<String>,
    pub may_create: bool,
    pub chunks: Vec<TextToClassify<'a>>,
    pub is_retry: bool,
    pub language: Language,
    pub most_output_tokens: u32,
}

/// A name for each chunk, or what is wrong with its part of the reply.
pub(super) type Classified = Vec<Result<String, String>>;

impl Task for ClassifyTask<'_> {
    type Reply = Classified;

    const NAME: &'static str = "classify";
    const DESCRIPTION: &'static str = "The category of each chunk, by its id.";

    fn prompt(&self) -> Prompt {
        let chunk = |chunk: &TextToClassify<'_>| {
            Part::all([Part::words("Chunk "), Part::count(chunk.id), Part::words(":\n"), Part::fenced(chunk.text)])
        };
        let chunks: Vec<Part> = self.chunks.iter().map(chunk).collect();
        let option = |name: &String| Part::all([Part::words("- "), Part::category(name)]);
        let options: Vec<Part> = self.options.iter().map(option).collect();
        let options = if options.is_empty() { Part::words("(none yet)") } else { Part::join(&options, "\n") };
        let rule = Part::words(if self.may_create { MAY_CREATE } else { MUST_CHOOSE });
        let stricter = Part::words(if self.is_retry { STRICTER } else { "" });
        let values = [
            ("rule", Part::all([rule, stricter])),
            ("helper", Part::fenced(self.helper)),
            ("level", Part::number(self.level())),
            ("depth", Part::number(self.depth)),
            ("under", Part::under(&self.path)),
            ("options", options),
            ("chunks", Part::join(&chunks, "\n")),
        ];
        fill(PROMPT, &values)
    }

    fn schema(&self) -> Value {
        let ids: Vec<usize> = self.chunks.iter().map(|chunk| chunk.id).collect();
        let category = match self.may_create {
            true => json!({"type": "string", "minLength": 1, "maxLength": MAX_NAME_CHARS}),
            false => json!({"type": "string", "enum": self.options}),
        };
        shape(json!({"type": "integer", "enum": ids}), category, ids.len())
    }

    /// A chunk with an invalid entry is sent again on its own; the others keep theirs.
    fn held_to(&self) -> Option<Value> {
        let list = json!({"type": "array", "items": {"type": "object"}});
        let properties = json!({"chunks": list});
        let required = json!(["chunks"]);
        Some(json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false}))
    }

    fn max_output_tokens(&self) -> u32 {
        let needed = TOKENS_FOR_EACH.saturating_mul(self.chunks.len() as u32);
        self.most_output_tokens.max(needed)
    }

    fn read(&self, value: &Value) -> Result<Classified, String> {
        let mut by_id: BTreeMap<i64, Vec<&Value>> = BTreeMap::new();
        for entry in value["chunks"].as_array().into_iter().flatten() {
            match whole_number(&entry["id"]) {
                Some(id) if self.chunks.iter().any(|chunk| chunk.id as i64 == id) => {
                    by_id.entry(id).or_default().push(entry)
                }
                // Nobody asked for it, so the reply is not the one that was asked for.
                Some(id) => return Err(format!("id {id} is not one of the chunks")),
                None => return Err("an entry has no id that is a whole number".to_owned()),
            }
        }
        let read = |chunk: &TextToClassify<'_>| match by_id.get(&(chunk.id as i64)).map(Vec::as_slice) {
            None => Err(format!("id {} is missing", chunk.id)),
            Some([entry]) => self.category(entry),
            Some(_) => Err(format!("id {} is there twice", chunk.id)),
        };
        Ok(self.chunks.iter().map(read).collect())
    }

    fn built_in(&self) -> Classified {
        with_likeness(self.language, |likeness| {
            let mut options: Vec<(String, Rc<Seen>)> =
                self.options.iter().map(|name| (name.clone(), likeness.name(name))).collect();
            let above = likeness.name(&self.path.join(" "));
            self.chunks.iter().map(|chunk| Ok(self.nearest(chunk, &mut options, &above, likeness))).collect()
        })
    }
}

impl TextToClassify<'_> {
    fn section(&self) -> &str {
        self.section.map_or("", SafeText::as_str)
    }
}

impl ClassifyTask<'_> {
    pub fn level(&self) -> u32 {
        self.path.len() as u32 + 1
    }

    /// The category of an entry that has what was asked for, and nothing else.
    fn category(&self, entry: &Value) -> Result<String, String> {
        let known = ["id", "category"];
        if let Some(more) = entry.as_object().and_then(|entry| entry.keys().find(|key| !known.contains(&key.as_str())))
        {
            return Err(format!("{more:?} was not asked for"));
        }
        let category = entry["category"].as_str().ok_or_else(|| "its category is not a text".to_owned())?;
        self.name(category)
    }

    /// A valid name for a category.
    fn name(&self, category: &str) -> Result<String, String> {
        // The position does not matter for the validity of a name.
        let root: Option<CategoryPlace> = None;
        let name = NewCategory::check(category, root, self.depth).map_err(|invalid| invalid.what)?.name;
        if !self.may_create && !self.options.contains(&name) {
            return Err(format!("{name:?} is not one of the categories that exist"));
        }
        if self.may_create && !self.options.contains(&name) && category.chars().count() > MAX_NAME_CHARS {
            return Err(format!("a name has at most {MAX_NAME_CHARS} characters"));
        }
        Ok(name)
    }

    fn nearest(
        &self,
        chunk: &TextToClassify<'_>,
        options: &mut Vec<(String, Rc<Seen>)>,
        above: &Seen,
        likeness: &mut Likeness,
    ) -> String {
        let text = likeness.text(&format!("{}\n{}", chunk.section(), chunk.text.as_str()));
        // Near the root the source's description matters more; further down, the chunk's headings.
        let emphasis = if self.path.is_empty() { self.helper.as_str() } else { chunk.section() };
        let terms = text.terms(&likeness.name(emphasis));
        let best = options
            .iter()
            .map(|(name, option)| (nearness_of_name(option, &text.seen, &terms), name))
            .reduce(|best, next| if next.0.total_cmp(&best.0).is_gt() { next } else { best });
        if let Some((nearness, name)) = best
            && (!self.may_create || nearness >= NEAR_ENOUGH)
        {
            return name.clone();
        }
        let name = self.new_name(&terms, above);
        options.push((name.clone(), likeness.name(&name)));
        name
    }

    /// One word above the leaves, two for a leaf; none that already occurs in the path above.
    fn new_name(&self, terms: &[&Term], above: &Seen) -> String {
        const WITHOUT_WORDS: &str = "General";
        let count = if self.level() == self.depth { 2 } else { 1 };
        let fresh: Vec<String> = terms
            .iter()
            .filter(|term| !above.holds(&term.stem))
            .take(count)
            .map(|term| titled(&term.spelled))
            .collect();
        if fresh.is_empty() { WITHOUT_WORDS.to_owned() } else { fresh.join(" ") }
    }
}

fn shape(id: Value, category: Value, count: usize) -> Value {
    let chunks = json!({
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"id": id, "category": category},
            "required": ["id", "category"],
            "additionalProperties": false,
        },
        "minItems": count,
        "maxItems": count,
    });
    json!({
        "type": "object",
        "properties": {"chunks": chunks},
        "required": ["chunks"],
        "additionalProperties": false,
    })
}

fn titled(word: &str) -> String {
    // Two of them, and a space, have the bytes of a name.
    const MAX_BYTES: usize = 96;
    let mut letters = word[..word.floor_char_boundary(MAX_BYTES)].chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(chunks: &[&str], options: &[&str], may_create: bool) -> ClassifyTask<'static> {
        let kept = |text: &str| -> &'static SafeText { Box::leak(Box::new(SafeText::given(text))) };
        ClassifyTask {
            helper: kept("A handbook of lights."),
            path: vec!["Light".to_owned()],
            depth: 3,
            options: options.iter().map(|name| (*name).to_owned()).collect(),
            may_create,
            chunks: (1..)
                .zip(chunks)
                .map(|(id, text)| TextToClassify { id, text: kept(text), section: None })
                .collect(),
            is_retry: false,
            language: Language::parse("english").unwrap(),
            most_output_tokens: 100,
        }
    }

    #[test]
    fn a5_r2a_2_chunks_are_listed_in_the_exact_structure() {
        let Prompt { system, user, .. } =
            task(&["The lamp\nburns.", "Oil \"\"\" daily."], &["Lamps", "Oil"], true).prompt();
        assert!(system.contains("Use a category that exists") && !system.contains("did not fit"));
        let expected = "contextual_helper:\n\"\"\"\nA handbook of lights.\n\"\"\"\n\n\
            Level 2 of 3, under Light. Categories that exist here:\n- Lamps\n- Oil\n\n\
            Chunk 1:\n\"\"\"\nThe lamp\nburns.\n\"\"\"\nChunk 2:\n\"\"\"\nOil ''' daily.\n\"\"\"";
        assert_eq!(user, expected);
    }

    #[test]
    fn a4_r2_9_at_the_cap_the_schema_lists_what_may_be_chosen() {
        let forced = task(&["a"], &["Lamps", "Oil"], false);
        let category =
            |task: &ClassifyTask<'_>| task.schema()["properties"]["chunks"]["items"]["properties"]["category"].clone();
        assert_eq!(category(&forced)["enum"], json!(["Lamps", "Oil"]));
        assert!(forced.prompt().system.contains("no more can be made"));
        assert_eq!(category(&task(&["a"], &["Lamps"], true))["enum"], Value::Null);
        let read = |name: &str| forced.read(&json!({"chunks": [{"id": 1, "category": name}]})).unwrap().remove(0);
        assert_eq!(read("Oil"), Ok("Oil".to_owned()));
        assert!(read("Boats").unwrap_err().contains("not one of the categories"));
    }

    #[test]
    fn a5_r2a_9_a_chunk_that_does_not_fit_fails_alone() {
        let task = task(&["a", "b", "c", "d"], &[], true);
        let entry = |id: i64, category: &str| json!({"id": id, "category": category});
        let chunks = json!({"chunks": [entry(4, " Oil "), entry(2, "x"), entry(2, "y"), entry(3, "a\u{7}b")]});
        let read = task.read(&chunks).unwrap();
        assert!(read[0].as_ref().unwrap_err().contains("missing"));
        assert!(read[1].as_ref().unwrap_err().contains("twice"));
        assert!(read[2].is_err());
        assert_eq!(read[3], Ok("Oil".to_owned()));
    }

    #[test]
    fn i19_2_a_reply_that_breaks_its_schema_is_refused() {
        let task = task(&["a", "b"], &["Lamps"], true);
        let read = |entries: Value| task.read(&json!({"chunks": entries}));
        let good = json!({"id": 1, "category": "Lamps"});
        let first = |entry: Value| read(json!([entry, {"id": 2, "category": "Oil"}])).unwrap().remove(0);
        assert_eq!(first(good.clone()), Ok("Lamps".to_owned()));
        assert!(first(json!({"id": 1, "category": "x".repeat(61)})).unwrap_err().contains("60 characters"));
        assert_eq!(first(json!({"id": 1, "category": "x".repeat(60)})), Ok("x".repeat(60)));
        assert!(first(json!({"id": 1, "category": "Lamps", "text": "a"})).unwrap_err().contains("text"));
        assert!(first(json!({"id": 1, "category": 7})).is_err());
        assert!(first(json!({"id": 1})).is_err());
        // One entry too many is not a matter of one chunk.
        assert!(read(json!([good, {"id": 9, "category": "Oil"}])).unwrap_err().contains("id 9"));
        assert!(read(json!([good, {"category": "Oil"}])).is_err());
        assert_eq!(task.held_to().unwrap()["additionalProperties"], json!(false));
    }

    #[test]
    fn a4_built_in_chooses_what_is_near_and_names_what_is_new() {
        let texts = [
            "The lamp burns oil. The lamp is lit at dusk, and the wick of the lamp is trimmed.",
            "Bees are kept behind the tower. The hives of the bees face south, and bees give honey.",
            "The keeper lights the lamp every evening. A lamp without oil is dark.",
        ];
        let names: Vec<String> = task(&texts, &["Lamp"], true).built_in().into_iter().map(Result::unwrap).collect();
        assert_eq!((names[0].as_str(), names[2].as_str()), ("Lamp", "Lamp"));
        assert_ne!(names[1], "Lamp");
        let forced = task(&texts, &["Lamps", "Honey"], false).built_in();
        assert_eq!(forced, [Ok("Lamps".to_owned()), Ok("Honey".to_owned()), Ok("Lamps".to_owned())]);
        assert_eq!(task(&["..."], &[], true).built_in(), [Ok("General".to_owned())]);
    }
}
