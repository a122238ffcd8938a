//! A whole server for one test: own database, scripted provider, real socket. Built by the same builder as in production.

use super::client::Client;
use super::database::TestDatabase;
use super::mock_llm::{KEY, MockLlm};
use llm_client::{Llm, LlmSettings, OpenAiLlm};
use plan_advisor::app::{App, AppState, Demo};
use plan_advisor::config::Config;
use plan_advisor::offline::OfflineAdvisor;
use plan_advisor::plans::seed::{DEMO_LOGINS, DEMO_PASSWORD};
use plan_advisor::server::Server;
use plan_advisor::store::Db;
use plan_advisor::store::people::sessions::{LOGGED_IN_KEY, PgSessions, USER_KEY};
use plan_model::brand::Brand;
use plan_model::clock::Clock;
use plan_model::ids::{PlanId, UserId};
use plan_model::inputs::FinancialInputs;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use time::format_description::well_known::Rfc3339;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tower_sessions::SessionStore;
use tower_sessions::session::{Id, Record};
use uuid::Uuid;

/// Nothing in a test takes longer, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(30);

/// Servers and providers run here, so that a test may end, or block, without them.
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime")
});

/// Runs a future where the server runs: connections it opens outlive the test's own runtime.
pub async fn on_server<T: Send + 'static>(future: impl Future<Output = T> + Send + 'static) -> T {
    RUNTIME.spawn(future).await.expect("it does not panic")
}

/// The future's result, in good time.
pub async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    let value = tokio::time::timeout(PATIENCE, future).await;
    value.unwrap_or_else(|_| panic!("{what}: not within {PATIENCE:?}"))
}

