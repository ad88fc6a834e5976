//! Opening, losing and sharing databases; every failure says which part failed and what to try.

use crate::{open, space, write};
use recordar_domain::{Metadata, Role};
use recordar_store::{DatabaseUrl, Error, MessageRow, Password, Store, StoreOptions};
use recordar_testkit::{Engine, TestDatabase};
use std::path::Path;
use std::time::Duration;

fn options(url: &str) -> StoreOptions {
    let url = DatabaseUrl::parse(url, Path::new("/")).unwrap();
    StoreOptions { attempts: 2, busy_timeout: Duration::from_millis(300), ..StoreOptions::new(url) }
}

fn say(store: &Store, id: &str) -> Result<i64, Error> {
    let metadata = Metadata::default();
    let row = MessageRow {
        kind: recordar_domain::ItemKind::Message,
        thread_id: None,
        role: Role::User,
        source: None,
        speaker: None,
        text: "hello",
        tokens: 1,
        importance: None,
        metadata: &metadata,
        occurred_at: None,
        own_id: None,
    };
    write(store, &space("user:ada"), id, 1, |writing| writing.add_messages(std::slice::from_ref(&row))).map(|w| w.value)
}

/// What opening says, and that the remedy names what is expected.
fn check_refused(url: &str, code: &str, word: &str) {
    match Store::open(options(url)) {
        Ok(_) => panic!("{url} opens"),
        Err(error) => {
            let said = format!("{error} {}", error.remedy());
            assert_eq!(error.code(), code, "{said}");
            assert!(said.contains(word), "{said}");
            assert!(!said.contains("s3cret"), "{said}");
        }
    }
}

#[test]
fn r16_a_password_beside_the_url_is_taken_letter_for_letter() {
    let database = TestDatabase::new(Engine::MySql);
    let name = database.url.rsplit('/').next().unwrap();
    let password = "s3cret%40@/:?# of Ada";
    database.run(&format!("CREATE USER '{name}'@'127.0.0.1' IDENTIFIED BY '{password}'")).unwrap();
    database.run(&format!("GRANT ALL ON {name}.* TO '{name}'@'127.0.0.1'")).unwrap();
    let url = database.url.replace("root@", &format!("{name}@"));
    check_refused(&url, "cannot_connect", "--ask-password");
    let with = |password: &str| {
        let options = options(&url);
        Store::open(StoreOptions { url: options.url.clone().with_password(Password::new(password)), ..options })
    };
    say(&with(password).unwrap(), "one").unwrap();
    let refused = with("s3cret").err().unwrap();
    assert!(!format!("{refused} {} {refused:?}", refused.remedy()).contains("s3cret"), "{refused}");
    let url = options(&url).url.with_password(Password::new(password));
    assert!(!format!("{url} {url:?} {:?}", Password::new(password)).contains("s3cret"));
    assert!(url.portable().is_some_and(|url| !url.contains("s3cret")), "it does not stand in the URL");
    database.run(&format!("DROP USER '{name}'@'127.0.0.1'")).unwrap();
}

#[test]
fn a1_a_database_that_cannot_be_opened_says_which_part_failed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    std::fs::write(folder.path().join("text.db"), "this is not a database, but a text of some length".repeat(20))
        .unwrap();
    check_refused(&at("missing/memory.db"), "cannot_connect", "mkdir -p");
    check_refused(&at(""), "cannot_connect", "folder");
    check_refused(&at("text.db"), "cannot_connect", "not a SQLite database");
    check_refused("postgres://ada:s3cret@127.0.0.1:1/memory", "cannot_connect", "port 1");
    check_refused("mysql://ada:s3cret@127.0.0.1:1/memory", "cannot_connect", "start the server");
    check_refused("postgres://ada:s3cret@no-such-host.invalid/memory", "cannot_connect", "host name");
    check_refused("mysql://ada:s3cret@no-such-host.invalid/memory", "cannot_connect", "host name");
    let postgres = TestDatabase::new(Engine::Postgres);
    check_refused(&format!("{}_missing", postgres.url), "cannot_connect", "CREATE DATABASE");
    let user = postgres.url.replace("recordar@", "nobody_known:s3cret@");
    check_refused(&user, "cannot_connect", "name and the password");
    let mysql = TestDatabase::new(Engine::MySql);
    check_refused(&format!("{}_missing", mysql.url), "cannot_connect", "CREATE DATABASE");
    check_refused(&mysql.url.replace("root@", "nobody_known:s3cret@"), "cannot_connect", "name and the password");
}

