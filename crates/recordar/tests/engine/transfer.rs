//! Whole spaces out and in again, between any two databases, with nothing lost and nothing half.

use crate::{ada, open, operation, text, ticking};
use recordar::database::Cancel;
use recordar::forget::ForgetRequest;
use recordar::item::ItemName;
use recordar::recall::RecallRequest;
use recordar::standing::StandingText;
use recordar::transfer::{ExportScope, ImportRequest};
use recordar::{Error, Message, Recordar, SpaceName};
use recordar_testkit::{Engine, Random, TestDatabase, rounds};
use std::io::BufReader;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

fn request(id: &str) -> ImportRequest {
    ImportRequest {
        format: None,
        each_user: false,
        thread: None,
        date: None,
        names_space: false,
        operation: operation(id),
    }
}

pub(crate) fn export(memory: &Recordar, scope: &ExportScope) -> Vec<u8> {
    let mut file = Vec::new();
    memory.export(scope, &mut file).unwrap();
    file
}

pub(crate) fn import(memory: &Recordar, file: &[u8]) -> Result<recordar::transfer::ImportReport, Error> {
    memory.import(&ada(), &mut BufReader::new(file), "export.jsonl", &request("import"))
}

const WORDS: [&str; 24] = [
    "harbour", "lantern", "train", "violin", "garden", "winter", "letter", "bridge", "coffee", "mountain", "river",
    "museum", "ticket", "doctor", "school", "market", "island", "window", "engine", "forest", "paper", "music",
    "stone", "ladder",
];

fn sentence(random: &mut Random) -> String {
    let words: Vec<&str> = (0..6 + random.below(8)).map(|_| WORDS[random.below(WORDS.len())]).collect();
    format!("The {} is number {}.", words.join(" "), random.below(10_000))
}

/// Messages in threads, facts that supersede each other, documents in versions, receipts, and things forgotten again.
fn fill(memory: &Recordar, items: usize) {
    let random = &mut Random(7);
    let (mut stored, mut ids) = (0, Vec::new());
    while stored < items {
        let batch = (items - stored).min(1000);
        let messages: Vec<Message> = (0..batch)
            .map(|number| Message {
                thread: (number % 5 > 0).then(|| format!("thread {}", (stored + number) / 40)),
                title: (number % 50 == 1).then(|| "A title".to_owned()),
                speaker: (number % 3 == 0).then(|| "Ada".to_owned()),
                ..Message::new(&sentence(random))
            })
            .collect();
        ids = memory.remember(&ada(), &messages, &operation(&format!("batch-{stored}"))).unwrap().items;
        stored += batch;
    }
    let fact = Message {
        kind: recordar::item::ItemKind::Fact,
        derived_from: vec![ids[3], ids[4]],
        supersedes: vec![ids[5]],
        ..Message::new("Ada lives near the harbour.")
    };
    memory.remember(&ada(), &[fact], &operation("fact")).unwrap();
    for version in 0..3 {
        let body: String = (0..60).map(|_| sentence(random) + "\n").collect();
        memory.ingest_text(&ada(), text(&format!("text-{version}"), "notes/harbour.md", &body)).unwrap();
    }
    memory.ingest_text(&ada(), text("gone", "gone.md", "A lantern in the winter garden.")).unwrap();
    memory.forget(&ada(), &ForgetRequest::Document("gone.md".to_owned()), false, &operation("forget")).unwrap();
    memory.forget(&ada(), &ForgetRequest::Items(vec![ids[10], ids[11]]), false, &operation("forget-2")).unwrap();
    let with_receipt = RecallRequest { receipt: Some(true), ..RecallRequest::new("Where is the harbour lantern?") };
    memory.recall(&[ada()], &with_receipt).unwrap();
    for (kind, words) in StandingText::ALL.into_iter().zip(["Be brief.", "A harbour.", "lamp = lantern"]) {
        memory.set_standing_text(&ada(), kind, words, &operation(kind.name())).unwrap();
    }
    let about = Message { about: vec!["harbour.md".to_owned()], ..Message::new("It opens at nine.") };
    let about = memory.remember(&ada(), &[about], &operation("about")).unwrap().items[0];
    memory.mark_important(&ada(), &ItemName::Number(about), true, &operation("important")).unwrap();
}