/// Waits until a condition holds.
pub async fn eventually(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !holds().await {
        assert!(Instant::now() < deadline, "{what}: not within {PATIENCE:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Who answers.
enum Model {
    Mock,
    /// An address without a listener.
    Refused,
    Unconfigured,
    Offline,
    Own(Arc<dyn Llm>),
}

type Edit<T> = Box<dyn FnOnce(&mut T)>;

/// What a test wants to be different.
pub struct Builder {
    clock: Clock,
    model: Model,
    config: Vec<Edit<Config>>,
    llm: Vec<Edit<LlmSettings>>,
    demo: bool,
    past_pooler: bool,
    database: Option<TestDatabase>,
}

impl Builder {
    /// On a database that the test has made. The demo's people must be in it.
    pub fn on(mut self, database: TestDatabase) -> Self {
        self.database = Some(database);
        self
    }

    /// Connects straight to PostgreSQL also where the tests run through a pooler.
    pub fn past_pooler(mut self) -> Self {
        self.past_pooler = true;
        self
    }

    /// A clock that only the test moves.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    pub fn config(mut self, edit: impl FnOnce(&mut Config) + 'static) -> Self {
        self.config.push(Box::new(edit));
        self
    }

    /// Edits how the provider is talked to.
    pub fn llm_settings(mut self, edit: impl FnOnce(&mut LlmSettings) + 'static) -> Self {
        self.llm.push(Box::new(edit));
        self
    }

    /// The provider gives up on a silent model after this time, before and within an answer.
    pub fn patience_with_the_model(self, time: Duration) -> Self {
        self.llm_settings(move |settings| {
            (settings.timeout, settings.gap_timeout, settings.thinking_timeout) = (time, time, time);
        })
    }

    /// Answers with a model of the test's own instead of the scripted provider.
    pub fn model(mut self, llm: Arc<dyn Llm>) -> Self {
        self.model = Model::Own(llm);
        self
    }

    /// There is no listener at the provider's address.
    pub fn unreachable_model(mut self) -> Self {
        self.model = Model::Refused;
        self
    }

    /// Neither key nor base URL.
    pub fn no_model(mut self) -> Self {
        self.model = Model::Unconfigured;
        self
    }

    /// The built-in advisor.
    pub fn offline_model(mut self) -> Self {
        self.model = Model::Offline;
        self
    }

    /// As `demo` runs it.
    pub fn demo(mut self) -> Self {
        self.demo = true;
        self
    }

    pub async fn spawn(self) -> TestApp {
        let database = match self.database {
            Some(database) => database,
            None => tokio::task::spawn_blocking(TestDatabase::seeded)
                .await
                .expect("a database"),
        };
        let llm = on_server(MockLlm::start()).await;
        let url = if self.past_pooler {
            database.url()
        } else {
            database.served_url()
        };
        let mut config = Config::for_testing(&url);
        config.database.pool_size = 8;
        self.config.into_iter().for_each(|edit| edit(&mut config));
        let mut settings = LlmSettings {
            base_url: Some(llm.base_url()),
            api_key: Some(KEY.to_owned().into()),
            model: "mock-model".into(),
            timeout: Duration::from_secs(20),
            gap_timeout: Duration::from_secs(20),
            ..LlmSettings::default()
        };
        self.llm.into_iter().for_each(|edit| edit(&mut settings));
        let model: Arc<dyn Llm> = match self.model {
            Model::Own(llm) => llm,
            Model::Offline => Arc::new(OfflineAdvisor::new()),
            Model::Mock => open_ai(settings),
            Model::Unconfigured => open_ai(LlmSettings {
                base_url: None,
                api_key: None,
                ..settings
            }),
            // Port 1 is never listened on here.
            Model::Refused => open_ai(LlmSettings {
                base_url: Some("http://127.0.0.1:1/v1".into()),
                ..settings
            }),
        };
        let setup = Setup {
            config,
            model,
            clock: self.clock,
            demo: self.demo.then(Demo::default),
            measures_reviewer: false,
        };
        let main = setup.start().await;
        let people = people(&main, &database).await;
        let [sam, riley, taylor, morgan, admin] = people.try_into().expect("five people");
        TestApp {
            sam,
            riley,
            taylor,
            morgan,
            admin,
            main,
            setup,
            llm,
            database,
        }
    }
}

fn open_ai(settings: LlmSettings) -> Arc<dyn Llm> {
    Arc::new(OpenAiLlm::new(settings).expect("settings that can be used"))
}

/// Enough to start one server more.
#[derive(Clone)]
struct Setup {
    config: Config,
    model: Arc<dyn Llm>,
    clock: Clock,
    demo: Option<Demo>,
    /// Else the model is taken for fit.
    measures_reviewer: bool,
}

impl Setup {
    async fn start(&self) -> Instance {
        let Self {
            config,
            model,
            clock,
            demo,
            measures_reviewer,
        } = self.clone();
        on_server(async move {
            let url = secrecy::ExposeSecret::expose_secret(config.database.url.as_ref().expect("a URL")).to_owned();
            let db = Db::connect(&url, config.database.pool_size).expect("a pool");
            let state = App::new(config, db, model, clock, demo);
            if !measures_reviewer {
                state.conversations.engine().review.assume_fit();
            }
            let server = Server::bind(state.clone()).await.expect("a free port");
            let address = server.local_addr().expect("bound");
            let shutdown = CancellationToken::new();
            let running = tokio::spawn(server.run(shutdown.clone()));
            Instance {
                state,
                address,
                shutdown,
                running: Some(running),
            }
        })
        .await
    }
}

/// One running server.
pub struct Instance {
    pub state: AppState,
    pub address: SocketAddr,
    shutdown: CancellationToken,
    running: Option<JoinHandle<()>>,
}

impl Instance {
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// As SIGTERM does.
    pub fn begin_to_end(&self) {
        self.shutdown.cancel();
    }

    /// Ends it and waits for that. Its state stays usable, and its database.
    pub async fn end(&mut self) {
        self.shutdown.cancel();
        if let Some(running) = self.running.take() {
            soon("the server ends", running).await.expect("it does not panic");
        }
    }

    /// Turns that run in it.
    pub fn running(&self) -> usize {
        self.state.conversations.running()
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.shutdown.cancel();
            return;
        }
        let quiet = poll(|| self.state.conversations.running() == 0 && self.state.db.in_use() == 0);
        let left = (self.state.conversations.running(), self.state.db.in_use());
        self.shutdown.cancel();
        if let Some(running) = self.running.take() {
            assert!(poll(|| running.is_finished()), "the server did not end");
        }
        assert!(quiet, "turns left running and connections checked out: {left:?}");
    }
}

fn poll(holds: impl Fn() -> bool) -> bool {
    let deadline = Instant::now() + PATIENCE;
    while !holds() {
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    true
}

/// A server with everything around it. When it goes it checks that nothing was left behind.
pub struct TestApp {
    /// Franchisee, plan at brand defaults.
    pub sam: Client,
    /// Franchisee, edited plan.
    pub riley: Client,
    /// Franchisee, plan without inputs.
    pub taylor: Client,
    /// Brand administrator.
    pub morgan: Client,
    /// Platform administrator.
    pub admin: Client,
    pub main: Instance,
    setup: Setup,
    pub llm: MockLlm,
    pub database: TestDatabase,
}

impl TestApp {
    pub fn builder() -> Builder {
        Builder {
            clock: Clock::System,
            model: Model::Mock,
            config: Vec::new(),
            llm: Vec::new(),
            demo: false,
            past_pooler: false,
            database: None,
        }
    }

    /// As most tests want it.
    pub async fn spawn() -> Self {
        Self::builder().spawn().await
    }

    /// Another server on the same database, as a second process would be.
    pub async fn sibling(&self) -> Instance {
        self.setup.start().await
    }

    /// The same, which asks the model whether it is fit for the second look.
    pub async fn measuring_sibling(&self) -> Instance {
        let mut setup = self.setup.clone();
        setup.measures_reviewer = true;
        setup.start().await
    }

    /// The same with another configuration.
    pub async fn sibling_with(&self, change: impl FnOnce(&mut Config)) -> Instance {
        let mut setup = self.setup.clone();
        change(&mut setup.config);
        setup.start().await
    }

    pub fn clock(&self) -> &Clock {
        &self.setup.clock
    }

    /// A client without a session.
    pub fn anonymous(&self) -> Client {
        Client::new(&self.main)
    }

    /// Adds a franchisee of the demo brand with a plan at its defaults; the password is the demo logins'.
    pub async fn add_franchisee(&self, name: &str) -> Client {
        let (user, plan) = (UserId::fresh(), PlanId::fresh());
        let inputs = serde_json::to_string(&FinancialInputs::from_brand(&Brand::demo()))
            .expect("JSON")
            .replace('\'', "''");
        self.database
            .run(&format!(
                "INSERT INTO users (id, email, display_name, role, brand_id, password_hash) \
                 SELECT '{user}', '{}@test.test', '{name}', role, brand_id, password_hash FROM users WHERE email = 'sam@demo.test'; \
                 INSERT INTO plans (id, user_id, brand_version_id, name, financial_inputs) \
                 SELECT '{plan}', '{user}', brand_version_id, '{name}''s plan', '{inputs}' FROM plans WHERE name LIKE 'Sam%'",
                name.to_lowercase()
            ))
            .await;
        let mut client = Client::new(&self.main);
        client.cookie = Some(open_session(&self.main, user.0).await);
        (client.id, client.plan, client.email) = (user.0, plan.0, format!("{}@test.test", name.to_lowercase()));
        client
    }

    /// A fresh session of an existing user.
    pub async fn session_of(&self, client: &Client) -> Client {
        let mut client = client.clone();
        client.cookie = Some(open_session(&self.main, client.id).await);
        client
    }

    pub const PASSWORD: &'static str = DEMO_PASSWORD;
}

impl Drop for TestApp {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let complaints = self.llm.complaints();
            assert!(complaints.is_empty(), "the provider complains: {complaints:#?}");
        }
    }
}

