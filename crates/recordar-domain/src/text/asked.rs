//! What a question asks about somebody, where plain English asks for one thing that people state: "Where do I live?", "What is Ana's phone number?",
//! "What was my old number?".

use crate::fact::plain;

/// Something about somebody, at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    pub whose: Whose,
    /// As statements have it: "lives in", "phone number".
    pub attribute: String,
    pub when: When,
    /// A value that the question names: "before Lisbon", "since when have I lived in Lisbon".
    pub value: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whose {
    /// Whoever asks.
    Asker,
    /// "My sister".
    Related(String),
    Named(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    Now,
    Before,
    /// Since when it holds.
    Since,
}

const MAX_WORDS: usize = 16;
/// What a question may begin with.
const OPENERS: [&[&str]; 15] = [
    &["so"],
    &["and"],
    &["hey"],
    &["hi"],
    &["ok"],
    &["okay"],
    &["please"],
    &["again"],
    &["tell", "me"],
    &["remind", "me"],
    &["can", "you"],
    &["could", "you"],
    &["do", "you", "know"],
    &["do", "you", "remember"],
    &["by", "the", "way"],
];
/// What a question may end with that changes nothing about it.
const FILLERS: [&str; 20] = [
    "now",
    "currently",
    "today",
    "these",
    "days",
    "nowadays",
    "at",
    "the",
    "moment",
    "present",
    "right",
    "again",
    "exactly",
    "still",
    "actually",
    "any",
    "more",
    "anymore",
    "please",
    "called",
];
const AUXILIARIES: [&str; 10] = ["do", "does", "did", "am", "is", "are", "was", "were", "have", "has"];
/// Auxiliaries of what is no more, of verbs that are not always so.
const PAST: [&str; 3] = ["did", "was", "were"];
const PLACES: [&str; 8] = ["city", "town", "country", "place", "village", "street", "state", "region"];
const COMPANIES: [&str; 6] = ["company", "firm", "employer", "organisation", "organization", "place"];
const FORMER: [&str; 6] = ["old", "former", "previous", "earlier", "ex", "original"];
const BEFORE: [&str; 4] = ["before", "previously", "formerly", "earlier"];
const PRESENT: [&str; 4] = ["current", "present", "new", "latest"];

const VEHICLES: [&str; 4] = ["car", "vehicle", "van", "truck"];

/// Attributes that go by several names.
const SAME: [(&str, &[&str]); 7] = [
    (
        "phone number",
        &[
            "number",
            "phone",
            "telephone",
            "mobile",
            "telephone number",
            "mobile number",
            "cell number",
            "cell phone number",
            "mobile phone number",
            "new number",
        ],
    ),
    ("works as", &["job", "profession", "occupation", "trade"]),
    ("works at", &["employer", "company", "workplace", "place of work"]),
    ("mother", &["mum", "mom", "mam", "mummy", "mommy"]),
    ("father", &["dad", "daddy", "papa"]),
    ("grandmother", &["gran", "granny", "grandma", "nan"]),
    ("grandfather", &["grandad", "grandpa", "granddad"]),
];

/// Attributes, the words that ask for them, and other words by which people state them: "we moved to Lisbon" says where I live.
const STATED_BY: [(&str, &[&str], &str); 3] = [
    ("lives in", &["live", "lives", "lived", "living"], "moved relocated settled based"),
    ("works at", &["work", "works", "worked", "working", "employer", "company"], "job started joined"),
    ("works as", &["living", "work", "job", "profession", "occupation"], "work job"),
];

impl Asked {
    /// The words of the question that ask for the attribute, and other words by which people state it.
    pub fn stated_by(&self) -> Option<(&'static [&'static str], &'static str)> {
        let known = STATED_BY.iter().find(|(attribute, ..)| *attribute == self.attribute);
        known.map(|(_, asking, stating)| (*asking, *stating))
    }
}

/// The one name of an attribute or of a relation.
pub fn one_name(attribute: &str) -> String {
    let plain = plain(attribute).replace("favorite", "favourite");
    let known = SAME.iter().find(|(_, others)| others.contains(&plain.as_str()));
    known.map_or(plain.clone(), |(name, _)| (*name).to_owned())
}

