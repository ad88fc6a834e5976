//! Slack's export: `channels.json` and the like name the channels, `users.json` the people, and each channel has a folder with
//! a file for each day. A channel becomes a thread; a reply keeps the `thread_ts` of what it replies to.

use crate::files::{self, Files, LISTS, check_total, day_of};
use crate::gather::{Draft, Gathering, Slot};
use crate::pieces::broken;
use crate::read;
use crate::slack_text::{Names, plain};
use recordar_domain::{Invalid, Role};
use serde_json::Value;
use std::collections::BTreeMap;

/// What Slack itself writes into a channel, when somebody comes or goes.
const JOINS: [&str; 8] = [
    "channel_join",
    "channel_leave",
    "group_join",
    "group_leave",
    "bot_add",
    "bot_remove",
    "bot_enable",
    "bot_disable",
];
/// And about the channel.
const NOTICES: [&str; 21] = [
    "channel_topic",
    "channel_purpose",
    "channel_name",
    "channel_archive",
    "channel_unarchive",
    "channel_convert_to_private",
    "channel_convert_to_public",
    "channel_posting_permissions",
    "channel_canvas_updated",
    "group_topic",
    "group_purpose",
    "group_name",
    "group_archive",
    "group_unarchive",
    "pinned_item",
    "unpinned_item",
    "reminder_add",
    "reminder_delete",
    "sh_room_created",
    "huddle_thread",
    "message_replied",
];

/// The export, before its days are read.
pub(super) struct Workspace<'a> {
    files: &'a dyn Files,
    name: &'a str,
    channels: Vec<Channel>,
    names: Names,
}

struct Channel {
    id: String,
    title: Option<String>,
    /// The files of its days, in order.
    days: Vec<usize>,
}

impl<'a> Workspace<'a> {
    pub(super) fn open(files: &'a dyn Files, root: &str, name: &'a str) -> Result<Self, Invalid> {
        let root = if root.is_empty() { String::new() } else { format!("{root}/") };
        let mut folders: BTreeMap<&str, Vec<(&str, usize)>> = BTreeMap::new();
        let mut lists: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        for (index, path) in files.names().iter().enumerate() {
            let Some(inner) = path.strip_prefix(&root) else { continue };
            match inner.split_once('/') {
                None if LISTS.contains(&inner) => {
                    lists.insert(inner, list(files, index)?);
                }
                Some((folder, file)) if day_of(file).is_some() => {
                    folders.entry(folder).or_default().push((file, index))
                }
                _ => {}
            }
        }
        let days = folders.values().flatten().map(|(_, index)| *index);
        check_total(files, days, name)?;
        let empty = Vec::new();
        let listed = |name: &str| lists.get(name).unwrap_or(&empty);
        let mut names = Names::default();
        listed("users.json").iter().for_each(|user| names.add_person(user));
        for list in LISTS {
            listed(list).iter().for_each(|channel| names.add_channel(channel));
        }
        let mut channels = Vec::new();
        for list in LISTS.into_iter().filter(|list| *list != "users.json") {
            for record in listed(list) {
                let Some(id) = read::id(record, &["id"]) else { continue };
                let label = read::text(record, &["name"]);
                // A folder is named as the channel is; that of a conversation between two by its id.
                let folder = [label.unwrap_or(&id), &id].into_iter().find_map(|folder| folders.remove(folder));
                let title = match list {
                    "dms.json" | "mpims.json" => names.members(record).or(label.map(str::to_owned)),
                    _ => label.map(|label| format!("#{label}")),
                };
                if let Some(days) = folder {
                    channels.push(Channel { id, title, days: in_order(days) });
                }
            }
        }
        for (folder, days) in folders {
            channels.push(Channel { id: folder.to_owned(), title: Some(format!("#{folder}")), days: in_order(days) });
        }
        Ok(Self { files, name, channels, names })
    }

    pub(super) fn read(&self, gathering: &mut Gathering<'_>) -> Result<(), Invalid> {
        if self.channels.is_empty() {
            let remedy = gathering.format().remedy();
            return Err(Invalid::new(format!("{} has no messages of any channel", self.name), remedy));
        }
        for channel in &self.channels {
            let place = gathering.open(None, Some(&channel.id), channel.title.as_deref());
            for day in &channel.days {
                if gathering.is_over() {
                    return Ok(());
                }
                for record in list(self.files, *day)? {
                    self.message(gathering, place, &record);
                }
            }
        }
        Ok(())
    }

