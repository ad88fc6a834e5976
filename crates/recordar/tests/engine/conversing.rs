//! Conversations (D): a vocabulary that writer and reader share, labels by a scripted model or built in, the seed's worked examples, staged
//! recalls with their receipts, uses, filters, and echoes.

use crate::drawn_model::{Asked, with_model};
use crate::recalling::with;
use crate::{ada, open_at, open_with, operation, set_clock};
use recordar::forget::ForgetRequest;
use recordar::recall::{RecallOverrides, RecallRequest, RecallResult};
use recordar::search::SearchRequest;
use recordar::transfer::ExportScope;
use recordar::vocabulary::{LabelQuery, LabelView, StageSource, TermKind, TimeScope};
use recordar::{Message, Recordar, SpaceName, Timestamp};
use recordar_testkit::{Engine, ModelServer, TestDatabase};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

const TOOL: &str = "structured = \"tool\"\nretries = 0\nrepairs = 0\n";
const DAY: i64 = 86_400;

/// The labels of a message that a scripted model gives: by the first word that it knows.
fn scripted_labels(message: &str) -> Value {
    let of = |topics: &[&str], category: &str, importance: f64| {
        let number = message.split_whitespace().find_map(|word| word.strip_prefix('#'));
        let number = number.map(|number| number.trim_matches(|c: char| !c.is_ascii_digit()).to_owned());
        let entities: Vec<Value> =
            number.iter().map(|number| json!({"type": "order_id", "value": format!("#{number}")})).collect();
        json!({"topics": topics, "category": category, "message_type": "statement", "entities": entities,
            "importance": importance, "confidence": "high", "suggested_topic": null, "suggested_category": null})
    };
    match message {
        text if text.contains("prefers SMS") => of(&["order_status"], "user_preference", 0.9),
        text if text.contains("not here about the refund") => of(&["general_inquiry"], "inquiry", 0.5),
        text if text.contains("gift") => {
            let mut labels = of(&["general_inquiry"], "inquiry", 0.5);
            labels["confidence"] = json!("low");
            labels["suggested_topic"] = json!("Gift cards");
            labels
        }
        text if text.contains('#') => of(&["order_status"], "inquiry", 0.7),
        _ => of(&["general_inquiry"], "conversation", 0.4),
    }
}

/// A model that labels, and reads questions, as a test scripts it.
fn scripted_model() -> ModelServer {
    ModelServer::start(|received| {
        let asked = Asked::read(received);
        let reply = match asked.task.as_str() {
            "classify_message" => scripted_labels(&asked.user),
            "extract_search_params" if asked.user.contains("#5678") => json!({
                "topics": ["order_status"], "category": null, "time_scope": "all",
                "entities": [{"type": "order_id", "value": "#5678"}], "search_current_thread_only": false}),
            "extract_search_params" => json!({
                "topics": ["general_inquiry"], "category": "inquiry", "time_scope": "all",
                "entities": [], "search_current_thread_only": true}),
            other => panic!("{other} is no task of a conversation"),
        };
        asked.reply(&reply.to_string())
    })
}

fn said(thread: &str, title: Option<&str>, role: &str, text: &str, seconds: i64) -> Message {
    Message {
        thread: Some(thread.to_owned()),
        title: title.map(str::to_owned),
        role: serde_json::from_value(json!(role)).unwrap(),
        time: Some(Timestamp::from_micros(seconds * 1_000_000)),
        ..Message::new(text)
    }
}

fn staged(query: &str, thread: &str) -> RecallRequest {
    RecallRequest { staged: true, session_id: Some(thread.to_owned()), ..RecallRequest::new(query) }
}

fn labels(memory: &Recordar, thread: Option<&str>) -> Vec<LabelView> {
    memory.messages(&ada(), thread).unwrap().into_iter().map(|message| message.labels.unwrap()).collect()
}

fn work(memory: &Recordar, id: &str) -> recordar::queue::WorkReport {
    memory.work(false, None, &operation(id), |_| {}).unwrap()
}

