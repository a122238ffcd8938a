//! F58 to F60: what one person does to others by reading, leaving and writing a lot.

use crate::fixture::{DATABASE, EMAIL, Fixture, PASSWORD};
use crate::person::whole;
use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use uuid::Uuid;

/// Nobody else waits longer for an ordinary request.
const PATIENCE: Duration = Duration::from_secs(2);

const LEAVER: &str = "leaver@campaign.test";

pub async fn run(fixture: &Arc<Fixture>) {
    let server = fixture.serve().await;
    huge_history(fixture, &server.base).await;
    removal(fixture, &server.base).await;
    fixture.unlist(&server);
    burst(fixture).await;
}

/// A person whose words are like the campaign's, with a plan and a session of their own.
async fn add_leaver(fixture: &Fixture, base: &str) -> Option<(Uuid, String)> {
    let plan = Uuid::now_v7();
    let added = format!(
        "insert into users (id, email, display_name, role, brand_id, password_hash) \
         select gen_random_uuid(), '{LEAVER}', 'Leaver', role, brand_id, password_hash from users where email = '{EMAIL}'; \
         insert into plans (id, user_id, brand_version_id, name, financial_inputs) \
         select '{plan}', (select id from users where email = '{LEAVER}'), brand_version_id, 'Leaving', financial_inputs \
         from plans limit 1; select 'added'"
    );
    fixture.postgres.rows(DATABASE, &added).await;
    Some((plan, fixture.login_of(base, LEAVER).await?))
}

async fn status_of(fixture: &Fixture, method: Method, url: String, cookie: &str, body: Option<&Value>) -> u16 {
    let request = fixture.http.request(method, url).header("cookie", cookie);
    let request = match body {
        Some(body) => request.json(body),
        None => request,
    };
    whole(request).await.0
}

/// How long the longest of some ordinary requests of the campaign's own person took.
async fn slowest(fixture: &Fixture, base: &str, until: impl Future<Output = ()>) -> Duration {
    let mut most = Duration::ZERO;
    tokio::pin!(until);
    loop {
        let asked = Instant::now();
        tokio::select! {
            () = &mut until => return most,
            (status, _) = fixture.get(base, "/api/plans") => {
                most = most.max(asked.elapsed());
                fixture.expect(status == 200, || format!("beside a busy person a read came to {status}"));
            }
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn huge_history(fixture: &Arc<Fixture>, base: &str) {
    let Some((plan, cookie)) = add_leaver(fixture, base).await else {
        return fixture.violation("a second person could not log in".into());
    };
    let messages = if fixture.full { 200 } else { 40 };
    let fill = format!(
        "insert into ai_conversations (id, plan_id, archived_count) values (gen_random_uuid(), '{plan}', {messages}); \
         insert into ai_conversation_archive (plan_id, position, message) select '{plan}', n, jsonb_build_object('id', gen_random_uuid(), \
         'turnId', gen_random_uuid(), 'role', case when n % 2 = 1 then 'user' else 'assistant' end, 'content', \
         (select string_agg(md5(n || 'x' || i), '') from generate_series(1, 32768) i), 'extractedValues', null, \
         'timestamp', '2026-01-01T00:00:00Z') from generate_series(1, {messages}) n; select 'filled'"
    );
    fixture.postgres.rows(DATABASE, &fill).await;
    let url = format!("{base}/api/plans/{plan}/conversation");
    let mut statuses = Vec::new();
    let took = slowest(fixture, base, async {
        let reads = (0..12).map(|_| status_of(fixture, Method::GET, url.clone(), &cookie, None));
        statuses = join_all(reads).await;
    })
    .await;
    fixture.faults(
        "F58",
        "history of megabytes read by one person twelve times at once",
        12,
    );
    let (whole, refused) = (count(&statuses, 200), count(&statuses, 429));
    println!(
        "  of 12 reads of {messages} MiB {whole} were answered, {refused} refused; others waited {} ms",
        took.as_millis()
    );
    fixture.expect(whole >= 4 && whole + refused == 12, || {
        format!("reads of a huge history came to {statuses:?}")
    });
    fixture.expect(took < PATIENCE, || {
        format!("beside a huge history a read took {took:?}")
    });
}

async fn removal(fixture: &Arc<Fixture>, base: &str) {
    let rows = if fixture.full { 200_000 } else { 20_000 };
    let fill = format!(
        "insert into audit_events (id, kind, actor_id, effective_user_id) select gen_random_uuid(), 'access_denied', u.id, u.id \
         from users u, generate_series(1, {rows}) where u.email = '{LEAVER}'; select 'filled'"
    );
    fixture.postgres.rows(DATABASE, &fill).await;
    let cookie = fixture.login_of(base, LEAVER).await.unwrap_or_default();
    let password = json!({"password": PASSWORD});
    let mut status = 0;
    let took = slowest(fixture, base, async {
        let url = format!("{base}/api/me");
        status = status_of(fixture, Method::DELETE, url, &cookie, Some(&password)).await;
    })
    .await;
    fixture.fault("F59", "removal of a person with many rows");
    println!(
        "  a person with {rows} rows was removed; others waited {} ms",
        took.as_millis()
    );
    fixture.expect(status == 204, || format!("a removal came to {status}"));
    fixture.expect(took < PATIENCE, || format!("beside a removal a read took {took:?}"));
}

async fn burst(fixture: &Arc<Fixture>) {
    let start = fixture.start().with("RATE_LIMIT_WRITES_PER_MINUTE", "600");
    let server = match crate::server::Server::start(&start).await {
        Ok(server) => server,
        Err(error) => return fixture.violation(format!("a server with a limit of writes: {error}")),
    };
    let (plan, cookie) = (fixture.take_plan(), fixture.cookie());
    let url = format!("{}/api/plans/{plan}", server.base);
    let name = json!({"name": "Renamed"});
    let writes = (0..60).map(|_| status_of(fixture, Method::PATCH, url.clone(), &cookie, Some(&name)));
    let statuses = join_all(writes).await;
    fixture.faults("F60", "write of a burst within the limit", 60);
    fixture.expect(count(&statuses, 429) == 0, || {
        format!("a burst within the limit came to {statuses:?}")
    });
    fixture.give_back(plan);
}

fn count(statuses: &[u16], wanted: u16) -> usize {
    statuses.iter().filter(|status| **status == wanted).count()
}
