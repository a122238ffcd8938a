//! The tool loop: every call is answered, what is wrong goes back to the model, and it ends.

use crate::support::{TestApp, answer, calls, describe, says, sets};
use serde_json::{Value, json};

const RENT: &str = "operatingCosts.rentMonthly";

/// The results the model was given in the last request.
fn results(app: &TestApp) -> Vec<Value> {
    let request = app.llm.requests().pop().unwrap();
    let messages = request["messages"].as_array().unwrap().clone();
    let tools = messages.iter().filter(|message| message["role"] == "tool");
    tools
        .map(|message| serde_json::from_str(message["content"].as_str().unwrap()).unwrap())
        .collect()
}

#[tokio::test]
async fn a_model_that_never_stops_calling_is_stopped_after_ten_rounds() {
    let app = TestApp::spawn().await;
    app.llm
        .script((1..=10).map(|rent| calls("what_if", json!({"changes": [{"path": RENT, "value": rent * 1_000}]}))));

    let turn = app.sam.send("Project my plan").await;

    assert_eq!(
        turn.text(),
        "I could not finish that just now. Please put it to me again in a few words, one value at a time."
    );
    assert_eq!(
        (app.llm.request_count(), &turn.done()["finishReason"]),
        (10, &json!("stop"))
    );
    assert_eq!(app.sam.history().await.len(), 2);
}

#[tokio::test]
async fn values_of_a_turn_that_ran_out_of_rounds_are_kept() {
    let app = TestApp::spawn().await;
    app.llm.always(sets(RENT, 4200, "high"));
    let turn = app.sam.send("My rent is $4,200/month").await;
    let statuses: Vec<&Value> = turn.values().iter().map(|value| &value["status"]).collect();
    assert_eq!(statuses[0], "applied");
    assert!(
        statuses[1..].iter().all(|status| *status == "unchanged"),
        "{statuses:?}"
    );
    assert_eq!(app.sam.changes().await.len(), 1);
}

#[tokio::test]
async fn whatever_is_wrong_with_a_call_becomes_a_result_the_model_can_recover_from() {
    let app = TestApp::spawn().await;
    let wrong = [
        ("drop_tables", "{}"),
        (
            "set_financial_field",
            "{\"path\":\"operatingCosts.rent\",\"value\":4200,\"confidence\":\"high\"}",
        ),
        (
            "set_financial_field",
            "{\"path\":\"operatingCosts.rentMonthly\",\"value\":\"a lot\",\"confidence\":\"high\"}",
        ),
        (
            "set_financial_field",
            "{\"path\":\"operatingCosts.rentMonthly\",\"value\":4200,\"confidence\":\"high\",\"planId\":\"7\"}",
        ),
        (
            "set_financial_field",
            "{\"path\":\"operatingCosts.rentMonthly\",\"path\":\"financing.loanAmount\",\"value\":4200,\"confidence\":\"high\"}",
        ),
        (
            "set_financial_field",
            "{\"path\":\"operatingCosts.rentMonthly\",\"value\":1e300,\"confidence\":\"high\"}",
        ),
        ("set_financial_field", "{}"),
        ("what_if", "{\"changes\":[]}"),
        ("get_plan_summary", "{\"section\":\"nowhere\"}"),
        ("check_status", "{\"x\":1}"),
    ];
    for (name, arguments) in wrong {
        app.llm.script([
            answer().calls(name, arguments),
            sets(RENT, 4200, "high"),
            says("Now it is right."),
        ]);
        let turn = app.sam.send("My rent is $4,200/month").await;
        let results = results(&app);
        assert_eq!(results[0]["status"], "invalid", "{name} {arguments}: {}", results[0]);
        assert!(
            results[0]["error"]
                .as_str()
                .is_some_and(|text| text.len() > 10 && text.len() < 400),
            "{}",
            results[0]
        );
        assert_eq!(turn.text(), "Now it is right.", "{name} {arguments}");
    }
    assert_eq!(app.sam.held(RENT).await.0, 420_000);
    assert_eq!(app.sam.changes().await.len(), 1);
}

#[tokio::test]
async fn arguments_that_are_no_object_are_refused_and_sent_back_as_one() {
    let app = TestApp::spawn().await;
    for arguments in [
        "{\"path\": oops",
        "[1]",
        "7",
        "[\"operatingCosts.rentMonthly\", 4200, null, null, \"high\", null]",
    ] {
        app.llm.script([
            answer().calls("set_financial_field", arguments),
            says("Sorry, once more."),
        ]);
        let turn = app.sam.send("My rent is $4,200/month").await;
        assert_eq!(
            (turn.text().as_str(), turn.values().len()),
            ("Sorry, once more.", 0),
            "{arguments}"
        );
        assert_eq!(results(&app)[0]["status"], "invalid", "{arguments}");
    }
    assert_eq!(app.sam.get_plan().await["version"], 1);
}

#[tokio::test]
async fn a_call_that_is_cut_off_or_has_no_name_goes_back_to_the_model_where_it_says_it_has_finished() {
    let app = TestApp::spawn().await;
    let cut = "{\"path\":\"operatingCosts.rentMonthly\",\"value\":42";
    for (name, arguments) in [
        ("set_financial_field", cut),
        ("", "{\"path\":\"operatingCosts.rentMonthly\"}"),
    ] {
        app.llm
            .script([answer().calls(name, arguments), says("Once more, please.")]);
        let turn = app.sam.send("My rent is $4,200/month").await;
        assert_eq!(turn.text(), "Once more, please.");
        assert_eq!(results(&app)[0]["status"], "invalid", "{name}");
    }
    assert_eq!(app.sam.get_plan().await["version"], 1, "half a value is never written");
}

