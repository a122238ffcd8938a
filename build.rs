//! What the compiler does not see: migrations and page are embedded.

fn main() {
    for input in ["build.rs", "migrations", "web"] {
        println!("cargo::rerun-if-changed={input}");
    }
}
