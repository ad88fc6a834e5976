//! One suite, the same cases on the three databases, and after each case the same rows.

use crate::{ada, file, ingest, open_with, operation, request, text};
use recordar::document::{Attributes, FileReport, FileStatus};
use recordar::forget::ForgetRequest;
use recordar::item::{Importance, Metadata, Role};
use recordar::{Message, Recordar, SpaceName, Timestamp};
use recordar_testkit::{Engine, TestDatabase};
use std::fs;
use std::path::Path;

/// Runs a case on every database, each empty, with the same files, and compares the rows it leaves.
fn agree_with(toml: &str, case: impl Fn(&Recordar, &Path)) {
    let mut expected: Option<Vec<String>> = None;
    // One folder for the three, so that paths and times of files are the same.
    let parent = tempfile::tempdir().unwrap();
    let files = parent.path().join("files");
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, toml);
        if files.exists() {
            fs::remove_dir_all(&files).unwrap();
        }
        fs::create_dir(&files).unwrap();
        case(&memory, &files);
        let rows = memory.raw().unwrap().lines();
        match &expected {
            None => expected = Some(rows),
            Some(expected) => assert_eq!(expected, &rows, "{engine:?} has other rows than SQLite"),
        }
    }
}

pub(crate) fn agree(case: impl Fn(&Recordar, &Path)) {
    agree_with("", case);
}

/// Writes a file whose time of change is the same in every run.
fn put(folder: &Path, name: &str, content: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_600_000_000);
    fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
}

fn prose(sentences: usize) -> String {
    (0..sentences).map(|i| format!("Sentence number {i} tells of the sea and of the light. ")).collect()
}

