//! Scenarios of a plan, what matters in it, and what would have to change.

use crate::admin::begin;
use crate::support::{Client, Reply, TestApp, audited, shown, without};
use insta::assert_snapshot;
use plan_model::field::catalogue;
use reqwest::Method;
use serde_json::{Map, Value, json};
use uuid::Uuid;

const RENT: &str = "operatingCosts.rentMonthly";
const LABOR: &str = "operatingCosts.laborPct";

async fn create(by: &Client, name: &str, overrides: Value) -> Reply {
    let body = json!({"name": name, "overrides": overrides});
    by.post(&by.path("/scenarios"), &body).await
}

/// Saves a scenario; gives its id.
async fn saved(by: &Client, name: &str, overrides: Value) -> String {
    let reply = create(by, name, overrides).await;
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.data()["id"].as_str().expect("an id").to_owned()
}

async fn adopt(by: &Client, id: &str, if_match: Option<&str>) -> Reply {
    let path = by.path(&format!("/scenarios/{id}/adopt"));
    let mut request = by.request(Method::POST, &path);
    if let Some(version) = if_match {
        request = request.header("if-match", version);
    }
    by.fetch(request).await
}

async fn compared(by: &Client, ids: &[&str]) -> Value {
    let path = format!("/compare?scenarios={}", ids.join(","));
    by.get(&by.path(&path)).await.data()
}

async fn seek(by: &Client, metric: &str, target: impl Into<Value>, path: &str) -> Reply {
    let body = json!({"metric": metric, "target": target.into(), "path": path});
    by.post(&by.path("/goal-seek"), &body).await
}

async fn figures(by: &Client) -> Value {
    let mut outputs = by.get(&by.path("/outputs")).await.data();
    json!([outputs["metrics"].take(), outputs["annual"].take()])
}

fn invalid(reply: &Reply) -> String {
    assert_eq!(reply.failure(), (400, "VALIDATION_ERROR".to_owned()));
    let detail = &reply.json()["error"]["details"][0];
    let text = |key: &str| detail[key].as_str().unwrap_or_default().to_owned();
    format!("{} {}", text("field"), text("message"))
}

#[tokio::test]
async fn a_scenario_is_saved_listed_changed_and_deleted_and_the_plan_stays() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let before = sam.get_plan().await;

    let reply = create(sam, "  Le\u{200B}an\n case ", json!({RENT: 360_000, LABOR: 0.33})).await;

    let lean = reply.data();
    let id = lean["id"].as_str().expect("an id").to_owned();
    assert!(reply.text.contains("0.33"), "{}", reply.text);
    assert_snapshot!(shown(&lean), @r#"{"createdAt":"[time]","id":"[id]","name":"Lean case","overrides":{"operatingCosts.laborPct":0.33,"operatingCosts.rentMonthly":360000},"updatedAt":"[time]"}"#);
    assert_eq!(lean["createdAt"], lean["updatedAt"]);
    let at = reply.header("location").expect("a place").to_owned();
    assert_eq!(at, sam.path(&format!("/scenarios/{id}")));
    let bold = saved(sam, "Bold", json!({})).await;

    let changed = sam.put(&at, &json!({"overrides": {RENT: 350_000}})).await.data();
    assert_snapshot!(shown(&changed), @r#"{"createdAt":"[time]","id":"[id]","name":"Lean case","overrides":{"operatingCosts.rentMonthly":350000},"updatedAt":"[time]"}"#);
    let renamed = sam.put(&at, &json!({"name": "LEAN CASE"})).await.data();
    assert_snapshot!(shown(&renamed), @r#"{"createdAt":"[time]","id":"[id]","name":"LEAN CASE","overrides":{"operatingCosts.rentMonthly":350000},"updatedAt":"[time]"}"#);
    assert_eq!(sam.put(&at, &json!({})).await.data()["name"], "LEAN CASE");

    let listed = sam.get(&sam.path("/scenarios")).await.data();
    let ids: Vec<_> = listed
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| &one["id"])
        .collect();
    assert_eq!(ids, [&json!(id), &json!(bold)]);

    let gone = sam.delete(&at).await;
    assert_eq!((gone.status, gone.text.as_str()), (204, ""));
    assert_snapshot!(sam.delete(&at).await.refusal(), @"404 NOT_FOUND: The scenario does not exist.");
    let put = sam.put(&at, &json!({"name": "Back"})).await;
    assert_snapshot!(put.refusal(), @"404 NOT_FOUND: The scenario does not exist.");
    assert_eq!(
        sam.get(&sam.path("/scenarios")).await.data().as_array().map(Vec::len),
        Some(1)
    );

    assert_eq!(sam.get_plan().await, before);
    assert!(sam.changes().await.is_empty());
}

#[tokio::test]
async fn names_are_one_whatever_their_case_width_or_invisible_characters() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let lean = saved(sam, "Lean", json!({})).await;
    let bold = saved(sam, "Bold", json!({})).await;
    for same in ["lean", "LE\u{200B}AN", " \u{FF2C}ean "] {
        let reply = create(sam, same, json!({})).await;
        assert_eq!(reply.failure(), (409, "CONFLICT".to_owned()), "{same:?}");
    }
    let path = sam.path(&format!("/scenarios/{bold}"));
    let reply = sam.put(&path, &json!({"name": "lean"})).await;
    assert_snapshot!(reply.refusal(), @"409 CONFLICT: A scenario of this plan has that name.");

    // Another plan has names of its own, and knows nothing of this one's.
    let riley = &app.riley;
    saved(riley, "lean", json!({})).await;
    let path = riley.path(&format!("/scenarios/{lean}"));
    assert_eq!(riley.delete(&path).await.status, 404);
    assert_eq!(adopt(riley, &lean, None).await.status, 404);
    let compare = riley.path(&format!("/compare?scenarios={lean}"));
    assert_snapshot!(riley.get(&compare).await.refusal(), @"404 NOT_FOUND: The scenario does not exist.");
}