/// What is recalled for many questions, every byte of it, at one moment of the clock.
fn recalled(memory: &Recordar, queries: usize) -> Vec<String> {
    let random = &mut Random(99);
    let now = recordar::Timestamp::parse("2026-01-31").unwrap();
    let recall = |_| {
        let request = RecallRequest { asked_at: Some(now), ..RecallRequest::new(&sentence(random)) };
        let mut result = memory.recall(&[ada()], &request).unwrap();
        result.timing = recordar::recall::RecallTiming::default();
        serde_json::to_string(&result).unwrap()
    };
    (0..queries).map(recall).collect()
}

#[test]
fn a12_export_wipe_import_between_every_two_databases_recalls_the_same_bytes() {
    let items = rounds(2_000, 100_000);
    let first = TestDatabase::new(Engine::Sqlite);
    let memory = open(&first);
    fill(&memory, items);
    let before = recalled(&memory, 200);
    let everything = export(&memory, &ExportScope::Store);
    let facts = memory.raw().unwrap().lines();
    for from in Engine::ALL {
        let source_database = TestDatabase::new(from);
        let source = open(&source_database);
        import(&source, &everything).unwrap();
        let exported = export(&source, &ExportScope::Store);
        assert_eq!(exported, everything, "{from:?}: the same rows are the same bytes");
        assert_eq!(recalled(&source, 200), before, "{from:?}");
        for to in Engine::ALL {
            let target_database = TestDatabase::new(to);
            let target = open(&target_database);
            // Where it goes back to its own database, that is wiped first.
            let target = if from == to {
                source.forget(&ada(), &ForgetRequest::Space, false, &operation("wipe")).unwrap();
                assert!(source.spaces().unwrap().is_empty());
                &source
            } else {
                &target
            };
            import(target, &exported).unwrap();
            assert_eq!(recalled(target, 200), before, "{from:?} to {to:?}");
            assert_eq!(target.why(&ada(), &target.receipt_ids(&ada()).unwrap()[0]).unwrap().differences, [""; 0]);
            if from != to {
                let is_fact = |line: &&String| !line.starts_with("segments");
                let lines = target.raw().unwrap().lines();
                assert_eq!(
                    lines.iter().filter(is_fact).collect::<Vec<_>>(),
                    facts.iter().filter(is_fact).collect::<Vec<_>>(),
                    "{from:?} to {to:?}: every row"
                );
            }
        }
    }
}

/// Whatever there is goes out, in, and out again as the same bytes.
pub(crate) fn check_round_trip(memory: &Recordar) {
    let file = export(memory, &ExportScope::Store);
    let database = TestDatabase::new(Engine::Sqlite);
    let other = open(&database);
    import(&other, &file).unwrap_or_else(|error| panic!("what was stored was refused: {error}"));
    assert!(export(&other, &ExportScope::Store) == file, "the same bytes");
    other.restore(&mut BufReader::new(file.as_slice())).unwrap();
    assert!(export(&other, &ExportScope::Store) == file, "and restored");
}

