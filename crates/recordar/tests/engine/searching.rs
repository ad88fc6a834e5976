//! Searching: the same on every database, however the index came about; never stale, never from another space.

use crate::{ada, open, open_with, operation, text, ticking};
use recordar::forget::ForgetRequest;
use recordar::item::Role;
use recordar::search::{SearchMode, SearchRequest};
use recordar::{Config, Message, Recordar, SpaceName, Timestamp};
use recordar_testkit::{Engine, Random, TestDatabase, rounds};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const NOUNS: [&str; 24] = [
    "lamp", "lens", "boat", "keeper", "oil", "storm", "rope", "ladder", "window", "harbour", "log", "bell", "garden",
    "kettle", "letter", "map", "engine", "clock", "gull", "cliff", "winch", "barrel", "radio", "tide",
];
const VERBS: [&str; 12] =
    ["cleaned", "lost", "repaired", "found", "ordered", "painted", "sold", "carried", "broke", "heard", "saw", "wrote"];
const NAMES: [&str; 3] = ["Ada", "Bruno", "Clara"];

fn sentence(random: &mut Random) -> String {
    let mut words = |list: &[&str]| list[random.below(list.len())].to_owned();
    let (verb, one, two) = (words(&VERBS), words(&NOUNS), words(&NOUNS));
    format!("They {verb} the {one} near the {two} on day {}.", random.below(40))
}

fn message(random: &mut Random, thread: &str) -> Message {
    Message {
        thread: (random.below(8) > 0).then(|| thread.to_owned()),
        role: if random.below(2) == 0 { Role::User } else { Role::Assistant },
        speaker: (random.below(2) == 0).then(|| NAMES[random.below(3)].to_owned()),
        time: Timestamp::parse(&format!("2025-{:02}-{:02}", 1 + random.below(12), 1 + random.below(28))).ok(),
        ..Message::new(&sentence(random))
    }
}

fn query(random: &mut Random) -> SearchRequest {
    let about = sentence(random);
    let words: Vec<&str> = about.split(' ').skip(1 + random.below(3)).take(1 + random.below(6)).collect();
    let frame = match random.below(6) {
        0 => format!("What did {} say of {}?", NAMES[random.below(3)], words.join(" ")),
        1 => format!("When was I near {}?", words.join(" ")),
        2 => format!("{} in {} 2025", words.join(" "), ["March", "May", "July"][random.below(3)]),
        _ => words.join(" "),
    };
    SearchRequest {
        mode: [SearchMode::Hybrid, SearchMode::Hybrid, SearchMode::Keyword, SearchMode::Semantic][random.below(4)],
        limit: 1 + random.below(30),
        asked_at: Timestamp::parse("2025-12-01").ok(),
        ..SearchRequest::new(&frame)
    }
}

/// Everything of a result but the time it took.
fn bytes(memory: &Recordar, space: &SpaceName, request: &SearchRequest) -> String {
    let mut items = memory.search(std::slice::from_ref(space), request).unwrap();
    let mut threads = memory.search_threads(std::slice::from_ref(space), request).unwrap();
    (items.timing, threads.timing) = Default::default();
    format!("{}\n{}", serde_json::to_string(&items).unwrap(), serde_json::to_string(&threads).unwrap())
}

pub(crate) fn queries(count: usize) -> Vec<SearchRequest> {
    let mut random = Random(99);
    (0..count).map(|_| query(&mut random)).collect()
}

pub(crate) fn answers(memory: &Recordar, queries: &[SearchRequest]) -> Vec<String> {
    queries.iter().map(|request| bytes(memory, &ada(), request)).collect()
}

