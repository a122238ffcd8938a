//! Which messages name open values, and which say more.

use super::*;

/// What a message says, where it says nothing else.
fn read(message: &str, entries: &[Entry]) -> Option<Chosen> {
    let (chosen, rest) = readings(message, entries).next()?;
    rest.is_empty().then_some(chosen)
}

fn entry(name: &str, value: i64) -> Entry {
    Entry {
        names: vec![name.to_owned()],
        value: value.into(),
        sign: Some('$'),
        stands: None,
        is_asked: false,
        is_listed: true,
        kin: None,
    }
}

fn chosen(message: &str) -> Option<(Vec<usize>, Vec<usize>)> {
    let entry = |names: &[&str], value: i64| Entry {
        names: names.iter().map(ToString::to_string).collect(),
        value: value.into(),
        sign: Some(if value == 0 { '%' } else { '$' }),
        stands: None,
        is_asked: names.contains(&"insurance"),
        is_listed: false,
        kin: None,
    };
    let entries = [
        entry(&["rent per month", "rent", "la renta por mes", "la renta"], 3_000),
        entry(&["insurance", "los seguros"], 280),
        entry(&["annual raise", "el aumento anual de salarios", "el aumento"], 0),
    ];
    read(message, &entries).map(|chosen| (chosen.accepted, chosen.dismissed))
}

#[test]
fn names_alone_are_a_yes() {
    assert_eq!(chosen("only the rent"), Some((vec![0], vec![])));
    assert_eq!(chosen("la renta y el seguro"), Some((vec![0, 1], vec![])));
    assert_eq!(chosen("yes, the rent and insurance please"), Some((vec![0, 1], vec![])));
    assert_eq!(chosen("rent 3,000"), Some((vec![0], vec![])));
    assert_eq!(chosen("the 280"), Some((vec![1], vec![])));
    assert_eq!(
        chosen("yes to the raise and 3k"),
        Some((vec![0, 2], vec![])),
        "a part of a name"
    );
}

#[test]
fn each_clause_says_yes_or_no_of_what_it_names() {
    assert_eq!(chosen("rent yes, insurance no"), Some((vec![0], vec![1])));
    assert_eq!(chosen("no, but yes to the other two"), Some((vec![0, 2], vec![1])));
    assert_eq!(chosen("only the rent, none of the others"), Some((vec![0], vec![1, 2])));
    assert_eq!(
        chosen("yes to the rent and the salarios aumento"),
        Some((vec![0, 2], vec![]))
    );
    assert_eq!(
        chosen("Si a la renta y al seguro. Al aumento de 0% no"),
        Some((vec![0, 1], vec![2]))
    );
    assert_eq!(
        chosen("Nomas el seguro, lo de la renta y lo otro no"),
        Some((vec![1], vec![0, 2]))
    );
    assert_eq!(
        chosen("la renta de 3000 no y el aumento 0 tampoco, borra eso"),
        Some((vec![], vec![0, 2]))
    );
    assert_eq!(
        chosen("la renta de 3000 no y el aumento 0 tampoco"),
        Some((vec![], vec![0, 2]))
    );
    assert_eq!(chosen("yes to all except the rent"), Some((vec![1, 2], vec![0])));
    assert_eq!(chosen("todo menos la renta"), Some((vec![1, 2], vec![0])));
    assert_eq!(chosen("todos menos los 3 mil"), Some((vec![1, 2], vec![0])));
    assert_eq!(
        chosen("si a todo menos la renta, y los 280 tampoco"),
        Some((vec![2], vec![0, 1]))
    );
    assert_eq!(chosen("no. usa la renta y el seguro"), Some((vec![0, 1], vec![])));
    assert_eq!(chosen("la renta no, lo demás sí"), Some((vec![1, 2], vec![0])));
    assert_eq!(
        chosen("the rent is right but not the others"),
        Some((vec![0], vec![1, 2]))
    );
}

#[test]
fn a_yes_beside_a_name_is_to_what_was_asked_about() {
    assert_eq!(chosen("yes but not the rent"), Some((vec![1], vec![0])));
    assert_eq!(chosen("si y la renta tambien"), Some((vec![0, 1], vec![])));
    assert_eq!(chosen("yes and the rent too"), Some((vec![0, 1], vec![])));
    assert_eq!(
        chosen("yes to all of it except the insurance"),
        Some((vec![0, 2], vec![1]))
    );
    assert_eq!(
        chosen("wait, not the 280! and the raise neither"),
        Some((vec![], vec![1, 2]))
    );
    assert_eq!(chosen("wait the rent"), None, "no yes");
    assert_eq!(chosen("solo la renta, las otras no"), Some((vec![0], vec![1, 2])));
}

#[test]
fn a_yes_to_a_list_is_to_all_of_it_but_what_is_named() {
    let entry = |name: &str, is_listed: bool| Entry {
        names: vec![name.to_owned()],
        value: 0.into(),
        sign: Some('$'),
        stands: None,
        is_asked: false,
        is_listed,
        kin: None,
    };
    let entries = [
        entry("rent", true),
        entry("insurance", true),
        entry("sign", true),
        entry("loan", false),
    ];
    let chosen = read("yes but not the insurance", &entries).expect("names one");
    assert_eq!((chosen.accepted, chosen.dismissed), (vec![0, 2], vec![1]));
    let chosen = read("yes, the rent", &entries).expect("names one");
    assert_eq!((chosen.accepted, chosen.dismissed), (vec![0], vec![]));
}

