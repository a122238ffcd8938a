//! How steady the machine was: a fixed piece of work on the server's CPU, before, between and after the repetitions.

use crate::process;
use crate::stage::Stage;
use crate::{page::About, server};
use anyhow::{Context, Result};
use std::hint::black_box;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::time::Instant;

/// The first argument that makes this binary do the fixed work.
pub const MODE: &str = "calibrate";
const STEPS: u64 = 100_000_000;
const ROUND_TRIPS: usize = 5_000;

/// What was timed, in milliseconds.
const NAMES: [&str; 3] = [
    "loop, CPU time",
    "loop, by the clock",
    "5,000 round trips over loopback, by the clock",
];

#[derive(Debug, Default)]
pub struct Calibration {
    times: Vec<[f64; 3]>,
    load: Vec<f64>,
}

/// The fixed work; prints its times.
pub fn work() -> Result<()> {
    let (begun, spent) = (Instant::now(), process::cpu(std::process::id()).unwrap_or_default());
    let mut state = 1_u64;
    for step in 0..STEPS {
        state = black_box(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(step));
    }
    let clock = begun.elapsed();
    let cpu = process::cpu(std::process::id())
        .unwrap_or_default()
        .saturating_sub(spent);
    let trips = ping_pong()?;
    println!("{} {} {trips}", cpu.as_secs_f64() * 1e3, clock.as_secs_f64() * 1e3);
    Ok(())
}

fn ping_pong() -> Result<f64> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let mut near = TcpStream::connect(listener.local_addr()?)?;
    let (mut far, _) = listener.accept()?;
    near.set_nodelay(true)?;
    far.set_nodelay(true)?;
    std::thread::spawn(move || {
        let mut byte = [0];
        while far.read_exact(&mut byte).and_then(|()| far.write_all(&byte)).is_ok() {}
    });
    let (begun, mut byte) = (Instant::now(), [0]);
    for _ in 0..ROUND_TRIPS {
        near.write_all(&byte)?;
        near.read_exact(&mut byte)?;
    }
    Ok(begun.elapsed().as_secs_f64() * 1e3)
}

impl Calibration {
    pub async fn take(&mut self, stage: &Stage) -> Result<()> {
        let this = std::env::current_exe()?;
        let mut command = server::command(&[&this.to_string_lossy(), MODE], stage.cores)?;
        let output = command.stdout(Stdio::piped()).output().await?;
        let text = String::from_utf8_lossy(&output.stdout);
        let times: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        self.times
            .push(times.try_into().ok().context("no times of the calibration")?);
        let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        self.load
            .extend(load.split(' ').next().and_then(|load| load.parse::<f64>().ok()));
        Ok(())
    }

    /// What a digit of the table is worth.
    pub fn about(&self) -> About {
        let spread = |values: &[f64]| {
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            (least, values.iter().copied().fold(0.0, f64::max))
        };
        let times = NAMES.iter().enumerate().map(|(place, name)| {
            let (least, most) = spread(&self.times.iter().map(|times| times[place]).collect::<Vec<_>>());
            format!("{name} {least:.0} to {most:.0} ms (×{:.2})", most / least)
        });
        let (least, most) = spread(&self.load);
        vec![
            ("the same fixed work varied", times.collect::<Vec<_>>().join("; ")),
            ("load average", format!("{least:.1} to {most:.1}")),
        ]
    }
}
