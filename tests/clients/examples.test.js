/** The pages of examples/ in Chromium: rent changing, a proposal accepted, a stop, a reload in mid-answer. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, beforeEach, test } from "node:test";
import { chromium } from "playwright-core";
import { gate, model, RENT, say, setField, wait, BASE_URL } from "./support/world.js";

const served = spawn(process.execPath, ["../../examples/serve.mjs", "0"], { cwd: import.meta.dirname, env: { ...process.env, PLAN_ADVISOR: BASE_URL }, stdio: ["ignore", "pipe", "inherit"] });
let browser;
let url;

before(async () => {
  await model.listen(Number(process.env.MOCK_LLM_PORT));
  const [line] = await once(served.stdout, "data");
  url = /http:\/\/[\d.:]+/.exec(String(line))[0];
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
});
after(async () => {
  served.kill();
  await browser?.close();
  await model.close();
});
beforeEach(() => model.reset());

for (const name of ["use-chat", "ag-ui"]) {
  test(name, async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(20_000);
    const heading = (rent) => page.getByRole("heading", { name: `Rent ${rent} a month` }).waitFor();
    const send = async (text) => {
      await page.getByLabel("Message").fill(text);
      await page.getByRole("button", { name: "Send" }).click();
    };
    await page.goto(`${url}/${name}/`);
    await page.getByRole("heading").waitFor();

    model.script([setField(RENT, 4200, "rent is $4,200/month")], [say("I've noted a rent of $4,200.")]);
    await send("My rent is $4,200/month");
    await heading("$4,200");

    model.script([setField(RENT, 4100, "about $4,100", "tentative")], [say("Shall I write down $4,100?")]);
    await send("It will be about $4,100");
    await page.getByRole("button", { name: /^Accept/ }).click();
    await heading("$4,100");

    model.script([say(`Of that I have, in ${name},`), wait(gate())]);
    await send("And my insurance?");
    await page.getByText(`Of that I have, in ${name},`).waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });

    const held = gate();
    model.script([say(`The first half in ${name}`), wait(held), say(" and the second.")]);
    await send("Go on");
    await page.getByText(`The first half in ${name}`).waitFor();
    await page.reload();
    await page.getByText(`The first half in ${name}`).waitFor();
    held.open();
    await page.getByText(`The first half in ${name} and the second.`).waitFor();
    assert.equal(await page.getByText(`The first half in ${name}`).count(), 1);
    await page.close();
  });
}
