//! Documents that move and change: one document for a file, history over renames and roots, versions that cost what changed, and attributes
//! that change without them.

use crate::transfer::{export, import};
use crate::{ada, file, ingest, open, open_at, open_with, operation, request, set_clock, text};
use recordar::document::{Attributes, AttributesChange, CollectionRequest, DocumentView, FileStatus, IngestRequest};
use recordar::forget::ForgetRequest;
use recordar::item::{ItemView, Metadata};
use recordar::search::{Filter, SearchMode, SearchRequest};
use recordar::transfer::ExportScope;
use recordar::{Recordar, Timestamp};
use recordar_testkit::{Engine, Random, TestDatabase};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::atomic::Ordering;

/// The files of a folder, by name.
type Files = BTreeMap<String, String>;

fn write(folder: &Path, files: &Files) {
    if folder.exists() {
        std::fs::remove_dir_all(folder).unwrap();
    }
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

/// A page of a handbook, with headings and paragraphs of its own.
fn page(topic: &str, paragraphs: usize, random: &mut Random) -> String {
    const WORDS: [&str; 12] = [
        "valve", "gasket", "pressure", "the", "manual", "winter", "pump", "inspect", "before", "every", "line",
        "cleaned",
    ];
    let mut page = format!("# {topic}\n\n");
    for number in 0..paragraphs {
        if number % 4 == 0 {
            writeln!(page, "## {topic} part {number}\n").unwrap();
        }
        let word = |_| format!("{}{}", WORDS[random.below(WORDS.len())], random.below(400));
        let words: Vec<String> = (0..60).map(word).collect();
        writeln!(page, "About {topic} in paragraph {number}: {}.\n", words.join(" ")).unwrap();
    }
    page
}

fn tagged(request: IngestRequest, tag: &str) -> IngestRequest {
    let attributes = Attributes::new([tag], None, None, None, Metadata::default()).unwrap();
    IngestRequest { attributes, ..request }
}

fn rooted(request: IngestRequest, root: &Path) -> IngestRequest {
    let collection = CollectionRequest { collection: None, root: Some(root.to_owned()) };
    IngestRequest { collection, prune: true, ..request }
}

fn live_documents(memory: &Recordar) -> BTreeMap<String, DocumentView> {
    let live = memory.documents(&ada()).unwrap().into_iter().filter(|document| document.live);
    live.map(|document| (document.name.clone().unwrap(), document)).collect()
}

fn texts(memory: &Recordar) -> Files {
    let text = |document: &DocumentView| {
        memory.document_text(&ada(), &format!("id:{}", document.document_id), None).unwrap().text
    };
    live_documents(memory).iter().map(|(name, document)| (name.clone(), text(document))).collect()
}

fn found(memory: &Recordar, query: &str, as_of: Option<Timestamp>) -> Vec<ItemView> {
    let request = SearchRequest { as_of, limit: 100, ..SearchRequest::new(query) };
    memory.search(&[ada()], &request).unwrap().hits.into_iter().map(|hit| hit.item).collect()
}

/// Three releases of a handbook, on two roots, with renames, edits, deletions and new pages.
#[test]
fn i20_1_releases_on_two_roots_are_one_library_with_unbroken_history() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let (seconds, clock) = set_clock();
        let memory = open_at(&database, "tree.classify = false", clock);
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap();
        let roots = [base.join("home/handbook"), base.join("work/handbook")];
        let mut random = Random(20);
        let mut release: Files = (0..30)
            .map(|n| (format!("part{}/page-{n}.md", n % 3), page(&format!("topic{n}"), 12, &mut random)))
            .collect();
        let mut releases: Vec<(Timestamp, Files)> = Vec::new();
        let mut ids: BTreeMap<String, i64> = BTreeMap::new();
        for (number, root) in [&roots[0], &roots[1], &roots[0]].into_iter().enumerate() {
            let mut moved: BTreeMap<String, String> = BTreeMap::new();
            if number > 0 {
                for n in 0..4 {
                    let old = release.keys().nth(n * 7 + number).unwrap().clone();
                    let new = format!("guide{number}/renamed-{n}.md");
                    let mut text = release.remove(&old).unwrap();
                    if n % 2 == 1 {
                        text = text.replacen("in paragraph 5:", "in the fifth paragraph, which was edited:", 1);
                    }
                    release.insert(new.clone(), text);
                    moved.insert(new, old);
                }
                let gone = release.keys().find(|name| name.starts_with("part")).unwrap().clone();
                release.remove(&gone);
                release.insert(format!("part0/new-{number}.md"), page(&format!("fresh{number}"), 8, &mut random));
                let edited = release.keys().rfind(|name| name.starts_with("part")).unwrap().clone();
                let text = release.get_mut(&edited).unwrap();
                *text = text.replacen("in paragraph 3:", "in paragraph three:", 1);
            }
            write(root, &release);
            seconds.fetch_add(100, Ordering::Relaxed);
            let id = format!("release-{number}");
            let report = ingest(&memory, &rooted(tagged(request(&id, &[root]), &id), root));
            assert_eq!(report.totals.failed, 0, "{:?}", report.files);
            assert_eq!(report.totals.moved, moved.len() as u64, "{engine:?} {number}: {:?}", report.totals);
            let documents = live_documents(&memory);
            assert_eq!(texts(&memory), release, "{engine:?}: one document a file, exactly this release");
            for (new, old) in &moved {
                assert_eq!(documents[new].document_id, ids[old], "{new} was {old}");
                assert!(documents[new].versions >= 2);
            }
            for document in documents.values() {
                assert_eq!(document.version.attributes.tags(), ["file_ingest", &id], "{}", document.path);
            }
            ids = documents.into_iter().map(|(name, document)| (name, document.document_id)).collect();
            releases.push((Timestamp::from_micros(seconds.load(Ordering::Relaxed) * 1_000_000), release.clone()));
        }
        // As of each release, hits come from that release alone, with its tag and the names of then.
        for (number, (time, release)) in releases.iter().enumerate() {
            for n in [0, 5, 11, 23] {
                let hits = found(&memory, &format!("topic{n} paragraph"), Some(*time));
                assert!(!hits.is_empty());
                for hit in hits {
                    let name = hit.document_name.clone().unwrap();
                    let text = release.get(&name).unwrap_or_else(|| panic!("{name} is not in release {number}"));
                    assert!(text.contains(&hit.text), "release {number}: {name} has no {:?}", hit.text);
                    let tags = hit.stored.metadata["tags"].as_array().unwrap();
                    assert_eq!(tags, &[format!("release-{number}")]);
                }
            }
        }
        // A tag gives its release: as of each, its own tag gives all of it, and those of others nothing.
        for (number, (time, release)) in releases.iter().enumerate() {
            for (tag, is_own) in [(number, true), ((number + 1) % 3, false)] {
                let filter = Filter::parse(&[format!("tag=release-{tag}")]).unwrap();
                let query = SearchRequest::new("about paragraph");
                let request = SearchRequest { as_of: Some(*time), limit: 1000, filter, ..query };
                let hits = memory.search(&[ada()], &request).unwrap().hits;
                let names: BTreeSet<String> = hits.into_iter().filter_map(|hit| hit.item.document_name).collect();
                let all: BTreeSet<String> = release.keys().filter(|_| is_own).cloned().collect();
                assert_eq!(names, all, "{engine:?}: tag {tag} as of release {number}");
            }
        }
        // Names of before still lead to the document, by any of the roots.
        let old = format!("{}/part1/page-1.md", roots[0].display());
        memory.document_text(&ada(), &old, Some(1)).unwrap();
    }
}

