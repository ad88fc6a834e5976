//! A7: the rules of the tree, kept by the database itself.

use crate::{agree, open, space, write};
use recordar_domain::{CategoryPlace, Metadata, Role};
use recordar_store::{Error, MessageRow};
use recordar_testkit::{Engine, TestDatabase};

#[test]
fn a7_a_tree_grows_level_by_level_and_keeps_its_depth() {
    agree(|store| {
        let home = space("user:ada");
        let leaf = write(store, &home, "grow", 1, |writing| {
            writing.plant_tree(3)?;
            let root = writing.add_category("Travel", None)?;
            let middle = writing.add_category("Trains", Some(root))?;
            // The same name under another parent is another category.
            writing.add_category("Travel", Some(root))?;
            let leaf = writing.add_category("Timetables", Some(middle))?;
            assert_eq!(leaf.level, 3);
            Ok(leaf.id)
        })
        .unwrap()
        .value;
        let deeper = write(store, &home, "deeper", 2, |writing| {
            writing.add_category("x", Some(CategoryPlace { id: leaf, level: 3 })).map(|place| place.id)
        });
        assert!(matches!(deeper, Err(Error::Invalid(_))), "{deeper:?}");
        let absent = write(store, &home, "absent", 2, |writing| writing.classify(999, leaf));
        assert!(matches!(absent, Err(Error::NotFound { .. })), "{absent:?}");
        let other_depth = write(store, &home, "depth", 3, |writing| writing.plant_tree(4));
        assert!(other_depth.unwrap_err().remedy().contains("tree deepen"));
        let found = store.read(|reading| {
            let id = reading.space(&home)?.unwrap().id;
            Ok((reading.tree_depth(id)?, reading.category(id, None, " Travel ")?))
        });
        let (depth, root) = found.unwrap();
        assert_eq!(depth, Some(3));
        assert_eq!(root.unwrap().level, 1);
    });
}

#[test]
fn a7_names_are_unique_under_a_parent() {
    agree(|store| {
        let home = space("user:ada");
        write(store, &home, "one", 1, |writing| {
            writing.plant_tree(2)?;
            writing.add_category("Travel", None).map(|place| place.id)
        })
        .unwrap();
        let twice = write(store, &home, "two", 2, |writing| writing.add_category("Travel", None).map(|place| place.id));
        assert!(matches!(twice, Err(Error::Constraint { .. })), "{twice:?}");
    });
}

#[test]
fn a7_the_schema_refuses_what_the_code_would_never_write() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let store = open(&database);
        let home = space("user:ada");
        write(&store, &home, "grow", 1, |writing| {
            writing.plant_tree(2)?;
            let root = writing.add_category("Travel", None)?;
            assert_eq!(root.id, 1);
            let leaf = writing.add_category("Trains", Some(root))?;
            assert_eq!(leaf.id, 2);
            let metadata = Metadata::default();
            writing.add_messages(&[MessageRow {
                kind: recordar_domain::ItemKind::Message,
                thread_id: None,
                role: Role::User,
                source: None,
                speaker: None,
                text: "x",
                tokens: 1,
                importance: None,
                metadata: &metadata,
                occurred_at: None,
                own_id: None,
            }])
        })
        .unwrap();
        let category = |columns: &str| {
            format!(
                "INSERT INTO categories (space_id, category_id, parent_id, parent_level, parent_key, level, depth, leaf, \
                 name_hash, name, born, changed) VALUES (1, {columns}, 1, 1)"
            )
        };
        let name = |text: &str| match engine {
            Engine::Postgres => format!("'\\x{text}'::bytea, 'n'"),
            _ => format!("X'{text}', 'n'"),
        };
        let refused = [
            ("a root with a parent", category(&format!("50, 1, 0, 1, 1, 2, 0, {}", name("50")))),
            ("a child without a parent", category(&format!("51, NULL, NULL, 0, 2, 2, 1, {}", name("51")))),
            ("a child of a missing parent", category(&format!("52, 40, 1, 40, 2, 2, 1, {}", name("52")))),
            ("a child that skips a level", category(&format!("53, 2, 1, 2, 2, 2, 1, {}", name("53")))),
            ("a level beyond the depth", category(&format!("54, 2, 2, 2, 3, 2, 1, {}", name("54")))),
            ("a depth that is not the tree's", category(&format!("55, NULL, NULL, 0, 1, 9, 0, {}", name("55")))),
            ("an inner category marked as a leaf", category(&format!("56, NULL, NULL, 0, 1, 2, 1, {}", name("56")))),
            ("a tree of 101 levels", "INSERT INTO trees (space_id, depth) VALUES (9, 101)".to_owned()),
            (
                "a message on a category",
                "UPDATE items SET category_id = 2, category_leaf = 1 WHERE item_id = 3".to_owned(),
            ),
            (
                "a chunk on an inner category",
                "UPDATE items SET kind = 1, category_id = 1, category_leaf = 1 WHERE item_id = 3".to_owned(),
            ),
            (
                "a chunk that calls an inner category a leaf",
                "UPDATE items SET kind = 1, category_id = 1, category_leaf = 0 WHERE item_id = 3".to_owned(),
            ),
        ];
        for (what, sql) in refused {
            assert!(run(&database, &sql).is_err(), "{engine:?} accepts {what}");
        }
        let allowed = "UPDATE items SET kind = 1, category_id = 2, category_leaf = 1 WHERE item_id = 3";
        run(&database, allowed).unwrap();
    }
}

fn run(database: &TestDatabase, sql: &str) -> Result<(), String> {
    if database.engine != Engine::Sqlite {
        return database.run(sql);
    }
    let connection = rusqlite::Connection::open(database.url.trim_start_matches("sqlite:")).unwrap();
    connection.pragma_update(None, "foreign_keys", true).unwrap();
    connection.execute_batch(sql).map_err(|error| error.to_string())
}
