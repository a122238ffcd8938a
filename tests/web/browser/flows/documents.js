/** A plan's documents: made, downloaded, shared with somebody without an account, and taken back. */
import test from "node:test";
import assert from "node:assert/strict";
import { BASE_URL, api, becomes, openNewPlan, reads, screenshot, withPage } from "../support/world.js";

const rows = (page) => page.locator("[data-document]");

test("a PDF is made, shared by a link that is shown once, and the link is taken back", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page, { name: "For the banker" });
  await page.goto(`/plans/${planId}/print`);
  await page.getByRole("button", { name: "Make a PDF" }).click();
  await page.locator("dialog").getByLabel("What it shows").selectOption("summary");
  await page.locator("dialog").getByRole("button", { name: "Make it" }).click();
  await reads(page.locator(".toast.shown"), "The PDF is in the list.");
  await reads(rows(page), "Summary");
  await reads(rows(page), "English · Letter · plan version 1");
  const { data } = await api(page, "GET", `/api/plans/${planId}/documents`);
  assert.equal(await rows(page).getByRole("link", { name: "Download" }).getAttribute("href"), `/api/plans/${planId}/documents/${data[0].id}`);

  await rows(page).getByRole("button", { name: "Share" }).click();
  await page.locator("dialog").getByLabel("It works for").selectOption("30");
  await page.locator("dialog").getByRole("button", { name: "Make the link" }).click();
  await reads(page.locator("dialog"), "it is shown this once");
  const url = await page.locator("dialog .secret").inputValue();
  assert.match(url, new RegExp(`^${BASE_URL}/d/[A-Za-z0-9_-]{43}$`));
  await screenshot(page, "documents-link");
  await page.getByRole("button", { name: "Done" }).click();
  await reads(page.locator("[data-link]"), "opened 0 times");

  const opened = await fetch(url);
  assert.deepEqual([opened.status, opened.headers.get("content-type"), opened.headers.get("set-cookie")], [200, "application/pdf", null]);
  await page.reload();
  await reads(page.locator("[data-link]"), "opened 1 time");
  await screenshot(page, "documents");
  await page.locator("[data-link]").getByRole("button", { name: "Take back" }).click();
  await page.locator("dialog").getByRole("button", { name: "Take back" }).click();
  await becomes(() => page.locator("[data-link]").count(), 0);
  assert.equal((await fetch(url)).status, 404);

  const { data: plan } = await api(page, "GET", `/api/plans/${planId}`);
  const { data: other } = await api(page, "POST", "/api/plans", { name: "Ann 犬", brandId: plan.brandId });
  await page.goto(`/plans/${other.id}/print`);
  await page.getByRole("button", { name: "Make a PDF" }).click();
  await page.locator("dialog").getByRole("button", { name: "Make it" }).click();
  await reads(page.locator(".toast.shown"), "boxes for what its fonts lack: 犬");

  await page.emulateMedia({ media: "print" });
  await becomes(() => page.locator(".print-documents").isVisible(), false);
}));