struct Word<'a> {
    lower: String,
    written: &'a str,
}

/// Nothing if the question asks for anything else, or says more than is understood.
pub fn asked(question: &str) -> Option<Asked> {
    let question = question.trim().trim_end_matches(['?', '!', '.', ' ']);
    let last = question.rfind(['.', '!', '?', ';', ':']).filter(|at| question[*at + 1..].starts_with(' '));
    let words = words(last.map_or(question, |at| &question[at + 1..]));
    if words.is_empty() || words.len() > MAX_WORDS {
        return None;
    }
    let mut at = 0;
    while let Some(opener) = OPENERS.iter().find(|opener| is_at(&words, at, opener)) {
        at += opener.len();
    }
    let words = &words[at..];
    let rest = words.get(1..)?;
    match words.first()?.lower.as_str() {
        "where" => lives_or_works(rest),
        "in" if is_one_of(rest, 0, &["which", "what"]) && is_one_of(rest, 1, &PLACES) => lives_or_works(rest.get(2..)?),
        "what" | "which" if is_one_of(rest, 0, &PLACES) => lives_or_works(rest.get(1..)?),
        "what" | "which" if is_one_of(rest, 0, &COMPANIES) => works_for(rest.get(1..)?),
        "what" | "which" => what(rest),
        "who" | "whom" => works_for(rest).or_else(|| of_somebody(rest)),
        "how" if is_at(rest, 0, &["old"]) => age(rest.get(1..)?),
        "how" if is_at(rest, 0, &["long"]) => since_when(rest.get(1..)?),
        "since" if is_at(rest, 0, &["when"]) => since_when(rest.get(1..)?),
        "when" if is_at(rest, 0, &["did"]) => began(rest.get(1..)?),
        "when" => of_somebody(rest),
        // "Do I still live in Lisbon?"
        "do" | "does" | "am" | "is" => lives_or_works(words).filter(|asked| asked.value.is_some()),
        _ => None,
    }
}

/// "'s" is a word of its own; behind a question word it is "is".
fn words(text: &str) -> Vec<Word<'_>> {
    let mut words: Vec<Word<'_>> = Vec::new();
    for written in text.split_whitespace() {
        let written = written.trim_matches([',', '"', '\u{201c}', '\u{201d}', '(', ')']);
        let lower = written.to_lowercase().replace('\u{2019}', "'");
        let (word, ending) = match lower.rsplit_once('\'') {
            Some((word, "s")) => (word.to_owned(), Some("'s")),
            Some((word, "m")) => (word.to_owned(), Some("am")),
            Some((word, "re")) => (word.to_owned(), Some("are")),
            Some((word, "ve")) => (word.to_owned(), Some("have")),
            _ => (lower, None),
        };
        if word.is_empty() {
            continue;
        }
        let asks = ["what", "where", "who", "when", "how", "which"].contains(&word.as_str());
        let written = written.split(['\'', '\u{2019}']).next().filter(|_| ending.is_some()).unwrap_or(written);
        words.push(Word { lower: word, written });
        if let Some(ending) = ending {
            let ending = if ending == "'s" && asks { "is" } else { ending };
            words.push(Word { lower: ending.to_owned(), written: ending });
        }
    }
    words
}

