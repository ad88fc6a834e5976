//! Filling the budget: each passage begins with the sentences that match best; then, the best passages first, they grow around these while the
//! context has room, up to their whole texts.
//!
//! Growth is planned with the tokens of single sentences, which is cheap, and then held against what the whole context really has.

use super::excerpt::{Excerpts, front_matter_end, heading_end, is_heading, link_definitions_start};
use super::meaning::Meaning;
use crate::guard::SafePassage;
use crate::noun::passage::Span;
use recordar_compose::{Growing, Step, grow};
use recordar_domain::text::{Language, Terms, TokenCounter, sentence_ends};
use recordar_domain::{Action, Invalid, ItemKind, Stage};
use std::ops::Range;

/// Each line of a text but the first is marked, which costs about so much.
pub(super) const LINE_TOKENS: usize = 3;
/// Texts with more bytes for each token of the budget do not fit into it.
const MOST_BYTES_PER_TOKEN: usize = 8;
/// How often what is really left is planned again.
const MAX_ROUNDS: usize = 2;
/// How many lines back the line is looked for that announces a list, a table or code.
const MAX_ANNOUNCED_LINES: usize = 12;

/// What a context may have.
pub struct Room<'a> {
    /// The least that is shown of each passage.
    pub sentences: usize,
    pub max_tokens: usize,
    pub counter: &'a TokenCounter,
    pub language: Language,
}

pub fn fill(
    mut passages: Vec<SafePassage>,
    room: &Room<'_>,
    meaning: &mut Meaning,
    measure: impl Fn(&[SafePassage]) -> Result<usize, Invalid>,
) -> Result<(Vec<SafePassage>, Stage), Invalid> {
    let mut stage = Stage::new("clip");
    // What was cut before it came here ends with an ellipsis, whole or not.
    let cut: Vec<bool> = passages.iter().map(|passage| passage.span.is_cut).collect();
    let set = |passages: &mut [SafePassage], at: usize, shown: Range<usize>| {
        show(&mut passages[at], &shown, cut[at]);
        passages[at].tokens = room.counter.count(&passages[at].content());
    };
    let bytes: usize = passages.iter().map(|passage| passage.item.text.len()).sum();
    if bytes <= room.max_tokens * MOST_BYTES_PER_TOKEN {
        for at in 0..passages.len() {
            let all = whole(&passages[at]);
            set(&mut passages, at, all);
        }
        if measure(&passages)? <= room.max_tokens {
            return Ok((passages, stage));
        }
    }
    let mut terms = Terms::new(room.language);
    let sentences: Vec<Sentences> =
        passages.iter().map(|passage| Sentences::of(passage, room, (&mut terms, meaning))).collect();
    for (at, own) in sentences.iter().enumerate() {
        set(&mut passages, at, own.bytes(&own.first));
    }
    let mut growing: Vec<Growing> =
        sentences.iter().map(|own| Growing::new(own.first.clone(), own.ranges.len())).collect();
    if let Some(mut left) = room.max_tokens.checked_sub(measure(&passages)?) {
        let mut order: Vec<usize> = (0..passages.len()).collect();
        order.sort_by(|one, other| passages[*other].score.total_cmp(&passages[*one].score).then(one.cmp(other)));
        for _ in 0..MAX_ROUNDS {
            let cost = |at: usize, sentence: usize| {
                let text = &passages[at].item.text[sentences[at].ranges[sentence].clone()];
                room.counter.count(text) + LINE_TOKENS * (1 + text.matches('\n').count())
            };
            let mut steps = grow(&mut growing, &order, left, cost);
            if steps.is_empty() {
                break;
            }
            (0..passages.len()).for_each(|at| set(&mut passages, at, sentences[at].bytes(&growing[at].shown)));
            // Planned by sentences, it may be a little too much: the last steps are taken back.
            let mut used = measure(&passages)?;
            while used > room.max_tokens && !steps.is_empty() {
                let mut over = used - room.max_tokens;
                while over > 0
                    && let Some(Step { at, sentence, tokens }) = steps.pop()
                {
                    growing[at].take_back(sentence);
                    set(&mut passages, at, sentences[at].bytes(&growing[at].shown));
                    over = over.saturating_sub(tokens);
                }
                used = measure(&passages)?;
            }
            // Or too little, since sentences together have fewer tokens than each alone.
            left = room.max_tokens.saturating_sub(used);
        }
    }
    for ((passage, own), growing) in passages.iter().zip(&sentences).zip(&growing) {
        let (all, shown) = (whole(passage), own.bytes(&growing.shown));
        if shown != all {
            let (kept, of, bytes) = (growing.shown.len(), own.ranges.len(), (shown.len(), all.len()));
            let detail = format!("{} of {} bytes: {kept} of {of} sentences, around the best match", bytes.0, bytes.1);
            stage.decide(passage.name(), Action::Changed, "max_tokens", detail);
        }
    }
    Ok((passages, stage))
}

/// The sentences of a text that may be shown, and which of them are shown at first: those that match best.
struct Sentences {
    ranges: Vec<Range<usize>>,
    first: Range<usize>,
}

