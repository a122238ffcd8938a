/** Inviting people and looking after them: what an administrator and a franchisor do, and what the invited meet. */
import test from "node:test";
import assert from "node:assert/strict";
import { becomes, isAccessible, reads, screenshot, signIn, withPage, api } from "../support/world.js";
import { OWN_PASSWORD, elsewhere, enter, invite, newAccount, newAddress, removeAccount } from "../support/people.js";

const PHONE = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true };
const dialog = (page) => page.locator("dialog");
const person = (page, email) => page.locator(`[data-person="${email}"]`);

async function openPeople(page) {
  await signIn(page, "admin@demo.test");
  await page.locator("[data-person]").first().waitFor();
}

async function manage(page, email, action) {
  await person(page, email).locator("summary").click();
  await person(page, email).getByRole("button", { name: action }).click();
}

test("an administrator invites a franchisee, who opens an account on a phone and begins a plan", () => withPage({}, async (page) => {
  const email = newAddress();
  // Nothing may be copied by this browser.
  await page.addInitScript(() => { Object.defineProperty(navigator, "clipboard", { value: undefined }); document.execCommand = () => false; });
  await openPeople(page);
  await page.getByRole("button", { name: "Invite…" }).click();
  await page.getByRole("button", { name: "Create invitation" }).click();
  await reads(dialog(page).getByRole("alert"), "Enter your email.");
  await dialog(page).getByLabel("Email").fill("sam@demo.test");
  await page.getByRole("button", { name: "Create invitation" }).click();
  await reads(dialog(page).getByRole("alert"), "This email has an account or an open invitation already.");
  await dialog(page).getByLabel("Email").fill(email);
  await dialog(page).getByLabel("Franchisor").check();
  await page.getByRole("button", { name: "Create invitation" }).click();
  await reads(dialog(page).getByRole("alert"), "A franchisor needs a brand.");
  await dialog(page).getByLabel("Franchisee").check();
  await dialog(page).getByLabel("Brand").selectOption({ index: 1 });
  await page.getByRole("button", { name: "Create invitation" }).click();
  const link = await dialog(page).getByLabel("Invitation link").inputValue();
  await page.getByRole("button", { name: "Copy" }).click();
  await reads(dialog(page).getByRole("status"), "press");
  assert.equal(await page.evaluate(() => document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)), link, "what cannot be copied is selected");
  assert.match(await dialog(page).getByRole("link", { name: "Open in my mail program" }).getAttribute("href"), /^mailto:newcomer/);
  await page.keyboard.press("Escape");
  await dialog(page).getByRole("button", { name: "Done" }).click();
  await reads(page.locator("[data-invitation]").first(), email);

  await elsewhere(page, async (phone) => {
    await phone.goto(link);
    await phone.locator("form").waitFor();
    await becomes(() => phone.url(), /\?view=invitation$/, "the secret has left the address");
    await reads(phone.locator(".facts"), email);
    await phone.getByRole("button", { name: "Create account" }).click();
    await reads(phone.getByRole("alert"), "Enter your name.");
    await phone.getByLabel("Your name").fill("Nora Lindqvist");
    await phone.getByLabel("Choose a password").fill("short");
    await phone.getByRole("button", { name: "Create account" }).click();
    await reads(phone.getByRole("alert"), "Use at least 10 characters. This has 5.");
    await phone.getByLabel("Choose a password").fill("password123");
    await phone.getByRole("button", { name: "Create account" }).click();
    await reads(phone.getByRole("alert"), "easy to guess");
    await phone.getByLabel("Choose a password").fill(OWN_PASSWORD);
    await phone.getByRole("button", { name: "Show" }).click();
    assert.equal(await phone.getByLabel("Choose a password").getAttribute("type"), "text");
    assert.equal(await phone.getByLabel("Your name").inputValue(), "Nora Lindqvist", "nothing typed is lost");
    await phone.getByRole("button", { name: "Create account" }).click();
    await phone.getByRole("button", { name: "Create your first plan" }).click();
    await phone.getByLabel("Name").fill("Nora’s salon");
    await phone.getByRole("button", { name: "Create plan" }).click();
    await reads(phone.locator(".welcome"), "Hello Nora.");
    await reads(phone.locator(".welcome"), "You are talking to software, not a person.");
    await phone.goto("about:blank");
    await phone.goto(link);
    await reads(phone.locator(".link-end"), "It was used already, or it has expired.");
  }, PHONE);

  await page.reload();
  await reads(person(page, email), "Nora Lindqvist");
  await becomes(() => page.locator("[data-invitation]").filter({ hasText: email }).count(), 0);
}));

