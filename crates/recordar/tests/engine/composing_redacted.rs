//! Redaction of composed prompts (I24.4): whatever personal data is stored or typed, and wherever, no model is sent any of it.

use crate::calling::call;
use crate::composing::{composed, saying, with_model};
use crate::open_with;
use recordar::Recordar;
use recordar_testkit::{Engine, ModelServer, Random, TestDatabase, rounds};
use regex::Regex;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Compositions with one store.
const PER_STORE: usize = 50;

/// What redaction covers: the built-in patterns, and those of `CUSTOM`.
const COVERED: [&str; 3] = [
    r"(?-u)\b\d{3}-\d{2}-\d{4}\b",
    r"(?-u)\b\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}\b",
    r"[\p{Latin}\p{Greek}\p{Cyrillic}\p{M}0-9._%+-]+@[\p{Latin}\p{Greek}\p{Cyrillic}\p{M}0-9.-]+\.[\p{Latin}\p{Greek}\p{Cyrillic}]{2,}",
];
const CUSTOM: [&str; 2] = [r"sk-test-[0-9a-z]{12}", r"\+\d{2}[ -]?\d{3}[ -]?\d{6}"];

/// How a secret is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    Plain,
    /// With a character inside that is not seen.
    Hidden,
    /// With a line break or a tab between two of its groups.
    Split,
    /// With more, or other, spaces between two of its groups than the pattern allows.
    Spaced,
}

/// Not seen, and taken out of prompts.
const UNSEEN: [char; 6] = ['\u{200b}', '\u{ad}', '\u{2060}', '\u{feff}', '\u{202e}', '\u{200e}'];
const BREAKS: [&str; 6] = ["\n", "\r\n", "\t", "\u{2028}", "\u{85}", "\u{b}"];
const SPACES: [&str; 6] = ["  ", "\u{a0}", "\u{2009}", " \n", "\n\n", "\u{3000}"];

/// Where a secret is.
const PLACES: [&str; 17] = [
    "rules",
    "project",
    "synonyms",
    "file",
    "filename",
    "heading",
    "chunk",
    "chunkname",
    "chunkheading",
    "message",
    "speaker",
    "thread",
    "fact",
    "query",
    "task",
    "mode",
    "edited",
];

struct Planted {
    place: &'static str,
    how: How,
    spelled: String,
    /// Its letters and digits.
    whole: String,
}

/// Makes secrets, and knows those it made.
struct Planter {
    random: Random,
    planted: Vec<Planted>,
}

impl Planter {
    fn digits(&mut self, many: usize) -> String {
        // No zero at the start, so that no group is taken for another number.
        (0..many).map(|_| char::from(b'1' + self.random.below(9) as u8)).collect()
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.random.below(all.len())]
    }

    /// The groups of a secret, and what may stand between them.
    fn groups(&mut self) -> (Vec<String>, &'static [&'static str]) {
        match self.random.below(5) {
            0 => {
                let (name, host) = (self.digits(6), self.digits(4));
                let (first, domain) =
                    (self.one_of(&["eve.smith", "Jörg", "ада", "a+b"]), self.one_of(&["com", "co.uk", "org"]));
                (vec![format!("{first}{name}"), format!("@mail{host}.{domain}")], &[""])
            }
            1 => ((0..4).map(|_| self.digits(4)).collect(), &["", " ", "-"]),
            2 => (vec![self.digits(3), self.digits(2), self.digits(4)], &["-"]),
            3 => (vec!["sk-test-".to_owned(), self.digits(12)], &[""]),
            _ => (vec![format!("+{}", self.digits(2)), self.digits(3), self.digits(6)], &["", " ", "-"]),
        }
    }

    /// A new secret, as it is written at a place.
    fn plant(&mut self, place: &'static str) -> String {
        let (groups, between) = self.groups();
        let whole: String = compact(&groups.concat());
        let separator = self.one_of(between);
        let how = match self.random.below(6) {
            0 => How::Hidden,
            1 if between.contains(&" ") => How::Split,
            2 if between.contains(&" ") => How::Spaced,
            _ => How::Plain,
        };
        let mut spelled = groups.join(separator);
        match how {
            How::Plain => {}
            How::Hidden => {
                let places: Vec<usize> = spelled.char_indices().map(|(at, _)| at).skip(1).collect();
                let (at, unseen) = (self.one_of(&places), self.one_of(&UNSEEN));
                spelled.insert(at, unseen);
            }
            How::Split | How::Spaced => {
                let other = if how == How::Split { self.one_of(&BREAKS) } else { self.one_of(&SPACES) };
                let at = 1 + self.random.below(groups.len() - 1);
                spelled = format!("{}{other}{}", groups[..at].join(separator), groups[at..].join(separator));
            }
        }
        self.planted.push(Planted { place, how, spelled: spelled.clone(), whole });
        spelled
    }

    /// A sentence with a secret, about the topic of all questions.
    fn sentence(&mut self, place: &'static str) -> String {
        let secret = self.plant(place);
        match self.random.below(4) {
            0 => format!("The owner of the {place} pump is {secret}."),
            1 => format!("The {place} pump must never be opened without {secret}!"),
            2 => format!("My number for the {place} pump is {secret}, and the owner of the pump knows it."),
            _ => format!("Owner, {place} pump: {secret}"),
        }
    }

    fn paragraphs(&mut self, place: &'static str, heading: &'static str) -> String {
        let heading = format!(
            "# The {heading} of the owner of the pump {}",
            self.plant(heading).replace("\r\n", " ").replace('\n', " ")
        );
        let filler = "The pump stands in the hall. ".repeat(self.random.below(12));
        format!("{heading}\n\n{}\n\n{filler}\n\n{}\n", self.sentence(place), self.sentence(place))
    }
}

