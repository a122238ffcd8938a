//! The copy of everything that is held about a person.

use super::{RENT, SAID, talked};
use crate::archive::spoken;
use crate::support::{Client, TestApp, says};
use insta::assert_snapshot;
use serde_json::{Value, json};

pub async fn export(client: &Client) -> Value {
    let reply = client.get("/api/me/export").await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    reply.json()
}

fn list<'a>(of: &'a Value, key: &str) -> &'a [Value] {
    of[key].as_array().unwrap_or_else(|| panic!("{key} of {of}"))
}

#[tokio::test]
async fn everything_held_about_a_person_is_in_one_document() {
    let app = TestApp::spawn().await;
    talked(&app).await;
    let sam = &app.sam;
    let scenario = json!({"name": "Cheap rent", "overrides": {RENT: 300_000}});
    assert_eq!(sam.post(&sam.path("/scenarios"), &scenario).await.status, 201);
    app.admin
        .on_plan(sam.plan)
        .set("operatingCosts.insuranceMonthly", 30_000)
        .await;
    let id = sam.id;
    app.database
        .run(&format!(
            "INSERT INTO access_tokens (id, user_id, name, hash, scopes, expires_at) \
                 VALUES (gen_random_uuid(), '{id}', 'My script', '\\xdeadbeefcafe', '{{read}}', now() + interval '1 day'); \
             INSERT INTO user_identities (issuer, subject, user_id) VALUES ('https://id.test', 'sam-at-id', '{id}'); \
             INSERT INTO login_devices (id, user_id, expires_at) VALUES ('\\xdeadbeefcafe', '{id}', now() + interval '1 day'); \
             INSERT INTO rate_limits (user_id, kind, tokens, refilled_at) VALUES ('{id}', 'turns', 29, now()); \
             INSERT INTO invitations (id, token_hash, email, role, invited_by, expires_at) \
                 SELECT gen_random_uuid(), '\\xdeadbeefcafe', 'sam@demo.test', 'franchisee', u.id, now() FROM users u WHERE u.email = 'admin@demo.test'; \
             INSERT INTO invitations (id, token_hash, email, role, invited_by, expires_at) \
                 VALUES (gen_random_uuid(), '\\xdeadbeef', 'guest@demo.test', 'franchisee', '{id}', now()); \
             INSERT INTO audit_events (id, kind, actor_id, detail) \
                 VALUES (gen_random_uuid(), 'invitation_created', '{id}', '{{\"email\": \"guest@demo.test\"}}'); \
             INSERT INTO audit_events (id, kind, detail) VALUES (gen_random_uuid(), 'user_changed', '{{\"userId\": \"{id}\"}}')"
        ))
        .await;

    let reply = sam.get("/api/me/export").await;
    let all = reply.json();

    assert_eq!(reply.header("content-type"), Some("application/json"));
    let named = reply.header("content-disposition").unwrap_or_default();
    assert!(
        named.starts_with("attachment; filename=\"plan-advisor-export-20"),
        "{named}"
    );
    assert_eq!(
        (&all["profile"]["email"], &all["profile"]["hasPassword"]),
        (&json!("sam@demo.test"), &json!(true))
    );
    assert_eq!(list(&all, "identities")[0]["subject"], "sam-at-id");
    assert_eq!(list(&all, "tokens")[0]["name"], "My script");
    assert_eq!((list(&all, "sessions").len(), list(&all, "devices").len()), (1, 1));
    assert_eq!(list(&all, "invitations")[0]["invitedByName"], "Avery Stone");
    assert_eq!(list(&all, "invitationsSent").len(), 1);
    let plan = &list(&all, "plans")[0];
    assert_eq!((list(&all, "plans").len(), &plan["id"]), (1, &json!(sam.plan)));
    assert_eq!(plan["financialInputs"][RENT]["currentValue"], 444_000);
    let told: Vec<&Value> = list(plan, "conversation")
        .iter()
        .map(|message| &message["content"])
        .collect();
    let history = sam.history().await;
    assert_eq!(
        told,
        history.iter().map(|message| &message["content"]).collect::<Vec<_>>()
    );
    let inputs: Vec<&Value> = list(plan, "turns").iter().map(|turn| &turn["input"]).collect();
    assert_eq!(
        (inputs.len(), inputs[3]),
        (4, &json!("Frieda once more")),
        "also of the turn that failed"
    );
    assert_eq!(list(plan, "values").len(), 2);
    assert_eq!(list(plan, "scenarios")[0]["name"], "Cheap rent");
    let changes = list(plan, "changes");
    assert_eq!((changes.len(), &changes[1]["actorName"]), (2, &json!("Avery Stone")));
    let kinds: Vec<&Value> = list(&all, "auditEvents").iter().map(|event| &event["kind"]).collect();
    for kind in ["data_exported", "invitation_created", "user_changed"] {
        assert!(kinds.contains(&&json!(kind)), "{kind}: {kinds:?}");
    }
    let known_since = list(&all, "devices")[0]["createdAt"].as_str().unwrap_or_default();
    let turns = &list(&all, "limits")[0];
    assert_eq!((&turns["kind"], &turns["tokens"]), (&json!("turns"), &json!(29)));
    let refilled_at = turns["refilledAt"].as_str();
    assert!(refilled_at.is_some_and(|time| time.ends_with('Z')), "{refilled_at:?}");
    assert!(known_since.ends_with('Z'), "{known_since}");
    assert!(!reply.text.contains("+00:00"));
    for words in SAID {
        assert!(reply.text.contains(words), "{words}");
    }
    for secret in ["argon2", "deadbeef", "admin@demo.test", "guest@demo.test", "riley"] {
        assert!(!reply.text.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn what_an_administrator_did_in_other_plans_is_theirs_and_the_figures_are_not() {
    let app = TestApp::spawn().await;
    app.llm.script([says("Noted.")]);
    let admin = app.admin.on_plan(app.sam.plan);
    admin.set(RENT, 4_321_987).await;
    admin.send("I look after this plan").await;

    let reply = app.admin.get("/api/me/export").await;

    let all = reply.json();
    let done = &all["inOtherPlans"];
    assert_eq!(list(done, "turns")[0]["input"], "I look after this plan");
    assert!(list(done, "changes").iter().any(|change| change["field"] == RENT));
    assert_eq!(list(&all, "plans").len(), 0);
    assert!(!reply.text.contains("4321987"));
    assert!(
        !export(&app.sam).await["inOtherPlans"]
            .to_string()
            .contains("look after")
    );
}

#[tokio::test]
async fn long_lists_and_the_archive_are_whole_and_in_order() {
    let app = TestApp::spawn().await;
    app.llm.always(says("Noted."));
    spoken(&app.database, app.sam.plan, 538).await;
    app.sam.send("The 539th").await;
    let plan = app.sam.plan;
    app.database
        .run(&format!(
            "INSERT INTO prompts (id, plan_id, user_id, actor_id, model, state, input, owner, lease_until, created_at) \
             SELECT gen_random_uuid(), p.id, p.user_id, p.user_id, 'm', 'completed', 'turn ' || n, gen_random_uuid(), now(), \
                 now() - interval '1 day' + n / 3 * interval '1 s' FROM plans p, generate_series(1, 130) n WHERE p.id = '{plan}'; \
             INSERT INTO plan_changes (id, plan_id, field, new_value, source, reason, actor_id, effective_user_id) \
             SELECT gen_random_uuid(), p.id, 'f' || n, '{{}}', 's', 'entry', p.user_id, p.user_id FROM plans p, generate_series(1, 450) n WHERE p.id = '{plan}'; \
             INSERT INTO plans (id, user_id, brand_version_id, name) \
             SELECT gen_random_uuid(), p.user_id, p.brand_version_id, 'further ' || n FROM plans p, generate_series(1, 25) n WHERE p.id = '{plan}'"
        ))
        .await;

    let all = export(&app.sam).await;

    let plans = list(&all, "plans");
    assert_eq!(plans.len(), 26);
    let long = plans
        .iter()
        .find(|plan| plan["id"] == json!(app.sam.plan))
        .expect("the plan");
    let told: Vec<&Value> = list(long, "conversation")
        .iter()
        .map(|message| &message["content"])
        .collect();
    assert_eq!(
        (told.len(), told[0], told[537]),
        (540, &json!("message 1"), &json!("message 538"))
    );
    assert_eq!((told[500], told[539]), (&json!("message 501"), &json!("Noted.")));
    let turns: Vec<&str> = list(long, "turns")
        .iter()
        .map(|turn| turn["id"].as_str().unwrap())
        .collect();
    let different: std::collections::BTreeSet<_> = turns.iter().collect();
    assert_eq!(
        (turns.len(), different.len()),
        (131, 131),
        "many of one time: none is missing or twice"
    );
    let fields: Vec<String> = list(long, "changes")
        .iter()
        .map(|change| change["field"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(fields, (1..=450).map(|n| format!("f{n}")).collect::<Vec<_>>());
}

#[tokio::test]
async fn only_the_person_gets_it_and_at_most_three_times_a_minute() {
    let app = TestApp::spawn().await;
    assert_snapshot!(app.anonymous().get("/api/me/export").await.refusal(), @"401 UNAUTHENTICATED: Log in first.");
    for _ in 0..3 {
        assert_eq!(app.sam.get("/api/me/export").await.status, 200);
    }
    let refused = app.sam.get("/api/me/export").await;
    assert_snapshot!(refused.refusal(), @"429 RATE_LIMITED: That was asked for a moment ago. Wait a minute.");
    assert_eq!(refused.header("retry-after"), Some("60"));
    assert_eq!(app.riley.get("/api/me/export").await.status, 200);
    app.database
        .run(
            "BEGIN; SET LOCAL session_replication_role = replica; \
             UPDATE audit_events SET created_at = created_at - interval '61 s' WHERE kind = 'data_exported'; COMMIT",
        )
        .await;
    assert_eq!(app.sam.get("/api/me/export").await.status, 200, "a minute later");
    for mode in ["read", "edit"] {
        let admin = app.session_of(&app.admin).await;
        let app_admin = admin;
        let reply = app_admin
            .post(
                "/api/admin/impersonation",
                &json!({"userId": app.sam.id, "reason": "Ticket 1", "mode": mode}),
            )
            .await;
        let mut acting = app_admin.clone();
        acting.cookie = crate::auth::cookie_of(&reply);
        assert_eq!(
            acting.get("/api/me/export").await.failure(),
            (403, "FORBIDDEN".to_owned()),
            "{mode}"
        );
    }
}
