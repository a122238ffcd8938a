//! CPU time, memory and files of processes, from /proc.

use std::fs;
use std::time::Duration;

/// The unit of CPU time in /proc: 1/100 s.
const TICK: Duration = Duration::from_millis(10);

/// Fields of `/proc/PID/stat` after the command's name, beginning with the state.
fn stat(pid: u32) -> Option<Vec<u64>> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, fields) = text.rsplit_once(')')?;
    Some(
        fields
            .split_whitespace()
            .map(|field| field.parse().unwrap_or(0))
            .collect(),
    )
}

fn ticks(fields: &[u64], places: std::ops::Range<usize>) -> Duration {
    let sum: u64 = fields.get(places).unwrap_or_default().iter().sum();
    TICK * u32::try_from(sum).unwrap_or(u32::MAX)
}

/// CPU time of a process's threads to the nanosecond, or, where the kernel does not keep that, of the process in ticks.
/// Servers end no threads while they are measured.
pub fn cpu(pid: u32) -> Option<Duration> {
    of_threads(pid, 0).or_else(|| Some(ticks(&stat(pid)?, 11..13)))
}

pub fn parent(pid: u32) -> Option<u32> {
    stat(pid)?.get(1).and_then(|parent| u32::try_from(*parent).ok())
}

/// CPU time of a process and its children, including ended ones.
pub fn cpu_of_family(parent: u32) -> Option<Duration> {
    let own = ticks(&stat(parent)?, 11..15);
    let children = fs::read_dir("/proc")
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let of_children = children
        .filter_map(stat)
        .filter(|fields| fields.get(1) == Some(&u64::from(parent)))
        .map(|fields| ticks(&fields, 11..13));
    Some(own + of_children.sum::<Duration>())
}

/// The sum of a field of `schedstat` over all threads: time on a CPU, time runnable without one.
fn of_threads(pid: u32, field: usize) -> Option<Duration> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let of_thread = |entry: std::io::Result<fs::DirEntry>| {
        let text = fs::read_to_string(entry.ok()?.path().join("schedstat")).ok()?;
        text.split(' ').nth(field)?.parse().ok().map(Duration::from_nanos)
    };
    Some(threads.filter_map(of_thread).sum()).filter(|sum: &Duration| !sum.is_zero())
}

/// How long its threads were runnable without a CPU: delay caused by the machine, not the program.
pub fn waited(pid: u32) -> Option<Duration> {
    of_threads(pid, 1)
}

/// Resident memory in KiB.
pub fn resident(pid: u32) -> Option<f64> {
    status(pid, "VmRSS:")
}

/// The most resident memory so far, in KiB.
pub fn peak(pid: u32) -> Option<f64> {
    status(pid, "VmHWM:")
}

fn status(pid: u32, name: &str) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Whether a debugger has attached to all of its threads.
pub fn is_traced(pid: u32) -> bool {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return false;
    };
    let has_tracer = |entry: std::io::Result<fs::DirEntry>| {
        let status = fs::read_to_string(entry.ok()?.path().join("status")).ok()?;
        let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:"))?;
        Some(tracer.trim() != "0")
    };
    threads.map(has_tracer).all(|traced| traced == Some(true))
}

/// Number of open files and sockets.
pub fn open_files(pid: u32) -> Option<usize> {
    Some(fs::read_dir(format!("/proc/{pid}/fd")).ok()?.count())
}

/// This process's limit for open files.
pub fn file_limit() -> usize {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(usize::MAX)
}
