//! `update` and `history`: a change takes the place of what was, and nothing of it is lost.

use crate::{ada, open_at, operation, set_clock, text};
use recordar::forget::ForgetRequest;
use recordar::item::{ItemKind, ItemName, Metadata, Role, UpdateRequest, Updated};
use recordar::search::SearchRequest;
use recordar::{Error, Message, Recordar, Timestamp};
use recordar_testkit::{Engine, TestDatabase};
use std::sync::atomic::Ordering;

fn update(
    memory: &Recordar,
    name: ItemName,
    text: Option<&str>,
    metadata: Option<&str>,
    id: &str,
) -> Result<Updated, Error> {
    let metadata = metadata.map(|json| Metadata::from_json(json).unwrap());
    memory.update(&ada(), &UpdateRequest { name, text: text.map(str::to_owned), metadata }, &operation(id))
}

fn history(memory: &Recordar, name: ItemName) -> Vec<(i64, String, bool, bool)> {
    let entries = memory.item_history(&ada(), &name).unwrap().entries.into_iter();
    entries
        .map(|entry| (entry.item.item.item_id, entry.item.item.text, entry.item.live, entry.retired_at.is_some()))
        .collect()
}

fn found(memory: &Recordar, as_of: Option<Timestamp>) -> Vec<String> {
    let hits = memory.search(&[ada()], &SearchRequest { as_of, ..SearchRequest::new("lamp") }).unwrap().hits;
    hits.into_iter().map(|hit| hit.item.text).collect()
}

#[test]
fn i20_filter_an_update_keeps_everything_else_and_the_past() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let (seconds, clock) = set_clock();
        let memory = open_at(&database, "", clock);
        let number = ItemName::Number;
        let message = Message {
            thread: Some("standup".to_owned()),
            role: Role::Assistant,
            speaker: Some("Ana".to_owned()),
            source: Some("chat".to_owned()),
            time: Timestamp::parse("2024-05-01").ok(),
            metadata: Metadata::from_json(r#"{"a": 1}"#).unwrap(),
            ..Message::new("The lamp is red.")
        };
        let fact =
            Message { kind: ItemKind::Fact, id: Some("colour".to_owned()), ..Message::new("A lamp has a colour.") };
        let items = memory.remember(&ada(), &[message, fact], &operation("first")).unwrap().items;
        let before = Timestamp::from_micros(seconds.load(Ordering::Relaxed) * 1_000_000 + 1);
        seconds.fetch_add(60, Ordering::Relaxed);

        let changed = update(&memory, number(items[0]), Some("The lamp is blue."), None, "one").unwrap();
        assert_eq!((changed.replaced, changed.repeated), (items[0], false));
        let repeated = update(&memory, number(items[0]), Some("The lamp is blue."), None, "one").unwrap();
        assert_eq!((repeated.item_id, repeated.repeated), (changed.item_id, true), "done once");
        let (old, new) =
            (memory.item(&ada(), &number(items[0])).unwrap(), memory.item(&ada(), &number(changed.item_id)).unwrap());
        assert!(!old.live && new.live);
        let kept = |item: &recordar::item::StoredItem| {
            let view = &item.item;
            (
                view.kind,
                view.thread.clone(),
                view.role.clone(),
                view.speaker.clone(),
                view.occurred_at,
                item.source.clone(),
                view.stored.clone(),
            )
        };
        assert_eq!(kept(&old), kept(&new));
        assert!(found(&memory, None).contains(&"The lamp is blue.".to_owned()));
        let past = found(&memory, Some(before));
        assert!(past.contains(&"The lamp is red.".to_owned()) && !past.contains(&"The lamp is blue.".to_owned()));

        // Again, only the metadata; and nothing at all.
        seconds.fetch_add(60, Ordering::Relaxed);
        let again = update(&memory, number(changed.item_id), None, Some(r#"{"b": 2}"#), "two").unwrap();
        let same =
            update(&memory, number(again.item_id), Some("The lamp is blue."), Some(r#"{"b": 2}"#), "three").unwrap();
        assert_eq!((same.item_id, same.replaced), (again.item_id, again.item_id), "nothing changed");
        let ids = [again.item_id, changed.item_id, items[0]];
        for id in ids {
            let entries = history(&memory, number(id));
            assert_eq!(
                entries.iter().map(|entry| entry.0).collect::<Vec<_>>(),
                ids,
                "from any of them, the newest first"
            );
            assert_eq!(
                entries.iter().map(|entry| (entry.2, entry.3)).collect::<Vec<_>>(),
                [(true, false), (false, true), (false, true)]
            );
        }
        // By its own id, which it keeps; also rows that were stored again under it.
        let own = || ItemName::OwnId("colour".to_owned());
        let by_id = update(&memory, own(), Some("Every lamp has a colour."), None, "four").unwrap();
        assert_eq!(by_id.replaced, items[1]);
        let stored =
            Message { kind: ItemKind::Fact, id: Some("colour".to_owned()), ..Message::new("Lamps have colours.") };
        let third = memory.remember(&ada(), &[stored], &operation("five")).unwrap().items[0];
        assert_eq!(
            history(&memory, own()).iter().map(|entry| entry.0).collect::<Vec<_>>(),
            [third, by_id.item_id, items[1]]
        );
        assert_eq!(history(&memory, number(items[1])), history(&memory, own()));

        // What is forgotten is in no history.
        memory.forget(&ada(), &ForgetRequest::Items(vec![changed.item_id]), false, &operation("forget")).unwrap();
        assert_eq!(history(&memory, number(again.item_id)).len(), 1);
        assert_eq!(history(&memory, number(items[0])).len(), 1);
    }
}

#[test]
fn i20_filter_an_update_of_what_cannot_change_is_refused() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_at(&database, "", set_clock().1);
    memory.ingest_text(&ada(), text("text", "lamp.md", "The lamp burns.")).unwrap();
    let chunk = memory.document_text(&ada(), "lamp.md", None).unwrap().chunks[0].item_id;
    let item = memory.remember(&ada(), &[Message::new("The lamp is red.")], &operation("first")).unwrap().items[0];
    update(&memory, ItemName::Number(item), Some("The lamp is blue."), None, "one").unwrap();
    let check = |name: ItemName, text: Option<&str>, expected: &str| {
        let error = update(&memory, name, text, None, "refused").unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    };
    check(ItemName::Number(chunk), Some("x"), "chunk of a document");
    check(ItemName::Number(item), Some("x"), "is retired");
    check(ItemName::Number(9_999), Some("x"), "item 9999");
    check(ItemName::OwnId("none".to_owned()), Some("x"), "item with id");
    check(ItemName::Number(item), None, "nothing to change");
    let last = history(&memory, ItemName::Number(item))[0].0;
    check(ItemName::Number(last), Some("  "), "is empty");
    check(ItemName::Number(last), Some("a\0b"), "NUL");
    assert_eq!(history(&memory, ItemName::Number(item)).len(), 2, "nothing was written");
    assert!(memory.item_history(&ada(), &ItemName::Number(9_999)).is_err());
}
