//! The phases, one file each.

pub mod abuse_limits;
pub mod clients;
pub mod clock;
pub mod crowd;
pub mod db;
pub mod disk;
pub mod failpoints;
pub mod kill;
pub mod leases;
pub mod logs;
pub mod long;
pub mod models;
pub mod network;
pub mod nginx;
pub mod proxies;
pub mod races;
pub mod reads;
pub mod secret_leaks;
pub mod starts;
pub mod versions;

use crate::fixture::Fixture;
use std::sync::Arc;
use std::time::Instant;

/// Runs the named phases, or all, in order. The numbers are their limits in seconds for 20 minutes.
pub async fn run(fixture: &Arc<Fixture>, only: &[String], minutes: u64) {
    macro_rules! phases {
        ($($name:ident $seconds:literal)*) => {$(
            if only.is_empty() || only.iter().any(|name| name == stringify!($name)) {
                let begun = Instant::now();
                println!("phase {}", stringify!($name));
                fixture.allow($seconds * minutes / 20);
                $name::run(fixture).await;
                println!("  {} took {:.1} s", stringify!($name), begun.elapsed().as_secs_f64());
            }
        )*};
    }
    phases! {
        kill 150 failpoints 150 db 110 races 110 proxies 100 leases 120 models 180 clients 60 abuse_limits 40 secret_leaks 30 starts 60
        crowd 60 logs 30 long 60 reads 30 versions 30 network 90 nginx 30 clock 60 disk 120
    }
}
