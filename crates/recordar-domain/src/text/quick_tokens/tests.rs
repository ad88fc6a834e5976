//! Our counts are tiktoken's, whatever the text.

use super::QuickTokens;
use crate::text::TokenCounter;
use proptest::prelude::*;

const ENCODINGS: [&str; 2] = ["o200k_base", "cl100k_base"];

fn check(text: &str) {
    for name in ENCODINGS {
        let expected = tiktoken::get_encoding(name).unwrap().count(text);
        let counted = QuickTokens::of(name).unwrap().count(text);
        let shown: String = text.chars().take(400).collect();
        assert!(
            counted == Some(expected) || (counted.is_none() && text.contains("'ſ")),
            "{name} {counted:?} {expected} {shown:?}"
        );
    }
}

#[rustfmt::skip]
const FRAGMENTS: [&str; 66] = [
    "word", " the", "It", "HTTPServer", "iPhone", "ABC", "abcXYZ", "x", "Z", "'s", "'S", "'t", "'re", "'VE", "'m", "'ll", "'LL",
    "'lL", "'d", "'r", "'l", "'", "''", "’s", "'ſ", "ſ", "s", "re", " ", "  ", "\t", "\n", "\r\n", "\r", "\n\n", " \n", "\u{b}",
    "\u{c}", "\u{85}", "\u{a0}", "\u{3000}", "\u{2028}", "\u{200b}", "\u{feff}", "\0", "\u{7f}", ".", "...", "/", "//", "-----",
    "();\n", "{\"a\":[1,", "<|endoftext|>", "1", "12345", "²", "Ⅷ", "٣٤", "é", "e\u{301}", "\u{301}", "日本語", "。", "👩‍👩‍👧", "ǅ",
];

/// The first and the last character of scripts and of other stretches: with case and without, with marks, numbers and signs.
#[rustfmt::skip]
const STRETCHES: [(char, char); 28] = [
    ('\0', '\u{7f}'), ('A', 'z'), ('0', '9'), ('\u{80}', '\u{ff}'), ('\u{100}', '\u{24f}'), ('\u{2b0}', '\u{2ff}'),
    ('\u{300}', '\u{36f}'), ('\u{370}', '\u{3ff}'), ('\u{400}', '\u{52f}'), ('\u{530}', '\u{58f}'), ('\u{590}', '\u{5ff}'),
    ('\u{600}', '\u{6ff}'), ('\u{900}', '\u{97f}'), ('\u{e00}', '\u{e7f}'), ('\u{10a0}', '\u{10ff}'), ('\u{1100}', '\u{11ff}'),
    ('\u{13a0}', '\u{13ff}'), ('\u{2000}', '\u{206f}'), ('\u{2070}', '\u{209f}'), ('\u{2150}', '\u{249f}'), ('\u{3000}', '\u{30ff}'),
    ('\u{4e00}', '\u{9fff}'), ('\u{ac00}', '\u{d7a3}'), ('\u{e000}', '\u{f8ff}'), ('\u{fe00}', '\u{ffef}'),
    ('\u{1d400}', '\u{1d7ff}'), ('\u{1f1e6}', '\u{1faff}'), ('\u{20000}', '\u{2a6df}'),
];

fn fragment() -> impl Strategy<Value = String> {
    let known = || prop::sample::select(&FRAGMENTS[..]);
    let characters = |(first, last)| prop::collection::vec(prop::char::range(first, last), 1..9);
    prop_oneof![
        6 => known().prop_map(String::from),
        4 => prop::sample::select(&STRETCHES[..]).prop_flat_map(characters).prop_map(String::from_iter),
        1 => any::<char>().prop_map(String::from),
        1 => (known(), 1usize..80).prop_map(|(fragment, times)| fragment.repeat(times)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12_000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a3_quick_counts_are_those_of_tiktoken(fragments in prop::collection::vec(fragment(), 0..10)) {
        check(&fragments.concat());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a3_quick_counts_are_those_of_tiktoken_where_words_meet_spaces_and_signs(
        // Few characters, so that all orders of the classes come up.
        text in prop::collection::vec(prop::sample::select("aAbB日\u{301}ʰǅ1² \u{a0}\t\n\r/.!'sT。é".chars().collect::<Vec<_>>()), 0..24)
    ) {
        check(&String::from_iter(text));
    }
}

/// Each beside a letter of either case, a digit, a sign and a space. Behind U+3400 there are long stretches of one class;
/// every seventh of those characters is enough, and keeps the test short.
#[test]
fn a3_characters_of_every_class_are_counted_as_tiktoken_does() {
    let assigned: Vec<char> = ('\0'..'\u{3400}').chain(('\u{3400}'..'\u{20000}').step_by(7)).collect();
    for characters in assigned.chunks(64) {
        let around = |c: &char| format!("{c}a{c}A{c}{c}1{c}.{c} {c}\n");
        check(&characters.iter().map(around).collect::<String>());
    }
}

#[test]
fn a3_long_pieces_are_counted_as_tiktoken_does() {
    // A fixed sequence of letters that does not repeat itself.
    let letters = |count: u32, alphabet: &[char]| -> String {
        let states =
            std::iter::successors(Some(1u32), |state| Some(state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223)));
        states.take(count as usize).map(|state| alphabet[(state >> 16) as usize % alphabet.len()]).collect()
    };
    let latin: Vec<char> = ('a'..='z').collect();
    let han: Vec<char> = ('一'..='乿').collect();
    for length in [90, 95, 96, 97, 98, 300, 100_000] {
        check(&letters(length, &latin));
        check(&letters(length / 3, &han));
        check(&letters(length, &['=', '-', '*']));
        check(&"x".repeat(length as usize));
        check(&" ".repeat(length as usize));
        check(&"\u{301}".repeat(length as usize));
    }
}

#[test]
fn a3_what_is_uncertain_is_counted_by_tiktoken() {
    let text = "it'ſ, ité'ſ, IT'ſ";
    assert_eq!(QuickTokens::of("o200k_base").unwrap().count(text), None);
    for name in ENCODINGS {
        let expected = tiktoken::get_encoding(name).unwrap().count(text);
        assert_eq!(TokenCounter::for_model(name).count(text), expected, "{name}");
    }
}
