/** What decisions by click have moved, kept so that it is shown again after a reload. Loaded with the conversation only. */
import { localStorageOrNull, name, read, write } from "./storage.js";

/** Decisions whose effect is kept. */
const KEPT = 50;

/** `{valueId: changes}`, the newest of them. */
export const effects = {
  get: (planId) => read(localStorageOrNull(), name("effects", planId)) ?? {},
  keep(planId, ids, changes) {
    const kept = Object.entries(effects.get(planId)).filter(([id]) => !ids.includes(id)).slice(-KEPT);
    write(localStorageOrNull(), name("effects", planId), Object.fromEntries([...kept, ...ids.map((id) => [id, changes])]));
  },
};
