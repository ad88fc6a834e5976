//! Terms: what an index finds an item by, and what a question looks up.
//!
//! A term is the stem of a word in the language of its text. Accents are removed behind the stemmer, which needs them. A compound gives
//! its parts and, as one more term, all of it in one word; a question asks for either. Terms of other languages than the default are marked,
//! so that the stems of one language are never taken for those of another.

use super::compound::{each_case_part, each_compound, is_number_with_points};
use super::language::Language;
use super::stop_words::stop_words;
use super::words::{MAX_WORD_CHARS, is_question_word, is_unspaced, lowered, pairs};
use rust_stemmers::Stemmer;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Increased when the same text would give other terms, so that older indexes are rebuilt.
const TERMS_VERSION: u32 = 4;
/// The number of stems that are kept for each language before they are cleared.
const MAX_MEMO: usize = 1 << 15;
/// A compound of more parts is found by its parts only.
const MAX_JOINED_PARTS: usize = 6;
/// The first character of a term in another language than the default. No word begins with it.
pub const LANGUAGE_MARK: char = '\u{2}';

const CODE_BYTES: usize = 2;

/// A term of a text.
#[derive(Debug, Clone, Copy)]
pub struct Term<'a> {
    /// Empty for a word that is skipped.
    pub stem: &'a str,
    /// Whether it repeats a word in another form, and does not count in the length of the text.
    pub is_extra: bool,
}

/// A word of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct AskedWord {
    /// As written in the question.
    pub spelled: String,
    /// In lower case.
    pub word: String,
    /// The stems to look up, separated by spaces: its own, and those of the words that it may be written together with. Any of them
    /// will do. Empty for a word that is skipped.
    pub stems: String,
    /// Whether it is a part of the word in mixed case before it, such as `Volume` of `PersistentVolume`.
    pub is_part: bool,
    /// The word and those that it may be part of.
    forms: Vec<String>,
}

impl AskedWord {
    /// The stem of the word itself.
    pub fn own_stem(&self) -> &str {
        self.stems.split(' ').next().unwrap_or_default()
    }

    /// The stems for people, without the marks of languages.
    pub fn shown_stems(&self) -> String {
        let shown =
            |stem: &str| stem.strip_prefix(LANGUAGE_MARK).map_or(stem, |marked| &marked[CODE_BYTES..]).to_owned();
        let mut stems: Vec<String> = self.stems.split(' ').map(shown).collect();
        stems.dedup();
        stems.join(" or ")
    }
}

/// Splits texts into terms, and caches stems.
pub struct Terms {
    setting: Language,
    stems: StemsByLanguage,
    word: String,
    joined: String,
}

/// The stems of one language.
struct Stems {
    language: Language,
    mark: String,
    stemmer: Option<Stemmer>,
    stop_words: &'static FxHashSet<&'static str>,
    memo: FxHashMap<Box<str>, Box<str>>,
}

/// The stems of every language, by its place; the last one is none.
type StemsByLanguage = Vec<Option<Box<Stems>>>;

thread_local! {
    /// The stems that this thread made last: each question and each snippet would make the same ones again.
    static LAST: RefCell<Option<(Language, StemsByLanguage)>> = const { RefCell::new(None) };
}

impl Drop for Terms {
    fn drop(&mut self) {
        let default = self.default_language().place();
        let mut stems = std::mem::take(&mut self.stems);
        // Only those of most texts: a thread may live long.
        stems.iter_mut().enumerate().filter(|(place, _)| Some(*place) != default).for_each(|(_, stems)| *stems = None);
        // A thread that ends keeps nothing.
        let _ = LAST.try_with(|last| last.replace(Some((self.setting, stems))));
    }
}

impl Terms {
    pub fn new(setting: Language) -> Self {
        let kept = LAST.try_with(|last| last.borrow_mut().take_if(|(kept, _)| *kept == setting)).unwrap_or_default();
        let stems = kept.map_or_else(|| (0..=Language::all().count()).map(|_| None).collect(), |(_, stems)| stems);
        Self { setting, stems, word: String::new(), joined: String::new() }
    }

