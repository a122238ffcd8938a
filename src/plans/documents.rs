//! Documents of a plan: what goes into one, and how it is made once for each idempotency key.

pub(crate) mod cases;
pub(crate) mod links;
mod press;

pub(crate) use press::{Press, PressError};

use crate::plans::analysis::Hypothesis;
use crate::plans::{Actor, EditError, apply};
use crate::store::brands::BrandVersion;
use crate::store::people::audit::{AuditEvent, AuditKind};
use crate::store::people::users::User;
use crate::store::plans::Plan;
use crate::store::plans::documents::{MOST, NewDocument, PlanDocument};
use crate::store::plans::scenarios::Scenario;
use crate::store::plans::stories::StoredStory;
use crate::store::{Db, StoreError};
use diesel_async::AsyncConnection;
use plan_documents::{Contents, Kind, Paper, Printed, Typesetter};
use plan_model::ids::{PlanId, UserId};
use plan_model::language::Language;
use plan_model::story::Story;
use ring::digest::{SHA256, digest};
use serde_json::json;
use std::sync::Arc;
use time::OffsetDateTime;
use uuid::Uuid;

/// Bytes of one document.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Why there is no new document.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DocumentError {
    #[error("the plan has no inputs")]
    NoInputs,
    #[error("the plan has no scenario {0}")]
    UnknownScenario(Uuid),
    #[error("a scenario has values for fields that the plan does not have")]
    ScenarioNoLongerApplies(String),
    #[error("the idempotency key was used for another document")]
    KeyReused,
    #[error("the plan has {MOST} documents")]
    TooMany,
    #[error("the document has {0} bytes")]
    TooLarge(usize),
    #[error(transparent)]
    Edit(#[from] EditError),
    #[error(transparent)]
    Press(#[from] PressError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<diesel::result::Error> for DocumentError {
    fn from(error: diesel::result::Error) -> Self {
        Self::Store(error.into())
    }
}

/// What is wanted.
#[derive(Debug, Clone)]
pub(crate) struct DocumentRequest {
    pub kind: Kind,
    pub paper: Paper,
    pub lang: Language,
    /// Shown among the cases, in this order.
    pub scenarios: Vec<Uuid>,
    /// Requests of a person with the same key make one document.
    pub key: Option<String>,
}

impl DocumentRequest {
    /// The request as it is stored beside its key.
    fn text(&self) -> String {
        let scenarios: Vec<String> = self.scenarios.iter().map(Uuid::to_string).collect();
        let (kind, paper, lang) = (self.kind.as_str(), self.paper.as_str(), self.lang.as_str());
        format!("{kind} {paper} {lang} {}", scenarios.join(","))
    }
}

/// A document that was made, now or by an earlier request with the same key.
#[derive(Debug)]
pub(crate) struct Made {
    pub document: PlanDocument,
    pub replayed: bool,
    /// Letters that are boxes in the document; unknown, so empty, where an earlier request has made it.
    pub unprintable: String,
}

/// Makes a document of a plan as it is now. `at` is printed on it.
///
/// # Errors
/// See [`DocumentError`].
pub(crate) async fn make(
    db: &Db,
    press: &Press,
    actor: &Actor,
    plan: PlanId,
    request: DocumentRequest,
    at: OffsetDateTime,
) -> Result<Made, DocumentError> {
    let asked = request.text();
    // Before the key is looked for, so that of two requests with one key the second finds what the first has made.
    let turn = press.turn(actor.actor).await?;
    if let Some(key) = &request.key
        && let Some((document, earlier)) =
            PlanDocument::find_created(&*db.conn().await?, plan, actor.effective, key).await?
    {
        return replayed(document, &earlier, &asked);
    }
    let gathered = Gathered::load(db, plan, &request, at).await?;
    let (name, plan_version) = (gathered.plan.name.clone(), gathered.plan.version);
    let wanted = request.clone();
    let (content, _turn) = press
        .run(turn, move |typesetter| gathered.print(&wanted, typesetter))
        .await?;
    let Printed {
        pdf: content,
        unprintable,
    } = content?;
    if content.len() > MAX_BYTES {
        return Err(DocumentError::TooLarge(content.len()));
    }
    let sha256 = digest(&SHA256, &content);
    let new = NewDocument {
        plan,
        kind: request.kind,
        paper: request.paper,
        lang: request.lang,
        name: &name,
        plan_version,
        engine_version: plan_engine::ENGINE_VERSION,
        sha256: sha256.as_ref(),
        content: &content,
        key: request.key.as_deref().map(|key| (key, &*asked)),
        by: actor.effective,
    };
    let mut made = store(db, actor, &new).await?;
    if !made.replayed {
        made.unprintable = unprintable;
    }
    Ok(made)
}

/// Adds a document and records that. Of two requests with one key the second gets what the first has made.
async fn store(db: &Db, actor: &Actor, new: &NewDocument<'_>) -> Result<Made, DocumentError> {
    let mut conn = db.conn().await?;
    conn.transaction::<_, DocumentError, _>(async |conn| {
        // One at a time in a plan, so that neither the key nor the limit can be passed twice.
        Plan::lock(conn, new.plan).await?;
        if let Some((key, asked)) = new.key
            && let Some((document, earlier)) = PlanDocument::find_created(conn, new.plan, new.by, key).await?
        {
            return replayed(document, &earlier, asked);
        }
        if PlanDocument::count(conn, new.plan).await? >= MOST {
            return Err(DocumentError::TooMany);
        }
        let document = new.insert(conn).await?;
        AuditEvent::new(AuditKind::DocumentMade, Some(actor.actor), Some(actor.effective))
            .plan(new.plan)
            .detail(json!({"documentId": document.id, "kind": new.kind, "planVersion": new.plan_version}))
            .insert(conn)
            .await?;
        Ok(Made {
            document,
            replayed: false,
            unprintable: String::new(),
        })
    })
    .await
}

fn replayed(document: PlanDocument, earlier: &str, asked: &str) -> Result<Made, DocumentError> {
    match earlier == asked {
        true => Ok(Made {
            document,
            replayed: true,
            unprintable: String::new(),
        }),
        false => Err(DocumentError::KeyReused),
    }
}

/// All that is read for a document; nothing of it changes while it is made.
#[derive(Debug)]
struct Gathered {
    plan: Plan,
    brand_version: Arc<BrandVersion>,
    owner: String,
    scenarios: Vec<Scenario>,
    story: Story,
    at: OffsetDateTime,
}

impl Gathered {
    async fn load(db: &Db, plan: PlanId, request: &DocumentRequest, at: OffsetDateTime) -> Result<Self, DocumentError> {
        let conn = db.conn().await?;
        // Said before the work is done; the insert holds the limit.
        if PlanDocument::count(&conn, plan).await? >= MOST {
            return Err(DocumentError::TooMany);
        }
        let row = Plan::load(&conn, plan).await?;
        let owner = User::find(&conn, UserId(row.user_id)).await?;
        let mut known = Scenario::list(&conn, plan).await?;
        let story = StoredStory::find(&conn, plan).await?;
        drop(conn);
        let mut scenarios = Vec::new();
        for id in &request.scenarios {
            let at = known.iter().position(|scenario| scenario.id == *id);
            scenarios.push(known.swap_remove(at.ok_or(DocumentError::UnknownScenario(*id))?));
        }
        Ok(Self {
            brand_version: db.brand_version(row.brand_version()).await?,
            owner: owner.map(|owner| owner.display_name).unwrap_or_default(),
            plan: row,
            scenarios,
            story: story.map_or_else(Default::default, |story| story.texts.0),
            at,
        })
    }

    /// Runs the engine and the typesetter.
    fn print(&self, request: &DocumentRequest, typesetter: &Typesetter) -> Result<Printed, DocumentError> {
        let stored = self.plan.inputs().ok_or(DocumentError::NoInputs)?;
        let inputs = apply::filled(stored, &self.brand_version);
        let hypothesis = Hypothesis::new(stored, &self.brand_version, self.at);
        let projection = hypothesis.base();
        let cases = cases::of(&hypothesis, &projection, &self.scenarios)?;
        let contents = Contents {
            kind: request.kind,
            paper: request.paper,
            language: request.lang,
            cases: &cases,
            story: &self.story,
            opening_month: self.plan.opening_month(),
            plan_version: self.plan.version,
            updated_at: self.plan.updated_at,
            ..Contents::new(
                &self.plan.name,
                &self.owner,
                &self.brand_version.brand,
                &self.brand_version.fields,
                &inputs,
                &projection,
                self.at,
            )
        };
        Ok(typesetter.typeset(&contents).map_err(PressError::Typeset)?)
    }
}
