//! The acceptance data of the financial model, through the API: every name and every number.

use crate::support::TestApp;
use serde_json::{Map, Value};

fn assert_rows(at: &str, wanted: &Value, got: &Value) {
    for (name, value) in wanted.as_object().expect("a row") {
        assert_eq!(got[name].to_string(), value.to_string(), "{at} {name}");
    }
}

fn assert_table(at: &str, wanted: &Value, got: &Value) {
    let (wanted, got) = (wanted.as_array().expect("rows"), got.as_array().expect("rows"));
    assert_eq!(wanted.len(), got.len(), "{at}");
    for (nth, (wanted, got)) in wanted.iter().zip(got).enumerate() {
        assert_rows(&format!("{at}[{nth}]"), wanted, got);
    }
}

#[tokio::test]
async fn every_scenario_is_computed_line_by_line() {
    let golden: Value = serde_json::from_str(include_str!("../golden/financial-model.json")).unwrap();
    let scenarios = golden["scenarios"].as_array().unwrap();
    assert_eq!(scenarios.len(), 6);
    for scenario in scenarios {
        let name = scenario["name"].as_str().unwrap();
        let app = TestApp::spawn().await;
        let changes = scenario["changes"].as_object().cloned().unwrap_or_else(Map::new);
        for (path, value) in changes {
            assert_eq!(app.sam.set(&path, value).await.status, 200, "{name} {path}");
        }
        let outputs = app.sam.get(&app.sam.path("/outputs")).await.data();
        assert_rows(&format!("{name} opening"), &scenario["opening"], &outputs["opening"]);
        assert_rows(&format!("{name} metrics"), &scenario["metrics"], &outputs["metrics"]);
        assert_table(&format!("{name} annual"), &scenario["annual"], &outputs["annual"]);
        if scenario["monthly"].is_array() {
            assert_table(&format!("{name} monthly"), &scenario["monthly"], &outputs["monthly"]);
        }
        assert_eq!(outputs["checks"]["passed"], true, "{name}");
    }
}
