//! A hostile model against the tree: whatever it replies, every text that is ingested is stored whole or told to have failed, the tree is whole
//! after every call, a descent ends with chunks that really hang there or with an error that says what to do, and what had to wait finds its
//! place later.

use crate::drawn_model::{SMALL_CHUNKS, with_model};
use crate::tree_rows::{Rows, check};
use crate::tree_villain::{Given, KEY, villain};
use crate::{ada, open_with, operation, request, text};
use recordar::answer::{AskRequest, LimitingOptions, PromptLimiting, Route};
use recordar::category::TraversalStrategy;
use recordar::document::{FileReport, FileStatus, IngestReport, Problem};
use recordar::query::{DescentOptions, QueryRequest, QueryResult};
use recordar::{Error, Recordar};
use recordar_testkit::bad_answers::pick;
use recordar_testkit::{Engine, ModelServer, Random, TestDatabase, rounds};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const SEED: u64 = 0x5eed_07ee;
/// Cases at a time: many only wait.
const THREADS: usize = 4;
const QUESTION: &str = "Where are the lamps and the ropes kept?";

/// What came of all cases: by its name, how often.
#[derive(Default)]
struct Outcomes(Mutex<BTreeMap<String, usize>>);

struct Case {
    random: Random,
    caps: Vec<u64>,
    bad: usize,
    config: String,
}

