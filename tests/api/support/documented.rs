//! Every answer that any test sees is one that the API document lists.

use serde_json::Value;
use std::sync::LazyLock;

struct Operation {
    method: String,
    address: Vec<String>,
    statuses: Vec<String>,
}

static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(|| {
    let document = serde_json::to_value(plan_advisor::http::openapi()).expect("plain data");
    let keys = |value: &Value| -> Vec<String> {
        value
            .as_object()
            .into_iter()
            .flatten()
            .map(|(key, _)| key.clone())
            .collect()
    };
    let mut found = Vec::new();
    for (address, item) in document["paths"].as_object().expect("paths") {
        for method in keys(item) {
            found.push(Operation {
                address: address.split('/').map(str::to_owned).collect(),
                statuses: keys(&item[&method]["responses"]),
                method: method.to_uppercase(),
            });
        }
    }
    // A fixed segment wins over a parameter.
    found.sort_by_key(|operation| operation.address.iter().filter(|part| part.contains('{')).count());
    found
});

/// Panics over a status that the document does not have for the operation. Other addresses and methods are none of it.
#[track_caller]
pub fn check(method: &str, path: &str, status: u16) {
    let is_at = |operation: &&Operation| {
        let parts: Vec<&str> = path.split('/').collect();
        let fits = |(template, part): (&String, &&str)| match template.split_once('}') {
            Some((_, suffix)) => part.ends_with(suffix),
            None => template == part,
        };
        operation.address.len() == parts.len() && operation.address.iter().zip(&parts).all(fits)
    };
    // The first address that fits is the one that was asked, whatever the method.
    let Some(address) = OPERATIONS.iter().find(is_at).map(|operation| &operation.address) else {
        return;
    };
    let mut at = OPERATIONS.iter().filter(|operation| operation.address == *address);
    if let Some(operation) = at.find(|operation| operation.method == method) {
        let status = status.to_string();
        assert!(
            operation.statuses.contains(&status),
            "openapi.yaml has no {status} for {method} {path}"
        );
    }
}
