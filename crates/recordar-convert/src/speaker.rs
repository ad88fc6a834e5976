//! Speakers in a transcript: which words before a colon are a name, and the roles that names stand for.

use recordar_domain::Role;

const MAX_NAME_CHARS: usize = 40;
const MAX_NAME_WORDS: usize = 4;
/// Labels before a colon that are not speakers.
const LABELS: &str = "note notes warning caution tip hint important example examples todo summary conclusion question answer \
     ps nb subject date time from to cc bcc re fwd title topic url link source output input result error edit update step \
     http https participants";
/// Labels that describe a file: of packages, letters and settings. They may be names, but do not show that
/// anyone speaks.
const HEADERS: &str = "name version license licence author authors email mail summary description package packages platform \
     classifier keywords keyword homepage home page requires provides obsoletes depends maintainer architecture section priority \
     status id type kind key value path file files size format encoding language charset content mime metadata message received \
     return reply delivered sender host port server address phone location category categories tags tag created modified updated \
     published dynamic download project installed build resources outputs parameters settings options default usage copyright \
     standards vcs rules essential suggests recommends conflicts replaces breaks arch isbn publisher pages price total count \
     monday tuesday wednesday thursday friday saturday sunday pros cons ingredients method features requirements";
/// Prefixes that programs write in log lines.
const LEVELS: &str =
    "trace debug info notice warn warning error err critical crit fatal panic severe verbose log detail hint statement";
/// HTML tags that look like names in IRC.
const TAGS: &str =
    "li td tr th ul ol dl dt dd br hr em div span pre code html head body title table strong small sub sup";
/// Small words inside of names.
const PARTICLES: &str = "von van der den de da del di la le bin al und and";
/// Direction marks that messengers put before a line.
pub(super) const MARKS: [char; 6] = ['\u{200e}', '\u{200f}', '\u{202a}', '\u{202c}', '\u{feff}', '\u{2068}'];

/// After a time, a name may be a phone number or any nickname; but quotes occur in notices, such as
/// `Ada changed the subject to "Trip: May"`.
pub(super) fn is_messenger_name(name: &str) -> bool {
    let last = name.split(|c: char| !c.is_alphanumeric()).rfind(|word| !word.is_empty()).unwrap_or_default();
    (1..=MAX_NAME_CHARS).contains(&name.trim().chars().count())
        && !name.contains(['/', '"', '“', '„', '«'])
        && !is_listed(LEVELS, &last.to_lowercase())
}

/// A name of one word, as in IRC.
pub(super) fn is_nick(name: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "._-[]\\`^{}|".contains(c);
    let is_word = (2..=30).contains(&name.chars().count()) && name.chars().all(is_plain);
    is_word && name.contains(char::is_alphabetic) && !is_listed(TAGS, &name.to_lowercase())
}

/// `Version`, `Author-email`: typical header names.
pub(super) fn is_header(name: &str) -> bool {
    name.to_lowercase().split([' ', '-', '_']).any(|word| is_listed(HEADERS, word))
}

/// A short name of few capitalised words; or the name of a role.
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
