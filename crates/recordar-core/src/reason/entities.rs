//! Entities in a text, by patterns: orders, amounts, dates, addresses. For entity types whose names say what to look for.

use recordar_domain::{Entity, TermKind, Vocabulary};
use regex::Regex;
use std::collections::BTreeMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Only this much of a text is looked at.
const MAX_LOOKED_AT: usize = 16 * 1024;
const MAX_FOUND: usize = 16;
const MAX_PATTERNS: usize = 256;

static PATTERNS: LazyLock<BTreeMap<&'static str, Regex>> = LazyLock::new(|| {
    const MONTH: &str = "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
    let date = format!(
        r"(?i)\b(?:\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{2,4}}|{MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{MONTH}(?:,? \d{{4}})?|{MONTH} \d{{4}})\b"
    );
    let all = [
        ("email", r"(?i)\b[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}\b".to_owned()),
        ("phone", r"(?:\+|\b00)[1-9][\d ().-]{6,16}\d\b|\(?\b\d{3}\)?[ .-]\d{3}[ .-]\d{4}\b".to_owned()),
        (
            "amount",
            r"(?i)[$€£¥]\s?\d[\d,]*(?:\.\d+)?|\b\d[\d,]*(?:\.\d+)?\s?(?:dollars?|euros?|pounds?|usd|eur|gbp)\b"
                .to_owned(),
        ),
        ("date", date),
        ("tracking_number", r"\b(?:1Z[0-9A-Z]{16}|[A-Z]{2}\d{9}[A-Z]{2}|\d{20,22})\b".to_owned()),
    ];
    all.into_iter().filter_map(|(name, pattern)| Some((name, Regex::new(&pattern).ok()?))).collect()
});

static NUMBERED: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"#[A-Za-z0-9][A-Za-z0-9-]{0,30}\b").ok());

/// The entities of a text, in the order of the vocabulary's types and then of the text.
pub(super) fn entities(vocabulary: &Vocabulary, text: &str) -> Vec<Entity> {
    let text = &text[..text.floor_char_boundary(MAX_LOOKED_AT)];
    let mut found: Vec<Entity> = Vec::new();
    let mut is_first_id = true;
    for kind in vocabulary.names(TermKind::EntityType) {
        let mut add = |value: &str| {
            let entity = Entity { kind: kind.to_owned(), value: value.trim().to_owned() };
            if !found.iter().any(|known| known.key() == entity.key()) && found.len() < MAX_FOUND {
                found.push(entity);
            }
        };
        if let Some(pattern) = PATTERNS.get(kind) {
            pattern.find_iter(text).for_each(|found| add(found.as_str()));
        }
        if let Some(noun) = kind.strip_suffix("_id").or(kind.strip_suffix("_number")) {
            numbered(noun, text).iter().for_each(|value| add(value));
            // A number with a mark and no noun is one of the first kind that has ids: an order, in the first vocabulary.
            if kind.ends_with("_id") && std::mem::take(&mut is_first_id) {
                NUMBERED.iter().flat_map(|pattern| pattern.find_iter(text)).for_each(|found| add(found.as_str()));
            }
        }
    }
    found
}

/// `order #5678`, `order number A-17`, `ticket 99`.
fn numbered(noun: &str, text: &str) -> Vec<String> {
    let Some(pattern) = numbered_pattern(noun) else { return Vec::new() };
    let values = pattern.captures_iter(text).filter_map(|found| Some(found.get(1)?.as_str()));
    values.filter(|value| value.contains(|c: char| c.is_ascii_digit())).map(str::to_owned).collect()
}

/// The pattern of a noun, compiled once.
fn numbered_pattern(noun: &str) -> Option<Regex> {
    static KNOWN: LazyLock<Mutex<BTreeMap<String, Regex>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pattern) = known.get(noun) {
        return Some(pattern.clone());
    }
    let escaped = regex::escape(&noun.replace('_', " "));
    let pattern = format!(r"(?i)\b{escaped}(?:\s+(?:id|no\.?|number|nr\.?))?\s*:?\s*(#?[a-z0-9][a-z0-9-]{{1,30}})\b");
    let pattern = Regex::new(&pattern).ok()?;
    if known.len() >= MAX_PATTERNS {
        known.clear();
    }
    known.insert(noun.to_owned(), pattern.clone());
    Some(pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d2_entities_of_the_first_vocabulary_are_found_by_patterns() {
        let check = |text: &str, expected: &[(&str, &str)]| {
            let found = entities(&Vocabulary::first(), text);
            let found: Vec<(&str, &str)> = found.iter().map(|one| (one.kind.as_str(), one.value.as_str())).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("What about my order #5678?", &[("order_id", "#5678")]);
        check(
            "Order number A-1789 cost $99.00 on 2026-01-31.",
            &[("order_id", "A-1789"), ("date", "2026-01-31"), ("amount", "$99.00")],
        );
        check(
            "Write to ada@example.com or call +44 20 7946 0958.",
            &[("email", "ada@example.com"), ("phone", "+44 20 7946 0958")],
        );
        check(
            "It is 1Z999AA10123456784, sent on 8 May 2023",
            &[("date", "8 May 2023"), ("tracking_number", "1Z999AA10123456784")],
        );
        check("I want to order shoes, in order to run.", &[]);
    }
}
