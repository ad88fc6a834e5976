//! `recordar eval`: several sets, saved runs, BM25, made questions, and signals switched off.

use crate::Desk;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn lighthouse() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../eval/lighthouse").canonicalize().unwrap().display().to_string()
}

/// A set of documents, each about a subject of its own: its words come from nowhere else.
fn put_set(desk: &Desk, name: &str, documents: usize) -> String {
    let mut corpus = String::new();
    for number in 0..documents {
        let words: Vec<String> = (0..160).map(|at| format!("subject{number}word{}", at % 40)).collect();
        corpus += &format!("{}\n", json!({"_id": format!("d{number}"), "text": words.join(" ")}));
    }
    desk.put(&format!("{name}/corpus.jsonl"), corpus);
    desk.put(&format!("{name}/queries.jsonl"), "{\"_id\": \"q1\", \"text\": \"What is subject1word7?\"}\n");
    desk.put(&format!("{name}/qrels.tsv"), "query-id\tcorpus-id\tscore\nq1\td1\t1\n");
    desk.path(name).display().to_string()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

#[test]
fn i21_eval_a_run_is_compared_with_its_own_rows_and_with_worse_ones() {
    let desk = Desk::new();
    let set = lighthouse();
    let full = desk.json(0, &["eval", &set, "--rows", "full.jsonl"]);
    assert!(full.get("comparison").is_none() && full.get("baseline").is_none() && full.get("ablations").is_none());
    let saved = fs::read_to_string(desk.path("full.jsonl")).unwrap();
    let rows: Vec<Value> = saved.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(rows.iter().all(|row| row["set"] == "lighthouse"));

    let again = desk.json(0, &["eval", &set, "--compare", "full.jsonl"]);
    for found in [&again["comparison"]["items"]["ndcg@10"], &again["comparison"]["threads"]["all@5"]] {
        let (low, high) = (number(&found["low"]), number(&found["high"]));
        assert_eq!((number(&found["difference"]), low, high), (0.0, 0.0, 0.0), "{found}");
        assert_eq!((&found["better"], &found["worse"]), (&json!(0), &json!(0)));
    }

    // By words alone, it is worse, and the run by both is better than that.
    let keyword = desk.json(0, &["eval", &set, "--mode", "keyword", "--rows", "keyword.jsonl"]);
    assert!(number(&keyword["items"]["ndcg@10"]) < number(&full["items"]["ndcg@10"]));
    let found = desk.json(0, &["eval", &set, "--compare", "keyword.jsonl"]);
    let found = &found["comparison"]["items"]["ndcg@10"];
    assert_eq!((&found["before"], &found["now"]), (&keyword["items"]["ndcg@10"], &full["items"]["ndcg@10"]));
    let (low, difference, high) = (number(&found["low"]), number(&found["difference"]), number(&found["high"]));
    assert!(low <= difference && difference <= high && difference > 0.0, "{found}");
    assert!(number(&found["better"]) > number(&found["worse"]), "{found}");

    // One question is gone, one is new, one asks for something else. Rows of an earlier version name no set.
    let mut older: Vec<Value> = rows.iter().skip(1).cloned().collect();
    older[0]["text"] = json!("Another question");
    older[1]["figures"]["ndcg@10"] = json!(0.25);
    older.push({
        let mut gone = rows[0].clone();
        gone["query"] = json!("gone");
        gone
    });
    older.iter_mut().for_each(|row| drop(row.as_object_mut().unwrap().remove("set")));
    desk.put("older.jsonl", older.iter().map(|row| format!("{row}\n")).collect::<String>());
    let found = &desk.json(0, &["eval", &set, "--compare", "older.jsonl"])["comparison"];
    assert_eq!(found["only_before"], json!(["gone"]));
    assert_eq!(found["only_now"], json!([rows[0]["query"]]));
    assert_eq!(found["changed"], json!([rows[1]["query"]]));
    assert_eq!(found["questions"], json!(rows.len() - 2));
    assert_eq!(found["most_changed"][0]["query"], rows[2]["query"]);
    let said = desk.ends(0, &["eval", &set, "--compare", "older.jsonl", "--verbose"]);
    for part in ["95 % interval", "1 are only in the saved run: gone", "most changed:", "0.250 to"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn i21_eval_several_sets_each_count_alike() {
    let desk = Desk::new();
    let (lighthouse, made) = (lighthouse(), put_set(&desk, "made", 30));
    let run = desk.json(0, &["eval", &lighthouse, &made, "--baseline", "--rows", "rows.jsonl"]);
    let sets = run["sets"].as_array().unwrap();
    assert_eq!((&sets[0]["set"], &sets[1]["set"]), (&json!("lighthouse"), &json!("made")));
    let mean = (number(&sets[0]["items"]["ndcg@10"]) + number(&sets[1]["items"]["ndcg@10"])) / 2.0;
    assert!((number(&run["means"]["items"]["ndcg@10"]) - mean).abs() < 1e-12);
    assert_eq!(run["means"]["threads"], sets[0]["threads"], "only one set has threads");
    assert_eq!(sets[1]["baseline"]["items"]["mrr"], 1.0);
    assert_eq!(run["means"]["baseline"]["threads"]["all@5"], sets[0]["baseline"]["difference"]["threads"]["all@5"]);
    let alone = desk.json(0, &["eval", &lighthouse]);
    assert_eq!((&alone["items"], &alone["recall"]), (&sets[0]["items"], &sets[0]["recall"]));

    let said = desk.ends(0, &["eval", &made, &lighthouse, "--compare", "rows.jsonl"]);
    assert!(said.contains("means over 2 sets:") && said.contains("lighthouse:\n"), "{said}");
    // A set that the saved run does not have is named.
    desk.ends(0, &["eval", &made, "--rows", "made.jsonl"]);
    let said = desk.ends(0, &["eval", &made, &lighthouse, "--compare", "made.jsonl"]);
    assert!(said.contains("no rows of lighthouse"), "{said}");
}

#[test]
fn i41_eval_rows_hold_what_the_judge_said() {
    let desk = Desk::new();
    let set = put_set(&desk, "made", 30);
    let row = |arguments: &[&str]| -> Value {
        desk.ends(0, &[&["eval", &set, "--rows", "rows.jsonl"], arguments].concat());
        serde_json::from_str(fs::read_to_string(desk.path("rows.jsonl")).unwrap().trim()).unwrap()
    };
    assert!(row(&[]).get("judged").is_none());
    let row = row(&["--rerank", "judge"]);
    let (judged, ranked) = (row["judged"].as_array().unwrap(), row["ranked"].as_array().unwrap());
    // Of a document with several chunks among the 20 that are judged, the first counts.
    assert!((1..=ranked.len().min(20)).contains(&judged.len()), "{row}");
    for one in judged {
        let (search, judge) = (number(&one[0]), number(&one[1]));
        assert!((0.0..=1.0).contains(&search) && (0.0..=1.0).contains(&judge), "{one}");
    }
}

#[test]
fn i21_eval_ablation_switches_off_each_signal() {
    let desk = Desk::new();
    let full = desk.json(0, &["eval", &lighthouse(), "--ablate"]);
    let ablations = full["ablations"].as_array().unwrap();
    let names: Vec<&str> = ablations.iter().map(|one| one["without"].as_str().unwrap()).collect();
    assert_eq!(names, ["words", "vectors", "neighbours", "thread", "speaker", "period"]);
    for ablation in ablations {
        assert_eq!(ablation["items"]["ndcg@10"]["before"], full["items"]["ndcg@10"], "{ablation}");
    }
    // Without words or vectors it is the other mode.
    let figure = |mode: &str| desk.json(0, &["eval", &lighthouse(), "--mode", mode])["items"]["ndcg@10"].clone();
    assert_eq!(ablations[0]["items"]["ndcg@10"]["now"], figure("semantic"));
    assert_eq!(ablations[1]["items"]["ndcg@10"]["now"], figure("keyword"));
    // Some question changes without each of the others, in items or in threads.
    let changes = |ablation: &Value| {
        let all = ["items", "threads"].iter().flat_map(|of| ablation[*of].as_object().unwrap().values());
        all.map(|found| number(&found["better"]) + number(&found["worse"])).sum::<f64>()
    };
    for name in ["words", "neighbours", "speaker", "period"] {
        let ablation = ablations.iter().find(|one| one["without"] == name).unwrap();
        assert!(changes(ablation) > 0.0, "{ablation}");
    }
    let keyword = desk.json(0, &["eval", &lighthouse(), "--ablate", "--mode", "keyword"]);
    assert_eq!(keyword["ablations"].as_array().unwrap().len(), 4, "words are all there is");
    assert!(desk.ends(0, &["eval", &lighthouse(), "--ablate"]).contains("without each signal:"));
}

#[test]
fn i21_eval_made_questions_are_found_by_what_is_left_of_their_text() {
    let desk = Desk::new();
    let set = put_set(&desk, "made", 30);
    let arguments = ["eval", &set, "--words", "5,50,200", "--rows", "rows.jsonl"];
    let report = desk.json(0, &arguments);
    let words = report["words"].as_array().unwrap();
    let lengths: Vec<&Value> = words.iter().map(|own| &own["words"]).collect();
    assert_eq!(lengths, [&json!(5), &json!(50), &json!(200)]);
    for own in words {
        // Each text has every word of its subject several times, also without the passage.
        assert_eq!(own["items"]["recall@10"], 1.0, "{own}");
        assert_eq!(own["baseline"]["items"]["recall@10"], 1.0, "{own}");
        assert!(number(&own["questions"]) >= 15.0 && number(&own["latency_ms"]["p90"]) > 0.0);
    }
    let rows = fs::read_to_string(desk.path("rows.jsonl")).unwrap();
    let rows: Vec<Value> = rows.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for length in [5, 50, 200] {
        let name = format!("made:{length}-words");
        let texts: Vec<&str> =
            rows.iter().filter(|row| row["set"] == *name).map(|row| row["text"].as_str().unwrap()).collect();
        assert!(texts.len() == 15 && texts.iter().all(|text| text.split_whitespace().count() == length), "{name}");
    }
    // The same questions are made in every run, so that runs can be compared.
    let again = desk.json(0, &["eval", &set, "--words", "5,50", "--compare", "rows.jsonl"]);
    for own in again["words"].as_array().unwrap() {
        assert_eq!(own["comparison"]["questions"], own["questions"]);
        assert!(own["comparison"].get("changed").is_none(), "{own}");
    }
    assert!(desk.ends(0, &["eval", &set, "--words", "5"]).contains("questions made from the corpus"));
    // Messages are short: the lighthouse's questions come from runs of messages.
    let of_talk = desk.json(0, &["eval", &lighthouse(), "--words", "20"]);
    assert!(number(&of_talk["words"][0]["questions"]) > 0.0);
}

#[test]
fn i21_eval_mistakes_are_named_with_a_remedy() {
    let desk = Desk::new();
    let (set, made) = (lighthouse(), put_set(&desk, "made", 3));
    let says = |arguments: &[&str], parts: &[&str]| {
        let error = desk.json(1, &[&["eval"], arguments].concat())["error"].clone();
        let said = format!("{} {}", error["what"], error["remedy"]);
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
    };
    says(&[&set, "--compare", "nowhere.jsonl"], &["nowhere.jsonl cannot be read", "eval --rows"]);
    desk.ends(0, &["eval", &made, "--rows", "made.jsonl"]);
    says(&[&set, "--compare", "made.jsonl"], &["has rows of made, and none of lighthouse", "the same set"]);
    desk.put("empty.jsonl", "");
    says(&[&set, "--compare", "empty.jsonl"], &["has no rows"]);
    desk.put("broken.jsonl", "{\"query\": 3}\n");
    says(&[&set, "--compare", "broken.jsonl"], &["line 1 of broken.jsonl"]);
    let row = fs::read_to_string(desk.path("made.jsonl")).unwrap();
    desk.put("twice.jsonl", format!("{row}{row}"));
    says(&[&made, "--compare", "twice.jsonl"], &["two rows for the question"]);
    desk.put("nameless.jsonl", row.replace("\"set\":\"made\",", ""));
    says(&[&made, &set, "--compare", "nameless.jsonl"], &["do not name their set", "one set at a time"]);
    says(&[&made, &made], &["two sets are called made"]);
    says(&[&made, &set, "--corpus", &set], &["--corpus applies to one set"]);
    says(&[&made, "--words", "500"], &["made has", "shorter questions"]);
    says(&[&set, "--off-topic", "nowhere.jsonl"], &["nowhere.jsonl cannot be read", "format of queries.jsonl"]);
    for arguments in
        [&["--mode", "magic"][..], &["--words", "2"], &["--words", "x"], &["--filter", "a=b", "--baseline"]]
    {
        desk.ends(2, &[&["eval", &set], arguments].concat());
    }
    assert!(desk.ends(2, &["eval", &set, "--mode", "magic"]).contains("hybrid, keyword, semantic"));
}

#[test]
fn i21_eval_a_filter_limits_what_is_searched() {
    let desk = Desk::new();
    let all = desk.json(0, &["eval", &lighthouse()]);
    let talk = desk.json(0, &["eval", &lighthouse(), "--filter", "kind=message"]);
    assert_eq!(talk["kinds"]["document"]["items"]["recall@20"], 0.0, "documents are filtered out");
    assert!(number(&all["kinds"]["document"]["items"]["recall@20"]) > 0.5);
    assert!(number(&talk["items"]["recall@20"]) > 0.0);
    let error = desk.run(&["eval", &lighthouse(), "--filter", "colour=red"]);
    assert!(!error.status.success());
}
