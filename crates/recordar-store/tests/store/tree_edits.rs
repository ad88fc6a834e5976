//! A7: what people change in a tree that has grown.

use crate::{add_document, agree, open, read, space, write};
use recordar_domain::{CategoryPlace, SpaceName};
use recordar_store::{Error, Expectations, Merged, Replace, Store, Writing};
use recordar_testkit::{Engine, TestDatabase};
use std::collections::BTreeMap;

/// Makes the categories on a path such as `A > B`, as far as they are not there, and returns the id of the last.
fn grow(writing: &mut Writing<'_>, path: &str) -> Result<i64, Error> {
    let space = writing.space_id();
    let mut parent: Option<CategoryPlace> = None;
    for name in path.split(" > ") {
        let known = writing.category(space, parent.map(|parent| parent.id), name)?;
        parent = Some(match known {
            Some(known) => known,
            None => writing.add_category(name, parent)?,
        });
    }
    Ok(parent.unwrap().id)
}

/// A tree with a chunk of its own on each leaf; returns the ids of all categories by their paths.
fn planted(store: &Store, home: &SpaceName, depth: u32, leaves: &[&str]) -> BTreeMap<String, i64> {
    write(store, home, "plant", 1, |writing| {
        writing.plant_tree(depth)?;
        for leaf in leaves {
            let id = grow(writing, leaf)?;
            let chunk = add_document(writing, leaf, &[&format!("on {leaf}")])?.first_item_id;
            writing.hang_chunks(id, &[chunk])?;
        }
        Ok(())
    })
    .unwrap();
    paths(store, home).into_iter().map(|(path, (id, _))| (path, id)).collect()
}

/// Every path of the tree, with the id of its end and the texts that hang there.
fn paths(store: &Store, home: &SpaceName) -> BTreeMap<String, (i64, Vec<String>)> {
    read(store, home, |reading, space| {
        let mut by_id: BTreeMap<i64, String> = BTreeMap::new();
        let mut paths = BTreeMap::new();
        for category in reading.categories(space)? {
            let path = match category.parent {
                Some(parent) => format!("{} > {}", by_id[&parent], category.name),
                None => category.name.clone(),
            };
            let chunks = reading.leaf_chunks(space, category.id, None, 100)?;
            paths.insert(path.clone(), (category.id, chunks.into_iter().map(|chunk| chunk.text).collect()));
            by_id.insert(category.id, path);
        }
        Ok(paths)
    })
}

/// The texts on each leaf, by its path.
fn texts(store: &Store, home: &SpaceName) -> Vec<String> {
    let show = |(path, (_, texts)): (String, (i64, Vec<String>))| format!("{path}: {}", texts.join(", "));
    paths(store, home).into_iter().map(show).collect()
}

#[test]
fn a7_a_category_is_renamed_in_its_place() {
    agree(|store| {
        let home = space("user:ada");
        let ids = planted(store, &home, 2, &["Travel > Trains", "Travel > Boats", "Food > Boats"]);
        let train = ids["Travel > Trains"];
        write(store, &home, "rename", 2, |writing| writing.rename_category(train, " Night  Trains ")).unwrap();
        // The same to people as before, but it is the very one.
        write(store, &home, "spelling", 3, |writing| writing.rename_category(train, "night train")).unwrap();
        write(store, &home, "root", 4, |writing| writing.rename_category(ids["Food"], "Dishes")).unwrap();
        let expected = [
            "Dishes: ",
            "Dishes > Boats: on Food > Boats",
            "Travel: ",
            "Travel > Boats: on Travel > Boats",
            "Travel > night train: on Travel > Trains",
        ];
        assert_eq!(texts(store, &home), expected);
        assert_eq!(paths(store, &home)["Travel > night train"].0, train);
        read(store, &home, |reading, id| {
            let travel = Some(ids["Travel"]);
            assert_eq!(reading.category(id, travel, "night train")?.unwrap().id, train);
            assert_eq!(reading.category(id, travel, "Trains")?, None);
            Ok(())
        });
    });
}

