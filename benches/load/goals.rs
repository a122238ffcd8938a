//! What is compared with the peers: the rows of the table, what must hold and what is aimed at, as ratios within the run.

use crate::cells::{Cell, Cells};
use crate::table::Bound::{self, Node, NodeTimes, Relay, Value};
use crate::table::{Row, Table};
use crate::target::Who;

struct Goal {
    name: &'static str,
    unit: &'static str,
    /// Keys of the workload and the measure.
    of: (&'static str, &'static str),
    must: &'static [Bound],
    aim: &'static [Bound],
}

/// The rows of README's table; the others are in docs/BENCHMARKS.md.
const IN_README: [(&str, &str); 5] = [
    ("paced100", "cpu"),
    ("burst", "cpu"),
    ("tool", "cpu"),
    ("paced100", "postgres"),
    ("paced100", "delay p99"),
];

const fn goal(
    name: &'static str,
    unit: &'static str,
    of: (&'static str, &'static str),
    must: &'static [Bound],
    aim: &'static [Bound],
) -> Goal {
    Goal {
        name,
        unit,
        of,
        must,
        aim,
    }
}

/// A row without a budget.
const fn figure(name: &'static str, unit: &'static str, of: (&'static str, &'static str)) -> Goal {
    goal(name, unit, of, &[], &[])
}

/// CPU seconds are per 1,000 turns.
#[rustfmt::skip]
const GOALS: [Goal; 32] = [
    goal("CPU of 1,000 turns, 10 streams of 100 tokens", "s", ("paced10", "cpu"), &[Relay(2.5), Node(4.0)], &[Relay(1.8), Node(6.0)]),
    goal("CPU of 1,000 turns, 100 streams", "s", ("paced100", "cpu"), &[Relay(2.5), Node(4.0)], &[Relay(1.8), Node(6.0)]),
    goal("CPU of 1,000 turns, 400 streams", "s", ("paced400", "cpu"), &[Relay(2.5), Node(4.0)], &[Relay(1.8), Node(6.0)]),
    goal("CPU of 1,000 turns, bursts of 200 tokens", "s", ("burst", "cpu"), &[Node(4.0)], &[Node(6.0)]),
    goal("CPU of 1,000 turns, bursts with a tool call", "s", ("tool", "cpu"), &[Node(4.0)], &[Node(6.0)]),
    goal("CPU of 1,000 turns, one token: the fixed cost", "s", ("one", "cpu"), &[Node(2.5)], &[Node(4.0)]),
    goal("PostgreSQL's CPU of 1,000 turns, 100 streams", "s", ("paced100", "postgres"), &[NodeTimes(1.6)], &[NodeTimes(1.2)]),
    goal("PostgreSQL's CPU of 1,000 turns, bursts", "s", ("burst", "postgres"), &[NodeTimes(1.6)], &[NodeTimes(1.2)]),
    figure("PostgreSQL's CPU of 1,000 turns, bursts with a tool call", "s", ("tool", "postgres")),
    goal("PostgreSQL's CPU of 1,000 turns, one token", "s", ("one", "postgres"), &[NodeTimes(1.6)], &[NodeTimes(1.2)]),
    figure("10 streams: first byte p50", "ms", ("paced10", "first byte p50")),
    figure("10 streams: token delay p50", "ms", ("paced10", "delay p50")),
    goal("10 streams: token delay p99", "ms", ("paced10", "delay p99"), &[Value(5.0)], &[Value(2.0)]),
    figure("10 streams: token delay p99.9", "ms", ("paced10", "delay p99.9")),
    figure("100 streams: first byte p50", "ms", ("paced100", "first byte p50")),
    figure("100 streams: first byte p99", "ms", ("paced100", "first byte p99")),
    figure("100 streams: token delay p50", "ms", ("paced100", "delay p50")),
    goal("100 streams: token delay p99", "ms", ("paced100", "delay p99"), &[Value(5.0)], &[Value(2.0)]),
    figure("100 streams: token delay p99.9", "ms", ("paced100", "delay p99.9")),
    figure("100 streams: wait for a processor in 1,000 turns", "s", ("paced100", "waited")),
    figure("400 streams: token delay p50", "ms", ("paced400", "delay p50")),
    figure("400 streams: token delay p99", "ms", ("paced400", "delay p99")),
    figure("bursts: turns a second", "", ("burst", "turns a second")),
    figure("bursts: turn p50", "ms", ("burst", "turn p50")),
    figure("bursts: turn p99", "ms", ("burst", "turn p99")),
    figure("bursts: request to the model", "KiB", ("burst", "request")),
    figure("bursts with a tool call: turns a second", "", ("tool", "turns a second")),
    figure("bursts with a tool call: turn p50", "ms", ("tool", "turn p50")),
    figure("bursts with a tool call: turn p99", "ms", ("tool", "turn p99")),
    figure("one token: turns a second", "", ("one", "turns a second")),
    figure("one token: turn p50", "ms", ("one", "turn p50")),
    figure("one token: turn p99", "ms", ("one", "turn p99")),
];

const SERVERS: [Who; 3] = [Who::Relay, Who::Node, Who::Ours];

pub fn report(table: &mut Table, cells: &Cells) {
    for goal in GOALS.iter().filter(|goal| cells.has(goal.of.0)) {
        let row = row(goal.name, goal.unit, |who| cells.get(goal.of.0, goal.of.1, who));
        let row = row.bounds(goal.must, goal.aim);
        table.add(if IN_README.contains(&goal.of) { row.short() } else { row });
    }
    if cells.has("paced100") {
        // The model takes 50 ms itself.
        let over = |measure| {
            row(format!("100 streams: {measure} over direct"), "ms", |who| {
                let direct = cells.get("paced100", measure, Who::Direct)?.median;
                Some(map(cells.get("paced100", measure, who)?, |value| value - direct))
            })
        };
        table.add(over("first token p50").bounds(&[Value(30.0)], &[Value(15.0)]));
        table.add(over("first token p99").bounds(&[Value(100.0)], &[Value(50.0)]).short());
    }
    if cells.has("burst") {
        table.add(row("one more token in a burst: CPU", "µs", |who| {
            let (burst, one) = (cells.get("burst", "cpu", who)?, cells.get("one", "cpu", who)?);
            Cell::of(&[(burst.median - one.median) * 1_000.0 / 199.0])
        }));
    }
}

/// A row with a cell of each server.
pub fn row(name: impl Into<String>, unit: &'static str, cell: impl Fn(Who) -> Option<Cell>) -> Row {
    SERVERS
        .into_iter()
        .fold(Row::empty(name, unit), |row, who| row.with(who, cell(who)))
}

fn map(cell: Cell, change: impl Fn(f64) -> f64) -> Cell {
    Cell {
        median: change(cell.median),
        min: change(cell.min),
        max: change(cell.max),
    }
}
