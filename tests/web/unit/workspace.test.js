/** What a turn moved stays marked, whichever reads the plan first: the turn's own read or the regular look. */
import test from "node:test";
import assert from "node:assert/strict";
import { loadAllTexts } from "../../../web/texts.js";
import { Workspace } from "../../../web/workspace.js";

await loadAllTexts();
const RENT = "operatingCosts.rentMonthly";

/** A server with one plan, whose answers can be held back one by one. */
class Server {
  version = 1;
  rent = 450_000;
  #held = [];
  isHolding = false;

  answer(value) {
    return this.isHolding ? new Promise((resolve) => this.#held.push(() => resolve(value))) : Promise.resolve(value);
  }

  /** Holds what is asked from now on; answers how to let it go. */
  hold() {
    this.#held = [];
    this.isHolding = true;
    const held = this.#held;
    return () => { for (const go of held) go(); };
  }

  goOn() {
    this.isHolding = false;
  }

  write(rent) {
    this.rent = rent;
    this.version += 1;
  }

  metrics = () => this.answer([]);
  fields = () => this.answer([{ path: RENT, label: "Rent per month", kind: "money", core: true }]);
  brand = () => this.answer({ parameters: {}, startupCostTemplate: [] });
  plan = () => this.answer({ id: "p", brandId: "b", version: this.version, financialInputs: { [RENT]: { currentValue: this.rent, source: "user_entry" } } });
  planUnless = (_, version) => this.answer(version === this.version ? null : this.version);
  changes = () => this.answer([]);
  outputs = () => this.answer({ metrics: { lowestCash: -this.rent } });
}

async function opened() {
  const server = new Server();
  const workspace = new Workspace(server);
  await workspace.open("p", { id: "s", name: "Sam", isReader: true });
  server.write(420_000);
  return { server, workspace };
}

const marks = (workspace) => [[...workspace.moved.fields], workspace.moved.metrics.get("lowestCash")?.before];
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a look that ends after the turn's own read leaves its marks", async () => {
  const { server, workspace } = await opened();
  const look = workspace.refresh({ ifChanged: true });
  const go = server.hold();
  await settled(); // the look knows that there is something new and reads it, which takes long
  server.goOn();
  await workspace.absorb("p", [RENT]);
  assert.deepEqual(marks(workspace), [[RENT], -450_000]);
  go();
  assert.equal(await look, false);
  assert.deepEqual(marks(workspace), [[RENT], -450_000]);
});

test("a look that ends before the turn's own read has marked the same", async () => {
  const { workspace } = await opened();
  assert.equal(await workspace.refresh({ ifChanged: true }), true);
  await workspace.absorb("p", [RENT]);
  assert.deepEqual(marks(workspace), [[RENT], -450_000]);
  // The next turn that changes nothing leaves nothing marked.
  await workspace.absorb("p", []);
  assert.deepEqual(marks(workspace), [[], undefined]);
});
