//! The scorer of a staged recall (D5): topics 30, entities 25, recency 20, importance 15, with factors for the stage and the tier.

use crate::noun::staged::{StageSource, StagedEvidence};
use recordar_domain::{Intent, Timestamp};
use recordar_index::{StageHit, Tier};

const TOPICS: f64 = 30.0;
const ENTITIES: f64 = 25.0;
const RECENCY: f64 = 20.0;
const IMPORTANCE: f64 = 15.0;
const MAX_SCORE: f64 = 100.0;

/// Recency falls over 30 days, and no lower than this.
const RECENCY_HOURS: f64 = 720.0;
const MIN_RECENCY: f64 = 0.2;
const HOUR: f64 = 3_600_000_000.0;

/// The importance of a memory without labels.
const NO_IMPORTANCE: f64 = 0.5;

pub fn relevance(hit: &StageHit, source: StageSource, intent: &Intent, asked_at: Timestamp) -> StagedEvidence {
    let share = |held: usize, asked: usize| if asked == 0 { 0.0 } else { held as f64 / asked as f64 };
    let topics = share(hit.topics, intent.topics().len()) * TOPICS;
    let entities = share(hit.entities, intent.entities().len()) * ENTITIES;
    let age_hours = asked_at.as_micros().saturating_sub(hit.occurred_at) as f64 / HOUR;
    let recency = (1.0 - age_hours / RECENCY_HOURS).clamp(MIN_RECENCY, 1.0) * RECENCY;
    let importance = hit.importance.map_or(NO_IMPORTANCE, |millionths| f64::from(millionths) / 1e6) * IMPORTANCE;
    let source_boost = match source {
        StageSource::CurrentThread => 1.3,
        StageSource::CrossThread => 1.0,
        StageSource::Expansion => 0.9,
    };
    let tier_boost = match hit.tier {
        Tier::ShortTerm => 1.2,
        Tier::MidTerm => 1.0,
        Tier::LongTerm => 0.9,
    };
    let score = ((topics + entities + recency + importance) * source_boost * tier_boost).min(MAX_SCORE);
    StagedEvidence {
        source,
        relevance: hit.relevance as f64 / 1e6,
        topics,
        entities,
        recency,
        importance,
        source_boost,
        tier_boost,
        score,
        uses: hit.uses,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recordar_domain::{Entity, IntentDraft, Vocabulary};

    const DAY: i64 = 86_400_000_000;

    fn intent(topics: &[&str], entities: &[&str]) -> Intent {
        let entity = |value: &&str| Entity { kind: "order_id".to_owned(), value: (*value).to_owned() };
        let draft = IntentDraft {
            topics: topics.iter().map(|topic| (*topic).to_owned()).collect(),
            entities: entities.iter().map(entity).collect(),
            ..IntentDraft::default()
        };
        Vocabulary::first().intent(draft).unwrap()
    }

    fn hit(topics: usize, entities: usize, importance: Option<u32>, age: i64, uses: u32) -> StageHit {
        StageHit {
            id: 1,
            relevance: 12_500_000,
            topics,
            entities,
            importance,
            uses,
            tier: Tier::of(age, importance, uses),
            is_preference: false,
            occurred_at: 100 * DAY - age,
        }
    }

    fn score(hit: &StageHit, source: StageSource, intent: &Intent) -> StagedEvidence {
        relevance(hit, source, intent, Timestamp::from_micros(100 * DAY))
    }

    #[test]
    fn d5_topics_count_30_entities_25_recency_20_importance_15() {
        let asked = intent(&["refund", "billing"], &["#1", "#2"]);
        let of = |hit: StageHit| score(&hit, StageSource::CrossThread, &asked);
        let all = of(hit(2, 2, Some(700_000), 2 * DAY, 0));
        assert_eq!((all.topics, all.entities), (30.0, 25.0));
        assert!((all.recency - (1.0 - 48.0 / 720.0) * 20.0).abs() < 1e-12);
        assert!((all.importance - 10.5).abs() < 1e-12);
        assert_eq!(of(hit(1, 0, None, 2 * DAY, 0)).topics, 15.0);
        assert_eq!(of(hit(0, 1, None, 2 * DAY, 0)).entities, 12.5);
        assert_eq!(of(hit(0, 0, None, 2 * DAY, 0)).importance, 7.5, "0.5 without labels");
        assert_eq!(all.relevance, 12.5);
    }

    #[test]
    fn d5_recency_decays_over_30_days_with_a_floor_of_a_fifth() {
        let open = intent(&[], &[]);
        let recency = |age| score(&hit(0, 0, None, age, 0), StageSource::CrossThread, &open).recency;
        assert_eq!(recency(0), 20.0);
        assert_eq!(recency(15 * DAY), 10.0);
        assert_eq!(recency(30 * DAY), 4.0);
        assert_eq!(recency(900 * DAY), 4.0);
        assert_eq!(recency(-DAY), 20.0, "what comes from the future is not newer than now");
    }

    #[test]
    fn d5_sources_and_tiers_boost_and_100_is_the_cap() {
        let asked = intent(&["refund"], &["#1"]);
        let boosts = |age, source| {
            let evidence = score(&hit(1, 1, Some(500_000), age, 0), source, &asked);
            let sum = evidence.topics + evidence.entities + evidence.recency + evidence.importance;
            assert_eq!(evidence.score, (sum * evidence.source_boost * evidence.tier_boost).min(100.0));
            (evidence.source_boost, evidence.tier_boost)
        };
        assert_eq!(boosts(0, StageSource::CurrentThread), (1.3, 1.2));
        assert_eq!(boosts(2 * DAY, StageSource::CrossThread), (1.0, 1.0));
        assert_eq!(boosts(31 * DAY, StageSource::Expansion), (0.9, 0.9));
        assert_eq!(score(&hit(1, 1, Some(800_000), 0, 0), StageSource::CurrentThread, &asked).score, 100.0);
    }

    #[test]
    fn d4_the_tier_is_a_function_of_age_importance_and_use() {
        assert_eq!(Tier::of(DAY, Some(800_000), 10), Tier::ShortTerm);
        assert_eq!(Tier::of(DAY + 1, None, 0), Tier::MidTerm);
        assert_eq!(Tier::of(30 * DAY, None, 0), Tier::MidTerm);
        assert_eq!(Tier::of(30 * DAY + 1, None, 0), Tier::LongTerm);
        assert_eq!(Tier::of(0, Some(800_001), 0), Tier::LongTerm);
        assert_eq!(Tier::of(0, None, 11), Tier::LongTerm);
    }
}
