//! Who may call what: every route with every kind of key, made from the table of verbs. A verb of a new reach does not compile here without a
//! rule.

use crate::calls::least;
use crate::clock::until;
use crate::served::{Served, sqlite};
use recordar::call::{ReachKind, VerbEntry};
use recordar::verb::VERBS;
use serde_json::{Value, json};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

/// What a status says about the door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Door {
    /// 401: who are you?
    Unknown,
    /// 403: you may not.
    Closed,
    /// Anything else: the verb itself answered.
    Open,
}

fn door(status: u16) -> Door {
    match status {
        401 => Door::Unknown,
        403 => Door::Closed,
        200 | 400 | 404 | 409 | 413 => Door::Open,
        other => panic!("{other} is no answer of a verb"),
    }
}

/// The rule for a key that may use the space, and for one that may use everything.
fn rule(verb: &VerbEntry) -> (Door, Door) {
    match verb.reach {
        ReachKind::OwnSpace | ReachKind::Spaces | ReachKind::Readable => (Door::Open, Door::Open),
        ReachKind::Store | ReachKind::Files => (Door::Closed, Door::Open),
    }
}

#[test]
fn ch_25_1_every_route_with_every_kind_of_key() {
    let database = sqlite();
    let (served, clock) = Served::with_clock(&database, "");
    let admin = served.key("admin", &["--admin"]);
    let own = served.key("own", &["--write", "user:ada"]);
    let pattern = served.key("pattern", &["--write", "user:*"]);
    let reader = served.key("reader", &["--read", "user:ada"]);
    let other = served.key("other", &["--write", "user:eve"]);
    let gone = served.key("gone", &["--admin"]);
    served.run(&["keys", "revoke", "gone"]);
    let late = served.key("late", &["--admin", "--expires", "1s"]);
    // Long enough for whatever time making the keys took.
    clock.advance(3600 * SECOND);
    // Something is there, so that verbs that read have a database.
    served.client(Some(&admin)).call("remember", "user:ada", &json!({"messages": [{"text": "lamp"}]})).is(200);
    let wrong = format!("rk_{}", "0".repeat(64));
    let keys = [
        (None, "none"),
        (Some(wrong.as_str()), "wrong"),
        (Some(gone.as_str()), "revoked"),
        (Some(late.as_str()), "expired"),
        (Some(other.as_str()), "other"),
        (Some(own.as_str()), "own"),
        (Some(pattern.as_str()), "pattern"),
        (Some(reader.as_str()), "reader"),
        (Some(admin.as_str()), "admin"),
    ];
    // What takes the whole store away comes last.
    let mut verbs: Vec<&VerbEntry> = VERBS.iter().collect();
    verbs.sort_by_key(|verb| ["revoke_key", "restore", "forget"].contains(&verb.name));
    for verb in verbs {
        // Many wrong keys at a time would be slowed down.
        clock.advance(SECOND);
        let (for_own, for_all) = rule(verb);
        let mut arguments = Value::Object(least(verb));
        // Calls of a model, and folders of models, are nobody's here.
        arguments.as_object_mut().unwrap().remove("send");
        for (key, name) in keys {
            let expected = match name {
                "none" | "wrong" | "revoked" | "expired" => Door::Unknown,
                "other" => Door::Closed,
                "own" | "pattern" => for_own,
                "reader" if verb.effect.name() == "reads" => for_own,
                "reader" => Door::Closed,
                _ => for_all,
            };
            let answer = served.client(key).call(verb.name, "user:ada", &arguments);
            assert_eq!(door(answer.status), expected, "{} with {name}: {}", verb.name, answer.text());
            if expected != Door::Open {
                let problem = answer.json();
                assert_eq!(answer.headers["content-type"], "application/problem+json");
                assert!(problem["remedy"].as_str().is_some_and(|remedy| !remedy.is_empty()), "{problem}");
            }
        }
    }
    for (path, for_own, for_all) in
        [("/metrics", Door::Closed, Door::Open), ("/v1/operations/none?space=user:ada", Door::Open, Door::Open)]
    {
        clock.advance(SECOND);
        for (key, name) in keys {
            let expected = match name {
                "none" | "wrong" | "revoked" | "expired" => Door::Unknown,
                "other" => Door::Closed,
                "admin" => for_all,
                _ => for_own,
            };
            let answer = served.client(key).get(path);
            assert_eq!(door(answer.status), expected, "{path} with {name}: {}", answer.text());
        }
    }
}

