//! Which web pages and host names may call. A page of another site must not use a reader's access to this server, not even by a name that it
//! made point here. Pure.

use crate::settings::Settings;
use http::HeaderMap;
use http::header::{HOST, ORIGIN};
use std::net::IpAddr;

/// Why a request is turned away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    Host,
    Origin,
}

/// Where a request that passed comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Passed {
    /// A program, or a page of this server.
    Own,
    /// A page of an origin that is allowed.
    Page(String),
}

pub(crate) fn pass(headers: &HeaderMap, settings: &Settings, scheme: &str) -> Result<Passed, Refusal> {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if !is_our_host(host, settings) {
        return Err(Refusal::Host);
    }
    let Some(origin) = headers.get(ORIGIN) else { return Ok(Passed::Own) };
    let origin = origin.to_str().map_err(|_| Refusal::Origin)?;
    if origin.eq_ignore_ascii_case(&format!("{scheme}://{host}")) {
        return Ok(Passed::Own);
    }
    let is_allowed = settings.config.allowed_origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin));
    if is_allowed { Ok(Passed::Page(origin.to_owned())) } else { Err(Refusal::Origin) }
}

fn is_our_host(host: &str, settings: &Settings) -> bool {
    let name = without_port(host);
    let allowed = &settings.config.allowed_hosts;
    if allowed.iter().any(|one| one.eq_ignore_ascii_case(name) || one.eq_ignore_ascii_case(host)) {
        return true;
    }
    let address: Option<IpAddr> = name.trim_start_matches('[').trim_end_matches(']').parse().ok();
    match address {
        _ if name.eq_ignore_ascii_case("localhost") => true,
        Some(address) => address.is_loopback() || !settings.is_local(),
        // Whoever can reach a public server has a key; by which name it is called does not matter, unless names are listed.
        None => !settings.is_local() && allowed.is_empty() && !name.is_empty(),
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty() => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recordar::Config;

    fn settings(addr: &str, hosts: &[&str], origins: &[&str]) -> Settings {
        let config = Config::from_toml("", &std::env::temp_dir()).unwrap();
        let owned = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect();
        let server = recordar::config::ServerConfig {
            addr: addr.parse().unwrap(),
            allowed_hosts: owned(hosts),
            allowed_origins: owned(origins),
            ..config.server
        };
        Settings { config: server, space: config.space }
    }

    fn asked(settings: &Settings, host: &str, origin: Option<&str>) -> Result<Passed, Refusal> {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, host.parse().unwrap());
        origin.map(|origin| headers.insert(ORIGIN, origin.parse().unwrap()));
        pass(&headers, settings, "http")
    }

    #[test]
    fn a_local_server_is_called_by_local_names_only() {
        let local = settings("127.0.0.1:7343", &[], &[]);
        for host in ["localhost", "localhost:7343", "127.0.0.1:7343", "[::1]:7343", "LOCALHOST"] {
            assert_eq!(asked(&local, host, None), Ok(Passed::Own), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:7343",
            "10.0.0.1",
            "localhost.evil.example",
            "",
            ":7343",
            "127.0.0.1.evil.example",
        ] {
            assert_eq!(asked(&local, host, None), Err(Refusal::Host), "{host}");
        }
        assert_eq!(
            asked(&settings("127.0.0.1:1", &["memory.example"], &[]), "memory.example:1", None),
            Ok(Passed::Own)
        );
        assert_eq!(asked(&settings("0.0.0.0:1", &[], &[]), "memory.example", None), Ok(Passed::Own));
        assert_eq!(asked(&settings("0.0.0.0:1", &["memory.example"], &[]), "evil.example", None), Err(Refusal::Host));
    }

    #[test]
    fn pages_of_other_origins_are_turned_away_unless_they_are_allowed() {
        let local = settings("127.0.0.1:7343", &[], &["https://app.example"]);
        assert_eq!(asked(&local, "localhost:7343", Some("http://localhost:7343")), Ok(Passed::Own));
        let allowed = Passed::Page("https://app.example".to_owned());
        assert_eq!(asked(&local, "localhost:7343", Some("https://app.example")), Ok(allowed));
        for origin in
            ["https://evil.example", "null", "http://localhost:1", "https://localhost:7343", "http://app.example"]
        {
            assert_eq!(asked(&local, "localhost:7343", Some(origin)), Err(Refusal::Origin), "{origin}");
        }
    }
}
