/** The package for a lender: what is in it, that it adds up, on both papers and in both languages, and the second look before it. */
import test from "node:test";
import assert from "node:assert/strict";
import { additionErrors } from "../../support/added-up.js";
import { api, becomes, field, fitsSideways, isAccessible, lastAnswer, model, openNewPlan, openPlan, reads, say as tell, screenshot, withPage } from "../support/world.js";
import { say, setField } from "../support/mock-model.js";

const RENT = "operatingCosts.rentMonthly";
const PARTS = ["results", "funds", "item7", "profit", "cash", "balance", "year1", "quarters", "loan", "what-if", "assumptions", "notes"];

/** The rows of every printed table of amounts, in cents, as a banker copies them. */
function printed(page) {
  return page.locator("table.amounts").evaluateAll((tables) => tables.map((table) => [...table.tBodies[0].rows].map((row) => ({
    kind: row.dataset.kind, key: row.dataset.row ?? row.cells[0].textContent,
    cells: [...row.cells].slice(1).map((cell) => {
      const text = cell.textContent.replace("−", "-").replace(/[,%]/g, "");
      return /^-?\d+\.\d+$/.test(text) ? Math.round(Number(text) * 100) : null;
    }),
  }))));
}

async function print(page, planId, search = "") {
  await page.goto(`/plans/${planId}/print${search}`);
  await page.locator("[data-part=notes]").waitFor();
}

const set = (page, planId, values) => api(page, "PATCH", `/api/plans/${planId}/financial-inputs`, values);
const cells = (tables, key) => tables.flatMap((rows) => rows.filter((row) => row.key === key)).map((row) => row.cells);

/** Adds up every printed column; sources are uses, assets are liabilities and equity, and cash is the engine's. */
async function addUp(page, planId, what) {
  const tables = await printed(page);
  assert.ok(tables.length >= 10, `${what}: ${tables.length} tables`);
  for (const rows of tables) assert.deepEqual(additionErrors(rows), [], what);
  const [sources, uses] = cells(tables, "total");
  assert.equal(sources[0], uses[0], `${what}: sources and uses`);
  assert.deepEqual(cells(tables, "totalAssets"), cells(tables, "liabilitiesAndEquity"), what);
  const { data } = await api(page, "GET", `/api/plans/${planId}/outputs`);
  assert.deepEqual(cells(tables, "endingCash")[0], [data.opening.cash, ...data.annual.map((year) => year.endingCash)], what);
}

/** All amounts of texts, in cents and without their sign; 0 is also written as a dash. */
const amountsOf = (texts) => new Set(texts.flatMap((text) => [...text.matchAll(/\d[\d,]*\.\d\d(?!\d)/g)]).map(([text]) => Math.round(Number(text.replaceAll(",", "")) * 100)).filter(Boolean));

/** A document, which the server typesets, and the print, which the page lays out, show the same amounts. */
async function isTheDocument(page, planId, what) {
  const made = await api(page, "POST", `/api/plans/${planId}/documents`, { kind: "package", paper: "letter", lang: "en" });
  const file = await page.evaluate(async (path) => (await fetch(path)).text(), `/api/plans/${planId}/documents/${made.data.id}`);
  const { parts } = JSON.parse(file.replace("%PDF-stand-in\n", ""));
  const inDocument = (of) => amountsOf(parts.filter(of).flatMap(({ blocks }) => blocks.flatMap(({ rows = [] }) => rows.flatMap(({ cells }) => cells.slice(1).map(String)))));
  const onPaper = async (selector) => amountsOf(await page.locator(selector).allTextContents());
  const titled = (title) => inDocument((entry) => entry.title === title);
  // The document has subtotals and months of its own; the print has the opening day as a column.
  for (const [title, selector] of [
    ["Five years: profit and loss", "[data-part=profit] td"], ["Year 1 by month", "[data-part=year1] tr > :nth-child(n + 3)"], ["Years 2 to 5 by quarter", "[data-part=quarters] td"],
  ]) {
    const known = titled(title);
    assert.deepEqual([...await onPaper(selector)].filter((amount) => !known.has(amount)), [], `${what}: on paper, not in the document's ${title}`);
  }
  const cash = await onPaper("[data-part=cash] td");
  assert.deepEqual([...titled("Five years: cash flow")].filter((amount) => !cash.has(amount)), [], `${what}: in the document's cash flow, not on paper`);
  for (const [title, part] of [["Sources and uses of funds", "funds"], ["Five years: balance sheet", "balance"], ["Startup costs beside the disclosed ranges (Item 7)", "item7"]]) {
    assert.deepEqual(titled(title), await onPaper(`[data-part=${part}] td`), `${what}: ${part}`);
  }
}

