//! "Rent goes up 10 %" is of the rent, and "rent goes up 10 % every year" of its yearly increase.

use super::Reading;
use crate::wording;
use plan_model::field::FieldPath;
use plan_model::number::Number;
use plan_reader::{Change, FieldChange, Slots};
use rust_decimal::Decimal;

const RENT: &str = "operatingCosts.rentMonthly";
const INCREASE: &str = "operatingCosts.facilitiesEscalationPct";

/// Moves a rise to the line that it is of, by whether the message says that it comes every year.
pub(super) fn of_rent(reading: &mut Reading<'_>) {
    let is_yearly = ["w.every_year", "w.yearly"]
        .iter()
        .any(|key| wording::says(reading.texts.message, key));
    if !wording::says(reading.texts.message, "w.rent") {
        return;
    }
    let mut changes = reading.heard.slots.all_changes();
    let Some(one) = changes
        .iter_mut()
        .find(|one| [RENT, INCREASE].contains(&one.field.as_str()))
    else {
        return;
    };
    let meant = match (one.field.as_str(), one.change) {
        // A tenth more of 3 % is what nobody means.
        (INCREASE, Change::Times(times)) if !is_yearly => Some((RENT, Change::Times(times))),
        (RENT, Change::Times(times)) if is_yearly && times.decimal() > Decimal::ONE => {
            let part = times.decimal().checked_sub(Decimal::ONE);
            part.map(|part| (INCREASE, Change::To(Number::new(part))))
        }
        _ => None,
    };
    let Some((path, change)) = meant else { return };
    *one = FieldChange {
        field: FieldPath::from_static(path),
        change,
    };
    let slots = std::mem::take(&mut reading.heard.slots);
    reading.heard.slots = Slots {
        field: None,
        change: None,
        changes,
        ..slots
    };
}
