//! Logs and traces. A line reads alone and carries fields; nobody's words, names, keys or figures go into either.

use crate::model::event::SPANS;
use std::io::IsTerminal;
use std::panic::PanicHookInfo;
use std::sync::{OnceLock, mpsc};
use std::time::Duration;
use tracing_appender::non_blocking::{ErrorCounter, NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry};

/// The model client's crate logs chunks it cannot read, with their content.
const SILENCED: &str = "async_openai=off";

/// Lines that wait for a slow reader of stderr. Beyond them they are counted and dropped: no request waits for its log.
const WAITING_LINES: usize = 4_096;

/// How long the end of the process waits for lines on their way.
const LAST_WORDS: Duration = Duration::from_millis(1_500);

static DROPPED: OnceLock<ErrorCounter> = OnceLock::new();

/// Log lines that nobody took in time, since the start.
#[must_use]
pub fn dropped_lines() -> u64 {
    let count = DROPPED.get().map_or(0, ErrorCounter::dropped_lines);
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// What writes the log, and sends traces where built with `otel` and told where to, until it is dropped.
#[must_use]
pub struct Telemetry {
    _log: LastWords,
    #[cfg(feature = "otel")]
    traces: Option<opentelemetry_sdk::trace::SdkTracerProvider>,
}

/// Starts logging to stderr: text on a terminal, JSON elsewhere. `RUST_LOG` filters; `default` counts without it.
pub fn init(default: &str) -> Telemetry {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(default));
    let no_spans = format!("{SPANS}=off");
    let filter = [SILENCED, &no_spans]
        .iter()
        .filter_map(|directive| directive.parse().ok())
        .fold(filter, EnvFilter::add_directive);
    let (writer, last_words) = beside_the_requests(std::io::stderr());
    let log = tracing_subscriber::fmt::layer().with_writer(writer);
    let log = if std::io::stderr().is_terminal() {
        log.with_target(false).with_filter(filter).boxed()
    } else {
        log.json().flatten_event(true).with_filter(filter).boxed()
    };
    let (layers, telemetry) = with_traces(vec![log], last_words);
    // A second start in one process keeps the first one's settings.
    if tracing_subscriber::registry().with(layers).try_init().is_ok() {
        std::panic::set_hook(Box::new(report_panic));
    }
    telemetry
}

/// A writer that only hands lines over to a thread. A pipe that nobody reads would else stop whoever has something to say.
fn beside_the_requests(sink: impl std::io::Write + Send + 'static) -> (NonBlocking, LastWords) {
    let (writer, guard) = NonBlockingBuilder::default()
        .buffered_lines_limit(WAITING_LINES)
        .thread_name("log")
        .finish(sink);
    let _ = DROPPED.set(writer.error_counter());
    (writer, LastWords(Some(guard)))
}

/// The usual hook writes to stderr by itself, and would wait for its reader.
fn report_panic(panic: &PanicHookInfo<'_>) {
    let words = panic.payload_as_str().unwrap_or("without words");
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    tracing::error!("panicked at {place}: {words}");
}

/// Lets the lines on their way out, for a moment.
struct LastWords(Option<WorkerGuard>);

impl Drop for LastWords {
    fn drop(&mut self) {
        let Some(guard) = self.0.take() else { return };
        let (done, wait) = mpsc::channel::<()>();
        // The guard may have to wait for the same reader that the lines wait for.
        std::thread::spawn(move || {
            drop(guard);
            drop(done);
        });
        let _ = wait.recv_timeout(LAST_WORDS);
    }
}

type Layers = Vec<Box<dyn Layer<Registry> + Send + Sync>>;

#[cfg(not(feature = "otel"))]
fn with_traces(layers: Layers, log: LastWords) -> (Layers, Telemetry) {
    (layers, Telemetry { _log: log })
}

/// Adds the exporter where `OTEL_EXPORTER_OTLP_ENDPOINT` names a collector (OTLP over HTTP, usually port 4318).
#[cfg(feature = "otel")]
fn with_traces(mut layers: Layers, log: LastWords) -> (Layers, Telemetry) {
    use opentelemetry::trace::TracerProvider;
    use opentelemetry_sdk::{Resource, trace::SdkTracerProvider};
    if std::env::var("OTEL_EXPORTER_OTLP_ENDPOINT").is_ok_and(|endpoint| !endpoint.trim().is_empty()) {
        match opentelemetry_otlp::SpanExporter::builder().with_http().build() {
            Ok(exporter) => {
                let provider = SdkTracerProvider::builder()
                    .with_batch_exporter(exporter)
                    .with_resource(Resource::builder().with_service_name("plan-advisor").build())
                    .build();
                let only_traces = tracing_subscriber::filter::Targets::new().with_target(SPANS, tracing::Level::TRACE);
                layers.push(
                    tracing_opentelemetry::layer()
                        .with_tracer(provider.tracer("plan-advisor"))
                        .with_location(false)
                        .with_threads(false)
                        .with_filter(only_traces)
                        .boxed(),
                );
                let telemetry = Telemetry {
                    _log: log,
                    traces: Some(provider),
                };
                return (layers, telemetry);
            }
            Err(error) => eprintln!("plan-advisor: no traces are sent: {error}"),
        }
    }
    let telemetry = Telemetry {
        _log: log,
        traces: None,
    };
    (layers, telemetry)
}

#[cfg(feature = "otel")]
impl Drop for Telemetry {
    fn drop(&mut self) {
        if let Some(traces) = self.traces.take() {
            // What is still in the queue goes out, if the collector listens.
            let _ = traces.shutdown();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    /// A sink that takes nothing until it is let.
    struct Stuck(Arc<Mutex<Vec<u8>>>);

    impl Write for Stuck {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("never poisoned").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_stuck_log_stops_nobody_and_counts_what_it_drops() {
        let taken = Arc::new(Mutex::new(Vec::new()));
        let (mut writer, last_words) = beside_the_requests(Stuck(Arc::clone(&taken)));
        let held = taken.lock().expect("never poisoned");
        for _ in 0..WAITING_LINES + 10 {
            writer.write_all(b"a line\n").expect("never waits");
        }
        // One is in the writer's hands.
        let dropped = writer.error_counter().dropped_lines();
        assert!((9..=10).contains(&dropped), "{dropped} were dropped");
        drop(held);
        drop(last_words);
        let lines = taken.lock().expect("never poisoned").len() / b"a line\n".len();
        assert_eq!(lines, WAITING_LINES + 10 - dropped);
    }
}
