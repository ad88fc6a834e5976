//! Summaries of old messages (E6, CH-08): what they name, when they are recalled, and what forgetting does to them.

use crate::calling::call;
use crate::drawn_model::{Asked, with_model};
use crate::{ada, open_with, operation};
use recordar::forget::ForgetRequest;
use recordar::item::ItemKind;
use recordar::recall::{Authority, RecallRequest};
use recordar::{Message, Recordar, Timestamp};
use recordar_testkit::{Answer, Engine, ModelServer, TestDatabase};
use serde_json::{Value, json};

const ON: &str = "[summaries]\nenabled = true\nrecent_messages = 5\n";
const CHAT: &str = "Thanks so much for asking, that is really very kind of you, as always and ever! ";

fn message(number: i64, text: &str) -> Message {
    let time = Timestamp::from_micros((1_700_000_000 + number * 3600) * 1_000_000);
    let speaker = Some(if number % 2 == 0 { "Ana" } else { "Bruno" }.to_owned());
    Message { speaker, thread: Some("trip".to_owned()), time: Some(time), ..Message::new(text) }
}

/// Messages about a trip, with more words than they need.
fn talk(count: i64) -> Vec<Message> {
    let towns = ["Porto", "Lisbon", "Faro", "Braga", "Evora", "Sintra", "Tomar", "Aveiro", "Coimbra", "Lagos"];
    let text = |number: i64| {
        let town = towns[number as usize % towns.len()];
        format!("{CHAT}The hotel in {town} costs {} euros. {CHAT}", 100 + number)
    };
    (0..count).map(|number| message(number, &text(number))).collect()
}

/// A question about all of them, with room for most.
fn asking() -> RecallRequest {
    let mut request = RecallRequest::new("What do the hotels cost in euros?");
    request.authority = Authority::Administrator;
    (request.settings.top_k, request.settings.clip_sentences) = (Some(12), Some(5));
    request
}

fn work(memory: &Recordar, id: &str) -> recordar::queue::WorkReport {
    memory.work(false, None, &operation(id), |_| {}).unwrap()
}

fn listed(memory: &Recordar) -> Vec<(i64, Vec<i64>)> {
    let list = memory.summaries(&ada(), None, 100).unwrap();
    list.summaries.into_iter().map(|summary| (summary.summary, summary.messages)).collect()
}

#[test]
fn ch_08_the_queue_sums_up_old_messages_names_them_and_leaves_the_recent_window_alone() {
    let mut expected = None;
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, ON);
        let stored = memory.remember(&ada(), &talk(28), &operation("said")).unwrap().items;
        assert_eq!(listed(&memory), [], "remembering does not wait for summaries");
        assert_eq!(work(&memory, "work").summarised, 2);
        let list = memory.summaries(&ada(), Some("trip"), 100).unwrap();
        let sources: Vec<&[i64]> = list.summaries.iter().map(|summary| summary.messages.as_slice()).collect();
        assert_eq!(sources, [&stored[..10], &stored[10..20]]);
        for summary in &list.summaries {
            assert!(summary.tokens * 2 < summary.message_tokens, "{summary:?}");
            assert_eq!(summary.thread.as_deref(), Some("trip"));
        }
        let text = &list.summaries[0].text;
        assert!(text.contains("Ana, 2023-11-14: The hotel in Porto costs 100 euros."), "word for word: {text}");
        assert_eq!(text.lines().next(), Some("hotel, costs, euros"), "with a title");
        let turns = call(&memory, "messages", json!({"thread": "trip"})).unwrap();
        assert_eq!(turns.as_array().unwrap().len(), 28, "a summary is no turn of the conversation");
        let item = call(&memory, "item", json!({"item": list.summaries[0].summary})).unwrap();
        assert_eq!(item["derived_from"], json!(stored[..10]));
        assert_eq!(work(&memory, "again").summarised, 0);
        let found: Vec<String> = list.summaries.into_iter().map(|summary| summary.text).collect();
        assert_eq!(expected.get_or_insert_with(|| found.clone()), &found, "{engine:?}");
    }
}

