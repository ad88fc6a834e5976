//! Memories of mem0: what `get_all()` returns, as JSON or JSONL, and the points of its vector store (`payload`).
//!
//! Each becomes a fact of its user, outside any thread. Expiring memories are kept with their date, because nothing here knows the
//! time; the graph's relations are left out, as they repeat the memories.

use crate::gather::{Draft, Gathering};
use crate::pieces::{Pieces, Record};
use crate::read;
use recordar_domain::{Invalid, ItemKind, Role};
use serde_json::{Map, Value};
use std::ops::ControlFlow;

const TEXTS: [&str; 3] = ["memory", "data", "text"];
const WRAPPERS: [&str; 5] = ["results", "memories", "result", "points", "data"];
/// Fields that mem0 writes; the rest of a payload is user metadata.
const OWN: [&str; 15] = [
    "memory",
    "data",
    "text",
    "id",
    "hash",
    "user_id",
    "created_at",
    "updated_at",
    "score",
    "categories",
    "agent_id",
    "app_id",
    "run_id",
    "actor_id",
    "metadata",
];
const EXTRAS: [&str; 11] = [
    "hash",
    "categories",
    "metadata",
    "score",
    "agent_id",
    "app_id",
    "run_id",
    "actor_id",
    "role",
    "expiration_date",
    "created_at",
];

pub(super) fn is_one(record: &Value) -> bool {
    let with = |keys: &[&str]| keys.iter().any(|key| record.get(key).is_some());
    let text = |key: &str| record.get(key).is_some_and(Value::is_string);
    let is_payload = record.get("payload").and_then(|payload| payload.get("data")).is_some_and(Value::is_string);
    let is_empty = record.get("results").and_then(Value::as_array).is_some_and(Vec::is_empty);
    let has_owner = with(&["hash", "user_id", "agent_id", "run_id"]);
    text("memory") || is_payload || is_empty || ((text("text") || text("data")) && has_owner)
}

/// Reads a memory, or anything that holds a list of them. False if it is neither.
pub(super) fn read(gathering: &mut Gathering<'_>, pieces: &Pieces<'_>, record: Record<'_>) -> Result<bool, Invalid> {
    let mut seen = Seen::default();
    walk(gathering, pieces, record, None, &mut seen)?;
    if seen.is_known && seen.unknown > 0 {
        gathering.leave_out("mem0", "unknown_record", format!("{} records that are not memories", seen.unknown));
    }
    Ok(seen.is_known)
}

#[derive(Default)]
struct Seen {
    is_known: bool,
    unknown: usize,
}

fn walk(
    gathering: &mut Gathering<'_>,
    pieces: &Pieces<'_>,
    record: Record<'_>,
    user: Option<&str>,
    seen: &mut Seen,
) -> Result<(), Invalid> {
    match record {
        _ if gathering.is_over() => return Ok(()),
        Record::Whole(Value::Array(list)) => {
            seen.is_known |= list.is_empty();
            return list.into_iter().try_for_each(|record| walk(gathering, pieces, Record::Whole(record), user, seen));
        }
        Record::Large(node) if node.is_list() => {
            pieces
                .each_in(node, &mut |record| walk(gathering, pieces, record, user, seen).map(ControlFlow::Continue))?;
            return Ok(());
        }
        _ => {}
    }
    let mut fields = pieces.fields(record)?;
    let own_user = read::id(&fields.small, &["user_id"]);
    let user = own_user.as_deref().or(user);
    let is_text = |key: &str| fields.small.get(key).is_some_and(Value::is_string) || fields.is_large_text(key);
    let has_text = TEXTS.iter().any(|key| is_text(key));
    let wrapped = WRAPPERS.iter().filter(|_| !has_text).find_map(|key| fields.holder(key));
    read::list(&fields.small, "relations").iter().for_each(|relation| left_out(gathering, relation));
    if let Some(list) = fields.large("relations").filter(|_| wrapped.is_some()) {
        pieces.each_in(list, &mut |relation| {
            left_out(gathering, &pieces.value(relation)?);
            Ok(ControlFlow::Continue(()))
        })?;
    }
    if let Some(wrapped) = wrapped {
        return walk(gathering, pieces, wrapped, user, seen);
    }
    let record = match fields.node() {
        Some(node) => pieces.value(Record::Large(node))?,
        None => fields.small,
    };
    match record {
        record if memory(gathering, &record, user) => seen.is_known = true,
        // The end of a page is marked by a number or a null beside the list.
        Value::Null | Value::Number(_) => {}
        _ => seen.unknown += 1,
    }
    Ok(())
}

