//! Open streams: their number per user, and whether the user still has access.
//!
//! A stream outlives the check at its beginning. While any is open, all of them are looked at together every few seconds,
//! in four statements whatever their number; one whose session or token, role or plan is gone ends.
//! The number counts in this process only: with N instances a user may have N times as many.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::plan::may_touch;
use crate::http::extract::{Credential, PlanAccess};
use crate::store::people::access_tokens::AliveToken;
use crate::store::people::sessions::AliveSession;
use crate::store::people::users::User;
use crate::store::plans::PlanOwner;
use crate::store::turns::prompts::claim::BUSY_RETRY;
use crate::store::{StoreResult, people::access_tokens, people::sessions};
use plan_model::error::ErrorCode;
use plan_model::ids::{PlanId, UserId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// From one look at all streams to the next: a lost right ends a stream within five seconds.
const LOOK_EVERY: Duration = Duration::from_secs(4);

/// A request that names a turn by its key is never refused for the first limit, so that a client can always find its answer.
/// So many times that limit is refused in any case: one person could take all connections else.
const HIGHEST: usize = 4;

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

impl Listener {
    fn user(&self) -> UserId {
        self.access.caller.effective.id
    }
}

/// A place among the open streams; dropping it leaves.
pub struct StreamGuard {
    id: u64,
    /// With it the user has more streams than allowed.
    pub is_one_too_many: bool,
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

    /// Enters a stream that opens without a turn of its own.
    ///
    /// # Errors
    /// 429 if the user has as many as allowed.
    pub fn enter_within_limit(&self, app: &AppState, access: PlanAccess) -> Result<StreamGuard, AppError> {
        let guard = self.enter(app, access)?;
        if guard.is_one_too_many {
            return Err(too_many());
        }
        Ok(guard)
    }

    /// Enters a stream; the first one starts the watch.
    ///
    /// # Errors
    /// 429 if the user has four times as many as allowed.
    pub fn enter(&self, app: &AppState, access: PlanAccess) -> Result<StreamGuard, AppError> {
        let user = access.caller.effective.id;
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
        let here = open.streams.values().filter(|listener| listener.user() == user).count();
        let most = app.config.limits.rate_limit_streams_per_user as usize;
        drop(open);
        if first {
            tokio::spawn(self.clone().watch(app.clone()));
        }
        let guard = StreamGuard {
            id,
            is_one_too_many: most > 0 && here > most,
            revoked,
            leaving: self.leaving.clone(),
            streams: self.clone(),
        };
        if most > 0 && here > most.saturating_mul(HIGHEST) {
            return Err(too_many());
        }
        Ok(guard)
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

fn too_many() -> AppError {
    let message = "Too many streams are open. Close another tab first.";
    AppError::new(ErrorCode::RateLimited, message).retry_after(BUSY_RETRY.as_secs())
}

/// The listeners whose rights have ended.
async fn lost<'a>(app: &AppState, listeners: &'a [Listener]) -> StoreResult<Vec<&'a Listener>> {
    let conn = app.db.conn().await?;
    let (mut ids, mut tokens) = (Vec::new(), Vec::new());
    for listener in listeners {
        match listener.access.credential {
            Credential::Session(id) => ids.push(sessions::hash_of(&id.0)),
            Credential::Token(id) => tokens.push(id),
        }
    }
    let plans: Vec<PlanId> = listeners.iter().map(|listener| listener.access.id()).collect();
    let acted_for: Vec<Uuid> = listeners.iter().map(|listener| listener.user().0).collect();
    let (sessions, tokens, owners, users) = futures_util::try_join!(
        sessions::list_alive(&conn, &ids),
        access_tokens::list_alive(&conn, &tokens),
        PlanOwner::list(&conn, &plans),
        User::list(&conn, &acted_for)
    )?;
    let asked_at = sessions.first().map(|session| session.asked_at);
    let asked_at = asked_at.or_else(|| tokens.first().map(|token| token.asked_at));
    let alive = Alive {
        now: asked_at.map_or_else(|| app.clock.now(), |at| app.clock.or_database(at)),
        sessions: sessions.into_iter().map(|found| (found.id.clone(), found)).collect(),
        tokens: tokens.into_iter().map(|found| (found.id, found)).collect(),
        owners: owners.into_iter().map(|plan| (plan.id, plan)).collect(),
        users: users.into_iter().map(|user| (user.id, user)).collect(),
    };
    Ok(listeners
        .iter()
        .filter(|listener| !alive.lets(&listener.access))
        .collect())
}

/// What the database has of the listeners' rights.
struct Alive {
    now: OffsetDateTime,
    sessions: HashMap<Vec<u8>, AliveSession>,
    tokens: HashMap<Uuid, AliveToken>,
    owners: HashMap<Uuid, PlanOwner>,
    users: HashMap<Uuid, User>,
}

impl Alive {
    fn lets(&self, access: &PlanAccess) -> bool {
        let caller = &access.caller;
        let impersonation = caller.impersonation.as_ref();
        let role = caller.actor.role.as_str();
        let is_alive = match access.credential {
            Credential::Session(id) => self
                .sessions
                .get(&sessions::hash_of(&id.0))
                .is_some_and(|session| session.role == role && session.impersonating == impersonation.is_some()),
            Credential::Token(id) => self
                .tokens
                .get(&id.0)
                .is_some_and(|token| token.role == role && token.expires_at > self.now),
        };
        let in_time = impersonation.is_none_or(|terms| terms.expires_at > self.now);
        let plan = self.owners.get(&access.plan.id);
        let user = self.users.get(&caller.effective.id.0);
        let same_user = user.is_some_and(|user| user.role == caller.effective.role && user.disabled_at.is_none());
        is_alive && in_time && same_user && plan.is_some_and(|plan| may_touch(caller, plan))
    }
}
