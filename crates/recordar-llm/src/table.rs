//! The table of providers and models: wire formats, abilities and prices. A dated table in a data file, which the user's own
//! overrides.

use crate::error::{Error, ErrorKind};
use crate::request::{ModelName, Structured};
use serde::{Deserialize, Serialize};

const BUILT_IN: &str = include_str!("../models.toml");

/// Providers and models. In a table the first matching entry wins; of several tables, the first that sets a value.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// The date of the prices.
    #[serde(default)]
    dated: String,
    #[serde(default, rename = "provider")]
    providers: Vec<Provider>,
    #[serde(default, rename = "model")]
    models: Vec<Model>,
    #[serde(skip)]
    next: Option<Box<Table>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Provider {
    name: String,
    wire: Wire,
    base_url: Option<String>,
    key_env: Option<String>,
    structured: Structured,
    #[serde(default = "strict")]
    schema: SchemaKeywords,
    #[serde(default)]
    output_limit: OutputLimit,
    #[serde(default)]
    tool_choice: ToolChoice,
    #[serde(default)]
    seed: bool,
    #[serde(default)]
    stream_usage: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Model {
    provider: String,
    /// `*` stands for any characters.
    name: String,
    structured: Option<Structured>,
    temperature: Option<bool>,
    prompt_usd: Option<f64>,
    completion_usd: Option<f64>,
}

/// The wire formats of providers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wire {
    #[serde(rename = "openai")]
    OpenAi,
    Anthropic,
    Gemini,
}

/// The JSON schema keywords that a provider accepts. The others are removed, and still checked here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchemaKeywords {
    Full,
    Strict,
}

fn strict() -> SchemaKeywords {
    SchemaKeywords::Strict
}

/// The name of the token limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputLimit {
    #[default]
    MaxTokens,
    MaxCompletionTokens,
}

/// How a model is made to call a tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    #[default]
    ByName,
    /// Some servers do not support the other, and do not say so.
    Required,
}

/// Everything known about one model.
#[derive(Debug, Clone)]
pub struct Profile {
    pub name: ModelName,
    pub wire: Wire,
    pub base_url: Option<String>,
    /// The environment variable that its key is expected in.
    pub key_env: Option<String>,
    pub structured: Structured,
    pub schema: SchemaKeywords,
    pub output_limit: OutputLimit,
    pub tool_choice: ToolChoice,
    pub takes_seed: bool,
    pub takes_temperature: bool,
    pub stream_usage: bool,
    pub price: Option<Price>,
}

/// Prices in picodollars per token: a dollar per million tokens is a million of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    pub prompt_pico_usd: u64,
    pub completion_pico_usd: u64,
    pub dated: String,
}

impl Table {
    pub fn built_in() -> Self {
        Self::parse(BUILT_IN).unwrap_or_else(|error| unreachable!("the table is tested: {error}"))
    }

    /// Parses a user's table.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let invalid = |what: String| {
            let remedy = "use the format of the built-in table, which `recordar models table` prints";
            Error::new(ErrorKind::Invalid, format!("the table of models cannot be read: {what}"), remedy)
        };
        let table: Self = toml::from_str(text).map_err(|error| invalid(error.message().to_owned()))?;
        for model in &table.models {
            let prices = [model.prompt_usd, model.completion_usd];
            if prices.iter().flatten().any(|price| !(0.0..=1e6).contains(price)) {
                return Err(invalid(format!("the price of {} {} is invalid", model.provider, model.name)));
            }
            if prices.iter().flatten().count() == 1 {
                return Err(invalid(format!("{} {} has only one of its two prices", model.provider, model.name)));
            }
        }
        Ok(table)
    }

    /// The source text of the built-in table.
    pub fn built_in_text() -> &'static str {
        BUILT_IN
    }

    /// This table, with another as the fallback.
    pub fn before(self, other: Self) -> Self {
        Self { next: Some(Box::new(other)), ..self }
    }

    fn tables(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |table| table.next.as_deref())
    }

    pub fn provider_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for provider in self.tables().flat_map(|table| &table.providers) {
            if !names.contains(&provider.name.as_str()) {
                names.push(&provider.name);
            }
        }
        names
    }

    /// The profile of a model; none if the provider is unknown.
    pub fn profile(&self, provider: &str, model: &str) -> Option<Profile> {
        let known = self.tables().find_map(|table| table.providers.iter().find(|known| known.name == provider))?;
        let fits = |entry: &&Model| entry.provider == provider && matches(&entry.name, model);
        let entries = || self.tables().filter_map(|table| Some((table, table.models.iter().find(fits)?)));
        let pico = |usd: f64| (usd * 1e6).round() as u64;
        let price = |(table, entry): (&Self, &Model)| {
            Some(Price {
                prompt_pico_usd: pico(entry.prompt_usd?),
                completion_pico_usd: pico(entry.completion_usd?),
                dated: table.dated.clone(),
            })
        };
        Some(Profile {
            name: ModelName { provider: provider.to_owned(), model: model.to_owned() },
            wire: known.wire,
            base_url: known.base_url.clone(),
            key_env: known.key_env.clone(),
            structured: entries().find_map(|(_, entry)| entry.structured).unwrap_or(known.structured),
            schema: known.schema,
            output_limit: known.output_limit,
            tool_choice: known.tool_choice,
            takes_seed: known.seed,
            takes_temperature: entries().find_map(|(_, entry)| entry.temperature).unwrap_or(true),
            stream_usage: known.stream_usage,
            price: entries().find_map(price),
        })
    }
}