#[tokio::test]
async fn what_cannot_be_saved_is_refused_and_named() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    for name in ["", "\u{200B}", &"a".repeat(61)] {
        let refused = invalid(&create(sam, name, json!({})).await);
        assert_eq!(refused, "name must have 1 to 60 characters", "{name:?}");
    }
    let mut refused = Vec::new();
    for (path, value) in [
        (RENT, json!(null)),
        (RENT, json!("NaN")),
        (RENT, json!(1.5)),
        (RENT, json!(-1)),
        (LABOR, json!(1.01)),
        ("rent", json!(1)),
        ("operatingCosts.nothing", json!(1)),
        ("startupCosts.moonBase", json!(1)),
    ] {
        refused.push(invalid(&create(sam, "Lean", json!({path: value})).await));
    }
    assert_snapshot!(refused.join("\n"), @"
    overrides.operatingCosts.rentMonthly must be a number
    overrides.operatingCosts.rentMonthly must be a number
    overrides.operatingCosts.rentMonthly must be whole cents
    overrides.operatingCosts.rentMonthly must be between 0 and 10000000000
    overrides.operatingCosts.laborPct must be between 0 and 1
    overrides.rent is not a field of this plan
    overrides.operatingCosts.nothing is not a field of this plan
    overrides.startupCosts.moonBase is not a field of this plan
    ");
    assert_snapshot!(create(sam, "", json!({"a": 1, "b": 2})).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 3 errors.
    {"field":"name","message":"must have 1 to 60 characters"}
    {"field":"overrides.a","message":"is not a field of this plan"}
    {"field":"overrides.b","message":"is not a field of this plan"}
    "#);

    let fields = app.sam.get("/api/fields").await.data();
    let paths = fields.as_array().expect("a list").iter().take(41);
    let values: Map<String, Value> = paths
        .map(|field| (field["path"].as_str().expect("a path").to_owned(), json!(1)))
        .collect();
    assert_snapshot!(create(sam, "Lean", values.clone().into()).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"overrides","message":"must be at most 40"}
    "#);
    let forty: Map<String, Value> = values.into_iter().take(40).collect();
    saved(sam, "Forty", forty.into()).await;

    let raw = |body: &'static str| {
        let path = sam.path("/scenarios");
        let request = sam.request(Method::POST, &path);
        sam.fetch(request.header("content-type", "application/json").body(body))
    };
    for body in [
        r#"{"name": "x", "overrides": {"operatingCosts.rentMonthly": NaN}}"#,
        r#"{"name": "x", "overrides": {"operatingCosts.rentMonthly": 1, "operatingCosts.rentMonthly": 2}}"#,
        r#"{"name": "x", "overrides": {"operatingCosts.rentMonthly": 1e999}}"#,
        r#"{"name": "x"}"#,
        r#"{"overrides": {}}"#,
        r#"{"name": "x", "overrides": [], "more": 1}"#,
        "[]",
    ] {
        assert_eq!(
            raw(body).await.failure(),
            (400, "VALIDATION_ERROR".to_owned()),
            "{body}"
        );
    }
}

