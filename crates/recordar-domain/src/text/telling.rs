//! The words that a text cannot be shortened by without losing what it tells: its numbers, and its names.

/// Words with digits, and words with a capital that do not begin a sentence; without the marks around them.
pub fn telling_words(text: &str) -> impl Iterator<Item = &str> {
    let before = std::iter::once("").chain(text.split_whitespace());
    text.split_whitespace().zip(before).filter_map(|(word, before)| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        let is_number = word.chars().any(|c| c.is_ascii_digit());
        (is_number || is_name(word) && continues(before)).then_some(word)
    })
}

fn is_name(word: &str) -> bool {
    let is_pronoun = word == "I" || word.starts_with("I'") || word.starts_with("I\u{2019}");
    word.starts_with(char::is_uppercase) && !is_pronoun
}

/// Whether a word after this one is inside a sentence.
fn continues(before: &str) -> bool {
    before.ends_with(|c: char| c.is_alphanumeric() || [',', ';', '&', '\'', '\u{2019}'].contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_inside_a_sentence_tell() {
        let found: Vec<&str> =
            telling_words("Hello there! I met Ana (and I'm glad) at 5pm in New York, on May 7.").collect();
        assert_eq!(found, ["Ana", "5pm", "New", "York", "May", "7"]);
        assert_eq!(telling_words("Nothing. Here: Either").count(), 0);
    }
}
