"""The projection of docs/FINANCIAL-MODEL.md chapter 3, written from that page alone.

It shares nothing with `src/projection`: two implementations of one specification that agree to the cent are both
right, or the specification is wrong. Comments name the section or step of the page. Money is whole cents, percentages
are parts per million; Python's integers do not overflow.
"""

from decimal import ROUND_HALF_UP, Decimal

MILLION = 1_000_000

# Sums of a year (3.5); the balances of its last month.
FLOWS = (
    "revenue materials royalty adFund grossProfit directLabor contribution operatingExpenses startupExpense ebitda"
    " operatingEbitda depreciation amortization interest principal preTaxIncome tax netIncome operatingCashFlow"
    " ownerDraw netCashFlow workingCapitalChange taxesPaid"
).split()
BALANCES = "endingCash totalAssets totalLiabilities equity loanBalance balance".split()

# Step 14: lines that are figures of the month, and lines that are fields of operatingCosts.
LINES_OF_ROW = (
    "materials royalty adFund directLabor marketing merchantFees managementSalaries ownerSalary payrollTax otherOpex startupExpense"
).split()
FACILITIES = {
    "rent": "rentMonthly",
    "utilities": "utilitiesMonthly",
    "insurance": "insuranceMonthly",
    "telecomIt": "telecomItMonthly",
    "vehicles": "vehicleMonthly",
    "maintenance": "maintenanceMonthly",
}
FIXED_FEES = {
    "technologyFee": "technologyFeeMonthly",
    "supplies": "suppliesMonthly",
    "professionalFees": "professionalFeesMonthly",
    "otherFixed": "otherMonthly",
}
# Chapter 4: the rows that pay ahead, the line that they pay, and how many of the months they cover.
PREPAID = {
    "startupCosts.rentDeposits": ("rent", 1, 3),
    "startupCosts.insuranceDeposit": ("insurance", 3, 3),
}


# --- 3.1 ---


def rdiv(n, d):
    """The whole number nearest to n/d, halves away from zero."""
    if d < 0:
        n, d = -n, -d
    half_up = (2 * abs(n) + d) // (2 * d)
    return half_up if n >= 0 else -half_up


def mulp(amount, ppm):
    return rdiv(amount * ppm, MILLION)


def share(total, parts, k):
    if not 1 <= k <= parts:
        return 0
    return rdiv(total * k, parts) - rdiv(total * (k - 1), parts)


def esc(amount, ppm, year):
    for _ in range(year - 1):
        amount += mulp(amount, ppm)
    return amount


def ratio(n, d):
    """Four digits after the point, by way of parts per million; None for a divisor of 0 or less."""
    return Decimal(rdiv(rdiv(n * MILLION, d), 100)) / 10_000 if d > 0 else None


def coverage(n, d):
    """Two digits after the point; None for a divisor of 0 or less."""
    return Decimal(rdiv(n * 100, d)) / 100 if d > 0 else None


def ppm(value):
    return int((Decimal(value) * MILLION).quantize(Decimal(1), ROUND_HALF_UP))


# --- 3.2 ---


class Inputs:
    """A plan's values, cut to the hard bounds of 6.3 and read in the unit the engine counts in."""

    def __init__(self, fields, values, changed):
        self.fields, self.values = fields, values
        self.by_class = {name: 0 for name in ("capex", "intangible", "non_capex", "inventory", "deposit", "working_capital", "prepaid")}
        for path, field in fields.items():
            if field.cost_class:
                self.by_class[field.cost_class] += self.read(path)
        self.total = sum(self.by_class.values())
        self.ahead = {line: rdiv(self.read(path) * months, covered) for path, (line, months, covered) in PREPAID.items()}
        # What a deposit pays ahead is not given back.
        self.deposits = self.by_class["deposit"] + self.by_class["prepaid"] - sum(self.ahead.values())
        # The one modified later decides. A scenario modifies either or both at the same moment.
        by_down_payment = "financing.downPaymentPct" in changed and "financing.loanAmount" not in changed
        if by_down_payment:
            self.loan = self.total - mulp(self.total, self.read("financing.downPaymentPct"))
        else:
            self.loan = self.read("financing.loanAmount")
        self.equity = max(0, self.total - self.loan) + self.read("financing.additionalEquity")
        self.term = self.read("financing.loanTermMonths")
        self.interest_only = max(0, min(self.read("financing.interestOnlyMonths"), self.term - 1))
        self.rate = self.read("financing.interestRate")

    def read(self, path):
        """Cents, parts per million or whole numbers, by the field's kind."""
        field = self.fields[path]
        low, high = field.hard_bounds()
        value = min(max(Decimal(self.values[path]), low), high)
        return ppm(value) if field.kind in ("percent", "multiple") else int(value)

    def cost(self, name):
        return self.read(f"operatingCosts.{name}")


