//! Reranking: the same everywhere, explained, within its limits, and proven later without the model.

use crate::searching::{answers, fill, queries};
use crate::{ada, open, open_with, operation, text};
use recordar::item::Role;
use recordar::recall::{Authority, RecallOverrides, RecallRequest};
use recordar::search::{HitView, Rerank, SearchRequest};
use recordar::{Message, Recordar};
use recordar_testkit::{Engine, TestDatabase, rounds};

const JUDGE: &str = "[recall]\nrerank = \"judge\"";

fn judged(query: &str, limit: usize) -> SearchRequest {
    SearchRequest { limit, rerank: Some(Rerank::Judge), ..SearchRequest::new(query) }
}

fn search(memory: &Recordar, request: &SearchRequest) -> Vec<HitView> {
    memory.search(&[ada()], request).unwrap().hits
}

#[test]
fn i22_b6_with_the_judge_the_same_corpus_gives_the_same_bytes_on_three_databases_threads_and_restarts() {
    let queries = queries(rounds(6, 100));
    let mut expected: Option<Vec<String>> = None;
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, JUDGE);
        fill(&memory);
        let expected = expected.get_or_insert_with(|| answers(&memory, &queries)).clone();
        assert!(expected.iter().all(|answer| !answer.contains("item_id") || answer.contains("\"judged\":true")));
        let check = |memory: &Recordar, state: &str| {
            assert_eq!(answers(memory, &queries), expected, "{engine:?}, {state}");
        };
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| check(&memory, "on many threads"));
            }
        });
        drop(memory);
        check(&open_with(&database, JUDGE), "after a restart");
    }
}

#[test]
fn i22_b6_the_first_20_are_judged_and_the_rest_follows_marked() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    fill(&memory);
    let plain = search(&memory, &SearchRequest { limit: 50, ..SearchRequest::new("Who repaired the lamp?") });
    let result = memory.search(&[ada()], &judged("Who repaired the lamp?", 50)).unwrap();
    assert_eq!((plain.len(), result.hits.len()), (50, 50));
    let views: Vec<_> = result.hits.iter().map(|hit| hit.rerank.clone().unwrap()).collect();
    assert!(views[..20].iter().all(|view| view.judged && view.judge.is_some()));
    assert!(views[20..].iter().all(|view| !view.judged && view.judge.is_none() && view.score == view.search));
    assert!(views[..20].windows(2).all(|two| two[0].score >= two[1].score));
    let ids = |hits: &[HitView]| hits.iter().map(|hit| hit.item.item_id).collect::<Vec<_>>();
    assert_eq!(ids(&result.hits[20..]), ids(&plain[20..]), "the search's order");
    let sorted = |mut ids: Vec<i64>| {
        ids.sort_unstable();
        ids
    };
    assert_eq!(sorted(ids(&result.hits[..20])), sorted(ids(&plain[..20])));
    for hit in &result.hits {
        let search = plain.iter().find(|other| other.item.item_id == hit.item.item_id).unwrap();
        assert_eq!(hit.rerank.as_ref().unwrap().search, search.score, "the parts add up to the search's score");
        assert_eq!(hit.parts, search.parts);
    }
    let stage = result.trace.stages.iter().find(|stage| stage.name == "rerank").unwrap();
    assert_eq!(stage.decisions.iter().filter(|decision| decision.reason == "judged").count(), 20);
    assert!(stage.decisions.iter().any(|decision| decision.reason == "not_judged" && decision.subject == "30 more"));
    assert!(result.timing.rerank_ms.is_some_and(|ms| ms > 0.0 && ms <= result.timing.total_ms));
    let few = search(&memory, &judged("Who repaired the lamp?", 5));
    assert_eq!(ids(&few), ids(&result.hits[..5]), "a lower limit does not change the first hits");
    assert!(search(&memory, &SearchRequest::new("lamp")).iter().all(|hit| hit.rerank.is_none()), "off by default");
}

#[test]
fn i22_b6_the_judge_sees_the_turn_before_and_who_speaks() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let say = |thread: &str, speaker: &str, text: &str| Message {
        thread: Some(thread.to_owned()),
        speaker: Some(speaker.to_owned()),
        role: Role::User,
        ..Message::new(text)
    };
    let messages = [
        say("one", "Ben", "Did you ever learn the violin?"),
        say("one", "Ada", "Yes, for nine years, with my aunt."),
        say("two", "Ben", "Did you ever live near the harbour?"),
        say("two", "Ada", "Yes, for nine years, with my uncle."),
    ];
    memory.remember(&ada(), &messages, &operation("talk")).unwrap();
    let hits = search(&memory, &judged("How long did Ada learn the violin?", 10));
    let judge = |end: &str| {
        let hit = hits.iter().find(|hit| hit.item.text.ends_with(end)).unwrap();
        hit.rerank.as_ref().unwrap().judge.unwrap()
    };
    assert!(judge("aunt.") > judge("uncle."), "{} {}", judge("aunt."), judge("uncle."));
}

