//! Destructive actions: asked about, carried out once, by the right person, in time; or not at all.

use crate::support::{TestApp, calls, says, sets, shown, without};
use insta::assert_snapshot;
use serde_json::{Value, json};

const RENT: &str = "operatingCosts.rentMonthly";
const SALES: &str = "revenue.monthlyAuv";

/// The model asks to reset these fields; gives the pending action.
pub async fn asks_to_reset(app: &TestApp, fields: &[&str]) -> Value {
    app.llm
        .script([calls("reset_fields_to_defaults", json!({"fields": fields}))]);
    let turn = app.riley.send("Reset that please").await;
    turn.done()["pendingConfirmation"].clone()
}

async fn asks_to_clear(app: &TestApp) -> Value {
    app.llm.script([calls("clear_conversation", json!({}))]);
    app.riley.send("Delete this conversation").await.done()["pendingConfirmation"].clone()
}

async fn pending(app: &TestApp) -> Value {
    app.riley
        .get(&app.riley.path("/conversation/confirmation"))
        .await
        .data()
}

async fn settle(app: &TestApp, id: &Value, decision: &str) -> crate::support::Reply {
    app.riley
        .post(
            &app.riley.path("/conversation/confirmation"),
            &json!({"id": id, "decision": decision}),
        )
        .await
}

