//! Tests of the language models, against a server on loopback. A real small model is in `make test-llm`.

#![allow(clippy::unwrap_used)]

mod bad_http;
mod ceilings;
mod deterministic;
mod estimates;
mod fixture;
mod giving_up;
mod hostile;
mod real_model;
mod recording;
mod replies;
mod villain;
mod wire;
