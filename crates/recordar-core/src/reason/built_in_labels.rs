//! Labels without a model: entity patterns, the similarity of terms and clauses by vectors, and negations. Pure; the same on every machine.
//!
//! It knows less than a model, and every label says that it comes from here.

use super::entities::entities;
use super::likeness::{Seen, nearness_of_term, with_likeness};
use recordar_domain::text::{Language, each_word, sentence_ends};
use recordar_domain::{
    Confidence, Intent, IntentDraft, LabelDraft, Labels, MAX_TOPICS, TermKind, TimeScope, Vocabulary,
};

/// Only this much of a message is looked at.
const MAX_LOOKED_AT: usize = 8 * 1024;
/// A topic less similar than this does not fit; one more similar than the second is certain.
const MIN_NEARNESS: f64 = 0.28;
const SURE_NEARNESS: f64 = 0.5;
/// Further topics are nearly as similar as the best.
const NEARLY: f64 = 0.9;

/// Words after which a negation says what a message is not about.
const WANTS: [&str; 24] = [
    "want",
    "need",
    "here",
    "about",
    "asking",
    "ask",
    "looking",
    "interested",
    "talking",
    "talk",
    "mean",
    "care",
    "requesting",
    "request",
    "after",
    "concerned",
    "a",
    "the",
    "for",
    "wanting",
    "needing",
    "wish",
    "expecting",
    "discuss",
];
const NEGATIONS: [&str; 8] = ["not", "never", "without", "cannot", "dont", "isnt", "no", "neither"];
const OPENINGS: [&str; 22] = [
    "who", "what", "when", "where", "why", "how", "which", "whose", "is", "are", "was", "were", "do", "does", "did",
    "has", "have", "should", "am", "any", "whom", "will",
];
const REQUESTS: [&str; 6] = ["please", "can you", "could you", "would you", "i need you", "i'd like you"];
const CONFIRMATIONS: [&str; 18] = [
    "yes",
    "yeah",
    "yep",
    "ok",
    "okay",
    "sure",
    "thanks",
    "thank",
    "great",
    "perfect",
    "right",
    "exactly",
    "agreed",
    "fine",
    "correct",
    "no",
    "cool",
    "absolutely",
];
const FOLLOW_UPS: [&str; 6] = ["following up", "follow up", "any update", "any news", "as i said", "still waiting"];
const CLARIFICATIONS: [&str; 5] = ["i mean", "i meant", "to clarify", "in other words", "what i'm saying"];
const PREFERENCES: [&str; 14] = [
    "i prefer",
    "i like",
    "i love",
    "i hate",
    "i don't like",
    "i dislike",
    "my favourite",
    "my favorite",
    "i always",
    "i never",
    "i usually",
    "i'm allergic",
    "i am allergic",
    "please always",
];
const THIS_THREAD: [&str; 9] = [
    "this conversation",
    "this thread",
    "this chat",
    "just said",
    "just now",
    "just told",
    "you just",
    "we just",
    "a moment ago",
];

/// The longest reply that a word such as "thanks" makes a confirmation.
const MAX_CONFIRMATION_WORDS: usize = 6;

/// The labels of a message.
pub(super) fn built_in_labels(vocabulary: &Vocabulary, text: &str, language: Language) -> Labels {
    let text = &text[..text.floor_char_boundary(MAX_LOOKED_AT)];
    let clauses = affirmed_clauses(text);
    let ranked = nearest(vocabulary, TermKind::Topic, &clauses, language);
    let best = ranked.first().map_or(0.0, |(nearness, _)| *nearness);
    let (topics, confidence) = match vocabulary.catch_all() {
        Some(catch_all) if best < MIN_NEARNESS => (vec![catch_all.to_owned()], Confidence::Low),
        _ => (chosen(&ranked), sureness(best)),
    };
    let message_type = message_type(vocabulary, text, &clauses, language);
    let draft = LabelDraft {
        category: category(vocabulary, text, &clauses, &message_type, language),
        importance: if message_type == "confirmation" { 0.3 } else { 0.5 },
        entities: entities(vocabulary, text),
        topics,
        message_type,
        confidence,
        suggested_topic: None,
        suggested_category: None,
    };
    // Only its own terms are chosen here.
    vocabulary.labels(draft).unwrap_or_else(|_| vocabulary.plain_labels())
}

