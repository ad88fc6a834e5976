//! Caps under pressure: a model that never runs out of names, alone and beside another process, fills a level and never goes beyond.

use crate::drawn_model::{Asked, SMALL_CHUNKS, with_model};
use crate::tree_rows::Rows;
use crate::{ada, open_with, operation, text};
use recordar::Recordar;
use recordar::document::FileReport;
use recordar_testkit::{Engine, ModelServer, TestDatabase};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

const CAPS: [u64; 3] = [3, 4, 5];

/// A model that invents a name for every chunk, and takes one of the names that there are only where it must.
struct Inventor {
    name: &'static str,
    names: AtomicUsize,
}

impl Inventor {
    fn new(name: &'static str) -> Self {
        Self { name, names: AtomicUsize::new(0) }
    }

    fn reply(&self, asked: &Asked) -> String {
        let forced = asked.forced();
        let name = |_: &str| {
            let number = self.names.fetch_add(1, Ordering::AcqRel);
            match &forced {
                Some(names) => names[number % names.len()].clone(),
                None => format!("{} {number}", self.name),
            }
        };
        asked.honest(name).to_string()
    }
}

fn config(server: &ModelServer, caps: [u64; 3]) -> String {
    let more = "structured = \"native\"\nretries = 0\nrepairs = 0\nconcurrency = 4\n";
    with_model(&server.url(), &format!("{more}[tree]\nmax_categories_per_level = {caps:?}\n"))
}

fn lines(count: usize) -> String {
    (0..count).map(|at| format!("Entry {at} is about the thing that is kept in the north tower.\n")).collect()
}

fn ingest(memory: &Recordar, name: &str, count: usize) -> FileReport {
    let report = memory.ingest_text(&ada(), text(name, name, &lines(count))).unwrap();
    report.files.into_iter().next().unwrap()
}

/// What was asked when chunks were classified.
fn classifications(server: &ModelServer) -> Vec<Asked> {
    server.received().iter().map(Asked::read).filter(|asked| asked.task == "classify").collect()
}

#[test]
fn a4_r2_8_and_r2_9_a_model_that_always_invents_fills_the_levels_and_then_has_to_choose() {
    let inventor = Inventor::new("Name");
    let server = ModelServer::start(move |received| {
        let asked = Asked::read(received);
        asked.reply(&inventor.reply(&asked))
    });
    let database = TestDatabase::new(Engine::Sqlite);
    let memory = open_with(&database, &config(&server, CAPS));
    let first = ingest(&memory, "first.txt", 60);
    assert_eq!((first.chunks, first.classified, first.unclassified), (60, 60, 0), "{first:?}");
    let rows = Rows::of(&memory);
    rows.check(&CAPS).unwrap();
    assert_eq!(rows.names_by_level(), CAPS, "every level is full");
    let asked = classifications(&server);
    for asked in &asked {
        let (level, under) = asked.level();
        let options = asked.options();
        match asked.forced() {
            Some(names) => assert_eq!(names, options, "level {level}, under {under:?}"),
            None => assert!((options.len() as u64) < CAPS[level - 1], "level {level}: {options:?}"),
        }
    }
    assert!(asked.iter().any(|asked| asked.forced().is_none()) && asked.iter().any(|asked| asked.forced().is_some()));
    let before = asked.len();
    let second = ingest(&memory, "second.txt", 60);
    assert_eq!((second.classified, second.unclassified), (60, 0));
    let asked = classifications(&server);
    assert!(asked[before..].iter().all(|asked| asked.forced() == Some(asked.options())), "the tree is full");
    let rows = Rows::of(&memory);
    rows.check(&CAPS).unwrap();
    assert_eq!(rows.names_by_level(), CAPS);
}

/// Two that wait for each other, for a while at the most.
#[derive(Default)]
struct Meeting {
    came: Mutex<usize>,
    all: Condvar,
}

impl Meeting {
    fn wait(&self) {
        let mut came = self.came.lock().unwrap();
        *came += 1;
        self.all.notify_all();
        let (came, _) = self.all.wait_timeout_while(came, Duration::from_secs(20), |came| *came < 2).unwrap();
        assert!(*came >= 2, "the other one never came");
    }
}

#[test]
fn a4_r2_8_and_r7b_3_two_processes_that_fill_the_same_tree_keep_to_its_caps() {
    const SMALL: [u64; 3] = [2, 3, 3];
    const DOCUMENTS: usize = 4;
    for engine in Engine::ALL {
        let database = TestDatabase::new(engine);
        let meeting = Arc::new(Meeting::default());
        // Both have seen the empty tree before either of them writes.
        let server = |name: &'static str| {
            let (inventor, meeting, calls) = (Inventor::new(name), Arc::clone(&meeting), AtomicUsize::new(0));
            ModelServer::start(move |received| {
                let asked = Asked::read(received);
                if asked.task == "classify" && calls.fetch_add(1, Ordering::AcqRel) == 0 {
                    meeting.wait();
                }
                asked.reply(&inventor.reply(&asked))
            })
        };
        let servers = [server("One"), server("Other")];
        let memories = servers.each_ref().map(|server| open_with(&database, &config(server, SMALL)));
        let reports: Vec<FileReport> = std::thread::scope(|scope| {
            let ingest_all = |(at, memory): (usize, &Recordar)| -> Vec<FileReport> {
                (0..DOCUMENTS).map(|number| ingest(memory, &format!("{at}-{number}.txt"), 6)).collect()
            };
            let running: Vec<_> = memories.iter().enumerate().map(|one| scope.spawn(move || ingest_all(one))).collect();
            running.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        let rows = Rows::of(&memories[0]);
        rows.check(&SMALL).unwrap_or_else(|why| panic!("{engine:?}: {why}"));
        assert_eq!(reports.len(), DOCUMENTS * 2);
        for file in &reports {
            let stored = rows.chunks().into_iter().filter(|chunk| Some(chunk.document) == file.document_id);
            let (placed, waiting): (Vec<_>, Vec<_>) = stored.partition(|chunk| chunk.category.is_some());
            let held = (placed.len() as u64, waiting.len() as u64);
            assert_eq!(held, (file.classified, file.unclassified), "{engine:?}: {file:?}");
            assert_eq!((held.0 + held.1, file.warnings.is_empty()), (6, held.1 == 0), "{engine:?}: {file:?}");
        }
        // Both began with an empty tree: the one that came second had to classify anew, in the tree of the other.
        let is_first = |asked: &Asked| asked.level().0 == 1 && asked.options().is_empty();
        assert!(servers.iter().all(|server| classifications(server).iter().any(is_first)), "{engine:?}");
        let calls: usize = servers.iter().map(|server| classifications(server).len()).sum();
        let waiting: u64 = reports.iter().map(|file| file.unclassified).sum();
        println!("{engine:?}: {calls} calls, {:?} names, {waiting} chunks wait", rows.names_by_level());
        let honest = open_with(&database, &format!("{SMALL_CHUNKS}[tree]\nmax_categories_per_level = {SMALL:?}"));
        assert_eq!(honest.classify(&ada(), &operation("later")).unwrap().unclassified, 0);
        Rows::of(&honest).check(&SMALL).unwrap();
    }
}
