//! What was derived from items changes no score of theirs.

use super::*;
use recordar_index::DERIVED;

#[test]
fn i23_3_derived_items_are_found_and_change_no_score_of_others_at_any_revision() {
    for round in 0..rounds(40, 400) as u64 {
        let mut random = Random(round + 1);
        let (mut plain, mut rows) = (BTreeMap::new(), BTreeMap::new());
        for id in 1..=(100 + random.below(900) as u32) {
            let mut row = Row::random(id, id, &mut random);
            if random.below(4) == 0 {
                row.entry.retired = id + random.below(300) as u32 + 1;
            }
            if random.below(3) == 0 {
                row.stems = row.stems.replace(['@'], "w");
                (row.entry.group, row.entry.role) = (0, 1 | DERIVED);
            } else {
                plain.insert(id, row.clone());
            }
            rows.insert(id, row);
        }
        let next_id = rows.len() as u32 + 1;
        let (with, without) = (built(&rows, next_id), built(&plain, next_id));
        let vector: Vec<i8> = (0..DIMENSION).map(|_| (random.below(255) as i16 - 127) as i8).collect();
        let search = Search {
            mode: Mode::ALL[random.below(3)],
            vector: &vector,
            role: (random.below(2) == 0).then_some(1),
            depth: rows.len(),
            ..Search::default()
        };
        for at in [NOW, EVER, 1 + random.below(rows.len()) as u32] {
            let stems = asked(&["w0", "w7", "ada"]);
            let (with_lookup, without_lookup) = (with.look_up(&stems, at), without.look_up(&stems, at));
            let rarities = |lookup: &recordar_index::Lookup| [0, 1, 2].map(|word| lookup.rarity(word));
            assert_eq!(rarities(&with_lookup), rarities(&without_lookup), "as of {at}, round {round}");
            for id in plain.keys() {
                let standing = |index: &Index, lookup| index.stand(lookup, &search, *id).map(|standing| standing.hit);
                let (with, without) = (standing(&with, &with_lookup), standing(&without, &without_lookup));
                assert_eq!(with, without, "item {id} as of {at}, round {round}");
            }
            let derived =
                with.search(&with_lookup, &search).hits.into_iter().filter(|hit| !plain.contains_key(&hit.id));
            assert!(at != NOW || derived.count() > 0, "round {round}");
            let groups = |index: &Index, lookup| -> BTreeMap<u32, GroupHit> {
                index.search_groups(lookup, &search).into_iter().map(|hit| (hit.best, hit)).collect()
            };
            let (with, without) = (groups(&with, &with_lookup), groups(&without, &without_lookup));
            for (best, hit) in with.iter().filter(|(best, _)| without.contains_key(best)) {
                assert_eq!(hit, &without[best], "as of {at}, round {round}");
            }
        }
    }
}
