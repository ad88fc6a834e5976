//! Reads what a sentence says: what it is about, what it denies, and what held before.

use super::days::{Day, days};
use super::labels::{Label, labels};
use super::line::{Edge, Line, verb};
use super::lists::known;
use super::phrases::{
    AUXILIARIES, CONDITIONS, COPULAS, DEFINITE, DEMANDS, DENIALS, GENERAL, NO_DENIALS, NOT_ALL, PLACES, POINTING,
    REMARKS,
};
use super::tokens::{Kind, MAX_TOKENS, Token, tokens};
use super::values::{Value, values};
use super::words::{Word, closes, revoked};
use crate::stems::Reader;
use recordar_domain::text::Language;

/// What a sentence says.
#[derive(Debug, Clone, Default)]
pub(super) struct Said {
    pub(super) words: Vec<Word>,
    pub(super) values: Vec<Value>,
    pub(super) labels: Vec<Label>,
    pub(super) days: Vec<Day>,
    pub(super) is_denied: bool,
    /// It holds for all or always; or, if denied, for none or never.
    pub(super) is_general: bool,
    /// Nothing else holds: only, exactly, consists of.
    pub(super) is_closed: bool,
    /// It holds under a condition, or may hold.
    pub(super) is_conditional: bool,
    pub(super) is_past: bool,
    /// It says that something changed.
    pub(super) is_change: bool,
    /// It says that something will not be.
    pub(super) is_cancelled: bool,
    /// It is about one thing that is known: the pump, our pump, Ada.
    pub(super) is_definite: bool,
    /// Its verb is one that is said of one value at a time.
    pub(super) is_single: bool,
    /// It asks for something: must, required.
    pub(super) is_demand: bool,
    pub(super) is_future: bool,
    /// It says what something is.
    pub(super) is_copula: bool,
    pub(super) is_question: bool,
    /// It says what there is, one after the other.
    pub(super) is_list: bool,
    /// A heading or an item of a list, which may be no statement.
    pub(super) is_fragment: bool,
    /// It has no verb that is known, or only says what something does.
    pub(super) is_verbless: bool,
    /// What it is about stands in another sentence: it, this.
    pub(super) is_pointing: bool,
    /// It denies something of all: nobody.
    pub(super) is_nobody: bool,
    /// Its verb says where something is or goes.
    pub(super) is_placed: bool,
    /// Its verb is one of what is done once.
    pub(super) is_once: bool,
}

pub(super) fn read(sentence: &str, language: Language, reader: &mut Reader) -> Said {
    let mut tokens = tokens(unnumbered(sentence), language, reader);
    if !is_prose(sentence, &tokens) {
        return Said::default();
    }
    let is_question = tokens.last().is_some_and(|last| last.word == "?");
    if let Some(end) = remark(&tokens) {
        tokens.truncate(end);
    }
    let (verb, has_verb) = verb(&tokens);
    let is_change = tokens.iter().enumerate().any(|(at, token)| {
        at >= verb
            && known(&token.key).is_change
            && (at == verb || !token.word.ends_with('s') && !token.word.ends_with("ion"))
    });
    let edge = match tokens.get(verb).map_or("", |token| token.word.as_str()) {
        "starts" | "start" | "begins" | "begin" | "opens" | "started" | "began" | "opened" => Edge::From,
        "ends" | "end" | "closes" | "close" | "finishes" | "expires" | "ended" | "closed" => Edge::Until,
        _ => Edge::At,
    };
    let mut line = Line { used: vec![false; tokens.len()], tokens: &tokens, verb, is_change, edge };
    let is_item = sentence.starts_with(['-', '*', '+', '#', '>', '|', '<', '`']);
    let is_fragment =
        sentence.starts_with('#') || sentence.ends_with("...") || is_item && !sentence.ends_with(['.', '!']);
    let first = tokens.iter().find(|token| token.kind != Kind::Mark).map_or("", |token| token.word.as_str());
    // "It is possible to pay" is about paying.
    let is_expletive = first == "it" && tokens.iter().skip(2).any(|token| token.word == "to");
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let is_default = word(1) == "default"
        && tokens.get(2).is_none_or(|next| next.is_stop || AUXILIARIES.contains(&next.word.as_str()));
    let is_this = tokens[..verb].iter().any(|token| matches!(token.word.as_str(), "this" | "these" | "such"));
    let is_pointing = is_default
        || is_this
        || POINTING.contains(&first) && !is_expletive
        || sentence.ends_with(':')
        || sentence.contains("(default")
        || tokens.iter().any(|token| token.word == "following");
    let mut said = Said { is_change, is_question, is_fragment, is_pointing, is_verbless: !has_verb, ..Said::default() };
    said.days = days(&mut line);
    said.labels = labels(&mut line);
    said.values = values(&mut line);
    said.read_denials(&mut line);
    said.read_flags(&line);
    let revoked = revoked(&line);
    said.read_words(&line, &revoked);
    said.read_single(&line);
    said.turn_around(&line);
    said
}

