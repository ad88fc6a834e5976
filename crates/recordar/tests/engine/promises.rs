//! What was promised stays promised: exports, receipts, cassettes and configurations of earlier commits stay usable, and the same calls
//! get the same replies, on every database.
//!
//! Each folder `tests/saved/promises-N` was made by `scripts/save-promises` with the binary of its day. A set is never changed: a commit
//! that does not keep one has broken a promise. What may differ is what was measured, and the time of the call itself.

use crate::{open_at, operation};
use recordar::call::{Call, Caller};
use recordar::config::WhenAway;
use recordar::recall::Authority;
use recordar::receipt::ReceiptExport;
use recordar::text::Chunking;
use recordar::transfer::{ExportScope, ImportRequest};
use recordar::{Config, Recordar, SpaceName, system_clock};
use recordar_testkit::{Engine, TestDatabase};
use serde_json::{Value, json};
use std::io::BufReader;
use std::path::{Path, PathBuf};

#[test]
fn promises_exports_come_back_as_the_same_bytes() {
    for (set, engine) in sets_on_engines() {
        let corpus = read(&set, "corpus.jsonl");
        let database = TestDatabase::new(engine);
        let memory = open_at(&database, "", system_clock());
        let request = ImportRequest {
            format: None,
            each_user: false,
            thread: None,
            date: None,
            names_space: false,
            operation: operation("import"),
        };
        let space = SpaceName::user("ada").unwrap();
        memory.import(&space, &mut BufReader::new(corpus.as_bytes()), "corpus.jsonl", &request).unwrap();
        assert!(
            is_same_export(&export(&memory), &corpus),
            "{}, {engine:?}: imported, the export is another",
            set.display()
        );
        memory.restore(&mut BufReader::new(corpus.as_bytes())).unwrap();
        assert!(
            is_same_export(&export(&memory), &corpus),
            "{}, {engine:?}: restored, the export is another",
            set.display()
        );
    }
}

#[test]
fn promises_calls_get_the_same_replies() {
    for (set, engine) in sets_on_engines() {
        let database = TestDatabase::new(engine);
        let memory = restored(&database, &set, "settings.toml");
        check_replies(&memory, &set, "replies.jsonl", engine);
        let corpus = read(&set, "corpus.jsonl");
        assert!(is_same_export(&export(&memory), &corpus), "{}, {engine:?}: a call wrote something", set.display());
    }
}

#[test]
fn promises_recorded_replies_are_replayed_without_a_network() {
    for (set, engine) in sets_on_engines() {
        let database = TestDatabase::new(engine);
        let memory = restored(&database, &set, "cassette.toml");
        let llm = memory.config().llm.as_ref().unwrap();
        assert_eq!(llm.remote.base_url.as_deref(), Some("http://127.0.0.1:1/v1"), "nobody listens there");
        assert!(llm.cassette.as_ref().is_some_and(|cassette| !cassette.records));
        check_replies(&memory, &set, "cassette-replies.jsonl", engine);
    }
}

#[test]
fn promises_receipts_are_proven() {
    for (set, engine) in sets_on_engines() {
        let exports: Vec<ReceiptExport> = values(&set, "receipts.jsonl");
        let [with, without] = [TestDatabase::new(engine), TestDatabase::new(engine)];
        let with_items = restored(&with, &set, "settings.toml");
        let without_items = open_at(&without, "", system_clock());
        let imported = without_items.import_receipts(&exports, &operation("import")).unwrap();
        assert_eq!((imported.imported, imported.known), (exports.len(), 0));
        let known = with_items.import_receipts(&exports, &operation("import")).unwrap();
        assert_eq!((known.imported, known.known), (0, exports.len()), "the export of the store has them all");
        let mut answered_by = Vec::new();
        for memory in [&with_items, &without_items] {
            let mut receipts = 0;
            for space in memory.spaces().unwrap() {
                let space = SpaceName::parse(&space).unwrap();
                for id in memory.receipt_ids(&space).unwrap() {
                    let why = memory.why(&space, &id).unwrap();
                    assert!(why.identical, "{}, {engine:?}, {space}, {id}: {:?}", set.display(), why.differences);
                    answered_by.push(why.answer.map(|answer| answer.model.is_some()));
                    receipts += 1;
                }
            }
            assert_eq!(receipts, exports.len());
        }
        for kind in [None, Some(false), Some(true)] {
            assert!(answered_by.contains(&kind), "recalled, answered in stored words, and answered by a model");
        }
    }
}

