//! Living facts (issue 44): facts and summaries keep the hash of the words that they come from, and say so when those change.

use crate::calling::call;
use crate::conformance::agree;
use crate::transfer::{check_round_trip, export, import, with_right_sums};
use crate::{ada, open, open_at, open_with, operation, set_clock, text};
use recordar::forget::ForgetRequest;
use recordar::item::ItemKind;
use recordar::recall::{RecallRequest, RecallResult};
use recordar::receipt::ReceiptExport;
use recordar::transfer::ExportScope;
use recordar::{Error, Message, Recordar, Timestamp};
use recordar_domain::Digest;
use recordar_testkit::{Engine, TestDatabase};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

const RECEIPTS: &str = "[receipts]\nenabled = true\n";

fn store(memory: &Recordar, message: Message) -> i64 {
    let id = operation(&format!("store-{}", Digest::of(&message.text)));
    memory.remember(&ada(), &[message], &id).unwrap().items[0]
}

fn derived(kind: ItemKind, words: &str, sources: &[i64]) -> Message {
    Message { kind, derived_from: sources.to_vec(), ..Message::new(words) }
}

/// Each call that writes is an operation of its own, unless it says which one it is.
fn tried(memory: &Recordar, verb: &str, mut arguments: Value) -> Result<Value, Error> {
    let is_write = ["update", "confirm_fact", "correct_fact"].contains(&verb);
    if is_write && arguments.get("operation").is_none() {
        arguments["operation"] = json!(format!("{verb}-{}", rows(memory, "operations").len()));
    }
    call(memory, verb, arguments)
}

fn done(memory: &Recordar, verb: &str, arguments: Value) -> Value {
    tried(memory, verb, arguments.clone()).unwrap_or_else(|error| panic!("{verb} {arguments}: {error}"))
}

fn update(memory: &Recordar, item: i64, words: &str) -> i64 {
    done(memory, "update", json!({"item": item, "text": words}))["item_id"].as_i64().unwrap()
}

/// The numbers of what is to be looked at again, and why.
fn unverified(memory: &Recordar, more: Value) -> Vec<(i64, String)> {
    let mut arguments = json!({"unverified": true, "all": true});
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let list = done(memory, "facts", arguments);
    let of = |field: &str, number: &str| -> Vec<(i64, String)> {
        let listed = list[field].as_array().cloned().unwrap_or_default();
        let why = |fact: &Value| fact["unverified"].as_str().unwrap().to_owned();
        listed.iter().map(|fact| (fact[number].as_i64().unwrap(), why(fact))).collect()
    };
    [of("facts", "fact"), of("stored", "item")].concat()
}

fn now(memory: &Recordar) -> Vec<(i64, String)> {
    unverified(memory, json!({}))
}

fn because(why: &str, items: &[i64]) -> Vec<(i64, String)> {
    items.iter().map(|item| (*item, why.to_owned())).collect()
}

fn rows(memory: &Recordar, table: &str) -> Vec<String> {
    let start = format!("{table} ");
    memory.raw().unwrap().lines().into_iter().filter(|line| line.starts_with(&start)).collect()
}

#[test]
fn i44_living_facts_are_unverified_once_their_source_changed_and_verified_once_confirmed() {
    agree(|memory, _| {
        let source = store(memory, Message::new("The lens is cleaned every Monday."));
        let fact = store(memory, derived(ItemKind::Fact, "Mondays are for the lens.", &[source]));
        let summary = store(memory, derived(ItemKind::Summary, "Cleaning, on Mondays.", &[source]));
        store(memory, derived(ItemKind::Fact, "The lens is old.", &[]));
        assert_eq!(now(memory), []);
        let changed = update(memory, source, "The lens is cleaned every Tuesday.");
        assert_eq!(now(memory), because("source_changed", &[fact, summary]), "at once, without a model");
        let list = done(memory, "facts", json!({"unverified": true}));
        assert_eq!(
            (&list["stored"][0]["text"], &list["stored"][0]["sources"]),
            (&json!("Mondays are for the lens."), &json!([source]))
        );
        let confirmed = done(memory, "confirm_fact", json!({"fact": fact, "operation": "confirm"}));
        assert_eq!((&confirmed["changed"], &confirmed["text"]), (&json!(true), &json!("Mondays are for the lens.")));
        assert_eq!(now(memory), because("source_changed", &[summary]));
        let again = done(memory, "confirm_fact", json!({"fact": fact, "operation": "confirm"}));
        assert_eq!((&again["repeated"], &again["changed"]), (&json!(true), &json!(true)));
        let again = done(memory, "confirm_fact", json!({"fact": fact}));
        assert_eq!(again["changed"], json!(false), "nothing is written");
        update(memory, changed, "The lens is cleaned on Wednesdays.");
        assert_eq!(now(memory), because("source_changed", &[fact, summary]), "what was confirmed is watched as well");
        check_round_trip(memory);
    });
}

