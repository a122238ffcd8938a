/**
 * Reads a `text/event-stream` by the rules of the WHATWG standard, from any byte stream.
 *
 * Why not `EventSource`: it can only GET, and a chat message is a POST. Why not `split("\n\n")`: lines may end in
 * CR, LF or CRLF, a chunk may end anywhere (inside a line ending, inside a character), one event may carry several
 * `data:` lines, and a block that only moves the cursor has no data at all. All of that is a few lines, here.
 *
 * No dependencies; runs in browsers and in Node.
 */

/**
 * @typedef {object} SseEvent
 * @property {string} type         the `event:` name, or "message"
 * @property {string} data         the `data:` lines joined by LF
 * @property {string} lastEventId  the cursor to resume from; sticky, so it may come from an earlier block
 */

export class SseParser {
  /** The cursor for `Last-Event-ID`. It moves on every blank line, also where a block had no data. */
  lastEventId = "";
  /** Reconnection time asked for by the server in milliseconds, or null. */
  retry = null;

  #decoder = new TextDecoder(); // strips one leading BOM, and keeps half characters for the next chunk
  #line = "";
  #endedInCr = false;
  #data = null;
  #type = "";
  #idBuffer = "";

  /**
   * Takes the next chunk and returns the events it completed. An event that is still open when the stream ends is
   * never returned: the standard discards it, because it may be incomplete.
   * @param {Uint8Array | string} chunk
   * @returns {SseEvent[]}
   */
  push(chunk) {
    const text = typeof chunk === "string" ? chunk : this.#decoder.decode(chunk, { stream: true });
    const events = [];
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code !== 10 && code !== 13) {
        this.#endedInCr = false;
        continue;
      }
      // The LF of a CRLF whose CR has already ended the line, perhaps in the chunk before.
      if (code === 10 && this.#endedInCr) {
        this.#endedInCr = false;
        start = at + 1;
        continue;
      }
      const event = this.#takeLine(this.#line + text.slice(start, at));
      if (event) events.push(event);
      this.#line = "";
      this.#endedInCr = code === 13;
      start = at + 1;
    }
    this.#line += text.slice(start);
    return events;
  }

  #takeLine(line) {
    if (line === "") return this.#dispatch();
    if (line.startsWith(":")) return null; // a comment only keeps the connection open
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? "" : line.slice(colon + 1);
    if (value.startsWith(" ")) value = value.slice(1);
    if (name === "data") this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
    else if (name === "event") this.#type = value;
    else if (name === "id" && !value.includes("\0")) this.#idBuffer = value;
    else if (name === "retry" && /^[0-9]+$/.test(value)) this.retry = Number(value);
    return null;
  }

  #dispatch() {
    this.lastEventId = this.#idBuffer;
    const event = this.#data === null ? null : { type: this.#type || "message", data: this.#data, lastEventId: this.lastEventId };
    this.#data = null;
    this.#type = "";
    return event;
  }
}

/** Milliseconds without a byte after which a stream is taken for dead; the server sends a comment every 15 s. */
export const SILENCE = 40_000;

/**
 * Yields the events of a `ReadableStream` of bytes, such as `response.body`. Leaving the loop cancels the stream.
 * @param {ReadableStream<Uint8Array>} stream
 * @param {SseParser} [parser] give one to look at its cursor or `retry` meanwhile
 * @param {object} [options]
 * @param {number} [options.silence] milliseconds without a byte after which it throws: a phone that wakes up on a dead
 *   connection gets no error from it
 * @param {{hangUp?: () => void}} [options.line] gets `hangUp`, which makes it throw at once
 * @returns {AsyncGenerator<SseEvent>}
 */
export async function* readEvents(stream, parser = new SseParser(), { silence = SILENCE, line = {} } = {}) {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), silence, line);
      if (done) return;
      yield* parser.push(value);
    }
  } finally {
    // A stream that broke cannot be cancelled again; that second failure does not matter.
    reader.cancel().catch(() => {});
  }
}

async function inTime(promise, limit, line) {
  let timer;
  const late = new Promise((_, reject) => {
    line.hangUp = () => reject(new Error("the stream is silent"));
    timer = setTimeout(line.hangUp, limit);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
