//! The plans that an assistant may read, and the advisor's own tools on them: each figure as its number and in words.

use crate::app::AppState;
use crate::conversation::tools::{Called, EvidenceTexts, Figures, Services, ToolContext};
use crate::http::error::AppError;
use crate::http::extract::{Credential, PlanAccess, open_plan};
use crate::http::mcp::tools::{no_plan, not_found};
use crate::store::StoreResult;
use crate::store::brands::BrandVersion;
use crate::store::plans::plan_changes::PlanChange;
use crate::store::plans::scenarios::Scenario;
use crate::store::plans::{Plan, PlanSummary};
use plan_model::access::{Caller, UserRole};
use plan_model::error::ErrorCode;
use plan_model::field::{Bounds, Field, catalogue, lookup};
use plan_model::ids::PlanId;
use rmcp::model::JsonObject;
use serde_json::{Value, json};
use std::sync::Arc;

/// Plans in a list. Somebody with more has them on the page.
const MOST_PLANS: i64 = 50;

/// A plan as a call has found it.
pub(super) struct Opened {
    pub app: AppState,
    pub access: PlanAccess,
    pub plan: Plan,
    pub brand_version: Arc<BrandVersion>,
}

impl Opened {
    /// The plan of this id.
    ///
    /// # Errors
    /// The same for a plan that does not exist and for one that is not the caller's.
    pub(super) async fn open(app: &AppState, caller: &Caller, with: Credential, id: &str) -> Result<Self, AppError> {
        let id = id.parse().map(PlanId).map_err(|_| no_plan())?;
        let found = open_plan(app, caller, id).await.map_err(|error| match error.code() {
            ErrorCode::NotFound | ErrorCode::Forbidden => no_plan(),
            _ => error,
        })?;
        let access = PlanAccess {
            caller: caller.clone(),
            plan: found,
            credential: with,
        };
        Ok(Self {
            brand_version: app.db.brand_version(access.brand_version()).await?,
            plan: Plan::load(&*app.db.conn().await?, id).await?,
            app: app.clone(),
            access,
        })
    }

    /// What the advisor's tools work on. No words count, so nothing that a call names can be written.
    pub(super) fn context(&self) -> ToolContext {
        let prefix = self
            .app
            .conversations
            .engine()
            .snapshots
            .prefixes
            .of(&self.brand_version);
        let mut ctx = ToolContext::new(
            Arc::clone(&self.brand_version),
            Arc::clone(&prefix.vocabulary),
            self.plan.inputs().cloned().map(Arc::new),
            EvidenceTexts::default(),
            self.app.clock.now(),
        );
        ctx.figures = Figures::WithNumbers;
        ctx.assistant = self.access.caller.assistant();
        ctx
    }

    /// The result of one of the advisor's tools that read.
    ///
    /// # Errors
    /// What is wrong with the arguments.
    pub(super) async fn read(&self, tool: &str, arguments: JsonObject) -> Result<Value, AppError> {
        let arguments = Value::Object(arguments).to_string();
        match self.context().call(tool, &arguments, self).await {
            Called::Result(text) => serde_json::from_str(&text).map_err(AppError::internal),
            Called::Refused(words) => Err(AppError::new(ErrorCode::ValidationError, words)),
            Called::Recorded(_) | Called::Intercepted(_) => Err(AppError::internal("a tool that reads has acted")),
        }
    }
}

#[async_trait::async_trait]
impl Services for Opened {
    fn model_name(&self) -> Arc<str> {
        self.app.llm.model_name()
    }

    async fn changes(&self, limit: i64) -> StoreResult<Vec<PlanChange>> {
        PlanChange::list(&*self.app.db.conn().await?, self.access.id(), limit, 0).await
    }

    async fn scenarios(&self) -> StoreResult<Vec<Scenario>> {
        Scenario::list(&*self.app.db.conn().await?, self.access.id()).await
    }
}

/// The plans that the caller's token opens, oldest first.
pub(super) async fn list(app: &AppState, caller: &Caller) -> Result<Vec<PlanSummary>, AppError> {
    let owner = match caller.effective.role {
        UserRole::FranchisorAdmin => return Ok(Vec::new()),
        UserRole::Franchisee => Some(caller.effective.id),
        UserRole::PlatformAdmin => None,
    };
    let conn = app.db.conn().await?;
    Ok(PlanSummary::list(&conn, owner, caller.only_plan(), None, MOST_PLANS).await?)
}

/// The plans as a result.
pub(super) fn listed(plans: &[PlanSummary]) -> Value {
    let shown = plans
        .iter()
        .map(|plan| json!({"id": plan.id, "name": plan.name, "owner": plan.owner_name, "version": plan.version}));
    json!({ "plans": shown.collect::<Vec<_>>() })
}

/// The field of the catalogue that a name means, explained.
pub(super) fn explain(name: &str) -> Result<Value, AppError> {
    lookup(catalogue(), name).map(explained).map_err(|near| {
        let near: Vec<_> = near.iter().map(|field| field.path.as_str()).collect();
        match near.as_slice() {
            [] => not_found("There is no such field. The resource `fields://catalogue` lists all."),
            near => not_found(format!("There is no such field. Did you mean {}?", near.join(" or "))),
        }
    })
}

/// What a field means, and which values it takes.
pub(super) fn explained(field: &Field) -> Value {
    let figure = |value| Figures::WithNumbers.show(Some(value), |value| field.kind.show(value));
    let range = |bounds: Bounds| json!({"low": figure(bounds.low), "high": figure(bounds.high)});
    json!({
        "path": field.path, "label": field.label, "kind": field.kind, "help": field.help, "core": field.core,
        "alsoCalled": field.aliases, "possible": range(field.hard()), "typical": field.soft.map(range),
    })
}