/// A user without rights: what is denied, the grant that the remedy names, and that it suffices.
fn check_denied(database: &TestDatabase, url: &str, grant: &str, rights: &str) {
    check_refused(url, "database_denied", grant);
    let refused = Store::open(options(url)).err().unwrap();
    assert!(!format!("{refused} {}", refused.remedy()).contains("bug"), "{refused}");
    database.run(rights).unwrap();
    let store = Store::open(options(url)).unwrap();
    say(&store, "one").unwrap();
}

#[test]
fn i19_errors_missing_rights_are_named_with_what_to_grant() {
    let postgres = TestDatabase::new(Engine::Postgres);
    let name = postgres.url.rsplit('/').next().unwrap().to_owned();
    postgres.run(&format!("CREATE USER {name}; REVOKE ALL ON SCHEMA public FROM PUBLIC")).unwrap();
    let url = postgres.url.replace("recordar@", &format!("{name}@"));
    check_refused(&url, "database_denied", "GRANT USAGE, CREATE ON SCHEMA public");
    postgres.run(&format!("GRANT USAGE ON SCHEMA public TO {name}")).unwrap();
    let grant = format!("GRANT USAGE, CREATE ON SCHEMA public TO \"{name}\"");
    check_denied(&postgres, &url, &grant, &grant);
    postgres.run(&format!("DROP OWNED BY {name} CASCADE; DROP USER {name}")).unwrap();

    let mysql = TestDatabase::new(Engine::MySql);
    let name = mysql.url.rsplit('/').next().unwrap().to_owned();
    mysql.run(&format!("CREATE USER '{name}'@'127.0.0.1'")).unwrap();
    let url = mysql.url.replace("root@", &format!("{name}@"));
    check_refused(&url, "cannot_connect", "grant user");
    mysql.run(&format!("GRANT SELECT ON {name}.* TO '{name}'@'127.0.0.1'")).unwrap();
    let grant = "GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX, REFERENCES ON";
    check_denied(&mysql, &url, grant, &format!("{grant} `{name}`.* TO '{name}'@'127.0.0.1'"));
    mysql.run(&format!("DROP USER '{name}'@'127.0.0.1'")).unwrap();
}

#[test]
fn i19_errors_a_user_who_may_only_read_can_read_and_is_told_what_writing_needs() {
    for engine in Engine::SERVERS {
        let database = TestDatabase::new(engine);
        say(&open(&database), "one").unwrap();
        let name = database.url.rsplit('/').next().unwrap().to_owned();
        let (create, drop) = match engine {
            Engine::Postgres => (
                format!(
                    "CREATE USER {name}; GRANT USAGE ON SCHEMA public TO {name}; GRANT SELECT ON ALL TABLES IN SCHEMA public TO {name}"
                ),
                format!("DROP OWNED BY {name} CASCADE; DROP USER {name}"),
            ),
            _ => (
                format!("GRANT SELECT ON {name}.* TO '{name}'@'127.0.0.1' IDENTIFIED BY ''"),
                format!("DROP USER '{name}'@'127.0.0.1'"),
            ),
        };
        database.run(&create).unwrap();
        let url = database.url.replace("recordar@", &format!("{name}@")).replace("root@", &format!("{name}@"));
        let store = Store::open(options(&url)).unwrap();
        assert!(store.read(|reading| reading.space(&space("user:ada"))).unwrap().is_some(), "{engine:?}");
        let refused = say(&store, "two").unwrap_err();
        assert_eq!(refused.code(), "database_denied", "{engine:?}: {refused}");
        assert!(refused.remedy().contains("GRANT SELECT, INSERT"), "{}", refused.remedy());
        database.run(&drop).unwrap();
    }
}

