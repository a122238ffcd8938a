//! The oracle: after all faults, ledger, history, rows and audit must agree.

use crate::findings::Findings;
use crate::fixture::Fixture;
use crate::history::{Message, Story};
use crate::ledger::Entry;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use uuid::Uuid;

/// Checks these plans of one database through a server on it.
pub async fn inspect(fixture: &Fixture, base: &str, database: &str, plans: &BTreeSet<Uuid>) -> Findings {
    let mut findings = Findings::default();
    let entries: Vec<Entry> = fixture
        .ledger
        .all()
        .into_iter()
        .filter(|entry| plans.contains(&entry.plan))
        .collect();
    let stories = Story::of_plans(fixture, base, database, plans, &mut findings).await;
    for entry in &entries {
        if let Some(story) = stories.get(&entry.plan) {
            check_entry(fixture, entry, story, &mut findings);
        }
    }
    let mut by_plan: HashMap<Uuid, Vec<&Entry>> = HashMap::new();
    for entry in &entries {
        by_plan.entry(entry.plan).or_default().push(entry);
    }
    for (plan, story) in &stories {
        check_messages(
            *plan,
            story,
            by_plan.get(plan).map_or(&[][..], Vec::as_slice),
            &mut findings,
        );
        check_tokens(*plan, story, &mut findings);
        check_values(fixture, *plan, story, &mut findings);
    }
    check_rest(fixture, database, &mut findings).await;
    findings
}

/// 1: an acknowledged turn is there, once, with that text. A message answered with 200 is not lost.
fn check_entry(fixture: &Fixture, entry: &Entry, story: &Story, findings: &mut Findings) {
    let key = &entry.key;
    let rows: Vec<_> = story
        .prompts
        .iter()
        .filter(|prompt| prompt.key.as_deref() == Some(key))
        .collect();
    if rows.len() > 1 {
        findings.duplicated.push(format!("{key} has {} turns", rows.len()));
    }
    let Some(row) = rows.first() else {
        if entry.taken || entry.done.is_some() {
            findings.lost.push(format!("{key} was taken and has no turn"));
        }
        return;
    };
    if entry.taken && row.input != entry.text {
        findings
            .lost
            .push(format!("the words of {key} are not those that were sent"));
    }
    let Some(done) = &entry.done else { return };
    if row.state != "completed" || done["turnId"] != row.id.to_string() {
        findings
            .lost
            .push(format!("{key} was done and its turn is {}", row.state));
    }
    let received: Vec<&Message> = story.messages.iter().filter(|message| message.turn == row.id).collect();
    let expected = [
        ("user", entry.text.as_str()),
        ("assistant", done["fullResponse"].as_str().unwrap_or_default()),
    ];
    for (role, text) in expected {
        match received
            .iter()
            .filter(|message| message.role == role && message.content == text)
            .count()
        {
            0 => findings
                .lost
                .push(format!("the {role}'s words of {key} are not in the history")),
            1 => {}
            more => findings
                .duplicated
                .push(format!("the {role}'s words of {key} stand {more} times in the history")),
        }
    }
    check_calls(fixture, entry, row.attempt, findings);
}

/// 4: the model was called no more often than the attempts needed.
fn check_calls(fixture: &Fixture, entry: &Entry, attempts: i64, findings: &mut Findings) {
    let Some(per_attempt) = entry.calls_per_attempt else {
        return;
    };
    let (calls, limit) = (
        i64::from(fixture.model.calls(&entry.reference)),
        attempts * i64::from(per_attempt),
    );
    if calls > limit {
        findings.duplicated.push(format!(
            "the model was asked {calls} times for {} in {attempts} attempts",
            entry.key
        ));
    }
}

/// 2 and 3: pairs only, each of one ended turn, each requested once.
fn check_messages(plan: Uuid, story: &Story, entries: &[&Entry], findings: &mut Findings) {
    let mut ids = BTreeSet::new();
    for message in &story.messages {
        if !ids.insert(message.id) {
            findings
                .duplicated
                .push(format!("message {} of plan {plan} twice", message.id));
        }
    }
    if !story.messages.len().is_multiple_of(2) {
        findings
            .partial
            .push(format!("plan {plan} has {} messages", story.messages.len()));
    }
    let mut turns = BTreeSet::new();
    for pair in story.messages.chunks(2) {
        let [asked, answered] = pair else { break };
        if check_pair(plan, story, entries, [asked, answered], findings) && !turns.insert(asked.turn) {
            findings
                .duplicated
                .push(format!("turn {} stands twice in the history", asked.turn));
        }
    }
    for prompt in story.prompts.iter().filter(|prompt| prompt.state == "completed") {
        if !turns.contains(&prompt.id) {
            findings
                .lost
                .push(format!("turn {} is completed and not in the history", prompt.id));
        }
    }
}

