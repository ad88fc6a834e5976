//! A search within a filter: what a search of everything gives, without the others.

use super::{asked, *};

fn grown(count: u32, random: &mut Random) -> (Index, Vec<Row>) {
    let rows: Vec<Row> = (1..=count).map(|id| Row::random(id, id, random).with_print(random)).collect();
    let mut index = Index::new(make());
    for row in &rows {
        index.add(&row.item());
        if random.below(8) == 0 {
            index.retire(1 + random.below(row.entry.id as usize) as u32, row.entry.id);
        }
    }
    (index, rows)
}

#[test]
fn a_filter_drops_all_others_and_changes_no_score() {
    for round in 0..rounds(80, 800) as u64 {
        let mut random = Random(round + 1);
        let count = 1 + random.below(300) as u32;
        let (index, rows) = grown(count, &mut random);
        let one_in = 1 + random.below(20);
        let chosen: Vec<u32> = (1..=count + 3).filter(|_| random.below(one_in) == 0).collect();
        let only = index.filter(chosen.iter().copied().chain(chosen.first().copied()));
        assert_eq!(only.len(), chosen.iter().filter(|id| **id <= count).count());
        let vector: Vec<i8> = (0..DIMENSION).map(|_| (random.below(255) as i16 - 127) as i8).collect();
        let all = Search {
            mode: Mode::ALL[random.below(3)],
            vector: &vector,
            role: (random.below(2) == 0).then_some(1),
            period: (random.below(3) == 0).then_some((0, 86_400_000_000 * random.below(1000) as i64)),
            depth: 1_000,
            only: None,
            ..Search::default()
        };
        let within = Search { only: Some(&only), ..all };
        let terms = 1 + random.below(3);
        let at = [NOW, 100, EVER][random.below(3)];
        let lookup = index.look_up(&asked(&["w0", "w3", "ada"][..terms]), at);
        let is_chosen = |id: u32| chosen.binary_search(&id).is_ok();

        let mut expected = index.search(&lookup, &all).hits;
        expected.retain(|hit| is_chosen(hit.id));
        let (found, more): (Vec<_>, Vec<_>) =
            index.search(&lookup, &within).hits.into_iter().partition(|hit| expected.iter().any(|other| other == hit));
        assert_eq!(found, expected, "round {round}");
        // The best in the filter are others, and so are their neighbours.
        for hit in more {
            assert!(is_chosen(hit.id) && hit.evidence.keyword == 0.0 && hit.evidence.semantic == 0.0, "{hit:?}");
        }

        let mut places: Vec<Standing> = Vec::new();
        for id in 1..=count {
            let standing = index.stand(&lookup, &within, id);
            let of_all = index.stand(&lookup, &all, id).filter(|_| is_chosen(id));
            assert_eq!(standing.as_ref().map(|standing| &standing.hit), of_all.as_ref().map(|standing| &standing.hit));
            places.extend(standing);
        }
        places.sort_by(|one, other| other.hit.score.total_cmp(&one.hit.score).then(one.hit.id.cmp(&other.hit.id)));
        for (before, Standing { hit, .. }) in places.iter().enumerate() {
            assert_eq!(index.count_before(&lookup, &within, hit.score, hit.id), before);
        }

        // Whole threads have the score that they have without a filter.
        let threads = index.filter(rows.iter().map(|row| row.entry).filter(|row| row.group == 7).map(|row| row.id));
        let mut expected = index.search_groups(&lookup, &all);
        expected.retain(|hit| rows[hit.best as usize - 1].entry.group == 7);
        assert_eq!(index.search_groups(&lookup, &Search { only: Some(&threads), ..all }), expected, "round {round}");
        let groups = index.search_groups(&lookup, &within);
        assert!(groups.iter().all(|hit| is_chosen(hit.best)), "round {round}");
        for hit in groups {
            let group = rows[hit.best as usize - 1].entry.group;
            assert!(
                group == 0 || index.score_versions(&lookup, &within, &[(group, at)]) == [hit.score],
                "round {round}"
            );
        }
        assert!(index.search(&lookup, &Search { only: Some(&index.filter([].into_iter())), ..all }).hits.is_empty());
    }
}

