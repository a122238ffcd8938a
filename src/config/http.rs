use crate::config::TrustedProxies;
use clap::Args;
use std::net::SocketAddr;

/// `BIND_ADDR`, `ALLOWED_ORIGINS`, `PUBLIC_URL`, `TRUSTED_PROXIES`, `MAX_CONNECTIONS`, `MAX_CONNECTIONS_PER_ADDRESS`, `MCP`.
#[derive(Debug, Clone, Args)]
pub struct HttpConfig {
    /// Address to listen on
    #[arg(long, env = "BIND_ADDR", default_value = "127.0.0.1:3000")]
    pub bind_addr: SocketAddr,
    /// Exact origins, separated by commas, that may call the API with credentials
    #[arg(long, env = "ALLOWED_ORIGINS", value_delimiter = ',')]
    pub allowed_origins: Vec<String>,
    /// Where people reach the page, scheme and host: the base of links and redirects
    #[arg(long, env = "PUBLIC_URL", value_parser = public_url)]
    pub public_url: Option<String>,
    /// Addresses and networks whose `X-Forwarded-*` headers count, separated by commas
    #[arg(long, env = "TRUSTED_PROXIES", default_value = "127.0.0.0/8,::1")]
    pub trusted_proxies: TrustedProxies,
    /// Open connections at most
    #[arg(long, env = "MAX_CONNECTIONS", default_value_t = 10_000)]
    pub max_connections: usize,
    /// Open connections per client address; 0 = no limit
    #[arg(long, env = "MAX_CONNECTIONS_PER_ADDRESS", default_value_t = 0)]
    pub max_connections_per_address: usize,
    /// Whether people's own assistants may ask at /mcp (Model Context Protocol)
    #[arg(long, env = "MCP", default_value_t = false, action = clap::ArgAction::Set, value_parser = clap::builder::BoolishValueParser::new())]
    pub mcp: bool,
}

/// Reads `PUBLIC_URL`: an http(s) URL without query and fragment; kept without its last slash.
///
/// # Errors
/// What it must be.
pub fn public_url(text: &str) -> Result<String, String> {
    let problem = || "must be the page's address, as https://plans.example.com".to_owned();
    let uri: http::Uri = text.parse().map_err(|_| problem())?;
    let is_page = matches!(uri.scheme_str(), Some("https" | "http")) && uri.host().is_some_and(|host| !host.is_empty());
    if !is_page || uri.query().is_some() || text.contains('#') || text.contains('@') {
        return Err(problem());
    }
    Ok(text.trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::public_url;

    #[test]
    fn only_an_address_of_a_page_is_a_base_of_links() {
        assert_eq!(
            public_url("https://plans.example.com/").as_deref(),
            Ok("https://plans.example.com")
        );
        assert_eq!(
            public_url("http://localhost:3000").as_deref(),
            Ok("http://localhost:3000")
        );
        assert_eq!(
            public_url("https://example.com/plans").as_deref(),
            Ok("https://example.com/plans")
        );
        for text in [
            "",
            "plans.example.com",
            "ftp://a",
            "https://",
            "https://a?b",
            "https://a#b",
            "https://me@a",
            "//a",
        ] {
            assert!(public_url(text).is_err(), "{text}");
        }
    }
}
