//! The stages of a staged recall (D4), weight by weight, and against a plain computation of the same.

use crate::{DIMENSION, make};
use recordar_index::{
    Entry, Index, Item, LIVE, LabelColumns, LabelEntry, LabelFilter, NOW, StageHit, StageRequest, StageScope, Tier,
};
use recordar_testkit::{Random, rounds};

const DAY: i64 = 86_400_000_000;
const ASKED_AT: i64 = 1000 * DAY;
const THREAD: u32 = 7;

/// A message with labels.
#[derive(Clone)]
struct Said {
    thread: u32,
    age: i64,
    topics: Vec<String>,
    category: String,
    entities: Vec<String>,
    /// None without labels.
    importance: Option<u32>,
    uses: u32,
}

fn said(thread: u32, age: i64) -> Said {
    let (topics, entities) = (vec!["refund".to_owned()], Vec::new());
    Said { thread, age, topics, category: "inquiry".to_owned(), entities, importance: Some(500_000), uses: 0 }
}

fn indexed(messages: &[Said]) -> (Index, LabelColumns) {
    let mut index = Index::new(make());
    let mut labels = LabelColumns::default();
    for (id, message) in (1..).zip(messages) {
        let entry = Entry {
            id,
            group: message.thread,
            role: 1,
            occurred_at: ASKED_AT - message.age,
            order: ASKED_AT - message.age,
            born: id,
            retired: LIVE,
            print: 0,
        };
        index.add(&Item { entry, stems: "word", facets: &[], vector: &[1; DIMENSION] });
    }
    for (id, message) in (1..).zip(messages) {
        if let Some(importance) = message.importance {
            let (category, entities) = (message.category.as_str(), message.entities.as_slice());
            let topics = message.topics.as_slice();
            let (message_type, born) = ("statement", 1_000 + id);
            let entry = LabelEntry { id, topics, category, message_type, entities, importance, born, retired: LIVE };
            labels.label(&index, &entry);
        }
        if message.uses > 0 {
            labels.count_uses(&index, id, message.uses, 9);
        }
    }
    (index, labels)
}

fn request<'a>(scope: StageScope, topics: &'a [String], entities: &'a [String], limit: usize) -> StageRequest<'a> {
    StageRequest {
        scope,
        topics,
        category: Some("inquiry"),
        entities,
        preference: "user_preference",
        only: None,
        since: None,
        asked_at: ASKED_AT,
        at: NOW,
        limit,
    }
}

fn relevance(message: Said, scope: StageScope, topics: &[&str], entities: &[&str]) -> Option<f64> {
    let (index, labels) = indexed(&[message]);
    let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let (topics, entities) = (own(topics), own(entities));
    let found = labels.stage(&index, &request(scope, &topics, &entities, 20));
    found.first().map(|hit| hit.relevance as f64 / 1e6)
}

#[test]
fn d4_the_first_stage_weighs_topic_10_category_5_entity_8_tier_and_importance() {
    let here = StageScope::CurrentThread(THREAD);
    let plain = Said { category: "feedback".to_owned(), ..said(THREAD, 0) };
    // A short-term message counts 5, and half of an importance of ten 5.
    assert_eq!(relevance(plain.clone(), here, &[], &[]), Some(10.0));
    assert_eq!(relevance(plain.clone(), here, &["refund"], &[]), Some(20.0));
    assert_eq!(relevance(said(THREAD, 0), here, &["refund", "billing"], &[]), Some(25.0), "topics count once");
    let named = Said { entities: vec!["5678".to_owned()], ..said(THREAD, 0) };
    assert_eq!(relevance(named, here, &["refund"], &["5678", "1"]), Some(33.0));
    assert_eq!(relevance(Said { age: 2 * DAY, ..plain.clone() }, here, &[], &[]), Some(8.0), "mid term");
    assert_eq!(relevance(Said { age: 31 * DAY, ..plain.clone() }, here, &[], &[]), Some(6.0), "long term");
    assert_eq!(relevance(Said { importance: Some(700_000), ..plain.clone() }, here, &[], &[]), Some(12.0));
    assert_eq!(relevance(Said { importance: None, ..plain.clone() }, here, &[], &[]), Some(10.0), "5 without labels");
    assert_eq!(relevance(plain.clone(), here, &["billing"], &[]), None, "other topics are not asked for");
    assert_eq!(relevance(Said { thread: 8, ..plain }, here, &[], &[]), None);
}

