//! Redaction (E5): personal data, and anything an administrator's patterns match, is removed before any text is cut, so
//! that no half of a secret remains. Patterns cannot run away: their compiled size is limited, matching takes time linear in
//! the text, and all patterns together have a time limit for each recall.

use crate::error::Error;
use recordar_domain::Invalid;
use regex::{Regex, RegexBuilder};
use std::ops::Range;
use std::time::{Duration, Instant};

const REPLACEMENT: &str = "[REDACTED]";

/// The patterns of the policy, slightly extended: cards are also written in groups, and addresses are not all ASCII; leaving
/// half an address would leak it. Word boundaries are ASCII, so there is one between a letter of another script
/// and a digit.
const DEFAULT: [(&str, &str); 3] = [
    ("ssn", r"(?-u)\b\d{3}-\d{2}-\d{4}\b"),
    ("credit_card", r"(?-u)\b\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}\b"),
    (
        "email",
        r"[\p{Latin}\p{Greek}\p{Cyrillic}\p{M}0-9._%+-]+@[\p{Latin}\p{Greek}\p{Cyrillic}\p{M}0-9.-]+\.[\p{Latin}\p{Greek}\p{Cyrillic}]{2,}",
    ),
];

/// If a text was cut, this many bytes of its end are left out, because they may be the start of a secret.
pub(super) const UNSURE_BYTES: usize = 256;
const MAX_PATTERNS: usize = 32;
const MAX_PATTERN_BYTES: usize = 1024;
/// Size limits of a compiled pattern and of its cache. `\w{1000}` does not fit.
const MAX_COMPILED_BYTES: usize = 512 * 1024;
const MAX_RUNNING_BYTES: usize = 1024 * 1024;
/// Compiled patterns.
#[derive(Debug, Clone)]
pub struct Redactor {
    patterns: Vec<(String, Regex)>,
}

impl Redactor {
    /// Time limit of all patterns for one recall, checked between matches.
    pub(crate) const MAX_TIME: Duration = Duration::from_millis(250);

    /// The default patterns and these.
    pub fn new(custom: &[String]) -> Result<Self, Invalid> {
        if custom.len() > MAX_PATTERNS {
            return Err(Invalid::new(
                format!("too many redaction patterns: {}", custom.len()),
                format!("use at most {MAX_PATTERNS}; join several with |"),
            ));
        }
        let defaults = DEFAULT.iter().map(|(name, pattern)| ((*name).to_owned(), *pattern));
        let custom = (1..).zip(custom).map(|(number, pattern)| (format!("custom_{number}"), pattern.as_str()));
        Self::of(defaults.chain(custom))
    }

    /// These patterns and no others, as a receipt names them.
    pub fn exactly(patterns: &[String]) -> Result<Self, Invalid> {
        if patterns.len() > DEFAULT.len() + MAX_PATTERNS {
            return Err(Invalid::new(
                "the receipt has too many redaction patterns",
                "it was modified; export it again",
            ));
        }
        Self::of((1..).zip(patterns).map(|(number, pattern)| (format!("number {number}"), pattern.as_str())))
    }

