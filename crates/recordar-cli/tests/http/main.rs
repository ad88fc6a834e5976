//! The server as its clients see it: real connections to a real process, or to a server in this one where a test sets its clock.

#![allow(clippy::unwrap_used, reason = "a test says what went wrong by failing")]
#![allow(clippy::print_stdout, reason = "the long forms print their counts")]

mod bad_clients;
mod calls;
mod client;
mod clock;
mod doors;
mod nodes;
mod pages;
mod served;
mod stopping;
mod tenants;
mod verbs;
