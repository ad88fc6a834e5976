//! Languages: the one that a text is written in, with its stemmer.
//!
//! Recognition counts the words that occur in nearly every sentence of a language. It is a pure function of the text, so nothing about it is
//! stored. A text that says too little stays in the default language; a wrong guess between two related languages does no harm, because a
//! question is looked up in all languages of a space.

use super::each_word;
use super::stop_words::{ENGLISH_QUESTION_WORDS, stop_words};
use crate::invalid::Invalid;
use rust_stemmers::Algorithm;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The setting of a language for stemming: one, the one of each text, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language(Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    None,
    /// Each text in its own.
    Auto,
    /// A place in the list.
    One(u8),
}

/// Name, code, and stemmer.
const LANGUAGES: [(&str, &str, Algorithm); 18] = [
    ("arabic", "ar", Algorithm::Arabic),
    ("danish", "da", Algorithm::Danish),
    ("dutch", "nl", Algorithm::Dutch),
    ("english", "en", Algorithm::English),
    ("finnish", "fi", Algorithm::Finnish),
    ("french", "fr", Algorithm::French),
    ("german", "de", Algorithm::German),
    ("greek", "el", Algorithm::Greek),
    ("hungarian", "hu", Algorithm::Hungarian),
    ("italian", "it", Algorithm::Italian),
    ("norwegian", "no", Algorithm::Norwegian),
    ("portuguese", "pt", Algorithm::Portuguese),
    ("romanian", "ro", Algorithm::Romanian),
    ("russian", "ru", Algorithm::Russian),
    ("spanish", "es", Algorithm::Spanish),
    ("swedish", "sv", Algorithm::Swedish),
    ("tamil", "ta", Algorithm::Tamil),
    ("turkish", "tr", Algorithm::Turkish),
];
const ENGLISH: u8 = 3;

/// This much of a text is enough to recognise its language.
const MAX_READ_BYTES: usize = 4096;
/// A word that only one language has. Divisible by the number of languages that may share a word.
const ONE_WORD: u32 = 840;
/// A letter that only one language has says less than a word: it may be in a name.
const ONE_LETTER: u32 = ONE_WORD / 2;
/// One word is not enough: "Take care!" is no Romanian.
const MIN_SCORE: u32 = ONE_WORD + ONE_LETTER;
/// One in this number of words must be of the language.
const ONE_WORD_IN: u32 = 12;

impl Language {
    pub const NAMES: &'static str = "auto, english, german, french, spanish, italian, portuguese, dutch, danish, \
         norwegian, swedish, finnish, russian, greek, hungarian, romanian, turkish, arabic, tamil or none";

    /// The default language, in which texts are read that say too little about theirs.
    pub const ENGLISH: Self = Self(Kind::One(ENGLISH));

    pub fn parse(name: &str) -> Result<Self, Invalid> {
        match name {
            "none" => return Ok(Self(Kind::None)),
            "auto" => return Ok(Self(Kind::Auto)),
            _ => {}
        }
        let found = LANGUAGES.iter().position(|(known, _, _)| *known == name);
        found.map(|place| Self(Kind::One(place as u8))).ok_or_else(|| {
            Invalid::new(format!("{name:?} is not a supported language"), format!("use {}", Self::NAMES))
        })
    }

    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::None => "none",
            Kind::Auto => "auto",
            Kind::One(place) => LANGUAGES[place as usize].0,
        }
    }

    /// The language of a text: what is set, or what is recognised.
    pub fn of(self, text: &str) -> Self {
        match self.0 {
            Kind::Auto => Self(Kind::One(recognised(text))),
            _ => self,
        }
    }

    /// The language of a text that says enough about it.
    pub fn recognised_in(text: &str) -> Option<Self> {
        clearly(text).map(|place| Self(Kind::One(place)))
    }

    /// Whether texts in the language with these two letters are recognised.
    pub fn is_recognised_code(code: &str) -> bool {
        LANGUAGES.iter().any(|(_, known, _)| *known == code)
    }

    /// English, also as the default of `auto`.
    pub fn is_english(self) -> bool {
        self.place() == Some(ENGLISH as usize)
    }

    /// Whether it is set, rather than recognised or none.
    pub fn is_fixed(self) -> bool {
        matches!(self.0, Kind::One(_))
    }

    pub(super) fn is_auto(self) -> bool {
        self.0 == Kind::Auto
    }

    /// Its place in the list of languages. Without recognition, `auto` is English.
    pub(super) fn place(self) -> Option<usize> {
        match self.0 {
            Kind::None => None,
            Kind::Auto => Some(ENGLISH as usize),
            Kind::One(place) => Some(place as usize),
        }
    }

    pub(super) fn algorithm(self) -> Option<Algorithm> {
        self.place().map(|place| LANGUAGES[place].2)
    }

    /// Two letters.
    pub fn code(self) -> &'static str {
        self.place().map_or("", |place| LANGUAGES[place].1)
    }

    pub(super) fn all() -> impl Iterator<Item = Self> {
        (0..LANGUAGES.len()).map(|place| Self(Kind::One(place as u8)))
    }

    /// Whether articles and pronouns are joined to the next word by an apostrophe.
    pub(super) fn elides(self) -> bool {
        matches!(self.code(), "fr" | "it")
    }

    /// Whether accents do not change how a word is stemmed.
    pub(super) fn has_no_accents(self) -> bool {
        matches!(self.code(), "en" | "")
    }
}

