//! An identity provider with OpenID Connect over HTTP, which checks what it is asked and misbehaves as a test wants.

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use plan_advisor::config::Config;
use reqwest::Url;
use ring::digest::{SHA256, digest};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use time::OffsetDateTime;
use tokio::net::TcpListener;
use uuid::Uuid;

pub const CLIENT_ID: &str = "plans";
pub const CLIENT_SECRET: &str = "client-secret-4f1c/Q+x";
pub const PUBLIC_URL: &str = "http://127.0.0.1:3000";

/// How an endpoint answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Answering {
    #[default]
    AsItShould,
    Status(u16),
    NotJson,
    /// More than a mebibyte.
    Huge,
    Never,
}

/// How tokens are signed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Signature {
    #[default]
    Key,
    None,
    /// HS256 with the client's secret.
    Secret,
    /// With a key that is not published, under the id of one that is.
    Forged,
}

type Twist = Box<dyn Fn(&mut Value) + Send>;

struct Key {
    id: String,
    pair: EcdsaKeyPair,
}

impl Key {
    fn new(id: &str) -> Self {
        let random = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).expect("a key");
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8.as_ref(), &random);
        Self {
            id: id.to_owned(),
            pair: pair.expect("a key"),
        }
    }

    fn published(&self) -> Value {
        let point = self.pair.public_key().as_ref();
        let part = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
        json!({"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": self.id, "x": part(&point[1..33]), "y": part(&point[33..65])})
    }

    fn sign(&self, text: &str) -> Vec<u8> {
        let signature = self.pair.sign(&SystemRandom::new(), text.as_bytes());
        signature.expect("a signature").as_ref().to_vec()
    }
}

/// What it says and does now.
pub struct Behavior {
    /// The claims of whoever signs in next.
    pub person: Value,
    /// What the userinfo endpoint says; nothing: there is none.
    pub userinfo: Option<Value>,
    /// Whether it says so in a signed token.
    pub signs_userinfo: bool,
    /// What it calls itself.
    pub issuer: String,
    pub names_itself: bool,
    pub metadata: Answering,
    pub keys: Answering,
    pub token: Answering,
    pub signature: Signature,
    pub access_token: String,
    twist: Option<Twist>,
    answer_twist: Option<Twist>,
    key: Key,
    codes: HashMap<String, Value>,
    /// Codes and tokens it gave.
    pub given: Vec<String>,
    /// Paths it was asked for.
    pub asked: Vec<String>,
}

impl Behavior {
    /// Changes the claims of the next ID tokens.
    pub fn twist(&mut self, twist: impl Fn(&mut Value) + Send + 'static) {
        self.twist = Some(Box::new(twist));
    }

    /// Changes the next answers of the token endpoint.
    pub fn twist_answer(&mut self, twist: impl Fn(&mut Value) + Send + 'static) {
        self.answer_twist = Some(Box::new(twist));
    }

    /// Signs with a new key from now on, and publishes no other.
    pub fn rotate(&mut self) {
        self.key = Key::new(&format!("{}x", self.key.id));
    }

    /// A token with these claims.
    pub fn token(&self, kind: &str, claims: &Value) -> String {
        let part = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
        let algorithm = match self.signature {
            Signature::None => "none",
            Signature::Secret => "HS256",
            Signature::Key | Signature::Forged => "ES256",
        };
        let signed = format!(
            "{}.{}",
            part(&json!({"alg": algorithm, "kid": self.key.id, "typ": kind})),
            part(claims)
        );
        let signature = match self.signature {
            Signature::None => Vec::new(),
            Signature::Secret => {
                let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, CLIENT_SECRET.as_bytes());
                ring::hmac::sign(&key, signed.as_bytes()).as_ref().to_vec()
            }
            Signature::Key => self.key.sign(&signed),
            Signature::Forged => Key::new(&self.key.id).sign(&signed),
        };
        format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature))
    }
}