#[test]
fn the_values_of_a_loan_may_be_counted() {
    let of_loan = |name: &str, value| Entry {
        kin: Some(Kin::Loan),
        ..entry(name, value)
    };
    let entries = [
        of_loan("loan amount", 100_000),
        of_loan("loan term", 84),
        of_loan("interest rate", 11),
        entry("labor", 35),
    ];
    for message in [
        "sí a los 3 del préstamo, labor no",
        "yes to the 3 loan ones, not the labor",
    ] {
        let chosen = read(message, &entries).expect("names four");
        assert_eq!(
            (chosen.accepted, chosen.dismissed),
            (vec![0, 1, 2], vec![3]),
            "{message}"
        );
    }
}

#[test]
fn a_yes_to_something_says_so_in_its_first_words() {
    for message in ["Yes to the rent", "sí a la renta", "Si al seguro, lo otro no"] {
        assert!(says_yes_to(message), "{message}");
    }
    for message in ["yes, the rent", "si la renta sube", "rent yes", ""] {
        assert!(!says_yes_to(message), "{message}");
    }
}

#[test]
fn what_follows_an_answer_by_name_is_left() {
    let entries = [entry("rent", 3_000), entry("insurance", 280)];
    let led = |message| {
        readings(message, &entries)
            .next()
            .map(|(chosen, rest)| (chosen.accepted, chosen.dismissed, rest))
    };
    assert_eq!(
        led("Yes to rent, no to the insurance. And how much is left?"),
        Some((vec![0], vec![1], "And how much is left?"))
    );
    assert_eq!(
        led("rent yes. print it please"),
        Some((vec![0], vec![], "print it please"))
    );
    assert_eq!(
        led("not the insurance. why is rent so high?"),
        Some((vec![], vec![1], "why is rent so high?"))
    );
    assert_eq!(
        led("yes to the rent and set managers to 0"),
        Some((vec![0], vec![], "set managers to 0"))
    );
    assert_eq!(
        led("yes to all but the insurance, thats still a guess"),
        Some((vec![0], vec![1], ""))
    );
    assert_eq!(
        led("yes to all but the insurance because its not final"),
        Some((vec![0], vec![], ""))
    );
    assert_eq!(
        led("yes to the rent but make the insurance 300"),
        Some((vec![0], vec![], "make the insurance 300"))
    );
    for message in [
        "yes to all but the insurance should be 300",
        "all good except the insurance, it's 300",
        "all good except the insurance. it's 300",
        "sí a todo menos el insurance que es 300",
    ] {
        let (accepted, dismissed, rest) = led(message).expect("says yes to the rent");
        assert_eq!((accepted, dismissed), (vec![0], vec![]), "{message}");
        assert!(rest.contains("insurance") && rest.ends_with("300"), "{rest}");
    }
    for message in [
        "the rent. why is it so high?",
        "yes to the rent, not sure yet",
        "yes to the rent, if 2 of us agree",
        "yes to all but the insurance, wait no",
        "yes to the rent but make the rent 3,100",
        "yes the rent? and what is left?",
        "yes to the rent. wait, what is it?",
    ] {
        assert_eq!(led(message), None, "{message}");
    }
}

#[test]
fn what_is_put_off_or_unclear_stays_open() {
    let entry = |name: &str| Entry {
        names: vec![name.to_owned()],
        value: 0.into(),
        sign: Some('$'),
        stands: None,
        is_asked: false,
        is_listed: true,
        kin: None,
    };
    let entries = [entry("rent"), entry("insurance"), entry("sign")];
    for (message, accepted, dismissed, left) in [
        (
            "use the rent. leave the insurance and the sign for later im still waiting on a quote",
            vec![0],
            vec![],
            vec![1, 2],
        ),
        (
            "the rent and the sign are right, leave the insurance for now",
            vec![0, 2],
            vec![],
            vec![1],
        ),
        ("yes to rent. but the insurance may be wrong", vec![0], vec![], vec![1]),
        (
            "el rent sí, el insurance todavía no porq no es seguro",
            vec![0],
            vec![],
            vec![1],
        ),
        ("rent yes sign yes insurance no", vec![0, 2], vec![1], vec![]),
        ("the rent is right not the sign", vec![0], vec![2], vec![]),
        (
            "no. I mean use all of them except the sign",
            vec![0, 1],
            vec![2],
            vec![],
        ),
        (
            "all but the sign, still waiting on the bid",
            vec![0, 1],
            vec![],
            vec![2],
        ),
        ("the first two yes, the last one no", vec![0, 1], vec![2], vec![]),
    ] {
        let chosen = read(message, &entries).expect(message);
        assert_eq!(
            (chosen.accepted, chosen.dismissed, chosen.left),
            (accepted, dismissed, left),
            "{message}"
        );
    }
    for message in ["rent ok no", "no use the rent", "the rent yes but only after march"] {
        assert_eq!(read(message, &entries), None, "{message}");
    }
}

