//! Projections of values that the plan does not have: tried, or kept as a scenario.

use crate::page::unzipped;
use crate::support::{Client, TestApp};
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::json;

const RENT: &str = "operatingCosts.rentMonthly";

#[tokio::test]
async fn tried_values_a_scenario_and_the_plan_with_them_have_the_same_projection() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let overrides = json!({ RENT: 360_000, "operatingCosts.laborPct": 0.36 });
    let before = sam.get_plan().await;
    let tried = sam.post(&sam.path("/what-if"), &json!({"overrides": overrides})).await;
    assert_eq!(tried.status, 200, "{}", tried.text);
    let body = json!({"name": "Lean", "overrides": overrides});
    let scenario = sam.post(&sam.path("/scenarios"), &body).await.data();
    let id = scenario["id"].as_str().expect("an id");
    let kept = sam.get(&sam.path(&format!("/outputs?scenario={id}"))).await.data();
    assert_eq!(tried.data(), kept);
    assert_eq!(sam.get_plan().await, before);
    let csv = sam.get(&sam.path(&format!("/outputs.csv?scenario={id}"))).await;
    assert_eq!(
        csv.header("content-disposition"),
        Some("attachment; filename=\"sam-s-grooming-salon-lean-60-months.csv\"")
    );
    let chart = |query: String| async move { sam.get(&sam.path(&format!("/charts/cash.svg{query}"))).await.text };
    let drawn = chart(format!("?scenario={id}")).await;
    assert_ne!(drawn, chart(String::new()).await);

    sam.post(&sam.path(&format!("/scenarios/{id}/adopt")), &json!({})).await;
    assert_eq!(sam.get(&sam.path("/outputs")).await.data(), kept);
    assert_eq!(csv.text, sam.get(&sam.path("/outputs.csv")).await.text);
    assert_eq!(drawn, chart(String::new()).await);
}

#[tokio::test]
async fn a_scenarios_workbook_has_its_name_and_the_numbers_of_the_plan_with_it() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let body = json!({"name": "Lean <b>", "overrides": { RENT: 360_000 }});
    let scenario = sam.post(&sam.path("/scenarios"), &body).await.data();
    let id = scenario["id"].as_str().expect("an id");
    let plan = sheets(sam, "").await;
    let kept = sheets(sam, &format!("?scenario={id}")).await;
    assert!(
        kept.0.contains("Lean &lt;b&gt;") && !plan.0.contains("Lean"),
        "{}",
        kept.0
    );
    assert_ne!(kept.1, plan.1);
    sam.post(&sam.path(&format!("/scenarios/{id}/adopt")), &json!({})).await;
    assert_eq!(kept.1, sheets(sam, "").await.1);
}

/// The texts of the plan's workbook, and the sheets of months, years and balance sheet.
async fn sheets(client: &Client, query: &str) -> (String, [String; 3]) {
    let request = client.request(Method::GET, &client.path(&format!("/outputs.xlsx{query}")));
    let file = request.send().await.expect("an answer").bytes().await.expect("a body");
    let sheet = |number: usize| {
        let sheet = unzipped(&file, &format!("xl/worksheets/sheet{number}.xml"));
        // Below the cells the name is said on each page.
        sheet.split("<headerFooter>").next().unwrap_or_default().to_owned()
    };
    (unzipped(&file, "xl/sharedStrings.xml"), [sheet(5), sheet(6), sheet(7)])
}

#[tokio::test]
async fn relative_values_are_those_that_they_make() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    sam.set(RENT, 433_335).await;
    let tried = async |overrides: serde_json::Value| {
        sam.post(&sam.path("/what-if"), &json!({ "overrides": overrides }))
            .await
    };
    for (change, value) in [
        (json!({"times": 1.1}), 476_669),
        (json!({"times": 0.9}), 390_002),
        (json!({"by": -33_335}), 400_000),
        (json!({"times": 0}), 0),
    ] {
        let relative = tried(json!({ RENT: change })).await;
        assert_eq!(relative.json()["meta"]["overrides"], json!({ RENT: value }), "{change}");
        assert_eq!(relative.data(), tried(json!({ RENT: value })).await.data(), "{change}");
    }
    let body = json!({"name": "Lean", "overrides": {RENT: {"by": -33_335}, "operatingCosts.laborPct": {"by": -0.01}}});
    let scenario = sam.post(&sam.path("/scenarios"), &body).await.data();
    assert_eq!(scenario["overrides"][RENT], 400_000);
    let id = scenario["id"].as_str().expect("an id");
    let body = json!({"overrides": {RENT: {"times": 2}}});
    let replaced = sam.put(&sam.path(&format!("/scenarios/{id}")), &body).await.data();
    assert_eq!(replaced["overrides"], json!({ RENT: 866_670 }));
    for change in [
        json!({"by": -500_000}),
        json!({"times": 1e20}),
        json!({"by": 1, "times": 2}),
        json!({}),
        json!({"to": 5}),
        json!({"by": "5"}),
        json!([1]),
    ] {
        let refused = tried(json!({ RENT: change })).await;
        assert_eq!(refused.failure(), (400, "VALIDATION_ERROR".to_owned()), "{change}");
    }
    // What is borrowed counts, also where the owner's share decides on it.
    sam.set("financing.downPaymentPct", 0.3).await;
    let loan = sam.get(&sam.path("/outputs")).await.data()["metrics"]["loanAmount"]
        .as_i64()
        .expect("cents");
    let less = tried(json!({"financing.loanAmount": {"by": -2_000_000}})).await.data();
    assert_eq!(less["metrics"]["loanAmount"], loan - 2_000_000);
}

#[tokio::test]
async fn what_cannot_be_tried_is_refused() {
    let app = TestApp::spawn().await;
    let (sam, taylor) = (&app.sam, &app.taylor);
    for overrides in [
        json!({"no.field": 1}),
        json!({ RENT: -1 }),
        json!({ RENT: null }),
        json!({ RENT: 1.5 }),
    ] {
        let refused = sam.post(&sam.path("/what-if"), &json!({"overrides": overrides})).await;
        assert_eq!(refused.failure(), (400, "VALIDATION_ERROR".to_owned()), "{overrides}");
    }
    let empty = taylor.post(&taylor.path("/what-if"), &json!({"overrides": {}})).await;
    assert_snapshot!(empty.refusal(), @"409 CONFLICT: The plan has no values yet, so there is nothing to compare.");
    let unknown = uuid::Uuid::now_v7();
    for file in ["outputs", "outputs.csv", "outputs.xlsx", "charts/cash.svg"] {
        let reply = sam.get(&sam.path(&format!("/{file}?scenario={unknown}"))).await;
        assert_eq!(reply.failure().0, 404, "{file}");
    }
    assert_eq!(
        sam.get(&sam.path("/outputs?scenario=lean")).await.failure(),
        (400, "VALIDATION_ERROR".to_owned())
    );
}
