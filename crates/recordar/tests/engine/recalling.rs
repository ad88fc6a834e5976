//! E1–E8: recalling, by the whole of the retrieval policy.

use crate::{ada, open, open_at, open_with, operation, set_clock, text};
use recordar::forget::ForgetRequest;
use recordar::item::{ItemKind, Role};
use recordar::recall::{
    Authority, ExcerptRule, Fallback, Interleaving, RecallOverrides, RecallRequest, RecallResult, Strategy,
};
use recordar::search::SearchMode;
use recordar::{Message, Recordar, SpaceName, Timestamp};
use recordar_testkit::{Engine, TestDatabase};
use std::sync::atomic::Ordering;

pub(crate) fn said(thread: &str, day: u32, words: &str) -> Message {
    let time = Timestamp::parse(&format!("2025-03-{day:02}T08:00:00Z")).ok();
    Message { thread: Some(thread.to_owned()), time, ..Message::new(words) }
}

pub(crate) fn store(memory: &Recordar, space: &SpaceName, messages: &[Message], id: &str) -> Vec<i64> {
    memory.remember(space, messages, &operation(id)).unwrap().items
}

pub(crate) fn recall(memory: &Recordar, request: &RecallRequest) -> RecallResult {
    memory.recall(&[ada()], request).unwrap()
}

/// With other settings, as an administrator.
pub(crate) fn with(query: &str, settings: RecallOverrides) -> RecallRequest {
    RecallRequest { settings, authority: Authority::Administrator, ..RecallRequest::new(query) }
}

pub(crate) fn everything() -> RecallOverrides {
    RecallOverrides { min_score: Some(0.0), ..RecallOverrides::default() }
}

fn ids(result: &RecallResult) -> Vec<i64> {
    result.memories.iter().map(|memory| memory.provenance.item_id).collect()
}

fn dropped<'a>(result: &'a RecallResult, stage: &str) -> Vec<&'a str> {
    let stage = result.trace.stages.iter().find(|found| found.name == stage);
    let decisions = stage.map(|stage| stage.decisions.as_slice()).unwrap_or_default();
    let dropped = decisions.iter().filter(|decision| decision.action == recordar::trace::Action::Dropped);
    dropped.map(|decision| decision.subject.as_str()).collect()
}

/// Twelve messages about lamps; the later ones are newer and less about them.
pub(crate) fn lamps(memory: &Recordar) -> Vec<i64> {
    let messages: Vec<Message> = (1..=12_u32)
        .map(|number| {
            said(
                &format!("talk {number}"),
                number,
                &format!("The lamp {}number {number}.", "and more ".repeat(number as usize)),
            )
        })
        .collect();
    store(memory, &ada(), &messages, "lamps")
}

#[test]
fn e1_nothing_is_searched_unless_every_condition_is_met() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    lamps(&memory);
    let found = |request: &RecallRequest| recall(&memory, request);
    assert!(!found(&RecallRequest::new("lamp")).memories.is_empty());
    let off = found(&RecallRequest { use_memory: false, ..RecallRequest::new("lamp") });
    assert_eq!((off.skipped, off.memories.len(), off.text.as_str()), (Some("use_memory"), 0, ""));
    assert_eq!(off.trace.stages[0].decisions[0].reason, "use_memory");
    let session = |session: &str| RecallRequest { session_id: Some(session.to_owned()), ..RecallRequest::new("lamp") };
    assert!(found(&session("talk 1")).skipped.is_none(), "a valid session");
    for wrong in ["", "  ", "a\0b", &"x".repeat(2000)] {
        assert_eq!(found(&session(wrong)).skipped, Some("session_id"), "{wrong:?}");
    }
    let nobody = memory.recall(&[SpaceName::user("nobody").unwrap()], &RecallRequest::new("lamp")).unwrap();
    assert_eq!(nobody.problem.unwrap().code, "COLLECTION_NOT_FOUND");
}

