//! Reranking: the same everywhere, explained, within its limits, and proven later without the model.

use crate::calling::call;
use crate::searching::{answers, fill, queries};
use crate::{ada, open, open_with, operation, text, ticking};
use recordar::item::Role;
use recordar::recall::{Authority, MemoryEntry, RecallOverrides, RecallRequest};
use recordar::search::{HitView, JudgeConfidence, Rerank, SearchRequest};
use recordar::why_not::SettingChange;
use recordar::{Config, Message, Recordar};
use recordar_testkit::{Engine, TestDatabase, rounds};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

const JUDGE: &str = "[recall]\nrerank = \"judge\"";

fn judged(query: &str, limit: usize) -> SearchRequest {
    SearchRequest { limit, rerank: Some(Rerank::Judge), ..SearchRequest::new(query) }
}

fn search(memory: &Recordar, request: &SearchRequest) -> Vec<HitView> {
    memory.search(&[ada()], request).unwrap().hits
}

#[test]
fn i22_b6_with_the_judge_the_same_corpus_gives_the_same_bytes_on_three_databases_threads_and_restarts() {
    let queries = queries(rounds(3, 100));
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
    assert!(recalled.timing.rerank_ms.is_some());
    let shown =
        |memory: &MemoryEntry| memory.rerank.as_ref().is_some_and(|view| view.judged && view.score == memory.score);
    assert!(!recalled.memories.is_empty() && recalled.memories.iter().all(shown));
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
    assert!(result.rerank_ms.is_some() && result.trace.stages.iter().any(|stage| stage.name == "rerank"));
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

/// Replies of every verb that reranks, without what is measured.
fn replies(memory: &Recordar) -> Vec<Value> {
    let mut replies = Vec::new();
    for query in ["How do I undo a commit?", "How long is tea steeped?", "Who plays the violin?"] {
        for (verb, arguments) in [
            ("search", json!({"query": query, "threads": true})),
            ("recall", json!({"query": query, "min_score": 0.0})),
            ("ask", json!({"query": query, "min_score": 0.0})),
            ("query", json!({"query": query})),
            // "Can you undo that?"
            ("why_not", json!({"query": query, "item": 21})),
        ] {
            let mut reply = call(memory, verb, arguments).unwrap();
            for measured in ["timing", "total_latency", "rerank_ms", "responses"] {
                reply.as_object_mut().unwrap().remove(measured);
            }
            replies.push(reply);
        }
    }
    replies
}

fn tell(memory: &Recordar) {
    let content = "# Git\n\ngit log lists commits.\n\n# Undo\n\ngit revert makes a commit that undoes another.\n";
    memory.ingest_text(&ada(), text("one", "git.md", content)).unwrap();
    memory.ingest_text(&ada(), text("two", "tea.md", "# Tea\n\nTea is steeped for three minutes.\n")).unwrap();
    let say = |(number, said): (usize, &str)| Message {
        thread: Some(format!("talk {}", number / 2)),
        speaker: Some(["Ada", "Ben"][number % 2].to_owned()),
        ..Message::new(said)
    };
    let said = [
        "Do you play the violin?",
        "Yes, since I was nine.",
        "I commit my notes every evening.",
        "Can you undo that?",
        "The tea was steeped for too long.",
        "I undo the lid of the kettle.",
    ];
    let messages: Vec<Message> = said.into_iter().enumerate().map(say).collect();
    memory.remember(&ada(), &messages, &operation("talk")).unwrap();
}

#[test]
fn i22_b6_every_verb_with_the_judge_agrees_on_three_databases_threads_and_restarts() {
    let configured = "[recall]\nrerank = \"judge\"\ncache_seconds = 0";
    let mut expected: Option<Vec<Value>> = None;
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, configured);
        tell(&memory);
        let expected = expected.get_or_insert_with(|| replies(&memory)).clone();
        assert!(expected.iter().all(|reply| reply.to_string().contains("\"judged\"")), "{expected:?}");
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| assert_eq!(replies(&memory), expected, "{engine:?}, at the same time"));
            }
        });
        drop(memory);
        assert_eq!(replies(&open_with(&database, configured)), expected, "{engine:?}, after a restart");
    }
}

