//! The tokens of a sentence while it is read, and where its verb is.

use super::lists::known;
use super::phrases::{AUXILIARIES, PRONOUNS};
use super::tokens::{Kind, Token};

/// Whether a time is when something is, or begins or ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edge {
    At,
    From,
    Until,
}

/// The tokens of a sentence, and which of them have been read.
pub(super) struct Line<'a> {
    pub(super) tokens: &'a [Token],
    pub(super) used: Vec<bool>,
    /// The tokens before it are what the sentence is about.
    pub(super) verb: usize,
    /// Whether it says that something changed, so that "from 3 to 5" is no range.
    pub(super) is_change: bool,
    /// Whether its verb says that something begins or ends.
    pub(super) edge: Edge,
}

impl Line<'_> {
    pub(super) fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.word.as_str())
    }

    /// The words before a token, if they are these.
    pub(super) fn ends_with(&self, end: usize, phrase: &str) -> Option<usize> {
        let length = phrase.split(' ').count();
        let start = end.checked_sub(length)?;
        phrase.split(' ').enumerate().all(|(place, word)| self.word(start + place) == word).then_some(start)
    }

    pub(super) fn take(&mut self, tokens: std::ops::Range<usize>) {
        tokens.for_each(|at| {
            if let Some(used) = self.used.get_mut(at) {
                *used = true;
            }
        });
    }

    pub(super) fn amount(&self, at: usize) -> Option<f64> {
        match self.tokens.get(at)?.kind {
            Kind::Number(value) if !self.used[at] => Some(value),
            _ => None,
        }
    }
}

/// Where what a sentence says of its subject begins: at its verb.
pub(super) fn verb(tokens: &[Token]) -> (usize, bool) {
    let auxiliary = tokens.iter().position(|token| AUXILIARIES.contains(&token.word.as_str()));
    let is_verb = |at: &usize| {
        let (token, before) = (&tokens[*at], &tokens[at - 1]);
        let may_follow = before.kind != Kind::Word
            || !matches!(before.word.as_str(), "the" | "a" | "an" | "of" | "to" | "for" | "in" | "with" | "and" | "or");
        let is_inflected =
            token.word.ends_with('s') || token.word.ends_with("ed") || !is_regular(token) || known(&token.key).is_past;
        let is_plural = before.word.ends_with('s') || PRONOUNS.contains(&before.word.as_str());
        token.kind == Kind::Word && is_verb_stem(token) && may_follow && (is_inflected || is_plural)
    };
    // "Reads the file" says what something does, not what holds of it.
    if tokens.first().is_some_and(|first| is_verb_stem(first) && first.word.ends_with('s') && !first.is_stop) {
        return (0, false);
    }
    let listed = (1..tokens.len()).find(is_verb);
    // "Room 12: 20 seats."
    let colon = tokens.iter().position(|token| token.word == ":");
    let found = [auxiliary, listed, colon].into_iter().flatten().min();
    let is_order = tokens.first().is_some_and(is_verb_stem);
    found.map(|at| (at, true)).unwrap_or_else(|| {
        // "The keeper feeds the cat": the last word before an article is the verb.
        let article = tokens.iter().skip(1).position(|token| {
            matches!(token.word.as_str(), "the" | "a" | "an" | "at" | "on" | "in" | "to" | "for" | "with")
                || matches!(token.kind, Kind::Number(_) | Kind::Clock(_))
        });
        let at = article.filter(|article| *article > 0).unwrap_or(0);
        let is_verb =
            at > 0 && (tokens[at].word.ends_with("ed") || tokens[at].word.ends_with('s')) && !tokens[at].is_stop;
        (at, is_order || is_verb)
    })
}

/// Whether a word that may be a verb is a noun here.
pub(super) fn is_behind_article(tokens: &[Token], at: usize) -> bool {
    at > 0 && matches!(tokens[at - 1].word.as_str(), "the" | "a" | "an" | "of" | "our" | "my" | "no")
}

fn is_verb_stem(token: &Token) -> bool {
    let listed = known(&token.key);
    listed.is_verb || listed.is_change || listed.is_cancel || listed.is_agent
}

/// Whether a word is spelled as its stem, as bare verbs and nouns are.
fn is_regular(token: &Token) -> bool {
    token.word == token.key || token.word.strip_suffix('e') == Some(token.key.as_str())
}
