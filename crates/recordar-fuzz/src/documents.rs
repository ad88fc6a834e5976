//! Documents, and parts of texts: words, sentences, times, secrets.

use crate::contract::{assert_told, choice};
use recordar_domain::text::{
    Chunking, Language, Structure, TokenCounter, Unstructured, Words, chunk, clip_end, normalized_hash, one_line,
    period, sentence_ends,
};
use recordar_domain::{Expiry, FileType, Timestamp, iso_date};
use std::cell::RefCell;
use std::sync::LazyLock;

static COUNTER: LazyLock<TokenCounter> = LazyLock::new(|| TokenCounter::for_model("gpt-4o-mini"));
const TYPES: [FileType; 13] = FileType::ALL;
const MAX_DOCUMENT_BYTES: u64 = 6000;

/// Bytes to text to structure to chunks: every chunk is a slice of the text, and without overlap they add up to it.
pub(crate) fn documents(input: &[u8]) {
    let (chosen, bytes) = choice(input);
    let text = match recordar::fuzzing::document(bytes, MAX_DOCUMENT_BYTES) {
        Ok(text) => text,
        Err(problem) => return assert_told(&problem.what, &problem.remedy),
    };
    let file_type = TYPES[usize::from(chosen) % TYPES.len()];
    let structure = match Structure::of(&text, file_type) {
        Ok(structure) => structure,
        Err(Unstructured(why)) => {
            assert!(matches!(file_type, FileType::Json | FileType::Yaml | FileType::Jsonl) && !why.is_empty());
            Structure::default()
        }
    };
    let size = 1 + usize::from(chosen >> 3);
    let chunking = match chosen & 4 {
        0 => Chunking::Delimiter { min_tokens: size / 2, max_tokens: size, delimiters: vec![".".into(), "\n".into()] },
        _ => Chunking::Recursive { tokens: size, overlap: size / 4 },
    };
    let chunks = chunk(&text, &structure, &chunking, &COUNTER);
    let mut end = 0;
    for chunk in &chunks {
        assert!(chunk.start == end && chunk.end > end, "chunks follow one another: {chunk:?} behind {end}");
        assert_eq!(COUNTER.count(chunk.text(&text)), chunk.tokens, "{chunk:?}");
        end = chunk.end;
    }
    assert_eq!(end, text.len(), "the chunks spell the document");
    let sections = structure.sections(&text);
    for start in sections.within(0..text.len()) {
        assert!(text.is_char_boundary(start.at), "{start:?}");
        assert!(sections.at(start.at).is_some());
    }
}

thread_local! {
    static WORDS: RefCell<Vec<Words>> = RefCell::new(languages().into_iter().map(Words::new).collect());
}

fn languages() -> Vec<Language> {
    let names = Language::NAMES.split([',', ' ']).filter(|name| !name.is_empty() && *name != "or");
    names.map(|name| Language::parse(name).unwrap_or_else(|refused| panic!("{refused}"))).collect()
}

/// Words, stems, sentences, and cuts by tokens.
pub(crate) fn words(input: &[u8]) {
    let (chosen, bytes) = choice(input);
    let text = String::from_utf8_lossy(bytes);
    WORDS.with_borrow_mut(|words| {
        let at = usize::from(chosen) % words.len();
        words[at]
            .each(&text, |word, stem| assert!(!word.is_empty() && stem.len() <= 4 * text.len().max(64), "{word:?}"));
    });
    let mut before = 0;
    for end in sentence_ends(&text) {
        assert!(end > before && text.is_char_boundary(end), "sentence ends ascend: {end} behind {before}");
        before = end;
    }
    let clipped = clip_end(&text, 1 + usize::from(chosen & 3));
    assert!(text.is_char_boundary(clipped));
    let most = 1 + usize::from(chosen);
    let fitting = COUNTER.fit("<", &text, ">", most);
    assert!(fitting == 0 || COUNTER.count(&format!("<{}>", &text[..fitting])) <= most, "{fitting} of {most}");
    let line = one_line(&text, 40);
    assert!(!line.contains(['\n', '\r']) && line.chars().count() <= 41, "{line:?}");
    assert_eq!(normalized_hash(&text), normalized_hash(&text));
}

/// Messages: the built-in facts quote them, and the built-in summary is shorter.
pub(crate) fn messages(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let Ok((quotes, summary)) = recordar::fuzzing::read_message("Ana", &text) else { return };
    assert!(quotes.iter().all(|quote| text.contains(quote.as_str())), "{quotes:?}");
    assert!(summary.chars().count() <= text.chars().count() + 64, "{summary:?}");
}

/// Instructions to a model: their spans are in order, apart and on character borders.
pub(crate) fn instructions(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let mut before = 0;
    for found in recordar_injection::instructions(&text) {
        assert!(before <= found.span.start && text.get(found.span.clone()).is_some(), "{found:?}");
        before = found.span.end;
    }
}

/// Times, dates and the periods that questions name.
pub(crate) fn times(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    match Timestamp::parse(&text) {
        Ok(time) => {
            let again = Timestamp::parse(&time.to_string());
            assert_eq!(again.ok(), Some(time), "a time is read as it is written: {time}");
        }
        Err(refused) => assert_told(&refused.what, &refused.remedy),
    }
    match Expiry::parse(&text) {
        Ok(expiry) => {
            assert_eq!(Expiry::parse(&expiry.to_string()).ok(), Some(expiry), "an end is read as it is written");
            let now = Timestamp::from_micros(1_770_000_000_000_000);
            assert!(expiry.at(now).is_ok_and(Timestamp::is_writable) || expiry.at(now).is_err());
        }
        Err(refused) => assert_told(&refused.what, &refused.remedy),
    }
    match iso_date(&text) {
        Ok(date) => assert_eq!(iso_date(&date).ok(), Some(date)),
        Err(refused) => assert_told(&refused.what, &refused.remedy),
    }
    for asked_at in ["2026-11-15T12:00:00Z", "-009999-01-02T01:59:59Z", "9999-12-30T22:00:00Z"] {
        let asked_at = Timestamp::parse(asked_at).unwrap_or_else(|refused| panic!("{refused}"));
        if let Some((from, to)) = period(&text, asked_at) {
            assert!(from <= to, "{from} {to}");
        }
    }
}

/// The first line is a pattern, the rest a text. Whatever both are, matches of the built-in patterns are redacted.
pub(crate) fn redaction(input: &[u8]) {
    const SECRET: &str = "\n123-45-6789\n";
    let input = String::from_utf8_lossy(input);
    let (pattern, text) = input.split_once('\n').unwrap_or((&input, "ada@example.org"));
    let patterns: Vec<String> = Some(pattern.to_owned()).filter(|pattern| !pattern.is_empty()).into_iter().collect();
    match recordar::fuzzing::redact(&patterns, &format!("{text}{SECRET}")) {
        Ok(redacted) => assert!(!redacted.contains(SECRET), "{redacted}"),
        Err(error) => assert_told(&error.to_string(), &error.remedy()),
    }
}
