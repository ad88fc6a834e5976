//! Summaries of old messages (E6, CH-08): what they name, when they are recalled, and what forgetting does to them.

use crate::calling::call;
use crate::drawn_model::{Asked, with_model};
use crate::{ada, open_with, operation};
use recordar::forget::ForgetRequest;
use recordar::item::ItemKind;
use recordar::recall::RecallRequest;
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
        assert!(text.contains("Ana: The hotel in Porto costs 100 euros."), "word for word: {text}");
        assert!(text.lines().next().unwrap().ends_with("(2023-11-14 to 2023-11-15)"), "with a title and days: {text}");
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
        let request = RecallRequest::new("What do the hotels cost in euros?");
        let before = memory.recall(&[ada()], &request).unwrap();
        work(&memory, "work");
        let after = memory.recall(&[ada()], &request).unwrap();
        let summaries = after.memories.iter().filter(|memory| memory.kind == ItemKind::Summary).count();
        assert_eq!(summaries, 1, "{:#?}", after.trace);
        let prices = |text: &str| (100..115).filter(|price| text.contains(&format!("{price} euros"))).count();
        let (tokens, told) = (
            [&before, &after].map(|result| result.metadata.total_tokens),
            [&before, &after].map(|result| prices(&result.text)),
        );
        assert!(told[1] > told[0] && told[0] * tokens[1] < told[1] * tokens[0], "{told:?} prices in {tokens:?} tokens");
        let dropped = after.trace.stages.iter().find(|stage| stage.name == "summaries").unwrap();
        let named = dropped.decisions.iter().find(|decision| decision.reason == "summed_up").unwrap();
        let item: i64 = named.subject.rsplit(' ').next().unwrap().parse().unwrap();
        let why = memory.why_not(&[ada()], (&ada(), item), &request).unwrap();
        assert_eq!(why.stage.map(|stage| stage.name()), Some("summaries"), "{why:?}");
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
    call(&memory, "update", json!({"item": stored[2], "text": "The hotel in Faro costs 999 euros."})).unwrap();
    assert_eq!(listed(&memory), [], "it no longer says what was said");
    work(&memory, "again");
    let list = memory.summaries(&ada(), None, 9).unwrap();
    let [again] = &list.summaries[..] else { panic!("one summary") };
    assert!(again.summary != *first && again.text.contains("999") && !again.text.contains("102"), "{again:?}");
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

const MODEL: &str =
    "structured = \"tool\"\nretries = 0\nrepairs = 0\n[enrichment]\nenabled = false\n[work]\nattempts = 1\n";

#[test]
fn i23_4_a_summary_with_a_name_or_number_that_nobody_said_is_not_stored() {
    let replies: [(&str, &str, u64); 4] = [
        ("Hotels", "Ana and Bruno compared hotels; the one in Porto costs 100 euros.", 1),
        ("Hotels", "They will meet Carla in Porto.", 0),
        ("Hotels", "The one in Porto costs 5000 euros.", 0),
        ("Hotels of Madrid", "They compared hotels.", 0),
    ];
    for (title, summary, stored) in replies {
        let database = TestDatabase::new(Engine::Sqlite);
        let reply: Value = json!({"title": title, "summary": summary});
        let server = ModelServer::start(move |received| -> Answer { Asked::read(received).reply(&reply.to_string()) });
        let memory = open_with(&database, &with_model(&server.url(), &format!("{MODEL}{ON}")));
        memory.remember(&ada(), &talk(15), &operation("said")).unwrap();
        let report = work(&memory, "work");
        assert_eq!((report.summarised, report.dead), (stored, 1 - stored), "{summary}: {report:?}");
        assert_eq!(listed(&memory).len() as u64, stored);
        if stored > 0 {
            let text = &memory.summaries(&ada(), None, 1).unwrap().summaries[0].text;
            assert_eq!(text, &format!("{title} (2023-11-14 to 2023-11-15)\n{summary}"));
        }
    }
}
