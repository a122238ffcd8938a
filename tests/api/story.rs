//! What an owner writes for a lender, and the month in which the business opens.

use crate::support::{Client, Reply, TestApp, calls, says, shown};
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};

async fn put(by: &Client, story: &Value, if_match: Option<&str>) -> Reply {
    let mut request = by.request(Method::PUT, &by.path("/story")).json(story);
    if let Some(version) = if_match {
        request = request.header("if-match", version);
    }
    by.fetch(request).await
}

#[tokio::test]
async fn a_story_is_written_read_replaced_and_removed() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let empty = sam.get(&sam.path("/story")).await;
    assert_eq!(empty.header("etag"), Some("\"0\""));
    assert_snapshot!(shown(empty.data()), @r#"{"business":null,"customers":null,"loan":null,"market":null,"risks":null,"team":null}"#);

    let written = put(
        sam,
        &json!({"team": "  Six years in grooming.\r\n\r\n\r\nTwo certificates. ", "loan": ""}),
        None,
    )
    .await;
    assert_eq!(written.header("etag"), Some("\"1\""));
    assert_snapshot!(shown(written.data()), @r#"{"business":null,"customers":null,"loan":null,"market":null,"risks":null,"team":"Six years in grooming.\n\nTwo certificates."}"#);
    let read = sam.get(&sam.path("/story")).await;
    assert_eq!(read.data(), written.data());
    let known = sam
        .request(Method::GET, &sam.path("/story"))
        .header("if-none-match", "\"1\"");
    assert_eq!(sam.fetch(known).await.status, 304);

    // What was read can be sent back, and changes nothing.
    assert_eq!(
        put(sam, &read.data(), Some("\"1\"")).await.header("etag"),
        Some("\"1\"")
    );
    let replaced = put(sam, &json!({"risks": "Few groomers; we train our own."}), Some("\"1\"")).await;
    assert_eq!(replaced.header("etag"), Some("\"2\""));
    assert_eq!(replaced.data()["team"], Value::Null);
    let stale = put(sam, &json!({}), Some("\"1\"")).await;
    assert_snapshot!(stale.refusal(), @r#"
    412 VERSION_MISMATCH: The plan has changed meanwhile. Read it again, then decide.
    {"version":2}
    "#);
    assert_eq!(put(sam, &json!({}), None).await.data()["risks"], Value::Null);

    let events = "SELECT count(*) FROM audit_events WHERE kind = 'story_changed' AND detail::text NOT LIKE '%groom%'";
    assert_eq!(app.database.count(events).await, 3);
}

#[tokio::test]
async fn a_story_may_hold_every_script_and_is_no_longer_than_a_page() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let emoji = "🐩".repeat(2_000);
    let story = json!({"team": emoji, "market": "<b>&amp;</b> =1+1 $x^2$ #let", "customers": "مرحبا 你好"});
    let written = put(sam, &story, None).await.data();
    for name in ["team", "market", "customers"] {
        assert_eq!(written[name], story[name], "{name}");
    }
    let too_long = put(
        sam,
        &json!({"team": "x".repeat(2_001), "risks": "🐩".repeat(2_001)}),
        None,
    )
    .await;
    assert_snapshot!(too_long.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 2 errors.
    {"field":"risks","message":"must have at most 2000 characters"}
    {"field":"team","message":"must have at most 2000 characters"}
    "#);
    for wrong in [
        json!({"teams": "a"}),
        json!({"team": 1}),
        json!([]),
        json!("text"),
        json!(null),
    ] {
        assert_eq!(put(sam, &wrong, None).await.failure().0, 400, "{wrong}");
    }
    let others = put(&app.riley, &json!({"team": "mine"}), None).await;
    assert_eq!(others.status, 200, "riley's own plan");
    let foreign = app
        .riley
        .request(Method::PUT, &sam.path("/story"))
        .json(&json!({"team": "mine"}));
    assert_eq!(app.riley.fetch(foreign).await.failure().0, 403);

    let export = sam.get("/api/me/export").await.json();
    assert_eq!(export["plans"][0]["story"][0]["texts"]["team"], emoji);
}

#[tokio::test]
async fn two_who_write_at_once_do_not_lose_the_others_text() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let (one, other) = (json!({"team": "one"}), json!({"team": "other"}));
    let (first, second) = tokio::join!(put(sam, &one, Some("\"0\"")), put(sam, &other, Some("\"0\"")));
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 412]);
}