#[test]
fn e2_e3_at_its_defaults_eight_of_sixteen_make_the_context() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let messages: Vec<Message> =
        (1..=30).map(|number| said("talk", 1 + number % 28, &format!("The lamp of keeper {number}."))).collect();
    store(&memory, &ada(), &messages, "many");
    let eight = RecallOverrides { top_k: Some(8), ..RecallOverrides::default() };
    let result = recall(&memory, &with("lamp of the keeper", eight));
    assert_eq!((result.metadata.total_results, result.candidates.len()), (16, 16), "twice top_k are looked at");
    assert_eq!((result.metadata.included_results, result.memories.len()), (8, 8));
    assert_eq!(dropped(&result, "top_k").len(), 8);
    let config = serde_json::to_value(&result.metadata.config).unwrap();
    assert_eq!((&config["top_k"], &config["search_type"]), (&8.into(), &"hybrid".into()));
    for top_k in [1, 20] {
        let result = recall(&memory, &with("lamp keeper", RecallOverrides { top_k: Some(top_k), ..everything() }));
        assert_eq!(result.memories.len(), top_k as usize);
        assert_eq!(result.metadata.total_results, (2 * top_k as usize).min(30));
    }
    let refused = memory.recall(&[ada()], &with("lamp", RecallOverrides { top_k: Some(21), ..everything() }));
    assert!(refused.unwrap_err().to_string().contains("1 to 20"));
    let user = RecallRequest {
        authority: Authority::User,
        ..with("lamp", RecallOverrides { top_k: Some(5), ..everything() })
    };
    assert!(memory.recall(&[ada()], &user).unwrap_err().to_string().contains("6 to 10"));
}

#[test]
fn e2_the_search_type_decides_what_is_found() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let items = store(&memory, &ada(), &[Message::new("My automobile broke down."), Message::new("The lamp.")], "two");
    let by = |search_type| {
        let result =
            recall(&memory, &with("car repair", RecallOverrides { search_type: Some(search_type), ..everything() }));
        assert!(result.memories.iter().all(|memory| memory.provenance.search_type == search_type));
        ids(&result)
    };
    assert!(by(SearchMode::Keyword).is_empty());
    assert_eq!(by(SearchMode::Semantic)[0], items[0]);
    assert_eq!(by(SearchMode::Hybrid)[0], items[0]);
}

#[test]
fn e2_min_score_leaves_out_what_is_off_topic() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let items = lamps(&memory);
    assert!(recall(&memory, &RecallRequest::new("What is the boiling point of tungsten?")).memories.is_empty());
    let result = recall(&memory, &with("lamp number", RecallOverrides { min_score: Some(0.0), ..everything() }));
    let lowest = result.candidates.last().unwrap();
    let above = RecallOverrides { min_score: Some(lowest.score + 1e-9), top_k: Some(20), ..everything() };
    let above = recall(&memory, &with("lamp number", above));
    assert_eq!(dropped(&above, "gate"), [format!("user:ada item {}", lowest.item_id)]);
    let just = RecallOverrides { min_score: Some(lowest.score), top_k: Some(20), ..everything() };
    assert_eq!(
        recall(&memory, &with("lamp number", just)).memories.len(),
        items.len(),
        "what has just the score is kept"
    );
    assert!(
        recall(&memory, &with("lamp number", RecallOverrides { min_score: Some(1.0), ..everything() }))
            .memories
            .is_empty()
    );
}

#[test]
fn e3_duplicates_are_removed_across_sessions() {
    let database = TestDatabase::new(Engine::Sqlite);
    // Otherwise they would not even be candidates.
    let memory = open_with(&database, "index.skip_repeated = false");
    let words = ["The lens is new.", "the LENS is new", "  “The lens is new!”  ", "The lens is old."];
    let messages: Vec<Message> =
        (1..).zip(words).map(|(day, words)| said(&format!("session {day}"), day, words)).collect();
    let items = store(&memory, &ada(), &messages, "lens");
    let result = recall(&memory, &with("the lens is new", everything()));
    assert_eq!(result.memories.len(), 2);
    assert_eq!(dropped(&result, "deduplicate").len(), 2);
    assert!(ids(&result).contains(&items[3]));
    assert!(memory.recall_metrics().dedup_ratio.most == 0.5, "two of four");
}

