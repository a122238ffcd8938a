//! The 60 months, each from the one before (`docs/FINANCIAL-MODEL.md` 3.4; the steps are numbered as there).

use crate::engine::arithmetic::{escalate, mul_div, mulp, share};
use crate::engine::loan::Loan;
use crate::engine::terms::Assumptions;
use crate::engine::{MONTHS, YEAR};
use plan_model::number::PPM;
use plan_model::outputs::{MonthRow, Opening};

/// Months 1 to 60.
pub(super) fn run(terms: &Assumptions, loan: &Loan, opening: &Opening) -> Vec<MonthRow> {
    let mut books = Ledger::open(terms, loan, opening);
    let mut rows = Vec::with_capacity(MONTHS as usize);
    for month in 1..=MONTHS {
        let row = books.month(month, &rows);
        rows.push(row);
    }
    rows
}

/// Costs that stay the same for a year, in cents: rent and other facilities a month, salaries a year.
#[derive(Default)]
struct YearCosts {
    rent: i64,
    facilities: i64,
    management: i64,
    owner: i64,
}

impl YearCosts {
    fn of(terms: &Assumptions, year: usize) -> Self {
        let costs = &terms.costs;
        let facility = |cents| escalate(cents, costs.facilities_rise, year);
        Self {
            rent: facility(costs.rent),
            facilities: costs.facilities.iter().copied().map(facility).sum(),
            management: escalate(costs.management, costs.wage_rise, year),
            owner: escalate(costs.owner, costs.wage_rise, year),
        }
    }
}

/// What carries over from month to month, in cents.
struct Ledger<'a> {
    terms: &'a Assumptions,
    loan: &'a Loan,
    paid_in: i64,
    deposits: i64,
    year_costs: YearCosts,
    revenue: i64,
    cash: i64,
    receivable: i64,
    inventory: i64,
    payable: i64,
    tax_payable: i64,
    prepaid: i64,
    fixed: i64,
    intangible: i64,
    balance: i64,
    retained: i64,
    /// Pre-tax income and tax of the year so far, and earlier losses not yet used.
    year_income: i64,
    year_tax: i64,
    losses: i64,
}

impl<'a> Ledger<'a> {
    fn open(terms: &'a Assumptions, loan: &'a Loan, opening: &Opening) -> Self {
        Self {
            terms,
            loan,
            paid_in: opening.paid_in,
            deposits: opening.deposits,
            year_costs: YearCosts::default(),
            revenue: 0,
            cash: opening.cash,
            receivable: 0,
            inventory: opening.inventory,
            payable: 0,
            tax_payable: 0,
            prepaid: opening.prepaid,
            fixed: opening.fixed,
            intangible: opening.intangible,
            balance: opening.loan,
            retained: 0,
            year_income: 0,
            year_tax: 0,
            losses: 0,
        }
    }

    fn month(&mut self, month: u32, before: &[MonthRow]) -> MonthRow {
        let year = (month - 1) / YEAR;
        if (month - 1).is_multiple_of(YEAR) {
            self.year_costs = YearCosts::of(self.terms, year as usize);
            self.losses = (self.losses - self.year_income).max(0);
            (self.year_income, self.year_tax) = (0, 0);
        }
        let mut row = MonthRow {
            month,
            year: year + 1,
            ..MonthRow::default()
        };
        self.sell(&mut row);
        self.spend(&mut row);
        self.finance(&mut row);
        self.tax(&mut row);
        self.settle(&mut row, before);
        self.balance(&mut row);
        row
    }

    /// Steps 1 to 3: sales, what is taken off them, direct labor.
    fn sell(&mut self, row: &mut MonthRow) {
        let (sales, costs) = (&self.terms.sales, &self.terms.costs);
        let (month, ramp) = (i64::from(row.month), sales.ramp_months);
        self.revenue = if month == 1 || month <= ramp {
            let climbed = |()| sales.first_share + mul_div(PPM - sales.first_share, month - 1, ramp - 1);
            mulp(sales.mature, (month < ramp).then_some(()).map_or(PPM, climbed))
        } else {
            self.revenue + mul_div(self.revenue, sales.growth[row.year as usize - 1], i64::from(YEAR) * PPM)
        };
        row.revenue = self.revenue;
        row.materials = mulp(row.revenue, costs.cogs);
        row.royalty = mulp(row.revenue, costs.royalty).max(costs.royalty_minimum);
        row.ad_fund = mulp(row.revenue, costs.ad_fund);
        row.gross_profit = row.revenue - row.materials - row.royalty - row.ad_fund;
        row.direct_labor = mulp(row.revenue, costs.labor);
        row.contribution = row.gross_profit - row.direct_labor;
    }