#[test]
fn i19_errors_reading_creates_no_database_and_the_first_write_does() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let store = Store::open_existing(options(&database.url)).unwrap();
        for _ in 0..2 {
            let missing = store.read(|reading| reading.space(&space("user:ada"))).unwrap_err();
            assert_eq!(missing.code(), "no_database", "{engine:?}: {missing}");
            assert!(missing.remedy().contains("recordar ingest"), "{}", missing.remedy());
        }
        assert_eq!(say(&store, "one").unwrap_err().code(), "no_database", "only `create` creates it");
        assert_eq!(std::fs::read_dir(database.folder.path()).unwrap().count(), 0, "{engine:?}");
        store.create().unwrap();
        say(&store, "one").unwrap();
        assert!(store.read(|reading| reading.space(&space("user:ada"))).unwrap().is_some());
        let later = Store::open_existing(options(&database.url)).unwrap();
        assert!(later.read(|reading| reading.space(&space("user:ada"))).unwrap().is_some(), "{engine:?}");
    }
}

#[test]
fn i19_errors_a_database_that_another_process_creates_meanwhile_is_found() {
    let database = TestDatabase::new(Engine::Sqlite);
    let early = Store::open_existing(options(&database.url)).unwrap();
    assert_eq!(early.read(|reading| reading.space(&space("user:ada"))).unwrap_err().code(), "no_database");
    say(&open(&database), "one").unwrap();
    assert!(early.read(|reading| reading.space(&space("user:ada"))).unwrap().is_some());
}

#[test]
fn a14_a_lost_connection_is_opened_again() {
    for engine in Engine::SERVERS {
        let database = TestDatabase::new(engine);
        let store = open(&database);
        for round in 1..=5 {
            assert_eq!(say(&store, &format!("op{round}")).unwrap(), round, "{engine:?}");
            database.cut_connections();
        }
        assert_eq!(store.read(|reading| reading.spaces()).unwrap()[0].revision, 5);
    }
}

#[test]
fn a14_a_connection_lost_inside_a_transaction_repeats_the_whole_of_it() {
    for engine in Engine::SERVERS {
        let database = TestDatabase::new(engine);
        let store = open(&database);
        let mut runs = 0;
        let written = write(&store, &space("user:ada"), "cut", 1, |writing| {
            runs += 1;
            let first = writing.thread_named("before the cut", None)?;
            if runs == 1 {
                database.cut_connections();
            }
            writing.thread_named("after the cut", None)?;
            Ok(first)
        });
        assert_eq!(written.unwrap().value, 1, "{engine:?}");
        assert_eq!(runs, 2);
        let id = store.read(|reading| Ok(reading.space(&space("user:ada"))?.unwrap().id)).unwrap();
        assert_eq!(store.read(|reading| reading.threads(id)).unwrap().len(), 2);
    }
}

#[test]
fn a14_a_database_that_stays_away_is_a_clear_error() {
    for engine in Engine::SERVERS {
        let database = TestDatabase::new(engine);
        let store = Store::open(options(&database.url)).unwrap();
        let error = write(&store, &space("user:ada"), "gone", 1, |writing| {
            database.cut_connections();
            writing.thread_named("x", None)
        });
        let error = error.unwrap_err();
        assert_eq!(error.code(), "connection_lost", "{error}");
        assert!(error.remedy().contains("same operation id"));
    }
}

#[test]
fn sqlite_says_when_another_process_keeps_it_locked() {
    let database = TestDatabase::new(Engine::Sqlite);
    let store = Store::open(options(&database.url)).unwrap();
    let other = rusqlite::Connection::open(database.url.trim_start_matches("sqlite:")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let busy = say(&store, "waits").unwrap_err();
    assert_eq!(busy.code(), "database_busy", "{busy}");
    assert!(store.read(|reading| reading.spaces()).is_ok(), "readers do not wait for writers");
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(say(&store, "waits").unwrap(), 1);
}

#[test]
fn sqlite_read_only_is_said_and_reading_goes_on() {
    let database = TestDatabase::new(Engine::Sqlite);
    say(&open(&database), "first").unwrap();
    let store = Store::open(options(&format!("{}?mode=ro", database.url))).unwrap();
    let refused = say(&store, "second").unwrap_err();
    assert_eq!(refused.code(), "database_read_only", "{refused}");
    assert_eq!(store.read(|reading| reading.spaces()).unwrap().len(), 1);
}

#[test]
fn several_openers_at_once_migrate_once() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let url = database.url.clone();
        let threads: Vec<_> = (0..6)
            .map(|number| {
                let url = DatabaseUrl::parse(&url, Path::new("/")).unwrap();
                std::thread::spawn(move || {
                    let store = Store::open(StoreOptions::new(url)).unwrap();
                    say(&store, &format!("op{number}")).unwrap()
                })
            })
            .collect();
        let mut ids: Vec<i64> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        ids.sort_unstable();
        assert_eq!(ids, [1, 2, 3, 4, 5, 6], "{engine:?}");
    }
}

