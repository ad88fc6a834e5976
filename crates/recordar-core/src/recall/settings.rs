//! The settings of a recall (E2), within the caller's ranges. The administrator sets defaults in the configuration; a
//! request may override them.

use crate::noun::rerank::Rerank;
use recordar_domain::Invalid;
use recordar_index::Mode as SearchMode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecallSettings {
    /// Maximum number of memories. Twice as many are considered.
    pub top_k: u32,
    /// Sentences kept of each memory.
    pub clip_sentences: u32,
    /// How much of each memory is shown. Receipts without it kept `clip_sentences`: the best of a chunk, and the first of other memories.
    #[serde(default = "ExcerptRule::of_earlier_receipts", skip_serializing_if = "ExcerptRule::is_of_earlier_receipts")]
    pub excerpts: ExcerptRule,
    /// Maximum tokens of the context.
    pub max_tokens: u32,
    /// What `max_tokens` bounds. Receipts without it bounded the memories.
    #[serde(default = "BudgetCovers::of_earlier_receipts")]
    pub budget_covers: BudgetCovers,
    pub search_type: SearchMode,
    /// Minimum score; memories below it are dropped.
    pub min_score: f64,
    /// If a reranker rates no candidate at least this relevant, nothing is recalled. Absent: the value measured for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_confidence: Option<f64>,
    pub enable_redaction: bool,
    /// Regular expressions to redact in addition to the default ones.
    pub custom_redaction_patterns: Vec<String>,
    pub interleaving: Interleaving,
    /// The reranker of the candidates.
    #[serde(default, skip_serializing_if = "Rerank::is_off")]
    pub rerank: Rerank,
}

/// How much of each memory a recall shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExcerptRule {
    /// At least `clip_sentences`, those that match best, and more around them while `max_tokens` has room.
    #[default]
    Fill,
    /// The first `clip_sentences`, and nothing more: the retrieval policy to the letter.
    FirstSentences,
    /// `clip_sentences` of each: of a chunk those that matched best, otherwise the first. Only in receipts that were made before there was a choice.
    #[serde(skip)]
    MatchingSentences,
}

impl ExcerptRule {
    const ALL: [Self; 2] = [Self::Fill, Self::FirstSentences];

    pub fn name(self) -> &'static str {
        match self {
            Self::Fill => "fill",
            Self::FirstSentences => "first_sentences",
            Self::MatchingSentences => "matching_sentences",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Invalid> {
        let unrecognised =
            || Invalid::new(format!("unrecognised excerpts {name:?}"), "use \"fill\" or \"first_sentences\"");
        Self::ALL.into_iter().find(|rule| rule.name() == name).ok_or_else(unrecognised)
    }

    fn of_earlier_receipts() -> Self {
        Self::MatchingSentences
    }

    fn is_of_earlier_receipts(&self) -> bool {
        *self == Self::MatchingSentences
    }
}

/// What the token budget of a recall bounds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BudgetCovers {
    /// The whole text, with headings and sources.
    #[default]
    Text,
    /// The memories alone; the text is longer.
    Memories,
}

impl BudgetCovers {
    pub const ALL: [Self; 2] = [Self::Text, Self::Memories];

    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Memories => "memories",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Invalid> {
        Self::ALL
            .into_iter()
            .find(|covers| covers.name() == name)
            .ok_or_else(|| Invalid::new(format!("unrecognised budget_covers {name:?}"), "use \"text\" or \"memories\""))
    }

    fn of_earlier_receipts() -> Self {
        Self::Memories
    }
}

/// The order of memories: by relevance, by recency, or alternating.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interleaving {
    pub strategy: Strategy,
    /// Share of places, 0 to 1, given to the first order of a weighted strategy; all of them by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<f64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// The most relevant, the newest, the next most relevant, and so on.
    #[default]
    Alternate,
    /// By relevance; with a ratio, the other places by recency.
    ScoreFirst,
    /// By recency; with a ratio, the other places by relevance.
    RecencyFirst,
}

impl Strategy {
    pub const ALL: [Self; 3] = [Self::Alternate, Self::ScoreFirst, Self::RecencyFirst];

    pub fn name(self) -> &'static str {
        match self {
            Self::Alternate => "alternate",
            Self::ScoreFirst => "score_first",
            Self::RecencyFirst => "recency_first",
        }
    }

    pub fn parse(name: &str) -> Result<Self, Invalid> {
        Self::ALL.into_iter().find(|strategy| strategy.name() == name).ok_or_else(|| {
            Invalid::new(
                format!("unrecognised interleaving {name:?}"),
                "use \"alternate\", \"score_first\" or \"recency_first\"",
            )
        })
    }
}

/// The caller's authority. An administrator's ranges are wider than a user's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Authority {
    #[default]
    User,
    Administrator,
}