#[test]
fn a7_categories_merge_with_all_that_is_under_them() {
    agree(|store| {
        let home = space("user:ada");
        let leaves = [
            "Travel > Trains > Night",
            "Travel > Trains > Day",
            "Travel > Boats > Ferries",
            "Journeys > train > nights",
            "Journeys > train > Freight",
            "Journeys > Planes > Long",
            "Food > Bread > Rye",
        ];
        let ids = planted(store, &home, 3, &leaves);
        let merged = write(store, &home, "merge", 2, |writing| {
            // A retired chunk follows its leaf, too.
            add_document(writing, "Journeys > train > nights", &["a new version"])?;
            writing.merge_categories(ids["Journeys"], ids["Travel"])
        });
        // Journeys itself, its trains, and their nights.
        assert_eq!(merged.unwrap().value, Merged { categories: 3, chunks: 1 });
        let expected = [
            "Food: ",
            "Food > Bread: ",
            "Food > Bread > Rye: on Food > Bread > Rye",
            "Travel: ",
            "Travel > Boats: ",
            "Travel > Boats > Ferries: on Travel > Boats > Ferries",
            "Travel > Planes: ",
            "Travel > Planes > Long: on Journeys > Planes > Long",
            "Travel > Trains: ",
            "Travel > Trains > Day: on Travel > Trains > Day",
            "Travel > Trains > Freight: on Journeys > train > Freight",
            "Travel > Trains > Night: on Travel > Trains > Night",
        ];
        assert_eq!(texts(store, &home), expected);
        let leaves = write(store, &home, "leaves", 3, |writing| {
            writing.merge_categories(ids["Travel > Boats > Ferries"], ids["Food > Bread > Rye"])
        });
        assert_eq!(leaves.unwrap().value, Merged { categories: 1, chunks: 1 });
        let rye = paths(store, &home)["Food > Bread > Rye"].1.clone();
        assert_eq!(rye, ["on Travel > Boats > Ferries", "on Food > Bread > Rye"]);
    });
}

#[test]
fn a7_the_very_name_is_merged_before_one_that_is_alike() {
    agree(|store| {
        let home = space("user:ada");
        let ids = planted(store, &home, 2, &["A > train", "A > Trains", "B > Trains", "B > boat", "B > Boats"]);
        write(store, &home, "merge", 2, |writing| writing.merge_categories(ids["B"], ids["A"])).unwrap();
        let expected = [
            "A: ",
            "A > Boats: on B > Boats",
            "A > Trains: on A > Trains, on B > Trains",
            "A > boat: on B > boat",
            "A > train: on A > train",
        ];
        assert_eq!(texts(store, &home), expected, "what was apart stays apart");
    });
}

#[test]
fn a7_a_category_moves_with_all_that_is_under_it() {
    agree(|store| {
        let home = space("user:ada");
        let ids = planted(store, &home, 3, &["A > B > x", "A > B > y", "C > D > z"]);
        write(store, &home, "move", 2, |writing| writing.move_category(ids["A > B"], ids["C"])).unwrap();
        write(store, &home, "leaf", 3, |writing| writing.move_category(ids["A > B > y"], ids["C > D"])).unwrap();
        write(store, &home, "nowhere", 4, |writing| writing.move_category(ids["C > D"], ids["C"])).unwrap();
        // A has nothing left under it, and is gone.
        let expected = [
            "C: ",
            "C > B: ",
            "C > B > x: on A > B > x",
            "C > D: ",
            "C > D > y: on A > B > y",
            "C > D > z: on C > D > z",
        ];
        assert_eq!(texts(store, &home), expected);
    });
}

#[test]
fn a7_a_tree_is_deepened_and_its_leaves_keep_their_ids_and_chunks() {
    agree(|store| {
        let home = space("user:ada");
        let ids = planted(store, &home, 2, &["A > B", "A > C", "D > B"]);
        write(store, &home, "retire", 2, |writing| add_document(writing, "A > C", &["waits"]).map(drop)).unwrap();
        let old = |store: &Store| {
            let lines = store.raw().unwrap().lines();
            lines.into_iter().filter(|line| line.contains("\"on A > C\"")).collect::<Vec<_>>()
        };
        let (before, beside) = (old(store), space("user:bob"));
        planted(store, &beside, 1, &["B", "C"]);
        write(store, &home, "deepen", 3, |writing| writing.deepen_tree(4)).unwrap();
        let expected = [
            "A: ",
            "A > B: ",
            "A > B > B: ",
            "A > B > B > B: on A > B",
            "A > C: ",
            "A > C > C: ",
            "A > C > C > C: ",
            "D: ",
            "D > B: ",
            "D > B > B: ",
            "D > B > B > B: on D > B",
        ];
        assert_eq!(texts(store, &home), expected);
        let after = paths(store, &home);
        assert_eq!(after["A > B > B > B"].0, ids["A > B"]);
        assert_eq!(after["A > C > C > C"].0, ids["A > C"]);
        assert_eq!(after["A"].0, ids["A"]);
        // The retired chunk hangs where it did; only the last revision of its row is another.
        let columns = |lines: Vec<String>| lines[0].rsplitn(7, ' ').last().unwrap().to_owned();
        assert_eq!(columns(before), columns(old(store)));
        // It is a tree like any other: it grows, is planted already, and bears another deepening.
        write(store, &home, "grow", 4, |writing| {
            writing.plant_tree(4)?;
            grow(writing, "A > B > B > More").map(drop)
        })
        .unwrap();
        write(store, &home, "deeper", 5, |writing| writing.deepen_tree(5)).unwrap();
        assert_eq!(paths(store, &home)["A > B > B > B > B"], (ids["A > B"], vec!["on A > B".to_owned()]));
        // A tree of one level has leaves for roots.
        write(store, &beside, "deepen", 6, |writing| writing.deepen_tree(2)).unwrap();
        assert_eq!(texts(store, &beside), ["B: ", "B > B: on B", "C: ", "C > C: on C"]);
    });
}

