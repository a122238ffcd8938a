//! The commands: demo · serve · migrate · seed · user … · openapi · check-config.

use crate::config::Config;
use anyhow::{Context, Result, bail};
use clap::{Args, Parser, Subcommand};
use std::process::ExitCode;

mod check;
mod database;
mod demo;
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
    },
    /// Run the server on `DATABASE_URL`
    Serve {
        #[command(flatten)]
        config: Box<Config>,
        /// Bring the database up to date first
        #[arg(long)]
        migrate: bool,
    },
    /// Bring `DATABASE_URL` up to date
    Migrate(DatabaseArgs),
    /// Add the demo brand, logins and plans to `DATABASE_URL`; repeatable
    Seed(DatabaseArgs),
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

impl Cli {
    /// Runs the command to its end.
    ///
    /// # Errors
    /// One line that says what to do.
    pub async fn run(self) -> Result<ExitCode> {
        match self.command {
            Command::Eval(args) => return eval::run(*args).await,
            Command::Demo { config, home } => demo::run(*config, home).await,
            Command::Serve { config, migrate } => serve::run(*config, migrate).await,
            Command::Migrate(args) => migrate(args).await,
            Command::Seed(args) => seed(args.url()?).await,
            Command::User { command } => user::run(command).await,
            Command::Openapi => print(crate::http::openapi_yaml()),
            Command::CheckConfig { config } => check::run(*config).await,
            Command::Health { bind_addr } => check::health(bind_addr).await,
        }?;
        Ok(ExitCode::SUCCESS)
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

async fn seed(url: &str) -> Result<()> {
    let _telemetry = crate::telemetry::init("info");
    seed_demo(url).await?;
    print("The demo brand, logins and plans are there.\n")
}

/// Adds missing demo data.
///
/// # Errors
/// If the database is unreachable or not migrated.
pub async fn seed_demo(url: &str) -> Result<()> {
    let hash = crate::password::hash(crate::plans::seed::DEMO_PASSWORD)?;
    let Ok(mut conn) = pg_link::establish(url).await else {
        bail!("the database cannot be reached")
    };
    crate::plans::seed::seed_demo(&mut conn, &hash)
        .await
        .context("the demo data could not be added; is the database migrated?")
}