fn memory(gathering: &mut Gathering<'_>, record: &Value, user: Option<&str>) -> bool {
    let payload = record.get("payload").filter(|payload| payload.is_object());
    let fields = payload.unwrap_or(record);
    // An empty memory is recognised as one, and left out.
    let Some(text) = TEXTS.iter().find_map(|key| fields.get(key)?.as_str()) else {
        return false;
    };
    // The output of `add()` says what happened to each memory.
    if read::text(record, &["event"]).is_some_and(|event| event.eq_ignore_ascii_case("delete")) {
        let id = read::id(record, &["id"]).unwrap_or_else(|| "?".to_owned());
        gathering.leave_out(&format!("mem0/{id}"), "deleted", text);
        return true;
    }
    let mut extras = read::extras(fields, &EXTRAS);
    if let Some(payload) = payload.and_then(Value::as_object) {
        let is_own = |key: &String| OWN.contains(&key.as_str()) || EXTRAS.contains(&key.as_str());
        let given: Map<String, Value> =
            payload.iter().filter(|(key, _)| !is_own(key)).map(|(key, value)| (key.clone(), value.clone())).collect();
        if !given.is_empty() {
            extras.entry("metadata").or_insert(given.into());
        }
    }
    let own_user = read::id(fields, &["user_id"]);
    let place = gathering.open(own_user.as_deref().or(user), None, None);
    let draft = Draft {
        id: read::id(record, &["id"]).or_else(|| read::id(fields, &["id"])),
        text: text.to_owned(),
        role: Role::User,
        speaker: read::id(fields, &["actor_id"]),
        time: read::time(fields, &["updated_at", "created_at"]),
        kind: Some(ItemKind::Fact),
        extras,
        ..Draft::default()
    };
    gathering.add(place, draft);
    true
}

fn left_out(gathering: &mut Gathering<'_>, relation: &Value) {
    let part = |keys: &[&str]| read::text(relation, keys).unwrap_or("?").to_owned();
    let words = [part(&["source"]), part(&["relationship", "relation"]), part(&["target", "destination"])];
    gathering.leave_out("mem0", "relation", words.join(" — "));
}

#[cfg(test)]
mod tests {
    use crate::survey::ForeignFormat;
    use crate::tests::{convert, converted, left_out, said};
    use recordar_domain::ItemKind;
    use serde_json::{Value, json};

    fn sample() -> Value {
        json!({"results": [
            {"id": "1", "memory": "Ada takes the 8:15 train", "hash": "h1", "user_id": "ada", "categories": ["travel"],
             "metadata": {"source": "chat"}, "created_at": "2024-07-01T10:00:00.000001-07:00", "updated_at": null, "score": 0.5},
            {"id": "2", "memory": "Bob mag Käse 🧀", "user_id": "bob", "created_at": "2024-07-01T10:00:00Z",
             "updated_at": "2024-07-02T10:00:00Z", "expiration_date": "2024-08-01"},
            {"id": "3", "memory": "", "user_id": "ada"}],
            "relations": [{"source": "ada", "relationship": "takes", "target": "train"}]})
    }