#[test]
fn whatever_was_stored_can_be_taken_along() {
    let words = [
        "Über",
        "日本語のテキスト。",
        "a",
        "👩‍👩‍👧",
        "the harbour.\n\n",
        "# Heading\n",
        "- item\n",
        "x: 1\n",
        "\"q\": [1, 2],\n",
    ];
    for seed in 0..rounds(20, 400) as u64 {
        let engine = Engine::ALL[(seed % 3) as usize];
        let database = TestDatabase::new(engine);
        let random = &mut Random(seed + 1);
        let sizes = format!("recursive_tokens = {}\nrecursive_overlap = {}", 32 + random.below(30), random.below(16));
        let method = ["delimiter", "recursive", "recursive"][random.below(3)];
        let toml = format!("[chunking]\nmethod = {method:?}\nchunk_min_tokens = 1\nchunk_max_tokens = 16\n{sizes}");
        let memory = crate::open_with(&database, &toml);
        let spaces = [ada(), SpaceName::parse("shared:büro x").unwrap(), SpaceName::user("gone").unwrap()];
        for step in 0..30 {
            let space = &spaces[random.below(3)];
            let id = operation(&format!("s{step}"));
            let body: String =
                (0..random.below(120)).map(|_| format!("{} ", words[random.below(words.len())])).collect();
            let name = ["n.md", "d.json", "y.yaml", "p.txt"][random.below(4)];
            let done = match random.below(8) {
                0..=2 => memory.ingest_text(space, text(&format!("s{step}"), name, &body)).err(),
                3 => {
                    let message = Message {
                        thread: Some("t".to_owned()),
                        time: Some(recordar::Timestamp::parse("1931-05-01").unwrap()),
                        speaker: Some("é".repeat(300)),
                        source: Some("s".repeat(900)),
                        importance: Some(recordar::item::Importance::new(0.25).unwrap()),
                        ..Message::new(&format!("{body}."))
                    };
                    memory.remember(space, &[message], &id).err()
                }
                4 => {
                    let known = memory.search(
                        std::slice::from_ref(space),
                        &recordar::search::SearchRequest::new("harbour text item"),
                    );
                    let ids: Vec<i64> =
                        known.map_or(Vec::new(), |found| found.hits.iter().map(|hit| hit.item.item_id).collect());
                    let fact = Message {
                        kind: recordar::item::ItemKind::Fact,
                        derived_from: ids.iter().take(2).copied().collect(),
                        supersedes: ids.iter().filter(|id| **id % 3 == 0).take(1).copied().collect(),
                        ..Message::new(&format!("A fact: {body}."))
                    };
                    memory.remember(space, &[fact], &id).err()
                }
                5 => {
                    let request = RecallRequest { receipt: Some(true), ..RecallRequest::new("harbour item") };
                    memory.recall(&[space.clone(), ada()], &request).err()
                }
                6 => {
                    let found = memory
                        .search(std::slice::from_ref(space), &recordar::search::SearchRequest::new("harbour item a"));
                    let hit = found.ok().and_then(|found| found.hits.last().map(|hit| hit.item.item_id)).unwrap_or(1);
                    memory.forget(space, &ForgetRequest::Items(vec![hit]), false, &id).err()
                }
                _ if random.below(4) == 0 => memory.forget(&spaces[2], &ForgetRequest::Space, false, &id).err(),
                _ => memory.forget(space, &ForgetRequest::Document(name.to_owned()), false, &id).err(),
            };
            // Some are refused, as nothing is there yet; none fails.
            assert!(
                done.as_ref().is_none_or(|error| ["invalid", "not_found", "empty"].contains(&error.code())),
                "{done:?}"
            );
        }
        check_round_trip(&memory);
    }
}

#[test]
fn importing_again_changes_nothing_and_another_space_of_the_name_is_refused() {
    let (first, second) = (TestDatabase::new(Engine::Sqlite), TestDatabase::new(Engine::Postgres));
    let (memory, other) = (open(&first), open(&second));
    fill(&memory, 50);
    let file = export(&memory, &ExportScope::Spaces(vec![ada()]));
    assert!(!import(&other, &file).unwrap().spaces[0].known);
    assert!(import(&other, &file).unwrap().spaces[0].known, "it is the same, row for row");
    other.remember(&ada(), &[Message::new("One more.")], &operation("more")).unwrap();
    let error = import(&other, &file).unwrap_err();
    assert_eq!(error.code(), "invalid");
    assert!(error.to_string().contains("space user:ada already exists"), "{error}");
    assert!(error.remedy().contains("another database"), "{}", error.remedy());
    assert_eq!(export(&memory, &ExportScope::Spaces(vec![ada()])), file, "exporting changes nothing");
}

#[test]
fn a_file_that_was_cut_or_changed_anywhere_is_refused_and_leaves_nothing() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    fill(&memory, 30);
    let file = export(&memory, &ExportScope::Store);
    let empty_database = TestDatabase::new(Engine::Sqlite);
    let empty = open(&empty_database);
    let random = &mut Random(3);
    for round in 0..rounds(150, 5_000) {
        let mut broken = file.clone();
        match round % 3 {
            0 => broken.truncate(random.below(file.len())),
            1 => {
                let at = random.below(file.len());
                broken[at] = broken[at].wrapping_add(1 + random.below(254) as u8);
            }
            _ => {
                let lines: Vec<&[u8]> = file.split_inclusive(|byte| *byte == b'\n').collect();
                let gone = random.below(lines.len());
                broken = [&lines[..gone], &lines[gone + 1..]].concat().concat();
            }
        }
        let Err(error) = import(&empty, &broken) else {
            panic!("round {round} was imported");
        };
        assert!(!error.remedy().is_empty() && !error.to_string().contains("Error"), "{error}");
        assert!(empty.spaces().unwrap().is_empty(), "round {round}: {error}");
    }
    import(&empty, &file).unwrap();
}