    /// The name of this way of splitting. Indexes built in another way are not comparable.
    pub fn make(setting: Language) -> String {
        format!("words-{TERMS_VERSION}-{}", setting.name())
    }

    /// The language of a text.
    pub fn language_of(&self, text: &str) -> Language {
        self.setting.of(text)
    }

    /// The language of texts that say too little about theirs, such as names.
    pub fn default_language(&self) -> Language {
        self.setting.of("")
    }

    /// Calls `take` with each term of a text in this language.
    pub fn each(&mut self, language: Language, text: &str, mut take: impl FnMut(Term<'_>)) {
        let (mut word, mut joined) = (std::mem::take(&mut self.word), std::mem::take(&mut self.joined));
        let stems = self.stems_of(language);
        each_compound(text, |parts| {
            joined.clear();
            for part in parts {
                let spelled = singular(&text[part.clone()]);
                lowered(spelled, &mut word);
                if word.starts_with(is_unspaced) {
                    pairs(&word, |pair| take(Term { stem: pair, is_extra: false }));
                } else if is_number_with_points(&word) {
                    number(&word, |stem, is_extra| take(Term { stem, is_extra }));
                } else if word.contains(char::is_whitespace) {
                    // Some characters stand for several words.
                    for one in word.split_whitespace() {
                        stems.stem(one, |stem| take(Term { stem, is_extra: false }));
                    }
                } else {
                    stems.stem(&word, |stem| take(Term { stem, is_extra: false }));
                    if let Some(plain) = without_apostrophe(&word, stems.language) {
                        stems.stem(&plain, |stem| take(Term { stem, is_extra: true }));
                    }
                    each_case_part(spelled, |part| {
                        stems.stem(&part.to_lowercase(), |stem| take(Term { stem, is_extra: true }));
                    });
                }
                joined.push_str(&word);
            }
            if is_joined(parts, &joined) {
                stems.stem(&joined, |stem| take(Term { stem, is_extra: true }));
            }
        });
        (self.word, self.joined) = (word, joined);
    }

    /// The words of a question in their order, and the language it is asked in.
    pub fn question(&mut self, text: &str) -> (Language, Vec<AskedWord>) {
        let language = self.language_of(text);
        let mut asked = asked_words(text, language);
        // A word may be written together with the next: "log in", "no cache", "10 MB".
        for at in 1..asked.len() {
            let [(one, before), (other, behind)] = &mut asked[at - 1..=at] else { continue };
            let gap = text.get(before.end..behind.start);
            if gap.is_some_and(|gap| matches!(gap, "" | " " | "-" | "_" | "."))
                && !one.is_part
                && !other.is_part
                && self.may_join(language, &one.word, &other.word)
            {
                let joined = format!("{}{}", one.word, other.word);
                one.forms.push(joined.clone());
                other.forms.push(joined);
            }
        }
        let mut found: Vec<AskedWord> = asked.into_iter().map(|(word, _)| word).collect();
        for word in &mut found {
            let mut stems = String::new();
            if !self.stems_of(language).is_skipped(&word.word) {
                for language in [self.default_language(), language] {
                    self.add_stems(language, word, &mut stems);
                }
            }
            word.stems = stems;
        }
        (language, found)
    }

    /// The stems of a word in the languages of these codes, together with those that it has.
    pub fn in_languages(&mut self, codes: &[&str], word: &AskedWord) -> String {
        let mut stems = word.stems.clone();
        if self.setting.is_auto() {
            let languages = Language::all().filter(|language| codes.contains(&language.code()));
            languages.for_each(|language| self.add_stems(language, word, &mut stems));
        }
        stems
    }

    fn add_stems(&mut self, language: Language, word: &AskedWord, out: &mut String) {
        let stems = self.stems_of(language);
        for form in &word.forms {
            stems.stem(form, |stem| {
                if !stem.is_empty() && !out.split(' ').any(|known| known == stem) {
                    out.push_str(if out.is_empty() { "" } else { " " });
                    out.push_str(stem);
                }
            });
        }
    }

    /// Whether two words that follow one another may be one: words that say nothing are seldom part of another.
    fn may_join(&mut self, language: Language, one: &str, other: &str) -> bool {
        let fits = one.chars().count() + other.chars().count() <= MAX_WORD_CHARS;
        let stems = self.stems_of(language);
        let says_little = |word: &str| stems.is_skipped(word) || is_question_word(language, word);
        let is_one = one == "no" || !says_little(one);
        let is_other = (matches!(other, "in" | "on") && one != "no") || !says_little(other);
        fits && is_one && is_other && !one.starts_with(is_unspaced) && !other.starts_with(is_unspaced)
    }

    fn stems_of(&mut self, language: Language) -> &mut Stems {
        let place = language.place().unwrap_or(self.stems.len() - 1);
        let is_default = !self.setting.is_auto() || language == self.default_language();
        self.stems[place].get_or_insert_with(|| Box::new(Stems::new(language, is_default)))
    }
}

impl Stems {
    fn new(language: Language, is_default: bool) -> Self {
        Self {
            language,
            mark: if is_default { String::new() } else { format!("{LANGUAGE_MARK}{}", language.code()) },
            stemmer: language.algorithm().map(Stemmer::create),
            stop_words: stop_words(language),
            memo: FxHashMap::default(),
        }
    }

