//! What is noted beside items, as composing reads it: at a revision, for some items of one space.

use crate::{add_document, agree, read, space, write};
use recordar_domain::{ItemKind, Metadata, Role};
use recordar_store::{AboutRow, Error, MessageRow, Writing};

fn say(writing: &mut Writing<'_>) -> Result<i64, Error> {
    let metadata = Metadata::default();
    writing.add_messages(&[MessageRow {
        kind: ItemKind::Message,
        thread_id: None,
        role: Role::default(),
        source: None,
        speaker: None,
        text: "said",
        tokens: 1,
        importance: None,
        metadata: &metadata,
        occurred_at: None,
        own_id: None,
    }])
}

#[test]
fn ch_03_9_the_documents_of_items_are_read_at_a_revision() {
    agree(|store| {
        let (ada, eve) = (space("user:ada"), space("user:eve"));
        let row =
            |written: &[i64; 3]| AboutRow { item_id: written[0], document_id: written[1], version_id: written[2] };
        let tell = |name, id: &str| {
            let told = write(store, name, id, 1, |writing| {
                let version = add_document(writing, "guide.md", &[id])?;
                let said = say(writing)?;
                let about = [said, version.document_id, version.version_id];
                writing.add_abouts(&[row(&about)])?;
                writing.mark_important(said, true)?;
                Ok(about)
            });
            let told = told.unwrap();
            (row(&told.value), told.revision.unwrap())
        };
        let ((first, before), (second, after)) = (tell(&ada, "one"), tell(&ada, "two"));
        tell(&eve, "three");
        assert_eq!(first.document_id, second.document_id);
        assert_ne!(first.version_id, second.version_id, "each names the version of its time");
        let both = [second.item_id, first.item_id, 999];
        let abouts = |items: &[i64], at: i64| read(store, &ada, |reading, id| reading.abouts(id, items, at));
        assert_eq!(abouts(&both, after), [first, second], "in the order of the items");
        assert_eq!(abouts(&both, before), [first], "as of then");
        assert_eq!(abouts(&[second.item_id], after), [second]);
        assert_eq!(abouts(&[], after), []);
        let many: Vec<i64> = (1..2000).collect();
        assert_eq!(abouts(&many, after), [first, second], "however many are asked about");
        write(store, &ada, "off", 2, |writing| writing.mark_important(first.item_id, false)).unwrap();
        let important = |at: i64| {
            let found = read(store, &ada, |reading, id| reading.important_items(id, &many, at));
            found.into_iter().collect::<Vec<i64>>()
        };
        assert_eq!(important(before), [first.item_id]);
        assert_eq!(important(after), [first.item_id, second.item_id]);
        assert_eq!(important(i64::MAX), [second.item_id], "the latest mark counts");
    });
}
