//! What the kernel does about a peer that has vanished, unless the URL says otherwise.
//!
//! Linux' own defaults are two hours until the first probe of an idle connection (`tcp_keepalive_time`) and fifteen minutes
//! for one with unacknowledged data (`tcp_retries2`: 924.6 s), see <https://docs.kernel.org/networking/ip-sysctl.html>. A
//! turn waits 60 s for another server, so a dead one has to be known after about ten.

use socket2::{SockRef, TcpKeepalive};
use std::time::Duration;
use tokio::net::TcpStream;
use tokio_postgres::Config;

// An idle connection's dead peer is found after 5 + 3 × 2 = 11 s.
const KEEPALIVE_IDLE: Duration = Duration::from_secs(5);
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(2);
const KEEPALIVE_RETRIES: u32 = 3;

// More than the 6 s after which an answer is late, so that the kernel ends only what has no such limit.
const USER_TIMEOUT: Duration = Duration::from_secs(10);

/// tokio-postgres' value when the URL says nothing.
const KEEPALIVE_UNSET: Duration = Duration::from_secs(2 * 60 * 60);

/// Sets the options of a socket.
pub(super) fn set_options(net: &TcpStream, config: &Config) -> std::io::Result<()> {
    net.set_nodelay(true)?;
    let socket = SockRef::from(net);
    if config.get_keepalives() {
        let idle = config.get_keepalives_idle();
        let idle = if idle == KEEPALIVE_UNSET { KEEPALIVE_IDLE } else { idle };
        let keepalive = TcpKeepalive::new()
            .with_time(idle)
            .with_interval(config.get_keepalives_interval().unwrap_or(KEEPALIVE_INTERVAL))
            .with_retries(config.get_keepalives_retries().unwrap_or(KEEPALIVE_RETRIES));
        socket.set_tcp_keepalive(&keepalive)?;
    }
    #[cfg(target_os = "linux")]
    socket.set_tcp_user_timeout(Some(config.get_tcp_user_timeout().copied().unwrap_or(USER_TIMEOUT)))?;
    Ok(())
}
