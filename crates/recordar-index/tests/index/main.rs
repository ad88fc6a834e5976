//! The index as the engine uses it: however it came about, it gives the same results.

#![allow(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

mod derived;
mod echoes;
mod filter;
mod order;
mod stages;

use recordar_index::{
    Block, BlockBuilder, EVER, Entry, Found, GroupHit, Index, Item, LIVE, Make, Mode, NOW, Search, SoughtWord,
    Standing, block_of,
};
use recordar_testkit::{Random, rounds};
use std::collections::BTreeMap;

const DIMENSION: usize = 64;

fn asked<'a>(stems: &[&'a str]) -> Vec<SoughtWord<'a>> {
    stems.iter().copied().map(SoughtWord::new).collect()
}

fn make() -> Make {
    Make { words: "words".into(), model: "model".into(), model_hash: "hash".into(), dimension: DIMENSION }
}

/// An item as the rows of a database would tell it.
#[derive(Clone)]
struct Row {
    entry: Entry,
    stems: String,
    facets: Vec<String>,
    vector: Vec<i8>,
}

impl Row {
    fn random(id: u32, revision: u32, random: &mut Random) -> Self {
        let words = 1 + random.below(12);
        let mut stems: String = (0..words)
            .map(|_| {
                let rank = 1 + random.below(60);
                format!("w{} ", random.below(rank))
            })
            .collect();
        if random.below(3) == 0 {
            stems.push_str(["@ada", "@bob"][random.below(2)]);
        }
        let (group, role) = ([0, 7, 8, 9][random.below(4)], 1 + random.below(2) as u8);
        let occurred_at = random.below(1000) as i64 * 86_400_000_000;
        let entry = Entry { id, group, role, occurred_at, order: occurred_at, born: revision, retired: LIVE, print: 0 };
        let vector = (0..DIMENSION).map(|_| random.below(255) as i16 as u8 as i8).map(|v| v.max(-127)).collect();
        // By the id, so that other rows stay as they are.
        let facets = vec![format!("kind {}", id % 3), format!("of {}", id % 7)];
        Self { entry, stems, facets, vector }
    }

    /// The same with a print that others may have.
    fn with_print(mut self, random: &mut Random) -> Self {
        self.entry.print = random.below(30).saturating_sub(10) as u64;
        self
    }

    fn item(&self) -> Item<'_> {
        Item { entry: self.entry, stems: &self.stems, facets: &self.facets, vector: &self.vector }
    }
}

/// The index of rows, built at once.
fn built(rows: &BTreeMap<u32, Row>, next_id: u32) -> Index {
    let mut index = Index::new(make());
    while let Some((id, _)) = rows.range(index.sealed_end()..).next() {
        let Some((first, end)) = block_of(*id, index.sealed_end(), next_id) else { break };
        let mut builder = BlockBuilder::new(first, end, &make());
        rows.range(first..end).for_each(|(_, row)| builder.add(&row.item()));
        index.push(builder.finish(1));
    }
    rows.range(index.sealed_end()..).for_each(|(_, row)| index.add(&row.item()));
    index
}

fn results(index: &Index, seed: u64) -> Vec<(Found, Vec<GroupHit>)> {
    let mut random = Random(seed);
    (0..4)
        .map(|_| {
            let stems: Vec<String> = (0..1 + random.below(4)).map(|_| format!("w{}", random.below(60))).collect();
            let mut stems: Vec<&str> = stems.iter().map(String::as_str).collect();
            if random.below(3) == 0 {
                stems.push("ada");
            }
            stems.sort_unstable();
            stems.dedup();
            let vector: Vec<i8> = (0..DIMENSION).map(|_| (random.below(255) as i16 - 127) as i8).collect();
            let search = Search {
                mode: [Mode::Keyword, Mode::Semantic, Mode::Hybrid][random.below(3)],
                vector: &vector,
                role: (random.below(2) == 0).then_some(1),
                period: (random.below(2) == 0).then_some((0, 86_400_000_000 * random.below(1000) as i64)),
                depth: 50,
                only: None,
                ..Search::default()
            };
            let lookup = index.look_up(&asked(&stems), [NOW, NOW, EVER, 1 + random.below(80) as u32][random.below(4)]);
            let found = index.search(&lookup, &search);
            check_scores(&found);
            (found, index.search_groups(&lookup, &search))
        })
        .collect()
}

