//! Questions: one field, one sentence, no number in it.

use plan_model::field::Field;

/// The field that a text of this advisor asks for at its end.
pub fn asked(text: &str, fields: &[Field]) -> Option<usize> {
    let text = text.trim_end();
    fields.iter().position(|field| text.ends_with(&question(field)))
}

/// Asks for a field in plain words. The grammar reads the field back out of the question too: the decision on the answer does not
/// know what was asked.
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

/// The label inside a sentence.
pub fn name(field: &Field) -> String {
    field.name_in_sentence()
}
