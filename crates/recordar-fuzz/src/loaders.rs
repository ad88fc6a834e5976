//! Files of all formats: whatever the bytes are, a loader ends in a bounded text, or in a reason.

use crate::contract::{assert_told, choice};
use recordar_domain::FileType;
use recordar_domain::text::Structure;
use recordar_load::load;

const LIMIT: u64 = 256 * 1024;

fn check(bytes: &[u8], file_type: FileType) {
    let loaded = match load(bytes.to_vec(), file_type, LIMIT) {
        Ok(loaded) => loaded,
        Err(refused) => return assert_told(&refused.0.what, &refused.0.remedy),
    };
    assert!(loaded.text.len() as u64 <= LIMIT && !loaded.text.contains('\0') && !loaded.text.trim().is_empty());
    loaded.notes.iter().for_each(|note| assert_told(&note.what, &note.remedy));
    for (name, value) in &loaded.description {
        assert!(
            !value.is_empty() && !value.contains(['\n', '\0']) && value.chars().count() <= 501,
            "{name}: {value:?}"
        );
    }
    let again = load(bytes.to_vec(), file_type, LIMIT).ok();
    assert_eq!(again.as_ref(), Some(&loaded), "the same file gives the same text");
    let structure = Structure::of(&loaded.text, file_type).unwrap_or_default();
    for start in structure.sections(&loaded.text).within(0..loaded.text.len()) {
        assert!(loaded.text.is_char_boundary(start.at), "{start:?}");
    }
}

pub(crate) fn pages(input: &[u8]) {
    check(input, FileType::Html);
}

pub(crate) fn notebooks(input: &[u8]) {
    check(input, FileType::Notebook);
}

pub(crate) fn tables(input: &[u8]) {
    check(input, FileType::Csv);
}

pub(crate) fn mails(input: &[u8]) {
    check(input, FileType::Email);
}

pub(crate) fn pdf(input: &[u8]) {
    check(input, FileType::Pdf);
}

/// An archive as it is, or the XML of one: of its text, or of its styles.
pub(crate) fn word_documents(input: &[u8]) {
    let (chosen, bytes) = choice(input);
    match chosen % 3 {
        0 => check(bytes, FileType::Docx),
        1 => check(&stored_archive(&[("word/document.xml", bytes)]), FileType::Docx),
        _ => {
            let text = b"<w:p><w:pStyle w:val='a'/><w:t>lamp</w:t></w:p>";
            check(&stored_archive(&[("word/styles.xml", bytes), ("word/document.xml", text)]), FileType::Docx);
        }
    }
}

/// A zip archive of entries that are not packed.
fn stored_archive(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in entries {
        let size = (bytes.len() as u32).to_le_bytes();
        let length = (name.len() as u16).to_le_bytes();
        directory.extend(
            [b"PK\x01\x02", &[20, 0, 20, 0, 0, 0, 0, 0][..], &[0; 8], &size, &size, &length, &[0; 12]].concat(),
        );
        directory.extend((file.len() as u32).to_le_bytes());
        directory.extend(name.bytes());
        file.extend([b"PK\x03\x04", &[20, 0, 0, 0, 0, 0][..], &[0; 8], &size, &size, &length, &[0, 0]].concat());
        file.extend(name.bytes());
        file.extend(*bytes);
    }
    let (count, at, size) = ((entries.len() as u16).to_le_bytes(), file.len() as u32, directory.len() as u32);
    file.extend(directory);
    file.extend([b"PK\x05\x06", &[0; 4][..], &count, &count, &size.to_le_bytes(), &at.to_le_bytes(), &[0, 0]].concat());
    file
}