#[test]
fn e4_relevance_and_recency_take_turns() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let items = lamps(&memory);
    let order = |strategy, ratio| {
        let interleaving = Some(Interleaving { strategy, ratio });
        let settings = RecallOverrides { interleaving, top_k: Some(12), ..everything() };
        let result =
            recall(&memory, &with("the lamp", RecallOverrides { search_type: Some(SearchMode::Keyword), ..settings }));
        let places = ids(&result).into_iter().map(|id| items.iter().position(|item| *item == id).unwrap() + 1);
        places.collect::<Vec<usize>>()
    };
    assert_eq!(order(Strategy::Alternate, None), [1, 12, 2, 11, 3, 10, 4, 9, 5, 8, 6, 7]);
    assert_eq!(order(Strategy::ScoreFirst, None), (1..=12).collect::<Vec<_>>());
    assert_eq!(order(Strategy::RecencyFirst, None), (1..=12).rev().collect::<Vec<_>>());
    assert_eq!(order(Strategy::ScoreFirst, Some(0.75)), [1, 2, 3, 12, 4, 5, 6, 11, 7, 8, 9, 10]);
}

#[test]
fn e5_redaction_is_switched_on_by_the_request_or_for_everybody() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let secret = "Write about the lens to ada@mail.example or 123-45-6789. Then wait. And wait.";
    store(&memory, &ada(), &[Message::new(secret), Message::new("The lens code is FALCON-7. ok")], "secret");
    let plain = recall(&memory, &with("lens", everything()));
    assert!(plain.text.contains("123-45-6789") && !plain.memories[0].provenance.was_redacted);
    let on = RecallOverrides { enable_redaction: Some(true), ..everything() };
    let redacted = recall(&memory, &with("lens", on.clone()));
    assert!(redacted.text.contains("[REDACTED]") && !redacted.text.contains("6789"));
    assert!(redacted.text.contains("FALCON-7"));
    let first = redacted.memories.iter().find(|memory| memory.content.contains("[REDACTED]")).unwrap();
    assert!(first.provenance.was_redacted && first.provenance.original_length == secret.chars().count());
    let custom = RecallOverrides { custom_redaction_patterns: vec![r"FALCON-\d".into()], ..on };
    assert!(!recall(&memory, &with("lens", custom)).text.contains("FALCON"));
    let configured =
        open_with(&database, "[recall]\nenable_redaction = true\ncustom_redaction_patterns = ['FALCON-\\d']");
    let text = recall(&configured, &with("lens", everything())).text;
    assert!(!text.contains("6789") && !text.contains("FALCON"), "{text}");
    let weakened = RecallRequest {
        authority: Authority::User,
        ..with("lens", RecallOverrides { enable_redaction: Some(false), ..everything() })
    };
    assert!(configured.recall(&[ada()], &weakened).is_err(), "a user cannot switch it off");
}

#[test]
fn e5_a_secret_across_a_sentence_end_is_seen_whole() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    store(&memory, &ada(), &[Message::new("The lens code is Falcon. Seven is its number. Go on.")], "secret");
    let settings = RecallOverrides {
        clip_sentences: Some(1),
        excerpts: Some(ExcerptRule::FirstSentences),
        custom_redaction_patterns: vec![r"Falcon\. Seven".into()],
        ..everything()
    };
    let content = recall(&memory, &with("lens code", settings)).memories[0].content.clone();
    assert_eq!(content, "The lens code is [REDACTED] is its number....", "clipped first, half of it would be told");
}

