//! The table behind the catalogue: one row says everything about a field, in the order people plan in.

use super::row::{Row, escalation, growth, money, quantity, share};
use super::{Base, FieldRole, Kind};

#[rustfmt::skip]
pub(super) static TABLE: &[Row] = &[
    money("revenue.monthlyAuv", "Monthly sales once established (AUV ÷ 12)").role(FieldRole::Sales).monthly().line("sales").soft(500_000, 50_000_000).core().not_controlled().called(&["monthly sales", "revenue", "turnover", "gross sales", "AUV"])
        .means("Sales in a typical month once the business is established; AUV is the average yearly sales of one unit."),
    quantity("revenue.monthsToReachAuv", "Months to reach established sales", Kind::Months).soft(1, 36).core().not_controlled().called(&["ramp", "ramp-up time", "how long until full speed"])
        .means("How many months after opening sales take to reach the established level."),
    share("revenue.startingMonthAuvPct", "First-month share of established sales", Base::Sales).soft(50_000, 1_000_000).not_controlled().called(&["opening month", "start at", "first month percent"])
        .means("Sales in the first month as a share of established monthly sales."),
    growth("revenue.year1GrowthRate", "Growth in year 1 (after ramp)", 1).soft(-50_000, 300_000).called(&["growth first year"])
        .means("Yearly growth of sales in year 1, counted only after the ramp-up is over."),
    growth("revenue.year2GrowthRate", "Growth in year 2", 2).soft(-50_000, 300_000).called(&["growth second year", "annual growth"])
        .means("Yearly growth of sales in year 2, once the ramp-up is over."),
    growth("revenue.year3GrowthRate", "Growth in year 3", 3).soft(-50_000, 250_000).called(&["growth third year"])
        .means("Yearly growth of sales in year 3."),
    growth("revenue.year4GrowthRate", "Growth in year 4", 4).soft(-50_000, 250_000)
        .means("Yearly growth of sales in year 4."),
    growth("revenue.year5GrowthRate", "Growth in year 5", 5).soft(-50_000, 250_000)
        .means("Yearly growth of sales in year 5."),
    share("operatingCosts.cogsPct", "Cost of goods sold, % of sales", Base::Sales).line("materials").soft(0, 450_000).core().called(&["COGS", "cost of goods", "product cost"])
        .means("What the products and materials you sell or use up for customers cost you, as a share of sales."),
    share("operatingCosts.laborPct", "Direct labor, % of sales", Base::Sales).line("directLabor").soft(100_000, 550_000).core().called(&["payroll", "wages", "staff cost"])
        .means("Wages of the staff who serve customers, as a share of sales; managers and the owner are separate."),
    share("operatingCosts.payrollTaxPct", "Payroll taxes and benefits, % of wages", Base::Wages).line("payrollTax").soft(70_000, 350_000).called(&["payroll tax", "benefits", "FICA"])
        .means("Employer taxes, insurance and benefits on top of all wages and salaries."),
    share("operatingCosts.royaltyPct", "Royalty", Base::Sales).line("royalty").soft(30_000, 120_000).item6().called(&["royalty", "franchise royalty"])
        .means("The franchisor's ongoing fee as a share of sales."),
    money("operatingCosts.royaltyMinimumMonthly", "Minimum royalty per month").role(FieldRole::Minimum).monthly().line("royalty").soft(0, 500_000).item6().called(&["minimum royalty"])
        .means("The least royalty you owe in a month, even if sales are low."),
    share("operatingCosts.adFundPct", "Brand/ad fund", Base::Sales).line("adFund").soft(0, 60_000).item6().called(&["ad fund", "brand fund", "national marketing"])
        .means("Your contribution to the brand's shared advertising fund, as a share of sales."),
    money("operatingCosts.technologyFeeMonthly", "Technology fee").monthly().line("technologyFee").soft(0, 250_000).item6().called(&["tech fee", "software fee to franchisor"])
        .means("The franchisor's monthly fee for its software and systems."),
    share("operatingCosts.marketingPct", "Local marketing, % of sales", Base::Sales).line("marketing").soft(0, 120_000).item6().called(&["local ads", "advertising budget percent"])
        .means("What you spend on advertising in your own area, as a share of sales."),
    money("operatingCosts.localMarketingMinimumMonthly", "Minimum local marketing per month").role(FieldRole::Minimum).monthly().line("marketing").soft(0, 1_000_000).item6().called(&["ad spend per month", "marketing budget"])
        .means("The least you spend on local advertising in a month, even if sales are low."),
    share("operatingCosts.merchantFeePct", "Card processing, % of sales", Base::Sales).line("merchantFees").soft(0, 50_000).called(&["credit card fees"])
        .means("Fees for taking cards, as a share of all sales."),
    money("operatingCosts.rentMonthly", "Rent per month").monthly().line("rent").soft(50_000, 2_500_000).core().called(&["rent", "lease", "lease payment", "base rent", "NNN"])
        .means("Rent for the location each month, common charges included if you pay them."),
    quantity("operatingCosts.rentAbatementMonths", "Free-rent months after opening", Kind::Months).soft(0, 12).called(&["free rent", "abatement"])
        .means("Months after opening in which the landlord charges no rent."),
    money("operatingCosts.utilitiesMonthly", "Utilities per month").monthly().line("utilities").soft(10_000, 600_000).core().called(&["electric", "water", "gas"])
        .means("Electricity, water, gas and trash each month."),
    money("operatingCosts.insuranceMonthly", "Insurance per month").monthly().line("insurance").soft(10_000, 500_000).core().called(&["liability", "workers comp"])
        .means("Business insurance each month, such as liability, property and workers' compensation."),
    money("operatingCosts.telecomItMonthly", "Phone, internet, software").monthly().line("telecomIt").soft(5_000, 300_000).called(&["internet", "phone", "POS subscription"])
        .means("Phone, internet and software subscriptions each month."),
    money("operatingCosts.vehicleMonthly", "Vehicles per month").monthly().line("vehicles").soft(0, 1_000_000).called(&["van", "fleet", "fuel", "mileage"])
        .means("Vehicle payments, fuel and upkeep each month."),
    money("operatingCosts.maintenanceMonthly", "Repairs and maintenance").monthly().line("maintenance").soft(0, 500_000).called(&["repairs", "cleaning"])
        .means("Repairs, cleaning and upkeep of the location and its equipment each month."),
    money("operatingCosts.suppliesMonthly", "Shop and office supplies").monthly().line("supplies").soft(0, 500_000).called(&["supplies"])
        .means("Supplies for the shop and the office each month that are not sold to customers."),
    money("operatingCosts.professionalFeesMonthly", "Accounting and legal").monthly().line("professionalFees").soft(0, 500_000).called(&["bookkeeper", "accountant", "CPA"])
        .means("Bookkeeping, accounting and legal help each month."),
    escalation("operatingCosts.facilitiesEscalationPct", "Yearly increase of facility costs").soft(0, 80_000).called(&["rent increase", "escalator"])
        .means("How much rent, utilities and other location costs rise each year."),
    money("operatingCosts.managementSalariesAnnual", "Management salaries per year").yearly().starts("operatingCosts.managerStartMonth").line("managementSalaries").soft(0, 25_000_000).core().called(&["manager salary", "GM"])
        .means("Yearly salaries of the managers you hire, payroll taxes not included."),
    quantity("operatingCosts.managerStartMonth", "Month the manager starts", Kind::Months).role(FieldRole::StartMonth).soft(1, 60).called(&["hire a manager in month"])
        .means("The month after opening from which a manager is paid."),
    money("operatingCosts.ownerSalaryAnnual", "Owner salary on payroll per year").yearly().line("ownerSalary").soft(0, 20_000_000).called(&["pay myself"])
        .means("What the business pays you as a regular salary per year; draws are separate."),
    escalation("operatingCosts.wageEscalationPct", "Yearly wage increase (salaried)").soft(0, 80_000).called(&["raises"])
        .means("How much salaries of managers and owner rise each year."),
    share("operatingCosts.otherOpexPct", "Other operating cost, % of sales", Base::Sales).line("otherOpex").soft(0, 100_000)
        .means("Any other operating cost that moves with sales, as a share of sales."),
    money("operatingCosts.otherMonthly", "Other fixed cost per month").monthly().line("otherFixed").soft(0, 1_000_000).called(&["miscellaneous"])
        .means("Any other cost that stays the same each month."),
    money("financing.loanAmount", "Loan amount").role(FieldRole::Loan).soft(0, 500_000_000).core().called(&["SBA loan", "borrow", "bank loan"])
        .means("How much you borrow to open the business."),
    share("financing.downPaymentPct", "Owner share of total investment", Base::Project).once().soft(100_000, 1_000_000).called(&["down payment", "put down", "equity injection percent"])
        .means("The share of the total investment you pay yourself; of this and the loan amount, the one changed last counts."),
    quantity("financing.interestRate", "Annual interest rate", Kind::Percent).role(FieldRole::InterestRate).once().line("interest").soft(30_000, 160_000).core().called(&["rate", "APR"])
        .means("The loan's yearly interest rate."),
    quantity("financing.loanTermMonths", "Loan term", Kind::Months).role(FieldRole::LoanTerm).once().soft(12, 300).core().called(&["term"])
        .means("How long you have to pay the loan back."),
    quantity("financing.interestOnlyMonths", "Interest-only months", Kind::Months).once().soft(0, 12).called(&["deferred principal"])
        .means("Months at the start of the loan in which you pay interest only."),
    money("financing.additionalEquity", "Extra owner cash beyond startup costs").soft(0, 100_000_000).called(&["extra cushion", "more cash in"])
        .means("Cash you put in beyond what the startup costs and the loan require."),
    quantity("startupCapital.workingCapitalMonths", "Months of costs to hold in reserve", Kind::Months).role(FieldRole::Reserve).soft(1, 12).called(&["reserve", "cushion months"])
        .means("How many months of costs you want to keep in cash as a cushion."),
    quantity("startupCapital.depreciationYears", "Depreciation life", Kind::Years).soft(3, 15).called(&["useful life"])
        .means("Over how many years build-out and equipment are written off."),
    quantity("startupCapital.intangibleAmortizationYears", "Amortization of the franchise fee", Kind::Years).soft(5, 20)
        .means("Over how many years the franchise fee is written off."),
    money("startupCosts.franchiseFee", "Initial franchise fee").item7().not_controlled().called(&["franchise fee"])
        .means("The one-time fee you pay the franchisor to join."),
    money("startupCosts.leaseholdImprovements", "Build-out").item7().core().called(&["build-out", "construction", "TI", "remodel"])
        .means("Construction that makes the space ready to open, after any money from the landlord."),
    money("startupCosts.furnitureFixturesEquipment", "Furniture, fixtures, equipment").item7().core().called(&["equipment", "FF&E"])
        .means("Furniture, fixtures and equipment the business needs to open."),
    money("startupCosts.signage", "Signage").item7().called(&["sign"])
        .means("Signs outside and inside the location."),
    money("startupCosts.computerPos", "Computers and POS").item7().called(&["POS hardware"])
        .means("Computers, tablets and the point-of-sale system."),
    money("startupCosts.openingInventory", "Opening inventory").item7().called(&["first stock"])
        .means("Products and materials you buy before opening."),
    money("startupCosts.rentDeposits", "First month's rent and two-month deposit").item7().called(&["security deposit"])
        .means("The first month's rent and a deposit of two months, paid to the landlord before opening."),
    money("startupCosts.utilityDeposits", "Utility deposits").item7()
        .means("Deposits that utility companies ask for before they connect you."),
    money("startupCosts.insuranceDeposit", "First three months of insurance").item7()
        .means("Insurance paid up front for the first three months."),
    money("startupCosts.trainingTravel", "Training travel and lodging").item7().called(&["training"])
        .means("Travel, lodging and meals while you and your staff are trained."),
    money("startupCosts.grandOpening", "Grand-opening marketing").item7().called(&["launch marketing"])
        .means("Advertising and events around the opening."),
    money("startupCosts.professionalFees", "Legal and accounting before opening").item7().called(&["attorney"])
        .means("Lawyers and accountants who help you before opening, for example with the lease."),
    money("startupCosts.licensesPermits", "Licenses and permits").item7().called(&["permit"])
        .means("Business licenses, permits and inspections before opening."),
    money("startupCosts.preopeningPayroll", "Payroll before opening").item7()
        .means("Wages of staff who train or work before the first customer."),
    money("startupCosts.loanFees", "Loan and guaranty fees").called(&["SBA fee", "closing costs"])
        .means("Fees the lender and the loan program charge when the loan closes."),
    money("startupCosts.additionalFunds", "Additional funds, 3 months").item7().core().called(&["working capital", "cash reserve"])
        .means("Cash set aside for the first three months after opening."),
    quantity("workingCapitalAndValuation.arDays", "Days until customers pay", Kind::Days).soft(0, 60).called(&["receivables"])
        .means("How many days customers take on average to pay you."),
    quantity("workingCapitalAndValuation.apDays", "Days until suppliers are paid", Kind::Days).soft(0, 60).called(&["net 30", "payment terms"])
        .means("How many days you take on average to pay suppliers of materials."),
    quantity("workingCapitalAndValuation.inventoryDays", "Days of stock", Kind::Days).soft(0, 120)
        .means("For how many days of sales you keep materials in stock."),
    quantity("workingCapitalAndValuation.incomeTaxRate", "Income tax of the entity (0 if pass-through)", Kind::Percent).soft(0, 400_000).not_controlled().called(&["corporate tax"])
        .means("Income tax the business itself pays; 0 if its profit is taxed on your own return."),
    quantity("workingCapitalAndValuation.taxPaymentDelayMonths", "Months until tax is paid", Kind::Months).soft(0, 12).not_controlled()
        .means("How many months after the profit is made the tax on it is paid."),
    quantity("workingCapitalAndValuation.ebitdaMultiple", "Sale multiple", Kind::Multiple).soft(1_000_000, 6_000_000).not_controlled().called(&["exit multiple"])
        .means("How many times its yearly operating profit (EBITDA) the business would sell for."),
    share("profitabilityAndDistributions.targetPreTaxProfitPct", "Target pre-tax profit", Base::Sales).soft(0, 350_000).not_controlled().called(&["profit goal"])
        .means("The profit before tax you aim for, as a share of sales."),
    money("profitabilityAndDistributions.shareholderSalaryAdj", "Owner's unpaid market salary per year").role(FieldRole::Imputed).yearly().soft(0, 20_000_000).not_controlled().called(&["sweat equity", "underpaid"])
        .means("What your own work would cost per year if you had to hire someone for it and are not paid for it."),
    money("profitabilityAndDistributions.ownerDrawMonthly", "Owner draw per month").monthly().starts("profitabilityAndDistributions.ownerDrawStartMonth").line("ownerDraw").soft(0, 3_000_000).core().called(&["draw", "distribution"])
        .means("Cash you take out of the business each month besides a salary."),
    quantity("profitabilityAndDistributions.ownerDrawStartMonth", "Month the draw starts", Kind::Months).role(FieldRole::StartMonth).soft(1, 60)
        .means("The month after opening from which you take draws."),
    quantity("profile.locationCount", "Number of locations", Kind::Count).soft(1, 10).not_controlled().called(&["locations", "units"])
        .means("How many locations the plan is for; it does not change the results."),
    quantity("profile.staffCount", "Number of staff", Kind::Count).soft(0, 60).not_controlled().called(&["employees", "staff", "people"])
        .means("How many people work in the business; it does not change the results."),
];