test("whatever the plan, every printed column adds up and both sides balance", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page, { name: "For the bank" });
  const { data: plan } = await api(page, "GET", `/api/plans/${planId}`);
  const zeros = Object.fromEntries(Object.keys(plan.financialInputs).map((path) => [path, 0]));
  for (const [what, values] of [
    ["as the brand assumes", {}],
    ["extra cash", { "financing.additionalEquity": 2_500_000 }],
    ["a loan above the costs", { "financing.loanAmount": 50_000_000 }],
    ["the owner's share decides", { "financing.downPaymentPct": 0.4 }],
    ["no rent and little sales", { [RENT]: 0, "revenue.monthlyAuv": 1_234_567 }],
    ["ten digits", { "revenue.monthlyAuv": 9_999_999_999, "financing.loanAmount": 9_999_999_999, "startupCosts.leaseholdImprovements": 9_999_999_999, "operatingCosts.cogsPct": 0.333333 }],
    ["no loan", { "financing.loanAmount": 0 }],
    ["nothing at all", zeros],
  ]) {
    const saved = await set(page, planId, values);
    assert.equal(saved.status, 200, JSON.stringify(saved.error));
    await print(page, planId);
    await addUp(page, planId, what);
    await isTheDocument(page, planId, what);
    await fitsSideways(page, what);
  }
}));

test("the package has all its parts, on both papers, and its sentence, name and number on every page", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page, { name: "For the bank" });
  await set(page, planId, { [RENT]: 420_000, "financing.downPaymentPct": 0.4 });
  await print(page, planId);
  assert.deepEqual(await page.locator(".paper-part").evaluateAll((parts) => parts.map((part) => part.dataset.part)), PARTS);
  await reads(page.locator("[data-part=request]"), /\$222,900.*10 years \(120 months\).*10\.25%/s);
  await reads(page.locator("[data-result=dscrAfterOwnerYear1]"), "after the owner");
  await reads(page.locator("[data-result=breakEvenSalesMonthly]"), "$");
  await reads(page.locator("[data-path='financing.loanAmount']"), /\$222,900.*Follows from “Owner share of total investment”/s);
  await reads(page.locator(`[data-path='${RENT}']`), /\$4,200.*Sam Rivera, \w{3} \d/s);
  await reads(page.locator("[data-path='operatingCosts.royaltyPct']"), "Brand default: Item 6");
  await reads(page.locator("[data-row=totalItem7]"), "within");
  await becomes(() => page.locator("[data-case]").evaluateAll((rows) => rows.map((row) => row.dataset.case).slice(0, 4)), ["plan", "sales_lower", "sales_lower", "opens_later"]);
  assert.doesNotMatch(await page.locator(".print-sheet").innerText(), /\byou(?:rs?)?\b/i, "nobody is addressed");
  const foot = page.locator(".print-frame > tfoot");
  await reads(foot, /Prepared by the owner on the owner’s own assumptions\. It is not a statement by Willow & Wag Grooming.*For the bank · version \d+ · \w{3} \d/s);
  for (const [paper, box] of [["letter", /MediaBox \[0 0 612 792\]/], ["a4", /MediaBox \[0 0 59[45](?:\.\d+)? 84[12](?:\.\d+)?\]/]]) {
    await print(page, planId, `?paper=${paper}`);
    await becomes(() => page.getByLabel("Paper").inputValue(), paper);
    const rules = await page.evaluate(() => document.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules].map((rule) => rule.cssText)).join("\n"));
    assert.match(rules, /"Page " counter\(page\) " of " counter\(pages\)/);
    await page.emulateMedia({ media: "print" });
    await becomes(() => page.locator(".top-bar, .second-look, .page-head").evaluateAll((parts) => parts.filter((part) => part.checkVisibility()).length), 0);
    assert.equal(await foot.evaluate((element) => getComputedStyle(element).display), "table-footer-group");
    assert.equal(await page.locator("table.amounts").first().evaluate((table) => getComputedStyle(table).breakInside), "avoid");
    const pdf = (await page.pdf({ preferCSSPageSize: true, printBackground: true })).toString("latin1");
    assert.match(pdf, box);
    const pages = (pdf.match(/\/Type\s*\/Page\b/g) ?? []).length;
    assert.ok(pages >= 8 && pages <= 20, `${pages} pages`);
    await page.emulateMedia({ media: "screen" });
  }
  await openPlan(page, planId);
  assert.equal(await page.evaluate(() => document.adoptedStyleSheets.length), 0, "other views are printed as they were");
}));

test("in Spanish, with dates, it adds up and addresses nobody", () => withPage({ locale: "es-MX" }, async (page) => {
  const planId = await openNewPlan(page, { name: "Para el banco" });
  const dated = await api(page, "PATCH", `/api/plans/${planId}`, { openingMonth: "2027-03" });
  assert.equal(dated.status, 200, JSON.stringify(dated));
  await set(page, planId, { [RENT]: 420_000 });
  await print(page, planId, "?paper=a4");
  await addUp(page, planId, "Spanish");
  await reads(page.locator(".print-cover"), /Solicitud.*\$280,000/s);
  await reads(page.locator("[data-part=year1] thead").first(), /Apertura.*Mes 1 \(mar 2027\)/s);
  await reads(page.locator("[data-part=quarters] thead").first(), /Año 2, T1 \(mar 2028\)/);
  await reads(page.locator("[data-result=lowestCashMonth]"), /mes 8 \(oct 2027\)/);
  assert.doesNotMatch(await page.locator(".print-sheet").innerText(), /\busted\b|\bsu (?:plan|negocio|préstamo)\b/i);
  await isAccessible(page, "package in Spanish");
}));