#[tokio::test]
async fn a_plan_has_ten_scenarios_however_they_arrive() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let names: Vec<String> = (0..12).map(|n| format!("Case {n}")).collect();
    let replies = names.iter().map(|name| create(sam, name, json!({})));
    let mut statuses: Vec<u16> = futures_util::future::join_all(replies)
        .await
        .iter()
        .map(|reply| reply.status)
        .collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [[201; 10].as_slice(), &[409; 2]].concat());
    let eleventh = create(sam, "Another", json!({})).await;
    assert_snapshot!(eleventh.refusal(), @"409 CONFLICT: A plan may have 10 scenarios, and it has. Delete one first.");
}

#[tokio::test]
async fn a_plan_without_inputs_has_nothing_to_compare() {
    let app = TestApp::spawn().await;
    let taylor = &app.taylor;
    let conflict = (409, "CONFLICT".to_owned());
    assert_eq!(taylor.get(&taylor.path("/scenarios")).await.data(), json!([]));
    assert_eq!(create(taylor, "Lean", json!({RENT: 1})).await.failure(), conflict);
    for path in ["/compare", "/sensitivity"] {
        assert_eq!(taylor.get(&taylor.path(path)).await.failure(), conflict, "{path}");
    }
    assert_eq!(seek(taylor, "dscrYear1", 1, RENT).await.failure(), conflict);
    // What is wrong with the request comes first.
    assert_eq!(seek(taylor, "nothing", 1, RENT).await.status, 400);
}

/// Every scenario of the acceptance data, as a column beside the plan at its defaults.
#[tokio::test]
async fn base_and_columns_equal_the_independent_check_to_the_cent() {
    let golden: Value = serde_json::from_str(include_str!("../golden/financial-model.json")).unwrap();
    let scenarios = golden["scenarios"].as_array().unwrap();
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let assert_figures = |at: &str, wanted: &Value, got: &Value| {
        for (name, value) in wanted["metrics"].as_object().unwrap() {
            assert_eq!(got["metrics"][name].to_string(), value.to_string(), "{at} {name}");
        }
        for (year, wanted) in wanted["annual"].as_array().unwrap().iter().enumerate() {
            for (name, value) in wanted.as_object().unwrap() {
                let got = &got["annual"][year][name];
                assert_eq!(got.to_string(), value.to_string(), "{at} year {year} {name}");
            }
        }
    };
    for scenario in &scenarios[1..] {
        let name = scenario["name"].as_str().unwrap();
        let changes = scenario["changes"].as_object().unwrap();
        // A scenario holds at most 40 values; the rest is put into the plan.
        let (now, later): (Vec<_>, Vec<_>) = changes.iter().enumerate().partition(|(at, _)| *at >= 40);
        let object = |pairs: Vec<(usize, (&String, &Value))>| -> Value {
            let pairs = pairs
                .into_iter()
                .map(|(_, (path, value))| (path.clone(), value.clone()));
            Value::Object(pairs.collect())
        };
        let person = app.add_franchisee(name).await;
        if !now.is_empty() {
            let patch = person.patch(&person.path("/financial-inputs"), &object(now)).await;
            assert_eq!(patch.status, 200, "{}", patch.text);
        }
        let id = saved(&person, name, object(later)).await;

        let comparison = compared(&person, &[&id]).await;

        if changes.len() <= 40 {
            assert_figures("base", &scenarios[0], &comparison["base"]);
        }
        assert_figures(name, scenario, &comparison["columns"][0]);
        assert_eq!(comparison["columns"][0]["name"], name);

        let adopted = adopt(&person, &id, None).await.data();
        assert_eq!(
            adopted["updatedOutputs"]["metrics"], comparison["columns"][0]["metrics"],
            "{name}"
        );
        assert_eq!(
            figures(&person).await,
            json!([comparison["columns"][0]["metrics"], comparison["columns"][0]["annual"]])
        );
    }
    assert_figures("alone", &scenarios[0], &compared(sam, &[]).await["base"]);
}

