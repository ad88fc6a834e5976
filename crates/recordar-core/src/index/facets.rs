//! The facets of items in an index: the properties that never change and that a filter can ask for.

use recordar_domain::{Digest, ItemKind, metadata_pairs};
use recordar_store::IndexRow;
use serde_json::{Map, Value};

/// Longer texts are replaced by a hash.
const MAX_PLAIN_BYTES: usize = 40;
/// So many pairs of metadata are facets of an item. Items with more are marked, and their rows are read.
const MAX_PAIRS: usize = 64;

/// The mark of items whose metadata is not in the index whole.
pub(crate) const MANY_PAIRS: &str = "+";

pub(crate) fn kind_facet(kind: ItemKind) -> String {
    format!("k{}", kind.name())
}

pub(crate) fn speaker_facet(name: &str) -> String {
    bounded(('s', 'S'), name)
}

pub(crate) fn metadata_facet(key: &str, value: &str) -> String {
    // No key has this character.
    bounded(('m', 'M'), &format!("{key}\0{value}"))
}

fn bounded((plain, hashed): (char, char), text: &str) -> String {
    if text.len() <= MAX_PLAIN_BYTES {
        return format!("{plain}{text}");
    }
    let digest = Digest::of(text).to_string();
    format!("{hashed}{}", &digest[..32])
}

pub(super) fn facets(row: &IndexRow) -> Vec<String> {
    let mut facets = vec![kind_facet(row.kind)];
    facets.extend(row.speaker.as_deref().map(speaker_facet));
    let metadata = row.metadata.as_deref().and_then(|json| serde_json::from_str::<Map<String, Value>>(json).ok());
    let Some(metadata) = metadata else { return facets };
    let mut pairs = metadata_pairs(&metadata);
    let first = facets.len();
    facets.extend(pairs.by_ref().take(MAX_PAIRS).map(|(key, value)| metadata_facet(key, &value)));
    if pairs.next().is_some() {
        facets.push(MANY_PAIRS.to_owned());
    }
    // A value that a list has twice is one facet.
    facets[first..].sort_unstable();
    facets.dedup();
    facets
}

#[cfg(test)]
mod tests {
    use super::*;
    use recordar_domain::Timestamp;
    use serde_json::json;

    #[test]
    fn i20_filter_facets_are_bounded_and_differ() {
        let of = |metadata: Value| {
            facets(&IndexRow {
                id: 1,
                kind: ItemKind::Fact,
                thread_id: None,
                document_id: None,
                place: 0,
                section: None,
                role: None,
                speaker: Some("Ana".to_owned()),
                text: "text".to_owned(),
                is_derived: false,
                metadata: Some(metadata.to_string()),
                occurred_at: Timestamp::from_micros(0),
                born: 1,
                retired: None,
                vector: None,
            })
        };
        assert_eq!(of(json!({"a": 1, "b": ["x", "x", {"c": 1}]})), ["kfact", "sAna", "ma\u{0}1", "mb\u{0}x"]);
        assert_ne!(metadata_facet("a", "b"), metadata_facet("ab", ""));
        let long = "x".repeat(5_000);
        assert_eq!(of(json!({ &long: 1 }))[2], metadata_facet(&long, "1"));
        assert!(metadata_facet(&long, "1").len() < 50 && metadata_facet(&long, "1") != metadata_facet(&long, "2"));
        assert_ne!(speaker_facet(&long), metadata_facet(&long, ""));
        let many: Map<String, Value> = (0..3_000).map(|number| (format!("k{number}"), json!(number))).collect();
        let many = of(Value::Object(many));
        assert!(many.len() == 2 + MAX_PAIRS + 1 && many.contains(&MANY_PAIRS.to_owned()));
        assert!(!of(json!({"+": "+"})).contains(&MANY_PAIRS.to_owned()));
    }
}
