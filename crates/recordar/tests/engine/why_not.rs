//! `why-not` tells the true stage, for an item planted for each.

use crate::{ada, open_with, operation, text};
use recordar::forget::ForgetRequest;
use recordar::recall::{Authority, Interleaving, RecallOverrides, RecallRequest, Strategy};
use recordar::why_not::{FallenAt, SettingChange, WhyNot};
use recordar::{Message, Recordar, SpaceName, Timestamp};
use recordar_testkit::{Engine, Random, TestDatabase, rounds};

fn request(query: &str, settings: RecallOverrides) -> RecallRequest {
    RecallRequest { settings, authority: Authority::Administrator, ..RecallRequest::new(query) }
}

fn ask(memory: &Recordar, item: i64, request: &RecallRequest) -> WhyNot {
    let why_not = memory.why_not(&[ada()], (&ada(), item), request).unwrap();
    let recalled = memory.recall(&[ada()], request).unwrap();
    let is_in = recalled.memories.iter().any(|memory| memory.provenance.item_id == item);
    assert_eq!(why_not.stage.is_none(), is_in, "{why_not:?}");
    why_not
}

/// The stage, and that the changes it names do let the item in, where it says so.
fn check(memory: &Recordar, item: i64, asked: &RecallRequest, stage: &str) -> WhyNot {
    let why_not = ask(memory, item, asked);
    assert_eq!(why_not.stage.map_or("included", FallenAt::name), stage, "{why_not:?}");
    assert!(!why_not.reason.is_empty());
    if why_not.changes.is_empty() {
        assert!(stage == "included" || !why_not.advice.is_empty(), "{why_not:?}");
    } else {
        assert_eq!(ask(memory, item, &changed(asked, &why_not)).stage, None, "{why_not:?}");
    }
    why_not
}

/// The request with what would let the item in.
fn changed(asked: &RecallRequest, why_not: &WhyNot) -> RecallRequest {
    let mut changed = asked.clone();
    for SettingChange { setting, value } in &why_not.changes {
        match *setting {
            "min_score" => changed.settings.min_score = value.parse().ok(),
            "top_k" => changed.settings.top_k = value.parse().ok(),
            "max_tokens" => changed.settings.max_tokens = value.parse().ok(),
            "clip_sentences" => changed.settings.clip_sentences = value.parse().ok(),
            "interleaving" => {
                let strategy = Strategy::parse(value).unwrap();
                changed.settings.interleaving = Some(Interleaving { strategy, ratio: None });
            }
            "search_type" => changed.settings.search_type = serde_json::from_value(value.as_str().into()).ok(),
            "as_of" => changed.as_of = Timestamp::parse(value).ok(),
            other => panic!("{other}"),
        }
    }
    changed
}

fn names(why_not: &WhyNot, setting: &str) -> bool {
    why_not.changes.iter().any(|change| change.setting == setting)
}