#[tokio::test]
async fn columns_say_what_differs_and_follow_the_plan() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let lean = saved(sam, "Lean", json!({RENT: 420_000, LABOR: 0.38})).await;
    let dear = saved(sam, "Dear", json!({RENT: 900_000})).await;

    let both = compared(sam, &[&dear, &lean, &dear]).await;

    let base = &both["base"];
    assert_eq!(
        (&base["id"], &base["name"], &base["differences"], &base["changes"]),
        (&Value::Null, &sam.get_plan().await["name"], &json!([]), &json!([]))
    );
    let columns = both["columns"].as_array().expect("columns");
    let names: Vec<_> = columns.iter().map(|column| &column["name"]).collect();
    assert_eq!(
        names,
        [&json!("Dear"), &json!("Lean")],
        "in the order asked for, each once"
    );
    assert_eq!(columns[1]["id"], json!(lean));
    assert_eq!(columns[1]["differences"], json!([{"path": RENT, "value": 420_000}]));
    let changes = columns[1]["changes"].as_array().expect("changes");
    let break_even = changes.iter().find(|change| change["metric"] == "breakEvenMonth");
    assert_eq!(
        break_even,
        Some(&json!({"metric": "breakEvenMonth", "before": 9, "after": 8}))
    );
    assert_eq!(columns[1]["annual"].as_array().map(Vec::len), Some(5));

    sam.set(RENT, 420_000).await;
    sam.set(LABOR, 0.35).await;
    let later = compared(sam, &[&lean]).await;
    assert_eq!(
        later["columns"][0]["differences"],
        json!([{"path": LABOR, "value": 0.38}])
    );
}

#[tokio::test]
async fn a_comparison_takes_three_ids() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    assert_eq!(sam.get(&sam.path("/compare")).await.data()["columns"], json!([]));
    let mut ids = Vec::new();
    for name in ["a", "b", "c", "d"] {
        ids.push(saved(sam, name, json!({})).await);
    }
    let columns = compared(sam, &[&ids[0], &ids[1], &ids[2]]).await["columns"].take();
    assert_eq!(columns.as_array().map(Vec::len), Some(3));
    let asked = async |scenarios: &str| sam.get(&sam.path(&format!("/compare?scenarios={scenarios}"))).await;
    assert_snapshot!(asked(&ids.join(",")).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"scenarios","message":"must be at most 3"}
    "#);
    assert_snapshot!(asked("lean").await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"scenarios","message":"must be UUIDs with commas between them"}
    "#);
    let unknown = asked(&Uuid::nil().to_string()).await;
    assert_snapshot!(unknown.refusal(), @"404 NOT_FOUND: The scenario does not exist.");
}

