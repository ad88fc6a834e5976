//! The server as its clients see it: a real process, real connections.

#![allow(clippy::unwrap_used, reason = "a test says what went wrong by failing")]
#![allow(clippy::print_stdout, reason = "the long forms print their counts")]

mod bad_clients;
mod calls;
mod client;
mod doors;
mod nodes;
mod pages;
mod served;
mod stopping;
mod tenants;
mod verbs;
