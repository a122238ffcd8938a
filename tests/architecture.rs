//! What Cargo cannot see, read from the code: a module of `src` imports only from layers below it, modules of one layer do not
//! know each other, pure crates do no I/O, and files inside a module or a crate do not import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// What each top-level module may import. The leaves are crates: Cargo.toml says what they may use.
fn allowed(part: &str) -> BTreeSet<&'static str> {
    let names: &[&str] = match part {
        "config" | "password" | "lru" | "wording" | "failpoint" | "lib" | "telemetry" => &[],
        "offline" => &["wording"],
        "main" => &["cli"],
        "store" => &["lru"],
        "plans" => &["store", "wording"],
        "conversation" => &["plans", "store", "lru", "wording"],
        "http" => &[
            "plans",
            "conversation",
            "store",
            "app",
            "config",
            "password",
            "lru",
            "wording",
        ],
        "app" => &["config", "conversation", "store"],
        "server" => &["app", "http", "password"],
        "cli" => &[
            "plans",
            "conversation",
            "offline",
            "store",
            "app",
            "config",
            "http",
            "password",
            "server",
            "telemetry",
        ],
        unknown => panic!("{unknown} has no layer: give it one here and in src/lib.rs"),
    };
    names.iter().copied().collect()
}

/// The leaves. No I/O and no clock in the first four.
const CRATES: [&str; 8] = [
    "plan-model",
    "plan-engine",
    "plan-documents",
    "plan-reader",
    "plan-eval",
    "llm-client",
    "oidc-login",
    "pg-link",
];

/// Named exceptions: file, module, names that may be used of it.
const EXCEPTIONS: [(&str, &str, &[&str]); 3] = [
    // What an operator set becomes what a turn is allowed in these files.
    (
        "conversation/engine.rs",
        "config",
        &["Config", "LimitsConfig", "LlmConfig", "LlmReview"],
    ),
    ("conversation/start.rs", "config", &["Config"]),
    ("conversation/limits.rs", "config", &["Config", "LimitsConfig"]),
];

/// Crates that belong to some parts only.
const FRAMEWORKS: [(&str, &[&str]); 10] = [
    ("axum", &["http", "server"]),
    ("utoipa_axum", &["http"]),
    ("rmcp", &["http"]),
    ("tower_http", &["http"]),
    ("async_openai", &["llm-client"]),
    ("reqwest", &["llm-client", "oidc-login"]),
    ("openidconnect", &["oidc-login"]),
    ("tokio_postgres", &["pg-link"]),
    ("typst", &["plan-documents"]),
    ("clap", &["cli", "config", "main"]),
];

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

/// Path below `src`, or below a crate's `src` with the crate's name before it, and the code without its comments.
fn files() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources = std::iter::once((String::new(), root.join("src")))
        .chain(CRATES.map(|name| (format!("{name}/"), root.join("crates").join(name).join("src"))));
    let mut found = Vec::new();
    for (before, source) in sources {
        let mut paths = Vec::new();
        rust_files(&source, &mut paths);
        found.extend(paths.iter().map(|path| {
            let name = path.strip_prefix(&source).expect("below the source").to_string_lossy();
            let text = fs::read_to_string(path).expect("a source file");
            (format!("{before}{name}"), without_comments(&text))
        }));
    }
    found.sort();
    found
}

