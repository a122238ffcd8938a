//! What the page relies on: its addresses and files, messages that say who wrote them and what they did, and reads that
//! cost nothing while nothing changes.

use crate::auth::cookie_of;
use crate::support::{Client, Reply, TestApp, answer, says, sets};
use insta::assert_snapshot;
use reqwest::{Method, header};
use serde_json::{Value, json};
use std::io::Read;

const RENT: &str = "operatingCosts.rentMonthly";

async fn known(client: &Client, path: &str, tag: &str) -> Reply {
    let request = client.request(Method::GET, path).header(header::IF_NONE_MATCH, tag);
    client.fetch(request).await
}

#[tokio::test]
async fn a_plan_has_an_address_that_answers_the_page() {
    let app = TestApp::spawn().await;
    let visitor = app.anonymous();
    let page = visitor.get("/").await;
    for path in ["", "/", "/print", "/key-numbers"] {
        let reply = visitor.get(&format!("/plans/{}{path}", app.sam.plan)).await;
        assert_eq!((reply.status, &reply.text), (200, &page.text), "{path}");
        assert!(
            reply
                .header("content-security-policy")
                .is_some_and(|policy| policy.contains("script-src 'self'"))
        );
    }
    for path in [
        "/plans",
        "/plans/7",
        "/plan",
        &format!("/plans/{}/a/b", app.sam.plan),
        "/assets/app.js",
    ] {
        assert_eq!(
            visitor.get(path).await.failure(),
            (404, "NOT_FOUND".to_owned()),
            "{path}"
        );
    }
}

#[tokio::test]
async fn what_the_page_loads_is_kept_for_good_and_compressed_once() {
    let app = TestApp::spawn().await;
    let visitor = app.anonymous();
    let page = visitor.get("/").await.text;
    let assets: Vec<_> = page.split('"').filter(|path| path.starts_with("/assets/")).collect();
    assert!(
        [".css", ".js"]
            .iter()
            .all(|kind| assets.iter().any(|path| path.contains(kind))),
        "{page}"
    );
    assert!(!page.contains(" src=\"/app.js\""), "{page}");
    for path in assets {
        let plain = visitor.get(path).await;
        assert_eq!(
            plain.header("cache-control"),
            Some("public, max-age=31536000, immutable"),
            "{path}"
        );
        let request = visitor
            .request(Method::GET, path)
            .header(header::ACCEPT_ENCODING, "gzip");
        let packed = request.send().await.expect("an answer");
        assert_eq!(packed.headers()["content-encoding"], "gzip");
        assert_eq!(packed.headers()["vary"], "accept-encoding");
        assert!(
            packed.bytes().await.expect("a body").len() < plain.text.len() / 2,
            "{path}"
        );
    }
}

/// The contract: what is no page of a plan stays JSON, for browsers too.
#[tokio::test]
async fn an_address_that_is_none_is_json_whoever_asks() {
    let app = TestApp::spawn().await;
    for path in ["/nonsense", "/plans/7", "/plans"] {
        for accept in ["*/*", "text/html,*/*;q=0.8"] {
            let asked = app.anonymous().request(Method::GET, path).header("accept", accept);
            let refusal = app.anonymous().fetch(asked).await.refusal();
            assert_eq!(
                refusal, "404 NOT_FOUND: This address does not exist.",
                "{path}: {accept}"
            );
        }
    }
    let asked = app
        .anonymous()
        .request(Method::GET, "/api/nonsense")
        .header("accept", "text/html");
    assert_snapshot!(app.anonymous().fetch(asked).await.refusal(), @"401 UNAUTHENTICATED: Log in first.");
}

