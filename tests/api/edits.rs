//! A plan has one writer: a field that the stored plan lacks, what a newer release added, and who decided, are treated alike
//! on every path.

use crate::admin::begin;
use crate::support::{Client, TestApp, audited, calls, says, sets, shown};
use insta::assert_snapshot;
use plan_advisor::plans::undo;
use plan_advisor::plans::undo::GroupRef;
use plan_model::ids::PlanId;
use serde_json::{Value, json};

const RENT: &str = "operatingCosts.rentMonthly";
const UTILITIES: &str = "operatingCosts.utilitiesMonthly";

/// Leaves a plan as a release stored it that did not know the field yet.
async fn forget(app: &TestApp, whom: &Client, path: &str) {
    let sql = format!(
        "UPDATE plans SET financial_inputs = financial_inputs - '{path}' WHERE id = '{}'",
        whom.plan
    );
    app.database.run(&sql).await;
}

/// The value as it is stored, without the brand's help.
async fn stored(app: &TestApp, whom: &Client, path: &str) -> Option<String> {
    let sql = format!(
        "SELECT financial_inputs #>> '{{{path},currentValue}}' FROM plans WHERE id = '{}'",
        whom.plan
    );
    app.database.value(&sql).await
}

/// Old and new value, reason or source of the newest change.
/// The newest line of the audit trail.
async fn newest(whom: &Client) -> String {
    audited([&whom.changes().await[0]])
}

async fn undo(whom: &Client, change: &Value) -> crate::support::Reply {
    let path = format!("/changes/{}/undo", change["id"].as_str().expect("an id"));
    whom.post_nothing(&whom.path(&path)).await
}

/// The model extracts a vague value; returns the id of the proposal.
async fn proposed(app: &TestApp, by: &Client, path: &str) -> String {
    app.llm
        .script([sets(path, 4200, "tentative"), says("Shall I write that down?")]);
    let words = match path {
        RENT => "My rent is about $4,200",
        _ => "Utilities are about $4,200",
    };
    let turn = by.send(words).await;
    assert_eq!(turn.value()["status"], "proposed", "{turn}");
    turn.value()["id"].as_str().expect("an id").to_owned()
}

async fn decide(by: &Client, id: &str, verb: &str) -> Value {
    let path = by.path(&format!("/conversation/extractions/{id}/{verb}"));
    by.post_nothing(&path).await.data()
}

/// The model asks for a reset; gives the pending action.
async fn asked_to_reset(app: &TestApp, by: &Client, path: &str) -> Value {
    app.llm
        .script([calls("reset_fields_to_defaults", json!({"fields": [path]}))]);
    let turn = by.send("Reset that please").await;
    turn.done()["pendingConfirmation"]["id"].clone()
}

async fn approve(by: &Client, id: &Value) -> Value {
    let path = by.path("/conversation/confirmation");
    by.post(&path, &json!({"id": id, "decision": "approve"})).await.data()
}

#[tokio::test]
async fn a_field_that_the_stored_plan_lacks_is_written_undone_and_reset_by_hand() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    forget(&app, sam, RENT).await;
    assert_eq!(sam.held(RENT).await, (json!(450_000), "brand_default".into()));

    let data = sam.set(RENT, 420_000).await.data();

    assert_eq!(stored(&app, sam, RENT).await.as_deref(), Some("420000"));
    assert_snapshot!(newest(sam).await, @"operatingCosts.rentMonthly 450000 → 420000, user_entry, entry by user | sam@demo.test");
    let moved = |data: &Value| {
        data["updatedOutputs"]["changes"]
            .as_array()
            .is_some_and(|changes| !changes.is_empty())
    };
    assert!(moved(&data), "{data}");

    let data = undo(sam, &sam.changes().await[0]).await.data();
    assert!(moved(&data), "{data}");
    assert_eq!(stored(&app, sam, RENT).await.as_deref(), Some("450000"));
    assert_snapshot!(newest(sam).await, @"operatingCosts.rentMonthly 420000 → 450000, brand_default, undo by user | sam@demo.test");

    forget(&app, sam, UTILITIES).await;
    let data = sam.set(UTILITIES, Value::Null).await.data();
    assert_eq!(data["plan"]["version"], 3, "it is at the brand's default already");
    sam.set(UTILITIES, 70_000).await;
    sam.set(UTILITIES, Value::Null).await;
    assert_snapshot!(newest(sam).await, @"operatingCosts.utilitiesMonthly 70000 → 95000, brand_default, reset by user | sam@demo.test");
}

