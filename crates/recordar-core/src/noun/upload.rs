//! A file that came with a call.

use std::fs::File;

/// A file that a caller sends.
pub struct Upload {
    /// Its name, such as notes/trip.md: not a path of this machine.
    pub name: String,
    /// What was sent, from its beginning.
    pub file: File,
}
