//! Dumps of Zep: sessions or threads with their messages, facts, and the edges and nodes of a graph.
//!
//! Messages and a session's summary belong to its thread; facts and node summaries belong to the user. A fact that
//! has ended according to Zep is left out, because here it would count as true.

use crate::facts::Facts;
use crate::gather::{Draft, Gathering, made};
use crate::outline::Node;
use crate::pieces::{Fields, Pieces, Record};
use crate::read;
use recordar_domain::{Digest, Invalid, ItemKind, Role};
use serde_json::Value;
use std::ops::ControlFlow;

/// Fields that hold further records of the same user, and of the same thread unless they name another.
const HOLDERS: [&str; 10] =
    ["users", "sessions", "threads", "session", "thread", "memory", "graph", "results", "data", "items"];
const LISTS: [&str; 6] = ["messages", "episodes", "facts", "relevant_facts", "edges", "nodes"];

pub(super) fn is_one(record: &Value) -> bool {
    let text = |key: &str| record.get(key).is_some_and(Value::is_string);
    let is_list = |key: &&str| record.get(key).is_some_and(Value::is_array);
    let is_message = |record: &Value| {
        record.get("content").is_some_and(Value::is_string)
            && ["role_type", "uuid"].iter().any(|key| record.get(key).is_some())
    };
    let is_named = text("session_id") || text("thread_id");
    let own_messages = || is_named || read::list(record, "messages").first().is_none_or(is_message);
    let is_node = text("summary") && text("uuid") && text("name");
    text("fact")
        || is_message(record)
        || is_node
        || (is_list(&"messages") && own_messages())
        || LISTS[1..].iter().any(&is_list)
        || ["users", "sessions", "threads"].iter().any(is_list)
        || (is_named && record.get("summary").is_some())
}

/// The user and thread of a record, from its container.
#[derive(Default, Clone)]
struct Scope {
    user: Option<String>,
    thread: Option<String>,
}

#[derive(Default)]
struct Seen {
    is_known: bool,
    unknown: usize,
}

#[derive(Default)]
pub(super) struct Reader {
    /// The thread of messages without one: named by the first, which a longer dump begins with as well.
    unnamed_thread: Option<String>,
    facts: Facts,
}

impl Reader {
    /// Reads a record and its contents. False if nothing in it is recognised.
    pub(super) fn read(
        &mut self,
        gathering: &mut Gathering<'_>,
        pieces: &Pieces<'_>,
        record: Record<'_>,
    ) -> Result<bool, Invalid> {
        let mut seen = Seen::default();
        self.walk(gathering, pieces, record, &Scope::default(), &mut seen)?;
        if seen.is_known && seen.unknown > 0 {
            let detail = format!("{} records that are neither threads nor facts", seen.unknown);
            gathering.leave_out("zep", "unknown_record", detail);
        }
        Ok(seen.is_known)
    }

    fn walk(
        &mut self,
        gathering: &mut Gathering<'_>,
        pieces: &Pieces<'_>,
        record: Record<'_>,
        outer: &Scope,
        seen: &mut Seen,
    ) -> Result<(), Invalid> {
        match record {
            _ if gathering.is_over() => return Ok(()),
            Record::Whole(Value::Array(list)) => {
                return list
                    .into_iter()
                    .try_for_each(|record| self.walk(gathering, pieces, Record::Whole(record), outer, seen));
            }
            Record::Large(node) if node.is_list() => {
                pieces.each_in(node, &mut |record| {
                    self.walk(gathering, pieces, record, outer, seen).map(ControlFlow::Continue)
                })?;
                return Ok(());
            }
            _ => {}
        }
        let mut fields = pieces.fields(record)?;
        // A large record without readable parts is read as a whole.
        let holds = |key: &&str| fields.large(key).is_some_and(Node::holds);
        if let Some(node) = fields.node().filter(|_| !HOLDERS.iter().chain(&LISTS).any(holds)) {
            fields = pieces.fields(Record::Whole(pieces.value(Record::Large(node))?))?;
        }
        let scope = Scope {
            user: read::id(&fields.small, &["user_id"]).or_else(|| outer.user.clone()),
            thread: read::id(&fields.small, &["session_id", "thread_id"]).or_else(|| outer.thread.clone()),
        };
        let mut is_one = self.record(gathering, pieces, &fields, &scope)?;
        seen.is_known |= is_one;
        for key in HOLDERS {
            if let Some(held) = fields.holder(key) {
                seen.is_known |= matches!(&held, Record::Whole(Value::Array(list)) if list.is_empty());
                is_one = true;
                self.walk(gathering, pieces, held, &scope, seen)?;
            }
        }
        seen.unknown += usize::from(!is_one);
        Ok(())
    }

