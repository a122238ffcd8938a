//! Addresses, and what the API document says of them. Both come from a handler's `#[utoipa::path]`, but the document is made only
//! when somebody asks for it: making it ran a third of all code that ever ran until the server was ready.

use crate::app::AppState;
use axum::Router;
use axum::extract::Request;
use axum::handler::Handler;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, Route};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use tower::{Layer, Service};
use utoipa::openapi::path::Operation;
use utoipa::openapi::{HttpMethod, OpenApi, RefOr, Schema};
use utoipa_axum::PathItemExt;

/// A handler whatever its parameters. With one type for all of them, what axum wraps around a handler is compiled once, and the
/// compiler does not have to prove again at each of those layers that the handler's future may change threads: a fifth of the time
/// that this package took it before any machine code went there.
#[derive(Clone)]
pub struct AnyHandler(Arc<dyn Fn(Request, AppState) -> Answer + Send + Sync>);

type Answer = Pin<Box<dyn Future<Output = Response> + Send>>;

impl AnyHandler {
    pub fn new<T, H>(handler: H) -> Self
    where
        H: Handler<T, AppState, Future = Answer>,
    {
        Self(Arc::new(move |request, state| handler.clone().call(request, state)))
    }
}

impl Handler<(), AppState> for AnyHandler {
    type Future = Answer;

    fn call(self, request: Request, state: AppState) -> Answer {
        (self.0)(request, state)
    }
}

/// Describes one address in the document.
type Describe = fn(&mut OpenApi);

/// One address: its handlers, one for each method.
pub struct Endpoint {
    pub address: String,
    pub handlers: MethodRouter<AppState>,
    pub describe: Describe,
}

impl Endpoint {
    pub fn layer<L>(self, layer: L) -> Self
    where
        L: Layer<Route> + Clone + Send + Sync + 'static,
        L::Service: Service<Request, Response = Response, Error = Infallible> + Clone + Send + Sync + 'static,
        <L::Service as Service<Request>>::Future: Send + 'static,
    {
        Self {
            handlers: self.handlers.layer(layer),
            ..self
        }
    }
}

/// The endpoint of these handlers, which share an address.
macro_rules! routes {
    ($first:path $(, $more:path)* $(,)?) => {
        utoipa_axum::paste! {
            $crate::http::endpoints::Endpoint {
                address: utoipa_axum::routes!(@path [path()] of $first),
                handlers: axum::routing::MethodRouter::new()
                    .on($crate::http::endpoints::filter(&utoipa_axum::routes!(@path [methods()] of $first)), $crate::http::endpoints::AnyHandler::new($first))
                    $(.on($crate::http::endpoints::filter(&utoipa_axum::routes!(@path [methods()] of $more)), $crate::http::endpoints::AnyHandler::new($more)))*,
                describe: |document| {
                    let mut schemas = Vec::new();
                    let operations = vec![
                        utoipa_axum::routes!(@resolve_types $first : schemas),
                        $(utoipa_axum::routes!(@resolve_types $more : schemas),)*
                    ];
                    $crate::http::endpoints::describe(document, operations, schemas);
                },
            }
        }
    };
}
pub(crate) use routes;

/// For what a handler's `#[utoipa::path]` names; it names at least one method.
pub fn filter(methods: &[HttpMethod]) -> MethodFilter {
    let filters = methods.iter().map(PathItemExt::to_method_filter);
    filters
        .reduce(MethodFilter::or)
        .expect("the macro of utoipa wants a method")
}

/// For the closures of [`routes`].
pub fn describe(
    document: &mut OpenApi,
    operations: Vec<(String, Operation, Vec<HttpMethod>)>,
    schemas: Vec<(String, RefOr<Schema>)>,
) {
    for (address, operation, methods) in operations {
        document.paths.add_path_operation(address, methods, operation);
    }
    document.components.get_or_insert_default().schemas.extend(schemas);
}

/// Many endpoints, as a router and as a document.
#[derive(Default)]
pub struct Endpoints {
    router: Router<AppState>,
    descriptions: Vec<Describe>,
}

impl Endpoints {
    pub fn routes(mut self, endpoint: Endpoint) -> Self {
        self.router = self.router.route(&endpoint.address, endpoint.handlers);
        self.descriptions.push(endpoint.describe);
        self
    }

    pub fn layer<L>(self, layer: L) -> Self
    where
        L: Layer<Route> + Clone + Send + Sync + 'static,
        L::Service: Service<Request> + Clone + Send + Sync + 'static,
        <L::Service as Service<Request>>::Response: IntoResponse + 'static,
        <L::Service as Service<Request>>::Error: Into<Infallible> + 'static,
        <L::Service as Service<Request>>::Future: Send + 'static,
    {
        Self {
            router: self.router.layer(layer),
            ..self
        }
    }

    pub fn merge(mut self, other: Self) -> Self {
        self.descriptions.extend(other.descriptions);
        Self {
            router: self.router.merge(other.router),
            ..self
        }
    }

    pub fn into_router(self) -> Router<AppState> {
        self.router
    }

    pub fn into_openapi(self) -> OpenApi {
        let mut document = OpenApi::default();
        for describe in self.descriptions {
            describe(&mut document);
        }
        document
    }
}