#[test]
fn e5_names_are_redacted_as_well_as_texts() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    memory.ingest_text(&ada(), text("doc", "ada@mail.example.md", "# Ask 123-45-6789\n\nThe lens is clean.")).unwrap();
    let spoken = Message { speaker: Some("bo@mail.example".into()), ..said("cy@mail.example", 1, "A lens.") };
    store(&memory, &ada(), &[spoken], "said");
    let settings = RecallOverrides { enable_redaction: Some(true), ..everything() };
    let result = recall(&memory, &with("lens", settings));
    assert_eq!(result.memories.len(), 2);
    let shown = serde_json::to_string(&result.memories).unwrap() + &result.text;
    assert!(!shown.contains("mail.example") && !shown.contains("6789") && shown.contains("[REDACTED]"), "{shown}");
    assert!(result.memories.iter().all(|memory| memory.provenance.was_redacted));
}

#[test]
fn e5_of_a_document_the_sentences_that_answer_are_shown() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let page = "# Refunds\n\nArticles come back within 21 days. Sale is sale.\n\n## Exceptions\n\nGift cards keep their value for three years. Ask at the till.";
    memory.ingest_text(&ada(), text("doc", "refunds.md", page)).unwrap();
    let content = |max_tokens| {
        let settings = RecallOverrides { clip_sentences: Some(1), max_tokens: Some(max_tokens), ..everything() };
        recall(&memory, &with("how long do gift cards keep their value", settings)).memories[0].content.clone()
    };
    assert_eq!(content(1500), page, "all of it fits");
    let long = format!("{page}\n\n## Rest\n\n{}", "The till is closed at night. ".repeat(40));
    memory.ingest_text(&ada(), text("doc-2", "refunds.md", &long)).unwrap();
    let shown = content(100);
    assert!(shown.starts_with("...Gift cards keep their value for three years. Ask at the till."), "{shown}");
}

#[test]
fn e3_texts_that_begin_alike_are_not_the_same() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let long = "The lens is clean. ".repeat(2000);
    store(&memory, &ada(), &[Message::new(&format!("{long} One.")), Message::new(&format!("{long} Two."))], "long");
    assert_eq!(recall(&memory, &with("lens", everything())).memories.len(), 2);
}

#[test]
fn e5_contents_are_clipped_at_sentence_ends() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let words = "Dr. Lee paid 3.50 for the lens at example.com/a.b on Monday. She liked it! Then she left. The end.";
    store(&memory, &ada(), &[Message::new(words)], "lens");
    let clipped = |sentences| {
        let excerpts = Some(ExcerptRule::FirstSentences);
        let settings = RecallOverrides { clip_sentences: Some(sentences), excerpts, ..everything() };
        recall(&memory, &with("lens", settings)).memories[0].content.clone()
    };
    assert_eq!(clipped(1), "Dr. Lee paid 3.50 for the lens at example.com/a.b on Monday....");
    assert_eq!(clipped(2), "Dr. Lee paid 3.50 for the lens at example.com/a.b on Monday. She liked it!...");
    assert_eq!(clipped(5), words);
}

#[test]
fn e5_the_budget_is_strict_and_the_last_item_partial() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let long = "the lamp and the lens and the oil and the rope ".repeat(12);
    let messages: Vec<Message> = (1..=8_u32).map(|day| said("talk", day, &format!("Number {day} is {long}"))).collect();
    store(&memory, &ada(), &messages, "long");
    let counter = recordar::text::TokenCounter::for_model("gpt-4o-mini");
    for max_tokens in [100, 150, 400, 1500] {
        let settings = RecallOverrides { max_tokens: Some(max_tokens), ..everything() };
        let result = recall(&memory, &with("lamp lens oil rope", settings));
        let tokens: usize = result.memories.iter().map(|memory| counter.count(&memory.content)).sum();
        assert_eq!(tokens, result.metadata.total_tokens);
        assert!(tokens <= max_tokens as usize && tokens > max_tokens as usize / 2, "{tokens} of {max_tokens}");
        assert_eq!(result.metadata.text_tokens, counter.count(&result.text));
        let last = result.memories.last().unwrap();
        assert!(max_tokens == 1500 || last.content.ends_with("..."), "the last one is cut");
        assert_eq!(dropped(&result, "budget").len(), 8 - result.memories.len());
    }
}