#[test]
fn i44_living_words_that_stayed_change_nothing() {
    agree(|memory, _| {
        let source = store(memory, Message::new("The lens is cleaned every Monday."));
        let fact = store(memory, derived(ItemKind::Fact, "Mondays are for the lens.", &[source]));
        let named = Message { id: Some("oil".to_owned()), ..Message::new("Oil is in the cellar.") };
        let oil = store(memory, named.clone());
        let of_oil = store(memory, derived(ItemKind::Fact, "The cellar has oil.", &[oil]));
        done(memory, "update", json!({"item": source, "metadata": {"by": "Ada"}}));
        assert_eq!(now(memory), [], "the words are the same");
        // The fact itself: what it rests on goes with it.
        let renamed =
            done(memory, "update", json!({"item": fact, "metadata": {"by": "Ada"}}))["item_id"].as_i64().unwrap();
        assert_eq!(now(memory), []);
        store(memory, Message { text: "Oil is in the tower.".to_owned(), ..named });
        assert_eq!(now(memory), because("source_changed", &[of_oil]), "under its own id as well");
        let kept =
            done(memory, "update", json!({"item": of_oil, "metadata": {"by": "Ada"}}))["item_id"].as_i64().unwrap();
        assert_eq!(now(memory), because("source_changed", &[kept]), "that is no confirmation");
        let rewritten = update(memory, kept, "The tower has oil.");
        assert_eq!(now(memory), [], "a person wrote it by what the source says now: {rewritten}");
        assert!(renamed > fact);
        check_round_trip(memory);
    });
}

#[test]
fn i44_living_a_retired_source_a_forgotten_one_and_a_time_before() {
    agree(|memory, _| {
        let source = store(memory, Message::new("The boat comes on the third Tuesday."));
        let other = store(memory, Message::new("The boat brings the lens."));
        let fact = store(memory, derived(ItemKind::Fact, "The lens comes on a Tuesday.", &[source, other]));
        let before = done(memory, "item", json!({"item": fact}))["recorded_at"].as_str().map(str::to_owned);
        store(memory, Message { supersedes: vec![source], ..Message::new("There is no boat.") });
        assert_eq!(now(memory), because("source_retired", &[fact]));
        done(memory, "confirm_fact", json!({"fact": fact}));
        assert_eq!(now(memory), [], "a person said that it still holds");
        let changed = update(memory, other, "The boat brings oil.");
        assert_eq!(now(memory), because("source_changed", &[fact]));
        if let Some(before) = before {
            assert_eq!(unverified(memory, json!({"as_of": before})), [], "nothing was known against it then");
        }
        done(memory, "confirm_fact", json!({"fact": fact}));
        let forget = |items: Vec<i64>, id: &str| {
            memory.forget(&ada(), &ForgetRequest::Items(items), false, &operation(id)).unwrap();
        };
        forget(vec![changed], "forget-changed");
        assert_eq!(now(memory), because("source_retired", &[fact]), "what it was confirmed by is gone");
        let gone = Digest::of("The boat brings oil.").to_string();
        assert!(rows(memory, "fact_words").iter().all(|row| !row.contains(&gone)), "and so is its hash");
        forget(vec![other], "forget-source");
        assert_eq!((now(memory), rows(memory, "fact_words"), rows(memory, "confirmations")), (vec![], vec![], vec![]));
        assert!(call(memory, "item", json!({"item": fact})).is_err(), "fact, hash and confirmation are gone");
        let words = memory.raw().unwrap().lines().join("\n");
        assert!(!words.contains("The lens comes on a Tuesday."));
    });
}

#[test]
fn i44_living_a_document_that_changed_elsewhere_changes_nothing() {
    agree(|memory, _| {
        let paragraphs = |last: &str| {
            let care: String =
                (0..40).map(|at| format!("Rule {at} of the lamp is to keep it clean and dry. ")).collect();
            format!("# Care\n\n{care}\n\n# Oil\n\n{care}\n\n# Boat\n\n{last}\n")
        };
        memory.ingest_text(&ada(), text("one", "guide.md", &paragraphs("The boat comes in May."))).unwrap();
        let chunks = done(memory, "items", json!({"kind": "chunk"}));
        let chunk = |words: &str| {
            let items = chunks["items"].as_array().unwrap();
            items.iter().find(|item| item["text"].as_str().unwrap().contains(words)).unwrap()["item_id"]
                .as_i64()
                .unwrap()
        };
        let (rule, boat) = (chunk("Rule 0 "), chunk("in May"));
        assert_ne!(rule, boat);
        let clean = store(memory, derived(ItemKind::Fact, "The lamp is kept dry.", &[rule]));
        let comes = store(memory, derived(ItemKind::Fact, "A boat in May.", &[boat]));
        memory.ingest_text(&ada(), text("two", "guide.md", &paragraphs("The boat comes in June."))).unwrap();
        assert_eq!(now(memory), because("source_changed", &[comes]));
        done(memory, "confirm_fact", json!({"fact": comes}));
        assert_eq!(now(memory), []);
        memory.ingest_text(&ada(), text("three", "guide.md", &paragraphs("No boat comes."))).unwrap();
        assert_eq!(now(memory), because("source_changed", &[comes]));
        memory.forget(&ada(), &ForgetRequest::Document("guide.md".to_owned()), false, &operation("forget")).unwrap();
        assert_eq!((now(memory), rows(memory, "fact_words")), (vec![], vec![]));
        assert!(call(memory, "item", json!({"item": clean})).is_err());
    });
}

