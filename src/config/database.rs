use clap::Args;
use secrecy::SecretString;

/// `DATABASE_URL`, `DATABASE_DIRECT_URL`, `DATABASE_POOL_SIZE`.
#[derive(Debug, Clone, Args)]
pub struct DatabaseConfig {
    /// PostgreSQL to use; `demo` starts its own when this is not set
    #[arg(
        id = "database_url",
        long = "database-url",
        env = "DATABASE_URL",
        hide_env_values = true
    )]
    pub url: Option<SecretString>,
    /// PostgreSQL past a connection pooler, for migrations; `DATABASE_URL` when this is not set
    #[arg(
        id = "database_direct_url",
        long = "database-direct-url",
        env = "DATABASE_DIRECT_URL",
        hide_env_values = true
    )]
    pub direct_url: Option<SecretString>,
    /// Connections kept at most
    #[arg(id = "database_pool_size", long = "database-pool-size", env = "DATABASE_POOL_SIZE", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub pool_size: u32,
}