#[tokio::test]
async fn every_field_may_be_missing_from_a_stored_plan() {
    let app = TestApp::spawn().await;
    let riley = &app.riley;
    let clear = format!("UPDATE plans SET financial_inputs = '{{}}' WHERE id = '{}'", riley.plan);
    app.database.run(&clear).await;
    let inputs = riley.get(&riley.path("")).await.data()["financialInputs"].clone();
    let inputs = inputs.as_object().unwrap();
    let fields = riley.get("/api/fields").await.data();
    assert_eq!(inputs.len(), fields.as_array().unwrap().len());
    assert_eq!(riley.get(&riley.path("/outputs")).await.status, 200);

    let values: serde_json::Map<String, Value> = inputs
        .iter()
        .map(|(path, field)| (path.clone(), field["currentValue"].clone()))
        .collect();
    let reply = riley
        .patch(&riley.path("/financial-inputs"), &Value::Object(values))
        .await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    for path in inputs.keys() {
        assert!(stored(&app, riley, path).await.is_some(), "{path}");
    }
}

#[tokio::test]
async fn a_field_that_the_stored_plan_lacks_is_undone_after_it_was_lost_again() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    sam.set(RENT, 420_000).await;
    sam.set(RENT, Value::Null).await;
    let reset = sam.changes().await.remove(0);
    forget(&app, sam, RENT).await;

    assert_eq!(undo(sam, &reset).await.status, 200);

    assert_eq!(stored(&app, sam, RENT).await.as_deref(), Some("420000"));
}

#[tokio::test]
async fn a_field_that_the_stored_plan_lacks_is_accepted_and_reset_in_the_chat() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    forget(&app, sam, RENT).await;
    let id = proposed(&app, sam, RENT).await;

    let data = decide(sam, &id, "accept").await;

    assert_eq!(data["extractedValue"]["previousValue"], 450_000);
    assert_eq!(stored(&app, sam, RENT).await.as_deref(), Some("420000"));
    assert_snapshot!(newest(sam).await, @"operatingCosts.rentMonthly 450000 → 420000, ai_populated, accept by user | sam@demo.test");

    forget(&app, sam, UTILITIES).await;
    let pending = asked_to_reset(&app, sam, RENT).await;
    approve(sam, &pending).await;
    assert_eq!(stored(&app, sam, RENT).await.as_deref(), Some("450000"));
    assert_snapshot!(newest(sam).await, @"operatingCosts.rentMonthly 420000 → 450000, brand_default, reset by user | sam@demo.test");
}

#[tokio::test]
async fn a_field_that_the_stored_plan_lacks_is_written_by_the_built_in_advisor() {
    let app = TestApp::builder().offline_model().spawn().await;
    let sam = &app.sam;
    forget(&app, sam, RENT).await;

    let turn = sam.send("My rent is $4,200/month").await;

    let value = turn.value();
    assert_eq!(
        (&value["status"], &value["previousValue"]),
        (&json!("applied"), &json!(450_000)),
        "{turn}"
    );
    assert_eq!(stored(&app, sam, RENT).await.as_deref(), Some("420000"));
    assert_snapshot!(newest(sam).await, @"operatingCosts.rentMonthly 450000 → 420000, ai_populated, turn by plain | sam@demo.test");
    assert!(
        turn.done()["updatedOutputs"]["changes"]
            .as_array()
            .is_some_and(|changes| !changes.is_empty()),
        "{turn}"
    );
}