fn lower<'a>(words: &'a [Word<'_>], at: usize) -> &'a str {
    words.get(at).map_or("", |word| word.lower.as_str())
}

fn is_one_of(words: &[Word<'_>], at: usize, known: &[&str]) -> bool {
    known.contains(&lower(words, at))
}

fn is_at(words: &[Word<'_>], at: usize, known: &[&str]) -> bool {
    (0..).zip(known).all(|(step, word)| lower(words, at + step) == *word)
}

fn is_name(word: &Word<'_>) -> bool {
    word.written.starts_with(char::is_uppercase) && word.lower != "i"
}

/// Whom a question is about, and how many words say so.
fn whose(words: &[Word<'_>]) -> Option<(Whose, usize)> {
    match lower(words, 0) {
        "i" | "we" => Some((Whose::Asker, 1)),
        "my" | "our" => {
            let noun = words.get(1).filter(|word| !AUXILIARIES.contains(&word.lower.as_str()))?;
            // "My sister Mia" is Mia.
            match words.get(2).filter(|word| is_name(word)) {
                Some(name) => Some((Whose::Named(name.written.to_owned()), 3)),
                None => Some((Whose::Related(one_name(&noun.lower)), 2)),
            }
        }
        _ => {
            let names = words.iter().take(2).take_while(|word| is_name(word)).count();
            let name: Vec<&str> = words[..names].iter().map(|word| word.written).collect();
            (names > 0).then(|| (Whose::Named(name.join(" ")), names))
        }
    }
}

/// "do I live", "I live", "is Ana living now".
fn lives_or_works(words: &[Word<'_>]) -> Option<Asked> {
    let auxiliary = lower(words, 0);
    let asks = AUXILIARIES.contains(&auxiliary);
    let rest = &words[usize::from(asks)..];
    let (whose, count) = whose(rest)?;
    let mut at = count;
    let mut is_past = asks && PAST.contains(&auxiliary);
    loop {
        match lower(rest, at) {
            "currently" | "now" | "still" | "actually" | "been" => at += 1,
            "use" | "used" if lower(rest, at + 1) == "to" => (is_past, at) = (true, at + 2),
            "is" | "am" | "are" | "was" | "were" if !asks => {
                is_past |= PAST.contains(&lower(rest, at));
                at += 1;
            }
            _ => break,
        }
    }
    let verb = lower(rest, at);
    let (attribute, is_always_past) = match verb {
        "live" | "lives" | "living" | "lived" => ("lives in", false),
        "work" | "works" | "working" | "worked" => ("works at", false),
        "from" => ("is from", false),
        "grow" | "grew" if lower(rest, at + 1) == "up" => ("grew up in", true),
        "born" => ("was born in", true),
        _ => return None,
    };
    is_past |= ["lived", "worked"].contains(&verb);
    at += if lower(rest, at + 1) == "up" { 2 } else { 1 };
    at += usize::from(is_one_of(rest, at, &["in", "at", "for"]));
    let names = rest.get(at..)?.iter().take_while(|word| is_name(word)).count();
    if names > 0 && rest[at + names..].iter().all(|word| FILLERS.contains(&word.lower.as_str())) && !is_past {
        let value: Vec<&str> = rest[at..at + names].iter().map(|word| word.written).collect();
        return Some(Asked { whose, attribute: attribute.to_owned(), when: When::Now, value: Some(value.join(" ")) });
    }
    let (is_before, value) = before(rest.get(at..)?)?;
    let when = if is_before || (is_past && !is_always_past) { When::Before } else { When::Now };
    Some(Asked { whose, attribute: attribute.to_owned(), when, value })
}

/// What follows: nothing that counts, "before", or "before Lisbon".
fn before(words: &[Word<'_>]) -> Option<(bool, Option<String>)> {
    let at = words.iter().position(|word| BEFORE.contains(&word.lower.as_str()));
    let end = at.unwrap_or(words.len());
    if !words[..end].iter().all(|word| FILLERS.contains(&word.lower.as_str())) {
        return None;
    }
    let Some(behind) = at.map(|at| &words[at + 1..]) else { return Some((false, None)) };
    let moved = [
        "i", "we", "moved", "moving", "to", "the", "that", "this", "now", "then", "it", "came", "started", "at", "one",
    ];
    let names: Vec<&str> = behind.iter().filter(|word| is_name(word)).map(|word| word.written).collect();
    let is_read = behind.iter().all(|word| is_name(word) || moved.contains(&word.lower.as_str()));
    is_read.then(|| (true, Some(names.join(" ")).filter(|value| !value.is_empty())))
}

/// "do I work for".
fn works_for(words: &[Word<'_>]) -> Option<Asked> {
    lives_or_works(words).filter(|asked| asked.attribute == "works at")
}

/// "am I", "is Ana".
fn age(words: &[Word<'_>]) -> Option<Asked> {
    let rest = words.get(1..).filter(|_| is_one_of(words, 0, &["am", "is", "are"])).unwrap_or(words);
    let (whose, count) = whose(rest)?;
    let rest = rest.get(count..)?;
    let is_read =
        rest.iter().all(|word| FILLERS.contains(&word.lower.as_str()) || ["am", "is"].contains(&&*word.lower));
    is_read.then(|| Asked { whose, attribute: "age".to_owned(), when: When::Now, value: None })
}

/// "have I lived in Lisbon", "have I been working at Galp".
fn since_when(words: &[Word<'_>]) -> Option<Asked> {
    let rest = words.get(1..).filter(|_| is_one_of(words, 0, &AUXILIARIES))?;
    let (whose, count) = whose(rest)?;
    let verb = count + usize::from(lower(rest, count) == "been");
    let attribute = match lower(rest, verb) {
        "live" | "lived" | "living" => "lives in",
        "work" | "worked" | "working" => "works at",
        _ => return None,
    };
    since(whose, attribute, rest.get(verb + 1..)?)
}

/// "I move to Lisbon", "Ana start at Galp".
fn began(words: &[Word<'_>]) -> Option<Asked> {
    let (whose, count) = whose(words)?;
    match lower(words, count) {
        "move" => since(whose, "lives in", words.get(count + 1..)?),
        "start" => since(whose, "works at", words.get(count + 1..)?),
        _ => None,
    }
}

fn since(whose: Whose, attribute: &str, words: &[Word<'_>]) -> Option<Asked> {
    let joins = ["in", "at", "for", "to", "here", "there", "working", "the"];
    let is_read =
        words.iter().all(|word| is_name(word) || joins.contains(&&*word.lower) || FILLERS.contains(&&*word.lower));
    let names: Vec<&str> = words.iter().filter(|word| is_name(word)).map(|word| word.written).collect();
    let value = Some(names.join(" ")).filter(|value| !value.is_empty());
    is_read.then(|| Asked { whose, attribute: attribute.to_owned(), when: When::Since, value })
}

/// "car do I have", "do I drive", "kind of car did Ana drive before".
fn drives(words: &[Word<'_>]) -> Option<Asked> {
    let kind = if is_one_of(words, 0, &["kind", "sort", "type", "make"]) && lower(words, 1) == "of" { 2 } else { 0 };
    let names_car = is_one_of(words, kind, &VEHICLES);
    let rest = words.get(kind + usize::from(names_car)..).filter(|_| names_car || kind == 0)?;
    let is_past = lower(rest, 0) == "did";
    let (whose, count) = whose(rest.get(1..)?).filter(|_| is_one_of(rest, 0, &["do", "does", "did"]))?;
    let verb = lower(rest, 1 + count);
    if verb != "drive" && !(names_car && ["have", "own"].contains(&verb)) {
        return None;
    }
    let (is_before, value) = before(rest.get(2 + count..)?)?;
    let when = if is_past || is_before { When::Before } else { When::Now };
    Some(Asked { whose, attribute: "drives".to_owned(), when, value })
}

fn what(words: &[Word<'_>]) -> Option<Asked> {
    if let Some(asked) = drives(words) {
        return Some(asked);
    }
    let auxiliary = lower(words, 0);
    if ["do", "does", "did", "am", "is", "are"].contains(&auxiliary)
        && let Some((whose, count)) = whose(&words[1..])
    {
        let rest = &words[1 + count..];
        let now = |attribute: &str| {
            Some(Asked { whose: whose.clone(), attribute: attribute.to_owned(), when: When::Now, value: None })
        };
        let has_no_more = |from: usize| rest.iter().skip(from).all(|word| FILLERS.contains(&word.lower.as_str()));
        let is_work = is_at(rest, 1, &["for", "a", "living"]) || is_at(rest, 1, &["for", "work"]);
        match lower(rest, 0) {
            "do" if is_work || has_no_more(1) => return now("works as"),
            "work" if lower(rest, 1) == "as" && has_no_more(2) => return now("works as"),
            "allergic" if lower(rest, 1) == "to" && has_no_more(2) => return now("is allergic to"),
            "call" | "name" if auxiliary.starts_with("d") => return noun(rest.get(1..)?, false),
            _ => {}
        }
    }
    // "Which food am I allergic to?"
    if let Some(at) = words.iter().position(|word| word.lower == "allergic").filter(|at| (2..=4).contains(at)) {
        let (whose, count) = whose(&words[at.saturating_sub(1)..at])
            .or_else(|| whose(words.get(at.checked_sub(2)?..at)?))
            .filter(|(_, count)| *count > 0)?;
        let is_read = lower(words, at + 1) == "to" && words.len() == at + 2 && count < at;
        return is_read.then(|| Asked { whose, attribute: "is allergic to".to_owned(), when: When::Now, value: None });
    }
    if is_at(words, 0, &["is", "the", "name", "of"]) || is_at(words, 0, &["was", "the", "name", "of"]) {
        return noun(&words[4..], auxiliary == "was");
    }
    // "Which colour is my favourite?"
    if lower(words, 1) == "is" && is_one_of(words, 2, &["my", "our"]) && is_one_of(words, 3, &["favourite", "favorite"])
    {
        let attribute = format!("favourite {}", lower(words, 0));
        return (words.len() == 4).then_some(Asked { whose: Whose::Asker, attribute, when: When::Now, value: None });
    }
    of_somebody(words)
}

/// "is my phone number", "was Ana's address", "my phone number is".
fn of_somebody(words: &[Word<'_>]) -> Option<Asked> {
    if is_one_of(words, 0, &["is", "are", "was", "were"]) {
        return noun(&words[1..], PAST.contains(&lower(words, 0)));
    }
    let (last, rest) = words.split_last()?;
    let is_verb = ["is", "are", "was", "were"].contains(&last.lower.as_str());
    noun(rest, last.lower == "was").filter(|_| is_verb)
}

/// "my old phone number", "Ana's dog called".
fn noun(words: &[Word<'_>], is_past: bool) -> Option<Asked> {
    let is_filler = |word: &&Word<'_>| FILLERS.contains(&word.lower.as_str());
    let end = words.len() - words.iter().rev().take_while(is_filler).count();
    let (whose, own) = match words[..end].iter().position(|word| word.lower == "'s") {
        // "My dog's name" is a name of mine; "my sister's dog" is hers.
        Some(at) if is_one_of(words, 0, &["my", "our"]) => {
            let of: Vec<&str> = words.get(1..at)?.iter().map(|word| word.lower.as_str()).collect();
            if is_at(words, at + 1, &["name"]) && end == at + 2 {
                (Whose::Asker, of)
            } else {
                let name = words.get(2..at)?.first().filter(|word| is_name(word));
                let related = || Whose::Related(one_name(&of.join(" ")));
                let whose = name.map_or_else(related, |name| Whose::Named(name.written.to_owned()));
                (whose, words.get(at + 1..end)?.iter().map(|word| word.lower.as_str()).collect())
            }
        }
        Some(at) => {
            let (whose, count) = whose(&words[..at])?;
            if count != at {
                return None;
            }
            (whose, words.get(at + 1..end)?.iter().map(|word| word.lower.as_str()).collect())
        }
        None if is_one_of(words, 0, &["my", "our"]) => {
            (Whose::Asker, words.get(1..end)?.iter().map(|word| word.lower.as_str()).collect())
        }
        None => return None,
    };
    let mut own: Vec<&str> = own;
    let ends_before = own.len() > 1 && own.last().is_some_and(|last| BEFORE.contains(last));
    own.truncate(own.len() - usize::from(ends_before));
    let mut when = if is_past || ends_before { When::Before } else { When::Now };
    while let Some(first) =
        own.first().filter(|first| own.len() > 1 && (FORMER.contains(first) || PRESENT.contains(first)))
    {
        if FORMER.contains(first) {
            when = When::Before;
        }
        own.remove(0);
    }
    let is_plain = |word: &&str| word.chars().all(|letter| letter.is_alphanumeric() || letter == '-');
    let attribute = own.join(" ");
    let kept = ["first name", "last name", "middle name", "full name", "user name", "name", "maiden name"];
    let named = attribute.strip_suffix(" name").filter(|_| !kept.contains(&attribute.as_str()));
    let attribute = one_name(named.unwrap_or(&attribute));
    let is_read = (1..=4).contains(&own.len()) && own.iter().all(is_plain);
    is_read.then_some(Asked { whose, attribute, when, value: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(question: &str) -> String {
        let Some(Asked { whose, attribute, when, value }) = asked(question) else { return String::new() };
        let whose = match whose {
            Whose::Asker => "I".to_owned(),
            Whose::Related(noun) => format!("my {noun}"),
            Whose::Named(name) => name,
        };
        let when = match when {
            When::Now => "",
            When::Before => " before",
            When::Since => " since",
        };
        format!("{whose}: {attribute}{when}{}", value.map(|value| format!(" {value}")).unwrap_or_default())
    }

    #[test]
    fn i44_plain_questions_ask_for_one_thing_about_somebody() {
        let check = |question: &str, expected: &str| assert_eq!(shown(question), expected, "{question}");
        check("Where do I live?", "I: lives in");
        check("Hey, can you tell me where I live these days?", "I: lives in");
        check("In which city do we live now?", "I: lives in");
        check("what city do I live in", "I: lives in");
        check("Where am I living?", "I: lives in");
        check("Where does Mia live?", "Mia: lives in");
        check("Where does my sister live?", "my sister: lives in");
        check("Where does my sister Mia live?", "Mia: lives in");
        check("Where's Ana living now?", "Ana: lives in");
        check("Where do I work?", "I: works at");
        check("Who do I work for?", "I: works at");
        check("Which company do I work for?", "I: works at");
        check("What do I do for a living?", "I: works as");
        check("What's my job?", "I: works as");
        check("Where am I from?", "I: is from");
        check("Where was I born?", "I: was born in");
        check("Where did I grow up?", "I: grew up in");
        check("What am I allergic to?", "I: is allergic to");
        check("Which food am I allergic to?", "I: is allergic to");
        check("How old am I?", "I: age");
        check("How old is Mia?", "Mia: age");
        check("What's my phone number?", "I: phone number");
        check("What is my new mobile number?", "I: phone number");
        check("What is my dog called?", "I: dog");
        check("What's my dog's name?", "I: dog");
        check("What is the name of my dog?", "I: dog");
        check("What did I name my dog?", "I: dog");
        check("Who is my dentist?", "I: dentist");
        check("What is my favorite colour?", "I: favourite colour");
        check("Which colour is my favourite?", "I: favourite colour");
        check("When is my birthday?", "I: birthday");
        check("What is Ana's phone number?", "Ana: phone number");
        check("What is my sister\u{2019}s phone number?", "my sister: phone number");
        check("Where does Mum live?", "Mum: lives in");
        check("Where does my mum live?", "my mother: lives in");
        check("Do I still live in Lisbon?", "I: lives in Lisbon");
        check("What do I drive?", "I: drives");
        check("What car do I have now?", "I: drives");
        check("Which kind of car does Mia drive?", "Mia: drives");
        check("Is Ana working at Galp now?", "Ana: works at Galp");
    }

    #[test]
    fn i44_questions_about_the_past_and_since_when() {
        let check = |question: &str, expected: &str| assert_eq!(shown(question), expected, "{question}");
        check("Where did I live before?", "I: lives in before");
        check("Where did I live before Lisbon?", "I: lives in before Lisbon");
        check("Where did we live before we moved to Lisbon?", "I: lives in before Lisbon");
        check("Where did I use to live?", "I: lives in before");
        check("What car did I have before?", "I: drives before");
        check("Where did I work before Galp?", "I: works at before Galp");
        check("What was my old phone number?", "I: phone number before");
        check("What was my number before?", "I: phone number before");
        check("Since when have I lived in Lisbon?", "I: lives in since Lisbon");
        check("How long have I been living in Lisbon?", "I: lives in since Lisbon");
        check("When did I move to Lisbon?", "I: lives in since Lisbon");
        check("When did Ana start at Galp?", "Ana: works at since Galp");
    }

    #[test]
    fn i44_what_asks_for_more_is_not_understood() {
        for question in [
            "Where do I live when I am old?",
            "Where do I keep the keys?",
            "Where did I live in May?",
            "What do I like about Lisbon?",
            "What should I wear?",
            "What is my plan for the week with Ana and Bruno?",
            "Where does the pump run?",
            "How is the lens cleaned?",
            "Who lives in Lisbon?",
            "Do I like Lisbon?",
            "Is Ana well?",
            "When did I start running?",
            "What is a token?",
            "Wo wohne ich?",
            "",
            "?",
        ] {
            assert_eq!(shown(question), "", "{question}");
        }
    }
}
