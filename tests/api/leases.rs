//! Leases and heartbeats: what happens to one row, or to one turn, happens to no other.

use crate::support::{Freezer, Gate, Instance, TestApp, eventually, on_server, says};
use diesel_async::SimpleAsyncConnection;
use plan_advisor::store::Conn;
use plan_advisor::store::people::users::User;
use plan_advisor::store::turns::pending_actions::PendingAction;
use plan_advisor::store::turns::prompts::{TurnLease, progress_of, publish_progress};
use plan_model::ids::{PlanId, TurnId, UserId};
use uuid::Uuid;

async fn is_running(app: &TestApp, turn: Uuid) -> bool {
    let running = format!("SELECT count(*) FROM prompts WHERE id = '{turn}' AND state = 'running'");
    app.database.count(&running).await == 1
}

#[tokio::test]
async fn a_locked_row_holds_up_nobody_elses_lease_and_is_not_a_lost_one() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.always(says("One").wait(&gate).says(" two."));
    let (mut sams, mut rileys) = (app.sam.open("Count").await, app.riley.open("Count").await);
    sams.until("One").await;
    rileys.until("One").await;
    let (sams_turn, rileys_turn) = (sams.turn(), rileys.turn());
    app.database
        .run("UPDATE prompts SET lease_until = now() + interval '15 seconds'")
        .await;
    let mut lock = app.database.open().await;
    let held = format!(
        "SET idle_in_transaction_session_timeout = 0; BEGIN; SELECT FROM prompts WHERE id = '{sams_turn}' FOR UPDATE"
    );
    lock.batch_execute(&held).await.unwrap();

    let renewed = |turn: Uuid| {
        format!("SELECT count(*) FROM prompts WHERE id = '{turn}' AND lease_until > now() + interval '16 seconds'")
    };
    eventually("riley's lease is renewed", async || {
        assert_eq!(app.sam.get("/readyz").await.status, 200);
        app.database.count(&renewed(rileys_turn)).await == 1
    })
    .await;
    lock.batch_execute("COMMIT").await.unwrap();
    eventually("sam's lease is renewed soon after", async || {
        app.database.count(&renewed(sams_turn)).await == 1
    })
    .await;
    gate.open();
    gate.open();
    assert_eq!(sams.rest().await.text(), "One two.");
    assert_eq!(rileys.rest().await.text(), "One two.");
}

/// A row that takes longer than all leases' statement may, without a lock.
const SLOW_ROW: &str = "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(10); RETURN NEW; END $$; \
    CREATE TRIGGER slow BEFORE UPDATE OF lease_until ON prompts FOR EACH ROW WHEN (NEW.input = 'Slowly') EXECUTE FUNCTION slow()";

#[tokio::test]
async fn a_slow_row_holds_up_neither_the_heartbeat_nor_another_lease() {
    let app = TestApp::spawn().await;
    let gate = Gate::new();
    app.llm.always(says("One").wait(&gate).says(" two."));
    let (mut sams, mut rileys) = (app.sam.open("Slowly").await, app.riley.open("Count").await);
    sams.until("One").await;
    rileys.until("One").await;
    let rileys_turn = rileys.turn();
    app.database
        .run("UPDATE prompts SET lease_until = now() + CASE input WHEN 'Count' THEN interval '20 seconds' ELSE '1 minute' END")
        .await;
    app.database.run(SLOW_ROW).await;
    let renewed = format!(
        "SELECT count(*) FROM prompts WHERE id = '{rileys_turn}' AND lease_until > now() + interval '21 seconds'"
    );
    eventually("riley's lease is renewed", async || {
        assert_eq!(app.sam.get("/readyz").await.status, 200);
        app.database.count(&renewed).await == 1
    })
    .await;
    app.database.run("DROP FUNCTION slow CASCADE").await;
    gate.open();
    gate.open();
    assert_eq!(sams.rest().await.text(), "One two.");
    assert_eq!(rileys.rest().await.text(), "One two.");
}

/// A turn of an owner that does not renew its lease any more.
async fn orphan(app: &TestApp) -> Uuid {
    let id = Uuid::now_v7();
    let (plan, user) = (app.sam.plan, app.sam.id);
    app.database
        .run(&format!(
            "INSERT INTO prompts (id, plan_id, user_id, actor_id, model, state, input, owner, lease_until) \
             VALUES ('{id}', '{plan}', '{user}', '{user}', 'm', 'running', 'Hello', gen_random_uuid(), now() - interval '1 minute')"
        ))
        .await;
    id
}