#[test]
fn promises_a13_configurations_are_read_as_they_were() {
    for set in sets() {
        Config::from_toml(&read(&set, "recordar.toml"), &set).unwrap();
        let text = read(&set, "every-key.toml");
        let config = Config::from_toml(&text, &set).unwrap();
        // What a setting leaves without effect is read with another setting.
        let other = text.replace("method = \"recursive\"", "method = \"delimiter\"");
        let other = other.replace("deterministic = false", "deterministic = true");
        let other = Config::from_toml(&other, &set).unwrap();
        let expected = serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap();
        let mut found = every_key(&config, &other, &set);
        drop_later_keys(&mut found, &expected);
        assert_eq!(first_difference("", &expected, &found), None, "{}", set.display());
    }
}

/// What a line of replies says of a call: `reply`, or the code of an `error`.
fn call(memory: &Recordar, verb: &str, space: &str, arguments: &Value) -> Value {
    let caller = Caller {
        space: SpaceName::parse(space).unwrap(),
        names_space: true,
        within: None,
        files: true,
        // As at the command line.
        authority: Authority::Administrator,
        account: None,
        operation: operation("unnamed"),
    };
    let arguments = arguments.as_object().unwrap().clone();
    match memory.call(recordar::verb::named(verb).unwrap(), Call::new(caller), arguments) {
        Ok(reply) => json!({"reply": reply.to_value().unwrap()}),
        Err(error) => json!({"error": error.code()}),
    }
}

/// Calls that reply something else since, on purpose: the verb, a text among the arguments, and the code of the error that it is now.
const CHANGED: [(&str, &str, &str); 1] = [
    // Issue 19: a file name that no document has is an error, not another document.
    ("document", "no-such-file.md", "not_found"),
];
/// Lines of the saved replies that differ on purpose: set, file, lines, and why.
const DIFFERENT: [(&str, &str, &[usize], &str); 8] = [
    ("promises-1", "replies.jsonl", RERANKED_1, RERANKED),
    ("promises-2", "replies.jsonl", RERANKED_2, RERANKED),
    ("promises-1", "cassette-replies.jsonl", UNOFFERED_1, UNOFFERED),
    ("promises-2", "cassette-replies.jsonl", UNOFFERED_2, UNOFFERED),
    ("promises-2", "replies.jsonl", WHOLE_FILTER, SCORED_WHOLE),
    ("promises-3", "replies.jsonl", WHOLE_FILTER, SCORED_WHOLE),
    ("promises-4", "replies.jsonl", GROWN, FILLED),
    ("promises-4", "replies.jsonl", NAMED, BY_PAGE),
];
/// Issue 43: words of a page's name and title count.
const BY_PAGE: &str = "the name of a page counts";
const NAMED: &[usize] = &[20, 23, 24, 25, 26, 27, 42, 62, 120, 122, 123];
/// Issue 42: what a context shows of a memory grows while there is room.
const FILLED: &str = "excerpts fill the budget";
const GROWN: &[usize] = &[30, 39, 44];
/// Issue 20: every item that passes a filter by labels is scored, if they are few; the trace says so.
const SCORED_WHOLE: &str = "all items of a filter are scored";
const WHOLE_FILTER: &[usize] = &[34, 35];
/// Issue 19: without a model, `query` and `ask` by the tree follow the best hits of a search and rank chunks by them; categories
/// that nothing hangs on are not listed.
const RERANKED: &str = "ranked by the question";
const RERANKED_1: &[usize] = &[44, 45, 46, 47, 48, 49, 50, 51, 59, 60, 61, 62, 63, 64, 88];
const RERANKED_2: &[usize] = &[52, 53, 54, 55, 56, 57, 58, 59, 67, 68, 69, 70, 71, 72, 96];
/// Issue 19: a model is not offered categories that nothing hangs on, so it is asked something else than was recorded.
const UNOFFERED: &str = "other categories are offered";
const UNOFFERED_1: &[usize] = &[4, 5, 7];
const UNOFFERED_2: &[usize] = &[4, 5, 7];

