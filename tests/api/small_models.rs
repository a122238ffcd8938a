//! Models with a small context or little wit: the prompt is made to fit, and calls that lead nowhere end in what was learned.

use crate::support::{TestApp, answer, calls, refuses_with, says, sets};
use insta::assert_snapshot;
use plan_advisor::config::LlmReview;
use serde_json::{Value, json};

const RENT: &str = "operatingCosts.rentMonthly";
const FALLBACK: &str =
    "I could not finish that just now. Please put it to me again in a few words, one value at a time.";

fn tool_names(request: &Value) -> Vec<&str> {
    let tools = request["tools"].as_array().unwrap();
    tools
        .iter()
        .map(|tool| tool["function"]["name"].as_str().unwrap())
        .collect()
}

fn is_compact(request: &Value) -> bool {
    tool_names(request) == ["set_financial_field", "get_plan_summary", "undo_last_change"]
}

fn too_long(context: Option<u32>) -> crate::support::Answer {
    let mut error = json!({"code": 400, "message": "the request exceeds the available context size", "type": "exceed_context_size_error"});
    if let Some(context) = context {
        error["n_ctx"] = context.into();
    }
    refuses_with(400, &json!({ "error": error }))
}

#[tokio::test]
async fn a_prompt_that_is_too_long_is_sent_once_more_in_the_compact_form_and_others_see_nothing_of_it() {
    for context in [None, Some(4096)] {
        let app = TestApp::spawn().await;
        app.llm
            .script([too_long(context), sets("Rent per month", 4200, "high"), says("Noted.")]);
        let turn = app.sam.send("My rent is $4,200/month").await;
        assert_eq!(turn.text(), "Noted.");
        assert_eq!(app.sam.held(RENT).await.0, 420_000);

        app.llm.script([says("Hello.")]);
        app.riley.send("Hello").await;
        let forms: Vec<bool> = app.llm.requests().iter().map(is_compact).collect();
        assert_eq!(forms, [false, true, true, false], "{context:?}");
    }
}

#[tokio::test]
async fn the_size_of_a_model_holds_for_all_when_a_second_person_is_refused_for_it() {
    let app = TestApp::spawn().await;
    for (person, want) in [
        (&app.sam, vec![false, true]),
        (&app.riley, vec![false, true]),
        (&app.taylor, vec![true]),
    ] {
        let before = app.llm.request_count();
        app.llm.script(match want[0] {
            true => vec![says("Hello.")],
            false => vec![too_long(Some(4096)), says("Hello.")],
        });
        person.send("Hello").await;
        let forms: Vec<bool> = app.llm.requests()[before..].iter().map(is_compact).collect();
        assert_eq!(forms, want);
    }
}

#[tokio::test]
async fn a_history_that_is_too_long_is_shortened_before_the_form_is() {
    let app = TestApp::spawn().await;
    app.llm.always(says(&"One of many words. ".repeat(400)));
    for _ in 0..7 {
        app.sam.send("Tell me more").await;
    }
    let before = app.llm.request_count();
    app.llm.script([too_long(None), says("Shorter.")]);
    assert_eq!(app.sam.send("Tell me more").await.text(), "Shorter.");
    let requests = app.llm.requests().split_off(before);
    let messages = |request: &Value| request["messages"].as_array().unwrap().len();
    assert!(!is_compact(&requests[1]), "the full form fits");
    assert!(messages(&requests[1]) < messages(&requests[0]));
    app.llm.script([says("Hello.")]);
    app.riley.send("Hello").await;
    assert!(!is_compact(app.llm.requests().last().unwrap()));
}

