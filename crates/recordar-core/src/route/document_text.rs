//! The text of a version of a document, from its chunks.

use recordar_domain::Digest;
use recordar_store::{ChunkRow, Error as StoreError, VersionRow};

/// The text, and whether it is that of its sha256. An error if it is not, and nothing of it was forgotten.
pub fn version_text(path: &str, version: &VersionRow, chunks: &[ChunkRow]) -> Result<(String, bool), StoreError> {
    let text: String = chunks.iter().map(|chunk| &chunk.text[chunk.overlap..]).collect();
    let is_verified = Digest::of(&text) == version.sha256;
    if !is_verified && version.forgotten == 0 {
        let what = format!("version {} of {path} is damaged: its sha256 does not match", version.number);
        return Err(StoreError::Corrupt { what });
    }
    Ok((text, is_verified))
}