fn is_different(set: &Path, file: &str, line: usize) -> bool {
    let is_it = |(of, name, lines, _): &(&str, &str, &[usize], &str)| {
        set.ends_with(of) && *name == file && lines.contains(&line)
    };
    DIFFERENT.iter().any(is_it)
}

/// The sets from before the text of a context named each source once, and a budget covered all of it (issue 19). What memories it is
/// made of is still promised.
const BEFORE_TEXTS: [&str; 2] = ["promises-1", "promises-2"];

fn drop_text(line: &mut Value) {
    for path in ["/reply/text", "/reply/metadata/text_tokens"] {
        if let Some(value) = line.pointer_mut(path) {
            *value = Value::Null;
        }
    }
}

/// The built-in answer quotes passages since issue 43, where it joined sentences; and `ask` uses the judge unless it is turned off. Without
/// the judge, what it answers from is still promised, and so is a model's answer.
fn drop_quotation(line: &mut Value) {
    for path in ["/reply/answer", "/reply/citations", "/reply/facts"] {
        if let Some(value) = line.pointer_mut(path) {
            *value = Value::Null;
        }
    }
}

/// The sets from before versions shared chunks (issue 20): how rare a word is was counted among versions, and is now among documents. Which
/// version is chosen is still promised.
const SCORED_BY_VERSION: [&str; 3] = ["promises-1", "promises-2", "promises-3"];

fn drop_document_scores(line: &mut Value) {
    if let Some(score) = line.pointer_mut("/reply/score") {
        *score = Value::Null;
    }
    for stage in line.pointer_mut("/reply/trace/stages").and_then(Value::as_array_mut).into_iter().flatten() {
        for decision in stage["decisions"].as_array_mut().into_iter().flatten() {
            if decision["detail"].as_str().is_some_and(|detail| detail.contains("score")) {
                decision["detail"] = Value::Null;
            }
        }
    }
}

/// The sets from before documents and talk were weighed differently (issue 21): results come in another order, with other scores. Of verbs that
/// rank, what is promised is which fields a reply has.
const RANKED_OTHERWISE: [&str; 3] = ["promises-1", "promises-2", "promises-3"];
/// The line of these sets in which a model is asked with other memories than those that its reply was recorded with: file and number.
const UNRECORDED: (&str, usize) = ("cassette-replies.jsonl", 2);
const RANKING: [&str; 6] = ["search", "recall", "ask", "query", "document", "why_not"];

fn has_same_fields(expected: &Value, found: &Value) -> bool {
    let names = |value: &Value| -> Vec<String> {
        value["reply"].as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect()
    };
    let found_names = names(found);
    // Where an item stands may be absent.
    let is_there = |name: &String| found_names.contains(name) || matches!(name.as_str(), "place" | "stage" | "rank");
    expected["error"] == found["error"] && names(expected).iter().all(is_there)
}