/// Every change below has the right checksum: whoever wrote it meant it.
#[test]
fn a_forged_file_cannot_bring_in_what_breaks_the_rules() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    fill(&memory, 30);
    let file = String::from_utf8(export(&memory, &ExportScope::Store)).unwrap();
    let target_database = TestDatabase::new(Engine::Sqlite);
    let target = open(&target_database);
    let item = |id: i64| format!("{{\"items\":{{\"item_id\":{id},");
    let first = file.lines().find_map(|line| line.strip_prefix("{\"items\":{\"item_id\":")).unwrap();
    let first: i64 = first.split(',').next().unwrap().parse().unwrap();
    let (one, next) = (item(first), item(first + 1));
    let hash = ada().digest().to_string();
    for (old, new, why) in [
        (one.as_str(), item(999_999_999).as_str(), "is out of range: 1 to"),
        (&one, &next, "is a duplicate"),
        (&one, &item(1), "has an id that is already used"),
        ("\"kind\":2,", "\"kind\":9,", "is inconsistent"),
        ("\"kind\":2,", "\"kind\":1,", "is inconsistent"),
        ("\"kind\":1,", "\"kind\":3,", "is inconsistent"),
        ("\"role\":\"user\"", "\"role\":\"emperor\"", "is inconsistent"),
        ("\"importance\":null", "\"importance\":2000000", "is inconsistent"),
        ("\"tokens\":", "\"tokens\":-", "is out of range: 0"),
        ("\"occurred_at\":17", "\"occurred_at\":99999999917", "expected an integer|is not a valid time"),
        ("\"thread_id\":1,\"name_hash\":", "\"thread_id\":77,\"name_hash\":", ""),
        ("\"content\":\"The ", "\"content\":\"\\u0000The ", "NUL"),
        ("\"name\":\"user:ada\"", "\"name\":\"user:bob\"", "the hash of user:bob does not match"),
        ("\"name\":\"user:ada\"", "\"name\":\"\"", "a space without a name has rows"),
        ("\"path\":\"notes/harbour.md\"", "\"path\":\"notes/other.md\"", "a row of documents is inconsistent"),
        ("\"tags\":\"", "\"tags\":\"{", "JSON"),
        ("\"number\":1,", "\"number\":0,", "is inconsistent"),
        ("\"number\":1,", "\"number\":9223372036854775807,", "is out of range: 0"),
        ("\"born\":1,", "\"born\":100000,", "is out of range: 1 to"),
        ("\"overlap\":0", "\"overlap\":1", "is inconsistent"),
        ("\"state\":1,", "\"state\":77,", "is inconsistent"),
        ("{\"tombstones\":{\"id\":", &format!("{{\"tombstones\":{{\"id\":{first},\"x\":"), ""),
        ("{\"items\":{", "{\"users\":{", "not a table of this version"),
        ("{\"items\":{", "{\"items\":{\"extra\":1,", "unknown column"),
        ("{\"items\":{", "{\"items\": {", "not in the format of an export"),
        ("{\"space\":{", "{\"space\": {", "not in the format of an export"),
        (&hash, &hash.to_uppercase(), "not in the format of an export"),
        ("\"recordar_export\":1", "\"recordar_export\":2", "this program supports"),
        ("\"schema\":13", "\"schema\":99", "this program supports"),
        ("\"revision\":", "\"revision\":\"x\",\"y\":", ""),
        ("\"next_id\":", "\"next_id\":99999999", "out of range"),
        ("{\"receipt_sources\":", "{\"receipt_sources\" :", ""),
        ("\"recorded_at\":17", "\"recorded_at\":90000000017", "out of range|expected an integer|cannot be read"),
        ("\"made_at\\\":", "\"made_bt\\\":", "it is not the sha256 of body|receipt"),
    ] {
        assert!(file.contains(old), "{old}");
        let forged = with_right_sums(&file.replacen(old, new, 1));
        let Err(error) = import(&target, forged.as_bytes()) else { panic!("{new} was imported") };
        assert!(why.split('|').any(|why| error.to_string().contains(why)), "{new}: {error}");
        assert!(target.spaces().unwrap().is_empty(), "{new}");
    }
    let without_sources: String =
        file.lines().filter(|line| !line.contains("receipt_sources")).map(|line| format!("{line}\n")).collect();
    let rows = without_sources.lines().count() - 4;
    let at = without_sources.find("\"rows\":").unwrap();
    let without_sources = without_sources.replacen(&without_sources[at..at + 12], &format!("\"rows\":{rows},\"s"), 1);
    let error = import(&target, with_right_sums(&without_sources).as_bytes()).unwrap_err();
    assert!(
        error.to_string().contains("names an item that is missing") || error.to_string().contains("cannot be read"),
        "{error}"
    );
    import(&target, with_right_sums(&file).as_bytes()).unwrap();
}

