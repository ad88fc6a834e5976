//! A ZIP archive as a set of files. It comes from outside, so everything it says of itself is checked: how many files it has,
//! how large they become, and by how much they are compressed.

use crate::files::Files;
use crate::pieces::Source;
use recordar_domain::Invalid;
use std::io::{Read, Seek, SeekFrom, Write};
use zip::ZipArchive;
use zip::result::ZipError;

pub struct Archive<'a> {
    archive: ZipArchive<Bytes<'a>>,
    name: &'a str,
    names: Vec<String>,
    /// For each name its number in the archive.
    numbers: Vec<usize>,
}

const MAX_ENTRIES: usize = 200_000;
/// Text is seldom compressed to less than a thirtieth of its size. Deflate can reach a thousandth.
const MAX_RATIO: u64 = 250;
/// Smaller files do no harm, and a file of blanks is compressed well.
const UNCHECKED_BYTES: u64 = 4 * 1024 * 1024;
const BUFFER_BYTES: usize = 64 * 1024;

impl<'a> Archive<'a> {
    /// Whether a file begins as an archive does.
    pub fn is_one(source: &dyn Source) -> bool {
        let mut mark = [0; 4];
        source.bytes() >= 4 && source.read_at(0, &mut mark).is_ok() && matches!(&mark, b"PK\x03\x04" | b"PK\x05\x06")
    }

    pub fn open(source: &'a dyn Source, name: &'a str) -> Result<Self, Invalid> {
        let archive = ZipArchive::new(Bytes { source, at: 0 }).map_err(|error| refused(name, &error))?;
        if archive.len() > MAX_ENTRIES {
            let what = format!("{name} holds more than {MAX_ENTRIES} files");
            return Err(Invalid::new(what, "unpack it, and import what you need of it"));
        }
        let (mut names, mut numbers) = (Vec::new(), Vec::new());
        for number in 0..archive.len() {
            let entry = archive.by_index_data(number).map_err(|error| refused(name, &error))?;
            // A name that is not text is of no file that is looked for.
            if let (true, Ok(path)) = (entry.is_file(), entry.name()) {
                names.push(path.into_owned());
                numbers.push(number);
            }
        }
        Ok(Self { archive, name, names, numbers })
    }

    fn describe(&self, index: usize) -> String {
        format!("{} in {}", self.names.get(index).map_or("a file", String::as_str), self.name)
    }
}

impl Files for Archive<'_> {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn bytes(&self, index: usize) -> Result<u64, Invalid> {
        let entry = self.archive.by_index_data(self.numbers[index]).map_err(|error| refused(self.name, &error))?;
        let (bytes, packed) = (entry.size(), entry.compressed_size());
        if entry.encrypted() {
            let what = format!("{} is encrypted", self.describe(index));
            return Err(Invalid::new(what, "unpack it with its password, and import the folder"));
        }
        if bytes > UNCHECKED_BYTES && bytes / MAX_RATIO > packed {
            let what = format!(
                "{} says that it unpacks to {bytes} bytes from {packed}, which no text does",
                self.describe(index)
            );
            return Err(Invalid::new(what, "if you trust the file, unpack it and import the folder"));
        }
        Ok(bytes)
    }

    fn copy(&self, index: usize, to: &mut dyn Write) -> Result<(), Invalid> {
        let most = self.bytes(index)?;
        let damaged = |error: &dyn std::fmt::Display| {
            let what = format!("{} cannot be unpacked: {error}", self.describe(index));
            Invalid::new(what, "download the export again")
        };
        let mut archive = self.archive.clone();
        let mut file = archive.by_index(self.numbers[index]).map_err(|error| damaged(&error))?;
        let (mut buffer, mut read) = (vec![0; BUFFER_BYTES], 0_u64);
        loop {
            let length = file.read(&mut buffer).map_err(|error| damaged(&error))?;
            if length == 0 {
                break;
            }
            read += length as u64;
            if read > most {
                return Err(damaged(&"it is larger than the archive says"));
            }
            to.write_all(&buffer[..length]).map_err(|error| damaged(&error))?;
        }
        if read < most { Err(damaged(&"it is smaller than the archive says")) } else { Ok(()) }
    }
}

fn refused(name: &str, error: &ZipError) -> Invalid {
    Invalid::new(
        format!("{name} is not a ZIP archive that can be read: {error}"),
        "download the export again, or unpack it and import the folder",
    )
}

/// A source, read from a place that moves.
#[derive(Clone)]
struct Bytes<'a> {
    source: &'a dyn Source,
    at: u64,
}

impl Read for Bytes<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.source.bytes().saturating_sub(self.at).min(buffer.len() as u64) as usize;
        self.source.read_at(self.at, &mut buffer[..length])?;
        self.at += length as u64;
        Ok(length)
    }
}

impl Seek for Bytes<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(back) => self.source.bytes().checked_add_signed(back),
            SeekFrom::Current(further) => self.at.checked_add_signed(further),
        };
        self.at = at.ok_or(std::io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
