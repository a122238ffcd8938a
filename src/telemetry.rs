//! Logs and traces. A line reads alone and carries fields; nobody's words, names, keys or figures go into either.

use crate::model::event::SPANS;
use std::io::IsTerminal;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, Registry};

/// The model client's crate logs chunks it cannot read, with their content.
const SILENCED: &str = "async_openai=off";

/// What sends traces until it is dropped. Nothing, unless built with `otel` and told where to.
#[must_use]
pub struct Telemetry {
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
    let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let log = if std::io::stderr().is_terminal() {
        log.with_target(false).with_filter(filter).boxed()
    } else {
        log.json().flatten_event(true).with_filter(filter).boxed()
    };
    let (layers, telemetry) = with_traces(vec![log]);
    // A second start in one process keeps the first one's settings.
    let _ = tracing_subscriber::registry().with(layers).try_init();
    telemetry
}

type Layers = Vec<Box<dyn Layer<Registry> + Send + Sync>>;

#[cfg(not(feature = "otel"))]
fn with_traces(layers: Layers) -> (Layers, Telemetry) {
    (layers, Telemetry {})
}

/// Adds the exporter where `OTEL_EXPORTER_OTLP_ENDPOINT` names a collector (OTLP over HTTP, usually port 4318).
#[cfg(feature = "otel")]
fn with_traces(mut layers: Layers) -> (Layers, Telemetry) {
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
                return (layers, Telemetry { traces: Some(provider) });
            }
            Err(error) => eprintln!("plan-advisor: no traces are sent: {error}"),
        }
    }
    (layers, Telemetry { traces: None })
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
