//! A13: the configuration is checked once, with one clear error for each mistake.

use recordar::config::Mistake;
use recordar::text::Chunking;
use recordar::{Config, Error};
use std::path::Path;

fn mistakes(toml: &str) -> Vec<Mistake> {
    match Config::from_toml(toml, Path::new("/")) {
        Ok(_) => Vec::new(),
        Err(Error::Config { mistakes }) => mistakes,
        Err(other) => panic!("{other}"),
    }
}

/// One mistake, which names the key and value and has a fix that says the given word.
fn check(toml: &str, key: &str, value: &str, allowed: &str, fix: &str) {
    let found = mistakes(toml);
    assert_eq!(found.len(), 1, "{toml}: {found:?}");
    let mistake = &found[0];
    assert_eq!((mistake.key.as_str(), mistake.value.as_str()), (key, value), "{toml}");
    assert!(mistake.allowed.contains(allowed), "{mistake}");
    assert!(mistake.fix.contains(fix), "{mistake}");
}

#[test]
fn a13_the_budget_exceeds_the_least_chunk_by_more_than_100() {
    check("answer.max_token_budget = 400", "answer.max_token_budget", "400", "400", "401");
    assert!(mistakes("answer.max_token_budget = 401").is_empty());
    check(
        "[chunking]\nchunk_min_tokens = 480\n[answer]\nmax_token_budget = 500",
        "answer.max_token_budget",
        "500",
        "580",
        "581",
    );
}

#[test]
fn a13_the_depth_is_from_1_to_100() {
    for depth in [0, 101, -1] {
        check(&format!("tree.hierarchy_depth = {depth}"), "tree.hierarchy_depth", &depth.to_string(), "1 to 100", "3");
    }
    assert!(mistakes("tree.hierarchy_depth = 100").is_empty());
}

#[test]
fn a13_the_batch_size_is_from_1_to_50() {
    for size in [0, 51] {
        check(&format!("tree.batch_size = {size}"), "tree.batch_size", &size.to_string(), "1 to 50", "5");
    }
}

#[test]
fn a13_the_least_chunk_is_smaller_than_the_greatest() {
    let toml = "[chunking]\nchunk_min_tokens = 500\nchunk_max_tokens = 500";
    check(toml, "chunking.chunk_min_tokens", "500", "less than chunk_max_tokens", "499");
}

#[test]
fn a13_category_limits_are_positive() {
    check("tree.max_categories_per_level = 0", "tree.max_categories_per_level", "0", "1 or greater", "128");
    check(
        "tree.max_categories_per_level = [1, -2, 3]",
        "tree.max_categories_per_level[1]",
        "-2",
        "1 or greater",
        "128",
    );
    check(
        "tree.max_categories_per_level = { 2 = \"x\" }",
        "tree.max_categories_per_level.2",
        "\"x\"",
        "1 or greater",
        "128",
    );
}

#[test]
fn a13_a_list_of_limits_is_complete_and_a_map_names_levels_of_the_tree() {
    check(
        "tree.max_categories_per_level = [1, 2]",
        "tree.max_categories_per_level",
        "[1, 2]",
        "each of the 3 levels",
        "3 numbers",
    );
    check("tree.max_categories_per_level = { 4 = 1 }", "tree.max_categories_per_level.4", "1", "1 to 3", "deepen");
    let config = Config::from_toml("tree.max_categories_per_level = { 2 = 7 }", Path::new("/")).unwrap();
    assert_eq!([1, 2, 3].map(|level| config.tree.category_limits.at(level)), [128, 7, 128]);
    let config = Config::from_toml("tree.max_categories_per_level = [1, 2, 3]", Path::new("/")).unwrap();
    assert_eq!([1, 2, 3].map(|level| config.tree.category_limits.at(level)), [1, 2, 3]);
}

#[test]
fn a13_every_mistake_is_told_at_once() {
    let toml = "spaec = \"x:y\"\n[database]\nurl = \"oracle://ada:s3cret@x/y\"\n[tree]\nhierarchy_depth = 0\nbatch_size = 99\n[chunking]\nmethod = \"magic\"\ndelimiters = [\"\"]\n[ingest]\nmax_file_byte = 1";
    let found = mistakes(toml);
    let keys: Vec<&str> = found.iter().map(|mistake| mistake.key.as_str()).collect();
    assert_eq!(
        keys,
        [
            "ingest.max_file_byte",
            "spaec",
            "database.url",
            "chunking.delimiters",
            "chunking.method",
            "tree.hierarchy_depth",
            "tree.batch_size"
        ]
    );
    assert!(found[0].fix.contains("ingest.max_file_bytes") && found[1].fix.contains("space"));
    assert!(!format!("{found:?}").contains("s3cret"));
}

