//! What to do with a file, decided from its text and its backups only. Pure.
//!
//! No record is kept of what an installation wrote. The file is unchanged since if adding the entry to a backup gives the
//! file, byte for byte.

use super::client::Entry;
use super::edit::{self, Refusal, Slot};
use serde::Serialize;
use serde_json::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Action {
    Installed,
    Unchanged,
    Removed,
    Absent,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) action: Action,
    /// The new content. None to remove the file.
    pub(super) text: Option<String>,
    /// The backups that are then redundant.
    pub(super) spent: Vec<usize>,
}

impl Plan {
    pub(super) fn changes(&self) -> bool {
        matches!(self.action, Action::Installed | Action::Removed)
    }
}

pub(super) fn install(present: Option<&str>, slot: Slot<'_>, entry: &Entry) -> Result<Plan, Refusal> {
    let text = edit::put(present.unwrap_or_default(), slot, entry)?;
    let action = if present == Some(text.as_str()) { Action::Unchanged } else { Action::Installed };
    Ok(Plan { action, text: Some(text), spent: Vec::new() })
}

/// Backups are newest first; one that is not text is None.
pub(super) fn undo(present: Option<&str>, slot: Slot<'_>, backups: &[Option<String>]) -> Result<Plan, Refusal> {
    let absent = || Plan { action: Action::Absent, text: present.map(str::to_owned), spent: Vec::new() };
    let Some(text) = present else {
        return Ok(absent());
    };
    if edit::get(text, slot)?.is_none() {
        return Ok(absent());
    }
    let removed = |text, spent| Plan { action: Action::Removed, text, spent };
    let backup_texts = || backups.iter().flatten().map(String::as_str);
    if let Some(former) = backup_texts().find(|backup| leads_to(backup, text, slot)) {
        let is_spent = |backup: &str| backup == former || leads_to(former, backup, slot);
        let spent = (0..backups.len()).filter(|index| backups[*index].as_deref().is_some_and(is_spent)).collect();
        return Ok(removed(Some(former.to_owned()), spent));
    }
    let is_list_ours = backups.is_empty() || backup_texts().any(|backup| !edit::has_list(backup, slot));
    let rest = edit::take(text, slot, is_list_ours)?.unwrap_or_default();
    // Without a backup there was no file before ours.
    let is_file_ours = backups.is_empty() && edit::is_void(&rest);
    Ok(removed((!is_file_ours).then_some(rest), Vec::new()))
}

/// Whether the text is that backup with our entry put into it, and nothing else.
fn leads_to(backup: &str, text: &str, slot: Slot<'_>) -> bool {
    let Ok(Some(entry)) = edit::get(text, slot) else {
        return false;
    };
    let is_without = matches!(edit::get(backup, slot), Ok(None));
    let put = |entry: Entry| edit::put(backup, slot, &entry);
    is_without && as_written(&entry).is_some_and(|entry| put(entry).is_ok_and(|written| written == text))
}

/// The entry, if we could have written all its members.
fn as_written(entry: &Value) -> Option<Entry> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let members = entry.as_object()?;
    let kind = members.get("type").map(text);
    let is_ours = members.len() == 2 + usize::from(kind.is_some());
    let args = members.get("args")?.as_array()?.iter().map(text).collect::<Option<_>>()?;
    let entry = Entry { kind: kind.flatten(), command: text(members.get("command")?)?, args };
    is_ours.then_some(entry)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLOT: Slot<'_> = Slot { list: "mcpServers", name: "recordar" };

    fn entry(word: &str) -> Entry {
        Entry { kind: None, command: "/bin/recordar".to_owned(), args: vec![word.to_owned(), "mcp".to_owned()] }
    }

    fn installed(text: &str, entry: &Entry) -> String {
        install(Some(text), SLOT, entry).unwrap().text.unwrap()
    }

    #[test]
    fn install_undo_gives_back_the_former_bytes() {
        for former in [
            "",
            " \n",
            "{}",
            "{\"a\":1}",
            "{ \"mcpServers\": { \"x\": { \"command\": \"y\" } } }",
            "{\n  // none yet\n}\r\n",
            "\u{feff}{\n\t\"a\": [1,2,],\n}",
        ] {
            let first = installed(former, &entry("one"));
            let backups = [Some(former.to_owned())];
            let plan = undo(Some(&first), SLOT, &backups).unwrap();
            assert_eq!((plan.text.as_deref(), plan.spent), (Some(former), vec![0]));
            // Another installation over the first one keeps a second backup.
            let second = installed(&first, &entry("two"));
            let backups = [Some(first), Some(former.to_owned())];
            let plan = undo(Some(&second), SLOT, &backups).unwrap();
            assert_eq!((plan.text.as_deref(), plan.spent), (Some(former), vec![0, 1]));
        }
    }

    #[test]
    fn install_undo_takes_out_the_entry_alone_where_more_was_changed() {
        let former = "{\"theme\": \"dark\"}";
        let edited = installed(former, &entry("one")).replace("dark", "light");
        let plan = undo(Some(&edited), SLOT, &[Some(former.to_owned())]).unwrap();
        assert_eq!(plan.text.as_deref(), Some("{\n  \"theme\": \"light\"\n}"));
        assert!(plan.spent.is_empty());
        let with_env = installed(former, &entry("one")).replace("\"args\"", "\"env\": {}, \"args\"");
        assert!(undo(Some(&with_env), SLOT, &[Some(former.to_owned())]).unwrap().spent.is_empty());
    }

    #[test]
    fn install_undo_removes_a_file_of_ours_and_no_other() {
        let ours = installed("", &entry("one"));
        let gone = Plan { action: Action::Removed, text: None, spent: Vec::new() };
        assert_eq!(undo(Some(&ours), SLOT, &[]).unwrap(), gone);
        let one_line: String = ours.split_whitespace().collect();
        assert_eq!(undo(Some(&one_line), SLOT, &[]).unwrap().text, None, "a client may have written it anew");
        let noted = format!("// mine\n{ours}");
        assert_eq!(undo(Some(&noted), SLOT, &[]).unwrap().text.as_deref(), Some("// mine\n{}\n"));
        let kept = undo(Some(&ours), SLOT, &[Some("{\"a\": 1}".to_owned())]).unwrap();
        assert_eq!(kept.text.as_deref(), Some("{}\n"), "there was a file before");
        assert_eq!(undo(None, SLOT, &[]).unwrap().action, Action::Absent);
        assert_eq!(undo(Some("{}"), SLOT, &[]).unwrap().action, Action::Absent);
        assert!(undo(Some("{"), SLOT, &[]).is_err());
    }
}
