//! Standing texts of a space (B9, CH-03.3), items that a person marked as important (CH-05), and the versions of documents that items are
//! about (CH-03.5, CH-03.9).

use crate::calling::call;
use crate::conformance::agree;
use crate::transfer::{check_round_trip, export, import};
use crate::{ada, open, open_at, open_with, operation, set_clock, text};
use recordar::forget::ForgetRequest;
use recordar::item::{ItemName, StoredItem};
use recordar::standing::{StandingText, StandingTextView};
use recordar::transfer::ExportScope;
use recordar::{Error, Message, Recordar, SpaceName, Timestamp};
use recordar_testkit::{Engine, TestDatabase};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

const KEY: &str = "sk-test-5ecre7";

fn set(memory: &Recordar, kind: StandingText, text: &str, id: &str) -> (i64, bool, bool) {
    let set = memory.set_standing_text(&ada(), kind, text, &operation(id)).unwrap();
    (set.version, set.changed, set.repeated)
}

fn current(memory: &Recordar, kind: StandingText) -> StandingTextView {
    memory.standing_text(&ada(), kind, None, None).unwrap()
}

fn item(memory: &Recordar, id: i64) -> StoredItem {
    memory.item(&ada(), &ItemName::Number(id)).unwrap()
}

fn about(name: &str, words: &str) -> Message {
    Message { about: vec![name.to_owned()], ..Message::new(words) }
}

fn store(memory: &Recordar, message: Message, id: &str) -> Result<i64, Error> {
    Ok(memory.remember(&ada(), &[message], &operation(id))?.items[0])
}

fn documents(item: &StoredItem) -> Vec<(&str, i64)> {
    item.about.iter().map(|about| (about.document.as_str(), about.version)).collect()
}

fn rows(memory: &Recordar, table: &str) -> usize {
    let start = format!("{table} ");
    memory.raw().unwrap().lines().iter().filter(|line| line.starts_with(&start)).count()
}

#[test]
fn b9_standing_texts_are_kept_in_versions() {
    agree(|memory, _| {
        let (rules, project) = (StandingText::Rules, StandingText::Project);
        assert_eq!(set(memory, rules, "Answer in English.", "one"), (1, true, false));
        assert_eq!(set(memory, project, "A lighthouse.", "two"), (1, true, false), "each kind counts its own versions");
        assert_eq!(set(memory, rules, "Answer in English.", "three"), (1, false, false), "nothing is written");
        assert_eq!(set(memory, rules, "Answer in English.\nCite every source.\n", "four"), (2, true, false));
        assert_eq!(set(memory, rules, "", "five"), (3, true, false), "an empty text takes their place");
        assert_eq!(set(memory, rules, "Answer in English.", "six"), (4, true, false));
        assert_eq!(set(memory, rules, "Answer in English.", "one"), (1, true, true), "done once");
        let other = memory.set_standing_text(&ada(), rules, "Something else.", &operation("one")).unwrap_err();
        assert_eq!(other.code(), "operation_reused");
        let history = memory.standing_text_history(&ada(), rules).unwrap().versions;
        let shown: Vec<(i64, &str)> = history.iter().map(|view| (view.version, view.text.as_str())).collect();
        let expected = [
            (4, "Answer in English."),
            (3, ""),
            (2, "Answer in English.\nCite every source.\n"),
            (1, "Answer in English."),
        ];
        assert_eq!(shown, expected);
        assert!(history.is_sorted_by(|newer, older| newer.set_at > older.set_at));
        assert_eq!(history[0], current(memory, rules));
        assert_eq!(history[0].tokens, 4);
        let second = memory.standing_text(&ada(), rules, Some(2), None).unwrap();
        assert_eq!(second, history[2]);
        let absent = memory.standing_text(&ada(), rules, Some(5), None).unwrap_err();
        assert!(absent.to_string().contains("no version 5 of the rules of space user:ada"), "{absent}");
    });
}

#[test]
fn b9_a_space_without_standing_texts_has_empty_ones() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    for kind in StandingText::ALL {
        let view = current(&memory, kind);
        assert_eq!((view.version, view.text.as_str(), view.set_at), (0, "", None));
        assert_eq!(memory.standing_text_history(&ada(), kind).unwrap().versions, []);
        let difference = memory.standing_text_diff(&ada(), kind, None, None).unwrap();
        assert_eq!((difference.from, difference.to, difference.diff.as_str()), (0, 0, ""));
        assert_eq!(set(&memory, kind, "", kind.name()), (0, false, false));
    }
    assert_eq!(memory.spaces().unwrap(), [""; 0], "no space was made");
}

