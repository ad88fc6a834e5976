//! Slack's markup as plain text: mentions and channels by their names, links by their labels, and the three escaped characters.

use crate::read;
use serde_json::Value;
use std::collections::HashMap;

/// Who and what ids stand for. For lookups only.
#[derive(Default)]
pub(super) struct Names {
    people: HashMap<String, String>,
    channels: HashMap<String, String>,
}

impl Names {
    pub(super) fn add_person(&mut self, user: &Value) {
        if let (Some(id), Some(name)) = (read::id(user, &["id"]), person(user)) {
            self.people.insert(id, name);
        }
    }

    pub(super) fn add_channel(&mut self, channel: &Value) {
        if let (Some(id), Some(name)) = (read::id(channel, &["id"]), read::text(channel, &["name"])) {
            self.channels.insert(id, name.to_owned());
        }
    }

    /// The members of a conversation, as its title.
    pub(super) fn members(&self, channel: &Value) -> Option<String> {
        let ids = read::list(channel, "members").iter().filter_map(Value::as_str);
        let names: Vec<&str> = ids.map(|id| self.people.get(id).map_or(id, String::as_str)).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// Who said a message: of the list of users, of the message itself, or of the program that posted it.
    pub(super) fn speaker(&self, message: &Value) -> Option<String> {
        let user = read::id(message, &["user"]);
        let listed = user.as_ref().and_then(|id| self.people.get(id).cloned());
        let own = || message.get("user_profile").and_then(person);
        let named = || read::text(message, &["username"]).map(str::to_owned);
        let posted = || message.get("bot_profile").and_then(|bot| read::text(bot, &["name"])).map(str::to_owned);
        listed.or_else(own).or_else(named).or_else(posted).or(user).or_else(|| read::id(message, &["bot_id"]))
    }
}

/// The real name, or the name that is shown, or the name of the account.
fn person(user: &Value) -> Option<String> {
    let profile = user.get("profile").unwrap_or(&Value::Null);
    let real = read::text(profile, &["real_name"]).or_else(|| read::text(user, &["real_name"]));
    let shown = || read::text(profile, &["display_name"]).or_else(|| read::text(user, &["display_name", "name"]));
    real.or_else(shown).map(str::to_owned)
}

pub(super) fn plain(text: &str, names: &Names) -> String {
    let (mut plain, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(start) = rest.find('<') {
        plain.push_str(&rest[..start]);
        let marked = &rest[start + 1..];
        // A mark has no other inside, and no line break.
        match marked.find(['>', '<', '\n']).filter(|end| marked[*end..].starts_with('>')) {
            Some(end) => {
                mark(&marked[..end], names, &mut plain);
                rest = &marked[end + 1..];
            }
            None => {
                plain.push('<');
                rest = marked;
            }
        }
    }
    plain.push_str(rest);
    plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// `@U1`, `#C1|general`, `!here`, `!subteam^S1|@team`, `https://example.org|label`
fn mark(inside: &str, names: &Names, plain: &mut String) {
    let (target, label) = inside.split_once('|').map_or((inside, None), |(target, label)| (target, Some(label)));
    let label = label.filter(|label| !label.is_empty());
    let named = |sign: char, known: Option<&String>, id: &str| {
        let name = known.map(String::as_str).or(label).unwrap_or(id);
        format!("{sign}{}", name.trim_start_matches(sign))
    };
    let shown = match target.chars().next() {
        Some('@') => named('@', names.people.get(&target[1..]), &target[1..]),
        Some('#') => named('#', names.channels.get(&target[1..]), &target[1..]),
        Some('!') => match label {
            Some(label) => label.to_owned(),
            None => format!("@{}", target[1..].split('^').next().unwrap_or_default()),
        },
        _ if !target.contains(':') => format!("<{inside}>"),
        _ => {
            let address = target.strip_prefix("mailto:").or_else(|| target.strip_prefix("tel:")).unwrap_or(target);
            // A label that only shortens the address says nothing more.
            match label.filter(|label| !address.ends_with(label.trim_end_matches('/'))) {
                Some(label) => format!("{label} ({address})"),
                None => address.to_owned(),
            }
        }
    };
    plain.push_str(&shown);
}
