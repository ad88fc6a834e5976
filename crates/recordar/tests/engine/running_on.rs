//! What runs on behind a recalled chunk is shown, too (42): a list that ends in the middle misleads.

use crate::recalling::{everything, recall, said, store, with};
use crate::{ada, open_at, open_with, operation, set_clock, text};
use recordar::Timestamp;
use recordar::forget::ForgetRequest;
use recordar::recall::{ExcerptRule, RecallOverrides, RecallRequest, RecallResult};
use recordar::trace::{Action, Decision};
use recordar_testkit::{Engine, TestDatabase};
use std::sync::atomic::Ordering;

const SMALL: &str =
    "tree.classify = false\nreceipts.enabled = true\nchunking.chunk_min_tokens = 30\nchunking.chunk_max_tokens = 60\n";
const STEPS: [&str; 8] = [
    "- Open the brass cap of the reservoir.",
    "- Warm the colza in winter.",
    "- Pour as much as the mark says.",
    "- Wipe what was spilled.",
    "- Trim both wicks with the scissors.",
    "- Close everything again by hand.",
    "- Write the hour into the book.",
    "- Wake up whoever comes next.",
];
const QUESTION: &str = "How is the brass cap of the reservoir opened?";

fn page() -> String {
    format!(
        "# Lamp\n\nSteps:\n\n{}\n\n## Storms\n\nThe shutters stay closed, and nobody goes out. {}",
        STEPS.join("\n"),
        "It blows. ".repeat(12)
    )
}

/// The best chunk alone.
fn asked(settings: RecallOverrides) -> RecallRequest {
    RecallRequest { receipt: Some(true), ..with(QUESTION, RecallOverrides { top_k: Some(1), ..settings }) }
}

fn decisions(result: &RecallResult) -> Vec<&Decision> {
    let stage = result.trace.stages.iter().find(|stage| stage.name == "continued");
    stage.into_iter().flat_map(|stage| &stage.decisions).collect()
}

fn contents(result: &RecallResult) -> Vec<&str> {
    result.memories.iter().map(|memory| memory.content.as_str()).collect()
}

fn ids(result: &RecallResult) -> Vec<i64> {
    result.memories.iter().map(|memory| memory.provenance.item_id).collect()
}

#[test]
fn i42_a_list_that_runs_on_is_recalled_whole() {
    let mut agreed: Option<(String, Option<String>)> = None;
    for engine in Engine::ALL {
        let (_, clock) = set_clock();
        let database = TestDatabase::new(engine);
        let memory = open_at(&database, SMALL, clock);
        memory.ingest_text(&ada(), text("one", "lamp.md", &page())).unwrap();
        let result = recall(&memory, &asked(everything()));
        assert_eq!(result.memories.len(), 2, "{}", result.text);
        let [shown, next] = [0, 1].map(|at| &result.memories[at]);
        assert!(
            !shown.content.contains(STEPS[7]) && next.content.ends_with("- Wake up whoever comes next...."),
            "{}",
            result.text
        );
        assert!(STEPS.iter().all(|step| result.text.contains(step)), "{}", result.text);
        assert!(!result.text.contains("shutters"));
        assert!(shown.score > 0.0 && next.score == 0.0 && result.not_found() == 0);
        assert!(result.candidates.iter().any(|candidate| candidate.item_id == ids(&result)[1]));
        let [decision] = decisions(&result)[..] else { panic!("{:?}", result.trace) };
        assert_eq!((decision.action, decision.reason.as_str()), (Action::Kept, "runs_on"), "{decision:?}");
        assert!(decision.detail.contains("the list of user:ada item"), "{decision:?}");
        assert!(memory.why(&ada(), result.receipt.as_deref().unwrap()).unwrap().identical);
        let found = (result.text, result.receipt);
        assert_eq!(agreed.get_or_insert_with(|| found.clone()), &found, "{engine:?}");
    }
}

#[test]
fn i42_nothing_is_added_where_nothing_runs_on_or_it_is_shown_already() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, SMALL);
    memory.ingest_text(&ada(), text("one", "lamp.md", &page())).unwrap();
    let first =
        recall(&memory, &asked(RecallOverrides { excerpts: Some(ExcerptRule::FirstSentences), ..everything() }));
    assert!(first.memories.len() == 1 && decisions(&first).is_empty());
    let all = recall(&memory, &with(QUESTION, everything()));
    assert!(decisions(&all).is_empty(), "{:?}", decisions(&all));
    assert!(all.memories.len() > 2);
    let storm = recall(
        &memory,
        &with("Who goes out behind closed shutters?", RecallOverrides { top_k: Some(1), ..everything() }),
    );
    assert!(!decisions(&storm).iter().any(|decision| decision.detail.contains("list")), "{}", storm.text);
    store(&memory, &ada(), &[said("talk", 1, "- Open the quince jar.\n- Then")], "said");
    store(&memory, &ada(), &[said("talk", 1, "- close the quince jar.")], "later");
    let quince = recall(&memory, &with("quince jar", RecallOverrides { top_k: Some(1), ..everything() }));
    assert!(quince.memories.len() == 1 && decisions(&quince).is_empty(), "{}", quince.text);
}

