//! A sentence as words, numbers, times of day and marks, in their order.

use crate::stems::Reader;
use recordar_domain::text::Language;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    Word,
    Number(f64),
    /// Minutes since midnight.
    Clock(u16),
    /// Year, month and day.
    Date(u16, u8, u8),
    /// A number that counts nothing, such as 2.4.1 and v2.
    Code,
    Mark,
}

#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// In lower case.
    pub(super) word: String,
    /// The stem, or the word itself if it has none.
    pub(super) key: String,
    pub(super) is_capital: bool,
    /// Whether the word is one that nearly every sentence has.
    pub(super) is_stop: bool,
    /// Whether nothing is between it and the token before.
    pub(super) is_joined: bool,
}

/// Later tokens are not read: a longer sentence is a table or a list.
pub(super) const MAX_TOKENS: usize = 80;

pub(super) fn tokens(sentence: &str, language: Language, reader: &mut Reader) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::new();
    let mut rest = sentence;
    let mut is_joined = false;
    while let Some(first) = rest.chars().next()
        && found.len() < MAX_TOKENS
    {
        if first.is_whitespace() {
            (rest, is_joined) = (&rest[first.len_utf8()..], false);
            continue;
        }
        let (kind, end) = if first.is_ascii_digit() {
            number(rest)
        } else if first.is_alphanumeric() {
            word(rest)
        } else {
            (Kind::Mark, first.len_utf8())
        };
        let written = &rest[..end];
        let word = written.to_lowercase().replace('\u{2019}', "'");
        let word = word.strip_suffix("'s").map_or(word.clone(), str::to_owned);
        let is_whole = kind != Kind::Word || word.contains(['.', '_', '/']);
        let stem = if is_whole { word.clone() } else { reader.key(language, &word) };
        let is_stop = kind == Kind::Word && reader.is_stop(language, &word);
        let is_capital = first.is_uppercase();
        found.push(Token { kind, key: stem, word, is_capital, is_stop, is_joined });
        (rest, is_joined) = (&rest[end..], true);
    }
    spelled(found)
}

/// A run that begins with a digit, without the unit that may be written right behind it.
fn number(rest: &str) -> (Kind, usize) {
    let bytes = rest.as_bytes();
    let mut end = 0;
    while end < bytes.len() {
        let joins = matches!(bytes[end], b'.' | b',' | b':' | b'/' | b'-')
            && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        if !bytes[end].is_ascii_digit() && !joins {
            break;
        }
        end += 1;
    }
    let run = &rest[..end];
    let letters = rest[end..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len() - end);
    // `3bar` is a number with its unit, `3f9a` is none.
    let is_code = rest[end..end + letters].chars().any(|c| c.is_ascii_digit() || c == '_') || letters > 12;
    if is_code {
        return (Kind::Code, end + letters);
    }
    if let Some(kind) = date(run).or_else(|| clock(run)).or_else(|| amount(run).map(Kind::Number)) {
        return (kind, end);
    }
    // 3-5 is a range: its end follows.
    if let Some((low, high)) = run.split_once('-')
        && let (Some(low_value), Some(_)) = (amount(low), amount(high))
    {
        return (Kind::Number(low_value), low.len());
    }
    (Kind::Code, end)
}

fn amount(run: &str) -> Option<f64> {
    let is_grouped = run.contains(',')
        && run.split('.').next().unwrap_or_default().split(',').skip(1).all(|group| group.len() == 3)
        && run.split('.').skip(1).all(|fraction| !fraction.contains(','));
    let plain = match (is_grouped, run.matches(',').count()) {
        (true, _) => run.replace(',', ""),
        (false, 1) if !run.contains('.') => run.replace(',', "."),
        _ => run.to_owned(),
    };
    plain.parse().ok().filter(|value: &f64| value.is_finite())
}

fn clock(run: &str) -> Option<Kind> {
    let (hour, minute) = run.split_once(':')?;
    let minute = minute.split(':').next().filter(|minute| minute.len() == 2)?;
    let (hour, minute): (u16, u16) = (hour.parse().ok()?, minute.parse().ok()?);
    (hour <= 24 && minute < 60).then(|| Kind::Clock(hour * 60 + minute))
}

