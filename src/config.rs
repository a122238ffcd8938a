//! The configuration: one flag and one environment variable per setting.

use clap::Args;

mod database;
mod documents;
mod given;
mod http;
mod limits;
mod llm;
mod llm_api;
mod oidc;
mod proxies;
mod session;
mod settle_names;
mod usual_names;

pub use database::DatabaseConfig;
pub use documents::{DocumentsConfig, FontFolder};
pub use http::{HttpConfig, public_url};
pub use limits::LimitsConfig;
pub use llm::{LlmConfig, LlmProvider, LlmReview};
pub use llm_api::LlmApi;
pub use oidc::{CompleteOidc, OidcConfig};
pub use proxies::TrustedProxies;
pub use session::{SecureCookie, SessionConfig};
pub use usual_names::UsualNames;

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
    pub oidc: OidcConfig,
    #[command(flatten)]
    pub limits: LimitsConfig,
    #[command(flatten)]
    pub documents: DocumentsConfig,
}

#[derive(clap::Parser)]
struct Defaults {
    #[command(flatten)]
    config: Config,
}

impl Config {
    /// The defaults independent of the environment, with a free port and without limits. For tests.
    ///
    /// # Panics
    /// Never: the defaults parse; every test uses them.
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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// Variables that other parts read, with a file that reads each.
    const OTHERS: [(&str, &str); 7] = [
        ("ALLOW_DEMO_LOGINS", include_str!("cli.rs")),
        ("DEMO_HOSTS", include_str!("cli.rs")),
        ("PLAN_ADVISOR_HOME", include_str!("cli.rs")),
        ("PG_BIN_DIR", include_str!("../crates/private-postgres/src/binaries.rs")),
        ("POSTGRES_PASSWORD", include_str!("../compose.yaml")),
        ("RUST_LOG", "the log's filter reads it by itself: RUST_LOG"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", include_str!("telemetry.rs")),
    ];

    /// Every setting's variable, with its default.
    fn settings() -> Vec<(String, Option<String>)> {
        let text = |value: &std::ffi::OsStr| value.to_str().expect("ASCII").to_owned();
        Defaults::command()
            .get_arguments()
            .filter_map(|arg| {
                Some((
                    text(arg.get_env()?),
                    arg.get_default_values().first().map(|value| text(value)),
                ))
            })
            .collect()
    }

    #[test]
    fn the_example_file_lists_every_setting_once_with_its_default() {
        let example = include_str!("../.env.example");
        let listed: Vec<(&str, &str)> = example
            .lines()
            .filter_map(|line| line.strip_prefix('#').unwrap_or(line).split_once('='))
            .filter(|(name, _)| {
                name.bytes()
                    .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == b'_')
            })
            .collect();
        let settings = settings();
        for (name, default) in &settings {
            let values: Vec<_> = listed.iter().filter(|(listed, _)| listed == name).collect();
            assert_eq!(values.len(), 1, "{name}");
            assert!(
                default.as_ref().is_none_or(|default| default == values[0].1),
                "{name}={default:?}"
            );
        }
        for (name, reader) in OTHERS {
            assert_eq!(listed.iter().filter(|(listed, _)| *listed == name).count(), 1, "{name}");
            assert!(reader.contains(name), "nothing reads {name}");
        }
        assert_eq!(
            listed.len(),
            settings.len() + OTHERS.len(),
            "the file lists a variable that nothing reads"
        );
    }

    #[test]
    fn the_configuration_page_has_a_row_for_every_setting() {
        let page = include_str!("../docs/CONFIGURATION.md");
        let rows: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("| `")).collect();
        for (name, _) in settings() {
            let first_cells = rows.iter().filter_map(|row| row.split(" | ").next());
            let named = first_cells
                .filter(|cell| cell.split('`').any(|part| part == name))
                .count();
            assert_eq!(named, 1, "{name}");
        }
    }
}
