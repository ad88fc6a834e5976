//! The gate: drops passages that score too low to be relevant to the question.

use crate::noun::passage::Passage;
use crate::noun::rerank::JudgeConfidence;
use recordar_domain::{Action, Stage};

/// `confidence` is what the judge says of all of them: if it finds that nothing answers, none is kept.
pub fn gate(mut passages: Vec<Passage>, min_score: f64, confidence: &JudgeConfidence) -> (Vec<Passage>, Stage) {
    let mut stage = Stage::new("gate");
    if let Some(refusal) = confidence.refusal() {
        for passage in passages.drain(..) {
            stage.decide(passage.name(), Action::Dropped, "min_confidence", refusal.as_str());
        }
        return (passages, stage);
    }
    passages.retain(|passage| {
        let score = passage.score;
        if score.total_cmp(&min_score).is_ge() {
            return true;
        }
        let detail = format!("score {score:.4} is below {min_score}");
        stage.decide(passage.name(), Action::Dropped, "min_score", detail);
        false
    });
    if !passages.is_empty() {
        let detail = format!("scores of at least {min_score}");
        stage.decide(format!("{} passages", passages.len()), Action::Kept, "min_score", detail);
    }
    (passages, stage)
}
