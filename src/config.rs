//! Everything an operator can set: one flag and one environment variable each.

use clap::Args;

mod database;
mod http;
mod limits;
mod llm;
mod session;

pub use database::DatabaseConfig;
pub use http::HttpConfig;
pub use limits::LimitsConfig;
pub use llm::{LlmConfig, LlmProvider};
pub use session::{SecureCookie, SessionConfig};

/// The whole configuration.
#[derive(Debug, Clone, Args)]
pub struct Config {
    #[command(flatten)]
    pub http: HttpConfig,
    #[command(flatten)]
    pub database: DatabaseConfig,
    #[command(flatten)]
    pub llm: LlmConfig,
    #[command(flatten)]
    pub session: SessionConfig,
    #[command(flatten)]
    pub limits: LimitsConfig,
}

#[derive(clap::Parser)]
struct Defaults {
    #[command(flatten)]
    config: Config,
}

impl Config {
    /// The defaults, whatever the environment says, with a free port and no limits that tests would trip over.
    ///
    /// # Panics
    /// Never: the defaults parse; every test uses them.
    #[must_use]
    pub fn for_testing(database_url: &str) -> Self {
        use clap::{CommandFactory, FromArgMatches};
        let matches = Defaults::command()
            .mut_args(|arg| arg.env(None::<&str>))
            .get_matches_from(["test"]);
        let mut config = Defaults::from_arg_matches(&matches).expect("the defaults parse").config;
        config.database.url = Some(secrecy::SecretString::from(database_url));
        config.http.bind_addr = "127.0.0.1:0".parse().expect("an address");
        config.limits = LimitsConfig::unlimited(config.limits);
        config
    }
}
