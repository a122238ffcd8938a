//! A value for what-if talk: read like a call's, but not compared with the user's words, because nothing comes of it.

use super::arguments::Call;
use super::convert;
use plan_model::field::Field;
use plan_model::number::Number;

/// The field's value for a JSON number or text as a model writes it; `None` where it is no value.
pub fn hypothetical(field: &Field, raw: &str) -> Option<Number> {
    let path = serde_json::to_string(&field.path).ok()?;
    let arguments = format!(r#"{{"path":{path},"value":{raw},"confidence":"high"}}"#);
    let call = Call::parse(&arguments, std::slice::from_ref(field)).ok()?;
    call.value().ok().map(|value| convert::storable(value, field))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plan_model::field::find;

    #[test]
    fn dollars_percents_and_texts_are_understood() {
        let read =
            |path: &str, raw: &str| hypothetical(find(path).expect("a field"), raw).map(|value| value.to_string());
        assert_eq!(read("operatingCosts.rentMonthly", "5000").as_deref(), Some("500000"));
        assert_eq!(
            read("operatingCosts.rentMonthly", "\"$5,000\"").as_deref(),
            Some("500000")
        );
        assert_eq!(read("operatingCosts.royaltyPct", "6").as_deref(), Some("0.06"));
        assert_eq!(read("operatingCosts.royaltyPct", "0.06").as_deref(), Some("0.06"));
        assert_eq!(read("operatingCosts.rentMonthly", "true"), None);
    }
}