impl Sentences {
    fn of(passage: &SafePassage, room: &Room<'_>, (terms, meaning): (&mut Terms, &mut Meaning)) -> Self {
        let text = passage.item.text.as_str();
        let mut excerpts = Excerpts::new(&passage.words, terms).with_meaning(meaning);
        // What redaction changed is no longer where the fact was found.
        let states = passage.states.filter(|_| !passage.is_redacted()).map(|(start, end)| start..end);
        let best = states.filter(|span| text.get(span.clone()).is_some_and(|said| !said.is_empty()));
        let best = best.unwrap_or_else(|| excerpts.best(text, &passage.item.sections, room.sentences));
        let tells = telling(passage, &best);
        let (mut ranges, mut start) = (Vec::new(), tells.start);
        for end in sentence_ends(&text[tells.clone()]).map(|end| tells.start + end) {
            let sentence = &text[start..end];
            ranges.push(start + sentence.len() - sentence.trim_start().len()..end);
            start = end;
        }
        // A summary in the place of messages says what several of them say, and is shorter than they are.
        let first = if passage.stands_for > 0 {
            0..ranges.len()
        } else {
            let start = if passage.item.kind == ItemKind::Chunk { announced(text, best.start) } else { best.start };
            let first = ranges.partition_point(|sentence| sentence.end <= start);
            let behind = ranges.partition_point(|sentence| sentence.start < best.end);
            let least = if passage.states.is_some() { room.sentences.max(1) } else { 1 };
            first..behind.max((first + least).min(ranges.len()))
        };
        Self { ranges, first }
    }

    /// The bytes of some of them, and of what is between them.
    fn bytes(&self, shown: &Range<usize>) -> Range<usize> {
        match &self.ranges[shown.clone()] {
            [] => 0..0,
            [only] => only.clone(),
            [first, .., last] => first.start..last.end,
        }
    }
}

/// What an excerpt may grow into. Of a page, nothing above the heading of what matches best, which it is cited with, and neither the front matter nor
/// the definitions of links, unless they match best.
fn telling(passage: &SafePassage, best: &Range<usize>) -> Range<usize> {
    let (text, all) = (passage.item.text.as_str(), whole(passage));
    if passage.item.kind != ItemKind::Chunk {
        return all;
    }
    let links = link_definitions_start(text).min(all.end);
    let headings = passage.item.sections.iter().map(|section| section.at).take_while(|at| *at <= best.start);
    let heading = headings.filter(|at| is_heading(text, *at)).last();
    // Nothing stands below some headings: these match themselves.
    let below = heading.map_or(0, |at| heading_end(text, at).min(best.start.max(at)));
    let start = [below, front_matter_end(text)].into_iter().filter(|at| *at <= best.start).fold(all.start, usize::max);
    let end = if best.end <= links && start < links { links } else { all.end };
    start..end
}

/// All of a text, without the space around it.
fn whole(passage: &SafePassage) -> Range<usize> {
    let text = passage.item.text.as_str();
    let start = text.len() - text.trim_start().len();
    start..text.trim_end().len().max(start)
}

/// Shows a part of a text, marked as cut where it is.
fn show(passage: &mut SafePassage, kept: &Range<usize>, is_cut: bool) {
    let all = whole(passage);
    let (is_late, is_cut) = (kept.start > all.start, is_cut || kept.end < all.end);
    passage.show(Span { start: kept.start, end: kept.end, is_late, is_cut });
}

/// Where the line begins that announces the list, the table or the code in which a place is; the place itself if none does.
fn announced(text: &str, place: usize) -> usize {
    let line_start = |at: usize| text[..at].rfind('\n').map_or(0, |end| end + 1);
    let mut start = line_start(place);
    let mut line = text[start..].lines().next().unwrap_or_default();
    if !is_entry(line) {
        return place;
    }
    for _ in 0..MAX_ANNOUNCED_LINES {
        let Some(end) = start.checked_sub(1) else { break };
        let above = line_start(end);
        let before = text[above..end].trim_end();
        if before.is_empty() {
            start = above;
            continue;
        }
        // A table's header stands above all its rows.
        if line.trim_start().starts_with('|') && !before.trim_start().starts_with('|') {
            return start;
        }
        if before.ends_with(':') {
            return above;
        }
        if before.starts_with('#') || !is_entry(before) {
            break;
        }
        (start, line) = (above, before);
    }
    place
}