#[test]
fn e6_the_payload_tells_where_everything_is_from() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    memory
        .ingest_text(
            &ada(),
            text("doc", "lens.md", "# Lens\n\n## Care\n\nThe lens is cleaned daily. Gently. With a cloth."),
        )
        .unwrap();
    let spoken =
        Message { role: Role::Assistant, speaker: Some("Bo".into()), ..said("workshop", 4, "I ordered a lens.") };
    let of = |kind, words: &str| Message { kind, ..Message::new(words) };
    let items = store(
        &memory,
        &ada(),
        &[spoken, of(ItemKind::Fact, "The lens is blue."), of(ItemKind::Summary, "They spoke of the lens.")],
        "all",
    );
    let result = recall(&memory, &with("lens", everything()));
    assert_eq!(result.memories.len(), 4);
    let entry =
        |kind| serde_json::to_value(result.memories.iter().find(|memory| memory.kind == kind).unwrap()).unwrap();
    let message = entry(ItemKind::Message);
    assert_eq!(message["id"], items[0].to_string());
    assert_eq!((&message["message_id"], &message["session_id"]), (&items[0].to_string().into(), &"workshop".into()));
    assert_eq!(
        (&message["type"], &message["role"], &message["speaker"]),
        (&"message".into(), &"assistant".into(), &"Bo".into())
    );
    assert_eq!(message["timestamp"], "2025-03-04T08:00:00Z");
    assert!((0.0..=1.0).contains(&message["score"].as_f64().unwrap()));
    assert_eq!(message["provenance"]["collection"], "user:ada");
    assert_eq!(message["provenance"]["search_type"], "hybrid");
    assert_eq!(message["provenance"]["original_length"], "I ordered a lens.".len());
    assert_eq!(message["provenance"]["was_redacted"], false);
    let chunk = entry(ItemKind::Chunk);
    assert_eq!(chunk["provenance"]["document"], "lens.md");
    assert!(chunk["session_id"].is_null() && chunk.get("message_id").is_none());
    assert_eq!(entry(ItemKind::Fact)["type"], "fact");
    assert_eq!(entry(ItemKind::Summary)["type"], "summary");
    let filters = ["score_threshold", "deduplication", "interleaving", "clipping", "token_budget"];
    assert_eq!(recall(&memory, &RecallRequest::new("lens")).metadata.applied_filters, filters);
    for part in [
        "### Previous Messages\n[2025-03-04T08:00:00Z] assistant (Bo): I ordered a lens.",
        "### Known Facts\n- The lens is blue. (confidence: 0.",
        "### Conversation Summaries\n- They spoke of the lens.",
        "### Documents\nFrom lens.md:\n- ",
        "\n_Retrieved 4 memories_\n",
    ] {
        assert!(result.text.contains(part), "{part} in {}", result.text);
    }
    assert!(result.text.starts_with("## Relevant Context from Previous Conversations\n\n### Previous Messages\n"));
}

#[test]
fn e7_a_query_that_cannot_be_asked_is_skipped() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    lamps(&memory);
    for query in ["", "   ", "a\0b", &"x".repeat(65 * 1024)] {
        let result = recall(&memory, &RecallRequest::new(query));
        let problem = result.problem.unwrap();
        assert_eq!(
            (problem.code, problem.message, problem.fallback),
            ("INVALID_QUERY", "Query text invalid or too long", Fallback::Skip)
        );
        assert!(result.memories.is_empty() && result.text.is_empty() && !problem.remedy.is_empty());
    }
}