#[tokio::test]
async fn a_reviewers_refusal_and_a_quoting_server_teach_nothing_about_the_model() {
    let app = TestApp::builder()
        .config(|config| {
            config.llm.review = LlmReview::Always;
            config.llm.review_model = Some("small-model".into());
        })
        .spawn()
        .await;
    for person in [&app.sam, &app.riley] {
        app.llm.script([sets(RENT, 4200, "high"), says("Noted.")]);
        app.llm.reviews([too_long(Some(4096))]);
        person.send("My rent is $4,200").await;
        let quoted = json!({"error": {"code": "tool_use_failed", "message": "Failed to call a function.",
            "failed_generation": "maximum context length is 2048 tokens, temperature, max_tokens"}});
        app.llm.script([refuses_with(400, &quoted), refuses_with(400, &quoted)]);
        person.send("say: maximum context length is 2048 tokens").await;
    }
    let before = app.llm.requests()[0].clone();
    app.llm.script([says("Hello.")]);
    app.taylor.send("Hello").await;
    let after = app.llm.requests().pop().unwrap();
    assert!(!is_compact(&after));
    for name in ["temperature", "max_tokens", "stream_options"] {
        assert_eq!(after[name], before[name], "{name}");
    }
}

#[tokio::test]
async fn what_is_too_long_in_the_compact_form_too_fails_the_turn_after_one_more_request() {
    let app = TestApp::spawn().await;
    app.llm.script([too_long(None), too_long(None)]);
    let turn = app.sam.send("Hello").await;
    assert_eq!(turn.error(), ("LLM_UNAVAILABLE", false));
    assert_eq!(app.llm.request_count(), 2);
}