#[test]
fn i20_a_version_costs_what_changed() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "tree.classify = false");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.md");
    let mut random = Random(3);
    let first: String = (0..60).map(|n| page(&format!("chapter{n}"), 20, &mut random)).collect();
    // What is stored, without the search index, which is derived.
    let size = || -> usize {
        let lines = memory.raw().unwrap().lines();
        lines.iter().filter(|line| !line.starts_with("segments")).map(String::len).sum()
    };
    std::fs::write(&path, &first).unwrap();
    let chunks = ingest(&memory, &request("one", &[&path])).totals.chunks;
    assert!(chunks > 300, "{chunks}");
    let before = size();
    for round in 0..5 {
        let edited =
            first.replacen(&format!("About chapter{} in paragraph 7", 10 * round + 3), "A line was changed here", 1);
        std::fs::write(&path, &edited).unwrap();
        let report = ingest(&memory, &request(&format!("edit-{round}"), &[&path]));
        let book = file(&report, "book.md");
        assert_eq!((book.status, book.chunks), (FileStatus::Updated, chunks));
        // The line of the round before changes back.
        assert!(book.retired_chunks <= 4 && book.kept_chunks >= chunks - 4, "{book:?}");
        let text = memory.document_text(&ada(), "book.md", None).unwrap();
        assert!(text.verified && text.text == edited);
    }
    assert!(memory.document_text(&ada(), "book.md", Some(1)).unwrap().text == first);
    let grown = size().saturating_sub(before);
    assert!(grown < before / 20, "{grown} bytes for five lines beside {before}");
}

