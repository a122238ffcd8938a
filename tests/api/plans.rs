//! Plans: made, read, edited by hand, taken back, projected, deleted.

use crate::support::{Client, Gate, TestApp, answer, audited, eventually, says, shown, without};
use insta::assert_snapshot;
use plan_model::field::catalogue;
use reqwest::Method;
use serde_json::{Value, json};

const RENT: &str = "operatingCosts.rentMonthly";
const ROYALTY: &str = "operatingCosts.royaltyPct";

async fn edit(client: &Client, values: Value) -> crate::support::Reply {
    client.patch(&client.path("/financial-inputs"), &values).await
}

#[tokio::test]
async fn everybody_lists_their_own_plans_and_an_administrator_all() {
    let app = TestApp::spawn().await;
    let names = async |client: &Client| {
        let plans = client.get("/api/plans").await.data();
        plans
            .as_array()
            .expect("a list")
            .iter()
            .map(|plan| plan["owner"]["displayName"].as_str().expect("a name").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&app.sam).await, ["Sam Rivera"]);
    assert_eq!(names(&app.morgan).await, Vec::<String>::new());
    assert_eq!(names(&app.admin).await, ["Sam Rivera", "Riley Chen", "Taylor Brooks"]);
}

#[tokio::test]
async fn a_new_plan_starts_from_the_brands_defaults() {
    let app = TestApp::spawn().await;
    let brand = app.sam.get_plan().await["brandId"].take();

    let reply = app
        .sam
        .post("/api/plans", &json!({"name": " Second  salon ", "brandId": brand}))
        .await;

    assert_eq!((reply.status, reply.header("etag")), (201, Some("\"1\"")));
    let plan = reply.data();
    assert_eq!(plan["brandId"], brand);
    assert_snapshot!(shown(without(&plan, "financialInputs")), @r#"{"brandId":"[id]","id":"[id]","name":"Second salon","openingMonth":null,"updatedAt":"[time]","version":1}"#);
    assert_eq!(
        reply.header("location"),
        Some(format!("/api/plans/{}", plan["id"].as_str().expect("an id")).as_str())
    );
    let inputs = plan["financialInputs"].as_object().expect("inputs");
    assert_eq!(inputs.len(), catalogue().len());
    assert!(
        inputs
            .values()
            .all(|value| value["source"] == "brand_default" && value["currentValue"] == value["brandDefault"])
    );
    assert_snapshot!(shown(&inputs[RENT]), @r#"{"brandDefault":450000,"currentValue":450000,"isCustom":false,"item7Range":{"high":700000,"low":300000},"lastModifiedAt":null,"source":"brand_default"}"#);
    let read = app.sam.get(reply.header("location").expect("an address")).await;
    assert_eq!(read.data(), plan);
}

#[tokio::test]
async fn a_plan_that_cannot_be_made_is_not_made() {
    let app = TestApp::spawn().await;
    let brand = app.sam.get_plan().await["brandId"].take();
    for body in [
        json!({"name": "", "brandId": brand}),
        json!({"name": "\u{200B}", "brandId": brand}),
        json!({"name": "x".repeat(121), "brandId": brand}),
        json!({"name": "x"}),
        json!({"name": "x", "brandId": app.sam.id}),
        json!({"name": "x", "brandId": brand, "userId": app.riley.id}),
    ] {
        assert_eq!(
            app.sam.post("/api/plans", &body).await.failure(),
            (400, "VALIDATION_ERROR".to_owned()),
            "{body}"
        );
    }
    assert_eq!(
        app.morgan
            .post("/api/plans", &json!({"name": "x", "brandId": brand}))
            .await
            .failure()
            .0,
        403
    );
    assert_eq!(app.sam.get("/api/plans").await.data().as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn an_edit_is_written_with_its_source_its_audit_and_what_it_moved() {
    let app = TestApp::spawn().await;

    let reply = edit(&app.sam, json!({RENT: 820_000, ROYALTY: 0.0625})).await;

    assert_eq!(reply.header("etag"), Some("\"2\""));
    let mut data = reply.data();
    assert_eq!(
        data["plan"]["financialInputs"][ROYALTY]["currentValue"].to_string(),
        "0.0625"
    );
    let rent = data["plan"]["financialInputs"][RENT].take();
    assert_snapshot!(shown(&rent), @r#"{"brandDefault":450000,"currentValue":820000,"isCustom":true,"item7Range":{"high":700000,"low":300000},"lastModifiedAt":"[time]","source":"user_entry"}"#);
    assert_snapshot!(shown(&data["warnings"]), @r#"- {"field":"operatingCosts.rentMonthly","rangeCode":"above_item7","rangeWarning":"Value is above Item 7 high range"}"#);
    let moved = data["updatedOutputs"]["changes"].as_array().expect("changes");
    assert!(moved.iter().any(|change| change["metric"] == "lowestCash"), "{moved:?}");
    assert_eq!(app.sam.get_plan().await["version"], 2);
    assert_snapshot!(audited(&app.sam.changes().await), @"
    operatingCosts.royaltyPct 0.06 → 0.0625, user_entry, entry by user | sam@demo.test
    operatingCosts.rentMonthly 450000 → 820000, user_entry, entry by user | sam@demo.test
    ");
}

#[tokio::test]
async fn one_wrong_value_keeps_all_of_them_out_and_every_error_is_named() {
    let app = TestApp::spawn().await;
    let before = app.sam.get_plan().await;
    let values = json!({
        RENT: 4_200.5, ROYALTY: 0.05, "revenue.monthlyAuv": -1, "no.such.field": 1, "operatingCosts.adFundPct": "2%",
        "operatingCosts.insuranceMonthly": 1e17, "financing.interestRate": 0.123_456_7, "financing.loanAmount": true,
    });

    let reply = edit(&app.sam, values).await;

    assert_snapshot!(reply.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 7 errors.
    {"field":"financing.interestRate","message":"must have at most 6 digits behind the point"}
    {"field":"financing.loanAmount","message":"must be a number"}
    {"field":"no.such.field","message":"is not a field of this plan"}
    {"field":"operatingCosts.adFundPct","message":"must be a number"}
    {"field":"operatingCosts.insuranceMonthly","message":"must be between 0 and 10000000000"}
    {"field":"operatingCosts.rentMonthly","message":"must be whole cents"}
    {"field":"revenue.monthlyAuv","message":"must be between 0 and 10000000000"}
    "#);
    assert_eq!(app.sam.get_plan().await, before);
    assert!(app.sam.changes().await.is_empty());
}

#[tokio::test]
async fn a_stale_version_is_refused_and_the_right_one_is_not() {
    let app = TestApp::spawn().await;
    let with = async |tag: &str, value: i64| {
        let request = app
            .sam
            .request(Method::PATCH, &app.sam.path("/financial-inputs"))
            .header("if-match", tag);
        app.sam.fetch(request.json(&json!({RENT: value}))).await
    };
    assert_eq!(with("\"1\"", 1).await.status, 200);
    assert_snapshot!(with("\"1\"", 2).await.refusal(), @r#"
    412 VERSION_MISMATCH: The plan has changed meanwhile. Read it again, then decide.
    {"version":2}
    "#);
    assert_eq!(with("*", 3).await.status, 200);
    assert_eq!(with("\"2\", \"3\"", 4).await.status, 200);
    assert_eq!(app.sam.held(RENT).await.0, 4);
}

#[tokio::test]
async fn two_who_edit_the_same_version_do_not_both_win() {
    let app = TestApp::spawn().await;
    let race = async |value: i64| {
        let request = app
            .sam
            .request(Method::PATCH, &app.sam.path("/financial-inputs"))
            .header("if-match", "\"1\"");
        app.sam.fetch(request.json(&json!({RENT: value}))).await.status
    };
    let (a, b) = tokio::join!(race(100_000), race(200_000));
    let mut both = [a, b];
    both.sort_unstable();
    assert_eq!(both, [200, 412]);
}

#[tokio::test]
async fn what_is_there_already_changes_nothing_but_a_confirmed_default_is_somebodys() {
    let app = TestApp::spawn().await;
    edit(&app.sam, json!({RENT: 420_000})).await;
    let again = edit(&app.sam, json!({RENT: 420_000})).await.data();
    assert_eq!(
        (&again["plan"]["version"], &again["updatedOutputs"]["changes"]),
        (&json!(2), &json!([]))
    );
    assert_eq!(app.sam.changes().await.len(), 1);

    edit(&app.sam, json!({ROYALTY: 0.06})).await;
    assert_eq!(app.sam.held(ROYALTY).await, (json!(0.06), "user_entry".to_owned()));
}

#[tokio::test]
async fn null_returns_a_field_to_the_brands_default() {
    let app = TestApp::spawn().await;
    edit(&app.sam, json!({RENT: 420_000})).await;

    let data = edit(&app.sam, json!({RENT: null})).await.data();

    assert_snapshot!(shown(&data["plan"]["financialInputs"][RENT]), @r#"{"brandDefault":450000,"currentValue":450000,"isCustom":false,"item7Range":{"high":700000,"low":300000},"lastModifiedAt":null,"source":"brand_default"}"#);
    assert_eq!(edit(&app.sam, json!({RENT: null})).await.data()["plan"]["version"], 3);
}

#[tokio::test]
async fn the_first_value_starts_a_plan_that_has_none() {
    let app = TestApp::spawn().await;
    assert_eq!(app.taylor.get_plan().await["financialInputs"], Value::Null);
    assert_eq!(app.taylor.get(&app.taylor.path("/outputs")).await.data(), Value::Null);
    assert_snapshot!(app.taylor.get(&app.taylor.path("/outputs.csv")).await.refusal(), @"404 NOT_FOUND: The plan has no values yet, so there is nothing to project.");
    assert_snapshot!(app.taylor.get(&app.taylor.path("/charts/cash.svg")).await.refusal(), @"404 NOT_FOUND: The plan has no values yet, so there is nothing to project.");
    let nothing = edit(&app.taylor, json!({})).await.data();
    assert_eq!(
        (&nothing["updatedOutputs"], &nothing["plan"]["financialInputs"]),
        (&Value::Null, &Value::Null)
    );

    let data = edit(&app.taylor, json!({RENT: 420_000})).await.data();

    assert_eq!(
        data["plan"]["financialInputs"].as_object().map(serde_json::Map::len),
        Some(catalogue().len())
    );
    assert_eq!(data["updatedOutputs"]["changes"], json!([]));
    assert_eq!(app.taylor.changes().await.len(), 1);
}

#[tokio::test]
async fn a_change_can_be_taken_back_with_everything_that_belonged_to_it() {
    let app = TestApp::spawn().await;
    let before = app.sam.field(RENT).await;
    edit(&app.sam, json!({RENT: 420_000})).await;
    let first = app.sam.changes().await.remove(0);
    let undo = async |change: &Value| {
        let path = format!("/changes/{}/undo", change["id"].as_str().expect("an id"));
        app.sam.post_nothing(&app.sam.path(&path)).await
    };

    let data = undo(&first).await.data();

    assert_eq!(data["plan"]["financialInputs"][RENT], before);
    assert!(
        data["updatedOutputs"]["changes"]
            .as_array()
            .is_some_and(|changes| !changes.is_empty())
    );
    assert_eq!(
        undo(&first).await.failure(),
        (409, "CONFLICT".to_owned()),
        "the field has changed since"
    );
    let second = app.sam.changes().await.remove(0);
    assert_snapshot!(audited([&second]), @"operatingCosts.rentMonthly 420000 → 450000, brand_default, undo by user | sam@demo.test");
    assert_eq!(undo(&second).await.status, 200, "and that can be taken back in turn");
    assert_eq!(app.sam.held(RENT).await, (json!(420_000), "user_entry".to_owned()));
    let missing = json!({"id": app.sam.id});
    assert_snapshot!(undo(&missing).await.refusal(), @"404 NOT_FOUND: The change does not exist.");
}

#[tokio::test]
async fn another_plans_change_cannot_be_taken_back_here() {
    let app = TestApp::spawn().await;
    let change = app.riley.changes().await.remove(0);
    let path = app
        .sam
        .path(&format!("/changes/{}/undo", change["id"].as_str().expect("an id")));
    assert_snapshot!(app.sam.post_nothing(&path).await.refusal(), @"404 NOT_FOUND: The change does not exist.");
}

#[tokio::test]
async fn the_audit_trail_is_paged_and_names_who_did_it() {
    let app = TestApp::spawn().await;
    let page = app.riley.get(&app.riley.path("/changes?limit=1&offset=1")).await.json();
    assert_eq!(
        (page["meta"]["total"].clone(), page["data"].as_array().map(Vec::len)),
        (json!(4), Some(1))
    );
    let trail = app.riley.changes().await;
    assert_eq!(page["data"][0], trail[1]);
    let trail = app.admin.on_plan(app.riley.plan).changes().await;
    assert_snapshot!(audited([&trail[0]]), @"startupCosts.leaseholdImprovements 14000000 → 22500000, admin:Avery Stone, entry by user | admin@demo.test for riley@demo.test");
}

#[tokio::test]
async fn an_administrator_edits_in_their_own_name() {
    let app = TestApp::spawn().await;
    let admin = app.admin.on_plan(app.sam.plan);

    edit(&admin, json!({RENT: 420_000})).await.data();

    assert_eq!(app.sam.held(RENT).await.1, "admin:Avery Stone");
    let change = app.sam.changes().await.remove(0);
    assert_eq!(
        (&change["actor"]["id"], &change["effectiveUser"]["id"]),
        (&json!(app.admin.id), &json!(app.admin.id))
    );
}

#[tokio::test]
async fn the_projection_comes_as_json_as_a_spreadsheet_and_as_pictures() {
    let app = TestApp::spawn().await;
    let outputs = app.sam.get(&app.sam.path("/outputs")).await.data();
    assert_eq!(
        (
            outputs["annual"].as_array().map(Vec::len),
            outputs["monthly"].as_array().map(Vec::len)
        ),
        (Some(5), Some(60))
    );
    assert_snapshot!(shown([&outputs["checks"], &outputs["item7"]]), @r#"
    - {"failed":[],"passed":true}
    - {"high":51450000,"low":26890000,"planTotal":36500000,"position":"within"}
    "#);

    let csv = app.sam.get(&app.sam.path("/outputs.csv")).await;
    assert_eq!(csv.text.lines().count(), 61);
    assert!(
        csv.header("content-type")
            .is_some_and(|kind| kind.starts_with("text/csv"))
    );
    assert_eq!(
        csv.header("content-disposition"),
        Some("attachment; filename=\"sam-s-grooming-salon-60-months.csv\"")
    );

    for name in ["cash", "revenue-costs", "break-even"] {
        let chart = app.sam.get(&app.sam.path(&format!("/charts/{name}.svg"))).await;
        assert!(chart.text.starts_with("<svg "), "{name}");
        assert!(
            chart
                .header("content-type")
                .is_some_and(|kind| kind.starts_with("image/svg+xml")),
            "{name}"
        );
    }
    let spanish = app.sam.get(&app.sam.path("/charts/cash.svg?lang=es")).await;
    assert!(spanish.text.contains(">Efectivo en el banco<"), "{}", spanish.text);
    let unknown = app.sam.get(&app.sam.path("/charts/cash.svg?lang=fr")).await;
    assert_eq!(unknown.failure(), (400, "VALIDATION_ERROR".to_owned()));
    for name in ["cash", "cash.png", "nothing.svg"] {
        assert_eq!(
            app.sam.get(&app.sam.path(&format!("/charts/{name}"))).await.failure().0,
            404,
            "{name}"
        );
    }
}

#[tokio::test]
async fn a_deleted_plan_takes_its_conversation_with_it_but_not_while_the_advisor_speaks() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.script([answer().wait(&gate).says("One moment.")]);
    let listening = app.sam.open("Hello").await;
    eventually("the turn runs", async || app.main.running() == 1).await;

    let busy = app.sam.delete(&app.sam.path("")).await;
    assert_snapshot!(busy.refusal(), @r#"
    409 TURN_IN_PROGRESS: The advisor is still answering; stop it or wait.
    {"turnId":"[id]"}
    "#);

    gate.open();
    listening.rest().await;
    assert_eq!(app.sam.delete(&app.sam.path("")).await.status, 204);
    assert_snapshot!(app.sam.get(&app.sam.path("")).await.refusal(), @"404 NOT_FOUND: The plan does not exist.");
    for table in ["ai_conversations", "prompts", "plan_changes"] {
        assert_eq!(
            app.database
                .count(&format!(
                    "SELECT count(*) FROM {table} WHERE plan_id = '{}'",
                    app.sam.plan
                ))
                .await,
            0,
            "{table}"
        );
    }
    assert_eq!(
        app.database
            .count("SELECT count(*) FROM audit_events WHERE kind = 'plan_deleted'")
            .await,
        1
    );
}

#[tokio::test]
async fn what_a_newer_version_wrote_beside_a_value_stays() {
    let app = TestApp::spawn().await;
    app.database
        .run(&format!(
            "UPDATE plans SET financial_inputs = jsonb_set(financial_inputs, '{{{RENT},ofTheFuture}}', '1') \
             || jsonb_build_object('a.newField', financial_inputs -> '{RENT}')"
        ))
        .await;

    assert_eq!(edit(&app.sam, json!({RENT: 420_000})).await.status, 200);

    let kept = format!(
        "SELECT count(*) FROM plans WHERE financial_inputs #>> '{{{RENT},ofTheFuture}}' = '1' \
         AND financial_inputs #>> '{{{RENT},currentValue}}' = '420000' AND financial_inputs ? 'a.newField'"
    );
    assert_eq!(app.database.count(&kept).await, 1);
}

#[tokio::test]
async fn a_renamed_plan_has_a_new_version_and_keeps_its_values() {
    let app = TestApp::spawn().await;
    let before = app.sam.get_plan().await;
    let tag = app.sam.get(&app.sam.path("")).await.header("etag").map(str::to_owned);

    let reply = app
        .sam
        .patch(&app.sam.path(""), &json!({"name": "  North   side "}))
        .await;

    let renamed = reply.data();
    assert_eq!(renamed["name"], "North side");
    assert_eq!(renamed["financialInputs"], before["financialInputs"]);
    assert_ne!(
        reply.header("etag").map(str::to_owned),
        tag,
        "a client that knows the old name must ask again"
    );
    assert_eq!(app.sam.get_plan().await["name"], "North side");
    for wrong in [
        json!({"name": ""}),
        json!({"name": "x".repeat(121)}),
        json!({}),
        json!({"name": "a", "version": 1}),
    ] {
        assert_eq!(
            app.sam.patch(&app.sam.path(""), &wrong).await.failure().0,
            400,
            "{wrong}"
        );
    }
    assert_eq!(
        app.riley
            .patch(&app.sam.path(""), &json!({"name": "mine"}))
            .await
            .failure()
            .0,
        403
    );
    let events = "SELECT count(*) FROM audit_events WHERE kind = 'plan_renamed'";
    assert_eq!(app.database.count(events).await, 1);
}

#[tokio::test]
async fn the_same_key_and_body_make_one_plan() {
    let app = TestApp::spawn().await;
    let brand = app.sam.get_plan().await["brandId"].clone();
    let make = async |client: &Client, key: &str, name: &str| {
        let request = client
            .request(Method::POST, "/api/plans")
            .header("idempotency-key", key);
        client
            .fetch(request.json(&json!({"name": name, "brandId": brand})))
            .await
    };
    let (first, second) = tokio::join!(make(&app.sam, "k1", "North"), make(&app.sam, "k1", "North"));
    let (first, again) = match first.header("idempotency-replayed") {
        None => (first, second),
        Some(_) => (second, first),
    };
    assert_eq!(
        (first.status, again.status),
        (201, 201),
        "{} {}",
        first.text,
        again.text
    );
    assert_eq!(first.data(), again.data());
    assert_eq!(first.header("location"), again.header("location"));
    assert_eq!(
        (
            first.header("idempotency-replayed"),
            again.header("idempotency-replayed")
        ),
        (None, Some("true"))
    );
    assert_snapshot!(make(&app.sam, "k1", "South").await.refusal(), @"422 IDEMPOTENCY_KEY_REUSED: This idempotency key was used for another plan.");
    let path = first.header("location").expect("an address").to_owned();
    app.sam.patch(&path, &json!({"name": "Renamed since"})).await.data();
    assert_eq!(make(&app.sam, "k1", "North").await.data()["name"], "Renamed since");
    assert_snapshot!(make(&app.sam, &"k".repeat(256), "North").await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"Idempotency-Key","message":"must be 1 to 255 visible ASCII characters"}
    "#);
    assert_eq!(
        make(&app.riley, "k1", "Riley's").await.status,
        201,
        "keys belong to a user"
    );
    assert_eq!(app.sam.get("/api/plans").await.data().as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn plans_are_listed_page_by_page() {
    let app = TestApp::spawn().await;
    let all = app.admin.get("/api/plans").await.json();
    assert_eq!(all["meta"]["next"], Value::Null);
    let ids = |page: &Value| -> Vec<String> {
        let plans = page["data"].as_array().expect("a list");
        plans
            .iter()
            .map(|plan| plan["id"].as_str().expect("an id").to_owned())
            .collect()
    };
    let wanted = ids(&all);
    assert!(wanted.len() >= 3, "{wanted:?}");
    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let page = app.admin.get(&format!("/api/plans?limit=1{after}")).await.json();
        assert_eq!(ids(&page).len(), 1);
        seen.extend(ids(&page));
        let Some(next) = page["meta"]["next"].as_str() else {
            break;
        };
        after = format!("&after={next}");
    }
    assert_eq!(seen, wanted);
    let own = app.sam.get(&format!("/api/plans?after={}", app.sam.id)).await.json();
    assert!(ids(&own).iter().all(|id| *id == app.sam.plan.to_string()), "{own}");
    for wrong in ["limit=0", "limit=501", "limit=x", "after=x"] {
        assert_eq!(
            app.sam.get(&format!("/api/plans?{wrong}")).await.failure().0,
            400,
            "{wrong}"
        );
    }
}

#[tokio::test]
async fn a_user_may_have_so_many_plans() {
    let app = TestApp::builder()
        .config(|config| config.limits.max_plans_per_user = 2)
        .spawn()
        .await;
    let brand = app.sam.get_plan().await["brandId"].clone();
    let make = async |key: &str| {
        let request = app
            .sam
            .request(Method::POST, "/api/plans")
            .header("idempotency-key", key);
        app.sam
            .fetch(request.json(&json!({"name": "North", "brandId": brand})))
            .await
    };

    let (one, other) = tokio::join!(make("k1"), make("k2"));

    let (made, refused, key) = match one.status {
        201 => (one, other, "k1"),
        _ => (other, one, "k2"),
    };
    assert_eq!(made.status, 201, "{}", made.text);
    assert_snapshot!(refused.refusal(), @"409 CONFLICT: There may be 2 plans, and there are. Delete one first.");
    assert_eq!(
        make(key).await.data(),
        made.data(),
        "a repeated request makes no plan, so it is not refused"
    );
    let path = made.header("location").expect("an address");
    assert_eq!(app.sam.delete(path).await.status, 204);
    assert_eq!(make("k3").await.status, 201);
    assert_eq!(
        app.riley.get("/api/plans").await.data().as_array().map(Vec::len),
        Some(1)
    );
}

#[tokio::test]
async fn a_value_from_a_source_that_this_release_does_not_know_is_shown_edited_and_kept() {
    let app = TestApp::spawn().await;
    let utilities = "operatingCosts.utilitiesMonthly";
    let sources = [RENT, utilities].map(|path| format!("'{{{path},source}}'"));
    app.database
        .run(&format!(
            "UPDATE plans SET financial_inputs = jsonb_set(jsonb_set(financial_inputs, {}, '\"bank_import\"'), {}, '\"bank_import\"') \
             WHERE id = '{}'",
            sources[0], sources[1], app.sam.plan
        ))
        .await;

    let plan = app.sam.get_plan().await;
    assert_eq!(plan["financialInputs"][RENT]["source"], "bank_import");
    for path in ["/outputs", "/conversation", "/changes"] {
        assert_eq!(app.sam.get(&app.sam.path(path)).await.status, 200, "{path}");
    }
    assert_eq!(edit(&app.sam, json!({RENT: 420_000})).await.status, 200);
    let change = app.sam.changes().await[0]["id"].as_str().expect("an id").to_owned();
    let undone = app
        .sam
        .post_nothing(&app.sam.path(&format!("/changes/{change}/undo")))
        .await;
    assert_eq!(undone.data()["plan"]["financialInputs"][RENT]["source"], "bank_import");
    app.llm.script([says("Noted.")]);
    assert_eq!(app.sam.send("Hello").await.text(), "Noted.");
    assert_eq!(app.sam.held(utilities).await.1, "bank_import");
}

#[tokio::test]
async fn of_loan_amount_and_down_payment_the_one_that_does_not_decide_is_derived() {
    let app = TestApp::spawn().await;
    let fields = ["financing.loanAmount", "financing.downPaymentPct"];
    let derived = async || {
        let values = app.sam.get_plan().await["financialInputs"].take();
        fields.map(|path| values[path]["derived"].clone())
    };
    assert_eq!(derived().await, [json!(null), json!(true)]);
    app.sam.set("financing.downPaymentPct", 0.4).await;
    assert_eq!(derived().await, [json!(true), json!(null)]);
    app.sam.set("financing.loanAmount", 20_000_000).await;
    assert_eq!(derived().await, [json!(null), json!(true)]);
}