#[test]
fn what_stands_before_an_answer_by_name_is_left_to_be_answered() {
    let entries = [entry("rent", 3_000), entry("insurance", 280), entry("sign", 9_000)];
    let led = |message| {
        readings(message, &entries)
            .next()
            .map(|(chosen, rest)| (chosen.accepted, chosen.dismissed, rest))
    };
    assert_eq!(
        led("where is the 280 from?? the rent is right"),
        Some((vec![0], vec![], "where is the 280 from??"))
    );
    assert_eq!(
        led("insurance should be 300, the rest is right"),
        Some((vec![0, 2], vec![], "insurance should be 300"))
    );
    assert_eq!(
        led("not the 280, it is 300. the rest is right"),
        Some((vec![0, 2], vec![], "not the 280, it is 300."))
    );
    assert_eq!(led("is the rent right? the rent is right. is it?"), None);
}

#[test]
fn whatever_says_more_is_no_naming() {
    for message in [
        "no, the rent",
        "is the rent right",
        "rent too much",
        "rent 3,100",
        "Rent is $30,00.",
        "rent is 3.000",
        "rent 3,000%",
        "rent is 3,000 a year",
        "rent is 3000k",
        "the rent is 3,000 per week",
        "insurance is 280 a year",
        "insurance, 280 per year",
        "month 280",
        "rent went up",
        "rent is a third of 3,000",
        "that's all",
        "all but one",
        "the rent is not 3,000, it is 2,900",
        "",
    ] {
        assert_eq!(chosen(message), None, "{message}");
    }
}

#[test]
fn what_the_plan_has_is_kept_by_its_number() {
    let stands = |name: &str, value: i64, stands: i64| Entry {
        stands: Some(stands.into()),
        ..entry(name, value)
    };
    let entries = [stands("rent", 3_200, 4_500), stands("la nomina", 30_000, 48_000)];
    let of = |message| {
        readings(message, &entries)
            .next()
            .map(|(chosen, _)| (chosen.accepted, chosen.dismissed))
    };
    for message in [
        "no!! the rent stays 4,500",
        "No, keep it at 4,500.",
        "no, leave 4500",
        "No, sigue en 4.500.",
    ] {
        assert_eq!(of(message), Some((vec![], vec![0])), "{message}");
    }
    assert_eq!(of("no leave it at 48"), Some((vec![], vec![1])));
    assert_eq!(of("the second yes, the first no keep 4500"), Some((vec![1], vec![0])));
    assert_eq!(of("la nomina de 30.000 descartela"), Some((vec![], vec![1])));
    // Of no line that waits, and a yes in no other writing than the plan's.
    for message in ["no, keep 5,100", "keep it", "yes to the 3.200", "rent stays"] {
        assert_eq!(of(message), None, "{message}");
    }
}

#[test]
fn a_month_is_named_by_its_number() {
    let month = |name: &str, value: i64| Entry {
        sign: None,
        ..entry(name, value)
    };
    let entries = [month("month the draw starts", 10), entry("owner draw", 3_500)];
    for message in ["yes to month 10 start, no to the 3500", "el mes 10 si, los 3,500 no"] {
        let said = read(message, &entries).map(|chosen| (chosen.accepted, chosen.dismissed));
        assert_eq!(said, Some((vec![0], vec![1])), "{message}");
    }
    let said = read("yes month 10", &entries).map(|chosen| chosen.accepted);
    assert_eq!(said, Some(vec![0]));
    assert!(read("yes month 11", &entries).is_none());
}

#[test]
fn what_breaks_off_or_only_sounds_like_a_yes_or_a_no_settles_nothing() {
    let entries = [entry("rent", 3_200), entry("insurance", 400)];
    let of = |message| read(message, &entries).map(|chosen| (chosen.accepted, chosen.dismissed));
    for message in [
        "the first yes, the second... hmm",
        "the first yes, the second hmm",
        "rent yes, the insurance... hmm",
    ] {
        assert_eq!(of(message), Some((vec![0], vec![])), "{message}");
    }
    for message in ["rent yes, insurance not sure", "si a rent, insurance no se"] {
        let (accepted, dismissed) = of(message).expect("names one");
        assert!(accepted == [0] && dismissed.is_empty(), "{message}");
    }
    let asked = [Entry {
        is_asked: true,
        ..entry("rent", 3_200)
    }];
    for message in [
        "yeah right",
        "no problem",
        "correct? where does that number come from",
        "yes, amazing right?",
        "why keep it at 4,500",
        "no se",
    ] {
        assert!(read(message, &asked).is_none(), "{message}");
        assert!(readings(message, &asked).next().is_none(), "{message}");
    }
}

#[test]
fn the_last_ones_and_all_but_one_are_counted_as_they_are_listed() {
    assert_eq!(chosen("last two"), Some((vec![1, 2], vec![])));
    assert_eq!(chosen("las tres menos la segunda"), Some((vec![0, 2], vec![1])));
}
