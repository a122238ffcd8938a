//! The field catalogue as clients see it.

use crate::support::TestApp;
use insta::assert_snapshot;
use plan_model::field::catalogue;
use serde_json::{Value, json};

#[tokio::test]
async fn fields_are_named_in_the_language_that_is_asked_for_and_a_brands_own_words_stay() {
    let app = TestApp::spawn().await;
    let mut brand = app.morgan.get("/api/brands").await.data()[0].clone();
    brand["parameters"]["operatingCosts.utilitiesMonthly"]["label"] = json!("Power and water");
    let path = format!("/api/brands/{}", brand["id"].as_str().expect("an id"));
    assert_eq!(app.morgan.put(&path, &brand).await.status, 200);
    let plan = json!({"name": "New", "brandId": brand["id"]});
    let plan = app.sam.post("/api/plans", &plan).await.data();
    let of_plan = format!("/api/fields?lang=es&planId={}", plan["id"].as_str().expect("an id"));
    let words = |fields: &Value, path: &str| {
        let fields = fields.as_array().expect("fields");
        let field = fields.iter().find(|field| field["path"] == path).expect("a field");
        format!("{} | {} | {}", field["label"], field["catalogLabel"], field["help"])
    };
    let spanish = app.sam.get(&of_plan).await.data();
    assert_snapshot!(words(&spanish, "operatingCosts.rentMonthly"), @r#""Renta por mes" | "Rent per month" | "Renta del local cada mes, con los cargos comunes si los paga.""#);
    assert_snapshot!(words(&spanish, "operatingCosts.utilitiesMonthly"), @r#""Power and water" | "Utilities per month" | "Luz, agua, gas y basura cada mes.""#);
    let english = app.sam.get("/api/fields").await.data();
    assert_snapshot!(words(&english, "operatingCosts.rentMonthly"), @r#""Rent per month" | "Rent per month" | "Rent for the location each month, common charges included if you pay them.""#);
    assert_snapshot!(app.sam.get("/api/fields?lang=fr").await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"lang","message":"unknown variant `fr`, expected `en` or `es`"}
    "#);
}

#[tokio::test]
async fn the_catalogue_lists_every_field_of_the_demo_plan_with_its_limits() {
    let app = TestApp::spawn().await;
    let fields = app.sam.get("/api/fields").await.data();
    let fields = fields.as_array().expect("a list");
    let plan = app.sam.get_plan().await;
    let inputs = plan["financialInputs"].as_object().expect("inputs");

    assert_eq!(fields.len(), catalogue().len());
    assert!(
        fields
            .iter()
            .all(|field| inputs.contains_key(field["path"].as_str().expect("a path")))
    );
    assert_eq!(fields.iter().filter(|field| field["core"] == true).count(), 15);
    let rent = fields
        .iter()
        .find(|field| field["path"] == "operatingCosts.rentMonthly")
        .expect("rent");
    assert_eq!(
        (&rent["kind"], &rent["section"]),
        (&json!("money"), &json!("operatingCosts"))
    );
    assert_eq!(rent["hard"], json!({"min": 0, "max": 10_000_000_000_i64}));
    assert_eq!(rent["jsonSchema"]["type"], "integer");
    for field in fields {
        assert!(
            field["help"].as_str().is_some_and(|help| help.ends_with('.')),
            "{field}"
        );
        assert_eq!(field["jsonSchema"]["description"], field["help"]);
    }
    assert!(rent["aliases"].as_array().is_some_and(|aliases| !aliases.is_empty()));
    let costs = fields
        .iter()
        .find(|field| field["path"] == "startupCosts.leaseholdImprovements")
        .expect("a startup cost");
    assert_eq!(
        (&costs["soft"], &costs["disclosed"], &costs["item7Link"]),
        (&Value::Null, &json!("Item 7"), &json!(true))
    );
}

#[tokio::test]
async fn every_listed_limit_is_the_one_that_is_enforced() {
    let app = TestApp::spawn().await;
    let fields = app.sam.get("/api/fields").await.data();
    let bound = |field: &Value, which: &str| {
        (
            field["path"].as_str().expect("a path").to_owned(),
            field["hard"][which].clone(),
        )
    };
    let all = |which: &str| -> Value {
        Value::Object(
            fields
                .as_array()
                .expect("a list")
                .iter()
                .map(|field| bound(field, which))
                .collect(),
        )
    };
    for which in ["min", "max"] {
        let reply = app.sam.patch(&app.sam.path("/financial-inputs"), &all(which)).await;
        assert_eq!(reply.status, 200, "{which}: {}", reply.text);
    }
    let beyond: serde_json::Map<String, Value> = fields
        .as_array()
        .expect("a list")
        .iter()
        .map(|field| {
            (
                field["path"].as_str().expect("a path").to_owned(),
                json!(field["hard"]["max"].as_f64().expect("a number") + 1.0),
            )
        })
        .collect();
    let reply = app
        .sam
        .patch(&app.sam.path("/financial-inputs"), &Value::Object(beyond))
        .await;
    assert_eq!(
        reply.json()["error"]["details"].as_array().map(Vec::len),
        Some(catalogue().len())
    );
}
