/**
 * The reference client of the planning advisor's API. Take this file and `sse-reader.js`: there is nothing else.
 *
 * ```js
 * import { AdvisorClient } from "./advisor-client.js";
 *
 * const advisor = new AdvisorClient({ baseUrl: "https://advisor.example" });
 * await advisor.login("sam@demo.test", "demo-password-1");
 * const [plan] = await advisor.listPlans();
 *
 * const turn = await advisor.send(plan.id, "My rent is $4,200/month");
 * for await (const event of turn) {
 *   if (event.type === "token") process.stdout.write(event.content);
 *   if (event.type === "done") console.log(event.extractedValues, event.updatedOutputs.changes);
 *   if (event.type === "error") console.error(event.message);
 * }
 * ```
 *
 * Habits worth copying:
 * - Every message carries an `Idempotency-Key`, so sending it again after a lost connection never asks twice.
 * - A stream that breaks is continued with `Last-Event-ID`: no word is lost, none is doubled.
 * - After a reload `attach()` finds the answer that is still being written.
 * - A stream ends with exactly one `done` or `error`. Closing it does *not* stop the advisor; `stop()` does.
 *
 * In a browser the session cookie is the browser's. Elsewhere the client keeps it itself. A program takes a personal access
 * token instead, `new AdvisorClient({ baseUrl, token: "pat_…" })`: every request and stream carries it as a header, and no
 * cookie is sent or kept. What a browser loads by address cannot carry it: `EventSource` (use {@link AdvisorClient.attach}),
 * images and links.
 */
import { SseParser, readEvents } from "./sse-reader.js";

/** A refusal by the API, or a failure to reach it. Branch on `code`, show `message`. */
export class AdvisorError extends Error {
  /**
   * @param {string} message  a sentence for people
   * @param {object} about
   * @param {string} about.code        one of the contract's codes, or NETWORK, CONNECTION_LOST
   * @param {number} [about.status]    the HTTP status, 0 when there was no answer
   * @param {Array}  [about.details]   e.g. `[{field, message}]` or `[{turnId}]`
   * @param {number} [about.retryAfter] seconds to wait, when the server named them
   * @param {string} [about.requestId] quote this when asking for help
   */
  constructor(message, { code, status = 0, details = [], retryAfter = null, requestId = null, cause } = {}) {
    super(message, { cause });
    this.name = "AdvisorError";
    Object.assign(this, { code, status, details, retryAfter, requestId });
  }
}

const LOGIN = "/api/auth/login";
const ME = "/api/auth/me";
const MAX_RECONNECTS = 8;
const LONGEST_WAIT_MS = 10_000;

/**
 * One turn of the conversation: iterate it once to read its events.
 *
 * `id` is the turn's id, `idempotencyKey` the key to send again with after a failure, `replayed` whether the server
 * had already run it, `lastEventId` the cursor of the last event read.
 */
export class Turn {
  lastEventId = "";
  #client;
  #planId;
  #response;
  #again;
  #signal;
  #line = {};
  /** Called with the number of the try before each reconnect, and with 0 when the stream is open again. */
  onReconnect = () => {};

  /** Made by {@link AdvisorClient}; `again` repeats the opening request while no event has been seen. */
  constructor(client, planId, response, { again, idempotencyKey = null, lastEventId = "", signal } = {}) {
    this.#client = client;
    this.#planId = planId;
    this.#response = response;
    this.#again = again;
    this.#signal = signal;
    this.lastEventId = lastEventId;
    this.idempotencyKey = idempotencyKey;
    this.id = response.headers.get("x-turn-id");
    this.replayed = response.headers.get("idempotency-replayed") === "true";
  }