#[test]
fn i44_living_a_persons_correction_is_looked_at_when_the_message_changes() {
    agree(|memory, _| {
        let said = |words: &str| Message { speaker: Some("Ana".to_owned()), ..Message::new(words) };
        let message = store(memory, said("I live in Porto."));
        let fact = done(memory, "facts", json!({}))["facts"][0]["fact"].as_i64().unwrap();
        let corrected = done(memory, "correct_fact", json!({"fact": fact, "value": "Faro"}));
        let faro = corrected["fact"]["fact"].as_i64().unwrap();
        assert_eq!(now(memory), []);
        update(memory, message, "I live in Braga.");
        assert_eq!(now(memory), because("source_changed", &[faro]));
        let history = done(memory, "fact_history", json!({"fact": faro}));
        let of_faro = history["facts"].as_array().unwrap().iter().find(|fact| fact["fact"] == faro).unwrap().clone();
        assert_eq!((&of_faro["unverified"], &of_faro["state"]), (&json!("source_changed"), &json!("holds")));
        done(memory, "confirm_fact", json!({"fact": faro}));
        assert_eq!(now(memory), []);
        let steps = done(memory, "fact_history", json!({"fact": faro}))["steps"].clone();
        assert_eq!((&steps[0]["step"], &steps[0]["fact"]), (&json!("confirmed"), &json!(faro)));
        // Another correction stands by what the message says now.
        done(memory, "correct_fact", json!({"fact": faro, "value": "Lisbon"}));
        assert_eq!(now(memory), []);
        check_round_trip(memory);
        let refused = tried(memory, "confirm_fact", json!({"fact": message})).unwrap_err();
        assert!(refused.to_string().contains("only facts and summaries are confirmed"), "{refused}");
        let refused = tried(memory, "confirm_fact", json!({"fact": fact})).unwrap_err();
        assert!(refused.to_string().contains("is retired"), "{refused}");
        assert_eq!(tried(memory, "confirm_fact", json!({"fact": 999})).unwrap_err().code(), "not_found");
    });
}

#[test]
fn i44_living_a_date_by_which_to_look_again() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let (seconds, clock) = set_clock();
        let memory = open_at(&database, "", clock);
        let at = |day: i64| Timestamp::from_micros((1_700_000_000 + day * 86_400) * 1_000_000);
        let to = |day: i64| seconds.store(1_700_000_000 + day * 86_400, Ordering::Relaxed);
        let source = store(&memory, Message::new("The password of the gate changes each month."));
        let fact = store(&memory, derived(ItemKind::Fact, "The gate has a password.", &[source]));
        let alone = store(&memory, derived(ItemKind::Fact, "The bell is in the tower.", &[]));
        for item in [fact, alone] {
            let confirmed = done(&memory, "confirm_fact", json!({"fact": item, "review_by": at(10).to_string()}));
            assert_eq!((&confirmed["changed"], &confirmed["review_by"]), (&json!(true), &json!(at(10))));
        }
        assert_eq!(now(&memory), []);
        to(5);
        assert_eq!(done(&memory, "confirm_fact", json!({"fact": alone}))["review_by"], json!(at(10)), "it stays");
        to(10);
        assert_eq!(now(&memory), because("review_due", &[fact, alone]), "{engine:?}");
        assert_eq!(unverified(&memory, json!({"as_of": at(5).to_string()})), []);
        let past = tried(&memory, "confirm_fact", json!({"fact": fact, "review_by": at(9).to_string()})).unwrap_err();
        assert!(past.to_string().contains("has passed already"), "{past}");
        done(&memory, "confirm_fact", json!({"fact": fact}));
        assert_eq!(now(&memory), because("review_due", &[alone]));
        to(11);
        done(&memory, "confirm_fact", json!({"fact": alone, "review_by": at(20).to_string()}));
        assert_eq!(now(&memory), []);
        to(20);
        let request = RecallRequest { asked_at: Some(at(20)), ..RecallRequest::new("Where is the bell?") };
        let recalled = memory.recall(&[ada()], &request).unwrap();
        assert!(
            recalled.text.contains("The bell is in the tower. (unverified: its review is due)"),
            "{}",
            recalled.text
        );
    }
}

