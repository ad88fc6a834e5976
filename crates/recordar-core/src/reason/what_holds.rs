//! The built-in answer to a plain question about somebody: what holds by what people said of themselves and of each other, in a sentence. Things change:
//! the latest statement counts, and what it replaced is cited too.

use super::answer::{Answer, Quote};
use super::built_in_facts::{Ending, built_in_facts, endings, is_relation};
use super::quotation::imagines;
use crate::guard::Evidence;
use recordar_domain::text::{Asked, When, Whose, asked, one_name, sentence_ends};
use recordar_domain::{Timestamp, plain};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::ops::Range;

/// What "I" is called where nobody has a name.
const USER: &str = "user";
const DRIVES: &str = "drives";
/// Where an excerpt was cut.
const CUT: &str = "...";
/// Of a telephone number.
const MIN_DIGITS: usize = 5;
/// Who is somebody's, and asked for by role rather than by name.
const ROLES: [&str; 8] = ["dentist", "doctor", "boss", "manager", "therapist", "landlord", "coach", "teacher"];
/// How many replaced statements are cited.
const MAX_REPLACED: usize = 2;
/// Of a receipt, the most parts of a sentence, and the bytes of each of our own.
const MAX_PARTS: usize = 32;
const MAX_OWN_BYTES: usize = 1_024;

/// An answer in a sentence. Receipts keep it, so that they depend on no pattern by which statements are found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stated {
    /// Our own words, and words of passages.
    pub parts: Vec<StatedPart>,
    /// The sentences that say so, what holds first.
    pub rests_on: Vec<StatedWords>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StatedPart {
    Own(String),
    Quoted(StatedWords),
}

/// Bytes of a passage, which is numbered from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StatedWords {
    pub passage: usize,
    pub start: usize,
    pub end: usize,
}

impl StatedWords {
    pub(super) fn of<'a>(&self, passages: &'a [Evidence]) -> Option<&'a str> {
        passages.get(self.passage.checked_sub(1)?)?.text.as_str().get(self.start..self.end)
    }
}

impl Stated {
    /// A receipt may come from anywhere: it says something, in words of a passage too, and not too much.
    pub fn is_bounded(&self) -> bool {
        let is_quoted = |part: &StatedPart| matches!(part, StatedPart::Quoted(_));
        let is_short = |part: &StatedPart| !matches!(part, StatedPart::Own(text) if text.len() > MAX_OWN_BYTES);
        let are_few = self.parts.len() <= MAX_PARTS && self.rests_on.len() <= MAX_PARTS;
        are_few && self.parts.iter().any(is_quoted) && self.parts.iter().all(is_short)
    }

    /// Nothing if the passages do not have these words.
    pub fn answer(&self, passages: &[Evidence]) -> Option<Answer> {
        if !self.is_bounded() {
            return None;
        }
        let part = |part: &StatedPart| match part {
            StatedPart::Own(text) => Some(text.clone()),
            StatedPart::Quoted(words) => words.of(passages).map(str::to_owned),
        };
        let text: String = self.parts.iter().map(part).collect::<Option<_>>()?;
        let quote = |words: &StatedWords| {
            let text = words.of(passages)?.to_owned();
            Some(Quote { number: words.passage, sentence: text.clone(), text })
        };
        let quotes: Vec<Quote> = self.rests_on.iter().map(quote).collect::<Option<_>>()?;
        let citations: BTreeSet<usize> = quotes.iter().map(|quote| quote.number).collect();
        let text = match &quotes[..] {
            [first, _, ..] => format!("{text} [{}]", first.number),
            _ => text,
        };
        let (citations, stated) = (citations.into_iter().collect(), Some(self.clone()));
        Some(Answer { text, citations, quotes, stated, quoted: None })
    }
}

/// What a passage says of the thing that is asked about.
struct Told<'a> {
    passage: usize,
    whose: Whose,
    attribute: String,
    value: Option<Range<usize>>,
    /// The value as it is compared.
    plain: String,
    /// Nothing of the value is left out.
    is_whole: bool,
    /// It says that something ended.
    ends: bool,
    is_many: bool,
    since: Timestamp,
    said: Said<'a>,
    /// The words of the passage that say so.
    span: Range<usize>,
}

/// Who said it, and when. A stored fact says nothing of that.
#[derive(Clone, Copy)]
struct Said<'a> {
    by: Option<&'a str>,
    at: Timestamp,
    is_fact: bool,
}