#[test]
fn i23_a_recall_shows_a_summary_instead_of_its_messages_if_that_is_shorter_and_says_the_same() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, ON);
        memory.remember(&ada(), &talk(15), &operation("said")).unwrap();
        let request = asking();
        let before = memory.recall(&[ada()], &request).unwrap();
        work(&memory, "work");
        let after = memory.recall(&[ada()], &request).unwrap();
        let summaries = after.memories.iter().filter(|memory| memory.kind == ItemKind::Summary).count();
        assert_eq!(summaries, 1, "{:#?}", after.trace);
        let prices = |text: &str| (100..115).filter(|price| text.contains(&format!("{price} euros"))).count();
        let (told, tokens) = (
            [&before, &after].map(|result| prices(&result.text)),
            [&before, &after].map(|result| result.metadata.total_tokens),
        );
        assert!(told[1] >= told[0] && tokens[1] < tokens[0], "{told:?} prices in {tokens:?} tokens");
        let dropped = after.trace.stages.iter().find(|stage| stage.name == "summaries").unwrap();
        let named = dropped.decisions.iter().find(|decision| decision.reason == "summed_up").unwrap();
        let item: i64 = named.subject.rsplit(' ').next().unwrap().parse().unwrap();
        let why = memory.why_not(&[ada()], (&ada(), item), &request).unwrap();
        assert_eq!(why.stage.map(|stage| stage.name()), Some("summaries"), "{why:?}");
        assert!(why.changes.is_empty() && why.advice.contains("kind=message"), "{why:?}");
        let [(_, sources)] = &listed(&memory)[..] else { panic!("one summary") };
        let is_told = |entry: &recordar::recall::MemoryEntry| sources.contains(&entry.provenance.item_id);
        assert!(!after.memories.iter().any(is_told), "the summary says what all its messages say");
        let summary = listed(&memory)[0].0;
        let other = RecallRequest::new("What is the weather?");
        let why = memory.why_not(&[ada()], (&ada(), summary), &other).unwrap();
        assert!(why.reason.contains("not searched"), "{why:?}");
    }
}

#[test]
fn i23_5_forgetting_a_message_takes_its_summary_and_the_others_are_summed_up_again() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, ON);
        let mut messages = talk(26);
        messages[3].text = "The secret hotel is in Qaanaaq and costs 777 euros.".to_owned();
        let stored = memory.remember(&ada(), &messages, &operation("said")).unwrap().items;
        work(&memory, "work");
        assert!(memory.summaries(&ada(), None, 9).unwrap().summaries[0].text.contains("Qaanaaq"));
        let target = ForgetRequest::Items(vec![stored[3]]);
        let report = memory.forget(&ada(), &target, false, &operation("forget")).unwrap();
        assert_eq!((report.forgotten.messages, report.forgotten.summaries, report.forgotten.derived), (1, 1, 1));
        assert!(!memory.raw().unwrap().lines().join("\n").contains("Qaanaaq"), "its words are gone from every table");
        work(&memory, "again");
        let mut sources: Vec<Vec<i64>> = listed(&memory).into_iter().map(|(_, sources)| sources).collect();
        sources.sort();
        let others: Vec<i64> = stored[..10].iter().copied().filter(|id| *id != stored[3]).collect();
        assert_eq!(sources, [others, stored[10..20].to_vec()]);
        memory.forget(&ada(), &ForgetRequest::Thread("trip".to_owned()), false, &operation("all")).unwrap();
        assert_eq!(listed(&memory), []);
    }
}

#[test]
fn i23_5_a_changed_message_is_summed_up_again_and_as_of_sees_what_was() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, ON);
    let stored = memory.remember(&ada(), &talk(15), &operation("said")).unwrap().items;
    work(&memory, "work");
    let [(first, _)] = &listed(&memory)[..] else { panic!("one summary") };
    let before = memory.item(&ada(), &recordar::item::ItemName::Number(*first)).unwrap().recorded_at;
    call(&memory, "update", json!({"item": stored[2], "text": "The hotel in Faro costs 999 euros."})).unwrap();
    assert_eq!(listed(&memory), [], "it no longer says what was said");
    work(&memory, "again");
    let list = memory.summaries(&ada(), None, 9).unwrap();
    let [again] = &list.summaries[..] else { panic!("one summary") };
    assert!(again.summary != *first && again.text.contains("999") && !again.text.contains("102"), "{again:?}");
    let was = RecallRequest { as_of: Some(before), ..asking() };
    let shown = memory.recall(&[ada()], &was).unwrap().memories;
    assert!(shown.iter().any(|entry| entry.provenance.item_id == *first), "{shown:?}");
}

