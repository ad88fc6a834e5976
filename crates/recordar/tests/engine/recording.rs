//! Records: named values of applications. They move and go with their space, are the same on the three databases, and are never found.

use crate::transfer::{export, import};
use crate::{ada, open, operation};
use recordar::forget::ForgetRequest;
use recordar::record::{Record, RecordName, RecordOrdering, RecordsRequest};
use recordar::search::SearchRequest;
use recordar::transfer::ExportScope;
use recordar::{Message, Recordar, SpaceName};
use recordar_testkit::{Engine, Random, TestDatabase};
use std::collections::BTreeMap;

fn record(bucket: &str, key: &str, value: &[u8]) -> Record {
    Record { bucket: bucket.to_owned(), key: key.to_owned(), value: value.to_vec(), keep: false }
}

fn name(bucket: &str, key: &str) -> RecordName {
    RecordName { bucket: bucket.to_owned(), key: key.to_owned() }
}

fn all(bucket: &str) -> RecordsRequest {
    RecordsRequest {
        bucket: bucket.to_owned(),
        below: false,
        keys: None,
        prefix: String::new(),
        order: RecordOrdering::Key,
        reverse: false,
        values: true,
        offset: 0,
        limit: 1000,
    }
}

fn keys(memory: &Recordar, request: &RecordsRequest) -> Vec<String> {
    let list = memory.records(&ada(), request).unwrap();
    list.records.into_iter().map(|record| format!("{}{}", record.bucket, record.key)).collect()
}

fn put(memory: &Recordar, records: &[Record], delete: &[RecordName], id: &str) -> [usize; 3] {
    let put = memory.put_records(&ada(), records, delete, &operation(id)).unwrap();
    [put.stored, put.unchanged, put.deleted]
}

fn rows(memory: &Recordar) -> Vec<String> {
    let lines = memory.raw().unwrap().lines();
    let is_ours = |line: &String| ["records ", "buckets "].iter().any(|table| line.starts_with(table));
    lines.into_iter().filter(is_ours).collect()
}

#[test]
fn i23_6_records_are_put_listed_and_deleted_alike_on_three_databases() {
    let mut seen: Vec<Vec<String>> = Vec::new();
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open(&database);
        assert_eq!(keys(&memory, &all("a/")), Vec::<String>::new(), "no space yet");
        let large: Vec<u8> = (0..3 * 1024 * 1024 + 7).map(|byte| (byte % 251) as u8).collect();
        let first =
            [record("b/", "z", b"1"), record("a/", "é", b""), record("a/", "Z", &large), record("a/", "a", b"\xff")];
        assert_eq!(put(&memory, &first, &[], "1"), [4, 0, 0]);
        assert_eq!(put(&memory, &first, &[], "2"), [0, 4, 0], "nothing differs, so nothing is written");
        let kept = Record { keep: true, ..record("a/", "a", b"other") };
        assert_eq!(
            put(
                &memory,
                &[kept, record("a/", "Z", b"2"), record("a/b/", "k", b"3")],
                &[name("b/", "z"), name("no", "z")],
                "3"
            ),
            [2, 1, 1]
        );
        let repeated = memory.put_records(&ada(), &first, &[], &operation("1")).unwrap();
        assert_eq!((repeated.repeated, repeated.stored), (true, 4));
        assert!(memory.put_records(&ada(), &first[..1], &[], &operation("1")).is_err(), "the id was used otherwise");
        put(&memory, &[record("b/", "again", &large)], &[], "4");
        assert_eq!(keys(&memory, &all("a/")), ["a/Z", "a/a", "a/é"], "as bytes");
        let below = RecordsRequest { below: true, ..all("") };
        assert_eq!(keys(&memory, &below), ["a/Z", "a/a", "a/é", "a/b/k", "b/again"]);
        let by_age = RecordsRequest { order: RecordOrdering::Age, ..below.clone() };
        assert_eq!(keys(&memory, &by_age), ["a/é", "a/Z", "a/a", "a/b/k", "b/again"], "a replaced one keeps its age");
        let last = RecordsRequest { reverse: true, limit: 2, offset: 1, ..by_age };
        assert_eq!(keys(&memory, &last), ["a/b/k", "a/a"]);
        let some = |keys: &[&str]| RecordsRequest {
            keys: Some(keys.iter().map(ToString::to_string).collect()),
            ..below.clone()
        };
        assert_eq!(keys(&memory, &some(&["k", "a", "no"])), ["a/a", "a/b/k"]);
        assert_eq!(keys(&memory, &RecordsRequest { prefix: "a".to_owned(), ..below.clone() }), ["a/a", "b/again"]);
        let found = memory.records(&ada(), &all("b/")).unwrap().records.remove(0);
        assert_eq!((found.size, found.value().unwrap()), (large.len(), large.clone()));
        assert_eq!(
            memory.records(&ada(), &RecordsRequest { values: false, ..all("b/") }).unwrap().records[0].value(),
            None
        );
        let buckets = memory.buckets(&ada(), "a", 0, 1).unwrap();
        assert_eq!((buckets.buckets[0].bucket.as_str(), buckets.buckets[0].records, buckets.next), ("a/", 3, Some(1)));
        seen.push(rows(&memory));
        let gone = |id: &str, bucket: (&str, bool), keys: Option<&[String]>, prefix: &str| {
            memory.delete_records(&ada(), bucket, keys, prefix, &operation(id)).unwrap().deleted
        };
        assert_eq!(gone("5", ("a/", false), Some(&["a".to_owned(), "no".to_owned()]), ""), 1);
        assert_eq!(gone("6", ("b/", false), None, "ag"), 1);
        assert_eq!(gone("7", ("a/", true), None, ""), 3);
        assert_eq!((rows(&memory).len(), gone("8", ("a/", true), None, "")), (0, 0));
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0], seen[2]);
}

