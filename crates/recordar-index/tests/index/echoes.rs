//! Echoes add nothing: an index with them gives what one without them gives.

use super::{asked, *};

/// What an index gives for a question: hits, threads, counts of words, the place of every item, the nearest vectors.
type Answers = (Found, Vec<GroupHit>, Vec<(f64, usize)>, Vec<Standing>, Vec<usize>);

fn ask(index: &Index, ids: &[u32], at: u32, seed: u64) -> Answers {
    let mut random = Random(seed);
    let stems = ["w0", "w3", "w9", "ada"];
    let stems = &stems[random.below(3)..2 + random.below(3)];
    let vector: Vec<i8> = (0..DIMENSION).map(|_| (random.below(255) as i16 - 127) as i8).collect();
    let search = Search {
        mode: Mode::ALL[random.below(3)],
        vector: &vector,
        role: (random.below(2) == 0).then_some(1),
        period: (random.below(3) == 0).then_some((0, 86_400_000_000 * random.below(1000) as i64)),
        depth: 1 + random.below(50),
        only: None,
        ..Search::default()
    };
    let lookup = index.look_up(&asked(stems), at);
    let found = index.search(&lookup, &search);
    let standings: Vec<Standing> = ids.iter().step_by(7).filter_map(|id| index.stand(&lookup, &search, *id)).collect();
    let ranks = standings.iter().step_by(5);
    let ranks = ranks.map(|standing| index.count_before(&lookup, &search, standing.hit.score, standing.hit.id));
    let words = (0..stems.len()).map(|term| (lookup.rarity(term), lookup.holding(term)));
    (found, index.search_groups(&lookup, &search), words.collect(), standings.clone(), ranks.collect())
}

/// The rows that are found at a revision, as an index would hold them that knows of nothing else.
fn found_at(rows: &BTreeMap<u32, Row>, at: u32) -> BTreeMap<u32, Row> {
    let is_live = |row: &Row| at == EVER || (row.entry.born <= at && at < row.entry.retired);
    let mut prints = std::collections::BTreeSet::new();
    let live = rows.values().filter(|row| is_live(row));
    live.filter(|row| row.entry.print == 0 || prints.insert(row.entry.print))
        .map(|row| (row.entry.id, Row { entry: Entry { retired: LIVE, print: 0, ..row.entry }, ..row.clone() }))
        .collect()
}

fn check(index: &Index, rows: &BTreeMap<u32, Row>, at: u32, seed: u64) {
    let without = found_at(rows, at);
    let plain = built(&without, rows.keys().last().map_or(1, |id| id + 1));
    let ids: Vec<u32> = rows.keys().copied().collect();
    assert_eq!(ask(index, &ids, at, seed), ask(&plain, &ids, NOW, seed), "as of {at}, seed {seed}");
    for id in ids {
        let position = index.position_of(id).unwrap();
        assert_eq!(index.is_found_at(position, at), without.contains_key(&id), "{id} as of {at}, seed {seed}");
    }
    if at == NOW {
        assert_eq!(index.scan(&[3; DIMENSION], 20), plain.scan(&[3; DIMENSION], 20));
    }
}

#[test]
fn echoes_change_no_result_and_no_statistic_at_any_revision() {
    for round in 0..rounds(60, 600) as u64 {
        let mut random = Random(round + 1);
        let mut index = Index::new(make());
        let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
        let mut next_id = 1;
        let last = 20 + random.below(60) as u32;
        for revision in 1..=last {
            for _ in 0..random.below(8) {
                let row = Row::random(next_id, revision, &mut random).with_print(&mut random);
                index.add(&row.item());
                rows.insert(next_id, row);
                next_id += 1;
            }
            let ids: Vec<u32> = rows.keys().copied().collect();
            let Some(id) = ids.get(random.below(ids.len())) else { continue };
            match random.below(4) {
                0 | 1 if rows[id].entry.retired == LIVE && rows[id].entry.born < revision => {
                    index.retire(*id, revision);
                    rows.get_mut(id).unwrap().entry.retired = revision;
                }
                2 => {
                    index.remove(*id);
                    rows.remove(id);
                }
                _ => {}
            }
        }
        for at in [NOW, EVER, 1 + random.below(last as usize) as u32, 1 + random.below(last as usize) as u32] {
            check(&index, &rows, at, round);
            check(&built(&rows, next_id), &rows, at, round);
        }
    }
}

