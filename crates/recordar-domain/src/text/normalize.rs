//! When two texts say the same: after case, width, spacing and the punctuation around them are set aside (E3).

use crate::digest::Digest;
use unicode_normalization::UnicodeNormalization;

/// The first 16 hexadecimal digits of the sha256 of a text in its plainest form.
///
/// The form is: lower case, NFKC, one space for every run of white space, no punctuation at either end. What is
/// punctuation is told by Unicode: taking only ASCII letters for words would make all Japanese texts the same.
pub fn normalized_hash(text: &str) -> String {
    // Most texts are ASCII, which is in compatibility form already.
    let folded: String = match text.is_ascii() {
        true => text.to_ascii_lowercase(),
        false => text.to_lowercase().nfkc().collect(),
    };
    let mut spaced = String::with_capacity(folded.len());
    for word in folded.split_whitespace() {
        if !spaced.is_empty() {
            spaced.push(' ');
        }
        spaced.push_str(word);
    }
    let bare = spaced.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
    // Of a text without letters the punctuation is all there is.
    let plain = if bare.is_empty() { &spaced } else { bare };
    Digest::of(plain).to_string()[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e3_texts_that_say_the_same_have_the_same_hash() {
        let same = |one: &str, other: &str| assert_eq!(normalized_hash(one), normalized_hash(other), "{one} | {other}");
        let differ = |one: &str, other: &str| assert_ne!(normalized_hash(one), normalized_hash(other), "{one} {other}");
        same("Hello world", "Hello world");
        same("Hello world", "HELLO WORLD");
        same("Hello world", "  Hello \n\t world ");
        same("Hello world", "“Hello world!”");
        same("ﬁne Ｆｕｌｌ", "fine full");
        same("Cafe\u{301}", "CAFÉ");
        differ("Hello world", "Hello, world");
        differ("日本語", "中国語");
        differ("Привет", "Пока");
        differ("!!!", "???");
        differ("_a", "a");
        differ("👍", "👎");
    }

    #[test]
    fn e3_the_hash_is_the_first_16_digits_of_sha256() {
        assert_eq!(normalized_hash("Hello world."), Digest::of("hello world").to_string()[..16]);
    }
}
