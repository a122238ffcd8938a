//! What an assistant reads: the same figures as everybody, as numbers and in words, and texts as data.

use super::{Assistant, READ, RENT, TALK, world};
use crate::support::shown;
use insta::assert_snapshot;
use serde_json::{Value, json};

#[tokio::test]
async fn the_tools_are_listed_with_their_schemas_and_hints() {
    let app = world().await;
    let assistant = Assistant::of(&app.sam, READ).await;
    let listed = assistant.ask("tools/list", json!({})).await["result"]["tools"].clone();
    let lines = listed.as_array().unwrap().iter().map(|tool| {
        assert_eq!(
            (&tool["inputSchema"]["type"], &tool["outputSchema"]["type"]),
            (&json!("object"), &json!("object"))
        );
        let arguments: Vec<_> = tool["inputSchema"]["properties"]
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect();
        let hint = if tool["annotations"]["readOnlyHint"] == true {
            "reads"
        } else {
            "proposes"
        };
        format!("{} {hint}: {}", tool["name"].as_str().unwrap(), arguments.join(" "))
    });
    assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r"
    list_plans reads: 
    get_plan reads: fields planId
    get_projection reads: line month planId since year
    what_if reads: changes planId
    goal_seek reads: metric path planId target
    rank_levers reads: metric planId
    compare_scenarios reads: names planId
    explain_field reads: path
    list_changes reads: field planId
    propose_value proposes: path period planId quote unit value
    ask_advisor proposes: key message planId
    ");
}