test("who is signed in already is told before another account is opened, and a link that is not there says so", () => withPage({}, async (page) => {
  const { email, link } = await invite();
  await signIn(page, "sam@demo.test");
  await page.goto(link);
  await reads(page.locator(".notice"), `This browser is signed in as Sam Rivera. Creating the account signs you in as ${email} instead.`);
  await page.reload();
  await reads(page.locator(".link-end"), "Open it once more from the message you got.");
  await page.goto("/?view=invitation#token=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
  await reads(page.locator(".link-end"), "This invitation can’t be used any more");
  await page.goto("/?view=password-reset#token=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
  await page.getByLabel("New password").fill(OWN_PASSWORD);
  await page.getByRole("button", { name: "Save new password" }).click();
  await reads(page.locator(".link-end"), "It works once, for one hour.");
}));

test("a lost link is replaced, and an invitation can be taken back", () => withPage({}, async (page) => {
  const { email, link } = await invite();
  await openPeople(page);
  await page.getByRole("button", { name: `New link: ${email}` }).click();
  await page.getByRole("button", { name: "Create new link" }).click();
  const second = await page.getByLabel("Invitation link").inputValue();
  assert.notEqual(second, link);
  await dialog(page).getByRole("button", { name: "Done" }).click();
  await elsewhere(page, async (other) => {
    await other.goto(link);
    await reads(other.locator(".link-end"), "This invitation can’t be used any more");
    await other.goto("about:blank");
    await other.goto(second);
    await reads(other.locator(".facts"), email);
  });
  await page.getByRole("button", { name: `Delete: ${email}` }).click();
  await dialog(page).getByRole("button", { name: "Delete" }).click();
  await reads(page.locator(".toast.shown"), `The invitation of ${email} is deleted.`);
  await elsewhere(page, async (other) => {
    await other.goto(second);
    await reads(other.locator(".link-end"), "This invitation can’t be used any more");
  });
}));

test("somebody is disabled, enabled, given another role and removed", () => withPage({}, async (page) => {
  const email = await newAccount({ name: "Otto Berg" });
  await openPeople(page);
  await manage(page, email, "Disable…");
  await becomes(() => page.evaluate(() => document.activeElement.textContent), "Cancel", "nothing is disabled by a key pressed too long");
  await page.keyboard.press("Enter");
  await becomes(() => page.evaluate(() => document.activeElement.textContent), "More for Otto Berg", "and the focus is back where it was");
  await manage(page, email, "Disable…");
  await dialog(page).getByRole("button", { name: "Disable", exact: true }).click();
  await reads(person(page, email), "Disabled");
  await elsewhere(page, async (other) => {
    await other.goto("/");
    await enter(other, email, OWN_PASSWORD);
    await reads(other.locator("#sign-in-problem"), "That email and password don’t match.");
  });
  await manage(page, email, "Enable");
  await reads(page.locator(".toast.shown"), "Otto Berg can sign in again.");
  await becomes(() => person(page, email).locator(".state").count(), 0);
  await manage(page, email, "Change role and brand…");
  await dialog(page).getByLabel("Franchisor").check();
  await dialog(page).getByLabel("Brand").selectOption("");
  await page.getByRole("button", { name: "Save" }).click();
  await reads(dialog(page).getByRole("alert"), "A franchisor needs a brand.");
  await dialog(page).getByLabel("Brand").selectOption({ index: 1 });
  await page.getByRole("button", { name: "Save" }).click();
  await reads(person(page, email).locator(".person-role"), "Franchisor");
  await page.reload();
  await reads(person(page, email).locator(".person-role"), "Franchisor");
  await manage(page, email, "Remove…");
  await dialog(page).locator("input").fill("otto@example.test");
  await page.getByRole("button", { name: "Remove for good" }).click();
  await reads(dialog(page).getByRole("alert"), `That is not ${email}.`);
  await dialog(page).locator("input").fill(email.toUpperCase());
  await page.getByRole("button", { name: "Remove for good" }).click();
  await person(page, email).waitFor({ state: "detached" });
  await page.reload();
  await page.locator("[data-person]").first().waitFor();
  await becomes(() => person(page, email).count(), 0);
  await becomes(() => person(page, "admin@demo.test").locator("summary").count(), 0, "nobody takes rights from themselves");
}));

test("a link sets a new password, once", () => withPage({}, async (page) => {
  const email = await newAccount();
  await openPeople(page);
  await manage(page, email, "Password reset link…");
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await page.getByLabel("Link for a new password").inputValue();
  await screenshot(page, "password-reset-link-light");
  await dialog(page).getByRole("button", { name: "Done" }).click();
  await elsewhere(page, async (other) => {
    await other.goto(link);
    await becomes(() => other.url(), /\?view=password-reset$/);
    await other.getByLabel("New password").fill("velvet comet 17 harbor");
    await other.getByRole("button", { name: "Save new password" }).click();
    await reads(other.locator(".notice"), "Your new password is saved.");
    await enter(other, email, "velvet comet 17 harbor");
    await other.locator(".top-bar").waitFor();
  });
}));

test("a link for an administrator waits for another one, and the person is told who made it", () => withPage({}, async (page) => {
  const target = await newAccount({ name: "Bo Lund", role: "platform_admin" });
  const second = await newAccount({ name: "Cy Moreau", role: "platform_admin" });
  await openPeople(page);
  await manage(page, target, "Password reset link…");
  await page.getByRole("button", { name: "Create link" }).click();
  await reads(dialog(page), "the link opens nothing until another administrator approves it.");
  const link = await page.getByLabel("Link for a new password").inputValue();
  await dialog(page).getByRole("button", { name: "Done" }).click();
  await manage(page, target, "Approve reset link…");
  await dialog(page).getByRole("button", { name: "Approve" }).click();
  await reads(dialog(page).getByRole("alert"), "Another administrator has to approve the link that you made.");
  await page.keyboard.press("Escape");
  await elsewhere(page, async (other) => {
    await other.goto(link);
    await other.getByLabel("New password").fill("velvet comet 17 harbor");
    await other.getByRole("button", { name: "Save new password" }).click();
    await reads(other.getByRole("alert"), "A second administrator has to approve this link before it opens anything.");
    await elsewhere(page, async (approver) => {
      await approver.goto("/");
      await enter(approver, second, OWN_PASSWORD);
      await approver.locator("[data-person]").first().waitFor();
      await manage(approver, target, "Approve reset link…");
      await dialog(approver).getByRole("button", { name: "Approve" }).click();
      await reads(approver.locator(".toast.shown"), "The link for Bo Lund works now.");
      await manage(approver, target, "Approve reset link…");
      await dialog(approver).getByRole("button", { name: "Approve" }).click();
      await reads(dialog(approver).getByRole("alert"), "No link waits for approval.");
    });
    await other.getByRole("button", { name: "Save new password" }).click();
    await reads(other.locator(".notice"), "Your new password is saved.");
    await enter(other, target, "velvet comet 17 harbor");
    const told = other.locator("[data-part=reset-notice]");
    await reads(told, "a link that Avery Stone had made was used to choose a new password for your account.");
    await isAccessible(other);
    await screenshot(other, "reset-notice-light");
    await told.getByRole("button", { name: "I have read it" }).click();
    await other.reload();
    await other.locator(".top-bar").waitFor();
    await becomes(() => told.count(), 0, "it is said until it is read");
  });
  await removeAccount(target);
  await removeAccount(second);
}));

test("an administrator sees and removes what signs somebody in", () => withPage({}, async (page) => {
  let identities = [{ id: "0199c0de-0000-7000-8000-0000000000aa", issuer: "https://id.test", label: "Acme", subject: "s", name: "Mallory", email: "mallory@evil.example", linkedBy: "hand", createdAt: new Date().toISOString() }];
  await page.route("**/api/admin/users/*/identities**", (route) => {
    if (route.request().method() === "GET") return route.fulfill({ json: { data: identities } });
    identities = [];
    return route.fulfill({ status: 204 });
  });
  await openPeople(page);
  await manage(page, "riley@demo.test", "Single sign-on…");
  await reads(dialog(page), "mallory@evil.example");
  await dialog(page).getByRole("button", { name: "Disconnect" }).click();
  await reads(dialog(page), "No account at the sign-in service");
  assert.deepEqual(identities, []);
  await dialog(page).getByRole("button", { name: "Close" }).click();
  await becomes(() => dialog(page).count(), 0);
}));

test("a franchisor invites franchisees of its brand and sees nobody", () => withPage({}, async (page) => {
  const { link } = await invite({ email: newAddress() });
  assert.ok(link);
  await signIn(page, "morgan@demo.test");
  await page.locator(".top-bar > .menu summary").click();
  await page.getByRole("link", { name: "People" }).click();
  await reads(page.locator("h1"), "People");
  await becomes(() => page.locator("[data-person], [data-invitation]").count(), 0, "neither people nor other invitations");
  await page.getByRole("button", { name: "Invite…" }).click();
  await becomes(() => dialog(page).locator("select, input[type=radio]").count(), 0);
  const email = newAddress();
  await dialog(page).getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Create invitation" }).click();
  await page.getByLabel("Invitation link").waitFor();
  await dialog(page).getByRole("button", { name: "Done" }).click();
  await reads(page.locator("[data-invitation]"), "Franchisee");
  await isAccessible(page, "a franchisor's invitations");
  const { data: [invitation] } = await api(page, "GET", "/api/admin/invitations");
  assert.equal(invitation.email, email);
  assert.ok(invitation.brandId);
  assert.equal((await api(page, "DELETE", `/api/admin/invitations/${invitation.id}`)).status, 204);
}));