/// The conversations of the seed's example, at a time after them.
fn seed_conversations(memory: &Recordar, now: i64) {
    let messages = [
        said("jan-15", Some("Support Chat Jan 15"), "user", "Order #5678 was delayed", now - 5 * DAY),
        said("jan-15", None, "assistant", "We've expedited shipping for #5678", now - 5 * DAY + 10),
        said("questions", Some("Order Questions"), "user", "When will #5678 arrive?", now - 4 * DAY),
        said("questions", None, "assistant", "Expected delivery is Jan 20 for #5678", now - 4 * DAY + 10),
        said("settings", Some("Settings"), "user", "User prefers SMS notifications for orders", now - 40 * DAY),
        said("now", None, "user", "I want to check on order #5678", now - 60),
    ];
    memory.remember(&ada(), &messages, &operation("said")).unwrap();
}

#[test]
fn d6_the_first_worked_example_of_the_seed_runs_with_a_scripted_model() {
    for engine in Engine::ALL {
        let (database, server, (seconds, clock)) = (TestDatabase::new(engine), scripted_model(), set_clock());
        let memory = open_at(&database, &with_model(&server.url(), TOOL), clock);
        seed_conversations(&memory, seconds.load(Ordering::Relaxed));
        assert_eq!(memory.queue().unwrap().kinds[0].waiting, 6);
        assert_eq!(work(&memory, "work").labelled, 6);
        let query = "What did we discuss about my order #5678 in our previous conversations?";
        let request = RecallRequest { receipt: Some(true), ..staged(query, "now") };
        let result = memory.recall(&[ada()], &request).unwrap();
        let intent = result.staged.as_ref().unwrap().intent.clone();
        assert_eq!((intent.topics(), intent.category()), (&["order_status".to_owned()][..], None));
        assert_eq!((intent.time_scope(), intent.search_current_thread_only()), (TimeScope::All, false));
        assert_eq!(intent.entities()[0].value, "#5678");
        // The seed's own order within a section is by score, and of equal scores by age.
        let expected = "\
## Current Conversation:
- [user] I want to check on order #5678

## Related Past Conversations:
- [user] (from: Order Questions) When will #5678 arrive?
- [assistant] (from: Order Questions) Expected delivery is Jan 20 for #5678
- [user] (from: Support Chat Jan 15) Order #5678 was delayed
- [assistant] (from: Support Chat Jan 15) We've expedited shipping for #5678
- [user] (from: Settings) User prefers SMS notifications for orders";
        let text = result.text.clone();
        let past = |text: &str| {
            let mut lines: Vec<&str> = text.lines().filter(|line| line.starts_with("- ")).collect();
            lines.sort_unstable();
            lines.join("\n")
        };
        assert_eq!(past(&text), past(expected), "{text}");
        assert!(text.starts_with("## Current Conversation:\n- [user] I want to check on order #5678\n\n## Related"));
        prove(&memory, &result);
    }
}

/// The receipt of a staged recall rebuilds the same bytes.
fn prove(memory: &Recordar, result: &RecallResult) {
    let why = memory.why(&ada(), result.receipt.as_deref().unwrap()).unwrap();
    assert!(why.identical, "{:?}", why.differences);
    assert_eq!(why.text, result.text);
    assert_eq!(why.body.format, 3);
    assert_eq!(why.body.staged.unwrap().intent, result.staged.as_ref().unwrap().intent);
}

#[test]
fn d6_preferences_have_a_section_of_their_own_if_no_stage_before_found_them() {
    let (database, server, (seconds, clock)) = (TestDatabase::new(Engine::Sqlite), scripted_model(), set_clock());
    let memory = open_at(&database, &with_model(&server.url(), TOOL), clock);
    let now = seconds.load(Ordering::Relaxed);
    let messages = [
        said("settings", None, "user", "User prefers SMS notifications for orders", now - 40 * DAY),
        said("now", None, "user", "What is your policy?", now - 60),
    ];
    memory.remember(&ada(), &messages, &operation("said")).unwrap();
    work(&memory, "work");
    let query = "I'm not here about the refund, I just want to understand your policy";
    let result = memory.recall(&[ada()], &staged(query, "now")).unwrap();
    let expected = "\
## Current Conversation:
- [user] What is your policy?

## User Context & Preferences:
- [preference] User prefers SMS notifications for orders";
    assert_eq!(result.text, expected);
    let sources: Vec<StageSource> = result.memories.iter().filter_map(|memory| memory.provenance.stage).collect();
    assert_eq!(sources, [StageSource::CurrentThread, StageSource::Expansion]);
}

