//! Segments of the search index, as they are kept in the database.

use crate::contract::choice;
use recordar_index::{Block, EVER, Entry, Index, Item, LIVE, Make, Mode, NOW, Search, SoughtWord};
use xxhash_rust::xxh3::xxh3_64;

const DIMENSION: usize = 16;
/// The mark and the checksum.
const HEAD: usize = 16;
/// The end of the smallest segment. The engine uses a segment only in its expected place.
const END: u32 = 512;

fn make() -> Make {
    Make { words: "w".into(), model: "m".into(), model_hash: "h".into(), dimension: DIMENSION }
}

/// A damaged segment is not used. One with a corrected checksum may be: then every search of it returns.
pub(crate) fn segments(input: &[u8]) {
    let (chosen, bytes) = choice(input);
    let mut bytes = bytes.to_vec();
    if chosen & 1 == 1 && bytes.len() >= HEAD {
        let sum = xxh3_64(&bytes[HEAD..]).to_le_bytes();
        bytes[..8].copy_from_slice(b"recosegm");
        bytes[8..HEAD].copy_from_slice(&sum);
    }
    let Some(block) = Block::from_bytes(bytes, &make()).filter(|block| block.range() == (0, END)) else { return };
    let mut index = Index::new(make());
    index.push(block);
    for (at, mode) in [(NOW, Mode::Hybrid), (EVER, Mode::Hybrid), (u32::from(chosen), Mode::Hybrid)] {
        let lookup = index.look_up(&["lamp", "boat", "@ada"].map(SoughtWord::new), at);
        let vector: Vec<i8> = (0..DIMENSION as i8).map(|place| place * 7 - 50).collect();
        let search = Search {
            mode,
            vector: &vector,
            role: Some(1),
            period: Some((0, 1_000_000)),
            depth: 5,
            ..Search::default()
        };
        let found = index.search(&lookup, &search);
        assert!(found.hits.len() <= 5 && found.hits.iter().all(|hit| hit.score.is_finite()), "{found:?}");
        index.search_groups(&lookup, &search);
    }
    index.retire(END - 1, 3);
    index.remove(END - 2);
    let entry = Entry { id: END, group: 7, role: 1, occurred_at: 5, order: 5, born: 4, retired: LIVE, print: 9 };
    index.add(&Item { entry, stems: "lamp dusk", facets: &[], vector: &[1; DIMENSION] });
    if let Some(kept) = index.next_keepsake(4) {
        assert!(Block::from_bytes(kept.bytes, &make()).is_some(), "what is kept can be read");
    }
}
