//! The contextual helper of a source: made once, kept, given by the user, asked for (R2B).

use crate::classifying::put;
use crate::tree_model::{SHORT_CHUNKS, asked, lines, model, with_tree};
use crate::{ada, open_with, operation, text};
use recordar::Recordar;
use recordar::answer::{AskRequest, Route};
use recordar::document::{PlacingRequest, SelectFiles, TextRequest};
use recordar::forget::ForgetRequest;
use recordar::helper::{HelperFields, HelperInput, HelperRequest};
use recordar_testkit::{Engine, TestDatabase};
use serde_json::json;

fn fields() -> HelperFields {
    HelperFields {
        date: "2024-05-31".to_owned(),
        author: "Ada".to_owned(),
        topic: "unknown".to_owned(),
        description: "Letters from the light.".to_owned(),
    }
}

fn given(id: &str, helper: HelperInput, content: &str) -> TextRequest {
    let placing = PlacingRequest { helper: Some(helper), ..PlacingRequest::default() };
    TextRequest { placing, ..text(id, "a.txt", content) }
}

fn shown(memory: &Recordar) -> recordar::helper::HelperView {
    let request = HelperRequest { document: "a.txt".to_owned(), given: None, regenerate: false };
    memory.helper(&ada(), &request, &operation("look")).unwrap()
}

#[test]
fn a6_r2b_1_r2b_4_r2b_5_r2b_10_a_helper_is_made_once_and_stands_in_every_prompt_of_its_source() {
    for engine in Engine::ALL {
        let server = model(|_| None);
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, &with_tree(&server, ""));
        let report = put(&memory, "one", "a.txt", &lines(&[["Land", "Lamp", "Oil"], ["Sea", "Boat", "Sail"]]));
        let expected = "Author: Ada. Topic: Lights. Notes on lights.";
        let helper = report.files[0].helper.clone().unwrap();
        assert_eq!((helper.helper.text.as_str(), helper.origin, helper.reused), (expected, "generated", false));
        assert_eq!(helper.tokens_used, 70, "told with its time and what it took");
        assert!(helper.timestamp.as_micros() > 0);
        put(&memory, "two", "a.txt", &lines(&[["Land", "Lamp", "Wick"]]));
        assert_eq!(asked(&server, "helper").len(), 1, "the next version keeps it");
        for batch in asked(&server, "classify") {
            assert!(batch.user.starts_with(&format!("contextual_helper:\n\"\"\"\n{expected}\n\"\"\"\n")));
        }
        let request = AskRequest { route: Some(Route::Tree), ..AskRequest::new("Where?") };
        memory.ask(&[ada()], &request).unwrap();
        assert!(asked(&server, "answer")[0].user.contains(expected));
        let view = shown(&memory);
        assert_eq!((view.versions.len(), view.helper.unwrap().origin), (1, "generated"));
    }
}

#[test]
fn a6_r2b_2_it_is_derived_from_name_headings_and_the_first_chunks() {
    let server = model(|_| None);
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, ""));
    let content: String =
        (1..=9).map(|number| format!("## Part {number}\n\nNumber {number} is about lamps and oil.\n\n")).collect();
    put(&memory, "one", "north/light.md", &format!("# The Light\n\n{content}"));
    let asked = &asked(&server, "helper")[0].user;
    assert!(asked.starts_with("File name: light.md\nTitle: The Light\nHeadings:\n- The Light"), "{asked}");
    assert!(asked.contains("Number 4 is about") && !asked.contains("Number 9 is about"), "five chunks: {asked}");
    // Or two thousand tokens, whichever comes first.
    let memory =
        open_with(&database, &with_tree(&server, "").replace("chunk_max_tokens = 24", "chunk_max_tokens = 8000"));
    put(&memory, "two", "long.txt", &"lamp ".repeat(7000));
    let beginning = crate::tree_model::asked(&server, "helper").pop().unwrap().user;
    let lamps = beginning.matches("lamp").count();
    assert!((1_900..=2_001).contains(&lamps), "{lamps}");
}

#[test]
fn a6_r2b_3_r2b_6_it_has_at_most_three_hundred_tokens() {
    let server = model(|asked| {
        let summary = "lamp oil ".repeat(110);
        (asked.task == "helper")
            .then(|| json!({"author": "Ada ".repeat(40).trim(), "date": "2024-05-31", "topic": "Oil ".repeat(40).trim(), "summary": summary}))
    });
    let database = TestDatabase::new(Engine::Sqlite);
    let toml = with_tree(&server, "").replace("max_output_tokens = 256", "max_output_tokens = 2048");
    let memory = open_with(&database, &toml);
    let report = put(&memory, "one", "a.txt", &lines(&[["Land", "Lamp", "Oil"]]));
    let helper = report.files[0].helper.clone().unwrap().helper;
    assert!(helper.tokens <= 300 && helper.tokens > 250, "{}", helper.tokens);
    assert!(helper.text.starts_with("Author: Ada") && helper.text.contains("Date: 2024-05-31."));
}

