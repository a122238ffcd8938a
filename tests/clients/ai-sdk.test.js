/**
 * `useChat` as it is published, against a running server: AI_SDK_VERSIONS="5 6" or "7".
 */
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { byteByByte, call, gate, letterByLetter, model, newPlan, RENT, say, setField, UNAVAILABLE, until, wait } from "./support/world.js";
import { load, mount, partsOf, plain, reload, textOf } from "./support/use-chat.js";

before(() => model.listen(Number(process.env.MOCK_LLM_PORT)));
after(() => model.close());
beforeEach(() => model.reset());

const rentIs4200 = [[setField(RENT, 4200, "rent is $4,200/month")], [say("I've noted a rent of $4,200.")]];

for (const version of process.env.AI_SDK_VERSIONS.split(" ")) {
  describe(`ai ${version}`, async () => {
    const kit = await load(version);
    const mounted = async (plan, options) => {
      const chat = mount(kit, plan, options);
      await chat.mounted();
      return chat;
    };

    test("a message streams, its values and results are parts of the answer", async () => {
      const plan = await newPlan();
      const chat = await mounted(plan);
      model.script(...rentIs4200);
      await chat.current().sendMessage({ text: "My rent is $4,200/month" });
      const { messages, status } = await chat.settled();
      assert.equal(status, "ready");
      assert.deepEqual(chat.statuses, ["ready", "submitted", "streaming", "ready"]);
      assert.equal(messages.length, 2);
      const answer = messages[1];
      assert.equal(textOf(answer), "I've noted a rent of $4,200.");
      const [value] = partsOf(answer, "data-extracted-value");
      assert.deepEqual([value.data.field, value.data.value, value.data.status], [RENT, 420_000, "applied"]);
      const [outputs] = partsOf(answer, "data-updated-outputs");
      assert.ok(outputs.data.changes.some((change) => change.metric === "lowestCash"));
      assert.ok(partsOf(answer, "data-missing-fields")[0].data.length > 0);
      assert.equal(answer.metadata.usage.totalTokens, 240);
      assert.equal(await plan.rent(), 420_000);
      const stored = await plan.api("GET", "/chat");
      assert.deepEqual(stored.data[1], plain(answer), "the history is what the stream made");
      model.script([say("You are welcome.")]);
      await chat.current().sendMessage({ text: "Thank you" });
      assert.equal((await chat.settled()).messages.length, 4, "with the whole conversation in the request");
      chat.unmount();
    });

    test("loaded again at every place of the answer it ends with the same message", async () => {
      const plan = await newPlan();
      const { cuts, steps } = letterByLetter("– 4 200 € 💰.");
      model.script([setField(RENT, 4200, "rent is $4,200/month")], steps);
      const chat = await mounted(plan);
      const sent = chat.current().sendMessage({ text: "My rent is $4,200/month" });
      await until("the model answers", () => model.requests.length === 2);
      const reloaded = [];
      let text = "";
      for (const { letter, held } of cuts) {
        const again = await reload(kit, plan, { fetch: reloaded.length % 2 ? byteByByte : undefined });
        await until("it is attached", () => (again.last().role === "assistant" ? textOf(again.last()) : "") === text);
        reloaded.push(again);
        held.open();
        text += letter;
        await until("the letter is there", () => chat.last().role === "assistant" && textOf(chat.last()) === text);
      }
      await sent;
      await chat.settled();
      const whole = plain(chat.last());
      reloaded.push(await reload(kit, plan));
      for (const [nth, again] of reloaded.entries()) {
        await until(`reload ${nth} has the whole answer`, () => again.current().status === "ready" && again.last().metadata?.usage);
        assert.deepEqual(plain(again.last()), whole, `reload ${nth}`);
        assert.equal(again.current().messages.length, 2);
        again.unmount();
      }
      chat.unmount();
    });

    test("a stop keeps the text so far, here and in the history", async () => {
      const plan = await newPlan();
      const chat = await mounted(plan);
      model.script([say("I've no"), wait(gate())]);
      const sent = chat.current().sendMessage({ text: "My rent is $4,200/month" });
      await until("text has come", () => chat.last()?.role === "assistant" && textOf(chat.last()) === "I've no");
      assert.equal((await plan.api("POST", "/conversation/cancel")).status, 204);
      await sent;
      assert.equal((await chat.settled()).status, "ready");
      const again = await reload(kit, plan);
      await again.settled();
      assert.deepEqual(plain(again.last()), plain(chat.last()));
      again.unmount();
      chat.unmount();
    });

    test("a failure is an error with a sentence, and is tried again", async () => {
      const plan = await newPlan();
      const chat = await mounted(plan);
      model.script([call("set_financial_field", "not an object"), say("")]);
      model.down = true;
      await chat.current().sendMessage({ text: "My rent is $4,200/month" });
      const { status, error } = await chat.settled();
      assert.deepEqual([status, error.message], ["error", UNAVAILABLE]);
      model.reset();
      model.script(...rentIs4200);
      await chat.current().regenerate();
      assert.equal(textOf((await chat.settled()).messages.at(-1)), "I've noted a rent of $4,200.");
      assert.equal((await plan.api("GET", "/conversation")).data.length, 2);
      chat.unmount();
    });

    test("the newest answer is asked for again, its message is edited", async () => {
      const plan = await newPlan();
      const chat = await mounted(plan);
      const answers = (text, dollars) => [[setField(RENT, dollars, "rent is")], [say(text)]];
      model.script(...answers("Noted.", 4200), ...answers("Noted again.", 4200), ...answers("More, then.", 4300));
      await chat.current().sendMessage({ text: "My rent is $4,200/month" });
      await chat.settled();
      await chat.current().regenerate();
      assert.equal(textOf((await chat.settled()).messages.at(-1)), "Noted again.");
      const messageId = chat.current().messages[0].id;
      await chat.current().sendMessage({ text: "My rent is $4,300/month", messageId });
      const { messages, status } = await chat.settled();
      assert.deepEqual([status, messages.length, textOf(messages[1])], ["ready", 2, "More, then."]);
      assert.equal(await plan.rent(), 430_000);
      const again = await reload(kit, plan);
      assert.deepEqual((await again.settled()).messages.map(textOf), ["My rent is $4,300/month", "More, then."]);
      for (const one of [chat, again]) one.unmount();
    });

    test("a refusal before the stream is an error with the server's words", async () => {
      const plan = await newPlan();
      const chat = await mounted({ ...plan, id: "another-chat" });
      await chat.current().sendMessage({ text: "Hello" });
      assert.match((await chat.settled()).error.message, /"code":"NOT_FOUND"/);
      chat.unmount();
    });

    test("a proposal is accepted by its id", async () => {
      const plan = await newPlan();
      const chat = await mounted(plan);
      model.script([setField(RENT, 4200, "about $4,200", "tentative")], [say("Shall I write down $4,200?")]);
      await chat.current().sendMessage({ text: "It will be about $4,200" });
      const [proposal] = partsOf((await chat.settled()).messages[1], "data-extracted-value");
      assert.equal(proposal.data.status, "proposed");
      const accepted = await plan.api("POST", `/conversation/extractions/${proposal.id}/accept`);
      assert.equal(accepted.data.extractedValue.status, "accepted");
      assert.equal(await plan.rent(), 420_000);
      const [now] = partsOf((await plan.api("GET", "/chat")).data[1], "data-extracted-value");
      assert.deepEqual([now.id, now.data.status], [proposal.id, "accepted"]);
      chat.unmount();
    });

    test("a broken connection is resumed without a letter lost or doubled", async () => {
      const plan = await newPlan();
      let broken;
      const fetchOnce = (url, init) => {
        if (broken) return fetch(url, init);
        broken = new AbortController();
        return fetch(url, { ...init, signal: AbortSignal.any([broken.signal, init.signal].filter(Boolean)) });
      };
      const chat = await mounted(plan, { fetch: fetchOnce });
      const held = gate();
      model.script([say("The first half"), wait(held), say(" and the second.")]);
      const sent = chat.current().sendMessage({ text: "Hello" });
      await until("text has come", () => chat.last()?.role === "assistant" && textOf(chat.last()) === "The first half");
      broken.abort(new TypeError("network error"));
      await sent;
      await chat.settled();
      const resumed = chat.current().resumeStream();
      await until("it is attached", () => chat.current().status !== "error");
      held.open();
      await resumed;
      await chat.settled();
      // Versions before 7 were seen to go on behind what they have: a page on them loads the history again instead.
      const shown = version !== "7" ? (await plan.api("GET", "/chat")).data.at(-1) : chat.last();
      assert.equal(textOf(shown), "The first half and the second.");
      chat.unmount();
    });

    test("a destructive action waits for its yes", async () => {
      const plan = await newPlan();
      await plan.api("PATCH", "/financial-inputs", { [RENT]: 520_000 });
      const reset = [call("reset_fields_to_defaults", { fields: [RENT] })];
      if (version === "5") {
        const chat = await mounted(plan);
        model.script(reset);
        await chat.current().sendMessage({ text: "Reset my rent" });
        const [asked] = partsOf((await chat.settled()).messages[1], "data-confirmation");
        const settled = await plan.api("POST", "/conversation/confirmation", { id: asked.data.id, decision: "approve" });
        assert.equal(settled.data.decision, "approve");
        assert.notEqual(await plan.rent(), 520_000);
        return chat.unmount();
      }
      const sendAutomaticallyWhen = kit.ai.lastAssistantMessageIsCompleteWithApprovalResponses;
      for (const approved of [false, true]) {
        model.script(reset);
        const options = { query: "?approvals=tool", sendAutomaticallyWhen };
        const chat = await (approved ? reload(kit, plan, options) : mounted(plan, options));
        await chat.settled();
        await chat.current().sendMessage({ text: "Reset my rent" });
        const asking = plain((await chat.settled()).messages.at(-1));
        const [asked] = partsOf(asking, "tool-reset_fields_to_defaults");
        assert.equal(asked.state, "approval-requested");
        const stored = (await plan.api("GET", "/chat?approvals=tool")).data.at(-1);
        const [waiting] = partsOf(stored, "tool-reset_fields_to_defaults");
        assert.deepEqual([waiting.toolCallId, waiting.state, waiting.approval.id], [asked.toolCallId, "approval-requested", asked.approval.id]);
        await chat.current().addToolApprovalResponse({ id: asked.approval.id, approved });
        await until("the answer is there", () => chat.current().status === "ready" && ["output-available", "output-denied"].includes(partsOf(chat.last(), asked.type)[0].state));
        const answer = chat.last();
        assert.equal(answer.id, asking.id, "the same message goes on");
        assert.match(textOf(answer), approved ? /Done\. 1 value is back/ : /All right, nothing was changed\.$/);
        assert.equal((await plan.rent()) === 520_000, !approved);
        chat.unmount();
      }
    });
  });
}
