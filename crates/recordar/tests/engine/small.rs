//! A small chat with an assistant is recalled whole, as far as it fits (44, 42): what answers a question may share no word with it.

use crate::recalling::{everything, recall, with};
use crate::{ada, open_at, open_with, operation, set_clock};
use recordar::answer::AskRequest;
use recordar::item::Role;
use recordar::recall::{ExcerptRule, RecallOverrides, RecallRequest, RecallResult};
use recordar::{Message, Recordar};
use recordar_testkit::{Engine, TestDatabase};
use std::sync::atomic::Ordering;

const TOLD: [&str; 6] = [
    "Our stairs have won. We carried the last box down and sleep in Blagnac, ground floor, aeroplanes included.",
    "My scooter was stolen in front of the club.",
    "The regional championship is in October, I bring six children.",
    "Coffee is forbidden, so it is chicory in the morning.",
    "The cat sits in the sink and defends it. My number is 555 12 34 56.",
    "The strongest of the pupils is Lea, eleven years old.",
];

fn tell(memory: &Recordar, day: i64, texts: &[&str], role: Role) {
    let messages: Vec<Message> = texts.iter().map(|text| Message { role, ..Message::new(text) }).collect();
    memory.remember(&ada(), &messages, &operation(&format!("told-{day}"))).unwrap();
}

fn contents(result: &RecallResult) -> Vec<&str> {
    result.memories.iter().map(|memory| memory.content.as_str()).collect()
}

fn has_rest(result: &RecallResult) -> bool {
    result.trace.stages.iter().any(|stage| stage.name == "small_conversation")
}

#[test]
fn i44_a_small_chat_is_recalled_whole_as_far_as_it_fits() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, "");
        tell(&memory, 1, &TOLD, Role::User);
        tell(&memory, 2, &["Chicory is a fine choice."], Role::Assistant);
        // No word of it is stored.
        let whole = recall(&memory, &RecallRequest::new("Where do we live?"));
        assert_eq!(whole.memories.len(), 7);
        assert!(whole.text.contains("sleep in Blagnac") && has_rest(&whole));
        assert_eq!(whole.metadata.included_results, 7);
        let found = recall(&memory, &RecallRequest::new("Which scooter was stolen?"));
        assert!(contents(&found)[0].contains("scooter") && found.memories.len() == 7, "what was found comes first");
        // What does not fit as a whole is left out, and takes nothing from what was found.
        let short = RecallOverrides { max_tokens: Some(100), ..RecallOverrides::default() };
        let short = recall(&memory, &with("Which scooter was stolen?", short));
        assert!(contents(&short)[0] == TOLD[1] && short.memories.len() < 7 && short.metadata.text_tokens <= 100);
        for content in contents(&short) {
            assert!(TOLD.contains(&content) || content == "Chicory is a fine choice.", "{content}");
        }
    }
}

#[test]
fn i44_nothing_is_added_where_the_request_chooses_or_nothing_was_found() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "");
    tell(&memory, 1, &TOLD, Role::User);
    let question = "Which scooter was stolen?";
    let chosen = |settings: RecallOverrides| recall(&memory, &with(question, settings));
    let first = RecallOverrides { excerpts: Some(ExcerptRule::FirstSentences), ..RecallOverrides::default() };
    let eight = RecallOverrides { top_k: Some(8), ..RecallOverrides::default() };
    assert!(has_rest(&recall(&memory, &RecallRequest::new(question))));
    for settings in [everything(), first, eight] {
        assert!(!has_rest(&chosen(settings.clone())), "{settings:?}");
    }
    assert!(!has_rest(&recall(&memory, &RecallRequest::new("\"scooter was stolen\""))), "quoted words");
    let elsewhere = recall(&memory, &RecallRequest::new("How does photosynthesis convert sunlight?"));
    assert!(elsewhere.memories.is_empty(), "{elsewhere:?}");
    // Among people with names, as before.
    let said = Message { speaker: Some("Yuki".to_owned()), ..Message::new("The scooter of Omar is blue.") };
    memory.remember(&ada(), &[said], &operation("yuki")).unwrap();
    assert!(!has_rest(&recall(&memory, &RecallRequest::new("Whose scooter is blue?"))));
}

#[test]
fn i44_a_small_chat_is_the_same_later_and_its_receipt_proves_it() {
    let (clock, shared) = set_clock();
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_at(&database, "", shared);
    tell(&memory, 1, &TOLD, Role::User);
    let request = RecallRequest { receipt: Some(true), ..RecallRequest::new("Where do we live?") };
    let then = recall(&memory, &request);
    let asked = memory.clone();
    let at = recordar::Timestamp::from_micros(clock.fetch_add(60, Ordering::Relaxed) * 1_000_000);
    for day in 2..30 {
        tell(&asked, day, &[TOLD[1], "The tide is high.", "The bread is burnt.", "It rains.", "It snows."], Role::User);
    }
    let later = recall(&memory, &RecallRequest { as_of: Some(at), asked_at: Some(at), ..request.clone() });
    assert_eq!((later.text, later.memories), (then.text, then.memories));
    assert!(!has_rest(&recall(&memory, &RecallRequest::new("Which scooter was stolen?"))), "no longer small");
    assert!(memory.why(&ada(), then.receipt.as_deref().unwrap()).unwrap().identical);
}

#[test]
fn i44_what_was_not_found_is_redacted_too_and_is_no_quotation() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "recall.rerank = \"off\"\n");
    tell(&memory, 1, &TOLD, Role::User);
    let redacted = RecallOverrides {
        enable_redaction: Some(true),
        custom_redaction_patterns: vec!["555( \\d\\d)+".to_owned()],
        ..RecallOverrides::default()
    };
    let result = recall(&memory, &with("Where do we live?", redacted));
    assert!(result.text.contains("defends it") && !result.text.contains("555"), "{}", result.text);
    let answer = memory.ask(&[ada()], &AskRequest::new("Where do we live?")).unwrap();
    assert_eq!((answer.answer.as_str(), answer.memories.len()), ("", TOLD.len()));
    assert!(answer.memories.iter().all(|memory| memory.score == 0.0));
    // What is stated plainly is the answer, though the question finds nothing.
    let plainly = memory.ask(&[ada()], &AskRequest::new("What's my mobile?")).unwrap();
    assert!(plainly.answer.contains("555 12 34 56") && plainly.nearest.is_empty(), "{}", plainly.answer);
}

#[test]
fn i44_a_long_message_keeps_no_short_one_out_and_an_echo_does_not_take_the_place_of_what_was_said() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "");
    tell(&memory, 1, &TOLD, Role::User);
    tell(&memory, 2, &["The tide comes and goes, and so does the ferry. ".repeat(300).as_str()], Role::Assistant);
    tell(&memory, 3, &[TOLD[0]], Role::Assistant);
    let result = recall(&memory, &RecallRequest::new("Where do we live?"));
    let ids: Vec<i64> = result.memories.iter().map(|memory| memory.provenance.item_id).collect();
    assert_eq!((ids.len(), ids.contains(&1), ids.contains(&8)), (6, true, false), "{ids:?}");
    assert!(!contents(&result).iter().any(|content| content.contains("ferry")));
    // Who asks for a way does not ask for what was told.
    assert!(recall(&memory, &RecallRequest::new("How do I convert Celsius to Fahrenheit?")).memories.is_empty());
}
