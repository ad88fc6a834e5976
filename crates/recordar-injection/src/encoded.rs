//! Text inside base64 or hexadecimal. Nobody encodes an innocent request, so inside a code any request counts.

use crate::matching::plain_matches;
use crate::normal::Normal;
use crate::signals::{Signals, THRESHOLD};
use crate::words;
use std::ops::{Range, RangeInclusive};

pub(crate) const SIGNAL: &str = "encoded_text";

/// Shorter runs hold no request, and longer ones are files.
const ENCODED_BYTES: RangeInclusive<usize> = 24..=20_000;

/// The bytes of a text at which an encoded instruction begins.
pub(crate) fn encoded_instructions(text: &str, signals: &Signals) -> impl Iterator<Item = usize> {
    let runs = encoded_runs(text).into_iter();
    runs.filter(move |run| {
        let inside = text.get(run.clone()).and_then(decode);
        inside.is_some_and(|inside| is_instruction(&inside, signals))
    })
    .map(|run| run.start)
}

fn is_instruction(inside: &str, signals: &Signals) -> bool {
    let words = words::read(&Normal::of(inside), signals);
    plain_matches(&words, signals).iter().any(|found| found.signal.weight >= THRESHOLD)
}

/// Runs of bytes that may be base64 or hexadecimal.
fn encoded_runs(text: &str) -> Vec<Range<usize>> {
    let is_code = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_=".contains(&byte);
    let mut runs = Vec::new();
    let mut start = 0;
    for (end, byte) in text.bytes().chain([b'\n']).enumerate() {
        if !is_code(byte) {
            if ENCODED_BYTES.contains(&(end - start)) {
                runs.push(start..end);
            }
            start = end + 1;
        }
    }
    runs
}

fn decode(run: &str) -> Option<String> {
    decode_hexadecimal(run).and_then(readable).or_else(|| decode_base64(run).and_then(readable))
}

fn decode_hexadecimal(run: &str) -> Option<Vec<u8>> {
    let digits = run.chars().map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()));
    let digits: Vec<u8> = digits.collect::<Option<_>>()?;
    let (pairs, odd) = digits.as_chunks::<2>();
    odd.is_empty().then(|| pairs.iter().map(|[high, low]| high << 4 | low).collect())
}

/// Both alphabets, with or without padding. Written out because a decoder that accepts all of these at once is longer to set up.
fn decode_base64(run: &str) -> Option<Vec<u8>> {
    let body = run.trim_end_matches('=');
    if body.len() % 4 == 1 {
        return None;
    }
    let (mut bits, mut held, mut bytes) = (0u32, 0, Vec::new());
    for byte in body.bytes() {
        bits = (bits << 6 | base64_value(byte)?) & 0xFFFF;
        held += 6;
        if held >= 8 {
            held -= 8;
            let [.., lowest] = (bits >> held).to_be_bytes();
            bytes.push(lowest);
        }
    }
    Some(bytes)
}

fn base64_value(byte: u8) -> Option<u32> {
    let value = match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    };
    Some(value.into())
}

/// Only plain ASCII with spaces counts as text: random bytes hardly ever decode to it.
fn readable(bytes: Vec<u8>) -> Option<String> {
    let is_plain = bytes.iter().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~'));
    String::from_utf8(bytes).ok().filter(|text| is_plain && text.matches(' ').count() >= 2)
}
