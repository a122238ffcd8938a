//! Counts that do not vary with the machine: instructions and system calls, per token and per turn.
//!
//! Ten paced streams of 100 and then of 300 tokens: the difference is the cost of 200 tokens, what is left is that of a turn.

use crate::paced;
use crate::process;
use crate::stage::Stage;
use crate::table::{Row, Table};
use crate::target::{Target, Who};
use crate::{burst, server};
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::iter;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::process::Command;
use tokio::time::sleep;

const STREAMS: usize = 10;
const SHORT: usize = 100;
const LONG: usize = 300;

/// Counts by name.
type Counts = BTreeMap<String, f64>;

pub async fn measure(stage: &Arc<Stage>, table: &mut Table) -> Result<()> {
    let mut results = Vec::new();
    for who in [Who::Relay, Who::Ours] {
        results.push((who, instructions(stage, table, who).await));
    }
    report(table, results, &["instructions"], "thousands");
    let mut results = Vec::new();
    for who in [Who::Relay, Who::Ours] {
        results.push((who, system_calls(stage, table, who).await));
    }
    report(
        table,
        results,
        &["reads", "writes", "epoll waits", "futex calls", "all system calls"],
        "",
    );
    Ok(())
}

/// The counts of one token and of a turn without tokens.
struct Slope {
    token: Counts,
    turn: Counts,
}

fn slope(short: &Counts, long: &Counts) -> Slope {
    let of = |counts: &Counts, name: &str| counts.get(name).copied().unwrap_or(0.0) / STREAMS as f64;
    let token = |name: &String| (of(long, name) - of(short, name)) / (LONG - SHORT) as f64;
    let pairs = |value: &dyn Fn(&String) -> f64| long.keys().map(|name| (name.clone(), value(name))).collect();
    Slope {
        token: pairs(&token),
        turn: pairs(&|name| of(short, name) - token(name) * SHORT as f64),
    }
}

fn report(table: &mut Table, results: Vec<(Who, Result<Slope>)>, names: &[&str], unit: &'static str) {
    for name in names {
        // What the wake-ups of idle threads add to system calls is more than a turn has.
        let per_turn = (*name == "instructions").then_some("turn");
        for per in iter::once("token").chain(per_turn) {
            let mut row = Row::empty(format!("{STREAMS} streams, counted: {name} per {per}"), unit);
            for (who, slope) in &results {
                if let Ok(Slope { token, turn }) = slope {
                    let count = if per == "token" { token } else { turn }.get(*name).copied();
                    row = row.with(*who, count.and_then(|count| crate::cells::Cell::of(&[count])));
                }
            }
            if row.ours.is_some() {
                table.add(row);
            }
        }
    }
    for error in results.iter().filter_map(|(_, result)| result.as_ref().err()) {
        eprintln!("  left out: {error:#}");
    }
}

async fn is_installed(tool: &str) -> Result<()> {
    let mut command = Command::new(tool);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().await;
    ensure!(status.is_ok_and(|status| status.success()), "{tool} is not installed");
    Ok(())
}

/// Ten streams in one round.
async fn round(stage: &Arc<Stage>, table: &mut Table, target: &Target, tokens: usize) -> Result<()> {
    paced::round(stage, table, target, STREAMS, tokens).await?;
    // The end of a turn is written after its last event.
    sleep(Duration::from_millis(500)).await;
    Ok(())
}

async fn instructions(stage: &Arc<Stage>, table: &mut Table, who: Who) -> Result<Slope> {
    is_installed("valgrind").await?;
    let folder = server::folder()?.join("callgrind");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let out = format!("--callgrind-out-file={}/out", folder.display());
    stage.rewind(who).await?;
    let tool = ["valgrind", "-q", "--tool=callgrind", "--instr-atstart=no", &out];
    let target = Target::start_under(stage, who, &tool).await?;
    let pid = target.server.as_ref().context("no process")?.pid.to_string();
    control(&["-i", "on", &pid]).await?;
    // The first rounds translate the code.
    for tokens in [SHORT, SHORT] {
        round(stage, table, &target, tokens).await?;
    }
    let mut counts = Vec::new();
    for tokens in [SHORT, LONG] {
        control(&["-z", &pid]).await?;
        round(stage, table, &target, tokens).await?;
        control(&[&format!("-d={tokens}"), &pid]).await?;
        let thousands = total(&folder, tokens)? / 1e3;
        counts.push(Counts::from([("instructions".to_owned(), thousands)]));
    }
    target.stop().await?;
    Ok(slope(&counts[0], &counts[1]))
}

async fn control(arguments: &[&str]) -> Result<()> {
    let output = Command::new("callgrind_control").args(arguments).output().await?;
    ensure!(
        output.status.success(),
        "callgrind_control: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

/// The sum over all functions in the newest dump.
fn total(folder: &Path, tokens: usize) -> Result<f64> {
    let mut dumps: Vec<PathBuf> = std::fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    dumps.sort_by_key(|dump| dump.metadata().and_then(|data| data.modified()).ok());
    let newest = dumps.last().with_context(|| format!("no dump after {tokens} tokens"))?;
    let text = std::fs::read_to_string(newest)?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("totals: ").or(line.strip_prefix("summary: ")));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .with_context(|| format!("no total in {}", newest.display()))
}

async fn system_calls(stage: &Arc<Stage>, table: &mut Table, who: Who) -> Result<Slope> {
    is_installed("strace").await?;
    stage.rewind(who).await?;
    let target = Target::start(stage, who).await?;
    burst::warm_up(stage, &target).await?;
    let pid = target.server.as_ref().context("no process")?.pid;
    let file = server::folder()?.join("strace.txt");
    let mut counts = Vec::new();
    for tokens in [SHORT, LONG] {
        let mut strace = Command::new("strace");
        strace
            .args(["-f", "-c", "-U", "name,calls", "-p", &pid.to_string(), "-o"])
            .arg(&file);
        let mut strace = strace.stderr(Stdio::null()).kill_on_drop(true).spawn()?;
        while !process::is_traced(pid) {
            ensure!(strace.try_wait()?.is_none(), "strace may not trace the server");
            sleep(Duration::from_millis(10)).await;
        }
        round(stage, table, &target, tokens).await?;
        let tracer = strace.id().context("strace ended")?.to_string();
        Command::new("kill").args(["-INT", &tracer]).status().await?;
        strace.wait().await?;
        counts.push(calls(&std::fs::read_to_string(&file)?));
    }
    target.stop().await?;
    Ok(slope(&counts[0], &counts[1]))
}

/// The lines of strace's summary: name and number.
fn calls(text: &str) -> Counts {
    let mut counts = Counts::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let (Some(name), Some(Ok(count))) = (words.next(), words.next().map(str::parse::<f64>)) else {
            continue;
        };
        let kind = match name {
            "total" => continue,
            "read" | "readv" | "recvfrom" | "recvmsg" => "reads",
            "write" | "writev" | "sendto" | "sendmsg" => "writes",
            "epoll_wait" | "epoll_pwait" | "epoll_pwait2" => "epoll waits",
            "futex" => "futex calls",
            _ => "others",
        };
        for kind in [kind, "all system calls"] {
            *counts.entry(kind.to_owned()).or_default() += count;
        }
    }
    counts
}
