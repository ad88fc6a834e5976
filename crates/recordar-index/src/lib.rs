//! The search index of one space, in memory: the words of items, their vectors, and columns.
//!
//! It is a pure function of its input. It uses no database, no model and no clock; words and vectors are made elsewhere.
//! Built item by item or at once, it gives the same results.

mod amend;
mod columns;
mod echoes;
mod filter;
mod index;
mod labels;
mod lookup;
mod places;
mod postings;
mod request;
mod score;
mod scratch;
mod search;
mod segment;
mod signal;
mod signals;
mod stages;
mod tail;
mod threads;
mod vectors;
mod word_order;

pub use amend::Amendment;
pub use columns::{CHUNK, DERIVED, EVER, Entry, LIVE, NOW};
pub use filter::Filter;
pub use index::{Index, Keepsake, Merge, Merged, block_of};
pub use labels::{LabelColumns, LabelEntry, LabelFilter};
pub use lookup::{Lookup, MAX_TERMS, SoughtWord};
pub use request::{Found, Hit, Search, Standing};
pub use score::{Evidence, Mode, TermEvidence};
pub use segment::{Block, LANGUAGE, Make};
pub use signal::{Signal, SignalSet};
pub use stages::{StageHit, StageRequest, StageScope, Tier};
pub use tail::{BlockBuilder, Item, SPEAKER, UNCOUNTED};
pub use threads::GroupHit;
