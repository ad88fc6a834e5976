//! A3 by rules: which passages speak of what must be known (RET-05).

use crate::need::Need;
use crate::stems::Reader;
use recordar_domain::{Action, Stage};

/// The strictness θ that kept 99 % of the evidence of the development sets (docs/benchmarks.md).
pub const DEFAULT_THETA: f64 = 0.15;

/// Why none of several passages answers: the setting that says so, and what it compared.
pub struct Refusal {
    pub setting: &'static str,
    pub detail: String,
}

/// Splits passages into those that pass and those that do not. Each is given with its name and its support, from 0 to 1. If none answers, `refusal` says
/// why, and none passes.
pub fn gate<T>(passages: Vec<(String, f64, T)>, theta: f64, refusal: Option<&Refusal>) -> (Vec<(f64, T)>, Stage) {
    let mut stage = Stage::new("gate");
    let mut kept = Vec::with_capacity(passages.len());
    for (name, support, passage) in passages {
        let detail = format!("support {support:.3}, theta {theta:.3}");
        if let Some(Refusal { setting, detail }) = refusal {
            stage.decide(name, Action::Dropped, setting, detail);
        } else if theta <= 0.0 {
            stage.decide(name, Action::Kept, "not_gated", "the gate is off");
            kept.push((support, passage));
        } else if support.total_cmp(&theta).is_ge() {
            stage.decide(name, Action::Kept, "supported", detail);
            kept.push((support, passage));
        } else {
            stage.decide(name, Action::Dropped, "not_supported", detail);
        }
    }
    (kept, stage)
}

/// The support of each text by rules.
pub fn supports<'a>(need: &Need, texts: impl Iterator<Item = &'a str>, reader: &mut Reader) -> Vec<f64> {
    texts.map(|text| need.support(text, reader)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ret_05_the_gate_keeps_from_theta_on_and_says_why() {
        let passages = || vec![("a".into(), 0.3, 1), ("b".into(), 0.29, 2)];
        let (kept, stage) = gate(passages(), 0.3, None);
        assert_eq!(kept.iter().map(|(_, number)| *number).collect::<Vec<_>>(), [1]);
        assert_eq!(stage.decisions[1].reason, "not_supported");
        let (kept, stage) = gate(passages(), 0.3, Some(&Refusal { setting: "min_score", detail: String::new() }));
        assert!(kept.is_empty() && stage.decisions.iter().all(|decision| decision.reason == "min_score"));
        assert_eq!(gate(passages(), 0.0, None).0.len(), 2, "the gate is off");
    }
}
