//! Receipts: kept, made again byte for byte, taken to other databases, and gone with what they name.

use crate::{ada, open, open_with, operation, text};
use recordar::document::Digest;
use recordar::forget::ForgetRequest;
use recordar::item::{Role, StoredWith};
use recordar::recall::{Authority, MemoryEntry, RecallOverrides, RecallRequest, RecallResult};
use recordar::receipt::ReceiptExport;
use recordar::{Message, Recordar, SpaceName};
use recordar_testkit::{Engine, Random, TestDatabase, rounds};

const ON: &str = "[receipts]\nenabled = true\n[recall]\nmin_score = 0.0";
const WORDS: [&str; 16] = [
    "lamp", "lens", "boat", "keeper", "oil", "storm", "rope", "ladder", "window", "harbour", "log", "bell", "garden",
    "kettle", "letter", "map",
];

fn sentence(random: &mut Random) -> String {
    let word = |random: &mut Random| WORDS[random.below(WORDS.len())];
    let (one, two, three) = (word(random), word(random), word(random));
    format!("The {one} of the {two} is near the {three}, no. {}. Write to {one}{two}@mail.example.", random.below(99))
}

fn fill(memory: &Recordar) {
    let mut random = Random(5);
    let messages: Vec<Message> = (0..150)
        .map(|number| Message {
            thread: Some(format!("talk {}", number / 10)),
            role: if number % 2 == 0 { Role::User } else { Role::Assistant },
            speaker: (number % 3 == 0).then(|| "Ada".to_owned()),
            ..Message::new(&format!("{} {} 灯台。", sentence(&mut random), sentence(&mut random)))
        })
        .collect();
    memory.remember(&ada(), &messages, &operation("messages")).unwrap();
    for page in 0..5 {
        let content: String = (0..40).map(|_| sentence(&mut random) + "\n").collect();
        memory.ingest_text(&ada(), text(&format!("page-{page}"), &format!("page-{page}.md"), &content)).unwrap();
    }
}

fn question(random: &mut Random) -> RecallRequest {
    let settings = RecallOverrides {
        top_k: Some(1 + random.below(20) as u32),
        clip_sentences: Some(1 + random.below(5) as u32),
        max_tokens: Some(100 + random.below(600) as u32),
        enable_redaction: (random.below(3) == 0).then_some(true),
        custom_redaction_patterns: vec![r"no\. \d+".to_owned(); usize::from(random.below(3) == 0)],
        ..RecallOverrides::default()
    };
    let query = format!("{} {}", WORDS[random.below(WORDS.len())], sentence(random));
    RecallRequest { settings, authority: Authority::Administrator, ..RecallRequest::new(&query) }
}

fn recall(memory: &Recordar, request: &RecallRequest) -> RecallResult {
    memory.recall(&[ada()], request).unwrap()
}

/// That the receipt of a recall gives the same context again.
fn prove(memory: &Recordar, recalled: &RecallResult) {
    let why = memory.why(&ada(), recalled.receipt.as_deref().unwrap()).unwrap();
    assert!(why.identical, "{:?}", why.differences);
    // What is stored with an item is in no receipt, so one that came from elsewhere does not show it.
    let proven = |memories: &[MemoryEntry]| -> Vec<MemoryEntry> {
        memories
            .iter()
            .map(|memory| MemoryEntry { stored: StoredWith::default(), rerank: None, ..memory.clone() })
            .collect()
    };
    assert_eq!((&why.text, proven(&why.memories)), (&recalled.text, proven(&recalled.memories)));
    assert_eq!((&why.body.query, &why.body.trace), (&recalled.query, &recalled.trace));
}

