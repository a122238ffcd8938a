//! Addresses, and what the API document says of them. Both come from a handler's `#[utoipa::path]`, but the document is made only
//! when somebody asks for it: making it ran a third of all code that ever ran until the server was ready.

use crate::app::AppState;
use axum::Router;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, Route};
use std::convert::Infallible;
use tower::{Layer, Service};
use utoipa::openapi::{HttpMethod, OpenApi};
use utoipa_axum::PathItemExt;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

/// Describes one address for the document.
type Describe = fn() -> UtoipaMethodRouter<AppState>;

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
                handlers: axum::routing::on($crate::http::endpoints::filter(&utoipa_axum::routes!(@path [methods()] of $first)), $first)
                    $(.on($crate::http::endpoints::filter(&utoipa_axum::routes!(@path [methods()] of $more)), $more))*,
                describe: || utoipa_axum::routes!($first $(, $more)*),
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
        let start = OpenApiRouter::<AppState>::new();
        self.descriptions
            .iter()
            .fold(start, |router, describe| router.routes(describe()))
            .into_openapi()
    }
}
