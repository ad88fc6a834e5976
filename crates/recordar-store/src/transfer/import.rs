//! Import: every line is checked as outside data, and the whole file is committed, or nothing.

use super::export::{export_space, space_line};
use super::rows::{Rows, is_time};
use super::{DoneLine, EndLine, FORMAT, Header, REDACTED_FORMAT, Scope, SourcesOf, SpaceLine, refuse};
use crate::database::Store;
use crate::driver::{Connection, Mode};
use crate::error::Error;
use crate::failure::FailureKind;
use crate::migrate::LATEST_SCHEMA;
use crate::table::{ChangeLine, delete_rows, import_history, lock_space_row};
use crate::transaction::Reading;
use crate::value::Value;
use recordar_domain::{Digest, Hasher, Invalid, SpaceName, Timestamp};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use std::io::{BufRead, Read};

/// What happens to the existing spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replace {
    /// They stay. A space that is also in the file must be identical.
    Nothing,
    /// They are removed: afterwards the store contains only the content of the file.
    Everything,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ImportedSpace {
    pub space: String,
    pub rows: u64,
    pub sha256: Digest,
    /// It was already here with the same rows, and nothing was written.
    pub known: bool,
}

/// A text of 1 MiB, every byte of it escaped, and the other columns.
const MAX_LINE_BYTES: u64 = 16 * 1024 * 1024;

/// What only the caller knows about the file's content.
pub struct Expectations<'a> {
    /// The only space that may be in the file.
    pub space: Option<&'a SpaceName>,
    /// Returns the items that the body of a receipt names, by the digests of their spaces' names, or an error.
    pub sources_of: &'a SourcesOf,
    /// Whether versions of the vocabulary that are not here yet are taken over: they are for every space.
    pub adds_vocabularies: bool,
}

impl Store {
    /// Imports an export in one transaction.
    pub fn import(
        &self,
        file: &mut dyn BufRead,
        replace: Replace,
        expected: &Expectations<'_>,
    ) -> Result<Vec<ImportedSpace>, Error> {
        let mut lines = Lines { file, line: Vec::new(), number: 0, hasher: Hasher::default() };
        // Before the transaction begins: an invalid file must not block others.
        let vocabularies = check_header(&mut lines, replace).map_err(|error| at_line(error, lines.number))?;
        self.run_once(Mode::Write, |connection| {
            let (replaces, adds) = (replace == Replace::Everything, expected.adds_vocabularies);
            import_history(connection, &vocabularies, replaces, adds).map_err(|error| at_line(error, lines.number))?;
            let imported = self
                .import_spaces(connection, &mut lines, replace, expected)
                .map_err(|error| at_line(error, lines.number))?;
            let is_new = imported.iter().any(|space| !space.known);
            let named = imported.into_iter().filter(|space| !space.space.is_empty()).collect();
            Ok((named, is_new || replace == Replace::Everything))
        })
    }

    fn import_spaces(
        &self,
        connection: &mut Connection,
        lines: &mut Lines<'_>,
        replace: Replace,
        expected: &Expectations<'_>,
    ) -> Result<Vec<ImportedSpace>, Error> {
        // Creating a space locks this row, too, so no spaces are added from now on.
        connection.execute("UPDATE store SET next_space_id = next_space_id WHERE id = 1", &[])?;
        if replace == Replace::Everything {
            empty_all(connection)?;
        }
        let mut imported: Vec<ImportedSpace> = Vec::new();
        let mut hashes: BTreeSet<Digest> = BTreeSet::new();
        loop {
            lines.read()?;
            match lines.parse_line()? {
                Line::Space(space) => {
                    if !hashes.insert(space.name_hash) {
                        return Err(refuse(format!("space {} appears twice", space.name)));
                    }
                    if let Some(expected) = expected.space.filter(|expected| expected.as_str() != space.name) {
                        let what = format!("the file contains space {}, not {expected}", space.name);
                        let remedy = format!("import it into {}: spaces of an export keep their names", space.name);
                        return Err(Invalid::new(what, remedy).into());
                    }
                    imported.push(self.import_space(connection, lines, space, replace, expected)?);
                }
                Line::Done(DoneLine { spaces }) if spaces == imported.len() => break,
                _ => return Err(refuse("expected a space or the last line")),
            }
        }
        lines.end()?;
        Ok(imported)
    }