/// About 1,400 ids, so that there are segments of several sizes and a tail; versions, and things forgotten.
pub(crate) fn fill(memory: &Recordar) {
    let mut random = Random(3);
    for batch in 0..12 {
        let messages: Vec<Message> =
            (0..100).map(|number| message(&mut random, &format!("thread {}", (batch * 100 + number) / 15))).collect();
        memory.remember(&ada(), &messages, &operation(&format!("batch-{batch}"))).unwrap();
        let content: String = (0..60).map(|_| sentence(&mut random) + " ").collect();
        let name = format!("page-{}.md", batch % 5);
        memory.ingest_text(&ada(), text(&format!("page-{batch}"), &name, &content)).unwrap();
    }
    for thread in ["thread 2", "thread 50"] {
        let request = ForgetRequest::Thread(thread.to_owned());
        memory.forget(&ada(), &request, false, &operation(&format!("forget-{}", thread.replace(" ", "-")))).unwrap();
    }
}

fn damage_segments(database: &TestDatabase) {
    match database.engine {
        Engine::Sqlite => {
            let file = rusqlite::Connection::open(database.url.trim_start_matches("sqlite:")).unwrap();
            let damaged =
                file.execute("UPDATE segments SET content = zeroblob(length(content)) WHERE first_id = 0", []);
            assert!(damaged.unwrap() > 0, "there are segments to damage");
        }
        Engine::Postgres => database.run("UPDATE segments SET content = '\\x00' WHERE first_id = 0").unwrap(),
        Engine::MySql => database.run("UPDATE segments SET content = x'00' WHERE first_id = 0").unwrap(),
    }
}

#[test]
fn e2_the_same_corpus_gives_the_same_bytes_on_three_databases_in_every_state() {
    let queries = queries(200);
    let mut expected: Option<Vec<String>> = None;
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open(&database);
        fill(&memory);
        let first = answers(&memory, &queries);
        let expected = expected.get_or_insert_with(|| first.clone());
        assert!(expected.iter().filter(|answer| answer.contains("item_id")).count() > 190, "most find something");
        let check = |memory: &Recordar, state: &str| {
            for (found, (wanted, request)) in answers(memory, &queries).iter().zip(expected.iter().zip(&queries)) {
                assert_eq!(found, wanted, "{engine:?}, {state}: {}", request.query);
            }
        };
        check(&memory, "at first");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| check(&memory, "on many threads"));
            }
        });
        memory.drop_indexes();
        check(&memory, "after eviction");
        drop(memory);
        check(&open(&database), "after a restart");
        assert!(recordar::measure::read_segments(&open(&database), &ada()).unwrap() > 0, "{engine:?} keeps segments");
        damage_segments(&database);
        check(&open(&database), "after damage to a segment");
        check(&open_with(&database, "database.connections = 1"), "from the segments that were made again");
    }
}

#[test]
fn e2_what_was_written_is_found_at_once_and_what_was_forgotten_is_not() {
    let database = TestDatabase::new(Engine::Sqlite);
    let (one, other) = (open(&database), open(&database));
    let mut random = Random(17);
    for round in 0..rounds(60, 600) {
        let word = format!("marker{round}");
        let said =
            Message { thread: Some("talk".into()), ..Message::new(&format!("{} {word}", sentence(&mut random))) };
        let stored = one.remember(&ada(), &[said], &operation(&word)).unwrap().items[0];
        for memory in [&one, &other] {
            let found = memory.search(&[ada()], &SearchRequest::new(&word)).unwrap();
            assert_eq!(found.hits[0].item.item_id, stored, "{word}");
        }
        if round % 3 == 0 {
            let forget = ForgetRequest::Items(vec![stored]);
            other.forget(&ada(), &forget, false, &operation(&format!("forget-{word}"))).unwrap();
            let keyword = SearchRequest { mode: SearchMode::Keyword, ..SearchRequest::new(&word) };
            for memory in [&one, &other] {
                assert!(memory.search(&[ada()], &keyword).unwrap().hits.is_empty(), "{word}");
            }
        }
    }
    let request = query(&mut random);
    assert_eq!(bytes(&one, &ada(), &request), bytes(&open(&database), &ada(), &request));
}