impl Case {
    fn drawn(number: usize) -> Self {
        let mut random = Random(SEED ^ (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        random.below(2);
        let depth = 1 + random.below(4);
        let caps: Vec<u64> = (0..depth).map(|_| pick(&mut random, &[1, 2, 3, 5, 128])).collect();
        let bad = pick(&mut random, &[2, 5, 20, 50, 90]);
        let mut draw = |choices: &[u32]| pick(&mut random, choices);
        let more = format!(
            "api_key = {KEY:?}\nretries = {}\nrepairs = {}\nconcurrency = {}\nwhen_away = {:?}\nstructured = {:?}\n[answer]\n\
             route = \"tree\"\nmax_token_budget = {}\nsummarization_instruction_headroom_tokens = {}\nuse_rankings = {}\n[tree]\n\
             hierarchy_depth = {depth}\nbatch_size = {}\nmax_categories_per_level = {caps:?}\n",
            draw(&[0, 1, 2]),
            draw(&[0, 1]),
            draw(&[1, 2, 4]),
            if draw(&[0, 1, 2]) == 0 { "built_in" } else { "error" },
            if draw(&[0, 1]) == 0 { "native" } else { "tool" },
            draw(&[320, 600, 900, 8192]),
            draw(&[0, 100, 1024]),
            draw(&[0, 1]) == 0,
            draw(&[1, 2, 3, 5]),
        );
        Self { random, caps, bad, config: more }
    }

    /// Some lines about a few things.
    fn document(&mut self) -> String {
        const THINGS: [&str; 8] = ["lamp", "boat", "rope", "bell", "map", "letter", "hive", "barrel"];
        let lines = 2 + self.random.below(10);
        let line = |random: &mut Random| {
            let (one, other) = (pick(random, &THINGS), pick(random, &THINGS));
            format!("The {one} {} is kept dry behind the {other} of the north tower.\n", random.below(100))
        };
        (0..lines).map(|_| line(&mut self.random)).collect()
    }
}

/// Runs a case, and says what is wrong with what came of it.
fn run(number: usize, outcomes: &Outcomes, given: &Given) -> Result<(), String> {
    let mut case = Case::drawn(number);
    let database = TestDatabase::new(Engine::Sqlite);
    let server: ModelServer = villain(SEED ^ number as u64, case.bad, given);
    let memory = open_with(&database, &with_model(&server.url(), &case.config));
    ingest_all(&mut case, &memory, outcomes)?;
    let before = Rows::of(&memory);
    for (at, strategy) in TraversalStrategy::ALL.into_iter().enumerate() {
        let limiting = if (at + number).is_multiple_of(2) { PromptLimiting::Prune } else { PromptLimiting::Summarize };
        descend(&memory, &before, strategy, limiting, outcomes)?;
    }
    check(Rows::of(&memory).lines == before.lines, || "asking has written something".to_owned())?;
    let again = memory.classify(&ada(), &operation("again"));
    let rows = whole(&memory, &case.caps)?;
    match again {
        Ok(report) => {
            let waiting = rows.chunks().iter().filter(|chunk| chunk.is_live && chunk.category.is_none()).count();
            check(report.unclassified == waiting as u64, || format!("{waiting} wait: {report:?}"))?;
            report.documents.iter().flat_map(|document| &document.warnings).try_for_each(check_problem)?;
        }
        Err(error) => check_error(&error)?,
    }
    drop((memory, server));
    let caps = format!(
        "{SMALL_CHUNKS}[tree]\nhierarchy_depth = {}\nmax_categories_per_level = {:?}",
        case.caps.len(),
        case.caps
    );
    let honest = open_with(&database, &caps);
    let placed = honest.classify(&ada(), &operation("honest")).map_err(|error| error.to_string())?;
    let rows = whole(&honest, &case.caps)?;
    let is_placed = rows.chunks().iter().filter(|chunk| chunk.is_live).all(|chunk| chunk.category.is_some());
    check(placed.unclassified == 0 && is_placed, || format!("without the villain: {placed:?}"))?;
    outcomes.count(if placed.classified > 0 { "classified later" } else { "nothing waited" });
    Ok(())
}

/// A text, a folder of two files, and the text once more, changed.
fn ingest_all(case: &mut Case, memory: &Recordar, outcomes: &Outcomes) -> Result<(), String> {
    let folder = tempfile::tempdir().unwrap();
    for name in ["one.md", "unknown.txt"] {
        std::fs::write(folder.path().join(name), case.document()).unwrap();
    }
    for step in 0..3 {
        let before = Rows::of(memory);
        let id = format!("step-{step}");
        let report = match step {
            1 => memory.ingest(&ada(), &request(&id, &[folder.path()]), &mut |_| {}),
            _ => memory.ingest_text(&ada(), text(&id, "text.md", &case.document())),
        };
        let rows = whole(memory, &case.caps)?;
        match report {
            Ok(report) => check_ingested(&report, &rows, outcomes)?,
            Err(error) => {
                check_error(&error)?;
                check(rows.lines == before.lines, || format!("{error}, and something was written"))?;
                outcomes.count(&format!("ingest: {}", error.code()));
            }
        }
    }
    Ok(())
}

fn whole(memory: &Recordar, caps: &[u64]) -> Result<Rows, String> {
    let rows = Rows::of(memory);
    rows.check(caps)?;
    Ok(rows)
}

/// Every file is stored, with chunks that are classified or told to wait, or told to have failed.
fn check_ingested(report: &IngestReport, rows: &Rows, outcomes: &Outcomes) -> Result<(), String> {
    without_key(report)?;
    for file in &report.files {
        let FileReport { path, status, chunks, classified, unclassified, .. } = file;
        file.warnings.iter().chain(&file.error).try_for_each(check_problem)?;
        if !matches!(status, FileStatus::Added | FileStatus::Updated) {
            return Err(format!("{path} is {}: {:?}", status.name(), file.error));
        }
        let stored = rows.chunks().into_iter().filter(|chunk| Some(chunk.version) == file.version_id);
        let (placed, waiting): (Vec<_>, Vec<_>) = stored.partition(|chunk| chunk.category.is_some());
        let held = (placed.len() as u64, waiting.len() as u64);
        check(held == (*classified, *unclassified) && classified + unclassified == *chunks, || {
            format!("{path}: {held:?} are stored, {classified} and {unclassified} of {chunks} are told")
        })?;
        let is_told = file.warnings.iter().any(|warning| warning.code == "unclassified");
        check(is_told == (*unclassified > 0), || format!("{path}: {unclassified} wait, {:?}", file.warnings))?;
        outcomes.count(match held {
            (_, 0) => "ingest: classified",
            (0, _) => "ingest: waiting",
            _ => "ingest: in part",
        });
    }
    Ok(())
}

/// One query and one question, and what is wrong with their results.
fn descend(
    memory: &Recordar,
    rows: &Rows,
    strategy: TraversalStrategy,
    limiting: PromptLimiting,
    outcomes: &Outcomes,
) -> Result<(), String> {
    let descent = DescentOptions { strategy: Some(strategy), ..DescentOptions::default() };
    let queried = memory.query(&ada(), &QueryRequest { descent, ..QueryRequest::new(QUESTION) });
    without_key(&queried)?;
    match queried {
        Ok(result) => {
            check_result(&result, rows)?;
            outcomes.count(&format!("query: {}", result.status));
        }
        Err(error) => {
            check_error(&error)?;
            outcomes.count(&format!("query: {}", error.code()));
        }
    }
    let limiting = LimitingOptions { prompt_limiting_strategy: Some(limiting), ..LimitingOptions::default() };
    let asking = AskRequest { descent, limiting, route: Some(Route::Tree), ..AskRequest::new(QUESTION) };
    let asked = memory.ask(&[ada()], &asking);
    without_key(&asked)?;
    match asked {
        Ok(result) => {
            check(!result.answer.is_empty() && !result.used_chunks.is_empty(), || format!("{result:?}"))?;
            for chunk in &result.used_chunks {
                check_place(rows, chunk.chunk_id, &chunk.category_path)?;
            }
            let is_summarized = result.used_chunks.iter().any(|chunk| chunk.summarized);
            outcomes.count(if is_summarized { "ask: summarized" } else { "ask: as it is" });
        }
        Err(error) => {
            check_error(&error)?;
            outcomes.count(&format!("ask: {}", error.code()));
        }
    }
    Ok(())
}

fn check_result(result: &QueryResult, rows: &Rows) -> Result<(), String> {
    check(!result.chunks.is_empty() && !result.paths.is_empty(), || "a result of nothing".to_owned())?;
    for path in &result.paths {
        let leaf = path.category_ids.last().and_then(|leaf| rows.path(*leaf));
        check(leaf == Some(&path.category_path), || format!("{path:?} is {leaf:?}"))?;
        let told = result.chunks.iter().filter(|chunk| chunk.category_path == path.category_path).count();
        check(told as u64 == path.chunks, || format!("{path:?} has {told} chunks"))?;
    }
    for chunk in &result.chunks {
        check_place(rows, chunk.chunk_id, &chunk.category_path)?;
        let is_followed = result.paths.iter().any(|path| path.category_path == chunk.category_path);
        check(is_followed, || format!("chunk {} is on no path of the result", chunk.chunk_id))?;
    }
    Ok(())
}

fn check_place(rows: &Rows, chunk: i64, path: &Vec<String>) -> Result<(), String> {
    let stored = rows.path_of(chunk);
    check(stored == Some(path), || format!("chunk {chunk} is said to hang on {path:?}, and hangs on {stored:?}"))
}

/// An error that a user can act on.
fn check_error(error: &Error) -> Result<(), String> {
    const CODES: [&str; 7] = [
        "model_away",
        "model_rate_limited",
        "model_rejected",
        "model_reply_unfit",
        "no_tree",
        "empty_paths",
        "budget_exceeded",
    ];
    check(CODES.contains(&error.code()), || format!("{}: {error}", error.code()))?;
    check_words(&error.to_string(), &error.remedy())
}

fn check_problem(problem: &Problem) -> Result<(), String> {
    check_words(&problem.what, &problem.remedy)
}

fn check_words(what: &str, remedy: &str) -> Result<(), String> {
    let shown: String = what.chars().take(300).collect();
    check(!remedy.trim().is_empty(), || format!("no remedy: {shown}"))?;
    let lines = what.lines().count() + remedy.lines().count();
    check(lines <= 8 && what.lines().all(|line| line.len() <= 1500), || format!("{} bytes: {shown}", what.len()))?;
    check(!what.contains(|c: char| c.is_control() && c != '\n'), || format!("{shown:?}"))
}

fn without_key(said: &impl Debug) -> Result<(), String> {
    check(!format!("{said:?}").contains(KEY), || "the key was told".to_owned())
}

impl Outcomes {
    fn count(&self, outcome: &str) {
        *self.0.lock().unwrap().entry(outcome.to_owned()).or_default() += 1;
    }
}

fn count_panics() -> &'static AtomicUsize {
    static PANICS: AtomicUsize = AtomicUsize::new(0);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        PANICS.fetch_add(1, Ordering::AcqRel);
        hook(info);
    }));
    &PANICS
}

