//! Brands: read by everybody, edited as a whole by those who may.

use crate::support::{Client, TestApp};
use insta::assert_snapshot;
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
    assert_snapshot!(app.sam.get(&format!("/api/brands/{}", app.sam.id)).await.refusal(), @"404 NOT_FOUND: The brand does not exist.");
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

    assert_snapshot!(reply.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 7 errors.
    {"field":"name","message":"must have 1 to 120 characters"}
    {"field":"parameters.revenue.monthlyAuv","message":"is required"}
    {"field":"parameters.operatingCosts.rentMonthly.value","message":"must be whole cents"}
    {"field":"startupCostTemplate[0].item7Low","message":"must be between 0 and 10000000000"}
    {"field":"startupCostTemplate[0].item7High","message":"must not be below item7Low"}
    {"field":"id","message":"must be the id in the path"}
    {"field":"slug","message":"cannot change"}
    "#);
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
    assert_snapshot!(app.admin.put(&path(&stored), &large).await.refusal(), @"413 PAYLOAD_TOO_LARGE: The body may have at most 262144 bytes.");
}

#[tokio::test]
async fn a_platform_administrator_adds_a_brand_that_plans_can_start_from() {
    let app = TestApp::spawn().await;
    let mut new = brand(&app.admin).await;
    new.as_object_mut().expect("a brand").remove("id");
    new["slug"] = json!("second-brand");
    new["name"] = json!("Second Brand");
    new["parameters"][RENT]["value"] = json!(610_000);

    let reply = app.admin.post("/api/brands", &new).await;

    assert_eq!(reply.status, 201, "{}", reply.text);
    let made = reply.data();
    assert_eq!(reply.header("location"), Some(path(&made).as_str()));
    new["id"] = made["id"].clone();
    assert_eq!(made, new);
    assert_eq!(app.sam.get(&path(&made)).await.data(), new);
    let plan = json!({"name": "New", "brandId": made["id"]});
    let plan = app.sam.post("/api/plans", &plan).await.data();
    assert_eq!(plan["financialInputs"][RENT]["currentValue"], 610_000);
    assert_eq!(
        app.database
            .count("SELECT count(*) FROM audit_events WHERE kind = 'brand_created'")
            .await,
        1
    );

    let conflict = (409, "CONFLICT".to_owned());
    assert_eq!(app.admin.post("/api/brands", &new).await.failure(), conflict, "the id");
    new["id"] = json!(app.sam.id);
    assert_eq!(
        app.admin.post("/api/brands", &new).await.failure(),
        conflict,
        "the slug"
    );
    new["slug"] = json!("Third Brand");
    assert_snapshot!(app.admin.post("/api/brands", &new).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"slug","message":"must be 1 to 60 lower-case letters, digits and dashes"}
    "#);
    new["slug"] = json!("third-brand");
    for client in [&app.sam, &app.morgan] {
        assert_eq!(client.post("/api/brands", &new).await.failure().0, 403);
    }
    assert_eq!(
        app.admin.get("/api/brands").await.data().as_array().map(Vec::len),
        Some(2)
    );
}

