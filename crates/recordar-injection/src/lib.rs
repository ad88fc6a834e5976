//! Finds the sentences of stored text that are instructions to a language model, so that a caller can quote and mark them.
//!
//! Rules, not a model: words are compared with the patterns of `signals.txt`, the weights of the signals in a sentence are added up,
//! and the sentence is reported from a score of 4. The same text gives the same answer, offline. A pattern looks only a bounded
//! number of words ahead. The rules miss attacks and flag innocent sentences (docs/benchmarks.md says how often), so what is found
//! should be marked and never deleted.
//!
//! Nothing here changes the text, reads a file, or knows where the text came from.

mod code;
mod disguise;
mod encoded;
mod evidence;
mod foreign;
mod hidden;
mod instruction;
mod matching;
mod normal;
mod signal_file;
mod signals;
mod splitter;
#[cfg(test)]
mod tests;
mod word;
mod words;

pub use instruction::Instruction;

use evidence::Evidence;
use normal::Normal;

/// The sentences of a text that are instructions to the model, in order.
pub fn instructions(text: &str) -> Vec<Instruction> {
    let signals = signal_file::built_in();
    let normal = Normal::of(text);
    let words = words::read(&normal, signals);
    let mut evidence = Evidence::of(&words);
    for found in foreign::keep_foreign(matching::plain_matches(&words, signals), text, (&words, signals)) {
        evidence.add_match(&found);
    }
    for found in disguise::disguised_matches(&words, signals) {
        evidence.add_match(&found);
    }
    for (letter, name) in hidden::hidden_signals(&normal, &words).chain(hidden::literals(&normal, signals)) {
        evidence.add_at_letter(letter, name);
    }
    for byte in encoded::encoded_instructions(text, signals) {
        evidence.add_from_byte(byte, &normal, encoded::SIGNAL);
    }
    let mut found = evidence.instructions(&normal, signals);
    code::keep_no_code(&mut found, text);
    found
}
