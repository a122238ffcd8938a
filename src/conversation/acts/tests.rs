//! What settles open values, and what does not.

use super::*;
use crate::conversation::tools::EvidenceTexts;
use crate::store::brands::BrandVersion;
use plan_model::brand::Brand;
use plan_model::ids::{BrandVersionId, TurnId};
use plan_model::inputs::FinancialInputs;
use plan_model::language::Language;
use plan_reader::Vocabulary;
use serde_json::json;
use std::sync::Arc;
use time::OffsetDateTime;

mod in_part;
mod with_rest;

fn proposal(turn: TurnId, field: &str, kind: &str, value: i64) -> Proposal {
    let value = json!({
        "id": uuid::Uuid::now_v7(), "field": field, "label": field, "kind": kind, "value": value, "previousValue": null,
        "confidence": "tentative", "status": "proposed", "applied": false, "rangeWarning": null, "rangeCode": null,
        "evidence": null, "note": null,
    });
    Proposal {
        turn: Some(turn),
        value: serde_json::from_value(value).expect("a value"),
        at: OffsetDateTime::UNIX_EPOCH,
        author: None,
    }
}

fn context(advisor: &str) -> ToolContext {
    let brand = Brand::demo();
    let inputs = FinancialInputs::from_brand(&brand);
    let vocabulary = Arc::new(Vocabulary::of(&brand));
    let brand_version = BrandVersion {
        id: BrandVersionId::fresh(),
        fields: brand.fields().into(),
        brand,
    };
    let words = EvidenceTexts {
        advisor: Some(advisor.to_owned()),
        ..EvidenceTexts::default()
    };
    ToolContext::new(
        Arc::new(brand_version),
        vocabulary,
        Some(Arc::new(inputs)),
        words,
        OffsetDateTime::UNIX_EPOCH,
    )
}

fn acted(message: &str, open: &[Proposal], advisor: &str) -> Option<Acted> {
    resolve(plan_reader::said_act(message)?, open, &context(advisor)).map(|(acted, _)| acted)
}

const RENT: &str = "operatingCosts.rentMonthly";
const INSURANCE: &str = "operatingCosts.insuranceMonthly";

#[test]
fn all_and_both_and_the_second_write_what_they_name() {
    let (old, new) = (TurnId::fresh(), TurnId::fresh());
    let open = [
        proposal(old, "operatingCosts.utilitiesMonthly", "money", 30_000),
        proposal(new, RENT, "money", 420_000),
        proposal(new, INSURANCE, "money", 31_000),
    ];
    let accepted = |message: &str| -> Vec<ExtractionId> {
        let acted = acted(message, &open, "").expect("an act");
        acted
            .settlement
            .into_iter()
            .filter(|(_, decided)| *decided == Decided::Accept(None))
            .map(|(id, _)| id)
            .collect()
    };
    assert_eq!(accepted("yes to all").len(), 3);
    assert_eq!(accepted("yes to both"), [open[2].value.id, open[1].value.id]);
    // By its place only where the last answer lists them: "ok last one. Where is cash at the end?"
    assert!(acted("ok last one", &open, "Cash is lowest at $31,821.").is_none());
    let asks = wording::say(Language::English, "all_or_name", &[]);
    let second = acted("the second one", &open, &asks).expect("an act");
    assert_eq!(second.settlement, [(open[2].value.id, Decided::Accept(None))]);
    assert_eq!(accepted("sí a todo").len(), 3);
    assert!(
        acted("the third one", &open, &asks)
            .expect("an act")
            .settlement
            .is_empty()
    );
    let none = acted("none of them", &open, "").expect("an act");
    assert!(none.settlement.iter().all(|(_, decided)| *decided == Decided::Dismiss) && none.settlement.len() == 3);
    assert_eq!(
        acted("use all", &open[1..], "").expect("an act").text,
        "I've written down rent per month at $4,200 and insurance per month at $310. “Undo that” takes it back."
    );
    assert!(acted("yes to all", &[], "").is_none());
}