# --- 3.4, step 8 ---


def repays(loan, rate, months, payment):
    for _ in range(months):
        loan -= min(loan, payment - rdiv(loan * rate, 12 * MILLION))
    return loan <= 0


def level_payment(loan, rate, term, interest_only):
    """The smallest whole-cent payment that repays the loan. None for a term of 0."""
    if term == 0:
        return None
    low, high = 0, loan + rdiv(loan * rate, 12 * MILLION)
    while low < high:
        middle = (low + high) // 2
        if repays(loan, rate, term - interest_only, middle):
            high = middle
        else:
            low = middle + 1
    return low


# --- 3.3 ---


def opening(inputs):
    by_class = inputs.by_class
    start = {
        "cash": inputs.equity + inputs.loan - (inputs.total - by_class["working_capital"]),
        "prepaid": by_class["non_capex"] + sum(inputs.ahead.values()),
        "inventory": by_class["inventory"],
        "deposits": inputs.deposits,
        "fixed": by_class["capex"],
        "intangible": by_class["intangible"],
        "loan": inputs.loan,
        "paidIn": inputs.equity,
    }
    return {**start, "balance": balance_sheet(start["cash"], start, (0, 0, 0), inputs.loan, (inputs.equity, 0, 0))}


def balance_sheet(cash, assets, owed, loan, owner):
    """3.4, step 15. `owed` is receivables, payables and tax; `owner` is what was paid in, earned and drawn."""
    receivables, payables, tax_payable = owed
    sheet = {"cash": cash, "receivables": receivables, "inventory": assets["inventory"], "prepaid": assets["prepaid"]}
    sheet.update(deposits=assets["deposits"], fixedAssets=assets["fixed"], intangibles=assets["intangible"])
    sheet["totalAssets"] = sum(sheet.values())
    sheet.update(payables=payables, taxPayable=tax_payable, loan=loan, totalLiabilities=payables + tax_payable + loan)
    paid_in, earned, drawn = owner
    sheet.update(paidIn=paid_in, earnings=earned, draws=drawn, equity=paid_in + earned - drawn)
    if sheet["totalAssets"] != sheet["totalLiabilities"] + sheet["equity"]:
        raise AssertionError(f"the balance sheet does not balance (3.7, I1): {sheet}")
    return sheet


# --- 3.4 ---


def revenue_of(inputs, month, year, before):
    months, start = inputs.read("revenue.monthsToReachAuv"), inputs.read("revenue.startingMonthAuvPct")
    if month == 1 or month <= months:
        part = MILLION
        if months > 1 and month < months:
            part = start + rdiv((MILLION - start) * (month - 1), months - 1)
        return mulp(inputs.read("revenue.monthlyAuv"), part)
    return before + rdiv(before * inputs.read(f"revenue.year{year}GrowthRate"), 12 * MILLION)


def operating_costs(inputs, row):
    """Steps 2 to 6."""
    cost, month, year, revenue = inputs.cost, row["month"], row["year"], row["revenue"]
    row["materials"] = mulp(revenue, cost("cogsPct"))
    row["royalty"] = max(mulp(revenue, cost("royaltyPct")), cost("royaltyMinimumMonthly"))
    row["adFund"] = mulp(revenue, cost("adFundPct"))
    row["grossProfit"] = revenue - row["materials"] - row["royalty"] - row["adFund"]
    row["directLabor"] = mulp(revenue, cost("laborPct"))
    row["contribution"] = row["grossProfit"] - row["directLabor"]

    facilities = {name: esc(cost(field), cost("facilitiesEscalationPct"), year) for name, field in FACILITIES.items()}
    if month <= cost("rentAbatementMonths"):
        facilities["rent"] = 0
    row["facilities"] = sum(facilities.values())

    row["marketing"] = max(mulp(revenue, cost("marketingPct")), cost("localMarketingMinimumMonthly"))
    row["merchantFees"] = mulp(revenue, cost("merchantFeePct"))
    row["otherOpex"] = mulp(revenue, cost("otherOpexPct"))

    def salary(name):
        return share(esc(cost(name), cost("wageEscalationPct"), year), 12, (month - 1) % 12 + 1)

    row["managementSalaries"] = salary("managementSalariesAnnual") if month >= cost("managerStartMonth") else 0
    row["ownerSalary"] = salary("ownerSalaryAnnual")
    wages = row["directLabor"] + row["managementSalaries"] + row["ownerSalary"]
    row["payrollTax"] = mulp(wages, cost("payrollTaxPct"))
    fixed_fees = {name: cost(field) for name, field in FIXED_FEES.items()}
    row["fixedFees"] = sum(fixed_fees.values())
    row["startupExpense"] = share(inputs.by_class["non_capex"], 12, month)
    row["operatingExpenses"] = sum(
        row[line]
        for line in (
            "facilities marketing merchantFees otherOpex managementSalaries ownerSalary payrollTax fixedFees startupExpense"
        ).split()
    )
    row["ebitda"] = row["contribution"] - row["operatingExpenses"]
    row["operatingEbitda"] = row["ebitda"] + row["startupExpense"]
    row["lines"] = {**facilities, **fixed_fees, **{line: row[line] for line in LINES_OF_ROW}}
    if sum(row["lines"].values()) != revenue - row["ebitda"]:
        raise AssertionError(f"month {month}: the cost lines do not add up (3.7, I15)")


