//! The prompt store: every turn from its first moment, running or ended.

use crate::app::AppState;
use crate::http::error::AppError;
use crate::http::extract::ValidQuery;
use crate::http::extract::plan::other_plan;
use crate::http::wire::{DEFAULT_LIMIT, List, non_empty};
use crate::store::turns::prompts::PromptState;
use crate::store::turns::prompts::search::{ListedPrompt, Position, PromptQuery};
use plan_model::access::{Caller, UserRole};
use plan_model::error::FieldError;
use plan_model::ids::PlanId;
use plan_model::usage::Usage;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use uuid::Uuid;
use validator::Validate;

/// Ids one search may name.
const MAX_IDS: usize = 100;

/// Entries a search may leave out by their number. All of them are read.
const MAX_OFFSET: i64 = 10_000;

#[derive(Deserialize, Validate, utoipa::IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct ListPromptsQuery {
    /// Up to 100 ids, separated by commas.
    #[serde(default, deserialize_with = "non_empty")]
    pub ids: Option<String>,
    /// A UUID. Empty counts as left out, here and in every other one of these.
    #[serde(default, deserialize_with = "non_empty")]
    pub plan_id: Option<String>,
    /// `running`, `completed`, `failed`, `stopped` or `interrupted`.
    #[serde(default, deserialize_with = "non_empty")]
    pub state: Option<String>,
    /// Created before this time (RFC 3339).
    #[serde(default, deserialize_with = "non_empty")]
    pub before: Option<String>,
    /// Created after this time (RFC 3339).
    #[serde(default, deserialize_with = "non_empty")]
    pub after: Option<String>,
    #[serde(default = "default_limit")]
    #[validate(range(min = 1, max = 100, message = "must be between 1 and 100"))]
    #[param(default = 50, minimum = 1, maximum = 100)]
    pub limit: i64,
    /// Leaves out this many of the newest. Larger lists are paged with `cursor`.
    #[serde(default)]
    #[validate(range(min = 0, max = MAX_OFFSET, message = "must be between 0 and 10,000; use cursor for more"))]
    #[param(minimum = 0, maximum = 10_000)]
    pub offset: i64,
    /// Begins behind the prompt with this id: `meta.next` of the page before.
    #[serde(default, deserialize_with = "non_empty")]
    pub cursor: Option<String>,
}

/// How long the whole list is, and where its next page begins.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct PromptsMeta {
    /// Entries on all pages.
    pub total: i64,
    /// `true` where `total` is an estimate, because there are more than 1,000.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// `cursor` of the next page; `null` behind the last one.
    pub next: Option<Uuid>,
}

fn default_limit() -> i64 {
    DEFAULT_LIMIT
}

/// A stored turn. Its id is the turn's id.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PromptResponse {
    pub id: Uuid,
    pub plan_id: Uuid,
    #[schema(example = "gpt-4o")]
    pub model: String,
    pub state: PromptState,
    /// What the user said; `null` where the words were erased.
    pub input: Option<String>,
    /// The whole answer of a completed turn, the text so far of a stopped one, else `null`.
    pub output: Option<String>,
    pub usage: Usage,
    #[schema(example = "LLM_UNAVAILABLE")]
    pub error_code: Option<String>,
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
    #[serde(with = "time::serde::rfc3339::option")]
    pub completed_at: Option<OffsetDateTime>,
}

impl From<ListedPrompt> for PromptResponse {
    fn from(prompt: ListedPrompt) -> Self {
        Self {
            id: prompt.id,
            plan_id: prompt.plan_id,
            state: prompt.state,
            usage: prompt.usage(),
            model: prompt.model,
            output: prompt.output.filter(|_| !prompt.input.is_empty()),
            input: Some(prompt.input).filter(|input| !input.is_empty()),
            error_code: prompt.error_code,
            created_at: prompt.created_at,
            completed_at: prompt.completed_at,
        }
    }
}