#[test]
fn d3_the_second_worked_example_of_the_seed_is_about_intent_and_not_words() {
    let query = "I'm not here about the refund, I just want to understand your policy";
    let server = scripted_model();
    for toml in [with_model(&server.url(), &format!("{TOOL}[facts]\nenabled = false\n")), String::new()] {
        let database = TestDatabase::new(Engine::Sqlite);
        let memory = open_with(&database, &toml);
        memory.remember(&ada(), &[Message::new(query)], &operation("said")).unwrap();
        work(&memory, "work");
        let result = memory.recall(&[ada()], &staged(query, "none")).unwrap();
        let intent = &result.staged.unwrap().intent;
        assert!(!intent.topics().contains(&"refund".to_owned()), "{intent:?}");
        let labels = labels(&memory, None);
        assert_eq!(labels[0].topics, ["general_inquiry"], "{labels:?}");
    }
    let asked: Vec<Value> =
        server.received().iter().map(|received| serde_json::from_str(&received.body).unwrap()).collect();
    let names: Vec<&str> = asked.iter().map(|body| body["tool_choice"]["function"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["classify_message", "extract_search_params"]);
    assert_eq!(asked[0]["messages"][1]["content"], query, "the message is a turn of its own");
}

#[test]
fn d3_the_context_of_the_thread_goes_before_the_question_as_in_the_seed() {
    let server = scripted_model();
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_model(&server.url(), TOOL));
    memory.remember(&ada(), &[Message::new("Hello")], &operation("said")).unwrap();
    let request = RecallRequest { thread_context: Some("user: Hello".to_owned()), ..staged("And now?", "now") };
    memory.recall(&[ada()], &request).unwrap();
    let body: Value = serde_json::from_str(&server.received()[0].body).unwrap();
    let expected = "Recent conversation context:\nuser: Hello\n\nUser query: And now?";
    assert_eq!(body["messages"][1]["content"], expected);
}

#[test]
fn d2_labels_have_exactly_the_fields_of_the_seed_and_name_their_labeller() {
    for engine in Engine::ALL {
        let (database, server) = (TestDatabase::new(engine), scripted_model());
        let memory = open_with(&database, &with_model(&server.url(), TOOL));
        let message =
            Message { importance: Some(serde_json::from_value(json!(0.25)).unwrap()), ..Message::new("About #12.") };
        memory.remember(&ada(), &[message, Message::new("I love a gift")], &operation("said")).unwrap();
        assert_eq!(memory.messages(&ada(), None).unwrap()[0].labels, None, "never in the way of the writer");
        work(&memory, "work");
        let found = labels(&memory, None);
        let expected = json!({"topics": ["order_status"], "category": "inquiry", "message_type": "statement",
            "entities": [{"type": "order_id", "value": "#12"}], "confidence": "high", "suggested_topic": null,
            "suggested_category": null, "importance": 0.25, "role": "user", "vocabulary_version": "2024-01-15",
            "enrichment_model": "compatible small"});
        assert_eq!(json!(found[0]), expected, "the caller's importance counts more than the model's");
        assert_eq!(found[1].suggested_topic.as_deref(), Some("gift_cards"));
    }
}

#[test]
fn d2_without_a_model_the_built_in_method_labels_at_once_and_says_so() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, "");
        memory.remember(&ada(), &[Message::new("I want a refund for order #77.")], &operation("said")).unwrap();
        let found = labels(&memory, None);
        assert_eq!((found[0].topics[0].as_str(), found[0].enrichment_model.as_str()), ("refund", "built-in"));
        assert_eq!(found[0].entities[0].value, "#77");
    }
    let database = TestDatabase::new(Engine::Sqlite);
    let off = open_with(&database, "[enrichment]\nenabled = false");
    off.remember(&ada(), &[Message::new("I want a refund.")], &operation("said")).unwrap();
    assert_eq!(off.messages(&ada(), None).unwrap()[0].labels, None);
    let result = off.recall(&[ada()], &staged("Hello?", "now")).unwrap();
    assert_eq!(result.memories.len(), 1, "a message without labels is still recalled");
}

