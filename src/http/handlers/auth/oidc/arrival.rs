//! A browser that comes back from the identity provider.

use super::cookie_name;
use super::problem::Problem;
use crate::app::AppState;
use crate::http::extract::Form;
use crate::http::handlers::auth::sign_in::{Connection, SignIn};
use crate::http::layers::authenticate::caller_of;
use crate::http::throttle::device_key;
use crate::store::people::identities::{Arrival, Linking, Recognized};
use crate::store::people::logins::devices;
use crate::store::people::sessions::SignInMethod;
use axum::http::HeaderMap;
use oidc_login::{Answer, Claims, Flow, Oidc, SsoError, word};
use plan_model::ids::UserId;
use tower_sessions::Session;

/// What came back.
pub struct Return<'a> {
    pub app: &'a AppState,
    pub provider: &'a Oidc,
    pub session: &'a Session,
    pub from: &'a Connection,
    pub answer: Form,
}

impl Return<'_> {
    /// Where the browser goes now, and with which cookies.
    pub async fn sign_in(&self) -> Result<(String, HeaderMap), Problem> {
        let flow = self.flow()?;
        let signed_in = self.go_on(&flow).await.map_err(Problem::of_login)?;
        Ok((flow.next, signed_in))
    }

    /// The sign-in that this is the end of.
    fn flow(&self) -> Result<Flow, Problem> {
        // After 10 minutes browsers forget it.
        let cookie = self.from.cookie(cookie_name(self.from, self.app));
        let cookie = cookie.filter(|cookie| !cookie.is_empty()).ok_or(SsoError::Expired)?;
        let state = self.answer.one("state").unwrap_or_default();
        Ok(self.provider.open(cookie, state, self.app.clock.now())?)
    }

    async fn go_on(&self, flow: &Flow) -> Result<HeaderMap, Problem> {
        let issuer = self.answer.one("iss");
        if let Some(error) = self.answer.one("error") {
            self.provider.check_issuer(issuer).await?;
            return Err(refusal(error));
        }
        let Some(code) = self.answer.one("code").filter(|code| !code.is_empty()) else {
            return Err(Problem::new("sso_failed", "the answer has neither code nor error"));
        };
        let answer = Answer {
            code: code.to_owned(),
            issuer: issuer.map(str::to_owned),
        };
        let claims = self.provider.finish(flow, answer, self.app.clock.now()).await?;
        match flow.link {
            Some(person) => self.link(&claims, UserId(person)).await,
            None => self.begin(claims).await,
        }
    }

    fn recognized<'c>(&'c self, claims: &'c Claims) -> Recognized<'c> {
        let config = &self.app.config.oidc;
        let is_admin = |value: &str| claims.roles.iter().any(|role| role == value);
        Recognized {
            issuer: self.provider.issuer(),
            subject: &claims.subject,
            email: claims.email.as_deref(),
            email_verified: claims.email_verified,
            name: claims.name.as_deref(),
            is_admin: config.admin_value().map(is_admin),
            may_sign_up: config.allow_signup,
        }
    }

    async fn link(&self, claims: &Claims, person: UserId) -> Result<HeaderMap, Problem> {
        let caller = caller_of(self.app, self.session).await.ok();
        if caller.is_none_or(|caller| caller.actor.id != person || caller.impersonation.is_some()) {
            return Err(Problem::new(
                "sso_failed",
                "who began to link an identity is no longer signed in",
            ));
        }
        let mut conn = self.app.db.conn().await?;
        match self.recognized(claims).link(&mut conn, person).await? {
            Linking::Linked => Ok(HeaderMap::new()),
            Linking::Taken => Err(Problem::new("sso_link_taken", "the identity signs somebody else in")),
        }
    }

    async fn begin(&self, claims: Claims) -> Result<HeaderMap, Problem> {
        let (person, device) = {
            let mut conn = self.app.db.conn().await?;
            let person = match self.recognized(&claims).arrive(&mut conn).await? {
                Arrival::Welcome(user) => user.person(),
                Arrival::NotInvited => {
                    let cause =
                        "nobody here has this identity or was invited by its e-mail address, or they are disabled";
                    return Err(Problem::new("sso_not_invited", cause));
                }
                Arrival::EmailUnverified => {
                    let cause = "the provider gives no e-mail address that it vouches for (email, email_verified)";
                    return Err(Problem::new("sso_email_unverified", cause));
                }
            };
            let device = match self.from.device().map(device_key) {
                Some(device) if devices::knows(&conn, &device, person.id).await? => Some(device),
                _ => None,
            };
            (person, device)
        };
        let headers = SignIn::new(&person, SignInMethod::Oidc)
            .device(device)
            .oidc_sid(claims.sid)
            .begin(self.app, self.session, self.from)
            .await?;
        metrics::counter!("plan_advisor_logins_total", "outcome" => "accepted").increment(1);
        Ok(headers)
    }
}

/// The provider's error codes: RFC 6749 4.1.2.1, OpenID Connect 3.1.2.6.
fn refusal(error: &str) -> Problem {
    let cause = format!("the provider answers {}", word(error));
    let code = match error {
        "access_denied"
        | "login_required"
        | "consent_required"
        | "interaction_required"
        | "account_selection_required" => "sso_refused",
        "temporarily_unavailable" | "server_error" => "sso_unavailable",
        _ => "sso_failed",
    };
    Problem::new(code, cause)
}
