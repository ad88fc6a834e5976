//! `recordar serve`: every verb over HTTP. `recordar openapi` prints what it offers.

use crate::arguments::{Serve, Session, Spec};
use crate::outcome::Outcome;
use clap::Args;
use recordar::config::parse_addr;
use recordar::{Config, Error, Recordar, system_clock};
use recordar_server::{Event, Settings, Started};

pub(crate) const COMMAND: Spec = Spec::own(
    &["serve"],
    "Serve every verb over HTTP, and agents over MCP, until it is stopped",
    Serve::augment_args,
    run,
);

pub(crate) const OPENAPI: Spec =
    Spec::own(&["openapi"], "Print the OpenAPI document of the HTTP API", |command| command, print_document);

/// Requests read at the same time, so a server has more connections to its database than a command.
const LEAST_CONNECTIONS: usize = 16;

fn run(session: &Session<'_>) -> Result<Outcome, Error> {
    let serve: Serve = session.own()?;
    let mut config = Config::load(&session.global.overrides()?)?;
    if let Some(addr) = &serve.addr {
        config.server.addr = parse_addr(addr)?;
    }
    config.database.connections = config.database.connections.max(LEAST_CONNECTIONS);
    let settings = Settings { config: config.server.clone(), space: config.space.clone() };
    let (proxies, output) = (config.server.trusted_proxies.len(), session.output);
    let engine = Recordar::open_existing(config, system_clock())?;
    let drain = settings.config.drain_time.as_secs();
    recordar_server::serve(engine, settings, |event| {
        let Event::Started(Started { addr, is_tls, needs_key }) = event else {
            return output.hint(&format!("stopping: running calls have {drain} s to end; Ctrl-C cancels them"));
        };
        let scheme = if is_tls { "https" } else { "http" };
        output.line(&format!("listening on {scheme}://{addr}"));
        if !needs_key {
            output.hint("there are no keys yet, so every user of this machine can use it: `recordar keys new NAME --admin` changes that");
        }
        if !addr.ip().is_loopback() && !is_tls && proxies == 0 {
            output.warn("warning: keys and content travel unencrypted; set server.tls_certificate and server.tls_key, or use a proxy with TLS");
        }
    })?;
    Ok(Outcome::Done)
}

fn print_document(session: &Session<'_>) -> Result<Outcome, Error> {
    session.output.line(&format!("{:#}", recordar_server::openapi_document()));
    Ok(Outcome::Done)
}