#[test]
fn d2_the_price_of_the_backlog_is_known_before_anything_is_spent() {
    let database = TestDatabase::new(Engine::Sqlite);
    let plain = open_with(&database, "");
    let messages: Vec<Message> = (0..30).map(|number| Message::new(&format!("About #{number}"))).collect();
    plain.remember(&ada(), &messages, &operation("said")).unwrap();
    assert_eq!(plain.enrich(&[ada()], false, true, &operation("none")).unwrap().messages, 0);
    let server = scripted_model();
    let memory = open_with(&database, &with_model(&server.url(), TOOL));
    let backlog = memory.enrich(&[ada()], false, true, &operation("dry")).unwrap();
    assert_eq!((backlog.messages, backlog.labelled_by.as_str(), backlog.queued), (30, "compatible small", 0));
    assert!(backlog.tokens > 30 * 400, "{backlog:?}");
    assert!(memory.queue().unwrap().kinds.is_empty() && server.received().is_empty());
    assert_eq!(memory.enrich(&[ada()], false, false, &operation("queue")).unwrap().queued, 30);
    assert_eq!(
        memory.enrich(&[ada()], false, false, &operation("queue-again")).unwrap().queued,
        0,
        "they wait already"
    );
    assert_eq!(work(&memory, "work").labelled, 30);
    assert!(labels(&memory, None).iter().all(|labels| labels.enrichment_model == "compatible small"));
    assert_eq!(memory.enrich(&[ada()], false, true, &operation("dry-again")).unwrap().messages, 0);
}

#[test]
fn d4_uses_change_only_at_a_flush_are_named_and_make_a_memory_last() {
    for engine in Engine::ALL {
        let (database, (seconds, clock)) = (TestDatabase::new(engine), set_clock());
        let memory = open_at(&database, "[recall]\ncache_seconds = 0", clock);
        let now = seconds.load(Ordering::Relaxed);
        let messages = [said("old", None, "user", "The blue kettle leaks.", now - 2 * DAY)];
        memory.remember(&ada(), &messages, &operation("said")).unwrap();
        let revision = || memory.spaces().map(|_| memory.recall(&[ada()], &preview("Hello?")).unwrap()).unwrap();
        let request = staged("Hello?", "now");
        for _ in 0..11 {
            let result = memory.recall(&[ada()], &request).unwrap();
            assert_eq!(result.staged.unwrap().uses_at, [0], "nothing is written on the way");
        }
        memory.recall(&[ada()], &preview("Hello?")).unwrap();
        memory.flush_uses().unwrap();
        let after = revision();
        let candidate = after.candidates.iter().find_map(|candidate| candidate.staged.clone()).unwrap();
        assert_eq!(candidate.uses, 11, "a preview does not count");
        let uses_at = after.staged.as_ref().unwrap().uses_at[0];
        assert!(uses_at > 0);
        let named = after
            .trace
            .stages
            .iter()
            .flat_map(|stage| &stage.decisions)
            .any(|decision| decision.reason == "use_counts");
        assert!(named, "{:?}", after.trace);
        let sources: Vec<_> =
            after.candidates.iter().filter_map(|one| one.staged.as_ref().map(|one| one.source)).collect();
        assert!(sources.contains(&StageSource::Expansion), "more than ten uses make it last: {sources:?}");
    }
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "[enrichment]\ncount_uses = false");
    memory.remember(&ada(), &[Message::new("The blue kettle leaks.")], &operation("said")).unwrap();
    memory.recall(&[ada()], &staged("Hello?", "now")).unwrap();
    memory.flush_uses().unwrap();
    assert!(!memory.raw().unwrap().lines().iter().any(|line| line.starts_with("uses ")));
}

