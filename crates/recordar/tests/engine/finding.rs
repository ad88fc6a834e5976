//! What is found first: phrases in quotes, words that stand together, long questions, headings.

use crate::{ada, open_at, operation, set_clock, text};
use recordar::recall::RecallRequest;
use recordar::search::SearchRequest;
use recordar::why_not::FallenAt;
use recordar::{Message, Recordar};
use recordar_testkit::{Engine, TestDatabase};

fn remember(memory: &Recordar, texts: &[&str]) -> Vec<i64> {
    let messages: Vec<Message> = texts.iter().map(|text| Message::new(text)).collect();
    memory.remember(&ada(), &messages, &operation("say")).unwrap().items
}

fn found(memory: &Recordar, question: &str) -> Vec<String> {
    let hits = memory.search(&[ada()], &SearchRequest::new(question)).unwrap().hits;
    hits.into_iter().map(|hit| hit.item.text).collect()
}

#[test]
fn i21_phrases_in_quotes_stand_there_word_for_word() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_at(&database, "", set_clock().1);
        let said = [
            "The lamp oil is low.",
            "Oil for the lamp is low.",
            "Lamps and oils are low.",
            "We buy Lamp-Oil on Mondays.",
        ];
        let items = remember(&memory, &said);
        let mut exact = found(&memory, "\"lamp oil\" low");
        exact.sort();
        assert_eq!(exact, [said[0], said[3]], "{engine:?}");
        assert_eq!(found(&memory, "lamp oil low").len(), 4, "{engine:?}: without quotes, all of them");
        assert!(found(&memory, "\"oil lamp\"").is_empty(), "{engine:?}: nowhere in this order");
        assert_eq!(found(&memory, "\"lamp oil\" \"on mondays\""), [said[3]], "{engine:?}: all phrases");
        let asked = RecallRequest::new("\"lamp oil\" low");
        let why = memory.why_not(&[ada()], (&ada(), items[1]), &asked).unwrap();
        assert_eq!(why.stage, Some(FallenAt::Filter), "{engine:?}");
        assert!(why.reason.contains("\"lamp oil\", word for word"), "{}", why.reason);
    }
}

#[test]
fn i21_phrases_hold_in_other_languages_with_accents_and_units() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_at(&database, "", set_clock().1);
    let said = [
        "Wo sind die Schlüssel für das Haus? Die liegen auf dem Tisch.",
        "Les deux disques durs du serveur de sauvegarde sont en panne.",
        "We met in the little café; the upload limit is 10MB.",
        "我在北京天气很好",
    ];
    remember(&memory, &said);
    for (question, expected) in [
        ("\"die Schlüssel\"", 0),
        ("\"serveur de sauvegarde\"", 1),
        ("\"little cafe\"", 2),
        ("\"limit is 10 MB\"", 2),
        ("\"北京\" 天气", 3),
    ] {
        assert_eq!(found(&memory, question), [said[expected]], "{question}");
    }
}

#[test]
fn i21_speakers_may_have_names_in_mixed_case() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_at(&database, "", set_clock().1);
    let said = |speaker: &str, text: &str| Message { speaker: Some(speaker.to_owned()), ..Message::new(text) };
    let messages =
        [said("McDonald", "The lamp is out."), said("Kim", "Donald asked the MC."), said("McDonald", "It rains.")];
    memory.remember(&ada(), &messages, &operation("say")).unwrap();
    let first: Vec<String> = found(&memory, "What did McDonald say?").into_iter().take(2).collect();
    assert!(!first.contains(&"Donald asked the MC.".to_owned()), "{first:?}");
}

#[test]
fn i21_words_that_stand_together_count_more() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_at(&database, "", set_clock().1);
    let apart =
        "The oil that Kim bought yesterday in town is good, the harbour shop said, but our lamp is still dark today.";
    let together =
        "The lamp oil that Kim bought yesterday in town is good, the harbour shop said, but it is still dark today.";
    remember(&memory, &[apart, together]);
    assert_eq!(found(&memory, "lamp oil")[0], together);
}

#[test]
fn i21_long_questions_are_read_to_their_end() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_at(&database, "", set_clock().1);
    let answer = "The bilge pump fuse is behind the chart table.";
    let mut said = vec![answer.to_owned()];
    said.extend((0..60).map(|at| format!("Entry {at}: weather station report number {at}, wind steady.")));
    remember(&memory, &said.iter().map(String::as_str).collect::<Vec<_>>());
    // More than a hundred different words that nothing here has, and then what it is about.
    let noise: Vec<String> = (0..120).map(|at| format!("unknown{at}x")).collect();
    let long = format!("{}. Where is the bilge pump fuse?", noise.join(" "));
    assert_eq!(found(&memory, &long)[0], answer);
}

#[test]
fn i21_what_a_question_repeats_counts_more() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_at(&database, "", set_clock().1);
    let (kettle, anchor) = ("The kettle is new.", "The anchor is new.");
    remember(&memory, &[kettle, anchor]);
    assert_eq!(found(&memory, "kettle kettle kettle, anchor")[0], kettle);
    assert_eq!(found(&memory, "kettle, anchor anchor anchor")[0], anchor);
}

#[test]
fn i21_headings_say_what_a_chunk_is_about() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_at(&database, "", set_clock().1);
    let page = |subject: &str, what: &str| format!("# {subject}\n\n## Maintenance\n\n{what} once a year.\n");
    memory.ingest_text(&ada(), text("one", "a.md", &page("Lantern", "Clean the glass"))).unwrap();
    memory.ingest_text(&ada(), text("two", "b.md", &page("Fog horn", "Grease the bearings"))).unwrap();
    let hits = memory.search(&[ada()], &SearchRequest::new("maintenance of the fog horn")).unwrap().hits;
    assert!(hits[0].item.text.contains("bearings"), "{}", hits[0].item.text);
}
