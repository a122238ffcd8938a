/**
 * All that has to be known before a plan can be used, asked for in one request: for whoever waits long for each answer. What its panels
 * show beside it comes after.
 */
import { PAGE } from "./history.js";

/** Promises: who is here, their plans, whether an answer is being written, the conversation and what waits in it. */
export function firstLook(client, planId) {
  const asked = client.together(() => ({
    me: client.me(),
    plans: client.listPlans(),
    // Asked before the conversation: an answer that ends in between is then in it.
    running: client.prompts({ planId, state: "running", limit: 1 }),
    messages: client.history(planId, { limit: PAGE }),
    proposals: client.proposals(planId),
    confirmation: client.confirmation(planId),
  }));
  // Whoever needs one of them hears of its failure.
  for (const one of Object.values(asked)) one.catch(() => {});
  return { planId, ...asked };
}
