//! Access tokens of programs: `Authorization: Bearer pat_…`, and nowhere else.

use crate::app::AppState;
use crate::http::challenge::Challenge;
use crate::http::error::AppError;
use crate::store::people::access_tokens::{self, LiveToken};
use crate::store::{Conn, StoreResult};
use axum::extract::Query;
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use plan_model::access::Caller;
use plan_model::error::ErrorCode;
use plan_model::ids::TokenId;
use plan_model::secret::{SecretHash, holds_token, is_same, read_token};
use time::UtcOffset;

/// The parameter that RFC 6750 has for tokens, and advises against.
const PARAMETER: &str = "access_token";

/// A token as a request sends it, not verified yet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PresentedToken {
    pub id: TokenId,
    hash: SecretHash,
}

/// Whether the request is a program's. Other schemes than Bearer are those of proxies and mean nothing here.
pub(crate) fn is_presented(headers: &HeaderMap) -> bool {
    bearers(headers).next().is_some()
}

/// The request's token, if it brings one.
///
/// # Errors
/// 401 for a text that is no token, 400 beside another `Authorization` header.
pub(crate) fn presented(headers: &HeaderMap) -> Result<Option<PresentedToken>, AppError> {
    let Some(text) = bearers(headers).next() else {
        return Ok(None);
    };
    if headers.get_all(header::AUTHORIZATION).iter().count() > 1 {
        return Err(AppError::invalid("Authorization", "must be sent once"));
    }
    let (id, hash) = read_token(text).ok_or_else(refused)?;
    Ok(Some(PresentedToken { id: TokenId(id), hash }))
}

/// A token in the form of those that identity providers sign, the only credential of the request.
pub(crate) fn signed(headers: &HeaderMap) -> Option<&str> {
    let text = std::str::from_utf8(bearers(headers).next()?).ok()?;
    let is_alone = headers.get_all(header::AUTHORIZATION).iter().count() == 1;
    (is_alone && text.split('.').count() == 3).then_some(text)
}

/// Nothing but a token opens this.
pub(crate) fn required() -> AppError {
    let message = "Send an access token: `Authorization: Bearer pat_…`. It is made on the page, under Account.";
    AppError::new(ErrorCode::Unauthenticated, message)
}

fn bearers(headers: &HeaderMap) -> impl Iterator<Item = &[u8]> {
    let values = headers.get_all(header::AUTHORIZATION).iter();
    values.map(HeaderValue::as_bytes).filter_map(|value| {
        let end = value.iter().position(u8::is_ascii_whitespace).unwrap_or(value.len());
        let (scheme, rest) = value.split_at(end);
        scheme.eq_ignore_ascii_case(b"bearer").then(|| rest.trim_ascii())
    })
}

/// Does not tell an unknown token from one that is expired or revoked.
pub(crate) fn refused() -> AppError {
    let message = "This access token is not valid: it is unknown, has expired or was revoked.";
    AppError::new(ErrorCode::Unauthenticated, message).challenge(Challenge::InvalidToken)
}

/// Refuses a token in an address, which proxies log and browsers remember.
///
/// # Errors
/// 400.
pub(crate) fn refuse_in_query(uri: &Uri) -> Result<(), AppError> {
    if uri.query().is_none() {
        return Ok(());
    }
    let Ok(Query(parameters)) = Query::<Vec<(String, String)>>::try_from_uri(uri) else {
        return Ok(());
    };
    let is_token = |(name, value): &(String, String)| {
        name.eq_ignore_ascii_case(PARAMETER) || holds_token(name) || holds_token(value)
    };
    if !parameters.iter().any(is_token) {
        return Ok(());
    }
    let message = "An access token does not belong in an address, where logs keep it. Send it as the header \
                   `Authorization: Bearer pat_…`, and replace this one.";
    Err(AppError::new(ErrorCode::ValidationError, message))
}

