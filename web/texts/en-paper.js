/**
 * The page's words in English for what goes to a lender: the package, its story, and the second look before it. The package
 * speaks to the lender: nobody is "you" in it.
 */
export const EN_PAPER = {
  // Before it is printed
  "print.title": "Financial plan", "print.button": "Print or save as PDF", "print.hint": "This is what will be printed. To save a PDF, choose “Save as PDF” as the printer.",
  "print.scenario": "Print", "print.paper": "Paper", "print.paper.letter": "Letter", "print.paper.a4": "A4", "print.words": "With the words behind the numbers", "print.conversation": "With the conversation",
  "print.story": "Write the story",

  // Cover and key results
  "print.kind": "Financial plan", "print.scenario.kind": "Scenario: {name}", "print.owner": "Prepared by", "print.brand": "Franchise", "print.opening": "Opening", "print.date": "Printed",
  "print.version": "Plan version", "print.version.value": "{version}, last changed {time}",
  "print.request": "Request", "print.request.amount": "Loan", "print.request.term": "Term", "print.request.rate": "Interest rate per year", "print.request.interestOnly": "Interest only for", "print.request.payment": "Payment per month",
  "print.request.purpose": "Purpose", "print.request.purpose.text": "Startup costs of {total} for a {brand} franchise; see sources and uses.", "print.request.none": "No loan is requested.",
  "print.standing": "Prepared by the owner on the owner’s own assumptions. It is not a statement by {brand}, and actual results will differ.",
  "print.running": "{name} · version {version} · {date}", "print.page": "Page {page} of {pages}",
  "print.results": "Key results", "print.result": "Result", "print.meaning": "What it is", "print.noFigures": "This plan has no figures yet.",
  "print.cashBelow": { one: "Cash is below zero at the end of {count} month, which this does not count.", other: "Cash is below zero at the end of {count} months, which this does not count." },
  "paper.breakEvenMonth": "Break-even month", "paper.breakEvenMonth.help": "The first of three months in a row in which sales pay all costs and the loan payment.",
  "paper.breakEvenSalesMonthly": "Break-even sales per month", "paper.breakEvenSalesMonthly.help": "Sales of an established month that pay all its costs and the loan payment.",
  "paper.breakEvenSalesPct": "Break-even share of planned sales", "paper.breakEvenSalesPct.help": "Break-even sales as a share of the planned sales of an established month.",
  "paper.stableFromMonth": "All costs covered from", "paper.stableFromMonth.help": "From this month on, sales pay all costs and the loan payment in every month.",
  "paper.paybackMonth": "Owner’s cash returned", "paper.paybackMonth.help": "The month by which the business has earned the owner’s cash investment after loan payments.",
  "paper.dscrYear1": "Loan coverage (DSCR), year 1, before the owner", "paper.dscrYear1.help": "Operating profit per dollar of loan payments, before the owner’s draws and income tax.",
  "paper.dscrAfterOwnerYear1": "Loan coverage (DSCR), year 1, after the owner", "paper.dscrAfterOwnerYear1.help": "Operating profit less the owner’s draws and income tax paid, per dollar of loan payments.",
  "paper.minDscr": "Loan coverage (DSCR), weakest year, before the owner", "paper.minDscr.help": "The lowest coverage of the years with loan payments.",
  "paper.lowestCash": "Lowest cash", "paper.lowestCash.help": "The smallest amount of cash at the end of any of the 60 months.",
  "paper.lowestCashMonth": "Month of lowest cash", "paper.lowestCashMonth.help": "The first month that ends with the lowest cash.",
  "paper.monthsNegative": "Months with cash below zero", "paper.monthsNegative.help": "How many of the 60 months end with less than no cash.",
  "paper.projectedAnnualRevenueYear1": "Sales, year 1", "paper.projectedAnnualRevenueYear1.help": "Projected sales of the first 12 months.",
  "paper.fiveYearOwnerCashFlow": "Cash to the owner over 5 years", "paper.fiveYearOwnerCashFlow.help": "Cash that is left after costs, taxes, and loan payments, before the owner’s draws.",
  "paper.totalInvestment": "Total startup costs", "paper.totalInvestment.help": "Everything it takes to open.",
  "paper.ownerCash": "Owner’s cash investment", "paper.ownerCash.help": "What the owner pays in.",
  "paper.equityPct": "Owner’s share", "paper.equityPct.help": "The owner’s cash investment as a share of total startup costs.",
  "paper.openingCash": "Cash on opening day", "paper.openingCash.help": "Cash once startup costs but the additional funds are paid.",
  "paper.reserveGap": "Reserve shortfall on opening day", "paper.reserveGap.help": "What that cash lacks of the months of costs the owner wants to hold in reserve.",

  // Story
  "story.title": "Story for the lender", "story.title.print": "The business and its owner", "story.help": "A lender wants to know who you are and what the money is for. Write what applies and leave the rest empty: what is empty is not printed. Where a model answers the chat, you can ask it to draft a text from what you said.",
  "story.team": "Who we are and our experience", "story.business": "The business and its place", "story.market": "The market and competitors", "story.customers": "How customers come",
  "story.loan": "What the loan is for and what secures it", "story.risks": "Risks and what we do about them",
  "story.count": "{number} of {limit} characters", "story.long": { one: "{count} character too many.", other: "{count} characters too many." }, "story.save": "Save the story", "story.saved": "Your story is saved.", "story.unsaved": "Not saved yet",
  "story.conflict": "Someone has saved this story since you opened it. Nothing is lost: where the texts differ, both are here. Take theirs or keep yours, then save.",
  "story.theirs": "Saved meanwhile:", "story.removed": "This text was removed meanwhile.", "story.take": "Use the saved text", "story.print": "See it in the plan",

  // Sources, uses, startup costs
  "print.sources": "Sources and uses of funds", "print.sources.title": "Sources", "print.uses": "Uses", "print.share": "Share", "print.dollars": "US dollars",
  "row.loan": "Loan", "row.ownersCash": "Owner’s cash", "row.extraCash": "Extra cash of the owner", "row.reserve": "Cash reserve beyond startup costs", "row.otherStartup": "Other startup costs", "row.total": "Total",
  "print.item7": "Startup costs beside the disclosure document (Item 7)", "print.item7.low": "Published low", "print.item7.high": "Published high", "print.item7.plan": "This plan", "print.item7.mark": "Position",
  "print.item7.none": "The disclosure document gives no range for these costs.",
  "print.position.within": "within", "print.position.below": "below", "print.position.above": "above",
  "row.inItem7": "With a published range", "row.totalItem7": "Total with a range", "row.notInItem7": "Without a published range", "row.totalNotItem7": "Total without a range", "row.totalInvestment": "Total startup costs",

  // Statements
  "print.profit": "Five years: profit and loss", "print.cash": "Five years: cash flow", "print.balance": "Five years: balance sheet", "print.year1": "Year 1 by month", "print.quarters": "Years 2 to 5 by quarter", "print.year1.half": "Year 1, months {from} to {to}", "print.quarters.pair": "Years {from} and {to}",
  "print.opening.column": "Opening", "print.year": "Year {year}", "print.month": "Month {month}", "print.quarter": "Year {year}, Q{quarter}",
  "row.materials": "Cost of goods sold", "row.royalty": "Royalty", "row.adFund": "Ad fund", "row.grossProfit": "Gross profit", "row.directLabor": "Direct labor", "row.contribution": "Contribution",
  "row.rent": "Rent", "row.utilities": "Utilities", "row.insurance": "Insurance", "row.telecomIt": "Phone, internet, software", "row.vehicles": "Vehicles", "row.maintenance": "Repairs and maintenance",
  "row.marketing": "Local marketing", "row.merchantFees": "Card processing", "row.managementSalaries": "Management salaries", "row.ownerSalary": "Owner’s salary on payroll", "row.payrollTax": "Payroll taxes and benefits",
  "row.technologyFee": "Technology fee", "row.supplies": "Shop and office supplies", "row.professionalFees": "Accounting and legal", "row.otherFixed": "Other fixed costs", "row.otherOpex": "Other operating costs",
  "row.startupExpense": "Startup costs expensed", "row.depreciation": "Depreciation", "row.amortization": "Amortization", "row.interest": "Interest", "row.preTaxIncome": "Pre-tax income", "row.tax": "Income tax", "row.netIncome": "Net income",
  "row.workingCapitalChange": "Change in working capital", "row.taxesPaid": "Income tax paid", "row.operatingCashFlow": "Operating cash flow", "row.principal": "Loan principal", "row.ownerDraw": "Owner’s draw",
  "row.loanReceived": "Loan received", "row.paidIn": "Owner’s cash paid in", "row.startupPaid": "Startup costs paid", "row.netCashFlow": "Net cash flow", "row.beginningCash": "Cash at the beginning",
  "row.assets": "Assets", "row.cash": "Cash", "row.receivables": "Accounts receivable", "row.inventory": "Inventory", "row.prepaid": "Prepaid startup costs", "row.deposits": "Deposits", "row.fixedAssets": "Fixed assets, net", "row.intangibles": "Intangible assets, net", "row.totalAssets": "Total assets",
  "row.liabilities": "Liabilities", "row.payables": "Accounts payable", "row.taxPayable": "Income tax payable", "row.totalLiabilities": "Total liabilities",
  "row.equity": "Owner’s equity", "row.earnings": "Earnings since opening", "row.draws": "Owner’s draws since opening", "row.ownersEquity": "Total owner’s equity", "row.liabilitiesAndEquity": "Total liabilities and equity",
  "print.loan": "Loan and coverage by year", "print.loan.none": "The plan has no loan.",
  "row.loanOwed": "Owed", "row.loanBefore": "Balance at the beginning", "row.loanBalance": "Balance at the end", "row.loanPaid": "Paid", "row.loanPayments": "Loan payments", "row.loanCover": "Earned to pay them from",
  "row.earnedAfterOwner": "Left after the owner and income tax", "row.dscr": "Coverage (DSCR) before the owner", "row.dscrAfterOwner": "Coverage (DSCR) after the owner",

  // What if
  "print.whatIf": "What if", "print.case": "Case", "print.case.plan": "As planned",
  "print.whatIf.how": "Each case changes one thing and leaves all other assumptions as they are. With the first sale later, the facilities, fixed fees, owner's salary and interest of month 1 are paid that many times more, out of the cash that was meant for the opening.",
  "print.whatIf.levers": "The last rows are the three values that move the results most, of those that the owner decides, each one step better.",

  // Assumptions and notes
  "print.assumptions": "Assumptions, and where each number came from", "print.field": "Assumption", "print.value": "Value", "print.from": "Source and date",
  "print.source.brand": "Brand default", "print.source.brand.from": "Brand default: {provenance}", "print.source.you": "{name}, {date}", "print.source.advisor": "{name}, in conversation, {date}", "print.source.support": "{name} (support), {date}",
  "print.source.derived": "Follows from “{field}”", "print.scenario.source": "Scenario {name}; plan: {value}",
  "print.differs": { one: "{count} value differs from the plan: {labels}", other: "{count} values differ from the plan: {labels}" }, "print.differs.none": "No value differs from the plan.",
  "print.notes": "Notes",
  "print.note.cents": "Amounts are US dollars to the cent as computed. None is rounded for print, so each column adds up to its printed total. Costs and payments have a minus sign. Lines without any amount are left out.",
  "print.note.rounded": "Percentages and coverage are rounded; the shares of sources and uses so that they add up to 100%.",
  "print.note.method": "Months are counted from opening. Sales grow evenly to their established level and then at the yearly rates among the assumptions. Startup costs that are neither assets nor deposits are expensed over the first 12 months. Income tax is that of the business and is paid with the delay among the assumptions.",
  "print.note.coverage": "Coverage before the owner is operating profit divided by interest and principal of the year. After the owner it is what the owner’s draws and the income tax paid leave of operating profit, divided by the same.",
  "print.sign": "Signature", "print.sign.date": "Date",

  // Documents
  "documents.title": "Documents", "documents.help": "PDFs of the plan as it was when they were made. They never change and go with the plan only.", "documents.make": "Make a PDF",
  "documents.make.button": "Make it", "documents.make.help": "It takes a few seconds and is kept here.", "documents.made": "The PDF is in the list.", "documents.made.without": "The PDF is in the list. It shows boxes for what its fonts lack: {letters}", "documents.kind": "What it shows", "documents.kind.package": "Package for a lender", "documents.kind.summary": "Summary",
  "documents.paper": "Paper", "documents.paper.letter": "Letter", "documents.paper.a4": "A4", "documents.lang": "Language", "documents.lang.en": "English", "documents.lang.es": "Español", "documents.scenarios": "Scenarios to show beside the plan",
  "documents.version": "plan version {version}", "documents.download": "Download", "documents.share": "Share", "documents.share.title": "Link for a banker or accountant", "documents.share.button": "Make the link", "documents.share.days": "It works for",
  "documents.share.help": "Whoever has the link can read this document without an account. You can take it back at any time.", "documents.days": { one: "{count} day", other: "{count} days" },
  "documents.link": "Link to the document", "documents.link.title": "Your link", "documents.link.once": "Copy it now: it is shown this once. It works until {time}.", "documents.link.until": "Link until {time}", "documents.link.since": "Link ended {time}",
  "documents.link.opened": { one: "opened {count} time", other: "opened {count} times" }, "documents.revoke": "Take back", "documents.revoke.title": "Take this link back?", "documents.revoke.question": "The link of {time} opens nothing from then on.",
};
