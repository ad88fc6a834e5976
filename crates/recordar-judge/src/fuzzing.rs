//! Internal parsers, exposed for `recordar-fuzz`. Not part of the API: it may change at any time.

pub use crate::folder::try_network;