#[test]
fn i20_headings_belong_to_the_version_and_chunks_keep_their_ids() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let (seconds, clock) = set_clock();
        let memory = open_at(&database, "tree.classify = false", clock);
        let mut random = Random(5);
        let book = page("boilers", 40, &mut random);
        memory.ingest_text(&ada(), text("one", "book.md", &book)).unwrap();
        let then = Timestamp::from_micros(seconds.load(Ordering::Relaxed) * 1_000_000);
        let ids = |memory: &Recordar| -> Vec<i64> {
            memory.document_text(&ada(), "book.md", None).unwrap().chunks.iter().map(|chunk| chunk.item_id).collect()
        };
        let before = ids(&memory);
        found(&memory, "boilers part 20", None);
        seconds.fetch_add(10, Ordering::Relaxed);
        let renamed = book.replacen("# boilers\n", "# Furnaces of the north\n", 1);
        memory.ingest_text(&ada(), text("two", "book.md", &renamed)).unwrap();
        assert_eq!(ids(&memory)[1..], before[1..], "{engine:?}: only the first chunk has another text");
        let last = *before.last().unwrap();
        // Another process reads it from the rows; this one adds it to what it has.
        for memory in [&memory, &open_at(&database, "", set_clock().1)] {
            let hits = found(memory, "furnaces of the north", None);
            let hit = hits.iter().find(|hit| hit.item_id == last).unwrap();
            assert!(hit.section.as_deref().unwrap().starts_with("Furnaces of the north"), "{:?}", hit.section);
            assert_eq!(hit.stored.version, Some(2));
            let hits = found(memory, "boilers", Some(then));
            let hit = hits.iter().find(|hit| hit.item_id == last).unwrap();
            assert!(hit.section.as_deref().unwrap().starts_with("boilers"), "{:?}", hit.section);
            assert_eq!(hit.stored.version, Some(1));
            let mode = SearchMode::Keyword;
            let then = SearchRequest { as_of: Some(then), mode, ..SearchRequest::new("furnaces north") };
            assert!(memory.search(&[ada()], &then).unwrap().hits.is_empty());
        }
        let sections = |number| -> BTreeSet<String> {
            let chunks = memory.document_text(&ada(), "book.md", Some(number)).unwrap().chunks;
            chunks.into_iter().filter_map(|chunk| chunk.section).collect()
        };
        assert!(sections(1).iter().all(|section| section.starts_with("boilers")));
        assert!(sections(2).iter().all(|section| section.starts_with("Furnaces")));
    }
}

