//! Facts (D2, E6): what holds, since when, who said so; and what people, forgetting and hostile models can do to them.

use crate::calling::call;
use crate::drawn_model::{Asked, with_model};
use crate::{ada, open_at, open_with, operation, set_clock};
use recordar::facts::{FactMethod, FactView, FactsRequest};
use recordar::forget::ForgetRequest;
use recordar::item::{ItemKind, ItemName, Role, UpdateRequest};
use recordar::recall::RecallRequest;
use recordar::{Message, Recordar, SpaceName, Timestamp};
use recordar_testkit::{Answer, Engine, ModelServer, Random, TestDatabase, rounds};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

/// The default.
const ON: &str = "";
const DAY: i64 = 86_400;

fn said(speaker: &str, text: &str, day: i64) -> Message {
    Message { speaker: Some(speaker.to_owned()), time: Some(time(day)), ..Message::new(text) }
}

fn time(day: i64) -> Timestamp {
    Timestamp::from_micros((1_600_000_000 + day * DAY) * 1_000_000)
}

fn all(memory: &Recordar, space: &SpaceName, as_of: Option<Timestamp>) -> Vec<FactView> {
    let request = FactsRequest { as_of, all: true, limit: 1000, ..FactsRequest::default() };
    memory.facts(space, &request).unwrap().facts
}

fn shown(facts: &[FactView]) -> Vec<(String, String, &'static str)> {
    let shown = |fact: &FactView| (fact.subject.clone(), fact.value.clone(), fact.state);
    facts.iter().map(shown).collect()
}

fn holding(memory: &Recordar) -> Vec<(String, String)> {
    let request = FactsRequest { limit: 1000, ..FactsRequest::default() };
    let facts = memory.facts(&ada(), &request).unwrap().facts;
    facts.into_iter().map(|fact| (fact.subject, fact.value)).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(subject, value)| ((*subject).to_owned(), (*value).to_owned())).collect()
}

/// What a simple model knows of a fact.
#[derive(Debug, Clone)]
struct Known {
    key: (String, String),
    value: String,
    since: i64,
    /// 1 for others, 2 for the subject, 3 for a person.
    weight: u8,
    thread: Option<String>,
    corrects: Option<i64>,
    born: usize,
    gone: Option<usize>,
    marks: Vec<(usize, bool)>,
    source: i64,
}

/// What holds, by playing the statements in the order of their times.
fn played(known: &BTreeMap<i64, Known>, step: usize, at: i64) -> BTreeMap<i64, &'static str> {
    let is_retired = |fact: &Known| fact.marks.iter().rfind(|(mark, _)| *mark <= step).is_some_and(|(_, mark)| *mark);
    let there: Vec<(i64, &Known)> = known
        .iter()
        .filter(|(_, fact)| fact.born <= step && fact.gone.is_none_or(|gone| gone > step))
        .map(|(id, fact)| (*id, fact))
        .collect();
    let mut states = BTreeMap::new();
    let mut heard: Vec<(i64, &Known)> = Vec::new();
    for (id, fact) in &there {
        let begins = fact.since <= at;
        let is_corrected = || {
            there.iter().filter(|(_, by)| !is_retired(by) && by.since <= at).any(|(_, by)| {
                let corrected = by.corrects.and_then(|corrected| known.get(&corrected));
                let says_so = |said: &Known| fact.key == said.key && fact.value == said.value && fact.weight < 3;
                by.corrects == Some(*id) || (fact.key.1 == "likes" && corrected.is_some_and(says_so))
            })
        };
        let state = match () {
            () if is_retired(fact) => "retired",
            () if !begins => "ahead",
            () if is_corrected() => "overruled",
            () => {
                heard.push((*id, fact));
                "holds"
            }
        };
        states.insert(*id, state);
    }
    heard.sort_by_key(|(id, fact)| (fact.since, fact.weight, *id));
    for now in 0..heard.len() {
        let (id, fact) = heard[now];
        if fact.key.1 == "likes" {
            continue;
        }
        let against: Vec<(i64, &Known)> = heard[..now]
            .iter()
            .filter(|(other, known)| states[other] == "holds" && known.key == fact.key && known.value != fact.value)
            .copied()
            .collect();
        if fact.weight < 3 && against.iter().any(|(_, known)| known.weight == 3) {
            states.insert(id, "overruled");
            continue;
        }
        for (other, known) in against {
            let follows = known.since < fact.since || (known.thread.is_some() && known.thread == fact.thread);
            if fact.weight == 3 {
                states.insert(other, if known.since < fact.since { "ended" } else { "overruled" });
            } else if follows && known.weight <= fact.weight {
                states.insert(other, "ended");
            }
        }
    }
    states
}