#[test]
fn d4_the_second_stage_weighs_an_entity_12_and_no_tier_and_leaves_out_the_current_thread() {
    let elsewhere = StageScope::CrossThread(Some(THREAD));
    let named = Said { entities: vec!["5678".to_owned()], category: "feedback".to_owned(), ..said(8, 0) };
    assert_eq!(relevance(named.clone(), elsewhere, &["refund"], &["5678"]), Some(27.0));
    assert_eq!(relevance(said(8, 0), elsewhere, &["refund"], &["5678"]), Some(20.0));
    assert_eq!(relevance(Said { thread: THREAD, ..named.clone() }, elsewhere, &[], &[]), None);
    assert_eq!(relevance(Said { thread: 0, ..named.clone() }, elsewhere, &[], &[]), Some(5.0), "without a thread");
    assert_eq!(relevance(named, StageScope::CrossThread(None), &[], &[]), Some(5.0));
}

#[test]
fn d4_the_third_stage_finds_what_is_important_preferred_or_used_often_in_the_long_term() {
    let found = |message: Said| {
        let (index, labels) = indexed(&[message]);
        !labels.stage(&index, &request(StageScope::Expansion, &["billing".to_owned()], &[], 20)).is_empty()
    };
    assert!(found(Said { importance: Some(800_001), ..said(8, 0) }), "important ones are in the long term at once");
    assert!(!found(Said { importance: Some(800_000), ..said(8, 0) }));
    let preferred = |age| Said { category: "user_preference".to_owned(), ..said(8, age) };
    assert!(found(preferred(31 * DAY)) && !found(preferred(DAY)));
    assert!(found(Said { uses: 11, ..said(8, 0) }) && !found(Said { uses: 10, ..said(8, 31 * DAY) }));
    assert!(!found(said(8, 31 * DAY)), "age alone does not make it last");
}

#[test]
fn d4_stages_order_by_score_then_time_and_the_third_by_importance_then_use() {
    let messages =
        [said(8, 3 * DAY), said(8, 2 * DAY), Said { importance: Some(600_000), ..said(8, 9 * DAY) }, said(8, 2 * DAY)];
    let (index, labels) = indexed(&messages);
    let ids = |hits: Vec<StageHit>| hits.iter().map(|hit| hit.id).collect::<Vec<_>>();
    let cross = StageScope::CrossThread(None);
    assert_eq!(ids(labels.stage(&index, &request(cross, &[], &[], 20))), [3, 4, 2, 1], "ties go to the newer");
    assert_eq!(ids(labels.stage(&index, &request(cross, &[], &[], 2))), [3, 4]);
    let since = StageRequest { since: Some(ASKED_AT - 2 * DAY), ..request(cross, &[], &[], 20) };
    assert_eq!(ids(labels.stage(&index, &since)), [4, 2]);
    let lasting = |importance, uses| Said { importance: Some(importance), uses, ..said(8, 40 * DAY) };
    let (index, labels) =
        indexed(&[lasting(810_000, 0), lasting(900_000, 3), lasting(900_000, 5), lasting(100_000, 99)]);
    assert_eq!(ids(labels.stage(&index, &request(StageScope::Expansion, &[], &[], 20))), [3, 2, 1, 4]);
    assert_eq!(labels.uses_at(), 9);
}

#[test]
fn d4_labels_of_a_past_revision_are_those_of_then() {
    let (index, mut labels) = indexed(&[said(8, 0)]);
    let entry = |topic: &[String], born, retired| {
        let topics = topic.to_vec();
        (topics, born, retired)
    };
    let first = entry(&["refund".to_owned()], 1_001, 1_005);
    let second = entry(&["billing".to_owned()], 1_005, LIVE);
    for (topics, born, retired) in [first, second] {
        let entry = LabelEntry {
            id: 1,
            topics: &topics,
            category: "inquiry",
            message_type: "statement",
            entities: &[],
            importance: 500_000,
            born,
            retired,
        };
        labels.label(&index, &entry);
    }
    let having = |topic: &str, at| {
        let topics = [topic.to_owned()];
        let filter = LabelFilter { topics: &topics, ..LabelFilter::default() };
        labels.matching(&index, &filter, at).count()
    };
    assert_eq!((having("refund", NOW), having("billing", NOW)), (0, 1));
    assert_eq!((having("refund", 1_003), having("billing", 1_003)), (1, 0));
    assert_eq!((having("refund", 1_000), having("billing", 1_000)), (0, 0));
    assert_eq!(having("lamps", NOW), 0);
}

