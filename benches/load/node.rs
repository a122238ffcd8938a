//! The peer in Node: the same turn written with Express, the AI SDK and `pg`, in `benches/peers/node`.

use crate::server;
use crate::stage::{Stage, connect, post};
use crate::upstream::RENT;
use anyhow::{Context, Result, ensure};
use std::net::SocketAddr;
use std::path::PathBuf;
use tokio::process::Command;

pub const DATABASE: &str = "plan_advisor_load_node";
/// Where its packages come from.
const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/peers/node");

fn place() -> Result<PathBuf> {
    Ok(server::folder()?.join("node"))
}

/// Installs its packages below target/, and creates its tables, with a franchisee and a conversation for each plan.
pub async fn prepare(database: &str, plans: usize, history: i32) -> Result<()> {
    let output = Command::new(format!("{SOURCE}/install.sh"))
        .arg(place()?)
        .output()
        .await
        .context("install.sh")?;
    let said = String::from_utf8_lossy(&output.stderr);
    let why = said.lines().next().unwrap_or("no reason given");
    ensure!(output.status.success(), "npm could not install its packages: {why}");
    let sql = connect(database).await?;
    sql.batch_execute(include_str!("../peers/node/schema.sql")).await?;
    let seed = format!("SELECT seed_plans({plans}, {history})");
    sql.batch_execute(&seed).await?;
    Ok(())
}

/// Its command line; `install.sh` leaves a link to the right version of Node.js.
pub fn words() -> Result<Vec<String>> {
    let place = place()?;
    let file = |name: &str| place.join(name).to_string_lossy().into_owned();
    Ok(vec![file("node"), file("server.mjs")])
}

pub fn settings(command: &mut Command, database: &str, upstream: SocketAddr, address: SocketAddr) {
    command
        .env("NODE_ENV", "production")
        .env("PORT", address.port().to_string())
        .env("DATABASE_URL", database)
        .env("LLM_BASE_URL", format!("http://{upstream}/v1"));
}

pub fn question(stage: &Stage, plan: usize, rent: Option<usize>) -> Vec<u8> {
    let plan = plan % stage.plan_count();
    let text = rent.map_or_else(
        || "What should I look at next?".to_owned(),
        |rent| format!("{RENT}{rent} per month"),
    );
    post(
        &format!("/api/plans/plan-{plan}/conversation"),
        &format!("sid=session-{plan}"),
        &format!(r#"{{"message":"{text}"}}"#),
    )
}
