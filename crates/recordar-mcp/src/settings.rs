//! The settings of a server.

use recordar::SpaceName;
use recordar::database::Cancel;
use recordar::key::Account;

/// The settings that a server is started with.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The space that it reads and writes.
    pub space: SpaceName,
    /// Other spaces that it reads.
    pub also: Vec<SpaceName>,
    /// Whether it is read-only.
    pub read_only: bool,
    /// Whose limit model calls count against, besides the store's.
    pub account: Option<Account>,
    /// Cancels every call, for a server that answers a single request.
    pub stop: Option<Cancel>,
}