#[test]
fn i22_b6_a_receipt_of_a_judged_recall_is_verified_where_no_judge_is() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "[receipts]\nenabled = true\n[recall]\nmin_score = 0.0\nrerank = \"judge\"");
    fill(&memory);
    let recalled = memory.recall(&[ada()], &RecallRequest::new("Who repaired the lamp near the harbour?")).unwrap();
    assert_eq!(recalled.metadata.config.rerank, Rerank::Judge);
    assert_eq!(recalled.metadata.total_results, 20, "as many as are judged");
    assert!(recalled.candidates.iter().all(|candidate| candidate.rerank.as_ref().is_some_and(|view| view.judged)));
    assert!(recalled.candidates.windows(2).all(|two| two[0].score >= two[1].score && two[0].rank < two[1].rank));
    assert!(recalled.timing.rerank_time.is_some());
    for elsewhere in ["", "[recall]\nrerank = \"folder:gone\""] {
        let why = open_with(&database, elsewhere).why(&ada(), recalled.receipt.as_deref().unwrap()).unwrap();
        assert!(why.identical, "{:?}", why.differences);
        assert_eq!((&why.text, &why.body.trace), (&recalled.text, &recalled.trace));
        let stage = why.body.trace.stages.iter().find(|stage| stage.name == "rerank").unwrap();
        assert!(stage.decisions[0].reason == "model" && stage.decisions.len() > 20, "what the judge said is kept");
    }
}

#[test]
fn i22_b6_min_score_compares_the_score_after_reranking() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    fill(&memory);
    let question = "Who sold the kettle near the cliff?";
    let hits = search(&memory, &judged(question, 20));
    let settings = RecallOverrides {
        top_k: Some(20),
        max_tokens: Some(3000),
        min_score: Some(hits[9].score),
        rerank: Some(Rerank::Judge),
        ..RecallOverrides::default()
    };
    let request = RecallRequest { settings, authority: Authority::Administrator, ..RecallRequest::new(question) };
    let recalled = memory.recall(&[ada()], &request).unwrap();
    assert!(!recalled.memories.is_empty());
    assert!(recalled.memories.iter().all(|memory| memory.score >= hits[9].score));
    let dropped = recalled.trace.stages.iter().find(|stage| stage.name == "gate").unwrap();
    assert!(dropped.decisions.iter().any(|decision| decision.reason == "min_score"));
    let staged = RecallRequest { staged: true, ..request };
    assert!(memory.recall(&[ada()], &staged).unwrap_err().to_string().contains("not reranked"));
}

#[test]
fn i22_b6_a_page_of_a_query_is_reranked() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let content = "# Git\n\ngit log lists commits.\n\n# Undo\n\ngit revert makes a commit that undoes another.\n";
    memory.ingest_text(&ada(), text("one", "git.md", content)).unwrap();
    memory.ingest_text(&ada(), text("two", "tea.md", "# Tea\n\nTea is steeped for three minutes.\n")).unwrap();
    let request = recordar::query::QueryRequest {
        rerank: Some(Rerank::Judge),
        ..recordar::query::QueryRequest::new("How do I undo a commit?")
    };
    let result = memory.query(&ada(), &request).unwrap();
    assert!(result.chunks.iter().all(|chunk| chunk.rerank.as_ref().is_some_and(|view| view.judged)));
    assert!(result.chunks[0].text_content.contains("revert"), "{}", result.chunks[0].text_content);
    assert!(result.rerank_latency.is_some() && result.trace.stages.iter().any(|stage| stage.name == "rerank"));
}

#[test]
fn i22_b6_a_model_that_is_not_there_says_what_to_do() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    fill(&memory);
    let request = SearchRequest { rerank: Some(Rerank::Folder("gone".to_owned())), ..SearchRequest::new("lamp") };
    let error = memory.search(&[ada()], &request).unwrap_err();
    assert!(error.to_string().contains("gone") && error.remedy().contains("models add"), "{error}: {}", error.remedy());
}
