//! Single sign-on against an identity provider that does what it should, and that does not.

mod accounts;
mod first_proof;
mod identities;
mod logout;
mod process;
mod providers;
mod recorded;
mod state;
mod tokens;

use crate::support::{Client, IdentityProvider, Instance, Reply, TestApp};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The content type of a logout token.
const FORM: &str = "application/x-www-form-urlencoded";

/// A browser: it keeps every cookie, and follows no redirect by itself.
pub struct Browser {
    client: Client,
    jar: BTreeMap<String, String>,
}

impl Browser {
    pub fn new(instance: &Instance) -> Self {
        Self::of(Client::new(instance))
    }

    /// With the session of somebody.
    pub fn of(client: Client) -> Self {
        let cookie = client.cookie.clone();
        let jar = cookie.iter().filter_map(|cookie| cookie.split_once('='));
        Self {
            jar: jar.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            client,
        }
    }

    /// The same browser at another server.
    pub fn at(&mut self, instance: &Instance) {
        self.client = self.client.at(instance);
    }

    pub async fn get(&mut self, path: &str) -> Reply {
        self.client.cookie = Some(self.cookies());
        let reply = self.client.get(path).await;
        self.keep(&reply);
        reply
    }

    pub async fn post(&mut self, path: &str) -> Reply {
        self.client.cookie = Some(self.cookies());
        let reply = self.client.post_nothing(path).await;
        self.keep(&reply);
        reply
    }

    pub async fn send(&mut self, method: Method, path: &str, body: &Value) -> Reply {
        self.client.cookie = Some(self.cookies());
        let reply = self.client.fetch(self.client.request(method, path).json(body)).await;
        self.keep(&reply);
        reply
    }

    /// Names of the cookies of sign-ins under way.
    pub fn under_way(&self) -> Vec<String> {
        self.jar.keys().filter(|name| name.contains("oidc-")).cloned().collect()
    }

    fn cookies(&self) -> String {
        let cookies: Vec<_> = self.jar.iter().map(|(name, value)| format!("{name}={value}")).collect();
        cookies.join("; ")
    }

    fn keep(&mut self, reply: &Reply) {
        for cookie in reply.headers.get_all("set-cookie") {
            let cookie = cookie.to_str().expect("ASCII");
            let (name, rest) = cookie.split_once('=').expect("a cookie");
            let value = rest.split(';').next().unwrap_or_default();
            if cookie.contains("Max-Age=0") {
                self.jar.remove(name);
            } else {
                self.jar.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    /// Begins at the server; where the browser is sent to.
    pub async fn start(&mut self, query: &str) -> String {
        location(&self.get(&format!("/api/auth/oidc/start{query}")).await)
    }

    /// Comes back from the provider; where the browser is sent to.
    pub async fn come_back(&mut self, answer: &str) -> String {
        location(&self.get(&format!("/api/auth/oidc/callback?{answer}")).await)
    }

    /// The whole way; where it ends.
    pub async fn sign_in(&mut self, idp: &IdentityProvider, query: &str) -> String {
        let page = self.start(query).await;
        let answer = idp.sign_in(&page);
        self.come_back(&answer).await
    }

    /// Links an identity, as the page does; where it ends.
    pub async fn link(&mut self, idp: &IdentityProvider, password: Option<&str>) -> String {
        let body = json!({"password": password, "next": "/account"});
        let reply = self.send(Method::POST, "/api/auth/oidc/link", &body).await;
        let page = reply.data()["url"].as_str().expect("a page").to_owned();
        self.come_back(&idp.sign_in(&page)).await
    }

    /// Who is signed in.
    pub async fn me(&mut self) -> Option<Value> {
        let reply = self.get("/api/auth/me").await;
        (reply.status == 200).then(|| reply.data()["user"].take())
    }
}

#[track_caller]
fn location(reply: &Reply) -> String {
    assert_eq!(reply.status, 302, "{}", reply.text);
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    reply.header("location").expect("a location").to_owned()
}

fn problem(code: &str) -> String {
    format!("/?view=sign-in&problem={code}")
}

/// A server that trusts a provider.
async fn world() -> (TestApp, IdentityProvider) {
    let idp = IdentityProvider::start().await;
    let app = TestApp::builder().config(idp.trusted()).spawn().await;
    (app, idp)
}

/// An invitation that is still open.
async fn invite(app: &TestApp, email: &str, role: &str) {
    let brand = match role {
        "platform_admin" => "NULL",
        _ => "(SELECT id FROM brands LIMIT 1)",
    };
    app.database
        .run(&format!(
            "INSERT INTO invitations (id, token_hash, email, role, brand_id, expires_at) \
             VALUES (gen_random_uuid(), decode(md5('{email}'), 'hex'), '{email}', '{role}', {brand}, now() + interval '7 days')"
        ))
        .await;
}

/// A server, a provider, and a browser that has signed in as an invited franchisee.
async fn signed_in() -> (TestApp, IdentityProvider, Browser) {
    let (app, idp) = world().await;
    invite(&app, "ana@example.com", "franchisee").await;
    let mut browser = Browser::new(&app.main);
    assert_eq!(browser.sign_in(&idp, "").await, "/");
    (app, idp, browser)
}