/// Scores lie from 0 to 1, are the sums of their parts, and order the hits.
fn check_scores(found: &Found) {
    for hit in &found.hits {
        assert!((0.0..=1.0 + 1e-9).contains(&hit.score), "{hit:?}");
        let words: f64 = hit.terms.iter().map(|term| term.own).sum();
        assert!((words - hit.evidence.keyword).abs() < 1e-9, "{hit:?}");
        let parts = &hit.evidence;
        let sum = parts.keyword + parts.semantic + parts.neighbours + parts.thread + parts.speaker + parts.period;
        assert_eq!(sum, hit.score, "{hit:?}");
        let place: f64 = hit.terms.iter().map(|term| term.place).sum();
        assert!(place <= parts.neighbours + parts.thread + 1e-9, "{hit:?}");
    }
    assert!(found.hits.is_sorted_by(|one, next| (next.score, one.id) < (one.score, next.id) || one.score > next.score));
}

/// Grows an index by random writes, as a process does that reads what was written: now and then it keeps its segments,
/// joins them, or begins anew from what it kept.
#[test]
fn e2_an_index_grown_write_by_write_equals_one_built_at_once() {
    for round in 0..rounds(120, 2_000) {
        let mut random = Random(round as u64 + 1);
        let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
        let mut index = Index::new(make());
        let mut kept: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
        let (mut next_id, mut revision) = (1, 0);
        let steps = 20 + random.below(60);
        // Ids of documents and threads lie between those of items; in a space that was imported, anything may.
        let (most_items, most_between) = [(60, 2), (6, 200), (6, 100_000)][round % 3];
        for _ in 0..steps {
            revision += 1;
            match random.below(12) {
                0..=7 => {
                    for _ in 0..1 + random.below(most_items) {
                        next_id += random.below(most_between) as u32;
                        let row = Row::random(next_id, revision, &mut random).with_print(&mut random);
                        index.add(&row.item());
                        rows.insert(next_id, row);
                        next_id += 1;
                    }
                    index.seal(next_id);
                }
                8 => {
                    let live: Vec<u32> =
                        rows.values().filter(|row| row.entry.retired == LIVE).map(|row| row.entry.id).collect();
                    if let Some(id) = live.get(random.below(live.len())) {
                        index.retire(*id, revision);
                        rows.get_mut(id).unwrap().entry.retired = revision;
                    }
                }
                9 => {
                    let ids: Vec<u32> = rows.keys().copied().collect();
                    if let Some(id) = ids.get(random.below(ids.len())) {
                        index.remove(*id);
                        rows.remove(id);
                        // As `forget` does: what holds its words is not kept any longer.
                        kept.retain(|first, bytes| {
                            let block = Block::from_bytes(bytes.clone(), &make()).unwrap();
                            let mut probe = Index::new(make());
                            probe.push(block);
                            !(*first <= *id && *id < probe.sealed_end())
                        });
                    }
                }
                10 => {
                    while let Some(merge) = index.next_merge() {
                        assert!(index.replace(merge.run()));
                    }
                    while let Some(keepsake) = index.next_keepsake(revision) {
                        index.kept(keepsake.first, keepsake.end);
                        kept.retain(|first, _| *first < keepsake.first || *first >= keepsake.end);
                        kept.insert(keepsake.first, keepsake.bytes);
                    }
                }
                _ => index = reopened(&rows, &kept, next_id),
            }
        }
        let expected = results(&built(&rows, next_id), round as u64);
        assert_eq!(results(&index, round as u64), expected, "history {round}");
        assert_eq!(results(&reopened(&rows, &kept, next_id), round as u64), expected, "history {round}, opened again");
    }
}