#[test]
fn i20_neighbours_are_those_of_the_version() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory =
        open_with(&database, "tree.classify = false\nchunking.chunk_min_tokens = 20\nchunking.chunk_max_tokens = 40");
    let paragraph = |n: usize| {
        format!(
            "Paragraph {n} tells of item{n} and of nothing else, at some length, so that it is a chunk by itself, more or less.\n\n"
        )
    };
    let book: String = (0..12).map(paragraph).collect();
    memory.ingest_text(&ada(), text("one", "book.txt", &book)).unwrap();
    let longer = book.replacen(&paragraph(6), &format!("{}{}", paragraph(6), paragraph(70)), 1);
    memory.ingest_text(&ada(), text("two", "book.txt", &longer)).unwrap();
    let fresh = TestDatabase::new(Engine::Sqlite);
    let other =
        open_with(&fresh, "tree.classify = false\nchunking.chunk_min_tokens = 20\nchunking.chunk_max_tokens = 40");
    other.ingest_text(&ada(), text("one", "book.txt", &longer)).unwrap();
    let scores = |memory: &Recordar| -> Vec<(String, String)> {
        let hits = memory.search(&[ada()], &SearchRequest::new("item6 item70")).unwrap().hits;
        hits.into_iter().map(|hit| (hit.item.text, format!("{:.9}", hit.score))).collect()
    };
    assert_eq!(scores(&memory), scores(&other), "a store that was edited finds what a fresh one finds");
}

#[test]
fn i20_attributes_of_an_unchanged_file_are_stored_and_have_a_history() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let (seconds, clock) = set_clock();
        let memory = open_at(&database, "", clock);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.md");
        std::fs::write(&path, "---\ntags: [garden]\n---\n# Bees\n\nBees like lavender.\n").unwrap();
        let tags = |memory: &Recordar, as_of| {
            let hits = found(memory, "lavender", as_of);
            hits[0].stored.metadata.get("tags").cloned().unwrap_or_default()
        };
        ingest(&memory, &tagged(request("one", &[&path]), "0.9.8"));
        let times = [0, 10, 20, 30].map(|more| Timestamp::from_micros((1_700_000_000 + more) * 1_000_000));
        seconds.fetch_add(10, Ordering::Relaxed);
        let report = ingest(&memory, &tagged(request("two", &[&path]), "0.9.9"));
        let notes = file(&report, "notes.md");
        assert_eq!((notes.status, notes.attributes_changed, notes.version), (FileStatus::Unchanged, true, Some(1)));
        assert_eq!(report.totals.attributes_changed, 1);
        let again = ingest(&memory, &tagged(request("three", &[&path]), "0.9.9"));
        assert_eq!(again.totals.attributes_changed, 0, "nothing is written if nothing changes");
        seconds.fetch_add(10, Ordering::Relaxed);
        let change =
            AttributesChange { add_tags: vec!["kept".into()], topic: Some("bees".into()), ..Default::default() };
        let edit = memory.edit_document(&ada(), "notes.md", &change, &operation("tag")).unwrap();
        assert!(edit.changed && edit.document.versions == 1);
        let repeated = memory.edit_document(&ada(), "notes.md", &change, &operation("tag")).unwrap();
        assert!(repeated.repeated);
        seconds.fetch_add(10, Ordering::Relaxed);
        // A new version keeps what was given, and takes from its text what that says of itself now.
        std::fs::write(&path, "---\ntags: [orchard]\n---\n# Bees\n\nBees like lavender and thyme.\n").unwrap();
        ingest(&memory, &request("four", &[&path]));
        for memory in [&memory, &open(&database)] {
            assert_eq!(tags(memory, Some(times[0])), serde_json::json!(["0.9.8", "garden"]));
            assert_eq!(tags(memory, Some(times[1])), serde_json::json!(["0.9.9", "garden"]));
            assert_eq!(tags(memory, Some(times[2])), serde_json::json!(["0.9.9", "garden", "kept"]));
            assert_eq!(tags(memory, None), serde_json::json!(["0.9.9", "kept", "orchard"]));
            assert_eq!(found(memory, "lavender", None)[0].stored.metadata["topic"], "bees");
        }
        let change =
            AttributesChange { remove_tags: vec!["kept".into()], topic: Some(String::new()), ..Default::default() };
        let edit = memory.edit_document(&ada(), "notes.md", &change, &operation("untag")).unwrap();
        let attributes = edit.document.version.attributes;
        assert_eq!((attributes.tags().len(), attributes.topic), (3, None));
    }
}