#[test]
fn i42_what_runs_on_has_its_budget_and_why_not_knows() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, SMALL);
    memory.ingest_text(&ada(), text("one", "lamp.md", &page())).unwrap();
    // Twice as many as are recalled are candidates: the next chunk is none.
    memory.ingest_text(&ada(), text("two", "oven.md", "# Oven\n\nThe cap of the oven is of brass.\n")).unwrap();
    let whole = recall(&memory, &asked(everything()));
    let next = ids(&whole)[1];
    let tokens = u32::try_from(whole.metadata.text_tokens).unwrap();
    let within = |max_tokens| recall(&memory, &asked(RecallOverrides { max_tokens: Some(max_tokens), ..everything() }));
    for max_tokens in (100..=tokens).rev() {
        let result = within(max_tokens);
        assert!(result.metadata.text_tokens <= max_tokens as usize);
        // Whole entries, or none.
        assert!(
            contents(&result)[1..]
                .iter()
                .all(|content| STEPS.iter().any(|step| content.ends_with(&format!("{step}..."))))
        );
        assert_eq!(decisions(&result)[0].action == Action::Kept, result.memories.len() == 2);
    }
    let tight = asked(RecallOverrides { max_tokens: Some(100), ..everything() });
    let why_not = memory.why_not(&[ada()], (&ada(), next), &tight).unwrap();
    assert!(ids(&within(100)).len() == 1, "{}", within(100).text);
    assert_eq!(why_not.stage.map(|stage| stage.name()), Some("continued"), "{why_not:?}");
    assert!(why_not.changes.iter().any(|change| change.setting == "max_tokens"), "{why_not:?}");
}

#[test]
fn i42_what_runs_on_is_redacted_and_a_secret_in_two_chunks_is_not_put_together() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, SMALL);
    memory.ingest_text(&ada(), text("one", "lamp.md", &page())).unwrap();
    let with_pattern = |pattern: &str| {
        let custom_redaction_patterns = vec![pattern.to_owned()];
        recall(
            &memory,
            &asked(RecallOverrides { enable_redaction: Some(true), custom_redaction_patterns, ..everything() }),
        )
    };
    let plain = with_pattern("quince");
    let last = plain.memories[0].content.lines().last().unwrap().trim_start_matches("- ").to_owned();
    let begins = plain.memories[1].content.lines().next().unwrap().to_owned();
    let hidden = with_pattern("whoever comes");
    assert!(hidden.text.contains("- Wake up [REDACTED] next."), "{}", hidden.text);
    let across = with_pattern(&format!("{last}\\n{begins}"));
    assert!(across.memories.len() == 1 && decisions(&across).is_empty(), "{}", across.text);
}

#[test]
fn i42_what_runs_on_is_that_of_the_version_and_a_filter_and_forgetting_hold() {
    let (clock, shared) = set_clock();
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_at(&database, SMALL, shared);
    memory.ingest_text(&ada(), text("one", "lamp.md", &page())).unwrap();
    let then = recall(&memory, &asked(everything()));
    let at = Timestamp::from_micros(clock.fetch_add(60, Ordering::Relaxed) * 1_000_000);
    memory.ingest_text(&ada(), text("two", "lamp.md", &page().replace(STEPS[7], "- Wake up nobody."))).unwrap();
    let now = recall(&memory, &asked(everything()));
    assert!(now.text.contains("- Wake up nobody.") && !now.text.contains(STEPS[7]), "{}", now.text);
    let as_of = recall(&memory, &RecallRequest { as_of: Some(at), asked_at: Some(at), ..asked(everything()) });
    assert_eq!((as_of.text, as_of.memories), (then.text.clone(), then.memories.clone()));
    let quoted = recall(&memory, &RecallRequest { query: "\"brass cap\"".to_owned(), ..asked(everything()) });
    assert!(quoted.memories.len() == 1 && decisions(&quoted).is_empty(), "only what has the quoted words");
    let receipt = then.receipt.as_deref().unwrap();
    assert!(memory.why(&ada(), receipt).unwrap().identical, "though the document has changed");
    memory.forget(&ada(), &ForgetRequest::Items(vec![ids(&then)[1]]), false, &operation("forget")).unwrap();
    assert!(memory.why(&ada(), receipt).is_err(), "it showed what was forgotten");
}