#[test]
fn b9_a_diff_compares_two_versions() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    set(&memory, StandingText::Rules, "Answer in English.\nBe brief.\n", "one");
    set(&memory, StandingText::Rules, "Answer in English.\nCite every source.\n", "two");
    let diff = |from, to| memory.standing_text_diff(&ada(), StandingText::Rules, from, to).map(|found| found.diff);
    let newest = "--- rules (version 1)\n+++ rules (version 2)\n@@ -1,2 +1,2 @@\n Answer in English.\n-Be brief.\n+Cite every source.\n";
    assert_eq!(diff(None, None).unwrap(), newest);
    assert_eq!(diff(Some(1), Some(2)).unwrap(), newest);
    assert!(diff(None, Some(1)).unwrap().contains("+Be brief."), "before the first there was nothing");
    assert!(diff(Some(2), Some(1)).unwrap().contains("+Be brief."), "backwards, too");
    assert_eq!(diff(Some(2), Some(2)).unwrap(), "");
    for wrong in [Some(3), Some(-1)] {
        assert_eq!(diff(wrong, None).unwrap_err().code(), "not_found");
    }
}

#[test]
fn b9_as_of_a_time_the_text_of_then_is_shown() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let (seconds, clock) = set_clock();
        let memory = open_at(&database, "", clock);
        let start = seconds.load(Ordering::Relaxed);
        for (step, words) in ["The first.", "The second.", ""].iter().enumerate() {
            seconds.store(start + 10 * step as i64, Ordering::Relaxed);
            set(&memory, StandingText::Project, words, &format!("set-{step}"));
        }
        let at = |seconds: i64| {
            let time = Timestamp::from_micros((start + seconds) * 1_000_000);
            memory.standing_text(&ada(), StandingText::Project, None, Some(time)).unwrap()
        };
        let shown = [-1, 0, 9, 10, 20, 99].map(|seconds| (at(seconds).version, at(seconds).text));
        let expected = [(0, ""), (1, "The first."), (1, "The first."), (2, "The second."), (3, ""), (3, "")];
        assert_eq!(shown, expected.map(|(version, text)| (version, text.to_owned())), "{engine:?}");
        let both = memory.standing_text(&ada(), StandingText::Project, Some(1), Some(Timestamp::from_micros(0)));
        assert!(both.unwrap_err().to_string().contains("both a version and a time"));
    }
}

#[test]
fn b9_a_text_that_cannot_be_kept_is_refused_with_a_reason() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let check = |kind: &str, text: &str, what: &str| {
        let error = call(&memory, "set_standing_text", json!({"kind": kind, "text": text})).unwrap_err();
        assert!(error.to_string().contains(what) && !error.remedy().is_empty(), "{error}");
        assert_eq!(error.code(), "invalid");
    };
    check("rules", "a\0b", "the text of the rules contains a NUL");
    check("project", "  \n", "the text of the project is empty");
    check("rules", &"x".repeat(256 * 1024 + 1), "the limit is 262144");
    check("laws", "x", "kind must be one of rules, project, synonyms");
    assert!(memory.spaces().unwrap().is_empty(), "nothing was written");
}

#[test]
fn ch_03_3_synonyms_are_lines_of_words() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let text = "# of cars\nNVH = vehicle acoustics\n";
    assert_eq!(set(&memory, StandingText::Synonyms, text, "one"), (1, true, false));
    assert_eq!(current(&memory, StandingText::Synonyms).text, text);
    let error = memory.set_standing_text(&ada(), StandingText::Synonyms, "a = b\nNVH", &operation("two")).unwrap_err();
    assert!(error.to_string().contains("line 2") && error.remedy().contains("NVH = vehicle acoustics"), "{error}");
}

