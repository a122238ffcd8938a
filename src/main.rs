//! Parses the command and calls the library; nothing else.

use plan_advisor::cli::{self, Cli};
use std::process::ExitCode;
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    // Idle blocking threads end soon, and with them the 19 MiB of a password hash.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .thread_keep_alive(Duration::from_secs(1))
        .build();
    match runtime {
        Ok(runtime) => runtime.block_on(run()),
        Err(error) => {
            eprintln!("plan-advisor: no threads: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> ExitCode {
    #[cfg(feature = "failpoints")]
    let _scenario = plan_advisor::failpoint::setup();
    // One TLS provider for the whole process; a second call has no effect.
    let _ = rustls::crypto::ring::default_provider().install_default();
    match Cli::from_environment().run().await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("plan-advisor: {error:#}");
            cli::exit_code(&error)
        }
    }
}
