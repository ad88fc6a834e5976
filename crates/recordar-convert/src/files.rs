//! An export of several files: a folder, or an archive as it was downloaded. Which files matter is decided by their names.

use crate::pieces::not_utf8;
use crate::survey::ForeignFormat;
use recordar_domain::Invalid;
use std::io::Write;

/// The files of a folder or an archive. They may be read repeatedly.
pub trait Files {
    /// Their paths below the folder, with `/` between the parts, in the same order each time.
    fn names(&self) -> &[String];

    /// How many bytes a file has, and whether it can be read.
    fn bytes(&self, index: usize) -> Result<u64, Invalid>;

    /// Writes a file's bytes, never more of them than `bytes` says.
    fn copy(&self, index: usize, to: &mut dyn Write) -> Result<(), Invalid>;
}

/// What an export of several files is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parts {
    /// Slack's: a folder of days for each channel, below this path.
    Slack { root: String },
    /// Parts of one file, in order: `conversations.json`, or `conversations-000.json` and so on.
    Conversations(Vec<usize>),
}

/// The most that is read of an export.
pub(super) const MAX_BYTES: u64 = 1024 * 1024 * 1024;
/// The lists that Slack writes beside the channels.
pub(super) const LISTS: [&str; 5] = ["channels.json", "groups.json", "dms.json", "mpims.json", "users.json"];

impl Parts {
    /// Finds the files that matter. `format` restricts it to one system.
    pub fn find(files: &dyn Files, format: Option<ForeignFormat>, name: &str) -> Result<Self, Invalid> {
        let found = match format {
            None => conversations(files).or_else(|| slack(files)),
            Some(ForeignFormat::Slack) => slack(files),
            Some(ForeignFormat::ChatGpt | ForeignFormat::Claude) => conversations(files),
            Some(other) => {
                let what = format!("{name} holds several files, and the format {} has one", other.name());
                return Err(Invalid::new(what, format!("unpack it, and {}", other.remedy())));
            }
        };
        let found = found.ok_or_else(|| {
            let remedy = match format {
                Some(format) => format.remedy(),
                None => {
                    "use ChatGPT's or claude.ai's export, which has a conversations.json, or Slack's, which has a \
                     channels.json and a folder for each channel; for anything else, import its files one by one"
                }
            };
            Invalid::new(format!("{name} is not an export of several files that is recognised"), remedy)
        })?;
        if let Self::Conversations(parts) = &found {
            check_total(files, parts.iter().copied(), name)?;
        }
        Ok(found)
    }
}

/// All of these together must not be larger than any other export.
pub(super) fn check_total(files: &dyn Files, parts: impl Iterator<Item = usize>, name: &str) -> Result<(), Invalid> {
    let mut total = 0_u64;
    for index in parts {
        total = total.saturating_add(files.bytes(index)?);
        if total > MAX_BYTES {
            let what = format!("the conversations in {name} have more than {} MiB", MAX_BYTES >> 20);
            return Err(Invalid::new(what, "split it, for example by conversation or channel"));
        }
    }
    Ok(())
}

/// A file as text.
pub(super) fn text(files: &dyn Files, index: usize) -> Result<String, Invalid> {
    /// The messages of one day are held as a whole.
    const MAX_TEXT_BYTES: u64 = 128 * 1024 * 1024;
    let name = &files.names()[index];
    let bytes = files.bytes(index)?;
    if bytes > MAX_TEXT_BYTES {
        let what = format!("{name} exceeds {} MiB", MAX_TEXT_BYTES >> 20);
        return Err(Invalid::new(what, "leave it out, or split it"));
    }
    let mut held = Vec::with_capacity(bytes.min(1024 * 1024) as usize);
    files.copy(index, &mut held)?;
    String::from_utf8(held).map_err(|error| not_utf8(name, error.utf8_error().valid_up_to()))
}

/// Folder and name. What macOS adds to an archive is no part of it.
fn split(path: &str) -> Option<(&str, &str)> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    (!path.starts_with("__MACOSX/") && !name.starts_with("._") && !name.is_empty()).then_some((folder, name))
}

/// The folder nearest to the top that holds such a file: an archive may have everything in one folder.
fn nearest(files: &dyn Files, is_one: impl Fn(&str) -> bool) -> Option<&str> {
    let found = files.names().iter().filter_map(|path| split(path)).filter(|(_, name)| is_one(name));
    found.map(|(folder, _)| folder).min_by_key(|folder| (folder.split('/').count(), folder.len(), *folder))
}

fn conversations(files: &dyn Files) -> Option<Parts> {
    let root = nearest(files, is_conversations)?;
    let mut parts: Vec<(&str, usize)> = Vec::new();
    for (index, path) in files.names().iter().enumerate() {
        parts.extend(
            split(path)
                .filter(|(folder, name)| *folder == root && is_conversations(name))
                .map(|(_, name)| (name, index)),
        );
    }
    parts.sort_by_key(|(name, index)| (name.len(), *name, *index));
    Some(Parts::Conversations(parts.into_iter().map(|(_, index)| index).collect()))
}

/// `conversations.json`; a large export of ChatGPT has `conversations-000.json`, `conversations-001.json` and so on.
fn is_conversations(name: &str) -> bool {
    let number = name.strip_prefix("conversations").and_then(|rest| rest.strip_suffix(".json"));
    number.is_some_and(|rest| {
        rest.is_empty()
            || rest.strip_prefix(['-', '_']).is_some_and(|digits| {
                !digits.is_empty() && digits.len() <= 6 && digits.bytes().all(|byte| byte.is_ascii_digit())
            })
    })
}

fn slack(files: &dyn Files) -> Option<Parts> {
    let with_lists = nearest(files, |name| LISTS.contains(&name));
    let of_days = || {
        let folder = nearest(files, |name| day_of(name).is_some())?;
        Some(folder.rsplit_once('/').map_or("", |(root, _)| root)).filter(|_| !folder.is_empty())
    };
    let root = with_lists.or_else(of_days)?.to_owned();
    Some(Parts::Slack { root })
}

/// The day of `2026-01-31.json`.
pub(super) fn day_of(name: &str) -> Option<&str> {
    let day = name.strip_suffix(".json")?;
    let is_day = day.len() == 10
        && day
            .bytes()
            .enumerate()
            .all(|(at, byte)| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() });
    is_day.then_some(day)
}