#[test]
fn why_not_tells_the_true_stage_for_every_stage_there_is() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "[recall]\ncache_seconds = 0");
    let store = |messages: &[Message], id: &str| memory.remember(&ada(), messages, &operation(id)).unwrap().items;
    let keep_all = RecallOverrides { min_score: Some(0.0), ..RecallOverrides::default() };
    let lens = request("the blue lens of the lamp", keep_all.clone());

    // Thirty that are about it, each a little less than the one before; then one that says the same as the first.
    let about: Vec<Message> = (0..30_usize)
        .map(|number| {
            Message::new(&format!("The blue lens of the lamp {}number {number}.", "and so on ".repeat(number)))
        })
        .collect();
    let about = store(&about, "about");
    let twin = store(&[Message::new("the BLUE lens of the lamp number 0!")], "twin")[0];
    let off = store(&[Message::new("Onions and fish make a soup.")], "off")[0];

    check(&memory, about[0], &lens, "included");
    let stored = check(&memory, 9_999, &lens, "stored");
    assert!(stored.changes.is_empty());

    let gone = store(&[Message::new("The blue lens is forgotten.")], "gone")[0];
    memory.forget(&ada(), &ForgetRequest::Items(vec![gone]), false, &operation("forget")).unwrap();
    check(&memory, gone, &lens, "forgotten");

    memory.ingest_text(&ada(), text("v1", "lens.md", "The blue lens of the lamp, in a first version.")).unwrap();
    let old = memory.document_text(&ada(), "lens.md", None).unwrap().chunks[0].item_id;
    memory.ingest_text(&ada(), text("v2", "lens.md", "Nothing of the kind any more.")).unwrap();
    let retired = check(&memory, old, &lens, "live");
    assert!(names(&retired, "as_of"), "{retired:?}");
    let early = RecallRequest { as_of: Timestamp::parse("2001-01-01").ok(), ..lens.clone() };
    assert!(names(&check(&memory, about[0], &early, "live"), "as_of"), "not stored yet");
    let off_switch = RecallRequest { use_memory: false, ..lens.clone() };
    check(&memory, about[0], &off_switch, "conditions");

    let ranked = check(&memory, about[18], &lens, "rank");
    assert!(names(&ranked, "top_k") && ranked.rank.is_some_and(|rank| rank > 16), "{ranked:?}");
    let last = check(&memory, off, &lens, "rank");
    assert_eq!(last.place, None);

    let gated = request(
        "onions, carrots, celery and the price of bread in Lisbon",
        RecallOverrides { min_score: Some(0.9), ..keep_all.clone() },
    );
    let gated = check(&memory, off, &gated, "gate");
    assert!(names(&gated, "min_score"), "{gated:?}");
    assert_eq!(gated.rank, Some(1));

    let doubled = check(&memory, twin, &request("the blue lens of the lamp number 0", keep_all.clone()), "deduplicate");
    assert!(doubled.reason.contains(&format!("item {}", about[0])), "{doubled:?}");
    let topped = check(&memory, about[10], &lens, "top_k");
    assert!(names(&topped, "top_k") && topped.changes.len() == 1, "{topped:?}");

    let long: Vec<Message> = (0..6)
        .map(|number| Message::new(&format!("Rope {number} {}", "is hemp and tar and ".repeat(8 + number))))
        .collect();
    let long = store(&long, "long");
    let tight = request("rope of hemp and tar", RecallOverrides { max_tokens: Some(100), ..keep_all.clone() });
    let fell: Vec<i64> =
        long.into_iter().filter(|item| ask(&memory, *item, &tight).stage == Some(FallenAt::Budget)).collect();
    assert!(!fell.is_empty());
    for item in fell {
        let budgeted = check(&memory, item, &tight, "budget");
        assert!(names(&budgeted, "max_tokens") && budgeted.changes.len() == 1, "{budgeted:?}");
    }
}

#[test]
fn why_not_tells_when_an_item_is_not_even_a_candidate() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "[recall]\ncache_seconds = 0\nmin_score = 0.0");
    let about: Vec<Message> =
        (0..400).map(|number| Message::new(&format!("The lens of the lamp is cleaned, note {number}."))).collect();
    memory.remember(&ada(), &about, &operation("about")).unwrap();
    let off = Message { thread: Some("kitchen".into()), ..Message::new("Onions and fish make a soup.") };
    let off = memory.remember(&ada(), &[off], &operation("off")).unwrap().items[0];
    let why_not = check(&memory, off, &RecallRequest::new("how is the lens of the lamp cleaned"), "hybrid");
    assert!(why_not.changes.is_empty() && why_not.advice.contains("words"), "{why_not:?}");
    assert_eq!(why_not.rank, Some(401));
}

#[test]
fn why_not_looks_into_the_items_own_space() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "");
    memory.remember(&ada(), &[Message::new("The lens.")], &operation("one")).unwrap();
    let bo = SpaceName::user("bo").unwrap();
    assert_eq!(memory.why_not(&[ada()], (&bo, 1), &RecallRequest::new("lens")).unwrap_err().code(), "invalid");
    assert_eq!(
        memory.why_not(std::slice::from_ref(&bo), (&bo, 1), &RecallRequest::new("lens")).unwrap_err().code(),
        "not_found"
    );
    assert_eq!(memory.why_not(&[ada()], (&ada(), 1), &RecallRequest::new(" ")).unwrap_err().code(), "invalid");
}

