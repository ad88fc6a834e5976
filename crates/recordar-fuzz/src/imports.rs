//! Imported files: our own exports, exports of other systems, receipts.

use crate::contract::{assert_told, choice};
use crate::desk::{Desk, scratch, with_engine};
use recordar::receipt::ReceiptExport;
use recordar::transfer::{ExportScope, ForeignFormat, ImportFormat, ImportReport, ImportRequest};
use recordar::{OperationId, Recordar, SpaceName};
use recordar_domain::{Digest, Hasher};
use serde_json::json;

/// One of our exports. A refused file leaves nothing behind; an imported one can be exported again, and is the same.
pub(crate) fn exports(input: &[u8]) {
    let (chosen, bytes) = choice(input);
    // The checksum rejects every change. With a corrected one, the checks after it are reached.
    let bytes = if chosen & 1 == 0 { bytes.to_vec() } else { with_checksums(bytes) };
    with_engine(|desk| {
        let before = spaces(&desk.engine);
        match import(desk, &bytes, Some(ImportFormat::Recordar), "first") {
            Ok(report) => {
                let names = report.spaces.iter().map(|space| space_name(&space.space)).collect();
                let mut out = Vec::new();
                let exported = desk.engine.export(&ExportScope::Spaces(names), &mut out);
                let exported =
                    exported.unwrap_or_else(|error| panic!("it was imported, and cannot be exported: {error}"));
                let digests =
                    |spaces: Vec<(String, Digest)>| spaces.into_iter().collect::<std::collections::BTreeMap<_, _>>();
                let there = digests(report.spaces.iter().map(|space| (space.space.clone(), space.sha256)).collect());
                let back = digests(exported.spaces.iter().map(|space| (space.space.clone(), space.sha256)).collect());
                assert_eq!(there, back, "what comes out is what went in");
                desk.clear();
            }
            Err(()) => assert_eq!(spaces(&desk.engine), before, "what was refused left something behind"),
        }
    });
}

/// An export of another system.
pub(crate) fn foreign(input: &[u8]) {
    let (chosen, bytes) = choice(input);
    let format = ForeignFormat::ALL.get(usize::from(chosen & 7)).copied().map(ImportFormat::Foreign);
    with_engine(|desk| {
        let before = spaces(&desk.engine);
        match import(desk, bytes, format, "first") {
            Ok(report) => {
                let taken: usize = report.conversations.iter().map(|conversation| conversation.added).sum();
                assert!(report.conversations.iter().all(|told| told.updated <= told.added), "{report:?}");
                // The same file again adds nothing.
                let again = import(desk, bytes, format, "again").unwrap_or_else(|()| panic!("it was taken in before"));
                let new: usize = again.conversations.iter().map(|conversation| conversation.added).sum();
                assert!(taken == 0 || new == 0, "{new} of {taken} are taken in twice");
                desk.clear();
            }
            Err(()) => assert_eq!(spaces(&desk.engine), before, "what was refused left something behind"),
        }
    });
}

/// Exported receipts, one on each line.
pub(crate) fn receipts(input: &[u8]) {
    let (chosen, bytes) = choice(input);
    let mut exports: Vec<ReceiptExport> = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()) {
        let Ok(mut export) = serde_json::from_slice::<ReceiptExport>(line) else { return };
        if chosen & 1 == 1 {
            export.receipt = Digest::of(&export.body).to_string();
        }
        exports.push(export);
    }
    with_engine(|desk| match desk.engine.import_receipts(&exports, &operation(desk, "first")) {
        Ok(report) => {
            assert_eq!(report.imported + report.known, exports.len());
            for export in &exports {
                let why = desk.engine.why(&space_name(&export.space), &export.receipt);
                let why = why.unwrap_or_else(|error| panic!("it was imported, and cannot be shown: {error}"));
                assert!(why.identical, "{:?}", why.differences);
            }
            desk.clear();
        }
        Err(error) => assert_told(&error.to_string(), &error.remedy()),
    });
}

fn import(desk: &Desk, bytes: &[u8], format: Option<ImportFormat>, time: &str) -> Result<ImportReport, ()> {
    let request = ImportRequest {
        format,
        each_user: true,
        thread: None,
        date: None,
        names_space: false,
        operation: operation(desk, time),
    };
    let path = scratch("notes.txt", bytes);
    desk.engine.import_file(&space_name("user:ada"), &path, &request).map_err(|error| {
        assert_told(&error.to_string(), &error.remedy());
    })
}

fn operation(desk: &Desk, time: &str) -> OperationId {
    OperationId::parse(&format!("{time}-{}", desk.uses)).unwrap_or_else(|refused| panic!("{refused}"))
}

fn spaces(engine: &Recordar) -> Vec<String> {
    engine.spaces().unwrap_or_else(|error| panic!("{error}"))
}

fn space_name(name: &str) -> SpaceName {
    SpaceName::parse(name).unwrap_or_else(|refused| panic!("{refused}"))
}

/// Writes the end of every space as an export would.
fn with_checksums(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + 128);
    let (mut hasher, mut rows) = (Hasher::default(), 0_u64);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let body = line.strip_suffix(b"\n").unwrap_or(line);
        if body.starts_with(b"{\"end\"") {
            let sha256 = std::mem::take(&mut hasher).finish();
            out.extend_from_slice(json!({"end": {"rows": rows, "sha256": sha256}}).to_string().as_bytes());
            out.push(b'\n');
            rows = 0;
            continue;
        }
        if body.starts_with(b"{\"space\"") {
            (hasher, rows) = (Hasher::default().field(body), 0);
        } else if !body.starts_with(b"{\"recordar_export\"") {
            (hasher, rows) = (hasher.field(body), rows + 1);
        }
        out.extend_from_slice(line);
    }
    out
}
