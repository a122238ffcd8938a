//! Products of a week or a day, own cash beside what the plan takes of it, and figures that are asked of a case.

use super::*;

#[test]
fn a_product_of_a_week_is_no_product_of_a_month() {
    let arguments = |message: &str| Talk::new().say(message).arguments;
    let weekly = arguments("40 dogs a week at 75 for monthly sales");
    assert_eq!(
        weekly,
        json!({"factors": [40, 75], "path": "revenue.monthlyAuv", "per": "week"})
    );
    let days = arguments("25 visits a day at 38, open 6 days, that's our monthly sales");
    assert_eq!(
        days,
        json!({"factors": [25, 38, 6], "path": "revenue.monthlyAuv", "per": "week"})
    );
    let yearly = arguments("40 dogs a week at 75 for 50 weeks, that's our monthly sales");
    assert_eq!(yearly["per"], "year", "{yearly}");
    let daily = arguments("25 visits a day at 38, that's our monthly sales");
    assert_eq!(
        daily.get("path"),
        None,
        "on how many days they are open is not known: {daily}"
    );
    let monthly = arguments("25 visits a day at 38, 26 days a month, that's our monthly sales");
    assert_eq!(monthly, json!({"factors": [25, 38, 26], "path": "revenue.monthlyAuv"}));
}

#[test]
fn the_line_of_a_weekly_product_is_told_later() {
    let asked = "40 × 75 = $3,000 a week, $13,000 a month or $156,000 a year. Tell me the line it is for, and I'll note it there.";
    let turn = Talk::after("40 dogs a week at 75, what does that make", asked).say("that's the monthly sales");
    assert_eq!(turn.tools, ["estimate"]);
    assert_eq!(turn.arguments["per"], "week");
}

#[test]
fn wages_in_dollars_are_a_share_of_sales() {
    let said = |message: &str| {
        let turn = Talk::new().say(message);
        assert!(
            turn.tools.contains(&"estimate".to_owned()),
            "{message}: {:?}",
            turn.tools
        );
        turn
    };
    said("payroll for my staff is 9,000 a month");
    said("la nómina de los empleados son 9,000 al mes");
    let product = |message: &str| {
        let mut turn = said(message);
        std::mem::take(&mut turn.arguments)
    };
    let labor = |factors: Value| json!({"factors": factors, "path": "operatingCosts.laborPct", "per": "week"});
    assert_eq!(
        product("two groomers at 18 an hour, 35 hours a week each"),
        labor(json!([2, 18, 35]))
    );
    assert_eq!(product("3 empleadas a 16 la hora 40 horas"), labor(json!([3, 16, 40])));
    assert_eq!(
        product("3 groomers at 18 an hour, 35 hours each. how much is that a month"),
        labor(json!([3, 18, 35]))
    );
    assert_eq!(
        product("2 people at 18 an hour full time"),
        labor(json!([2, 18, 40])),
        "40 hours a week"
    );
    for groups in [
        "3 groomers 32 hrs a week at 19 and one front desk 25 hrs at 15",
        "3 empleadas 32 horas a la semana a 19 y una recepcionista 25 horas a 15",
    ] {
        assert_eq!(product(groups), labor(json!([2199])), "{groups}");
    }
    assert_eq!(
        product("what would 3 people x 32 hours x 19 be a month"),
        labor(json!([3, 32, 19]))
    );
    assert_eq!(
        product("pagaré 15 la hora, 4 personas, 30 horas"),
        labor(json!([15, 4, 30]))
    );
    let added = Talk::after(
        "3 groomers 32 hrs a week at 19",
        "Shall I write down 13.6% for direct labor?",
    )
    .say("add the front desk, 1 person 25 hours a week at 15");
    assert_eq!(added.arguments, labor(json!([2199])), "{}", added.text);
    let each = said("2 trainers cost us 2,900 a month each").arguments;
    assert_eq!(each["factors"], json!([2, 2900]), "{each}");
    let turn = Talk::new().say("2 people at 17 an hour");
    assert!(
        turn.tools.is_empty() && turn.text.contains("How many hours a week"),
        "{}",
        turn.text
    );
}