#[test]
fn i22_b6_a_thread_says_which_of_its_items_was_judged() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    tell(&memory);
    let found = memory.search_threads(&[ada()], &judged("Who plays the violin?", 10)).unwrap();
    let stage = found.trace.stages.iter().find(|stage| stage.name == "rerank").unwrap();
    let details: Vec<&str> = stage.decisions.iter().map(|decision| decision.detail.as_str()).collect();
    assert!(found.threads.len() > 1);
    for thread in &found.threads {
        let item = thread.rerank.as_ref().unwrap().item_id.unwrap();
        let stored = call(&memory, "item", json!({"item": item})).unwrap();
        assert_eq!(stored["thread"].as_str(), thread.thread.as_deref(), "{stored}");
        assert!(details.iter().any(|detail| detail.contains(&format!("; item {item} was judged"))), "{details:?}");
    }
    assert!(search(&memory, &judged("violin", 5)).iter().all(|hit| hit.rerank.as_ref().unwrap().item_id.is_none()));
}

#[test]
fn i22_e9_why_not_says_what_the_judge_did_and_that_it_can_be_left_out() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    fill(&memory);
    let request = |query: &str, rerank: Rerank| {
        let settings = RecallOverrides { min_score: Some(0.0), rerank: Some(rerank), ..RecallOverrides::default() };
        RecallRequest { settings, authority: Authority::Administrator, ..RecallRequest::new(query) }
    };
    let items = |request: &RecallRequest| -> BTreeSet<i64> {
        let recalled = memory.recall(&[ada()], request).unwrap();
        recalled.memories.iter().map(|memory| memory.provenance.item_id).collect()
    };
    let mut seen = 0;
    for query in ["Who repaired the lamp?", "Who sold the kettle near the cliff?", "When was the boat painted?"] {
        let (plain, judge) = (request(query, Rerank::Off), request(query, Rerank::Judge));
        for item in items(&plain).difference(&items(&judge)) {
            let why_not = memory.why_not(&[ada()], (&ada(), *item), &judge).unwrap();
            let off = SettingChange { setting: "rerank", value: "off".to_owned() };
            assert_eq!(why_not.changes, [off], "{why_not:?}");
            assert!(why_not.reason.contains("; reranking changed its rank from "), "{}", why_not.reason);
            let (view, rank) = (why_not.rerank.unwrap(), why_not.reranked.unwrap());
            assert!(view.judged && (1..=20).contains(&rank) && view.search == why_not.score.unwrap());
            seen += 1;
        }
        for item in items(&judge) {
            let why_not = memory.why_not(&[ada()], (&ada(), item), &plain).unwrap();
            assert!(why_not.rerank.is_none() && why_not.reranked.is_none() && !why_not.reason.contains("reranking"));
        }
    }
    assert!(seen > 0, "the judge moved something out");
}