#[test]
fn b1_c1_a_folder_becomes_documents_with_their_manifest() {
    agree(|memory, folder| {
        put(folder, "a.txt", &prose(200));
        put(folder, "sub/b.md", "# Title\n\ntext\n\n## Part\n\nmore\n");
        put(folder, "c.json", r#"{"a": [1, 2], "b": {"c": null}}"#);
        put(folder, "d.yml", "a:\n  - 1\n");
        put(folder, "e.png", "not ours");
        put(folder, "ignored.txt", "no");
        put(folder, ".gitignore", "ignored.txt\n");
        let mut folder_request = request("op", &[folder]);
        let metadata = Metadata::from_json(r#"{"project": "light"}"#).unwrap();
        folder_request.attributes =
            Attributes::new(["docs"], Some("sea".into()), Some("a note".into()), Some("ada".into()), metadata).unwrap();
        let report = ingest(memory, &folder_request);
        assert_eq!((report.totals.added, report.totals.failed), (4, 0), "{:?}", report.files);
        let documents = memory.documents(&ada()).unwrap();
        assert_eq!(documents.len(), 4);
        let first = &documents[0];
        assert!(first.path.starts_with('/') && first.path.ends_with("a.txt"));
        assert_eq!((first.kind, first.filename.as_str()), ("file_ingest", "a.txt"));
        assert_eq!(first.version.attributes.tags(), ["file_ingest", "docs"]);
        assert_eq!(first.version.mtime, Some(Timestamp::parse("2020-09-13T12:26:40Z").unwrap()));
        let shown = memory.document_text(&ada(), "a.txt", None).unwrap();
        assert!(shown.verified && shown.text == prose(200));
        assert!(shown.chunks.len() > 3);
        let stages: Vec<&str> = report.trace.stages.iter().map(|stage| stage.name.as_str()).collect();
        assert_eq!(stages, ["load", "manifest", "chunk", "helper", "classify", "store"]);
        let dropped = report.trace.stages[0].decisions.iter().find(|decision| decision.reason == "other_type");
        assert!(dropped.unwrap().subject.ends_with("e.png"));
    });
}

#[test]
fn c1_every_change_is_a_version_also_a_return_to_earlier_content() {
    agree(|memory, folder| {
        let path = folder.join("a.md");
        for (round, (content, status)) in [
            ("first", FileStatus::Added),
            ("first", FileStatus::Unchanged),
            ("second", FileStatus::Updated),
            ("first", FileStatus::Updated),
        ]
        .into_iter()
        .enumerate()
        {
            put(folder, "a.md", content);
            let report = ingest(memory, &request(&format!("op{round}"), &[&path]));
            assert_eq!(report.files[0].status, status, "round {round}");
        }
        let versions = memory.document_versions(&ada(), "a.md").unwrap();
        assert_eq!(versions.iter().map(|version| version.number).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(versions.iter().map(|version| version.live).collect::<Vec<_>>(), [false, false, true]);
        for (number, content) in [(1, "first"), (2, "second"), (3, "first")] {
            assert_eq!(memory.document_text(&ada(), "a.md", Some(number)).unwrap().text, content);
        }
        let diff = memory.document_diff(&ada(), "a.md", Some(1), Some(2)).unwrap();
        assert_eq!((diff.added_lines, diff.removed_lines), (1, 1));
    });
}

#[test]
fn i20_unchanged_content_takes_new_attributes_and_force_stores_a_version() {
    agree(|memory, folder| {
        put(folder, "a.md", "text");
        let path = folder.join("a.md");
        ingest(memory, &request("one", &[&path]));
        let mut tagged = request("two", &[&path]);
        tagged.attributes = Attributes::new(["late"], None, None, None, Metadata::default()).unwrap();
        let report = ingest(memory, &tagged);
        assert_eq!(report.files[0].status, FileStatus::Unchanged);
        assert!(report.files[0].attributes_changed);
        assert_eq!(memory.documents(&ada()).unwrap()[0].version.attributes.tags(), ["file_ingest", "late"]);
        tagged.force = true;
        tagged.operation = operation("three");
        assert_eq!(ingest(memory, &tagged).files[0].version, Some(2));
    });
}

#[test]
fn b1_a_vanished_file_is_reported_and_retired_by_prune() {
    agree(|memory, folder| {
        put(folder, "a.md", "stays");
        put(folder, "sub/b.md", "goes");
        ingest(memory, &request("one", &[folder]));
        fs::remove_file(folder.join("sub/b.md")).unwrap();
        let report = ingest(memory, &request("two", &[folder]));
        assert_eq!(file(&report, "b.md").status, FileStatus::Vanished);
        assert!(memory.documents(&ada()).unwrap().iter().all(|document| document.live));
        // A part of the folder says nothing about the rest of it.
        let part = ingest(memory, &request("three", &[&folder.join("a.md")]));
        assert_eq!(part.files.len(), 1);
        let mut prune = request("four", &[folder]);
        prune.prune = true;
        let mut elsewhere = prune.clone();
        elsewhere.paths = vec![folder.join("sub")];
        let refused = memory.ingest(&ada(), &elsewhere, &mut |_| {}).unwrap_err();
        assert_eq!(refused.code(), "nothing_left", "a folder with nothing in it may be a disk that is not mounted");
        fs::remove_dir(folder.join("sub")).unwrap();
        let missing = ingest(memory, &request("missing", &[&folder.join("sub")]));
        assert_eq!(file(&missing, "b.md").status, FileStatus::Vanished, "a missing folder that is known is no failure");
        let report = ingest(memory, &prune);
        assert_eq!((file(&report, "b.md").status, file(&report, "b.md").retired_chunks), (FileStatus::Retired, 1));
        let gone = memory.document_text(&ada(), "b.md", None).unwrap();
        assert!(!gone.document.live && gone.text == "goes", "retired is not forgotten");
        assert_eq!(
            ingest(memory, &request("still", &[&folder.join("nothing")])).files[0].error.as_ref().unwrap().code,
            "missing"
        );
        put(folder, "sub/b.md", "goes");
        let report = ingest(memory, &request("five", &[folder]));
        assert_eq!(file(&report, "b.md").version, Some(2), "back again, as a new version");
    });
}

#[test]
fn a14_repeating_an_ingestion_changes_nothing() {
    agree(|memory, folder| {
        put(folder, "a.md", "text");
        put(folder, "b.md", "more");
        let first = ingest(memory, &request("same", &[folder]));
        let rows = memory.raw().unwrap().lines();
        let again = ingest(memory, &request("same", &[folder]));
        assert_eq!(memory.raw().unwrap().lines(), rows);
        assert_eq!((again.totals.added, again.totals.repeated), (0, 2));
        for (before, after) in first.files.iter().zip(&again.files) {
            assert_eq!(
                FileReport { repeated: true, warnings: Vec::new(), helper: None, ..before.clone() },
                after.clone(),
                "the first result"
            );
        }
        let parts = memory.operation(&ada(), &operation("same")).unwrap();
        assert_eq!(parts.len(), 3, "an operation of two files, and their place in the tree, is found by its id");
        let mixed_up = memory.remember(&ada(), &[Message::new("x")], &operation("same"));
        assert_eq!(mixed_up.unwrap_err().code(), "operation_reused");
        put(folder, "a.md", "changed meanwhile");
        let changed = ingest(memory, &request("same", &[folder]));
        assert_eq!(file(&changed, "a.md").error.as_ref().unwrap().code, "operation_reused");
        let mut forced = text("text-op", "note", "one");
        forced.force = true;
        memory.ingest_text(&ada(), forced.clone()).unwrap();
        let repeated = memory.ingest_text(&ada(), forced).unwrap();
        assert!(repeated.files[0].repeated && repeated.files[0].version == Some(1));
        let mut other = text("text-op", "note", "two");
        other.force = true;
        assert_eq!(memory.ingest_text(&ada(), other).unwrap_err().code(), "operation_reused");
        let views = memory.operation(&ada(), &operation("text-op")).unwrap();
        assert_eq!((views[0].state.as_str(), views[0].kind.as_str()), ("done", "ingest"));
        let part_of_whole = ingest(memory, &request("text-op", &[&folder.join("b.md")]));
        assert_eq!(part_of_whole.files[0].status, FileStatus::Unchanged, "nothing to write, so nothing to mix up");
    });
}

#[test]
fn b2_recursive_chunks_overlap_and_still_spell_the_text() {
    agree_with("chunking.method = \"recursive\"", |memory, _| {
        memory.ingest_text(&ada(), text("op", "long.txt", &prose(600))).unwrap();
        let shown = memory.document_text(&ada(), "long.txt", None).unwrap();
        assert!(shown.verified);
        assert!(shown.chunks.len() > 3 && shown.chunks[1].overlap > 300);
        assert!(shown.chunks.iter().all(|chunk| chunk.tokens <= 1024));
    });
}

#[test]
fn b2_forgetting_a_chunk_takes_its_bytes_out_of_its_neighbours() {
    agree_with("chunking = { method = \"recursive\", recursive_tokens = 64, recursive_overlap = 30 }", |memory, _| {
        let marked: String = (0..60).map(|i| format!("Marker{i:03} is here. ")).collect();
        memory.ingest_text(&ada(), text("op", "long.txt", &marked)).unwrap();
        let before = memory.document_text(&ada(), "long.txt", None).unwrap();
        let victim = before.chunks[2].clone();
        let request = ForgetRequest::Items(vec![victim.item_id]);
        memory.forget(&ada(), &request, false, &operation("forget")).unwrap();
        let after = memory.document_text(&ada(), "long.txt", None).unwrap();
        assert!(!after.verified);
        assert_eq!(after.document.version.forgotten_chunks, 1);
        let words: Vec<&str> = victim.text.split_whitespace().filter(|word| word.starts_with("Marker")).collect();
        assert!(words.len() > 5);
        for chunk in &after.chunks {
            assert!(words.iter().all(|word| !chunk.text.contains(word)), "{words:?} in {:?}", chunk.text);
        }
        let again = memory.ingest_text(&ada(), text("again", "long.txt", &marked)).unwrap();
        assert_eq!(again.files[0].warnings[0].code, "chunks_forgotten");
        let others = (0..60).map(|i| format!("Marker{i:03}")).filter(|word| !words.contains(&word.as_str()));
        let lost: Vec<String> = others.filter(|word| !after.text.contains(word.as_str())).collect();
        assert!(lost.is_empty(), "{lost:?} were not asked for");
    });
}

#[test]
fn messages_keep_everything_they_came_with() {
    agree(|memory, _| {
        let full = Message {
            text: "The boat is late.".into(),
            thread: Some("harbour".into()),
            title: Some("At the harbour".into()),
            role: Role::Assistant,
            source: Some("external".into()),
            speaker: Some("Ada".to_owned()),
            time: Some(Timestamp::parse("2020-02-29T23:59:59.123456Z").unwrap()),
            importance: Some(Importance::new(0.123456).unwrap()),
            metadata: Metadata::from_json(r#"{"z": 1, "a": [true, null, 1.5]}"#).unwrap(),
            ..Message::new("")
        };
        let later =
            Message { thread: Some("harbour".into()), title: Some("Renamed".into()), ..Message::new("It came.") };
        let batch = [full, Message::new("No thread at all."), later];
        let remembered = memory.remember(&ada(), &batch, &operation("batch")).unwrap();
        assert_eq!(remembered.items.len(), 3);
        assert_eq!(remembered.revision, 1, "a batch shares one revision");
        let again = memory.remember(&ada(), &batch, &operation("batch")).unwrap();
        assert!(again.repeated && again.items == remembered.items);
        assert_eq!(
            memory.remember(&ada(), &[Message::new("x")], &operation("batch")).unwrap_err().code(),
            "operation_reused"
        );
        let rows = memory.raw().unwrap().lines().join("\n");
        assert!(rows.contains(r#""{\"a\":[true,null,1.5],\"z\":1}""#) && rows.contains("123456"), "{rows}");
        assert!(rows.contains("\"Renamed\"") && !rows.contains("At the harbour"));
    });
}

#[test]
fn forgetting_removes_what_was_asked_for_and_says_so() {
    agree(|memory, folder| {
        put(folder, "a.md", "one");
        ingest(memory, &request("one", &[folder]));
        put(folder, "a.md", "two");
        ingest(memory, &request("two", &[folder]));
        let talk = Message { thread: Some("t".into()), ..Message::new("talk") };
        memory.remember(&ada(), &[talk, Message::new("note")], &operation("three")).unwrap();
        let space = SpaceName::user("bob").unwrap();
        memory.remember(&space, &[Message::new("bob's")], &operation("three")).unwrap();

        let document = ForgetRequest::Document(folder.join("a.md").display().to_string());
        let before = memory.raw().unwrap().lines();
        let dry = memory.forget(&ada(), &document, true, &operation("dry")).unwrap();
        assert_eq!(memory.raw().unwrap().lines(), before, "a dry run changes nothing");
        let done = memory.forget(&ada(), &document, false, &operation("four")).unwrap();
        assert_eq!(dry.forgotten, done.forgotten);
        assert_eq!((done.forgotten.documents, done.forgotten.versions, done.forgotten.chunks), (1, 2, 2));
        let again = memory.forget(&ada(), &document, false, &operation("four")).unwrap();
        assert!(again.repeated && again.forgotten == done.forgotten);
        assert_eq!(memory.forget(&ada(), &document, false, &operation("five")).unwrap_err().code(), "not_found");
        memory.ingest_text(&ada(), text("other", "other.md", "other")).unwrap();
        let other = ForgetRequest::Document("other.md".into());
        let reused = memory.forget(&ada(), &other, false, &operation("four")).unwrap_err();
        assert_eq!(reused.code(), "operation_reused", "the id of one forgetting does not cover another");
        memory.forget(&ada(), &other, false, &operation("four-b")).unwrap();

        assert_eq!(memory.threads(&ada()).unwrap()[0].name, "t");
        assert_eq!(memory.messages(&ada(), Some("t")).unwrap()[0].text, "talk");
        assert_eq!(memory.messages(&ada(), None).unwrap()[0].text, "note");
        let thread = memory.forget(&ada(), &ForgetRequest::Thread("t".into()), false, &operation("six")).unwrap();
        assert_eq!((thread.forgotten.threads, thread.forgotten.messages), (1, 1));
        let all = memory.forget(&ada(), &ForgetRequest::Space, false, &operation("seven")).unwrap();
        assert_eq!(all.forgotten.messages, 1);
        assert_eq!(memory.spaces().unwrap(), ["user:bob"]);
        let late = memory.remember(&ada(), &[Message::new("note")], &operation("three")).unwrap();
        assert!(late.repeated, "a late repetition does not bring anything back");
        assert_eq!(memory.spaces().unwrap(), ["user:bob"]);
        let missing = memory.forget(&ada(), &ForgetRequest::Space, false, &operation("eight"));
        assert_eq!(missing.unwrap_err().code(), "not_found");
    });
}

#[test]
fn spaces_never_see_each_other() {
    agree(|memory, _| {
        let bob = SpaceName::user("bob").unwrap();
        memory.ingest_text(&ada(), text("op", "same-name", "ada's text")).unwrap();
        memory.ingest_text(&bob, text("op", "same-name", "bob's text")).unwrap();
        assert_eq!(memory.document_text(&ada(), "same-name", None).unwrap().text, "ada's text");
        assert_eq!(memory.document_text(&bob, "same-name", None).unwrap().text, "bob's text");
        let id = memory.documents(&bob).unwrap()[0].document_id;
        memory.ingest_text(&bob, text("number", &id.to_string(), "named by a number")).unwrap();
        let ambiguous = memory.document_text(&bob, &id.to_string(), None).unwrap_err();
        assert!(ambiguous.remedy().contains("id:"), "{}", ambiguous.remedy());
        assert_eq!(memory.document_text(&bob, &format!("id:{id}"), None).unwrap().text, "bob's text");
        memory.forget(&bob, &ForgetRequest::Document(format!("id:{id}")), false, &operation("forget")).unwrap();
        assert_eq!(memory.documents(&ada()).unwrap().len(), 1);
    });
}
