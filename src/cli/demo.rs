//! `demo`: the complete product with one command: private PostgreSQL, demo data, offline advisor.

use super::serve::serve;
use super::{build_llm, database, demo_data, seed_demo};
use crate::app::{App, Demo};
use crate::config::Config;
use crate::plans::seed::{DEMO_LOGINS, DEMO_PASSWORD};
use crate::store::Db;
use anyhow::{Context, Result};
use diesel_async::SimpleAsyncConnection;
use plan_model::clock::Clock;
use private_postgres::{Options, PrivatePostgres};
use std::path::PathBuf;

const DATABASE: &str = "plan_advisor";

pub(super) async fn run(config: Config, home: PathBuf, hosts: Vec<String>, into_this_database: bool) -> Result<()> {
    let _telemetry =
        crate::telemetry::init_for_a_person("warn,plan_advisor=info,llm_client=info,oidc_login=info,pg_link=info");
    super::refuse_half_single_sign_on(&config)?;
    let given = database::url(&config.database).ok().map(str::to_owned);
    if let Some(given) = given.as_deref().filter(|_| !into_this_database) {
        demo_data::refuse_a_strange_database(given).await?;
    }
    let embedded = match given {
        Some(_) => None,
        None => Some(tokio::task::spawn_blocking(move || PrivatePostgres::start(&Options::durable(home))).await??),
    };
    let url = match (&given, &embedded) {
        (Some(url), _) => url.clone(),
        (None, Some(server)) => create_database(server).await?,
        (None, None) => anyhow::bail!("no database"),
    };
    let result = run_on(config, &url, hosts, embedded.as_ref()).await;
    if let Some(server) = embedded {
        tokio::task::spawn_blocking(move || server.stop()).await?;
    }
    result
}

async fn create_database(server: &PrivatePostgres) -> Result<String> {
    let mut conn = pg_link::establish(&server.url("postgres"))
        .await
        .map_err(|_| anyhow::anyhow!("the private PostgreSQL does not answer"))?;
    // Fails from the second start on, because the database exists; any other error shows when it is opened.
    let _ = conn.batch_execute(&format!("CREATE DATABASE {DATABASE}")).await;
    Ok(server.url(DATABASE))
}

async fn run_on(config: Config, url: &str, hosts: Vec<String>, embedded: Option<&PrivatePostgres>) -> Result<()> {
    let direct = database::direct_url(&config.database).filter(|_| embedded.is_none());
    database::bring_up_to_date(url, direct).await?;
    seed_demo(url).await?;
    let llm = build_llm(&config.llm, true)?;
    let db = Db::connect(url, config.database.pool_size).context("the database cannot be used")?;
    greet(&config, &llm.model_name(), embedded)?;
    let demo = Demo::new(hosts, config.http.public_url.as_deref());
    let app = App::new(config, db, llm, Clock::System, Some(demo));
    // The private server's lock guarantees that no other process uses this database.
    app.conversations.recover(embedded.is_some()).await?;
    serve(app).await
}

fn greet(config: &Config, model: &str, embedded: Option<&PrivatePostgres>) -> Result<()> {
    use std::fmt::Write;
    let mut text = format!(
        "\n  Plan Advisor   http://{}/\n  Answers        {model}\n",
        config.http.bind_addr
    );
    if let Some(server) = embedded {
        writeln!(text, "  Data           {}", server.home().display())?;
        if let Some(from) = server.moved_from() {
            writeln!(
                text,
                "                 (PostgreSQL's own account cannot enter {})",
                from.display()
            )?;
        }
    }
    writeln!(text, "\n  Log in with the password {DEMO_PASSWORD} as")?;
    for login in &DEMO_LOGINS {
        writeln!(text, "    {:<18} {}", login.email, login.note)?;
    }
    if !config.http.bind_addr.ip().is_loopback() {
        writeln!(
            text,
            "\n  Whoever reaches {} can log in: this password is public.",
            config.http.bind_addr
        )?;
    }
    writeln!(text, "\n  Ctrl-C stops everything; the data stays.\n")?;
    super::print(&text)
}
