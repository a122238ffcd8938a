//! The five floors, read from the code: a module knows only what lies below it, and rooms on one floor do not know each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const ROOMS: [&str; 4] = ["llm", "extraction", "plan", "store"];

/// What each part of the crate may know of the others.
fn allowed(part: &str) -> BTreeSet<&'static str> {
    let below_the_door = ["conversation", "llm", "extraction", "plan", "store", "model"];
    let names: &[&str] = match part {
        "model" | "config" | "password" | "embedded" | "failpoint" => &[],
        "telemetry" => &["model"],
        room if ROOMS.contains(&room) => &["model"],
        "conversation" => &["llm", "extraction", "plan", "store", "model"],
        "http" => &[
            "conversation",
            "llm",
            "extraction",
            "plan",
            "store",
            "model",
            "app",
            "config",
            "password",
        ],
        "app" => &["config", "conversation", "llm", "store", "model"],
        "server" => &["app", "http", "password"],
        "cli" => {
            return below_the_door
                .into_iter()
                .chain(["app", "config", "embedded", "http", "password", "server", "telemetry"])
                .collect();
        }
        "main" => &["cli"],
        "lib" => &[],
        unknown => panic!("{unknown} has no floor: give it one here and in src/lib.rs"),
    };
    names.iter().copied().collect()
}

/// Named exceptions: file, part, names that may be used of it.
const EXCEPTIONS: [(&str, &str, &[&str]); 2] = [
    // What an operator set is turned into what a turn is allowed in these two places.
    ("conversation.rs", "config", &["Config"]),
    ("conversation/limits.rs", "config", &["Config", "LimitsConfig"]),
];

/// Crates that belong to some parts only.
const FRAMEWORKS: [(&str, &[&str]); 6] = [
    ("axum", &["http", "server"]),
    ("utoipa_axum", &["http"]),
    ("tower_http", &["http"]),
    ("async_openai", &["llm"]),
    ("reqwest", &["llm"]),
    ("clap", &["cli", "config", "main"]),
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Path below `src`, and the code without its comments.
fn files() -> Vec<(String, String)> {
    let mut paths = Vec::new();
    rust_files(&source(), &mut paths);
    paths.sort();
    let read = |path: &PathBuf| {
        let name = path
            .strip_prefix(source())
            .expect("below src")
            .to_string_lossy()
            .into_owned();
        (
            name,
            without_comments(&fs::read_to_string(path).expect("a source file")),
        )
    };
    paths.iter().map(read).collect()
}

fn without_comments(text: &str) -> String {
    let code = |line: &str| line.split_once("//").map_or(line, |(code, _)| code).to_owned();
    text.lines().map(code).collect::<Vec<_>>().join("\n")
}

fn part_of(file: &str) -> &str {
    file.split(['/', '.']).next().expect("a name")
}

/// What follows each `crate::`, as `part` and the path or group behind it.
fn uses(code: &str) -> Vec<(String, String)> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        if code[..at].ends_with(|c: char| is_name(c) || c == '$') {
            continue;
        }
        let rest = &code[at + "crate::".len()..];
        // `use crate::{a::X, b};` names several parts at once; nobody writes it here, so that this test can read.
        assert!(!rest.starts_with('{'), "write one `use crate::part` for each part");
        let part: String = rest.chars().take_while(|c| is_name(*c)).collect();
        let behind = rest[part.len()..]
            .split(';')
            .next()
            .unwrap_or_default()
            .trim_start_matches("::")
            .to_owned();
        found.push((part, behind));
    }
    found
}

