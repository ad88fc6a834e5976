//! Two servers of one database.

use crate::served::Served;
use recordar_testkit::{Engine, TestDatabase, rounds};
use serde_json::json;

/// Every write through one is read through the other at once, by its id and by a search.
fn written_on_one_read_on_the_other(engine: Engine) {
    let database = TestDatabase::new(engine);
    // Both start at the same time on an empty database: one of them makes the schema.
    let (one, two) = std::thread::scope(|scope| {
        let other = scope.spawn(|| Served::new(&database));
        (Served::new(&database), other.join().unwrap())
    });
    let (mut writer, mut reader) = (one.client(None), two.client(None));
    let count = rounds(300, 10_000);
    for number in 0..count {
        let text = format!("The word of the day {number} is lamp{number}.");
        let stored = writer.call("remember", "user:ada", &json!({"messages": [{"text": text}]})).is(200);
        let item = reader.call("item", "user:ada", &json!({"item": stored["items"][0]})).is(200);
        assert_eq!(item["text"], text.as_str(), "{number}");
        // A search opens what is new in its index.
        if number % 10 == 0 {
            let query = format!("lamp{number}");
            let found =
                reader.call("search", "user:ada", &json!({"query": query, "mode": "keyword", "limit": 1})).is(200);
            assert_eq!(found["hits"][0]["text"], text.as_str(), "{number}");
        }
        std::mem::swap(&mut writer, &mut reader);
    }
    // A key that is revoked through one is refused by another soon after: by one whose clock can be set.
    let (third, clock) = Served::with_clock(&database, "");
    let (admin, user) = (one.key("admin", &["--admin"]), one.key("user", &["--write", "user:ada"]));
    third.client(Some(&user)).call("search", "user:ada", &json!({"query": "lamp1"})).is(200);
    one.client(Some(&admin)).call("revoke_key", "user:ada", &json!({"key": "user"})).is(200);
    clock.advance(std::time::Duration::from_secs(1));
    assert_eq!(third.client(Some(&user)).call("search", "user:ada", &json!({"query": "lamp1"})).status, 401);
    println!("{count} writes on {engine:?}");
}

#[test]
fn ch_25_5_two_nodes_on_postgres() {
    written_on_one_read_on_the_other(Engine::Postgres);
}

#[test]
fn ch_25_5_two_nodes_on_mariadb() {
    written_on_one_read_on_the_other(Engine::MySql);
}