fn preview(query: &str) -> RecallRequest {
    RecallRequest { preview: true, ..staged(query, "now") }
}

#[test]
fn d2_search_and_recall_are_filtered_by_labels() {
    for engine in Engine::ALL {
        let (database, server) = (TestDatabase::new(engine), scripted_model());
        let memory = open_with(&database, &with_model(&server.url(), TOOL));
        let messages = ["The kettle of #1 leaks", "The kettle sings", "The kettle is a gift"].map(Message::new);
        memory.remember(&ada(), &messages, &operation("said")).unwrap();
        work(&memory, "work");
        let found = |labels: LabelQuery| {
            let request = SearchRequest { labels, ..SearchRequest::new("kettle") };
            let hits = memory.search(&[ada()], &request).unwrap().hits;
            hits.iter().map(|hit| hit.item.text.clone()).collect::<Vec<_>>()
        };
        let topic = |topic: &str| LabelQuery { topics: vec![topic.to_owned()], ..LabelQuery::default() };
        assert_eq!(found(LabelQuery::default()).len(), 3);
        assert_eq!(found(topic("order_status")), ["The kettle of #1 leaks"]);
        assert_eq!(
            found(LabelQuery { category: Some("conversation".to_owned()), ..LabelQuery::default() }),
            ["The kettle sings"]
        );
        assert_eq!(
            found(LabelQuery { entities: vec!["1".to_owned()], ..LabelQuery::default() }),
            ["The kettle of #1 leaks"]
        );
        assert_eq!(
            found(LabelQuery { message_type: Some("question".to_owned()), ..LabelQuery::default() }),
            Vec::<String>::new()
        );
        let request = RecallRequest { labels: topic("order_status"), ..RecallRequest::new("kettle") };
        let recalled = memory.recall(&[ada()], &request).unwrap();
        assert_eq!(recalled.memories.len(), 1);
        let error =
            memory.search(&[ada()], &SearchRequest { labels: topic("refnud"), ..SearchRequest::new("x") }).unwrap_err();
        assert!(
            error.to_string().contains("\"refnud\" is not a topic") && error.remedy().contains("refund"),
            "{error}"
        );
    }
}

#[test]
fn d1_vocabularies_are_versions_that_files_make_and_exports_carry() {
    for engine in Engine::ALL {
        let (database, other) = (TestDatabase::new(engine), TestDatabase::new(Engine::Sqlite));
        let memory = open_with(&database, "");
        let first = memory.vocabulary(None).unwrap();
        assert_eq!((first.version.as_str(), first.current, first.topics.len()), ("2024-01-15", true, 13));
        let same = memory.import_vocabulary(&first.text).unwrap();
        assert_eq!(same.version, "2024-01-15", "a file that was exported can be imported");
        let other_terms = first.text.replace("\"refund\"", "\"money_back\"");
        let error = memory.import_vocabulary(&other_terms).unwrap_err();
        assert!(error.to_string().contains("already exists with other terms"), "{error}");
        let next = other_terms.replace("2024-01-15", "shop-2");
        memory.import_vocabulary(&next).unwrap();
        memory.remember(&ada(), &[Message::new("I want my money back!")], &operation("said")).unwrap();
        let found = labels(&memory, None);
        assert_eq!((found[0].topics[0].as_str(), found[0].vocabulary_version.as_str()), ("money_back", "shop-2"));
        let old = memory.vocabulary(Some("2024-01-15")).unwrap();
        assert!(!old.current && old.topics[0].name == "refund");
        assert!(memory.vocabulary(Some("none")).is_err());
        let mut file = Vec::new();
        memory.export(&ExportScope::Spaces(vec![ada()]), &mut file).unwrap();
        let there = open_with(&other, "");
        crate::transfer::import(&there, &file).unwrap();
        assert_eq!(labels(&there, None), found);
        assert_eq!(there.vocabulary(Some("shop-2")).unwrap().topics[0].name, "money_back");
        assert_eq!(there.vocabulary(None).unwrap().version, "2024-01-15", "what came along is not in use");
    }
}