fn is_in_crate(file: &str) -> bool {
    CRATES.contains(&part_of(file))
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
        // `use crate::{a::X, b};` names several parts at once; it is not written here, so that this test can read.
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
fn every_module_imports_only_from_layers_below_it() {
    let mut wrong = Vec::new();
    let files = files();
    assert!(files.len() > 100, "the source was found");
    for (file, code) in files.iter().filter(|(file, _)| !is_in_crate(file)) {
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
fn unused_exceptions_are_gone() {
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
fn frameworks_stay_in_their_modules() {
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
fn the_model_does_no_io_and_pure_modules_read_no_clock() {
    let mut wrong = Vec::new();
    for (file, code) in files() {
        let part = part_of(&file);
        // The clock itself is a noun that others are handed.
        let clock = file == "plan-model/clock.rs" || file == "plan-model/ids.rs";
        let forbidden: &[&str] = match part {
            "plan-model" => &["async fn", "tokio::", "diesel::", "std::fs", "std::net", "std::env"],
            "plan-reader" | "plan-engine" | "plan-documents" => &[
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
        // The trainer is a tool of developers: no part of the server calls it.
        if file.contains("/tests") || file.contains("/bin/") || file.starts_with("plan-reader/training") {
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
        "use crate::store::{Db, Conn};\n// use crate::http::x;\nlet a = crate::plans::project(b); pub(crate) fn x() { $crate::http::y }",
    );
    let found: Vec<String> = uses(&code).into_iter().map(|(part, _)| part).collect();
    assert_eq!(found, ["store", "plans"]);
    assert!(is_excepted("conversation/engine.rs", "config", "Config"));
    assert!(!is_excepted(
        "conversation/engine.rs",
        "config",
        "{Config, SessionConfig}"
    ));
    assert!(!is_excepted("conversation/turn.rs", "config", "Config"));
}

/// The file that a module path leads to: the longest prefix that is a file, or the file that it re-exports the name from.
fn file_of(module: &str, files: &BTreeMap<String, String>) -> Option<String> {
    let segments: Vec<&str> = module.split("::").collect();
    let length = (1..=segments.len())
        .rev()
        .find(|length| files.contains_key(&format!("{}.rs", segments[..*length].join("/"))))?;
    let found = segments[..length].join("/");
    let name = segments.get(length).copied().unwrap_or_default();
    let home = re_exports(&files[&format!("{found}.rs")])
        .into_iter()
        .find(|(_, names)| names.contains(name))
        .and_then(|(child, _)| file_of(&format!("{}::{child}", found.replace('/', "::")), files));
    home.or_else(|| Some(format!("{found}.rs")))
}

/// What a file re-exports from its children: child, names.
fn re_exports(code: &str) -> Vec<(String, BTreeSet<&str>)> {
    let mut found = Vec::new();
    for line in code.split(';') {
        let Some((_, path)) = line.split_once("pub use ") else {
            continue;
        };
        let Some((child, names)) = path.rsplit_once("::") else {
            continue;
        };
        let names = names.trim_matches(['{', '}', '\n', ' ']).split(',').map(str::trim);
        found.push((child.trim_start_matches("self::").to_owned(), names.collect()));
    }
    found
}

/// Files that one file imports from its own top-level module.
fn imports_inside(file: &str, files: &BTreeMap<String, String>) -> BTreeSet<String> {
    let code = &files[file];
    let code = code.split("#[cfg(test)]").next().unwrap_or_default();
    let home: Vec<&str> = CRATES.into_iter().filter(|name| part_of(file) == *name).collect();
    let own: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
    let mut found = BTreeSet::new();
    let mut add = |module: String| found.extend(file_of(&module, files).filter(|other| other != file));
    for (marker, base) in [
        ("crate::", home),
        ("super::super::", own[..own.len().saturating_sub(2)].to_vec()),
        ("super::", own[..own.len().saturating_sub(1)].to_vec()),
        ("self::", own.clone()),
    ] {
        for (at, _) in code.match_indices(marker) {
            if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':' || c == '$') {
                continue;
            }
            let rest = &code[at + marker.len()..];
            if marker == "super::" && rest.starts_with("super::") {
                continue;
            }
            let path: String = rest
                .chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_' || *c == ':')
                .collect();
            let path = path.trim_end_matches(':');
            let joined = |name: &str| {
                [&base[..], &name.split("::").collect::<Vec<_>>()[..]]
                    .concat()
                    .join("::")
            };
            // `super::{a, b}` has the group where other paths have their first name.
            let group = rest
                .strip_prefix('{')
                .or_else(|| rest[path.len()..].strip_prefix("::{"));
            if let Some(group) = group {
                let group = group.split(['}', ';']).next().unwrap_or_default();
                for name in group.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                    let name = name.split([' ', '{']).next().unwrap_or_default().trim_end_matches(':');
                    add(joined(format!("{path}::{name}").trim_start_matches("::")));
                }
            } else {
                add(joined(path));
            }
        }
    }
    found.retain(|other| part_of(other) == part_of(file));
    found
}

/// What is read for circles: no tests, and a crate's `lib.rs` as the root file of its folder.
fn files_to_link() -> BTreeMap<String, String> {
    let files = files().into_iter().filter(|(file, _)| !file.contains("tests"));
    files
        .map(|(file, code)| match file.strip_suffix("/lib.rs") {
            Some(name) => (format!("{name}.rs"), code),
            None => (file, code),
        })
        .collect()
}

/// The part of a graph that lies on circles and between them: without what imports nothing of it or is imported by nothing of it.
fn circles(mut graph: BTreeMap<String, BTreeSet<String>>) -> BTreeMap<String, BTreeSet<String>> {
    loop {
        let names: BTreeSet<String> = graph.keys().cloned().collect();
        let imported: BTreeSet<String> = graph.values().flatten().cloned().collect();
        for others in graph.values_mut() {
            others.retain(|other| names.contains(other));
        }
        graph.retain(|name, others| !others.is_empty() && imported.contains(name));
        if graph.len() == names.len() {
            return graph;
        }
    }
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let files = files_to_link();
    let imports = files.keys().map(|file| {
        let mut others = imports_inside(file, &files);
        // A module's root file re-exports its children; that is no import.
        let folder = format!("{}/", file.trim_end_matches(".rs"));
        others.retain(|other| !other.starts_with(&folder));
        (file.clone(), others)
    });
    let graph = circles(imports.collect());
    assert!(graph.is_empty(), "{graph:#?}");
}

/// Two modules of one parent, each with everything below it, between which an import of a file leads. `None` where one of the files
/// is the root of a module that the other lies in.
fn siblings(file: &str, other: &str) -> Option<(String, String, String)> {
    let (file, other): (Vec<&str>, Vec<&str>) = (
        file.trim_end_matches(".rs").split('/').collect(),
        other.trim_end_matches(".rs").split('/').collect(),
    );
    let shared = file.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let (from, to) = (file.get(shared)?, other.get(shared)?);
    Some((file[..shared].join("/"), (*from).to_owned(), (*to).to_owned()))
}

#[test]
fn no_modules_of_one_folder_import_each_other_in_a_circle() {
    let files = files_to_link();
    let mut folders: BTreeMap<String, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for file in files.keys() {
        for other in imports_inside(file, &files) {
            if let Some((folder, from, to)) = siblings(file, &other) {
                folders.entry(folder).or_default().entry(from).or_default().insert(to);
            }
        }
    }
    let found: BTreeMap<_, _> = folders
        .into_iter()
        .map(|(folder, graph)| (folder, circles(graph)))
        .filter(|(_, graph)| !graph.is_empty())
        .collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn an_import_is_one_between_the_modules_that_the_files_lie_in() {
    let of = |a, b| siblings(a, b).map(|(folder, from, to)| format!("{folder}: {from} -> {to}"));
    assert_eq!(of("a/b/c.rs", "a/d.rs").as_deref(), Some("a: b -> d"));
    assert_eq!(of("a/b.rs", "a/d/e/f.rs").as_deref(), Some("a: b -> d"));
    assert_eq!(of("a/b.rs", "a/b/c.rs"), None);
    assert_eq!(of("a/b/c.rs", "a/b.rs"), None);
    let edges = |from: &str, to: &str| (from.to_owned(), BTreeSet::from([to.to_owned()]));
    let graph = [edges("a", "b"), edges("b", "c"), edges("c", "b"), edges("d", "e")];
    let left: Vec<String> = circles(graph.into()).into_keys().collect();
    assert_eq!(left, ["b", "c"]);
}

/// Modules that do the same for different protocols, and name the parts of it alike.
const PARALLEL: [&str; 2] = ["http/dialect/", "llm-client/api/"];

/// The types that a file declares at its top level.
fn declared_types(code: &str) -> impl Iterator<Item = &str> {
    let declarations = code.lines().filter_map(|line| {
        let line = line
            .strip_prefix("pub ")
            .or(line.strip_prefix("pub(crate) "))
            .unwrap_or(line);
        ["struct ", "enum ", "trait ", "type "]
            .iter()
            .find_map(|kind| line.strip_prefix(kind))
    });
    declarations.filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next())
}

#[test]
fn a_type_name_means_one_thing_in_a_layer() {
    let mut declared: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for (file, text) in files() {
        let is_test = file.contains("tests") || file.ends_with("testing.rs");
        if is_test || PARALLEL.iter().any(|folder| file.starts_with(folder)) {
            continue;
        }
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        for name in declared_types(code) {
            let files = declared
                .entry((part_of(&file).to_owned(), name.to_owned()))
                .or_default();
            files.push(file.clone());
        }
    }
    let twice: Vec<_> = declared.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(twice.is_empty(), "{twice:#?}");
}

/// Calls that look at a part of a text.
const LOOKS_AT_A_PART: [&str; 7] = [
    "ends_with(\"",
    "starts_with(\"",
    "strip_suffix(\"",
    "strip_prefix(\"",
    "trim_end_matches(\"",
    "trim_start_matches(\"",
    "contains(\"",
];

/// Whether the text is no path of a field, but the beginning, the end or a telling part of one.
fn is_part_of_a_path(call: &str, text: &str) -> bool {
    let tells = text.contains(|c: char| c == '.' || c.is_ascii_uppercase());
    plan_model::field::catalogue().iter().any(|field| {
        let path = field.path.as_str();
        let is_found = match call {
            call if call.contains("end") || call.contains("suffix") => path.ends_with(text),
            call if call.contains("start") || call.contains("prefix") => path.starts_with(text),
            _ => tells && path.contains(text),
        };
        is_found && text.len() > 3 && path != text
    })
}

/// What a field is stands in the columns of the catalogue: role, period, the field of its first month. Read off its path, a new
/// field would be what its name happens to end with.
#[test]
fn no_code_reads_what_a_field_is_off_its_path() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut tests = Vec::new();
    rust_files(&root.join("tests"), &mut tests);
    let helpers = tests.iter().filter(|path| !path.ends_with("tests/architecture.rs"));
    let helpers = helpers.map(|path| {
        let text = fs::read_to_string(path).expect("a source file");
        (path.display().to_string(), without_comments(&text))
    });
    let mut wrong = Vec::new();
    for (file, code) in files().into_iter().chain(helpers) {
        for call in LOOKS_AT_A_PART {
            let texts = code.match_indices(call).map(|(at, _)| &code[at + call.len()..]);
            let texts = texts.filter_map(|rest| rest.split('"').next());
            // Tests look for names in pages and prompts.
            let texts = texts.filter(|_| !(call.starts_with("contains") && file.contains("tests")));
            let parts = texts.filter(|text| is_part_of_a_path(call, text));
            wrong.extend(parts.map(|text| format!("{file}: {call}{text}\")")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(is_part_of_a_path("ends_with(\"", "StartMonth") && is_part_of_a_path("contains(\"", "Minimum"));
    assert!(!is_part_of_a_path("contains(\"", "financing.loanAmount"));
}
