//! A7: every loader of the tree finds its rows by an index, on each database.

use crate::{add_document, open, read, space, write};
use recordar_domain::ItemKind;
use recordar_store::{Error, HelperOrigin, QueryPlan, Reading, SpaceId, Store, Writing};
use recordar_testkit::{Engine, TestDatabase};

const CHUNKS_OF_DOCUMENT: usize = 10;

/// Fills a space: each document has two of its chunks waiting and the others on one leaf.
fn fill(store: &Store, name: &str, roots: usize, documents: usize) {
    let text = "a sentence of some length, so that a page of the table holds no more than a few rows; ".repeat(6);
    let texts = vec![text.as_str(); CHUNKS_OF_DOCUMENT];
    let grow = |writing: &mut Writing<'_>| -> Result<(), Error> {
        writing.plant_tree(2)?;
        let mut leaves = Vec::new();
        for root in 0..roots {
            let root = writing.add_category(&format!("root {root}"), None)?;
            for leaf in 0..20 {
                leaves.push(writing.add_category(&format!("leaf {leaf}"), Some(root))?.id);
            }
        }
        for document in 0..documents {
            let stored = add_document(writing, &format!("{document}.txt"), &texts)?;
            let hung: Vec<i64> = (stored.first_item_id..).take(CHUNKS_OF_DOCUMENT - 2).collect();
            // Every second one goes to the first leaf, which has more than is worth sorting.
            writing.hang_chunks(leaves[document % 2 * (document % leaves.len())], &hung)?;
            for origin in [HelperOrigin::Generated, HelperOrigin::User] {
                writing.add_helper(stored.document_id, origin, &text, 20)?;
            }
        }
        Ok(())
    };
    write(store, &space(name), "fill", 1, grow).unwrap();
}

/// Lets the database count its rows. A table of a single page is best read whole, so there are trees of other spaces, too.
fn analyze(database: &TestDatabase) {
    let trees: Vec<String> = (1000..5000).map(|space| format!("({space}, 3)")).collect();
    let trees = format!("INSERT INTO trees (space_id, depth) VALUES {}", trees.join(", "));
    let run = |sql: &str| match database.engine {
        Engine::Sqlite => {
            let connection = rusqlite::Connection::open(database.url.trim_start_matches("sqlite:")).unwrap();
            connection.execute_batch(sql).unwrap();
        }
        Engine::Postgres | Engine::MySql => database.run(sql).unwrap(),
    };
    run(&trees);
    run(if database.engine == Engine::MySql { "ANALYZE TABLE items, categories, trees, helpers" } else { "ANALYZE" });
}

/// Whether a plan goes through a table or an index from one end to the other.
fn scans(engine: Engine, plan: &QueryPlan) -> bool {
    let marks: &[&str] = match engine {
        Engine::Sqlite => &["SCAN "],
        Engine::Postgres => &["Seq Scan"],
        Engine::MySql => &["\"access_type\": \"ALL\"", "\"access_type\": \"index\""],
    };
    holds(plan, marks)
}

/// Whether a plan goes through all of a space.
fn reads_a_space(engine: Engine, plan: &QueryPlan) -> bool {
    let marks: &[&str] = match engine {
        Engine::Sqlite => &["(space_id=?)"],
        Engine::Postgres => &["Index Cond: (space_id = "],
        Engine::MySql => &["\"used_key_parts\": [\"space_id\"]"],
    };
    holds(plan, marks)
}

fn uses_the_leaves(engine: Engine, plan: &QueryPlan) -> bool {
    let mark = if engine == Engine::MySql { "\"key\": \"items_by_leaf\"" } else { "items_by_leaf" };
    holds(plan, &[mark])
}

fn sorts(engine: Engine, plan: &QueryPlan) -> bool {
    let marks: &[&str] = match engine {
        Engine::Sqlite => &["TEMP B-TREE"],
        Engine::Postgres => &["Sort"],
        Engine::MySql => &["filesort", "temporary_table"],
    };
    holds(plan, marks)
}

fn holds(plan: &QueryPlan, marks: &[&str]) -> bool {
    plan.lines.iter().any(|line| marks.iter().any(|mark| line.contains(mark)))
}