/// The question of a receipt can be forged; what it names cannot be read by that.
#[test]
fn a_forged_receipt_shows_nothing_of_another_space() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let (eve, victim) = (SpaceName::user("eve").unwrap(), SpaceName::user("victim").unwrap());
    memory.remember(&victim, &[Message::new("The launch code of the harbour is ZEBRA-77.")], &operation("v")).unwrap();
    memory.remember(&eve, &[Message::new("I like the harbour.")], &operation("e")).unwrap();
    let request = RecallRequest { receipt: Some(true), ..RecallRequest::new("harbour") };
    memory.recall(std::slice::from_ref(&eve), &request).unwrap();
    let own = String::from_utf8(export(&memory, &ExportScope::Spaces(vec![eve.clone()]))).unwrap();
    memory.forget(&eve, &ForgetRequest::Space, false, &operation("gone")).unwrap();
    let mut forged = String::new();
    for line in own.lines() {
        let mut row: serde_json::Value = serde_json::from_str(line).unwrap();
        if let Some(receipt) = row.get_mut("receipts") {
            let body = receipt["body"].as_str().unwrap();
            let body = body.replace("\"collection\":\"user:eve\"", "\"collection\":\"user:victim\"");
            let body = body.replace("\"spaces\":[\"user:eve\"]", "\"spaces\":[\"user:eve\",\"user:victim\"]");
            let (old, new) =
                (receipt["receipt_hash"].as_str().unwrap().to_owned(), recordar::document::Digest::of(&body));
            let line = line.replace(&old, &new.to_string());
            let at = line.find("\"body\":").unwrap();
            forged += &format!("{}\"body\":{}}}}}\n", &line[..at], serde_json::json!(body));
        } else if !line.contains("receipt_sources") {
            forged += &format!("{line}\n");
        }
        if row.get("receipts").is_some() {
            let body = forged.lines().last().unwrap().to_owned();
            let hash = &body[body.find("\"receipt_hash\":\"").unwrap() + 16..][..64];
            let (victim, id) = (victim.digest(), memory.messages(&victim, None).unwrap()[0].item_id);
            forged += &format!(
                "{{\"receipt_sources\":{{\"receipt_hash\":\"{hash}\",\"source_hash\":\"{victim}\",\"source_id\":{id},\"body\":null}}}}\n"
            );
        }
    }
    import(&memory, with_right_sums(&forged).as_bytes()).unwrap();
    let why = memory.why(&eve, &memory.receipt_ids(&eve).unwrap()[0]).unwrap();
    assert!(!why.identical && !serde_json::to_string(&why).unwrap().contains("ZEBRA"), "{why:?}");
}

/// The file with the sums that its lines would have.
pub(crate) fn with_right_sums(file: &str) -> String {
    let mut hasher = None;
    let mut forged = String::new();
    for line in file.lines() {
        if line.starts_with("{\"end\"") {
            let mut end: serde_json::Value = serde_json::from_str(line).unwrap();
            let sum: recordar_domain::Hasher = std::mem::take(&mut hasher).unwrap();
            end["end"]["sha256"] = sum.finish().to_string().into();
            forged += &format!("{end}\n");
            continue;
        }
        if line.starts_with("{\"space\"") {
            hasher = Some(recordar_domain::Hasher::default());
        }
        hasher = hasher.map(|hasher| hasher.field(line));
        forged += &format!("{line}\n");
    }
    forged
}