/// The demo people in their order, with sessions and plans.
async fn people(main: &Instance, database: &TestDatabase) -> Vec<Client> {
    let rows =
        "SELECT jsonb_build_array(u.email, u.id, p.id)::text AS row FROM users u LEFT JOIN plans p ON p.user_id = u.id";
    let rows: Vec<Value> = database
        .values(rows)
        .await
        .iter()
        .flatten()
        .map(|text| serde_json::from_str(text).expect("JSON"))
        .collect();
    let mut people = Vec::new();
    for login in &DEMO_LOGINS {
        let row = rows.iter().find(|row| row[0] == login.email).expect("a demo person");
        let uuid = |at: usize| {
            row[at]
                .as_str()
                .map_or(Uuid::nil(), |text| text.parse().expect("a UUID"))
        };
        let mut client = Client::new(main);
        client.cookie = Some(open_session(main, uuid(1)).await);
        (client.email, client.id, client.plan) = (login.email.to_owned(), uuid(1), uuid(2));
        people.push(client);
    }
    people
}

/// A session as login makes it, without the price of a password.
async fn open_session(main: &Instance, user: Uuid) -> String {
    let state = main.state.clone();
    on_server(async move {
        let now = state.clock.now();
        let logged_in = now.format(&Rfc3339).expect("a time");
        let data = [(USER_KEY, json!(user)), (LOGGED_IN_KEY, json!(logged_in))];
        let end = now.max(time::OffsetDateTime::now_utc()) + time::Duration::minutes(state.config.session.idle_minutes);
        let mut record = Record {
            id: Id::default(),
            data: data.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
            expiry_date: end,
        };
        PgSessions(state.db.clone())
            .create(&mut record)
            .await
            .expect("a session");
        format!("{}={}", plan_advisor::http::layers::session::PLAIN_NAME, record.id)
    })
    .await
}
