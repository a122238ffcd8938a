//! `ask_advisor`: a whole turn, in which the message is the person's only by the assistant's word.

use super::{Assistant, RENT, TALK, waiting, world};
use crate::support::{Gate, TestApp, calls, describe, refuses, says, sets, shown};
use insta::assert_snapshot;
use serde_json::{Value, json};

async fn asks(app: &TestApp, assistant: &Assistant, message: &str) -> Value {
    assistant
        .read("ask_advisor", json!({"planId": app.riley.plan, "message": message}))
        .await
}

#[tokio::test]
async fn a_plain_statement_in_it_only_waits_and_the_conversation_says_who_wrote_it() {
    let app = world().await;
    let assistant = Assistant::of(&app.riley, TALK).await;
    let before = app.riley.get_plan().await;
    app.llm.script([
        sets(RENT, 4200, "high"),
        says("I have put it down as a “proposal”.\nSee the page."),
    ]);

    let answered = asks(&app, &assistant, "My rent is $4,200/month").await;

    assert_snapshot!(shown(&answered), @r#"{"answer":"I have put it down as a “proposal”.\nSee the page.","finishReason":"stop","next":"The plan has not changed. The person takes or drops what waits on the page, or in their own words to the advisor.","suggestions":[],"turnId":"[id]","values":[{"field":"operatingCosts.rentMonthly","id":"[id]","label":"Rent per month","note":"This number is not in what you said, so it needs your word.","noteCode":"not_said","status":"proposed","value":{"text":"$4,200","value":420000}}]}"#);
    assert_eq!(app.riley.get_plan().await, before);
    let history = app.riley.history().await;
    assert_snapshot!(shown(&history[0]["author"]), @r#"{"displayName":"assistant (Claude)","id":"[id]","isAssistant":true,"role":"franchisee"}"#);
    assert_snapshot!(describe(&history[1]["extractedValues"][0]), @"operatingCosts.rentMonthly 520000 → 420000, tentative, proposed | note: This number is not in what you said, so it needs your word.");
    assert_eq!(
        waiting(&app.riley).await[0]["author"]["displayName"],
        "assistant (Claude)"
    );

    // The person's own word takes it.
    app.llm
        .script([sets(RENT, 4200, "high"), says("Now it is in your plan.")]);
    let turn = app.riley.send("My rent is $4,200/month").await;
    assert_eq!(turn.value()["status"], "applied");
}

#[tokio::test]
async fn nothing_is_settled_confirmed_taken_back_or_saved_by_it() {
    let app = world().await;
    let assistant = Assistant::of(&app.riley, TALK).await;
    app.llm
        .script([sets(RENT, 4300, "tentative"), says("Shall I write that down?")]);
    app.riley.send("My rent is about $4,300").await;
    app.riley.set("operatingCosts.utilitiesMonthly", 61_000).await;
    let confirmation = crate::confirmation::asks_to_reset(&app, &[]).await;
    let before = app.riley.get_plan().await;

    app.llm.script([says("You would have to say that yourself.")]);
    asks(&app, &assistant, "yes").await;
    app.llm.script([says("The same.")]);
    asks(&app, &assistant, "yes to all").await;
    for tool in [
        calls("undo_last_change", json!({})),
        calls(
            "save_scenario",
            json!({"name": "lean", "changes": [{"path": RENT, "value": 4000}]}),
        ),
        calls("reset_fields_to_defaults", json!({"fields": []})),
        calls("clear_conversation", json!({})),
    ] {
        app.llm.script([tool, says("I cannot do that.")]);
        let answered = asks(&app, &assistant, "Undo the last change and reset everything").await;
        assert_eq!(answered["values"], json!([]));
        let result = app.llm.requests().last().unwrap()["messages"]
            .as_array()
            .unwrap()
            .last()
            .unwrap()["content"]
            .to_string();
        assert!(result.contains("An assistant passed this message on."), "{result}");
    }

    assert_eq!(app.riley.get_plan().await, before);
    assert_eq!(waiting(&app.riley).await.len(), 1);
    let pending = app
        .riley
        .get(&app.riley.path("/conversation/confirmation"))
        .await
        .data();
    assert_eq!(pending["id"], confirmation["id"], "it waits for the person");
    assert_eq!(app.riley.get(&app.riley.path("/scenarios")).await.data(), json!([]));
}

#[tokio::test]
async fn an_assistants_message_is_not_completed_by_the_persons_next_one() {
    let app = world().await;
    let assistant = Assistant::of(&app.riley, TALK).await;
    app.llm.script([says("What about it?")]);
    asks(&app, &assistant, "My rent is $9,999 a month").await;
    app.llm.script([sets(RENT, 9999, "high"), says("Hm.")]);
    let turn = app.riley.send("that is what I pay").await;
    assert_eq!(
        (&turn.value()["status"], &turn.value()["noteCode"]),
        (&json!("proposed"), &json!("not_said"))
    );
}

#[tokio::test]
async fn one_turn_runs_on_a_plan_and_a_message_with_a_key_is_asked_once() {
    let app = world().await;
    let assistant = Assistant::of(&app.riley, TALK).await;
    let gate = Gate::new();
    app.llm.script([says("One").wait(&gate).says(" two.")]);
    let message = json!({"planId": app.riley.plan, "message": "Count", "key": "k1"});
    let first = tokio::spawn({
        let (assistant, message) = (assistant.clone(), message.clone());
        async move { assistant.read("ask_advisor", message).await }
    });
    gate.reached(1).await;
    let busy = json!({"planId": app.riley.plan, "message": "And now?"});
    assert_snapshot!(assistant.refusal("ask_advisor", busy).await, @"The advisor is still answering the message before this one. Try again in 2 s.");
    let sibling = app.sibling().await;
    crate::instances::acquainted(&app, &sibling).await;
    let elsewhere = tokio::spawn({
        let (assistant, message) = (assistant.at(&sibling), message.clone());
        async move { assistant.read("ask_advisor", message).await }
    });
    gate.open();
    let first = first.await.unwrap();
    assert_eq!(first["answer"], "One two.");
    assert_eq!(elsewhere.await.unwrap(), first, "the call that was repeated");
    assert_eq!(assistant.read("ask_advisor", message).await, first);
    assert_eq!(app.llm.request_count(), 1);
    assert_snapshot!(assistant.refusal("ask_advisor", json!({"planId": app.riley.plan, "message": "Other words", "key": "k1"})).await, @"This idempotency key was used for another message.");
    assert_snapshot!(assistant.refusal("ask_advisor", json!({"planId": app.riley.plan, "message": "x", "key": "a b"})).await, @"The request has 1 error. `key` must have 1 to 200 visible ASCII characters.");
}

#[tokio::test]
async fn a_cancelled_call_leaves_its_turn_to_end_by_itself() {
    let app = world().await;
    let assistant = Assistant::of(&app.riley, TALK).await;
    let gate = Gate::new();
    app.llm.script([says("One").wait(&gate).says(" two.")]);
    let message = json!({"planId": app.riley.plan, "message": "Count"});
    let call = tokio::spawn({
        let assistant = assistant.clone();
        async move { assistant.call("ask_advisor", message).await }
    });
    gate.reached(1).await;
    call.abort();
    assert!(call.await.unwrap_err().is_cancelled());
    gate.open();
    assert_eq!(app.riley.settled_prompt().await["state"], "completed");
    assert_eq!(app.riley.said().await[1].1, "One two.");
}

#[tokio::test]
async fn a_model_that_fails_and_a_message_that_is_none_are_sentences() {
    let app = world().await;
    let assistant = Assistant::of(&app.riley, TALK).await;
    app.llm.script([refuses(401)]);
    let plan = app.riley.plan;
    assert_snapshot!(assistant.refusal("ask_advisor", json!({"planId": plan, "message": "Hi"})).await, @"AI advisor is temporarily unavailable. Continue using My Plan forms or Reports to build your plan.");
    assert_snapshot!(assistant.refusal("ask_advisor", json!({"planId": plan, "message": " "})).await, @"The request has 1 error. `message` must not be empty.");
    assert_snapshot!(assistant.refusal("ask_advisor", json!({"planId": plan})).await, @"The arguments do not fit the tool: missing field `message`.");
    assert_eq!(app.riley.history().await.len(), 0);
}
