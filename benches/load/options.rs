//! Command line options.

use crate::target::Who;
use anyhow::{Result, bail};
use std::path::PathBuf;

/// The parts of the bench, in order.
pub const PARTS: [&str; 9] = [
    "start",
    "turn",
    "paced",
    "burst",
    "memory",
    "scale",
    "instances",
    "instructions",
    "growth",
];

const HELP: &str =
    "cargo bench --bench load -- [--quick] [--only PART,PART] [--reps N] [--peers PEER,PEER] [--server FILE] …
  --quick     shorter runs, one repetition, 1,000 streams at most
  --only      some of: start, turn, paced, burst, memory, scale, instances, instructions, growth
  --reps      repetitions of what is compared with the peers (2)
  --peers     some of: relay, node; or none (relay,node)
  --server    another binary of plan-advisor
  --unpinned  the server shares all processors instead of having one to itself
  --ahead     model and readers run before PostgreSQL: delays without their wait for a processor (root)
  --trace     prints what one turn says to the database";

#[derive(Debug, Clone)]
pub struct Options {
    pub quick: bool,
    pub trace: bool,
    pub unpinned: bool,
    /// The model and the readers run at real-time priority.
    pub ahead: bool,
    pub reps: usize,
    /// The servers to compare with.
    pub peers: Vec<Who>,
    /// The binary under test.
    pub server: PathBuf,
    only: Vec<String>,
}

impl Options {
    /// `None` if there is nothing to run: for `--help`, and when cargo runs tests instead of benchmarks.
    pub fn read(arguments: impl IntoIterator<Item = String>, built: &str) -> Result<Option<Self>> {
        let mut options = Self {
            quick: false,
            trace: false,
            unpinned: false,
            ahead: false,
            reps: 0,
            peers: vec![Who::Relay, Who::Node],
            server: built.into(),
            only: Vec::new(),
        };
        let mut is_bench = false;
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().unwrap_or_default();
            match argument.as_str() {
                // Passed by cargo.
                "--bench" => is_bench = true,
                "--quick" => options.quick = true,
                "--unpinned" => options.unpinned = true,
                "--ahead" => options.ahead = true,
                "--trace" => options.trace = true,
                "--reps" => options.reps = value().parse()?,
                "--peers" => options.peers = peers(&value())?,
                "--server" => options.server = value().into(),
                "--only" => options.only = value().split(',').map(str::to_owned).collect(),
                _ => bail!("{HELP}"),
            }
        }
        if let Some(unknown) = options.only.iter().find(|part| !PARTS.contains(&part.as_str())) {
            bail!("there is no part {unknown:?}\n{HELP}");
        }
        if options.reps == 0 {
            options.reps = if options.quick { 1 } else { 2 };
        }
        Ok(is_bench.then_some(options))
    }

    /// Whether anything that runs is compared with the peers.
    pub fn compares(&self) -> bool {
        ["paced", "burst", "memory"].iter().any(|part| self.wants(part))
    }

    pub fn wants(&self, part: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == part)
    }
}

fn peers(names: &str) -> Result<Vec<Who>> {
    let one = |name| match name {
        "relay" => Ok(Who::Relay),
        "node" => Ok(Who::Node),
        _ => bail!("there is no peer {name:?}\n{HELP}"),
    };
    match names {
        "none" => Ok(Vec::new()),
        _ => names.split(',').map(one).collect(),
    }
}