def debt_and_depreciation(inputs, row, balance, payment):
    """Steps 7 to 9."""
    month = row["month"]
    life, fee_life = (
        inputs.read(f"startupCapital.{name}") for name in ("depreciationYears", "intangibleAmortizationYears")
    )
    row["depreciation"] = share(inputs.by_class["capex"], 12 * life, month)
    row["amortization"] = share(inputs.by_class["intangible"], 12 * fee_life, month)
    row["interest"] = rdiv(balance * inputs.rate, 12 * MILLION)
    if month <= inputs.interest_only or month > inputs.term or balance == 0:
        row["principal"] = 0
    elif month == inputs.term:
        row["principal"] = balance
    else:
        row["principal"] = min(balance, payment - row["interest"])
    row["loanBalance"] = balance - row["principal"]
    row["preTaxIncome"] = row["ebitda"] - row["depreciation"] - row["amortization"] - row["interest"]


class Tax:
    """Step 10."""

    def __init__(self, inputs):
        self.rate = inputs.read("workingCapitalAndValuation.incomeTaxRate")
        self.delay = inputs.read("workingCapitalAndValuation.taxPaymentDelayMonths")
        self.loss, self.income, self.charged, self.payable, self.taxes = 0, 0, 0, 0, []

    def month(self, row):
        if row["month"] % 12 == 1:
            self.loss = max(0, self.loss - self.income)
            self.income = self.charged = 0
        self.income += row["preTaxIncome"]
        to_date = mulp(max(0, self.income - self.loss), self.rate)
        row["tax"], self.charged = to_date - self.charged, to_date
        self.taxes.append(row["tax"])
        due = row["month"] - self.delay
        paid = self.taxes[due - 1] if due >= 1 else 0
        row["taxesPaid"] = paid
        self.payable += row["tax"] - paid
        row["taxPayable"] = self.payable
        row["netIncome"] = row["preTaxIncome"] - row["tax"]