fn is_excepted(file: &str, part: &str, behind: &str) -> bool {
    let group = behind.strip_prefix('{').and_then(|group| group.split('}').next());
    let used: Vec<&str> = group
        .unwrap_or(behind)
        .split(',')
        .take(if group.is_some() { usize::MAX } else { 1 })
        .collect();
    let name = |text: &str| {
        text.trim()
            .split(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    EXCEPTIONS.iter().any(|(excepted, to, names)| {
        *excepted == file && *to == part && used.iter().all(|text| names.contains(&name(text).as_str()))
    })
}

#[test]
fn every_module_knows_only_the_floors_below_it() {
    let mut wrong = Vec::new();
    let files = files();
    assert!(files.len() > 100, "the source was found");
    for (file, code) in &files {
        let part = part_of(file);
        let allowed = allowed(part);
        for (other, behind) in uses(code) {
            if other != part && !allowed.contains(other.as_str()) && !is_excepted(file, &other, &behind) {
                wrong.push(format!("{file} must not use crate::{other}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn exceptions_that_nobody_needs_are_gone() {
    let files: BTreeMap<String, String> = files().into_iter().collect();
    for (file, part, names) in EXCEPTIONS {
        let code = files.get(file).unwrap_or_else(|| panic!("{file} is gone"));
        for name in names {
            let needed = uses(code)
                .iter()
                .any(|(other, behind)| other == part && behind.contains(name));
            assert!(needed, "{file} no longer uses crate::{part}::{name}");
        }
    }
}

#[test]
fn every_failpoint_is_listed_and_every_listed_one_is_in_the_code() {
    let mut found = BTreeSet::new();
    for (file, code) in files() {
        if part_of(&file) == "failpoint" {
            continue;
        }
        for (at, call) in code.match_indices("failpoint!(") {
            let inside = code[at + call.len()..].trim_start();
            let named = inside.strip_prefix("in ").unwrap_or(inside);
            let name = named.strip_prefix('"').and_then(|rest| rest.split('"').next());
            let name = name.unwrap_or_else(|| panic!("{file}: a failpoint without a name"));
            assert!(found.insert(name.to_owned()), "{name} stands twice");
        }
    }
    let listed: BTreeSet<String> = plan_advisor::failpoint::ALL
        .iter()
        .map(|(name, _)| (*name).to_owned())
        .collect();
    assert_eq!(listed, found);
    assert_eq!(
        listed.len(),
        plan_advisor::failpoint::ALL.len(),
        "a name is listed twice"
    );
}

#[test]
fn frameworks_stay_in_their_rooms() {
    let mut wrong = Vec::new();
    for (file, code) in files() {
        let part = part_of(&file).to_owned();
        for (framework, homes) in FRAMEWORKS {
            let path = format!("{framework}::");
            let used = code
                .match_indices(&path)
                .any(|(at, _)| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':'));
            if used && !homes.contains(&part.as_str()) {
                wrong.push(format!("{file} must not use {framework}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_nouns_do_no_io_and_the_pure_rooms_know_no_clock() {
    let mut wrong = Vec::new();
    for (file, code) in files() {
        let part = part_of(&file);
        // The clock itself is a noun that others are handed.
        let clock = file == "model/clock.rs" || file == "model/ids.rs";
        let forbidden: &[&str] = match part {
            "model" => &["async fn", "tokio::", "diesel::", "std::fs", "std::net", "std::env"],
            "extraction" | "plan" => &[
                "async fn",
                "tokio::",
                "diesel::",
                "std::fs",
                "std::net",
                "std::env",
                "now_utc",
                "Instant::now",
                "SystemTime",
            ],
            _ => &[],
        };
        if file.contains("/tests") {
            continue;
        }
        wrong.extend(
            forbidden
                .iter()
                .filter(|word| !clock && code.contains(**word))
                .map(|word| format!("{file}: {word}")),
        );
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn this_test_reads_uses_as_they_are_written() {
    let code = without_comments(
        "use crate::store::{Db, Conn};\n// use crate::http::x;\nlet a = crate::plan::project(b); pub(crate) fn x() { $crate::http::y }",
    );
    let found: Vec<String> = uses(&code).into_iter().map(|(part, _)| part).collect();
    assert_eq!(found, ["store", "plan"]);
    assert!(is_excepted("conversation.rs", "config", "Config"));
    assert!(!is_excepted("conversation.rs", "config", "{Config, LlmConfig}"));
    assert!(!is_excepted("conversation/turn.rs", "config", "Config"));
}
