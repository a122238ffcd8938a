//! F1 to F5: the process dies at random points with eight turns in flight.

use crate::driver::Turn;
use crate::rng::Rng;
use crate::world::World;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::sleep;

const IN_FLIGHT: usize = 8;

pub async fn run(world: &Arc<World>) {
    let cycles = if world.full { 200 } else { 10 };
    let mut server = world.serve().await;
    let mut slowest = Duration::ZERO;
    for cycle in 0..cycles {
        let mut rng = Rng::of(world.seed, "kill", cycle);
        for _ in 0..IN_FLIGHT {
            let (pieces, pause) = (rng.between(1, 12), rng.between(0, 40));
            let pieces = usize::try_from(pieces).unwrap_or(1);
            Turn::with_value(world, world.take_plan(), &mut rng, pieces, pause).finish_later();
        }
        // From before the claim to behind the commit.
        sleep(Duration::from_micros(rng.between(500, 450_000))).await;
        server.kill();
        world.strike(&server);
        world.fault("F1-F5", "process killed with eight turns in flight");
        let down = Instant::now();
        server = world.serve().await;
        slowest = slowest.max(down.elapsed());
    }
    println!("  {cycles} kills; slowest start {} ms", slowest.as_millis());
    world.expect(slowest < Duration::from_secs(10), || {
        format!("a start took {slowest:?}")
    });
    world.strike(&server);
}
