/** A plain `EventSource` is enough to follow a turn. */
import test from "node:test";
import assert from "node:assert/strict";
import { api, model, openNewPlan, withPage } from "../support/world.js";
import { gate, say, wait } from "../support/mock-model.js";

/** Starts a turn without listening and answers where to listen. */
function start(page, planId, message) {
  return page.evaluate(async ([planId, message]) => {
    const response = await fetch(`/api/plans/${planId}/conversation`, {
      method: "POST", headers: { "content-type": "application/json", prefer: "respond-async" }, body: JSON.stringify({ message }),
    });
    return { status: response.status, location: response.headers.get("location"), turnId: (await response.json()).data.turnId };
  }, [planId, message]);
}

/** Reads with a plain EventSource until the terminal event. */
function listen(page, location) {
  return page.evaluate((url) => new Promise((resolve, reject) => {
    const events = [];
    const source = new EventSource(url);
    source.onmessage = ({ data }) => {
      events.push(JSON.parse(data));
      if (events.at(-1).type === "token") return;
      source.close();
      resolve(events);
    };
    source.onerror = () => source.readyState === EventSource.CLOSED && reject(new Error("the stream was refused"));
  }), location);
}

test("an EventSource follows a turn that was started without listening", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  const held = gate();
  model.script([say("One two"), wait(held), say(" three.")]);
  const { status, location, turnId } = await start(page, planId, "Count");
  assert.equal(status, 202);
  const listening = listen(page, location);
  held.open();
  const events = await listening;
  const text = events.filter((event) => event.type === "token").map((event) => event.content).join("");
  assert.equal(text, "One two three.");
  assert.equal(events.at(-1).type, "done");
  assert.equal(events.at(-1).turnId, turnId);
  assert.equal(events.at(-1).fullResponse, text);

  // The turn has ended: attaching now tells the same.
  const again = await listen(page, location);
  assert.equal(again.filter((event) => event.type === "token").map((event) => event.content).join(""), text);
  assert.equal((await api(page, "GET", `/api/plans/${planId}/conversation`)).data.length, 2);
}));

test("with nothing to follow the EventSource is told to stop", () => withPage({}, async (page) => {
  const planId = await openNewPlan(page);
  await assert.rejects(listen(page, `/api/plans/${planId}/conversation/stream`), /refused/);
}));
