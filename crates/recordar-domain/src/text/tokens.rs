//! Counts tokens exactly as the configured model does.

use super::quick_tokens::QuickTokens;
use std::fmt;
use std::sync::OnceLock;
use tiktoken::CoreBpe;
use unicode_segmentation::UnicodeSegmentation;

/// The tokenizer of one model. tiktoken's tables are loaded on the first count that needs them.
#[derive(Clone)]
pub struct TokenCounter {
    name: &'static str,
    is_exact: bool,
    is_splittable: bool,
    quick: Option<QuickTokens>,
    encoding: OnceLock<&'static CoreBpe>,
}

/// The fallback for models whose tokenizer is not public or not known here; reported as such.
const DEFAULT_ENCODING: &str = "o200k_base";

/// Encodings for which `adds_up_at` has been shown to hold (see the property test below).
const SPLITTABLE: [&str; 5] = ["o200k_base", "o200k_harmony", "cl100k_base", "llama3", "qwen2"];

/// A longer word is cut when a text must end; a shorter one is dropped.
const MAX_CUT_WORD_BYTES: usize = 32;

impl TokenCounter {
    /// The tokenizer of a model (`gpt-4o-mini`, `openai/gpt-4o`, `llama-3.1-8b`), or of an encoding by its own name.
    pub fn for_model(model: &str) -> Self {
        let bare = model.rsplit('/').next().unwrap_or(model);
        let known = tiktoken::list_encodings().iter().find(|name| **name == bare).copied();
        let known = known.or_else(|| tiktoken::model_to_encoding(bare));
        let name = known.unwrap_or(DEFAULT_ENCODING);
        Self {
            name,
            is_exact: known.is_some(),
            is_splittable: SPLITTABLE.contains(&name),
            quick: QuickTokens::of(name),
            encoding: OnceLock::new(),
        }
    }

    pub fn name(&self) -> &'static str {
        self.name
    }

    /// False if the model's own tokenizer is unknown and the default one is used instead.
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    pub fn count(&self, text: &str) -> usize {
        let quick = self.quick.and_then(|quick| quick.count(text));
        quick.unwrap_or_else(|| self.count_by_tiktoken(text))
    }

    fn count_by_tiktoken(&self, text: &str) -> usize {
        let read = || tiktoken::get_encoding(self.name).unwrap_or_else(|| unreachable!("{} is listed", self.name));
        self.encoding.get_or_init(read).count(text)
    }

    /// How many bytes of a text fit into a number of tokens together with the text before and after it; 0 if none do. The
    /// cut is between words if possible, and never inside a grapheme cluster.
    pub fn fit(&self, prefix: &str, text: &str, suffix: &str, max_tokens: usize) -> usize {
        // A token rarely has more bytes; a text of such tokens is cut shorter than it could be.
        const TOKEN_BYTES: usize = 64;
        let mut ends: Vec<usize> =
            text.grapheme_indices(true).map(|(at, _)| at).take_while(|at| *at <= max_tokens * TOKEN_BYTES).collect();
        if text.len() <= max_tokens * TOKEN_BYTES {
            ends.push(text.len());
        }
        let fits = |end: usize| self.count(&format!("{prefix}{}{suffix}", text[..end].trim_end())) <= max_tokens;
        // Counts grow with the text, nearly always. What is returned was counted.
        let (mut fitting, mut beyond) = (0, ends.len());
        while fitting + 1 < beyond {
            let middle = (fitting + beyond) / 2;
            if fits(ends[middle]) { fitting = middle } else { beyond = middle }
        }
        let Some(end) = ends.get(fitting).copied().filter(|end| *end > 0) else { return 0 };
        let kept = &text[..end];
        if end == text.len() || text[end..].starts_with(char::is_whitespace) {
            return kept.trim_end().len();
        }
        let word = kept.rfind(char::is_whitespace).map_or(0, |at| kept[..at].trim_end().len());
        // Without what was not counted.
        if word > 0 && end - word <= MAX_CUT_WORD_BYTES && fits(word) { word } else { kept.trim_end().len() }
    }

    /// Whether the tokens of `text` are certain to be those before `at` plus those after it.
    ///
    /// True before a space that follows a visible character, and after a line break before a non-blank line: no token of these
    /// encodings spans such a place. So a document is counted once, piece by piece, and the count of every chunk is exact
    /// without counting again.
    pub(crate) fn adds_up_at(&self, text: &str, at: usize) -> bool {
        if !self.is_splittable {
            return false;
        }
        let bytes = text.as_bytes();
        let (Some(before), Some(after)) = (at.checked_sub(1).map(|i| bytes[i]), bytes.get(at)) else {
            return true;
        };
        if before == b'\n' {
            let line = bytes[at..].iter().find(|b| !matches!(b, b' ' | b'\t'));
            // A slash directly behind a line break may join the punctuation before it. What is not ASCII may be a
            // space of another kind, so it is not promised anything.
            return *after != b'/' && line.is_some_and(|b| b.is_ascii_graphic());
        }
        before.is_ascii_graphic() && matches!(after, b' ' | b'\t')
    }
}