fn check_replies(memory: &Recordar, set: &Path, file: &str, engine: Engine) {
    let lines: Vec<Value> = values(set, file);
    assert!(!lines.is_empty());
    let mut broken = Vec::new();
    for (number, mut line) in (1..).zip(lines) {
        let taken = line.as_object_mut().unwrap();
        let [verb, space, mut arguments] = ["verb", "space", "arguments"].map(|name| taken.remove(name).unwrap());
        if verb == "ask" {
            arguments["rerank"] = json!("off");
        }
        let mut found = call(memory, verb.as_str().unwrap(), space.as_str().unwrap(), &arguments);
        drop_measured(&mut line);
        drop_measured(&mut found);
        if verb == "ask" && line["reply"]["answer"] != "" && line["reply"]["model"].is_null() {
            [&mut line, &mut found].into_iter().for_each(drop_quotation);
        }
        let is_before = BEFORE_TEXTS.iter().any(|name| set.ends_with(name));
        if is_before {
            [&mut line, &mut found].into_iter().for_each(drop_text);
        }
        if verb == "document" && SCORED_BY_VERSION.iter().any(|name| set.ends_with(name)) {
            [&mut line, &mut found].into_iter().for_each(drop_document_scores);
        }
        let is_changed =
            |(of, text, _): &&(&str, &str, &str)| is_before && verb == *of && arguments.to_string().contains(text);
        if let Some((.., code)) = CHANGED.iter().find(is_changed) {
            line = json!({ "error": code });
        }
        if RANKED_OTHERWISE.iter().any(|name| set.ends_with(name)) && RANKING.iter().any(|name| verb == *name) {
            let is_unrecorded = UNRECORDED == (file, number);
            let is_kept =
                if is_unrecorded { found["error"] == "model_unrecorded" } else { has_same_fields(&line, &found) };
            if !is_different(set, file, number) && !is_kept {
                broken.push(format!("line {number}, {verb} in {space} with {arguments}\n    has other fields"));
            }
            continue;
        }
        if is_different(set, file, number) {
            assert_ne!(first_difference("", &line, &found), None, "{file}, line {number} is the same again");
            continue;
        }
        if let Some(difference) = first_difference("", &line, &found) {
            broken.push(format!("line {number}, {verb} in {space} with {arguments}\n    {difference}"));
        }
    }
    let place = set.join(file);
    assert!(broken.is_empty(), "{engine:?}, {}: {} differ:\n{}", place.display(), broken.len(), broken.join("\n"));
}

/// Takes out what was measured, and when a model was called or a contextual helper made: nothing of it is the same twice.
fn drop_measured(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let is_of_this_call = fields.contains_key("latency_ms") || fields.contains_key("method");
            fields.retain(|name, _| match name.as_str() {
                "timing" | "total_latency" | "latency_ms" => false,
                "timestamp" => !is_of_this_call,
                _ => true,
            });
            fields.values_mut().for_each(drop_measured);
        }
        Value::Array(list) => list.iter_mut().for_each(drop_measured),
        _ => {}
    }
}

/// Where two values differ first, by names in their order, and how. Numbers are compared as they are written, to the last digit.
fn first_difference(path: &str, expected: &Value, found: &Value) -> Option<String> {
    let written = |value: &Value| serde_json::to_string(value).unwrap();
    let differ = || Some(format!("{path}: {} was promised, and it is {}", shown(expected), shown(found)));
    match (expected, found) {
        (Value::Object(expected_fields), Value::Object(found_fields)) => {
            let mut names: Vec<&String> = expected_fields.keys().chain(found_fields.keys()).collect();
            names.sort_unstable();
            names.dedup();
            names.into_iter().find_map(|name| {
                let path = format!("{path}/{name}");
                match (expected_fields.get(name), found_fields.get(name)) {
                    (Some(expected), Some(found)) => first_difference(&path, expected, found),
                    (Some(expected), None) => Some(format!("{path}: {} was promised, and is missing", shown(expected))),
                    (None, _) if is_added(&path) => None,
                    (None, found) => Some(format!("{path}: {} is new", found.map(shown).unwrap_or_default())),
                }
            })
        }
        (Value::Array(expected), Value::Array(found)) => {
            let mut entries = (0..).zip(expected.iter().zip(found));
            let inner =
                entries.find_map(|(at, (expected, found))| first_difference(&format!("{path}/{at}"), expected, found));
            inner.or_else(|| if expected.len() == found.len() { None } else { differ() })
        }
        _ if written(expected) == written(found) || is_reworded(expected, found) => None,
        _ => differ(),
    }
}

/// Fields that entries of a list in a reply have since issue 19: what was stored with an item is shown with it (point 9), and a hit shows its
/// match.
/// Since issue 20, the version of its document that a chunk was found in, and what an ingestion kept. Since issue 43, who said what is cited.
const ADDED: [(&str, &str); 10] = [
    ("hits", "metadata"),
    ("memories", "metadata"),
    ("hits", "snippet"),
    ("threads", "snippet"),
    ("hits", "version"),
    ("memories", "version"),
    ("files", "attributes_changed"),
    ("files", "kept_chunks"),
    ("citations", "speaker"),
    ("citations", "time"),
];
/// Fields that replies have since issue 19, by the ends of their paths: what a budget covers, and how many chunks follow a page.
/// Since issue 20, how many files moved, and how many got other attributes. Since issue 23, what an answer's passages state that holds.
/// Since issue 41, how sure the reranker is that anything answers. Since issue 42, how much of each memory is shown.
/// Since issue 43, what an answer quotes and how sure it is, or what is closest.
const ADDED_ONCE: [&str; 12] = [
    "/config/budget_covers",
    "/settings/budget_covers",
    "/reply/more",
    "/totals/moved",
    "/totals/attributes_changed",
    "/reply/facts",
    "/reply/confidence",
    "/config/excerpts",
    "/settings/excerpts",
    "/reply/excerpts",
    "/reply/unsure",
    "/reply/nearest",
];