#[tokio::test]
async fn adopting_writes_ordinary_changes_that_are_undone_together() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let before = figures(sam).await;
    let lean = saved(sam, "Lean", json!({RENT: 5_000_000, LABOR: 0.33})).await;

    let reply = adopt(sam, &lean, Some("\"1\"")).await;

    let data = reply.data();
    assert_eq!(reply.header("etag"), Some("\"2\""));
    assert_eq!(data["plan"]["version"], 2);
    assert_eq!(sam.held(RENT).await, (json!(5_000_000), "user_entry".into()));
    assert_snapshot!(shown(&data["warnings"]), @r#"- {"field":"operatingCosts.rentMonthly","rangeCode":"above_item7","rangeWarning":"Value is above Item 7 high range"}"#);
    assert!(
        !data["updatedOutputs"]["changes"]
            .as_array()
            .expect("changes")
            .is_empty()
    );
    let changes = sam.changes().await;
    assert!(changes.iter().all(|change| change["turnId"].is_null()), "{changes:?}");
    assert_snapshot!(audited(&changes), @"
    operatingCosts.rentMonthly 450000 → 5000000, user_entry, scenario by user | sam@demo.test
    operatingCosts.laborPct 0.38 → 0.33, user_entry, scenario by user | sam@demo.test
    ");
    assert_eq!(compared(sam, &[&lean]).await["columns"][0]["differences"], json!([]));

    // What is there already changes nothing.
    assert_eq!(adopt(sam, &lean, None).await.data()["plan"]["version"], 2);
    assert_eq!(sam.changes().await.len(), 2);

    let undo = sam.path("/changes/undo");
    let undone = sam.post(&undo, &json!({"changeId": changes[0]["id"]})).await.data();
    assert_eq!(undone["returned"].as_array().map(Vec::len), Some(2));
    assert_eq!(figures(sam).await, before);
    assert_eq!(sam.held(RENT).await, (json!(450_000), "brand_default".into()));
    assert_eq!(
        sam.get(&sam.path("/scenarios")).await.data().as_array().map(Vec::len),
        Some(1)
    );
}

#[tokio::test]
async fn of_two_tabs_that_adopt_at_once_one_is_stale() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let lean = saved(sam, "Lean", json!({RENT: 360_000})).await;
    let bold = saved(sam, "Bold", json!({RENT: 640_000})).await;
    let other = app.session_of(sam).await;
    let (one, two) = tokio::join!(adopt(sam, &lean, Some("\"1\"")), adopt(&other, &bold, Some("\"1\"")));
    let mut statuses = [one.status, two.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 412]);
    let stale = if one.status == 412 { &one } else { &two };
    assert_snapshot!(stale.refusal(), @r#"
    412 VERSION_MISMATCH: The plan has changed meanwhile. Read it again, then decide.
    {"version":2}
    "#);
    assert_eq!(sam.changes().await.len(), 1);

    assert_eq!(adopt(sam, &lean, Some("\"1\"")).await.status, 412);
    assert_eq!(adopt(sam, &lean, Some("1")).await.status, 400);
    assert_eq!(adopt(sam, &lean, Some("*")).await.status, 200);
}

#[tokio::test]
async fn an_administrator_adopts_under_their_own_name_and_only_reads_in_another_one() {
    let app = TestApp::spawn().await;
    let admin = app.admin.on_plan(app.sam.plan);
    let lean = saved(&app.sam, "Lean", json!({RENT: 360_000})).await;
    assert_eq!(adopt(&admin, &lean, None).await.status, 200);
    assert!(app.sam.held(RENT).await.1.starts_with("admin:"));

    let (admin, _) = begin(&app, &app.sam, "read").await;
    assert_eq!(create(&admin, "Mine", json!({})).await.status, 403);
    assert_eq!(
        compared(&admin, &[&lean]).await["columns"].as_array().map(Vec::len),
        Some(1)
    );
}

