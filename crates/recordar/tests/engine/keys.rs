//! API keys: made, found by their secret, limited, expired and revoked; and nothing of a secret in the database.

use crate::conformance::agree;
use crate::transfer::export;
use crate::{ada, open, open_at, operation, set_clock};
use recordar::answer::AskRequest;
use recordar::call::{Call, Caller};
use recordar::forget::Expiry;
use recordar::key::{MadeKey, NewKey, SpacePattern};
use recordar::model::Method;
use recordar::recall::Authority;
use recordar::transfer::ExportScope;
use recordar::{Config, Error, Message, Recordar, SpaceName, system_clock};
use recordar_testkit::{Answer, Engine, ModelServer, TestDatabase};
use serde_json::{Value, json};
use std::sync::atomic::Ordering;

const MODEL_KEY: &str = "sk-test-keys-0123456789";

fn new(name: &str) -> NewKey {
    let write = vec![SpacePattern::parse("user:ada").unwrap()];
    let read = vec![SpacePattern::parse("shared:*").unwrap()];
    NewKey { name: name.to_owned(), is_admin: false, write, read, expires: None, max_usd_per_day: None }
}

fn make(memory: &Recordar, new: &NewKey, random: u8) -> MadeKey {
    memory.make_key(new, [random; 32]).unwrap()
}

fn call(memory: &Recordar, authority: Authority, verb: &str, arguments: Value) -> Result<Value, Error> {
    let caller = Caller {
        space: ada(),
        names_space: false,
        within: None,
        files: true,
        authority,
        account: None,
        operation: operation("unnamed"),
    };
    let arguments = arguments.as_object().unwrap().clone();
    let reply = memory.call(recordar::verb::named(verb)?, Call::new(caller), arguments)?;
    Ok(reply.to_value().unwrap())
}

fn space(name: &str) -> SpaceName {
    SpaceName::parse(name).unwrap()
}

#[test]
fn i25_keys_are_made_listed_and_revoked_alike_on_every_database() {
    agree(|memory, _| {
        assert!(!memory.has_keys().unwrap());
        let laptop = make(memory, &new("laptop"), 1);
        assert_eq!(laptop.key, format!("rk_{}", "01".repeat(32)));
        let admin = NewKey { is_admin: true, write: Vec::new(), read: Vec::new(), ..new("admin") };
        let admin = make(memory, &admin, 2);
        assert!(memory.has_keys().unwrap());

        let found = memory.key_of(&laptop.key).unwrap().unwrap();
        assert_eq!((&found.id, found.name.as_str(), found.is_admin), (&laptop.view.id, "laptop", false));
        let may = |name: &str| {
            found
                .within()
                .map_or((true, true), |within| (within.may_read(&space(name)), within.may_write(&space(name))))
        };
        assert_eq!([may("user:ada"), may("shared:x"), may("user:eve")], [(true, true), (true, false), (false, false)]);
        assert_eq!(found.read.iter().map(SpacePattern::as_str).collect::<Vec<_>>(), ["user:ada", "shared:*"]);
        assert!(memory.key_of(&admin.key).unwrap().unwrap().within().is_none());
        let unknown = format!("rk_{}", "03".repeat(32));
        for nothing in ["", "rk_", &unknown, &laptop.view.id, &laptop.key[3..], &laptop.key.to_uppercase()] {
            assert_eq!(memory.key_of(nothing).unwrap(), None, "{nothing}");
        }

        let error = memory.make_key(&new("laptop"), [3; 32]).unwrap_err();
        assert!(error.to_string().contains("already an API key with the name \"laptop\""), "{error}");
        let revoked = memory.revoke_key("laptop").unwrap();
        assert!(revoked.revoked_at.is_some() && memory.key_of(&laptop.key).unwrap().is_none());
        assert_eq!(memory.revoke_key(&laptop.view.id).unwrap(), revoked, "revoking again changes nothing");
        let again = make(memory, &new("laptop"), 4);
        memory.revoke_key("laptop").unwrap();
        assert!(memory.key_of(&again.key).unwrap().is_none(), "of two with the name, it is the one that was valid");
        let error = memory.revoke_key("nobody").unwrap_err();
        assert_eq!((error.code(), error.remedy().as_str()), ("not_found", "see `recordar keys list`"));
        let names: Vec<String> = memory.keys().unwrap().into_iter().map(|key| key.name).collect();
        assert_eq!(names, ["laptop", "admin", "laptop"]);
    });
}

