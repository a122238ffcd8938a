//! Logs and traces. Neither contains users' text, names, keys or figures.

use plan_model::event::SPANS;
use std::io::IsTerminal;
use std::panic::PanicHookInfo;
use std::sync::{OnceLock, mpsc};
use std::time::Duration;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_appender::non_blocking::{ErrorCounter, NonBlocking, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry};

/// Libraries whose detailed logs hold what people write: async-openai the chunks that it cannot parse, with their content;
/// tokio-postgres the parameters of statements, diesel their texts; rmcp the messages of assistants; HTTP libraries the heads and bodies that they read and
/// send. Only these levels, whatever `RUST_LOG` says: a directive for a target wins over a shorter one.
const QUIET: [&str; 15] = [
    "async_openai=off",
    "tokio_postgres=info",
    "postgres_protocol=info",
    "postgres_types=info",
    "diesel=info",
    "diesel_async=info",
    "bb8=info",
    "hyper=info",
    "hyper_util=info",
    "h2=info",
    "reqwest=info",
    // At info a line for each request, and the whole of some messages.
    "rmcp=error",
    "rustls=info",
    "tower_sessions=info",
    "tower_sessions_core=info",
];

/// Queue length for a slow reader of stderr. Further lines are dropped and counted: no request waits for its log.
const WAITING_LINES: usize = 4_096;

/// How long the process waits at exit for queued lines.
const LAST_WORDS: Duration = Duration::from_millis(1_500);

/// Target of the request log lines.
const REQUESTS: &str = "plan_advisor::http::layers::observe";

static DROPPED: OnceLock<ErrorCounter> = OnceLock::new();

/// Number of dropped log lines since the start.
pub(crate) fn dropped_lines() -> u64 {
    let count = DROPPED.get().map_or(0, ErrorCounter::dropped_lines);
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// Keeps the log writer and, with the feature `otel`, the trace exporter alive until it is dropped.
#[must_use]
pub(crate) struct Telemetry {
    _log: LastWords,
    #[cfg(feature = "otel")]
    traces: Option<opentelemetry_sdk::trace::SdkTracerProvider>,
}

/// Starts logging to stderr: text on a terminal, JSON elsewhere. `RUST_LOG` filters, else `default`.
pub(crate) fn init(default: &str) -> Telemetry {
    start(default, std::io::stderr().is_terminal().then_some(Style::Fields))
}

/// Like [`init`], but short lines for a terminal: time, level and message, one line per turn and none for
/// GET requests.
pub(crate) fn init_for_a_person(default: &str) -> Telemetry {
    if std::io::stderr().is_terminal() {
        start(&format!("{default},{REQUESTS}=warn"), Some(Style::Message))
    } else {
        start(default, None)
    }
}

/// The format on a terminal.
enum Style {
    Fields,
    Message,
}

/// `style` is `None` for JSON.
fn start(default: &str, style: Option<Style>) -> Telemetry {
    let asked = std::env::var(EnvFilter::DEFAULT_ENV).ok();
    let filter = filter(asked.as_deref(), default);
    let (writer, last_words) = beside_the_requests(std::io::stderr());
    let log = tracing_subscriber::fmt::layer().with_writer(writer);
    let log = match style {
        Some(Style::Fields) => log.with_target(false).with_filter(filter).boxed(),
        Some(Style::Message) => log.event_format(MessageOnly).with_filter(filter).boxed(),
        None => log.json().flatten_event(true).with_filter(filter).boxed(),
    };
    let (layers, telemetry) = with_traces(vec![log], last_words);
    // A second call in one process keeps the first settings.
    if tracing_subscriber::registry().with(layers).try_init().is_ok() {
        std::panic::set_hook(Box::new(report_panic));
    }
    telemetry
}

/// What is logged: what was asked for, but never what a library says of people's words.
fn filter(asked: Option<&str>, default: &str) -> EnvFilter {
    let quiet = QUIET
        .iter()
        .map(|directive| directive.split('=').next().unwrap_or_default());
    let is_ours = |directive: &&str| {
        let target = directive.split(['=', '[']).next().unwrap_or_default().trim();
        let is_of = |library: &str| {
            target
                .strip_prefix(library)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        !quiet.clone().any(is_of)
    };
    let asked = asked.map(|asked| asked.split(',').filter(is_ours).collect::<Vec<_>>().join(","));
    let filter = asked
        .filter(|asked| asked.chars().any(|c| c != ','))
        .and_then(|asked| EnvFilter::try_new(asked).ok())
        .unwrap_or_else(|| EnvFilter::new(default));
    let no_spans = format!("{SPANS}=off");
    (QUIET.iter().copied().chain([&*no_spans]))
        .filter_map(|directive| directive.parse().ok())
        .fold(filter, EnvFilter::add_directive)
}

/// `12:34:56  INFO  Turn … used 120 tokens`, in UTC.
struct MessageOnly;

impl<S, N> FormatEvent<S, N> for MessageOnly
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, _: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> std::fmt::Result {
        let (hour, minute, second) = time::OffsetDateTime::now_utc().to_hms();
        write!(
            writer,
            "{hour:02}:{minute:02}:{second:02} {:>5}  ",
            event.metadata().level()
        )?;
        let mut message = Message(&mut writer, Ok(()));
        event.record(&mut message);
        message.1?;
        writeln!(writer)
    }
}

/// Writes the message of an event and none of its fields.
struct Message<'a, 'w>(&'a mut Writer<'w>, std::fmt::Result);

impl Visit for Message<'_, '_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.1 = write!(self.0, "{value:?}");
        }
    }
}