#[tokio::test]
async fn a_stored_value_of_an_unreadable_shape_is_shown_as_missing_and_kept_until_it_is_edited() {
    let app = TestApp::spawn().await;
    let riley = &app.riley;
    let utilities = "operatingCosts.utilitiesMonthly";
    let future = r#"{"currentValue": {"amount": 520000}, "ofTheFuture": 1}"#;
    app.database
        .run(&format!(
            "UPDATE plans SET financial_inputs = financial_inputs || jsonb_build_object('{RENT}', '{future}'::jsonb, \
             '{utilities}', 95000, 'a.newField', '[1]'::jsonb) WHERE id = '{}'",
            riley.plan
        ))
        .await;
    let stored = async |condition: &str| {
        let sql = format!("SELECT count(*) FROM plans WHERE id = '{}' AND {condition}", riley.plan);
        assert_eq!(app.database.count(&sql).await, 1, "{condition}");
    };

    let held = riley.held(RENT).await;
    assert_eq!(
        (&held.0, &*held.1),
        (&json!(450_000), "brand_default"),
        "as a field that the plan lacks"
    );
    riley.set("operatingCosts.laborPct", 0.4).await;
    stored(&format!("financial_inputs -> '{RENT}' = '{future}'::jsonb")).await;
    stored(&format!("financial_inputs -> '{utilities}' = '95000'")).await;

    app.llm.script([sets(RENT, 4300, "high"), says("Noted.")]);
    assert_eq!(riley.send("My rent is $4,300").await.value()["status"], "applied");
    riley.set(utilities, 80_000).await;
    assert_eq!(riley.held(RENT).await.0, 430_000);
    assert_eq!(riley.held(utilities).await.0, 80_000);
    stored(&format!("financial_inputs #>> '{{{RENT},ofTheFuture}}' = '1'")).await;
    stored(&format!(
        "financial_inputs #>> '{{{utilities},currentValue}}' = '80000'"
    ))
    .await;
    stored("financial_inputs -> 'a.newField' = '[1]'").await;
}

#[tokio::test]
async fn what_a_newer_release_stored_stays_through_every_edit() {
    let app = TestApp::spawn().await;
    let riley = &app.riley;
    app.database
        .run(&format!(
            "UPDATE plans SET financial_inputs = jsonb_set(financial_inputs, '{{{RENT},ofTheFuture}}', '1') \
             || jsonb_build_object('a.newField', financial_inputs -> '{RENT}' || '{{\"ofTheFuture\": 2}}') WHERE id = '{}'",
            riley.plan
        ))
        .await;
    let kept = async |after: &str| {
        let sql = format!(
            "SELECT count(*) FROM plans WHERE financial_inputs #>> '{{{RENT},ofTheFuture}}' = '1' \
             AND financial_inputs #>> '{{a.newField,ofTheFuture}}' = '2' \
             AND financial_inputs #>> '{{a.newField,currentValue}}' = '520000'"
        );
        assert_eq!(app.database.count(&sql).await, 1, "{after}");
    };

    riley.set(RENT, 400_000).await;
    kept("an entry").await;
    undo(riley, &riley.changes().await[0]).await.data();
    kept("an undo").await;
    let id = proposed(&app, riley, RENT).await;
    decide(riley, &id, "accept").await;
    kept("an accepted proposal").await;
    app.llm.script([sets(RENT, 4300, "high"), says("Noted.")]);
    assert_eq!(riley.send("My rent is $4,300").await.value()["status"], "applied");
    kept("a turn").await;
    let pending = asked_to_reset(&app, riley, RENT).await;
    approve(riley, &pending).await;
    assert_eq!(riley.held(RENT).await.0, 450_000);
    kept("a reset").await;
}

/// Who resolved the value, by e-mail.
async fn resolved_by(app: &TestApp, id: &str) -> Option<String> {
    let sql = format!("SELECT u.email FROM extractions e JOIN users u ON u.id = e.settled_by WHERE e.id = '{id}'");
    app.database.value(&sql).await
}

#[tokio::test]
async fn a_proposal_is_resolved_by_whoever_acts_on_every_path() {
    let app = TestApp::spawn().await;
    let (acting, _) = begin(&app, &app.sam, "edit").await;
    let admin = Some("admin@demo.test".to_owned());

    let id = proposed(&app, &app.sam, RENT).await;
    decide(&acting, &id, "accept").await;
    assert_eq!(resolved_by(&app, &id).await, admin, "accepted");

    acting.set(RENT, Value::Null).await;
    let id = proposed(&app, &app.sam, RENT).await;
    decide(&acting, &id, "dismiss").await;
    assert_eq!(resolved_by(&app, &id).await, admin, "dismissed");

    let id = proposed(&app, &app.sam, UTILITIES).await;
    acting.set(UTILITIES, 71_000).await;
    assert_eq!(resolved_by(&app, &id).await, admin, "superseded by an entry");

    let id = proposed(&app, &app.sam, UTILITIES).await;
    undo(&acting, &acting.changes().await[0]).await.data();
    assert_eq!(resolved_by(&app, &id).await, admin, "superseded by an undo");

    let id = proposed(&app, &app.sam, UTILITIES).await;
    app.llm.script([sets(UTILITIES, 750, "high"), says("Noted.")]);
    let turn = acting.send("Utilities are $750").await;
    assert_eq!(turn.value()["status"], "applied", "{turn}");
    assert_eq!(resolved_by(&app, &id).await, admin, "superseded by a turn");

    let id = proposed(&app, &app.sam, UTILITIES).await;
    let pending = asked_to_reset(&app, &acting, UTILITIES).await;
    approve(&acting, &pending).await;
    assert_eq!(resolved_by(&app, &id).await, admin, "superseded by a confirmed reset");

    acting.set(UTILITIES, 72_000).await;
    let id = proposed(&app, &app.sam, UTILITIES).await;
    asked_to_reset(&app, &acting, UTILITIES).await;
    acting.send("yes").await;
    assert_eq!(resolved_by(&app, &id).await, admin, "superseded by a reset in the chat");
}

