//! The catalogue of figures.

use super::{FigureLine, Reading, Shape, line};
use plan_model::number::Number;
use plan_model::outputs::Projection;

fn first_negative(projection: &Projection) -> Option<Number> {
    let first = projection.monthly.iter().find(|row| row.ending_cash < 0)?;
    Some(Number::whole(first.month.into()))
}

/// The figures, in the order of a profit-and-loss statement, a cash flow and a balance sheet.
pub const LINES: &[FigureLine] = &[
    line(
        "moneyToOpen",
        "money to open",
        Reading::Whole(|plan| Some(Number::whole(plan.metrics.total_investment))),
    ),
    line(
        "ownCash",
        "your own cash",
        Reading::Whole(|plan| Some(Number::whole(plan.metrics.owner_cash))),
    ),
    line(
        "loan",
        "the loan",
        Reading::Whole(|plan| Some(Number::whole(plan.metrics.loan_amount))),
    ),
    line(
        "loanPayment",
        "loan payments",
        Reading::Flow(|row| row.interest + row.principal),
    )
    .metric("monthlyPayment"),
    line(
        "openingCash",
        "cash on opening day",
        Reading::Whole(|plan| Some(Number::whole(plan.metrics.opening_cash))),
    ),
    line("sales", "sales", Reading::Flow(|row| row.revenue)).headed("Sales"),
    line("materials", "cost of goods", Reading::Flow(|row| row.lines.materials))
        .headed("Cost of goods sold")
        .cost(),
    line("royalty", "the royalty", Reading::Flow(|row| row.lines.royalty))
        .headed("Royalty")
        .cost(),
    line("adFund", "the brand's ad fund", Reading::Flow(|row| row.lines.ad_fund))
        .headed("Ad fund")
        .cost(),
    line("grossProfit", "gross profit", Reading::Flow(|row| row.gross_profit)).headed("Gross profit"),
    line(
        "directLabor",
        "direct labor",
        Reading::Flow(|row| row.lines.direct_labor),
    )
    .headed("Direct labor")
    .cost(),
    line(
        "contribution",
        "gross profit less direct labor",
        Reading::Flow(|row| row.contribution),
    )
    .headed("Contribution"),
    line("rent", "rent", Reading::Flow(|row| row.lines.rent))
        .headed("Rent")
        .cost(),
    line("utilities", "utilities", Reading::Flow(|row| row.lines.utilities))
        .headed("Utilities")
        .cost(),
    line("insurance", "insurance", Reading::Flow(|row| row.lines.insurance))
        .headed("Insurance")
        .cost(),
    line(
        "telecomIt",
        "phone, internet and software",
        Reading::Flow(|row| row.lines.telecom_it),
    )
    .headed("Phone and internet")
    .cost(),
    line("vehicles", "vehicles", Reading::Flow(|row| row.lines.vehicles))
        .headed("Vehicles")
        .cost(),
    line(
        "maintenance",
        "repairs and maintenance",
        Reading::Flow(|row| row.lines.maintenance),
    )
    .headed("Repairs and maintenance")
    .cost(),
    line(
        "facilities",
        "rent, utilities, insurance and upkeep",
        Reading::Flow(|row| row.facilities),
    )
    .headed("Facilities"),
    line("marketing", "local marketing", Reading::Flow(|row| row.lines.marketing))
        .headed("Local marketing")
        .cost(),
    line(
        "merchantFees",
        "card processing",
        Reading::Flow(|row| row.lines.merchant_fees),
    )
    .headed("Card processing")
    .cost(),
    line(
        "managementSalaries",
        "management salaries",
        Reading::Flow(|row| row.lines.management_salaries),
    )
    .headed("Management salaries")
    .cost(),
    line(
        "ownerSalary",
        "your salary",
        Reading::Flow(|row| row.lines.owner_salary),
    )
    .headed("Owner salary")
    .cost(),
    line(
        "payrollTax",
        "payroll taxes and benefits",
        Reading::Flow(|row| row.lines.payroll_tax),
    )
    .headed("Payroll taxes and benefits")
    .cost(),
    line(
        "technologyFee",
        "the technology fee",
        Reading::Flow(|row| row.lines.technology_fee),
    )
    .headed("Technology fee")
    .cost(),
    line(
        "franchiseFees",
        "what the franchisor gets",
        Reading::Flow(|row| row.lines.royalty + row.lines.ad_fund + row.lines.technology_fee),
    ),
    line("supplies", "supplies", Reading::Flow(|row| row.lines.supplies))
        .headed("Supplies")
        .cost(),
    line(
        "professionalFees",
        "accounting and legal fees",
        Reading::Flow(|row| row.lines.professional_fees),
    )
    .headed("Accounting and legal")
    .cost(),
    line(
        "otherFixed",
        "other fixed costs",
        Reading::Flow(|row| row.lines.other_fixed),
    )
    .headed("Other fixed costs")
    .cost(),
    line("fixedFees", "fixed fees", Reading::Flow(|row| row.fixed_fees)).headed("Fixed fees"),
    line(
        "otherOpex",
        "other operating costs",
        Reading::Flow(|row| row.lines.other_opex),
    )
    .headed("Other operating costs")
    .cost(),
    line(
        "totalCosts",
        "running costs",
        Reading::Flow(|row| row.revenue - row.operating_ebitda),
    ),
    line(
        "startupExpense",
        "startup costs written off",
        Reading::Flow(|row| row.lines.startup_expense),
    )
    .headed("Startup expense"),
    line(
        "operatingExpenses",
        "costs below the contribution",
        Reading::Flow(|row| row.operating_expenses),
    )
    .headed("Operating expenses"),
    line(
        "ebitdaAfterStartup",
        "earnings after startup costs written off",
        Reading::Flow(|row| row.ebitda),
    )
    .headed("EBITDA with startup expense"),
    line(
        "ebitda",
        "earnings before loan, depreciation and tax",
        Reading::Flow(|row| row.operating_ebitda),
    )
    .headed("Operating profit (EBITDA)"),
    line("depreciation", "depreciation", Reading::Flow(|row| row.depreciation)).headed("Depreciation"),
    line("amortization", "amortization", Reading::Flow(|row| row.amortization)).headed("Amortization"),
    line("interest", "interest", Reading::Flow(|row| row.interest)).headed("Interest"),
    line(
        "preTaxIncome",
        "profit before tax",
        Reading::Flow(|row| row.pre_tax_income),
    )
    .headed("Pre-tax income"),
    line("tax", "income tax", Reading::Flow(|row| row.tax)).headed("Income tax"),
    line("netProfit", "profit", Reading::Flow(|row| row.net_income)).headed("Net income"),
    line(
        "workingCapitalChange",
        "what working capital adds to cash",
        Reading::Flow(|row| row.working_capital_change),
    )
    .headed("Change in working capital"),
    line("taxesPaid", "taxes paid", Reading::Flow(|row| row.taxes_paid)).headed("Taxes paid"),
    line(
        "operatingCashFlow",
        "cash from operations",
        Reading::Flow(|row| row.operating_cash_flow),
    )
    .headed("Operating cash flow"),
    line(
        "principal",
        "loan principal paid back",
        Reading::Flow(|row| row.principal),
    )
    .headed("Loan principal"),
    line(
        "ownerLeft",
        "what is left for you after costs and loan payments",
        Reading::Flow(|row| row.operating_cash_flow - row.principal),
    ),
    line("ownerDraw", "your draws", Reading::Flow(|row| row.owner_draw)).headed("Owner draw"),
    line("netCashFlow", "change in cash", Reading::Flow(|row| row.net_cash_flow)).headed("Net cash flow"),
    line(
        "beginningCash",
        "cash at the beginning",
        Reading::Start(|row| row.beginning_cash),
    )
    .headed("Beginning cash"),
    line("cash", "cash", Reading::Balance(|sheet| sheet.cash)).headed("Ending cash"),
    line(
        "receivables",
        "what customers owe",
        Reading::Balance(|sheet| sheet.receivables),
    )
    .headed("Accounts receivable"),
    line("inventory", "stock", Reading::Balance(|sheet| sheet.inventory)).headed("Inventory"),
    line(
        "prepaid",
        "startup costs not yet written off",
        Reading::Balance(|sheet| sheet.prepaid),
    )
    .headed("Prepaid startup costs"),
    line("deposits", "deposits", Reading::Balance(|sheet| sheet.deposits)).headed("Deposits"),
    line(
        "fixedAssets",
        "build-out and equipment, net",
        Reading::Balance(|sheet| sheet.fixed_assets),
    )
    .headed("Fixed assets (net)"),
    line(
        "intangibles",
        "the franchise fee, net",
        Reading::Balance(|sheet| sheet.intangibles),
    )
    .headed("Intangible assets (net)"),
    line(
        "totalAssets",
        "total assets",
        Reading::Balance(|sheet| sheet.total_assets),
    )
    .headed("Total assets"),
    line(
        "payables",
        "what is owed to suppliers",
        Reading::Balance(|sheet| sheet.payables),
    )
    .headed("Accounts payable"),
    line(
        "taxPayable",
        "tax that is owed",
        Reading::Balance(|sheet| sheet.tax_payable),
    )
    .headed("Tax payable"),
    line(
        "loanBalance",
        "what is still owed on the loan",
        Reading::Balance(|sheet| sheet.loan),
    )
    .headed("Loan balance"),
    line(
        "totalLiabilities",
        "total liabilities",
        Reading::Balance(|sheet| sheet.total_liabilities),
    )
    .headed("Total liabilities"),
    line("paidIn", "the cash you put in", Reading::Balance(|sheet| sheet.paid_in)).headed("Paid in by the owner"),
    line(
        "earnings",
        "profit since opening",
        Reading::Balance(|sheet| sheet.earnings),
    )
    .headed("Net income since opening"),
    line(
        "draws",
        "your draws since opening",
        Reading::Balance(|sheet| sheet.draws),
    )
    .headed("Owner draws since opening"),
    line("equity", "equity", Reading::Balance(|sheet| sheet.equity)).headed("Equity"),
    line(
        "lowestCash",
        "the lowest cash",
        Reading::Whole(|plan| Some(Number::whole(plan.metrics.lowest_cash))),
    ),
    line(
        "firstNegativeMonth",
        "the first month with cash below zero",
        Reading::Whole(first_negative),
    )
    .shaped(Shape::Month),
    line("dscr", "loan coverage", Reading::Annual(|row| row.dscr)).shaped(Shape::Coverage),
    line(
        "dscrAfterOwner",
        "loan coverage after your draws and taxes",
        Reading::Annual(|row| row.dscr_after_owner),
    )
    .shaped(Shape::Coverage),
    line(
        "breakEvenMonth",
        "break-even",
        Reading::Whole(|plan| plan.metrics.break_even_month.map(|at| Number::whole(at.into()))),
    )
    .shaped(Shape::Month),
    line(
        "breakEvenSales",
        "the monthly sales that pay all costs and the loan",
        Reading::Whole(|plan| plan.metrics.break_even_sales_monthly.map(Number::whole)),
    ),
    line(
        "payback",
        "the month your own cash is back",
        Reading::Whole(|plan| plan.metrics.payback_month.map(|at| Number::whole(at.into()))),
    )
    .shaped(Shape::Month),
    line(
        "valuation",
        "what the business would sell for",
        Reading::Annual(|row| Some(Number::whole(row.business_value))),
    ),
];
