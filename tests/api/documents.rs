//! Documents of a plan, and links to them. The typesetter is the stand-in of test builds: what would be printed is in the file as data.

mod links;

use crate::support::{Client, Reply, TestApp, shown, without};
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};

const RENT: &str = "operatingCosts.rentMonthly";

/// Asks for a document of the client's plan.
pub async fn print(client: &Client, body: &Value, key: Option<&str>) -> Reply {
    let mut request = client.request(Method::POST, &client.path("/documents")).json(body);
    if let Some(key) = key {
        request = request.header("idempotency-key", key);
    }
    client.fetch(request).await
}

pub fn package() -> Value {
    json!({"kind": "package", "paper": "letter", "lang": "en"})
}

/// Prints a package and answers with the path of the document.
pub async fn printed(client: &Client) -> String {
    let made = print(client, &package(), None).await;
    assert_eq!(made.status, 201, "{}", made.text);
    made.header("location").expect("a location").to_owned()
}

/// What would be printed.
fn contents(file: &Reply) -> Value {
    let json = file.text.strip_prefix("%PDF-stand-in\n").expect("the stand-in's file");
    serde_json::from_str(json).expect("JSON")
}

#[tokio::test]
async fn a_document_shows_the_plan_as_it_was_and_never_changes() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let none = sam.get(&sam.path("/documents")).await;
    assert_snapshot!(none.text, @r#"{"data":[],"meta":{"canMake":true,"limit":50}}"#);
    let made = print(sam, &package(), None).await;
    assert_eq!(made.status, 201, "{}", made.text);
    let document = made.data();
    let described = without(&without(&document, "sha256"), "bytes");
    assert_snapshot!(shown(described), @r#"{"createdAt":"[time]","createdBy":{"displayName":"Sam Rivera","id":"[id]"},"engineVersion":"2","id":"[id]","kind":"package","lang":"en","paper":"letter","planVersion":1}"#);
    assert_eq!(sam.get(&sam.path("/documents")).await.data(), json!([document]));

    let path = made.header("location").expect("a location");
    let file = sam.get(path).await;
    assert_eq!(file.header("content-type"), Some("application/pdf"));
    assert_eq!(file.header("cache-control"), Some("no-store"));
    assert_eq!(file.header("content-encoding"), None);
    assert_snapshot!(file.header("content-disposition").expect("a name"), @"attachment; filename=\"sam-s-grooming-salon-package.pdf\"; filename*=UTF-8''Sam%27s%20grooming%20salon%20package.pdf");
    let tag = file.header("etag").expect("a tag").to_owned();
    assert_eq!(tag, format!("\"{}\"", document["sha256"].as_str().expect("a hash")));
    assert_eq!(document["bytes"], file.text.len());
    let known = sam.request(Method::GET, path).header("if-none-match", &tag);
    let known = sam.fetch(known).await;
    assert_eq!((known.status, known.text.as_str()), (304, ""));

    // Its figures are those of the outputs then.
    let outputs = sam.get(&sam.path("/outputs")).await.data();
    let sheets = contents(&file);
    assert_eq!(sheets["head"], "Sam's grooming salon");
    assert_eq!(sheets["cover"]["request"][0], json!(["Loan amount", "$280,000.00"]));
    assert_eq!(outputs["metrics"]["loanAmount"], 28_000_000);
    sam.set(RENT, 900_000).await;
    assert_eq!(sam.get(path).await.text, file.text);
    let later = sam.get(&printed(sam).await).await;
    assert_ne!(later.text, file.text);
}

/// The edition of a brand whose disclosure document gives no ranges: its plans are printed without them, everywhere.
#[tokio::test]
async fn a_brand_without_item_7_has_documents_workbooks_and_tables() {
    let app = TestApp::spawn().await;
    let mut brand = app.morgan.get("/api/brands").await.data()[0].clone();
    for row in brand["startupCostTemplate"].as_array_mut().expect("rows") {
        (row["item7Low"], row["item7High"]) = (Value::Null, Value::Null);
    }
    let path = format!("/api/brands/{}", brand["id"].as_str().expect("an id"));
    let published = app.morgan.put(&path, &brand).await;
    assert_eq!(published.status, 200, "{}", published.text);
    let plan = json!({"name": "No ranges, 犬🐩", "brandId": brand["id"]});
    let plan = app.sam.post("/api/plans", &plan).await.data();
    let path = format!("/api/plans/{}", plan["id"].as_str().expect("an id"));
    let of_plan = app.sam.get(&path).await.data();
    let inputs = of_plan["financialInputs"].as_object().expect("inputs");
    assert!(inputs.values().all(|input| input["item7Range"].is_null()));

    let made = app.sam.post(&format!("{path}/documents"), &package()).await;
    assert_eq!(made.data()["unprintable"], "犬🐩");
    let sheets = contents(&app.sam.get(made.header("location").expect("a location")).await);
    let parts = sheets["parts"].as_array().expect("parts");
    let item7 = parts
        .iter()
        .find(|part| part["title"].as_str().is_some_and(|title| title.contains("Item 7")));
    let table = &item7.expect("the part")["blocks"][0];
    let rows: Vec<&Value> = table["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| &row["cells"])
        .collect();
    assert_snapshot!(format!("{}\n{}", rows[0], rows[rows.len() - 1]), @r#"
    ["Initial franchise fee","39,900.00"]
    ["Total startup costs","371,500.00"]
    "#);
    for file in ["outputs", "outputs.csv", "outputs.xlsx"] {
        let file = app.sam.get(&format!("{path}/{file}")).await;
        assert_eq!(file.status, 200, "{}", file.text);
    }
}

#[tokio::test]
async fn two_requests_with_one_key_make_one_document() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let body = package();
    let (one, other) = tokio::join!(print(sam, &body, Some("k")), print(sam, &body, Some("k")));
    assert_eq!((one.status, other.status), (201, 201), "{} {}", one.text, other.text);
    assert_eq!(one.data(), other.data());
    let replayed = [&one, &other].map(|reply| reply.header("idempotency-replayed") == Some("true"));
    assert_eq!(replayed.iter().filter(|replayed| **replayed).count(), 1);
    assert_eq!(app.database.count("SELECT count(*) FROM plan_documents").await, 1);
    // Also once the plan has changed: the document is the one that was made.
    sam.set(RENT, 420_000).await;
    assert_eq!(print(sam, &body, Some("k")).await.data(), one.data());
    let mut spanish = body.clone();
    spanish["lang"] = json!("es");
    assert_snapshot!(print(sam, &spanish, Some("k")).await.refusal(), @"422 IDEMPOTENCY_KEY_REUSED: This idempotency key was used for another document.");
    // A key is its person's and its plan's own.
    assert_eq!(print(&app.riley, &spanish, Some("k")).await.status, 201);
    assert_eq!(
        print(&app.admin.on_plan(sam.plan), &spanish, Some("k")).await.status,
        201
    );
}

#[tokio::test]
async fn what_cannot_be_printed_is_refused() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    assert_snapshot!(print(&app.taylor, &package(), None).await.refusal(), @"409 CONFLICT: The plan has no values yet, so there is nothing to print.");
    let with = |name: &str, value: Value| {
        let mut body = package();
        body[name] = value;
        body
    };
    assert_snapshot!(print(sam, &with("kind", json!("novel")), None).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"kind","message":"unknown variant `novel`, expected `package` or `summary`"}
    "#);
    assert_snapshot!(print(sam, &with("paper", json!("a5")), None).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"paper","message":"unknown variant `a5`, expected `letter` or `a4`"}
    "#);
    assert_snapshot!(print(sam, &with("lang", json!("fr")), None).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"lang","message":"unknown variant `fr`, expected `en` or `es`"}
    "#);
    assert_snapshot!(print(sam, &with("pages", json!(1)), None).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"pages","message":"is not known here"}
    "#);
    assert_snapshot!(print(sam, &json!({}), None).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"kind","message":"is required"}
    "#);
    let unknown = "0199c0de-0000-7000-8000-00000000ffff";
    assert_snapshot!(print(sam, &with("scenarioIds", json!([unknown])), None).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"scenarioIds","message":"0199c0de-0000-7000-8000-00000000ffff is not a scenario of this plan"}
    "#);
    assert_snapshot!(print(sam, &with("scenarioIds", json!([unknown, unknown])), None).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"scenarioIds","message":"must name at most 10 scenarios, each once"}
    "#);
    assert_snapshot!(sam.get(&sam.path(&format!("/documents/{unknown}"))).await.refusal(), @"404 NOT_FOUND: The document does not exist.");
    // Somebody else's plan, and another plan's document.
    let path = printed(sam).await;
    assert_eq!(app.riley.get(&path).await.status, 403);
    let id = path.rsplit('/').next().expect("an id");
    assert_eq!(
        app.riley.get(&app.riley.path(&format!("/documents/{id}"))).await.status,
        404
    );
    assert_eq!(app.morgan.get(&path).await.status, 403);
    assert_eq!(app.anonymous().get(&path).await.status, 401);
    assert_eq!(app.admin.get(&path).await.status, 200);
}

#[tokio::test]
async fn scenarios_stand_beside_the_usual_cases_while_they_apply() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let body = json!({"name": "Lean <b>", "overrides": { RENT: 360_000 }});
    let scenario = sam.post(&sam.path("/scenarios"), &body).await.data();
    let mut wanted = package();
    wanted["scenarioIds"] = json!([scenario["id"]]);
    let made = print(sam, &wanted, None).await;
    let sheets = contents(&sam.get(made.header("location").expect("a location")).await);
    let parts = sheets["parts"].as_array().expect("parts");
    let cases = parts.iter().find(|part| part["title"] == "What if").expect("cases");
    let names = cases["blocks"][0]["rows"].as_array().expect("rows").iter();
    let names: Vec<&str> = names.filter_map(|row| row["cells"][0].as_str()).collect();
    assert_eq!(
        names[..4],
        [
            "The plan",
            "Sales 10% lower",
            "Sales 20% lower",
            "First sale 3 months later"
        ]
    );
    assert_eq!((names.len(), names[7]), (8, "Scenario: Lean <b>"));

    app.database
        .run("UPDATE plan_scenarios SET overrides = '{\"startupCosts.ofTheFuture\": 5}'")
        .await;
    assert_snapshot!(print(sam, &wanted, None).await.refusal(), @"409 CONFLICT: The scenario “Lean <b>” has values for numbers that this plan does not have. Leave it out, or save it anew.");
}

