//! Turns that run on another instance: one task per turn asks the database on behalf of all readers of this process.

use crate::store::turns::prompts::{Prompt, PromptState};
use crate::store::{Db, StoreResult, turns::prompts};
use plan_model::ids::TurnId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// How often a turn of another instance is looked at.
const POLL: Duration = Duration::from_millis(300);

/// What is known of a turn.
#[derive(Debug, Clone)]
pub enum Seen {
    /// With its published text.
    Running(Arc<str>),
    /// `None` if the attempt is gone.
    Ended(Option<Arc<Prompt>>),
}

/// A turn and its attempt.
type Key = (TurnId, i32);

/// The turns of other instances that have readers here.
#[derive(Debug, Clone, Default)]
pub struct RemoteTurns(Arc<Mutex<HashMap<Key, Arc<watch::Sender<Seen>>>>>);

impl RemoteTurns {
    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Arc<watch::Sender<Seen>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Follows a turn; its first reader starts the task.
    pub fn follow(&self, db: &Db, turn: TurnId, attempt: i32) -> watch::Receiver<Seen> {
        let mut turns = self.lock();
        if let Some(known) = turns.get(&(turn, attempt)) {
            return known.subscribe();
        }
        let (sender, receiver) = watch::channel(Seen::Running("".into()));
        let sender = Arc::new(sender);
        turns.insert((turn, attempt), Arc::clone(&sender));
        tokio::spawn(self.clone().poll(db.clone(), (turn, attempt), sender));
        receiver
    }

    async fn poll(self, db: Db, key: Key, sender: Arc<watch::Sender<Seen>>) {
        loop {
            // A database that cannot be asked is asked again.
            if let Ok(seen) = look(&db, key).await {
                let has_ended = matches!(seen, Seen::Ended(_));
                if has_ended {
                    self.lock().remove(&key);
                }
                sender.send_if_modified(|known| {
                    let is_new = !matches!((&*known, &seen), (Seen::Running(a), Seen::Running(b)) if a == b);
                    *known = seen;
                    is_new
                });
                if has_ended {
                    return;
                }
            }
            tokio::time::sleep(POLL).await;
            // Under the lock: no reader can subscribe in between.
            let mut turns = self.lock();
            if sender.receiver_count() == 0 {
                turns.remove(&key);
                return;
            }
        }
    }

    /// Turns with a task.
    pub fn count(&self) -> usize {
        self.lock().len()
    }
}

/// What the database knows of a turn.
async fn look(db: &Db, (turn, attempt): Key) -> StoreResult<Seen> {
    let conn = db.conn().await?;
    let found = Prompt::find(&conn, turn).await?;
    let Some(prompt) = found.filter(|prompt| prompt.attempt == attempt) else {
        return Ok(Seen::Ended(None));
    };
    if prompt.state != PromptState::Running {
        return Ok(Seen::Ended(Some(Arc::new(prompt))));
    }
    let text = prompts::progress_of(&conn, turn, attempt).await?;
    Ok(Seen::Running(text.unwrap_or_default().into()))
}