fn is_added(path: &str) -> bool {
    let names: Vec<&str> = path.split('/').collect();
    let is_in_list = matches!(names[..], [.., list, _, field] if ADDED.contains(&(list, field)));
    is_in_list || ADDED_ONCE.iter().any(|end| path.ends_with(end))
}

/// Texts for people in replies of set 1 that were reworded since, in plain English: as saved, and as they are now. Only these words may
/// differ; the numbers and names in them, and everything else in a reply, are still promised.
const REWORDED: [(&str, &str); 25] = [
    (
        "{} by words, {} by meaning, {} in all, {} with a score",
        "{} by words, {} by meaning, {} in total, {} with a score",
    ),
    ("place {}, of {}", "place {}, from {}"),
    ("{} of {} tokens, because {} were left", "truncated to {} of {} tokens; {} were left"),
    ("{} tokens, {} in all", "{} tokens, {} in total"),
    ("the {} tokens are used up", "the limit of {} tokens is reached"),
    ("{} from its beginning", "{} from the beginning"),
    ("{} that say most of it", "{} with the best match"),
    ("says the same as {}", "same text as {}"),
    ("number {} of those that were left, and {} are wanted", "rank {}; top_k is {}"),
    ("scores of {} and more", "scores of at least {}"),
    ("{}: the prompt would have {} tokens, and {} are allowed", "{}: the prompt would have {} tokens; the limit is {}"),
    ("no chunk hangs on it", "it has no chunks"),
    ("{}, and more on the next page", "{}; more on the next page"),
    ("nothing is stored in it", "the space does not exist"),
    ("what the user said counts a little more", "messages of the user get a small bonus"),
    ("it is switched off in the request", "use_memory is false in the request"),
    ("nothing that is stored is about the question", "no stored item matches the question"),
    ("has no {}", "missing tags: {}"),
    (
        "no document is like what was asked for: the best scores {}",
        "no document matches the description: the best score is {}",
    ),
    ("rank {} by score, and the first {} are looked at", "rank {} by score; only the first {} are considered"),
    ("it was retired by what took its place, at revision {}", "it was retired by a newer item, at revision {}"),
    ("check the number of the item, and the space it is in", "check the item's id and its space"),
    ("what is forgotten does not come back; store it anew", "forgotten data cannot be restored; store it again"),
    ("what it says is said already by the other item", "no action is needed: the other item has the same text"),
    (
        "none of the settings that were tried lets it in; ask with more of its own words",
        "none of the settings tried includes it; use more of the item's own words in the query",
    ),
];

fn is_reworded(expected: &Value, found: &Value) -> bool {
    let (Value::String(expected), Value::String(found)) = (expected, found) else { return false };
    REWORDED.iter().any(|(old, new)| reworded(expected, old, new).as_ref() == Some(found))
}

/// A text in its new words, if it has the old ones. Each `{}` stands for the same in both.
fn reworded(text: &str, old: &str, new: &str) -> Option<String> {
    let Some((before, old)) = old.split_once("{}") else { return (text == old).then(|| new.to_owned()) };
    let (new_before, new) = new.split_once("{}")?;
    let rest = text.strip_prefix(before)?;
    let next = old.split("{}").next().unwrap_or_default();
    let (value, rest) = rest.split_at(if next.is_empty() { rest.len() } else { rest.find(next)? });
    Some(format!("{new_before}{value}{}", reworded(rest, old, new)?))
}

fn shown(value: &Value) -> String {
    const MOST_CHARS: usize = 200;
    value.to_string().chars().take(MOST_CHARS).collect()
}

