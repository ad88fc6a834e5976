//! Marks stored text in replies: every line of a text has a prefix, and every name is in quotation marks, so that no stored
//! text can pass for a hit, a turn, a heading or a citation of ours. Pure.

use serde_json::Value;

/// Characters that may be read as a line break.
const BREAKS: [char; 10] =
    ['\n', '\r', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'];
const MARK: &str = "> ";

/// A text with every line marked.
pub(crate) fn lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let marked: Vec<String> = text.trim_end_matches(BREAKS).split(BREAKS).map(|line| format!("{MARK}{line}")).collect();
    marked.join("\n")
}

/// A name, as JSON writes it.
pub(crate) fn name(name: &str) -> String {
    json(&Value::from(name))
}

/// Names from the root to the leaf.
pub(crate) fn path<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(name).collect::<Vec<_>>().join(" > ")
}

/// JSON on one line, whatever its reader treats as a line break.
pub(crate) fn json(value: &Value) -> String {
    let written = value.to_string();
    if !written.contains(|c: char| c.is_control() || BREAKS.contains(&c)) {
        return written;
    }
    // Such characters occur only in strings.
    written
        .chars()
        .map(|c| match c.is_control() || BREAKS.contains(&c) {
            true => format!("\\u{:04x}", u32::from(c)),
            false => c.to_string(),
        })
        .collect()
}

/// Our own text, which may contain stored names, on one line.
pub(crate) fn one_line(words: &str) -> String {
    words.split(BREAKS).map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a12_no_line_of_a_text_stands_by_itself() {
        let check = |text: &str, expected: &str| assert_eq!(lines(text), expected);
        check("", "> ");
        check("one", "> one");
        check("one\r\ntwo\rthree\u{2028}four\u{85}five\n\n", "> one\n> two\n> three\n> four\n> five");
        check("a\n\nb", "> a\n> \n> b");
    }

    #[test]
    fn a12_a_name_stands_on_one_line_in_quotation_marks() {
        assert_eq!(name("Ada \"B\"\n\u{2028}x\u{85}"), r#""Ada \"B\"\n\u2028x\u0085""#);
        let back: String = serde_json::from_str(&name("Ada \"B\"\n\u{2028}x\u{85}\u{7f}")).unwrap();
        assert_eq!(back, "Ada \"B\"\n\u{2028}x\u{85}\u{7f}");
        assert_eq!(path(["a", "b > c"]), r#""a" > "b > c""#);
    }
}