#[tokio::test]
async fn the_opening_month_dates_the_months() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    assert_eq!(sam.get_plan().await["openingMonth"], Value::Null);
    let tag = sam.get(&sam.path("")).await.header("etag").map(str::to_owned);
    let opened = sam.patch(&sam.path(""), &json!({"openingMonth": "2027-03"})).await;
    assert_eq!(opened.data()["openingMonth"], "2027-03");
    assert_ne!(opened.header("etag").map(str::to_owned), tag);
    // A value written afterwards keeps it.
    sam.set("operatingCosts.rentMonthly", 420_000).await;
    assert_eq!(sam.get_plan().await["openingMonth"], "2027-03");
    let csv = sam.get(&sam.path("/outputs.csv?lang=es")).await.text;
    assert!(csv.starts_with("\u{FEFF}Mes,Año,Fecha,Ventas,"), "{}", &csv[..60]);
    assert!(csv.contains("\r\n13,2,2028-03,"), "the second year begins in March");

    for wrong in ["2027-13", "March 2027", "", "1999-01"] {
        let refused = sam.patch(&sam.path(""), &json!({"openingMonth": wrong})).await;
        assert_eq!(refused.failure(), (400, "VALIDATION_ERROR".to_owned()), "{wrong}");
    }
    let refused = sam
        .patch(&sam.path(""), &json!({"name": "North", "openingMonth": 2027}))
        .await;
    assert_eq!(refused.failure().0, 400);
    assert_eq!(sam.get_plan().await["openingMonth"], "2027-03");
    let taken_away = sam
        .patch(&sam.path(""), &json!({"name": "North", "openingMonth": null}))
        .await
        .data();
    assert_eq!(
        (&taken_away["name"], &taken_away["openingMonth"]),
        (&json!("North"), &Value::Null)
    );
    assert!(
        sam.get(&sam.path("/outputs.csv"))
            .await
            .text
            .starts_with("Month,Year,Sales,")
    );
    assert_snapshot!(sam.patch(&sam.path(""), &json!({})).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"name","message":"is missing, and so is openingMonth"}
    "#);
}

#[tokio::test]
async fn a_draft_is_shown_and_written_only_with_a_yes() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    app.llm.script([says("Tell me about yourself.")]);
    sam.send("I have groomed dogs for twelve years and want $280,000").await;

    let text =
        "Sam has groomed dogs for 12 years.\n\nThe loan of $280,000 pays for the opening; rent is $4,500 a month.";
    app.llm
        .script([calls("draft_story", json!({"part": "team", "text": text}))]);
    let turn = sam.send("please draft who we are").await;
    assert_snapshot!(turn.text(), @r"
    This is a draft for a lender, about who you are and your experience:

    Sam has groomed dogs for 12 years.

    The loan of $280,000 pays for the opening; rent is $4,500 a month.

    Shall I put it into your plan's story, in place of what stands there? Answer yes or no.
    ");
    assert_eq!(sam.get(&sam.path("/story")).await.header("etag"), Some("\"0\""));

    assert_snapshot!(sam.send("yes").await.text(), @"Done. The text is in your plan's story, where you can edit it. It is printed with the plan.");
    assert_eq!(sam.get(&sam.path("/story")).await.data()["team"], text);
    let events =
        "SELECT count(*) FROM audit_events WHERE kind = 'story_changed' AND detail = '{\"texts\": [\"team\"]}'";
    assert_eq!(app.database.count(events).await, 1);

    app.llm
        .script([calls("draft_story", json!({"part": "team", "text": "Sam is kind."}))]);
    let again = sam.send("shorter, please").await;
    let pending = again.done()["pendingConfirmation"].clone();
    assert_eq!(pending["arguments"], json!({"part": "team", "text": "Sam is kind."}));
    let deny = json!({"id": pending["id"], "decision": "deny"});
    assert_eq!(
        sam.post(&sam.path("/conversation/confirmation"), &deny).await.status,
        200
    );
    assert_eq!(sam.get(&sam.path("/story")).await.data()["team"], text);
}

#[tokio::test]
async fn a_draft_has_no_number_of_its_own() {
    let app = TestApp::spawn().await;
    let mut refused = Vec::new();
    for (part, text) in [
        ("market", "40,000 people live here."),
        ("market", "We expect seventeen percent more."),
        ("market", "Sales of 1,50,000 are likely."),
        ("future", "We grow."),
        ("risks", "\u{7} \n"),
    ] {
        app.llm.script([
            calls("draft_story", json!({"part": part, "text": text})),
            says("I cannot."),
        ]);
        let turn = app.sam.send("draft it").await;
        assert_eq!(turn.done()["pendingConfirmation"], Value::Null);
        refused.push(app.llm.last_result()["error"].as_str().unwrap_or_default().to_owned());
    }
    assert_snapshot!(refused.join("\n"), @r#"
    Neither the plan nor what they said has the number 40000. Leave it out, or ask them. A right call: draft_story with {"part":"team","text":"We have run a shop before."}
    Neither the plan nor what they said has the number 17. Leave it out, or ask them. A right call: draft_story with {"part":"team","text":"We have run a shop before."}
    The text has a number that cannot be read. Write it in another way. A right call: draft_story with {"part":"team","text":"We have run a shop before."}
    The parts are team, business, market, customers, loan, risks. A right call: draft_story with {"part":"team","text":"We have run a shop before."}
    The text must have 1 to 2000 characters. A right call: draft_story with {"part":"team","text":"We have run a shop before."}
    "#);
    assert_eq!(app.sam.get(&app.sam.path("/story")).await.header("etag"), Some("\"0\""));
}