#[tokio::test]
async fn no_arguments_at_all_are_an_empty_object() {
    let app = TestApp::spawn().await;
    app.llm.script([
        answer().calls("check_status", "").calls("get_projection", "  "),
        says("All is well."),
    ]);
    app.sam.send("Are you there?").await;
    let results = results(&app);
    assert_eq!(
        results[0],
        json!({"database": "ok", "model": "ok", "modelName": "mock-model"})
    );
    assert!(results[1]["metrics"]["breakEvenMonth"] == "month 9", "{}", results[1]);
}

#[tokio::test]
async fn reading_tools_tell_figures_as_they_may_be_quoted_and_change_nothing() {
    let app = TestApp::spawn().await;
    let changes =
        json!({"changes": [{"path": RENT, "value": "$5,000"}, {"path": "operatingCosts.royaltyPct", "value": 7}]});
    app.llm.script([
        calls("get_plan_summary", json!({"section": "financing"})).calls("what_if", &changes.to_string()),
        says("These projections are yours."),
    ]);

    let turn = app.sam.send("What if my rent were $5,000 and the royalty 7%?").await;

    let results = results(&app);
    let loan = results[0]["fields"]
        .as_array()
        .unwrap()
        .iter()
        .find(|field| field["path"] == "financing.loanAmount")
        .unwrap();
    assert_eq!(
        (&loan["value"], &loan["state"]),
        (&json!("$280,000"), &json!("default"))
    );
    assert_eq!(results[1]["before"]["lowestCash"], "$31,821");
    assert!(
        results[1]["changes"]
            .as_array()
            .unwrap()
            .iter()
            .any(|change| change["metric"] == "lowestCash"),
        "{}",
        results[1]
    );
    assert_eq!(
        (turn.values().len(), &app.sam.get_plan().await["version"]),
        (0, &json!(1))
    );
}

#[tokio::test]
async fn the_break_between_two_rounds_is_a_token_of_its_own() {
    let app = TestApp::spawn().await;
    app.llm.script([
        answer()
            .says("Let me look.")
            .calls("get_plan_summary", &json!({"section": "operatingCosts"}).to_string()),
        says("Done."),
    ]);
    let turn = app.sam.send("How is my plan?").await;
    let tokens: Vec<&str> = turn.events.iter().filter_map(|event| event.content()).collect();
    assert_eq!(tokens, ["Let me look.", "\n\n", "Done."]);
}

#[tokio::test]
async fn a_later_round_sees_the_values_of_an_earlier_one() {
    let app = TestApp::spawn().await;
    app.llm.script([
        sets(RENT, 4200, "high"),
        calls("get_plan_summary", json!({"section": "operatingCosts"})),
        says("Noted."),
    ]);
    app.sam.send("My rent is $4,200/month").await;
    let summary = results(&app).swap_remove(1);
    let rent = summary["fields"]
        .as_array()
        .unwrap()
        .iter()
        .find(|field| field["path"] == RENT)
        .unwrap();
    assert_eq!((&rent["value"], &rent["state"]), (&json!("$4,200"), &json!("AI")));
}

#[tokio::test]
async fn an_answer_that_was_cut_short_proposes_and_never_applies() {
    let app = TestApp::spawn().await;
    for reason in ["length", "content_filter"] {
        app.llm.script([
            sets(RENT, 4200, "high"),
            says("I've noted your rent and").finish(reason),
        ]);
        let turn = app.sam.send("My rent is $4,200/month").await;
        assert_eq!(turn.done()["finishReason"], reason);
        assert!(turn.text().starts_with("I've noted your rent and"));
        insta::allow_duplicates! {
            insta::assert_snapshot!(describe(turn.value()), @"operatingCosts.rentMonthly 450000 → 420000, high, proposed | “My rent is $4,200/month | note: The answer was cut short, so this is only proposed.");
        }
    }
    assert_eq!(app.sam.held(RENT).await, (450_000.into(), "brand_default".into()));

    app.llm.script([says("Break-even is the month").finish("length")]);
    app.sam.send("What is break-even?").await;
    app.llm.script([says("You are welcome.")]);
    app.sam.send("Thanks").await;
    let history = app.sam.history().await;
    let reasons: Vec<_> = history.iter().map(|message| &message["finishReason"]).collect();
    let none = &serde_json::Value::Null;
    assert_eq!(
        reasons,
        [
            none,
            &json!("length"),
            none,
            &json!("content_filter"),
            none,
            &json!("length"),
            none,
            none
        ]
    );
}

#[tokio::test]
async fn a_model_that_says_nothing_is_given_words() {
    let app = TestApp::spawn().await;
    app.llm.script([says("").raw("")]);
    let turn = app.sam.send("Hello").await;
    assert!(!turn.text().is_empty() || turn.error().0 == "LLM_UNAVAILABLE", "{turn}");
}

#[tokio::test]
async fn a_flood_of_values_is_cut_at_a_hundred_and_a_round_at_fifty() {
    let app = TestApp::spawn().await;
    let flood = |rent: i32| (0..60).fold(answer(), |flood, _| flood.sets(RENT, rent, "high"));
    app.llm.script([flood(4200), flood(4201), flood(4202), says("Enough.")]);
    let turn = app.sam.send("My rent is $4,200/month").await;
    assert_eq!(turn.values().len(), 100);
    let results = results(&app);
    assert_eq!(results.len(), 180);
    assert_eq!(results[50]["error"], "Too many calls in one answer.");
    assert_eq!(app.sam.changes().await.len(), 1);
}
