//! A browser that comes back from the identity provider.

use super::cookies;
use super::problem::Problem;
use crate::app::AppState;
use crate::http::extract::Form;
use crate::http::handlers::access::auth::password_check::PasswordCheck;
use crate::http::handlers::access::auth::sign_in::SignIn;
use crate::http::layers::authenticate::caller_of;
use crate::http::throttle::{LinkAttempt, device_key, once_key};
use crate::store::people::identities::{Arrival, Linking, Recognized};
use crate::store::people::logins::{devices, is_first_use};
use crate::store::people::sessions::SignInMethod;
use axum::http::HeaderMap;
use oidc_login::{Answer, Claims, Flow, Oidc, SsoError, word};
use plan_model::ids::UserId;
use tower_sessions::Session;

/// What came back.
pub(super) struct Return<'a> {
    pub app: &'a AppState,
    pub provider: &'a Oidc,
    pub session: &'a Session,
    pub checks: &'a PasswordCheck,
    pub answer: Form,
}

/// What a person who was recognized gets.
struct SignedIn {
    cookies: HeaderMap,
    /// What the page is to say, if anything.
    notice: Option<&'static str>,
}

impl Return<'_> {
    /// Where the browser goes now, and with which cookies.
    pub(super) async fn sign_in(&self) -> Result<(String, HeaderMap), Problem> {
        let Some(flow) = self.flow()? else {
            return self.without_cookie().await;
        };
        let attempt = self.begin_attempt().await?;
        let signed_in = self.go_on(&flow).await.map_err(Problem::of_login)?;
        attempt.take_back(&*self.app.db.conn().await?).await?;
        let goes_to = match signed_in.notice {
            Some(notice) => with_notice(&flow.next, notice),
            None => flow.next,
        };
        Ok((goes_to, signed_in.cookies))
    }

    /// The `state` of the answer.
    pub(super) fn state(&self) -> &str {
        self.answer.one("state").unwrap_or_default()
    }

    /// The sign-in that this is the end of, if the browser has its cookie.
    fn flow(&self) -> Result<Option<Flow>, Problem> {
        let name = cookies::name(self.app, &self.checks.from, self.state());
        let Some(cookie) = self.checks.from.cookie(&name) else {
            return Ok(None);
        };
        Ok(Some(self.provider.open(cookie, self.state(), self.app.clock.now())?))
    }

    /// The answer to a sign-in that ended, perhaps in another way, or whose cookie the browser did not keep.
    async fn without_cookie(&self) -> Result<(String, HeaderMap), Problem> {
        if caller_of(self.app, self.session).await.is_ok() {
            // Such as the browser's way back to this page.
            return Ok(("/".to_owned(), HeaderMap::new()));
        }
        // After 10 minutes browsers forget it.
        if Oidc::is_over(self.state(), self.app.clock.now()) {
            return Err(SsoError::Expired.into());
        }
        Err(Problem::new(
            "sso_no_cookie",
            "the browser has no cookie of this sign-in: it did not keep it, or the sign-in has ended; cookies need https",
        ))
    }

    /// Counts as a failed login of its network until it is taken back: whoever begins a sign-in, which needs no account,
    /// could make up codes. An answer is good once.
    async fn begin_attempt(&self) -> Result<LinkAttempt, Problem> {
        let (logins, address) = (&self.checks.logins, self.checks.from.address());
        let too_many = |_| Problem::new("sso_too_many", "too many failed logins of this network");
        logins.precheck(address).map_err(too_many)?;
        let conn = self.app.db.conn().await?;
        let attempt = logins.begin_link(&conn, address).await?.map_err(too_many)?;
        match is_first_use(&conn, &once_key("state", &[self.state()])).await? {
            true => Ok(attempt),
            false => Err(Problem::new("sso_failed", "the answer was used before")),
        }
    }

    async fn go_on(&self, flow: &Flow) -> Result<SignedIn, Problem> {
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

    async fn link(&self, claims: &Claims, person: UserId) -> Result<SignedIn, Problem> {
        let caller = caller_of(self.app, self.session).await.ok();
        if caller.is_none_or(|caller| caller.actor.id != person || caller.impersonation.is_some()) {
            return Err(Problem::new(
                "sso_failed",
                "who began to link an identity is no longer signed in",
            ));
        }
        let mut conn = self.app.db.conn().await?;
        match self.recognized(claims).link(&mut conn, person).await? {
            Linking::Linked => Ok(SignedIn {
                cookies: HeaderMap::new(),
                notice: None,
            }),
            Linking::Taken => Err(Problem::new("sso_link_taken", "the identity signs somebody else in")),
        }
    }

    async fn begin(&self, claims: Claims) -> Result<SignedIn, Problem> {
        let (person, took_over, device) = {
            let mut conn = self.app.db.conn().await?;
            let (person, took_over) = match self.recognized(&claims).arrive(&mut conn).await? {
                Arrival::Welcome { user, took_over } => (user.person(), took_over),
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
            let device = match self.checks.from.device().map(device_key) {
                Some(device) if devices::knows(&conn, &device, person.id).await? => Some(device),
                _ => None,
            };
            (person, took_over, device)
        };
        let cookies = SignIn::new(&person, SignInMethod::Oidc)
            .device(device)
            .oidc_sid(claims.sid)
            .begin(self.app, self.session, &self.checks.from)
            .await?;
        metrics::counter!("plan_advisor_logins_total", "outcome" => "accepted").increment(1);
        let notice = took_over.then_some("sso_first_proof");
        Ok(SignedIn { cookies, notice })
    }
}

/// The path with the notice in its query.
fn with_notice(path: &str, notice: &str) -> String {
    let (path, fragment) = match path.split_once('#') {
        Some((path, fragment)) => (path, format!("#{fragment}")),
        None => (path, String::new()),
    };
    let joint = if path.contains('?') { '&' } else { '?' };
    format!("{path}{joint}notice={notice}{fragment}")
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

#[cfg(test)]
mod tests {
    use super::with_notice;

    #[test]
    fn a_notice_goes_into_the_query() {
        for (path, expected) in [
            ("/", "/?notice=n"),
            ("/plans/1?view=chat#end", "/plans/1?view=chat&notice=n#end"),
            ("/plans/1#?", "/plans/1?notice=n#?"),
        ] {
            assert_eq!(with_notice(path, "n"), expected);
        }
    }
}
