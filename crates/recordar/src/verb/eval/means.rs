//! Several sets in one: the means over sets. Every set counts alike, however many questions it has.

use super::EvalReport;
use super::compare::{Comparison, Differences};
use super::figures::{Figures, mean_of};
use serde::Serialize;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EvalMeans {
    pub sets: usize,
    /// Of the sets whose answers are items, and of those whose answers are threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Figures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<Figures>,
    /// `before` is BM25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<MeanDifference>,
    /// By the length of questions; `before` is BM25.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<MeanWords>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ablations: Vec<MeanAblation>,
    /// With a saved run, of the sets that it has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<MeanDifference>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeanDifference {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Differences>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<Differences>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeanWords {
    pub words: usize,
    #[serde(flatten)]
    pub difference: MeanDifference,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeanAblation {
    pub without: &'static str,
    #[serde(flatten)]
    pub difference: MeanDifference,
}

impl EvalMeans {
    pub fn of(reports: &[&EvalReport]) -> Self {
        let mean = |of: fn(&EvalReport) -> Option<&Figures>| mean_of(reports.iter().filter_map(|report| of(report)));
        let baselines = reports.iter().filter_map(|report| report.baseline.as_ref());
        let ablations = reports.first().map_or(&[][..], |report| &report.ablations);
        let words = reports.first().map_or(&[][..], |report| &report.words);
        Self {
            sets: reports.len(),
            items: mean(|report| report.items.as_ref()),
            threads: mean(|report| report.threads.as_ref()),
            baseline: MeanDifference::of(baselines.map(|baseline| &baseline.difference)),
            words: (words.iter().enumerate())
                .filter_map(|(at, first)| {
                    let all = reports.iter().filter_map(|report| report.words.get(at));
                    let difference = MeanDifference::of(all.map(|words| &words.baseline.difference))?;
                    Some(MeanWords { words: first.words, difference })
                })
                .collect(),
            ablations: (ablations.iter().enumerate())
                .filter_map(|(at, first)| {
                    let all = reports.iter().filter_map(|report| report.ablations.get(at));
                    let difference = MeanDifference::of(all.map(|ablation| &ablation.comparison))?;
                    Some(MeanAblation { without: first.without, difference })
                })
                .collect(),
            comparison: MeanDifference::of(reports.iter().filter_map(|report| report.comparison.as_ref())),
        }
    }
}

impl MeanDifference {
    fn of<'a>(all: impl Iterator<Item = &'a Comparison>) -> Option<Self> {
        let (items, threads) = Comparison::means(&all.collect::<Vec<&Comparison>>());
        (items.is_some() || threads.is_some()).then_some(Self { items, threads })
    }
}