#[test]
fn a_new_version_replaces_the_old_one_in_searching() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    memory.ingest_text(&ada(), text("one", "lamp.md", "# Lamp\n\nThe lamp burns whale oil.")).unwrap();
    let find = |query: &str| {
        let keyword = SearchRequest { mode: SearchMode::Keyword, ..SearchRequest::new(query) };
        memory.search(&[ada()], &keyword).unwrap().hits
    };
    assert_eq!(find("whale")[0].item.document.as_deref(), Some("lamp.md"));
    memory.ingest_text(&ada(), text("two", "lamp.md", "# Lamp\n\nThe lamp is electric.")).unwrap();
    assert!(find("whale").is_empty());
    assert!(find("electric")[0].item.text.contains("electric"));
    memory.forget(&ada(), &ForgetRequest::Space, false, &operation("gone")).unwrap();
    assert!(find("electric").is_empty(), "a space that is gone is empty");
    memory.ingest_text(&ada(), text("three", "lamp.md", "A candle.")).unwrap();
    assert!(find("electric").is_empty() && !find("candle").is_empty(), "a space of the same name begins anew");
}

#[test]
fn forgotten_words_are_in_no_segment() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    fill(&memory);
    let secret = "xylophonequartz";
    let said = Message { thread: Some("secret".into()), ..Message::new(&format!("The word is {secret}.")) };
    memory.remember(&ada(), &[said], &operation("secret")).unwrap();
    let more: Vec<Message> = (0..1200).map(|number| Message::new(&format!("filler {number}"))).collect();
    memory.remember(&ada(), &more, &operation("more")).unwrap();
    let request = SearchRequest::new(secret);
    assert_eq!(memory.search(&[ada()], &request).unwrap().hits[0].item.thread.as_deref(), Some("secret"));
    memory.drop_indexes();
    let holds = || {
        // A stem is the beginning of its word. The log counts as well as the file.
        let files = std::fs::read_dir(database.folder.path()).unwrap();
        let mut contents = files.map(|file| std::fs::read(file.unwrap().path()).unwrap());
        contents.any(|bytes| bytes.windows(10).any(|window| window == &secret.as_bytes()[..10]))
    };
    assert!(holds());
    memory.search(&[ada()], &request).unwrap();
    memory.forget(&ada(), &ForgetRequest::Thread("secret".into()), false, &operation("forget")).unwrap();
    memory.search(&[ada()], &request).unwrap();
    memory.drop_indexes();
    memory.forget(&ada(), &ForgetRequest::Thread("thread 1".into()), false, &operation("scrub")).unwrap();
    assert!(!holds(), "neither the rows nor the segments hold the word");
}

/// Forgetting a chunk cuts it out of its neighbours. An index that missed that, and sees only that they were retired later,
/// must not keep their old words.
#[test]
fn forgotten_words_of_an_overlap_are_in_no_segment() {
    let database = TestDatabase::new(Engine::Sqlite);
    let chunking = "[chunking]\nmethod = \"recursive\"\nrecursive_tokens = 60\nrecursive_overlap = 30";
    let memory = open_with(&database, chunking);
    let words: Vec<String> = (0..200).map(|number| format!("quartz{number}zz")).collect();
    memory.ingest_text(&ada(), text("one", "page.txt", &words.join(" "))).unwrap();
    let chunks = memory.document_text(&ada(), "page.txt", None).unwrap().chunks;
    memory.search(&[ada()], &SearchRequest::new("quartz")).unwrap();
    memory.forget(&ada(), &ForgetRequest::Items(vec![chunks[1].item_id]), false, &operation("forget")).unwrap();
    let left = memory.document_text(&ada(), "page.txt", None).unwrap().text;
    let gone: Vec<&String> = words.iter().filter(|word| !left.contains(word.as_str())).collect();
    assert!(!gone.is_empty());
    memory.ingest_text(&ada(), text("two", "page.txt", "Something else.")).unwrap();
    let more: Vec<Message> = (0..1200).map(|number| Message::new(&format!("filler {number}"))).collect();
    memory.remember(&ada(), &more, &operation("more")).unwrap();
    memory.search(&[ada()], &SearchRequest::new("quartz")).unwrap();
    memory.drop_indexes();
    let file = rusqlite::Connection::open(database.url.trim_start_matches("sqlite:")).unwrap();
    let mut statement = file.prepare("SELECT content FROM segments").unwrap();
    let contents: Vec<Vec<u8>> = statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert!(!contents.is_empty());
    for word in gone {
        let holds = |bytes: &Vec<u8>| bytes.windows(word.len()).any(|window| window == word.as_bytes());
        assert!(!contents.iter().any(holds), "{word} was forgotten");
    }
}