#[test]
fn d1_a_vocabulary_that_is_not_right_is_refused_in_words() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "");
    let right = memory.vocabulary(None).unwrap().text.replace("2024-01-15", "next");
    let refused = |text: String, expected: &str| {
        let error = memory.import_vocabulary(&text).unwrap_err();
        assert!(error.to_string().contains(expected), "{expected}: {error}");
    };
    refused("nonsense".to_owned(), "cannot be read");
    refused(right.replace("\"refund\"", "\"Re fund\""), "is not a term");
    refused(right.replace("\"refund\"", "\"shipping\""), "twice");
    refused(right.replace("catch_all = \"general_inquiry\"", "catch_all = \"none\""), "not a topic");
    refused(right.replace("version = \"next\"", "version = \"\""), "version");
    refused(format!("{right}\n[about.topics]\nnothing = \"x\"\n"), "not in topics");
    memory.import_vocabulary(&right).unwrap();
}

fn approvals(memory: &Recordar) -> Vec<String> {
    let suggestions = memory.suggestions(TermKind::Topic, 5, 20).unwrap();
    suggestions.into_iter().map(|one| format!("{} {} {}", one.term, one.frequency, one.examples.len())).collect()
}

#[test]
fn d7_frequent_suggestions_are_approved_backfilled_and_undone() {
    for engine in Engine::ALL {
        let (database, server) = (TestDatabase::new(engine), scripted_model());
        let memory = open_with(&database, &with_model(&server.url(), TOOL));
        let bob = SpaceName::user("bob").unwrap();
        for (space, count) in [(ada(), 3), (bob.clone(), 3)] {
            let messages: Vec<Message> = (0..count).map(|number| Message::new(&format!("A gift, {number}"))).collect();
            memory.remember(&space, &messages, &operation("said")).unwrap();
        }
        work(&memory, "work");
        let before = labels(&memory, None);
        assert_eq!(approvals(&memory), ["gift_cards 6 3"], "the beginnings of different messages");
        assert!(memory.suggestions(TermKind::Topic, 7, 20).unwrap().is_empty());
        memory.reject_term(TermKind::Topic, "gift cards").unwrap();
        assert!(approvals(&memory).is_empty());
        let approved = memory.approve_term(TermKind::Topic, "Gift cards", |_| {}).unwrap();
        assert_eq!((approved.term.as_deref(), approved.relabelled), (Some("gift_cards"), 6));
        let after = labels(&memory, None);
        assert!(
            after.iter().all(|labels| labels.topics == ["gift_cards", "general_inquiry"]
                && json!(labels.confidence) == "high"
                && labels.suggested_topic.is_none()
                && labels.vocabulary_version == approved.version),
            "{after:?}"
        );
        let request = SearchRequest {
            labels: LabelQuery { topics: vec!["gift_cards".to_owned()], ..LabelQuery::default() },
            ..SearchRequest::new("gift")
        };
        assert_eq!(memory.search(&[ada(), bob.clone()], &request).unwrap().hits.len(), 6);
        assert!(memory.approve_term(TermKind::Topic, "gift_cards", |_| {}).is_err());
        let undone = memory.undo_approval(TermKind::Topic, "gift_cards", |_| {}).unwrap();
        assert_eq!(undone.relabelled, 6);
        assert_eq!(labels(&memory, None), before, "the labels of before");
        assert!(memory.search(&[ada()], &request).is_err(), "the term is gone");
        let actions: Vec<&str> = memory.vocabulary_history().unwrap().iter().map(|change| change.action).collect();
        assert_eq!(actions, ["reject", "approve", "undo"]);
    }
}

#[test]
fn d7_an_item_that_would_get_a_fourth_topic_keeps_its_three_most_confident() {
    let server = ModelServer::start(|received| {
        let asked = Asked::read(received);
        let reply = json!({"topics": ["refund", "billing", "payment"], "category": "inquiry", "message_type": "question",
            "importance": 0.5, "confidence": "low", "suggested_topic": "vouchers"});
        asked.reply(&reply.to_string())
    });
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_model(&server.url(), TOOL));
    memory.remember(&ada(), &[Message::new("A voucher?")], &operation("said")).unwrap();
    work(&memory, "work");
    memory.approve_term(TermKind::Topic, "vouchers", |_| {}).unwrap();
    assert_eq!(labels(&memory, None)[0].topics, ["vouchers", "refund", "billing"]);
}

