//! Words that are written together: `snake_case`, `--no-cache`, `PersistentVolume`, `10MB`, `v2.1.0`.
//!
//! A compound is cut into its parts, so that it is found by them. A number with a point stays one part. A name in mixed case stays one part
//! too, because it is rarer than its parts: of `SaveMart`, "save" says little.

use super::each_word;
use super::words::is_unspaced;
use std::ops::Range;

/// Longer compounds are cut into several.
const MAX_PARTS: usize = 32;
/// The number of figures between points that a number may have: as many as an address of the internet.
const MAX_NUMBERS: usize = 4;
/// A part of a name in mixed case has at least this number of letters, and one of them more: `mRNA` and `PrP` are one word.
const MIN_PART: usize = 2;
const MIN_LONGEST_PART: usize = 4;
/// A longer name is found in one word only.
const MAX_CASE_PARTS: usize = 6;
/// What may follow a number without a space.
const UNITS: [&str; 52] = [
    "am", "bit", "bits", "byte", "bytes", "cm", "db", "dpi", "em", "eur", "fps", "ft", "gb", "gbps", "ghz", "gib",
    "hr", "hrs", "hz", "in", "kb", "kbps", "kg", "khz", "kib", "km", "kmh", "kw", "kwh", "lb", "lbs", "mb", "mbps",
    "mg", "mhz", "mi", "mib", "min", "mins", "ml", "mm", "mph", "ms", "ns", "oz", "pm", "pt", "px", "rem", "sec", "tb",
    "usd",
];

/// Calls `take` with the places of the parts of each compound. Most words have one part: themselves.
pub(super) fn each_compound(text: &str, mut take: impl FnMut(&[Range<usize>])) {
    let mut parts: Vec<Range<usize>> = Vec::new();
    // A word is a slice of the text.
    let origin = text.as_ptr() as usize;
    each_word(text, |word| {
        let start = word.as_ptr() as usize - origin;
        let before = parts.last().map(|part| (part.clone(), &text[part.end..start]));
        match before {
            Some((last, gap)) if parts.len() < MAX_PARTS && connects(&text[last.clone()], gap, word) => {
                let first_new = parts.len();
                add_parts(start, word, &mut parts);
                let next = parts[first_new].clone();
                if gap == "." && is_number(&text[last.clone()]) && is_digits(&text[next.clone()]) {
                    parts[first_new - 1].end = next.end;
                    parts.remove(first_new);
                }
            }
            _ => {
                if !parts.is_empty() {
                    take(&parts);
                }
                parts.clear();
                add_parts(start, word, &mut parts);
            }
        }
    });
    if !parts.is_empty() {
        take(&parts);
    }
}

/// Whether a part is a number with points, such as `3.5`, `v2.1.0` and `08.05.2023`.
pub(super) fn is_number_with_points(part: &str) -> bool {
    part.contains('.')
}

fn connects(last: &str, gap: &str, next: &str) -> bool {
    if last.starts_with(is_unspaced) || next.starts_with(is_unspaced) {
        return false;
    }
    match gap {
        "-" | "_" | "." | "\u{2010}" | "\u{2011}" => true,
        // 1,000
        "," => next.len() == 3 && is_digits(next) && last.len() <= 3 && is_digits(last),
        _ => false,
    }
}

fn add_parts(start: usize, word: &str, parts: &mut Vec<Range<usize>>) {
    match number_before_unit(word) {
        Some(end) => parts.extend([start..start + end, start + end..start + word.len()]),
        None => parts.push(start..start + word.len()),
    }
}

/// Calls `take` with the parts of a name in mixed case, if it has any. Such a name is one word all the same.
pub(super) fn each_case_part<'a>(word: &'a str, mut take: impl FnMut(&'a str)) {
    let bytes = word.as_bytes();
    if !bytes.iter().skip(MIN_PART).any(u8::is_ascii_uppercase) || !bytes.iter().any(u8::is_ascii_lowercase) {
        return;
    }
    let mut bounds = vec![0];
    for at in case_changes(word) {
        if at - bounds[bounds.len() - 1] >= MIN_PART && word.len() - at >= MIN_PART {
            bounds.push(at);
        }
    }
    bounds.push(word.len());
    let lengths = bounds.windows(2).map(|bounds| bounds[1] - bounds[0]);
    if (3..=MAX_CASE_PARTS + 1).contains(&bounds.len()) && lengths.max().is_some_and(|most| most >= MIN_LONGEST_PART) {
        bounds.windows(2).for_each(|bounds| take(&word[bounds[0]..bounds[1]]));
    }
}