#[test]
fn a_no_to_one_of_several_asks_which() {
    let turn = TurnId::fresh();
    let open = [
        proposal(turn, "operatingCosts.rentMonthly", "money", 300_000),
        proposal(turn, "financing.loanTermMonths", "months", 120),
    ];
    let asked = "I heard these.\n\n- $3,000 for rent per month\n- 120 months for loan term\n\nShall I use all 2? Say “yes to all”, or name the ones you mean.";
    let acted = acted("skip that one", &open, asked).expect("is an act");
    assert!(acted.settlement.is_empty(), "{acted:?}");
    assert!(
        acted
            .text
            .starts_with("Which one do you mean, $3,000 for rent per month and 120 months for loan term?"),
        "{}",
        acted.text
    );
}

#[test]
fn what_a_message_drops_is_dropped_and_nothing_else() {
    let (old, new) = (TurnId::fresh(), TurnId::fresh());
    let open = [
        proposal(old, "financing.additionalEquity", "money", 12_000_000),
        proposal(new, INSURANCE, "money", 31_000),
        proposal(new, "financing.additionalEquity", "money", 12_000_000),
    ];
    let dropped = |message: &str| -> Option<Vec<ExtractionId>> {
        let mut context = context("");
        context.words.message = message.to_owned();
        let (acted, _) = resolve(plan_reader::said_act(message)?, &open, &context)?;
        assert!(acted.settlement.iter().all(|(_, decided)| *decided == Decided::Dismiss));
        Some(acted.settlement.into_iter().map(|(id, _)| id).collect())
    };
    let [equity, insurance, again] = [0, 1, 2].map(|at: usize| open[at].value.id);
    for message in [
        "forget the 120k",
        "no, drop both 120k ones",
        "drop the extra cash",
        "no to the extra owner cash",
        "olvida los 120 mil extra",
    ] {
        assert_eq!(dropped(message), Some(vec![equity, again]), "{message}");
    }
    assert_eq!(dropped("forget the insurance"), Some(vec![insurance]));
    assert_eq!(dropped("forget the insurance of 310"), Some(vec![insurance]));
    for message in [
        "forget the rent",
        "forget it, insurance is 450",
        "drop the insurance to 200",
        "drop the rent of 310",
        "forget everything else",
    ] {
        assert_eq!(dropped(message), None, "{message}");
    }
}

#[test]
fn of_two_values_of_one_message_none_is_written_and_of_two_messages_the_later() {
    let (old, new) = (TurnId::fresh(), TurnId::fresh());
    let rivals = [
        proposal(new, RENT, "money", 420_000),
        proposal(new, RENT, "money", 430_000),
    ];
    let answer = acted("yes to all", &rivals, "").expect("an act");
    assert!(answer.settlement.is_empty(), "{answer:?}");
    assert!(answer.text.contains("$4,200 and $4,300"), "{}", answer.text);
    let later = [
        proposal(old, RENT, "money", 420_000),
        proposal(new, RENT, "money", 430_000),
    ];
    let answer = acted("all of them", &later, "").expect("an act");
    assert_eq!(
        answer.settlement,
        [
            (later[1].value.id, Decided::Accept(None)),
            (later[0].value.id, Decided::Dismiss)
        ]
    );
}

#[test]
fn a_number_behind_a_yes_is_of_other_values_or_said_again() {
    let open = [proposal(TurnId::fresh(), RENT, "money", 425_000)];
    let asked = "Shall I write down $4,250 for rent per month?";
    let rest = |message: &str| {
        let found = resolve(plan_reader::said_act(message).expect("an act"), &open, &context(asked));
        found.map(|(acted, rest)| (acted.settlement.len(), rest.to_owned()))
    };
    for (message, left) in [
        (
            "yes, 4,250. now compare lean with my plan",
            "now compare lean with my plan",
        ),
        ("yes. rent is 4,250. thank you", "thank you"),
        ("yes, 4,250", ""),
        ("yes. and insurance is 5,400 a year", "and insurance is 5,400 a year"),
        ("yes. what if I borrow 20,000 less?", "what if I borrow 20,000 less?"),
        ("yes. what is my profit in year 2?", "what is my profit in year 2?"),
        ("yes. is 4,250 the usual rent?", "is 4,250 the usual rent?"),
        ("no. insurance is 5,400 a year", "insurance is 5,400 a year"),
    ] {
        assert_eq!(rest(message), Some((1, left.to_owned())), "{message}");
    }
    for message in [
        "yes. 4,350",
        "yes. and the rent is 4,350",
        "yes, 4,350",
        "yes. or 4,300?",
        "yes, 4,250 a week",
        "yes. 4,250 a year",
        "yes, 4,250 per chair",
        "yes, 4,250%",
        "no. 4,350",
        "no, 4,350",
        "no. rent is 4,350",
    ] {
        assert_eq!(rest(message), None, "{message}");
    }
}

