//! Where the servers of a URL are.

use std::path::PathBuf;
use tokio_postgres::Config;
use tokio_postgres::config::Host;

/// PostgreSQL's port.
const PORT: u16 = 5432;

/// Where a server may be.
#[derive(Debug, Clone)]
pub(super) enum Place {
    Tcp { name: String, host: String, port: u16 },
    Unix(PathBuf),
}

/// The servers of a URL, in its order.
pub(super) fn places(config: &Config) -> Vec<Place> {
    let (hosts, addresses, ports) = (config.get_hosts(), config.get_hostaddrs(), config.get_ports());
    let port = |at: usize| ports.get(at).or(ports.first()).copied().unwrap_or(PORT);
    let place = |at: usize| {
        let address = addresses.get(at).map(ToString::to_string);
        match (hosts.get(at), address) {
            (Some(Host::Unix(folder)), _) => Place::Unix(folder.join(format!(".s.PGSQL.{}", port(at)))),
            (Some(Host::Tcp(name)), address) => Place::Tcp {
                name: name.clone(),
                host: address.unwrap_or_else(|| name.clone()),
                port: port(at),
            },
            (None, address) => Place::Tcp {
                name: address.clone().unwrap_or_default(),
                host: address.unwrap_or_default(),
                port: port(at),
            },
        }
    };
    (0..hosts.len().max(addresses.len())).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(url: &str) -> Vec<String> {
        let places = places(&url.parse().expect("a URL"));
        places.iter().map(|place| format!("{place:?}")).collect()
    }

    #[test]
    fn a_url_may_name_several_servers_a_socket_and_addresses() {
        assert_eq!(
            shown("postgres://u@a,b:6432/d"),
            [
                r#"Tcp { name: "a", host: "a", port: 5432 }"#,
                r#"Tcp { name: "b", host: "b", port: 6432 }"#
            ]
        );
        assert_eq!(
            shown("host=a hostaddr=10.0.0.1 port=6432"),
            [r#"Tcp { name: "a", host: "10.0.0.1", port: 6432 }"#]
        );
        assert_eq!(
            shown("postgres://u@%2Frun%2Fpg/d"),
            [r#"Unix("/run/pg/.s.PGSQL.5432")"#]
        );
        assert!(shown("user=u").is_empty());
    }
}