fn recalled(memory: &Recordar, query: &str) -> RecallResult {
    memory.recall(&[ada()], &RecallRequest::new(query)).unwrap()
}

#[test]
fn i44_living_recalls_say_so_and_their_receipts_are_proven() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, RECEIPTS);
        let source = store(&memory, Message::new("The lens is cleaned every Monday."));
        let fact = store(&memory, derived(ItemKind::Fact, "The keeper polishes the lens on Mondays.", &[source]));
        store(&memory, derived(ItemKind::Summary, "They talked about the keeper and the lens.", &[source]));
        let query = "When does the keeper polish the lens?";
        let before = recalled(&memory, query);
        assert!(before.text.contains("on Mondays. (confidence: ") && !before.text.contains("unverified"));
        assert!(before.trace.stages.iter().all(|stage| stage.name != "unverified"));
        update(&memory, source, "The lamp is cleaned every Tuesday.");
        let after = recalled(&memory, query);
        assert!(after.text.contains("on Mondays. (unverified: its source changed) (confidence: "), "{}", after.text);
        assert!(after.text.contains("the keeper and the lens. (unverified: its source changed)\n"), "{}", after.text);
        let entry = after.memories.iter().find(|entry| entry.provenance.item_id == fact).unwrap();
        assert_eq!(serde_json::to_value(entry).unwrap()["unverified"], "source_changed");
        assert!(after.trace.stages.iter().any(|stage| stage.name == "unverified" && stage.decisions.len() == 2));
        done(&memory, "confirm_fact", json!({"fact": fact}));
        let confirmed = recalled(&memory, query);
        assert!(confirmed.text.contains("on Mondays. (confidence: "), "{}", confirmed.text);
        let other = TestDatabase::new(Engine::Sqlite);
        let elsewhere = open(&other);
        for result in [&before, &after, &confirmed] {
            let id = result.receipt.as_deref().unwrap();
            let why = memory.why(&ada(), id).unwrap();
            assert!(why.identical && why.text == result.text, "{engine:?}: {:?}", why.differences);
            let line = serde_json::to_string(&memory.export_receipt(&ada(), id).unwrap()).unwrap();
            let exported: ReceiptExport = serde_json::from_str(&line).unwrap();
            elsewhere.import_receipts(&[exported], &operation(id)).unwrap();
            let why = elsewhere.why(&ada(), id).unwrap();
            assert!(why.identical && why.text == result.text, "{engine:?}: {:?}", why.differences);
        }
    }
}

#[test]
fn i44_living_an_export_from_before_gives_facts_their_hash_and_is_the_same_again() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let source = store(&memory, Message::new("The lens is cleaned every Monday."));
    let fact = store(&memory, derived(ItemKind::Fact, "Mondays are for the lens.", &[source]));
    let file = String::from_utf8(export(&memory, &ExportScope::Store)).unwrap();
    assert!(!file.contains("fact_words"), "an import takes the same words again");
    // As the version before wrote it.
    let (header, body) = file.split_once('\n').unwrap();
    let earlier = format!("{}\n{body}", header.replace("\"schema\":13", "\"schema\":12"));
    assert!(earlier.contains("\"schema\":12"));
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let other = open(&database);
        import(&other, earlier.as_bytes()).unwrap();
        assert_eq!(rows(&other, "fact_words"), rows(&memory, "fact_words"), "{engine:?}");
        let again = import(&other, earlier.as_bytes()).unwrap();
        assert!(again.spaces.iter().all(|space| space.known), "{engine:?}");
        update(&other, source, "The lens is cleaned every Tuesday.");
        assert_eq!(now(&other), because("source_changed", &[fact]));
        done(&other, "confirm_fact", json!({"fact": fact, "review_by": "2099-01-01"}));
        let file = export(&other, &ExportScope::Store);
        let forged = String::from_utf8(file.clone()).unwrap().replace("\"confirmed\":1", "\"confirmed\":0");
        let refused = import(&memory, with_right_sums(&forged).as_bytes()).unwrap_err();
        assert!(refused.to_string().contains("a row of fact_words is inconsistent"), "{refused}");
        let third = TestDatabase::new(engine);
        let third = (open(&third), third);
        import(&third.0, &file).unwrap();
        assert_eq!(rows(&third.0, "fact_words"), rows(&other, "fact_words"), "{engine:?}");
        assert_eq!(rows(&third.0, "confirmations"), rows(&other, "confirmations"), "{engine:?}");
    }
}
