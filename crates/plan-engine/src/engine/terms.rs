//! A plan's values as the engine counts with them: cents, millionths, months; resolved once per run
//! (`docs/FINANCIAL-MODEL.md` 3.2).

use crate::engine::arithmetic::mulp;
use crate::engine::reader::{MONEY, Reader};
use plan_model::brand::{Brand, CostClass};
use plan_model::field::FieldPath;
use plan_model::inputs::{DOWN_PAYMENT, FinancialInputs, LOAN_AMOUNT};
use plan_model::outputs::{Item7Comparison, Item7Position};
use std::collections::BTreeMap;

/// Sales. Money in cents, rates in millionths.
pub(super) struct Sales {
    pub mature: i64,
    pub ramp_months: i64,
    pub first_share: i64,
    pub growth: [i64; 5],
}

/// Running costs. Money in cents per month (salaries: per year), rates in millionths.
pub(super) struct Costs {
    pub cogs: i64,
    pub labor: i64,
    pub payroll_tax: i64,
    pub royalty: i64,
    pub royalty_minimum: i64,
    pub ad_fund: i64,
    pub marketing: i64,
    pub marketing_minimum: i64,
    pub merchant: i64,
    pub other_rate: i64,
    pub rent: i64,
    pub rent_free_months: i64,
    pub utilities: i64,
    pub insurance: i64,
    pub telecom_it: i64,
    pub vehicles: i64,
    pub maintenance: i64,
    pub facilities_rise: i64,
    pub management: i64,
    pub manager_start: i64,
    pub owner: i64,
    pub wage_rise: i64,
    pub technology_fee: i64,
    pub supplies: i64,
    pub professional_fees: i64,
    pub other_fixed: i64,
}

/// The loan as asked for. Cents, millionths a year, months.
pub(super) struct LoanTerms {
    pub amount: i64,
    pub rate: i64,
    pub term: i64,
    /// At most the term less one.
    pub interest_only: i64,
}

/// Startup costs by class, in cents.
#[derive(Default)]
pub(super) struct Startup {
    pub total: i64,
    pub capex: i64,
    pub intangible: i64,
    pub non_capex: i64,
    pub inventory: i64,
    pub deposits: i64,
    pub working_capital: i64,
    /// What was paid ahead of a recurring cost, by its field.
    pub prepaid: BTreeMap<FieldPath, i64>,
}

/// Working capital, tax, valuation and what the owner takes. Cents, millionths, days, months, years.
pub(super) struct Owner {
    pub extra_equity: i64,
    pub reserve_months: i64,
    pub depreciation_years: i64,
    pub amortization_years: i64,
    pub receivable_days: i64,
    pub payable_days: i64,
    pub inventory_days: i64,
    pub tax_rate: i64,
    pub tax_delay: i64,
    pub sale_multiple: i64,
    pub target_profit: i64,
    pub unpaid_salary: i64,
    pub draw: i64,
    pub draw_start: i64,
}

/// Everything one run counts with.
pub(super) struct Assumptions {
    pub sales: Sales,
    pub costs: Costs,
    pub startup: Startup,
    pub loan: LoanTerms,
    pub owner: Owner,
    pub item7: Item7Comparison,
}

impl Assumptions {
    pub(super) fn resolve(inputs: &FinancialInputs, brand: &Brand) -> Self {
        let plan = Reader { inputs, brand };
        let (startup, item7) = startup(inputs, brand);
        let loan = loan(&plan, startup.total);
        Self {
            sales: sales(&plan),
            costs: costs(&plan),
            startup,
            loan,
            owner: owner(&plan),
            item7,
        }
    }
}

fn sales(plan: &Reader) -> Sales {
    Sales {
        mature: plan.money("revenue.monthlyAuv"),
        ramp_months: plan.count("revenue.monthsToReachAuv"),
        first_share: plan.rate("revenue.startingMonthAuvPct"),
        growth: plan.growth(),
    }
}