    /// Steps 4 to 6: facilities, other operating expenses, EBITDA.
    fn spend(&self, row: &mut MonthRow) {
        let (costs, of_year, year) = (&self.terms.costs, &self.year_costs, i64::from(YEAR));
        let month = i64::from(row.month);
        let of_twelve = (month - 1) % year + 1;
        row.facilities = of_year.facilities
            + if month > costs.rent_free_months {
                of_year.rent
            } else {
                0
            };
        row.marketing = mulp(row.revenue, costs.marketing).max(costs.marketing_minimum);
        row.merchant_fees = mulp(row.revenue, costs.merchant);
        if month >= costs.manager_start {
            row.management_salaries = share(of_year.management, year, of_twelve);
        }
        row.owner_salary = share(of_year.owner, year, of_twelve);
        let wages = row.direct_labor + row.management_salaries + row.owner_salary;
        row.payroll_tax = mulp(wages, costs.payroll_tax);
        row.fixed_fees = costs.fixed_fees;
        row.other_opex = mulp(row.revenue, costs.other_rate);
        row.startup_expense = share(self.terms.startup.non_capex, year, month);
        row.operating_expenses = row.facilities
            + row.marketing
            + row.merchant_fees
            + row.management_salaries
            + row.owner_salary
            + row.payroll_tax
            + row.fixed_fees
            + row.other_opex
            + row.startup_expense;
        row.ebitda = row.contribution - row.operating_expenses;
        row.operating_ebitda = row.ebitda + row.startup_expense;
    }

    /// Steps 7 to 9: depreciation, amortization, the loan, income before tax.
    fn finance(&mut self, row: &mut MonthRow) {
        let (owner, startup) = (&self.terms.owner, &self.terms.startup);
        let (month, year) = (i64::from(row.month), i64::from(YEAR));
        row.depreciation = share(startup.capex, year * owner.depreciation_years, month);
        row.amortization = share(startup.intangible, year * owner.amortization_years, month);
        (row.interest, row.principal) = self.loan.split(month, self.balance);
        row.pre_tax_income = row.ebitda - row.depreciation - row.amortization - row.interest;
    }

    /// Step 10: tax on the year to date less earlier losses; a bad month gives some of it back.
    fn tax(&mut self, row: &mut MonthRow) {
        self.year_income += row.pre_tax_income;
        let due = mulp((self.year_income - self.losses).max(0), self.terms.owner.tax_rate);
        row.tax = due - self.year_tax;
        self.year_tax = due;
        row.net_income = row.pre_tax_income - row.tax;
    }

    /// Steps 11 and 12: working capital and cash.
    fn settle(&mut self, row: &mut MonthRow, before: &[MonthRow]) {
        let owner = &self.terms.owner;
        row.accounts_receivable = mul_div(row.revenue, owner.receivable_days, 30);
        row.accounts_payable = mul_div(row.materials, owner.payable_days, 30);
        // Opening stock is sold down, never sold back.
        row.inventory = mul_div(row.materials, owner.inventory_days, 30).max(self.inventory - row.materials);
        let tax_paid = match i64::from(row.month) - owner.tax_delay {
            earlier if earlier < 1 => 0,
            earlier => before.get(earlier as usize - 1).map_or(row.tax, |row| row.tax),
        };
        row.tax_payable = self.tax_payable + row.tax - tax_paid;
        row.operating_cash_flow = row.net_income + row.depreciation + row.amortization + row.startup_expense
            - (row.accounts_receivable - self.receivable)
            - (row.inventory - self.inventory)
            + (row.accounts_payable - self.payable)
            + (row.tax_payable - self.tax_payable);
        if i64::from(row.month) >= owner.draw_start {
            row.owner_draw = owner.draw;
        }
        row.net_cash_flow = row.operating_cash_flow - row.principal - row.owner_draw;
        row.beginning_cash = self.cash;
        row.ending_cash = self.cash + row.net_cash_flow;
    }

    /// Step 13: what the month leaves behind.
    fn balance(&mut self, row: &mut MonthRow) {
        self.cash = row.ending_cash;
        self.receivable = row.accounts_receivable;
        self.inventory = row.inventory;
        self.payable = row.accounts_payable;
        self.tax_payable = row.tax_payable;
        self.prepaid -= row.startup_expense;
        self.fixed -= row.depreciation;
        self.intangible -= row.amortization;
        self.balance -= row.principal;
        self.retained += row.net_income - row.owner_draw;
        row.loan_balance = self.balance;
        row.retained_earnings = self.retained;
        row.total_assets =
            self.cash + self.receivable + self.inventory + self.prepaid + self.deposits + self.fixed + self.intangible;
        row.total_liabilities = self.payable + self.tax_payable + self.balance;
        row.equity = self.paid_in + self.retained;
    }
}