/// A running provider.
pub struct IdentityProvider {
    base: String,
    behavior: Arc<Mutex<Behavior>>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for IdentityProvider {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl IdentityProvider {
    pub async fn start() -> Self {
        super::on_server(Self::serve()).await
    }

    async fn serve() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("bound"));
        let behavior = Arc::new(Mutex::new(Behavior {
            person: json!({"sub": "ana-1", "email": "ana@example.com", "email_verified": true, "name": "Ana Lopez", "sid": "sid-1"}),
            userinfo: None,
            signs_userinfo: false,
            issuer: base.clone(),
            names_itself: true,
            metadata: Answering::default(),
            keys: Answering::default(),
            token: Answering::default(),
            signature: Signature::default(),
            access_token: "access-token-7d2e".to_owned(),
            twist: None,
            answer_twist: None,
            key: Key::new("key-1"),
            codes: HashMap::new(),
            given: Vec::new(),
            asked: Vec::new(),
        }));
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(metadata))
            .route("/keys", get(keys))
            .route("/token", post(token))
            .route("/userinfo", get(userinfo))
            .with_state((base.clone(), Arc::clone(&behavior)));
        let task = tokio::spawn(async move { axum::serve(listener, router).await.expect("it serves") });
        Self { base, behavior, task }
    }

    pub fn now(&self) -> MutexGuard<'_, Behavior> {
        lock(&self.behavior)
    }

    pub fn base(&self) -> &str {
        &self.base
    }

    /// How often it was asked for a path.
    pub fn asked(&self, path: &str) -> usize {
        self.now().asked.iter().filter(|asked| *asked == path).count()
    }

    /// The configuration of a server that trusts it.
    pub fn trusted(&self) -> impl FnOnce(&mut Config) + use<> {
        let issuer = self.base.clone();
        move |config| {
            config.http.public_url = Some(PUBLIC_URL.to_owned());
            config.oidc.issuer = Some(issuer);
            config.oidc.client_id = Some(CLIENT_ID.to_owned());
            config.oidc.client_secret = Some(CLIENT_SECRET.to_owned().into());
        }
    }

    /// The person signs in at the page that the browser was sent to. Answers the query that the browser comes back with.
    pub fn sign_in(&self, location: &str) -> String {
        let url = Url::parse(location).expect("a URL");
        assert_eq!(url.path(), "/authorize", "{location}");
        let asked: HashMap<String, String> = url.query_pairs().into_owned().collect();
        for (name, value) in [
            ("response_type", "code"),
            ("client_id", CLIENT_ID),
            ("code_challenge_method", "S256"),
            ("redirect_uri", &format!("{PUBLIC_URL}/api/auth/oidc/callback")),
        ] {
            assert_eq!(asked.get(name).map(String::as_str), Some(value), "{name} in {location}");
        }
        assert!(asked["scope"].split(' ').any(|scope| scope == "openid"), "{location}");
        assert!(asked["state"].len() >= 43 && asked["nonce"].len() >= 43, "{location}");
        let mut now = self.now();
        let code = format!("code-{}", plan_model::secret::Secret::new().expect("random").expose());
        let grant = json!({"nonce": asked["nonce"], "challenge": asked["code_challenge"], "person": now.person});
        now.codes.insert(code.clone(), grant);
        now.given.push(code.clone());
        let named = match now.names_itself {
            true => format!("&iss={}", now.issuer),
            false => String::new(),
        };
        format!("code={code}&state={}{named}", asked["state"])
    }

    /// A logout token with these claims beside the usual ones; `null` leaves one out.
    pub fn logout_token(&self, claims: &Value) -> String {
        let now = self.now();
        let seconds = OffsetDateTime::now_utc().unix_timestamp();
        let mut all = json!({
            "iss": now.issuer, "aud": CLIENT_ID, "iat": seconds, "exp": seconds + 120, "jti": Uuid::new_v4(),
            "events": {"http://schemas.openid.net/event/backchannel-logout": {}},
        });
        merge(&mut all, claims);
        now.token("logout+jwt", &all)
    }
}

fn merge(claims: &mut Value, more: &Value) {
    let claims = claims.as_object_mut().expect("an object");
    for (name, value) in more.as_object().expect("an object") {
        match value {
            Value::Null => claims.remove(name),
            other => claims.insert(name.clone(), other.clone()),
        };
    }
}

type Shared = State<(String, Arc<Mutex<Behavior>>)>;

fn lock(behavior: &Mutex<Behavior>) -> MutexGuard<'_, Behavior> {
    behavior.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn answer(how: Answering, body: Value) -> Response {
    let json = [(header::CONTENT_TYPE, "application/json")];
    match how {
        Answering::AsItShould => (json, body.to_string()).into_response(),
        Answering::Status(status) => StatusCode::from_u16(status).expect("a status").into_response(),
        Answering::NotJson => (json, "<html>").into_response(),
        Answering::Huge => {
            let mut body = body;
            body["padding"] = json!("x".repeat(1024 * 1024));
            (json, body.to_string()).into_response()
        }
        Answering::Never => std::future::pending().await,
    }
}

