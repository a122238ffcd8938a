/**
 * The stored conversation of one plan, as much of it as has been read: its newest page always, older ones on demand.
 *
 * It is asked again every few seconds; while nothing has changed the answer is a short no.
 */
export const PAGE = 50;
const LARGEST_PAGE = 100;

export class History {
  /** Oldest first. */
  messages = [];
  /** Where the older messages begin, or null when all are here. */
  before = null;
  #client;
  #planId;
  /** What waits in the whole plan, also where its message is not read yet; null before the first look. */
  #waiting = null;
  /** What a turn that has just ended said, until the conversation has been read again. */
  #ended = { turnId: null, extractedValues: [] };
  #tag = null;
  #reading = null;

  constructor(client, planId) {
    this.#client = client;
    this.#planId = planId;
  }

  /** Reads the newest page; answers whether anything has changed. `given` has it, and what waits, on the way already. */
  async sync(given = null) {
    const page = await (given?.messages ?? this.#client.history(this.#planId, { limit: PAGE, unless: this.#tag }));
    // Before the first message the tag does not move with what an assistant proposes.
    if (page === null) return this.messages.length === 0 && this.#readWaiting();
    this.#tag = page.tag;
    const [first] = page.messages;
    const overlap = first ? this.messages.findIndex((message) => message.id === first.id) : -1;
    // What was read before the page stays, unless the conversation was cleared or has moved on by more than a page.
    this.messages = overlap > 0 ? [...this.messages.slice(0, overlap), ...page.messages] : page.messages;
    if (overlap <= 0) this.before = page.nextBefore;
    await this.#readWaiting(given?.proposals);
    return true;
  }

  /** Answers whether anything has changed. */
  async #readWaiting(asked = this.#client.proposals?.(this.#planId)) {
    const before = JSON.stringify(this.#waiting);
    // Where it fails the messages at hand say what waits, as far as they go.
    this.#waiting = await asked?.catch(() => null) ?? null;
    return JSON.stringify(this.#waiting) !== before;
  }

  /** Reads the page before; answers its messages. Whoever asks while one is on its way gets that one. */
  async older(limit = PAGE) {
    if (this.before === null) return [];
    this.#reading ??= this.#readOlder(limit).finally(() => { this.#reading = null; });
    return this.#reading;
  }

  async #readOlder(limit) {
    const { before } = this;
    const page = await this.#client.history(this.#planId, { limit, before });
    // The conversation was cleared or replaced meanwhile: these are not the messages before what is here now.
    if (this.before !== before) return [];
    this.messages = [...page.messages, ...this.messages];
    this.before = page.nextBefore;
    return page.messages;
  }

  /** Reads everything, or until `enough(messages)`. */
  async all(enough = () => false) {
    while (this.before !== null && !enough(this.messages)) await this.older(LARGEST_PAGE);
  }

  has(turnId) {
    return this.messages.some((message) => message.turnId === turnId);
  }

  /** Its values wait from now on: an answer that could be given before the next look would be drawn anew under the reader's fingers. */
  ended(turnId, extractedValues) {
    this.#ended = { turnId, extractedValues };
  }

  /** Values that wait for an answer, newest first, with their message where it is read. */
  openProposals() {
    const seen = new Set();
    const open = [];
    const unread = this.has(this.#ended.turnId) ? [] : [this.#ended];
    for (const message of [...this.messages, ...unread].reverse()) {
      const values = message.extractedValues ?? [];
      const waiting = values.filter((value) => value.status === "proposed" && !seen.has(value.field));
      open.push(...waiting.map((value) => ({ value, message: message === this.#ended ? null : message })));
      for (const value of values) seen.add(value.field);
    }
    const read = new Set(this.messages.flatMap((message) => message.extractedValues ?? []).map((value) => value.id));
    for (const value of [...this.#waiting ?? []].reverse()) {
      // What an assistant proposes belongs to no message. It waits as long as nothing else has set the field.
      if (read.has(value.id) || (seen.has(value.field) && !value.author?.isAssistant)) continue;
      seen.add(value.field);
      open.push({ value: { ...value, status: "proposed", note: null }, message: null });
    }
    return open;
  }

  /** Who wrote the message that this value was heard in, where that was not the plan's owner; null else. */
  authorOf({ id }) {
    const answer = this.messages.find((message) => message.extractedValues?.some((value) => value.id === id));
    return this.messages.find((message) => message.role === "user" && message.turnId === answer?.turnId)?.author ?? null;
  }

  /** Whether a later message was about the field of this open value: then that one counts, and this one is not asked again. */
  isOvertaken(value) {
    return value.status === "proposed" && this.messages.some((message) => message.extractedValues?.some((entry) => entry.id === value.id))
      && !this.openProposals().some((open) => open.value.id === value.id);
  }

  /** Whether this value, asked about and settled without a click, was given by a later message. */
  isGivenLater(value) {
    const at = this.messages.findIndex((message) => message.extractedValues?.some((entry) => entry.id === value.id));
    return value.status === "dismissed" && this.messages.slice(at + 1).some((message) => message.extractedValues?.some((entry) =>
      entry.field === value.field && entry.value === value.value && ["applied", "accepted", "unchanged"].includes(entry.status)));
  }

  /** The newest stored exchange: `{turnId, question}`, or null. */
  newestTurn() {
    const answer = this.messages.at(-1);
    const question = this.messages.findLast((message) => message.role === "user" && message.turnId === answer?.turnId);
    return answer && question ? { turnId: answer.turnId, question } : null;
  }
}