#[tokio::test]
async fn a_message_that_leaves_no_room_for_an_answer_is_refused_where_the_size_is_known() {
    let app = TestApp::spawn().await;
    let long = json!({"message": "1 a ".repeat(1_990)});
    for person in [&app.sam, &app.riley] {
        app.llm.script([too_long(Some(2_048)), too_long(Some(2_048))]);
        let first = person.send(long["message"].as_str().unwrap()).await;
        assert_eq!(first.error(), ("LLM_UNAVAILABLE", false));
    }

    let again = app.sam.post(&app.sam.path("/conversation"), &long).await;
    assert_snapshot!(again.refusal(), @r#"
    400 VALIDATION_ERROR: The request has 1 error.
    {"field":"message","message":"is too long for the model"}
    "#);
    assert!(again.text.contains(r#""field":"message""#), "{}", again.text);
    assert_eq!(app.llm.request_count(), 4);
    app.llm.script([says("Hello.")]);
    assert_eq!(app.sam.send("Hello").await.text(), "Hello.");
}

#[tokio::test]
async fn a_known_context_chooses_the_form_and_how_much_of_the_history_is_shown() {
    let app = TestApp::builder()
        .llm_settings(|settings| settings.context_tokens = Some(4096))
        .spawn()
        .await;
    app.llm.always(says(&"One of many words. ".repeat(40)));
    for _ in 0..8 {
        app.sam.send("Tell me more").await;
    }
    let requests = app.llm.requests();
    assert!(requests.iter().all(is_compact));
    let counts: Vec<usize> = requests
        .iter()
        .map(|request| request["messages"].as_array().unwrap().len())
        .collect();
    assert_eq!(counts[..2], [2, 4]);
    assert!(counts[7] < 10, "{counts:?}");
    assert_eq!(requests[7]["messages"][1]["role"], "user");
    assert_eq!(requests[7]["max_tokens"], 1024);
}

#[tokio::test]
async fn a_call_without_a_name_or_cut_off_goes_back_to_the_model() {
    let arguments = r#"{"path":"Rent per month","value":4200,"confidence":"high"}"#;
    for (name, arguments, result) in [
        ("", arguments, "The call names no tool."),
        ("set_financial_field", &arguments[..30], "set_financial_field with {"),
    ] {
        let app = TestApp::spawn().await;
        app.llm.script([
            answer().calls(name, arguments),
            sets("Rent per month", 4200, "high"),
            says("Noted."),
        ]);
        let turn = app.sam.send("My rent is $4,200/month").await;
        assert_eq!(turn.text(), "Noted.", "{turn}");
        assert_eq!(app.sam.held(RENT).await.0, 420_000);
        let answered = app.llm.requests()[1]["messages"]
            .as_array()
            .unwrap()
            .last()
            .cloned()
            .unwrap();
        assert_eq!(answered["role"], "tool");
        assert!(answered["content"].as_str().unwrap().contains(result), "{answered}");
    }
}

#[tokio::test]
async fn values_and_ranges_are_read_by_tool_in_the_compact_form() {
    let app = TestApp::builder()
        .llm_settings(|settings| settings.context_tokens = Some(4096))
        .spawn()
        .await;
    app.llm.script([
        calls("get_plan_summary", json!({"section": "Rent per month"})),
        calls("get_plan_summary", json!({"section": "profile"})),
        calls("get_plan_summary", json!({})),
        says("There."),
    ]);
    app.riley.send("What is my rent?").await;
    let request = app.llm.requests().pop().unwrap();
    let results: Vec<&str> = request["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|message| message["role"] == "tool")
        .map(|message| message["content"].as_str().unwrap())
        .collect();
    insta::assert_snapshot!(results.join("\n"));
}

#[tokio::test]
async fn the_second_request_of_a_turn_repeats_the_first_byte_for_byte() {
    let app = TestApp::spawn().await;
    app.llm.script([sets(RENT, 4200, "high"), says("Noted.")]);
    app.sam.send("My rent is $4,200/month").await;
    let bodies = app.llm.bodies();
    let same = bodies[0]
        .iter()
        .zip(&*bodies[1])
        .take_while(|(one, other)| one == other)
        .count();
    assert!(
        same * 100 >= bodies[0].len() * 95,
        "{same} of {} bytes",
        bodies[0].len()
    );
}

#[tokio::test]
async fn the_same_failing_call_twice_ends_the_turn_with_what_was_learned() {
    let app = TestApp::spawn().await;
    let wrong = || {
        calls(
            "get_plan_summary",
            json!({"path": "rent", "value": 4200, "confidence": "high"}),
        )
    };
    app.llm.script([wrong(), wrong()]);
    let turn = app.sam.send("My rent is $4,200/month").await;
    assert_eq!(
        turn.text(),
        "From your message: Waiting for your decision: Rent per month $4,200."
    );
    let statuses: Vec<&Value> = turn.values().iter().map(|value| &value["status"]).collect();
    assert_eq!(statuses, ["proposed"]);

    let first = &app.llm.requests()[1]["messages"];
    let result = first.as_array().unwrap().last().unwrap()["content"].as_str().unwrap();
    assert!(
        result.contains("These are arguments of set_financial_field"),
        "{result}"
    );
    assert!(result.contains("A right call: set_financial_field with {"), "{result}");
}

#[tokio::test]
async fn what_was_written_before_the_model_was_lost_is_named() {
    let app = TestApp::spawn().await;
    let wrong = || calls("no_such_tool", json!({}));
    app.llm.script([sets(RENT, 4200, "high"), wrong(), wrong()]);
    let turn = app.sam.send("My rent is $4,200/month").await;
    assert_eq!(
        turn.text(),
        "From your message: In your plan now: Rent per month $4,200."
    );
    assert_eq!(app.sam.held(RENT).await.0, 420_000);
}

#[tokio::test]
async fn the_servers_own_sentences_are_not_shown_to_the_model_as_its_words() {
    let app = TestApp::spawn().await;
    let wrong = || calls("no_such_tool", json!({}));
    app.llm.script([wrong(), wrong()]);
    assert_eq!(app.sam.send("Hello").await.text(), FALLBACK);
    app.llm.script([answer()]);
    assert_eq!(app.sam.send("Hello again").await.text(), FALLBACK);
    app.llm.script([says("Hi there.")]);
    app.sam.send("And again").await;
    let request = app.llm.requests().pop().unwrap();
    assert_eq!(
        request["messages"].as_array().unwrap()[1..],
        [json!({"role": "user", "content": "And again"})]
    );
}

#[tokio::test]
async fn where_the_model_only_talks_plain_statements_are_proposed() {
    for finish in ["stop", "length"] {
        let app = TestApp::spawn().await;
        app.llm.script([says("Thanks for telling me.").finish(finish)]);
        let turn = app.sam.send("My rent is $4,200/month").await;
        let value = &turn.values()[0];
        assert_eq!(
            (&value["field"], &value["status"], &value["noteCode"]),
            (&json!(RENT), &json!("proposed"), &json!("model_unsure")),
            "{finish}"
        );
        assert_ne!(app.sam.held(RENT).await.0, 420_000);
    }

    let app = TestApp::spawn().await;
    app.llm.script([says("That depends.")]);
    let turn = app.sam.send("What would happen if my rent were $9,000 a month?").await;
    assert!(turn.values().is_empty());
}

#[tokio::test]
async fn percents_with_many_decimals_are_read_exactly() {
    let app = TestApp::spawn().await;
    let path = "financing.interestRate";
    app.llm.script([sets(path, 10.0625, "high"), says("Noted.")]);
    app.sam.send("The interest rate is 10.0625%").await;
    assert_eq!(app.sam.held(path).await.0.to_string(), "0.100625");
    app.llm.script([sets(path, 11.062_512, "high"), says("Noted.")]);
    let turn = app.sam.send("The interest rate is 11.062512%").await;
    let value = &turn.values()[0];
    assert_eq!(
        (&value["status"], &value["noteCode"]),
        (&json!("proposed"), &json!("rounded"))
    );
}

#[tokio::test]
async fn a_filtered_prompt_is_an_end_and_no_outage() {
    let app = TestApp::spawn().await;
    let filtered = json!({"error": {"code": "content_filter", "message": "The response was filtered", "status": 400}});
    app.llm.script([refuses_with(400, &filtered)]);
    let turn = app.sam.send("Hello").await;
    assert_eq!(turn.text(), "The model's provider refused these words.");
    assert_eq!(turn.done()["finishReason"], "content_filter");
    assert_eq!(app.llm.request_count(), 1);
}

#[tokio::test]
async fn an_answer_without_words_says_of_the_plan_only_what_is_true() {
    let app = TestApp::spawn().await;
    app.llm.script([says("")]);
    let turn = app.sam.send("My rent is $4,200/month").await;
    assert_eq!(turn.values()[0]["status"], "proposed");
    assert_eq!(
        turn.text(),
        "I have noted that as a proposal; it is not in your plan yet."
    );
    app.llm.script([sets(RENT, 4300, "high"), says("")]);
    let turn = app.sam.send("My rent is $4,300/month").await;
    assert_eq!(turn.text(), "I have looked at that; you find it in your plan.");
}

/// Gemini's `MALFORMED_FUNCTION_CALL` may come behind words that the franchisee has seen.
#[tokio::test]
async fn a_call_that_was_lost_behind_words_is_asked_for_once_more() {
    let app = TestApp::spawn().await;
    let lost = || says("Let me note that.").finish("MALFORMED_FUNCTION_CALL");
    app.llm
        .script([lost(), sets("Rent per month", 4200, "high"), says("Noted.")]);
    let turn = app.sam.send("My rent is $4,200 a month").await;
    assert_eq!(turn.text(), "Let me note that.\n\nNoted.");
    assert_eq!(app.sam.held(RENT).await.0, 420_000);
    let asked = app.llm.requests()[1]["messages"].as_array().unwrap().clone();
    assert_eq!(asked[asked.len() - 2]["content"], "Let me note that.");

    app.llm.script([lost(), lost()]);
    let turn = app.riley.send("My rent is $4,200 a month").await;
    assert_eq!(turn.error().0, "LLM_UNAVAILABLE", "once, and no more");
}

#[tokio::test]
async fn a_model_without_tools_talks_and_values_are_proposed() {
    let app = TestApp::spawn().await;
    let refused = json!({"error": {"message": "registry.ollama.ai/library/gemma3:4b does not support tools"}});
    app.llm.script([refuses_with(400, &refused), says("Good to know.")]);
    let turn = app.sam.send("My rent is $4,200/month").await;
    assert_eq!(turn.text(), "Good to know.");
    assert_eq!(turn.values()[0]["status"], "proposed");
    assert!(app.llm.requests()[1].get("tools").is_none());
}

#[tokio::test]
async fn an_answer_that_thinking_used_up_is_asked_for_once_more_with_four_times_the_limit() {
    let app = TestApp::spawn().await;
    app.llm.script([says("").finish("length"), says("Hello.")]);
    assert_eq!(app.sam.send("Hello").await.text(), "Hello.");
    let requests = app.llm.requests();
    assert_eq!(
        (&requests[0]["max_tokens"], &requests[1]["max_tokens"]),
        (&json!(4096), &json!(16_384))
    );
    assert_eq!(requests[0]["messages"], requests[1]["messages"]);
    app.llm.script([says("").finish("length"), says("").finish("length")]);
    assert_eq!(app.sam.send("Hello").await.text(), FALLBACK);

    // Not every model takes as many: it gets the most that it takes, where it says so.
    let most = json!({"error": {"message": "messages: max_tokens: 16384 > 8192, which is the maximum allowed number of output tokens"}});
    app.llm
        .script([says("").finish("length"), refuses_with(422, &most), says("Hello.")]);
    assert_eq!(app.sam.send("Hello").await.text(), "Hello.");
    assert_eq!(app.llm.requests().last().unwrap()["max_tokens"], 8_192);
    let unnamed = json!({"error": {"message": "max_tokens is more than this model takes"}});
    let refused = || refuses_with(422, &unnamed);
    app.llm.script([says("").finish("length"), refused(), refused()]);
    let turn = app.sam.send("Hello").await;
    assert_eq!(
        (turn.text(), &turn.done()["finishReason"]),
        (FALLBACK.to_owned(), &json!("length"))
    );
}

#[tokio::test]
async fn the_same_successful_call_again_ends_the_turn_with_what_is_known() {
    let cases = [
        (
            sets(RENT, 4200, "high"),
            "From your message: In your plan now: Rent per month $4,200.",
        ),
        (
            calls("get_plan_summary", json!({})),
            "From your message: Waiting for your decision: Rent per month $4,200.",
        ),
    ];
    for (again, text) in cases {
        let app = TestApp::spawn().await;
        app.llm.always(again);
        let turn = app.sam.send("My rent is $4,200/month").await;
        assert_eq!(turn.text(), text);
        assert_eq!(app.llm.request_count(), 2);
    }
    let app = TestApp::spawn().await;
    app.llm.script([
        sets(RENT, 4200, "high").says("So:"),
        answer().says("Rent is in.").calls(
            "set_financial_field",
            r#"{"confidence":"high", "path":"Rent per month","value":4200.0}"#,
        ),
    ]);
    let turn = app.sam.send("My rent is $4,200/month").await;
    assert_eq!(turn.text(), "So:\n\nRent is in.", "what the model said stands");
    assert_eq!(app.sam.held(RENT).await.0, 420_000);
}

#[tokio::test]
async fn a_model_that_speaks_with_its_plain_values_is_not_asked_again() {
    let app = TestApp::spawn().await;
    app.llm
        .script([sets(RENT, 4200, "high").says("Rent is in: $4,200 a month.")]);
    let turn = app.sam.send("My rent is $4,200/month").await;
    assert_eq!(turn.text(), "Rent is in: $4,200 a month.");
    assert_eq!(turn.values()[0]["status"], "applied");
    assert_eq!(app.llm.request_count(), 1);

    // It does not know yet that this one waits, or what a tool will say; or it leads over to something.
    let others = [
        (4300, sets(RENT, 4300, "tentative").says("Rent is in.")),
        (
            4400,
            sets(RENT, 4400, "high")
                .calls("get_plan_summary", "{}")
                .says("Rent is in."),
        ),
        (4500, sets(RENT, 4500, "high").says("Let me note that:")),
        (4500, sets(RENT, 4500, "high").says("It was there.")),
    ];
    for (rent, other) in others {
        let before = app.llm.request_count();
        app.llm.script([other, says("Done.")]);
        app.sam.send(&format!("My rent is ${rent}/month")).await;
        assert_eq!(app.llm.request_count(), before + 2);
    }
}
