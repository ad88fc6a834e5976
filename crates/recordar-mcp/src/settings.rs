//! The settings of a server.

use recordar::SpaceName;

/// The settings that a server is started with.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The space that it reads and writes.
    pub space: SpaceName,
    /// Other spaces that it reads.
    pub also: Vec<SpaceName>,
    /// Whether it is read-only.
    pub read_only: bool,
}
