import test from "node:test";
import assert from "node:assert/strict";
import { readUserAgent } from "../../../web/user-agent.js";
import { tokenOf } from "../../../web/link-token.js";
import { PASSWORD_LENGTH, passwordProblem } from "../../../web/views/form.js";
import { loadTexts } from "../../../web/texts.js";
import { hostileTexts } from "../support/hostile-texts.js";

const SAFARI = "AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5";
const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0";

test("browsers and systems by the names that people know", () => {
  for (const [header, browser, system] of [
    ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox", "Windows"],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`, "Chrome", "Windows"],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/142.0.0.0`, "Edge", "Windows"],
    [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Safari/605.1.15`, "Safari", "macOS"],
    [`Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${SAFARI} Mobile/15E148 Safari/604.1`, "Safari", "iPhone"],
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.0.0 Mobile/15E148 Safari/604.1", "Chrome", "iPhone"],
    ["Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/140.0 Mobile/15E148 Safari/605.1.15", "Firefox", "iPad"],
    [`Mozilla/5.0 (Linux; Android 15; SM-S931B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`, "Samsung Internet", "Android"],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`, "Chrome", "ChromeOS"],
    [`Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36 OPR/120.0`, "Opera", "Linux"],
    ["curl/8.5.0", "curl", ""], ["python-requests/2.32", "python-requests", ""],
    ["Mozilla/5.0 (compatible)", "", ""], ["", "", ""], [null, "", ""],
  ]) assert.deepEqual(readUserAgent(header), { browser, system }, header);
});

test("whatever a program calls itself, little of it is shown", () => {
  for (const header of [...hostileTexts, "x".repeat(5000)]) assert.match(readUserAgent(header).browser, /^[\w. -]{0,40}$/);
});

test("a link's secret is read from the fragment only", () => {
  assert.equal(tokenOf("#token=abc-_9"), "abc-_9");
  assert.equal(tokenOf("#m-0199c0de-0000-7000-8000-000000000001"), null);
  for (const nothing of ["", "#", "#token=", "#other=x"]) assert.equal(tokenOf(nothing), null, nothing);
});

test("a new password is counted in characters, not in bytes", async () => {
  await loadTexts("account");
  const { min, max } = PASSWORD_LENGTH;
  assert.equal(passwordProblem("水曜日に犬を三匹洗う店"), "");
  assert.equal(passwordProblem("🐕".repeat(min)), "");
  assert.equal(passwordProblem("  spaces  "), "", "spaces count");
  assert.match(passwordProblem("🐕".repeat(min - 1)), /This has 9/);
  assert.match(passwordProblem(""), /Choose a password/);
  assert.equal(passwordProblem("x".repeat(max)), "");
  assert.match(passwordProblem("x".repeat(max + 1)), /at most 128/);
});