    fn import_space(
        &self,
        connection: &mut Connection,
        lines: &mut Lines<'_>,
        space: SpaceLine,
        replace: Replace,
        expected: &Expectations<'_>,
    ) -> Result<ImportedSpace, Error> {
        check_space(&space)?;
        if space_line(&space) != lines.line {
            return Err(refuse(format!("the row of space {} is not in the format of an export", space.name)));
        }
        let name = space.name.clone();
        let (here, is_new) = lock_space_row(connection, space.name_hash, Timestamp::from_micros(space.created_at))?;
        // The rows that are here must be the same. A space forgotten elsewhere changes nothing here.
        let known = if !here.name.is_empty() && !name.is_empty() {
            let reading = &mut Reading::cancelled_by(connection, self.cancel());
            Some(export_space(reading, &here, None, &mut std::io::sink())?.sha256)
        } else {
            None
        };
        let is_skipped = name.is_empty() && !is_new && replace == Replace::Nothing;
        let is_written = known.is_none() && !is_skipped;
        if is_written && !is_new {
            empty_space(connection, here.id.into(), here.incarnation, Operations::Kept)?;
        }
        let mut rows = Rows::new(&space, here.id.into(), is_written, expected.sources_of);
        lines.begin_hash();
        let end = loop {
            lines.read()?;
            match lines.parse_line()? {
                Line::End(end) => break end,
                Line::Row(table, row) => rows.take(connection, &table, row, &lines.line)?,
                _ => return Err(refuse(format!("the end of space {name} is missing"))),
            }
            lines.hash();
            self.check_cancelled()?;
        };
        rows.finish(connection)?;
        if end.rows != rows.count || end.sha256 != lines.take_hash() {
            return Err(refuse(format!(
                "space {name} was changed or truncated: the sha256 of its lines does not match"
            )));
        }
        if known.is_some_and(|here| here != end.sha256) {
            return Err(name_taken(&name));
        }
        if is_written {
            let incarnation = if is_new { here.incarnation } else { here.incarnation + 2 };
            write_space_row(connection, here.id.into(), incarnation, &space)?;
        }
        Ok(ImportedSpace { space: name, rows: rows.count, sha256: end.sha256, known: !is_written })
    }
}

fn check_header(lines: &mut Lines<'_>, replace: Replace) -> Result<Vec<ChangeLine>, Error> {
    lines.read()?;
    let Header { recordar_export, schema, scope, vocabularies } = lines.parse()?;
    if recordar_export == REDACTED_FORMAT {
        let what = "the file is a redacted export, which cannot be imported";
        return Err(Invalid::new(what, "export without --redact (redact=True), and import that file").into());
    }
    if recordar_export != FORMAT || schema > LATEST_SCHEMA {
        return Err(refuse(format!(
            "it has format {recordar_export} and schema {schema}; this program supports format {FORMAT} and schemas up to {LATEST_SCHEMA}"
        )));
    }
    if replace == Replace::Everything && scope == Scope::Spaces {
        let what = "the file is an export of single spaces; restoring it would delete all others";
        return Err(Invalid::new(what, "use `recordar import`, or a file written by `recordar backup`").into());
    }
    Ok(vocabularies)
}

/// Empties every space after locking its row: current writers have finished, and later ones wait.
fn empty_all(connection: &mut Connection) -> Result<(), Error> {
    let mut hashes: Vec<Digest> = Vec::new();
    for row in connection.query("SELECT name_hash FROM spaces", &[])? {
        hashes.push(row.digest(0)?);
    }
    // In the lock order of other transactions.
    hashes.sort_unstable();
    for hash in hashes {
        let (space, _) = lock_space_row(connection, hash, Timestamp::from_micros(0))?;
        empty_space(connection, space.id.into(), space.incarnation, Operations::Gone)?;
    }
    Ok(())
}

/// What happens to the hashes of operations that a forgotten space keeps.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operations {
    Gone,
    /// A late retry must not bring back what it once wrote. They are not revisions of the imported content.
    Kept,
}

/// Removes the rest of a space. Its row loses its name and gets a higher incarnation, so that no index or cache of another
/// process keeps using it.
fn empty_space(connection: &mut Connection, id: Value, incarnation: i64, operations: Operations) -> Result<(), Error> {
    match operations {
        Operations::Gone => delete_rows(connection, &id, &[])?,
        Operations::Kept => {
            delete_rows(connection, &id, &["operations"])?;
            let sql = "UPDATE operations SET revision = NULL WHERE space_id = ?";
            connection.execute(sql, std::slice::from_ref(&id))?;
        }
    }
    let sql = "UPDATE spaces SET name = '', incarnation = ? WHERE space_id = ?";
    connection.execute(sql, &[Value::Int(incarnation + 1), id])?;
    Ok(())
}