/// A writer that passes lines to a thread. Otherwise a pipe that is not read would block every thread that logs.
fn beside_the_requests(sink: impl std::io::Write + Send + 'static) -> (NonBlocking, LastWords) {
    let (writer, guard) = NonBlockingBuilder::default()
        .buffered_lines_limit(WAITING_LINES)
        .thread_name("log")
        .finish(sink);
    let _ = DROPPED.set(writer.error_counter());
    (writer, LastWords(Some(guard)))
}

/// The default panic hook writes to stderr directly and would block on a full pipe.
fn report_panic(panic: &PanicHookInfo<'_>) {
    let words = panic.payload_as_str().unwrap_or("without words");
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    tracing::error!("panicked at {place}: {words}");
}

/// Waits briefly for queued lines.
struct LastWords(Option<WorkerGuard>);

impl Drop for LastWords {
    fn drop(&mut self) {
        let Some(guard) = self.0.take() else { return };
        let (done, wait) = mpsc::channel::<()>();
        // Dropping the guard flushes and may block on the same reader.
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
            // Flushes queued spans if the collector is reachable.
            let _ = traces.shutdown();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    /// A sink that blocks until it is released.
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
    fn no_setting_makes_libraries_log_what_people_write() {
        for asked in [
            "trace",
            "debug",
            "tokio_postgres=trace",
            "info,hyper::proto=trace,reqwest[span]=debug",
            "trace,diesel=trace",
            ",,",
        ] {
            let taken = Arc::new(Mutex::new(Vec::new()));
            let sink = Arc::clone(&taken);
            let log = tracing_subscriber::fmt::layer()
                .with_writer(move || Stuck(Arc::clone(&sink)))
                .with_filter(filter(Some(asked), "info"));
            tracing::subscriber::with_default(tracing_subscriber::registry().with(log), || {
                tracing::debug!(target: "tokio_postgres", "executing with parameters: canary");
                tracing::trace!(target: "hyper::proto::h1::io", "received canary");
                tracing::trace!(target: "reqwest", "canary");
                tracing::trace!(target: "diesel", "canary");
                tracing::error!(target: "async_openai", "canary");
                tracing::info!("heard");
            });
            let text = String::from_utf8(taken.lock().expect("never poisoned").clone()).expect("text");
            assert!(!text.contains("canary"), "{asked}: {text}");
            assert!(text.contains("heard"), "{asked}: {text}");
        }
    }

    #[test]
    fn a_line_for_a_person_is_time_level_and_message() {
        let taken = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&taken);
        let log = tracing_subscriber::fmt::layer()
            .with_writer(move || Stuck(Arc::clone(&sink)))
            .event_format(MessageOnly);
        tracing::subscriber::with_default(tracing_subscriber::registry().with(log), || {
            tracing::info_span!("request", http.route = "/")
                .in_scope(|| tracing::info!(turn.tokens = 120, "Turn {} used {} tokens", 7, 120));
        });
        let line = String::from_utf8(taken.lock().expect("never poisoned").clone()).expect("text");
        let (time, message) = line.split_at(8);
        assert_eq!(message, "  INFO  Turn 7 used 120 tokens\n");
        assert!(
            time.bytes().enumerate().all(|(at, byte)| if at % 3 == 2 {
                byte == b':'
            } else {
                byte.is_ascii_digit()
            }),
            "{time}"
        );
    }

    #[test]
    fn a_stuck_log_stops_nobody_and_counts_what_it_drops() {
        let taken = Arc::new(Mutex::new(Vec::new()));
        let (mut writer, last_words) = beside_the_requests(Stuck(Arc::clone(&taken)));
        let held = taken.lock().expect("never poisoned");
        for _ in 0..WAITING_LINES + 10 {
            writer.write_all(b"a line\n").expect("never waits");
        }
        // One line is being written.
        let dropped = writer.error_counter().dropped_lines();
        assert!((9..=10).contains(&dropped), "{dropped} were dropped");
        drop(held);
        drop(last_words);
        let lines = taken.lock().expect("never poisoned").len() / b"a line\n".len();
        assert_eq!(lines, WAITING_LINES + 10 - dropped);
    }
}