#[tokio::test]
async fn several_reads_come_in_one_answer_each_as_if_it_had_come_alone() {
    let app = TestApp::spawn().await;
    let of = |paths: &[String]| {
        let paths = paths.join(",").replace('?', "%3F").replace('=', "%3D");
        format!("/api/batch?paths={paths}")
    };
    let own = app.sam.path("");
    let asked = [
        "/api/plans".to_owned(),
        own.clone(),
        app.sam.path("/conversation?limit=5"),
        app.riley.path(""),
        app.sam.path("/outputs.csv"),
        "/api/nothing".to_owned(),
    ];
    let answers = app.sam.get(&of(&asked)).await.data();
    let status: Vec<_> = answers
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| &one["status"])
        .collect();
    assert_eq!(status, [200, 200, 200, 403, 406, 404]);
    let alone = app.sam.get(&own).await;
    assert_eq!(answers[1]["etag"], json!(alone.header("etag")));
    assert_eq!(answers[1]["body"], alone.json());
    assert_eq!(answers[3]["body"]["error"]["code"], "FORBIDDEN");

    for odd in [
        "",
        "/healthz",
        "http://elsewhere.test/api/plans",
        "/api/batch",
        "/api/plans, /api/plans",
    ] {
        let refused = app.sam.get(&of(&[odd.to_owned()])).await;
        assert_eq!(refused.failure(), (400, "VALIDATION_ERROR".to_owned()), "{odd}");
    }
    assert_eq!(app.sam.get(&of(&vec!["/api/metrics".to_owned(); 17])).await.status, 400);
    assert_eq!(app.anonymous().get(&of(&["/api/plans".to_owned()])).await.status, 401);
}

#[tokio::test]
async fn a_plan_that_is_known_is_not_sent_again() {
    let app = TestApp::spawn().await;
    let path = app.sam.path("");
    let tag = app.sam.get(&path).await.header("etag").expect("a tag").to_owned();

    let same = known(&app.sam, &path, &tag).await;
    assert_eq!(
        (same.status, same.text.as_str(), same.header("etag")),
        (304, "", Some(tag.as_str()))
    );
    app.sam.set(RENT, 420_000).await;
    let moved = known(&app.sam, &path, &tag).await;
    assert_eq!((moved.status, &moved.data()["version"]), (200, &json!(2)));
}

#[tokio::test]
async fn a_conversation_that_is_known_is_sent_again_when_a_message_or_a_status_changes() {
    let app = TestApp::spawn().await;
    let path = app.sam.path("/conversation?limit=50");
    let mut tag = app.sam.get(&path).await.header("etag").expect("a tag").to_owned();
    let mut moves = async |what: &str| {
        let reply = known(&app.sam, &path, &tag).await;
        assert_eq!(reply.status, 200, "{what}");
        reply.header("etag").expect("a tag").clone_into(&mut tag);
        assert_eq!(known(&app.sam, &path, &tag).await.status, 304, "{what}");
        reply.json()
    };
    app.llm
        .script([sets(RENT, 4200, "tentative"), says("Shall I take $4,200?")]);
    app.sam.send("maybe $4,200 rent a month").await;
    let conversation = moves("a message").await;
    let value = &conversation["data"][1]["extractedValues"][0];
    assert_eq!(value["status"], "proposed");

    let dismiss = format!(
        "/conversation/extractions/{}/dismiss",
        value["id"].as_str().expect("an id")
    );
    app.sam.post_nothing(&app.sam.path(&dismiss)).await;

    assert_eq!(
        moves("a status").await["data"][1]["extractedValues"][0]["status"],
        "dismissed"
    );
}

#[tokio::test]
async fn an_answer_keeps_what_it_moved() {
    let app = TestApp::spawn().await;
    app.llm.script([sets(RENT, 4200, "high"), says("Noted.")]);
    let turn = app.sam.send("My rent is $4,200/month").await;
    app.llm.script([answer().says("You are welcome.")]);
    app.sam.send("Thank you").await;

    let history = app.sam.history().await;

    assert_eq!(history[0].get("changes"), None);
    assert_eq!(history[1]["changes"], turn.done()["updatedOutputs"]["changes"]);
    assert!(
        history[1]["changes"]
            .as_array()
            .is_some_and(|changes| changes.iter().any(|change| change["metric"] == "breakEvenMonth"))
    );
    assert_eq!(history[3]["changes"], json!([]));
}

