//! The 60 months, each from the one before (`docs/FINANCIAL-MODEL.md` 3.4; the steps are numbered as there).

use crate::engine::arithmetic::{escalate, mul_div, mulp, share};
use crate::engine::loan::Loan;
use crate::engine::terms::Assumptions;
use crate::engine::{MONTHS, YEAR};
use plan_model::field::FieldPath;
use plan_model::number::PPM;
use plan_model::outputs::{Balance, CostLines, MonthRow, Opening};
use std::collections::BTreeMap;

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
    facilities: CostLines,
    management: i64,
    owner: i64,
}

impl YearCosts {
    fn of(terms: &Assumptions, year: usize) -> Self {
        let costs = &terms.costs;
        let facility = |cents| escalate(cents, costs.facilities_rise, year);
        Self {
            facilities: CostLines {
                rent: facility(costs.rent),
                utilities: facility(costs.utilities),
                insurance: facility(costs.insurance),
                telecom_it: facility(costs.telecom_it),
                vehicles: facility(costs.vehicles),
                maintenance: facility(costs.maintenance),
                ..CostLines::default()
            },
            management: escalate(costs.management, costs.wage_rise, year),
            owner: escalate(costs.owner, costs.wage_rise, year),
        }
    }
}

/// What carries over from month to month, in cents.
struct Ledger<'a> {
    terms: &'a Assumptions,
    loan: &'a Loan,
    year_costs: YearCosts,
    revenue: i64,
    balance: Balance,
    /// What is left of what was paid ahead, by the field that it pays.
    prepaid: BTreeMap<FieldPath, i64>,
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
            year_costs: YearCosts::default(),
            revenue: 0,
            balance: opening.balance,
            prepaid: terms.startup.prepaid.clone(),
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
        row.lines = of_year.facilities;
        if month <= costs.rent_free_months {
            row.lines.rent = 0;
        }
        row.facilities = row.lines.total();
        row.marketing = mulp(row.revenue, costs.marketing).max(costs.marketing_minimum);
        row.merchant_fees = mulp(row.revenue, costs.merchant);
        if month >= costs.manager_start {
            row.management_salaries = share(of_year.management, year, of_twelve);
        }
        row.owner_salary = share(of_year.owner, year, of_twelve);
        let wages = row.direct_labor + row.management_salaries + row.owner_salary;
        row.payroll_tax = mulp(wages, costs.payroll_tax);
        row.fixed_fees = costs.technology_fee + costs.supplies + costs.professional_fees + costs.other_fixed;
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
        row.lines = CostLines {
            materials: row.materials,
            royalty: row.royalty,
            ad_fund: row.ad_fund,
            direct_labor: row.direct_labor,
            marketing: row.marketing,
            merchant_fees: row.merchant_fees,
            management_salaries: row.management_salaries,
            owner_salary: row.owner_salary,
            payroll_tax: row.payroll_tax,
            technology_fee: costs.technology_fee,
            supplies: costs.supplies,
            professional_fees: costs.professional_fees,
            other_fixed: costs.other_fixed,
            other_opex: row.other_opex,
            startup_expense: row.startup_expense,
            ..row.lines
        };
    }

    /// Steps 7 to 9: depreciation, amortization, the loan, income before tax.
    fn finance(&mut self, row: &mut MonthRow) {
        let (owner, startup) = (&self.terms.owner, &self.terms.startup);
        let (month, year) = (i64::from(row.month), i64::from(YEAR));
        row.depreciation = share(startup.capex, year * owner.depreciation_years, month);
        row.amortization = share(startup.intangible, year * owner.amortization_years, month);
        (row.interest, row.principal) = self.loan.split(month, self.balance.loan);
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
        let (owner, last) = (&self.terms.owner, self.balance);
        row.accounts_receivable = mul_div(row.revenue, owner.receivable_days, 30);
        row.accounts_payable = mul_div(row.materials, owner.payable_days, 30);
        // Opening stock is sold down, never sold back.
        row.inventory = mul_div(row.materials, owner.inventory_days, 30).max(last.inventory - row.materials);
        row.taxes_paid = match i64::from(row.month) - owner.tax_delay {
            earlier if earlier < 1 => 0,
            earlier => before.get(earlier as usize - 1).map_or(row.tax, |row| row.tax),
        };
        row.tax_payable = last.tax_payable + row.tax - row.taxes_paid;
        let paid_ahead = use_up(&mut self.prepaid, &row.lines);
        self.balance.prepaid -= paid_ahead;
        row.working_capital_change = paid_ahead + (row.accounts_payable - last.payables)
            - (row.accounts_receivable - last.receivables)
            - (row.inventory - last.inventory);
        row.operating_cash_flow = row.net_income
            + row.depreciation
            + row.amortization
            + row.startup_expense
            + row.working_capital_change
            + (row.tax_payable - last.tax_payable);
        if i64::from(row.month) >= owner.draw_start {
            row.owner_draw = owner.draw;
        }
        row.net_cash_flow = row.operating_cash_flow - row.principal - row.owner_draw;
        row.beginning_cash = last.cash;
        row.ending_cash = last.cash + row.net_cash_flow;
    }

    /// Steps 13 and 15: what the month leaves behind.
    fn balance(&mut self, row: &mut MonthRow) {
        let sheet = &mut self.balance;
        sheet.cash = row.ending_cash;
        sheet.receivables = row.accounts_receivable;
        sheet.inventory = row.inventory;
        sheet.prepaid -= row.startup_expense;
        sheet.fixed_assets -= row.depreciation;
        sheet.intangibles -= row.amortization;
        sheet.total_assets = sheet.cash
            + sheet.receivables
            + sheet.inventory
            + sheet.prepaid
            + sheet.deposits
            + sheet.fixed_assets
            + sheet.intangibles;
        sheet.payables = row.accounts_payable;
        sheet.tax_payable = row.tax_payable;
        sheet.loan -= row.principal;
        sheet.total_liabilities = sheet.payables + sheet.tax_payable + sheet.loan;
        sheet.earnings += row.net_income;
        sheet.draws += row.owner_draw;
        sheet.equity = sheet.paid_in + sheet.earnings - sheet.draws;
        row.loan_balance = sheet.loan;
        row.retained_earnings = sheet.earnings - sheet.draws;
        row.total_assets = sheet.total_assets;
        row.total_liabilities = sheet.total_liabilities;
        row.equity = sheet.equity;
        row.balance = *sheet;
    }
}

/// Takes from what was paid ahead what this month's costs use of it: they are a cost of the month, and nothing is paid for them.
fn use_up(prepaid: &mut BTreeMap<FieldPath, i64>, lines: &CostLines) -> i64 {
    let used = prepaid.iter_mut().map(|(field, left)| {
        let used = lines.paid_monthly(field).unwrap_or(0).min(*left);
        *left -= used;
        used
    });
    used.sum()
}