def cash_and_balances(inputs, row, last, books):
    """Steps 11 to 13 and 15. `books` holds what is prepaid, fixed and intangible, and what was earned and drawn."""

    def days(amount, name):
        return rdiv(amount * inputs.read(f"workingCapitalAndValuation.{name}"), 30)

    row["accountsReceivable"] = days(row["revenue"], "arDays")
    row["accountsPayable"] = days(row["materials"], "apDays")
    row["inventory"] = max(days(row["materials"], "inventoryDays"), last["inventory"] - row["materials"])

    def increase(name):
        return row[name] - last[name]

    used = 0
    for line, ahead in inputs.ahead.items():
        paid_before = books["lines"].get(line, 0)
        books["lines"][line] = paid_before + row["lines"][line]
        used += min(ahead, books["lines"][line]) - min(ahead, paid_before)
    row["operatingCashFlow"] = (
        row["netIncome"]
        + row["depreciation"]
        + row["amortization"]
        + row["startupExpense"]
        - increase("accountsReceivable")
        - increase("inventory")
        + increase("accountsPayable")
        + increase("taxPayable")
        + used
    )
    row["workingCapitalChange"] = increase("accountsPayable") - increase("accountsReceivable") - increase("inventory") + used
    section = "profitabilityAndDistributions"
    drawn = row["month"] >= inputs.read(f"{section}.ownerDrawStartMonth")
    row["ownerDraw"] = inputs.read(f"{section}.ownerDrawMonthly") if drawn else 0
    row["netCashFlow"] = row["operatingCashFlow"] - row["principal"] - row["ownerDraw"]
    row["beginningCash"] = last["endingCash"]
    row["endingCash"] = row["beginningCash"] + row["netCashFlow"]

    books["prepaid"] -= row["startupExpense"] + used
    books["fixed"] -= row["depreciation"]
    books["intangible"] -= row["amortization"]
    row["retainedEarnings"] = last["retainedEarnings"] + row["netIncome"] - row["ownerDraw"]
    row["totalAssets"] = row["endingCash"] + row["accountsReceivable"] + row["inventory"] + inputs.deposits
    row["totalAssets"] += books["prepaid"] + books["fixed"] + books["intangible"]
    row["totalLiabilities"] = row["accountsPayable"] + row["taxPayable"] + row["loanBalance"]
    row["equity"] = inputs.equity + row["retainedEarnings"]
    books["earnings"] += row["netIncome"]
    books["draws"] += row["ownerDraw"]
    row["balance"] = balance_sheet(
        row["endingCash"],
        {**books, "inventory": row["inventory"], "deposits": inputs.deposits},
        (row["accountsReceivable"], row["accountsPayable"], row["taxPayable"]),
        row["loanBalance"],
        (inputs.equity, books["earnings"], books["draws"]),
    )
    for total in ("totalAssets", "totalLiabilities", "equity"):
        if row["balance"][total] != row[total]:
            raise AssertionError(f"month {row['month']}: {total} is not that of the balance sheet (3.7, I1)")


