//! `recordar search`: the best items or threads for a question, with a bar for each part of a score.

use super::{Outcome, open};
use crate::arguments::{Global, ModeName, Search};
use crate::output::Output;
use recordar::{
    Error, Evidence, HitView, SearchMode, SearchRequest, SearchResult, SpaceName, ThreadSearchResult, Timestamp, Trace,
};

const BAR_WIDTH: usize = 24;
const SHOWN_CHARS: usize = 240;

pub(crate) fn run(search: &Search, global: &Global, output: &Output) -> Result<Outcome, Error> {
    let request = SearchRequest {
        query: search.query.clone(),
        mode: match search.mode {
            ModeName::Keyword => SearchMode::Keyword,
            ModeName::Semantic => SearchMode::Semantic,
            ModeName::Hybrid => SearchMode::Hybrid,
        },
        limit: search.limit,
        asked_at: search.asked_at.as_deref().map(Timestamp::parse).transpose()?,
    };
    let (memory, space) = open(global)?;
    let mut spaces = vec![space];
    for name in &search.also {
        spaces.push(SpaceName::parse(name)?);
    }
    if search.threads {
        let result = memory.search_threads(&spaces, &request)?;
        output.result(&result, |output| show_threads(&result, search.explain, output));
    } else {
        let result = memory.search(&spaces, &request)?;
        output.result(&result, |output| show_items(&result, search.explain, output));
    }
    Ok(Outcome::Done)
}

fn show_items(result: &SearchResult, explain: bool, output: &Output) {
    for (rank, hit) in (1..).zip(&result.hits) {
        let place = hit.document.as_deref().map(str::to_owned);
        let place = place.or_else(|| hit.thread.as_ref().map(|thread| format!("thread {thread}")));
        let who = hit.speaker.as_deref().or(hit.role.as_deref()).map(str::to_owned);
        let when = Some(hit.occurred_at.to_string().chars().take(10).collect());
        let space = (result.spaces.len() > 1).then(|| hit.space.clone());
        let about = [space, place, hit.section.clone(), who, when].into_iter().flatten();
        let about: String = about.map(|part| format!(" · {part}")).collect();
        output.line(&format!("{rank:>2}. {:.3}  item {}{about}", hit.score, hit.item_id));
        show_parts(&hit.parts, output);
        if explain {
            show_words(hit, output);
        }
        output.line(&format!("    {}\n", shortened(&hit.text)));
    }
    finish(result.hits.is_empty(), &result.trace, result.timing.total_ms, explain, output);
}

fn show_threads(result: &ThreadSearchResult, explain: bool, output: &Output) {
    for (rank, hit) in (1..).zip(&result.threads) {
        let name = match (&hit.thread, &hit.document) {
            (Some(thread), _) => format!("thread {thread}"),
            (None, Some(document)) => document.clone(),
            (None, None) => format!("item {}", hit.best_item_id),
        };
        let space = if result.spaces.len() > 1 { format!(" · {}", hit.space) } else { String::new() };
        output.line(&format!("{rank:>2}. {:.3}  {name}{space}", hit.score));
        show_parts(&hit.parts, output);
        output.line(&format!("    item {}: {}\n", hit.best_item_id, shortened(&hit.best_text)));
    }
    finish(result.threads.is_empty(), &result.trace, result.timing.total_ms, explain, output);
}

fn show_parts(parts: &Evidence, output: &Output) {
    let named = [
        ("keyword", parts.keyword),
        ("semantic", parts.semantic),
        ("neighbours", parts.neighbours),
        ("thread", parts.thread),
        ("speaker", parts.speaker),
        ("time", parts.period),
    ];
    for (name, value) in named.into_iter().filter(|(_, value)| *value >= 0.0005) {
        output.line(&format!("    {name:<10} {} {value:.3}", bar(value)));
    }
}

fn show_words(hit: &HitView, output: &Output) {
    for word in &hit.words {
        let place = if word.place > 0.0 { format!(", {:.3} by its place", word.place) } else { String::new() };
        output.line(&format!("      {} ({} ×): {:.3}{place}", word.word, word.count, word.own));
    }
}

fn finish(is_empty: bool, trace: &Trace, total_ms: f64, explain: bool, output: &Output) {
    if is_empty {
        output.line("nothing was found");
    }
    let decisions = trace.stages.iter().flat_map(|stage| &stage.decisions);
    for missing in decisions.filter(|decision| decision.reason == "no_such_space") {
        output.hint(&format!("there is no space {}; `recordar space list` shows those there are", missing.subject));
    }
    if explain {
        for stage in &trace.stages {
            output.line(&format!("{}:", stage.name));
            for decision in &stage.decisions {
                let action = format!("{:?}", decision.action).to_lowercase();
                output.line(&format!("  {} {action}: {} {}", decision.subject, decision.reason, decision.detail));
            }
        }
    }
    output.hint(&format!("searched in {total_ms:.1} ms"));
}

/// A bar for a part of 1, in eighths of a character.
fn bar(value: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = ((value.clamp(0.0, 1.0) * (BAR_WIDTH * 8) as f64).round() as usize).max(1);
    let (full, rest) = (eighths / 8, eighths % 8);
    let drawn = full + usize::from(rest > 0);
    format!("{}{}{}", "█".repeat(full), EIGHTHS[rest], "·".repeat(BAR_WIDTH - drawn))
}

/// The text on one line, as much of it as can be taken in at a glance.
fn shortened(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    match line.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_part() {
        assert_eq!(bar(1.0), "█".repeat(24));
        assert_eq!(bar(0.5), format!("{}{}", "█".repeat(12), "·".repeat(12)));
        assert_eq!(bar(0.0001), format!("▏{}", "·".repeat(23)));
    }
}
