//! Writes RELIABILITY.md: the summary line of this run, each fault with its count, and what was not exercised.

use crate::oracle_selftest::Caught;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Rows of `docs/FAULTS.md` that no run, or no short run, exercises, and why.
const NOT_EXERCISED: &[(&str, &str, &str)] = &[
    (
        "F18",
        "the LISTEN connection is lost",
        "not applicable: there is no LISTEN/NOTIFY",
    ),
    (
        "F19",
        "the notification queue is full",
        "not applicable: there is no LISTEN/NOTIFY",
    ),
    ("F12", "in the short form: the database frozen", "long form only"),
    (
        "F6",
        "in the short form: processes stopped past their leases",
        "long form only, because a lease takes 30 seconds",
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
        "the process dies or fails: before, at and after the claim, in mid-answer, between the statements of the commit, before `done`",
    ),
    ("F6", "a process is stopped past its leases and continues"),
    ("F7", "SIGTERM under load"),
    ("F8", "SIGTERM twice"),
    ("F9", "a panic at every failpoint of a turn, and in maintenance"),
    ("F10", "the database stops immediately"),
    ("F11", "connections to the database break, also within COMMIT"),
    ("F12", "the database is frozen"),
    ("F13", "another session holds a row lock"),
    ("F14", "the connection pool is exhausted"),
    ("F15", "the database refuses connections"),
    ("F16", "disk full under data and WAL"),
    ("F17", "deadlock"),
    ("F20", "the model is unreachable"),
    ("F21", "TLS error at the model"),
    ("F22", "error status from the model"),
    ("F23", "200 with something other than a stream"),
    ("F24", "the first token is late"),
    ("F25", "the model stalls"),
    ("F26", "the model's answer is truncated"),
    ("F27", "the connection to the model breaks"),
    ("F28", "unusual framing of the model's stream"),
    ("F29", "invalid text from the model"),
    ("F30", "endless answers"),
    ("F31", "unrequested compression"),
    ("F32", "wrong tool calls"),
    ("F33", "endless tool calls"),
    ("F34", "wrong token counts"),
    ("F35", "answers cut by length or filter"),
    ("F36", "redirect"),
    ("F37", "clients disconnect at any byte"),
    ("F38", "clients never read"),
    ("F39", "one key many times concurrently"),
    ("F40", "many concurrent messages to one plan"),
    ("F41", "the owner edits while the turn runs"),
    ("F42", "the reader loses access"),
    ("F43", "slow senders"),
    ("F44", "nginx in front, with buffering on and off"),
    ("F45", "latency, loss and reordering on the network"),
    ("F46", "the database does not answer, connections stay open"),
    ("F47", "clock jumps of an hour on one of two processes"),
    ("F48", "five processes start on an empty database"),
    ("F49", "rows written by a newer version"),
    ("F50", "start with ten thousand stale turns"),
    ("F51", "a conversation of 5,000 messages"),
    ("F52", "out of file descriptors"),
    ("F53", "memory limit near"),
    ("F54", "useless settings"),
    ("F55", "unsafe database settings"),
    ("F56", "a flood of logins"),
    ("F57", "a log that is not read"),
    ("F58", "one person reads a history of megabytes many times at once"),
    ("F59", "a person with many rows is removed"),
    ("F60", "a burst of writes within the limit"),
    ("R8", "a claim whose response was lost, in a live process"),
    ("R15", "another process stops the turn"),
    ("S10", "logging at TRACE; the model echoes the key"),
    ("S20", "the model obeys an attacker"),
];

/// Groups faults by what was done, not where: failpoints and settings differ in hundreds of ways.
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
        " at leases",
    ];
    match groups.iter().find_map(|group| what.find(group)) {
        Some(at) => format!("{} at a failpoint", &what[..at]),
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
        let _ = writeln!(out, "| {row} | {title} | skipped on the machine of this run: {why} |");
    }
    out
}

/// The expectations that did not hold in this run.
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

/// The content of the page.
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

/// Renders the page from `page.md`.
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