impl fmt::Debug for TokenCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TokenCounter({})", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a3_models_have_their_own_tokenizer() {
        let check = |model: &str, encoding: &str, exact: bool| {
            let counter = TokenCounter::for_model(model);
            assert_eq!((counter.name(), counter.is_exact()), (encoding, exact), "{model}");
        };
        check("gpt-4o-mini", "o200k_base", true);
        check("openai/gpt-4", "cl100k_base", true);
        check("cl100k_base", "cl100k_base", true);
        check("a-model-nobody-knows", "o200k_base", false);
    }

    #[test]
    fn a3_counts_agree_with_the_published_tokenizers() {
        let check = |encoding: &str, text: &str, tokens: usize| {
            assert_eq!(TokenCounter::for_model(encoding).count(text), tokens, "{encoding} {text:?}");
        };
        // Values printed by OpenAI's own Python package for the same texts.
        check("cl100k_base", "hello world", 2);
        check("o200k_base", "hello world", 2);
        check("cl100k_base", "tiktoken is great!", 6);
        check("o200k_base", "", 0);
    }

    #[test]
    fn e5_what_fits_is_what_was_counted() {
        let counter = TokenCounter::for_model("gpt-4o-mini");
        for text in [" Smith", &format!("word{}next", " ".repeat(60)), "\n\n\n", "a\u{a0}\u{a0}b c"] {
            for most in 1..12 {
                let end = counter.fit("<", text, ">", most);
                let tokens = counter.count(&format!("<{}>", &text[..end]));
                assert!(end == 0 || tokens <= most, "{text:?}: {end} bytes are {tokens} tokens, and not {most}");
            }
        }
    }

    #[test]
    fn e5_a_partial_text_fits_in_every_script() {
        let counter = TokenCounter::for_model("gpt-4o-mini");
        let texts = [
            "The keeper of the lighthouse cleans the lens before the evening comes. ".repeat(8),
            "灯台守は毎晩レンズを磨き、油を足します。".repeat(8),
            "حارس المنارة ينظف العدسة كل مساء قبل حلول الظلام. ".repeat(8),
            "प्रकाशस्तंभ का रखवाला हर शाम लेंस साफ करता है। ".repeat(8),
            "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧 🇪🇺 e\u{301}e\u{301}".repeat(8),
            "x".repeat(5_000),
            " ".repeat(5_000),
        ];
        for text in &texts {
            for max in [0, 1, 2, 3, 7, 20, 50, 100_000] {
                let end = counter.fit("", text, "...", max);
                let kept = &text[..end];
                assert!(end == 0 || counter.count(&format!("{kept}...")) <= max, "{max} of {text:.20}");
                assert!(text.grapheme_indices(true).any(|(at, _)| at == end) || end == text.len(), "{max} {text:.20}");
                assert!(max < 20 || end > 0 || text.trim().is_empty(), "{max} of {text:.20}");
            }
            assert_eq!(counter.fit("", text, "...", 100_000), text.trim_end().len());
        }
        let cut = &texts[0][..counter.fit("...", &texts[0], "...", 9)];
        assert!(texts[0][cut.len()..].starts_with(' '), "between words: {cut}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn a3_counts_add_up_where_promised(
            parts in prop::collection::vec(
                prop::sample::select(vec![
                    "word", "It's", " ", "  ", "\n", "\r\n", "\n\n", "\t", ".", "...", "/", "//", "12345", "é", "日本", "。",
                    "\u{a0}", "\u{3000}", "👩‍👩‍👧", "'ll", "HTTPServer", "{\"a\":[1,", "-----", "\u{301}", "\u{2028}", "<|endoftext|>",
                ]),
                1..40,
            )
        ) {
            let text = parts.concat();
            for encoding in SPLITTABLE {
                let counter = TokenCounter::for_model(encoding);
                let whole = counter.count(&text);
                for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
                    if counter.adds_up_at(&text, at) {
                        let (left, right) = text.split_at(at);
                        prop_assert_eq!(
                            counter.count(left) + counter.count(right), whole, "{} {:?} | {:?}", encoding, left, right
                        );
                    }
                }
            }
        }
    }
}
