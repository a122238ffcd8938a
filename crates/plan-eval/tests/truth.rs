//! The labeled messages of `tests/truth`, scored. Prints one line per file: `cargo test --test truth -- --nocapture`.

use plan_eval::{Case, Class, Rate, Ruling, Speaker, Tally, Written};
use plan_model::brand::Brand;
use plan_model::field::{FieldPath, Kind, find};
use plan_model::number::Number;
use plan_reader::review::Verdict;
use plan_reader::{Context, Decision, ExtractionError, Outcome, Texts, Vocabulary, decide, resolve_turn, understand};
use rust_decimal::Decimal;

#[path = "truth/numbers.rs"]
mod numbers;
#[path = "truth/properties.rs"]
mod properties;

const SUITES: [(&str, &str); 6] = [
    ("casual", include_str!("../../../tests/truth/casual.jsonl")),
    ("negotiation", include_str!("../../../tests/truth/negotiation.jsonl")),
    (
        "home-services",
        include_str!("../../../tests/truth/home-services.jsonl"),
    ),
    ("letters", include_str!("../../../tests/truth/letters.jsonl")),
    ("dialogues", include_str!("../../../tests/truth/dialogues.jsonl")),
    ("everyday", include_str!("../../../tests/truth/everyday.jsonl")),
];

/// Set aside until the grammar was done; nothing is tuned to them.
const UNSEEN: [(&str, &str); 24] = [
    (
        "home-services, unseen",
        include_str!("../../../tests/truth/home-services-unseen.jsonl"),
    ),
    (
        "letters, unseen",
        include_str!("../../../tests/truth/letters-unseen.jsonl"),
    ),
    (
        "dialogues, unseen",
        include_str!("../../../tests/truth/dialogues-unseen.jsonl"),
    ),
    (
        "everyday, unseen",
        include_str!("../../../tests/truth/everyday-unseen.jsonl"),
    ),
    ("chat, unseen", include_str!("../../../tests/truth/chat-unseen.jsonl")),
    ("desk, unseen", include_str!("../../../tests/truth/desk-unseen.jsonl")),
    ("phone, unseen", include_str!("../../../tests/truth/phone-unseen.jsonl")),
    (
        "answers, unseen",
        include_str!("../../../tests/truth/answers-unseen.jsonl"),
    ),
    ("plain, unseen", include_str!("../../../tests/truth/plain-unseen.jsonl")),
    (
        "owners, unseen",
        include_str!("../../../tests/truth/owners-unseen.jsonl"),
    ),
    (
        "trades, unseen",
        include_str!("../../../tests/truth/trades-unseen.jsonl"),
    ),
    (
        "careful, unseen",
        include_str!("../../../tests/truth/careful-unseen.jsonl"),
    ),
    (
        "chatty, unseen",
        include_str!("../../../tests/truth/chatty-unseen.jsonl"),
    ),
    (
        "kitchen, unseen",
        include_str!("../../../tests/truth/kitchen-unseen.jsonl"),
    ),
    (
        "evening, unseen",
        include_str!("../../../tests/truth/evening-unseen.jsonl"),
    ),
    (
        "morning, unseen",
        include_str!("../../../tests/truth/morning-unseen.jsonl"),
    ),
    (
        "partners, unseen",
        include_str!("../../../tests/truth/partners-unseen.jsonl"),
    ),
    (
        "signed, unseen",
        include_str!("../../../tests/truth/signed-unseen.jsonl"),
    ),
    (
        "second-career, unseen",
        include_str!("../../../tests/truth/second-career-unseen.jsonl"),
    ),
    (
        "bakery, unseen",
        include_str!("../../../tests/truth/bakery-unseen.jsonl"),
    ),
    (
        "bookkeeper, unseen",
        include_str!("../../../tests/truth/bookkeeper-unseen.jsonl"),
    ),
    (
        "dictated, unseen",
        include_str!("../../../tests/truth/dictated-unseen.jsonl"),
    ),
    (
        "interview, unseen",
        include_str!("../../../tests/truth/interview-unseen.jsonl"),
    ),
    (
        "lunch-break, unseen",
        include_str!("../../../tests/truth/lunch-break-unseen.jsonl"),
    ),
];

