//! What a route demands of a request. `routes.rs` states it, one row for each operation; layers and extractors read it from
//! the request, never from the text of its path.

use crate::app::AppState;
use crate::http::challenge::Challenge;
use crate::http::error::AppError;
use axum::http::{Extensions, Method};
use plan_model::access::{TokenGrant, TokenScope};
use plan_model::error::ErrorCode;
use utoipa::openapi::HttpMethod;
use utoipa_axum::router::UtoipaMethodRouter;

/// Most bodies are a message or a few values.
const DEFAULT_BODY: usize = 64 * 1024;

/// What a body has beside its message.
const BESIDE_MESSAGE: usize = 4 * 1024;

/// The handler reads no body, whatever is sent.
pub(crate) const NO_BODY: usize = 0;

/// Who may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    /// Outside of the API: page, health, documentation. Nothing is checked, not even the origin.
    Unchecked,
    /// No session is needed: ways to sign in.
    Anyone,
    /// Whoever has signed in, or a token.
    Person,
    /// A program with a token. A session is nothing here, and the origin counts in spite of the token.
    Program,
    /// Who may edit the plan of the parameter `id`. The layer reads the plan, `PlanAccess` decides.
    Plan,
    /// Administrators of the brand and of the platform; the handler decides which brands.
    BrandAdmin,
    /// Administrators of the platform, also while they act for somebody; the `PlatformAdmin` of a handler refuses that.
    PlatformAdmin,
}

/// What an access token needs. None is ever enough by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    Scope(TokenScope),
    /// Any is enough, because nothing is there.
    Any,
    /// A scope, and a token that is not for one plan only.
    ScopeForAllPlans(TokenScope),
    /// No token is enough: accounts, keys and brands are for people who have signed in.
    Login,
}

/// Whether a request takes one of the user's writes per minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Count {
    Write,
    /// It changes nothing, is limited in another way, or must always be possible.
    Nothing,
}

/// What layers and extractors need to know of a route.
#[must_use]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Policy {
    pub who: Who,
    pub token: Token,
    pub count: Count,
    /// Largest body in bytes, or [`NO_BODY`]. A GET has none anyway. A message may need more: see [`Policy::for_messages_of`].
    pub body: usize,
    /// The handler of a GET reads a query, which counts the read.
    pub reads_query: bool,
    /// A message to the advisor: texts with U+0000 are refused, elsewhere it is replaced.
    pub is_message: bool,
    /// Allowed to an administrator who only looks at somebody's account, though it writes: the ways to end that.
    pub ends_impersonation: bool,
    /// Reports the database's state, so it must work without the database.
    pub works_without_database: bool,
}

impl Policy {
    const fn new(who: Who, token: Token, count: Count) -> Self {
        Self {
            who,
            token,
            count,
            body: DEFAULT_BODY,
            reads_query: false,
            is_message: false,
            ends_impersonation: false,
            works_without_database: false,
        }
    }

    /// Addresses of the API that do not exist: 401 without a session, 404 with one.
    pub(crate) const UNKNOWN: Self = Self::new(Who::Person, Token::Any, Count::Nothing);
    /// Where no row matches.
    pub(crate) const STRICTEST: Self = Self::new(Who::PlatformAdmin, Token::Login, Count::Nothing);
    /// The page's files.
    pub(crate) const PAGE: Self = Self::new(Who::Unchecked, Token::Login, Count::Nothing);

    /// The policy of the request's route; the strictest if the router has not said.
    pub(crate) fn of(extensions: &Extensions) -> Self {
        extensions.get().copied().unwrap_or(Self::STRICTEST)
    }

    /// The same address asked with a method that it does not have.
    pub(crate) fn of_other_methods(self) -> Self {
        // Clients of the Model Context Protocol try a GET, and have to learn that there is none.
        let is_for_programs = self.who == Who::Program;
        Self {
            token: if is_for_programs { Token::Any } else { Token::Login },
            count: Count::Nothing,
            ..self
        }
    }

    /// With a body limit that lets a message of so many characters pass, however JSON writes them: outside of the first plane each is
    /// two escapes of six bytes.
    pub(crate) fn for_messages_of(mut self, max_message_chars: u32) -> Self {
        if self.is_message {
            let chars = usize::try_from(max_message_chars).unwrap_or(usize::MAX);
            self.body = self.body.max(chars.saturating_mul(12).saturating_add(BESIDE_MESSAGE));
        }
        self
    }

    /// Whether the address belongs to the API.
    pub(crate) fn is_api(self) -> bool {
        self.who != Who::Unchecked
    }

    /// Whether the request needs a session or a token.
    pub(crate) fn needs_caller(self) -> bool {
        !matches!(self.who, Who::Unchecked | Who::Anyone)
    }

    /// Refuses what the token is not for.
    ///
    /// # Errors
    /// 403 that names what is needed.
    pub(crate) fn check(self, token: &TokenGrant) -> Result<(), AppError> {
        let scope = match self.token {
            Token::Any => return Ok(()),
            Token::Scope(scope) | Token::ScopeForAllPlans(scope) => scope,
            Token::Login => return Err(AppError::forbidden("No access token may do this. Sign in for it.")),
        };
        if !token.scopes.contains(&scope) {
            let message = format!("This access token lacks the scope `{}`.", scope.as_str());
            return Err(AppError::forbidden(message).challenge(Challenge::InsufficientScope(scope)));
        }
        if token.plan.is_some() && matches!(self.token, Token::ScopeForAllPlans(_)) {
            return Err(AppError::forbidden(
                "This access token is for one plan and makes no others.",
            ));
        }
        Ok(())
    }
}

