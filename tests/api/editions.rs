//! A brand's desk: editions, what publishing would do, members; and what owners of plans are told of corrections.

use crate::support::{Client, Reply, TestApp, shown};
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};

const RENT: &str = "operatingCosts.rentMonthly";

async fn brand(client: &Client) -> Value {
    client.get("/api/brands").await.data()[0].take()
}

fn path(brand: &Value, rest: &str) -> String {
    format!("/api/brands/{}{rest}", brand["id"].as_str().expect("an id"))
}

async fn with_version(by: &Client, method: Method, path: &str, body: &Value, version: &str) -> Reply {
    by.fetch(by.request(method, path).json(body).header("if-match", version))
        .await
}

/// Publishes another rent.
async fn publish_rent(by: &Client, cents: i64) -> Value {
    let mut edited = brand(by).await;
    edited["parameters"][RENT]["value"] = json!(cents);
    let reply = by.put(&path(&edited, ""), &edited).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    edited
}

#[tokio::test]
async fn an_edition_that_somebody_published_meanwhile_is_not_overwritten() {
    let app = TestApp::spawn().await;
    let read = app.morgan.get(&path(&brand(&app.morgan).await, "")).await;
    assert_eq!(read.header("etag"), Some("\"1\""));
    let address = path(&read.data(), "");
    let known = app
        .morgan
        .request(Method::GET, &address)
        .header("if-none-match", "\"1\"");
    assert_eq!(app.morgan.fetch(known).await.status, 304);

    publish_rent(&app.admin, 470_000).await;
    let late = with_version(&app.morgan, Method::PUT, &address, &read.data(), "\"1\"").await;
    assert_snapshot!(late.refusal(), @r#"
    412 VERSION_MISMATCH: Somebody published another edition of the brand meanwhile. Read it again, then decide.
    {"version":2}
    "#);
    let looked = with_version(
        &app.morgan,
        Method::POST,
        &format!("{address}/preview"),
        &read.data(),
        "\"1\"",
    )
    .await;
    assert_eq!(looked.failure(), (412, "VERSION_MISMATCH".to_owned()));
    assert_eq!(brand(&app.sam).await["parameters"][RENT]["value"], 470_000);
    let kept = with_version(&app.morgan, Method::PUT, &address, &read.data(), "\"2\"").await;
    assert_eq!((kept.status, kept.header("etag")), (200, Some("\"3\"")));
    let unreadable = with_version(&app.morgan, Method::PUT, &address, &read.data(), "2").await;
    assert_eq!(unreadable.failure(), (400, "VALIDATION_ERROR".to_owned()));
}

#[tokio::test]
async fn editions_say_who_published_them_and_keep_their_documents() {
    let app = TestApp::spawn().await;
    let first = brand(&app.morgan).await;
    publish_rent(&app.morgan, 480_000).await;
    publish_rent(&app.admin, 490_000).await;

    let listed = app.morgan.get(&path(&first, "/editions")).await.data();
    assert_snapshot!(shown(&listed), @r#"
    - {"id":"[id]","publishedAt":"[time]","publishedBy":"Avery Stone","version":3}
    - {"id":"[id]","publishedAt":"[time]","publishedBy":"Morgan Ellis","version":2}
    - {"id":"[id]","publishedAt":"[time]","publishedBy":null,"version":1}
    "#);
    let of = |nth: usize| {
        path(
            &first,
            &format!("/editions/{}", listed[nth]["id"].as_str().expect("an id")),
        )
    };
    assert_eq!(app.morgan.get(&of(2)).await.data(), first);
    assert_eq!(
        app.morgan.get(&of(0)).await.data()["parameters"][RENT]["value"],
        490_000
    );
    assert_snapshot!(app.morgan.get(&path(&first, &format!("/editions/{}", app.sam.id))).await.refusal(), @"404 NOT_FOUND: The edition does not exist.");

    let body = json!({"email": "morgan@demo.test"});
    let address = format!("/api/admin/users/{}", app.morgan.id);
    let removed = app
        .admin
        .fetch(app.admin.request(Method::DELETE, &address).json(&body))
        .await;
    assert_eq!(removed.status, 204, "{}", removed.text);
    let after = app.admin.get(&path(&first, "/editions")).await.data();
    assert_eq!(after[1]["publishedBy"], listed[1]["publishedBy"], "the name stays");
}

#[tokio::test]
async fn a_preview_counts_plans_at_the_default_and_computes_a_new_plan_without_storing_anything() {
    let app = TestApp::spawn().await;
    app.riley.set(RENT, 431_000).await;
    let stored = brand(&app.morgan).await;
    let count = async |table: &str| app.database.count(&format!("SELECT count(*) FROM {table}")).await;
    let before = (
        count("plans").await,
        count("brand_versions").await,
        count("plan_changes").await,
    );

    let unchanged = app.morgan.post(&path(&stored, "/preview"), &stored).await.data();
    assert_eq!(
        (&unchanged["movedDefaults"], &unchanged["plans"]),
        (&json!([]), &json!(0))
    );
    let mut draft = stored.clone();
    draft["parameters"][RENT]["value"] = json!(480_000);
    draft["parameters"]["financing.interestRate"]["label"] = json!("Interest");
    draft["startupCostTemplate"].as_array_mut().expect("rows").remove(1);
    let reply = app.morgan.post(&path(&stored, "/preview"), &draft).await.data();

    // Sam's plan and Taylor's, which has no inputs; Riley's rent is Riley's.
    assert_snapshot!(json!([reply["movedDefaults"], reply["plans"]]), @r#"[[{"field":"operatingCosts.rentMonthly","plans":2}],2]"#);
    let sample = &reply["sample"];
    assert_eq!(sample["financialInputs"][RENT]["currentValue"], 480_000);
    assert_eq!(
        sample["financialInputs"].as_object().map(serde_json::Map::len),
        unchanged["sample"]["financialInputs"]
            .as_object()
            .map(|all| all.len() - 1)
    );
    assert_ne!(sample["metrics"], unchanged["sample"]["metrics"]);
    assert_eq!(sample["annual"].as_array().map(Vec::len), Some(5));
    assert_eq!(
        (
            count("plans").await,
            count("brand_versions").await,
            count("plan_changes").await
        ),
        before
    );

    draft["startupCostTemplate"][3]["item7High"] = json!(0);
    assert_snapshot!(app.morgan.post(&path(&stored, "/preview"), &draft).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"startupCostTemplate[3].item7High","message":"must not be below item7Low"}
    "#);
    assert_eq!(app.sam.post(&path(&stored, "/preview"), &stored).await.failure().0, 403);
}

#[tokio::test]
async fn a_brand_sees_who_has_joined_and_others_do_not() {
    let app = TestApp::spawn().await;
    let stored = brand(&app.morgan).await;
    let invited = app
        .morgan
        .post(
            "/api/admin/invitations",
            &json!({"email": "nora@example.test", "role": "franchisee"}),
        )
        .await
        .data();
    let url = invited["url"].as_str().expect("a link");
    let token = url.split("token=").nth(1).expect("a token");
    let body = json!({"token": token, "displayName": "Nora Lindqvist", "password": "kettle orbit 92 maple"});
    assert_eq!(
        app.anonymous().post("/api/auth/invitations/accept", &body).await.status,
        201
    );
    app.admin
        .patch(
            &format!("/api/admin/users/{}", app.riley.id),
            &json!({"disabled": true}),
        )
        .await;

    let listed = app.morgan.get(&path(&stored, "/members")).await.data();

    let lines: Vec<String> = listed
        .as_array()
        .expect("people")
        .iter()
        .map(|one| {
            assert!(one["joinedAt"].is_string() && one["id"].is_string());
            format!(
                "{} {} {} {}",
                one["displayName"], one["role"], one["invitedAs"], one["disabled"]
            )
        })
        .collect();
    assert_snapshot!(lines.join("\n"), @r#"
    "Nora Lindqvist" "franchisee" "nora@example.test" false
    "Morgan Ellis" "franchisor_admin" null false
    "Taylor Brooks" "franchisee" null false
    "Riley Chen" "franchisee" null true
    "Sam Rivera" "franchisee" null false
    "#);
    for rest in ["/members", "/editions"] {
        assert_eq!(app.sam.get(&path(&stored, rest)).await.failure().0, 403, "{rest}");
    }
    app.database.run("INSERT INTO brands (id, slug, name, current_version) VALUES ('0199c0de-0000-7000-8000-0000000000ff', 'other', 'Other', 1); \
        UPDATE users SET brand_id = '0199c0de-0000-7000-8000-0000000000ff' WHERE role = 'franchisor_admin'").await;
    assert_eq!(app.morgan.get(&path(&stored, "/members")).await.failure().0, 403);
}

async fn told(client: &Client) -> Vec<String> {
    let reply = client.get(&client.path("/corrections")).await.data();
    let line = |one: &Value| {
        format!(
            "{}: {} → {} in {}",
            one["label"], one["before"], one["after"], one["version"]
        )
    };
    reply.as_array().expect("a list").iter().map(line).collect()
}

#[tokio::test]
async fn an_owner_is_told_of_a_correction_and_takes_it_or_leaves_it() {
    let app = TestApp::spawn().await;
    assert_eq!(
        app.sam.get(&app.sam.path("/corrections")).await.json(),
        json!({"data": [], "meta": {"version": null}})
    );
    let edited = publish_rent(&app.morgan, 480_000).await;
    let mut other = edited.clone();
    other["parameters"]["operatingCosts.utilitiesMonthly"]["value"] = json!(77_700);
    assert_eq!(app.morgan.put(&path(&other, ""), &other).await.status, 200);

    let reply = app.sam.get(&app.sam.path("/corrections")).await.json();
    assert_snapshot!(shown(&reply), @r#"{"data":[{"after":480000,"before":450000,"correctedAt":"[time]","field":"operatingCosts.rentMonthly","kind":"money","label":"Rent per month","version":2},{"after":77700,"before":95000,"correctedAt":"[time]","field":"operatingCosts.utilitiesMonthly","kind":"money","label":"Utilities per month","version":3}],"meta":{"version":3}}"#);
    assert_eq!(told(&app.taylor).await.len(), 2, "also in a plan without inputs");
    assert_eq!(
        app.sam.field(RENT).await["currentValue"],
        450_000,
        "nothing changes by itself"
    );

    // Taken as any other value: audited, and undone in the same way.
    assert_eq!(app.sam.set(RENT, 480_000).await.status, 200);
    assert_eq!(told(&app.sam).await.len(), 1);
    let change = app.sam.changes().await[0].clone();
    let undone = app
        .sam
        .post_nothing(
            &app.sam
                .path(&format!("/changes/{}/undo", change["id"].as_str().expect("an id"))),
        )
        .await;
    assert_eq!(undone.status, 200, "{}", undone.text);
    assert_eq!(told(&app.sam).await.len(), 2);

    let version = app.sam.get_plan().await["version"].clone();
    let leave = app.sam.path("/corrections/leave");
    let left = app
        .sam
        .post(&leave, &json!({"fields": [RENT, RENT], "version": 3}))
        .await;
    assert_eq!(left.status, 204, "{}", left.text);
    assert_eq!(app.sam.get_plan().await["version"], version, "no value has changed");
    assert_snapshot!(told(&app.sam).await.join("\n"), @r#""Utilities per month": 95000 → 77700 in 3"#);
    publish_rent(&app.morgan, 495_000).await;
    assert_snapshot!(told(&app.sam).await.join("\n"), @r#"
    "Rent per month": 450000 → 495000 in 4
    "Utilities per month": 95000 → 77700 in 3
    "#);
    publish_rent(&app.morgan, 450_000).await;
    assert_eq!(told(&app.sam).await.len(), 1, "back at what the plan holds");
}

#[tokio::test]
async fn what_cannot_be_left_aside_is_named() {
    let app = TestApp::spawn().await;
    let leave = app.sam.path("/corrections/leave");
    assert_snapshot!(app.sam.post(&leave, &json!({"fields": [RENT], "version": 1})).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"version","message":"is not a later edition of the brand"}
    "#);
    publish_rent(&app.morgan, 480_000).await;
    assert_snapshot!(app.sam.post(&leave, &json!({"fields": [RENT, "a.b"], "version": 9})).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 2 errors.
    {"field":"a.b","message":"is not a field of this plan"}
    {"field":"version","message":"is not a later edition of the brand"}
    "#);
    assert_eq!(
        app.sam
            .post(&leave, &json!({"fields": [], "version": 2}))
            .await
            .failure()
            .0,
        400
    );
    assert_eq!(
        app.riley
            .on_plan(app.sam.plan)
            .post(&leave, &json!({"fields": [RENT], "version": 2}))
            .await
            .failure()
            .0,
        403
    );
    assert_eq!(
        app.morgan
            .on_plan(app.sam.plan)
            .get(&app.sam.path("/corrections"))
            .await
            .failure()
            .0,
        403
    );
    assert_eq!(app.sam.delete(&app.sam.path("")).await.status, 204);
    assert_eq!(app.sam.get(&app.sam.path("/corrections")).await.failure().0, 404);
}

#[tokio::test]
async fn a_removed_startup_row_stays_in_plans_that_have_it() {
    let app = TestApp::spawn().await;
    let mut edited = brand(&app.morgan).await;
    let row = edited["startupCostTemplate"].as_array_mut().expect("rows").remove(1);
    let field = format!("startupCosts.{}", row["slug"].as_str().expect("a slug"));
    app.sam.set(&field, 1_234_500).await;
    assert_eq!(app.morgan.put(&path(&edited, ""), &edited).await.status, 200);

    assert_eq!(app.sam.field(&field).await["currentValue"], 1_234_500);
    assert_eq!(app.sam.set(&field, 1_300_000).await.status, 200);
    assert_eq!(told(&app.sam).await, Vec::<String>::new());
    let new = app
        .sam
        .post("/api/plans", &json!({"name": "New", "brandId": edited["id"]}))
        .await
        .data();
    assert_eq!(new["financialInputs"][&field], Value::Null);
}
