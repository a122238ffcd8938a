//! Every dependency's license is in the list of `deny.toml`. Needs neither cargo-deny nor, once everything is downloaded, a
//! network.

use std::process::Command;

use serde_json::Value;

#[test]
fn every_licence_is_on_the_list() {
    let policy = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/deny.toml")).unwrap();
    let (_, allow) = policy.split_once("\nallow = [").expect("a list of licences");
    let (allow, rest) = allow.split_once(']').unwrap();
    let allowed: Vec<&str> = allow.split('"').skip(1).step_by(2).collect();
    assert!(allowed.contains(&"MIT"), "{allowed:?}");

    let refused: Vec<String> = packages()
        .iter()
        .map(|package| (text(package, "name"), text(package, "license")))
        .filter(|(name, licence)| !permits(licence, &allowed) && !rest.contains(&format!("name = \"{name}\"")))
        .map(|(name, licence)| format!("{name}: {licence:?}"))
        .collect();
    assert!(refused.is_empty(), "not in deny.toml: {refused:#?}");
}

#[test]
fn a_licence_expression_is_read_as_it_is_meant() {
    let allowed = ["MIT", "Zlib"];
    for (expression, expected) in [
        ("MIT", true),
        ("GPL-3.0", false),
        ("GPL-3.0 OR MIT", true),
        ("Apache-2.0/MIT", true),
        ("MIT AND GPL-3.0", false),
        ("(GPL-3.0 OR MIT) AND Zlib", true),
        ("(GPL-3.0 OR MIT) AND ISC", false),
        ("", false),
    ] {
        assert_eq!(permits(expression, &allowed), expected, "{expression}");
    }
}

/// The packages for this platform; those for others may not be downloaded.
fn packages() -> Vec<Value> {
    let rustc = Command::new("rustc").arg("-vV").output().expect("rustc").stdout;
    let rustc = String::from_utf8(rustc).expect("rustc prints UTF-8");
    let host = rustc
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .expect("rustc names its host");
    let metadata = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version=1",
            "--locked",
            "--all-features",
            "--filter-platform",
            host,
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo metadata");
    assert!(
        metadata.status.success(),
        "{}",
        String::from_utf8_lossy(&metadata.stderr)
    );
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("packages").clone();
    packages
        .into_iter()
        .filter(|package| !package["source"].is_null())
        .collect()
}

fn text(package: &Value, key: &str) -> String {
    package[key].as_str().unwrap_or_default().to_owned()
}

/// Evaluates an SPDX expression: alternatives in brackets joined by AND; `/` is the old form of OR.
fn permits(expression: &str, allowed: &[&str]) -> bool {
    let expression = expression.replace('/', " OR ");
    expression.split(" AND ").all(|part| {
        let alternatives = part.trim().trim_start_matches('(').trim_end_matches(')');
        alternatives
            .split(" OR ")
            .any(|licence| allowed.contains(&licence.trim()))
    })
}