/// A sentence without the number or the mark that it is listed by.
fn unnumbered(sentence: &str) -> &str {
    let behind = sentence.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = (1..=3).contains(&(sentence.len() - behind.len()));
    match behind.strip_prefix(['.', ')']) {
        Some(rest) if is_number && rest.starts_with(char::is_whitespace) => rest.trim_start(),
        _ => sentence.trim_start_matches(['-', '*', '+', '>', '#', ' ', '•']),
    }
}

/// Tables, code and lists of values are not read.
fn is_prose(sentence: &str, tokens: &[Token]) -> bool {
    let is_mark = |token: &&Token| token.kind == Kind::Mark && !matches!(token.word.as_str(), "%" | "€" | "$" | "°");
    let marks = tokens.iter().filter(is_mark).count();
    let numbers = tokens.iter().filter(|token| !matches!(token.kind, Kind::Mark | Kind::Word)).count();
    let is_table = sentence.matches('|').count() > 1;
    let is_code =
        ["```", "://", " = ", "=>", "()", " /", "{", "}", "~~", "<", "**"].iter().any(|code| sentence.contains(code))
            || sentence.starts_with('$')
            || sentence.matches(": ").count() > 1
            || sentence.ends_with(';');
    !is_table && !is_code && tokens.len() < MAX_TOKENS && marks * 2 <= tokens.len() && numbers * 3 <= tokens.len() * 2
}

/// Where a reason or a remark begins, which is not compared.
fn remark(tokens: &[Token]) -> Option<usize> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let is_except =
        |at: usize| matches!(word(at - 1), "nobody" | "one" | "everyone" | "all" | "nothing") || word(0) == "all";
    let colon =
        (verb(tokens).0 + 2..tokens.len()).find(|at| word(*at) == ":" && *at + 1 < tokens.len() || word(*at) == ";");
    let end = colon.unwrap_or(tokens.len());
    let found = (2..end).filter(|at| !is_except(*at)).find(|at| {
        REMARKS.iter().any(|phrase| phrase.split(' ').enumerate().all(|(place, own)| word(at + place) == own))
    });
    found.or(colon)
}

/// "Every day" is always.
fn word_is_every_day(line: &Line<'_>, at: usize) -> bool {
    line.word(at) == "every" && line.word(at + 1) == "day"
}

impl Said {
    fn read_denials(&mut self, line: &mut Line<'_>) {
        let mut denials = 0;
        for at in 0..line.tokens.len() {
            if line.used[at] {
                continue;
            }
            if word_is_every_day(line, at) {
                self.is_general = true;
                line.take(at..at + 2);
                continue;
            }
            let phrase = |phrases: &[&'static str]| {
                phrases.iter().copied().find(|phrase| {
                    let end = at + phrase.split(' ').count();
                    line.ends_with(end, phrase) == Some(at)
                })
            };
            if let Some(phrase) = phrase(NO_DENIALS) {
                line.take(at..at + phrase.split(' ').count());
                continue;
            }
            if phrase(NOT_ALL).is_some() {
                self.is_general = false;
                self.is_conditional = true;
                line.take(at..at + 2);
                continue;
            }
            let word = line.word(at);
            if word == "longer" && line.word(at.wrapping_sub(1)) == "no" || word == "anymore" {
                self.is_change = true;
                line.take(at..at + 1);
                continue;
            }
            let is_word = line.tokens[at].kind == Kind::Word;
            let is_stopped = matches!(word, "stopped" | "ceased") && line.word(at + 1).ends_with("ing")
                || word == "against" && matches!(line.word(at.wrapping_sub(1)), "decided" | "voted");
            self.is_change |= is_stopped;
            let is_denial = is_stopped || DENIALS.contains(&word) || word.ends_with("n't");
            let is_second = word == "nor" && denials > 0 || word == "no" && denials > 0 && at + 1 == line.tokens.len();
            self.is_general |= GENERAL.contains(&word);
            if is_word && is_denial {
                denials += usize::from(!is_second);
                line.take(at..at + 1);
            }
        }
        self.is_denied = denials % 2 == 1;
    }

