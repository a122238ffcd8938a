//! Access tokens of the identity provider: taken where they are for us and of a person with an account.

use super::{Assistant, TALK};
use crate::support::{Client, IdentityProvider, Signature, TestApp};
use serde_json::{Value, json};
use time::OffsetDateTime;

const AUDIENCE: &str = "http://127.0.0.1:3000/mcp";

async fn world() -> (TestApp, IdentityProvider) {
    let provider = IdentityProvider::start().await;
    let trusted = provider.trusted();
    let app = TestApp::builder()
        .config(move |config| {
            trusted(config);
            config.http.mcp = true;
        })
        .spawn()
        .await;
    let link = format!(
        "INSERT INTO user_identities (issuer, subject, user_id) VALUES ('{}', 'ana-1', '{}')",
        provider.base(),
        app.sam.id
    );
    app.database.run(&link).await;
    (app, provider)
}

fn token(provider: &IdentityProvider, change: impl Fn(&mut Value)) -> String {
    let now = OffsetDateTime::now_utc().unix_timestamp();
    let mut claims = json!({
        "iss": provider.base(), "sub": "ana-1", "aud": AUDIENCE, "azp": "copilot", "iat": now - 1_800, "exp": now + 60,
        "scope": "openid read chat",
    });
    change(&mut claims);
    provider.now().token("at+jwt", &claims)
}

fn with(app: &TestApp, token: String) -> Assistant {
    let mut client = Client::new(&app.main);
    client.token = Some(token);
    Assistant(client)
}

#[tokio::test]
async fn a_token_for_us_opens_what_its_scopes_say_and_nothing_of_the_api() {
    let (app, provider) = world().await;
    let assistant = with(&app, token(&provider, |_| ()));
    let plans = assistant.read("list_plans", json!({})).await;
    assert_eq!(plans["plans"][0]["id"], json!(app.sam.plan));
    let proposal = json!({"planId": app.sam.plan, "path": super::RENT, "value": 4200, "quote": "rent is 4,200"});
    assistant.read("propose_value", proposal.clone()).await;
    assert_eq!(
        super::waiting(&app.sam).await[0]["author"]["displayName"],
        "assistant (copilot)"
    );
    let reading = with(&app, token(&provider, |claims| claims["scope"] = json!("read")));
    assert_eq!(
        reading.refusal("propose_value", proposal).await,
        "This access token lacks the scope `chat` or `write`."
    );
    let none = with(&app, token(&provider, |claims| claims["scope"] = json!("openid")));
    let listing = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"});
    assert_eq!(none.fetch(none.request(&listing)).await.status, 403);
    assert_eq!(
        assistant.0.get("/api/plans").await.status,
        401,
        "the API takes its own tokens only"
    );
    let metadata = app
        .anonymous()
        .get("/.well-known/oauth-protected-resource/mcp")
        .await
        .json();
    assert_eq!(
        (&metadata["resource"], &metadata["authorization_servers"]),
        (&json!(AUDIENCE), &json!([provider.base()]))
    );
    // A token of the page's does as well.
    let own = Assistant::of(&app.sam, TALK).await;
    assert_eq!(own.read("list_plans", json!({})).await, plans);
}

#[tokio::test]
async fn a_token_that_is_not_for_us_of_the_provider_and_of_somebody_we_know_is_refused() {
    let (app, provider) = world().await;
    let listing = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/list"});
    let status = async |token: String| {
        let assistant = with(&app, token);
        let reply = assistant.fetch(assistant.request(&listing)).await;
        let told = reply.header("www-authenticate").unwrap_or_default();
        assert_eq!(reply.status == 401, told.contains("invalid_token"), "{told}");
        reply.status
    };
    assert_eq!(status(token(&provider, |_| ())).await, 200);
    let now = OffsetDateTime::now_utc().unix_timestamp();
    for (claim, value) in [
        ("aud", json!("plans")),
        ("aud", json!("http://127.0.0.1:3000")),
        ("iss", json!("https://evil.example")),
        ("exp", json!(now - 120)),
        ("sub", json!("nobody-here")),
        ("nonce", json!("an ID token")),
    ] {
        assert_eq!(
            status(token(&provider, |claims| claims[claim] = value.clone())).await,
            401,
            "{claim} {value}"
        );
    }
    for signature in [Signature::None, Signature::Secret, Signature::Forged] {
        provider.now().signature = signature;
        assert_eq!(status(token(&provider, |_| ())).await, 401, "{signature:?}");
    }
    provider.now().signature = Signature::Key;
    app.database
        .run("UPDATE users SET disabled_at = now() WHERE email = 'sam@demo.test'")
        .await;
    assert_eq!(status(token(&provider, |_| ())).await, 401, "disabled");
}
