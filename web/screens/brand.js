/**
 * A brand's desk: its defaults, published ranges, names and help, its startup costs, its editions, and a plan as a new franchisee
 * begins with it. Publishing makes a new edition, which plans that exist do not take over. Never a plan and never a conversation:
 * those belong to the franchisees, and the server would refuse them anyway.
 */
import { h, put } from "../dom.js";
import { visible } from "../format.js";
import { errorText } from "../errors.js";
import { currentLanguage, t } from "../texts.js";
import { BrandDraft } from "../brand/draft.js";
import { BrandEditor } from "../brand/editor.js";
import { leaveDialog } from "../brand/publish.js";
import { TopBar } from "../views/top-bar.js";

export function brandScreen(context) {
  return new BrandScreen(context);
}

class BrandScreen {
  #context;
  #editor = null;
  #brandId = null;
  #page = h("main", { class: "page brand-page" });
  #choice = h("div", { class: "page brand-choice", hidden: true });
  #warn = (event) => { if (this.isEdited) event.preventDefault(); };

  constructor(context) {
    this.#context = context;
    this.element = h("div", { class: "screen" }, new TopBar(context).element, this.#choice, this.#page);
    addEventListener("beforeunload", this.#warn);
  }

  get isEdited() {
    return (this.#editor?.unpublished ?? 0) > 0;
  }

  takes({ planId, view }) {
    return planId === null && view === "brand";
  }

  async go() {
    document.title = t("title.app");
    const { client, session } = this.#context;
    const { role, brandId } = session.user;
    if (this.#editor) return;
    if (role !== "platform_admin") {
      if (brandId) return this.#open(brandId);
      return put(this.#page, h("h1", {}, t("brand.none")), h("p", {}, t("brand.none.help")));
    }
    const brands = await client.listBrands();
    if (brands.length === 0) return put(this.#page, h("h1", {}, t("brand.none")));
    if (brands.length > 1) this.#offer(brands);
    await this.#open(brands[0].id);
  }

  close() {
    removeEventListener("beforeunload", this.#warn);
  }

  /** Asks before changes are left; answers whether to go. A sign-out takes drafts with it. */
  async mayLeave({ endsSession = false } = {}) {
    if (!this.isEdited) return true;
    const answer = await leaveDialog(this.#editor.unpublished, { mayKeep: !endsSession });
    if (answer === "discard") this.#editor.discard();
    return answer !== null;
  }

  async #open(brandId) {
    const { client, toast } = this.#context;
    const [{ brand, version }, catalogue] = await Promise.all([client.brandEdition(brandId), client.fields(undefined, currentLanguage())]);
    this.#brandId = brandId;
    this.#editor = new BrandEditor(client, toast, new BrandDraft(brand, version), catalogue);
    put(this.#page, this.#editor.element);
    document.title = t("title.brand", { name: visible(brand.name) });
  }

  /** A platform administrator looks after every brand. */
  #offer(brands) {
    const select = h("select", { onchange: () => this.#change(select).catch((error) => this.#context.toast.show(errorText(error))) },
      brands.map((entry) => h("option", { value: entry.id }, visible(entry.name))));
    this.#choice.hidden = false;
    put(this.#choice, h("label", { class: "inline" }, h("span", { class: "spoken" }, t("newPlan.brand")), h("div", { class: "select" }, select)));
  }

  async #change(select) {
    const asked = select.value;
    select.value = this.#brandId;
    if (!(await this.mayLeave())) return;
    await this.#open(asked);
    select.value = asked;
  }
}
