//! Signals that are in the letters themselves and not in the words: what is invisible, what only looks like Latin, and chat templates.

use crate::normal::{Letter, Normal};
use crate::signals::Signals;
use crate::word::Word;

/// Positions of letters at which something was hidden, and the signal it gives.
pub(crate) fn hidden_signals(normal: &Normal, words: &[Word]) -> impl Iterator<Item = (usize, &'static str)> {
    let mixed = words.iter().filter(|word| normal.letters.get(word.letters.clone()).is_some_and(mixes_alphabets));
    normal.marks.iter().copied().chain(mixed.map(|word| (word.letters.start, "mixed_alphabets")))
}

/// Positions of letters at which a literal string of the signals begins.
pub(crate) fn literals(normal: &Normal, signals: &Signals) -> impl Iterator<Item = (usize, &'static str)> {
    let folded: String = normal.letters.iter().map(|letter| letter.folded).collect();
    signals.literals.iter().flat_map(move |&(name, literal)| {
        let (mut position, mut counted) = (0, 0);
        let mut found = Vec::new();
        for (byte, _) in folded.match_indices(literal) {
            position += folded.get(counted..byte).map_or(0, |between| between.chars().count());
            counted = byte;
            if is_whole(literal, &folded[byte + literal.len()..]) {
                found.push((position, name));
            }
        }
        found
    })
}

/// "### System:" opens a part of a template, and "### Systemd journal" or "### System requirements" a section of a page.
fn is_whole(literal: &str, behind: &str) -> bool {
    !literal.ends_with(char::is_alphabetic)
        || behind.trim_start_matches([' ', '\t']).starts_with([':', '\n', '\r'])
        || behind.trim().is_empty()
}

/// Whether Cyrillic look-alikes stand among Latin letters, as no language writes them.
fn mixes_alphabets(letters: &[Letter]) -> bool {
    letters.iter().any(|letter| letter.is_cyrillic)
        && letters.iter().any(|letter| letter.folded.is_ascii_alphabetic() && !letter.is_cyrillic)
}
