/**
 * What this browser remembers: drafts, messages on their way, and what was skipped among the key numbers.
 *
 * Drafts and choices stay until they are used, their owner signs out or somebody else signs in; messages on their way belong to the tab, so that
 * no other one takes them for failed. Storage may be forbidden or full: then a reload forgets them.
 */
let person = "";

/**
 * Whose things these are. What others left here goes, whose session ended by itself: the next person at this browser does not
 * find it. An administrator who acts for somebody keeps their own.
 */
export function rememberFor(userId, signedInId = userId) {
  person = userId;
  forget((owner) => owner !== userId && owner !== signedInId);
}

/** Forgets all that this person left here. */
export function forgetAll() {
  forget((owner) => owner === person);
}

function forget(isMeant) {
  attempt(() => {
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage)) if (key.startsWith("pa:") && isMeant(key.split(":")[1])) storage.removeItem(key);
    }
  });
}

/** When the password reset was that the person has been told of in this browser. */
export const seenReset = {
  get: () => read(localStorageOrNull(), name("seen-reset", "")),
  set: (at) => write(localStorageOrNull(), name("seen-reset", ""), at),
};

export const drafts = {
  get: (planId) => read(localStorageOrNull(), name("draft", planId)) ?? "",
  set: (planId, text) => write(localStorageOrNull(), name("draft", planId), text === "" ? null : text),
};

/** Key numbers the user did not know yet or skipped: `{path: "unknown" | "skipped"}`. */
export const putOff = {
  get: (planId) => read(localStorageOrNull(), name("put-off", planId)) ?? {},
  set: (planId, paths) => write(localStorageOrNull(), name("put-off", planId), paths),
};

/** Values tried out and not saved: `{path: value}`. */
export const tryouts = {
  get: (planId) => read(localStorageOrNull(), name("what-if", planId)) ?? {},
  set: (planId, values) => write(localStorageOrNull(), name("what-if", planId), Object.keys(values).length === 0 ? null : values),
};

/** Messages that were sent and are not known to be stored: `[{text, key, turnId, replaces}]`, oldest first. */
export const outbox = {
  get: (planId) => read(sessionStorageOrNull(), name("outbox", planId)) ?? [],
  keep(planId, message) {
    const others = outbox.get(planId).filter((entry) => entry.key !== message.key);
    write(sessionStorageOrNull(), name("outbox", planId), [...others, message]);
  },
  drop(planId, key) {
    const left = outbox.get(planId).filter((entry) => entry.key !== key);
    write(sessionStorageOrNull(), name("outbox", planId), left.length === 0 ? null : left);
  },
};

export function name(what, planId) {
  return `pa:${person}:${what}:${planId}`;
}

export function read(storage, key) {
  return attempt(() => JSON.parse(storage.getItem(key)));
}

export function write(storage, key, value) {
  attempt(() => (value === null ? storage.removeItem(key) : storage.setItem(key, JSON.stringify(value))));
}

export function localStorageOrNull() {
  return attempt(() => localStorage);
}

function sessionStorageOrNull() {
  return attempt(() => sessionStorage);
}

function attempt(act) {
  try {
    return act();
  } catch {
    return null;
  }
}