#[test]
fn a6_r2b_7_r2b_7_1_r2b_7_4_without_a_helper_nothing_is_ingested_where_it_is_asked_for() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, "ingest.auto_source_identification = false");
        let error = memory.ingest_text(&ada(), text("one", "a.txt", "The lamp burns.")).unwrap_err();
        assert_eq!(error.code(), "helper_missing");
        for field in ["date", "author", "topic", "description"] {
            assert!(error.to_string().contains(field), "{error}");
        }
        let partly = HelperFields { date: String::new(), ..fields() };
        let error = memory.ingest_text(&ada(), given("two", HelperInput::Fields(partly), "x")).unwrap_err();
        assert!(error.to_string().contains("is missing date"), "{error}");
        assert!(memory.spaces().unwrap().is_empty(), "nothing was written");
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("b.txt"), "x").unwrap();
        let request = crate::request("three", &[folder.path()]);
        assert_eq!(memory.sources_to_ask_about(&ada(), &request.paths, &SelectFiles::default()).unwrap().len(), 1);
        assert_eq!(memory.ingest(&ada(), &request, &mut |_| {}).unwrap_err().code(), "helper_missing");
        let stored =
            memory.ingest_text(&ada(), given("four", HelperInput::Fields(fields()), "The lamp burns.")).unwrap();
        assert_eq!(stored.totals.added, 1);
        // It is known now.
        memory.ingest_text(&ada(), text("five", "a.txt", "The lamp burns oil.")).unwrap();
    }
}

#[test]
fn a6_r2b_7_2_r2b_7_3_r2b_7_5_r2b_7_6_a_preview_says_what_it_would_be_or_what_is_wrong() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "");
    let preview = |fields: HelperFields| memory.preview_helper(&HelperInput::Fields(fields));
    let shown = preview(fields()).unwrap();
    assert_eq!(shown.text, "Author: Ada. Date: 2024-05-31. Letters from the light.");
    assert!(shown.tokens > 10 && shown.tokens < 30);
    let date = preview(HelperFields { date: "May".to_owned(), ..fields() }).unwrap_err();
    assert!(date.to_string().contains("\"May\" is not a valid date") && date.remedy().contains("ISO 8601"));
    let long = preview(HelperFields { description: "lamp ".repeat(201), ..fields() }).unwrap_err();
    assert!(long.to_string().contains("201 tokens; the limit is 200"), "{long}");
    let whole = memory.preview_helper(&HelperInput::Text("lamp ".repeat(301))).unwrap_err();
    assert!(whole.to_string().contains("the limit is 300"), "{whole}");
}

#[test]
fn a6_r2b_7_7_r2b_8_the_users_helper_wins_and_is_marked() {
    let server = model(|_| None);
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, ""));
    let content = lines(&[["Land", "Lamp", "Oil"]]);
    put(&memory, "one", "a.txt", &content);
    let report = memory.ingest_text(&ada(), given("two", HelperInput::Fields(fields()), &content)).unwrap();
    assert_eq!(report.totals.unchanged, 1, "also where the text is unchanged");
    let view = shown(&memory);
    assert_eq!((view.helper.as_ref().unwrap().origin, view.versions.len()), ("user", 2));
    // Neither a new version nor making it anew takes it away.
    let placing = PlacingRequest { regenerate_helper: true, ..PlacingRequest::default() };
    let more = lines(&[["Land", "Lamp", "Oil"], ["Sea", "Boat", "Sail"]]);
    let report = memory.ingest_text(&ada(), TextRequest { placing, ..text("three", "a.txt", &more) }).unwrap();
    assert_eq!(report.files[0].helper.as_ref().unwrap().origin, "user");
    assert!(asked(&server, "classify").last().unwrap().user.contains("Letters from the light."));
}

#[test]
fn a6_r2b_9_it_can_be_made_anew() {
    let count = std::sync::atomic::AtomicUsize::new(1);
    let server = model(move |asked| {
        let number = || count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        (asked.task == "helper")
            .then(|| json!({"author": "unknown", "date": "unknown", "topic": "unknown", "summary": format!("Number {}.", number())}))
    });
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &with_tree(&server, ""));
    put(&memory, "one", "a.txt", &lines(&[["Land", "Lamp", "Oil"]]));
    let request = HelperRequest { document: "a.txt".to_owned(), given: None, regenerate: true };
    let view = memory.helper(&ada(), &request, &operation("anew")).unwrap();
    assert_eq!(view.helper.unwrap().helper.text, "Number 2.");
    assert_eq!(view.versions.iter().map(|version| version.is_live).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn a6_r2b_9_it_is_made_for_whoever_asks_for_it_also_where_sources_are_asked_about() {
    let database = TestDatabase::new(Engine::Sqlite);
    put(&open_with(&database, "tree.classify = false"), "one", "a.txt", "The lamp burns oil at night.");
    let memory = open_with(&database, "ingest.auto_source_identification = false");
    memory.classify(&ada(), &operation("classify")).unwrap();
    assert!(shown(&memory).helper.is_none(), "nobody asked for one");
    let request = HelperRequest { document: "a.txt".to_owned(), given: None, regenerate: true };
    let view = memory.helper(&ada(), &request, &operation("make")).unwrap();
    assert_eq!(view.helper.unwrap().origin, "generated");
}

#[test]
fn a6_a_helper_is_forgotten_with_its_document() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, SHORT_CHUNKS);
        put(&memory, "one", "a.txt", "The secret affair of the keeper is known to nobody.\n");
        assert!(memory.raw().unwrap().lines().iter().any(|row: &String| row.contains("helper")));
        let report =
            memory.forget(&ada(), &ForgetRequest::Document("a.txt".to_owned()), false, &operation("gone")).unwrap();
        assert_eq!(report.forgotten.helpers, 1);
        assert!(!memory.raw().unwrap().lines().iter().any(|row: &String| row.to_lowercase().contains("affair")));
    }
}
