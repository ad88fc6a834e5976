//! Who speaks in a transcript: what is a name before a colon and what is not, and the roles that names stand for.

use recordar_domain::Role;

const MAX_NAME_CHARS: usize = 40;
const MAX_NAME_WORDS: usize = 4;
/// Words that begin lines with a colon and speak to nobody.
const LABELS: &str = "note notes warning caution tip hint important example examples todo summary conclusion question answer \
     ps nb subject date time from to cc bcc re fwd title topic url link source output input result error edit update step \
     http https participants";
/// Small words inside of names.
const PARTICLES: &str = "von van der den de da del di la le bin al und and";
/// Marks of direction, which messengers put before a line.
pub(super) const MARKS: [char; 6] = ['\u{200e}', '\u{200f}', '\u{202a}', '\u{202c}', '\u{feff}', '\u{2068}'];

/// After a time a name may be a telephone number or whatever its owner calls himself; but quotes are of notices, such as
/// `Ada changed the subject to "Trip: May"`.
pub(super) fn is_messenger_name(name: &str) -> bool {
    (1..=MAX_NAME_CHARS).contains(&name.trim().chars().count()) && !name.contains(['/', '"', '“', '„', '«'])
}

/// A short name of few words that begin large, as names do; or the name of a role.
pub(super) fn is_name(name: &str) -> bool {
    let is_short = name.chars().count() <= MAX_NAME_CHARS && name.split_whitespace().count() <= MAX_NAME_WORDS;
    let is_upright = |c: char| c.is_alphabetic() && !c.is_lowercase();
    let is_word = |word: &str| {
        word.starts_with(|c: char| is_upright(c) || c.is_numeric() || c == '(') || is_listed(PARTICLES, word)
    };
    let is_plain = |c: char| c.is_alphanumeric() || " .-_'’()&".contains(c);
    let first = name.split_whitespace().next().unwrap_or_default().to_lowercase();
    role(name).is_some()
        || (is_short
            && name.starts_with(is_upright)
            && name.chars().all(is_plain)
            && name.split_whitespace().all(is_word)
            && !is_listed(LABELS, first.trim_end_matches('.')))
}

fn is_listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|listed| listed == word)
}

/// The role that a name stands for, and whether it is a name all the same.
pub(super) fn role(name: &str) -> Option<(Role, bool)> {
    let name = name.trim().to_lowercase();
    let name = name.strip_suffix(" said").unwrap_or(&name);
    match name {
        "user" | "human" | "you" | "me" => Some((Role::User, false)),
        "assistant" | "ai" | "bot" => Some((Role::Assistant, false)),
        "chatgpt" | "claude" | "gemini" | "copilot" => Some((Role::Assistant, true)),
        "system" => Some((Role::System, false)),
        "tool" => Some((Role::Tool, false)),
        _ => None,
    }
}

/// The role, and the name where it says more than the role.
pub(super) fn who(name: &str) -> (Role, Option<&str>) {
    let name = name.trim().trim_start_matches('~').trim_matches(MARKS).trim();
    match role(name) {
        Some((role, true)) => (role, name.split_whitespace().next()),
        Some((role, false)) => (role, None),
        None => (Role::User, Some(name)),
    }
}