#[tokio::test]
async fn the_fiftieth_document_is_made_and_the_next_one_refused() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    printed(sam).await;
    app.database
        .run(
            "INSERT INTO plan_documents (id, plan_id, kind, paper, lang, name, plan_version, engine_version, sha256, content, created_by) \
             SELECT gen_random_uuid(), plan_id, kind, paper, lang, name, plan_version, engine_version, sha256, content, created_by \
             FROM plan_documents, generate_series(1, 48)",
        )
        .await;
    printed(sam).await;
    assert_snapshot!(print(sam, &package(), None).await.refusal(), @"409 CONFLICT: A plan may have 50 documents, and it has. They go with the plan only.");
    assert_eq!(
        sam.get(&sam.path("/documents")).await.data().as_array().map(Vec::len),
        Some(50)
    );
}

#[tokio::test]
async fn nothing_changes_a_document_and_it_goes_with_its_plan() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let path = printed(sam).await;
    for statement in [
        "UPDATE plan_documents SET content = 'x'",
        "UPDATE plan_documents SET created_by = NULL",
        "UPDATE plan_documents SET name = 'x', created_by = NULL",
        "DELETE FROM plan_documents",
        "TRUNCATE plan_documents CASCADE",
    ] {
        let refusal = app.database.refusal(statement).await;
        assert!(
            refusal.contains("plan_documents is never changed"),
            "{statement}: {refusal}"
        );
    }
    // The conversation's words may be erased; a document has none of them.
    assert_eq!(sam.post_nothing(&sam.path("/conversation/erase")).await.status, 204);
    assert_eq!(sam.get(&path).await.status, 200);
    assert_eq!(sam.delete(&sam.path("")).await.status, 204);
    assert_eq!(app.database.count("SELECT count(*) FROM plan_documents").await, 0);
    let events =
        "SELECT kind || ' ' || (detail - 'documentId')::text AS e FROM audit_events WHERE kind LIKE 'document%'";
    assert_eq!(
        app.database.values(events).await,
        [Some(
            r#"document_made {"kind": "package", "planVersion": 1}"#.to_owned()
        )]
    );
}

