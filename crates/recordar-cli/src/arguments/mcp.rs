//! The words of serving agents.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Mcp {
    /// Look into this space as well; may be given several times
    #[arg(long = "also", value_name = "KIND:NAME")]
    pub(crate) also: Vec<String>,
    /// Only read: nothing can be stored or forgotten, and no receipt is kept
    #[arg(long)]
    pub(crate) read_only: bool,
}
