//! `serve`: the server on an operator's database.

use super::{build_llm, database_url};
use crate::app::{App, AppState};
use crate::config::Config;
use crate::model::clock::Clock;
use crate::server::Server;
use crate::store::settings::{self, Unsound};
use crate::store::{Db, migrate};
use anyhow::{Context, Result, bail};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tracing::{info, warn};

pub async fn run(config: Config, migrate_first: bool) -> Result<()> {
    let _telemetry = crate::telemetry::init("info");
    let url = database_url(&config.database)?.to_owned();
    let llm = build_llm(&config.llm, false)?;
    if !llm.is_configured() {
        warn!(
            "No model is configured: everything works but the chat. Set LLM_API_KEY or LLM_BASE_URL, or LLM_PROVIDER=offline"
        );
    }
    look_at_settings(&url).await?;
    if migrate_first {
        migrate::run(&url)
            .await
            .context("the database could not be brought up to date")?;
    } else if let Ok(missing @ 1..) = migrate::missing(&url).await {
        // One that cannot be reached yet is waited for, as ever.
        bail!(
            "the database lacks {missing} of the migrations: run `plan-advisor migrate`, or `plan-advisor serve --migrate`"
        );
    }
    let db = Db::connect(&url, config.database.pool_size)
        .await
        .context("DATABASE_URL cannot be used")?;
    let app = App::new(config, db, llm, Clock::System, false);
    // The database may come later; whatever a dead process left is found by the reaper then.
    if let Err(error) = app.conversations.recover(false).await {
        warn!(error = %error, "The database cannot be reached yet");
    }
    serve(app).await
}

/// Says loudly where the database may lose what we acknowledge, and refuses one that cannot hold what people say. One that
/// cannot be reached yet is waited for, as ever.
async fn look_at_settings(url: &str) -> Result<()> {
    for unsound in settings::unsound(url).await.unwrap_or_default() {
        match unsound {
            Unsound::NotDurable { .. } => warn!("The database is not safe: {unsound}"),
            Unsound::Encoding(_) => bail!("the database cannot be used: {unsound}"),
        }
    }
    Ok(())
}

/// Binds and serves until SIGTERM or SIGINT; a second signal ends at once.
pub async fn serve(app: AppState) -> Result<()> {
    crate::http::metrics::install();
    crate::http::metrics::ask_for_dropped_lines(crate::telemetry::dropped_lines);
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
