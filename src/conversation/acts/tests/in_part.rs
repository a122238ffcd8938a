//! Messages by people who had not seen the code (`tests/acts/README.md`), each settled as a careful human would, or not at all.

use super::*;
use plan_model::language::Language::{self, English, Spanish};
use plan_model::number::Number;
use rust_decimal::Decimal;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    open: char,
    message: String,
    accept: Vec<String>,
    drop: Vec<String>,
}

/// How the last answer asks.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Asked {
    Together,
    Alone,
    Waiting,
}

/// What waits, the last value as the newest.
fn waiting(letter: char) -> (Language, Asked, &'static [(&'static str, i64)]) {
    match letter {
        'A' => (
            English,
            Asked::Together,
            &[
                ("rent", 320_000),
                ("buildout", 9_500_000),
                ("equipment", 3_800_000),
                ("fee", 4_000_000),
            ],
        ),
        'B' => (
            Spanish,
            Asked::Together,
            &[("loan", 9_000_000), ("term", 120), ("interest", 1_100)],
        ),
        'C' => (English, Asked::Waiting, &[("utilities", 45_000), ("cogs", 600)]),
        'D' => (
            English,
            Asked::Alone,
            &[("term", 84), ("interest", 1_050), ("insurance", 28_000)],
        ),
        'F' => (English, Asked::Alone, &[("sales", 1_768_000)]),
        'G' => (English, Asked::Alone, &[("labor", 3_280)]),
        'H' => (English, Asked::Alone, &[("rent", 425_000)]),
        'I' => (Spanish, Asked::Alone, &[("sales", 1_549_200)]),
        'J' => (
            Spanish,
            Asked::Together,
            &[("loan", 9_000_000), ("term", 120), ("interest", 1_100)],
        ),
        'K' => (
            English,
            Asked::Together,
            &[
                ("cash", 7_000_000),
                ("loan", 12_000_000),
                ("term", 120),
                ("interest", 950),
            ],
        ),
        _ => (
            Spanish,
            Asked::Together,
            &[
                ("rent", 280_000),
                ("fee", 3_500_000),
                ("buildout", 6_000_000),
                ("equipment", 2_800_000),
            ],
        ),
    }
}

/// The field of a key, and its kind.
fn field(key: &str) -> (&'static str, &'static str) {
    match key {
        "rent" => (RENT, "money"),
        "insurance" => (INSURANCE, "money"),
        "utilities" => ("operatingCosts.utilitiesMonthly", "money"),
        "buildout" => ("startupCosts.leaseholdImprovements", "money"),
        "equipment" => ("startupCosts.furnitureFixturesEquipment", "money"),
        "fee" => ("startupCosts.franchiseFee", "money"),
        "loan" => ("financing.loanAmount", "money"),
        "term" => ("financing.loanTermMonths", "months"),
        "interest" => ("financing.interestRate", "percent"),
        "sales" => ("revenue.monthlyAuv", "money"),
        "labor" => ("operatingCosts.laborPct", "percent"),
        "cash" => ("financing.additionalEquity", "money"),
        "cogs" => ("operatingCosts.cogsPct", "percent"),
        "months" => ("revenue.monthsToReachAuv", "months"),
        "draw" => ("profitabilityAndDistributions.ownerDrawMonthly", "money"),
        "start" => ("profitabilityAndDistributions.ownerDrawStartMonth", "months"),
        "free" => ("operatingCosts.rentAbatementMonths", "months"),
        other => panic!("{other}"),
    }
}

pub(super) fn open_values(values: &[(&str, i64)]) -> Vec<Proposal> {
    let turn = TurnId::fresh();
    let of = |(key, value): &(&str, i64)| {
        let (path, kind) = field(key);
        let mut one = proposal(turn, path, kind, if kind == "percent" { 0 } else { *value });
        if kind == "percent" {
            one.value.value = Number::new(Decimal::new(*value, 4));
        }
        one
    };
    values.iter().map(of).collect()
}

/// The advisor's last answer, in the server's own words.
pub(super) fn answer(language: Language, asked: Asked, open: &[Proposal]) -> String {
    let ctx = context("");
    let item = |one: &Proposal| asked::item(&ctx, language, "heard.item", &one.value);
    let items: Vec<String> = open.iter().map(item).collect();
    let say = |key: &str, slots: &[(&str, &str)]| wording::say(language, key, slots);
    match asked {
        Asked::Together => {
            let all = say("ask_all", &[("count", &items.len().to_string())]);
            format!("{}\n\n{all} {}", items.join("\n- "), say("all_or_name", &[]))
        }
        Asked::Waiting => say("still_open", &[("items", &wording::list(language, &items))]),
        Asked::Alone => {
            let newest = &open[open.len() - 1].value;
            let (name, shown) = (
                asked::name(&ctx, language, newest),
                asked::shown(&ctx, language, newest),
            );
            wording::confirm(language, &shown, &name)
        }
    }
}

/// How many messages there are, and how many are settled as a human would; none accepts or drops what a human would not.
fn settled_rightly(file: &str) -> (usize, usize) {
    let (mut right, mut count) = (0, 0);
    let mut wrong: Vec<String> = Vec::new();
    for line in file.lines() {
        let case: Case = serde_json::from_str(line).expect("a case");
        let (language, asked, values) = waiting(case.open);
        let open = open_values(values);
        let mut ctx = context(&answer(language, asked, &open));
        ctx.language = language;
        ctx.words.message.clone_from(&case.message);
        let found = settled(&case.message, plan_reader::said_act(&case.message), &open, &ctx);
        let of = |is_yes: bool| -> Vec<&str> {
            let settlement = found.iter().flat_map(|(acted, _)| &acted.settlement);
            let mut own: Vec<&str> = settlement
                .filter(|(_, decided)| matches!(decided, Decided::Accept(_)) == is_yes)
                .filter_map(|(id, _)| open.iter().position(|one| one.value.id == *id))
                .map(|at| values[at].0)
                .collect();
            own.sort_unstable();
            own
        };
        let sorted = |keys: &[String]| {
            let mut keys: Vec<String> = keys.to_vec();
            keys.sort_unstable();
            keys
        };
        let (accepted, dropped) = (of(true), of(false));
        let is_known = |keys: &[String], key: &&&str| keys.iter().any(|known| known == **key);
        wrong.extend(
            accepted
                .iter()
                .filter(|key| !is_known(&case.accept, key))
                .map(|key| format!("accepted {key}: {}", case.message)),
        );
        wrong.extend(
            dropped
                .iter()
                .filter(|key| is_known(&case.accept, key))
                .map(|key| format!("dropped {key}: {}", case.message)),
        );
        count += 1;
        let is_right = sorted(&case.accept) == accepted && (dropped.is_empty() || sorted(&case.drop) == dropped);
        right += usize::from(is_right);
        if !is_right {
            println!(
                "{} {accepted:?} {dropped:?}, not {:?} {:?}: {}",
                case.open, case.accept, case.drop, case.message
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    (count, right)
}

#[test]
fn what_people_accept_in_part_is_settled_and_nothing_else() {
    let (count, right) = settled_rightly(include_str!("../../../../tests/acts/in-part.jsonl"));
    assert!((count, right) >= (260, 216), "{right} of {count}");
}

#[test]
fn a_yes_with_more_beside_it_is_taken_and_nothing_else() {
    let (count, right) = settled_rightly(include_str!("../../../../tests/acts/with-more.jsonl"));
    assert!((count, right) >= (366, 245), "{right} of {count}");
}
