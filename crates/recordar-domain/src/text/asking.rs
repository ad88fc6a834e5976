//! Whom and which time a question in English is about, as far as single words tell.

use super::each_word;

const FIRST_PERSON: [&str; 17] = [
    "i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "i'm", "i've", "i'd", "i'll", "we're", "we've",
    "we'd", "we'll",
];
const SECOND_PERSON: [&str; 3] = ["you", "your", "yours"];
/// Words of a question about what is no more.
const FORMER: [&str; 11] = [
    "before",
    "previously",
    "formerly",
    "former",
    "previous",
    "originally",
    "initially",
    "earlier",
    "was",
    "were",
    "past",
];

/// Receipts of quotations are verified with these words: other ones need another rule of quoting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asking {
    /// The one who asks: "Where do I live?".
    pub of_oneself: bool,
    /// The one who is asked: "What did you suggest?".
    pub of_the_other: bool,
    /// What is no more: "Where did I live before?".
    pub of_the_past: bool,
}

impl Asking {
    pub fn of(question: &str) -> Self {
        let mut words: Vec<String> = Vec::new();
        each_word(question, |word| words.push(word.to_lowercase().replace('\u{2019}', "'")));
        let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        let used_to = words.windows(2).any(|pair| pair == ["used", "to"]);
        Self { of_oneself: has(&FIRST_PERSON), of_the_other: has(&SECOND_PERSON), of_the_past: used_to || has(&FORMER) }
    }
}

#[cfg(test)]
mod tests {
    use super::Asking;

    #[test]
    fn i44_a_question_is_about_oneself_another_or_the_past() {
        let check = |question: &str, expected: [bool; 3]| {
            let Asking { of_oneself, of_the_other, of_the_past } = Asking::of(question);
            assert_eq!([of_oneself, of_the_other, of_the_past], expected, "{question}");
        };
        check("Where do I live?", [true, false, false]);
        check("What\u{2019}s on when I\u{2019}m home?", [true, false, false]);
        check("What did YOU tell me?", [true, true, false]);
        check("Where did Ana live before?", [false, false, true]);
        check("Where did we use to live, and used to work?", [true, false, true]);
        check("", [false, false, false]);
    }
}