async fn metadata(State((base, behavior)): Shared) -> Response {
    let (how, body) = {
        let mut now = lock(&behavior);
        now.asked.push("metadata".to_owned());
        let mut body = json!({
            "issuer": now.issuer,
            "authorization_endpoint": format!("{base}/authorize"),
            "token_endpoint": format!("{base}/token"),
            "jwks_uri": format!("{base}/keys"),
            "end_session_endpoint": format!("{base}/end?tenant=1"),
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
            "authorization_response_iss_parameter_supported": now.names_itself,
            "backchannel_logout_supported": true,
        });
        if now.userinfo.is_some() {
            body["userinfo_endpoint"] = json!(format!("{base}/userinfo"));
        }
        (now.metadata, body)
    };
    answer(how, body).await
}

async fn keys(State((_, behavior)): Shared) -> Response {
    let (how, body) = {
        let mut now = lock(&behavior);
        now.asked.push("keys".to_owned());
        (now.keys, json!({"keys": [now.key.published()]}))
    };
    answer(how, body).await
}

async fn token(State((_, behavior)): Shared, headers: HeaderMap, body: Bytes) -> Response {
    let (how, body) = {
        let mut now = lock(&behavior);
        now.asked.push("token".to_owned());
        match grant(&mut now, &headers, &body) {
            Ok(tokens) => (now.token, tokens),
            Err(code) => {
                let words = format!("in the provider's words: {}", String::from_utf8_lossy(&body));
                let refusal = json!({"error": code, "error_description": words});
                return (StatusCode::BAD_REQUEST, axum::Json(refusal)).into_response();
            }
        }
    };
    answer(how, body).await
}

fn grant(now: &mut Behavior, headers: &HeaderMap, body: &[u8]) -> Result<Value, &'static str> {
    let body = String::from_utf8_lossy(body);
    let url = Url::parse(&format!("http://form/?{body}")).map_err(|_| "invalid_request")?;
    let form: HashMap<String, String> = url.query_pairs().into_owned().collect();
    // RFC 6749 2.3.1: both are encoded as in a form.
    let escaped = CLIENT_SECRET.replace('/', "%2F").replace('+', "%2B");
    let expected = format!("Basic {}", BASE64_STANDARD.encode(format!("{CLIENT_ID}:{escaped}")));
    if headers.get(header::AUTHORIZATION).map(header::HeaderValue::as_bytes) != Some(expected.as_bytes()) {
        return Err("invalid_client");
    }
    let code = form.get("code").map_or("", String::as_str);
    let session = now.codes.remove(code).ok_or("invalid_grant")?;
    let verifier = form.get("code_verifier").map_or("", String::as_str);
    let challenge = BASE64_URL_SAFE_NO_PAD.encode(digest(&SHA256, verifier.as_bytes()));
    if session["challenge"] != challenge
        || form.get("redirect_uri") != Some(&format!("{PUBLIC_URL}/api/auth/oidc/callback"))
    {
        return Err("invalid_grant");
    }
    let seconds = OffsetDateTime::now_utc().unix_timestamp();
    let mut claims =
        json!({"iss": now.issuer, "aud": CLIENT_ID, "iat": seconds, "exp": seconds + 600, "nonce": session["nonce"]});
    merge(&mut claims, &session["person"]);
    if let Some(twist) = &now.twist {
        twist(&mut claims);
    }
    let token = now.token("JWT", &claims);
    now.given.push(token.clone());
    let mut answer =
        json!({"access_token": now.access_token, "token_type": "Bearer", "expires_in": 600, "id_token": token});
    if let Some(twist) = &now.answer_twist {
        twist(&mut answer);
    }
    Ok(answer)
}

async fn userinfo(State((_, behavior)): Shared, headers: HeaderMap) -> Response {
    let (how, body) = {
        let mut now = lock(&behavior);
        now.asked.push("userinfo".to_owned());
        let expected = format!("Bearer {}", now.access_token);
        let is_known =
            headers.get(header::AUTHORIZATION).map(header::HeaderValue::as_bytes) == Some(expected.as_bytes());
        if is_known && now.signs_userinfo {
            let token = now.token("JWT", &now.userinfo.clone().unwrap_or_default());
            return ([(header::CONTENT_TYPE, "application/jwt; charset=utf-8")], token).into_response();
        }
        match is_known {
            true => (Answering::AsItShould, now.userinfo.clone().unwrap_or_default()),
            false => (Answering::Status(401), Value::Null),
        }
    };
    answer(how, body).await
}
