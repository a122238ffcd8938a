//! Inviting people: platform administrators anybody, a brand's administrators the franchisees of their brand.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::{PathId, UncheckedJson};
use crate::http::links;
use crate::http::wire::{Data, data};
use crate::store::people::invitations::{Invitation, Invited, NewInvitation};
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use plan_model::access::{Caller, Person, UserRole};
use plan_model::clean;
use plan_model::ids::{BrandId, UserId};
use plan_model::secret::Secret;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use uuid::Uuid;

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({"email": "ann@example.com", "role": "franchisee"}))]
pub(crate) struct InviteRequest {
    #[schema(max_length = 254)]
    pub email: String,
    pub role: UserRole,
    /// Required for a brand's administrator. A brand's administrator who invites may leave out their own.
    pub brand_id: Option<Uuid>,
}

/// An invitation that nobody has accepted yet.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InvitationResponse {
    pub id: Uuid,
    pub email: String,
    pub role: UserRole,
    pub brand_id: Option<Uuid>,
    pub brand_name: Option<String>,
    /// `null` for the command line, or a person who is gone.
    pub invited_by: Option<InviterResponse>,
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339")]
    pub expires_at: OffsetDateTime,
    pub expired: bool,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InviterResponse {
    pub id: Uuid,
    pub display_name: String,
}

/// A new invitation with its link, which is shown this once.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct NewInvitationResponse {
    #[serde(flatten)]
    pub invitation: InvitationResponse,
    /// To be handed to the person.
    pub url: String,
}

impl From<Invitation> for InvitationResponse {
    fn from(invitation: Invitation) -> Self {
        let inviter = invitation.invited_by.zip(invitation.inviter);
        Self {
            id: invitation.id,
            email: invitation.email,
            role: invitation.role.0,
            brand_id: invitation.brand_id,
            brand_name: invitation.brand_name,
            invited_by: inviter.map(|(id, display_name)| InviterResponse { id, display_name }),
            created_at: invitation.created_at,
            expires_at: invitation.expires_at,
            expired: invitation.is_expired,
        }
    }
}

/// A person who may invite others, with their own rights.
pub(crate) struct InvitationEditor {
    person: Person,
    /// The only brand they may invite to; `None` for all.
    brand: Option<BrandId>,
}

impl FromRequestParts<AppState> for InvitationEditor {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, AppError> {
        let person = Caller::from_request_parts(parts, app).await?.effective;
        let brand = match (person.role, person.brand_id) {
            (UserRole::PlatformAdmin, _) => None,
            (UserRole::FranchisorAdmin, Some(brand)) => Some(brand),
            _ => return Err(AppError::forbidden("Only administrators may invite people.")),
        };
        Ok(Self { person, brand })
    }
}

impl InvitationEditor {
    /// The brand of an invitation that this person may make.
    fn brand_of(&self, role: UserRole, asked: Option<BrandId>) -> Result<Option<BrandId>, AppError> {
        let Some(own) = self.brand else {
            return match (role, asked) {
                (UserRole::FranchisorAdmin, None) => Err(AppError::invalid("brandId", "is required for this role")),
                (UserRole::PlatformAdmin, Some(_)) => Err(AppError::invalid("brandId", "has no meaning for this role")),
                _ => Ok(asked),
            };
        };
        if role == UserRole::Franchisee && asked.is_none_or(|asked| asked == own) {
            return Ok(Some(own));
        }
        Err(AppError::forbidden(
            "You may invite franchisees of your own brand only.",
        ))
    }
}

/// Invites a person by a link that works once and for seven days. Nothing is mailed.
///
/// An expired invitation to the same address is replaced.
#[utoipa::path(post, path = "/api/admin/invitations", tag = "administration", request_body = InviteRequest,
    responses((status = 201, body = Data<NewInvitationResponse>)))]
pub(crate) async fn create_invitation(
    app: AppState,
    editor: InvitationEditor,
    UncheckedJson(body, permit): UncheckedJson<InviteRequest>,
) -> Result<(StatusCode, Data<NewInvitationResponse>), AppError> {
    let brand = editor.brand_of(body.role, body.brand_id.map(BrandId))?;
    let Some(email) = clean::email(&body.email) else {
        return Err(AppError::invalid("email", "must be an e-mail address"));
    };
    permit.take(&app).await?;
    let token = Secret::new().map_err(AppError::internal)?;
    let new = NewInvitation {
        token_hash: &token.hash(),
        email: &email,
        role: body.role,
        brand,
        by: Some(editor.person.id),
    };
    match Invitation::create(&mut *app.db.conn().await?, &new).await? {
        Invited::Sent(invitation) => {
            let url = links::invitation(app.config.http.public_url.as_deref(), &token);
            let invitation = (*invitation).into();
            Ok((StatusCode::CREATED, data(NewInvitationResponse { invitation, url })))
        }
        Invited::Exists => Err(AppError::conflict("There is an account with this address already.")),
        Invited::Pending => Err(AppError::conflict(
            "This address is invited already. Take that invitation back for a new link.",
        )),
        Invited::UnknownBrand => Err(AppError::invalid("brandId", "is not a brand")),
    }
}

/// Invitations that nobody has accepted, newest first, also expired ones. A brand's administrators see their brand's.
#[utoipa::path(get, path = "/api/admin/invitations", tag = "administration", responses((status = 200, body = Data<Vec<InvitationResponse>>)))]
pub(crate) async fn list_invitations(
    app: AppState,
    editor: InvitationEditor,
) -> Result<Data<Vec<InvitationResponse>>, AppError> {
    let found = Invitation::list(&*app.db.conn().await?, editor.brand).await?;
    Ok(data(found.into_iter().map(Into::into).collect()))
}

/// Takes an invitation back; its link no longer works.
#[utoipa::path(delete, path = "/api/admin/invitations/{id}", tag = "administration", params(("id" = Uuid, Path, description = "The invitation")),
    responses((status = 204, description = "The link no longer works")))]
pub(crate) async fn revoke_invitation(
    app: AppState,
    editor: InvitationEditor,
    PathId(id): PathId,
) -> Result<StatusCode, AppError> {
    let by: UserId = editor.person.id;
    match Invitation::revoke(&mut *app.db.conn().await?, id, editor.brand, by).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(AppError::not_found("The invitation")),
    }
}