#[tokio::test]
async fn a_removed_administrators_document_stays_without_the_name() {
    let app = TestApp::spawn().await;
    let path = printed(&app.admin.on_plan(app.sam.plan)).await;
    app.database
        .run("UPDATE users SET role = 'franchisee' WHERE email = 'admin@demo.test'")
        .await;
    app.database
        .run("SELECT remove_some_of(id, 100) FROM users, generate_series(1, 9) WHERE email = 'admin@demo.test'; DELETE FROM users WHERE email = 'admin@demo.test'")
        .await;
    assert_eq!(app.sam.get(&path).await.status, 200);
    let listed = app.sam.get(&app.sam.path("/documents")).await.data();
    assert_eq!(listed[0]["createdBy"], Value::Null);
}

#[tokio::test]
async fn the_export_tells_of_documents_and_links() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let path = printed(sam).await;
    links::share(sam, &path, 7).await;
    let export = sam.get("/api/me/export").await.json();
    let plan = &export["plans"][0];
    assert_eq!(plan["documents"][0]["createdByName"], "Sam Rivera");
    assert_eq!(plan["documents"][0]["sha256"].as_str().map(str::len), Some(64));
    assert_eq!(plan["documentLinks"][0]["opened"], 0);
    assert!(!export.to_string().contains("tokenHash"));
}
