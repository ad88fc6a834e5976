//! Selecting the categories for a question, on one level under one parent (A8). Built in: those that hold the best hits of a search, then
//! the names most similar to it.

use super::Task;
use super::likeness::{nearness_of_question, with_likeness};
use super::whole_number::whole_number;
use crate::guard::SafeText;
use crate::prompt::{Part, Prompt, fill};
use recordar_domain::text::Language;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

const PROMPT: &str = include_str!("select.prompt.md");
/// Tokens of the JSON for each category.
const TOKENS_FOR_EACH: u32 = 256;

/// A category to choose from.
pub struct Choice {
    pub name: String,
    /// The names below it, for a method that only knows names.
    pub below: String,
    /// How much of the best hits of a search it holds, for the built-in method; 0 if nothing was searched.
    pub found: f64,
}

pub struct SelectTask<'a> {
    pub question: &'a SafeText,
    /// The names from the root down to the parent.
    pub path: Vec<String>,
    pub depth: u32,
    pub options: Vec<Choice>,
    /// Maximum number of selections.
    pub n: u32,
    pub language: Language,
    pub most_output_tokens: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Selected {
    pub category: String,
    /// From `n`, for the most relevant, downwards.
    pub ranked_relevance: u32,
}

impl Task for SelectTask<'_> {
    type Reply = Vec<Selected>;

    const NAME: &'static str = "select";
    const DESCRIPTION: &'static str = "The categories that the question leads to, with their ranks.";

    fn prompt(&self) -> Prompt {
        let option = |choice: &Choice| Part::all([Part::words("- "), Part::category(&choice.name)]);
        let options: Vec<Part> = self.options.iter().map(option).collect();
        let values = [
            ("n", Part::number(self.n)),
            ("question", Part::fenced(self.question)),
            ("level", Part::count(self.path.len() + 1)),
            ("depth", Part::number(self.depth)),
            ("under", Part::under(&self.path)),
            ("options", Part::join(&options, "\n")),
        ];
        fill(PROMPT, &values)
    }

    fn schema(&self) -> Value {
        let names: Vec<&str> = self.options.iter().map(|choice| choice.name.as_str()).collect();
        let ranks: Vec<u32> = (1..=self.n).rev().collect();
        json!({
            "type": "object",
            "properties": {
                "categories": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "category": {"type": "string", "enum": names},
                            "ranked_relevance": {"type": "integer", "enum": ranks},
                        },
                        "required": ["category", "ranked_relevance"],
                        "additionalProperties": false,
                    },
                    "minItems": 1,
                    "maxItems": self.most(),
                },
            },
            "required": ["categories"],
            "additionalProperties": false,
        })
    }

    fn max_output_tokens(&self) -> u32 {
        self.most_output_tokens.max(TOKENS_FOR_EACH.saturating_mul(self.most() as u32))
    }

    fn read(&self, value: &Value) -> Result<Vec<Selected>, String> {
        let mut selected: Vec<Selected> = Vec::new();
        for entry in value["categories"].as_array().into_iter().flatten() {
            let rank = whole_number(&entry["ranked_relevance"]).and_then(|rank| u32::try_from(rank).ok());
            let (Some(category), Some(ranked_relevance)) = (entry["category"].as_str(), rank) else { continue };
            selected.push(Selected { category: category.to_owned(), ranked_relevance });
        }
        selected.sort_by_key(|selected| std::cmp::Reverse(selected.ranked_relevance));
        for (place, next) in (0..).zip(&selected) {
            if next.ranked_relevance + place != self.n {
                let wanted = self.n.saturating_sub(place);
                return Err(format!("the ranks must go down from {} without a gap: {wanted} is missing", self.n));
            }
            if selected.iter().filter(|other| other.category == next.category).count() > 1 {
                return Err(format!("{:?} is there twice", next.category));
            }
        }
        Ok(selected)
    }

    /// The categories that hold the best hits of a search; then those whose names are most similar.
    fn built_in(&self) -> Vec<Selected> {
        let mut nearest: Vec<(f64, f64, usize)> = with_likeness(self.language, |likeness| {
            let question = likeness.name(self.question.as_str());
            let near = |(at, choice): (usize, &Choice)| {
                let about = likeness.name(&format!("{} {}", choice.name, choice.below));
                (choice.found, nearness_of_question(&question, &about), at)
            };
            self.options.iter().enumerate().map(near).collect()
        });
        nearest.sort_by(|(one_found, one, at), (other_found, other, next)| {
            other_found.total_cmp(one_found).then(other.total_cmp(one)).then(at.cmp(next))
        });
        let ranked = nearest.into_iter().take(self.most()).zip((1..=self.n).rev());
        let selected = |((_, _, at), ranked_relevance): ((f64, f64, usize), u32)| Selected {
            category: self.options[at].name.clone(),
            ranked_relevance,
        };
        ranked.map(selected).collect()
    }
}

