//! Documents as they really are (issue 19): passages are cited with the heading above them, snippets show the match, front matter is
//! metadata, and a budget bounds the whole text.

use crate::{ada, file, ingest, open, open_with, request, text};
use recordar::Recordar;
use recordar::forget::ForgetRequest;
use recordar::recall::{Authority, BudgetCovers, RecallOverrides, RecallRequest, RecallResult};
use recordar::search::SearchRequest;
use recordar::why_not::FallenAt;
use recordar_testkit::{Engine, Random, TestDatabase};

const WORDS: [&str; 12] =
    ["lamp", "lens", "boat", "keeper", "oil", "storm", "rope", "ladder", "window", "harbour", "bell", "garden"];
const ON: &str = "[receipts]\nenabled = true\n[recall]\nmin_score = 0.0";

/// A page with headings of every kind between short texts; each sentence names the heading above it.
fn page(random: &mut Random) -> String {
    let mut text = "\u{feff}---\nreviewers:\n- ada\ntitle: Top\n# title: no\ntags: [sea, light]\ndate: 2026-02-03\nlang: en\n---\n\n".to_owned();
    let mut above = "Top".to_owned();
    for number in 0..30 {
        let word = WORDS[random.below(WORDS.len())];
        match random.below(6) {
            0 => text.push_str("```sh\n# a comment, and no heading\n```\n\n"),
            1 => text.push_str("<!--\n## Commented out\n-->\n\n"),
            2 => {
                above = format!("Part {number}");
                text.push_str(&format!("{above}\n=======\n\n"));
            }
            level => {
                above = format!("Part {number} {word}");
                text.push_str(&format!("{} {above}\n\n", "#".repeat(level - 1)));
            }
        }
        for _ in 0..random.below(4) {
            let word = WORDS[random.below(WORDS.len())];
            text.push_str(&format!("The {word} belongs to <{above}>. "));
        }
        text.push_str("\n\n");
    }
    text
}

fn fill(memory: &Recordar) {
    let mut random = Random(19);
    for number in 0..6 {
        memory
            .ingest_text(&ada(), text(&format!("p{number}"), &format!("page-{number}.md"), &page(&mut random)))
            .unwrap();
    }
}

fn asking(query: &str, settings: RecallOverrides) -> RecallRequest {
    RecallRequest { settings, authority: Authority::Administrator, ..RecallRequest::new(query) }
}

/// The heading that the first sentence of a passage names, if it has one.
fn named(passage: &str) -> Option<&str> {
    let (_, from) = passage.split_once("to <")?;
    from.split_once('>').map(|(name, _)| name)
}

#[test]
fn i19_every_passage_is_cited_with_the_heading_above_it() {
    for (chunking, engine) in [
        ("", Engine::Sqlite),
        ("", Engine::Postgres),
        ("[chunking]\nmethod = \"recursive\"\nrecursive_tokens = 120\nrecursive_overlap = 30", Engine::MySql),
    ] {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, &format!("{ON}\n{chunking}"));
        fill(&memory);
        let (mut passages, mut hits) = (0, 0);
        for word in WORDS {
            for clip in [1, 2, 5] {
                // Little room, so that excerpts are shown and not whole chunks.
                let (top_k, clip_sentences, max_tokens) = (Some(20), Some(clip), Some(400));
                let settings = RecallOverrides { top_k, clip_sentences, max_tokens, ..Default::default() };
                let recalled = memory.recall(&[ada()], &asking(word, settings)).unwrap();
                for entry in &recalled.memories {
                    let Some(heading) = named(&entry.content) else { continue };
                    let section = entry.provenance.section.as_deref().unwrap_or_default();
                    assert_eq!(section.rsplit(" > ").next(), Some(heading), "{:?}", entry.content);
                    assert!(recalled.text.contains(&format!("(in {section})")), "{}", recalled.text);
                    passages += 1;
                }
                let why = memory.why(&ada(), recalled.receipt.as_deref().unwrap()).unwrap();
                assert!(why.identical, "{:?}", why.differences);
            }
            for hit in memory.search(&[ada()], &SearchRequest::new(word)).unwrap().hits {
                assert!(
                    hit.snippet.to_lowercase().contains(word) || !hit.item.text.to_lowercase().contains(word),
                    "{hit:?}"
                );
                let heading = named(&hit.snippet).unwrap_or_default();
                let section = hit.item.section.as_deref().unwrap_or_default();
                assert!(heading.is_empty() || section.rsplit(" > ").next() == Some(heading), "{hit:?}");
                hits += 1;
            }
        }
        assert!(passages > 100 && hits > 50, "{passages} {hits}");
    }
}

