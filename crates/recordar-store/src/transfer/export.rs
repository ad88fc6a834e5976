//! Export: reads pages from one snapshot of the database, so that any number of rows takes little memory.

use super::tables::{Holds, TABLES, Table};
use super::{DoneLine, EndLine, FORMAT, Header, HideValue, REDACTED_FORMAT, Scope, SpaceLine};
use crate::database::Store;
use crate::driver::Mode;
use crate::error::Error;
use crate::migrate::LATEST_SCHEMA;
use crate::table::{SpaceRow, VocabularyAction, VocabularyChange, history_lines};
use crate::transaction::Reading;
use crate::value::{Row, Value};
use recordar_domain::{Digest, Hasher, SpaceName};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExportedSpace {
    /// Empty if the space was forgotten: then its row is exported without a name.
    pub space: String,
    pub rows: u64,
    /// The same for the same rows, in any store.
    pub sha256: Digest,
}

/// The number of rows read at once. A row can have more than a megabyte.
const PAGE: usize = 64;

impl Store {
    /// Writes a snapshot of some spaces, or of all of them including the remains of forgotten ones.
    pub fn export(&self, spaces: Option<&[SpaceName]>, out: &mut dyn Write) -> Result<Vec<ExportedSpace>, Error> {
        self.export_hiding(spaces, None, out)
    }

    /// The same, with every text passed through `hide`, if given: such a file cannot be imported.
    pub fn export_hiding(
        &self,
        spaces: Option<&[SpaceName]>,
        mut hide: Option<&mut HideValue<'_>>,
        out: &mut dyn Write,
    ) -> Result<Vec<ExportedSpace>, Error> {
        self.run_once(Mode::Read, |connection| {
            let reading = &mut Reading::cancelled_by(connection, self.cancel());
            let rows = match spaces {
                None => reading.all_spaces()?,
                Some(names) => {
                    let row =
                        |name: &SpaceName| reading.space(name)?.ok_or_else(|| Error::absent(format!("space {name}")));
                    names.iter().map(row).collect::<Result<Vec<_>, _>>()?
                }
            };
            let scope = if spaces.is_some() { Scope::Spaces } else { Scope::Store };
            let format = if hide.is_some() { REDACTED_FORMAT } else { FORMAT };
            let vocabularies = history_lines(used_vocabularies(reading, &rows, scope)?);
            write_line(out, &Header { recordar_export: format, schema: LATEST_SCHEMA, scope, vocabularies })?;
            let mut exported = Vec::with_capacity(rows.len());
            for space in &rows {
                exported.push(export_space(reading, space, hide.as_deref_mut(), out)?);
            }
            write_line(out, &serde_json::json!({ "done": DoneLine { spaces: exported.len() } }))?;
            out.flush().map_err(|error| unwritable(&error))?;
            Ok((exported, false))
        })
    }
}

/// The history of the vocabulary; of single spaces only the versions that their labels name, without suggestions that others made.
fn used_vocabularies(
    reading: &mut Reading<'_>,
    spaces: &[SpaceRow],
    scope: Scope,
) -> Result<Vec<VocabularyChange>, Error> {
    let history = reading.vocabulary_history()?;
    if scope == Scope::Store || history.is_empty() {
        return Ok(history);
    }
    let mut used: BTreeSet<String> = BTreeSet::new();
    for space in spaces {
        let sql = "SELECT DISTINCT vocabulary_version FROM labels WHERE space_id = ?";
        for row in reading.query(sql, &[space.id.into()])? {
            used.insert(row.text(0)?);
        }
    }
    let plain = |change: VocabularyChange| VocabularyChange {
        action: VocabularyAction::Foreign,
        term: None,
        undoes: None,
        is_pending: false,
        ..change
    };
    Ok(history.into_iter().filter(|change| used.remove(change.vocabulary.version())).map(plain).collect())
}

