//! Reads the words of a sentence that count: which are names, opposites, or what no longer holds.

use super::line::{Edge, Line, is_behind_article};
use super::lists::known;
use super::phrases::{AUXILIARIES, CLOSED, CONDITIONS, EMPTY, GENERAL, PLACES, REVOKES};
use super::read::Said;
use super::tokens::{Kind, Token};
use super::values::Measure;

/// A word that counts.
#[derive(Debug, Clone)]
pub(super) struct Word {
    pub(super) key: String,
    /// Its own stem; the key is that of all words that say the same.
    pub(super) stem: String,
    /// The word of place or direction that it stands behind.
    pub(super) slot: Option<String>,
    /// The pair of opposites that it is of, and which of both.
    pub(super) opposite: Option<(u16, bool)>,
    pub(super) kind: Option<(u16, u16)>,
    pub(super) which: Option<(u16, u16)>,
    pub(super) in_subject: bool,
    pub(super) is_name: bool,
    pub(super) is_verb: bool,
    /// The first word, where it may say what to do.
    pub(super) is_order: bool,
    /// Stands before what it tells more about: the left valve.
    pub(super) is_attribute: bool,
    /// One of several of which any will do: beer or wine.
    pub(super) is_choice: bool,
    /// What no longer holds: instead of this.
    pub(super) is_revoked: bool,
    /// What is said to be the only one.
    pub(super) is_only: bool,
    /// Says nothing of what the sentence is about: value, option.
    pub(super) is_generic: bool,
    /// Adds nothing where values are compared.
    pub(super) is_weak: bool,
}

/// At most so many words behind "instead of" are meant by it.
const MAX_REVOKED: usize = 4;

impl Said {
    pub(super) fn read_words(&mut self, line: &Line<'_>, revoked: &[bool]) {
        let is_choice = |at: usize| self.is_denied && matches!(line.word(at), "or" | "nor" | "neither");
        let mut words: Vec<Word> = Vec::new();
        let is_ended = self.days.iter().any(|day| day.edge.is_some());
        let mut only = false;
        let first = line.tokens.iter().position(|token| token.kind != Kind::Mark).unwrap_or(0);
        let mut slot: Option<usize> = None;
        let is_edged =
            self.values.iter().any(|value| matches!(value.measure, Measure::Clock(Edge::From | Edge::Until)));
        for (at, token) in line.tokens.iter().enumerate() {
            let word = token.word.as_str();
            let ends = AUXILIARIES.contains(&word) || PLACES.contains(&word) || at > 0 && known(&token.key).is_verb;
            only = closes(line, at) || only && !ends;
            if PLACES.contains(&word) {
                slot = Some(at);
            } else if token.kind == Kind::Mark || AUXILIARIES.contains(&word) {
                slot = None;
            }
            let listed = known(&token.key);
            let is_known = listed.opposite.is_some() || listed.which.is_some();
            let is_edge = (is_edged || is_ended) && line.edge != Edge::At && at == line.verb
                || is_edged && matches!(word, "open" | "closed" | "served");
            let is_auxiliary = AUXILIARIES.contains(&word) && word != "must";
            let is_empty = is_auxiliary
                || EMPTY.contains(&word) && !(token.is_capital && (at > 0 || line.verb == 1))
                || CLOSED.contains(&word)
                || GENERAL.contains(&word);
            let is_said = matches!(token.kind, Kind::Word | Kind::Code) && !line.used[at] && !is_empty;
            if !is_said || token.is_stop && !is_known || listed.is_cancel || word == "called" && self.is_cancelled {
                continue;
            }
            // "Depends on", "on Monday" and "moved up to": only at the end does it say what is.
            let next = line.tokens.get(at + 1).filter(|next| next.kind == Kind::Word);
            let is_particle = matches!(word, "on" | "off" | "up" | "down" | "before" | "after");
            let is_bare = line.tokens.get(at + 1).is_none_or(|next| next.kind == Kind::Mark)
                || !matches!(word, "on" | "off" | "up" | "down");
            if is_particle && (!is_bare || self.is_cancelled) {
                continue;
            }
            let are_names = line.tokens[..line.verb]
                .iter()
                .all(|token| token.is_capital && !token.is_stop || matches!(token.word.as_str(), "," | "and" | "or"));
            let is_name = token.is_capital
                && !token.is_stop
                && (!listed.is_weak || at > 0)
                && (at > 0 || are_names && line.verb > 0);
            let is_noun = |next: &&Token| {
                let word = next.word.as_str();
                let is_particle = is_relation(word);
                !is_particle
                    && !next.is_stop
                    && !AUXILIARIES.contains(&word)
                    && !EMPTY.contains(&word)
                    && !known(&next.key).is_weak
                    && !known(&next.key).is_verb
                    && !known(&next.key).is_past
            };
            let is_counted =
                line.tokens.get(at + 1).is_some_and(|next| matches!(next.kind, Kind::Number(_) | Kind::Code));
            let is_attribute = next.is_some_and(|next| is_noun(&next) && !line.used[at + 1]) || is_counted;
            let near = |step: usize| at.checked_sub(step).is_some_and(is_choice);
            words.push(Word {
                key: listed.alike.map_or_else(|| token.key.clone(), str::to_owned),
                opposite: listed.opposite.filter(|_| !is_edge),
                stem: token.key.clone(),
                slot: slot.map(|at| line.word(at).to_owned()),
                kind: listed.kind.filter(|_| !is_name),
                which: listed.which,
                in_subject: at < line.verb,
                is_name,
                is_verb: listed.is_verb && !is_behind_article(line.tokens, at) || at == line.verb,
                is_attribute: is_attribute && !is_particle && !is_relation(word),
                is_order: at == first && (line.verb == 0 || line.verb > 1),
                is_choice: near(1) || near(2) || is_choice(at + 1),
                is_revoked: revoked[at],
                is_only: only,
                is_weak: !is_name && (listed.is_weak || listed.is_change) || is_edge,
                is_generic: listed.is_generic,
            });
        }
        // What is numbered is no word of its own: "room" of "room 12".
        words.sort_by(|one, other| one.key.cmp(&other.key).then(other.in_subject.cmp(&one.in_subject)));
        words.dedup_by(|later, first| later.key == first.key && later.is_revoked == first.is_revoked);
        self.words = words;
    }
}