/// Opened from what was kept, and from the rows where nothing was.
fn reopened(rows: &BTreeMap<u32, Row>, kept: &BTreeMap<u32, Vec<u8>>, next_id: u32) -> Index {
    let mut index = Index::new(make());
    while let Some((id, _)) = rows.range(index.sealed_end()..).next() {
        let limit = kept.range(id + 1..).next().map_or(next_id, |(first, _)| (*first).min(next_id));
        let holding = kept.range(index.sealed_end()..=*id).next_back();
        let holding = holding.map(|(_, bytes)| Block::from_bytes(bytes.clone(), &make()).unwrap());
        if let Some(block) = holding.filter(|block| block.range().1 > *id) {
            index.push(block);
        } else if let Some((first, end)) = block_of(*id, index.sealed_end(), limit) {
            let mut builder = BlockBuilder::new(first, end, &make());
            rows.range(first..end).for_each(|(_, row)| builder.add(&row.item()));
            index.push(builder.finish(1));
        } else {
            break;
        }
    }
    let retired = rows.values().filter(|row| row.entry.retired != LIVE);
    retired.for_each(|row| index.retire(row.entry.id, row.entry.retired));
    rows.range(index.sealed_end()..).for_each(|(_, row)| index.add(&row.item()));
    index
}

#[test]
fn e2_an_index_is_as_large_as_what_is_stored_and_not_as_its_ids() {
    let mut random = Random(3);
    let ids = [1, 2, 700, 1 << 20, (1 << 31) - 3, (1 << 31) - 2];
    let rows: BTreeMap<u32, Row> = ids.map(|id| (id, Row::random(id, 1, &mut random))).into();
    let mut grown = Index::new(make());
    rows.values().for_each(|row| grown.add(&row.item()));
    grown.seal(1 << 31);
    let mut merges = 0;
    while let Some(merge) = grown.next_merge() {
        assert!(grown.replace(merge.run()));
        merges += 1;
    }
    assert!(merges <= 2 * ids.len(), "{merges}");
    assert!(!grown.has_unkept(), "so few are built again");
    assert!(grown.bytes() < ids.len() * 1_000, "{} bytes", grown.bytes());
    assert_eq!(results(&grown, 1), results(&built(&rows, 1 << 31), 1));
}

/// As of an earlier revision, an index gives what an index of that time gave.
#[test]
fn c3_an_earlier_revision_is_found_as_it_was() {
    for round in 0..rounds(40, 400) {
        let mut random = Random(round as u64 + 1);
        let mut index = Index::new(make());
        let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
        for revision in 1..40 {
            let row = Row::random(revision, revision, &mut random).with_print(&mut random);
            index.add(&row.item());
            rows.insert(revision, row);
            if random.below(3) == 0 {
                let id = 1 + random.below(revision as usize) as u32;
                let row = rows.get_mut(&id).unwrap();
                if row.entry.retired == LIVE {
                    row.entry.retired = revision;
                    index.retire(id, revision);
                }
            }
        }
        let at = 1 + random.below(39) as u32;
        let then: BTreeMap<u32, Row> = rows
            .into_iter()
            .filter(|(_, row)| row.entry.born <= at && at < row.entry.retired)
            .map(|(id, mut row)| {
                row.entry.retired = LIVE;
                (id, row)
            })
            .collect();
        let vector = [1; DIMENSION];
        let search = Search { mode: Mode::Hybrid, vector: &vector, depth: 50, ..Search::default() };
        let stems = ["w0", "w3", "w9", "ada"];
        let earlier = built(&then, 40);
        let find = |index: &Index, at: u32| {
            let lookup = index.look_up(&asked(&stems), at);
            (index.search(&lookup, &search).hits, index.search_groups(&lookup, &search))
        };
        assert_eq!(find(&index, at), find(&earlier, NOW), "round {round}, as of {at}");
    }
}

