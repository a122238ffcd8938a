//! Access tokens that the identity provider has issued for assistants: we take them, and never issue any.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::layers::{bearer, resource};
use crate::store::people::identities;
use axum::http::HeaderMap;
use oidc_login::{Oidc, SsoError};
use plan_model::access::{Caller, TokenGrant, TokenScope};
use plan_model::clean;
use plan_model::ids::TokenId;
use ring::digest::{SHA256, digest};
use uuid::Builder;

/// As long as a token's name that is typed here.
const MAX_NAME_CHARS: usize = 60;

/// The person whose identity the token names, with the scopes that it names.
///
/// # Errors
/// 401 for a token that is not the provider's, not for us, expired, or of a person without an account; 503 where the
/// provider or the database does not answer.
pub(crate) async fn resolve(app: &AppState, oidc: &Oidc, token: &str) -> Result<(Caller, TokenId), AppError> {
    // With single sign-on there is a public address, so the headers say nothing.
    let audience = resource::address(&app.config, &HeaderMap::new());
    let granted = oidc.granted(token, &audience, app.clock.now()).await.map_err(refused)?;
    let user = identities::find_owner(&*app.db.conn().await?, oidc.issuer(), &granted.subject).await?;
    let user = user
        .filter(|user| user.disabled_at.is_none())
        .ok_or_else(bearer::refused)?;
    let client = granted.client.as_deref().map(clean::label).unwrap_or_default();
    let id = id_of(&[oidc.issuer(), &granted.subject, &client]);
    let is_granted = |scope: &&TokenScope| granted.scopes.iter().any(|one| one == scope.as_str());
    let person = user.person();
    let caller = Caller {
        effective: person.clone(),
        actor: person,
        impersonation: None,
        token: Some(TokenGrant {
            id,
            name: client.chars().take(MAX_NAME_CHARS).collect(),
            scopes: TokenScope::ALL.iter().filter(is_granted).copied().collect(),
            plan: None,
        }),
    };
    Ok((caller, id))
}

/// Of all tokens of one person for one client the same, for the audit.
fn id_of(parts: &[&str]) -> TokenId {
    let hash = digest(&SHA256, parts.join("\n").as_bytes());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.as_ref()[..16]);
    TokenId(Builder::from_custom_bytes(bytes).into_uuid())
}

fn refused(error: SsoError) -> AppError {
    match error {
        SsoError::Unavailable(_) => AppError::unavailable().with_source(error),
        cause => {
            tracing::debug!(cause = %cause, "An access token of the identity provider is refused: {cause}");
            bearer::refused()
        }
    }
}
