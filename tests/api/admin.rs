//! Acting for another user, and who may reach what.

use crate::auth::cookie_of;
use crate::support::{Client, Reply, TestApp, audited, shown};
use insta::assert_snapshot;
use plan_model::clock::Clock;
use reqwest::Method;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

const RENT: &str = "operatingCosts.rentMonthly";
const ADDRESS: &str = "/api/admin/impersonation";

/// An administrator's browser that acts for another user.
pub async fn begin(app: &TestApp, whom: &Client, mode: &str) -> (Client, Reply) {
    let reply = app
        .admin
        .post(
            ADDRESS,
            &json!({"userId": whom.id, "reason": "Ticket 4711", "mode": mode}),
        )
        .await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    (under(app.admin.on_plan(whom.plan), &reply), reply)
}

/// The same browser, with the cookie it was given.
fn under(mut browser: Client, reply: &Reply) -> Client {
    browser.cookie = cookie_of(reply);
    browser
}

#[tokio::test]
async fn an_administrator_looks_with_the_franchisees_eyes_and_changes_nothing() {
    let app = TestApp::spawn().await;
    let (acting, reply) = begin(&app, &app.sam, "read").await;

    let me = acting.get("/api/auth/me").await.data();
    assert_eq!(me, reply.data());
    assert_snapshot!(shown(&me), @r#"{"effectiveUser":{"brandId":"[id]","displayName":"Sam Rivera","email":"sam@demo.test","id":"[id]","role":"franchisee"},"impersonation":{"expiresAt":"[time]","mode":"read","reason":"Ticket 4711"},"user":{"brandId":null,"displayName":"Avery Stone","email":"admin@demo.test","id":"[id]","role":"platform_admin"}}"#);
    assert_eq!(acting.get("/api/plans").await.data().as_array().map(Vec::len), Some(1));
    assert_eq!(acting.get(&acting.path("/conversation")).await.status, 200);
    for (method, path) in [
        (Method::PATCH, acting.path("/financial-inputs")),
        (Method::POST, acting.path("/conversation")),
        (Method::DELETE, acting.path("/conversation")),
        (Method::DELETE, acting.path("")),
        (Method::POST, "/api/plans".to_owned()),
        (Method::PUT, "/api/me/active-plan".to_owned()),
    ] {
        let reply = acting
            .fetch(acting.request(method.clone(), &path).json(&json!({})))
            .await;
        assert_eq!(reply.failure(), (403, "FORBIDDEN".to_owned()), "{method} {path}");
    }
}

#[tokio::test]
async fn while_acting_the_rights_are_the_franchisees() {
    let app = TestApp::spawn().await;
    let (acting, _) = begin(&app, &app.sam, "edit").await;
    assert_snapshot!(acting.get(&app.riley.path("")).await.refusal(), @"403 FORBIDDEN: This plan belongs to somebody else.");
    assert_snapshot!(acting.get("/api/admin/users?email=demo").await.refusal(), @"403 FORBIDDEN: Only platform administrators may do this.");
    let brand = acting.get("/api/brands").await.data()[0].take();
    assert_eq!(
        acting
            .put(&format!("/api/brands/{}", brand["id"].as_str().expect("an id")), &brand)
            .await
            .failure()
            .0,
        403
    );
}

#[tokio::test]
async fn what_an_administrator_writes_for_somebody_names_both() {
    let app = TestApp::spawn().await;
    let (acting, _) = begin(&app, &app.sam, "edit").await;

    acting.set(RENT, 420_000).await;

    assert_eq!(
        app.sam.held(RENT).await,
        (json!(420_000), "admin:Avery Stone".to_owned())
    );
    assert_snapshot!(audited([&acting.changes().await[0]]), @"operatingCosts.rentMonthly 450000 → 420000, admin:Avery Stone, entry by user | admin@demo.test for sam@demo.test");
}

#[tokio::test]
async fn acting_begins_and_ends_under_new_session_ids_and_is_recorded() {
    let app = TestApp::spawn().await;
    let (acting, _) = begin(&app, &app.sam, "read").await;
    assert_eq!(
        app.admin.get("/api/auth/me").await.failure().0,
        401,
        "the old id is dead"
    );

    let ended = acting.delete(ADDRESS).await;

    assert_eq!(ended.status, 204);
    assert_eq!(
        acting.get("/api/auth/me").await.failure().0,
        401,
        "and so is the one it was done under"
    );
    let admin = under(acting, &ended);
    let me = admin.get("/api/auth/me").await.data();
    assert_eq!(
        (&me["effectiveUser"]["email"], &me["impersonation"]),
        (&json!("admin@demo.test"), &Value::Null)
    );
    assert_eq!(admin.delete(ADDRESS).await.status, 204);
    let recorded = app
        .database
        .values("SELECT kind || ' ' || (detail->>'reason') FROM audit_events WHERE kind = 'impersonation_started'")
        .await;
    assert_eq!(recorded, [Some("impersonation_started Ticket 4711".to_owned())]);
    assert_eq!(
        app.database
            .count("SELECT count(*) FROM audit_events WHERE kind = 'impersonation_ended'")
            .await,
        1
    );
}

#[tokio::test]
async fn acting_is_over_after_an_hour() {
    let app = TestApp::builder()
        .clock(Clock::manual(OffsetDateTime::now_utc()))
        .spawn()
        .await;
    let (acting, _) = begin(&app, &app.sam, "edit").await;
    app.clock().advance(Duration::minutes(59));
    assert_eq!(
        acting.get("/api/auth/me").await.data()["effectiveUser"]["email"],
        "sam@demo.test"
    );
    app.clock().advance(Duration::minutes(1));
    let me = acting.get("/api/auth/me").await.data();
    assert_eq!(
        (&me["effectiveUser"]["email"], &me["impersonation"]),
        (&json!("admin@demo.test"), &Value::Null)
    );
}

#[tokio::test]
async fn only_franchisees_can_be_acted_for_and_only_with_a_reason() {
    let app = TestApp::spawn().await;
    let start = async |client: &Client, body: Value| client.post(ADDRESS, &body).await.failure();
    let forbidden = (403, "FORBIDDEN".to_owned());
    assert_eq!(
        start(&app.sam, json!({"userId": app.riley.id, "reason": "x"})).await,
        forbidden
    );
    assert_eq!(
        start(&app.morgan, json!({"userId": app.sam.id, "reason": "x"})).await,
        forbidden
    );
    assert_eq!(
        start(&app.admin, json!({"userId": app.morgan.id, "reason": "x"})).await,
        forbidden
    );
    assert_eq!(
        start(&app.admin, json!({"userId": app.admin.id, "reason": "x"})).await,
        forbidden
    );
    assert_eq!(
        start(&app.admin, json!({"userId": app.sam.plan, "reason": "x"}))
            .await
            .0,
        404
    );
    for body in [
        json!({"userId": app.sam.id}),
        json!({"userId": app.sam.id, "reason": " "}),
        json!({"userId": app.sam.id, "reason": "x", "mode": "god"}),
        json!({"userId": "x", "reason": "x"}),
    ] {
        assert_eq!(
            start(&app.admin, body.clone()).await,
            (400, "VALIDATION_ERROR".to_owned()),
            "{body}"
        );
    }
}

#[tokio::test]
async fn an_administrator_who_is_none_any_more_stops_acting_at_once() {
    let app = TestApp::spawn().await;
    let (acting, _) = begin(&app, &app.sam, "edit").await;
    app.database
        .run(&format!(
            "UPDATE users SET role = 'franchisee' WHERE id = '{}'",
            app.admin.id
        ))
        .await;
    assert_snapshot!(acting.get(&acting.path("")).await.refusal(), @"403 FORBIDDEN: This plan belongs to somebody else.");
}

#[tokio::test]
async fn people_are_found_by_part_of_their_address() {
    let app = TestApp::spawn().await;
    let find = async |part: &str| {
        let found = app.admin.get(&format!("/api/admin/users?email={part}")).await.data();
        found
            .as_array()
            .expect("a list")
            .iter()
            .map(|user| user["email"].as_str().expect("an address").to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(find("LEY").await, ["riley@demo.test"]);
    assert_eq!(find("").await.len(), 5);
    for odd in ["%25", "_", "%00", "'"] {
        assert_eq!(find(odd).await, Vec::<String>::new(), "{odd}");
    }
    assert_snapshot!(app.sam.get("/api/admin/users").await.refusal(), @"403 FORBIDDEN: Only platform administrators may do this.");
    assert_snapshot!(app.morgan.get("/api/admin/users").await.refusal(), @"403 FORBIDDEN: Only platform administrators may do this.");
}

#[tokio::test]
async fn people_are_listed_page_by_page() {
    let app = TestApp::spawn().await;
    let mut seen = Vec::new();
    let mut after = String::new();
    for pages in 1.. {
        let reply = app.admin.get(&format!("/api/admin/users?limit=2{after}")).await.json();
        let people = reply["data"].as_array().expect("a list");
        assert!(people.len() <= 2 && pages <= 3, "{reply}");
        seen.extend(people.iter().map(|user| user["email"].to_string()));
        match reply["meta"]["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => break,
        }
    }
    assert_eq!(seen.len(), 5);
    assert!(seen.is_sorted(), "{seen:?}");
    for wrong in ["limit=0", "limit=501", "after=x", &format!("after={}", app.sam.plan)] {
        let reply = app.admin.get(&format!("/api/admin/users?{wrong}")).await;
        assert_eq!(reply.failure(), (400, "VALIDATION_ERROR".to_owned()), "{wrong}");
    }
}

/// One documented operation.
struct Operation {
    id: String,
    method: Method,
    path: String,
}

fn operations() -> Vec<Operation> {
    let document = serde_json::to_value(plan_advisor::http::openapi()).expect("plain data");
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("an item") {
            let id = operation["operationId"].as_str().expect("an id").to_owned();
            found.push(Operation {
                id,
                method: method.to_uppercase().parse().expect("a method"),
                path: path.clone(),
            });
        }
    }
    found
}

impl Operation {
    async fn call(&self, client: &Client, plan: &str) -> u16 {
        let path = self
            .path
            .replace("/plans/{id}", &format!("/plans/{plan}"))
            .replace("{name}", "cash")
            .replace("{chatId}", plan);
        let path = [
            "{id}",
            "{change_id}",
            "{extraction_id}",
            "{scenario_id}",
            "{identity_id}",
            "{document_id}",
            "{link_id}",
        ]
        .iter()
        .fold(path, |path, name| {
            path.replace(name, "0199c0de-0000-7000-8000-0000000000aa")
        });
        let request = client.request(self.method.clone(), &path);
        let request = if self.method == Method::GET {
            request
        } else {
            request.json(&json!({}))
        };
        client.fetch(request).await.status
    }
}

/// Every operation has a row here: what it answers to a franchisee, a brand's and a platform's administrator, each with an
/// empty body and, where it names something other than a plan, an id that does not exist. Operations of a plan stand
/// in the second table: the first column is the owner's answer, which is the platform administrator's too.
const OF_NO_PLAN: &[(&str, u16, u16, u16)] = &[
    ("log_in", 400, 400, 400),
    // A session is nothing to an assistant.
    ("ask_as_assistant", 401, 401, 401),
    ("get_resource_metadata", 200, 200, 200),
    ("get_sign_in_methods", 200, 200, 200),
    ("start_single_sign_on", 404, 404, 404),
    ("finish_single_sign_on", 404, 404, 404),
    ("backchannel_logout", 415, 415, 415),
    ("log_out", 204, 204, 204),
    ("log_out_everywhere", 204, 204, 204),
    ("get_me", 200, 200, 200),
    ("get_active_plan", 200, 200, 200),
    ("set_active_plan", 400, 400, 400),
    ("export_data", 200, 200, 200),
    ("remove_account", 400, 400, 400),
    ("start_impersonation", 403, 403, 400),
    ("end_impersonation", 403, 403, 204),
    ("list_users", 403, 403, 200),
    ("change_user", 403, 403, 404),
    ("remove_user", 403, 403, 400),
    ("issue_password_reset", 403, 403, 404),
    ("approve_password_reset", 403, 403, 404),
    ("list_invitations", 403, 200, 200),
    ("create_invitation", 403, 400, 400),
    ("revoke_invitation", 403, 404, 404),
    ("look_at_invitation", 400, 400, 400),
    ("accept_invitation", 400, 400, 400),
    ("reset_password", 400, 400, 400),
    ("change_password", 400, 400, 400),
    ("get_account", 200, 200, 200),
    ("link_identity", 404, 404, 404),
    ("list_identities", 200, 200, 200),
    ("unlink_identity", 400, 400, 400),
    ("list_identities_of_user", 403, 403, 404),
    ("unlink_identity_of_user", 403, 403, 404),
    ("list_sessions", 200, 200, 200),
    ("revoke_session", 404, 404, 404),
    ("list_brands", 200, 200, 200),
    ("get_brand", 404, 404, 404),
    ("create_brand", 403, 403, 400),
    ("replace_brand", 404, 404, 404),
    ("preview_brand", 404, 404, 404),
    ("list_editions", 404, 404, 404),
    ("get_edition", 404, 404, 404),
    ("list_members", 404, 404, 404),
    ("list_plans", 200, 200, 200),
    ("create_plan", 400, 403, 400),
    ("list_fields", 200, 200, 200),
    ("list_metrics", 200, 200, 200),
    ("list_prompts", 200, 200, 200),
    ("list_tokens", 200, 200, 200),
    ("create_token", 400, 400, 400),
    ("delete_token", 404, 404, 404),
    ("get_batch", 400, 400, 400),
    ("get_status", 200, 200, 200),
    ("get_health", 200, 200, 200),
    ("get_readiness", 200, 200, 200),
    ("get_metrics", 200, 200, 200),
    ("get_openapi", 200, 200, 200),
    ("open_shared_document", 404, 404, 404),
];
const OF_A_PLAN: &[(&str, u16)] = &[
    ("get_plan", 200),
    ("delete_plan", 204),
    ("rename_plan", 400),
    ("update_financial_inputs", 200),
    ("get_outputs", 200),
    ("project_what_if", 400),
    ("get_outputs_csv", 200),
    ("get_outputs_xlsx", 200),
    ("get_chart", 200),
    ("list_documents", 200),
    ("create_document", 400),
    ("get_document", 404),
    ("list_document_links", 404),
    ("create_document_link", 400),
    ("revoke_document_link", 404),
    ("get_story", 200),
    ("replace_story", 200),
    ("list_changes", 200),
    ("list_corrections", 200),
    ("leave_corrections", 400),
    ("list_proposals", 200),
    ("resolve_proposals", 400),
    ("list_scenarios", 200),
    ("create_scenario", 400),
    ("replace_scenario", 404),
    ("delete_scenario", 404),
    ("adopt_scenario", 404),
    ("compare_scenarios", 200),
    ("list_cases", 200),
    ("get_sensitivity", 200),
    ("seek_goal", 400),
    ("undo_change", 404),
    ("undo_changes", 400),
    ("send_message", 400),
    ("get_conversation", 200),
    ("clear_conversation", 204),
    ("stream_conversation", 204),
    ("cancel_turn", 204),
    ("erase_words", 204),
    ("accept_extraction", 404),
    ("dismiss_extraction", 404),
    ("get_confirmation", 200),
    ("resolve_confirmation", 400),
    ("get_chat", 200),
    ("send_chat", 400),
    ("resume_chat", 204),
    ("run_agent", 400),
    ("get_agent_capabilities", 200),
];

const WITHOUT_SESSION: &[&str] = &[
    "open_shared_document",
    "get_health",
    "get_readiness",
    "get_metrics",
    "get_openapi",
    "get_resource_metadata",
    "log_in",
    "get_sign_in_methods",
    "start_single_sign_on",
    "finish_single_sign_on",
    "backchannel_logout",
    "look_at_invitation",
    "accept_invitation",
    "reset_password",
];

/// What operations on accounts answer to an administrator who acts for a franchisee: looking only, and editing.
const WHILE_ACTING: &[(&str, u16, u16)] = &[
    ("list_users", 403, 403),
    ("change_user", 403, 403),
    ("remove_user", 403, 403),
    ("issue_password_reset", 403, 403),
    ("list_invitations", 403, 403),
    ("create_invitation", 403, 403),
    ("revoke_invitation", 403, 403),
    ("look_at_invitation", 400, 400),
    ("accept_invitation", 400, 400),
    ("reset_password", 400, 400),
    ("change_password", 403, 403),
    ("get_account", 403, 403),
    ("link_identity", 403, 403),
    ("list_identities", 403, 403),
    ("unlink_identity", 403, 403),
    ("list_identities_of_user", 403, 403),
    ("unlink_identity_of_user", 403, 403),
    ("list_sessions", 403, 403),
    ("revoke_session", 403, 403),
];

#[tokio::test]
async fn accounts_are_out_of_reach_while_acting_for_somebody() {
    let app = TestApp::spawn().await;
    let second = app.session_of(&app.admin).await;
    let (looking, _) = begin(&app, &app.sam, "read").await;
    let body = json!({"userId": app.sam.id, "reason": "Ticket 4711", "mode": "edit"});
    let begun = second.post(ADDRESS, &body).await;
    let editing = under(second, &begun);
    let operations = operations();
    for (id, looks, edits) in WHILE_ACTING {
        let operation = operations.iter().find(|operation| operation.id == *id).expect(id);
        assert_eq!(operation.call(&looking, "").await, *looks, "{id}, looking");
        assert_eq!(operation.call(&editing, "").await, *edits, "{id}, editing");
    }
}

#[tokio::test]
async fn every_operation_answers_every_role_as_the_table_says() {
    let app = TestApp::builder().config(|config| config.http.mcp = true).spawn().await;
    let missing = app.sam.id.to_string();
    for operation in operations() {
        let id = operation.id.as_str();
        let anonymous = operation.call(&app.anonymous(), &app.sam.plan.to_string()).await;
        assert_eq!(
            anonymous == 401,
            !WITHOUT_SESSION.contains(&id),
            "{id}, anonymous: {anonymous}"
        );
        // Sessions of their own, because some operations end them.
        let owner = app.add_franchisee(&format!("Owner{}", id.replace('_', ""))).await;
        let (other, brand, admin) = (
            app.session_of(&app.riley).await,
            app.session_of(&app.morgan).await,
            app.session_of(&app.admin).await,
        );
        let plan = owner.plan.to_string();
        if let Some((_, franchisee, brands, platforms)) = OF_NO_PLAN.iter().find(|row| row.0 == id) {
            assert_eq!(operation.call(&owner, &plan).await, *franchisee, "{id}, franchisee");
            assert_eq!(
                operation.call(&brand, &plan).await,
                *brands,
                "{id}, brand administrator"
            );
            assert_eq!(
                operation.call(&admin, &plan).await,
                *platforms,
                "{id}, platform administrator"
            );
        } else if let Some((_, allowed)) = OF_A_PLAN.iter().find(|row| row.0 == id) {
            assert!(operation.path.starts_with("/api/plans/{id}"), "{id} names no plan");
            for (who, client) in [("another franchisee", &other), ("brand administrator", &brand)] {
                assert_eq!(operation.call(client, &plan).await, 403, "{id}, {who}");
                assert_eq!(operation.call(client, &missing).await, 404, "{id}, {who}, no such plan");
            }
            assert_eq!(
                operation.call(&admin, &missing).await,
                404,
                "{id}, platform administrator, no such plan"
            );
            assert_eq!(operation.call(&owner, &plan).await, *allowed, "{id}, owner");
            if id != "delete_plan" {
                assert_eq!(
                    operation.call(&admin, &plan).await,
                    *allowed,
                    "{id}, platform administrator"
                );
            }
        } else {
            panic!("{} {} ({id}) has no row", operation.method, operation.path);
        }
    }
    assert!(
        app.database
            .count("SELECT count(*) FROM audit_events WHERE kind = 'access_denied'")
            .await
            >= 34
    );
}
