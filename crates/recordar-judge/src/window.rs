//! Which part of a long passage is judged: the window that shares most words with the question.

use crate::wordpiece::Token;
use std::collections::BTreeSet;
use std::ops::Range;

/// The tokens of a question that are read.
pub const QUESTION_TOKENS: usize = 64;
/// The tokens of a passage that are read.
pub const PASSAGE_TOKENS: usize = 190;
/// How far into a passage windows are looked for.
pub(crate) const MAX_PASSAGE_TOKENS: usize = 1 << 14;
/// Neighbouring windows share this part of their tokens, so that what stands at the edge of one is well inside the other.
const OVERLAP: usize = 4;

/// The tokens of the passage that are judged: at most `limit`. Of equal windows the first.
pub(crate) fn best(question: &[Token], passage: &[Token], text: &str, limit: usize) -> Range<usize> {
    if passage.len() <= limit {
        return 0..passage.len();
    }
    let asked: BTreeSet<u32> = question.iter().map(|token| token.id).collect();
    let shared = |window: &Range<usize>| {
        let ids = passage[window.clone()].iter().filter(|token| is_word(token, text)).map(|token| token.id);
        ids.filter(|id| asked.contains(id)).collect::<BTreeSet<u32>>().len()
    };
    let mut best = (0, 0..limit);
    for (number, window) in windows(passage, text, limit).into_iter().enumerate() {
        let count = shared(&window);
        if number == 0 || count > best.0 {
            best = (count, window);
        }
    }
    best.1
}

/// Overlapping windows over all tokens. They begin and end at sentences where these are not too far away.
fn windows(tokens: &[Token], text: &str, limit: usize) -> Vec<Range<usize>> {
    let begins_sentence: Vec<bool> = (0..tokens.len()).map(|at| begins_sentence(tokens, text, at)).collect();
    // The last begin of a sentence within a range.
    let sentence_in = |range: Range<usize>| range.rev().find(|at| begins_sentence.get(*at).copied().unwrap_or(false));
    let mut windows = Vec::new();
    let mut start = 0;
    loop {
        let full = start + limit;
        if full >= tokens.len() {
            windows.push(start..tokens.len());
            return windows;
        }
        let end = sentence_in(full - limit / OVERLAP..full + 1).unwrap_or(full);
        windows.push(start..end);
        let latest = end - limit / OVERLAP;
        start = sentence_in(latest.saturating_sub(limit / OVERLAP).max(start + 1)..latest + 1).unwrap_or(latest);
    }
}

fn begins_sentence(tokens: &[Token], text: &str, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return true };
    let gap = &text[tokens[before].bytes.end..tokens[at].bytes.start.max(tokens[before].bytes.end)];
    let ended = text[tokens[before].bytes.clone()].ends_with(['.', '!', '?', '。', '！', '？']);
    gap.contains('\n') || (ended && (!gap.is_empty() || !text[tokens[before].bytes.clone()].is_ascii()))
}

fn is_word(token: &Token, text: &str) -> bool {
    text[token.bytes.clone()].contains(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A token for each word, and for each full stop.
    fn tokens(text: &str) -> Vec<Token> {
        let mut tokens = Vec::new();
        let mut start = None;
        for (at, character) in text.char_indices().chain([(text.len(), ' ')]) {
            if !character.is_alphanumeric() {
                if let Some(start) = start.take() {
                    let word: &str = &text[start..at];
                    let id = word.bytes().fold(7_u32, |id, byte| id.wrapping_mul(31).wrapping_add(byte.into()));
                    tokens.push(Token { id, bytes: start..at });
                }
                if character == '.' {
                    tokens.push(Token { id: 1, bytes: at..at + 1 });
                }
            } else if start.is_none() {
                start = Some(at);
            }
        }
        tokens
    }

    fn chosen<'a>(question: &str, passage: &'a str, limit: usize) -> &'a str {
        let passage_tokens = tokens(passage);
        let window = best(&tokens(question), &passage_tokens, passage, limit);
        assert!(window.len() <= limit);
        let (first, last) = (&passage_tokens[window.start], &passage_tokens[window.end - 1]);
        &passage[first.bytes.start..last.bytes.end]
    }

    #[test]
    fn i22_a_short_passage_is_read_whole_and_of_a_long_one_the_window_that_matches() {
        assert_eq!(chosen("where", "Here it is.", 40), "Here it is.");
        let filler = "It was long ago. ".repeat(30);
        let passage = format!("{filler}The violin was made in Cremona. {filler}");
        let window = chosen("where was the violin made", &passage, 40);
        assert!(
            window.contains("The violin was made in Cremona.") && window.starts_with("It was long ago."),
            "{window}"
        );
        assert!(chosen("nothing", &passage, 40).starts_with("It was"), "a tie goes to the first");
    }

    #[test]
    fn i22_windows_cover_every_token_whatever_the_text() {
        for text in ["word ".repeat(500), "One. ".repeat(300), "a b. c\nd e f. ".repeat(77), ".".repeat(400)] {
            let tokens = tokens(&text);
            for limit in [8, 40, 190] {
                let windows = windows(&tokens, &text, limit);
                assert_eq!((windows[0].start, windows[windows.len() - 1].end), (0, tokens.len()));
                assert!(windows.iter().all(|window| !window.is_empty() && window.len() <= limit));
                assert!(windows.windows(2).all(|two| two[1].start <= two[0].end && two[1].start > two[0].start));
                assert!(windows.len() <= 4 * tokens.len() / limit + 2, "{} {}", windows.len(), tokens.len());
            }
        }
    }
}