/// A line of a list, a table or code.
fn is_entry(line: &str) -> bool {
    let trimmed = line.trim_start();
    let is_numbered = trimmed.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['.', ')']);
    let is_marked = trimmed.starts_with(['|', '-', '*', '+', '`', '$']);
    is_marked
        || line.starts_with("    ")
        || line.starts_with('\t')
        || (is_numbered && trimmed.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::safe;
    use crate::noun::passage::Passage;
    use crate::noun::passage::tests::passage;

    fn chunk(id: i64, text: &str, words: &[(&str, f64)], score: f64) -> Passage {
        let mut chunk = passage(id, text);
        chunk.item.kind = ItemKind::Chunk;
        chunk.words = words.iter().map(|(word, worth)| ((*word).to_owned(), *worth)).collect();
        chunk.score = score;
        chunk
    }

    fn filled(passages: Vec<Passage>, sentences: usize, max_tokens: usize) -> (Vec<String>, Stage) {
        let counter = TokenCounter::for_model("gpt-4o-mini");
        let language = Language::parse("english").unwrap();
        let room = Room { sentences, max_tokens, counter: &counter, language };
        let (passages, stage) =
            fill(safe(passages), &room, &mut Meaning::of([].into_iter()), super::super::of_memories).unwrap();
        let contents: Vec<String> = passages.iter().map(SafePassage::content).collect();
        (contents, stage)
    }

    const LAMP: &str =
        "# Lamp\n\nIt is lit at dusk. The lens is cleaned with a cloth. Gift cards keep their value. The end.";

    #[test]
    fn e5_the_sentences_that_match_best_are_the_least_that_is_shown() {
        let check = |text: &str, words: &[(&str, f64)], sentences, expected: &str| {
            assert_eq!(filled(vec![chunk(1, text, words, 0.5)], sentences, 1).0[0], expected, "{text:?}");
        };
        check(LAMP, &[("gift", 0.2), ("card", 0.3)], 1, "...Gift cards keep their value....");
        check(LAMP, &[("gift", 0.2), ("end", 0.1)], 2, "...Gift cards keep their value. The end.");
        check(LAMP, &[("len", 0.2)], 2, "...The lens is cleaned with a cloth. Gift cards keep their value....");
        check(LAMP, &[("absent", 0.2), ("gift", 0.0)], 2, "# Lamp\n\nIt is lit at dusk....");
        check("  One.  ", &[("one", 1.0)], 2, "One.");
        check("", &[("one", 1.0)], 2, "");
        let mut message =
            chunk(1, "Hello there. How are you? The cellar key is under the mat. Bye.", &[("key", 0.4)], 0.5);
        message.item.kind = ItemKind::Message;
        let shown = filled(vec![message], 1, 1).0;
        assert_eq!(shown, ["...The cellar key is under the mat...."], "of a message, too");
        let mut message = chunk(1, "The key is here. Oh, and Mia lives in Graz now. Bye.", &[("key", 0.4)], 0.5);
        (message.item.kind, message.states) = (ItemKind::Message, Some((25, 43)));
        assert_eq!(filled(vec![message], 1, 1).0, ["...Oh, and Mia lives in Graz now...."], "the fact that it states");
    }

    #[test]
    fn i42_the_best_passages_grow_while_there_is_room() {
        let long: String = (0..40).map(|number| format!("Sentence {number} says little. ")).collect();
        let passages = || vec![chunk(1, &long, &[("39", 0.2)], 0.4), chunk(2, LAMP, &[("gift", 0.2)], 0.9)];
        let (contents, stage) = filled(passages(), 1, 10_000);
        assert_eq!((contents[0].as_str(), contents[1].as_str()), (long.trim(), LAMP), "all of them fit");
        assert!(stage.decisions.is_empty());
        let (contents, stage) = filled(passages(), 1, 70);
        assert_eq!(contents[1], LAMP, "the better one first");
        assert!(contents[0].starts_with("...Sentence 3") && contents[0].ends_with("Sentence 39 says little."));
        let cut: Vec<&str> = stage.decisions.iter().map(|decision| decision.reason.as_str()).collect();
        assert_eq!(cut, ["max_tokens"]);
        let counter = TokenCounter::for_model("gpt-4o-mini");
        for max_tokens in 20..200 {
            let total: usize = filled(passages(), 1, max_tokens).0.iter().map(|content| counter.count(content)).sum();
            assert!(total <= max_tokens, "{total} of {max_tokens}");
        }
    }

    #[test]
    fn i42_a_list_a_table_and_code_keep_what_announces_them() {
        let check = |text: &str, word: &str, expected: &str| {
            assert_eq!(filled(vec![chunk(1, text, &[(word, 0.2)], 0.5)], 1, 1).0[0], expected);
        };
        let list = "Intro text here.\n\nBring these tools:\n\n- a wrench\n- a lamp\n- a rope\n\nThen go home.";
        check(list, "rope", "...Bring these tools:\n\n- a wrench\n- a lamp\n- a rope...");
        let code = "Some words.\n\nTo stop it, run:\n\n    recordar stop --all\n\nAfterwards it is quiet.";
        check(code, "stop", "...To stop it, run:\n\n    recordar stop --all...");
        check("It says so. The rope is red. More.", "rope", "...The rope is red....");
    }

    #[test]
    fn i42_an_excerpt_does_not_grow_into_front_matter_or_link_definitions() {
        let front = "---\ntitle: Lamp\nreviewers: nobody in particular, and then again everybody who lives here\n---";
        let page = format!("{front}\n\n{LAMP}\n\n[lens]: https://lens.example/a/b/c/d/e/f/g/h\n");
        let other = "word ".repeat(600);
        let passages = vec![chunk(1, &page, &[("gift", 0.2)], 0.9), chunk(2, &other, &[], 0.1)];
        assert_eq!(filled(passages, 1, 645).0[0], format!("...{LAMP}..."));
    }
}