#[tokio::test]
async fn a_destructive_call_is_put_before_the_franchisee_instead_of_being_run() {
    let app = TestApp::spawn().await;
    app.llm
        .script([says("Of course.").calls("reset_fields_to_defaults", &json!({"fields": [RENT]}).to_string())]);

    let turn = app.riley.send("Reset my rent").await;

    assert_snapshot!(turn, @r#"
    says   Of course.⏎⏎This returns 1 value to the brand's defaults: Rent per month. Shall I do that? Answer yes or no.
    asks   reset_fields_to_defaults {"fields":["operatingCosts.rentMonthly"]}
    done   stop, 120 tokens
    "#);
    let waiting = turn.done()["pendingConfirmation"].clone();
    assert_eq!(pending(&app).await, waiting);
    assert_eq!(
        waiting["prompt"].as_str().map(|prompt| turn.text().ends_with(prompt)),
        Some(true)
    );
    assert_eq!(app.llm.request_count(), 1, "the loop has halted");
    assert_eq!(app.riley.held(RENT).await.0, 520_000);
    let expires = app
        .database
        .value("SELECT round(extract(epoch FROM expires_at - now()))::int FROM pending_actions")
        .await;
    let seconds: i64 = expires.unwrap().parse().unwrap();
    assert!((290..=300).contains(&seconds), "{seconds}");
}

#[tokio::test]
async fn a_plain_yes_carries_it_out_without_asking_the_model() {
    let app = TestApp::spawn().await;
    asks_to_reset(&app, &[RENT, SALES]).await;
    let asked = app.llm.request_count();

    let turn = app.riley.send("Yes, please!").await;

    assert_snapshot!(turn, @"
    says   Done. 2 values are back at the brand's defaults.
    moves  projectedAnnualRevenueYear1 41685879 → 38996469
    moves  paybackMonth 54 → null
    moves  fiveYearOwnerCashFlow 20931353 → 17440534
    moves  fiveYearRoiPct 0.1859 → -0.0119
    moves  lowestCash 3053240 → 3024041
    moves  reserveTarget 7741253 → 7247625
    moves  reserveGap 3241253 → 2747625
    moves  dscrYear1 0.62 → 0.57
    moves  dscrYear2 1.79 → 1.62
    moves  dscrYear3 2.19 → 2
    moves  dscrYear4 2.3 → 2.1
    moves  dscrYear5 2.39 → 2.18
    moves  minDscr 0.62 → 0.57
    moves  dscrAfterOwnerYear1 0.62 → 0.57
    moves  breakEvenSalesMonthly 5091606 → 4900277
    moves  breakEvenSalesPct 0.8212 → 0.8449
    done   stop, 0 tokens
    ");
    assert_eq!(app.llm.request_count(), asked);
    assert_eq!(app.riley.held(RENT).await, (450_000.into(), "brand_default".into()));
    assert_eq!(app.riley.held(SALES).await, (5_800_000.into(), "brand_default".into()));
    assert_eq!(
        app.riley.held("financing.interestRate").await.1,
        "user_entry",
        "the rest stays"
    );
    assert_eq!(pending(&app).await, Value::Null);
    let changes = app.riley.changes().await;
    assert_eq!(
        (&changes[0]["turnId"], &changes[1]["turnId"]),
        (&json!(turn.id()), &json!(turn.id()))
    );
    assert_eq!(app.riley.said().await[2].1, "Yes, please!");
    assert_eq!(
        app.database
            .count("SELECT count(*) FROM audit_events WHERE kind = 'confirmation_approved'")
            .await,
        1
    );
}

#[tokio::test]
async fn every_form_of_yes_and_no_counts() {
    let app = TestApp::spawn().await;
    for word in ["yes", "Y", "confirm", "Do it!", "go ahead", "OK.", "sure"] {
        app.riley.set(RENT, 520_000).await;
        asks_to_reset(&app, &[RENT]).await;
        app.riley.send(word).await;
        assert_eq!(app.riley.held(RENT).await.0, 450_000, "{word}");
    }
    app.riley.set(RENT, 520_000).await;
    for word in ["no", "N", "cancel", "Stop!", "nevermind", "nah"] {
        asks_to_reset(&app, &[RENT]).await;
        let turn = app.riley.send(word).await;
        assert_eq!(turn.text(), "All right, nothing was changed.", "{word}");
        assert_eq!(pending(&app).await, Value::Null);
    }
    assert_eq!(app.riley.held(RENT).await.0, 520_000);
}

#[tokio::test]
async fn a_yes_works_while_the_model_is_down() {
    let app = TestApp::spawn().await;
    asks_to_reset(&app, &[RENT]).await;
    // Nothing is scripted: a question would be a mistake.
    let turn = app.riley.send("do it").await;
    assert_eq!(
        (turn.text().as_str(), &turn.done()["usage"]["totalTokens"]),
        ("Done. 1 value is back at the brand's default.", &json!(0))
    );
}

#[tokio::test]
async fn any_other_message_drops_it() {
    let app = TestApp::spawn().await;
    asks_to_reset(&app, &[RENT]).await;
    app.llm.script([says("Gladly."), says("What do you mean?")]);

    app.riley.send("Yes but first tell me about rent").await;

    assert_eq!(pending(&app).await, Value::Null);
    let turn = app.riley.send("yes").await;
    assert_eq!(
        turn.text(),
        "What do you mean?",
        "a late yes is a message like any other"
    );
    assert_eq!(app.riley.held(RENT).await.0, 520_000);
}

#[tokio::test]
async fn after_five_minutes_of_the_databases_clock_it_is_too_late() {
    let app = TestApp::spawn().await;
    let waiting = asks_to_reset(&app, &[RENT]).await;
    app.database
        .run("UPDATE pending_actions SET expires_at = now() - interval '1 millisecond'")
        .await;

    assert_eq!(pending(&app).await, Value::Null);
    assert_snapshot!(settle(&app, &waiting["id"], "approve").await.refusal(), @"409 CONFLICT: No such question waits for you: it is decided already, its time is over, or it was put to somebody else.");
    app.llm.script([says("Yes to what?")]);
    assert_eq!(app.riley.send("yes").await.text(), "Yes to what?");
    assert_eq!(app.riley.held(RENT).await.0, 520_000);
}

#[tokio::test]
async fn the_endpoint_approves_once() {
    let app = TestApp::spawn().await;
    let waiting = asks_to_reset(&app, &[RENT]).await;

    let answers = futures_util::future::join_all((0..8).map(|_| settle(&app, &waiting["id"], "approve"))).await;

    let mut codes: Vec<u16> = answers.iter().map(|reply| reply.status).collect();
    codes.sort_unstable();
    assert_eq!(codes, [200, 409, 409, 409, 409, 409, 409, 409]);
    let done = answers.iter().find(|reply| reply.status == 200).unwrap().data();
    assert_snapshot!(shown(without(&done, "updatedOutputs")), @r#"{"decision":"approve","message":"Done. 1 value is back at the brand's default."}"#);
    assert!(!done["updatedOutputs"]["changes"].as_array().unwrap().is_empty());
    assert_eq!(app.riley.held(RENT).await, (450_000.into(), "brand_default".into()));
    assert_eq!(
        app.database
            .count("SELECT count(*) FROM plan_changes WHERE reason = 'reset'")
            .await,
        1
    );
}

#[tokio::test]
async fn the_endpoint_denies() {
    let app = TestApp::spawn().await;
    let waiting = asks_to_reset(&app, &[RENT]).await;
    let denied = settle(&app, &waiting["id"], "deny").await.data();
    assert_eq!(denied["message"], "All right, nothing was changed.");
    assert_snapshot!(settle(&app, &waiting["id"], "approve").await.refusal(), @"409 CONFLICT: No such question waits for you: it is decided already, its time is over, or it was put to somebody else.");
    assert_eq!(app.riley.held(RENT).await.0, 520_000);
}

#[tokio::test]
async fn only_the_action_that_was_shown_can_be_approved() {
    let app = TestApp::spawn().await;
    let first = asks_to_reset(&app, &[RENT]).await;
    let second = asks_to_reset(&app, &[SALES]).await;
    assert_eq!(
        app.database.count("SELECT count(*) FROM pending_actions").await,
        1,
        "one per plan"
    );
    assert_snapshot!(settle(&app, &first["id"], "approve").await.refusal(), @"409 CONFLICT: No such question waits for you: it is decided already, its time is over, or it was put to somebody else.");
    assert_snapshot!(settle(&app, &json!(uuid::Uuid::now_v7()), "approve").await.refusal(), @"409 CONFLICT: No such question waits for you: it is decided already, its time is over, or it was put to somebody else.");
    // Whoever could change the stored arguments would still not get them carried out.
    app.database
        .run(&format!(
            "UPDATE pending_actions SET arguments = '{{\"fields\": [\"{RENT}\"]}}'"
        ))
        .await;
    settle(&app, &second["id"], "approve").await;
    assert_eq!(
        (app.riley.held(RENT).await.0, app.riley.held(SALES).await.0),
        (520_000.into(), 6_200_000.into())
    );
}

#[tokio::test]
async fn nobody_else_can_settle_it() {
    let app = TestApp::spawn().await;
    let waiting = asks_to_reset(&app, &[RENT]).await;
    let body = json!({"id": waiting["id"], "decision": "approve"});
    let sam = app.sam.on_plan(app.riley.plan);
    assert_eq!(
        sam.post(&sam.path("/conversation/confirmation"), &body)
            .await
            .failure()
            .0,
        403
    );
    // An administrator may see every plan, but the question was put to another user.
    let admin = app.admin.on_plan(app.riley.plan);
    assert_eq!(
        admin.get(&admin.path("/conversation/confirmation")).await.data(),
        Value::Null
    );
    assert_eq!(
        admin
            .post(&admin.path("/conversation/confirmation"), &body)
            .await
            .failure()
            .0,
        409
    );
    assert_eq!(
        app.sam
            .post(&app.sam.path("/conversation/confirmation"), &body)
            .await
            .failure()
            .0,
        409,
        "nor on another plan"
    );
    assert_eq!(app.riley.held(RENT).await.0, 520_000);
}

#[tokio::test]
async fn resetting_everything_names_a_few_and_counts_the_rest() {
    let app = TestApp::spawn().await;
    let waiting = asks_to_reset(&app, &[]).await;
    assert_snapshot!(waiting["prompt"].as_str().unwrap(), @"This returns 4 values to the brand's defaults: Monthly sales once established (AUV ÷ 12), Rent per month, Annual interest rate, Build-out. Shall I do that? Answer yes or no.");
    assert_snapshot!(waiting["arguments"], @r#"{"fields":["financing.interestRate","operatingCosts.rentMonthly","revenue.monthlyAuv","startupCosts.leaseholdImprovements"]}"#);
    let turn = app.riley.send("yes").await;
    assert_eq!(turn.text(), "Done. 4 values are back at the brand's defaults.");
    let inputs = app.riley.get_plan().await["financialInputs"].clone();
    assert!(
        inputs
            .as_object()
            .unwrap()
            .values()
            .all(|field| field["source"] == "brand_default")
    );
}

#[tokio::test]
async fn where_there_is_nothing_to_reset_nothing_is_asked() {
    let app = TestApp::spawn().await;
    app.llm.script([
        calls("reset_fields_to_defaults", json!({"fields": [RENT]})),
        says("It is at its placeholder already."),
    ]);
    let turn = app.sam.send("Reset my rent").await;
    assert_eq!(
        (&turn.done()["pendingConfirmation"], turn.text().as_str()),
        (&Value::Null, "It is at its placeholder already.")
    );
}

#[tokio::test]
async fn after_clearing_by_chat_only_that_exchange_remains() {
    let app = TestApp::spawn().await;
    app.llm.script([says("Hello Riley.")]);
    app.riley.send("Hello").await;
    let tokens = app.riley.conversation().await["meta"]["totalTokensUsed"].clone();
    let waiting = asks_to_clear(&app).await;
    assert_snapshot!(waiting["prompt"].as_str().unwrap(), @"This deletes the whole history of this conversation; your plan stays as it is. Shall I do that? Answer yes or no.");

    app.riley.send("yes").await;

    let said = app.riley.said().await;
    assert_eq!(said.len(), 2);
    assert_eq!(
        (said[0].1.as_str(), said[1].1.as_str()),
        (
            "yes",
            "Done. The history of this conversation is cleared; your plan is as it was."
        )
    );
    assert!(app.riley.conversation().await["meta"]["totalTokensUsed"].as_i64() > tokens.as_i64());
    assert_eq!(app.riley.held(RENT).await.0, 520_000);
}

#[tokio::test]
async fn after_clearing_by_the_endpoint_nothing_remains() {
    let app = TestApp::spawn().await;
    let waiting = asks_to_clear(&app).await;
    assert_eq!(settle(&app, &waiting["id"], "approve").await.status, 200);
    assert_eq!(app.riley.conversation().await["data"], json!([]));
    assert_eq!(
        app.database
            .count("SELECT count(*) FROM audit_events WHERE kind = 'conversation_cleared'")
            .await,
        1
    );
}

#[tokio::test]
async fn safe_calls_before_the_destructive_one_are_carried_out_and_those_behind_it_are_not() {
    let app = TestApp::spawn().await;
    app.llm.script([sets(SALES, 60000, "high")
        .calls("reset_fields_to_defaults", &json!({"fields": [RENT]}).to_string())
        .sets("operatingCosts.utilitiesMonthly", 700, "high")]);

    let turn = app
        .riley
        .send("Monthly sales are $60,000 and utilities are $700.")
        .await;

    assert_eq!(
        (turn.value()["field"].as_str(), &turn.value()["status"]),
        (Some(SALES), &json!("applied"))
    );
    assert_eq!(app.riley.held(SALES).await.0, 6_000_000);
    assert_eq!(
        app.riley.held("operatingCosts.utilitiesMonthly").await.1,
        "brand_default"
    );
    app.riley.send("yes").await;
    assert_eq!(app.riley.held(RENT).await.0, 450_000);
    assert_eq!(app.riley.held(SALES).await.0, 6_000_000);
}

#[tokio::test]
async fn two_tabs_that_say_yes_at_once_carry_it_out_once() {
    let app = TestApp::spawn().await;
    asks_to_reset(&app, &[RENT]).await;
    app.llm.always(says("Yes to what?"));
    let tabs = (0..6).map(|_| app.riley.post_message("yes", &[]));
    for tab in futures_util::future::join_all(tabs).await {
        if let crate::support::client::Streamed::Stream(stream) = tab {
            stream.rest().await;
        }
    }
    assert_eq!(
        app.database
            .count("SELECT count(*) FROM plan_changes WHERE reason = 'reset'")
            .await,
        1
    );
    assert_eq!(
        app.database
            .count("SELECT count(*) FROM audit_events WHERE kind = 'confirmation_approved'")
            .await,
        1
    );
}

#[tokio::test]
async fn a_confirmation_wins_over_an_open_proposal() {
    let app = TestApp::spawn().await;
    app.llm
        .script([sets(RENT, 4800, "tentative"), says("Shall I write down $4,800?")]);
    let proposed = app.riley.send("Rent is about $4,800").await.value()["id"].clone();
    asks_to_reset(&app, &[RENT]).await;

    app.riley.send("yes").await;

    assert_eq!(app.riley.held(RENT).await, (450_000.into(), "brand_default".into()));
    let path = app.riley.path(&format!(
        "/conversation/extractions/{}/accept",
        proposed.as_str().unwrap()
    ));
    assert_eq!(
        app.riley.post_nothing(&path).await.failure().0,
        409,
        "the proposal is over with the reset"
    );
}

#[tokio::test]
async fn a_field_that_changed_since_the_question_is_reset_all_the_same() {
    let app = TestApp::spawn().await;
    asks_to_reset(&app, &[RENT]).await;
    app.riley.set(RENT, 610_000).await;
    app.riley.send("yes").await;
    assert_eq!(app.riley.held(RENT).await.0, 450_000);
    assert_eq!(app.riley.changes().await[0]["oldValue"], 610_000);
}