  /**
   * Yields `{type: "token" | "done" | "error", …}` until the terminal event, reconnecting where the line breaks.
   * Throws an {@link AdvisorError} `CONNECTION_LOST` when it cannot be continued: then load the history again.
   */
  async *[Symbol.asyncIterator]() {
    let failures = 0;
    for (;;) {
      const parser = new SseParser();
      try {
        for await (const event of readEvents(this.#response.body, parser, { line: this.#line })) {
          failures = 0;
          this.lastEventId = event.lastEventId;
          const data = JSON.parse(event.data);
          yield data;
          if (data.type !== "token") return;
        }
      } catch (cause) {
        if (this.#signal?.aborted) throw cause;
        if (cause instanceof SyntaxError) throw new AdvisorError("The server sent something that is not an event.", { code: "PROTOCOL", cause });
      }
      // A proxy's limit, a deploy, a tunnel under a river: the turn goes on without us, so we come back for it.
      do {
        failures += 1;
        if (failures > MAX_RECONNECTS) throw lost();
        this.onReconnect(failures);
        await this.#client.pause(backoff(failures, parser.retry), this.#signal);
      } while (!(await this.#reconnect()));
      this.onReconnect(0);
    }
  }

  /** The stream may be dead without an error: it is dropped and opened again behind the last event. */
  hangUp() {
    this.#line.hangUp?.();
  }

  /** Lets go of a turn that will not be read; it runs on without us. */
  discard() {
    this.#response.body.cancel().catch(() => {});
  }

  /** True once a stream is open again, false when it is worth another try. */
  async #reconnect() {
    try {
      this.#response = this.lastEventId === ""
        ? await this.#again()
        : await this.#client.openStream(this.#planId, { lastEventId: this.lastEventId, signal: this.#signal });
    } catch (error) {
      if (this.#signal?.aborted) throw error;
      if (error instanceof AdvisorError && (error.status === 0 || error.status >= 500 || error.status === 429)) return false;
      throw error;
    }
    if (this.#response === null) throw lost();
    return true;
  }
}

export class AdvisorClient {
  #baseUrl;
  #fetch;
  #onUnauthenticated;
  /** Requests under way that give the session a new cookie, and how many have done so. */
  #renewing = 0;
  #renewed = 0;
  /** What is being asked together. */
  #gathered = null;
  #token;
  #cookies;

  /**
   * @param {object} [options]
   * @param {string} [options.baseUrl]  where the API lives; nothing means "the origin of this page"
   * @param {string} [options.token]    a personal access token; without one the session cookie counts
   * @param {typeof fetch} [options.fetch]
   * @param {(ms: number, signal?: AbortSignal) => Promise<void>} [options.pause]  waits between reconnects
   * @param {() => void} [options.onUnauthenticated]  called when a session has ended, before the refusal is thrown
   */
  constructor({ baseUrl = "", token = null, fetch = globalThis.fetch, pause = sleep, onUnauthenticated = () => {} } = {}) {
    this.#onUnauthenticated = onUnauthenticated;
    this.#token = token;
    this.#cookies = token === null && typeof document === "undefined" ? new Map() : null;
    this.#baseUrl = baseUrl.replace(/\/+$/, "");
    this.#fetch = (...args) => fetch(...args);
    this.pause = pause;
  }

  // ---- Session ------------------------------------------------------------------------------------------------

  /** Signs in; answers the user. 401 is the same for an unknown address and a wrong password. */
  login(email, password) {
    return this.#call("POST", LOGIN, { email, password });
  }

  /** Ends the session: null, or `{url}` where the provider of the single sign-on wants to hear of it, too. */
  logout() {
    return this.#call("POST", "/api/auth/logout");
  }

  logoutEverywhere() {
    return this.#call("POST", "/api/auth/logout-everywhere");
  }

  /** `{user, effectiveUser, impersonation}`, or null without a session. Access tokens may not ask (403). */
  async me() {
    try {
      return await this.#call("GET", ME);
    } catch (error) {
      if (error.status === 401) return null;
      throw error;
    }
  }

  /** How one signs in here: `{password, oidc: {label} | null}`. */
  signInMethods() {
    return this.#call("GET", "/api/auth/methods");
  }

  /** Address that begins a single sign-on and comes back to `next`. */
  singleSignOnUrl(next) {
    return `${this.#baseUrl}/api/auth/oidc/start${query({ next })}`;
  }

  /** What an invitation is for: `{email, role, brandName, expiresAt, passwordRequired}`; 404 once it is used or has expired. */
  lookAtInvitation(token) {
    return this.#call("POST", "/api/auth/invitations/look", { token });
  }

  /** Makes the account and signs in; answers the person. */
  acceptInvitation(token, displayName, password = undefined) {
    return this.#call("POST", "/api/auth/invitations/accept", { token, displayName, password });
  }

  /** Sets a new password with a reset link's token, which ends every session; 404 once the link is used or has expired. */
  resetPassword(token, next) {
    return this.#call("POST", "/api/auth/password-reset", { token, next });
  }

  // ---- One's own account --------------------------------------------------------------------------------------

  /** `{user, hasPassword, identities, oidc, createdAt}`. */
  account() {
    return this.#call("GET", "/api/me/account");
  }

  /** Sets a new password; all other sessions end. */
  changePassword(current, next) {
    return this.#call("POST", "/api/auth/password", { current, next }, { renews: true });
  }

  /** Accounts at identity providers that sign one in: `[{id, issuer, label, subject, name, email, linkedBy, createdAt}]`. */
  identities() {
    return this.#call("GET", "/api/me/identities");
  }

  /** Answers `{url}`, where one signs in to connect an account; it comes back to `next`. Who has a password shows it. */
  linkIdentity(next, password = undefined) {
    return this.#call("POST", "/api/auth/oidc/link", { next, password });
  }

  /** Who has a password shows it. */
  unlinkIdentity(identityId, password = undefined) {
    return this.#call("DELETE", `/api/me/identities/${segment(identityId)}`, { password });
  }

  /** Where one is signed in, newest first. */
  sessions() {
    return this.#call("GET", "/api/me/sessions");
  }

  endSession(sessionId) {
    return this.#call("DELETE", `/api/me/sessions/${segment(sessionId)}`);
  }

  /** Personal access tokens, newest first, without their secrets. */
  tokens() {
    return this.#call("GET", "/api/me/tokens");
  }

  /** `{name, scopes, planId?, expiresInDays?}`; only this answer holds the `secret`. */
  createToken(token) {
    return this.#call("POST", "/api/me/tokens", token);
  }

  deleteToken(tokenId) {
    return this.#call("DELETE", `/api/me/tokens/${segment(tokenId)}`);
  }

  /** Address of all that is held about the person, for a link. */
  exportUrl() {
    return `${this.#baseUrl}/api/me/export`;
  }

  /** Removes the account with `{password}`, or shortly after signing in with `{email}`. */
  deleteAccount(proof) {
    return this.#call("DELETE", "/api/me", proof);
  }

  // ---- Plans --------------------------------------------------------------------------------------------------

  listPlans() {
    return this.#call("GET", "/api/plans");
  }

  /** Makes a plan; sent again with the same key it is made once. */
  createPlan(name, brandId, { idempotencyKey = randomKey() } = {}) {
    return this.#call("POST", "/api/plans", { name, brandId }, { headers: { "idempotency-key": idempotencyKey } });
  }

  /** `{name?, openingMonth?}`: what is left out stays; `openingMonth` is "2027-03", or null for none. */
  describePlan(planId, values) {
    return this.#call("PATCH", plan(planId), values);
  }

  /** What the owner tells a lender: `{texts: {team, business, market, customers, loan, risks}, version}`, each text or null. */
  async story(planId) {
    return storyOf(await this.#request("GET", `${plan(planId)}/story`));
  }

  /** Replaces all six texts; one that is left out is removed. With `ifMatch` a story that has changed answers `VERSION_MISMATCH`. */
  async replaceStory(planId, texts, { ifMatch } = {}) {
    const headers = ifMatch === undefined ? {} : { "if-match": `"${ifMatch}"` };
    return storyOf(await this.#request("PUT", `${plan(planId)}/story`, { body: texts, headers }));
  }

  /** The plan; `version` is what `If-Match` wants. */
  plan(planId) {
    return this.#call("GET", plan(planId));
  }

  /** The plan where it is no longer of that version, else null. */
  planUnless(planId, version) {
    return this.#call("GET", plan(planId), undefined, { headers: { "if-none-match": `"${version}"` } });
  }

  deletePlan(planId) {
    return this.#call("DELETE", plan(planId));
  }

  /**
   * Writes fields: cents, decimals, or null to go back to the brand's default. All or nothing.
   * With `ifMatch` (a plan's version) a plan that has changed meanwhile answers `VERSION_MISMATCH`.
   * @returns {Promise<{plan, updatedOutputs, warnings}>}
   */
  updateInputs(planId, values, { ifMatch } = {}) {
    const headers = ifMatch === undefined ? {} : { "if-match": `"${ifMatch}"` };
    return this.#call("PATCH", `${plan(planId)}/financial-inputs`, values, { headers });
  }

  /** The whole projection: metrics, five years, sixty months; of the plan or of one of its scenarios. */
  outputs(planId, scenario = null) {
    return this.#call("GET", `${plan(planId)}/outputs${query({ scenario })}`);
  }

  /** The audit trail, newest first; a page of 50 unless `limit` (up to 500) and `offset` say otherwise. */
  changes(planId, { limit, offset } = {}) {
    return this.#call("GET", `${plan(planId)}/changes${query({ limit, offset })}`);
  }

  /** What the brand has corrected since: `{corrections, version}`; `version` is what {@link leaveCorrections} wants. */
  async corrections(planId) {
    const { data, meta } = await this.#envelope("GET", `${plan(planId)}/corrections`);
    return { corrections: data, version: meta.version };
  }

  /** Leaves corrections of these fields aside, until a later edition corrects them again. No value changes. */
  leaveCorrections(planId, fields, version) {
    return this.#call("POST", `${plan(planId)}/corrections/leave`, { fields, version });
  }

  /** Takes one change back; `CONFLICT` when the field has changed since. */
  undo(planId, changeId) {
    return this.#call("POST", `${plan(planId)}/changes/${segment(changeId)}/undo`);
  }

  /** Takes back what still stands of one turn's changes, or of the group of one change: `{turnId}` or `{changeId}`. */
  undoGroup(planId, group) {
    return this.#call("POST", `${plan(planId)}/changes/undo`, group);
  }

  /** Address of a chart for an `<img>`; the version makes the browser ask again after a change. `lang` is "en" (default) or "es". */
  chartUrl(planId, name, version, lang = null, scenario = null) {
    return `${this.#baseUrl}${plan(planId)}/charts/${segment(name)}.svg${query({ v: version, lang, scenario })}`;
  }

  /** Address of the sixty months as CSV, for a link; of the plan or of one of its scenarios. `lang` is "en" or "es". */
  csvUrl(planId, scenario = null, lang = null) {
    return `${this.#baseUrl}${plan(planId)}/outputs.csv${query({ scenario, lang })}`;
  }

  /** Address of the projection as a workbook, for a link; of the plan or of one of its scenarios. `lang` is "en" or "es". */
  xlsxUrl(planId, scenario = null, lang = null) {
    return `${this.#baseUrl}${plan(planId)}/outputs.xlsx${query({ scenario, lang })}`;
  }

  // ---- Documents ----------------------------------------------------------------------------------------------

  /** `{documents: [{id, kind, paper, lang, planVersion, engineVersion, sha256, bytes, createdAt, createdBy}], canMake, limit}`, newest first. */
  async documents(planId) {
    const { data, meta } = await this.#envelope("GET", documents(planId));
    return { documents: data, ...meta };
  }

  /** Makes a PDF that is kept: `{kind: "package" | "summary", paper: "letter" | "a4", lang: "en" | "es", scenarioIds?}`. */
  makeDocument(planId, wanted, { idempotencyKey = randomKey() } = {}) {
    return this.#call("POST", documents(planId), wanted, { headers: { "idempotency-key": idempotencyKey } });
  }

  /** Address of a document, for a link. */
  documentUrl(planId, id) {
    return this.#baseUrl + documents(planId, id);
  }

  /** `[{id, createdAt, expiresAt, expired, opened, lastOpenedAt, createdBy}]`, newest first. */
  documentLinks(planId, id) {
    return this.#call("GET", documents(planId, id, "links"));
  }

  /** A link for people without an account, for 1 to 30 days; `url` is shown this once. */
  shareDocument(planId, id, expiresInDays) {
    return this.#call("POST", documents(planId, id, "links"), { expiresInDays });
  }

  unshareDocument(planId, id, linkId) {
    return this.#call("DELETE", documents(planId, id, "links", linkId));
  }

  // ---- Scenarios ----------------------------------------------------------------------------------------------

  /** `[{id, name, overrides, createdAt, updatedAt}]`, oldest first. */
  scenarios(planId) {
    return this.#call("GET", `${plan(planId)}/scenarios`);
  }

  createScenario(planId, name, overrides) {
    return this.#call("POST", `${plan(planId)}/scenarios`, { name, overrides });
  }

  /** `{name?, overrides?}`: what is left out stays. */
  replaceScenario(planId, scenarioId, values) {
    return this.#call("PUT", `${plan(planId)}/scenarios/${segment(scenarioId)}`, values);
  }

  deleteScenario(planId, scenarioId) {
    return this.#call("DELETE", `${plan(planId)}/scenarios/${segment(scenarioId)}`);
  }

  /** Writes a scenario's values into the plan; answers as {@link updateInputs}. */
  adoptScenario(planId, scenarioId, { ifMatch } = {}) {
    const headers = ifMatch === undefined ? {} : { "if-match": `"${ifMatch}"` };
    return this.#call("POST", `${plan(planId)}/scenarios/${segment(scenarioId)}/adopt`, undefined, { headers });
  }

  /** The projection of the plan with other values; nothing is stored. */
  whatIf(planId, overrides) {
    return this.#call("POST", `${plan(planId)}/what-if`, { overrides });
  }

  /** The plan in the cases that a lender asks about: `[{kind, name, metrics}]`; of the plan or of one of its scenarios. */
  cases(planId, scenario = null, lang = null) {
    return this.#call("GET", `${plan(planId)}/cases${query({ scenario, lang })}`);
  }

  /** What each field moves: `{metric, step, base, items}`, largest effect first. */
  sensitivity(planId, { metric, step } = {}) {
    return this.#call("GET", `${plan(planId)}/sensitivity${query({ metric, step })}`);
  }

  /** The value of the field `path` with which `metric` reaches `target`: `{outcome, value, result, base}`. */
  goalSeek(planId, { metric, target, path }) {
    return this.#call("POST", `${plan(planId)}/goal-seek`, { metric, target, path });
  }

  /** The field catalogue; with a plan also what its brand brings. Labels and help are in English, or in `lang`. */
  fields(planId, lang) {
    return this.#call("GET", `/api/fields${query({ planId, lang: lang === "en" ? undefined : lang })}`);
  }

  /** The metric catalogue: what the figures of a projection are called and mean. */
  metrics() {
    return this.#call("GET", "/api/metrics");
  }

  listBrands() {
    return this.#call("GET", "/api/brands");
  }

  brand(brandId) {
    return this.#call("GET", `/api/brands/${segment(brandId)}`);
  }

  /** A brand with its version, which `If-Match` wants: `{brand, version}`. */
  async brandEdition(brandId) {
    const response = await this.#request("GET", `/api/brands/${segment(brandId)}`);
    return { brand: (await response.json()).data, version: tagOf(response) };
  }

  /** Writes a brand as a whole; plans that exist keep what they were made with. With `ifMatch` an older version is refused. */
  replaceBrand(brand, { ifMatch } = {}) {
    return this.#call("PUT", `/api/brands/${segment(brand.id)}`, brand, { headers: ifMatching(ifMatch) });
  }

  /** What publishing a brand would do, and a new plan of it: `{movedDefaults, plans, sample}`. Stores nothing. */
  previewBrand(brand, { ifMatch } = {}) {
    return this.#call("POST", `/api/brands/${segment(brand.id)}/preview`, brand, { headers: ifMatching(ifMatch) });
  }

  /** A brand's editions, newest first: `[{id, version, publishedAt, publishedBy}]`. */
  brandEditions(brandId) {
    return this.#call("GET", `/api/brands/${segment(brandId)}/editions`);
  }

  /** The document of one edition. */
  brandDocument(brandId, editionId) {
    return this.#call("GET", `/api/brands/${segment(brandId)}/editions/${segment(editionId)}`);
  }

  /** The people of a brand: `[{id, displayName, role, joinedAt, invitedAs, disabled}]`. */
  brandMembers(brandId) {
    return this.#call("GET", `/api/brands/${segment(brandId)}/members`);
  }

  /** Which plan the user last talked about: its id, or null. */
  async activePlan() {
    return (await this.#call("GET", "/api/me/active-plan"))?.planId ?? null;
  }

  setActivePlan(planId) {
    return this.#call("PUT", "/api/me/active-plan", { planId });
  }

  // ---- The conversation ---------------------------------------------------------------------------------------

  /**
   * Sends a message and answers a {@link Turn} as soon as the server has taken it.
   *
   * A refusal (`TURN_IN_PROGRESS`, `RATE_LIMITED`, …) is thrown; a failure of the model is an `error` event of the
   * turn. To try again, send the same text with the same key: what has run is replayed, what runs is joined, what
   * failed runs again.
   * @param {object} [options]
   * @param {string} [options.idempotencyKey]  made up when absent
   * @param {string} [options.replaces]        the newest stored turn, to take this message's place
   * @param {AbortSignal} [options.signal]     stops listening, not the advisor
   */
  async send(planId, message, { idempotencyKey = randomKey(), replaces, signal } = {}) {
    const open = () => this.#open("POST", `${plan(planId)}/conversation`, {
      body: replaces ? { message, replaces } : { message }, headers: { "idempotency-key": idempotencyKey }, signal,
    });
    return new Turn(this, planId, await open(), { again: open, idempotencyKey, signal });
  }

  /**
   * Joins the turn that is running on this plan, from its first word or after `lastEventId`. Null when there is
   * nothing to join. This is what a page does when it loads.
   */
  async attach(planId, { lastEventId = "", signal } = {}) {
    const open = () => this.openStream(planId, { lastEventId, signal });
    const response = await open();
    return response && new Turn(this, planId, response, { again: open, lastEventId, signal });
  }

  /** The raw stream behind {@link attach}: a response, or null for 204. */
  openStream(planId, { lastEventId = "", signal } = {}) {
    const headers = lastEventId === "" ? {} : { "last-event-id": lastEventId };
    return this.#open("GET", `${plan(planId)}/conversation/stream`, { headers, signal });
  }

  /**
   * Starts a turn without listening: `{turnId, location}`. Give `location` to a plain `EventSource`, and close that
   * on `done` or `error`. An `EventSource` sends no token: with one, {@link attach} instead.
   */
  async start(planId, message, { idempotencyKey = randomKey() } = {}) {
    const response = await this.#request("POST", `${plan(planId)}/conversation`, {
      body: { message }, headers: { prefer: "respond-async", "idempotency-key": idempotencyKey },
    });
    const { data } = await response.json();
    return { turnId: data.turnId, location: response.headers.get("location") };
  }

  /**
   * Stops the running turn: null once it has ended and nothing more is applied, `{state: "stopping"}` where that takes longer than two
   * seconds: its stream says how it ends. What has been said stays in the history; no value is applied. Where the answer was stored
   * before it could be stopped, it throws a `CONFLICT` with the turn's `done` event as `details[0]`.
   */
  stop(planId) {
    return this.#call("POST", `${plan(planId)}/conversation/cancel`);
  }

  /**
   * The conversation so far, oldest first: `{messages, totalTokensUsed, total, nextBefore}`.
   * With `limit` the newest ones; pass `nextBefore` as `before` for those above. With the `tag` of an earlier answer as
   * `unless` the answer is null while nothing has changed.
   */
  async history(planId, { limit, before, unless = null } = {}) {
    const headers = unless === null ? {} : { "if-none-match": unless };
    const response = await this.#request("GET", `${plan(planId)}/conversation${query({ limit, before })}`, { headers });
    if (response.status === 304) return null;
    const { data, meta = {} } = await response.json();
    return { totalTokensUsed: 0, total: data.length, nextBefore: null, ...meta, messages: data, tag: response.headers.get("etag") };
  }

  clearHistory(planId) {
    return this.#call("DELETE", `${plan(planId)}/conversation`);
  }

  /** Blanks what was said; numbers, times and changes stay. */
  eraseWords(planId) {
    return this.#call("POST", `${plan(planId)}/conversation/erase`);
  }

  /** Puts a proposed value into the plan, as it is or corrected: `{extractedValue, updatedOutputs}`. */
  accept(planId, extractionId, value) {
    const body = value === undefined ? undefined : { value };
    return this.#call("POST", `${plan(planId)}/conversation/extractions/${segment(extractionId)}/accept`, body);
  }

  dismiss(planId, extractionId) {
    return this.#call("POST", `${plan(planId)}/conversation/extractions/${segment(extractionId)}/dismiss`);
  }

  /** Values of the plan that wait for an answer, oldest first. */
  proposals(planId) {
    return this.#call("GET", `${plan(planId)}/proposals`);
  }

  /** Decides on several at once, all or none: `{extractedValues, updatedOutputs}`. */
  resolveProposals(planId, { accept = [], dismiss = [] }) {
    return this.#call("POST", `${plan(planId)}/proposals/resolve`, { accept, dismiss });
  }

  /** The destructive action that waits for a word of the user, or null. */
  confirmation(planId) {
    return this.#call("GET", `${plan(planId)}/conversation/confirmation`);
  }

  approve(planId, id) {
    return this.#call("POST", `${plan(planId)}/conversation/confirmation`, { id, decision: "approve" });
  }

  deny(planId, id) {
    return this.#call("POST", `${plan(planId)}/conversation/confirmation`, { id, decision: "deny" });
  }

  /** Stored prompts, newest first: `{prompts, total}`. Filters: ids, planId, state, before, after, limit, offset. */
  async prompts(filters = {}) {
    const { data, meta = {} } = await this.#envelope("GET", `/api/prompts${query(filters)}`);
    return { prompts: data, total: meta.total ?? data.length };
  }

  status() {
    return this.#call("GET", "/api/status");
  }

  // ---- Administration -----------------------------------------------------------------------------------------

  findUsers(email) {
    return this.#call("GET", `/api/admin/users${query({ email })}`);
  }

  /** `{role?, brandId?, disabled?}`; answers the person. Disabling ends sessions and tokens. */
  updateUser(userId, values) {
    return this.#call("PATCH", `/api/admin/users/${segment(userId)}`, values);
  }

  /** A link with which the person sets a new password: `{url, expiresAt}`. An earlier one ends. */
  createPasswordReset(userId) {
    return this.#call("POST", `/api/admin/users/${segment(userId)}/password-reset`);
  }

  /** As {@link identities}, of a person. */
  identitiesOf(userId) {
    return this.#call("GET", `/api/admin/users/${segment(userId)}/identities`);
  }

  unlinkIdentityOf(userId, identityId) {
    return this.#call("DELETE", `/api/admin/users/${segment(userId)}/identities/${segment(identityId)}`);
  }

  /** Approves the link that another administrator has made for an administrator. */
  approvePasswordReset(userId) {
    return this.#call("POST", `/api/admin/users/${segment(userId)}/password-reset/approval`);
  }

  /** Removes a person for good; `email` is their address, typed once more. */
  removeUser(userId, email) {
    return this.#call("DELETE", `/api/admin/users/${segment(userId)}`, { email });
  }

  /** Invitations that were not accepted, newest first. */
  invitations() {
    return this.#call("GET", "/api/admin/invitations");
  }

  /** `{email, role, brandId?}`; only this answer holds the `url`. */
  invite(invitation) {
    return this.#call("POST", "/api/admin/invitations", invitation);
  }

  deleteInvitation(invitationId) {
    return this.#call("DELETE", `/api/admin/invitations/${segment(invitationId)}`);
  }

  /** As {@link eraseWords}, for a plan of somebody else. */
  eraseWordsOf(planId) {
    return this.#call("POST", `/api/admin/plans/${segment(planId)}/erase-words`);
  }

  /** Acts for a franchisee for at most an hour; "read" looks, "edit" also writes. The reason is recorded. */
  impersonate(userId, reason, mode = "read") {
    return this.#call("POST", "/api/admin/impersonation", { userId, reason, mode }, { renews: true });
  }

  endImpersonation() {
    return this.#call("DELETE", "/api/admin/impersonation", undefined, { renews: true });
  }

  // ---- The wire -----------------------------------------------------------------------------------------------

  /**
   * Asks in one request what `ask` begins to read before it returns, and answers what `ask` does. Each answer comes, or fails, as if it
   * had been asked for alone.
   */
  together(ask) {
    const gathered = this.#gathered = [];
    try {
      return ask();
    } finally {
      this.#gathered = null;
      this.#askTogether(gathered);
    }
  }

  async #askTogether(gathered) {
    const paths = gathered.map(({ path }) => path).join(",");
    try {
      const response = await this.#fetch(`${this.#baseUrl}/api/batch${query({ paths })}`, this.#plain("GET"));
      if (!response.ok) return gathered.forEach(({ resolve }) => resolve(response.clone()));
      const { data } = await response.json();
      for (const [at, { status, etag, body }] of data.entries()) {
        gathered[at].resolve(new Response(body === null ? null : JSON.stringify(body), { status, headers: etag ? { etag } : {} }));
      }
    } catch (cause) {
      for (const { reject } of gathered) reject(cause);
    }
  }

  #plain(method, headers = {}, signal = undefined) {
    const request = { method, headers: { accept: "application/json", ...headers }, signal, credentials: "same-origin", cache: "no-store" };
    if (this.#baseUrl !== "") request.credentials = "include";
    if (this.#token !== null) {
      request.credentials = "omit";
      request.headers.authorization = `Bearer ${this.#token}`;
    }
    if (this.#cookies?.size) request.headers.cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return request;
  }

  async #call(method, path, body, options) {
    return (await this.#envelope(method, path, body, options))?.data ?? null;
  }

  async #envelope(method, path, body, options = {}) {
    const response = await this.#request(method, path, { ...options, body });
    return response.status === 204 || response.status === 304 ? null : response.json();
  }

  async #open(method, path, options) {
    const response = await this.#request(method, path, {
      ...options, headers: { accept: "text/event-stream", ...options.headers },
    });
    return response.status === 204 ? null : response;
  }