/// What a question asks for.
pub(super) fn built_in_intent(vocabulary: &Vocabulary, text: &str, language: Language) -> Intent {
    let text = &text[..text.floor_char_boundary(MAX_LOOKED_AT)];
    let ranked = nearest(vocabulary, TermKind::Topic, &affirmed_clauses(text), language);
    let best = ranked.first().map_or(0.0, |(nearness, _)| *nearness);
    let (lower, entities) = (text.to_lowercase(), entities(vocabulary, text));
    let draft = IntentDraft {
        // Without a topic the stages look at everything, which finds more than a wrong one; and what a question names says more.
        topics: if best < MIN_NEARNESS || !entities.is_empty() { Vec::new() } else { chosen(&ranked) },
        category: None,
        time_scope: time_scope(&lower),
        entities,
        search_current_thread_only: THIS_THREAD.iter().any(|words| lower.contains(words)),
    };
    vocabulary.intent(draft).unwrap_or_else(|_| vocabulary.open_intent())
}

/// The terms of a list, most similar first.
fn nearest<'a>(
    vocabulary: &'a Vocabulary,
    kind: TermKind,
    clauses: &[String],
    language: Language,
) -> Vec<(f64, &'a str)> {
    let mut nearest: Vec<(f64, &str)> = with_likeness(language, |likeness| {
        let clauses: Vec<Seen> = clauses.iter().map(|clause| likeness.see(clause)).collect();
        let terms = vocabulary.terms(kind).iter();
        let near = |term: &'a recordar_domain::Term| {
            let name = term.name.replace('_', " ");
            let seen = likeness.name(&format!("{name} {}", term.about.as_deref().unwrap_or_default()));
            let nearness = clauses.iter().map(|clause| nearness_of_term(&seen, clause));
            (nearness.fold(0.0, f64::max), term.name.as_str())
        };
        terms.map(near).collect()
    });
    nearest.retain(|(_, name)| kind != TermKind::Topic || vocabulary.catch_all() != Some(name));
    // Terms of equal similarity stay in the order of the vocabulary.
    nearest.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    nearest
}

fn chosen(ranked: &[(f64, &str)]) -> Vec<String> {
    let best = ranked.first().map_or(0.0, |(nearness, _)| *nearness);
    let near = ranked.iter().take_while(|(nearness, _)| *nearness >= best * NEARLY);
    near.take(MAX_TOPICS).map(|(_, name)| (*name).to_owned()).collect()
}

fn sureness(nearness: f64) -> Confidence {
    match nearness {
        near if near >= SURE_NEARNESS => Confidence::High,
        near if near >= MIN_NEARNESS => Confidence::Medium,
        _ => Confidence::Low,
    }
}

/// The parts of a text that say what it is about. "I'm not here about the refund" says what it is not about; "my order has not
/// arrived" does not.
fn affirmed_clauses(text: &str) -> Vec<String> {
    let mut clauses = Vec::new();
    let mut start = 0;
    for end in sentence_ends(text) {
        for clause in text[start..end].split([',', ';', ':', '\n', '(', ')', '\u{2014}']) {
            for part in clause.split(" but ") {
                let affirmed = affirmed(part);
                if affirmed.chars().any(char::is_alphanumeric) {
                    clauses.push(affirmed);
                }
            }
        }
        start = end;
    }
    clauses
}

/// A clause up to where it says what is not meant.
fn affirmed(clause: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    each_word(clause, |word| words.push(word.to_lowercase().replace('\u{2019}', "'")));
    let is_negation = |word: &str| NEGATIONS.contains(&word) || word.ends_with("n't");
    for (at, word) in words.iter().enumerate() {
        let is_about = |next: &String| WANTS.contains(&next.as_str());
        let negates = is_negation(word) && (word == "no" || words[at + 1..].iter().take(2).any(is_about));
        let sets_aside = matches!(word.as_str(), "instead" | "rather")
            && words.get(at + 1).is_some_and(|next| next == "of" || next == "than");
        if negates || sets_aside {
            return words[..at].join(" ");
        }
    }
    words.join(" ")
}

fn message_type(vocabulary: &Vocabulary, text: &str, clauses: &[String], language: Language) -> String {
    let lower = text.to_lowercase().replace('\u{2019}', "'");
    let mut words = Vec::new();
    each_word(&lower, |word| words.push(word.to_owned()));
    let first = words.first().map_or("", String::as_str);
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| lower.contains(phrase));
    let guess = if has(&CLARIFICATIONS) {
        "clarification"
    } else if has(&FOLLOW_UPS) {
        "follow_up"
    } else if has(&REQUESTS) {
        "request"
    } else if lower.trim_end().ends_with('?') || (OPENINGS.contains(&first) && lower.contains('?')) {
        "question"
    } else if CONFIRMATIONS.contains(&first) && words.len() <= MAX_CONFIRMATION_WORDS {
        "confirmation"
    } else {
        "statement"
    };
    if vocabulary.has(TermKind::MessageType, guess) {
        return guess.to_owned();
    }
    let nearest = nearest(vocabulary, TermKind::MessageType, clauses, language);
    nearest.first().map_or_else(String::new, |(_, name)| (*name).to_owned())
}