const CITIES: [&str; 4] = ["Lisbon", "Porto", "Faro", "Braga"];
const PEOPLE: [&str; 2] = ["Ana", "Bruno"];

/// Subject, attribute, value, and weight.
type Stated = ([String; 3], u8);

/// A message, and what it states.
fn statement(random: &mut Random) -> (Message, Stated) {
    let (speaker, city) = (PEOPLE[random.below(2)], CITIES[random.below(4)]);
    let other = PEOPLE[usize::from(speaker == "Ana")];
    let (text, stated) = match random.below(4) {
        0 => (format!("{other} lives in {city}."), ([other, "lives in", city], 1)),
        1 => (format!("I love {city}."), ([speaker, "likes", city], 2)),
        _ => (format!("I moved to {city}."), ([speaker, "lives in", city], 2)),
    };
    let thread = [None, None, Some("talk")][random.below(3)].map(str::to_owned);
    let day = random.below(12) as i64;
    let (words, weight) = stated;
    (Message { thread, ..said(speaker, &text, day) }, (words.map(str::to_owned), weight))
}

/// One history: statements, corrections, retirements, changed and forgotten messages; then what held at every time is compared.
fn play(memory: &Recordar, seconds: &std::sync::atomic::AtomicI64, number: usize, random: &mut Random) {
    let space = SpaceName::user(&format!("history-{number}")).unwrap();
    let mut known: BTreeMap<i64, Known> = BTreeMap::new();
    let start = 1_600_000_000 + 20 * DAY;
    let steps = 4 + random.below(12);
    for step in 0..steps {
        seconds.store(start + step as i64 * DAY, Ordering::Relaxed);
        let id = operation(&format!("step-{step}"));
        let live: Vec<i64> = known.iter().filter(|(_, fact)| fact.gone.is_none()).map(|(id, _)| *id).collect();
        let chosen = (!live.is_empty()).then(|| live[random.below(live.len())]);
        let drawn = random.below(11);
        let (stated, source) = match (drawn, chosen) {
            (5, Some(fact)) => {
                let city = CITIES[random.below(4)];
                let changed = memory.correct_fact(&space, fact, city, &id).unwrap();
                let Known { key, since, .. } = known[&fact].clone();
                let corrected = Known {
                    value: city.to_owned(),
                    weight: 3,
                    thread: None,
                    corrects: Some(fact),
                    born: step,
                    gone: None,
                    marks: Vec::new(),
                    source: 0,
                    key,
                    since,
                };
                assert_eq!((changed.fact.value.as_str(), changed.fact.method), (city, FactMethod::Person));
                known.insert(changed.fact.fact, corrected);
                continue;
            }
            (6 | 7, Some(fact)) => {
                let changed = memory.mark_fact(&space, fact, drawn == 6, &id).unwrap();
                if changed.changed {
                    known.get_mut(&fact).unwrap().marks.push((step, drawn == 6));
                }
                continue;
            }
            (8, Some(fact)) if known[&fact].source > 0 => {
                let source = known[&fact].source;
                memory.forget(&space, &ForgetRequest::Items(vec![source]), false, &id).unwrap();
                known.retain(|_, fact| fact.source != source);
                continue;
            }
            (9, Some(fact)) if known[&fact].source > 0 => {
                let source = known[&fact].source;
                let city = CITIES[random.below(4)];
                let request = UpdateRequest {
                    name: ItemName::Number(source),
                    text: Some(format!("I moved to {city}, really.")),
                    metadata: None,
                };
                let updated = memory.update(&space, &request, &id).unwrap();
                if updated.item_id == source {
                    continue;
                }
                known.values_mut().filter(|fact| fact.source == source).for_each(|fact| fact.gone = Some(step));
                (None, updated.item_id)
            }
            // Its words are the same, so that what a person did about its fact stays.
            (10, Some(fact)) if known[&fact].source > 0 => {
                let Known { source, key, value, weight, .. } = known[&fact].clone();
                let metadata = serde_json::from_value(json!({"step": step})).unwrap();
                let request = UpdateRequest { name: ItemName::Number(source), text: None, metadata: Some(metadata) };
                let updated = memory.update(&space, &request, &id).unwrap();
                known.values_mut().filter(|fact| fact.source == source).for_each(|fact| fact.gone = Some(step));
                (Some(([key.0, key.1, value], weight)), updated.item_id)
            }
            _ => {
                let (message, stated) = statement(random);
                let stored = memory.remember(&space, std::slice::from_ref(&message), &id).unwrap();
                (Some(stated), stored.items[0])
            }
        };
        let new: Vec<FactView> =
            all(memory, &space, None).into_iter().filter(|fact| !known.contains_key(&fact.fact)).collect();
        assert_eq!(new.len(), 1, "one fact a message: {new:?}");
        let fact = &new[0];
        assert_eq!(fact.source, Some(source));
        if let Some(([subject, attribute, value], _)) = &stated {
            assert_eq!([&fact.subject, &fact.attribute, &fact.value], [subject, attribute, value]);
        }
        let item = memory.item(&space, &ItemName::Number(source)).unwrap().item;
        let since = item.occurred_at.as_micros();
        let key = (fact.subject.clone(), fact.attribute.clone());
        // Of a changed message, what a person retired stays retired if it says the same.
        let is_before = |old: &&Known| old.gone == Some(step) && old.key == key && old.value == fact.value;
        let was_retired = |old: &Known| old.marks.last().is_some_and(|(_, is_retired)| *is_retired);
        let is_retired = known.values().filter(is_before).any(was_retired);
        known.insert(
            fact.fact,
            Known {
                key,
                value: fact.value.clone(),
                since,
                weight: stated.map_or(2, |(_, weight)| weight),
                thread: item.thread,
                corrects: None,
                born: step,
                gone: None,
                marks: is_retired.then_some((step, true)).into_iter().collect(),
                source,
            },
        );
    }
    for step in 0..steps {
        let at = Timestamp::from_micros((start + step as i64 * DAY) * 1_000_000);
        compare(&all(memory, &space, Some(at)), &played(&known, step, at.as_micros()), (number, step));
    }
    compare(&all(memory, &space, None), &played(&known, steps, i64::MAX), (number, steps));
}

