//! BERT's tokens: a text is cleaned, lower-cased and stripped of accents, split at spaces, punctuation and Chinese
//! characters, and each word is cut into the longest pieces of the vocabulary.
//!
//! The same tokens as the Python package `tokenizers` makes: a test compares them.

use rustc_hash::FxHashMap;
use std::ops::Range;
use unicode_categories::UnicodeCategories;
use unicode_normalization::UnicodeNormalization;

/// Longer words are unknown.
const MAX_WORD_CHARS: usize = 100;

pub(crate) struct WordPiece {
    vocabulary: FxHashMap<Box<str>, u32>,
    pub(crate) start: u32,
    pub(crate) separator: u32,
    unknown: u32,
}

/// A token, and the bytes of the text that it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) id: u32,
    pub(crate) bytes: Range<usize>,
}

/// The bytes from the first token to the last.
pub(crate) fn bytes_of(tokens: &[Token]) -> Range<usize> {
    match (tokens.first(), tokens.last()) {
        (Some(first), Some(last)) => first.bytes.start..last.bytes.end,
        _ => 0..0,
    }
}

impl WordPiece {
    /// Reads a vocabulary: a token for each line.
    pub(crate) fn read(text: &[u8], expected: usize) -> Result<Self, String> {
        let text = std::str::from_utf8(text).map_err(|_| "its vocabulary is not UTF-8")?;
        let mut vocabulary = FxHashMap::default();
        let mut lines = 0;
        for (id, token) in (0_u32..).zip(text.split('\n')) {
            vocabulary.insert(Box::from(token), id);
            lines += 1;
        }
        if lines != expected {
            return Err(format!("its vocabulary has {lines} tokens instead of {expected}"));
        }
        let special = |name: &str| vocabulary.get(name).copied().ok_or(format!("its vocabulary has no {name}"));
        let (start, separator, unknown) = (special("[CLS]")?, special("[SEP]")?, special("[UNK]")?);
        Ok(Self { vocabulary, start, separator, unknown })
    }

    /// The tokens of a text, at most `limit`.
    pub(crate) fn tokens(&self, text: &str, limit: usize) -> Vec<Token> {
        let mut tokens = Vec::new();
        let mut word = Word::default();
        for (at, character) in text.char_indices() {
            if tokens.len() >= limit {
                break;
            }
            let bytes = at..at + character.len_utf8();
            match class(character) {
                Class::Removed => {}
                Class::Space => self.finish(&mut word, &mut tokens),
                Class::Chinese => {
                    self.finish(&mut word, &mut tokens);
                    self.add_characters(character, bytes, &mut word, &mut tokens);
                    self.finish(&mut word, &mut tokens);
                }
                Class::Other => self.add_characters(character, bytes, &mut word, &mut tokens),
            }
        }
        self.finish(&mut word, &mut tokens);
        tokens.truncate(limit);
        tokens
    }

    /// Adds what is left of a character, decomposed and in lower case, to a word. Punctuation is a word of its own.
    fn add_characters(&self, character: char, bytes: Range<usize>, word: &mut Word, tokens: &mut Vec<Token>) {
        if character.is_ascii_alphanumeric() {
            word.push(character.to_ascii_lowercase(), bytes);
            return;
        }
        for part in std::iter::once(character).nfd().filter(|part| !part.is_mark_nonspacing()) {
            for part in part.to_lowercase() {
                if part.is_whitespace() {
                    self.finish(word, tokens);
                } else if is_punctuation(part) {
                    self.finish(word, tokens);
                    word.push(part, bytes.clone());
                    self.finish(word, tokens);
                } else {
                    word.push(part, bytes.clone());
                }
            }
        }
    }

    fn finish(&self, word: &mut Word, tokens: &mut Vec<Token>) {
        if word.text.is_empty() {
            return;
        }
        let before = tokens.len();
        if word.ends.len() > MAX_WORD_CHARS || !self.cut(word, tokens) {
            tokens.truncate(before);
            tokens.push(Token { id: self.unknown, bytes: word.bytes(0, word.ends.len()) });
        }
        word.clear();
    }