#[test]
fn every_item_has_a_place_whether_it_is_found_or_not() {
    let mut random = Random(3);
    let mut index = Index::new(make());
    for id in 1..200 {
        index.add(&Row::random(id, id, &mut random).item());
        if random.below(4) == 0 {
            index.retire(1 + random.below(id as usize) as u32, id);
        }
    }
    let vector = [1; DIMENSION];
    let search = Search { mode: Mode::Hybrid, vector: &vector, depth: 500, ..Search::default() };
    for at in [NOW, 100, EVER] {
        let lookup = index.look_up(&asked(&["w0", "w3", "w9"]), at);
        let hits = index.search(&lookup, &search).hits;
        assert!(hits.len() > 20);
        for (rank, hit) in (1..).zip(&hits) {
            let standing = index.stand(&lookup, &search, hit.id).unwrap();
            assert_eq!((&standing.hit, standing.is_candidate), (hit, true));
            let all: Vec<Standing> = (1..200).filter_map(|id| index.stand(&lookup, &search, id)).collect();
            let before = all.iter().filter(|other| {
                let order = other.hit.score.total_cmp(&hit.score);
                order.is_gt() || (order.is_eq() && other.hit.id < hit.id)
            });
            assert_eq!(index.count_before(&lookup, &search, hit.score, hit.id), before.count());
            assert!(
                index.count_before(&lookup, &search, hit.score, hit.id) + 1 >= rank,
                "what was not looked at may stand before it"
            );
        }
        let live = (1..200).filter(|id| index.stand(&lookup, &search, *id).is_some()).count();
        assert!(live >= hits.len() && (at != EVER || live == 199), "{at}: {live}");
        assert!(index.stand(&lookup, &search, 500).is_none());
    }
}

#[test]
fn groups_have_the_same_score_asked_for_and_searched_for() {
    let mut random = Random(4);
    let mut index = Index::new(make());
    let rows: Vec<Row> = (1..300).map(|id| Row::random(id, id, &mut random)).collect();
    rows.iter().for_each(|row| index.add(&row.item()));
    let vector = [1; DIMENSION];
    for stems in [&["w0", "w3"][..], &[]] {
        let search = Search { mode: Mode::Hybrid, vector: &vector, depth: 500, ..Search::default() };
        let lookup = index.look_up(&asked(stems), NOW);
        let hits = index.search_groups(&lookup, &search);
        assert!(hits.len() > 3 && hits.iter().all(|hit| hit.score.is_finite()));
        for hit in hits {
            let group = rows[hit.best as usize - 1].entry.group;
            if group != 0 {
                assert_eq!(
                    index.score_versions(&lookup, &search, &[(group, NOW), (999_999, NOW)]),
                    [hit.score, 0.0],
                    "{stems:?}"
                );
            }
        }
    }
}

/// Above 16,384 items vectors are chosen by their signs; an earlier revision may have had fewer.
#[test]
fn c3_an_earlier_revision_of_a_large_index_is_found_as_it_was() {
    let mut random = Random(12);
    let mut index = Index::new(make());
    let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
    for id in 1..=rounds(17_000, 40_000) as u32 {
        let revision = 1 + id / 5_000;
        let row = Row::random(id, revision, &mut random);
        index.add(&row.item());
        rows.insert(id, row);
    }
    index.seal(rows.len() as u32 + 1);
    let last = rows.len() as u32;
    let vector: Vec<i8> = (0..DIMENSION).map(|number| (number as i8 % 7) - 3).collect();
    for at in [2, last / 5_000, 1 + last / 5_000] {
        let then: BTreeMap<u32, Row> =
            rows.iter().filter(|(_, row)| row.entry.born <= at).map(|(id, row)| (*id, row.clone())).collect();
        let earlier = built(&then, last + 1);
        for stems in [&["w0", "w3", "ada"][..], &[]] {
            let search = Search { mode: Mode::Hybrid, vector: &vector, depth: 50, ..Search::default() };
            let find = |index: &Index, at: u32| {
                let lookup = index.look_up(&asked(stems), at);
                (index.search(&lookup, &search).hits, index.search_groups(&lookup, &search))
            };
            assert_eq!(find(&index, at), find(&earlier, NOW), "{stems:?} as of {at}");
        }
    }
}