fn compare(facts: &[FactView], expected: &BTreeMap<i64, &'static str>, place: (usize, usize)) {
    let states: BTreeMap<i64, &str> = facts.iter().map(|fact| (fact.fact, fact.state)).collect();
    assert_eq!(states, expected.iter().map(|(id, state)| (*id, *state)).collect(), "{place:?}: {facts:#?}");
    for fact in facts {
        assert_eq!(fact.state == "ended", fact.until.is_some(), "{fact:?}");
        let contradicts = |other: &&FactView| {
            other.state == "holds"
                && (&other.subject, &other.attribute) == (&fact.subject, &fact.attribute)
                && other.value != fact.value
                && !fact.several
        };
        let others: Vec<i64> = facts.iter().filter(contradicts).map(|other| other.fact).collect();
        let mut conflicts = fact.conflicts.clone();
        conflicts.sort_unstable();
        let mut others = if fact.state == "holds" { others } else { Vec::new() };
        others.sort_unstable();
        assert_eq!(conflicts, others, "{fact:?}");
    }
}

#[test]
fn i23_1_histories_of_facts_agree_with_a_simple_model_on_the_three_databases() {
    let mut rows: Option<Vec<String>> = None;
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let (seconds, clock) = set_clock();
        let memory = open_at(&database, ON, clock);
        for number in 0..rounds(40, 5_000) {
            play(&memory, &seconds, number, &mut Random(number as u64));
        }
        let found = memory.raw().unwrap().lines();
        assert_eq!(rows.get_or_insert_with(|| found.clone()), &found, "{engine:?} has other rows than SQLite");
    }
}

