use crate::config::TrustedProxies;
use clap::Args;
use std::net::SocketAddr;

/// `BIND_ADDR`, `ALLOWED_ORIGINS`, `TRUSTED_PROXIES`, `MAX_CONNECTIONS`, `MAX_CONNECTIONS_PER_ADDRESS`.
#[derive(Debug, Clone, Args)]
pub struct HttpConfig {
    /// Address to listen on
    #[arg(long, env = "BIND_ADDR", default_value = "127.0.0.1:3000")]
    pub bind_addr: SocketAddr,
    /// Exact origins, separated by commas, that may call the API with credentials
    #[arg(long, env = "ALLOWED_ORIGINS", value_delimiter = ',')]
    pub allowed_origins: Vec<String>,
    /// Addresses and networks whose `X-Forwarded-*` headers count, separated by commas
    #[arg(long, env = "TRUSTED_PROXIES", default_value = "127.0.0.0/8,::1")]
    pub trusted_proxies: TrustedProxies,
    /// Open connections at most
    #[arg(long, env = "MAX_CONNECTIONS", default_value_t = 10_000)]
    pub max_connections: usize,
    /// Open connections per client address; 0 = no limit
    #[arg(long, env = "MAX_CONNECTIONS_PER_ADDRESS", default_value_t = 0)]
    pub max_connections_per_address: usize,
}
