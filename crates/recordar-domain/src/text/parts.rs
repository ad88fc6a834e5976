//! The parts of texts that have no headings: records of JSON Lines, and the rows, mails and pages that `recordar-load` writes.

use super::structure::{Label, Mark, Marks, Unstructured, json_marks};

/// What `recordar-load` puts between the pages of a PDF and between mails, as printers do.
const FORM_FEED: char = '\u{c}';

/// A part for each line that is a JSON value, with its members below. Other lines belong to the one before.
pub(super) fn json_lines(text: &str, marks: &mut Marks) -> Result<(), Unstructured> {
    let (mut at, mut index, mut is_any_valid) = (0, 0, false);
    let mut first_problem = None;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if line.trim_matches(['\u{feff}', ' ', '\t', '\r', '\n']).is_empty() {
            continue;
        }
        marks.push(Mark { at: start, depth: 1, label: Label::Index(index) });
        index += 1;
        match json_marks(text, start..at, 1, marks) {
            Ok(()) => is_any_valid = true,
            Err(problem) => first_problem = first_problem.or(Some(problem)),
        }
    }
    match first_problem.filter(|_| !is_any_valid) {
        Some(Unstructured(why)) => Err(Unstructured(format!("no line is valid JSON; the first: {why}"))),
        None => Ok(()),
    }
}

/// Rows are paragraphs of `column: value` lines.
pub(super) fn rows(text: &str, marks: &mut Marks) {
    let (mut at, mut number, mut begins) = (0, 0, true);
    for line in text.split_inclusive('\n') {
        let is_blank = line.trim().is_empty();
        if begins && !is_blank {
            number += 1;
            marks.push(Mark { at, depth: 1, label: Label::Numbered("row", number) });
        }
        begins = is_blank;
        at += line.len();
    }
}

/// Pages end with a form feed; they are counted from 1.
pub(super) fn pages(text: &str, marks: &mut Marks) {
    let mut at = 0;
    for (index, page) in text.split_inclusive(FORM_FEED).enumerate() {
        if !page.trim().is_empty() {
            marks.push(Mark { at, depth: 1, label: Label::Numbered("page", index + 1) });
        }
        at += page.len();
    }
}

/// Mails end with a form feed, and begin with their subject.
pub(super) fn mails(text: &str, marks: &mut Marks) {
    const SUBJECT: &str = "Subject: ";
    let mut at = 0;
    for mail in text.split_inclusive(FORM_FEED) {
        let body = mail.trim_start();
        let start = at + mail.len() - body.len();
        let subject = body.lines().next().and_then(|line| line.strip_prefix(SUBJECT)).map(str::trim_end);
        if let Some(subject) = subject {
            let from = start + SUBJECT.len();
            marks.push(Mark { at: start, depth: 1, label: Label::Name(from..from + subject.len()) });
        }
        at += mail.len();
    }
}

#[cfg(test)]
mod tests {
    use crate::document::FileType;
    use crate::text::Structure;

    fn check(text: &str, file_type: FileType, expected: &[(&str, &str)]) {
        let sections = Structure::of(text, file_type).unwrap().sections(text);
        for (needle, expected) in expected {
            assert_eq!(sections.at(text.find(needle).unwrap()).unwrap_or(""), *expected, "{needle}");
        }
    }

    #[test]
    fn i20_formats_lines_of_json_are_records_with_members() {
        let long = "x".repeat(80);
        let text =
            format!("\u{feff}{{\"id\": \"{long}\", \"tags\": [1]}}\n\nnot json {long}\n{{\"id\": \"b{long}\"}}\n");
        check(&text, FileType::Jsonl, &[("tags", "[0].tags"), ("b", "[2]")]);
        assert!(Structure::of("a\nb\n", FileType::Jsonl).is_err());
        assert!(Structure::of("", FileType::Jsonl).is_ok());
    }

    #[test]
    fn i20_formats_rows_pages_and_mails_are_named() {
        let first = format!("name: Ada\nnote: {}\n\n", "n".repeat(80));
        check(&format!("{first}name: Bob\n"), FileType::Csv, &[("Ada", "row 1"), ("Bob", "row 2")]);
        check("one\u{c}\u{c}three\u{c}", FileType::Pdf, &[("one", "page 1"), ("three", "page 3")]);
        let mails = "Subject: Lamp oil\nFrom: Ada\n\nhello\n\u{c}Subject: Re: Lamp oil\r\nFrom: Bob\n\nyes\n";
        check(mails, FileType::Email, &[("hello", "Lamp oil"), ("yes", "Re: Lamp oil")]);
    }
}