    fn record(
        &mut self,
        gathering: &mut Gathering<'_>,
        pieces: &Pieces<'_>,
        fields: &Fields<'_>,
        scope: &Scope,
    ) -> Result<bool, Invalid> {
        let record = &fields.small;
        match fields.large("messages").filter(|node| node.is_list()) {
            Some(list) => self.many_messages(gathering, pieces, list, scope)?,
            None => self.messages(gathering, &sorted(read::list(record, "messages")), scope),
        }
        let unthreaded = Scope { user: scope.user.clone(), thread: None };
        each_in(pieces, fields, "episodes", &mut |episode| message(gathering, episode, &unthreaded))?;
        for key in ["facts", "relevant_facts", "edges"] {
            each_in(pieces, fields, key, &mut |fact_record| self.fact(gathering, fact_record, scope))?;
        }
        each_in(pieces, fields, "nodes", &mut |node| node_summary(gathering, node, scope))?;
        let mut is_known = LISTS.iter().any(|key| fields.is_list(key));
        match record.get("summary") {
            Some(summary) if summary.is_object() => {
                is_known = true;
                session_summary(gathering, summary, scope);
            }
            Some(Value::String(_)) if !is_known => {
                is_known = true;
                node_summary(gathering, record, scope);
            }
            _ => {}
        }
        if record.get("fact").is_some_and(Value::is_string) {
            is_known = true;
            self.fact(gathering, record, scope);
        } else if record.get("content").is_some_and(Value::is_string) {
            is_known = true;
            self.messages(gathering, &[record], scope);
        }
        Ok(is_known)
    }