#[test]
fn d2_what_was_recalled_and_is_fed_back_a_thousand_times_adds_nothing_new() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "[recall]\ncache_seconds = 0");
    let facts = [
        "The kettle is in the blue cupboard.",
        "The kettle was a present of my aunt in Porto.",
        "My aunt keeps bees behind the kettle shop.",
        "The cupboard is next to the window of the kitchen, and it is painted blue every spring because of the salt in the air.",
    ];
    memory.remember(&ada(), &facts.map(Message::new), &operation("said")).unwrap();
    let questions = ["Where is the kettle?", "Who gave me the kettle?", "What is behind the kettle shop?"];
    let recalled = |query: &str| {
        // With what is fed back, the conversation is no longer small.
        let settings = RecallOverrides { top_k: Some(8), ..RecallOverrides::default() };
        let result = memory.recall(&[ada()], &with(query, settings)).unwrap();
        let ids: Vec<i64> = result.memories.iter().map(|memory| memory.provenance.item_id).collect();
        (ids, result.text)
    };
    let staged_ids = |query: &str| {
        let result = memory.recall(&[ada()], &preview(query)).unwrap();
        result.memories.iter().map(|memory| memory.provenance.item_id).collect::<Vec<i64>>()
    };
    let before: Vec<(Vec<i64>, String)> = questions.iter().map(|query| recalled(query)).collect();
    let stages_before: Vec<Vec<i64>> = questions.iter().map(|query| staged_ids(query)).collect();
    for round in 0..250 {
        let (_, text) = &before[round % questions.len()];
        let contents = facts[round % facts.len()];
        let fed = [contents, contents, contents, text].map(Message::new);
        memory.remember(&ada(), &fed, &operation(&format!("fed-{round}"))).unwrap();
    }
    let after: Vec<(Vec<i64>, String)> = questions.iter().map(|query| recalled(query)).collect();
    let stages_after: Vec<Vec<i64>> = questions.iter().map(|query| staged_ids(query)).collect();
    assert_eq!((after, stages_after), (before, stages_before));
}

#[test]
fn d2_a_space_that_is_forgotten_while_its_jobs_run_leaves_nothing_behind() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let (ask, asked) = std::sync::mpsc::channel::<()>();
        let (go, gone) = std::sync::mpsc::channel::<()>();
        let (ask, gone) = (std::sync::Mutex::new(ask), std::sync::Mutex::new(gone));
        let server = ModelServer::start(move |received| {
            let _ = ask.lock().unwrap().send(());
            let _ = gone.lock().unwrap().recv_timeout(std::time::Duration::from_secs(20));
            let asked = Asked::read(received);
            asked.reply(&scripted_labels(&asked.user).to_string())
        });
        let memory = open_with(&database, &with_model(&server.url(), &format!("{TOOL}concurrency = 1\n")));
        memory.remember(&ada(), &[Message::new("About #1"), Message::new("About #2")], &operation("said")).unwrap();
        let report = std::thread::scope(|scope| {
            let worker = scope.spawn(|| work(&memory, "work"));
            asked.recv().unwrap();
            memory.forget(&ada(), &ForgetRequest::Space, false, &operation("forget")).unwrap();
            drop(go);
            worker.join().unwrap()
        });
        assert_eq!((report.labelled, report.lost), (0, 1), "{report:?}");
        let rows = memory.raw().unwrap().lines();
        let left: Vec<&String> = rows
            .iter()
            .filter(|line| {
                ["labels ", "jobs ", "queues ", "items ", "uses "].iter().any(|table| line.starts_with(table))
            })
            .collect();
        assert!(left.is_empty(), "{left:?}");
        assert!(memory.messages(&ada(), None).is_err(), "and the space is not made again");
    }
}