#[test]
fn ch_25_1_a_revoked_key_is_refused_at_once_and_a_used_one_says_so() {
    let database = sqlite();
    let served = Served::new(&database);
    let (admin, user) = (served.key("admin", &["--admin"]), served.key("user", &["--write", "user:ada"]));
    let mut client = served.client(Some(&user));
    client.call("remember", "user:ada", &json!({"messages": [{"text": "lamp"}]})).is(200);
    // It is written beside the call.
    let keys = until(|| {
        let keys = served.client(Some(&admin)).call("keys", "user:ada", &json!({})).is(200);
        let shown = keys.as_array().unwrap().iter().find(|key| key["name"] == "user").unwrap();
        shown["last_used_at"].is_string().then_some(keys)
    });
    assert!(!keys.to_string().contains(&user), "a key is shown once");
    served.client(Some(&admin)).call("revoke_key", "user:ada", &json!({"key": "user"})).is(200);
    assert_eq!(client.call("recall", "user:ada", &json!({"query": "lamp"})).status, 401);
}

#[test]
fn ch_25_1_a_key_is_refused_from_the_moment_it_expires_although_it_was_just_used() {
    let database = sqlite();
    let (served, clock) = Served::with_clock(&database, "");
    let admin = served.key("admin", &["--admin"]);
    let new = json!({"name": "brief", "admin": true, "expires": "10s"});
    let brief = served.client(Some(&admin)).call("make_key", "user:ada", &new).is(200)["key"].clone();
    let mut client = served.client(brief.as_str());
    let mut status_after = |time: Duration| {
        clock.advance(time);
        client.call("spaces", "user:ada", &json!({})).status
    };
    assert_eq!(status_after(Duration::ZERO), 200);
    assert_eq!(status_after(Duration::from_millis(9_500)), 200);
    assert_eq!(status_after(Duration::from_millis(499)), 200);
    assert_eq!(status_after(Duration::from_millis(1)), 401);
}

#[test]
fn ch_25_1_a_key_that_another_process_revokes_is_refused_a_second_later_and_when_the_clock_goes_back() {
    for is_set_back in [false, true] {
        let database = sqlite();
        let (served, clock) = Served::with_clock(&database, "");
        let (user, other) = (served.key("user", &["--admin"]), served.key("other", &["--admin"]));
        let status = |key: &str| served.client(Some(key)).call("spaces", "user:ada", &json!({})).status;
        assert_eq!((status(&user), status(&other)), (200, 200));
        served.run(&["keys", "revoke", "user"]);
        match is_set_back {
            true => clock.set_back(3600 * SECOND),
            false => clock.advance(SECOND),
        }
        assert_eq!((status(&user), status(&other)), (401, 200), "set back: {is_set_back}");
    }
}

#[test]
fn ch_25_without_keys_this_machine_may_call_but_not_read_its_files_or_make_keys() {
    let database = sqlite();
    let (served, clock) = Served::with_clock(&database, "");
    let mut anyone = served.client(None);
    anyone.call("remember", "user:ada", &json!({"messages": [{"text": "The lamp is lit at dusk."}]})).is(200);
    let context = anyone.call("recall", "user:ada", &json!({"query": "When is the lamp lit?"})).is(200);
    assert!(context["text"].as_str().unwrap().contains("dusk"), "{context}");
    std::fs::write(served.folder().join("private.md"), "# Private").unwrap();
    let path = served.folder().join("private.md");
    for (verb, arguments) in [
        ("ingest", json!({"paths": [path]})),
        ("import", json!({"file": path})),
        ("restore", json!({"file": path})),
        ("export", json!({"file": "x.jsonl"})),
        ("backup", json!({"file": "x.jsonl"})),
        ("add_model", json!({"name": "x", "folder": "/", "kind": "reranker"})),
        ("make_key", json!({"name": "mine", "admin": true})),
        ("keys", json!({})),
    ] {
        let answer = anyone.call(verb, "user:ada", &arguments);
        assert!([400, 403].contains(&answer.status), "{verb}: {}", answer.text());
        assert!(!answer.text().contains("rk_"), "{verb}");
    }
    // From the first key on, one is needed.
    served.key("admin", &["--admin"]);
    clock.advance(SECOND);
    assert_eq!(anyone.call("recall", "user:ada", &json!({"query": "lamp"})).status, 401);
}

