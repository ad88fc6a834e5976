//! Composing again (I24.6): the same inputs give the same prompt, byte for byte, in any run, on any OS thread and on any database.

use crate::calling::call;
use crate::composing::{compose, prompt, store};
use crate::open;
use recordar::Recordar;
use recordar_testkit::{Engine, Random, TestDatabase, rounds};
use serde_json::{Value, json};

const THREADS: usize = 4;
const DOCUMENTS: usize = 12;

const SUBJECTS: [&str; 6] = ["pump", "gearbox", "valve", "engine", "hall", "boiler"];
const TRAITS: [&str; 6] = ["pressure", "torque", "noise", "weight", "colour", "temperature"];

struct Made(Random);

impl Made {
    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.0.below(all.len())]
    }

    /// Says something that other sentences may say too, or deny.
    fn sentence(&mut self) -> String {
        let (subject, of, number) = (self.one_of(&SUBJECTS), self.one_of(&TRAITS), self.0.below(9));
        match self.0.below(5) {
            0 => format!("The {of} of the {subject} must never exceed {number}."),
            1 => format!("The {of} of the {subject} is not known."),
            2 => format!("NVH of the {subject} was measured, and so was its {of}."),
            _ => format!("The {of} of the {subject} is {number}."),
        }
    }

    fn text(&mut self, sentences: usize) -> String {
        (0..sentences).map(|_| self.sentence()).collect::<Vec<_>>().join(" ")
    }

    /// A question, and how it is composed.
    fn question(&mut self) -> (String, Value) {
        let (subject, of) = (self.one_of(&SUBJECTS), self.one_of(&TRAITS));
        let query = match self.0.below(5) {
            0 => format!("Which {of} has the {subject}?"),
            1 => format!("And the {of}?"),
            2 => format!("Compare the {subject} with what document-{}.md says", self.0.below(DOCUMENTS)),
            3 => format!("What about vehicle acoustics and the {subject}?"),
            _ => "Please elaborate considerably further regarding everything".to_owned(),
        };
        let mut options = json!({"turns": self.0.below(4), "k": 1 + self.0.below(20)});
        let mut set = |key: &str, value: Value| drop(options.as_object_mut().unwrap().insert(key.to_owned(), value));
        if self.0.below(4) > 0 {
            set("thread", json!(format!("talk {}", self.0.below(3))));
        }
        if self.0.below(2) == 0 {
            let files: Vec<String> =
                (0..=self.0.below(2)).map(|_| format!("document-{}.md", self.0.below(DOCUMENTS))).collect();
            set("file", json!(files));
            set("pack", json!(self.0.below(2) == 0));
            set("lock", json!(self.0.below(6) == 0));
        }
        if self.0.below(3) == 0 {
            set("off", json!([format!("document-{}.md", self.0.below(DOCUMENTS))]));
        }
        if self.0.below(3) == 0 {
            set("synonyms", json!(["torque = turning moment", "noise = loudness"]));
        }
        if self.0.below(5) == 0 {
            set("search_type", json!(self.one_of(&["keyword", "semantic"])));
        }
        (query, options)
    }
}

/// A memory with all that a prompt can have, always the same.
fn filled(database: &TestDatabase) -> Recordar {
    let (memory, mut made) = (open(database), Made(Random(7)));
    let standing = [("rules", "Answer in English."), ("project", "A plant."), ("synonyms", "NVH = vehicle acoustics")];
    for (kind, text) in standing {
        call(&memory, "set_standing_text", json!({"kind": kind, "text": text, "operation": kind})).unwrap();
    }
    for number in 0..DOCUMENTS {
        let text = format!("# Part {number}\n\n{}\n\n# Limits\n\n{}\n", made.text(6), made.text(3));
        store(&memory, &format!("document-{number}"), &format!("document-{number}.md"), &text);
    }
    let message = |number: usize| {
        let role = if number.is_multiple_of(2) { "user" } else { "assistant" };
        let (text, thread) = (made.text(2), format!("talk {}", number / 30));
        let time = format!("2024-01-{:02}T10:{:02}:00Z", 1 + number / 20, number % 20);
        json!({"text": text, "thread": thread, "role": role, "time": time})
    };
    let messages: Vec<Value> = (0..90).map(message).collect();
    let stored = call(&memory, "remember", json!({"messages": messages, "operation": "said"})).unwrap();
    let important = json!({"item": stored["items"][5], "operation": "important"});
    call(&memory, "important", important).unwrap();
    let about = json!({"text": made.sentence(), "about": ["document-3.md"], "source": "external"});
    call(&memory, "remember", json!({"messages": [about], "operation": "about"})).unwrap();
    memory
}

/// The prompt and every decision.
fn composition(memory: &Recordar, (query, options): &(String, Value)) -> (String, Value) {
    let reply = compose(memory, query, options.clone());
    (prompt(&reply).to_owned(), reply["trace"].clone())
}

#[test]
fn i24_6_the_same_inputs_give_the_same_bytes_in_all_runs_threads_and_databases() {
    let mut made = Made(Random(11));
    let questions: Vec<(String, Value)> = (0..rounds(100, 1_000)).map(|_| made.question()).collect();
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = filled(&database);
    let first: Vec<(String, Value)> = questions.iter().map(|question| composition(&memory, question)).collect();
    let differing: std::collections::BTreeSet<&str> = first.iter().map(|(prompt, _)| prompt.as_str()).collect();
    assert!(differing.len() > questions.len() / 2, "they are not all the same prompt: {}", differing.len());
    let check = |memory: &Recordar, number: usize, place: &str| {
        let (prompt, trace) = composition(memory, &questions[number]);
        assert_eq!(first[number].0, prompt, "{place}, {:?}", questions[number]);
        assert_eq!(first[number].1, trace, "{place}, {:?}", questions[number]);
    };
    // At once, each OS thread in another order.
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (memory, check, all) = (&memory, &check, questions.len());
            scope.spawn(move || {
                (0..all)
                    .filter(|number| number % 2 == thread % 2)
                    .for_each(|number| check(memory, (number + thread * 31) % all, "another OS thread"));
            });
        }
    });
    memory.drop_indexes();
    let again = open(&database);
    (0..questions.len()).step_by(7).for_each(|number| {
        check(&memory, number, "indexes built again");
        check(&again, number, "opened again");
    });
    for engine in Engine::SERVERS {
        let database = TestDatabase::new(engine);
        let memory = filled(&database);
        (0..questions.len()).for_each(|number| check(&memory, number, &format!("{engine:?}")));
    }
}
