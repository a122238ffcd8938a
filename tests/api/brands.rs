//! Brands: read by everybody, edited as a whole by those who may.

use crate::support::{Client, TestApp};
use serde_json::{Value, json};

const RENT: &str = "operatingCosts.rentMonthly";

async fn brand(client: &Client) -> Value {
    let brands = client.get("/api/brands").await.data();
    assert_eq!(brands.as_array().map(Vec::len), Some(1));
    brands[0].clone()
}

fn path(brand: &Value) -> String {
    format!("/api/brands/{}", brand["id"].as_str().expect("an id"))
}

#[tokio::test]
async fn everybody_reads_a_brand_with_its_defaults_and_item_7_ranges() {
    let app = TestApp::spawn().await;
    let listed = brand(&app.sam).await;
    let read = app.morgan.get(&path(&listed)).await.data();
    assert_eq!(read, listed);
    assert_eq!(
        read["parameters"]["operatingCosts.royaltyPct"]["value"].to_string(),
        "0.06"
    );
    assert_eq!(read["startupCostTemplate"].as_array().map(Vec::len), Some(16));
    assert_eq!(
        app.sam.get(&format!("/api/brands/{}", app.sam.id)).await.failure(),
        (404, "NOT_FOUND".to_owned())
    );
}

#[tokio::test]
async fn an_edited_brand_moves_new_plans_and_leaves_those_that_exist() {
    let app = TestApp::spawn().await;
    let mut edited = brand(&app.morgan).await;
    edited["parameters"][RENT]["value"] = json!(480_000);
    edited["parameters"][RENT]["label"] = json!("Shop rent per month");

    let reply = app.morgan.put(&path(&edited), &edited).await;

    assert_eq!(reply.data(), edited);
    assert_eq!(brand(&app.sam).await, edited);
    assert_eq!(app.sam.field(RENT).await["brandDefault"], 450_000);
    let new = app
        .sam
        .post("/api/plans", &json!({"name": "New", "brandId": edited["id"]}))
        .await
        .data();
    assert_eq!(new["financialInputs"][RENT]["currentValue"], 480_000);
    let reset = app
        .sam
        .patch(&app.sam.path("/financial-inputs"), &json!({RENT: null}))
        .await
        .data();
    assert_eq!(reset["plan"]["financialInputs"][RENT]["currentValue"], 450_000);
    assert_eq!(
        app.database
            .count("SELECT count(*) FROM audit_events WHERE kind = 'brand_replaced'")
            .await,
        1
    );
}

#[tokio::test]
async fn a_brand_is_checked_as_a_whole_and_every_error_is_named() {
    let app = TestApp::spawn().await;
    let stored = brand(&app.morgan).await;
    let mut wrong = stored.clone();
    wrong["id"] = json!(app.sam.id);
    wrong["slug"] = json!("another");
    wrong["name"] = json!("");
    wrong["parameters"][RENT]["value"] = json!(0.5);
    wrong["parameters"]
        .as_object_mut()
        .expect("parameters")
        .remove("revenue.monthlyAuv");
    wrong["startupCostTemplate"][0]["item7Low"] = json!(99_000_000_000_i64);

    let reply = app.morgan.put(&path(&stored), &wrong).await;

    assert_eq!(reply.failure(), (400, "VALIDATION_ERROR".to_owned()));
    let json = reply.json();
    let named: Vec<_> = json["error"]["details"]
        .as_array()
        .expect("details")
        .iter()
        .map(|error| error["field"].as_str().expect("a field"))
        .collect();
    for field in [
        "id",
        "slug",
        "name",
        "parameters.operatingCosts.rentMonthly.value",
        "parameters.revenue.monthlyAuv",
        "startupCostTemplate[0].item7Low",
    ] {
        assert!(named.contains(&field), "{field} is not in {named:?}");
    }
    assert_eq!(brand(&app.morgan).await, stored);
}

#[tokio::test]
async fn a_brand_that_is_no_brand_is_refused() {
    let app = TestApp::spawn().await;
    let stored = brand(&app.admin).await;
    let mut extra = stored.clone();
    extra["owner"] = json!("me");
    let mut text = stored.clone();
    text["parameters"][RENT]["value"] = json!("450000");
    for body in [extra, text, json!({}), json!([])] {
        assert_eq!(app.admin.put(&path(&stored), &body).await.failure().0, 400);
    }
    let mut large = stored.clone();
    large["parameters"][RENT]["description"] = json!("x".repeat(300_000));
    assert_eq!(app.admin.put(&path(&stored), &large).await.failure().0, 413);
}

#[tokio::test]
async fn only_the_brands_own_administrator_and_the_platforms_may_edit_it() {
    let app = TestApp::spawn().await;
    let stored = brand(&app.admin).await;
    assert_eq!(app.sam.put(&path(&stored), &stored).await.failure().0, 403);
    assert_eq!(app.admin.put(&path(&stored), &stored).await.status, 200);
    assert_eq!(app.morgan.put(&path(&stored), &stored).await.status, 200);

    let other = "INSERT INTO brands (id, slug, name, current_version) VALUES ('0199c0de-0000-7000-8000-0000000000ff', 'other', 'Other', 1)";
    app.database.run(&format!("{other}; UPDATE users SET brand_id = '0199c0de-0000-7000-8000-0000000000ff' WHERE role = 'franchisor_admin'")).await;
    assert_eq!(app.morgan.put(&path(&stored), &stored).await.failure().0, 403);
}