/// Nothing if the question asks for anything else, if nobody states it plainly, or if something newer that is at least as near to the question is not
/// understood.
pub(super) fn what_holds(question: &str, passages: &[Evidence]) -> Option<Stated> {
    let asked = asked(question)?;
    let mut told: Vec<Told<'_>> =
        (1..).zip(passages).flat_map(|(number, evidence)| told(number, evidence, &asked)).collect();
    let known_as = names(&told, &asked)?;
    let of_attribute = |told: &Told<'_>| told.attribute == asked.attribute;
    let understood: BTreeSet<usize> = told.iter().filter(|told| of_attribute(told)).map(|told| told.passage).collect();
    // Who died is nobody's any more.
    let gone: Vec<(String, Timestamp)> = told
        .iter()
        .filter(|told| told.ends && told.attribute.is_empty())
        .map(|told| (told.plain.clone(), told.said.at))
        .collect();
    told.retain(|told| of_attribute(told) && known_as.contains(&told.whose));
    if told.iter().any(|told| !told.is_whole) {
        return None;
    }
    if asked.when == When::Now && has_name(&asked.attribute) {
        told.retain(|told| !gone.iter().any(|(name, at)| told.said.at <= *at && told.plain == *name));
    }
    // What people say of themselves counts more than what others say of them.
    let is_own = |told: &Told<'_>| match &told.whose {
        _ if told.said.is_fact => true,
        Whose::Asker => true,
        Whose::Related(_) => false,
        Whose::Named(name) => told.said.by.is_some_and(|by| plain(by) == plain(name)),
    };
    if told.iter().any(is_own) {
        told.retain(is_own);
    }
    // A stored fact may be a correction: what was said until then does not come back.
    if let Some(fact) = told.iter().filter(|told| told.said.is_fact).map(|told| told.said.at).max() {
        told.retain(|told| told.said.is_fact || told.said.at > fact);
    }
    told.sort_by_key(|told| (told.said.at, told.since, told.passage, told.span.start));
    let mut standing: Vec<Told<'_>> = Vec::new();
    for one in told {
        if !one.ends || ends_what_held(&standing, &one) {
            standing.push(one);
        }
    }
    let told = standing;
    let stated = match asked.when {
        When::Now => holds(&asked, &told, passages),
        When::Before => held(&asked, &told, passages),
        When::Since => since_when(&asked, &told, passages),
    }?;
    (asked.when != When::Now || !is_overtaken(&told, &understood, passages)).then_some(stated)
}

/// "We don't live in Porto any more" ends nothing for who has moved on.
fn ends_what_held(before: &[Told<'_>], ending: &Told<'_>) -> bool {
    let held = before.iter().rev().find(|told| !told.ends);
    held.is_some_and(|held| ending.plain.is_empty() || has_words(&held.plain, &ending.plain))
}

fn has_words(text: &str, words: &str) -> bool {
    format!(" {text} ").contains(&format!(" {words} "))
}

/// What a passage tells that bears on a question.
fn told<'a>(number: usize, evidence: &'a Evidence, asked: &Asked) -> Vec<Told<'a>> {
    let text = evidence.text.as_str();
    if evidence.is_fact {
        return told_by_fact(number, text, asked).into_iter().collect();
    }
    let is_person = |said: &&crate::guard::Said| match &said.speaker {
        Some(name) => !name.trim().is_empty() && !["system", "tool"].contains(&said.role.as_str()),
        None => said.role == USER,
    };
    // Of an excerpt that begins in the middle, nobody knows whether it quotes somebody.
    let Some(said) = evidence.said.as_ref().filter(is_person).filter(|_| !text.starts_with(CUT)) else {
        return Vec::new();
    };
    let (by, at) = (said.speaker.as_deref(), said.at);
    let said = Said { by, at, is_fact: false };
    let speaker = by.unwrap_or(USER);
    let own = || by.map_or(Whose::Asker, |by| Whose::Named(by.to_owned()));
    let facts = built_in_facts(text, speaker, at).into_iter().filter_map(|fact| {
        let related = fact.statement.subject.strip_prefix(&format!("{speaker}'s ")).map(str::to_owned);
        let whose = match related {
            _ if fact.is_own => own(),
            Some(noun) => by.is_none().then(|| Whose::Related(one_name(&noun)))?,
            None => Whose::Named(fact.statement.subject.clone()),
        };
        let (start, end) = fact.span;
        let at = start + text.get(start..end)?.rfind(&fact.statement.value)?;
        let value = at..at + fact.statement.value.len();
        let attribute = one_name(&fact.statement.attribute);
        let told = text[start..end].to_lowercase();
        if !is_plain_value(&fact.statement.attribute, &attribute, &fact.statement.value, &told) {
            return None;
        }
        Some(Told {
            passage: number,
            whose,
            is_whole: is_whole(&attribute, &text[value.end..]),
            attribute,
            value: Some(value),
            plain: plain(&fact.statement.value),
            ends: false,
            is_many: fact.statement.is_many,
            since: fact.since,
            said,
            span: start..end,
        })
    });
    // A car dies, too.
    let of_whom =
        |attribute: &'static str| if attribute.is_empty() && asked.attribute == DRIVES { DRIVES } else { attribute };
    let ended = endings(text, at).into_iter().map(|Ending { attribute, value, since, span }| Told {
        passage: number,
        whose: own(),
        attribute: of_whom(attribute).to_owned(),
        plain: value.clone().map(|value| plain(&text[value])).unwrap_or_default(),
        value,
        is_whole: true,
        ends: true,
        is_many: false,
        since,
        said,
        span,
    });
    facts.chain(ended).collect()
}

