//! The table behind the catalogue. Aliases are lower bounds of what people say; the grammar adds plurals and typos.

use super::{Bounds, Field, FieldPath, Kind};
use std::borrow::Cow;

/// A row as it is written down here.
pub struct Spec {
    path: &'static str,
    label: &'static str,
    kind: Kind,
    soft: Option<(i64, i64)>,
    disclosed: Option<&'static str>,
    core: bool,
    aliases: &'static [&'static str],
}

impl Spec {
    pub fn field(&self) -> Field {
        Field {
            path: FieldPath::from_static(self.path),
            label: Cow::Borrowed(self.label),
            kind: self.kind,
            soft: self.soft.map(|(low, high)| Bounds {
                low: self.kind.number(low),
                high: self.kind.number(high),
            }),
            disclosed: self.disclosed,
            core: self.core,
            aliases: self.aliases,
        }
    }
}

const fn spec(
    path: &'static str,
    label: &'static str,
    kind: Kind,
    soft: Option<(i64, i64)>,
    disclosed: Option<&'static str>,
    core: bool,
    aliases: &'static [&'static str],
) -> Spec {
    Spec {
        path,
        label,
        kind,
        soft,
        disclosed,
        core,
        aliases,
    }
}

/// Path, label, kind, soft bounds, where disclosed, core, aliases.
#[rustfmt::skip]
pub const TABLE: [Spec; 71] = [
    spec("revenue.monthlyAuv", "Mature monthly sales (AUV/12)", Kind::Money, Some((500_000, 50_000_000)), None, true, &["monthly sales", "revenue", "turnover", "gross sales", "AUV"]),
    spec("revenue.monthsToReachAuv", "Months to reach mature sales", Kind::Months, Some((1, 36)), None, true, &["ramp", "ramp-up time", "how long until full speed"]),
    spec("revenue.startingMonthAuvPct", "First-month share of mature sales", Kind::Percent, Some((50_000, 1_000_000)), None, false, &["opening month", "start at", "first month percent"]),
    spec("revenue.year1GrowthRate", "Growth in year 1 (after ramp)", Kind::Percent, Some((-50_000, 300_000)), None, false, &["growth first year"]),
    spec("revenue.year2GrowthRate", "Growth in year 2", Kind::Percent, Some((-50_000, 300_000)), None, false, &["growth second year", "annual growth"]),
    spec("revenue.year3GrowthRate", "Growth in year 3", Kind::Percent, Some((-50_000, 250_000)), None, false, &["growth third year"]),
    spec("revenue.year4GrowthRate", "Growth in year 4", Kind::Percent, Some((-50_000, 250_000)), None, false, &[]),
    spec("revenue.year5GrowthRate", "Growth in year 5", Kind::Percent, Some((-50_000, 250_000)), None, false, &[]),
    spec("operatingCosts.cogsPct", "Materials and supplies sold, % of sales", Kind::Percent, Some((0, 450_000)), None, true, &["COGS", "cost of goods", "product cost"]),
    spec("operatingCosts.laborPct", "Direct labour, % of sales", Kind::Percent, Some((100_000, 550_000)), None, true, &["payroll", "wages", "staff cost", "groomers"]),
    spec("operatingCosts.payrollTaxPct", "Payroll taxes and benefits, % of wages", Kind::Percent, Some((70_000, 350_000)), None, false, &["payroll tax", "benefits", "FICA"]),
    spec("operatingCosts.royaltyPct", "Royalty", Kind::Percent, Some((30_000, 120_000)), Some("Item 6"), false, &["royalty", "franchise royalty"]),
    spec("operatingCosts.royaltyMinimumMonthly", "Minimum royalty per month", Kind::Money, Some((0, 500_000)), Some("Item 6"), false, &["minimum royalty"]),
    spec("operatingCosts.adFundPct", "Brand/ad fund", Kind::Percent, Some((0, 60_000)), Some("Item 6"), false, &["ad fund", "brand fund", "national marketing"]),
    spec("operatingCosts.technologyFeeMonthly", "Technology fee", Kind::Money, Some((0, 250_000)), Some("Item 6"), false, &["tech fee", "software fee to franchisor"]),
    spec("operatingCosts.marketingPct", "Local marketing, % of sales", Kind::Percent, Some((0, 120_000)), Some("Item 6"), false, &["local ads", "advertising budget percent"]),
    spec("operatingCosts.localMarketingMinimumMonthly", "Minimum local marketing per month", Kind::Money, Some((0, 1_000_000)), Some("Item 6"), false, &["ad spend per month", "marketing budget"]),
    spec("operatingCosts.merchantFeePct", "Card processing, % of sales", Kind::Percent, Some((0, 50_000)), None, false, &["credit card fees"]),
    spec("operatingCosts.rentMonthly", "Rent per month", Kind::Money, Some((50_000, 2_500_000)), None, true, &["rent", "lease", "lease payment", "base rent", "NNN"]),
    spec("operatingCosts.rentAbatementMonths", "Free-rent months after opening", Kind::Months, Some((0, 12)), None, false, &["free rent", "abatement"]),
    spec("operatingCosts.utilitiesMonthly", "Utilities per month", Kind::Money, Some((10_000, 600_000)), None, true, &["electric", "water", "gas"]),
    spec("operatingCosts.insuranceMonthly", "Insurance per month", Kind::Money, Some((10_000, 500_000)), None, true, &["liability", "workers comp"]),
    spec("operatingCosts.telecomItMonthly", "Phone, internet, software", Kind::Money, Some((5_000, 300_000)), None, false, &["internet", "phone", "POS subscription"]),
    spec("operatingCosts.vehicleMonthly", "Vehicles per month", Kind::Money, Some((0, 1_000_000)), None, false, &["van", "fleet", "fuel", "mileage"]),
    spec("operatingCosts.maintenanceMonthly", "Repairs and maintenance", Kind::Money, Some((0, 500_000)), None, false, &["repairs", "cleaning"]),
    spec("operatingCosts.suppliesMonthly", "Shop and office supplies", Kind::Money, Some((0, 500_000)), None, false, &["supplies"]),
    spec("operatingCosts.professionalFeesMonthly", "Accounting and legal", Kind::Money, Some((0, 500_000)), None, false, &["bookkeeper", "accountant", "CPA"]),
    spec("operatingCosts.facilitiesEscalationPct", "Yearly increase of facility costs", Kind::Percent, Some((0, 80_000)), None, false, &["rent increase", "escalator"]),
    spec("operatingCosts.managementSalariesAnnual", "Management salaries per year", Kind::Money, Some((0, 25_000_000)), None, true, &["manager salary", "GM"]),
    spec("operatingCosts.managerStartMonth", "Month the manager starts", Kind::Months, Some((1, 60)), None, false, &["hire a manager in month"]),
    spec("operatingCosts.ownerSalaryAnnual", "Owner salary on payroll per year", Kind::Money, Some((0, 20_000_000)), None, false, &["pay myself"]),
    spec("operatingCosts.wageEscalationPct", "Yearly wage increase (salaried)", Kind::Percent, Some((0, 80_000)), None, false, &["raises"]),
    spec("operatingCosts.otherOpexPct", "Other operating cost, % of sales", Kind::Percent, Some((0, 100_000)), None, false, &[]),
    spec("operatingCosts.otherMonthly", "Other fixed cost per month", Kind::Money, Some((0, 1_000_000)), None, false, &["miscellaneous"]),
    spec("financing.loanAmount", "Loan amount", Kind::Money, Some((0, 500_000_000)), None, true, &["SBA loan", "borrow", "bank loan"]),
    spec("financing.downPaymentPct", "Owner share of total investment", Kind::Percent, Some((100_000, 1_000_000)), None, false, &["down payment", "put down", "equity injection percent"]),
    spec("financing.interestRate", "Annual interest rate", Kind::Percent, Some((30_000, 160_000)), None, true, &["rate", "APR"]),
    spec("financing.loanTermMonths", "Loan term", Kind::Months, Some((12, 300)), None, true, &["term"]),
    spec("financing.interestOnlyMonths", "Interest-only months", Kind::Months, Some((0, 12)), None, false, &["deferred principal"]),
    spec("financing.additionalEquity", "Extra owner cash on top of the uses", Kind::Money, Some((0, 100_000_000)), None, false, &["extra cushion", "more cash in"]),
    spec("startupCapital.workingCapitalMonths", "Months of costs to hold in reserve", Kind::Months, Some((1, 12)), None, false, &["reserve", "cushion months"]),
    spec("startupCapital.depreciationYears", "Depreciation life", Kind::Years, Some((3, 15)), None, false, &["useful life"]),
    spec("startupCapital.intangibleAmortizationYears", "Amortization of the franchise fee", Kind::Years, Some((5, 20)), None, false, &[]),
    spec("startupCosts.franchiseFee", "Initial franchise fee", Kind::Money, None, Some("Item 7"), false, &["franchise fee"]),
    spec("startupCosts.leaseholdImprovements", "Build-out", Kind::Money, None, Some("Item 7"), true, &["build-out", "construction", "TI", "remodel"]),
    spec("startupCosts.furnitureFixturesEquipment", "Furniture, fixtures, equipment", Kind::Money, None, Some("Item 7"), true, &["equipment", "FF&E", "tubs", "tables"]),
    spec("startupCosts.signage", "Signage", Kind::Money, None, Some("Item 7"), false, &["sign"]),
    spec("startupCosts.computerPos", "Computers and POS", Kind::Money, None, Some("Item 7"), false, &["POS hardware"]),
    spec("startupCosts.openingInventory", "Opening inventory", Kind::Money, None, Some("Item 7"), false, &["first stock"]),
    spec("startupCosts.rentDeposits", "First month and two months' deposit", Kind::Money, None, Some("Item 7"), false, &["security deposit"]),
    spec("startupCosts.utilityDeposits", "Utility deposits", Kind::Money, None, Some("Item 7"), false, &[]),
    spec("startupCosts.insuranceDeposit", "First three months of insurance", Kind::Money, None, Some("Item 7"), false, &[]),
    spec("startupCosts.trainingTravel", "Training travel and lodging", Kind::Money, None, Some("Item 7"), false, &["training"]),
    spec("startupCosts.grandOpening", "Grand-opening marketing", Kind::Money, None, Some("Item 7"), false, &["launch marketing"]),
    spec("startupCosts.professionalFees", "Legal and accounting before opening", Kind::Money, None, Some("Item 7"), false, &["attorney"]),
    spec("startupCosts.licensesPermits", "Licences and permits", Kind::Money, None, Some("Item 7"), false, &["permit"]),
    spec("startupCosts.preopeningPayroll", "Payroll before opening", Kind::Money, None, Some("Item 7"), false, &[]),
    spec("startupCosts.loanFees", "Loan and guaranty fees", Kind::Money, None, None, false, &["SBA fee", "closing costs"]),
    spec("startupCosts.additionalFunds", "Additional funds, 3 months", Kind::Money, None, Some("Item 7"), true, &["working capital", "cash reserve"]),
    spec("workingCapitalAndValuation.arDays", "Days until customers pay", Kind::Days, Some((0, 60)), None, false, &["receivables"]),
    spec("workingCapitalAndValuation.apDays", "Days until suppliers are paid", Kind::Days, Some((0, 60)), None, false, &["net 30", "payment terms"]),
    spec("workingCapitalAndValuation.inventoryDays", "Days of stock", Kind::Days, Some((0, 120)), None, false, &[]),
    spec("workingCapitalAndValuation.incomeTaxRate", "Income tax of the entity (0 if pass-through)", Kind::Percent, Some((0, 400_000)), None, false, &["corporate tax"]),
    spec("workingCapitalAndValuation.taxPaymentDelayMonths", "Months until tax is paid", Kind::Months, Some((0, 12)), None, false, &[]),
    spec("workingCapitalAndValuation.ebitdaMultiple", "Sale multiple", Kind::Multiple, Some((1_000_000, 6_000_000)), None, false, &["exit multiple"]),
    spec("profitabilityAndDistributions.targetPreTaxProfitPct", "Target pre-tax profit", Kind::Percent, Some((0, 350_000)), None, false, &["profit goal"]),
    spec("profitabilityAndDistributions.shareholderSalaryAdj", "Owner's unpaid market salary per year", Kind::Money, Some((0, 20_000_000)), None, false, &["sweat equity", "underpaid"]),
    spec("profitabilityAndDistributions.ownerDrawMonthly", "Owner draw per month", Kind::Money, Some((0, 3_000_000)), None, true, &["draw", "distribution"]),
    spec("profitabilityAndDistributions.ownerDrawStartMonth", "Month the draw starts", Kind::Months, Some((1, 60)), None, false, &[]),
    spec("profile.locationCount", "Number of locations", Kind::Count, Some((1, 10)), None, false, &["locations", "units"]),
    spec("profile.staffCount", "Number of staff", Kind::Count, Some((0, 60)), None, false, &["employees", "staff", "people"]),
];