#[test]
fn i25_keys_are_stored_as_their_sha256_and_nothing_else() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open(&database);
        let arguments = json!({"name": "laptop", "spaces": ["user:ada"]});
        let made = call(&memory, Authority::Administrator, "make_key", arguments).unwrap();
        let secret = made["key"].as_str().unwrap().to_owned();
        memory.key_of(&secret).unwrap().unwrap();
        memory.note_key_use(made["id"].as_str().unwrap());
        let rows = memory.raw().unwrap().lines();
        let hash = recordar::document::Digest::of(&secret).to_string();
        assert!(rows.iter().any(|row| row.contains(&hash)));
        assert!(!rows.iter().any(|row| row.starts_with("operations ")), "{rows:?}");
        let bytes_as_hex: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
        let listed = call(&memory, Authority::Administrator, "keys", json!({})).unwrap().to_string();
        let mut seen = format!("{} {listed}", rows.join("\n"));
        drop(memory);
        for file in std::fs::read_dir(database.folder.path()).unwrap() {
            seen.push_str(&String::from_utf8_lossy(&std::fs::read(file.unwrap().path()).unwrap()));
        }
        for form in [secret.as_str(), &secret[3..], &bytes_as_hex] {
            assert!(!seen.contains(form), "{engine:?}");
        }
    }
}

#[test]
fn i25_keys_expire() {
    for engine in Engine::ALL {
        let (seconds, clock) = set_clock();
        let database = TestDatabase::new(engine);
        let memory = open_at(&database, "", clock);
        let expiring = |text: &str| NewKey { expires: Some(Expiry::parse(text).unwrap()), ..new("laptop") };
        let made = make(&memory, &expiring("90d"), 1);
        assert_eq!(made.view.expires_at.unwrap().as_micros(), (1_700_000_000 + 90 * 86_400) * 1_000_000);
        seconds.store(1_700_000_000 + 90 * 86_400 - 1, Ordering::Relaxed);
        assert!(memory.key_of(&made.key).unwrap().is_some() && memory.has_keys().unwrap());
        seconds.store(1_700_000_000 + 90 * 86_400, Ordering::Relaxed);
        assert!(memory.key_of(&made.key).unwrap().is_none() && !memory.has_keys().unwrap());
        let error = memory.make_key(&expiring("2020-01-01"), [2; 32]).unwrap_err();
        assert!(error.to_string().contains("which is past"), "{error}");
        assert_eq!(memory.keys().unwrap().len(), 1, "one that has expired is listed, and keeps its name");
    }
}

#[test]
fn i25_keys_that_make_no_sense_are_refused() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let check = |arguments: Value, expected: &str| {
        let error = call(&memory, Authority::Administrator, "make_key", arguments).unwrap_err();
        assert!(error.code() == "invalid" && error.to_string().contains(expected), "{error}");
        assert!(!error.remedy().is_empty());
    };
    check(json!({"name": "x"}), "would open nothing");
    check(json!({"name": " ", "admin": true}), "is empty");
    check(json!({"name": "a\nb", "admin": true}), "control character");
    check(json!({"name": "n".repeat(101), "admin": true}), "more than 100 characters");
    check(json!({"name": "0123456789abcdef", "admin": true}), "looks like the id of a key");
    check(json!({"name": "x", "spaces": ["us*"]}), "not a valid pattern of spaces");
    check(json!({"name": "x", "read": ["user:*a"]}), "only its last character may be a star");
    check(json!({"name": "x", "spaces": vec!["user:ada"; 101]}), "the limit is 100");
    check(json!({"name": "x", "admin": true, "expires": "soon"}), "neither a time nor a duration");
    check(json!({"name": "x", "admin": true, "max_usd_per_day": -1.0}), "out of range");
    assert!(memory.keys().unwrap().is_empty());
    for (verb, arguments) in
        [("make_key", json!({"name": "x", "admin": true})), ("keys", json!({})), ("revoke_key", json!({"key": "x"}))]
    {
        assert_eq!(call(&memory, Authority::User, verb, arguments).unwrap_err().code(), "out_of_reach");
    }
}

