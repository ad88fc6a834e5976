//! Compares two runs question by question: the mean of each figure before and now, and how far the difference can be trusted.
//!
//! The interval is a percentile bootstrap over the questions (Efron, 1979): it holds for figures that are mostly 0 or 1, where the normal
//! approximation does not, and it is the same in every run, because its seed is fixed and questions are ordered by id.

use super::EvalRow;
use super::figures::AnswerKind;
use super::seeded::Seeded;
use serde::Serialize;
use std::collections::BTreeMap;

const RESAMPLES: usize = 2_000;
const SEED: u64 = 21;
const MOST_CHANGED: usize = 20;

/// The figures that are compared.
const COMPARED: [(AnswerKind, &[&str]); 2] =
    [(AnswerKind::Items, &["recall@10", "ndcg@10", "mrr"]), (AnswerKind::Threads, &["all@5"])];

/// A figure in two runs, and a 95 % confidence interval for the difference of its means.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PairedDifference {
    pub before: f64,
    pub now: f64,
    /// `now` less `before`.
    pub difference: f64,
    pub low: f64,
    pub high: f64,
    /// The number of questions with a higher figure now, and with a lower one.
    pub better: usize,
    pub worse: usize,
}

/// Differences by figure.
pub type Differences = BTreeMap<String, PairedDifference>;

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Comparison {
    /// The questions that are in both runs.
    pub questions: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Differences>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<Differences>,
    /// Questions that are not compared: because only one run has them, or because their text or their answers changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only_before: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub only_now: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// By nDCG@10 for items and by all@5 for threads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub most_changed: Vec<ChangedQuestion>,
    #[serde(skip)]
    pairs: Pairs,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChangedQuestion {
    pub query: String,
    pub text: String,
    pub figure: &'static str,
    pub before: f64,
    pub now: f64,
}

/// For each compared figure its two values of each question.
type Pairs = BTreeMap<(&'static str, &'static str), Vec<(f64, f64)>>;

impl Comparison {
    /// Of two runs of the same set.
    pub fn of<'a>(before: impl IntoIterator<Item = &'a EvalRow>, now: impl IntoIterator<Item = &'a EvalRow>) -> Self {
        let by_id = |row: &'a EvalRow| (row.query.as_str(), row);
        let mut before: BTreeMap<&str, &EvalRow> = before.into_iter().map(by_id).collect();
        let now: BTreeMap<&str, &EvalRow> = now.into_iter().map(by_id).collect();
        let mut comparison = Self::default();
        for (id, row) in now {
            match before.remove(id) {
                None => comparison.only_now.push(id.to_owned()),
                Some(earlier) if !is_same_question(earlier, row) => comparison.changed.push(id.to_owned()),
                Some(earlier) => comparison.take(earlier, row),
            }
        }
        comparison.only_before = before.into_keys().map(str::to_owned).collect();
        let by_change = |one: &ChangedQuestion, other: &ChangedQuestion| {
            let change = |question: &ChangedQuestion| (question.now - question.before).abs();
            change(other).total_cmp(&change(one)).then(one.query.cmp(&other.query))
        };
        comparison.most_changed.sort_by(by_change);
        comparison.most_changed.truncate(MOST_CHANGED);
        (comparison.items, comparison.threads) = differences(&[&comparison.pairs]);
        comparison
    }

    fn take(&mut self, before: &EvalRow, now: &EvalRow) {
        self.questions += 1;
        let of = COMPARED.into_iter().filter(|(of, _)| *of == now.of);
        for (of, figure) in of.flat_map(|(of, figures)| figures.iter().map(move |figure| (of, *figure))) {
            let (Some(before_value), Some(now_value)) = (before.figures.get(figure), now.figures.get(figure)) else {
                continue;
            };
            self.pairs.entry((of.name(), figure)).or_default().push((*before_value, *now_value));
            let decides = matches!(figure, "ndcg@10" | "all@5");
            if decides && before_value.total_cmp(now_value).is_ne() {
                let (query, text) = (now.query.clone(), now.text.clone());
                let (before, now) = (*before_value, *now_value);
                self.most_changed.push(ChangedQuestion { query, text, figure, before, now });
            }
        }
    }

    /// The means over sets, each of which counts alike, for items and for threads.
    pub fn means(all: &[&Self]) -> (Option<Differences>, Option<Differences>) {
        differences(&all.iter().map(|comparison| &comparison.pairs).collect::<Vec<&Pairs>>())
    }
}

fn is_same_question(one: &EvalRow, other: &EvalRow) -> bool {
    (one.of, &one.text, &one.relevant) == (other.of, &other.text, &other.relevant)
}

fn differences(sets: &[&Pairs]) -> (Option<Differences>, Option<Differences>) {
    let of_kind = |kind: AnswerKind| {
        let figures =
            COMPARED.into_iter().filter(|(of, _)| *of == kind).flat_map(|(_, figures)| figures.iter().copied());
        let all: Differences = figures
            .filter_map(|figure| {
                let sets: Vec<&[(f64, f64)]> =
                    sets.iter().filter_map(|pairs| pairs.get(&(kind.name(), figure))).map(Vec::as_slice).collect();
                (!sets.is_empty()).then(|| (figure.to_owned(), difference(&sets)))
            })
            .collect();
        (!all.is_empty()).then_some(all)
    };
    (of_kind(AnswerKind::Items), of_kind(AnswerKind::Threads))
}