async fn undo_group(by: &Client, body: Value) -> crate::support::Reply {
    by.post(&by.path("/changes/undo"), &body).await
}

/// Both fields in one turn; gives the turn's id.
async fn said_both(app: &TestApp) -> String {
    app.llm.script([
        sets(RENT, 4200, "high").sets(UTILITIES, 700, "high"),
        says("I've noted both."),
    ]);
    let turn = app.sam.send("My rent is $4,200 and utilities are $700").await;
    assert!(turn.values().iter().all(|value| value["status"] == "applied"), "{turn}");
    turn.id().to_string()
}

#[tokio::test]
async fn what_a_turn_wrote_is_taken_back_together_and_can_come_back() {
    let app = TestApp::spawn().await;
    let (rent, utilities) = (app.sam.field(RENT).await, app.sam.field(UTILITIES).await);
    let turn = said_both(&app).await;
    let written = (app.sam.field(RENT).await, app.sam.field(UTILITIES).await);

    let data = undo_group(&app.sam, json!({"turnId": turn})).await.data();

    assert_snapshot!(shown(&data["returned"]), @r#"
    - {"field":"operatingCosts.rentMonthly","newValue":450000,"oldValue":420000}
    - {"field":"operatingCosts.utilitiesMonthly","newValue":95000,"oldValue":70000}
    "#);
    assert_eq!(data["moved"], json!([]));
    let inputs = &data["plan"]["financialInputs"];
    assert_eq!((&inputs[RENT], &inputs[UTILITIES]), (&rent, &utilities));
    assert!(
        data["updatedOutputs"]["changes"]
            .as_array()
            .is_some_and(|changes| !changes.is_empty())
    );
    let again = undo_group(&app.sam, json!({"turnId": turn})).await;
    assert_eq!(again.failure(), (409, "CONFLICT".to_owned()), "nothing stands any more");

    let undone = app.sam.changes().await;
    assert_snapshot!(audited([&undone[0], &undone[3]]), @"
    operatingCosts.utilitiesMonthly 70000 → 95000, brand_default, undo by user | sam@demo.test
    operatingCosts.rentMonthly 450000 → 420000, ai_populated, turn by plain | sam@demo.test
    ");
    let data = undo_group(&app.sam, json!({"changeId": undone[0]["id"]})).await.data();
    assert_snapshot!(shown(&data["returned"]), @r#"
    - {"field":"operatingCosts.rentMonthly","newValue":420000,"oldValue":450000}
    - {"field":"operatingCosts.utilitiesMonthly","newValue":70000,"oldValue":95000}
    "#);
    let inputs = &data["plan"]["financialInputs"];
    assert_eq!((&inputs[RENT], &inputs[UTILITIES]), (&written.0, &written.1));
}

#[tokio::test]
async fn only_what_still_stands_of_a_group_is_taken_back() {
    let app = TestApp::spawn().await;
    let turn = said_both(&app).await;
    app.sam.set(RENT, 480_000).await;

    let data = undo_group(&app.sam, json!({"turnId": turn})).await.data();

    assert_snapshot!(shown(json!({"returned": data["returned"], "moved": data["moved"]})), @r#"{"moved":["operatingCosts.rentMonthly"],"returned":[{"field":"operatingCosts.utilitiesMonthly","newValue":95000,"oldValue":70000}]}"#);
    assert_eq!(app.sam.held(RENT).await, (json!(480_000), "user_entry".into()));
}

#[tokio::test]
async fn an_entry_and_an_accepted_proposal_are_groups_of_their_own() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let id = proposed(&app, sam, RENT).await;
    decide(sam, &id, "accept").await;
    let entry = json!({UTILITIES: 71_000, "operatingCosts.royaltyPct": 0.07});
    sam.patch(&sam.path("/financial-inputs"), &entry).await.data();
    let trail = sam.changes().await;
    let reasons: Vec<_> = trail.iter().map(|change| change["reason"].clone()).collect();
    assert_eq!(reasons, ["entry", "entry", "accept"]);

    let turn = trail[2]["turnId"].clone();
    assert_snapshot!(undo_group(sam, json!({"turnId": turn})).await.refusal(), @"404 NOT_FOUND: The change does not exist.");
    let data = undo_group(sam, json!({"changeId": trail[1]["id"]})).await.data();
    assert_snapshot!(shown(&data["returned"]), @r#"
    - {"field":"operatingCosts.royaltyPct","newValue":0.06,"oldValue":0.07}
    - {"field":"operatingCosts.utilitiesMonthly","newValue":95000,"oldValue":71000}
    "#);
    assert_eq!(sam.held(RENT).await.0, 420_000);
    undo_group(sam, json!({"changeId": trail[2]["id"]})).await.data();
    assert_eq!(sam.held(RENT).await, (json!(450_000), "brand_default".into()));
}

#[tokio::test]
async fn changes_of_releases_without_groups_belong_to_their_turn() {
    let app = TestApp::spawn().await;
    let turn = said_both(&app).await;
    let older =
        "ALTER TABLE plan_changes DISABLE TRIGGER USER; UPDATE plan_changes SET group_id = NULL, decided_by = NULL";
    app.database.run(older).await;

    let change = app.sam.changes().await[0]["id"].clone();
    let data = undo_group(&app.sam, json!({"changeId": change})).await.data();
    assert_snapshot!(shown(&data["returned"]), @r#"
    - {"field":"operatingCosts.rentMonthly","newValue":450000,"oldValue":420000}
    - {"field":"operatingCosts.utilitiesMonthly","newValue":95000,"oldValue":70000}
    "#);

    for body in [
        json!({}),
        json!({"turnId": turn, "changeId": change}),
        json!({"turnId": "7"}),
    ] {
        let reply = undo_group(&app.sam, body).await;
        assert_eq!(reply.failure(), (400, "VALIDATION_ERROR".to_owned()));
    }
    let unknown = undo_group(&app.sam, json!({"changeId": app.sam.id})).await;
    assert_snapshot!(unknown.refusal(), @"404 NOT_FOUND: The change does not exist.");
    let others = app.riley.changes().await[0]["id"].clone();
    assert_snapshot!(undo_group(&app.sam, json!({"changeId": others})).await.refusal(), @"404 NOT_FOUND: The change does not exist.");
}

#[tokio::test]
async fn the_latest_group_is_the_newest_that_still_stands() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let latest = async || {
        let (db, plan) = (app.main.state.db.clone(), PlanId(sam.plan));
        let conn = db.conn().await.expect("a connection");
        let group = undo::latest_group(&conn, plan, None).await.expect("a query")?;
        let changes = undo::changes_of(&conn, plan, GroupRef::Group(group))
            .await
            .expect("a query");
        changes.first().map(|change| change.id.to_string())
    };
    assert_eq!(latest().await, None);
    sam.set(RENT, 420_000).await;
    let first = sam.changes().await[0]["id"].clone();
    sam.set(UTILITIES, 70_000).await;
    let second = sam.changes().await[0]["id"].clone();
    assert_eq!(latest().await.map(Value::from), Some(second.clone()));

    undo_group(sam, json!({"changeId": second})).await.data();
    assert_eq!(
        latest().await.map(Value::from),
        Some(first.clone()),
        "neither the undo nor what it undid"
    );
    undo_group(sam, json!({"changeId": first})).await.data();
    assert_eq!(latest().await, None);
    let undone = sam.changes().await[0]["id"].clone();
    undo_group(sam, json!({"changeId": undone})).await.data();
    assert_eq!(latest().await.map(Value::from), Some(first), "it stands again");
}
