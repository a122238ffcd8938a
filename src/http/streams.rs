//! Open streams: how many a person has, and whether they may still listen.
//!
//! A stream outlives the check at its beginning. While any is open, all of them are looked at together every few seconds,
//! in two statements whatever their number; one whose session, role or plan is gone ends.

use super::extract::PlanAccess;
use super::extract::plan::may_touch;
use crate::app::AppState;
use crate::model::ids::{PlanId, UserId};
use crate::store::StoreResult;
use crate::store::plans::PlanOwner;
use crate::store::sessions;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// A lost right ends a stream within five seconds.
const LOOK_EVERY: Duration = Duration::from_secs(4);

/// The open streams of this process.
#[derive(Clone, Default)]
pub struct Streams {
    open: Arc<Mutex<Open>>,
    leaving: CancellationToken,
}

#[derive(Default)]
struct Open {
    last: u64,
    /// One task looks after all of them, however often the last one leaves and a new first one comes.
    watched: bool,
    streams: HashMap<u64, Listener>,
}

#[derive(Clone)]
struct Listener {
    access: PlanAccess,
    revoked: CancellationToken,
}

/// A place among the open streams; dropping it leaves.
pub struct StreamGuard {
    id: u64,
    pub revoked: CancellationToken,
    /// The process ends: who listens to another instance had better ask there.
    pub leaving: CancellationToken,
    streams: Streams,
}

impl Drop for StreamGuard {
    fn drop(&mut self) {
        self.streams.lock().streams.remove(&self.id);
    }
}

impl Streams {
    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Streams in this person's name.
    #[must_use]
    pub fn count_of(&self, user: UserId) -> usize {
        self.lock()
            .streams
            .values()
            .filter(|listener| listener.access.caller.effective.id == user)
            .count()
    }

    /// Enters a stream; the first one starts the watch.
    #[must_use]
    pub fn enter(&self, app: &AppState, access: PlanAccess) -> StreamGuard {
        let revoked = CancellationToken::new();
        let mut open = self.lock();
        let first = !std::mem::replace(&mut open.watched, true);
        open.last += 1;
        let id = open.last;
        open.streams.insert(
            id,
            Listener {
                access,
                revoked: revoked.clone(),
            },
        );
        drop(open);
        if first {
            tokio::spawn(self.clone().watch(app.clone()));
        }
        StreamGuard {
            id,
            revoked,
            leaving: self.leaving.clone(),
            streams: self.clone(),
        }
    }

    /// Ends the streams that wait for another instance, now and from now on.
    pub fn leave(&self) {
        self.leaving.cancel();
    }

    async fn watch(self, app: AppState) {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            let listeners: Vec<Listener> = {
                let mut open = self.lock();
                open.watched = !open.streams.is_empty();
                open.streams.values().cloned().collect()
            };
            metrics::gauge!("plan_advisor_open_streams").set(u32::try_from(listeners.len()).unwrap_or(u32::MAX));
            if listeners.is_empty() {
                return;
            }
            // A database that cannot be asked has not said no.
            if let Ok(revoked) = lost(&app, &listeners).await {
                revoked.iter().for_each(|listener| listener.revoked.cancel());
            }
        }
    }
}

async fn lost<'a>(app: &AppState, listeners: &'a [Listener]) -> StoreResult<Vec<&'a Listener>> {
    let conn = app.db.conn().await?;
    let ids: Vec<Vec<u8>> = listeners
        .iter()
        .map(|listener| sessions::hash_of(&listener.access.session.0))
        .collect();
    let plans: Vec<PlanId> = listeners.iter().map(|listener| listener.access.id()).collect();
    let (alive, owners) = futures_util::try_join!(sessions::list_alive(&conn, &ids), PlanOwner::list(&conn, &plans))?;
    let now = alive
        .first()
        .map_or_else(|| app.clock.now(), |session| app.clock.or_told(session.asked_at));
    let alive: HashMap<_, _> = alive.into_iter().map(|session| (session.id.clone(), session)).collect();
    let owners: HashMap<_, _> = owners.into_iter().map(|plan| (plan.id, plan)).collect();
    let may_listen = |listener: &Listener, id: &Vec<u8>| {
        let caller = &listener.access.caller;
        let in_time = caller.impersonation.as_ref().is_none_or(|terms| terms.expires_at > now);
        let same = alive.get(id).is_some_and(|session| {
            session.role == caller.actor.role.as_str() && session.impersonating == caller.impersonation.is_some()
        });
        in_time
            && same
            && owners
                .get(&listener.access.plan.id)
                .is_some_and(|plan| may_touch(caller, plan))
    };
    Ok(listeners
        .iter()
        .zip(&ids)
        .filter(|(listener, id)| !may_listen(listener, id))
        .map(|(listener, _)| listener)
        .collect())
}
