//! What a machine may lack: system programs, root, a network namespace, a file system for the test.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The path of a system program.
pub fn tool(name: &str) -> Option<String> {
    let path = std::env::var("PATH").unwrap_or_default();
    let places = path.split(':').chain(["/usr/sbin", "/sbin", "/usr/bin"]);
    let found = places
        .map(|place| Path::new(place).join(name))
        .find(|path| path.is_file())?;
    Some(found.to_string_lossy().into_owned())
}

/// Runs a system program. Whether it exists and succeeded.
pub fn succeeds(name: &str, words: &[&str]) -> bool {
    let Some(path) = tool(name) else { return false };
    let mut command = Command::new(path);
    let quiet = command
        .args(words)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// A network namespace with one virtual Ethernet pair to ours. Removed on drop.
pub struct Namespace {
    pub name: String,
    wire: String,
}

impl Namespace {
    pub const OUTSIDE: &str = "10.213.47.1";
    pub const INSIDE: &str = "10.213.47.2";

    /// Needs root.
    pub fn open() -> Option<Self> {
        let id = std::process::id();
        let space = Self {
            name: format!("pa{id}"),
            wire: format!("pa{id}o"),
        };
        let (name, outer, inner) = (space.name.as_str(), space.wire.as_str(), format!("pa{id}i"));
        let inside = |words: &[&str]| succeeds("ip", &[&["-n", name], words].concat());
        let made = succeeds("ip", &["netns", "add", name])
            && succeeds(
                "ip",
                &[
                    "link", "add", outer, "type", "veth", "peer", "name", &inner, "netns", name,
                ],
            )
            && succeeds(
                "ip",
                &["address", "add", &format!("{}/30", Self::OUTSIDE), "dev", outer],
            )
            && succeeds("ip", &["link", "set", outer, "up"])
            && inside(&["address", "add", &format!("{}/30", Self::INSIDE), "dev", &inner])
            && inside(&["link", "set", &inner, "up"])
            && inside(&["link", "set", "lo", "up"]);
        made.then_some(space)
    }

    /// Adds delay, loss and reordering to both ends.
    pub fn degrade(&self, how: &str) -> bool {
        let words: Vec<&str> = how.split(' ').collect();
        let outer = ["qdisc", "add", "dev", &self.wire, "root", "netem"];
        let inner = self.wire.replace('o', "i");
        let inner = ["-n", &self.name, "qdisc", "add", "dev", &inner, "root", "netem"];
        succeeds("tc", &[&outer, words.as_slice()].concat()) && succeeds("tc", &[&inner[..], &words].concat())
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        succeeds("ip", &["link", "delete", &self.wire]);
        succeeds("ip", &["netns", "delete", &self.name]);
    }
}

/// A file system in memory. Removed on drop.
pub struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Needs root.
    pub fn mount(at: &Path, size: &str) -> Option<Self> {
        std::fs::create_dir_all(at).ok()?;
        let options = format!("size={size},mode=0755");
        let place = at.to_string_lossy();
        succeeds("mount", &["-t", "tmpfs", "-o", &options, "tmpfs", &place]).then(|| Self(at.to_owned()))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        succeeds("umount", &["-l", &self.0.to_string_lossy()]);
    }
}
