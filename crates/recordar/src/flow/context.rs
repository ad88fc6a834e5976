//! A context on its way to its receipt.

use recordar_core::answer::Citation;
use recordar_core::guard::SafePassage;
use recordar_core::recall::RecallResult;

/// An assembled context, before its receipt is written.
pub(crate) struct Context {
    pub(crate) result: RecallResult,
    pub(crate) passages: Vec<SafePassage>,
    /// The incarnation and revision of each space.
    pub(crate) revisions: Vec<Option<(i64, i64)>>,
    pub(super) duplicate_share: f64,
    /// Where the best candidates are from, whether they are kept or not.
    pub(super) nearest: Vec<Citation>,
}