test("the owner's words are printed on request, and a bare yes never", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  model.script([setField(RENT, 4200, "My rent is $4,200/month")], [say("Noted.")]);
  await tell(page, "My rent is $4,200/month");
  await lastAnswer(page, 1);
  await print(page, planId);
  const row = page.locator(`[data-path='${RENT}']`);
  await reads(row, /Sam Rivera, in conversation, \w{3} \d/);
  assert.equal(await row.locator("q").count(), 0);
  await page.getByLabel("With the words behind the numbers").check();
  await reads(row.locator("q"), "My rent is $4,200/month");
}));

test("a plan without figures and a brand without Item 7 are printed as far as they go", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page, { name: "計画".repeat(60) });
  await page.route(`**/api/plans/${planId}/outputs*`, (route) => route.fulfill({ json: { data: null } }));
  await page.goto(`/plans/${planId}/print`);
  await reads(page.locator(".print-sheet"), "This plan has no figures yet.");
  await reads(page.locator(".print-cover h2"), "計画計画");
  await page.unroute(`**/api/plans/${planId}/outputs*`);
  const without = async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(/"item7Range":\{[^}]*\}/g, '"item7Range":null');
    return route.fulfill({ response, body });
  };
  await page.route(`**/api/plans/${planId}`, without);
  await print(page, planId);
  await reads(page.locator("[data-part=item7]"), "gives no range");
  for (const rows of await printed(page)) assert.deepEqual(additionErrors(rows), []);
  await fitsSideways(page, "a long name");
}));

test("worth a second look: what it finds leads to its number, before print and in the results", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await set(page, planId, { [RENT]: 0, "profile.staffCount": 3 });
  model.script([setField("operatingCosts.utilitiesMonthly", 900, "maybe $900 utilities", "tentative")], [say("Shall I?")]);
  await tell(page, "maybe $900 utilities");
  await lastAnswer(page, 1);
  await print(page, planId);
  const look = page.locator(".second-look");
  await reads(look, /Worth a second look \(\d+\)/);
  await reads(look.locator("[data-finding=open]"), "Utilities per month, $900");
  await reads(look.locator("[data-finding=orphan]"), /First month’s rent and two-month deposit|First month's rent and two-month deposit/);
  await reads(look.locator("[data-finding=unused]"), "Number of staff, 3");
  await isAccessible(page, "second look");
  await screenshot(page, "print-second-look");
  await look.locator("[data-finding=orphan] a").click();
  await becomes(() => page.evaluate(() => document.activeElement.closest(".field")?.dataset.path), "startupCosts.rentDeposits");
  await reads(page.locator("details.second-look [data-finding=unused]"), "Number of staff, 3");
  await set(page, planId, { "profile.staffCount": null });
  await page.locator("details.second-look [data-finding=unused]").waitFor({ state: "detached" });
  // What misses a benchmark is in the same list, and each sentence stands once.
  await set(page, planId, { "revenue.monthlyAuv": 3_000_000 });
  await reads(page.locator(".results-panel [data-finding=break_even]"), "You don’t break even within 5 years.");
  await reads(page.locator(".results-panel [data-finding=cover]"), "loan payments");
  await becomes(() => page.locator(".second-look").count(), 1);
  const sentences = await page.locator(".results-panel .second-look li").allInnerTexts();
  assert.equal(new Set(sentences).size, sentences.length);
  await page.locator("details.second-look [data-finding=orphan] a").click();
  await becomes(() => page.evaluate(() => document.activeElement.closest(".field")?.dataset.path), "startupCosts.rentDeposits");
}));

test("where one of loan and share decides, the other follows, in panel and guide", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await set(page, planId, { "financing.downPaymentPct": 0.4 });
  await page.reload();
  await page.locator("[data-section=financing] summary").click();
  const loan = field(page, "financing.loanAmount");
  await reads(loan, /\$222,900.*Follows from “Owner share of total investment”/s);
  await page.locator(".key-number[data-key='financing.loanAmount'] button").click();
  await reads(page.locator(".guide-about"), "Now $222,900, which follows from “Owner share of total investment”.");
  await page.keyboard.press("Escape");
  await loan.locator("button.field-value").click();
  await loan.locator("input").fill("250000");
  await page.keyboard.press("Enter");
  await reads(loan.locator(".field-value"), "$250,000");
  await reads(field(page, "financing.downPaymentPct"), /32\.71%.*Follows from “Loan amount”/s);
}));

test("downloads carry the reader's language, and the page says that it rounds", () => withPage({ locale: "es-MX" }, async (page) => {
  await openNewPlan(page);
  const links = page.locator(".closing a[download]");
  await becomes(() => links.evaluateAll((all) => all.map((link) => new URL(link.href).search)), ["?lang=es", "?lang=es"]);
  await reads(page.locator(".closing"), "se redondean a dólares enteros");
}));