#[test]
fn a7_no_loader_of_the_tree_scans_a_table() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let store = open(&database);
        fill(&store, "user:ada", 5, 60);
        fill(&store, "user:bob", 100, 400);
        analyze(&database);
        let home = space("user:ada");
        let (id, root, leaf, document) = read(&store, &home, |reading, id| {
            let root = reading.children(id, None)?[0].id;
            let leaf = reading.children(id, Some(root))?[0].id;
            Ok((id, root, leaf, reading.documents(id)?[0].id))
        });
        let after = read(&store, &home, |reading, id| {
            let last = reading.leaf_chunks(id, leaf, None, 3)?.pop().unwrap();
            Ok(Some((last.created_at, last.id)))
        });
        let plans = |body: &dyn Fn(&mut Reading<'_>, SpaceId) -> Result<(), Error>, statements: usize| {
            let plans = store.plans(|reading| body(reading, id)).unwrap();
            assert_eq!(plans.len(), statements);
            for plan in &plans {
                assert!(!plan.lines.is_empty(), "{engine:?}: {plan:#?}");
                assert!(!scans(engine, plan), "{engine:?}: {plan:#?}");
            }
            plans
        };
        plans(&|reading, id| reading.tree_depth(id).map(drop), 1);
        let by_leaf = plans(&|reading, id| reading.chunks_by_leaf(id).map(drop), 1);
        assert!(uses_the_leaves(engine, &by_leaf[0]), "{engine:?}: {by_leaf:#?}");
        let few = [
            plans(&|reading, id| reading.category(id, Some(root), "leaf 7").map(drop), 1),
            plans(&|reading, id| reading.category_row(id, leaf).map(drop), 1),
            plans(&|reading, id| reading.children(id, None).map(drop), 1),
            plans(&|reading, id| reading.children(id, Some(root)).map(drop), 1),
            plans(&|reading, id| reading.unclassified_chunks(id).map(drop), 1),
            plans(&|reading, id| reading.helper(id, document).map(drop), 1),
            plans(&|reading, id| reading.helpers_of(id, document).map(drop), 1),
            plans(&|reading, id| reading.live_helpers(id, &[document].into()).map(drop), 1),
            plans(&|reading, id| reading.items_by_own_id(id, &["a", "b"]).map(drop), 1),
        ];
        for plan in few.iter().flatten() {
            assert!(!reads_a_space(engine, plan), "{engine:?}: {plan:#?}");
        }
        // Facts among many chunks are found at once; the first statement looks up when the last page ended.
        let facts = [
            plans(&|reading, id| reading.live_items(id, Some(ItemKind::Fact), 0, 5).map(drop), 2),
            plans(&|reading, id| reading.live_items(id, Some(ItemKind::Fact), document + 20, 5).map(drop), 3),
        ];
        for plan in facts.iter().flat_map(|plans| &plans[1..]) {
            assert!(uses_the_leaves(engine, plan) && !sorts(engine, plan), "{engine:?}: {plan:#?}");
        }
        let pages = [
            plans(&|reading, id| reading.leaf_chunks(id, leaf, None, 5).map(drop), 1),
            plans(&|reading, id| reading.leaf_chunks(id, leaf, after, 500).map(drop), 2),
            plans(&|reading, id| reading.waiting_chunks(id, None, 5).map(drop), 1),
            plans(&|reading, id| reading.waiting_chunks(id, after, 500).map(drop), 2),
        ];
        // What is read page by page comes in its order from the index: nothing that lies behind is read to sort it.
        for plan in pages.iter().flatten() {
            assert!(uses_the_leaves(engine, plan) && !sorts(engine, plan), "{engine:?}: {plan:#?}");
        }
    }
}

#[test]
fn a_scan_is_known_as_one() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let store = open(&database);
        fill(&store, "user:ada", 2, 20);
        let plans = store.plans(|reading| reading.spaces().map(drop)).unwrap();
        assert!(plans.iter().all(|plan| scans(engine, plan)), "{engine:?}: {plans:#?}");
    }
}
