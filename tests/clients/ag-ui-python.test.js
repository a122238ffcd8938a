/** The types of ag-ui-protocol, as it is on PyPI: they write the request and read every event. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { BASE_URL, model, newPlan, RENT, say, setField } from "./support/world.js";

before(() => model.listen(Number(process.env.MOCK_LLM_PORT)));
after(() => model.close());

test("a run is read with the protocol's own types", async () => {
  const plan = await newPlan();
  model.script([setField(RENT, 4200, "rent is $4,200/month")], [say("I've noted – $4,200.")]);
  const script = [new URL("read_run.py", import.meta.url).pathname, `${BASE_URL}${plan.path}/ag-ui`, plan.cookie, plan.id, "My rent is $4,200/month"];
  const { stdout } = await promisify(execFile)(process.env.PYTHON, script);
  const run = JSON.parse(stdout);
  assert.deepEqual([run.types[0], run.types.at(-1), run.outcome], ["RUN_STARTED", "RUN_FINISHED", "success"]);
  assert.equal(run.text, "I've noted – $4,200.");
  assert.ok(run.delta.some((operation) => operation.path === `/values/${RENT}` && operation.value === 420_000));
});
