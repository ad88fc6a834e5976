//! The numbers and letters of a sentence that name one of several.

use super::line::Line;
use super::lists::{known, unit};
use super::tokens::Kind;

/// A number that names one of several: room 12, version 2.4, hall B.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Label {
    pub(super) head: String,
    pub(super) id: String,
    pub(super) in_subject: bool,
    pub(super) is_revoked: bool,
}

/// Reads the labels: numbers and letters behind what is numbered.
pub(super) fn labels(line: &mut Line<'_>) -> Vec<Label> {
    let mut found: Vec<Label> = Vec::new();
    for at in 0..line.tokens.len() {
        let token = &line.tokens[at];
        let before = at.checked_sub(1).map(|before| &line.tokens[before]);
        let next = line.tokens.get(at + 1);
        let has_unit = next.is_some_and(|next| unit(&next.word).is_some() && next.word != "v");
        let in_subject = at < line.verb;
        let is_number = matches!(token.kind, Kind::Number(_) | Kind::Code) && !line.used[at];
        let is_letter = token.is_capital
            && token.word.len() == 1
            && next.is_none_or(|next| !next.is_joined || next.kind == Kind::Mark);
        let head = match before {
            Some(before) if before.word == "#" && is_number => Some("#".to_owned()),
            // `SHA-1`.
            Some(before) if before.word == "-" && before.is_joined && token.is_joined && is_number && at > 1 => {
                Some(line.tokens[at - 2].key.clone())
            }
            Some(before) if matches!(before.kind, Kind::Word | Kind::Code) && (is_number || is_letter) && !has_unit => {
                let is_noun = !before.is_stop && !known(&before.key).is_weak;
                let is_of_subject =
                    in_subject && !counts(line, at) && is_noun && is_number && !known(&before.key).is_verb;
                let is_name = before.is_capital && is_noun && at > 1 && is_number && !counts(line, at);
                let is_done = before.word.ends_with("ed") || before.word.ends_with("ing");
                let is_numbered = known(&before.key).is_numbered && !is_done && !(before.is_stop && is_letter);
                (is_numbered || is_of_subject || is_name).then(|| before.key.clone())
            }
            // "Rooms 12 and 14".
            Some(before) if matches!(before.word.as_str(), "and" | "or" | ",") && is_number && at > 1 && !has_unit => {
                found
                    .last()
                    .filter(|last| last.id == line.word(at - 2) && !counts(line, at))
                    .map(|last| last.head.clone())
            }
            _ => None,
        };
        let is_version = token.kind == Kind::Code
            && token.word.trim_start_matches('v').split('.').all(|part| part.parse::<u32>().is_ok());
        if let Some(head) = head.or_else(|| is_version.then(|| "version".to_owned())) {
            let number = match token.kind {
                Kind::Number(number) => Some(number.to_string()),
                _ => None,
            };
            let id = token.word.trim_start_matches(|c: char| is_version && c == 'v');
            let id = number.unwrap_or_else(|| id.to_owned());
            found.push(Label { head, id, in_subject, is_revoked: false });
            line.take(at..at + 1);
        }
    }
    found
}

/// Whether the words behind a number are what it counts.
pub(super) fn counts(line: &Line<'_>, at: usize) -> bool {
    line.tokens.get(at + 1).is_some_and(|next| next.kind == Kind::Word && !next.is_stop && !known(&next.key).is_verb)
}
