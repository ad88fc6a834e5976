//! The options of `recordar serve`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Where to listen [default: server.addr in the configuration, or 127.0.0.1:7343]
    #[arg(long, value_name = "HOST:PORT")]
    pub(crate) addr: Option<String>,
}
