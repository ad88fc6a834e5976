//! The controlled vocabulary (D1): the terms that messages are labelled with, and that questions are read in.
//!
//! The writer's labels and the reader's intent are both made by a [`Vocabulary`], and by nothing else, so that neither can use a term
//! that the other does not know.

mod intent;
mod labels;
mod terms;

pub use intent::{Intent, IntentDraft, TimeScope};
pub use labels::{Confidence, Entity, LabelDraft, Labels, MAX_TOPICS};
pub use terms::{Term, TermKind, Vocabulary, VocabularyFile, term_name};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Timestamp;
    use serde_json::{Value, json};

    #[test]
    fn d1_the_first_version_has_the_terms_of_the_seed_and_the_category_that_its_third_stage_needs() {
        let first = Vocabulary::first();
        assert_eq!(first.version(), "2024-01-15");
        let topics = "refund shipping account_access billing product_issue cancellation order_status payment returns \
             technical_support pricing subscription general_inquiry";
        let categories =
            "support_request complaint inquiry feedback transaction escalation conversation user_preference";
        let types = "question statement request confirmation follow_up clarification";
        let entities = "order_id product_name person_name date amount tracking_number email phone";
        let lists = [topics, categories, types, entities];
        for (kind, names) in TermKind::ALL.into_iter().zip(lists) {
            assert_eq!(first.names(kind), names.split_whitespace().collect::<Vec<_>>());
        }
        assert_eq!(first.catch_all(), Some("general_inquiry"));
        assert_eq!(Vocabulary::from_file(first.to_file()).unwrap(), first, "a file says everything");
    }

    #[test]
    fn d2_the_tool_that_labels_is_the_seeds_with_the_vocabulary_as_enums() {
        let first = Vocabulary::first();
        let schema = first.label_schema();
        assert_eq!(schema["required"], json!(["topics", "category", "message_type", "confidence", "importance"]));
        let field = |name: &str| schema["properties"][name].clone();
        assert_eq!(field("topics")["items"]["enum"], json!(first.names(TermKind::Topic)));
        assert_eq!((&field("topics")["minItems"], &field("topics")["maxItems"]), (&json!(1), &json!(3)));
        assert_eq!(field("category")["enum"], json!(first.names(TermKind::Category)));
        assert_eq!(field("message_type")["enum"], json!(first.names(TermKind::MessageType)));
        let entity = &field("entities")["items"];
        assert_eq!(entity["properties"]["type"]["enum"], json!(first.names(TermKind::EntityType)));
        assert_eq!(entity["required"], json!(["type", "value"]));
        assert_eq!((&field("importance")["minimum"], &field("importance")["maximum"]), (&json!(0.0), &json!(1.0)));
        assert_eq!(field("confidence")["enum"], json!(["high", "medium", "low"]));
        let described = |name: &str| field(name)["description"].as_str().unwrap().to_owned();
        assert_eq!(
            described("topics"),
            "1-3 topics that represent the INTENT of the message. Focus on what the user WANTS, not words they mention."
        );
        assert_eq!(described("category"), "Single category that best describes the PURPOSE of this message.");
        assert_eq!(described("message_type"), "Type of message");
        assert_eq!(described("entities"), "Extracted entities - order IDs, amounts, names, etc.");
        assert_eq!(described("importance"), "Importance: 0.0-0.3 casual, 0.4-0.6 normal, 0.7-1.0 critical");
        assert_eq!(described("confidence"), "How confident are you in this classification?");
        assert_eq!(described("suggested_topic"), "If no topic fits well, suggest a new one");
        assert_eq!(field("suggested_category")["type"], json!(["string", "null"]));
    }

    #[test]
    fn d3_the_tool_that_reads_questions_is_the_seeds() {
        let first = Vocabulary::first();
        let schema = first.intent_schema();
        assert_eq!(schema["required"], json!(["topics", "time_scope", "search_current_thread_only"]));
        let field = |name: &str| schema["properties"][name].clone();
        assert_eq!((&field("topics")["minItems"], &field("topics")["maxItems"]), (&Value::Null, &json!(3)));
        assert_eq!(field("category")["enum"].as_array().unwrap().last(), Some(&Value::Null));
        assert_eq!(field("time_scope")["enum"], json!(["today", "yesterday", "last_week", "last_month", "all"]));
        assert_eq!(field("topics")["description"], "Topics to search for based on user's INTENT");
        assert_eq!(field("search_current_thread_only")["type"], "boolean");
    }

    #[test]
    fn d3_time_scopes_reach_one_two_seven_and_thirty_days_back() {
        const DAY: i64 = 86_400_000_000;
        let now = Timestamp::from_micros(100 * DAY);
        let days =
            TimeScope::ALL.map(|scope| scope.since(now).map(|since| (now.as_micros() - since.as_micros()) / DAY));
        assert_eq!(days, [Some(1), Some(2), Some(7), Some(30), None]);
    }

    fn draft(topics: &[&str], confidence: Confidence, suggested: Option<&str>) -> LabelDraft {
        LabelDraft {
            topics: topics.iter().map(|topic| (*topic).to_owned()).collect(),
            category: "inquiry".to_owned(),
            message_type: "question".to_owned(),
            entities: Vec::new(),
            importance: 0.7,
            confidence,
            suggested_topic: suggested.map(str::to_owned),
            suggested_category: None,
        }
    }

    #[test]
    fn d2_labels_have_one_to_three_topics_of_the_vocabulary_and_suggest_only_if_unsure() {
        let first = Vocabulary::first();
        let labels = |topics: &[&str]| first.labels(draft(topics, Confidence::High, None));
        assert_eq!(labels(&["refund", "billing", "refund"]).unwrap().topics(), ["refund", "billing"]);
        assert!(labels(&[]).is_err() && labels(&["refund", "billing", "payment", "pricing"]).is_err());
        assert!(labels(&["lamps"]).unwrap_err().contains("\"lamps\" is not a topic"));
        let suggested = |confidence, term: &str| {
            let labels = first.labels(draft(&["refund"], confidence, Some(term))).unwrap();
            labels.suggested_topic().map(str::to_owned)
        };
        assert_eq!(suggested(Confidence::Low, "Gift Cards!").as_deref(), Some("gift_cards"));
        assert_eq!(suggested(Confidence::Medium, "gift cards"), None);
        assert_eq!(suggested(Confidence::Low, "Refund"), None, "it is there already");
    }

    #[test]
    fn d7_an_approval_is_a_new_version_and_keeps_three_topics() {
        let first = Vocabulary::first();
        let next = first.with_term(TermKind::Topic, "Gift cards", "2026-01-31").unwrap();
        assert!(next.version().starts_with("2026-01-31-") && next.has(TermKind::Topic, "gift_cards"));
        assert!(next.with_term(TermKind::Topic, "gift_cards", "2026-01-31").is_err());
        let before =
            first.labels(draft(&["refund", "billing", "payment"], Confidence::Low, Some("gift_cards"))).unwrap();
        let after = next.with_approved(&before, TermKind::Topic, "gift_cards");
        assert_eq!(after.topics(), ["gift_cards", "refund", "billing"]);
        assert_eq!((after.confidence(), after.suggested_topic()), (Confidence::High, None));
        assert_eq!(after.vocabulary_version(), next.version());
        let back = next.without_term(TermKind::Topic, "gift_cards", "2026-02-01");
        assert_eq!(back.names(TermKind::Topic), first.names(TermKind::Topic));
        let only = next.labels(draft(&["gift_cards"], Confidence::High, None)).unwrap();
        let left = back.without_taken_back(&only, TermKind::Topic, "gift_cards").unwrap();
        assert_eq!((left.topics()[0].as_str(), left.suggested_topic()), ("general_inquiry", Some("gift_cards")));
    }

    #[test]
    fn d4_entities_are_the_same_however_they_are_written() {
        let key = |value: &str| Entity { kind: "order_id".to_owned(), value: value.to_owned() }.key();
        assert_eq!(key("#5678"), key(" 5678 "));
        assert_eq!(key("Ada  Lovelace"), key("ada lovelace"));
        assert_ne!(key("#5678"), key("#5679"));
    }
}
