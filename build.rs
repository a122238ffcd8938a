//! Migrations are embedded: a changed SQL file must rebuild the crate.
fn main() {
    println!("cargo::rerun-if-changed=migrations");
    println!("cargo::rerun-if-changed=web");
}
