//! Routes find candidates, each by its own method.

pub(crate) mod document;
pub(crate) mod document_name;
pub(crate) mod document_text;
pub(crate) mod filter;
pub(crate) mod hybrid;
mod items;
mod label_filter;
pub(crate) mod leaf_hits;
pub(crate) mod leaves;
mod phrase;
mod question;
pub(crate) mod search;
pub(crate) mod stages;
pub(crate) mod tree;

pub(crate) use items::Items;
pub(crate) use question::Question;
