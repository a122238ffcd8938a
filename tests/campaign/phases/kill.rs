//! F1 to F5: the process dies at random points with eight turns in flight.

use crate::client::Turn;
use crate::fixture::Fixture;
use crate::rng::Rng;
use crate::server::Server;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

const IN_FLIGHT: usize = 8;

pub async fn run(fixture: &Arc<Fixture>) {
    let cycles = if fixture.full { 250 } else { 20 };
    // Retries go to a second process that is not killed; a turn that is killed repeatedly would never end.
    let second = fixture.serve().await;
    let mut slowest = Duration::ZERO;
    let mut victim = start(fixture, &mut slowest).await;
    for cycle in 0..cycles {
        if fixture.time_is_up() {
            break;
        }
        let mut rng = Rng::of(fixture.seed, "kill", cycle);
        // Each kill leaves eight turns that wait for their leases; their readers must not exceed the second process's limits.
        while fixture.later.len() > 100 {
            sleep(Duration::from_millis(50)).await;
        }
        for _ in 0..IN_FLIGHT {
            let pieces = usize::try_from(rng.between(1, 12)).unwrap_or(1);
            let pause = rng.between(0, 40);
            let turn = Turn::with_value(fixture, fixture.take_plan(), &mut rng, pieces, pause);
            let base = victim.base.clone();
            fixture.later.spawn(async move {
                turn.attempt(&base).await;
                turn.finish_later();
            });
        }
        // Anywhere from before the claim to after the commit.
        sleep(Duration::from_micros(rng.between(500, 450_000))).await;
        victim.kill();
        fixture.fault("F1-F5", "process killed with eight turns in flight");
        victim = start(fixture, &mut slowest).await;
    }
    println!("  {cycles} kills; slowest start {} ms", slowest.as_millis());
    fixture.expect(slowest < Duration::from_secs(10), || {
        format!("a start took {slowest:?}")
    });
    fixture.unlist(&second);
}

async fn start(fixture: &Fixture, slowest: &mut Duration) -> Server {
    let server = Server::start(&fixture.start())
        .await
        .unwrap_or_else(|error| panic!("the server: {error}"));
    *slowest = (*slowest).max(server.ready_after);
    server
}
