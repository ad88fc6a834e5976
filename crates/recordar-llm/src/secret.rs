//! A key, and how it is kept out of everything that is shown or stored, even where a server sends it back.

use std::fmt;

/// A key of a provider. It has no way to be printed; `expose` is for the header of a request alone.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// What is shown in a key's place.
const HIDDEN: &str = "[key]";
/// Shorter ones, such as the "none" of a local server, are no secrets, and words hold them by chance.
const MIN_HIDDEN_BYTES: usize = 8;

impl Secret {
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    pub(crate) fn expose(&self) -> &str {
        &self.0
    }

    /// The text without the key.
    pub fn hide_in(&self, text: &str) -> String {
        if self.0.len() < MIN_HIDDEN_BYTES { text.to_owned() } else { text.replace(&self.0, HIDDEN) }
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

/// Hides a key in a text that comes in pieces: the end of a piece that may be the beginning of the key waits for the next.
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
        assert_eq!(Secret::new("none").hide_in("nonetheless"), "nonetheless");
    }
}