#[test]
fn i20_another_root_under_the_same_name_is_refused_unless_it_moved() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    let [one, two] = ["a/docs", "b/docs"].map(|name| base.join(name));
    for (root, text) in [(&one, "The first."), (&two, "The second.")] {
        write(root, &Files::from([("page.md".to_owned(), text.to_owned())]));
    }
    ingest(&memory, &request("one", &[&one]));
    let refused = memory.ingest(&ada(), &request("two", &[&two]), &mut |_| {}).unwrap_err();
    assert_eq!(refused.code(), "other_root");
    assert!(refused.remedy().contains("--root") && refused.remedy().contains("--collection"), "{}", refused.remedy());
    // A part of a known root belongs to its collection, and another machine has its own.
    assert_eq!(ingest(&memory, &request("three", &[&one.join("page.md")])).totals.unchanged, 1);
    let elsewhere = open_with(&database, "ingest.machine = \"laptop\"");
    let report = ingest(&elsewhere, &request("four", &[&two]));
    assert_eq!((report.totals.updated, live_documents(&memory).len()), (1, 1));
    let named = CollectionRequest { collection: Some("other".into()), root: None };
    let report = ingest(&memory, &IngestRequest { collection: named, ..request("five", &[&two]) });
    assert_eq!((report.totals.added, memory.documents(&ada()).unwrap().len()), (1, 2));
    let fresh = TestDatabase::new(Engine::Sqlite);
    let both = open(&fresh).ingest(&ada(), &request("both", &[&one, &two]), &mut |_| {}).unwrap_err();
    assert_eq!(both.code(), "other_root", "two folders of one name are not one library");
    let outside = CollectionRequest { collection: None, root: Some(one) };
    let refused = IngestRequest { collection: outside, ..request("six", &[&two]) };
    assert!(memory.ingest(&ada(), &refused, &mut |_| {}).unwrap_err().to_string().contains("not inside the root"));
}

#[test]
fn i20_a_document_of_before_is_adopted_and_one_can_be_moved_by_hand() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().canonicalize().unwrap().join("library/lamp.md");
    write(path.parent().unwrap(), &Files::from([("lamp.md".to_owned(), "The lamp burns oil.".to_owned())]));
    let shown = path.display().to_string();
    // As rows of earlier schemas are: known by the path, without a collection.
    memory.ingest_text(&ada(), text("before", &shown, "The lamp burns oil.")).unwrap();
    let before = memory.documents(&ada()).unwrap()[0].clone();
    assert_eq!((before.collection, before.name), (None, None));
    let report = ingest(&memory, &request("again", &[path.parent().unwrap()]));
    assert_eq!(report.totals.unchanged, 1);
    let adopted = memory.documents(&ada()).unwrap();
    assert_eq!(adopted.len(), 1);
    assert_eq!((adopted[0].document_id, adopted[0].versions), (before.document_id, 1));
    assert_eq!((adopted[0].collection.as_deref(), adopted[0].name.as_deref()), (Some("library"), Some("lamp.md")));
    let edit = memory.move_document(&ada(), "lamp.md", "lights/lamp.md", &operation("move")).unwrap();
    assert!(edit.changed && edit.document.versions == 2);
    for name in ["lights/lamp.md", &shown, "lamp.md", &format!("id:{}", before.document_id)] {
        let found = memory.document_text(&ada(), name, None).unwrap();
        assert_eq!(found.document.document_id, before.document_id, "{name}");
        assert!(found.verified);
    }
    let hit = &found(&memory, "lamp oil", None)[0];
    assert_eq!(hit.document_name.as_deref(), Some("lights/lamp.md"));
    memory.ingest_text(&ada(), text("other", "other.md", "Another text.")).unwrap();
    let taken = memory.move_document(&ada(), "other.md", "other.md", &operation("same")).unwrap();
    assert!(!taken.changed);
}

