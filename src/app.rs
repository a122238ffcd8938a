//! The composition root: creates and connects the parts of a running server.

use crate::config::Config;
use crate::conversation::Conversations;
use crate::llm::Llm;
use crate::model::clock::Clock;
use crate::store::Db;
use std::ops::Deref;
use std::sync::Arc;

/// The shared state of all requests.
pub struct App {
    pub config: Config,
    pub db: Db,
    pub llm: Arc<dyn Llm>,
    pub clock: Clock,
    /// The engine that runs turns.
    pub conversations: Conversations,
    /// Whether the sign-in page offers the demo logins.
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
    /// Connects the parts. Starts nothing.
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