#[tokio::test]
async fn a_message_names_its_author_where_that_is_not_the_owner() {
    let app = TestApp::spawn().await;
    let author = |message: &Value| message.get("author").cloned();
    app.llm.script([says("One."), says("Two."), says("Three.")]);
    app.sam.send("Hello").await;
    app.admin.on_plan(app.sam.plan).send("I am Avery, support").await;
    let body = json!({"userId": app.sam.id, "reason": "Ticket 1", "mode": "edit"});
    let reply = app.admin.post("/api/admin/impersonation", &body).await;
    let mut acting = app.admin.on_plan(app.sam.plan);
    acting.cookie = cookie_of(&reply);
    acting.send("In Sam's name").await;

    let history = app.sam.history().await;

    let avery = json!({"id": app.admin.id, "displayName": "Avery Stone", "role": "platform_admin"});
    assert_eq!(author(&history[0]), None);
    assert_eq!(author(&history[2]), Some(avery.clone()));
    assert_eq!(author(&history[4]), Some(avery));
    assert!(history.iter().skip(1).step_by(2).all(|answer| author(answer).is_none()));
}

/// A file inside a ZIP archive, found by its central directory.
pub fn unzipped(archive: &[u8], name: &str) -> String {
    let word = |at: usize| usize::from(u16::from_le_bytes([archive[at], archive[at + 1]]));
    let long = |at: usize| word(at) + (word(at + 2) << 16);
    let entry = (0..archive.len() - 46)
        .find(|at| archive[*at..].starts_with(b"PK\x01\x02") && archive[at + 46..].starts_with(name.as_bytes()));
    let entry = entry.expect("a file of the archive");
    let local = long(entry + 42);
    let start = local + 30 + word(local + 26) + word(local + 28);
    let packed = &archive[start..start + long(entry + 20)];
    let mut text = String::new();
    flate2::read::DeflateDecoder::new(packed)
        .read_to_string(&mut text)
        .expect("text");
    text
}

#[tokio::test]
async fn the_workbook_has_years_as_formulas_with_their_values_and_nobodys_formula() {
    let app = TestApp::spawn().await;
    let brand = app.sam.get_plan().await["brandId"].take();
    let name = "=HYPERLINK(\"https://evil.test\")";
    let made = app
        .sam
        .post("/api/plans", &json!({"name": name, "brandId": brand}))
        .await
        .data();
    let path = format!("/api/plans/{}/outputs", made["id"].as_str().expect("an id"));
    let outputs = app.sam.get(&path).await.data();

    let response = app
        .sam
        .request(Method::GET, &format!("{path}.xlsx"))
        .send()
        .await
        .expect("an answer");

    assert_eq!(response.status(), 200);
    assert_eq!(
        response.headers()["content-type"],
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    );
    assert!(
        response.headers()["content-disposition"]
            .to_str()
            .is_ok_and(|name| name.ends_with("-financial-plan.xlsx\""))
    );
    let file = response.bytes().await.expect("a body");
    let years = unzipped(&file, "xl/worksheets/sheet6.xml");
    let cents = outputs["annual"][0]["revenue"].as_i64().expect("cents");
    let sales = format!("<f>SUM(Months!C2:C13)</f><v>{}.{:02}</v>", cents / 100, cents % 100);
    assert!(years.contains(&sales), "{sales} in {years}");
    assert_eq!(years.matches("<f>").count(), 45 * 5);
    let cash = outputs["annual"][4]["balance"]["cash"].as_i64().expect("cents");
    let balances = unzipped(&file, "xl/worksheets/sheet7.xml");
    let at_end = format!("<f>Months!AS61</f><v>{}.{:02}</v>", cash / 100, cash % 100);
    assert!(balances.contains(&at_end), "{at_end} in {balances}");
    assert_eq!(balances.matches("<f>").count(), 16 * 5);
    assert_eq!(
        unzipped(&file, "xl/worksheets/sheet1.xml").matches("<f>").count(),
        0,
        "a name is a text"
    );
    assert!(unzipped(&file, "xl/sharedStrings.xml").contains("=HYPERLINK("));
    let months = unzipped(&file, "xl/worksheets/sheet5.xml");
    assert_eq!(months.matches("<row ").count(), 61);
    assert_snapshot!(app.taylor.get(&app.taylor.path("/outputs.xlsx")).await.refusal(), @"404 NOT_FOUND: The plan has no values yet, so there is nothing to project.");
}
