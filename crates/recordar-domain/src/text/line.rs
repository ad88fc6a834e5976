//! Outside text in one of our lines: an error or a prompt.

/// A text on one line, truncated to a number of characters, without characters that move the cursor or change the text direction.
pub fn one_line(text: &str, most_chars: usize) -> String {
    let is_shown = |c: &char| {
        !c.is_control() && !matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let spaced = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    let plain: String = spaced.filter(is_shown).collect();
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most_chars) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_words_stay_in_their_line() {
        let check = |text: &str, most: usize, expected: &str| assert_eq!(one_line(text, most), expected, "{text:?}");
        check(" a\tb\r\n c ", 9, "a b c");
        check("x\u{1b}[2J\u{202e}y\0", 9, "x[2Jy");
        check("日本語です", 3, "日本語…");
        check("one two", 4, "one…");
        check("", 3, "");
    }
}
