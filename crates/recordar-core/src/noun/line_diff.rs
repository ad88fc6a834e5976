//! The lines in which two texts differ.

use similar::TextDiff;
use std::time::Duration;

/// Comparing two long texts without a common line would take hours; after a while a coarser comparison is used.
const MAX_TIME: Duration = Duration::from_secs(5);

pub fn line_diff<'t>(old: &'t str, new: &'t str) -> TextDiff<'t, 't, 't, str> {
    TextDiff::configure().timeout(MAX_TIME).diff_lines(old, new)
}
