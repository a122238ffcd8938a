//! Questions: one field, one sentence, no number in it.

use crate::model::field::Field;

/// Asks for a field in plain words. The grammar reads the field back out of the question, which is how the answer finds it.
#[must_use]
pub fn question(field: &Field) -> String {
    let known = match field.path.as_str() {
        "revenue.monthlyAuv" => "What monthly sales are you planning for once the business is mature?",
        "revenue.monthsToReachAuv" => "How many months of ramp-up are you planning?",
        "operatingCosts.cogsPct" => "What percentage do you plan for cost of goods?",
        "operatingCosts.laborPct" => "What percentage do you plan for direct labor?",
        "operatingCosts.rentMonthly" => "What is your rent?",
        "operatingCosts.utilitiesMonthly" => "What do you pay for utilities?",
        "operatingCosts.insuranceMonthly" => "What do you pay for insurance?",
        "operatingCosts.managementSalariesAnnual" => "What do you plan for management salaries?",
        "financing.loanAmount" => "How large is your bank loan?",
        "financing.interestRate" => "What is the interest rate?",
        "financing.loanTermMonths" => "What is the loan term?",
        "startupCosts.leaseholdImprovements" => "What do you have for the build-out?",
        "startupCosts.furnitureFixturesEquipment" => "What do you have for equipment?",
        "startupCosts.additionalFunds" => "What do you set aside as additional funds for the first months?",
        "profitabilityAndDistributions.ownerDrawMonthly" => "What owner draw are you planning?",
        _ => return format!("What number do you have for {}?", name(field)),
    };
    known.to_owned()
}

/// The label inside a sentence: without brackets and the base of a share, the first letter small unless it is an abbreviation.
#[must_use]
pub fn name(field: &Field) -> String {
    let label = field.label.split(" (").next().unwrap_or_default();
    let aside = |(_, rest): &(&str, &str)| rest.starts_with(|c: char| c == '%' || c.is_ascii_digit());
    let label = label
        .split_once(", ")
        .filter(aside)
        .map_or(label, |(head, _)| head)
        .trim();
    let mut chars = label.chars();
    match (chars.next(), chars.next()) {
        (Some(first), Some(second)) if second.is_lowercase() || second == ' ' => {
            first.to_lowercase().chain(label.chars().skip(1)).collect()
        }
        _ => label.to_owned(),
    }
}