/// Everything by definition, without a heap and without columns.
fn plainly(messages: &[Said], request: &StageRequest<'_>) -> Vec<u32> {
    let mut found: Vec<((u64, i64), u32)> = Vec::new();
    for (id, message) in (1..).zip(messages) {
        let tier = Tier::of(message.age, message.importance, message.uses);
        let is_labelled = message.importance.is_some();
        let has_topic = is_labelled && request.topics.iter().any(|topic| message.topics.contains(topic));
        let has_entity = is_labelled && request.entities.iter().any(|entity| message.entities.contains(entity));
        let key = match request.scope {
            StageScope::Expansion => {
                let is_preference = is_labelled && message.category == request.preference;
                let lasts = message.importance.is_some_and(|importance| importance > 800_000) || message.uses > 10;
                (tier == Tier::LongTerm && (lasts || is_preference))
                    .then_some((message.importance.unwrap_or(0).into(), message.uses.into()))
            }
            scope => {
                let is_here = match scope {
                    StageScope::CurrentThread(thread) => message.thread == thread,
                    StageScope::CrossThread(Some(thread)) => message.thread != thread,
                    _ => true,
                };
                let weight = |holds: bool, weight: u64| if holds { weight } else { 0 };
                let is_current = matches!(scope, StageScope::CurrentThread(_));
                let of_tier = match tier {
                    Tier::ShortTerm => 5,
                    Tier::MidTerm => 3,
                    Tier::LongTerm => 1,
                };
                let sum = weight(has_topic, 10)
                    + weight(is_labelled && Some(message.category.as_str()) == request.category, 5)
                    + weight(has_entity, if is_current { 8 } else { 12 })
                    + weight(is_current, of_tier);
                let importance = message.importance.map_or(5_000_000, |importance| u64::from(importance) * 10);
                (is_here && (request.topics.is_empty() || has_topic))
                    .then_some((sum * 1_000_000 + importance, ASKED_AT - message.age))
            }
        };
        found.extend(key.map(|key| (key, id)));
    }
    found.sort_unstable_by_key(|key| std::cmp::Reverse(*key));
    found.truncate(request.limit);
    found.into_iter().map(|(_, id)| id).collect()
}

#[test]
fn d4_the_stages_equal_their_definition_on_drawn_conversations() {
    let topics = ["refund", "billing", "payment", "pricing"].map(str::to_owned);
    let names = ["1", "2", "3"].map(str::to_owned);
    for round in 0..rounds(60, 2_000) {
        let mut random = Random(0x57a6e5 + round as u64);
        random.below(2);
        let messages: Vec<Said> = (0..1 + random.below(300))
            .map(|_| Said {
                thread: random.below(6) as u32,
                age: random.below(60) as i64 * DAY,
                topics: (0..1 + random.below(3)).map(|_| topics[random.below(4)].clone()).collect(),
                category: ["inquiry", "feedback", "user_preference"][random.below(3)].to_owned(),
                entities: (0..random.below(3)).map(|_| names[random.below(3)].clone()).collect(),
                importance: (random.below(5) > 0).then(|| random.below(11) as u32 * 100_000),
                uses: random.below(14) as u32,
            })
            .collect();
        let (index, labels) = indexed(&messages);
        let (asked, named) = (&topics[..random.below(3)], &names[..random.below(3)]);
        for scope in [
            StageScope::CurrentThread(1),
            StageScope::CrossThread(Some(1)),
            StageScope::CrossThread(None),
            StageScope::Expansion,
        ] {
            let request = request(scope, asked, named, 1 + random.below(20));
            let found: Vec<u32> = labels.stage(&index, &request).iter().map(|hit| hit.id).collect();
            assert_eq!(found, plainly(&messages, &request), "round {round}, {scope:?}");
        }
    }
}
