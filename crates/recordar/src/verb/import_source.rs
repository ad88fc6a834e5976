//! Where an import reads from: an open file, or a folder that an export was unpacked into.

use crate::verb::transfer::unreadable;
use recordar_convert::{Files, Source};
use recordar_core::error::Error;
use recordar_core::file::open_without_links;
use recordar_domain::Invalid;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// A file that can be read at any offset.
pub(super) struct FileSource<'a> {
    file: &'a File,
    pub(super) bytes: u64,
}

impl<'a> FileSource<'a> {
    pub(super) fn new(mut file: &'a File) -> std::io::Result<Self> {
        Ok(Self { file, bytes: file.seek(SeekFrom::End(0))? })
    }
}

impl Source for FileSource<'_> {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn read_at(&self, at: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        self.file.read_exact_at(buffer, at)
    }
}

/// The JSON files of a folder, as they were when it was listed. Links in it are not followed.
pub(super) struct Folder {
    root: PathBuf,
    names: Vec<String>,
    sizes: Vec<u64>,
}

/// An archive may have a folder around everything, and a folder for each channel in it.
const MAX_DEPTH: usize = 3;
const MAX_ENTRIES: usize = 200_000;

impl Folder {
    pub(super) fn open(path: &Path) -> Result<Self, Error> {
        let shown = path.display().to_string();
        let root = path.canonicalize().map_err(|error| unreadable(&shown, &error))?;
        let mut found: Vec<(String, u64)> = Vec::new();
        let (mut ahead, mut seen) = (vec![(root.clone(), String::new(), 1)], 0_usize);
        while let Some((folder, prefix, depth)) = ahead.pop() {
            for entry in std::fs::read_dir(&folder).map_err(|error| unreadable(&shown, &error))? {
                let entry = entry.map_err(|error| unreadable(&shown, &error))?;
                seen += 1;
                if seen > MAX_ENTRIES {
                    let what = format!("{shown} holds more than {MAX_ENTRIES} files");
                    return Err(Invalid::new(what, "import the folder of one export").into());
                }
                let Ok(name) = entry.file_name().into_string() else { continue };
                // A file that is gone again is none.
                let Ok(metadata) = entry.metadata() else { continue };
                let path = format!("{prefix}{name}");
                if metadata.is_dir() && depth < MAX_DEPTH {
                    ahead.push((entry.path(), format!("{path}/"), depth + 1));
                } else if metadata.is_file() && name.ends_with(".json") {
                    found.push((path, metadata.len()));
                }
            }
        }
        found.sort();
        let (names, sizes) = found.into_iter().unzip();
        Ok(Self { root, names, sizes })
    }
}

impl Files for Folder {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn bytes(&self, index: usize) -> Result<u64, Invalid> {
        Ok(self.sizes[index])
    }

    fn copy(&self, index: usize, to: &mut dyn Write) -> Result<(), Invalid> {
        let (name, bytes) = (&self.names[index], self.sizes[index]);
        let failed = |error: &dyn std::fmt::Display| {
            let remedy = "try again while no other process changes the folder";
            Invalid::new(format!("{name} cannot be read: {error}"), remedy)
        };
        let (file, _) = open_without_links(&self.root.join(name)).map_err(|error| failed(&error))?;
        let copied = std::io::copy(&mut file.take(bytes + 1), to).map_err(|error| failed(&error))?;
        if copied == bytes { Ok(()) } else { Err(failed(&"its size has changed")) }
    }
}