#[test]
fn a_speakers_name_does_not_blind_a_space_to_a_word() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let said: Vec<Message> = (0..200).map(|number| Message::new(&format!("storm report {number}"))).collect();
    memory.remember(&ada(), &said, &operation("storms")).unwrap();
    memory.remember(&ada(), &[Message::new("the lighthouse keeper lives here")], &operation("keeper")).unwrap();
    let find =
        || memory.search(&[ada()], &SearchRequest::new("lighthouse keeper storm")).unwrap().hits[0].item.text.clone();
    assert_eq!(find(), "the lighthouse keeper lives here");
    let hello = Message { speaker: Some("Lighthouse Keeper".into()), ..Message::new("hello") };
    memory.remember(&ada(), &[hello], &operation("hello")).unwrap();
    assert_eq!(find(), "the lighthouse keeper lives here");
    let by_name =
        SearchRequest { mode: SearchMode::Keyword, ..SearchRequest::new("What did the lighthouse keeper say?") };
    assert!(memory.search(&[ada()], &by_name).unwrap().hits.iter().any(|hit| hit.item.text == "hello"));
}

#[test]
fn an_index_that_does_not_fit_is_refused_and_others_make_room() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, "index.memory_mib = 1");
    let spaces: Vec<SpaceName> = (0..4).map(|number| SpaceName::user(&format!("u{number}")).unwrap()).collect();
    let mut random = Random(8);
    for (number, space) in spaces.iter().enumerate() {
        let messages: Vec<Message> = (0..1500).map(|_| message(&mut random, "talk")).collect();
        memory.remember(space, &messages, &operation(&format!("fill-{number}"))).unwrap();
    }
    let request = query(&mut random);
    let first: Vec<String> = spaces.iter().map(|space| bytes(&memory, space, &request)).collect();
    let again: Vec<String> = spaces.iter().map(|space| bytes(&memory, space, &request)).collect();
    assert_eq!(first, again, "what had to go comes back the same");
    let messages: Vec<Message> = (0..4000).map(|_| message(&mut random, "talk")).collect();
    memory.remember(&spaces[0], &messages, &operation("too-much")).unwrap();
    let error = memory.search(&spaces[..1], &request).unwrap_err();
    assert_eq!(error.code(), "index_too_large");
    assert!(error.remedy().contains("index.memory_mib"), "{}", error.remedy());
    assert_eq!(bytes(&memory, &spaces[1], &request), first[1], "the others are searched as before");
}

#[test]
fn segments_of_another_language_are_not_used() {
    let database = TestDatabase::new(Engine::Sqlite);
    fill(&open(&database));
    let keepers = |toml: &str| {
        let memory = open_with(&database, toml);
        let keyword = SearchRequest { mode: SearchMode::Keyword, ..SearchRequest::new("keepers") };
        !memory.search(&[ada()], &keyword).unwrap().hits.is_empty()
    };
    for _ in 0..2 {
        assert!(keepers("index.language = \"english\""), "keepers finds keeper");
        assert!(!keepers("index.language = \"none\""), "and without endings it does not");
    }
}