/// Writes the row of an imported space.
fn write_space_row(connection: &mut Connection, id: Value, incarnation: i64, space: &SpaceLine) -> Result<(), Error> {
    let values = [
        space.name.as_str().into(),
        incarnation.into(),
        space.next_id.into(),
        space.revision.into(),
        space.recorded_at.into(),
        space.created_at.into(),
        id,
    ];
    let sql = "UPDATE spaces SET name = ?, incarnation = ?, next_id = ?, revision = ?, recorded_at = ?, created_at = ? \
         WHERE space_id = ?";
    connection.execute(sql, &values)?;
    Ok(())
}

fn check_space(space: &SpaceLine) -> Result<(), Error> {
    let is_named = !space.name.is_empty();
    if is_named && SpaceName::parse(&space.name)?.digest() != space.name_hash {
        return Err(refuse(format!("the hash of {} does not match", space.name)));
    }
    // An index uses 32 bits, and there must be room for later writes.
    let most = i64::from(u32::MAX / 2);
    let counts = (1..=most).contains(&space.next_id) && (0..=most).contains(&space.revision);
    if !counts || !is_time(space.recorded_at) || !is_time(space.created_at) {
        return Err(refuse(format!("the counters or times of space {} are out of range", space.name)));
    }
    Ok(())
}

enum Line {
    Space(SpaceLine),
    Row(String, serde_json::Map<String, serde_json::Value>),
    End(EndLine),
    Done(DoneLine),
}

struct Lines<'a> {
    file: &'a mut dyn BufRead,
    line: Vec<u8>,
    number: u64,
    hasher: Hasher,
}

impl Lines<'_> {
    fn read(&mut self) -> Result<(), Error> {
        self.line.clear();
        self.number += 1;
        let mut limited = (&mut *self.file).take(MAX_LINE_BYTES);
        limited.read_until(b'\n', &mut self.line).map_err(|error| Error::Stream {
            what: format!("the file cannot be read: {error}"),
            remedy: "check the path and its permissions".to_owned(),
        })?;
        if self.line.is_empty() {
            return Err(refuse("unexpected end of file"));
        }
        if self.line.pop_if(|byte| *byte == b'\n').is_none() {
            return Err(refuse("the line is truncated or too long"));
        }
        Ok(())
    }

    fn parse<T: DeserializeOwned>(&self) -> Result<T, Error> {
        serde_json::from_slice(&self.line).map_err(|error| refuse(format!("this is not a line of an export: {error}")))
    }

    fn parse_line(&self) -> Result<Line, Error> {
        let object: serde_json::Map<String, serde_json::Value> = self.parse()?;
        let mut entries = object.into_iter();
        let (Some((key, value)), None) = (entries.next(), entries.next()) else {
            return Err(refuse("this is not a line of an export: expected one key"));
        };
        let unreadable = |error: serde_json::Error| refuse(format!("{key} cannot be read: {error}"));
        Ok(match key.as_str() {
            "space" => Line::Space(serde_json::from_value(value).map_err(unreadable)?),
            "end" => Line::End(serde_json::from_value(value).map_err(unreadable)?),
            "done" => Line::Done(serde_json::from_value(value).map_err(unreadable)?),
            _ => match value {
                serde_json::Value::Object(row) => Line::Row(key, row),
                _ => return Err(refuse(format!("{key} is not a row"))),
            },
        })
    }

    /// Starts with the line that was read last.
    fn begin_hash(&mut self) {
        self.hasher = Hasher::default();
        self.hash();
    }

    fn hash(&mut self) {
        self.hasher = std::mem::take(&mut self.hasher).field(&self.line);
    }

    fn take_hash(&mut self) -> Digest {
        std::mem::take(&mut self.hasher).finish()
    }

    fn end(&mut self) -> Result<(), Error> {
        let mut rest = Vec::new();
        let read = (&mut *self.file).take(1024).read_to_end(&mut rest);
        if read.is_ok() && rest.trim_ascii().is_empty() {
            return Ok(());
        }
        self.number += 1;
        Err(refuse("unexpected data after the last line"))
    }
}

fn name_taken(name: &str) -> Error {
    Invalid::new(
        format!("space {name} already exists and differs from the one in the file"),
        "import it into another database, or remove the space here first",
    )
    .into()
}

/// Adds the line number, and that nothing was imported.
fn at_line(error: Error, line: u64) -> Error {
    match error {
        Error::Invalid(Invalid { what, remedy }) => {
            Invalid::new(format!("line {line}: {what}; nothing was imported"), remedy).into()
        }
        Error::Failed(failure) if failure.kind == FailureKind::Constraint => {
            at_line(refuse("its rows contradict each other"), line)
        }
        other => other,
    }
}
