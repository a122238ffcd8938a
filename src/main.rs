//! Parses the command and calls the library; nothing else.

use clap::Parser;
use plan_advisor::cli::Cli;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> ExitCode {
    #[cfg(feature = "failpoints")]
    let _scenario = plan_advisor::failpoint::setup();
    // One TLS stack for the whole process; a second call changes nothing.
    let _ = rustls::crypto::ring::default_provider().install_default();
    match Cli::parse().run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("plan-advisor: {error:#}");
            ExitCode::FAILURE
        }
    }
}
