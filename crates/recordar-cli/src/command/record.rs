//! `recordar record`: values that applications keep in buckets.

use super::read_stdin;
use crate::arguments::{Session, Spec};
use crate::outcome::Outcome;
use crate::output::plural;
use recordar::record::{BucketView, RecordView};
use recordar::verb::verbs;
use recordar::{Error, Invalid};
use serde_json::json;

/// The most that is read from standard input; the engine has a lower limit.
const MAX_BYTES: u64 = 32 * 1024 * 1024;

pub(crate) const PUT: Spec = Spec::verb::<verbs::PutRecords>(&["record", "put"], put)
    .about("Store a record: a named value of an application. It is never searched or recalled")
    .positional(&["bucket", "key", "text"])
    .hidden(&["records", "delete"])
    .definition("RecordInput")
    .described(&[("text", "The value, or - to read it from standard input; or use --base64")]);
pub(crate) const GET: Spec = Spec::verb::<verbs::Records>(&["record", "get"], get)
    .about("Show the values of records")
    .positional(&["bucket", "keys"])
    .hidden(&["below", "prefix", "order", "reverse", "values", "offset", "limit"]);
pub(crate) const LIST: Spec = Spec::verb::<verbs::Records>(&["record", "list"], list)
    .about("List records of a bucket, page by page")
    .positional(&["bucket"]);
pub(crate) const BUCKETS: Spec = Spec::verb::<verbs::Buckets>(&["record", "buckets"], buckets);
pub(crate) const DELETE: Spec =
    Spec::verb::<verbs::DeleteRecords>(&["record", "delete"], delete).positional(&["bucket"]);

fn put(session: &Session<'_>) -> Result<Outcome, Error> {
    let mut record = session.arguments()?;
    let operation = record.remove_entry("operation");
    for name in ["bucket", "key"] {
        if !record.contains_key(name) {
            return Err(Invalid::new(format!("no {name} was given"), "see recordar record put --help").into());
        }
    }
    if record.get("text").is_some_and(|text| text == "-") {
        let text = String::from_utf8(read_stdin(MAX_BYTES)?)
            .map_err(|_| Invalid::new("standard input is not valid UTF-8", "encode it, and use --base64"))?;
        record.insert("text".to_owned(), json!(text));
    }
    let arguments = std::iter::once(("records".to_owned(), json!([record]))).chain(operation).collect();
    let report = session.call::<verbs::PutRecords>(arguments)?;
    session.output.result(&report, |output| {
        let what = if report.stored == 0 { "unchanged" } else { "stored" };
        output.line(&format!("{what} in {}", report.space));
    });
    Ok(Outcome::Done)
}

fn get(session: &Session<'_>) -> Result<Outcome, Error> {
    let list = session.call::<verbs::Records>(session.arguments()?)?;
    if list.records.is_empty() {
        let remedy = "`recordar record list` shows those of a bucket";
        return Err(Error::input("not_found", "there is no such record", remedy));
    }
    session.output.result(&list, |output| {
        for record in &list.records {
            output.line(record.text.as_deref().or(record.base64.as_deref()).unwrap_or_default());
        }
        if list.records.iter().any(|record| record.text.is_none()) {
            output.hint("values that are not text are shown as base64");
        }
    });
    Ok(Outcome::Done)
}

fn list(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::Records>(|list, output| {
        let row = |record: &RecordView| {
            vec![
                record.bucket.clone(),
                record.key.clone(),
                record.size.to_string(),
                record.recorded_at.to_string(),
                record.text.as_deref().unwrap_or_default().chars().take(40).collect(),
            ]
        };
        output.table(&["bucket", "key", "size", "recorded", "value"], list.records.iter().map(row));
        if let Some(next) = list.next {
            output.hint(&format!("there are more: --offset {next}"));
        }
    })
}

fn buckets(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::Buckets>(|list, output| {
        let row = |bucket: &BucketView| vec![bucket.bucket.clone(), bucket.records.to_string()];
        output.table(&["bucket", "records"], list.buckets.iter().map(row));
        if let Some(next) = list.next {
            output.hint(&format!("there are more: --offset {next}"));
        }
    })
}

fn delete(session: &Session<'_>) -> Result<Outcome, Error> {
    session.print::<verbs::DeleteRecords>(|report, output| {
        output.line(&format!("deleted {} from {}", plural(report.deleted as u64, "record"), report.space));
    })
}