#[test]
fn a13_the_file_that_init_writes_is_the_default() {
    let written = Config::from_toml(Config::TEMPLATE, Path::new("/x")).unwrap();
    let shown = Config::from_toml(&Config::defaults_text(), Path::new("/x")).unwrap();
    let default = Config::from_toml("", Path::new("/x")).unwrap();
    assert_eq!(format!("{written:?}"), format!("{default:?}"));
    assert_eq!(format!("{shown:?}"), format!("{default:?}"));
    assert!(Config::defaults_text().parse::<toml::Table>().unwrap()["llm"]["provider"].is_str());
    assert_eq!(default.chunking, Chunking::default());
    assert_eq!((default.tree.hierarchy_depth, default.tree.batch_size), (3, 5));
    assert_eq!(default.max_file_bytes, 64 * 1024 * 1024);
}

#[test]
fn a13_what_is_not_toml_says_where() {
    let error = Config::from_toml("[chunking\n", Path::new("/")).unwrap_err();
    assert_eq!(error.code(), "configuration");
    assert!(error.to_string().contains("line 1"), "{error}");
    for toml in [
        "database = \"postgres://ada:s3cret@x/y\"",
        "database.urls = \"postgres://ada:s3cret@x/y\"",
        "database.url = [\"postgres://ada:s3cret@x/y\"]",
        "database.url = \"postgres://ada:s3cret@x/y",
        "database.url = \"postgres:ada:s3cret@x/y\"",
    ] {
        let error = Config::from_toml(toml, Path::new("/")).unwrap_err();
        assert!(!format!("{error} {error:?}").contains("s3cret"), "{error}");
    }
}

#[test]
fn e2_the_administrators_ranges_of_a_recall() {
    for (key, wrong, right) in [
        ("top_k", [0, 21], [1, 20]),
        ("clip_sentences", [0, 6], [1, 5]),
        ("max_tokens", [99, 3001], [100, 3000]),
        ("cache_seconds", [-1, 3601], [0, 3600]),
    ] {
        for value in wrong {
            let key = format!("recall.{key}");
            check(&format!("{key} = {value}"), &key, &value.to_string(), &right[1].to_string(), "default");
        }
        for value in right {
            assert!(mistakes(&format!("recall.{key} = {value}")).is_empty(), "{key} {value}");
        }
    }
    for value in ["-0.1", "1.1", "\"much\"", "nan"] {
        assert_eq!(mistakes(&format!("recall.min_score = {value}")).len(), 1, "{value}");
    }
    for value in ["0", "1", "0.0", "1.0", "0.3"] {
        assert!(mistakes(&format!("recall.min_score = {value}")).is_empty(), "{value}");
    }
    check(
        "recall.search_type = \"fuzzy\"",
        "recall.search_type",
        "unrecognised search type \"fuzzy\"",
        "semantic",
        "hybrid",
    );
    check("recall.enable_redaction = 1", "recall.enable_redaction", "1", "true or false", "false");
    check("receipts.enabled = \"yes\"", "receipts.enabled", "\"yes\"", "true or false", "false");
}

#[test]
fn e4_e5_interleaving_and_patterns_are_checked_at_the_start() {
    check(
        "recall.interleaving = \"random\"",
        "recall.interleaving",
        "unrecognised interleaving \"random\"",
        "recency_first",
        "score_first",
    );
    check("recall.interleaving_ratio = 0.5", "recall.interleaving_ratio", "0.5", "no ratio", "score_first");
    check(
        "[recall]\ninterleaving = \"score_first\"\ninterleaving_ratio = 2",
        "recall.interleaving_ratio",
        "2",
        "0 to 1",
        "0.3",
    );
    assert!(mistakes("[recall]\ninterleaving = \"recency_first\"\ninterleaving_ratio = 0.7").is_empty());
    for pattern in ["(", "(?=x)y", "x*", r"\\w{9999}"] {
        let found = mistakes(&format!("recall.custom_redaction_patterns = [\"{pattern}\"]"));
        assert_eq!(found.len(), 1, "{pattern}");
        assert!(found[0].value.contains("invalid redaction pattern"), "{}", found[0]);
    }
    assert_eq!(mistakes("recall.custom_redaction_patterns = \"x\"").len(), 1);
    assert!(mistakes("recall.custom_redaction_patterns = ['(?i)project \\w+']").is_empty());
}

#[test]
fn a_key_that_is_not_known_is_shown_without_what_a_terminal_would_obey() {
    let text = format!("\"\\u001b[2J\" = 1\n[\"\\n\\n\"]\nx = 1\n[llm]\n\"{}\" = 2\n\"\" = 3\n", "long".repeat(1000));
    let error = Config::from_toml(&text, Path::new("/")).unwrap_err();
    let Error::Config { mistakes } = &error else { panic!("{error}") };
    assert_eq!(mistakes.len(), 4, "{error}");
    for mistake in mistakes {
        assert!(!mistake.key.contains(char::is_control) && !mistake.key.trim().is_empty(), "{:?}", mistake.key);
        assert!(mistake.key.len() < 120, "{}", mistake.key);
    }
}
