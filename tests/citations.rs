//! The documents and the code agree: every citation resolves, every file and test that a document names exists, and the
//! field tables of `docs/FINANCIAL-MODEL.md` are the catalog's.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use plan_model::brand::{Brand, CostClass};
use plan_model::field::{Field, Kind, catalogue};
use plan_model::metrics::METRICS;
use plan_model::number::Number;

const CODE: [&str; 9] = [
    "src",
    "tests",
    "benches",
    "crates",
    "fuzz/src",
    "fuzz/fuzz_targets",
    "scripts",
    "web",
    "migrations",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn walk(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir)
        .expect("a directory")
        .map(|entry| entry.expect("an entry"))
    {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            let is_installed = name == "node_modules" || name.to_string_lossy().starts_with('.');
            if !is_installed && name != "corpus" && name != "target" {
                walk(&path, found);
            }
        } else {
            found.push(path);
        }
    }
}

/// All text files of the code: where from, and what is in them.
fn code() -> Vec<(String, String)> {
    let mut paths = vec![];
    CODE.iter().for_each(|dir| walk(&root().join(dir), &mut paths));
    paths
        .into_iter()
        .filter_map(|path| {
            Some((
                path.strip_prefix(root()).ok()?.display().to_string(),
                fs::read_to_string(&path).ok()?,
            ))
        })
        .collect()
}

/// The documents at the top and in `docs/`.
fn documents() -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> = vec![];
    walk(&root().join("docs"), &mut paths);
    paths.extend(["README.md", "RELIABILITY.md", "CHANGELOG.md", "CONTRIBUTING.md"].map(|name| root().join(name)));
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "md") && path.exists());
    paths
        .into_iter()
        .map(|path| {
            (
                path.strip_prefix(root()).expect("below the root").display().to_string(),
                fs::read_to_string(&path).expect("a text file"),
            )
        })
        .collect()
}

/// The numbers of a document's headings: `3`, `3.4`.
fn sections(document: &str) -> BTreeSet<String> {
    let headings = document.lines().filter(|line| line.starts_with("##"));
    let numbers = headings.filter_map(|line| line.trim_start_matches('#').split_whitespace().next());
    numbers.map(|number| number.trim_end_matches('.').to_owned()).collect()
}

/// The section number at the start of `text`, which stands after a document's name.
fn cited_section(text: &str) -> Option<&str> {
    let text = text.trim_start_matches('`').strip_prefix(' ')?;
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let number = text[..end].trim_end_matches('.');
    (!number.is_empty()).then_some(number)
}

#[test]
fn every_cited_document_and_section_exists() {
    let mut wrong = vec![];
    let mut seen = 0;
    for (file, text) in code().into_iter().chain(documents()) {
        for (at, _) in text.match_indices("docs/") {
            let name: String = text[at..]
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || "/-._".contains(*c))
                .collect();
            let Some(end) = name.find(".md") else { continue };
            let name = &name[..end + 3];
            let Ok(document) = fs::read_to_string(root().join(name)) else {
                wrong.push(format!("{file} cites {name}"));
                continue;
            };
            if let Some(section) = cited_section(&text[at + name.len()..]) {
                seen += 1;
                if !sections(&document).contains(section) {
                    wrong.push(format!("{file} cites {name} {section}"));
                }
            }
        }
        if text.contains(concat!("financial", "-model` ")) {
            wrong.push(format!("{file} cites the specification by its old name"));
        }
    }
    assert_eq!(wrong, [""; 0]);
    assert!(
        seen > 20,
        "only {seen} sections cited: is this test still reading the code?"
    );
}

/// Every `F12`, `R3` or `S20` in the text.
fn codes(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    let code = |word: &&str| {
        let mut rest = word.chars();
        matches!(rest.next(), Some('F' | 'R' | 'S'))
            && (2..=3).contains(&word.len())
            && rest.all(|c| c.is_ascii_digit())
    };
    words.filter(code).map(str::to_owned).collect()
}

/// First cells of the rows of a document's tables.
fn rows(document: &str) -> BTreeSet<String> {
    let rows = document
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    rows.map(|cell| cell.trim_matches('`').to_owned()).collect()
}

