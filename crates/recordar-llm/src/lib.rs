//! Language models: any provider behind one trait, replies that match their schema, enforced ceilings, and replies that can be recorded
//! and replayed.
//!
//! A [`Client`] is a [`ChatModel`] with everything around it. [`Remote`] calls a provider over HTTP; `http` is the only file that does so,
//! and `provider/` has the wire formats, as pure functions. [`Recorded`] replays recorded replies. A key is a [`Secret`], which cannot be
//! printed, and is removed from everything that a server sends.

mod address;
mod cassette;
mod client;
mod error;
mod gate;
mod http;
mod limits;
mod model;
mod operation;
mod provider;
mod remote;
mod report;
mod request;
mod secret;
mod sse;
mod structured;
mod table;
mod validator;

pub use cassette::{Exchange, Recorded};
pub use client::{Client, ClientSettings, Clock};
pub use error::{Error, ErrorKind, Failure, Retry};
pub use limits::{
    Account, Ceiling, Ceilings, Ledger, MemoryLedger, Reservation, Reserved, Spend, check_account, check_ceiling,
    day_of, usd,
};
pub use model::{Call, ChatModel, ModelSettings, request_digest};
pub use operation::Operation;
pub use remote::{Remote, RemoteOptions};
pub use report::{CallReport, Estimate};
pub use request::{
    Completion, Finish, ModelName, Output, Parameters, Request, Schema, Speaker, Structured, Turn, Usage,
};
pub use secret::Secret;
pub use table::{OutputLimit, Price, Profile, SchemaKeywords, Table, ToolChoice, Wire};
