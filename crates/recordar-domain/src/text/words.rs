//! Words as they compare texts with names and answers with questions. Searches use [`super::Terms`], which may change; these must not, because
//! receipts of answers are verified with them.
//!
//! A word is a run of letters and digits, in compatibility form (NFKC) and lower case, stemmed in the configured language.
//! Scripts without spaces are split into overlapping pairs of characters. Words that occur in nearly every sentence are
//! skipped.

use super::language::Language;
use super::stop_words::{ENGLISH_QUESTION_WORDS, ENGLISH_SAYING_WORDS, stop_words};
use rust_stemmers::Stemmer;
use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

pub(super) const MAX_WORD_CHARS: usize = 64;
/// The number of words that the cache of stems holds before it is cleared.
const MAX_MEMO: usize = 1 << 17;

/// Splits texts into words, and caches stems.
pub struct Words {
    language: Language,
    stemmer: Option<Stemmer>,
    memo: FxHashMap<Box<str>, Box<str>>,
    word: String,
}

impl Words {
    pub fn new(language: Language) -> Self {
        let stemmer = language.algorithm().map(Stemmer::create);
        Self { language, stemmer, memo: FxHashMap::default(), word: String::new() }
    }

    /// Calls `take` with each word in lower case and its stem; the stem of a skipped word is empty.
    pub fn each(&mut self, text: &str, mut take: impl FnMut(&str, &str)) {
        let mut word = std::mem::take(&mut self.word);
        each_word(text, |spelled| {
            lowered(spelled, &mut word);
            if word.starts_with(is_unspaced) {
                pairs(&word, |pair| take(pair, pair));
            } else if word.contains(char::is_whitespace) {
                // Some characters stand for several words.
                let parts = word.clone();
                for part in parts.split_whitespace() {
                    word.clear();
                    word.push_str(part);
                    self.stemmed(&mut word, &mut take);
                }
            } else {
                self.stemmed(&mut word, &mut take);
            }
        });
        self.word = word;
    }

    fn stemmed(&mut self, word: &mut String, take: &mut impl FnMut(&str, &str)) {
        if let Some((end, _)) = word.char_indices().nth(MAX_WORD_CHARS) {
            word.truncate(end);
        }
        if let Some(stem) = self.memo.get(word.as_str()) {
            return take(word, stem);
        }
        let stem: Box<str> = match &self.stemmer {
            _ if self.language.is_english() && stop_words(self.language).contains(word.as_str()) => "".into(),
            Some(stemmer) => stemmer.stem(word).into(),
            None => word.as_str().into(),
        };
        take(word, &stem);
        if self.memo.len() >= MAX_MEMO {
            self.memo.clear();
        }
        self.memo.insert(word.as_str().into(), stem);
    }
}

/// Calls `take` with each word as it is spelled. A run of a script without spaces counts as one.
pub fn each_word(text: &str, mut take: impl FnMut(&str)) {
    let mut rest = text;
    while let Some((run, after)) = next_run(rest) {
        rest = after;
        if run.is_ascii() {
            take(run);
            continue;
        }
        let mut run = run;
        while let Some(first) = run.chars().next() {
            let unspaced = is_unspaced(first);
            let end = run.find(|c| is_unspaced(c) != unspaced).unwrap_or(run.len());
            let (part, after) = run.split_at(end);
            run = after;
            match unspaced {
                true => take(part),
                false => part.unicode_words().for_each(&mut take),
            }
        }
    }
}

/// The next run of characters that may contain a word, and the rest.
fn next_run(text: &str) -> Option<(&str, &str)> {
    let bytes = text.as_bytes();
    let belongs = |byte: u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    let start = bytes.iter().position(|byte| belongs(*byte))?;
    let mut end = start + 1;
    while end < bytes.len() {
        let joins = bytes[end] == b'\'' && bytes.get(end + 1).is_some_and(u8::is_ascii_alphanumeric);
        if !belongs(bytes[end]) && !joins {
            break;
        }
        end += 1;
    }
    Some((&text[start..end], &text[end..]))
}

/// A word in compatibility form and lower case.
pub(super) fn lowered(spelled: &str, word: &mut String) {
    word.clear();
    if spelled.is_ascii() {
        word.push_str(spelled);
        word.make_ascii_lowercase();
    } else {
        word.extend(spelled.nfkc().flat_map(char::to_lowercase).map(straight));
    }
}

fn straight(c: char) -> char {
    if c == '\u{2019}' { '\'' } else { c }
}

/// Scripts whose words are not separated by spaces.
pub(super) fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{1100}'..='\u{11FF}' | '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Overlapping pairs of characters; a lone character stands for itself.
pub(super) fn pairs(run: &str, mut take: impl FnMut(&str)) {
    let ends: Vec<usize> = run.char_indices().map(|(start, c)| start + c.len_utf8()).collect();
    if ends.len() == 1 {
        take(run);
    }
    for (index, end) in ends.iter().enumerate().skip(1) {
        let start = if index == 1 { 0 } else { ends[index - 2] };
        take(&run[start..*end]);
    }
}

/// Whether a word of a question, in lower case, is not about its subject.
pub fn is_question_word(language: Language, word: &str) -> bool {
    language.is_english() && ENGLISH_QUESTION_WORDS.contains(&word)
}

/// Whether a word, in lower case, is a verb of saying: in "What did Ada ask?" it asks for what Ada said.
pub fn is_saying_word(language: Language, word: &str) -> bool {
    language.is_english() && ENGLISH_SAYING_WORDS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(language: &str, text: &str) -> Vec<String> {
        let mut stems = Vec::new();
        Words::new(Language::parse(language).unwrap()).each(text, |_, stem| stems.push(stem.to_owned()));
        stems.retain(|stem| !stem.is_empty());
        stems
    }

    #[test]
    fn words_meet_in_their_stems() {
        let check = |language, text, expected: &[&str]| assert_eq!(stems(language, text), expected, "{text}");
        check("english", "The keepers are KEEPING Ada's lamps.", &["keeper", "keep", "ada", "lamp"]);
        check("english", "Ada’s lamp", &["ada", "lamp"]);
        check("english", "e-mail me@example.com, 3.5 km", &["e", "mail", "me", "exampl", "com", "3", "5", "km"]);
        check("none", "Keepers keeping", &["keepers", "keeping"]);
        check("german", "Häuser und Ha\u{308}user", &["haus", "und", "haus"]);
        check("none", "ﬁne Ｆｕｌｌ ÉCOLE", &["fine", "full", "école"]);
        check("none", "灯台の火 v2", &["灯台", "台の", "の火", "v2"]);
        check("none", "火", &["火"]);
        check("none", "\u{FDFA}", &["صلى", "الله", "عليه", "وسلم"]);
        check("none", "한국어", &["한국", "국어"]);
        check("none", "नमस्ते दुनिया", &["नमस्ते", "दुनिया"]);
        check("english", "  \u{1F600} -- ''", &[]);
        assert!(Language::parse("klingon").unwrap_err().remedy.contains("english"));
    }

    #[test]
    fn a_word_without_end_is_cut() {
        assert_eq!(stems("none", &"x".repeat(1000)), ["x".repeat(64)]);
    }
}