/// Whether a name fits a pattern in which `*` stands for any characters.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_patterns() {
        let check =
            |pattern: &str, name: &str, fits: bool| assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        check("gpt-4o-mini", "gpt-4o-mini", true);
        check("gpt-4o-mini", "gpt-4o-mini-2024", false);
        check("gpt-4o*", "gpt-4o-mini", true);
        check("*", "", true);
        check("*/llama-*-8b*", "meta/llama-3-8b-instruct", true);
        check("*b", "a", false);
        check("ab*b", "ab", false);
    }

    #[test]
    fn a2_the_built_in_table_is_whole() {
        let table = Table::built_in();
        for name in
            ["openai", "anthropic", "gemini", "ollama", "llamacpp", "vllm", "lmstudio", "groq", "xai", "deepseek"]
        {
            let profile = table.profile(name, "any").unwrap_or_else(|| panic!("{name} is not in the table"));
            assert!(profile.base_url.is_some(), "{name}");
        }
        assert!(table.profile("compatible", "any").unwrap().base_url.is_none());
        assert_eq!(table.profile("openai", "gpt-4o-mini").unwrap().structured, Structured::Native);
        assert_eq!(table.profile("gemini", "gemini-2.5-flash").unwrap().structured, Structured::Native);
        assert_eq!(table.profile("groq", "llama-3.3-70b-versatile").unwrap().structured, Structured::Tool);
        assert!(!table.profile("openai", "o3-mini").unwrap().takes_temperature);
        let price = table.profile("ollama", "llama3.2").unwrap().price.unwrap();
        assert_eq!((price.prompt_pico_usd, price.completion_pico_usd), (0, 0));
        assert!(!table.dated.is_empty());
    }

    #[test]
    fn a2_a_users_table_comes_first_and_mistakes_are_told() {
        let own = "dated = \"2030-01-01\"\n[[model]]\nprovider = \"openai\"\nname = \"gpt-4o-mini\"\nstructured = \"prompted\"\n\
                   prompt_usd = 2\ncompletion_usd = 0.0375";
        let table = Table::parse(own).unwrap().before(Table::built_in());
        let profile = table.profile("openai", "gpt-4o-mini").unwrap();
        assert_eq!(profile.structured, Structured::Prompted);
        let price = profile.price.unwrap();
        assert_eq!((price.prompt_pico_usd, price.completion_pico_usd), (2_000_000, 37_500));
        assert_eq!(price.dated, "2030-01-01");
        for wrong in [
            "[[model]]\nname = \"x\"",
            "[[model]]\nprovider = \"p\"\nname = \"x\"\nprompt_usd = 1",
            "[[model]]\nprovider = \"p\"\nname = \"x\"\nprompt_usd = -1\ncompletion_usd = 1",
            "[[provider]]\nname = \"p\"\nwire = \"morse\"\nstructured = \"native\"",
            "colour = 1",
        ] {
            assert!(Table::parse(wrong).unwrap_err().remedy.contains("recordar models table"), "{wrong}");
        }
    }
}