    #[test]
    fn import_mem0_makes_facts_of_each_user() {
        let read = converted(&sample());
        assert_eq!(said(&read), ["user: Ada takes the 8:15 train", "user: Bob mag Käse 🧀"]);
        assert_eq!(left_out(&read), ["relation mem0", "empty mem0/3"]);
        let [ada, bob] = &read.conversations[..] else { panic!("two users") };
        assert_eq!((ada.user_id.as_deref(), ada.thread.as_deref()), (Some("ada"), None));
        let fact = &ada.messages[0].1;
        assert_eq!(
            (fact.kind, fact.time.unwrap().to_string().as_str()),
            (ItemKind::Fact, "2024-07-01T17:00:00.000001Z")
        );
        assert!(fact.metadata.to_json().contains(r#""categories":["travel"],"created_at""#));
        assert_eq!(bob.messages[0].1.time.unwrap().to_string(), "2024-07-02T10:00:00Z");
        assert!(bob.messages[0].1.metadata.to_json().contains(r#""expiration_date":"2024-08-01""#));
    }

    #[test]
    fn import_mem0_reads_lists_lines_and_points_alike() {
        let memory = |id: u32| json!({"id": id, "memory": format!("fact {id}"), "user_id": "ada"});
        let point =
            |id: u32| json!({"id": id, "payload": {"data": format!("fact {id}"), "user_id": "ada", "mood": "glad"}});
        for given in [
            json!([memory(1), memory(2)]).to_string(),
            format!("{}\n{}\n", memory(1), memory(2)),
            json!({"count": 2, "next": null, "results": [memory(1), memory(2)]}).to_string(),
            json!({"result": {"points": [point(1), point(2)], "next_page_offset": null}}).to_string(),
            json!([[point(1), point(2)], null]).to_string(),
        ] {
            let read = convert(given.as_bytes(), Some(ForeignFormat::Mem0), "m.json").unwrap();
            assert_eq!(said(&read), ["user: fact 1", "user: fact 2"], "{given}");
            assert_eq!(read.conversations[0].messages[1].0, "2");
        }
        let read = converted(&json!([{"memory": "fact", "data": {"memory": "other"}}]));
        assert_eq!(said(&read), ["user: fact"]);
        let read = converted(&json!([point(1)]));
        assert!(read.conversations[0].messages[0].1.metadata.to_json().contains(r#""metadata":{"mood":"glad"}"#));
    }

    #[test]
    fn import_mem0_leaves_out_what_was_deleted() {
        let entry = |id: u32, event: &str| json!({"id": id, "memory": format!("fact {id}"), "event": event});
        let read =
            converted(&json!({"results": [entry(1, "ADD"), entry(2, "DELETE"), entry(3, "UPDATE"), entry(4, "NONE")]}));
        assert_eq!(said(&read), ["user: fact 1", "user: fact 3", "user: fact 4"]);
        assert_eq!(left_out(&read), ["deleted mem0/2"]);
        let read = converted(&json!([entry(2, "DELETE")]));
        assert_eq!((said(&read).len(), left_out(&read)), (0, vec!["deleted mem0/2".to_owned()]));
    }

    #[test]
    fn import_mem0_survives_wrong_types_and_large_metadata() {
        let large = json!({"blob": "x".repeat(70_000)});
        let read = converted(
            &json!([{"memory": "kept", "metadata": large, "hash": "h", "created_at": "soon"}, {"memory": 5}, 4, "x"]),
        );
        assert_eq!(said(&read), ["user: kept"]);
        assert!(read.conversations[0].messages[0].1.metadata.to_json().contains(r#""hash":"h""#));
        let reasons: Vec<&str> = read.left_out.iter().map(|left| left.reason).collect();
        assert!(reasons.contains(&"metadata") && reasons.contains(&"bad_time") && reasons.contains(&"unknown_record"));
    }

    #[test]
    fn import_mem0_gives_old_memories_the_same_ids_in_a_longer_export() {
        let short = converted(&json!([{"memory": "one", "user_id": "ada"}, {"memory": "one", "user_id": "ada"}]));
        let long = converted(&json!([{"memory": "one", "user_id": "ada"}, {"memory": "one", "user_id": "ada"},
                                     {"memory": "two", "user_id": "ada"}]));
        assert_eq!(short.conversations[0].messages[..], long.conversations[0].messages[..2]);
    }
}