#[test]
fn i20_6_forgetting_one_version_leaves_none_of_its_own_bytes_and_all_of_the_others() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, "tree.classify = false");
        let mut random = Random(8);
        let book = page("common", 40, &mut random);
        let versions = [
            book.replacen("in paragraph 9:", "in paragraph 9, firstsecret:", 1),
            book.replacen("in paragraph 9:", "in paragraph 9, secondsecret:", 1).replacen(
                "# common",
                "# secretheading",
                1,
            ),
            book.replacen("in paragraph 9:", "in paragraph 9, thirdsecret:", 1),
        ];
        for (number, text_of) in versions.iter().enumerate() {
            let tags =
                Attributes::new([["firsttag", "secrettag", "thirdtag"][number]], None, None, None, Metadata::default());
            let version = recordar::document::TextRequest {
                attributes: tags.unwrap(),
                ..text(&format!("v{number}"), "book.md", text_of)
            };
            memory.ingest_text(&ada(), version).unwrap();
        }
        found(&memory, "secondsecret secretheading", None);
        let preview =
            memory.forget(&ada(), &ForgetRequest::Version("book.md".into(), 2), true, &operation("see")).unwrap();
        let report =
            memory.forget(&ada(), &ForgetRequest::Version("book.md".into(), 2), false, &operation("forget")).unwrap();
        assert_eq!((report.forgotten.versions, report.forgotten.documents), (1, 0));
        assert_eq!(preview.forgotten, report.forgotten);
        assert!((1..=3).contains(&report.forgotten.chunks), "{:?}", report.forgotten);
        memory.drop_indexes();
        let rows = memory.raw().unwrap().lines().join("\n");
        for gone in ["secondsecret", "secretheading", "secrettag"] {
            assert!(!rows.contains(gone), "{engine:?}: {gone} is still there");
        }
        if engine == Engine::Sqlite {
            let file = std::fs::read(memory.config().database.url.sqlite_path().unwrap()).unwrap();
            for gone in ["secondsecret", "secretheading", "secrettag"] {
                assert!(!file.windows(gone.len()).any(|bytes| bytes == gone.as_bytes()), "{gone} is in the file");
            }
        }
        for number in [1, 3] {
            let kept = memory.document_text(&ada(), "book.md", Some(number)).unwrap();
            assert!(kept.verified && kept.text == versions[number as usize - 1], "{engine:?} {number}");
        }
        assert!(!found(&memory, "thirdsecret", None).is_empty());
        // What is left can be exported, imported, and continued; also if the live version is forgotten.
        let copied = TestDatabase::new(engine);
        let copy = open_with(&copied, "tree.classify = false");
        import(&copy, &export(&memory, &ExportScope::Store)).unwrap();
        for memory in [&copy, &open_with(&copied, "tree.classify = false")] {
            assert!(memory.document_text(&ada(), "book.md", Some(3)).unwrap().verified);
        }
        copy.forget(&ada(), &ForgetRequest::Version("book.md".into(), 3), false, &operation("last")).unwrap();
        assert!(found(&copy, "thirdsecret", None).iter().all(|hit| !hit.text.contains("thirdsecret")));
        assert!(copy.document_text(&ada(), "book.md", None).unwrap().text == versions[0]);
        copy.ingest_text(&ada(), text("again", "book.md", &versions[2])).unwrap();
        let again = copy.document_text(&ada(), "book.md", None).unwrap();
        assert!(again.verified && again.text == versions[2], "{engine:?}");
        assert!(found(&copy, "thirdsecret", None)[0].document.is_some());
        import(&open(&TestDatabase::new(Engine::Sqlite)), &export(&copy, &ExportScope::Store)).unwrap();
        let all = memory.forget(&ada(), &ForgetRequest::Document("book.md".into()), false, &operation("all")).unwrap();
        assert_eq!(all.forgotten.versions, 2);
        assert!(!memory.raw().unwrap().lines().join("\n").contains("firstsecret"));
    }
}
