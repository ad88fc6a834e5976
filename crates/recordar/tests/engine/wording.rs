//! Word forms, times and languages: what a question finds, however it and the text are written.

use crate::{ada, open, open_with, operation};
use recordar::search::{SearchMode, SearchRequest};
use recordar::{Message, Recordar, Timestamp};
use recordar_testkit::{Engine, TestDatabase};

/// Texts that share no word with the others.
const OTHERS: [&str; 4] = [
    "The keeper lit the lamp at dusk and went to bed.",
    "Bruno sold his boat to a man from the harbour.",
    "A gull sat on the garden wall all morning.",
    "Clara heard the bell twice during the storm.",
];

fn remember(memory: &Recordar, id: &str, text: &str) {
    memory.remember(&ada(), &[Message::new(text)], &operation(id)).unwrap();
}

/// The texts that a question finds by its words, best first.
fn found(memory: &Recordar, question: &str) -> Vec<String> {
    let request = SearchRequest { mode: SearchMode::Keyword, ..SearchRequest::new(question) };
    let hits = memory.search(&[ada()], &request).unwrap().hits;
    hits.into_iter().map(|hit| hit.item.text).collect()
}

/// Each text is found first by each of its questions.
fn check(toml: &str, pairs: &[(&str, &[&str])]) {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, toml);
    for (number, text) in OTHERS.iter().chain(pairs.iter().map(|(text, _)| text)).enumerate() {
        remember(&memory, &format!("text-{number}"), text);
    }
    for (text, questions) in pairs {
        for question in *questions {
            assert_eq!(found(&memory, question).first().map(String::as_str), Some(*text), "{question:?}");
        }
    }
}

#[test]
fn i21_words_are_found_however_they_are_written_together() {
    check(
        "",
        &[
            (
                "Create a PersistentVolume first.",
                &["persistent volume", "persistentvolume", "PersistentVolumes", "persistent-volume", "volume"],
            ),
            ("Build it with --no-cache instead.", &["no cache", "nocache", "no-cache", "--no-cache"]),
            ("Names are in snake_case there.", &["snake case", "snake_case", "snakecase", "SnakeCase"]),
            ("Send me an e-mail.", &["email", "e-mail", "e mail", "emails"]),
            (
                "Schedule it by requestIdleCallback().",
                &["idle callback", "requestidlecallback", "request_idle_callback"],
            ),
            ("An HTTPServer answers.", &["http server", "httpserver", "HTTP-Server"]),
            ("The file is in utf8.", &["utf-8", "utf 8", "UTF8"]),
            ("It runs on node.js only.", &["nodejs", "node js", "Node.js"]),
            ("Please login once more.", &["log in", "log-in", "LogIn"]),
            ("Miss O'Brien has the keys.", &["obrien", "O'Brien", "o’brien"]),
        ],
    );
}

#[test]
fn i21_words_with_numbers_are_found_with_their_units() {
    check(
        "",
        &[
            ("The limit is 10MB.", &["10 MB", "10 mb", "10MB", "10mb"]),
            ("It is 5 km from here.", &["5km", "5 km", "5 KM"]),
            ("Growth was 3.5 percent.", &["3.5"]),
            ("Fields 3 and 5 are empty.", &["fields 3 5"]),
            ("The ship cost 1,000 crowns.", &["1000", "1,000"]),
            ("Fixed in v2.1.0 at last.", &["2.1.0", "v2.1.0", "2.1"]),
            ("Born on 08.05.1923 in Kiel.", &["1923", "08.05.1923"]),
        ],
    );
}

#[test]
fn i21_words_are_found_without_their_accents() {
    check(
        "",
        &[
            ("We met at the café.", &["cafe", "café", "CAFÉ"]),
            ("Ask Jürgen Müller.", &["Muller", "Müller", "jurgen"]),
            ("Her résumé was long.", &["resume", "résumé", "resumes"]),
            ("Søren wrote it.", &["soren", "Søren"]),
        ],
    );
    check("index.language = \"none\"", &[("We met at the café.", &["cafe", "café"])]);
}