#[test]
fn i25_keys_a_name_is_given_once_however_many_ask_for_it() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open(&database);
        let made = std::thread::scope(|scope| {
            let asking = |random: u8| memory.make_key(&new("laptop"), [random; 32]).is_ok();
            let threads: Vec<_> = (1..=8).map(|random| scope.spawn(move || asking(random))).collect();
            threads.into_iter().map(|thread| usize::from(thread.join().unwrap())).sum::<usize>()
        });
        assert_eq!((made, memory.keys().unwrap().len()), (1, 1), "{engine:?}");
    }
}

#[test]
fn i25_keys_remember_their_last_use_to_the_minute() {
    for engine in Engine::ALL {
        let (seconds, clock) = set_clock();
        let database = TestDatabase::new(engine);
        let memory = open_at(&database, "", clock);
        let made = make(&memory, &new("laptop"), 1);
        let last = || memory.keys().unwrap()[0].last_used_at.map(|time| time.as_micros() / 1_000_000 - 1_700_000_000);
        assert_eq!(last(), None);
        for (now, expected) in [(5, 5), (30, 5), (64, 5), (65, 65), (40, 65), (200, 200)] {
            seconds.store(1_700_000_000 + now, Ordering::Relaxed);
            memory.note_key_use(&made.view.id);
            assert_eq!(last(), Some(expected), "{engine:?}, at {now}");
        }
        memory.note_key_use("0123456789abcdef");
        assert!(memory.spaces().unwrap().is_empty(), "it is no write to any space");
    }
}

#[test]
fn i25_keys_where_there_is_no_database_there_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let config = Config::from_toml("database.url = \"sqlite:none.db\"", folder.path()).unwrap();
    let memory = Recordar::open_existing(config, system_clock()).unwrap();
    assert_eq!(memory.key_of(&format!("rk_{}", "01".repeat(32))).unwrap(), None);
    assert!(!memory.has_keys().unwrap());
    memory.note_key_use("0123456789abcdef");
    assert_eq!(call(&memory, Authority::Administrator, "keys", json!({})).unwrap_err().code(), "no_database");
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
    call(&memory, Authority::Administrator, "make_key", json!({"name": "first", "admin": true})).unwrap();
    assert!(memory.has_keys().unwrap());
}

#[test]
fn i25_keys_stay_with_their_store() {
    for engine in Engine::ALL {
        let (database, other) = (TestDatabase::new(engine), TestDatabase::new(Engine::Sqlite));
        let (memory, elsewhere) = (open(&database), open(&other));
        memory.remember(&ada(), &[Message::new("The boat comes on Tuesday.")], &operation("said")).unwrap();
        let made = make(&memory, &new("laptop"), 1);
        let file = export(&memory, &ExportScope::Store);
        let text = String::from_utf8(file.clone()).unwrap();
        let hash = recordar::document::Digest::of(&made.key).to_string();
        assert!(!text.contains(&hash) && !text.contains("laptop") && !text.contains("api_keys"));
        elsewhere.restore(&mut file.as_slice()).unwrap();
        assert!(elsewhere.keys().unwrap().is_empty() && elsewhere.spaces().unwrap() == ["user:ada"]);
        make(&memory, &new("phone"), 2);
        memory.restore(&mut file.as_slice()).unwrap();
        assert_eq!(memory.keys().unwrap().len(), 2, "{engine:?}: restoring leaves them as they are");
        assert!(memory.key_of(&made.key).unwrap().is_some());
    }
}

/// A server whose replies cost much more than what is reserved for a call.
fn server() -> ModelServer {
    ModelServer::start(|_| {
        let content = json!({"answer": "On Tuesday.", "citations": [1]}).to_string();
        Answer::json(json!({
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}],
            "usage": {"prompt_tokens": 20_000, "completion_tokens": 3000},
        }))
    })
}