/// The instance has said that it is alive.
async fn beats(app: &TestApp, instance: &Instance) {
    let id = instance.state.conversations.engine().instance;
    let beats = format!("SELECT count(*) FROM instances WHERE id = '{id}'");
    eventually("a heartbeat", async || app.database.count(&beats).await == 1).await;
}

#[tokio::test]
async fn who_starts_during_an_outage_gives_owners_time_to_come_back() {
    let freezer = Freezer::start().await;
    let mut app = TestApp::spawn().await;
    // Only the instance that starts now could take turns over.
    app.main.end().await;
    freezer.silence_everything();
    let late = app.sibling_with(freezer.between()).await;
    let orphan = orphan(&app).await;
    // It waits for a first write, so by then the first heartbeat has been tried.
    assert_eq!(app.sam.at(&late).get("/readyz").await.status, 503);
    freezer.silence_open_connections();
    beats(&app, &late).await;
    eventually("it answers", async || {
        app.sam.at(&late).get("/api/plans").await.status == 200
    })
    .await;

    let refused = app.sam.at(&late).post_message("Are you there?", &[]).await.reply();
    assert_eq!(refused.failure(), (409, "TURN_IN_PROGRESS".to_owned()));
    assert!(
        is_running(&app, orphan).await,
        "neither the reaper nor a message has taken it over"
    );
    eventually("the time is over", async || !is_running(&app, orphan).await).await;
}

#[tokio::test]
async fn who_starts_beside_a_database_that_answers_takes_over_at_once() {
    let mut app = TestApp::spawn().await;
    app.main.end().await;
    let orphan = orphan(&app).await;
    let fresh = app.sibling().await;
    beats(&app, &fresh).await;
    eventually("it is interrupted", async || !is_running(&app, orphan).await).await;
}

/// A running turn of sam's, held by a lease and, before that, by another one.
async fn leases(app: &TestApp) -> (TurnLease, TurnLease) {
    let turn = TurnId(orphan(app).await);
    let lease = |fence| TurnLease {
        turn,
        attempt: 1,
        fence,
    };
    app.database.run("UPDATE prompts SET fence = 2").await;
    (lease(2), lease(1))
}

#[tokio::test]
async fn a_turn_that_lost_its_lease_drops_no_question_moves_nobody_and_publishes_nothing() {
    let mut app = TestApp::spawn().await;
    app.main.end().await;
    let (held, lost) = leases(&app).await;
    let (plan, user) = (app.sam.plan, app.sam.id);
    app.database
        .run(&format!(
            "INSERT INTO pending_actions (plan_id, id, user_id, turn_id, tool_name, arguments, argument_hash, prompt, expires_at) \
             VALUES ('{plan}', gen_random_uuid(), '{user}', '{}', 'clear_conversation', '{{}}', '', 'Really?', now() + interval '5 minutes'); \
             UPDATE users SET active_plan_id = NULL",
            held.turn
        ))
        .await;
    let state = app.main.state.clone();
    on_server(async move {
        let conn = state.db.conn().await.expect("a connection");
        let action = question(&conn, plan, user).await.expect("a question");
        assert!(!action.drop_in_turn(&conn, lost).await.expect("asked"));
        User::enter_plan(&conn, lost).await.expect("asked");
        publish_progress(&conn, &[(lost, "Old".into())]).await.expect("asked");
        assert!(question(&conn, plan, user).await.is_some());
        assert_eq!(place_and_text(&conn, user, held).await, (None, None));

        assert!(action.drop_in_turn(&conn, held).await.expect("asked"));
        User::enter_plan(&conn, held).await.expect("asked");
        publish_progress(&conn, &[(held, "New".into())]).await.expect("asked");
        assert!(question(&conn, plan, user).await.is_none());
        assert_eq!(
            place_and_text(&conn, user, held).await,
            (Some(plan), Some("New".to_owned()))
        );
    })
    .await;
}

async fn question(conn: &Conn, plan: Uuid, user: Uuid) -> Option<PendingAction> {
    let found = PendingAction::find_live(conn, PlanId(plan), UserId(user)).await;
    found.expect("read")
}

async fn place_and_text(conn: &Conn, user: Uuid, lease: TurnLease) -> (Option<Uuid>, Option<String>) {
    let user = User::find(conn, UserId(user)).await.expect("read").expect("sam");
    let text = progress_of(conn, lease.turn, lease.attempt).await;
    (user.active_plan_id, text.expect("read"))
}
