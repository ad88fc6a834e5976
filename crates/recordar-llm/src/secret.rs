//! A key, and how it is kept out of everything that is shown or stored, even if a server sends it back.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use std::fmt;

/// A provider's key. It cannot be printed; `expose` is only for the header of a request.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// Shown instead of a key.
const HIDDEN: &str = "[key]";
/// Shorter ones, such as the "none" of a local server, are not secrets, and occur in text by chance.
const MIN_HIDDEN_BYTES: usize = 8;

impl Secret {
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// Whether it is valid in a header.
    pub(crate) fn can_be_sent(&self) -> bool {
        self.0.bytes().all(|byte| byte.is_ascii_graphic())
    }

    /// The text without the key.
    pub fn hide_in(&self, text: &str) -> String {
        if self.0.len() < MIN_HIDDEN_BYTES {
            return text.to_owned();
        }
        // As it is, and percent-encoded.
        let encoded = utf8_percent_encode(&self.0, NON_ALPHANUMERIC).to_string();
        let hidden = text.replace(&self.0, HIDDEN).replace(&encoded, HIDDEN).replace(&encoded.to_lowercase(), HIDDEN);
        if hidden.contains('\\') { self.hide_escaped(&hidden) } else { hidden }
    }

    /// Hides the key also in its JSON escapes: a reply is later parsed as JSON, and is stored as it is in a cassette.
    fn hide_escaped(&self, text: &str) -> String {
        let (mut hidden, mut rest) = (String::with_capacity(text.len()), text);
        while let Some(next) = rest.chars().next() {
            if let Some(after) = self.0.chars().try_fold(rest, after_spelled) {
                hidden.push_str(HIDDEN);
                rest = after;
            } else {
                hidden.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
        hidden
    }
}

/// The rest of a text after its first character, if that is the given one, literally or escaped as in JSON.
fn after_spelled(text: &str, character: char) -> Option<&str> {
    let in_utf16 = || {
        character.encode_utf16(&mut [0; 2]).iter().try_fold(text, |text, unit| {
            let (digits, rest) = text.strip_prefix("\\u")?.split_at_checked(4)?;
            (u16::from_str_radix(digits, 16) == Ok(*unit)).then_some(rest)
        })
    };
    let escaped = || text.strip_prefix('\\').filter(|_| matches!(character, '"' | '\\' | '/'))?.strip_prefix(character);
    in_utf16().or_else(escaped).or_else(|| text.strip_prefix(character))
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

/// Hides a key in a text that comes in pieces: the end of a piece that may be the start of the key is held back.
pub(crate) struct Hiding<'a> {
    secret: Option<&'a Secret>,
    waiting: String,
}

impl<'a> Hiding<'a> {
    pub(crate) fn new(secret: Option<&'a Secret>) -> Self {
        Self { secret, waiting: String::new() }
    }

    pub(crate) fn take(&mut self, piece: &str) -> String {
        let Some(secret) = self.secret else { return piece.to_owned() };
        self.waiting.push_str(piece);
        self.waiting = secret.hide_in(&self.waiting);
        let key = &secret.0;
        let longest = (1..key.len()).rev().find(|&n| key.is_char_boundary(n) && self.waiting.ends_with(&key[..n]));
        let keep = if key.len() < MIN_HIDDEN_BYTES { 0 } else { longest.unwrap_or(0) };
        let rest = self.waiting.split_off(self.waiting.len() - keep);
        std::mem::replace(&mut self.waiting, rest)
    }

    pub(crate) fn end(&mut self) -> String {
        std::mem::take(&mut self.waiting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_hidden_however_it_is_cut() {
        let secret = Secret::new("sk-0123456789");
        let text = "a sk-0123456789 b sk-01 c sk-0123456789sk-0123456789";
        for size in 1..20 {
            let mut hiding = Hiding::new(Some(&secret));
            let pieces: Vec<char> = text.chars().collect();
            let mut shown: String =
                pieces.chunks(size).map(|piece| hiding.take(&piece.iter().collect::<String>())).collect();
            shown.push_str(&hiding.end());
            assert_eq!(shown, "a [key] b sk-01 c [key][key]", "in pieces of {size}");
        }
        assert_eq!(format!("{secret:?}"), "[key]");
        let spelled: String = "sk-0123456789".chars().map(|c| format!("\\u{:04X}", u32::from(c))).collect();
        assert_eq!(
            secret.hide_in(&format!("a\\n{spelled}b \\u0073k-0123456789 \\u0073k-012")),
            "a\\n[key]b [key] \\u0073k-012"
        );
        assert_eq!(Secret::new("a/b\"c\\dé😀").hide_in(r#"a\/b\"c\\d\u00e9\ud83d\uDE00"#), "[key]");
        assert_eq!(Secret::new("ab\\cd/ef+gh").hide_in(r"ab\u005ccd/ef+gh ab%5Ccd%2Fef%2Bgh"), "[key] [key]");
        assert_eq!(Secret::new("none").hide_in("nonetheless"), "nonetheless");
    }
}