/// The first hits within a filter are the first of all items, scored one by one, without those that are not in the filter.
#[test]
fn i20_filter_the_best_of_what_passes_are_found() {
    for round in 0..rounds(60, 600) as u64 {
        let mut random = Random(round + 1_000);
        let count = 1 + random.below(1_500) as u32;
        let (mut index, rows) = grown(count, &mut random);
        (0..random.below(20)).for_each(|_| index.remove(1 + random.below(count as usize) as u32));
        let one_in = 1 + random.below(200);
        let chosen: Vec<u32> = (1..=count).filter(|_| random.below(one_in) == 0).collect();
        let vector: Vec<i8> = (0..DIMENSION).map(|_| (random.below(255) as i16 - 127) as i8).collect();
        let only = index.filter(chosen.iter().copied());
        let within = Search {
            mode: Mode::ALL[random.below(3)],
            vector: &vector,
            role: (random.below(2) == 0).then_some(1),
            period: (random.below(3) == 0).then_some((0, 86_400_000_000 * random.below(1000) as i64)),
            depth: 1 + random.below(30),
            only: Some(&only),
            ..Search::default()
        };
        let lookup =
            index.look_up(&asked(&["w0", "w3", "ada"][..1 + random.below(3)]), [NOW, 100, EVER][random.below(3)]);
        let all = Search { only: None, ..within };
        let mut expected: Vec<_> = rows
            .iter()
            .filter_map(|row| index.stand(&lookup, &all, row.entry.id))
            .map(|standing| standing.hit)
            .filter(|hit| hit.score > 0.0 && chosen.contains(&hit.id))
            .collect();
        expected.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.id.cmp(&other.id)));
        let found = index.search(&lookup, &within);
        assert_eq!(found.scored, expected.len(), "round {round}");
        expected.truncate(within.depth);
        assert_eq!(found.hits, expected, "round {round}");
    }
}

#[test]
fn i20_filter_facets_are_found_and_count_nowhere() {
    let mut random = Random(3);
    let rows: BTreeMap<u32, Row> = (1..=2_500).map(|id| (id, Row::random(id, id, &mut random))).collect();
    let plain: BTreeMap<u32, Row> =
        rows.iter().map(|(id, row)| (*id, Row { facets: Vec::new(), ..row.clone() })).collect();
    let (mut index, without) = (built(&rows, 2_501), built(&plain, 2_501));
    for seed in 0..20 {
        assert_eq!(results(&index, seed), results(&without, seed), "facets change no score");
    }
    let ids = |index: &Index, facet: &str| {
        let filter = index.filter_by_facet(facet);
        let ids: Vec<u32> = filter.positions().map(|position| index.id_at(position)).collect();
        assert_eq!(ids.len(), filter.len());
        ids
    };
    let with = |rest: u32| (1..=2_500).filter(|id| id % 7 == rest).collect::<Vec<u32>>();
    assert_eq!(ids(&index, "of 3"), with(3), "in segments and in the tail");
    assert!(ids(&index, "of 9").is_empty() && ids(&index, "").is_empty() && ids(&index, "w0").is_empty());
    assert!(index.look_up(&asked(&["kind 1", "of 3", "\u{1}of 3"][..2]), NOW).holding(0) == 0, "no word is a facet");
    while let Some(merge) = index.next_merge() {
        assert!(index.replace(merge.run()));
    }
    assert_eq!(ids(&index, "of 3"), with(3), "merged");
    while let Some(keepsake) = index.next_keepsake(1) {
        let block = Block::from_bytes(keepsake.bytes, &make()).unwrap();
        let mut read = Index::new(make());
        read.push(block);
        let range = keepsake.first..keepsake.end;
        let expected: Vec<u32> = with(3).into_iter().filter(|id| range.contains(id)).collect();
        assert_eq!(ids(&read, "of 3"), expected, "read again");
        index.kept(keepsake.first, keepsake.end);
    }
    // Sets of items.
    let (of_3, kind_1) = (index.filter_by_facet("of 3"), index.filter_by_facet("kind 1"));
    let mut both = of_3.clone();
    both.keep(&kind_1);
    let mut either = of_3.clone();
    either.add_all(&kind_1);
    assert_eq!(both.len() + either.len(), of_3.len() + kind_1.len());
    either.drop_all(&kind_1);
    assert!(either.positions().all(|position| of_3.contains(position) && !kind_1.contains(position)));
    assert_eq!(either.len(), of_3.len() - both.len());
    assert_eq!(index.unfiltered().len(), 2_500);
    let groups = index.filter_by_groups(&[7, 9, 0, 77]);
    assert_eq!(groups, index.filter_by(|position| [7, 9].contains(&index.group_at(position))));
    assert_eq!(index.found_of(&groups, 100), index.filter_by(|at| groups.contains(at) && index.is_found_at(at, 100)));
}