#[tokio::test]
async fn aliases_and_help_belong_to_the_version_and_are_absent_where_there_are_none() {
    let app = TestApp::spawn().await;
    let mut edited = brand(&app.morgan).await;
    assert!(edited["parameters"][RENT].get("aliases").is_none() && edited["parameters"][RENT].get("help").is_none());
    edited["parameters"][RENT]["aliases"] = json!(["kiosk rent"]);
    edited["parameters"][RENT]["help"] = json!("What the mall charges.");
    edited["startupCostTemplate"][1]["aliases"] = json!(["shell works"]);
    edited["startupCostTemplate"]
        .as_array_mut()
        .expect("rows")
        .push(json!({"slug": "mural", "label": "Mural", "class": "capex", "defaultAmount": 500_000, "item7Low": null, "item7High": null, "help": "A painting."}));
    assert_eq!(app.morgan.put(&path(&edited), &edited).await.data(), edited);
    assert_eq!(brand(&app.sam).await, edited);

    let plan = json!({"name": "New", "brandId": edited["id"]});
    let plan = app.sam.post("/api/plans", &plan).await.data();
    let of_plan = |id: &Value| format!("/api/fields?planId={}", id.as_str().expect("an id"));
    let fields = app.sam.get(&of_plan(&plan["id"])).await.data();
    let field = |fields: &Value, path: &str| {
        let found = fields
            .as_array()
            .expect("fields")
            .iter()
            .find(|field| field["path"] == path);
        found.cloned().unwrap_or_default()
    };
    let rent = field(&fields, RENT);
    assert_eq!(rent["help"], "What the mall charges.");
    assert!(
        rent["aliases"]
            .as_array()
            .is_some_and(|names| names.contains(&json!("kiosk rent")) && names.len() > 1)
    );
    assert_eq!(rent["item7Link"], true);
    assert_eq!(field(&fields, "startupCosts.mural")["help"], "A painting.");
    let older = app.sam.get(&of_plan(&json!(app.sam.plan))).await.data();
    assert_eq!(field(&older, "startupCosts.mural"), Value::Null);
    assert_snapshot!(app.riley.get(&of_plan(&plan["id"])).await.refusal(), @"403 FORBIDDEN: This plan belongs to somebody else.");
    assert_snapshot!(app.sam.get(&of_plan(&json!(app.sam.id))).await.refusal(), @"404 NOT_FOUND: The plan does not exist.");

    for (at, wrong) in [
        ("aliases", json!(vec!["x"; 21])),
        ("aliases[0]", json!([""])),
        ("aliases[0]", json!(["x".repeat(61)])),
        ("aliases[0]", json!(["two\nlines"])),
        ("help", json!("x".repeat(301))),
    ] {
        let mut brand = edited.clone();
        let key = at.split('[').next().expect("a key");
        brand["parameters"][RENT][key] = wrong.clone();
        brand["startupCostTemplate"][0][key] = wrong;
        let reply = app.morgan.put(&path(&brand), &brand).await.json();
        let named = |place: &str| {
            let errors = reply["error"]["details"].as_array().expect("details");
            errors.iter().any(|error| error["field"] == format!("{place}.{at}"))
        };
        assert!(
            named("parameters.operatingCosts.rentMonthly") && named("startupCostTemplate[0]"),
            "{at}: {reply}"
        );
    }
}

#[tokio::test]
async fn only_the_brands_own_administrator_and_the_platforms_may_edit_it() {
    let app = TestApp::spawn().await;
    let stored = brand(&app.admin).await;
    assert_snapshot!(app.sam.put(&path(&stored), &stored).await.refusal(), @"403 FORBIDDEN: Only the brand's administrators may edit it.");
    assert_eq!(app.admin.put(&path(&stored), &stored).await.status, 200);
    assert_eq!(app.morgan.put(&path(&stored), &stored).await.status, 200);

    let other = "INSERT INTO brands (id, slug, name, current_version) VALUES ('0199c0de-0000-7000-8000-0000000000ff', 'other', 'Other', 1)";
    app.database.run(&format!("{other}; UPDATE users SET brand_id = '0199c0de-0000-7000-8000-0000000000ff' WHERE role = 'franchisor_admin'")).await;
    assert_snapshot!(app.morgan.put(&path(&stored), &stored).await.refusal(), @"403 FORBIDDEN: Only the brand's administrators may edit it.");
}

#[tokio::test]
async fn a_row_pays_ahead_what_is_paid_each_month() {
    let app = TestApp::spawn().await;
    let stored = brand(&app.admin).await;
    let row = |slug: &str| {
        let rows = stored["startupCostTemplate"].as_array().expect("rows");
        rows.iter().position(|row| row["slug"] == slug).expect("a row")
    };
    let (rent, insurance) = (row("rentDeposits"), row("insuranceDeposit"));
    let mut wrong = stored.clone();
    wrong["startupCostTemplate"][rent]["derives"][0]["prepaid"] = json!(4);
    wrong["startupCostTemplate"][insurance]["derives"][0]["field"] = json!("operatingCosts.ownerSalaryAnnual");
    wrong["startupCostTemplate"][row("signage")]["class"] = json!("prepaid");
    let refused = app.morgan.put(&path(&stored), &wrong).await;
    assert_snapshot!(refused.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 3 errors.
    {"field":"startupCostTemplate[3].derives","message":"must have one entry for the class prepaid"}
    {"field":"startupCostTemplate[6].derives[0].prepaid","message":"must be between 0 and months for the class deposit, and 0 for any other"}
    {"field":"startupCostTemplate[8].derives[0].field","message":"must be a cost that is paid each month"}
    "#);
    assert_eq!(brand(&app.morgan).await, stored);
}
