//! Every input of the corpus, and seeded mutations of it: no panic, no promise broken, little memory. `make fuzz` looks further.

#![allow(clippy::unwrap_used, reason = "a test says what went wrong by failing")]

use recordar_fuzz::{Mutator, TARGETS, Target, dictionary};
use recordar_testkit::rounds;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// What one input may take at a time. No input has more than 8 KiB.
const MAX_BYTES: u64 = 128 * 1024 * 1024;
/// How much longer the soak is.
const SOAK: usize = 50;

static HAS_PANICKED: AtomicBool = AtomicBool::new(false);

fn check(name: &str) {
    let target = Target::find(name).unwrap();
    let corpus = corpus(name);
    assert!(!corpus.is_empty(), "there is no corpus of {name}");
    let tokens = dictionary(&std::fs::read_to_string(folder().join(format!("dictionaries/{name}.dict"))).unwrap());
    // A panic on another thread is one, too.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        HAS_PANICKED.store(true, Ordering::SeqCst);
        hook(panic);
    }));
    corpus.iter().for_each(|input| run(target, input));
    let mut mutator = Mutator::new(1, &corpus, &tokens, target.max_bytes);
    for _ in 0..rounds(target.rounds, SOAK * target.rounds) {
        run(target, &mutator.next_input());
    }
}

fn run(target: &Target, input: &[u8]) {
    let mut is_done = false;
    let used = allocation_counter::measure(|| {
        is_done = catch_unwind(AssertUnwindSafe(|| (target.run)(input))).is_ok();
    });
    let is_sound = is_done && !HAS_PANICKED.load(Ordering::SeqCst) && used.bytes_max < MAX_BYTES;
    if !is_sound {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("failed-{}", target.name));
        std::fs::write(&path, input).unwrap();
        panic!(
            "{} fails ({} bytes at a time) on {}: {}",
            target.name,
            used.bytes_max,
            path.display(),
            input.escape_ascii()
        );
    }
}

/// The inputs of a target, in the order of their names.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let Ok(entries) = std::fs::read_dir(folder().join("corpus").join(name)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn fuzz_every_target_has_a_test_and_a_small_corpus() {
    let tests = include_str!("corpus.rs");
    let (mut files, mut bytes) = (0, 0);
    for target in TARGETS {
        assert!(tests.contains(&format!("check(\"{}\")", target.name)), "{} has no test", target.name);
        let corpus = corpus(target.name);
        files += corpus.len();
        bytes += corpus.iter().map(Vec::len).sum::<usize>();
        let longest = corpus.iter().map(Vec::len).max().unwrap_or(0);
        assert!(longest <= target.max_bytes, "an input of {} has {longest} bytes", target.name);
    }
    assert!(files < 3000 && bytes < 2 * 1024 * 1024, "{files} files, {bytes} bytes: make it smaller with `make fuzz`");
}

#[test]
fn fuzz_mutations_are_the_same_every_time() {
    let (corpus, tokens) = (corpus("names"), dictionary("\"a\\x00\\\"\\\\b\"\n# none\n"));
    assert_eq!(tokens, [b"a\0\"\\b"]);
    let inputs = |seed: u64| {
        let mut mutator = Mutator::new(seed, &corpus, &tokens, 64);
        (0..100).map(|_| mutator.next_input()).collect::<Vec<_>>()
    };
    assert_eq!(inputs(7), inputs(7));
    assert_ne!(inputs(7), inputs(8));
    assert!(inputs(7).iter().all(|input| input.len() <= 64));
}

#[test]
fn fuzz_documents() {
    check("documents");
}

#[test]
fn fuzz_pages() {
    check("pages");
}

#[test]
fn fuzz_notebooks() {
    check("notebooks");
}

#[test]
fn fuzz_tables() {
    check("tables");
}

#[test]
fn fuzz_mails() {
    check("mails");
}

#[test]
fn fuzz_word_documents() {
    check("word_documents");
}

#[test]
fn fuzz_pdf() {
    check("pdf");
}

#[test]
fn fuzz_words() {
    check("words");
}

#[test]
fn fuzz_messages() {
    check("messages");
}

#[test]
fn fuzz_instructions() {
    check("instructions");
}

#[test]
fn fuzz_filters() {
    check("filters");
}

#[test]
fn fuzz_times() {
    check("times");
}

#[test]
fn fuzz_redaction() {
    check("redaction");
}

#[test]
fn fuzz_names() {
    check("names");
}

#[test]
fn fuzz_urls() {
    check("urls");
}

#[test]
fn fuzz_configuration() {
    check("configuration");
}

#[test]
fn fuzz_models_table() {
    check("models_table");
}

#[test]
fn fuzz_http_replies() {
    check("http_replies");
}

#[test]
fn fuzz_task_replies() {
    check("task_replies");
}

#[test]
fn fuzz_cassettes() {
    check("cassettes");
}

#[test]
fn fuzz_segments() {
    check("segments");
}

#[test]
fn fuzz_exports() {
    check("exports");
}

#[test]
fn fuzz_foreign() {
    check("foreign");
}

#[test]
fn fuzz_slack() {
    check("slack");
}

#[test]
fn fuzz_irc() {
    check("irc");
}

#[test]
fn fuzz_archives() {
    check("archives");
}

#[test]
fn fuzz_receipts() {
    check("receipts");
}

#[test]
fn fuzz_mcp() {
    check("mcp");
}

#[test]
fn fuzz_networks() {
    check("networks");
}

#[test]
fn i22_the_networks_of_the_corpus_can_be_run() {
    // `slices` runs too, and has another shape than is asked for.
    for seed in ["cast", "embed", "if", "shapes"] {
        let network = std::fs::read(folder().join(format!("corpus/networks/seed-{seed}"))).unwrap();
        recordar_judge::fuzzing::try_network(&network).unwrap_or_else(|error| panic!("{seed}: {error}"));
    }
}