#[test]
fn restoring_brings_back_the_moment_of_the_backup_for_those_who_have_it_open_too() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let (memory, beside) = (open(&database), open(&database));
        let bob = SpaceName::user("bob").unwrap();
        fill(&memory, 60);
        let before = recalled(&beside, 20);
        let folder = tempfile::tempdir().unwrap();
        let backup = folder.path().join("backup.jsonl");
        memory.export_file(&ExportScope::Store, &backup, false).unwrap();
        memory.remember(&ada(), &[Message::new("The lantern went out.")], &operation("later")).unwrap();
        memory.remember(&bob, &[Message::new("Bob was not there yet.")], &operation("bob")).unwrap();
        assert_ne!(recalled(&beside, 20), before);
        let report = memory.restore_file(&backup).unwrap();
        assert_eq!(report.removed, ["user:bob"]);
        assert_eq!(recalled(&beside, 20), before, "{engine:?}: who has the store open sees it, too");
        assert_eq!(memory.spaces().unwrap(), ["user:ada"]);
        memory.remember(&ada(), &[Message::new("Life goes on.")], &operation("later")).unwrap();
        memory.restore_file(&backup).unwrap();
        assert_eq!(recalled(&memory, 20), before, "{engine:?}: and again");
        let bytes = std::fs::read(&backup).unwrap();
        assert!(memory.restore(&mut BufReader::new(&bytes[..bytes.len() / 2])).is_err());
        assert_eq!(recalled(&beside, 20), before, "{engine:?}: half a backup changes nothing");
    }
}

#[test]
fn what_was_forgotten_there_is_forgotten_here() {
    let (first, second) = (TestDatabase::new(Engine::Sqlite), TestDatabase::new(Engine::Postgres));
    let (there, here) = (open(&first), open(&second));
    let shared = SpaceName::parse("shared:z").unwrap();
    let secret = there.remember(&ada(), &[Message::new("The password of the vault is swordfish.")], &operation("s"));
    there.remember(&shared, &[Message::new("The vault is in the cellar.")], &operation("z")).unwrap();
    let request = RecallRequest { receipt: Some(true), ..RecallRequest::new("vault password") };
    let receipt = there.recall(&[shared.clone(), ada()], &request).unwrap().receipt.unwrap();
    let along = there.export_receipt(&shared, &receipt).unwrap();
    assert!(along.items.iter().any(|item| item.text.contains("swordfish")));
    let with_copy = export(&there, &ExportScope::Spaces(vec![shared.clone()]));
    there.forget(&ada(), &ForgetRequest::Items(secret.unwrap().items), false, &operation("f")).unwrap();
    let without = export(&there, &ExportScope::Spaces(vec![ada()]));

    // A copy that came before goes when it is told that the item was forgotten.
    here.remember(&ada(), &[Message::new("old")], &operation("old")).unwrap();
    here.forget(&ada(), &ForgetRequest::Space, false, &operation("gone")).unwrap();
    here.import_receipts(&[along], &operation("receipts")).unwrap();
    assert!(here.why(&shared, &receipt).unwrap().text.contains("swordfish"));
    import(&here, &without).unwrap();
    assert!(here.why(&shared, &receipt).is_err());
    assert!(!String::from_utf8(export(&here, &ExportScope::Store)).unwrap().contains("swordfish"));
    check_round_trip(&here);

    // One that comes later is refused.
    here.forget(&shared, &ForgetRequest::Space, false, &operation("gone-2")).unwrap();
    let error = import(&here, &with_copy).unwrap_err();
    assert!(error.to_string().contains("a receipt names an item that was forgotten in this database"), "{error}");
}

#[test]
fn a_late_repetition_brings_back_nothing_after_an_import_either() {
    let (first, second) = (TestDatabase::new(Engine::Sqlite), TestDatabase::new(Engine::MySql));
    let (there, here) = (open(&first), open(&second));
    there.remember(&ada(), &[Message::new("Hello.")], &operation("hello")).unwrap();
    let file = export(&there, &ExportScope::Spaces(vec![ada()]));
    let secret = [Message::new("Forget me.")];
    here.remember(&ada(), &secret, &operation("late")).unwrap();
    here.remember(&ada(), &[Message::new("Hello?")], &operation("hello")).unwrap();
    here.forget(&ada(), &ForgetRequest::Space, false, &operation("gone")).unwrap();
    import(&here, &file).unwrap();
    assert!(here.remember(&ada(), &secret, &operation("late")).unwrap().repeated, "it was done, and is not done again");
    assert!(!String::from_utf8(export(&here, &ExportScope::Store)).unwrap().contains("Forget me"));
    assert!(import(&here, &file).unwrap().spaces[0].known, "what is left of before does not make it another");
    assert_eq!(here.recall(&[ada()], &RecallRequest::new("Hello")).unwrap().memories.len(), 1);
    check_round_trip(&here);
}

