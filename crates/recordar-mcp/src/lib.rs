//! Recordar for agents: a server of the Model Context Protocol. It carries calls to the engine and replies back, and decides
//! nothing but what an agent may call and how much of a reply it is shown. Nothing else in Recordar names `rmcp`.
//!
//! `settings` is what a server is started with, `tool` what can be called, `definition` what a client is told of a tool, `schema` what
//! of its arguments, `arguments` what it gave, `reply` and `text` what it is shown, `quote` how stored words are kept apart from ours,
//! `resource` the documents as resources, `message` what a line of input holds; all of these are pure. `server` joins them to the engine,
//! and `transport` sees to it that every request is answered, and to a clean end. Nothing here writes to standard output but the protocol
//! itself.

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

use recordar::{Error, Recordar};
use rmcp::service::{ServerInitializeError, serve_server};
use server::Server;
use tokio::io::{AsyncRead, AsyncWrite};
use transport::Orderly;

/// Serves on standard input and output until the input ends and every call is answered.
pub fn serve(engine: Recordar, settings: Settings) -> Result<(), Error> {
    let failed = |error: std::io::Error| {
        let what = format!("the server cannot be started: {error}");
        Error::input("cannot_serve", what, "free some memory and threads, and start it again")
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().map_err(failed)?;
    let served = runtime.block_on(serve_on(engine, settings, tokio::io::stdin(), tokio::io::stdout()));
    // A read of standard input that is still waiting would hold up the end.
    runtime.shutdown_background();
    served
}

/// The same on any two streams.
pub async fn serve_on<R, W>(engine: Recordar, settings: Settings, input: R, output: W) -> Result<(), Error>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let server = Server::new(engine, settings);
    let calls = server.calls();
    let failed = |what: String| Error::input("protocol", what, "start it from a client that speaks MCP");
    match serve_server(server, Orderly::new(input, output)).await {
        Ok(running) => running.waiting().await.map(|_| ()).map_err(|error| failed(error.to_string()))?,
        // Somebody looked in and went away.
        Err(ServerInitializeError::ConnectionClosed(_)) => {}
        Err(error) => return Err(failed(format!("no conversation came about: {error}"))),
    }
    calls.done().await;
    Ok(())
}