/// Above 16,384 items vectors are chosen by their signs. Echoes do not count among these items.
#[test]
fn echoes_change_nothing_in_a_large_index() {
    let mut random = Random(21);
    let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
    for id in 1..=17_500 {
        let mut row = Row::random(id, 1 + id / 5_000, &mut random);
        if random.below(10) == 0 {
            row = row.with_print(&mut random);
        }
        rows.insert(id, row);
    }
    let index = built(&rows, 17_501);
    for (seed, at) in (1..).zip([NOW, NOW, 3, EVER]) {
        let ids: Vec<u32> = rows.keys().copied().step_by(1_001).collect();
        let plain = built(&found_at(&rows, at), 17_501);
        assert_eq!(ask(&index, &ids, at, seed), ask(&plain, &ids, NOW, seed));
    }
}

/// One after the other they are found, each when all before it are gone; and there may be many of them.
#[test]
fn the_next_echo_takes_the_place_of_what_is_retired_or_removed() {
    const COPIES: u32 = 20_000;
    let mut random = Random(2);
    let row = Row::random(1, 1, &mut random);
    let copy = |id: u32| Row { entry: Entry { id, born: id, group: id % 3, print: 77, ..row.entry }, ..row.clone() };
    let grown = || {
        let mut index = Index::new(make());
        (1..=COPIES).for_each(|id| index.add(&copy(id).item()));
        index
    };
    let found = |index: &Index, at: u32| -> Vec<u32> {
        let word = row.stems.split(' ').next().unwrap();
        let search = Search { mode: Mode::Hybrid, vector: &row.vector, depth: 10, ..Search::default() };
        let lookup = index.look_up(&asked(&[word]), at);
        assert!(lookup.holding(0) <= 1);
        index.search(&lookup, &search).hits.iter().map(|hit| hit.id).collect()
    };
    let mut index = grown();
    assert_eq!(found(&index, NOW), [1]);
    for id in 1..COPIES {
        index.retire(id, COPIES + id);
    }
    assert_eq!(found(&index, NOW), [COPIES]);
    assert_eq!(found(&index, 5), [1]);
    assert_eq!(found(&index, COPIES), [1]);
    assert_eq!(found(&index, COPIES + 7), [8], "retired at a revision, it is not found as of that revision");
    assert_eq!(found(&index, EVER), [1]);
    index.remove(8);
    assert_eq!(found(&index, COPIES + 7), [9]);
    let mut index = grown();
    for id in 1..COPIES {
        index.remove(id);
        if id % 4_000 == 1 {
            assert_eq!((found(&index, NOW), found(&index, EVER)), (vec![id + 1], vec![id + 1]));
        }
    }
    index.retire(COPIES, 2 * COPIES);
    assert_eq!((found(&index, NOW), found(&index, 2 * COPIES - 1)), (vec![], vec![COPIES]));
    index.remove(COPIES);
    index.add(&copy(COPIES + 1).item());
    assert_eq!(found(&index, NOW), [COPIES + 1]);
}

#[test]
fn items_are_told_by_position() {
    let mut random = Random(6);
    let rows: BTreeMap<u32, Row> =
        (1..700).step_by(3).map(|id| (id, Row::random(id, id, &mut random).with_print(&mut random))).collect();
    let mut index = built(&rows, 700);
    index.remove(4);
    index.retire(7, 700);
    assert_eq!((index.position_of(4), index.position_of(5)), (None, None));
    for (id, row) in rows.iter().filter(|(id, _)| **id != 4) {
        let at = index.position_of(*id).unwrap();
        let told = (index.id_at(at), index.group_at(at), index.role_at(at), index.occurred_at(at));
        assert_eq!(told, (*id, row.entry.group, row.entry.role, row.entry.occurred_at));
    }
    for group in [0, 7, 8, 9, 10] {
        let ids: Vec<u32> = index.group_positions(group).map(|position| index.id_at(position)).collect();
        let rows = rows.values().map(|row| row.entry);
        let of_group = rows.filter(|entry| group != 0 && entry.group == group && entry.id != 4);
        let mut expected: Vec<(i64, u32)> = of_group.map(|entry| (entry.occurred_at, entry.id)).collect();
        expected.sort_unstable_by(|one, other| other.cmp(one));
        let expected: Vec<u32> = expected.into_iter().map(|(_, id)| id).collect();
        assert_eq!(ids, expected);
    }
}
