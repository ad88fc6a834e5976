//! The prompt room: the only place where the text of a prompt or a context is put together.
//!
//! A prompt is a file: the system prompt, a line of dashes, and the user prompt, with names in braces. What is put in for a name is a [`Part`]:
//! our own words, numbers, and text that the guard has cleared.

mod context;
mod staged;

pub(crate) use context::is_template;
pub use context::{compose, template};
pub(crate) use staged::is_staged_template;
pub use staged::{compose_staged, staged_template};

/// The first lines that a context can have.
pub(crate) fn context_headings() -> impl Iterator<Item = &'static str> {
    context::title().into_iter().chain(staged::headings())
}

use crate::guard::SafeText;
use crate::tree::SEPARATOR;
use recordar_domain::text::one_line;
use recordar_domain::{Digest, Hasher};

/// A prompt, which only this room can make.
pub struct Prompt {
    pub system: String,
    pub user: String,
    _filled: Filled,
}

/// Nothing outside of this room can name it.
struct Filled;

impl Prompt {
    pub fn digest(&self) -> Digest {
        Hasher::default().field(&self.system).field(&self.user).finish()
    }
}

/// A piece of a prompt.
#[derive(Clone)]
pub struct Part(String);

impl Part {
    /// Our own words.
    pub fn words(words: &'static str) -> Self {
        Self(words.to_owned())
    }

    pub fn number(number: impl Into<i128>) -> Self {
        Self(number.into().to_string())
    }

    pub fn count(number: usize) -> Self {
        Self(number.to_string())
    }

    /// A date, as our own code writes it.
    pub fn day(day: &str) -> Self {
        Self(day.chars().filter(|c| c.is_ascii_digit() || "+-".contains(*c)).collect())
    }

    /// A text between fences, which it cannot close by itself.
    pub(crate) fn fenced(text: &SafeText) -> Self {
        Self(format!("\"\"\"\n{}\n\"\"\"", text.as_str().replace("\"\"\"", "'''")))
    }

    /// A text that is a turn of its own, exactly as it is.
    pub fn whole(text: &SafeText) -> Self {
        Self(text.as_str().to_owned())
    }

    /// A text in a line of the prompt, where it must not open a fence.
    pub fn inline(text: &SafeText, max_chars: usize) -> Self {
        Self(one_line(text.as_str(), max_chars).replace("\"\"\"", "'''"))
    }

    /// The name of a category. It was made of cleared text, or a person chose it for everybody to read.
    pub fn category(name: &str) -> Self {
        Self(name.to_owned())
    }

    /// Where in the tree a task is: nothing at the root.
    pub fn under(path: &[String]) -> Self {
        Self(if path.is_empty() { String::new() } else { format!(", under {}", path.join(SEPARATOR)) })
    }

    pub fn all(parts: impl IntoIterator<Item = Self>) -> Self {
        Self(parts.into_iter().map(|part| part.0).collect())
    }

    pub fn join(parts: &[Self], between: &'static str) -> Self {
        Self(parts.iter().map(|part| part.0.as_str()).collect::<Vec<_>>().join(between))
    }
}

/// Fills a prompt file in one pass: braces in a value are not read as names.
pub fn fill(template: &str, values: &[(&str, Part)]) -> Prompt {
    let (system, user) = template.split_once("\n---\n").unwrap_or((template, ""));
    Prompt { system: filled(system.trim(), values), user: filled(user.trim(), values), _filled: Filled }
}

fn filled(template: &str, values: &[(&str, Part)]) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        text.push_str(before);
        let Some((name, after)) = after.split_once('}') else { break };
        text.push_str(values.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| &value.0));
        rest = after;
    }
    text.push_str(rest);
    text
}
