/**
 * The documents of a plan, above its print: PDFs that never change, each with the links by which somebody without an account
 * reads it.
 */
import { h, icon, put } from "../dom.js";
import { withNeeds } from "../needs.js";
import { formatTime, visible } from "../format.js";
import { errorText } from "../errors.js";
import { randomKey } from "../advisor-client.js";
import { currentLanguage, parts, t } from "../texts.js";
import { dialog } from "./dialogs.js";
import { secretDialog } from "./form-dialog.js";

const KINDS = ["package", "summary"];
const PAPERS = ["letter", "a4"];
const LANGUAGES = ["en", "es"];
const DAYS = [1, 7, 14, 30];
const USUAL_DAYS = 14;

export class DocumentsPart {
  #context;
  #planId;
  #scenarios;
  #list = h("ul", { class: "rows" });
  #title = h("h2", { id: "documents-title", tabindex: "-1" }, t("documents.title"));
  #make = h("button", { type: "button", class: "quiet", onclick: () => this.#ask() }, t("documents.make"));

  /** `scenarios` are those that a new document shows beside the usual cases. */
  constructor(context, planId, scenarios) {
    this.element = h("section", { class: "print-documents print-hint", "aria-labelledby": "documents-title", hidden: true });
    this.#context = context;
    this.#planId = planId;
    this.#scenarios = scenarios;
    this.element.append(this.#title, h("p", { class: "soft" }, t("documents.help")), this.#list, h("div", { class: "actions" }, this.#make));
  }

  /** Shows what there is; nothing of it where the server makes no documents and has none. */
  async load() {
    const [{ documents, canMake }] = await Promise.all([this.#context.client.documents(this.#planId), withNeeds("account")]);
    this.element.hidden = !canMake && documents.length === 0;
    this.#make.hidden = !canMake;
    this.#list.hidden = documents.length === 0;
    put(this.#list, documents.map((entry) => this.#row(entry)));
  }

  #row(entry) {
    const { id, kind, paper, lang, planVersion, createdAt, createdBy } = entry;
    const about = [t(`documents.lang.${lang}`), t(`documents.paper.${paper}`), t("documents.version", { version: planVersion }), formatTime(createdAt), createdBy && visible(createdBy.displayName)];
    const links = h("ul", { class: "document-links" });
    const share = h("button", { type: "button", class: "quiet small", onclick: () => this.#share(entry, links) }, icon("link"), t("documents.share"));
    this.#showLinks(entry, links).catch(() => {});
    return h("li", { "data-document": id },
      h("div", { class: "row-words" }, h("p", {}, h("b", {}, t(`documents.kind.${kind}`))), h("p", { class: "soft", dir: "auto" }, about.filter(Boolean).join(" · ")), links),
      h("div", { class: "actions" },
        h("a", { class: "quiet button small", href: this.#context.client.documentUrl(this.#planId, id), download: true }, t("documents.download")), share));
  }

  async #showLinks(entry, list) {
    const links = await this.#context.client.documentLinks(this.#planId, entry.id);
    list.hidden = links.length === 0;
    put(list, links.map((link) => h("li", { "data-link": link.id },
      h("span", { class: "soft" }, t(link.expired ? "documents.link.since" : "documents.link.until", { time: formatTime(link.expiresAt) }), " · ", t("documents.link.opened", { count: link.opened })),
      h("button", { type: "button", class: "quiet small", onclick: () => this.#revoke(entry, link, list) }, t("documents.revoke")))));
  }

  #ask() {
    const kind = select(KINDS.map((key) => [key, t(`documents.kind.${key}`)]), "package");
    const paper = select(PAPERS.map((key) => [key, t(`documents.paper.${key}`)]), currentLanguage() === "es" ? "a4" : "letter");
    const lang = select(LANGUAGES.map((key) => [key, t(`documents.lang.${key}`)]), currentLanguage());
    const boxes = this.#scenarios.map(({ id, name }) => [h("input", { type: "checkbox", value: id }), visible(name)]);
    // One key for the window: trying again never makes a second one.
    const key = randomKey();
    let made;
    dialog(t("documents.make"), t("documents.make.button"), [
      labelled(t("documents.kind"), kind), labelled(t("documents.paper"), paper), labelled(t("documents.lang"), lang),
      boxes.length > 0 && h("fieldset", { class: "choices" }, h("legend", {}, t("documents.scenarios")), boxes.map(([box, name]) => h("label", {}, box, h("span", { dir: "auto" }, name)))),
      h("p", { class: "soft" }, t("documents.make.help")),
    ], async () => {
      made = await this.#context.client.makeDocument(this.#planId, {
        kind: kind.value, paper: paper.value, lang: lang.value, scenarioIds: boxes.map(([box]) => box).filter((box) => box.checked).map((box) => box.value),
      }, { idempotencyKey: key });
    }, { then: () => this.#reload(made.unprintable ? t("documents.made.without", { letters: made.unprintable }) : t("documents.made")) });
  }

  #share(entry, list) {
    const days = select(DAYS.map((count) => [String(count), t("documents.days", { count })]), String(USUAL_DAYS));
    let made;
    dialog(t("documents.share.title"), t("documents.share.button"), [labelled(t("documents.share.days"), days), h("p", { class: "soft" }, t("documents.share.help"))], async () => {
      made = await this.#context.client.shareDocument(this.#planId, entry.id, Number(days.value));
    }, { then: () => {
      this.#showLinks(entry, list).catch(() => {});
      secretDialog(t("documents.link.title"), t("documents.link.once", { time: formatTime(made.expiresAt) }), t("documents.link"), new URL(made.url, location.href).href);
    } });
  }

  #revoke(entry, link, list) {
    const revoke = () => this.#context.client.unshareDocument(this.#planId, entry.id, link.id).catch((error) => { if (error.status !== 404) throw error; });
    dialog(t("documents.revoke.title"), t("documents.revoke"), [h("p", {}, parts("documents.revoke.question", { time: h("b", {}, formatTime(link.createdAt)) }))], revoke, { danger: true, then: () => {
      this.#title.focus();
      this.#showLinks(entry, list).catch((error) => this.#context.toast.show(errorText(error)));
    } });
  }

  #reload(words) {
    this.load().then(() => { this.#title.focus(); this.#context.toast.show(words); }, (error) => this.#context.toast.show(errorText(error)));
  }
}

function select(options, chosen) {
  return h("select", {}, options.map(([value, words]) => h("option", { value, selected: value === chosen }, words)));
}

function labelled(words, control) {
  return h("label", { class: "form-field" }, h("span", {}, words), h("div", { class: "select" }, control));
}