#[test]
fn e7_a_collection_that_is_not_there_is_empty() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    lamps(&memory);
    let nobody = SpaceName::user("nobody").unwrap();
    let result = memory.recall(std::slice::from_ref(&nobody), &RecallRequest::new("lamp")).unwrap();
    let problem = result.problem.unwrap();
    assert_eq!((problem.message, problem.fallback), ("User memory collection does not exist", Fallback::Empty));
    let both = memory.recall(&[nobody, ada()], &RecallRequest::new("lamp")).unwrap();
    assert!(both.problem.is_none() && !both.memories.is_empty(), "one that is there will do");
}

#[test]
fn e7_a_store_that_is_away_is_skipped() {
    let database = TestDatabase::new(Engine::MySql);
    let memory = open_with(&database, "database.attempts = 1");
    lamps(&memory);
    assert!(!recall(&memory, &RecallRequest::new("lamp")).memories.is_empty());
    let name = database.url.rsplit('/').next().unwrap();
    database.run(&format!("DROP DATABASE {name}")).unwrap();
    database.cut_connections();
    memory.drop_indexes();
    let result = recall(&memory, &RecallRequest::new("lamp"));
    let problem = result.problem.unwrap();
    assert_eq!(
        (problem.code, problem.message, problem.fallback),
        ("STORE_UNAVAILABLE", "Memory service temporarily unavailable", Fallback::Skip)
    );
    assert!(result.memories.is_empty());
}

#[test]
fn e1_e7_over_the_rate_the_cache_is_used() {
    let database = TestDatabase::new(Engine::Sqlite);
    let (seconds, clock) = set_clock();
    let memory = open_at(&database, "[recall]\nper_minute = 3\ncache_seconds = 5", clock);
    lamps(&memory);
    let now = seconds.load(Ordering::Relaxed);
    let first = recall(&memory, &RecallRequest::new("lamp"));
    for query in ["number", "more"] {
        assert!(recall(&memory, &RecallRequest::new(query)).problem.is_none());
    }
    let over = recall(&memory, &RecallRequest::new("something new")).problem.unwrap();
    assert_eq!(
        (over.code, over.message, over.fallback),
        ("RATE_LIMITED", "Memory retrieval rate limit exceeded", Fallback::Cache)
    );
    assert!(recall(&memory, &RecallRequest::new("something new")).memories.is_empty());
    assert!(recall(&memory, &RecallRequest::new("lamp")).problem.is_none(), "the cache does not count");
    seconds.store(now + 10, Ordering::Relaxed);
    let stale = recall(&memory, &RecallRequest::new("lamp"));
    assert_eq!((stale.memories, stale.timing.cached), (first.memories, true), "too old, but better than nothing");
    assert_eq!(stale.problem.unwrap().code, "RATE_LIMITED");
    store(&memory, &ada(), &[Message::new("A new lamp.")], "new");
    assert!(recall(&memory, &RecallRequest::new("lamp")).memories.is_empty(), "never what was written over since");
    seconds.store(now + 70, Ordering::Relaxed);
    assert!(recall(&memory, &RecallRequest::new("something new")).problem.is_none(), "a minute later");
}

