//! Recordar for agents: a Model Context Protocol server. It passes calls to the engine and replies back, and decides only
//! which tools an agent may call and how much of a reply it is shown. Nothing else in Recordar uses `rmcp`.
//!
//! `settings` are those of a server, `tool` lists the tools, `definition` shows them to a client, `schema` their arguments, `arguments`
//! checks given arguments, `reply` and `text` choose what an agent is shown, `quote` marks stored text, `resource` serves documents as
//! resources, and `message` parses a line of input; all of these are pure. `server` connects them to the engine, and `transport` makes
//! sure that every request is answered before a clean shutdown. Only the protocol writes to standard output.

mod arguments;
mod definition;
mod message;
mod quote;
mod reply;
mod resource;
mod schema;
mod server;
mod settings;
mod text;
mod tool;
mod transport;

pub use resource::ResourceUri;
pub use settings::Settings;

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use hyper::body::Body;
use recordar::{Error, Recordar};
use rmcp::service::{ServerInitializeError, serve_server};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use server::Server;
use std::convert::Infallible;
use std::fmt::Display;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use transport::Orderly;

/// Serves on standard input and output until the input ends and every call is answered.
pub fn serve(engine: Recordar, settings: Settings) -> Result<(), Error> {
    let failed = |error: std::io::Error| {
        let what = format!("the server could not start: {error}");
        Error::input("cannot_serve", what, "close other programs, and try again")
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(failed)?;
    let served = runtime.block_on(serve_on(engine, settings, tokio::io::stdin(), tokio::io::stdout()));
    // A pending read of standard input would delay the shutdown.
    runtime.shutdown_background();
    served
}

/// Answers one HTTP request of the protocol. There are no sessions: each request stands for itself. A longer one than `max_bytes` is refused.
pub async fn respond<B>(
    engine: Recordar,
    settings: Settings,
    max_bytes: usize,
    request: http::Request<B>,
) -> http::Response<BoxBody<Bytes, Infallible>>
where
    B: Body + Send + 'static,
    B::Error: Display,
{
    // Whoever calls this has checked Host and Origin.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(max_bytes)
        .disable_allowed_hosts();
    let make = move || Ok(Server::new(engine.clone(), settings.clone()));
    StreamableHttpService::new(make, Arc::new(NeverSessionManager::default()), config).handle(request).await
}

/// The same on any two streams.
pub async fn serve_on<R, W>(engine: Recordar, settings: Settings, input: R, output: W) -> Result<(), Error>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let server = Server::new(engine, settings);
    let calls = server.calls();
    let failed = |what: String| Error::input("protocol", what, "start it from an MCP client");
    match serve_server(server, Orderly::new(input, output)).await {
        Ok(running) => running.waiting().await.map(|_| ()).map_err(|error| failed(error.to_string()))?,
        // A client connected and left.
        Err(ServerInitializeError::ConnectionClosed(_)) => {}
        Err(error) => return Err(failed(format!("the MCP session could not be set up: {error}"))),
    }
    calls.done().await;
    Ok(())
}
