//! Files that travel with a call, in place of files of the machine that runs it.

use recordar_core::error::Error;
use recordar_core::noun::upload::Upload;
use recordar_domain::Invalid;
use std::io::Write;

/// The files that a caller sends, or where it takes one.
pub enum Carried<'a> {
    Uploads(Vec<Upload>),
    Download(&'a mut dyn Write),
}

impl Carried<'_> {
    /// The one file that was sent.
    pub(crate) fn only_upload(self, verb: &str) -> Result<Upload, Error> {
        let Self::Uploads(uploads) = self else { return Err(Self::unexpected(verb)) };
        let [upload] = <[Upload; 1]>::try_from(uploads).map_err(|uploads| {
            Invalid::new(format!("{verb} reads one file, and {} were sent", uploads.len()), "send one file")
        })?;
        Ok(upload)
    }

    /// The error of a verb that cannot use what came with its call.
    pub(crate) fn unexpected(verb: &str) -> Error {
        Invalid::new(format!("{verb} cannot use the files of this call"), "send the file that it reads").into()
    }
}
