//! Recordar over HTTP: every verb of the table, MCP, an OpenAPI document, metrics. It turns requests into calls of the engine and replies back,
//! and decides only who may call, and how much at a time.
//!
//! From the bottom up: `settings` (how a server is started), `body` (what a reply consists of), `problem` (errors, as RFC 9457 has them), `route`
//! (what a path means), `gate` (Host and Origin), `rate`, `metrics`, `audit`, `telemetry`, `openapi` and `page` (what the API is), `workbench` (the page for people), `identity` (who
//! calls), `running` (calls by their operation ids), `server` (what requests share), `noted` (what is noted of a request), `uploads` (files of a request), `calls` (a request as a call of the engine), `respond` (a
//! request from beginning to end), `patient` (clients that are too slow) and `listen` (connections, TLS, stopping).

mod audit;
mod body;
mod calls;
mod gate;
mod identity;
mod listen;
mod metrics;
mod noted;
mod openapi;
mod page;
mod patient;
mod problem;
mod rate;
mod respond;
mod route;
mod running;
mod server;
mod settings;
mod telemetry;
mod uploads;
mod workbench;

pub use listen::{Event, Started, Stopper, serve, serve_until};
pub use openapi::document as openapi_document;
pub use problem::status_of;
pub use settings::Settings;
