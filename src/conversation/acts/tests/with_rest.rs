//! What people say behind, before and beside a yes or a no, and what is left of it to be answered.

use super::in_part::Asked::{Alone, Together, Waiting};
use super::in_part::{Asked, answer, open_values};
use super::*;
use plan_model::language::Language::{self, English, Spanish};

/// What is accepted and dropped, by the keys of the values, and what is left.
fn settle(
    (language, asked, values): (Language, Asked, &[(&str, i64)]),
    message: &str,
) -> Option<(String, String, String, String)> {
    let open = open_values(values);
    let mut ctx = context(&answer(language, asked, &open));
    ctx.language = language;
    ctx.words.message = message.to_owned();
    let (acted, rest) = settled(message, plan_reader::said_act(message), &open, &ctx)?;
    let of = |is_yes: bool| {
        let is_so = |one: &&Proposal| {
            let mut settlement = acted.settlement.iter();
            settlement.any(|(id, decided)| *id == one.value.id && is_yes == (*decided == Decided::Accept(None)))
        };
        let places = open.iter().filter(is_so).map(|one| one.value.id);
        let keys = places.filter_map(|id| open.iter().position(|one| one.value.id == id));
        keys.map(|at| values[at].0).collect::<Vec<_>>().join(" ")
    };
    Some((of(true), of(false), rest.to_owned(), acted.text))
}

/// Open values by their keys.
type Values = &'static [(&'static str, i64)];

const BANK: Values = &[("interest", 925), ("term", 120)];
const LEASE: Values = &[("rent", 420_000), ("free", 2)];
const DRAW: Values = &[("draw", 300_000), ("start", 13), ("labor", 1_300)];
const COSTS: Values = &[("labor", 3_200), ("cogs", 3_200)];

/// What is accepted, dropped and left to answer.
const SETTLED: &[(Language, Asked, Values, &str, [&str; 3])] = &[
    (
        English,
        Together,
        BANK,
        "yeah both of em. now you say I am fifty one thousand short, why is that, nobody told me that number",
        [
            "interest term",
            "",
            "now you say I am fifty one thousand short, why is that, nobody told me that number",
        ],
    ),
    (
        English,
        Together,
        BANK,
        "Yes to all. So why three hundred seventy one thousand",
        ["interest term", "", "So why three hundred seventy one thousand"],
    ),
    (English, Together, LEASE, "yes", ["rent free", "", ""]),
    (
        English,
        Together,
        LEASE,
        "yes. now what do i take home in year 1 and 2",
        ["rent free", "", "now what do i take home in year 1 and 2"],
    ),
    (
        Spanish,
        Alone,
        &[("draw", 350_000)],
        "sí así y con eso cómo queda la caja",
        ["draw", "", "y con eso cómo queda la caja"],
    ),
    (
        Spanish,
        Alone,
        &[("start", 13)],
        "sí mes 13 y oye quita el último cambio de la mano de obra mejor 33",
        ["start", "", "oye quita el último cambio de la mano de obra mejor 33"],
    ),
    (
        English,
        Alone,
        &[("start", 7)],
        "wait i said to put month 7 in, yes! and then sales 10 under again",
        ["start", "", "and then sales 10 under again"],
    ),
    (
        English,
        Together,
        &[("draw", 300_000), ("start", 7), ("term", 120)],
        "yes to both of the pay ones. And ten years is right",
        ["draw start term", "", ""],
    ),
    (
        English,
        Alone,
        &[("labor", 3_200)],
        "yes do it but change the rent to 4,100",
        ["labor", "", "but change the rent to 4,100"],
    ),
    (
        English,
        Together,
        &[("rent", 410_000), ("labor", 3_200)],
        "yep do the rent, and how much is left for me then",
        ["rent", "", "and how much is left for me then"],
    ),
    (
        English,
        Alone,
        &[("rent", 390_000)],
        "yes, that would be great",
        ["rent", "", "that would be great"],
    ),
    (
        English,
        Waiting,
        COSTS,
        "no not the labor one just the food",
        ["cogs", "labor", ""],
    ),
    (
        English,
        Together,
        &[("sales", 4_200_000), ("months", 18)],
        "no no the 42 was what she said, mine is 38. the 18 months is right",
        ["months", "sales", "mine is 38"],
    ),
    (
        Spanish,
        Together,
        DRAW,
        "los dos del retiro sí la mano de obra no",
        ["draw start", "labor", ""],
    ),
    (
        English,
        Together,
        &[("sales", 4_200_000), ("interest", 800)],
        "nah forget the sales one",
        ["", "sales", ""],
    ),
    (
        English,
        Together,
        &[("sales", 6_200_000), ("rent", 390_000), ("loan", 24_000_000)],
        "actually scrap the loan, keep the rest",
        ["", "loan", ""],
    ),
    (
        English,
        Alone,
        &[("labor", 3_200)],
        "no!! leave labor alone",
        ["", "labor", ""],
    ),
    (
        English,
        Alone,
        &[("buildout", 18_000_000)],
        "No I said the LOAN. loan amount one hundred and eighty thousand",
        [
            "",
            "buildout",
            "I said the LOAN. loan amount one hundred and eighty thousand",
        ],
    ),
    (English, Alone, &[("rent", 390_000)], "I am kidding", ["", "rent", ""]),
];

const OPEN: &[(Language, Asked, Values, &str)] = &[
    (Spanish, Alone, &[("sales", 4_800_000)], "sí, eso quisiera yo"),
    (
        Spanish,
        Alone,
        &[("loan", 20_000_000)],
        "claro que sí, ¿y quién me lo presta?",
    ),
    (English, Alone, &[("loan", 19_000_000)], "yes but can I even get that?"),
    (English, Alone, &[("rent", 390_000)], "yes but change it to 4,100"),
    (
        English,
        Alone,
        &[("rent", 390_000)],
        "well yes the landlord said yes to it",
    ),
    (English, Alone, &[("rent", 390_000)], "yes but make it less"),
    (
        English,
        Alone,
        &[("rent", 390_000)],
        "yes do it but change the rent to 4,100",
    ),
    (
        English,
        Together,
        &[("rent", 420_000), ("free", 2)],
        "yes. is the rent right?",
    ),
];

#[test]
fn a_yes_or_a_no_is_taken_with_what_stands_beside_it() {
    for (language, asked, values, message, [accepted, dropped, rest]) in SETTLED {
        let (yes, no, left, _) = settle((*language, *asked, values), message).expect(message);
        assert_eq!((&*yes, &*no, &*left), (*accepted, *dropped, *rest), "{message}");
    }
    let kept = settle(
        (English, Together, SETTLED[15].2),
        "actually scrap the loan, keep the rest",
    );
    assert!(kept.expect("an act").3.contains("Still waiting for your word: $62,000"));
}

#[test]
fn a_yes_that_leaves_the_value_open_is_none() {
    for (language, asked, values, message) in OPEN {
        let found = settle((*language, *asked, values), message);
        assert!(found.is_none_or(|(yes, ..)| yes.is_empty()), "{message}");
    }
}
