//! Writes RELIABILITY.md: the line of this run, what was done how often, and what was not done.

use crate::breaks::Caught;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Rows of the fault matrix that no run of the campaign touches, and why.
const NOT_EXERCISED: &[(&str, &str, &str)] = &[
    (
        "F18",
        "the listening connection is lost",
        "there is none: no LISTEN/NOTIFY",
    ),
    ("F19", "the notification queue is full", "there is none"),
    (
        "F53",
        "memory limit near",
        "nothing looks at free memory: a turn's is bounded (F30), and so is the number of turns a person may run. \
         Past a hard limit the process ends, which is F1-F5",
    ),
    ("F12", "in the short form: the database asleep", "long form only"),
    (
        "F6",
        "in the short form: zombies",
        "long form only, as a lease takes its 30 seconds",
    ),
    (
        "F16",
        "in the short form: disk full",
        "long form only, and as root: it needs a file system of its own",
    ),
    (
        "F44",
        "in the short form: nginx in front",
        "long form only, with Debian's nginx",
    ),
    (
        "F45",
        "in the short form: loss and reordering",
        "long form only, and as root; latency is in both",
    ),
    (
        "F47",
        "in the short form: clock jumps",
        "long form only, with Debian's faketime",
    ),
];

const ROWS: &[(&str, &str)] = &[
    (
        "F1-F5",
        "the process dies or fails: before, at and behind the claim, in mid-answer, between the statements of the commit, before `done`",
    ),
    ("F6", "a process sleeps past its leases and wakes up"),
    ("F7", "SIGTERM under load"),
    ("F8", "SIGTERM twice"),
    ("F9", "a panic in every place of a turn, and in the housekeeping"),
    ("F10", "the database stops without warning"),
    ("F11", "connections to the database break, also within COMMIT"),
    ("F12", "the database is asleep"),
    ("F13", "somebody holds a row"),
    ("F14", "the pool is too small"),
    ("F15", "the database refuses connections"),
    ("F16", "disk full under data and WAL"),
    ("F17", "deadlock"),
    ("F20", "the model is not there"),
    ("F21", "the model's TLS is wrong"),
    ("F22", "the model refuses"),
    ("F23", "the model answers something else"),
    ("F24", "the model is late"),
    ("F25", "the model falls silent"),
    ("F26", "the model's answer ends anywhere"),
    ("F27", "the model's connection breaks"),
    ("F28", "the model's bytes come in odd ways"),
    ("F29", "the model's text is no text"),
    ("F30", "the model does not end"),
    ("F31", "the model compresses unasked"),
    ("F32", "the model's tool calls are wrong"),
    ("F33", "the model never stops calling tools"),
    ("F34", "the model counts oddly"),
    ("F35", "the model's answer is cut"),
    ("F36", "the model sends us elsewhere"),
    ("F37", "clients go away at any byte"),
    ("F38", "clients never read"),
    ("F39", "one key many times at once"),
    ("F40", "many tabs on one plan"),
    ("F41", "the owner edits while the turn runs"),
    ("F42", "the right to listen ends"),
    ("F43", "slow senders"),
    ("F44", "nginx in front, with buffering on and off"),
    ("F45", "latency, loss and reordering on the network"),
    ("F46", "the database is silent with its connections up"),
    ("F47", "clock jumps of an hour on one of two processes"),
    ("F48", "five processes on an empty database"),
    ("F49", "rows that a newer version wrote"),
    ("F50", "start behind ten thousand orphans"),
    ("F51", "a conversation of 5,000 messages"),
    ("F52", "out of file descriptors"),
    ("F54", "useless settings"),
    ("F55", "unsafe database settings"),
    ("F56", "a flood of logins"),
    ("F57", "a log that nobody reads"),
    ("R8", "a claim is lost in a process that stays busy"),
    ("R15", "another process stops the turn"),
    ("S10", "everything is logged; the model echoes the key"),
    ("S20", "the model obeys an attacker"),
];

/// What is done, without where: places and settings differ in hundreds of ways.
fn manner(what: &str) -> String {
    let groups = [
        " at commit.",
        " at claim.",
        " at turn.",
        " at model.",
        " at tool.",
        " at end.",
        " at stop.",
        " at housekeeping",
    ];
    match groups.iter().find_map(|group| what.find(group)) {
        Some(at) => format!("{} at a named place", &what[..at]),
        None => what.replace("started with a useless ", "useless "),
    }
}

fn table(tally: &BTreeMap<(String, String), u64>) -> String {
    let mut out = String::from("| row | fault | times | how |\n| --- | --- | ---: | --- |\n");
    for (row, title) in ROWS {
        let mut manners: BTreeMap<String, u64> = BTreeMap::new();
        for ((_, what), count) in tally.iter().filter(|((of, _), _)| of == row) {
            *manners.entry(manner(what)).or_default() += count;
        }
        if manners.is_empty() {
            continue;
        }
        let total: u64 = manners.values().sum();
        let how: Vec<String> = manners.iter().map(|(what, count)| format!("{what} ×{count}")).collect();
        let _ = writeln!(out, "| {row} | {title} | {total} | {} |", how.join(", "));
    }
    out
}

fn missing(tally: &BTreeMap<(String, String), u64>, left_out: &[(&str, &str)]) -> String {
    let done: BTreeSet<&str> = tally.keys().map(|(row, _)| row.as_str()).collect();
    let mut out = String::from("| row | fault | why |\n| --- | --- | --- |\n");
    for (row, what, why) in NOT_EXERCISED {
        if !done.contains(row) || what.starts_with("in the short form") {
            let _ = writeln!(out, "| {row} | {what} | {why} |");
        }
    }
    for (row, why) in left_out {
        let title = ROWS.iter().find(|(of, _)| of == row).map_or("", |(_, title)| title);
        let _ = writeln!(out, "| {row} | {title} | left out on the machine of this run: {why} |");
    }
    out
}

/// Expectations that did not hold in this run, said plainly.
fn failed(violations: &[String]) -> String {
    if violations.is_empty() {
        return "All expectations of this run held.".into();
    }
    let mut out = String::from("In this run these did not hold:\n\n");
    for what in violations {
        let _ = writeln!(out, "- {what}");
    }
    out.trim_end().to_owned()
}

/// What the page tells of a run.
pub struct Run<'a> {
    pub line: &'a str,
    pub seed: u64,
    pub minutes: u64,
    pub slowest: f64,
    pub caught: Caught,
    pub failed: &'a [String],
    pub tally: &'a BTreeMap<(String, String), u64>,
    pub left_out: &'a [(&'static str, &'static str)],
}

/// The whole page.
pub fn write(run: &Run<'_>) -> String {
    let parts = [
        ("{line}", run.line.to_owned()),
        ("{seed}", run.seed.to_string()),
        ("{minutes}", run.minutes.to_string()),
        ("{slowest:.0}", format!("{:.0}", run.slowest)),
        ("{caught}", run.caught.caught.to_string()),
        ("{tried}", run.caught.tried.to_string()),
        ("{failed}", failed(run.failed)),
        ("{table}", table(run.tally)),
        ("{missing}", missing(run.tally, run.left_out)),
    ];
    let page = include_str!("page.md").to_owned();
    let page = parts.iter().fold(page, |page, (name, value)| page.replace(name, value));
    page.trim_end().to_owned() + "\n"
}