#[tokio::test]
async fn figures_are_those_of_the_api_in_cents_and_in_words() {
    let app = world().await;
    let assistant = Assistant::of(&app.riley, READ).await;
    let plan = json!({"planId": app.riley.plan});
    let outputs = app.riley.get(&app.riley.path("/outputs")).await.data();

    let projection = assistant.read("get_projection", plan.clone()).await;
    for (name, metric) in projection["metrics"].as_object().unwrap() {
        assert_eq!(metric["value"], outputs["metrics"][name], "{name}");
        assert_eq!(metric["text"].is_null(), metric["value"].is_null(), "{name}");
    }
    assert_eq!(
        projection["annual"][1]["revenue"]["value"],
        outputs["annual"][1]["revenue"]
    );
    let month = assistant
        .read("get_projection", json!({"planId": app.riley.plan, "month": 6}))
        .await;
    assert_eq!(month["cash"]["value"], outputs["monthly"][5]["endingCash"]);
    let line = assistant
        .read(
            "get_projection",
            json!({"planId": app.riley.plan, "line": "cash", "month": 6}),
        )
        .await;
    assert_eq!(
        (&line["number"], &line["value"]),
        (&month["cash"]["value"], &month["cash"]["text"])
    );

    let fields = assistant
        .read(
            "get_plan",
            json!({"planId": app.riley.plan, "fields": [RENT, "financing"]}),
        )
        .await;
    let held = app.riley.get_plan().await["financialInputs"].clone();
    for field in fields["fields"].as_array().unwrap() {
        let path = field["path"].as_str().unwrap();
        let section = path.split('.').next();
        assert!(path == RENT || section == Some("financing"), "{path}");
        assert_eq!(field["number"], held[path]["currentValue"], "{path}");
    }
    assert_snapshot!(fields["fields"][0], @r#"{"core":true,"label":"Rent per month","number":520000,"path":"operatingCosts.rentMonthly","range":{"high":"$7,000","kind":"item7","low":"$3,000"},"state":"AI","value":"$5,200"}"#);
    assert!(
        assistant.read("get_plan", plan).await["fields"]
            .as_array()
            .unwrap()
            .len()
            > 60
    );
}

#[tokio::test]
async fn cases_goals_and_levers_are_computed_and_change_nothing() {
    let app = world().await;
    let assistant = Assistant::of(&app.riley, READ).await;
    let plan = app.riley.plan;
    let before = app.riley.get_plan().await;
    app.riley
        .post(
            &app.riley.path("/scenarios"),
            &json!({"name": "Lean", "overrides": {RENT: 400_000}}),
        )
        .await
        .data();

    let rest = app
        .riley
        .post(&app.riley.path("/what-if"), &json!({"overrides": {RENT: 400_000}}))
        .await
        .data();
    let changes = json!([{"path": "Rent per month", "value": 4000}]);
    let supposed = assistant
        .read("what_if", json!({"planId": plan, "changes": changes}))
        .await;
    assert_eq!(supposed["after"]["lowestCash"]["value"], rest["metrics"]["lowestCash"]);
    assert_snapshot!(supposed["values"], @r#"[{"insteadOf":{"text":"$5,200","value":520000},"path":"operatingCosts.rentMonthly","value":{"text":"$4,000","value":400000}}]"#);
    let compared = assistant
        .read("compare_scenarios", json!({"planId": plan, "names": ["lean"]}))
        .await;
    assert_eq!(
        compared["scenarios"][0]["metrics"]["lowestCash"]["value"],
        rest["metrics"]["lowestCash"]
    );

    let goal = json!({"metric": "breakEvenMonth", "target": 6, "path": "operatingCosts.rentMonthly"});
    let sought = app.riley.post(&app.riley.path("/goal-seek"), &goal).await.data();
    let found = assistant
        .read(
            "goal_seek",
            json!({"planId": plan, "metric": "breakEvenMonth", "target": 6, "path": RENT}),
        )
        .await;
    assert_eq!(found["found"]["value"]["value"], sought["value"]);
    assert!(found["statement"].as_str().unwrap().ends_with('.'));
    let levers = assistant
        .read("rank_levers", json!({"planId": plan, "metric": "dscrYear1"}))
        .await;
    let first = &levers["levers"][0];
    assert!(
        first["value"]["value"].is_number() && first["now"]["text"].is_string(),
        "{first}"
    );
    assert_eq!(app.riley.get_plan().await, before);
}

#[tokio::test]
async fn fields_changes_and_the_catalogue_are_explained() {
    let app = world().await;
    let assistant = Assistant::of(&app.sam, READ).await;
    assert_snapshot!(shown(assistant.read("explain_field", json!({"path": "rent per month"})).await), @r#"{"alsoCalled":["rent","lease","lease payment","base rent","NNN"],"core":true,"help":"Rent for the location each month, common charges included if you pay them.","kind":"money","label":"Rent per month","path":"operatingCosts.rentMonthly","possible":{"high":{"text":"$100,000,000","value":10000000000},"low":{"text":"$0","value":0}},"typical":{"high":{"text":"$25,000","value":2500000},"low":{"text":"$500","value":50000}}}"#);
    assert_snapshot!(assistant.refusal("explain_field", json!({"path": "moon base"})).await, @"There is no such field. The resource `fields://catalogue` lists all.");
    app.sam.set(RENT, 420_000).await;
    let changes = assistant
        .read("list_changes", json!({"planId": app.sam.plan, "field": RENT}))
        .await["changes"]
        .clone();
    assert_eq!(
        (&changes[0]["numberBefore"], &changes[0]["number"], &changes[0]["to"]),
        (&json!(450_000), &json!(420_000), &json!("$4,200"))
    );
    let listed = assistant.ask("resources/list", json!({})).await["result"]["resources"].clone();
    let uris: Vec<_> = listed
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["uri"].as_str().unwrap().to_owned())
        .collect();
    let plan = format!("plan://{}", app.sam.plan);
    assert_eq!(
        uris,
        [
            "fields://catalogue".to_owned(),
            plan.clone(),
            format!("{plan}/projection.csv")
        ]
    );
    for uri in uris {
        let read = assistant.ask("resources/read", json!({ "uri": uri })).await["result"]["contents"][0].clone();
        let text = read["text"].as_str().unwrap();
        match read["mimeType"].as_str() {
            Some("text/csv") => assert_eq!(text, app.sam.get(&app.sam.path("/outputs.csv")).await.text),
            kind => assert!(
                kind == Some("application/json") && serde_json::from_str::<Value>(text).is_ok(),
                "{read}"
            ),
        }
    }
}

#[tokio::test]
async fn the_interview_has_the_missing_numbers_in_their_order_with_help() {
    let app = world().await;
    let assistant = Assistant::of(&app.sam, TALK).await;
    let prompts = assistant.ask("prompts/list", json!({})).await["result"]["prompts"].clone();
    assert_eq!(
        (&prompts[0]["name"], &prompts[0]["arguments"][0]["name"]),
        (&json!("interview"), &json!("planId"))
    );
    let prompt = assistant
        .ask(
            "prompts/get",
            json!({"name": "interview", "arguments": {"planId": app.sam.plan}}),
        )
        .await;
    let message = &prompt["result"]["messages"][0];
    let text = message["content"]["text"].as_str().unwrap();
    let data: Value = text
        .lines()
        .find_map(|line| serde_json::from_str(line).ok())
        .expect("data");
    let paths: Vec<_> = data["missing"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| field["path"].clone())
        .collect();
    let plan = assistant.read("get_plan", json!({"planId": app.sam.plan})).await;
    let missing: Vec<_> = plan["missing"]
        .as_array()
        .unwrap()
        .iter()
        .map(|field| field["path"].clone())
        .collect();
    assert_eq!(paths, missing);
    assert!(paths.len() > 10 && data["missing"][0]["help"].is_string(), "{data}");
    assert!(text.starts_with("Interview me for my financial plan."), "{text}");
}

#[tokio::test]
async fn wrong_arguments_and_names_are_sentences_that_a_model_can_follow() {
    let app = world().await;
    let assistant = Assistant::of(&app.sam, READ).await;
    let plan = app.sam.plan;
    assert_snapshot!(assistant.refusal("GET_PLAN", json!({"planId": plan})).await, @"There is no such tool. The tools are: list_plans, get_plan, get_projection, what_if, goal_seek, rank_levers, compare_scenarios, explain_field, list_changes, propose_value, ask_advisor.");
    assert_snapshot!(assistant.refusal("get_projection", json!({"planId": plan, "year": 6})).await, @"The projection has years 1 to 5 and months 1 to 60.");
    assert_snapshot!(assistant.refusal("what_if", json!({"planId": plan, "changes": []})).await, @"Give 1 to 20 changes.");
    assert_snapshot!(assistant.refusal("what_if", json!({"planId": plan, "changes": [{"path": "rant", "value": 1}]})).await, @r#"There is no field "rant". Did you mean startupCosts.loanFees?"#);
    assert_snapshot!(assistant.refusal("get_plan", json!({"planId": plan, "write": true})).await, @"The arguments do not fit the tool: unknown field `write`, expected one of `field`, `path`, `section`, `fields` at line 1 column 8.");
    assert_snapshot!(assistant.refusal("goal_seek", json!({"planId": plan})).await, @"The arguments do not fit the tool: missing field `metric` at line 1 column 2.");
    assert_snapshot!(assistant.refusal("compare_scenarios", json!({"planId": plan})).await, @"The plan has no scenarios.");
    let unstarted = Assistant::of(&app.taylor, READ).await;
    let started = unstarted.read("get_plan", json!({"planId": app.taylor.plan})).await;
    assert_eq!(started["metrics"], Value::Null);
}