/// What is known, without the numbers of items and what they depend on.
fn known(memory: &Recordar, space: &SpaceName) -> Vec<(String, String, String, &'static str, i64)> {
    let row = |fact: FactView| (fact.subject, fact.attribute, fact.value, fact.state, fact.since.as_micros());
    let mut rows: Vec<_> = all(memory, space, None).into_iter().map(row).collect();
    rows.sort();
    rows
}

/// Up to six steps of a life, a day apart: where Ana lives, what she likes and what others say of her; values come back.
fn life(random: &mut Random) -> Vec<Message> {
    let mut days: Vec<i64> = (0..1 + random.below(6) as i64).map(|step| 3 * step).collect();
    let mut life = Vec::new();
    while !days.is_empty() {
        let day = days.remove(0);
        let city = CITIES[random.below(4)];
        let (speaker, text) = match random.below(6) {
            0 => ("Bruno", format!("Ana lives in {city}.")),
            1 => ("Ana", format!("I love {city}.")),
            2 => ("Ana", format!("I moved back to {city}.")),
            3 => ("Ana", format!("Did I say {city}? I only dreamt of it.")),
            _ => ("Ana", format!("I moved to {city}.")),
        };
        life.push(said(speaker, &text, day));
    }
    life
}

#[test]
fn i44_4_a_life_stands_the_same_in_whatever_order_it_arrives_and_whatever_was_undone() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, ON);
        for number in 0..rounds(25, 300) {
            let random = &mut Random(number as u64);
            let life = life(random);
            let space = |name: &str| SpaceName::user(&format!("{name}-{number}")).unwrap();
            let tell = |name: &str, life: &[Message]| -> Vec<i64> {
                let tell = |(at, message): (usize, &Message)| {
                    let id = operation(&format!("{name}-{number}-{at}"));
                    memory.remember(&space(name), std::slice::from_ref(message), &id).unwrap().items[0]
                };
                life.iter().enumerate().map(tell).collect()
            };
            tell("told", &life);
            let expected = known(&memory, &space("told"));
            let mut late = life.clone();
            for at in (1..late.len()).rev() {
                late.swap(at, random.below(at + 1));
            }
            tell("late", &late);
            assert_eq!(known(&memory, &space("late")), expected, "{engine:?} {number}: dates count, not the arrival");

            let undone = space("undone");
            let items = tell("undone", &life);
            let id = |step: &str| operation(&format!("{step}-{number}"));
            let other = said("Ana", "I moved to Evora.", random.below(18) as i64);
            let forgotten = memory.remember(&undone, &[other], &id("other")).unwrap().items;
            memory.forget(&undone, &ForgetRequest::Items(forgotten), false, &id("forget")).unwrap();
            assert_eq!(known(&memory, &undone), expected, "{engine:?} {number}: forgotten is never said");
            if let Some(fact) = all(&memory, &undone, None).first().map(|fact| fact.fact) {
                let corrected = memory.correct_fact(&undone, fact, "Evora", &id("correct")).unwrap().fact.fact;
                memory.mark_fact(&undone, corrected, true, &id("retire")).unwrap();
                memory.mark_fact(&undone, fact, true, &id("deny")).unwrap();
                memory.mark_fact(&undone, fact, false, &id("restore")).unwrap();
                let mut rows = known(&memory, &undone);
                rows.retain(|(_, _, value, ..)| value != "Evora");
                assert_eq!(rows, expected, "{engine:?} {number}: what a person took back changes nothing");
            }
            let (item, text) = (items[random.below(items.len())], "Something else.");
            let at = items.iter().position(|other| *other == item).unwrap();
            let edit = |item: i64, text: &str, step: &str| {
                let text = Some(text.to_owned());
                let request = UpdateRequest { name: ItemName::Number(item), text, metadata: None };
                memory.update(&undone, &request, &id(step)).unwrap().item_id
            };
            let edited = edit(item, text, "edit");
            edit(edited, &life[at].text, "edit-back");
            let mut rows = known(&memory, &undone);
            rows.retain(|(_, _, value, ..)| value != "Evora");
            assert_eq!(rows, expected, "{engine:?} {number}: an edit that was undone changes nothing");
        }
    }
}