fn date(run: &str) -> Option<Kind> {
    let separator = ['-', '.', '/'].into_iter().find(|c| run.matches(*c).count() == 2)?;
    let mut parts = run.split(separator).map(|part| part.parse::<u16>().ok());
    let (first, second, third) = (parts.next()??, parts.next()??, parts.next()??);
    let (year, month, day) = match separator {
        '-' => (first, second, third),
        '.' => (third, second, first),
        _ => return None,
    };
    let is_date = (1000..3000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    is_date.then_some(Kind::Date(year, month as u8, day as u8))
}

/// A word; `notes.md` and `a_b` are one, `three-day` is two.
fn word(rest: &str) -> (Kind, usize) {
    let mut end = 0;
    let mut has_digit = false;
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let joins = matches!(c, '\'' | '\u{2019}' | '.' | '_' | '/') && {
            let next = chars.peek().is_some_and(|(_, next)| next.is_alphanumeric());
            next || c == '_'
        };
        if !c.is_alphanumeric() && !joins {
            break;
        }
        has_digit |= c.is_ascii_digit();
        end = at + c.len_utf8();
    }
    (if has_digit { Kind::Code } else { Kind::Word }, end)
}

/// Numbers in words become numbers.
fn spelled(tokens: Vec<Token>) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut tokens = tokens.into_iter().peekable();
    while let Some(mut token) = tokens.next() {
        let next = tokens.peek().map_or("", |next| next.word.as_str());
        let value = match token.word.as_str() {
            "one"
                if matches!(next, "of" | "can" | "another" | "")
                    || found.last().is_some_and(|last| last.word == "no") =>
            {
                None
            }
            "half" if matches!(next, "an" | "a") => Some(0.5),
            "half" if next == "of" => Some(50.0),
            "quarter" if next == "of" => Some(0.25),
            // "Takes a day".
            "a" | "an" if matches!(next, "second" | "minute" | "hour" | "day" | "week" | "month" | "year") => {
                let is_amount = |last: &Token| {
                    matches!(
                        last.word.as_str(),
                        "is" | "takes" | "took" | "lasts" | "lasted" | "within" | "after" | "for" | "once"
                    )
                };
                found.last().is_some_and(is_amount).then_some(1.0)
            }
            word => in_words(word),
        };
        let Some(value) = value.filter(|_| token.kind == Kind::Word) else {
            found.push(token);
            continue;
        };
        if token.word == "quarter" {
            tokens.next();
            tokens.next_if(|next| matches!(next.word.as_str(), "a" | "an"));
        }
        if token.word == "half" {
            let of = tokens.next().filter(|next| next.word == "of");
            if of.is_some() {
                found.push(Token { kind: Kind::Number(value), ..token });
                found.push(Token {
                    kind: Kind::Mark,
                    word: "%".to_owned(),
                    key: String::new(),
                    is_capital: false,
                    is_stop: false,
                    is_joined: true,
                });
                continue;
            }
        }
        // "Twenty-one", "three thousand" and "two and a half" are one number.
        let before = match &mut found[..] {
            [.., Token { kind: Kind::Number(before), .. }, hyphen] if hyphen.word == "-" => {
                (*before >= 20.0 && *before < 100.0 && value < 10.0).then_some((before, true))
            }
            [.., Token { kind: Kind::Number(before), .. }] => {
                (value >= 100.0 || value == 12.0).then_some((before, false))
            }
            _ => None,
        };
        match before {
            Some((before, true)) => {
                *before += value;
                found.pop();
            }
            Some((before, false)) => *before *= value,
            None => {
                token.kind = Kind::Number(value);
                found.push(token);
            }
        }
    }
    let mut at = 1;
    while at + 2 < found.len() {
        let is_half = [(0, "and"), (1, "a"), (2, "half")].iter().all(|(next, word)| found[at + next].word == *word);
        if is_half && let Kind::Number(value) = &mut found[at - 1].kind {
            *value += 0.5;
            found.drain(at..at + 3);
        }
        at += 1;
    }
    found
}

fn in_words(word: &str) -> Option<f64> {
    const SMALL: [&str; 21] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    const TENS: [&str; 7] = ["thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
    const LARGE: [(&str, f64); 5] =
        [("hundred", 100.0), ("thousand", 1000.0), ("million", 1e6), ("dozen", 12.0), ("billion", 1e9)];
    let small = SMALL.iter().position(|known| *known == word).map(|value| value as f64);
    let tens = || TENS.iter().position(|known| *known == word).map(|place| (place as f64 + 3.0) * 10.0);
    small.or_else(tens).or_else(|| LARGE.iter().find(|(known, _)| *known == word).map(|(_, value)| *value))
}
