//! Scenarios by chat: asked about, kept under a name, compared, adopted after a yes, taken back.

use crate::support::{TestApp, Turn, calls, says};
use serde_json::{Value, json};

const RENT: &str = "operatingCosts.rentMonthly";
const LABOR: &str = "operatingCosts.laborPct";

/// A turn in which the model calls one tool; gives its result.
async fn called(app: &TestApp, tool: &str, arguments: Value) -> (Turn, Value) {
    app.llm.script([calls(tool, arguments), says("Here you are.")]);
    let turn = app.sam.send("Please have a look").await;
    (turn, app.llm.last_result())
}

async fn scenarios(app: &TestApp) -> Value {
    app.sam.get(&app.sam.path("/scenarios")).await.data()
}

async fn save(app: &TestApp, name: &str, path: &str, value: impl Into<Value>) {
    let body = json!({"name": name, "overrides": {path: value.into()}});
    let reply = app.sam.post(&app.sam.path("/scenarios"), &body).await;
    assert_eq!(reply.status, 201, "{}", reply.text);
}

#[tokio::test]
async fn by_chat_alone_a_case_is_kept_compared_adopted_and_taken_back() {
    let app = TestApp::builder().offline_model().spawn().await;
    let sam = &app.sam;

    let turn = sam.send("what if rent were 5,000 a month?").await;
    let text = turn.text();
    assert!(
        text.starts_with("With rent per month at $5,000 instead of $4,500, "),
        "{text}"
    );
    assert!(text.contains("Nothing was changed."), "{text}");
    assert!(text.contains("lowest cash goes from $31,821 to $27,821"), "{text}");
    assert_eq!(turn.done()["heardAs"]["intent"], "what_if");
    assert!(
        turn.done()["suggestions"]
            .as_array()
            .is_some_and(|list| !list.is_empty() && list.len() <= 3)
    );
    assert!(text.ends_with("actual results will differ."), "{text}");

    let turn = sam.send("save it as \"Lean\"").await;
    let saved = &turn.done()["scenarioSaved"];
    let listed = scenarios(&app).await;
    assert_eq!((&saved["name"], &saved["id"]), (&json!("Lean"), &listed[0]["id"]));
    assert_eq!(listed[0]["overrides"], json!({RENT: 500_000}));
    assert_eq!(
        turn.text(),
        "I've kept that as \"Lean\": rent per month $5,000. Your plan stays as it is. Say \"compare\" to see it beside your plan, or \"adopt Lean\"."
    );

    let turn = sam.send("compare").await;
    assert!(
        turn.text()
            .contains("- \"Lean\" has rent per month $5,000: lowest cash goes from $31,821 to $27,821"),
        "{}",
        turn.text()
    );
    assert_eq!(turn.done()["scenarioSaved"], Value::Null);
    assert_eq!(sam.get_plan().await["version"], 1, "until now nothing was written");

    let turn = sam.send("adopt lean").await;
    assert_eq!(
        turn.text(),
        "This writes 1 value of \"Lean\" into your plan: rent per month $5,000. Shall I do that? Answer yes or no."
    );
    assert_eq!(turn.done()["pendingConfirmation"]["toolName"], "adopt_scenario");
    assert_eq!(sam.get_plan().await["version"], 1);

    let turn = sam.send("yes").await;
    assert_eq!(
        turn.text(),
        "Done. Your plan now has the values of \"Lean\". \"Undo that\" takes them back."
    );
    assert_eq!(sam.held(RENT).await, (500_000.into(), "ai_populated".into()));
    let change = sam.changes().await.remove(0);
    assert_eq!(
        (&change["reason"], &change["decidedBy"]),
        (&json!("scenario"), &json!("user"))
    );
    assert!(change["turnId"].is_string());

    let turn = sam.send("undo that").await;
    assert_eq!(turn.text(), "I've taken that back: rent per month is back at $4,500.");
    assert_eq!(sam.held(RENT).await, (450_000.into(), "brand_default".into()));
    assert_eq!(scenarios(&app).await.as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn what_cannot_be_kept_compared_or_adopted_is_said() {
    let app = TestApp::builder().offline_model().spawn().await;
    let sam = &app.sam;
    let text = async |message: &str| sam.send(message).await.text().clone();
    assert!(
        text("save it as lean")
            .await
            .starts_with("There is no case to keep yet.")
    );
    assert!(text("compare").await.starts_with("There is no such scenario."));
    assert!(
        text("adopt lean")
            .await
            .starts_with("There is nothing to adopt under that name")
    );
    text("what if rent were 5,000?").await;
    assert!(text("save it").await.starts_with("Under which name?"));
    assert!(text("save it as lean").await.starts_with("I've kept that as \"lean\""));
    assert!(text("save it as LEAN").await.starts_with("I could not keep that"));
    assert!(text("compare bold").await.starts_with("There is no such scenario."));
    let turn = sam.send("use lean as my plan").await;
    assert_eq!(turn.done()["pendingConfirmation"]["arguments"]["name"], "lean");
    assert_eq!(text("no").await, "All right, nothing was changed.");
    let turn = sam.send("adopt it").await;
    assert_eq!(turn.done()["pendingConfirmation"]["arguments"]["name"], "lean");
    assert_eq!(text("no").await, "All right, nothing was changed.");
    assert_eq!(sam.get_plan().await["version"], 1);
    assert!(
        text("what matters most?")
            .await
            .starts_with("Of the lines you decide on")
    );
}

#[tokio::test]
async fn a_weak_plan_shows_three_levers_that_the_franchisee_controls() {
    let app = TestApp::builder().offline_model().spawn().await;
    let turn = app.sam.send("what matters most?").await;
    let sentence = "Of the lines you decide on, these move loan coverage (DSCR), year 1 most, each with your other assumptions unchanged:";
    let text = turn.text();
    let (_, levers) = text.split_once(sentence).expect("levers of a weak plan");
    let levers = levers.split("\n\n").next().unwrap();
    assert_eq!(levers.matches(" gives ").count(), 3, "{levers}");
    for others in ["royalty", "fund", "sales (", "should", "recommend"] {
        assert!(!levers.contains(others), "{others}: {levers}");
    }
    // Strong: three times the sales.
    app.sam.set("revenue.monthlyAuv", 17_400_000).await;
    let turn = app.sam.send("How do my results look?").await;
    assert!(!turn.text().contains("Of the lines"), "{}", turn.text());
}

#[tokio::test]
async fn a_model_keeps_a_case_only_with_the_whole_turn() {
    let app = TestApp::spawn().await;
    let lean = json!({"name": "Le\u{200B}an", "changes": [{"path": "rentMonthly", "value": 5000}, {"path": "laborPct", "value": 33}]});

    let (turn, result) = called(&app, "save_scenario", lean.clone()).await;

    assert_eq!(
        (&result["status"], &result["name"]),
        (&json!("will_save"), &json!("Lean"))
    );
    assert_eq!(turn.done()["scenarioSaved"]["name"], "Lean");
    let listed = scenarios(&app).await;
    assert_eq!(listed[0]["overrides"], json!({RENT: 500_000, LABOR: 0.33}));
    assert_eq!(app.sam.get_plan().await["version"], 1);

    let (turn, result) = called(&app, "save_scenario", lean).await;
    assert_eq!(result["status"], "invalid");
    assert!(
        result["error"]
            .as_str()
            .unwrap()
            .starts_with("A scenario has that name."),
        "{result}"
    );
    assert_eq!(turn.done()["scenarioSaved"], Value::Null);
    for wrong in [
        json!({"name": "", "changes": [{"path": "rentMonthly", "value": 1}]}),
        json!({"name": "x", "changes": []}),
        json!({"name": "x", "changes": [{"path": "moonBase", "value": 1}]}),
        json!({"name": "x", "changes": [{"path": "laborPct", "value": -5}]}),
        json!({"name": "x"}),
    ] {
        let (_, result) = called(&app, "save_scenario", wrong.clone()).await;
        assert_eq!(result["status"], "invalid", "{wrong}");
    }
    assert_eq!(scenarios(&app).await.as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_model_that_saves_twice_saves_once() {
    let app = TestApp::spawn().await;
    let case = |name: &str| json!({"name": name, "changes": [{"path": "rentMonthly", "value": 5000}]});
    app.llm.script([
        calls("save_scenario", case("a")),
        calls("save_scenario", case("b")),
        calls("compare_scenarios", json!({})),
        says("Kept."),
    ]);
    let turn = app.sam.send("Keep that as a").await;
    assert_eq!(turn.done()["scenarioSaved"]["name"], "a");
    assert_eq!(
        app.llm.last_result()["scenarios"][0]["name"],
        "a",
        "it is there to be compared at once"
    );
    assert_eq!(scenarios(&app).await.as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn what_a_year_leaves_is_sought_though_the_plan_as_a_whole_has_no_such_result() {
    let app = TestApp::spawn().await;
    let left = json!({"metric": "ownerLeftYear2", "target": 60_000, "path": "monthlyAuv"});
    let (_, left) = called(&app, "goal_seek", left).await;
    assert_eq!(left["outcome"], "reached", "{left}");
    let statement = left["statement"].as_str().unwrap();
    let begins = "With your other assumptions unchanged, what is left for you after costs and loan payments in year 2 reaches $60,000 with";
    assert!(statement.starts_with(begins), "{statement}");
}

#[tokio::test]
async fn tools_state_what_the_endpoints_compute_and_never_advise() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    let (_, goal) = called(
        &app,
        "goal_seek",
        json!({"metric": "dscrYear1", "target": 0.8, "path": "rentMonthly"}),
    )
    .await;
    let body = json!({"metric": "dscrYear1", "target": 0.8, "path": RENT});
    let endpoint = sam.post(&sam.path("/goal-seek"), &body).await.data();
    let cents = endpoint["value"].as_i64().unwrap();
    let rent = plan_model::field::show_cents(cents);
    assert_eq!(
        goal["statement"],
        format!(
            "With your other assumptions unchanged, loan coverage (DSCR), year 1 reaches 0.80× with rent per month at {rent} (now $4,500)."
        )
    );
    let (_, never) = called(
        &app,
        "goal_seek",
        json!({"metric": "lowestCash", "target": 9_000_000, "path": "Rent per month"}),
    )
    .await;
    assert!(
        never["statement"]
            .as_str()
            .unwrap()
            .contains("lowest cash does not reach $9,000,000 with rent per month within $500 to $25,000"),
        "{never}"
    );
    let (_, two) = called(
        &app,
        "goal_seek",
        json!({"metric": "dscrYear1", "target": 1.25, "path": "loanAmount"}),
    )
    .await;
    assert!(
        two["statement"]
            .as_str()
            .unwrap()
            .contains("more than one value of loan amount; the nearest to yours is $136,105.55"),
        "{two}"
    );
    let (_, met) = called(
        &app,
        "goal_seek",
        json!({"metric": "dscrYear1", "target": 0.5, "path": "rentMonthly"}),
    )
    .await;
    assert!(
        met["statement"]
            .as_str()
            .unwrap()
            .starts_with("On your assumptions as they are"),
        "{met}"
    );
    let (_, unknown) = called(
        &app,
        "goal_seek",
        json!({"metric": "luck", "target": 1, "path": "rentMonthly"}),
    )
    .await;
    assert!(unknown["error"].as_str().unwrap().contains("dscrYear1"), "{unknown}");

    let (_, levers) = called(&app, "rank_levers", json!({})).await;
    assert_eq!(
        (&levers["metric"], &levers["isWeak"]),
        (&json!("dscrYear1"), &json!(true))
    );
    let sensitivity = sam.get(&sam.path("/sensitivity")).await.data();
    let strongest = &levers["levers"][0];
    let same = sensitivity["items"]
        .as_array()
        .unwrap()
        .iter()
        .find(|item| item["path"] == strongest["path"])
        .unwrap();
    let sides = [&same["low"]["result"], &same["high"]["result"]].map(|side| format!("{:.2}×", side.as_f64().unwrap()));
    assert!(
        sides.iter().any(|side| strongest["result"] == *side),
        "{strongest} {same}"
    );
    let (_, cash) = called(&app, "rank_levers", json!({"metric": "Lowest cash"})).await;
    assert_eq!(cash["metric"], "lowestCash");

    save(&app, "Lean", RENT, 360_000).await;
    let (_, compared) = called(&app, "compare_scenarios", json!({"names": ["LEAN"]})).await;
    assert_eq!(compared["plan"]["breakEvenMonth"], "month 9");
    assert_eq!(compared["scenarios"][0]["values"], json!(["rent per month $3,600"]));
    let (_, nothing) = called(&app, "compare_scenarios", json!({"names": ["bold"]})).await;
    assert!(nothing["error"].as_str().unwrap().contains("\"Lean\""), "{nothing}");
    for result in [goal, never, two, met, levers, compared] {
        let text = result.to_string().to_lowercase();
        for advice in ["should", "recommend", "you will", "expect", "guarantee"] {
            assert!(!text.contains(advice), "{advice}: {text}");
        }
    }
    assert_eq!(sam.get_plan().await["version"], 1);
}

#[tokio::test]
async fn what_was_asked_is_adopted_whatever_became_of_the_scenario_and_by_hand_too() {
    let app = TestApp::spawn().await;
    let sam = &app.sam;
    save(&app, "Lean", RENT, 360_000).await;
    app.llm.script([calls("adopt_scenario", json!({"name": "lean"}))]);
    let turn = sam.send("Adopt lean").await;
    let pending = turn.done()["pendingConfirmation"].clone();
    assert_eq!(
        pending["arguments"],
        json!({"name": "Lean", "overrides": {RENT: 360_000}})
    );
    let id = scenarios(&app).await[0]["id"].as_str().unwrap().to_owned();
    let path = sam.path(&format!("/scenarios/{id}"));
    assert_eq!(sam.put(&path, &json!({"overrides": {RENT: 1}})).await.status, 200);

    let approve = json!({"id": pending["id"], "decision": "approve"});
    let data = sam.post(&sam.path("/conversation/confirmation"), &approve).await.data();

    assert!(!data["updatedOutputs"]["changes"].as_array().unwrap().is_empty());
    assert_eq!(sam.held(RENT).await, (360_000.into(), "ai_populated".into()));

    let (turn, held) = {
        sam.put(&path, &json!({"overrides": {RENT: 360_000}})).await;
        called(&app, "adopt_scenario", json!({"name": "lean"})).await
    };
    assert_eq!(turn.done()["pendingConfirmation"], Value::Null);
    assert!(
        held["error"]
            .as_str()
            .unwrap()
            .starts_with("The plan has the values of that scenario already."),
        "{held}"
    );
}

#[tokio::test]
async fn a_figure_of_a_case_is_computed_with_it_and_a_case_is_noted_by_leave_it_like_that() {
    let app = TestApp::builder().offline_model().spawn().await;
    let sam = &app.sam;
    sam.send("what if I borrow 20,000 less?").await;
    let turn = sam.send("what is the loan payment then?").await;
    let text = turn.text();
    assert!(
        text.starts_with("With loan amount at $260,000 instead of $280,000: The loan payment is $3,472.02 a month."),
        "{text}"
    );
    sam.send("what if rent were 5,000 a month?").await;
    sam.send("save that as plan 80").await;
    let turn = sam.send("when do we break even in that scenario, plan 80?").await;
    let of_case = "With rent per month at $5,000 instead of $4,500: ";
    assert!(turn.text().contains(of_case), "{}", turn.text());
    let turn = sam.send("adopt plan 80").await;
    assert!(turn.text().contains("rent per month $5,000"), "{}", turn.text());
    sam.send("no").await;
    sam.send("what if the owner draw is 1,000?").await;
    let turn = sam.send("leave it like that in my plan").await;
    assert_eq!(turn.values()[0]["status"], "proposed", "{}", turn.text());
    let turn = sam.send("yes").await;
    let written = &turn.values()[0];
    assert_eq!(
        (&written["value"], &written["status"]),
        (&json!(100_000), &json!("applied"))
    );
}
