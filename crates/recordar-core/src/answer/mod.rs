//! The nouns of answering: requests and results.

mod request;
mod result;

pub use request::{AskRequest, LimitingOptions};
pub use result::{AskResult, Citation, Excerpt, UsedChunk};

pub use crate::config::{PromptLimiting, Route};
