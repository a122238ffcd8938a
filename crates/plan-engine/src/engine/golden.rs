//! Compares the engine with `tests/golden/financial-model.json`, which `tests/oracle` computes independently.

use crate::engine::project;
use plan_model::brand::Brand;
use plan_model::field::FieldPath;
use plan_model::inputs::FinancialInputs;
use plan_model::number::Number;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use time::OffsetDateTime;

const FILE: &str = include_str!("../../../../tests/golden/financial-model.json");

/// What one scenario of the file does not find in `ours`, by path. Keys that only we have are ours to add.
fn differences(at: &str, golden: &Value, ours: &Value, found: &mut Vec<String>) {
    match (golden, ours) {
        (Value::Object(golden), Value::Object(ours)) => {
            for (key, value) in golden {
                differences(
                    &format!("{at}.{key}"),
                    value,
                    ours.get(key).unwrap_or(&json!("absent")),
                    found,
                );
            }
        }
        (Value::Array(golden), Value::Array(ours)) if golden.len() == ours.len() => {
            for (index, (golden, ours)) in golden.iter().zip(ours).enumerate() {
                differences(&format!("{at}[{index}]"), golden, ours, found);
            }
        }
        _ if golden != ours => found.push(format!("{at}: {golden} is {ours}")),
        _ => {}
    }
}

fn scenarios() -> Vec<Map<String, Value>> {
    let mut file: BTreeMap<String, Value> = serde_json::from_str(FILE).expect("the file is JSON");
    serde_json::from_value(file.remove("scenarios").expect("it has scenarios")).expect("they are objects")
}

fn run(scenario: &Map<String, Value>) -> Value {
    let brand = Brand::demo();
    let mut inputs = FinancialInputs::from_brand(&brand);
    let changes: BTreeMap<FieldPath, Number> =
        serde_json::from_value(scenario["changes"].clone()).expect("path: value");
    for (path, value) in changes {
        let field = inputs.0.get_mut(&path).expect("a field of the plan");
        // The time matters: of loan amount and down payment the one modified later decides.
        (field.current_value, field.last_modified_at) = (value, Some(OffsetDateTime::UNIX_EPOCH));
    }
    let projection = project(&inputs, &brand);
    assert!(projection.checks.passed, "{:?}", projection.checks.failed);
    json!(projection)
}

#[test]
fn the_golden_scenarios_are_reproduced_to_the_cent() {
    let scenarios = scenarios();
    assert_eq!(scenarios.len(), 6);
    for mut scenario in scenarios {
        let ours = run(&scenario);
        let name = scenario.remove("name").expect("a name").to_string();
        scenario.remove("changes");
        let mut found = vec![];
        differences(&name, &Value::Object(scenario), &ours, &mut found);
        assert_eq!(found, Vec::<String>::new());
    }
}

#[test]
fn rows_have_the_names_of_the_file_and_only_the_announced_ones_more() {
    let scenario = &scenarios()[0];
    let ours = run(scenario);
    let extra = |golden: &Value, ours: &Value| {
        let (golden, ours) = (golden.as_object().expect("a row"), ours.as_object().expect("a row"));
        ours.keys()
            .filter(|key| !golden.contains_key(*key))
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(extra(&scenario["opening"], &ours["opening"]), [""; 0]);
    assert_eq!(extra(&scenario["monthly"][0], &ours["monthly"][0]), [""; 0]);
    assert_eq!(
        extra(&scenario["annual"][0], &ours["annual"][0]),
        ["ebitdaPct", "grossPct", "preTaxPct"]
    );
    assert_eq!(
        extra(&scenario["metrics"], &ours["metrics"]),
        [
            "dscrYear1",
            "dscrYear2",
            "dscrYear3",
            "dscrYear4",
            "dscrYear5",
            "minDscr"
        ]
    );
    assert_eq!(extra(&json!({}), &ours).len(), 7);
}

#[test]
fn the_default_plan_stands_within_item_7_and_its_coverage_in_the_metrics() {
    let ours = run(&scenarios()[0]);
    assert_eq!(
        ours["item7"],
        json!({"low": 26_890_000, "high": 51_450_000, "planTotal": 36_500_000, "position": "within"})
    );
    let metrics = &ours["metrics"];
    let dscr: Vec<_> = (1..=5)
        .map(|year| metrics[format!("dscrYear{year}")].to_string())
        .collect();
    assert_eq!(dscr, ["0.61", "1.7", "2.1", "2.21", "2.3"]);
    assert_eq!(metrics["minDscr"].to_string(), "0.61");
    let levels: Vec<_> = ours["advisories"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|a| (a["code"].as_str(), a["level"].as_str()))
        .collect();
    assert_eq!(
        levels,
        [
            (Some("break_even"), Some("ok")),
            (Some("five_year_roi"), Some("watch")),
            (Some("months_negative"), Some("ok")),
            (Some("dscr"), Some("alert"))
        ]
    );
}