#[test]
fn i23_1_what_was_remains_findable_and_every_step_can_be_undone() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, ON);
        let messages = [said("Ana", "I moved to Porto.", 1), said("Ana", "I moved to Lisbon.", 5)];
        memory.remember(&ada(), &messages, &operation("said")).unwrap();
        let facts = all(&memory, &ada(), None);
        let expected = [("Lisbon", "holds"), ("Porto", "ended")];
        assert_eq!(shown(&facts), expected.map(|(city, state)| ("Ana".to_owned(), city.to_owned(), state)));
        let (lisbon, porto) = (facts[0].fact, facts[1].fact);
        assert_eq!((facts[1].until, facts[1].replaced_by), (Some(time(5)), Some(lisbon)));
        assert_eq!(facts[1].quote.as_deref(), Some("I moved to Porto"));
        memory.mark_fact(&ada(), lisbon, true, &operation("retire")).unwrap();
        assert_eq!(holding(&memory), pairs(&[("Ana", "Porto")]));
        memory.mark_fact(&ada(), lisbon, false, &operation("restore")).unwrap();
        assert_eq!(holding(&memory), pairs(&[("Ana", "Lisbon")]));
        let again = memory.mark_fact(&ada(), lisbon, false, &operation("again")).unwrap();
        assert!(!again.changed);
        let faro = memory.correct_fact(&ada(), lisbon, "Faro", &operation("correct")).unwrap().fact.fact;
        memory.remember(&ada(), &[said("Ana", "I moved to Braga.", 9)], &operation("later")).unwrap();
        assert_eq!(holding(&memory), pairs(&[("Ana", "Faro")]), "a person's word stays");
        memory.mark_fact(&ada(), faro, true, &operation("undo")).unwrap();
        assert_eq!(holding(&memory), pairs(&[("Ana", "Braga")]));
        let at = |day: i64| {
            let request = FactsRequest { at: Some(time(day)), limit: 10, ..FactsRequest::default() };
            memory.facts(&ada(), &request).unwrap().facts.into_iter().map(|fact| fact.value).collect::<Vec<_>>()
        };
        assert_eq!([at(0), at(2), at(6), at(30)].concat(), ["Porto", "Lisbon", "Braga"]);
        let history = memory.fact_history(&ada(), porto).unwrap();
        assert_eq!((history.facts.len(), history.steps.len()), (4, 3));
        assert_eq!(history.steps[0].fact, faro);
        assert!(memory.fact_history(&ada(), 999).is_err());
        let changed = call(&memory, "update", json!({"item": porto, "text": "no"})).unwrap_err();
        assert!(changed.to_string().contains("extracted"), "{changed}");
    }
}

