//! Routes: independent ways of finding candidates.

pub(crate) mod hybrid;
mod question;

pub(crate) use question::Question;