def months(inputs, start):
    payment = level_payment(inputs.loan, inputs.rate, inputs.term, inputs.interest_only)
    tax = Tax(inputs)
    books = {name: start[name] for name in ("prepaid", "fixed", "intangible")}
    books.update(earnings=0, draws=0, lines={})
    last = {
        "revenue": 0,
        "accountsReceivable": 0,
        "accountsPayable": 0,
        "taxPayable": 0,
        "inventory": start["inventory"],
        "endingCash": start["cash"],
        "retainedEarnings": 0,
        "loanBalance": start["loan"],
    }
    rows = []
    for month in range(1, 61):
        row = {"month": month, "year": (month - 1) // 12 + 1}
        row["revenue"] = revenue_of(inputs, month, row["year"], last["revenue"])
        operating_costs(inputs, row)
        debt_and_depreciation(inputs, row, last["loanBalance"], payment)
        tax.month(row)
        cash_and_balances(inputs, row, last, books)
        rows.append(row)
        last = row
    return payment, rows


# --- 3.5 ---


def years(inputs, rows):
    result = []
    cost = inputs.cost
    variable = mulp(cost("laborPct"), cost("payrollTaxPct")) + sum(
        cost(name) for name in "cogsPct royaltyPct adFundPct laborPct marketingPct merchantFeePct otherOpexPct".split()
    )
    unpaid_salary = inputs.read("profitabilityAndDistributions.shareholderSalaryAdj")
    target = inputs.read("profitabilityAndDistributions.targetPreTaxProfitPct")
    multiple = inputs.read("workingCapitalAndValuation.ebitdaMultiple")
    for number in range(1, 6):
        of_year = [row for row in rows if row["year"] == number]

        def total(name):
            return sum(row[name] for row in of_year)

        year = {"year": number}
        year.update((name, total(name)) for name in FLOWS)
        year.update((name, of_year[-1][name]) for name in BALANCES)
        year["lines"] = {line: sum(row["lines"][line] for row in of_year) for line in of_year[0]["lines"]}
        salaries = total("managementSalaries") + total("ownerSalary")
        year["fixedCosts"] = salaries + mulp(salaries, cost("payrollTaxPct"))
        year["fixedCosts"] += sum(total(name) for name in "facilities fixedFees depreciation amortization interest".split())
        year["breakEvenRevenue"] = None
        if variable < MILLION:
            year["breakEvenRevenue"] = -(-year["fixedCosts"] * MILLION // (MILLION - variable))
        year["dscr"] = coverage(year["operatingEbitda"], year["principal"] + year["interest"])
        after_owner = year["operatingEbitda"] - year["ownerDraw"] - year["taxesPaid"]
        year["dscrAfterOwner"] = coverage(after_owner, year["principal"] + year["interest"])
        year["businessValue"] = max(0, mulp(year["operatingEbitda"] - unpaid_salary, multiple))
        year["aboveTarget"] = year["preTaxIncome"] - unpaid_salary - mulp(year["revenue"], target)
        for name, part in (("grossPct", "grossProfit"), ("ebitdaPct", "ebitda"), ("preTaxPct", "preTaxIncome")):
            year[name] = ratio(year[part], year["revenue"])
        result.append(year)
    return result


# --- 3.6 ---


def break_even_sales(inputs, payment, rows):
    """The monthly sales that pay all costs of a mature month; None where none do."""
    cost = inputs.cost
    month = max(1, inputs.read("revenue.monthsToReachAuv"))
    if cost("rentMonthly") > 0:
        month = max(month, cost("rentAbatementMonths") + 1)
    if cost("managementSalariesAnnual") > 0:
        month = max(month, cost("managerStartMonth"))
    row = rows[min(month, 60) - 1]
    salaries = row["managementSalaries"] + row["ownerSalary"]
    fixed = row["facilities"] + salaries + mulp(salaries, cost("payrollTaxPct")) + row["fixedFees"]
    fixed += rdiv(inputs.loan * inputs.rate, 12 * MILLION) if payment is None else payment
    share = mulp(cost("laborPct"), cost("payrollTaxPct"))
    share += sum(cost(name) for name in ("cogsPct", "adFundPct", "laborPct", "merchantFeePct", "otherOpexPct"))
    if share + cost("royaltyPct") + cost("marketingPct") >= MILLION:
        return None
    amounts = []
    for royalty, royalty_minimum in ((cost("royaltyPct"), 0), (0, cost("royaltyMinimumMonthly"))):
        for marketing, marketing_minimum in ((cost("marketingPct"), 0), (0, cost("localMarketingMinimumMonthly"))):
            due, left = fixed + royalty_minimum + marketing_minimum, MILLION - share - royalty - marketing
            amounts.append(-(-due * MILLION // left))
    return max(amounts)


def metrics(inputs, start, payment, rows, annual):
    margin = [row["operatingEbitda"] - row["interest"] - row["principal"] for row in rows]
    owner = [row["operatingCashFlow"] - row["principal"] for row in rows]
    short = [month for month, value in enumerate(margin, 1) if value < 0]
    lowest = min(row["endingCash"] for row in rows)
    early_costs = sum(row["revenue"] - row["operatingEbitda"] for row in rows[:3])
    reserve = rdiv(early_costs * inputs.read("startupCapital.workingCapitalMonths"), 3)
    by_year = [year["dscr"] for year in annual]
    result = {
        "totalInvestment": inputs.total,
        "loanAmount": inputs.loan,
        "ownerCash": inputs.equity,
        "equityPct": ratio(inputs.equity, inputs.total),
        "monthlyPayment": payment,
        "openingCash": start["cash"],
        "projectedAnnualRevenueYear1": annual[0]["revenue"],
        "breakEvenMonth": next((m for m in range(1, 59) if min(margin[m - 1 : m + 2]) >= 0), None),
        "stableFromMonth": 1 if not short else None if short[-1] == 60 else short[-1] + 1,
        "paybackMonth": next((m for m in range(1, 61) if sum(owner[:m]) >= inputs.equity), None),
        "fiveYearOwnerCashFlow": sum(owner),
        "fiveYearRoiPct": ratio(sum(owner) - inputs.equity, inputs.equity),
        "lowestCash": lowest,
        "lowestCashMonth": next(row["month"] for row in rows if row["endingCash"] == lowest),
        "monthsNegative": sum(row["endingCash"] < 0 for row in rows),
        "reserveTarget": reserve,
        "reserveGap": max(0, reserve - start["cash"]),
    }
    result.update((f"dscrYear{number}", value) for number, value in enumerate(by_year, 1))
    result["minDscr"] = min((value for value in by_year if value is not None), default=None)
    result["dscrAfterOwnerYear1"] = annual[0]["dscrAfterOwner"]
    sales = result["breakEvenSalesMonthly"] = break_even_sales(inputs, payment, rows)
    result["breakEvenSalesPct"] = None if sales is None else ratio(sales, inputs.read("revenue.monthlyAuv"))
    return result


def project(fields, changes):
    """The projection of the demo brand's defaults with `changes`, `{path: value}` as a plan stores it."""
    values = {path: field.default for path, field in fields.items()}
    values.update(changes)
    inputs = Inputs(fields, values, changes)
    start = opening(inputs)
    payment, monthly = months(inputs, start)
    annual = years(inputs, monthly)
    return {
        "opening": start,
        "monthly": monthly,
        "annual": annual,
        "metrics": metrics(inputs, start, payment, monthly, annual),
    }