#[test]
fn i42_excerpts_are_the_same_on_three_databases_and_over_threads() {
    let mut expected: Option<Vec<String>> = None;
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, "[recall]\nmin_score = 0.0\ncache_seconds = 0");
        fill(&memory);
        let recalled = |word: &str| {
            let settings = RecallOverrides { top_k: Some(20), max_tokens: Some(700), ..Default::default() };
            memory.recall(&[ada()], &asking(&format!("Where does the {word} belong?"), settings)).unwrap().text
        };
        let texts: Vec<String> = std::thread::scope(|scope| {
            let running: Vec<_> = WORDS.iter().map(|word| scope.spawn(move || recalled(word))).collect();
            running.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(texts.iter().all(|text| text.contains("...")), "nothing was cut: {texts:?}");
        assert_eq!(texts, WORDS.map(recalled), "on one thread");
        assert_eq!(expected.get_or_insert_with(|| texts.clone()), &texts, "{engine:?}");
    }
}

#[test]
fn i43_names_change_logs_and_translations_count() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let (folder, said) = (tempfile::tempdir().unwrap(), "Pruning removes what is old. Set the days to keep.");
    for (path, page) in [
        ("CHANGELOG.md", format!("# 1.2\n\n{said} New: pruning.\n")),
        ("docs/en/prune-archives.md", format!("# Old data\n\n{said}\n")),
        (
            "docs/de/prune-archives.md",
            "# Alte Daten\n\nDas Pruning entfernt die Archive, die zu alt sind. Wie lange sie bleiben, sagt die Datei.\n".to_owned(),
        ),
        ("docs/en/other.md", format!("# Old data\n\n{said} It is so.\n")),
        (
            "notes.md",
            "# Notes\n\nThe bell is by the door, and it is for those who are late.\n\n# Glocke\n\nDie Glocke ist an der Tür, und sie ist für die, die zu spät sind. Bell.\n\n# Code\n\n```\nbell --ring door\n```\n".to_owned(),
        ),
        ("teams/it/boarding.md", "# Boarding\n\nThe boarding of those who are new is done by the team.\n".to_owned()),
        ("teams/hr/boarding.md", "# Boarding\n\nThe boarding of those who are new is paid by the office.\n".to_owned()),
    ] {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, page).unwrap();
    }
    ingest(&memory, &request("one", &[folder.path()]));
    let found = |query: &str| {
        let found = memory.search(&[ada()], &SearchRequest::new(query)).unwrap();
        let names = found.hits.iter().map(|hit| hit.item.document_name.clone().unwrap()).collect::<Vec<_>>();
        let sum = |hit: &recordar::search::HitView| {
            let parts = &hit.parts;
            parts.keyword + parts.semantic + parts.neighbours + parts.thread + parts.speaker + parts.period
        };
        assert!(found.hits.iter().all(|hit| (sum(hit) - hit.score).abs() < 1e-9), "scores are the sums of their parts");
        (names, found.trace)
    };
    let (names, trace) = found("How does pruning archives work?");
    assert_eq!(names[0], "docs/en/prune-archives.md");
    assert!(!names.iter().any(|name| name.starts_with("docs/de/")), "{names:?}");
    let pages = trace.stages.iter().find(|stage| stage.name == "pages").unwrap();
    let reasons: Vec<&str> = pages.decisions.iter().map(|decision| decision.reason.as_str()).collect();
    for reason in ["named", "change_log", "translation"] {
        assert!(reasons.contains(&reason), "{reason}: {reasons:?}");
    }
    let (names, trace) = found("Wie entfernt das Pruning die Archive, die alt sind?");
    assert_eq!(names[0], "docs/de/prune-archives.md");
    let pages = trace.stages.iter().find(|stage| stage.name == "pages").unwrap();
    assert!(pages.decisions.iter().any(|decision| decision.detail.ends_with("another language: de")), "{pages:?}");
    let german = &memory
        .search(&[ada()], &SearchRequest::new("Wie entfernt das Pruning die Archive, die alt sind?"))
        .unwrap()
        .hits[0];
    let asked = RecallRequest::new("How does pruning archives work?");
    let why_not = memory.why_not(&[ada()], (&ada(), german.item.item_id), &asked).unwrap();
    assert_eq!(why_not.stage, Some(FallenAt::Pages), "{}", why_not.reason);
    assert!(why_not.reason.contains("another language: en") && why_not.changes.is_empty(), "{}", why_not.reason);
    let (_, trace) = found("Where is the bell?");
    let decisions = || trace.stages.iter().flat_map(|stage| &stage.decisions);
    assert!(!decisions().any(|decision| decision.reason == "translation"), "a page in two languages is one page");
    let (names, _) = found("Who does the boarding?");
    let teams = names.iter().filter(|name| name.starts_with("teams/")).count();
    assert_eq!(teams, 2, "a folder \"it\" is a team here: {names:?}");
    let (names, _) = found("In which version is pruning new?");
    assert_eq!(names[0], "CHANGELOG.md", "a change log answers what changed");
}

