//! What people may ask for about themselves, and what is kept for how long.

mod erasure;
mod export;
mod races;
mod removal;
mod retention;

use crate::support::database::TestDatabase;
use crate::support::{TestApp, says, sets};

pub const RENT: &str = "operatingCosts.rentMonthly";

/// What was said by or to Sam in [`talked`], wherever it is kept.
pub const SAID: [&str; 3] = ["Frieda", "4,440 a month", "about $5,550"];

/// Columns of any table that hold a text.
pub async fn found(database: &TestDatabase, text: &str) -> Vec<String> {
    let query = format!(
        "WITH c AS MATERIALIZED (SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' \
             AND data_type IN ('text', 'character varying', 'jsonb', 'ARRAY', 'bytea')) \
         SELECT c.table_name || '.' || c.column_name AS x FROM c \
         WHERE (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %I WHERE %I::text ILIKE %L', \
             c.table_name, c.column_name, '%{}%'), false, true, '')))[1]::text::int > 0",
        text.replace('\'', "''")
    );
    database.values(&query).await.into_iter().flatten().collect()
}

/// All columns that hold any of what was said.
pub async fn said(database: &TestDatabase) -> Vec<String> {
    let mut all = Vec::new();
    for words in SAID {
        all.extend(found(database, words).await);
    }
    all.sort();
    all.dedup();
    all
}

/// Four turns of Sam's: one that says nothing, under the key `k`, one with a value, one with a proposal, one that fails under
/// the key `f`.
pub async fn talked(app: &TestApp) {
    app.llm.script([
        says("Good morning, Frieda."),
        sets(RENT, 4_440, "high"),
        says("Noted, Frieda."),
        sets(RENT, 5_550, "tentative"),
        says("Perhaps, Frieda."),
        says("I have not fin").cut(),
    ]);
    let sam = &app.sam;
    sam.post_with_key("Hello from Frieda", "k").await.stream().rest().await;
    sam.send("The rent is $4,440 a month").await;
    sam.send("Maybe the rent will be about $5,550").await;
    sam.post_with_key("Frieda once more", "f").await.stream().rest().await;
    let kept = said(&app.database).await;
    for column in [
        "ai_conversations.messages",
        "extractions.details",
        "plan_changes.evidence",
        "prompts.ending",
        "prompts.input",
        "prompts.output",
    ] {
        assert!(kept.contains(&column.to_owned()), "{column}: {kept:?}");
    }
}