/// A configuration, key by key, as its file would say it.
fn every_key(config: &Config, other: &Config, set: &Path) -> Value {
    let Chunking::Recursive { tokens, overlap } = &config.chunking else { panic!("{:?}", config.chunking) };
    let Chunking::Delimiter { min_tokens, max_tokens, delimiters } = &other.chunking else {
        panic!("{:?}", other.chunking)
    };
    let recall = &config.recall.settings;
    let (tree, answer) = (&config.tree, &config.answer);
    let (llm, other_llm) = (config.llm.as_ref().unwrap(), other.llm.as_ref().unwrap());
    let (client, ceilings) = (&llm.client, &llm.client.ceilings);
    let usd = |nano_usd: Option<u64>| nano_usd.unwrap() as f64 / 1e9;
    let cassette = llm.cassette.as_ref().unwrap();
    let key = "nobody-has-this-key";
    let is_key = llm.remote.key.as_ref().is_some_and(|secret| secret.hide_in(key) != key);
    json!({
        "space": config.space.as_str(),
        "database": {
            "url": config.database.url.to_string().replace(&format!("{}/", set.display()), ""),
            "busy_timeout_ms": config.database.busy_timeout.as_millis() as u64,
            "connections": config.database.connections,
            "attempts": config.database.attempts,
        },
        "tokens": {"model": config.model},
        "chunking": {
            "method": "recursive",
            "chunk_min_tokens": min_tokens,
            "chunk_max_tokens": max_tokens,
            "delimiters": delimiters,
            "recursive_tokens": tokens,
            "recursive_overlap": overlap,
        },
        "ingest": {
            "max_file_bytes": config.max_file_bytes,
            "machine": config.machine,
            "auto_source_identification": config.auto_source_identification,
        },
        "index": {
            "language": config.language.name(),
            "skip_repeated": config.skip_repeated,
            "memory_mib": config.index_bytes >> 20,
        },
        "recall": {
            "top_k": recall.top_k,
            "clip_sentences": recall.clip_sentences,
            "max_tokens": recall.max_tokens,
            "budget_covers": recall.budget_covers.name(),
            "search_type": recall.search_type.name(),
            "min_score": recall.min_score,
            "interleaving": recall.interleaving.strategy.name(),
            "interleaving_ratio": recall.interleaving.ratio,
            "enable_redaction": recall.enable_redaction,
            "custom_redaction_patterns": recall.custom_redaction_patterns,
            "cache_seconds": config.recall.cache_seconds,
            "per_minute": config.recall.per_minute,
        },
        "enrichment": {"enabled": config.enrichment.enabled, "count_uses": config.enrichment.count_uses},
        "work": {
            "in_process": config.work.in_process,
            "lease_seconds": config.work.lease.as_secs(),
            "attempts": config.work.attempts,
        },
        "receipts": {"enabled": config.receipts},
        "llm": {
            "provider": llm.profile.name.provider,
            "model": llm.profile.name.model,
            "base_url": llm.remote.base_url,
            "key_env": llm.key_env,
            "api_key": if is_key { key } else { "" },
            "structured": llm.remote.structured.unwrap().name(),
            "deterministic": llm.remote.parameters.temperature.is_some(),
            "seed": other_llm.remote.parameters.seed,
            "max_output_tokens": llm.max_output_tokens,
            "timeout_seconds": llm.remote.timeout.as_secs(),
            "retries": client.retries,
            "retry_wait_ms": client.retry_wait.as_millis() as u64,
            "repairs": client.repairs,
            "concurrency": client.concurrency,
            "when_away": if llm.when_away == WhenAway::BuiltIn { "built_in" } else { "error" },
            "max_tokens_per_call": ceilings.call.tokens,
            "max_tokens_per_operation": ceilings.operation.tokens,
            "max_tokens_per_day": ceilings.day.tokens,
            "max_usd_per_call": usd(ceilings.call.nano_usd),
            "max_usd_per_operation": usd(ceilings.operation.nano_usd),
            "max_usd_per_day": usd(ceilings.day.nano_usd),
            // Its price is in no other table.
            "models_file": if llm.profile.price.is_some() { "models.toml" } else { "" },
            "cassette": format!(
                "{}:{}",
                if cassette.records { "record" } else { "replay" },
                cassette.path.strip_prefix(set).unwrap().display(),
            ),
        },
        "tree": {
            "classify": tree.classify,
            "hierarchy_depth": tree.hierarchy_depth,
            "batch_size": tree.batch_size,
            "max_categories_per_level": (1..=4).map(|level| tree.category_limits.at(level)).collect::<Vec<_>>(),
            "strategy": tree.traversal.strategy,
            "n": tree.traversal.n,
            "n2": tree.traversal.n2,
            "max_per_level": tree.traversal.max_per_level,
            "max_paths": tree.traversal.max_paths,
        },
        "answer": {
            "route": answer.route,
            "max_token_budget": answer.max_token_budget,
            "prompt_limiting_strategy": answer.prompt_limiting_strategy,
            "use_rankings": answer.use_rankings,
            "summarization_instruction_headroom_tokens": answer.summarization_instruction_headroom_tokens,
            "summary_char_overage_tolerance_percent": answer.summary_char_overage_tolerance_percent,
            "summary_max_retries": answer.summary_max_retries,
        },
    })
}