    fn of<'a>(patterns: impl Iterator<Item = (String, &'a str)>) -> Result<Self, Invalid> {
        let compile = |(name, pattern)| compile(pattern).map(|regex| (name, regex));
        Ok(Self { patterns: patterns.map(compile).collect::<Result<_, _>>()? })
    }

    /// All patterns, in order.
    pub fn patterns(&self) -> Vec<String> {
        self.patterns.iter().map(|(_, regex)| regex.as_str().to_owned()).collect()
    }

    /// The text without secrets.
    pub fn without_secrets(&self, text: String) -> Result<String, Error> {
        Ok(self.redact(&text, Instant::now() + Self::MAX_TIME)?.map_or(text, |(redacted, _)| redacted))
    }

    /// The text without secrets, if it has any. Text that was already redacted is left alone: a pattern that matches the
    /// placeholder would take it apart.
    pub fn hide(&self, text: &str, deadline: Instant) -> Result<Option<String>, Error> {
        let secrets = self.secrets(text, deadline)?;
        Ok((!secrets.is_empty()).then(|| Self::without(text, &secrets)))
    }

    /// The spans of the secrets in a text, in order, without text that was already redacted.
    pub fn secrets(&self, text: &str, deadline: Instant) -> Result<Vec<Range<usize>>, Error> {
        let mut secrets = self.find(text, deadline)?.0;
        if !secrets.is_empty() {
            let before: Vec<Range<usize>> =
                text.match_indices(REPLACEMENT).map(|(start, found)| start..start + found.len()).collect();
            // The earlier spans are sorted and do not overlap, so only the first that ends no earlier can contain it.
            let is_within = |secret: &Range<usize>| {
                let first = before.partition_point(|before| before.end < secret.end);
                before.get(first).is_some_and(|before| before.start <= secret.start)
            };
            secrets.retain(|secret| !is_within(secret));
        }
        Ok(secrets)
    }

    /// The text without the spans found, which are sorted and may overlap.
    pub fn without(text: &str, secrets: &[Range<usize>]) -> String {
        let mut redacted = String::with_capacity(text.len());
        let mut done = 0;
        for secret in secrets {
            if secret.start >= done {
                redacted.push_str(&text[done..secret.start]);
                redacted.push_str(REPLACEMENT);
            }
            done = done.max(secret.end);
        }
        redacted.push_str(&text[done..]);
        redacted
    }

    /// The text without secrets, and the matches; `None` if there are none.
    pub(super) fn redact(&self, text: &str, deadline: Instant) -> Result<Option<(String, String)>, Error> {
        let (secrets, found) = self.find(text, deadline)?;
        Ok((!secrets.is_empty()).then(|| (Self::without(text, &secrets), found.join(", "))))
    }

    /// Every pattern sees the original text: one must not hide a match from another.
    fn find(&self, text: &str, deadline: Instant) -> Result<(Vec<Range<usize>>, Vec<String>), Error> {
        let mut secrets: Vec<Range<usize>> = Vec::new();
        let mut found = Vec::new();
        for (name, pattern) in &self.patterns {
            let before = secrets.len();
            for secret in pattern.find_iter(text) {
                if Instant::now() > deadline {
                    return Err(too_slow(name));
                }
                // An empty match would insert the placeholder between all characters.
                secrets.extend((!secret.is_empty()).then(|| secret.range()));
            }
            if Instant::now() > deadline {
                return Err(too_slow(name));
            }
            if secrets.len() > before {
                found.push(format!("{name} {} ×", secrets.len() - before));
            }
        }
        secrets.sort_by_key(|secret| (secret.start, secret.end));
        Ok((secrets, found))
    }
}

fn compile(pattern: &str) -> Result<Regex, Invalid> {
    let refuse = |why: String| {
        Invalid::new(
            format!("invalid redaction pattern {pattern:?}: {why}"),
            "write a regular expression without look-around and back-references, such as \"(?i)project \\\\w+\"",
        )
    };
    if pattern.len() > MAX_PATTERN_BYTES {
        return Err(refuse(format!("it is longer than {MAX_PATTERN_BYTES} bytes")));
    }
    let compiled = RegexBuilder::new(pattern).size_limit(MAX_COMPILED_BYTES).dfa_size_limit(MAX_RUNNING_BYTES).build();
    let regex = compiled.map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => {
            refuse("it is too large; use smaller counts in braces, or (?-u:\\w) for \\w".to_owned())
        }
        // The last line of the error says what is wrong; the lines before point at it.
        error => refuse(error.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()),
    })?;
    if regex.is_match("") {
        return Err(refuse("it matches the empty string".to_owned()));
    }
    Ok(regex)
}

fn too_slow(name: &str) -> Error {
    Error::input(
        "redaction_too_slow",
        format!("redaction timed out at the pattern {name}, so nothing is shown"),
        "simplify the patterns in recall.custom_redaction_patterns; patterns that scan the same text repeatedly are slow",
    )
}

#[cfg(test)]
mod tests {
    use super::super::passage::redact;
    use super::*;
    use crate::noun::passage::tests::passage;

