//! What `recordar eval` prints for people.

use crate::output::Output;
use recordar::eval::{
    Ablation, AnswerKind, Comparison, Differences, EvalMeans, EvalReport, Figures, MeanDifference, PairedDifference,
    RecallFigures, WordsReport,
};

/// The number of questions that are named if only one run has them.
const NAMED: usize = 5;

pub(super) fn show(report: &EvalReport, is_verbose: bool, output: &Output) {
    let mut rows = Vec::new();
    let all = [(AnswerKind::Items, &report.items), (AnswerKind::Threads, &report.threads)];
    for (of, figures) in all {
        let questions = report.rows.iter().filter(|row| row.of == of).count();
        rows.extend(figures.as_ref().map(|figures| row(of.name(), &questions.to_string(), figures)));
    }
    for (kind, found) in &report.kinds {
        for figures in [&found.items, &found.threads].into_iter().flatten() {
            rows.push(row(&format!("  {kind}"), &found.questions.to_string(), figures));
        }
    }
    if let Some(baseline) = &report.baseline {
        for (name, figures) in [("BM25 items", &baseline.items), ("BM25 threads", &baseline.threads)] {
            rows.extend(figures.as_ref().map(|figures| row(name, "", figures)));
        }
    }
    show_figures("questions", rows, output);
    if let Some(recall) = &report.recall {
        show_recall(recall, output);
    }
    let latency = report.latency_ms;
    output.line(&format!("latency: p50 {:.2} ms, p90 {:.2} ms, p99 {:.2} ms", latency.p50, latency.p90, latency.p99));
    if let Some(baseline) = &report.baseline {
        let latency = baseline.latency_ms;
        output.line(&format!(
            "plain BM25, ranking in memory only: p50 {:.2} ms, p90 {:.2} ms, p99 {:.2} ms",
            latency.p50, latency.p90, latency.p99
        ));
    }
    if report.unknown_answers > 0 {
        output.line(&format!("{} known answers are not in the corpus and count as not found", report.unknown_answers));
    }
    if report.unjudged > 0 {
        output.line(&format!("{} questions have no known answer and are not counted", report.unjudged));
    }
    if let Some(baseline) = &report.baseline {
        let Comparison { items, threads, .. } = &baseline.difference;
        show_differences("against plain BM25", ["BM25", "Recordar"], &[("", items, threads)], output);
    }
    show_words(&report.words, output);
    let rows: Vec<_> = report.ablations.iter().map(ablation_row).collect();
    show_differences("without each signal", ["with all", "without"], &rows, output);
    if let Some(comparison) = &report.comparison {
        show_comparison("against the saved run", comparison, is_verbose, output);
    }
    for words in &report.words {
        if let Some(comparison) = &words.comparison {
            let title = format!("against the saved run, questions of {} words", words.words);
            show_comparison(&title, comparison, is_verbose, output);
        }
    }
}

pub(super) fn show_means(means: &EvalMeans, output: &Output) {
    output.line(&format!("means over {} sets:", means.sets));
    let all = [("items", &means.items), ("threads", &means.threads)];
    let rows = all.into_iter().filter_map(|(name, figures)| Some(row(name, "", figures.as_ref()?)));
    show_figures("", rows, output);
    let one = |title: &str, names: [&str; 2], difference: &Option<MeanDifference>| {
        if let Some(MeanDifference { items, threads }) = difference {
            show_differences(title, names, &[("", items, threads)], output);
        }
    };
    one("against plain BM25", ["BM25", "Recordar"], &means.baseline);
    for words in &means.words {
        let title = format!("questions of {} words", words.words);
        one(&title, ["BM25", "Recordar"], &Some(words.difference.clone()));
    }
    let rows: Vec<_> = means
        .ablations
        .iter()
        .map(|ablation| (ablation.without, &ablation.difference.items, &ablation.difference.threads))
        .collect();
    show_differences("without each signal", ["with all", "without"], &rows, output);
    one("against the saved run", ["before", "now"], &means.comparison);
}

fn names() -> Vec<String> {
    let cuts = ["recall", "any", "all"].iter().flat_map(|name| [5, 10, 20].map(|cut| format!("{name}@{cut}")));
    cuts.chain(["ndcg@10".to_owned(), "mrr".to_owned()]).collect()
}

fn show_figures(questions: &str, rows: impl IntoIterator<Item = Vec<String>>, output: &Output) {
    let names = names();
    let header: Vec<&str> = ["", questions].into_iter().chain(names.iter().map(String::as_str)).collect();
    output.table(&header, rows);
}

fn row(name: &str, questions: &str, figures: &Figures) -> Vec<String> {
    let figures = names().into_iter().map(|name| format!("{:.3}", figures.get(&name).copied().unwrap_or(0.0)));
    [name.to_owned(), questions.to_owned()].into_iter().chain(figures).collect()
}