#[test]
fn e8_the_same_question_is_answered_from_the_cache_for_a_minute_unless_something_is_written() {
    let database = TestDatabase::new(Engine::Sqlite);
    let (seconds, clock) = set_clock();
    let (memory, other) = (open_at(&database, "", clock.clone()), open_at(&database, "", clock));
    let items = lamps(&memory);
    let now = seconds.load(Ordering::Relaxed);
    let ask = || recall(&memory, &RecallRequest::new("lamp"));
    let first = ask();
    assert!(!first.timing.cached);
    let second = ask();
    assert!(second.timing.cached);
    assert_eq!((&second.memories, &second.text, &second.trace), (&first.memories, &first.text, &first.trace));
    assert!(
        !recall(&memory, &with("lamp", RecallOverrides { top_k: Some(7), ..RecallOverrides::default() })).timing.cached
    );
    assert!(
        !recall(
            &memory,
            &RecallRequest { as_of: Some(Timestamp::from_micros(now * 1_000_000)), ..RecallRequest::new("lamp") }
        )
        .timing
        .cached
    );
    seconds.store(now + 59, Ordering::Relaxed);
    assert!(ask().timing.cached);
    seconds.store(now + 60, Ordering::Relaxed);
    assert!(!ask().timing.cached, "after a minute");
    assert!(ask().timing.cached);
    store(&other, &ada(), &[Message::new("The lamp of another process.")], "other");
    let written = ask();
    assert!(!written.timing.cached && written.text.contains("another process"), "a write of another process counts");
    assert!(ask().timing.cached);
    other.forget(&ada(), &ForgetRequest::Items(vec![items[0]]), false, &operation("forget")).unwrap();
    assert!(!ids(&ask()).contains(&items[0]), "what is forgotten is in no cache");
    store(&memory, &SpaceName::user("bo").unwrap(), &[Message::new("lamp")], "bo");
    assert!(ask().timing.cached, "another space does not matter");
}

#[test]
fn e8_metrics_are_counted_under_the_names_of_the_policy() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    lamps(&memory);
    let result = recall(&memory, &RecallRequest::new("lamp"));
    recall(&memory, &RecallRequest::new("lamp"));
    let metrics = serde_json::to_value(memory.recall_metrics()).unwrap();
    assert_eq!(metrics["retrieval.latency_ms"]["count"], 2);
    assert_eq!(metrics["retrieval.results_count"]["mean"], result.memories.len() as f64);
    assert_eq!(metrics["retrieval.tokens_used"]["sum"], 2.0 * result.metadata.total_tokens as f64);
    assert_eq!(metrics["retrieval.cache_hit_rate"]["mean"], 0.5);
    assert_eq!(metrics["retrieval.dedup_ratio"]["mean"], 0.0);
}

#[test]
fn e6_the_same_recall_gives_the_same_bytes_on_three_databases() {
    let mut expected: Option<String> = None;
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open(&database);
        lamps(&memory);
        memory
            .ingest_text(&ada(), text("doc", "lamp.md", "# Lamp\n\nThe lamp is lit at dusk. Daily. Always."))
            .unwrap();
        let mut result = memory.recall(&[ada()], &RecallRequest::new("which lamp is lit")).unwrap();
        result.timing = recordar::recall::RecallTiming::default();
        let bytes = serde_json::to_string(&result).unwrap();
        assert_eq!(*expected.get_or_insert_with(|| bytes.clone()), bytes, "{engine:?}");
    }
}

#[test]
fn e6_several_spaces_make_one_context() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let shared = SpaceName::parse("shared:handbook").unwrap();
    store(&memory, &ada(), &[Message::new("My lens is blue.")], "ada");
    store(&memory, &shared, &[Message::new("Every lens is cleaned daily.")], "shared");
    let result = memory.recall(&[ada(), shared.clone()], &with("lens", everything())).unwrap();
    let mut spaces: Vec<&str> = result.memories.iter().map(|memory| memory.provenance.collection.as_str()).collect();
    spaces.sort_unstable();
    assert_eq!(spaces, ["shared:handbook", "user:ada"]);
    assert_eq!(memory.recall(&[shared], &with("lens", everything())).unwrap().memories.len(), 1);
}

#[test]
fn who_asks_for_somebody_alone_gets_what_they_said() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let by = |speaker: &str, words: &str| Message { speaker: Some(speaker.to_owned()), ..said("talk", 3, words) };
    let spoken = [by("Yuki", "I like mint tea."), by("Omar", "I fixed the boat."), by("Yuki", "And rain.")];
    let items = store(&memory, &ada(), &spoken, "spoken");
    for query in ["Yuki", "What did Yuki say?", "What did Yuki tell us?"] {
        let mut found = ids(&recall(&memory, &RecallRequest::new(query)));
        found.sort_unstable();
        assert_eq!(found, [items[0], items[2]], "{query}");
    }
}