#[test]
fn i41_3_what_nothing_stored_answers_is_recalled_empty_explained_and_proven() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "[receipts]\nenabled = true\n[recall]\nmin_score = 0.0");
    tell(&memory);
    let request = |query: &str, rerank, min_confidence| {
        let settings = RecallOverrides { rerank: Some(rerank), min_confidence, ..RecallOverrides::default() };
        RecallRequest { settings, authority: Authority::Administrator, ..RecallRequest::new(query) }
    };
    let recall = |request: &RecallRequest| memory.recall(&[ada()], request).unwrap();
    let (answered, off_topic) = ("How do I undo a commit?", "Which evening train goes to Lisbon?");
    let unjudged = recall(&request(off_topic, Rerank::Off, Some(0.9)));
    assert!(!unjudged.memories.is_empty() && unjudged.confidence == JudgeConfidence::default(), "nobody judged");

    let found = recall(&request(answered, Rerank::Judge, None));
    assert!(!found.memories.is_empty() && found.confidence.enough == Some(true), "{:?}", found.confidence);
    let refused = request(off_topic, Rerank::Judge, None);
    let none = recall(&refused);
    assert!(none.memories.is_empty() && none.confidence.says_no() && !none.candidates.is_empty());
    let best = none.candidates.iter().filter_map(|candidate| candidate.rerank.as_ref()?.judge).max_by(f64::total_cmp);
    assert_eq!(none.confidence.best, best, "the best of what the judge said of each");
    let gate = none.trace.stages.iter().find(|stage| stage.name == "gate").unwrap();
    assert!(gate.decisions.iter().all(|decision| decision.reason == "min_confidence"));
    let why = memory.why(&ada(), none.receipt.as_deref().unwrap()).unwrap();
    assert!(why.identical && why.body.trace == none.trace, "{:?}", why.differences);
    assert!(!recall(&request(off_topic, Rerank::Judge, Some(0.0))).memories.is_empty(), "0 turns it off");

    let item = none.candidates[0].item_id;
    let why_not = memory.why_not(&[ada()], (&ada(), item), &refused).unwrap();
    assert!(why_not.reason.contains("the reranker rates the best candidate"), "{}", why_not.reason);
    assert_eq!(why_not.changes.len(), 1, "{:?}", why_not.changes);
    assert_eq!(why_not.changes[0].setting, "min_confidence");
    let least: f64 = why_not.changes[0].value.parse().unwrap();
    let changed = recall(&request(off_topic, Rerank::Judge, Some(least)));
    assert!(changed.memories.iter().any(|memory| memory.provenance.item_id == item), "the suggestion holds");

    let shown = memory.search(&[ada()], &judged(off_topic, 5)).unwrap();
    assert!(!shown.hits.is_empty() && shown.confidence.says_no(), "a search shows what it found, and says so");
}

#[test]
fn i43_ask_and_compose_use_the_judge_unless_recall_rerank_says_otherwise() {
    let (answered, off_topic) = ("How do I undo a commit?", "Which evening train goes to Lisbon?");
    let check = |toml: &str, rerank: Option<&str>, judged: [bool; 3]| {
        let database = TestDatabase::new(Engine::Sqlite);
        let memory = open_with(&database, toml);
        tell(&memory);
        let reply = |verb: &str, query: &str| {
            let mut arguments = json!({"query": query});
            arguments.as_object_mut().unwrap().extend(rerank.map(|rerank| ("rerank".to_owned(), json!(rerank))));
            call(&memory, verb, arguments).unwrap()
        };
        for (verb, judged) in ["recall", "ask", "compose"].into_iter().zip(judged) {
            assert_eq!(reply(verb, answered)["confidence"]["judged"], judged, "{verb}, {toml:?}, {rerank:?}");
        }
        (reply("ask", off_topic)["answer"].clone(), reply("compose", off_topic)["context"]["open_issues"].clone())
    };
    let (answer, open) = check("", None, [false, true, true]);
    assert_eq!(answer, "", "nothing stored answers it");
    assert_eq!(open, json!(["Nothing in the documents answers this."]), "and a prompt says so");
    check("", Some("off"), [false, false, false]);
    check("", Some("judge"), [true, true, true]);
    check("recall.rerank = \"off\"", None, [false, false, false]);
    check("recall.rerank = \"judge\"", None, [true, true, true]);
}

/// A memory with a configured reranker, and the register in a folder.
fn open_reranked(database: &TestDatabase, folder: &Path, rerank: &str) -> Recordar {
    let toml = format!("database.url = {:?}\n[recall]\nmin_score = 0.0\nrerank = {rerank:?}", database.url);
    let mut config = Config::from_toml(&toml, Path::new("/")).unwrap();
    config.model_folders.file = Some(folder.join("state/models.json"));
    Recordar::open(config, ticking()).unwrap()
}

/// Makes a folder a copy of a fixture.
fn put_model(fixture: &str, to: &Path) {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../recordar-judge/tests/fixtures").join(fixture);
    std::fs::create_dir_all(to).unwrap();
    for file in ["config.json", "model.onnx", "tokenizer.json"] {
        std::fs::copy(from.join(file), to.join(file)).unwrap();
    }
}

