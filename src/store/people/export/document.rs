//! The whole export as one JSON document, made piece by piece: never more than a page of rows is in memory, and no connection
//! is held between two pieces.

use super::Section;
use super::sections::{AUDIT_EVENTS, ELSEWHERE_OF_PERSON, OF_PERSON, OF_PLAN, PLANS, PROFILE};
use crate::store::plans::conversations::reading::stored;
use crate::store::{Db, StoreError, StoreResult};
use bytes::Bytes;
use plan_model::ids::{PlanId, UserId};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use uuid::Uuid;

/// Messages that are read at once, if they are small: about a quarter of a megabyte, as of other rows.
const MESSAGES: i32 = 25;

/// The document, from its beginning to its end. Its parts are read one after the other, each as it is then.
pub(crate) struct Document {
    db: Db,
    person: Uuid,
    /// What is still to be written; the next one is the last.
    steps: Vec<Step>,
}

enum Step {
    Text(String),
    /// The rows of a section behind `after`, with commas between them.
    Rows {
        section: &'static Section,
        of: Uuid,
        after: Option<String>,
    },
    /// The plans behind `after`, each with all that belongs to it.
    Plans {
        after: Option<String>,
    },
    /// The messages of a plan behind a position.
    Messages {
        plan: PlanId,
        after: i32,
    },
}

impl Document {
    pub(crate) fn new(db: Db, person: UserId, at: OffsetDateTime) -> Self {
        let mut document = Self {
            db,
            person: person.0,
            steps: Vec::new(),
        };
        let at = at.format(&Rfc3339).unwrap_or_default();
        let mut steps = vec![
            Step::Text(format!("{{\"exportedAt\":\"{at}\",\"profile\":")),
            rows(&PROFILE, person.0),
        ];
        steps.extend(lists(OF_PERSON, person.0, ","));
        steps.push(Step::Text(",\"plans\":[".to_owned()));
        steps.push(Step::Plans { after: None });
        steps.push(Step::Text("],\"inOtherPlans\":{".to_owned()));
        steps.extend(lists(ELSEWHERE_OF_PERSON, person.0, ""));
        steps.push(Step::Text("}".to_owned()));
        steps.extend(lists(std::slice::from_ref(&AUDIT_EVENTS), person.0, ","));
        steps.push(Step::Text("}".to_owned()));
        document.push(steps);
        document
    }

    /// Puts steps before all others.
    fn push(&mut self, steps: Vec<Step>) {
        self.steps.extend(steps.into_iter().rev());
    }

    /// The next piece; `None` behind the last.
    ///
    /// # Errors
    /// If the database fails; the document is not whole then.
    pub(crate) async fn next(&mut self) -> StoreResult<Option<Bytes>> {
        while let Some(step) = self.steps.pop() {
            let text = match step {
                Step::Text(text) => text,
                Step::Rows { section, of, after } => self.rows(section, of, after).await?,
                Step::Plans { after } => self.plans(after).await?,
                Step::Messages { plan, after } => self.messages(plan, after).await?,
            };
            if !text.is_empty() {
                return Ok(Some(text.into()));
            }
        }
        Ok(None)
    }

    async fn rows(&mut self, section: &'static Section, of: Uuid, after: Option<String>) -> StoreResult<String> {
        let read = section.read(&*self.db.conn().await?, of, after.as_deref()).await?;
        let mut text = String::new();
        for row in read.rows {
            if after.is_some() || !text.is_empty() {
                text.push(',');
            }
            text.push_str(&row.json);
        }
        if let Some(next) = read.next {
            let after = Some(next);
            self.push(vec![Step::Rows { section, of, after }]);
        }
        Ok(text)
    }

    async fn plans(&mut self, after: Option<String>) -> StoreResult<String> {
        let read = PLANS
            .read(&*self.db.conn().await?, self.person, after.as_deref())
            .await?;
        let mut steps = Vec::new();
        for (at, plan) in read.rows.into_iter().enumerate() {
            let (id,): (Uuid,) = serde_json::from_str(&plan.position).map_err(|_| StoreError::NotFound)?;
            let comma = if after.is_some() || at > 0 { "," } else { "" };
            let open = plan.json.strip_suffix('}').unwrap_or(&plan.json);
            steps.push(Step::Text(format!("{comma}{open},\"conversation\":[")));
            steps.push(Step::Messages {
                plan: PlanId(id),
                after: 0,
            });
            steps.push(Step::Text("]".to_owned()));
            steps.extend(lists(OF_PLAN, id, ","));
            steps.push(Step::Text("}".to_owned()));
        }
        if let Some(next) = read.next {
            steps.push(Step::Plans { after: Some(next) });
        }
        self.push(steps);
        Ok(String::new())
    }

    async fn messages(&mut self, plan: PlanId, after: i32) -> StoreResult<String> {
        let positions = after.saturating_add(1)..i32::MAX;
        let read = stored(&*self.db.conn().await?, plan, positions, MESSAGES).await?;
        if let Some(last) = read.last() {
            let after = last.position;
            self.push(vec![Step::Messages { plan, after }]);
        }
        let messages: Vec<String> = read.into_iter().map(|one| one.message).collect();
        let mut text = messages.join(",");
        if after > 0 && !text.is_empty() {
            text.insert(0, ',');
        }
        Ok(text)
    }
}

fn rows(section: &'static Section, of: Uuid) -> Step {
    Step::Rows {
        section,
        of,
        after: None,
    }
}

/// Each section as a key with a list; `begin` stands before the first one.
fn lists(sections: &'static [Section], of: Uuid, begin: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    for (at, section) in sections.iter().enumerate() {
        let comma = if at > 0 { "," } else { begin };
        steps.push(Step::Text(format!("{comma}\"{}\":[", section.key)));
        steps.push(rows(section, of));
        steps.push(Step::Text("]".to_owned()));
    }
    steps
}