#[test]
fn ch_25_an_application_acts_for_many_users_and_a_user_for_itself() {
    let database = sqlite();
    let served = Served::new(&database);
    let (app, ada) =
        (served.key("app", &["--write", "user:*", "--read", "shared:*"]), served.key("ada", &["--write", "user:ada"]));
    for user in ["user:ada", "user:eve"] {
        served
            .client(Some(&app))
            .call("remember", user, &json!({"messages": [{"text": format!("{user} likes lamps.")}]}))
            .is(200);
    }
    let both = json!({"query": "lamps", "also": ["user:eve"]});
    served.client(Some(&app)).call("search", "user:ada", &both).is(200);
    // It may read what is shared, and write nothing there.
    assert_eq!(
        served.client(Some(&app)).call("remember", "shared:handbook", &json!({"messages": [{"text": "x"}]})).status,
        403
    );
    assert_eq!(
        served.client(Some(&app)).call("remember", "project:x", &json!({"messages": [{"text": "x"}]})).status,
        403
    );
    let refused = served.client(Some(&ada)).call("search", "user:ada", &both);
    assert_eq!(refused.status, 404, "{}", refused.text());
    // A key of one space need not name it; one of several must.
    let headers = [("Content-Type", "application/json")];
    let body = json!({"query": "lamps"}).to_string();
    let own = served.client(Some(&ada)).send("POST", "/v1/search", &headers, body.as_bytes()).unwrap().is(200);
    assert_eq!(own["hits"][0]["space"], "user:ada");
    let unnamed = served.client(Some(&app)).send("POST", "/v1/search", &headers, body.as_bytes()).unwrap().is(400);
    assert!(unnamed["remedy"].as_str().unwrap().contains("?space="), "{unnamed}");
    // Which users there are is nobody's to know but theirs who may read them.
    let spaces = |key: &str| served.client(Some(key)).send("POST", "/v1/spaces", &headers, b"{}").unwrap().is(200);
    assert_eq!((spaces(&app), spaces(&ada)), (json!(["user:ada", "user:eve"]), json!(["user:ada"])));
}

#[test]
fn ch_25_a_key_that_may_only_read_is_told_that_it_keeps_no_receipt() {
    let database = sqlite();
    let served = Served::new(&database);
    let (ada, reader) = (served.key("ada", &["--write", "user:ada"]), served.key("reader", &["--read", "user:ada"]));
    served
        .client(Some(&ada))
        .call("remember", "user:ada", &json!({"messages": [{"text": "The lamp is lit."}]}))
        .is(200);
    let mut client = served.client(Some(&reader));
    assert!(client.call("recall", "user:ada", &json!({"query": "lamp"})).is(200)["receipt"].is_null());
    let refused = client.call("recall", "user:ada", &json!({"query": "lamp", "receipt": true})).is(403);
    assert!(refused["remedy"].as_str().unwrap().contains("receipt"), "{refused}");
}

/// Files that are sent or taken, in every form, with every kind of key. A new verb of this kind fails here until it has a rule.
#[test]
fn ch_25_1_files_that_are_sent_or_taken_with_every_kind_of_key() {
    let database = sqlite();
    let served = Served::new(&database);
    let admin = served.key("admin", &["--admin"]);
    let keys = [
        ("none", None),
        ("other", Some(served.key("other", &["--write", "user:eve"]))),
        ("reader", Some(served.key("reader", &["--read", "user:ada"]))),
        ("own", Some(served.key("own", &["--write", "user:ada"]))),
        ("admin", Some(admin.clone())),
    ];
    served.client(Some(&admin)).call("remember", "user:ada", &json!({"messages": [{"text": "lamp"}]})).is(200);
    for verb in VERBS.iter().filter(|verb| verb.is_carried) {
        let (for_reader, for_own) = match verb.name {
            "ingest" | "import" => (Door::Closed, Door::Open),
            "export" => (Door::Open, Door::Open),
            "backup" | "restore" => (Door::Closed, Door::Closed),
            other => panic!("who may send or take the files of {other}?"),
        };
        for (name, key) in &keys {
            let expected = match *name {
                "none" => Door::Unknown,
                "other" => Door::Closed,
                "reader" => for_reader,
                "own" => for_own,
                _ => Door::Open,
            };
            let mut client = served.client(key.as_deref());
            let answer = match verb.effect.name() {
                "reads" => client.call(verb.name, "user:ada", &json!({})),
                _ => client.upload(&format!("/v1/{}?space=user:ada", verb.name), &[("x.md", b"# Lamp")], &json!({})),
            };
            assert_eq!(door(answer.status), expected, "{} with {name}: {}", verb.name, answer.text());
        }
    }
    for (name, key) in &keys {
        let expected = match *name {
            "none" => Door::Unknown,
            "other" => Door::Closed,
            _ => Door::Open,
        };
        let mut client = served.client(key.as_deref());
        let headers = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
        let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
        let answer = client.send("POST", "/mcp?space=user:ada", &headers, list.as_bytes()).unwrap();
        assert_eq!(door(answer.status), expected, "/mcp with {name}: {}", answer.text());
        let answer = client.send("DELETE", "/v1/operations/none?space=user:ada", &[], b"").unwrap();
        assert_eq!(door(answer.status), expected, "DELETE /v1/operations with {name}: {}", answer.text());
    }
}

#[test]
fn ch_25_revoking_the_last_key_opens_no_door() {
    let database = sqlite();
    let served = Served::new(&database);
    let admin = served.key("admin", &["--admin"]);
    served.client(Some(&admin)).call("revoke_key", "user:ada", &json!({"key": "admin"})).is(200);
    assert_eq!(served.client(None).call("spaces", "user:ada", &json!({})).status, 401);
    let again = served.again();
    assert_eq!(again.client(None).call("spaces", "user:ada", &json!({})).status, 401);
}