#[test]
fn e2_scores_lie_between_0_and_1_and_are_the_sum_of_their_parts() {
    let mut random = Random(8);
    let mut index = Index::new(make());
    (1..300).for_each(|id| index.add(&Row::random(id, id, &mut random).item()));
    let vector = [1; DIMENSION];
    for mode in [Mode::Hybrid, Mode::Keyword, Mode::Semantic] {
        for period in [None, Some((0, 1_000_000))] {
            let search = Search { mode, vector: &vector, role: Some(1), period, depth: 300, ..Search::default() };
            let lookup = index.look_up(&asked(&["w0", "w1", "ada"]), NOW);
            for hit in index.search(&lookup, &search).hits {
                assert!(hit.score > 0.0 && hit.score <= 1.0 + 1e-12, "{hit:?}");
                assert_eq!(hit.score, hit.evidence.score());
                let words: f64 = hit.terms.iter().map(|term| term.own).sum();
                assert!((words - hit.evidence.keyword).abs() < 1e-9, "{hit:?}");
            }
        }
    }
}

#[test]
fn a_damaged_segment_or_one_of_another_make_is_not_used() {
    let mut random = Random(5);
    let rows: BTreeMap<u32, Row> = (1..600).map(|id| (id, Row::random(id, 1, &mut random))).collect();
    let index = built(&rows, 600);
    let bytes = index.next_keepsake(1).unwrap().bytes;
    assert!(Block::from_bytes(bytes.clone(), &make()).is_some());
    assert!(Block::from_bytes(bytes.clone(), &Make { model_hash: "other".into(), ..make() }).is_none());
    assert!(Block::from_bytes(bytes.clone(), &Make { words: "other".into(), ..make() }).is_none());
    for _ in 0..rounds(300, 5_000) {
        let mut damaged = bytes.clone();
        match random.below(3) {
            0 => damaged.truncate(random.below(bytes.len())),
            1 => damaged.push(0),
            _ => damaged[random.below(bytes.len())] ^= 1 << random.below(8),
        }
        assert!(Block::from_bytes(damaged, &make()).is_none());
    }
}

/// Above a size, vectors are chosen by their signs first. That finds nearly all that a comparison with every one finds.
#[test]
fn choosing_by_signs_finds_nearly_all() {
    let mut random = Random(11);
    let topics: Vec<Vec<i16>> =
        (0..50).map(|_| (0..DIMENSION).map(|_| random.below(161) as i16 - 80).collect()).collect();
    let near = |random: &mut Random| -> Vec<i8> {
        let topic = &topics[random.below(topics.len())];
        topic.iter().map(|value| (value + random.below(81) as i16 - 40) as i8).collect()
    };
    let mut index = Index::new(make());
    for id in 1..20_000 {
        let mut row = Row::random(id, 1, &mut random);
        row.vector = near(&mut random);
        index.add(&row.item());
    }
    let (mut found, mut wanted) = (0, 0);
    for _ in 0..20 {
        let vector = near(&mut random);
        let search = Search { mode: Mode::Semantic, vector: &vector, depth: 200, ..Search::default() };
        let hits = index.search(&index.look_up(&[], NOW), &search).hits;
        for id in index.scan(&vector, 10) {
            wanted += 1;
            found += usize::from(hits.iter().any(|hit| hit.id == id));
        }
    }
    assert!(found * 100 >= wanted * 90, "{found} of {wanted}");
}

#[test]
fn i21_words_with_several_stems_are_found_by_any_and_extra_forms_have_no_length() {
    let mut index = Index::new(make());
    let mut random = Random(21);
    for (id, stems) in [(1, "persist volum +persistvolum"), (2, "persistvolum"), (3, "volum volum"), (4, "\u{2}dehaus")]
    {
        let row = Row::random(id, 1, &mut random);
        index.add(&Row { entry: Entry { group: 7, ..row.entry }, stems: stems.to_owned(), ..row }.item());
    }
    let holding = |stems: &str| index.look_up(&[SoughtWord::new(stems)], NOW).holding(0);
    assert_eq!((holding("persist"), holding("persistvolum"), holding("volum")), (1, 2, 2));
    assert_eq!((holding("volum persistvolum"), holding("persistvolum absent persist"), holding("absent")), (3, 2, 0));
    assert!(index.languages().contains("de") && index.languages().len() == 1);
    assert!(holding("hous \u{2}dehaus") == 1 && holding("haus") == 0);
}