#[test]
fn i43_plain_texts_are_read_as_what_they_are() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let folder = tempfile::tempdir().unwrap();
    let page = "Lamps\n=====\n\n.. _lamps:\n\nLamps burn.\n\nOil\n---\n\nThe oil is whale oil.\n";
    std::fs::write(folder.path().join("lamps.txt"), page).unwrap();
    std::fs::write(folder.path().join("keeper.log"), "The keeper slept at noon.\n").unwrap();
    let report = ingest(&memory, &request("one", &[folder.path()]));
    assert_eq!(report.totals.added, 2, "{report:?}");
    let hits = memory.search(&[ada()], &SearchRequest::new("whale oil")).unwrap().hits;
    assert_eq!(hits[0].item.section.as_deref(), Some("Lamps > Oil"));
    let hits = memory.search(&[ada()], &SearchRequest::new("Who slept?")).unwrap().hits;
    assert_eq!(hits[0].item.document_name.as_deref(), Some("keeper.log"));
}

#[test]
fn i19_redaction_moves_no_heading() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, ON);
    let secret = "Write to ada@mail.example or bo.longname@mail.example. ".repeat(5);
    let page = format!(
        "# Post\n\n{secret}\n\n## Lamp of cy@mail.example\n\nThe lens is clean. {secret}\n\n## Oil\n\nThe oil is whale oil.\n"
    );
    memory.ingest_text(&ada(), text("page", "page.md", &page)).unwrap();
    let redacting = || RecallOverrides {
        enable_redaction: Some(true),
        clip_sentences: Some(1),
        max_tokens: Some(100),
        ..Default::default()
    };
    let check = |query: &str, content: &str, section: &str| {
        let recalled = memory.recall(&[ada()], &asking(query, redacting())).unwrap();
        let entry = &recalled.memories[0];
        assert!(entry.content.contains(content), "{}", entry.content);
        assert_eq!(entry.provenance.section.as_deref(), Some(section));
        assert!(!recalled.text.contains("mail.example"), "{}", recalled.text);
        assert!(memory.why(&ada(), recalled.receipt.as_deref().unwrap()).unwrap().identical);
    };
    check("whale oil", "whale oil", "Post > Oil");
    check("clean lens", "The lens is clean", "Post > Lamp of [REDACTED]");
    let shown = open_with(&database, "[recall]\nenable_redaction = true");
    let hits = serde_json::to_string(&shown.search(&[ada()], &SearchRequest::new("whale oil")).unwrap()).unwrap();
    assert!(!hits.contains("mail.example") && hits.contains("Post > Oil"), "{hits}");
}

#[test]
fn i19_a_snippet_shows_no_part_of_a_secret() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "[recall]\nenable_redaction = true");
    for words in 0..70 {
        let line = format!("{}the beacon ada.lovelace@mail.example {}", "word ".repeat(words), "more ".repeat(80));
        memory.ingest_text(&ada(), text(&format!("t{words}"), &format!("{words}.txt"), &line)).unwrap();
    }
    let request = SearchRequest { limit: 100, ..SearchRequest::new("word beacon more") };
    let hits = memory.search(&[ada()], &request).unwrap().hits;
    assert_eq!(hits.len(), 70);
    assert!(hits.iter().all(|hit| !hit.snippet.is_empty() && !hit.snippet.contains("ada.l")), "{hits:?}");
    let threads = memory.search_threads(&[ada()], &request).unwrap().threads;
    assert!(threads.iter().all(|hit| !hit.snippet.contains("ada.l")), "{threads:?}");
}