#[test]
fn a4_r2a_9_and_r7b_3_a_hostile_model_leaves_no_tree_half_written() {
    let panics = count_panics();
    let (cases, next) = (rounds(40, 1_000), AtomicUsize::new(0));
    let (outcomes, given, wrong): (Outcomes, Given, Mutex<Vec<String>>) = Default::default();
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some(number) = Some(next.fetch_add(1, Ordering::AcqRel)).filter(|number| *number < cases) {
                    if let Err(why) = run(number, &outcomes, &given) {
                        let why: String = why.chars().take(1000).collect();
                        wrong.lock().unwrap().push(format!("case {number}: {why}"));
                    }
                }
            });
        }
    });
    let (wrong, outcomes) = (wrong.into_inner().unwrap(), outcomes.0.into_inner().unwrap());
    println!("{cases} cases: {outcomes:#?} {:#?}", given.lock().unwrap());
    let shown = wrong.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of {cases} cases:\n{shown}", wrong.len());
    assert_eq!(panics.load(Ordering::Acquire), 0, "a thread panicked");
    // The test is worth something only if all of it happens.
    for outcome in ["ingest: classified", "ingest: waiting", "ingest: in part", "query: ok", "ask: as it is"] {
        assert!(outcomes.contains_key(outcome), "{outcome}: {outcomes:?}");
    }
    for outcome in ["query: model_reply_unfit", "ask: summarized", "ask: budget_exceeded", "classified later"] {
        assert!(outcomes.contains_key(outcome), "{outcome}: {outcomes:?}");
    }
}
