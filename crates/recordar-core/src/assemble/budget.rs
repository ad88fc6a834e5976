//! The token budget (E5): strict, counted with the model's own tokenizer. The first passage that does not fit is truncated,
//! and everything after it is dropped.

use crate::guard::SafePassage;
use recordar_domain::text::TokenCounter;
use recordar_domain::{Action, Invalid, Stage};

/// The passages that fit, their token count, and the decisions. `measure` says what the budget is spent on: the passages alone, or the
/// whole text that is made of them.
pub fn budget(
    mut passages: Vec<SafePassage>,
    max_tokens: usize,
    counter: &TokenCounter,
    measure: impl Fn(&[SafePassage]) -> Result<usize, Invalid>,
) -> Result<(Vec<SafePassage>, usize, Stage), Invalid> {
    let mut stage = Stage::new("budget");
    passages.iter_mut().for_each(|passage| passage.tokens = counter.count(&passage.content()));
    let (mut fitting, mut too_many) = (0, passages.len() + 1);
    if measure(&passages)? <= max_tokens {
        fitting = passages.len();
    } else {
        too_many = passages.len();
    }
    while fitting + 1 < too_many {
        let middle = fitting.midpoint(too_many);
        match measure(&passages[..middle])? <= max_tokens {
            true => fitting = middle,
            false => too_many = middle,
        }
    }
    let mut total = 0;
    for passage in &passages[..fitting] {
        total += passage.tokens;
        stage.decide(passage.name(), Action::Kept, "fits", format!("{} tokens, {total} in total", passage.tokens));
    }
    if fitting < passages.len() {
        let whole = passages[fitting].tokens;
        let left = max_tokens.saturating_sub(measure(&passages[..fitting])?);
        if truncate_last(&mut passages[..=fitting], max_tokens, left, counter, &measure)? {
            let passage = &passages[fitting];
            total += passage.tokens;
            let detail = format!("truncated to {} of {whole} tokens; {left} were left", passage.tokens);
            stage.decide(passage.name(), Action::Changed, "partial", detail);
            let detail = format!("{} tokens, {total} in total", passage.tokens);
            stage.decide(passage.name(), Action::Kept, "fits", detail);
            fitting += 1;
        } else if left > 0 {
            let detail = format!("{whole} tokens; not even a part fits into the remaining {left}");
            stage.decide(passages[fitting].name(), Action::Dropped, "max_tokens", detail);
            passages.remove(fitting);
        }
    }
    for passage in passages.drain(fitting..) {
        let detail = format!("the limit of {max_tokens} tokens is reached");
        stage.decide(passage.name(), Action::Dropped, "max_tokens", detail);
    }
    Ok((passages, total, stage))
}

/// Cuts the last passage until all of them fit. False if nothing of it does.
fn truncate_last(
    passages: &mut [SafePassage],
    max_tokens: usize,
    left: usize,
    counter: &TokenCounter,
    measure: &impl Fn(&[SafePassage]) -> Result<usize, Invalid>,
) -> Result<bool, Invalid> {
    let mut allowed = left;
    while allowed > 0 {
        let Some(last) = passages.last_mut() else { break };
        let whole = last.span;
        if !last.truncate(allowed, counter) {
            last.show(whole);
            break;
        }
        last.tokens = counter.count(&last.content());
        let measured = measure(passages)?;
        if measured <= max_tokens {
            return Ok(true);
        }
        // Its name, its section and the marks of its lines count, too.
        allowed = allowed.saturating_sub(measured - max_tokens);
        if let Some(last) = passages.last_mut() {
            last.show(whole);
        }
    }
    Ok(false)
}

/// The tokens of passages alone.
pub fn of_memories(passages: &[SafePassage]) -> Result<usize, Invalid> {
    Ok(passages.iter().map(|passage| passage.tokens).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::safe;
    use crate::noun::passage::tests::passage;

    fn run(texts: &[String], max_tokens: usize) -> (Vec<String>, usize, Stage) {
        let counter = TokenCounter::for_model("gpt-4o-mini");
        let passages = (1..).zip(texts).map(|(id, text)| passage(id, text)).collect();
        let (kept, total, stage) = budget(safe(passages), max_tokens, &counter, of_memories).unwrap();
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

    #[test]
    fn i19_the_budget_bounds_the_whole_text() {
        let counter = TokenCounter::for_model("gpt-4o-mini");
        let texts: Vec<String> = (0..12).map(|number| format!("Memory {number}\nhas lines. ").repeat(20)).collect();
        for max_tokens in [100, 150, 400, 1500, 3000] {
            let passages = (1..).zip(&texts).map(|(id, text)| passage(id, text)).collect();
            let composed = |passages: &[SafePassage]| {
                let lines = passages.iter().map(|passage| passage.content().replace('\n', "\n  | "));
                format!("## Title\n\n{}\n", lines.map(|line| format!("[time] user: {line}\n")).collect::<String>())
            };
            let measure = |passages: &[SafePassage]| Ok(counter.count(&composed(passages)));
            let (kept, total, stage) = budget(safe(passages), max_tokens, &counter, measure).unwrap();
            let tokens = counter.count(&composed(&kept));
            assert!(tokens <= max_tokens && !kept.is_empty(), "{tokens} of {max_tokens}");
            assert!(kept.len() == texts.len() || tokens + 40 > max_tokens, "{tokens} of {max_tokens}");
            assert_eq!(total, kept.iter().map(|passage| passage.tokens).sum::<usize>());
            let dropped = stage.decisions.iter().filter(|decision| decision.action == Action::Dropped).count();
            assert_eq!(kept.len() + dropped, texts.len());
        }
    }
}