#[test]
fn a_yes_to_several_is_not_lost_to_what_follows_of_other_values() {
    let turn = TurnId::fresh();
    let open = [
        proposal(turn, "financing.loanAmount", "money", 9_000_000),
        proposal(turn, "financing.loanTermMonths", "months", 84),
    ];
    let settled = |message: &str| {
        let said = plan_reader::said_act(message).expect("an act");
        resolve(said, &open, &context("")).map_or(0, |(acted, _)| acted.settlement.len())
    };
    assert_eq!(settled("yes to all. and the 60k is our own savings"), 2);
    assert_eq!(settled("yes to both. rent is 4,200"), 2);
    assert_eq!(settled("yes to both. the loan is 95,000"), 0);
    let three = [proposal(turn, "profile.staffCount", "count", 3)];
    assert_eq!(acted("si 3", &three, "").expect("an act").settlement.len(), 1);
    let months = [proposal(turn, "revenue.monthsToReachAuv", "months", 8)];
    let asks = "Shall I write down 8 months for months to reach established sales?";
    let said = plan_reader::said_act("yes. did you put in the 13,650, too?").expect("an act");
    assert!(resolve(said, &months, &context(asks)).is_some());
}

#[test]
fn names_are_a_yes_where_one_was_asked_for() {
    let (old, new) = (TurnId::fresh(), TurnId::fresh());
    let open = [
        proposal(old, "operatingCosts.utilitiesMonthly", "money", 87_000),
        proposal(new, RENT, "money", 415_000),
    ];
    let named =
        |message: &str, advisor: &str| by_name(message, &open, &context(advisor)).map(|(one, _)| one.settlement.len());
    let one = "Shall I write down $4,150 for rent per month?";
    assert_eq!(named("yes, write the rent. and the utilities too please", one), Some(2));
    assert_eq!(named("I said yes to both, the rent and the utilities", one), Some(2));
    assert_eq!(named("yes, the rent", "Is it the rent?"), None, "nothing was asked for");
    assert_eq!(named("rent went up", one), None);
    assert_eq!(
        named("ok yes to the rent", "Rent is what you pay for the room."),
        Some(1)
    );
    assert_eq!(named("solo la renta, las otras no", "Es un número alto."), Some(2));
    assert_eq!(
        named("sí a la luz, la renta no", "Es un número alto."),
        Some(2),
        "what people call it"
    );
    assert_eq!(named("los 870 no", "¿Es la renta?"), Some(1), "dropping writes nothing");
    assert_eq!(named("los 870 si", "¿Es la renta?"), None);
    assert_eq!(
        named("then the rent yes", "All right, I've dropped $350 for phone."),
        Some(1)
    );
    assert_eq!(
        named("then the rent yes", "Rent per month is $4,500 in your plan."),
        None
    );
    let both = "I heard these, and have only noted them until you confirm:\n\n- $870 for utilities per month\n- $4,150 for rent per month\n\nShall I use all 2? Say “yes to all”, or name the ones you mean.";
    assert_eq!(named("rent yes, utilities no", both), Some(2));
    assert_eq!(named("not the rent", both), Some(1));
    assert_eq!(named("rent yes, utilities no. And what is left for me?", both), Some(2));
    assert_eq!(
        named("rent yes. utilities are 900", both),
        Some(1),
        "another number of another value"
    );
    assert_eq!(
        named("rent yes. rent is 4,200", both),
        None,
        "another number of the value"
    );
    assert_eq!(named("rent yes. and is 4,300 usual?", both), None, "it may be the rent");
}

