//! The conversation before a prompt, in two layers. Layer G is the last turns, word for word. Layer E is what else was said, older things fading: it is
//! chosen by how much it has to do with the prompt, how near it is, and how important, within a budget.
//!
//! History is a selection for people and for A2. Nothing of it can become evidence: a [`Said`] has no way into a condensed context.

use crate::context::item_name;
use crate::quote::Cleared;
use recordar_domain::text::TokenCounter;
use recordar_domain::{Action, Stage, Timestamp};

/// The turns of layer G.
pub const DEFAULT_RECENT_TURNS: usize = 4;
/// The tokens of layer E.
pub const DEFAULT_HISTORY_TOKENS: usize = 800;
/// Layer E chooses among at most this many (CH-03.2).
pub const MAX_EPISODES: usize = 2_000;

/// After this many turns, freshness has halved.
const HALF_LIFE_TURNS: f64 = 24.0;
/// A gap between sessions counts as turns: none up to a day, then this many for each doubling.
const GAP_HOURS: f64 = 24.0;
const TURNS_PER_DOUBLING: f64 = 6.0;
/// What freshness and importance can add to relevance.
const FRESHNESS_WEIGHT: f64 = 0.25;
const IMPORTANCE_WEIGHT: f64 = 0.35;
/// Relevance at which something counts half as on-topic.
pub const HALF_ON_TOPIC: f64 = 0.35;
/// Something of less value is not worth its tokens.
const LEAST_VALUE: f64 = 0.2;
/// What was used often becomes important by itself, but never as important as what a person marked.
const USES_FOR_HALF: f64 = 8.0;
const MOST_BY_USES: f64 = 0.5;