    /// The messages of a long thread: one by one if they are in order of time or have none, otherwise all
    /// at once.
    fn many_messages(
        &mut self,
        gathering: &mut Gathering<'_>,
        pieces: &Pieces<'_>,
        list: &Node,
        scope: &Scope,
    ) -> Result<(), Invalid> {
        let (mut last, mut are_timed, mut are_in_order) = (None, true, true);
        pieces.each_in(list, &mut |record| {
            let time = read::time(&pieces.value(record)?, &["created_at"]).and_then(Result::ok);
            are_timed &= time.is_some();
            are_in_order &= last <= time;
            last = time;
            Ok(if are_timed { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        })?;
        if are_timed && !are_in_order {
            let messages = pieces.value(Record::Large(list))?;
            self.messages(gathering, &sorted(messages.as_array().map_or(&[], Vec::as_slice)), scope);
            return Ok(());
        }
        pieces.each_in(list, &mut |record| {
            self.messages(gathering, &[&pieces.value(record)?], scope);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(())
    }

    fn messages(&mut self, gathering: &mut Gathering<'_>, messages: &[&Value], scope: &Scope) {
        let Some(first) = messages.first() else {
            return;
        };
        let thread = scope.thread.clone().unwrap_or_else(|| {
            let begin = || read::id(first, &["uuid", "id"]).unwrap_or_else(|| made(Digest::of(first.to_string())));
            self.unnamed_thread.get_or_insert_with(begin).clone()
        });
        let scope = Scope { user: scope.user.clone(), thread: Some(thread) };
        messages.iter().for_each(|record| message(gathering, record, &scope));
    }

    fn fact(&mut self, gathering: &mut Gathering<'_>, record: &Value, scope: &Scope) {
        let place = gathering.open(scope.user.as_deref(), None, None);
        let id = read::id(record, &["uuid", "id"]);
        if let Some(end) = read::time(record, &["invalid_at", "expired_at"]) {
            let end = end.map_or_else(|given| given, |time| time.to_string());
            let subject = gathering.subject(place, id.as_deref().unwrap_or("?"));
            return gathering.leave_out(&subject, "expired", format!("it ended at {end}"));
        }
        let text = record.as_str().or_else(|| record.get("fact")?.as_str()).unwrap_or_default().to_owned();
        if !self.facts.is_new(scope.user.as_deref(), id.as_deref(), &text) {
            let subject = gathering.subject(place, id.as_deref().unwrap_or("?"));
            return gathering.leave_out(
                &subject,
                "duplicate",
                format!("the same fact occurs earlier in the file: {text}"),
            );
        }
        let mut extras =
            read::extras(record, &["name", "rating", "valid_at", "created_at", "source_node_uuid", "target_node_uuid"]);
        extras.extend(scope.thread.iter().map(|thread| ("thread_id".to_owned(), thread.as_str().into())));
        let time = read::time(record, &["valid_at", "created_at"]);
        gathering.add(place, Draft { id, text, time, kind: Some(ItemKind::Fact), extras, ..Draft::default() });
    }
}

/// Calls `take` with each element of a list, small or large.
fn each_in(pieces: &Pieces<'_>, fields: &Fields<'_>, key: &str, take: &mut dyn FnMut(&Value)) -> Result<(), Invalid> {
    match fields.large(key).filter(|node| node.is_list()) {
        Some(list) => {
            pieces.each_in(list, &mut |record| {
                take(&pieces.value(record)?);
                Ok(ControlFlow::Continue(()))
            })?;
        }
        None => read::list(&fields.small, key).iter().for_each(take),
    }
    Ok(())
}

/// In order of time if all have one: some dumps begin with the newest.
fn sorted(messages: &[Value]) -> Vec<&Value> {
    let mut timed: Vec<_> =
        messages.iter().map(|message| (read::time(message, &["created_at"]).and_then(Result::ok), message)).collect();
    if timed.iter().all(|(time, _)| time.is_some()) {
        timed.sort_by_key(|(time, _)| *time);
    }
    timed.into_iter().map(|(_, message)| message).collect()
}

/// In newer dumps `role` is the role and `name` the name; in older ones `role_type` is the role and `role` a name.
fn message(gathering: &mut Gathering<'_>, record: &Value, scope: &Scope) {
    let known = |word: &str| match word.to_ascii_lowercase().as_str() {
        "user" | "human" => Some(Role::User),
        "assistant" | "ai" => Some(Role::Assistant),
        "system" => Some(Role::System),
        "tool" | "function" => Some(Role::Tool),
        _ => None,
    };
    let role_word = read::text(record, &["role"]);
    let role = read::text(record, &["role_type"]).and_then(known).or_else(|| role_word.and_then(known));
    let named = role_word.filter(|word| known(word).is_none() && !word.eq_ignore_ascii_case("norole"));
    let draft = Draft {
        id: read::id(record, &["uuid", "id"]),
        text: record.get("content").and_then(Value::as_str).unwrap_or_default().to_owned(),
        role: role.unwrap_or_default(),
        speaker: read::text(record, &["name"]).or(named).map(str::to_owned),
        time: read::time(record, &["created_at"]),
        extras: read::extras(record, &["metadata", "source"]),
        ..Draft::default()
    };
    let place = gathering.open(scope.user.as_deref(), scope.thread.as_deref(), None);
    gathering.add(place, draft);
}

fn session_summary(gathering: &mut Gathering<'_>, summary: &Value, scope: &Scope) {
    let place = gathering.open(scope.user.as_deref(), scope.thread.as_deref(), None);
    let draft = Draft {
        id: read::id(summary, &["uuid", "id"]),
        text: summary.get("content").and_then(Value::as_str).unwrap_or_default().to_owned(),
        role: Role::System,
        time: read::time(summary, &["created_at"]),
        kind: Some(ItemKind::Summary),
        extras: read::extras(summary, &["metadata"]),
        ..Draft::default()
    };
    gathering.add(place, draft);
}

fn node_summary(gathering: &mut Gathering<'_>, node: &Value, scope: &Scope) {
    let place = gathering.open(scope.user.as_deref(), None, None);
    let name = read::text(node, &["name"]).map_or_else(String::new, |name| format!("{name}: "));
    let draft = Draft {
        id: read::id(node, &["uuid", "id"]),
        text: read::text(node, &["summary"]).map_or_else(String::new, |summary| format!("{name}{summary}")),
        role: Role::System,
        time: read::time(node, &["created_at"]),
        kind: Some(ItemKind::Summary),
        extras: read::extras(node, &["labels"]),
        ..Draft::default()
    };
    gathering.add(place, draft);
}

#[cfg(test)]
mod tests {
    use crate::tests::{converted, left_out, said};
    use recordar_domain::ItemKind;
    use serde_json::{Value, json};

    fn message(id: u32, text: &str) -> Value {
        json!({"uuid": format!("m{id}"), "role": "Ada", "role_type": "user", "content": text, "metadata": {"mood": "glad"},
               "created_at": format!("2024-03-01T10:00:{id:02}.000001Z")})
    }

    #[test]
    fn import_zep_reads_sessions_with_their_summary() {
        let session = json!({"session_id": "s1", "user_id": "ada", "summary": {"uuid": "sum", "content": "About trains."},
            "messages": [message(2, "second"), message(1, "erste Ähre"),
                         {"uuid": "m3", "role": "assistant", "name": "Zoe", "content": "third", "created_at": "2024-03-01T10:00:03"}]});
        for dump in [
            session.clone(),
            json!([session.clone()]),
            json!({"sessions": [session.clone()]}),
            json!({"users": [{"user_id": "ada", "threads": [session]}]}),
        ] {
            let read = converted(&dump);
            assert_eq!(said(&read), ["user: erste Ähre", "user: second", "assistant: third", "system: About trains."]);
            let conversation = &read.conversations[0];
            assert_eq!(
                (conversation.user_id.as_deref(), conversation.thread.as_deref()),
                (Some("ada"), Some("zep:s1"))
            );
            let speakers: Vec<_> =
                conversation.messages.iter().map(|(_, message)| message.speaker.as_deref()).collect();
            assert_eq!(speakers, [Some("Ada"), Some("Ada"), Some("Zoe"), None]);
            assert_eq!(conversation.messages[3].1.kind, ItemKind::Summary);
            assert!(conversation.messages[0].1.metadata.to_json().contains(r#""metadata":{"mood":"glad"}"#));
        }
    }

    #[test]
    fn import_zep_makes_facts_of_edges_and_leaves_out_what_ended() {
        let read = converted(&json!({"user_id": "ada", "edges": [
            {"uuid": "e1", "name": "TAKES", "fact": "Ada takes the 8:15 train", "created_at": "2024-03-02T00:00:00Z",
             "valid_at": "2024-03-01T00:00:00Z", "invalid_at": null, "expired_at": null},
            {"uuid": "e2", "fact": "Ada takes the 9:15 train", "invalid_at": "2024-03-01T00:00:00Z"},
            {"uuid": "e3", "fact": "Ada drives", "expired_at": "2024-03-01T00:00:00Z"}],
            "nodes": [{"uuid": "n1", "name": "Ada", "summary": "An engineer.", "labels": ["Person"]}, {"uuid": "n2", "name": "x", "summary": ""}],
            "facts": ["Ada likes tea", {"uuid": "f1", "fact": "Ada has a dog", "rating": 0.9}]}));
        assert_eq!(
            said(&read),
            [
                "user: Ada likes tea",
                "user: Ada has a dog",
                "user: Ada takes the 8:15 train",
                "system: Ada: An engineer."
            ]
        );
        assert_eq!(left_out(&read), ["expired zep/e2", "expired zep/e3", "empty zep/n2"]);
        let (_, fact) = &read.conversations[0].messages[2];
        assert_eq!((fact.kind, fact.time.unwrap().to_string().as_str()), (ItemKind::Fact, "2024-03-01T00:00:00Z"));
    }

    #[test]
    fn import_zep_takes_a_fact_once() {
        let fact = |id: &str, text: &str| json!({"uuid": id, "fact": text});
        let read = converted(&json!({"user_id": "ada", "facts": ["Ada likes tea", "Ada swims"],
            "relevant_facts": [fact("f1", "Ada likes tea"), fact("f2", "Ada has a dog"), fact("f3", "Ada runs")],
            "memory": {"facts": ["Ada has a dog", "Ada swims"], "relevant_facts": [fact("f2", "Ada has a dog."), fact("f4", "Ada runs")]},
            "users": [{"user_id": "ada", "edges": [fact("f3", "Ada runs")]}]}));
        // Two ids are two facts, though they say the same.
        let facts = ["Ada likes tea", "Ada swims", "Ada has a dog", "Ada runs", "Ada runs"];
        assert_eq!(said(&read), facts.map(|fact| format!("user: {fact}")));
        assert!(left_out(&read).iter().all(|left| left.starts_with("duplicate zep/")));
        let of = |user: &str| json!({"user_id": user, "facts": ["likes tea"]});
        assert_eq!(said(&converted(&json!({"users": [of("ada"), of("bob")]}))).len(), 2);
    }

    #[test]
    fn import_zep_names_unnamed_threads_by_their_first_message() {
        let short = converted(&json!([message(1, "one"), message(2, "two")]));
        let long = converted(&json!({"messages": [message(1, "one"), message(2, "two"), message(3, "three")]}));
        assert_eq!(short.conversations[0].thread.as_deref(), Some("zep:m1"));
        assert_eq!(short.conversations[0].thread, long.conversations[0].thread);
        assert_eq!(short.conversations[0].messages[..], long.conversations[0].messages[..2]);
    }

    #[test]
    fn import_zep_survives_wrong_types() {
        let read = converted(
            &json!([{"session_id": 5, "messages": [1, null, {"content": []}, message(1, "kept")]}, {"sessions": [[], 3]},
                                     {"edges": {}}, "x"]),
        );
        assert_eq!(said(&read), ["user: kept"]);
        assert_eq!(left_out(&read).iter().filter(|left| left.starts_with("empty zep:5/")).count(), 3);
        assert_eq!(left_out(&read).iter().filter(|left| left.starts_with("unknown_record")).count(), 3);
    }
}