#[test]
fn every_code_of_a_fault_or_promise_has_its_row() {
    let known = rows(&read("docs/FAULTS.md"));
    let mut wrong = vec![];
    let rust = code().into_iter().filter(|(file, _)| {
        Path::new(file).extension().is_some_and(|kind| kind == "rs") && file != "tests/citations.rs"
    });
    for (file, text) in rust.chain([("RELIABILITY.md".to_owned(), read("RELIABILITY.md"))]) {
        let unknown = codes(&text).into_iter().filter(|code| !known.contains(code));
        wrong.extend(unknown.map(|code| format!("{file}: {code}")));
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn every_identity_and_every_rule_is_specified() {
    let known = rows(&read("docs/FINANCIAL-MODEL.md"));
    let quoted = |file: &str, letter: char| -> Vec<String> {
        let text = read(file);
        let names = text
            .split('"')
            .skip(1)
            .step_by(2)
            .filter(|name| name.starts_with(letter));
        let codes = names.filter(|name| name.len() > 1 && name[1..].chars().all(|c| c.is_ascii_digit()));
        codes.map(str::to_owned).collect()
    };
    let identities = quoted("crates/plan-engine/src/engine/checks.rs", 'I');
    let rules = quoted("src/conversation/snapshot/rules.rs", 'C');
    assert!(identities.len() >= 14 && rules.len() >= 16, "{identities:?} {rules:?}");
    let wrong: Vec<_> = identities
        .iter()
        .chain(&rules)
        .filter(|code| !known.contains(*code))
        .collect();
    assert_eq!(wrong, [&""; 0]);
}

#[test]
fn every_file_and_test_that_a_document_names_exists() {
    let functions: BTreeSet<String> = code()
        .iter()
        .flat_map(|(_, text)| {
            text.split("fn ")
                .skip(1)
                .map(|rest| rest.split(['(', '<']).next().unwrap().to_owned())
                .collect::<Vec<_>>()
        })
        .collect();
    let mut wrong = vec![];
    for (file, text) in documents() {
        let mut names: Vec<&str> = vec![];
        for line in text.lines() {
            names.extend(line.split('`').skip(1).step_by(2));
        }
        for name in names {
            let name = name.split("::").next().unwrap();
            let is_path = CODE
                .iter()
                .any(|dir| name.starts_with(&format!("{}/", dir.split('/').next().unwrap())));
            if is_path && !name.contains([' ', '*', '<', '{', '…', '$']) && !root().join(name).exists() {
                wrong.push(format!("{file} names the file {name}"));
            }
            let is_test = file == "docs/FAULTS.md"
                && name.matches('_').count() >= 2
                && name
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
            if is_test && !functions.contains(name) {
                wrong.push(format!("{file} names the test {name}"));
            }
        }
    }
    for phase in phases(&read("docs/FAULTS.md")) {
        if !root().join(format!("tests/campaign/phases/{phase}.rs")).exists() {
            wrong.push(format!("docs/FAULTS.md names the phase {phase}"));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

/// The names after "phase" and "phases" in the tables.
fn phases(document: &str) -> BTreeSet<String> {
    let cells = document
        .lines()
        .filter(|line| line.starts_with("| "))
        .flat_map(|line| line.split(['|', ';']));
    let lists = cells.filter_map(|cell| {
        let cell = cell.trim();
        cell.strip_prefix("phases ").or_else(|| cell.strip_prefix("phase "))
    });
    let names = lists.flat_map(|list| {
        list.split(['(', ':'])
            .next()
            .unwrap_or_default()
            .split(", ")
            .map(str::trim)
            .collect::<Vec<_>>()
    });
    names
        .map(|name| name.trim_end_matches('.').to_owned())
        .filter(|name| !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
        .collect()
}

/// The anchor that a heading gets.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn every_link_between_documents_resolves() {
    let mut wrong = vec![];
    for (file, text) in documents() {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") || link.contains(' ') {
                continue;
            }
            let (path, fragment) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() {
                root().join(&file)
            } else {
                root().join(&file).parent().unwrap().join(path)
            };
            if !target.exists() {
                wrong.push(format!("{file} links to {link}"));
            } else if !fragment.is_empty() {
                let document = fs::read_to_string(&target).unwrap();
                let headings = document.lines().filter(|line| line.starts_with('#'));
                if !headings
                    .map(|line| anchor(line.trim_start_matches('#')))
                    .any(|known| known == fragment)
                {
                    wrong.push(format!("{file} links to {link}"));
                }
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
}

/// A value as the tables show it: dollars or decimals.
fn shown(kind: Kind, value: Number) -> String {
    match kind {
        Kind::Money => plan_model::field::show_cents(value.to_whole()).replace('$', ""),
        _ => value.to_string(),
    }
}

/// The row of a field as `docs/FINANCIAL-MODEL.md` must have it.
fn row(field: &Field, brand: &Brand) -> String {
    let core = if field.core { "yes" } else { "" };
    let default = brand
        .default_of(&field.path)
        .map_or("none".into(), |value| shown(field.kind, value));
    let range = |bounds: Option<plan_model::field::Bounds>| {
        bounds.map_or("none".into(), |bounds| {
            format!(
                "{} to {}",
                shown(field.kind, bounds.low),
                shown(field.kind, bounds.high)
            )
        })
    };
    let startup = brand
        .startup_cost_template
        .iter()
        .find(|row| field.path.as_str() == format!("startupCosts.{}", row.slug));
    let cells = match startup {
        Some(cost) => {
            let class = match cost.class {
                CostClass::Capex => "capex",
                CostClass::Intangible => "intangible",
                CostClass::NonCapex => "non_capex",
                CostClass::Inventory => "inventory",
                CostClass::Deposit => "deposit",
                CostClass::Prepaid => "prepaid",
                CostClass::WorkingCapital => "working_capital",
            };
            format!(
                "{class} | {default} | {} | {core}",
                range(brand.item7_range(&field.path))
            )
        }
        None => format!(
            "{} | {} | {default} | {} | {core}",
            field.kind.as_str(),
            range(field.soft),
            field.disclosed.unwrap_or_default()
        ),
    };
    squeezed(&format!("| `{}` | {} | {cells} |", field.path, field.label))
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_field_tables_are_the_catalogs() {
    let brand = Brand::demo();
    let document = read("docs/FINANCIAL-MODEL.md");
    let written: BTreeSet<String> = document
        .lines()
        .filter(|line| line.starts_with("| `") && line.contains('.'))
        .map(squeezed)
        .collect();
    let expected: Vec<String> = catalogue().iter().map(|field| row(field, &brand)).collect();
    let missing: Vec<_> = expected.iter().filter(|row| !written.contains(*row)).collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn every_metric_is_defined() {
    let document = read("docs/FINANCIAL-MODEL.md");
    let names = METRICS.iter().map(|metric| metric.name);
    let missing: Vec<_> = names.filter(|name| !document.contains(&format!("`{name}`"))).collect();
    assert_eq!(missing, [""; 0]);
}