/// Whether nothing but what follows holds: "only cash", not "only if" and "can only be".
pub(super) fn closes(line: &Line<'_>, at: usize) -> bool {
    let next = line.tokens.get(at + 1).filter(|next| next.kind == Kind::Word);
    let is_noun = |next: &Token| {
        let is_article = matches!(next.word.as_str(), "the" | "a" | "an" | "of" | "in");
        is_article
            || !next.is_stop
                && !known(&next.key).is_verb
                && !CONDITIONS.contains(&next.word.as_str())
                && !AUXILIARIES.contains(&next.word.as_str())
                && !next.word.ends_with("ed")
    };
    let is_only_one = matches!(line.word(at.wrapping_sub(1)), "the" | "not" | "an");
    CLOSED.contains(&line.word(at)) && !is_only_one && next.is_some_and(is_noun)
}

/// Words that stand before what they relate to, and tell nothing more about it.
fn is_relation(word: &str) -> bool {
    matches!(word, "above" | "below" | "inside" | "outside" | "before" | "after")
}

/// Which tokens say what no longer holds: behind "instead of", and from what to what something changed.
pub(super) fn revoked(line: &Line<'_>) -> Vec<bool> {
    let mut revoked = vec![false; line.tokens.len()];
    for end in 1..=line.tokens.len() {
        let word = line.word(end - 1);
        let is_phrase = REVOKES.iter().any(|phrase| line.ends_with(end, phrase).is_some());
        let is_phrase = is_phrase || word == "but" && line.word(0) == "all";
        let is_from = line.is_change && word == "from";
        let is_replaced = matches!(word, "replaced" | "replaces") && line.word(end) != "by";
        if line.is_change && word == "by" && matches!(line.word(end.wrapping_sub(2)), "replaced") {
            (0..line.verb).for_each(|at| revoked[at] = true);
        }
        if !(is_phrase || is_from || is_replaced) {
            continue;
        }
        for (at, revoked) in revoked.iter_mut().enumerate().skip(end).take(MAX_REVOKED) {
            let token = &line.tokens[at];
            let is_article = matches!(token.word.as_str(), "the" | "a" | "an" | "of");
            let is_first = at == end && PLACES.contains(&token.word.as_str());
            let ends = token.kind == Kind::Mark
                || matches!(token.word.as_str(), "and" | "to" | "in" | "on" | "at" | "as" | "with" | "by" | "for");
            let is_verb = known(&token.key).is_verb && !token.is_stop && !is_behind_article(line.tokens, at);
            let is_end = ends && !is_first || at > end && (is_verb || AUXILIARIES.contains(&token.word.as_str()));
            if is_end && !is_article {
                break;
            }
            *revoked = true;
        }
    }
    revoked
}
