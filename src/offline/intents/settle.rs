//! Values that are agreed to, declined, left for later or taken back.

use crate::offline;
use crate::offline::intents::record::{confirm, dropped, next, open_items, propose, state};
use crate::offline::intents::{cases, miss};
use crate::offline::message::ask;
use crate::offline::message::lead::{self, Lead};
use crate::offline::results;
use crate::offline::situation::Situation;
use crate::offline::step::{Answer, Step, joined};
use crate::wording;
use plan_model::field::FieldPath;
use plan_model::inputs::{LOAN, OWN_PAY};
use plan_model::tool_result::{ListedChange, OpenProposal, Returning, UndoResult};
use plan_reader::Mention;
use serde::Deserialize;
use serde_json::{Value, json};

mod undoing;

use undoing::{declined, standing};

/// Minutes after which an undone change is said to be old.
const OLD_MINUTES: i64 = 120;

/// A yes in other words than the closed lists have: nothing is written, the question is put so that a plain yes is enough.
pub(in crate::offline) fn accept(situation: &Situation<'_>) -> Step {
    if situation.understanding.has_heard() {
        return state(situation);
    }
    if let Some(step) = Step::ask(situation, &[("list_open_proposals", json!({}))]) {
        return step;
    }
    let open = results::open(situation);
    if let Some(step) = monthly(situation, &open) {
        return step;
    }
    // "Yes, write that down" behind a case.
    if open.is_empty()
        && wording::says(situation.message(), "w.put_it")
        && let Some(step) = cases::note_last(situation)
    {
        return step;
    }
    // A yes to a guess that was answered already.
    if open.is_empty() && situation.advisor().is_some_and(offline::is_guess) {
        return led_on(situation, "agreed");
    }
    let meant = situation
        .slots()
        .field
        .as_ref()
        .or_else(|| situation.understanding.named.first());
    let is_meant = |one: &&OpenProposal| meant.is_none_or(|path| *path == one.field);
    let wanted: Vec<OpenProposal> = open.iter().filter(is_meant).cloned().collect();
    let wanted = if wanted.is_empty() { open } else { wanted };
    let suggested: &[&str] = match wanted.len() {
        0 => &["s.missing", "s.profit"],
        1 => &["s.yes", "s.no"],
        _ => &["s.all", "s.none"],
    };
    let mut parts = waiting(situation, &wanted);
    if parts.is_empty() {
        parts.push(situation.say("accept.nothing", &[]));
    }
    Step::say(parts, situation.suggest(suggested))
}

/// "A month" behind "if $3,800 is for a month, it comes to $45,600 a year".
fn monthly(situation: &Situation<'_>, open: &[OpenProposal]) -> Option<Step> {
    const MONTHS: f64 = 12.0;
    let told = situation
        .advisor()
        .filter(|text| wording::shows(text, "heard.a_year"))?;
    let is_meant =
        wording::says(situation.message(), "w.monthly") && !situation.message().contains(|c: char| c.is_ascii_digit());
    let is_told = |one: &&OpenProposal| told.contains(one.value.as_str());
    let one = open.iter().rev().find(is_told).filter(|_| is_meant)?;
    Some(propose(
        situation,
        &[(one.field.as_str(), results::digits(&one.value)? * MONTHS)],
    ))
}

/// Asks for open values; nothing where there are none.
pub(in crate::offline) fn waiting(situation: &Situation<'_>, open: &[OpenProposal]) -> Vec<String> {
    match open {
        [] => Vec::new(),
        [only] => vec![confirm(situation, only)],
        many => {
            let items = open_items(situation, &many.iter().collect::<Vec<_>>());
            let waits = situation.say("accept.many", &[("items", &items)]);
            vec![waits, situation.say("all_or_name", &[])]
        }
    }
}