#[test]
fn i21_languages_of_one_space_are_found_in_their_own_forms() {
    check(
        "",
        &[
            (
                "Die alten Häuser in der Stadt sind nicht mehr zu kaufen.",
                &["Wo ist das alte Haus?", "Haus", "haus kaufen"],
            ),
            (
                "Les chevaux de mon voisin sont dans la prairie avec les vaches.",
                &["Où est la vache ?", "vache", "prairies du voisin"],
            ),
            (
                "Las canciones que cantamos en la escuela eran muy hermosas.",
                &["¿Qué canción cantaron?", "escuelas", "cancion hermosa"],
            ),
            (
                "L'ambassadeur n'a pas signé le traité à cause de l'orage.",
                &["ambassadeurs", "orages", "traités signés"],
            ),
            (
                "The children were painting the fences with their mother.",
                &["Who painted the fence?", "fence", "paints"],
            ),
            ("Работники починили старые машины на заводе.", &["машина", "старый завод"]),
        ],
    );
}

#[test]
fn i21_languages_that_are_set_are_not_recognised() {
    let text = "Die alten Häuser in der Stadt sind nicht mehr zu kaufen.";
    let finds = |toml: &str, question: &str| {
        let database = TestDatabase::new(Engine::Sqlite);
        let memory = open_with(&database, toml);
        remember(&memory, "one", text);
        !found(&memory, question).is_empty()
    };
    assert!(finds("", "Haus"), "recognised");
    assert!(finds("index.language = \"german\"", "Haus"), "set");
    assert!(!finds("index.language = \"english\"", "Haus"), "read as English");
    assert!(!finds("index.language = \"none\"", "Haus"), "not stemmed");
    assert!(finds("index.language = \"none\"", "Häuser"));
}

#[test]
fn i21_times_without_a_year_are_found() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let days = ["2026-03-10", "2026-05-20", "2026-10-05", "2026-11-11"];
    for day in days {
        let time = Timestamp::parse(day).ok();
        let message = Message {
            time,
            thread: Some(day.to_owned()),
            ..Message::new(&format!("Paid the harbour fee, {}.", &day[8..]))
        };
        memory.remember(&ada(), &[message], &operation(day)).unwrap();
    }
    let first = |question: &str| {
        let request = SearchRequest { asked_at: Timestamp::parse("2026-11-15").ok(), ..SearchRequest::new(question) };
        memory.search(&[ada()], &request).unwrap().hits[0].item.thread.clone().unwrap()
    };
    assert_eq!(first("Which fee was paid in October?"), "2026-10-05");
    assert_eq!(first("Which fee was paid in May?"), "2026-05-20");
    assert_eq!(first("Which fee was paid this week?"), "2026-11-11");
    assert_eq!(first("Which fee was paid before April?"), "2026-03-10");
    assert_eq!(first("Which fee was paid since Monday?"), "2026-11-11");
    assert_eq!(first("Which fee was paid last spring, on the 20th of May?"), "2026-05-20");
}

#[test]
fn i21_words_of_asking_ask_for_what_someone_said() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let texts = ["When does the ferry leave?", "Ada asked the harbour master for oil.", "They asked for more rope."];
    for (number, text) in texts.into_iter().enumerate() {
        let speaker = Some(if number == 0 { "Ada" } else { "Bruno" }.to_owned());
        let message = Message { speaker, thread: Some(format!("day {number}")), ..Message::new(text) };
        memory.remember(&ada(), &[message], &operation(&format!("ask-{number}"))).unwrap();
    }
    assert_eq!(found(&memory, "What did Ada ask?")[0], texts[0], "as with \"say\"");
    assert_eq!(found(&memory, "What did Ada say?")[0], texts[0]);
    assert_eq!(found(&memory, "asked for rope")[0], texts[2], "elsewhere it is a word");
}
