//! A word of a text, and where it stands.

use std::ops::Range;

/// Words that stand for a sign or an address. No real word looks like them.
pub(crate) const QUOTE: &str = "\"";
pub(crate) const COLON: &str = ":";
pub(crate) const LINK: &str = "<link>";

#[derive(Clone)]
pub(crate) struct Word {
    pub(crate) text: String,
    /// Its number among the words of the signals.
    pub(crate) number: u32,
    /// Positions in the normalised letters.
    pub(crate) letters: Range<usize>,
    /// Ends at every line break.
    pub(crate) sentence: usize,
    /// Goes on over single line breaks, so that a wrapped line hides nothing.
    pub(crate) block: usize,
    /// An order may begin here.
    pub(crate) opens: bool,
    /// The sentence itself begins here, not a part after a colon and not an item of a list.
    pub(crate) leads: bool,
    pub(crate) is_capital: bool,
    /// The full stop, question mark or the like that follows.
    pub(crate) closing: Option<char>,
}

impl Word {
    /// Whether the word stands one sign after another one.
    pub(crate) fn is_next_to(&self, before: &Word) -> bool {
        self.letters.start == before.letters.end + 1
    }

    pub(crate) fn is_single_letter(&self) -> bool {
        let mut letters = self.text.chars();
        letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none()
    }
}

/// Letters and digits: what words consist of.
pub(crate) fn is_word_letter(letter: char) -> bool {
    letter.is_alphabetic() || letter.is_ascii_digit()
}