/// The settings of one request that override the configuration.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RecallOverrides {
    pub top_k: Option<u32>,
    pub clip_sentences: Option<u32>,
    pub excerpts: Option<ExcerptRule>,
    pub max_tokens: Option<u32>,
    pub budget_covers: Option<BudgetCovers>,
    pub search_type: Option<SearchMode>,
    pub min_score: Option<f64>,
    pub min_confidence: Option<f64>,
    pub enable_redaction: Option<bool>,
    /// Patterns added to the configured ones. Giving any turns redaction on.
    pub custom_redaction_patterns: Vec<String>,
    pub interleaving: Option<Interleaving>,
    pub rerank: Option<Rerank>,
}

/// An inclusive range for administrators, and one for everyone else.
pub struct Range {
    name: &'static str,
    pub administrator: (u32, u32),
    user: (u32, u32),
}

/// A conversation is small while the ids of its items are at most this. Ids only grow, so it was as small at an earlier time.
pub const MAX_SMALL_ID: i64 = 128;
pub const TOP_K: Range = Range { name: "top_k", administrator: (1, 20), user: (6, 10) };
pub const CLIP_SENTENCES: Range = Range { name: "clip_sentences", administrator: (1, 5), user: (1, 2) };
pub const MAX_TOKENS: Range = Range { name: "max_tokens", administrator: (100, 3000), user: (100, 1500) };

/// The inclusive range of a setting for a caller. The configured value is always allowed.
pub fn recall_range(name: &str, authority: Authority) -> Option<(u32, u32)> {
    [TOP_K, CLIP_SENTENCES, MAX_TOKENS].iter().find(|range| range.name == name).map(|range| range.of(authority))
}

impl Default for RecallSettings {
    fn default() -> Self {
        Self {
            top_k: 8,
            clip_sentences: 2,
            excerpts: ExcerptRule::Fill,
            max_tokens: 1500,
            budget_covers: BudgetCovers::Text,
            search_type: SearchMode::Hybrid,
            min_score: 0.3,
            min_confidence: None,
            enable_redaction: false,
            custom_redaction_patterns: Vec::new(),
            interleaving: Interleaving::default(),
            rerank: Rerank::Off,
        }
    }
}

impl RecallSettings {
    /// The configured settings with the overrides of a request, if allowed.
    pub fn with(&self, overrides: &RecallOverrides, authority: Authority) -> Result<Self, Invalid> {
        let RecallOverrides { search_type, min_score, custom_redaction_patterns: patterns, .. } = overrides;
        let enable_redaction = overrides.enable_redaction.or((!patterns.is_empty()).then_some(true));
        if !patterns.is_empty() && enable_redaction == Some(false) {
            return Err(Invalid::new(
                "redaction patterns were given, but the request switches redaction off",
                "omit one of the two",
            ));
        }
        let settings = Self {
            top_k: TOP_K.check(overrides.top_k, self.top_k, authority)?,
            clip_sentences: CLIP_SENTENCES.check(overrides.clip_sentences, self.clip_sentences, authority)?,
            excerpts: overrides.excerpts.unwrap_or(self.excerpts),
            max_tokens: MAX_TOKENS.check(overrides.max_tokens, self.max_tokens, authority)?,
            budget_covers: overrides.budget_covers.unwrap_or(self.budget_covers),
            search_type: search_type.unwrap_or(self.search_type),
            min_score: min_score.unwrap_or(self.min_score),
            min_confidence: overrides.min_confidence.or(self.min_confidence),
            enable_redaction: enable_redaction.unwrap_or(self.enable_redaction),
            custom_redaction_patterns: [self.custom_redaction_patterns.as_slice(), patterns].concat(),
            interleaving: overrides.interleaving.unwrap_or(self.interleaving),
            rerank: overrides.rerank.clone().unwrap_or_else(|| self.rerank.clone()),
        };
        check_share("min_score", settings.min_score)?;
        settings.min_confidence.map_or(Ok(()), |least| check_share("min_confidence", least))?;
        settings.interleaving.check()?;
        if self.enable_redaction && !settings.enable_redaction && authority == Authority::User {
            return Err(Invalid::new(
                "redaction is on for everyone, and a request cannot switch it off",
                "leave enable_redaction out, or ask the administrator",
            ));
        }
        Ok(settings)
    }
}

impl Range {
    fn of(&self, authority: Authority) -> (u32, u32) {
        match authority {
            Authority::Administrator => self.administrator,
            Authority::User => self.user,
        }
    }

    /// The given value, or the configured one. The configured value is always allowed.
    fn check(&self, given: Option<u32>, configured: u32, authority: Authority) -> Result<u32, Invalid> {
        let Some(given) = given.filter(|given| *given != configured) else { return Ok(configured) };
        let (least, most) = self.of(authority);
        if (least..=most).contains(&given) {
            return Ok(given);
        }
        let Self { name, .. } = self;
        Err(Invalid::new(
            format!("{name} {given} is out of range: {least} to {most}"),
            format!("use the configured value, {configured}, or another in the range"),
        ))
    }
}

impl Interleaving {
    pub fn check(self) -> Result<(), Invalid> {
        match (self.strategy, self.ratio) {
            (_, None) => Ok(()),
            (Strategy::Alternate, Some(_)) => Err(Invalid::new(
                "interleaving \"alternate\" takes no ratio",
                "leave the ratio out, or use score_first or recency_first",
            )),
            (_, Some(ratio)) => check_share("ratio", ratio),
        }
    }
}