/// Where a new part begins: at `V` in `PersistentVolume`, at `S` in `HTTPServer`, nowhere in `URLs`.
fn case_changes(word: &str) -> impl Iterator<Item = usize> + '_ {
    let bytes = word.as_bytes();
    (1..bytes.len()).filter(move |at| {
        let (last, here) = (bytes[at - 1], bytes[*at]);
        let begins_word = || bytes[at + 1..].iter().take(2).filter(|byte| byte.is_ascii_lowercase()).count() == 2;
        here.is_ascii_uppercase() && (last.is_ascii_lowercase() || (last.is_ascii_alphanumeric() && begins_word()))
    })
}

/// The length of the number in `10MB`.
fn number_before_unit(word: &str) -> Option<usize> {
    let end = word.find(|c: char| !c.is_ascii_digit()).filter(|end| *end > 0)?;
    UNITS.iter().any(|unit| unit.eq_ignore_ascii_case(&word[end..])).then_some(end)
}

fn is_digits(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// `3`, `3.5`, `v2`. The next figure may follow.
fn is_number(part: &str) -> bool {
    let figures = part.strip_prefix(['v', 'V']).unwrap_or(part);
    figures.split('.').count() < MAX_NUMBERS && figures.split('.').all(is_digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn i21_words_written_together_have_parts() {
        let check = |text: &str, expected: &str| {
            let mut found = Vec::new();
            each_compound(text, |parts| {
                found.push(parts.iter().map(|part| &text[part.clone()]).collect::<Vec<_>>().join("|"));
            });
            assert_eq!(found.join(" "), expected, "{text}");
        };
        check("PersistentVolume, HTTPServer", "PersistentVolume HTTPServer");
        check("--no-cache snake_case", "no|cache snake|case");
        check("node.js e-mail utf-8 utf8", "node|js e|mail utf|8 utf8");
        check("3.5 km, 3.5GB 10MB 5km 3rd 4k", "3.5 km 3.5|GB 10|MB 5|km 3rd 4k");
        check("v2.1.0 v2 10.0.0.1 1.2.3.4.5", "v2.1.0 v2 10.0.0.1 1.2.3.4|5");
        check("1,000 items; 1,2 and 12,345", "1|000 items 1 2 and 12|345");
        check("It ends. Then 5. 2023-05-08", "It ends Then 5 2023|05|08");
        check("Ada's, don't, and/or a--b", "Ada's don't and or a b");
        check("灯台-v2 für-immer naïve_Art", "灯台 v2 für|immer naïve|Art");
        check("", "");
        let mut most = 0;
        each_compound(&"a-".repeat(1000), |parts| most = most.max(parts.len()));
        assert_eq!(most, MAX_PARTS);
    }

    #[test]
    fn i21_words_in_mixed_case_have_parts() {
        let check = |word: &str, expected: &str| {
            let mut parts = Vec::new();
            each_case_part(word, |part| parts.push(part));
            assert_eq!(parts.join("|"), expected, "{word}");
        };
        check("PersistentVolume", "Persistent|Volume");
        check("HTTPServer", "HTTP|Server");
        check("requestIdleCallback", "request|Idle|Callback");
        check("Base64Encoder", "Base64|Encoder");
        check("MP3Player", "MP3|Player");
        check("iPhone12Pro", "iPhone12|Pro");
        for word in ["", "lamp", "Lamp", "LAMP", "mRNA", "PrP", "URLs", "iPhone", "eBay", "H2O", "GitHub", "Größe"] {
            check(word, "");
        }
        check(&"Abcd".repeat(7), "");
    }
}