/// A no in other words than the closed lists have: what was just asked about is dropped.
pub(in crate::offline) fn decline(situation: &Situation<'_>) -> Step {
    // "No, but yes to the other one": what is meant is asked.
    // "No problem", "don't drop it yet" refuse nothing.
    let keeps_open = wording::says(situation.message(), "w.keeps_open");
    if keeps_open
        || !lead::refuses_in_words(situation.message())
        || lead::agrees(lead::behind_no(situation.message()))
        || says_yes_of_one(situation.message())
    {
        return accept(situation);
    }
    // "No, it's supposed to be 2,900" behind 2,900 that waits is no no.
    let is_stated = |number: &&Mention| {
        let before = situation.message().get(..number.number.0).unwrap_or_default();
        let before = wording::plain(before);
        ["be", "is", "s", "its", "es", "son", "sea", "ser"].contains(&before.rsplit(' ').next().unwrap_or_default())
    };
    let all = &situation.understanding.mentions;
    let stated: Vec<&Mention> = all.iter().filter(is_stated).collect();
    let is_unnamed = situation.understanding.named.is_empty() && !all.is_empty();
    if (is_unnamed || !stated.is_empty())
        && let Some(step) = Step::ask(situation, &[("list_open_proposals", json!({}))])
    {
        return step;
    }
    let has = |number: &Mention, one: &OpenProposal| Some(number.value) == results::dollars(&one.value);
    let open = results::open(situation);
    if open.iter().any(|one| stated.iter().any(|number| has(number, one))) {
        return accept(situation);
    }
    // "Please do not put the 24 months in": the value that waits with that number.
    let said = open.into_iter().filter(|one| all.iter().any(|number| has(number, one)));
    let said = said.map(|one| one.field);
    // "Actually forget the insurance": what it names, and nothing else. "Don't write that down" names no down payment.
    let writes_down = wording::says(situation.message(), "w.writes_down");
    let named = situation
        .understanding
        .named
        .iter()
        .filter(|_| !writes_down)
        .flat_map(called_so);
    let fields: Vec<FieldPath> = said.chain(named).collect();
    let arguments = match fields.is_empty() {
        true => json!({}),
        false => json!({ "fields": fields }),
    };
    dismiss(situation, &arguments)
}

/// Drops open values: those that are named, else what was just asked about.
fn dismiss(situation: &Situation<'_>, arguments: &Value) -> Step {
    if let Some(step) = Step::ask(situation, &[("dismiss_proposals", arguments.clone())]) {
        return step;
    }
    let said = dropped(situation).unwrap_or_else(|| declined(situation));
    Step::say([said], situation.suggest(&["s.missing", "s.profit"]))
}

/// "The two of draws yes, the salary no": a clause that ends with a yes.
fn says_yes_of_one(message: &str) -> bool {
    let clauses = message.split([',', '.', ';']).map(wording::plain);
    let ends = |clause: &str| [" yes", " si", " sí"].iter().any(|yes| clause.ends_with(yes));
    clauses.into_iter().any(|clause| ends(&clause))
}

/// "It has nothing to do with the loan" may be said of its amount, term and rate.
fn called_so(named: &FieldPath) -> Vec<FieldPath> {
    match named.as_str() == LOAN[0] {
        true => LOAN.map(FieldPath::from_static).to_vec(),
        false => vec![named.clone()],
    }
}

pub(in crate::offline) fn later(situation: &Situation<'_>) -> Step {
    led_on(situation, "later")
}

/// A short answer and the next question of the interview.
fn led_on(situation: &Situation<'_>, key: &str) -> Step {
    if let Some(step) = Step::ask(situation, &[("get_plan_summary", json!({}))]) {
        return step;
    }
    let next = results::summary(situation).and_then(|summary| next(situation, &summary, None));
    let parts = [situation.say(key, &[]), next.unwrap_or_default()];
    Step::say(parts, situation.suggest(&["s.missing", "s.profit"]))
}

/// What the field is for, and the question again.
pub(in crate::offline) fn why_ask(situation: &Situation<'_>) -> Step {
    let Some(field) = situation.asked.map(|at| &situation.fields[at]) else {
        return miss::other(situation);
    };
    let role = if field.core { "why.core" } else { "why.other" };
    let parts = [
        situation.help(field.path.as_str(), &field.help),
        situation.say(role, &[]),
        wording::question(situation.language, field),
    ];
    Step::say(parts, Vec::new())
}