fn check_share(name: &str, value: f64) -> Result<(), Invalid> {
    if (0.0..=1.0).contains(&value) {
        return Ok(());
    }
    Err(Invalid::new(format!("{name} {value} is out of range: 0 to 1"), "use a number such as 0.3"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e2_the_defaults_are_those_of_the_policy() {
        let settings = serde_json::to_value(RecallSettings::default()).unwrap();
        for (key, value) in [
            ("top_k", serde_json::json!(8)),
            ("clip_sentences", serde_json::json!(2)),
            ("max_tokens", serde_json::json!(1500)),
            ("search_type", serde_json::json!("hybrid")),
            ("min_score", serde_json::json!(0.3)),
            ("enable_redaction", serde_json::json!(false)),
            ("interleaving", serde_json::json!({"strategy": "alternate"})),
        ] {
            assert_eq!(settings[key], value, "{key}");
        }
    }

    #[test]
    fn e2_ranges_are_the_users_or_the_administrators() {
        let settings = RecallSettings::default();
        let check = |overrides: RecallOverrides, user: bool, administrator: bool| {
            assert_eq!(settings.with(&overrides, Authority::User).is_ok(), user, "user {overrides:?}");
            let allowed = settings.with(&overrides, Authority::Administrator).is_ok();
            assert_eq!(allowed, administrator, "administrator {overrides:?}");
        };
        let none = RecallOverrides::default;
        for (top_k, user, administrator) in [
            (0, false, false),
            (1, false, true),
            (5, false, true),
            (6, true, true),
            (10, true, true),
            (11, false, true),
            (20, false, true),
            (21, false, false),
        ] {
            check(RecallOverrides { top_k: Some(top_k), ..none() }, user, administrator);
        }
        for (clip, user, administrator) in
            [(0, false, false), (1, true, true), (2, true, true), (3, false, true), (5, false, true), (6, false, false)]
        {
            check(RecallOverrides { clip_sentences: Some(clip), ..none() }, user, administrator);
        }
        for (tokens, user, administrator) in [
            (99, false, false),
            (100, true, true),
            (1500, true, true),
            (1501, false, true),
            (3000, false, true),
            (3001, false, false),
        ] {
            check(RecallOverrides { max_tokens: Some(tokens), ..none() }, user, administrator);
        }
        for (score, allowed) in [(-0.1, false), (0.0, true), (1.0, true), (1.1, false), (f64::NAN, false)] {
            check(RecallOverrides { min_score: Some(score), ..none() }, allowed, allowed);
            check(RecallOverrides { min_confidence: Some(score), ..none() }, allowed, allowed);
        }
        for (strategy, ratio, allowed) in [
            (Strategy::Alternate, None, true),
            (Strategy::Alternate, Some(0.5), false),
            (Strategy::ScoreFirst, Some(0.7), true),
            (Strategy::RecencyFirst, Some(1.0), true),
            (Strategy::RecencyFirst, Some(1.5), false),
        ] {
            check(RecallOverrides { interleaving: Some(Interleaving { strategy, ratio }), ..none() }, allowed, allowed);
        }
    }

    #[test]
    fn e2_what_the_administrator_configured_may_always_be_asked_for() {
        let configured = RecallSettings { top_k: 15, max_tokens: 3000, ..RecallSettings::default() };
        let ask = |top_k| {
            configured.with(&RecallOverrides { top_k: Some(top_k), ..RecallOverrides::default() }, Authority::User)
        };
        assert_eq!(ask(15).unwrap().top_k, 15);
        assert_eq!(ask(7).unwrap().top_k, 7);
        assert!(ask(14).unwrap_err().what.contains("6 to 10"));
    }

    #[test]
    fn e5_a_user_cannot_switch_the_administrators_redaction_off() {
        let configured = RecallSettings { enable_redaction: true, ..RecallSettings::default() };
        let off = RecallOverrides { enable_redaction: Some(false), ..RecallOverrides::default() };
        assert!(configured.with(&off, Authority::User).is_err());
        assert!(!configured.with(&off, Authority::Administrator).unwrap().enable_redaction);
        let on = RecallOverrides { enable_redaction: Some(true), ..RecallOverrides::default() };
        assert!(RecallSettings::default().with(&on, Authority::User).unwrap().enable_redaction);
        let pattern = || vec!["a".to_owned()];
        let configured = RecallSettings { custom_redaction_patterns: vec!["b".to_owned()], ..configured };
        let more = RecallOverrides { custom_redaction_patterns: pattern(), ..RecallOverrides::default() };
        let settings = configured.with(&more, Authority::User).unwrap();
        assert_eq!(settings.custom_redaction_patterns, ["b", "a"], "patterns come on top");
        assert!(RecallSettings::default().with(&more, Authority::User).unwrap().enable_redaction);
        let contradiction = RecallOverrides { custom_redaction_patterns: pattern(), ..off };
        assert!(configured.with(&contradiction, Authority::Administrator).is_err());
    }
}