#[test]
fn b6_spaces_do_not_leak() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let spaces: Vec<SpaceName> = (0..5).map(|number| SpaceName::user(&format!("u{number}")).unwrap()).collect();
    let mut random = Random(21);
    let write = |space: usize, number: usize, random: &mut Random| {
        let mut said = message(random, "talk");
        said.text = format!("space{space} {}", said.text);
        memory.remember(&spaces[space], &[said], &operation(&format!("w{number}"))).unwrap();
    };
    for number in 0..200 {
        write(number % 5, number, &mut random);
    }
    for round in 0..rounds(400, 10_000) {
        let request = query(&mut random);
        let first = random.below(5);
        let read: Vec<SpaceName> = spaces.iter().skip(first).take(1 + random.below(3)).cloned().collect();
        let found = memory.search(&read, &request).unwrap();
        for hit in &found.hits {
            let number: usize = hit.item.space.trim_start_matches("user:u").parse().unwrap();
            assert!((first..first + read.len()).contains(&number), "an item of an unread space");
            assert!(hit.item.text.starts_with(&format!("space{number} ")), "an item under a wrong name");
        }
        if round % 20 == 0 {
            let other = random.below(5);
            let watched = (other + 1 + random.below(4)) % 5;
            let before = bytes(&memory, &spaces[watched], &request);
            write(other, 1000 + round, &mut random);
            assert_eq!(bytes(&memory, &spaces[watched], &request), before, "a write elsewhere changed a score");
        }
    }
}

#[test]
fn hostile_queries_are_answered_or_refused() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    fill(&memory);
    let long = "lamp ".repeat(10_000);
    let queries =
        ["?", "''", "\u{202e}\u{0301}", "🗼🗼", "灯台", "a' OR 1=1 --", "the of and", "0", "@ada", long.as_str()];
    for query in queries {
        for mode in [SearchMode::Hybrid, SearchMode::Keyword, SearchMode::Semantic] {
            let request = SearchRequest { mode, ..SearchRequest::new(query) };
            for hit in memory.search(&[ada()], &request).unwrap().hits {
                assert!((0.0..=1.0).contains(&hit.score), "{query}");
            }
            memory.search_threads(&[ada()], &request).unwrap();
        }
    }
    let refused = [
        SearchRequest::new(""),
        SearchRequest::new(&"x".repeat(100_000)),
        SearchRequest { limit: 0, ..SearchRequest::new("lamp") },
        SearchRequest { limit: 1001, ..SearchRequest::new("lamp") },
    ];
    for request in refused {
        assert_eq!(memory.search(&[ada()], &request).unwrap_err().code(), "invalid");
    }
    assert_eq!(memory.search(&[], &SearchRequest::new("lamp")).unwrap_err().code(), "invalid");
    let nowhere = memory.search(&[SpaceName::user("nobody").unwrap()], &SearchRequest::new("lamp")).unwrap();
    assert!(nowhere.hits.is_empty());
}

/// Does nothing in an ordinary run; the test below starts several of it on one file.
#[test]
fn search_worker() {
    let (Ok(url), Ok(name)) = (std::env::var("RECORDAR_SEARCH_URL"), std::env::var("RECORDAR_SEARCH_NAME")) else {
        return;
    };
    let seconds: u64 = std::env::var("RECORDAR_SEARCH_SECONDS").unwrap().parse().unwrap();
    let config = Config::from_toml(&format!("database.url = {url:?}"), Path::new("/")).unwrap();
    let memory = Recordar::open(config, ticking()).unwrap();
    let mut random = Random(name.len() as u64);
    let until = Instant::now() + Duration::from_secs(seconds);
    let mut number = 0;
    while Instant::now() < until {
        let word = format!("mark{name}x{number}");
        let mut messages: Vec<Message> = (0..random.below(40)).map(|_| message(&mut random, "talk")).collect();
        messages.push(Message::new(&format!("{word} was here")));
        memory.remember(&ada(), &messages, &operation(&word)).unwrap();
        let keyword = SearchRequest { mode: SearchMode::Keyword, ..SearchRequest::new(&word) };
        let found = memory.search(&[ada()], &keyword).unwrap();
        assert_eq!(found.hits.len(), 1, "{word} is found as soon as it is stored");
        memory.search(&[ada()], &query(&mut random)).unwrap();
        number += 1;
    }
    drop(memory);
    println!("wrote {number}");
}