pub(in crate::offline) fn undo(situation: &Situation<'_>) -> Step {
    let is_unnamed = situation.understanding.named.is_empty();
    if !lead::tells_to_undo(situation.message()) || undoes_no_value(situation.message(), is_unnamed) {
        return miss::other(situation);
    }
    // "Undo", "wait, go back" behind a value that was only noted: nothing of it is written.
    let is_asked = situation.advisor().is_some_and(wording::asks_for_yes);
    if is_asked && situation.understanding.named.is_empty() && situation.understanding.mentions.is_empty() {
        return dismiss(situation, &json!({}));
    }
    let other = drop_open(situation).or_else(|| undo_of_another(situation));
    if let Some(step) = other.or_else(|| undoing::instead(situation)) {
        return step;
    }
    if let Some(step) = Step::ask(
        situation,
        &[("undo_last_change", json!({})), ("list_changes", json!({}))],
    ) {
        return step;
    }
    let result = situation.result("undo_last_change").map(UndoResult::deserialize);
    let parts = match result {
        Some(Ok(UndoResult::WillUndo { changes })) => {
            let item = |one: &Returning| situation.item("undone.item", &one.field, &one.returns_to);
            let items: Vec<String> = changes.iter().map(item).collect();
            let field = changes.first().map(|one| one.field.clone());
            vec![
                situation.say("undone", &[("items", &situation.list(&items))]),
                age(situation, field.as_ref()),
                undoing::next(situation, &changes),
            ]
        }
        Some(Ok(UndoResult::NothingToUndo)) => vec![situation.say("undone.nothing", &[])],
        _ => vec![situation.say("undone.failed", &[])],
    };
    Step::say(parts, situation.suggest(&["s.missing", "s.profit"]))
}

/// "I wish I could undo my divorce", "can you even undo a signed lease?": what is no part of the plan is not taken back in it.
fn undoes_no_value(message: &str, is_unnamed: bool) -> bool {
    let says = |key: &str| wording::says(message, key);
    let said = message.to_lowercase();
    let of_something = wording::phrases("w.undo_verbs")
        .filter_map(|verb| said.split_once(verb))
        .any(|(_, object)| {
            let first = object.split_whitespace().next().unwrap_or_default();
            let is_anybodys = ["my", "our", "his", "her", "mi", "nuestro", "nuestra"].contains(&first);
            ["a", "an", "un", "una"].contains(&first) || is_unnamed && is_anybodys
        });
    says("w.wishes") || of_something && !says("w.changes_made")
}

/// "Take back the insurance", where a value of it waits: that one is dropped.
fn drop_open(situation: &Situation<'_>) -> Option<Step> {
    let [meant] = &situation.understanding.named[..] else {
        return None;
    };
    if let Some(step) = Step::ask(situation, &[("list_open_proposals", json!({}))]) {
        return Some(step);
    }
    let open = results::open(situation);
    let dropped = results::dismissed(situation);
    let waits = open.iter().chain(&dropped).any(|one| one.field == *meant);
    waits.then(|| dismiss(situation, &json!({ "fields": [meant] })))
}

/// "Undo the sales", where the newest change is of another line: nothing is taken back that was not meant, the value of before is asked
/// about.
fn undo_of_another(situation: &Situation<'_>) -> Option<Step> {
    let [meant] = &situation.understanding.named[..] else {
        return None;
    };
    if let Some(step) = Step::ask(situation, &[("list_changes", json!({}))]) {
        return Some(step);
    }
    let changes = results::changes(situation);
    let standing = standing(&changes);
    let newest = *standing.first()?;
    let meant = called_alike(situation, meant, &standing);
    // "My pay" is either of the two.
    let are_pay = |path: &FieldPath| OWN_PAY.contains(&path.as_str());
    if newest.field == *meant || are_pay(&newest.field) && are_pay(meant) {
        return None;
    }
    let (name, other) = (situation.named(meant.as_str()), situation.named(newest.field.as_str()));
    let name = wording::sentence(&name);
    let before = standing
        .iter()
        .find(|one| one.field == *meant)
        .and_then(|one| one.from.clone());
    let Some((amount, from)) = before.and_then(|from| Some((results::digits(&from)?, from))) else {
        let text = situation.say("undone.never", &[("name", &name), ("other", &other)]);
        return Some(Step::say([text], situation.suggest(&["s.undo"])));
    };
    let from = situation.value(meant.as_str(), &from);
    let text = situation.say("undone.older", &[("name", &name), ("other", &other), ("value", &from)]);
    Some(match propose(situation, &[(meant.as_str(), amount)]) {
        Step::Say(answer) => Step::Say(Answer { text, ..answer }),
        calls @ Step::Call(_) => calls,
    })
}

