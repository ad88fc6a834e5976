//! Cancellation: a cancelled call stops before its next attempt, between two pages, and before it commits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shared by a call and its caller. Once cancelled, it stays cancelled.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Release);
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
