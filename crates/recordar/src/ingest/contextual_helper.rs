//! The contextual helper of a source: given by the user, kept from before, or generated from the source (A6).

use super::classify::ClearedChunk;
use recordar_core::error::Error;
use recordar_core::guard::SafeText;
use recordar_core::noun::method::Method;
use recordar_core::reason::{Done, HelperTask, Reasoner, Source};
use recordar_domain::text::TokenCounter;
use recordar_domain::{HelperFields, Invalid, Timestamp};
use recordar_store::HelperOrigin;
use schemars::JsonSchema;
use serde::Serialize;

/// Maximum tokens of a helper.
const MAX_TOKENS: usize = 300;
/// Maximum tokens of a description.
const MAX_DESCRIPTION_TOKENS: usize = 200;
/// A helper is generated from this many chunks or tokens, whichever comes first.
const FIRST_CHUNKS: usize = 5;
const DERIVATION_TOKENS: usize = 2_000;
const MAX_HEADINGS: usize = 40;
/// The helper if everything is unknown.
const NOTHING_KNOWN: &str = "Nothing is known of the source.";

/// A helper as given by a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HelperInput {
    Text(String),
    Fields(HelperFields),
}

/// A validated helper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Helper {
    pub text: String,
    /// By the configured tokenizer.
    pub tokens: u64,
}

/// The helper that a source was classified with.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HelperReport {
    #[serde(flatten)]
    pub helper: Helper,
    /// `user` or `generated`.
    pub origin: &'static str,
    /// Whether it existed before.
    pub reused: bool,
    /// Who made it, if it was made by this call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    /// Tokens of the model calls for it, prompt and reply.
    pub tokens_used: u64,
    /// When it was made.
    pub timestamp: Timestamp,
}

pub(crate) fn origin_name(origin: HelperOrigin) -> &'static str {
    match origin {
        HelperOrigin::User => "user",
        HelperOrigin::Generated => "generated",
    }
}

/// The helper composed of these fields and its token count; or what is wrong with them.
pub(crate) fn check_helper(input: &HelperInput, counter: &TokenCounter) -> Result<Helper, Error> {
    let text = match input {
        HelperInput::Text(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        HelperInput::Fields(fields) => {
            let fields = fields.checked()?;
            let tokens = counter.count(&fields.description);
            if tokens > MAX_DESCRIPTION_TOKENS {
                let what = format!("the description has {tokens} tokens; the limit is {MAX_DESCRIPTION_TOKENS}");
                return Err(Invalid::new(what, "shorten it").into());
            }
            Some(fields.paragraph()).filter(|text| !text.is_empty()).unwrap_or_else(|| NOTHING_KNOWN.to_owned())
        }
    };
    if text.is_empty() {
        let remedy = "describe the source, or leave the helper out";
        return Err(Invalid::new("the contextual helper is empty", remedy).into());
    }
    let tokens = counter.count(&text);
    if text.contains('\0') {
        return Err(Invalid::new("the contextual helper contains a NUL character", "remove it").into());
    }
    if tokens > MAX_TOKENS {
        let what = format!("the contextual helper has {tokens} tokens; the limit is {MAX_TOKENS}");
        return Err(Invalid::new(what, "shorten it").into());
    }
    Ok(Helper { text, tokens: tokens as u64 })
}

/// Generates a helper from a source.
pub(crate) fn generate_helper(
    source: &Source,
    reasoner: &Reasoner<'_>,
    counter: &TokenCounter,
    most_output_tokens: u32,
) -> Result<(Helper, Done<HelperFields>), Error> {
    let done = reasoner.perform(&HelperTask { source, most_output_tokens })?;
    let paragraph = done.reply.paragraph();
    let fitting = match counter.count(&paragraph) {
        tokens if tokens <= MAX_TOKENS => paragraph.len(),
        _ => counter.fit("", &paragraph, "", MAX_TOKENS),
    };
    let text = paragraph[..fitting].trim_end().to_owned();
    let tokens = counter.count(&text) as u64;
    Ok((Helper { text, tokens }, done))
}

/// What is known of a source: its name, its headings, and its first chunks.
pub(crate) fn source(
    filename: SafeText,
    topic: Option<SafeText>,
    chunks: &[ClearedChunk],
    counter: &TokenCounter,
) -> Source {
    let (mut headings, mut first, mut left): (Vec<SafeText>, Vec<SafeText>, usize) =
        (Vec::new(), Vec::new(), DERIVATION_TOKENS);
    for (number, ClearedChunk { text, section }) in chunks.iter().enumerate() {
        if let Some(section) = section
            && headings.len() < MAX_HEADINGS
            && !headings.contains(section)
        {
            headings.push(section.clone());
        }
        if number < FIRST_CHUNKS && left > 0 {
            let tokens = counter.count(text.as_str());
            let fitting = if tokens <= left { text.as_str().len() } else { counter.fit("", text.as_str(), "", left) };
            first.push(text.up_to(fitting));
            left = left.saturating_sub(tokens);
        }
    }
    // The first heading of a document is usually its title.
    let title = headings.first().map(|path| path.up_to(path.as_str().find(" > ").unwrap_or(path.as_str().len())));
    Source { filename, title, headings, beginning: SafeText::join(&first, "\n"), topic }
}