/// "The marketing" may be the share of sales or the least amount of it: the one that was changed.
fn called_alike<'f>(situation: &Situation<'_>, named: &'f FieldPath, standing: &[&'f ListedChange]) -> &'f FieldPath {
    let said = wording::plain(situation.message());
    let words = |path: &FieldPath| {
        let name = wording::plain(&situation.named(path.as_str()));
        let words = name
            .split(' ')
            .filter(|word| word.len() > 3 && said.split(' ').any(|said| said == *word));
        words.map(str::to_owned).collect::<Vec<_>>()
    };
    let is_changed = |path: &FieldPath| standing.iter().any(|one| one.field == *path);
    let own = words(named);
    let mut alike = standing.iter().map(|one| &one.field);
    let is_alike = |path: &&FieldPath| !own.is_empty() && own.iter().all(|word| words(path).contains(word));
    match is_changed(named) {
        true => named,
        false => alike.find(is_alike).unwrap_or(named),
    }
}

/// How old what was taken back is, where it is not of just now.
fn age(situation: &Situation<'_>, field: Option<&FieldPath>) -> String {
    let changes = results::changes(situation);
    let change = changes
        .iter()
        .find(|one| Some(&one.field) == field && one.reason != "undo");
    let Some(minutes) = change
        .map(|one| one.minutes_ago)
        .filter(|minutes| *minutes >= OLD_MINUTES)
    else {
        return String::new();
    };
    let (key, count) = if minutes < 48 * 60 {
        ("age.hours", minutes / 60)
    } else {
        ("age.days", minutes / (24 * 60))
    };
    let age = situation.say(key, &[("count", &count.to_string())]);
    situation.say("undone.age", &[("age", &age)])
}

/// The next step with what the first words ask for.
pub(in crate::offline) fn with_lead(situation: &Situation<'_>, step: Step) -> Step {
    let tool = match situation.lead {
        None => return step,
        Some(Lead::Yes) => Some("list_open_proposals"),
        Some(Lead::No) if asks_for_value(situation) => Some("dismiss_proposals"),
        Some(Lead::No | Lead::Later) => None,
    };
    let needed = tool.and_then(|tool| Step::ask(situation, &[(tool, json!({}))]));
    match (step, needed) {
        (Step::Say(_), Some(needed)) => needed,
        (Step::Say(answer), None) => Step::Say(around(situation, answer)),
        // A tool that the answer calls, too, is called once.
        (calls @ Step::Call(_), _) => calls,
    }
}

/// Whether the last answer asks for a value, or for a yes to one.
fn asks_for_value(situation: &Situation<'_>) -> bool {
    situation.asked.is_some() || situation.advisor().is_some_and(wording::asks_for_yes)
}

fn around(situation: &Situation<'_>, answer: Answer) -> Answer {
    let (mut before, mut behind) = (String::new(), String::new());
    match situation.lead {
        None => {}
        Some(Lead::Yes) => {
            behind = waiting(situation, &results::open(situation)).join(" ");
            if situation.advisor().is_some_and(ask::asks_by_server) {
                before = situation.say("yes.dropped", &[]);
            }
        }
        // "No" to "Is it break-even?" leaves nothing as it is.
        Some(Lead::No) if !asks_for_value(situation) => {}
        Some(Lead::No) => before = dropped(situation).unwrap_or_else(|| declined(situation)),
        Some(Lead::Later) => match situation.asked.map(|at| &situation.fields[at]) {
            Some(field) if situation.field_meant().is_some_and(|meant| meant.path == field.path) => {
                behind = wording::question(situation.language, field);
            }
            _ => before = situation.say("later", &[]),
        },
    }
    // A yes that is asked for already stands at the end.
    if !answer.question.is_empty() || answer.text.contains(&behind) || wording::asks_for_yes(&answer.text) {
        behind.clear();
    }
    Answer {
        text: joined([before, answer.text]),
        question: joined([answer.question, behind]),
        ..answer
    }
}