#[test]
fn five_processes_write_and_search_one_file() {
    let database = TestDatabase::new(Engine::Sqlite);
    drop(open(&database));
    let seconds = rounds(4, 60).to_string();
    let workers: Vec<_> = (0..5)
        .map(|number| {
            Command::new(std::env::current_exe().unwrap())
                .args(["searching::search_worker", "--exact", "--nocapture"])
                .env("RECORDAR_SEARCH_URL", &database.url)
                .env("RECORDAR_SEARCH_NAME", ["a", "b", "c", "d", "e"][number])
                .env("RECORDAR_SEARCH_SECONDS", &seconds)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let memory = open(&database);
    let mut total = 0;
    for (number, worker) in workers.into_iter().enumerate() {
        let output = worker.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
        let wrote = said.lines().find_map(|line| line.split("wrote ").nth(1)).unwrap();
        let wrote: usize = wrote.trim().parse().unwrap();
        assert!(wrote > 0);
        for index in 0..wrote {
            let word = format!("mark{}x{index}", ["a", "b", "c", "d", "e"][number]);
            let keyword = SearchRequest { mode: SearchMode::Keyword, ..SearchRequest::new(&word) };
            assert_eq!(memory.search(&[ada()], &keyword).unwrap().hits.len(), 1, "{word}");
        }
        total += wrote;
    }
    println!("five processes wrote and found {total} marks");
}

#[test]
fn i19_10_messages_stored_in_any_order_are_found_and_listed_in_the_order_of_their_times() {
    for engine in Engine::ALL {
        let mut random = Random(12);
        let told: Vec<Message> = (0..400)
            .map(|at| Message {
                time: Some(Timestamp::from_micros(1_700_000_000_000_000 + at * 60_000_000)),
                thread: Some(format!("thread {}", at / 40)),
                ..message(&mut random, "")
            })
            .collect();
        let mut mixed = told.clone();
        (1..mixed.len()).rev().for_each(|at| mixed.swap(at, random.below(at + 1)));
        let store = |messages: &[Message], is_searched_between: bool| {
            let database = TestDatabase::new(engine);
            let memory = open_with(&database, "[index]\nskip_repeated = false\n");
            for (number, part) in (0..).zip(messages.chunks(37)) {
                memory.remember(&ada(), part, &operation(&format!("part-{number}"))).unwrap();
                if is_searched_between {
                    memory.search(&[ada()], &SearchRequest::new("lamp")).unwrap();
                }
            }
            let found = |request: &SearchRequest| {
                let found = memory.search(&[ada()], &SearchRequest { limit: 100, ..request.clone() }).unwrap();
                let hit = |hit: &recordar::search::HitView| (hit.item.occurred_at, hit.score.to_bits());
                found.hits.iter().map(hit).collect::<BTreeMap<Timestamp, u64>>()
            };
            let found: Vec<BTreeMap<Timestamp, u64>> = queries(12).iter().map(found).collect();
            let listed: Vec<Vec<String>> = (0..10)
                .map(|thread| memory.messages(&ada(), Some(&format!("thread {thread}"))).unwrap())
                .map(|messages| messages.into_iter().map(|message| message.text).collect())
                .collect();
            (found, listed)
        };
        let (found, listed) = store(&told, false);
        let texts: Vec<String> = told.iter().map(|message| message.text.clone()).collect();
        assert_eq!(listed.concat(), texts, "{engine:?}");
        for is_searched_between in [false, true] {
            let (other_found, other_listed) = store(&mixed, is_searched_between);
            assert_eq!(other_listed, listed, "{engine:?}");
            // Of many with the same score, those stored first are among the first hundred.
            for (one, other) in found.iter().zip(&other_found) {
                let shared: Vec<&Timestamp> = one.keys().filter(|time| other.contains_key(time)).collect();
                assert!(2 * shared.len() >= one.len(), "{engine:?}: {} of {}", shared.len(), one.len());
                assert!(
                    shared.iter().all(|time| one[time] == other[time]),
                    "{engine:?}: a score depends on the order of storing"
                );
            }
        }
    }
}

#[test]
fn i19_10_messages_without_a_time_stay_in_the_order_of_storing() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    for number in 0..30 {
        let said = Message { thread: Some("t".to_owned()), ..Message::new(&format!("message {number}")) };
        memory.remember(&ada(), &[said], &operation(&format!("say-{number}"))).unwrap();
    }
    let listed: Vec<String> =
        memory.messages(&ada(), Some("t")).unwrap().into_iter().map(|message| message.text).collect();
    assert_eq!(listed, (0..30).map(|number| format!("message {number}")).collect::<Vec<_>>());
}

/// How many parts of segments are saved.
fn saved(memory: &Recordar) -> usize {
    memory.raw().unwrap().lines().iter().filter(|line| line.starts_with("segments ")).count()
}

#[test]
fn i19_11_the_index_is_built_while_items_are_stored_and_equals_the_one_of_a_search() {
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let memory = open(&database);
        let mut random = Random(8);
        for batch in 0..6 {
            let messages: Vec<Message> = (0..1500).map(|_| message(&mut random, "talk")).collect();
            memory.remember(&ada(), &messages, &operation(&format!("batch-{batch}"))).unwrap();
        }
        let cancel = recordar::database::Cancel::default();
        memory.finish_index(&cancel);
        assert!(saved(&memory) >= 3, "{engine:?}: {}", saved(&memory));
        let built_ahead = answers(&memory, &queries(20));
        // The same from the rows alone.
        let other = TestDatabase::new(Engine::Sqlite);
        let plain = open(&other);
        let mut random = Random(8);
        let messages: Vec<Message> = (0..9000).map(|_| message(&mut random, "talk")).collect();
        for (batch, part) in messages.chunks(1500).enumerate() {
            plain.remember(&ada(), part, &operation(&format!("batch-{batch}"))).unwrap();
            // An index in memory is kept up to date there.
            plain.search(&[ada()], &SearchRequest::new("lamp")).unwrap();
        }
        assert!(answers(&plain, &queries(20)) == built_ahead, "{engine:?}");
    }
}

#[test]
fn i19_11_a_stopped_builder_loses_nothing() {
    let database = TestDatabase::new(Engine::Sqlite);
    let mut random = Random(9);
    let messages: Vec<Message> = (0..9000).map(|_| message(&mut random, "talk")).collect();
    let memory = open(&database);
    memory.remember(&ada(), &messages, &operation("all")).unwrap();
    let cancel = recordar::database::Cancel::default();
    cancel.cancel();
    memory.finish_index(&cancel);
    drop(memory);
    let memory = open(&database);
    let found =
        memory.search(&[ada()], &SearchRequest { limit: 5, ..SearchRequest::new(&messages[8999].text) }).unwrap();
    assert_eq!(found.hits[0].item.text, messages[8999].text);
}

#[test]
fn i19_11_a_space_with_few_new_items_is_left_to_the_search() {
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open(&database);
    let mut random = Random(10);
    let messages: Vec<Message> = (0..300).map(|_| message(&mut random, "talk")).collect();
    memory.remember(&ada(), &messages, &operation("few")).unwrap();
    memory.finish_index(&recordar::database::Cancel::default());
    assert_eq!(saved(&memory), 0);
}