    fn message(&self, gathering: &mut Gathering<'_>, place: Slot, message: &Value) {
        let ts = read::id(message, &["ts"]);
        let subject = gathering.subject(place, ts.as_deref().unwrap_or("?"));
        let subtype = read::text(message, &["subtype"]).unwrap_or_default();
        let said = |key: &str| message.get(key).and_then(Value::as_str).unwrap_or_default();
        match subtype {
            _ if read::text(message, &["type"]).is_some_and(|kind| kind != "message") || !message.is_object() => {
                return gathering.leave_out(&subject, "unknown_record", "it is not a message");
            }
            "tombstone" => return gathering.leave_out(&subject, "deleted", "it was deleted in Slack"),
            _ if JOINS.contains(&subtype) => return gathering.leave_out(&subject, "join_leave", subtype),
            _ if NOTICES.contains(&subtype) || subtype.starts_with("message_") => {
                return gathering.leave_out(&subject, "notice", subtype);
            }
            _ => {}
        }
        let is_bot = subtype == "bot_message" || message.get("bot_id").is_some_and(Value::is_string);
        let mut text = plain(said("text"), &self.names);
        // What a program posts is often in blocks and attachments; those of a person are previews of links.
        if text.trim().is_empty() || is_bot {
            for more in further(message, text.trim().is_empty()) {
                let more = plain(&more, &self.names);
                if !more.trim().is_empty() && !text.contains(more.trim()) {
                    text = if text.trim().is_empty() { more } else { format!("{text}\n{more}") };
                }
            }
        }
        let shared: Vec<&str> =
            read::list(message, "files").iter().filter_map(|file| read::text(file, &["name", "title", "id"])).collect();
        if text.trim().is_empty() && !shared.is_empty() {
            text = format!("[{}: {}]", if shared.len() == 1 { "file" } else { "files" }, shared.join(", "));
        }
        let mut extras = read::extras(message, &["thread_ts", "reply_count"]);
        if !shared.is_empty() {
            extras.insert("files".to_owned(), shared.into());
        }
        if let Some(Ok(time)) = message.get("edited").and_then(|edited| read::time(edited, &["ts"])) {
            extras.insert("edited".to_owned(), time.to_string().into());
        }
        if is_bot {
            extras.insert("is_bot".to_owned(), true.into());
        }
        let role = if is_bot { Role::Tool } else { Role::User };
        let (speaker, time) = (self.names.speaker(message), read::time(message, &["ts"]));
        if subtype == "me_message" {
            extras.insert("action".to_owned(), true.into());
            text = format!("{} {text}", speaker.as_deref().unwrap_or("?"));
        }
        gathering.add(place, Draft { id: ts, text, role, speaker, time, extras, ..Draft::default() });
    }
}

fn in_order(mut days: Vec<(&str, usize)>) -> Vec<usize> {
    days.sort_unstable();
    days.into_iter().map(|(_, index)| index).collect()
}

/// A file that holds a list.
fn list(files: &dyn Files, index: usize) -> Result<Vec<Value>, Invalid> {
    let (name, mut text) = (&files.names()[index], files::text(files, index)?.into_bytes());
    read::replace_unpaired_surrogates(&mut text);
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    serde_json::from_slice(text).map_err(|error| broken(name, error.is_eof(), &error.to_string()))
}

/// The texts of attachments and, where there is no other text, of blocks.
fn further(message: &Value, with_blocks: bool) -> Vec<String> {
    let mut texts = Vec::new();
    for attachment in read::list(message, "attachments") {
        let before = texts.len();
        for key in ["pretext", "title", "text"] {
            texts.extend(read::text(attachment, &[key]).map(str::to_owned));
        }
        for field in read::list(attachment, "fields") {
            let (title, value) = (read::text(field, &["title"]), read::text(field, &["value"]));
            texts.extend(value.map(|value| title.map_or(value.to_owned(), |title| format!("{title}: {value}"))));
        }
        if texts.len() == before {
            texts.extend(read::text(attachment, &["fallback"]).map(str::to_owned));
        }
    }
    if with_blocks && texts.is_empty() {
        for block in read::list(message, "blocks") {
            let mut text = String::new();
            collect(block, &mut text);
            texts.push(text);
        }
    }
    texts
}

/// The text within a block, however it is nested. serde_json bounds the depth.
fn collect(value: &Value, text: &mut String) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| collect(value, text)),
        Value::Object(fields) => {
            let (kind, own) = (fields.get("type").and_then(Value::as_str).unwrap_or_default(), fields.get("text"));
            match (kind, own) {
                ("user", _) => {
                    text.push_str(&format!("<@{}>", fields.get("user_id").and_then(Value::as_str).unwrap_or("?")))
                }
                ("link", None) => text.push_str(fields.get("url").and_then(Value::as_str).unwrap_or_default()),
                (_, Some(Value::String(own))) => text.push_str(own),
                (_, Some(own)) => collect(own, text),
                _ => ["elements", "fields"]
                    .iter()
                    .filter_map(|key| fields.get(*key))
                    .for_each(|value| collect(value, text)),
            }
            if kind.starts_with("rich_text_") || kind == "section" {
                text.push('\n');
            }
        }
        _ => {}
    }
}