/// Whether a value is what the attribute asks for: not "my job is stressful", "my dad is German", "my phone number is the same". `told` is how it is said,
/// in lower case.
fn is_plain_value(noun: &str, attribute: &str, value: &str, told: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let is_name = value.starts_with(char::is_uppercase);
    let is_called =
        || [" called ", " named ", "name "].iter().any(|word| told.contains(word)) || !told.contains(" is ");
    let is_redacted = value.contains(['[', ']']) || value.contains("REDACTED");
    let is_said = match attribute {
        "phone number" => digits >= MIN_DIGITS,
        "works as" => noun == attribute || ["a ", "an ", "the "].iter().any(|article| value.starts_with(article)),
        attribute if has_name(attribute) => is_name && is_called(),
        attribute if is_relation(attribute) => is_name,
        _ => true,
    };
    is_said && !is_redacted
}

/// Whether a value ends where it is read: not "peanuts and shellfish", "Bosnia and Herzegovina", or where an excerpt was cut.
fn is_whole(attribute: &str, behind: &str) -> bool {
    let rest = behind.trim_start();
    if rest.starts_with(CUT) || (attribute == "phone number" && rest.starts_with('(')) {
        return false;
    }
    let joined = ["and ", "or ", "& "].iter().find_map(|join| rest.strip_prefix(join));
    let next = |rest: &str| rest.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default().to_owned();
    let is_capital = |rest: &str| rest.starts_with(char::is_uppercase) && next(rest) != "I";
    match attribute {
        "is allergic to" => {
            let begins =
                ["i", "we", "it", "my", "they", "he", "she", "so", "that", "can", "was", "have", "too", "please"];
            let listed = joined.or_else(|| rest.strip_prefix(", "));
            listed.is_none_or(|rest| begins.contains(&next(rest).to_lowercase().as_str()))
        }
        "lives in" | "works at" => joined.is_none_or(|rest| !is_capital(rest)),
        _ => true,
    }
}

/// A stored fact is a sentence: "user lives in Lisbon (since 2026-05-01)", "user's number is 0499 61 (since …)".
fn told_by_fact<'a>(number: usize, text: &str, asked: &Asked) -> Option<Told<'a>> {
    let (said, day) = text.trim_end().strip_suffix(')')?.rsplit_once(" (")?;
    let since =
        day.strip_prefix("since ").or_else(|| day.strip_prefix("on ")).and_then(|day| Timestamp::parse(day).ok())?;
    let subject = match &asked.whose {
        Whose::Asker => USER.to_owned(),
        Whose::Related(noun) => format!("{USER}'s {noun}"),
        Whose::Named(name) => name.clone(),
    };
    let begins = said.get(..subject.len()).filter(|begin| plain(begin) == plain(&subject))?;
    let rest = &said[begins.len()..];
    let by_noun = || {
        let (noun, value) = rest.strip_prefix("'s ")?.split_once(" is ")?;
        (one_name(noun) == asked.attribute).then_some(value)
    };
    let by_verb = || rest.strip_prefix(' ')?.strip_prefix(asked.attribute.as_str())?.strip_prefix(' ');
    let value = said.len() - by_noun().or_else(by_verb)?.len();
    Some(Told {
        passage: number,
        whose: asked.whose.clone(),
        attribute: asked.attribute.clone(),
        value: Some(value..said.len()),
        plain: plain(&said[value..]),
        is_whole: true,
        ends: false,
        is_many: asked.attribute == "is allergic to",
        since,
        said: Said { by: None, at: since, is_fact: true },
        span: 0..text.len(),
    })
}

