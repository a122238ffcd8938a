//! Refuses new turns near the memory limit, so that the running ones can end. Past a hard limit the system ends the process.
//!
//! Memory that was freed may still be the process's: the allocator returns it a second later, but only when it is called for
//! something large. So it is called before anything is refused; after one large answer turns were refused for minutes.

use std::fs::read_to_string;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tracing::{info, warn};

/// From this share of the limit on, in percent, no turn starts, until it is below the second one again.
const SHORT: u64 = 90;
const ENOUGH: u64 = 85;

/// A block that no page of the allocator holds.
const LARGE: usize = 64 << 20;

/// How long one look at the process's memory counts.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// The process's memory against its limit.
#[derive(Debug)]
pub(crate) struct MemoryLimit {
    /// Bytes; `None`: no limit is known.
    limit: Option<u64>,
    begun: Instant,
    /// Milliseconds since `begun` of the next look.
    next_look: AtomicU64,
    is_short: AtomicBool,
}

impl MemoryLimit {
    /// `mib` is the limit in MiB; 0 takes the control group's, if it has one.
    pub(crate) fn new(mib: u32) -> Self {
        let limit = match mib {
            0 => limit_of_group(
                &read_to_string("/proc/self/cgroup").unwrap_or_default(),
                Path::new("/sys/fs/cgroup"),
            ),
            mib => Some(u64::from(mib) << 20),
        };
        Self {
            limit,
            begun: Instant::now(),
            next_look: AtomicU64::new(0),
            is_short: AtomicBool::new(false),
        }
    }

    /// Whether a new turn is refused. Looks at the process's memory at most every 250 ms.
    pub(crate) fn is_short(&self) -> bool {
        let Some(limit) = self.limit else { return false };
        let now = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let due = self.next_look.load(Ordering::Relaxed);
        let next = now.saturating_add(LOOK_EVERY.as_millis().try_into().unwrap_or(u64::MAX));
        let is_first = |due| {
            self.next_look
                .compare_exchange(due, next, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
        };
        if now >= due
            && is_first(due)
            && let Some(used) = in_use()
        {
            self.judge(used, limit, || {
                give_back();
                in_use()
            });
        }
        self.is_short.load(Ordering::Relaxed)
    }

    /// `settle` returns what is free to the system and says what is still in use.
    fn judge(&self, mut used: u64, limit: u64, settle: impl FnOnce() -> Option<u64>) {
        let was_short = self.is_short.load(Ordering::Relaxed);
        let share = if was_short { ENOUGH } else { SHORT };
        let is_over = |used| u128::from(used) * 100 >= u128::from(limit) * u128::from(share);
        if is_over(used) {
            used = settle().unwrap_or(used);
        }
        let is_short = is_over(used);
        if is_short == was_short {
            return;
        }
        self.is_short.store(is_short, Ordering::Relaxed);
        let (used_mib, limit_mib) = (used >> 20, limit >> 20);
        if is_short {
            warn!(
                used_mib,
                limit_mib, "Memory is short: {used_mib} of {limit_mib} MiB. New turns are refused until it is not"
            );
        } else {
            info!(
                used_mib,
                limit_mib, "Memory is no longer short: {used_mib} of {limit_mib} MiB"
            );
        }
    }
}

/// Lets the allocator return what was freed. mimalloc purges when a large block is freed, a quarter of its arenas at a time
/// (`_mi_page_free` and `mi_arenas_try_purge` of its version 3); the block is never touched and costs no memory itself.
fn give_back() {
    for _ in 0..4 {
        drop(black_box(Vec::<u8>::with_capacity(LARGE)));
    }
}

/// Resident memory in bytes but files, which the system takes back by itself; `None` where the system has no such file.
fn in_use() -> Option<u64> {
    let status = read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

/// The smallest limit of the process's control group and those above it. `groups` is the text of `/proc/self/cgroup`.
fn limit_of_group(groups: &str, root: &Path) -> Option<u64> {
    // Version 2 has one line, "0::/path"; in a container the path is that of its own root.
    let path = groups
        .lines()
        .find_map(|line| line.strip_prefix("0::/"))
        .unwrap_or_default();
    let own: PathBuf = root.join(path);
    let above = own
        .ancestors()
        .take_while(|folder| folder.starts_with(root))
        .map(|folder| folder.join("memory.max"));
    // Version 1.
    let files = above.chain([root.join("memory/memory.limit_in_bytes")]);
    let limits = files.filter_map(|file| read_to_string(file).ok()?.trim().parse::<u64>().ok());
    // "No limit" of version 1 is a number near the largest.
    limits.filter(|limit| *limit < 1 << 60).min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{create_dir_all, write};

    #[test]
    fn turns_are_refused_near_the_limit_until_there_is_room_again() {
        let memory = MemoryLimit::new(100);
        let mib = |mib: u64| mib << 20;
        for (used, expected) in [
            (89, false),
            (90, true),
            (86, true),
            (84, false),
            (89, false),
            (500, true),
        ] {
            memory.judge(mib(used), mib(100), || None);
            assert_eq!(memory.is_short.load(Ordering::Relaxed), expected, "{used}");
        }
    }

    #[test]
    fn what_the_allocator_gives_back_refuses_nobody() {
        let memory = MemoryLimit::new(100);
        let mib = |mib: u64| mib << 20;
        let is_short = || memory.is_short.load(Ordering::Relaxed);
        memory.judge(mib(400), mib(100), || Some(mib(40)));
        assert!(!is_short());
        memory.judge(mib(400), mib(100), || Some(mib(90)));
        assert!(is_short());
        memory.judge(mib(400), mib(100), || Some(mib(84)));
        assert!(!is_short(), "it does not wait for other traffic");
    }

    #[test]
    fn the_process_sees_its_own_memory() {
        assert!(MemoryLimit::new(1).is_short());
        assert!(!MemoryLimit::new(u32::MAX).is_short());
        assert!(in_use().is_some_and(|bytes| bytes > 1 << 20));
        give_back();
    }

    #[test]
    fn the_limit_is_the_smallest_on_the_way_to_the_root() {
        let root = std::env::temp_dir().join(format!("cgroup-{}", std::process::id()));
        let own = root.join("system.slice/advisor.service");
        create_dir_all(&own).expect("a folder");
        assert_eq!(limit_of_group("0::/system.slice/advisor.service\n", &root), None);
        write(own.join("memory.max"), "max\n").expect("a file");
        write(root.join("system.slice/memory.max"), "536870912\n").expect("a file");
        assert_eq!(
            limit_of_group("0::/system.slice/advisor.service\n", &root),
            Some(512 << 20)
        );
        write(own.join("memory.max"), "1048576\n").expect("a file");
        assert_eq!(
            limit_of_group("0::/system.slice/advisor.service\n", &root),
            Some(1 << 20)
        );
        std::fs::remove_dir_all(&root).expect("removed");

        let old = root.join("memory");
        create_dir_all(&old).expect("a folder");
        write(old.join("memory.limit_in_bytes"), "9223372036854771712\n").expect("a file");
        assert_eq!(limit_of_group("3:memory:/user.slice\n", &root), None);
        write(old.join("memory.limit_in_bytes"), "2097152\n").expect("a file");
        assert_eq!(limit_of_group("3:memory:/user.slice\n", &root), Some(2 << 20));
        std::fs::remove_dir_all(&root).expect("removed");
    }
}
