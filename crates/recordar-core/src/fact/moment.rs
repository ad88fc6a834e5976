//! The moment that a question about facts is about.

use recordar_domain::Timestamp;
use recordar_store::SpaceId;

/// A revision of a space, and the time that is asked about.
#[derive(Debug, Clone, Copy)]
pub struct FactsAt {
    pub space: SpaceId,
    pub revision: i64,
    pub at: Timestamp,
    /// When it is asked: what is due by then is to be looked at again.
    pub now: Timestamp,
}
