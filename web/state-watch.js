/**
 * Whether something is wrong that the user should know: the server cannot be reached, or the advisor does not answer.
 * A failure counts until an answer has come, or the server has said for a while that the advisor is well.
 */
const BELIEVED_MS = 30_000;
const LOOK_MS = 15_000;

export class StateWatch {
  #client;
  #show;
  #model = "ok";
  #isConnected = true;
  #failedAt = null;
  #askedAt = 0;

  /** `show(state)` is given "", "offline", "unconfigured" or "reconnecting". */
  constructor(client, show) {
    this.#client = client;
    this.#show = show;
  }

  /** An answer has come (true) or failed (false). */
  noteAdvisor(isWell) {
    this.#failedAt = isWell ? null : Date.now();
    if (isWell) this.#model = "ok";
    this.#tell();
  }

  noteConnection(isThere) {
    this.#isConnected = isThere;
    this.#tell();
  }

  /** Asks now and then, while something is wrong with the advisor. */
  async look() {
    const isWell = this.#model === "ok" && this.#failedAt === null;
    if (!isWell && Date.now() - this.#askedAt > LOOK_MS) await this.ask();
  }

  async ask() {
    this.#askedAt = Date.now();
    const status = await this.#client.status().catch(() => null);
    if (status === null) return;
    this.#model = status.model;
    if (status.model === "ok" && this.#failedAt !== null && Date.now() - this.#failedAt > BELIEVED_MS) this.#failedAt = null;
    this.#tell();
  }

  #tell() {
    const advisor = this.#model === "unconfigured" ? "unconfigured" : this.#model !== "ok" || this.#failedAt !== null ? "offline" : "";
    this.#show(this.#isConnected ? advisor : "reconnecting");
  }
}
