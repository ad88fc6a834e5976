//! The options of `recordar mcp`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Mcp {
    /// Also read this space; may be given several times
    #[arg(long = "also", value_name = "KIND:NAME")]
    pub(crate) also: Vec<String>,
    /// Read only: nothing can be stored or forgotten, and no receipts are kept
    #[arg(long)]
    pub(crate) read_only: bool,
}