    fn read_flags(&mut self, line: &Line<'_>) {
        for (at, token) in line.tokens.iter().enumerate() {
            let word = token.word.as_str();
            self.is_closed |= closes(line, at);
            self.is_conditional |= CONDITIONS.contains(&word) && !line.used[at];
            self.is_demand |= DEMANDS.contains(&word);
            self.is_future |= word == "will";
            self.is_copula |= COPULAS.contains(&word);
            let listed = known(&token.key);
            self.is_nobody |= word == "one" && line.word(at.wrapping_sub(1)) == "no";
            self.is_nobody |= matches!(word, "nobody" | "none");
            self.is_past |= known(word).is_past && (at == line.verb || !known(&token.key).is_verb);
            self.is_cancelled |= at >= line.verb && listed.is_cancel;
            self.is_cancelled |= word == "off" && line.word(at.wrapping_sub(1)) == "called";
        }
        // What was put off without a new day no longer has one.
        let is_put_off = line.tokens.iter().any(|token| matches!(token.word.as_str(), "postponed" | "delayed"));
        self.is_cancelled |= is_put_off && self.days.is_empty() && self.values.is_empty();
        let first = line.tokens.first().map_or("", |token| token.word.as_str());
        let is_name = line.tokens.first().is_some_and(|token| token.is_capital && !token.is_stop) && line.verb > 0;
        let is_one = |verb: &str| verb.ends_with('s') || !line.word(line.verb.wrapping_sub(1)).ends_with('s');
        let has_article = line.tokens[..line.verb].iter().any(|token| DEFINITE.contains(&token.word.as_str()));
        self.is_definite = DEFINITE.contains(&first) || has_article || is_name && is_one(line.word(line.verb));
        self.is_past |=
            line.tokens.get(line.verb).is_some_and(|verb| verb.word.ends_with("ed") && verb.word != verb.key);
        let is_stopped = |pair: &[Token]| {
            matches!(pair[0].word.as_str(), "was" | "were" | "been" | "be")
                && matches!(pair[1].word.as_str(), "dropped" | "removed" | "stopped" | "deleted" | "ended")
        };
        self.is_cancelled |= line.tokens.windows(2).any(is_stopped);
    }

    /// Whether its verb is one that is said of one value at a time.
    fn read_single(&mut self, line: &Line<'_>) {
        let after = line.tokens.iter().skip(line.verb);
        let listed = after.clone().any(|token| known(&token.key).is_single);
        let main = |token: &Token| !token.is_stop && !AUXILIARIES.contains(&token.word.as_str());
        let place = line.tokens.iter().skip(line.verb + 1).take(2).any(|token| PLACES.contains(&token.word.as_str()));
        let verb = after.clone().find(|token| main(token) || PLACES.contains(&token.word.as_str()));
        self.is_placed = verb.is_some_and(|verb| known(&verb.key).is_single || known(&verb.key).is_change)
            || self.is_change
            || place && self.is_copula;
        let and = line.tokens.iter().skip(line.verb).any(|token| token.word == "and");
        self.is_list = matches!(line.word(line.verb), "are" | "were" | "consists") && and && self.is_definite;
        self.is_once = after.clone().any(|token| known(&token.key).is_once);
        let is_by = line.tokens.windows(2).any(|pair| pair[0].word == "by" && pair[1].is_capital);
        self.is_single = self.is_copula || listed || is_by;
        let also = ["also", "too", "another", "among"];
        let is_one_of = line.tokens.windows(2).any(|pair| pair[0].word == "one" && pair[1].word == "of");
        self.is_single &= !is_one_of && !line.tokens.iter().any(|token| also.contains(&token.word.as_str()));
    }

    /// "Ada is the keeper" says of the keeper who it is.
    fn turn_around(&mut self, line: &Line<'_>) {
        let verb = line.word(line.verb);
        let is_agent = line.tokens.get(line.verb).is_some_and(|token| known(&token.key).is_agent);
        let is_been = verb == "has" && line.word(line.verb + 1) == "been";
        let object = line.verb + 1 + usize::from(is_been);
        let is_thing = DEFINITE.contains(&line.word(object))
            || is_agent && line.tokens.get(object).is_some_and(|object| object.is_capital);
        let is_turned = (matches!(verb, "is" | "was") || is_been || is_agent)
            && is_thing
            && (1..=3).contains(&line.verb)
            && line.tokens[..line.verb].iter().all(|token| token.is_capital && !token.is_stop);
        if is_turned {
            self.words.iter_mut().for_each(|word| word.in_subject = !word.in_subject);
            self.is_definite = true;
            self.is_single |= is_agent;
        }
    }
}
