//! `TRUSTED_PROXIES`: whose `X-Forwarded-*` headers count.

use std::net::IpAddr;
use std::str::FromStr;

/// Addresses and networks of proxies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustedProxies(Vec<Network>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Network {
    address: IpAddr,
    prefix: u32,
}

impl TrustedProxies {
    pub fn contain(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(address))
    }
}

impl Network {
    fn contains(self, address: IpAddr) -> bool {
        let (network, address, bits) = match (self.address, address) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                (u128::from(network.to_bits()), u128::from(address.to_bits()), 32)
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => (network.to_bits(), address.to_bits(), 128),
            _ => return false,
        };
        (network ^ address).checked_shr(bits - self.prefix).unwrap_or_default() == 0
    }
}

impl FromStr for TrustedProxies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        parts.map(str::parse).collect::<Result<_, _>>().map(Self)
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text:?} is neither an address nor a network like 10.0.0.0/8");
        let (address, prefix) = text.split_once('/').map_or((text, None), |(a, p)| (a, Some(p)));
        let address: IpAddr = address.parse().map_err(|_| wrong())?;
        let bits = if address.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.map_or(Ok(bits), |prefix| prefix.parse().map_err(|_| wrong()))?;
        if prefix > bits {
            return Err(wrong());
        }
        Ok(Self { address, prefix })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_networks_of_both_kinds_are_understood() {
        let proxies: TrustedProxies = "127.0.0.0/8, ::1,10.1.2.3, fd00::/8".parse().expect("a list");
        let trusted = |text: &str| proxies.contain(text.parse().expect("an address"));
        for address in ["127.8.9.1", "::1", "::ffff:10.1.2.3", "fd12::5"] {
            assert!(trusted(address), "{address}");
        }
        for address in ["128.0.0.1", "10.1.2.4", "fe80::1", "::2"] {
            assert!(!trusted(address), "{address}");
        }
        let none: TrustedProxies = "".parse().expect("nothing");
        assert!(!none.contain("127.0.0.1".parse().expect("an address")));
        let everybody: TrustedProxies = "0.0.0.0/0".parse().expect("all");
        assert!(everybody.contain("8.8.8.8".parse().expect("an address")));
        for wrong in ["proxy.example", "10.0.0.0/33", "10.0.0.0/x"] {
            assert!(wrong.parse::<TrustedProxies>().is_err(), "{wrong}");
        }
    }
}