/// Something that was said, or the summary of several things.
#[derive(Debug, Clone)]
pub struct Said {
    pub item_id: i64,
    /// The role, or the name of the speaker.
    pub speaker: Speaker,
    pub at: Timestamp,
    pub text: Cleared,
    /// How many turns ago.
    pub turns_ago: usize,
    /// How much it has to do with the prompt, from 0 to 1, synonyms included.
    pub relevance: f64,
    /// Whether a person marked it.
    pub is_important: bool,
    /// How important it was said to be when it was stored, from 0 to 1.
    pub importance: f64,
    /// How often it was used in contexts.
    pub uses: u32,
    /// Whether it is the reply of another system, stored by hand.
    pub is_external: bool,
    /// The title, if it is a summary of old messages.
    pub title: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Speaker {
    /// `user`, `assistant` and the like: our own words.
    Role(&'static str),
    /// A name, on one line.
    Name(String),
}

impl Speaker {
    pub fn as_str(&self) -> &str {
        match self {
            Self::Role(role) => role,
            Self::Name(name) => name,
        }
    }
}

impl Said {
    /// How traces name it.
    pub fn name(&self) -> String {
        item_name(self.item_id)
    }
}

/// The two layers, each in the order of time.
#[derive(Debug, Clone, Default)]
pub struct History {
    pub recent: Vec<Said>,
    pub earlier: Vec<Said>,
}

impl History {
    pub fn is_empty(&self) -> bool {
        self.recent.is_empty() && self.earlier.is_empty()
    }
}

/// The value of something that was said for a prompt, from 0 to 1, and what it is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Value {
    pub value: f64,
    pub on_topic: f64,
    pub freshness: f64,
    pub importance: f64,
}

impl Value {
    /// `idle_hours` is how long the conversation paused before the prompt.
    pub fn of(said: &Said, idle_hours: f64) -> Self {
        let relevance = said.relevance.clamp(0.0, 1.0);
        // Smooth: a little more relevance is a little more value, and there is no step.
        let on_topic = relevance * relevance / (relevance * relevance + HALF_ON_TOPIC * HALF_ON_TOPIC);
        let gap = TURNS_PER_DOUBLING * libm::log2(idle_hours.max(GAP_HOURS) / GAP_HOURS);
        let freshness = libm::exp2(-(said.turns_ago as f64 + gap) / HALF_LIFE_TURNS);
        let by_uses = MOST_BY_USES * f64::from(said.uses) / (f64::from(said.uses) + USES_FOR_HALF);
        let stated = said.importance.clamp(0.0, 1.0) * MOST_BY_USES;
        let importance = if said.is_important { 1.0 } else { by_uses.max(stated) };
        // What is off the topic is not made useful by being fresh, and only a little by being important.
        let value = on_topic * (1.0 - FRESHNESS_WEIGHT - IMPORTANCE_WEIGHT)
            + FRESHNESS_WEIGHT * freshness * on_topic
            + IMPORTANCE_WEIGHT * importance * (0.5 + 0.5 * on_topic);
        Self { value, on_topic, freshness, importance }
    }
}

/// Chooses layer E from what was said before the recent turns: the most valuable first, as long as there are tokens.
pub fn choose_earlier(
    mut said: Vec<Said>,
    idle_hours: f64,
    max_tokens: usize,
    counter: &TokenCounter,
) -> (Vec<Said>, Stage) {
    let mut stage = Stage::new("history");
    let mut valued: Vec<(Value, Said)> = said.drain(..).map(|said| (Value::of(&said, idle_hours), said)).collect();
    valued.sort_by(|(one, first), (other, second)| {
        other.value.total_cmp(&one.value).then(second.at.cmp(&first.at)).then(first.item_id.cmp(&second.item_id))
    });
    let (mut kept, mut used): (Vec<Said>, usize) = (Vec::new(), 0);
    for (number, (value, said)) in valued.into_iter().enumerate() {
        let Value { value, on_topic, freshness, importance } = value;
        let detail =
            format!("value {value:.2}: on topic {on_topic:.2}, fresh {freshness:.2}, important {importance:.2}");
        let tokens = counter.count(said.text.as_str());
        let (action, reason) = if number >= MAX_EPISODES {
            (Action::Dropped, "capacity")
        } else if value < LEAST_VALUE {
            (Action::Dropped, "off_topic")
        } else if used + tokens > max_tokens {
            (Action::Dropped, "history_tokens")
        } else {
            let reason = if on_topic >= 0.5 { "on_topic" } else { "important" };
            (Action::Kept, if importance > 0.0 || on_topic >= 0.5 { reason } else { "related" })
        };
        stage.decide(said.name(), action, reason, detail);
        if action == Action::Kept {
            used += tokens;
            kept.push(said);
        }
    }
    kept.sort_by_key(|said| (said.at, said.item_id));
    (kept, stage)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(item_id: i64, turns_ago: usize, relevance: f64) -> Said {
        Said {
            item_id,
            speaker: Speaker::Role("user"),
            at: Timestamp::from_micros(1_000_000 - turns_ago as i64),
            text: Cleared::by_guard(format!("number {item_id} says ten words or so about the thing there"), Vec::new()),
            turns_ago,
            relevance,
            is_important: false,
            importance: 0.0,
            uses: 0,
            is_external: false,
            title: None,
        }
    }

    fn value(said: &Said) -> f64 {
        Value::of(said, 0.0).value
    }

    fn chosen(said: Vec<Said>, tokens: usize) -> Vec<i64> {
        let counter = TokenCounter::for_model("gpt-4o");
        choose_earlier(said, 0.0, tokens, &counter).0.into_iter().map(|said| said.item_id).collect()
    }

    #[test]
    fn ch_04_values_fade_without_jumps_and_old_things_on_topic_stay() {
        let mut before = value(&said(1, 0, 0.8));
        for turns in 1..500 {
            let now = value(&said(1, turns, 0.8));
            assert!(now < before && before - now < 0.01, "{turns}: {before} to {now}");
            before = now;
        }
        assert!(before > LEAST_VALUE, "an old item that is clearly on topic stays: {before}");
        let mut before = 0.0;
        for step in 0..=1000 {
            let now = value(&said(1, 5, f64::from(step) / 1000.0));
            assert!(now >= before && now - before < 0.01, "{step}");
            before = now;
        }
    }

    #[test]
    fn ch_05_marks_and_uses_make_important_and_a_mark_counts_more() {
        let plain = said(1, 100, 0.3);
        let used = Said { uses: 20, ..plain.clone() };
        let marked = Said { is_important: true, ..plain.clone() };
        assert!(value(&plain) < value(&used) && value(&used) < value(&marked));
        let often = Said { uses: 1_000_000, ..plain.clone() };
        assert!(value(&often) < value(&marked));
    }

    #[test]
    fn ch_09_fewer_and_better_items_fit_the_budget() {
        let all = || vec![said(3, 9, 0.5), said(2, 30, 0.9), said(1, 40, 0.95), said(4, 1, 0.05)];
        assert_eq!(chosen(all(), 10_000), [1, 2, 3]);
        assert_eq!(chosen(all(), 25), [1, 2]);
        assert_eq!(chosen(all(), 0), Vec::<i64>::new());
    }

    #[test]
    fn ch_10_a_long_gap_damps_freshness_a_little() {
        let item = said(1, 3, 0.8);
        let (soon, later) = (Value::of(&item, 1.0), Value::of(&item, 24.0 * 30.0));
        assert_eq!(soon, Value::of(&item, 23.0));
        assert!(later.value < soon.value && soon.value - later.value < 0.2);
    }

    #[test]
    fn ch_03_2_there_is_a_hard_cap() {
        let many: Vec<Said> = (0..MAX_EPISODES + 5).map(|turn| said(turn as i64, turn, 0.9)).collect();
        let counter = TokenCounter::for_model("gpt-4o");
        let (kept, stage) = choose_earlier(many, 0.0, usize::MAX / 2, &counter);
        assert_eq!(kept.len(), MAX_EPISODES);
        assert_eq!(stage.decisions.iter().filter(|decision| decision.reason == "capacity").count(), 5);
    }
}