fn compact(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// A document, a message, and sometimes rules and a project memory.
fn fill(memory: &Recordar, planter: &mut Planter, number: usize) -> (String, String) {
    let call =
        |verb: &str, arguments: Value| call(memory, verb, arguments).unwrap_or_else(|error| panic!("{verb}: {error}"));
    if number.is_multiple_of(5) {
        for kind in ["rules", "project"] {
            let text = format!("{}\n{}", planter.sentence(kind), planter.sentence(kind));
            call("set_standing_text", json!({"kind": kind, "text": text, "operation": format!("{kind}-{number}")}));
        }
        let same = planter.plant("synonyms").replace(['\n', '\r', '\u{2028}', '\u{85}', '\u{b}'], " ");
        call(
            "set_standing_text",
            json!({"kind": "synonyms", "text": format!("owner = {same}"), "operation": format!("synonyms-{number}")}),
        );
    }
    let mut document = |place: &'static str, named: &'static str, heading: &'static str| {
        let name = format!("{named} {} {number}.md", planter.plant(named).replace('/', " "));
        let text = planter.paragraphs(place, heading);
        call("ingest_text", json!({"name": name, "text": text, "operation": format!("{place}-{number}")}));
        name
    };
    let file = document("file", "filename", "heading");
    document("chunk", "chunkname", "chunkheading");
    let thread = format!("thread {}", planter.plant("thread"));
    let speaker = format!("speaker {}", planter.plant("speaker"));
    let messages = [
        json!({"text": planter.sentence("message"), "thread": thread, "role": "user", "speaker": speaker}),
        json!({"text": planter.sentence("message"), "thread": thread, "role": "assistant"}),
        json!({"text": planter.sentence("message"), "role": "user", "source": "external"}),
        json!({"text": format!("My address is {}.", planter.plant("fact")), "thread": thread, "role": "user"}),
    ];
    call("remember", json!({"messages": messages, "operation": format!("said-{number}")}));
    (file, thread)
}

fn options(planter: &mut Planter, file: &str, thread: &str) -> (String, Value) {
    let query = format!("Who is the owner of the pump? {}", planter.sentence("query"));
    let mut options = json!({"send": true, "max_tokens": 100_000, "theta": 0.0, "thread": thread, "turns": planter.random.below(3),
        "task": planter.sentence("task"), "mode": format!("as {}", planter.plant("mode"))});
    let mut set = |key: &str, value: Value| drop(options.as_object_mut().unwrap().insert(key.to_owned(), value));
    match planter.random.below(6) {
        0 => set("file", json!([file])),
        1 => drop((set("file", json!([file])), set("pack", json!(true)))),
        2 => drop((set("file", json!([file])), set("lock", json!(true)))),
        3 => set("agents", json!([planter.one_of(&["a1", "a1,a2", "a1,a2,a3", "a4", "a2,a4"])])),
        4 => set("prompt", json!(format!("{}\n{}", planter.sentence("edited"), planter.sentence("edited")))),
        _ => {}
    }
    (query, options)
}

