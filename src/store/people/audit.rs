//! The audit log of events other than plan values: logins, impersonations, confirmations, cleared conversations, edited brands,
//! accounts and their keys, calls of assistants.

use crate::store::schema::audit_events;
use crate::store::{Conn, StoreResult};
use diesel::prelude::*;
use diesel_async::RunQueryDsl;
use pg_link::json::Json;
use plan_model::access::Caller;
use plan_model::ids::{PlanId, TokenId, TurnId, UserId};
use plan_model::text_enum::text_enum;
use ring::digest::{SHA256, digest};
use serde_json::{Value, json};
use time::OffsetDateTime;
use uuid::{Builder, Uuid};

text_enum! {
    /// What happened.
    pub enum AuditKind {
        AccessDenied = "access_denied",
        Login = "login",
        Logout = "logout",
        LogoutEverywhere = "logout_everywhere",
        LoginFailed = "login_failed",
        PlanCreated = "plan_created",
        PlanRenamed = "plan_renamed",
        PlanDeleted = "plan_deleted",
        OpeningMonthChanged = "opening_month_changed",
        StoryChanged = "story_changed",
        BrandCreated = "brand_created",
        BrandReplaced = "brand_replaced",
        ImpersonationStarted = "impersonation_started",
        ImpersonationEnded = "impersonation_ended",
        ConversationCleared = "conversation_cleared",
        ConfirmationApproved = "confirmation_approved",
        ConfirmationDenied = "confirmation_denied",
        UserAdded = "user_added",
        UserRemoved = "user_removed",
        UserChanged = "user_changed",
        UserDisabled = "user_disabled",
        UserEnabled = "user_enabled",
        InvitationCreated = "invitation_created",
        InvitationRevoked = "invitation_revoked",
        InvitationAccepted = "invitation_accepted",
        IdentityLinked = "identity_linked",
        PasswordResetIssued = "password_reset_issued",
        PasswordResetApproved = "password_reset_approved",
        PasswordChanged = "password_changed",
        SessionRevoked = "session_revoked",
        TokenCreated = "token_created",
        TokenRevoked = "token_revoked",
        DataExported = "data_exported",
        WordsErased = "words_erased",
        IdentityUnlinked = "identity_unlinked",
        EmailVerified = "email_verified",
        McpListPlans = "mcp.list_plans",
        McpGetPlan = "mcp.get_plan",
        McpGetProjection = "mcp.get_projection",
        McpWhatIf = "mcp.what_if",
        McpGoalSeek = "mcp.goal_seek",
        McpRankLevers = "mcp.rank_levers",
        McpCompareScenarios = "mcp.compare_scenarios",
        McpExplainField = "mcp.explain_field",
        McpListChanges = "mcp.list_changes",
        McpProposeValue = "mcp.propose_value",
        McpAskAdvisor = "mcp.ask_advisor",
        McpReadResource = "mcp.read_resource",
        McpGetPrompt = "mcp.get_prompt",
        DocumentMade = "document_made",
        DocumentLinkCreated = "document_link_created",
        DocumentLinkRevoked = "document_link_revoked",
    }
}

/// A new entry. `detail` never holds a message or a figure.
#[derive(Debug, Insertable)]
#[diesel(table_name = audit_events)]
pub struct AuditEvent {
    id: Uuid,
    kind: &'static str,
    actor_id: Option<Uuid>,
    effective_user_id: Option<Uuid>,
    plan_id: Option<Uuid>,
    turn_id: Option<Uuid>,
    detail: Json<Value>,
    /// Grows where the event is counted instead of written again.
    calls: i32,
}

impl AuditEvent {
    pub fn by(kind: AuditKind, caller: &Caller) -> Self {
        Self::new(kind, Some(caller.actor.id), Some(caller.effective.id))
    }

    pub fn new(kind: AuditKind, actor: Option<UserId>, effective: Option<UserId>) -> Self {
        Self {
            id: Uuid::now_v7(),
            kind: kind.as_str(),
            actor_id: actor.map(|id| id.0),
            effective_user_id: effective.map(|id| id.0),
            plan_id: None,
            turn_id: None,
            detail: Json(Value::Object(serde_json::Map::new())),
            calls: 1,
        }
    }

    #[must_use]
    pub fn plan(mut self, plan: PlanId) -> Self {
        self.plan_id = Some(plan.0);
        self
    }

    #[must_use]
    pub fn turn(mut self, turn: TurnId) -> Self {
        self.turn_id = Some(turn.0);
        self
    }

    #[must_use]
    pub fn detail(mut self, detail: Value) -> Self {
        self.detail = Json(detail);
        self
    }

    /// For what somebody can provoke at will: of the same kind, actor, person and plan one row is kept for each hour. Nobody can delete
    /// them.
    #[must_use]
    pub fn once_an_hour(self, now: OffsetDateTime) -> Self {
        self.one_of_hour(now, &[])
    }

    /// Counts a call of an assistant: of the same kind, token and plan one row is kept for each hour, with their number.
    pub async fn count_call(self, mut conn: &Conn, token: TokenId, now: OffsetDateTime) -> StoreResult<()> {
        let event = self
            .detail(json!({ "tokenId": token }))
            .one_of_hour(now, token.0.as_bytes());
        diesel::insert_into(audit_events::table)
            .values(&event)
            .on_conflict(audit_events::id)
            .do_update()
            .set(audit_events::calls.eq(audit_events::calls + 1))
            .execute(&mut conn)
            .await?;
        Ok(())
    }

    /// Gives all events of an hour the same id that have kind, actor, person, plan and `more` in common.
    fn one_of_hour(mut self, now: OffsetDateTime, more: &[u8]) -> Self {
        let hour = now.unix_timestamp() / 3600;
        let whom = [self.actor_id, self.effective_user_id, self.plan_id].map(Option::unwrap_or_default);
        let mut content = self.kind.as_bytes().to_vec();
        content.extend(whom.iter().flat_map(|id| id.into_bytes()));
        content.extend(more);
        content.extend(hour.to_be_bytes());
        let hash = digest(&SHA256, &content);
        let mut random = [0; 10];
        random.copy_from_slice(&hash.as_ref()[..10]);
        let began = u64::try_from(hour * 3_600_000).unwrap_or_default();
        self.id = Builder::from_unix_timestamp_millis(began, &random).into_uuid();
        self
    }

    /// Adds one particular to those that the entry has.
    #[must_use]
    pub fn also(mut self, key: &str, value: Value) -> Self {
        if let Value::Object(detail) = &mut self.detail.0 {
            detail.insert(key.to_owned(), value);
        }
        self
    }

    pub async fn insert(&self, mut conn: &Conn) -> StoreResult<()> {
        diesel::insert_into(audit_events::table)
            .values(self)
            .on_conflict(audit_events::id)
            .do_nothing()
            .execute(&mut conn)
            .await?;
        Ok(())
    }
}
