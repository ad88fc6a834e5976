//! Cuts letters into words, and counts sentences and blocks on the way.

use crate::normal::{Letter, Normal};
use crate::word::{COLON, LINK, QUOTE, Word, is_word_letter};
use std::ops::Range;

/// The domains that make an address of a name without `http` or `www` before it.
const TOP_LEVEL_DOMAINS: [&str; 16] =
    ["com", "net", "org", "io", "xyz", "info", "biz", "co", "ru", "cn", "ai", "app", "dev", "site", "online", "top"];

pub(crate) struct Splitter<'a> {
    letters: &'a [Letter],
    words: Vec<Word>,
    sentence: usize,
    block: usize,
    opens: bool,
    is_first: bool,
}

impl<'a> Splitter<'a> {
    pub(crate) fn new(normal: &'a Normal) -> Self {
        Self { letters: &normal.letters, words: Vec::new(), sentence: 0, block: 0, opens: true, is_first: true }
    }

    pub(crate) fn split(mut self) -> Vec<Word> {
        let mut position = 0;
        while position < self.letters.len() {
            position = self.step(position);
        }
        self.words
    }

    /// Reads what is at a position, and returns the position after it.
    fn step(&mut self, position: usize) -> usize {
        match self.at(position) {
            letter if is_word_letter(letter) => return self.word(position),
            '\n' => return self.line_break(position),
            '"' => self.add(QUOTE, position..position + 1),
            '\'' if !is_word_letter(self.before(position)) && is_word_letter(self.at(position + 1)) => {
                self.add(QUOTE, position..position + 1);
            }
            ':' => self.add(COLON, position..position + 1),
            '|' => self.break_block(),
            closing @ ('.' | '!' | '?') if self.ends_sentence(position + 1) => {
                if let Some(word) = self.words.last_mut() {
                    word.closing = Some(closing);
                }
                self.break_block();
            }
            _ => {}
        }
        position + 1
    }

    /// The letter at a position. Outside the text there are line breaks.
    fn at(&self, position: usize) -> char {
        self.letters.get(position).map_or('\n', |letter| letter.folded)
    }

    fn before(&self, position: usize) -> char {
        position.checked_sub(1).map_or('\n', |before| self.at(before))
    }

    /// A full stop inside quotation marks does not end the sentence around them if that goes on in small letters.
    fn ends_sentence(&self, position: usize) -> bool {
        if !matches!(self.at(position), '"' | '\'') {
            return is_space(self.at(position)) || matches!(self.at(position), ')' | ']');
        }
        let mut following = position + 1;
        while self.at(following) == ' ' {
            following += 1;
        }
        self.letters.get(following).is_none_or(|letter| !is_word_letter(letter.folded) || letter.is_capital)
    }

    /// One line break may only wrap a line; an empty line ends a block.
    fn line_break(&mut self, position: usize) -> usize {
        let (mut end, mut line_breaks) = (position, 0);
        while let Some(letter) = self.letters.get(end).filter(|letter| is_space(letter.folded)) {
            line_breaks += usize::from(letter.folded == '\n');
            end += 1;
        }
        if line_breaks > 1 {
            self.break_block();
        } else {
            self.break_sentence();
        }
        end
    }

    fn break_block(&mut self) {
        self.block += 1;
        self.break_sentence();
    }

    fn break_sentence(&mut self) {
        self.sentence += 1;
        self.opens = true;
        self.is_first = true;
    }

    fn word(&mut self, start: usize) -> usize {
        let mut end = start;
        while is_word_letter(self.at(end)) || (self.at(end) == '\'' && is_word_letter(self.at(end + 1))) {
            end += 1;
        }
        let text: String =
            self.letters.get(start..end).unwrap_or_default().iter().map(|letter| letter.folded).collect();
        if self.is_link(&text, end) {
            end = self.link_end(end);
            self.add(LINK, start..end);
        } else {
            self.add(&text, start..end);
        }
        end
    }

    /// Whether a web or mail address begins with this word.
    fn is_link(&self, text: &str, end: usize) -> bool {
        let follows =
            |expected: &str| expected.chars().zip(end..).all(|(letter, position)| self.at(position) == letter);
        (matches!(text, "http" | "https") && follows("://"))
            || (text == "www" && follows("."))
            || (follows("@") && is_word_letter(self.at(end + 1)))
            || (follows(".") && self.is_top_level_domain(end + 1))
    }

    fn is_top_level_domain(&self, start: usize) -> bool {
        let letters = self.letters.get(start..).unwrap_or_default().iter().map(|letter| letter.folded);
        let name: String = letters.take_while(char::is_ascii_alphanumeric).collect();
        TOP_LEVEL_DOMAINS.contains(&name.as_str())
    }

    /// The end of an address, without the punctuation of the sentence around it.
    fn link_end(&self, mut end: usize) -> usize {
        while end < self.letters.len() && !is_space(self.at(end)) && !"\"'<>)|".contains(self.at(end)) {
            end += 1;
        }
        while ".,;:!?".contains(self.before(end)) {
            end -= 1;
        }
        end
    }

    fn add(&mut self, text: &str, letters: Range<usize>) {
        let leads = self.begins_sentence(letters.start);
        let is_capital = self.letters.get(letters.start).is_some_and(|letter| letter.is_capital);
        let (text, number, sentence, block, opens) = (text.to_owned(), 0, self.sentence, self.block, self.opens);
        self.opens = text == COLON || (text == QUOTE && self.opens);
        self.is_first = false;
        self.words.push(Word { text, number, letters, sentence, block, opens, leads, is_capital, closing: None });
    }

    /// Whether a sentence begins here that is not an item of a list.
    fn begins_sentence(&self, start: usize) -> bool {
        let mut end = start;
        while matches!(self.before(end), ' ' | '\t') {
            end -= 1;
        }
        self.is_first && !"*-•#–—+".contains(self.before(end)) && !self.follows_number()
    }

    /// Whether the sentence before is only the number of a list item.
    fn follows_number(&self) -> bool {
        let mut before = self.words.iter().rev();
        let Some(number) = before.next().filter(|word| word.sentence + 1 == self.sentence) else { return false };
        before.next().is_none_or(|word| word.sentence != number.sentence)
            && number.text.bytes().all(|byte| byte.is_ascii_digit())
    }
}

fn is_space(letter: char) -> bool {
    matches!(letter, ' ' | '\t' | '\n' | '\r' | '\u{B}' | '\u{C}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}
