//! The metric catalogue: labels, kinds and help for the figures of a projection.

use crate::http::wire::{Data, data};
use plan_model::access::Caller;
use plan_model::metrics::{METRICS, Metric};

/// Lists the metrics of a projection, in the order in which answers carry them.
#[utoipa::path(get, path = "/api/metrics", tag = "plans", responses((status = 200, body = Data<Vec<Metric>>)))]
pub(crate) async fn list_metrics(_: Caller) -> Data<&'static [Metric]> {
    data(METRICS)
}
