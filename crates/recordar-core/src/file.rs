//! Opens files that another process may be changing. A file is checked after it was opened, never before: a
//! path can name another file a moment later. Nothing here blocks: a pipe without a writer would never open.

use rustix::fs::{CWD, Mode, OFlags, openat};
use rustix::io::Errno;
use std::fs::{File, Metadata};
use std::io::{Error, ErrorKind, Result};
use std::path::{Component, Path};

/// Opens a file named by a user, following links. Anything but a regular file is an error of the kind
/// `InvalidInput`.
pub fn open_plain(path: &Path) -> Result<File> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    plain(openat(CWD, path, flags, Mode::empty())).map(|(file, _)| file)
}

/// Opens a file by an absolute path without links, and returns its metadata. If a link has replaced
/// the file or a folder above it, that is an error of the kind `NotADirectory`.
pub fn open_without_links(path: &Path) -> Result<(File, Metadata)> {
    let flags = OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let name = path.file_name().ok_or_else(not_plain)?;
    let mut folder = openat(CWD, "/", FOLDER | flags, Mode::empty())?;
    for component in path.parent().into_iter().flat_map(Path::components) {
        match component {
            Component::RootDir => {}
            Component::Normal(name) => folder = openat(&folder, name, FOLDER | flags, Mode::empty())?,
            _ => return Err(Error::new(ErrorKind::NotADirectory, "its path is not absolute and normalised")),
        }
    }
    plain(openat(&folder, name, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | flags, Mode::empty()))
}

/// A folder is opened to pass through it, which needs no permission to list it.
#[cfg(any(target_os = "linux", target_os = "android"))]
const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::PATH);
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const FOLDER: OFlags = OFlags::DIRECTORY;

fn plain(opened: rustix::io::Result<std::os::fd::OwnedFd>) -> Result<(File, Metadata)> {
    let file = match opened {
        Ok(file) => File::from(file),
        // The error of a socket, and of a missing device.
        Err(Errno::NXIO) => return Err(not_plain()),
        Err(Errno::LOOP) => return Err(Errno::NOTDIR.into()),
        Err(errno) => return Err(errno.into()),
    };
    let metadata = file.metadata()?;
    if metadata.is_file() { Ok((file, metadata)) } else { Err(not_plain()) }
}

fn not_plain() -> Error {
    Error::new(ErrorKind::InvalidInput, "it is not a regular file, but a folder, a pipe or a device")
}
