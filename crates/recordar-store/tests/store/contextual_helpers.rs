//! A6: contextual helpers, their versions, and how they are forgotten.

use crate::{add_document, agree, open, read, space, write};
use recordar_domain::Timestamp;
use recordar_store::{CountedReceipts, Error, Expectations, ForgetTarget, HelperOrigin, HelperRow, Replace, Writing};
use recordar_testkit::{Engine, TestDatabase};
use std::collections::BTreeSet;

const GENERATED: HelperOrigin = HelperOrigin::Generated;
const USER: HelperOrigin = HelperOrigin::User;

fn help(writing: &mut Writing<'_>, document: i64, origin: HelperOrigin, text: &str) -> Result<i64, Error> {
    writing.add_helper(document, origin, text, 3).map(|helper| helper.id)
}

fn add(writing: &mut Writing<'_>, path: &str) -> Result<i64, Error> {
    add_document(writing, path, &["a"]).map(|stored| stored.document_id)
}

fn texts(helpers: &[HelperRow]) -> Vec<&str> {
    helpers.iter().map(|helper| helper.text.as_str()).collect()
}

#[test]
fn a6_a_helper_retires_the_one_before() {
    agree(|store| {
        let home = space("user:ada");
        let document = write(store, &home, "store", 1, |writing| add(writing, "a.txt")).unwrap().value;
        let other = write(store, &home, "other", 1, |writing| add(writing, "b.txt")).unwrap().value;
        read(store, &home, |reading, id| {
            assert_eq!(reading.helper(id, document)?, None);
            assert!(reading.helpers_of(id, document)?.is_empty());
            Ok(())
        });
        for (number, (origin, text)) in [(GENERATED, "one"), (GENERATED, "two"), (USER, "three")].iter().enumerate() {
            let seconds = number as i64 + 2;
            let made = write(store, &home, text, seconds, |writing| {
                let made = writing.add_helper(document, *origin, text, 3)?;
                assert_eq!((made.number, made.origin, made.is_live), (number as i64 + 1, *origin, true));
                assert_eq!(made.recorded_at, Timestamp::from_micros(seconds * 1_000_000));
                let space = writing.space_id();
                assert_eq!(writing.helper(space, document)?.as_ref(), Some(&made));
                Ok(made.id)
            });
            made.unwrap();
        }
        // What is made of the source never takes the place of what the user said.
        write(store, &home, "late", 8, |writing| {
            let kept = writing.add_helper(document, GENERATED, "four", 3)?;
            assert_eq!((kept.number, kept.text.as_str()), (3, "three"));
            Ok(())
        })
        .unwrap();
        write(store, &home, "beside", 9, |writing| help(writing, other, USER, "beside")).unwrap();
        read(store, &home, |reading, id| {
            let all = reading.helpers_of(id, document)?;
            assert_eq!(texts(&all), ["one", "two", "three"]);
            assert_eq!(all.iter().map(|helper| helper.is_live).collect::<Vec<_>>(), [false, false, true]);
            assert_eq!(reading.helper(id, document)?.as_ref(), all.last());
            let both = reading.live_helpers(id, &BTreeSet::from([document, other, 999]))?;
            assert_eq!(texts(&both), ["three", "beside"]);
            // More than are looked up at once.
            let many: BTreeSet<i64> = (1..200).collect();
            assert_eq!(reading.live_helpers(id, &many)?, both);
            assert!(reading.live_helpers(id, &BTreeSet::new())?.is_empty());
            Ok(())
        });
    });
}

#[test]
fn a6_a_helper_has_a_document_and_a_text() {
    agree(|store| {
        let home = space("user:ada");
        let absent = write(store, &home, "absent", 1, |writing| help(writing, 7, USER, "x"));
        assert!(matches!(absent, Err(Error::NotFound { .. })), "{absent:?}");
        let document = write(store, &home, "store", 1, |writing| add(writing, "a.txt")).unwrap().value;
        for (name, text) in [("empty", " "), ("nul", "a\0b"), ("long", &"x".repeat(64 * 1024 + 1))] {
            let refused = write(store, &home, name, 2, |writing| help(writing, document, USER, text));
            assert!(matches!(refused, Err(Error::Invalid(_))), "{name}: {refused:?}");
        }
    });
}

