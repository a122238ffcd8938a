//! Who belongs to a brand.

use super::BrandEditor;
use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::wire::{Data, data};
use crate::store::people::users::members::Member;
use plan_model::access::UserRole;
use serde::Serialize;
use time::OffsetDateTime;
use uuid::Uuid;

/// A person of a brand, as its administrators see them.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MemberResponse {
    pub id: Uuid,
    pub display_name: String,
    pub role: UserRole,
    /// When the account was opened.
    #[serde(with = "time::serde::rfc3339")]
    pub joined_at: OffsetDateTime,
    /// The address that this brand had invited; `null` where the person came another way.
    pub invited_as: Option<String>,
    /// Whether they may not sign in.
    pub disabled: bool,
}

/// Lists the people of a brand, newest first; at most 500. Nothing of their plans is in it.
#[utoipa::path(get, path = "/api/brands/{id}/members", tag = "brands", params(("id" = Uuid, Path, description = "The brand")),
    responses((status = 200, body = Data<Vec<MemberResponse>>)))]
pub(crate) async fn list_members(app: AppState, editor: BrandEditor) -> Result<Data<Vec<MemberResponse>>, AppError> {
    let found = Member::list(&*app.db.conn().await?, editor.brand.id).await?;
    let shown = |member: Member| MemberResponse {
        id: member.id,
        display_name: member.display_name,
        role: member.role,
        joined_at: member.joined_at,
        invited_as: member.invited_as,
        disabled: member.is_disabled,
    };
    Ok(data(found.into_iter().map(shown).collect()))
}
