//! The commands: demo · serve · migrate · seed · user … · openapi · check-config.

use crate::config::{Config, LlmProvider};
use anyhow::{Context, Result};
use clap::builder::BoolishValueParser;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::process::ExitCode;

mod check;
mod database;
mod demo;
mod demo_data;
mod eval;
mod llm;
mod serve;
mod user;

pub use llm::build_llm;

/// A planning assistant for franchisees: chat becomes exact plan values and a 60-month projection.
#[derive(Debug, Parser)]
#[command(name = "plan-advisor", version, about)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run everything at once: a private PostgreSQL, demo data, the offline advisor or the configured model, the page
    Demo {
        #[command(flatten)]
        config: Box<Config>,
        /// Where the private PostgreSQL keeps its data
        #[arg(long, env = "PLAN_ADVISOR_HOME", default_value = ".plan-advisor")]
        home: std::path::PathBuf,
        /// Further host names, separated by commas, under which the demo answers; * for all
        #[arg(long, env = "DEMO_HOSTS", value_delimiter = ',')]
        hosts: Vec<String>,
        /// Add the demo's public logins to `DATABASE_URL` though it holds something else
        #[arg(long)]
        into_this_database: bool,
    },
    /// Run the server on `DATABASE_URL`
    Serve {
        #[command(flatten)]
        config: Box<Config>,
        /// Bring the database up to date first
        #[arg(long)]
        migrate: bool,
        /// Start though the demo's public password opens an account
        #[arg(long, env = "ALLOW_DEMO_LOGINS", value_parser = BoolishValueParser::new())]
        allow_demo_logins: bool,
    },
    /// Bring `DATABASE_URL` up to date
    Migrate(DatabaseArgs),
    /// Add the demo brand, logins and plans to `DATABASE_URL`; repeatable
    Seed {
        #[command(flatten)]
        database: DatabaseArgs,
        /// Add the demo's public logins though the database holds something else
        #[arg(long)]
        into_this_database: bool,
    },
    /// Manage people
    User {
        #[command(subcommand)]
        command: user::UserCommand,
    },
    /// Print the contract as `OpenAPI`
    Openapi,
    /// Try the configuration: database, its settings, the model, the identity provider
    CheckConfig {
        #[command(flatten)]
        config: Box<Config>,
    },
    /// Count what the advisor would write from labeled messages; exit code 1: a wrong value, 3: too few landed
    Eval(Box<eval::EvalArgs>),
    /// Ask a running server on this machine whether it is alive; for container health checks
    Health {
        /// Where it listens
        #[arg(long, env = "BIND_ADDR", default_value = "127.0.0.1:3000")]
        bind_addr: std::net::SocketAddr,
    },
}

#[derive(Debug, Args)]
pub struct DatabaseArgs {
    #[command(flatten)]
    database: crate::config::DatabaseConfig,
}

impl DatabaseArgs {
    fn url(&self) -> Result<&str> {
        database::url(&self.database)
    }
}

/// Empty is a list without entries here, not the default.
const MAY_BE_EMPTY: &str = "TRUSTED_PROXIES";

/// Commands that take an empty variable for one that is not set, as containers and `.env` files give it.
fn without_empty_variables(command: clap::Command) -> clap::Command {
    let is_empty = |name: &std::ffi::OsStr| {
        name != MAY_BE_EMPTY && std::env::var_os(name).is_some_and(|value| value.to_string_lossy().trim().is_empty())
    };
    command
        .mut_args(|arg| match arg.get_env().is_some_and(is_empty) {
            true => arg.env(None::<&str>),
            false => arg,
        })
        .mut_subcommands(without_empty_variables)
}

impl Cli {
    /// The arguments, and the settings of the environment. Ends the process where they cannot be read.
    pub fn from_environment() -> Self {
        let matches = without_empty_variables(Self::command()).get_matches();
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }

    /// Runs the command to its end.
    ///
    /// # Errors
    /// One line that says what to do.
    pub async fn run(mut self) -> Result<ExitCode> {
        match &mut self.command {
            // Somebody who has keys of two providers tries the demo all the same: it asks neither.
            Command::Demo { config, .. } => {
                if let Err(problem) = config.llm.settle_names() {
                    eprintln!("No model is asked: {problem}.");
                    config.llm.provider = Some(LlmProvider::Offline);
                }
            }
            Command::Serve { config, .. } | Command::CheckConfig { config } => {
                config.llm.settle_names().map_err(anyhow::Error::msg)?;
            }
            _ => {}
        }
        match self.command {
            Command::Eval(args) => return eval::run(*args).await,
            Command::Demo {
                config,
                home,
                hosts,
                into_this_database,
            } => demo::run(*config, home, hosts, into_this_database).await,
            Command::Serve {
                config,
                migrate,
                allow_demo_logins,
            } => serve::run(*config, migrate, allow_demo_logins).await,
            Command::Migrate(args) => migrate(args).await,
            Command::Seed {
                database,
                into_this_database,
            } => seed(database.url()?, into_this_database).await,
            Command::User { command } => user::run(command).await,
            Command::Openapi => print(crate::http::openapi_yaml()),
            Command::CheckConfig { config } => check::run(*config).await,
            Command::Health { bind_addr } => check::health(bind_addr).await,
        }?;
        Ok(ExitCode::SUCCESS)
    }
}

/// With which code the process ends after an error: 2 where a command refused to begin.
pub fn exit_code(error: &anyhow::Error) -> ExitCode {
    match error.is::<demo_data::NotOurs>() {
        true => ExitCode::from(2),
        false => ExitCode::FAILURE,
    }
}

fn print(text: &str) -> Result<()> {
    use std::io::Write;
    std::io::stdout()
        .write_all(text.as_bytes())
        .context("standard output is closed")
}

/// Half a configuration would fail only at the first sign-in.
fn refuse_half_single_sign_on(config: &Config) -> Result<()> {
    crate::app::oidc(config).map_err(anyhow::Error::msg)?;
    Ok(())
}

async fn migrate(args: DatabaseArgs) -> Result<()> {
    let _telemetry = crate::telemetry::init("info");
    let count = database::bring_up_to_date(args.url()?, database::direct_url(&args.database)).await?;
    print(&format!("{count} migrations were run.\n"))
}

async fn seed(url: &str, into_this_database: bool) -> Result<()> {
    let _telemetry = crate::telemetry::init("info");
    if !into_this_database {
        demo_data::refuse_a_strange_database(url).await?;
    }
    seed_demo(url).await?;
    print("The demo brand, logins and plans are there.\n")
}

/// Adds missing demo data.
///
/// # Errors
/// If the database is unreachable or not migrated.
pub async fn seed_demo(url: &str) -> Result<()> {
    let hash = crate::password::hash(crate::plans::seed::DEMO_PASSWORD)?;
    let mut conn = pg_link::establish(url)
        .await
        .context("the database cannot be reached")?;
    crate::plans::seed::seed_demo(&mut conn, &hash)
        .await
        .context("the demo data could not be added; is the database migrated?")
}
