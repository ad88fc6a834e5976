//! Looking back: what was live then, ranked as then; and facts that take each other's place.

use crate::recalling::{everything, lamps, recall, store, with};
use crate::{ada, open, open_at, operation, set_clock, text};
use recordar::forget::ForgetRequest;
use recordar::item::ItemKind;
use recordar::recall::{RecallOverrides, RecallRequest, RecallResult};
use recordar::search::SearchMode;
use recordar::{Message, Timestamp};
use recordar_testkit::{Engine, TestDatabase};
use std::sync::atomic::Ordering;

#[test]
fn as_of_recalls_what_was_live_then_ranked_as_then() {
    let database = TestDatabase::new(Engine::Sqlite);
    let (seconds, clock) = set_clock();
    let memory = open_at(&database, "[recall]\ncache_seconds = 0", clock);
    let start = seconds.load(Ordering::Relaxed);
    let query = with("what does the lamp burn", everything());
    let mut then: Vec<(i64, RecallResult)> = Vec::new();
    let mut step = |offset: i64, change: &dyn Fn()| {
        seconds.store(start + offset, Ordering::Relaxed);
        change();
        then.push((
            start + offset,
            recall(&memory, &RecallRequest { asked_at: Timestamp::parse("2025-01-01").ok(), ..query.clone() }),
        ));
    };
    let fact = std::cell::Cell::new(0);
    step(0, &|| drop(memory.ingest_text(&ada(), text("v1", "lamp.md", "The lamp burns whale oil.")).unwrap()));
    step(10, &|| {
        fact.set(
            store(
                &memory,
                &ada(),
                &[Message { kind: ItemKind::Fact, ..Message::new("The lamp burns at night.") }],
                "fact",
            )[0],
        )
    });
    step(20, &|| {
        drop(memory.ingest_text(&ada(), text("v2", "lamp.md", "The lamp is electric and burns nothing.")).unwrap())
    });
    step(30, &|| drop(lamps(&memory)));
    step(40, &|| {
        drop(store(
            &memory,
            &ada(),
            &[Message {
                kind: ItemKind::Fact,
                supersedes: vec![fact.get()],
                ..Message::new("The lamp burns all day.")
            }],
            "newer",
        ))
    });
    step(50, &|| drop(memory.ingest_text(&ada(), text("v3", "lamp.md", "The lamp burns whale oil.")).unwrap()));
    let plain = |result: &RecallResult| (result.memories.clone(), result.candidates.clone(), result.text.clone());
    for (time, expected) in &then {
        for late in [0, 5_000_000, 9_999_999] {
            let as_of = Timestamp::from_micros(time * 1_000_000 + late);
            let found = recall(
                &memory,
                &RecallRequest { as_of: Some(as_of), asked_at: Timestamp::parse("2025-01-01").ok(), ..query.clone() },
            );
            assert_eq!(plain(&found), plain(expected), "as of {as_of}");
        }
    }
    let before = RecallRequest { as_of: Some(Timestamp::from_micros((start - 1) * 1_000_000)), ..query.clone() };
    assert!(recall(&memory, &before).memories.is_empty(), "before there was anything");
    memory.forget(&ada(), &ForgetRequest::Document("lamp.md".into()), false, &operation("forget")).unwrap();
    let early = RecallRequest { as_of: Some(Timestamp::from_micros(start * 1_000_000)), ..query };
    assert!(recall(&memory, &early).memories.is_empty(), "forgetting beats time travel");
}

#[test]
fn a_fact_supersedes_and_goes_with_what_it_was_made_of() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let message = store(&memory, &ada(), &[Message::new("Forty boxes, and Vigo at last.")], "message")[0];
    let fact = |words: &str| Message { kind: ItemKind::Fact, derived_from: vec![message], ..Message::new(words) };
    let old = store(&memory, &ada(), &[fact("Ada lives in Vigo.")], "old")[0];
    let newer = Message { supersedes: vec![old], ..fact("Ada lives in Porto.") };
    store(&memory, &ada(), std::slice::from_ref(&newer), "newer");
    let texts = |result: RecallResult| result.memories.into_iter().map(|memory| memory.content).collect::<Vec<_>>();
    let keyword = RecallOverrides { search_type: Some(SearchMode::Keyword), ..everything() };
    assert_eq!(texts(recall(&memory, &with("where lives Ada", keyword.clone()))), ["Ada lives in Porto."]);
    let again = memory.remember(&ada(), &[newer], &operation("again")).unwrap_err();
    assert!(again.to_string().contains("already been superseded"), "what is retired cannot be superseded: {again}");
    let stranger = Message { derived_from: vec![9999], ..fact("x y") };
    assert!(memory.remember(&ada(), &[stranger], &operation("stranger")).is_err());
    memory.forget(&ada(), &ForgetRequest::Items(vec![message]), false, &operation("forget")).unwrap();
    assert!(recall(&memory, &with("where lives Ada", keyword)).memories.is_empty(), "facts go with their sources");
}
