//! Conversions of a call, by its own unit and period.

use super::*;

fn value(arguments: &str) -> Result<String, ExtractionError> {
    let texts = Texts::of("");
    Plan::demo()
        .decide(&texts, arguments)
        .map(|decision| decision.value.to_string())
}

#[test]
fn a_call_is_converted_by_its_own_unit_and_period() {
    for (path, rest, expected) in [
        (RENT, r#""value":4200"#, "420000"),
        (RENT, r#""value":4200.5"#, "420050"),
        (RENT, r#""value":"$4,200""#, "420000"),
        (RENT, r#""value":"4.2k","unit":"dollars","period":"monthly""#, "420000"),
        (RENT, r#""value":50400,"period":"annual""#, "420000"),
        (RENT, r#""value":12600,"period":"quarterly""#, "420000"),
        (RENT, r#""value":420000,"unit":"cents""#, "420000"),
        (
            "operatingCosts.ownerSalaryAnnual",
            r#""value":1500,"period":"biweekly""#,
            "3900000",
        ),
        ("operatingCosts.royaltyPct", r#""value":6"#, "0.06"),
        ("operatingCosts.royaltyPct", r#""value":0.06"#, "0.06"),
        (
            "operatingCosts.royaltyPct",
            r#""value":0.06,"unit":"percent""#,
            "0.0006",
        ),
        ("operatingCosts.royaltyPct", r#""value":"6%""#, "0.06"),
        ("financing.loanTermMonths", r#""value":10,"unit":"years""#, "120"),
        ("financing.loanTermMonths", r#""value":"10 years""#, "120"),
        ("financing.loanTermMonths", r#""value":52,"unit":"weeks""#, "12"),
        ("startupCapital.depreciationYears", r#""value":84,"unit":"months""#, "7"),
        ("workingCapitalAndValuation.arDays", r#""value":6,"unit":"weeks""#, "42"),
        ("workingCapitalAndValuation.ebitdaMultiple", r#""value":"3x""#, "3"),
    ] {
        let arguments = format!(r#"{{"path":"{path}",{rest},"confidence":"high"}}"#);
        assert_eq!(value(&arguments).as_deref(), Ok(expected), "{arguments}");
    }
}

#[test]
fn a_unit_that_the_field_does_not_have_is_refused() {
    for (path, rest) in [
        (RENT, r#""value":6,"unit":"percent""#),
        (RENT, r#""value":4200,"period":"once""#),
        ("operatingCosts.royaltyPct", r#""value":6,"unit":"dollars""#),
        ("startupCosts.signage", r#""value":500,"period":"monthly""#),
        ("profile.staffCount", r#""value":9,"unit":"months""#),
        ("financing.loanTermMonths", r#""value":30,"unit":"days""#),
    ] {
        let arguments = format!(r#"{{"path":"{path}",{rest},"confidence":"high"}}"#);
        assert!(
            matches!(value(&arguments), Err(ExtractionError::Unit(..))),
            "{arguments}"
        );
    }
}

#[test]
fn what_is_no_call_is_refused() {
    for arguments in [
        "4200",
        "[]",
        r#"{"path":"operatingCosts.rentMonthly","value":true,"confidence":"high"}"#,
        r#"{"path":"operatingCosts.rentMonthly","value":"about 4,200","confidence":"high"}"#,
        r#"{"path":"operatingCosts.rentMonthly","value":"4,200 or 4,500","confidence":"high"}"#,
        r#"{"path":"operatingCosts.rentMonthly","value":1e40,"confidence":"high"}"#,
        r#"{"path":"operatingCosts.rentMonthly","value":4200,"confidence":"certain"}"#,
        r#"{"path":"operatingCosts.rentMonthly","value":4200,"confidence":"high","extra":1}"#,
        r#"{"path":"operatingCosts.rent","value":4200,"confidence":"high"}"#,
    ] {
        assert!(value(arguments).is_err(), "{arguments}");
    }
}