#[test]
fn yes_and_no_are_about_the_question_of_an_open_value_and_no_other() {
    let open = [proposal(TurnId::fresh(), RENT, "money", 420_000)];
    let asked = "¿Anoto $4,200 para la renta por mes?";
    assert_eq!(
        acted("sí", &open, asked).expect("an act").settlement,
        [(open[0].value.id, Decided::Accept(None))]
    );
    let english = "Noted. Shall I write down $4,200 for rent per month?";
    assert_eq!(
        acted("no", &open, english).expect("an act").settlement,
        [(open[0].value.id, Decided::Dismiss)]
    );
    let insurance = proposal(TurnId::fresh(), INSURANCE, "money", 31_000);
    let two = [open[0].clone(), insurance];
    let both = "I heard these, and have only noted them until you confirm:\n\n- $4,200 for rent per month\n- $310 for insurance per month\n\nShall I use all 2? Say “yes to all”, or name the ones you mean.";
    assert_eq!(
        acted("no", &two, both).expect("an act").settlement.len(),
        2,
        "both were asked about"
    );
    let one = "These wait for your word: $4,200 for rent per month. Say “yes to all”, or name the ones you mean.";
    assert_eq!(acted("no", &two, one).expect("an act").settlement.len(), 1, "one was");
    for other in [
        "¿Anoto $4,300 para la renta por mes?",
        "¿Seguimos?",
        "¿Anoto $4,200 para la renta por mes? ¿O no?",
        "",
    ] {
        assert!(acted("sí", &open, other).is_none(), "{other}");
    }
}

#[test]
fn one_of_two_values_of_a_field_is_meant_by_its_number() {
    let (older, old, new) = (TurnId::fresh(), TurnId::fresh(), TurnId::fresh());
    let open = [
        proposal(older, "financing.loanAmount", "money", 25_000_000),
        proposal(old, RENT, "money", 390_000),
        proposal(new, RENT, "money", 480_000),
    ];
    let ctx = context("Shall I write down $4,800 for rent per month?");
    let of = |message: &str| {
        let (acted, rest) = settled(message, plan_reader::said_act(message), &open, &ctx)?;
        let sign = |(id, decided): &(ExtractionId, Decided)| {
            let one = open.iter().find(|one| one.value.id == *id)?;
            let sign = if matches!(decided, Decided::Dismiss) {
                "no"
            } else {
                "yes"
            };
            Some(format!("{sign} {}", one.value.value.to_whole() / 100))
        };
        let signs: Vec<String> = acted.settlement.iter().filter_map(sign).collect();
        Some((signs.join(", "), rest.to_owned()))
    };
    let known = |signs: &str, rest: &str| Some((signs.to_owned(), rest.to_owned()));
    let instead = "Yes the 3,900. The 4,800 was my boss's rent not mine";
    assert_eq!(of(instead), known("yes 3900, no 4800", ""));
    assert_eq!(of("yes for crying out loud"), known("yes 4800, no 3900", ""));
    assert_eq!(
        of("yeah put the 4800 down for the rent"),
        known("yes 4800, no 3900", "")
    );
    assert_eq!(of("yes both of those"), known("", ""), "three wait");
    for message in [
        "none of those 🙅 dont write any of it",
        "none of those, dont write any of it",
    ] {
        let found = of(message);
        assert_eq!(found.expect("an act").0, "no 250000, no 3900, no 4800", "{message}");
    }
    // A value instead is read with the question, and nothing of it is dropped before.
    let instead = ["No! not 4,800. My rent is 3,900.", "no, my rent is 3,900"];
    for message in instead
        .into_iter()
        .chain(["no its supposed to be 4800 i already told you"])
    {
        assert_eq!(of(message), None, "{message}");
    }
}