fn with_model(server: &ModelServer, provider: &str, model: &str) -> String {
    format!(
        "[llm]\nprovider = {provider:?}\nmodel = {model:?}\nbase_url = {:?}\napi_key = {MODEL_KEY:?}\nretries = 0\nrepairs = 0\n\
         max_output_tokens = 100",
        server.url()
    )
}

#[test]
fn i25_keys_have_their_own_spending_limit_a_day() {
    const COST: f64 = 0.004_8;
    for engine in Engine::ALL {
        let (seconds, clock) = set_clock();
        let server = server();
        let database = TestDatabase::new(engine);
        let memory = open_at(&database, &with_model(&server, "openai", "gpt-4o-mini"), clock);
        let said = ["The boat brings oil on Tuesday.", "Bees live behind the tower."].map(Message::new);
        memory.remember(&ada(), &said, &operation("said")).unwrap();
        let limited = NewKey { max_usd_per_day: Some(0.004_85), ..new("limited") };
        let (limited, free) = (make(&memory, &limited, 1), make(&memory, &new("free"), 2));
        let account = |made: &MadeKey| memory.key_of(&made.key).unwrap().map(|key| key.account);
        let ask = |made: Option<&MadeKey>| {
            let memory = memory.charged_to(made.and_then(account));
            memory.ask(&[ada()], &AskRequest::new("When does the boat bring oil?"))
        };
        let spent = || -> Vec<i64> {
            let keys = memory.keys().unwrap();
            let of = |made: &MadeKey| keys.iter().find(|key| key.id == made.view.id).unwrap().spent_today_usd;
            [&limited, &free].map(|made| (of(made) * 1e9).round() as i64).into()
        };
        let cost = (COST * 1e9).round() as i64;
        assert_eq!(ask(Some(&limited)).unwrap().method, Method::Model);
        assert_eq!(spent(), [cost, 0], "{engine:?}");
        let error = ask(Some(&limited)).unwrap_err();
        assert_eq!(error.code(), "model_ceiling", "{error}");
        let told = format!("left of the limit of $0.00485 a day for the API key {}", limited.view.id);
        assert!(error.to_string().contains(&told), "{error}");
        assert!(error.remedy().contains("administrator"), "{}", error.remedy());
        assert_eq!(server.received().len(), 1, "it was refused before anybody was called");

        // Others are not affected, and everything is in the sum of the store.
        ask(Some(&free)).unwrap();
        ask(None).unwrap();
        assert_eq!(spent(), [cost, cost], "{engine:?}");
        let today = memory.models().unwrap().llm.unwrap().spent_today;
        assert_eq!((today.nano_usd, today.tokens), (3 * cost as u64, 3 * 23_000));
        assert!(!memory.raw().unwrap().lines().iter().any(|row| row.starts_with("reservations ")));
        assert_eq!(memory.revoke_key("free").unwrap().spent_today_usd, COST);

        seconds.store(1_700_100_000, Ordering::Relaxed);
        assert_eq!(spent(), [0, 0], "the next day begins at nothing");
        ask(Some(&limited)).unwrap();
    }
}

#[test]
fn i25_keys_with_a_limit_cannot_use_a_model_without_a_price() {
    let server = server();
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = crate::open_with(&database, &with_model(&server, "compatible", "small"));
    memory.remember(&ada(), &[Message::new("The boat brings oil on Tuesday.")], &operation("said")).unwrap();
    let made = make(&memory, &NewKey { max_usd_per_day: Some(1.0), ..new("limited") }, 1);
    let account = memory.key_of(&made.key).unwrap().unwrap().account;
    let question = AskRequest::new("When does the boat bring oil?");
    let error = memory.charged_to(Some(account)).ask(&[ada()], &question).unwrap_err();
    assert_eq!(error.code(), "model_ceiling");
    assert!(error.to_string().contains("its price is unknown"), "{error}");
    assert!(server.received().is_empty());
    memory.ask(&[ada()], &question).unwrap();
}