#[test]
fn a_store_is_not_restored_from_an_export_of_one_space() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    fill(&memory, 20);
    memory.remember(&SpaceName::user("bob").unwrap(), &[Message::new("Bob.")], &operation("bob")).unwrap();
    let one = export(&memory, &ExportScope::Spaces(vec![ada()]));
    let error = memory.restore(&mut BufReader::new(one.as_slice())).unwrap_err();
    assert!(error.to_string().contains("would delete all others") && error.remedy().contains("import"), "{error}");
    assert_eq!(memory.spaces().unwrap().len(), 2);
}

#[test]
fn restoring_beside_writers_leaves_the_backup_and_what_came_after_it_alone() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open(&database);
        memory.remember(&ada(), &[Message::new("In the backup.")], &operation("first")).unwrap();
        let backup = export(&memory, &ExportScope::Store);
        let (stop, written) = (AtomicBool::new(false), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            let mut writers = Vec::new();
            for writer in 0..3 {
                let (memory, stop, written) = (open(&database), &stop, &written);
                writers.push(scope.spawn(move || {
                    let spaces = [ada(), SpaceName::user(&format!("w{writer}")).unwrap()];
                    for round in 0.. {
                        let said = [Message::new(&format!("Writer {writer}, round {round}."))];
                        let id = operation(&format!("w{writer}-{round}"));
                        memory.remember(&spaces[round % 2], &said, &id).unwrap();
                        written.fetch_add(1, Ordering::Relaxed);
                        if stop.load(Ordering::Relaxed) {
                            return;
                        }
                    }
                }));
            }
            for _ in 0..rounds(5, 50) {
                memory.restore(&mut BufReader::new(backup.as_slice())).unwrap();
                // Until somebody has written since.
                let before = written.load(Ordering::Relaxed);
                let has_failed = || writers.iter().any(std::thread::ScopedJoinHandle::is_finished);
                while written.load(Ordering::Relaxed) < before + 3 && !has_failed() {
                    std::thread::yield_now();
                }
            }
            stop.store(true, Ordering::Relaxed);
        });
        // Nothing is left of what was replaced, in whichever space: no row that no operation wrote.
        for space in memory.spaces().unwrap() {
            let space = SpaceName::parse(&space).unwrap();
            let told = memory.messages(&space, None).unwrap();
            let ids: std::collections::BTreeSet<i64> = told.iter().map(|message| message.item_id).collect();
            assert_eq!(ids.len(), told.len());
            let mut file = Vec::new();
            memory.export(&ExportScope::Spaces(vec![space.clone()]), &mut file).unwrap();
            let operations =
                file.split(|byte| *byte == b'\n').filter(|line| line.starts_with(b"{\"operations\"")).count();
            assert_eq!(operations, told.len(), "{engine:?} {space}: each message has its operation");
        }
        memory.restore(&mut BufReader::new(backup.as_slice())).unwrap();
        assert_eq!(export(&memory, &ExportScope::Spaces(vec![ada()])).len(), backup_of_ada(&backup).len());
        assert_eq!(memory.spaces().unwrap(), ["user:ada"]);
    }
}

/// The lines of a whole store with one space, as those of an export of the space.
fn backup_of_ada(backup: &[u8]) -> Vec<u8> {
    String::from_utf8(backup.to_vec()).unwrap().replacen("\"scope\":\"store\"", "\"scope\":\"spaces\"", 1).into_bytes()
}

#[test]
fn two_exports_into_one_file_do_not_meet() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    fill(&memory, 200);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("export.jsonl");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| memory.export_file(&ExportScope::Store, &file, true).unwrap());
        }
    });
    assert_eq!(std::fs::read(&file).unwrap(), export(&memory, &ExportScope::Store));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn exports_are_private_whole_and_do_not_replace_what_is_there() {
    use std::os::unix::fs::PermissionsExt;
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    fill(&memory, 20);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("export.jsonl");
    let scope = ExportScope::Spaces(vec![ada()]);
    let report = memory.export_file(&scope, &file, false).unwrap();
    assert_eq!(report.spaces[0].space, "user:ada");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(memory.export_file(&scope, &file, false).unwrap_err().code(), "exists");
    memory.export_file(&scope, &file, true).unwrap();
    let nobody = ExportScope::Spaces(vec![SpaceName::user("nobody").unwrap()]);
    let absent = folder.path().join("absent.jsonl");
    assert_eq!(memory.export_file(&nobody, &absent, false).unwrap_err().code(), "not_found");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing half is left");
}

