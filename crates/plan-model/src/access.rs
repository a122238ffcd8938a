//! The caller: the actor, and the effective user they act for.

use super::ids::{BrandId, PlanId, TokenId, UserId};
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

text_enum! {
    /// What a personal access token allows.
    #[derive(utoipa::ToSchema)]
    pub enum TokenScope {
        /// Reading plans and what belongs to them.
        Read = "read",
        /// Talking to the advisor, and deciding on what it heard.
        Chat = "chat",
        /// Every other change of a plan.
        Write = "write",
    }
}

/// What the token of a request allows. The person's own rights limit it further.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenGrant {
    /// The token; of a token that the identity provider issued, an id made of whose it is.
    pub id: TokenId,
    /// What its owner calls it, or the client that the identity provider issued it to.
    pub name: String,
    /// What it may do.
    pub scopes: Vec<TokenScope>,
    /// The only plan it opens; `None` for all of the person's.
    pub plan: Option<PlanId>,
}

/// A person, without anything secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// Whose plans they are.
    #[schema(value_type = uuid::Uuid)]
    pub id: UserId,
    /// What the person signs in with.
    pub email: String,
    /// As others see it.
    pub display_name: String,
    /// What the person may do.
    pub role: UserRole,
    /// The brand that the person belongs to; none for a platform administrator.
    #[schema(value_type = Option<uuid::Uuid>)]
    pub brand_id: Option<BrandId>,
}

/// What an impersonating administrator may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImpersonationMode {
    /// Looking only.
    #[default]
    Read,
    /// Also changing the plan, in the administrator's name.
    Edit,
}

/// Who wrote a user message or named a value, where that was not the plan's owner in person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Author {
    /// The person.
    #[schema(value_type = uuid::Uuid)]
    pub id: UserId,
    /// As others see it.
    #[schema(example = "Avery Stone")]
    pub display_name: String,
    /// What the person may do.
    pub role: UserRole,
    /// Present, and `true`, where the person's assistant passed it on: then it is named after the assistant's token.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub is_assistant: bool,
}

impl From<&Person> for Author {
    fn from(person: &Person) -> Self {
        Self {
            id: person.id,
            display_name: person.display_name.clone(),
            role: person.role,
            is_assistant: false,
        }
    }
}

/// An administrator acting as a franchisee.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Impersonation {
    /// What the administrator may do.
    pub mode: ImpersonationMode,
    /// Why, in the administrator's words.
    pub reason: String,
    /// When it ends by itself.
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
    /// Set while an administrator acts as somebody else.
    pub impersonation: Option<Impersonation>,
    /// Set where a program asks with a token instead of a person with a session.
    pub token: Option<TokenGrant>,
}

impl Caller {
    /// The only plan that the caller's token opens, if it is for one.
    pub fn only_plan(&self) -> Option<PlanId> {
        self.token.as_ref().and_then(|token| token.plan)
    }

    /// The caller's assistant, which asks with the caller's token; `None` without one.
    pub fn assistant(&self) -> Option<Author> {
        let token = self.token.as_ref()?;
        Some(Author {
            display_name: format!("assistant ({})", token.name),
            is_assistant: true,
            ..Author::from(&self.actor)
        })
    }

    /// Whether the caller's token, if any, is for this plan. Says nothing about the person's own rights.
    pub fn token_opens(&self, plan: PlanId) -> bool {
        self.only_plan().is_none_or(|only| only == plan)
    }

    /// A value written by this caller's own hand is attributed to.
    pub fn entry_source(&self) -> super::inputs::Source {
        use super::inputs::Source;
        if self.actor.role == UserRole::PlatformAdmin {
            Source::Admin(self.actor.display_name.as_str().into())
        } else {
            Source::UserEntry
        }
    }
}