/// Makes a route's handler and its description, which are wanted together only for the API document.
pub(crate) type MakeHandler = fn() -> UtoipaMethodRouter<AppState>;

/// One operation.
#[must_use]
pub(crate) struct Route {
    pub method: HttpMethod,
    pub address: &'static str,
    pub handler: MakeHandler,
    pub policy: Policy,
    /// How it fails besides what follows from its policy, method and body.
    pub failures: &'static [ErrorCode],
    /// Answers with events as they come, or with what is packed already. They are never compressed, and a layer that could would cost
    /// each token something.
    pub streams: bool,
}

impl Route {
    const fn new(method: HttpMethod, address: &'static str, handler: MakeHandler, policy: Policy) -> Self {
        Self {
            method,
            address,
            handler,
            policy,
            failures: &[],
            streams: false,
        }
    }

    pub(crate) fn method(&self) -> Method {
        match self.method {
            HttpMethod::Get => Method::GET,
            HttpMethod::Put => Method::PUT,
            HttpMethod::Post => Method::POST,
            HttpMethod::Delete => Method::DELETE,
            HttpMethod::Options => Method::OPTIONS,
            HttpMethod::Head => Method::HEAD,
            HttpMethod::Patch => Method::PATCH,
            HttpMethod::Trace => Method::TRACE,
        }
    }

    pub(crate) const fn fails(mut self, failures: &'static [ErrorCode]) -> Self {
        self.failures = failures;
        self
    }

    pub(crate) const fn body(mut self, bytes: usize) -> Self {
        self.policy.body = bytes;
        self
    }

    pub(crate) const fn no_body(self) -> Self {
        self.body(NO_BODY)
    }

    pub(crate) const fn query(mut self) -> Self {
        self.policy.reads_query = true;
        self
    }

    pub(crate) const fn message(mut self) -> Self {
        self.policy.is_message = true;
        self
    }

    pub(crate) const fn ends_impersonation(mut self) -> Self {
        self.policy.ends_impersonation = true;
        self
    }

    pub(crate) const fn works_without_database(mut self) -> Self {
        self.policy.works_without_database = true;
        self
    }

    /// Answers with a file that is packed already, and whose entity tag is of its bytes.
    pub(crate) const fn packed(self) -> Self {
        self.streams()
    }

    pub(crate) const fn streams(mut self) -> Self {
        self.streams = true;
        self
    }
}

/// A GET outside of the API.
pub(crate) const fn page(address: &'static str, handler: MakeHandler) -> Route {
    Route::new(HttpMethod::Get, address, handler, Policy::PAGE)
}

/// A GET counts as no write.
pub(crate) const fn get(address: &'static str, handler: MakeHandler, who: Who, token: Token) -> Route {
    let policy = Policy::new(who, token, Count::Nothing);
    Route::new(HttpMethod::Get, address, handler, policy)
}

pub(crate) const fn post(address: &'static str, handler: MakeHandler, who: Who, token: Token, count: Count) -> Route {
    Route::new(HttpMethod::Post, address, handler, Policy::new(who, token, count))
}

pub(crate) const fn put(address: &'static str, handler: MakeHandler, who: Who, token: Token, count: Count) -> Route {
    Route::new(HttpMethod::Put, address, handler, Policy::new(who, token, count))
}

pub(crate) const fn patch(address: &'static str, handler: MakeHandler, who: Who, token: Token, count: Count) -> Route {
    Route::new(HttpMethod::Patch, address, handler, Policy::new(who, token, count))
}

pub(crate) const fn delete(address: &'static str, handler: MakeHandler, who: Who, token: Token, count: Count) -> Route {
    Route::new(HttpMethod::Delete, address, handler, Policy::new(who, token, count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_model::ids::{PlanId, TokenId};

    #[test]
    fn a_refusal_names_the_scope() {
        let token = |scopes: &[TokenScope], plan| TokenGrant {
            id: TokenId::fresh(),
            name: "A program".to_owned(),
            scopes: scopes.to_vec(),
            plan,
        };
        let needs = |token| Policy::new(Who::Plan, token, Count::Nothing);
        let read = token(&[TokenScope::Read], None);
        assert!(needs(Token::Scope(TokenScope::Read)).check(&read).is_ok());
        for scope in [TokenScope::Write, TokenScope::Chat] {
            let refusal = needs(Token::Scope(scope)).check(&read).expect_err("a refusal");
            assert!(
                refusal.to_string().contains(&format!("`{}`", scope.as_str())),
                "{refusal}"
            );
        }
        let new_plan = needs(Token::ScopeForAllPlans(TokenScope::Write));
        let all = token(TokenScope::ALL, None);
        assert!(new_plan.check(&all).is_ok());
        assert!(needs(Token::Login).check(&all).is_err());
        let of_one = token(TokenScope::ALL, Some(PlanId::fresh()));
        assert!(needs(Token::Scope(TokenScope::Write)).check(&of_one).is_ok());
        assert!(new_plan.check(&of_one).is_err());
    }
}