#[test]
fn i22_e7_without_the_configured_reranker_results_keep_the_searchs_order_and_say_so() {
    let (database, folder) = (TestDatabase::new(Engine::Sqlite), tempfile::tempdir().unwrap());
    let plain = open_reranked(&database, folder.path(), "off");
    tell(&plain);
    let mine = folder.path().join("mine");
    put_model("bert-reranker", &mine);
    plain.add_model(&mine, None).unwrap();
    std::fs::write(mine.join("config.json"), "{}").unwrap();
    let vectors = folder.path().join("vectors");
    put_model("bert-embedder", &vectors);
    plain.add_model(&vectors, None).unwrap();
    let query = "How do I undo a commit?";
    let calls = [
        ("search", json!({"query": query}), "hits"),
        ("search", json!({"query": query, "threads": true}), "threads"),
        ("recall", json!({"query": query}), "memories"),
        ("ask", json!({"query": query}), "memories"),
        ("query", json!({"query": query}), "chunks"),
    ];
    // It is not registered; its files changed; it is no reranker, which is noticed when it is asked.
    for (model, code) in
        [("folder:gone", "not_found"), ("folder:mine", "model_folder"), ("folder:vectors", "model_folder")]
    {
        let memory = open_reranked(&database, folder.path(), model);
        for (verb, arguments, results) in &calls {
            let mut reply = call(&memory, verb, arguments.clone()).unwrap();
            let mut expected = call(&plain, verb, arguments.clone()).unwrap();
            assert_eq!(reply["rerank_problem"]["code"], code, "{verb} {model}: {reply}");
            assert!(reply["rerank_problem"]["remedy"].as_str().is_some_and(|remedy| !remedy.is_empty()));
            assert!(expected.get("rerank_problem").is_none(), "{expected}");
            let path = folder.path().display().to_string();
            assert!(!reply.to_string().contains(&path), "{verb} {model}: {reply}");
            let stages = reply["trace"]["stages"].as_array().unwrap();
            let stage = stages.iter().find(|stage| stage["name"] == "rerank").unwrap();
            assert_eq!(stage["decisions"][0]["reason"], "not_reranked", "{stage}");
            for result in [&mut reply, &mut expected].into_iter().flat_map(|all| all[*results].as_array_mut().unwrap())
            {
                let view = result.as_object_mut().unwrap().remove("rerank");
                assert!(view.is_none_or(|view| view["judged"] == false));
            }
            assert_eq!(reply[*results], expected[*results], "{verb} {model}");
            let mut asked = arguments.clone();
            asked["rerank"] = json!(model);
            assert_eq!(
                call(&memory, verb, asked).unwrap_err().code(),
                code,
                "{verb} {model}: asked for, so it must be there"
            );
        }
        let again = memory.recall(&[ada()], &RecallRequest::new(query)).unwrap();
        assert!(!again.timing.cached, "the model may be back a moment later");
        assert!(memory.why_not(&[ada()], (&ada(), 1), &RecallRequest::new(query)).is_ok());
    }
    let memory = open_reranked(&database, folder.path(), "folder:mine");
    put_model("bert-reranker", &mine);
    let found = memory.search(&[ada()], &SearchRequest::new(query)).unwrap();
    assert!(found.rerank_problem.is_none() && found.hits[0].rerank.as_ref().unwrap().judged, "it is back");
}

#[test]
fn i22_e8_a_cached_recall_is_not_that_of_another_model_of_the_same_name() {
    let (database, folder) = (TestDatabase::new(Engine::Sqlite), tempfile::tempdir().unwrap());
    let memory = open_reranked(&database, folder.path(), "folder:mine");
    tell(&memory);
    let mine = folder.path().join("mine");
    let recall = || memory.recall(&[ada()], &RecallRequest::new("How do I undo a commit?")).unwrap();
    put_model("bert-reranker", &mine);
    memory.add_model(&mine, None).unwrap();
    let (first, again) = (recall(), recall());
    assert!(!first.timing.cached && again.timing.cached && again.candidates == first.candidates);
    put_model("deberta-reranker", &mine);
    assert!(memory.add_model(&mine, None).unwrap().replaced);
    let other = recall();
    assert!(!other.timing.cached && other.candidates != first.candidates);
    assert!(recall().timing.cached);
}
