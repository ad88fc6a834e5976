//! PACK: a file within a budget. Headings first, then what speaks of what must be known, then the beginnings of paragraphs; what was left out is
//! marked and counted. The same file, need and budget give the same packed form.

use crate::need::Need;
use crate::quote::Cleared;
use crate::stems::Reader;
use recordar_domain::text::TokenCounter;
use std::ops::Range;

/// A file as it is injected.
#[derive(Debug, Clone)]
pub struct InjectedFile {
    pub name: String,
    /// The number of its version, and the first digits of its sha256.
    pub version: String,
    pub text: Cleared,
    /// Whether a part of its text was forgotten.
    pub is_incomplete: bool,
    /// What is shown of it, in order. One part is the whole file.
    pub parts: Vec<Range<usize>>,
    pub lines: usize,
    pub lines_left_out: usize,
    pub tokens: usize,
}

/// The mark of a gap costs about this many tokens.
const GAP_TOKENS: usize = 8;

impl InjectedFile {
    /// The whole file.
    pub fn full(name: String, version: String, text: Cleared, counter: &TokenCounter) -> Self {
        let whole = 0..text.as_str().len();
        let (lines, tokens) = (text.as_str().lines().count(), counter.count(text.as_str()));
        Self { name, version, text, is_incomplete: false, parts: vec![whole], lines, lines_left_out: 0, tokens }
    }

    /// As much of the file as fits into a number of tokens.
    pub fn packed(
        name: String,
        version: String,
        text: Cleared,
        (max_tokens, counter): (usize, &TokenCounter),
        need: &Need,
        reader: &mut Reader,
    ) -> Self {
        let whole = Self::full(name, version, text, counter);
        if whole.tokens <= max_tokens {
            return whole;
        }
        let text = whole.text.as_str();
        let blocks = blocks(text);
        let mut order: Vec<(f64, usize)> = Vec::with_capacity(blocks.len());
        for (number, block) in blocks.iter().enumerate() {
            let body = &text[block.clone()];
            let worth = match is_heading(body) {
                true => 2.0,
                false => need.support(body, reader),
            };
            order.push((worth, number));
        }
        order.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
        let (mut kept, mut used) = (vec![false; blocks.len()], GAP_TOKENS);
        for (_, number) in order {
            let cost = counter.count(&text[blocks[number].clone()]) + GAP_TOKENS;
            if used + cost <= max_tokens {
                used += cost;
                kept[number] = true;
            }
        }
        let mut parts: Vec<Range<usize>> = Vec::new();
        for (number, block) in blocks.iter().enumerate().filter(|(number, _)| kept[*number]) {
            match parts.last_mut() {
                Some(last) if number > 0 && kept[number - 1] => last.end = block.end,
                _ => parts.push(block.clone()),
            }
        }
        let shown: usize = parts.iter().map(|part| text[part.clone()].lines().count()).sum();
        let lines_left_out = whole.lines.saturating_sub(shown);
        Self { lines_left_out, tokens: used, parts, ..whole }
    }

    pub fn is_whole(&self) -> bool {
        matches!(&self.parts[..], [part] if *part == (0..self.text.as_str().len()))
    }
}

/// Paragraphs and headings, each with its line break.
fn blocks(text: &str) -> Vec<Range<usize>> {
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let (mut at, mut is_open) = (0, false);
    for line in text.split_inclusive('\n') {
        let span = at..at + line.len();
        at = span.end;
        if line.trim().is_empty() {
            is_open = false;
        } else if is_open && !is_heading(line) {
            if let Some(last) = blocks.last_mut() {
                last.end = span.end;
            }
        } else {
            is_open = !is_heading(line);
            blocks.push(span);
        }
    }
    blocks
}

fn is_heading(block: &str) -> bool {
    let block = block.trim_end();
    block.starts_with('#') && !block.contains('\n')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexicon::Lexicon;
    use recordar_domain::text::Language;

    fn packed(text: &str, tokens: usize, asked: &str) -> InjectedFile {
        let mut reader = Reader::new(Language::ENGLISH);
        let need = Need::read(asked, &Lexicon::default(), &mut reader, |_| 1.0);
        let counter = TokenCounter::for_model("gpt-4o");
        let text = Cleared::by_guard(text.into(), Vec::new());
        InjectedFile::packed("a.md".into(), "1".into(), text, (tokens, &counter), &need, &mut reader)
    }

    #[test]
    fn b7_a_packed_file_has_its_headings_and_what_is_asked_for_and_says_what_is_missing() {
        let filler = "Nothing of interest is said in this paragraph, which goes on for a while.\n\n".repeat(20);
        let text = format!("# One\n\n{filler}# Two\n\nThe pump runs\nat 3 bar.\n\n{filler}");
        let file = packed(&text, 120, "pump bar");
        let shown: String = file.parts.iter().map(|part| &text[part.clone()]).collect();
        assert!(shown.contains("# One") && shown.contains("# Two") && shown.contains("The pump runs\nat 3 bar."));
        assert!(!file.is_whole() && file.lines_left_out > 0 && file.tokens <= 120);
        let again = packed(&text, 120, "pump bar");
        assert_eq!(file.parts, again.parts);
        assert!(packed("short", 120, "x").is_whole());
        assert!(packed(&text, 0, "x").parts.is_empty());
    }
}