#[test]
fn i23_6_a_page_ends_early_after_16_mib() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let value = vec![7; 6 * 1024 * 1024];
    put(&memory, &["a", "b", "c"].map(|key| record("x", key, &value)), &[], "1");
    let page = memory.records(&ada(), &all("x")).unwrap();
    assert_eq!((page.records.len(), page.next), (2, Some(2)));
    let rest = memory.records(&ada(), &RecordsRequest { offset: 2, ..all("x") }).unwrap();
    assert_eq!((rest.records[0].key.as_str(), rest.next), ("c", None));
}

#[test]
fn i23_6_records_move_with_their_space_and_go_with_it() {
    let random = &mut Random(23);
    for (from, to) in
        [(Engine::Sqlite, Engine::Postgres), (Engine::Postgres, Engine::MySql), (Engine::MySql, Engine::Sqlite)]
    {
        let (here, there) = (TestDatabase::new(from), TestDatabase::new(to));
        let memory = open(&here);
        let bob = SpaceName::user("bob").unwrap();
        memory.put_records(&bob, &[record("secret", "k", b"of bob")], &[], &operation("bob")).unwrap();
        memory.remember(&ada(), &[Message::new("The lamp is lit.")], &operation("said")).unwrap();
        let mut model: BTreeMap<(String, String), Vec<u8>> = BTreeMap::new();
        let large = vec![1; 2 * 1024 * 1024];
        put(&memory, &[record("bucket 1", "large", &large)], &[], "large");
        model.insert(("bucket 1".to_owned(), "large".to_owned()), large);
        for step in 0..40 {
            let bucket = format!("bucket {}", random.below(4));
            let key = format!("key {}", random.below(6));
            if random.below(4) == 0 {
                put(&memory, &[], &[name(&bucket, &key)], &format!("d{step}"));
                model.remove(&(bucket, key));
            } else {
                let value: Vec<u8> = (0..random.below(40)).map(|_| random.below(256) as u8).collect();
                put(&memory, &[record(&bucket, &key, &value)], &[], &format!("p{step}"));
                model.insert((bucket, key), value);
            }
        }
        let stored = |memory: &Recordar| -> BTreeMap<(String, String), Vec<u8>> {
            let list = memory.records(&ada(), &RecordsRequest { below: true, ..all("") }).unwrap();
            list.records
                .into_iter()
                .map(|found| ((found.bucket.clone(), found.key.clone()), found.value().unwrap()))
                .collect()
        };
        assert_eq!(stored(&memory), model);
        let file = export(&memory, &ExportScope::Spaces(vec![ada()]));
        let next = open(&there);
        import(&next, &file).unwrap();
        assert_eq!(stored(&next), model);
        assert!(export(&next, &ExportScope::Spaces(vec![ada()])) == file);
        // They are not items: nothing finds them.
        assert_eq!(next.search(&[ada()], &SearchRequest::new("bucket key lamp")).unwrap().hits.len(), 1);
        next.forget(&ada(), &ForgetRequest::Space, false, &operation("gone")).unwrap();
        assert_eq!(rows(&next), Vec::<String>::new());
        assert_eq!(rows(&memory).iter().filter(|row| row.contains("secret")).count(), 1, "bob's are not touched");
        // Rows that no verb would have written are refused.
        let text = String::from_utf8(file).unwrap();
        let third = open(&TestDatabase::new(Engine::Sqlite));
        for (from, to) in [
            ("\"part\":1", "\"part\":2"),
            ("\"bytes\":2097152", "\"bytes\":2097153"),
            ("\"bucket\":\"bucket 1\"", "\"bucket\":\"bucket 9\""),
        ] {
            let changed = text.replacen(from, to, 1);
            assert!(changed != text, "{from}");
            assert!(import(&third, changed.as_bytes()).is_err(), "{to}");
        }
    }
}

#[test]
fn i23_6_records_have_limits() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let refused = |records: &[Record], delete: &[RecordName]| {
        memory.put_records(&ada(), records, delete, &operation("x")).unwrap_err().to_string()
    };
    let long = "k".repeat(1025);
    assert!(refused(&[], &[]).contains("no record was given"));
    assert!(refused(&[record("b", "", b"")], &[]).contains("1 to 1024"));
    assert!(refused(&[record("b", &long, b"")], &[]).contains("1 to 1024"));
    assert!(refused(&[record(&long, "k", b"")], &[]).contains("1024"));
    assert!(refused(&[record("b\0", "k", b"")], &[]).contains("NUL"));
    assert!(refused(&[record("b", "k", b"")], &[name("b", "k")]).contains("given twice"));
    assert!(refused(&[record("b", "k", &vec![0; 16 * 1024 * 1024 + 1])], &[]).contains("16777216"));
    let many: Vec<RecordName> = (0..10_001).map(|key| name("b", &key.to_string())).collect();
    assert!(refused(&[], &many).contains("too large"));
    for request in [RecordsRequest { limit: 0, ..all("b") }, RecordsRequest { limit: 1001, ..all("b") }, all("")] {
        assert!(memory.records(&ada(), &request).is_err());
    }
    assert!(
        memory.delete_records(&ada(), ("", true), None, "", &operation("y")).is_err(),
        "a whole space is forgotten otherwise"
    );
    put(&memory, &[record(&long[..1024], &long[..1024], &vec![9; 16 * 1024 * 1024])], &[], "z");
    assert_eq!(memory.records(&ada(), &all(&long[..1024])).unwrap().records[0].size, 16 * 1024 * 1024);
}
