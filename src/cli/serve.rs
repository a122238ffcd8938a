//! `serve`: the server with an operator's database.

use super::{build_llm, database, demo_data};
use crate::app::{App, AppState};
use crate::config::Config;
use crate::server::Server;
use crate::store::{Db, migrate};
use anyhow::{Context, Result, bail};
use pg_link::settings;
use pg_link::settings::Unsound;
use plan_model::clock::Clock;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

pub(super) async fn run(config: Config, migrate_first: bool, allow_demo_logins: bool) -> Result<()> {
    let _telemetry = crate::telemetry::init("info");
    super::refuse_half_single_sign_on(&config)?;
    let url = database::url(&config.database)?.to_owned();
    let llm = build_llm(&config.llm, false)?;
    if !llm.is_configured() {
        warn!(
            "No model is configured: everything works but the chat. Set LLM_API_KEY or LLM_BASE_URL, or LLM_PROVIDER=offline"
        );
    }
    if migrate_first {
        database::bring_up_to_date(&url, database::direct_url(&config.database)).await?;
    }
    database::refuse_unfit_pooler(&url).await?;
    look_at_settings(&url).await?;
    let missing = migrate::missing(&url).await;
    if let Ok(missing @ 1..) = missing {
        bail!(
            "the database lacks {missing} of the migrations: run `plan-advisor migrate`, or `plan-advisor serve --migrate`"
        );
    }
    if !allow_demo_logins {
        demo_data::refuse_demo_logins(&url).await?;
    }
    let db = Db::connect(&url, config.database.pool_size).context("DATABASE_URL cannot be used")?;
    let app = App::new(config, db, llm, Clock::System, None);
    // An unreachable database is not an error here: the server waits for it.
    if let Err(error) = missing {
        warn!(error = %error.chain(), "The database cannot be reached yet");
        app.conversations.started_during_an_outage();
    }
    serve(app).await
}

/// Warns about settings that may lose acknowledged commits, and refuses an encoding other than UTF-8. An unreachable
/// database is not an error here.
async fn look_at_settings(url: &str) -> Result<()> {
    for unsound in settings::unsound(url).await.unwrap_or_default() {
        match unsound {
            Unsound::NotDurable { .. } => warn!("The database is not safe: {unsound}"),
            Unsound::Encoding(_) => bail!("the database cannot be used: {unsound}"),
        }
    }
    Ok(())
}

/// Binds and serves until SIGTERM or SIGINT; a second signal exits at once.
pub(super) async fn serve(app: AppState) -> Result<()> {
    crate::http::handlers::operation::prometheus::install();
    crate::http::handlers::operation::prometheus::ask_for_dropped_lines(crate::telemetry::dropped_lines);
    let address = app.config.http.bind_addr;
    let server = Server::bind(app)
        .await
        .with_context(|| format!("cannot listen on {address}; set BIND_ADDR to another one"))?;
    info!("Listening on http://{}", server.local_addr()?);
    let shutdown = CancellationToken::new();
    tokio::spawn(watch_signals(shutdown.clone()));
    server.run(shutdown).await;
    Ok(())
}

async fn watch_signals(shutdown: CancellationToken) {
    let (Ok(mut terminate), Ok(mut interrupt)) = (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return;
    };
    let mut next = async || {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    };
    next().await;
    info!("Shutting down; a second signal ends at once");
    shutdown.cancel();
    next().await;
    std::process::exit(1);
}
