//! Readings that undo a disguise: ROT13, digits for letters, and text written backwards. Only signals that hardly occur by chance are
//! looked for in them.

use crate::matching::{Match, ReadWord, find_matches};
use crate::signals::{Condition, Signal, Signals};
use crate::word::Word;

pub(crate) fn disguised_matches(words: &[Word], signals: &Signals) -> Vec<Match> {
    let mut matches = find_matches(&read(words, |word| signals.number_in_rot13(word)), signals, is_disguised);
    if words.iter().any(|word| has_digit_for_letter(&word.text)) {
        let reading = read(words, |word| signals.number(&undo_digits(word)));
        matches.extend(find_matches(&reading, signals, is_disguised));
    }
    matches.extend(backward_matches(words, signals));
    matches
}

fn backward_matches(words: &[Word], signals: &Signals) -> impl Iterator<Item = Match> {
    let mut reading = read(words, |word| signals.number_reversed(word));
    reading.reverse();
    let mirror = |position: usize| words.len().saturating_sub(1 + position);
    let found = find_matches(&reading, signals, is_disguised).into_iter();
    found.map(move |found| Match { first: mirror(found.last), last: mirror(found.first), ..found })
}

fn read(words: &[Word], number: impl Fn(&str) -> u32) -> Vec<ReadWord> {
    words.iter().map(|word| ReadWord::new(word, number(&word.text))).collect()
}

fn is_disguised(signal: &Signal) -> bool {
    signal.condition == Condition::Disguised
}

fn has_digit_for_letter(text: &str) -> bool {
    text.chars().any(|c| letter_for_digit(c).is_some()) && text.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Numbers stay numbers: only words that also have letters are read so.
fn undo_digits(text: &str) -> String {
    let undo = has_digit_for_letter(text);
    text.chars().map(|c| letter_for_digit(c).filter(|_| undo).unwrap_or(c)).collect()
}

fn letter_for_digit(digit: char) -> Option<char> {
    Some(match digit {
        '0' => 'o',
        '1' => 'i',
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '7' => 't',
        _ => return None,
    })
}