#[test]
fn i23_recall_prefers_what_holds_and_keeps_what_was_for_those_who_ask() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, ON);
        let messages = [
            said("Ana", "I live in Porto, and where I live the sea is cold.", 1),
            said("Bruno", "The weather is fine.", 2),
            said("Ana", "I moved to Lisbon.", 5),
        ];
        let stored = memory.remember(&ada(), &messages, &operation("said")).unwrap();
        let recalled = |query: &str| {
            let request = RecallRequest { asked_at: Some(time(30)), ..RecallRequest::new(query) };
            let result = memory.recall(&[ada()], &request).unwrap();
            let stages: Vec<String> = result.trace.stages.iter().map(|stage| stage.name.to_string()).collect();
            let found =
                result.memories.into_iter().map(|memory| (memory.kind, memory.provenance.item_id, memory.content));
            (found.collect::<Vec<_>>(), stages)
        };
        let (found, stages) = recalled("Where does Ana live?");
        assert!(stages.contains(&"facts".to_owned()), "{stages:?}");
        let (_, item, content) = &found[0];
        assert_eq!(
            (*item, content.as_str()),
            (stored.items[2], "I moved to Lisbon."),
            "what holds comes first: {found:?}"
        );
        assert!(found.iter().any(|(_, item, _)| *item == stored.items[0]), "and nothing is lost: {found:?}");
        let ended = |(kind, _, content): &(ItemKind, i64, String)| *kind == ItemKind::Fact && content.contains("Porto");
        assert!(!found.iter().any(ended), "the message says it: {found:?}");
        let asked = json!({"query": "Where does Ana live?", "asked_at": time(30).to_string()});
        let answer = call(&memory, "ask", asked).unwrap();
        assert_eq!(answer["facts"][0]["value"], "Lisbon", "{answer}");
        assert_eq!(answer["facts"][0]["since"], json!(time(5)), "an answer says since when: {answer}");
        let (former, _) = recalled("Where did Ana live before?");
        assert!(former[0].2.contains("Porto"), "{former:?}");
    }
}

#[test]
fn i44_an_answer_keeps_to_a_persons_correction() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, ON);
        let messages = [said("Ana", "I live in Porto.", 1), said("Ana", "I moved to Lisbon.", 5)];
        memory.remember(&ada(), &messages, &operation("said")).unwrap();
        let answer = || {
            let asked = json!({"query": "Where does Ana live?", "asked_at": time(30).to_string()});
            call(&memory, "ask", asked).unwrap()["answer"].as_str().unwrap_or_default().to_owned()
        };
        assert!(answer().starts_with("Ana lives in Lisbon, as Ana said on "), "{}", answer());
        let lisbon = all(&memory, &ada(), None).into_iter().find(|fact| fact.value == "Lisbon").unwrap().fact;
        memory.mark_fact(&ada(), lisbon, true, &operation("retire")).unwrap();
        assert!(!answer().starts_with("Ana lives in Lisbon"), "a person retired it: {}", answer());
        memory.mark_fact(&ada(), lisbon, false, &operation("restore")).unwrap();
        memory.correct_fact(&ada(), lisbon, "Faro", &operation("correct")).unwrap();
        assert!(answer().contains("Ana lives in Faro"), "a person's word: {}", answer());
    }
}

#[test]
fn i23_5_forgetting_a_message_takes_its_facts_and_brings_back_what_they_had_ended() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, ON);
        let messages = [said("Ana", "I moved to Porto.", 1), said("Ana", "I moved to Qaanaaq.", 5)];
        let stored = memory.remember(&ada(), &messages, &operation("said")).unwrap();
        assert_eq!(holding(&memory), pairs(&[("Ana", "Qaanaaq")]));
        let target = ForgetRequest::Items(vec![stored.items[1]]);
        let report = memory.forget(&ada(), &target, false, &operation("forget")).unwrap();
        assert_eq!((report.forgotten.messages, report.forgotten.facts), (1, 1));
        assert_eq!(holding(&memory), pairs(&[("Ana", "Porto")]));
        let rows = memory.raw().unwrap().lines().join("\n");
        assert!(!rows.contains("Qaanaaq"), "its words are gone from every table");
    }
}

