//! F1 to F5: the process dies at random points with eight turns in flight.

use crate::driver::Turn;
use crate::rng::Rng;
use crate::server::Server;
use crate::world::World;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

const IN_FLIGHT: usize = 8;

pub async fn run(world: &Arc<World>) {
    let cycles = if world.full { 250 } else { 20 };
    // Retries go to a sibling that lives; a turn that is killed again and again would never end.
    let survivor = world.serve().await;
    let mut slowest = Duration::ZERO;
    let mut victim = start(world, &mut slowest).await;
    for cycle in 0..cycles {
        if world.time_is_up() {
            break;
        }
        let mut rng = Rng::of(world.seed, "kill", cycle);
        // Each kill leaves eight turns that wait for their leases; the survivor must not drown in their readers.
        while world.later.len() > 100 {
            sleep(Duration::from_millis(50)).await;
        }
        for _ in 0..IN_FLIGHT {
            let pieces = usize::try_from(rng.between(1, 12)).unwrap_or(1);
            let pause = rng.between(0, 40);
            let turn = Turn::with_value(world, world.take_plan(), &mut rng, pieces, pause);
            let base = victim.base.clone();
            world.later.spawn(async move {
                turn.attempt(&base).await;
                turn.finish_later();
            });
        }
        // From before the claim to behind the commit.
        sleep(Duration::from_micros(rng.between(500, 450_000))).await;
        victim.kill();
        world.fault("F1-F5", "process killed with eight turns in flight");
        victim = start(world, &mut slowest).await;
    }
    println!("  {cycles} kills; slowest start {} ms", slowest.as_millis());
    world.expect(slowest < Duration::from_secs(10), || {
        format!("a start took {slowest:?}")
    });
    world.strike(&survivor);
}

async fn start(world: &World, slowest: &mut Duration) -> Server {
    let server = Server::start(&world.start())
        .await
        .unwrap_or_else(|error| panic!("the server: {error}"));
    *slowest = (*slowest).max(server.ready_after);
    server
}