    fn redacted(text: &str, custom: &[&str]) -> (String, bool) {
        let custom: Vec<String> = custom.iter().map(|pattern| (*pattern).to_owned()).collect();
        let (passages, _) = redact(vec![passage(1, text)], &Redactor::new(&custom).unwrap()).unwrap();
        (passages[0].content(), passages[0].is_redacted())
    }

    #[test]
    fn e5_the_default_patterns_take_out_what_they_name() {
        let check = |text: &str, expected: &str| {
            assert_eq!(redacted(text, &[]), (expected.to_owned(), text != expected), "{text}");
        };
        check("My SSN is 123-45-6789.", "My SSN is [REDACTED].");
        check("Card 1234567890123456, thanks", "Card [REDACTED], thanks");
        check("Write to Ada.Lovelace+x@Mail.example.COM!", "Write to [REDACTED]!");
        check("a@b.co and c@d.org", "[REDACTED] and [REDACTED]");
        check("我的卡号1234567890123456号", "我的卡号[REDACTED]号");
        check("12345678901234567 and 123-45-67890 and @home", "12345678901234567 and 123-45-67890 and @home");
        check("1234 5678 9012 3456 or 1234-5678-9012-3456", "[REDACTED] or [REDACTED]");
        check("Jörg.Müller+x@sub.example.co.uk, 联系我ada@b.co", "[REDACTED], 联系我[REDACTED]");
        check("nothing here", "nothing here");
    }

    #[test]
    fn e5_custom_patterns_come_on_top() {
        let check = |text, custom: &[&str], expected: &str| assert_eq!(redacted(text, custom).0, expected);
        check("Project Falcon by a@b.co", &[r"(?i)project \w+"], "[REDACTED] by [REDACTED]");
        check("call 030-1234", &[r"\d+-\d+", "REDACT", "1234"], "call [REDACTED]");
        check("password x for a@b.co, ok", &[r"password \w+ for \S+@b\.co"], "[REDACTED], ok");
        check("patient Jane Roe", &[r"(?i)\bpatient\s+\w{3,10}\b"], "[REDACTED] Roe");
        check("price $1 and $2", &[r"\$\d"], "price [REDACTED] and [REDACTED]");
    }

    #[test]
    fn e5_no_half_of_a_secret_is_left_where_a_text_was_cut() {
        let text = format!("kartoffel{}1234 5678 9012 3456 and on", " ".repeat(32 * 1024 - 20));
        let (content, _) = redacted(&text, &[]);
        assert!(!content.contains("1234"), "{}", &content[content.len() - 40..]);
    }

    #[test]
    fn e5_patterns_that_cannot_be_used_are_refused_with_a_reason() {
        let check = |pattern: &str, why: &str| {
            let refused = Redactor::new(&[pattern.to_owned()]).unwrap_err();
            assert!(refused.what.contains(why), "{pattern}: {}", refused.what);
        };
        check("(", "unclosed group");
        check("(?=x)y", "look-around");
        check(r"(a)\1", "backreferences");
        check(r"\w{5000}", "too large");
        check("x*", "empty string");
        check(&"x".repeat(2000), "longer than 1024 bytes");
        assert!(Redactor::new(&vec!["x".to_owned(); 33]).unwrap_err().what.contains("too many"));
    }

    #[test]
    fn e5_custom_patterns_are_bounded_in_time() {
        let catastrophic = Redactor::new(&["(x+x+)+y".to_owned(), "(a|a)*b".to_owned()]).unwrap();
        let text = format!("{} {}", "x".repeat(16_000), "a".repeat(16_000));
        let (passages, _) = redact(vec![passage(1, &text)], &catastrophic).unwrap();
        assert_eq!(passages[0].content(), text, "no backtracking, no time");
        // Each match looks at all of the rest of the text: quadratic, and stopped.
        let quadratic: Vec<String> = (0..32).map(|number| format!("[a-z]*[0-9]{{{}}}z|[a-z]", number + 1)).collect();
        let quadratic = Redactor::new(&quadratic).unwrap();
        let started = Instant::now();
        let result = redact(vec![passage(1, &"a".repeat(32_000)), passage(2, &"b".repeat(32_000))], &quadratic);
        assert!(result.is_err_and(|error| error.code() == "redaction_too_slow"));
        assert!(started.elapsed() < Duration::from_secs(20), "it ends");
    }
}
