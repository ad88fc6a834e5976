//! The search index of one space, in memory: which words stand in which item, the items' vectors, and columns.
//!
//! It is a pure function of what it is given. It knows no database, no model and no clock; words and vectors are made
//! elsewhere. Whether it was grown item by item or built at once, it gives the same results.

mod columns;
mod index;
mod lookup;
mod postings;
mod request;
mod score;
mod scratch;
mod search;
mod segment;
mod signals;
mod tail;
mod threads;
mod vectors;

pub use columns::{Entry, LIVE};
pub use index::{Index, Keepsake, Merge, Merged, block_of};
pub use lookup::{EVER, Lookup, NOW, SPEAKER};
pub use request::{Found, Hit, Search, Standing};
pub use score::{Evidence, Mode, TermEvidence};
pub use segment::{Block, Make};
pub use tail::{BlockBuilder, Item};
pub use threads::GroupHit;