#[test]
fn a7_edits_refuse_what_is_not_allowed_and_leave_all_as_it_was() {
    agree(|store| {
        let home = space("user:ada");
        let unplanted = write(store, &home, "early", 1, |writing| writing.deepen_tree(3)).unwrap_err();
        assert!(unplanted.to_string().contains("no tree"), "{unplanted}");
        let ids = planted(store, &home, 3, &["A > Boat > x", "A > C > x", "D > boats > y"]);
        let before = store.raw().unwrap().lines();
        let id = |path: &str| ids[path];
        type Edit<'a> = Box<dyn Fn(&mut Writing<'_>) -> Result<(), Error> + 'a>;
        let refused: Vec<(&str, Edit<'_>, &str)> = vec![
            ("a name that is taken", Box::new(|w| w.rename_category(id("A > C"), "Boat")), "merge"),
            ("a name that is alike", Box::new(|w| w.rename_category(id("A > C"), "boats")), "merge"),
            ("no name", Box::new(|w| w.rename_category(id("A"), " ")), "1 to 200 bytes"),
            ("a place that is taken", Box::new(|w| w.move_category(id("D > boats"), id("A"))), "merge"),
            ("a parent beside it", Box::new(|w| w.move_category(id("A > Boat"), id("A > C"))), "level 1"),
            ("a parent too high", Box::new(|w| w.move_category(id("A > Boat > x"), id("D"))), "level 2"),
            ("a root", Box::new(|w| w.move_category(id("A"), id("D"))), "merge"),
            ("itself", Box::new(|w| w.merge_categories(id("A"), id("A")).map(drop)), "two"),
            ("another level", Box::new(|w| w.merge_categories(id("A"), id("A > Boat")).map(drop)), "same level"),
            ("the same depth", Box::new(|w| w.deepen_tree(3)), "not removed"),
            ("fewer levels", Box::new(|w| w.deepen_tree(1)), "not removed"),
            ("too many levels", Box::new(|w| w.deepen_tree(101)), "1 to 100"),
        ];
        for (what, edit, remedy) in refused {
            let error = write(store, &home, &what.replace(' ', "-"), 2, |writing| edit(writing)).unwrap_err();
            assert!(matches!(error, Error::Invalid(_)) && error.remedy().contains(remedy), "{what}: {error:?}");
        }
        let absent: Vec<(&str, Edit<'_>)> = vec![
            ("rename", Box::new(|w| w.rename_category(999, "x"))),
            ("move", Box::new(|w| w.move_category(999, id("A")))),
            ("move there", Box::new(|w| w.move_category(id("A > Boat"), 999))),
            ("merge", Box::new(|w| w.merge_categories(999, id("A")).map(drop))),
            ("merge there", Box::new(|w| w.merge_categories(id("A"), 999).map(drop))),
        ];
        for (what, edit) in absent {
            let error = write(store, &home, &what.replace(' ', "-"), 2, |writing| edit(writing)).unwrap_err();
            assert!(matches!(error, Error::NotFound { .. }) && error.to_string().contains("999"), "{what}: {error:?}");
        }
        assert_eq!(store.raw().unwrap().lines(), before);
    });
}

#[test]
fn a7_an_edited_tree_goes_to_another_store() {
    let home = space("user:ada");
    let from = TestDatabase::new(Engine::Sqlite);
    let from = (open(&from), from);
    let ids = planted(&from.0, &home, 2, &["A > x", "B > x", "B > y"]);
    write(&from.0, &home, "edit", 2, |writing| {
        writing.merge_categories(ids["A"], ids["B"])?;
        writing.deepen_tree(3)
    })
    .unwrap();
    let mut file = Vec::new();
    from.0.export(None, &mut file).unwrap();
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let store = open(&database);
        let expected = Expectations { space: None, sources_of: &|_| Ok(Default::default()), adds_vocabularies: true };
        store.import(&mut file.as_slice(), Replace::Nothing, &expected).unwrap();
        assert_eq!(store.raw().unwrap().lines(), from.0.raw().unwrap().lines(), "{engine:?}");
    }
}
