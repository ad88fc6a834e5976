//! Reads a file that may be obeyed. It must be owned by the user, and no one else may be able to change it. The checks apply to
//! the opened file, so that it cannot be swapped between check and read.

use super::User;
use crate::error::Error;
use rustix::fs::OFlags;
use std::fmt;
use std::fs::{File, Metadata, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

const MAX_BYTES: u64 = 1024 * 1024;
const ROOT: u32 = 0;

/// The text of a file that may be obeyed.
pub(super) struct OwnFile {
    pub(super) text: String,
    /// Whether others can read it.
    pub(super) is_exposed: bool,
    /// Whether it is owned by this user rather than root.
    pub(super) is_users: bool,
}

/// `what` names the file in errors, such as "the configuration".
pub(super) fn read(what: &str, path: &Path, user: User) -> Result<OwnFile, Error> {
    let refused = |why: Objection| {
        let said = format!("{what} {} is not used: {why}", path.display());
        Error::input("configuration", said, why.remedy(path, user))
    };
    let unreadable = |error: std::io::Error| {
        let said = format!("{what} {} cannot be read: {error}", path.display());
        Error::input("configuration", said, "check the path and its permissions")
    };
    // Another user's link could point to one of this user's files that is meant for another purpose.
    let link = path.symlink_metadata().map_err(unreadable)?;
    if link.is_symlink() && !belongs(link.uid(), user) {
        return Err(refused(Objection::Foreign(link.uid())));
    }
    let file = open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(refused(Objection::NotPlain));
    }
    if let Some(why) = objection(&Rights::of(&metadata), user) {
        return Err(refused(why));
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(refused(Objection::Large));
    }
    let text = String::from_utf8(bytes).map_err(|_| refused(Objection::NotText))?;
    Ok(OwnFile { text, is_exposed: is_exposed(&Rights::of(&metadata)), is_users: metadata.uid() == user.uid })
}

/// Opening a pipe could block, so no one waits for it.
fn open(path: &Path) -> std::io::Result<File> {
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32;
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

/// Owner and mode of a file.
#[derive(Debug, Clone, Copy)]
pub struct Rights {
    pub uid: u32,
    pub gid: u32,
    pub mode: u32,
}

impl Rights {
    pub fn of(metadata: &Metadata) -> Self {
        Self { uid: metadata.uid(), gid: metadata.gid(), mode: metadata.mode() }
    }

    /// Whether its group has no member besides its owner. Many systems give each user such a group, with write permission.
    fn has_private_group(&self) -> bool {
        self.gid == self.uid
    }
}

/// Why a file is not obeyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Objection {
    Foreign(u32),
    Writable(u32),
    NotPlain,
    Large,
    NotText,
}

fn objection(rights: &Rights, user: User) -> Option<Objection> {
    let is_shared = rights.mode & 0o020 != 0 && !(rights.has_private_group() && is_group_of(rights, user));
    if !belongs(rights.uid, user) {
        Some(Objection::Foreign(rights.uid))
    } else if rights.mode & 0o002 != 0 || is_shared {
        Some(Objection::Writable(rights.mode & 0o7777))
    } else {
        None
    }
}

/// Root does not need a configuration file to do anything.
fn belongs(uid: u32, user: User) -> bool {
    uid == user.uid || uid == ROOT
}

fn is_group_of(rights: &Rights, user: User) -> bool {
    rights.gid == if rights.uid == ROOT { ROOT } else { user.gid }
}

/// Whether others can read the file.
pub fn is_exposed(rights: &Rights) -> bool {
    rights.mode & 0o004 != 0 || rights.mode & 0o040 != 0 && !rights.has_private_group()
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Foreign(uid) => write!(f, "it belongs to another user (uid {uid})"),
            Self::Writable(mode) => write!(f, "other users can change it (mode {mode:o})"),
            Self::NotPlain => f.write_str("it is not a regular file"),
            Self::Large => f.write_str("it is larger than 1 MiB"),
            Self::NotText => f.write_str("it is not UTF-8 text"),
        }
    }
}

impl Objection {
    fn remedy(self, path: &Path, user: User) -> String {
        let shown = path.display();
        match self {
            Self::Foreign(_) => format!(
                "use your own file with --config FILE; or review this one and take ownership: \
                 chown {} {shown}",
                user.uid
            ),
            Self::Writable(_) => format!("review its contents, then run: chmod go-w {shown}"),
            Self::NotPlain => "name a file".to_owned(),
            Self::Large => "shorten it".to_owned(),
            Self::NotText => "save it as UTF-8".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r16_a_file_counts_if_it_is_the_users_own_and_nobody_else_can_change_it() {
        let ada = User { uid: 1000, gid: 1000 };
        let check = |user: User, uid: u32, gid: u32, mode: u32, expected: Option<Objection>| {
            assert_eq!(objection(&Rights { uid, gid, mode }, user), expected, "{uid}:{gid} {mode:o} for {user:?}");
        };
        check(ada, 1000, 1000, 0o100600, None);
        check(ada, 1000, 1000, 0o100644, None);
        check(ada, 1000, 1000, 0o100664, None);
        check(ada, 1000, 100, 0o100644, None);
        check(ada, 0, 0, 0o100644, None);
        check(ada, 0, 0, 0o100664, None);
        check(ada, 1000, 100, 0o100664, Some(Objection::Writable(0o664)));
        check(ada, 0, 1000, 0o100664, Some(Objection::Writable(0o664)));
        check(ada, 1000, 1000, 0o100666, Some(Objection::Writable(0o666)));
        check(ada, 0, 0, 0o100646, Some(Objection::Writable(0o646)));
        check(ada, 1001, 1001, 0o100600, Some(Objection::Foreign(1001)));
        // Without a private group, others share it.
        check(User { uid: 1000, gid: 100 }, 1000, 1000, 0o100664, Some(Objection::Writable(0o664)));
        // Root does not obey other users' files either.
        let root = User { uid: 0, gid: 0 };
        check(root, 0, 0, 0o100664, None);
        check(root, 1000, 1000, 0o100600, Some(Objection::Foreign(1000)));
    }

    #[test]
    fn r16_a_file_is_exposed_if_others_can_read_it() {
        let check = |gid: u32, mode: u32, expected: bool| {
            assert_eq!(is_exposed(&Rights { uid: 1000, gid, mode }), expected, "{gid} {mode:o}");
        };
        check(1000, 0o100600, false);
        check(1000, 0o100660, false);
        check(1000, 0o100644, true);
        check(100, 0o100640, true);
        check(100, 0o100600, false);
    }
}
