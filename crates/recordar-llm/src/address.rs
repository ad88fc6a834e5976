//! Which addresses may be called. A host name is resolved and checked on every call, since it can be made to resolve to anything.

use std::net::{IpAddr, Ipv4Addr};

/// Why an address must not be called. `plain_key` says that a key would go there unencrypted.
pub(crate) fn refusal(ip: IpAddr, plain_key: bool) -> Option<&'static str> {
    let ip = unwrapped(ip);
    if is_metadata(ip) {
        Some("it is the address of a cloud metadata service")
    } else if is_unspecified_network(ip) || ip.is_multicast() || ip == IpAddr::V4(Ipv4Addr::BROADCAST) {
        Some("it is not the address of a server")
    } else if plain_key && !is_local(ip) {
        Some("the key would be sent unencrypted")
    } else {
        None
    }
}

/// Names of metadata services, which are refused before they are resolved.
pub(crate) fn is_metadata_name(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    host == "metadata" || host == "metadata.google.internal" || host == "instance-data.ec2.internal"
}

/// Link-local addresses, where most clouds have theirs, and the exceptions.
fn is_metadata(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => {
            let elsewhere = [[100, 100, 100, 200], [192, 0, 0, 192], [168, 63, 129, 16]];
            ip.is_link_local() || elsewhere.contains(&ip.octets())
        }
        IpAddr::V6(ip) => {
            // Amazon's services use the whole first range.
            let is_amazon = ip.segments()[..2] == [0xfd00, 0xec2];
            ip.is_unicast_link_local() || is_amazon || ip.segments() == [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254]
        }
    }
}

fn is_unspecified_network(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => ip.octets()[0] == 0,
        IpAddr::V6(ip) => ip.is_unspecified(),
    }
}

/// On this machine or in a private network.
fn is_local(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => ip.is_loopback() || ip.is_private(),
        IpAddr::V6(ip) => ip.is_loopback() || ip.is_unique_local(),
    }
}

/// The IPv4 address that an IPv6 one wraps, if it does: mapped, compatible, by NAT64 or 6to4.
fn unwrapped(ip: IpAddr) -> IpAddr {
    let IpAddr::V6(v6) = ip else { return ip };
    let inner = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        IpAddr::V4(Ipv4Addr::new(a, b, c, d))
    };
    match v6.segments() {
        [0, 0, 0, 0, 0, 0xffff, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0 | 1, _, _, _, high, low] => inner(high, low),
        [0, 0, 0, 0, 0, 0, high, low] if high != 0 => inner(high, low),
        [0x2002, high, low, ..] => inner(high, low),
        _ => ip,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_and_plain_keys_are_refused() {
        let check = |ip: &str, plain_key: bool, refused: bool| {
            assert_eq!(refusal(ip.parse().unwrap(), plain_key).is_some(), refused, "{ip}");
        };
        for ip in [
            "169.254.169.254",
            "169.254.170.2",
            "::ffff:169.254.169.254",
            "64:ff9b::a9fe:a9fe",
            "2002:a9fe:a9fe::1",
            "::169.254.169.254",
            "fd00:ec2::254",
            "fd00:ec2::23",
            "fd20:ce::254",
            "168.63.129.16",
            "::ffff:0:169.254.169.254",
            "64:ff9b:1::a9fe:a9fe",
            "0.0.0.1",
            "fe80::1",
            "100.100.100.200",
            "0.0.0.0",
            "::",
            "224.0.0.1",
            "255.255.255.255",
        ] {
            check(ip, false, true);
        }
        for ip in ["127.0.0.1", "::1", "10.1.2.3", "192.168.0.9", "fd12::1", "8.8.8.8", "2001:4860::1"] {
            check(ip, false, false);
        }
        check("8.8.8.8", true, true);
        check("2001:4860::1", true, true);
        check("10.1.2.3", true, false);
        check("::1", true, false);
        assert!(is_metadata_name("Metadata.Google.internal."));
    }
}
