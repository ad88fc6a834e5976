//! The figures of one question, and their means.

use super::EvalRow;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Metrics by name, such as `recall@10`.
pub type Figures = BTreeMap<String, f64>;

/// What the answers of a question are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerKind {
    Items,
    Threads,
}

impl AnswerKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Items => "items",
            Self::Threads => "threads",
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Latency {
    pub p50: f64,
    pub p90: f64,
    pub p99: f64,
}

impl Latency {
    /// Of times in milliseconds.
    pub fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let at = |percent: usize| times.get((times.len() * percent / 100).min(times.len().saturating_sub(1)));
        let at = |percent: usize| at(percent).copied().unwrap_or(0.0);
        Self { p50: at(50), p90: at(90), p99: at(99) }
    }
}

const CUTS: [usize; 3] = [5, 10, 20];

pub(super) fn figures(ranked: &[String], relevant: &BTreeMap<String, f64>) -> Figures {
    let mut figures = Figures::new();
    let found = |cut: usize| ranked.iter().take(cut).filter(|id| relevant.contains_key(*id)).count();
    for cut in CUTS {
        let found = found(cut);
        figures.insert(format!("recall@{cut}"), found as f64 / relevant.len() as f64);
        figures.insert(format!("any@{cut}"), f64::from(u8::from(found > 0)));
        figures.insert(format!("all@{cut}"), f64::from(u8::from(found == relevant.len())));
    }
    let gain = |(rank, score): (usize, f64)| score / (rank as f64 + 2.0).log2();
    let scores = ranked.iter().take(10).map(|id| relevant.get(id).copied().unwrap_or(0.0));
    let mut best: Vec<f64> = relevant.values().copied().collect();
    best.sort_by(|one, other| other.total_cmp(one));
    let most: f64 = best.into_iter().take(10).enumerate().map(gain).sum();
    figures.insert("ndcg@10".to_owned(), scores.enumerate().map(gain).sum::<f64>() / most);
    let first = ranked.iter().position(|id| relevant.contains_key(id));
    figures.insert("mrr".to_owned(), first.map_or(0.0, |rank| 1.0 / (rank as f64 + 1.0)));
    figures
}

/// Of the questions whose answers are items, or threads; `None` if there are none.
pub(super) fn mean<'a>(rows: impl IntoIterator<Item = &'a EvalRow>, of: AnswerKind) -> Option<Figures> {
    mean_of(rows.into_iter().filter(|row| row.of == of).map(|row| &row.figures))
}

/// `None` if there are none.
pub(super) fn mean_of<'a>(all: impl IntoIterator<Item = &'a Figures>) -> Option<Figures> {
    let mut sums = Figures::new();
    let mut count = 0;
    for figures in all {
        count += 1;
        for (name, value) in figures {
            *sums.entry(name.clone()).or_default() += value;
        }
    }
    sums.values_mut().for_each(|sum| *sum /= f64::from(count));
    (count > 0).then_some(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_those_of_the_textbook() {
        let ranked: Vec<String> = ["x", "a", "y", "b"].map(str::to_owned).to_vec();
        let relevant: BTreeMap<String, f64> =
            [("a", 1.0), ("b", 1.0), ("c", 1.0)].map(|(id, s)| (id.to_owned(), s)).into();
        let figures = figures(&ranked, &relevant);
        let dcg = 1.0 / 3_f64.log2() + 1.0 / 5_f64.log2();
        let most = 1.0 + 1.0 / 3_f64.log2() + 0.5;
        assert!((figures["recall@5"] - 2.0 / 3.0).abs() < 1e-12);
        assert!((figures["ndcg@10"] - dcg / most).abs() < 1e-12);
        assert_eq!((figures["any@5"], figures["all@20"], figures["mrr"]), (1.0, 0.0, 0.5));
    }
}
