//! F47: the clock of one of two processes jumps an hour ahead and back. Long form only, with Debian's faketime.

use crate::client::Turn;
use crate::fixture::{DATABASE, Fixture};
use crate::model::Script;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::server::Server;
use crate::wire::RESET;
use futures_util::future::join_all;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;
use uuid::Uuid;

/// Shorter than a jump: code that used the process's clock would end sessions early, or never.
const IDLE_MINUTES: &str = "45";

pub async fn run(fixture: &Arc<Fixture>) {
    if !fixture.full {
        return;
    }
    let Some(library) = library() else {
        return fixture.leave_out("F47", "libfaketime is not installed");
    };
    let clock = fixture.dir.join("clock");
    turn_to(&clock, 0);
    let usual = || fixture.start().with("SESSION_IDLE_MINUTES", IDLE_MINUTES);
    let start = usual()
        .with("LD_PRELOAD", library)
        .with("FAKETIME_TIMESTAMP_FILE", clock.to_string_lossy())
        .with("FAKETIME_NO_CACHE", "1")
        .with("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    let plain = usual();
    let (jumper, steady) = match tokio::join!(Server::start(&start), Server::start(&plain)) {
        (Ok(jumper), Ok(steady)) => (jumper, steady),
        failed => return fixture.violation(format!("with a clock that jumps: {failed:?}")),
    };
    [&jumper, &steady].iter().for_each(|server| fixture.enlist(server));
    let mut rng = Rng::of(fixture.seed, "clock", 0);
    // Longer than the interval of lease renewals; runs through all jumps.
    let slow = Script {
        pieces: 60,
        pause: 500,
        ..Script::default()
    };
    let long = Turn::new(fixture, fixture.take_plan(), &mut rng, "Take your time.", slow);
    let jumps = async {
        long.reached_the_model().await;
        for round in 0..20 {
            let hours = if round % 2 == 0 { 1 } else { -1 };
            let mut chance = Rng::of(fixture.seed, "jump", round);
            jump(fixture, [&jumper, &steady], &clock, hours, &mut chance).await;
        }
    };
    let (outcome, ()) = tokio::join!(long.attempt(&jumper.base), jumps);
    fixture.expect(matches!(outcome, Outcome::Done(_)), || {
        format!("while the clock jumped a turn came to {outcome:?}")
    });
    let again = format!(
        "select attempt::text from prompts where idempotency_key = '{}'",
        long.key
    );
    let again = fixture.postgres.rows(DATABASE, &again).await;
    fixture.expect(again[0][0].as_deref() == Some("1"), || {
        format!("while the clock jumped a turn was taken over: {again:?}")
    });
    [&jumper, &steady].iter().for_each(|server| fixture.unlist(server));
}

/// One jump, with running turns at both processes, a pending confirmation, and sessions from both.
async fn jump(fixture: &Arc<Fixture>, [jumper, steady]: [&Server; 2], clock: &Path, hours: i64, rng: &mut Rng) {
    let bases = [&jumper.base, &steady.base];
    let plan = fixture.take_plan();
    let asked = ask(fixture, &jumper.base, plan, rng).await;
    let turns: Vec<Turn> = (0..4)
        .map(|_| Turn::with_value(fixture, fixture.take_plan(), rng, 6, 50))
        .collect();
    let attempts = join_all(turns.iter().enumerate().map(|(nth, turn)| turn.attempt(bases[nth % 2])));
    let (outcomes, ()) = tokio::join!(attempts, async {
        sleep(Duration::from_millis(rng.between(10, 250))).await;
        turn_to(clock, hours);
    });
    fixture.fault(
        "F47",
        &format!("clock {} by an hour", if hours > 0 { "ahead" } else { "back" }),
    );
    for outcome in outcomes {
        fixture.expect(matches!(outcome, Outcome::Done(_)), || {
            format!("when the clock jumped a turn came to {outcome:?}")
        });
    }
    turns.into_iter().for_each(Turn::finish_later);
    let Some(asked) = asked else {
        return fixture.violation("no question was asked before the clock jumped".into());
    };
    // The database's clock decides what has expired and what has not.
    let over = rng.below(2) == 0;
    if over {
        let end = format!(
            "update pending_actions set expires_at = now() - interval '1 millisecond' where plan_id = '{plan}'"
        );
        fixture.postgres.rows(DATABASE, &end).await;
    }
    let status = approve(fixture, &jumper.base, plan, &asked).await;
    fixture.expect((status == 200) != over, || {
        format!("{hours} h off, a question that was over: {over} was answered with {status}")
    });
    sessions(fixture, bases, hours).await;
    fixture.give_back(plan);
}

/// Runs a turn that ends with a confirmation. Returns the confirmation's id.
async fn ask(fixture: &Arc<Fixture>, base: &str, plan: Uuid, rng: &mut Rng) -> Option<String> {
    let dollars = rng.between(2_000, 9_000);
    let script = Script {
        tool: Some(("operatingCosts.rentMonthly", dollars.to_string())),
        ..Script::default()
    };
    let value = Turn::new(fixture, plan, rng, &format!("My rent is ${dollars} a month."), script);
    value.finish(Duration::from_secs(20)).await;
    let script = Script {
        tool: Some((RESET, String::new())),
        ..Script::default()
    };
    let turn = Turn::new(fixture, plan, rng, "Please set everything back.", script);
    match turn.attempt(base).await {
        Outcome::Done(done) => done["pendingConfirmation"]["id"].as_str().map(str::to_owned),
        _ => None,
    }
}

async fn approve(fixture: &Fixture, base: &str, plan: Uuid, id: &str) -> u16 {
    let request = fixture
        .http
        .post(format!("{base}/api/plans/{plan}/conversation/confirmation"))
        .header("cookie", fixture.cookie())
        .json(&json!({"id": id, "decision": "approve"}));
    request.send().await.map_or(0, |response| response.status().as_u16())
}

/// A session made at one process is valid at the other, and stays valid.
async fn sessions(fixture: &Fixture, bases: [&String; 2], hours: i64) {
    for (at, other) in [(bases[0], bases[1]), (bases[1], bases[0])] {
        let Some(cookie) = fixture.another_login(at).await else {
            fixture.violation(format!("{hours} h off, a login failed"));
            continue;
        };
        for base in [at, other] {
            let request = fixture
                .http
                .get(format!("{base}/api/auth/me"))
                .header("cookie", &cookie);
            let status = request.send().await.map_or(0, |response| response.status().as_u16());
            fixture.expect(status == 200, || {
                format!("{hours} h off, a new session came to {status}")
            });
        }
    }
}

fn turn_to(clock: &Path, hours: i64) {
    let next = clock.with_extension("next");
    let written = std::fs::write(&next, format!("{hours:+}h\n")).and_then(|()| std::fs::rename(&next, clock));
    written.expect("the clock can be turned");
}

fn library() -> Option<String> {
    let folders = std::fs::read_dir("/usr/lib").ok()?;
    let mut places = folders.filter_map(|entry| Some(entry.ok()?.path().join("faketime/libfaketimeMT.so.1")));
    places
        .find(|path: &PathBuf| path.exists())
        .map(|path| path.to_string_lossy().into_owned())
}