#[test]
fn e5_standing_texts_are_shown_without_what_redaction_takes_out() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory =
        open_with(&database, "[recall]\nenable_redaction = true\ncustom_redaction_patterns = ['sk-test-[0-9a-z]+']");
    set(&memory, StandingText::Rules, &format!("The key is {KEY}."), "one");
    memory.ingest_text(&ada(), text("doc", &format!("{KEY}.md"), "The gate.")).unwrap();
    let said = store(&memory, about(&format!("{KEY}.md"), "It is open."), "said").unwrap();
    let kind = json!({"kind": "rules"});
    for verb in ["standing_text", "standing_text_history", "standing_text_diff"] {
        let reply = call(&memory, verb, kind.clone()).unwrap().to_string();
        assert!(reply.contains("The key is [REDACTED].") && !reply.contains(KEY), "{verb}: {reply}");
    }
    let shown = call(&memory, "item", json!({"item": said})).unwrap();
    assert_eq!(shown["about"][0]["document"], "[REDACTED].md");
    let mut redacted = Vec::new();
    memory.export_redacted(&ExportScope::Store, &mut redacted).unwrap();
    let redacted = String::from_utf8(redacted).unwrap();
    assert!(redacted.contains("standing_texts") && !redacted.contains(KEY));
    drop(memory);
    assert!(current(&open(&database), StandingText::Rules).text.contains(KEY), "what is stored is exact");
}

#[test]
fn ch_05_an_item_is_marked_as_important_and_no_longer() {
    agree(|memory, _| {
        let plain = store(memory, Message::new("The lens is new."), "plain").unwrap();
        let own = Message { id: Some("bell".to_owned()), ..Message::new("The bell is polished in May.") };
        let own = store(memory, own, "own").unwrap();
        let mark = |name: &ItemName, is_important: bool, id: &str| {
            let marked = memory.mark_important(&ada(), name, is_important, &operation(id)).unwrap();
            (marked.item, marked.important, marked.changed, marked.repeated)
        };
        let (by_number, by_own_id) = (ItemName::Number(plain), ItemName::OwnId("bell".to_owned()));
        assert_eq!(mark(&by_number, false, "no"), (plain, false, false, false), "it was not marked");
        assert_eq!(mark(&by_number, true, "a"), (plain, true, true, false));
        assert_eq!(mark(&by_number, true, "again"), (plain, true, false, false));
        assert_eq!(mark(&by_number, true, "a"), (plain, true, true, true), "done once");
        assert_eq!(mark(&by_own_id, true, "b"), (own, true, true, false));
        assert!(item(memory, plain).important && item(memory, own).important);
        assert_eq!(mark(&by_number, false, "off"), (plain, false, true, false));
        assert!(!item(memory, plain).important);
        for missing in [ItemName::Number(999), ItemName::OwnId("none".to_owned())] {
            let error = memory.mark_important(&ada(), &missing, true, &operation("x")).unwrap_err();
            assert_eq!(error.code(), "not_found", "{error}");
        }
        let nobody = SpaceName::user("nobody").unwrap();
        let error = memory.mark_important(&nobody, &by_number, true, &operation("x")).unwrap_err();
        assert_eq!(error.code(), "not_found", "{error}");
    });
}

#[test]
fn ch_05_what_takes_the_place_of_an_important_item_is_important() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open(&database);
        let bell = |words: &str| Message { id: Some("bell".to_owned()), ..Message::new(words) };
        let first = store(&memory, bell("It is polished in May."), "one").unwrap();
        memory.mark_important(&ada(), &ItemName::Number(first), true, &operation("mark")).unwrap();
        let second = store(&memory, bell("It is polished in June."), "two").unwrap();
        assert!(item(&memory, second).important, "{engine:?}: replaced under its own id");
        let change = json!({"item": second, "text": "It is polished in July."});
        let third = call(&memory, "update", change).unwrap()["item_id"].as_i64().unwrap();
        assert!(item(&memory, third).important, "{engine:?}: changed");
        let retired = memory.mark_important(&ada(), &ItemName::Number(first), false, &operation("late")).unwrap_err();
        assert!(retired.to_string().contains("is retired") && retired.remedy().contains("item history"), "{retired}");
    }
}

