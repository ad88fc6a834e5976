//! What a server is told when it is started, and whoever works for it may look at.

use recordar::SpaceName;

/// What a server is started with.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The space that it works in.
    pub space: SpaceName,
    /// Those that it looks into as well.
    pub also: Vec<SpaceName>,
    /// Whether it only reads.
    pub read_only: bool,
}