    fn is_skipped(&self, word: &str) -> bool {
        self.stop_words.contains(word)
    }

    /// Calls `take` with the stem of a word in lower case; empty if the word is skipped.
    fn stem(&mut self, word: &str, mut take: impl FnMut(&str)) {
        let word = word.char_indices().nth(MAX_WORD_CHARS).map_or(word, |(end, _)| &word[..end]);
        if let Some(stem) = self.memo.get(word) {
            return take(stem);
        }
        let stem = self.made(word);
        take(&stem);
        if self.memo.len() >= MAX_MEMO {
            self.memo.clear();
        }
        self.memo.insert(word.into(), stem.into());
    }

    fn made(&self, word: &str) -> String {
        if self.is_skipped(word) {
            return String::new();
        }
        let mut word = match word.split_once('\'') {
            Some((article, rest)) if self.language.elides() && self.is_skipped(article) => rest.to_owned(),
            _ => word.to_owned(),
        };
        if self.language.has_no_accents() {
            word = without_accents(&word);
        }
        let stem = self.stemmer.as_ref().map_or(word.as_str().into(), |stemmer| stemmer.stem(&word));
        if stem.is_empty() || self.is_skipped(&word) {
            return String::new();
        }
        format!("{}{}", self.mark, without_accents(&stem))
    }
}

/// The words of a text as they must stand in a phrase: in lower case and without accents. Compounds are cut into their parts, and scripts
/// without spaces into characters.
pub fn plain_words(text: &str) -> Vec<String> {
    let (mut words, mut lower) = (Vec::new(), String::new());
    each_compound(text, |parts| {
        for part in parts {
            lowered(&text[part.clone()], &mut lower);
            if lower.starts_with(is_unspaced) {
                words.extend(lower.chars().map(String::from));
            } else {
                words.extend(lower.split_whitespace().map(without_accents));
            }
        }
    });
    words
}

/// The words of a question with their places, in the forms that they have by themselves.
fn asked_words(text: &str, language: Language) -> Vec<(AskedWord, Range<usize>)> {
    let mut asked = Vec::new();
    let mut lower = String::new();
    each_compound(text, |parts| {
        let before = asked.len();
        let mut joined = String::new();
        for part in parts {
            let spelled = &text[part.clone()];
            lowered(spelled, &mut lower);
            joined.push_str(&lower);
            let mut add = |spelled: &str, word: &str, is_part: bool| {
                let shown = spelled.chars().take(MAX_WORD_CHARS).collect();
                let others = without_apostrophe(word, language).into_iter().chain(without_s(spelled, language));
                let forms = std::iter::once(word.to_owned()).chain(others).collect();
                let word = AskedWord { spelled: shown, word: word.to_owned(), stems: String::new(), is_part, forms };
                asked.push((word, part.clone()));
            };
            if lower.starts_with(is_unspaced) {
                // In a script without spaces, a pair of characters is the word.
                pairs(&lower, |pair| add(pair, pair, false));
            } else if is_number_with_points(&lower) {
                number(&lower, |word, is_extra| {
                    if !is_extra {
                        add(spelled, word, false)
                    }
                });
            } else if lower.contains(char::is_whitespace) {
                lower.split_whitespace().for_each(|word| add(word, word, false));
            } else {
                add(spelled, &lower, false);
                each_case_part(spelled, |part| add(part, &part.to_lowercase(), true));
            }
        }
        if is_joined(parts, &joined) {
            let whole = asked[before..].iter_mut().filter(|(word, _)| !word.is_part);
            whole.for_each(|(word, _)| word.forms.push(joined.clone()));
        }
    });
    asked
}

/// Whether a compound is also found in one word.
fn is_joined(parts: &[Range<usize>], joined: &str) -> bool {
    (2..=MAX_JOINED_PARTS).contains(&parts.len()) && joined.chars().count() <= MAX_WORD_CHARS
}

/// A number with points: `3.5` is one number, `v2.1.0` is also a `2.1`, and of `08.05.2023` one may ask for the year.
fn number(word: &str, mut take: impl FnMut(&str, bool)) {
    let word = word.strip_prefix('v').unwrap_or(word);
    let figures = word.split('.').count();
    let is_date = figures > 2 && word.split('.').any(|figure| figure.len() == 4);
    take(word, is_date);
    if is_date {
        word.split('.').for_each(|figure| take(figure, false));
    } else if figures > 2
        && let Some((end, _)) = word.match_indices('.').nth(1)
    {
        take(&word[..end], true);
    }
}

/// `o'brien` in one word. Endings such as 's are left to the stemmer, and articles are no part of the word.
fn without_apostrophe(word: &str, language: Language) -> Option<String> {
    const MIN_REST: usize = 3;
    let (_, rest) = word.split_once('\'')?;
    (rest.len() >= MIN_REST && !language.elides()).then(|| word.replace('\'', ""))
}

/// `PDF` for `PDFs`: no stemmer takes the ending from a word without vowels.
fn singular(spelled: &str) -> &str {
    match spelled.strip_suffix('s') {
        Some(one) if one.len() >= 2 && one.bytes().all(|byte| byte.is_ascii_uppercase()) => one,
        _ => spelled,
    }
}

/// What a word of a question may be the plural of: `pdf` for `PDFs` and `pdfs`, `cpu` for `cpus`. In lower case it may be another word, so only short
/// ones that begin like no English word with an ending.
fn without_s(spelled: &str, language: Language) -> Option<String> {
    let one = singular(spelled);
    if one.len() < spelled.len() {
        return Some(one.to_ascii_lowercase());
    }
    let is_vowel = |letter: &u8| matches!(letter, b'a' | b'e' | b'i' | b'o' | b'u' | b'y');
    let one = spelled.strip_suffix('s').filter(|one| language.is_english() && matches!(one.len(), 2 | 3))?;
    let letters = one.as_bytes();
    let is_short = letters.iter().all(u8::is_ascii_lowercase) && !letters[..2].iter().any(is_vowel);
    (is_short && !one.ends_with('s')).then(|| one.to_owned())
}

/// Letters of Latin and Greek without their accents. In other scripts such marks are letters.
fn without_accents(word: &str) -> String {
    if word.is_ascii() {
        return word.to_owned();
    }
    let mut plain = String::with_capacity(word.len());
    let mut is_folded = false;
    for c in word.nfd() {
        match c {
            _ if is_combining_mark(c) && is_folded => {}
            'ß' => plain.push_str("ss"),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            'ø' => plain.push('o'),
            'ł' => plain.push('l'),
            'đ' | 'ð' => plain.push('d'),
            'ı' => plain.push('i'),
            _ => {
                is_folded = matches!(c, 'a'..='z' | '\u{0370}'..='\u{03FF}');
                plain.push(c);
            }
        }
    }
    plain.nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(setting: &str, text: &str) -> String {
        let mut terms = Terms::new(Language::parse(setting).unwrap());
        let mut found = Vec::new();
        let language = terms.language_of(text);
        terms.each(language, text, |Term { stem, is_extra }| {
            if !stem.is_empty() {
                found.push(format!("{}{}", if is_extra { "+" } else { "" }, stem.replace(LANGUAGE_MARK, "~")));
            }
        });
        found.join(" ")
    }

    #[test]
    fn i21_words_give_their_parts_and_one_more_form() {
        let check = |text: &str, expected: &str| assert_eq!(terms("english", text), expected, "{text}");
        check("The keepers are KEEPING Ada’s lamps.", "keeper keep ada lamp");
        check("PersistentVolume", "persistentvolum +persist +volum");
        check("--no-cache", "cach +nocach");
        check("e-mail, 3.5 km", "e mail +email 3.5 km");
        check("10MB in v2.1.0", "10 mb +10mb 2.1.0 +2.1");
        check("1,000 on 08.05.2023", "1 000 +1000 +08.05.2023 08 05 2023");
        check("résumé café O'Brien", "resum cafe o'brien +obrien");
        check("PDFs on GPUs, IDs and pdfs", "pdf gpu id pdfs");
        check("灯台の火", "灯台 台の の火");
        check("a-b-c-d-e-f-g", "b c d e f g");
        assert_eq!(terms("none", "Keepers of the ÉCOLE नमस्ते й"), "keepers of the ecole नमस्ते й");
        assert_eq!(terms("french", "L’homme d'hier"), "homm hi");
    }

    #[test]
    fn i21_languages_are_recognised_and_marked() {
        let check = |text: &str, expected: &str| {
            assert_eq!(Language::parse("auto").unwrap().of(text).name(), expected, "{text}");
        };
        check("Wo ist mein Schlüssel?", "german");
        check("Der Zug kommt nicht vor acht Uhr an.", "german");
        check("Où est la gare ?", "french");
        check("L'eau n'est pas assez chaude pour nous.", "french");
        check("¿Dónde está la llave del coche?", "spanish");
        check("Quando arriva il treno per la città?", "italian");
        check("Onde está o meu livro? Não sei.", "portuguese");
        check("Waar is mijn fiets? Ik weet het niet.", "dutch");
        check("Jag vet inte var hunden är.", "swedish");
        check("Где мои ключи?", "russian");
        check("Που είναι τα κλειδιά μου;", "greek");
        check("Anahtarım nerede? Bu çok önemli değil mi?", "turkish");
        for english in [
            "",
            "Where is my key?",
            "Die Hard is on tonight, and so was Das Boot.",
            "lamp",
            "La La Land",
            "let x = foo(de, la);",
            "Müller and Niño were in São Paulo with us.",
            "10 12 15",
            "東京",
            "Привіт, як справи?",
        ] {
            check(english, "english");
        }
        assert_eq!(terms("auto", "Die alten Häuser sind nicht da."), "~dealt ~dehaus");
        assert_eq!(terms("auto", "Old houses."), "old hous");
    }

    #[test]
    fn i21_words_of_a_question_may_be_written_together() {
        let mut terms = Terms::new(Language::parse("auto").unwrap());
        let mut check = |question: &str, expected: &str| {
            let (_, words) = terms.question(question);
            let stems: Vec<&str> =
                words.iter().map(|word| word.stems.as_str()).filter(|stems| !stems.is_empty()).collect();
            assert_eq!(stems.join("|").replace(LANGUAGE_MARK, "~"), expected, "{question}");
        };
        check("persistent volume", "persist persistentvolum|volum persistentvolum");
        check("the e-mail", "e email|mail email");
        check("PersistentVolume", "persistentvolum|persist|volum");
        check("no cache", "cach nocach");
        check("log in", "log login");
        check("a head, a part", "head|part");
        check("PDFs, pdfs, cpus, https, houses", "pdfs pdf|pdfs pdf|cpus cpu|https|hous");
        check("DNS, CMS, css", "dns|cms|css");
        check("lamp, oil", "lamp|oil");
        check("Wo sind die Häuser?", "hauser ~dehaus");
        let (_, words) = terms.question("houses");
        assert_eq!(terms.in_languages(&["de", "fr"], &words[0]).replace(LANGUAGE_MARK, "~"), "hous ~frhous ~dehous");
        assert_eq!(words[0].shown_stems(), "hous");
    }
}