/// Everybody whom the question may mean: my sister is Mia where I say so. Nothing if I have several.
fn names(told: &[Told<'_>], asked: &Asked) -> Option<Vec<Whose>> {
    let mut names = vec![asked.whose.clone()];
    let is_somebody = |told: &&Told<'_>| told.whose == Whose::Asker && !told.ends && has_name(&told.attribute);
    let mut called = BTreeSet::new();
    for relation in told.iter().filter(is_somebody) {
        match &asked.whose {
            Whose::Related(noun) if *noun == relation.attribute => {
                called.insert(relation.plain.clone());
            }
            Whose::Named(name) if plain(name) == relation.plain => {
                names.push(Whose::Related(relation.attribute.clone()));
            }
            _ => {}
        }
    }
    if called.len() > 1 {
        return None;
    }
    names.extend(called.into_iter().map(Whose::Named));
    // Names are compared however they are written.
    let is_meant =
        |name: &str| names.iter().any(|meant| matches!(meant, Whose::Named(other) if plain(other) == plain(name)));
    let others: Vec<Whose> = told
        .iter()
        .filter(|told| matches!(&told.whose, Whose::Named(name) if is_meant(name)))
        .map(|told| told.whose.clone())
        .collect();
    names.extend(others);
    Some(names)
}

/// Whether somebody said something later that is at least as near to the question as the latest statement, and states nothing of this kind.
fn is_overtaken(told: &[Told<'_>], understood: &BTreeSet<usize>, passages: &[Evidence]) -> bool {
    let Some(last) = told.iter().max_by_key(|told| (told.said.at, told.passage)).filter(|told| !told.said.is_fact)
    else {
        return false;
    };
    let own = passages[last.passage - 1].score;
    (1..).zip(passages).any(|(number, evidence)| {
        let said = evidence.said.as_ref();
        let is_alike = |said: &&crate::guard::Said| {
            said.speaker.as_deref() == last.said.by && (said.speaker.is_some() || said.role == USER)
        };
        said.filter(is_alike).is_some_and(|said| said.at > last.said.at)
            && evidence.score >= own.max(1)
            && !understood.contains(&number)
            && !imagines(evidence.text.as_str())
    })
}

fn holds(asked: &Asked, told: &[Told<'_>], passages: &[Evidence]) -> Option<Stated> {
    let last = told.last()?;
    if last.ends {
        let parts = no_longer(asked, last, told)?;
        return Some(stated(parts, [last].into_iter().chain(told.iter().rev().skip(1)), passages));
    }
    if told.iter().any(|told| told.is_many) {
        let mut seen = BTreeSet::new();
        let values: Vec<&Told<'_>> = told.iter().filter(|told| !told.ends && seen.insert(&told.plain)).collect();
        let mut parts = vec![StatedPart::Own(begin(asked, has_name(&asked.attribute)))];
        for (at, told) in values.iter().enumerate() {
            let join = match at {
                0 => "",
                at if at + 1 == values.len() => " and ",
                _ => ", ",
            };
            parts.push(StatedPart::Own(join.to_owned()));
            parts.push(StatedPart::Quoted(value_of(told)?));
        }
        parts.push(StatedPart::Own(format!("{}.", as_said(values.last()?))));
        return Some(stated(parts, values.into_iter().rev(), passages));
    }
    // Two things at the same time: both are shown, by quotation.
    let differs = |other: &&Told<'_>| other.plain != last.plain;
    if told
        .iter()
        .filter(differs)
        .any(|other| other.since == last.since && other.said.at == last.said.at && other.passage != last.passage)
    {
        return None;
    }
    let first = told.iter().rev().take_while(|told| !told.ends && told.plain == last.plain).last()?;
    let day = match is_dated(first, passages) {
        true => format!(", since {}", shown_since(first, passages)),
        false => as_said(last),
    };
    if asked.attribute == "age" {
        let parts = [
            StatedPart::Own(match &asked.whose {
                Whose::Asker => "You were ".to_owned(),
                other => format!("{} was ", called(other)),
            }),
            StatedPart::Quoted(value_of(last)?),
            StatedPart::Own(format!(" on {}.", last.said.at.long_day())),
        ];
        return Some(stated(parts.to_vec(), [last], passages));
    }
    let is_called = has_name(&asked.attribute) && begins_upper(last, passages);
    let parts = vec![
        StatedPart::Own(begin(asked, is_called)),
        StatedPart::Quoted(value_of(last)?),
        StatedPart::Own(format!("{day}.")),
    ];
    let replaced = told.iter().rev().filter(|told| !told.ends && told.plain != last.plain);
    Some(stated(parts, [last].into_iter().chain(replaced), passages))
}

/// "You no longer work at Galp, since 1 May 2026."
fn no_longer(asked: &Asked, last: &Told<'_>, told: &[Told<'_>]) -> Option<Vec<StatedPart>> {
    let form = form(&asked.attribute)?;
    // "The clinic" is better known by its whole name.
    let held = told.iter().rev().find(|told| !told.ends && told.value.is_some());
    let named = held.or_else(|| told.iter().rev().find(|told| told.value.is_some()))?;
    let who = called(&asked.whose);
    let begin = match &asked.whose {
        Whose::Asker => format!("You no longer {} ", form.you),
        _ => format!("{who} no longer {} ", form.they),
    };
    let end = format!("{}.", as_said(last));
    Some(vec![StatedPart::Own(begin), StatedPart::Quoted(value_of(named)?), StatedPart::Own(end)])
}

/// What held before what holds, or before a value that is named.
fn held(asked: &Asked, told: &[Told<'_>], passages: &[Evidence]) -> Option<Stated> {
    if told.iter().any(|told| told.is_many) {
        return None;
    }
    let is_named = |told: &&Told<'_>| asked.value.as_ref().is_none_or(|value| has_words(&told.plain, &plain(value)));
    let next = told.iter().rev().find(is_named)?;
    let last = told.iter().rev().skip_while(|other| !std::ptr::eq(*other, next));
    let before = last.filter(|told| !told.ends).find(|told| told.plain != next.plain || next.ends)?;
    let until = match is_dated(next, passages) {
        true => format!(" until {}.", shown_since(next, passages)),
        false => format!(" before{}.", as_said(before)),
    };
    let begin = match form(&asked.attribute) {
        Some(form) => format!("{} {} ", called(&asked.whose), form.formerly?),
        None => format!("{} {} was ", possessive(&asked.whose), asked.attribute),
    };
    let parts = vec![StatedPart::Own(begin), StatedPart::Quoted(value_of(before)?), StatedPart::Own(until)];
    Some(stated(parts, [before, next], passages))
}

/// "You have lived in Lisbon since 1 May 2026": only where somebody says since when.
fn since_when(asked: &Asked, told: &[Told<'_>], passages: &[Evidence]) -> Option<Stated> {
    let is_named = |told: &&Told<'_>| asked.value.as_ref().is_none_or(|value| has_words(&told.plain, &plain(value)));
    let last = told.last().filter(|told| !told.ends).filter(is_named)?;
    let same = told.iter().filter(|told| !told.ends && told.plain == last.plain);
    let first = same.filter(|told| is_dated(told, passages)).min_by_key(|told| told.since)?;
    let formerly = form(&asked.attribute)?.formerly?;
    let begin = match &asked.whose {
        Whose::Asker => format!("You have {formerly} "),
        other => format!("{} has {formerly} ", called(other)),
    };
    let end = format!(" since {}.", shown_since(first, passages));
    let parts = vec![StatedPart::Own(begin), StatedPart::Quoted(value_of(first)?), StatedPart::Own(end)];
    Some(stated(parts, [first], passages))
}

/// What is said, what says it, and what it replaced.
fn stated<'a>(parts: Vec<StatedPart>, told: impl IntoIterator<Item = &'a Told<'a>>, passages: &[Evidence]) -> Stated {
    let mut seen = BTreeSet::new();
    let told = told.into_iter().filter(|told| seen.insert(told.passage)).take(1 + MAX_REPLACED);
    let rests_on = told.map(|told| {
        let text = passages[told.passage - 1].text.as_str();
        let sentence = sentence_around(text, &told.span);
        StatedWords { passage: told.passage, start: sentence.start, end: sentence.end }
    });
    Stated { parts, rests_on: rests_on.collect() }
}

fn sentence_around(text: &str, span: &Range<usize>) -> Range<usize> {
    let (mut start, mut from) = (0, 0);
    for end in sentence_ends(text).chain([text.len()]) {
        if start <= span.start {
            from = start;
        }
        if end >= span.end {
            let blank = text[from..end].len() - text[from..end].trim_start().len();
            return from + blank..end;
        }
        start = end;
    }
    span.clone()
}

fn value_of(told: &Told<'_>) -> Option<StatedWords> {
    let value = told.value.clone()?;
    Some(StatedWords { passage: told.passage, start: value.start, end: value.end })
}

fn begins_upper(told: &Told<'_>, passages: &[Evidence]) -> bool {
    let text = passages[told.passage - 1].text.as_str();
    told.value.clone().is_some_and(|value| text[value].starts_with(char::is_uppercase))
}

/// How an attribute that is a verb is said.
struct Form {
    attribute: &'static str,
    you: &'static str,
    they: &'static str,
    /// Of what can be over.
    formerly: Option<&'static str>,
}

const FORMS: [Form; 8] = [
    Form { attribute: "lives in", you: "live in", they: "lives in", formerly: Some("lived in") },
    Form { attribute: "works at", you: "work at", they: "works at", formerly: Some("worked at") },
    Form { attribute: "works as", you: "work as", they: "works as", formerly: Some("worked as") },
    Form { attribute: DRIVES, you: "drive", they: "drives", formerly: Some("drove") },
    Form { attribute: "is from", you: "are from", they: "is from", formerly: None },
    Form { attribute: "grew up in", you: "grew up in", they: "grew up in", formerly: None },
    Form { attribute: "was born in", you: "were born in", they: "was born in", formerly: None },
    Form { attribute: "is allergic to", you: "are allergic to", they: "is allergic to", formerly: None },
];

fn form(attribute: &str) -> Option<&'static Form> {
    FORMS.iter().find(|form| form.attribute == attribute)
}

/// Who is asked for by name: "Your dog is called Max", but "Your dentist is Dr Weber".
fn has_name(attribute: &str) -> bool {
    is_relation(attribute) && !ROLES.contains(&attribute)
}

fn called(whose: &Whose) -> String {
    match whose {
        Whose::Asker => "You".to_owned(),
        Whose::Related(noun) => format!("Your {noun}"),
        Whose::Named(name) => name.clone(),
    }
}

fn possessive(whose: &Whose) -> String {
    match whose {
        Whose::Asker => "Your".to_owned(),
        other => format!("{}'s", called(other)),
    }
}

/// "You live in ", "Mia's phone number is ", "Your dog is called ".
fn begin(asked: &Asked, is_called: bool) -> String {
    match (form(&asked.attribute), &asked.whose) {
        (Some(form), Whose::Asker) => format!("You {} ", form.you),
        (Some(form), other) => format!("{} {} ", called(other), form.they),
        (None, whose) if is_called => format!("{} {} is called ", possessive(whose), asked.attribute),
        (None, whose) => format!("{} {} is ", possessive(whose), asked.attribute),
    }
}

/// Who said so, and when.
fn as_said(told: &Told<'_>) -> String {
    let day = told.said.at.long_day();
    match (told.said.is_fact, told.said.by) {
        (true, _) => String::new(),
        (_, Some(by)) => format!(", as {by} said on {day}"),
        (_, None) => format!(", as you said on {day}"),
    }
}

/// Whether a statement says since when, rather than when it was said. "Two years ago" is no date.
fn is_dated(told: &Told<'_>, passages: &[Evidence]) -> bool {
    let says = words_of(told, passages);
    let has = |words: &str| has_words(&says, words);
    let lasts = ["lives in", "works at", "works as"].contains(&told.attribute.as_str());
    lasts && (told.said.is_fact || ((told.since < told.said.at || has("today") || has("yesterday")) && !has("ago")))
}

/// The sentence of a statement, in lower case, between single spaces.
fn words_of(told: &Told<'_>, passages: &[Evidence]) -> String {
    let text = passages[told.passage - 1].text.as_str();
    let sentence = text[sentence_around(text, &told.span)].to_lowercase();
    let words: Vec<&str> =
        sentence.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" "))
}