#[tokio::test]
async fn sensitivity_lists_every_field_and_equals_two_hypothetical_runs() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let data = sam.get(&sam.path("/sensitivity")).await.data();
    assert_snapshot!(shown(without(&data, "items")), @r#"{"base":0.61,"metric":"dscrYear1","step":10}"#);
    let items = data["items"].as_array().expect("items");
    assert_eq!(items.len(), catalogue().len());
    let size = |item: &Value| item["effect"].as_f64().map(f64::abs);
    assert!(items.iter().map(size).is_sorted_by(|a, b| a >= b), "{items:?}");
    let rent = items.iter().find(|item| item["path"] == RENT).expect("rent");
    assert_snapshot!(shown(rent), @r#"{"controlled":true,"effect":-0.25,"helps":"low","high":{"result":0.48,"value":495000},"label":"Rent per month","low":{"result":0.73,"value":405000},"path":"operatingCosts.rentMonthly"}"#);
    for side in ["low", "high"] {
        let id = saved(sam, side, json!({RENT: rent[side]["value"]})).await;
        let column = compared(sam, &[&id]).await["columns"][0].take();
        assert_eq!(column["metrics"]["dscrYear1"], rent[side]["result"], "{side}");
    }

    let asked = async |query: &str| sam.get(&sam.path(&format!("/sensitivity?{query}"))).await;
    let data = asked("metric=lowestCash&step=50").await.data();
    assert_snapshot!(shown(without(&data, "items")), @r#"{"base":3182105,"metric":"lowestCash","step":50}"#);
    for query in ["step=0", "step=51", "step=x", "step=1.5", "metric=nothing", "metric="] {
        assert_eq!(
            asked(query).await.failure(),
            (400, "VALIDATION_ERROR".to_owned()),
            "{query}"
        );
    }
}

#[tokio::test]
async fn goal_seek_gives_the_value_that_reaches_the_target_and_changes_nothing() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let data = seek(sam, "dscrYear1", 0.8, RENT).await.data();
    assert_snapshot!(shown(&data), @r#"{"base":{"result":0.61,"value":450000},"holdsTo":null,"outcome":"reached","range":{"high":2500000,"low":50000},"result":0.8,"value":379026}"#);
    let rent = data["value"].as_i64().expect("cents");
    for (rent, reaches) in [(rent, true), (rent + 1, false), (rent - 1, true)] {
        let id = saved(sam, &rent.to_string(), json!({RENT: rent})).await;
        let metrics = compared(sam, &[&id]).await["columns"][0]["metrics"].take();
        assert_eq!(metrics["dscrYear1"].as_f64() >= Some(0.8), reaches, "{rent}");
    }
    let never = seek(sam, "breakEvenMonth", 1, RENT).await.data();
    assert_snapshot!(shown(&never), @r#"{"base":{"result":9,"value":450000},"holdsTo":null,"outcome":"unreachable","range":{"high":2500000,"low":50000},"result":4,"value":50000}"#);
    let met = seek(sam, "dscrYear1", 0.5, RENT).await.data();
    assert_eq!((&met["outcome"], &met["value"]), (&json!("reached"), &json!(450_000)));
    let last = met["holdsTo"]["value"].as_i64().expect("cents");
    for (rent, holds) in [(last, true), (last + 1, false)] {
        let tried = sam
            .post(&sam.path("/what-if"), &json!({"overrides": {RENT: rent}}))
            .await
            .data();
        assert_eq!(tried["metrics"]["dscrYear1"].as_f64() >= Some(0.5), holds, "{rent}");
    }
    for target in ["1000000000000000", "-1000000000000000", "0.000001"] {
        let target: Value = serde_json::from_str(target).expect("a number");
        assert_eq!(seek(sam, "lowestCash", target, RENT).await.status, 200);
    }
    for target in ["1000000000000001", "7.9e28"] {
        let target: Value = serde_json::from_str(target).expect("a number");
        assert_eq!(seek(sam, "lowestCash", target, RENT).await.failure().0, 400);
    }

    assert_snapshot!(seek(sam, "nothing", 1, RENT).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"metric","message":"is not a metric"}
    "#);
    assert_snapshot!(seek(sam, "dscrYear1", 1, "rent").await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"path","message":"is not a field of this plan"}
    "#);
    assert_snapshot!(seek(sam, "nothing", 1, "startupCosts.moonBase").await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 2 errors.
    {"field":"metric","message":"is not a metric"}
    {"field":"path","message":"is not a field of this plan"}
    "#);
    assert_snapshot!(seek(sam, "dscrYear1", "NaN", RENT).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"target","message":"expected a number"}
    "#);
    assert_snapshot!(seek(sam, "dscrYear1", Value::Null, RENT).await.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"target","message":"expected a number"}
    "#);
    assert_eq!(sam.get_plan().await["version"], 1);
    assert!(sam.changes().await.is_empty());
}

/// A plan that does not earn its running costs: a larger payment would bring the ratio nearer to zero.
#[tokio::test]
async fn where_nothing_is_earned_the_loan_is_no_lever_and_no_goal() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    sam.set("revenue.monthlyAuv", 1_200_000).await;
    let data = sam.get(&sam.path("/sensitivity?metric=dscrYear1")).await.data();
    assert_eq!(data["earningsOfYear"], 1);
    assert!(
        data["base"].as_f64() < Some(0.0) && data["earnings"].as_i64() < Some(0),
        "{data}"
    );
    let items = data["items"].as_array().expect("items");
    let is_of_financing =
        |item: &Value| item["path"].as_str().and_then(|path| path.split('.').next()) == Some("financing");
    assert!(!items.iter().any(is_of_financing));
    for item in items.iter().filter(|item| !item["helps"].is_null()) {
        let side = item["helps"].as_str().expect("a side");
        assert!(item[side]["earnings"].as_i64() > data["earnings"].as_i64(), "{item}");
    }
    for path in [
        "financing.loanAmount",
        "financing.loanTermMonths",
        "financing.interestRate",
    ] {
        let found = seek(sam, "dscrYear1", 1.25, path).await.data();
        assert_eq!(
            (&found["outcome"], &found["value"]),
            (&json!("unreachable"), &found["base"]["value"]),
            "{path}"
        );
    }
}

#[tokio::test]
async fn scenarios_go_with_their_plan() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    saved(sam, "Lean", json!({})).await;
    assert_eq!(sam.delete(&sam.path("")).await.status, 204);
    assert_eq!(app.database.count("SELECT count(*) FROM plan_scenarios").await, 0);
}

#[tokio::test]
async fn a_lender_finds_the_same_cases_everywhere() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let cases = sam.get(&sam.path("/cases")).await.data();
    let lines = |cases: &Value| {
        let line = |case: &Value| {
            let metrics = &case["metrics"];
            format!(
                "{} {}: {} {}",
                case["kind"], case["name"], metrics["dscrYear1"], metrics["lowestCash"]
            )
        };
        let cases = cases.as_array().expect("cases").iter();
        cases.map(line).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(lines(&cases), @r#"
    "sales_lower" "Sales 10% lower": 0.27 1857800
    "sales_lower" "Sales 20% lower": -0.07 -10238978
    "opens_later" "First sale 3 months later": 0.61 -220396
    "lever" "Rent per month: $4,050.00": 0.73 3529383
    "lever" "Direct labor, % of sales: 37%": 0.7 3423809
    "lever" "Cost of goods sold, % of sales: 7%": 0.69 3403056
    "#);
    let what_if = json!({"overrides": {"revenue.monthlyAuv": {"times": 0.9}}});
    let tried = sam.post(&sam.path("/what-if"), &what_if).await.data();
    assert_eq!(cases[0]["metrics"], tried["metrics"]);

    let id = saved(sam, "lower", json!({RENT: 300_000})).await;
    let of_scenario = sam
        .get(&sam.path(&format!("/cases?lang=es&scenario={id}")))
        .await
        .data();
    assert_snapshot!(lines(&of_scenario), @r#"
    "sales_lower" "Ventas 10 % más bajas": 0.67 3527769
    "sales_lower" "Ventas 20 % más bajas": 0.33 -682538
    "opens_later" "Primera venta 3 meses más tarde": 1.01 1280913
    "lever" "Monto del préstamo: $252,000.00": 1.12 4457760
    "lever" "Mano de obra directa, % de las ventas: 37%": 1.1 4405537
    "lever" "Costo de lo vendido, % de las ventas: 7%": 1.09 4388481
    "#);
    assert_eq!(
        sam.get(&sam.path("/cases?lang=fr")).await.failure(),
        (400, "VALIDATION_ERROR".to_owned())
    );
    let empty = &app.taylor;
    assert_eq!(empty.get(&empty.path("/cases")).await.data(), json!([]));
}