#[test]
fn what_is_cancelled_is_not_committed() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open(&database);
        fill(&memory, 20);
        let file = export(&memory, &ExportScope::Store);
        let cancel = Cancel::default();
        let cancelled = memory.cancelled_by(cancel.clone());
        let said = [Message::new("Never mind.")];
        let before = memory.raw().unwrap().lines();
        cancel.cancel();
        let error = cancelled.remember(&ada(), &said, &operation("cancelled")).unwrap_err();
        assert_eq!(error.code(), "cancelled");
        assert_eq!(cancelled.restore(&mut BufReader::new(file.as_slice())).unwrap_err().code(), "cancelled");
        assert_eq!(cancelled.export(&ExportScope::Store, &mut Vec::new()).unwrap_err().code(), "cancelled");
        assert_eq!(memory.raw().unwrap().lines(), before, "{engine:?}");
        memory.remember(&ada(), &said, &operation("cancelled")).unwrap();
    }
}

#[test]
fn a_pause_waits_for_calls_and_holds_back_new_ones() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = crate::open_at(&database, "database.busy_timeout_ms = 300", ticking());
    memory.remember(&ada(), &[Message::new("Before.")], &operation("before")).unwrap();
    assert!(memory.pause(std::time::Duration::from_secs(5)));
    let error = memory.remember(&ada(), &[Message::new("Meanwhile.")], &operation("meanwhile")).unwrap_err();
    assert_eq!(error.code(), "database_busy");
    memory.resume();
    memory.remember(&ada(), &[Message::new("After.")], &operation("after")).unwrap();
}

/// What an export says of its next id is a number, and nothing is made or walked by it.
#[test]
fn a12_a_counter_in_an_export_costs_nothing() {
    let elsewhere = TestDatabase::new(Engine::Sqlite);
    let there = open(&elsewhere);
    there.remember(&ada(), &[Message::new("The harbour opens at nine.")], &operation("said")).unwrap();
    let file = String::from_utf8(export(&there, &ExportScope::Spaces(vec![ada()]))).unwrap();
    let next: i64 = i64::from(i32::MAX);
    let far = with_right_sums(&file.replace("\"next_id\":2,", &format!("\"next_id\":{next},")));
    assert_ne!(far, file, "{file}");
    // The same with an item that lies at the end.
    let item = next - 1;
    let at_the_end = far
        .replace("\"item_id\":1,", &format!("\"item_id\":{item},"))
        .replace("\"end_id\":2", &format!("\"end_id\":{next}"));
    for (file, id) in [(far, 1), (with_right_sums(&at_the_end), item)] {
        for engine in Engine::ALL {
            let database = TestDatabase::new(engine);
            let memory = open(&database);
            import(&memory, file.as_bytes()).unwrap();
            let find = |memory: &Recordar| {
                let found = memory
                    .search(&[ada()], &recordar::search::SearchRequest::new("When does the harbour open?"))
                    .unwrap();
                found.hits.iter().map(|hit| hit.item.item_id).collect::<Vec<_>>()
            };
            assert_eq!(find(&memory), [id]);
            memory.remember(&ada(), &[Message::new("The harbour closes at five.")], &operation("more")).unwrap();
            assert_eq!(find(&memory).len(), 2);
            drop(memory);
            // Opened again, from what was kept: one segment for what is stored, and not one for each range of ids.
            let memory = open(&database);
            assert_eq!(find(&memory).len(), 2);
            drop(memory);
            if engine == Engine::Sqlite {
                let file = rusqlite::Connection::open(database.url.trim_start_matches("sqlite:")).unwrap();
                let kept: i64 = file.query_row("SELECT COUNT(*) FROM segments", [], |row| row.get(0)).unwrap();
                assert!(kept <= 2, "{kept} segments");
            }
        }
    }
}
