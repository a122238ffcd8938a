//! The caller: the actor, and the effective user they act for.

use super::ids::{BrandId, UserId};
use super::text_enum::text_enum;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

text_enum! {
    /// What a person may do.
    #[derive(utoipa::ToSchema)]
    pub enum UserRole {
        /// Own plans only.
        Franchisee = "franchisee",
        /// Edits its own brand; never sees a plan's figures or a conversation.
        FranchisorAdmin = "franchisor_admin",
        /// All plans; may impersonate franchisees.
        PlatformAdmin = "platform_admin",
    }
}

/// A person, without anything secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    #[schema(value_type = uuid::Uuid)]
    pub id: UserId,
    pub email: String,
    pub display_name: String,
    pub role: UserRole,
    #[schema(value_type = Option<uuid::Uuid>)]
    pub brand_id: Option<BrandId>,
}

/// What an impersonating administrator may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImpersonationMode {
    #[default]
    Read,
    Edit,
}

/// An administrator acting as a franchisee.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Impersonation {
    pub mode: ImpersonationMode,
    pub reason: String,
    #[serde(with = "time::serde::rfc3339")]
    pub expires_at: OffsetDateTime,
}

/// Who is asking, resolved once per request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Who is logged in.
    pub actor: Person,
    /// In whose name: the same person unless impersonating.
    pub effective: Person,
    pub impersonation: Option<Impersonation>,
}

impl Caller {
    /// A value written by this caller's own hand is attributed to.
    #[must_use]
    pub fn entry_source(&self) -> super::inputs::Source {
        use super::inputs::Source;
        if self.actor.role == UserRole::PlatformAdmin {
            Source::Admin(self.actor.display_name.clone())
        } else {
            Source::UserEntry
        }
    }
}