/// A name, and the differences of items and of threads.
type Named<'a> = (&'a str, &'a Option<Differences>, &'a Option<Differences>);

fn ablation_row(Ablation { without, comparison }: &Ablation) -> Named<'_> {
    (without, &comparison.items, &comparison.threads)
}

fn show_differences(title: &str, [before, now]: [&str; 2], all: &[Named<'_>], output: &Output) {
    let mut rows = Vec::new();
    for (name, items, threads) in all {
        for (of, differences) in [(AnswerKind::Items, items), (AnswerKind::Threads, threads)] {
            for (figure, found) in differences.iter().flatten() {
                let what = format!("{} {figure}", of.name());
                rows.push([*name, &what].map(str::to_owned).into_iter().chain(difference_cells(found)).collect());
            }
        }
    }
    if rows.is_empty() {
        return;
    }
    output.line(&format!("\n{title}:"));
    let header = ["", "figure", before, now, "difference", "95 % interval", "better", "worse"];
    output.table(&header, rows);
}

fn difference_cells(found: &PairedDifference) -> [String; 6] {
    [
        format!("{:.3}", found.before),
        format!("{:.3}", found.now),
        format!("{:+.3}", found.difference),
        format!("{:+.3} to {:+.3}", found.low, found.high),
        found.better.to_string(),
        found.worse.to_string(),
    ]
}

fn show_comparison(title: &str, comparison: &Comparison, is_verbose: bool, output: &Output) {
    show_differences(title, ["before", "now"], &[("", &comparison.items, &comparison.threads)], output);
    output.line(&format!("{} questions are in both runs", comparison.questions));
    let left_out = [
        ("are only in the saved run", &comparison.only_before),
        ("are only in this run", &comparison.only_now),
        ("have another text or other answers now", &comparison.changed),
    ];
    for (what, names) in left_out.into_iter().filter(|(_, names)| !names.is_empty()) {
        let shown: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
        let more = if names.len() > NAMED { ", …" } else { "" };
        output.line(&format!("{} {what}: {}{more}", names.len(), shown.join(", ")));
    }
    if is_verbose && !comparison.most_changed.is_empty() {
        output.line("most changed:");
        let cells = comparison.most_changed.iter().map(|one| {
            let change = format!("{:.3} to {:.3}", one.before, one.now);
            vec![one.query.clone(), one.figure.to_owned(), change, one.text.chars().take(100).collect()]
        });
        output.table(&["question", "figure", "change", "text"], cells);
    }
}

fn show_words(all: &[WordsReport], output: &Output) {
    if all.is_empty() {
        return;
    }
    output.line("\nquestions made from the corpus (BM25 after the stroke):");
    let rows = all.iter().map(|own| {
        let figure = |name: &str| {
            let of = |figures: &Figures| figures.get(name).copied().unwrap_or(0.0);
            format!("{:.3} / {:.3}", of(&own.items), own.baseline.items.as_ref().map_or(0.0, of))
        };
        let (ours, plain) = (own.latency_ms, own.baseline.latency_ms);
        vec![
            own.words.to_string(),
            own.questions.to_string(),
            figure("recall@10"),
            figure("ndcg@10"),
            format!("{:.2} / {:.2}", ours.p50, plain.p50),
            format!("{:.2} / {:.2}", ours.p90, plain.p90),
        ]
    });
    let header = ["words", "questions", "recall@10", "ndcg@10", "p50 ms", "p90 ms"];
    output.table(&header, rows);
    let names: Vec<String> = all.iter().map(|own| format!("{} words", own.words)).collect();
    let rows: Vec<Named<'_>> = names
        .iter()
        .zip(all)
        .map(|(name, own)| (name.as_str(), &own.baseline.difference.items, &own.baseline.difference.threads))
        .collect();
    show_differences("against plain BM25, by length", ["BM25", "Recordar"], &rows, output);
}

fn show_recall(recall: &RecallFigures, output: &Output) {
    output.line(&format!(
        "recall: finds {:.3} of the evidence in {:.1} memories of {:.0} tokens in total; without interleaving and clipping, \
         {:.3} in {:.1} memories of the same total",
        recall.evidence, recall.mean_memories, recall.mean_tokens, recall.evidence_plain, recall.mean_memories_plain,
    ));
    output.line(&format!(
        "min_score keeps {:.1} % of the {} pieces of evidence in the top 20",
        100.0 * recall.kept_by_min_score,
        recall.evidence_in_20,
    ));
    if recall.off_topic > 0 {
        let percent = 100.0 * recall.off_topic_empty;
        output.line(&format!("{percent:.1} % of {} off-topic questions return nothing", recall.off_topic));
    }
}