fn category(vocabulary: &Vocabulary, text: &str, clauses: &[String], message_type: &str, language: Language) -> String {
    let lower = text.to_lowercase().replace('\u{2019}', "'");
    let has = |name: &str| vocabulary.has(TermKind::Category, name);
    if has(Vocabulary::PREFERENCE) && PREFERENCES.iter().any(|phrase| lower.contains(phrase)) {
        return Vocabulary::PREFERENCE.to_owned();
    }
    if message_type == "question" && has("inquiry") {
        return "inquiry".to_owned();
    }
    let nearest = nearest(vocabulary, TermKind::Category, clauses, language);
    let fits = nearest.first().filter(|(nearness, name)| *nearness >= MIN_NEARNESS && *name != Vocabulary::PREFERENCE);
    match fits {
        Some((_, name)) => (*name).to_owned(),
        None if has("conversation") => "conversation".to_owned(),
        None => nearest.first().map_or_else(String::new, |(_, name)| (*name).to_owned()),
    }
}

fn time_scope(question: &str) -> TimeScope {
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| question.contains(phrase));
    if has(&["today", "this morning", "this afternoon", "tonight"]) {
        TimeScope::Today
    } else if has(&["yesterday", "last night"]) {
        TimeScope::Yesterday
    } else if has(&["last week", "this week", "past week", "few days ago"]) {
        TimeScope::LastWeek
    } else if has(&["last month", "this month", "past month", "weeks ago"]) {
        TimeScope::LastMonth
    } else {
        TimeScope::All
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> Labels {
        built_in_labels(&Vocabulary::first(), text, Language::parse("english").unwrap())
    }

    fn intent(text: &str) -> Intent {
        built_in_intent(&Vocabulary::first(), text, Language::parse("english").unwrap())
    }

    #[test]
    fn d2_built_in_labels_respect_negation() {
        for text in [
            "I don't want a refund, I want to understand the policy",
            "I'm not here for a refund, I need understanding",
            "I'm not here about the refund, I just want to understand your policy",
        ] {
            assert!(!labels(text).topics().contains(&"refund".to_owned()), "{text}: {:?}", labels(text));
            assert!(!intent(text).topics().contains(&"refund".to_owned()), "{text}: {:?}", intent(text));
        }
        assert_eq!(labels("I want a refund for my broken kettle.").topics()[0], "refund");
        assert_eq!(labels("My refund has not arrived.").topics()[0], "refund");
        assert!(!intent("Show me everything that is not about refunds").topics().contains(&"refund".to_owned()));
    }

    #[test]
    fn d2_there_is_always_a_topic() {
        for text in ["Hello!", "…", "", "Qu'est-ce que c'est ?", "日本語"] {
            let labels = labels(text);
            assert_eq!(labels.topics(), ["general_inquiry"], "{text}");
            assert_eq!(labels.confidence(), Confidence::Low, "{text}");
        }
    }

    #[test]
    fn d2_types_and_preferences_are_told_by_how_a_message_is_put() {
        let check = |text: &str, category: &str, message_type: &str| {
            let labels = labels(text);
            assert_eq!((labels.category(), labels.message_type()), (category, message_type), "{text}");
        };
        check("I prefer SMS notifications for my orders.", "user_preference", "statement");
        check("When will #5678 arrive?", "inquiry", "question");
        assert_eq!(labels("Can you cancel my subscription").message_type(), "request");
        assert_eq!(labels("Thanks, perfect!").message_type(), "confirmation");
        assert_eq!(labels("Any update on my parcel?").message_type(), "follow_up");
    }

    #[test]
    fn d3_questions_are_read_for_times_threads_and_entities() {
        let asked = intent("What did we discuss about my order #5678 in our previous conversations?");
        assert_eq!(asked.entities()[0].value, "#5678");
        assert!(!asked.search_current_thread_only() && asked.time_scope() == TimeScope::All);
        assert!(intent("What did I say in this conversation?").search_current_thread_only());
        assert_eq!(intent("What did I buy last week?").time_scope(), TimeScope::LastWeek);
        assert_eq!(intent("What happened yesterday?").time_scope(), TimeScope::Yesterday);
    }
}