#[test]
fn products_beside_values_are_all_heard() {
    let turn = Talk::new().say("45 dogs a week at $65, two groomers at 18 an hour, 30 hours, and rent is 2,900");
    let estimates = turn.tools.iter().filter(|tool| *tool == "estimate");
    assert_eq!(estimates.count(), 2, "{:?}", turn.tools);
    assert_eq!(turn.values(), ["operatingCosts.rentMonthly~290000"]);
}

#[test]
fn sales_are_supposed_by_what_they_are_made_of() {
    let case = |before: Option<&str>, message: &str| {
        let mut talk = before.map_or_else(Talk::new, |before| Talk::after(before, "Shall I write it down?"));
        talk.say(message).arguments["changes"][0].clone()
    };
    let times = case(None, "what if it were 80 dogs instead of 40?");
    assert_eq!(
        (&times["path"], &times["times"]),
        (&json!("revenue.monthlyAuv"), &json!(2))
    );
    let times = case(None, "y si subo el precio de 50 a 75 con los mismos perros?");
    assert_eq!(times["times"], json!(1.5), "{times}");
    let before = Some("60 dogs a week at 65 bucks each");
    let price = case(before, "what if we charge 80 a dog instead");
    assert_eq!(price, json!({"path": "revenue.monthlyAuv", "value": "$20,800"}));
    let fewer = case(before, "and what if we only get 45 dogs a week");
    assert_eq!(fewer["value"], json!("$12,675"));
    let both = case(None, "y si fueran 110 perros a la semana a 75?");
    assert_eq!(both["value"], json!("$35,750"));
    // So much more or less of the price, or of the customers.
    let less = case(before, "what if we charge 5 dollars less");
    assert_eq!(less["value"], json!("$15,600"), "60 × 60 × 52 / 12");
    let more = case(before, "and with 10 more dogs a week?");
    assert_eq!(more["value"], json!("$19,716.67"));
    // "12 a day, 6 days a week": of a day as many times, of a week anew.
    let daily = Some("12 dogs a day at 80, 6 days a week");
    let fewer = case(daily, "what if i only do 9 a day");
    assert_eq!(fewer["times"], json!(0.75), "{fewer}");
    let weekly = case(daily, "what if its 70 dogs a week");
    assert_eq!(weekly["value"], json!("$24,266.67"), "{weekly}");
    // How often is not said: no case, and no $10,000 of sales.
    assert_eq!(case(before, "what if i only do 10 a day"), json!(null));
    let rent = case(None, "y si la renta fuera 2500 en lugar de 3200 cuanto me queda");
    assert_eq!(rent["value"], json!("$2,500"), "{rent}");
}

#[test]
fn own_cash_is_told_beside_what_the_plan_takes_of_it() {
    for message in [
        "I have 60k saved, is that enough?",
        "we only have 60,000 btw",
        "is 60,000 enough to open?",
        "we have 60k saved",
        "we have $60,000 of our own, will that be enough to open",
        "so do i have enough with my 60k",
    ] {
        let turn = Talk::new().say(message);
        assert!(
            turn.text.contains("With $60,000 you are $31,500 short."),
            "{message}: {}",
            turn.text
        );
    }
    let more = Talk::new().say("we have 120,000 saved, is that enough?").text;
    assert!(
        more.contains("With $120,000 you have $28,500 more than that."),
        "{more}"
    );
    let later = Talk::after("we have 60k saved", "…").say("so are we short now").text;
    assert!(later.contains("With $60,000 you are $31,500 short."), "{later}");
}

#[test]
fn own_money_is_no_line_of_costs() {
    for (message, values) in [
        (
            "got about 60k saved, rent would be like 3200",
            &["operatingCosts.rentMonthly~320000"][..],
        ),
        (
            "rent maybe 3,200 and i have 60k saved up",
            &["operatingCosts.rentMonthly~320000"],
        ),
        (
            "hola, quiero poner una franquicia de barberia, tengo 60 mil ahorrado",
            &[],
        ),
        ("no, es el dinero mio que voy a invertir, 60000", &[]),
        ("and the 60k is my savings im putting in", &[]),
    ] {
        let turn = Talk::new().say(message);
        assert_eq!(turn.values(), values, "{message}: {}", turn.text);
        let short = ["With $60,000 you are $31,500 short.", "Con $60,000 le faltan $31,500."];
        assert!(
            short.iter().any(|said| turn.text.contains(said)),
            "{message}: {}",
            turn.text
        );
    }
    let again = Talk::new().say("and the 60k I saved up, did you note that?").text;
    assert!(again.contains("It has no line of its own"), "{again}");
    let fee = Talk::new().say("the franchise fee is maybe 35,000, we saved for years");
    assert_eq!(fee.values(), ["startupCosts.franchiseFee~3500000"], "{}", fee.text);
}