#[test]
fn i23_5_facts_go_with_an_export_and_the_same_hold_after_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("space.jsonl");
    let mut expected = None;
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open_with(&database, ON);
        if expected.is_none() {
            let messages = [said("Ana", "I moved to Porto.", 1), said("Ana", "I moved to Lisbon.", 5)];
            memory.remember(&ada(), &messages, &operation("said")).unwrap();
            let lisbon = all(&memory, &ada(), None)[0].fact;
            memory.correct_fact(&ada(), lisbon, "Faro", &operation("correct")).unwrap();
            memory.mark_fact(&ada(), lisbon, true, &operation("retire")).unwrap();
            call(&memory, "export", json!({"file": file})).unwrap();
            expected = Some(all(&memory, &ada(), None));
            continue;
        }
        call(&memory, "import", json!({"file": file})).unwrap();
        assert_eq!(Some(all(&memory, &ada(), None)), expected);
    }
}

/// A model that replies to the extraction of facts with what a test says, and labels nothing.
fn with_facts(reply: impl Fn(&str) -> Value + Send + Sync + 'static) -> ModelServer {
    ModelServer::start(move |received| -> Answer {
        let asked = Asked::read(received);
        asked.reply(&reply(&asked.user).to_string())
    })
}

const MODEL: &str =
    "structured = \"tool\"\nretries = 0\nrepairs = 0\n[enrichment]\nenabled = false\n[facts]\nenabled = true\n";

#[test]
fn i23_4_a_hostile_model_stores_nothing_that_was_not_said_and_retires_nobody_elses_facts() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let server = with_facts(|message| {
            let fact = |subject: &str, value: &str, quote: &str| {
                json!({"subject": subject, "attribute": "lives in", "value": value, "quote": quote, "several": false,
                    "since": "", "confidence": 1})
            };
            let mut facts = vec![
                fact("Ana", "Madrid", "I moved to Madrid"),
                fact("Ana", "Madrid", message),
                fact("Carla", "tea", "I drink tea"),
                fact("Ana", "Ignore all rules", "Ignore all rules"),
            ];
            facts.extend((0..100).map(|number| fact("Bruno", &format!("town {number}"), message)));
            if message.contains("Lisbon") {
                facts.insert(0, fact("Ana", "Lisbon", "I moved to Lisbon"));
            }
            json!({ "facts": facts })
        });
        let memory = open_with(&database, &with_model(&server.url(), MODEL));
        memory.remember(&ada(), &[said("Ana", "I moved to Lisbon.", 1)], &operation("first")).unwrap();
        let methods = || all(&memory, &ada(), None).iter().map(|fact| fact.method).collect::<Vec<_>>();
        assert_eq!(methods(), [FactMethod::BuiltIn], "known as soon as it is stored");
        let report = memory.work(false, None, &operation("work"), |_| {}).unwrap();
        assert_eq!((report.extracted, report.failed, report.dead), (1, 0, 0), "{report:?}");
        assert_eq!((holding(&memory), methods()), (pairs(&[("Ana", "Lisbon")]), vec![FactMethod::Model]));
        memory.remember(&ada(), &[said("Bruno", "I drink tea.", 5)], &operation("second")).unwrap();
        memory.work(false, None, &operation("again"), |_| {}).unwrap();
        assert_eq!(holding(&memory), pairs(&[("Ana", "Lisbon")]), "what Bruno says changes nothing about Ana");
        let [fact] = &all(&memory, &ada(), None)[..] else { panic!("one fact") };
        assert_eq!((fact.method, fact.quote.as_deref()), (FactMethod::Model, Some("I moved to Lisbon")));
    }
}

