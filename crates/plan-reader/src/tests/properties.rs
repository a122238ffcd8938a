//! What holds for every text and every call; what may be applied of them is tested in `plan-eval/tests/truth/properties.rs`.

use super::*;
use plan_model::field::Kind;
use proptest::prelude::*;
use std::sync::LazyLock;

static PLAN: LazyLock<Plan> = LazyLock::new(Plan::demo);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_read_and_any_call_is_refused_or_decided(message in "\\PC{0,200}", value in "\\PC{0,40}", advisor in "\\PC{0,80}") {
        let texts = Texts { message: &message, previous_message: Some(&advisor), advisor: Some(&advisor), asked: None, about: None };
        let value = serde_json::to_string(&value).expect("text");
        let arguments = format!(r#"{{"path":"{RENT}","value":{value},"confidence":"high","quote":{value}}}"#);
        if let Ok(decision) = PLAN.decide(&texts, &arguments) {
            prop_assert_eq!(decision.kind, Kind::Money);
        }
    }
}
