//! What the compiler does not see: migrations and page are embedded, and the linker puts together what runs at the start.

use std::env::var;
use std::process::Command;

/// Made by `make start-order`.
const START_ORDER: &str = "link/start.ld";

fn main() {
    for input in ["build.rs", "migrations", "web", START_ORDER] {
        println!("cargo::rerun-if-changed={input}");
    }
    // The kernel maps code in pieces of 64 KiB around each page that is used. In the linker's own order the few functions
    // that run at the start lie in two thirds of all pieces.
    if var("PROFILE").is_ok_and(|profile| profile == "release") {
        let argument = format!(
            "-Wl,-T,{}/{START_ORDER}",
            var("CARGO_MANIFEST_DIR").expect("cargo sets it")
        );
        if links_with(&argument) {
            println!("cargo::rustc-link-arg-bins={argument}");
        }
    }
}

/// Whether the linker that this build uses takes the argument: not each reads scripts, and without it nothing is missing.
fn links_with(argument: &str) -> bool {
    let of_cargo = |name| var(name).unwrap_or_default();
    let (out, target) = (of_cargo("OUT_DIR"), of_cargo("TARGET"));
    let program = format!("{out}/probe.rs");
    if std::fs::write(&program, "fn main() {}").is_err() {
        return false;
    }
    let mut rustc = Command::new(of_cargo("RUSTC"));
    rustc.args([&program, "--target", &target, "--out-dir", &out]);
    rustc.args(["-C", &format!("link-arg={argument}")]);
    if let Ok(linker) = var("RUSTC_LINKER") {
        rustc.args(["-C", &format!("linker={linker}")]);
    }
    let flags = of_cargo("CARGO_ENCODED_RUSTFLAGS");
    rustc.args(flags.split('\u{1f}').filter(|flag| !flag.is_empty()));
    rustc.output().is_ok_and(|output| output.status.success())
}