#[test]
fn ch_03_5_an_item_carries_the_versions_that_it_is_about() {
    agree(|memory, _| {
        memory.ingest_text(&ada(), text("d1", "guide.md", "The lamp burns oil.")).unwrap();
        memory.ingest_text(&ada(), text("e1", "notes/plan.md", "A new lens in May.")).unwrap();
        let first = store(memory, about("guide.md", "Oil is expensive."), "first").unwrap();
        memory.ingest_text(&ada(), text("d2", "guide.md", "The lamp is electric.")).unwrap();
        let both = Message {
            about: ["plan.md", "guide.md", "notes/plan.md"].map(str::to_owned).to_vec(),
            ..Message::new("No oil is needed.")
        };
        let second = store(memory, both, "second").unwrap();
        assert_eq!(documents(&item(memory, first)), [("guide.md", 1)], "the version of then");
        assert_eq!(documents(&item(memory, second)), [("guide.md", 2), ("notes/plan.md", 1)], "each document once");
        let listed = call(memory, "items", json!({"kind": "message"})).unwrap();
        assert_eq!(listed["items"][0]["about"], json!([{"document": "guide.md", "version": 1}]));
        let plain = store(memory, Message::new("It rains."), "plain").unwrap();
        let shown = call(memory, "item", json!({"item": plain})).unwrap();
        assert_eq!((shown.get("about"), shown.get("important")), (None, None));
        let change = json!({"item": first, "text": "Oil is cheap."});
        let changed = call(memory, "update", change).unwrap()["item_id"].as_i64().unwrap();
        assert_eq!(documents(&item(memory, changed)), [("guide.md", 1)], "a change keeps them");
    });
}

#[test]
fn ch_03_5_what_is_not_a_stored_document_is_refused_and_nothing_is_stored() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let error = store(&memory, about("guide.md", "Oil."), "one").unwrap_err();
    assert_eq!(error.code(), "invalid");
    let what = "\"guide.md\" is not a stored document of space user:ada; nothing was stored";
    assert!(error.to_string().contains(what) && error.remedy().contains("doc list"), "{error}");
    assert!(memory.spaces().unwrap().is_empty());
    for name in ["a/guide.md", "b/guide.md"] {
        memory.ingest_text(&ada(), text(name, name, "x")).unwrap();
    }
    let several = store(&memory, about("guide.md", "Oil."), "one").unwrap_err();
    assert!(several.to_string().contains("several documents are named"), "{several}");
    let check = |about: Value, what: &str| {
        let message = json!({"text": "Oil.", "about": about});
        let error = call(&memory, "remember", json!({"messages": [message]})).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
    };
    check(json!("guide.md"), "must be a list");
    check(json!(["  "]), "is empty");
    check(json!(vec!["a/guide.md"; 101]), "the limit is 100");
    assert_eq!(rows(&memory, "abouts"), 0);
}

#[test]
fn ch_03_5_the_same_message_under_its_own_id_stays_as_it_was() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    memory.ingest_text(&ada(), text("d1", "guide.md", "The lamp burns oil.")).unwrap();
    memory.ingest_text(&ada(), text("e1", "plan.md", "A new lens.")).unwrap();
    let message = |names: &[&str]| Message {
        id: Some("oil".to_owned()),
        about: names.iter().map(|name| (*name).to_owned()).collect(),
        ..Message::new("Oil is expensive.")
    };
    let first = store(&memory, message(&["guide.md"]), "one").unwrap();
    memory.ingest_text(&ada(), text("d2", "guide.md", "The lamp is electric.")).unwrap();
    assert_eq!(store(&memory, message(&["guide.md"]), "two").unwrap(), first);
    assert_eq!(documents(&item(&memory, first)), [("guide.md", 1)]);
    let other = store(&memory, message(&["plan.md"]), "three").unwrap();
    assert_ne!(other, first);
    assert_eq!(documents(&item(&memory, other)), [("plan.md", 1)]);
    assert_eq!(item(&memory, store(&memory, message(&[]), "four").unwrap()).about, []);
}