/// The lines of one space.
pub(super) fn export_space(
    reading: &mut Reading<'_>,
    space: &SpaceRow,
    mut hide: Option<&mut HideValue<'_>>,
    out: &mut dyn Write,
) -> Result<ExportedSpace, Error> {
    let mut lines = Lines { out, hasher: Hasher::default(), rows: 0 };
    let line = SpaceLine {
        name: space.name.clone(),
        name_hash: reading.name_digest(space.id)?,
        next_id: space.next_id,
        revision: space.revision,
        recorded_at: space.recorded_at.as_micros(),
        created_at: space.created_at.as_micros(),
    };
    lines.write(space_line(&line))?;
    for table in &TABLES {
        let mut last: Option<Vec<Value>> = None;
        loop {
            let page = page(reading, space, table, last.as_deref())?;
            let is_last = page.len() < PAGE;
            last = page.last().map(|Row(values)| values[..table.key].to_vec());
            for Row(mut values) in page.into_iter().filter(|Row(values)| !is_left_over(table, values)) {
                if let Some(hide) = &mut hide {
                    hide_row(table, &mut values, *hide)?;
                }
                lines.write(row_line(table, &values))?;
                lines.rows += 1;
            }
            if is_last {
                break;
            }
        }
    }
    let Lines { out, hasher, rows } = lines;
    let sha256 = hasher.finish();
    write_line(out, &serde_json::json!({ "end": EndLine { rows, sha256 } }))?;
    Ok(ExportedSpace { space: space.name.clone(), rows, sha256 })
}

/// Hides the texts of a row, and with them the hashes of those that changed: a short text can be found by its hash.
fn hide_row(table: &Table, values: &mut [Value], hide: &mut HideValue<'_>) -> Result<(), Error> {
    let mut changed: BTreeMap<&str, Digest> = BTreeMap::new();
    for (column, value) in table.columns.iter().zip(values.iter_mut()) {
        if let (Holds::Bytes(_), Value::Bytes(bytes)) = (column.holds, &mut *value) {
            hide_bytes(bytes, hide)?;
        }
        let Value::Text(text) = value else { continue };
        let parsed = (column.holds == Holds::Json).then(|| serde_json::from_str(text).ok()).flatten();
        let is_json = parsed.is_some();
        let mut json = parsed.unwrap_or_else(|| serde_json::Value::String(text.clone()));
        let before = json.clone();
        hide(&mut json)?;
        if json != before {
            *text = if is_json { json.to_string() } else { json.as_str().unwrap_or_default().to_owned() };
            changed.insert(column.name, Digest::of(&*text));
        }
    }
    for (column, value) in table.columns.iter().zip(values) {
        if let Holds::HashOf(name) = column.holds
            && let Some(digest) = changed.get(name)
        {
            *value = Value::Bytes(digest.0.to_vec());
        }
        // A fact's hashes are of its subject and attribute as they are compared.
        let is_of_hidden =
            table.name == "facts" && ["subject", "attribute"].iter().any(|name| changed.contains_key(name));
        let is_of_words = table.name == "fact_words" && column.name == "words_hash" && *value != Value::Null;
        if is_of_words || is_of_hidden && ["key_hash", "subject_hash"].contains(&column.name) {
            *value = Value::Bytes(Digest::of("").0.to_vec());
        }
    }
    Ok(())
}

/// Text is hidden as elsewhere. Whatever a program has written otherwise cannot be looked through, and is left out.
fn hide_bytes(bytes: &mut Vec<u8>, hide: &mut HideValue<'_>) -> Result<(), Error> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        bytes.clear();
        return Ok(());
    };
    let mut json = serde_json::Value::String(text.to_owned());
    hide(&mut json)?;
    *bytes = json.as_str().unwrap_or_default().as_bytes().to_vec();
    Ok(())
}

/// A completed operation without a revision, from before the space was forgotten and imported again: it concerns only this store. And the words
/// that an import takes again of what it stores.
fn is_left_over(table: &Table, values: &[Value]) -> bool {
    let of =
        |name: &str| table.columns.iter().zip(values).find(|(column, _)| column.name == name).map(|(_, value)| value);
    match table.name {
        "operations" => of("revision") == Some(&Value::Null) && of("state") == Some(&Value::Int(1)),
        "fact_words" => of("confirmed") == Some(&Value::Int(0)),
        _ => false,
    }
}