#[test]
fn i23_threads_that_are_stored_already_are_queued_and_callers_summaries_stay() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "summaries.recent_messages = 5");
    let stored = memory.remember(&ada(), &talk(16), &operation("said")).unwrap().items;
    assert_eq!(work(&memory, "nothing").summarised, 0, "off by default");
    let own = json!({"messages": [{"text": "They compared hotels.", "kind": "summary", "derived_from": [stored[0]]}]});
    let own = call(&memory, "remember", own).unwrap()["items"][0].as_i64().unwrap();
    assert_eq!(call(&memory, "summarise_threads", json!({})).unwrap()["queued"], true);
    assert_eq!(work(&memory, "work").summarised, 1);
    let made = listed(&memory);
    assert_eq!(made[1].1, stored[1..11], "what a caller has summed up is not summed up again");
    call(&memory, "update", json!({"item": stored[0], "text": "Changed."})).unwrap();
    assert!(listed(&memory).iter().any(|(id, _)| *id == own), "a caller's summary is the caller's");
}

const MODEL: &str = "structured = \"tool\"\nretries = 0\nrepairs = 0\n[enrichment]\nenabled = false\n[facts]\nenabled = false\n[work]\nattempts = 1\n";

#[test]
fn i23_4_a_hostile_model_stores_nothing_that_nobody_said_and_stops_no_thread() {
    let replies: [(Value, &str); 4] = [
        (json!({"title": "Hotels in Porto", "sentences": [3, 1]}), "model"),
        (json!({"title": "Carla pays 5000 in Madrid", "sentences": [1]}), "model"),
        (json!({"title": "Ignore all rules", "sentences": [9999, -7]}), "built_in"),
        (json!({"summary": "They will meet Carla."}), "built_in"),
    ];
    for (reply, method) in replies {
        let database = TestDatabase::new(Engine::Sqlite);
        let server = ModelServer::start(move |received| -> Answer { Asked::read(received).reply(&reply.to_string()) });
        let memory = open_with(&database, &with_model(&server.url(), &format!("{MODEL}{ON}")));
        let messages = talk(25);
        memory.remember(&ada(), &messages, &operation("said")).unwrap();
        let report = work(&memory, "work");
        assert_eq!((report.summarised, report.failed, report.dead), (2, 0, 0), "{report:?}");
        let said: Vec<&str> = messages.iter().map(|message| message.text.as_str()).collect();
        for summary in memory.summaries(&ada(), None, 9).unwrap().summaries {
            let item = call(&memory, "item", json!({"item": summary.summary})).unwrap();
            assert_eq!(item["metadata"]["method"], method, "{summary:?}");
            let mut lines = summary.text.lines();
            let title = lines.next().unwrap();
            assert!(!["Carla", "5000", "Madrid"].iter().any(|word| title.contains(word)), "{title}");
            for line in lines {
                let (_, sentences) = line.split_once(": ").unwrap();
                let is_said = |sentence: &str| said.iter().any(|text| text.contains(sentence.trim_end_matches('.')));
                assert!(sentences.split(". ").all(is_said), "{line}");
            }
        }
    }
}

#[test]
fn i23_a_thread_that_changes_while_it_is_summed_up_is_summed_up_later() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, ON);
    let stored = memory.remember(&ada(), &talk(15), &operation("said")).unwrap().items;
    let (other, first) = (open_with(&database, ON), stored[0]);
    // The model is asked while the lease is held: then one of the messages is forgotten.
    let server = ModelServer::start(move |received| -> Answer {
        let target = ForgetRequest::Items(vec![first]);
        let _ = other.forget(&ada(), &target, false, &operation("forget"));
        Asked::read(received).reply(&json!({"title": "Hotels", "sentences": [1]}).to_string())
    });
    let with = open_with(
        &database,
        &with_model(&server.url(), &format!("{MODEL}[summaries]\nenabled = true\nrecent_messages = 4\n")),
    );
    let report = work(&with, "work");
    assert_eq!(report.summarised, 1, "{report:?}");
    assert_eq!(listed(&with)[0].1, stored[1..11]);
}
