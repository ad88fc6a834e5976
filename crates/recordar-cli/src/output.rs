//! Printed output. Outside text is never sent to a terminal with its control characters.

use comfy_table::{Cell, ContentArrangement, Table, presets};
use recordar::{Error, OperationId};
use serde::Serialize;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::io::{ErrorKind, IsTerminal, Write};
use std::process::ExitCode;

pub(crate) struct Output {
    pub(crate) is_json: bool,
    pub(crate) is_quiet: bool,
    /// The current write, so that an error can say how to repeat it safely.
    operation: OnceCell<OperationId>,
}

impl Output {
    pub(crate) fn new(is_json: bool, is_quiet: bool) -> Self {
        Self { is_json, is_quiet, operation: OnceCell::new() }
    }

    pub(crate) fn begin(&self, operation: &OperationId) {
        let _ = self.operation.set(operation.clone());
    }

    /// Prints the JSON document with sorted keys, or else calls `text`.
    pub(crate) fn result(&self, value: &impl Serialize, text: impl FnOnce(&Self)) {
        if self.is_json {
            self.line(&format!("{:#}", serde_json::json!(value)));
        } else {
            text(self);
        }
    }

    pub(crate) fn line(&self, text: &str) {
        self.raw(&format!("{text}\n"));
    }

    /// Prints text exactly.
    pub(crate) fn raw(&self, text: &str) {
        let is_terminal = std::io::stdout().is_terminal();
        Self::write(&if is_terminal { printable(text, &['\n', '\t']) } else { Cow::Borrowed(text) });
    }

    /// A closed pipe (`| head`) is not an error.
    fn write(shown: &str) {
        let mut stdout = std::io::stdout().lock();
        if let Err(error) = stdout.write_all(shown.as_bytes()).and_then(|()| stdout.flush()) {
            if error.kind() != ErrorKind::BrokenPipe {
                complain(&format!("the output cannot be written: {error}"));
            }
            std::process::exit(i32::from(error.kind() != ErrorKind::BrokenPipe));
        }
    }

    /// A text whose sentences are bold, each after the one before, if it goes to a terminal that may have colours.
    pub(crate) fn marked(&self, text: &str, sentences: &[&str]) {
        let is_plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match std::io::stdout().is_terminal() && !is_plain {
            true => Self::write(&format!("{}\n", bold(text, sentences))),
            false => self.line(text),
        }
    }

    /// A warning, shown even with `--quiet`.
    pub(crate) fn warn(&self, text: &str) {
        if !self.is_json {
            complain(text);
        }
    }

    pub(crate) fn hint(&self, text: &str) {
        if !self.is_quiet && !self.is_json {
            complain(text);
        }
    }

    pub(crate) fn table(&self, header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled).set_header(header);
        for row in rows {
            table.add_row(row.iter().map(|cell| Cell::new(printable(cell, &[]))));
        }
        for line in table.lines() {
            self.line(line.trim_end());
        }
    }

    pub(crate) fn error(&self, error: &Error) {
        if self.is_json {
            let mut document = serde_json::json!({
                "error": {"code": error.code(), "what": error.to_string(), "remedy": error.remedy()}
            });
            if let Some((name, details)) = error.details() {
                document["error"][name] = details;
            }
            if let Some(operation) = self.operation.get() {
                document["error"]["operation"] = operation.as_str().into();
            }
            self.line(&format!("{document:#}"));
        } else {
            complain(&format!("error: {error}"));
            complain(&format!("  try: {}", error.remedy()));
            if let (Some(operation), Error::Store(error)) = (self.operation.get(), error)
                && !error.is_yours()
            {
                complain(&format!("  to retry safely, add --operation {operation}"));
            }
        }
    }
}

/// An invalid command line, or a request for help. With `--json` the error is JSON, unless standard output belongs to a
/// protocol.
pub(crate) fn misused(error: &clap::Error) -> ExitCode {
    let words: Vec<_> = std::env::args_os().skip(1).take_while(|word| word != "--").collect();
    let wants_json = words.iter().any(|word| word == "--json") && !words.iter().any(|word| word == "mcp");
    if wants_json && error.use_stderr() {
        let told = error.to_string();
        // The rest is usage, for people.
        let mistake = told.split("\n\nUsage:").next().unwrap_or_default();
        let mistake = mistake.split("\n\nFor more information").next().unwrap_or_default();
        let lines: Vec<&str> = mistake.split_whitespace().collect();
        let what = lines.join(" ");
        let remedy = "see `recordar --help` or `recordar COMMAND --help`";
        let problem = Error::input("invalid", what.trim_start_matches("error: "), remedy);
        Output::new(true, true).error(&problem);
    } else {
        let _ = error.print();
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// Prints to standard error.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", printable(text, &['\n', '\t']));
}

/// The text with its control characters escaped, except for the given ones.
pub(crate) fn printable<'a>(text: &'a str, kept: &[char]) -> Cow<'a, str> {
    let is_hidden = |c: char| {
        c.is_control() && !kept.contains(&c) || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_hidden(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// Printable text with its sentences in bold, each after the one before.
fn bold(text: &str, sentences: &[&str]) -> String {
    let (mut shown, mut rest) = (String::with_capacity(text.len()), text);
    for sentence in sentences.iter().filter(|sentence| !sentence.is_empty()) {
        let Some((before, after)) = rest.split_once(sentence) else { continue };
        shown.extend([
            &printable(before, &['\n', '\t']),
            "\u{1b}[1m",
            &printable(sentence, &['\n', '\t']),
            "\u{1b}[0m",
        ]);
        rest = after;
    }
    shown + &printable(rest, &['\n', '\t'])
}

/// A number of bytes in human-readable form.
pub(crate) fn bytes(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}

/// A number with its noun.
pub(crate) fn plural(count: u64, noun: &str) -> String {
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_move_the_cursor() {
        assert_eq!(printable("a\u{1b}[2Jb\nc", &[]), "a\\u{1b}[2Jb\\nc");
        assert_eq!(printable("plain 日本 👩‍👩‍👧", &[]), "plain 日本 👩‍👩‍👧");
        assert_eq!(printable("x\u{202e}y", &['\n']), "x\\u{202e}y");
    }
}