/// The languages of each common word, as bits.
static COMMON_WORDS: LazyLock<FxHashMap<&'static str, u32>> = LazyLock::new(|| {
    let mut words: FxHashMap<&'static str, u32> = FxHashMap::default();
    for (language, place) in Language::all().zip(0..) {
        stop_words(language).iter().for_each(|word| *words.entry(word).or_default() |= 1_u32 << place);
    }
    ENGLISH_QUESTION_WORDS.iter().for_each(|word| *words.entry(word).or_default() |= 1 << ENGLISH);
    words
});

/// Letters that few languages have.
const LETTERS: [(&str, &[&str]); 14] = [
    ("ß", &["de"]),
    ("ä", &["de", "sv", "fi"]),
    ("ö", &["de", "sv", "fi", "hu", "tr"]),
    ("ü", &["de", "hu", "tr"]),
    ("å", &["sv", "da", "no"]),
    ("øæ", &["da", "no"]),
    ("ñ¿¡", &["es"]),
    ("êèœ", &["fr"]),
    ("ç", &["fr", "pt", "tr"]),
    ("ãõ", &["pt"]),
    ("ığş", &["tr"]),
    ("ășțţ", &["ro"]),
    ("őű", &["hu"]),
    ("áíóú", &["es", "pt", "hu"]),
];

static LETTER_BITS: LazyLock<FxHashMap<char, u32>> = LazyLock::new(|| {
    let bit = |code: &&str| Language::all().position(|language| language.code() == *code).map_or(0, |at| 1_u32 << at);
    let bits = |codes: &[&str]| codes.iter().map(bit).fold(0, |all, bit| all | bit);
    LETTERS.iter().flat_map(|(letters, codes)| letters.chars().map(move |letter| (letter, bits(codes)))).collect()
});

/// English, if a text says too little.
fn recognised(text: &str) -> u8 {
    clearly(text).unwrap_or(ENGLISH)
}

fn clearly(text: &str) -> Option<u8> {
    let text = &text[..text.floor_char_boundary(MAX_READ_BYTES)];
    if !text.is_ascii()
        && let Some(place) = by_script(text)
    {
        return Some(place);
    }
    let mut scores = [0_u32; LANGUAGES.len()];
    let mut add = |bits: u32, worth: u32| {
        let worth = worth / bits.count_ones().max(1);
        scores.iter_mut().enumerate().for_each(|(at, score)| *score += if bits >> at & 1 == 1 { worth } else { 0 });
    };
    let (mut words, mut lower) = (0, String::new());
    each_word(text, |word| {
        words += 1;
        lower.clear();
        lower.extend(word.chars().flat_map(char::to_lowercase).map(|c| if c == '\u{2019}' { '\'' } else { c }));
        // Of "l'homme", the article tells.
        let common = COMMON_WORDS.get(lower.as_str());
        let article = || lower.split_once('\'').and_then(|(article, _)| COMMON_WORDS.get(article));
        common.or_else(article).into_iter().for_each(|bits| add(*bits, ONE_WORD));
        if !lower.is_ascii() {
            let letter = lower.chars().find_map(|letter| LETTER_BITS.get(&letter));
            letter.into_iter().for_each(|bits| add(*bits, ONE_LETTER));
        }
    });
    let english = scores[ENGLISH as usize];
    scores[ENGLISH as usize] = 0;
    // Of equal ones the first.
    let best = (0..scores.len()).rev().max_by_key(|place| scores[*place]).unwrap_or_default();
    let (score, least) = (scores[best], MIN_SCORE.max(words * ONE_WORD / ONE_WORD_IN));
    let is_english = || english >= least && english >= score;
    let other = (score >= least && score > 2 * english).then_some(best as u8);
    other.or_else(|| is_english().then_some(ENGLISH))
}

/// The language of a script that only it, or mostly it, is written in.
fn by_script(text: &str) -> Option<u8> {
    let mut letters = 0;
    let mut counts = [(0_u32, "ru"), (0, "el"), (0, "ar"), (0, "ta")];
    for letter in text.chars().filter(|c| c.is_alphabetic()) {
        letters += 1;
        let place = match letter {
            // Letters of other languages in these scripts, which other rules apply to.
            'і' | 'ї' | 'є' | 'ґ' | 'ў' | 'ђ' | 'ћ' | 'љ' | 'њ' | 'џ' | 'ј' | 'پ' | 'چ' | 'ژ' | 'گ' | 'ی' | 'ٹ'
            | 'ڈ' => {
                return None;
            }
            '\u{0400}'..='\u{04FF}' => 0,
            '\u{0370}'..='\u{03FF}' | '\u{1F00}'..='\u{1FFF}' => 1,
            '\u{0600}'..='\u{06FF}' => 2,
            '\u{0B80}'..='\u{0BFF}' => 3,
            _ => continue,
        };
        counts[place].0 += 1;
    }
    let (_, code) = counts.into_iter().find(|(count, _)| *count * 2 > letters)?;
    Language::all().position(|language| language.code() == code).map(|place| place as u8)
}