/// However many are better, what is in the filter is found; also where vectors are chosen by their signs.
#[test]
fn better_items_outside_a_filter_crowd_out_none_in_it() {
    let mut random = Random(9);
    let mut index = Index::new(make());
    let count = 17_000;
    let vector: Vec<i8> = (0..DIMENSION).map(|number| (number as i8 % 7) - 3).collect();
    for id in 1..=count {
        let mut row = Row::random(id, 1, &mut random);
        (row.stems, row.vector) = ("w0 w3".to_owned(), vector.clone());
        if id.is_multiple_of(1_000) {
            row.stems = "w3 w5 w6 w7 w8".to_owned();
            row.vector[..30].fill(0);
        }
        index.add(&row.item());
    }
    let chosen: Vec<u32> = (1..=count).filter(|id| id.is_multiple_of(1_000)).collect();
    let few = index.filter(chosen.iter().copied());
    let most = index.filter((1..=count).filter(|id| *id != 1));
    for mode in Mode::ALL {
        let search = Search { mode, vector: &vector, depth: 17, only: Some(&few), ..Search::default() };
        let lookup = index.look_up(&asked(&["w0", "w3"]), NOW);
        let mut found: Vec<u32> = index.search(&lookup, &search).hits.iter().map(|hit| hit.id).collect();
        found.sort_unstable();
        assert_eq!(found, chosen);
        let hits = index.search(&lookup, &Search { only: Some(&most), ..search }).hits;
        assert!(hits.len() == 17 && hits.iter().all(|hit| hit.id != 1));
    }
}

#[test]
fn a_thread_is_only_its_items_in_the_filter() {
    let mut random = Random(1);
    let mut index = Index::new(make());
    for (id, stems) in [(1, "w0 w1"), (2, "w3"), (3, "w0")] {
        let row = Row::random(id, 1, &mut random);
        index.add(&Row { entry: Entry { group: 7, ..row.entry }, stems: stems.to_owned(), ..row }.item());
    }
    let lookup = index.look_up(&asked(&["w0", "w3"]), NOW);
    let score = |ids: &[u32]| {
        let only = index.filter(ids.iter().copied());
        let search = Search { mode: Mode::Keyword, vector: &[], depth: 9, only: Some(&only), ..Search::default() };
        let hits = index.search_groups(&lookup, &search);
        assert!(hits.iter().all(|hit| [hit.score] == *index.score_versions(&lookup, &search, &[(7, NOW)])));
        hits.first().map_or(0.0, |hit| hit.score)
    };
    assert!(score(&[1, 2, 3]) > score(&[1, 2]) && score(&[1, 2]) > score(&[2]) && score(&[2]) > score(&[]));
}
