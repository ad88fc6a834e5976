//! A7, A8: the tree and the chunks on its leaves, as they are read.

use crate::{add_document, agree, read, space, write};
use recordar_domain::{Metadata, Role, Timestamp};
use recordar_store::{Error, LeafChunk, MessageRow, Writing};

/// A tree of two levels: the root and its two leaves.
fn plant(writing: &mut Writing<'_>) -> Result<(i64, i64, i64), Error> {
    writing.plant_tree(2)?;
    let root = writing.add_category("Travel", None)?;
    let trains = writing.add_category("Trains", Some(root))?;
    let boats = writing.add_category("Boats", Some(root))?;
    Ok((root.id, trains.id, boats.id))
}

fn ids(chunks: &[LeafChunk]) -> Vec<i64> {
    chunks.iter().map(|chunk| chunk.id).collect()
}

#[test]
fn a7_a_tree_is_read_whole_by_parent_and_by_id() {
    agree(|store| {
        let home = space("user:ada");
        let (root, trains, boats) = write(store, &home, "plant", 1, plant).unwrap().value;
        let other = write(store, &home, "more", 2, |writing| writing.add_category("Food", None).map(|new| new.id));
        let other = other.unwrap().value;
        write(store, &space("user:bob"), "plant", 1, plant).unwrap();
        read(store, &home, |reading, id| {
            let tree = reading.categories(id)?;
            let places: Vec<_> = tree.iter().map(|row| (row.id, row.parent, row.level, row.name.as_str())).collect();
            let expected = [
                (root, None, 1, "Travel"),
                (other, None, 1, "Food"),
                (trains, Some(root), 2, "Trains"),
                (boats, Some(root), 2, "Boats"),
            ];
            assert_eq!(places, expected);
            assert_eq!(reading.children(id, None)?, tree[..2]);
            assert_eq!(reading.children(id, Some(root))?, tree[2..]);
            assert!(reading.children(id, Some(other))?.is_empty());
            assert_eq!(reading.category_row(id, boats)?.as_ref(), Some(&tree[3]));
            assert_eq!(reading.category_row(id, 999)?, None);
            Ok(())
        });
    });
}

#[test]
fn a8_chunks_of_a_leaf_come_in_pages_by_time_and_id() {
    agree(|store| {
        let home = space("user:ada");
        let (_, trains, boats) = write(store, &home, "plant", 1, plant).unwrap().value;
        // Three documents, two of them recorded at the same time, and chunks that wait in between.
        let mut hung = Vec::new();
        let mut waiting = Vec::new();
        for (round, seconds) in [(1, 10), (2, 10), (3, 20)] {
            let path = format!("{round}.txt");
            let stored = write(store, &home, &path, seconds, |writing| {
                let first = add_document(writing, &path, &["a", "b", "c", "d", "e"])?.first_item_id;
                let on_leaf = [first + 3, first, first + 1, first];
                assert_eq!(writing.hang_chunks(trains, &on_leaf)?, 3, "each once");
                Ok(first)
            });
            let first = stored.unwrap().value;
            hung.extend([first, first + 1, first + 3]);
            waiting.extend([first + 2, first + 4]);
        }
        read(store, &home, |reading, id| {
            for most in 1..=10 {
                let (mut pages, mut after) = (Vec::new(), None);
                loop {
                    let page = reading.leaf_chunks(id, trains, after, most)?;
                    assert!(page.len() <= most);
                    let Some(last) = page.last() else { break };
                    after = Some((last.created_at, last.id));
                    pages.extend(page);
                }
                assert_eq!(ids(&pages), hung, "{most} at a time");
                let (mut pages, mut after) = (Vec::new(), None);
                while let page = reading.waiting_chunks(id, after, most)?
                    && let Some(last) = page.last()
                {
                    after = Some((last.created_at, last.id));
                    pages.extend(page);
                }
                assert_eq!(ids(&pages), waiting, "{most} at a time");
            }
            let first = &reading.leaf_chunks(id, trains, None, 1)?[0];
            assert_eq!((first.text.as_str(), first.tokens, &first.section), ("a", 1, &None));
            assert_eq!(first.created_at, Timestamp::from_micros(10_000_000));
            assert_eq!(reading.item(id, first.id)?.unwrap().document_id, Some(first.document_id));
            assert_eq!(reading.item(id, first.id)?.unwrap().document_id, Some(first.document_id));
            assert!(reading.leaf_chunks(id, trains, None, 0)?.is_empty());
            assert!(reading.leaf_chunks(id, boats, None, 9)?.is_empty());
            assert_eq!(reading.chunks_by_leaf(id)?, [(trains, 9), (boats, 0)]);
            assert_eq!(reading.unclassified_chunks(id)?, 6);
            Ok(())
        });
    });
}

#[test]
fn a8_retired_chunks_and_messages_are_on_no_page() {
    agree(|store| {
        let home = space("user:ada");
        let (_, trains, _) = write(store, &home, "plant", 1, plant).unwrap().value;
        let old = write(store, &home, "old", 2, |writing| {
            let first = add_document(writing, "a.txt", &["a", "b"])?.first_item_id;
            writing.hang_chunks(trains, &[first])?;
            Ok(first)
        });
        let old = old.unwrap().value;
        let new = write(store, &home, "new", 3, |writing| {
            let metadata = Metadata::default();
            let message = writing.add_messages(&[MessageRow {
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
            }])?;
            let first = add_document(writing, "a.txt", &["c", "d"])?.first_item_id;
            // Retired ones can be hung as well: they were live when somebody began to classify them.
            assert_eq!(writing.hang_chunks(trains, &[old + 1, message, first, 999])?, 2);
            // Again in the same write, and it counts the same.
            assert_eq!(writing.hang_chunks(trains, &[old + 1, message, first, 999])?, 2);
            writing.classify(first, trains)?;
            Ok(first)
        });
        let new = new.unwrap().value;
        read(store, &home, |reading, id| {
            assert_eq!(ids(&reading.leaf_chunks(id, trains, None, 9)?), [new]);
            assert_eq!(ids(&reading.waiting_chunks(id, None, 9)?), [new + 1]);
            assert_eq!(reading.chunks_by_leaf(id)?[0], (trains, 1));
            assert_eq!(reading.unclassified_chunks(id)?, 1);
            Ok(())
        });
    });
}

#[test]
fn a7_chunks_hang_on_leaves_that_are_there() {
    agree(|store| {
        let home = space("user:ada");
        let unplanted = write(store, &home, "early", 1, |writing| writing.hang_chunks(1, &[1]));
        assert!(matches!(unplanted, Err(Error::Invalid(_))), "{unplanted:?}");
        let (root, ..) = write(store, &home, "plant", 1, plant).unwrap().value;
        let inner = write(store, &home, "inner", 2, |writing| writing.hang_chunks(root, &[1])).unwrap_err();
        assert!(matches!(inner, Error::Invalid(_)) && inner.remedy().contains("level 2"), "{inner}");
        let absent = write(store, &home, "absent", 2, |writing| writing.hang_chunks(999, &[1]));
        assert!(matches!(absent, Err(Error::NotFound { .. })), "{absent:?}");
    });
}