/// Searches the prompt store, newest first. Everybody finds their own, a platform administrator all.
#[utoipa::path(get, path = "/api/prompts", tag = "prompts", params(ListPromptsQuery), responses((status = 200, body = List<PromptResponse, PromptsMeta>)))]
pub(crate) async fn list_prompts(
    app: AppState,
    caller: Caller,
    ValidQuery(query): ValidQuery<ListPromptsQuery>,
) -> Result<List<PromptResponse, PromptsMeta>, AppError> {
    let user = (caller.effective.role != UserRole::PlatformAdmin).then_some(caller.effective.id);
    let (mut conditions, cursor) = conditions(query)?;
    if let Some(only) = caller.only_plan() {
        if conditions.plan.is_some_and(|plan| plan != only) {
            return Err(other_plan());
        }
        conditions.plan = Some(only);
    }
    let conn = app.db.conn().await?;
    let behind = match cursor {
        None => None,
        Some(id) => {
            let position = Position::of(&conn, user, id).await?;
            Some(position.ok_or_else(|| AppError::invalid("cursor", "is not a prompt"))?)
        }
    };
    let limit = usize::try_from(conditions.limit).unwrap_or_default();
    let query = PromptQuery {
        user,
        behind,
        // One more tells whether there is a next page.
        limit: conditions.limit + 1,
        ..conditions
    };
    let (mut prompts, matches) = tokio::try_join!(query.list(&conn), query.count(&conn))?;
    let next = (prompts.len() > limit).then(|| prompts[limit - 1].id);
    prompts.truncate(limit);
    Ok(List {
        data: prompts.into_iter().map(PromptResponse::from).collect(),
        meta: PromptsMeta {
            total: matches.total,
            estimated: matches.is_estimated,
            next,
        },
    })
}

/// The search, or everything that is wrong with it.
fn conditions(query: ListPromptsQuery) -> Result<(PromptQuery, Option<Uuid>), AppError> {
    let mut errors = Errors::default();
    let cursor = query
        .cursor
        .and_then(|text| errors.parse("cursor", "must be a UUID", text.parse().ok()));
    let found = PromptQuery {
        user: None,
        behind: None,
        ids: query
            .ids
            .and_then(|text| errors.parse("ids", "must be at most 100 UUIDs, separated by commas", ids(&text))),
        plan: query
            .plan_id
            .and_then(|text| errors.parse("planId", "must be a UUID", text.parse().ok()))
            .map(PlanId),
        state: query.state.and_then(|text| {
            let states = "must be running, completed, failed, stopped or interrupted";
            errors.parse("state", states, PromptState::parse(&text))
        }),
        before: query
            .before
            .and_then(|text| errors.parse("before", "must be a time as RFC 3339 has it", moment(&text))),
        after: query
            .after
            .and_then(|text| errors.parse("after", "must be a time as RFC 3339 has it", moment(&text))),
        limit: query.limit,
        offset: query.offset,
    };
    if errors.0.is_empty() {
        Ok((found, cursor))
    } else {
        Err(AppError::validation(errors.0))
    }
}

#[derive(Default)]
struct Errors(Vec<FieldError>);

impl Errors {
    fn parse<T>(&mut self, field: &str, message: &str, parsed: Option<T>) -> Option<T> {
        if parsed.is_none() {
            self.0.push(FieldError::new(field, message));
        }
        parsed
    }
}

fn ids(text: &str) -> Option<Vec<Uuid>> {
    let ids: Vec<Uuid> = text
        .split(',')
        .map(|id| id.trim().parse().ok())
        .collect::<Option<_>>()?;
    (ids.len() <= MAX_IDS).then_some(ids)
}

/// A `+` of an offset that was not percent-encoded arrives as a space.
fn moment(text: &str) -> Option<OffsetDateTime> {
    OffsetDateTime::parse(&text.replace(' ', "+"), &Rfc3339).ok()
}
