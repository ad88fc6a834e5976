//! Tests of the language models, against a server on loopback. A real small model is in `make test-llm`.

#![allow(clippy::unwrap_used)]

mod ceilings;
mod deterministic;
mod estimates;
mod fixture;
mod giving_up;
mod real_model;
mod recording;
mod replies;
mod wire;