  async #request(method, path, { body, headers = {}, signal, renews = false } = {}) {
    const renewed = this.#renewed;
    const request = this.#plain(method, headers, signal);
    if (body !== undefined) {
      request.headers["content-type"] = "application/json";
      request.body = JSON.stringify(body);
    }
    const gathered = method === "GET" && !signal && Object.keys(headers).length === 0 ? this.#gathered : null;
    let response;
    if (renews) this.#renewing += 1;
    try {
      response = await (gathered ? new Promise((resolve, reject) => gathered.push({ path, resolve, reject })) : this.#fetch(this.#baseUrl + path, request));
    } catch (cause) {
      if (signal?.aborted) throw cause;
      throw new AdvisorError("The server cannot be reached. Check your connection.", { code: "NETWORK", cause });
    } finally {
      if (renews) [this.#renewing, this.#renewed] = [this.#renewing - 1, this.#renewed + 1];
    }
    this.#keepCookies(response);
    if (response.ok || response.status === 304) return response;
    // With a cookie from before "View or act" or "Stop" a request is refused, and no session has ended.
    const isOld = !renews && (this.#renewing > 0 || this.#renewed !== renewed);
    if (response.status === 401 && !isOld && path !== LOGIN && path !== ME) this.#onUnauthenticated();
    throw await refusal(response);
  }

  #keepCookies(response) {
    for (const line of this.#cookies ? response.headers.getSetCookie() : []) {
      const [pair] = line.split(";");
      const equals = pair.indexOf("=");
      const value = pair.slice(equals + 1);
      if (value === "" || /;\s*max-age=0/i.test(line)) this.#cookies.delete(pair.slice(0, equals));
      else this.#cookies.set(pair.slice(0, equals), value);
    }
  }
}

/** An idempotency key: unique, and nothing more. */
export function randomKey() {
  // `randomUUID` exists in secure contexts only, and a demo may be opened over plain http from another machine.
  if (globalThis.crypto.randomUUID) return globalThis.crypto.randomUUID();
  return [...globalThis.crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The version is that of the texts, not of the plan. */
async function storyOf(response) {
  const { data } = await response.json();
  return { texts: data, version: tagOf(response) };
}

function tagOf(response) {
  return (response.headers.get("etag") ?? "").replace(/^(?:W\/)?"|"$/g, "");
}

function ifMatching(version) {
  return version === undefined ? {} : { "if-match": `"${version}"` };
}

async function refusal(response) {
  // A proxy in between may answer in HTML; its words are not for the user.
  const { error } = await response.json().catch(() => ({})) ?? {};
  return new AdvisorError(error?.message ?? `The server answered ${response.status}.`, {
    code: error?.code ?? "HTTP_ERROR",
    status: response.status,
    details: error?.details ?? [],
    retryAfter: Number(response.headers.get("retry-after")) || null,
    requestId: response.headers.get("x-request-id"),
  });
}

function lost() {
  return new AdvisorError("The connection was lost. Your message is safe.", { code: "CONNECTION_LOST" });
}

/** First at once, then doubling, with jitter so that a thousand pages do not come back in the same instant. */
function backoff(failures, serverRetry) {
  if (failures === 1) return 0;
  const base = Math.min(LONGEST_WAIT_MS, (serverRetry ?? 1000) * 2 ** (failures - 2));
  return base * (0.5 + Math.random() / 2);
}

function sleep(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
  });
}

function plan(planId) {
  return `/api/plans/${segment(planId)}`;
}

function documents(planId, ...rest) {
  return [plan(planId), "documents", ...rest.map(segment)].join("/");
}

function segment(value) {
  return encodeURIComponent(value);
}

function query(parameters) {
  const pairs = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))}`;
}