/// Of at least one set, none of them empty. Every set counts alike, however many questions it has.
fn difference(sets: &[&[(f64, f64)]]) -> PairedDifference {
    let mean = |value: fn(&(f64, f64)) -> f64| {
        let of_set = |pairs: &&[(f64, f64)]| pairs.iter().map(value).sum::<f64>() / pairs.len() as f64;
        sets.iter().map(of_set).sum::<f64>() / sets.len() as f64
    };
    let changes: Vec<Vec<f64>> =
        sets.iter().map(|pairs| pairs.iter().map(|(before, now)| now - before).collect()).collect();
    let count = |is: fn(f64) -> bool| changes.iter().flatten().filter(|change| is(**change)).count();
    let (low, high) = interval(&changes);
    PairedDifference {
        before: mean(|(before, _)| *before),
        now: mean(|(_, now)| *now),
        difference: mean(|(before, now)| now - before),
        low,
        high,
        better: count(|change| change > 0.0),
        worse: count(|change| change < 0.0),
    }
}

/// The middle 95 % of the means of resamples. Each set is resampled by itself.
fn interval(sets: &[Vec<f64>]) -> (f64, f64) {
    let mut seeded = Seeded::new(SEED);
    let mut resample = |changes: &Vec<f64>| {
        let sum: f64 = (0..changes.len()).map(|_| changes[seeded.below(changes.len())]).sum();
        sum / changes.len() as f64
    };
    let mut means: Vec<f64> =
        (0..RESAMPLES).map(|_| sets.iter().map(&mut resample).sum::<f64>() / sets.len() as f64).collect();
    means.sort_by(f64::total_cmp);
    let cut = RESAMPLES / 40;
    (means[cut - 1], means[RESAMPLES - cut])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn row(query: &str, ndcg: f64) -> EvalRow {
        EvalRow {
            set: "made".to_owned(),
            query: query.to_owned(),
            text: format!("What about {query}?"),
            kind: None,
            of: AnswerKind::Items,
            relevant: vec!["a".to_owned()],
            ranked: Vec::new(),
            judged: Vec::new(),
            figures: BTreeMap::from([("ndcg@10".to_owned(), ndcg), ("recall@10".to_owned(), ndcg.ceil())]),
            latency_ms: 1.0,
        }
    }

    fn rows(values: impl Iterator<Item = f64>) -> Vec<EvalRow> {
        values.enumerate().map(|(number, value)| row(&format!("q{number:03}"), value)).collect()
    }

    #[test]
    fn i21_eval_an_interval_contains_the_difference_and_shrinks_with_questions() {
        let width = |count: usize| {
            let before = rows((0..count).map(|at| (at % 10) as f64 / 10.0));
            let now = rows((0..count).map(|at| (at % 10) as f64 / 10.0 + if at % 3 == 0 { 0.1 } else { 0.0 }));
            let found = Comparison::of(&before, &now).items.unwrap()["ndcg@10"];
            assert!((found.difference - 0.1 * count.div_ceil(3) as f64 / count as f64).abs() < 1e-12, "{found:?}");
            assert!(found.low < found.difference && found.difference < found.high, "{found:?}");
            assert_eq!((found.better, found.worse), (count.div_ceil(3), 0));
            // The normal approximation, which holds for so even a change.
            let deviation = (found.difference * (0.1 - found.difference) / count as f64).sqrt();
            assert!((found.high - found.low - 2.0 * 1.96 * deviation).abs() < deviation, "{found:?}");
            found.high - found.low
        };
        assert!(width(400) < 0.6 * width(100));
    }

    #[test]
    fn i21_eval_the_same_runs_give_the_same_interval_in_any_order() {
        let before = rows((0..50).map(|at| f64::from(at % 7) / 7.0));
        let now = rows((0..50).map(|at| f64::from(at % 5) / 5.0));
        let one = Comparison::of(&before, &now);
        let (mut back, mut forth) = (before.clone(), now.clone());
        back.reverse();
        forth.rotate_left(13);
        assert_eq!(one, Comparison::of(&back, &forth));
        let same = Comparison::of(&now, &now).items.unwrap()["ndcg@10"];
        assert_eq!((same.difference, same.low, same.high, same.better, same.worse), (0.0, 0.0, 0.0, 0, 0));
    }

    #[test]
    fn i21_eval_questions_of_one_run_only_are_named_and_changed_ones_not_compared() {
        let before = [row("a", 0.5), row("b", 1.0), row("c", 0.0)];
        let mut now = [row("b", 0.5), row("c", 1.0), row("d", 1.0)];
        now[1].text = "What else?".to_owned();
        let found = Comparison::of(&before, &now);
        assert_eq!(found.questions, 1);
        assert_eq!((&found.only_before[..], &found.only_now[..]), (&["a".to_owned()][..], &["d".to_owned()][..]));
        assert_eq!(found.changed, ["c"]);
        let changed: Vec<(&str, f64)> = found.most_changed.iter().map(|one| (one.query.as_str(), one.now)).collect();
        assert_eq!(changed, [("b", 0.5)]);
        assert!(found.threads.is_none());
        let nothing = Comparison::of(&[], &now);
        assert!(nothing.items.is_none() && nothing.only_now.len() == 3);
    }

    #[test]
    fn i21_eval_every_set_counts_alike_in_the_mean() {
        let few = Comparison::of(&rows([0.0, 0.0].into_iter()), &rows([1.0, 1.0].into_iter()));
        let many = Comparison::of(&rows((0..98).map(|_| 0.5)), &rows((0..98).map(|_| 0.5)));
        let (items, threads) = Comparison::means(&[&few, &many]);
        let mean = items.unwrap()["ndcg@10"];
        assert_eq!((mean.before, mean.now, mean.difference), (0.25, 0.75, 0.5));
        assert_eq!((mean.better, mean.worse), (2, 0));
        assert!(threads.is_none());
    }
}
