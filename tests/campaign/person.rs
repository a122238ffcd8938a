//! A user of the campaign and their requests other than messages.

use crate::fixture::{DATABASE, EMAIL, Fixture, PASSWORD, lock};
use serde_json::{Value, json};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use uuid::Uuid;

impl Fixture {
    /// Creates the owner of the plans.
    pub fn add_person(&self) {
        use std::io::Write;
        let words = [
            "user",
            "add",
            "--email",
            EMAIL,
            "--name",
            "Casey",
            "--role",
            "franchisee",
            "--password-stdin",
        ];
        let mut child = Command::new(env!("CARGO_BIN_EXE_plan-advisor"))
            .args(words)
            .env_clear()
            .env("DATABASE_URL", self.database_url(DATABASE))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("the binary runs");
        let mut input = child.stdin.take().expect("piped");
        writeln!(input, "{PASSWORD}").expect("the password is read");
        drop(input);
        assert!(
            tokio::task::block_in_place(|| child.wait()).expect("it ends").success(),
            "user add"
        );
    }

    /// Logs in once; the session is in the database and survives every process.
    pub async fn log_in(&self, base: &str) {
        *lock(&self.cookie) = self.another_login(base).await.expect("the login");
    }

    /// Another session for the same user.
    pub async fn another_login(&self, base: &str) -> Option<String> {
        self.login_of(base, EMAIL).await
    }

    /// A session of somebody with the campaign's password.
    pub async fn login_of(&self, base: &str, email: &str) -> Option<String> {
        let body = json!({"email": email, "password": PASSWORD});
        let response = self
            .http
            .post(format!("{base}/api/auth/login"))
            .json(&body)
            .send()
            .await
            .ok()?;
        let cookie = response
            .headers()
            .get("set-cookie")?
            .to_str()
            .ok()?
            .split(';')
            .next()?
            .to_owned();
        if let Some((_, value)) = cookie.split_once('=') {
            self.secrets.add("cookie", value);
        }
        Some(cookie)
    }

    pub fn cookie(&self) -> String {
        lock(&self.cookie).clone()
    }

    /// Sends a request with the session. Returns status and body.
    pub async fn get(&self, base: &str, path: &str) -> (u16, Value) {
        let request = self.http.get(format!("{base}{path}")).header("cookie", self.cookie());
        let Ok(response) = request.timeout(Duration::from_secs(30)).send().await else {
            return (0, Value::Null);
        };
        let status = response.status().as_u16();
        (status, response.json().await.unwrap_or_default())
    }

    pub async fn cancel(&self, base: &str, plan: Uuid) -> u16 {
        let request = self
            .http
            .post(format!("{base}/api/plans/{plan}/conversation/cancel"))
            .header("cookie", self.cookie());
        let sent = request.timeout(Duration::from_secs(10)).send().await;
        sent.map_or(0, |response| response.status().as_u16())
    }

    /// Waits until a server answers requests that need the database. Returns how long that took.
    pub async fn healthy(&self, base: &str, within: Duration) -> Option<Duration> {
        let begun = Instant::now();
        while begun.elapsed() < within {
            if self.get(base, "/api/auth/me").await.0 == 200 {
                return Some(begun.elapsed());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        None
    }
}

/// Status and body of an answer that has come whole; 0 and what went wrong where none has.
pub async fn whole(request: reqwest::RequestBuilder) -> (u16, String) {
    let answer = async {
        let response = request.timeout(Duration::from_secs(60)).send().await?;
        Ok((response.status().as_u16(), response.text().await?))
    };
    answer
        .await
        .unwrap_or_else(|error: reqwest::Error| (0, error.to_string()))
}