#[test]
fn receipts_are_verified_after_export_and_import_on_the_two_other_databases() {
    let source = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&source, ON);
    fill(&memory);
    let mut random = Random(77);
    let count = rounds(250, 1000);
    let recalled: Vec<RecallResult> = (0..count).map(|_| recall(&memory, &question(&mut random))).collect();
    // The same question within a minute has the same receipt.
    let mut ids: Vec<String> = recalled.iter().map(|result| result.receipt.clone().unwrap()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(memory.receipts(&ada(), 10_000).unwrap().len(), ids.len());
    assert!(ids.len() > count * 9 / 10);
    recalled.iter().for_each(|result| prove(&memory, result));
    let exports: Vec<String> =
        ids.iter().map(|id| serde_json::to_string(&memory.export_receipt(&ada(), id).unwrap()).unwrap()).collect();
    let exports: Vec<ReceiptExport> = exports.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    for engine in Engine::SERVERS {
        for knows_the_items in [false, true] {
            let database = TestDatabase::new(engine);
            let memory = open_with(&database, ON);
            if knows_the_items {
                fill(&memory);
            }
            let report = memory.import_receipts(&exports, &operation("import")).unwrap();
            assert_eq!((report.imported, report.known), (ids.len(), 0), "{engine:?}");
            recalled.iter().for_each(|result| prove(&memory, result));
            let again = memory.import_receipts(&exports, &operation("import-2")).unwrap();
            assert_eq!((again.imported, again.known), (0, ids.len()));
        }
    }
}

#[test]
fn nothing_about_a_query_is_stored_unless_receipts_are_on() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    fill(&memory);
    let rows =
        || memory.raw().unwrap().lines().into_iter().filter(|line| !line.starts_with("segments")).collect::<Vec<_>>();
    let before = rows();
    let plain = recall(&memory, &RecallRequest::new("where is the lamp"));
    assert!(plain.receipt.is_none() && !plain.memories.is_empty());
    assert_eq!(rows(), before);
    let asked = RecallRequest { receipt: Some(true), ..RecallRequest::new("where is the lamp") };
    let kept = recall(&memory, &asked);
    prove(&memory, &kept);
    assert_eq!(recall(&memory, &asked).receipt, kept.receipt, "from the cache, with the same receipt");
    let off = RecallRequest { receipt: Some(false), ..RecallRequest::new("where is the boat") };
    assert!(recall(&open_with(&database, ON), &off).receipt.is_none());
}

#[test]
fn a_receipt_is_true_after_the_document_has_changed() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, ON);
    memory.ingest_text(&ada(), text("v1", "lamp.md", "The lamp burns whale oil.")).unwrap();
    let first = recall(&memory, &RecallRequest::new("what does the lamp burn"));
    memory.ingest_text(&ada(), text("v2", "lamp.md", "The lamp is electric.")).unwrap();
    prove(&memory, &first);
    assert!(memory.why(&ada(), first.receipt.as_deref().unwrap()).unwrap().text.contains("whale"));
}

#[test]
fn forgetting_an_item_forgets_the_receipts_that_hold_it() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, ON);
    let shared = SpaceName::parse("shared:handbook").unwrap();
    let item = memory.remember(&shared, &[Message::new("The lamp is lit.")], &operation("one")).unwrap().items[0];
    memory.remember(&ada(), &[Message::new("My lamp."), Message::new("Onions.")], &operation("two")).unwrap();
    let both = memory.recall(&[ada(), shared.clone()], &RecallRequest::new("lamp")).unwrap();
    let own = recall(&memory, &RecallRequest::new("onions"));
    assert_eq!(both.memories.len(), 3);
    let request = ForgetRequest::Items(vec![item]);
    assert_eq!(memory.forget(&shared, &request, true, &operation("dry")).unwrap().forgotten.receipts, 1);
    assert_eq!(memory.forget(&shared, &request, false, &operation("forget")).unwrap().forgotten.receipts, 1);
    assert_eq!(memory.why(&ada(), both.receipt.as_deref().unwrap()).unwrap_err().code(), "not_found");
    prove(&memory, &own);
    let receipt = ForgetRequest::Receipts(vec![own.receipt.clone().unwrap()]);
    assert_eq!(memory.forget(&ada(), &receipt, true, &operation("dry-own")).unwrap().forgotten.receipts, 1);
    let forgotten = memory.forget(&ada(), &receipt, false, &operation("own")).unwrap().forgotten;
    assert_eq!((forgotten.receipts, forgotten.messages), (1, 0), "the items stay");
    assert!(memory.forget(&ada(), &receipt, false, &operation("own-2")).is_err(), "it is gone");
    memory.forget(&ada(), &ForgetRequest::Space, false, &operation("space")).unwrap();
    assert!(memory.receipts(&ada(), 10).unwrap().is_empty());
}

