//! The fuse box: what a running server is made of, and how it is wired.

use crate::config::Config;
use crate::conversation::Conversations;
use crate::llm::Llm;
use crate::model::clock::Clock;
use crate::store::Db;
use std::ops::Deref;
use std::sync::Arc;

/// Everything a request may need.
pub struct App {
    pub config: Config,
    pub db: Db,
    pub llm: Arc<dyn Llm>,
    pub clock: Clock,
    /// The engine that runs turns.
    pub conversations: Conversations,
    /// `demo` offers its logins on the sign-in page.
    pub demo: bool,
}

/// A shared [`App`].
#[derive(Clone)]
pub struct AppState(pub Arc<App>);

impl Deref for AppState {
    type Target = App;

    fn deref(&self) -> &App {
        &self.0
    }
}

impl App {
    /// Wires a server. Nothing runs yet.
    #[must_use]
    #[expect(clippy::new_ret_no_self, reason = "an app is only ever used shared")]
    pub fn new(config: Config, db: Db, llm: Arc<dyn Llm>, clock: Clock, demo: bool) -> AppState {
        let conversations = Conversations::new(db.clone(), Arc::clone(&llm), clock.clone(), &config);
        AppState(Arc::new(Self {
            config,
            db,
            llm,
            clock,
            conversations,
            demo,
        }))
    }
}
