//! Load bench: the release binary between a mock model server and readers in this process, over real sockets, with a real
//! PostgreSQL.
//!
//! Prints a table and writes the same as JSON. Slow figures do not fail: the table shows each beside its budget.

use anyhow::{Context, Result};
use options::Options;
use stage::Stage;
use std::sync::Arc;
use table::Table;

mod burst;
mod client;
mod cores;
mod crowd;
mod growth;
mod http;
mod memory;
mod options;
mod paced;
mod process;
mod server;
mod stage;
mod stats;
mod table;
mod token;
mod turn;
mod upstream;
mod wire;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<()> {
    let Some(options) = Options::read(std::env::args().skip(1))? else {
        return Ok(());
    };
    let url = std::env::var("TEST_DATABASE_URL").context("TEST_DATABASE_URL is not set; run it with `make bench`")?;
    let stage = Arc::new(Stage::set(options, &url).await?);
    let mut table = Table::default();
    run(&stage, &mut table).await?;
    let about = about(&stage).await?;
    table.print(&about);
    let path = server::folder()?.join("load.json");
    table.write(&path, &about)?;
    println!("\nThe same as JSON: {}", path.display());
    Ok(())
}

async fn run(stage: &Arc<Stage>, table: &mut Table) -> Result<()> {
    for part in options::PARTS.into_iter().filter(|part| stage.options.wants(part)) {
        eprintln!("{part}");
        match part {
            "start" => memory::start(stage, table).await?,
            "turn" => turn::measure(stage, table).await?,
            "burst" => burst::measure(stage, table).await?,
            "paced" => paced::measure(stage, table).await?,
            "memory" => memory::measure(stage, table).await?,
            _ => growth::measure(stage, table).await?,
        }
    }
    Ok(())
}

/// The conditions of the run.
async fn about(stage: &Stage) -> Result<Vec<(&'static str, String)>> {
    let processor = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processor
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let fsync = stage.setting("fsync").await? == "on" && stage.setting("synchronous_commit").await? != "off";
    let disk = if fsync {
        "every commit waits for the disk"
    } else {
        "no commit waits for the disk: turns look cheaper than they are"
    };
    let version = env!("CARGO_PKG_VERSION");
    let run = if stage.options.quick { "quick" } else { "full" };
    Ok(vec![
        ("processor", model.map_or("?", |(_, name)| name).to_owned()),
        ("machine", stage.cores.describe()),
        ("load", load.split(' ').next().unwrap_or_default().to_owned()),
        (
            "PostgreSQL",
            format!("{}; {disk}", stage.setting("server_version").await?),
        ),
        (
            "server",
            format!("plan-advisor {version}, RUST_LOG=warn, no rate limits"),
        ),
        ("run", run.to_owned()),
    ])
}