impl SelectTask<'_> {
    fn most(&self) -> usize {
        self.options.len().min(self.n as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(n: u32) -> SelectTask<'static> {
        let choice = |name: &str, below: &str| Choice { name: name.to_owned(), below: below.to_owned(), found: 0.0 };
        SelectTask {
            question: Box::leak(Box::new(SafeText::given("Who keeps the bees?"))),
            path: vec!["Island".to_owned()],
            depth: 3,
            options: vec![choice("Lamps", "Oil Wick"), choice("Animals", "Bees Goats"), choice("Boats", "Sails")],
            n,
            language: Language::parse("english").unwrap(),
            most_output_tokens: 100,
        }
    }

    #[test]
    fn a8_the_selection_prompt_reads_as_written() {
        let Prompt { system, user, .. } = task(2).prompt();
        assert!(system.contains("at most 2") && system.contains("gets 2"));
        let expected = "Question:\n\"\"\"\nWho keeps the bees?\n\"\"\"\n\n\
            Level 2 of 3, under Island. Categories:\n- Lamps\n- Animals\n- Boats";
        assert_eq!(user, expected);
    }

    #[test]
    fn a8_r4_1_2_ranks_are_unique_and_go_down_from_n() {
        let entry = |(category, rank): (&str, u32)| json!({"category": category, "ranked_relevance": rank});
        let check = |n: u32, entries: &[(&str, u32)], expected: Result<&[&str], &str>| {
            let read = task(n).read(&json!({"categories": entries.iter().copied().map(entry).collect::<Vec<_>>()}));
            match (read, expected) {
                (Ok(read), Ok(expected)) => {
                    let names: Vec<&str> = read.iter().map(|selected| selected.category.as_str()).collect();
                    assert_eq!(names, expected, "{entries:?}");
                }
                (Err(why), Err(expected)) => assert!(why.contains(expected), "{entries:?}: {why}"),
                (read, _) => panic!("{entries:?}: {read:?}"),
            }
        };
        check(3, &[("Boats", 2), ("Lamps", 3), ("Animals", 1)], Ok(&["Lamps", "Boats", "Animals"]));
        check(3, &[("Boats", 3)], Ok(&["Boats"]));
        check(1, &[("Boats", 1)], Ok(&["Boats"]));
        check(3, &[("Boats", 2)], Err("3 is missing"));
        check(3, &[("Boats", 3), ("Lamps", 3)], Err("2 is missing"));
        check(3, &[("Boats", 3), ("Lamps", 1)], Err("2 is missing"));
        check(3, &[("Boats", 3), ("Boats", 2)], Err("twice"));
    }

    #[test]
    fn i19_tree_built_in_selects_what_holds_the_best_hits_before_what_is_named_like_the_question() {
        let mut task = task(2);
        task.options[2].found = 0.5;
        let names: Vec<String> = task.built_in().into_iter().map(|selected| selected.category).collect();
        assert_eq!(names, ["Boats", "Animals"]);
    }

    #[test]
    fn a8_built_in_selects_what_is_named_like_the_question() {
        let names = |n: u32| task(n).built_in().into_iter().map(|selected| selected.category).collect::<Vec<_>>();
        assert_eq!(names(1), ["Animals"]);
        assert_eq!(names(3)[0], "Animals");
        assert_eq!(task(9).built_in().iter().map(|selected| selected.ranked_relevance).collect::<Vec<_>>(), [9, 8, 7]);
    }
}
