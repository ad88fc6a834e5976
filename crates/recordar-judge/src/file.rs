//! Files from outside, read within limits.

use crate::error::JudgeError;
use std::io::Read;
use std::path::Path;

/// Reads a file that must not be larger than `limit`. Memory grows with what is read, not with what is claimed.
pub(crate) fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>, JudgeError> {
    let failed =
        |error: std::io::Error| JudgeError::file(path, error.to_string(), "check the path and its permissions");
    let large = || {
        let problem = format!("it has more than {limit} bytes, which is the limit");
        JudgeError::file(path, problem, "use a smaller model")
    };
    let file = std::fs::File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.len() > limit {
        return Err(large());
    }
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limit { Err(large()) } else { Ok(bytes) }
}