/// Checks that two messages are question and answer of one ended turn with one request. `false` if they are not a pair.
fn check_pair(
    plan: Uuid,
    story: &Story,
    entries: &[&Entry],
    [asked, answered]: [&Message; 2],
    findings: &mut Findings,
) -> bool {
    if asked.role != "user" || answered.role != "assistant" || asked.turn != answered.turn {
        findings.partial.push(format!(
            "plan {plan}: {} {} is followed by {} {}",
            asked.role, asked.turn, answered.role, answered.turn
        ));
        return false;
    }
    let ended = story.prompts.iter().find(|prompt| prompt.id == asked.turn);
    let state = ended.map(|prompt| prompt.state.as_str());
    let fits = if answered.stopped {
        state == Some("stopped")
    } else {
        state == Some("completed")
    };
    if !fits {
        findings.partial.push(format!(
            "turn {} is in the history and its row says {state:?}",
            asked.turn
        ));
    }
    let key = ended.and_then(|prompt| prompt.key.as_deref());
    let askers = entries
        .iter()
        .filter(|entry| Some(entry.key.as_str()) == key && entry.text == asked.content)
        .count();
    if askers != 1 {
        findings
            .duplicated
            .push(format!("turn {} was asked for {askers} times", asked.turn));
    }
    true
}

/// 4: the conversation's tokens are the sum of its turns' tokens.
fn check_tokens(plan: Uuid, story: &Story, findings: &mut Findings) {
    let received: BTreeSet<Uuid> = story.messages.iter().map(|message| message.turn).collect();
    let sum: i64 = story
        .prompts
        .iter()
        .filter(|prompt| received.contains(&prompt.id))
        .map(|prompt| prompt.tokens)
        .sum();
    match story.tokens.cmp(&sum) {
        std::cmp::Ordering::Less => findings
            .lost
            .push(format!("plan {plan} counts {} tokens of {sum}", story.tokens)),
        std::cmp::Ordering::Greater => findings
            .duplicated
            .push(format!("plan {plan} counts {} tokens of {sum}", story.tokens)),
        std::cmp::Ordering::Equal => {}
    }
}

/// 5: every value is the last one of its audit trail, which has no gaps and belongs to completed turns.
fn check_values(fixture: &Fixture, plan: Uuid, story: &Story, findings: &mut Findings) {
    let initial = fixture
        .initial_inputs
        .lock()
        .map(|inputs| inputs.clone())
        .unwrap_or_default();
    let mut expected: BTreeMap<String, Value> = initial
        .as_object()
        .into_iter()
        .flatten()
        .map(|(path, value)| (path.clone(), value.clone()))
        .collect();
    let mut per_turn: HashMap<Uuid, usize> = HashMap::new();
    for change in &story.changes {
        let before = expected.insert(change.field.clone(), change.new.clone());
        if before.as_ref() != Some(&change.old) {
            findings
                .stale
                .push(format!("the audit of {} in plan {plan} has a gap", change.field));
        }
        if let Some(turn) = change.turn {
            *per_turn.entry(turn).or_default() += 1;
            let completed = story
                .prompts
                .iter()
                .any(|prompt| prompt.id == turn && prompt.state == "completed");
            if !completed {
                findings
                    .partial
                    .push(format!("turn {turn} changed {} and was not completed", change.field));
            }
        }
    }
    for (path, value) in &expected {
        if story.inputs.get(path) != Some(value) {
            findings
                .stale
                .push(format!("{path} of plan {plan} is not what its audit says"));
        }
    }
    check_told(story, &per_turn, findings);
}

/// The values in a turn's `done`, in its rows and in the audit are the same.
fn check_told(story: &Story, per_turn: &HashMap<Uuid, usize>, findings: &mut Findings) {
    for prompt in &story.prompts {
        let (audited, stored) = (
            per_turn.get(&prompt.id).copied().unwrap_or(0),
            story.applied.get(&prompt.id).copied().unwrap_or(0),
        );
        let received = prompt.ending["extractedValues"].as_array().map_or(0, |values| {
            values.iter().filter(|value| value["status"] == "applied").count()
        });
        if audited > received {
            findings.duplicated.push(format!(
                "turn {} reported {received} values and wrote {audited}",
                prompt.id
            ));
        } else if audited != received || stored != received {
            findings.partial.push(format!(
                "turn {} reported {received} values, audited {audited}, stored {stored}",
                prompt.id
            ));
        }
    }
}

/// 6 to 8: no stale turns, no open transactions, no leaks.
async fn check_rest(fixture: &Fixture, database: &str, findings: &mut Findings) {
    let hanging =
        "select id::text from prompts where state = 'running' and lease_until < now() - interval '10 seconds'";
    for row in fixture.postgres.rows(database, hanging).await {
        findings.stale.push(format!("turn {:?} runs without a lease", row[0]));
    }
    let idle = format!(
        "select pid::text from pg_stat_activity where datname = '{database}' and state like 'idle in transaction%' \
         and state_change < clock_timestamp() - interval '500 milliseconds'"
    );
    for row in fixture.postgres.rows(database, &idle).await {
        findings
            .stale
            .push(format!("session {:?} is idle in a transaction", row[0]));
    }
    if fixture.model.unmatched() > 0 {
        findings.partial.push(format!(
            "the model was asked {} times about nothing",
            fixture.model.unmatched()
        ));
    }
    if fixture.model.canary_hits() > 0 {
        findings.leaked.push("a redirect was followed".into());
    }
    findings.leaked.extend(fixture.leaks());
}