/// The token's owner as the caller; `None` if the token is unknown or no longer valid.
pub(crate) async fn resolve(app: &AppState, conn: &Conn, token: &PresentedToken) -> StoreResult<Option<Caller>> {
    let Some(live) = LiveToken::find(conn, token.id).await? else {
        return Ok(None);
    };
    let now = app.clock.or_database(live.asked_at);
    if !is_same(&live.hash, &token.hash) || live.expires_at <= now {
        return Ok(None);
    }
    let today = now.to_offset(UtcOffset::UTC).date();
    if live.last_used_on != Some(today) {
        // Once a day. A database that can only be read does not keep a program from reading.
        if let Err(error) = access_tokens::note_use(conn, token.id, today).await {
            tracing::debug!(error = %error, "The last use of an access token is not stored");
        }
    }
    let person = live.user.person();
    Ok(Some(Caller {
        effective: person.clone(),
        actor: person,
        impersonation: None,
        token: Some(live.grant()),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_model::secret::Secret;
    use uuid::Uuid;

    fn headers(values: &[&[u8]]) -> HeaderMap {
        let pair = |value: &&[u8]| (header::AUTHORIZATION, HeaderValue::from_bytes(value).expect("a value"));
        values.iter().map(pair).collect()
    }

    fn code(values: &[&[u8]]) -> Result<Option<Uuid>, ErrorCode> {
        let found = presented(&headers(values)).map_err(|error| error.code())?;
        Ok(found.map(|token| token.id.0))
    }

    #[test]
    fn the_scheme_may_be_in_any_case_and_others_are_ignored() {
        let id = Uuid::now_v7();
        let token = Secret::new().expect("random").token(id);
        for scheme in ["Bearer ", "bearer ", "BEARER   ", "bEaReR\t"] {
            assert_eq!(code(&[format!("{scheme}{token}").as_bytes()]), Ok(Some(id)), "{scheme}");
        }
        for other in ["Basic c2FtOng=", "", "Negotiate", "Bearerpat_1", &token] {
            assert_eq!(code(&[other.as_bytes()]), Ok(None), "{other}");
        }
        assert_eq!(code(&[]), Ok(None));
        assert_eq!(code(&[b"Basic eDp5", b"Basic eDp5"]), Ok(None));
    }

    #[test]
    fn what_is_no_token_is_refused() {
        let token = Secret::new().expect("random").token(Uuid::now_v7());
        let long = "a".repeat(10_000);
        for text in [
            "",
            "pat_",
            "eyJhbGciOiJub25lIn0.e30.",
            &long,
            &format!("{token}, {token}"),
            &format!("{token} x"),
        ] {
            let value = format!("Bearer {text}");
            assert_eq!(
                code(&[value.trim().as_bytes()]),
                Err(ErrorCode::Unauthenticated),
                "{text}"
            );
        }
        assert_eq!(code(&[b"Bearer pat_\xff\xfe"]), Err(ErrorCode::Unauthenticated));
        let value = format!("Bearer {token}");
        for other in [&b"Basic eDp5"[..], value.as_bytes()] {
            assert_eq!(code(&[value.as_bytes(), other]), Err(ErrorCode::ValidationError));
            assert_eq!(code(&[other, value.as_bytes()]), Err(ErrorCode::ValidationError));
        }
    }

    #[test]
    fn a_token_in_an_address_is_noticed_however_it_is_written() {
        let token = Secret::new().expect("random").token(Uuid::now_v7());
        let encoded = token.replace("pat_", "%70at%5F");
        let refused =
            |query: &str| refuse_in_query(&format!("/api/plans?{query}").parse().expect("an address")).is_err();
        for query in [
            "access_token=x",
            "Access_Token",
            &format!("after=1&x={token}"),
            &token,
            &format!("x={encoded}"),
            &format!("access%5Ftoken={encoded}"),
        ] {
            assert!(refused(query), "{query}");
        }
        for query in ["", "email=pat_smith", "x=%ff%fe", "access=1&token=2", "a=1&a=2"] {
            assert!(!refused(query), "{query}");
        }
    }
}
