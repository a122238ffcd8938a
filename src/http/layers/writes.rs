//! Limits the writes of a user per minute, over all instances.
//!
//! A process takes a twentieth of the limit at a time out of the shared count, so that most writes cost no statement. What
//! it has taken and not used within a minute is lost: the limit is never exceeded, and with N instances at most N
//! twentieths stricter.
//!
//! The contract answers 404, 403, 413, 415 and 400 before 429: a plan that cannot be written is
//! left to its handler, and a body is counted by its extractor.

use crate::app::AppState;
use crate::config::LimitsConfig;
use crate::http::error::AppError;
use crate::http::extract::plan::{FoundPlan, may_touch};
use crate::http::policy::{Count, Policy};
use crate::lru::Lru;
use crate::store::user_limits;
use axum::body::HttpBody;
use axum::extract::{Request, State};
use axum::http::Extensions;
use axum::middleware::Next;
use axum::response::Response;
use plan_model::access::Caller;
use plan_model::error::ErrorCode;
use plan_model::ids::UserId;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::{Duration, Instant};

/// Users whose allowance is remembered at once.
const CAPACITY: usize = 10_000;

/// The limit and what this process has taken of it. Clones share their memory.
#[derive(Clone)]
pub struct WriteLimit {
    per_minute: i32,
    /// How many are taken at a time.
    batch: i32,
    taken: Lru<UserId, Arc<Batch>>,
}

/// Writes that are taken out of the shared count and not yet used, for a minute.
struct Batch {
    left: AtomicI32,
    until: Instant,
}

impl Batch {
    fn new(left: i32, taken_at: Instant) -> Arc<Self> {
        Arc::new(Self {
            left: AtomicI32::new(left),
            until: taken_at + Duration::from_secs(60),
        })
    }

    fn use_one(&self) -> bool {
        let one_less = |left: i32| (left > 0).then(|| left - 1);
        self.left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less)
            .is_ok()
    }
}

impl WriteLimit {
    pub fn new(config: &LimitsConfig) -> Self {
        let per_minute = i32::try_from(config.rate_limit_writes_per_minute).unwrap_or(i32::MAX);
        Self {
            per_minute,
            batch: (per_minute / 20).max(1),
            taken: Lru::new(CAPACITY),
        }
    }

    /// Whether a body that no handler read went past the limit.
    fn is_overdrawn(&self, user: UserId) -> bool {
        self.batch_of(user)
            .is_some_and(|batch| batch.left.load(Ordering::Relaxed) < 0)
    }

    fn batch_of(&self, user: UserId) -> Option<Arc<Batch>> {
        self.taken.get(&user).filter(|batch| Instant::now() < batch.until)
    }

    async fn count(&self, app: &AppState, user: UserId) -> Result<(), AppError> {
        if self.batch_of(user).is_some_and(|batch| batch.use_one()) {
            return Ok(());
        }
        let conn = app.db.conn().await?;
        let mut wait = Duration::ZERO;
        // Near the limit there may be one left, but no whole batch.
        for count in if self.batch > 1 { vec![self.batch, 1] } else { vec![1] } {
            match user_limits::count_writes(&conn, user, self.per_minute, count).await? {
                Ok(()) => {
                    self.taken.insert(user, Batch::new(count - 1, Instant::now()));
                    return Ok(());
                }
                Err(until) => wait = until,
            }
        }
        Err(
            AppError::new(ErrorCode::RateLimited, "That was a lot of changes. Wait a moment.")
                .retry_after(wait.as_secs() + 1),
        )
    }
}

/// A write that is counted once its body is known to be valid.
#[derive(Clone)]
pub struct PendingWrite {
    app: AppState,
    limit: WriteLimit,
    user: UserId,
    is_counted: Arc<AtomicBool>,
}

impl PendingWrite {
    /// Counts it, once.
    ///
    /// # Errors
    /// 429 if it is one too many.
    pub async fn count(&self) -> Result<(), AppError> {
        match self.is_counted.swap(true, Ordering::Relaxed) {
            true => Ok(()),
            false => self.limit.count(&self.app, self.user).await,
        }
    }
}

/// Refuses a write that is one too many.
pub async fn limit_writes(
    State((app, limit)): State<(AppState, WriteLimit)>,
    mut request: Request,
    next: Next,
) -> Result<Response, AppError> {
    let counts = limit.per_minute > 0 && Policy::of(request.extensions()).count == Count::Write;
    let caller = request.extensions().get::<Caller>();
    let Some(caller) = caller.filter(|caller| counts && may_write_there(caller, request.extensions())) else {
        return Ok(next.run(request).await);
    };
    let user = caller.actor.id;
    if request.body().is_end_stream() || limit.is_overdrawn(user) {
        limit.count(&app, user).await?;
        return Ok(next.run(request).await);
    }
    let pending = PendingWrite {
        app,
        limit,
        user,
        is_counted: Arc::default(),
    };
    request.extensions_mut().insert(pending.clone());
    let response = next.run(request).await;
    // A handler without a body does not read the one that was sent.
    if response.status().is_success() && pending.count().await.is_err() {
        pending.limit.taken.insert(user, Batch::new(-1, Instant::now()));
    }
    Ok(response)
}

/// Whether the plan of the path, if there is one, exists and is the caller's to write.
fn may_write_there(caller: &Caller, extensions: &Extensions) -> bool {
    match extensions.get::<FoundPlan>() {
        Some(FoundPlan::Asked(_, plan)) => plan.as_ref().is_some_and(|plan| may_touch(caller, plan)),
        Some(FoundPlan::NotAsked) | None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_taken_a_minute_ago_is_not_used() {
        let limit = WriteLimit {
            per_minute: 20,
            batch: 1,
            taken: Lru::new(2),
        };
        let (user, now) = (UserId(uuid::Uuid::from_u128(7)), Instant::now());
        limit.taken.insert(user, Batch::new(1, now));
        let batch = limit.batch_of(user).expect("it was taken just now");
        assert_eq!([batch.use_one(), batch.use_one()], [true, false]);
        let a_minute_ago = now
            .checked_sub(Duration::from_secs(60))
            .expect("the machine runs longer");
        limit.taken.insert(user, Batch::new(1, a_minute_ago));
        assert!(limit.batch_of(user).is_none());
    }
}