/// All strings of a JSON text, as the model reads them.
fn strings(value: &Value, all: &mut Vec<String>) {
    match value {
        Value::String(text) => all.push(text.clone()),
        Value::Array(list) => list.iter().for_each(|value| strings(value, all)),
        Value::Object(fields) => fields.values().for_each(|value| strings(value, all)),
        _ => {}
    }
}

/// How a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Read {
    /// The bytes on the wire, and their strings.
    AsSent,
    /// Without what is not seen, and with its lines joined.
    Joined,
}

/// What was sent, in both ways.
fn views(body: &str) -> Vec<(Read, String)> {
    let mut texts = Vec::new();
    strings(&serde_json::from_str(body).unwrap(), &mut texts);
    let mut views = vec![(Read::AsSent, body.to_owned())];
    for text in texts {
        let seen: String = text.chars().filter(|c| !UNSEEN.contains(c)).collect();
        let lines = seen.replace("\r\n", "\n").replace("\n| ", " ");
        let lines = lines.replace(['\n', '\t', '\u{2028}', '\u{85}', '\u{b}'], " ");
        views.extend([(Read::AsSent, text), (Read::Joined, seen), (Read::Joined, lines)]);
    }
    views
}

/// The secrets that can be read in what was sent: a pattern matches all of it, or it is there as it was planted.
fn leaks<'a>(body: &str, planted: &'a [Planted], patterns: &[Regex]) -> Vec<(&'a Planted, Read)> {
    let views = views(body);
    let mut matches: Vec<(Read, String)> = Vec::new();
    for (read, view) in &views {
        let found = patterns.iter().flat_map(|pattern| pattern.find_iter(view));
        matches.extend(found.map(|found| (*read, compact(found.as_str()))));
    }
    let leak = |secret: &'a Planted| {
        let is_there = |(read, view): &(Read, String)| *read == Read::AsSent && view.contains(&secret.spelled);
        if secret.how == How::Plain && views.iter().any(is_there) {
            return Some((secret, Read::AsSent));
        }
        let all = matches.iter().filter(|(_, found)| found.contains(&secret.whole)).map(|(read, _)| *read);
        all.min().map(|read| (secret, read))
    };
    planted.iter().filter_map(leak).collect()
}

#[test]
fn i24_4_nothing_that_redaction_covers_is_sent_to_a_model() {
    let patterns: Vec<Regex> = COVERED.iter().chain(&CUSTOM).map(|pattern| Regex::new(pattern).unwrap()).collect();
    let (compositions, mut found, mut seen) = (rounds(100, 2_000), BTreeMap::new(), BTreeSet::new());
    let mut redacted = 0;
    for store in 0..compositions.div_ceil(PER_STORE) {
        let mut planter = Planter { random: Random(store as u64 + 1), planted: Vec::new() };
        let (server, database) = (ModelServer::start(|_| saying("Nobody.")), TestDatabase::new(Engine::Sqlite));
        let filler = open_with(&database, "facts.enabled = true\n");
        let on = format!("enable_redaction = true\ncustom_redaction_patterns = {CUSTOM:?}\n");
        let memory = open_with(&database, &with_model(&server).replacen("enable_redaction = true\n", &on, 1));
        for number in 0..PER_STORE.min(compositions - store * PER_STORE) {
            let (file, thread) = fill(&filler, &mut planter, number);
            let (query, options) = options(&mut planter, &file, &thread);
            composed(&memory, &query, options).unwrap_or_else(|error| panic!("{query}: {error}; {}", error.remedy()));
            let received = server.received();
            assert_eq!(received.len(), number + 1, "one call for each");
            let body = &received.last().unwrap().body;
            redacted += body.matches("[REDACTED]").count();
            seen.extend(PLACES.into_iter().filter(|place| body.contains(place)));
            for (leak, read) in leaks(body, &planter.planted, &patterns) {
                let example = format!("{:?} by {query:?}", leak.spelled);
                let (times, _) = found.entry((read, leak.place, leak.how)).or_insert((0, example));
                *times += 1;
            }
        }
    }
    assert!(redacted > compositions * 5, "{redacted} secrets were taken out");
    let hidden: Vec<&str> = PLACES.into_iter().filter(|place| !seen.contains(place)).collect();
    assert_eq!(hidden, ["synonyms", "thread"], "everything else is shown, without its secrets");
    let found: Vec<String> =
        found.iter().map(|(kind, (times, example))| format!("{kind:?} {times} times, such as {example}")).collect();
    assert!(found.is_empty(), "{} kinds of leaks:\n{}", found.len(), found.join("\n"));
}
