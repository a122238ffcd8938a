//! The order rules of `@ag-ui/client` over turns of every kind, and its state patched as it patches it.

use super::*;
use crate::http::dialect::event::events_of;
use crate::http::dialect::testing::{CONFIRMATION, Log, data_of, logs};
use plan_model::field::FieldPath;
use plan_model::number::Number;
use proptest::prelude::*;
use std::collections::BTreeMap;

fn plan(rent: i64) -> PlanState {
    PlanState {
        values: BTreeMap::from([(
            FieldPath::from_static("operatingCosts.rentMonthly"),
            Number::whole(rent),
        )]),
        outputs: None,
        proposals: BTreeMap::new(),
        missing_fields: Vec::new(),
    }
}

/// What a client holds at the end of a run. Panics where `verify` would throw.
#[derive(Default)]
struct Client {
    text: String,
    rent: Option<i64>,
    proposals: usize,
    end: Value,
}

fn run(stream: &[u8]) -> Client {
    let mut client = Client::default();
    let (mut started, mut open, mut ended) = (false, None::<String>, false);
    for event in data_of(stream) {
        let event: Value = serde_json::from_str(&event).expect("JSON");
        assert!(!ended, "behind the end: {event}");
        let kind = event["type"].as_str().expect("a type");
        assert_eq!(kind != "RUN_STARTED", started, "{event}");
        let id = event["messageId"].as_str().map(str::to_owned);
        match kind {
            "RUN_STARTED" => started = true,
            "STATE_SNAPSHOT" => client.rent = event["snapshot"]["values"]["operatingCosts.rentMonthly"].as_i64(),
            "STATE_DELTA" => {
                assert!(client.rent.is_some(), "a patch of nothing");
                for operation in event["delta"].as_array().expect("operations") {
                    assert_eq!(operation["op"], "replace");
                    assert_eq!(operation["path"], "/values/operatingCosts.rentMonthly");
                    client.rent = operation["value"].as_i64();
                }
            }
            "TEXT_MESSAGE_START" => assert_eq!(open.replace(id.expect("an id")), None),
            "TEXT_MESSAGE_CONTENT" => {
                assert!(open.is_some() && open == id);
                let delta = event["delta"].as_str().expect("text");
                assert!(!delta.is_empty());
                client.text.push_str(delta);
            }
            "TEXT_MESSAGE_END" => assert_eq!(open.take(), id),
            "CUSTOM" => client.proposals += 1,
            "RUN_FINISHED" | "RUN_ERROR" => {
                assert!(open.is_none());
                ended = true;
                client.end = event;
            }
            other => panic!("no event is called {other}"),
        }
    }
    assert!(ended);
    client
}

fn translate(log: &Log, before: Option<PlanState>, after: Option<PlanState>) -> Vec<u8> {
    let mut state = State::new("thread \"1\"".into(), "run".into(), Some(log.turn));
    let mut out = begin(&state).to_vec();
    if let Some(before) = before {
        out.extend_from_slice(&snapshot(&mut state, before));
    }
    for read in log.reads() {
        state.learn(after.clone());
        for event in events_of(&read) {
            out.extend_from_slice(&step(&mut state, &event));
        }
    }
    out
}

proptest! {
    #[test]
    fn every_turn_is_a_run_that_the_client_takes(log in logs(), has_state: bool) {
        let (before, after) = (has_state.then(|| plan(450_000)), has_state.then(|| plan(420_000)));
        let client = run(&translate(&log, before, after));
        prop_assert_eq!(client.text, log.text());
        let (kind, outcome) = (&client.end["type"], &client.end["outcome"]["type"]);
        match log.end["code"].as_str() {
            Some("STOPPED") => prop_assert_eq!(outcome, "cancelled"),
            Some(code) => {
                prop_assert_eq!(kind, "RUN_ERROR");
                prop_assert_eq!(&client.end["code"], code);
            }
            None => {
                let asks = !log.end["pendingConfirmation"].is_null();
                prop_assert_eq!(outcome, if asks { "interrupt" } else { "success" });
                prop_assert_eq!(client.rent, has_state.then_some(420_000));
                prop_assert_eq!(&client.end["usage"][0], &json!({"inputTokens": 100, "outputTokens": 20, "totalTokens": 120, "cachedInputTokens": 7}));
                let values = log.end["extractedValues"].as_array().expect("values");
                prop_assert_eq!(client.proposals, values.iter().filter(|value| value["status"] == "proposed").count());
            }
        }
    }
}

#[test]
fn a_run_without_a_turn_asks_again_for_what_waits() {
    let pending: Confirmation = serde_json::from_value(
        json!({"id": CONFIRMATION, "toolName": "clear_conversation", "prompt": "Shall I?",
        "arguments": {}, "expiresAt": "2026-11-22T10:00:00Z"}),
    )
    .expect("a confirmation");
    let mut state = State::new("t".into(), "r".into(), None);
    let out = [
        begin(&state),
        snapshot(&mut state, plan(1)),
        end(&mut state, Some(&pending)),
    ]
    .concat();
    let interrupt = run(&out).end["outcome"]["interrupts"][0].clone();
    assert_eq!(
        (
            &interrupt["id"],
            &interrupt["reason"],
            &interrupt["message"],
            &interrupt["expiresAt"]
        ),
        (
            &json!(CONFIRMATION),
            &json!("confirmation"),
            &json!("Shall I?"),
            &json!("2026-11-22T10:00:00Z")
        )
    );
}

#[test]
fn a_settled_confirmation_says_what_was_done_and_moves_the_state() {
    let mut state = State::new("t".into(), "r".into(), None);
    state.learn(Some(plan(2)));
    let out = [
        begin(&state),
        snapshot(&mut state, plan(1)),
        settled(&mut state, "s".into(), "Done \"it\".", None),
    ]
    .concat();
    let client = run(&out);
    assert_eq!((client.text.as_str(), client.rent), ("Done \"it\".", Some(2)));
    assert_eq!(client.end["outcome"], json!({"type": "success"}));
}
