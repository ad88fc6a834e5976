//! Issue 19, point 10: neighbours are those before and after in time, in whatever order items were stored.

use crate::asked;
use crate::{DIMENSION, Row, built, make};
use recordar_index::{EVER, Index, Mode, Search};
use recordar_testkit::{Random, rounds};
use std::collections::BTreeMap;

/// Rows with times of their own, some in threads, in the order of their times.
fn told(count: usize, random: &mut Random) -> Vec<Row> {
    let timed = |at: usize, random: &mut Random| {
        let mut row = Row::random(0, 1, random);
        row.entry.occurred_at = at as i64 * 1_000_000;
        row.entry.order = row.entry.occurred_at;
        row
    };
    (0..count).map(|at| timed(at, random)).collect()
}

/// The same rows, stored in another order.
fn stored(mut rows: Vec<Row>) -> BTreeMap<u32, Row> {
    (1..).zip(&mut rows).for_each(|(id, row)| row.entry.id = id);
    rows.into_iter().map(|row| (row.entry.id, row)).collect()
}

fn shuffled(mut rows: Vec<Row>, random: &mut Random) -> Vec<Row> {
    (1..rows.len()).rev().for_each(|at| rows.swap(at, random.below(at + 1)));
    rows
}

/// Every hit by its time instead of its id, with its score.
fn hits(index: &Index, vector: &[i8]) -> Vec<(i64, u64)> {
    let search = Search { mode: Mode::Hybrid, vector, depth: 5000, ..Search::default() };
    let found = index.search(&index.look_up(&asked(&["w1", "w30", "w5"]), EVER), &search);
    let mut hits: Vec<(i64, u64)> = found
        .hits
        .iter()
        .map(|hit| (index.occurred_at(index.position_of(hit.id).unwrap()), hit.score.to_bits()))
        .collect();
    hits.sort_unstable();
    hits
}

fn check_order(index: &Index) {
    for group in [7, 8, 9] {
        let times: Vec<i64> = index.group_positions(group).map(|position| index.occurred_at(position)).collect();
        assert!(times.is_sorted_by(|one, next| one > next), "the newest first");
    }
}

#[test]
fn i19_10_neighbours_follow_their_times_in_whatever_order_items_are_stored() {
    for round in 0..rounds(20, 200) {
        let mut random = Random(round as u64 + 1);
        let told = told(20 + random.below(if round % 5 == 0 { 1400 } else { 200 }), &mut random);
        let vector: Vec<i8> = (0..DIMENSION).map(|_| (random.below(255) as i16 - 127) as i8).collect();
        let count = told.len() as u32;
        let in_order = built(&stored(told.clone()), count + 1);
        let rows = stored(shuffled(told, &mut random));
        let at_once = built(&rows, count + 1);
        let mut one_by_one = Index::new(make());
        rows.values().for_each(|row| one_by_one.add(&row.item()));
        let mut in_pieces = Index::new(make());
        let all: Vec<&Row> = rows.values().collect();
        all.chunks(1 + random.below(90)).for_each(|piece| in_pieces.add_all(piece.iter().map(|row| row.item())));
        let expected = hits(&in_order, &vector);
        for index in [&in_order, &at_once, &one_by_one, &in_pieces] {
            check_order(index);
            assert_eq!(hits(index, &vector), expected, "round {round}");
        }
    }
}

#[test]
fn i19_10_at_the_same_time_items_stay_in_the_order_they_were_stored() {
    let mut random = Random(5);
    let mut told = told(900, &mut random);
    told.iter_mut().for_each(|row| (row.entry.occurred_at, row.entry.order) = (0, 0));
    let index = built(&stored(told), 901);
    for group in [7, 8, 9] {
        let ids: Vec<u32> = index.group_positions(group).map(|position| index.id_at(position)).collect();
        assert!(ids.len() > 100 && ids.is_sorted_by(|one, next| one > next));
    }
}

#[test]
fn i19_10_a_removed_item_leaves_its_neighbours_in_order() {
    let mut random = Random(6);
    let rows = stored(shuffled(told(300, &mut random), &mut random));
    let mut index = built(&rows, 301);
    (1..=300).filter(|id| id % 3 == 0).for_each(|id| index.remove(id));
    check_order(&index);
    let left: usize = [7, 8, 9].map(|group| index.group_positions(group).count()).iter().sum();
    let expected = rows.values().filter(|row| row.entry.group > 0 && row.entry.id % 3 != 0).count();
    assert_eq!(left, expected);
}
