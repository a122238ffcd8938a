//! The metric catalogue as clients see it.

use crate::support::TestApp;
use serde_json::json;

#[tokio::test]
async fn every_metric_of_a_projection_is_listed_with_label_kind_direction_and_help() {
    let app = TestApp::spawn().await;
    let listed = app.sam.get("/api/metrics").await.data();
    let listed = listed.as_array().expect("a list");
    let outputs = app.sam.get(&app.sam.path("/outputs")).await.data();
    let metrics = outputs["metrics"].as_object().expect("metrics");

    assert_eq!(listed.len(), metrics.len());
    for metric in listed {
        let name = metric["name"].as_str().expect("a name");
        assert!(metrics.contains_key(name), "{name}");
        assert!(
            metric["label"].as_str().is_some_and(|label| !label.is_empty()),
            "{name}"
        );
        assert!(
            metric["help"].as_str().is_some_and(|help| help.ends_with('.')),
            "{name}"
        );
    }
    let shape = |name: &str| {
        let metric = listed.iter().find(|metric| metric["name"] == name).expect("a metric");
        json!([metric["label"], metric["kind"], metric["better"]])
    };
    assert_eq!(shape("breakEvenMonth"), json!(["Break-even month", "month", "lower"]));
    assert_eq!(
        shape("dscrYear1"),
        json!(["Loan coverage (DSCR), year 1", "multiple", "higher"])
    );
    assert_eq!(shape("loanAmount"), json!(["Loan amount", "money", null]));
    assert_eq!(
        shape("equityPct"),
        json!(["Your share of the investment", "percent", null])
    );
    assert_eq!(
        shape("monthsNegative"),
        json!(["Months with cash below zero", "count", "lower"])
    );
}
