//! The token budget (E5): strict, counted with the model's own tokenizer. The first passage that does not fit is truncated,
//! and everything after it is dropped.

use crate::guard::SafePassage;
use recordar_domain::text::TokenCounter;
use recordar_domain::{Action, Stage};

/// The passages that fit, their token count, and the decisions.
pub(crate) fn budget(
    passages: Vec<SafePassage>,
    max_tokens: usize,
    counter: &TokenCounter,
) -> (Vec<SafePassage>, usize, Stage) {
    let mut stage = Stage::new("budget");
    let mut kept = Vec::with_capacity(passages.len());
    let mut total = 0;
    let mut is_full = false;
    for mut passage in passages {
        let left = max_tokens - total;
        if is_full || left == 0 {
            stage.decide(
                passage.name(),
                Action::Dropped,
                "max_tokens",
                format!("the limit of {max_tokens} tokens is reached"),
            );
            continue;
        }
        passage.tokens = counter.count(&passage.content());
        if passage.tokens > left {
            is_full = true;
            let whole = passage.tokens;
            if !passage.truncate(left, counter) {
                let detail = format!("{whole} tokens; not even a part fits into the remaining {left}");
                stage.decide(passage.name(), Action::Dropped, "max_tokens", detail);
                continue;
            }
            passage.tokens = counter.count(&passage.content());
            let detail = format!("truncated to {} of {whole} tokens; {left} were left", passage.tokens);
            stage.decide(passage.name(), Action::Changed, "partial", detail);
        }
        total += passage.tokens;
        let detail = format!("{} tokens, {total} in total", passage.tokens);
        stage.decide(passage.name(), Action::Kept, "fits", detail);
        kept.push(passage);
    }
    (kept, total, stage)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::safe;
    use crate::noun::passage::tests::passage;

    fn run(texts: &[String], max_tokens: usize) -> (Vec<String>, usize, Stage) {
        let counter = TokenCounter::for_model("gpt-4o-mini");
        let passages = (1..).zip(texts).map(|(id, text)| passage(id, text)).collect();
        let (kept, total, stage) = budget(safe(passages), max_tokens, &counter);
        let contents: Vec<String> = kept.iter().map(SafePassage::content).collect();
        assert_eq!(total, contents.iter().map(|content| counter.count(content)).sum::<usize>());
        (contents, total, stage)
    }

    #[test]
    fn e5_the_token_budget_is_enforced_strictly() {
        let large: Vec<String> = (0..20).map(|number| format!("Memory {number} is long. ").repeat(400)).collect();
        for max_tokens in [1, 2, 3, 10, 100, 1500, 3000] {
            let (contents, total, _) = run(&large, max_tokens);
            assert!(total <= max_tokens, "{total} of {max_tokens}");
            assert!(max_tokens < 10 || contents.last().is_some_and(|last| last.ends_with("...")), "{max_tokens}");
        }
        for script in ["灯台守はレンズを磨く。", "حارس المنارة ينظف العدسة. ", "🗼👩‍👩‍👧 ", "प्रकाशस्तंभ का रखवाला। "]
        {
            let (contents, total, _) = run(&vec![script.repeat(300); 3], 250);
            assert!(total <= 250 && total > 200 && contents.len() == 1, "{script} {total}");
        }
    }

    #[test]
    fn e5_the_last_item_is_included_in_part_and_nothing_after_it() {
        let texts = ["one two three", "four five six seven eight nine ten eleven", "twelve"].map(str::to_owned);
        let (contents, total, stage) = run(&texts, 8);
        assert_eq!(contents, ["one two three", "four five six..."]);
        assert!(total <= 8);
        let reasons: Vec<&str> = stage.decisions.iter().map(|decision| decision.reason.as_str()).collect();
        assert_eq!(reasons, ["fits", "partial", "fits", "max_tokens"]);
    }
}