/// Takes out the keys that there were not yet when the set was made.
fn drop_later_keys(found: &mut Value, expected: &Value) {
    if let (Value::Object(found), Value::Object(expected)) = (found, expected) {
        found.retain(|name, _| expected.contains_key(name));
        found.iter_mut().for_each(|(name, value)| drop_later_keys(value, &expected[name]));
    }
}

fn sets() -> Vec<PathBuf> {
    let saved = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/saved");
    let entries = std::fs::read_dir(saved).unwrap().map(|entry| entry.unwrap().path());
    let is_set = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with("promises-");
    let mut sets: Vec<PathBuf> = entries.filter(is_set).collect();
    sets.sort_unstable();
    assert!(!sets.is_empty(), "no set of promises is saved");
    sets
}

fn sets_on_engines() -> impl Iterator<Item = (PathBuf, Engine)> {
    sets().into_iter().flat_map(|set| Engine::ALL.map(|engine| (set.clone(), engine)))
}

fn read(set: &Path, file: &str) -> String {
    std::fs::read_to_string(set.join(file)).unwrap_or_else(|error| panic!("{}: {file}: {error}", set.display()))
}

/// A file with a value on each line.
fn values<T: serde::de::DeserializeOwned>(set: &Path, file: &str) -> Vec<T> {
    read(set, file).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The store that the set was made from, with one of its configurations. Whatever that names lies in the folder of the set.
fn restored(database: &TestDatabase, set: &Path, configuration: &str) -> Recordar {
    // The first set is from before repeated messages were found only once.
    let before = "[index]\nskip_repeated = false\n";
    let toml = read(set, configuration);
    let before = if set.ends_with("promises-1") { before } else { "[index]\n" };
    let toml = if toml.contains("[index]") { toml.replace("[index]\n", before) } else { format!("{before}\n{toml}") };
    // Both sets are from before a budget covered the whole text.
    let covers = "[recall]\nbudget_covers = \"memories\"\n";
    let is_before = BEFORE_TEXTS.iter().any(|name| set.ends_with(name));
    let covers = if is_before { covers } else { "[recall]\n" };
    let toml = if toml.contains("[recall]") { toml.replace("[recall]\n", covers) } else { format!("{covers}\n{toml}") };
    let toml = format!("database.url = {:?}\n{toml}", database.url);
    let memory = Recordar::open(Config::from_toml(&toml, set).unwrap(), system_clock()).unwrap();
    memory.restore(&mut BufReader::new(read(set, "corpus.jsonl").as_bytes())).unwrap();
    memory
}

/// Whether two exports are the same, but for the schema that the first line names.
fn is_same_export(one: &str, other: &str) -> bool {
    let parts = |export: &str| {
        let (header, rows) = export.split_once('\n').unwrap();
        let mut header: Value = serde_json::from_str(header).unwrap();
        header["schema"] = Value::Null;
        (header, rows.to_owned())
    };
    parts(one) == parts(other)
}

fn export(memory: &Recordar) -> String {
    let mut file = Vec::new();
    memory.export(&ExportScope::Store, &mut file).unwrap();
    String::from_utf8(file).unwrap()
}