#[test]
fn a_receipt_that_was_tampered_with_is_found_out() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, ON);
    fill(&memory);
    let result = recall(&memory, &RecallRequest::new("lamp and lens"));
    let id = result.receipt.clone().unwrap();
    let export = memory.export_receipt(&ada(), &id).unwrap();
    let elsewhere = TestDatabase::new(Engine::Sqlite);
    let other = open(&elsewhere);
    let refused = |export: &ReceiptExport, why: &str| {
        let error = other.import_receipts(std::slice::from_ref(export), &operation("import")).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    };
    let mut changed = export.clone();
    changed.items[0].text.push('!');
    refused(&changed, "sha256");
    let changed = ReceiptExport { body: export.body.replace("lamp", "lamb"), ..export.clone() };
    refused(&changed, "sha256");
    // What it shows must be what it names.
    let mut changed = export.clone();
    changed.body = export.body.replace("\"item_id\":", "\"item_id\":9");
    changed.receipt = Digest::of(&changed.body).to_string();
    refused(&changed, "was replaced by");
    let mut changed = export.clone();
    changed.body = export.body.replace("lamp and lens", "lamp and boat");
    changed.receipt = Digest::of(&changed.body).to_string();
    assert!(other.import_receipts(&[changed], &operation("other-query")).is_ok(), "another query is another receipt");

    let file = rusqlite::Connection::open(database.url.trim_start_matches("sqlite:")).unwrap();
    let item = result.memories[0].provenance.item_id;
    file.execute("UPDATE items SET content = content || '!' WHERE item_id = ?", [item]).unwrap();
    let why = memory.why(&ada(), &id).unwrap();
    assert!(!why.identical && why.differences[0].contains(&format!("item {item}")), "{:?}", why.differences);
    file.execute("UPDATE receipts SET body = replace(body, 'lamp and lens', 'lamp and boat')", []).unwrap();
    assert!(memory.why(&ada(), &id).unwrap().differences[0].contains("the receipt was modified"));
}

#[test]
fn receipts_are_found_by_the_beginning_of_their_id() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, ON);
    fill(&memory);
    let id = recall(&memory, &RecallRequest::new("lamp")).receipt.unwrap();
    assert_eq!(memory.receipt(&ada(), &id[..6].to_uppercase()).unwrap().0, id);
    for (wrong, code) in [("abc", "invalid"), ("xyzxyz", "invalid"), ("", "invalid"), ("ffffffff00", "not_found")] {
        assert_eq!(memory.receipt(&ada(), wrong).unwrap_err().code(), code, "{wrong}");
    }
    let bo = SpaceName::user("bo").unwrap();
    assert_eq!(memory.why(&bo, &id).unwrap_err().code(), "not_found", "not from another space");
}

#[test]
fn a_receipt_of_several_spaces_travels_and_is_forgotten_by_each() {
    let source = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&source, ON);
    let (bo, nobody) = (SpaceName::user("bo").unwrap(), SpaceName::user("nobody").unwrap());
    memory.remember(&ada(), &[Message::new("Ada has a lens.")], &operation("ada")).unwrap();
    let item = memory.remember(&bo, &[Message::new("Bo has a lens of quartz.")], &operation("bo")).unwrap().items[0];
    let spaces = [nobody, ada(), bo.clone()];
    let recalled = memory.recall(&spaces, &RecallRequest::new("who has a lens")).unwrap();
    assert_eq!(recalled.memories.len(), 2);
    prove(&memory, &recalled);
    let id = recalled.receipt.clone().unwrap();
    let export = memory.export_receipt(&ada(), &id).unwrap();
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let other = open(&database);
        other.import_receipts(std::slice::from_ref(&export), &operation("import")).unwrap();
        prove(&other, &recalled);
        // The copy of Bo's words lies with Ada's receipt. Bo's space has to be there for anybody to forget it.
        other.remember(&bo, &[Message::new("Here.")], &operation("here")).unwrap();
        let forgotten = other.forget(&bo, &ForgetRequest::Items(vec![item]), false, &operation("forget")).unwrap();
        assert_eq!(forgotten.forgotten.receipts, 1, "{engine:?}");
        assert!(!other.raw().unwrap().lines().join("\n").contains("quartz"), "{engine:?}");
        let again = other.import_receipts(std::slice::from_ref(&export), &operation("again")).unwrap_err();
        assert!(again.to_string().contains("was forgotten in this database"), "{again}");
    }
}