struct Lines<'a> {
    out: &'a mut dyn Write,
    hasher: Hasher,
    rows: u64,
}

impl Lines<'_> {
    fn write(&mut self, mut line: Vec<u8>) -> Result<(), Error> {
        self.hasher = std::mem::take(&mut self.hasher).field(&line);
        line.push(b'\n');
        self.out.write_all(&line).map_err(|error| unwritable(&error))
    }
}

/// The next rows of a table, in the order of its key.
fn page(reading: &mut Reading<'_>, space: &SpaceRow, table: &Table, last: Option<&[Value]>) -> Result<Vec<Row>, Error> {
    let columns = table.names();
    let key = &columns[..table.key];
    let mut values: Vec<Value> = vec![space.id.into()];
    // (a > ?) OR (a = ? AND b > ?) …: all three databases use the index for this.
    let beyond = last.map(|last| {
        let after = |at: usize| {
            let equal = key[..at].iter().map(|column| format!("{column} = ? AND "));
            format!("({}{} > ?)", equal.collect::<String>(), key[at])
        };
        (0..key.len()).for_each(|at| values.extend_from_slice(&last[..=at]));
        format!(" AND ({})", (0..key.len()).map(after).collect::<Vec<_>>().join(" OR "))
    });
    let sql = format!(
        "SELECT {} FROM {} WHERE space_id = ?{} ORDER BY {} LIMIT {PAGE}",
        columns.join(", "),
        table.name,
        beyond.unwrap_or_default(),
        key.join(", "),
    );
    reading.query(&sql, &values)
}

/// A space's own row as a line, in canonical form.
pub(super) fn space_line(space: &SpaceLine) -> Vec<u8> {
    let SpaceLine { name, name_hash, next_id, revision, recorded_at, created_at } = space;
    let mut line = format!("{{\"space\":{{\"created_at\":{created_at},\"name\":").into_bytes();
    line.extend_from_slice(&to_json(name));
    let rest = format!(
        ",\"name_hash\":\"{name_hash}\",\"next_id\":{next_id},\"recorded_at\":{recorded_at},\"revision\":{revision}}}}}"
    );
    line.extend_from_slice(rest.as_bytes());
    line
}

/// `{"threads":{"thread_id":1,…}}`: columns in the order of the table, so that the same rows give the same bytes.
pub(super) fn row_line(table: &Table, values: &[Value]) -> Vec<u8> {
    let mut line = format!("{{\"{}\":{{", table.name).into_bytes();
    let written = table.columns.iter().zip(values).filter(|(column, value)| !column.is_later || **value != Value::Null);
    for (place, (column, value)) in written.enumerate() {
        let comma = if place == 0 { "" } else { "," };
        line.extend_from_slice(format!("{comma}\"{}\":", column.name).as_bytes());
        match value {
            Value::Null => line.extend_from_slice(b"null"),
            Value::Int(number) => line.extend_from_slice(number.to_string().as_bytes()),
            Value::Text(text) => line.extend_from_slice(&to_json(text)),
            Value::Bytes(bytes) => {
                const DIGITS: &[u8; 16] = b"0123456789abcdef";
                let hex = |byte: &u8| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]];
                line.push(b'"');
                line.extend(bytes.iter().flat_map(hex));
                line.push(b'"');
            }
        }
    }
    line.extend_from_slice(b"}}");
    line
}

fn to_json(value: &(impl Serialize + ?Sized)) -> Vec<u8> {
    serde_json::to_vec(value).unwrap_or_default()
}

fn write_line(out: &mut dyn Write, value: &impl Serialize) -> Result<(), Error> {
    let mut line = to_json(value);
    line.push(b'\n');
    out.write_all(&line).map_err(|error| unwritable(&error))
}

fn unwritable(error: &std::io::Error) -> Error {
    Error::Stream {
        what: format!("the export cannot be written: {error}"),
        remedy: "check the path, its permissions and the free disk space, then export again".to_owned(),
    }
}