#[test]
fn a_newer_schema_is_refused() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        drop(open(&database));
        let sql = "INSERT INTO recordar_schema (version, name) VALUES (999, 'future')";
        if engine == Engine::Sqlite {
            let connection = rusqlite::Connection::open(database.url.trim_start_matches("sqlite:")).unwrap();
            connection.execute_batch(sql).unwrap();
        } else {
            database.run(sql).unwrap();
        }
        check_refused(&database.url, "schema_newer", "newer version of Recordar");
    }
}

#[test]
fn a_migration_that_was_cut_off_is_finished() {
    // Data definition commits by itself on MariaDB, so only there half of it can be left.
    let database = TestDatabase::new(Engine::MySql);
    drop(open(&database));
    database.run("DELETE FROM recordar_schema; DROP TABLE tombstones; DROP TABLE lineage").unwrap();
    assert_eq!(say(&open(&database), "after").unwrap(), 1);
    let database = TestDatabase::new(Engine::MySql);
    drop(open(&database));
    database.run("DELETE FROM recordar_schema; DELETE FROM store").unwrap();
    assert_eq!(say(&open(&database), "after").unwrap(), 1);
    // An index that the migration drops is gone already.
    database.run("DELETE FROM recordar_schema WHERE version >= 5").unwrap();
    say(&open(&database), "end").unwrap();
}

#[test]
fn a_database_of_another_program_is_left_alone() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let sql = "CREATE TABLE items (id INTEGER)";
        if engine == Engine::Sqlite {
            rusqlite::Connection::open(database.url.trim_start_matches("sqlite:")).unwrap().execute_batch(sql).unwrap();
        } else {
            database.run(sql).unwrap();
        }
        check_refused(&database.url, "foreign_database", "separate database");
    }
}

#[test]
fn a_new_sqlite_file_is_its_owners_alone() {
    let database = TestDatabase::new(Engine::Sqlite);
    let store = open(&database);
    say(&store, "first").unwrap();
    for entry in std::fs::read_dir(database.folder.path()).unwrap() {
        let mode = std::os::unix::fs::PermissionsExt::mode(&entry.as_ref().unwrap().metadata().unwrap().permissions());
        assert_eq!(mode & 0o077, 0, "{:?}", entry.unwrap().path());
    }
}

#[test]
fn i19_12_a_database_in_ram_is_shared_by_its_connections_and_by_no_other_store() {
    let [one, other] =
        [(); 2].map(|()| Store::open(StoreOptions { attempts: 7, ..options("sqlite::memory:") }).unwrap());
    let say_ten = |thread: usize| (0..10).for_each(|turn| _ = say(&one, &format!("{thread}-{turn}")).unwrap());
    std::thread::scope(|scope| {
        (0..4).for_each(|thread| drop(scope.spawn(move || say_ten(thread))));
        for _ in 0..20 {
            one.read(|reading| reading.space(&space("user:ada"))).unwrap();
        }
    });
    let said = |store: &Store| {
        let messages = store.read(|reading| match reading.space(&space("user:ada"))? {
            Some(found) => reading.messages(found.id, None),
            None => Ok(Vec::new()),
        });
        messages.unwrap().len()
    };
    assert_eq!((said(&one), said(&other)), (40, 0));
    // Without any connection in the pools, as before a fork, it is still there.
    assert!(one.pause(Duration::from_secs(5)));
    one.resume();
    assert_eq!(said(&one), 40);
    assert!(one.scrub().unwrap());
    assert_eq!(one.url().to_string(), "sqlite::memory:");
    assert!(!Path::new("/recordar-0").exists() && !Path::new(":memory:").exists());
}