#[test]
fn a6_helpers_go_with_what_they_may_hold_words_of() {
    agree(|store| {
        let home = space("user:ada");
        let stored = write(store, &home, "store", 1, |writing| {
            let first = add_document(writing, "a.txt", &["secret", "other"])?;
            let second = add_document(writing, "b.txt", &["b"])?;
            for (document, origin, text) in [
                (first.document_id, GENERATED, "on the secret"),
                (first.document_id, GENERATED, "on the secret again"),
                (first.document_id, USER, "what the user says"),
                (second.document_id, GENERATED, "beside"),
            ] {
                help(writing, document, origin, text)?;
            }
            Ok((first.document_id, first.first_item_id, second.document_id))
        });
        let (document, chunk, beside) = stored.unwrap().value;
        let forget = |name: &str, target: ForgetTarget, expected: u64| {
            let preview =
                read(store, &home, |reading, id| reading.forgettable(id, &target, CountedReceipts::OfEverySpace));
            let done =
                write(store, &home, name, 2, |writing| writing.forget(&target, CountedReceipts::OfEverySpace, &|_| 1))
                    .unwrap()
                    .value;
            assert_eq!((done.helpers, &preview), (expected, &done), "{name}");
        };
        forget("chunk", ForgetTarget::Items(vec![chunk]), 2);
        read(store, &home, |reading, id| {
            assert_eq!(texts(&reading.helpers_of(id, document)?), ["what the user says"]);
            assert_eq!(texts(&reading.helpers_of(id, beside)?), ["beside"]);
            Ok(())
        });
        let again = write(store, &home, "again", 3, |writing| {
            assert_eq!(writing.add_helper(document, USER, "anew", 1)?.number, 4);
            Ok(())
        });
        again.unwrap();
        forget("document", ForgetTarget::Document(document), 2);
        let lines = store.raw().unwrap().lines();
        assert!(
            !lines.iter().any(|line| line.contains("secret") || line.contains("anew") || line.contains("user says"))
        );
        assert!(lines.iter().any(|line| line.contains("beside")));
        assert_eq!(lines.iter().filter(|line| line.starts_with("tombstones") && line.contains(" 13 ")).count(), 4);
        forget("space", ForgetTarget::Space, 1);
        assert!(!store.raw().unwrap().lines().iter().any(|line| line.starts_with("helpers")));
    });
}

#[test]
fn a6_helpers_are_exported_and_what_cannot_have_been_one_is_refused() {
    let home = space("user:ada");
    let database = TestDatabase::new(Engine::Sqlite);
    let from = open(&database);
    write(&from, &home, "store", 1, |writing| {
        let document = add_document(writing, "a.txt", &["a"])?.document_id;
        help(writing, document, GENERATED, "one")
    })
    .unwrap();
    let document = read(&from, &home, |reading, id| Ok(reading.documents(id)?[0].id));
    write(&from, &home, "next", 2, |writing| help(writing, document, USER, "two")).unwrap();
    write(&from, &home, "add", 3, |writing| add(writing, "b.txt")).unwrap();
    let mut file = Vec::new();
    from.export(None, &mut file).unwrap();
    let text = String::from_utf8(file).unwrap();
    let into = |text: &str, engine: Engine| {
        let database = TestDatabase::new(engine);
        let store = open(&database);
        let expected = Expectations { space: None, sources_of: &|_| Ok(Default::default()), adds_vocabularies: true };
        let imported = store.import(&mut text.as_bytes(), Replace::Nothing, &expected);
        imported.map(|_| store.raw().unwrap().lines())
    };
    for engine in Engine::ALL {
        assert_eq!(into(&text, engine).unwrap(), from.raw().unwrap().lines(), "{engine:?}");
    }
    for (right, wrong, what) in [
        ("\"origin\":2", "\"origin\":3", "is inconsistent"),
        ("\"number\":2,\"origin\"", "\"number\":0,\"origin\"", "is inconsistent"),
        ("\"content\":\"two\"", "\"content\":\" \"", "is inconsistent"),
        ("\"helper_id\":5,\"document_id\":1", "\"helper_id\":5,\"document_id\":2", "missing row"),
        ("\"helper_id\":4", "\"helper_id\":3", "id that is already used"),
    ] {
        assert!(text.contains(right), "{right}: {text}");
        let error = into(&text.replace(right, wrong), Engine::Sqlite).unwrap_err().to_string();
        assert!(error.contains(what), "{wrong}: {error}");
    }
}
