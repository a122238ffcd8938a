//! Side by side: every workload on every server, once per repetition, in rotated order.

use crate::calibrate::Calibration;
use crate::cells::Cells;
use crate::goals;
use crate::stage::Stage;
use crate::table::Table;
use crate::target::{Target, Who};
use crate::upstream::Script;
use crate::{burst, paced};
use anyhow::Result;
use std::sync::Arc;

/// A workload and its key in the results.
#[derive(Debug, Clone, Copy)]
pub struct Work {
    pub key: &'static str,
    part: &'static str,
    load: Load,
}

#[derive(Debug, Clone, Copy)]
enum Load {
    /// So many streams.
    Paced(usize),
    Burst(Script),
}

const WORKS: [Work; 6] = [
    paced_by("paced10", 10),
    paced_by("paced100", 100),
    paced_by("paced400", 400),
    burst_of("burst", Script::burst(200)),
    burst_of(
        "tool",
        Script {
            calls_tool: true,
            ..Script::burst(200)
        },
    ),
    burst_of("one", Script::burst(1)),
];

const fn paced_by(key: &'static str, streams: usize) -> Work {
    Work {
        key,
        part: "paced",
        load: Load::Paced(streams),
    }
}

const fn burst_of(key: &'static str, script: Script) -> Work {
    Work {
        key,
        part: "burst",
        load: Load::Burst(script),
    }
}

impl Work {
    /// A hop calls no tools; the model itself is only needed for the times of paced streams.
    fn suits(&self, who: Who) -> bool {
        match self.load {
            Load::Paced(_) => true,
            Load::Burst(script) => who != Who::Direct && !(script.calls_tool && who.is_hop()),
        }
    }
}

pub async fn measure(stage: &Arc<Stage>, table: &mut Table, calibration: &mut Calibration) -> Result<()> {
    let mut cells = Cells::default();
    let mut all = vec![Who::Direct, Who::Ours];
    all.extend(&stage.options.peers);
    let works = WORKS.iter().filter(|work| stage.options.wants(work.part));
    for rep in 0..stage.options.reps {
        eprintln!("repetition {}", rep + 1);
        for work in works.clone() {
            all.rotate_left(1);
            for who in all.iter().copied().filter(|who| work.suits(*who)) {
                eprintln!("  {}, {}", work.key, who.name());
                stage.rewind(who).await?;
                let target = Target::start(stage, who).await?;
                burst::warm_up(stage, &target).await?;
                let figures = match work.load {
                    Load::Paced(streams) => paced::run(stage, table, &target, streams).await?,
                    Load::Burst(script) => burst::run(stage, table, &target, script).await?,
                };
                target.stop().await?;
                cells.put(work.key, who, figures);
            }
        }
        calibration.take(stage).await?;
    }
    goals::report(table, &cells);
    Ok(())
}