#[test]
fn i19_front_matter_is_metadata_and_what_was_given_wins() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("care")).unwrap();
    let page =
        "---\ntitle: \"The lamp\"\ntags:\n  - oil\ndate: 2026-02-03\nlang: de\n---\nEr brennt.\n\n## Öl\n\nTäglich.\n";
    std::fs::write(folder.path().join("care/lamp.md"), page).unwrap();
    let report = ingest(&memory, &request("one", &[folder.path()]));
    let path = file(&report, "lamp.md").path.clone();
    let attributes = memory.document_text(&ada(), &path, None).unwrap().document.version.attributes;
    assert_eq!(attributes.tags(), ["file_ingest", "oil"]);
    assert_eq!(attributes.metadata.to_json(), r#"{"date":"2026-02-03","language":"de","title":"The lamp"}"#);
    let hits = memory.search(&[ada()], &SearchRequest::new("brennt")).unwrap().hits;
    assert_eq!(hits[0].item.document_name.as_deref(), Some("care/lamp.md"));
    assert_eq!((hits[0].snippet.as_str(), hits[0].item.section.as_deref()), ("Er brennt.", Some("The lamp")));
    let again = ingest(&memory, &request("two", &[folder.path()]));
    assert!(file(&again, "lamp.md").warnings.iter().all(|warning| warning.code != "attributes_not_stored"));
}

#[test]
fn i19_the_budget_bounds_the_text_unless_the_memories_are_named() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, ON);
    fill(&memory);
    let recalled = |max_tokens, budget_covers| {
        let settings = RecallOverrides {
            top_k: Some(20),
            clip_sentences: Some(5),
            max_tokens: Some(max_tokens),
            budget_covers,
            ..Default::default()
        };
        memory.recall(&[ada()], &asking("lamp lens oil storm", settings)).unwrap()
    };
    let mut is_over = false;
    for max_tokens in [100, 150, 200, 300, 500, 1000, 3000] {
        let RecallResult { memories, metadata, receipt, .. } = recalled(max_tokens, None);
        assert!(
            metadata.text_tokens <= max_tokens as usize && !memories.is_empty(),
            "{} of {max_tokens}",
            metadata.text_tokens
        );
        assert!(memory.why(&ada(), receipt.as_deref().unwrap()).unwrap().identical);
        let of_memories = recalled(max_tokens, Some(BudgetCovers::Memories)).metadata;
        assert!(of_memories.total_tokens <= max_tokens as usize);
        is_over |= of_memories.text_tokens > max_tokens as usize;
    }
    assert!(is_over, "the memories alone leave room for less");
}

#[test]
fn i19_a_forgotten_chunk_leaves_the_headings_of_its_neighbours() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(
        &database,
        "[chunking]\nmethod = \"recursive\"\nrecursive_tokens = 60\nrecursive_overlap = 20\n[recall]\nmin_score = 0.0",
    );
    let page: String = (0..30)
        .map(|number| format!("## Part {number}\n\nThe {} belongs to <Part {number}>.\n\n", WORDS[number % 12]))
        .collect();
    memory.ingest_text(&ada(), text("page", "page.md", &page)).unwrap();
    let ids: Vec<i64> =
        memory.document_text(&ada(), "page.md", None).unwrap().chunks.iter().map(|chunk| chunk.item_id).collect();
    let middle = ids[ids.len() / 2];
    let forget = ForgetRequest::Items(vec![middle]);
    memory.forget(&ada(), &forget, false, &crate::operation("forget")).unwrap();
    let mut seen = 0;
    for word in WORDS {
        let settings = RecallOverrides { top_k: Some(20), clip_sentences: Some(1), ..Default::default() };
        for entry in memory.recall(&[ada()], &asking(word, settings)).unwrap().memories {
            if let Some(heading) = named(&entry.content) {
                assert_eq!(entry.provenance.section.as_deref(), Some(heading), "{}", entry.content);
                seen += 1;
            }
        }
    }
    assert!(seen > 20);
}