#[test]
fn why_not_counts_over_all_spaces_and_tries_every_way() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "[recall]\ncache_seconds = 0\nmin_score = 0.0");
    let bo = SpaceName::user("bo").unwrap();
    let better: Vec<Message> = (0..18).map(|number| Message::new(&format!("The lens of the lamp {number}."))).collect();
    memory.remember(&ada(), &better, &operation("better")).unwrap();
    let other = Message::new("Somewhere there is a lens, and a lamp, and many other things beside them.");
    let item = memory.remember(&bo, &[other], &operation("bo")).unwrap().items[0];
    let spaces = [bo.clone(), ada()];
    let request = request("lens lamp", RecallOverrides::default());
    let why_not = memory.why_not(&spaces, (&bo, item), &request).unwrap();
    assert_eq!((why_not.stage, why_not.rank), (Some(FallenAt::Rank), Some(19)), "{why_not:?}");
    let recalled = memory.recall(&spaces, &changed(&request, &why_not)).unwrap();
    assert!(recalled.memories.iter().any(|memory| memory.provenance.collection == "user:bo"), "{why_not:?}");
}

/// Whatever it says, it is true: of many items, questions and settings.
#[test]
fn why_not_is_true_for_many_items_and_questions() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "[recall]\ncache_seconds = 0");
    let mut random = Random(41);
    let words = ["lamp", "lens", "boat", "oil", "rope", "storm", "bell", "map", "gull", "tide", "log", "cliff"];
    let mut sentence =
        |length: usize| (0..length).map(|_| words[random.below(words.len())]).collect::<Vec<_>>().join(" ") + ".";
    let messages: Vec<Message> = (0..150)
        .map(|number| Message {
            thread: Some(format!("talk {}", number / 12)),
            ..Message::new(&sentence(3 + number % 20))
        })
        .collect();
    let items = memory.remember(&ada(), &messages, &operation("all")).unwrap().items;
    let queries: Vec<String> = (0..10).map(|number| sentence(1 + number % 4)).collect();
    let mut random = Random(5);
    let mut impossible = 0;
    for round in 0..rounds(60, 1000) {
        let settings = RecallOverrides {
            top_k: Some(1 + random.below(20) as u32),
            max_tokens: Some(100 + random.below(300) as u32),
            min_score: Some(random.below(8) as f64 / 10.0),
            ..RecallOverrides::default()
        };
        let asked = request(&queries[round % queries.len()], settings);
        let item = items[random.below(items.len())];
        let why_not = ask(&memory, item, &asked);
        if why_not.stage.is_some() && why_not.changes.is_empty() {
            impossible += 1;
            continue;
        }
        assert_eq!(ask(&memory, item, &changed(&asked, &why_not)).stage, None, "{why_not:?}");
    }
    assert!(impossible > 0, "some cannot be let in");
}

/// A long, new item that is let in as well must not stand in the way.
#[test]
fn why_not_finds_a_way_past_what_would_use_up_the_budget() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "[recall]\ncache_seconds = 0\nmin_score = 0.0");
    let day = |day: u32, words: &str| Message {
        time: Timestamp::parse(&format!("2025-03-{day:02}")).ok(),
        ..Message::new(words)
    };
    let long = "and the lamp goes on burning ".repeat(900);
    let said = [
        day(1, "The lighthouse lamp was polished."),
        day(2, "A lamp was polished in the lighthouse today."),
        day(3, "Somebody polished a lamp."),
        day(4, "The lighthouse has a lamp, and a bell."),
        day(9, &long),
    ];
    let items = memory.remember(&ada(), &said, &operation("said")).unwrap().items;
    for item in items {
        for (top_k, strategy) in [(1, Strategy::Alternate), (2, Strategy::Alternate), (2, Strategy::RecencyFirst)] {
            let interleaving = Some(Interleaving { strategy, ratio: None });
            let settings = RecallOverrides { top_k: Some(top_k), interleaving, ..RecallOverrides::default() };
            let asked = request("lighthouse lamp polished", settings);
            let why_not = ask(&memory, item, &asked);
            if why_not.stage.is_some() {
                assert!(!why_not.changes.is_empty(), "{top_k} {strategy:?}: {why_not:?}");
                assert_eq!(ask(&memory, item, &changed(&asked, &why_not)).stage, None, "{why_not:?}");
            }
        }
    }
}