#[test]
fn ch_03_9_forgetting_removes_what_points_to_the_forgotten() {
    agree(|memory, _| {
        let forget = |what: ForgetRequest, id: &str| memory.forget(&ada(), &what, false, &operation(id)).unwrap();
        memory.ingest_text(&ada(), text("d1", "guide.md", "The lamp burns oil.")).unwrap();
        memory.ingest_text(&ada(), text("e1", "plan.md", "A new lens.")).unwrap();
        let of_guide = store(memory, about("guide.md", "Oil is expensive."), "one").unwrap();
        let of_plan = store(memory, about("plan.md", "In May."), "two").unwrap();
        for (id, name) in [(of_guide, "mark-1"), (of_plan, "mark-2")] {
            memory.mark_important(&ada(), &ItemName::Number(id), true, &operation(name)).unwrap();
        }
        forget(ForgetRequest::Items(vec![of_plan]), "forget-item");
        assert_eq!((rows(memory, "abouts"), rows(memory, "important_marks")), (1, 1));
        forget(ForgetRequest::Document("guide.md".to_owned()), "forget-document");
        assert_eq!((rows(memory, "abouts"), rows(memory, "important_marks")), (0, 1));
        let left = item(memory, of_guide);
        assert!(left.important && left.about.is_empty(), "the message stays");
        let kept = memory.raw().unwrap().lines().into_iter().filter(|line| line.starts_with("operations"));
        let digest = |text: &str| recordar_domain::Digest::of(text).to_string();
        assert!(kept.into_iter().all(|line| !line.contains(&digest("guide.md"))));
        for (kind, name) in StandingText::ALL.into_iter().zip(["r", "p", "s"]) {
            set(memory, kind, "a = b", name);
        }
        assert_eq!(rows(memory, "standing_texts"), 3);
        forget(ForgetRequest::Space, "forget-space");
        for table in ["standing_texts", "important_marks", "abouts"] {
            assert_eq!(rows(memory, table), 0, "{table}");
        }
        assert_eq!(current(memory, StandingText::Rules).version, 0);
        assert_eq!(set(memory, StandingText::Rules, "Anew.", "new"), (1, true, false));
    });
}

#[test]
fn b9_texts_marks_and_documents_are_exported_and_imported() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    memory.ingest_text(&ada(), text("d1", "guide.md", "The lamp burns oil.")).unwrap();
    memory.ingest_text(&ada(), text("e1", "plan.md", "A new lens.")).unwrap();
    let said = store(&memory, about("guide.md", "Oil is expensive."), "said").unwrap();
    memory.mark_important(&ada(), &ItemName::Number(said), true, &operation("mark")).unwrap();
    for (number, words) in ["One rule.", "", "Another rule."].into_iter().enumerate() {
        set(&memory, StandingText::Rules, words, &format!("rules-{number}"));
    }
    set(&memory, StandingText::Synonyms, "a = b", "synonyms");
    check_round_trip(&memory);
    let file = export(&memory, &ExportScope::Store);
    for engine in Engine::ALL {
        let target = TestDatabase::new(engine);
        let other = open(&target);
        import(&other, &file).unwrap();
        let versions = |memory: &Recordar| memory.standing_text_history(&ada(), StandingText::Rules).unwrap().versions;
        assert_eq!(versions(&other), versions(&memory), "{engine:?}");
        assert_eq!(item(&other, said), item(&memory, said), "{engine:?}");
    }
    // What no verb would have written is refused.
    let file = String::from_utf8(file).unwrap();
    let other_version = file.lines().filter(|line| line.starts_with("{\"versions\"")).nth(1).unwrap();
    let other_version = other_version.split(&[':', ','][..]).nth(2).unwrap();
    let hint = file.lines().find(|line| line.starts_with("{\"abouts\"")).unwrap();
    let version = hint.split("\"version_id\":").nth(1).unwrap().split(',').next().unwrap();
    let elsewhere = hint.replace(&format!("\"version_id\":{version}"), &format!("\"version_id\":{other_version}"));
    assert_ne!(hint, elsewhere);
    for (old, new, why) in [
        (hint, elsewhere.as_str(), "a row of abouts is inconsistent"),
        ("\"is_important\":1", "\"is_important\":2", "a row of important_marks is inconsistent"),
        ("\"number\":2,\"content\":\"\"", "\"number\":3,\"content\":\"\"", "a row of standing_texts is inconsistent"),
        ("\"content\":\"a = b\"", "\"content\":\"a\"", "a row of standing_texts is inconsistent"),
        (
            "{\"standing_texts\":{\"kind\":3,",
            "{\"standing_texts\":{\"kind\":4,",
            "a row of standing_texts is inconsistent",
        ),
    ] {
        assert!(file.contains(old), "{old}");
        let target = TestDatabase::new(Engine::Sqlite);
        let forged = crate::transfer::with_right_sums(&file.replacen(old, new, 1));
        let error = import(&open(&target), forged.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(why), "{new}: {error}");
    }
}