#[test]
fn forgetting_what_was_found_and_not_shown_forgets_the_receipt_too() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &format!("index.skip_repeated = false\n{ON}"));
    let said = [Message::new("The lens is new."), Message::new("the LENS is new!")];
    let items = memory.remember(&ada(), &said, &operation("twins")).unwrap().items;
    let recalled = recall(&memory, &RecallRequest::new("is the lens new"));
    assert_eq!(recalled.memories.len(), 1);
    memory.forget(&ada(), &ForgetRequest::Items(vec![items[1]]), false, &operation("forget")).unwrap();
    assert!(memory.receipts(&ada(), 10).unwrap().is_empty(), "its trace says what the other one said");
}

#[test]
fn receipts_that_ask_for_too_much_are_refused() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, ON);
    fill(&memory);
    let id = recall(&memory, &RecallRequest::new("lamp and lens")).receipt.unwrap();
    let export = memory.export_receipt(&ada(), &id).unwrap();
    let refused = |change: &dyn Fn(&mut serde_json::Value), why: &str| {
        let mut body: serde_json::Value = serde_json::from_str(&export.body).unwrap();
        change(&mut body);
        let body = body.to_string();
        let changed = ReceiptExport { receipt: Digest::of(&body).to_string(), body, ..export.clone() };
        let error = memory.import_receipts(&[changed], &operation("hostile")).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
    };
    refused(&|body| body["template"] = "{content}".repeat(100).into(), "template");
    refused(&|body| body["format"] = 2.into(), "format");
    refused(&|body| body["redaction"] = vec!["x"; 50].into(), "too many redaction patterns");
    refused(&|body| body["redaction"] = vec!["("].into(), "invalid redaction pattern");
    refused(
        &|body| {
            body["found"] = (0..200).map(|id| serde_json::json!({"collection": "user:ada", "item_id": id})).collect()
        },
        "more than",
    );
    refused(&|body| body["found"] = serde_json::json!([]), "not among its candidates");
    refused(
        &|body| {
            body["memories"][0]["span"] =
                serde_json::json!({"start": 1, "end": 9_999_999, "is_late": false, "is_cut": true})
        },
        "the memories differ",
    );
    refused(&|body| body["spaces"] = serde_json::json!(["user:eve"]), "another space");
    refused(&|body| body["memories"] = 7.into(), "cannot be read");
}

#[test]
fn receipts_of_neighbours_go_with_a_forgotten_chunk_and_do_not_come_back() {
    let database = TestDatabase::new(Engine::Sqlite);
    let chunking = "[chunking]\nmethod = \"recursive\"\nrecursive_tokens = 60\nrecursive_overlap = 30\n";
    let memory = open_with(&database, &format!("{chunking}{ON}"));
    let words: Vec<String> = (0..200).map(|number| format!("quartz{number}zz")).collect();
    memory.ingest_text(&ada(), text("one", "page.txt", &words.join(" "))).unwrap();
    let chunks = memory.document_text(&ada(), "page.txt", None).unwrap().chunks;
    let (gone, neighbour) = (chunks[2].item_id, chunks[1].item_id);
    // A question that finds the neighbour alone.
    let only = chunks[1].text.split(' ').nth(1).unwrap().to_owned();
    let settings = RecallOverrides {
        top_k: Some(1),
        search_type: Some(recordar::search::SearchMode::Keyword),
        ..RecallOverrides::default()
    };
    let asked = RecallRequest { settings, authority: Authority::Administrator, ..RecallRequest::new(&only) };
    let recalled = recall(&memory, &asked);
    let found: Vec<i64> = recalled.candidates.iter().map(|candidate| candidate.item_id).collect();
    assert!(found.contains(&neighbour) && !found.contains(&gone), "{found:?}");
    let export = memory.export_receipt(&ada(), recalled.receipt.as_deref().unwrap()).unwrap();
    let request = ForgetRequest::Items(vec![gone]);
    let planned = memory.forget(&ada(), &request, true, &operation("dry")).unwrap().forgotten;
    let forgotten = memory.forget(&ada(), &request, false, &operation("forget")).unwrap().forgotten;
    assert_eq!((planned.receipts, forgotten.receipts), (1, 1));
    let again = memory.import_receipts(&[export], &operation("import"));
    assert!(again.is_err_and(|error| error.to_string().contains("forgotten in this database")));
}