fn costs(plan: &Reader) -> Costs {
    Costs {
        cogs: plan.rate("operatingCosts.cogsPct"),
        labor: plan.rate("operatingCosts.laborPct"),
        payroll_tax: plan.rate("operatingCosts.payrollTaxPct"),
        royalty: plan.rate("operatingCosts.royaltyPct"),
        royalty_minimum: plan.money("operatingCosts.royaltyMinimumMonthly"),
        ad_fund: plan.rate("operatingCosts.adFundPct"),
        marketing: plan.rate("operatingCosts.marketingPct"),
        marketing_minimum: plan.money("operatingCosts.localMarketingMinimumMonthly"),
        merchant: plan.rate("operatingCosts.merchantFeePct"),
        other_rate: plan.rate("operatingCosts.otherOpexPct"),
        rent: plan.money("operatingCosts.rentMonthly"),
        rent_free_months: plan.count("operatingCosts.rentAbatementMonths"),
        utilities: plan.money("operatingCosts.utilitiesMonthly"),
        insurance: plan.money("operatingCosts.insuranceMonthly"),
        telecom_it: plan.money("operatingCosts.telecomItMonthly"),
        vehicles: plan.money("operatingCosts.vehicleMonthly"),
        maintenance: plan.money("operatingCosts.maintenanceMonthly"),
        facilities_rise: plan.rate("operatingCosts.facilitiesEscalationPct"),
        management: plan.money("operatingCosts.managementSalariesAnnual"),
        manager_start: plan.count("operatingCosts.managerStartMonth"),
        owner: plan.money("operatingCosts.ownerSalaryAnnual"),
        wage_rise: plan.rate("operatingCosts.wageEscalationPct"),
        technology_fee: plan.money("operatingCosts.technologyFeeMonthly"),
        supplies: plan.money("operatingCosts.suppliesMonthly"),
        professional_fees: plan.money("operatingCosts.professionalFeesMonthly"),
        other_fixed: plan.money("operatingCosts.otherMonthly"),
    }
}

fn owner(plan: &Reader) -> Owner {
    Owner {
        extra_equity: plan.money("financing.additionalEquity"),
        reserve_months: plan.count("startupCapital.workingCapitalMonths"),
        depreciation_years: plan.count("startupCapital.depreciationYears"),
        amortization_years: plan.count("startupCapital.intangibleAmortizationYears"),
        receivable_days: plan.count("workingCapitalAndValuation.arDays"),
        payable_days: plan.count("workingCapitalAndValuation.apDays"),
        inventory_days: plan.count("workingCapitalAndValuation.inventoryDays"),
        tax_rate: plan.rate("workingCapitalAndValuation.incomeTaxRate"),
        tax_delay: plan.count("workingCapitalAndValuation.taxPaymentDelayMonths"),
        sale_multiple: plan.multiple("workingCapitalAndValuation.ebitdaMultiple"),
        target_profit: plan.rate("profitabilityAndDistributions.targetPreTaxProfitPct"),
        unpaid_salary: plan.money("profitabilityAndDistributions.shareholderSalaryAdj"),
        draw: plan.money("profitabilityAndDistributions.ownerDrawMonthly"),
        draw_start: plan.count("profitabilityAndDistributions.ownerDrawStartMonth"),
    }
}

/// Follows from loan amount or down payment, whichever decides.
fn loan(plan: &Reader, total: i64) -> LoanTerms {
    let amount = if plan.inputs.derived() == LOAN_AMOUNT {
        total - mulp(total, plan.rate(DOWN_PAYMENT))
    } else {
        plan.money(LOAN_AMOUNT)
    };
    let term = plan.count("financing.loanTermMonths");
    LoanTerms {
        amount,
        rate: plan.rate("financing.interestRate"),
        term,
        interest_only: plan.count("financing.interestOnlyMonths").min(term - 1).max(0),
    }
}

/// Sums the brand's startup rows by class and sets those that Item 7 has against it.
fn startup(inputs: &FinancialInputs, brand: &Brand) -> (Startup, Item7Comparison) {
    let mut sums = Startup::default();
    let (mut low, mut high, mut plan_total) = (0, 0, 0);
    for row in &brand.startup_cost_template {
        let field = inputs.0.get(&FieldPath::startup(&row.slug));
        let cents = field
            .map_or(row.default_amount, |field| field.current_value.to_whole())
            .clamp(0, MONEY);
        sums.total += cents;
        let mut kept = cents;
        if let Some((field, ahead)) = row.prepays(cents) {
            *sums.prepaid.entry(field.clone()).or_default() += ahead;
            kept -= ahead;
        }
        match row.class {
            CostClass::Capex => sums.capex += kept,
            CostClass::Intangible => sums.intangible += kept,
            CostClass::NonCapex => sums.non_capex += kept,
            CostClass::Inventory => sums.inventory += kept,
            CostClass::Deposit | CostClass::Prepaid => sums.deposits += kept,
            CostClass::WorkingCapital => sums.working_capital += kept,
        }
        // The plan keeps the range it was made with.
        let range = match field {
            Some(field) => field
                .item7_range
                .as_ref()
                .map(|range| (range.low.to_whole(), range.high.to_whole())),
            None => row.item7_low.zip(row.item7_high),
        };
        if let Some((row_low, row_high)) = range {
            low += row_low.clamp(0, MONEY);
            high += row_high.clamp(0, MONEY);
            plan_total += cents;
        }
    }
    let position = Item7Position::of(plan_total, low, high);
    (
        sums,
        Item7Comparison {
            low,
            high,
            plan_total,
            position,
        },
    )
}
