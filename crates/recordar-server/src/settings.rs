//! How a server is started.

use recordar::SpaceName;
use recordar::config::ServerConfig;

#[derive(Debug, Clone)]
pub struct Settings {
    pub config: ServerConfig,
    /// The space of calls that name none and whose key does not say it.
    pub space: SpaceName,
}

impl Settings {
    /// Whether only this machine can connect.
    pub(crate) fn is_local(&self) -> bool {
        self.config.addr.ip().is_loopback()
    }

    /// Whether calls may come from other machines: also through a proxy on this one.
    pub(crate) fn is_public(&self) -> bool {
        !self.is_local() || !self.config.trusted_proxies.is_empty() || !self.config.allowed_hosts.is_empty()
    }
}
