//! Tests of the language models, against a server on loopback. A real small model is in `make test-llm`.

#![allow(clippy::unwrap_used)]

mod fixture;
mod real_model;
mod wire;
