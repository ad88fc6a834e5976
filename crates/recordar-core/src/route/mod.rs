//! Routes find candidates, each by its own method.

pub mod document;
pub mod document_name;
pub mod document_text;
pub mod filter;
pub mod hybrid;
mod items;
mod label_filter;
pub mod leaf_hits;
pub mod leaves;
mod pages;
mod phrase;
mod question;
pub mod replacement;
pub mod search;
pub mod stages;
pub mod tree;

pub use items::Items;
pub use question::Question;
