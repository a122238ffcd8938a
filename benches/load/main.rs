//! Load bench: the release binary and two peers, each between a mock model server and readers in this process, over real sockets,
//! with a real PostgreSQL.
//!
//! Prints a table and writes the same as JSON and Markdown. Slow figures do not fail: the table shows each beside its budget.

use anyhow::{Context, Result};
use calibrate::Calibration;
use options::Options;
use page::About;
use stage::Stage;
use std::sync::Arc;
use table::Table;

mod burst;
mod calibrate;
mod cells;
mod client;
mod cores;
mod counts;
mod crowd;
mod goals;
mod growth;
mod http;
mod instances;
mod memory;
mod node;
mod options;
mod paced;
mod page;
mod process;
mod relay;
mod scale;
mod server;
mod side;
mod stage;
mod stats;
mod table;
mod target;
mod token;
mod turn;
mod upstream;
mod wire;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1).peekable();
    // This binary is also two of the processes that it starts.
    match arguments.peek().map(String::as_str) {
        Some(relay::MODE) => return relay::run(arguments.skip(1)).await,
        Some(calibrate::MODE) => return calibrate::work(),
        _ => {}
    }
    let Some(options) = Options::read(arguments, server::BUILT)? else {
        return Ok(());
    };
    let url = std::env::var("TEST_DATABASE_URL").context("TEST_DATABASE_URL is not set; run it with `make bench`")?;
    let stage = Arc::new(Stage::set(options, &url).await?);
    let (mut table, mut calibration) = (Table::default(), Calibration::default());
    calibration.take(&stage).await?;
    run(&stage, &mut table, &mut calibration).await?;
    calibration.take(&stage).await?;
    table.finish();
    let mut about = about(&stage).await?;
    about.extend(calibration.about());
    page::print(&table, &about);
    let folder = server::folder()?;
    page::write(&folder, &table, &about)?;
    println!(
        "\nThe same as JSON and Markdown: {}/load.json, table.md",
        folder.display()
    );
    Ok(())
}

async fn run(stage: &Arc<Stage>, table: &mut Table, calibration: &mut Calibration) -> Result<()> {
    let wants = |part| {
        let wanted = stage.options.wants(part);
        if wanted {
            eprintln!("{part}");
        }
        wanted
    };
    if wants("start") {
        memory::start(stage, table).await?;
    }
    if wants("turn") {
        turn::measure(stage, table).await?;
    }
    if wants("paced") | wants("burst") {
        side::measure(stage, table, calibration).await?;
    }
    if wants("memory") {
        memory::measure(stage, table).await?;
    }
    if wants("scale") {
        scale::measure(stage, table).await?;
    }
    if wants("instances") {
        instances::measure(stage, table).await?;
    }
    if wants("instructions") {
        counts::measure(stage, table).await?;
    }
    if wants("growth") {
        growth::measure(stage, table).await?;
    }
    Ok(())
}

/// The conditions of the run.
async fn about(stage: &Stage) -> Result<About> {
    let processor = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processor
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let fsync = stage.setting("fsync").await? == "on" && stage.setting("synchronous_commit").await? != "off";
    let disk = if fsync {
        "every commit waits for the disk"
    } else {
        "no commit waits for the disk: turns look cheaper than they are"
    };
    let autovacuum = stage.setting("autovacuum").await?;
    let version = env!("CARGO_PKG_VERSION");
    let length = if stage.options.quick { "quick" } else { "full" };
    let order = if stage.options.ahead {
        "; model and readers run before PostgreSQL"
    } else {
        ""
    };
    let peers: Vec<_> = stage.options.peers.iter().map(|peer| peer.name()).collect();
    Ok(vec![
        ("processor", model.map_or("?", |(_, name)| name).to_owned()),
        ("machine", stage.cores.describe() + order),
        (
            "PostgreSQL",
            format!(
                "{}; {disk}; autovacuum {autovacuum}",
                stage.setting("server_version").await?
            ),
        ),
        (
            "server",
            format!("plan-advisor {version}, RUST_LOG=warn, no rate limits"),
        ),
        (
            "run",
            format!(
                "{length}; repetitions of what is compared: {}, order rotated, median; peers: {}",
                stage.options.reps,
                peers.join(", ")
            ),
        ),
    ])
}