#[test]
fn what_is_left_out_of_all_is_corrected_behind_it() {
    let turn = TurnId::fresh();
    let mut labor = proposal(turn, "operatingCosts.laborPct", "percent", 0);
    labor.value.value = plan_model::number::Number::millionths(390_000);
    let open = [
        proposal(turn, RENT, "money", 515_000),
        proposal(turn, "operatingCosts.suppliesMonthly", "money", 30_000),
        labor,
    ];
    let both = "I heard these, and have only noted them until you confirm:\n\n- $5,150 for rent per month\n- $300 for shop and office supplies\n- 39% for direct labor\n\nShall I use all 3? Say “yes to all”, or name the ones you mean.";
    let of = |message: &str| {
        let (acted, rest) = settled(message, plan_reader::said_act(message), &open, &context(both))?;
        let accepted = acted.accepted.iter().map(|one| one.field.as_str().to_owned());
        Some((accepted.collect::<Vec<_>>(), rest.to_owned()))
    };
    let [rent, supplies, labor] = [RENT, "operatingCosts.suppliesMonthly", "operatingCosts.laborPct"];
    for (message, accepted, rest) in [
        (
            "All except direct labor. Make that one 38.5%, not 39.",
            [rent, supplies],
            "direct labor. Make that one 38.5%, not 39.",
        ),
        (
            "all of em except supplies, make that 350",
            [rent, labor],
            "supplies, make that 350",
        ),
        (
            "all good except the supplies, its 350 not 300",
            [rent, labor],
            "the supplies, its 350 not 300",
        ),
    ] {
        let accepted = accepted.map(str::to_owned).to_vec();
        assert_eq!(of(message), Some((accepted, rest.to_owned())), "{message}");
    }
    // What is said of one of the others may take the yes back.
    for message in [
        "all except direct labor. make the rent 5,000",
        "all except direct labor, the rent went up",
        "all except direct labor. wait",
    ] {
        let found = of(message).map(|(accepted, _)| accepted).unwrap_or_default();
        assert!(!found.contains(&rent.to_owned()), "{message}: {found:?}");
    }
}

#[test]
fn the_others_are_taken_where_one_is_corrected_with_its_name() {
    let turn = TurnId::fresh();
    let open = [
        proposal(turn, RENT, "money", 410_000),
        proposal(turn, INSURANCE, "money", 35_000),
    ];
    let asked = "I heard these.\n\n- $4,100 for rent per month\n- $350 for insurance per month\n\nShall I use all 2? Say “yes to all”, or name \
                 the ones you mean.";
    let context = context(asked);
    let settled = |message| settled(message, plan_reader::said_act(message), &open, &context);
    for message in [
        "yes both but the rent is 4,200 to be safe",
        "sí a todo, pero la renta es 4,200",
    ] {
        let (acted, rest) = settled(message).expect("the insurance is taken");
        let insurance = (open[1].value.id, Decided::Accept(None));
        assert_eq!(acted.settlement, [insurance], "{message}");
        assert!(rest.contains("4,200"), "{message}: {rest}");
    }
    // Without its name it may be of either, and a doubt or a question corrects nothing.
    for message in ["yes both but make it 4,200", "yes to all but is the rent 4,200?"] {
        let accepted = settled(message).map(|(acted, _)| acted.accepted.len());
        assert_ne!(accepted, Some(1), "{message}");
    }
}

#[test]
fn a_yes_in_slang_is_one_and_its_words_in_other_company_are_none() {
    let open = [proposal(TurnId::fresh(), RENT, "money", 420_000)];
    let ctx = context("Shall I write down $4,200 for rent per month?");
    let accepts = |message: &str| {
        let found = settled(message, plan_reader::said_act(message), &open, &ctx);
        found.is_some_and(|(acted, _)| {
            acted
                .settlement
                .iter()
                .any(|(_, decided)| matches!(decided, Decided::Accept(_)))
        })
    };
    for message in [
        "bet",
        "yeah bet",
        "bruh i said yes",
        "yes yes write it down bro",
        "ohh ok um aight yeah go ahead and put the rent in",
        "do that one",
        "yes definitely",
        "mhm, lock it in",
    ] {
        assert!(accepts(message), "{message}");
    }
    for message in [
        "i bet",
        "bet it is higher",
        "definitely not",
        "absolutely not man",
        "solid no",
        "bro what",
        "deal with it later",
        "do I need that one",
        "do not put it in",
        "cool story bro, who said 4,200",
        "enter 5,000",
        "um no",
        "do the other one",
    ] {
        assert!(!accepts(message), "{message}");
    }
}

