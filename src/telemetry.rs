//! Logs. A line reads alone and carries fields; nobody's words, names, keys or figures go into it.

use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// The model client's crate logs chunks it cannot read, with their content.
const SILENCED: &str = "async_openai=off";

/// Starts logging to stderr: text on a terminal, JSON elsewhere. `RUST_LOG` filters; `default` counts without it.
pub fn init(default: &str) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(default));
    let filter = match SILENCED.parse() {
        Ok(directive) => filter.add_directive(directive),
        Err(_) => filter,
    };
    let registry = tracing_subscriber::registry().with(filter);
    let started = if std::io::stderr().is_terminal() {
        registry
            .with(
                tracing_subscriber::fmt::layer()
                    .with_writer(std::io::stderr)
                    .with_target(false),
            )
            .try_init()
    } else {
        registry
            .with(
                tracing_subscriber::fmt::layer()
                    .json()
                    .flatten_event(true)
                    .with_writer(std::io::stderr),
            )
            .try_init()
    };
    // A second start in one process keeps the first one's settings.
    drop(started);
}
