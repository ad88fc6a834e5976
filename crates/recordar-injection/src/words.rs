//! The words of a text, each with its sentence and with whether an order may begin there.

use crate::normal::Normal;
use crate::signals::Signals;
use crate::splitter::Splitter;
use crate::word::{COLON, QUOTE, Word, is_word_letter};
use std::iter;

/// At least this many single letters in a row are a word that was spelled out; fewer are initials.
const SPELLED_LETTERS_MIN: usize = 3;

pub(crate) fn read(normal: &Normal, signals: &Signals) -> Vec<Word> {
    let mut words = join_spelled(&Splitter::new(normal).split());
    for word in &mut words {
        word.number = signals.number(&word.text);
    }
    open_joined_sentences(&mut words);
    open_after_lead_ins(&mut words, signals);
    words
}

/// Reads `i g n o r e` as one word.
fn join_spelled(words: &[Word]) -> Vec<Word> {
    let is_spelled =
        |before: &Word, word: &Word| before.is_single_letter() && word.is_single_letter() && word.is_next_to(before);
    let mut joined = Vec::with_capacity(words.len());
    for run in words.chunk_by(is_spelled) {
        match run {
            [first, .., last] if run.len() >= SPELLED_LETTERS_MIN => {
                let text = run.iter().map(|word| word.text.as_str()).collect();
                let letters = first.letters.start..last.letters.end;
                joined.push(Word { text, letters, closing: last.closing, ..first.clone() });
            }
            _ => joined.extend_from_slice(run),
        }
    }
    joined
}

/// A capital in the middle of a sentence may begin another one that was joined without a full stop, as where texts were cut off.
fn open_joined_sentences(words: &mut [Word]) {
    let inner = words.windows(3).map(|window| match window {
        [before, word, following] => begins_joined_sentence(before, word, following),
        _ => false,
    });
    let begins: Vec<bool> = iter::once(false).chain(inner).collect();
    for (word, _) in words.iter_mut().zip(begins).filter(|(_, begins)| *begins) {
        word.leads = true;
        word.opens = true;
    }
}

fn begins_joined_sentence(before: &Word, word: &Word, following: &Word) -> bool {
    let in_one_sentence = before.sentence == word.sentence && following.sentence == word.sentence;
    let goes_on = !following.is_capital && following.text.starts_with(is_word_letter);
    word.is_capital
        && word.letters.len() > 1
        && in_one_sentence
        && goes_on
        && before.text != QUOTE
        && before.text != COLON
}

/// Lead-in words such as "please" leave the opening to the word after them.
fn open_after_lead_ins(words: &mut [Word], signals: &Signals) {
    let mut lead_in: Option<(usize, bool)> = None;
    for word in words {
        if let Some((_, leads)) = lead_in.filter(|(sentence, _)| *sentence == word.sentence) {
            word.leads = leads;
            word.opens = true;
        }
        let is_lead_in = word.opens && signals.has_class(word.number, "lead");
        lead_in = is_lead_in.then_some((word.sentence, word.leads));
    }
}
