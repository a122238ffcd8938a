/**
 * Six texts for a lender, each optional. They are saved together over the version that was opened; where somebody else has saved
 * meanwhile nothing is lost: both texts stand here until the owner decides.
 */
import { h, put } from "../dom.js";
import { visible } from "../format.js";
import { errorText } from "../errors.js";
import { STORY } from "../paper/front.js";
import { LIMIT, lengthOf, mergeStories } from "../paper/story-merge.js";
import { follow, planPath } from "../router.js";
import { t } from "../texts.js";
import { printsPlan } from "../views/print-summary.js";
import { TopBar } from "../views/top-bar.js";

export function storyScreen(context) {
  const { client, session, toast } = context;
  const readOnly = session.impersonation?.mode === "read" || (session.user.role === "platform_admin" && !session.impersonation);
  const boxes = new Map(STORY.map((key) => [key, storyBox(key, { readOnly, oninput: () => told() })]));
  const problem = h("p", { class: "problem", role: "alert" });
  const save = h("button", { type: "submit", class: "primary" }, t("story.save"));
  const state = h("span", { class: "soft", role: "status" });
  const [back, print] = ["print.back", "story.print"].map((key) => h("a", { class: "quiet button", onclick: follow }, t(key)));
  let opened = { texts: {}, version: undefined };
  let shown = null;
  const mine = () => Object.fromEntries([...boxes].map(([key, box]) => [key, box.value]));
  const isChanged = () => STORY.some((key) => mine()[key] !== (opened.texts[key] ?? ""));
  const told = () => put(state, isChanged() && t("story.unsaved"));
  const warn = (event) => { if (isChanged()) event.preventDefault(); };
  const left = new AbortController();
  addEventListener("beforeunload", warn, { signal: left.signal });

  const write = async () => {
    const texts = mine();
    const tooLong = [...boxes.values()].find((box) => box.isTooLong);
    if (tooLong) return tooLong.focus();
    save.disabled = true;
    put(problem);
    try {
      opened = await client.replaceStory(shown, Object.fromEntries(STORY.map((key) => [key, texts[key].trim() === "" ? null : texts[key]])), { ifMatch: opened.version });
      // As it is stored, unless something was typed meanwhile.
      for (const [key, box] of boxes) box.settle(box.value === texts[key] ? opened.texts[key] ?? "" : box.value);
      toast.show(t("story.saved"));
    } catch (error) {
      if (error.code === "VERSION_MISMATCH") await bothTexts().catch((cause) => put(problem, errorText(cause)));
      else if (error.status !== 401) put(problem, errorText(error));
    }
    save.disabled = false;
    told();
  };

  const bothTexts = async () => {
    const theirs = await client.story(shown);
    const { texts, differing } = mergeStories(opened.texts, mine(), theirs.texts);
    opened = theirs;
    for (const [key, box] of boxes) box.settle(texts[key], differing[key]);
    put(problem, t("story.conflict"));
    (boxes.get(Object.keys(differing)[0]) ?? boxes.get(STORY[0])).focus();
  };

  const heading = h("p", { class: "soft", dir: "auto" });
  const element = h("div", { class: "screen" }, new TopBar(context).element,
    h("main", { class: "page story-page", "aria-labelledby": "story-title" },
      h("header", { class: "page-head" }, h("h1", { id: "story-title" }, t("story.title")), print, back),
      heading, h("p", { class: "soft" }, t("story.help")),
      h("form", { novalidate: true, onsubmit: (event) => { event.preventDefault(); if (!save.disabled) write(); } },
        problem, [...boxes.values()].map((box) => box.element), !readOnly && h("div", { class: "actions story-actions" }, save, state))));
  return {
    element,
    close: () => left.abort(),
    takes: ({ view, planId }) => view === "story" && planId === shown,
    async go({ planId }) {
      if (planId === shown) return;
      const [plan, story] = await Promise.all([client.plan(planId), client.story(planId)]);
      shown = planId;
      opened = story;
      back.href = planPath(planId);
      print.href = planPath(planId, "print");
      put(heading, visible(plan.name) || t("plan.unnamed"));
      document.title = `${t("story.title")} · ${t("title.app")}`;
      for (const [key, box] of boxes) box.settle(story.texts[key] ?? "");
      told();
      // Printed from here it is the summary of the plan with the texts as they are stored.
      printsPlan(context, element, planId, { signal: left.signal, more: () => ({ story: opened.texts }) }).catch(() => {});
    },
  };
}

/** One text with its counter and, where somebody else has written one too, that beside it. */
function storyBox(key, { readOnly, oninput }) {
  const count = h("p", { class: "soft story-count", id: `story-${key}-count` });
  const theirs = h("div", { class: "story-theirs", hidden: true });
  const area = h("textarea", { id: `story-${key}`, rows: "5", readonly: readOnly, "aria-describedby": count.id, dir: "auto", oninput: () => { look(); oninput(); } });
  const isTooLong = () => lengthOf(area.value) > LIMIT;
  const look = () => {
    const over = lengthOf(area.value) - LIMIT;
    area.setAttribute("aria-invalid", String(over > 0));
    count.classList.toggle("problem", over > 0);
    put(count, over > 0 ? t("story.long", { count: over }) : t("story.count", { number: lengthOf(area.value), limit: LIMIT }));
  };
  const use = (text) => { area.value = text; theirs.hidden = true; look(); oninput(); area.focus(); };
  return {
    element: h("div", { class: "story-box", "data-story": key }, h("label", { for: area.id }, t(`story.${key}`)), area, count, theirs),
    get value() { return area.value; },
    get isTooLong() { return isTooLong(); },
    focus: () => area.focus(),
    /** Shows a text; `stored` is the one that somebody else has saved beside it. */
    settle(text, stored = undefined) {
      if (area.value !== text) area.value = text;
      theirs.hidden = stored === undefined;
      put(theirs, stored !== undefined && [h("p", {}, t(stored === "" ? "story.removed" : "story.theirs")), stored !== "" && h("blockquote", { dir: "auto" }, stored),
        h("button", { type: "button", class: "quiet small", onclick: () => use(stored) }, t("story.take"))]);
      look();
    },
  };
}