/// No more exactly than it was said: "last month" is no day.
fn shown_since(told: &Told<'_>, passages: &[Evidence]) -> String {
    let says = words_of(told, passages);
    let has = |words: &str| has_words(&says, words);
    let day = told.since.long_day();
    let mut of_day = day.split(' ');
    let (number, month, year) =
        (of_day.next().unwrap_or_default(), of_day.next().unwrap_or_default(), of_day.next().unwrap_or_default());
    let names_day = has(number) || says.contains(&format!(" {number}st ")) || has("yesterday") || has("today");
    if told.said.is_fact || told.since >= told.said.at || names_day {
        return day;
    }
    if has("last year") || (has(year) && number == "1" && month == "January" && !has("january")) {
        return year.to_owned();
    }
    if has("week") || has("weekend") {
        return format!("about {day}");
    }
    if has("last month") || (number == "1" && (has(&month.to_lowercase()))) {
        return format!("{month} {year}");
    }
    day
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::SafeText;

    fn said(day: &str, by: &str, text: &str) -> Evidence {
        let at = Timestamp::parse(day).unwrap();
        let (role, speaker) = match by {
            "user" | "assistant" => (by, None),
            name => ("user", Some(name.to_owned())),
        };
        let said = crate::guard::Said { role: role.to_owned(), speaker, at };
        Evidence { said: Some(said), ..Evidence::given("", at, text) }
    }

    /// The answer, and the numbers of what it rests on, what holds first.
    fn answered(question: &str, passages: &[Evidence]) -> (String, Vec<usize>) {
        let answer = what_holds(question, passages).and_then(|stated| stated.answer(passages)).unwrap_or_default();
        let text = answer.text.trim_end_matches(|mark: char| " []".contains(mark) || mark.is_ascii_digit());
        let text = if answer.quotes.len() > 1 { text.to_owned() } else { answer.text.clone() };
        let kept = answer.stated.as_ref().map(|stated| serde_json::to_string(stated).unwrap());
        let again = kept.and_then(|kept| serde_json::from_str::<Stated>(&kept).unwrap().answer(passages));
        assert_eq!(again.unwrap_or_default(), answer, "a receipt gives it again");
        (text, answer.quotes.iter().map(|quote| quote.number).collect())
    }

    fn check(question: &str, told: &[(&str, &str, &str)], expected: &str, numbers: &[usize]) {
        let score = |number: usize| if numbers.contains(&number) { 900_000 } else { 500_000 };
        let passages: Vec<Evidence> = (1..)
            .zip(told)
            .map(|(number, (day, by, text))| Evidence { score: score(number), ..said(day, by, text) })
            .collect();
        assert_eq!(answered(question, &passages), (expected.to_owned(), numbers.to_vec()), "{question}");
    }

    const MOVED: [(&str, &str, &str); 4] = [
        ("2026-01-10", "user", "Hi! I live in Hamburg and I work at Otto."),
        ("2026-02-01", "user", "My sister Mia lives in Vienna."),
        ("2026-03-05", "assistant", "I live in Berlin."),
        ("2026-03-18", "user", "Big news: we moved to Leipzig last month!"),
    ];

    #[test]
    fn i44_the_latest_statement_holds_and_says_since_when() {
        check("Where do I live?", &MOVED, "You live in Leipzig, since February 2026.", &[4, 1]);
        check("Do I still live in Hamburg?", &MOVED, "You live in Leipzig, since February 2026.", &[4, 1]);
        check("Where do I work?", &MOVED, "You work at Otto, as you said on 10 January 2026.", &[1]);
        check("Where does Mia live?", &MOVED, "Mia lives in Vienna, as you said on 1 February 2026.", &[2]);
        check(
            "Where does my sister live?",
            &MOVED,
            "Your sister lives in Vienna, as you said on 1 February 2026.",
            &[2],
        );
        check("What is my sister called?", &MOVED, "Your sister is called Mia, as you said on 1 February 2026.", &[2]);
        check("Where does Bruno live?", &MOVED, "", &[]);
        check("What do I like?", &MOVED, "", &[]);
    }

    #[test]
    fn i44_what_was_and_since_when() {
        check("Where did I live before?", &MOVED, "You lived in Hamburg until February 2026.", &[1, 4]);
        check("Where did I live before Leipzig?", &MOVED, "You lived in Hamburg until February 2026.", &[1, 4]);
        check("Where did I live before Faro?", &MOVED, "", &[]);
        check("Since when have I lived in Leipzig?", &MOVED, "You have lived in Leipzig since February 2026.", &[4]);
        check("Since when have I lived in Hamburg?", &MOVED, "", &[]);
        let numbers = [
            ("2026-01-10", "user", "My phone number is 0499 61 05 77."),
            ("2026-02-10", "user", "My new number is 0499 00 11 22, by the way."),
        ];
        check(
            "What's my phone number?",
            &numbers,
            "Your phone number is 0499 00 11 22, as you said on 10 February 2026.",
            &[2, 1],
        );
        let before = "Your phone number was 0499 61 05 77 before, as you said on 10 January 2026.";
        check("What was my old number?", &numbers, before, &[1, 2]);
    }

    #[test]
    fn i44_what_is_over_does_not_hold() {
        let job = [("2026-01-10", "user", "I work at Otto."), ("2026-02-10", "user", "I quit my job at Otto.")];
        let home = [
            ("2026-01-10", "user", "I live in Porto."),
            ("2026-02-10", "user", "We moved to Faro."),
            ("2026-03-10", "user", "We don't live in Porto any more."),
        ];
        check("Where do I live?", &home, "You live in Faro, as you said on 10 February 2026.", &[2, 1]);
        check("Where do I work?", &job, "You no longer work at Otto, as you said on 10 February 2026.", &[2, 1]);
        let dog = [
            ("2026-01-10", "user", "My dog is called Bruno."),
            ("2026-02-10", "user", "Sadly Bruno died yesterday."),
            ("2026-03-10", "user", "Our dog Rex is a puppy."),
        ];
        check("What's my dog called?", &dog[..1], "Your dog is called Bruno, as you said on 10 January 2026.", &[1]);
        check("What's my dog called?", &dog[..2], "", &[]);
        check("What's my dog called?", &dog, "Your dog is called Rex, as you said on 10 March 2026.", &[3]);
        let car = [
            ("2026-01-10", "user", "I drive a little red Fiesta."),
            ("2026-02-10", "user", "The Fiesta finally died on the motorway."),
            ("2026-03-10", "user", "I'm driving a Ford Maverick now."),
            ("2026-04-10", "user", "Sold the Maverick."),
        ];
        let no_longer = "You no longer drive a little red Fiesta, as you said on 10 February 2026.";
        check("What car do I have?", &car[..2], no_longer, &[2, 1]);
        check("What do I drive?", &car[..3], "You drive a Ford Maverick, as you said on 10 March 2026.", &[3, 1]);
        check(
            "What do I drive?",
            &car,
            "You no longer drive a Ford Maverick, as you said on 10 April 2026.",
            &[4, 3, 2],
        );
        let job = [
            ("2026-01-10", "user", "I work at the vet clinic."),
            ("2026-02-10", "user", "I quit the clinic, I got the offer!"),
            ("2026-02-20", "user", "First day at the brewery today! So glad I got that job."),
        ];
        check(
            "Where do I work?",
            &job[..2],
            "You no longer work at the vet clinic, as you said on 10 February 2026.",
            &[2, 1],
        );
        check("Where do I work?", &job, "You work at the brewery, since 20 February 2026.", &[3, 1]);
        check("Where did I work before?", &job, "You worked at the vet clinic until 20 February 2026.", &[1, 3]);
    }

    #[test]
    fn i44_named_speakers_speak_for_themselves() {
        let told = [
            ("2026-01-10", "Ana", "I live in Porto."),
            ("2026-02-01", "Bruno", "Ana lives in Faro, and I live in Rome."),
        ];
        check("Where does Ana live?", &told, "Ana lives in Porto, as Ana said on 10 January 2026.", &[1]);
        check("Where does Bruno live?", &told, "Bruno lives in Rome, as Bruno said on 1 February 2026.", &[2]);
        check("Where do I live?", &told, "", &[]);
    }

    #[test]
    fn i44_what_is_not_understood_for_certain_is_quoted() {
        let check_none = |question: &str, text: &str| check(question, &[("2026-01-10", "user", text)], "", &[]);
        check_none("What am I allergic to?", "I'm allergic to peanuts and shellfish.");
        check_none("What am I allergic to?", "I'm allergic to nuts, milk and eggs.");
        check_none("Where do I live?", "I live in Bosnia and Herzegovina.");
        check_none("What is my job?", "My job is stressful.");
        check_none("What's my father called?", "My dad is German.");
        check_none("What's my phone number?", "My phone is 3 years old.");
        check_none("What's my phone number?", "My phone number is the same.");
        check_none("What's my phone number?", "My phone number is +49 (0)341 5501.");
        check_none("What's my phone number?", "My phone number is 0499 61...");
        check_none("Where do I live?", "...I moved to Lisbon.");
        check_none("Where do I work?", "I quit Facebook.");
        check_none("Where do I work?", "From August I work at the clinic.");
        check_none("What is my wife called?", "He told me: my wife Eva lives in Rome.");
        check_none("What's my dog called?", "MY DOG IS SICK.");
        let sisters = [
            ("2026-01-10", "user", "My sister Mia lives in Vienna."),
            ("2026-02-10", "user", "My sister Eva lives in Oslo."),
        ];
        check("Where does my sister live?", &sisters, "", &[]);
        let said = [
            ("2026-01-10", "user", "I live in Hamburg."),
            ("2026-02-10", "user", "We moved to Leipzig last year."),
            ("2026-02-12", "user", "My sister Mia is a nurse."),
            ("2026-02-13", "user", "My sister lives in Vienna."),
            ("2026-03-13", "user", "Mia has moved to Graz!"),
        ];
        check("Where do I live?", &said, "You live in Leipzig, since 2025.", &[2, 1]);
        check("When did I move to Hamburg?", &said, "", &[]);
        check("Where does my sister live?", &said, "Your sister lives in Graz, as you said on 13 March 2026.", &[5, 4]);
        let job =
            [("2026-02-10", "user", "I work at Otto."), ("2026-03-05", "user", "I quit my job at Otto last month.")];
        check("Where do I work?", &job, "You no longer work at Otto, as you said on 5 March 2026.", &[2, 1]);
        let retired = [job[0], ("2026-03-05", "user", "We retired early last night.")];
        check("Where do I work?", &retired, "You work at Otto, as you said on 10 February 2026.", &[1]);
    }

    #[test]
    fn i44_several_values_and_conflicts() {
        let told = [
            ("2026-01-10", "user", "I'm allergic to peanuts."),
            ("2026-02-01", "user", "I'm allergic to cats, too."),
            ("2026-02-01", "user", "My favourite colour is blue."),
            ("2026-02-01", "user", "My favourite colour is red."),
            ("2026-02-03", "user", "I'm 34 years old."),
        ];
        check(
            "What am I allergic to?",
            &told,
            "You are allergic to peanuts and cats, as you said on 1 February 2026.",
            &[2, 1],
        );
        check("What is my favourite colour?", &told, "", &[]);
        check("How old am I?", &told, "You were 34 on 3 February 2026.", &[5]);
    }

    #[test]
    fn i44_something_newer_that_is_as_near_is_shown_instead() {
        let mut told: Vec<Evidence> = MOVED.iter().map(|(day, by, text)| said(day, by, text)).collect();
        told[3].score = 700_000;
        told.push(said("2026-05-01", "user", "We carried the last box down and sleep in Blagnac."));
        assert_eq!(answered("Where do I live?", &told).0, "");
        told[4].score = 600_000;
        assert_eq!(answered("Where do I live?", &told).1, [4, 1]);
        told[4] = said("2026-05-01", "user", "I dreamt that I live in Paris.");
        assert_eq!(answered("Where do I live?", &told).1, [4, 1], "what is imagined overtakes nothing");
    }

    #[test]
    fn i44_a_stored_fact_counts_most() {
        let mut told: Vec<Evidence> = MOVED.iter().map(|(day, by, text)| said(day, by, text)).collect();
        let fact = |text: &str| {
            let at = Timestamp::from_micros(0);
            Evidence { is_fact: true, ..Evidence::given("fact", at, text) }
        };
        told.push(fact("user lives in Dresden (since 2026-03-18)"));
        let dresden = "You live in Dresden, since 18 March 2026.".to_owned();
        assert_eq!(answered("Where do I live?", &told), (dresden, vec![5]), "what was said until then is corrected");
        told[4] = fact("user lives in Dresden (since 2026-02-01)");
        assert_eq!(answered("Where do I live?", &told).1, [4, 5], "what was said later counts");
        let number = [fact("user's number is 0499 99 99 99 (since 2026-02-01)")];
        assert_eq!(answered("What's my phone number?", &number).0, "Your phone number is 0499 99 99 99.");
    }

    #[test]
    fn i44_words_that_are_not_there_are_no_answer() {
        let passages = [Evidence { text: SafeText::given("ab\u{e9}"), ..said("2026-01-10", "user", "") }];
        let answer = |passage: usize, start: usize, end: usize| {
            let words = StatedWords { passage, start, end };
            Stated { parts: vec![StatedPart::Quoted(words)], rests_on: vec![words] }.answer(&passages)
        };
        assert!(answer(1, 0, 2).is_some());
        for (passage, start, end) in [(0, 0, 1), (2, 0, 1), (1, 0, 3), (1, 2, 1), (1, 0, 99), (usize::MAX, 0, 0)] {
            assert_eq!(answer(passage, start, end), None);
        }
    }
}
