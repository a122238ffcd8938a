//! The main job: somebody says a number and the plan changes.

use crate::support::{TestApp, answer, redacted, says, sets};
use insta::assert_snapshot;

#[tokio::test]
async fn a_stated_rent_is_applied_and_everything_tells_of_it() {
    let app = TestApp::spawn().await;
    app.llm.script([sets("operatingCosts.rentMonthly", 4200, "high").usage(900, 30), says("I've noted a rent of $4,200 a month.").usage(1000, 12)]);

    let turn = app.sam.send("My rent is $4,200/month").await;

    assert_snapshot!(turn, @"");
    assert_eq!(app.sam.held("operatingCosts.rentMonthly").await, (420_000.into(), "ai_populated".into()));
    assert_snapshot!(serde_json::to_string_pretty(&redacted(&app.sam.conversation().await)).unwrap(), @"");
    let _ = answer();
}
