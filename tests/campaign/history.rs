//! What the API reports about a plan, and the rows behind it.

use crate::findings::Findings;
use crate::fixture::Fixture;
use futures_util::StreamExt;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use uuid::Uuid;

#[derive(Debug)]
pub struct Message {
    pub id: Uuid,
    pub turn: Uuid,
    pub role: String,
    pub content: String,
    pub stopped: bool,
}

#[derive(Debug)]
pub struct Prompt {
    pub id: Uuid,
    pub key: Option<String>,
    pub state: String,
    pub input: String,
    pub tokens: i64,
    pub attempt: i64,
    pub ending: Value,
}

#[derive(Debug)]
pub struct Change {
    pub field: String,
    pub old: Value,
    pub new: Value,
    pub turn: Option<Uuid>,
}

#[derive(Debug, Default)]
pub struct Story {
    /// Oldest first, from the API.
    pub messages: Vec<Message>,
    pub tokens: i64,
    pub prompts: Vec<Prompt>,
    pub changes: Vec<Change>,
    pub inputs: Value,
    /// Values stored as applied, by turn.
    pub applied: HashMap<Uuid, usize>,
}

impl Story {
    /// Plans that ever had a message or a turn.
    pub async fn of_plans(
        fixture: &Fixture,
        base: &str,
        database: &str,
        plans: &BTreeSet<Uuid>,
        findings: &mut Findings,
    ) -> HashMap<Uuid, Self> {
        let mut stories = rows(fixture, database, plans).await;
        let received: Vec<_> = futures_util::stream::iter(plans.iter().copied())
            .map(|plan| async move { (plan, history(fixture, base, plan).await) })
            .buffer_unordered(4)
            .collect()
            .await;
        for (plan, received) in received {
            let story = stories.entry(plan).or_default();
            match received {
                Ok((messages, tokens)) => {
                    if tokens != story.tokens {
                        findings.partial.push(format!(
                            "plan {plan}: the API counts {tokens} tokens, the row {}",
                            story.tokens
                        ));
                    }
                    story.messages = messages;
                }
                Err(why) => findings
                    .lost
                    .push(format!("the history of plan {plan} cannot be read: {why}")),
            }
        }
        stories
    }
}

/// The complete history, page by page from the newest.
async fn history(fixture: &Fixture, base: &str, plan: Uuid) -> Result<(Vec<Message>, i64), String> {
    let mut pages: Vec<Vec<Message>> = Vec::new();
    let mut before = String::new();
    loop {
        let (status, body) = fixture
            .get(base, &format!("/api/plans/{plan}/conversation?limit=100{before}"))
            .await;
        if status != 200 {
            return Err(format!("status {status}"));
        }
        let page = body["data"]
            .as_array()
            .or_else(|| body["data"]["messages"].as_array())
            .ok_or("no list")?;
        pages.push(
            page.iter()
                .map(message)
                .collect::<Option<_>>()
                .ok_or("a message without its parts")?,
        );
        match &body["meta"]["nextBefore"] {
            Value::Null => {
                let messages: Vec<Message> = pages.into_iter().rev().flatten().collect();
                if body["meta"]["total"] != messages.len() {
                    return Err(format!("{} messages of {}", messages.len(), body["meta"]["total"]));
                }
                return Ok((messages, body["meta"]["totalTokensUsed"].as_i64().ok_or("no tokens")?));
            }
            Value::String(next) => before = format!("&before={next}"),
            next => before = format!("&before={next}"),
        }
    }
}

fn message(json: &Value) -> Option<Message> {
    Some(Message {
        id: json["id"].as_str()?.parse().ok()?,
        turn: json["turnId"].as_str()?.parse().ok()?,
        role: json["role"].as_str()?.to_owned(),
        content: json["content"].as_str()?.to_owned(),
        stopped: json["stopped"] == true,
    })
}

fn id(text: Option<&String>) -> Option<Uuid> {
    text?.parse().ok()
}

fn json(text: Option<&String>) -> Value {
    text.and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or_default()
}

fn prompt(row: &[Option<String>]) -> Option<Prompt> {
    let number = |column: usize| row[column].as_deref().and_then(|text| text.parse().ok());
    Some(Prompt {
        id: id(row[1].as_ref())?,
        key: row[2].clone(),
        state: row[3].clone().unwrap_or_default(),
        input: row[4].clone().unwrap_or_default(),
        tokens: number(5).unwrap_or(-1),
        attempt: number(6).unwrap_or(0),
        ending: json(row[7].as_ref()),
    })
}

async fn rows(fixture: &Fixture, database: &str, plans: &BTreeSet<Uuid>) -> HashMap<Uuid, Story> {
    let list: Vec<String> = plans.iter().map(|plan| format!("'{plan}'")).collect();
    let list = if list.is_empty() { "null".into() } else { list.join(",") };
    let ask = async |columns: &str, table: &str, order: &str| {
        let column = if table == "plans" { "id" } else { "plan_id" };
        let sql = format!("select {column}::text, {columns} from {table} where {column} in ({list}) order by {order}");
        fixture.postgres.rows(database, &sql).await
    };
    let mut stories: HashMap<Uuid, Story> = HashMap::new();
    for row in ask("financial_inputs::text", "plans", "id").await {
        let Some(plan) = id(row[0].as_ref()) else { continue };
        stories.entry(plan).or_default().inputs = json(row[1].as_ref());
    }
    for row in ask("total_tokens_used::text", "ai_conversations", "id").await {
        let (Some(plan), Some(tokens)) = (id(row[0].as_ref()), row[1].as_ref()) else {
            continue;
        };
        stories.entry(plan).or_default().tokens = tokens.parse().unwrap_or(-1);
    }
    let columns = "id::text, idempotency_key, state, input, total_tokens::text, attempt::text, ending::text";
    for row in ask(columns, "prompts", "created_at").await {
        if let (Some(plan), Some(prompt)) = (id(row[0].as_ref()), prompt(&row)) {
            stories.entry(plan).or_default().prompts.push(prompt);
        }
    }
    let columns = "field, old_value::text, new_value::text, turn_id::text";
    for row in ask(columns, "plan_changes", "seq").await {
        let Some(plan) = id(row[0].as_ref()) else { continue };
        stories.entry(plan).or_default().changes.push(Change {
            field: row[1].clone().unwrap_or_default(),
            old: json(row[2].as_ref()),
            new: json(row[3].as_ref()),
            turn: id(row[4].as_ref()),
        });
    }
    // The status may have changed since (superseded, undone), so the stored details are read, which never change.
    for row in ask("turn_id::text, details ->> 'status'", "extractions", "id").await {
        let (Some(plan), Some(turn)) = (id(row[0].as_ref()), id(row[1].as_ref())) else {
            continue;
        };
        if row[2].as_deref() == Some("applied") {
            *stories.entry(plan).or_default().applied.entry(turn).or_default() += 1;
        }
    }
    stories
}