#[test]
fn what_is_said_of_open_values_is_done_before_the_rest_is_answered() {
    let turn = TurnId::fresh();
    let pay = [
        proposal(turn, "profitabilityAndDistributions.ownerDrawMonthly", "money", 250_000),
        proposal(turn, "profitabilityAndDistributions.ownerDrawStartMonth", "months", 1),
    ];
    let months = [proposal(turn, "revenue.monthsToReachAuv", "months", 8)];
    let rent = [proposal(turn, RENT, "money", 310_000)];
    let sales = [
        proposal(turn, "revenue.monthlyAuv", "money", 1_650_000),
        proposal(TurnId::fresh(), "startupCosts.franchiseFee", "money", 2_800_000),
    ];
    let ask = wording::say(Language::English, "all_or_name", &[]);
    let of_pay =
        format!("- $2,500 for owner draw per month\n- month 1 for month the draw starts\n\nShall I use all 2? {ask}");
    let alone = |shown: &str, name: &str| wording::confirm(Language::English, shown, name);
    let of_months = alone("8 months", "months to reach established sales");
    let of_rent = alone("$3,100", "rent per month");
    // Which are accepted, which are dropped, and what is left to answer.
    for (open, advisor, message, accepted, dropped, rest) in [
        (&pay[..], &of_pay, "just the draw start, yes, go ahead", "1", "", ""),
        (&pay[..], &of_pay, "the draw yes, the start no", "0", "1", ""),
        (
            &pay[..],
            &of_pay,
            "No to both, I told you twice. put the loan at 220",
            "",
            "01",
            "I told you twice. put the loan at 220",
        ),
        (
            &pay[..],
            &of_pay,
            "none of them. labor: 5.5 groomers x 38 hours x $20",
            "",
            "01",
            "labor: 5.5 groomers x 38 hours x $20",
        ),
        (
            &sales[..],
            &ask,
            "No a todo. Las ventas al mes ponlas en 28,000",
            "",
            "01",
            "Las ventas al mes ponlas en 28,000",
        ),
        (
            &months[..],
            &of_months,
            "Si anota los 8. Entonces por que baja hasta menos 232 mil?",
            "0",
            "",
            "Entonces por que baja hasta menos 232 mil?",
        ),
        (
            &months[..],
            &of_months,
            "sí, los 8 meses. Y cuales son los peores meses?",
            "0",
            "",
            "Y cuales son los peores meses?",
        ),
        (
            &rent[..],
            &of_rent,
            "yes. revenue: 32 dogs a day x $72 x 26 days",
            "0",
            "",
            "revenue: 32 dogs a day x $72 x 26 days",
        ),
    ] {
        let mut ctx = context(advisor);
        ctx.words.message = message.to_owned();
        let (acted, left) = settled(message, plan_reader::said_act(message), open, &ctx).expect(message);
        let of = |is_yes: bool| -> String {
            let places = open.iter().enumerate().filter(|(_, one)| {
                let mut settlement = acted.settlement.iter();
                settlement.any(|(id, decided)| *id == one.value.id && is_yes == (*decided == Decided::Accept(None)))
            });
            places.map(|(at, _)| at.to_string()).collect()
        };
        assert_eq!(
            (of(true).as_str(), of(false).as_str(), left),
            (accepted, dropped, rest),
            "{message}"
        );
    }
}

#[test]
fn that_all_was_told_before_is_no_yes() {
    let rent = [proposal(TurnId::fresh(), RENT, "money", 310_000)];
    let asked = wording::confirm(Language::Spanish, "$3,100", "la renta por mes");
    let ctx = context(&asked);
    let settled = |message| settled(message, plan_reader::said_act(message), &rent, &ctx).is_some();
    for message in [
        "ya te dije todo lo que se",
        "ya te dije todo",
        "I told you everything",
        "I told you all that",
    ] {
        assert!(!settled(message), "{message}");
    }
    for message in [
        "ya te dije que si",
        "I told you yes",
        "te acabo de decir que si a todo!",
    ] {
        assert!(settled(message), "{message}");
    }
}