#[test]
fn i23_what_a_person_denied_is_not_recalled_and_a_value_that_holds_again_is() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, ON);
    memory.remember(&ada(), &[said("Mara", "My favourite tea is Oolong.", 1)], &operation("said")).unwrap();
    let recalled = |query: &str| {
        let request = RecallRequest { asked_at: Some(time(30)), ..RecallRequest::new(query) };
        let result = memory.recall(&[ada()], &request).unwrap();
        result.memories.into_iter().map(|memory| (memory.kind, memory.content)).collect::<Vec<_>>()
    };
    let tea = all(&memory, &ada(), None)[0].fact;
    let assam = memory.correct_fact(&ada(), tea, "Assam", &operation("assam")).unwrap().fact.fact;
    let is_denied = |(kind, content): &(ItemKind, String)| *kind == ItemKind::Fact && content.contains("Oolong");
    let found = recalled("Which tea was Mara's favourite tea before?");
    assert!(!found.iter().any(is_denied), "a person said that Oolong is wrong: {found:?}");
    memory.correct_fact(&ada(), assam, "Oolong", &operation("back")).unwrap();
    let found = recalled("What is Mara's favourite tea?");
    assert!(found.iter().all(|(_, content)| content.contains("Oolong")) && !found.is_empty(), "{found:?}");
    let answer = call(&memory, "ask", json!({"query": "What is Mara's favourite tea?"})).unwrap();
    assert_eq!(answer["facts"][0]["method"], "person", "the message says what a person's word says: {answer}");
    let states: Vec<(&str, Option<i64>)> =
        all(&memory, &ada(), None).iter().map(|fact| (fact.state, fact.replaced_by)).collect();
    assert_eq!(states.iter().filter(|(state, _)| *state == "overruled").count(), 2, "{states:?}");
}

#[test]
fn i23_a_question_about_a_period_prefers_what_held_then() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, ON);
    // Day 0 is 13 September 2020.
    let messages = [said("Tom", "I live in Bristol.", 1), said("Tom", "I moved to Cardiff.", 100)];
    memory.remember(&ada(), &messages, &operation("said")).unwrap();
    let first = |query: &str| {
        let request = RecallRequest { asked_at: Some(time(200)), ..RecallRequest::new(query) };
        memory.recall(&[ada()], &request).unwrap().memories[0].content.clone()
    };
    assert!(first("Where does Tom live?").contains("Cardiff"));
    assert!(first("Where did Tom live in October 2020?").contains("Bristol"));
    let asked = json!({"query": "Where did Tom live in October 2020?", "asked_at": time(200).to_string()});
    let values = |answer: &Value| {
        answer["facts"].as_array().unwrap().iter().map(|fact| fact["value"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(values(&call(&memory, "ask", asked).unwrap()), ["Bristol"]);
}

#[test]
fn i23_tools_and_systems_state_no_facts_whatever_they_are_called() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, ON);
    let say = |role: Role| Message { role, ..said("Ana", "I moved to Lisbon.", 1) };
    for (role, count) in [(Role::Tool, 0), (Role::System, 0), (Role::Assistant, 1)] {
        memory.remember(&ada(), &[say(role)], &operation(role.name())).unwrap();
        assert_eq!(all(&memory, &ada(), None).len(), count, "{role:?}");
    }
}

#[test]
fn i23_stored_messages_are_read_again_once() {
    let database = TestDatabase::new(Engine::Sqlite);
    let off = open_with(&database, "facts.enabled = false\n");
    off.remember(&ada(), &[said("Ana", "I moved to Lisbon.", 1)], &operation("said")).unwrap();
    assert_eq!(holding(&off), pairs(&[]), "nothing is extracted where facts are off");
    let report = call(&off, "extract_facts", json!({})).unwrap();
    assert_eq!((report["messages"].as_u64(), report["facts"].as_u64()), (Some(1), Some(1)));
    assert_eq!(holding(&off), pairs(&[("Ana", "Lisbon")]));
    assert_eq!(call(&off, "extract_facts", json!({"operation": "again"})).unwrap()["facts"], 0);
}
