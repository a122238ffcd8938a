//! Command line options.

use anyhow::{Result, bail};

/// The parts of the bench, in order.
pub const PARTS: [&str; 6] = ["start", "turn", "burst", "paced", "memory", "growth"];

const HELP: &str = "cargo bench --bench load -- [--quick] [--only PART,PART] [--unpinned] [--trace]
  --quick     about a minute: shorter runs, 1,000 streams at most
  --only      some of: start, turn, burst, paced, memory, growth
  --unpinned  the server shares all processors instead of having one to itself
  --trace     prints what one turn says to the database";

#[derive(Debug, Clone, Default)]
pub struct Options {
    pub quick: bool,
    pub trace: bool,
    pub unpinned: bool,
    only: Vec<String>,
}

impl Options {
    /// `None` if there is nothing to run: for `--help`, and when cargo runs tests instead of benchmarks.
    pub fn read(arguments: impl IntoIterator<Item = String>) -> Result<Option<Self>> {
        let mut options = Self::default();
        let mut is_bench = false;
        let mut arguments = arguments.into_iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                // Passed by cargo.
                "--bench" => is_bench = true,
                "--quick" => options.quick = true,
                "--unpinned" => options.unpinned = true,
                "--trace" => options.trace = true,
                "--only" => {
                    options.only = arguments
                        .next()
                        .unwrap_or_default()
                        .split(',')
                        .map(str::to_owned)
                        .collect();
                }
                _ => bail!("{HELP}"),
            }
        }
        if let Some(unknown) = options.only.iter().find(|part| !PARTS.contains(&part.as_str())) {
            bail!("there is no part {unknown:?}\n{HELP}");
        }
        Ok(is_bench.then_some(options))
    }

    pub fn wants(&self, part: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == part)
    }
}