#[test]
fn cash_for_something_else_is_not_taken_for_it() {
    for message in [
        "is 60,000 enough for the build-out? we have it saved",
        "we have 12 employees, is that enough?",
        "we have 2,000 customers, is that enough?",
        "I have 1,200 square feet, is that enough?",
        "I have 3,000 a month for us, is that enough?",
        "is that enough?",
    ] {
        let turn = Talk::new().say(message);
        assert!(!turn.text.contains("beside the loan. With"), "{message}: {}", turn.text);
    }
    let turn = Talk::after("What is left?", "What is your rent?").say("we only have 60,000");
    assert!(!turn.text.contains("beside the loan. With"), "an answer: {}", turn.text);
}

#[test]
fn a_figure_that_is_asked_of_a_case_is_of_the_case_and_else_says_that_it_is_of_the_plan() {
    let with_figure = |mut talk: Talk| {
        talk.figure = json!({
            "line": "loanPayment", "label": "loan payment", "value": "$3,739.10", "isNegative": false,
            "loan": "$280,000", "ownCash": "$91,500",
        });
        talk
    };
    let asked = |message: &str| with_figure(Talk::new()).say(message).text;
    assert!(asked("what is the loan payment with plan B?").starts_with("In your plan as it stands, not in a case"));
    assert!(!asked("what is my loan payment?").contains("as it stands"));
    let case = "With loan amount at $260,000 instead of $280,000, lowest cash goes from $31,821 to $33,000. Nothing was changed.";
    let behind =
        with_figure(Talk::after("what if I borrow 20,000 less?", case)).say("and with that what is the loan payment?");
    let changes = json!([{"path": "financing.loanAmount", "value": "$260,000"}]);
    assert_eq!(behind.arguments["changes"], changes, "{}", behind.text);
}

#[test]
fn customers_are_no_money() {
    let turn = Talk::new().say("we get 45 dogs a week for the monthly sales");
    assert_eq!(turn.values(), Vec::<String>::new(), "{}", turn.text);
    let turn = Talk::new().say("what if we did 80 dogs a week instead of 45?");
    assert!(!turn.text.contains('$'), "{}", turn.text);
}

#[test]
fn a_bare_number_is_of_the_thousands_that_were_just_shown() {
    let shown =
        "Loan amount is $280,000 in your plan. You told me $90,000. Shall I write down $90,000 for loan amount?";
    let turn = Talk::after("what is my loan?", shown).say("280 no way, the loan amount is 90 I said");
    assert!(
        !turn.values().iter().any(|value| value.ends_with("~9000")),
        "{:?}",
        turn.values()
    );
}

#[test]
fn how_many_asks_for_a_quotient_and_own_money_is_no_loan() {
    let turn = Talk::new().say("44,444 a month, how many dogs a week is that at 75 dollars each?");
    assert!(
        turn.text.starts_with("44444 ÷ 75 = 592.6, about 137 a week"),
        "{}",
        turn.text
    );
    let turn = Talk::new().say("put in 200,000 for the loan, 10 years. Our own money is 90,000");
    assert!(
        !turn.values().contains(&"financing.loanAmount~9000000".to_owned()),
        "{:?}",
        turn.values()
    );
}

#[test]
fn what_is_far_above_a_month_is_of_a_year() {
    let turn = Talk::new().say("rent is 40 a square foot and I have 2500 square feet");
    assert_eq!(turn.arguments["per"], "year", "{}", turn.text);
    let turn = Talk::new().say("rent is 2 a square foot and I have 1800 square feet");
    assert_eq!(turn.arguments.get("per"), None, "{}", turn.text);
}

#[test]
fn what_one_of_several_costs_is_taken_for_each() {
    for message in [
        "insurance 300 a month per van, two vans",
        "el seguro 300 al mes por camioneta, dos camionetas",
    ] {
        let turn = Talk::new().say(message);
        assert_eq!(turn.arguments["factors"], json!([300, 2]), "{message}: {}", turn.text);
    }
}