    /// Cuts a word into pieces: the longest first. False if a part of it is in no piece.
    fn cut(&self, word: &Word, tokens: &mut Vec<Token>) -> bool {
        let mut key = String::new();
        let mut start = 0;
        while start < word.ends.len() {
            let from = word.text_start(start);
            let found = (start + 1..=word.ends.len()).rev().find_map(|end| {
                let piece = &word.text[from..word.ends[end - 1].0];
                let id = if start == 0 {
                    self.vocabulary.get(piece)
                } else {
                    key.clear();
                    key.push_str("##");
                    key.push_str(piece);
                    self.vocabulary.get(key.as_str())
                };
                id.map(|id| (end, *id))
            });
            let Some((end, id)) = found else { return false };
            tokens.push(Token { id, bytes: word.bytes(start, end) });
            start = end;
        }
        true
    }
}

/// A word that is being read.
#[derive(Default)]
struct Word {
    text: String,
    /// For each character where it ends in `text`, and the bytes of the original that it comes from.
    ends: Vec<(usize, Range<usize>)>,
}

impl Word {
    fn push(&mut self, character: char, bytes: Range<usize>) {
        // It is unknown already; what is longer would only take memory.
        if self.ends.len() > MAX_WORD_CHARS
            && let Some((_, last)) = self.ends.last_mut()
        {
            last.end = bytes.end;
            return;
        }
        self.text.push(character);
        self.ends.push((self.text.len(), bytes));
    }

    fn text_start(&self, character: usize) -> usize {
        if character == 0 { 0 } else { self.ends[character - 1].0 }
    }

    fn bytes(&self, start: usize, end: usize) -> Range<usize> {
        self.ends[start].1.start..self.ends[end - 1].1.end
    }

    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }
}

enum Class {
    Removed,
    Space,
    Chinese,
    Other,
}

fn class(character: char) -> Class {
    match character {
        '\t' | '\n' | '\r' | ' ' => Class::Space,
        '\0' | '\u{fffd}' => Class::Removed,
        _ if character.is_ascii_graphic() => Class::Other,
        _ if character.is_other() => Class::Removed,
        _ if character.is_whitespace() => Class::Space,
        _ if is_chinese(character) => Class::Chinese,
        _ => Class::Other,
    }
}

fn is_punctuation(character: char) -> bool {
    character.is_ascii_punctuation() || (!character.is_ascii() && character.is_punctuation())
}

fn is_chinese(character: char) -> bool {
    matches!(u32::from(character),
        0x4E00..=0x9FFF | 0x3400..=0x4DBF | 0x20000..=0x2A6DF | 0x2A700..=0x2B73F | 0x2B740..=0x2B81F
        | 0x2B920..=0x2CEAF | 0xF900..=0xFAFF | 0x2F800..=0x2FA1F)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::Header;

    fn tiny() -> WordPiece {
        let bytes = include_bytes!("../tests/fixtures/tiny.judge");
        let (header, body) = Header::read(bytes).unwrap();
        WordPiece::read(&bytes[body.start..][..header.vocab_bytes], header.vocabulary).unwrap()
    }

    #[test]
    fn i22_tokens_are_those_of_python() {
        let tokenizer = tiny();
        let mut cases = 0;
        for line in include_str!("../tests/fixtures/tokens.jsonl").lines() {
            let (text, expected): (String, String) = serde_json::from_str(line).unwrap();
            let tokens = tokenizer.tokens(&text, usize::MAX);
            let ids: Vec<String> = tokens.iter().map(|token| token.id.to_string()).collect();
            assert_eq!(ids.join(" "), expected, "{text:?} {tokens:?}");
            for token in &tokens {
                assert!(!text[token.bytes.clone()].is_empty(), "{text:?}: {token:?}");
            }
            cases += 1;
        }
        assert!(cases > 1200);
    }

    #[test]
    fn i22_a_token_knows_its_bytes() {
        let text = "Café-Zoë, the\u{200b}house";
        let words: Vec<&str> =
            tiny().tokens("The hóuse.", 9).iter().map(|token| &"The hóuse."[token.bytes.clone()]).collect();
        assert_eq!(words, ["The", "hóuse", "."]);
        let tokens = tiny().tokens(text, 4);
        assert_eq!(tokens.len(), 4, "no more than asked");
        assert!(tokens.iter().all(|token| text.get(token.bytes.clone()).is_some()));
    }

    #[test]
    fn i22_a_vocabulary_that_is_not_one_is_refused() {
        assert!(WordPiece::read(b"[CLS]\n[SEP]\n[UNK]", 3).is_ok());
        for (text, expected) in [(&b"[CLS]\n[SEP]"[..], 2), (b"[CLS]\n[SEP]\n[UNK]", 4), (b"\xff", 1), (b"", 0)] {
            assert!(WordPiece::read(text, expected).is_err());
        }
    }
}
