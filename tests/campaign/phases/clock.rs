//! F47: the clock of one of two processes jumps by an hour, forth and back. In the long form, with Debian's faketime.

use crate::driver::Turn;
use crate::kinds::RESET;
use crate::model::Script;
use crate::outcome::Outcome;
use crate::rng::Rng;
use crate::server::Server;
use crate::world::{DATABASE, World};
use futures_util::future::join_all;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;
use uuid::Uuid;

/// Shorter than a jump: whoever believes the process's clock ends sessions, or never does.
const IDLE_MINUTES: &str = "45";

pub async fn run(world: &Arc<World>) {
    if !world.full {
        return;
    }
    let Some(library) = library() else {
        return world.leave_out("F47", "libfaketime is not installed");
    };
    let clock = world.dir.join("clock");
    turn_to(&clock, 0);
    let usual = || world.start().with("SESSION_IDLE_MINUTES", IDLE_MINUTES);
    let start = usual()
        .with("LD_PRELOAD", library)
        .with("FAKETIME_TIMESTAMP_FILE", clock.to_string_lossy())
        .with("FAKETIME_NO_CACHE", "1")
        .with("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    let plain = usual();
    let (jumper, steady) = match tokio::join!(Server::start(&start), Server::start(&plain)) {
        (Ok(jumper), Ok(steady)) => (jumper, steady),
        failed => return world.violation(format!("with a clock that jumps: {failed:?}")),
    };
    [&jumper, &steady].iter().for_each(|server| world.enlist(server));
    let mut rng = Rng::of(world.seed, "clock", 0);
    // Longer than leases are renewed apart; runs through all the jumps.
    let slow = Script {
        pieces: 60,
        pause: 500,
        ..Script::default()
    };
    let long = Turn::new(world, world.take_plan(), &mut rng, "Take your time.", slow);
    let jumps = async {
        long.reached_the_model().await;
        for round in 0..20 {
            let hours = if round % 2 == 0 { 1 } else { -1 };
            let mut chance = Rng::of(world.seed, "jump", round);
            jump(world, [&jumper, &steady], &clock, hours, &mut chance).await;
        }
    };
    let (outcome, ()) = tokio::join!(long.attempt(&jumper.base), jumps);
    world.expect(matches!(outcome, Outcome::Done(_)), || {
        format!("while the clock jumped a turn came to {outcome:?}")
    });
    let again = format!(
        "select attempt::text from prompts where idempotency_key = '{}'",
        long.key
    );
    let again = world.postgres.rows(DATABASE, &again).await;
    world.expect(again[0][0].as_deref() == Some("1"), || {
        format!("while the clock jumped a turn was taken over: {again:?}")
    });
    [&jumper, &steady].iter().for_each(|server| world.strike(server));
}

/// One jump: with turns on their way at both, a question that waits for its yes, and sessions from both.
async fn jump(world: &Arc<World>, [jumper, steady]: [&Server; 2], clock: &Path, hours: i64, rng: &mut Rng) {
    let bases = [&jumper.base, &steady.base];
    let plan = world.take_plan();
    let asked = ask(world, &jumper.base, plan, rng).await;
    let turns: Vec<Turn> = (0..4)
        .map(|_| Turn::with_value(world, world.take_plan(), rng, 6, 50))
        .collect();
    let attempts = join_all(turns.iter().enumerate().map(|(nth, turn)| turn.attempt(bases[nth % 2])));
    let (outcomes, ()) = tokio::join!(attempts, async {
        sleep(Duration::from_millis(rng.between(10, 250))).await;
        turn_to(clock, hours);
    });
    world.fault(
        "F47",
        &format!("clock {} by an hour", if hours > 0 { "forth" } else { "back" }),
    );
    for outcome in outcomes {
        world.expect(matches!(outcome, Outcome::Done(_)), || {
            format!("when the clock jumped a turn came to {outcome:?}")
        });
    }
    turns.into_iter().for_each(Turn::finish_later);
    let Some(asked) = asked else {
        return world.violation("no question was asked before the clock jumped".into());
    };
    // The database's clock decides: what it calls over is over, and what it calls alive is alive.
    let over = rng.below(2) == 0;
    if over {
        let end = format!(
            "update pending_actions set expires_at = now() - interval '1 millisecond' where plan_id = '{plan}'"
        );
        world.postgres.rows(DATABASE, &end).await;
    }
    let status = approve(world, &jumper.base, plan, &asked).await;
    world.expect((status == 200) != over, || {
        format!("{hours} h off, a question that was over: {over} was answered with {status}")
    });
    sessions(world, bases, hours).await;
    world.give_back(plan);
}

/// A turn that ends with a question. Its id.
async fn ask(world: &Arc<World>, base: &str, plan: Uuid, rng: &mut Rng) -> Option<String> {
    let dollars = rng.between(2_000, 9_000);
    let script = Script {
        tool: Some(("operatingCosts.rentMonthly", dollars.to_string())),
        ..Script::default()
    };
    let value = Turn::new(world, plan, rng, &format!("My rent is ${dollars} a month."), script);
    value.finish(Duration::from_secs(20)).await;
    let script = Script {
        tool: Some((RESET, String::new())),
        ..Script::default()
    };
    let turn = Turn::new(world, plan, rng, "Please set everything back.", script);
    match turn.attempt(base).await {
        Outcome::Done(done) => done["pendingConfirmation"]["id"].as_str().map(str::to_owned),
        _ => None,
    }
}

async fn approve(world: &World, base: &str, plan: Uuid, id: &str) -> u16 {
    let request = world
        .http
        .post(format!("{base}/api/plans/{plan}/conversation/confirmation"))
        .header("cookie", world.cookie())
        .json(&json!({"id": id, "decision": "approve"}));
    request.send().await.map_or(0, |response| response.status().as_u16())
}

/// Who logs in at one is known at the other, and stays so.
async fn sessions(world: &World, bases: [&String; 2], hours: i64) {
    for (at, other) in [(bases[0], bases[1]), (bases[1], bases[0])] {
        let Some(cookie) = world.another_login(at).await else {
            world.violation(format!("{hours} h off, a login failed"));
            continue;
        };
        for base in [at, other] {
            let request = world.http.get(format!("{base}/api/auth/me")).header("cookie", &cookie);
            let status = request.send().await.map_or(0, |response| response.status().as_u16());
            world.expect(status == 200, || {
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