const DECEIVING: &str = include_str!("../../../tests/truth/deceiving.tsv");
/// Written with the vocabulary in view.
const WHITE_BOX: &str = include_str!("../../../tests/truth/white-box.tsv");
/// The same with answers to the advisor, lists and several sentences.
const WHITE_BOX_DIALOGUES: &str = include_str!("../../../tests/truth/white-box-dialogues.jsonl");
const CALLS: &str = include_str!("../../../tests/truth/calls.jsonl");
const VERDICTS: &str = include_str!("../../../tests/truth/verdicts.jsonl");

/// The demo brand without a plan's values.
struct Plan {
    brand: Brand,
    vocabulary: Vocabulary,
}

impl Plan {
    fn demo() -> Self {
        let brand = Brand::demo();
        Self {
            vocabulary: Vocabulary::of(&brand),
            brand,
        }
    }

    fn decide(&self, texts: &Texts<'_>, arguments: &str) -> Result<Decision, ExtractionError> {
        let context = Context {
            fields: self.vocabulary.fields(),
            inputs: None,
            brand: &self.brand,
            texts,
            understanding: &understand(texts, &self.vocabulary),
        };
        decide(arguments, &context)
    }
}

fn cases() -> Vec<(&'static str, Vec<Case>)> {
    let read = |(name, suite): (&'static str, &str)| (name, Case::read(suite).expect("a suite"));
    SUITES.into_iter().chain(UNSEEN).map(read).collect()
}

/// A value as a model would call it: dollars, percent points.
fn as_called(field: &FieldPath, value: Number) -> Option<String> {
    let (number, unit) = match find(field.as_str())?.kind {
        Kind::Money => (value.decimal() / Decimal::ONE_HUNDRED, "dollars"),
        Kind::Percent => (value.decimal() * Decimal::ONE_HUNDRED, "percent"),
        kind => (value.decimal(), kind.as_str()),
    };
    let number = number.normalize();
    Some(format!(
        r#"{{"path":"{field}","value":{number},"unit":"{unit}","confidence":"high"}}"#
    ))
}

#[test]
fn what_the_grammar_writes_is_right() {
    let vocabulary = Vocabulary::of(&Brand::demo());
    let (mut wrong, mut all) = (Vec::new(), Tally::default());
    for (name, cases) in cases() {
        let mut tally = Tally::default();
        for case in &cases {
            let understood = understand(&case.texts(), &vocabulary);
            let plain = understood.plain.iter();
            let written: Vec<Written> = plain
                .map(|one| Written {
                    field: one.field.clone(),
                    value: one.value,
                })
                .collect();
            let first = understood.candidates.iter().filter_map(|one| one.choices.first());
            let asked: Vec<Written> = first
                .map(|choice| Written {
                    field: choice.field.clone(),
                    value: choice.value,
                })
                .collect();
            let is_wrong = |one: &&Written| Ruling::of(case, one) == Ruling::Wrong;
            wrong.extend(
                written
                    .iter()
                    .filter(is_wrong)
                    .map(|one| format!("{} {one:?}", case.id)),
            );
            tally.add(case, &written, &asked);
            if SUITES.iter().any(|(known, _)| *known == name) {
                all.add(case, &written, &asked);
            }
        }
        print(name, tally);
    }
    let landed = print("all tuned", all);
    assert!(wrong.is_empty(), "{wrong:#?}");
    // A floor against accidents: what closes a hole may cost landing, with its figure in docs/TRUTH.md.
    assert!(landed >= 0.155, "{landed} of the plain values landed");
}

fn print(name: &str, tally: Tally) -> f64 {
    let report = tally.figures();
    let percent = |rate: Rate| format!("{:3} of {:3} = {:4.1} %", rate.count, rate.of, rate.rate * 100.0);
    println!(
        "{name:22} landed {} · asked {} · hasty {} · wrong {}",
        percent(report.plain_landed),
        percent(report.plain_asked),
        report.hasty_applied.count,
        report.wrong_applied.count
    );
    report.plain_landed.rate
}

#[test]
fn no_trap_is_applied_by_the_grammar_alone() {
    let plan = Plan::demo();
    let mut applied = Vec::new();
    for case in cases().iter().flat_map(|(_, cases)| cases) {
        let texts = case.texts();
        for trap in &case.traps {
            let call = as_called(&trap.field, trap.value).expect("a field");
            let decision = plan.decide(&texts, &call);
            if decision.is_ok_and(|decision| decision.outcome == Outcome::Apply) {
                applied.push(format!("{} {} {}", case.id, trap.field, trap.value));
            }
        }
    }
    assert!(applied.is_empty(), "{applied:#?}");
}

#[test]
fn deceiving_sentences_write_nothing() {
    let plan = Plan::demo();
    let lines = DECEIVING.lines().chain(WHITE_BOX.lines());
    for line in lines.filter(|line| !line.starts_with('#')) {
        let (sentence, rest) = line.split_once('\t').expect("columns");
        let sentence = &sentence.replace("\\n", "\n");
        let (field, value) = rest.split_once('\t').expect("columns");
        let understood = understand(&Texts::of(sentence), &plan.vocabulary);
        assert_eq!(understood.plain, [], "{sentence}");
        let field = plan
            .vocabulary
            .fields()
            .iter()
            .find(|one| one.path.as_str().ends_with(field))
            .cloned();
        let field = field.expect("a field");
        let value: Number = value.parse().expect("a number");
        let call = as_called(&field.path, value).expect("a call");
        let decision = plan.decide(&Texts::of(sentence), &call);
        assert!(
            decision.is_ok_and(|decision| decision.outcome != Outcome::Apply),
            "{sentence}"
        );
    }
}

#[test]
fn deceiving_messages_write_nothing() {
    let vocabulary = Vocabulary::of(&Brand::demo());
    let cases = Case::read(WHITE_BOX_DIALOGUES).expect("a suite");
    let writes = |case: &&Case| !understand(&case.texts(), &vocabulary).plain.is_empty();
    let written: Vec<&str> = cases.iter().filter(writes).map(|case| case.id.as_str()).collect();
    assert!(written.is_empty(), "{written:?}");
}

#[test]
fn a_strong_models_calls_and_verdicts_land() {
    let plan = Plan::demo();
    let cases: Vec<Case> = cases().into_iter().flat_map(|(_, cases)| cases).collect();
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    let verdicts: Vec<serde_json::Value> = VERDICTS.lines().map(json).collect();
    let verdict = |id: &str, decision: &Decision| {
        let value = serde_json::to_value(decision.value).expect("a number");
        let same = |one: &&serde_json::Value| {
            one["id"] == id && one["path"] == decision.field.as_str() && one["value"] == value
        };
        match verdicts.iter().find(same).and_then(|one| one["verdict"].as_str()) {
            Some("stated") => Verdict::Stated,
            Some("wrong") => Verdict::Wrong,
            _ => Verdict::Unsure,
        }
    };
    let mut tally = Tally::default();
    for line in CALLS.lines().map(json) {
        let id = line["id"].as_str().expect("an id");
        let case = cases.iter().find(|case| case.id == id).expect("a case");
        let calls = line["calls"].as_array().expect("calls").iter();
        let mut decisions: Vec<Decision> = calls
            .filter_map(|call| plan.decide(&case.texts(), &call.to_string()).ok())
            .map(|decision| {
                let said = verdict(id, &decision);
                decision.reviewed(said)
            })
            .collect();
        resolve_turn(&mut decisions);
        let applied = decisions.iter().filter(|one| one.outcome == Outcome::Apply);
        let written: Vec<Written> = applied
            .map(|one| Written {
                field: one.field.clone(),
                value: one.value,
            })
            .collect();
        tally.add(case, &written, &[]);
        assert!(
            case.labels
                .iter()
                .all(|label| matches!(label.class, Class::Apply | Class::Ask))
        );
    }
    let report = tally.figures();
    assert_eq!(report.wrong_applied.count, 0, "{:#?}", report.rows);
    assert!(report.plain_landed.rate >= 0.95, "{:?}", report.plain_landed);
}
